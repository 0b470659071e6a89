"""Every decision of a campaign in order, including resolved findings."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter
from typing import Literal, NotRequired, TypeAlias, cast, get_args

from ledger.events.records import Decision
from ledger.events.records_of_journal import Settled
from projections.documents.findings import describe_finding, select_settlements
from projections.documents.landmarks import KNOWN
from projections.documents.naming import learn_names
from projections.documents.shape import Document, Listed, give_example
from projections.redaction import LiveLens, Person, ViewLens
from projections.views.clocks import ALWAYS, Span
from projections.views.pages import Order, Page, Query, Reader, list_audience_keys

#: Kinds of decisions. They include resolving a finding (by `let-stand`, `amended` or `overturned`) and entering a
#: ruling late.
Made: TypeAlias = Literal[Decision, "settled", "entered-late"]
MADE: tuple[str, ...] = (*get_args(Decision), "settled", "entered-late")

#: The session that was open at a position.
PLAYED_IN = """SELECT p, (SELECT CASE t.kind WHEN 'ledger.session-opened' THEN t.session END FROM {views}.timeline t
        WHERE t.campaign = %(campaign)s AND t.what = 'fact' AND t.position <= p
            AND t.kind IN ('ledger.session-opened', 'ledger.session-closed')
        ORDER BY t.position DESC, t.place DESC LIMIT 1)
    FROM unnest(%(positions)s::bigint[]) AS p"""


@give_example(
    id="14.2",
    position=14,
    ruling=7,
    decision="disputed",
    by={"seat": "s2", "name": "Ben"},
    at="2026-11-21T19:30:00.000000Z",
    session="1",
    reason="The host had left.",
    finding=None,
    how=None,
    text="Ben disputes ruling 7: The host had left.",
)
class MadeDecision(Document):
    """A decision about a ruling, a resolved finding (`settled`), or a ruling that was entered late (`entered-late`).
    `how`: how the finding was resolved, for example `let-stand`. `after`: the ruling that the late ruling follows in
    play.

    `id`: its place in the timeline. `session`: the session of the decision. `text`: one sentence. `through`: for a
    rewind (`rewound`), the last ruling that it overturned.
    """

    id: str
    position: int
    ruling: int | None
    decision: Made
    by: Person | None
    at: str
    session: str | None
    reason: str
    finding: str | None
    how: Settled | None
    text: str
    through: NotRequired[int]
    after: NotRequired[int]


@give_example(decisions=[], next=None, previous=None)
class Decisions(Listed):
    """A page of decisions in the order they were made."""

    decisions: list[MadeDecision]


@dataclass(frozen=True, slots=True)
class Selection:
    """Filters; all must match. `after`: a place. `by`: a seat. `span`: when the decision was made."""

    decision: str | None = None
    ruling: int | None = None
    by: str | None = None
    session: str | None = None
    after: tuple[int, int] = (0, 0)
    limit: int = 50
    order: Order = "asc"
    span: Span = ALWAYS


def make_settlement_finder(selection: Selection) -> Callable[[LiveLens], list[MadeDecision]]:
    """Return a function that reads the resolved findings that the viewer may know of."""

    def list_settlements(lens: LiveLens) -> list[MadeDecision]:
        if selection.decision not in (None, "settled"):
            return []
        decisions: list[MadeDecision] = []
        for settlement in select_settlements(lens):
            document = describe_finding(lens, settlement.finding, settlement)
            if (
                settlement.alone
                and selection.ruling in (None, document["ruling"])
                and selection.by in (None, settlement.by)
            ):
                decisions.append(
                    {
                        "id": f"{settlement.position}.0",
                        "position": settlement.position,
                        "ruling": document["ruling"],
                        "decision": "settled",
                        "by": document["by"],
                        "at": settlement.at,
                        "session": None,
                        "reason": settlement.reason,
                        "finding": settlement.finding.id,
                        "how": cast(Settled, settlement.how),
                        "text": document["text"],
                    }
                )
        return decisions

    return list_settlements


def list_decisions(
    lens: ViewLens, reader: Reader, selection: Selection, settlements: list[MadeDecision]
) -> Page[Decisions]:
    """Return the decisions that the viewer may know of. `settlements`: the resolved findings."""
    query = Query()
    query.add_condition("t.campaign = %(campaign)s AND t.what = 'decision'")
    query.limit_to_viewer(lens.viewer, "t.audience")
    query.add_condition(KNOWN, keys=list_audience_keys(lens.viewer), me=lens.viewer.seat)
    query.add_condition(
        "t.kind = %(kind)s", kind=f"ledger.{selection.decision}" if selection.decision is not None else None
    )
    query.add_condition("t.ruling = %(ruling)s", ruling=selection.ruling)
    query.add_condition("t.session = %(session)s", session=selection.session)
    query.add_condition("t.document::json->>'by' = %(by)s", by=selection.by)
    query.add_condition("t.position >= %(since)s", since=selection.span.first)
    query.add_condition("t.position <= %(last)s", last=selection.span.last)
    position, place = selection.after
    if position:
        comparison = ">" if selection.order == "asc" else "<"
        query.add_condition(
            f"(t.position, t.place) {comparison} (%(position)s, %(place)s)", position=position, place=place
        )
    clauses = (
        "FROM {views}.timeline t JOIN {views}.rulings r ON r.campaign = t.campaign AND r.number = t.ruling"
        f" WHERE {query.text} ORDER BY t.position {selection.order}, t.place {selection.order} LIMIT %(limit)s"
    )
    query.values["limit"] = selection.limit + 1
    rows = reader.select_rows("t.position, t.place, t.session, t.document", clauses, query)
    learn_names(lens, reader, (decision_text.encode() for *_, decision_text in rows))
    decisions_by_place = {
        (position, place): _make_decision(lens, session, decision_text)
        for position, place, session, decision_text in rows
    }
    decisions_by_place |= {
        (decision["position"], 0): decision for decision in _select_settlements(reader, settlements, selection)
    }
    places_and_decisions = sorted(decisions_by_place.items(), key=itemgetter(0), reverse=selection.order == "desc")
    page = [decision for _, decision in places_and_decisions[: selection.limit]]
    document: Decisions = {"decisions": page, "next": None, "previous": None}
    first_cursor, last_cursor = (page[index]["id"] if page else None for index in (0, -1))
    return Page(
        document,
        reader.position,
        last_cursor if len(places_and_decisions) > selection.limit else None,
        first_cursor,
        "decisions",
    )


def _select_settlements(reader: Reader, settlements: list[MadeDecision], selection: Selection) -> list[MadeDecision]:
    """Return the resolved findings that match the selection, with their sessions."""
    span = selection.span
    matching_settlements = [
        decision
        for decision in settlements
        if decision["position"] <= reader.position
        and (span.first is None or decision["position"] >= span.first)
        and (span.last is None or decision["position"] <= span.last)
        and (not selection.after[0] or ((decision["position"], 0) > selection.after) == (selection.order == "asc"))
        and (decision["position"], 0) != selection.after
    ]
    if not matching_settlements:
        return []
    rows = reader.ask(PLAYED_IN, {"positions": [decision["position"] for decision in matching_settlements]})
    sessions_by_position: dict[int, str | None] = dict(rows)
    settlements_with_sessions: list[MadeDecision] = [
        {**decision, "session": sessions_by_position[decision["position"]]} for decision in matching_settlements
    ]
    return [decision for decision in settlements_with_sessions if selection.session in (None, decision["session"])]


def _make_decision(lens: ViewLens, session: str | None, decision_text: str) -> MadeDecision:
    decision = json.loads(decision_text)
    made: MadeDecision = {
        "id": decision["id"],
        "position": decision["position"],
        "ruling": decision["ruling"],
        "decision": decision["decision"],
        "by": lens.name_person(decision["by"]) if decision["by"] else None,
        "at": decision["at"],
        "session": session,
        "reason": decision["reason"],
        "finding": None,
        "how": None,
        "text": lens.fill_in_names(decision["text"]),
    }
    if "through" in decision:
        made["through"] = decision["through"]
    if "after" in decision:
        made["after"] = decision["after"]
    return made
