"""A line that can lose an answer: what was asked arrives and is done, and who asked never hears of it."""

from __future__ import annotations

import socket
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from threading import Lock, Thread

READY = b"Z\x00\x00\x00\x05I"  # PostgreSQL: the transaction is over, and the server waits for the next


@dataclass(slots=True)
class _Link:
    near: socket.socket
    far: socket.socket
    swallowing: bool = False

    def end(self) -> None:
        for one in (self.near, self.far):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


class Proxy:
    """Passes bytes between its own port, which stays, and `far`, which may move.

    Of the requests that hold the bytes `asked`, the answer to every `every`-th is lost (0: none): it is read until it
    holds the bytes `answered`, so that it is known to have been given, and then the connection ends on both sides.
    """

    def __init__(self, asked: bytes, answered: bytes) -> None:
        self.asked, self.answered = asked, answered
        self.far = ("127.0.0.1", 0)
        self.every = 0
        self.lost = 0
        self._count = count(1)
        self._lock = Lock()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            try:
                link = _Link(near, socket.create_connection(self.far, timeout=5))
            except OSError:
                near.close()
                continue
            link.far.settimeout(None)
            for carry in (self._there, self._back):
                Thread(target=carry, args=(link,), daemon=True).start()

    def _there(self, link: _Link) -> None:
        seen = b""
        with suppress(OSError):
            while some := link.near.recv(65536):
                seen += some
                if self.asked in seen:
                    link.swallowing = self._is_turn()
                    seen = b""
                seen = seen[-len(self.asked) :]
                link.far.sendall(some)
        link.end()

    def _back(self, link: _Link) -> None:
        held = b""
        with suppress(OSError):
            while some := link.far.recv(65536):
                if not link.swallowing:
                    link.near.sendall(some)
                    continue
                held += some
                if self.answered in held:
                    with self._lock:
                        self.lost += 1
                    break
        link.end()

    def _is_turn(self) -> bool:
        with self._lock:
            return bool(self.every) and next(self._count) % self.every == 0
