"""Render pages and parts of pages, and load the data that every page of a seat needs."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import Depends, FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse
from fastapi.routing import APIRoute
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import ClientDisconnect

from api.http.components import load_components
from api.http.problems import BadRequest, answer_fault
from api.http.reading import BEHIND
from api.table import files, rolls, your_tables
from api.table.client import Client, Json, Rejection
from api.table.form_tokens import make_form_token
from api.table.forms import count_items, join_path
from api.table.node_maker import NodeMaker
from api.table.places import SeatsFound, find_shared_address, find_wanted_address, redirect_to_own_seat
from api.table.presentations import list_card_results
from api.table.sessions import Session, find_session
from api.table.views import VIEWS, find_view
from api.table.words import (
    Words,
    count_filled_values,
    drop_repeated_values,
    format_moment,
    has_blanks,
    is_long_record,
    is_short_list,
    link_rulings,
    list_plain_names,
    lower_first,
    make_words,
    mark_blanks,
    to_plain_words,
    write_mixed,
)
from ledger.application import Ledger
from ledger.errors import LedgerError, Unavailable
from ledger.rules import systems
from ledger.rules.kernel.phrases import listed
from projections.documents.systems import describe_system
from projections.redaction import to_text

environment = Environment(
    loader=PackageLoader("api.table", "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
environment.globals.update(
    file=files.find_file_address,
    below=join_path,
    count=count_items,
    dumps=json.dumps,
    VIEWS=VIEWS,
    few=is_short_list,
    once=drop_repeated_values,
    plain_in=list_plain_names,
    heavy=is_long_record,
)
environment.filters.update(
    moment=format_moment,
    plain=to_plain_words,
    blanks=mark_blanks,
    linked=link_rulings,
    results=list_card_results,
    mixed=write_mixed,
    open=has_blanks,
    die=rolls.draw_die,
    shape=rolls.draw_shape,
    tick=rolls.draw_mark,
    against=rolls.word_against,
    entered=rolls.describe_who_entered,
    weight=count_filled_values,
    small=lower_first,
    listed=listed,
    id=lambda path: path.strip("/").replace("/", "-").replace("|", "."),
)
NOWHERE = {"title": "Page not found", "detail": "There is no page at this address."}
SIGNED_OUT = {
    "title": "You are not signed in",
    "detail": "This browser no longer has a seat here. The link was replaced, or you signed out.",
}


@cache
def describe_game(system: str) -> Json:
    """Return the system's document without the parts that the page does not need."""
    document: Json = json.loads(to_text(describe_system(systems()[system], defaultdict(dict), {})))
    return document


@dataclass
class Desk:
    """A seat that uses the page: its session, its client of the API, and its request."""

    request: Request
    session: Session
    client: Client

    @property
    def ledger(self) -> Ledger:
        ledger: Ledger = self.request.app.state.ledger
        return ledger

    def get_game(self, name: str) -> Json:
        """Return the game's document (see `describe_game`)."""
        return describe_game(name)

    async def load_rules(self, name: str) -> Mapping[str, str]:
        """Return the statement of every rule, by its id."""
        texts_by_name: dict[str, Json] = self.request.app.state.table_systems
        if f"{name}/rules" not in texts_by_name:
            document = await self.client.get_service_document(f"/systems/{name}/rules")
            texts_by_name[f"{name}/rules"] = {rule["rule"]: rule["statement"] for rule in document["rules"]}
            texts_by_name[f"{name}/headings"] = {rule["rule"]: rule["heading"] for rule in document["rules"]}
        return texts_by_name[f"{name}/rules"]

    async def load_headings(self, name: str) -> Mapping[str, str]:
        """Return the heading of every rule, by its id. The heading is empty for a rule that fills a gap in the
        source.
        """
        await self.load_rules(name)
        headings: Mapping[str, str] = self.request.app.state.table_systems[f"{name}/headings"]
        return headings

    def make_words(self, state: Json) -> Words:
        system = state["campaign"]["system"]
        return make_words(state, load_components(system).schemas, self.get_game(system))

    def make_node_maker(self, state: Json, words: Words | None = None) -> NodeMaker:
        """Return the maker of form fields. `words`: the result of `make_words`, if it was already called."""
        schemas = load_components(state["campaign"]["system"]).schemas
        return NodeMaker(schemas, self.make_words(state) if words is None else words)

    def make_token(self, purpose: str) -> str:
        return make_form_token(self.ledger.keys, self.session, purpose)

    def render(self, template: str, **values: object) -> str:
        seat_path = self.session.path
        return environment.get_template(template).render(
            **{
                "at": seat_path,
                "desk": self,
                "here": find_view(self.request.url.path, seat_path),
                "shared": find_shared_address(self.request, self.session.campaign),
                **values,
            }
        )

    def render_page(self, template: str, status: int = 200, **values: object) -> HTMLResponse:
        return HTMLResponse(self.render(template, **values), status)


async def open_desk(request: Request, campaign: str, seat: str) -> Desk:
    """Return the desk of the seat.

    Raise SeatsFound if the browser has another seat of the campaign, or Rejection (401) if it has none.
    """
    session = find_session(request.app.state.ledger.keys, request.cookies, campaign, seat)
    if session is None:
        await redirect_to_own_seat(request, campaign)
        raise Rejection(401, SIGNED_OUT)
    request.state.table = session
    return Desk(request, session, Client(request, campaign, seat, session.token))


Sitting = Annotated[Desk, Depends(open_desk)]


def may_decide(state: Json, seat_id: str) -> bool:
    """Return whether the seat may decide about rulings. The API also checks this."""
    role = next((seat["role"] for seat in state["campaign"]["seats"] if seat["id"] == seat_id), "")
    return role == "gm" or (role == "player" and state["campaign"]["dials"].get("deciders") == "all_players")


def may_withdraw(state: Json, seat_id: str, waiting: Json) -> bool:
    """Return whether the seat may withdraw a declaration that is waiting. The API also checks this."""
    has_ledger_dice = any(answer["source"] == "ledger" for answer in waiting["answers"])
    return may_decide(state, seat_id) or (waiting["by"]["seat"] == seat_id and not has_ledger_dice)


environment.globals.update(may_withdraw=may_withdraw)


class PageRoute(APIRoute):
    """A route whose problems are shown as pages."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[object, object, Response]]:
        handle = super().get_route_handler()

        async def handle_page(request: Request) -> Response:
            try:
                return await handle(request)
            except SeatsFound as seats_found:
                return seats_found.single_redirect or render_plain_page("whose.html.jinja", ways=seats_found.seat_links)
            except Rejection as rejection:
                return show_trouble(request, rejection.status, await _explain_stop(request, rejection.problem))
            except BadRequest as bad_request:
                return show_trouble(
                    request, bad_request.kind.status, {"title": bad_request.kind.title, "detail": bad_request.detail}
                )
            except RequestValidationError:
                return show_trouble(request, 404, NOWHERE)
            except Unavailable as outage:
                problem = {"title": "Not available right now", "detail": outage.detail, "code": outage.code}
                return show_trouble(request, 503, await _explain_stop(request, problem))
            except (LedgerError, HTTPException, ClientDisconnect):
                raise
            except Exception as error:  # noqa: BLE001  (our code or a game's can raise anything)
                return show_trouble(request, 500, json.loads(bytes(answer_fault(error).body)))

        return handle_page


async def _explain_stop(request: Request, problem: Json) -> Json:
    """Return the problem to show. If the views have stopped for good, this is the reason why they stopped."""
    if problem.get("code") != BEHIND:
        return problem
    failure = (await request.app.state.readiness.find_failures()).get("views")
    if failure is None or failure.code != "views-stopped":
        return problem
    return {"title": "This service can’t show new results", "detail": f"{failure.detail} Tell the operator."}


def show_trouble(request: Request, status: int, problem: Mapping[str, Any]) -> HTMLResponse:
    """Return a page with the problem and some links."""
    session: Session | None = getattr(request.state, "table", None)
    if status == 401:
        problem, session = SIGNED_OUT, None
    template = environment.get_template("trouble.html.jinja")
    seat_path = session.path if session is not None else None
    referrer = urlsplit(request.headers.get("referer", ""))
    came_from_own_form = (
        request.method == "POST" and seat_path is not None and referrer.path.startswith(f"{seat_path}/")
    )
    retry_address = f"{referrer.path}?{referrer.query}" if came_from_own_form else None
    wanted_address = find_wanted_address(request) if status == 401 else ""
    answer = HTMLResponse(
        template.render(problem=problem, at=seat_path, again=retry_address, here=None, to=wanted_address), status
    )
    if status == 401 and {"campaign", "seat"} <= request.path_params.keys():
        your_tables.forget_table(answer, request, request.path_params["campaign"], request.path_params["seat"])
    return answer


def render_plain_page(template: str, status: int = 200, **values: object) -> HTMLResponse:
    """Return a page that needs no seat."""
    return HTMLResponse(environment.get_template(template).render(at=None, **values), status)


def prepare_app(app: FastAPI) -> None:
    app.state.table_systems = {}
