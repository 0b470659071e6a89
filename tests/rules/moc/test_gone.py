"""Characters who are gone cannot act, but their earlier rolls count (headings "Fate", "Opposed Actions", "Combat")."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ledger.rules.moc import RULESET
from ledger.rules.moc.actions import DeclareAction
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.characters import SetStatus
from ledger.rules.moc.damage import ApplyHarm, RollDamage
from ledger.rules.moc.draft import acts, get_actor_finder, nobody_acts
from ledger.rules.moc.hands import DrawHand
from ledger.rules.moc.hits import ScoreHit, SetLocation
from ledger.rules.moc.recovery import GrantRecovery, LoseAction
from ledger.rules.moc.resisting import ResistDamage
from ledger.rules.moc.resolving import Resolve
from ledger.rules.moc.rolling import DeclareSuccesses, TakeOffSuccesses
from ledger.rules.moc.trading import ForceVortex
from tests.rules.moc.book import answers
from tests.rules.moc.game import Game, buys, the
from tests.rules.moc.test_moves import offers


@pytest.fixture
def game() -> Game:
    game = Game()
    game.place = game.scene_begins(game.hero, game.enigma, game.villain)
    return game


def shot(game: Game) -> str:
    """Roll Harry's attack."""
    id = game.acts(game.hero, roll_kind="to_hit")
    game.rolls(id, *[8] * game.balance(f"character:{game.hero}/token:body"))
    return id


def attack(game: Game) -> str:
    """Roll Harry's attack, with successes declared on Santana only."""
    id = shot(game)
    game.does(DeclareSuccesses(id, game.villain, 2))
    return id


def hit(game: Game, **more: Any) -> str:
    return game.new(ScoreHit(game.hero, game.villain, net=2, damage=2, lethality=3, **more))


def wounded(game: Game) -> str:
    id = hit(game, location="torso")
    game.does(RollDamage(id, faces=(6, 6), raise_faces=(1,)))
    return id


def lost(game: Game) -> LoseAction:
    game.sets(game.hero, "dazed", True)
    return LoseAction(game.hero)


LATER: dict[str, tuple[str, Callable[[Game], Any]]] = {
    "scoring": ("hero", lambda game: ScoreHit(game.hero, game.villain, "Club", action=attack(game))),
    "scoring by its net": ("hero", lambda game: ScoreHit(game.hero, game.villain, "Club", 2)),
    "declaring successes": ("hero", lambda game: DeclareSuccesses(attack(game), game.villain, 1)),
    "taking off": ("villain", lambda game: TakeOffSuccesses(attack(game), game.villain, 0)),
    "resisting": ("villain", lambda game: ResistDamage(wounded(game))),
    "losing an action": ("hero", lost),
}


@pytest.mark.parametrize("status", ["dead", "sacrificed", "retired"])
@pytest.mark.parametrize("what", LATER)
def test_who_is_gone_does_nothing_more(game: Game, what: str, status: str) -> None:
    name, ready = LATER[what]
    do = ready(game)
    left = getattr(game, name)
    game.sets(left, "status", status)
    assert game.refuses(do) == "character-gone"
    game.sets(left, "status", "active")
    assert answers(game, do, *(((2,) * 3,) if what == "resisting" else ())) == ""


def test_what_was_thrown_before_counts(game: Game) -> None:
    id, before = attack(game), hit(game)
    game.does(SetStatus(game.hero, "dead"))
    assert the(game.does(Resolve(id)), "ActionResolved").net == 2
    game.does(SetLocation(before, "torso"))
    game.does(RollDamage(before, faces=(6, 6), raise_faces=(1,)))


@pytest.mark.parametrize("status", ["dead", "sacrificed", "retired"])
def test_who_is_gone_is_offered_as_no_target_and_for_no_recovery(game: Game, status: str) -> None:
    tried: list[Any] = [
        DeclareSuccesses(shot(game), game.villain, 1),
        DeclareAction(game.hero, skill="Firearms", roll_kind="to_hit", defender=game.villain),
        GrantRecovery(game.villain),
    ]
    assert all(offers(game, "gm", do) for do in tried)
    game.sets(game.villain, "status", status)
    for do in tried:
        assert not offers(game, "gm", do), do


def test_no_successes_on_oneself_are_offered(game: Game) -> None:
    do = DeclareSuccesses(shot(game), game.hero, 1)
    assert not offers(game, "ann", do) and not offers(game, "gm", do)


def test_who_is_gone_answers_no_vortex(game: Game) -> None:
    game.session_begins()
    game.does(DrawHand(game.hero, ("8C", "9C")))
    game.gives(game.enigma, "point", 1200)
    game.does(Buy(game.enigma, buys("vortex")))
    game.does(SetStatus(game.hero, "dead"))
    assert game.refuses(ForceVortex(game.enigma, game.hero)) == "character-gone"


def test_every_input_says_whether_somebody_acts() -> None:
    class Unmarked:
        pass

    with pytest.raises(AttributeError):
        get_actor_finder(Unmarked)
    with pytest.raises(AttributeError):
        get_actor_finder(type("Derived", (acts("character")(type("Base", (), {})),), {}))
    assert get_actor_finder(nobody_acts(type("Table", (), {}))) is None
    acting = {kind for kind in RULESET.inputs if get_actor_finder(kind) is not None}
    assert {ScoreHit, DeclareSuccesses, TakeOffSuccesses, ResistDamage} < acting
    assert ApplyHarm not in acting and Resolve not in acting
