"""The live feed, with every row of the timeline: rulings, facts, decisions, and events of waiting declarations.

`list_news` reads the rows for all viewers; `render_row` shows a row to one viewer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, cast, get_args

from ledger.events.codec import plain
from ledger.rules.kernel.subjects import Audience
from projections.documents import waits
from projections.documents.naming import find_names_in
from projections.documents.rulings import show_ruling
from projections.documents.stored_rulings import StoredRuling, parse_stored_ruling, restore_as_made
from projections.documents.timelines import ALL, COLUMNS
from projections.redaction import StoredRow, ViewLens, to_text
from projections.views.pages import Query, Reader

FeedPlace: TypeAlias = tuple[int, int]
#: To add a kind of event, also make its rows (`projections/views/timeline`) and their form (`render_row`).
Event: TypeAlias = Literal["ruling", "fact", "decision", "waiting", "answered", "withdrawn"]
EVENTS: tuple[Event, ...] = get_args(Event)
BEGINNING: FeedPlace = (0, 0)
#: A place after the last row of any save: a reader who starts there gets only later saves.
LAST_PLACE = 999_999_999
RULING = """CASE WHEN t.what = 'ruling' THEN
    (SELECT r.document FROM {views}.rulings r WHERE r.campaign = t.campaign AND r.number = t.ruling) END"""


@dataclass(frozen=True, slots=True)
class News:
    """A row of the timeline. `place`: the position of its save, and its place in the save. `names`: the names of the
    characters and scenes in its sentence. `ruling`: the stored ruling, if the row announces one.
    """

    place: FeedPlace
    what: Event
    kind: str
    audience: Audience
    document: StoredRow
    names: Mapping[str, str] = field(default_factory=dict)
    ruling: StoredRuling | None = None

    @property
    def id(self) -> str:
        return f"{self.place[0]}.{self.place[1]}"


def list_news(reader: Reader, after: FeedPlace, limit: int) -> tuple[int, list[News]]:
    """Return the position of the views, and the next rows after a place, for all viewers."""
    query = Query()
    query.add_condition("t.campaign = %(campaign)s AND (t.position, t.place) > (%(position)s, %(place)s)")
    query.values |= {"position": after[0], "place": after[1], "known": ALL, "limit": limit}
    clauses = f"FROM {{views}}.timeline t WHERE {query.text} ORDER BY t.position, t.place LIMIT %(limit)s"
    rows = reader.select_rows(f"{COLUMNS}, t.what, t.kind, t.audience, {RULING}", clauses, query)
    names = find_names_in(reader, (text.encode() for row in rows for text in (row[2], row[7]) if text is not None))
    news = [
        News(
            (position, place),
            what,
            kind,
            tuple(audience) if audience is not None else None,
            _mark_struck(plain(document_text.encode()), is_struck if what == "fact" else None),
            names,
            parse_stored_ruling(ruling_text.encode()) if ruling_text is not None else None,
        )
        for position, place, document_text, is_struck, what, kind, audience, ruling_text in rows
    ]
    return reader.position, news


def render_row(lens: ViewLens, row: News) -> str | None:
    """Return the row as this viewer may see it, or None if it is hidden."""
    if not lens.may_see(row.audience):
        return None
    lens.subject_names.update(row.names)
    if row.ruling is not None:
        return _render_ruling(lens, row.document, row.ruling)
    if row.what in ("fact", "decision"):
        return lens.show_feed_row(row.document, row.audience)
    return to_text(waits.show_wait(lens, cast(waits.StoredWait, row.document)))


def _render_ruling(lens: ViewLens, row: StoredRow, ruling: StoredRuling) -> str | None:
    """Return the ruling as it was made, or None if it is hidden from the viewer."""
    if not lens.may_see_stored(ruling) and lens.viewer.seat not in (ruling["by"], ruling["seat"]):
        return None
    return to_text({**row, "ruling": show_ruling(lens, restore_as_made(ruling))})


def _mark_struck(document: StoredRow, is_struck: bool | None) -> StoredRow:
    """Add `struck` to a fact's document: whether the fact was overturned later. Leave other documents unchanged."""
    return document if is_struck is None else {**document, "struck": is_struck}
