"""A client that costs very little compared to what it measures, and clients that write rows or play a campaign."""

from __future__ import annotations

import json
import socket
import uuid
from collections.abc import Sequence

from scripts.bench_games import GAMES, Json
from scripts.bench_play import NUMBERED

OPERATOR = "measuring-only-operator"


class ThinClient:
    """A client that sends one request after another on one connection."""

    def __init__(self, address: str) -> None:
        self.host = address.removeprefix("http://")
        host_name, _, port = self.host.rpartition(":")
        self._socket = socket.create_connection((host_name, int(port)), timeout=60)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self) -> None:
        self._socket.close()

    def post(self, path: str, body: object, token: str = "") -> tuple[int, bytes]:
        """Return the status and the body of the answer."""
        content = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {self.host}\r\nAuthorization: Bearer {token}\r\n"
            f"Idempotency-Key: {uuid.uuid4()}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(content)}\r\n\r\n"
        )
        self._socket.sendall(head.encode() + content)
        return self._receive()

    def _receive(self) -> tuple[int, bytes]:
        received = b""
        while (end := received.find(b"\r\n\r\n")) < 0:
            received += self._receive_some()
        head = received[:end].lower()
        length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
        while len(received) < end + 4 + length:
            received += self._receive_some()
        return int(head.split(None, 2)[1]), received[end + 4 :]

    def _receive_some(self) -> bytes:
        chunk = self._socket.recv(65536)
        assert chunk, "The service closed the connection."
        return chunk


class RowClient(ThinClient):
    """Makes the bare service store one row after another. `count`: the number of requests answered."""

    def __init__(self, address: str, row: object) -> None:
        super().__init__(address)
        self._row = row
        self.count = 0

    def step(self) -> None:
        status, answer = self.post("/rows", self._row)
        assert status == 201, answer
        self.count += 1


class PlayClient(ThinClient):
    """Plays its game's most common exchange in a campaign of its own. `count`: the number of rulings answered."""

    def __init__(self, address: str, game: str) -> None:
        super().__init__(address)
        body = {"name": "Bench", "system": game, "gm": {"name": "Ann"}}
        status, answer = self.post("/campaigns", body, OPERATOR)
        assert status == 201, answer
        campaign = json.loads(answer)
        self._path, self._token = f"/campaigns/{campaign['id']}/rulings", campaign["seat"]["token"]
        self._moves = GAMES[game](self.declare)
        self.count = 0

    def declare(self, declaration: Json, answers: Sequence[Json] = ()) -> str:
        status, answer = self.post(self._path, {"declare": declaration, "answers": answers}, self._token)
        assert status == 201, answer
        self.count += 1
        return str(NUMBERED.decode(answer).number)

    def step(self) -> None:
        next(self._moves)
