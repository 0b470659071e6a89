"""Leaks of the page, each planted for the attacker there to find: one hidden thing shows in one place."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, TypeAlias

import pytest
from markupsafe import Markup

from api.table import declaring, groups, now, pages, sessions, your_tables
from api.table.now import Now
from api.table.pages import Desk
from api.table.presentations import Presenter
from tests.api.table import Json
from tests.api.twins.attacks import Twins
from tests.api.twins.faults import foreseeing_what_comes, foreseeing_with_more_work

#: The campaign that a request is for.
_here: ContextVar[str] = ContextVar("_here", default="")


class Leaking:
    """Of these twins. `other()`: whether this request is for the one that keeps the other secret."""

    def __init__(self, patch: pytest.MonkeyPatch, twins: Twins) -> None:
        self.patch, self.twins = patch, twins
        find_session = sessions.find_session

        def noting(keys: Any, cookies: Any, campaign: str, seat: str) -> Any:
            _here.set(campaign)
            return find_session(keys, cookies, campaign, seat)

        patch.setattr(pages, "find_session", noting)

    def other(self) -> bool:
        return bool(_here.get() == self.twins.tables[1].id)

    def wrap(self, owner: Any, name: str, leaking: Callable[[Any], Any]) -> None:
        """Change what a function returns, in the one campaign only."""
        inner = getattr(owner, name)

        def wrapped(*given: Any, **more: Any) -> Any:
            found = inner(*given, **more)
            return leaking(found) if self.other() else found

        self.patch.setattr(owner, name, wrapped)


Leak: TypeAlias = Callable[[Leaking], None]


def a_prompt(leaking: Leaking) -> None:
    """What the moment asks says more."""
    leaking.wrap(Presenter, "prompt", lambda html: Markup("<p>He holds the king.</p>") + (html or ""))


def a_board(leaking: Leaking) -> None:
    """Somebody on the board is marked."""
    leaking.wrap(Presenter, "board", lambda html: html and Markup(str(html).replace(' class="mark"', "")))


def a_sheet(leaking: Leaking) -> None:
    """A template gets the documents of the owner, and asks for a field that this seat is not shown."""
    states = {table.id: getattr(table, leaking.twins.secret.owner).look("/state") for table in leaking.twins.tables}

    def of_the_owner(presenter: Presenter, who: Json) -> Markup:
        whole = {each["id"]: each for each in states[_here.get()]["characters"]}
        return Markup("<p>{}</p>").format(whole[who["id"]])

    leaking.patch.setattr(Presenter, "sheet", of_the_owner)


def a_question(leaking: Leaking) -> None:
    """What a question rests on says more, or its answers do."""
    leaking.wrap(Presenter, "question", lambda html: Markup("<p>He holds the king.</p>") + (html or ""))


def some_work(leaking: Leaking) -> None:
    """A preview takes longer, as much as what is hidden has it."""
    foreseeing_with_more_work(leaking.patch)


def a_roll_card(leaking: Leaking) -> None:
    """A roll that nobody was shown stands beside the last ruling."""
    die = {"sides": 6, "face": 6, "counts": True, "name": ""}
    roll: Json = {
        "who": None,
        "name": "",
        "dice": [die],
        "total": None,
        "target": None,
        "success": None,
        "word": "",
        "effect": "",
    }
    leaking.wrap(
        now, "_list_latest_entries", lambda entries: [{**entry, "rolls": [*entry["rolls"], roll]} for entry in entries]
    )


def a_title(leaking: Leaking) -> None:
    """A tab has a dot where a hidden thing waits for this seat."""
    render = Desk.render

    def dotted(desk: Desk, template: str, **known: Any) -> str:
        html = render(desk, template, **known)
        return html.replace("<title>", "<title>● ", 1) if leaking.other() and "● " not in html else html

    leaking.patch.setattr(Desk, "render", dotted)


def a_turn(leaking: Leaking) -> None:
    """It is somebody's turn, or nobody's."""
    entry: Json = {
        "seat": {"seat": "s3", "name": "Cleo", "role": "player"},
        "character": None,
        "kind": "hit",
        "rule": None,
        "text": "",
        "again": False,
        "move": None,
    }
    leaking.wrap(now, "list_awaited_turns", lambda entries: [*entries, entry])


def a_button(leaking: Leaking) -> None:
    """A move can be declared by one tap, or only by its form."""
    leaking.wrap(now, "list_taps", lambda taps: [])


def an_order(leaking: Leaking) -> None:
    """The actions stand in the order in which something hidden makes them good."""
    leaking.wrap(now, "group_moves", lambda groups: reversed(list(groups)))


def an_id(leaking: Leaking) -> None:
    """What leads to a move counts what is hidden."""
    for place in (groups, declaring):
        leaking.wrap(place, "make_move_id", lambda id: f"{id}2")


def a_preview(leaking: Leaking) -> None:
    """A preview tells what comes of it, whatever that rests on."""
    foreseeing_what_comes(leaking.patch)


def a_refusal(leaking: Leaking) -> None:
    """Why a tap was refused says what stood against it."""
    leaking.wrap(declaring, "add_problem", lambda asked: replace(asked, problem={"detail": "He has nine coins."}))


def a_tap(leaking: Leaking) -> None:
    """A tap leads on to the form where it rests on what is hidden."""
    leaking.wrap(declaring, "_redirect_to_result", lambda response: None)


def a_header(leaking: Leaking) -> None:
    """A page has a mark of what it was made from, shown or not."""
    page = Desk.render_page

    def marked(desk: Desk, template: str, status: int = 200, **known: Any) -> Any:
        answer = page(desk, template, status, **known)
        answer.headers["ETag"] = '"2"' if leaking.other() else '"1"'
        return answer

    leaking.patch.setattr(Desk, "render_page", marked)


def a_device(leaking: Leaking) -> None:
    """The cookie with this device's tables names more than the table."""
    remember = your_tables.remember_table

    def telling(answer: Any, request: Any, table: Any) -> None:
        remember(answer, request, replace(table, name="Twins, nine coins") if leaking.other() else table)

    leaking.patch.setattr(your_tables, "remember_table", telling)


def a_digest(leaking: Leaking) -> None:
    """A part of the page is sent again although it shows the same."""
    digests: Any = Now.__dict__["digests"]

    def telling(view: Now) -> dict[str, str]:
        return {**digests.fget(view), **({"people": "0123456789"} if leaking.other() else {})}

    leaking.patch.setattr(Now, "digests", property(telling))


def a_checklist(leaking: Leaking) -> None:
    """What is left to set up counts somebody who hides."""
    leaking.wrap(now, "find_preparation", lambda preparation: replace(preparation, needs_character=True))


LEAKS: tuple[Leak, ...] = (
    a_prompt,
    a_board,
    a_sheet,
    a_question,
    a_roll_card,
    a_title,
    a_turn,
    a_button,
    an_order,
    an_id,
    a_preview,
    some_work,
    a_refusal,
    a_tap,
    a_header,
    a_device,
    a_digest,
    a_checklist,
)
