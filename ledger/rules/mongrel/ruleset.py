"""The game as the ledger knows it: every input to its chapter, and the record that holds it all together."""

from __future__ import annotations

from typing import assert_never

from ledger.rules.kernel import commands
from ledger.rules.kernel.contract import Ruleset, Table, Verdict
from ledger.rules.kernel.questions import Asking
from ledger.rules.mongrel import (
    accounts,
    attacks,
    awards,
    conflict,
    creation,
    credit,
    damage,
    dealings,
    deeds,
    infernal,
    inputs,
    points,
    possessions,
    purchase,
    recovery,
    sorcery,
)
from ledger.rules.mongrel.choices import CHOICES
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.facts import FACTS, Fact
from ledger.rules.mongrel.folding import apply, blank
from ledger.rules.mongrel.ground import Ruling
from ledger.rules.mongrel.inputs import INPUTS, Input
from ledger.rules.mongrel.rulebook import RULES
from ledger.rules.mongrel.sheet import Sheet
from ledger.rules.mongrel.state import State
from ledger.rules.mongrel.view import view


def adjudicate(table: Table[Dials], do: Input | commands.Input) -> Asking[Verdict[Fact]]:
    """Any input of the game or the kernel. May raise Refused, nothing else."""
    ruling = Ruling(table)
    match do:
        case inputs.RollTask():
            yield from deeds.roll_task(ruling, do)
        case inputs.OpenConflict():
            yield from conflict.open_conflict(ruling, do)
        case inputs.Attack():
            yield from attacks.attack(ruling, do)
        case inputs.CarryOut():
            yield from attacks.carry_out(ruling, do)
        case inputs.Act():
            yield from attacks.act(ruling, do)
        case inputs.TakeHit():
            yield from attacks.take_hit(ruling, do)
        case inputs.Occult():
            yield from sorcery.occult(ruling, do)
        case dealings.Purchase():
            yield from purchase.purchase(ruling, do)
        case dealings.OccultPurchase():
            yield from purchase.occult_purchase(ruling, do)
        case (
            inputs.DeclareAttack() | inputs.TakeFront() | inputs.Pass() | inputs.JoinConflict()
            | inputs.LeaveConflict() | inputs.CloseConflict() | inputs.Recover() | inputs.Rest()
            | inputs.AnswerTerminal() | inputs.Heal() | inputs.SpendResolve() | inputs.RefreshResolve()
            | inputs.RefreshResolveByVow()
        ):  # fmt: skip
            _in_play(ruling, do)
        case (
            dealings.MakeVow() | dealings.EndVow() | dealings.Describe() | dealings.Reveal() | dealings.SetStatus()
            | dealings.GainItem() | dealings.PartWithItem()
        ):  # fmt: skip
            _of_a_character(ruling, do)
        case (
            dealings.MarkFeatures() | dealings.AllocatePower() | dealings.TransferCredit() | dealings.AdjustCredit()
            | dealings.ChangeSocial() | dealings.Barter() | dealings.NotePresent() | dealings.AwardSession()
            | dealings.AwardVow() | dealings.RaiseFeature()
        ):  # fmt: skip
            _between(ruling, do)
        case _:
            _keep_house(ruling, do)
    return ruling.verdict()


def _in_play(
    ruling: Ruling,
    do: inputs.DeclareAttack | inputs.TakeFront | inputs.Pass | inputs.JoinConflict
    | inputs.LeaveConflict | inputs.CloseConflict
    | inputs.Recover | inputs.Rest | inputs.AnswerTerminal | inputs.Heal | inputs.SpendResolve
    | inputs.RefreshResolve | inputs.RefreshResolveByVow,
) -> None:  # fmt: skip
    match do:
        case inputs.DeclareAttack():
            attacks.declare_attack(ruling, do)
        case inputs.TakeFront():
            conflict.take_front(ruling, do)
        case inputs.Pass():
            conflict.pass_turn(ruling, do)
        case inputs.JoinConflict():
            conflict.join_conflict(ruling, do)
        case inputs.LeaveConflict():
            conflict.leave_conflict(ruling, do)
        case inputs.CloseConflict():
            conflict.close_conflict(ruling, do)
        case inputs.Recover():
            recovery.recover(ruling, do)
        case inputs.Rest():
            recovery.rest(ruling, do)
        case inputs.AnswerTerminal():
            damage.answer_terminal(ruling, do)
        case inputs.Heal():
            damage.heal(ruling, do)
        case inputs.SpendResolve():
            infernal.spend_for_ap(ruling, do)
        case inputs.RefreshResolve():
            infernal.refresh_quietly(ruling, do)
        case inputs.RefreshResolveByVow():
            infernal.refresh_by_vow(ruling, do)
        case _:
            assert_never(do)


def _of_a_character(
    ruling: Ruling,
    do: dealings.MakeVow | dealings.EndVow | dealings.Describe | dealings.Reveal | dealings.SetStatus
    | dealings.GainItem | dealings.PartWithItem,
) -> None:  # fmt: skip
    match do:
        case dealings.MakeVow():
            creation.make_vow(ruling, do)
        case dealings.EndVow():
            creation.end_vow(ruling, do)
        case dealings.Describe():
            creation.describe(ruling, do)
        case dealings.Reveal():
            creation.reveal(ruling, do)
        case dealings.SetStatus():
            creation.set_status(ruling, do)
        case dealings.GainItem():
            possessions.gain_item(ruling, do)
        case dealings.PartWithItem():
            possessions.part_with_item(ruling, do)
        case _:
            assert_never(do)


def _between(
    ruling: Ruling,
    do: dealings.MarkFeatures | dealings.AllocatePower | dealings.TransferCredit | dealings.AdjustCredit
    | dealings.ChangeSocial | dealings.Barter | dealings.NotePresent | dealings.AwardSession | dealings.AwardVow
    | dealings.RaiseFeature,
) -> None:  # fmt: skip
    match do:
        case dealings.MarkFeatures():
            points.mark_features(ruling, do)
        case dealings.AllocatePower():
            points.allocate_power(ruling, do)
        case dealings.TransferCredit():
            credit.transfer(ruling, do)
        case dealings.AdjustCredit():
            credit.adjust_credit(ruling, do)
        case dealings.ChangeSocial():
            credit.change_social(ruling, do)
        case dealings.Barter():
            credit.barter(ruling, do)
        case dealings.NotePresent():
            awards.note_present(ruling, do)
        case dealings.AwardSession():
            awards.award_session(ruling, do)
        case dealings.AwardVow():
            awards.award_vow(ruling, do)
        case dealings.RaiseFeature():
            points.raise_feature(ruling, do)
        case _:
            assert_never(do)


def _keep_house(ruling: Ruling, do: commands.Input) -> None:
    """The kernel's inputs: the game adds its part to enrolling, to retiring, and to the end of scenes and sessions."""
    match do:
        case commands.Enrol():
            creation.create(ruling, do.sheet)
        case commands.Retire():
            conflict.retire(ruling, do.character)
        case commands.CloseScene():
            conflict.close_scene(ruling, do.scene)
        case commands.CloseSession():
            awards.close_session(ruling, do.session)
        case (
            commands.HandOver()
            | commands.OpenScene()
            | commands.OpenSession()
            | commands.SetDial()
            | commands.Amend()
            | commands.Adjust()
        ):
            pass
        case _:
            assert_never(do)


RULESET: Ruleset[State, Input, Fact] = Ruleset(
    name="mongrel",
    title="Mongrel",
    source="Mongrel, by Ron Edwards (Adept Press, 2003)",
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
)
