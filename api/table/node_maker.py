"""Making the tree of a form from two schemas: the one that narrows a declaration now, and the one of its input."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from api.table.client import Json
from api.table.descriptions import LEFT_OUT, about, hint_of
from api.table.nodes import (
    GIVEN,
    LEAVE_BLANK,
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
from api.table.united import called, either_of, name_of, united
from api.table.words import Words, plain, small

COMPONENTS = "#/components/schemas/"
SHORT = 80  # characters: what is longer is written in a box of lines
FAR = 10**9  # a number that no table comes to
MOST = 1000  # what the API takes of anything: no limit that people reach


class Maker:
    """Makes forms. `schemas`: the API's components, by name."""

    def __init__(self, schemas: Mapping[str, Json], words: Words) -> None:
        self.schemas, self.words = schemas, words

    def node(self, narrowed: Json, whole: Json, place: str = "") -> Node:
        """Return the form of a value.

        `narrowed`: what the value can be now; empty: everything that `whole`, its own schema, allows.
        """
        if "allOf" in narrowed and "$ref" in narrowed["allOf"][0]:
            reference, narrowing = narrowed["allOf"]
            return self._record(narrowing, self._resolved(reference))
        ref = self._ref(whole) or self.words.fields.get(place)
        if "const" in narrowed:
            return Const(narrowed["const"], str(narrowed.get("title", "")))
        if "enum" in narrowed:
            return self._choice(narrowed["enum"], ref, narrowed.get("x-titles", ()))
        if "anyOf" in narrowed:
            parts = [self.node(option, whole, place) for option in narrowed["anyOf"]]
            return self._either(
                parts, ref, narrowed["anyOf"], [str(option.get("title", "")) for option in narrowed["anyOf"]]
            )
        match narrowed.get("type"):
            case "integer":
                return _number(narrowed)
            case "object":
                return self._record(narrowed, whole)
            case "array":
                return self._list(narrowed, whole, place)
        return self._open(whole, place)

    def _resolved(self, schema: Json) -> Json:
        while "$ref" in schema:
            schema = self.schemas[schema["$ref"].rpartition(COMPONENTS)[2]]
        return schema

    def _ref(self, whole: Json) -> str | None:
        ref: str | None = next((part["x-ref"]["to"] for part in self._parts(whole) if "x-ref" in part), None)
        return ref

    # --- what is open ---

    def _open(self, whole: Json, place: str) -> Node:
        whole = self._resolved(whole)
        if "const" in whole:
            return Const(whole["const"])
        if "enum" in whole:
            return self._choice(whole["enum"], None)
        for union in ("anyOf", "oneOf"):
            if union in whole:
                options = [option for option in whole[union] if option.get("type") != "null"]
                if len(options) == 1:
                    return self._open(options[0], place)
                return self._either([self._open(option, place) for option in options], None, options)
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
        names = self.words.names.get(ref or "")
        if names:
            return Choice({json.dumps(id): name for id, name in names.items()})
        most = whole.get("maxLength")
        anything = "type" not in whole
        return Text(most, not anything and ref is None and (most is None or most > 3 * SHORT), anything)

    # --- of several ---

    def _choice(self, values: list[Any], ref: str | None, titles: Sequence[str] = ()) -> Node:
        named = titles or [self._name_of(value, ref) for value in values]
        options = {json.dumps(value): name for value, name in zip(values, named, strict=True)}
        return Choice(options, blank=options.get("null", LEAVE_BLANK) if titles else LEAVE_BLANK)

    def _name_of(self, value: Any, ref: str | None = None) -> str:
        return name_of(value, self.words, ref)

    def _either(self, parts: list[Node], ref: str | None, wholes: list[Json], titles: Sequence[str] = ()) -> Node:
        """Return one node for several.

        `titles`: names the schema gives for certain. `wholes`: the schemas, for their own titles otherwise.
        """
        if len(parts) == 1:
            return parts[0]
        if any(titles):
            return either_of(parts, self.words, titles)
        named = [str(self._resolved(schema).get("title", "")) for schema in wholes]
        return united(parts, ref, self.words) or either_of(parts, self.words, titles=named)

    def _word(self, word: str) -> str:
        """Return a word of the game as it is written within a sentence."""
        return small(self.words.of(word, "word")) if word not in self.words.labels else self.words.labels[word]

    # --- records ---

    def _record(self, narrowed: Json, whole: Json) -> Node:
        narrow: Json = narrowed.get("properties", {})
        if narrowed.get("additionalProperties") is False and not self._has(narrow, whole):
            return (
                self._entries(narrowed, whole) if self._is_mapping(whole) else self._fields(narrow, narrowed, narrowed)
            )
        record = self._whole_record(narrow, whole)
        if record is None:
            return self._fields(narrow, narrowed, {"properties": narrow})
        return self._fields(narrow, narrowed, record)

    def _fields(self, narrow: Json, narrowed: Json, whole: Json) -> Record:
        needed = {*narrowed.get("required", ()), *whole.get("required", ())}
        hints = about(whole.get("description", ""))[1]
        made = []
        for name, own in whole["properties"].items():
            title = own.get("title") or plain(name)
            node = self.node(narrow.get(name, {}), self._resolved(own) if "$ref" in own else own, name)
            chosen = isinstance(node, Choice) or (isinstance(node, Listing) and node.checks is not None)
            usually = hint_of(own, usual=name not in needed, chosen=chosen, called=self._word)
            hint = "" if "$ref" in own else usually or hints.get(name, "")
            if GIVEN.search(hints.get(name, "")) and not GIVEN.search(hint):
                hint = f"{hint} {hints[name]}"
            said_so = LEFT_OUT.search(str(own.get("description", "")))
            usual = said_so[1] if said_so else "null"
            node = node if name in needed else _left_out(node, usual)
            made.append(FieldOf(name, title, hint, node, name in needed))
        record = Record(tuple(made))
        return replace(record, only=called(record, self.words)) if certain(record) is not None else record

    def _has(self, narrow: Json, whole: Json) -> bool:
        return self._whole_record(narrow, whole) is not None

    def _whole_record(self, narrow: Json, whole: Json) -> Json | None:
        """Return the record, among those the schema allows, that has these fields with these constants; or None."""
        for record in self._parts(whole):
            fields = record.get("properties", {})
            if (
                fields
                and narrow.keys() <= fields.keys()
                and all(
                    "const" not in self._resolved(fields[name])
                    or schema.get("const") == self._resolved(fields[name])["const"]
                    for name, schema in narrow.items()
                )
            ):
                return record
        return None

    def _parts(self, whole: Json) -> Iterator[Json]:
        whole = self._resolved(whole)
        for union in ("anyOf", "oneOf"):
            for part in whole.get(union, ()):
                yield from self._parts(part)
        yield whole

    def _is_mapping(self, whole: Json) -> bool:
        return any("additionalProperties" in part and "properties" not in part for part in self._parts(whole))

    def _entries(self, narrowed: Json, whole: Json) -> Entries:
        own = next((part for part in self._parts(whole) if part.get("type") == "object"), {})
        names = own.get("propertyNames", {})
        each = own.get("additionalProperties", {})
        each = each if isinstance(each, dict) else {}
        narrow: Json = narrowed.get("properties", {})
        ref = self._ref(names) if names else None
        keys = (
            tuple(narrow) or tuple(self._resolved(names).get("enum", ())) or tuple(self.words.names.get(ref or "", ()))
        )
        return Entries(
            keys,
            tuple(narrowed.get("required", ())),
            {key: self.node(schema, each) for key, schema in narrow.items()},
            self.node({}, each) if each else Text(None, long=False),
            {key: self.words.of(key, ref) for key in keys},
        )

    # --- lists ---

    def _list(self, narrowed: Json, whole: Json, place: str) -> Listing:
        own = next((part for part in self._parts(whole) if part.get("type") == "array"), {})
        every, places = own.get("items", {}), own.get("prefixItems", [])
        firsts = narrowed.get("prefixItems", [] if "items" in narrowed else [{} for _ in places])
        wholes = [places[at] if at < len(places) else every for at in range(len(firsts))]
        first = tuple(self.node(item, wholes[at], place) for at, item in enumerate(firsts))
        more = "items" in narrowed or (every and not places)
        items = self._item(narrowed, every, place) if more else None
        least = int(narrowed.get("minItems", own.get("minItems")) or 0)
        most: int | None = narrowed.get("maxItems", own.get("maxItems"))
        if most is not None and first and most <= len(first):
            items = None  # there is no place for more
        if items is None:
            least, most = len(first), len(first)
        unique = bool(narrowed.get("uniqueItems", own.get("uniqueItems", False))) or (
            not narrowed and isinstance(items, Choice)
        )
        needed = tuple(value for part in narrowed.get("allOf", ()) for value in _needed(part))
        listing = Listing(items, first, least, most if most != MOST else None, unique, needed, narrowed.get("x-opens"))
        nodes = [listing.at(at) for at in range(listing.least)] if listing.least == listing.most else []
        sure = [const.value for node in nodes if node is not None and (const := certain(node)) is not None]
        settled = 0 < len(sure) == len(nodes) and listing.checks is None
        return replace(listing, only=self.words.of(sure, self._ref(every) or place)) if settled else listing

    def _item(self, narrowed: Json, every: Json, place: str) -> Node:
        """Return the form of a list's items. A single possible item is still a choice: to include it or not."""
        items: Json = narrowed.get("items", {})
        if "const" in items and narrowed.get("uniqueItems"):
            return self._choice(
                [items["const"]], self._ref(every) or place, [items["title"]] if "title" in items else ()
            )
        return self.node(items, every, place)


def _left_out(node: Node, usual: str) -> Node:
    """Return the node with the option that means the same as leaving it blank."""
    if isinstance(node, Choice) and usual in ("null", '""'):
        return replace(node, left_out=usual)
    if isinstance(node, Either) and usual in ("null", '""', "[]"):
        consts = [certain(part) for _, part in node.parts]
        same = (at for at, const in enumerate(consts) if const is not None and json.dumps(const.value) == usual)
        return replace(node, left_out=next(same, None))
    return node


def _needed(part: Json) -> Iterator[Any]:
    """Yield what the list must contain, as often as it must."""
    wanted: Json = part["contains"]
    value = (
        wanted["const"]
        if "const" in wanted
        else {name: schema["const"] for name, schema in wanted.get("properties", {}).items() if "const" in schema}
    )
    for _ in range(part.get("minContains", 1)):
        yield value


def _number(schema: Json) -> Number | Const:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None and least == most:
        return Const(least)
    usual = next(iter(schema.get("examples", ())), None)
    low, high = (limit if limit is not None and abs(limit) < FAR else None for limit in (least, most))
    return Number(low, high, usual)
