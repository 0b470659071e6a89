"""`scripts/up` as a person uses it: start, play, stop, start again; nothing is lost and nothing is left behind."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import Any

import httpx
import psutil
import pytest
from psycopg.conninfo import make_conninfo

from api.embedded import EmbeddedPostgres
from api.service.database import Database
from ledger.events.database_check import PROJECTOR_ROLE, SERVICE_ROLE
from tests.conftest import copy_data, memory
from tests.levels import examples, sampled
from tests.versions.database import KEY, load, new_database
from tests.versions.test_migrating import OLDEST
from tests.versions.test_versions import unpacked

ROOT = Path(__file__).parent.parent
PATIENCE = 240  # seconds, for a machine that does much else


class Service:
    """A running `scripts/up`, its address and what it printed."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.printed: list[str] = []

    def read_until(self, wanted: str) -> re.Match[str]:
        """The first line printed from now on that holds the pattern. Who does not print it is killed."""
        assert self.process.stdout is not None
        end = Timer(PATIENCE, self.process.kill)
        end.start()
        try:
            for line in self.process.stdout:
                self.printed.append(line)
                if found := re.search(wanted, line):
                    return found
        finally:
            end.cancel()
        raise AssertionError(f"ended before it printed {wanted!r}: {''.join(self.printed)}")

    def servers(self) -> list[psutil.Process]:
        """The PostgreSQL processes on this data."""
        return [one for one in psutil.process_iter(["name"]) if _is_postgres_of(one, self.data)]

    data = ""


def _is_postgres_of(process: psutil.Process, data: str) -> bool:
    try:
        return "postgres" in process.name() and data in " ".join(process.cmdline())
    except psutil.Error:
        return False


@contextmanager
def up(data: Path, *more: str, **settings: str) -> Iterator[Service]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LEDGER_")}
    environment |= {"LEDGER_SHELVES": "2"}  # fewer than usual are made sooner
    environment |= {"LEDGER_DOCS": str(data / "docs"), **settings}  # so that none are built
    line = [sys.executable, "-P", "-m", "api.run.up", "--port", "0", "--data", str(data), *more]
    process = subprocess.Popen(
        line, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    service = Service(process)
    service.data = str(data)
    try:
        yield service
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
        for one in service.servers():
            one.kill()


def address(service: Service) -> str:
    return service.read_until(r"running at (http://\S+?) ").group(1)


def until_ready(client: httpx.Client) -> None:
    """Once it answers it says whether it is ready; on a busy machine its checks take longer than it gives them."""
    deadline = time.monotonic() + PATIENCE
    while (answer := client.get("/readyz")).status_code != 200:
        assert answer.status_code == 503 and time.monotonic() < deadline, answer.text
        time.sleep(0.05)  # each look is logged, and nobody reads that here


def open_campaign(client: httpx.Client, name: str) -> dict[str, Any]:
    body = {"name": name, "system": min(one["name"] for one in client.get("/systems").json()["systems"])}
    key = "6f1d6a58-9d0a-4e0e-a6b5-5e0d2d6c9d11"
    reply = client.post("/campaigns", json={**body, "gm": {"name": "Ann"}}, headers={"Idempotency-Key": key})
    assert reply.status_code == 201, reply.text
    opened: dict[str, Any] = reply.json()
    return opened


@pytest.fixture
def heeding() -> Iterator[None]:
    """Signals reach what is started, also where whoever began the tests had them passed over (`nohup`, `&`)."""
    before = [(one, signal.signal(one, signal.SIG_DFL)) for one in (signal.SIGHUP, signal.SIGTERM)]
    before.append((signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler)))
    yield
    for one, was in before:
        signal.signal(one, was)


@pytest.mark.usefixtures("heeding")
def test_it_starts_stops_cleanly_and_starts_again_with_everything(data_folder: Path) -> None:
    opened = []
    for stop in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[: examples(2, 2, 3)]:
        with up(data_folder, "--no-demo") as service, httpx.Client(base_url=address(service), timeout=120) as client:
            until_ready(client)
            opened.append(open_campaign(client, "Kept"))
            assert len(service.servers()) > 0
            service.process.send_signal(stop)
            assert service.process.wait(PATIENCE) == 0, stop
            assert not service.servers(), "no server is left behind"
    assert opened[1:] == opened[:-1], "the same key, the same campaign, the same token"


@pytest.mark.parametrize(
    ("stopped", "how", "code"),
    [
        ("raise KeyboardInterrupt", "end_at_once()", 0),
        ("raise SystemExit(0)", "end_at_once()", 0),
        ("raise SystemExit(3)", "end_at_once()", -signal.SIGABRT),
        ("raise SystemExit(0)", "nullcontext()", -signal.SIGABRT),
    ],
)
def test_who_has_served_does_not_come_to_the_interpreters_end(stopped: str, how: str, code: int) -> None:
    """It aborts where a thread is still at work in a library's own code; here it always does."""
    program = f"""
import atexit, os
from contextlib import nullcontext
from api.run.ending import end_at_once
atexit.register(os.abort)
print("said", end="")
with {how}:
    {stopped}
"""
    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (code, "said")


@pytest.mark.nightly  # by default in reliability/test_kills and test_embedded
def test_nothing_answered_is_lost_when_everything_is_killed(used_folder: Path) -> None:
    with up(used_folder, "--no-demo") as first, httpx.Client(base_url=address(first), timeout=120) as client:
        opened = open_campaign(client, "Survives")
        first.process.kill()
        first.process.wait()
        for server in first.servers():
            server.kill()
    with up(used_folder, "--no-demo") as second, httpx.Client(base_url=address(second), timeout=120) as client:
        assert open_campaign(client, "Survives") == opened


@pytest.fixture(scope="session")
def stopped_ledger() -> Iterator[Path]:
    """The data folder of a ledger that was started once, and stopped."""
    folder = Path(tempfile.mkdtemp(prefix="ledger-", dir=memory()))
    with up(folder / "data", "--no-demo") as service:
        address(service)
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(PATIENCE) == 0
    yield folder / "data"
    shutil.rmtree(folder)


@pytest.fixture
def used_folder(stopped_ledger: Path, data_folder: Path) -> Path:
    """A copy of it, for a test that has nothing to do with the first start."""
    copy_data(stopped_ledger, data_folder)
    return data_folder


def test_what_the_scripts_start_keeps_its_bytecode() -> None:
    """Where the environment forbids it, each process would compile everything once more."""
    program = """
import sys
import environment
environment.prepare = lambda lock: sys.executable
environment.run(environment.RUNTIME, "-c", "import sys; print(sys.dont_write_bytecode)")
"""
    settings = os.environ | {"PYTHONPATH": str(ROOT / "scripts"), "PYTHONDONTWRITEBYTECODE": "1"}
    ended = subprocess.run([sys.executable, "-c", program], env=settings, check=True, capture_output=True, text=True)
    assert ended.stdout == "False\n"


def keeps_views(service: Service) -> psutil.Process:
    """The process beside the service that keeps the views."""
    own = psutil.Process(service.process.pid)
    (keeper,) = (one for one in own.children() if "api.run.beside" in one.cmdline())
    return keeper


@pytest.mark.nightly
def test_views_are_kept_by_a_process_that_is_followed_by_another_and_ends_with_the_service(used_folder: Path) -> None:
    with up(used_folder, "--no-demo") as service, httpx.Client(base_url=address(service), timeout=120) as client:
        until_ready(client)
        first = keeps_views(service)
        first.kill()
        opened = open_campaign(client, "Followed")
        path, headers = f"/campaigns/{opened['id']}/timeline", {"Authorization": f"Bearer {opened['seat']['token']}"}
        deadline = time.monotonic() + PATIENCE
        while not client.get(path, headers=headers).json().get("facts"):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        second = keeps_views(service)
        assert second.pid != first.pid
        service.process.kill()
        service.process.wait()
        second.wait(PATIENCE)


@pytest.mark.nightly  # by default: services that were killed, in tests/reliability
def test_a_server_that_stops_by_itself_is_started_again(data_folder: Path) -> None:
    with up(data_folder, "--no-demo") as service, httpx.Client(base_url=address(service), timeout=60) as client:
        until_ready(client)
        opened = open_campaign(client, "Kept")
        for server in service.servers():
            with suppress(psutil.NoSuchProcess):
                server.kill()
        service.read_until("PostgreSQL stopped unexpectedly")
        service.read_until("PostgreSQL is running again")
        until_ready(client)
        assert open_campaign(client, "Kept") == opened
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(PATIENCE) == 0
        assert not service.servers()


@pytest.mark.nightly  # by default in test_embedded
def test_a_service_killed_alone_leaves_a_server_that_the_next_start_takes_over(used_folder: Path) -> None:
    with up(used_folder, "--no-demo") as first:
        with httpx.Client(base_url=address(first), timeout=120) as client:
            opened = open_campaign(client, "Adopted")
        first.process.kill()
        first.process.wait()
        with up(used_folder, "--no-demo") as second, httpx.Client(base_url=address(second), timeout=120) as client:
            assert open_campaign(client, "Adopted") == opened
            second.process.send_signal(signal.SIGTERM)
            assert second.process.wait(PATIENCE) == 0
            assert not second.servers()


@pytest.fixture(scope="module")
def first(stopped_ledger: Path) -> Iterator[Service]:
    """A ledger that runs, for those who come second. Its address was printed last."""
    folder = Path(tempfile.mkdtemp(prefix="ledger-", dir=memory()))
    copy_data(stopped_ledger, folder / "data")
    with up(folder / "data", "--no-demo") as service:
        address(service)
        yield service
    shutil.rmtree(folder)


@pytest.mark.nightly  # by default: in test_embedded, two ledgers cannot share the data
def test_a_second_start_on_the_same_data_says_why_it_cannot(first: Service) -> None:
    with up(Path(first.data), "--no-demo") as second:
        assert second.process.wait(PATIENCE) == 3
        assert second.process.stdout is not None
        assert first.data in second.process.stdout.read()
    assert first.process.poll() is None


UNUSABLE = [
    {"LEDGER_DATABASE_URL": "postgresql://ann:the-password@127.0.0.1:1/ledger"},
    {"LEDGER_DATABASE_URL": "postgresql://ann:the-password%zz@127.0.0.1/ledger"},
    {"LEDGER_DATABASE_URL": "mysql://ann:the-password@127.0.0.1/ledger"},
    {"LEDGER_SERVER_KEY": "the-password"},
]


@pytest.mark.parametrize("settings", sampled(UNUSABLE, 1))
def test_settings_that_cannot_be_used_are_said_in_a_sentence(data_folder: Path, settings: dict[str, str]) -> None:
    with up(data_folder, "--no-demo", **settings) as service:
        assert service.process.wait(PATIENCE) == 3
        assert service.process.stdout is not None
        *_, said = service.process.stdout.read().splitlines()
        assert said.startswith("campaign-ledger: ") and next(iter(settings)) in said
        assert "the-password" not in said


def test_a_port_that_is_none_is_said(data_folder: Path) -> None:
    with up(data_folder, "--no-demo", "--port", "99999") as service:
        assert service.process.wait(PATIENCE) == 2
        assert service.process.stdout is not None
        assert "Traceback" not in (said := service.process.stdout.read()) and "65535" in said


@pytest.mark.nightly
def test_a_port_that_is_taken_is_said_before_anything_starts(first: Service, data_folder: Path) -> None:
    found = re.search(r"running at http://\S+:([0-9]+)", first.printed[-1])
    assert found is not None
    with up(data_folder, "--no-demo", "--port", found[1]) as second:
        assert second.process.wait(PATIENCE) == 3
        assert second.process.stdout is not None
        assert f"Port {found[1]}" in second.process.stdout.read()
    assert not data_folder.exists()


@pytest.mark.nightly
def test_on_the_lan_strangers_open_no_campaigns_and_links_lead_there(used_folder: Path) -> None:
    with up(used_folder, "--no-demo", "--lan") as service:
        there = address(service)
        service.read_until("does not use TLS")
        service.read_until("operator-token")
        token = (used_folder / "operator-token").read_text()
        assert (used_folder / "operator-token").stat().st_mode & 0o077 == 0
        with httpx.Client(base_url=f"http://127.0.0.1:{there.rpartition(':')[2]}", timeout=120) as client:
            until_ready(client)
            body = {"name": "Ours", "system": "mongrel", "gm": {"name": "Ann"}}
            key = {"Idempotency-Key": "6f1d6a58-9d0a-4e0e-a6b5-5e0d2d6c9d11", "Host": "laptop.lan"}
            assert client.post("/campaigns", json=body, headers=key).status_code == 401
            opened = client.post("/campaigns", json=body, headers={**key, "Authorization": f"Bearer {token}"})
            assert opened.status_code == 201, opened.text
            ann = {"Authorization": f"Bearer {opened.json()['seat']['token']}"}
            made = client.post(f"/campaigns/{opened.json()['id']}/invites", json={"seat": "s1"}, headers=ann)
            assert made.json()["link"].startswith(f"{there}/join#")
        assert token not in "".join(service.printed)


def older_record(logins: Database) -> None:
    """Load the campaigns that the oldest version kept."""
    load(unpacked(OLDEST, "sql.gz").decode(), logins)


@pytest.mark.nightly
def test_an_upgrade_of_its_own_database_begins_with_a_backup(data_folder: Path) -> None:
    with EmbeddedPostgres(data_folder) as server:
        service, projector = (
            make_conninfo(server.owner_url, user=role, password="for-tests") for role in (SERVICE_ROLE, PROJECTOR_ROLE)
        )
        older_record(Database(server.owner_url, service, projector))
    with up(data_folder, "--no-demo", LEDGER_SERVER_KEY=KEY.decode()) as upgraded:
        file = Path(upgraded.read_until(r"Writing a backup to (.*) first").group(1))
        there = address(upgraded)
        assert file.parent == data_folder / "backups" and file.read_bytes().startswith(b"PGDMP")
        assert file.stat().st_mode & 0o077 == 0
        with httpx.Client(base_url=there, timeout=120) as client:
            until_ready(client)
        upgraded.process.send_signal(signal.SIGTERM)
        assert upgraded.process.wait(PATIENCE) == 0
    with up(data_folder, "--no-demo", LEDGER_SERVER_KEY=KEY.decode()) as again:
        address(again)
        assert not any("backup" in line for line in again.printed), "nothing changes any more"
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.nightly  # by default in versions/test_migrating
def test_an_upgrade_of_your_database_waits_for_your_backup(postgres: Any, data_folder: Path) -> None:
    with new_database(postgres.owner_url, "upgraded_by_up") as logins:
        older_record(logins)
        settings = {
            "LEDGER_OWNER_URL": logins.owner_url,
            "LEDGER_DATABASE_URL": logins.service_url,
            "LEDGER_PROJECTOR_URL": logins.projector_url,
            "LEDGER_SERVER_KEY": KEY.decode(),
        }
        with up(data_folder, "--no-demo", **settings) as service:
            assert service.process.wait(PATIENCE) == 3
            assert service.process.stdout is not None
            assert service.process.stdout.read() == (
                "campaign-ledger: This version changes the database. Back it up first, because it has campaigns:"
                " write a backup with campaign-ledger backup FILE, then start with --no-backup.\n"
            )
        with up(data_folder, "--no-demo", "--no-backup", **settings) as service:
            address(service)
            assert not (data_folder / "backups").exists()
