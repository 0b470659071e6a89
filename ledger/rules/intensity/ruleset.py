"""The game as the ledger knows it: every input to its chapter, and the record that holds it all together."""

from __future__ import annotations

from typing import assert_never

from ledger.rules.intensity import (
    accounts,
    advantage,
    attacks,
    fatal,
    healing,
    impact,
    inputs,
    negotiation,
    order,
    rest,
    rolling,
    rounds,
    scenes,
    traits,
)
from ledger.rules.intensity.choices import CHOICES
from ledger.rules.intensity.dials import Dials
from ledger.rules.intensity.facts import FACTS, Fact
from ledger.rules.intensity.folding import apply, blank
from ledger.rules.intensity.ground import Ruling
from ledger.rules.intensity.inputs import INPUTS, Input, Sheet
from ledger.rules.intensity.rulebook import RULES
from ledger.rules.intensity.state import State
from ledger.rules.intensity.view import view
from ledger.rules.kernel import commands
from ledger.rules.kernel.contract import Ruleset, Table, Verdict
from ledger.rules.kernel.questions import Asking


def adjudicate(table: Table[Dials], do: Input | commands.Input) -> Asking[Verdict[Fact]]:
    """Any input of the game or the kernel. May raise Refused, nothing else."""
    ruling = Ruling(table)
    match do:
        case inputs.RollDice():
            yield from rolling.roll_dice(table, ruling, do)
        case inputs.SettleTie():
            yield from order.settle_tie(table, ruling, do)
        case inputs.Defend():
            yield from attacks.defend(table, ruling, do)
        case inputs.SpendAdvantage():
            yield from advantage.spend(table, ruling, do)
        case inputs.Negotiate():
            yield from negotiation.negotiate(table, ruling, do)
        case inputs.UseFatal():
            yield from fatal.use_fatal(table, ruling, do)
        case inputs.HealingMoment():
            yield from healing.healing_moment(table, ruling, do)
        case inputs.ChooseImpact():
            _choose_impact(table, ruling, do)
        case (
            inputs.OpenRound()
            | inputs.Declare()
            | inputs.Raise()
            | inputs.AmendDeclaration()
            | inputs.AbandonRound()
            | inputs.CloseRound()
        ):
            _round(table, ruling, do)
        case (
            inputs.Pass()
            | inputs.Attack()
            | inputs.Resolve()
            | inputs.Waive()
            | inputs.ReleaseFatal()
            | inputs.Rest()
            | inputs.NoteConflict()
        ):
            _act(table, ruling, do)
        case _:
            _keep_house(table, ruling, do)
    return ruling.verdict()


def _choose_impact(table: Table[Dials], ruling: Ruling, do: inputs.ChooseImpact) -> None:
    achieved = impact.choose_impact(table, ruling, do)
    if achieved is not None and do.at_once is not None:
        fatal.use_at_once(table, ruling, *achieved, do.at_once)


def _round(
    table: Table[Dials],
    ruling: Ruling,
    do: inputs.OpenRound
    | inputs.Declare
    | inputs.Raise
    | inputs.AmendDeclaration
    | inputs.AbandonRound
    | inputs.CloseRound,
) -> None:
    match do:
        case inputs.OpenRound():
            rounds.open_round(table, ruling, do)
        case inputs.Declare():
            rounds.declare(table, ruling, do)
        case inputs.Raise():
            rounds.raise_intensity(table, ruling, do)
        case inputs.AmendDeclaration():
            rounds.amend(table, ruling, do)
        case inputs.AbandonRound():
            rounds.abandon(table, ruling, do)
        case inputs.CloseRound():
            rounds.close(table, ruling, do)
        case _:
            assert_never(do)


def _act(
    table: Table[Dials],
    ruling: Ruling,
    do: inputs.Pass
    | inputs.Attack
    | inputs.Resolve
    | inputs.Waive
    | inputs.ReleaseFatal
    | inputs.Rest
    | inputs.NoteConflict,
) -> None:
    match do:
        case inputs.Pass():
            order.pass_turn(table, ruling, do)
        case inputs.Attack():
            attacks.attack(table, ruling, do)
        case inputs.Resolve():
            attacks.resolve(table, ruling, do)
        case inputs.Waive():
            impact.waive(table, ruling, do)
        case inputs.ReleaseFatal():
            fatal.release(table, ruling, do)
        case inputs.Rest():
            rest.rest(table, ruling, do)
        case inputs.NoteConflict():
            rest.note_conflict(table, ruling, do)
        case _:
            assert_never(do)


def _keep_house(table: Table[Dials], ruling: Ruling, do: commands.Input) -> None:
    """The kernel's inputs: the game adds its part to enrolling and to the opening and closing of scenes."""
    match do:
        case commands.Enrol():
            traits.create(table, ruling, do.sheet, do.seat)
        case commands.OpenScene():
            scenes.open_scene(table, ruling, do)
        case commands.CloseScene():
            scenes.close_scene(table, ruling, do)
        case (
            commands.HandOver()
            | commands.Retire()
            | commands.OpenSession()
            | commands.CloseSession()
            | commands.SetDial()
            | commands.Amend()
            | commands.Adjust()
        ):
            pass
        case _:
            assert_never(do)


def meant(table: Table[Dials], do: Input | commands.Input) -> Input | commands.Input:
    """Uses of fatals with their holders named."""
    return fatal.meant(table, do) if isinstance(do, inputs.UseFatal | inputs.Negotiate) else do


RULESET: Ruleset[State, Input, Fact] = Ruleset(
    name="intensity",
    title="Levels of Intensity",
    source="An untitled game whose first heading is “Levels of Intensity”",
    edition=1,
    dials=Dials,
    sheet=Sheet,
    inputs=INPUTS,
    choices=CHOICES,
    facts=FACTS,
    accounts=accounts.ACCOUNTS,
    rules=RULES,
    blank=blank,
    adjudicate=adjudicate,
    apply=apply,
    view=view,
    meant=meant,
)
