"""The methods of getting a number from 1 to 12: dice, cards, voices, one or three. Heading: flukes.

What was typed in is checked here; where nothing was, the ruling asks for dice or cards, with the repeats a fluke needs.
"""

from __future__ import annotations

from dataclasses import dataclass

from ledger.rules.kernel.questions import Asking, draw, roll
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Audience, Subject, character
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.facts import CheckRuled
from ledger.rules.mnemonic.flukes import more_needed
from ledger.rules.mnemonic.inputs import Card, EnterRoll
from ledger.rules.mnemonic.tables import HIGHEST, KINGS, PACK, RANKS
from ledger.rules.mnemonic.terms import ONE_CARD_METHODS, THREE_METHODS, Method, Number, is_method, is_whole, same_name

ONE = "mnemonic.random.one"
THREE = "mnemonic.random.three"
CARDS = "mnemonic.random.cards"
VERBAL = "mnemonic.random.verbal"
TOTAL = "mnemonic.check.total"


@dataclass(frozen=True, slots=True)
class Numbers:
    """`entered`: as said at the table; `faces`: the numbers they stand for."""

    entered: tuple[str, ...]
    faces: tuple[int, ...]


def method_of(dials: Dials, named: str | None) -> Method:
    """The method of a ruling: the one named, else the table's usual one. Refuses `unknown-method`."""
    method = dials.random_default if named is None else named
    if not is_method(method) or method not in dials.random_ways:
        raise Refused(ONE, "unknown-method", method=method)
    return method


def numbers_of(check: CheckRuled, do: EnterRoll) -> Asking[Numbers]:
    """The numbers entered for a check, all of them; what is missing altogether is asked for."""
    given = _typed(check, do)
    if given is not None:
        _must_be_complete(check, given.faces)
        return given
    if check.method == "verbal":
        raise Refused(ONE, "roll-again-needed", method=check.method)
    return (yield from _asked(check))


# --- typed in -----------------------------------------------------------------------------------------------------


def _typed(check: CheckRuled, do: EnterRoll) -> Numbers | None:
    if do.cards is not None and (do.numbers is not None or do.voices is not None):
        raise Refused(CARDS, "other-method", method=check.method)
    if do.voices is not None and check.method != "verbal":
        raise Refused(VERBAL, "other-method", method=check.method)
    if do.cards is not None and check.method not in ONE_CARD_METHODS:
        raise Refused(CARDS, "other-method", method=check.method)
    if check.method == "verbal" and check.readings.verbal_rule == "sum_mod_12":
        if do.voices is not None:
            return _voices(do.voices)
        if do.numbers is not None:
            return _voices((do.numbers,) if do.numbers else ())
        return None
    if do.cards is not None:
        return _cards(check.method, do.cards)
    return _plain(do.numbers) if do.numbers is not None else None


def _plain(numbers: tuple[Number, ...]) -> Numbers:
    """Numbers as they are; each a whole one from 1 to 12."""
    faces = tuple(map(_face, numbers))
    return Numbers(tuple(map(str, faces)), faces)


def _face(number: Number) -> int:
    if not is_whole(number) or not 1 <= number <= HIGHEST:
        raise Refused(TOTAL, "face-out-of-range", face=number, sides=HIGHEST)
    return number


def _cards(method: Method, cards: tuple[Card, ...]) -> Numbers:
    """Cards by rank; the same one twice cannot be among three drawn together."""
    faces = tuple(_rank(card) for card in cards)
    suits = [same_name(card.suit or "") for card in cards]
    whole = [(face, suit) for face, suit in zip(faces, suits, strict=True) if suit]
    if method == "three_card" and len(set(whole)) != len(whole):
        raise Refused(CARDS, "card-drawn-twice")
    said = tuple(
        f"{card.rank} of {card.suit}" if suit else str(card.rank) for card, suit in zip(cards, suits, strict=True)
    )
    return Numbers(said, faces)


def _rank(card: Card) -> int:
    rank = same_name(str(card.rank)) if isinstance(card.rank, str) or is_whole(card.rank) else ""
    if rank in KINGS:
        raise Refused(CARDS, "redraw-king")
    if rank not in RANKS:
        raise Refused(CARDS, "unknown-card", rank=card.rank)
    return RANKS[rank]


def _voices(rounds: tuple[tuple[Number, ...], ...]) -> Numbers:
    """Each round of two or more voices counts round and round from one to twelve."""
    entered: list[str] = []
    faces: list[int] = []
    for spoken in rounds:
        voices = tuple(map(_face, spoken))
        if len(voices) < 2:
            raise Refused(VERBAL, "too-few-voices", voices=len(voices))
        entered.append("+".join(map(str, voices)))
        faces.append((sum(voices) - 1) % HIGHEST + 1)
    return Numbers(tuple(entered), tuple(faces))


def _must_be_complete(check: CheckRuled, faces: tuple[int, ...]) -> None:
    """Three for three; one for one, with exactly the repeats that flukes ask for."""
    if check.method in THREE_METHODS:
        if len(faces) != 3:
            raise Refused(THREE, "three-faces-needed", given=len(faces))
        return
    for known in range(len(faces) + 1):
        if not more_needed(check.readings.flukes, faces[:known]):
            if known < len(faces):
                raise Refused(_repeats(known), "too-many-faces", needed=known, given=len(faces))
            return
    raise Refused(_repeats(len(faces)), "roll-again-needed", given=len(faces))


def _repeats(known: int) -> str:
    return ONE if known == 0 else "mnemonic.fluke.one"


# --- asked for ----------------------------------------------------------------------------------------------------


def _asked(check: CheckRuled) -> Asking[Numbers]:
    """Dice or cards of whoever rolls. A card drawn again for a fluke comes from the whole pack."""
    who, audience = character(check.character), None
    if check.method == "three_dice":
        faces = yield from _dice(who, 3, "three numbers", audience)
        return Numbers(tuple(map(str, faces)), faces)
    if check.method == "three_card":
        cards = yield from draw(who, 3, PACK, slot="check", purpose="three cards")
        return Numbers(cards, tuple(map(_face_of, cards)))
    entered: list[str] = []
    numbers: tuple[int, ...] = ()
    while more_needed(check.readings.flukes, numbers):
        purpose = "the roll" if not numbers else f"again, after {numbers[-1]}"
        if check.method == "one_card":
            (card,) = yield from draw(who, 1, PACK, slot="check", purpose=purpose)
            entered.append(card)
            numbers = (*numbers, _face_of(card))
        else:
            (face,) = yield from _dice(who, 1, purpose, audience)
            entered.append(str(face))
            numbers = (*numbers, face)
    return Numbers(tuple(entered), numbers)


def _dice(who: Subject, count: int, purpose: str, audience: Audience) -> Asking[tuple[int, ...]]:
    return (
        yield from roll(
            who, count, HIGHEST, slot="check", purpose=purpose, audience=audience, rule=TOTAL,
            count_code="three-faces-needed" if count == 3 else "roll-again-needed", face_code="face-out-of-range",
        )
    )  # fmt: skip


def _face_of(card: str) -> int:
    return RANKS[same_name(card.partition(" ")[0])]
