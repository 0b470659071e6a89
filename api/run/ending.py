"""How a process that served ends."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def end_at_once() -> Iterator[None]:
    """End the process at the end of the block, with everything closed, without the interpreter's own shutdown.

    The shutdown stops threads that are still working (rendering pages, playing a demonstration) anywhere, and inside a
    library's native code that aborts: seen once, on a busy machine, as SIGABRT after Ctrl-C. An error ends as usual,
    with its exit code.
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
