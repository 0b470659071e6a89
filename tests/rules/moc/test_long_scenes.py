"""Scenes with more actions than one shelf holds behave like others."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.rules.kernel.commands import CloseScene
from ledger.rules.kernel.subjects import Subject, Viewer
from ledger.rules.moc import RULESET
from ledger.rules.moc.actions import ActionDeclared
from ledger.rules.moc.beads_used import BeadsPlayed
from ledger.rules.moc.piles import SHELF
from ledger.rules.moc.rolling import DeclareSuccesses, DiceRolled, RollDice, TakeOffSuccesses
from ledger.rules.moc.state import Action, Part, Play, Roll, Scene, find_action, list_actions
from tests.rules.moc.game import Game, the

ROLL = Roll("a leap", "skill", "action", "body", 7, 1)


def told(scene: Scene, *done: object) -> Scene:
    for one in done:
        scene = RULESET.apply(scene, one)
    return scene


def declared(id: str) -> ActionDeclared:
    return ActionDeclared(id, Action(id, "1", "a leap", False, 0, (Part(ROLL),)))


def long_game() -> tuple[Game, list[str]]:
    """Return a game whose first actions fill a shelf."""
    game = Game()
    game.place = game.scene_begins(game.hero, game.enigma)
    return game, [game.acts(game.hero, roll_kind="opposed") for _ in range(SHELF + 3)]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), count=st.integers(1, 3 * SHELF))
def test_a_scene_keeps_its_actions_as_one_mapping_would(seed, count):
    rng, scene, known = Random(seed), Scene(), {}
    for number in range(count):
        id = str(number)
        scene = told(scene, declared(id))
        known[id] = 0
        for other in rng.sample(list(known), min(2, len(known))):
            play = Play(f"{other}-{known[other]}", "1", "beads", "other", 0, 1, "plot")
            scene = told(scene, BeadsPlayed(other, play.id, play))
            known[other] += 1
    assert [one.id for one in list_actions(scene)] == list(known)
    for id, plays in known.items():
        found = find_action(scene, id)
        assert found is not None and len(found.plays) == plays
    assert find_action(scene, "none") is None and scene.adrift == ()
    assert len(scene.actions) <= SHELF and all(len(shelf) == SHELF for shelf in scene.older)
    seen = RULESET.view(Subject("scene", "1"), scene, Viewer("gm", "gm"))["actions"]
    assert [one["id"] for one in seen] == list(known)


def test_what_has_no_action_goes_adrift_from_a_long_scene_too():
    scene = told(Scene(), *(declared(str(number)) for number in range(SHELF + 1)))
    lost = DiceRolled("none", 0, (7,), ())
    assert told(scene, lost).adrift == (lost,)


def test_an_early_action_is_rolled_declared_and_resolved():
    game, acts = long_game()
    assert game.scene(game.place).older and acts[0] not in game.scene(game.place).actions
    game.rolls(acts[0], 7, 8, 9, 1, 1)
    defence = game.acts(game.enigma, roll_kind="dodge", primary="body")
    game.rolls(defence, 7, 1)
    game.does(DeclareSuccesses(acts[0], game.enigma, 3))
    done = game.does(TakeOffSuccesses(acts[0], game.enigma, 1, 0, defence))
    assert the(done, "SuccessesTakenOff").net == 2
    spent = find_action(game.scene(game.place), defence)
    assert spent is not None and spent.parts[0].spent == 1
    assert game.level(acts[0]) == "marginal"
    again = RollDice(acts[0], 0, (7, 7, 7, 7, 7))
    assert game.refuses(again, by="ann") == "action-closed" and game.refuses(again, by="bob") == "action-closed"


def test_the_defence_last_declared_holds_wherever_it_is_kept():
    game, acts = long_game()
    game.rolls(acts[-1], 7, 8, 9, 1, 1)
    game.does(DeclareSuccesses(acts[-1], game.hero, 1))
    assert game.refuses(TakeOffSuccesses(acts[-1], game.hero, 1, 0, acts[0])) == "defence-over"


def test_a_long_scene_ends_and_an_early_ruling_is_overturned():
    game, acts = long_game()
    game.does(CloseScene(game.place))
    left = game.without(int(acts[1])).then
    folded = next(left.find(subject) for subject in left.folded if subject.kind == "scene")
    assert folded is not None
    assert [one.id for one in list_actions(folded.state)] == [id for id in acts if id != acts[1]]
