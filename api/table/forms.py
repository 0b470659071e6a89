"""Convert between the fields of a form and JSON.

The name of a field is the JSON Pointer of its value, so that the page can show the API's errors at their fields.
`<pointer>#` is the number of items in a list. `<pointer>?` is the index of the chosen form, or says whether there is a
value at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl

from fastapi import Request

from api.http.bodies import MOST_BYTES
from api.table.client import Rejection
from api.table.nodes import Choice, Const, Either, Entries, Listing, Node, Number, Record, Text, Truth
from ledger.rules.kernel.json_types import join_pointer

MOST_FIELDS, MOST_ITEMS = 5_000, 200
MISSING: Any = object()
Form = dict[str, list[str]]


async def read_form(request: Request) -> Form:
    """Return the fields that were sent. Raise Rejection (413) if there are too many."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise _make_too_large_error()
    try:
        pairs = parse_qsl(body.decode(errors="replace"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise _make_too_large_error() from None
    form: Form = {}
    for name, value in pairs:
        form.setdefault(name, []).append(value.replace("\r\n", "\n"))
    return form


def _make_too_large_error() -> Rejection:
    return Rejection(413, {"title": "Form too large", "detail": "The form is too large. Nothing was saved."})


def get_field_text(form: Mapping[str, list[str]], name: str) -> str:
    """Return the last value of a field, or ""."""
    return (form.get(name) or [""])[-1]


def count_items(form: Mapping[str, list[str]], path: str) -> int:
    """Return the length of a list in the form."""
    length_text = get_field_text(form, f"{path}#")
    return (
        min(int(length_text), MOST_ITEMS)
        if length_text.isascii() and length_text.isdecimal() and len(length_text) < 6
        else 0
    )


# --- from the form ---


def read_value(node: Node, path: str, form: Form, *, required: bool = True) -> Any:
    """Return the value of a node, or MISSING if its fields are empty."""
    match node:
        case Const(value=value):
            return value
        case Record():
            if not required and get_field_text(form, f"{path}?") != "0":
                return MISSING
            values = {
                field.name: read_value(field.node, join_path(path, field.name), form, required=field.required)
                for field in node.fields
            }
            return {name: value for name, value in values.items() if value is not MISSING}
        case Either(parts=parts):
            chosen_index = node.find_chosen_index(get_field_text(form, f"{path}?"))
            return (
                read_value(parts[chosen_index][1], f"{path}|{chosen_index}", form)
                if chosen_index is not None
                else MISSING
            )
        case Listing():
            return _read_list(node, path, form, required)
        case Entries():
            return _read_entries(node, path, form, required)
    return _read_text(node, get_field_text(form, path), required)


def _read_text(node: Node, text: str, required: bool) -> Any:
    if isinstance(node, Text) and not (node.takes_json and text.strip()):
        return text if text or required else MISSING
    if text.strip() == "":
        return MISSING
    if isinstance(node, Number):
        return int(text) if re.fullmatch(r"\s*[-+]?[0-9]{1,18}\s*", text, re.ASCII) else text
    try:
        return json.loads(text)  # one of the offered values, or any value
    except (ValueError, RecursionError):
        return text


def _read_list(node: Listing, path: str, form: Form, required: bool) -> Any:
    if (choice := node.checks) is not None:
        values = [_read_text(choice, text, True) for text in form.get(path, ())]
    else:
        nodes_and_paths = (
            (node.find_item(place), join_path(path, str(place))) for place in range(count_items(form, path))
        )
        values = [read_value(item, item_path, form) for item, item_path in nodes_and_paths if item is not None]
        values = [value for value in values if value is not MISSING]
    return values if values or required else MISSING


def _read_entries(node: Entries, path: str, form: Form, required: bool) -> Any:
    entries: dict[str, Any] = {}
    if node.keys:
        for key in node.keys:
            entries[key] = read_value(node.nodes.get(key, node.values), join_path(path, key), form, required=False)
    else:
        for index in range(count_items(form, path)):
            entry_path = join_path(path, str(index))
            if key := get_field_text(form, f"{entry_path}="):
                entries[key] = read_value(node.values, entry_path, form)
    entries = {key: value for key, value in entries.items() if value not in (MISSING, "")}
    return entries if entries or required else MISSING


def join_path(path: str, name: str) -> str:
    return path + join_pointer([name])


# --- into the form ---


def fill_form(node: Node, path: str, value: Any = MISSING, *, required: bool = True) -> Form:
    """Return the form fields for a value, or the fields of an empty form."""
    return dict(_fill_fields(node, path, value, required))


def _fill_fields(node: Node, path: str, value: Any, required: bool) -> Iterator[tuple[str, list[str]]]:
    match node:
        case Const():
            return
        case Record(fields=fields):
            if not required:
                yield f"{path}?", ["0" if value is not MISSING and value is not None else ""]
            mapping = value if isinstance(value, Mapping) else {}
            for field in fields:
                inner_value = mapping.get(field.name, MISSING)
                yield from _fill_fields(field.node, join_path(path, field.name), inner_value, field.required)
        case Either(parts=parts):
            fitting_indexes = (
                index for index, (_, part) in enumerate(parts) if value is not MISSING and can_express(part, value)
            )
            chosen_index = next(fitting_indexes, None)
            if value is MISSING and required and all(isinstance(part, Listing) for _, part in parts):
                chosen_index = 0  # only the first if all are lists: its places are visible before anything is chosen
            yield f"{path}?", [str(chosen_index) if chosen_index is not None else ""]
            for index, (_, part) in enumerate(parts):
                yield from _fill_fields(part, f"{path}|{index}", value if index == chosen_index else MISSING, True)
        case Listing():
            yield from _fill_list(node, path, value)
        case Entries():
            mapping = value if isinstance(value, Mapping) else {}
            keys = node.keys or tuple(mapping)
            yield f"{path}#", [str(len(keys))]
            for place, key in enumerate(keys):
                entry_path = join_path(path, key if node.keys else str(place))
                yield f"{entry_path}=", [key]
                yield from _fill_fields(node.nodes.get(key, node.values), entry_path, mapping.get(key, MISSING), False)
        case Choice(options=options):
            only_option = list(options) if required and len(options) == 1 else []
            yield path, [json.dumps(value)] if value is not MISSING else only_option
        case Truth():
            yield path, [] if value is MISSING else [json.dumps(value)]
        case Text(takes_json=True):
            yield path, [] if value is MISSING else [_write_value(value)]
        case Number(usual=usual) if value is MISSING and required and usual is not None:
            yield path, [str(usual)]
        case _:
            yield path, [] if value in (MISSING, None) else [str(value)]


def _write_value(value: Any) -> str:
    """Return the text of a value in a field for any JSON. A string gets quotes only if it looks like other JSON."""
    if isinstance(value, str):
        try:
            json.loads(value)
        except ValueError:
            return value
    return json.dumps(value, ensure_ascii=False)


def _fill_list(node: Listing, path: str, value: Any) -> Iterator[tuple[str, list[str]]]:
    items = list(value) if isinstance(value, list | tuple) else list(node.needed)
    if (choice := node.checks) is not None:
        chosen_options = [json.dumps(item) for item in items if json.dumps(item) in choice.options]
        yield (
            path,
            [*chosen_options, *(option for option in node.all_if_required if option not in chosen_options)]
            if value is MISSING
            else chosen_options,
        )
        return
    slot_count = max(node.least, len(items), len(node.first) if node.items is None else 0)
    if value is MISSING and isinstance(node.items, Either) and node.most != 0:
        slot_count = max(slot_count, 1)  # the options are visible; an option that is not chosen is not an item
    yield f"{path}#", [str(slot_count)]
    for place in range(slot_count):
        item = node.find_item(place)
        if item is not None:
            item_value = items[place] if place < len(items) else MISSING
            yield from _fill_fields(
                item, join_path(path, str(place)), item_value, place < node.least or place < len(items)
            )


def can_express(node: Node, value: Any) -> bool:
    """Return whether the form can express the value. Missing fields are allowed."""
    match node:
        case Const(value=only_value):
            return bool(only_value == value)
        case Choice(options=options):
            return json.dumps(value) in options
        case Record(fields=fields):
            nodes_by_name = {field.name: field.node for field in fields}
            return isinstance(value, Mapping) and all(
                name in nodes_by_name and can_express(nodes_by_name[name], field_value)
                for name, field_value in value.items()
            )
        case Either(parts=parts):
            return any(can_express(part, value) for _, part in parts)
        case Listing():
            return isinstance(value, list)
        case Entries():
            return isinstance(value, Mapping)
        case Number():
            return isinstance(value, int) and not isinstance(value, bool)
        case Truth():
            return isinstance(value, bool)
        case Text(takes_json=True):
            return True
    return isinstance(value, str)


def resize_list(node: Node, root: str, form: Form, path: str, by: int) -> Form:
    """Return the form with one item more or fewer at the end of a list."""
    listing = next(
        (visible_node for visible_path, visible_node in walk(node, root, form) if visible_path == path), None
    )
    slot_count = max(0, count_items(form, path) + by)
    new_fields: Form = {}
    if by > 0 and isinstance(listing, Listing) and (item := listing.find_item(slot_count - 1)) is not None:
        new_fields = fill_form(item, join_path(path, str(slot_count - 1)))
    return {**new_fields, **form, f"{path}#": [str(min(slot_count, MOST_ITEMS))]}


def walk(node: Node, path: str, form: Form) -> Iterator[tuple[str, Node]]:
    """Yield every visible part of the form with its path."""
    yield path, node
    match node:
        case Record(fields=fields):
            for field in fields:
                yield from walk(field.node, join_path(path, field.name), form)
        case Either(parts=parts):
            for index, (_, part) in enumerate(parts):
                yield from walk(part, f"{path}|{index}", form)
        case Listing() if node.checks is None:
            for place in range(count_items(form, path)):
                if (item := node.find_item(place)) is not None:
                    yield from walk(item, join_path(path, str(place)), form)
