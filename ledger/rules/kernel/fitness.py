"""Check, when a ruleset is loaded, that it has everything the kernel needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from ledger.rules.kernel import json_types
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.declarations import find_fact_kind
from ledger.rules.kernel.dials import Dials, list_dial_fields
from ledger.rules.kernel.failures import describe_failure
from ledger.rules.kernel.fold import Fold
from ledger.rules.kernel.subjects import SUBJECT_KINDS


def list_faults(ruleset: AnyRuleset) -> list[str]:
    """Return a sentence for each fault. A ruleset that can be played has none."""
    faults: list[str] = []
    for check in (_check_states, _check_facts, _check_dials, _check_declarations):
        try:
            faults += check(ruleset)
        except Exception as problem:  # noqa: BLE001  (a ruleset can contain anything)
            faults.append(
                f"{describe_failure(problem)}, while its {check.__name__.removeprefix('_check_')} were checked."
            )
    return faults


def _check_states(ruleset: AnyRuleset) -> Iterator[str]:
    checked_classes: set[type] = set()
    for kind in SUBJECT_KINDS:
        try:
            state = ruleset.blank(kind)
        except Exception as problem:  # noqa: BLE001
            yield f"`blank` does not make a state of a {kind}: {describe_failure(problem)}."
            continue
        cls = type(state)
        if cls in checked_classes:
            continue
        checked_classes.add(cls)
        description = f"The state of a {kind}, {_quote(cls)},"
        if not is_dataclass(cls) or not _is_frozen(cls) or not hasattr(cls, "__slots__"):
            yield f"{description} is not a dataclass with `frozen=True, slots=True`."
        elif "adrift" not in json_types.list_names(cls):
            yield f"{description} has no field `adrift: tuple[Any, ...] = ()`, for facts that no longer apply."
        elif state.adrift != ():
            yield f"{description} begins with {state.adrift!r} in `adrift`: it must be `()`."
        else:
            yield from _check_hints(description, cls)


def _check_facts(ruleset: AnyRuleset) -> Iterator[str]:
    classes = [cls for cls in ruleset.facts if hasattr(cls, "fact_kind")]
    for cls in ruleset.facts:
        if cls not in classes:
            yield f"{_quote(cls)} is listed in `facts` but is not declared with `@fact`."
    yield from _list_doubles("fact", (find_fact_kind(cls) for cls in classes))
    for cls in classes:
        yield from _check_hints(f"The fact {_quote(cls)}", cls)
    fold = getattr(ruleset.apply, "__self__", None)
    if isinstance(fold, Fold):
        folded_facts = {cls for changes in fold.changes.values() for cls in changes}
        for cls in ruleset.facts:
            if cls not in folded_facts:
                yield f"No function with `@changes` takes the fact {_quote(cls)}. Add one, or set `changes=None`."


def _check_dials(ruleset: AnyRuleset) -> Iterator[str]:
    description = f"The dials, {_quote(ruleset.dials)},"
    if not is_dataclass(ruleset.dials):
        yield f"{description} are not a dataclass."
        return
    for field in fields(ruleset.dials):
        if field.default is MISSING:
            yield f"The dial `{field.name}` of {_quote(ruleset.dials)} has no default: give it one with `dial(...)`."
        if "rule" not in field.metadata:
            yield f"The dial `{field.name}` of {_quote(ruleset.dials)} names no rule: it is not made with `dial(...)`."
    for name in sorted(list_dial_fields(ruleset.dials).keys() & list_dial_fields(Dials).keys()):
        yield f"The dial `{name}` of {_quote(ruleset.dials)} has the same name as a dial of the kernel."
    yield from _check_hints(description, ruleset.dials)


def _check_declarations(ruleset: AnyRuleset) -> Iterator[str]:
    for classes, name, attribute in (
        (ruleset.inputs, "inputs", "declared_by"),
        (ruleset.choices, "choices", "said_by"),
    ):
        for cls in classes:
            if not hasattr(cls, attribute):
                yield f"{_quote(cls)} is listed in `{name}` but is not declared with `@{DECORATORS[name]}`."
            yield from _check_hints(_quote(cls), cls)
        yield from _list_doubles(DECORATORS[name], (getattr(cls, "kind", _quote(cls)) for cls in classes))
    yield from _check_hints(f"The sheet, {_quote(ruleset.sheet)},", ruleset.sheet)
    functions: tuple[tuple[str, Callable[..., Any] | None], ...] = (
        ("adjudicate", ruleset.adjudicate),
        ("apply", ruleset.apply),
        ("view", ruleset.view),
    )
    for name, function in functions:
        if not callable(function):
            yield f"`{name}` is not a function."


DECORATORS = {"inputs": "declares", "choices": "choice"}


def _check_hints(description: str, cls: type) -> Iterator[str]:
    try:
        json_types.load_hints(cls)
    except Exception as problem:  # noqa: BLE001  (mostly a missing name)
        yield f"{description} has a field whose type cannot be found: {type(problem).__name__}: {problem}."


def _list_doubles(noun: str, kinds: Iterable[str]) -> Iterator[str]:
    for kind, count in Counter(kinds).items():
        if count > 1:
            yield f"The {noun} `{kind}` is declared {count} times."


def _is_frozen(cls: Any) -> bool:
    return bool(cls.__dataclass_params__.frozen)


def _quote(cls: object) -> str:
    return f"`{cls.__module__}.{cls.__qualname__}`" if isinstance(cls, type) else repr(cls)
