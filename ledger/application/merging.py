"""Corrections as merge patches (RFC 7396): a patch changes only the fields that it names."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, cast

from ledger.application import json_form, parser
from ledger.rules.kernel import commands
from ledger.rules.kernel.contract import AnyRuleset

AT = "/patch"  # the patch's place in the body


def merge_patch(target: object, patch: object) -> object:
    """Return the target with the patch applied (RFC 7396). Objects are merged field by field, null removes a field, and
    any other value replaces the whole.
    """
    if not isinstance(patch, Mapping):
        return patch
    merged_object = dict(target) if isinstance(target, Mapping) else {}
    for name, value in patch.items():
        if value is None:
            merged_object.pop(name, None)
        else:
            merged_object[name] = merge_patch(merged_object.get(name), value)
    return merged_object


def must_keep_kind(patch: Mapping[str, object]) -> None:
    """Raise Mistaken if the patch names the kind, because a correction cannot change it."""
    if "kind" in patch:
        message = "You can't change the kind of a declaration. Overturn the ruling and declare the other action."
        raise parser.Mistaken([parser.Mistake(f"{AT}/kind", message, "kind", parser.shorten_sent_value(patch["kind"]))])


def apply_patch(ruleset: AnyRuleset, declaration: json_form.Json, patch: Mapping[str, object]) -> Any:
    """Return the declaration with the patch applied. Raise Mistaken with every mistake, at its place in the patch.

    `declaration`: the recorded declaration, which the correcting seat sees.
    """
    must_keep_kind(patch)
    cls = json_form.find_record_class(json_form.index_declaration_classes(ruleset), declaration, "input")
    field_names = {field.name for field in dataclasses.fields(cast(Any, cls))}
    unknown_fields = {name: value for name, value in patch.items() if name not in field_names}
    recorded_fields = {name: value for name, value in declaration.items() if name != "kind"}
    open_types = {"sheet": ruleset.sheet} if cls is commands.Enrol else {}
    known_fields = {name: value for name, value in patch.items() if name in field_names}
    return parser.parse(
        cls, {**_require_object(merge_patch(recorded_fields, known_fields)), **unknown_fields}, AT, open_types
    )


def _require_object(value: object) -> dict[str, object]:
    assert isinstance(value, dict)
    return value
