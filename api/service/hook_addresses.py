"""The addresses that webhooks may send to: public ones over https, and those that the operator allows.

A name is looked up at every attempt, and all of its addresses must be allowed. Internal and unknown names get the same
refusal, so that nobody can find out which names exist inside the network.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias

import httpx

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network
#: A function that returns the addresses of a name, for a port. It raises OSError if there are none.
Resolve: TypeAlias = Callable[[str, int], Sequence[str]]

LONGEST_URL = 2000  # characters
HOST = re.compile(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|[0-9a-f:.]+", re.IGNORECASE)
PORTS = {"https": 443, "http": 80}
#: All IPv4 networks that are not on the public internet (RFC 6890 and later additions), and Azure's metadata service.
INSIDE = [
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "168.63.129.16/32",
    )
]
#: The only IPv6 range with public addresses. The second list has its exceptions: networks for protocols, for
#: documentation, and for 6to4 (which may lead inside the network).
GIVEN_OUT = IPv6Network("2000::/3")
NOT_GIVEN_OUT = [IPv6Network(network) for network in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")]
#: IPv6 prefixes of addresses that end with an IPv4 address: mapped addresses, and addresses of NAT64.
HOLDING_IPV4 = [IPv6Network(network) for network in ("::ffff:0:0/96", "64:ff9b::/96")]
UNFIT = "Use a public https address on port 443, or one that the operator allows."


class Unfit(Exception):
    """A webhook may not send to this address. The message says why, and what is allowed."""


@dataclass(frozen=True, slots=True)
class Target:
    """The parts of a URL. `host`: the name in ASCII. `path`: the path with the query."""

    scheme: str
    host: str
    port: int
    path: str


@dataclass(frozen=True, slots=True)
class Allowed:
    """More hosts and networks that the operator allows, also over http and with any port."""

    hosts: frozenset[str] = frozenset()
    networks: tuple[Network, ...] = ()

    def has_host(self, host: str) -> bool:
        return host in self.hosts

    def has_address(self, address: Address) -> bool:
        return any(address in network for network in self.networks)


def parse_allowed(text: str) -> Allowed:
    """Return the hosts and networks in a text such as `bot.example, 10.1.0.0/16, 192.0.2.7`. Raise ValueError for
    anything else.
    """
    hosts, networks = set(), []
    for part in filter(None, (part.strip().lower() for part in text.split(","))):
        try:
            networks.append(ip_network(part))
        except ValueError:
            if HOST.fullmatch(part) is None or ":" in part or re.search("[a-z]", part) is None:
                raise
            hosts.add(part)
    return Allowed(frozenset(hosts), tuple(networks))


def parse_target(url: str) -> Target:
    """Return the URL's parts. Raise Unfit unless it is an http or https URL without credentials."""
    try:
        parsed_url = httpx.URL(url)
        host, port = parsed_url.raw_host.decode("ascii").rstrip("."), parsed_url.port
    except (httpx.InvalidURL, ValueError, TypeError):
        raise Unfit(f"That is not a web address. {UNFIT}") from None
    if parsed_url.scheme not in PORTS or not host:
        raise Unfit(f"The address must begin with https:// and a host name. {UNFIT}")
    if HOST.fullmatch(host) is None:
        raise Unfit(f"The host is not valid. {UNFIT}")
    if parsed_url.userinfo:
        raise Unfit("Remove the user name and password from the address. Everybody who lists webhooks could read them.")
    port = port or PORTS[parsed_url.scheme]
    return Target(parsed_url.scheme, host.lower(), port, parsed_url.raw_path.decode("ascii"))


def resolve(host: str, port: int) -> list[str]:
    """Return the host's addresses, using the system's resolver."""
    results = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(socket_address[0]) for *_, socket_address in results))


def explain_unfit_name(target: Target) -> str:
    """Return the message for a name that is internal, has no address, or could not be looked up in time."""
    return f"Webhooks can't be sent to {target.host}. {UNFIT}"


def resolve_allowed(target: Target, allowed: Allowed, resolve: Resolve) -> list[str]:
    """Return the target's addresses. Raise Unfit if any of them is not allowed."""
    addresses = _look_up(target, resolve)
    is_allowed = allowed.has_host(target.host) or (bool(addresses) and all(map(allowed.has_address, addresses)))
    if not is_allowed and target.scheme != "https":
        raise Unfit(f"The address must begin with https://. {UNFIT}")
    if not is_allowed and target.port != PORTS["https"]:
        raise Unfit(f"Port {target.port} is not allowed. {UNFIT}")
    if not addresses or not (
        is_allowed or all(is_public(address) or allowed.has_address(address) for address in addresses)
    ):
        raise Unfit(explain_unfit_name(target))
    return [str(address) for address in addresses]


def _look_up(target: Target, resolve: Resolve) -> list[Address]:
    """Return the target's addresses, or an empty list if the name has none."""
    try:
        return [_parse_address(text) for text in resolve(target.host, target.port)]
    except (OSError, UnicodeError, ValueError):
        return []


def _parse_address(text: str) -> Address:
    """Return the address. An IPv4 address written as IPv6 becomes IPv4."""
    address = ip_address(text)
    return address.ipv4_mapped or address if isinstance(address, IPv6Address) else address


def is_public(address: Address) -> bool:
    """Return whether the address is on the public internet and cannot lead inside the network."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in INSIDE)
    if any(address in network for network in HOLDING_IPV4):
        return is_public(IPv4Address(int(address) & 0xFFFFFFFF))
    return address in GIVEN_OUT and not any(address in network for network in NOT_GIVEN_OUT)
