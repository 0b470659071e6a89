"""Every view for everybody: axe finds nothing, large text fits, nothing moves; by day and night, phone and laptop."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Literal, TypeAlias

import pytest

from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP, PHONE, Device
from tests.api.page.every_view import SIGHTS, Sight, at_the_moment, kind, path_of, views
from tests.api.page.test_by_keyboard import MOVING
from tests.api.table import Player, Service, Table
from tests.levels import sampled

Kind: TypeAlias = tuple[str, tuple[int, int], Literal["light", "dark"]]
DEVICES: tuple[Kind, ...] = (
    ("a phone by day", PHONE, "light"),
    ("a laptop by day", LAPTOP, "light"),
    ("a phone at night", PHONE, "dark"),
    ("a laptop at night", LAPTOP, "dark"),
)
#: Twice as large as a browser has it, in pixels.
LARGE = {"fontSizes": {"standard": 32, "fixed": 26}}
#: What of the bar is not whole: out of sight, or cut off.
CUT = """() => [...document.querySelectorAll('.views > ul > li > a, .views > ul > li > details > summary')]
    .filter(one => { const box = one.getBoundingClientRect();
        return box.left < 0 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5 || box.top < 0
            || one.scrollWidth > one.clientWidth + 1; })
    .map(one => one.textContent)"""
Moments: TypeAlias = Callable[[str], Table]


@pytest.fixture(scope="module")
def at(service: Service) -> Moments:
    return cache(lambda moment: at_the_moment(service, moment))


def sound(device: Device, name: str) -> None:
    """As it is; then with large text, on a phone."""
    device.picture(f"view-{name}")
    device.fits()
    device.accessible()
    assert device.page.evaluate(MOVING) == [], name
    if device.size == PHONE:
        # As one sets it in the browser: what is measured in its letters, such as where a phone begins, follows.
        device.context.new_cdp_session(device.page).send("Page.setFontSizes", LARGE)
        assert device.page.evaluate("() => matchMedia('(max-width: 13rem)').matches"), "it is as somebody set it"
        device.picture(f"view-{name}-large")
        device.fits()
        assert device.page.evaluate(CUT) == [], name


@pytest.mark.parametrize(
    "seen",
    sampled([*product(SIGHTS, DEVICES)], 4, group=lambda seen: seen[1]),
    ids=lambda seen: f"{seen[0]}, on {seen[1][0]}",
)
def test_a_view_is_for_everybody(at: Moments, sits: Sits, seen: tuple[Sight, Kind]) -> None:
    sight, (name, size, scheme) = seen
    if not sight.who:
        device = sits(size=size, scheme=scheme)
        device.page.goto(sight.path)
    else:
        table = at(sight.moment)
        seat: Player = getattr(table, sight.who)
        device = sits(seat.token, size, scheme)
        device.look(path_of(sight, table))
    sound(device, f"{sight}-{name}".replace(" ", "-"))


@pytest.mark.nightly
@pytest.mark.parametrize("kind_of_device", DEVICES, ids=lambda one: one[0])
def test_every_route_is_for_everybody(at: Moments, sits: Sits, kind_of_device: Kind) -> None:
    """One view of every kind that the attacker of the twins reads, as the game master sees it."""
    name, size, scheme = kind_of_device
    table = at("impact")
    device = sits(table.gm.token, size, scheme)
    now = device.look("/").content()
    where = device.at.removeprefix(device.address)
    kinds = {kind(path): path for path in views(table.gm, now, where)}
    with device.allowing("status of 4"):  # some views are of nothing that is there: they say so on a page
        for one, path in sorted(kinds.items()):
            if not one.endswith((".json", "/export")):
                device.look(path)
                sound(device, f"{one}-{name}".replace("/", "-"))
