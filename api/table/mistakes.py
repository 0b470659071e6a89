"""The errors of a form, each at its field, and fields that are empty though they are needed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from api.table import forms
from api.table.forms import Form, join_path, walk
from api.table.nodes import Choice, Const, Either, Entries, FieldOf, Listing, Node, Number, Record, Truth

NEEDED = "Fill in this field."
NOTHING = "Choose an option."
MORE = re.compile(r"Choose (at least )?[0-9]+\b")
EMPTY = "This field is empty."


def list_errors(problem: Mapping[str, Any], node: Node, path: str, form: Form) -> dict[str, str]:
    """Return the API's errors by field. Errors without a field are shown above the form.

    A refusal by the rules names its subjects in its context; if a field has that name, it is shown there. `field` in
    the context names a field, also one within another.
    """
    shown = _map_places(node, path, form)
    texts: dict[str, str] = {}
    for mistake in problem.get("errors") or ():
        at = _find_nearest(str(mistake["pointer"]), shown)
        if at is not None:
            texts.setdefault(at, _word_mistake(mistake))
    if not texts and isinstance(node, Record):
        context = problem.get("context") or {}
        records = [(path, node)] if "field" not in context else _list_records(node, path, form)
        names = context if "field" not in context else [context["field"]]
        named = [join_path(at, each.name) for at, part in records for each in _select_visible(part.fields, names)]
        detail = str(problem["detail"])
        texts = {at: detail.removesuffix(str(problem.get("statement"))).strip() or detail for at in named[:1]}
    return texts


def _list_records(node: Node, path: str, form: Form) -> list[tuple[str, Record]]:
    """Return the records that are shown, by path: of several forms of a value, the chosen one."""
    return [(at, part) for at, part in walk(node, path, form) if isinstance(part, Record) and _is_chosen(at, form)]


def _is_chosen(at: str, form: Form) -> bool:
    return all(forms.get_field_text(form, f"{at[: way.start()]}?") == way[1] for way in re.finditer(r"\|([0-9]+)", at))


def list_left_open(node: Node, path: str, form: Form, *, required: bool = True) -> dict[str, str]:
    """Return the choices and numbers that are still missing, by path, each with its message."""
    return dict(_list_left_open(node, path, form, required))


def _list_left_open(node: Node, path: str, form: Form, required: bool) -> Iterator[tuple[str, str]]:
    match node:
        case Record(fields=fields):
            for each in fields if required or forms.get_field_text(form, f"{path}?") == "0" else ():
                yield from _list_left_open(each.node, join_path(path, each.name), form, each.required)
        case Either(parts=parts):
            chosen = node.find_chosen(forms.get_field_text(form, f"{path}?"))
            if chosen is not None:
                yield from _list_left_open(parts[chosen][1], f"{path}|{chosen}", form, True)
            elif required:
                yield path, NOTHING
        case Listing():
            yield from _list_too_few(node, path, form, required)
        case Entries(required=keys, least=least):
            values = forms.read_value(node, path, form)
            yield from ((join_path(path, key), NOTHING) for key in keys if key not in values)
            if len(values) < least:
                yield path, NOTHING
        case Choice() | Number() | Truth() if required and not has_value(path, form):
            yield path, NEEDED if isinstance(node, Number) else NOTHING


def _list_too_few(node: Listing, path: str, form: Form, required: bool) -> Iterator[tuple[str, str]]:
    """Yield that a list is empty or too short; for lists without tick boxes, also what is missing in its items."""
    size = len(forms.read_value(node, path, form))
    if size < node.least and (size or required):
        many = f"Choose {node.least}" if node.least == node.most else f"Choose at least {node.least}"
        yield path, NOTHING if node.least == 1 else f"{many}{f'; you have {size}' if size else ''}."
    elif node.checks is None:
        for place in range(forms.count_items(form, path)):
            if (item := node.at(place)) is not None:
                needed = place < node.least or not isinstance(item, Either)
                yield from _list_left_open(item, join_path(path, str(place)), form, needed)


def is_missing(text: str) -> bool:
    """Return whether the error only says that a field is still empty."""
    return text in (NEEDED, NOTHING) or MORE.match(text) is not None


def name_fields(places: Iterable[str], node: Node, path: str, form: Form) -> str:
    """Return the titles of the fields: "Character, Seat". A field without a title has that of its parent."""
    titles = list_titles(node, path, form)
    names = (next((titles[parent] for parent in _walk_up(at) if parent in titles), "") for at in places)
    return ", ".join(dict.fromkeys(filter(None, names)))


def _walk_up(at: str) -> Iterator[str]:
    while at:
        yield at
        at = at[: max(at.rfind("/"), at.rfind("|"), 0)]


def list_titles(node: Node, path: str, form: Form) -> dict[str, str]:
    """Return the title of every visible field, by path."""
    records = ((at, part) for at, part in walk(node, path, form) if isinstance(part, Record))
    return {join_path(at, each.name): each.title for at, record in records for each in record.fields}


def list_blanks(node: Node, path: str, form: Form) -> list[str]:
    """Return the fields that can be empty but are hardly meant to be."""
    fields = node.fields if isinstance(node, Record) else ()
    return [at for each in fields if each.expected and not has_value(at := join_path(path, each.name), form)]


def has_value(path: str, form: Form) -> bool:
    """Return whether a field has a value, or anything below it."""
    inside = tuple(path + end for end in "/|?")
    return any(
        any(text.strip() for text in values)
        for at, values in form.items()
        if (at == path or at.startswith(inside)) and not at.endswith("#")
    )


def _select_visible(fields: Iterable[FieldOf], names: Collection[str]) -> list[FieldOf]:
    return [each for each in fields if each.name in names and not isinstance(each.node, Const)]


def _map_places(node: Node, path: str, form: Form) -> dict[str, str]:
    """Return the field that shows an error, by pointer; of several forms of a value, the chosen one."""
    places: dict[str, str] = {}
    for at, _ in walk(node, path, form):
        pointer = re.sub(r"\|[0-9]+", "", at)
        if pointer not in places or (_is_chosen(at, form) and not re.search(r"\|[0-9]+$", at)):
            places[pointer] = at
    return places


def _find_nearest(pointer: str, shown: Mapping[str, str]) -> str | None:
    while pointer and pointer not in shown:
        pointer = pointer.rpartition("/")[0]
    return shown.get(pointer)


def _word_mistake(mistake: Mapping[str, Any]) -> str:
    if mistake.get("type") == "missing":
        return NEEDED
    text = str(mistake.get("message") or mistake.get("text"))
    meant = mistake.get("did_you_mean")
    end = "" if text.endswith((".", "?")) else "."
    return f"{text}{end}" + (f" Did you mean {meant}?" if meant is not None else "")
