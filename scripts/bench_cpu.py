"""The CPU cost of rulings over HTTP: of the service, the projector, and PostgreSQL for each of them."""

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

    def divide(self, earlier: Costs, rulings: int) -> Costs:
        """Return the average cost of these rulings since the earlier reading."""
        return Costs(
            (self.service - earlier.service) / rulings,
            (self.service_database - earlier.service_database) / rulings,
            (self.projector - earlier.projector) / rulings,
            (self.projector_database - earlier.projector_database) / rulings,
        )

    def describe(self) -> str:
        parts = (self.service, self.service_database, self.projector, self.projector_database)
        service, service_database, projector, projector_database = (f"{1000 * part:.2f}" for part in parts)
        return (
            f"service {service}, PostgreSQL for it {service_database}, projector {projector},"
            f" PostgreSQL for it {projector_database}"
        )


def read_costs(database: Database, service_pid: int, projector_pid: int) -> Costs:
    """Return the costs so far."""
    with psycopg.connect(database.owner_url, autocommit=True) as owner:

        def read_backends(url: str) -> float:
            query = "SELECT pid FROM pg_stat_activity WHERE usename = %s"
            return sum(_read_cpu(pid) for (pid,) in owner.execute(query, (conninfo_to_dict(url)["user"],)).fetchall())

        return Costs(
            _read_cpu(service_pid),
            read_backends(database.service_url),
            _read_cpu(projector_pid),
            read_backends(database.projector_url),
        )


def _read_cpu(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)
