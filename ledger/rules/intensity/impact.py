"""Impact: whether an attack succeeds, its rating, and the impact that the attacker chooses, or forgoes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ledger.rules.intensity.attacks import ATTACK, NO_DEFENCE_YET, REROLL_IN_DEFENCE, attacker_of, counting
from ledger.rules.intensity.bargains import FICTION
from ledger.rules.intensity.characters import (
    inflict,
    trait_hit,
    traits_to_hit,
)
from ledger.rules.intensity.draft import (
    WRONG_STAGE,
    Draft,
    Place,
    from_bank,
    held_fatals,
    the_attack,
    the_round,
    the_scene,
)
from ledger.rules.intensity.fatals import ACHIEVE, NO_SUCH_FATAL, FatalHeld, use_at_once
from ledger.rules.intensity.fates import (
    BEFALLEN,
    Fate,
    ways_to_use,
)
from ledger.rules.intensity.order import standing
from ledger.rules.intensity.state import (
    BONUS,
    IMPACTS,
    INTENSITY,
    RATINGS,
    AttackId,
    Fatal,
    Impact,
    OpenAttack,
    Round,
    SaidImpact,
    TraitName,
    in_its_attack,
    is_impact,
    price,
    quote,
)
from ledger.rules.kernel import rolls
from ledger.rules.kernel.chapters import Refusal, changes, decides, declares, fact, offers, reports, require, rule
from ledger.rules.kernel.declarations import either
from ledger.rules.kernel.domains import Story
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.moves import Among, Domain, Either, Move, Shape
from ledger.rules.kernel.phrases import Names
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen

# --- the rating ------------------------------------------------------------------------------------------------------


def say_rating(given: Mapping[str, Any]) -> str:
    """Return the template for a rating. It mentions bought points only if there are some."""
    bought = ", {attack4} bought" if given.get("attack4") else ""
    return f"The impact rating is {{out}}: {{counted}} on the die{bought} and {{maximum}} for the defender's intensity."


#: What can be inflicted at which rating.
_LADDER = ", ".join(f"{impact} {f'from {least}' if least else 'at any rating'}" for impact, least in RATINGS.items())
MAX_FOR_RATING = rule(
    "intensity.level.max-for-rating",
    "In ratings, the defender's intensity counts as the size of the intensity die, whatever was rolled on it.",
    "Impact",
    step="{defender}'s intensity maximum is {out}.",
)
RATING = rule(
    "intensity.impact.rating",
    "The rating of a successful attack is the attacker's counted die plus the defender's intensity maximum,"
    f" plus {BONUS} for every {price('attack4')} spent on the attack.",
    "Impact",
    step=say_rating,
)
LADDER = rule(
    "intensity.impact.ladder",
    f"The attacker chooses exactly one impact that the rating allows: {_LADDER}."
    " Not in the source: the attacker may choose none.",
    "Impact",
)


def rating_of(round: Round, attack: OpenAttack) -> int:
    """Counted die, 4 for each `attack4`, the defender's intensity maximum."""
    return counted_die(round, attack) + BONUS * attack.bought.count("attack4") + maximum(round, attack.defender)


def counted_die(round: Round, attack: OpenAttack) -> int:
    """The highest standing face; with `maximum` the size of that die (of several tied for highest, the larger)."""
    dice = standing(round.participants[attack.attacker])
    if not dice:
        return 0
    highest = max(dice, key=lambda die: (die.face, die.size))
    return highest.size if "maximum" in attack.bought else highest.face


def maximum(round: Round, char: str) -> int:
    """The size of the intensity die, whatever it shows and wherever it lies."""
    defender = round.participants[char]
    if "intensity" in defender.dice:
        return defender.dice["intensity"].size
    return INTENSITY[defender.level] if defender.level is not None else 0


def trait_used(round: Round, char: str) -> str | None:
    """The trait a participant rolled this round, whether or not its die was picked up."""
    participant = round.participants[char]
    return participant.trait if "trait" in participant.dice else None


def allowed(rating: int, used: str | None) -> list[Impact]:
    """Every impact up to the rating; damage only on a trait that was used."""
    return [impact for impact, least in RATINGS.items() if rating >= least and (impact != "damage" or used is not None)]


def explain_rating(draft: Draft, round: Round, attack: OpenAttack, rating: int) -> None:
    highest = maximum(round, attack.defender)
    draft.by(MAX_FOR_RATING, highest, defender=attack.defender)
    bonus = BONUS * attack.bought.count("attack4")
    draft.by(RATING, rating, counted=counted_die(round, attack), attack4=bonus, maximum=highest)
    draft.by(LADDER, allowed(rating, trait_used(round, attack.defender)), rating=rating)


# --- success or failure ----------------------------------------------------------------------------------------------

SUCCESS = rule(
    "intensity.action.success",
    "An attack succeeds if its value is higher than the defence value. If they are equal, it fails.",
    "Actions",
    step="The attack value is {attack} and the defence value is {defence}.",
)


def say_resolved(fact: AttackResolved, names: Names) -> str:
    against = f"{fact.attack_value} against {fact.defence_value}"
    result = f"succeeds, {against}, with an impact rating of {fact.rating}" if fact.success else f"fails, {against}"
    return quote(f"The attack {result}", fact.text)


@fact("attack-resolved", says=say_resolved, headline=4, kw_only=True)
class AttackResolved:
    """A failed attack has no rating, and is closed."""

    attack: AttackId
    attack_value: int
    defence_value: int
    success: bool
    rating: int | None
    text: Story = ""


@reports
def show_result(fact: AttackResolved) -> Iterator[rolls.Roll]:
    yield rolls.Roll(
        name="Attack",
        total=fact.attack_value,
        target=fact.defence_value,
        success=fact.success,
        word="Success" if fact.success else "Failure",
        effect=f"Impact rating {fact.rating}" if fact.rating is not None else "",
    )


@changes
@in_its_attack
def resolve_attack(round: Round, attack: OpenAttack, fact: AttackResolved) -> Round:
    return changed(round, attack=changed(attack, success=True) if fact.success else None)


def say_resolves(do: Resolve, names: Names) -> str:
    return quote("No more points are spent: the attack is resolved", do.text)


@declares("resolve", either(attacker_of, "the player of the attacker"), says=say_resolves, records=(AttackResolved,))
class Resolve:
    """Resolve the attack when nobody wants to spend more. `text`: what happens, also if it fails."""

    text: Story = ""


def may_resolve(attack: OpenAttack) -> Refused | None:
    if attack.success is not None:
        return WRONG_STAGE.under(SUCCESS, attack=attack.id)
    return None if attack.answered else NO_DEFENCE_YET.under(SUCCESS, attack=attack.id, defender=attack.defender)


@decides
def resolve(draft: Draft, do: Resolve) -> None:
    """Attack against defence: success only when the attack is greater."""
    place = the_scene(draft, SUCCESS)
    round = the_round(place, SUCCESS)
    attack = the_attack(round, SUCCESS)
    require(may_resolve(attack))
    faces = [die.face for die in standing(round.participants[attack.attacker])]
    attack_value = max(faces, default=0) + BONUS * attack.bought.count("attack4")
    draft.by(ATTACK, attack_value, standing=faces, attack4=attack.bought.count("attack4"))
    counted = [die.defence for die in counting(draft, attack, round.participants[attack.defender]).values()]
    best = max((face for face in counted if face is not None), default=0)
    defence_value = best + BONUS * attack.bought.count("defence4")
    draft.by(REROLL_IN_DEFENCE, defence_value, counting=counted, defence4=attack.bought.count("defence4"))
    success = attack_value > defence_value
    draft.by(SUCCESS, success, attack=attack_value, defence=defence_value)
    rating = rating_of(round, attack) if success else None
    draft.tell(
        place.subject,
        AttackResolved(
            attack=attack.id,
            attack_value=attack_value,
            defence_value=defence_value,
            success=success,
            rating=rating,
            text=do.text,
        ),
    )
    if rating is not None:
        explain_rating(draft, round, attack, rating)


@offers
def offer_to_resolve(seen: Seen, draft: Draft) -> Iterator[Move]:
    attack = draft.open_attack
    if attack is not None and may_resolve(attack) is None:
        yield Move(Resolve, awaits=SUCCESS, of=attack.attacker)


# --- the impact ------------------------------------------------------------------------------------------------------

ABOVE_RATING = Refusal(LADDER, "above-rating", "A rating of {rating} is too low for {impact}. It allows {allowed}.")
UNKNOWN_IMPACT = Refusal(
    LADDER, "unknown-impact", "{impact} is not an impact. Choose tax, advantage, damage, wound or fatal."
)
NO_TRAIT_HERE = Refusal(LADDER, "no-trait-here", "Only a tax or damage names a trait. Leave it out.")


def say_chosen(fact: ImpactChosen, names: Names) -> str:
    return quote(f"The result of the attack is {IMPACTS[fact.impact]}", fact.text)


@fact("impact-chosen", says=say_chosen)
class ImpactChosen:
    """The attack is closed with this impact. The next fact says what it does."""

    attack: AttackId
    impact: Impact
    text: Story


def say_waived(word: Waive | ImpactWaived, names: Names) -> str:
    return quote("The attacker chooses no impact", word.text)


@fact("impact-waived", says=say_waived)
class ImpactWaived:
    attack: AttackId
    text: Story


@changes
@in_its_attack
def close_attack(round: Round, attack: OpenAttack, fact: ImpactChosen | ImpactWaived) -> Round:
    return changed(round, attack=None)


def say_chooses(do: ChooseImpact, names: Names) -> str:
    on = f" on {do.trait}" if do.trait else ""
    once = ", used at once" if do.at_once else ""
    return quote(f"The attacker chooses {IMPACTS.get(do.impact, 'an impact')}{on}{once}", do.text)


@declares(
    "choose-impact",
    either(attacker_of, "the player of the attacker"),
    says=say_chooses,
    records=(ImpactChosen, FatalHeld, *BEFALLEN),
)
class ChooseImpact:
    """Choose an impact after a success. `trait`: required for a tax, optional for damage.

    `at_once`: use a fatal impact now.
    """

    impact: SaidImpact
    trait: TraitName | None = None
    text: Story = ""
    at_once: Fate | None = None


def may_choose_outcome(attack: OpenAttack) -> Refused | None:
    return WRONG_STAGE.under(LADDER, attack=attack.id) if attack.success is None else None


def may_choose(round: Round, attack: OpenAttack, impact: Impact) -> Refused | None:
    rating, used = rating_of(round, attack), trait_used(round, attack.defender)
    possible = allowed(rating, used)
    return ABOVE_RATING(impact=impact, rating=rating, allowed=possible) if impact not in possible else None


@decides
def choose_impact(draft: Draft, do: ChooseImpact) -> None:
    """The attacker chooses one impact up to the rating. A fatal can be used at once."""
    impact = do.impact
    if not is_impact(impact):
        raise UNKNOWN_IMPACT(impact=do.impact)
    if do.trait is not None and impact not in ("tax", "damage"):
        raise NO_TRAIT_HERE(impact=impact)
    if do.at_once is not None and impact != "fatal":
        raise NO_SUCH_FATAL.under(ACHIEVE, impact=impact)
    place = the_scene(draft, LADDER)
    round = the_round(place, LADDER)
    attack = the_attack(round, LADDER)
    require(may_choose_outcome(attack))
    require(may_choose(round, attack, impact))
    rating, used = rating_of(round, attack), trait_used(round, attack.defender)
    trait = trait_hit(draft, impact, attack.defender, do.trait, used)
    draft.by(LADDER, impact, rating=rating, allowed=allowed(rating, used))
    draft.tell(place.subject, ImpactChosen(attack.id, impact, do.text))
    if do.text.strip():
        draft.by(FICTION, do.text)
    if impact != "fatal":
        inflict(draft, impact, attack.attacker, attack.defender, trait, f"attack:{attack.id}")
        return
    id, held = _achieve(draft, place, attack, used)
    if do.at_once is not None:
        use_at_once(draft, place, id, held, do.at_once)


def _achieve(draft: Draft, place: Place, attack: OpenAttack, used: str | None) -> tuple[str, Fatal]:
    """A token with a holder and a subject."""
    id = draft.table.new_id()
    held = FatalHeld(fatal=id, holder=attack.attacker, subject=attack.defender, trait_used=used, attack=attack.id)
    draft.tell(place.subject, held, from_bank(held_fatals(place.subject, attack.attacker), "fatal", 1))
    draft.by(ACHIEVE, id, holder=attack.attacker, subject=attack.defender)
    return id, Fatal(held.holder, held.subject, held.trait_used, held.attack)


@declares("waive", either(attacker_of, "the player of the attacker"), says=say_waived, records=(ImpactWaived,))
class Waive:
    """Choose no impact."""

    text: Story = ""


@decides
def waive(draft: Draft, do: Waive) -> None:
    place = the_scene(draft, LADDER)
    attack = the_attack(the_round(place, LADDER), LADDER)
    require(may_choose_outcome(attack))
    draft.tell(place.subject, ImpactWaived(attack.id, do.text))
    draft.by(LADDER, "waived", attack=attack.id)


@offers
def offer_impacts(seen: Seen, draft: Draft) -> Iterator[Move]:
    round, attack = draft.open_round, draft.open_attack
    if round is None or attack is None or may_choose_outcome(attack):
        return
    used = trait_used(round, attack.defender)
    for impact in RATINGS:
        if may_choose(round, attack, impact) is None:
            for fields in _details(draft, attack, impact, used):
                yield Move(ChooseImpact, {"impact": Among((impact,)), **fields}, LADDER, attack.attacker)
    yield Move(Waive, awaits=LADDER, of=attack.attacker)


def _details(draft: Draft, attack: OpenAttack, impact: Impact, used: str | None) -> Iterator[dict[str, Domain]]:
    """The trait that is hit, or what a fatal does at once."""
    if impact in ("tax", "damage"):
        if traits := traits_to_hit(draft, impact, attack.defender, used):
            yield {"trait": Among(traits)}
    elif impact == "fatal":
        at_once = (Shape(Fate, way) for way in ways_to_use(draft, attack.defender, used))
        yield {"at_once": Either((Among((None,)), *at_once))}
    else:
        yield {}
