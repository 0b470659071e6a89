"""Special Effects: advantage points, and the effects that they buy in an attack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from ledger.rules.intensity import defence
from ledger.rules.intensity.draft import (
    WRONG_STAGE,
    CurrentScene,
    DieQuestions,
    Draft,
    ask_face,
    check_face,
    make_posting_from_bank,
    name_points_account,
    require_attack,
    require_scene_and_round,
)
from ledger.rules.intensity.impact import compute_rating, explain_rating
from ledger.rules.intensity.state import (
    BONUS,
    PRICES,
    AttackId,
    Cause,
    Character,
    DieName,
    Effect,
    Face,
    InWords,
    OpenAttack,
    Round,
    SaidDie,
    SaidEffect,
    for_open_attack,
    is_die,
    is_effect,
    quote,
    word_name,
    word_price,
)
from ledger.rules.kernel.kit import (
    Among,
    Asking,
    CharacterId,
    Domain,
    Move,
    Names,
    Question,
    RecordedFacts,
    Refusal,
    Refused,
    Says,
    Seen,
    Thrown,
    changed,
    changes,
    decides,
    declares,
    either,
    fact,
    offers,
    once_created,
    reports,
    require,
    rolls,
    rule,
    throws,
)

# --- gaining advantage points ----------------------------------------------------------------------------------------

ADVANTAGE = rule(
    "intensity.ap.pair",
    "Each advantage point counts against one other character only. It lasts until it is spent.",
    "Special Effects",
    step="{holder} gains {out:advantage point|advantage points} against {against}.",
)


@fact(
    "advantage-gained",
    says="{holder} gains {amount:advantage point|advantage points} against {against}.",
    headline=10,
)
class AdvantageGained:
    """Subject: the holder, who gained advantage points. `cause`: `attack:<id>`, `fatal:<id>` or `healing:<ruling>`."""

    holder: CharacterId
    against: CharacterId
    amount: int
    cause: Cause


@changes
@once_created
def keep_character(state: Character, fact: AdvantageGained) -> Character:
    """Leave the character as it is. Only advantage points move."""
    return state


def gain_points(draft: Draft, holder: str, against: str, amount: int, cause: str) -> None:
    """Give the holder advantage points, which count only against this opponent."""
    posting = make_posting_from_bank(name_points_account(holder, against), "ap", amount)
    draft.about(holder, AdvantageGained(holder, against, amount, cause), posting)
    draft.by(ADVANTAGE, amount, holder=holder, against=against)


# --- spending advantage points ---------------------------------------------------------------------------------------

SPEND = rule(
    "intensity.ap.spend",
    "Advantage points that one character has against another can be spent only in an attack between these two."
    " Both sides may spend, in any order and more than once, until neither wants to spend more.",
    "Special Effects",
)
REROLL = rule(
    "intensity.ap.reroll",
    f"The defender can spend {word_price('reroll')} to roll one defence die again. The new number counts, whether"
    " it is better or worse.",
    "Special Effects",
)
DEFENCE_BONUS = rule(
    "intensity.ap.defence4",
    f"After the defence roll, the defender can spend {word_price('defence4')} to add {BONUS} to the defence value.",
    "Special Effects",
)
MAXIMUM = rule(
    "intensity.ap.maximum",
    f"The attacker can spend {word_price('maximum')} to count the highest-rolled standing die at its maximum, for"
    " the impact rating only.",
    "Special Effects",
)
REPEAT = rule(
    "intensity.ap.repeat",
    "Not in the source: in one attack, the attacker can count the highest-rolled standing die at its maximum"
    " only once. The other effects can be bought several times in one attack. A table may decide that each effect"
    " can be bought only once in an attack.",
)
UNKNOWN_EFFECT = Refusal(
    SPEND, "unknown-effect", "{effect} cannot be bought. Choose “reroll”, “maximum”, “defence4” or “attack4”."
)
NO_DIE_HERE = Refusal(SPEND, "no-die-here", "Only a reroll names a die. Leave out the die and its face.")
WRONG_SIDE = Refusal(
    SPEND,
    "wrong-side",
    "{holder} cannot buy this effect in this attack. The attacker can raise the attack or count a die at its"
    " maximum. The defender can roll a die again or raise the defence.",
)
AP_SHORT = Refusal(
    SPEND,
    "ap-short",
    "{holder} has {balance:advantage point|advantage points} against {against}; this costs {price}.",
)
EFFECT_USED = Refusal(
    REPEAT, "effect-used", "This effect has already been bought in this attack. It can be bought only once."
)
NO_DEFENCE_DIE = Refusal(REROLL, "no-defence-die", "{defender} has no die that counts in defence against this attack.")
REROLL_INTENSITY = Question("reroll:intensity", "{who} rolls the intensity die again: a D{sides}.")
REROLL_TRAIT = Question("reroll:trait", "{who} rolls the trait die again: a D{sides}.")
REROLL_QUESTIONS: DieQuestions = {"intensity": REROLL_INTENSITY, "trait": REROLL_TRAIT}
#: Labels for units and for values in derivations.
LABELS = {
    "ap": "Advantage points",
    "attack4": "Bought for the attack",
    "defence4": "Bought for the defence",
}
EFFECTS = {
    "reroll": "a reroll of a defence die",
    "maximum": "counting the highest die at its maximum",
    "defence4": "a bonus of 4 to the defence",
    "attack4": "a bonus of 4 to the attack",
}


#: Each effect as it is offered, with its price.
TITLES: Mapping[Effect, str] = {
    "reroll": "Roll a defence die again",
    "maximum": "Count the highest die at its maximum for the rating",
    "defence4": f"Add {BONUS} to the defence",
    "attack4": f"Add {BONUS} to the attack and the rating",
}
OFFERED = {effect: Among((effect,), (f"{title}: {word_price(effect)}",)) for effect, title in TITLES.items()}


def say_spent(fact: AdvantageSpent, names: Names) -> str:
    rating_words = f", for an impact rating of {fact.rating}" if fact.rating is not None else ""
    holder_name, opponent_name = word_name(names, fact.holder), word_name(names, fact.against)
    price_words = word_price(fact.effect)
    return f"{holder_name} spends {price_words} against {opponent_name} on {EFFECTS[fact.effect]}{rating_words}."


@fact("advantage-spent", says=say_spent, kw_only=True)
class AdvantageSpent:
    """Advantage points were spent. `rating`: the new impact rating, after a success."""

    holder: CharacterId
    against: CharacterId
    amount: int
    effect: Effect
    attack: AttackId
    rating: int | None


@changes
@for_open_attack
def note_effect(round: Round, attack: OpenAttack, fact: AdvantageSpent) -> Round:
    return changed(round, attack=changed(attack, bought=(*attack.bought, fact.effect)))


@fact("defence-die-rerolled", says="The {die} die is rolled again: {new} instead of {old}.")
class DefenceDieRerolled:
    """A defence die was rolled again. `old`, `new`: the numbers."""

    attack: AttackId
    die: DieName
    old: int
    new: int


@reports
def show_reroll(fact: DefenceDieRerolled) -> Iterator[rolls.Roll]:
    yield rolls.Roll(name="Rolled again", dice=(rolls.Die(None, fact.new),))


@changes
@for_open_attack
def reroll_die(round: Round, attack: OpenAttack, fact: DefenceDieRerolled) -> Round | None:
    return defence.with_defence(round, attack, {fact.die: fact.new})


def say_spends(do: SpendAdvantage, names: Names) -> str:
    price_words = word_price(do.effect) if is_effect(do.effect) else "advantage points"
    return quote(
        f"{word_name(names, do.holder)} spends {price_words} on {EFFECTS.get(do.effect, 'an effect')}", do.text
    )


@declares("spend-advantage", either("holder"), says=say_spends, records=(AdvantageSpent, DefenceDieRerolled))
class SpendAdvantage:
    """Buy an effect in the open attack: `reroll` (1 point), `maximum` (2), `defence4` (3) or `attack4` (4).

    `die`: for a reroll, the die to roll again. `face`: the number that the die shows, if you rolled it yourself.
    `text`: how the advantage shows in the story.
    """

    holder: Annotated[CharacterId, Says("Who spends the points")]
    effect: SaidEffect
    die: Annotated[SaidDie | None, Says("Die to roll again")] = None
    face: Annotated[Face | None, Says("Number rolled")] = None
    text: InWords = ""


def may_spend(
    draft: Draft, round: Round, attack: OpenAttack, holder: str, effect: Effect, die: str | None
) -> Refused | None:
    """Refuse an effect that this side cannot buy, that cannot be bought now, whose die is missing, or for which the
    holder has too few points against the other side.
    """
    if refused := (
        _may_buy_for(draft, attack, holder, effect)
        or _may_buy_now(draft, attack, effect)
        or _may_repeat(draft, attack, effect)
        or _may_use_defence(draft, round, attack, effect, die)
    ):
        return refused
    rerolled_die = find_rerolled_die(draft, round, attack, effect, die)
    defender = round.participants[attack.defender]
    if rerolled_die is not None and (refused := defence.may_roll_in_defence(draft, attack, defender, rerolled_die)):
        return refused
    against = find_opponent(attack, holder)
    cost, balance = PRICES[effect], draft.balance(name_points_account(holder, against))
    if balance < cost:
        return AP_SHORT(holder=holder, against=against, balance=balance, price=cost)
    return None


def find_opponent(attack: OpenAttack, holder: str) -> str:
    return attack.defender if holder == attack.attacker else attack.attacker


def _may_buy_for(draft: Draft, attack: OpenAttack, holder: str, effect: Effect) -> Refused | None:
    """Refuse an effect that belongs to the other side. `maximum` and `attack4` are the attacker's; the others are the
    defender's.
    """
    buyers = {attack.attacker} if effect in ("maximum", "attack4") else {attack.defender}
    if effect == "reroll" and draft.dials.ap_force_reroll:
        buyers = {attack.attacker, attack.defender}
    return WRONG_SIDE(holder=holder, effect=effect) if holder not in buyers else None


def _may_buy_now(draft: Draft, attack: OpenAttack, effect: Effect) -> Refused | None:
    """Refuse a purchase after the attack is resolved, unless an option still lets the attacker raise the rating."""
    raises_rating_late = effect in ("maximum", "attack4") and draft.dials.ap_rating_deadline == "outcome"
    return WRONG_STAGE.under(SPEND, effect=effect) if attack.success is not None and not raises_rating_late else None


def _may_repeat(draft: Draft, attack: OpenAttack, effect: Effect) -> Refused | None:
    """Refuse a second `maximum`, and a second purchase of any other effect if the table does not allow it."""
    is_limited_to_once = effect == "maximum" or not draft.dials.ap_repeat_effect
    return EFFECT_USED(effect=effect) if effect in attack.bought and is_limited_to_once else None


def _may_use_defence(draft: Draft, round: Round, attack: OpenAttack, effect: Effect, die: str | None) -> Refused | None:
    """Refuse an effect for the defence if the defence or the die that it needs is missing."""
    if effect in ("maximum", "attack4"):
        return None
    defender = round.participants[attack.defender]
    counting_dice = defence.select_counting_dice(draft.dials, attack, defender)
    if effect == "defence4":
        if not attack.answered:
            return defence.NO_DEFENCE_YET.under(DEFENCE_BONUS, attack=attack.id, defender=attack.defender)
        if not counting_dice and draft.dials.ap_defence_bonus_needs_roll:
            return NO_DEFENCE_DIE.under(DEFENCE_BONUS, attack=attack.id, defender=attack.defender)
        return None
    if not attack.answered or not counting_dice:  # a kept die counts once the defence is chosen
        return NO_DEFENCE_DIE(attack=attack.id, defender=attack.defender)
    if die is None and len(counting_dice) == 1:
        return None
    if die is None or not is_die(die) or die not in defender.dice:
        return defence.NO_SUCH_DIE.under(REROLL, die=die, defender=attack.defender)
    return NO_DEFENCE_DIE(die=die, defender=attack.defender) if die not in counting_dice else None


def find_rerolled_die(
    draft: Draft, round: Round, attack: OpenAttack, effect: Effect, die: str | None
) -> DieName | None:
    """Return the die that a reroll is for: the die named, or else the only die that counts."""
    if effect != "reroll":
        return None
    counting_dice = defence.select_counting_dice(draft.dials, attack, round.participants[attack.defender])
    return next(name for name in counting_dice if die in (None, name))


@decides
def spend(draft: Draft, do: SpendAdvantage) -> Asking[None]:
    """Buy an effect for one side of the open attack, with points that it has against the other side."""
    draft.check_character(do.holder)
    effect = do.effect
    if not is_effect(effect):
        raise UNKNOWN_EFFECT(effect=do.effect)
    if effect != "reroll" and (do.die is not None or do.face is not None):
        raise NO_DIE_HERE(effect=effect)
    open_scene, round = require_scene_and_round(draft, SPEND)
    attack = require_attack(round, SPEND)
    require(may_spend(draft, round, attack, do.holder, effect, do.die))
    die = find_rerolled_die(draft, round, attack, effect, do.die)
    size = (
        defence.find_size_in_defence(draft, attack, round.participants[attack.defender], die) if die is not None else 0
    )
    typed_face = check_face(do.face, size, REROLL) if die is not None and do.face is not None else None
    purchase = AdvantageSpent(
        holder=do.holder,
        against=find_opponent(attack, do.holder),
        amount=PRICES[effect],
        effect=effect,
        attack=attack.id,
        rating=None,
    )
    attack_after = _buy(draft, open_scene, round, attack, purchase)
    if attack_after is not None:
        explain_rating(draft, round, attack_after, compute_rating(round, attack_after))
    if die is not None:
        yield from _reroll(draft, open_scene, round, attack, die, size, typed_face)


def _buy(
    draft: Draft, open_scene: CurrentScene, round: Round, attack: OpenAttack, purchase: AdvantageSpent
) -> OpenAttack | None:
    """Pay for the effect. If the attack has already succeeded, return it with the effect added, because its rating must
    be worked out again. Otherwise return None.
    """
    attack_after: OpenAttack = changed(attack, bought=(*attack.bought, purchase.effect))
    if attack.success is not None:
        purchase = changed(purchase, rating=compute_rating(round, attack_after))
    posting = draft.make_posting_from(name_points_account(purchase.holder, purchase.against), purchase.amount)
    draft.tell(open_scene.subject, purchase, posting)
    draft.by(SPEND, purchase.amount, holder=purchase.holder, effect=purchase.effect)
    if purchase.effect in attack.bought:
        draft.by(REPEAT, attack.bought.count(purchase.effect) + 1, effect=purchase.effect)
    if purchase.effect == "maximum":
        draft.by(MAXIMUM, purchase.amount, holder=purchase.holder)
    elif purchase.effect == "defence4":
        draft.by(DEFENCE_BONUS, BONUS, holder=purchase.holder)
    return attack_after if attack.success is not None else None


def _reroll(
    draft: Draft,
    open_scene: CurrentScene,
    round: Round,
    attack: OpenAttack,
    die: DieName,
    size: int,
    typed_face: int | None,
) -> Asking[None]:
    """Roll one defence die again. The new face counts, whether it is better or worse."""
    old_face = round.participants[attack.defender].dice[die].defence
    purpose = "rerolled for an advantage point"
    new_face = typed_face or (yield from ask_face(attack.defender, die, size, REROLL_QUESTIONS, purpose, REROLL))
    draft.tell(open_scene.subject, DefenceDieRerolled(attack.id, die, old_face or 0, new_face))
    draft.by(REROLL, new_face, die=die, old=old_face)


@offers
def offer_effects(seen: Seen, draft: Draft) -> Iterator[Move]:
    round, attack = draft.open_round, draft.open_attack
    if round is None or attack is None:
        return
    for effect in PRICES:
        for holder in (attack.attacker, attack.defender):
            fields: dict[str, Domain] = {"holder": Among((holder,)), "effect": OFFERED[effect]}
            if effect == "reroll":
                for die in _list_reroll_fields(draft, round, attack, holder):
                    yield Move(SpendAdvantage, {**fields, **die})
            elif may_spend(draft, round, attack, holder, effect, None) is None:
                yield Move(SpendAdvantage, fields)


def _list_reroll_fields(draft: Draft, round: Round, attack: OpenAttack, holder: str) -> Iterator[dict[str, Domain]]:
    """Yield the fields for each die that can be rolled again. If there is only one such die, it need not be named."""
    defender = round.participants[attack.defender]
    for die in defender.dice:
        named_dice = tuple(
            named_die
            for named_die in (None, die)
            if may_spend(draft, round, attack, holder, "reroll", named_die) is None
            and find_rerolled_die(draft, round, attack, "reroll", named_die) == die
        )
        if named_dice:
            size = defence.find_size_in_defence(draft, attack, defender, die)
            yield {"die": Among(named_dice), "face": defence.make_face_domain(size)}


@throws
def list_thrown_again(do: SpendAdvantage, ruling: RecordedFacts) -> Iterator[Thrown]:
    for recorded_fact in (about.fact for about in ruling.facts if do.face is not None):
        if isinstance(recorded_fact, DefenceDieRerolled):
            size = defence.find_size_when_rolled(ruling, recorded_fact.attack, recorded_fact.die)
            yield Thrown(defence.find_recorded_defender(ruling, recorded_fact.attack), size, (recorded_fact.new,))
