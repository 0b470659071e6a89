"""Steps that follow automatically: each could be declared, nothing hidden decides about them, and they come to an end.

A game that names none is held to the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from ledger.rules.kernel import commands
from ledger.rules.kernel.declarations import find_kind
from ledger.rules.kernel.facts import SeatHolds
from ledger.rules.kernel.moves import Among, Move, allows
from ledger.rules.kernel.offers import find_step, list_offers
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import Viewer, character
from ledger.rules.kernel.world import Past
from tests.laws.test_moves import WITH_MOVES, faulty, twin, with_hidden
from tests.laws.test_play import SEEDS, every_system
from tests.levels import examples
from tests.rules.anything import play
from tests.rules.moves import refusal, steps, viewers
from tests.rules.world import Told, World

seldom = settings(max_examples=examples(2, 4, 30), deadline=None, suppress_health_check=list(HealthCheck))
with_moves = pytest.mark.parametrize("name", WITH_MOVES)


def list_steps(game: World, rng: Random) -> Iterator[tuple[Past, int, Any, Viewer]]:
    """Yield each step that follows on the way: the past, the number it would get, the step and its declarer."""
    for past, ruling in steps(game):
        for declarer in viewers(past):
            if declarer.role != "observer" and rng.random() < 0.5:
                step = find_step(past.ruleset, past, declarer)
                if step is not None:
                    yield past, ruling.number, step, next(one for one in viewers(past) if one.seat == step.seat)


def check_steps(game: World, rng: Random) -> Counter[str]:
    """Return how often each kind follows. AssertionError for a step that its seat could not declare itself."""
    followed = Counter[str]()
    for past, number, step, declarer in list_steps(game, rng):
        followed[find_kind(type(step.do))] += 1
        offers = list_offers(past.ruleset, Seen(past.ruleset, past, declarer))
        assert any(allows(offer.move, step.do) for offer in offers), f"not offered: {step}"
        assert refusal(past, number, step.do, declarer, step.scene, rng) is None, f"refused: {step}"
    return followed


def check_nothing_hidden_decides(game: World, rng: Random) -> None:
    for viewer in viewers(game.past):
        if viewer.role != "observer":
            other = twin(game, Viewer("", "observer"), rng)
            both = [game.past.branch(game.past.revisions) for _ in range(2)]
            for past, amount in zip(both, (1, 90), strict=True):
                with_hidden(past, game.number, [one for one in past.folded if one.kind == "character"], amount)
            for one, its_twin in ((game.past, other), both):
                now, then = (find_step(past.ruleset, past, viewer) for past in (one, its_twin))
                assert now == then, "told apart"


@every_system
@seldom
@given(seed=SEEDS)
def test_what_follows_could_be_declared(name: str, seed: int) -> None:
    check_steps(play(name, seed, 60), Random(seed))


@every_system
@seldom
@given(seed=SEEDS)
def test_nothing_hidden_decides_what_follows(name: str, seed: int) -> None:
    check_nothing_hidden_decides(play(name, seed, 50), Random(seed))


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("intensity", {"close-round"}),
        ("mnemonic", {"enter-roll"}),
        (
            "scattershot",
            {"close-opportunity", "roll-mib", "close-decision", "reach-outcome", "close-application"},
        ),
    ],
)
def test_every_forced_step_follows(name: str, kinds: set[str]) -> None:
    followed = Counter[str]()
    for seed in range(60):
        followed += check_steps(play(name, seed, 100), Random(seed))
        if set(followed) == kinds:
            return
    raise AssertionError(followed)


@pytest.mark.parametrize("name", ["intensity", "mnemonic", "scattershot"])
def test_a_seat_that_holds_stops_every_step(name: str) -> None:
    for seed in range(60):
        for past, number, step, declarer in list_steps(play(name, seed, 100), Random(seed)):
            for seat in past.seats():
                held = past.branch(past.revisions)
                held.tell([(seat, Told(number, 0, SeatHolds(True)))])
                assert find_step(held.ruleset, held, declarer) is None
                held.tell([(seat, Told(number, 1, SeatHolds(False)))])
                assert find_step(held.ruleset, held, declarer) == find_step(past.ruleset, past, declarer)
            assert step is not None
            return
    raise AssertionError("no step followed")


# --- planted faults ---


def refused_step(seen: Seen, moves: Iterator[Move]) -> Iterator[Move]:
    """Names a step that the rules refuse."""
    yield from moves
    for scene in seen.scenes[:1]:
        yield Move(commands.CloseScene, {"scene": Among((scene,))}, follows=commands.CloseScene("nowhere"))


def telling_step(seen: Seen, moves: Iterator[Move]) -> Iterator[Move]:
    """Looks behind the curtain: the step says how much the accounts of the table hold."""
    purses = (found.purse for one in seen.roster if (found := seen._subjects.find(character(one))) is not None)
    held = str(sum(sum(purse.values()) for purse in purses))
    yield Move(commands.OpenSession, {"title": Among((held,))}, follows=commands.OpenSession(held))
    yield from moves


@with_moves
def test_a_step_that_the_rules_refuse_is_found(name: str) -> None:
    with pytest.raises(AssertionError, match="not offered"):
        for seed in range(8):
            check_steps(faulty(name, seed, refused_step), Random(seed))


@with_moves
def test_a_step_that_something_hidden_decides_is_found(name: str) -> None:
    with pytest.raises(AssertionError, match="told apart"):
        for seed in range(8):
            check_nothing_hidden_decides(faulty(name, seed, telling_step), Random(seed))
