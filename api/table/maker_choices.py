"""The choices in a step of making a character.

The page tries each choice in an enrolment, with simple values for everything that is still open. So it offers exactly
what the rules would accept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import cached_property
from typing import Any, TypeAlias

from api.table.maker_steps import Field, Step
from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.json_types import split_pointer
from ledger.rules.kernel.making import Budget, Maker, Making, Option

Sheet: TypeAlias = Mapping[str, Any]
#: A function that takes a name and a sheet, and returns why the enrolment would be refused, or None.
ProblemFinder: TypeAlias = Callable[[str, Sheet], str | None]
NAMELESS = "Somebody"  # the name used in trials before the character has one
MOST_ITEMS = 20  # items of a list that people add to
LEAST = range(1, 6)  # numbers tried for a new item
MISSING: Any = object()


# --- sheets as JSON ---------------------------------------------------------------------------------------------------


def get_value(sheet: object, path: str) -> Any:
    """Return the value at a path, or MISSING."""
    for name in split_pointer(path):
        if isinstance(sheet, list) and name.isdecimal() and int(name) < len(sheet):
            sheet = sheet[int(name)]
        elif isinstance(sheet, Mapping) and name in sheet:
            sheet = sheet[name]
        else:
            return MISSING
    return sheet


def set_values(sheet: Sheet, values: Mapping[str, Any]) -> Sheet:
    """Return the sheet with these values. None removes a value, and any container that is then empty."""
    for path, value in values.items():
        sheet = _set_value(sheet, split_pointer(path), value)
    return sheet


def _set_value(node: Any, names: Sequence[str], value: Any) -> Any:
    name, *deeper_names = names
    if isinstance(node, list):
        items = [*node, {}] if name == str(len(node)) else list(node)
        if name.isdecimal() and int(name) < len(items):
            items[int(name)] = _set_value(items[int(name)], deeper_names, value) if deeper_names else value
        return items
    if name.isdecimal() and not node and deeper_names:  # the first item starts the list
        return _set_value([{} for _ in range(int(name[:2]) + 1)], names, value)
    record = dict(node) if isinstance(node, Mapping) else {}
    new_value = _set_value(record.get(name, {}), deeper_names, value) if deeper_names else value
    if new_value is None or (new_value == {} and deeper_names):
        record.pop(name, None)
    else:
        record[name] = new_value
    return record


# --- what a step shows ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choice:
    """A button. `sets`: the values that it sets. `why`: why these values are not possible now, or ""."""

    label: str
    sets: Mapping[str, Any]
    why: str = ""
    about: str = ""
    is_chosen: bool = False

    @property
    def press(self) -> str:
        return json.dumps(self.sets)


@dataclass(frozen=True, slots=True)
class Score:
    """A number with the buttons that change it."""

    label: str
    about: str
    value: int
    less: Choice
    more: Choice


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list, with its numbers and the button that removes it."""

    label: str
    about: str
    scores: tuple[Score, ...]
    remove: Choice


@dataclass(frozen=True, slots=True)
class ShownField:
    """A field with its choices. `place`: its index among the fields of all steps. `texts`: the path, title and content
    of each text. `options`: the options for each part of a new item.
    """

    field: Field
    place: int
    texts: tuple[tuple[str, str, str], ...] = ()
    choices: tuple[Choice, ...] = ()
    scores: tuple[Score, ...] = ()
    items: tuple[Item, ...] = ()
    options: Mapping[str, tuple[Option, ...]] = dataclass_field(default_factory=dict)

    @property
    def shared_reasons(self) -> dict[str, list[str]]:
        """Return the reasons that rule out more than two choices, each with the labels of these choices."""
        labels_by_reason: dict[str, list[str]] = {}
        for choice in (*self.choices, *(score.more for score in self.scores)):
            if choice.why:
                labels_by_reason.setdefault(choice.why, []).append(choice.label)
        return {why: labels for why, labels in labels_by_reason.items() if len(labels) > 2}

    def list_presses(self) -> Iterator[Choice]:
        """Yield the field's buttons."""
        yield from self.choices
        for score in (*self.scores, *(score for item in self.items for score in item.scores)):
            yield from (score.less, score.more)
        yield from (item.remove for item in self.items)

    @property
    def may_add(self) -> bool:
        return len(self.items) < MOST_ITEMS


class Workshop:
    """Makes a character step by step, at a table.

    `parse`: turns a sheet into the game's own class, or returns None if it does not fit. `make_table`: returns the
    table for the game's functions.
    """

    def __init__(
        self,
        steps: Sequence[Step],
        maker: Maker,
        find_problem: ProblemFinder,
        parse: Callable[[Sheet], Any],
        make_table: Callable[[], Table[Any]],
        player: str,
    ) -> None:
        self._all_steps, self.player = steps, player
        self._maker, self._find_problem, self._parse, self._make_table = maker, find_problem, parse, make_table
        self._fields = [field for step in steps for field in step.fields]
        self._verdicts: dict[str, str | None] = {}

    @cached_property
    def steps(self) -> list[Step]:
        """Return the steps with something to choose or write. A step is empty if the table does not use its rules."""
        return [step for step in self._all_steps if any(map(self._has_options, step.fields))]

    def _has_options(self, field: Field) -> bool:
        return field.form in ("text", "list") or bool(self._list_options(field, {}))

    def complete(self, sheet: Sheet) -> Sheet:
        """Return the sheet with simple values for everything that it still needs."""
        return self._maker.complete(self._describe(sheet, None))

    def explain_refusal(self, name: str, sheet: Sheet) -> str | None:
        """Return why the rules would refuse this character, or None. Open choices get simple values."""
        key = json.dumps([name, sheet], sort_keys=True)
        if key not in self._verdicts:
            self._verdicts[key] = self._find_problem(name or NAMELESS, self.complete(sheet))
        return self._verdicts[key]

    def _describe(self, sheet: Sheet, parsed_sheet: object) -> Making:
        return Making(sheet, parsed_sheet, self.player, self._make_table())

    # --- choosing ---

    def choose(self, sheet: Sheet, values: Mapping[str, Any], place: int) -> tuple[Sheet, str]:
        """Return the changed sheet and "", or the unchanged sheet and the reason why the values are not possible.

        A later field that depends on this choice is emptied if its value is no longer allowed.
        """
        changed_sheet = set_values(sheet, values)
        why = self.explain_refusal("", changed_sheet)
        if why is None:
            return changed_sheet, ""
        leading_path = self._fields[place].at
        later_fields = self._fields[place + 1 :]
        followers = [field for field in later_fields if leading_path in field.follows and self._is_filled(sheet, field)]
        emptied_sheet = set_values(
            changed_sheet, {path: None for field in followers for path in self._list_paths(field, changed_sheet)}
        )
        if not followers or (emptied_why := self.explain_refusal("", emptied_sheet)) is not None:
            return sheet, why if not followers else str(emptied_why)
        for field in followers:
            kept_values = {
                path: value
                for path in self._list_paths(field, changed_sheet)
                if (value := get_value(changed_sheet, path))
            }
            refilled_sheet = set_values(
                emptied_sheet, {path: value for path, value in kept_values.items() if value is not MISSING}
            )
            emptied_sheet = refilled_sheet if self.explain_refusal("", refilled_sheet) is None else emptied_sheet
        return emptied_sheet, ""

    def _is_filled(self, sheet: Sheet, field: Field) -> bool:
        return any(get_value(sheet, path) is not MISSING for path in self._list_paths(field, sheet))

    def _try(self, sheet: Sheet, label: str, values: Mapping[str, Any], place: int, about: str = "") -> Choice:
        return Choice(label, values, self.choose(sheet, values, place)[1], about)

    def _list_options(self, field: Field, sheet: Sheet) -> tuple[Option, ...]:
        if not isinstance(field.options, str):
            return field.options
        return tuple(self._maker.options[field.options](self._describe(sheet, None)))

    def _list_paths(self, field: Field, sheet: Sheet) -> list[str]:
        """Return the paths that a field fills in."""
        options = self._list_options(field, sheet) if field.form in ("one", "scores", "text") else ()
        return list(dict.fromkeys(path for option in options for path in option.sets)) or [field.at]

    def find_pressed_values(self, sheet: Sheet, step: Step, place: int, press: str) -> Mapping[str, Any] | None:
        """Return the values of the pressed button, even if it is disabled. Return None if the field has no such
        button.
        """
        unjudged_workshop = Workshop(
            self._all_steps, self._maker, lambda name, sheet: None, self._parse, self._make_table, self.player
        )
        shown_field = unjudged_workshop._show_field(sheet, step.fields[place - step.first], place)
        return next((choice.sets for choice in shown_field.list_presses() if choice.press == press), None)

    # --- showing ---

    def show_fields(self, sheet: Sheet, step: Step) -> list[ShownField]:
        """Return the step's fields with their current choices."""
        return [self._show_field(sheet, field, step.first + index) for index, field in enumerate(step.fields)]

    def _show_field(self, sheet: Sheet, field: Field, place: int) -> ShownField:
        match field.form:
            case "one":
                return ShownField(field, place, choices=tuple(self._list_choices(sheet, field, place)))
            case "some":
                return ShownField(field, place, choices=tuple(self._list_toggles(sheet, field, place)))
            case "scores":
                return ShownField(field, place, scores=tuple(self._list_scores(sheet, field, place)))
            case "list":
                return self._show_list(sheet, field, place)
        options = self._list_options(field, sheet) or (Option(field.title, {field.at: ""}),)
        labelled_paths = [(option.label, path) for option in options for path in option.sets]
        return ShownField(field, place, tuple((path, title, _read_text(sheet, path)) for title, path in labelled_paths))

    def _list_choices(self, sheet: Sheet, field: Field, place: int) -> Iterator[Choice]:
        current_sheet = self.complete(sheet) if field.preset else sheet
        for option in self._list_options(field, sheet):
            if all(get_value(current_sheet, path) == value for path, value in option.sets.items()):
                yield Choice(option.label, option.sets, "", option.about, is_chosen=True)
            else:
                yield self._try(sheet, option.label, option.sets, place, option.about)

    def _list_toggles(self, sheet: Sheet, field: Field, place: int) -> Iterator[Choice]:
        current_value = get_value(sheet, field.at)
        chosen_values = current_value if isinstance(current_value, list) else []
        for option in self._list_options(field, sheet):
            value = option.sets[field.at]
            if value in chosen_values:
                remaining_values = [other_value for other_value in chosen_values if other_value != value]
                yield Choice(option.label, {field.at: remaining_values or None}, "", option.about, is_chosen=True)
            else:
                yield self._try(sheet, option.label, {field.at: [*chosen_values, value]}, place, option.about)

    def _list_scores(self, sheet: Sheet, field: Field, place: int) -> Iterator[Score]:
        for option in self._list_options(field, sheet):
            ((path, first_number),) = option.sets.items()
            current_value = get_value(sheet, path)
            current_number = current_value if isinstance(current_value, int) else first_number
            changes = (
                {path: new_number if new_number != first_number else None}
                for new_number in (current_number - 1, current_number + 1)
            )
            less, more = (self._try(sheet, option.label, change, place) for change in changes)
            yield Score(option.label, option.about, current_number, less, more)

    def _show_list(self, sheet: Sheet, field: Field, place: int) -> ShownField:
        records = _list_records(field, get_value(sheet, field.at))
        items = tuple(self._show_item(sheet, field, place, records, index) for index in range(len(records)))
        additions = tuple(
            self._try(sheet, option.label, _write_list(field, [*records, option.sets[field.at]]), place, option.about)
            for option in self._list_options(field, sheet)
        )
        options = {part.at: self._list_options(part, sheet) for part in field.parts if part.form == "one"}
        return ShownField(field, place, choices=additions, items=items, options=options)

    def _show_item(self, sheet: Sheet, field: Field, place: int, records: Sequence[Any], index: int) -> Item:
        def replace_by(label: str, *replacements: Any) -> Choice:
            return self._try(
                sheet, label, _write_list(field, [*records[:index], *replacements, *records[index + 1 :]]), place
            )

        record = records[index]
        scores = []
        for part in field.parts:
            if part.form == "number":
                value = get_value(record, part.at)
                current_number = value if isinstance(value, int) else 0
                less, more = (replace_by(part.title, {**record, part.at: current_number + by}) for by in (-1, 1))
                scores.append(Score(part.title, part.hint, current_number, less, more))
        label, *further_texts = self._name_item(sheet, field, record)
        if field.note:
            further_texts.append(self._maker.notes[field.note](record))
        return Item(label, ", ".join(further_texts), tuple(scores), replace_by(label))

    def _name_item(self, sheet: Sheet, field: Field, record: Any) -> list[str]:
        """Return the texts that name an item."""
        if not isinstance(record, Mapping):
            return [str(record)]
        number_names = {part.at for part in field.parts if part.form == "number"}
        for option in self._list_options(field, sheet):
            item = option.sets[field.at]
            if all(record.get(name) == value for name, value in item.items() if name not in number_names):
                return [option.label]
        parts = [part for part in field.parts if part.form != "number" and record.get(part.at)]
        return [self._name_value(sheet, part, record[part.at]) for part in parts] or [field.noun]

    def _name_value(self, sheet: Sheet, part: Field, value: Any) -> str:
        labels = (option.label for option in self._list_options(part, sheet) if option.sets.get(part.at) == value)
        return next(labels, str(value)) if part.form == "one" else str(value)

    # --- typed texts ---

    def list_text_paths(self, sheet: Sheet, step: Step) -> list[str]:
        """Return the paths of the step's texts."""
        return [path for field in step.fields if field.form == "text" for path in self._list_paths(field, sheet)]

    def write(self, sheet: Sheet, texts: Mapping[str, str | None]) -> Sheet:
        """Return the sheet with these texts. None means an empty field."""
        for path, text in texts.items():
            is_item = any(name.isdecimal() for name in split_pointer(path))
            sheet = set_values(sheet, {path: text or "" if is_item else text})
        return sheet

    def add_item(self, sheet: Sheet, place: int, values: Mapping[str, Any]) -> tuple[Sheet, str]:
        """Return the sheet with a new item and "", or the unchanged sheet and the reason why the item can't be added.

        The item's numbers are the lowest that the rules accept.
        """
        field = self._fields[place]
        missing_titles = [part.title for part in field.parts if not _can_lack(part) and part.at not in values]
        if missing_titles or not (field.parts or values.get("")):
            return sheet, f"Still to choose: {', '.join(missing_titles) or field.noun}."
        records = _list_records(field, get_value(sheet, field.at))
        if field.keyed and any(record[field.parts[0].at] == values[field.parts[0].at] for record in records):
            return sheet, f"{values[field.parts[0].at]} is already on the list."
        given_values = {part.at: values[part.at] for part in field.parts if part.at in values}
        number_names = [part.at for part in field.parts if part.form == "number"]
        possible_items = (
            [given_values, *({**given_values, name: number} for number in LEAST for name in number_names)]
            if field.parts
            else [values[""]]
        )
        reasons = []
        for item in possible_items:
            if not field.keyed or len(item) == len(field.parts):
                extended_sheet, why = self.choose(sheet, _write_list(field, [*records, item]), place)
                if not why:
                    return extended_sheet, ""
                reasons.append(why)
        return sheet, reasons[0]

    # --- what is missing ---

    def list_missing_words(self, name: str, sheet: Sheet, step: Step) -> list[str]:
        """Return the titles of the texts that the step still needs."""
        missing_titles = ["Name"] if step is self.steps[0] and not name.strip() else []
        return missing_titles + self._list_open_titles(sheet, [field for field in step.fields if field.form == "text"])

    def list_missing_choices(self, sheet: Sheet, step: Step) -> list[str]:
        """Return the titles of the choices that the step still needs."""
        return self._list_open_titles(sheet, [field for field in step.fields if field.form != "text"])

    def _list_open_titles(self, sheet: Sheet, fields: Iterable[Field]) -> list[str]:
        needed_fields = [field for field in fields if not (field.optional or field.preset)]
        complete_sheet = self.complete(sheet)
        return [
            field.title
            for field in needed_fields
            if self._read_field(sheet, field) != self._read_field(complete_sheet, field)
        ]

    def _read_field(self, sheet: Sheet, field: Field) -> list[Any]:
        """Return the field's values. An unchanged score has its starting number."""
        if field.form != "scores":
            return [get_value(sheet, path) for path in self._list_paths(field, sheet)]
        first_values = [pair for option in self._list_options(field, sheet) for pair in option.sets.items()]
        return [
            first_value if (value := get_value(sheet, path)) is MISSING else value for path, first_value in first_values
        ]

    def fill_in(self, sheet: Sheet, step: Step) -> Sheet:
        """Return the sheet with simple values for the step's open choices."""
        for field in step.fields:
            if not field.optional and field.form in ("one", "some", "scores"):
                complete_sheet = self.complete(sheet)
                values = {path: get_value(complete_sheet, path) for path in self._list_paths(field, sheet)}
                sheet = set_values(sheet, {path: value for path, value in values.items() if value is not MISSING})
        return sheet

    def can_fill_in(self, sheet: Sheet, step: Step) -> bool:
        """Return whether `fill_in` would choose anything."""
        return self.list_missing_choices(self.fill_in(sheet, step), step) != self.list_missing_choices(sheet, step)

    def count_budgets(self, sheet: Sheet, step: Step) -> list[Budget]:
        making = self._describe(sheet, self._parse(self.complete(sheet)))
        return [self._maker.budgets[name](making) for name in step.budgets]


def _read_text(sheet: Sheet, path: str) -> str:
    value = get_value(sheet, path)
    return value if isinstance(value, str) else ""


def _can_lack(part: Field) -> bool:
    """Return whether a new item can be added without this part."""
    return part.optional or part.form == "number"


def _list_records(field: Field, value: Any) -> list[Any]:
    """Return the items of a list. Each pair of a keyed list becomes a record."""
    if field.keyed and isinstance(value, Mapping):
        return [dict(zip((part.at for part in field.parts), pair, strict=True)) for pair in value.items()]
    return list(value) if isinstance(value, list) else []


def _write_list(field: Field, records: Sequence[Any]) -> Mapping[str, Any]:
    """Return the values that set the list to these items."""
    items = dict(tuple(record.values()) for record in records) if field.keyed else list(records)
    return {field.at: items or None}
