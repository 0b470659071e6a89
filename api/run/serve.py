"""Serve the application over HTTP until told to stop."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from threading import Timer
from types import FrameType

import uvicorn
from fastapi import FastAPI
from psycopg.conninfo import conninfo_to_dict

from api.app import create_app, use_standby
from api.middleware.hosts import is_loopback
from api.routes.docs import render_api_docs
from api.run.hooks import deliver_hooks
from api.run.views import ViewsHere, make_keeper, make_views_check, measure_views
from api.service.logs import log_to_stderr
from api.service.options import Options
from api.service.standby import Standby
from ledger.application import Ledger, make_environment
from ledger.errors import Fault
from ledger.events.lines import has_several_hosts
from ledger.events.shelves import check_shelf_count
from ledger.rules import list_unfit_systems

QUIET = 20  # seconds after the start until documents are rendered that nobody has requested yet
LAST_REQUESTS = 10  # seconds that running requests get when the service stops
#: Seconds that a connection may be idle: longer than in clients (httpx 5, Node 4, nginx 60), so that clients close it
#: first.
IDLE = 75
GOODBYE = 1.0  # seconds in which clients that are still sending learn that the service is stopping
TURN = 0.001  # seconds for which a thread may hold the interpreter while others wait
MOST_FILES = 65_536  # open files, if the system allows that many: each connection is one
MAY_BE_LOST = (
    "there are several hosts, but commits do not wait for a standby (synchronous_standby_names is empty, or"
    " synchronous_commit is local): a failover may lose saved rulings"
)
log = logging.getLogger("ledger.api")


def bind_socket(host: str, port: int) -> socket.socket:
    """Return a socket bound to the address. Port 0 means any free port. Raise a Fault if the port is in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With an explicit protocol, asyncio turns off Nagle's algorithm, which would cost 40 ms for each answer.
    bound_socket = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound_socket.bind((host, port))
    except OSError as problem:
        bound_socket.close()
        raise Fault(
            f"Port {port} of {host} can't be used ({problem.strerror}). Choose another with --port."
        ) from problem
    return bound_socket


def log_unfit_games() -> None:
    """Log the errors of each game that is installed but can't be played."""
    for name, faults in list_unfit_systems().items():
        log.error("The game %s is not available. %s", name, " ".join(faults))


def stop_on_signals() -> None:
    """Make SIGTERM and a closed terminal end the process like an exception, so that everything is closed.

    A process started with `nohup` ignores a closed terminal.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise SystemExit(0)

    def hang_up(number: int, frame: FrameType | None) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    signal.signal(signal.SIGTERM, stop)
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        signal.signal(signal.SIGHUP, hang_up)


def serve(
    url: str,
    schema: str,
    key: bytes,
    bound_socket: socket.socket,
    *,
    operator_token: str | None,
    options: Options,
    views: ViewsHere | None = None,
    when_started: Callable[[Ledger], None] = lambda ledger: None,
) -> None:
    """Serve the database until SIGINT or SIGTERM, and finish running requests. Raise a Fault if the database can't be
    used.

    `views`: how this process updates the views, or None if another process does.
    """
    host = str(bound_socket.getsockname()[0])
    if operator_token is None and not is_loopback(host):
        raise Fault("Set LEDGER_OPERATOR_TOKEN. Without it, anybody who can reach this address could start campaigns.")
    secrets = [key.decode(errors="replace"), operator_token or "", options.metrics_token or ""]
    passwords = map(
        _find_password, (url, options.direct_url, options.read_url, views.url if views is not None else None)
    )
    log_to_stderr(options.log_level, [*secrets, *passwords])
    with ExitStack() as stack:
        ledger = stack.enter_context(Ledger(make_environment(url, schema=schema, prepare=options.prepare), key))
        ledger.check_primary()
        ledger.check()
        check_shelf_count(ledger.shelves.shelf_count, options.shelf_count)
        if has_several_hosts(url) and not ledger.waits_for_standby():
            log.warning(MAY_BE_LOST)
        log_unfit_games()
        app = create_app(ledger, operator_token=operator_token, options=options)
        keeper = stack.enter_context(make_keeper(views, schema, options.log_level)) if views is not None else None
        app.state.readiness.checks.append(make_views_check(ledger, keeper))
        measure_views(ledger, app.state.metrics)
        if options.read_url is not None:
            get_read_counter = app.state.metrics.view_reads.labels
            standby = Standby(ledger, options.read_url, lambda by: get_read_counter(by).inc(), prepare=options.prepare)
            use_standby(app, stack.enter_context(standby))
        if app.state.hook_sender is not None:
            direct_url = options.direct_url or url
            stack.enter_context(deliver_hooks(ledger, direct_url, app.state.hook_sender, app.state.metrics))
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=LAST_REQUESTS,
            timeout_keep_alive=IDLE,
            server_header=False,
        )
        timer = Timer(QUIET, _render_and_freeze, [app])
        timer.daemon = True
        timer.start()
        stack.callback(timer.cancel)
        server = _Server(config, app, lambda: when_started(ledger))
        sys.setswitchinterval(TURN)
        _allow_many_files()
        gc.freeze()  # these objects are never freed: collecting them would stop all requests for a fifth of a second
        server.run(sockets=[bound_socket])


def _render_and_freeze(app: FastAPI) -> None:
    render_api_docs(app)
    gc.freeze()  # these objects are never freed either


def _find_password(url: str | None) -> str:
    return str(conninfo_to_dict(url).get("password") or "") if url is not None else ""


def _allow_many_files() -> None:
    """Raise the limit on open files to what the system allows."""
    if sys.platform == "win32":
        return
    import resource

    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = MOST_FILES if hard_limit == resource.RLIM_INFINITY else min(hard_limit, MOST_FILES)
    if soft_limit != resource.RLIM_INFINITY and soft_limit < limit:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard_limit))


class _Server(uvicorn.Server):
    """A server that reports when it has started and when it stops."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, when_started: Callable[[], None]) -> None:
        super().__init__(config)
        self._app = app
        self._when_started = when_started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._when_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        log.info("Stopping: no new requests are accepted; running requests will finish")
        self._app.state.stopping.set()
        for server_socket in (*self.servers, *(sockets or ())):
            server_socket.close()
        deadline = time.monotonic() + GOODBYE
        while self.server_state.connections and not self.force_exit and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        await super().shutdown(sockets)
        log.info("stopped")
