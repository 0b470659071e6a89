"""Every view of the page, in this one place: for axe, for large text, and for the attacker of the law of twins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape

from starlette.routing import compile_path

from api.table.parts import PARTS
from tests.api.page.campaigns import FACES, begun
from tests.api.table import Json, Player, Service, Table

#: What everybody may look at, without a seat.
OPEN = ("/", "/start", "/join", "/design")
#: Of every ruling.
OF_A_RULING = (
    "",
    "?leaning=true",
    "?around=true",
    "/decide",
    "/overturn",
    "/reinstate",
    "/rewind",
    "/late",
    "/late/adjust",
    "/uphold",
    "/revise",
    "/what-if",
    "/dossier",
    "/dossier.json",
)
#: What is no view: it goes on for as long as somebody looks, is a file of our own, or leads elsewhere.
NO_VIEWS = {
    "/static/{digest}/{name}",
    "/table/{campaign}/{seat}",
    *(
        f"/table/{{campaign}}/{{seat}}/{one}"
        for one in ("live", "live/timeline", "live/rulings/{number}", "book", "yours")
    ),
}


def linked(page: str, at: str) -> list[str]:
    """Where the page leads, below the seat."""
    found = (unescape(link) for link in re.findall(r'href="([^"#]+)', page))
    return [link.removeprefix(at) for link in found if link.startswith(f"{at}/") and not link.endswith("/book")]


def views(player: Player, now: str = "", at: str = "") -> list[str]:
    """The paths of all views of a seat, below it, in an order that is the same for the same campaign.

    `now`: its first view, from which further ones follow. `at`: where that is.
    """
    campaign = player.look()
    rulings = [ruling["number"] for ruling in player.look("/rulings", limit=500)["rulings"]]
    accounts = [each["account"] for each in player.look("/accounts", limit=500)["accounts"]]
    subjects = [f"character/{each['id']}" for each in campaign["characters"]]
    subjects += [f"scene/{each['id']}" for each in campaign["scenes"]]
    found = ["/", "/timeline", "/timeline?q=as", "/sheets", "/decide", "/findings", "/back", "/accounts", "/dice"]
    found += ["/audit", "/audit/run", "/audit/export", "/settings", "/settings/what-if?dial=dice&value=table"]
    found += [
        "/start",
        "/start/players",
        "/start/characters",
        "/start/make",
        "/start/scene",
        "/sheet/campaign",
        "/rulings/999",
    ]
    found += ["/waiting/nothing", "/proposals/nothing", "/why/campaign/dials", *linked(now, at)]
    found += [f"/sheet/{subject}" for subject in subjects] + [f"/why/{subject}/name" for subject in subjects]
    found += [f"/rulings/{number}{more}" for number in rulings for more in OF_A_RULING]
    found += [f"/back?at={number}{clock}" for number in rulings for clock in ("", "&as=recorded")]
    found += [f"/back/sessions/{session['id']}" for session in campaign["sessions"]]
    found += [f"/accounts/{account}" for account in accounts]
    return list(dict.fromkeys(found))


def kind(path: str) -> str:
    """What paths of one view have in common, whatever it is about."""
    return re.sub(r"\d+", "1", re.sub(r"(?<=/accounts/).*|(?<=/declare/).*|(?<=\?move=).*", "", path))


def routes() -> Iterator[str]:
    """The routes of all views, as the page has them."""
    for part in PARTS:
        for route in part.router.routes:
            if "GET" in getattr(route, "methods", ()) and route.path not in NO_VIEWS:
                yield route.path


def unseen(paths: Iterable[str], at: str) -> list[str]:
    """The routes that none of these paths leads to. `at`: where the seat is."""
    whole = [f"{at}{path}".partition("?")[0] for path in paths] + [*OPEN]
    return [route for route in routes() if not any(compile_path(route)[0].match(path) for path in whole)]


# --- what people see at a table, moment by moment ---


@dataclass(frozen=True, slots=True)
class Sight:
    """A view at a moment. `who`: whose; nobody's, where it needs no seat. `path`: with `{…}` for what is asked."""

    name: str
    path: str
    who: str = ""
    moment: str = ""

    def __str__(self) -> str:
        return self.name


#: Every view that came with the table, and whatever a moment shows on them.
SIGHTS = (
    Sight("the first view", "/"),
    Sight("starting", "/start?game=mongrel"),
    Sight("the parts", "/design"),
    Sight("joining", "/join"),
    Sight("an empty table", "/", "gm", "empty"),
    Sight("the checklist", "/start", "gm", "empty"),
    Sight("players", "/start/players", "gm", "empty"),
    Sight("ready characters", "/start/characters", "gm", "empty"),
    Sight("the first scene", "/start/scene", "gm", "empty"),
    Sight("choosing a character", "/", "ben", "empty"),
    Sight("declaring with the sheet", "/declare/declare", "ben", "declaring"),
    Sight("own dice", "/waiting/{waiting}", "ben", "dice"),
    Sight("asked for own dice", "/", "ben", "dice"),
    Sight("whose turn it is", "/", "cleo", "acting"),
    Sight("acting", "/", "ben", "acting"),
    Sight("defending", "/", "cleo", "defending"),
    Sight("a board for the game master", "/", "gm", "defending"),
    Sight("resolving", "/", "ben", "resolving"),
    Sight("an impact", "/", "ben", "impact"),
    Sight("a roll with its card", "/rulings/{roll}", "cleo", "impact"),
    Sight("cards in the timeline", "/timeline", "cleo", "impact"),
    Sight("a game without a presentation", "/", "ben", "toy"),
)


def at_the_moment(service: Service, moment: str) -> Table:
    """A table at this moment of a round of Levels of Intensity, in which Ben's character acts first."""
    if moment == "empty":
        return empty(service, "intensity")
    if moment == "toy":
        return begun(service, "toy")
    table = begun(service, "intensity")
    table.gm.declare("open-round", participants=["1", "2"])
    if moment == "declaring":
        return table
    for id, target in (("1", "2"), ("2", "1")):
        trait = table.gm.look(f"/characters/{id}")["state"]["traits"][0]["name"]
        table.gm.declare("declare", char=id, target=target, level="calm", trait=trait, text="steps forward")
    if moment == "dice":
        table.ben.does("/rulings", {"declare": {"kind": "roll"}, "dice": "table"}, 202)
        return table
    for kind, fields in STEPS[: MOMENTS.index(moment) + 1]:
        table.gm.declare(kind, **fields)
    return table


def empty(service: Service, system: str) -> Table:
    """A table where nobody plays yet."""
    table = object.__new__(Table)
    table.service = service
    opened = service.open(system=system, name="An evening").json()
    table.id, table.gm = opened["id"], Player(table, "s1", opened["seat"]["token"])
    table.ben = table.seat("Ben", "player")
    return table


MOMENTS = ("acting", "defending", "resolving", "impact")
STEPS: tuple[tuple[str, Json], ...] = (
    ("roll", {"faces": FACES}),
    ("attack", {"char": "1", "target": "2"}),
    ("defend", {"dice": []}),
    ("resolve", {}),
)


def path_of(sight: Sight, table: Table) -> str:
    """With the ruling that rolled, and the question that waits."""
    waiting = [each["id"] for each in table.gm.look("/waiting")["waiting"]] or [""]
    rolls = [each["number"] for each in table.gm.look("/rulings", limit=500)["rulings"] if each["rolls"]] or [1]
    return sight.path.format(waiting=waiting[0], roll=rolls[0])
