"""The views of a seat, as the navigation lists them: whoever adds one adds its line here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class View:
    """`path`: below the seat's own, "" being the first view. `bar`: always in sight; the others stand behind "More".

    `short`: what it is called there while one is at it, where the whole title would not stand in a line.
    """

    path: str
    title: str
    bar: bool = False
    short: str = ""


VIEWS = (
    View("", "Now", bar=True),
    View("timeline", "Timeline", bar=True),
    View("sheets", "Characters and scenes", short="Characters"),
    View("decide", "Open decisions"),
    View("findings", "Needs attention"),
    View("back", "Look back"),
    View("accounts", "Accounts"),
    View("dice", "Dice"),
    View("audit", "Audit"),
    View("settings", "Settings"),
    View("book", "Rulebook"),
)


#: Addresses that belong to a view of another name.
WITHIN = {"rulings": "timeline", "proposals": "decide", "sheet": "sheets", "why": "sheets"}

#: Whose addresses one sends to others at the table, by how they begin.
SHARED = {*WITHIN, "timeline", "sheets", "decide", "findings", "back", "accounts", "dice"}


def here(path: str, at: str) -> str:
    """Which view an address belongs to; a ruling belongs to the timeline it stands in, whatever is said to "now"."""
    first = path.removeprefix(at).strip("/").partition("/")[0]
    known = {view.path for view in VIEWS}
    first = WITHIN.get(first, first)
    return first if first in known else ""
