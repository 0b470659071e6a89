"""What can be declared in an open attack: defend, buy, resolve, choose what it does."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.intensity import accounts
from ledger.rules.intensity.attacks import counting, size_in_defence
from ledger.rules.intensity.draft import Draft
from ledger.rules.intensity.impact import allowed, rating_of, trait_used
from ledger.rules.intensity.inputs_of_attacks import ChooseImpact, DefenceDie, Defend, Resolve, SpendAdvantage, Waive
from ledger.rules.intensity.inputs_of_fatals import Fate
from ledger.rules.intensity.moves_of_fatals import taxable, what_it_does
from ledger.rules.intensity.state import OpenAttack, Participant, Round
from ledger.rules.intensity.tables import PRICES
from ledger.rules.intensity.terms import DieName, Effect
from ledger.rules.kernel.moves import Among, Between, Domain, Either, Move, Shape, Some
from ledger.rules.kernel.refusals import Refused

LEFT_OUT = Among((None,))


def in_the_attack(draft: Draft, round: Round) -> Iterator[Move]:
    attack = round.attack
    if attack is None or not {attack.attacker, attack.defender} <= set(round.participants):
        return
    yield from _spend(draft, round, attack)
    if attack.success is not None:
        yield from _outcome(draft, round, attack)
        return
    yield from _defend(draft, round, attack)
    if attack.answered:
        yield Move(Resolve, awaits="intensity.action.success", of=attack.attacker)


# --- defence ------------------------------------------------------------------------------------------------------


def _sizes(draft: Draft, attack: OpenAttack, defender: Participant) -> dict[DieName, int]:
    """intensity.impact.immediate: the dice that can be rolled, with their sizes."""
    sizes: dict[DieName, int] = {}
    for name in defender.dice:
        try:
            sizes[name] = size_in_defence(draft, attack.defender, defender, name)
        except Refused:
            continue
    return sizes


def _face(size: int) -> Domain:
    """Typed in, or asked for."""
    return Either((LEFT_OUT, Between(1, size)))


def _defend(draft: Draft, round: Round, attack: OpenAttack) -> Iterator[Move]:
    """intensity.defence.pick-up, intensity.defence.commit: once; some tables let a second die be picked up later."""
    defender = round.participants[attack.defender]
    again = draft.dials.defence_second_pick == "after_seeing" and not attack.let_stand
    sizes = _sizes(draft, attack, defender)
    dice = [
        Shape(DefenceDie, {"die": Among((name,)), "face": _face(size)})
        for name, size in sizes.items()
        if defender.dice[name].against != attack.id
    ]
    if attack.answered and not (again and dice):
        return
    chosen: Domain = Some(Either(tuple(dice)), int(attack.answered), key="die") if dice else Among(((),))
    awaits = None if attack.answered else "intensity.defence.pick-up"
    yield Move(Defend, {"dice": chosen}, awaits, attack.defender)


# --- advantage ----------------------------------------------------------------------------------------------------


def _spend(draft: Draft, round: Round, attack: OpenAttack) -> Iterator[Move]:
    """intensity.ap.spend: by the side whose effect it is, while it is time, with points held against the other."""
    for effect, price in PRICES.items():
        for holder in (attack.attacker, attack.defender):
            against = attack.defender if holder == attack.attacker else attack.attacker
            enough = draft.balance(accounts.ap(holder, against)) >= price
            if enough and _can_buy(draft, attack, effect, holder):
                fields: dict[str, Domain] = {"holder": Among((holder,)), "effect": Among((effect,))}
                if effect == "reroll":
                    yield from (Move(SpendAdvantage, {**fields, **die}) for die in _rerolled(draft, round, attack))
                elif effect != "defence4" or _can_add(draft, round, attack):
                    yield Move(SpendAdvantage, fields)


def _can_buy(draft: Draft, attack: OpenAttack, effect: Effect, holder: str) -> bool:
    attackers = effect in ("maximum", "attack4")
    forced = effect == "reroll" and draft.dials.ap_force_reroll
    if not forced and holder != (attack.attacker if attackers else attack.defender):
        return False
    if attack.success is not None and not (attackers and draft.dials.ap_rating_deadline == "outcome"):
        return False
    return effect not in attack.bought or (effect != "maximum" and draft.dials.ap_repeat_effect)


def _can_add(draft: Draft, round: Round, attack: OpenAttack) -> bool:
    """intensity.ap.defence4: after the defence was chosen; at most tables to a die that counts."""
    counted = counting(draft, attack, round.participants[attack.defender])
    return attack.answered and bool(counted or not draft.dials.ap_defence_bonus_needs_roll)


def _rerolled(draft: Draft, round: Round, attack: OpenAttack) -> Iterator[dict[str, Domain]]:
    """intensity.ap.reroll: a die that counts; it need not be said which where there is but one."""
    defender = round.participants[attack.defender]
    counted = counting(draft, attack, defender)
    for name, size in _sizes(draft, attack, defender).items():
        if attack.answered and name in counted:
            yield {"die": Among((None, name) if len(counted) == 1 else (name,)), "face": _face(size)}


# --- outcome ------------------------------------------------------------------------------------------------------


def _outcome(draft: Draft, round: Round, attack: OpenAttack) -> Iterator[Move]:
    """intensity.impact.ladder: an impact up to the rating, or none."""
    rule = "intensity.impact.ladder"
    used = trait_used(round, attack.defender)
    for impact in allowed(rating_of(round, attack), used):
        fields: dict[str, Domain] = {"impact": Among((impact,))}
        if impact == "tax":
            fields["trait"] = Among(taxable(draft, attack.defender, used))
        elif impact == "damage":
            fields["trait"] = Among((None, used))
        elif impact == "fatal":
            at_once = (Shape(Fate, said) for said in what_it_does(draft, attack.defender, used))
            fields["at_once"] = Either((LEFT_OUT, *at_once))
        if fields.get("trait") != Among(()):
            yield Move(ChooseImpact, fields, rule, attack.attacker)
    yield Move(Waive, awaits=rule, of=attack.attacker)
