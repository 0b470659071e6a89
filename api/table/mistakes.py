"""What is wrong with a form that was filled in, told at its fields; and what nothing is said of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from api.table.forms import Said, below, walk
from api.table.nodes import Const, FieldOf, Node, Record

NEEDED = "This is needed."
NOTHING = "Nothing is chosen yet."
EMPTY = "Nothing is said here. If that is meant, send it once more."


def errors(problem: Mapping[str, Any], node: Node, path: str, said: Said) -> dict[str, str]:
    """What the API says is wrong, by the field it is told at; what has no field is told above the form.

    A refusal by the rules names in its context what it is about: where a field is called so, it is told there.
    """
    shown = {re.sub(r"\|[0-9]+", "", at): at for at, _ in walk(node, path, said)}
    found: dict[str, str] = {}
    for mistake in problem.get("errors") or ():
        at = _nearest(str(mistake["pointer"]), shown)
        if at is not None:
            found.setdefault(at, _mistake(mistake))
    if not found and isinstance(node, Record):
        named = [each for each in node.fields if each.name in (problem.get("context") or {})]
        for each in _visible(named)[:1]:
            found[below(path, each.name)] = str(problem["detail"])
    return found


def missing(problem: Mapping[str, Any], node: Node, path: str, said: Said) -> str:
    """What is still to be said, where that is all that is wrong: "Character, Seat"."""
    mistakes = problem.get("errors") or ()
    if not mistakes or any(one.get("type") != "missing" for one in mistakes):
        return ""
    called = titles(node, path, said)
    places = [re.sub(r"\|[0-9]+", "", at) for at in called]
    names = dict(zip(places, called.values(), strict=True))
    return ", ".join(dict.fromkeys(names[at] for one in mistakes if (at := str(one["pointer"])) in names))


def titles(node: Node, path: str, said: Said) -> dict[str, str]:
    """What every field that is shown is called, by its path."""
    records = ((at, part) for at, part in walk(node, path, said) if isinstance(part, Record))
    return {below(at, each.name): each.title for at, record in records for each in record.fields}


def unsaid(node: Node, path: str, said: Said) -> list[str]:
    """Where nothing is said though it can hardly be meant: it could be sent, and would be recorded as nothing."""
    fields = node.fields if isinstance(node, Record) else ()
    return [at for each in fields if each.expected and not heard(at := below(path, each.name), said)]


def heard(path: str, said: Said) -> bool:
    """Whether anything is said there, or further inside."""
    inside = tuple(path + end for end in "/|?")
    return any(
        any(one.strip() for one in values) for at, values in said.items()
        if (at == path or at.startswith(inside)) and not at.endswith("#")
    )  # fmt: skip


def _visible(fields: Iterable[FieldOf]) -> list[FieldOf]:
    return [each for each in fields if not isinstance(each.node, Const)]


def _nearest(pointer: str, shown: Mapping[str, str]) -> str | None:
    while pointer and pointer not in shown:
        pointer = pointer.rpartition("/")[0]
    return shown.get(pointer)


def _mistake(mistake: Mapping[str, Any]) -> str:
    if mistake.get("type") == "missing":
        return NEEDED
    said = str(mistake.get("message") or mistake.get("text"))
    meant = mistake.get("did_you_mean")
    end = "" if said.endswith((".", "?")) else "."
    return f"{said}{end}" + (f" Did you mean {meant}?" if meant is not None else "")
