"""What a ruling belongs to: the one it goes on from, as an action that was announced; what goes on from it.

Nothing in a ruling says so by number. Something was open in its scene, though, and is not any more: the chain behind
that value says which ruling opened it, and which took it up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from api.table.client import Json, Turned
from api.table.pages import Desk
from api.table.words import Words

SOON = 9  # rulings after it, in which something that it opened is looked for
MOST = 6  # that are told


@dataclass(frozen=True, slots=True)
class Beside:
    """Another ruling, and what it is to this one."""

    said: str
    number: int
    text: str


async def around(desk: Desk, ruling: Json, words: Words) -> list[Beside]:
    """In the order in which they were ruled."""
    number = int(ruling["number"])
    last = int((await desk.client.get(""))["rulings"])
    found: dict[int, str] = dict.fromkeys(_named(ruling, words, last), "Refers to")
    for path in await _open(desk, number) if number > 1 else ():
        found = dict.fromkeys(await _chain(desk, path, number), "Continues") | found
        found = dict.fromkeys(await _chain(desk, path, number, min(number + SOON, last)), "Continued by") | found
    told = []
    for one in sorted(found.keys() - {number})[:MOST]:
        listed = (await desk.client.get("/rulings", view="brief", after=one - 1, limit=1))["rulings"]
        told += [Beside(found[one], one, each["text"]) for each in listed if each["number"] == one]
    return told


def _named(ruling: Json, words: Words, last: int) -> Iterator[int]:
    """By a field that refers to rulings, wherever it stands in what was declared, answered or reckoned with."""
    for name, value in leaves(
        [ruling["declared"], [one["answer"] for one in ruling["answers"]], [one["given"] for one in ruling["because"]]]
    ):
        if words.fields.get(name) == "ruling" and str(value).isdecimal() and 0 < int(str(value)) <= last:
            yield int(str(value))


def leaves(node: object, name: str = "") -> Iterator[tuple[str, object]]:
    if isinstance(node, Mapping):
        for key, inner in node.items():
            yield from leaves(inner, str(key))
    elif isinstance(node, list):
        for inner in node:
            yield from leaves(inner, name)
    else:
        yield name, node


async def _open(desk: Desk, number: int) -> list[str]:
    """Whatever record of a scene is there since this ruling, or was until then: one value of it, by its path."""
    changed = (await desk.client.get("/diff", **{"from": number - 1, "to": number}))["subjects"]
    return [
        f"/scenes/{one['subject'].partition(':')[2]}/why/{field['field']}/{leaf}"
        for one in changed
        if one["subject"].startswith("scene:")
        for field in one["fields"]
        if (leaf := _told(field.get("before"), field.get("after"))) is not None
    ][:MOST]


def _told(before: object, after: object) -> str | None:
    record = before if after is None else after if before is None else None
    values = record.items() if isinstance(record, Mapping) else ()
    return next((name for name, one in values if isinstance(one, str) and one), None)


async def _chain(desk: Desk, path: str, number: int, until: int | None = None) -> list[int]:
    """Which ruling set what this one took up; `until`: which took up what this one set."""
    try:
        chain = (await desk.client.get(path, at=until or number))["chain"]
    except Turned as turned:
        if turned.status != 404:
            raise
        return []
    links = [one for one in chain if not one["struck"] and one["ruling"] is not None]
    pairs = pairwise(links)
    if until is None:
        return [a["ruling"]["number"] for a, b in pairs if b["ruling"]["number"] == number and a["after"] is not None]
    return [b["ruling"]["number"] for a, b in pairs if a["ruling"]["number"] == number and a["after"] is not None]


async def leaned(desk: Desk, number: int) -> list[int]:
    """Of an overturned ruling: which ones were found to lean on it, or were ruled again because of it."""
    found = [one for told in ("true", "false") for one in await _findings(desk, number, settled=told)]
    again = (await desk.client.get("/rulings", status="revised", after=number, limit=500))["rulings"]
    numbers = {one["ruling"] for one in found if one["cause"] == number and one["ruling"]}
    numbers |= {one["number"] for one in again if any(each["cause"] == number for each in one["decisions"])}
    return sorted(numbers - {number})


async def _findings(desk: Desk, number: int, *, settled: str) -> list[Json]:
    found: list[Json] = (await desk.client.get("/findings", settled=settled, ruling=number))["findings"]
    return found
