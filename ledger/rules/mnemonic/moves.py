"""What can be declared now, as the viewer is shown the game: ratings of script immunity are secret in it.

What the referee rules is said once for each seat that rules, and of it alone: a game master who is not the referee is
refused. What nobody waits for is left out where the seat that asks does not rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.moves import OPEN, Among, Move, Some
from ledger.rules.kernel.offers import list_kernel_moves
from ledger.rules.kernel.seen import Seen
from ledger.rules.mnemonic.as_seen import AsSeen
from ledger.rules.mnemonic.authority import AUTHORITY
from ledger.rules.mnemonic.inputs import (
    DeclareAction,
    DescribeAbilities,
    RateImportance,
    RuleImmunity,
    RuleOrder,
    SeatReferee,
    TakePart,
)
from ledger.rules.mnemonic.moves_of_checks import checks
from ledger.rules.mnemonic.moves_of_injuries import injuries
from ledger.rules.mnemonic.moves_of_rolls import rolls
from ledger.rules.mnemonic.moves_of_traits import assigning, rating
from ledger.rules.mnemonic.tables import PRESETS


def moves(seen: Seen) -> Iterator[Move]:
    there = AsSeen(seen)
    yield from list_kernel_moves(seen)
    yield from _chair(there)
    yield from _words(there)
    yield from rolls(there)
    yield from of_the_referee(there, _rulings(there))


def of_the_referee(there: AsSeen, those: Iterable[Move]) -> Iterator[Move]:
    """Of each seat that rules, and nobody else. What nobody waits for is only for the seat that asks."""
    for move in those:
        for seat in there.referees:
            if move.awaits is not None or seat == there.seen.seat.seat:
                yield changed(move, of=seat, seats=(seat,))


def _rulings(there: AsSeen) -> Iterator[Move]:
    yield from checks(there)
    if there.rules:
        yield from _people(there)
        yield from _drama(there)
        yield from _aptitudes(there)
        yield from injuries(there)


# --- who rules, who is there --------------------------------------------------------------------------------------


def _chair(there: AsSeen) -> Iterator[Move]:
    """mnemonic.ruling.authority: a referee who has left the table is awaited anew."""
    seats = tuple(id for id, one in there.seats.items() if one.role != "observer")
    if there.seen.seat.role == "gm" or there.rules or not there.seen.decides:
        yield Move(SeatReferee, {"seat": Among(seats)}, AUTHORITY if not there.referees else None)


def _words(there: AsSeen) -> Iterator[Move]:
    """mnemonic.feather.describe, mnemonic.status.inactive: what is said for a character."""
    seat, mine = there.seen.seat.seat, there.mine
    if mine and not there.unruled:
        yield Move(DescribeAbilities, {"character": Among(mine)}, of=seat, seats=(seat,))
    for physical in (True, False):
        if able := tuple(id for id in mine if there.able(id, physical)):
            fields = {"character": Among(able), "physical": Among((physical,))}
            yield Move(DeclareAction, fields, of=seat, seats=(seat,))


def _people(there: AsSeen) -> Iterator[Move]:
    """mnemonic.feather.assign, mnemonic.trait.rate, mnemonic.ruling.order"""
    everybody = Among(tuple(there.beings))
    session = there.seen.session
    if session is not None:
        yield Move(TakePart, {"characters": Some(everybody), "session": Among((None, session))})
    yield from rating(there, tuple(there.beings))
    yield Move(RuleOrder, {"order": Some(everybody)})


# --- script immunity ----------------------------------------------------------------------------------------------


def _drama(there: AsSeen) -> Iterator[Move]:
    """mnemonic.dramatic.source, mnemonic.dramatic.presets"""
    if there.dials.dramatic_source == "off" or not there.beings:
        return
    everybody = Among(tuple(there.beings))
    yield Move(RuleImmunity, {"character": everybody, "source": OPEN, "known_to": OPEN})
    if there.ladder:
        yield Move(RateImportance, {"character": everybody, "rating": Among(there.ratings)})
    for preset, suggested in PRESETS.items():
        known = tuple(name for name in suggested if there.counts(name) is not None)
        left_out = ("",) if suggested[0] in known else ()
        if known:
            fields = {"character": everybody, "preset": Among((preset,)), "rating": Among((*left_out, *known))}
            yield Move(RateImportance, fields)


# --- assigned Aptitudes -------------------------------------------------------------------------------------------


def _aptitudes(there: AsSeen) -> Iterator[Move]:
    for being in there.beings.values():
        yield from assigning(there, being)
