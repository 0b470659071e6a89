"""A service of the test's own on the tests' campaigns, which can be stopped in the middle of it and started again."""

from __future__ import annotations

import socket
from threading import Thread

import uvicorn

from api.app import create_app
from ledger.application import Ledger
from tests.api.conftest import OPERATOR


class House:
    """`address` stays the same. Stopped, it cuts every line at once, as a machine does that goes off."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        with socket.socket() as asking:
            asking.bind(("127.0.0.1", 0))
            self._port = asking.getsockname()[1]
        self.address = f"http://127.0.0.1:{self._port}"
        self.start()

    def start(self) -> None:
        bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(("127.0.0.1", self._port))
        bound.listen()
        self._app = create_app(self._ledger, operator_token=OPERATOR)
        config = uvicorn.Config(self._app, log_level="warning", lifespan="off", timeout_graceful_shutdown=1)
        self._bound, self._server = bound, uvicorn.Server(config)
        self._thread = Thread(target=self._server.run, kwargs={"sockets": [bound]}, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._app.state.stopping.set()
        self._server.should_exit = True
        self._thread.join(120)
        assert not self._thread.is_alive()
        self._bound.close()
