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
    inputs_of_attacks,
    inputs_of_fatals,
    inputs_of_healing,
    inputs_of_rounds,
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
from ledger.rules.intensity.fold import FOLD
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
        case inputs_of_rounds.RollDice():
            yield from rolling.roll_dice(table, ruling, do)
        case inputs_of_rounds.SettleTie():
            yield from order.settle_tie(table, ruling, do)
        case inputs_of_attacks.Defend():
            yield from attacks.defend(table, ruling, do)
        case inputs_of_attacks.SpendAdvantage():
            yield from advantage.spend(table, ruling, do)
        case inputs_of_fatals.Negotiate():
            yield from negotiation.negotiate(table, ruling, do)
        case inputs_of_fatals.UseFatal():
            yield from fatal.use_fatal(table, ruling, do)
        case inputs_of_healing.HealingMoment():
            yield from healing.healing_moment(table, ruling, do)
        case inputs_of_attacks.ChooseImpact():
            _choose_impact(table, ruling, do)
        case (
            inputs_of_rounds.OpenRound()
            | inputs_of_rounds.Declare()
            | inputs_of_rounds.Raise()
            | inputs_of_rounds.AmendDeclaration()
            | inputs_of_rounds.AbandonRound()
            | inputs_of_rounds.CloseRound()
        ):
            _round(table, ruling, do)
        case (
            inputs_of_rounds.Pass()
            | inputs_of_attacks.Attack()
            | inputs_of_attacks.Resolve()
            | inputs_of_attacks.Waive()
            | inputs_of_fatals.ReleaseFatal()
            | inputs_of_healing.Rest()
            | inputs_of_healing.NoteConflict()
        ):
            _act(table, ruling, do)
        case _:
            _keep_house(table, ruling, do)
    return ruling.verdict()


def _choose_impact(table: Table[Dials], ruling: Ruling, do: inputs_of_attacks.ChooseImpact) -> None:
    achieved = impact.choose_impact(table, ruling, do)
    if achieved is not None and do.at_once is not None:
        fatal.use_at_once(table, ruling, *achieved, do.at_once)


def _round(
    table: Table[Dials],
    ruling: Ruling,
    do: inputs_of_rounds.OpenRound
    | inputs_of_rounds.Declare
    | inputs_of_rounds.Raise
    | inputs_of_rounds.AmendDeclaration
    | inputs_of_rounds.AbandonRound
    | inputs_of_rounds.CloseRound,
) -> None:
    match do:
        case inputs_of_rounds.OpenRound():
            rounds.open_round(table, ruling, do)
        case inputs_of_rounds.Declare():
            rounds.declare(table, ruling, do)
        case inputs_of_rounds.Raise():
            rounds.raise_intensity(table, ruling, do)
        case inputs_of_rounds.AmendDeclaration():
            rounds.amend(table, ruling, do)
        case inputs_of_rounds.AbandonRound():
            rounds.abandon(table, ruling, do)
        case inputs_of_rounds.CloseRound():
            rounds.close(table, ruling, do)
        case _:
            assert_never(do)


def _act(
    table: Table[Dials],
    ruling: Ruling,
    do: inputs_of_rounds.Pass
    | inputs_of_attacks.Attack
    | inputs_of_attacks.Resolve
    | inputs_of_attacks.Waive
    | inputs_of_fatals.ReleaseFatal
    | inputs_of_healing.Rest
    | inputs_of_healing.NoteConflict,
) -> None:
    match do:
        case inputs_of_rounds.Pass():
            order.pass_turn(table, ruling, do)
        case inputs_of_attacks.Attack():
            attacks.attack(table, ruling, do)
        case inputs_of_attacks.Resolve():
            attacks.resolve(table, ruling, do)
        case inputs_of_attacks.Waive():
            impact.waive(table, ruling, do)
        case inputs_of_fatals.ReleaseFatal():
            fatal.release(table, ruling, do)
        case inputs_of_healing.Rest():
            rest.rest(table, ruling, do)
        case inputs_of_healing.NoteConflict():
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
    return fatal.meant(table, do) if isinstance(do, inputs_of_fatals.UseFatal | inputs_of_fatals.Negotiate) else do


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
    blank=FOLD.blank,
    adjudicate=adjudicate,
    apply=FOLD.apply,
    view=view,
    meant=meant,
)
