"""Dice bought for a pool count in every roll of it."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.moc.buying import Buy
from ledger.rules.moc.damage import ApplyHarm, RollDamage
from ledger.rules.moc.fate import CloseArc, OpenArc
from ledger.rules.moc.hits import ScoreHit
from ledger.rules.moc.own_dice import UsePeriodDice
from ledger.rules.moc.recovery import Heal
from ledger.rules.moc.resisting import ResistDamage
from ledger.rules.moc.stacks import SubPool
from ledger.rules.moc.turns import RollInitiative
from tests.rules.moc.book import cites
from tests.rules.moc.buyers import dice, playing, rich
from tests.rules.moc.cited import refusal
from tests.rules.moc.game import buys, the


@pytest.mark.parametrize(
    ("pool", "said", "more"),
    [
        ("Dodge", {"skill": "Dodge"}, 2),
        ("Dodge", {"skill": "Firearms"}, 0),
        ("to_hit", {"element": "action", "roll_kind": "to_hit"}, 2),
        ("to_hit", {"element": "action"}, 0),
        ("movement", {"element": "action", "roll_kind": "movement"}, 2),
        ("dodge", {"element": "action", "roll_kind": "dodge"}, 2),
        ("dodge", {"element": "action", "defence": True}, 2),
        ("resisting", {"element": "action"}, 0),
    ],
)
def test_dice_bought_for_a_pool_are_rolled_with_it(pool: str, said: dict[str, Any], more: int) -> None:
    game, id = playing()
    without = dice(game, game.acts(id, **said))
    game, id = playing(buys("dice", pool, 2))
    action = game.acts(id, **said)
    assert dice(game, action) == without + more
    assert cites(game.verdicts[-1], "moc.adv.pool") == ([2] if more else [])


def test_each_part_of_a_split_has_the_dice_bought_for_it() -> None:
    game, id = playing(buys("dice", "Firearms", 2))
    action = game.acts(id, parts=(SubPool(1, skill="Firearms"), SubPool(1, element="action")))
    assert [part.extra for part in game.scene(game.place).actions[action].parts] == [2, 0]


def test_initiative_is_rolled_with_the_dice_bought_for_it() -> None:
    game, id = playing(buys("dice", "initiative", 2))
    assert refusal(game, RollInitiative({id: (3,) * 4})) == "moc.dice.faces wrong-dice-count"
    game.does(RollInitiative({id: (3,) * 6}))


@pytest.mark.parametrize(("damage", "resisting"), [(0, 0), (2, 0), (0, 3)])
def test_damage_and_resisting_are_rolled_with_the_dice_bought_for_them(damage: int, resisting: int) -> None:
    bought = [buys("dice", pool, n) for pool, n in (("damage", damage), ("resisting", resisting)) if n]
    game, id = playing(*bought)
    hit = game.new(ScoreHit(id, id, "Blast Pistol", 2, location="torso"))
    assert the(game.verdicts[-1], "HitScored").what.dice == 6 + damage
    game.does(RollDamage(hit, (3,) * (6 + damage), (), (3,)))
    assert refusal(game, ResistDamage(hit, (3,) * (4 + resisting))) == "moc.dice.faces wrong-dice-count"
    game.does(ResistDamage(hit, (3,) * (3 + resisting)))


def test_healing_is_rolled_with_the_dice_bought_for_it() -> None:
    game, id = playing(buys("dice", "healing", 2))
    game.does(ApplyHarm(id, unresistible=1))
    assert refusal(game, Heal(id, 1, faces=(3,))) == "moc.dice.faces wrong-dice-count"
    game.does(Heal(id, 1, faces=(3,) * 3))


@pytest.mark.parametrize("name", ["", "sharp", "damage dice", "opposed"])
def test_dice_are_bought_for_a_pool_that_is_rolled(name: str) -> None:
    game, id = rich()
    assert refusal(game, Buy(id, buys("dice", name, 1))) == "moc.adv.dice unknown-pool"


@pytest.mark.parametrize("period", ["scene", "session", "arc"])
def test_floating_dice_are_laid_on_every_roll_and_come_back_with_their_period(period: str) -> None:
    """For scene, arc and session: on an action, initiative, damage, resisting and healing."""
    game, id = rich()
    key = f"floating-dice:{period}"
    game.does(Buy(id, buys("floating-dice", level=5, period=period)))
    game.does(OpenArc("an arc", 10))
    evening = game.session_begins()
    game.place = game.scene_begins(id)
    action = game.acts(id, element="drama")
    game.does(UsePeriodDice(action, key, 1))
    assert dice(game, action) == 4
    game.does(UsePeriodDice("", key, 1, whose=id))
    game.does(RollInitiative({id: (3,) * 5}))
    hit = game.new(ScoreHit(id, id, "Blast Pistol", 2, location="torso"))
    game.does(RollDamage(hit, (3,) * 7, (), (6,), floating={key: 1}))
    game.does(ResistDamage(hit, (3,) * 4, floating={key: 1}))
    game.does(Heal(id, 1, faces=(3,) * 2, floating={key: 1}))
    held = f"character:{id}/die:{key}"
    there = [game.balance(held)]
    game.scene_ends(game.place)
    there.append(game.balance(held))
    game.session_ends(evening)
    there.append(game.balance(held))
    game.does(CloseArc())
    there.append(game.balance(held))
    assert there == {"scene": [0, 5, 5, 5], "session": [0, 0, 5, 5], "arc": [0, 0, 0, 5]}[period]


def test_dice_of_a_weapons_master_wait_until_its_skills_are_named() -> None:
    game, id = playing(buys("weapons-master", level=1, period="scene"))
    do = UsePeriodDice(game.acts(id, skill="Firearms"), "weapons-master:scene", 1)
    assert refusal(game, do) == "moc.adv.weapons-master no-skills-named"


def test_a_game_master_names_the_pool_of_dice_from_an_old_record() -> None:
    """Editions 1 and 2 sold dice under any name. They do not count until the character is corrected."""
    game, id = playing()
    game.sets(id, "counts/dice:lucky", 2)
    assert dice(game, game.acts(id, skill="Firearms")) == 2, "Body 3, untrained in what is normal"
    game.sets(id, "counts/dice:Firearms", 2)
    assert dice(game, game.acts(id, skill="Firearms")) == 4
