"""Moves that need no form: everything is settled, or one choice is left and each of its options is a button."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from api.table import forms
from api.table.client import Json
from api.table.mistakes import blanks, left_open
from api.table.node_maker import Maker
from api.table.nodes import Choice

ROOT = "/declare"
FEW = 4  # options of the one choice
BLANK = re.compile(r"\.{2,3}")  # in a sentence


@dataclass(frozen=True, slots=True)
class Tap:
    """A button. `path`, `value`: the one choice, as a form has it; empty if all is settled. `label`: its name."""

    path: str = ""
    value: str = ""
    label: str = ""


def taps_of(maker: Maker, move: Json) -> list[Tap]:
    """Return the buttons that declare the move at once; none if it needs a form."""
    return list(_taps(maker, move))


def _taps(maker: Maker, move: Json) -> Iterator[Tap]:
    """A move leaves open what its schema does not settle, and what its sentence leaves blank."""
    properties: Json = move["schema"]["allOf"][-1].get("properties", {})
    left = [name for name, schema in properties.items() if "const" not in schema]
    if len(left) > 1 or BLANK.subn("", move["text"])[1] > len(left):
        return
    node = maker.node(move["schema"], {})
    form = forms.filled(node, ROOT, forms.MISSING)
    missing = {*left_open(node, ROOT, form), *blanks(node, ROOT, form)}
    if not left:
        yield from [] if missing else [Tap()]
        return
    path = forms.below(ROOT, left[0])
    choice = next((each for at, each in forms.walk(node, ROOT, form) if at == path), None)
    if isinstance(choice, Choice) and len(choice.options) <= FEW and missing <= {path}:
        options = {value: label for value, label in choice.options.items() if value != choice.left_out}
        yield from (Tap(path, value, label) for value, label in options.items())
