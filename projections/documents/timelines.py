"""A campaign's facts in the order in which they were recorded, for one viewer; struck ones marked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from msgspec import Raw

from ledger.errors import NotFound
from ledger.rules.kernel.subjects import Subject
from projections.documents.filling import Names
from projections.documents.rulings import as_decided, gist
from projections.redaction import Onlooker, text
from projections.views.clocks import NOW, When
from projections.views.pages import Page, Query, Reader, decode

#: Which telling of a fact's ruling stood: 0 as first ruled, -1 none.
STOOD = """coalesce((SELECT coalesce(s.revision, -1) FROM {views}.standing s
    WHERE s.campaign = t.campaign AND s.ruling = t.ruling AND s.position <= %(known)s
    ORDER BY s.position DESC LIMIT 1), 0)"""
COLUMNS = f"t.position, t.place, t.document, t.revision <> {STOOD} AS struck"
BEHIND = ", coalesce(r.gist, r.document), r.gist IS NOT NULL, NULL"
#: As it was known then: how many decisions there were.
BEHIND_THEN = """, r.document, false, (SELECT count(*) FROM {views}.timeline d
    WHERE d.campaign = t.campaign AND d.ruling = t.ruling AND d.what = 'decision' AND d.position <= %(known)s)"""
RULINGS = " LEFT JOIN {views}.rulings r ON r.campaign = t.campaign AND r.number = t.ruling"
BY = ',"by":'
BY_NOBODY = '""}'
ALL = 2**62


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which facts: all of what is given must fit. `after`: a place (`12.3`)."""

    subject: str | None = None
    kind: str | None = None
    ruling: int | None = None
    session: str | None = None
    scene: str | None = None
    after: tuple[int, int] = (0, 0)
    limit: int = 50


def timeline(eyes: Onlooker, reader: Reader, campaign: str, wanted: Wanted, when: When = NOW) -> Page:
    """Facts, each with its place, who recorded it when, what it moved, and whether it is struck."""
    position, rows, after = _page(eyes, reader, campaign, wanted, when, COLUMNS)
    telling = _Telling(eyes)
    facts = [Raw(telling.fact(document, struck).encode()) for _, _, document, struck in rows]
    return Page({"facts": facts}, position, after)


def history(eyes: Onlooker, reader: Reader, campaign: str, subject: Subject, wanted: Wanted, when: When = NOW) -> Page:
    """Every fact about the subject or that moves what it has, with the ruling behind each."""
    of_it = replace(wanted, subject=str(subject))
    columns = COLUMNS + (BEHIND_THEN if when.recorded else BEHIND)
    position, rows, after = _page(eyes, reader, campaign, of_it, when, columns, RULINGS)
    if not rows and position is not None and not _ever(reader, campaign, subject):
        raise NotFound(f"There is no {subject.kind} {subject.id!r}.", code=f"{subject.kind}-not-found")
    telling = _Telling(eyes)
    facts = [
        Raw(f'{telling.fact(document, struck)[:-1]},"behind":{telling.behind(ruling, ready, decided)}}}'.encode())
        for _, _, document, struck, ruling, ready, decided in rows
    ]
    return Page({"subject": str(subject), "facts": facts}, position, after)


def _page(
    eyes: Onlooker, reader: Reader, campaign: str, wanted: Wanted, when: When, columns: str, behind: str = ""
) -> tuple[int | None, list[tuple[Any, ...]], str | None]:
    query = _query(eyes, wanted, when)
    source = "{views}.timeline t"
    if wanted.subject is not None:
        source = "{views}.concerns k JOIN {views}.timeline t USING (campaign, position, place)"
        query.where("k.campaign = reached.campaign AND k.subject = %(subject)s", subject=wanted.subject)
        query.where("(k.position, k.place) > (%(position)s, %(place)s)")
    order = "k.position, k.place" if wanted.subject is not None else "t.position, t.place"
    rest = f"FROM {source}{behind} WHERE {query.text} ORDER BY {order} LIMIT %(limit)s"
    query.values |= {"limit": wanted.limit + 1}
    position, rows = reader.page(campaign, columns, rest, query)
    more = len(rows) > wanted.limit
    rows = rows[: wanted.limit]
    return position, rows, f"{rows[-1][0]}.{rows[-1][1]}" if more else None


def _query(eyes: Onlooker, wanted: Wanted, when: When) -> Query:
    query = Query()
    query.where("t.campaign = reached.campaign AND t.what = 'fact'")
    position, place = wanted.after
    query.where("(t.position, t.place) > (%(position)s, %(place)s)", position=position, place=place)
    query.seen_by(eyes.viewer, "t.audience")
    query.where("t.kind = %(kind)s", kind=wanted.kind)
    query.where("t.ruling = %(ruling)s", ruling=wanted.ruling)
    query.where("t.session = %(session)s", session=wanted.session)
    query.where("t.scene = %(scene)s", scene=wanted.scene)
    query.values["known"] = when.position if when.recorded and when.position is not None else ALL
    if when.recorded:
        query.where("t.position <= %(until)s", until=when.position)
    else:
        in_play = "(t.ruling BETWEEN 1 AND %(upto)s OR t.ruling = 0 AND t.position <= %(until)s)"
        query.where(in_play, upto=when.ruling, until=when.position)
    return query


def _ever(reader: Reader, campaign: str, subject: Subject) -> bool:
    """Whether the subject ever was: enrolled or opened, if only by a ruling that was struck since."""
    found = reader.ask(
        "SELECT 1 FROM {views}.sheets WHERE campaign = %(campaign)s AND subject = %(subject)s",
        {"campaign": campaign, "subject": str(subject)},
    )
    return bool(found)


class _Telling:
    """Rows of one page as they are sent. The names of who recorded them and the rulings behind are told once each."""

    def __init__(self, eyes: Onlooker) -> None:
        self.eyes = eyes
        self.names = Names(eyes)
        self.people: dict[str, str] = {BY_NOBODY: "null"}
        self.rulings: dict[str | None, str] = {None: "null"}

    def fact(self, document: str, struck: bool) -> str:
        """`by` is the last that a document of the timeline tells."""
        told, _, by = document.rpartition(BY)
        if by not in self.people:
            self.people[by] = text(self.eyes.person(by[1:-2]))
        return f'{told},"by":{self.people[by]},"struck":{"true" if struck else "false"}}}'

    def behind(self, document: str | None, ready: bool, decided: int | None) -> str:
        """What was declared and what became of it. `decided`: after so many decisions; None: as it stands."""
        if document not in self.rulings:
            assert document is not None
            self.rulings[document] = self.names.filled(document) if ready else self._gist(document, decided)
        return self.rulings[document]

    def _gist(self, document: str, decided: int | None) -> str:
        ruling = decode(document.encode())
        return text(gist(self.eyes, ruling if decided is None else as_decided(ruling, decided)))
