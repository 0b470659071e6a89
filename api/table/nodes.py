"""What a form asks for, as a tree (`node_maker`).

Each node says how it is filled in (`form`); `fields.html.jinja` shows it, `forms` reads it back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

SAID = re.compile(r"\b(often|nearly always) said\b", re.IGNORECASE)
SEEN, PICKED = 7, 30  # forms of the same: what is seen at once, what can be picked from a list
FEW = 20  # numbers, or faces of a die, that are shown to be tapped


@dataclass(frozen=True, slots=True)
class Const:
    value: Any
    form = "const"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some values, by JSON text: what each is called. `left_out`: which of them leaving it open says, too."""

    options: Mapping[str, str]
    left_out: str | None = None
    form = "choice"


@dataclass(frozen=True, slots=True)
class Number:
    """`usual`: what it is likely to be, which the form begins with."""

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
    """`any`: whatever JSON can say, which is written as such; what is none is a text."""

    most: int | None
    long: bool
    any: bool = False
    form = "text"


@dataclass(frozen=True, slots=True)
class FieldOf:
    """`required`: something must be said. `hint`: may tell that it is said all the same, often or nearly always."""

    name: str
    title: str
    hint: str
    node: Node
    required: bool

    @property
    def seen(self) -> bool:
        """Whether it is shown at once, wherever others are folded away."""
        return self.required or SAID.search(self.hint) is not None

    @property
    def expected(self) -> bool:
        """Whether leaving it empty is hardly meant, though it can be: texts and ticks that may be none."""
        match = SAID.search(self.hint)
        by_form = isinstance(self.node, Text) and not self.node.any
        if isinstance(self.node, Listing) and self.node.checks is not None:
            by_form = bool(self.node.checks.options)
        return (self.required and by_form) or (match is not None and match[1].lower() == "nearly always")


@dataclass(frozen=True, slots=True)
class Record:
    """`only`: what it says in words, where it can say one thing only."""

    fields: tuple[FieldOf, ...]
    only: str = ""
    form = "record"


@dataclass(frozen=True, slots=True)
class Listing:
    """`first`: the items it begins with. `needed`: what must be among them, as far as it is said.

    `opens`: a face that asks for one more. `only`: what it says in words, where it can say one thing only.
    """

    items: Node | None
    first: tuple[Node, ...] = ()
    least: int = 0
    most: int | None = None
    unique: bool = False
    needed: tuple[Any, ...] = ()
    opens: int | None = None
    only: str = ""
    form = "list"

    def at(self, place: int) -> Node | None:
        return self.first[place] if place < len(self.first) else self.items

    @property
    def checks(self) -> Choice | None:
        """Where each can be said once only, of some: they are ticked."""
        plain_list = self.unique and not self.first and self.opens is None
        return self.items if plain_list and isinstance(self.items, Choice) else None

    @property
    def all(self) -> tuple[str, ...]:
        """What is ticked, where all of them have to be."""
        options = tuple(self.checks.options) if self.checks is not None else ()
        return options if 0 < len(options) <= self.least else ()

    def sure(self, place: int) -> bool:
        """Whether only one thing can stand there."""
        item = self.at(place)
        return item is None or certain(item) is not None


@dataclass(frozen=True, slots=True)
class Either:
    """One of several forms, each with what it is called. `left_out`: which of them leaving it open says, too."""

    parts: tuple[tuple[str, Node], ...]
    left_out: int | None = None
    form = "either"

    @property
    def many(self) -> bool:
        """Whether one picks from a list (the style sheet shows so many parts), and not among what is all in sight."""
        return SEEN < len(self.parts) <= PICKED

    def chosen(self, text: str) -> int | None:
        """Which of them a form says by number."""
        listed = text.isascii() and text.isdecimal() and int(text[:4]) < len(self.parts)
        return int(text[:4]) if listed else None


@dataclass(frozen=True, slots=True)
class Entries:
    """Values by name. `keys`: those there can be; none: any. `least`: of so many something is said."""

    keys: tuple[str, ...]
    required: tuple[str, ...]
    nodes: Mapping[str, Node]
    values: Node
    titles: Mapping[str, str] = field(default_factory=dict)
    least: int = 0
    form = "entries"


Node: TypeAlias = Const | Choice | Number | Truth | Text | Record | Listing | Either | Entries


def certain(node: Node) -> Const | None:
    """What can be said in one way only."""
    if isinstance(node, Const):
        return node
    if isinstance(node, Record) and node.fields and all(certain(each.node) is not None for each in node.fields):
        return Const({each.name: const.value for each in node.fields if (const := certain(each.node)) is not None})
    return None
