"""Every seat by every endpoint, over the demonstration of every system: nothing hidden from a seat is in any answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any, TypeAlias

import pytest

from ledger.application import Book, Ledger
from ledger.events.codec import encode
from ledger.rules.kernel.subjects import Viewer
from tests.api.conftest import PLAYED
from tests.api.table import Json, Player, Service, Table
from tests.api.test_feed import listening
from tests.api.twins.attacks import claim, fork_of
from tests.levels import examples, sampled

SHORTEST = 16  # characters: what is shorter may be anywhere
KEEP_SECRETS = {"moc"}  # in their demonstrations
IN_TURN = examples(64, 64, 16)  # of rulings that hide nothing from it, and of sessions, a seat asks for one in so many
SHARE = examples(6, 6, 1)  # a seat asks for one in so many of all paths
Part: TypeAlias = tuple[int, bool, str]  # see `stored`
NOT_LOOKED_AT = {"/campaigns/{campaign}/feed"}  # looked at by listening


def pieces(node: Any, hidden: bool, viewer: Viewer) -> Iterator[tuple[bool, str]]:
    """Every part of a stored event as it is written in JSON, and whether it is hidden from the viewer."""
    if isinstance(node, dict):
        audience = node.get("audience")
        hidden = hidden or (audience is not None and not viewer.may_see(tuple(audience)))
        yield hidden, encode(node).decode()
        for inner in node.values():
            yield from pieces(inner, hidden, viewer)
    elif isinstance(node, list):
        for inner in node:
            yield from pieces(inner, hidden, viewer)


def stored(ledger: Ledger, table: Table, player: Player) -> Iterator[Part]:
    """Every part of every stored event: of which ruling it is (0: of none), whether it is hidden from the seat."""
    book = Book(ledger.store, ledger.codec, table.id)
    book.catch_up()
    viewer = book.load_viewer(player.id)
    assert viewer is not None
    for stream, _, _, state in ledger.store.select_range(f"{table.id}/", f"{table.id}0"):
        _, kind, id = stream.split("/", 2)
        if kind in ("receipt", "access"):
            continue
        body: Json = json.loads(bytes(state))
        number = int(id) if kind == "ruling" else body.get("ruling") or 0
        for hidden, written in pieces({"fact": body["fact"], "audience": body.get("audience")}, False, viewer):
            yield number, hidden, written


def secrets(parts: Iterable[Part]) -> set[str]:
    """What is written in events that are not for the seat, and nowhere in those that are: the least parts of it."""
    found: dict[bool, set[str]] = {True: set(), False: set()}
    for _, hidden, written in parts:
        found[hidden].add(written)
    shown = "\n".join(found[False])
    least: list[str] = []
    for one in sorted(found[True], key=len):
        if len(one) >= SHORTEST and one not in shown and not any(part in one for part in least):
            least.append(one)
    return set(least)


def asked_by(parts: Iterable[Part], place: int, asked: list[str]) -> list[str]:
    """All of it, but of the rulings and sessions one by one only some: what leans on one is a what-if each.

    A seat asks for those of which anything is hidden from it. Of the others, which the lists show it too, every seat
    asks for other ones.
    """
    hiding = {str(number) for number, hidden, _ in parts if hidden}
    alone: dict[tuple[str, str], list[str]] = {}
    for path in asked:
        if found := re.fullmatch(r"/(rulings|sessions)/([0-9]+)(.*)", path):
            kind, number, below = found.groups()
            if kind == "sessions" or number not in hiding:
                alone.setdefault((kind, below), []).append(path)
    passed_over = {path for some in alone.values() for turn, path in enumerate(some) if turn % IN_TURN != place}
    wanted = [path for path in asked if path not in passed_over] if hiding else asked
    return wanted[place % SHARE :: SHARE]


def paths(table: Table, document: Json, *, hooks: bool = True) -> Iterator[str]:
    """Every GET of the description, with everything there is to name in it."""
    card, rulings = table.gm.look(), table.gm.look("/rulings", limit=500)["rulings"]
    accounts = [one["account"] for one in table.gm.look("/accounts", limit=500)["accounts"]]
    there: dict[str, list[Any]] = {
        "number": [one["number"] for one in rulings],
        "character": [one["id"] for one in card["characters"]],
        "scene": [one["id"] for one in card["scenes"]],
        "session": [one["id"] for one in card["sessions"]],
        "seat": ["s1", "s2", "s3", "s4"],
        "account": accounts[:40],
        "field": ["name", "state"],
        "index": [*range(0, 400, 40)],
        "count": [1, 5],
        "waiting": [one["id"] for one in table.gm.look("/waiting")["waiting"]],
        "finding": [],
        "system": [],
        "rule": [],
        "hook": [],
    }
    if hooks:
        there["hook"] = [table.gm.does("/hooks", {"url": "https://1.1.1.1/", "events": ["fact"], "seat": "s2"})["id"]]
    for path, methods in document["paths"].items():
        if "get" in methods and path.startswith("/campaigns/{campaign}") and path not in NOT_LOOKED_AT:
            below = path.removeprefix("/campaigns/{campaign}")
            names = [name for name in there if f"{{{name}}}" in below]
            for values in product(*(there[name] for name in names)):
                yield below.format(**dict(zip(names, values, strict=True)))
    yield from ("/rulings?limit=500", "/timeline?limit=500", "/accounts?limit=500", "/what-if?without=1")
    yield from (f"/what-if?without={one['number']}" for one in rulings[-3:])
    yield from ("/diff?from=1", "/diff?from=1&as=recorded", f"/diff?from={len(rulings) // 2}", "/diff?at=2")
    yield from (f"/sessions/{session}/replay?as=recorded" for session in there["session"])


@pytest.mark.parametrize("system", sampled(PLAYED, 2, group=KEEP_SECRETS.__contains__))
def test_no_answer_holds_what_is_hidden_from_the_seat(
    ledger: Ledger, service: Service, played: Callable[[str], Table], system: str
) -> None:
    table = played(system)
    kept = looked_at(ledger, service, table, (table.gm, table.ben, table.cleo, table.dora))
    assert kept or system not in KEEP_SECRETS


@pytest.mark.nightly  # forks are tried by default in test_twins_forks
@pytest.mark.parametrize("system", sorted(KEEP_SECRETS))
def test_nor_does_a_fork_of_it(ledger: Ledger, service: Service, played: Callable[[str], Table], system: str) -> None:
    """Neither to who forked it, while nobody else is there, nor to those who claimed their seats."""
    table = played(system)
    fork = fork_of(table, table.gm.look()["rulings"])
    assert looked_at(ledger, service, fork, (fork.gm,), hooks=False)
    for name in ("ben", "cleo", "dora"):
        seat = claim(fork, getattr(table, name)).json()
        setattr(fork, name, Player(fork, seat["id"], seat["token"]))
    assert looked_at(ledger, service, fork, (fork.cleo, fork.dora))


def looked_at(
    ledger: Ledger, service: Service, table: Table, players: tuple[Player, ...], *, hooks: bool = True
) -> int:
    """How many of them something is hidden from: nothing of it is told them anywhere."""
    asked = list(dict.fromkeys(paths(table, service.description.document, hooks=hooks)))
    assert len(asked) > 30
    kept = 0
    for place, player in enumerate(players):
        parts = list(stored(ledger, table, player))
        hidden = secrets(parts)
        if not hidden:
            continue
        for path in asked_by(parts, place, asked):
            answer = player.get(path)
            assert answer.status_code < 500, path
            told = [one for one in hidden if one in answer.text]
            assert not told, (player.id, path, told[0])
        with listening(player, after="0.0") as feed:
            feed.until_facts(len(player.look("/timeline", limit=500)["facts"]))
            heard = "\n".join(encode(data).decode() for _, _, data in feed.events)
        assert not [one for one in hidden if one in heard]
        kept += 1
    return kept


def test_the_matrix_finds_what_is_told(ledger: Ledger, table: Table) -> None:
    """A secret of the game master's and Ben's is found in their answers, and counts as hidden from the others."""
    table.fighters()
    table.gm.declare("mint", to="1", coins=4100417, hidden=True)
    hidden = secrets(stored(ledger, table, table.cleo))
    assert any(one in table.ben.get("/timeline").text + table.ben.get("/export").text for one in hidden)
    assert not secrets(stored(ledger, table, table.gm))
