"""Recovering fatigue, tokens, pain and damage (headings "Recovery", "Recovering Damage")."""

from __future__ import annotations

from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import facts_of_bodies, facts_of_dice, inputs, terms, tokens, turns
from ledger.rules.moc.cards_on_dice import Pool, lay, lay_after
from ledger.rules.moc.counting import healed
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.own_dice import laid as floating
from ledger.rules.moc.state_of_combat import Healing
from ledger.rules.moc.terms import STANDARD_TN


def recover_scene(draft: Draft, do: inputs.RecoverScene) -> None:
    """`moc.recover.scene`: a level of fatigue, or else a token."""
    if draft.who(do.character).due < 1:
        raise Refused("moc.recover.scene", "no-recovery-due", character=do.character)
    turns.step(draft, do.character, do.primary)


def grant(draft: Draft, do: inputs.GrantRecovery) -> None:
    """In a long scene, one step a day."""
    draft.about(do.character, facts_of_bodies.SceneRecoveryDue(draft.who(do.character).due + 1))
    draft.by("moc.recover.scene", 1, reason=do.reason)


def declare(draft: Draft, do: inputs.DeclareRecovery) -> None:
    """`moc.recover.action`: a full action, undivided."""
    rule = "moc.recover.action"
    who = draft.who(do.character)
    if do.split:
        raise Refused(rule, "recovery-no-split", character=do.character)
    if who.dazed:
        raise Refused("moc.combat.dazed", "next-action-lost", character=do.character)
    if who.recovering:
        raise Refused(rule, "already-recovering", character=do.character)
    turns.recover(draft, do.character)


def complete(draft: Draft, do: inputs.CompleteRecovery) -> None:
    """`moc.recover.action`: when the character's next action comes."""
    rule, id = "moc.recover.action", do.character
    if not draft.who(id).recovering:
        raise Refused(rule, "not-recovering", character=id)
    if not turns.is_over(draft, id):
        raise Refused(rule, "turn-not-over", character=id)
    turns.rest(draft, id, do.primary)


def lose_action(draft: Draft, do: inputs.LoseAction) -> None:
    """`moc.combat.dazed`: the next action is lost; then it ends."""
    if not draft.who(do.character).dazed:
        raise Refused("moc.combat.dazed", "not-dazed", character=do.character)
    turns.spend(draft, do.character, turns.FULL)
    draft.about(do.character, facts_of_bodies.DazeEnded("an action lost"))
    draft.by("moc.combat.dazed", "ended", character=do.character)


def heal(draft: Draft, do: inputs.Heal) -> Asking[None]:
    """`moc.recover.damage`: an L roll when the healing period is over, beyond the days that earlier tries used up."""
    rule, id = "moc.recover.damage", do.character
    who = draft.who(id)
    days = terms.whole(do.days, "time-not-positive", rule, 1)
    if who.damage < 1:
        raise Refused(rule, "no-damage-to-heal", character=id)
    period = draft.campaign().healing.get(str(who.damage), 0)
    rested = max(0, days - who.healing_days)
    if rested < period:
        raise Refused(rule, "healing-period-not-over", character=id, days=rested, period=period)
    count = max(0, draft.active(id, "spirit") + draft.own_dice(id, "healing")) + floating(draft, id, do.floating)
    if do.token is not None:
        count += tokens.spend_token(draft, id, "L", tokens.token_pool("L", do.token))
    there = count if do.faces is None else len(do.faces) + len(do.bonus)
    lay(draft, do.cards, Pool("healing", id, (there,)))
    base, bonus = yield from draft.pool(id, count, do.faces, do.bonus, "healing")
    if do.ask_cards and do.faces is None:
        yield from lay_after(draft, Pool("healing", id, (len(base) + len(bonus),)))
    tn = max(draft.dials.tn_floor, STANDARD_TN + draft.own_shift(id, "healing"))
    rolled = Healing(str(draft.table.number), who.damage, period, tn, base, bonus, draft.who(id).laid)
    _come_out(draft, id, rolled)
    draft.by(rule, healed(rolled), damage=who.damage, dice=count)


def _come_out(draft: Draft, id: str, rolled: Healing) -> None:
    found, dice = healed(rolled), (rolled.tn, rolled.faces, rolled.bonus)
    if found:
        draft.about(id, facts_of_dice.DamageHealed(found, rolled.id, rolled.period, *dice))
    else:
        draft.about(id, facts_of_dice.HealingFailed(rolled.period, rolled.id, *dice))


def unsettled(draft: Draft, id: str) -> Healing:
    """The last try to heal, as long as nothing else befell the body since. Refuses `settled`."""
    who = draft.who(id)
    found = who.healing
    if found is None or who.damage != max(0, found.damage - found.healed):
        raise Refused("moc.recover.damage", "settled", character=id)
    return found


def reconsider(draft: Draft, id: str) -> None:
    """`moc.trump.effect`: where the try to heal comes out otherwise now, it is told anew."""
    rolled = unsettled(draft, id)
    if bool(healed(rolled)) != rolled.healed:
        _come_out(draft, id, rolled)
        draft.by("moc.recover.damage", healed(rolled), damage=rolled.damage, dice=len(rolled.faces))
