"""The chapter Impact: the rating of an attack, the impacts that it allows, and the effect of taxes, damage and wounds
on traits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ledger.rules.intensity.draft import (
    NO_TRAIT_HERE,
    UNKNOWN_TRAIT,
    Draft,
    make_posting_from_bank,
    name_impacts_account,
)
from ledger.rules.intensity.state import (
    BONUS,
    IMPACTS,
    INTENSITY,
    RATINGS,
    STEPS,
    ActiveImpact,
    Base,
    Cause,
    Character,
    Impact,
    ImpactId,
    OpenAttack,
    Round,
    TraitName,
    TraitSize,
    is_base,
    is_impact,
    list_standing_dice,
    word_name,
    word_price,
)
from ledger.rules.kernel.kit import (
    CharacterId,
    Names,
    Refusal,
    Refused,
    changed,
    changes,
    fact,
    once_created,
    require,
    rule,
)

# --- the rating ------------------------------------------------------------------------------------------------------


def say_rating(given: Mapping[str, Any]) -> str:
    """Return the template for a rating, with the bought points only if there are some."""
    bonus = ", {attack4} bought" if given.get("attack4") else ""
    return f"The impact rating is {{out}}: {{counted}} on the die{bonus} and {{maximum}} for the defender's intensity."


#: The impacts, each with the rating that it needs, in words.
_LADDER = ", ".join(
    f"{IMPACTS[impact]} {f'from {least}' if least else 'at any rating'}" for impact, least in RATINGS.items()
)
MAX_FOR_RATING = rule(
    "intensity.level.max-for-rating",
    "For the impact rating, a character's intensity maximum is the number of sides of the character's"
    " intensity die, whatever number it shows.",
    "Impact",
    step="{defender}'s intensity maximum is {out}.",
)
RATING = rule(
    "intensity.impact.rating",
    "The impact rating of a successful attack is the number on the attacker's highest standing die plus the"
    f" defender's intensity maximum. Each time the attacker spends {word_price('attack4')} on the attack, the"
    f" rating rises by {BONUS}.",
    "Impact",
    step=say_rating,
)
LADDER = rule(
    "intensity.impact.ladder",
    f"The attacker chooses one impact that the rating allows: {_LADDER}. Not in the source: the attacker may"
    " choose none.",
    "Impact",
)
FICTION = rule(
    "intensity.negotiate.fiction",
    "An impact does not decide what happens in the story, such as who gets an item that both sides want. Only an"
    " agreement between the players decides that.",
    "Impact",
)
ABOVE_RATING = Refusal(
    LADDER, "above-rating", "With a rating of {rating}, “{impact}” is not possible. Possible impacts: {allowed}."
)
UNKNOWN_IMPACT = Refusal(
    LADDER, "unknown-impact", "{impact} is not an impact. Choose “tax”, “advantage”, “damage”, “wound” or “fatal”."
)


def compute_rating(round: Round, attack: OpenAttack) -> int:
    """Return the rating: the counted number, plus 4 for each `attack4`, plus the size of the
    defender's intensity die.
    """
    return (
        find_counted_number(round, attack)
        + BONUS * attack.bought.count("attack4")
        + find_intensity_size(round, attack.defender)
    )


def find_counted_number(round: Round, attack: OpenAttack) -> int:
    """Return the highest standing face or, with `maximum`, the size of the die that shows it (the largest such die, if
    several do).
    """
    dice = list_standing_dice(round.participants[attack.attacker])
    if not dice:
        return 0
    highest_die = max(dice, key=lambda die: (die.face, die.size))
    return highest_die.size if "maximum" in attack.bought else highest_die.face


def find_intensity_size(round: Round, char: str) -> int:
    """Return the size of the intensity die, whatever it shows and whether or not it was picked up."""
    participant = round.participants[char]
    if "intensity" in participant.dice:
        return participant.dice["intensity"].size
    return INTENSITY[participant.level] if participant.level is not None else 0


def find_used_trait(round: Round, char: str) -> str | None:
    """Return the trait that a participant rolled in this round, whether or not its die was picked up."""
    participant = round.participants[char]
    return participant.trait if "trait" in participant.dice else None


def list_allowed_impacts(rating: int, used_trait: str | None) -> list[Impact]:
    """Return every impact that the rating allows. Damage is possible only on a trait that was used."""
    return [
        impact
        for impact, least_rating in RATINGS.items()
        if rating >= least_rating and (impact != "damage" or used_trait is not None)
    ]


def may_choose_impact(round: Round, attack: OpenAttack, impact: Impact) -> Refused | None:
    rating, used_trait = compute_rating(round, attack), find_used_trait(round, attack.defender)
    possible_impacts = list_allowed_impacts(rating, used_trait)
    return (
        ABOVE_RATING(impact=impact, rating=rating, allowed=possible_impacts) if impact not in possible_impacts else None
    )


def check_impact(word: str, trait: str | None) -> Impact:
    """Return the impact named by this word. Refuses `unknown-impact`, `no-trait-here`."""
    if not is_impact(word):
        raise UNKNOWN_IMPACT(impact=word)
    if trait is not None and word not in ("tax", "damage"):
        raise NO_TRAIT_HERE.under(LADDER, impact=word)
    return word


def explain_rating(draft: Draft, round: Round, attack: OpenAttack, rating: int) -> None:
    defender_maximum = find_intensity_size(round, attack.defender)
    draft.by(MAX_FOR_RATING, defender_maximum, defender=attack.defender)
    bonus = BONUS * attack.bought.count("attack4")
    draft.by(RATING, rating, counted=find_counted_number(round, attack), attack4=bonus, maximum=defender_maximum)
    draft.by(LADDER, list_allowed_impacts(rating, find_used_trait(round, attack.defender)), rating=rating)


# --- taxes, damage, wounds -------------------------------------------------------------------------------------------

TAX = rule(
    "intensity.impact.tax",
    "A tax lowers one trait of the defender by one step. The attacker chooses the trait. The tax ends with a"
    " 5-minute rest after the scene.",
    "Impact",
    outcome="id",
)
DAMAGE = rule(
    "intensity.impact.damage",
    "Damage lowers the trait that the defender rolled this round by one step, until it is healed.",
    "Impact",
    step="Damage lowers {char}'s {trait} by one step.",
    outcome="id",
)
WOUND = rule(
    "intensity.impact.wound",
    "A wound lowers every trait of the defender by one step, until it is healed.",
    "Impact",
    step="A wound lowers every trait of {char} by one step.",
    outcome="id",
)
IMMEDIATE = rule(
    "intensity.impact.immediate",
    "An impact takes effect as soon as it is chosen, but numbers already rolled stay as they are. A table"
    " decides whether the die of a lowered trait gets smaller at once or only in the next round.",
    "Impact",
)
NOT_THE_TRAIT_USED = Refusal(
    DAMAGE,
    "not-the-trait-used",
    "[{trait} was not used. ]Only the trait rolled in that round can be hit[: {used}].",
)
#: The impacts that last, each with its rule.
LASTING = {"tax": TAX, "damage": DAMAGE, "wound": WOUND}


@fact("trait-taxed", says="{by} taxes {char}'s {trait}.", headline=8, kw_only=True)
class TraitTaxed:
    """Subject: the character. One of its traits was taxed. `cause`: `attack:<id>` or `fatal:<id>`."""

    impact: ImpactId
    char: CharacterId
    trait: TraitName
    by: CharacterId
    cause: Cause


@fact("trait-damaged", says="{by} damages {char}'s {trait}.", headline=7, kw_only=True)
class TraitDamaged:
    """Subject: the character. One of its traits was damaged."""

    impact: ImpactId
    char: CharacterId
    trait: TraitName
    by: CharacterId
    cause: Cause


@fact("character-wounded", says="{by} wounds {char}.", headline=6)
class CharacterWounded:
    """Subject: the character. The character was wounded."""

    impact: ImpactId
    char: CharacterId
    by: CharacterId
    cause: Cause


#: The facts that `inflict` can record.
INFLICTED = (TraitTaxed, TraitDamaged, CharacterWounded)


@changes
@once_created
def tax_trait(state: Character, fact: TraitTaxed) -> Character:
    return changed(state, impacts={**state.impacts, fact.impact: ActiveImpact("tax", fact.trait, fact.by, fact.cause)})


@changes
@once_created
def damage_trait(state: Character, fact: TraitDamaged) -> Character:
    return changed(
        state, impacts={**state.impacts, fact.impact: ActiveImpact("damage", fact.trait, fact.by, fact.cause)}
    )


@changes
@once_created
def wound_character(state: Character, fact: CharacterWounded) -> Character:
    return changed(state, impacts={**state.impacts, fact.impact: ActiveImpact("wound", None, fact.by, fact.cause)})


def may_hit_trait(draft: Draft, impact: str, victim: str, trait: str | None, used_trait: str | None) -> Refused | None:
    """Refuse damage to any trait except the one just used. If an option says so, also refuse a tax
    on any other trait.
    """
    if impact == "tax":
        if trait not in [own_trait.name for own_trait in draft.read_character(victim).traits]:
            return UNKNOWN_TRAIT.under(TAX, trait=trait, char=victim)
        if draft.dials.tax_scope == "trait_used" and trait != used_trait:
            return NOT_THE_TRAIT_USED.under(TAX, trait=trait, used=used_trait)
    if impact == "damage" and (used_trait is None or (trait is not None and trait != used_trait)):
        return NOT_THE_TRAIT_USED(trait=trait, used=used_trait)
    return None


def find_hit_trait(
    draft: Draft, impact: str, victim: str, named_trait: str | None, used_trait: str | None
) -> str | None:
    """Return the trait that a tax or damage lowers."""
    require(may_hit_trait(draft, impact, victim, named_trait, used_trait))
    return {"tax": named_trait, "damage": used_trait}.get(impact)


def list_traits_to_hit(draft: Draft, impact: str, victim: str, used_trait: str | None) -> tuple[str | None, ...]:
    """Return the traits that a tax or damage can lower."""
    traits = (None, *(trait.name for trait in draft.read_character(victim).traits))
    return tuple(trait for trait in traits if may_hit_trait(draft, impact, victim, trait, used_trait) is None)


def inflict(draft: Draft, impact: str, by: str, victim: str, trait: str | None, cause: str) -> None:
    """Apply the tax, damage or wound to the character at once."""
    impact_id = draft.table.new_id()
    posting = make_posting_from_bank(name_impacts_account(victim), "impact", 1)
    match impact:
        case "tax" if trait is not None:
            draft.about(victim, TraitTaxed(impact=impact_id, char=victim, trait=trait, by=by, cause=cause), posting)
        case "damage" if trait is not None:
            draft.about(victim, TraitDamaged(impact=impact_id, char=victim, trait=trait, by=by, cause=cause), posting)
        case _:
            draft.about(victim, CharacterWounded(impact_id, victim, by, cause), posting)
    draft.by(LASTING[impact], impact_id, char=victim, trait=trait)
    draft.by(IMMEDIATE, impact, char=victim, trait=trait)


def is_hurt(char_state: Character) -> bool:
    """Return whether the character has an impact other than a tax."""
    return any(impact.kind != "tax" for impact in char_state.impacts.values())


def find_oldest_impact(char_state: Character, heal: str, trait: str | None) -> str | None:
    return next(
        (
            impact_id
            for impact_id, impact in char_state.impacts.items()
            if impact.kind == heal and impact.trait == trait
        ),
        None,
    )


# --- mutilation: a trait that changes for good -----------------------------------------------------------------------

MUTILATION = rule(
    "intensity.fatal.mutilation",
    "The use of a fatal impact can also change traits of the victim for good. Such a trait gets a different"
    " die, or none.",
    "Impact",
)
TRAIT_BASE = Refusal(MUTILATION, "trait-base", "{base} is not a trait die. Choose one of these: {allowed}.")


@dataclass(frozen=True, slots=True)
class Mutilation:
    """A trait that changes for good, and its new die: 10, 8, 6 or 4, or 0 for no die."""

    trait: TraitName
    base: Base


def say_trait_left(whose: str, trait: str, base: object) -> str:
    return f"{whose}'s {trait} {f'is now a D{base} for good' if base else 'is lost for good'}."


def say_mutilated(fact: TraitMutilated, names: Names) -> str:
    return say_trait_left(word_name(names, fact.char), fact.trait, fact.base)


@fact("trait-mutilated", says=say_mutilated, headline=5)
class TraitMutilated:
    """Subject: the character. One of its traits changed for good. `base`: the trait's new die; 0 means no die. `cause`:
    `fatal:<id>`.
    """

    char: CharacterId
    trait: TraitName
    base: TraitSize
    cause: Cause


@changes
@once_created
def mutilate(state: Character, fact: TraitMutilated) -> Character | None:
    if fact.trait not in [trait.name for trait in state.traits]:
        return None
    traits_after = (changed(trait, base=fact.base) if trait.name == fact.trait else trait for trait in state.traits)
    return changed(state, traits=tuple(traits_after))


def may_mutilate(draft: Draft, mutilation: Mutilation, char: str) -> Refused | None:
    if mutilation.trait not in [trait.name for trait in draft.read_character(char).traits]:
        return UNKNOWN_TRAIT.under(MUTILATION, trait=mutilation.trait, char=char)
    return None if is_base(mutilation.base) else TRAIT_BASE(base=repr(mutilation.base), allowed=list(STEPS))


def check_mutilation(draft: Draft, mutilation: Mutilation, char: str) -> tuple[str, TraitSize]:
    """Return the trait and its new die. Refuses `unknown-trait`, `trait-base`."""
    require(may_mutilate(draft, mutilation, char))
    assert is_base(mutilation.base)
    return mutilation.trait, mutilation.base


# --- steps down ------------------------------------------------------------------------------------------------------

STEP_LADDER = rule(
    "intensity.step.ladder",
    "Each step lowers a trait die by one size: D10, D8, D6, D4, then 0. A trait at 0 cannot be used.",
    "Impact",
)
STEP_STACK = rule(
    "intensity.step.stack",
    "Impacts add up: each tax and each instance of damage lowers its trait by one step, and each wound lowers all"
    " traits of the character by one step. A table may decide that several impacts of the same kind count only"
    " once.",
    "Impact",
)


def step_down(base: int, step_count: int) -> int:
    """Return the size this many steps down: D10, D8, D6, D4, 0, but never below 0."""
    return STEPS[min(STEPS.index(base) + step_count, len(STEPS) - 1)]


def count_steps_down(char_state: Character, trait: str, *, one_per_kind: bool) -> int:
    """Return how many steps down a trait is: for its taxes and damage, and for the character's wounds."""
    felt_kinds = [impact.kind for impact in char_state.impacts.values() if impact.trait in (trait, None)]
    return len(set(felt_kinds)) if one_per_kind else len(felt_kinds)


def compute_current_sizes(char_state: Character, *, one_per_kind: bool) -> dict[str, int]:
    """Return the current size of every trait; 0 means that the trait is unusable."""
    return {
        trait.name: step_down(trait.base, count_steps_down(char_state, trait.name, one_per_kind=one_per_kind))
        for trait in char_state.traits
    }


def get_sizes(draft: Draft, char: str) -> dict[str, int]:
    """Return the character's traits at their current sizes, counting impacts as the option says."""
    sizes = draft.sizes.get(char)
    if sizes is None:
        sizes = compute_current_sizes(draft.read_character(char), one_per_kind=draft.dials.stacking == "one_per_kind")
        draft.sizes[char] = sizes
    return sizes


def explain_size(draft: Draft, char: str, trait_name: str) -> None:
    """Cite the impacts that make a trait's die smaller than on the sheet."""
    char_state, stacking = draft.read_character(char), draft.dials.stacking
    steps = count_steps_down(char_state, trait_name, one_per_kind=stacking == "one_per_kind")
    for trait in char_state.traits:
        if trait.name == trait_name and steps:
            draft.by(STEP_STACK, steps, char=char, trait=trait_name, stacking=stacking)
            draft.by(STEP_LADDER, step_down(trait.base, steps), base=trait.base, steps=steps)
