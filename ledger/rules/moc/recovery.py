"""Recovering fatigue, tokens, pain and damage (headings "Recovery", "Recovering Damage")."""

from __future__ import annotations

from typing import Any

from ledger.rules.kernel.contract import Table, Verdict
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import accounts, facts, inputs, terms
from ledger.rules.moc.cards_on_dice import Pool, lay, lay_after
from ledger.rules.moc.counting import healed
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.ground import Ruling
from ledger.rules.moc.own_dice import laid as floating
from ledger.rules.moc.state import Healing
from ledger.rules.moc.terms import MOST_DAMAGE, STANDARD_TN


def recover_scene(table: Table[Dials], do: inputs.RecoverScene) -> Verdict[Any]:
    """`moc.recover.scene`: a level of fatigue, or else a token."""
    ruling = Ruling(table)
    if ruling.who(do.character).due < 1:
        raise Refused("moc.recover.scene", "no-recovery-due", character=do.character)
    _step(ruling, do.character, do.primary)
    return ruling.verdict()


def _step(ruling: Ruling, id: str, primary: str | None) -> None:
    """Refuses `nothing-declared`, `pool-full`."""
    rule, who = "moc.recover.scene", ruling.who(id)
    if who.fatigue > 0:
        ruling.about(id, facts.SceneRecoveryTaken(1))
        ruling.by(rule, who.fatigue - 1, fatigue=True)
        return
    if primary is None:
        raise Refused(rule, "nothing-declared", character=id)
    named = terms.primary(primary, rule)
    most = min(who.ratings[named], MOST_DAMAGE - who.damage)
    if ruling.balance(accounts.token(id, named)) >= most:
        raise Refused(rule, "pool-full", primary=named, most=most)
    moved = accounts.move(accounts.TOKENS, accounts.token(id, named), 1)
    ruling.about(id, facts.SceneRecoveryTaken(0, named), moved)
    ruling.by(rule, named, most=most)


def grant(table: Table[Dials], do: inputs.GrantRecovery) -> Verdict[Any]:
    """In a long scene, one step a day."""
    ruling = Ruling(table)
    ruling.about(do.character, facts.SceneRecoveryDue(ruling.who(do.character).due + 1))
    ruling.by("moc.recover.scene", 1, reason=do.reason)
    return ruling.verdict()


def declare(table: Table[Dials], do: inputs.DeclareRecovery) -> Verdict[Any]:
    """`moc.recover.action`: a full action, undivided."""
    rule, ruling = "moc.recover.action", Ruling(table)
    who = ruling.who(do.character)
    if do.split:
        raise Refused(rule, "recovery-no-split", character=do.character)
    if who.dazed:
        raise Refused("moc.combat.dazed", "next-action-lost", character=do.character)
    if who.recovering:
        raise Refused(rule, "already-recovering", character=do.character)
    ruling.about(do.character, facts.RecoveryDeclared())
    ruling.by(rule, "declared", character=do.character)
    return ruling.verdict()


def complete(table: Table[Dials], do: inputs.CompleteRecovery) -> Verdict[Any]:
    rule, ruling, id = "moc.recover.action", Ruling(table), do.character
    who = ruling.who(id)
    if not who.recovering:
        raise Refused(rule, "not-recovering", character=id)
    ruling.about(id, facts.RecoveryCompleted(who.ratings["T"]))
    ruling.by(rule, max(0, who.pain - who.ratings["T"]), pain=who.pain)
    if ruling.dials.action_recovery_also_restores and (who.fatigue or do.primary is not None):
        if who.due:  # the step it takes is none of those at hand
            ruling.about(id, facts.SceneRecoveryDue(who.due + 1))
        _step(ruling, id, do.primary)
    return ruling.verdict()


def lose_action(table: Table[Dials], do: inputs.LoseAction) -> Verdict[Any]:
    """`moc.combat.dazed`: the next action is lost; then it ends."""
    ruling = Ruling(table)
    if not ruling.who(do.character).dazed:
        raise Refused("moc.combat.dazed", "not-dazed", character=do.character)
    ruling.about(do.character, facts.DazeEnded("an action lost"))
    ruling.by("moc.combat.dazed", "ended", character=do.character)
    return ruling.verdict()


def heal(table: Table[Dials], do: inputs.Heal) -> Asking[Verdict[Any]]:
    """`moc.recover.damage`: an L roll when the healing period is over."""
    rule, ruling, id = "moc.recover.damage", Ruling(table), do.character
    who = ruling.who(id)
    days = terms.whole(do.days, "time-not-positive", rule, 1)
    if who.damage < 1:
        raise Refused(rule, "no-damage-to-heal", character=id)
    period = ruling.campaign().healing.get(str(who.damage), 0)
    if days < period:
        raise Refused(rule, "healing-period-not-over", days=days, period=period)
    count = ruling.active(id, "spirit") + floating(ruling, id, do.floating)
    if do.token is not None:
        count += ruling.spend_token(id, "L", ruling.token_pool("L", do.token))
    there = count if do.faces is None else len(do.faces) + len(do.bonus)
    lay(ruling, do.cards, Pool("healing", id, (there,)))
    base, bonus = yield from ruling.pool(id, count, do.faces, do.bonus, "healing")
    if do.ask_cards and do.faces is None:
        yield from lay_after(ruling, Pool("healing", id, (len(base) + len(bonus),)))
    tn = max(ruling.dials.tn_floor, STANDARD_TN)
    rolled = Healing(str(table.number), who.damage, period, tn, base, bonus, ruling.who(id).laid)
    _come_out(ruling, id, rolled)
    ruling.by(rule, healed(rolled), damage=who.damage, dice=count)
    return ruling.verdict()


def _come_out(ruling: Ruling, id: str, rolled: Healing) -> None:
    found, dice = healed(rolled), (rolled.tn, rolled.faces, rolled.bonus)
    if found:
        ruling.about(id, facts.DamageHealed(found, rolled.id, rolled.period, *dice))
    else:
        ruling.about(id, facts.HealingFailed(rolled.period, rolled.id, *dice))


def unsettled(ruling: Ruling, id: str) -> Healing:
    """The last try to heal, as long as nothing else befell the body since. Refuses `settled`."""
    who = ruling.who(id)
    found = who.healing
    if found is None or who.damage != max(0, found.damage - found.healed):
        raise Refused("moc.recover.damage", "settled", character=id)
    return found


def reconsider(ruling: Ruling, id: str) -> None:
    """`moc.trump.effect`: where the try to heal comes out otherwise now, it is told anew."""
    rolled = unsettled(ruling, id)
    if bool(healed(rolled)) != rolled.healed:
        _come_out(ruling, id, rolled)
        ruling.by("moc.recover.damage", healed(rolled), damage=rolled.damage, dice=len(rolled.faces))
