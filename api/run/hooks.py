"""Deliver webhooks in a thread of the service. Only one of all processes on the database delivers."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from api.hooks.deliverer import Deliverer
from api.hooks.sending import Sender
from api.service.logs import describe_without_message
from api.service.metrics import Metrics
from ledger.application import Ledger

log = logging.getLogger("ledger.hooks")


@contextmanager
def deliver_hooks(ledger: Ledger, url: str, sender: Sender, metrics: Metrics) -> Iterator[Deliverer]:
    """Deliver webhooks until the end of the block. Running attempts then get two more seconds."""
    stop = threading.Event()
    deliverer = Deliverer(ledger, sender, count_outcome=lambda outcome: metrics.hook_deliveries.labels(outcome).inc())
    thread = threading.Thread(target=_run_deliverer, args=(deliverer, url, stop), name="hooks", daemon=True)
    thread.start()
    try:
        yield deliverer
    finally:
        stop.set()
        thread.join(10)


def _run_deliverer(deliverer: Deliverer, url: str, stop: threading.Event) -> None:
    try:
        deliverer.follow(url, stop)
    except Exception as problem:  # noqa: BLE001  the service itself must go on
        log.critical("Webhook delivery has stopped.\n%s", describe_without_message(problem))
