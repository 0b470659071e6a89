"""What people write is text on every view: script in every field there is, and every view that is led to is read."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from urllib.parse import quote, urljoin

import pytest
from markupsafe import escape

from tests.api.page.sitting import Sitter, at_the_page
from tests.api.table import Json, Service, Table

PUBLIC = "93.184.216.34"  # nothing is sent there: nobody delivers here
ALIKE = 2  # addresses of one kind that are looked at: numbers and what stands behind a question mark aside


def hostile(field: str) -> str:
    """Gets out of a text, of an attribute, of either kind of quotes, of a script's string and of a comment."""
    return f"{field}<script>alert('{field}')</script>'\"--><img src=x onerror=alert(1)>"


class Wrong(HTMLParser):
    """Whatever runs, or would be loaded, that no template of ours holds. `links`: where else the page leads."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {name for name, _ in attrs}
        strange = [name for name in names if name.startswith(("on", "hx-on")) or name == "style"]
        if tag in ("img", "iframe", "style") or (tag == "script" and "src" not in names) or strange:
            self.found.append(self.get_starttag_text() or tag)
        for name, value in attrs:
            if name == "href" and value is not None:
                self.links.append(value)
                if re.match(r"\s*(javascript|data:text)", value, re.IGNORECASE):
                    self.found.append(value)


def kind(path: str) -> str:
    return re.sub(r"\d+", "1", re.sub(r"\?.*", "?", path))


def views(sitter: Sitter) -> dict[str, str]:
    """Every view by its address: a few of each kind that the first one leads to, and those lead to."""
    found: dict[str, str] = {}
    kinds: Counter[str] = Counter()
    open_ = [f"{sitter.at}/"]
    while open_:
        path = open_.pop(0).partition("#")[0]
        if path in found or not path.startswith(f"{sitter.at}/") or kinds[kind(path)] == ALIKE:
            continue
        answer = sitter.get(path)
        kinds[kind(path)] += 1
        if answer.headers.get("content-type", "").startswith("text/html"):
            found[path] = answer.text
            open_ += [urljoin(path, one) for one in Wrong(answer.text).links]
    return found


@pytest.fixture
def written(service: Service) -> tuple[Table, list[str]]:
    """A table where everybody writes script wherever one can write, and what it was."""
    said: list[str] = []

    def text(field: str) -> str:
        said.append(hostile(field))
        return said[-1]

    table = Table(service)
    gm, ben = table.gm, table.ben
    table.service.send(
        "PATCH",
        f"/campaigns/{table.id}/seats/{ben.id}",
        {**gm.bearer, "Idempotency-Key": "a-key-of-this-test"},
        json={"name": text("seat")},
    )
    ben.does("/characters", {"name": text("character"), "seat": ben.id, "sheet": {"health": 9}})
    table.cleo.enrol("Celia")
    gm.does("/sessions", {"title": text("session")})
    gm.does("/scenes", {"title": text("scene"), "cast": ["1", "2"]})
    coin: Json = {"source": "bank/coin", "target": "character:1/coin", "unit": "coin", "amount": 5}
    adjusted = gm.declare("adjust", **coin, reason=text("adjusting"))["number"]
    gm.declare("amend", subject="character:1", field="harm", value=2, reason=text("amending"))
    given = ben.declare("give", char="1", to="2", coins=4)["number"]
    gm.declare("set-dial", name="die", value=8, reason=text("dial"))
    ben.does(f"/rulings/{given}/dispute", {"reason": text("dispute")}, 200)
    gm.does(f"/rulings/{adjusted}/overturn", {"reason": text("overturning")}, 200)
    gm.does("/bookmarks", {"ruling": given, "note": text("note"), "mine": False})
    gm.does("/hooks", {"url": f"https://{PUBLIC}/?{text('hook')}", "events": ["fact"]})
    gm.does("/invites", {"role": "player", "name": text("invited")})
    return table, said


@pytest.mark.nightly
def test_script_that_somebody_writes_is_text_on_every_view(written: tuple[Table, list[str]]) -> None:
    table, said = written
    seen: set[str] = set()
    for player in (table.gm, table.ben):
        sitter = at_the_page(player)
        shown = views(sitter)
        for path, page in shown.items():
            assert not (wrong := Wrong(page).found), (path, wrong)
            seen |= {one for one in said if str(escape(one)) in page}
    assert {one.partition("<")[0] for one in said if one not in seen} == set()


def test_script_in_what_is_asked_for_or_refused_is_text_where_it_is_told(written: tuple[Table, list[str]]) -> None:
    """Searches, places and filters in the address; and forms that come back with what is wrong."""
    table, _ = written
    text, sitter = hostile("refused"), at_the_page(table.gm)
    at, asked = sitter.at, quote(hostile("asked"), safe="")
    paths = [
        f"{at}/timeline?q={asked}",
        f"{at}/timeline?kind={asked}",
        f"{at}/timeline?session={asked}",
        f"{at}/back?at={asked}",
        f"{at}/back?at=3&as={asked}",
        f"{at}/settings/what-if?dial={asked}&value={asked}",
        f"{at}/sheet/{asked}/1",
        f"{at}/why/character/1/{asked}",
        f"{at}/declare/{asked}?person={asked}",
        f"{at}/accounts/{asked}",
        f"{at}/rulings/{asked}",
        f"{at}/waiting/{asked}",
        f"{at}/{asked}",
        f"/systems/toy/guide?q={asked}",
    ]
    told = {path: sitter.get(path) for path in paths}
    written_wrong = {
        "hook": {"url": text},
        "bookmark": {"ruling": "9999", "note": text},
        "seat": {"name": ""},
        "fork": {"at": "9999", "name": text},
        "invite": {"name": text, "days": "999"},
        "dial": {"dial": text, "value": text, "reason": text},
    }
    for what, fields in written_wrong.items():
        told[what] = sitter.send(sitter.form(f"{at}/settings", f"{at}/settings/{what}"), fields)
    told["seal"] = sitter.send(sitter.form(f"{at}/audit", f"{at}/audit/compare"), {"seal": text})
    told["join"] = Sitter(sitter.address).sit(text)
    enrol = next(one for one in sitter.moves() if "/declare/enrol" in one)
    told["enrol"] = sitter.send(
        sitter.form(enrol, enrol.partition("?")[0]), {"/declare/name": text, "/declare/seat": text}
    )
    for path, answer in told.items():
        assert answer.status_code < 500, (path, answer.text)
        if answer.headers.get("content-type", "").startswith("text/html"):
            assert not (wrong := Wrong(answer.text).found), (path, wrong)
    assert [
        name
        for name in ("hook", "bookmark", "fork", "invite", "dial", "join", "enrol")
        if told[name].status_code != 422
    ] == []
    assert escape(text.partition("<")[0]) in told["enrol"].text
