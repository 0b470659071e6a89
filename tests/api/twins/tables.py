"""What is kept from others at a table of any game: words of the game master's, and a private note; and a lamp's oil."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
from psycopg.conninfo import make_conninfo

from api.app import create_app
from ledger.application import Ledger, make_environment
from ledger.events import codec
from ledger.events.database_check import PROJECTOR_ROLE, SERVICE_ROLE
from ledger.rules import systems
from projections.views.projector import Projector
from tests.api.conftest import KEY, OPERATOR, serving
from tests.api.page.campaigns import FACES, SCENE
from tests.api.table import Json, Service, Table
from tests.api.twins.games import Secret
from tests.rules import lanterns
from tests.schemas import made_anew

OWN = "lanterns_tests"  # the schema of the service that plays it

#: Of each game, what the game master moves for a reason that only he may read.
MOVED: dict[str, Json] = {
    "intensity": {"source": "bank/ap", "target": "character:1/ap:2", "unit": "ap"},
    "mongrel": {"source": "bank/ap", "target": "character:1/ap", "unit": "ap"},
    "scattershot": {"source": "bank/xd", "target": "character:1/xd", "unit": "xd"},
}


def in_play(table: Table, system: str) -> None:
    """Ben and Cleo play one each of the people who are ready; the first thing that a scene of this game asks waits."""
    people = table.service.client.get(f"/systems/{system}").json()["people"]
    for player, (called, sheet) in zip((table.ben, table.cleo), people.items(), strict=False):
        table.gm.does("/characters", {"name": called, "seat": player.id, "sheet": sheet})
    table.gm.does("/sessions", {"title": "Session one"})
    table.gm.does("/scenes", {"title": SCENE, "cast": ["1", "2"]})
    if system == "intensity":
        under_attack(table)
    if system == "mongrel":
        table.gm.declare("open-conflict", participants=["1", "2"])


def under_attack(table: Table) -> None:
    """Ben's character attacks Cleo's, who has not defended yet: there is a board, and a prompt for her."""
    table.gm.declare("open-round", participants=["1", "2"])
    for id, target in (("1", "2"), ("2", "1")):
        trait = table.gm.look(f"/characters/{id}")["state"]["traits"][0]["name"]
        table.gm.declare("declare", char=id, target=target, level="calm", trait=trait, text="steps forward")
    table.gm.declare("roll", faces=FACES)
    first = next(entry["character"] for entry in table.gm.look("/waiting")["awaited"])
    table.gm.declare("attack", char=first, target={"1": "2", "2": "1"}[first])


def _noted(system: str) -> Callable[[Table, bool], None]:
    def hide(table: Table, other: bool) -> None:
        in_play(table, system)
        note = "He lies, I think." if other else "She is the one."
        table.ben.does("/bookmarks", {"ruling": 3, "note": note, "mine": True})

    return hide


def _worded(system: str) -> Callable[[Table, bool], None]:
    def hide(table: Table, other: bool) -> None:
        in_play(table, system)
        reason = "for the murder of Celia" if other else "for keeping silent"
        table.gm.declare("adjust", **MOVED[system], amount=1, reason=reason, seen_by=["gm"])

    return hide


ALL = ("ben", "cleo", "dora")
AT_ANY_TABLE = (
    *(
        Secret(system, "a private note", _noted(system), attackers=("cleo", "dora", "gm"))
        for system in ("intensity", "mnemonic", "moc", "mongrel", "scattershot")
    ),
    *(Secret(system, "words of the game master's", _worded(system), owner="gm", attackers=ALL) for system in MOVED),
)

# --- a game of two chapters, without a presentation ---


def _filled(table: Table, other: bool) -> None:
    """3: the lamp of Ben's holds one measure or three, and nobody tried it; 4: Cleo's holds two, and burns."""
    for player, name in ((table.ben, "Bruno"), (table.cleo, "Celia")):
        player.does("/characters", {"name": name, "seat": player.id, "sheet": {}})
    table.ben.declare("fill", char="1", measures=3 if other else 1)
    table.cleo.declare("fill", char="2", measures=2)
    table.cleo.declare("light", char="2")


LAMPS: tuple[Json, ...] = (
    *({"kind": "fill", "char": char, "measures": measures} for char in "12" for measures in (1, 3)),
    {"kind": "light", "char": "1"},
    {"kind": "light", "char": "2"},
    {"kind": "blow", "char": "1"},
    {"kind": "blow", "char": "2"},
)
OIL = Secret("lanterns", "oil", _filled, {}, LAMPS, decides=(("/rulings/3/overturn", {"reason": "a mistake"}),))


@contextmanager
def lit(owner_url: str) -> Iterator[Service]:
    """A service that plays the game of lanterns, too, in a schema of its own: no other projector knows that game."""
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setitem(cast(dict[str, Any], systems()), "lanterns", lanterns.RULESET)
        patch.setitem(sys.modules, "ledger.rules.lanterns", lanterns)
        codec.load_codec.cache_clear()
        stack.callback(codec.load_codec.cache_clear)
        made_anew(owner_url, OWN)
        url = make_conninfo(owner_url, user=PROJECTOR_ROLE, password="for-tests")
        projector, stop = stack.enter_context(Projector(url, OWN)), Event()
        thread = Thread(target=projector.follow, args=(stop,), daemon=True)
        thread.start()
        stack.callback(thread.join, 120)
        stack.callback(stop.set)
        url = make_conninfo(owner_url, user=SERVICE_ROLE, password="for-tests")
        ledger = stack.enter_context(Ledger(make_environment(url, schema=OWN), KEY))
        app = create_app(ledger, operator_token=OPERATOR)
        address = stack.enter_context(serving(app))
        client = stack.enter_context(httpx.Client(base_url=address, timeout=120))
        judge = SimpleNamespace(judge=lambda response: None)  # it takes seconds to describe one game more
        yield Service(client, OPERATOR, cast(Any, judge), app)
