"""How numbers from 1 to 12 are produced: by dice or cards (one or three), or by voices.

Typed numbers are checked here. If nothing was typed, the ruling asks for dice or cards, with the repeats that a fluke
needs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeAlias

from ledger.rules.kernel.kit import (
    OPEN,
    Among,
    Asking,
    Between,
    Domain,
    Either,
    Question,
    Refusal,
    Refused,
    Row,
    Shape,
    SharedRefusal,
    Some,
    Subject,
    Title,
    character,
    draw,
    guards,
    require,
    roll,
    rule,
)
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.flukes import EDGES, FLUKE_ONE, ONE, THREE, VERBAL, are_faces_incomplete
from ledger.rules.mnemonic.records import CheckRuled
from ledger.rules.mnemonic.words import (
    HIGHEST,
    KINGS,
    ONE_CARD_METHODS,
    PACK,
    RANKS,
    SUITS,
    THREE_METHODS,
    Method,
    Number,
    Rank,
    is_method,
    is_whole,
    normalize_name,
)

ASK_CHECK = Question("check", "{who} must roll or draw for the check: {purpose}.")
UNKNOWN_METHOD = Refusal(
    ONE,
    "unknown-method",
    "This table does not use the method {method}. Choose one of its other methods.",
)
OTHER_METHOD = SharedRefusal("other-method", "This check uses another method: {method}.")
ROLL_AGAIN = SharedRefusal("roll-again-needed", "[{given:number is|numbers are} not enough. ]Enter one more number.")
TOO_MANY = SharedRefusal("too-many-faces", "{given:number is|numbers are} too many. This needs only {needed}.")
THREE_NEEDED = SharedRefusal("three-faces-needed", "Enter exactly three numbers[, not {given}].")
TOO_FEW_VOICES = Refusal(
    VERBAL,
    "too-few-voices",
    "{voices:spoken number is|spoken numbers are} not enough. Enter at least two.",
)


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of a roll. `entered`: the numbers, cards or voices as given at the table. `faces`: the numbers they
    stand for.
    """

    entered: tuple[str, ...]
    faces: tuple[int, ...]


# --- methods ----------------------------------------------------------------------------------------------------------


@guards
def may_roll_by(dials: Dials, named_method: str | None) -> Refused | None:
    """Refuse a method that the table does not use. None means the table's usual method."""
    method = dials.random_default if named_method is None else named_method
    return UNKNOWN_METHOD(method=method) if not is_method(method) or method not in dials.random_ways else None


def read_method(dials: Dials, named_method: str | None) -> Method:
    """Return the method of a ruling: the named one, or else the table's usual one. Refuses `unknown-method`."""
    require(may_roll_by(dials, named_method))
    method = dials.random_default if named_method is None else named_method
    assert is_method(method), "`may_roll_by` has checked this"
    return method


def list_methods(dials: Dials) -> tuple[str | None, ...]:
    return tuple(method for method in (None, *dials.random_ways) if may_roll_by(dials, method) is None)


# --- rolls that are typed in ------------------------------------------------------------------------------------------


def say_total(given: Mapping[str, Any]) -> str:
    if "chances" not in given:
        return ""
    chances_phrase = f"minus {-given['chances']}" if given["chances"] < 0 else "plus {chances}"
    return f"Aptitude {{aptitude}} minus the roll of {{roll}} {chances_phrase} for the Chances is {{out}}."


TOTAL = rule(
    "mnemonic.check.total",
    "The total of a Success Check is the Aptitude, minus the roll (1 to 12), plus the number of the Chances.",
    "calculating status",
    step=say_total,
)
OUT_OF_RANGE = Refusal(TOTAL, "face-out-of-range", "[{face} cannot be rolled. ]Enter a number from 1 to {sides}.")
CARDS = rule(
    "mnemonic.random.cards",
    "An Ace is 1, a Jack 11 and a Queen 12. If you draw a King, draw again.",
    "flukes",
)
DRAWN_TWICE = Refusal(CARDS, "card-drawn-twice", "One card appears twice. Enter three different cards.")
KING = Refusal(CARDS, "redraw-king", "That is a King. Draw another card.")
UNKNOWN_CARD = Refusal(CARDS, "unknown-card", "There is no card of rank {rank}. Enter A, 2 to 10, J or Q.")


@dataclass(frozen=True, slots=True)
class Card:
    """`rank`: A, 2 to 10, J or Q. If you draw a King, draw again. `suit`: the suit, which you can leave out."""

    rank: Rank
    suit: Title | None = None


@dataclass(frozen=True, slots=True)
class Typed:
    """The numbers, cards or voices that were typed with a roll; None for each that was not."""

    numbers: tuple[Number, ...] | None
    cards: tuple[Card, ...] | None
    voices: tuple[tuple[Number, ...], ...] | None


def gather_numbers(ruled_check: CheckRuled, typed: Typed) -> Asking[Numbers]:
    """Return all numbers for a check: the numbers typed or, if there are none, those that players give when asked."""
    numbers = _read_typed(ruled_check, typed)
    if numbers is not None:
        require(may_enter_faces(ruled_check, numbers.faces))
        return numbers
    if ruled_check.method == "verbal":
        raise ROLL_AGAIN.under(ONE, method=ruled_check.method)
    return (yield from _ask_for_roll(ruled_check))


def _read_typed(ruled_check: CheckRuled, typed: Typed) -> Numbers | None:
    if typed.cards is not None and (typed.numbers is not None or typed.voices is not None):
        raise OTHER_METHOD.under(CARDS, method=ruled_check.method)
    if typed.voices is not None and ruled_check.method != "verbal":
        raise OTHER_METHOD.under(VERBAL, method=ruled_check.method)
    if typed.cards is not None and ruled_check.method not in ONE_CARD_METHODS:
        raise OTHER_METHOD.under(CARDS, method=ruled_check.method)
    if ruled_check.method == "verbal" and ruled_check.readings.verbal_rule == "sum_mod_12":
        if typed.voices is not None:
            return _add_voices(typed.voices)
        if typed.numbers is not None:
            return _add_voices((typed.numbers,) if typed.numbers else ())
        return None
    if typed.cards is not None:
        return _read_cards(ruled_check.method, typed.cards)
    return _read_numbers(typed.numbers) if typed.numbers is not None else None


def _read_numbers(numbers: tuple[Number, ...]) -> Numbers:
    """Return typed numbers. Each must be a whole number from 1 to 12."""
    faces = tuple(map(_read_face, numbers))
    return Numbers(tuple(map(str, faces)), faces)


def _read_face(number: Number) -> int:
    if not is_whole(number) or not 1 <= number <= HIGHEST:
        raise OUT_OF_RANGE(face=number, sides=HIGHEST)
    return number


def _read_cards(method: Method, cards: tuple[Card, ...]) -> Numbers:
    """Return the numbers of cards, by rank. Three cards drawn together must be different."""
    faces = tuple(_read_rank(card) for card in cards)
    suits = [normalize_name(card.suit or "") for card in cards]
    suited_cards = [(face, suit) for face, suit in zip(faces, suits, strict=True) if suit]
    if method == "three_card" and len(set(suited_cards)) != len(suited_cards):
        raise DRAWN_TWICE()
    entered = tuple(
        f"{card.rank} of {card.suit}" if suit else str(card.rank) for card, suit in zip(cards, suits, strict=True)
    )
    return Numbers(entered, faces)


def _read_rank(card: Card) -> int:
    rank = normalize_name(str(card.rank)) if isinstance(card.rank, str) or is_whole(card.rank) else ""
    if rank in KINGS:
        raise KING()
    if rank not in RANKS:
        raise UNKNOWN_CARD(rank=card.rank)
    return RANKS[rank]


def _add_voices(rounds: tuple[tuple[Number, ...], ...]) -> Numbers:
    """Return the sum of two or more voices in each round. After twelve, counting goes on from one."""
    entered_texts: list[str] = []
    faces: list[int] = []
    for spoken_numbers in rounds:
        voices = tuple(map(_read_face, spoken_numbers))
        if len(voices) < 2:
            raise TOO_FEW_VOICES(voices=len(voices))
        entered_texts.append("+".join(map(str, voices)))
        faces.append((sum(voices) - 1) % HIGHEST + 1)
    return Numbers(tuple(entered_texts), tuple(faces))


@guards
def may_enter_faces(ruled_check: CheckRuled, faces: tuple[int, ...]) -> Refused | None:
    """Refuse too few or too many numbers: three for a three-number method, otherwise one and the repeats that flukes
    need.
    """
    if ruled_check.method in THREE_METHODS:
        return THREE_NEEDED.under(THREE, given=len(faces)) if len(faces) != 3 else None
    for count in range(len(faces) + 1):
        if not are_faces_incomplete(ruled_check.readings.flukes, faces[:count]):
            if count < len(faces):
                return TOO_MANY.under(_find_count_rule(count), needed=count, given=len(faces))
            return None
    return ROLL_AGAIN.under(_find_count_rule(len(faces)), given=len(faces))


def _find_count_rule(count: int) -> str:
    """Return the rule that requires this many numbers."""
    return ONE if count == 0 else FLUKE_ONE


# --- rolls that are asked for -----------------------------------------------------------------------------------------


def _ask_for_roll(ruled_check: CheckRuled) -> Asking[Numbers]:
    """Ask the person who rolls for dice or cards, and return the numbers. A card drawn again for a fluke comes from the
    whole pack.
    """
    roller = character(ruled_check.character)
    if ruled_check.method == "three_dice":
        faces = yield from _ask_dice(roller, 3, "three numbers")
        return Numbers(tuple(map(str, faces)), faces)
    if ruled_check.method == "three_card":
        cards = yield from draw(roller, 3, PACK, slot=ASK_CHECK(), purpose="three cards")
        return Numbers(cards, tuple(map(_find_face, cards)))
    entered_texts: list[str] = []
    numbers: tuple[int, ...] = ()
    while are_faces_incomplete(ruled_check.readings.flukes, numbers):
        purpose = "the first number" if not numbers else f"another number, after {numbers[-1]}"
        if ruled_check.method == "one_card":
            (card,) = yield from draw(roller, 1, PACK, slot=ASK_CHECK(), purpose=purpose)
            entered_texts.append(card)
            numbers = (*numbers, _find_face(card))
        else:
            (face,) = yield from _ask_dice(roller, 1, purpose)
            entered_texts.append(str(face))
            numbers = (*numbers, face)
    return Numbers(tuple(entered_texts), numbers)


def _ask_dice(roller: Subject, count: int, purpose: str) -> Asking[tuple[int, ...]]:
    count_refusal = THREE_NEEDED if count == 3 else ROLL_AGAIN
    return (
        yield from roll(
            roller,
            count,
            HIGHEST,
            slot=ASK_CHECK(),
            purpose=purpose,
            rule=TOTAL,
            count_code=count_refusal.code,
            face_code=OUT_OF_RANGE.code,
        )
    )


def _find_face(card_name: str) -> int:
    return RANKS[normalize_name(card_name.partition(" ")[0])]


# --- possible entries: as many numbers as the method and the flukes need ----------------------------------------------

Fields: TypeAlias = dict[str, Domain]
#: A function that returns the domain of a number that is one of these faces.
DomainMaker: TypeAlias = Callable[[Collection[int]], Domain]
FACES = tuple(range(1, HIGHEST + 1))
INNER = tuple(face for face in FACES if face not in EDGES)
#: The rank of a card for each face, as people say it.
RANK_OF = {face: rank.upper() for rank, face in reversed(RANKS.items())}


def list_ways(checks: list[CheckRuled]) -> Iterator[Fields]:
    """Yield every way to enter the roll. Checks that are rolled in the same way are listed together."""
    for (method, can_be_fluke, verbal_rule), alike_checks in groupby(
        sorted(checks, key=_make_way_key), key=_make_way_key
    ):
        fields: Fields = {"check": Among(tuple(check.check for check in alike_checks)), "resolve": Among((True, False))}
        if method == "verbal":
            ways = _list_spoken_ways(can_be_fluke, verbal_rule)
        elif method in THREE_METHODS:
            ways = ({"numbers": THREE_NUMBERS}, *(({"cards": THREE_CARDS},) if method == "three_card" else ()))
        else:
            ways = ({"numbers": _make_run(_make_number_domain, can_be_fluke)},)
            ways = (*ways, {"cards": _make_run(_make_card_domain, can_be_fluke)}) if method == "one_card" else ways
        yield from ([fields] if method != "verbal" else [])
        yield from ({**fields, **way} for way in ways)


def _make_way_key(ruled_check: CheckRuled) -> tuple[str, bool, str]:
    return ruled_check.method, ruled_check.readings.flukes, ruled_check.readings.verbal_rule


def _list_spoken_ways(can_be_fluke: bool, verbal_rule: str) -> tuple[Fields, ...]:
    """Return the ways to enter a spoken roll: the number, with voices as a note, or voices that add up to it.

    Where voices could make a fluke, only rounds of two voices are offered.
    """
    if verbal_rule == "entered":
        return ({"numbers": _make_run(_make_number_domain, can_be_fluke), "voices": OPEN},)
    one_round = _make_voices_domain(INNER) if can_be_fluke else _make_voices_domain(FACES)
    return {"voices": _make_run(_make_voices_domain, can_be_fluke)}, {"numbers": one_round}


def _make_run(make_domain: DomainMaker, can_be_fluke: bool) -> Domain:
    """Return a run: one number; after a 1 or 12 a second; and a third if the first two are the same."""
    if not can_be_fluke:
        return Row((make_domain(FACES),))
    rows = [Row((make_domain(INNER),))]
    for edge in EDGES:
        edge_domain, other_domain = make_domain((edge,)), make_domain([face for face in FACES if face != edge])
        rows += [Row((edge_domain, other_domain)), Row((edge_domain, edge_domain, make_domain(FACES)))]
    return Either(tuple(rows))


def _make_number_domain(faces: Collection[int]) -> Domain:
    return Between(min(faces), max(faces))


def _make_card_domain(faces: Collection[int]) -> Domain:
    return Shape(Card, {"rank": Among(tuple(RANK_OF[face] for face in faces)), "suit": Among((None, *SUITS))})


def _make_voices_domain(faces: Collection[int]) -> Domain:
    """Return the domain of the voices of one round whose sum, counted around from twelve to one, is one of these faces.

    Unless all faces are allowed, there are only two voices.
    """
    if len(faces) == HIGHEST:
        return Some(Between(1, HIGHEST), 2, repeats=True)
    rows: list[Domain] = []
    for first_number in FACES:
        second_numbers = tuple(
            second_number for second_number in FACES if (first_number + second_number - 1) % HIGHEST + 1 in faces
        )
        rows.append(Row((Among((first_number,)), Among(second_numbers))))
    return Either(tuple(rows))


THREE_NUMBERS = Some(Between(1, HIGHEST), 3, 3, repeats=True)
_RANKS = Among(tuple(RANK_OF[face] for face in FACES))
_BARE = Shape(Card, {"rank": _RANKS, "suit": Among((None,))})
_SUITED = Shape(Card, {"rank": _RANKS, "suit": Among(SUITS)})
#: Three cards drawn together must be different, if their suits are given.
THREE_CARDS = Either(
    (
        Some(Either((_BARE, _SUITED)), 3, 3),
        Row((_BARE, _BARE, _BARE)),
        Row((_BARE, _BARE, _SUITED)),
        Row((_BARE, _SUITED, _BARE)),
        Row((_SUITED, _BARE, _BARE)),
    )
)
