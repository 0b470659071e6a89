"""Join several forms of a value into one field: a choice, tick boxes, a list, or a choice of named forms."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product
from typing import Any

from api.table.nodes import (
    LEAVE_BLANK,
    SEEN,
    Choice,
    Const,
    Either,
    Entries,
    Listing,
    Node,
    Number,
    Record,
    RecordField,
    find_only_value,
)
from api.table.telling import tell_apart
from api.table.words import Words, to_plain_words

UNSAID: tuple[object, ...] = (None, "", [], {})
NOTHING = "Nothing"  # the name of an empty value
NUMBER = "A number"
NAMED = 4  # choices that the name of a form lists
TICKED, PLACES = 8, 4  # the most options, and the most ticks, in one list of tick boxes


def name_value_or_nothing(value: Any, words: Words, ref: str | None = None) -> str:
    """Return the name of a value, or "Nothing"."""
    return NOTHING if value in UNSAID else words.name_value(value, ref)


def join_nodes(parts: Sequence[Node], ref: str | None, words: Words) -> Node | None:
    """Return one node for all parts, or None if they can't be joined."""
    if all(isinstance(part, Choice) or find_only_value(part) is not None for part in parts):
        return _make_choice(parts, ref, words)
    return (
        _make_tick_boxes(parts, ref, words)
        or _join_lists(parts, words)
        or _join_mappings(parts)
        or _join_records(parts, words)
    )


def _make_choice(parts: Sequence[Node], ref: str | None, words: Words) -> Choice:
    """Return a choice of all values that the parts allow."""
    options: dict[str, str] = {}
    for part in parts:
        if isinstance(part, Choice):
            options |= part.options
        elif (const := find_only_value(part)) is not None:
            options[json.dumps(const.value)] = const.name or name_value_or_nothing(const.value, words, ref)
    blanks = [part.blank for part in parts if isinstance(part, Choice)]
    return Choice(options, blank=next((blank for blank in blanks if blank != LEAVE_BLANK), LEAVE_BLANK))


# --- lists ---


def _make_tick_boxes(parts: Sequence[Node], ref: str | None, words: Words) -> Listing | None:
    """Return tick boxes if the parts are all possible orders of a fixed number of values, else None."""
    orders: set[tuple[str, ...]] = set()
    for part in parts:
        possible_lists = _list_possible_lists(part)
        if possible_lists is None:
            return None
        orders.update(possible_lists)
    values = list(dict.fromkeys(value for part in parts for value in _list_item_texts(part)))
    lengths = {len(order) for order in orders}
    if (
        len(lengths) != 1
        or not 1 < len(values) <= TICKED
        or orders != set(permutations(values, length := lengths.pop()))
    ):
        return None
    options = {value: name_value_or_nothing(json.loads(value), words, ref) for value in values}
    return Listing(Choice(options), least=length, most=length, unique=True)


def _list_json_texts(node: Node | None) -> list[str]:
    """Return all possible values as JSON text, or [] if tick boxes cannot show them."""
    if isinstance(node, Choice):
        return list(node.options)
    if isinstance(node, Either):
        texts_by_part = [_list_json_texts(part) for _, part in node.parts]
        return [text for texts in texts_by_part for text in texts] if all(texts_by_part) else []
    const = find_only_value(node) if node is not None else None
    if const is None and isinstance(node, Record):
        return _list_record_texts(node)
    return [json.dumps(const.value)] if const is not None else []


def _list_record_texts(record: Record) -> list[str]:
    """Return all possible records as JSON text, or [] if tick boxes cannot show them."""
    texts_by_field = [
        _list_json_texts(field.node) if field.required or find_only_value(field.node) is not None else []
        for field in record.fields
    ]
    if not 0 < math.prod(map(len, texts_by_field)) <= TICKED:
        return []
    names = [field.name for field in record.fields]
    return [json.dumps(dict(zip(names, map(json.loads, texts), strict=True))) for texts in product(*texts_by_field)]


def _list_item_texts(part: Node) -> list[str]:
    least = part.least if isinstance(part, Listing) else 0
    return [
        text
        for place in range(least)
        for text in _list_json_texts(part.find_item(place) if isinstance(part, Listing) else None)
    ]


def _list_possible_lists(part: Node) -> set[tuple[str, ...]] | None:
    """Return every list that this part can express, or None if tick boxes cannot show them."""
    if not isinstance(part, Listing) or part.needed or part.opens is not None or part.least != part.most:
        return None
    options_by_place = [_list_json_texts(part.find_item(place)) for place in range(min(part.least, PLACES + 1))]
    if not 0 < len(options_by_place) <= PLACES or not all(0 < len(options) <= TICKED for options in options_by_place):
        return None
    return {texts for texts in product(*options_by_place) if not part.unique or len(set(texts)) == len(texts)}


def _join_lists(parts: Sequence[Node], words: Words) -> Listing | None:
    """Return one list that allows the items of all these lists, or None if they can't be joined.

    The joined list can express more than the rules allow. The preview then shows the refusal.
    """
    listings = [_as_list(part) for part in parts]
    lists = [listing for listing in listings if listing is not None]
    if len(lists) < len(parts) or any(listing.needed or listing.opens is not None for listing in lists):
        return None
    item_reprs = list(dict.fromkeys(repr(item) for listing in lists for item in _list_items(listing)))
    items_by_repr = {repr(item): item for listing in lists for item in _list_items(listing)}
    records = [record for item_repr in item_reprs if isinstance(record := items_by_repr[item_repr], Record)]
    are_alike = len({tuple(field.name for field in record.fields) for record in records}) == 1
    if (
        not are_alike
        or len(records) < len(item_reprs)
        or all(find_only_value(record) is not None for record in records)
    ):
        return None
    limits = [listing.most for listing in lists]
    known_limits = [limit for limit in limits if limit is not None]
    least = min(listing.least for listing in lists)
    most = max(known_limits) if len(known_limits) == len(limits) else None
    return Listing(_join_records(records, words) or make_either(records, words), least=least, most=most)


def _as_list(node: Node) -> Listing | None:
    """Return the node as a list if it is a list or a constant empty list, else None."""
    if isinstance(node, Listing):
        return node
    is_empty_list = isinstance(node, Const) and node.value == []
    return Listing(None, most=0) if is_empty_list else None


def _list_items(listing: Listing) -> Iterator[Node]:
    for node in (*listing.first, *([listing.items] if listing.items is not None else [])):
        yield from (part for _, part in node.parts) if isinstance(node, Either) else [node]


def _join_records(parts: Sequence[Node], words: Words) -> Record | None:
    """Return one record for several that differ only in amounts, or None if they can't be joined.

    The joined record can express more than the rules allow, for example a sum that is too large.
    """
    records = [part for part in parts if isinstance(part, Record)]
    field_names = {tuple(field.name for field in record.fields) for record in records}
    if len(records) < len(parts) or len(field_names) > 1:
        return None
    fields: list[RecordField] = []
    for column in zip(*(record.fields for record in records), strict=True):
        nodes = [field.node for field in column]
        are_alike = len({repr(item) for item in nodes}) == 1
        node = nodes[0] if are_alike else _join_numbers(nodes) or _join_lists(nodes, words)
        if node is None:
            return None
        fields.append(replace(column[0], node=node, required=all(field.required for field in column)))
    return Record(tuple(fields))


def _join_mappings(parts: Sequence[Node]) -> Entries | None:
    """Return one mapping for several that differ only in amounts, or None if they can't be joined."""
    mappings = [part for part in parts if isinstance(part, Entries) and part.nodes]
    if len(mappings) < len(parts) or len({mapping.keys for mapping in mappings}) > 1:
        return None
    nodes = {key: _join_numbers([mapping.nodes[key] for mapping in mappings]) for key in mappings[0].keys}
    joined_nodes = {key: node for key, node in nodes.items() if node is not None}
    if len(joined_nodes) < len(nodes):
        return None
    least = min(len(mapping.required) for mapping in mappings)
    return replace(mappings[0], nodes=joined_nodes, required=(), least=least)


def _join_numbers(nodes: Sequence[Node]) -> Number | None:
    """Return one number field for all the nodes, or None if there is a gap between their numbers."""
    ranges = sorted(limits for node in nodes if (limits := _find_limits(node)) is not None)
    if len(ranges) < len(nodes):
        return None
    highest = ranges[0][1]
    for low, high in ranges[1:]:
        if low > highest + 1:
            return None
        highest = max(highest, high)
    return Number(ranges[0][0], int(highest) if highest != math.inf else None)


def _find_limits(node: Node) -> tuple[int, float] | None:
    if isinstance(node, Const) and isinstance(node.value, int) and not isinstance(node.value, bool):
        return node.value, node.value
    if isinstance(node, Number) and node.least is not None:
        return node.least, node.most if node.most is not None else math.inf
    return None


# --- one of several forms ---


def make_either(parts: Sequence[Node], words: Words, names: Sequence[str] = (), titles: Sequence[str] = ()) -> Either:
    """Return a node with one part for each form.

    `names`: the forms' names, if they have any. `titles`: the titles of the schemas.
    """
    common_fields, blank_names = _list_common_fields(parts), [""] * len(parts)
    labels = [
        name or name_part(part, words, common_fields, title)
        for part, name, title in zip(parts, names or blank_names, titles or blank_names, strict=True)
    ]
    kind_field = _find_kind_field(parts)
    return (
        _split_by_kind(parts, labels, kind_field, words)
        if kind_field
        else Either(tell_apart(zip(labels, parts, strict=True), words))
    )


def _split_by_kind(parts: Sequence[Node], names: Sequence[str], kind_field: str, words: Words) -> Either:
    """Return a node that first asks for the kind, and then for a part of that kind."""
    parts_by_kind: dict[str, list[tuple[str, Node]]] = {}
    for name, part in zip(names, parts, strict=True):
        title = (
            next(field.title for field in part.fields if field.name == kind_field) if isinstance(part, Record) else ""
        )
        parts_by_kind.setdefault(
            _word_certain_value(kind_field, title, _index_certain_values(part)[kind_field], words), []
        ).append((name, part))
    pairs: list[tuple[str, Node]] = []
    for label, group in parts_by_kind.items():
        name, only_part = group[0]
        heading = name if name.startswith(label) else f"{label}, {name}"
        pairs.append((heading, only_part) if len(group) == 1 else (label, Either(tell_apart(group, words))))
    return Either(tell_apart(pairs, words))


def name_part(part: Node, words: Words, common_fields: Collection[str] = (), title: str = "") -> str:
    """Return a name for the part, or "". `common_fields`: fields that the name leaves out, because all parts share
    them.
    """
    if isinstance(part, Record):
        certain_values = [
            (name, value) for name, value in _index_certain_values(part).items() if name not in common_fields
        ]
        titles = {field.name: field.title for field in part.fields}
        const_names = {field.name: field.node.name for field in part.fields if isinstance(field.node, Const)}
        certain_values = [(name, value) for name, value in certain_values if not _is_blank(value)] or certain_values
        names = [
            const_names[name] or _word_certain_value(name, titles[name], value, words)
            for name, value in certain_values
            if value not in UNSAID
        ]
        if names:
            return ", ".join(names)
    if title:
        return to_plain_words(title.partition("_")[2] or title)
    const = find_only_value(part)
    if const is not None:
        return name_value_or_nothing(const.value, words)
    if isinstance(part, Listing):
        return _name_list(part, words)
    if isinstance(part, Choice):
        return " or ".join(part.options.values()) if len(part.options) <= NAMED else "One of these"
    return {"number": NUMBER, "text": "Free text"}.get(part.form, "")


def _is_blank(value: Any) -> bool:
    """Return whether a name should mention the value only if there is nothing else to mention."""
    return value in UNSAID or (value == 0 and value is not False)


def _word_certain_value(name: str, title: str, value: Any, words: Words) -> str:
    """Return the text of a field's value. A number, Yes or No comes with the field's title."""
    return f"{title}: {words.name_value(value)}" if isinstance(value, int) else words.name_field_value(name, value)


def _name_list(listing: Listing, words: Words) -> str:
    if listing.items is None and listing.first:
        names = [name_part(part, words) for part in listing.first]
        if not all(names):
            return ""
        if set(names) == {NUMBER} and len(names) > 1:
            return f"{len(names)} numbers"
        lowered_names = (
            name if isinstance(node, Choice) and len(node.options) <= NAMED else name[:1].lower() + name[1:]
            for name, node in zip(names[1:], listing.first[1:], strict=True)
        )
        return ", then ".join([names[0], *lowered_names])
    if listing.least == listing.most:
        if isinstance(listing.items, Choice) and listing.least and len(listing.items.options) <= NAMED:
            labels = list(listing.items.options.values())
            return " and ".join(labels) if len(labels) == listing.least else f"{listing.least} of {', '.join(labels)}"
        return f"{listing.least} of these" if listing.least else NOTHING
    const = find_only_value(listing.items) if listing.items is not None else None
    return name_value_or_nothing(const.value, words) if const is not None else "Some of these"


def _index_certain_values(part: Node) -> dict[str, Any]:
    """Return the values of the fields that have only one possible value, by name."""
    fields = part.fields if isinstance(part, Record) else ()
    return {field.name: field.node.value for field in fields if isinstance(field.node, Const)}


def _list_common_fields(parts: Sequence[Node]) -> Collection[str]:
    """Return the fields that have the same fixed value in all parts, or () if no other field has a fixed value."""
    pairs = [(name, json.dumps(value)) for part in parts for name, value in _index_certain_values(part).items()]
    texts_by_name = {name: [value for other_name, value in pairs if other_name == name] for name, _ in pairs}
    common_names = [name for name, texts in texts_by_name.items() if len(texts) > 1 and len(set(texts)) == 1]
    return common_names if len(common_names) < len(texts_by_name) else ()


def _find_kind_field(parts: Sequence[Node]) -> str:
    """Return the field that divides the parts into kinds. Return "" if there is none, or if there are only a few
    parts.
    """
    certain_by_part = [_index_certain_values(part) for part in parts]
    shared_names = (
        [name for name in certain_by_part[0] if all(name in certain_values for certain_values in certain_by_part)]
        if len(parts) > SEEN
        else []
    )
    counts = {
        name: len({json.dumps(certain_values[name]) for certain_values in certain_by_part}) for name in shared_names
    }
    return next((name for name in shared_names if 1 < counts[name] < len(parts)), "")
