"""The sessions of a campaign, for one viewer: their times, rulings, and changes of balances."""

from __future__ import annotations

import json
from dataclasses import dataclass

from typing_extensions import TypedDict

from ledger.rules.kernel.places import BITS
from projections.documents.landmarks import KNOWN
from projections.documents.shape import Document, Listed, give_example
from projections.documents.timelines import ALL, STOOD
from projections.redaction import ViewLens
from projections.views.clocks import ALWAYS, Span
from projections.views.pages import Order, Page, Query, Reader, list_audience_keys

#: The openings of sessions in order, numbered across pages.
OPENED = f"""(SELECT t.campaign, t.ruling, t.session, t.position, t.document, t.revision <> {STOOD} AS struck,
        row_number() OVER (ORDER BY t.position) AS number
    FROM {{views}}.timeline t WHERE t.campaign = %(campaign)s AND t.what = 'fact'
        AND t.kind = 'ledger.session-opened' AND (t.audience IS NULL OR t.audience && %(keys)s)) o"""
#: For each session, the last closing that stands.
CLOSED = f"""SELECT t.document FROM {{views}}.timeline t WHERE t.campaign = %(campaign)s AND t.what = 'fact'
    AND t.kind = 'ledger.session-closed' AND t.revision = {STOOD}
    AND (t.audience IS NULL OR t.audience && %(keys)s) ORDER BY t.position"""
RULED = f"""SELECT r.session, count(*), min(r.in_play) >> {BITS}, max(r.in_play) >> {BITS} FROM {{views}}.rulings r
    WHERE r.campaign = %(campaign)s AND r.session = ANY(%(sessions)s) AND {KNOWN} GROUP BY r.session"""
#: Only postings that the viewer may see, so the sums reveal no more than the statements.
TOTALS = """SELECT r.session, a.owner, coalesce((SELECT s.called FROM {views}.sheets s
        WHERE s.campaign = %(campaign)s AND s.subject = a.owner), ''), a.unit, sum(e.amount)::bigint
    FROM {views}.rulings r
    JOIN {views}.entries e ON e.campaign = r.campaign AND e.ruling = r.number
    JOIN {views}.accounts a ON a.campaign = e.campaign AND a.account = e.account
    WHERE r.campaign = %(campaign)s AND r.session = ANY(%(sessions)s) AND a.owner NOT IN ('bank', 'house', 'world')
        AND (e.audience IS NULL OR e.audience && %(keys)s)
    GROUP BY r.session, a.owner, a.unit HAVING sum(e.amount) <> 0 ORDER BY a.owner, a.unit"""


class Total(Document):
    """How much a balance changed in a session."""

    owner: str
    name: str
    unit: str
    change: int


_Began = TypedDict("_Began", {"from": str})


@give_example(
    id="3",
    number=1,
    title="The bridge",
    struck=False,
    rulings=12,
    first=3,
    last=14,
    totals=[{"owner": "character:1", "name": "Giazza", "unit": "coin", "change": 5}],
    **{"from": "2026-11-21T19:30:00.000000Z", "to": None},
)
class Session(Document, _Began):
    """A session with its number of `rulings`, from `first` to `last`. `to`: null while it is open.

    `totals`: how much each balance changed in the session, as far as this seat can see. Overturned rulings don't count.
    `struck`: the ruling that opened the session was overturned.
    """

    id: str
    number: int
    title: str
    struck: bool
    to: str | None
    rulings: int
    first: int | None
    last: int | None
    totals: list[Total]


@give_example(sessions=[], next=None, previous=None)
class Sessions(Listed):
    """A page of sessions in the order they were opened."""

    sessions: list[Session]


@dataclass(frozen=True, slots=True)
class Selection:
    """Filters. `after`: a session's id; 0 starts at the beginning. `span`: when the session was opened."""

    after: int = 0
    limit: int = 50
    order: Order = "asc"
    span: Span = ALWAYS


def list_sessions(lens: ViewLens, reader: Reader, selection: Selection) -> Page[Sessions]:
    """Return sessions in order, with their rulings and the changes of balances."""
    query = Query(values={"keys": list_audience_keys(lens.viewer), "me": lens.viewer.seat, "known": ALL})
    query.add_condition("o.campaign = %(campaign)s")
    query.start_after("o.ruling", selection.order, selection.after)
    query.add_condition("o.position >= %(since)s", since=selection.span.first)
    query.add_condition("o.position <= %(last)s", last=selection.span.last)
    query.values["limit"] = selection.limit + 1
    clauses = f"FROM {OPENED} WHERE {query.text} ORDER BY o.ruling {selection.order} LIMIT %(limit)s"
    rows = reader.select_rows("o.ruling, o.session, o.number, o.struck, o.document", clauses, query)
    page = rows[: selection.limit]
    values = {**query.values, "sessions": [id for _, id, *_ in page]}
    counts_by_session = {id: counts for id, *counts in reader.ask(RULED, values)} if page else {}
    closings = [json.loads(fact_text) for (fact_text,) in reader.ask(CLOSED, values)]
    closing_times = {closing["fact"]["session"]: closing["at"] for closing in closings}
    totals_by_session: dict[str, list[Total]] = {}
    for id, owner, name, unit, change in reader.ask(TOTALS, values) if page else ():
        totals_by_session.setdefault(id, []).append({"owner": owner, "name": name, "unit": unit, "change": change})
    sessions: list[Session] = []
    for _, id, number, is_struck, opening_text in page:
        opening_fact = json.loads(opening_text)
        ruling_count, first_number, last_number = counts_by_session.get(id, (0, None, None))
        sessions.append(
            {
                "id": id,
                "number": number,
                "title": opening_fact["fact"]["title"],
                "struck": is_struck,
                "from": opening_fact["at"],
                "to": closing_times.get(id),
                "rulings": ruling_count,
                "first": first_number,
                "last": last_number,
                "totals": totals_by_session.get(id, []),
            }
        )
    document: Sessions = {"sessions": sessions, "next": None, "previous": None}
    first_cursor, last_cursor = (str(page[index][0]) if page else None for index in (0, -1))
    return Page(
        document, reader.position, last_cursor if len(rows) > selection.limit else None, first_cursor, "sessions"
    )
