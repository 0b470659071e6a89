"""Routes that accept only their own query parameters.

An unknown parameter is refused, because ignoring it could return a misleading answer. The token is checked first.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterator

from fastapi import Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError

from api.http.admission import (
    is_operator,
    must_have_any_token,
    must_have_campaign_token,
    must_have_operator_token,
    must_have_seat_token,
)
from api.http.conditional import JSON, add_etag, must_accept
from api.http.described import Described
from api.http.mistakes import Mistake, describe_mistake
from api.http.parameters import operator_token, seat_token
from api.http.problems import MOST_ERRORS, make_bad_request
from ledger.application import parser
from ledger.rules.kernel.json_types import join_pointer


class Asked(Described):
    """A route that accepts only its own parameters."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[object, object, Response]]:
        handle = super().get_route_handler()
        dependants = [*_list_dependants(self.dependant)]
        known_names = sorted({parameter.alias for dependant in dependants for parameter in dependant.query_params})
        is_read = "GET" in (self.methods or ())
        check_caller = _choose_check([dependant.call for dependant in dependants])

        async def handle_query(request: Request) -> Response:
            unknown_names = [name for name in dict.fromkeys(request.query_params) if name not in known_names]
            if unknown_names:
                await check_caller(request)
                raise make_bad_request(
                    [_make_unknown_parameter_mistake(name, known_names) for name in unknown_names[:MOST_ERRORS]]
                )
            if not is_read:
                must_accept(request, JSON)
            try:
                answer = await handle(request)
            except RequestValidationError:
                await check_caller(request)
                raise
            if is_read and answer.media_type is not None and "format" not in request.query_params:
                must_accept(request, answer.media_type)
            return add_etag(request, answer) if is_read else answer

        return handle_query


def _list_dependants(dependant: Dependant) -> Iterator[Dependant]:
    """Yield a route's function and its dependencies."""
    yield dependant
    for part in dependant.dependencies:
        yield from _list_dependants(part)


def _choose_check(dependencies: list[object]) -> Callable[[Request], Awaitable[None]]:
    """Return the function that checks the caller's token. It does nothing for routes without a token."""
    if seat_token in dependencies:
        return must_have_any_token if operator_token in dependencies else _check_seat_token
    return must_have_operator_token if operator_token in dependencies else _check_nothing


async def _check_seat_token(request: Request) -> None:
    """Check a seat's token, or accept the operator's."""
    if is_operator(request, await seat_token(request)):
        return
    await (must_have_campaign_token if "campaign" in request.path_params else must_have_seat_token)(request)


async def _check_nothing(request: Request) -> None:
    pass


def _make_unknown_parameter_mistake(name: str, known_names: list[str]) -> Mistake:
    return describe_mistake(parser.make_unknown_mistake(join_pointer(["query", name]), "parameter", name, known_names))
