"""A hostile client in a process of its own, so that sending does not slow down the measured clients.

`python -m scripts.bench_hostile` reads its task from the environment variable HOSTILE (JSON). It sends one kind of body
on several connections, without pauses, and prints how often it received each status.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections import Counter
from contextlib import suppress
from dataclasses import asdict, dataclass
from threading import Thread

DRIPPING = 200  # connections that send a body byte by byte


def _write_fields(count: int) -> bytes:
    return b",".join(b'"name%d":1' % number for number in range(count))


def _write_list(item: bytes, count: int) -> bytes:
    return b"[" + b",".join([item] * count) + b"]"


def _write_sheet(trait: bytes) -> bytes:
    sheet = b'{"kind":"main","traits":' + _write_list(trait, 900) + b"}"
    return b'{"declare":{"kind":"enrol","name":"Ada","seat":"s1","sheet":' + sheet + b"}}"


#: Bodies that are slow to receive, scan, parse or check, or have many mistakes to report.
BODIES = {
    "no JSON": b'{"declare":',
    "an unknown kind": b'{"declare":{"kind":"nothing"}}',
    "a kind that is a long list": b'{"declare":{"kind":' + _write_list(b'"' + b"y" * 9000 + b'"', 100) + b"}}",
    "wide": _write_list(b"[" * 31 + b"]" * 31, 15_000),
    "deep": b"[" * 960_000,
    "many numbers": _write_list(b"1", 9_990),
    "one long text": b'{"reason":"' + b"x" * 960_000 + b'"}',
    "many escapes": b'{"reason":"' + b"\\n" * 39_000 + b'"}',
    "many unknown fields": b"{" + _write_fields(990) + b"}",
    "many unknown fields in a declaration": b'{"declare":{"kind":"enrol",' + _write_fields(990) + b"}}",
    "many mistakes in a sheet": _write_sheet(b'{"nam":"Bold","base":7}'),
    "a sheet that the rules refuse": _write_sheet(b'{"name":"Bold","base":8}'),
    "too large": b"x" * 3_000_000,
    "byte by byte": b"[" * 900_000,
}


@dataclass(frozen=True, slots=True)
class Hostility:
    """The task. `head`: the head of each request, without the length of its body. `connection_count`: the number of
    simultaneous connections."""

    host: str
    port: int
    head: str
    body: str
    connection_count: int
    seconds: float

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "HOSTILE": json.dumps(asdict(self))}


class Client:
    def __init__(self, hostility: Hostility) -> None:
        self.counts: Counter[str] = Counter()
        self._address = (hostility.host, hostility.port)
        self._body = BODIES[hostility.body]
        self._head = f"{hostility.head}Content-Length: {len(self._body)}\r\n\r\n".encode()
        self._end = time.monotonic() + hostility.seconds

    def send_until_the_end(self) -> None:
        while time.monotonic() < self._end:
            try:
                with socket.create_connection(self._address) as connection:
                    self._send_on(connection)
            except OSError as trouble:
                self.counts[type(trouble).__name__] += 1

    def _send_on(self, connection: socket.socket) -> None:
        with connection.makefile("rb") as answers:
            is_last = False
            while not is_last and time.monotonic() < self._end:
                with suppress(ConnectionError):  # the answer may have come before the whole body was sent
                    connection.sendall(self._head + self._body)
                status_words = answers.readline().split()
                if not status_words:
                    return
                length = 0
                while (header := answers.readline().lower()) not in (b"\r\n", b""):
                    name, _, value = header.partition(b":")
                    length = int(value) if name == b"content-length" else length
                    is_last |= name == b"connection" and value.strip() == b"close"
                answers.read(length)
                self.counts[status_words[1].decode()] += 1

    def drip(self) -> None:
        connections = [socket.create_connection(self._address) for _ in range(DRIPPING)]
        for connection in connections:
            connection.sendall(self._head)
        while time.monotonic() < self._end:
            for connection in connections:
                with suppress(OSError):
                    connection.sendall(b"[")
            time.sleep(0.5)
        for connection in connections:
            connection.close()


def main() -> None:
    hostility = Hostility(**json.loads(os.environ["HOSTILE"]))
    client = Client(hostility)
    if hostility.body == "byte by byte":
        client.drip()
    else:
        threads = [Thread(target=client.send_until_the_end) for _ in range(hostility.connection_count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print(json.dumps(client.counts))


if __name__ == "__main__":
    main()
