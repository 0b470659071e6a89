"""Conditions that rules and offers share, or that only offers have: each was removed, and no other test failed."""

from __future__ import annotations

import pytest

from ledger.rules.scattershot.advantage import SeizeAdvantage
from ledger.rules.scattershot.all_out import GoAllOut
from ledger.rules.scattershot.engaging import AnswerEngagement, Oppose
from ledger.rules.scattershot.mechanical_play import StartTurn
from tests.rules.scattershot.game import Game, tried
from tests.rules.scattershot.offering import may


@pytest.mark.parametrize(
    ("nature", "who", "mode", "foe", "expected"),
    [
        ("attack", "bob", "attack", None, "done"),
        ("attack", "ann", "attack", None, "not-the-act"),
        ("other", "bob", "attack", None, "not-the-act"),
        ("movement", "bob", "defense", None, "done"),
        ("attack", "bob", "defense", None, "not-the-act"),
        ("attack", "ann", "defense", None, "done"),
        ("attack", "bob", "focusing", "ann", "done"),
        ("attack", "ann", "focusing", "bob", "not-the-act"),
        ("attack", "bob", "focusing", "cid", "not-the-act"),
    ],
)
def test_the_act_of_an_all_out_mode(nature: str, who: str, mode: str, foe: str | None, expected: str) -> None:
    """Bob acts against Ann, who opposes with a defense."""
    game = Game()
    game.fight(game.bob, game.ann, game.cid)
    game.does(StartTurn(game.bob))
    act = game.act(game.bob, engages=(game.ann,), nature=nature)
    game.does(AnswerEngagement(act, game.ann, Oppose("dodges", "agility")))
    ids = {"ann": game.ann, "bob": game.bob, "cid": game.cid, None: None}
    goes = GoAllOut(ids[who] or "", mode, ids[foe], act)  # type: ignore[arg-type]
    assert may(game, goes) == (["gm", who] if expected == "done" else [])
    assert tried(game, goes) == expected


def test_advantage_is_seized_by_an_act_against_that_foe() -> None:
    game = Game()
    game.fight(game.bob, game.ann, game.cid)
    game.does(StartTurn(game.bob))
    act = game.act(game.bob, engages=(game.ann,), nature="attack")
    assert may(game, SeizeAdvantage(game.bob, game.ann, "Reach", act)) == ["gm", "ann", "bob"]
    at_cid = SeizeAdvantage(game.bob, game.cid, "Reach", act)
    assert may(game, at_cid) == [] and game.refuses(at_cid) == "not-the-act"
