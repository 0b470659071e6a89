"""The law of twins at the page: who may not know reads, looks beforehand, taps and takes back, and learns nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import psycopg
import pytest

from api.table import sessions
from api.table.sessions import Session
from ledger.application.keys import Keys
from tests.api.conftest import SCHEMA
from tests.api.page.every_view import kind, unseen, views
from tests.api.table import Service
from tests.api.test_twins import counted
from tests.api.twins import faults_at_the_page as faults
from tests.api.twins.attacks import Twins
from tests.api.twins.faults_at_the_page import LEAKS, Leak, Leaking
from tests.api.twins.foreseen import FORESEEN
from tests.api.twins.games import SECRETS, Secret, system_of
from tests.api.twins.moments import MOMENTS
from tests.api.twins.page import Told, Windows, same_dice
from tests.api.twins.tables import AT_ANY_TABLE, OIL, lit
from tests.levels import LEVEL, sampled

MOST = 10_000 if LEVEL == "all" else 8  # views, for each secret and each who may not know
TAPS = 40 if LEVEL == "all" else 5
FORMS = 40 if LEVEL == "all" else 3
#: Leaks that show only where there is a board, and a prompt; or where something is foreseen.
WHERE: dict[Leak, Secret] = {
    faults.a_prompt: AT_ANY_TABLE[0],
    faults.a_board: AT_ANY_TABLE[0],
    faults.a_preview: FORESEEN[0],
    faults.some_work: FORESEEN[0],
}
pytestmark = pytest.mark.slow
each = pytest.mark.parametrize("secret", sampled((*SECRETS, *AT_ANY_TABLE, *MOMENTS), 1, group=system_of), ids=str)
each_that_is_tried = pytest.mark.parametrize(
    "secret", sampled((*SECRETS, *AT_ANY_TABLE, *FORESEEN), 1, salt="tried at the page", group=system_of), ids=str
)


@pytest.fixture(autouse=True)
def nobody_sat_down_yet(postgres: Any, service_url: str) -> None:
    assert service_url
    with psycopg.connect(postgres.owner_url, autocommit=True) as owner:
        owner.execute(f"TRUNCATE {SCHEMA}_common.permits")


def sample(paths: Sequence[str], seed: str) -> list[int]:
    """Of so many kinds one, where they stand; over all secrets every kind comes about often."""
    rng = Random(seed)
    kinds: dict[str, list[int]] = {}
    for place, path in enumerate(paths):
        kinds.setdefault(kind(path), []).append(place)
    return [rng.choice(kinds[one]) for one in rng.sample(sorted(kinds), min(MOST, len(kinds)))]


def read(windows: Windows) -> None:
    """Views, what is live, and what is seen from outside."""
    windows.reads_all(lambda paths: sample(paths, f"{windows.twins.secret} {windows.name}"))
    windows.hears()
    windows.reads_outside()


def tried(windows: Windows) -> None:
    """Whatever can be tapped, what no button offers, forms; meanwhile the game master decides things."""
    secret = windows.twins.secret
    seen = windows.hears()
    windows.looks_beforehand(Random(f"{secret} {windows.name}"), FORMS)
    if secret.foresees:  # who does it is told: it is only looked at
        return
    windows.taps(TAPS)
    for do in secret.tries[:: 1 if LEVEL == "all" else 4]:
        windows.taps_anything(do)
    for path, body in secret.decides:
        windows.twins.master(path, body)
        seen = windows.hears(seen)
    windows.decides(windows.twins.rulings)
    windows.hears()


def finds(windows: Windows) -> Iterator[str]:
    """Where the two differ, of all that is read."""
    try:
        windows.reads_all()
    except Told as difference:
        yield str(difference)


@each
def test_the_pages_of_who_may_not_know_are_the_same(service: Service, secret: Secret) -> None:
    """Also while something waits; and who may know sees that there is a difference."""
    twins = Twins(service, secret)
    twins.leave_waiting()
    for name in secret.attackers:
        read(Windows(twins, name))
    assert any(finds(Windows(twins, secret.owner)))


@each_that_is_tried
def test_whatever_is_tried_at_the_page_tells_nothing(
    monkeypatch: pytest.MonkeyPatch, service: Service, secret: Secret
) -> None:
    same_dice(monkeypatch)
    twins = Twins(service, secret, ruled=counted(monkeypatch))
    for name in secret.attackers:
        tried(Windows(twins, name))


@pytest.mark.nightly
def test_a_game_without_a_presentation_tells_nothing_either(monkeypatch: pytest.MonkeyPatch, postgres: Any) -> None:
    """A game of two chapters, in which one field is hidden."""
    same_dice(monkeypatch)
    with lit(postgres.owner_url) as service:
        twins = Twins(service, OIL, ruled=counted(monkeypatch))
        for name in OIL.attackers:
            read(Windows(twins, name))
            tried(Windows(twins, name))
        assert any(finds(Windows(twins, OIL.owner)))


def test_every_view_is_read(service: Service) -> None:
    """The attacker's list, which axe has, too, leaves no view out."""
    twins = Twins(service, AT_ANY_TABLE[0])
    windows = Windows(twins, "cleo")
    at = windows.sitters[0].at
    (now, _) = windows.reads("/")
    assert unseen(views(windows.players[0], now.text, at), at) == []
    assert windows.taps(3) and windows.looks_beforehand(Random(0), 1), "there is something to tap and to look at"


def test_a_page_that_is_asked_for_as_somebody_else_is_found(monkeypatch: pytest.MonkeyPatch, service: Service) -> None:
    twins = Twins(service, SECRETS[0])
    assert service.app is not None
    keys: Keys = service.app.state.ledger.keys
    windows = Windows(twins, SECRETS[0].attackers[0])

    def of_the_game_master(campaign: str, seat: str, cookie: str, token: str) -> Session:
        return Session(campaign, seat, cookie, keys.make_token(campaign, "s1", 1))

    with monkeypatch.context() as patched:
        patched.setattr(sessions, "Session", of_the_game_master)
        assert windows.players[0].id != "s1"
        assert any(finds(windows))


def hunted(windows: Windows) -> None:
    """A short attack: the first view, what is live, what is seen from outside, forms, a tap, what no button offers."""
    windows.reads("/")
    windows.hears()
    windows.reads_outside()
    windows.looks_beforehand(Random(1), 4)
    for do in (*windows.twins.secret.tries[:3], {"kind": "hit", "char": "2", "target": "99"}):
        windows.taps_anything(do)
    windows.taps(2)


@pytest.mark.nightly
@pytest.mark.parametrize("leak", sampled(LEAKS, 2), ids=lambda leak: leak.__name__)
def test_a_leak_of_the_page_is_found(monkeypatch: pytest.MonkeyPatch, service: Service, leak: Leak) -> None:
    same_dice(monkeypatch)
    twins = Twins(service, WHERE.get(leak, SECRETS[0]), ruled=counted(monkeypatch))
    if leak is faults.a_question:
        twins.leave_waiting()
    leak(Leaking(monkeypatch, twins))
    with pytest.raises(Told) as found:
        hunted(Windows(twins, twins.attackers[0]))
    print(f"{leak.__name__}: {found.value}")
