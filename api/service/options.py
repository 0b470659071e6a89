"""How the service is run, from the environment: what it logs, how much it takes from whom, who may embed it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ledger.errors import Fault

PERIODS = {"second": 1, "minute": 60, "hour": 3600}
LEVELS = ("debug", "info", "warning", "error")
OFF = "off"


@dataclass(frozen=True, slots=True)
class Rate:
    """At most so many requests in so many seconds, all at once or spread."""

    most: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Options:
    """`seat_rate`: of one seat. `address_rate`: of an address, for requests whose token is not known to open anything.

    `cors_origins`: pages of these may read answers. `hsts`: seconds browsers are to insist on TLS, told over TLS only.
    """

    log_level: str = "info"
    seat_rate: Rate | None = None
    address_rate: Rate | None = None
    cors_origins: tuple[str, ...] = ()
    hsts: int = 0
    metrics_token: str | None = None


def options(env: Mapping[str, str], *, runs_open: bool) -> Options:
    """Fault for what cannot be read. A service that runs open is on its own machine: no limits, and a quiet log."""
    rate = OFF if runs_open else "600/minute"
    return Options(
        log_level=_level(env.get("LEDGER_LOG_LEVEL") or ("warning" if runs_open else "info")),
        seat_rate=_rate(env, "LEDGER_RATE_LIMIT", rate),
        address_rate=_rate(env, "LEDGER_ADDRESS_RATE_LIMIT", rate),
        cors_origins=_origins(env.get("LEDGER_CORS_ORIGINS", "")),
        hsts=_seconds(env.get("LEDGER_HSTS") or "0"),
        metrics_token=env.get("LEDGER_METRICS_TOKEN") or None,
    )


def _unreadable(name: str, wanted: str) -> Fault:
    return Fault(f"{name} must be {wanted}.", code="bad-setting")


def _level(said: str) -> str:
    if said.lower() not in LEVELS:
        raise _unreadable("LEDGER_LOG_LEVEL", f"one of {', '.join(LEVELS)}")
    return said.lower()


def _rate(env: Mapping[str, str], name: str, default: str) -> Rate | None:
    said = (env.get(name) or default).strip().lower()
    if said == OFF:
        return None
    found = re.fullmatch(rf"([1-9]\d{{0,6}})\s*/\s*({'|'.join(PERIODS)})", said, re.ASCII)
    if found is None:
        raise _unreadable(name, f"like 600/minute (or a {', '.join(PERIODS)}), or {OFF}")
    return Rate(int(found[1]), PERIODS[found[2]])


def _origins(said: str) -> tuple[str, ...]:
    origins = tuple(one.strip().rstrip("/") for one in said.split(",") if one.strip())
    if not all(re.fullmatch(r"https?://[^/\s*]+", one) for one in origins):
        raise _unreadable("LEDGER_CORS_ORIGINS", "origins like https://table.example, separated by commas")
    return origins


def _seconds(said: str) -> int:
    if re.fullmatch(r"\d{1,9}", said, re.ASCII) is None:
        raise _unreadable("LEDGER_HSTS", "a number of seconds")
    return int(said)
