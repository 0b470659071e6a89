"""A line to the database that can be cut and mended."""

from __future__ import annotations

import socket
from contextlib import suppress
from threading import Lock, Thread


class Line:
    """Passes bytes between its own port and an address, until it is cut."""

    def __init__(self, host: str, port: int) -> None:
        self._far = (host, port)
        self._near: socket.socket | None = None
        self._ends: list[socket.socket] = []
        self._lock = Lock()
        self.port = 0
        self.mend()

    def mend(self) -> None:
        self._near = socket.create_server(("127.0.0.1", self.port))
        self.port = self._near.getsockname()[1]
        Thread(target=self._accept, args=(self._near,), daemon=True).start()

    def cut(self) -> None:
        """Every connection ends, and none is taken any more."""
        assert self._near is not None
        with self._lock:
            ended = (self._near, *self._ends)
            self._near, self._ends = None, []
        for end in ended:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self, near: socket.socket) -> None:
        with suppress(OSError):
            while True:
                here, _ = near.accept()
                there = socket.create_connection(self._far)
                with self._lock:
                    cut = self._near is not near
                    self._ends += [] if cut else [here, there]
                if cut:  # while it was being accepted
                    here.close()
                    there.close()
                    return
                for one, other in ((here, there), (there, here)):
                    Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while some := one.recv(65536):
                other.sendall(some)
        with suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)
