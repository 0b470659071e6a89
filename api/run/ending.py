"""End a process that ran the service."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def end_at_once() -> Iterator[None]:
    """When the block ends, end the process immediately, without the interpreter's own shutdown.

    That shutdown stops working threads wherever they are. In a library's native code this can abort the process (seen
    once: SIGABRT after Ctrl-C). Errors still end the process with their exit codes.
    """
    try:
        yield
    except KeyboardInterrupt:
        pass
    except SystemExit as exit_error:
        if exit_error.code:
            raise
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(0)
