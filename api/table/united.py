"""Several forms of the same as one: a choice, a list of ticks, a list of things; or one of them, by its name."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product
from typing import Any

from api.table.nodes import SEEN, Choice, Const, Either, Entries, FieldOf, Listing, Node, Number, Record, certain
from api.table.telling import apart
from api.table.words import Words, plain

UNSAID: tuple[object, ...] = (None, "", [], {})
NOTHING = "Nothing"  # where that can be chosen
NUMBER = "A number"
NAMED = 4  # choices that a form is called by
TICKED, PLACES = 8, 4  # things, and so many of them, that are ticked in one list


def said_of(value: Any, words: Words, ref: str | None = None) -> str:
    return NOTHING if value in UNSAID else words.of(value, ref)


def united(parts: Sequence[Node], ref: str | None, words: Words) -> Node | None:
    """What they are together, where that is one thing."""
    if all(isinstance(one, Choice) or certain(one) is not None for one in parts):
        return _choice(parts, ref, words)
    return _ticked(parts, ref, words) or _one_list(parts, words) or _one_mapping(parts) or _one_record(parts, words)


def _choice(parts: Sequence[Node], ref: str | None, words: Words) -> Choice:
    """Where all can be said in a word."""
    options: dict[str, str] = {}
    for part in parts:
        if isinstance(part, Choice):
            options |= part.options
        elif (whole := certain(part)) is not None:
            options[json.dumps(whole.value)] = said_of(whole.value, words, ref)
    return Choice(options)


# --- lists ---


def _ticked(parts: Sequence[Node], ref: str | None, words: Words) -> Listing | None:
    """One list of ticks, where the ways together are all orders of so many different ones of a few."""
    found: set[tuple[str, ...]] = set()
    for part in parts:
        rows = _rows(part)
        if rows is None:
            return None
        found.update(rows)
    values = list(dict.fromkeys(one for part in parts for one in _values(part)))
    long = {len(one) for one in found}
    if len(long) != 1 or not 1 < len(values) <= TICKED or found != set(permutations(values, n := long.pop())):
        return None
    options = {one: said_of(json.loads(one), words, ref) for one in values}
    return Listing(Choice(options), least=n, most=n, unique=True)


def _said_of(node: Node | None) -> list[str]:
    """All that can stand there, as JSON text, where these are plain things."""
    if isinstance(node, Choice):
        return list(node.options)
    if isinstance(node, Either):
        return [one for _, part in node.parts for one in _said_of(part)]
    sure = certain(node) if node is not None else None
    return [json.dumps(sure.value)] if sure is not None else []


def _values(part: Node) -> list[str]:
    least = part.least if isinstance(part, Listing) else 0
    return [one for at in range(least) for one in _said_of(part.at(at) if isinstance(part, Listing) else None)]


def _rows(part: Node) -> set[tuple[str, ...]] | None:
    """Every list that can be said in this way; None: too many, or not of plain things."""
    if not isinstance(part, Listing) or part.needed or part.opens is not None or part.least != part.most:
        return None
    places = [_said_of(part.at(at)) for at in range(min(part.least, PLACES + 1))]
    if not 0 < len(places) <= PLACES or not all(0 < len(one) <= TICKED for one in places):
        return None
    return {one for one in product(*places) if not part.unique or len(set(one)) == len(one)}


def _one_list(parts: Sequence[Node], words: Words) -> Listing | None:
    """One list of records in which there is something to be filled in, of whatever can stand in any of theirs.

    So more can be written than the rules allow, as how many of which; they tell so while it is filled in.
    """
    there = [_list_of(one) for one in parts]
    lists = [one for one in there if one is not None]
    if len(lists) < len(parts) or any(one.needed or one.opens is not None for one in lists):
        return None
    items = list(dict.fromkeys(repr(one) for each in lists for one in _items(each)))
    by_repr = {repr(one): one for each in lists for one in _items(each)}
    records = [one for said in items if isinstance(one := by_repr[said], Record)]
    alike = len({tuple(each.name for each in one.fields) for one in records}) == 1
    if not alike or len(records) < len(items) or all(certain(one) is not None for one in records):
        return None
    most = [one.most for one in lists]
    sure = [one for one in most if one is not None]
    least, longest = min(one.least for one in lists), max(sure) if len(sure) == len(most) else None
    return Listing(_one_record(records, words) or either_of(records, words), least=least, most=longest)


def _list_of(node: Node) -> Listing | None:
    """An empty list is one, too."""
    if isinstance(node, Listing):
        return node
    empty = isinstance(node, Const) and node.value == []
    return Listing(None, most=0) if empty else None


def _items(listing: Listing) -> Iterator[Node]:
    for one in (*listing.first, *([listing.items] if listing.items is not None else [])):
        yield from (part for _, part in one.parts) if isinstance(one, Either) else [one]


def _one_record(parts: Sequence[Node], words: Words) -> Record | None:
    """Where they differ in how many of what there are: each as many as any of them allows; what is too much together
    the rules tell."""
    records = [one for one in parts if isinstance(one, Record)]
    names = {tuple(each.name for each in one.fields) for one in records}
    if len(records) < len(parts) or len(names) > 1:
        return None
    fields: list[FieldOf] = []
    for column in zip(*(one.fields for one in records), strict=True):
        nodes = [one.node for one in column]
        alike = len({repr(one) for one in nodes}) == 1
        node = nodes[0] if alike else _any_of(nodes) or _one_list(nodes, words)
        if node is None:
            return None
        fields.append(replace(column[0], node=node, required=all(one.required for one in column)))
    return Record(tuple(fields))


def _one_mapping(parts: Sequence[Node]) -> Entries | None:
    """So many of each, up to the most that any of them allows: what is too much together the rules tell."""
    there = [one for one in parts if isinstance(one, Entries) and one.nodes]
    if len(there) < len(parts) or len({one.keys for one in there}) > 1:
        return None
    nodes = {key: _any_of([one.nodes[key] for one in there]) for key in there[0].keys}
    some = {key: node for key, node in nodes.items() if node is not None}
    if len(some) < len(nodes):
        return None
    least = min(len(one.required) for one in there)
    return replace(there[0], nodes=some, required=(), least=least)


def _any_of(nodes: Sequence[Node]) -> Number | None:
    """Numbers without a gap between them."""
    ranges = sorted(limits for one in nodes if (limits := _limits(one)) is not None)
    if len(ranges) < len(nodes):
        return None
    most = ranges[0][1]
    for low, high in ranges[1:]:
        if low > most + 1:
            return None
        most = max(most, high)
    return Number(ranges[0][0], int(most) if most != math.inf else None)


def _limits(node: Node) -> tuple[int, float] | None:
    if isinstance(node, Const) and isinstance(node.value, int) and not isinstance(node.value, bool):
        return node.value, node.value
    if isinstance(node, Number) and node.least is not None:
        return node.least, node.most if node.most is not None else math.inf
    return None


# --- one of them ---


def either_of(parts: Sequence[Node], words: Words, names: Sequence[str] = (), titles: Sequence[str] = ()) -> Either:
    """`names`: what they are called, as far as that is settled. `titles`: what their schemas are called."""
    alike, nothing = _alike(parts), [""] * len(parts)
    said = [
        name or called(part, words, alike, title)
        for part, name, title in zip(parts, names or nothing, titles or nothing, strict=True)
    ]
    kinds = _kinds(parts)
    return _by_kind(parts, said, kinds, words) if kinds else Either(apart(zip(said, parts, strict=True), words))


def _by_kind(parts: Sequence[Node], names: Sequence[str], kind: str, words: Words) -> Either:
    """Of very many first the kind, then which of it."""
    found: dict[str, list[tuple[str, Node]]] = {}
    for name, part in zip(names, parts, strict=True):
        title = next(one.title for one in part.fields if one.name == kind) if isinstance(part, Record) else ""
        found.setdefault(_sure_of(kind, title, _sure(part)[kind], words), []).append((name, part))
    made: list[tuple[str, Node]] = []
    for said, some in found.items():
        name, only = some[0]
        told = name if name.startswith(said) else f"{said}, {name}"
        made.append((told, only) if len(some) == 1 else (said, Either(apart(some, words))))
    return Either(apart(made, words))


def called(part: Node, words: Words, alike: Collection[str] = (), title: str = "") -> str:
    """By what is certain of it; "": that says nothing. `alike`: what is the same of all."""
    if isinstance(part, Record):
        known = [(name, value) for name, value in _sure(part).items() if name not in alike]
        titles = {one.name: one.title for one in part.fields}
        known = [(name, value) for name, value in known if not _empty(value)] or known
        sure = [_sure_of(name, titles[name], value, words) for name, value in known if value not in UNSAID]
        if sure:
            return ", ".join(sure)
    if title:
        return plain(title.partition("_")[2] or title)
    sure_of = certain(part)
    if sure_of is not None:
        return said_of(sure_of.value, words)
    if isinstance(part, Listing):
        return _called_list(part, words)
    if isinstance(part, Choice):
        return " or ".join(part.options.values()) if len(part.options) <= NAMED else "One of these"
    return {"number": NUMBER, "text": "Free text"}.get(part.form, "")


def _empty(value: Any) -> bool:
    """Nought is told only where nothing else is."""
    return value in UNSAID or (value == 0 and value is not False)


def _sure_of(name: str, title: str, value: Any, words: Words) -> str:
    """A number by itself says nothing, nor does yes or no."""
    return f"{title}: {words.of(value)}" if isinstance(value, int) else words.shown(name, value)


def _called_list(listing: Listing, words: Words) -> str:
    if listing.items is None and listing.first:
        said = [called(one, words) for one in listing.first]
        if not all(said):
            return ""
        if set(said) == {NUMBER} and len(said) > 1:
            return f"{len(said)} numbers"
        small = (
            one if isinstance(node, Choice) and len(node.options) <= NAMED else one[:1].lower() + one[1:]
            for one, node in zip(said[1:], listing.first[1:], strict=True)
        )  # fmt: skip
        return ", then ".join([said[0], *small])
    if listing.least == listing.most:
        if isinstance(listing.items, Choice) and listing.least and len(listing.items.options) <= NAMED:
            each = list(listing.items.options.values())
            return " and ".join(each) if len(each) == listing.least else f"{listing.least} of {', '.join(each)}"
        return f"{listing.least} of these" if listing.least else NOTHING
    sure = certain(listing.items) if listing.items is not None else None
    return said_of(sure.value, words) if sure is not None else "Some of these"


def _sure(part: Node) -> dict[str, Any]:
    """The fields that can say one thing only."""
    fields = part.fields if isinstance(part, Record) else ()
    return {one.name: one.node.value for one in fields if isinstance(one.node, Const)}


def _alike(parts: Sequence[Node]) -> Collection[str]:
    """What is certain of several, and the same wherever it is."""
    said = [(name, json.dumps(value)) for part in parts for name, value in _sure(part).items()]
    values = {name: [value for other, value in said if other == name] for name, _ in said}
    same = [name for name, those in values.items() if len(those) > 1 and len(set(those)) == 1]
    return same if len(same) < len(values) else ()


def _kinds(parts: Sequence[Node]) -> str:
    """The field that sorts them, where they are too many to be read."""
    all_sure = [_sure(part) for part in parts]
    shared = [name for name in all_sure[0] if all(name in one for one in all_sure)] if len(parts) > SEEN else []
    many = {name: len({json.dumps(one[name]) for one in all_sure}) for name in shared}
    return next((name for name in shared if 1 < many[name] < len(parts)), "")
