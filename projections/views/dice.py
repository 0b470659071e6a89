"""The dice of every ruling with the seats that rolled them, and the players of characters over time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ledger.application import Ruling, ShownRuling, StandingRevisions, json_form, load_shown_rulings
from ledger.errors import LedgerError
from ledger.events.envelope import Body
from ledger.events.records import MARKS
from ledger.rules.kernel import register
from ledger.rules.kernel.contract import About
from ledger.rules.kernel.declarations import find_kind
from ledger.rules.kernel.facts import CharacterReseated, CharacterSeated
from ledger.rules.kernel.places import find_base, place_of
from ledger.rules.kernel.register import CampaignEntry, Entry
from ledger.rules.kernel.standing import list_standing_facts
from ledger.rules.kernel.subjects import parse_subject
from ledger.rules.kernel.thrown import can_bring_dice, list_typed_faces
from projections.documents.rulings import list_responsible_seats
from projections.documents.stored_rulings import REVISING, StoredRuling, read_subject
from projections.views.saves import Saved
from projections.views.view import ViewTransaction, Written


@dataclass(frozen=True, slots=True)
class Roll:
    """The dice of one answer, or of a declaration. `who`: the owner, `character:12` or a seat. None means the declaring
    seat.

    `by`: the seat that answered or declared. `audience`: who may see the dice. None means everybody.
    """

    who: str | None
    by: str
    source: str
    sides: int
    faces: list[int]
    audience: list[str] | None


def list_rolls(
    transaction: ViewTransaction, campaign: str, shown_ruling: ShownRuling, document: StoredRuling
) -> Iterator[Roll]:
    """Yield the rolls of a ruling in any status, including answers set aside."""
    for answer in document["answers"]:
        dice = answer["answer"].get("dice")
        if isinstance(dice, dict):
            who = answer["question"].get("who")
            yield Roll(
                who if isinstance(who, str) else None,
                answer["by"],
                dice["source"],
                dice["sides"],
                dice["faces"],
                answer.get("audience"),
            )
    yield from _list_entered_rolls(transaction, campaign, shown_ruling, document)


@cache
def _list_dice_kinds(classes: tuple[type[object], ...]) -> frozenset[str]:
    return frozenset(find_kind(cls) for cls in classes if can_bring_dice(cls))


def _list_entered_rolls(
    transaction: ViewTransaction, campaign: str, shown_ruling: ShownRuling, document: StoredRuling
) -> Iterator[Roll]:
    """Yield the dice that came with the declaration, or with a choice."""
    ruleset, ruling = transaction.find_system(campaign), shown_ruling.ruling
    declaration = ruling.ruled.declared
    chosen_kinds = [answer.answer.get("choice", {}).get("kind") for answer in ruling.ruled.answers]
    if declaration["kind"] not in _list_dice_kinds(ruleset.inputs) and not _list_dice_kinds(
        ruleset.choices
    ).intersection(chosen_kinds):
        return
    try:
        do = json_form.declaration_from_json(ruleset, declaration)
    except LedgerError:  # a ruling of an edition with different declarations
        return
    by = list_responsible_seats(document)[-1]
    source = "declaration" if list_typed_faces(do) else "table"
    for throw in ruleset.thrown(do, Recorded(transaction, campaign, shown_ruling)):
        who = str(throw.who) if throw.who is not None else None
        audience = list(throw.audience) if throw.audience is not None else None
        yield Roll(who, by, source, throw.sides, [*throw.faces], audience)


class Recorded:
    """The record as it stood when a ruling was last made or revised. `Ruleset.thrown` reads it."""

    def __init__(self, transaction: ViewTransaction, campaign: str, shown_ruling: ShownRuling) -> None:
        self.number = shown_ruling.ruling.number
        self._place = place_of(self.number, shown_ruling.ruling.ruled.after)
        self.facts = _list_facts(shown_ruling)
        self._transaction = transaction
        self._campaign = campaign
        self._position = _find_decision_position(shown_ruling.ruling)

    def list_earlier_facts(self, number: int) -> Sequence[About[Any]]:
        if number <= 0:
            return ()
        transaction, position = self._transaction, self._position
        rulings = transaction.load_rulings(self._campaign, [number], position)
        if rulings and any(decree.position > position for decree in rulings[0].ruling.decisions):
            rulings = load_shown_rulings(transaction.recorder, transaction.codec, self._campaign, [number], position)
        if not rulings or place_of(number, rulings[0].ruling.ruled.after) >= self._place:
            return ()
        return _list_facts(rulings[0])

    def list_numbers_since(self, number: int) -> Iterable[int]:
        late_places = self._transaction.load_late_places(self._campaign)
        if not late_places:
            return range(self.number - 1, number - 1, -1)

        def find_place(other_number: int) -> int:
            return late_places.get(other_number) or place_of(other_number)

        first_place = find_place(number)
        candidates = {*range(find_base(first_place), find_base(self._place) + 1), *late_places}
        numbers = (candidate for candidate in candidates if first_place <= find_place(candidate) < self._place)
        return sorted(numbers, key=find_place, reverse=True)


def _list_facts(shown_ruling: ShownRuling) -> list[About[Any]]:
    return [
        About(parse_subject(read_subject(event)), event.body.fact, (), event.body.audience)
        for event in shown_ruling.revealing_events
    ]


def _find_decision_position(ruling: Ruling) -> int:
    return next(
        (decree.position for decree in reversed(ruling.decisions) if decree.decision in REVISING), ruling.position
    )


# --- players ------------------------------------------------------------------------------------------------


def list_players(transaction: ViewTransaction, saves: Sequence[Saved]) -> Iterator[Written]:
    """Yield (campaign, character, position, seat), valid from that position on."""
    seats_by_place: dict[tuple[str, str, int], str] = {}
    for save in saves:
        stream = f"{save.campaign}/campaign/campaign"
        marks = (event for event in save.events if isinstance(event.body.fact, MARKS))
        if any(event.originator_id == stream for event in marks):
            for character, seat in _find_roster(transaction, stream, save.position):
                seats_by_place[save.campaign, character, save.position] = seat
        for _, body in save.facts:
            if isinstance(body.fact, CharacterSeated | CharacterReseated):
                seats_by_place[save.campaign, body.fact.character, save.position] = body.fact.seat
    return ((*place, seat) for place, seat in seats_by_place.items())


def _find_roster(transaction: ViewTransaction, stream: str, position: int) -> list[tuple[str, str]]:
    """Return the seat of each character at a position."""
    rows = (row for row in transaction.recorder.select_stream(stream) if row[0].startswith("ledger."))
    facts: list[Body[object]] = []
    standing = StandingRevisions()
    for body in transaction.codec.decode_bodies(rows):
        if body.position > position:
            break
        if isinstance(body.fact, MARKS):
            standing.apply_mark(body.fact, [earlier_body.ruling for earlier_body in facts])
        else:
            facts.append(body)
    entry: Entry | None = None
    for body in list_standing_facts(facts, standing.revisions):
        entry = register.apply(entry, body.fact) or entry
    return list(entry.roster.items()) if isinstance(entry, CampaignEntry) else []


def find_seats(transaction: ViewTransaction, places: Sequence[tuple[str, str, int]]) -> dict[tuple[str, str, int], str]:
    """Return the seat that played each character at a position: (campaign, character, position) -> seat."""
    if not places:
        return {}
    rows = transaction.select(
        "SELECT asked.campaign, asked.character, asked.position, ("
        " SELECT seat FROM players WHERE players.campaign = asked.campaign AND players.character = asked.character"
        " AND players.position <= asked.position ORDER BY players.position DESC LIMIT 1)"
        " FROM unnest(%(campaigns)s::text[], %(characters)s::text[], %(positions)s::bigint[])"
        " AS asked(campaign, character, position)",
        {
            "campaigns": [campaign for campaign, _, _ in places],
            "characters": [character for _, character, _ in places],
            "positions": [position for _, _, position in places],
        },
    )
    return {(campaign, character, position): seat for campaign, character, position, seat in rows if seat is not None}
