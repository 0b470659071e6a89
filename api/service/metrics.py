"""Metrics for Prometheus. They contain no campaigns, seats or texts that people typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.core import CounterMetricFamily

if TYPE_CHECKING:
    from ledger.application import Ledger

BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
METHODS = ("GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS")
MOST_CODES = 300
OTHER = "other"


class Metrics:
    """The metrics of one application.

    Other code sets `open_feeds`, `view_lag` and `stopped`: `metrics.view_lag.labels(view).set(events)`.
    """

    def __init__(self, ledger: Ledger) -> None:
        self.registry = CollectorRegistry()
        self._codes: set[str] = set()
        self.requests = Histogram(
            "ledger_request_seconds",
            "Requests by route, method and status. The status is empty if the client left before the answer.",
            ["route", "method", "status"],
            buckets=BUCKETS,
            registry=self.registry,
        )
        self.rulings = Counter("ledger_rulings_recorded", "Rulings recorded.", registry=self.registry)
        self.refusals = Counter(
            "ledger_refusals", "Refused requests, by problem code.", ["code"], registry=self.registry
        )
        self.database_away = Counter(
            "ledger_database_away",
            "Requests answered 503 because the database was unavailable.",
            registry=self.registry,
        )
        self.open_feeds = Gauge("ledger_open_feeds", "Open feeds.", registry=self.registry)
        self.view_lag = Gauge(
            "ledger_view_lag_events",
            "Number of events by which a view is behind the record.",
            ["view"],
            registry=self.registry,
        )
        self.stopped = Gauge(
            "ledger_stopped_campaigns",
            "Campaigns whose views have stopped because their record is damaged.",
            registry=self.registry,
        )
        self.hook_deliveries = Counter(
            "ledger_hook_deliveries",
            "Attempts to deliver to webhooks, by outcome.",
            ["outcome"],
            registry=self.registry,
        )
        self.view_reads = Counter(
            "ledger_view_reads",
            "Reads by the server that answered, if there is a standby. The primary answers if the standby is behind,"
            " does not respond or fails.",
            ["by"],
            registry=self.registry,
        )
        self.registry.register(_Races(ledger))
        ProcessCollector(registry=self.registry)

    def count_answer(self, route: str, method: str, status: int | None, seconds: float) -> None:
        label = method if method in METHODS else OTHER
        self.requests.labels(route, label, str(status) if status else "none").observe(seconds)

    def count_refusal(self, code: str) -> None:
        """Count a refusal. Only a limited number of codes get their own labels."""
        if re.fullmatch("[a-z][a-z0-9-]{0,60}", code) is None or (
            code not in self._codes and len(self._codes) >= MOST_CODES
        ):
            code = OTHER
        self._codes.add(code)
        self.refusals.labels(code).inc()


class _Races:
    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def collect(self) -> Iterator[CounterMetricFamily]:
        description = "Saves that lost a race and were tried again."
        yield CounterMetricFamily("ledger_conflicts", description, value=self._ledger.lost_races)

    def describe(self) -> list[CounterMetricFamily]:
        return []  # without this, registering would call `collect`
