"""The law of twins, in forks: what is hidden in a campaign is hidden in whatever goes on from it."""

from __future__ import annotations

from contextlib import suppress

import pytest

from ledger.application import saves
from tests.api.table import Json, Service
from tests.api.twins.attacks import Found, Twins
from tests.api.twins.games import MNEMONIC, MOC, SECRETS, TOY, Secret
from tests.api.twins.places import NOW

each = pytest.mark.parametrize("secret", SECRETS, ids=str)
one_a_system = pytest.mark.parametrize("secret", [TOY[0], MNEMONIC[0], MOC[0]], ids=str)
HAND = MOC[0]  # which the game master does not see either


@each
def test_who_claims_a_seat_in_a_fork_learns_nothing_new(service: Service, secret: Secret) -> None:
    """Neither by claiming it nor by anything that can be read there, in both clocks."""
    twins = Twins(service, secret)
    fork = twins.forked(twins.rulings)
    fork.read_all()
    assert fork.difference is None, str(fork.difference)


@one_a_system
def test_nor_by_whatever_is_tried_there(service: Service, secret: Secret) -> None:
    """In a fork of now, and in one from before, when the secret was about to be."""
    twins = Twins(service, secret)
    for at in (twins.rulings, twins.rulings - 1):
        fork = twins.forked(at)
        fork.try_all()
        assert fork.difference is None, str(fork.difference)


def test_who_may_know_finds_the_difference_in_the_fork(service: Service) -> None:
    twins = Twins(service, HAND)
    fork = twins.forked(twins.rulings, attackers=("ben",))
    fork.read_all()
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


def opened_by_the_master(service: Service) -> Twins:
    """He forks, claims nobody's seat, tries all that there is, and looks at everything."""
    twins = Twins(service, HAND)
    fork = twins.forked(twins.rulings, claims=(), attackers=("gm",))
    with suppress(Found):
        for method, path, body in OPENS:
            fork.send(0, method, path, body)
            for look in NOW:
                fork.send(0, "GET", look)
        for do in HAND.tries:
            fork.send(0, "POST", "/rulings", {"declare": do, "dice": "table"})
        for number in range(1, twins.rulings + 1):
            for path in (f"/rulings/{number}", f"/state?at={number}", f"/what-if?without={number}&stands=true"):
                fork.send(0, "GET", path)
    return fork


def test_no_game_master_opens_a_hand_by_forking(service: Service) -> None:
    twins = opened_by_the_master(service)
    assert twins.difference is None, str(twins.difference)


def test_a_fork_that_goes_on_alone_is_found(monkeypatch: pytest.MonkeyPatch, service: Service) -> None:
    """Where a game master may play on without the others, he turns the dial, and sees."""
    monkeypatch.setattr(saves, "once_complete", lambda act: act)
    assert opened_by_the_master(service).difference is not None
