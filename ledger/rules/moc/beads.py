"""A scene's beads: their number and how they are allocated (headings "Beads", "Allocating Beads")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from fractions import Fraction
from functools import lru_cache
from itertools import islice, product
from math import ceil, floor
from typing import Annotated, TypeAlias

from ledger.rules.kernel.kit import (
    GM,
    Among,
    Asking,
    Between,
    CharacterId,
    Domain,
    Either,
    Entries,
    Move,
    Names,
    Question,
    Refusal,
    Refused,
    Seen,
    Shape,
    Unfit,
    ask,
    ask_all,
    changed,
    changes,
    character,
    choice,
    decides,
    declares,
    either,
    fact,
    guards,
    offers,
    require,
    rule,
)
from ledger.rules.moc import holdings, piles, words
from ledger.rules.moc.dials import Dials, find_bead_rate
from ledger.rules.moc.draft import Draft, acts, may_prepare, nobody_acts
from ledger.rules.moc.shown import fix, get_offering, group_ids
from ledger.rules.moc.state import Character
from ledger.rules.moc.types import MOST, BeadCounts, ElementName

BEAD_ALLOWANCE = rule(
    "moc.bead.allowance",
    "In each scene, a character gets beads for each point of Body, Mind and Spirit: 1 in standard games, 1 "
    "1/2 in heroic games, 2 or more in superheroic games. The total is rounded up.",
    "Allocating Beads",
    step="{out} beads: {rate} for each point of Body, Mind and Spirit.",
)
BEAD_ALLOCATE = rule(
    "moc.bead.allocate",
    "A character's beads are in the primary Element unless the player moves them. Up to a third can move to"
    " secondary Elements for free. Each further bead in a secondary Element costs 2 beads, and each bead in"
    " any other Element costs 3.",
    "Allocating Beads",
    step="The allocation costs {out} of {allowance:bead|beads}.",
)
BEAD_USED = Refusal(
    BEAD_ALLOCATE,
    "bead-used",
    "{character} has already used a bead in this scene and can no longer change the allocation.",
)
ALREADY_ALLOCATED = Refusal(
    BEAD_ALLOCATE, "already-allocated", "[{character}: ]the beads of the coming scene are already allocated."
)
NO_PRIMARY_ELEMENT = Refusal(
    BEAD_ALLOCATE, "no-primary-element", "{character} has no primary Element for the extra beads."
)
PRIMARY_TAKES_THE_REST = Refusal(
    BEAD_ALLOCATE,
    "primary-takes-the-rest",
    "{element} is the primary Element. It gets the remaining beads, so leave it out.",
)
BEAD_REGENERATE = rule(
    "moc.bead.regenerate",
    "A character's beads last until the scene ends. The next scene brings a complete new set.",
    "Beads",
)


def say_allocated(fact: BeadsAllocated, names: Names) -> str:
    """Put into words the beads of each Element, and the cost of the allocation."""
    cost_words = " (by default)" if fact.by_default else ""
    if fact.cost and not fact.by_default:
        cost_words = f" (the allocation costs {fact.cost} of {fact.allowance} beads)"
    return f"{words.say_subject(names)} has {words.say_beads(fact.pools)} for the scene{cost_words}."


@fact("beads-allocated", says=say_allocated, headline=34)
class BeadsAllocated:
    """A character's beads were allocated. `pools`: all beads by Element, including the archetype's. `cost`: how many
    beads of the allowance were spent on moving beads. `by_default`: whether the beads were allocated by default,
    because their player had not allocated them. A default allocation can change until the first bead is used.
    """

    allowance: int
    cost: int
    pools: Mapping[ElementName, int]
    by_default: bool = False


@changes
def take_beads(state: Character, fact: BeadsAllocated) -> Character:
    return changed(state, allocated=True, pools=fact.pools, asked=fact.by_default)


@fact("beads-ended", says="{subject}'s remaining beads are lost as the scene ends.")
class BeadsEnded:
    """A character's remaining beads were lost at the end of the scene."""


@changes
def end_beads(state: Character, fact: BeadsEnded) -> Character:
    return changed(state, allocated=False, pools={}, gained={}, asked=False)


def count_allowance(rate: Fraction, body: int, mind: int, spirit: int) -> int:
    return ceil(rate * (body + mind + spirit))


def price_beads(allowance: int, secondary_count: int, other_count: int) -> int:
    """Return the price of moving beads away from the primary Element. Beads for secondary Elements cost 1 each, up to a
    third of the allowance, and 2 each beyond that. Beads for other Elements cost 3 each.
    """
    free_count = min(secondary_count, floor(Fraction(allowance, 3)))
    return free_count + 2 * (secondary_count - free_count) + 3 * other_count


STEPS = 16  # the number of steps for allocating very many beads
LOTS = 4  # the number of lots in which a Wildcard allocates beads


#: The highest number of beads that each Element can get.
Allocation: TypeAlias = tuple[tuple[str, int], ...]
Allocations: TypeAlias = tuple[Allocation, ...]


def make_allocation_domain(allocation: Allocation) -> Domain:
    return Entries({element: Between(0, n) for element, n in allocation})


def list_allocations(dials: Dials, state: Character) -> Allocations:
    """Return every affordable way to allocate beads: the most for each Element except the primary one.

    There is no allocation if a bought bead cannot go to any Element.
    """
    allowance = count_allowance(find_bead_rate(dials), *(state.ratings[primary] for primary in words.PRIMARIES))
    if not dials.trumped_beads_regenerate:
        allowance = max(0, allowance - state.used.get("trumped-beads:session", 0))
    if state.primaries:
        return _list_paid_allocations(allowance, state.primaries, state.secondaries, holdings.list_bead_prices(state))
    if holdings.SCENE_BEAD.count(state):
        return ()
    return _list_wild_allocations(allowance, dials.wildcard_allocation == "free")


@lru_cache(maxsize=1000)
def _list_paid_allocations(
    allowance: int, primaries: tuple[str, ...], secondaries: tuple[str, ...], prices: tuple[tuple[str, int], ...]
) -> Allocations:
    """Return the affordable allocations. With very many beads, return only allocations in steps, and the most beads for
    each Element alone.
    """
    elements = tuple(element for element in words.ELEMENTS if element != primaries[0])
    step = max(1, allowance // STEPS)

    def is_affordable(counts: tuple[int, ...]) -> bool:
        count_by_element = dict(zip(elements, counts, strict=True))
        return price_allocation(primaries, secondaries, count_by_element, allowance, prices) <= allowance

    affordable_counts = set(filter(is_affordable, product(range(0, allowance + 1, step), repeat=len(elements))))
    largest_counts = {
        counts
        for counts in affordable_counts
        if not any(_add_step(counts, index, step) in affordable_counts for index in range(len(counts)))
    }
    if step > 1:
        for index in range(len(elements)):
            single_allocations = (_add_step((0,) * len(elements), index, n) for n in range(allowance, 0, -1))
            largest_counts |= set(islice(filter(is_affordable, single_allocations), 1))
    return tuple(tuple(zip(elements, counts, strict=True)) for counts in sorted(largest_counts))


def _add_step(counts: tuple[int, ...], index: int, step: int) -> tuple[int, ...]:
    return (*counts[:index], counts[index] + step, *counts[index + 1 :])


@lru_cache(maxsize=1000)
def _list_wild_allocations(allowance: int, is_free: bool) -> Allocations:
    """Return a Wildcard's allocations, which deal the beads in lots."""
    bead_count = allowance if is_free else allowance // 3 + (allowance - allowance // 3) // 2
    lot_size, remainder = divmod(bead_count, LOTS)
    splits = [split for split in product(range(LOTS + 1), repeat=len(words.ELEMENTS)) if sum(split) == LOTS]
    return tuple(_deal_lots(split, lot_size, remainder) for split in splits)


def _deal_lots(lot_counts: tuple[int, ...], lot_size: int, remainder: int) -> tuple[tuple[str, int], ...]:
    """Return the beads of each Element. The remainder goes to the Element with the most lots."""
    largest_index = lot_counts.index(max(lot_counts))
    return tuple(
        (element, n * lot_size + (remainder if index == largest_index else 0))
        for index, (element, n) in enumerate(zip(words.ELEMENTS, lot_counts, strict=True))
    )


def price_allocation(
    primaries: tuple[str, ...],
    secondaries: tuple[str, ...],
    counts: Mapping[str, int],
    allowance: int,
    prices: tuple[tuple[str, int], ...],
) -> int:
    """Return the cost of an allocation. `prices`: agreed prices by Element."""
    agreed_prices = dict(prices)
    usual_counts = {element: n for element, n in counts.items() if element not in agreed_prices}
    primary_count = sum(n for element, n in usual_counts.items() if element in primaries)
    only_secondaries = set(secondaries) - set(primaries)
    secondary_count = sum(n for element, n in usual_counts.items() if element in only_secondaries)
    other_count = sum(usual_counts.values()) - primary_count - secondary_count
    agreed_cost = sum(n * agreed_prices[element] for element, n in counts.items() if element in agreed_prices)
    return price_beads(allowance, secondary_count, other_count) + primary_count + agreed_cost


@choice("allocate", says=words.whether("beads", "{beads}.", "All beads are in the primary Element."))
class Allocate:
    """Allocate the beads for the next scene: how many go to each Element. Leave out the primary Element, which gets the
    rest.
    """

    beads: Mapping[ElementName, Annotated[int, Between(0, MOST)]] = field(default_factory=dict)


@choice("leave", says="The beads stay as they are.")
class LeaveAll:
    """Leave all beads where they are: in the primary Element, or, for a Wildcard, spread evenly over all Elements."""


ASK_BEADS = Question(
    "beads",
    "How will you allocate the beads for the next scene? If you don't answer before it begins, they go to the primary"
    " Element. Without one, they are spread evenly.",
)
ARCHETYPE_BEADS = 3


def say_allocating(do: AllocateBeads, names: Names) -> str:
    bead_words = f": {words.say_beads(do.beads)}" if any(do.beads.values()) else ""
    return f"{words.say_who(names, do.character)} allocates beads{bead_words}."


@acts("character")
@declares("allocate-beads", either("character"), says=say_allocating, records=(BeadsAllocated,))
class AllocateBeads:
    """Allocate beads between scenes. `beads`: how many beads go to each Element. Leave out the primary Element, which
    gets the rest.

    If you did not allocate before the scene began, you still can, once, before you use your first bead.
    """

    character: CharacterId
    beads: BeadCounts = field(default_factory=dict)


@decides
def allocate_beads(draft: Draft, do: AllocateBeads) -> None:
    """Allocate beads before the scene. After a default allocation, a new allocation is possible once in the scene,
    until the first bead is used.
    """
    char_id = do.character
    counts = holdings.read_beads(do.beads, BEAD_ALLOCATE)
    require(may_allocate(draft, char_id))
    lay_beads(draft, char_id, counts)


def lay_beads(draft: Draft, char_id: str, counts: dict[str, int] | None) -> None:
    """Allocate a character's beads; this replaces a default allocation. `counts`: None for the default."""
    state, rate = draft.get_character(char_id), find_bead_rate(draft.dials)
    allowance = count_allowance(rate, *(state.ratings[primary] for primary in words.PRIMARIES))
    draft.by(BEAD_ALLOWANCE, allowance, rate=str(rate))
    if not draft.dials.trumped_beads_regenerate:
        allowance = max(0, allowance - state.used.get("trumped-beads:session", 0))
    laid_counts = _spread_beads(draft, state, allowance) if counts is None else counts
    cost, bead_pools = _price_counts(draft, state, allowance, laid_counts)
    extra_counts = dict.fromkeys(
        words.ARCHETYPES[state.archetype][0][:1] if state.archetype in words.ARCHETYPES else (), ARCHETYPE_BEADS
    )
    bought_count = holdings.SCENE_BEAD.count(state)
    if bought_count and state.primaries:
        extra_counts[state.primaries[0]] = extra_counts.get(state.primaries[0], 0) + bought_count
    elif bought_count and counts is not None:
        raise NO_PRIMARY_ELEMENT(character=char_id)
    for element, n in holdings.count_scene_beads(state).items():
        extra_counts[element] = extra_counts.get(element, 0) + n
        draft.by(holdings.AGREED_EFFECT, n, does="scene-beads", of=element)
    bead_pools = {
        element: bead_pools.get(element, 0) + extra_counts.get(element, 0) for element in {**bead_pools, **extra_counts}
    }
    bead_pools = {element: n for element, n in bead_pools.items() if n > 0}
    accounts = {element: holdings.name_bead_account(char_id, element) for element in {**state.pools, **bead_pools}}
    refunds = [holdings.make_posting(accounts[element], holdings.SOURCE, n) for element, n in state.pools.items()]
    grants = [holdings.make_posting(holdings.SOURCE, accounts[element], n) for element, n in bead_pools.items()]
    draft.about(char_id, BeadsAllocated(allowance, cost, bead_pools, counts is None), *refunds, *grants)
    draft.by(BEAD_ALLOCATE, cost, allowance=allowance)


def _price_counts(draft: Draft, state: Character, allowance: int, counts: dict[str, int]) -> tuple[int, dict[str, int]]:
    """Return the price and the allocated beads. Refuses `primary-takes-the-rest`, `not-enough-beads`."""
    if not state.primaries:
        is_free = draft.dials.wildcard_allocation == "free"
        cost = sum(counts.values()) if is_free else price_beads(allowance, sum(counts.values()), 0)
        if cost > allowance:
            raise words.NOT_ENOUGH_BEADS.under(BEAD_ALLOCATE, cost=cost, allowance=allowance)
        return cost, dict(counts)
    primary, prices = state.primaries[0], holdings.list_bead_prices(state)
    if primary in counts:
        raise PRIMARY_TAKES_THE_REST(element=primary)
    cost = price_allocation(state.primaries, state.secondaries, counts, allowance, prices)
    for element, price in prices:
        if counts.get(element):
            draft.by(holdings.AGREED_EFFECT, price, does="bead-price", of=element)
    if cost > allowance:
        raise words.NOT_ENOUGH_BEADS.under(BEAD_ALLOCATE, cost=cost, allowance=allowance)
    return cost, {**counts, primary: allowance - cost}


def _spread_beads(draft: Draft, state: Character, allowance: int) -> dict[str, int]:
    """Return the default allocation: all beads in the primary Element, or spread evenly if there is none."""
    if state.primaries:
        return {}
    bead_count = allowance
    if draft.dials.wildcard_allocation != "free":
        bead_count = allowance // 3 + (allowance - allowance // 3) // 2
    even_count, remainder = divmod(bead_count, len(words.ELEMENTS))
    return {element: even_count + (index < remainder) for index, element in enumerate(words.ELEMENTS)}


@guards
def may_allocate(draft: Draft, char_id: str) -> Refused | None:
    """Refuse an allocation when it is too late: `already-allocated`, `not-in-interval`, `bead-used`."""
    state = draft.get_character(char_id)
    if draft.get_campaign().phase == "interval":
        if state.allocated:
            return ALREADY_ALLOCATED(character=char_id)
        return None
    if not state.asked:
        return words.NOT_IN_INTERVAL.under(BEAD_ALLOCATE, character=char_id)
    given_counts = {element: state.pools.get(element, 0) + state.gained.get(element, 0) for element in words.ELEMENTS}
    if any(draft.count_beads(char_id, element) < n for element, n in given_counts.items()):
        return BEAD_USED(character=char_id)
    return None


@nobody_acts
@declares("announce-scene", GM, says="A new scene is about to begin[, with {cast}].", records=(BeadsAllocated,))
class AnnounceScene:
    """Announce the next scene. Players who have not allocated their beads are asked how to allocate them.

    `cast`: the characters of the scene. Leave it out for everybody.
    """

    cast: tuple[CharacterId, ...] = ()


def list_unallocated(draft: Draft, cast: tuple[str, ...]) -> list[str]:
    """Return the characters of the cast who have not allocated beads."""
    return [
        char_id
        for char_id in list_playing(draft)
        if not draft.get_character(char_id).allocated and (not cast or char_id in cast)
    ]


@guards
def may_announce(draft: Draft, cast: tuple[str, ...]) -> Refused | None:
    if (refusal := may_prepare(draft, BEAD_ALLOCATE)) is not None:
        return refusal
    for char_id in cast:
        draft.get_character(char_id)
    return None if list_unallocated(draft, cast) else ALREADY_ALLOCATED(cast=list(cast))


@decides
def announce_scene(draft: Draft, do: AnnounceScene) -> Asking[None]:
    """Ask all players who have not allocated beads, at the same time."""
    require(may_announce(draft, do.cast))
    yield from ask_all(_ask_for_beads(draft, char_id) for char_id in list_unallocated(draft, do.cast))


def _ask_for_beads(draft: Draft, char_id: str) -> Asking[None]:
    purpose = "how the beads for the next scene are allocated"
    seat_id = draft.table.owner(character(char_id))
    shapes = _list_answer_shapes(draft.aside(), char_id)
    answer = yield from ask(seat_id, Allocate, LeaveAll, slot=ASK_BEADS(char_id), purpose=purpose, within=shapes)
    try:
        lay_beads(
            draft, char_id, holdings.read_beads(answer.beads, BEAD_ALLOCATE) if isinstance(answer, Allocate) else None
        )
    except Refused as refusal:
        raise Unfit(refusal.rule, refusal.code, **refusal.context) from None


def _list_answer_shapes(draft: Draft, char_id: str) -> Iterator[Shape]:
    allocations = list_allocations(draft.dials, draft.get_character(char_id))
    beads_domain = Either(tuple(map(make_allocation_domain, allocations))) if allocations else Among(())
    yield Shape(Allocate, {"beads": beads_domain})


def list_playing(draft: Draft) -> list[str]:
    ids = (subject.id for subject in draft.table.subjects("character"))
    return [char_id for char_id in ids if draft.get_character(char_id).status not in words.GONE]


def award_beads(draft: Draft) -> None:
    """Allocate beads by default for all characters without an allocation. Their players can still change it."""
    for char_id in list_playing(draft):
        if not draft.get_character(char_id).allocated:
            lay_beads(draft, char_id, None)


def award_newcomer(draft: Draft, char_id: str) -> None:
    """Allocate beads by default for a character who joins during a scene."""
    if draft.get_campaign().phase == "running":
        lay_beads(draft, char_id, None)


@offers
def offer_allocations(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer an allocation between scenes, or after a default one until the first bead is used."""
    offering = get_offering(seen, draft)
    able_ids = tuple(char_id for char_id in offering.active_ids if may_allocate(offering.draft, char_id) is None)
    pairs = ((char_id, list_allocations(offering.dials, offering.get_character(char_id))) for char_id in able_ids)
    for allocations, ids in group_ids(pairs).items():
        if allocations:
            beads_domain = Either(tuple(map(make_allocation_domain, allocations)))
            yield Move(AllocateBeads, {"character": Among(ids), "beads": beads_domain})
    if may_announce(draft, ()) is None:
        cast_domain = Among(((), *((char_id,) for char_id in list_unallocated(draft, ()))))
        yield Move(AnnounceScene, {"cast": cast_domain})


@fact("session-bead-used", says="{subject} takes the session's extra bead in {element}.")
class SessionBeadUsed:
    """A character used a bead that an Advantage gives once per session."""

    element: ElementName


@changes
def use_session_bead(state: Character, fact: SessionBeadUsed) -> Character | None:
    return piles.gain_beads(piles.use_up(state, "extra-bead:session", 1), {fact.element: 1})


@acts("character")
@declares(
    "use-session-bead",
    either("character"),
    says="{character} takes the session's extra bead in {element}.",
    records=(SessionBeadUsed,),
)
class UseSessionBead:
    """Take an extra bead that was bought for each session. The bead can be of any Element. Each purchase gives one bead
    per session.
    """

    character: CharacterId
    element: ElementName


@guards
def may_take_session_bead(draft: Draft, char_id: str) -> Refused | None:
    state = draft.get_character(char_id)
    if state.used.get("extra-bead:session", 0) >= holdings.SESSION_BEAD.count(state):
        return words.NOT_ENOUGH_BEADS.under(BEAD_REGENERATE, character=char_id)
    return None


@decides
def take_session_bead(draft: Draft, do: UseSessionBead) -> None:
    """Take an extra bead of any Element. Each purchase gives one bead per session."""
    char_id = do.character
    draft.get_character(char_id)
    element = words.read_element(do.element, BEAD_REGENERATE)
    require(may_take_session_bead(draft, char_id))
    posting = holdings.make_posting(holdings.SOURCE, holdings.name_bead_account(char_id, element), 1)
    draft.about(char_id, SessionBeadUsed(element), posting)
    draft.by(BEAD_REGENERATE, 1, element=element)


@offers
def offer_session_beads(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    for char_id in offering.active_ids:
        if may_take_session_bead(draft, char_id) is None:
            yield Move(UseSessionBead, {"character": fix(char_id), "element": Among(words.ELEMENTS)})
