"""Landmarks, which help people to find a place in a long campaign: sessions, scenes and decisions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from ledger.rules.kernel.places import BITS
from projections.documents.briefs import shorten_ruling
from projections.documents.filling import Names, split_row
from projections.documents.findings import describe_finding, select_settlements
from projections.documents.naming import learn_names
from projections.documents.rulings import show_ruling
from projections.documents.shape import Document, give_example
from projections.documents.stored_rulings import REVISING, parse_stored_ruling
from projections.redaction import LiveLens, ViewLens
from projections.views.pages import Page, Query, Reader, list_audience_keys

What: TypeAlias = Literal["session", "scene", "decision", "settlement"]
ORDER: tuple[What, ...] = ("session", "scene", "decision", "settlement")
KINDS = [
    f"ledger.{decision}"
    for decision in (
        "disputed",
        "upheld",
        "overturned",
        "reinstated",
        "set-aside",
        "taken-back",
        "rewound",
        "entered-late",
        *REVISING,
    )
]
#: Whether the viewer may know the ruling of a landmark.
KNOWN = "(r.audience IS NULL OR r.audience && %(keys)s OR r.seat = %(me)s OR r.recorder = %(me)s)"
#: For each group of rulings, the first that opened a session or scene, and how many opened one.
OPENED = f"""SELECT replace(r.kind, 'open-', '') AS what, (min(r.in_play) >> {BITS})::int AS place,
        (max(r.in_play) >> {BITS})::int AS last, count(*)::int AS count,
        (array_agg(r.number ORDER BY r.in_play))[1] AS about, NULL::bigint AS position, NULL::int AS row
    FROM {{views}}.rulings r
    WHERE r.campaign = %(campaign)s AND r.kind IN ('open-session', 'open-scene') AND {KNOWN}
    GROUP BY r.kind, ((r.in_play >> {BITS}) - 1) / %(width)s"""
#: The same for decisions, at their place in play: after the latest ruling at the time.
DECIDED = f"""SELECT 'decision', min(d.after), max(d.after), count(*)::int,
        (array_agg(d.ruling ORDER BY d.position, d.place))[1], min(d.position),
        (array_agg(d.place ORDER BY d.position, d.place))[1]
    FROM (SELECT t.position, t.place, t.ruling, (SELECT s.ruling FROM {{views}}.saves s
            WHERE s.campaign = t.campaign AND s.position <= t.position AND s.did = 'ruled'
            ORDER BY s.position DESC LIMIT 1) AS after
        FROM {{views}}.timeline t JOIN {{views}}.rulings r ON r.campaign = t.campaign AND r.number = t.ruling
        WHERE t.campaign = %(campaign)s AND t.what = 'decision' AND t.kind = ANY(%(kinds)s)
            AND (t.audience IS NULL OR t.audience && %(keys)s) AND {KNOWN}) d
    GROUP BY (d.after - 1) / %(width)s"""


#: The latest ruling at a position.
LAST = """SELECT p, (SELECT s.ruling FROM {views}.saves s WHERE s.campaign = %(campaign)s AND s.position <= p
            AND s.did = 'ruled' ORDER BY s.position DESC LIMIT 1)
    FROM unnest(%(positions)s::bigint[]) AS p"""


class Landmark(Document):
    """A session or scene that began with this ruling, or a decision or resolved finding after it. `count`: how many
    landmarks are combined here, because they are close together; `last`: the ruling of the last one. `text` describes
    the first.
    """

    what: What
    ruling: int
    last: int
    count: int
    text: str


@give_example(
    rulings=147,
    width=1,
    landmarks=[{"what": "session", "ruling": 1, "last": 1, "count": 1, "text": "A session begins: The bridge."}],
)
class Landmarks(Document):
    """Landmarks in order of play. `rulings`: the number of rulings. `width`: landmarks of one kind within this many
    rulings are combined.
    """

    rulings: int
    width: int
    landmarks: list[Landmark]


class Settlement(NamedTuple):
    """A finding that was resolved on its own, without a decision about a ruling. `position`: the save that resolved it.
    `text`: a sentence about it.
    """

    position: int
    text: str


def list_settlements(lens: LiveLens) -> list[Settlement]:
    """Return the findings that were resolved on their own, in order."""
    settlements = []
    for settlement in select_settlements(lens):
        document = describe_finding(lens, settlement.finding, settlement)
        if settlement.alone and document["by"] is not None:
            settlements.append(
                Settlement(settlement.position, f"{document['by']['name']} resolves: {document['text']}")
            )
    return settlements


def list_landmarks(
    lens: ViewLens, reader: Reader, most_of_kind: int, settlements: Sequence[Settlement] = ()
) -> Page[Landmarks]:
    """Return at most `most_of_kind` landmarks of each kind. `settlements`: those up to the position of the views."""
    rows_of_campaign = reader.ask("SELECT rulings FROM {views}.campaigns WHERE campaign = %(campaign)s", {})
    ruling_count = int(rows_of_campaign[0][0]) if rows_of_campaign else 0
    width = max(1, -(-ruling_count // most_of_kind))
    query = Query(
        values={"keys": list_audience_keys(lens.viewer), "me": lens.viewer.seat, "width": width, "kinds": KINDS}
    )
    clauses = (
        f"FROM ({OPENED} UNION ALL {DECIDED}) m JOIN {{views}}.rulings r"
        " ON r.campaign = %(campaign)s AND r.number = m.about LEFT JOIN {views}.timeline t"
        " ON t.campaign = %(campaign)s AND t.position = m.position AND t.place = m.row"
        " ORDER BY m.place, m.what DESC"
    )
    columns = "m.what, m.place, m.last, m.count, r.brief IS NOT NULL, coalesce(t.document, r.brief, r.document)"
    rows = reader.select_rows(columns, clauses, query)
    learn_names(lens, reader, (row[-1].encode() for row in rows))
    names = Names(lens)
    landmarks: list[Landmark] = [
        {
            "what": what,
            "ruling": first_number,
            "last": last_number,
            "count": count,
            "text": _write_landmark_text(
                lens, names, row_text.encode(), is_ready=is_ready, is_decision=what == "decision"
            ),
        }
        for what, first_number, last_number, count, is_ready, row_text in rows
    ]
    landmarks += _make_settlement_landmarks(reader, settlements, width)
    landmarks.sort(key=lambda landmark: (landmark["ruling"], ORDER.index(landmark["what"])))
    return Page({"rulings": ruling_count, "width": width, "landmarks": landmarks}, reader.position)


def _make_settlement_landmarks(reader: Reader, settlements: Sequence[Settlement], width: int) -> list[Landmark]:
    """Return the settlements as landmarks, each at the latest ruling of its time."""
    if not settlements:
        return []
    rows = reader.ask(LAST, {"positions": [settlement.position for settlement in settlements]})
    number_by_position = {int(position): int(number) for position, number in rows if number is not None}
    landmarks_by_group: dict[int, Landmark] = {}
    for settlement in settlements:
        ruling_number = number_by_position.get(settlement.position, 1)
        landmark = landmarks_by_group.setdefault(
            (ruling_number - 1) // width,
            {"what": "settlement", "ruling": ruling_number, "last": ruling_number, "count": 0, "text": settlement.text},
        )
        landmark["last"], landmark["count"] = ruling_number, landmark["count"] + 1
    return list(landmarks_by_group.values())


def _write_landmark_text(lens: ViewLens, names: Names, document: bytes, *, is_ready: bool, is_decision: bool) -> str:
    if is_decision:
        return str(json.loads(names.fill_in_sentences(split_row(document)[1])))
    if is_ready:
        return str(json.loads(next(iter(names.fill_in_documents([document]))))["text"])
    return shorten_ruling(show_ruling(lens, parse_stored_ruling(document)))["text"]
