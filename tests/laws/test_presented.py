"""A game's templates in random play: none fails, which would hide the whole prompt, and every button is accepted."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from html import unescape
from itertools import count
from random import Random
from typing import Any

import pytest

from api.table.choosing import CHOSEN
from api.table.presentations import Presenter
from api.table.words import Words
from ledger.application import json_form
from ledger.rules.kernel.offers import list_offers
from ledger.rules.kernel.register import CharacterEntry, SceneEntry
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import CAMPAIGN, Viewer
from ledger.rules.kernel.table import load_campaign_entry
from ledger.rules.kernel.world import Past
from projections.documents import moves as documents
from projections.documents.move_schemas import make_offer_schema
from projections.documents.subjects import list_balances
from projections.documents.systems import index_dial_values
from projections.wording import Wording
from tests.laws.test_play import every_system
from tests.levels import examples
from tests.rules.anything import play
from tests.rules.moves import refusal, steps, viewers

FORM = re.compile(r"<form .*?</form>", re.DOTALL)
DECLARED = re.compile(r'name="declare" value="([^"]*)"')


def describe(past: Past, by: Viewer) -> dict[str, Any]:
    """Return what a seat is shown of the table, as `GET /state` does. Nothing waits."""
    entry = load_campaign_entry(past)
    viewer: Viewer = Seen(past.ruleset, past, by).viewer
    subjects = [folded for folded in past.folded.values() if folded.entry is not None]

    def show(folded: Any) -> dict[str, Any]:
        shown = {"id": folded.subject.id, "balances": list_balances(folded, set())}
        return shown | {"state": json_form.to_json(dict(past.ruleset.view(folded.subject, folded.state, viewer)))}

    return {
        "campaign": show(past.folded[CAMPAIGN]) | {"dials": index_dial_values(past.ruleset, entry)},
        "characters": [
            show(one) | {"name": one.entry.name, "seat": one.entry.seat, "retired": one.entry.retired}
            for one in subjects
            if isinstance(one.entry, CharacterEntry)
        ],
        "scenes": [
            show(one) | {"title": one.entry.title, "cast": list(one.entry.cast)}
            for one in subjects
            if isinstance(one.entry, SceneEntry) and one.entry.open
        ],
        "waiting": [],
    }


def list_moves(past: Past, by: Viewer) -> Iterator[dict[str, Any]]:
    tell, number = documents.make_describer(Wording(past.ruleset)), count()
    for offer in list_offers(past.ruleset, Seen(past.ruleset, past, by)):
        told = tell(offer.move)
        yield {
            "kind": told.kind,
            "settled": told.settled,
            "schema": make_offer_schema(told.narrow_schema, ""),
            "move": str(next(number)),
            "scene": offer.scene,
        }


def present(past: Past, by: Viewer) -> str:
    """Return everything that the game's templates show to a seat."""
    state = describe(past, by)
    presenter = Presenter(past.ruleset.name, "/table/a/s1", state, Words({}, {}), tuple(list_moves(past, by)), by.seat)
    views = [view(scene) for scene in state["scenes"] for view in (presenter.board, presenter.prompt)]
    views += [view(who) for who in state["characters"] for view in (presenter.sheet, presenter.strip)]
    return "".join(view for view in views if view is not None)


def list_refused_buttons(past: Past, number: int, by: Viewer) -> Iterator[tuple[str, str]]:
    """Yield what buttons declare in vain. What people still have to fill in is not declared."""
    buttons = {
        (unescape(declared), (re.findall(r'name="scene" value="([^"]+)"', form) or [None])[0])
        for form in FORM.findall(present(past, by))
        for declared in DECLARED.findall(form)
    }
    for declared, scene in sorted(buttons, key=str):
        if f'"{CHOSEN}"' not in declared:
            do = json_form.declaration_from_json(past.ruleset, json.loads(declared))
            if (why := refusal(past, number, do, by, scene, Random(0))) is not None:
                yield declared, why


@every_system
@pytest.mark.parametrize("seed", range(examples(1, 2, 30)))
def test_no_template_fails_and_no_button_is_refused(name: str, seed: int, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        for past, ruling in steps(play(name, seed, 100)):
            people = list(viewers(past))
            refused = list(list_refused_buttons(past, ruling.number, people[ruling.number % len(people)]))
            assert not refused
    assert not {str(record.exc_info[1]) for record in caplog.records if record.exc_info}
