"""The routes that lead into the page, and its first view."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from api.table import forms, your_tables
from api.table.client import Client, Rejection
from api.table.form_tokens import make_key, must_be_ours, must_be_shown, read_key
from api.table.joining import open_seat
from api.table.now import PARTS, list_numbers, load_now, make_first_question_form
from api.table.page_forms import is_seat_asked
from api.table.pages import NOWHERE, SIGNED_OUT, PageRoute, Sitting, render_plain_page
from api.table.places import find_onward_address, redirect_to_own_seat
from api.table.sessions import SEAT, find_session, sign_in, sign_out
from api.table.slips import make_slip_form
from api.table.starting import list_game_cards
from api.table.turns import group_turns, list_awaited_turns
from api.table.your_tables import YourTable

router = APIRouter(include_in_schema=False, route_class=PageRoute)
LONGEST = 2_000  # the most characters of an address
NOT_LET_IN = (
    "That link, code or token doesn’t work. It may be mistyped, already used or expired."
    " Ask your game master for a new one."
)
SENT_AGAIN = (
    "This form was sent from another site, or the page was reloaded. Nothing was saved. Enter your link or code again."
)


@router.get("/")
async def show_home(request: Request) -> Response:
    """Show what this service is, how to start or join, this device's tables, and the games."""
    systems = (await Client(request, "", "", "").get_service_document("/systems"))["systems"]
    titles_by_system = {system["name"]: system["title"] for system in systems}
    own_tables = your_tables.read_tables(request.cookies)
    return render_plain_page(
        "home.html.jinja",
        games=list_game_cards(systems),
        titles=titles_by_system,
        tables=await _list_tables(request),
        yours=own_tables,
        paths={table.campaign: table.path for table in reversed(own_tables)},
    )


async def _list_tables(request: Request) -> list[dict[str, Any]]:
    """Return the campaigns. Return an empty list if the service lists them only for its operator."""
    if request.app.state.operator_token is not None:
        return []
    try:
        document = await Client(request, "", "", "").get_service_document("/campaigns")
    except Rejection:
        return []  # the database is not available; the rest of the page needs none
    campaigns: list[dict[str, Any]] = document["campaigns"]
    return campaigns


@router.get("/join")
def show_join_form(to: str = "") -> Response:
    """Show the field for a link, a code or a token. The page's script sends the secret of a link.

    `to`: the view to open afterwards.
    """
    return _show_join_form(to=to)


def _show_join_form(status: int = 200, problem: str | None = None, to: str = "") -> Response:
    return render_plain_page("join.html.jinja", status, problem=problem, key=make_key(), to=to[:LONGEST])


@router.post("/join")
async def submit_join(request: Request) -> Response:
    try:
        must_be_ours(request)
    except Rejection:  # for example, a browser sends it again when the page is reloaded
        return _show_join_form(403, SENT_AGAIN)
    form = await forms.read_form(request)
    to = forms.get_field_text(form, "to")[:LONGEST]
    try:
        seat_access = await open_seat(
            request, forms.get_field_text(form, "secret"), read_key(forms.get_field_text(form, "key"))
        )
    except Rejection as rejection:  # too many attempts
        return _show_join_form(rejection.status, rejection.problem["detail"], to)
    if seat_access is None:
        return _show_join_form(422, NOT_LET_IN, to)
    answer = RedirectResponse(find_onward_address(to, seat_access), 303)
    sign_in(answer, request, request.app.state.ledger.keys, seat_access)
    return answer


@router.get("/table/{campaign}/{seat}")
async def redirect_without_slash(request: Request, campaign: str, seat: str) -> Response:
    if SEAT.fullmatch(seat) is None:
        return await redirect_to_seat(request, campaign)
    return RedirectResponse(f"/table/{campaign}/{seat}/", 308)


@router.get("/table/{campaign}/{seat}/")
async def show_now(
    request: Request, desk: Sitting, ruling: int | None = None, waiting: str | None = None, again: str = ""
) -> Response:
    """Show the current state and the latest event: what the reader just did, or the last ruling.

    `again`: the kind of a declaration that the reader sent twice.
    """
    view = await load_now(desk)
    digests = view.make_digests()
    last_event = view.last
    if ruling is not None and ruling not in list_numbers(last_event):
        last_event = await _get_document_or_none(desk.client, f"/rulings/{ruling}")
    elif waiting is not None:
        last_event = await _get_document_or_none(desk.client, f"/waiting/{waiting}")
    page = desk.render_page(
        "now.html.jinja",
        now=view,
        asked=make_first_question_form(desk, view),
        words=view.words,
        seen=".".join(digests[part] for part in PARTS),
        just=last_event,
        again=again,
        slip=make_slip_form(desk, last_event, view.slip_number),
        me=view.me,
        name=view.state["campaign"]["name"],
        leave=desk.make_token("leave"),
    )
    campaign, session = view.state["campaign"], desk.session
    game = desk.get_game(campaign["system"])["title"]
    table = YourTable(session.campaign, session.seat, campaign["name"], game, view.me["name"])
    your_tables.remember_table(page, request, table)
    return page


@router.get("/table/{campaign}/{seat}/yours")
async def show_your_turn(desk: Sitting) -> Response:
    """Show what the game is waiting for this seat to do, as a part of the other views."""
    state = await desk.client.get("/state")
    words, own_seat_id = desk.make_words(state), desk.session.seat
    seat = next(seat for seat in state["campaign"]["seats"] if seat["id"] == own_seat_id)
    questions = [waiting["question"]["text"] for waiting in state["waiting"] if is_seat_asked(waiting, seat)]
    own_entries = [entry for entry in list_awaited_turns(state, words) if entry["seat"]["seat"] == own_seat_id]
    turns = group_turns(own_entries, state["campaign"]["system"])
    kinds = [entry["kind"] for entries in turns for entry in entries if entry["kind"]]
    turn_names = list(dict.fromkeys(words.name_declaration(kind) for kind in kinds))
    return desk.render_page("yours.html.jinja", asked=questions[0] if questions else "", turn=turn_names)


async def _get_document_or_none(client: Client, path: str) -> Any:
    try:
        return await client.get(path)
    except Rejection:
        return None


@router.get("/table/{campaign}/{seat}/book")
async def redirect_to_guide(desk: Sitting) -> Response:
    """Redirect to the game's guide."""
    campaign = await desk.client.get("")
    return RedirectResponse(f"/systems/{campaign['system']}/guide", 303)


@router.post("/table/{campaign}/{seat}/leave")
async def leave_table(request: Request, desk: Sitting) -> Response:
    """Sign this browser out of the seat."""
    must_be_ours(request)
    form = await forms.read_form(request)
    must_be_shown(desk.ledger.keys, desk.session, "leave", forms.get_field_text(form, "token"))
    answer = RedirectResponse("/", 303)
    sign_out(answer, desk.session)
    your_tables.forget_table(answer, request, desk.session.campaign, desk.session.seat)
    return answer


#: This route must come after all others.
seatless_router = APIRouter(include_in_schema=False, route_class=PageRoute)


@seatless_router.get("/table/{campaign}")
@seatless_router.get("/table/{campaign}/{place:path}")
async def redirect_to_seat(request: Request, campaign: str, place: str = "") -> Response:
    """Redirect an address without a seat to the reader's own seat.

    Raise Rejection (404) if the address already contains one of the browser's seats, because there is no such view.
    """
    if find_session(request.app.state.ledger.keys, request.cookies, campaign, place.partition("/")[0]) is not None:
        raise Rejection(404, NOWHERE)
    await redirect_to_own_seat(request, campaign)
    raise Rejection(401, SIGNED_OUT)
