"""The moves of a seat, for one viewer: possible moves, blocked moves, and the seats that the game is waiting for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import TypeAlias

from ledger.application import list_missing_seats
from ledger.application.reading.repeating import Repeats
from ledger.application.reading.waiting import list_answered_classes, list_underway_declarations
from ledger.errors import LedgerError
from ledger.rules.kernel import blocked as trying
from ledger.rules.kernel.contract import Underway
from ledger.rules.kernel.declarations import find_kind
from ledger.rules.kernel.moves import Move
from ledger.rules.kernel.offers import Awaited, Offer, list_awaited_now, list_offers
from ledger.rules.kernel.phrases import Phrases, words
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.sentences import AWAITED as AWAITS
from ledger.rules.kernel.subjects import Subject, Viewer
from projections.documents.disputes import list_disputes
from projections.documents.move_schemas import (
    describe_settled_fields,
    make_narrow_move_schema,
    make_offer_schema,
    make_unfinished_declaration,
)
from projections.documents.refusals import Refusal, describe_refusal
from projections.documents.shape import Document, give_example
from projections.redaction import Json, LiveLens, Person
from projections.wording import Wording, fill_frame, fill_in_names, find_statement

#: A function that returns the reference to a declaration's schema.
Refer: TypeAlias = Callable[[type[object]], str]
MOVE: MoveOffered = {
    "kind": "hit",
    "text": "Giazza hits somebody.",
    "settled": {"kind": "hit", "char": "1"},
    "schema": {
        "allOf": [
            {"$ref": "/openapi.json#/components/schemas/toy_hit"},
            {"properties": {"kind": {"const": "hit"}, "char": {"const": "1"}, "target": {"enum": ["2", "3"]}}},
        ]
    },
    "awaits": None,
    "scene": None,
}
BLOCKED: MoveBlocked = {
    "kind": "give",
    "text": "Coins are given.",
    "refusal": {
        "code": "coins-short",
        "rule": "toy.coins",
        "statement": "You can't give more coins than you have.",
        "context": {"coins": 1},
        "text": "Giazza does not have 1 coin.",
    },
}
AWAITED: AwaitedOf = {
    "seat": {"seat": "s2", "name": "Ben"},
    "kind": "hit",
    "character": "1",
    "rule": "toy.hit",
    "text": "A hit does as much harm as the die shows.",
    "scene": None,
}


TURN: YourTurn = {
    "position": 9,
    "seat": {"seat": "s2", "name": "Ben"},
    "awaited": [AWAITED],
    "disputes": [],
    "text": "It is Ben's turn to hit with Giazza.",
}


class MoveOffered(Document):
    """A possible declaration: its kind, and a sentence with the parts that are already decided.

    `settled`: the fields that are already decided. `schema`: a JSON Schema 2020-12 of the whole declaration, which
    refers to the input's schema and narrows it; `title` and `x-titles` are names to show to people. `awaits`: the rule
    that is waiting for this move; null if none is. `scene`: the scene to send, if several are open.
    """

    kind: str
    text: str
    settled: Json
    schema: Json
    awaits: str | None
    scene: str | None


class MoveBlocked(Document):
    """A move that is not possible now. `refusal`: the reason; null if it could reveal something hidden."""

    kind: str
    text: str
    refusal: Refusal | None


@give_example(seat={"seat": "s2", "name": "Ben"}, moves=[MOVE], blocked=[BLOCKED])
class Moves(Document):
    """What a seat can declare now. `blocked`: only if you asked for it."""

    seat: Person
    moves: list[MoveOffered]
    blocked: list[MoveBlocked] | None


class AwaitedOf(Document):
    """A seat whose turn it is, with the kind of declaration, the character and the rule that the game is waiting for.
    `text`: the rule's statement.

    If a game master can simply continue, only the seat is given.
    """

    seat: Person
    kind: str | None
    character: str | None
    rule: str | None
    text: str
    scene: str | None


@give_example(**TURN)
class YourTurn(Document):
    """What the game is waiting for this seat to do, as of a position. If `awaited` is empty, the game is not waiting
    for this seat. `text`: the same in words.

    `disputes`: the disputed rulings that this seat can decide.
    """

    position: int
    seat: Person
    awaited: list[AwaitedOf]
    disputes: list[int]
    text: str


def make_seen(lens: LiveLens, scene: Subject | None = None, seat: Viewer | None = None) -> Seen:
    def list_waiting_moves() -> tuple[Underway, ...]:
        return list_underway_declarations(lens.book, None, lens.viewer)

    def list_begun_classes() -> frozenset[type[object]]:
        return list_answered_classes(lens.book)

    return Seen(lens.book.ruleset, lens.book, lens.viewer, scene, seat, list_waiting_moves, list_begun_classes)


def list_moves(lens: LiveLens, seen: Seen, refer: Refer, *, with_blocked: bool) -> Moves:
    """Return the moves of the seat, as the viewer sees the game. There are none while a fork waits for its seats to be
    claimed.
    """
    ruleset = lens.book.ruleset
    repeats = Repeats(lens.book, seen)
    offers_and_refusals = (
        [(offer, repeats.find_refusal(offer)) for offer in list_offers(ruleset, seen)]
        if not list_missing_seats(lens.book)
        else []
    )
    open_offers = [offer for offer, refusal in offers_and_refusals if refusal is None]
    blocked_documents = None
    if with_blocked:
        offered_classes = {offer.move.do for offer in open_offers}
        refusals_by_class = {
            offer.move.do: refusal
            for offer, refusal in offers_and_refusals
            if refusal is not None and offer.move.do not in offered_classes
        }
        attempts = (
            *trying.list_blocked_declarations(ruleset, seen),
            *(trying.Blocked(do_class, refusal) for do_class, refusal in refusals_by_class.items()),
        )
        blocked_documents = [describe_blocked_move(lens, attempt) for attempt in attempts]
    return {
        "seat": lens.name_person(seen.seat.seat),
        "moves": describe_offers(lens, open_offers, refer),
        "blocked": blocked_documents,
    }


@dataclass(frozen=True, slots=True)
class MoveDescription:
    """A move in words, with names left open."""

    kind: str
    text: str
    settled: Json
    narrow_schema: Json


MOST_TOLD = 2_000
_describers: dict[str, tuple[Phrases, Callable[[Move], MoveDescription]]] = {}


def make_describer(wording: Wording) -> Callable[[Move], MoveDescription]:
    """Return a function that describes moves and caches the descriptions.

    The cache confuses 1 with true, but no field can have both.
    """
    cache_entry = _describers.get(wording.ruleset.name)
    if cache_entry is None or cache_entry[0] is not wording.phrases:
        describe = lru_cache(MOST_TOLD)(partial(describe_move, wording))
        cache_entry = _describers[wording.ruleset.name] = (wording.phrases, describe)
    return cache_entry[1]


def describe_move(wording: Wording, move: Move) -> MoveDescription:
    sentence = word_declaration(wording, make_unfinished_declaration(move), move.do)
    return MoveDescription(find_kind(move.do), sentence, describe_settled_fields(move), make_narrow_move_schema(move))


def describe_offers(lens: LiveLens, offers: Iterable[Offer], refer: Refer) -> list[MoveOffered]:
    """Return the documents of these offers."""
    describe, find_name = make_describer(lens.wording), cache(lens.find_subject_name)

    def describe_offer(offer: Offer) -> MoveOffered:
        try:
            description = describe(offer.move)
        except TypeError:  # a value that can't be hashed
            description = describe_move(lens.wording, offer.move)
        return {
            "kind": description.kind,
            "text": fill_in_names(description.text, find_name),
            "settled": description.settled,
            "schema": make_offer_schema(description.narrow_schema, refer(offer.move.do)),
            "awaits": offer.move.awaits,
            "scene": offer.scene,
        }

    return list(map(describe_offer, offers))


MOST_SENTENCES = 10_000
_sentences: dict[tuple[type[object], str], tuple[Phrases, str]] = {}


def word_declaration(wording: Wording, record: object, do_class: type[object]) -> str:
    """Return the declaration in a sentence with names left open, or its kind if the sentence needs a missing value."""
    key, phrases = (do_class, repr(record)), wording.phrases
    cache_entry = _sentences.get(key)
    if cache_entry is None or cache_entry[0] is not phrases:
        if len(_sentences) > MOST_SENTENCES:
            _sentences.clear()
        cache_entry = _sentences[key] = (phrases, _word_or_name_kind(wording, record, do_class))
    return cache_entry[1]


def _word_or_name_kind(wording: Wording, record: object, do_class: type[object]) -> str:
    try:
        return wording.word_input(record)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, StopIteration, LedgerError, Refused):
        return wording.word_kind(do_class)


def describe_blocked_move(lens: LiveLens, attempt: trying.Blocked) -> MoveBlocked:
    refusal = describe_refusal(lens, attempt.refusal) if attempt.refusal is not None else None
    return {"kind": find_kind(attempt.do), "text": lens.wording.word_kind(attempt.do), "refusal": refusal}


def list_awaited(lens: LiveLens) -> list[AwaitedOf]:
    """Return the seats that the game is waiting for, as far as the viewer may know."""
    return [_make_awaited(lens, wait) for wait in list_awaited_now(lens.book.ruleset, make_seen(lens))]


def describe_your_turn(lens: LiveLens) -> YourTurn:
    """Return what the game is waiting for the viewer's own seat to do."""
    seat = lens.viewer.seat
    own_waits = (
        [wait for wait in list_awaited(lens) if wait["seat"]["seat"] == seat] if lens.viewer.role != "observer" else []
    )
    disputed_numbers = [dispute["ruling"] for dispute in list_disputes(lens, own_only=True)]
    sentences = [_write_awaited(wait) for wait in own_waits] + [
        fill_frame(AWAITS["dispute"], {"seat": seat, "ruling": number}) for number in disputed_numbers
    ]
    sentences = sentences or [fill_frame(AWAITS["nothing"], {"seat": seat})]
    return {
        "position": lens.book.campaign.position,
        "seat": lens.name_person(seat),
        "awaited": own_waits,
        "disputes": disputed_numbers,
        "text": lens.fill_in_names(" ".join(dict.fromkeys(sentences))),
    }


def _write_awaited(wait: AwaitedOf) -> str:
    kind = wait["kind"]
    values = {"seat": wait["seat"]["seat"], "kind": words(kind or ""), "character": wait["character"]}
    return fill_frame(AWAITS["move" if kind is not None else "anything"], values)


def _make_awaited(lens: LiveLens, wait: Awaited) -> AwaitedOf:
    return {
        "seat": lens.name_person(wait.seat),
        "kind": find_kind(wait.do) if wait.do is not None else None,
        "character": wait.of,
        "rule": wait.rule,
        "text": find_statement(wait.rule) if wait.rule is not None else "",
        "scene": wait.scene,
    }
