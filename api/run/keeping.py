"""Keep the embedded PostgreSQL running beside the service: if it stops by itself, start it again."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from api.embedded import EmbeddedPostgres, EmbeddedPostgresError
from ledger.events.disk import Disk

LOOK = 1.0  # seconds
AGAIN = 5.0  # seconds between two attempts
LAST_TRY = 10.0  # seconds that an attempt may take after the service has ended
log = logging.getLogger("ledger.postgres")


@contextmanager
def keep_running(server: EmbeddedPostgres, disk: Disk) -> Iterator[None]:
    """Keep the server running until the end of the block. `disk` is notified if a full disk stopped the server."""
    ending = Event()
    thread = Thread(target=_watch_server, args=(server, disk, ending), name="postgres", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ending.set()
        thread.join(LAST_TRY)


def _watch_server(server: EmbeddedPostgres, disk: Disk, ending: Event) -> None:
    is_down = False
    while not ending.wait(AGAIN if is_down else LOOK):
        if server.is_running():
            is_down = False
            continue
        try:
            if server.has_run_out_of_room():
                disk.note_trouble("full")
            if not is_down:
                log.error("PostgreSQL stopped unexpectedly. Restarting it.")
            server.restart_if_stopped()
            log.warning("PostgreSQL is running again.")
        except (EmbeddedPostgresError, OSError):  # the messages of these errors contain paths
            if not is_down:
                log.error("PostgreSQL does not start. Its log has the reason. Trying again.")
            is_down = True
