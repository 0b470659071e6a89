"""The game as the ledger knows it: every input with the rule that adjudicates it, and the record that holds it all."""

from __future__ import annotations

from ledger.rules.kernel import commands
from ledger.rules.kernel.contract import Ruleset
from ledger.rules.kernel.dispatch import Dispatch
from ledger.rules.kernel.upcasting import Upcast
from ledger.rules.moc import (
    actions,
    beads,
    beads_on_dice,
    cards,
    cards_on_dice,
    chips,
    combat,
    creation,
    deciding,
    gone,
    harming,
    initiative,
    inputs,
    inputs_of_actions,
    inputs_of_combat,
    inputs_of_modifiers,
    inputs_of_play,
    moves,
    negotiating,
    opposed,
    own_dice,
    playing,
    recovery,
    resolving,
    rulebook,
    scenes,
    telling,
    trading,
    trumps,
    twice,
    view,
)
from ledger.rules.moc.accounts import ACCOUNTS
from ledger.rules.moc.choices import CHOICES
from ledger.rules.moc.dials import Dials, check
from ledger.rules.moc.domains import REFERENCES
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.facts import FACTS, Fact
from ledger.rules.moc.fold import FOLD
from ledger.rules.moc.inputs import INPUTS, Input
from ledger.rules.moc.labels import LABELS, REFERS, STEPS
from ledger.rules.moc.people import PEOPLE
from ledger.rules.moc.phrases import PHRASES
from ledger.rules.moc.rolled import rolls
from ledger.rules.moc.secrets import SECRETS
from ledger.rules.moc.sheet import Sheet
from ledger.rules.moc.state import State
from ledger.rules.moc.thrown import thrown


def first(draft: Draft, do: object) -> None:
    """Refuses `character-gone`. All that has a rule leans on the dials, but what a game master sets by hand."""
    if type(do) in DISPATCH.rules and not isinstance(do, commands.Amend):
        _ = draft.dials
    gone.check(draft, do)


DISPATCH = Dispatch(
    Draft,
    INPUTS,
    {
        commands.Enrol: creation.enrol,
        commands.Retire: scenes.retire,
        commands.OpenScene: scenes.open_scene,
        commands.CloseScene: scenes.close_scene,
        commands.OpenSession: scenes.open_session,
        commands.CloseSession: scenes.close_session,
        commands.SetDial: scenes.set_dial,
        commands.Amend: scenes.amend,
        inputs.SetTableRow: scenes.set_row,
        inputs.OpenArc: scenes.open_arc,
        inputs.CloseArc: scenes.close_arc,
        inputs.EnlargePurse: scenes.enlarge,
        inputs.EndTurn: scenes.end_turn,
        inputs.Buy: creation.buy,
        inputs.ProposeTrait: negotiating.propose,
        inputs.CounterTrait: negotiating.counter,
        inputs.ApproveTrait: negotiating.approve,
        inputs.SetTraitEffect: negotiating.set_effect,
        inputs.LoseBackground: negotiating.lose_background,
        inputs.Sacrifice: chips.sacrifice,
        inputs.InheritChips: chips.inherit,
        inputs.SetStatus: chips.set_status,
        inputs_of_modifiers.DrawHand: cards.draw_hand,
        inputs_of_modifiers.DrawVillains: cards.draw_villains,
        inputs_of_modifiers.ExchangeCard: cards.exchange,
        inputs_of_modifiers.ShiftBeads: cards.shift,
        inputs_of_modifiers.ForceVortex: cards.vortex,
        inputs_of_modifiers.ForceDiscard: cards.force_discard,
        inputs_of_modifiers.TradeUp: chips.trade_up,
        inputs_of_modifiers.TradeDown: chips.trade_down,
        inputs_of_modifiers.GiveBack: chips.give_back,
        inputs_of_modifiers.ExchangeChip: chips.exchange,
        inputs_of_modifiers.ChipToPoint: chips.to_point,
        inputs_of_modifiers.AwardChip: chips.award,
        inputs_of_modifiers.Penalise: chips.penalise,
        inputs_of_modifiers.Nominate: chips.nominate,
        inputs_of_modifiers.TallyNominations: chips.tally,
        inputs_of_modifiers.AllocateBeads: beads.allocate,
        inputs_of_modifiers.UseSessionBead: beads.session_bead,
        inputs_of_modifiers.AnnounceScene: beads.announce,
        inputs_of_play.ChangeStory: telling.change_story,
        inputs.UseCard: telling.use_card,
        inputs.UseBeads: telling.use_beads,
        inputs.Narrate: telling.narrate,
        inputs.VetoStory: telling.veto_story,
        inputs.AmendStory: telling.amend_story,
        inputs_of_modifiers.TradeCards: trading.trade,
        inputs.RecoverScene: recovery.recover_scene,
        inputs.GrantRecovery: recovery.grant,
        inputs.DeclareRecovery: recovery.declare,
        inputs.CompleteRecovery: recovery.complete,
        inputs.LoseAction: recovery.lose_action,
        inputs.Heal: recovery.heal,
        inputs.Move: actions.move,
        inputs_of_actions.DeclareAction: actions.declare,
        inputs_of_actions.GrantDice: actions.grant,
        inputs_of_actions.SpendToken: actions.spend_token,
        inputs_of_actions.UsePeriodDice: own_dice.use_period_dice,
        inputs_of_actions.UseBit: own_dice.use_bit,
        inputs_of_play.PlayBeads: playing.play_beads,
        inputs_of_play.PlayBeadsOnDice: beads_on_dice.play_beads_on_dice,
        inputs_of_play.PlayCard: cards_on_dice.play_card,
        inputs_of_play.Trump: trumps.trump,
        inputs_of_play.TrumpByFiat: trumps.fiat,
        inputs_of_play.DetermineAction: deciding.determine,
        inputs_of_play.ShiftFailure: deciding.shift,
        inputs_of_play.ClaimSuccess: playing.claim,
        inputs_of_actions.RollDice: resolving.roll_dice,
        inputs_of_actions.DeclareSuccesses: opposed.declare_successes,
        inputs_of_actions.TakeOffSuccesses: opposed.take_off,
        inputs_of_actions.Resolve: resolving.resolve,
        inputs_of_actions.TellConsequence: resolving.tell_consequence,
        inputs_of_combat.RollInitiative: initiative.initiative,
        inputs_of_combat.PlayCardOnInitiative: cards_on_dice.on_initiative,
        inputs_of_combat.ScoreHit: combat.score_hit,
        inputs_of_combat.SetLocation: combat.set_location,
        inputs_of_combat.RollDamage: combat.roll_damage,
        inputs_of_combat.PlayCardOnDamage: cards_on_dice.on_damage,
        inputs_of_combat.ResistDamage: harming.resist,
        inputs_of_combat.ApplyHarm: harming.apply_harm,
    },
    first,
)

RULESET: Ruleset[State, Input, Fact] = Ruleset(
    name="moc",
    title="Moment of Clarity",
    source="MoC, benscondo.wiki-rpg.com: the rules document of 10/19",
    edition=3,
    upcasters=(Upcast("location-set", to=2, change=lambda stored: {**stored, "face": None}),),
    dials=Dials,
    sheet=Sheet,
    inputs=INPUTS,
    choices=CHOICES,
    facts=FACTS,
    accounts=ACCOUNTS,
    references=REFERENCES,
    people=PEOPLE,
    rules=rulebook.RULES,
    blank=FOLD.blank,
    adjudicate=DISPATCH.adjudicate,
    apply=FOLD.apply,
    view=view.view,
    secrets=SECRETS,
    bad_dial="unknown-dial-value",
    check_dials=check,
    phrases=PHRASES,
    labels=LABELS,
    refers=REFERS,
    steps=STEPS,
    moves=moves.moves,
    kept_twice=twice.kept_twice,
    things=twice.things,
    thrown=thrown,
    rolls=rolls,
)
