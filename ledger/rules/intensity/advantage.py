"""Special effects: spending advantage points in the open attack."""

from __future__ import annotations

from ledger.rules.intensity import accounts
from ledger.rules.intensity.attacks import counting, size_in_defence
from ledger.rules.intensity.draft import Draft
from ledger.rules.intensity.faces import ask_face, check_face
from ledger.rules.intensity.facts_of_attacks import AdvantageSpent, DefenceDieRerolled
from ledger.rules.intensity.guards import Place, the_attack, the_round, the_scene
from ledger.rules.intensity.impact import explain_rating, rating_of
from ledger.rules.intensity.inputs_of_attacks import SpendAdvantage
from ledger.rules.intensity.state import OpenAttack, Round
from ledger.rules.intensity.tables import BONUS, PRICES
from ledger.rules.intensity.terms import DieName, Effect, is_die, is_effect
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused


def spend(draft: Draft, do: SpendAdvantage) -> Asking[None]:
    """A side of the open attack buys an effect with points it has against the other side."""
    rule = "intensity.ap.spend"
    draft.known(do.holder)
    effect = do.effect
    if not is_effect(effect):
        raise Refused(rule, "unknown-effect", effect=do.effect)
    if effect != "reroll" and (do.die is not None or do.face is not None):
        raise Refused(rule, "no-die-here", effect=effect)
    place = the_scene(draft, rule)
    round = the_round(place, rule)
    attack = the_attack(round, rule)
    _check_side(draft, attack, do.holder, effect)
    _check_time(draft, attack, effect)
    _check_repeat(draft, attack, effect)
    die = _check_defence(draft, round, attack, effect, do)
    size = size_in_defence(draft, attack.defender, round.participants[attack.defender], die) if die else 0
    against = attack.defender if do.holder == attack.attacker else attack.attacker
    price, balance = PRICES[effect], draft.balance(accounts.ap(do.holder, against))
    if balance < price:
        raise Refused(rule, "ap-short", holder=do.holder, against=against, balance=balance, price=price)
    typed = check_face(do.face, size, "intensity.ap.reroll") if die is not None and do.face is not None else None
    after = _buy(draft, place, round, attack, AdvantageSpent(do.holder, against, price, effect, attack.id, None))
    if after is not None:
        explain_rating(draft, round, after, rating_of(round, after))
    if die is not None:
        yield from _reroll(draft, place, round, attack, die, size, typed)


def _check_side(draft: Draft, attack: OpenAttack, holder: str, effect: Effect) -> None:
    """`maximum` and `attack4` are the attacker's, `defence4` and `reroll` the defender's. Refuses `wrong-side`."""
    sides = {attack.attacker} if effect in ("maximum", "attack4") else {attack.defender}
    if effect == "reroll" and draft.dials.ap_force_reroll:
        sides = {attack.attacker, attack.defender}
    if holder not in sides:
        raise Refused("intensity.ap.spend", "wrong-side", holder=holder, effect=effect)


def _check_time(draft: Draft, attack: OpenAttack, effect: Effect) -> None:
    """After a success only the attacker may still buy, for the rating. Refuses `wrong-stage`."""
    for_rating = effect in ("maximum", "attack4") and draft.dials.ap_rating_deadline == "outcome"
    if attack.success is not None and not for_rating:
        raise Refused("intensity.ap.spend", "wrong-stage", effect=effect)


def _check_repeat(draft: Draft, attack: OpenAttack, effect: Effect) -> None:
    """intensity.ap.repeat: `maximum` once; the others as the table has it. Refuses `effect-used`."""
    if effect in attack.bought and (effect == "maximum" or not draft.dials.ap_repeat_effect):
        raise Refused("intensity.ap.repeat", "effect-used", effect=effect)


def _check_defence(
    draft: Draft, round: Round, attack: OpenAttack, effect: Effect, do: SpendAdvantage
) -> DieName | None:
    """What the defender's effects need on the table; the die to reroll. Refuses `no-defence-yet`, `no-defence-die`."""
    if effect in ("maximum", "attack4"):
        return None
    defender = round.participants[attack.defender]
    counted = counting(draft, attack, defender)
    if effect == "defence4":
        rule = "intensity.ap.defence4"
        if not attack.answered:
            raise Refused(rule, "no-defence-yet", attack=attack.id, defender=attack.defender)
        if not counted and draft.dials.ap_defence_bonus_needs_roll:
            raise Refused(rule, "no-defence-die", attack=attack.id, defender=attack.defender)
        return None
    rule = "intensity.ap.reroll"
    if not attack.answered or not counted:  # a die kept from an earlier attack counts once the defence is chosen
        raise Refused(rule, "no-defence-die", attack=attack.id, defender=attack.defender)
    if do.die is None and len(counted) == 1:
        return next(iter(counted))
    if do.die is None or not is_die(do.die) or do.die not in defender.dice:
        raise Refused(rule, "no-such-die", die=do.die, defender=attack.defender)
    if do.die not in counted:
        raise Refused(rule, "no-defence-die", die=do.die, defender=attack.defender)
    return do.die


def _buy(draft: Draft, place: Place, round: Round, attack: OpenAttack, spent: AdvantageSpent) -> OpenAttack | None:
    """Pay. After a success the rating is worked out anew: returns the attack it rests on."""
    after: OpenAttack = changed(attack, bought=(*attack.bought, spent.effect))
    if attack.success is not None:
        spent = changed(spent, rating=rating_of(round, after))
    paid = draft.taken(accounts.ap(spent.holder, spent.against), spent.amount)
    draft.tell(place.subject, spent, paid)
    draft.by("intensity.ap.spend", spent.amount, holder=spent.holder, effect=spent.effect)
    if spent.effect in attack.bought:
        draft.by("intensity.ap.repeat", attack.bought.count(spent.effect) + 1, effect=spent.effect)
    if spent.effect == "maximum":
        draft.by("intensity.ap.maximum", spent.amount, holder=spent.holder)
    elif spent.effect == "defence4":
        draft.by("intensity.ap.defence4", BONUS, holder=spent.holder)
    return after if attack.success is not None else None


def _reroll(
    draft: Draft, place: Place, round: Round, attack: OpenAttack, die: DieName, size: int, typed: int | None
) -> Asking[None]:
    """One defence die is rolled again; the new face counts, better or worse."""
    rule = "intensity.ap.reroll"
    old = round.participants[attack.defender].dice[die].defence
    new = typed or (yield from ask_face(attack.defender, die, size, "reroll", "rerolled for an advantage point", rule))
    draft.tell(place.subject, DefenceDieRerolled(attack.id, die, old or 0, new))
    draft.by(rule, new, die=die, old=old)
