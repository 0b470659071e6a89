"""A line to the database that halts a client between two statements of a transaction, wherever that can be."""

from __future__ import annotations

from contextlib import suppress
from queue import SimpleQueue
from threading import Event

from tests.reliability.proxy import Proxy, _Link

ENDED = (b"Z\x00\x00\x00\x05I", b"Z\x00\x00\x00\x05T", b"Z\x00\x00\x00\x05E")  # PostgreSQL: an answer is whole
BETWEEN = ENDED[0]  # and no transaction is open


class Halting(Proxy):
    """Passes bytes on. Once a client sends `asked`, each whole answer to it is held back until `let_go`.

    So the client is between two statements whenever `halts` yields, and the server has done what it was asked to.
    It ends with the answer after which no transaction is open, or with the line.
    """

    def __init__(self, far: tuple[str, int]) -> None:
        self.halts: SimpleQueue[Event] = SimpleQueue()
        self._closed = False
        super().__init__(b"", b"")
        self.far = far

    def _there(self, link: _Link) -> None:
        seen = b""
        with suppress(OSError):
            while some := link.near.recv(65536):
                seen += some
                if self.asked and self.asked in seen:
                    link.swallowing, self.asked = True, b""
                seen = seen[-1024:]
                link.far.sendall(some)
        link.end()

    def _back(self, link: _Link) -> None:
        held = b""
        with suppress(OSError):
            while some := link.far.recv(65536):
                held += some
                if link.swallowing and not held.endswith(ENDED):
                    continue
                if link.swallowing:
                    self._hold_back()
                    link.swallowing = not held.endswith(BETWEEN)
                link.near.sendall(held)
                held = b""
            link.near.sendall(held)
        link.end()

    def _hold_back(self) -> None:
        let_go = Event()
        self.halts.put(let_go)
        if self._closed:
            let_go.set()
        let_go.wait()

    def let_all_go(self) -> None:
        """Whoever still halts, since a test failed meanwhile."""
        while not self.halts.empty():
            self.halts.get().set()

    def close(self) -> None:
        self._closed = True
        self.let_all_go()
        super().close()
