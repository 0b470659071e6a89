"""The service as a separate process on the cluster, and the events of the campaigns that are opened in one step of the
test.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from api.service.database import Database, find_logins
from api.service.environment import Settings
from ledger.events.database_check import SCHEMA, name_views_schema
from ledger.events.shelves import name_schemas
from projections.views.store import FOLLOWING
from scripts.scale_cluster import Cluster
from tests.api.process import PROGRAM, Process, process
from tests.reliability.record import Row
from tests.reliability.system import OPERATOR, PATIENCE

KEY = b"a key for trying a cluster only"
CATCHING_UP = 120.0  # seconds
EVENTS = """
SELECT notification_id, split_part(originator_id, '/', 1), split_part(originator_id, '/', 2),
       split_part(originator_id, '/', 3), originator_version, topic, convert_from(state, 'utf8')::jsonb
  FROM {schema}.ledger_events WHERE split_part(originator_id, '/', 1) = ANY(%s) ORDER BY notification_id
"""
FREE = {"RATE_LIMIT": "off", "ADDRESS_RATE_LIMIT": "off"}


class Stage:
    """The service. Call `migrate`, then `serve`. `shelves`: the schemas of the record, known after the migration."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.logins: Database = find_logins(Settings.model_construct(LEDGER_OWNER_URL=cluster.url), lambda: KEY)
        self.shelves: list[str] = []
        self.service: Process

    def migrate(self) -> None:
        self.logins.migrate()
        ((number,),) = self.cluster.select("SELECT number FROM {schema}.shelves", f"{SCHEMA}_common")
        self.shelves = name_schemas(SCHEMA, int(str(number)))

    @property
    def view_schemas(self) -> list[str]:
        return [name_views_schema(shelf) for shelf in self.shelves]

    @contextmanager
    def serve(self) -> Iterator[None]:
        with TemporaryDirectory() as folder:
            settings = {**FREE, "PROJECTOR_URL": self.logins.projector_url}
            with process(Path(folder), self.logins.service_url, SCHEMA, KEY, OPERATOR, **settings) as self.service:
                yield

    def run_command(self, *words: str) -> float:
        """Run `campaign-ledger` with these arguments. Return the seconds it took. Raise CalledProcessError if it
        failed."""
        start_time = time.monotonic()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("LEDGER_")}
        settings = {"DATABASE_URL": self.logins.service_url, "PROJECTOR_URL": self.logins.projector_url}
        settings |= {"SERVER_KEY": KEY.decode()}
        environment |= {f"LEDGER_{name}": value for name, value in settings.items()}
        subprocess.run([sys.executable, "-c", PROGRAM, *words], env=environment, check=True, stderr=subprocess.DEVNULL)
        return time.monotonic() - start_time

    def wait_for_views(self) -> float:
        """Wait until the views have processed every event. Return the seconds it took."""
        start_time = time.monotonic()
        while lag_by_shelf := {shelf: lag for shelf in self.shelves if (lag := self._count_behind(shelf))}:
            if time.monotonic() - start_time > CATCHING_UP:
                raise AssertionError(f"the views are not catching up; events behind, by shelf: {lag_by_shelf}")
            time.sleep(0.1)
        return time.monotonic() - start_time

    def _count_behind(self, shelf: str) -> int:
        ((last_id,),) = self.cluster.select(
            "SELECT coalesce(max(notification_id), 0) FROM {schema}.ledger_events", shelf
        )
        query = "SELECT coalesce(max(notification_id), 0) FROM {schema}.tracking WHERE application_name = %s"
        ((taken_id,),) = self.cluster.select(query, name_views_schema(shelf), FOLLOWING)
        return int(str(last_id)) - int(str(taken_id))


class Scene:
    """The campaigns opened through the clients of this object. `rows` returns only the events of these campaigns."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.campaigns: set[str] = set()

    @contextmanager
    def client(self) -> Iterator[httpx.Client]:
        hooks = {"response": [self._note_campaign]}
        with httpx.Client(base_url=self.stage.service.address, timeout=PATIENCE, event_hooks=hooks) as client:
            yield client

    def rows(self) -> list[Row]:
        campaigns = sorted(self.campaigns)
        return [
            Row(*row)  # type: ignore[arg-type]
            for shelf in self.stage.shelves
            for row in self.stage.cluster.select(EVENTS, shelf, campaigns)
        ]

    def _note_campaign(self, answer: httpx.Response) -> None:
        if answer.request.url.path == "/campaigns" and answer.status_code == 201:
            answer.read()
            self.campaigns.add(answer.json()["id"])


def read_seals(stage: Stage, tokens: dict[str, str]) -> dict[str, Any]:
    """Return the seals of the campaigns. `tokens`: the token of one seat in each campaign."""
    seals: dict[str, Any] = {}
    with httpx.Client(base_url=stage.service.address, timeout=PATIENCE) as client:
        for campaign, token in tokens.items():
            answer = client.get(f"/campaigns/{campaign}/seal", headers={"Authorization": f"Bearer {token}"})
            seals[campaign] = answer.raise_for_status().json()
    return seals
