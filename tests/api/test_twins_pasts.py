"""The law of twins in other pasts: what is hidden did nothing there that nobody saw it do, as far as is told."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from tests.api.table import Service
from tests.api.twins.attacks import Found, Twins
from tests.api.twins.games import Secret, overturned, put_back, system_of, where_all_decide
from tests.api.twins.pasts import INJURIES, PASTS
from tests.api.twins.places import NOW
from tests.levels import sampled

FIRST = 7  # ruling, after what both tables begin with
pytestmark = pytest.mark.slow
each = pytest.mark.parametrize("secret", sampled(PASTS, 1, group=system_of), ids=str)


def paths(twins: Twins) -> Iterator[str]:
    """What a past can be asked by: struck, as it was known, what would be, and why."""
    numbers = range(FIRST, twins.rulings + 1)
    yield from (*NOW, "/sessions/3/replay", "/sessions/5/replay", "/rulings?kind=rule-injury", "/rulings?character=1")
    for subject in twins.places.subjects:
        yield from (subject, f"{subject}/history?limit=500", f"{subject}/why/state/status/level")
        yield from (f"{subject}?at={twins.rulings}&as={clock}" for clock in ("recorded", "corrected"))
    yield from (f"/accounts/character:2/status:{which}" for which in ("lost", "regained"))
    yield from (f"/rulings/{number}?leaning=true" for number in numbers)
    yield from (f"/what-if?dial={dial}" for dial in twins.secret.dials if ":" in dial and "visible" not in dial)
    yield from (f"/what-if?without={number}&stands=true" for number in range(1, twins.rulings + 1))
    yield from (f"/what-if?without={one},{other}" for one, other in combinations(numbers, 2))


@each
def test_no_other_past_tells_what_is_hidden(service: Service, secret: Secret) -> None:
    twins = Twins(service, secret)
    for path, body in secret.decides:
        twins.master(path, body)
    for path in paths(twins):
        assert not twins.look(path), str(twins.difference)


@each
def test_who_may_know_sees_other_pasts_differ(service: Service, secret: Secret) -> None:
    twins = Twins(service, secret, (secret.owner,))
    assert any(twins.look(path) for path in paths(twins))


@pytest.mark.parametrize("secret", sampled(INJURIES, 1), ids=str)
def test_who_decides_does_not_try_what_he_may_not_know(service: Service, secret: Secret) -> None:
    """Cleo overturns each ruling, looks, and puts it back; what would tell her is a game master's to decide."""
    twins = Twins(service, where_all_decide(secret))
    refused = []
    for number in range(FIRST, twins.rulings + 1):
        for path, body in (overturned(number, preview=True), overturned(number), put_back(number)):
            try:
                answer = twins.send(0, "POST", path, body)
            except Found:
                pytest.fail(str(twins.difference))
            if answer.status_code == 403:
                refused.append((number, answer.json()["code"]))
            assert not any(map(twins.look, ("/characters/2", "/timeline?limit=500", "/seal"))), str(twins.difference)
    assert {code for _, code in refused} == {"rests-on-hidden"}
    assert FIRST not in dict(refused), "what changes no Status is decided as ever"
