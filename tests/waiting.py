"""Wait for something to happen. The patience is long, so that only what hangs runs out of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE = 180.0  # seconds
T = TypeVar("T")


def wait_until(happened: Callable[[], T], message: str | Callable[[], object] = "") -> T:
    """Return the first true result. AssertionError with the message if none comes."""
    deadline = time.monotonic() + PATIENCE
    while not (result := happened()):
        assert time.monotonic() < deadline, message() if callable(message) else message
        time.sleep(0.01)
    return result
