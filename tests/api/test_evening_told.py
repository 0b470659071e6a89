"""What an evening tells each seat, live: everything once and in order, and what waits until it waits no more.

Held in every game: the feed knows none.
"""

from __future__ import annotations

import time
from collections import defaultdict
from contextlib import ExitStack
from random import Random
from types import SimpleNamespace
from typing import Any, TypeAlias

import httpx
import pytest

from api.cli.playing.evening import Evening
from api.cli.playing.filling import Json
from api.cli.playing.table import Seat, Table
from tests.api.conftest import OPERATOR
from tests.api.table import Service
from tests.api.test_evening import with_moves
from tests.api.test_feed import PATIENCE, Feed, listening

THE_END = "the end"
Told: TypeAlias = tuple[str, str, Json]


class Asking(Evening):
    """Keeps who was asked what: by what waits."""

    asked: list[tuple[str, str, str]]

    def _answered(self, id: str, seat: Seat, declarer: Seat, waiting: Json) -> None:
        self.asked.append((id, seat.id, waiting["question"]["text"]))
        super()._answered(id, seat, declarer, waiting)


def hearing(seat: Seat, last: str | None = None) -> Any:
    """The feed of a seat, from now on or from a place."""
    table: Any = SimpleNamespace(id=seat.table.id, service=SimpleNamespace(client=seat.table.client))
    player: Any = SimpleNamespace(bearer={"Authorization": f"Bearer {seat.token}"}, table=table)
    return listening(player, last)


def whole(feed: Feed) -> list[Told]:
    """All events up to the last of the evening; whether a fact was struck since is as it was when it was read."""
    told = feed.until_it_says(lambda data: data.get("reason") == THE_END)
    return [(id, event, {**data, "struck": False}) for id, event, data in told]


def places(told: list[Told]) -> list[tuple[int, ...]]:
    return [tuple(map(int, id.split("."))) for id, _, _ in told]


def unheard(one: list[Told], other: list[Told], start: int) -> set[tuple[int, ...]]:
    return {place for place in places(other) if place > (start, 99)} - {*places(one)}


def each_ends_once(told: list[Told]) -> None:
    """Every question is answered or taken back before another one is asked of it, and nothing follows its end."""
    stories: dict[str, list[str]] = defaultdict(list)
    for _, event, data in told:
        if event in ("waiting", "answered", "withdrawn"):
            over = event == "answered" and data["status"] != "waiting"
            stories[data["waiting"]].append("ruled" if over else event)
    for id, story in stories.items():
        assert story[0] == "waiting", (id, story)
        for before, after in zip(story, story[1:], strict=False):
            assert after in FOLLOWS[before], (id, story)


FOLLOWS = {
    "waiting": ("answered", "ruled", "withdrawn"),
    "answered": ("waiting", "withdrawn"),
    "withdrawn": ("waiting",),  # only what lapsed, and was declared again
    "ruled": (),
}


@with_moves
def test_an_evening_is_told_once_and_in_order_to_whom_it_concerns(service: Service, name: str) -> None:
    with httpx.Client(base_url=service.client.base_url, timeout=60) as client, ExitStack() as stack:
        rng = Random(1)
        table = Table(client, OPERATOR, name, rng, 3)
        feeds = {seat.id: stack.enter_context(hearing(seat)) for seat in table.seats}
        start = int(table.gm.get("/moves")["position"]) if False else 5
        evening = Asking(table, lambda _: None, ("table",))
        evening.asked = []
        evening.play(30)
        table.gm.post("/rulings/1/dispute", {"reason": THE_END})
        for seat in table.seats:
            live = whole(feeds[seat.id])
            with hearing(seat, "0.0") as feed:
                afterwards = whole(feed)
            print(
                name,
                seat.id,
                len(live),
                len(afterwards),
                unheard(live, afterwards, start),
                unheard(afterwards, live, start),
            )
            assert places(live) == sorted(set(places(live))), "each once, in order"
            each_ends_once(live)
            for place in sorted(rng.sample(range(len(afterwards) - 1), 2)):
                with hearing(seat, afterwards[place][0]) as feed:
                    assert whole(feed) == afterwards[place + 1 :], "nothing lost, nothing told again"
            questions = [data for _, event, data in live if event == "waiting" and data["question"] is not None]
            heard = {(data["waiting"], data["question"]["text"]) for data in questions}
            mine = {(id, text) for id, of, text in evening.asked if of == seat.id}
            assert mine <= heard, "who is asked hears it"
            print(len(mine))
