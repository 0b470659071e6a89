"""An attack hits once, with its own net; only the game master scores a hit without an attack."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ledger.rules.moc.actions import DeclareAction
from ledger.rules.moc.hits import ScoreHit
from ledger.rules.moc.rolling import DeclareSuccesses, TakeOffSuccesses
from tests.rules.moc.game import Game
from tests.rules.moc.test_moves import offers

CLUB: Any = {"damage": 2, "lethality": 3}


@pytest.fixture
def game() -> Game:
    game = Game()
    game.place = game.scene_begins(game.hero, game.enigma, game.villain)
    return game


def attack(game: Game) -> str:
    """Roll Harry's attack, with a net of 2 on Santana and of 1 on Rissh."""
    id = game.acts(game.hero, roll_kind="to_hit")
    dice = game.balance(f"character:{game.hero}/token:body")
    game.rolls(id, *[8] * 3, *[2] * (dice - 3))
    game.does(DeclareSuccesses(id, game.villain, 2))
    game.does(DeclareSuccesses(id, game.enigma, 1))
    return id


def test_an_attack_hits_each_target_once(game: Game) -> None:
    id = attack(game)
    hit = ScoreHit(game.hero, game.villain, action=id, **CLUB)
    scored = game.number
    game.does(hit, by="ann")
    for by in ("ann", "gm"):
        assert game.refuses(hit, by=by) == "already-scored"
        assert game.refuses(replace(hit, net=1), by="gm") == "already-scored"
    game.does(replace(hit, target=game.enigma), by="ann")
    game.past = game.without(scored).then
    game.does(hit, by="ann")


def test_an_attack_hits_only_whom_it_was_declared_on(game: Game) -> None:
    id = game.acts(game.hero, roll_kind="to_hit")
    dice = game.balance(f"character:{game.hero}/token:body")
    game.rolls(id, *[8] * dice)
    game.does(DeclareSuccesses(id, game.villain, 2))
    hit = ScoreHit(game.hero, game.enigma, action=id, **CLUB)
    assert game.refuses(hit, by="ann") == "not-a-hit"
    assert game.refuses(replace(hit, net=3)) == "nothing-declared"
    game.does(DeclareSuccesses(id, game.enigma, 1))
    game.does(replace(hit, net=3))


def test_an_attack_that_was_declared_on_nobody_hits_one_target(game: Game) -> None:
    id = game.acts(game.hero, roll_kind="to_hit")
    dice = game.balance(f"character:{game.hero}/token:body")
    game.rolls(id, *[8] * dice)
    game.does(ScoreHit(game.hero, game.villain, action=id, **CLUB), by="ann")
    other = ScoreHit(game.hero, game.enigma, action=id, **CLUB)
    assert game.refuses(other, by="ann") == game.refuses(other) == "already-scored"
    assert game.refuses(replace(other, net=2)) == "already-scored"
    game.does(DeclareSuccesses(id, game.enigma, 1))
    assert game.refuses(other) == "already-scored"


@pytest.mark.parametrize("kind", ["skill", "dodge", "opposed", "movement"])
def test_only_an_attack_hits(game: Game, kind: str) -> None:
    id = game.acts(game.hero, roll_kind=kind)
    game.rolls(id, *[8] * game.balance(f"character:{game.hero}/token:body"))
    hit = ScoreHit(game.hero, game.villain, action=id, **CLUB)
    for by in ("ann", "gm"):
        assert game.refuses(hit, by=by) == game.refuses(replace(hit, net=1), by=by) == "not-an-attack"


@pytest.mark.parametrize("kind", ["skill", "to_hit"])
def test_nobody_acts_against_somebody_unknown(game: Game, kind: Any) -> None:
    do = DeclareAction(game.hero, "swings", skill="Brawling", roll_kind=kind, defender="nobody")
    assert game.refuses(do) == "unknown-character"


def test_a_hit_stands_only_with_its_attack(game: Game) -> None:
    id = attack(game)
    scored = game.number
    game.does(ScoreHit(game.hero, game.villain, action=id, **CLUB), by="ann")
    assert not {row.number: row.as_recorded for row in game.without(int(id)).rows}[scored]
    assert not {row.number: row.as_recorded for row in game.without(int(id) + 1).rows}[scored]


def test_a_hit_is_offered_only_after_the_defence(game: Game) -> None:
    id = game.acts(game.hero, roll_kind="to_hit")
    game.rolls(id, *[8] * game.balance(f"character:{game.hero}/token:body"))
    dodge = game.acts(game.villain, roll_kind="dodge")
    game.rolls(dodge, *[8] * game.balance(f"character:{game.villain}/token:body"))
    game.does(DeclareSuccesses(id, game.villain, 2))
    hit = ScoreHit(game.hero, game.villain, action=id, **CLUB)
    assert not offers(game, "ann", hit) and not offers(game, "gm", hit)
    assert offers(game, "gm", replace(hit, net=1)), "the game master decides"
    game.does(TakeOffSuccesses(id, game.villain, 1, defence=dodge))
    assert offers(game, "ann", hit) and offers(game, "gm", hit)


def test_no_defence_of_somebody_who_is_gone_delays_the_offer_of_a_hit(game: Game) -> None:
    id = game.acts(game.hero, roll_kind="to_hit")
    game.rolls(id, *[8] * game.balance(f"character:{game.hero}/token:body"))
    game.does(DeclareSuccesses(id, game.villain, 1))
    game.sets(game.villain, "status", "dead")
    assert offers(game, "ann", ScoreHit(game.hero, game.villain, action=id, **CLUB))


def test_the_net_is_what_was_declared_unless_a_game_master_says(game: Game) -> None:
    hit = ScoreHit(game.hero, game.villain, action=attack(game), **CLUB)
    assert game.refuses(replace(hit, net=4), by="ann") == "gm-approval-needed"
    game.does(replace(hit, net=2), by="ann")
    other = ScoreHit(game.hero, game.enigma, action=hit.action, net=4, **CLUB)
    game.does(other)


def test_no_player_scores_without_an_attack(game: Game) -> None:
    hit = ScoreHit(game.hero, game.villain, net=2, **CLUB)
    assert game.refuses(hit, by="ann") == "gm-approval-needed"
    not_thrown = game.acts(game.hero, roll_kind="to_hit")
    assert game.refuses(replace(hit, action=not_thrown), by="ann") == "gm-approval-needed"
    game.does(hit)
