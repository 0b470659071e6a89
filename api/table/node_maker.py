"""Making the tree of a form from two schemas: the one that narrows a declaration now, and the one of its input."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from api.table.client import Json
from api.table.descriptions import LEFT_OUT, split_description, write_hint
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
    find_certain,
)
from api.table.united import make_either, name_part, name_value, unite
from api.table.words import Words, lower_first, to_plain_words

COMPONENTS = "#/components/schemas/"
SHORT = 80  # characters: what is longer is written in a box of lines
FAR = 10**9  # a number that no table comes to
MOST = 1000  # what the API takes of anything: no limit that people reach


class NodeMaker:
    """Makes forms. `schemas`: the API's components, by name."""

    def __init__(self, schemas: Mapping[str, Json], words: Words) -> None:
        self.schemas, self.words = schemas, words

    def make_node(self, narrowed: Json, whole: Json, place: str = "") -> Node:
        """Return the form of a value.

        `narrowed`: what the value can be now; empty: everything that `whole`, its own schema, allows.
        """
        if "allOf" in narrowed and "$ref" in narrowed["allOf"][0]:
            reference, narrowing = narrowed["allOf"]
            return self._make_record(narrowing, self._resolve(reference))
        ref = self._find_ref(whole) or self.words.fields.get(place)
        if "const" in narrowed:
            return Const(narrowed["const"], str(narrowed.get("title", "")))
        if "enum" in narrowed:
            return self._make_choice(narrowed["enum"], ref, narrowed.get("x-titles", ()))
        if "anyOf" in narrowed:
            parts = [self.make_node(option, whole, place) for option in narrowed["anyOf"]]
            return self._make_either(
                parts, ref, narrowed["anyOf"], [str(option.get("title", "")) for option in narrowed["anyOf"]]
            )
        match narrowed.get("type"):
            case "integer":
                return _make_number(narrowed)
            case "object":
                return self._make_record(narrowed, whole)
            case "array":
                return self._make_list(narrowed, whole, place)
        return self._make_open(whole, place)

    def _resolve(self, schema: Json) -> Json:
        while "$ref" in schema:
            schema = self.schemas[schema["$ref"].rpartition(COMPONENTS)[2]]
        return schema

    def _find_ref(self, whole: Json) -> str | None:
        ref: str | None = next((part["x-ref"]["to"] for part in self._list_parts(whole) if "x-ref" in part), None)
        return ref

    # --- what is open ---

    def _make_open(self, whole: Json, place: str) -> Node:
        whole = self._resolve(whole)
        if "const" in whole:
            return Const(whole["const"])
        if "enum" in whole:
            return self._make_choice(whole["enum"], None)
        for union in ("anyOf", "oneOf"):
            if union in whole:
                options = [option for option in whole[union] if option.get("type") != "null"]
                if len(options) == 1:
                    return self._make_open(options[0], place)
                return self._make_either([self._make_open(option, place) for option in options], None, options)
        match whole.get("type"):
            case "integer":
                return _make_number(whole)
            case "boolean":
                return Truth()
            case "object":
                return self._make_record({}, whole) if "properties" in whole else self._make_entries({}, whole)
            case "array":
                return self._make_list({}, whole, place)
        return self._make_text(whole)

    def _make_text(self, whole: Json) -> Node:
        ref = whole.get("x-ref", {}).get("to")
        names = self.words.names.get(ref or "")
        if names:
            return Choice({json.dumps(id): name for id, name in names.items()})
        most = whole.get("maxLength")
        anything = "type" not in whole
        return Text(most, not anything and ref is None and (most is None or most > 3 * SHORT), anything)

    # --- of several ---

    def _make_choice(self, values: list[Any], ref: str | None, titles: Sequence[str] = ()) -> Node:
        named = titles or [self._name_value(value, ref) for value in values]
        options = {json.dumps(value): name for value, name in zip(values, named, strict=True)}
        return Choice(options, blank=options.get("null", LEAVE_BLANK) if titles else LEAVE_BLANK)

    def _name_value(self, value: Any, ref: str | None = None) -> str:
        return name_value(value, self.words, ref)

    def _make_either(self, parts: list[Node], ref: str | None, wholes: list[Json], titles: Sequence[str] = ()) -> Node:
        """Return one node for several.

        `titles`: names the schema gives for certain. `wholes`: the schemas, for their own titles otherwise.
        """
        if len(parts) == 1:
            return parts[0]
        if any(titles):
            return make_either(parts, self.words, titles)
        named = [str(self._resolve(schema).get("title", "")) for schema in wholes]
        return unite(parts, ref, self.words) or make_either(parts, self.words, titles=named)

    def _write_word(self, word: str) -> str:
        """Return a word of the game as it is written within a sentence."""
        return (
            lower_first(self.words.name_value(word, "word"))
            if word not in self.words.labels
            else self.words.labels[word]
        )

    # --- records ---

    def _make_record(self, narrowed: Json, whole: Json) -> Node:
        narrow: Json = narrowed.get("properties", {})
        if narrowed.get("additionalProperties") is False and not self._has_record(narrow, whole):
            return (
                self._make_entries(narrowed, whole)
                if self._is_mapping(whole)
                else self._make_fields(narrow, narrowed, narrowed)
            )
        record = self._find_record(narrow, whole)
        if record is None:
            return self._make_fields(narrow, narrowed, {"properties": narrow})
        return self._make_fields(narrow, narrowed, record)

    def _make_fields(self, narrow: Json, narrowed: Json, whole: Json) -> Record:
        needed = {*narrowed.get("required", ()), *whole.get("required", ())}
        hints = split_description(whole.get("description", ""))[1]
        fields = []
        for name, own in whole["properties"].items():
            title = own.get("title") or to_plain_words(name)
            node = self.make_node(narrow.get(name, {}), self._resolve(own) if "$ref" in own else own, name)
            chosen = isinstance(node, Choice) or (isinstance(node, Listing) and node.checks is not None)
            own_hint = write_hint(own, usual=name not in needed, chosen=chosen, called=self._write_word)
            hint = "" if "$ref" in own else own_hint or hints.get(name, "")
            if GIVEN.search(hints.get(name, "")) and not GIVEN.search(hint):
                hint = f"{hint} {hints[name]}"
            default_match = LEFT_OUT.search(str(own.get("description", "")))
            usual = default_match[1] if default_match else "null"
            if isinstance(node, Choice) and "x-titles" in narrow.get(name, {}) and usual in node.options:
                node = replace(node, blank=node.options[usual])
                hint = "" if hint.startswith("Default: ") else hint
            required = name in needed or (usual == "null" and _is_named_choice(node))
            fields.append(FieldOf(name, title, hint, node if required else _mark_left_out(node, usual), required))
        record = Record(tuple(fields))
        return replace(record, only=name_part(record, self.words)) if find_certain(record) is not None else record

    def _has_record(self, narrow: Json, whole: Json) -> bool:
        return self._find_record(narrow, whole) is not None

    def _find_record(self, narrow: Json, whole: Json) -> Json | None:
        """Return the record, among those the schema allows, that has these fields with these constants; or None."""
        for record in self._list_parts(whole):
            fields = record.get("properties", {})
            if (
                fields
                and narrow.keys() <= fields.keys()
                and all(
                    "const" not in self._resolve(fields[name])
                    or schema.get("const") == self._resolve(fields[name])["const"]
                    for name, schema in narrow.items()
                )
            ):
                return record
        return None

    def _list_parts(self, whole: Json) -> Iterator[Json]:
        whole = self._resolve(whole)
        for union in ("anyOf", "oneOf"):
            for part in whole.get(union, ()):
                yield from self._list_parts(part)
        yield whole

    def _is_mapping(self, whole: Json) -> bool:
        return any("additionalProperties" in part and "properties" not in part for part in self._list_parts(whole))

    def _make_entries(self, narrowed: Json, whole: Json) -> Entries:
        own = next((part for part in self._list_parts(whole) if part.get("type") == "object"), {})
        names = own.get("propertyNames", {})
        each = own.get("additionalProperties", {})
        each = each if isinstance(each, dict) else {}
        narrow: Json = narrowed.get("properties", {})
        ref = self._find_ref(names) if names else None
        keys = (
            tuple(narrow) or tuple(self._resolve(names).get("enum", ())) or tuple(self.words.names.get(ref or "", ()))
        )
        return Entries(
            keys,
            tuple(narrowed.get("required", ())),
            {key: self.make_node(schema, each) for key, schema in narrow.items()},
            self.make_node({}, each) if each else Text(None, long=False),
            {key: self.words.name_value(key, ref) for key in keys},
        )

    # --- lists ---

    def _make_list(self, narrowed: Json, whole: Json, place: str) -> Listing:
        own = next((part for part in self._list_parts(whole) if part.get("type") == "array"), {})
        item_schema, places = own.get("items", {}), own.get("prefixItems", [])
        firsts = narrowed.get("prefixItems", [] if "items" in narrowed else [{} for _ in places])
        wholes = [places[at] if at < len(places) else item_schema for at in range(len(firsts))]
        first = tuple(self.make_node(item, wholes[at], place) for at, item in enumerate(firsts))
        has_more_items = "items" in narrowed or (item_schema and not places)
        items = self._make_item(narrowed, item_schema, place) if has_more_items else None
        least = int(narrowed.get("minItems", own.get("minItems")) or 0)
        most: int | None = narrowed.get("maxItems", own.get("maxItems"))
        if most is not None and first and most <= len(first):
            items = None  # there is no place for more
        if items is None:
            least, most = len(first), len(first)
        unique = bool(narrowed.get("uniqueItems", own.get("uniqueItems", False))) or (
            not narrowed and isinstance(items, Choice)
        )
        needed = tuple(value for part in narrowed.get("allOf", ()) for value in _list_needed(part))
        keys = {name for part in narrowed.get("allOf", ()) for name in _list_keys(part)}
        key = keys.pop() if len(keys) == 1 else ""
        listing = Listing(items, first, least, most if most != MOST else None, unique, needed, narrowed.get("x-opens"))
        listing = replace(listing, key=key)
        nodes = [listing.at(at) for at in range(listing.least)] if listing.least == listing.most else []
        certain_values = [
            const.value for node in nodes if node is not None and (const := find_certain(node)) is not None
        ]
        settled = 0 < len(certain_values) == len(nodes) and listing.checks is None
        return (
            replace(listing, only=self.words.name_value(certain_values, self._find_ref(item_schema) or place))
            if settled
            else listing
        )

    def _make_item(self, narrowed: Json, every: Json, place: str) -> Node:
        """Return the form of a list's items. A single possible item is still a choice: to include it or not."""
        items: Json = narrowed.get("items", {})
        if "const" in items and narrowed.get("uniqueItems"):
            return self._make_choice(
                [items["const"]], self._find_ref(every) or place, [items["title"]] if "title" in items else ()
            )
        node = self.make_node(items, every, place)
        consts = [(name, find_certain(part)) for name, part in node.parts] if isinstance(node, Either) else []
        if consts and narrowed.get("uniqueItems") and all(const is not None for _, const in consts):
            return Choice({json.dumps(const.value): name for name, const in consts if const is not None})
        return node


def _is_named_choice(node: Node) -> bool:
    """Return whether leaving it out is a choice of its own: it has a name, which no other value has."""
    names = list(node.options.values()) if isinstance(node, Choice) else []
    return isinstance(node, Choice) and node.blank != LEAVE_BLANK and names.count(node.blank) == 1


def _mark_left_out(node: Node, usual: str) -> Node:
    """Return the node with the option that means the same as leaving it blank."""
    if isinstance(node, Choice) and (usual in ("null", '""') or node.blank == node.options.get(usual)):
        return replace(node, left_out=usual)
    if isinstance(node, Either) and usual in ("null", '""', "[]"):
        consts = [find_certain(part) for _, part in node.parts]
        same = (at for at, const in enumerate(consts) if const is not None and json.dumps(const.value) == usual)
        left_out = next(same, None)
        const = consts[left_out] if left_out is not None else None
        return replace(node, left_out=left_out, blank=const.name if const is not None and const.name else LEAVE_BLANK)
    return node


def _list_keys(part: Json) -> list[str]:
    """Return the fields in which the items of a list must differ."""
    return list(part["contains"].get("properties", {})) if part.get("maxContains") == 1 else []


def _list_needed(part: Json) -> Iterator[Any]:
    """Yield what the list must contain, as often as it must."""
    wanted: Json = part["contains"]
    value = (
        wanted["const"]
        if "const" in wanted
        else {name: schema["const"] for name, schema in wanted.get("properties", {}).items() if "const" in schema}
    )
    for _ in range(part.get("minContains", 1)):
        yield value


def _make_number(schema: Json) -> Number | Const:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None and least == most:
        return Const(least)
    usual = next(iter(schema.get("examples", ())), None)
    low, high = (limit if limit is not None and abs(limit) < FAR else None for limit in (least, most))
    return Number(low, high, usual)
