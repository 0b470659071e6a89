"""What is kept twice agrees: states with accounts, and states with each other.

Where something was overturned and later rulings keep what they recorded, two places can differ. Then a ruling that told
of them must come out differently now, so that a finding says so; ruled again, all agree.
What a table sets by hand (Amend, Adjust) is left out: it may set one of the two places, and the audit reports that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from hypothesis import given

from ledger.rules.kernel.commands import Adjust, Amend
from ledger.rules.kernel.comparison import Comparison, Other, compare
from ledger.rules.kernel.kept_twice import Disagreement, list_disagreements
from ledger.rules.kernel.subjects import Subject
from ledger.rules.kernel.world import Past
from tests.laws.test_play import SEEDS, every_system, quickly, slowly
from tests.rules.anything import play
from tests.rules.world import World


@every_system
@quickly
@given(seed=SEEDS)
def test_what_is_kept_twice_agrees_after_every_ruling(name: str, seed: int) -> None:
    game = play(name, seed, 60)
    past = Past(game.ruleset, by_hand(game))
    past.tell(game.opening)
    for ruling in game.history:
        past.tell(ruling.facts)
        assert not differing(past)


@every_system
@slowly
@given(seed=SEEDS)
def test_what_differs_after_overturning_is_told_by_a_ruling_in_question(name: str, seed: int) -> None:
    game = play(name, seed, 60)
    for compared in overturned(game, Random(seed), rerule=False):
        asked = in_question(game, compared)
        assert not [one for one in differing(compared.then) if one.subject not in asked]


@every_system
@slowly
@given(seed=SEEDS)
def test_nothing_differs_after_overturning_where_all_is_ruled_again(name: str, seed: int) -> None:
    """Except by rulings that need dice: they keep what they recorded."""
    game = play(name, seed, 60)
    for compared in overturned(game, Random(seed), rerule=True):
        asked = in_question(game, compared)
        assert not [one for one in differing(compared.then) if one.subject not in asked]


def by_hand(game: World) -> dict[int, int | None]:
    return {one.number: None for one in game.history if isinstance(one.declared, Adjust | Amend)}


def overturned(game: World, rng: Random, *, rerule: bool) -> Iterator[Comparison]:
    """The campaign with some of its rulings overturned."""
    now = by_hand(game)
    numbers = [one.number for one in game.history]
    for share in (1, 1, 1, 2, 3, len(numbers) // 4):
        struck: Mapping[int, int | None] = dict.fromkeys(rng.sample(numbers, min(share, len(numbers))))
        other = Other({**now, **struck}, rerule=rerule, counts=True)
        yield compare(game.beginning(), game.history, now, other)


def differing(past: Past) -> list[Disagreement]:
    return list(list_disagreements(past.ruleset, past.find, past.folded))


def in_question(game: World, compared: Comparison) -> set[Subject]:
    """Whom the rulings told of that come out differently than recorded, and whose facts are adrift."""
    numbers = {row.number for row in compared.rows if row.standpoint != "stands" and not row.as_recorded}
    told = {subject for ruling in game.history if ruling.number in numbers for subject, _ in ruling.facts}
    return told | {subject for subject, folded in compared.then.folded.items() if folded.adrift}
