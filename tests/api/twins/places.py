"""Everything there is to read in a campaign: every path, every place in both clocks, by all that can be asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any
from urllib.parse import quote

import httpx

from projections.documents.subjects import flatten
from tests.api.twins.games import Secret

Both = Callable[[str], tuple[httpx.Response, httpx.Response]]
CLOCKS = ("recorded", "corrected")
FIELDS = ("name", "state/hidden", "state/hand", "state/importance", "state/status/level")
#: What tells how things are at the moment.
NOW = (
    "",
    "/state",
    "/characters",
    "/rulings?limit=500",
    "/timeline?limit=500",
    "/waiting",
    "/bookmarks",
    "/moves",
    "/moves?blocked=true",
    "/findings",
    "/findings?settled=true",
    "/audit",
    "/accounts?limit=500",
    "/dice?limit=500",
    "/seal",
    "/export",
)
#: Filters that nothing fits: what is listed then is what everybody knows.
MISSPELT = (
    "/rulings?rule=nothing&kind=nothing",
    "/rulings?character=99&seat=s9&scene=99&session=99",
    "/timeline?ruling=999",
    "/timeline?subject=scene:99&kind=nothing",
    "/moves?scene=99",
    "/waiting?mine=me&all=1",
)


class Places:
    """`owners`: what the owner of the secret is told of a path, in both campaigns."""

    def __init__(self, secret: Secret, owners: Both) -> None:
        self.secret = secret
        self.owners = owners
        self.subjects = [f"/characters/{id}" for id in "12"] + ([f"/scenes/{secret.scene}"] if secret.scene else [])

    @cached_property
    def hidden(self) -> list[str]:
        """`why` of all that the owner sees differ."""
        found = []
        for subject in self.subjects:
            one, other = (flatten(answer.json()) for answer in self.owners(subject))
            fields = [field for field in {**one, **other} if one.get(field) != other.get(field)]
            found += [f"{subject}/why{field}?full=true" for field in fields if not field.startswith("/balances")]
        return found

    @cached_property
    def filters(self) -> list[str]:
        """Whatever rulings and events can be filtered by, as the owner knows of it."""
        told = [answer.json()["rulings"] for answer in self.owners("/rulings?limit=500")]
        rulings = [one for rows in told for one in rows]

        def each(name: str, values: Iterable[Any]) -> list[str]:
            return [f"{name}={value}" for value in sorted(set(values))]

        facts = each("kind", (fact["kind"] for one in rulings for fact in one["facts"]))
        found = each("rule", (step["rule"] for one in rulings for step in one["because"]))
        found += each("kind", (one["declared"]["kind"] for one in rulings))
        found += each("q", (word for one in rulings for word in re.findall(r"[^\W\d_]{3,}", str(one["declared"]))))
        units = {posting["unit"] for one in rulings for fact in one["facts"] for posting in fact["postings"]}
        moved = [
            f"/{place}?unit={quote(unit)}" for unit in sorted(units) for place in ("rulings", "timeline", "accounts")
        ]
        found += ["q=-nothing", "q=as or a", "q=mistake&order=desc&limit=1", "view=brief&order=desc&limit=3"]
        found += ["character=1", "character=2", "seat=s1", "seat=s2", "status=disputed", "status=revised"]
        words = [f"/timeline?{one}" for one in found if one.startswith("q=")]
        return [f"/rulings?{one}" for one in found] + [f"/timeline?{one}" for one in facts] + words + moved

    def paths(self, rulings: int, waiting: Iterable[str]) -> Iterable[str]:
        numbers = range(1, rulings + 1)
        half = numbers[len(self.secret.name) % 2 :: 2]  # of each secret other ones: what leaks at one does at the next
        some = numbers[1::3]  # of what `/state` tells, too
        yield from NOW
        yield from (
            "/rulings?limit=2&after=3",
            "/timeline?limit=3",
            "/seal/since/3",
            "/seats/s2",
            "/sessions/3/replay",
            "/sessions/5/replay",
            "/invites",
            "/landmarks",
            "/landmarks?most=3",
            "/dice/faces",
            "/sessions",
            "/decisions",
            "/decisions?limit=1",
            "/decisions?decision=disputed",
            "/decisions?seat=s1",
            "/rulings?since=4&until=9",
            "/timeline?since=4&until=9",
            "/rulings?target=1",
            "/rulings?target=2",
        )
        yield from self.filters
        yield from MISSPELT
        yield from self.hidden
        yield from (f"/rulings/{number}?leaning=true" for number in half)
        yield from (f"/rulings/{number}/dossier" for number in some)
        yield from (f"/timeline?ruling={number}&as=recorded" for number in some)
        yield from (f"/accounts?at={number}&as={clock}" for number in some for clock in CLOCKS)
        yield from (f"/state?at={number}&as={clock}" for number in half for clock in CLOCKS)
        yield from (f"/diff?at={number}" for number in half)
        yield from (f"/diff?from={number}&to={number + 1}&as={clock}" for number in some for clock in CLOCKS)
        yield from (f"/diff?from={1 + rulings // 2}&to=1", "/diff?from=1&as=recorded", f"/diff?from=2&to={rulings}")
        sessions = [f"/sessions/{session}/replay?from={first}" for session in (3, 5) for first in (1, rulings // 2)]
        yield from (f"{one}&to={rulings - 1}&as={clock}" for one in sessions for clock in CLOCKS)
        for subject in self.subjects:
            about = "" if subject.startswith("/scenes") else subject.removeprefix("/characters/")
            named = f"character:{about}" if about else f"scene:{self.secret.scene}"
            yield from (subject, f"{subject}/history?limit=500", f"{subject}/history?as=recorded&at=9")
            yield f"/timeline?subject={named}&limit=500"
            yield from (f"{subject}?at={number}&as={clock}" for number in some for clock in CLOCKS)
            yield from (f"{subject}/why/{field}?full=true" for field in FIELDS)
            yield from (f"{subject}/why/{field}" for field in ("nothing", "balances/0", "balances/7"))
        yield from (f"/timeline?subject={one}&limit=500" for one in ("campaign", "seat:s2", "seat:s3"))
        yield from (
            f"/accounts/character:{id}/{unit}?line=9"
            for id in "12"
            for unit in ("coin", "card", "chip:white", "bead:plot")
        )
        yield from (f"/accounts/character:{id}/coin?session=3" for id in "12")
        yield from ("/why/nothing", "/why/dials?full=true", "/why/session?full=true", "/why/balances/0")
        yield from (f"/seal/entries/{index}" for index in range(0, 60, 13))
        yield from (f"/what-if?without={number}&stands=true" for number in half)
        yield from (f"/what-if?dial={quote(dial)}" for dial in self.secret.dials)
        yield from (f"/waiting/{id}" for id in waiting)
