"""How a process ends that has served."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def ending_at_once() -> Iterator[None]:
    """End the process at the end of the block, with everything closed, without the interpreter's own shutdown.

    That one stops threads that are still at work (pages being rendered, a demonstration being played) wherever they
    are, and where that is in a library's own code it aborts: seen once, on a busy machine, as SIGABRT after Ctrl-C.
    What could not be served ends as ever, with its exit code.
    """
    try:
        yield
    except KeyboardInterrupt:
        pass
    except SystemExit as ended:
        if ended.code:
            raise
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(0)
