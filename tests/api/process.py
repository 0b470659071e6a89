"""The service as a process of its own, started by its own command, with what it logs."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
from psycopg.conninfo import make_conninfo

from ledger.events.database_check import PROJECTOR_ROLE
from tests.api.table import Json, Service, described

ROOT = Path(__file__).parents[2]
PROGRAM = "import tests; from api.cli.main import main; main()"  # with the toy system, as in the other tests
PATIENCE = 120


class Process:
    """`stop` waits for its end and answers the exit code; `log` reads what it logged so far."""

    def __init__(self, popen: subprocess.Popen[bytes], errors: Path) -> None:
        self.popen = popen
        self.errors = errors
        self.address = ""

    @property
    def said(self) -> str:
        return self.errors.read_text()

    def log(self, message: str | None = None) -> list[Json]:
        """The lines logged, or those that say this."""
        lines: list[Json] = [json.loads(line) for line in self.said.splitlines() if line.startswith("{")]
        return [one for one in lines if message is None or one["message"] == message]

    def wait_for(self, wanted: str) -> re.Match[str]:
        deadline = time.monotonic() + PATIENCE
        while (found := re.search(wanted, self.said)) is None:
            assert self.popen.poll() is None and time.monotonic() < deadline, (self.popen.returncode, self.said)
            time.sleep(0.05)
        return found

    def signal(self, number: int = signal.SIGTERM) -> None:
        self.popen.send_signal(number)

    def stop(self) -> int:
        self.signal()
        return self.popen.wait(PATIENCE)


@contextmanager
def process(
    folder: Path,
    url: str,
    schema: str,
    key: bytes,
    operator: str,
    program: str = PROGRAM,
    *,
    run_by: Sequence[str] = (),
    address: str = "127.0.0.1",
    **settings: str,
) -> Iterator[Process]:
    """Serving on a port of its own. `settings`: of the environment, without LEDGER_. `run_by`: a command that runs it.

    The projector's password is the service's, if they do not say otherwise.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LEDGER_")}
    said = {"DATABASE_URL": url, "SCHEMA": schema, "SERVER_KEY": key.decode(), "OPERATOR_TOKEN": operator}
    said |= {"PROJECTOR_URL": make_conninfo(url, user=PROJECTOR_ROLE), **settings}
    environment = {**kept, **{f"LEDGER_{name}": value for name, value in said.items()}}
    errors = folder / f"stderr-{time.monotonic_ns()}"
    with errors.open("wb") as file:
        command = [*run_by, sys.executable, "-c", program, "serve", "--port", "0", "--host", address]
        popen = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=file)
    found = Process(popen, errors)
    try:
        found.address = "http://" + found.wait_for(r"listens on (\S+:[0-9]+)")[1]
        _wait_until_it_answers(found)
        yield found
    finally:
        popen.kill()
        popen.wait()


def _wait_until_it_answers(one: Process) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        assert one.popen.poll() is None and time.monotonic() < deadline, (one.popen.returncode, one.said)
        try:
            assert httpx.get(f"{one.address}/healthz").status_code == 200
        except httpx.ConnectError:
            time.sleep(0.05)
        else:
            return


@contextmanager
def service_of(one: Process, operator: str) -> Iterator[Service]:
    with httpx.Client(base_url=one.address, timeout=120) as client:
        yield Service(client, operator, described(lambda: dict(client.get("/openapi.json").json())))
