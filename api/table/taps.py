"""Buttons for moves that need no form. Such a move leaves at most one choice open, with only a few options."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from api.table import forms
from api.table.client import Json
from api.table.mistakes import collect_open_choices, list_blank_fields
from api.table.node_maker import NodeMaker
from api.table.nodes import Choice

ROOT = "/declare"
FEW = 4  # the most options of the one choice
BLANK = re.compile(r"\.{2,3}")  # an open place in a sentence


@dataclass(frozen=True, slots=True)
class Tap:
    """A button. `declare`: its declaration as JSON text. `label`: the name of the option that it chooses, or ""."""

    declare: str
    label: str = ""


def list_taps(maker: NodeMaker, move: Json) -> list[Tap]:
    """Return the buttons that declare the move immediately, or an empty list if the move needs a form."""
    return list(_list_taps(maker, move))


def _list_taps(maker: NodeMaker, move: Json) -> Iterator[Tap]:
    """Yield a button for each option of the move's open choice, or one button if nothing is open."""
    properties: Json = move["schema"]["allOf"][-1].get("properties", {})
    open_names = [name for name, schema in properties.items() if "const" not in schema]
    if len(open_names) > 1 or BLANK.subn("", move["text"])[1] > len(open_names):
        return
    node = maker.make_node(move["schema"], {})
    form = forms.fill_form(node, ROOT, forms.MISSING)
    missing_fields = {*collect_open_choices(node, ROOT, form), *list_blank_fields(node, ROOT, form)}
    if not open_names:
        yield from [] if missing_fields else [Tap(json.dumps(forms.read_value(node, ROOT, form)))]
        return
    path = forms.join_path(ROOT, open_names[0])
    choice = next(
        (visible_node for visible_path, visible_node in forms.walk(node, ROOT, form) if visible_path == path), None
    )
    if isinstance(choice, Choice) and len(choice.options) <= FEW and missing_fields <= {path}:
        for value, label in choice.options.items():
            if value != choice.left_out:
                yield Tap(json.dumps(forms.read_value(node, ROOT, {**form, path: [value]})), label)
