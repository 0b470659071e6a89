"""What the documentation says about hooks, run."""

from __future__ import annotations

import json

from standardwebhooks import Webhook

from ledger.application import Ledger
from tests.api.hooks.conftest import Delivery, caught_up
from tests.api.hooks.receiver import Receiver
from tests.api.table import Json, Table
from tests.api.test_documentation import HOOKS, Story, blocks, parse


def test_what_the_page_says_about_hooks(table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger) -> None:
    """Its bot lives on the loopback here, which changes its address and nothing else."""
    (_, request), (_, answer), (_, row), (_, code) = blocks(HOOKS)
    story = Story()
    story.known |= {"CAMPAIGN": table.id, "ANN": table.gm.token}
    method, path, headers, body = parse(story.fill(request))
    made = table.service.send(method, path, headers, json={**json.loads(body), "url": receiver.url})
    story.compare(json.loads(answer), made.json(), "answer")
    table.ben.enrol("Sarah")
    caught_up(table, ledger)
    delivery.turn()
    got = receiver.received[0]
    known: Json = {"Webhook": Webhook, "secret": story.known["SECRET"], "body": got.body, "headers": got.headers}
    exec(code, known)
    story.compare(json.loads(story.fill(row)), known["row"], "row")
