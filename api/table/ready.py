"""Summarize a ready-made character in a few words, from its sheet. This works for every game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from api.table.words import Words

MOST_ROWS, MOST_ITEMS = 5, 6


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary of a sheet. `about`: the sheet's own description. `rows`: its other values, by title."""

    about: str
    rows: list[tuple[str, str]]


def summarize_sheet(sheet: Mapping[str, object], words: Words) -> Summary:
    """Return the summary: the whole description, and the first few values that are worth showing."""
    text_fields = (name for name, value in sheet.items() if isinstance(value, str) and " " in value.strip())
    description_field = "description" if sheet.get("description") else next(text_fields, "")
    rows = [
        (words.label(name), text)
        for name, value in sheet.items()
        if name != description_field and (text := _word_value(name, value, words))
    ]
    return Summary(str(sheet.get(description_field, "")), rows[:MOST_ROWS])


def _word_value(name: str, value: object, words: Words) -> str:
    """Return the value in a few words, or "" if it is not worth showing."""
    if isinstance(value, Mapping):
        numbers_by_name = {key: number for key, number in value.items() if isinstance(number, int) and number}
        return _join_items(f"{words.label(key, name)} {number}" for key, number in numbers_by_name.items())
    if isinstance(value, list):
        return _join_items(_word_item(item, words) for item in value)
    return words.name_value(value, words.fields.get(name, "word")) if value not in (None, "", False, 0) else ""


def _word_item(item: object, words: Words) -> str:
    """Return an item's name or first text, with its number if it has exactly one."""
    if not isinstance(item, Mapping):
        return words.name_value(item, "word")
    texts = [str(value) for value in (item.get("name"), *item.values()) if isinstance(value, str) and value]
    numbers = [value for value in item.values() if isinstance(value, int) and not isinstance(value, bool)]
    name = words.name_value(texts[0], "word") if texts else ""
    return f"{name} {numbers[0]}" if name and len(numbers) == 1 else name


def _join_items(items: Iterator[str]) -> str:
    named_items = [item for item in items if item]
    return ", ".join([*named_items[:MOST_ITEMS], *(["…"] if len(named_items) > MOST_ITEMS else [])])
