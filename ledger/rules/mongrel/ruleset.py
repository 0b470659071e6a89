"""The game as the ledger knows it: every input with the rule that adjudicates it, and the record that holds it all."""

from __future__ import annotations

from ledger.rules.kernel import commands
from ledger.rules.kernel.contract import Ruleset
from ledger.rules.kernel.dispatch import Dispatch
from ledger.rules.mongrel import (
    accounts,
    attacks,
    awards,
    conflict,
    creation,
    credit,
    damage,
    deeds,
    infernal,
    inputs,
    inputs_of_strife,
    points,
    possessions,
    purchase,
    recovery,
    selling,
    sorcery,
    twice,
    vows,
)
from ledger.rules.mongrel import inputs_of_dealings as dealings
from ledger.rules.mongrel.choices import CHOICES
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.domains import REFERENCES
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.facts import FACTS, Fact
from ledger.rules.mongrel.fold import FOLD
from ledger.rules.mongrel.inputs import INPUTS, Input
from ledger.rules.mongrel.labels import LABELS, REFERS, STEPS
from ledger.rules.mongrel.moves import moves
from ledger.rules.mongrel.people import PEOPLE
from ledger.rules.mongrel.phrases import PHRASES
from ledger.rules.mongrel.proposals import with_numbers
from ledger.rules.mongrel.rolled import rolls
from ledger.rules.mongrel.rulebook import RULES
from ledger.rules.mongrel.sheet import Sheet
from ledger.rules.mongrel.state import State
from ledger.rules.mongrel.thrown import thrown
from ledger.rules.mongrel.view import view

DISPATCH = Dispatch(
    Draft,
    INPUTS,
    {
        inputs.RollTask: with_numbers(deeds.roll_task),
        inputs_of_strife.OpenConflict: conflict.open_conflict,
        inputs_of_strife.Attack: with_numbers(attacks.attack),
        inputs_of_strife.CarryOut: attacks.carry_out,
        inputs_of_strife.Act: with_numbers(attacks.act),
        inputs.TakeHit: attacks.take_hit,
        inputs.Occult: with_numbers(sorcery.occult),
        inputs_of_strife.DeclareAttack: with_numbers(attacks.declare_attack),
        inputs_of_strife.TakeFront: conflict.take_front,
        inputs_of_strife.Pass: conflict.pass_turn,
        inputs_of_strife.JoinConflict: conflict.join_conflict,
        inputs_of_strife.LeaveConflict: conflict.leave_conflict,
        inputs_of_strife.CloseConflict: conflict.close_conflict,
        inputs.Recover: with_numbers(recovery.recover, recovery.is_later),
        inputs.SetClock: recovery.set_clock,
        inputs.Rest: recovery.rest,
        inputs.AnswerTerminal: damage.answer_terminal,
        inputs.Heal: damage.heal,
        inputs.SpendResolve: infernal.spend_for_ap,
        inputs.RefreshResolve: with_numbers(infernal.refresh_quietly),
        inputs.RefreshResolveByVow: infernal.refresh_by_vow,
        dealings.Purchase: with_numbers(purchase.purchase),
        dealings.OccultPurchase: with_numbers(purchase.occult_purchase),
        dealings.MakeVow: vows.make_vow,
        dealings.EndVow: vows.end_vow,
        dealings.Describe: vows.describe,
        dealings.Reveal: vows.reveal,
        dealings.SetStatus: vows.set_status,
        dealings.GainItem: possessions.gain_item,
        dealings.PartWithItem: conflict.in_its_turn(possessions.part_with_item),
        dealings.MarkFeatures: points.mark_features,
        dealings.AllocatePower: points.allocate_power,
        dealings.MoveItem: possessions.move_item,
        dealings.SellItem: conflict.in_its_turn(selling.sell_item),
        dealings.TransferCredit: conflict.in_its_turn(credit.transfer),
        dealings.AdjustCredit: credit.adjust_credit,
        dealings.ChangeSocial: credit.change_social,
        dealings.Barter: conflict.in_its_turn(credit.barter),
        dealings.NotePresent: awards.note_present,
        dealings.AwardSession: awards.award_session,
        dealings.AwardVow: awards.award_vow,
        dealings.RaiseFeature: points.raise_feature,
        commands.Enrol: creation.create,
        commands.Retire: conflict.retire,
        commands.CloseScene: conflict.close_scene,
        commands.CloseSession: awards.close_session,
    },
)

RULESET: Ruleset[State, Input, Fact] = Ruleset(
    name="mongrel",
    title="Mongrel",
    source="Mongrel, by Ron Edwards (Adept Press, 2003)",
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
    references=REFERENCES,
    people=PEOPLE,
    phrases=PHRASES,
    labels=LABELS,
    refers=REFERS,
    steps=STEPS,
    moves=moves,
    kept_twice=twice.kept_twice,
    thrown=thrown,
    rolls=rolls,
)
