"""Find the errors of a form by field, and the required fields that are empty."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from api.table import forms
from api.table.forms import Form, join_path, walk
from api.table.nodes import Choice, Const, Either, Entries, Listing, Node, Number, Record, RecordField, Truth

NEEDED = "Fill in this field."
NOTHING = "Choose an option."
MORE = re.compile(r"Choose (at least )?[0-9]+\b")
EMPTY = "This field is empty."


def collect_errors(problem: Mapping[str, Any], node: Node, path: str, form: Form) -> dict[str, str]:
    """Return the API's errors by field. A refusal by the rules is shown at the field that its context names."""
    path_by_pointer = _index_paths_by_pointer(node, path, form)
    errors: dict[str, str] = {}
    for mistake in problem.get("errors") or ():
        field_path = _find_nearest_field(str(mistake["pointer"]), path_by_pointer)
        if field_path is not None:
            errors.setdefault(field_path, _word_mistake(mistake))
    if not errors and isinstance(node, Record):
        context = problem.get("context") or {}
        records = [(path, node)] if "field" not in context else _list_records(node, path, form)
        names = context if "field" not in context else [context["field"]]
        named_paths = [
            join_path(record_path, field.name)
            for record_path, record in records
            for field in _select_visible_fields(record.fields, names)
        ]
        detail = str(problem["detail"])
        errors = {
            field_path: detail.removesuffix(str(problem.get("statement"))).strip() or detail
            for field_path in named_paths[:1]
        }
    return errors


def _list_records(node: Node, path: str, form: Form) -> list[tuple[str, Record]]:
    """Return the visible records with their paths. Forms that are not chosen are left out."""
    return [
        (node_path, part)
        for node_path, part in walk(node, path, form)
        if isinstance(part, Record) and _is_chosen(node_path, form)
    ]


def _is_chosen(path: str, form: Form) -> bool:
    return all(
        forms.get_field_text(form, f"{path[: match.start()]}?") == match[1]
        for match in re.finditer(r"\|([0-9]+)", path)
    )


def collect_open_choices(node: Node, path: str, form: Form, *, required: bool = True) -> dict[str, str]:
    """Return the message for each missing choice or number, by path."""
    return dict(_list_open_choices(node, path, form, required))


def _list_open_choices(node: Node, path: str, form: Form, required: bool) -> Iterator[tuple[str, str]]:
    match node:
        case Record(fields=fields):
            for field in fields if required or forms.get_field_text(form, f"{path}?") == "0" else ():
                yield from _list_open_choices(field.node, join_path(path, field.name), form, field.required)
        case Either(parts=parts):
            chosen_index = node.find_chosen_index(forms.get_field_text(form, f"{path}?"))
            if chosen_index is not None:
                yield from _list_open_choices(parts[chosen_index][1], f"{path}|{chosen_index}", form, True)
            elif required:
                yield path, NOTHING
        case Listing():
            yield from _list_length_errors(node, path, form, required)
        case Entries(required=keys, least=least):
            values = forms.read_value(node, path, form)
            yield from ((join_path(path, key), NOTHING) for key in keys if key not in values)
            if len(values) < least:
                yield path, NOTHING
        case Choice() | Number() | Truth() if required and not has_value(path, form):
            yield path, NEEDED if isinstance(node, Number) else NOTHING


def _list_length_errors(node: Listing, path: str, form: Form, required: bool) -> Iterator[tuple[str, str]]:
    """Yield an error if the list is too short, else the errors of its items."""
    size = len(forms.read_value(node, path, form))
    if size < node.least and (size or required):
        request = f"Choose {node.least}" if node.least == node.most else f"Choose at least {node.least}"
        yield path, NOTHING if node.least == 1 else f"{request}{f'; you have chosen {size}' if size else ''}."
    elif node.checks is None:
        for place in range(forms.count_items(form, path)):
            if (item := node.find_item(place)) is not None:
                is_needed = place < node.least or not isinstance(item, Either)
                yield from _list_open_choices(item, join_path(path, str(place)), form, is_needed)


def is_missing(text: str) -> bool:
    """Return whether the error only says that a field is still empty."""
    return text in (NEEDED, NOTHING) or MORE.match(text) is not None


def name_fields(paths: Iterable[str], node: Node, path: str, form: Form) -> str:
    """Return the titles of the fields: "Character, Seat". A field without a title gets its parent's title."""
    titles_by_path = index_titles(node, path, form)
    names = (
        next((titles_by_path[parent] for parent in _list_ancestors(field_path) if parent in titles_by_path), "")
        for field_path in paths
    )
    return ", ".join(dict.fromkeys(filter(None, names)))


def _list_ancestors(path: str) -> Iterator[str]:
    while path:
        yield path
        path = path[: max(path.rfind("/"), path.rfind("|"), 0)]


def index_titles(node: Node, path: str, form: Form) -> dict[str, str]:
    """Return the title of every visible field, by path."""
    records = ((record_path, part) for record_path, part in walk(node, path, form) if isinstance(part, Record))
    return {
        join_path(record_path, field.name): field.title for record_path, record in records for field in record.fields
    }


def list_blank_fields(node: Node, path: str, form: Form) -> list[str]:
    """Return the optional fields that were probably left empty by mistake."""
    fields = node.fields if isinstance(node, Record) else ()
    return [
        field_path
        for field in fields
        if field.is_expected and not has_value(field_path := join_path(path, field.name), form)
    ]


def has_value(path: str, form: Form) -> bool:
    """Return whether a field, or any field below it, has a value."""
    inner_prefixes = tuple(path + end for end in "/|?")
    return any(
        any(text.strip() for text in values)
        for name, values in form.items()
        if (name == path or name.startswith(inner_prefixes)) and not name.endswith("#")
    )


def _select_visible_fields(fields: Iterable[RecordField], names: Collection[str]) -> list[RecordField]:
    return [field for field in fields if field.name in names and not isinstance(field.node, Const)]


def _index_paths_by_pointer(node: Node, path: str, form: Form) -> dict[str, str]:
    """Return the path of the field that shows the errors at each pointer."""
    path_by_pointer: dict[str, str] = {}
    for field_path, _ in walk(node, path, form):
        pointer = re.sub(r"\|[0-9]+", "", field_path)
        if pointer not in path_by_pointer or (_is_chosen(field_path, form) and not re.search(r"\|[0-9]+$", field_path)):
            path_by_pointer[pointer] = field_path
    return path_by_pointer


def _find_nearest_field(pointer: str, path_by_pointer: Mapping[str, str]) -> str | None:
    while pointer and pointer not in path_by_pointer:
        pointer = pointer.rpartition("/")[0]
    return path_by_pointer.get(pointer)


def _word_mistake(mistake: Mapping[str, Any]) -> str:
    if mistake.get("type") == "missing":
        return NEEDED
    text = str(mistake.get("message") or mistake.get("text"))
    suggestion = mistake.get("did_you_mean")
    end = "" if text.endswith((".", "?")) else "."
    return f"{text}{end}" + (f" Did you mean {suggestion}?" if suggestion is not None else "")
