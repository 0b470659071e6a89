"""Expertise and Powers: the four steps of a new character, and the points that options of a Power add to a roll."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from ledger.rules.kernel.kit import (
    Among,
    Between,
    CharacterId,
    Move,
    Refusal,
    Says,
    Seen,
    SharedRefusal,
    changed,
    changes,
    decides,
    declares,
    either,
    fact,
    offers,
    once_created,
    rule,
    words,
)
from ledger.rules.mongrel import acting
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.sight import Sight, get_sight, group_ids
from ledger.rules.mongrel.state import Character, add_to_score, find_power
from ledger.rules.mongrel.tables import AREA_OF, AREAS, CATEGORIES, CATEGORY_NAMES, GOVERNED_BY, OPTIONS, POWERS
from ledger.rules.mongrel.terms import Identity, Natural, Number, OptionName, is_natural, read_naturals, write_word

CATEGORY_RULES = tuple(
    rule(
        f"mongrel.expertise.identity.{identity}",
        f"{write_word(identity)} governs the {CATEGORY_NAMES[identity]} Expertises:"
        f" {', '.join(write_word(name) for name in names if name != POWERS[identity])}. It also governs"
        f" {write_word(POWERS[identity])}.",
        "Expertise",
    )
    for identity, names in CATEGORIES.items()
)
AREA_RULES = tuple(
    rule(
        f"mongrel.expertise.area.{area}",
        f"The Area {area.capitalize()} contains these Expertises: {', '.join(map(write_word, names))}.",
        "Expertise",
    )
    for area, names in AREAS.items()
)
STEP_1 = rule(
    "mongrel.expertise.step1",
    "Expertise is chosen in four steps. In step 1, each Expertise of the primary Identity, including its Power, "
    "starts at 1.",
    "Expertise",
)
STEP_2 = rule(
    "mongrel.expertise.step2",
    "In step 2, the player picks two Expertises. Each of them rises by 3. Every other Expertise in the Area or "
    "Areas of those two rises by 1, but only once. A Power belongs to no Area.",
    "Expertise",
)
STEP_3 = rule(
    "mongrel.expertise.step3",
    "In step 3, the player picks two Expertises that were not picked in step 2. Each of them rises by 2.",
    "Expertise",
)
STEP_4 = rule(
    "mongrel.expertise.step4",
    "In step 4, the player picks two Expertises that were not picked in steps 2 and 3. Each of them rises by 1.",
    "Expertise",
)
STACK = rule(
    "mongrel.expertise.stack",
    "Increases from different steps add up, so an Expertise can reach 4. The only Power that can be picked is"
    " that of the primary Identity.",
    "Expertise",
)
#: The rules of the steps in which the player picks.
STEP_RULES = (STEP_2, STEP_3, STEP_4)
EXPERTISE_UNKNOWN = SharedRefusal(
    "expertise-unknown",
    "There is no such Expertise[: {expertise}].",
)
EXPERTISE_TWO_PER_STEP = Refusal(
    STEP_2,
    "expertise-two-per-step",
    "Pick two Expertises in each of the three steps.",
)
EXPERTISE_REPEATED = Refusal(
    STEP_3,
    "expertise-repeated",
    "Each of the six picks must be a different Expertise.",
)
EXPERTISE_NOT_FROM_STEPS = Refusal(
    STACK,
    "expertise-not-from-steps",
    "The levels of these Expertises do not match the steps of character creation: {differ}.",
)
Picks = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
PER_STEP = 2
STEPS = ("plus_three", "plus_two", "plus_one")
RISES = (3, 2, 1)


def list_picks_faults(primary: Identity, picks: Picks) -> list[tuple[str, str, tuple[str | int, ...]]]:
    """Return the faults of the six picks, each with its rule, code and place on the sheet, in the
    order of the rules.
    """
    faults: list[tuple[str, str, tuple[str | int, ...]]] = [
        (STEP_2, "expertise-two-per-step", (field,))
        for field, step in zip(STEPS, picks, strict=True)
        if len(step) != PER_STEP
    ]
    placed_picks = [
        (name, (field, index)) for field, step in zip(STEPS, picks, strict=True) for index, name in enumerate(step)
    ]
    rule = STACK
    faults += [(rule, "expertise-unknown", place) for name, place in placed_picks if name not in GOVERNED_BY]
    faults += [
        (rule, "power-not-primary", place)
        for name, place in placed_picks
        if name in OPTIONS and name != POWERS[primary]
    ]
    names = [name for name, _ in placed_picks]
    repeated_places = [place for index, (name, place) in enumerate(placed_picks) if name in names[:index]]
    return faults + [(STEP_3, "expertise-repeated", place) for place in repeated_places]


def work_out_levels(primary: Identity, picks: Picks) -> dict[str, int]:
    """Return every Expertise above 0, added up by `mongrel.expertise.step1` to `step4`."""
    levels = dict.fromkeys(CATEGORIES[primary], 1)
    areas = dict.fromkeys(AREA_OF[name] for name in picks[0] if name in AREA_OF)
    for area in areas:
        for name in AREAS[area]:
            if name not in picks[0]:
                levels[name] = levels.get(name, 0) + 1
    for step, rise in zip(picks, RISES, strict=True):
        for name in step:
            if name in GOVERNED_BY:
                levels[name] = levels.get(name, 0) + rise
    return levels


# --- Powers ----------------------------------------------------------------------------------------------------------

ALLOCATE = rule(
    "mongrel.power.allocate",
    "A character has as many Power points as the level of their Power. The player divides them among the options "
    "of that Power, and may leave some of them unassigned (our reading).",
    "Powers",
)
OPTION_RULES = tuple(
    rule(
        f"mongrel.power.options.{power.removesuffix('_power')}",
        f"{write_word(power)} has these options: {', '.join(map(words, options))}.",
        "Powers",
    )
    for power, options in OPTIONS.items()
)
AUGMENT = rule(
    "mongrel.power.augment",
    "When an Expertise other than the Power is rolled, each Power option that fits the task adds its points to"
    " the number of dice.",
    "Powers",
)
ALONE = rule(
    "mongrel.power.alone",
    "In rare cases, the Power options that fit the task are rolled by themselves, without any other Expertise."
    " Together, they must have at least 1 point.",
    "Powers",
)
POWER_NOT_PRIMARY = SharedRefusal(
    "power-not-primary",
    "A character can pick and use only the Power of their primary Identity[, not {expertise}].",
)
POWER_NOT_NATURAL = Refusal(
    ALLOCATE,
    "power-not-natural",
    "Points of a Power must be whole numbers, 0 or more.",
)
POWER_OPTION_UNKNOWN = Refusal(
    ALLOCATE,
    "power-option-unknown",
    "This character's Power has no such option[: {option}][. Choose from {known}].",
)
POWER_OVERSPENT = Refusal(
    ALLOCATE,
    "power-overspent",
    "That Power does not have enough points[: it has {level}][: {free} left].",
)


def list_power_faults(primary: Identity, level: int | None, allocated_points: Mapping[str, Number]) -> list[str]:
    """Return every fault of the allocation (`mongrel.power.allocate`). `level`: None if it is not known."""
    faults = []
    if any(option not in OPTIONS[POWERS[primary]] for option in allocated_points):
        faults.append("power-option-unknown")
    points = read_naturals(allocated_points, allocated_points)
    if points is None:
        faults.append("power-not-natural")
    elif level is not None and sum(points.values()) > level:
        faults.append("power-overspent")
    return faults


def count_power_points(state: Character, options: Sequence[str]) -> int:
    """Return the total of the points that these options add. Each option counts once."""
    known_options = OPTIONS[POWERS[state.primary]]
    for option in options:
        if option not in known_options:
            raise POWER_OPTION_UNKNOWN(option=option, known=list(known_options))
    return sum(max(0, state.power.get(option, 0)) for option in dict.fromkeys(options))


#: The faults to look for on a sheet, in this order.
POWER_FAULTS = (POWER_OPTION_UNKNOWN, POWER_NOT_NATURAL, POWER_OVERSPENT)

# --- points that are not yet assigned --------------------------------------------------------------------------------


@fact("power-allocated", says="{character} puts {points:point|points} of their Power into {option}.")
class PowerAllocated:
    """A character assigned points of their Power to one of its options."""

    character: CharacterId
    option: OptionName
    points: int


@changes
@once_created
def add_power(state: Character, fact: PowerAllocated) -> Character:
    return changed(state, power=add_to_score(state.power, fact.option, fact.points))


@declares(
    "allocate-power",
    either("character"),
    says="{character} puts {points:point|points} of their Power into {option}.",
    records=(PowerAllocated,),
)
class AllocatePower:
    """Assign a character's spare Power points to one of the Power's options."""

    character: CharacterId
    option: Annotated[OptionName, Says("Power option")]
    points: Natural = 1


@decides
def allocate_power(draft: Draft, do: AllocatePower) -> None:
    """Allocate remaining points. Refuses `power-option-unknown`, `power-not-natural`, `power-overspent`."""
    state = acting.check_alive(draft, do.character)
    if do.option not in OPTIONS[find_power(state)]:
        raise POWER_OPTION_UNKNOWN(option=do.option)
    if not is_natural(do.points):
        raise POWER_NOT_NATURAL(points=repr(do.points))
    free_points = state.expertise.get(find_power(state), 0) - sum(state.power.values())
    if do.points > free_points:
        raise POWER_OVERSPENT(points=do.points, free=free_points)
    draft.about(do.character, PowerAllocated(do.character, do.option, do.points))
    draft.by(ALLOCATE, do.points, option=do.option)


def find_unallocated(sight: Sight, character_id: str) -> tuple[tuple[str, ...], int] | None:
    state = sight.people[character_id]
    power = find_power(state)
    free_points = state.expertise.get(power, 0) - sum(state.power.values())
    return (OPTIONS[power], free_points) if free_points > 0 else None


@offers
def offer_to_allocate(seen: Seen, draft: Draft) -> Iterator[Move]:
    sight = get_sight(seen, draft)
    for (options, free_points), owners in group_ids(
        sight.alive, lambda character_id: find_unallocated(sight, character_id)
    ):
        yield Move(AllocatePower, {"character": owners, "option": Among(options), "points": Between(1, free_points)})
