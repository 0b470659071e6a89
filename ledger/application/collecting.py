"""Collect garbage less often while something large is read."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

NEW_OBJECTS = 50_000  # the number of new objects after which garbage is collected
_lock = Lock()
_usual_thresholds: list[tuple[int, int, int]] = []  # one item for each reader at work


@contextmanager
def collect_garbage_rarely() -> Iterator[None]:
    """Within the block, collect garbage rarely. The objects being read are needed until the end, so searching them
    would only take time.
    """
    with _lock:
        _usual_thresholds.append(_usual_thresholds[-1] if _usual_thresholds else gc.get_threshold())
        gc.set_threshold(NEW_OBJECTS, *_usual_thresholds[-1][1:])
    try:
        yield
    finally:
        with _lock:
            usual_thresholds = _usual_thresholds.pop()
            if not _usual_thresholds:
                gc.set_threshold(*usual_thresholds)
