"""The CPU cost of rulings over HTTP: in the service, in the projector, and in PostgreSQL for each of the two."""

from __future__ import annotations

from dataclasses import dataclass

import psutil
import psycopg
from psycopg.conninfo import conninfo_to_dict

from api.service.database import Database


@dataclass(frozen=True, slots=True)
class Costs:
    """CPU times, in seconds."""

    service: float
    service_database: float
    projector: float
    projector_database: float

    @property
    def total(self) -> float:
        return self.service + self.service_database + self.projector + self.projector_database

    def average_since(self, earlier: Costs, ruling_count: int) -> Costs:
        """Return the average cost of a ruling since the earlier reading."""
        return Costs(
            (self.service - earlier.service) / ruling_count,
            (self.service_database - earlier.service_database) / ruling_count,
            (self.projector - earlier.projector) / ruling_count,
            (self.projector_database - earlier.projector_database) / ruling_count,
        )

    def describe(self) -> str:
        all_seconds = (self.service, self.service_database, self.projector, self.projector_database)
        service_text, service_database_text, projector_text, projector_database_text = (
            f"{1000 * seconds:.2f}" for seconds in all_seconds
        )
        return (
            f"service {service_text}, its PostgreSQL {service_database_text}, projector {projector_text},"
            f" its PostgreSQL {projector_database_text}"
        )


def read_costs(database: Database, service_pid: int, projector_pid: int) -> Costs:
    """Return the costs so far."""
    with psycopg.connect(database.owner_url, autocommit=True) as owner:

        def read_backends_cpu(url: str) -> float:
            query = "SELECT pid FROM pg_stat_activity WHERE usename = %s"
            return sum(
                _read_cpu_seconds(pid) for (pid,) in owner.execute(query, (conninfo_to_dict(url)["user"],)).fetchall()
            )

        return Costs(
            _read_cpu_seconds(service_pid),
            read_backends_cpu(database.service_url),
            _read_cpu_seconds(projector_pid),
            read_backends_cpu(database.projector_url),
        )


def _read_cpu_seconds(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)
