"""The views beside the service, kept by a process of their own: what is asked for need not wait for the interpreter."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import Protocol

from projections.views.projector import Projector

PATIENCE = 1.0  # seconds until one that was killed is followed by another
LAST_SAVE = 10  # seconds that it has to come to the end of a save
ALONE = "fork" if sys.platform == "linux" else "spawn"  # elsewhere the system's libraries do not bear a fork
FOLLOW, STOP, GONE = "follow", "stop", "gone"
log = logging.getLogger("ledger.views")


class Closing(Protocol):
    """A socket or file of the parent's, which is no business of the child's."""

    def close(self) -> None: ...


class Keeper:
    """`problem`: why the views have stopped for good, if they have; as the keeping process said before it ended."""

    def __init__(self, url: str, schema: str, parents: Sequence[Closing] = ()) -> None:
        """Begins the process, which waits until it is told to follow. While nothing else runs in this one."""
        self.problem: str | None = None
        self._about = (url, schema)
        self._stopping = threading.Event()
        self._begin(ALONE, parents)

    def follow(self) -> None:
        """Let it keep the views, and another one where it is killed."""
        self._orders.send(FOLLOW)
        threading.Thread(target=self._watch, name="views", daemon=True).start()

    def close(self) -> None:
        """Let it come to the end of a save."""
        self._stopping.set()
        with suppress(OSError):
            self._orders.send(STOP)
        self._process.join(LAST_SAVE)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()

    def _begin(self, how: str, parents: Sequence[Closing] = ()) -> None:
        context = multiprocessing.get_context(how)
        orders, self._orders = context.Pipe(duplex=False)
        self._said, says = context.Pipe(duplex=False)
        inherited = (*parents, self._orders, self._said) if how == "fork" else ()
        self._process = context.Process(  # type: ignore[attr-defined]
            target=_keep, args=(*self._about, orders, says, logging.getLogger("ledger").level, inherited), name="views"
        )
        self._process.start()
        orders.close()
        says.close()

    def _watch(self) -> None:
        while not self._stopping.is_set():
            wait([self._process.sentinel])
            with suppress(EOFError, OSError):
                self.problem = str(self._said.recv())
            if self._stopping.is_set() or self.problem is not None:
                return
            log.warning("The process that kept the views is gone; another one begins.")
            self._stopping.wait(PATIENCE)
            if not self._stopping.is_set():
                self._begin("spawn")  # by now much else runs here
                with suppress(OSError):
                    self._orders.send(FOLLOW)


@contextmanager
def keeper(url: str, schema: str, parents: Sequence[Closing] = ()) -> Iterator[Keeper]:
    """`url`: the projector's own login. `parents`: what the process must not hold open once this one is gone."""
    keeping = Keeper(url, schema, parents)
    try:
        yield keeping
    finally:
        keeping.close()


def _keep(
    url: str, schema: str, orders: Connection, says: Connection, level: int, inherited: Sequence[Closing]
) -> None:
    """In the process: until the other one says so, or is gone."""
    for one in inherited:
        one.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal, for all that runs in it: the service ends, then this
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if not logging.getLogger().handlers:
        from api.service.logs import log_to_stderr

        log_to_stderr(logging.getLevelName(level))
    stop = threading.Event()
    if _order(orders) != FOLLOW:
        os._exit(0)
    threading.Thread(target=_heed, args=(orders, stop), daemon=True).start()
    try:
        with Projector(url, schema) as projector:
            projector.follow(stop)
    except Exception as trouble:  # noqa: BLE001  the projector has logged it
        says.send(projector.problem or repr(trouble))
    logging.shutdown()
    os._exit(0)


def _heed(orders: Connection, stop: threading.Event) -> None:
    """Stop at a whole save once that is wanted; at once where the other process is gone: nothing is taken by half."""
    if _order(orders) == GONE:
        os._exit(1)
    stop.set()


def _order(orders: Connection) -> str:
    """The next one."""
    try:
        return str(orders.recv())
    except (EOFError, OSError):
        return GONE
