"""Forms as trees: made of the schema that narrows a declaration now, over the schema of its input."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from api.table.client import Json
from api.table.descriptions import LEFT_OUT, about, hint_of
from api.table.nodes import (
    SAID,
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
from api.table.united import called, either_of, said_of, united
from api.table.words import Words, plain, small

COMPONENTS = "#/components/schemas/"
SHORT = 80  # characters: what is longer is written in a box of lines
FAR = 10**9  # a number that no table comes to
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
            return self._either(parts, ref, said["anyOf"], [str(one.get("title", "")) for one in said["anyOf"]])
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
        return said_of(value, self.words, ref)

    def _either(self, parts: list[Node], ref: str | None, wholes: list[Json], titles: Sequence[str] = ()) -> Node:
        """`titles`: what the schema calls them for certain; else what `wholes`, the schemas, are called."""
        if len(parts) == 1:
            return parts[0]
        if any(titles):
            return either_of(parts, self.words, titles)
        named = [str(self._resolved(one).get("title", "")) for one in wholes]
        return united(parts, ref, self.words) or either_of(parts, self.words, titles=named)

    def _word(self, said: str) -> str:
        """A word of the game, within a sentence."""
        return small(self.words.of(said, "word")) if said not in self.words.labels else self.words.labels[said]

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
            chosen = isinstance(node, Choice) or (isinstance(node, Listing) and node.checks is not None)
            usually = hint_of(own, usual=name not in needed, chosen=chosen, called=self._word)
            hint = "" if "$ref" in own else usually or told.get(name, "")
            if SAID.search(told.get(name, "")) and not SAID.search(hint):
                hint = f"{hint} {told[name]}"
            said_so = LEFT_OUT.search(str(own.get("description", "")))
            usual = said_so[1] if said_so else "null"
            node = node if name in needed else _left_out(node, usual)
            made.append(FieldOf(name, title, hint, node, name in needed))
        record = Record(tuple(made))
        return replace(record, only=called(record, self.words)) if certain(record) is not None else record

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
        items = self._item(said, every, place) if more else None
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
        listing = Listing(items, first, least, most if most != MOST else None, unique, needed, said.get("x-opens"))
        there = [listing.at(at) for at in range(listing.least)] if listing.least == listing.most else []
        sure = [found.value for one in there if one is not None and (found := certain(one)) is not None]
        settled = 0 < len(sure) == len(there) and listing.checks is None
        return replace(listing, only=self.words.of(sure, self._ref(every) or place)) if settled else listing

    def _item(self, said: Json, every: Json, place: str) -> Node:
        """Of a list in which one thing only can stand, and once, that is a choice all the same: to say it or not."""
        told: Json = said.get("items", {})
        if "const" in told and said.get("uniqueItems"):
            return self._choice([told["const"]], self._ref(every) or place, [told["title"]] if "title" in told else ())
        return self.node(told, every, place)


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


def _number(said: Json) -> Number | Const:
    least, most = said.get("minimum"), said.get("maximum")
    if least is not None and least == most:
        return Const(least)
    usual = next(iter(said.get("examples", ())), None)
    low, high = (one if one is not None and abs(one) < FAR else None for one in (least, most))
    return Number(low, high, usual)
