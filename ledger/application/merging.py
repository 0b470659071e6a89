"""Corrections as merge patches (RFC 7396): fields that the patch names change, all others stay."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, cast

from ledger.application import json_form, parser
from ledger.rules.kernel import commands
from ledger.rules.kernel.contract import AnyRuleset

AT = "/patch"  # its place in the body


def merge_patch(target: object, patch: object) -> object:
    """Apply RFC 7396: objects are merged name by name, null removes a name, any other value replaces the whole."""
    if not isinstance(patch, Mapping):
        return patch
    merged = dict(target) if isinstance(target, Mapping) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = merge_patch(merged.get(name), value)
    return merged


def must_keep_kind(patch: Mapping[str, object]) -> None:
    """Raise Mistaken unless the patch keeps the kind: a correction cannot change it."""
    if "kind" in patch:
        message = "You can't change the kind of a declaration. Overturn the ruling and declare the other action."
        raise parser.Mistaken([parser.Mistake(f"{AT}/kind", message, "kind", parser.shorten_given(patch["kind"]))])


def apply_patch(ruleset: AnyRuleset, declared: json_form.Json, patch: Mapping[str, object]) -> Any:
    """Return the declaration with the patch applied. Mistaken with every mistake, at its place in the patch.

    `declared`: as recorded, which the correcting seat sees. A missing field is reported by name.
    """
    must_keep_kind(patch)
    cls = json_form.find_class(json_form.index_declarations(ruleset), declared, "input")
    fields = {field.name for field in dataclasses.fields(cast(Any, cls))}
    unknown = {name: value for name, value in patch.items() if name not in fields}
    recorded = {**{name: value for name, value in declared.items() if name != "kind"}}
    sheet = {"sheet": ruleset.sheet} if cls is commands.Enrol else {}
    known_fields = {name: value for name, value in patch.items() if name in fields}
    return parser.parse(cls, {**_must_be_object(merge_patch(recorded, known_fields)), **unknown}, AT, sheet)


def _must_be_object(value: object) -> dict[str, object]:
    assert isinstance(value, dict)
    return value
