"""What stands in a card of a scene or of somebody: told in words, whatever the game keeps there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from api.table.pages import environment
from api.table.words import Words, make_words
from ledger.application import json_form
from ledger.rules import systems
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import scene
from tests.api.table import Json, Service
from tests.rules.anything import play
from tests.rules.moves import steps, viewers

CARD = environment.from_string(
    '{% from "state.html.jinja" import leaves, nested with context %}{{ leaves(state, "x") }}{{ nested(state, "x") }}'
)
PEOPLE = [{"id": str(at), "name": f"Somebody {chr(96 + at)}", "state": {}} for at in range(1, 27)]
CAMPAIGN: Json = {"seats": [], "sessions": [], "dials": {}, "state": {}}


def card(state: Json, words: Words) -> str:
    return str(CARD.render(state=state, words=words, now=None))


def scenes(system: str, seed: int, words: int) -> Iterator[Json]:
    """What a game master sees of the open scenes, after each ruling of random play."""
    for past, _ in steps(play(system, seed, words)):
        seen = Seen(past.ruleset, past, next(iter(viewers(past))))
        yield from (dict[str, Any](json_form.to_json(seen.view(scene(id)))) for id in seen.scenes)


def test_a_record_of_much_is_told_in_short_and_the_rest_where_one_looks_for_it() -> None:
    words = Words({"character": {"2": "Sarah"}}, {"character": "character"}, {"tn": "Target number"})
    roll = {"id": "r", "rolled": True, "faces": [7, 10], "tn": 9, "stage": "resolved", "skill": "Dodge"}
    check = {"id": "20", "character": "2", "purpose": "draws", "stage": "open", "parts": [roll, roll]}
    page = card({"checks": [check], "deeds": {"20": check}}, words)
    assert re.findall(r"<summary>(.*?)</summary>", page)[:1] == ["Sarah, Draws, Open"]
    assert "target number" in page and "faces" in page
    assert ">20<" not in page
    assert "Yes, " not in page


@pytest.mark.parametrize("system", sorted(systems()))
def test_no_card_shows_a_record_as_a_row_of_values_or_under_an_id(service: Service, system: str) -> None:
    assert service.app is not None
    told, schemas = service.client.get(f"/systems/{system}").json(), service.app.openapi()["components"]["schemas"]
    for seed in range(2):
        for state in scenes(system, seed, 60):
            there: Json = {
                "campaign": {**CAMPAIGN, "system": system},
                "characters": PEOPLE,
                "scenes": [{"id": "5", "title": "The mill", "state": state}],
            }
            page = card(state, make_words(there, schemas, told))
            assert not re.search(r">[^<]*\b(Yes|No), [^<]*<", page), page
            assert not re.search(r'(<summary>|<p class="name">)[0-9-]*(</summary>|</p>)', page), page
