"""The views of a seat, in the order of the navigation. Add a line here for a new view."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class View:
    """A view. `path`: its path below the seat's path. `is_in_bar`: whether the navigation always shows it; the other
    views are under "More". `short`: a shorter title for the navigation, if the full title would not fit.
    """

    path: str
    title: str
    is_in_bar: bool = False
    short: str = ""


VIEWS = (
    View("", "Now", is_in_bar=True),
    View("timeline", "Timeline", is_in_bar=True),
    View("sheets", "Characters and scenes", short="Characters"),
    View("decide", "Open decisions", short="Decisions"),
    View("findings", "Needs attention", short="Attention"),
    View("back", "Look back"),
    View("accounts", "Accounts"),
    View("dice", "Dice"),
    View("audit", "Audit"),
    View("settings", "Settings"),
    View("book", "Rulebook"),
)


#: The view that contains an address, by the first part of the address.
WITHIN = {"rulings": "timeline", "proposals": "decide", "sheet": "sheets", "why": "sheets"}

#: The first parts of addresses that readers can share with others at the table.
SHARED = {*WITHIN, "timeline", "sheets", "decide", "findings", "back", "accounts", "dice"}


def find_view(path: str, seat_path: str) -> str:
    """Return the path of the view that an address belongs to, or ""."""
    path_start = path.removeprefix(seat_path).strip("/").partition("/")[0]
    view_paths = {view.path for view in VIEWS}
    path_start = WITHIN.get(path_start, path_start)
    return path_start if path_start in view_paths else ""
