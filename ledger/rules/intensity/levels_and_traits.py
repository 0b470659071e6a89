"""Levels of Intensity, and Traits: the two dice that a character rolls, and how a character is created."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any

from ledger.rules.intensity.dials import Dials
from ledger.rules.intensity.draft import (
    UNKNOWN_TRAIT,
    CurrentScene,
    Draft,
    may_still_declare,
    require_participant,
    require_scene_and_round,
)
from ledger.rules.intensity.impact import compute_current_sizes, explain_size, get_sizes
from ledger.rules.intensity.state import (
    INTENSITY,
    TRAITS,
    Char,
    Character,
    InWords,
    Kind,
    Level,
    Participant,
    Round,
    RoundId,
    SaidKind,
    SaidLevel,
    Scene,
    Trait,
    TraitSize,
    in_its_round,
    is_kind,
    is_level,
    quote,
    with_participant,
    word_name,
)
from ledger.rules.kernel.kit import (
    Among,
    Between,
    CharacterId,
    Enrol,
    Faults,
    Maker,
    Making,
    Move,
    Names,
    Option,
    Refusal,
    Refused,
    Says,
    SeatId,
    Seen,
    Story,
    Title,
    changed,
    changes,
    decides,
    declares,
    either,
    fact,
    listed,
    offers,
    require,
    rule,
)

# --- levels ----------------------------------------------------------------------------------------------------------

LEVEL_DICE = rule(
    "intensity.level.dice",
    "There are four levels, each with its own die: calm (D6), invested (D8), passionate (D10) and fanatical (D12)."
    " You choose freely.",
    "Levels of Intensity",
    step="{level} is a D{out}.",
)
LEVEL_SCOPE = rule(
    "intensity.level.scope",
    "Not in the source: a level counts for one round, and you choose again in the next. A table may decide"
    " that you cannot declare a lower level than your last one in the same scene.",
)
UNKNOWN_LEVEL = Refusal(
    LEVEL_DICE, "unknown-level", "{level} is not a level. Choose “calm”, “invested”, “passionate” or “fanatical”."
)
LOWERED = Refusal(
    LEVEL_SCOPE,
    "lowered",
    "{char}'s last level in this scene was {last}. At this table, {char} cannot declare {level} now.",
)


def check_level(word: str) -> Level:
    if not is_level(word):
        raise UNKNOWN_LEVEL(level=word)
    return word


@lru_cache
def make_levels_domain(levels: tuple[Level, ...]) -> Among:
    """Return a choice between these levels, each named with its die."""
    return Among(levels, tuple(f"{level.capitalize()} (D{INTENSITY[level]})" for level in levels))


def may_be_as_intense(draft: Draft, open_scene: CurrentScene, char: str, level: Level) -> Refused | None:
    """Refuse a level below the character's last one in the scene, if levels only go up."""
    last_level = open_scene.scene.levels.get(char)
    if (
        draft.dials.intensity_scope == "scene_ratchet"
        and last_level is not None
        and INTENSITY[level] < INTENSITY[last_level]
    ):
        return LOWERED(char=char, last=last_level, level=level)
    return None


def with_last_level(state: Scene | None, char: str, level: Level) -> Scene | None:
    """Return the scene with this as the character's last level, which the scene keeps after the round."""
    return changed(state, levels={**state.levels, char: level}) if state is not None else None


# --- raising a level -------------------------------------------------------------------------------------------------

RAISE_ONLY = rule(
    "intensity.level.raise-only",
    "Before the roll, once another participant has declared, you can raise the level you declared: by any"
    " number of steps, and more than once. Raising it costs nothing. You cannot lower it.",
    "Levels of Intensity",
)
NOT_DECLARED = Refusal(RAISE_ONLY, "not-declared", "{char} has not declared yet.")
NOT_A_RAISE = Refusal(
    RAISE_ONLY, "not-a-raise", "{char} is already {declared}, so {level} is not a raise. Choose a higher level."
)
NO_OTHER_DECLARATION = Refusal(
    RAISE_ONLY,
    "no-other-declaration",
    "{char} can raise the level only after another participant has declared.",
)


def say_raises(do: Raise, names: Names) -> str:
    return quote(f"{word_name(names, do.char)} raises the level to {do.level}", do.text)


def say_raised(fact: IntensityRaised, names: Names) -> str:
    return quote(f"{word_name(names, fact.char)} raises the level from {fact.from_level} to {fact.to_level}", fact.text)


@fact("intensity-raised", says=say_raised, kw_only=True)
class IntensityRaised:
    """A participant raised their level."""

    round: RoundId
    char: CharacterId
    from_level: Level
    to_level: Level
    text: Story = ""


@changes
def raise_level(state: Scene, fact: IntensityRaised) -> Scene | None:
    return with_last_level(_with_level(state, fact), fact.char, fact.to_level)


@in_its_round
def _with_level(round: Round, fact: IntensityRaised) -> Round | None:
    participant = round.participants.get(fact.char)
    if participant is None:
        return None
    return with_participant(round, fact.char, changed(participant, level=fact.to_level))


@declares("raise", either("char"), says=say_raises, records=(IntensityRaised,))
class Raise:
    """Raise the level you declared. `level`: the new level, higher than the one you declared."""

    char: Char
    level: SaidLevel
    text: InWords = ""


def may_raise(draft: Draft, round: Round, char: str, declared_level: Level, level: Level) -> Refused | None:
    """Refuse any level that is not higher. If an option says so, also refuse to raise a level before another
    participant has declared.
    """
    if INTENSITY[level] <= INTENSITY[declared_level]:
        return NOT_A_RAISE(char=char, declared=declared_level, level=level)
    if draft.dials.intensity_raise_gate == "other_declared" and not any(_list_others_declared(round, char)):
        return NO_OTHER_DECLARATION(char=char)
    return None


def _list_others_declared(round: Round, char: str) -> Iterator[str]:
    return (other for other, participant in round.participants.items() if other != char and participant.level)


def _require_declared_level(participant: Participant, char: str, rule: str) -> Level:
    if participant.level is None:
        raise NOT_DECLARED.under(rule, char=char)
    return participant.level


@decides
def raise_intensity(draft: Draft, do: Raise) -> None:
    draft.check_character(do.char)
    level = check_level(do.level)
    open_scene, round = require_scene_and_round(draft, RAISE_ONLY)
    declared_level = _require_declared_level(require_participant(round, do.char, RAISE_ONLY), do.char, RAISE_ONLY)
    require(may_raise(draft, round, do.char, declared_level, level))
    require(may_still_declare(round, RAISE_ONLY))
    draft.tell(
        open_scene.subject,
        IntensityRaised(round=round.id, char=do.char, from_level=declared_level, to_level=level, text=do.text),
    )
    draft.by(RAISE_ONLY, INTENSITY[level], declared=declared_level, others=list(_list_others_declared(round, do.char)))


@offers
def offer_raises(seen: Seen, draft: Draft) -> Iterator[Move]:
    round = draft.open_round
    if round is None or may_still_declare(round, RAISE_ONLY):
        return
    for char, participant in round.participants.items():
        declared_level = participant.level
        if declared_level is not None:
            higher_levels = tuple(
                level for level in INTENSITY if may_raise(draft, round, char, declared_level, level) is None
            )
            if higher_levels:
                yield Move(Raise, {"char": Among((char,)), "level": make_levels_domain(higher_levels)})


# --- traits ----------------------------------------------------------------------------------------------------------

TRAIT_SLOTS = rule(
    "intensity.trait.slots",
    "A main character has three traits: one D10 and two D8. A minor character has two traits, both D6. Each trait"
    " has its own name.",
    "Traits",
)
ONE_TRAIT = rule(
    "intensity.trait.one",
    "You roll two dice: the die of your level, and the die of one trait that you choose, at the trait's current size.",
    "Traits",
    step="{char}'s {trait} is currently a D{out}.",
)
NONE_LEFT = rule(
    "intensity.trait.none-left",
    "Not in the source: if none of your traits has a die left, you roll the intensity die alone. A table may"
    " decide that you can then only defend.",
)
TRAIT_DICE = Refusal(
    TRAIT_SLOTS,
    "trait-dice",
    "[These dice are not allowed: {dice}. ]The trait dice of a main character have 10, 8 and 8 sides; those of a"
    " minor character have 6 and 6.",
)
TRAIT_NAME = Refusal(TRAIT_SLOTS, "trait-name", "Each trait needs its own name. “Loyal” and “loyal” are the same name.")
UNKNOWN_KIND = Refusal(TRAIT_SLOTS, "unknown-kind", "{kind} is not a kind of character. Choose “main” or “minor”.")
TRAIT_REQUIRED = Refusal(ONE_TRAIT, "trait-required", "{char} must choose a trait to roll. Available: {usable}.")
TRAIT_UNUSABLE = Refusal(ONE_TRAIT, "trait-unusable", "{char}'s {trait} is at 0 and cannot be rolled.")
CANNOT_ACT = Refusal(NONE_LEFT, "cannot-act", "{char} has no usable trait left and can only defend.")


def may_use_trait(draft: Draft, char: str, trait: str | None) -> Refused | None:
    """Refuse a trait that the character lacks or that is at 0, and a declaration without a trait while one is
    usable.
    """
    sizes = get_sizes(draft, char)
    if trait is None:
        usable_traits = [name for name, size in sizes.items() if size]
        return TRAIT_REQUIRED(char=char, usable=usable_traits) if usable_traits else None
    if trait not in sizes:
        return UNKNOWN_TRAIT.under(ONE_TRAIT, char=char, trait=trait)
    return TRAIT_UNUSABLE(char=char, trait=trait) if sizes[trait] == 0 else None


def may_declare_attack(draft: Draft, char: str, target: str | None) -> Refused | None:
    """Refuse an attack without a usable trait if the table allows such participants only to defend."""
    if target is None or draft.dials.no_usable_trait == "intensity_only" or any(get_sizes(draft, char).values()):
        return None
    return CANNOT_ACT(char=char)


def list_usable_traits(draft: Draft, char: str) -> tuple[str | None, ...]:
    """Return the traits that the character can use now, or only None if none is left."""
    traits: tuple[str | None, ...] = (None, *get_sizes(draft, char))
    return tuple(trait for trait in traits if may_use_trait(draft, char, trait) is None)


def explain_trait(draft: Draft, char: str, trait: str | None) -> None:
    """Cite the die that the declared trait adds or, if the character has no usable trait, the table's rule for that."""
    if trait is None:
        draft.by(NONE_LEFT, 0, char=char, reading=draft.dials.no_usable_trait)
    else:
        draft.by(ONE_TRAIT, get_sizes(draft, char)[trait], char=char, trait=trait)
        explain_size(draft, char, trait)


# --- creating a character --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TraitLine:
    """A trait and its die."""

    name: Title
    base: Annotated[int, Between(6, 10), Says("Die", "The number of sides: 10, 8 or 6.")]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A new character. `kind`: `main` (three traits: one D10 and two D8) or `minor` (two traits, both D6)."""

    kind: SaidKind
    traits: tuple[TraitLine, ...]


def say_created(fact: CharacterCreated, names: Names) -> str:
    traits = listed(f"{trait.name} D{trait.base}" for trait in fact.traits)
    return f"{word_name(names, fact.id)} is a {fact.kind} character with {traits}."


@fact("character-created", says=say_created)
class CharacterCreated:
    """Subject: the character. The character joined the campaign."""

    id: CharacterId
    kind: Kind
    traits: tuple[Trait, ...]
    player: SeatId


@changes
def create_character(state: Character, fact: CharacterCreated) -> Character:
    return changed(state, kind=fact.kind, traits=fact.traits)


@decides
def create(draft: Draft, do: Enrol[Sheet]) -> None:
    """Create a character: a main one with D10, D8 and D8, or a minor one with D6 and D6."""
    sheet, faults = do.sheet, Faults()
    bases = [line.base for line in sheet.traits]
    with faults.at("sheet", "kind"):
        kind = _check_kind(sheet.kind)
        with faults.at("sheet", "traits"):
            _check_dice(kind, bases)
    names = [line.name for line in sheet.traits]
    compared_names = [name.strip().casefold() for name in names]
    for place, name in enumerate(compared_names):
        if not name or name in compared_names[:place]:
            faults.note(TRAIT_NAME(names=names), "sheet", "traits", place, "name")
    faults.raise_found()
    char = str(draft.table.number)
    traits = tuple(Trait(line.name, _check_size(line.base)) for line in sheet.traits)
    draft.about(char, CharacterCreated(char, kind, traits, do.seat))
    draft.by(TRAIT_SLOTS, kind, dice=bases)


def _check_kind(word: str) -> Kind:
    if not is_kind(word):
        raise UNKNOWN_KIND(kind=word)
    return word


def _check_dice(kind: Kind, bases: list[int]) -> None:
    if any(type(base) is not int for base in bases) or sorted(bases, reverse=True) != list(TRAITS[kind]):
        raise TRAIT_DICE(dice=bases, needed=list(TRAITS[kind]))


def _check_size(base: int) -> TraitSize:
    match base:
        case 10 | 8 | 6:
            return base
        case _:
            raise AssertionError(f"no character has a trait at D{base}")


# --- creating a character step by step --------------------------------------------------------------------------------


def _complete_sheet(making: Making) -> Mapping[str, Any]:
    """Return the sheet with the dice of its kind, and a name for each trait that has none."""
    kind = making.sheet.get("kind", "main")
    lines = making.sheet.get("traits", ())
    names = [lines[place].get("name") if place < len(lines) else None for place in range(len(TRAITS[kind]))]
    traits = [
        {"name": name or f"Trait {place}", "base": base}
        for place, (name, base) in enumerate(zip(names, TRAITS[kind], strict=True), 1)
    ]
    return {**making.sheet, "kind": kind, "traits": traits}


def _list_trait_names(making: Making) -> Iterator[Option]:
    for place, base in enumerate(TRAITS[_complete_sheet(making)["kind"]]):
        yield Option(f"Trait with a D{base}", {f"traits/{place}/name": ""})


def _list_kinds(making: Making) -> Iterator[Option]:
    for kind, dice in TRAITS.items():
        yield Option(kind.capitalize(), {"kind": kind}, f"Traits: {listed(f'D{base}' for base in dice)}")


MAKER = Maker(_complete_sheet, {"kinds": _list_kinds, "trait names": _list_trait_names})


# --- finished characters ---------------------------------------------------------------------------------------------


def _make_main(best: str, second: str, third: str) -> Sheet:
    return Sheet("main", (TraitLine(best, 10), TraitLine(second, 8), TraitLine(third, 8)))


def _make_minor(first: str, second: str) -> Sheet:
    return Sheet("minor", (TraitLine(first, 6), TraitLine(second, 6)))


#: Three main characters to play, and three minor characters to stand in their way.
PEOPLE: Mapping[str, Sheet] = {
    "Sarah": _make_main("Smooth Talker", "Don't Push Me", "Quick"),
    "Steve": _make_main("Stubborn", "Bad Temper", "Social Manipulator"),
    "Mira": _make_main("Steady Hands", "Seen It All", "Soft Spot for Strays"),
    "Rick": _make_minor("Driver", "Cultist"),
    "Louise": _make_minor("Knife", "Cultist"),
    "Old Tom": _make_minor("Knows Everybody", "Shotgun under the Counter"),
}


# --- views -----------------------------------------------------------------------------------------------------------


LABELS = {"size": "Current die"}


def view_character(char_state: Character, dials: Dials) -> dict[str, object]:
    """Return the character. A trait's `size` is the die that it adds now, under the current options."""
    sizes = compute_current_sizes(char_state, one_per_kind=dials.stacking == "one_per_kind")
    return {
        "kind": char_state.kind,
        "traits": [{"name": trait.name, "base": trait.base, "size": sizes[trait.name]} for trait in char_state.traits],
        "impacts": [
            {"impact": impact_id, "kind": impact.kind, "trait": impact.trait, "by": impact.by, "cause": impact.cause}
            for impact_id, impact in char_state.impacts.items()
        ],
        "out": char_state.out,
        "out_for": char_state.out_for,
        "healed_on": char_state.healed_on,
    }
