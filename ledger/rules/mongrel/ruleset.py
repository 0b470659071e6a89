"""The game as the ledger knows it: every input to its chapter, and the record that holds it all together."""

from __future__ import annotations

from typing import assert_never

from ledger.rules import housekeeping
from ledger.rules.contract import Asking, Ruleset, Table, Verdict
from ledger.rules.mongrel import (
    accounts,
    attacks,
    conflict,
    creation,
    credit,
    damage,
    infernal,
    inputs,
    points,
    recovery,
    sorcery,
    tasks,
)
from ledger.rules.mongrel.choices import CHOICES
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.facts import FACTS, Fact
from ledger.rules.mongrel.folding import apply, blank
from ledger.rules.mongrel.ground import Ruling
from ledger.rules.mongrel.inputs import INPUTS, Input
from ledger.rules.mongrel.rulebook import RULES
from ledger.rules.mongrel.sheet import Sheet
from ledger.rules.mongrel.view import view


def adjudicate(table: Table[Dials], do: Input | housekeeping.Input) -> Asking[Verdict[Fact]]:
    """Any input of the game or the kernel. May raise Refused, nothing else."""
    ruling = Ruling(table)
    match do:
        case inputs.RollTask():
            yield from tasks.roll_task(ruling, do)
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
        case inputs.Purchase():
            yield from credit.purchase(ruling, do)
        case (
            inputs.DeclareAttack() | inputs.TakeFront() | inputs.Pass() | inputs.JoinConflict()
            | inputs.CloseConflict() | inputs.Recover() | inputs.Rest() | inputs.AnswerTerminal() | inputs.Heal()
            | inputs.SpendResolve() | inputs.RefreshResolve() | inputs.RefreshResolveByVow()
        ):  # fmt: skip
            _in_play(ruling, do)
        case (
            inputs.MakeVow() | inputs.MarkFeatures() | inputs.AllocatePower() | inputs.SetStatus()
            | inputs.TransferCredit() | inputs.AdjustCredit() | inputs.ChangeSocial() | inputs.Barter()
            | inputs.AwardSession() | inputs.AwardVow() | inputs.RaiseFeature()
        ):  # fmt: skip
            _between(ruling, do)
        case _:
            _keep_house(ruling, do)
    return ruling.verdict()


def _in_play(
    ruling: Ruling,
    do: inputs.DeclareAttack | inputs.TakeFront | inputs.Pass | inputs.JoinConflict | inputs.CloseConflict
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


def _between(
    ruling: Ruling,
    do: inputs.MakeVow | inputs.MarkFeatures | inputs.AllocatePower | inputs.SetStatus | inputs.TransferCredit
    | inputs.AdjustCredit | inputs.ChangeSocial | inputs.Barter
    | inputs.AwardSession | inputs.AwardVow | inputs.RaiseFeature,
) -> None:  # fmt: skip
    match do:
        case inputs.MakeVow():
            creation.make_vow(ruling, do)
        case inputs.SetStatus():
            creation.set_status(ruling, do)
        case inputs.MarkFeatures():
            points.mark_features(ruling, do)
        case inputs.AllocatePower():
            points.allocate_power(ruling, do)
        case inputs.TransferCredit():
            credit.transfer(ruling, do)
        case inputs.AdjustCredit():
            credit.adjust_credit(ruling, do)
        case inputs.ChangeSocial():
            credit.change_social(ruling, do)
        case inputs.Barter():
            credit.barter(ruling, do)
        case inputs.AwardSession():
            points.award_session(ruling, do)
        case inputs.AwardVow():
            points.award_vow(ruling, do)
        case inputs.RaiseFeature():
            points.raise_feature(ruling, do)
        case _:
            assert_never(do)


def _keep_house(ruling: Ruling, do: housekeeping.Input) -> None:
    """The kernel's inputs: the game adds its part to enrolling, to retiring, and to the end of scenes and sessions."""
    match do:
        case housekeeping.Enrol():
            creation.create(ruling, do.sheet)
        case housekeeping.Retire():
            conflict.retire(ruling, do.character)
        case housekeeping.CloseScene():
            conflict.close_scene(ruling, do.scene)
        case housekeeping.CloseSession():
            points.close_session(ruling, do.session)
        case (
            housekeeping.HandOver()
            | housekeeping.OpenScene()
            | housekeeping.OpenSession()
            | housekeeping.SetDial()
            | housekeeping.Amend()
            | housekeeping.Adjust()
        ):
            pass
        case _:
            assert_never(do)


RULESET: Ruleset[Input, Fact] = Ruleset(
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
