"""Runs one browser for all tests of a process: `python -m tests.api.page.one_browser PROGRAM PORT`.

Playwright starts it here, because Playwright's event loop would otherwise stay in the thread of the tests. It writes a
line when the browser listens, and ends with its standard input.
"""

from __future__ import annotations

import os
import sys

from playwright.sync_api import sync_playwright


def main(program: str, port: str) -> None:
    # As root in a container there are no namespaces for a sandbox, and little shared memory.
    is_root = os.name == "posix" and os.geteuid() == 0
    options = ["--no-sandbox", "--disable-dev-shm-usage"] if is_root else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=[*options, f"--remote-debugging-port={port}"]
        )
        print(browser.version, flush=True)
        sys.stdin.read()
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
