"""Forms as trees: made of the schema that narrows a declaration now, over the schema of its input."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations, product
from typing import Any

from api.table.client import Json
from api.table.descriptions import LEFT_OUT, about, hint_of
from api.table.nodes import (
    SAID,
    SEEN,
    Choice,
    Const,
    Either,
    Entries,
    FieldOf,
    Listing,
    Node,
    Number,
    Record,
    Text,
    Truth,
    certain,
)
from api.table.words import Words, plain

COMPONENTS = "#/components/schemas/"
UNSAID: tuple[object, ...] = (None, "", [], {})
NOTHING = "Nothing"  # where that can be chosen
NAMED = 4  # choices that a form is called by
SHORT = 80  # characters: what is longer is written in a box of lines
TICKED, PLACES = 8, 4  # things, and so many of them, that are ticked in one list
MOST = 1000  # what the API takes of anything: no limit that people reach


class Maker:
    """`schemas`: the API's components, by name."""

    def __init__(self, schemas: Mapping[str, Json], words: Words) -> None:
        self.schemas, self.words = schemas, words

    def node(self, said: Json, whole: Json, place: str = "") -> Node:
        """`said`: what it can be now; empty: all that `whole`, its own schema, lets it be."""
        if "allOf" in said and "$ref" in said["allOf"][0]:
            reference, narrowing = said["allOf"]
            return self._record(narrowing, self._resolved(reference))
        ref = self._ref(whole) or self.words.fields.get(place)
        if "const" in said:
            return Const(said["const"])
        if "enum" in said:
            return self._choice(said["enum"], ref, said.get("x-titles", ()))
        if "anyOf" in said:
            parts = [self.node(one, whole, place) for one in said["anyOf"]]
            return self._either(parts, ref, titles=[str(one.get("title", "")) for one in said["anyOf"]])
        match said.get("type"):
            case "integer":
                return _number(said)
            case "object":
                return self._record(said, whole)
            case "array":
                return self._list(said, whole, place)
        return self._open(whole, place)

    def _resolved(self, schema: Json) -> Json:
        while "$ref" in schema:
            schema = self.schemas[schema["$ref"].rpartition(COMPONENTS)[2]]
        return schema

    def _ref(self, whole: Json) -> str | None:
        found: str | None = next((one["x-ref"]["to"] for one in self._parts(whole) if "x-ref" in one), None)
        return found

    # --- what is open ---

    def _open(self, whole: Json, place: str) -> Node:
        whole = self._resolved(whole)
        if "const" in whole:
            return Const(whole["const"])
        if "enum" in whole:
            return self._choice(whole["enum"], None)
        for union in ("anyOf", "oneOf"):
            if union in whole:
                some = [one for one in whole[union] if one.get("type") != "null"]
                if len(some) == 1:
                    return self._open(some[0], place)
                return self._either([self._open(one, place) for one in some], None, some)
        match whole.get("type"):
            case "integer":
                return _number(whole)
            case "boolean":
                return Truth()
            case "object":
                return self._record({}, whole) if "properties" in whole else self._entries({}, whole)
            case "array":
                return self._list({}, whole, place)
        return self._text(whole)

    def _text(self, whole: Json) -> Node:
        ref = whole.get("x-ref", {}).get("to")
        there = self.words.names.get(ref or "")
        if there:
            return Choice({json.dumps(id): name for id, name in there.items()})
        most = whole.get("maxLength")
        anything = "type" not in whole
        return Text(most, not anything and ref is None and (most is None or most > 3 * SHORT), anything)

    # --- of several ---

    def _choice(self, values: list[Any], ref: str | None, titles: Sequence[str] = ()) -> Node:
        named = titles or [self._said(one, ref) for one in values]
        return Choice({json.dumps(one): name for one, name in zip(values, named, strict=True)})

    def _said(self, value: Any, ref: str | None = None) -> str:
        return NOTHING if value in UNSAID else self.words.of(value, ref)

    def _either(
        self, parts: list[Node], ref: str | None, wholes: list[Json] | None = None, titles: Sequence[str] = ()
    ) -> Node:
        """Where all can be said in a word, one choice of these."""
        options: dict[str, str] = {}
        for part in parts:
            if isinstance(part, Choice):
                options |= part.options
            elif isinstance(whole := certain(part), Const):
                options[json.dumps(whole.value)] = self._said(whole.value, ref)
        if len(parts) == 1:
            return parts[0]
        plainly = all(isinstance(one, Choice) or certain(one) is not None for one in parts)
        if plainly and not any(titles):
            return Choice(options)
        if not any(titles) and (ticked := self._ticked(parts, ref)) is not None:
            return ticked
        alike = _alike(parts)
        names = [
            (titles[at] if titles else "") or self._called(part, (wholes or [{}] * len(parts))[at], at, alike)
            for at, part in enumerate(parts)
        ]
        kinds = _kinds(parts)
        return self._by_kind(parts, names, kinds) if kinds else Either(_apart(zip(names, parts, strict=True)))

    def _ticked(self, parts: Sequence[Node], ref: str | None) -> Listing | None:
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
        options = {one: self._said(json.loads(one), ref) for one in values}
        return Listing(Choice(options), least=n, most=n, unique=True)

    def _by_kind(self, parts: list[Node], names: Sequence[str], kind: str) -> Node:
        """Of very many first the kind, then which of it."""
        found: dict[str, list[tuple[str, Node]]] = {}
        for name, part in zip(names, parts, strict=True):
            found.setdefault(self.words.shown(kind, _sure(part)[kind]), []).append((name, part))
        made: list[tuple[str, Node]] = []
        for called, some in found.items():
            name, only = some[0]
            told = name if name.startswith(called) else f"{called}, {name}"
            made.append((told, only) if len(some) == 1 else (called, Either(_apart(some))))
        return Either(_apart(made))

    def _called(self, part: Node, whole: Json, at: int, alike: Collection[str] = ()) -> str:
        """By what is certain of it. `alike`: what is the same of all."""
        if isinstance(part, Record):
            known = [(name, value) for name, value in _sure(part).items() if name not in alike]
            titles = {one.name: one.title for one in part.fields}
            sure = [self._sure_of(name, titles[name], value) for name, value in known if value not in UNSAID]
            if sure:
                return ", ".join(sure)
        title = self._resolved(whole).get("title")
        if title:
            return plain(str(title).partition("_")[2] or str(title))
        sure_of = certain(part)
        if sure_of is not None:
            return self._said(sure_of.value)
        if isinstance(part, Listing):
            return self._called_list(part)
        if isinstance(part, Choice) and len(part.options) <= NAMED:
            return " or ".join(part.options.values())
        return {"number": "A number", "text": "In words", "choice": "One of these"}.get(part.form, f"Another {at + 1}")

    def _sure_of(self, name: str, title: str, value: Any) -> str:
        """A number by itself says nothing."""
        bare = isinstance(value, int) and not isinstance(value, bool)
        return f"{title}: {value}" if bare else self.words.shown(name, value)

    def _called_list(self, listing: Listing) -> str:
        if listing.items is None and listing.first:
            said = [self._called(one, {}, at) for at, one in enumerate(listing.first)]
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
        return "Some of these"

    # --- records ---

    def _record(self, said: Json, whole: Json) -> Node:
        narrow: Json = said.get("properties", {})
        if said.get("additionalProperties") is False and not self._has(narrow, whole):
            return self._entries(said, whole) if self._mapping(whole) else self._fields(narrow, said, said)
        found = self._whole_record(narrow, whole)
        if found is None:
            return self._fields(narrow, said, {"properties": narrow})
        return self._fields(narrow, said, found)

    def _fields(self, narrow: Json, said: Json, whole: Json) -> Record:
        needed = {*said.get("required", ()), *whole.get("required", ())}
        told = about(whole.get("description", ""))[1]
        made = []
        for name, own in whole["properties"].items():
            title = own.get("title") or plain(name)
            node = self.node(narrow.get(name, {}), self._resolved(own) if "$ref" in own else own, name)
            chosen = isinstance(node, Choice)
            hint = "" if "$ref" in own else hint_of(own, usual=name not in needed, chosen=chosen) or told.get(name, "")
            if SAID.search(told.get(name, "")) and not SAID.search(hint):
                hint = f"{hint} {told[name]}"
            said_so = LEFT_OUT.search(str(own.get("description", "")))
            usual = said_so[1] if said_so else "null"
            node = node if name in needed else _left_out(node, usual)
            made.append(FieldOf(name, title, hint, node, name in needed))
        record = Record(tuple(made))
        return replace(record, only=self._called(record, {}, 0)) if certain(record) is not None else record

    def _has(self, narrow: Json, whole: Json) -> bool:
        return self._whole_record(narrow, whole) is not None

    def _whole_record(self, narrow: Json, whole: Json) -> Json | None:
        """Which record of those the schema allows has these fields, with these constants."""
        for one in self._parts(whole):
            fields = one.get("properties", {})
            if (
                fields
                and narrow.keys() <= fields.keys()
                and all(
                    "const" not in self._resolved(fields[name])
                    or said.get("const") == self._resolved(fields[name])["const"]
                    for name, said in narrow.items()
                )
            ):
                return one
        return None

    def _parts(self, whole: Json) -> Iterator[Json]:
        whole = self._resolved(whole)
        for union in ("anyOf", "oneOf"):
            for part in whole.get(union, ()):
                yield from self._parts(part)
        yield whole

    def _mapping(self, whole: Json) -> bool:
        return any("additionalProperties" in one and "properties" not in one for one in self._parts(whole))

    def _entries(self, said: Json, whole: Json) -> Entries:
        own = next((one for one in self._parts(whole) if one.get("type") == "object"), {})
        names = own.get("propertyNames", {})
        each = own.get("additionalProperties", {})
        each = each if isinstance(each, dict) else {}
        narrow: Json = said.get("properties", {})
        ref = self._ref(names) if names else None
        keys = (
            tuple(narrow) or tuple(self._resolved(names).get("enum", ())) or tuple(self.words.names.get(ref or "", ()))
        )
        return Entries(
            keys, tuple(said.get("required", ())), {key: self.node(one, each) for key, one in narrow.items()},
            self.node({}, each) if each else Text(None, long=False), {key: self.words.of(key, ref) for key in keys},
        )  # fmt: skip

    # --- lists ---

    def _list(self, said: Json, whole: Json, place: str) -> Listing:
        own = next((one for one in self._parts(whole) if one.get("type") == "array"), {})
        every, places = own.get("items", {}), own.get("prefixItems", [])
        firsts = said.get("prefixItems", [] if "items" in said else [{} for _ in places])
        wholes = [places[at] if at < len(places) else every for at in range(len(firsts))]
        first = tuple(self.node(one, wholes[at], place) for at, one in enumerate(firsts))
        more = "items" in said or (every and not places)
        items = self.node(said.get("items", {}), every, place) if more else None
        least = int(said.get("minItems", own.get("minItems")) or 0)
        most: int | None = said.get("maxItems", own.get("maxItems"))
        if most is not None and first and most <= len(first):
            items = None  # there is no place for more
        if items is None:
            least, most = len(first), len(first)
        unique = bool(said.get("uniqueItems", own.get("uniqueItems", False))) or (
            not said and isinstance(items, Choice)
        )
        needed = tuple(one for part in said.get("allOf", ()) for one in _needed(part))
        return Listing(items, first, least, most if most != MOST else None, unique, needed, said.get("x-opens"))


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


def _apart(named: Iterable[tuple[str, Node]]) -> tuple[tuple[str, Node], ...]:
    """Under names of which no two are the same."""
    some = list(named)
    names = [name for name, _ in some]
    return tuple(
        (name if names.count(name) == 1 else f"{name}, way {at}", part) for at, (name, part) in enumerate(some, 1)
    )


def _left_out(node: Node, usual: str) -> Node:
    """With what says the same as leaving it open, which is `usual`."""
    if isinstance(node, Choice) and usual in ("null", '""'):
        return replace(node, left_out=usual)
    if isinstance(node, Either) and usual in ("null", '""', "[]"):
        said = [certain(part) for _, part in node.parts]
        same = (at for at, one in enumerate(said) if one is not None and json.dumps(one.value) == usual)
        return replace(node, left_out=next(same, None))
    return node


def _needed(part: Json) -> Iterator[Any]:
    """What must be among the items, and how often."""
    wanted: Json = part["contains"]
    value = wanted["const"] if "const" in wanted else {
        name: one["const"] for name, one in wanted.get("properties", {}).items() if "const" in one
    }  # fmt: skip
    for _ in range(part.get("minContains", 1)):
        yield value


def _number(said: Json) -> Number:
    least, most = said.get("minimum"), said.get("maximum")
    far = 2**53 - 1
    usual = next(iter(said.get("examples", ())), None)
    return Number(least if least != -far else None, most if most != far else None, usual)
