"""What can be asked of a campaign: rulings, what waits, subjects as they stand or stood, balances, what if."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import Field

from api.http import filters
from api.http.answers import LINK, POSITION, READING, TAG, answering, answers_of, reading
from api.http.clocks import As, At, Since, Until, clock, spanning
from api.http.listing import turned
from api.http.parameters import Number, Order, Words
from api.http.problem_kinds import MALFORMED, NOT_YOURS
from api.http.problems import BadRequest
from api.http.queries import Asked
from api.http.request import Asking, Viewing
from ledger.application import Status
from ledger.rules.kernel.subjects import Subject, character, scene
from projections.documents import campaigns, comparisons, findings, registers, states, subjects
from projections.documents.campaigns import Characters
from projections.documents.comparisons import Comparison, Wanted
from projections.documents.findings import Findings
from projections.documents.presenting import presenting
from projections.documents.proposals import Proposal
from projections.documents.registers import Briefly, Rulings
from projections.documents.rulings import Ruling
from projections.documents.states import State
from projections.documents.subjects import Character, Scene
from projections.documents.waiting import AllWaiting, Waiting, all_waiting, one_waiting
from projections.redaction import LiveLens

router = APIRouter(prefix="/campaigns/{campaign}", route_class=Asked)
MOST = 2**31 - 1


@router.get(
    "/rulings",
    operation_id="list_rulings",
    tags=["rulings"],
    response_model=Rulings | Briefly,
    responses=reading(Rulings | Briefly, "Rulings in order.", LINK),
)
async def list_rulings(  # noqa: PLR0913, PLR0917  (one parameter a filter)
    request: Request,
    caller: Viewing,
    status: Status | None = None,
    character: Annotated[
        str | None, Query(description="It is about the character, or its declaration names it.")
    ] = None,
    seat: Annotated[str | None, Query(description="Declared by this seat.")] = None,
    scene: Annotated[str | None, Query(description="Declared in this scene.")] = None,
    session: Annotated[str | None, Query(description="In this session.")] = None,
    kind: Annotated[str | None, Query(description="The kind of what was declared.")] = None,
    rule: Annotated[str | None, Query(description="A rule its derivation rests on.")] = None,
    target: Annotated[
        str | None, Query(description="It is about this character, or names it, and another one acts.")
    ] = None,
    unit: Annotated[str | None, Query(description="A fact of it moves this unit.", examples=["coin"])] = None,
    since: Since = None,
    until: Until = None,
    q: Words = None,
    view: Annotated[registers.View, Query(description="All there is to each, or a sentence.")] = "whole",
    after: Annotated[int, Query(ge=0, le=MOST, description="Only those after this number.")] = 0,
    before: Annotated[int | None, Query(ge=1, le=MOST, description="The page before this number.")] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    order: Order = "asc",
) -> Response:
    """Rulings in order; every filter given must fit."""
    wanted = registers.Wanted(
        status,
        character,
        seat,
        scene,
        session,
        kind,
        rule,
        before or after,
        limit,
        turned(order, before),
        q,
        view,
        target,
        unit,
    )
    known = filters.check(
        character=character, seat=seat, scene=scene, session=session, kind=kind, rule=rule, target=target, unit=unit
    )
    span = spanning(since, until)
    return await caller.page(
        lambda lens, reader: registers.rulings(lens, reader, replace(wanted, span=span(reader))), request.url, known
    )


@router.get(
    "/rulings/{number}",
    operation_id="get_ruling",
    tags=["rulings"],
    response_model=Ruling,
    responses=reading(Ruling, "The ruling.", TAG),
)
def get_ruling(
    number: Number,
    caller: Asking,
    leaning: Annotated[
        bool, Query(description="With the later rulings that lean on it: these are looked through for it.")
    ] = False,
) -> Response:
    """A ruling with all that led to it and all that was decided about it."""
    return caller.read(lambda lens: comparisons.one_ruling(lens, number, leaning=leaning), tag="version")


@router.get(
    "/waiting",
    operation_id="list_waiting",
    tags=["rulings"],
    response_model=AllWaiting,
    responses=reading(AllWaiting, "What waits."),
)
def list_waiting(
    caller: Asking,
    mine: Annotated[bool, Query(description="Only what one's own seat is asked, awaited for or decides.")] = False,
) -> Response:
    """What waits for an answer, whom the game waits for to declare something, which disputes nobody has decided, and
    which decisions wait for consent."""
    return caller.read(lambda lens: all_waiting(lens, mine=mine))


@router.get(
    "/waiting/{waiting}",
    operation_id="get_waiting",
    tags=["rulings"],
    response_model=Waiting | Proposal,
    responses=reading(Waiting | Proposal, "What waits, or waited; for an answer, or for consent.", TAG),
)
def get_waiting(
    waiting: str,
    caller: Asking,
    after: Annotated[int, Query(ge=0, le=MOST, description="Of what it would change, only later rulings.")] = 0,
    limit: Annotated[
        int | None, Query(ge=1, le=500, description="So many of these; by default as many as make a short answer.")
    ] = None,
) -> Response:
    """What waits, or what became of it: the ruling, or why it waits no longer."""
    wanted = Wanted(after=after, limit=limit)
    return caller.read(lambda lens: one_waiting(lens, waiting, wanted), tag="version")


@router.get(
    "/what-if",
    operation_id="ask_what_if",
    tags=["decisions"],
    response_model=Comparison,
    responses=answers_of((*READING, NOT_YOURS), {200: answering(Comparison, "Both pasts.", POSITION)}),
)
def ask_what_if(
    caller: Asking,
    without: Annotated[
        str | None,
        Query(
            description="Numbers of rulings: `12,13`.",
            max_length=5000,
            pattern="^[0-9]{1,9}(,[0-9]{1,9})*$",
            examples=["12,13"],
        ),
    ] = None,
    dial: Annotated[
        list[Annotated[str, Field(max_length=5000, pattern="^[^:]+:.")]] | None,
        Query(
            description="A dial and the value it would have had from the start, whoever turned it: `name:value`."
            " The value as JSON, or as its plain word.",
            max_length=100,
        ),
    ] = None,
    stands: Annotated[bool, Query(description="With the rulings that stand, too.")] = False,
    after: Annotated[int, Query(ge=0, le=MOST, description="Only later numbers.")] = 0,
    limit: Annotated[
        int | None, Query(ge=1, le=500, description="So many rulings; by default as many as make a short answer.")
    ] = None,
) -> Response:
    """What would be different had these rulings gone the other way, or had it been played with these dials.

    One of the two is needed; given both, both are otherwise. Any seat; nothing is saved. Told are the rulings that
    would not stand, under 100 kB of them unless a `limit` asks for more; those that would are counted. A ruling that
    rests on what this seat may not know says so, alike however it comes out; dials that say who may see what are for
    who decides.
    """
    if without is None and not dial:
        raise BadRequest(MALFORMED, "malformed", "Name rulings (`without`) or a dial (`dial`).")
    if without is not None and re.search(r"\b0", without):
        raise BadRequest(MALFORMED, "malformed", "Rulings are numbered from 1.")
    numbers = list(dict.fromkeys(int(one) for one in without.split(","))) if without is not None else []
    dials = caller.parsed(lambda forms: filters.dials(forms, dial or ()))
    shows = presenting(Wanted(stands=stands, after=after, limit=limit))
    return caller.show(caller.ledger.what_if(caller.call, numbers, shows, dials))


@router.get(
    "/findings",
    operation_id="list_findings",
    tags=["decisions"],
    response_model=Findings,
    responses=reading(Findings, "The findings."),
)
def list_findings(
    caller: Asking,
    settled: Annotated[bool, Query(description="Those that somebody settled, instead of the open ones.")] = False,
    ruling: Annotated[int | None, Query(ge=1, le=MOST, description="About this ruling, or because of it.")] = None,
    until: Annotated[
        int | None, Query(ge=1, le=MOST, description="With `ruling`: or about a later one, up to this one.")
    ] = None,
) -> Response:
    """What somebody must settle; or what was settled, how and why, by whom and when."""
    tell = findings.settled_findings if settled else findings.open_findings
    known = filters.check(ruling=ruling)

    def told(lens: LiveLens) -> Findings:
        known(lens)
        return {"findings": tell(lens, ruling, until)}

    return caller.read(told)


@router.get(
    "/state",
    operation_id="get_state",
    tags=["campaigns"],
    response_model=State,
    responses=reading(State, "Everything there."),
)
def get_state(caller: Asking, at: At = None, as_: As = "corrected") -> Response:
    """Everything this seat may see, in one document: the campaign, its people and open scenes; now also what waits.

    Each part is as its own route tells it at that place: a character as `/characters/{character}` does.
    """
    looked = clock(at, as_)
    return caller.read(lambda lens: states.state(lens, looked))


@router.get(
    "/characters",
    operation_id="list_characters",
    tags=["characters"],
    response_model=Characters,
    responses=reading(Characters, "The characters."),
)
def list_characters(caller: Asking) -> Response:
    """Whom the campaign has, with who plays them; those that retired, too."""
    return caller.read(campaigns.all_characters)


@router.get(
    "/characters/{character}",
    operation_id="get_character",
    tags=["characters"],
    response_model=Character,
    responses=reading(Character, "The character.", TAG),
)
def get_character(
    caller: Asking, id: Annotated[str, Path(alias="character")], at: At = None, as_: As = "corrected"
) -> Response:
    """A character as its system shows it to this seat, now or as of a ruling."""
    return caller.read(_told(character(id), at, as_), tag="version")


@router.get(
    "/scenes/{scene}",
    operation_id="get_scene",
    tags=["scenes"],
    response_model=Scene,
    responses=reading(Scene, "The scene.", TAG),
)
def get_scene(
    caller: Asking, id: Annotated[str, Path(alias="scene")], at: At = None, as_: As = "corrected"
) -> Response:
    """A scene as its system shows it to this seat, now or as of a ruling."""
    return caller.read(_told(scene(id), at, as_), tag="version")


def _told(subject: Subject, at: str | None, as_: str) -> subjects.Tell:
    looked = clock(at, as_)
    return lambda lens: subjects.subject(lens, subject, looked)
