"""The campaign and seat of a token. Also the list of campaigns, for callers who may see it."""

from __future__ import annotations

from datetime import datetime

from ledger.rules.kernel.subjects import Role
from projections.documents.campaigns import CharacterEntry, list_characters
from projections.documents.shape import Document, Listed, give_example
from projections.redaction import LiveLens
from projections.views.everywhere import EverywhereReader
from projections.views.pages import PAST, Order

COLUMNS = "campaign, name, system, edition, rulings, position, opened_at, at"
CAMPAIGN: CampaignSummary = {
    "id": "k3v7q2mzt5a4c",
    "name": "The Long Winter",
    "system": "system",
    "edition": 1,
    "rulings": 9,
    "position": 14,
    "opened_at": "2026-11-21T19:30:00+00:00",
    "at": "2026-11-21T22:10:00+00:00",
}


@give_example(
    campaign="k3v7q2mzt5a4c",
    campaign_name="The Long Winter",
    system="system",
    seat="s2",
    name="Ben",
    role="player",
    characters=[{"id": "1", "name": "Giazza", "seat": "s2", "retired": False}],
)
class Me(Document):
    """The token's seat. `characters`: the characters this seat plays, or played until they retired."""

    campaign: str
    campaign_name: str
    system: str
    seat: str
    name: str
    role: Role
    characters: list[CharacterEntry]


class CampaignSummary(Document):
    """A campaign in a list. `at`: the time of the last event. `position`: the number of the last save included here."""

    id: str
    name: str
    system: str
    edition: int
    rulings: int
    position: int
    opened_at: str
    at: str


@give_example(campaigns=[CAMPAIGN], next=None, previous=None)
class Campaigns(Listed):
    """A page of campaigns in the order they started. The `Link` header with rel=next has the next page."""

    campaigns: list[CampaignSummary]


def describe_me(lens: LiveLens) -> Me:
    book, seat = lens.book, lens.viewer.seat
    return {
        "campaign": book.id,
        "campaign_name": book.entry.name,
        "system": book.entry.system,
        "seat": seat,
        "name": lens.find_seat_name(seat),
        "role": lens.viewer.role,
        "characters": [character for character in list_characters(lens) if character["seat"] == seat],
    }


def list_campaigns(
    reader: EverywhereReader, campaign: str | None, after: str, limit: int, order: Order = "asc"
) -> tuple[Campaigns, str | None]:
    """Return campaigns, and the cursor of the next page. `campaign`: only this campaign. `after`: an id."""
    opened_after: datetime | None = None
    if after:
        opened_rows = reader.ask(after, "SELECT opened_at FROM {views}.campaigns WHERE campaign = %(c)s", {"c": after})
        if not opened_rows:
            return {"campaigns": [], "next": None, "previous": None}, None
        ((opened_after,),) = opened_rows
    query = (
        f"SELECT {COLUMNS} FROM {{views}}.campaigns WHERE (%(only)s::text IS NULL OR campaign = %(only)s)"
        f" AND (%(after)s = '' OR (opened_at, campaign) {PAST[order]} (%(since)s::timestamptz, %(after)s))"
        f" ORDER BY opened_at {order}, campaign {order} LIMIT %(limit)s"
    )
    values = {"only": campaign, "after": after, "since": opened_after, "limit": limit + 1}
    rows = sorted(reader.ask(campaign, query, values), key=lambda row: (row[6], row[0]), reverse=order == "desc")[
        : limit + 1
    ]
    summaries: list[CampaignSummary] = [
        {
            "id": id,
            "name": name,
            "system": system,
            "edition": edition,
            "rulings": rulings,
            "position": position,
            "opened_at": opened_at.isoformat(),
            "at": at.isoformat(),
        }
        for id, name, system, edition, rulings, position, opened_at, at in rows[:limit]
    ]
    return {"campaigns": summaries, "next": None, "previous": None}, summaries[-1]["id"] if len(rows) > limit else None
