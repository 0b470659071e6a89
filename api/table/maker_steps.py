"""The steps for making a character, as a game describes them in its `table/maker.toml`.

A step has a title, a text and fields. A field fills in a path of the sheet (`attributes/size`) and has a form:

- `text`: free text.
- `one`: one of several options.
- `some`: several of the options, in a list.
- `scores`: numbers that go up and down by one.
- `list`: items that are added one by one. Each item is a record with these `parts`, or a word if there are no parts.
  `keyed`: the sheet has a number for each name instead of a list. `options`: ready-made items to add.
- `number`: a number as a part of an item.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from api.table.presentations import load_source
from ledger.rules.kernel.making import Option

FORMS = ("text", "one", "some", "scores", "list", "number")


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a step, or a part of a list's items.

    `options`: the name of a function of the game, or the options themselves. `optional`: the field may stay empty.
    `preset`: the simplest option is chosen at first. `follows`: paths of earlier fields that this field depends on.
    `noun`: the word for one item, as in "Add a skill". `note`: the name of the game's function that returns a note
    about an item. `silent`: whether the page gives no reasons, because the step's text says what is not possible.
    """

    at: str
    form: str
    title: str = ""
    hint: str = ""
    example: str = ""
    noun: str = ""
    note: str = ""
    options: str | tuple[Option, ...] = ()
    parts: tuple[Field, ...] = ()
    optional: bool = False
    preset: bool = False
    follows: tuple[str, ...] = ()
    long: bool = False
    keyed: bool = False
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """A step. `first`: the index of its first field among the fields of all steps. `budgets`: names of functions of the
    game that count the points spent.
    """

    title: str
    text: str
    fields: tuple[Field, ...]
    first: int
    budgets: tuple[str, ...] = ()

    def holds(self, place: int) -> bool:
        """Return whether the step has the field with this index."""
        return self.first <= place < self.first + len(self.fields)


@cache
def _load_tables(game: str) -> Mapping[str, Any]:
    return tomllib.loads(load_source(f"{game}/maker.toml") or "")


def read_ending(game: str) -> str:
    """Return the game's text for the end of making a character, or "" if the game has none."""
    return str(_load_tables(game).get("ending", ""))


def is_for_players(game: str, sheet: Mapping[str, Any]) -> bool:
    """Return whether players can play a character with this sheet. Some characters are only for game masters."""
    masters_values = _load_tables(game).get("for_game_masters", {})
    return not any(sheet.get(name) == value for name, value in masters_values.items())


@cache
def load_steps(game: str) -> tuple[Step, ...]:
    """Return the game's steps, or an empty tuple if the game describes none. Raise ValueError if the game's file has a
    mistake.
    """
    steps: list[Step] = []
    for table in _load_tables(game).get("step", ()):
        step_fields = tuple(_read_field(field_table) for field_table in table.get("field", ()))
        first_place = steps[-1].first + len(steps[-1].fields) if steps else 0
        steps.append(Step(table["title"], table["text"], step_fields, first_place, tuple(table.get("budgets", ()))))
    return tuple(steps)


def _read_field(table: Mapping[str, Any]) -> Field:
    values = {"parts" if name == "part" else name: value for name, value in table.items()}
    unknown_names = values.keys() - {field.name for field in fields(Field)}
    if unknown_names:
        raise ValueError(f"unknown keys in a field of a maker: {sorted(unknown_names)}")
    if values.get("form") not in FORMS:
        raise ValueError(f"unknown form in a field of a maker: {values.get('form')}")
    if isinstance(values.get("options"), list):
        values["options"] = tuple(
            Option(option["label"], {values["at"]: option["value"]}, option.get("about", ""))
            for option in values["options"]
        )
    values["follows"] = tuple(values.get("follows", ()))
    return Field(**{**values, "parts": tuple(_read_field(part) for part in values.get("parts", ()))})
