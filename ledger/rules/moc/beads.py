"""A scene's beads: how many there are and how they are allocated (headings "Beads", "Allocating Beads")."""

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
from ledger.rules.moc.shown import fix, group_ids, look
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
    """Return the beads of each Element, and what the allocation costs."""
    default = " (by default)" if fact.by_default else ""
    cost = f" (the allocation costs {fact.cost} of {fact.allowance} beads)" if fact.cost and not fact.by_default else ""
    return f"{words.say_whom(names)} has {words.say_beads(fact.pools)} for the scene{default}{cost}."


@fact("beads-allocated", says=say_allocated, headline=34)
class BeadsAllocated:
    """A character's beads were allocated. `pools`: all beads by Element, including the archetype's. `cost`: how many
    beads of the allowance were spent on moving beads. `by_default`: whether nobody allocated the beads, so that all of
    them are in the primary Element. The allocation can change until the first bead is used.
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


def price_beads(allowed: int, secondary: int, other: int) -> int:
    """Return the price of moved beads: up to a third go to secondary Elements for 1 each, more for 2; all others
    cost 3.
    """
    free = min(secondary, floor(Fraction(allowed, 3)))
    return free + 2 * (secondary - free) + 3 * other


STEPS = 16  # steps for allocating very many beads
LOTS = 4  # lots in which a Wildcard allocates beads


#: An allocation: the most beads of each Element.
Box: TypeAlias = tuple[tuple[str, int], ...]
Boxes: TypeAlias = tuple[Box, ...]


def make_allocation(box: Box) -> Domain:
    return Entries({element: Between(0, n) for element, n in box})


def list_boxes(dials: Dials, who: Character) -> Boxes:
    """Return every affordable way to allocate beads: the most for each Element except the primary one.

    There is none if a bought bead has no Element to go to.
    """
    allowed = count_allowance(find_bead_rate(dials), *(who.ratings[primary] for primary in words.PRIMARIES))
    if not dials.trumped_beads_regenerate:
        allowed = max(0, allowed - who.used.get("trumped-beads:session", 0))
    if who.primaries:
        return _list_paid(allowed, who.primaries, who.secondaries, holdings.list_prices(who))
    return () if holdings.SCENE_BEAD.count(who) else _list_wild(allowed, dials.wildcard_allocation == "free")


@lru_cache(maxsize=1000)
def _list_paid(
    allowed: int, primaries: tuple[str, ...], secondaries: tuple[str, ...], prices: tuple[tuple[str, int], ...]
) -> Boxes:
    """Return the affordable allocations. With very many beads, return only steps, and each Element alone."""
    others = tuple(element for element in words.ELEMENTS if element != primaries[0])
    step = max(1, allowed // STEPS)

    def fits(laid: tuple[int, ...]) -> bool:
        return (
            price_allocation(primaries, secondaries, dict(zip(others, laid, strict=True)), allowed, prices) <= allowed
        )

    paid = {laid for laid in product(range(0, allowed + 1, step), repeat=len(others)) if fits(laid)}
    top = {laid for laid in paid if not any(_add_step(laid, place, step) in paid for place in range(len(laid)))}
    if step > 1:
        for place in range(len(others)):
            alone = (_add_step((0,) * len(others), place, n) for n in range(allowed, 0, -1))
            top |= set(islice(filter(fits, alone), 1))
    return tuple(tuple(zip(others, laid, strict=True)) for laid in sorted(top))


def _add_step(laid: tuple[int, ...], place: int, step: int) -> tuple[int, ...]:
    return (*laid[:place], laid[place] + step, *laid[place + 1 :])


@lru_cache(maxsize=1000)
def _list_wild(allowed: int, free: bool) -> Boxes:
    """Return a Wildcard's allocations, in lots."""
    number = allowed if free else allowed // 3 + (allowed - allowed // 3) // 2
    lot, over = divmod(number, LOTS)
    ways = [way for way in product(range(LOTS + 1), repeat=len(words.ELEMENTS)) if sum(way) == LOTS]
    return tuple(_deal_lots(way, lot, over) for way in ways)


def _deal_lots(way: tuple[int, ...], lot: int, over: int) -> tuple[tuple[str, int], ...]:
    """Return the beads of each Element; the remainder goes to the one with the most lots."""
    more = way.index(max(way))
    return tuple(
        (element, n * lot + (over if place == more else 0))
        for place, (element, n) in enumerate(zip(words.ELEMENTS, way, strict=True))
    )


def price_allocation(
    primaries: tuple[str, ...],
    secondaries: tuple[str, ...],
    laid: Mapping[str, int],
    allowed: int,
    prices: tuple[tuple[str, int], ...],
) -> int:
    """Return the cost of an allocation. `prices`: agreed prices by Element."""
    agreed = dict(prices)
    usual = {element: n for element, n in laid.items() if element not in agreed}
    moved = sum(n for element, n in usual.items() if element in primaries)
    secondary = sum(n for element, n in usual.items() if element in secondaries and element not in primaries)
    other = sum(usual.values()) - moved - secondary
    dear = sum(n * agreed[element] for element, n in laid.items() if element in agreed)
    return price_beads(allowed, secondary, other) + moved + dear


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


def say_allocating(fact: AllocateBeads, names: Names) -> str:
    where = f": {words.say_beads(fact.beads)}" if any(fact.beads.values()) else ""
    return f"{words.say_who(names, fact.character)} allocates beads{where}."


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
    """Allocate beads before the scene. After a default allocation, this is possible once in the scene, until the
    first bead is used.
    """
    id = do.character
    wanted = _read_beads(do.beads)
    require(may_allocate(draft, id))
    lay_beads(draft, id, wanted)


def lay_beads(draft: Draft, id: str, wanted: dict[str, int] | None) -> None:
    """Allocate a character's beads; a default allocation is replaced. `wanted`: None for the default."""
    who, rate = draft.get_character(id), find_bead_rate(draft.dials)
    allowed = count_allowance(rate, *(who.ratings[primary] for primary in words.PRIMARIES))
    draft.by(BEAD_ALLOWANCE, allowed, rate=str(rate))
    if not draft.dials.trumped_beads_regenerate:
        allowed = max(0, allowed - who.used.get("trumped-beads:session", 0))
    cost, pools = _price_beads_laid(
        draft, who, allowed, _spread_beads(draft, who, allowed) if wanted is None else wanted
    )
    more = dict.fromkeys(
        words.ARCHETYPES[who.archetype][0][:1] if who.archetype in words.ARCHETYPES else (), ARCHETYPE_BEADS
    )
    bought = holdings.SCENE_BEAD.count(who)
    if bought and who.primaries:
        more[who.primaries[0]] = more.get(who.primaries[0], 0) + bought
    elif bought and wanted is not None:
        raise NO_PRIMARY_ELEMENT(character=id)
    for element, n in holdings.list_scene_beads(who).items():
        more[element] = more.get(element, 0) + n
        draft.by(holdings.AGREED_EFFECT, n, does="scene-beads", of=element)
    pools = {element: pools.get(element, 0) + more.get(element, 0) for element in {**pools, **more}}
    pools = {element: n for element, n in pools.items() if n > 0}
    back = [holdings.move(holdings.bead(id, element), holdings.SOURCE, n) for element, n in who.pools.items()]
    moved = [holdings.move(holdings.SOURCE, holdings.bead(id, element), n) for element, n in pools.items()]
    draft.about(id, BeadsAllocated(allowed, cost, pools, wanted is None), *back, *moved)
    draft.by(BEAD_ALLOCATE, cost, allowance=allowed)


def _price_beads_laid(draft: Draft, who: Character, allowed: int, wanted: dict[str, int]) -> tuple[int, dict[str, int]]:
    """Return the price and the allocated beads. Refuses `primary-takes-the-rest`, `not-enough-beads`."""
    if not who.primaries:
        first = draft.dials.wildcard_allocation == "free"
        cost = sum(wanted.values()) if first else price_beads(allowed, sum(wanted.values()), 0)
        if cost > allowed:
            raise words.NOT_ENOUGH_BEADS.under(BEAD_ALLOCATE, cost=cost, allowance=allowed)
        return cost, dict(wanted)
    primary, prices = who.primaries[0], holdings.list_prices(who)
    if primary in wanted:
        raise PRIMARY_TAKES_THE_REST(element=primary)
    cost = price_allocation(who.primaries, who.secondaries, wanted, allowed, prices)
    for element, price in prices:
        if wanted.get(element):
            draft.by(holdings.AGREED_EFFECT, price, does="bead-price", of=element)
    if cost > allowed:
        raise words.NOT_ENOUGH_BEADS.under(BEAD_ALLOCATE, cost=cost, allowance=allowed)
    return cost, {**wanted, primary: allowed - cost}


def _spread_beads(draft: Draft, who: Character, allowed: int) -> dict[str, int]:
    """Return the default allocation: all beads in the primary Element, or spread evenly if there is none."""
    if who.primaries:
        return {}
    number = allowed
    if draft.dials.wildcard_allocation != "free":
        number = allowed // 3 + (allowed - allowed // 3) // 2
    each, over = divmod(number, len(words.ELEMENTS))
    return {element: each + (place < over) for place, element in enumerate(words.ELEMENTS)}


@guards
def may_allocate(draft: Draft, id: str) -> Refused | None:
    """Refuses `already-allocated`, `not-in-interval`, `bead-used`."""
    who = draft.get_character(id)
    if draft.get_campaign().phase == "interval":
        if who.allocated:
            return ALREADY_ALLOCATED(character=id)
        return None
    if not who.asked:
        return words.NOT_IN_INTERVAL.under(BEAD_ALLOCATE, character=id)
    had = {element: who.pools.get(element, 0) + who.gained.get(element, 0) for element in words.ELEMENTS}
    if any(draft.count_beads(id, element) < n for element, n in had.items()):
        return BEAD_USED(character=id)
    return None


@nobody_acts
@declares("announce-scene", GM, says="A new scene is about to begin[, with {cast}].", records=(BeadsAllocated,))
class AnnounceScene:
    """Announce the next scene. Players who have not allocated their beads are asked how to allocate them.

    `cast`: the characters of the scene. Leave it out for everybody.
    """

    cast: tuple[CharacterId, ...] = ()


def list_waiting(draft: Draft, cast: tuple[str, ...]) -> list[str]:
    """Return the characters of the cast who have not allocated beads."""
    return [id for id in list_playing(draft) if not draft.get_character(id).allocated and (not cast or id in cast)]


@guards
def may_announce(draft: Draft, cast: tuple[str, ...]) -> Refused | None:
    if (early := may_prepare(draft, BEAD_ALLOCATE)) is not None:
        return early
    for id in cast:
        draft.get_character(id)
    return None if list_waiting(draft, cast) else ALREADY_ALLOCATED(cast=list(cast))


@decides
def announce_scene(draft: Draft, do: AnnounceScene) -> Asking[None]:
    """Ask all players who have not allocated beads, at the same time."""
    require(may_announce(draft, do.cast))
    yield from ask_all(_ask_for_beads(draft, id) for id in list_waiting(draft, do.cast))


def _ask_for_beads(draft: Draft, id: str) -> Asking[None]:
    purpose = "how the beads for the next scene are allocated"
    whose = draft.table.owner(character(id))
    within = _list_ways(draft.aside(), id)
    answer = yield from ask(whose, Allocate, LeaveAll, slot=ASK_BEADS(id), purpose=purpose, within=within)
    try:
        lay_beads(draft, id, _read_beads(answer.beads) if isinstance(answer, Allocate) else None)
    except Refused as no:
        raise Unfit(no.rule, no.code, **no.context) from None


def _read_beads(sent: Mapping[str, words.Number]) -> dict[str, int]:
    return {
        words.read_element(element, BEAD_ALLOCATE): words.read_whole(n, words.NEGATIVE_BEADS, BEAD_ALLOCATE)
        for element, n in sent.items()
    }


def _list_ways(draft: Draft, id: str) -> Iterator[Shape]:
    ways = list_boxes(draft.dials, draft.get_character(id))
    yield Shape(Allocate, {"beads": Either(tuple(map(make_allocation, ways))) if ways else Among(())})


def list_playing(draft: Draft) -> list[str]:
    return [who.id for who in draft.table.subjects("character") if draft.get_character(who.id).status not in words.GONE]


def award_beads(draft: Draft) -> None:
    """Allocate beads by default for everybody who has not; they can still change it."""
    for id in list_playing(draft):
        if not draft.get_character(id).allocated:
            lay_beads(draft, id, None)


def award_newcomer(draft: Draft, id: str) -> None:
    """Allocate beads by default for a character who joins while a scene runs."""
    if draft.get_campaign().phase == "running":
        lay_beads(draft, id, None)


@offers
def offer_allocations(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer an allocation between scenes, or after a default one until the first bead is used."""
    now = look(seen, draft)
    able = tuple(id for id in now.alive if may_allocate(now.draft, id) is None)
    for ways, ids in group_ids((id, list_boxes(now.dials, now.get_character(id))) for id in able).items():
        if ways:
            laid = Either(tuple(map(make_allocation, ways)))
            yield Move(AllocateBeads, {"character": Among(ids), "beads": laid})
    if may_announce(draft, ()) is None:
        cast = Among(((), *((id,) for id in list_waiting(draft, ()))))
        yield Move(AnnounceScene, {"cast": cast})


@fact("session-bead-used", says="{subject} takes the session's extra bead in {element}.")
class SessionBeadUsed:
    """A bead that an Advantage gives once a session was used."""

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
    """Take an extra bead that was bought for each session. The bead can be of any Element. Each such purchase gives one
    bead a session.
    """

    character: CharacterId
    element: ElementName


@guards
def may_take_session_bead(draft: Draft, id: str) -> Refused | None:
    who = draft.get_character(id)
    if who.used.get("extra-bead:session", 0) >= holdings.SESSION_BEAD.count(who):
        return words.NOT_ENOUGH_BEADS.under(BEAD_REGENERATE, character=id)
    return None


@decides
def take_session_bead(draft: Draft, do: UseSessionBead) -> None:
    """Take an extra bead of any Element. Each purchase gives one a session."""
    id = do.character
    draft.get_character(id)
    element = words.read_element(do.element, BEAD_REGENERATE)
    require(may_take_session_bead(draft, id))
    draft.about(id, SessionBeadUsed(element), holdings.move(holdings.SOURCE, holdings.bead(id, element), 1))
    draft.by(BEAD_REGENERATE, 1, element=element)


@offers
def offer_session_beads(seen: Seen, draft: Draft) -> Iterator[Move]:
    now = look(seen, draft)
    for id in now.alive:
        if may_take_session_bead(draft, id) is None:
            yield Move(UseSessionBead, {"character": fix(id), "element": Among(words.ELEMENTS)})
