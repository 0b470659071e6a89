"""Examples of everything that an edition of a game stores, and checks that today's rules can read them.

Each game keeps a file of examples for each edition: `editions/1.json`. `scripts/keep_edition GAME` writes the file.
"""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin

from ledger.rules.kernel import json_types
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.declarations import find_fact_kind, find_kind
from ledger.rules.kernel.dials import list_dial_fields
from ledger.rules.kernel.upcasting import DIALS, SHEET, Stored, upcast

#: For each group (`declarations`, `choices`, `facts`, `sheet`, `dials`), the examples of each kind.
Examples: TypeAlias = dict[str, dict[str, list[Stored]]]
DEEPEST = 6  # the depth at which examples of nested records end
MOST = 12  # the most examples of one kind
PLAIN: dict[object, Any] = {bool: True, int: 1, str: "x", type(None): None}


# --- making examples --------------------------------------------------------------------------------------------------


def make_examples(ruleset: AnyRuleset) -> Examples:
    """Return examples of everything this edition stores. No field is left out, and unions show each of their types."""
    return {
        "declarations": {find_kind(cls): _make_examples_with_kind(cls) for cls in ruleset.inputs},
        "choices": {find_kind(cls): _make_examples_with_kind(cls) for cls in ruleset.choices},
        "facts": {find_fact_kind(cls): _make_class_examples(cls) for cls in ruleset.facts},
        SHEET: {SHEET: _make_class_examples(ruleset.sheet)},
        DIALS: {DIALS: [_make_default_dials(ruleset)]},
    }


def write_examples(edition: int, examples: Examples) -> str:
    """Return the text of the file: one example on each line."""
    groups = []
    for group, examples_by_kind in examples.items():
        lines = [
            f'    "{kind}": [\n' + ",\n".join(f"      {json.dumps(example)}" for example in kind_examples) + "\n    ]"
            for kind, kind_examples in sorted(examples_by_kind.items())
        ]
        groups.append(f'  "{group}": {{\n' + ",\n".join(lines) + "\n  }")
    return f'{{\n  "edition": {edition},\n' + ",\n".join(groups) + "\n}\n"


def _make_examples_with_kind(cls: type) -> list[Stored]:
    return [{"kind": find_kind(cls), **example} for example in _make_class_examples(cls)]


def _make_class_examples(cls: type) -> list[Stored]:
    examples: list[Stored] = []
    for variant in range(MOST):
        example = _make_value(cls, variant, 0)
        if example not in examples:
            examples.append(example)
    return examples


def _make_value(hint: Any, variant: int, depth: int) -> Any:
    """Return a JSON value of the type. `variant`: which value to return, for a type with several forms."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return parts[variant % len(parts)]
    if origin in (Union, types.UnionType):
        if depth > DEEPEST and type(None) in parts:
            return None
        branches = sorted(parts, key=lambda part: part is type(None))  # None comes last
        return _make_value(branches[variant % len(branches)], variant // len(branches), depth)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        hints = json_types.load_hints(hint)
        return {name: _make_value(hints[name], variant, depth + 1) for name in json_types.list_names(hint)}
    if origin is tuple and parts and parts[-1] is not Ellipsis:
        return [_make_value(part, variant, depth) for part in parts]
    if origin in (tuple, frozenset, list):
        return [_make_value(parts[0], variant, depth)] if depth <= DEEPEST else []
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return (
            {str(_make_value(parts[0], variant, depth)): _make_value(parts[1], variant, depth)}
            if depth <= DEEPEST
            else {}
        )
    return 1 if isinstance(hint, TypeVar) else PLAIN.get(hint, 1)


def _make_default_dials(ruleset: AnyRuleset) -> Stored:
    defaults = {name: dial.default for name, dial in list_dial_fields(ruleset.dials).items()}
    dials: Stored = json.loads(json.dumps(defaults, default=list))
    return dials


# --- reading examples of earlier editions ----------------------------------------------------------------------------


def list_faults_of_examples(ruleset: AnyRuleset, examples_by_edition: Mapping[int, Examples]) -> list[str]:
    """Return a sentence for each example that the installed rules cannot read, with the missing code.

    `examples_by_edition` must contain every earlier edition, and may contain the current one.
    """
    faults = [
        f"The game has edition {ruleset.edition}, but it has no examples of edition {edition}"
        f" (`editions/{edition}.json`): run `scripts/keep_edition {ruleset.name}` on the rules of edition {edition}."
        for edition in range(1, ruleset.edition)
        if edition not in examples_by_edition
    ]
    for edition, examples in sorted(examples_by_edition.items()):
        if edition <= ruleset.edition:
            faults += _Reading(ruleset, edition).list_faults(examples)
    return list(dict.fromkeys(faults))


class _Reading:
    """The examples of one edition, read by today's rules."""

    def __init__(self, ruleset: AnyRuleset, edition: int) -> None:
        self.ruleset, self.edition = ruleset, edition
        self.classes: dict[str, dict[str, type]] = {
            "declarations": {find_kind(cls): cls for cls in ruleset.inputs},
            "choices": {find_kind(cls): cls for cls in ruleset.choices},
            "facts": {find_fact_kind(cls).partition("@")[0]: cls for cls in ruleset.facts},
            SHEET: {SHEET: ruleset.sheet},
        }

    def list_faults(self, examples: Examples) -> Iterator[str]:
        for group, examples_by_kind in examples.items():
            for kind, kind_examples in examples_by_kind.items():
                for example in kind_examples:
                    yield from (
                        self._list_dial_faults(example)
                        if group == DIALS
                        else self._list_example_faults(group, kind, example)
                    )

    def _list_example_faults(self, group: str, stored_as: str, example: Stored) -> Iterator[str]:
        kind, _, version = stored_as.partition("@")
        stored_version = int(version or self.edition)
        try:
            example_today = upcast(self.ruleset, kind, example, stored_version)
            has_kind = group in ("declarations", "choices")
            cls = self.classes[group].get(str(example_today.pop("kind", "")) if has_kind else kind)
        except Exception as problem:  # noqa: BLE001  (whatever an upcaster raises)
            yield f"The upcaster of `{kind}` fails on what edition {self.edition} stored: {problem!r}."
            return
        if cls is None:
            detail = (
                f"Edition {self.edition} stored the {group.removesuffix('s')} `{stored_as}`, which no longer exists."
            )
            yield f"{detail} Keep its class, or let an upcaster change its `kind`."
            return
        yield from _Stored(self.edition, group, kind, cls, stored_version, self.ruleset.edition).list_faults(
            example_today
        )

    def _list_dial_faults(self, example: Stored) -> Iterator[str]:
        try:
            dials_today = upcast(self.ruleset, DIALS, example, self.edition)
            dials_upcast_again = upcast(self.ruleset, DIALS, dials_today, 0)
        except Exception as problem:  # noqa: BLE001
            yield f"The upcaster of `dials` fails on what edition {self.edition} stored: {problem!r}."
            return
        if dials_upcast_again != dials_today:
            yield "The upcasters of `dials` change dials that already have today's form. They must not change these."
        dial_fields, hints = list_dial_fields(self.ruleset.dials), json_types.load_hints(self.ruleset.dials)
        for name, value in dials_today.items():
            fault = "it no longer exists"
            if name in dial_fields:
                fault = _find_problem(value, hints[dial_fields[name].name])
            if fault:
                code = f'{{name: value for name, value in stored.items() if name != "{name}"}}'
                steps = _write_steps(DIALS, self.ruleset.edition, code)
                yield f"Edition {self.edition} had the dial `{name}` at {value!r}: {fault}. {steps}"


@dataclasses.dataclass(frozen=True, slots=True)
class _Stored:
    """A kind of record that an edition stored. `stored_version`: for a fact, its version; for anything else, the
    edition.
    """

    edition: int
    group: str
    kind: str
    cls: Any
    stored_version: int
    edition_today: int

    def list_faults(self, example_today: Stored) -> Iterator[str]:
        """Yield the faults of an example. `example_today`: the example in today's form, without its kind."""
        names = json_types.list_names(self.cls)
        must_match_exactly = (
            self.group == "facts" and self.stored_version == self._version
        )  # the codec takes neither more nor less
        required_names = [
            field.name for field in dataclasses.fields(self.cls) if must_match_exactly or is_required(field)
        ]
        label = f"`{self.cls.__qualname__}"
        missing_names, unknown_names = (
            [name for name in required_names if name not in example_today],
            [name for name in example_today if name not in names],
        )
        for name in missing_names:
            detail = f"{label}.{name}` was not stored by edition {self.edition}"
            detail += "." if must_match_exactly else " and has no default. Give it a default, or do this instead:"
            code = f'{{**stored, "{name}": ...}}'
            yield f"{detail} {self._make_steps(code)}"
        for name in unknown_names:
            code = f'{{name: value for name, value in stored.items() if name != "{name}"}}'
            yield f"{label}` has no field `{name}`, which edition {self.edition} stored. {self._make_steps(code)}"
        if not missing_names and not unknown_names and (problem := _find_problem(example_today, self.cls)):
            yield f"{label}` cannot be read as edition {self.edition} stored it: {problem}. {self._make_steps('...')}"

    @property
    def _version(self) -> int:
        """Return the version that the fact has today."""
        return int(find_fact_kind(self.cls).partition("@")[2])

    def _make_steps(self, code: str) -> str:
        steps = [f"raise the edition to {self.edition_today + 1}"] if self.edition == self.edition_today else []
        target_version = max(self.edition_today, self.edition + 1)
        if self.group == "facts":
            target_version = max(self._version, self.stored_version + 1)
            steps += (
                [f'raise its version, `@fact("{self.kind}", version={target_version})`']
                if target_version > self._version
                else []
            )
        return _write_steps(self.kind, target_version, code, steps)


def _write_steps(kind: str, target_version: int, code: str, first_steps: Iterable[str] = ()) -> str:
    """Return a sentence that says what to do and ends with a line of code."""
    last_step = (
        f'add to the ruleset\'s `upcasters`: Upcast("{kind}", to={target_version}, change=lambda stored: {code})'
    )
    text = ", and ".join((*first_steps, last_step))
    return f"{text[0].upper()}{text[1:]}"


def _find_problem(value: object, hint: object) -> str:
    """Return why the value cannot be read, or "" if it can."""
    try:
        json_types.convert(value, hint)
    except json_types.Misshapen as problem:
        return str(problem)
    return ""


def is_required(field: dataclasses.Field[object]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
