"""Compare two states of a campaign, and put every difference into words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from ledger.rules.kernel.json_types import escape_part, split_pointer
from ledger.rules.kernel.phrases import listed, words
from ledger.rules.kernel.purses import unit_of
from projections.documents.states import State
from projections.redaction import Json

LONGEST = 60  # the most characters of a value in a sentence
#: Fields of a subject that repeat the request, not the state.
REQUEST_FIELDS = ("at", "as", "version")
#: Fields that name an item of a list.
NAMES = ("name", "title", "id")


class Absent:
    """Stands for a field that does not exist."""


#: The path of a field, and its value in each of the two states.
FieldChange: TypeAlias = tuple[str, object, object]


def index_subjects(document: State) -> dict[str, Json]:
    """Return each subject's part of `/state`, without the request's own parameters, and with balances by account."""
    documents_by_subject: dict[str, Json] = {"campaign": {**document["campaign"]}}
    documents_by_subject |= {f"character:{entry['id']}": {**entry} for entry in document["characters"]}
    documents_by_subject |= {f"scene:{entry['id']}": {**entry} for entry in document["scenes"]}
    return {subject: select_compared_fields(document) for subject, document in documents_by_subject.items()}


def select_compared_fields(document: Json) -> Json:
    """Return the part of a subject's document that is compared."""
    balances = {str(row["account"]): row["balance"] for row in document["balances"]}  # type: ignore[attr-defined]
    return {**{name: value for name, value in document.items() if name not in REQUEST_FIELDS}, "balances": balances}


def compare_documents(before: object, after: object, path: str = "") -> Iterator[FieldChange]:
    """Yield the differences between two documents, each at the deepest path that both have."""
    before, after = (Absent() if value is None and not path else value for value in (before, after))
    if isinstance(before, dict) and isinstance(after, dict):
        keys: Iterable[str | int] = dict.fromkeys([*before, *after])
        old_parts: Mapping[str | int, object] = before
        new_parts: Mapping[str | int, object] = after
    elif _is_list_of_records(before) and _is_list_of_records(after):
        assert isinstance(before, list) and isinstance(after, list)
        keys = range(max(len(before), len(after)))
        old_parts, new_parts = dict(enumerate(before)), dict(enumerate(after))
    else:
        if type(before) is not type(after) or before != after:
            yield path, before, after
        return
    for key in keys:
        old_value, new_value = old_parts.get(key, _ABSENT), new_parts.get(key, _ABSENT)
        if old_value is new_value or (
            type(old_value) is type(new_value) and not isinstance(old_value, dict | list) and old_value == new_value
        ):
            continue
        part = escape_part(key)
        yield from compare_documents(old_value, new_value, f"{path}/{part}" if path else part)


_ABSENT = Absent()


def _is_list_of_records(value: object) -> bool:
    """Return whether the value is a list with an item that is a list or a record."""
    return isinstance(value, list) and any(isinstance(item, dict | list) for item in value)


# --- in words -----------------------------------------------------------------------------------------------------


def word_change(name: str, field_change: FieldChange, documents: Sequence[Json | None]) -> str:
    """Return a sentence such as `Celia: harm changed from 0 to 4.` `documents`: the subject in both states."""
    path, before, after = field_change
    if not path:
        return f"{name} no longer exists." if isinstance(after, Absent) else f"{name} exists."
    field_name = _name_field(path, documents[0] if isinstance(after, Absent) else documents[1])
    if isinstance(before, Absent):
        return f"{name}: {field_name} is now {_write_value(after)}."
    if isinstance(after, Absent):
        return f"{name}: {field_name} was {_write_value(before)} and was removed."
    return f"{name}: {field_name} changed from {_write_value(before)} to {_write_value(after)}."


def _name_field(path: str, document: object) -> str:
    """Return the name of a field: "base (traits: Sly)" for `state/traits/0/base`, "coin" for
    `balances/character:1~1coin`.
    """
    parts = split_pointer(path)
    if parts[0] == "balances" and len(parts) > 1:
        return unit_of(parts[1])
    names: list[str] = []
    for depth, part in enumerate(parts):
        if isinstance(document, list):
            document = document[int(part)]
            names.append(_find_name(document) or str(int(part) + 1))
        else:
            document = document.get(part) if isinstance(document, dict) else None
            if depth or part != "state":
                names.append(words(part))
    *outer_names, last_name = names or ["state"]
    return f"{last_name} ({': '.join(outer_names)})" if outer_names else last_name


def _find_name(record: object) -> str:
    names = (record.get(name) for name in NAMES) if isinstance(record, dict) else ()
    return next((name for name in names if isinstance(name, str) and name), "")


def _write_value(value: object) -> str:
    """Return a value as part of a sentence."""
    match value:
        case None | "" | [] | {}:
            text = "nothing"
        case bool():
            text = "yes" if value else "no"
        case str():
            text = f"“{value}”"
        case list() if not _is_list_of_records(value):
            text = listed([str(item) for item in value])
        case int() | float():
            text = str(value)
        case _:
            text = f"“{name}”" if (name := _find_name(value)) else "a longer value"
    return text if len(text) <= LONGEST else "a longer value"
