"""Start a campaign: choose its game, its name, and the name of its game master."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse

from api.http.problems import BadRequest
from api.inviting.letting_in import Guesses
from api.table import files, forms, presentations
from api.table.client import Answer, Client, Json, Rejection
from api.table.form_tokens import make_key, must_be_ours, read_key
from api.table.forms import Form
from api.table.joining import find_seat_by_token
from api.table.pages import PageRoute, render_plain_page
from api.table.sessions import sign_in

router = APIRouter(include_in_schema=False, route_class=PageRoute)
LONGEST = 200  # characters of a name
#: The form's fields, by the JSON Pointers of the API's request.
FIELDS = {"/name": "name", "/gm/name": "gm", "/gm": "gm", "/system": "game"}
SENT_AGAIN = "This form was sent from another site, or the page was reloaded. Nothing was saved. Send it again."
STARTED = "This form already started a campaign. Send it again to start another one."
NOT_THE_OPERATORS = "That is not the operator’s token. The person who runs this service has it."


def list_game_cards(systems: Sequence[Json]) -> list[Json]:
    """Return the games, each with a sentence and a picture."""
    return [
        {
            **system,
            "about": presentations.read_one_sentence(system["name"]),
            "picture": presentations.make_picture_address(system["name"]) or files.find_file_address("die.svg"),
        }
        for system in systems
    ]


@router.get("/start")
async def show_start_form(request: Request, game: str = "") -> Response:
    """Show the form that starts a campaign. `game`: the game that is already chosen."""
    return await _show_form(request, {"game": [game]})


@router.post("/start")
async def start_campaign(request: Request) -> Response:
    """Start the campaign, sign this browser in as its game master, and open the table."""
    try:
        must_be_ours(request)
    except Rejection:  # for example, a browser sends it again when the page is reloaded
        return await _show_form(request, {}, 403, problem=SENT_AGAIN)
    form = await forms.read_form(request)
    key = read_key(forms.get_field_text(form, "key"))
    if errors := _collect_mistakes(form, is_operator_needed(request)):
        return await _show_form(request, form, 422, errors, key=key)
    try:
        answer = await _open_campaign(request, form, key)
    except BadRequest as problem:  # too many attempts
        return await _show_form(request, form, 429, problem=problem.detail, key=key)
    if answer.status != 201:
        return await _show_refusal(request, form, answer, key)
    seat_access = await run_in_threadpool(find_seat_by_token, request.app.state.ledger, answer.json["seat"]["token"])
    if seat_access is None:  # its token was replaced since the form was first sent
        return await _show_form(request, form, 422, problem=STARTED)
    response = RedirectResponse(f"{seat_access.path}/", 303)
    sign_in(response, request, request.app.state.ledger.keys, seat_access)
    return response


def is_operator_needed(request: Request) -> bool:
    """Return whether only the operator can start campaigns here."""
    return request.app.state.operator_token is not None


def _collect_mistakes(form: Form, needs_operator: bool) -> dict[str, str]:
    """Return the mistakes by field, such as missing or too long values."""
    required_messages = {"game": "Choose a game.", "name": "Enter a name for the campaign.", "gm": "Enter your name."}
    if needs_operator:
        required_messages["operator"] = "Enter the operator’s token."
    errors = {
        field: message for field, message in required_messages.items() if not forms.get_field_text(form, field).strip()
    }
    for field in ("name", "gm"):
        if len(forms.get_field_text(form, field)) > LONGEST:
            errors[field] = f"Use at most {LONGEST} characters."
    token = forms.get_field_text(form, "operator").strip()
    if needs_operator and token and not (token.isascii() and token.isprintable()):
        errors["operator"] = NOT_THE_OPERATORS
    return errors


async def _open_campaign(request: Request, form: Form, key: str) -> Answer:
    """Open the campaign and return the API's answer. Raise BadRequest (429) after too many guesses of the operator's
    token.
    """
    operator_token = ""
    if is_operator_needed(request):
        guesses: Guesses = request.app.state.guesses
        await guesses.count_try_by_address(request)
        operator_token = forms.get_field_text(form, "operator").strip()
    name, gm, game = (forms.get_field_text(form, field).strip() for field in ("name", "gm", "game"))
    client = Client(request, "", "", operator_token)
    dials = {"forced_steps": "by_ledger"}  # on the page, nobody wants to tap through steps without a choice
    return await client.open_campaign({"name": name, "system": game, "gm": {"name": gm}, "dials": dials}, key)


async def _show_refusal(request: Request, form: Form, answer: Answer, key: str) -> Response:
    """Show the form again, with the API's problem at its field."""
    problem = answer.json
    if answer.status == 401:
        return await _show_form(request, form, 401, {"operator": NOT_THE_OPERATORS}, key=key)
    if problem.get("code") == "idempotency-key-reused":
        return await _show_form(request, form, 422, problem=STARTED)
    mistakes: Sequence[Mapping[str, str]] = problem.get("errors") or ()
    errors = {
        FIELDS[mistake["pointer"]]: mistake["message"] for mistake in mistakes if mistake.get("pointer") in FIELDS
    }
    return await _show_form(request, form, answer.status, errors, "" if errors else str(problem["detail"]), key)


async def _show_form(
    request: Request,
    form: Form,
    status: int = 200,
    errors: Mapping[str, str] | None = None,
    problem: str = "",
    key: str = "",
) -> Response:
    """Show the form with the values already entered, except the operator's token."""
    systems = (await Client(request, "", "", "").get_service_document("/systems"))["systems"]
    typed_fields = {field: forms.get_field_text(form, field) for field in ("game", "name", "gm")}
    return render_plain_page(
        "start.html.jinja",
        status,
        games=list_game_cards(systems),
        typed=typed_fields,
        errors=errors or {},
        problem=problem,
        key=key or make_key(),
        guarded=is_operator_needed(request),
    )
