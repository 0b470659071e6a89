"""What people see, in a real Chromium: Debian's, or whatever `LEDGER_BROWSER` names. None: skipped, and said so."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

USUAL = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # Playwright runs its event loop in this very thread for as long as it lives: no later test may meet it.
    named = os.environ.get("LEDGER_BROWSER")
    program = shutil.which(named) if named else next(filter(None, map(shutil.which, USUAL)), None)
    if program is None and named:
        pytest.fail(f"LEDGER_BROWSER names {named}, which is no program here")
    if program is None:
        pytest.skip("there is no Chromium here: LEDGER_BROWSER may name one")
    with sync_playwright() as playwright:
        # As root in a container there are no namespaces for a sandbox, and little shared memory.
        options = ["--no-sandbox", "--disable-dev-shm-usage"] if os.name == "posix" and os.geteuid() == 0 else []
        found = playwright.chromium.launch(executable_path=program, args=options)
        yield found
        found.close()
