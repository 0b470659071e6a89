"""Moves where something was overturned: what later rulings rest on is not there any more, and they still stand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from ledger.rules import systems
from ledger.rules.kernel import commands
from ledger.rules.kernel.offers import list_awaited_now, list_offers
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.world import Past
from tests.laws.test_play import SEEDS
from tests.levels import examples, sampled
from tests.rules.anything import PEOPLE, Anything, play
from tests.rules.moves import Found, check_sound, viewers
from tests.rules.world import World

seldom = settings(
    max_examples=examples(1, 2, 12), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
MAKERS = (commands.Enrol, commands.OpenScene, commands.OpenSession)
STRUCK = 2  # rulings of a campaign, of those that made a subject and of the others
LOOKS = 1  # after each, and at the end
#: What no move can know: an account that the overturning itself left below nothing, which is a finding.
SHORT = ": overdrawn"


@pytest.mark.parametrize("name", sampled(sorted(systems()), 3, 2, salt="overturned"))
@seldom
@given(seed=SEEDS)
def test_whatever_was_overturned_everybody_sees_and_is_offered_what_there_is(name: str, seed: int) -> None:
    found = looked_at_without(play(name, seed, 40), Random(seed))
    assert not [one for one in found.unsound if not one.endswith(SHORT)], found.examples


def test_a_game_without_moves_passes() -> None:
    """Its inputs are offered as wide as their types, so the rules may refuse what is filled in."""
    game = World(replace(systems()["toy"], moves=None), {}, PEOPLE)
    found = looked_at_without(Anything("toy", Random(1), game).play(40), Random(1))
    assert not found.unsound, found.examples


def looked_at_without(game: World, rng: Random) -> Found:
    found = Found()
    for past, number in overturned(game, rng):
        offers = {}
        for by in viewers(past):
            seen = Seen(past.ruleset, past, by)
            offers[by.seat] = list_offers(past.ruleset, seen)
            assert list_awaited_now(past.ruleset, seen)
            for subject in past.folded:
                seen.view(subject)
        if past.ruleset.moves is not None:  # without, an offer is as wide as its type and promises nothing
            check_sound(past, number, rng, found, offers)
    return found


def overturned(game: World, rng: Random) -> Iterator[tuple[Past, int]]:
    """The campaign with one ruling struck, at a few places after it, and the number of the ruling that comes next."""
    made = [one.number for one in game.history if isinstance(one.declared, MAKERS)]
    others = [one.number for one in game.history if one.number not in made]
    for struck in (*rng.sample(made, min(STRUCK, len(made))), *rng.sample(others, min(STRUCK, len(others)))):
        past = Past(game.ruleset, {struck: None})
        past.tell(game.opening)
        later = [one.number for one in game.history if one.number >= struck]
        looks = {game.number - 1, *rng.sample(later, min(LOOKS, len(later)))}
        for ruling in game.history:
            past.tell(ruling.facts)
            if ruling.number in looks:
                yield past, ruling.number + 1
