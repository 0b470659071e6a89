"""Over the demonstration of every system: a hook tells what the feed tells whose sight it has, and nothing hidden."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from ledger.application import Ledger
from projections.documents.feeds import EVENTS
from tests.api.conftest import PLAYED, SCHEMA
from tests.api.hooks.conftest import Delivery, caught_up, sign_anew
from tests.api.hooks.receiver import Receiver
from tests.api.table import Table
from tests.api.test_feed import listening
from tests.api.test_secrets_matrix import KEEP_SECRETS, secrets, stored
from tests.levels import LEVEL, sampled

OTHERS = sorted(set(PLAYED) - KEEP_SECRETS)
LAST = 30  # saves


@pytest.mark.parametrize("system", [*sorted(KEEP_SECRETS), *sampled(OTHERS, 0)])
def test_a_hook_tells_what_the_feed_does(
    played: Callable[[str], Table], delivery: Delivery, receiver: Receiver, ledger: Ledger, postgres: Any, system: str
) -> None:
    """From the beginning of the record, to which it is put back here: hooks begin where they are made.

    By default from the last saves on: each event is a delivery of its own.
    """
    table, found = played(system), 0
    caught_up(table, ledger)
    begins = 0 if LEVEL == "all" else max(0, table.position - LAST)
    for player in (table.dora, *((table.ben,) if system in KEEP_SECRETS else ())):
        seat = {} if player is table.dora else {"seat": player.id}
        made = table.gm.does("/hooks", {"url": "https://1.1.1.1/", "events": list(EVENTS), **seat})
        if player is not table.dora:
            player.does(f"/hooks/{made['id']}/agree", {}, 200)
        with psycopg.connect(postgres.owner_url) as owner:
            query = f"UPDATE {SCHEMA}.hooks SET url = %s, position = %s, place = 0 WHERE id = %s"
            owner.execute(query, [receiver.url, begins, made["id"]])
            owner.commit()
            sign_anew(ledger, owner)
        receiver.received.clear()
        before = -1
        while before < len(receiver.received):
            before = len(receiver.received)
            delivery.turn()
        with listening(player, after=f"{begins}.0") as feed:
            fed = feed.until(len(receiver.received))
        told = [one.said for one in receiver.received]
        assert [(one["id"], one["type"], one["data"]) for one in told] == fed[: len(told)] and len(told) > 5
        hidden = secrets(stored(ledger, table, player))
        written = json.dumps(told, ensure_ascii=False) + "".join(one.body.decode() for one in receiver.received)
        assert not [one for one in hidden if one in written]
        found += bool(hidden)
        table.gm.send("DELETE", f"/hooks/{made['id']}")
    assert found or system not in KEEP_SECRETS
