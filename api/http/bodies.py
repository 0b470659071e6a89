"""Request bodies: strict JSON of at most 1 MB, from callers whose token allows them to write there.

The token is checked before the body is read, so a caller without a token costs nothing. The body is parsed once,
outside the event loop. Its digest distinguishes a retry from a different request with the same key.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from weakref import WeakValueDictionary

from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http import problems
from api.http.admission import must_have_campaign_token
from api.http.mistakes import describe_mistake
from api.http.problem_kinds import NOT_JSON, TOO_LARGE
from api.http.problems import MOST_ERRORS, BadRequest, make_bad_request
from api.http.queries import Asked
from api.http.strict_json import SMALL, parse
from ledger.application import parser
from ledger.rules.kernel.json_types import join_pointer

MOST_BYTES = 1_000_000
AT_ONCE = 2  # requests of one campaign handled at once; further ones wait without using a thread
STREAMED = ("POST", "/campaigns/import")  # this route reads its own body, which may have any size
#: The semaphores by campaign, or by route. Each is kept while requests use it.
_semaphores: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
#: Large bodies are parsed one at a time, so they delay only each other.
_parser_thread = ThreadPoolExecutor(1, "bodies")


class Bodies:
    """Innermost middleware: refuses a body if its declared length is too large, and turns unforeseen errors into
    problems.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        has_begun = False

        async def note_and_send(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        answer: Response | None = None
        try:
            if _is_announced_too_large(scope):
                answer = problems.answer_bad_request(_make_too_large_error())
            else:
                await self.app(scope, receive, note_and_send)
        except ClientDisconnect:  # the client left before it had sent everything, so nobody waits for an answer
            return
        except Exception as error:  # noqa: BLE001  the last resort: never a bare 500
            answer = problems.answer_fault(error)
        if answer is not None and not has_begun:
            await answer(scope, receive, send)


def _is_announced_too_large(scope: Scope) -> bool:
    length = Headers(scope=scope).get("content-length", "")
    return (scope["method"], scope["path"]) != STREAMED and length.isdecimal() and int(length) > MOST_BYTES


def _make_too_large_error() -> BadRequest:
    return BadRequest(TOO_LARGE, "too-large", f"A request can have at most {MOST_BYTES} bytes.")


class Bodied(Asked):
    """A route that takes a body."""

    async def admit(self, request: Request) -> None:
        """Raise an error if the caller may not send anything here."""
        await must_have_campaign_token(request)

    def get_route_handler(self) -> Callable[[Request], Coroutine[object, object, Response]]:
        handle = super().get_route_handler()
        if "GET" in (self.methods or ()):
            return handle
        known_names = _list_field_names(self)

        async def handle_body(request: Request) -> Response:
            await self.admit(request)
            body = await _read_body(request)
            async with _find_semaphore(request):
                if len(body) <= SMALL:
                    value, digest = _parse_body(body, request)
                else:
                    value, digest = await asyncio.get_running_loop().run_in_executor(
                        _parser_thread, _parse_body, body, request
                    )
                _must_have_known_fields(value, known_names)
                request.state.digest = digest
                return await handle(ParsedRequest(request, body, value))

        return handle_body


def _list_field_names(route: APIRoute) -> list[str]:
    """Return the names of the fields that the route's body may have. An empty list means any fields."""
    form_class = route.body_field.field_info.annotation if route.body_field is not None else None
    if (
        not isinstance(form_class, type)
        or not issubclass(form_class, BaseModel)
        or form_class.model_config.get("extra") != "forbid"
    ):
        return []
    return sorted(field.alias or name for name, field in form_class.model_fields.items())


def _must_have_known_fields(value: object, known_names: list[str]) -> None:
    """Refuse a body with very many unknown fields, because the check against its form would report each of them."""
    if not known_names or not isinstance(value, dict) or len(value) <= len(known_names) + MOST_ERRORS:
        return
    unknown_names = [name for name in value if name not in known_names]
    raise make_bad_request(
        [
            describe_mistake(parser.make_unknown_mistake(join_pointer([name]), "field", name, known_names))
            for name in unknown_names[:MOST_ERRORS]
        ],
        len(unknown_names),
    )


def _find_semaphore(request: Request) -> asyncio.Semaphore:
    """Return the semaphore of the campaign in the path, or of the route if the path has no campaign.

    Only requests to the same campaign wait for each other. They are saved one after another anyway.
    """
    key = request.path_params.get("campaign") or request.scope["route"].path
    return _semaphores.setdefault(key, asyncio.Semaphore(AT_ONCE))


class ParsedRequest(Request):
    """A request with its body read and parsed."""

    def __init__(self, request: Request, body: bytes, value: object) -> None:
        super().__init__(request.scope, request.receive)
        self._body = body
        self._value = value

    async def body(self) -> bytes:
        return self._body

    async def json(self) -> object:
        return self._value


async def _read_body(request: Request) -> bytes:
    """Return the whole body. Raise ClientDisconnect if the connection ends too early.

    Bytes are counted as they arrive: the Content-Length header is not trusted.
    """
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > MOST_BYTES:
            raise _make_too_large_error()
        chunks.append(chunk)
    return b"".join(chunks)


def _parse_body(body: bytes, request: Request) -> tuple[object, str]:
    """Return the body's value and the digest of the request."""
    value = _parse_value(body, request.headers)
    return value, _make_digest(request.scope, value)


def _parse_value(body: bytes, headers: Headers) -> object:
    if not body:
        return None
    media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json" or headers.get("content-encoding", "identity").lower() != "identity":
        raise BadRequest(NOT_JSON, "not-json", "Send uncompressed JSON with Content-Type: application/json.")
    return parse(body)


def _make_digest(scope: Scope, value: object) -> str:
    """Return a digest of method, path, query and the body's value. Spaces and the order of fields make no
    difference.
    """
    canonical_text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    text = "\n".join((scope["method"], scope["path"], scope["query_string"].decode("latin-1"), canonical_text))
    return hashlib.sha256(text.encode()).hexdigest()
