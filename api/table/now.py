"""How things stand, for one seat: the parts of its first view, each told apart by a digest of what it shows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from fastapi.concurrency import run_in_threadpool

from api.http.request import Caller
from api.table.asked import Asked, asked_of
from api.table.client import Json
from api.table.descriptions import first_of
from api.table.pages import Desk, decides
from api.table.words import Words
from ledger.application.calls import Call
from projections.documents import feeds

MANY = 12  # buttons under one heading
LATEST = 6  # sentences
BACK = 12  # entries of the journal in which they are looked for


@dataclass(frozen=True, slots=True)
class Group:
    """Moves under one heading, by kind. `first`: what the game waits for; `folded`: what is seldom wanted.

    `about`: what a kind is, in the game's words, where several are waited for beside each other.
    `player`: whose character it is, where it is somebody else's.
    """

    title: str
    kinds: Mapping[str, list[Json]]
    first: bool = False
    folded: bool = False
    about: Mapping[str, str] = field(default_factory=dict)
    player: str = ""

    def beside(self, move: str) -> list[Json]:
        """The ways of doing the same, if the move is one of them."""
        return next((some for some in self.kinds.values() if any(one["move"] == move for one in some)), [])


@dataclass(frozen=True, slots=True)
class Now:
    """What the view shows. `me`: the seat that looks. `position`: of the campaign.

    `decides`: whether it settles and decides.
    `consents`: decisions that wait for this seat's consent. `disputes`: those that are this seat's to decide.
    """

    state: Json
    words: Words
    me: Json
    mine: list[Json]
    others: list[Json]
    awaited: list[Json]
    consents: list[Json]
    disputes: list[Json]
    groups: list[Group]
    latest: list[Json]
    most: Mapping[str, int]
    position: int
    decides: bool = False

    def way(self, awaited: Json) -> Json | None:
        """The move that is awaited: by whose it is, or the only one there is; its form leads to other ways."""
        some = [
            one for group in self.groups if group.first for moves in group.kinds.values() for one in moves
            if one["kind"] == awaited["kind"]
        ]  # fmt: skip
        who = awaited["character"]
        own = [one for one in some if who is not None and who in one["settled"].values()]
        return next(iter(own), some[0] if some and (who is None or len(some) == 1) else None)

    @property
    def digests(self) -> dict[str, str]:
        """By part: the same as long as it shows the same."""
        names = sorted((one["id"], one["name"]) for one in self.state["characters"])
        campaign = self.state["campaign"]
        shown: dict[str, object] = {
            "asked": [
                [(one["id"], one["version"], one["question"]) for one in self.mine],
                [(one["id"], one["said"]) for one in self.consents],
            ],
            "turn": [self.awaited, [self.way(one) for one in self.awaited], self.others, self.disputes, names],
            "moves": [[one.title, one.kinds, one.player] for one in self.groups],
            "scene": [self.state["scenes"], campaign["session"], campaign["sessions"], names, self.state["findings"]],
            "people": [self.state["characters"], campaign["state"], campaign["balances"], campaign["seats"]],
            "latest": self.latest,
        }
        return {part: _digest(value) for part, value in shown.items()}


PARTS = ("asked", "turn", "moves", "scene", "people", "latest")


def _digest(value: object) -> str:
    said = json.dumps(value, sort_keys=True, default=dict)
    return hashlib.sha256(said.encode()).hexdigest()[:10]


async def now(desk: Desk) -> Now:
    state, moves = await desk.client.together("/state", "/moves")
    told = state.json
    rows = await desk.client.get("/timeline", after=f"{max(0, state.position - BACK)}.0", limit=500)
    words = desk.words(told)
    seat = next(one for one in told["campaign"]["seats"] if one["id"] == desk.session.seat)
    mine = [one for one in told["waiting"] if _asks(one, seat)]
    return Now(
        state=told,
        words=words,
        me=seat,
        mine=mine,
        others=[one for one in told["waiting"] if one not in mine],
        awaited=awaited(told, words),
        consents=await _consents(desk, told),
        disputes=told["disputes"] if decides(told, seat["id"]) else [],
        groups=_told_apart(desk, told, grouped(moves.json["moves"], told, words, seat["id"])),
        latest=_latest([*rows["facts"], *await _lapsed(desk, state.position)]),
        most=_most(told),
        position=state.position,
        decides=decides(told, seat["id"]),
    )


def _told_apart(desk: Desk, state: Json, groups: Iterable[Group]) -> list[Group]:
    """With what each of several kinds is that the game waits for: their names alone do not tell a newcomer."""
    inputs = desk.system(state["campaign"]["system"])["inputs"]
    known = {one["kind"]: first_of(one["about"]) for one in inputs}
    return [replace(one, about=known) if one.first and len(one.kinds) > 1 else one for one in groups]


def awaited(told: Json, words: Words) -> list[Json]:
    """Whom the game waits for, but for what was begun, and what could have been begun in its place.

    `again`: by the rule of the one before, which is said once.
    """
    found: list[Json] = []
    there = told["awaited"]
    under_way = {
        (one["rule"], one["character"]) for one in there
        if one["rule"] is not None and begun(one["kind"], one["character"], told["waiting"], words)
    }  # fmt: skip
    for one in there:
        kept = (one["rule"], one["character"]) not in under_way
        if kept and not begun(one["kind"], one["character"], told["waiting"], words):
            again = bool(found) and found[-1]["rule"] == one["rule"] and one["rule"] is not None
            found.append({**one, "again": again})
    return found


async def _lapsed(desk: Desk, position: int) -> list[Json]:
    """What waited and can no longer come about, of these entries: as the feed tells it to this seat."""
    session, app = desk.session, desk.request.app.state
    caller = Caller(desk.ledger, Call(session.campaign, session.token), app.systems, standby=app.standby)

    def read() -> list[Json]:
        lens, _ = caller.view_lens()
        after = max(0, position - BACK), 0
        _, rows = caller.ask_views(lambda reader: feeds.news(reader, after, 500))
        said = (feeds.told(lens, one) for one in rows if one.what == "withdrawn")
        return [json.loads(one) for one in said if one is not None]

    found = await run_in_threadpool(read)
    return [{**one, "struck": False} for one in found if one["status"] == "lapsed"]


def _latest(told: list[Json]) -> list[Json]:
    """The last sentences, in the order in which they came."""
    placed = sorted(told, key=lambda one: [int(part) for part in one["id"].split(".")])
    return [one for one in placed if one["text"]][-LATEST:]


async def _consents(desk: Desk, state: Json) -> list[Json]:
    """Where the table wants consent at all, decisions that wait for this seat's."""
    if state["campaign"]["dials"].get("consent", "none") == "none":
        return []
    return [one for one in (await desk.client.get("/waiting", mine="true"))["decisions"] if not one["said"]]


def _asks(waiting: Json, seat: Json) -> bool:
    """Whether it is this seat that is asked."""
    question = waiting["question"]
    asked = question["asked"] if question is not None else None
    if asked is None or waiting["answer_schema"] is None:
        return False
    return bool(asked["seat"] == seat["id"] or (asked["seat"] == "gm" and seat["role"] == "gm"))


def begun(kind: str | None, who: str | None, waiting: list[Json], words: Words) -> bool:
    """Whether it was declared already, for this character or for nobody by name, and only waits for its answers; what
    nothing drives waits for any.
    """
    if kind is None:
        return bool(waiting)
    for declared in (one["declared"] or {} for one in waiting):
        there = [one for name, one in declared.items() if words.fields.get(name) == "character" and one]
        named = [id for one in there for id in (one if isinstance(one, list) else [one])]
        if declared.get("kind") == kind and (who is None or not named or who in named):
            return True
    return False


def _most(state: Json) -> dict[str, int]:
    """Of each unit the largest balance anybody has: what a bar is full at."""
    found: dict[str, int] = {}
    for one in (*state["characters"], *state["scenes"], state["campaign"]):
        for each in one["balances"]:
            found[each["unit"]] = max(found.get(each["unit"], 1), each["balance"])
    return found


def grouped(moves: list[Json], state: Json, words: Words, me: str) -> Iterator[Group]:
    """What is waited for first, then what each of one's own people can do, then all else; the table's business last."""
    people = {one["id"]: one for one in state["characters"]}
    first, own, rest, table = _parted(moves, state, words)
    for who, some in list(own.items()):  # a kind stands in one place where it can be for somebody yet to be named
        open_ = {one["kind"] for one in rest}
        rest += [one for one in some if one["kind"] in open_]
        own[who] = [one for one in some if one["kind"] not in open_]
    if first:
        yield Group("Next step", _kinds(first, words), first=True)
    for who in sorted(
        (one for one in own if own[one]),
        key=lambda one: (people[one]["seat"] != me, int(one) if one.isdecimal() else 0),
    ):
        other = people[who]["seat"] != me
        player = str(people[who]["player"] or "") if other else ""
        yield Group(people[who]["name"], _kinds(own[who], words), folded=len(own) > 2 and other, player=player)
    if rest:
        yield from _rest(rest, words)
    if table:
        yield Group("The table", _kinds(table, words), folded=True)


Parted: TypeAlias = tuple[list[Json], dict[str, list[Json]], list[Json], list[Json]]


def _parted(moves: list[Json], state: Json, words: Words) -> Parted:
    """What is waited for; by character, what each can do; what can be done besides; the table's business."""
    people = {one["id"] for one in state["characters"]}
    own: dict[str, list[Json]] = {}
    first, rest, table = [], [], []
    whose = [_whose(one, words) for one in moves]
    under_way = {
        (one["awaits"], who) for one, who in zip(moves, whose, strict=True)
        if begun(one["kind"], who, state["waiting"], words)
    }  # fmt: skip
    for one, who in zip(moves, whose, strict=True):
        said = {**one, "move": move_id(one)}
        if one["awaits"] is not None and (one["awaits"], who) not in under_way:
            first.append(said)
        elif "/ledger_" in one["schema"]["allOf"][0]["$ref"] or one["kind"] == "enrol":
            table.append(said)
        elif who in people:
            own.setdefault(str(who), []).append(said)
        else:
            rest.append(said)
    return first, own, rest, table


def _whose(move: Json, words: Words) -> str | None:
    """The character that the move settles, if any."""
    named = (value for name, value in move["settled"].items() if words.fields.get(name) == "character")
    return next((one for one in named if isinstance(one, str)), None)


def _rest(moves: list[Json], words: Words) -> Iterator[Group]:
    """What can be done besides; where it is much, what is about people in front, and the rest folded away."""
    about = {
        one["kind"] for one in moves for name in one["schema"]["allOf"][-1].get("properties", ())
        if words.fields.get(name) == "character"
    }  # fmt: skip
    kinds = {one["kind"] for one in moves}
    if len(kinds) <= MANY or not about or about == kinds:
        yield Group("Your actions", _kinds(moves, words))
        return
    yield Group("Your actions", _kinds([one for one in moves if one["kind"] in about], words))
    yield Group("More actions", _kinds([one for one in moves if one["kind"] not in about], words), folded=True)


def _kinds(moves: list[Json], words: Words) -> dict[str, list[Json]]:
    """What the game has a word for comes first: it is likeliest to be wanted."""
    known = {kind: at for at, kind in enumerate(words.labels)}
    found: dict[str, list[Json]] = {}
    for one in sorted(moves, key=lambda one: known.get(one["kind"], len(known))):
        found.setdefault(words.deed(one["kind"]), []).append(one)
    return found


def move_id(move: Json) -> str:
    """The same for the same move, as long as it is offered."""
    return _digest([move["kind"], move["schema"], move["scene"]])


def question_of(desk: Desk, now_: Now) -> Asked | None:
    """The first thing that is asked of the seat, with its form."""
    return asked_of(desk, now_.mine[0], now_.state) if now_.mine else None
