"""Make the nodes of a form from two schemas: the declaration's own schema, and the schema of what is allowed now."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from api.table.client import Json
from api.table.descriptions import LEFT_OUT, split_description, write_hint
from api.table.node_joiner import join_nodes, make_either, name_part, name_value_or_nothing
from api.table.nodes import (
    GIVEN,
    LEAVE_BLANK,
    Choice,
    Const,
    Either,
    Entries,
    Listing,
    Node,
    Number,
    Record,
    RecordField,
    Text,
    Truth,
    find_only_value,
)
from api.table.words import Words, lower_first, to_plain_words

COMPONENTS = "#/components/schemas/"
SHORT = 80  # characters; a field for longer text has several lines
FAR = 10**9  # a number that no game reaches
MOST = 1000  # the API's general limit, which people never reach


class NodeMaker:
    """Makes forms. `schemas`: the API's components, by name."""

    def __init__(self, schemas: Mapping[str, Json], words: Words) -> None:
        self.schemas, self.words = schemas, words

    def make_node(self, current_schema: Json, full_schema: Json, field_name: str = "") -> Node:
        """Return the form of a value.

        `full_schema`: the value's own schema. `current_schema`: what the value can be now; empty means everything that
        `full_schema` allows.
        """
        if "allOf" in current_schema and "$ref" in current_schema["allOf"][0]:
            reference, narrowing = current_schema["allOf"]
            return self._make_record(narrowing, self._resolve(reference))
        ref = self._find_ref(full_schema) or self.words.fields.get(field_name)
        if "const" in current_schema:
            return Const(current_schema["const"], str(current_schema.get("title", "")))
        if "enum" in current_schema:
            return self._make_choice(current_schema["enum"], ref, current_schema.get("x-titles", ()))
        if "anyOf" in current_schema:
            parts = [self.make_node(option, full_schema, field_name) for option in current_schema["anyOf"]]
            return self._make_either(
                parts,
                ref,
                current_schema["anyOf"],
                [str(option.get("title", "")) for option in current_schema["anyOf"]],
            )
        match current_schema.get("type"):
            case "integer":
                return _make_number(current_schema)
            case "object":
                return self._make_record(current_schema, full_schema)
            case "array":
                return self._make_list(current_schema, full_schema, field_name)
        return self._make_open_node(full_schema, field_name)

    def _resolve(self, schema: Json) -> Json:
        while "$ref" in schema:
            schema = self.schemas[schema["$ref"].rpartition(COMPONENTS)[2]]
        return schema

    def _find_ref(self, full_schema: Json) -> str | None:
        ref: str | None = next(
            (part["x-ref"]["to"] for part in self._list_schema_parts(full_schema) if "x-ref" in part), None
        )
        return ref

    # --- values that the move leaves open ---

    def _make_open_node(self, full_schema: Json, field_name: str) -> Node:
        full_schema = self._resolve(full_schema)
        if "const" in full_schema:
            return Const(full_schema["const"])
        if "enum" in full_schema:
            return self._make_choice(full_schema["enum"], None)
        for keyword in ("anyOf", "oneOf"):
            if keyword in full_schema:
                options = [option for option in full_schema[keyword] if option.get("type") != "null"]
                if len(options) == 1:
                    return self._make_open_node(options[0], field_name)
                return self._make_either(
                    [self._make_open_node(option, field_name) for option in options], None, options
                )
        match full_schema.get("type"):
            case "integer":
                return _make_number(full_schema)
            case "boolean":
                return Truth()
            case "object":
                return (
                    self._make_record({}, full_schema)
                    if "properties" in full_schema
                    else self._make_entries({}, full_schema)
                )
            case "array":
                return self._make_list({}, full_schema, field_name)
        return self._make_text(full_schema)

    def _make_text(self, full_schema: Json) -> Node:
        ref = full_schema.get("x-ref", {}).get("to")
        names = self.words.names.get(ref or "")
        if names:
            return Choice({json.dumps(id): name for id, name in names.items()})
        max_length = full_schema.get("maxLength")
        takes_json = "type" not in full_schema
        return Text(
            max_length, not takes_json and ref is None and (max_length is None or max_length > 3 * SHORT), takes_json
        )

    # --- several forms ---

    def _make_choice(self, values: list[Any], ref: str | None, titles: Sequence[str] = ()) -> Node:
        labels = titles or [self._name_value(value, ref) for value in values]
        options = {json.dumps(value): name for value, name in zip(values, labels, strict=True)}
        return Choice(options, blank=options.get("null", LEAVE_BLANK) if titles else LEAVE_BLANK)

    def _name_value(self, value: Any, ref: str | None = None) -> str:
        return name_value_or_nothing(value, self.words, ref)

    def _make_either(self, parts: list[Node], ref: str | None, schemas: list[Json], titles: Sequence[str] = ()) -> Node:
        """Return one node for several parts. Without `titles`, the parts are named after their `schemas`."""
        if len(parts) == 1:
            return parts[0]
        if any(titles):
            return make_either(parts, self.words, titles)
        schema_titles = [str(self._resolve(schema).get("title", "")) for schema in schemas]
        return join_nodes(parts, ref, self.words) or make_either(parts, self.words, titles=schema_titles)

    def _write_word(self, word: str) -> str:
        """Return a word of the game as it appears within a sentence."""
        return (
            lower_first(self.words.name_value(word, "word"))
            if word not in self.words.labels
            else self.words.labels[word]
        )

    # --- records ---

    def _make_record(self, current_schema: Json, full_schema: Json) -> Node:
        current_fields: Json = current_schema.get("properties", {})
        if current_schema.get("additionalProperties") is False and not self._has_record(current_fields, full_schema):
            return (
                self._make_entries(current_schema, full_schema)
                if self._is_mapping(full_schema)
                else self._make_fields(current_fields, current_schema, current_schema)
            )
        record = self._find_record(current_fields, full_schema)
        if record is None:
            return self._make_fields(current_fields, current_schema, {"properties": current_fields})
        return self._make_fields(current_fields, current_schema, record)

    def _make_fields(self, current_fields: Json, current_schema: Json, full_schema: Json) -> Record:
        required_names = {*current_schema.get("required", ()), *full_schema.get("required", ())}
        hints = split_description(full_schema.get("description", ""))[1]
        fields = []
        for name, field_schema in full_schema["properties"].items():
            title = field_schema.get("title") or to_plain_words(name)
            node = self.make_node(
                current_fields.get(name, {}),
                self._resolve(field_schema) if "$ref" in field_schema else field_schema,
                name,
            )
            is_picked = isinstance(node, Choice) or (isinstance(node, Listing) and node.checks is not None)
            own_hint = write_hint(
                field_schema, with_default=name not in required_names, is_picked=is_picked, name_word=self._write_word
            )
            hint = "" if "$ref" in field_schema else own_hint or hints.get(name, "")
            if GIVEN.search(hints.get(name, "")) and not GIVEN.search(hint):
                hint = f"{hint} {hints[name]}"
            default_match = LEFT_OUT.search(str(field_schema.get("description", "")))
            default = default_match[1] if default_match else "null"
            if isinstance(node, Choice) and "x-titles" in current_fields.get(name, {}) and default in node.options:
                node = replace(node, blank=node.options[default])
                hint = "" if hint.startswith("Default: ") else hint
            required = name in required_names or (default == "null" and _is_named_choice(node))
            fields.append(RecordField(name, title, hint, node if required else _mark_left_out(node, default), required))
        record = Record(tuple(fields))
        return replace(record, only=name_part(record, self.words)) if find_only_value(record) is not None else record

    def _has_record(self, current_fields: Json, full_schema: Json) -> bool:
        return self._find_record(current_fields, full_schema) is not None

    def _find_record(self, current_fields: Json, full_schema: Json) -> Json | None:
        """Return the schema of the first record that has these fields and constants, or None."""
        for record in self._list_schema_parts(full_schema):
            fields = record.get("properties", {})
            if (
                fields
                and current_fields.keys() <= fields.keys()
                and all(
                    "const" not in self._resolve(fields[name])
                    or schema.get("const") == self._resolve(fields[name])["const"]
                    for name, schema in current_fields.items()
                )
            ):
                return record
        return None

    def _list_schema_parts(self, full_schema: Json) -> Iterator[Json]:
        full_schema = self._resolve(full_schema)
        for keyword in ("anyOf", "oneOf"):
            for part in full_schema.get(keyword, ()):
                yield from self._list_schema_parts(part)
        yield full_schema

    def _is_mapping(self, full_schema: Json) -> bool:
        return any(
            "additionalProperties" in part and "properties" not in part for part in self._list_schema_parts(full_schema)
        )

    def _make_entries(self, current_schema: Json, full_schema: Json) -> Entries:
        object_schema = next(
            (part for part in self._list_schema_parts(full_schema) if part.get("type") == "object"), {}
        )
        name_schema = object_schema.get("propertyNames", {})
        value_schema = object_schema.get("additionalProperties", {})
        value_schema = value_schema if isinstance(value_schema, dict) else {}
        current_fields: Json = current_schema.get("properties", {})
        ref = self._find_ref(name_schema) if name_schema else None
        keys = (
            tuple(current_fields)
            or tuple(self._resolve(name_schema).get("enum", ()))
            or tuple(self.words.names.get(ref or "", ()))
        )
        return Entries(
            keys,
            tuple(current_schema.get("required", ())),
            {key: self.make_node(schema, value_schema) for key, schema in current_fields.items()},
            self.make_node({}, value_schema) if value_schema else Text(None, is_long=False),
            {key: self.words.name_value(key, ref) for key in keys},
        )

    # --- lists ---

    def _make_list(self, current_schema: Json, full_schema: Json, field_name: str) -> Listing:
        list_schema = next((part for part in self._list_schema_parts(full_schema) if part.get("type") == "array"), {})
        item_schema, place_schemas = list_schema.get("items", {}), list_schema.get("prefixItems", [])
        current_firsts = current_schema.get(
            "prefixItems", [] if "items" in current_schema else [{} for _ in place_schemas]
        )
        full_firsts = [
            place_schemas[index] if index < len(place_schemas) else item_schema for index in range(len(current_firsts))
        ]
        first_nodes = tuple(
            self.make_node(item, full_firsts[index], field_name) for index, item in enumerate(current_firsts)
        )
        has_more_items = "items" in current_schema or (item_schema and not place_schemas)
        item_node = self._make_item(current_schema, item_schema, field_name) if has_more_items else None
        least = int(current_schema.get("minItems", list_schema.get("minItems")) or 0)
        most: int | None = current_schema.get("maxItems", list_schema.get("maxItems"))
        if most is not None and first_nodes and most <= len(first_nodes):
            item_node = None  # the list can't have further items
        if item_node is None:
            least, most = len(first_nodes), len(first_nodes)
        unique = bool(current_schema.get("uniqueItems", list_schema.get("uniqueItems", False))) or (
            not current_schema and isinstance(item_node, Choice)
        )
        needed_values = tuple(value for part in current_schema.get("allOf", ()) for value in _list_needed_values(part))
        keys = {name for part in current_schema.get("allOf", ()) for name in _list_distinct_fields(part)}
        key = keys.pop() if len(keys) == 1 else ""
        listing = Listing(
            item_node,
            first_nodes,
            least,
            most if most != MOST else None,
            unique,
            needed_values,
            current_schema.get("x-opens"),
        )
        listing = replace(listing, key=key)
        place_nodes = (
            [listing.find_item(index) for index in range(listing.least)] if listing.least == listing.most else []
        )
        certain_values = [
            const.value for node in place_nodes if node is not None and (const := find_only_value(node)) is not None
        ]
        is_settled = 0 < len(certain_values) == len(place_nodes) and listing.checks is None
        return (
            replace(listing, only=self.words.name_value(certain_values, self._find_ref(item_schema) or field_name))
            if is_settled
            else listing
        )

    def _make_item(self, current_schema: Json, item_schema: Json, field_name: str) -> Node:
        """Return the form of a list's items. If only one item is possible, people still choose whether to include
        it.
        """
        current_item_schema: Json = current_schema.get("items", {})
        if "const" in current_item_schema and current_schema.get("uniqueItems"):
            return self._make_choice(
                [current_item_schema["const"]],
                self._find_ref(item_schema) or field_name,
                [current_item_schema["title"]] if "title" in current_item_schema else (),
            )
        node = self.make_node(current_item_schema, item_schema, field_name)
        consts = [(name, find_only_value(part)) for name, part in node.parts] if isinstance(node, Either) else []
        if consts and current_schema.get("uniqueItems") and all(const is not None for _, const in consts):
            return Choice({json.dumps(const.value): name for name, const in consts if const is not None})
        return node


def _is_named_choice(node: Node) -> bool:
    """Return whether the blank option has a name that no other option has."""
    names = list(node.options.values()) if isinstance(node, Choice) else []
    return isinstance(node, Choice) and node.blank != LEAVE_BLANK and names.count(node.blank) == 1


def _mark_left_out(node: Node, default: str) -> Node:
    """Return the node with a mark on the option that means the same as leaving the field blank."""
    if isinstance(node, Choice) and (default in ("null", '""') or node.blank == node.options.get(default)):
        return replace(node, left_out=default)
    if isinstance(node, Either) and default in ("null", '""', "[]"):
        consts = [find_only_value(part) for _, part in node.parts]
        matching_indexes = (
            index for index, const in enumerate(consts) if const is not None and json.dumps(const.value) == default
        )
        left_out_index = next(matching_indexes, None)
        const = consts[left_out_index] if left_out_index is not None else None
        return replace(
            node, left_out=left_out_index, blank=const.name if const is not None and const.name else LEAVE_BLANK
        )
    return node


def _list_distinct_fields(part: Json) -> list[str]:
    """Return the fields in which the items of a list must differ."""
    return list(part["contains"].get("properties", {})) if part.get("maxContains") == 1 else []


def _list_needed_values(part: Json) -> Iterator[Any]:
    """Yield the value that the list must contain, as often as it must occur."""
    contained_schema: Json = part["contains"]
    value = (
        contained_schema["const"]
        if "const" in contained_schema
        else {
            name: schema["const"]
            for name, schema in contained_schema.get("properties", {}).items()
            if "const" in schema
        }
    )
    for _ in range(part.get("minContains", 1)):
        yield value


def _make_number(schema: Json) -> Number | Const:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None and least == most:
        return Const(least)
    example = next(iter(schema.get("examples", ())), None)
    low, high = (limit if limit is not None and abs(limit) < FAR else None for limit in (least, most))
    return Number(low, high, example)
