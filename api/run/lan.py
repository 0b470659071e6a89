"""`scripts/up --lan`: make the service available to phones and laptops in a home network."""

from __future__ import annotations

import socket
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from api.service.database import OPERATOR_TOKEN
from api.service.options import Options

if TYPE_CHECKING:
    from api.service.environment import ServiceSettings

EVERYWHERE = "0.0.0.0"
#: An address for documentation (RFC 5737). Nothing is sent to it. It only shows which of our own addresses the system
#: would use.
ELSEWHERE = ("192.0.2.1", 9)


def find_own_address() -> str:
    """Return this machine's address in the network, or its name if it has no address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


def make_network_options(env: ServiceSettings, options: Options, address: str) -> Options:
    """Return the options with this address for links, unless another one is set."""
    return replace(options, public_url=options.public_url or address, log_level=env.log_level or "warning")


def print_warning(data: Path) -> None:
    print("Everybody in this network can reach the service. It does not use TLS, so others in the network can read the")
    print("traffic, including tokens. That may be fine at home among friends. For anything else, use the TLS proxy in")
    print("docker-compose.yml. Starting a campaign needs the operator's token: LEDGER_OPERATOR_TOKEN,")
    print(f"or the file {data / OPERATOR_TOKEN}.\n", flush=True)
