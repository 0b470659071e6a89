"""The game as the ledger knows it: every input to its chapter, and the record that holds it all together."""

from __future__ import annotations

from ledger.rules.intensity import (
    accounts,
    advantage,
    attacks,
    fatal,
    healing,
    inputs_of_attacks,
    inputs_of_fatals,
    inputs_of_healing,
    inputs_of_rounds,
    negotiation,
    order,
    outcome,
    rest,
    rolling,
    rounds,
    scenes,
    traits,
    twice,
)
from ledger.rules.intensity.choices import CHOICES
from ledger.rules.intensity.dials import Dials
from ledger.rules.intensity.draft import Draft
from ledger.rules.intensity.facts import FACTS, Fact
from ledger.rules.intensity.fold import FOLD
from ledger.rules.intensity.inputs import INPUTS, Input, Sheet
from ledger.rules.intensity.labels import LABELS, REFERS, STEPS
from ledger.rules.intensity.moves import moves
from ledger.rules.intensity.people import PEOPLE
from ledger.rules.intensity.phrases import PHRASES
from ledger.rules.intensity.rulebook import RULES
from ledger.rules.intensity.state import State
from ledger.rules.intensity.terms import REFERENCES
from ledger.rules.intensity.thrown import thrown
from ledger.rules.intensity.view import view
from ledger.rules.kernel import commands
from ledger.rules.kernel.contract import Ruleset, Table
from ledger.rules.kernel.dispatch import Dispatch

DISPATCH = Dispatch(
    Draft,
    INPUTS,
    {
        commands.Enrol: traits.create,
        commands.OpenScene: scenes.open_scene,
        commands.CloseScene: scenes.close_scene,
        inputs_of_rounds.OpenRound: rounds.open_round,
        inputs_of_rounds.Declare: rounds.declare,
        inputs_of_rounds.Raise: rounds.raise_intensity,
        inputs_of_rounds.AmendDeclaration: rounds.amend,
        inputs_of_rounds.AbandonRound: rounds.abandon,
        inputs_of_rounds.RollDice: rolling.roll_dice,
        inputs_of_rounds.SettleTie: order.settle_tie,
        inputs_of_rounds.Pass: order.pass_turn,
        inputs_of_rounds.CloseRound: rounds.close,
        inputs_of_attacks.Attack: attacks.attack,
        inputs_of_attacks.Defend: attacks.defend,
        inputs_of_attacks.SpendAdvantage: advantage.spend,
        inputs_of_attacks.Resolve: attacks.resolve,
        inputs_of_attacks.ChooseImpact: outcome.choose_impact,
        inputs_of_attacks.Waive: outcome.waive,
        inputs_of_fatals.Negotiate: negotiation.negotiate,
        inputs_of_fatals.UseFatal: fatal.use_fatal,
        inputs_of_fatals.ReleaseFatal: fatal.release,
        inputs_of_fatals.BringBack: fatal.bring_back,
        inputs_of_healing.Rest: rest.rest,
        inputs_of_healing.NoteConflict: rest.note_conflict,
        inputs_of_healing.HealingMoment: healing.healing_moment,
    },
)


def meant(table: Table[object], do: Input | commands.Input) -> Input | commands.Input:
    """Uses of fatals with their holders named."""
    return fatal.meant(table, do) if isinstance(do, inputs_of_fatals.UseFatal | inputs_of_fatals.Negotiate) else do


RULESET: Ruleset[State, Input, Fact] = Ruleset(
    name="intensity",
    title="Levels of Intensity",
    source="An untitled game whose first heading is “Levels of Intensity”",
    edition=2,
    dials=Dials,
    sheet=Sheet,
    inputs=INPUTS,
    choices=CHOICES,
    facts=FACTS,
    accounts=accounts.ACCOUNTS,
    rules=RULES,
    blank=FOLD.blank,
    adjudicate=DISPATCH.adjudicate,
    apply=FOLD.apply,
    view=view,
    moves=moves,
    meant=meant,
    references=REFERENCES,
    people=PEOPLE,
    phrases=PHRASES,
    labels=LABELS,
    refers=REFERS,
    steps=STEPS,
    kept_twice=twice.kept_twice,
    thrown=thrown,
)
