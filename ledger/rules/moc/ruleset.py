"""The game as the ledger knows it: every input with the rule that adjudicates it, and the record that holds it all."""

from __future__ import annotations

from ledger.rules.kernel import commands
from ledger.rules.kernel.contract import Ruleset
from ledger.rules.kernel.dispatch import Dispatch
from ledger.rules.moc import (
    actions,
    beads,
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
    view,
)
from ledger.rules.moc.accounts import ACCOUNTS
from ledger.rules.moc.choices import CHOICES
from ledger.rules.moc.dials import Dials, check
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.facts import FACTS, Fact
from ledger.rules.moc.fold import FOLD
from ledger.rules.moc.inputs import INPUTS, Input
from ledger.rules.moc.secrets import SECRETS
from ledger.rules.moc.sheet import Sheet
from ledger.rules.moc.state import State


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
        inputs.LoseBackground: negotiating.lose_background,
        inputs.Sacrifice: chips.sacrifice,
        inputs.InheritChips: chips.inherit,
        inputs.SetStatus: chips.set_status,
        inputs.DrawHand: cards.draw_hand,
        inputs.DrawVillains: cards.draw_villains,
        inputs.ExchangeCard: cards.exchange,
        inputs.ShiftBeads: cards.shift,
        inputs.ForceVortex: cards.vortex,
        inputs.TradeUp: chips.trade_up,
        inputs.TradeDown: chips.trade_down,
        inputs.GiveBack: chips.give_back,
        inputs.ExchangeChip: chips.exchange,
        inputs.ChipToPoint: chips.to_point,
        inputs.AwardChip: chips.award,
        inputs.Penalise: chips.penalise,
        inputs.Nominate: chips.nominate,
        inputs.TallyNominations: chips.tally,
        inputs.AllocateBeads: beads.allocate,
        inputs.UseSessionBead: beads.session_bead,
        inputs.AnnounceScene: beads.announce,
        inputs.ChangeStory: telling.change_story,
        inputs.UseCard: telling.use_card,
        inputs.Narrate: telling.narrate,
        inputs.VetoStory: telling.veto_story,
        inputs.AmendStory: telling.amend_story,
        inputs.TradeCards: trading.trade,
        inputs.RecoverScene: recovery.recover_scene,
        inputs.GrantRecovery: recovery.grant,
        inputs.DeclareRecovery: recovery.declare,
        inputs.CompleteRecovery: recovery.complete,
        inputs.LoseAction: recovery.lose_action,
        inputs.Heal: recovery.heal,
        inputs.Move: actions.move,
        inputs.DeclareAction: actions.declare,
        inputs.GrantDice: actions.grant,
        inputs.SpendToken: actions.spend_token,
        inputs.UsePeriodDice: own_dice.use_period_dice,
        inputs.UseBit: own_dice.use_bit,
        inputs.PlayBeads: playing.play_beads,
        inputs.PlayCard: cards_on_dice.play_card,
        inputs.Trump: trumps.trump,
        inputs.TrumpByFiat: trumps.fiat,
        inputs.DetermineAction: deciding.determine,
        inputs.ShiftFailure: deciding.shift,
        inputs.ClaimSuccess: playing.claim,
        inputs.RollDice: resolving.roll_dice,
        inputs.DeclareSuccesses: opposed.declare_successes,
        inputs.TakeOffSuccesses: opposed.take_off,
        inputs.Resolve: resolving.resolve,
        inputs.TellConsequence: resolving.tell_consequence,
        inputs.RollInitiative: initiative.initiative,
        inputs.PlayCardOnInitiative: cards_on_dice.on_initiative,
        inputs.ScoreHit: combat.score_hit,
        inputs.SetLocation: combat.set_location,
        inputs.RollDamage: combat.roll_damage,
        inputs.PlayCardOnDamage: cards_on_dice.on_damage,
        inputs.ResistDamage: harming.resist,
        inputs.ApplyHarm: harming.apply_harm,
    },
    first,
)

RULESET: Ruleset[State, Input, Fact] = Ruleset(
    name="moc",
    title="Moment of Clarity",
    source="MoC, benscondo.wiki-rpg.com: the rules document of 10/19",
    edition=1,
    dials=Dials,
    sheet=Sheet,
    inputs=INPUTS,
    choices=CHOICES,
    facts=FACTS,
    accounts=ACCOUNTS,
    rules=rulebook.RULES,
    blank=FOLD.blank,
    adjudicate=DISPATCH.adjudicate,
    apply=FOLD.apply,
    view=view.view,
    secrets=SECRETS,
    bad_dial="unknown-dial-value",
    check_dials=check,
)
