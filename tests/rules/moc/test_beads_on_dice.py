"""What Beads can do: "add successes to a completed roll", also for rolls without an action."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.moves import allows
from ledger.rules.moc.damage import ApplyHarm, RollDamage
from ledger.rules.moc.hits import ScoreHit
from ledger.rules.moc.other_dice import PlayBeadsOnDice
from ledger.rules.moc.recovery import Heal
from ledger.rules.moc.resisting import ResistDamage
from ledger.rules.moc.trumps import Trump, TrumpByFiat
from ledger.rules.moc.turns import RollInitiative
from tests.rules.moc.cited import refusal, steps
from tests.rules.moc.game import Game, kinds_of
from tests.rules.moc.test_amendments import table
from tests.rules.moc.test_moves import moves

USE = "moc.bead.use"


def hit_on(game: Game, target: str, *, resisted: bool = True) -> str:
    """Score a hit of two points, none of which was resisted."""
    hit = game.new(ScoreHit(game.villain, target, net=2, damage=2, lethality=6, location="torso"))
    game.does(RollDamage(hit, (6, 6), raise_faces=(1,)))
    if resisted:
        game.does(ResistDamage(hit, (2,) * game.character(target).ratings["body"]))
    return hit


def offered(game: Game, do: Any) -> bool:
    return any(allows(move, do) for move in moves(game, "gm", PlayBeadsOnDice))


def plays(game: Game, do: PlayBeadsOnDice) -> Any:
    assert offered(game, do)
    return game.does(do)


def test_a_bead_turns_a_point_into_pain_after_the_dice_have_fallen() -> None:
    game = table()
    hit = hit_on(game, game.hero)
    before = game.beads(game.hero)["action"]
    done = plays(game, PlayBeadsOnDice(game.hero, "resisting", hit))
    assert kinds_of(done)[:2] == ["BeadsPlayedOnDice", "HarmUndone"]
    who = game.character(game.hero)
    assert (who.damage, who.pain) == (1, 1) and game.beads(game.hero)["action"] == before - 1
    assert steps(done, USE) == [1]


def test_a_bead_adds_a_point_of_damage_until_it_is_resisted() -> None:
    game = table()
    hit = hit_on(game, game.enigma, resisted=False)
    plays(game, PlayBeadsOnDice(game.hero, "damage", hit, number=2))
    assert game.scene(game.place).hits[hit].resistible == 4
    game.does(ResistDamage(hit, (2,) * game.character(game.enigma).ratings["body"]))
    late = PlayBeadsOnDice(game.hero, "damage", hit)
    assert refusal(game, late) == "moc.combat.damage-pool hit-not-ready" and not offered(game, late)


def test_a_bead_moves_somebody_up_in_the_order() -> None:
    game = table()
    game.does(RollInitiative({id: (2,) * n for id, n in pools(game).items()}))
    plays(game, PlayBeadsOnDice(game.hero, "initiative"))
    assert game.scene(game.place).order[0] == (game.hero,)


def pools(game: Game) -> dict[str, int]:
    who = {id: game.character(id) for id in game.scene(game.place).cast}
    return {id: one.ratings["body"] + one.ratings["Sp"] for id, one in who.items()}


def test_a_bead_heals_a_point_where_the_dice_did_not() -> None:
    game = table()
    game.does(ApplyHarm(game.hero, 2))
    game.does(Heal(game.hero, 28, faces=(2,) * game.character(game.hero).ratings["spirit"]))
    assert game.character(game.hero).damage == 2
    done = plays(game, PlayBeadsOnDice(game.hero, "healing"))
    assert kinds_of(done) == ["BeadsPlayedOnDice", "DamageHealed"]
    assert game.character(game.hero).damage == 1


def test_a_storytelling_bead_adds_or_takes_a_success_of_somebody_elses() -> None:
    game = table()
    hit = hit_on(game, game.hero, resisted=False)
    game.gives(game.enigma, "bead:storytelling", 3)
    for fewer, points in ((True, 1), (False, 2)):
        plays(game, PlayBeadsOnDice(game.enigma, "damage", hit, element="storytelling", fewer=fewer))
        assert game.scene(game.place).hits[hit].resistible == points
    two = PlayBeadsOnDice(game.enigma, "damage", hit, number=2, element="storytelling")
    assert refusal(game, two) == f"{USE} one-bead-only" and not offered(game, two)
    own = PlayBeadsOnDice(game.enigma, "initiative", element="storytelling")
    game.does(RollInitiative({id: (2,) * n for id, n in pools(game).items()}))
    assert refusal(game, own) == f"{USE} wrong-element" and not offered(game, own)
    other = PlayBeadsOnDice(game.enigma, "initiative", element="storytelling", whose=game.hero)
    assert refusal(game, other) == "" and offered(game, other)


def test_beads_on_dice_can_be_trumped_and_go_back() -> None:
    game = table(("8C", "2D"))
    hit = hit_on(game, game.hero, resisted=False)
    game.gives(game.enigma, "bead:storytelling", 1)
    game.does(PlayBeadsOnDice(game.enigma, "damage", hit, element="storytelling", fewer=True))
    play = game.scene(game.place).damage[hit].plays[0].id
    game.does(Trump("", game.hero, play, "8C"))
    assert game.scene(game.place).hits[hit].resistible == 2


def test_the_game_master_gives_beads_on_dice_back() -> None:
    game = table()
    hit = hit_on(game, game.hero)
    before = game.beads(game.hero)
    game.does(PlayBeadsOnDice(game.hero, "resisting", hit))
    play = game.scene(game.place).damage[hit].plays[0].id
    game.does(TrumpByFiat("", play, hit=hit))
    assert game.character(game.hero).damage == 2 and game.beads(game.hero) == before


@pytest.mark.parametrize("roll", ["damage", "resisting", "initiative", "healing"])
def test_the_roll_must_be_completed(roll: str) -> None:
    game = table()
    hit = game.new(ScoreHit(game.villain, game.hero, net=2, damage=2, lethality=6, location="torso"))
    if roll == "resisting":
        game.does(RollDamage(hit, (6, 6), raise_faces=(1,)))
    do = PlayBeadsOnDice(game.hero, roll, hit if roll in ("damage", "resisting") else "")
    assert refusal(game, do) == f"{USE} roll-not-completed" and not offered(game, do)


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        ({"roll": "dance"}, "moc.dice.successes unknown-roll-kind"),
        ({"roll": "damage", "hit": "none"}, "moc.combat.damage-pool unknown-hit"),
        ({"whose": "99"}, "moc.level.resolve unknown-character"),
        ({"number": 0}, f"{USE} no-beads-played"),
        ({"number": -1}, f"{USE} negative-beads"),
        ({"number": 99}, f"{USE} not-enough-beads"),
        ({"element": "drama"}, f"{USE} wrong-element"),
        ({"element": "earth"}, f"{USE} unknown-element"),
        ({"fewer": True}, f"{USE} wrong-element"),
    ],
)
def test_what_is_refused(change: dict[str, Any], outcome: str) -> None:
    game = table()
    game.does(RollInitiative({id: (2,) * n for id, n in pools(game).items()}))
    do = PlayBeadsOnDice(**{"character": game.hero, "roll": "initiative", **change})
    assert refusal(game, do).rpartition(" ")[2] == outcome.rpartition(" ")[2] and not offered(game, do)


def test_who_is_dazed_plays_none() -> None:
    game = table()
    game.does(RollInitiative({id: (2,) * n for id, n in pools(game).items()}))
    game.does(ApplyHarm(game.hero, pain=9))
    assert refusal(game, PlayBeadsOnDice(game.hero, "initiative")) == "moc.combat.dazed dazed-no-beads"


def test_a_roll_that_is_settled_stays() -> None:
    game = table()
    hit = hit_on(game, game.hero)
    game.does(ApplyHarm(game.hero, 1))
    do = PlayBeadsOnDice(game.hero, "resisting", hit)
    assert refusal(game, do) == "moc.combat.resist settled" and not offered(game, do)


def test_at_an_open_table_beads_of_any_element_serve() -> None:
    game = table(bead_element_gate="open")
    game.does(RollInitiative({id: (2,) * n for id, n in pools(game).items()}))
    game.gives(game.hero, "bead:drama", 1)
    plays(game, PlayBeadsOnDice(game.hero, "initiative", element="drama"))
    assert game.scene(game.place).order[0] == (game.hero,)
