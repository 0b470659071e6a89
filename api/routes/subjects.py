"""Reading a campaign: rulings, waiting questions, subjects now or earlier, findings, what-ifs."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import Field

from api.http import filters
from api.http.answers import LINK, POSITION, READING, TAG, describe_answer, describe_answers, describe_reading_answers
from api.http.clocks import As, At, Since, Until, make_clock, make_span_finder
from api.http.listing import choose_order
from api.http.parameters import Number, Order, Words
from api.http.problem_kinds import MALFORMED, NOT_YOURS
from api.http.problems import BadRequest
from api.http.queries import Asked
from api.http.request import Asking, Viewing
from ledger.application import Status
from ledger.rules.kernel.subjects import Subject, character, scene
from projections.documents import campaigns, comparisons, findings, registers, states, subjects
from projections.documents.campaigns import Characters
from projections.documents.comparisons import Comparison, Selection
from projections.documents.findings import Findings
from projections.documents.presenting import make_presenter
from projections.documents.proposals import Proposal
from projections.documents.registers import Briefly, Rulings
from projections.documents.rulings import Ruling
from projections.documents.states import State
from projections.documents.subjects import Character, Scene
from projections.documents.waiting import AllWaiting, Waiting, find_waiting, list_all_waiting
from projections.redaction import LiveLens

router = APIRouter(prefix="/campaigns/{campaign}", route_class=Asked)
MOST = 2**31 - 1


@router.get(
    "/rulings",
    operation_id="list_rulings",
    tags=["rulings"],
    response_model=Rulings | Briefly,
    responses=describe_reading_answers(Rulings | Briefly, "Rulings in order.", LINK),
)
async def list_rulings(  # noqa: PLR0913, PLR0917  (one parameter for each filter)
    request: Request,
    caller: Viewing,
    status: Status | None = None,
    character: Annotated[
        str | None, Query(description="Only rulings about this character, or in which the character acts.")
    ] = None,
    seat: Annotated[str | None, Query(description="Only rulings that this seat declared.")] = None,
    scene: Annotated[str | None, Query(description="Only rulings declared in this scene.")] = None,
    session: Annotated[str | None, Query(description="Only rulings in this session.")] = None,
    kind: Annotated[str | None, Query(description="Only rulings on declarations of this kind.")] = None,
    rule: Annotated[str | None, Query(description="Only rulings that use this rule.")] = None,
    target: Annotated[
        str | None, Query(description="Only rulings about this character in which another character acts.")
    ] = None,
    unit: Annotated[
        str | None, Query(description="Only rulings that change balances of this unit.", examples=["coin"])
    ] = None,
    since: Since = None,
    until: Until = None,
    q: Words = None,
    view: Annotated[
        registers.View, Query(description="`whole`: everything about each ruling. `brief`: one sentence for each.")
    ] = "whole",
    after: Annotated[int, Query(ge=0, le=MOST, description="Only rulings after this number.")] = 0,
    before: Annotated[int | None, Query(ge=1, le=MOST, description="Return the page before this number.")] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    order: Order = "asc",
) -> Response:
    """List rulings in order. A ruling must match every filter."""
    selection = registers.Selection(
        status,
        character,
        seat,
        scene,
        session,
        kind,
        rule,
        before or after,
        limit,
        choose_order(order, before),
        q,
        view,
        target,
        unit,
    )
    check_filters = filters.make_filter_check(
        character=character, seat=seat, scene=scene, session=session, kind=kind, rule=rule, target=target, unit=unit
    )
    find_span = make_span_finder(since, until)
    return await caller.read_page(
        lambda lens, reader: registers.list_rulings(lens, reader, replace(selection, span=find_span(reader))),
        request.url,
        check_filters,
    )


@router.get(
    "/rulings/{number}",
    operation_id="get_ruling",
    tags=["rulings"],
    response_model=Ruling,
    responses=describe_reading_answers(Ruling, "The ruling.", TAG),
)
def get_ruling(
    number: Number,
    caller: Asking,
    leaning: Annotated[
        bool, Query(description="Also return the later rulings that depend on this one. This takes longer.")
    ] = False,
) -> Response:
    """Return a ruling with its declaration, answers, dice and steps, and with all decisions about it."""
    return caller.read(
        lambda lens: comparisons.find_ruling(lens, number, with_dependents=leaning), version_field="version"
    )


@router.get(
    "/waiting",
    operation_id="list_waiting",
    tags=["rulings"],
    response_model=AllWaiting,
    responses=describe_reading_answers(AllWaiting, "Everything that is waiting."),
)
def list_waiting(
    caller: Asking,
    mine: Annotated[
        bool, Query(description="Only questions, turns and decisions that wait for your own seat.")
    ] = False,
) -> Response:
    """List questions that are waiting for an answer, seats whose turn it is, undecided disputes, and decisions that
    are waiting for consent.
    """
    return caller.read(lambda lens: list_all_waiting(lens, own_only=mine))


@router.get(
    "/waiting/{waiting}",
    operation_id="get_waiting",
    tags=["rulings"],
    response_model=Waiting | Proposal,
    responses=describe_reading_answers(Waiting | Proposal, "The waiting declaration or decision, or its outcome.", TAG),
)
def get_waiting(
    waiting: str,
    caller: Asking,
    after: Annotated[int, Query(ge=0, le=MOST, description="Only changes to rulings after this number.")] = 0,
    limit: Annotated[
        int | None,
        Query(ge=1, le=500, description="The maximum number of rulings. Default: as many as fit in a short answer."),
    ] = None,
) -> Response:
    """Return a waiting declaration or decision, or its outcome: the ruling, or why it is no longer waiting."""
    selection = Selection(after=after, limit=limit)
    return caller.read(lambda lens: find_waiting(lens, waiting, selection), version_field="version")


@router.get(
    "/what-if",
    operation_id="ask_what_if",
    tags=["decisions"],
    response_model=Comparison,
    responses=describe_answers((*READING, NOT_YOURS), {200: describe_answer(Comparison, "The comparison.", POSITION)}),
)
def ask_what_if(
    caller: Asking,
    without: Annotated[
        str | None,
        Query(
            description="Ruling numbers: `12,13`.",
            max_length=5000,
            pattern="^[0-9]{1,9}(,[0-9]{1,9})*$",
            examples=["12,13"],
        ),
    ] = None,
    dial: Annotated[
        list[Annotated[str, Field(max_length=5000, pattern="^[^:]+:.")]] | None,
        Query(
            description="An option and the value it would have had from the start: `name:value`."
            " The value is JSON or a plain word.",
            max_length=100,
        ),
    ] = None,
    stands: Annotated[bool, Query(description="Also list rulings that stay the same.")] = False,
    after: Annotated[int, Query(ge=0, le=MOST, description="Only rulings after this number.")] = 0,
    limit: Annotated[
        int | None,
        Query(ge=1, le=500, description="The maximum number of rulings. Default: as many as fit in a short answer."),
    ] = None,
) -> Response:
    """Preview the campaign without some rulings, or with different options.

    Any seat can do this. Nothing is saved. Send rulings, options or both. The answer lists the rulings that would
    change, up to 100 kB unless `limit` asks for more, and counts the rest. If a ruling depends on information hidden
    from this seat, the answer says only that. Only a game master can preview options that control who can see what.
    """
    if without is None and not dial:
        raise BadRequest(MALFORMED, "malformed", "Choose rulings (`without`) or an option (`dial`).")
    if without is not None and re.search(r"\b0", without):
        raise BadRequest(MALFORMED, "malformed", "Rulings are numbered from 1.")
    numbers = list(dict.fromkeys(int(number) for number in without.split(","))) if without is not None else []
    dials = caller.parse_body(lambda forms: filters.parse_dials(forms, dial or ()))
    presenter = make_presenter(Selection(with_unchanged=stands, after=after, limit=limit))
    return caller.show(caller.ledger.preview_without_rulings(caller.call, numbers, presenter, dials))


@router.get(
    "/findings",
    operation_id="list_findings",
    tags=["decisions"],
    response_model=Findings,
    responses=describe_reading_answers(Findings, "The findings."),
)
def list_findings(
    caller: Asking,
    settled: Annotated[bool, Query(description="List resolved findings instead of open ones.")] = False,
    ruling: Annotated[
        int | None, Query(ge=1, le=MOST, description="Only findings about this ruling, or caused by it.")
    ] = None,
    until: Annotated[
        int | None,
        Query(ge=1, le=MOST, description="With `ruling`: also findings about later rulings, up to this one."),
    ] = None,
) -> Response:
    """List findings that need attention, or resolved findings with how, why, by whom and when."""
    list_selected_findings = findings.list_settled_findings if settled else findings.list_open_findings
    check_filters = filters.make_filter_check(ruling=ruling)

    def read(lens: LiveLens) -> Findings:
        check_filters(lens)
        return {"findings": list_selected_findings(lens, ruling, until)}

    return caller.read(read)


@router.get(
    "/state",
    operation_id="get_state",
    tags=["campaigns"],
    response_model=State,
    responses=describe_reading_answers(State, "The state."),
)
def get_state(caller: Asking, at: At = None, as_: As = "corrected") -> Response:
    """Return everything this seat can see: the campaign, its characters and open scenes. Without `at`, also everything
    that is waiting.

    Each part is the same as in its own route: a character is the same as in `/characters/{character}`.
    """
    clock = make_clock(at, as_)
    return caller.read(lambda lens: states.describe_state(lens, clock))


@router.get(
    "/characters",
    operation_id="list_characters",
    tags=["characters"],
    response_model=Characters,
    responses=describe_reading_answers(Characters, "The characters."),
)
def list_characters(caller: Asking) -> Response:
    """List the characters with their players. Includes retired characters."""
    return caller.read(campaigns.list_all_characters)


@router.get(
    "/characters/{character}",
    operation_id="get_character",
    tags=["characters"],
    response_model=Character,
    responses=describe_reading_answers(Character, "The character.", TAG),
)
def get_character(
    caller: Asking, id: Annotated[str, Path(alias="character")], at: At = None, as_: As = "corrected"
) -> Response:
    """Return a character as this seat sees it, now or after a ruling."""
    return caller.read(_make_describer(character(id), at, as_), version_field="version")


@router.get(
    "/scenes/{scene}",
    operation_id="get_scene",
    tags=["scenes"],
    response_model=Scene,
    responses=describe_reading_answers(Scene, "The scene.", TAG),
)
def get_scene(
    caller: Asking, id: Annotated[str, Path(alias="scene")], at: At = None, as_: As = "corrected"
) -> Response:
    """Return a scene as this seat sees it, now or after a ruling."""
    return caller.read(_make_describer(scene(id), at, as_), version_field="version")


def _make_describer(subject: Subject, at: str | None, as_: str) -> subjects.DescribeSubject:
    clock = make_clock(at, as_)
    return lambda lens: subjects.describe_subject(lens, subject, clock)
