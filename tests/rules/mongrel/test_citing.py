"""What a hit cites: a task that stands, its Effect, on its target, once. Third reading, T3."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.comparison import compare
from ledger.rules.kernel.moves import settled, whole
from ledger.rules.kernel.offers import offered
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import seat
from ledger.rules.kernel.table import viewer_of
from ledger.rules.mongrel.facts import TaskResolved
from ledger.rules.mongrel.inputs import RollTask, TakeHit
from ledger.rules.mongrel.inputs_of_dealings import Reveal
from tests.rules.mongrel.game import Game, the

EXPERT: dict[str, Any] = {"expertise": "rend", "side": "target", "attribute": "physique"}


def task(game: Game, target: str | None = None) -> tuple[str, int]:
    """A task of Vooruk's that succeeds: its number, and its Effect."""
    do = RollTask(game.vooruk, target=target or game.ahvia, faces=(1, 2, 3, 6), **EXPERT)
    effect = the(game.plays(do), TaskResolved).effect
    assert effect
    return str(len(game.history)), effect


@pytest.fixture
def game() -> Game:
    return Game()


@pytest.mark.parametrize("kind", ["physical", "spiritual"])
def test_a_hit_takes_the_effect_of_its_task_once(game: Game, kind: str) -> None:
    number, effect = task(game)
    game.plays(TakeHit(game.ahvia, effect, kind, ruling=number))
    for by_hand in ("", "so I rule"):
        again = TakeHit(game.ahvia, effect, kind, ruling=number, reason=by_hand)
        assert game.refuses(again) == "cited-already"


@pytest.mark.parametrize("number", ["999", "0", "-1", "1", "01", "nonsense", ""])
def test_what_it_names_is_a_task(game: Game, number: str) -> None:
    """Not a ruling that never was, nor an enrolment."""
    task(game)
    assert game.refuses(TakeHit(game.ahvia, 3, shunt=0, ruling=number)) == "no-such-ruling"


def test_another_number_needs_a_reason(game: Game) -> None:
    number, effect = task(game)
    assert game.refuses(TakeHit(game.ahvia, effect + 1, shunt=0, ruling=number)) == "effect-differs"
    assert game.refuses(TakeHit(game.ahvia, effect + 1, shunt=0, ruling=number, reason=" ")) == "effect-differs"
    game.hit(game.ahvia, effect + 1, ruling=number, reason="it was in the back")


def test_another_target_needs_a_reason(game: Game) -> None:
    number, effect = task(game)
    assert game.refuses(TakeHit(game.giazza, effect, shunt=0, ruling=number)) == "character-differs"
    game.hit(game.giazza, effect, ruling=number, reason="she stepped between them")


def test_where_the_task_is_overturned_the_hit_loses_its_support(game: Game) -> None:
    number, effect = task(game)
    game.hit(game.ahvia, effect, ruling=number)
    compared = compare(game.beginning(), game.history, {}, {int(number): None})
    row = next(one for one in compared.rows if one.number == int(number) + 1)
    assert row.standpoint == "loses support"
    assert isinstance(row.then, Refused)
    assert row.then.code == "no-such-ruling"


def test_where_the_first_hit_is_overturned_the_task_is_free_again(game: Game) -> None:
    number, effect = task(game)
    game.hit(game.ahvia, effect, ruling=number)
    game.past = game.beginning().branch({len(game.history): None})
    for ruling in game.history:
        game.past.tell(ruling.facts)
    game.hit(game.ahvia, effect, ruling=number)


def test_what_a_task_revealed_names_a_task(game: Game) -> None:
    number, _ = task(game)
    game.does(Reveal(game.vooruk, "There is a door.", number))
    assert game.refuses(Reveal(game.vooruk, "There is a door.", "1")) == "no-such-ruling"


def test_the_latest_tasks_are_offered_to_be_cited_once(game: Game) -> None:
    number, effect = task(game)
    assert (number, effect) in offered_tasks(game)
    game.hit(game.ahvia, effect, ruling=number)
    assert (number, effect) not in offered_tasks(game)


def offered_tasks(game: Game) -> list[tuple[Any, ...]]:
    viewer = viewer_of(game.past, seat("gm"))
    assert viewer is not None
    moves = (one.move for one in offered(game.ruleset, Seen(game.ruleset, game.past, viewer)))
    hits = [whole(one.do, one.fields) for one in moves if one.do is TakeHit]
    return [(*settled(one["ruling"]), *settled(one["effect"])) for one in hits if settled(one["effect"])]
