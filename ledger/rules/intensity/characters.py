"""Characters: their traits, what impacts do to these, and which may be used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from ledger.rules.intensity.draft import UNKNOWN_TRAIT, Draft, from_bank, impacts, points
from ledger.rules.intensity.state import (
    STEPS,
    TRAITS,
    Cause,
    Character,
    ImpactId,
    Kind,
    SaidKind,
    Trait,
    TraitName,
    TraitSize,
    Weight,
    is_kind,
    name,
    once_created,
)
from ledger.rules.kernel.chapters import Refusal, changes, decides, fact, require, rule
from ledger.rules.kernel.commands import Enrol
from ledger.rules.kernel.domains import Between, CharacterId, Says, SeatId, Title
from ledger.rules.kernel.faults import Faults
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.phrases import Names, listed
from ledger.rules.kernel.refusals import Refused

TRAIT_SLOTS = rule(
    "intensity.trait.slots",
    "A main character has three traits: one D10 and two D8. A minor character has two traits, both D6. Each trait"
    " has its own name.",
    "Traits",
)
ONE_TRAIT = rule(
    "intensity.trait.one",
    "You roll your intensity die and the die of exactly one trait, at its current size.",
    "Traits",
    step="{char}'s {trait} is currently a D{out}.",
)
NONE_LEFT = rule(
    "intensity.trait.none-left",
    "Not in the source: if all your traits are at 0, you roll only the intensity die. At some tables, it can only"
    " defend.",
)
STEP_LADDER = rule(
    "intensity.step.ladder",
    "A trait die steps down from D10 to D8, D6, D4 and then 0, and no further.",
    "Impact",
)
STEP_STACK = rule(
    "intensity.step.stack",
    "A trait is down one step for each tax and each damage on it, and for each wound on the character.",
    "Impact",
)

TRAIT_DICE = Refusal(
    TRAIT_SLOTS,
    "trait-dice",
    "[These dice are not allowed: {dice}. ]A main character has 10, 8 and 8; a minor character has 6 and 6.",
)
TRAIT_NAME = Refusal(TRAIT_SLOTS, "trait-name", "Each trait needs its own name.")
UNKNOWN_KIND = Refusal(TRAIT_SLOTS, "unknown-kind", "{kind} is not a kind of character. Choose main or minor.")
TRAIT_REQUIRED = Refusal(ONE_TRAIT, "trait-required", "{char} must choose a trait to roll. Available: {usable}.")
TRAIT_UNUSABLE = Refusal(ONE_TRAIT, "trait-unusable", "{char}'s {trait} has no die left.")
CANNOT_ACT = Refusal(NONE_LEFT, "cannot-act", "{char} has no usable trait left and can only defend.")


# --- creation --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TraitLine:
    """A trait and its die."""

    name: Title
    base: Annotated[int, Between(6, 10), Says("Die", "10, 8 or 6 sides.")]


@dataclass(frozen=True, slots=True)
class Sheet:
    """`kind`: `main` (one D10 and two D8) or `minor` (two D6)."""

    kind: SaidKind
    traits: tuple[TraitLine, ...]


def say_created(fact: CharacterCreated, names: Names) -> str:
    traits = listed(f"{trait.name} D{trait.base}" for trait in fact.traits)
    return f"{name(names, fact.id)} is a {fact.kind} character with {traits}."


@fact("character-created", says=say_created)
class CharacterCreated:
    """About the character."""

    id: CharacterId
    kind: Kind
    traits: tuple[Trait, ...]
    player: SeatId


@changes
def create_character(state: Character, fact: CharacterCreated) -> Character:
    return changed(state, kind=fact.kind, traits=fact.traits)


@decides
def create(draft: Draft, do: Enrol[Sheet]) -> None:
    """A character joins: a main one with D10, D8, D8, or a minor one with D6, D6."""
    sheet, faults = do.sheet, Faults()
    bases = [line.base for line in sheet.traits]
    with faults.at("sheet", "kind"):
        kind = _kind(sheet.kind)
        with faults.at("sheet", "traits"):
            _check_dice(kind, bases)
    names = [line.name for line in sheet.traits]
    for place, trait in enumerate(names):
        if not trait.strip() or trait in names[:place]:
            faults.note(TRAIT_NAME(names=names), "sheet", "traits", place, "name")
    faults.tell()
    id = str(draft.table.number)
    traits = tuple(Trait(line.name, _size(line.base)) for line in sheet.traits)
    draft.about(id, CharacterCreated(id, kind, traits, do.seat))
    draft.by(TRAIT_SLOTS, kind, dice=bases)


def _kind(word: str) -> Kind:
    if not is_kind(word):
        raise UNKNOWN_KIND(kind=word)
    return word


def _check_dice(kind: Kind, bases: list[int]) -> None:
    if any(type(base) is not int for base in bases) or sorted(bases, reverse=True) != list(TRAITS[kind]):
        raise TRAIT_DICE(dice=bases, needed=list(TRAITS[kind]))


def _size(base: int) -> TraitSize:
    match base:
        case 10 | 8 | 6:
            return base
        case _:
            raise AssertionError(f"no character has a trait at D{base}")


# --- sizes -----------------------------------------------------------------------------------------------------------


def stepped(base: int, steps: int) -> int:
    """The size so many steps down: D10 > D8 > D6 > D4 > 0, and never below."""
    return STEPS[min(STEPS.index(base) + steps, len(STEPS) - 1)]


def steps_down(who: Character, trait: str, *, one_per_kind: bool) -> int:
    """How many steps taxes and damages on the trait and wounds on the character take it down."""
    felt = [weight.kind for weight in who.impacts.values() if weight.trait in (trait, None)]
    return len(set(felt)) if one_per_kind else len(felt)


def current_sizes(who: Character, *, one_per_kind: bool) -> dict[str, int]:
    """Every trait at its current size, 0 when unusable."""
    return {
        trait.name: stepped(trait.base, steps_down(who, trait.name, one_per_kind=one_per_kind)) for trait in who.traits
    }


def sizes_of(draft: Draft, char: str) -> dict[str, int]:
    """The character's traits at their current sizes, as the table counts impacts."""
    sizes = draft.sizes.get(char)
    if sizes is None:
        sizes = current_sizes(draft.known(char), one_per_kind=draft.dials.stacking == "one_per_kind")
        draft.sizes[char] = sizes
    return sizes


def explain_size(draft: Draft, char: str, named: str) -> None:
    """Why a trait's die is smaller than on the sheet."""
    who, stacking = draft.known(char), draft.dials.stacking
    steps = steps_down(who, named, one_per_kind=stacking == "one_per_kind")
    for trait in who.traits:
        if trait.name == named and steps:
            draft.by(STEP_STACK, steps, char=char, trait=named, stacking=stacking)
            draft.by(STEP_LADDER, stepped(trait.base, steps), base=trait.base, steps=steps)


def explain_trait(draft: Draft, char: str, trait: str | None) -> None:
    """Which die the trait declared brings; with none left, how the table has that."""
    if trait is None:
        draft.by(NONE_LEFT, 0, char=char, reading=draft.dials.no_usable_trait)
    else:
        draft.by(ONE_TRAIT, sizes_of(draft, char)[trait], char=char, trait=trait)
        explain_size(draft, char, trait)


# --- use -------------------------------------------------------------------------------------------------------------


def may_use_trait(draft: Draft, char: str, trait: str | None) -> Refused | None:
    """A trait the character has, not at 0; none only when none is usable."""
    sizes = sizes_of(draft, char)
    if trait is None:
        usable = [name for name, size in sizes.items() if size]
        return TRAIT_REQUIRED(char=char, usable=usable) if usable else None
    if trait not in sizes:
        return UNKNOWN_TRAIT.under(ONE_TRAIT, char=char, trait=trait)
    return TRAIT_UNUSABLE(char=char, trait=trait) if sizes[trait] == 0 else None


def may_act(draft: Draft, char: str, target: str | None) -> Refused | None:
    """With no usable trait some tables let a participant only defend."""
    if target is None or draft.dials.no_usable_trait == "intensity_only" or any(sizes_of(draft, char).values()):
        return None
    return CANNOT_ACT(char=char)


def usable_traits(draft: Draft, char: str) -> tuple[str | None, ...]:
    """The traits the character may use now; None alone if none is left."""
    traits: tuple[str | None, ...] = (None, *sizes_of(draft, char))
    return tuple(trait for trait in traits if may_use_trait(draft, char, trait) is None)


# --- what impacts do -------------------------------------------------------------------------------------------------

TAX = rule(
    "intensity.impact.tax",
    "A tax lowers any one trait of the defender by one step, until a 5-minute rest after the scene.",
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
    "An impact takes effect as soon as it is chosen, but faces already rolled do not change. An option of the"
    " table says whether dice already in play shrink with their trait.",
    "Impact",
)
ADVANTAGE = rule(
    "intensity.ap.pair",
    "A character holds advantage points against one other character, until they are spent.",
    "Special Effects",
    step="{holder} gains {out:advantage point|advantage points} against {against}.",
)
NOT_THE_TRAIT_USED = Refusal(
    DAMAGE,
    "not-the-trait-used",
    "[{trait} was not used. ]Only the trait rolled in that round can be hit[: {used}].",
)
#: Impacts that weigh on a character until they end, and their rules.
LASTING = {"tax": TAX, "damage": DAMAGE, "wound": WOUND}


@fact("trait-taxed", says="{by} taxes {char}'s {trait}.", headline=8, kw_only=True)
class TraitTaxed:
    """About the character. `cause`: `attack:<id>` or `fatal:<id>`."""

    impact: ImpactId
    char: CharacterId
    trait: TraitName
    by: CharacterId
    cause: Cause


@fact("trait-damaged", says="{by} damages {char}'s {trait}.", headline=7, kw_only=True)
class TraitDamaged:
    """About the character."""

    impact: ImpactId
    char: CharacterId
    trait: TraitName
    by: CharacterId
    cause: Cause


@fact("character-wounded", says="{by} wounds {char}.", headline=6)
class CharacterWounded:
    """About the character."""

    impact: ImpactId
    char: CharacterId
    by: CharacterId
    cause: Cause


@fact(
    "advantage-gained",
    says="{holder} gains {amount:advantage point|advantage points} against {against}.",
    headline=10,
)
class AdvantageGained:
    """About the holder. `cause`: `attack:<id>`, `fatal:<id>` or `healing:<ruling>`."""

    holder: CharacterId
    against: CharacterId
    amount: int
    cause: Cause


#: What `inflict` can record.
INFLICTED = (TraitTaxed, TraitDamaged, CharacterWounded, AdvantageGained)


@changes
@once_created
def tax_trait(state: Character, fact: TraitTaxed) -> Character:
    return changed(state, impacts={**state.impacts, fact.impact: Weight("tax", fact.trait, fact.by, fact.cause)})


@changes
@once_created
def damage_trait(state: Character, fact: TraitDamaged) -> Character:
    return changed(state, impacts={**state.impacts, fact.impact: Weight("damage", fact.trait, fact.by, fact.cause)})


@changes
@once_created
def wound_character(state: Character, fact: CharacterWounded) -> Character:
    return changed(state, impacts={**state.impacts, fact.impact: Weight("wound", None, fact.by, fact.cause)})


@changes
@once_created
def keep_character(state: Character, fact: AdvantageGained) -> Character:
    """Only points move."""
    return state


def may_hit_trait(draft: Draft, impact: str, on: str, trait: str | None, used: str | None) -> Refused | None:
    """A tax falls on any trait, or at some tables on the one just used; a damage on that one."""
    if impact == "tax":
        if trait not in [own.name for own in draft.known(on).traits]:
            return UNKNOWN_TRAIT.under(TAX, trait=trait, char=on)
        if draft.dials.tax_scope == "trait_used" and trait != used:
            return NOT_THE_TRAIT_USED.under(TAX, trait=trait, used=used)
    if impact == "damage" and (used is None or (trait is not None and trait != used)):
        return NOT_THE_TRAIT_USED(trait=trait, used=used)
    return None


def trait_hit(draft: Draft, impact: str, on: str, named: str | None, used: str | None) -> str | None:
    """The trait a tax or damage falls on."""
    require(may_hit_trait(draft, impact, on, named, used))
    return {"tax": named, "damage": used}.get(impact)


def traits_to_hit(draft: Draft, impact: str, on: str, used: str | None) -> tuple[str | None, ...]:
    """What can be named as the trait that a tax or a damage falls on."""
    named = (None, *(trait.name for trait in draft.known(on).traits))
    return tuple(trait for trait in named if may_hit_trait(draft, impact, on, trait, used) is None)


def inflict(draft: Draft, impact: str, by: str, on: str, trait: str | None, cause: str) -> None:
    """The impact falls on the character at once; an advantage goes to who inflicts it."""
    if impact == "advantage":
        gain(draft, by, on, 1, cause)
        return
    id = draft.table.new_id()
    weighs = from_bank(impacts(on), "impact", 1)
    match impact:
        case "tax" if trait is not None:
            draft.about(on, TraitTaxed(impact=id, char=on, trait=trait, by=by, cause=cause), weighs)
        case "damage" if trait is not None:
            draft.about(on, TraitDamaged(impact=id, char=on, trait=trait, by=by, cause=cause), weighs)
        case _:
            draft.about(on, CharacterWounded(id, on, by, cause), weighs)
    draft.by(LASTING[impact], id, char=on, trait=trait)
    draft.by(IMMEDIATE, impact, char=on, trait=trait)


def gain(draft: Draft, holder: str, against: str, amount: int, cause: str) -> None:
    """Points of this holder against this one opponent."""
    gained = from_bank(points(holder, against), "ap", amount)
    draft.about(holder, AdvantageGained(holder, against, amount, cause), gained)
    draft.by(ADVANTAGE, amount, holder=holder, against=against)


# --- finished characters ---------------------------------------------------------------------------------------------


def _main(best: str, second: str, third: str) -> Sheet:
    return Sheet("main", (TraitLine(best, 10), TraitLine(second, 8), TraitLine(third, 8)))


def _minor(first: str, second: str) -> Sheet:
    return Sheet("minor", (TraitLine(first, 6), TraitLine(second, 6)))


#: Three to play, and three to stand in their way.
PEOPLE: Mapping[str, Sheet] = {
    "Sarah": _main("Smooth Talker", "Don't Push Me", "Quick"),
    "Steve": _main("Stubborn", "Bad Temper", "Social Manipulator"),
    "Mira": _main("Steady Hands", "Seen It All", "Soft Spot for Strays"),
    "Rick": _minor("Driver", "Cultist"),
    "Louise": _minor("Knife", "Cultist"),
    "Old Tom": _minor("Knows Everybody", "Shotgun under the Counter"),
}
