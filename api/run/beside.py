"""Update the views in a second process, so that requests don't wait for the interpreter."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import msgspec

from ledger.events.decoders import build_decoder

PATIENCE = 1.0  # seconds until a killed process is replaced
LAST_SAVE = 10  # seconds that it gets to finish a save
PROGRAM = (sys.executable, "-P", "-m", "api.run.beside")
log = logging.getLogger("ledger.views")


class ProcessSettings(msgspec.Struct):
    """The settings that the process reads from the first line of its input."""

    url: str
    schema: str
    log_level: str


PROCESS_SETTINGS = build_decoder(ProcessSettings)


class ViewsProcess:
    """The second process. `problem`: why the views have stopped permanently, or None."""

    def __init__(self, settings: ProcessSettings) -> None:
        self.problem: str | None = None
        self._settings = settings
        self._stopping = threading.Event()
        self._process = self._start_process()
        threading.Thread(target=self._watch_process, name="views", daemon=True).start()

    def close(self) -> None:
        """Stop the process after its current save."""
        self._stopping.set()
        self._hang_up()
        try:
            self._process.wait(LAST_SAVE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _start_process(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stdin is not None
        with suppress(OSError):  # the process is already gone, which `_watch_process` notices
            process.stdin.write(msgspec.json.encode(self._settings) + b"\n")
            process.stdin.flush()
        return process

    def _hang_up(self) -> None:
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()

    def _watch_process(self) -> None:
        while not self._stopping.is_set():
            assert self._process.stdout is not None
            output = self._process.stdout.read().decode(errors="replace").strip()  # to its end
            self._process.wait()
            if self._stopping.is_set():
                return
            if output:
                self.problem = output
                return
            log.warning("The process that updates the views stopped. Starting another one.")
            self._stopping.wait(PATIENCE)
            self._hang_up()
            if not self._stopping.is_set():
                self._process = self._start_process()


@contextmanager
def run_views_process(url: str, schema: str, log_level: str) -> Iterator[ViewsProcess]:
    """Update the views in a second process until the block ends. The current save is finished first.

    `url`: the projector's own login.
    """
    process = ViewsProcess(ProcessSettings(url, schema, log_level))
    try:
        yield process
    finally:
        process.close()


def main() -> None:
    """Update the views in the second process, until the service stops this process or ends."""
    # Ctrl-C reaches every program of the terminal. This process must end after the service.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    settings = PROCESS_SETTINGS.decode(sys.stdin.buffer.readline())
    from psycopg.conninfo import conninfo_to_dict

    from api.service.logs import log_to_stderr
    from projections.views.projector import Projector

    log_to_stderr(settings.log_level, [str(conninfo_to_dict(settings.url).get("password"))])
    stop = threading.Event()

    def wait_for_end() -> None:
        sys.stdin.buffer.read()
        stop.set()

    threading.Thread(target=wait_for_end, daemon=True).start()
    with Projector(settings.url, settings.schema) as projector:
        try:
            projector.follow(stop)
        except Exception as error:  # noqa: BLE001  the projector has logged it
            print(projector.problem or repr(error), flush=True)
    logging.shutdown()
    os._exit(0)


if __name__ == "__main__":
    main()
