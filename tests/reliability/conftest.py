"""One server to be killed, for all these tests; how often, LEDGER_RELIABILITY_ROUNDS says (`scripts/reliability`)."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.reliability.postgres import Server

FEW = 2


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


@pytest.fixture(scope="session")
def rounds() -> int:
    return int(os.environ.get("LEDGER_RELIABILITY_ROUNDS") or FEW)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    rounds = int(os.environ.get("LEDGER_RELIABILITY_ROUNDS") or FEW)
    for item in items:
        if "tests/reliability" in item.path.as_posix() and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(600 + 60 * rounds))
