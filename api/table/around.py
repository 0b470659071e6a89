"""Find the rulings related to a ruling: those that it mentions or continues, and those that continue it.

No ruling stores its related rulings. The history of a scene record shows them: one ruling opens the record, such as an
announced action, and a later ruling closes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from api.table.client import Json, Rejection
from api.table.pages import Desk
from api.table.words import Words

SOON = 9  # how many later rulings are searched for one that continues this one
MOST = 6  # related rulings shown


@dataclass(frozen=True, slots=True)
class RelatedRuling:
    """Another ruling, and its relation to this one."""

    relation: str
    number: int
    text: str


async def list_related_rulings(desk: Desk, ruling: Json, words: Words) -> list[RelatedRuling]:
    """Return the related rulings, in order."""
    number = int(ruling["number"])
    last_number = int((await desk.client.get(""))["rulings"])
    relation_by_number: dict[int, str] = dict.fromkeys(_list_mentioned_numbers(ruling, words, last_number), "Refers to")
    for path in await _list_changed_record_paths(desk, number) if number > 1 else ():
        relation_by_number = (
            dict.fromkeys(await _list_chain_neighbours(desk, path, number), "Continues") | relation_by_number
        )
        relation_by_number = (
            dict.fromkeys(
                await _list_chain_neighbours(desk, path, number, min(number + SOON, last_number)), "Continued by"
            )
            | relation_by_number
        )
    related_rulings = []
    for other_number in sorted(relation_by_number.keys() - {number})[:MOST]:
        matches = (await desk.client.get("/rulings", view="brief", after=other_number - 1, limit=1))["rulings"]
        related_rulings += [
            RelatedRuling(relation_by_number[other_number], other_number, ruling_row["text"])
            for ruling_row in matches
            if ruling_row["number"] == other_number
        ]
    return related_rulings


def _list_mentioned_numbers(ruling: Json, words: Words, last_number: int) -> Iterator[int]:
    """Yield the numbers of the rulings mentioned in the declaration, the answers or the steps."""
    for name, value in list_leaves(
        [
            ruling["declared"],
            [answer["answer"] for answer in ruling["answers"]],
            [step["given"] for step in ruling["because"]],
        ]
    ):
        if words.fields.get(name) == "ruling" and str(value).isdecimal() and 0 < int(str(value)) <= last_number:
            yield int(str(value))


def list_leaves(node: object, name: str = "") -> Iterator[tuple[str, object]]:
    if isinstance(node, Mapping):
        for key, child in node.items():
            yield from list_leaves(child, str(key))
    elif isinstance(node, list):
        for child in node:
            yield from list_leaves(child, name)
    else:
        yield name, node


async def _list_changed_record_paths(desk: Desk, number: int) -> list[str]:
    """Return the API paths that explain the scene records opened or closed by this ruling."""
    changed_subjects = (await desk.client.get("/diff", **{"from": number - 1, "to": number}))["subjects"]
    return [
        f"/scenes/{subject['subject'].partition(':')[2]}/why/{field['field']}/{leaf}"
        for subject in changed_subjects
        if subject["subject"].startswith("scene:")
        for field in subject["fields"]
        if (leaf := _find_text_field(field.get("before"), field.get("after"))) is not None
    ][:MOST]


def _find_text_field(before: object, after: object) -> str | None:
    record = before if after is None else after if before is None else None
    items = record.items() if isinstance(record, Mapping) else ()
    return next((name for name, value in items if isinstance(value, str) and value), None)


async def _list_chain_neighbours(desk: Desk, path: str, number: int, until_number: int | None = None) -> list[int]:
    """Return the rulings right before ruling `number` in the history of a value. With `until_number`, return those
    right after.
    """
    try:
        chain = (await desk.client.get(path, at=until_number or number))["chain"]
    except Rejection as rejection:
        if rejection.status != 404:
            raise
        return []
    links = [link for link in chain if not link["struck"] and link["ruling"] is not None]
    pairs = pairwise(links)
    if until_number is None:
        return [
            earlier_link["ruling"]["number"]
            for earlier_link, later_link in pairs
            if later_link["ruling"]["number"] == number and earlier_link["after"] is not None
        ]
    return [
        later_link["ruling"]["number"]
        for earlier_link, later_link in pairs
        if earlier_link["ruling"]["number"] == number and earlier_link["after"] is not None
    ]


async def list_former_dependents(desk: Desk, number: int) -> list[int]:
    """Return the numbers of the rulings that depended on an overturned ruling, or were ruled again because of it."""
    findings = [
        finding
        for settled_filter in ("true", "false")
        for finding in await _list_findings(desk, number, settled_filter=settled_filter)
    ]
    revised_rulings = (await desk.client.get("/rulings", status="revised", after=number, limit=500))["rulings"]
    numbers = {finding["ruling"] for finding in findings if finding["cause"] == number and finding["ruling"]}
    numbers |= {
        ruling["number"]
        for ruling in revised_rulings
        if any(decision["cause"] == number for decision in ruling["decisions"])
    }
    return sorted(numbers - {number})


async def _list_findings(desk: Desk, number: int, *, settled_filter: str) -> list[Json]:
    findings: list[Json] = (await desk.client.get("/findings", settled=settled_filter, ruling=number))["findings"]
    return findings
