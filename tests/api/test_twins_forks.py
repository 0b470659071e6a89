"""The law of twins, in forks: what is hidden in a campaign is hidden in whatever goes on from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache

import pytest

from ledger.application import saves
from tests.api.table import Json, Service
from tests.api.twins.attacks import Found, Twins
from tests.api.twins.games import MNEMONIC, MOC, SECRETS, TOY, Secret, system_of
from tests.api.twins.places import NOW
from tests.levels import sampled

pytestmark = pytest.mark.slow
each = pytest.mark.parametrize("secret", sampled(SECRETS, 1, group=system_of), ids=str)
ONE_A_SYSTEM = (TOY[0], MNEMONIC[0], MOC[0])
HAND = MOC[0]  # which the game master does not see either


@pytest.fixture(scope="module")
def origin(service: Service) -> Callable[[str], Twins]:
    """The two campaigns with their secret, played once: a fork leaves them as they are."""
    named = {str(one): one for one in SECRETS}
    return cache(lambda name: Twins(service, named[name]))


@pytest.fixture
def twins(origin: Callable[[str], Twins], secret: Secret) -> Twins:
    return origin(str(secret))


def read(fork: Twins, paths: Iterable[str]) -> None:
    with suppress(Found):
        for who in range(len(fork.attackers)):
            for path in paths:
                fork.send(who, "GET", path)


@each
def test_who_claims_a_seat_in_a_fork_learns_nothing_new(twins: Twins) -> None:
    """Neither by claiming it nor by how things are there."""
    fork = twins.forked(twins.rulings)
    read(fork, NOW)
    assert fork.difference is None, str(fork.difference)


@pytest.mark.parametrize("secret", sampled(ONE_A_SYSTEM, 0), ids=str)
def test_nor_by_whatever_is_tried_there(twins: Twins) -> None:
    """In a fork of now, and in one from before, when the secret was about to be; then what can be read of it all.

    What there is to read is read as in the origin: of all the places one in so many, others in each fork.
    """
    for turn, at in enumerate((twins.rulings, twins.rulings - 1)):
        fork = twins.forked(at)
        fork.try_all()
        read(fork, [*fork.paths()][turn::11])
        assert fork.difference is None, str(fork.difference)


@pytest.mark.parametrize("secret", [HAND], ids=str)
def test_who_may_know_finds_the_difference_in_the_fork(twins: Twins) -> None:
    fork = twins.forked(twins.rulings, attackers=("ben",))
    read(fork, NOW)
    assert fork.difference is not None


# --- who forks ---

#: What would show a game master somebody's hand, with nobody there to see that it does.
OPENS: tuple[tuple[str, str, Json], ...] = (
    ("POST", "/rulings", {"declare": {"kind": "set-dial", "name": "hands_seen_by_gm", "value": True, "reason": "?"}}),
    ("POST", "/dials", {"hands_seen_by_gm": True, "reason": "?"}),
    ("POST", "/seats/s2/token", {}),
    ("PATCH", "/seats/s2", {"removed": True}),
    ("POST", "/rulings", {"declare": {"kind": "hand-over", "character": "1", "seat": "s1"}}),
    ("POST", "/characters/1/hand-over", {"seat": "s1"}),
    ("POST", "/rulings/1/overturn", {"reason": "?", "settle": "rerule"}),
)


def opened_by_the_master(twins: Twins) -> Twins:
    """He forks, claims nobody's seat, tries all that there is, and looks at everything."""
    fork = twins.forked(twins.rulings, claims=(), attackers=("gm",))
    with suppress(Found):
        for method, path, body in OPENS:
            fork.send(0, method, path, body)
            for look in ("/state", "/timeline?limit=500", "/export"):
                fork.send(0, "GET", look)
        for do in HAND.tries:
            fork.send(0, "POST", "/rulings", {"declare": do, "dice": "table"})
        for number in range(1, twins.rulings + 1):
            for path in (f"/rulings/{number}", f"/state?at={number}", f"/what-if?without={number}&stands=true"):
                fork.send(0, "GET", path)
        for look in NOW:
            fork.send(0, "GET", look)
    return fork


@pytest.mark.parametrize("secret", [HAND], ids=str)
def test_no_game_master_opens_a_hand_by_forking(twins: Twins) -> None:
    fork = opened_by_the_master(twins)
    assert fork.difference is None, str(fork.difference)


@pytest.mark.parametrize("secret", [HAND], ids=str)
def test_a_fork_that_goes_on_alone_is_found(monkeypatch: pytest.MonkeyPatch, twins: Twins) -> None:
    """Where a game master may play on without the others, he turns the dial, and sees."""
    monkeypatch.setattr(saves, "require_complete_table", lambda act: act)
    assert opened_by_the_master(twins).difference is not None
