"""What can be declared to grow a Persona: points spent, traits bought, characteristics given up, dice rolled for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import get_args

from ledger.rules.kernel.moves import OPEN, Among, Besides, Between, Domain, Either, Move, Shape
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.at_hand import NO, NONE, AtHand, grouped
from ledger.rules.scattershot.chart import OWN_FACETS, WIDEST
from ledger.rules.scattershot.evolving import cash_in, raise_rating
from ledger.rules.scattershot.facts_of_play import AbilityUseListed
from ledger.rules.scattershot.inputs_of_characters import (
    BuyTrait,
    CashIn,
    Develop,
    RaiseRating,
    StrikeTrait,
    TakeDisadvantage,
)
from ledger.rules.scattershot.listings import use_of
from ledger.rules.scattershot.sheet import Advantage, Protection, Skill
from ledger.rules.scattershot.state import Character, entries
from ledger.rules.scattershot.tables import BASES, STATISTICS, difficulty_base, in_fives
from ledger.rules.scattershot.terms import SheetPart

FEW = 12  # numbers of points that are tried one by one, where the chart may have no row for some
MOST_DICE = 1000


def of_evolving(at: AtHand) -> Iterator[Move]:
    mine = at.mine(at.known)
    yield from _raised(at, mine)
    yield from _bought(at, mine)
    yield from _given_up(at, mine)
    yield from _developed(at, mine)
    yield from _in_play(at, mine)


def _unspent(at: AtHand, id: str) -> int:
    return max(0, at.balance(accounts.unspent(id)))


# --- Ratings ---------------------------------------------------------------------------------------------------------


def _read(at: AtHand, who: Character, name: str, most: int) -> bool:
    """Whether the chart is read anew where this Rating changes, and may have no row for what it becomes."""
    if at.dials.ue_chart is None and who.ratings[name].value + most <= WIDEST:
        return False
    if name == "strength" and who.damages:
        return True
    return any(one.facet is not None and name in (other, one.magnitude) for other, one in who.ratings.items())


def _fitting(most: int, fits: Callable[[int], bool]) -> Domain | None:
    """Those from 1 to the most for which the chart has a row, as far as they are tried; None: not one."""
    found = tuple(n for n in range(1, min(FEW, most) + 1) if fits(n))
    return Among(found) if found else None


def _raised(at: AtHand, mine: tuple[str, ...]) -> Iterator[Move]:
    """`persona.later-points`: 1 unspent point, +1; or into a new ability."""
    for id in mine:
        unspent, who = _unspent(at, id), at.draft.who(id)
        if not unspent:
            continue
        fields: dict[str, Domain] = {"character": Among((id,)), "talent": OPEN}
        free = tuple(name for name in who.ratings if not _read(at, who, name, unspent))
        anyhow: dict[str, Domain] = {"skill": OPEN, "special": OPEN}
        if free:
            yield Move(RaiseRating, {**fields, **anyhow, "rating": Among(free), "points": Between(1, unspent)})
        for name in who.ratings:
            if name not in free:
                points = _fitting(unspent, lambda n: at.accepts(raise_rating, RaiseRating(id, name, n)))  # noqa: B023
                if points is not None:
                    yield Move(RaiseRating, {**fields, **anyhow, "rating": Among((name,)), "points": points})
        fields["points"] = Between(1, unspent)
        for named, skill in _abilities(at, who):
            for special, how in _kinds(at, who, skill):
                yield Move(RaiseRating, {**fields, "rating": named, "special": special, "skill": Shape(Skill, how)})


def _abilities(at: AtHand, who: Character) -> Iterator[tuple[Domain, dict[str, Domain]]]:
    """`listing.ability`: what is on no list; what is, as it is listed, or as a Gamemaster says."""
    how: dict[str, Domain] = dict.fromkeys(
        ("difficulty", "talent", "training", "ability_type", "use", "scope", "duration", "script", "power_cost"), OPEN
    )
    missing = [one.magnitude for one in who.ratings.values() if one.facet is not None and one.magnitude is not None]
    listed = {name: one for name, one in at.draft.campaign().abilities.items() if name not in who.ratings}
    gone = [name for name in missing if name not in who.ratings]
    beside = () if at.rules else tuple(listed)
    yield Besides(tuple(dict.fromkeys((*who.ratings, *STATISTICS, *gone, *beside)))), how
    for name, one in listed.items() if not at.rules else ():
        base = difficulty_base(one.difficulty)
        harder = tuple(word for word, number in BASES.items() if base is None or number <= base)
        cost = Either((Among((0,)), Between(one.power_cost)))
        if harder and name not in gone:
            yield (
                Among((name,)),
                {
                    **how,
                    "difficulty": Among(harder),
                    "power_cost": cost,
                    "special": Among((one.special,)),
                    "scope": Among((None, one.scope)),
                    "duration": Among((None, one.duration)),
                    **_as_listed(use_of(at.draft, name)),
                },
            )


def _as_listed(one: AbilityUseListed) -> dict[str, Domain]:
    """Type, Application and script, where these are listed."""
    return {
        "ability_type": Among(("invoked", one.ability_type)) if one.ability_type != "invoked" else OPEN,
        "use": Among(("", one.use)) if one.use else OPEN,
        "script": Among(((), one.script)) if one.script else OPEN,
    }


def _kinds(at: AtHand, who: Character, how: dict[str, Domain]) -> Iterator[tuple[Domain, dict[str, Domain]]]:
    """`rating.special-ability`: a facet is read from the chart by a Rating that is possessed."""
    shape = {name: domain for name, domain in how.items() if name != "special"}
    said = how.get("special", OPEN)
    either = said.values if isinstance(said, Among) else (False, True)
    if False in either:
        yield NO, {**shape, "facet": OPEN, "magnitude": OPEN}
    if True not in either:
        return
    yes = Among((True,))
    yield yes, {**shape, "facet": NONE, "magnitude": OPEN}
    facets = OWN_FACETS if at.dials.ue_chart is None else _own_facets(at)
    for name in facets:
        readable = tuple(other for other, one in who.ratings.items() if at.on_chart(one.value, name))
        if readable:
            yield yes, {**shape, "facet": Among((name,)), "magnitude": Among(readable)}


def _own_facets(at: AtHand) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(name) for row in at.dials.ue_chart or () for name in row["facets"]))


# --- traits ----------------------------------------------------------------------------------------------------------


def _one_more(count: int) -> int:
    return in_fives(count + 1) - in_fives(count)


def _bought(at: AtHand, mine: tuple[str, ...]) -> Iterator[Move]:
    """An Advantage by its value; what comes by fives; protection, which costs what its ability does."""
    who, level = at.draft.who, {"level": OPEN}
    for unspent, those in grouped(mine, lambda id: _unspent(at, id) or None):
        bought = Shape(Advantage, {"value": Between(1, unspent), "modifier": OPEN, "bars": OPEN})
        yield Move(BuyTrait, {"character": those, "advantage": bought, **level})
    elements = tuple(id for id in mine if _one_more(len(who(id).elements)) <= _unspent(at, id))
    if elements:
        yield Move(BuyTrait, {"character": Among(elements), "element": Besides(()), **level})

    def unskilled(id: str) -> tuple[str, ...] | None:
        ratings = who(id).ratings
        cost = _one_more(sum(1 for one in ratings.values() if one.kind == "free-skill"))
        return tuple(dict.fromkeys((*ratings, *STATISTICS))) if cost <= _unspent(at, id) else None

    for ratings, those in grouped(mine, unskilled):
        yield Move(BuyTrait, {"character": those, "free_skill": Besides(ratings), "level": Between()})
    if mine:
        noted = Shape(Protection, {"static": Between(0), "bought": NONE})
        yield Move(BuyTrait, {"character": Among(mine), "protection": noted, **level})
    for paid, those in grouped(mine, lambda id: _protecting(at, id) or None):
        piece = Shape(Protection, {"static": NONE, "bought": Among(paid)})
        yield Move(BuyTrait, {"character": those, "protection": piece, **level})


def _protecting(at: AtHand, id: str) -> tuple[str, ...]:
    """Abilities of which a piece can be had: the first is free, a further one takes a point."""
    worn = {piece.bought for piece in at.draft.who(id).protection}
    return tuple(name for name in _abilities_of(at.draft.who(id)) if name not in worn or _unspent(at, id) >= 1)


def _abilities_of(who: Character) -> tuple[str, ...]:
    return tuple(name for name, one in who.ratings.items() if one.kind in ("skill", "special-ability"))


# --- what is given up ------------------------------------------------------------------------------------------------


def _given_up(at: AtHand, mine: tuple[str, ...]) -> Iterator[Move]:
    """`xd.cash-in`: so many points as are in it, and as there are dice."""
    alike: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    for id in mine:
        who, by_points = at.draft.who(id), dict[int, list[str]]()
        for name, points in _held(at, who).items():
            most = points if at.in_stock is None else min(points, at.in_stock)
            if most >= 1 and (name not in who.ratings or not _read(at, who, name, 0)):
                by_points.setdefault(most, []).append(name)
            elif most >= 1:
                yield from _given_up_by_row(at, id, name, most)
        for most, names in by_points.items():
            alike.setdefault((most, tuple(names)), []).append(id)
    for (most, those), ids in alike.items():
        given: dict[str, Domain] = {"characteristic": Among(those), "points": Between(1, most)}
        yield Move(CashIn, {"character": Among(tuple(ids)), **given})


def _given_up_by_row(at: AtHand, id: str, name: str, most: int) -> Iterator[Move]:
    fitting = _fitting(most, lambda n: at.accepts(cash_in, CashIn(id, name, n)))
    if fitting is not None:
        yield Move(CashIn, {"character": Among((id,)), "characteristic": Among((name,)), "points": fitting})


def _held(at: AtHand, who: Character) -> dict[str, int]:
    """The points there are to give up; a Rating goes before a trait of its name, the first of a name before others.

    Of Disadvantages only where the table lets them be given up.
    """
    lowest = at.dials.stat_minimum_points
    disadvantages = who.disadvantages if at.dials.cash_in_disadvantages else ()
    held = {one.name: int(one.value) for one in reversed((*who.advantages, *disadvantages))}
    return held | {name: one.points - (lowest if one.kind == "statistic" else 0) for name, one in who.ratings.items()}


def _developed(at: AtHand, mine: tuple[str, ...]) -> Iterator[Move]:
    """`xd.develop`: own dice and Loaners together, one at least; no Gamemaster's. Faces are asked for."""
    for (own, loaners), those in grouped(mine, lambda id: _dice_of(at, at.draft.owner(id))):
        if own:
            both: dict[str, Domain] = {"own": Between(1, own), "loaners": Between(0, loaners)}
            yield Move(Develop, {"character": those, **both})
        if loaners:
            yield Move(Develop, {"character": those, "own": Between(0, own), "loaners": Between(1, loaners)})


def _dice_of(at: AtHand, player: str) -> tuple[int, int] | None:
    """A Player's own, and Loaners there can be more."""
    if at.draft.is_gm(player):
        return None
    own = min(MOST_DICE // 2, max(0, at.balance(accounts.purse(player))))
    more = at.loaners(player) if at.dials.loaner_unopposed != "refuse" else 0
    return own, min(MOST_DICE // 2, more) if more is not None else MOST_DICE // 2


# --- what Play adds and takes away -----------------------------------------------------------------------------------


def _in_play(at: AtHand, mine: tuple[str, ...]) -> Iterator[Move]:
    """`persona.in-play`"""
    if mine:
        yield Move(TakeDisadvantage, {"character": Among(mine), "value": Either((NONE, Between(1)))})
    parts: tuple[SheetPart, ...] = get_args(SheetPart)
    for part in parts:
        for names, those in grouped(mine, lambda id: entries(at.draft.who(id), part) or None):  # noqa: B023
            yield Move(StrikeTrait, {"character": those, "trait": Among((part,)), "name": Among(names)})
