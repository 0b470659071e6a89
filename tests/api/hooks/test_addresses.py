"""Where a hook may send to: nothing inside, however it is written, and nothing that tells what is inside."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address

import pytest

from api.service.hook_addresses import (
    UNFIT,
    Allowed,
    Resolve,
    Unfit,
    is_public,
    parse_allowed,
    parse_target,
    resolve,
    resolve_allowed,
)

PUBLIC = [
    "93.184.216.34",
    "1.1.1.1",
    "100.63.255.255",
    "100.128.0.1",
    "172.32.0.1",
    "2606:4700::1111",
    "64:ff9b::5db8:d822",
    "::ffff:93.184.216.34",
]
INSIDE = [
    "127.0.0.1",
    "127.1.2.3",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "100.64.0.1",
    "100.100.100.200",
    "169.254.169.254",
    "192.0.0.192",
    "198.18.0.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "168.63.129.16",
    "192.0.2.1",
    "::",
    "::1",
    "fe80::1",
    "fe80::1%2",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::7f00:1",
    "2002:7f00:1::",
    "2002:5db8:d822::1",
    "2001:0:7f00:1::",
    "2001:db8::1",
    "fec0::1",
    "5f00::1",
    "100::1",
]
NOTHING = Allowed()


def having(*addresses: str) -> Resolve:
    def found(host: str, port: int) -> Sequence[str]:
        if not addresses:
            raise OSError("no such name")
        return addresses

    return found


@pytest.mark.parametrize("address", PUBLIC)
def test_what_is_of_the_whole_internet_is_public(address: str) -> None:
    assert is_public(ip_address(address))
    assert resolve_allowed(parse_target("https://bot.example/x"), NOTHING, having(address))


@pytest.mark.parametrize("address", INSIDE)
def test_what_is_inside_or_may_lead_inside_is_not(address: str) -> None:
    assert not is_public(ip_address(address))
    with pytest.raises(Unfit):
        resolve_allowed(parse_target("https://bot.example/x"), NOTHING, having(address))


@pytest.mark.parametrize("address", ["10.0.0.1", "::1", "::ffff:10.0.0.1"])
def test_one_address_inside_spoils_them_all(address: str) -> None:
    with pytest.raises(Unfit):
        resolve_allowed(parse_target("https://bot.example/x"), NOTHING, having("93.184.216.34", address))


def test_what_is_inside_and_what_is_nowhere_are_told_alike() -> None:
    said = []
    for addresses in ([], ["10.0.0.1"], ["127.0.0.1", "93.184.216.34"], ["not an address"]):
        with pytest.raises(Unfit) as met:
            resolve_allowed(parse_target("https://db.internal/"), NOTHING, having(*addresses))
        said.append(str(met.value))
    assert len(set(said)) == 1 and "db.internal" in said[0] and "10.0.0.1" not in said[0]


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "2130706433", "0x7f000001", "127.1", "[::1]", "[::ffff:127.0.0.1]", "0", "localhost", "localhost."],
)
def test_an_address_is_looked_up_as_a_name_is_however_it_is_written(host: str) -> None:
    with pytest.raises(Unfit):
        resolve_allowed(parse_target(f"https://{host}/"), NOTHING, resolve)


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://bot.example/", "https://"),
        ("https://bot.example:8443/", "8443"),
        ("ftp://bot.example/", "https://"),
        ("bot.example/x", "https://"),
        ("https://", "https://"),
        ("https:///x", "https://"),
        ("", "https://"),
        ("https://ann@bot.example/", "password"),
        ("https://ann:secret@bot.example/", "password"),
        ("https://bot.example:99999/", UNFIT),
        ("https://bot.example:x/", UNFIT),
        ("https://[::1/", UNFIT),
        ("https://bot\n.example/", UNFIT),
        ("https://exa mple/", UNFIT),
        ("https://\u2028/", UNFIT),
    ],
)
def test_a_url_that_will_not_do_is_refused_with_what_would(url: str, told: str) -> None:
    with pytest.raises(Unfit) as met:
        resolve_allowed(parse_target(url), NOTHING, having("93.184.216.34"))
    assert told in str(met.value) and "secret" not in str(met.value)


def test_a_url_is_taken_apart_as_it_is_sent() -> None:
    one = parse_target("HTTPS://Bücher.Example./a b?c=d#e")
    assert (one.scheme, one.host, one.port, one.path) == ("https", "xn--bcher-kva.example", 443, "/a%20b?c=d")
    assert parse_target("https://[2606:4700::1111]:443/").host == "2606:4700::1111"


@pytest.mark.parametrize(
    ("said", "url", "addresses", "goes"),
    [
        ("bot.lan", "http://bot.lan:8080/", ["10.0.0.1"], True),
        ("bot.lan", "http://other.lan/", ["10.0.0.1"], False),
        ("10.0.0.0/8", "http://bot.lan:8080/", ["10.0.0.1"], True),
        ("10.0.0.0/8", "http://bot.lan:8080/", ["10.0.0.1", "192.168.0.1"], False),
        ("10.0.0.0/8", "http://bot.lan:8080/", ["10.0.0.1", "93.184.216.34"], False),
        ("10.0.0.0/8", "https://bot.lan/", ["10.0.0.1", "93.184.216.34"], True),
        ("10.0.0.0/8", "http://bot.lan/", ["::ffff:10.0.0.1"], True),
        ("127.0.0.1, ::1", "http://localhost:1/", ["::1", "127.0.0.1"], True),
        ("127.0.0.1", "http://localhost:1/", ["::1", "127.0.0.1"], False),
        ("bot.lan", "http://bot.lan/", [], False),
        ("10.0.0.0/8", "http://bot.lan/", [], False),
    ],
)
def test_the_operator_allows_more(said: str, url: str, addresses: list[str], goes: bool) -> None:
    if goes:
        assert resolve_allowed(parse_target(url), parse_allowed(said), having(*addresses))
        return
    with pytest.raises(Unfit):
        resolve_allowed(parse_target(url), parse_allowed(said), having(*addresses))


def test_what_may_be_allowed() -> None:
    assert parse_allowed(" Bot.Lan,, 10.0.0.0/8 ,::1") == Allowed(
        frozenset({"bot.lan"}), parse_allowed("10.0.0.0/8").networks + parse_allowed("::1").networks
    )
    assert parse_allowed("") == NOTHING
    for wrong in ("*", "10.0.0.1/8", "10.0.0", "http://bot.lan", "bot.lan:80", "bot lan"):
        with pytest.raises(ValueError, match=r"appear|host bits"):
            parse_allowed(wrong)
