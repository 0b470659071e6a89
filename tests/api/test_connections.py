"""A connection that an answer leaves open takes the next request; one that ends is announced by `Connection: close`."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from api.http.bodies import MOST_BYTES
from api.middleware.closing import MOST_LEFT
from api.run.serve import IDLE
from tests.api.conftest import KEY, OPERATOR, SCHEMA
from tests.api.process import PROGRAM, Process, process, service_of
from tests.api.table import Service, Table
from tests.api.test_operation import TELLING

NEXT = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def closes(self) -> bool:
        return self.headers.get("connection", "").lower() == "close"


class Line:
    """One connection, by its bytes."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._socket = socket.create_connection((parts.hostname or "", parts.port or 0), timeout=30)
        self._answers = self._socket.makefile("rb")

    def close(self) -> None:
        self._answers.close()
        self._socket.close()

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def head(self) -> tuple[int, dict[str, str]]:
        """Of the next answer: its status, and its headers by their names in small letters."""
        first = self._answers.readline()
        assert first, "the connection ended without an answer"
        headers: dict[str, str] = {}
        while (line := self._answers.readline().decode().strip()) != "":
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        return int(first.split()[1]), headers

    def reply(self, method: str = "GET") -> Reply:
        """The next answer, whole."""
        status, headers = self.head()
        return Reply(status, headers, self._body(method, status, headers))

    def _body(self, method: str, status: int, headers: dict[str, str]) -> bytes:
        if method == "HEAD" or status in (100, 204, 304):
            return b""
        if "content-length" in headers:
            return self._answers.read(int(headers["content-length"]))
        if headers.get("transfer-encoding") != "chunked":
            return self._answers.read()
        return b"".join(self.chunks())

    def chunks(self) -> Iterator[bytes]:
        while size := int(self._answers.readline(), 16):
            yield self._answers.read(size)
            self._answers.readline()
        self._answers.readline()

    def has_ended(self) -> bool:
        """Whether nothing comes any more; waits for it."""
        try:
            return self._answers.read(1) == b""
        except ConnectionResetError:
            return True

    def must_be_as_announced(self, reply: Reply) -> None:
        """It ends where the answer says so, and takes another request where it does not."""
        if reply.closes:
            assert self.has_ended()
        else:
            self.send(NEXT)
            assert self.reply().status == 200


@contextmanager
def connected(address: str) -> Iterator[Line]:
    line = Line(address)
    try:
        yield line
    finally:
        line.close()


@pytest.fixture(scope="module")
def table(service: Service) -> Table:
    return Table(service)


@pytest.fixture
def line(service: Service) -> Iterator[Line]:
    with connected(str(service.client.base_url)) as line:
        yield line


def request(method: str, path: str, *headers: str, version: str = "1.1") -> bytes:
    return "".join(
        f"{part}\r\n" for part in (f"{method} {path} HTTP/{version}", "Host: localhost", *headers, "")
    ).encode()


def post(path: str, *headers: str) -> bytes:
    return request("POST", path, "Content-Type: application/json", *headers)


# --- answers after which it goes on ---


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "DELETE"])
@pytest.mark.parametrize("path", ["/healthz", "/systems", "/nowhere", "/campaigns/x", "/docs/api", "/"])
def test_what_has_no_body_leaves_the_connection_open(line: Line, method: str, path: str) -> None:
    line.send(request(method, path))
    reply = line.reply(method)
    assert not reply.closes
    line.must_be_as_announced(reply)


def test_a_document_that_has_not_changed_leaves_the_connection_open(line: Line) -> None:
    line.send(request("GET", "/openapi.json"))
    tag = line.reply().headers["etag"]
    line.send(request("GET", "/openapi.json", f"If-None-Match: {tag}"))
    reply = line.reply()
    assert (reply.status, reply.closes) == (304, False)
    line.must_be_as_announced(reply)


def test_an_answer_without_content_leaves_the_connection_open(table: Table, line: Line) -> None:
    made = table.gm.does("/invites", {"name": "Eve", "role": "player"})
    bearer = f"Authorization: Bearer {table.gm.token}"
    line.send(request("DELETE", f"/campaigns/{table.id}/invites/{made['id']}", bearer))
    reply = line.reply("DELETE")
    assert reply.status in (200, 204) and not reply.closes
    line.must_be_as_announced(reply)


def test_an_offer_of_another_protocol_is_passed_over(line: Line) -> None:
    """As Java's client makes with its first request."""
    offer = ("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAEAAEAAAAIAAAAB")
    line.send(request("GET", "/healthz", *offer))
    reply = line.reply()
    assert reply.status == 200
    line.must_be_as_announced(reply)


@pytest.mark.parametrize("more", [(), ("Connection: keep-alive",)])
def test_a_client_of_http_1_0_is_told_that_it_ends(line: Line, more: tuple[str, ...]) -> None:
    line.send(request("GET", "/healthz", *more, version="1.0"))
    reply = line.reply()
    assert reply.closes and line.has_ended()


def test_a_client_that_wants_it_to_end_is_told_so(line: Line) -> None:
    line.send(request("GET", "/healthz", "Connection: close"))
    reply = line.reply()
    assert reply.closes and line.has_ended()


# --- bodies that are not read ---


BODIES = [10, 70_000, MOST_LEFT, MOST_LEFT + 1, MOST_BYTES, MOST_BYTES + 1, 5 * MOST_BYTES]


@pytest.mark.parametrize("size", BODIES)
@pytest.mark.parametrize("path", ["/campaigns", "/campaigns/{id}/rulings", "/nowhere"])
def test_a_body_that_nobody_reads(table: Table, line: Line, path: str, size: int) -> None:
    """What little there is of one is passed over, before the next request; for more the connection ends."""
    line.send(post(path.replace("{id}", table.id), f"Content-Length: {size}"))
    reply = line.reply()
    assert reply.status == (413 if size > MOST_BYTES else 404 if path == "/nowhere" else 401)
    assert reply.closes == (size > MOST_LEFT)
    if not reply.closes:
        line.send(b"x" * size)
    line.must_be_as_announced(reply)


@pytest.mark.parametrize("size", BODIES)
def test_the_answer_to_a_body_that_nobody_reads_arrives_also_where_all_of_it_is_sent_first(
    table: Table, line: Line, size: int
) -> None:
    line.send(post(f"/campaigns/{table.id}/rulings", f"Content-Length: {size}"))
    sent = 0
    try:
        while sent < size:
            sent += MOST_LEFT // 4
            line.send(b"x" * min(MOST_LEFT // 4, size - sent + MOST_LEFT // 4))
    except (ConnectionResetError, BrokenPipeError):
        assert size > MOST_LEFT
    assert line.reply().status == (413 if size > MOST_BYTES else 401)


def test_a_body_of_unknown_length_that_nobody_reads_ends_the_connection(line: Line) -> None:
    line.send(post("/campaigns", "Transfer-Encoding: chunked") + b"5\r\n[1, 2\r\n")
    reply = line.reply()
    assert (reply.status, reply.closes) == (401, True)
    line.must_be_as_announced(reply)


def test_more_than_is_taken_in_chunks_ends_the_connection(table: Table, line: Line) -> None:
    bearer = f"Authorization: Bearer {table.gm.token}"
    line.send(post(f"/campaigns/{table.id}/rulings", "Transfer-Encoding: chunked", bearer))
    chunk = b"%x\r\n" % 50_000 + b"x" * 50_000 + b"\r\n"
    line.send(chunk * (MOST_BYTES // 50_000 + 1))
    reply = line.reply()
    assert (reply.status, reply.closes) == (413, True)
    line.must_be_as_announced(reply)


def test_a_body_that_is_read_and_refused_leaves_the_connection_open(table: Table, line: Line) -> None:
    bearer = f"Authorization: Bearer {table.gm.token}"
    for body, status in ((b"{", 422), (b'{"declare": {"kind": "none"}}', 422), (b"x" * 900_000, 422)):
        line.send(post(f"/campaigns/{table.id}/rulings", f"Content-Length: {len(body)}", bearer) + body)
        reply = line.reply()
        assert (reply.status, reply.closes) == (status, False)
        line.must_be_as_announced(reply)


# --- bodies that wait to be asked for ---


def test_who_waits_to_be_asked_for_a_body_that_nobody_reads_is_told_that_it_ends(line: Line) -> None:
    """Whether the body still comes nobody knows then: it would be taken for the next request."""
    line.send(post("/campaigns", "Content-Length: 10", "Expect: 100-continue"))
    reply = line.reply()
    assert (reply.status, reply.closes) == (401, True)
    line.must_be_as_announced(reply)


def test_who_waits_to_be_asked_for_a_body_is_asked_and_goes_on(table: Table, line: Line) -> None:
    body, bearer = b'{"declare": {"kind": "none"}}', f"Authorization: Bearer {table.gm.token}"
    asked = (f"Content-Length: {len(body)}", "Expect: 100-continue", bearer)
    line.send(post(f"/campaigns/{table.id}/rulings", *asked))
    assert line.reply().status == 100
    line.send(body)
    reply = line.reply()
    assert (reply.status, reply.closes) == (422, False)
    line.must_be_as_announced(reply)


def test_bytes_that_are_no_request_end_the_connection(line: Line) -> None:
    line.send(b"\x00\x01 hello\r\n\r\n")
    reply = line.reply()
    assert (reply.status, reply.closes) == (400, True)
    line.must_be_as_announced(reply)


# --- the service stops, or nobody says anything ---


#: Longer than any test takes: nothing depends on how quick it is.
PATIENT = f"import api.run.serve as serving; serving.GOODBYE = 60; {PROGRAM}"


@contextmanager
def running(url: str, folder: Path, program: str = PATIENT) -> Iterator[tuple[Process, Table]]:
    with process(folder, url, SCHEMA, KEY, OPERATOR, program, RATE_LIMIT="off") as one:
        with service_of(one, OPERATOR) as service:
            table = Table(service)
        yield one, table


@pytest.mark.slow
def test_a_service_that_stops_tells_each_client_by_its_last_answer(service_url: str, tmp_path: Path) -> None:
    with running(service_url, tmp_path) as (one, _), connected(one.address) as idle, connected(one.address) as other:
        for line in (idle, other):
            line.send(NEXT)
            assert not line.reply().closes
        one.signal()
        one.wait_for('"message":"Stopping')
        for line in (idle, other):
            line.send(NEXT)
            reply = line.reply()
            assert (reply.status, reply.closes) == (200, True)
            assert line.has_ended()
        assert one.popen.wait(60) == 0


@pytest.mark.nightly
def test_a_request_under_way_when_the_service_stops_is_told_so(service_url: str, tmp_path: Path) -> None:
    with running(service_url, tmp_path, TELLING + PATIENT) as (one, table), connected(one.address) as line:
        bearer = f"Authorization: Bearer {table.gm.token}"
        line.send(request("GET", f"/campaigns/{table.id}?wait=99", bearer))
        one.wait_for("it waits")
        one.signal()
        reply = line.reply()
        assert (reply.status, reply.closes) == (200, True)
        assert line.has_ended()
        assert one.popen.wait(60) == 0


@pytest.mark.nightly
def test_a_client_that_says_nothing_when_the_service_stops_is_not_waited_for(service_url: str, tmp_path: Path) -> None:
    with running(service_url, tmp_path, PROGRAM) as (one, _), connected(one.address) as idle:
        idle.send(NEXT)
        assert idle.reply().status == 200
        assert one.stop() == 0
        assert idle.has_ended()


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/campaigns/{id}/feed"])
def test_a_feed_says_when_it_begins_that_the_connection_ends_with_it(
    service_url: str, tmp_path: Path, path: str
) -> None:
    with running(service_url, tmp_path) as (one, table), connected(one.address) as line:
        line.send(request("GET", path.replace("{id}", table.id), f"Authorization: Bearer {table.gm.token}"))
        status, headers = line.head()
        assert (status, headers["connection"]) == (200, "close")
        chunks = line.chunks()
        assert b"from here on" in next(chunks)
        one.signal()
        assert all(b"from here on" not in chunk for chunk in chunks)  # to its end
        assert line.has_ended()
        assert one.popen.wait(60) == 0


@pytest.mark.nightly
def test_an_idle_connection_ends_later_than_clients_end_theirs(service_url: str, tmp_path: Path) -> None:
    assert IDLE > 60
    program = f"import api.run.serve as serving; serving.IDLE = 1; {PROGRAM}"
    with running(service_url, tmp_path, program) as (one, _), connected(one.address) as line:
        line.send(NEXT)
        assert not line.reply().closes
        assert line.has_ended()


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_more_connections_may_be_open_than_the_system_usually_allows(service_url: str, tmp_path: Path) -> None:
    program = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (100, 1000)); {PROGRAM}"
    with running(service_url, tmp_path, program) as (one, _), ExitStack() as stack:
        for _ in range(200):
            stack.enter_context(connected(one.address))
        line = stack.enter_context(connected(one.address))
        line.send(NEXT)
        assert line.reply().status == 200
