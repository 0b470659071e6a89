"""What comes in: at most 1 MB of strict JSON, read before anything else looks at it.

Whatever another reader of JSON might take otherwise is refused: a name said twice, NaN, numbers other programs cannot
hold, half characters. The parsed body's digest is what tells a retry from another request under the same key.
"""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any, NoReturn

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api import problems
from api.problems import MALFORMED, NOT_JSON, TOO_LARGE, BadRequest

MOST_BYTES = 1_000_000
MOST_DRAINED = 20 * MOST_BYTES  # read and dropped, so that who sends too much still gets to read the answer
MOST_DEEP = 32
STREAMED = ("POST", "/campaigns/import")  # reads its body itself, of any size
MOST_WHOLE = 2**53 - 1  # beyond it, half of the world's JSON readers round (RFC 7493)


class Bodies:
    """Middleware, outermost: reads and checks the body, and turns what nobody foresaw into a problem."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = False

        async def sending(message: Message) -> None:
            nonlocal began
            began = True
            await send(message)

        try:
            answer = await self._answer(scope, receive, sending)
        except ClientDisconnect:  # half a request is none, and nobody waits for an answer
            return
        except Exception as error:  # noqa: BLE001  the last line: never a bare 500
            answer = problems.fault(error)
        if answer is not None and not began:
            await answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> Response | None:
        """None when the application answered."""
        body = b""
        if (scope["method"], scope["path"]) == STREAMED:
            await self.app(scope, receive, send)
            return None
        if scope["method"] in ("POST", "PUT", "PATCH"):
            headers = Headers(scope=scope)
            try:
                body = await _read(receive, headers)
                value = _value(body, headers)
            except BadRequest as error:
                return problems.bad_request(error)
            scope.setdefault("state", {})["digest"] = _digest(scope, value)
        await self.app(scope, _replaying(body, receive), send)
        return None


def _replaying(body: bytes, receive: Receive) -> Receive:
    """The body once more, then what else the client says (that it went away)."""
    left = [body]

    async def again() -> Message:
        if left:
            return {"type": "http.request", "body": left.pop(), "more_body": False}
        return await receive()

    return again


async def _read(receive: Receive, headers: Headers) -> bytes:
    """The whole body. Bytes are counted as they come; what a header says of their number is not believed.

    ClientDisconnect when the line is lost before the body is complete.
    """
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        chunk = message.get("body", b"")
        size += len(chunk)
        if size <= MOST_BYTES:
            chunks.append(chunk)
        if not message.get("more_body") or size > MOST_DRAINED:
            break
    if size > MOST_BYTES:
        raise BadRequest(TOO_LARGE, "too-large", f"A request may have {MOST_BYTES} bytes.")
    return b"".join(chunks)


def _value(body: bytes, headers: Headers) -> Any:
    if not body:
        return None
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" or headers.get("content-encoding", "identity").lower() != "identity":
        raise BadRequest(NOT_JSON, "not-json", "Send JSON: Content-Type: application/json, uncompressed.")
    return parse(body)


def parse(body: bytes) -> Any:
    """The JSON value. BadRequest for anything not every reader of JSON takes the same way."""
    try:
        value = json.loads(
            body.decode(), object_pairs_hook=_object, parse_int=_whole, parse_float=_number, parse_constant=_constant
        )
    except UnicodeDecodeError:
        raise _bad("not-utf-8", "The body is not UTF-8.") from None
    except RecursionError:
        raise _too_deep() from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise _bad("not-json", f"The body is not JSON ({where}).") from None
    _check(value, 1)
    return value


def _bad(code: str, detail: str) -> BadRequest:
    return BadRequest(MALFORMED, code, detail)


def _too_deep() -> BadRequest:
    return _bad("too-deep", f"The body is nested deeper than {MOST_DEEP} levels.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _bad("duplicate-name", "An object in the body has the same name twice.")
    return made


def _whole(digits: str) -> int:
    if len(digits) > 17 or abs(int(digits)) > MOST_WHOLE:
        raise _bad("out-of-range", f"A number in the body is beyond ±{MOST_WHOLE}.")
    return int(digits)


def _number(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _bad("out-of-range", "A number in the body is out of range.")
    return value


def _constant(name: str) -> NoReturn:
    raise _bad("not-json", f"{name} is not JSON.")


def _check(value: Any, depth: int) -> None:
    if depth > MOST_DEEP:
        raise _too_deep()
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, dict):
        for name, inner in value.items():
            _check_text(name)
            _check(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _check(inner, depth + 1)


def _check_text(text: str) -> None:
    if "\0" in text:
        raise _bad("nul-character", "A text in the body has a NUL character.")
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise _bad("half-character", "A text in the body has half of a surrogate pair.")


def _digest(scope: Scope, value: Any) -> str:
    """Of method, path, query and the body's value: the same for bodies that differ in spaces and order only."""
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"))
    said = "\n".join((scope["method"], scope["path"], scope["query_string"].decode("latin-1"), canonical))
    return hashlib.sha256(said.encode()).hexdigest()
