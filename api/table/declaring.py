"""Declaring and answering: forms made of the schemas of moves and questions, tried, sent, and told what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from api.table import forms
from api.table.asked import ANSWERED, DECLARED, Asked, asked_of, back, resized, shown, unsaid, wrong
from api.table.client import Answer, Json, Turned
from api.table.descriptions import about
from api.table.form_tokens import key_of, must_be_ours, new_key
from api.table.mistakes import left_open, waits
from api.table.nodes import Listing
from api.table.now import grouped
from api.table.pages import Desk, Paged, Sitting, decides
from api.table.ways import tell_apart
from api.table.words import plain

router = APIRouter(prefix="/table/{campaign}/{seat}", include_in_schema=False, route_class=Paged)
DICE = ("ledger", "table")
#: Other ways of doing the same, who is ready to play, and what was declared already.
Beside: TypeAlias = tuple[Sequence[Json], Sequence[str], Sequence[Json]]
MOST_WAYS = 12  # of what is chosen so
FEW_WAYS = 3  # of doing the same, that are seen at once


@router.get("/declare/{kind}")
async def declare(desk: Sitting, kind: str, move: str | None = None, person: str | None = None) -> Response:
    """The form of one move, and the other ways of doing the same; of a kind that is several moves, these."""
    found, state = (one.json for one in await desk.client.together("/moves", "/state"))
    words = desk.words(state)
    groups = list(grouped(found["moves"], state, words, desk.session.seat))
    there = [one for group in groups for some in group.kinds.values() for one in some if one["kind"] == kind]
    one = there[0] if move is None and len(there) == 1 else next((each for each in there if each["move"] == move), None)
    tell_apart(there, desk.maker(state), words)
    if one is None:
        missed = move is not None or not there
        return desk.page(
            "choose.html.jinja", 404 if missed else 200, kind=words.deed(kind), moves=there, missed=missed,
            name=state["campaign"]["name"],
        )  # fmt: skip
    already = [each for each in state["waiting"] if the_same(each, one, desk.session.seat)]
    ways = [each for group in groups for each in group.beside(one["move"]) if each is not one]
    people = desk.system(state["campaign"]["system"])["people"] if kind == "enrol" else {}
    begun: Any = {"name": person, "sheet": people[person]} if person in people else forms.MISSING
    asked = shown(desk, state, DECLARED, f"{desk.session.path}/declare/{kind}", one["schema"], begun)
    told = "" if one["text"] == f"{plain(kind)}." else one["text"]  # which stands above it already
    said = {"scene": [one["scene"] or ""], "text": [told], "apart": [one["apart"]], "dice": [""]}
    asked = replace(asked, said=asked.said | said)
    tried = await _beforehand(desk, state, asked)
    return await _declaring(desk, state, asked, kind, tried=tried, beside=(ways, [*people], already))


@router.post("/declare/{kind}")
async def send(request: Request, desk: Sitting, kind: str) -> Response:
    """Declare it; or only try it; or change how many items a list has."""
    must_be_ours(request)
    said, state = await forms.posted(request), await desk.client.get("/state")
    asked = back(desk, state, DECLARED, f"{desk.session.path}/declare/{kind}", said)
    if (other := resized(asked)) is not None:
        return await _declaring(desk, state, other, kind)
    if "try" in said:
        answer = await desk.client.post("/rulings", _body(asked) | {"preview": True}, key_of(asked.key))
        return await _tried(request, desk, state, asked, answer, kind)
    if (empty := unsaid(asked)) is not None:
        return await _declaring(desk, state, empty, kind, 422)
    answer = await desk.client.post("/rulings", _body(asked), key_of(asked.key))
    done = _done(desk, answer)
    return done or await _declaring(desk, state, wrong(asked, answer.json), kind, answer.status)


def a_choice(ways: Sequence[Json]) -> bool:
    """Whether which of them it is is what there is to choose: something that each of them settles otherwise."""
    settled = [one["settled"] for one in ways]
    told = [[repr(one.get(name)) for one in settled] for name in (settled[0] if settled else ())]
    return len(ways) <= MOST_WAYS and any("None" not in one and len(set(one)) == len(ways) for one in told)


def the_same(waiting: Json, move: Json, seat: str) -> bool:
    """Whether what waits is this seat's, of this kind, and says what the move settles."""
    declared = waiting["declared"] or {}
    mine = waiting["by"]["seat"] == seat and declared.get("kind") == move["kind"]
    return bool(mine and all(declared.get(name, value) == value for name, value in move["settled"].items()))


async def _beforehand(desk: Desk, state: Json, asked: Asked) -> Json | None:
    """What would come of it as it stands, with nothing filled in yet: where something waits that it would end."""
    if not state["waiting"] or left_open(asked.node, asked.root, asked.said):
        return None
    answer = await desk.client.post("/rulings", _body(asked) | {"preview": True}, new_key())
    return answer.json if answer.status == 200 and answer.json["ends"] else None


def _body(asked: Asked) -> Json:
    scene, dice = forms.one(asked.said, "scene"), forms.one(asked.said, "dice")
    body: Json = {"declare": asked.sent()}
    return body | ({"scene": scene} if scene else {}) | ({"dice": dice} if dice in DICE else {})


def _done(desk: Desk, answer: Answer) -> Response | None:
    """On to where it is seen what came of it; nothing where it was turned away."""
    if answer.status == 401:
        raise Turned(401, answer.json)
    if answer.status not in (201, 202):
        return None
    made = answer.json
    said = f"ruling={made['number']}" if answer.status == 201 else f"waiting={made['id']}"
    return RedirectResponse(f"{desk.session.path}/?{said}", 303)


async def _declaring(
    desk: Desk, state: Json, asked: Asked, kind: str, status: int = 200, tried: Json | None = None,
    beside: Beside = ((), (), ()),
) -> Response:  # fmt: skip
    inputs = desk.system(state["campaign"]["system"])["inputs"]
    told = next((one["about"] for one in inputs if one["kind"] == kind), "")
    return desk.page(
        "declare.html.jinja", status, asked=asked, words=desk.words(state), name=state["campaign"]["name"], kind=kind,
        called=desk.words(state).deed(kind),
        about=about(told)[0], system=state["campaign"]["system"], tried=tried,
        ledger_only=state["campaign"]["dials"]["dice"] == "ledger_only",
        few_ways=FEW_WAYS, ways=beside[0], chosen=a_choice(beside[0]), people=beside[1], already=beside[2],
    )  # fmt: skip


async def _tried(request: Request, desk: Desk, state: Json, asked: Asked, answer: Answer, kind: str) -> Response:
    """What would come of it; in a part of the page, where the page asks while the form is filled in."""
    tried = answer.json if answer.status == 200 else None
    partial = request.headers.get("HX-Request-Type") == "partial"
    if answer.status != 200:
        asked = _still(asked, answer.json) if partial else wrong(asked, answer.json)
    asked = replace(asked, said=asked.said | {"lead": [await _lead(desk, asked, kind)]})
    if partial:
        at = [path for path, _ in forms.walk(asked.node, asked.root, asked.said)]
        return desk.page("foreseen.html.jinja", asked=asked, tried=tried, places=at)
    return await _declaring(desk, state, asked, kind, 200 if tried is not None else answer.status, tried)


def _still(asked: Asked, problem: Json) -> Asked:
    """Turned away while it is filled in: what is not said yet is no mistake."""
    told, empty = wrong(asked, problem), unsaid(asked)
    if told.errors:
        only = all(map(waits, told.errors.values()))
        return replace(told, errors={}, waits=True) if only else told
    return replace(empty, errors={}, waits=True) if empty is not None else told


async def _lead(desk: Desk, asked: Asked, kind: str) -> str:
    """The sentence of the move, with what was chosen until now: as far as that can be said at all."""
    before, given = forms.one(asked.said, "text"), asked.sent()
    if not before or not isinstance(given, dict):
        return before
    given = {name: one for name, one in given.items() if name != "kind"}
    scene = forms.one(asked.said, "scene") or None
    for _ in range(2):
        body = {"kind": kind, "given": given, "scene": scene}
        answer = await desk.client.post("/moves", body, new_key())
        if answer.status != 422:
            break
        pointers = [str(one["pointer"]).split("/") for one in answer.json.get("errors") or ()]
        wrong = {one[2] for one in pointers if one[1:2] == ["given"] and len(one) > 2}
        given = {name: one for name, one in given.items() if name not in wrong}
    texts = {one["text"] for one in answer.json["moves"]} if answer.status == 200 else set()
    return str(texts.pop()) if len(texts) == 1 else before


# --- answering ---


@router.get("/waiting/{waiting}")
async def ask(desk: Sitting, waiting: str) -> Response:
    """What waits, and the form for who may answer it."""
    one, state = (each.json for each in await desk.client.together(f"/waiting/{waiting}", "/state"))
    if "answer_schema" not in one:  # a decision, which waits for consent
        return RedirectResponse(f"{desk.session.path}/proposals/{waiting}", 303)
    asked = asked_of(desk, one, state) if one["answer_schema"] is not None and one["status"] == "waiting" else None
    return _asking(desk, state, one, asked)


@router.post("/waiting/{waiting}")
async def answer(request: Request, desk: Sitting, waiting: str) -> Response:
    must_be_ours(request)
    said, state = await forms.posted(request), await desk.client.get("/state")
    asked = back(desk, state, ANSWERED, f"{desk.session.path}/waiting/{waiting}", said)
    other = resized(asked) or _opened(asked)
    if other is not None:
        return _asking(desk, state, await desk.client.get(f"/waiting/{waiting}"), other)
    if (empty := unsaid(asked)) is not None:
        return _asking(desk, state, await desk.client.get(f"/waiting/{waiting}"), empty, 422)
    told = await desk.client.post(f"/waiting/{waiting}/answers", {"answer": asked.sent()}, key_of(asked.key))
    done = _done(desk, told)
    if told.status == 200:  # a no, of which nothing comes
        done = RedirectResponse(f"{desk.session.path}/waiting/{waiting}", 303)
    if done is not None:
        return done
    one = await desk.client.get(f"/waiting/{waiting}")
    return _asking(desk, state, one, wrong(asked, told.json), told.status)


@router.post("/waiting/{waiting}/withdraw")
async def withdraw(request: Request, desk: Sitting, waiting: str) -> Response:
    must_be_ours(request)
    said = await forms.posted(request)
    asked = back(desk, await desk.client.get("/state"), "/withdraw", _withdrawing(desk, waiting), said)
    reason = forms.one(said, "reason") or "Taken back."
    told = await desk.client.post(f"/waiting/{waiting}/withdraw", {"reason": reason}, key_of(asked.key))
    if told.status != 200:
        raise Turned(told.status, told.json)
    return RedirectResponse(f"{desk.session.path}/", 303)


def _withdrawing(desk: Desk, waiting: str) -> str:
    return f"{desk.session.path}/waiting/{waiting}/withdraw"


def _opened(asked: Asked) -> Asked | None:
    """With a place for each die that another one opened, where not all of them are there yet."""
    said = asked.said
    for path, node in forms.walk(asked.node, asked.root, said):
        if isinstance(node, Listing) and node.opens is not None:
            faces = forms.read(node, path, said)
            wanted, there = node.least + faces.count(node.opens), forms.count(said, path)
            if there < wanted and len(faces) == there:
                for _ in range(wanted - there):
                    said = forms.resized(asked.node, asked.root, said, path, 1)
                return replace(asked, said=said)
    return None


def _asking(desk: Desk, state: Json, waiting: Json, asked: Asked | None, status: int = 200) -> Response:
    mine = desk.session.seat == waiting["by"]["seat"] or any(
        one["id"] == desk.session.seat and one["role"] == "gm" for one in state["campaign"]["seats"]
    )
    back_ = shown(desk, state, "/withdraw", _withdrawing(desk, waiting["id"]), {"type": "object", "properties": {}})
    return desk.page(
        "waiting.html.jinja", status, waiting=waiting, asked=asked, words=desk.words(state),
        name=state["campaign"]["name"], system=state["campaign"]["system"], decides=decides(state, desk.session.seat),
        withdraw=back_ if mine and waiting["status"] == "waiting" else None,
    )  # fmt: skip
