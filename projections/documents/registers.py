"""Lists of rulings for one viewer, from the views."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from msgspec import Raw

from projections.documents.briefs import Brief, shorten_ruling
from projections.documents.filling import Names
from projections.documents.naming import find_names, learn_names
from projections.documents.rulings import RULING, Ruling, show_ruling
from projections.documents.shape import Listed, give_example
from projections.documents.stored_rulings import parse_stored_ruling
from projections.documents.written import FOUND
from projections.redaction import ViewLens
from projections.views.clocks import ALWAYS, Span
from projections.views.pages import Order, Page, Query, Reader, list_audience_keys


@give_example(rulings=[RULING], next=None, previous=None)
class Rulings(Listed):
    """A page of rulings in order. The `Link` header with rel=next has the next page."""

    rulings: list[Ruling]


@give_example(rulings=[shorten_ruling(RULING)], next=None, previous=None)
class Briefly(Listed):
    """A page of rulings in order, one sentence each."""

    rulings: list[Brief]


View: TypeAlias = Literal["whole", "brief"]


@dataclass(frozen=True, slots=True)
class Selection:
    """Filters; all must match. `after`: a ruling's number; 0 starts at the beginning.

    `q`: words that people wrote about the ruling. `view`: how much of each ruling is shown. `target`: a character in
    the ruling's facts or declaration, other than the actor. `unit`: a unit that one of its facts moves. `span`: when
    the ruling was recorded.
    """

    status: str | None = None
    character: str | None = None
    seat: str | None = None
    scene: str | None = None
    session: str | None = None
    kind: str | None = None
    rule: str | None = None
    after: int = 0
    limit: int = 50
    order: Order = "asc"
    q: str | None = None
    view: View = "whole"
    target: str | None = None
    unit: str | None = None
    span: Span = ALWAYS


def list_rulings(lens: ViewLens, reader: Reader, selection: Selection) -> Page[Rulings | Briefly]:
    """Return the rulings that this viewer may know of, in order."""
    source, alias, query = _make_ruling_query(lens, selection)
    from_clause = f"FROM {source} WHERE {query.text} ORDER BY {alias}.number {selection.order} LIMIT %(limit)s"
    query.values["limit"] = selection.limit + 1
    ready_column = "r.plain" if selection.view == "whole" else "r.brief"
    columns = f"r.number, {ready_column} IS NOT NULL, coalesce({ready_column}, r.document)"
    rows = reader.select_rows(columns, from_clause, query, as_bytes=True)
    has_more = len(rows) > selection.limit
    rows = rows[: selection.limit]
    rulings: list[Ruling | Brief] = []
    learn_names(lens, reader, (stored_text for _, is_ready, stored_text in rows if not is_ready))
    names = Names(lens, lambda subjects: lens.subject_names.update(find_names(reader, subjects)))
    ready_texts = iter(names.fill_in_documents(stored_text for _, is_ready, stored_text in rows if is_ready))
    for _, is_ready, stored_text in rows:
        if is_ready:
            rulings.append(cast(Ruling, Raw(next(ready_texts))))  # the ruling's document, ready to send
        elif _is_selected(ruling := show_ruling(lens, parse_stored_ruling(stored_text)), selection):
            rulings.append(ruling if selection.view == "whole" else shorten_ruling(ruling))
    document = cast(Rulings | Briefly, {"rulings": rulings, "next": None, "previous": None})
    first_cursor, last_cursor = (str(rows[index][0]) if rows else None for index in (0, -1))
    return Page(document, reader.position, last_cursor if has_more else None, first_cursor, "rulings")


#: Looks up each marked ruling by its key. Otherwise, a planner without statistics would read the whole table.
MARKED = """ CROSS JOIN LATERAL (SELECT o.* FROM {{views}}.rulings o
    WHERE o.campaign = {name}.campaign AND o.number = {name}.number OFFSET 0) r"""
ALSO = """EXISTS (SELECT 1 FROM {{views}}.marks m WHERE m.campaign = %(campaign)s AND m.mark = %({name})s
    AND m.number = {alias}.number AND (m.audience IS NULL OR m.audience && %(keys)s) OFFSET 0)"""


def _make_ruling_query(lens: ViewLens, selection: Selection) -> tuple[str, str, Query]:
    """Return the tables to read, the alias of the table with the numbers, and the conditions."""
    query, source, alias = Query(), "{views}.rulings r", "r"
    query.add_condition("r.campaign = %(campaign)s")
    query.start_after("r.number", selection.order, selection.after)
    query.add_condition(
        "(r.audience IS NULL OR r.audience && %(keys)s OR r.seat = %(me)s OR r.recorder = %(me)s)",
        keys=list_audience_keys(lens.viewer),
        me=lens.viewer.seat,
    )
    query.add_condition("(r.status = %(status)s OR r.open_status = %(status)s)", status=selection.status)
    query.add_condition("r.seat = %(seat)s", seat=selection.seat)
    query.add_condition("r.scene = %(scene)s", scene=selection.scene)
    query.add_condition("r.session = %(session)s", session=selection.session)
    query.add_condition("r.kind = %(kind)s", kind=selection.kind)
    query.add_condition(f"r.number IN ({FOUND})", q=selection.q)
    query.add_condition("r.number >= %(since)s", since=selection.span.first_ruling)
    query.add_condition("r.number <= %(until)s", until=selection.span.last_ruling)
    for name in ("target", "character", "unit", "rule"):
        value = getattr(selection, name)
        if value is None:
            continue
        mark = {name: f"{name}:{value}"}
        if alias == "r":
            source, alias = f"{{views}}.marks {name}" + MARKED.format(name=name), name
            query.add_condition(f"{name}.campaign = %(campaign)s AND {name}.mark = %({name})s", **mark)
            query.start_after(f"{name}.number", selection.order, selection.after)
            query.add_condition(f"{name}.number >= %(since)s", since=selection.span.first_ruling)
            query.add_condition(f"{name}.number <= %(until)s", until=selection.span.last_ruling)
            query.limit_to_viewer(lens.viewer, f"{name}.audience")
        else:
            query.add_condition(ALSO.format(name=name, alias=alias), **mark)
    return source, alias, query


def _is_selected(document: Ruling, selection: Selection) -> bool:
    """Return whether the visible part of a ruling matches the filters, so that filters reveal nothing hidden."""
    cited_rules = {step["rule"] for step in document["because"]}
    return (
        (selection.status is None or selection.status == document["status"])
        and (selection.scene is None or selection.scene == document["scene"])
        and (selection.session is None or selection.session == document["session"])
        and (selection.rule is None or selection.rule in cited_rules)
    )
