"""Fifty mistakes people make: each is told where it is, what was given, what is allowed and what was probably meant."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import httpx

from tests.api.mistakes import MISTAKES
from tests.api.table import Player, Service, Table

GOLDEN = Path(__file__).parents[1] / "transcripts" / "mistakes.md"


def a_table(service: Service, system: str) -> Player:
    """Two ready people (`1`, `2`) and a scene (`3`)."""
    table = Table.__new__(Table)
    table.service = service
    opened = service.open(system=system).json()
    table.id = opened["id"]
    gm = Player(table, "s1", opened["seat"]["token"])
    people = service.send("GET", f"/systems/{system}", {}).json()["people"]
    for name, sheet in list(people.items())[:2]:
        gm.declare("enrol", name=name, seat="s1", sheet=sheet)
    gm.declare("open-scene", title="On the bridge")
    return gm


def told(answer: httpx.Response) -> Iterator[str]:
    """What somebody reads of it."""
    if answer.status_code < 300:
        yield "   It is taken as it was meant."
        return
    problem = answer.json()
    yield f"   {problem['detail']}"
    for one in problem.get("errors", [])[1:]:
        yield f"   - {one['pointer']}: {one['message']}"


def all_told(service: Service) -> Iterator[str]:
    for system, mistakes in MISTAKES.items():
        gm = a_table(service, "mongrel" if system == "any" else system)
        yield f"# {system}"
        for does, declared in mistakes:
            answer = gm.tries(str(declared["kind"]), **{name: one for name, one in declared.items() if name != "kind"})
            assert answer.status_code in (201, 202, 400, 404, 422), answer.text
            yield f"- Somebody {does}."
            yield from told(answer)
        yield ""


def test_every_mistake_is_told_as_it_was_reviewed(service: Service) -> None:
    found = "\n".join(all_told(service))
    if os.environ.get("LEDGER_WRITE_MISTAKES"):
        GOLDEN.write_text(found, encoding="utf-8")
    assert sum(map(len, MISTAKES.values())) >= 50
    assert found == GOLDEN.read_text(encoding="utf-8")
