"""What people see, in a real Chromium: Debian's, or whatever `LEDGER_BROWSER` names. None: skipped, and said so."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any, Literal, Protocol

import psycopg
import pytest
from playwright.sync_api import Browser, sync_playwright

from api.app import create_app
from api.inviting.letting_in import Guesses
from ledger.application import Ledger
from ledger.events.rate_limit import Permits
from tests.api.conftest import SCHEMA, serving
from tests.api.page.campaigns import told
from tests.api.page.devices import PHONE, Device
from tests.api.table import Service, Table

#: The first is Chromium without the window of a browser: it takes half of the CPU time.
USUAL = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser_address() -> Iterator[str]:
    """Where a browser listens that all the tests of this process share."""
    named = os.environ.get("LEDGER_BROWSER")
    program = shutil.which(named) if named else next(filter(None, map(shutil.which, USUAL)), None)
    if program is None and named:
        pytest.fail(f"LEDGER_BROWSER names {named}, which is no program here")
    if program is None:
        pytest.skip("there is no Chromium here: LEDGER_BROWSER may name one")
    with socket.create_server(("127.0.0.1", 0)) as bound:
        port = bound.getsockname()[1]
    command = [sys.executable, "-m", "tests.api.page.one_browser", program, str(port)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin and process.stdout
        if not process.stdout.readline():
            pytest.fail(f"{program} did not start")
        yield f"http://127.0.0.1:{port}"
        process.stdin.close()


@pytest.fixture(scope="module")
def browser(browser_address: str) -> Iterator[Browser]:
    # Playwright runs its event loop in this very thread for as long as it lives: no later test may meet it.
    with sync_playwright() as playwright:
        yield playwright.chromium.connect_over_cdp(browser_address)


@pytest.fixture(scope="module")
def address(ledger: Ledger) -> Iterator[str]:
    """A service where anybody on its machine may start campaigns."""
    with serving(create_app(ledger, operator_token=None)) as found:
        yield found


class Sits(Protocol):
    def __call__(
        self,
        token: str = "",
        size: tuple[int, int] = PHONE,
        scheme: Literal["light", "dark"] = "light",
        address: str | None = None,
        *,
        script: bool = True,
    ) -> Device: ...


@pytest.fixture(autouse=True)
def permits(postgres: Any, service: Service) -> None:
    """So many sit down in these tests, from one address, that they would have to wait."""
    with psycopg.connect(postgres.owner_url, autocommit=True) as owner:
        owner.execute(f"TRUNCATE {SCHEMA}_common.permits")
    assert service.app is not None
    service.app.state.guesses = Guesses(Permits(service.app.state.ledger.store.datastore))  # it remembers refusals


@pytest.fixture
def sits(browser: Browser, service: Service) -> Iterator[Sits]:
    """Somebody sits down with a phone (or a laptop: `size=LAPTOP`); none of them may complain of anything."""
    devices: list[Device] = []

    def sit(
        token: str = "",
        size: tuple[int, int] = PHONE,
        scheme: Literal["light", "dark"] = "light",
        address: str | None = None,
        *,
        script: bool = True,
    ) -> Device:
        device = Device(browser, address or str(service.client.base_url).rstrip("/"), size, scheme, script=script)
        devices.append(device)
        if token:
            device.sits_down(token)
        return device

    yield sit
    complaints = [said for one in devices for said in one.complaints]
    for one in devices:
        one.context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def campaign(service: Service) -> Callable[[str], Table]:
    """A game's campaign with an evening behind it, to be looked at; who changes it makes one of their own."""
    there: dict[str, Table] = {}

    def of(system: str) -> Table:
        if system not in there:
            there[system] = told(service, system)
        return there[system]

    return of
