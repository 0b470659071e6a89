"""The tree of a form's fields, which `node_maker` makes.

The `form` of a node says how people fill it in. `fields.html.jinja` shows the nodes, and `forms` reads them back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

GIVEN = re.compile(r"\b(usually|nearly always) given\b", re.IGNORECASE)
LEAVE_BLANK = "Leave blank"
SEEN, PICKED = 7, 30  # the most forms of a value that are all shown, and the most that a drop-down list offers
FEW = 20  # the most numbers, or faces of a die, that are shown as buttons


@dataclass(frozen=True, slots=True)
class Const:
    """A value that cannot be changed. `name`: its name for people, if the schema gives one."""

    value: Any
    name: str = ""
    form = "const"


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice between values. `options`: the names of the values; the keys are the values as JSON text. `left_out`:
    the value that means the same as leaving the field blank. `blank`: the name of the blank option.
    """

    options: Mapping[str, str]
    left_out: str | None = None
    blank: str = LEAVE_BLANK
    form = "choice"


@dataclass(frozen=True, slots=True)
class Number:
    """A number. `usual`: the number that the form starts with."""

    least: int | None
    most: int | None
    usual: int | None = None
    form = "number"

    @property
    def few(self) -> range | None:
        if self.least is None or self.most is None or self.most - self.least >= FEW:
            return None
        return range(self.least, self.most + 1)


@dataclass(frozen=True, slots=True)
class Truth:
    form = "truth"


@dataclass(frozen=True, slots=True)
class Text:
    """A text. `takes_json`: whether the field takes any JSON. Input that is not valid JSON is then a text."""

    most: int | None
    is_long: bool
    takes_json: bool = False
    form = "text"


@dataclass(frozen=True, slots=True)
class RecordField:
    """A field of a record. `required`: whether it must have a value. `hint`: a description of the field."""

    name: str
    title: str
    hint: str
    node: Node
    required: bool

    @property
    def is_always_visible(self) -> bool:
        """Return whether the field is always visible, even if others are folded away."""
        return self.required or GIVEN.search(self.hint) is not None

    @property
    def is_expected(self) -> bool:
        """Return whether leaving the field blank is allowed but probably a mistake."""
        match = GIVEN.search(self.hint)
        is_expected_by_form = isinstance(self.node, Text) and not self.node.takes_json
        if isinstance(self.node, Choice):
            # if the blank option has a name, people choose it like any other option
            is_expected_by_form = self.node.blank != LEAVE_BLANK
        if isinstance(self.node, Listing) and self.node.checks is not None:
            is_expected_by_form = bool(self.node.checks.options)
        return (self.required and is_expected_by_form) or (match is not None and match[1].lower() == "nearly always")


@dataclass(frozen=True, slots=True)
class Record:
    """A record. `only`: its text, if only one value is possible."""

    fields: tuple[RecordField, ...]
    only: str = ""
    form = "record"


@dataclass(frozen=True, slots=True)
class Listing:
    """A list.

    `first`: the nodes of the first items. `needed`: items that the list must contain, if known. `opens`: the face that
    adds one more item. `only`: the list's text, if only one value is possible. `key`: the field that must be different
    in each item, if any.
    """

    items: Node | None
    first: tuple[Node, ...] = ()
    least: int = 0
    most: int | None = None
    unique: bool = False
    needed: tuple[Any, ...] = ()
    opens: int | None = None
    only: str = ""
    key: str = ""
    form = "list"

    def find_group(self, value: str) -> str:
        """Return the group of the value, or "". Only one value of a group can be chosen."""
        record = json.loads(value) if self.key else None
        return str(record.get(self.key, "")) if isinstance(record, dict) else ""

    def find_item(self, place: int) -> Node | None:
        return self.first[place] if place < len(self.first) else self.items

    @property
    def checks(self) -> Choice | None:
        """Return the choice to show as tick boxes, or None if the list is shown in another way."""
        plain_list = self.unique and not self.first and self.opens is None
        return self.items if plain_list and isinstance(self.items, Choice) else None

    @property
    def all_if_required(self) -> tuple[str, ...]:
        """Return all values if every one of them must be ticked, else an empty tuple."""
        options = tuple(self.checks.options) if self.checks is not None else ()
        return options if 0 < len(options) <= self.least else ()

    def has_only_one_value(self, place: int) -> bool:
        """Return whether the item at this place has only one possible value."""
        item = self.find_item(place)
        return item is None or find_only_value(item) is not None


@dataclass(frozen=True, slots=True)
class Either:
    """A choice between forms. `parts`: the name and the node of each form. `left_out`: the index of the form that means
    the same as leaving the field blank. `blank`: the name of the blank option.
    """

    parts: tuple[tuple[str, Node], ...]
    left_out: int | None = None
    blank: str = LEAVE_BLANK
    form = "either"

    @property
    def is_drop_down(self) -> bool:
        """Return whether the parts are shown as a drop-down list."""
        return SEEN < len(self.parts) <= PICKED

    def find_chosen_index(self, text: str) -> int | None:
        """Return the index of the part chosen in the form, or None."""
        is_listed = text.isascii() and text.isdecimal() and int(text[:4]) < len(self.parts)
        return int(text[:4]) if is_listed else None


@dataclass(frozen=True, slots=True)
class Entries:
    """Values by name. `keys`: the possible names; empty means any name. `least`: how many names must have a value."""

    keys: tuple[str, ...]
    required: tuple[str, ...]
    nodes: Mapping[str, Node]
    values: Node
    titles: Mapping[str, str] = field(default_factory=dict)
    least: int = 0
    form = "entries"


Node: TypeAlias = Const | Choice | Number | Truth | Text | Record | Listing | Either | Entries


def find_only_value(node: Node) -> Const | None:
    """Return the node's only possible value, or None if there are several."""
    if isinstance(node, Const):
        return node
    if (
        isinstance(node, Record)
        and node.fields
        and all(find_only_value(field.node) is not None for field in node.fields)
    ):
        return Const(
            {field.name: const.value for field in node.fields if (const := find_only_value(field.node)) is not None}
        )
    return None
