"""The views of a seat, as the navigation lists them: whoever adds one adds its line here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class View:
    """`path`: below the seat's own, "" being the first view. `bar`: always in sight; the others stand behind "More"."""

    path: str
    title: str
    bar: bool = False


VIEWS = (
    View("", "Now", bar=True),
    View("timeline", "Timeline", bar=True),
    View("book", "The book"),
)


def here(path: str, at: str) -> str:
    """Which view an address belongs to; a ruling belongs to the timeline it stands in, whatever is said to "now"."""
    first = path.removeprefix(at).strip("/").partition("/")[0]
    known = {one.path for one in VIEWS}
    if first == "rulings":
        first = "timeline"
    return first if first in known else ""
