"""Call the API within the process, with the same requests and answers as over the network."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import quote, urlencode

from asgi_correlation_id import correlation_id
from fastapi import Request, Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.middleware.access_log import HEADER
from ledger.events.codec import plain

#: A JSON document of the API.
Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the API. `json`: its parsed body."""

    status: int
    headers: Headers
    body: bytes

    @property
    def json(self) -> Json:
        document: Json = plain(self.body)
        return document

    @property
    def position(self) -> int:
        return int(self.headers.get("ledger-position", 0))


class Rejection(Exception):
    """The API rejected the page's request. `problem`: the body of the API's answer."""

    def __init__(self, status: int, problem: Json) -> None:
        super().__init__(problem.get("detail"))
        self.status = status
        self.problem = problem


class Client:
    """A client of the API for one seat of a campaign. Paths are relative to the campaign, except in
    `get_service_document`, `open_campaign` and `post_file`.
    """

    def __init__(self, request: Request, campaign: str, seat: str, token: str) -> None:
        self.campaign = campaign
        self.seat = seat
        self._app: ASGIApp = request.app
        self._scope = request.scope
        self._token = token
        self._host = request.headers.get("host", "")

    async def get(self, path: str, **query: object) -> Json:
        """Return a document. Raise Rejection for any status except 200."""
        return (await self.read(path, **query)).json

    async def read(self, path: str, **query: object) -> Answer:
        """Return the API's answer with its headers. Raise Rejection for any status except 200."""
        answer = await self._send("GET", self._make_path(path), query=query)
        if answer.status != 200:
            raise Rejection(answer.status, answer.json)
        return answer

    async def get_service_document(self, path: str) -> Json:
        """Return a document of the service itself, outside any campaign."""
        answer = await self._send("GET", path)
        if answer.status != 200:
            raise Rejection(answer.status, answer.json)
        return answer.json

    async def post(self, path: str, body: object, key: str, *, expected_position: int | None = None) -> Answer:
        """Return the answer to a POST request, whatever its status. If the campaign is no longer at
        `expected_position`, the status is 412.
        """
        return await self._send("POST", self._make_path(path), body, key, expected_position=expected_position)

    async def send_change(self, method: str, path: str, body: object, key: str) -> Answer:
        """Send a request with the given HTTP method, and return the answer, whatever its status."""
        return await self._send(method, self._make_path(path), body, key)

    async def open_campaign(self, body: Json, key: str) -> Answer:
        """Return the answer to a request to start a campaign, whatever its status."""
        return await self._send("POST", "/campaigns", body, key)

    async def post_file(self, path: str, file: bytes, token: str = "", **query: object) -> Answer:
        """Send a file to the service and return the answer. `token`: the operator's token, if the seat's token is not
        enough.
        """
        return await self._send("POST", path, file, query=query, token=token)

    def make_download(self, path: str, media_type: str, name: str) -> Response:
        """Return the API's answer as a download with this name."""
        return _Download(self._app, self._make_scope("GET", self._make_path(path), {}), media_type, name)

    async def read_together(self, *paths: str) -> list[Answer]:
        """Request several paths at the same time, and return the answers."""
        return list(await asyncio.gather(*map(self.read, paths)))

    def _make_path(self, path: str) -> str:
        return f"/campaigns/{self.campaign}{path}"

    async def _send(
        self,
        method: str,
        path: str,
        body: object = None,
        key: str = "",
        query: dict[str, object] | None = None,
        expected_position: int | None = None,
        token: str = "",
    ) -> Answer:
        content = body if isinstance(body, bytes) else json.dumps(body).encode() if body is not None else b""
        media_type = "application/octet-stream" if isinstance(body, bytes) else "application/json"
        headers = {"authorization": f"Bearer {token}"} if token else {}
        if body is not None:
            headers |= {"content-type": media_type, "content-length": str(len(content)), "idempotency-key": key}
            headers["ledger-position"] = str(expected_position) if expected_position is not None else ""
        query_string = urlencode({name: str(value) for name, value in (query or {}).items() if value is not None})
        return await asyncio.create_task(
            _send_request(self._app, self._make_scope(method, path, headers, query_string), content)
        )

    def _make_scope(self, method: str, path: str, headers: dict[str, str], query_string: str = "") -> dict[str, Any]:
        own_headers = {"host": self._host, "authorization": f"Bearer {self._token}", HEADER: correlation_id.get() or ""}
        return {
            "type": "http",
            "asgi": self._scope["asgi"],
            "http_version": "1.1",
            "method": method,
            "scheme": self._scope["scheme"],
            "path": path,
            "raw_path": quote(path).encode(),
            "root_path": "",
            "query_string": query_string.encode(),
            "client": self._scope.get("client"),
            "server": self._scope.get("server"),
            "headers": [
                (name.lower().encode(), value.encode("latin-1"))
                for name, value in (own_headers | headers).items()
                if value
            ],
        }


class _Download(Response):
    """The API's answer as a download, passed on in parts, so that a long answer is never in memory as a whole."""

    def __init__(self, app: ASGIApp, api_scope: dict[str, Any], media_type: str, name: str) -> None:
        super().__init__(media_type=media_type)
        self._app, self._api_scope, self._name = app, api_scope, name

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_as_file(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=list(message["headers"]))
                if message["status"] == 200:
                    headers["content-disposition"] = f'attachment; filename="{self._name}"'
                    headers["content-type"] = str(self.media_type)
                message = {**message, "headers": headers.raw}
            await send(message)

        await self._app(self._api_scope, receive, send_as_file)


async def _send_request(app: ASGIApp, scope: dict[str, Any], request_body: bytes) -> Answer:
    """Send a request to the API. Call this in a task of its own, so that its context does not leak into the page's."""
    start_message: dict[str, Any] = {}
    body_parts: list[bytes] = []
    was_body_read = False

    async def receive() -> Message:
        nonlocal was_body_read
        if was_body_read:
            await asyncio.Event().wait()  # the client never disconnects before the answer
        was_body_read = True
        return {"type": "http.request", "body": request_body, "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            start_message.update(message)
        else:
            body_parts.append(message.get("body", b""))

    await app(scope, receive, send)
    return Answer(start_message["status"], Headers(raw=start_message["headers"]), b"".join(body_parts))
