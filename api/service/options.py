"""The service's options: logging, rate limits, webhooks, database, and the origins that may use it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from api.service.hook_addresses import Allowed

if TYPE_CHECKING:
    from api.service.environment import ServiceSettings

NOWHERE = Allowed()
#: Where `scripts/docs` builds the documentation, in a checkout.
BUILT_DOCS = Path(__file__).resolve().parents[2] / ".site"
PERIODS = {"second": 1, "minute": 60, "hour": 3600}


@dataclass(frozen=True, slots=True)
class Rate:
    """A limit of `most` requests in `seconds`."""

    most: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a service. `seat_rate` limits each seat. `address_rate` limits each address, for requests without
    a token known to be valid.

    `may_send_hooks`: whether webhooks are accepted and delivered. `hook_allow`: where they may send to, besides public
    addresses. `direct_url`: the login for listening, which bypasses a pooler that shares connections. None uses the
    same login as everything else. `prepare`: whether connections keep prepared statements, which shared connections
    can't. `shelf_count`: how many shelves the database must have. `read_url`: the login to a hot standby, if there is
    one. `public_url`: the service's address for people, without a final slash. None uses the address in each request.
    `docs`: the folder for the documentation, which need not exist yet. `cors_origins`: origins of pages that may read
    answers. `hsts`: for how many seconds browsers must insist on TLS; sent only over TLS.
    """

    log_level: str = "info"
    seat_rate: Rate | None = None
    address_rate: Rate | None = None
    cors_origins: tuple[str, ...] = ()
    hsts: int = 0
    metrics_token: str | None = None
    may_send_hooks: bool = True
    hook_allow: Allowed = NOWHERE
    public_url: str | None = None
    direct_url: str | None = None
    read_url: str | None = None
    prepare: bool = True
    shelf_count: int | None = None
    docs: Path = BUILT_DOCS


def read_options(env: ServiceSettings, *, runs_open: bool) -> Options:
    """Return the options. By default, a service that runs open has no rate limits and logs only warnings."""
    default: Rate | Literal["off"] = "off" if runs_open else Rate(600, 60)
    seat_rate, address_rate = env.rate_limit or default, env.address_rate_limit or default
    return Options(
        log_level=env.log_level or ("warning" if runs_open else "info"),
        seat_rate=None if seat_rate == "off" else seat_rate,
        address_rate=None if address_rate == "off" else address_rate,
        cors_origins=env.cors_origins,
        hsts=env.hsts,
        metrics_token=env.metrics_token,
        may_send_hooks=env.hooks == "on",
        hook_allow=env.hook_allow,
        public_url=env.public_url,
        direct_url=env.direct_url,
        read_url=env.read_url,
        prepare=env.prepare == "on",
        shelf_count=env.shelves,
        docs=env.docs or BUILT_DOCS,
    )


def parse_rate(text: str) -> Rate | Literal["off"]:
    """Return the rate in a text such as `600/minute`, or `off`. Raise ValueError for anything else."""
    if text.strip().lower() == "off":
        return "off"
    match = re.fullmatch(rf"([1-9]\d{{0,6}})\s*/\s*({'|'.join(PERIODS)})", text.strip().lower(), re.ASCII)
    if match is None:
        raise ValueError
    return Rate(int(match[1]), PERIODS[match[2]])


def parse_public_url(text: str) -> str:
    """Return the address without a final slash. Raise ValueError for anything except an origin such as
    `https://table.example`, because the page must be at its root.
    """
    if re.fullmatch(r"https?://[^/\s*@?#]+/?", text.strip()) is None:
        raise ValueError
    return text.strip().rstrip("/")


def parse_origins(text: str) -> tuple[str, ...]:
    """Return the origins in the text, separated by commas. Raise ValueError for anything else."""
    origins = tuple(origin.strip().rstrip("/") for origin in text.split(",") if origin.strip())
    if not all(re.fullmatch(r"https?://[^/\s*]+", origin) for origin in origins):
        raise ValueError
    return origins
