"""The database the tests run on: always a real PostgreSQL, wherever it comes from."""

import gc
import os
import shutil
import ssl
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from api.embedded import EmbeddedPostgres
from tests.levels import is_left_out

ROOM = 6 * 2**30  # bytes, for the databases of several workers
POSTGRES_IMAGE = "postgres:17.6-bookworm"  # as in docker-compose.yml

# A busy machine is slow, and the first text drawn makes Hypothesis read the whole of Unicode: neither is a fault.
# Where a build is judged, the same examples every time; at home, new ones.
SLOW = (HealthCheck.too_slow, HealthCheck.function_scoped_fixture)
settings.register_profile("patient", deadline=None, suppress_health_check=SLOW)
settings.register_profile("judged", settings.get_profile("patient"), derandomize=True)
settings.load_profile("judged" if os.environ.get("CI") else "patient")


#: Every client of httpx makes one, also for addresses without TLS, and each costs 50 ms.
ssl.create_default_context = cache(ssl.create_default_context)  # type: ignore[assignment]


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    return True if is_left_out(collection_path) else None


def pytest_collection_finish() -> None:
    """What is there by now stays till the end: the collector need not look through all of it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)


@dataclass(frozen=True, slots=True)
class Postgres:
    """A database of the tests' own. The role in the URL is a superuser: it migrates, makes roles and databases."""

    owner_url: str


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """LEDGER_TEST_DATABASE_URL if set, else a container where a Docker engine answers, else the embedded server."""
    with ExitStack() as stack:
        url = os.environ.get("LEDGER_TEST_DATABASE_URL") or _in_container(stack) or _embedded(stack)
        yield Postgres(url)


@pytest.fixture
def data_folder() -> Iterator[Path]:
    """A folder that does not exist yet; over 120 characters of path, with spaces, below a folder closed to others."""
    closed = Path(tempfile.mkdtemp(prefix="ledger-", dir=memory()))
    yield closed / "a folder with spaces" / ("long-" * 24) / "data"
    shutil.rmtree(closed)


def copy_data(source: Path, target: Path) -> None:
    """Copy a stopped server's folder, with the owner of every file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if sys.platform == "win32":
        shutil.copytree(source, target)
    else:
        subprocess.run(["cp", "-a", source, target], check=True)


def _embedded(stack: ExitStack) -> str:
    # Not below pytest's own folders: for root those are closed, and the server runs as somebody else.
    data = Path(tempfile.mkdtemp(prefix="ledger-tests-", dir=memory()))
    stack.callback(shutil.rmtree, data)
    return stack.enter_context(EmbeddedPostgres(data)).owner_url


def memory() -> Path | None:
    """Where what is written waits for no disk: no test turns the power off. None where there is no room for it."""
    there = Path("/dev/shm")
    roomy = there.is_dir() and os.access(there, os.W_OK) and shutil.disk_usage(there).free > ROOM
    return there if roomy else None


def _in_container(stack: ExitStack) -> str | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the libraries' own, before it is known whether they are needed
        if not _engine_answers():
            gc.collect()  # the library leaves its socket to the collector, which would complain in some test
            return None
        from testcontainers.postgres import PostgresContainer

        container = PostgresContainer(
            POSTGRES_IMAGE, username="ledger_owner", password="only-for-tests", dbname="ledger", driver=None
        )
        container.with_env("POSTGRES_INITDB_ARGS", "--data-checksums")
        try:
            return str(stack.enter_context(container).get_connection_url())
        except Exception as error:  # noqa: BLE001  an engine without this image, and without a network to get it from
            print(f"The Docker engine cannot run {POSTGRES_IMAGE} ({error}); taking the embedded server.")
            return None


def _engine_answers() -> bool:
    import docker
    from docker.errors import DockerException

    try:
        client = docker.from_env(timeout=2)
    except DockerException:
        return False
    try:
        return bool(client.ping())
    except (DockerException, OSError):
        return False
    finally:
        client.close()
