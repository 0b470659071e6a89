"""Who can roll now and what can be typed in: as many numbers as the method and the flukes among them ask for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import groupby

from ledger.rules.kernel.moves import OPEN, Among, Between, Domain, Either, Move, Row, Shape, Some
from ledger.rules.mnemonic.as_seen import AsSeen, Shown
from ledger.rules.mnemonic.flukes import EDGES
from ledger.rules.mnemonic.guards import STEPS
from ledger.rules.mnemonic.inputs import Card, EnterRoll, Resolve
from ledger.rules.mnemonic.tables import HIGHEST, RANKS, SUITS
from ledger.rules.mnemonic.terms import THREE_METHODS

Fields = dict[str, Domain]
#: What a number of some of these faces can be.
Saying = Callable[[Collection[int]], Domain]
FACES = tuple(range(1, HIGHEST + 1))
#: As a card's rank is said: one way for each face.
RANK_OF = {face: rank.upper() for rank, face in reversed(RANKS.items())}
NOTHING = Among((None,))


def rolls(there: AsSeen) -> Iterator[Move]:
    """mnemonic.ruling.before-roll: what was ruled is rolled; what was rolled and left comes out."""
    for checks, awaits in ((there.checks, STEPS), (there.left, None)):
        going_on = [one for one in checks if one["stage"] in ("ruled", "rolled") and there.goes_on(one)]
        waiting = [one for one in going_on if one["stage"] == "ruled"]
        for seats, awaited, those in _by_roller(there, waiting):
            for settled in _typed(those):
                for seat in seats:
                    yield Move(EnterRoll, settled, awaits if awaited else None, seat, seats=(seat,))
        rolled = sorted((one for one in going_on if one["stage"] == "rolled"), key=_character)
        for who, entered in groupby(rolled, key=_character):
            yield Move(Resolve, {"check": Among(tuple(one["id"] for one in entered))}, awaits, of=who)


def _character(check: Shown) -> str:
    return str(check["character"])


def _by_roller(there: AsSeen, waiting: list[Shown]) -> Iterator[tuple[tuple[str, ...], bool, list[Shown]]]:
    """Checks with the seats that can roll, and whether these are awaited: the player; else who rules."""
    seat = there.seen.seat.seat
    for who, those in groupby(sorted(waiting, key=_character), key=_character):
        checks = list(those)
        player = there.player_of(who)
        yield (player,) if player is not None else there.referees, True, checks
        too = seat not in there.referees if player is None else seat != player
        if too and who in there.mine:
            yield (seat,), False, checks


# --- typed in -----------------------------------------------------------------------------------------------------


def _typed(checks: list[Shown]) -> Iterator[Fields]:
    """Every way to enter the roll; checks that are rolled alike together."""
    for (method, flukes, rule), those in groupby(sorted(checks, key=_way), key=_way):
        settled: Fields = {"check": Among(tuple(one["id"] for one in those)), "resolve": Among((True, False))}
        if method == "verbal":
            ways = _verbal(flukes, rule)
        elif method in THREE_METHODS:
            ways = ({"numbers": THREE}, *(({"cards": THREE_CARDS},) if method == "three_card" else ()))
        else:
            ways = ({"numbers": _run(_number, flukes)},)
            ways = (*ways, {"cards": _run(_card, flukes)}) if method == "one_card" else ways
        yield from ([settled] if method != "verbal" else [])
        yield from ({**settled, **way} for way in ways)


def _way(check: Shown) -> tuple[str, bool, str]:
    return str(check["method"]), bool(check["readings"]["flukes"]), str(check["readings"]["verbal_rule"])


def _verbal(flukes: bool, rule: str) -> tuple[Fields, ...]:
    """mnemonic.random.verbal: the number itself, the voices being a note; or voices that count round to it.

    Of voices that could make a fluke two speak in each round: what three make cannot be said so.
    """
    if rule == "entered":
        return ({"numbers": _run(_number, flukes), "voices": OPEN},)
    one_round = _round(INNER) if flukes else _round(FACES)
    return {"voices": _run(_round, flukes)}, {"numbers": one_round}


def _run(say: Saying, flukes: bool) -> Domain:
    """mnemonic.fluke.one: one number; after a 1 or 12 another, and a third while they are the same."""
    if not flukes:
        return Row((say(FACES),))
    rows = [Row((say(INNER),))]
    for edge in EDGES:
        same, other = say((edge,)), say([face for face in FACES if face != edge])
        rows += [Row((same, other)), Row((same, same, say(FACES)))]
    return Either(tuple(rows))


def _number(faces: Collection[int]) -> Domain:
    return Between(min(faces), max(faces))


def _card(faces: Collection[int]) -> Domain:
    """mnemonic.random.cards"""
    return Shape(Card, {"rank": Among(tuple(RANK_OF[face] for face in faces)), "suit": Among((None, *SUITS))})


def _round(faces: Collection[int]) -> Domain:
    """Numbers spoken, which count round and round to one of these."""
    if len(faces) == HIGHEST:
        return Some(Between(1, HIGHEST), 2, repeats=True)
    seconds = ((one, tuple(two for two in FACES if (one + two - 1) % HIGHEST + 1 in faces)) for one in FACES)
    return Either(tuple(Row((Among((one,)), Among(two))) for one, two in seconds))


INNER = tuple(face for face in FACES if face not in EDGES)
THREE = Some(Between(1, HIGHEST), 3, 3, repeats=True)
_RANKS = Among(tuple(RANK_OF[face] for face in FACES))
_BARE = Shape(Card, {"rank": _RANKS, "suit": NOTHING})
_SUITED = Shape(Card, {"rank": _RANKS, "suit": Among(SUITS)})
#: Of three drawn together none is another: as far as their suits are said.
THREE_CARDS = Either((
    Some(Either((_BARE, _SUITED)), 3, 3), Row((_BARE, _BARE, _BARE)), Row((_BARE, _BARE, _SUITED)),
    Row((_BARE, _SUITED, _BARE)), Row((_SUITED, _BARE, _BARE)),
))  # fmt: skip
