"""A campaign's facts in recorded order, for one viewer. Overturned facts are marked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NotRequired, cast

from msgspec import Raw
from psycopg.rows import TupleRow

from ledger.errors import NotFound
from ledger.events.codec import encode
from ledger.rules.kernel.subjects import Subject
from projections.documents.briefs import Behind, make_gist, select_as_decided
from projections.documents.filling import TEXT, Names, split_row
from projections.documents.naming import learn_names
from projections.documents.shape import Document, Listed, give_example
from projections.documents.stored_rulings import parse_stored_ruling
from projections.documents.written import ASKED, BETWEEN, FOUND
from projections.redaction import Json, Person, Posting, ViewLens
from projections.views.clocks import ALWAYS, NOW, Span, When
from projections.views.pages import PAST, Order, Page, Query, Reader

#: The revision of a fact's ruling that stood at the time: 0 is the first, -1 means none.
STOOD = """coalesce((SELECT coalesce(s.revision, -1) FROM {views}.standing s
    WHERE s.campaign = t.campaign AND s.ruling = t.ruling AND s.position <= %(known)s
    ORDER BY s.position DESC LIMIT 1), 0)"""
COLUMNS = f"t.position, t.place, t.document, t.revision <> {STOOD} AS struck"
RULING = ", coalesce(r.gist, r.document), r.gist IS NOT NULL, NULL"
#: The ruling behind a fact, with the number of decisions about it that were known at that time.
RULING_THEN = """, r.document, false, (SELECT count(*) FROM {views}.timeline d
    WHERE d.campaign = t.campaign AND d.ruling = t.ruling AND d.what = 'decision' AND d.kind <> 'ledger.entered-late'
    AND d.position <= %(known)s)"""
RULINGS = " LEFT JOIN {views}.rulings r ON r.campaign = t.campaign AND r.number = t.ruling"
#: For a fact outside any ruling: whether its texts match the words of a query.
SAYS = f"to_tsvector('simple', translate(t.said, {BETWEEN})) @@ {ASKED}"
BY_NOBODY = b'""}'
ALL = 2**62


FACT: Placed = {
    "id": "12.1",
    "position": 12,
    "ruling": 7,
    "step": 0,
    "revision": 0,
    "subject": "character:1",
    "kind": "ledger.adjusted",
    "version": 1,
    "fact": {"reason": "found in the cellar"},
    "postings": [{"from": "bank/coin", "to": "character:1/coin", "unit": "coin", "amount": 5}],
    "text": "The table adjusts Giazza's sheet: found in the cellar.",
    "by": {"seat": "s1", "name": "Ann"},
    "at": "2026-11-21T19:30:00.000000Z",
    "session": "1",
    "scene": None,
    "struck": False,
}


class Placed(Document):
    """A fact. `id`: its place in the record, as `<save>.<place>`. `revision`: which revision of its ruling recorded it.
    `text`: the fact in one sentence. `after`: if its ruling was entered late, the ruling that it follows in play."""

    id: str
    position: int
    ruling: int | None
    step: int
    revision: int
    subject: str
    kind: str
    version: int
    fact: Json
    postings: list[Posting]
    text: str
    by: Person | None
    at: str
    session: str | None
    scene: str | None
    struck: bool
    after: NotRequired[int]


@give_example(facts=[FACT], next=None, previous=None)
class Timeline(Listed):
    """A page of facts in the order they were recorded."""

    facts: list[Placed]


BEHIND: Behind = {
    "number": 7,
    "kind": "adjust",
    "by": {"seat": "s1", "name": "Ann"},
    "status": "standing",
    "reason": None,
    "text": "The table moves 5 coin from the bank to Giazza: found in the cellar.",
}


class ToldOf(Placed):
    """A fact about the subject, with the ruling behind it."""

    behind: Behind | None


@give_example(subject="character:1", facts=[{**FACT, "behind": BEHIND}], next=None, previous=None)
class History(Listed):
    subject: str
    facts: list[ToldOf]


@dataclass(frozen=True, slots=True)
class Selection:
    """Filters; all must match. `after`: a place, such as 12.3; 0.0 starts at the beginning.

    `q`: words that people wrote about the fact's ruling, or in the fact if it has no ruling. `unit`: a unit that the
    fact moves. `span`: when the fact was recorded.
    """

    subject: str | None = None
    kind: str | None = None
    ruling: int | None = None
    session: str | None = None
    scene: str | None = None
    after: tuple[int, int] = (0, 0)
    limit: int = 50
    order: Order = "asc"
    q: str | None = None
    unit: str | None = None
    span: Span = ALWAYS


def list_timeline(lens: ViewLens, reader: Reader, selection: Selection, when: When = NOW) -> Page[Timeline]:
    """Return the facts in the order they were recorded."""
    rows, next_cursor, first_cursor = _read_rows(lens, reader, selection, when, COLUMNS)
    writer = _RowWriter(lens)
    facts = [Raw(writer.write_fact(stored_row, is_struck)) for _, _, stored_row, is_struck in rows]
    document: Timeline = {"facts": cast(list[Placed], facts), "next": None, "previous": None}
    return Page(document, reader.position, next_cursor, first_cursor, "facts")


def list_history(
    lens: ViewLens, reader: Reader, subject: Subject, selection: Selection, when: When = NOW
) -> Page[History]:
    """Return every fact about the subject or its accounts, with the ruling behind each."""
    selection_of_subject = replace(selection, subject=str(subject))
    columns = COLUMNS + (RULING_THEN if when.recorded else RULING)
    rows, next_cursor, first_cursor = _read_rows(lens, reader, selection_of_subject, when, columns, RULINGS)
    if not rows and reader.position and not _has_existed(reader, subject):
        raise NotFound(f"There is no {subject.kind} {subject.id!r}.", code=f"{subject.kind}-not-found")
    writer = _RowWriter(lens)
    facts = [
        Raw(
            b'%b,"behind":%b}'
            % (
                writer.write_fact(stored_row, is_struck)[:-1],
                writer.write_ruling_behind(stored_ruling, is_ready, decision_count),
            )
        )
        for _, _, stored_row, is_struck, stored_ruling, is_ready, decision_count in rows
    ]
    document: History = {
        "subject": str(subject),
        "facts": cast(list[ToldOf], facts),
        "next": None,
        "previous": None,
    }
    return Page(document, reader.position, next_cursor, first_cursor, "facts")


def _read_rows(
    lens: ViewLens, reader: Reader, selection: Selection, when: When, columns: str, ruling_join: str = ""
) -> tuple[list[TupleRow], str | None, str | None]:
    """Return the rows, the cursor of the last row if there are more, and the cursor of the first row."""
    query = _make_fact_query(lens, selection, when)
    source, alias = "{views}.timeline t", "t"
    if selection.subject is not None:
        source, alias = "{views}.concerns k JOIN {views}.timeline t USING (campaign, position, place)", "k"
        query.add_condition("k.campaign = %(campaign)s AND k.subject = %(subject)s", subject=selection.subject)
        _start_after_cursor(query, "k", selection)
    if selection.unit is not None:
        source += " JOIN {views}.concerns u USING (campaign, position, place)"
        query.add_condition("u.campaign = %(campaign)s AND u.subject = %(unit)s", unit=f"unit:{selection.unit}")
    order = f"{alias}.position {selection.order}, {alias}.place {selection.order}"
    clauses = f"FROM {source}{ruling_join} WHERE {query.text} ORDER BY {order} LIMIT %(limit)s"
    query.values |= {"limit": selection.limit + 1}
    rows = reader.select_rows(columns, clauses, query, as_bytes=True)
    has_more = len(rows) > selection.limit
    rows = rows[: selection.limit]
    learn_names(lens, reader, (text for row in rows for text in row[2:5:2] if text is not None))
    first_cursor, last_cursor = (f"{rows[index][0]}.{rows[index][1]}" if rows else None for index in (0, -1))
    return rows, last_cursor if has_more else None, first_cursor


def _make_fact_query(lens: ViewLens, selection: Selection, when: When) -> Query:
    query = Query()
    query.add_condition("t.campaign = %(campaign)s AND t.what = 'fact'")
    _start_after_cursor(query, "t", selection)
    query.limit_to_viewer(lens.viewer, "t.audience")
    query.add_condition("t.kind = %(kind)s", kind=selection.kind)
    query.add_condition("t.ruling = %(ruling)s", ruling=selection.ruling)
    query.add_condition("t.session = %(session)s", session=selection.session)
    query.add_condition("t.scene = %(scene)s", scene=selection.scene)
    query.add_condition("t.position >= %(since)s", since=selection.span.first)
    query.add_condition("t.position <= %(last)s", last=selection.span.last)
    query.add_condition(f"t.ruling IN ({FOUND} UNION ALL SELECT 0) AND (t.ruling <> 0 OR {SAYS})", q=selection.q)
    query.values["known"] = when.position if when.recorded and when.position is not None else ALL
    if when.recorded:
        query.add_condition("t.position <= %(until)s", until=when.position)
    else:
        condition = "(t.ruling > 0 AND t.in_play <= %(upto)s OR t.ruling = 0 AND t.position <= %(until)s)"
        query.add_condition(condition, upto=when.place, until=when.position)
    return query


def _start_after_cursor(query: Query, alias: str, selection: Selection) -> None:
    position, place = selection.after
    if position:
        condition = f"({alias}.position, {alias}.place) {PAST[selection.order]} (%(position)s, %(place)s)"
        query.add_condition(condition, position=position, place=place)


def _has_existed(reader: Reader, subject: Subject) -> bool:
    """Return whether the subject ever existed, even if the ruling that created it was overturned."""
    rows = reader.ask(
        "SELECT 1 FROM {views}.sheets WHERE campaign = %(campaign)s AND subject = %(subject)s",
        {"subject": str(subject)},
    )
    return bool(rows)


class _RowWriter:
    """Writes the rows of one page as JSON texts. mypy cannot check their fields, so a test does."""

    def __init__(self, lens: ViewLens) -> None:
        self.lens = lens
        self.names = Names(lens)
        self.encoded_people: dict[bytes, bytes] = {BY_NOBODY: b"null"}
        self.encoded_rulings: dict[bytes | None, bytes] = {None: b"null"}

    def write_fact(self, document: bytes, is_struck: bool) -> bytes:
        """Return the fact as JSON. `text` and `by` are the last fields of the stored document."""
        fields, sentence, by = split_row(document)
        if by not in self.encoded_people:
            self.encoded_people[by] = encode(self.lens.name_person(by[1:-2].decode()))
        text = self.names.fill_in_sentences(sentence)
        return b'%b%b%b,"by":%b,"struck":%b}' % (
            fields,
            TEXT,
            text,
            self.encoded_people[by],
            b"true" if is_struck else b"false",
        )

    def write_ruling_behind(self, document: bytes | None, is_ready: bool, decision_count: int | None) -> bytes:
        """Return the ruling behind a fact as it was after `decision_count` decisions. None means now."""
        if document not in self.encoded_rulings:
            assert document is not None
            self.encoded_rulings[document] = (
                self.names.fill_in_documents([document])[0] if is_ready else self._encode_gist(document, decision_count)
            )
        return self.encoded_rulings[document]

    def _encode_gist(self, document: bytes, decision_count: int | None) -> bytes:
        ruling = parse_stored_ruling(document)
        return encode(
            make_gist(self.lens, ruling if decision_count is None else select_as_decided(ruling, decision_count))
        )
