"""A receiver of hooks on the loopback, which answers what it is told to and keeps what it was sent."""

from __future__ import annotations

import json
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Event, Thread
from typing import Any

PATIENCE = 120.0


@dataclass(frozen=True)
class Received:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def said(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.body)
        return document


class Receiver(ThreadingHTTPServer):
    """`answers`: the statuses to come; 204 afterwards. `open`: while it is not set, nobody is answered."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        if tls is not None:
            self.socket = tls.wrap_socket(self.socket, server_side=True)
        self.answers: list[int] = []
        self.headers: dict[str, str] = {}
        self.open = Event()
        self.open.set()
        self.before_answering: Callable[[], None] | None = None
        self.received: list[Received] = []
        self.news: Queue[Received] = Queue()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    def next(self) -> Received:
        """What comes next, waited for."""
        return self.news.get(timeout=PATIENCE)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Who hangs up is no error of the test's."""


class _Handler(BaseHTTPRequestHandler):
    server: Receiver
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        server = self.server
        body = self.rfile.read(int(self.headers["Content-Length"]))
        one = Received(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
        server.received.append(one)
        server.news.put(one)
        server.open.wait(PATIENCE)
        if server.before_answering is not None:
            server.before_answering()
        self.send_response(server.answers.pop(0) if server.answers else 204)
        for name, value in server.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (its name there)
        """Nothing."""


@contextmanager
def receiving(tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    with Receiver(tls) as receiver:
        thread = Thread(target=receiver.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield receiver
        receiver.open.set()
        receiver.shutdown()
        thread.join(PATIENCE)
