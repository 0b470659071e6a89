"""Many listen to one campaign while several write in it: everybody hears all that is for them, once and in order."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import pairwise

from tests.api.table import Player, Table
from tests.api.test_feed import Feed, listening

LISTENERS = 20  # of each of two seats
WRITERS = 5
RULINGS = 20  # of each writer; every fourth is secret
SECRET = 7_000_000  # coins, and more: no other number is as large


def write(player: Player, writer: int) -> None:
    for turn in range(RULINGS):
        hidden = turn % 4 == 0
        coins = 1 + writer * RULINGS + turn + (SECRET if hidden else 0)
        player.declare("mint", to="1", coins=coins, hidden=hidden)


def places(feed: Feed) -> list[tuple[int, int]]:
    found = [id.split(".") for id, _, _ in feed.events]
    return [(int(position), int(place)) for position, place in found]


def amounts(feed: Feed) -> list[int]:
    return [data["postings"][0]["amount"] for _, event, data in feed.events if event == "fact"]


def facts(player: Player, after: str) -> list[str]:
    return [fact["id"] for fact in player.look("/timeline", after=after, limit=500)["facts"]]


def test_nobody_misses_or_is_told_twice_what_several_write_at_once(table: Table) -> None:
    table.fighters()
    start = f"{table.position}.999"
    with ExitStack() as stack:
        heard = {
            player: [stack.enter_context(listening(player, last=start)) for _ in range(LISTENERS)]
            for player in (table.ben, table.dora)
        }
        with ThreadPoolExecutor(WRITERS) as pool:
            list(pool.map(lambda writer: write(table.gm, writer), range(WRITERS)))
        for player, feeds in heard.items():
            written = facts(player, start)
            for feed in feeds:
                told = [one for one in feed.until_facts(len(written)) if one[1] == "fact"]
                assert [id for id, _, _ in told] == written
                assert all(one < two for one, two in pairwise(places(feed)))
    everything = sorted(1 + turn + (SECRET if turn % RULINGS % 4 == 0 else 0) for turn in range(WRITERS * RULINGS))
    for feed in heard[table.ben]:
        assert sorted(amounts(feed)) == everything
    for feed in heard[table.dora]:
        assert sorted(amounts(feed)) == [coins for coins in everything if coins < SECRET]
