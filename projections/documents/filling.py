"""Documents that views keep as they are sent, but for names of seats and statements of rules: these may change."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from projections.documents.rulings import Refusal, Step
from projections.documents.systems import statement
from projections.redaction import ViewLens, text

#: Stands on both sides of a seat's id where its name will stand, of a rule's id where its statement will.
LEFT_OPEN = "\0"
#: The same in the text of a document.
OPEN = "\\u0000"


def could_be_misread(document: str) -> bool:
    """Whether something is in the text already that would be taken for what was left open."""
    return OPEN in document


class Nameless(ViewLens):
    """A lens that leaves the names of the seats open."""

    def seat_name(self, id: str) -> str:
        return f"{LEFT_OPEN}{id}{LEFT_OPEN}"


def open_statements(steps: Iterable[Step | Refusal]) -> None:
    for step in steps:
        step["statement"] = f"{LEFT_OPEN}{step['rule']}{LEFT_OPEN}"


class Names(dict[str, str]):
    """What stands where something was left open, as it is now: within quotes. The ids of rules have points in them."""

    def __init__(self, lens: ViewLens) -> None:
        super().__init__()
        self.lens = lens

    def __missing__(self, id: str) -> str:
        found = self[id] = _statement(id) if "." in id else text(self.lens.seat_name(id))[1:-1]
        return found

    def filled(self, document: str) -> str:
        parts = document.split(OPEN)
        parts[1::2] = [self[id] for id in parts[1::2]]
        return "".join(parts)


@cache
def _statement(id: str) -> str:
    return text(statement(id))[1:-1]
