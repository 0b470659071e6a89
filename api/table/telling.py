"""Name similar forms by their differences, so that people can tell them apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from api.table.nodes import (
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
from api.table.words import Words, lower_first

NOTHING: tuple[object, ...] = (None, "", [], {})
LISTED = 3  # the most choices that are named
TOLD = 3  # the most differences that are named
OPEN = "your choice"
VAGUE = (OPEN, "free text", "some")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
OF_THESE = re.compile(r"([0-9]+|Some|One) of these|A number")  # names that do not tell forms apart
Fields = Mapping[str, RecordField]


def list_fields(node: Node) -> Fields:
    if isinstance(node, Entries):
        return {key: RecordField(key, node.titles.get(key, key), "", child, False) for key, child in node.nodes.items()}
    return {field.name: field for field in node.fields} if isinstance(node, Record) else {}


def list_differences(records: Sequence[Fields], words: Words) -> list[str]:
    """Return a distinct text for each record that says how it differs from the others."""
    names = list(dict.fromkeys(name for record in records for name in record))
    differing_names = [
        name for name in names if len({repr(record[name].node) for record in records if name in record}) > 1
    ]
    if len(differing_names) == 1 and all(isinstance(record[differing_names[0]].node, Record) for record in records):
        return list_differences([list_fields(record[differing_names[0]].node) for record in records], words)
    texts = [
        {name: _write_field_sentence(record[name], words) for name in differing_names if name in record}
        for record in records
    ]
    return number_names([_write_sentence(own_texts, texts, records) for own_texts in texts])


def number_names(names: Sequence[str]) -> list[str]:
    """Return the names, adding a number to each name that occurs more than once."""
    return [
        name
        if names.count(name) == 1
        else f"{name} ({ORDINALS[index] if index < len(ORDINALS) else index + 1})".strip()
        for index, name in enumerate(names)
    ]


def _write_sentence(own_texts: Mapping[str, str], texts: Sequence[Mapping[str, str]], records: Sequence[Fields]) -> str:
    """Return a sentence that says what is special about this record, or what it lacks."""
    counts = {
        name: sum(record_texts.get(name) == text for record_texts in texts) for name, text in own_texts.items() if text
    }
    rare_names = [name for name, count in counts.items() if count == 1 or 2 * count <= len(texts)]
    telling_names = [name for name in rare_names if own_texts[name].partition(": ")[2] not in VAGUE]
    titles = {name: field.title for fields in records for name, field in fields.items()}
    lone_names = [name for name in rare_names if sum(bool(record_texts.get(name)) for record_texts in texts) == 1]
    if lone_names and not telling_names:
        return f"With {', '.join(lower_first(titles[name]) for name in lone_names[:TOLD])}"
    if telling_names or rare_names:
        return "; ".join(own_texts[name] for name in (telling_names or rare_names)[:TOLD])
    absent_titles = [lower_first(titles[name]) for name, text in own_texts.items() if not text]
    return f"Without {', '.join(absent_titles[:TOLD])}" if absent_titles else "; ".join(list(own_texts.values())[:TOLD])


def _write_field_sentence(field: RecordField, words: Words) -> str:
    """Return the possible values of the field in words: "Net: 4 or more". Return "" if no value is possible."""
    text = word_node(field.node, words, field.name)
    return f"{field.title}: {text}" if text else ""


def word_node(node: Node, words: Words, name: str = "") -> str:
    """Return the possible values of the node, as briefly as possible."""
    match node:
        case Const(value=value):
            return "" if value in NOTHING else words.name_field_value(name, value)
        case Choice(options=options):
            labels = [label for value, label in options.items() if value not in ("null", '""')]
            shown_labels = (
                labels if len(labels) <= LISTED else [*labels[: LISTED - 1], f"{len(labels) - LISTED + 1} others"]
            )
            return " or ".join(filter(None, [", ".join(shown_labels[:-1]), *shown_labels[-1:]]))
        case Number(least=least, most=most):
            return _word_number(least, most)
        case Truth():
            return "Yes or No"
        case Text():
            return "free text"
        case Listing():
            return _word_list(node, words, name)
        case Either(parts=parts):
            return _word_alternatives([part for _, part in parts], words)
        case Entries():
            return "amounts"
    return OPEN


def _word_number(least: int | None, most: int | None) -> str:
    if least is None or most is None:
        return "any number" if least == most else f"{least} or more" if most is None else f"{most} or less"
    return str(least) if least == most else f"{least} to {most}"


def _word_list(node: Listing, words: Words, name: str) -> str:
    """Return what the list can contain, in a few words."""
    if node.needed:
        return f"with {words.name_field_value(name, list(node.needed))}"
    if node.items is None:
        total = _find_total(node)
        texts = [word_node(part, words) for part in node.first]
        are_all_plain = texts and not any(text in ("", *VAGUE) for text in texts)
        return f"{total} in all" if total else ", then ".join(texts) if are_all_plain else str(len(node.first) or "")
    count_text = str(node.least) if node.least == node.most else ""
    item_text = word_node(node.items, words)
    item_text = "" if item_text in VAGUE else item_text
    return f"{count_text} of {item_text}" if count_text and item_text else count_text or item_text or "some"


def _word_alternatives(parts: Sequence[Node], words: Words) -> str:
    """Return the possible values of each part, or the sum of the lists if all parts have the same sum."""
    totals = {_find_total(part) if isinstance(part, Listing) else None for part in parts}
    if len(totals) == 1 and (total := totals.pop()) is not None:
        return f"{total} in all"
    texts = [word_node(part, words) for part in parts]
    return (
        " or ".join(filter(None, texts)) if len(texts) <= LISTED and not any(text in VAGUE for text in texts) else OPEN
    )


def _find_total(listing: Listing) -> int | None:
    """Return the sum of the numbers in a list, or None if one of its records does not have exactly one fixed number."""
    if listing.items is not None or not listing.first:
        return None
    number_lists = [_list_numbers(item) for item in listing.first]
    return sum(numbers[0] for numbers in number_lists) if all(len(numbers) == 1 for numbers in number_lists) else None


def _list_numbers(node: Node) -> list[int]:
    fields = node.fields if isinstance(node, Record) else ()
    values = [const.value for field in fields if (const := find_only_value(field.node)) is not None]
    return [value for value in values if isinstance(value, int) and not isinstance(value, bool)]


def tell_apart(named_parts: Iterable[tuple[str, Node]], words: Words) -> tuple[tuple[str, Node], ...]:
    """Return the parts with distinct names. A part without a name is named after its differences from the others."""
    pairs = list(named_parts)
    names, parts = [name for name, _ in pairs], [part for _, part in pairs]
    new_names = [*names]
    if names.count("") == 1 and all(map(list_fields, parts)):
        index = names.index("")
        new_names[index] = list_differences([*map(list_fields, parts)], words)[index]
    for name in dict.fromkeys(new_names):
        indexes = [index for index, other_name in enumerate(new_names) if other_name == name]
        if not name or len(indexes) > 1:
            for index, text in zip(
                indexes, _make_distinct_names(name, [parts[index] for index in indexes], words), strict=True
            ):
                new_names[index] = text
    return tuple(zip(number_names(new_names), parts, strict=True))


def _make_distinct_names(name: str, parts: Sequence[Node], words: Words) -> list[str]:
    """Return a distinct name for each part, made from its differences from the other parts."""
    if len(parts) > 1 and all(map(list_fields, parts)):
        texts = list_differences([list_fields(part) for part in parts], words)
    else:
        texts = [_word_fields(part, words) for part in parts]
    is_meaningless = OF_THESE.fullmatch(name) is not None
    full_names = [
        text if is_meaningless else f"{name}, {lower_first(text)}" if name and text else name or text for text in texts
    ]
    return [text[:1].upper() + text[1:] or name or "These" for text in full_names]


def _word_fields(part: Node, words: Words) -> str:
    """Return the titles of a record's fields. For any other node, return its possible values."""
    if isinstance(part, Record):
        return ", ".join(
            field.title if not index else lower_first(field.title) for index, field in enumerate(part.fields[:TOLD])
        )
    return word_node(part, words)
