"""What is published of a number's bounds is what is refused."""

from __future__ import annotations

import pytest

from ledger.rules.kernel.domains import Between, load_marked_hints, split_marks
from ledger.rules.mongrel.deeds import RollTask
from ledger.rules.mongrel.recovery import Rest
from ledger.rules.mongrel.sessions import AwardSession
from tests.rules.mongrel.game import Game


@pytest.mark.parametrize(
    ("cls", "field", "least", "most", "code", "make"),
    [
        (AwardSession, "points", 1, 2, "award-range", lambda game, n: AwardSession(n)),
        (Rest, "required", 1, 6, "rest-range", lambda game, n: Rest(game.ahvia, 6, n)),
        (
            RollTask,
            "difficulty",
            0,
            4,
            "modifier-range",
            lambda game, n: RollTask(game.ahvia, "lie", "own", "social", difficulty=n),
        ),
    ],
)
def test_bounds(cls, field, least, most, code, make):
    (published,) = [mark for mark in split_marks(load_marked_hints(cls)[field])[1] if isinstance(mark, Between)]
    assert (published.least, published.most) == (least, most)
    game = Game()
    game.session((game.ahvia, ("lie",)))
    assert [game.outcome(make(game, n)) == code for n in (least - 1, least, most, most + 1)] == [
        True,
        False,
        False,
        True,
    ]
