"""A campaign's facts in the order in which they were recorded, for one viewer; struck ones marked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ledger.errors import NotFound
from ledger.rules.contract import Subject
from projections.exit import Json, Onlooker
from projections.rulings import seen_status
from projections.views.clocks import NOW, When
from projections.views.pages import Page, Query, Reader, decode

#: Which telling of a fact's ruling stood: 0 as first ruled, -1 none.
STOOD = """coalesce((SELECT coalesce(s.revision, -1) FROM {views}.standing s
    WHERE s.campaign = t.campaign AND s.ruling = t.ruling AND s.position <= %(known)s
    ORDER BY s.position DESC LIMIT 1), 0)"""
COLUMNS = f"t.position, t.place, t.document, t.revision <> {STOOD} AS struck"
BEHIND = """, (SELECT r.document FROM {views}.rulings r
    WHERE r.campaign = t.campaign AND r.number = t.ruling) AS behind"""
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
    facts = [_fact(eyes, document, struck) for _, _, document, struck in rows]
    return Page({"facts": facts}, position, after)


def history(eyes: Onlooker, reader: Reader, campaign: str, subject: Subject, wanted: Wanted, when: When = NOW) -> Page:
    """Every fact about the subject or that moves what it has, with the ruling behind each."""
    of_it = replace(wanted, subject=str(subject))
    position, rows, after = _page(eyes, reader, campaign, of_it, when, COLUMNS + BEHIND)
    if not rows and position is not None and not _ever(reader, campaign, subject):
        raise NotFound(f"There is no {subject.kind} {subject.id!r}.", code=f"{subject.kind}-not-found")
    behind: dict[str | None, Json | None] = {}
    facts = []
    for _, _, document, struck, ruling in rows:
        if ruling not in behind:
            behind[ruling] = _behind(eyes, ruling)
        facts.append({**_fact(eyes, document, struck), "behind": behind[ruling]})
    return Page({"subject": str(subject), "facts": facts}, position, after)


def _page(
    eyes: Onlooker, reader: Reader, campaign: str, wanted: Wanted, when: When, columns: str
) -> tuple[int | None, list[tuple[Any, ...]], str | None]:
    query = _query(eyes, wanted, when)
    source = "{views}.timeline t"
    if wanted.subject is not None:
        source = "{views}.concerns k JOIN {views}.timeline t USING (campaign, position, place)"
        query.where("k.campaign = reached.campaign AND k.subject = %(subject)s", subject=wanted.subject)
        query.where("(k.position, k.place) > (%(position)s, %(place)s)")
    order = "k.position, k.place" if wanted.subject is not None else "t.position, t.place"
    rest = f"FROM {source} WHERE {query.text} ORDER BY {order} LIMIT %(limit)s"
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


def _fact(eyes: Onlooker, document: str, struck: bool) -> Json:
    fact = decode(document.encode())
    fact["by"] = eyes.person(fact["by"]) if fact["by"] else None
    fact["struck"] = struck
    return fact


def _behind(eyes: Onlooker, document: str | None) -> Json | None:
    """What was declared by whom, and what became of it; nothing of a ruling the viewer may not know."""
    if document is None:
        return None
    ruling = decode(document.encode())
    if not eyes.sees(ruling) and eyes.viewer.seat not in (ruling["by"], ruling["seat"]):
        return None
    decisions = [one for one in ruling["decisions"] if eyes.sees(one) and one["decision"] != "witnessed"]
    return {
        "number": ruling["number"],
        "kind": ruling["declared"]["kind"],
        "by": eyes.person(ruling["seat"]),
        "status": seen_status(eyes, ruling),
        "reason": decisions[-1]["reason"] if decisions else None,
    }
