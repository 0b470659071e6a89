"""An upgrade from every version that is kept, while the older service plays until the moment of the change.

The older service is that version's own code, out of the repository's history, on the libraries of today.
"""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest

from api.service.database import Database
from tests.levels import sampled
from tests.versions.database import KEY, load, new_database, running
from tests.versions.test_versions import KEPT, ROOT, healthy, name_of, notes, unpacked
from tests.waiting import wait_until

#: What an operator upgraded from: its views were said to be kept, and an audit found others.
STALE = "e138fd9e"
UPGRADES = [(file, kept) for file in KEPT for kept in ((True, False) if file.parent.name == "0.1.0" else (True,))]
MAIN = "from api.cli.main import main; main()"
PLAYED = 20  # rulings before the change, at least
PATIENCE = 300


def upgrade_name(upgrade: tuple[Path, bool]) -> str:
    file, as_kept = upgrade
    return f"{name_of(file)} {'as it was kept' if as_kept else 'as views were stale'}"


def kept_by(version: str) -> str:
    """The commit that kept the databases of a version."""
    found = _git("log", "--format=%h", "--diff-filter=A", "--reverse", "--", f"tests/versions/{version}")
    return found.split()[0] if found else ""


def _git(*words: str) -> str:
    ended = subprocess.run(["git", *words], cwd=ROOT, check=False, capture_output=True, text=True)
    return ended.stdout if ended.returncode == 0 else ""


@contextmanager
def serving_as(commit: str, logins: Database, folder: Path) -> Iterator[str]:
    """The address of that commit's own service, on a database that it has migrated itself."""
    sources = folder / commit
    sources.mkdir()
    archive = subprocess.run(
        ["git", "archive", commit, "ledger", "projections", "api"], cwd=ROOT, check=False, capture_output=True
    )
    if archive.returncode != 0:
        pytest.skip(f"the history here has no {commit}")
    subprocess.run(["tar", "x", "-C", str(sources)], check=True, input=archive.stdout)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LEDGER_")} | {
        "PYTHONPATH": str(sources),
        "LEDGER_OWNER_URL": logins.owner_url,
        "LEDGER_DATABASE_URL": logins.service_url,
        "LEDGER_PROJECTOR_URL": logins.projector_url,
        "LEDGER_SERVER_KEY": KEY.decode(),
    }
    program = [sys.executable, "-P", "-c", MAIN]
    subprocess.run([*program, "migrate"], cwd=sources, env=environment, check=True, timeout=PATIENCE)
    log = folder / "log"
    with log.open("w") as file:
        service = subprocess.Popen([*program, "serve", "--port", "0"], cwd=sources, env=environment, stderr=file)
    try:
        yield f"http://{_listening(service, log)}"
        service.terminate()
        assert service.wait(PATIENCE) == 0
    finally:
        service.kill()
        service.wait()


def _listening(service: subprocess.Popen[bytes], log: Path) -> str:
    found: list[str] = []

    def listens() -> bool:
        assert service.poll() is None, log.read_text()
        found[:] = re.findall(r"listens on (\S+:\d+)", log.read_text())
        return bool(found)

    wait_until(listens)
    return found[0]


class Playing:
    """Somebody who turns a dial of every game's until the service is gone. `answered`: why, by the ruling's number."""

    def __init__(self, address: str, campaign: str, token: str) -> None:
        self.answered: dict[int, str] = {}
        self._url = f"{address}/campaigns/{campaign}/rulings"
        self._token = token
        self.thread = Thread(target=self._play, daemon=True)
        self.thread.start()

    def _play(self) -> None:
        with httpx.Client(timeout=PATIENCE) as client:
            for turn in itertools.count():
                try:
                    value = ("table", "ledger")[turn % 2]
                    self._declare(client, {"kind": "set-dial", "name": "dice", "value": value, "reason": f"{turn}"})
                except (httpx.TransportError, StopIteration):
                    return

    def _declare(self, client: httpx.Client, declared: Any) -> None:
        headers = {"Authorization": f"Bearer {self._token}", "Idempotency-Key": uuid.uuid4().hex}
        answer = client.post(self._url, json={"declare": declared}, headers=headers)
        if answer.status_code == 503:
            raise StopIteration
        assert answer.status_code == 201, answer.text
        number = int(answer.json()["number"])
        self.answered[number] = declared["reason"]


@pytest.mark.parametrize("upgrade", sampled(UPGRADES, 1, salt="upgrading"), ids=upgrade_name)
def test_an_upgrade_loses_nothing_that_the_older_service_answered(
    upgrade: tuple[Path, bool], postgres: Any, tmp_path: Path
) -> None:
    file, as_kept = upgrade
    kept = notes(file)
    commit = kept_by(file.parent.name) if as_kept else STALE
    if not commit:
        pytest.skip("there is no history here")
    campaign = next(iter(kept["campaigns"].values()))
    with new_database(postgres.owner_url, f"upgraded_{kept['system']}") as logins:
        load(unpacked(file, "sql.gz").decode(), logins)
        with serving_as(commit, logins, tmp_path) as address:
            playing = Playing(address, campaign["campaign"], campaign["tokens"]["s1"])
            while len(playing.answered) < PLAYED:
                playing.thread.join(0.05)
                assert playing.thread.is_alive(), playing.answered
        playing.thread.join(PATIENCE)
        with running(logins) as place:
            place.views_are_whole()
            for one in kept["campaigns"].values():
                gm = place.sitting(one["campaign"], "s1", one["tokens"]["s1"])
                healthy(gm)
            gm = place.sitting(campaign["campaign"], "s1", campaign["tokens"]["s1"])
            for number, reason in playing.answered.items():
                assert gm.look(f"/rulings/{number}")["declared"]["reason"] == reason
            gm.declare("set-dial", name="dice", value="ledger", reason="A new version.")
            place.views_are_whole()
            healthy(gm)
