"""Damage, resisting it and its effects, heading by heading, with the rulebook's numbers.

Harry has S 2; Landon has Body 3, T 2, L 2: a pain capacity of ten and a daze limit of five.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import pytest

from ledger.rules.moc.damage import RollDamage
from ledger.rules.moc.hits import ScoreHit, SetLocation
from ledger.rules.moc.resisting import ResistDamage
from tests.rules.moc.book import answers, body, cites, fight, refusing_rule, takes
from tests.rules.moc.game import Game, the


def pool(game: Game, net: int, weapon: dict[str, Any]) -> str:
    hit = the(game.does(ScoreHit(game.hero, game.landon, net=net, **weapon)), "HitScored").what
    return f"{hit.dice}d{hit.sides}+{hit.raises}" + (" where it likes" if hit.chooses else "")


def hit_with(game: Game, points: int, raises: int = 0, location: str = "torso") -> str:
    """Score a hit with this many resistible and unresistible points."""
    net = 1 + raises
    wound = ScoreHit(game.hero, game.landon, net=net, damage=9 + (net == 1), lethality=5, location=location)
    hit = game.new(wound)
    faces = (6,) * points + (1,) * (9 - points)
    game.does(RollDamage(hit, faces, raise_faces=(6,) * raises))
    return hit


# --- moc.combat.damage-pool ---

Weapon: TypeAlias = dict[str, Any]
PISTOL: Weapon = {"weapon": "Blast Pistol"}
RIFLE: Weapon = {"weapon": "Blast Rifle"}
BLADE: Weapon = {"weapon": "Blade"}
CLUB: Weapon = {"weapon": "Club"}
FIST: Weapon = {"weapon": "Unarmed"}


def own(damage: int, lethal: bool) -> Weapon:
    return {"damage": damage, "lethality": 5, "lethal": lethal}


@pytest.mark.parametrize(
    ("weapon", "pools"),
    [
        (PISTOL, ["5d6+0", "6d6+1", "6d10+2", "6d10+3 where it likes", "6d10+4 where it likes"]),
        (RIFLE, ["6d6+0", "7d6+1", "7d10+2", "7d10+3 where it likes", "7d10+4 where it likes"]),
        (BLADE, ["5d6+0", "6d6+1", "6d10+2", "6d10+3 where it likes", "6d10+4 where it likes"]),
        (CLUB, ["3d6+0", "4d6+1", "4d10+2", "4d10+3 where it likes", "4d10+4 where it likes"]),
        (FIST, ["1d6+0", "2d6+1", "2d10+2", "2d10+3 where it likes", "2d10+4 where it likes"]),
        (own(0, False), ["0d6+0", "0d6+1", "0d10+2", "0d10+3 where it likes", "0d10+4 where it likes"]),
        (own(1, False), ["0d6+0", "1d6+1", "1d10+2", "1d10+3 where it likes", "1d10+4 where it likes"]),
        (own(0, True), ["5d6+0", "6d6+1", "6d10+2", "6d10+3 where it likes", "6d10+4 where it likes"]),
        (own(5, True), ["5d6+0", "6d6+1", "6d10+2", "6d10+3 where it likes", "6d10+4 where it likes"]),
        (own(6, True), ["5d6+0", "6d6+1", "6d10+2", "6d10+3 where it likes", "6d10+4 where it likes"]),
        (own(7, True), ["6d6+0", "7d6+1", "7d10+2", "7d10+3 where it likes", "7d10+4 where it likes"]),
    ],
)
def test_damage_less_one_damage_damage_on_d10(weapon: Weapon, pools: list[str]) -> None:
    """A lethal weapon has at least six dice, before a Near Success takes one."""
    game = fight()
    assert [pool(game, net, weapon) for net in range(1, 6)] == pools


@pytest.mark.parametrize(
    ("net", "dice", "flat"), [(1, "5d6+0", 0), (2, "6d6+0", 1), (3, "6d10+0", 2), (5, "6d10+0 where it likes", 4)]
)
def test_raises_as_levels_have_no_dice(net: int, dice: str, flat: int) -> None:
    game = fight(raise_effect="flat_levels")
    assert pool(game, net, PISTOL) == dice
    hit = game.new(ScoreHit(game.hero, game.landon, net=net, location="torso", **PISTOL))
    done = the(game.does(RollDamage(hit, (1,) * int(dice[0]))), "DamageRolled")
    assert (done.resistible, done.unresistible) == (0, flat)


@pytest.mark.parametrize(
    ("strength", "club", "fist"), [(1, "3d6+1", "1d6+1"), (2, "4d6+1", "2d6+1"), (5, "7d6+1", "5d6+1")]
)
def test_the_strength_of_the_attacker_counts(strength: int, club: str, fist: str) -> None:
    game = fight()
    game.sets(game.hero, "ratings/S", strength)
    assert (pool(game, 2, CLUB), pool(game, 2, FIST)) == (club, fist)


# --- moc.combat.damage-roll ---


@pytest.mark.parametrize(
    ("lethality", "thresholds"),
    [
        (4, {"head": 2, "torso": 4, "vitals": 3, "arm": 5, "leg": 5}),
        (5, {"head": 3, "torso": 5, "vitals": 4, "arm": 6, "leg": 6}),
        (6, {"head": 4, "torso": 6, "vitals": 5, "arm": 7, "leg": 7}),
        (3, {"head": 2, "torso": 3, "vitals": 2, "arm": 4, "leg": 4}),
        (2, {"head": 2, "torso": 2, "vitals": 2, "arm": 3, "leg": 3}),
        (1, {"head": 2, "torso": 2, "vitals": 2, "arm": 2, "leg": 2}),
    ],
)
def test_severity_lowers_the_number_a_die_must_reach(lethality: int, thresholds: dict[str, int]) -> None:
    """One below it scores nothing, the number itself a point. No threshold is below two."""
    game = fight()
    for location, number in thresholds.items():
        told = ScoreHit(game.hero, game.landon, net=3, damage=4, lethality=lethality)
        hit = game.new(told)
        game.does(SetLocation(hit, location))
        faces = (number - 1, number, number + 1, 1)
        done = game.does(RollDamage(hit, faces, raise_faces=(number - 1, number)))
        rolled = the(done, "DamageRolled")
        assert (rolled.threshold, rolled.resistible, rolled.unresistible) == (number, 2, 1), location
        assert cites(done, "moc.combat.damage-roll") == [3]


@pytest.mark.parametrize(("floor", "threshold"), [(1, 1), (2, 2), (3, 3), (4, 4)])
def test_the_floor_is_the_tables(floor: int, threshold: int) -> None:
    game = fight(tn_floor=floor)
    hit = game.new(ScoreHit(game.hero, game.landon, net=1, damage=2, lethality=3, location="head"))
    rolled = the(game.does(RollDamage(hit, (6,))), "DamageRolled")
    assert rolled.threshold == threshold


@pytest.mark.parametrize(
    ("net", "faces", "bonus", "raises", "more", "outcome"),
    [
        (1, (6, 6, 6, 6, 6), (), (), (), "5 0"),
        (2, (4, 4, 4, 4, 4, 4), (), (4,), (), "0 0"),
        (2, (4, 4, 4, 4, 4, 4), (), (6,), (), "0 1"),
        (3, (10, 10, 1, 1, 1, 1), (5, 4), (1, 1), (), "3 0"),
        (3, (10, 1, 1, 1, 1, 1), (10, 10, 1), (1, 1), (), "3 0"),
        (3, (1, 1, 1, 1, 1, 1), (), (10, 1), (5,), "0 2"),
        (3, (1, 1, 1, 1, 1, 1), (), (10, 10), (10, 1, 9), "0 4"),
        (3, (10, 1, 1, 1, 1, 1), (), (1, 1), (), "bonus-die-missing"),
        (3, (10, 1, 1, 1, 1, 1), (5, 5), (1, 1), (), "unearned-bonus-die"),
        (3, (1, 1, 1, 1, 1, 1), (), (10, 1), (), "bonus-die-missing"),
        (3, (1, 1, 1, 1, 1, 1), (5,), (10, 1), (), "unearned-bonus-die"),
        (3, (1, 1, 1, 1, 1), (), (1, 1), (), "wrong-dice-count"),
        (3, (1, 1, 1, 1, 1, 1, 1), (), (1, 1), (), "wrong-dice-count"),
        (3, (1, 1, 1, 1, 1, 1), (), (1,), (), "wrong-dice-count"),
        (3, (1, 1, 1, 1, 1, 1), (), (1, 1, 1), (), "wrong-dice-count"),
        (3, (11, 1, 1, 1, 1, 1), (), (1, 1), (), "face-out-of-range"),
        (2, (7, 1, 1, 1, 1, 1), (), (1,), (), "face-out-of-range"),
        (2, (1, 1, 1, 1, 1, 1), (), (0,), (), "face-out-of-range"),
        (2, (6, 6, 6, 6, 6, 6), (6,), (6,), (), "unearned-bonus-die"),
    ],
)
def test_what_the_dice_open_is_resisted_like_them(
    net: int,
    faces: tuple[int, ...],
    bonus: tuple[int, ...],
    raises: tuple[int, ...],
    more: tuple[int, ...],
    outcome: str,
) -> None:
    game = fight()
    hit = game.new(ScoreHit(game.hero, game.landon, net=net, location="torso", **PISTOL))
    do = RollDamage(hit, faces, bonus, raises, more)
    if "-" in outcome:
        assert answers(game, do) == outcome
        return
    rolled = the(game.does(do), "DamageRolled")
    assert f"{rolled.resistible} {rolled.unresistible}" == outcome


@pytest.mark.parametrize(
    "typed", [{"bonus": (5,)}, {"raise_faces": (6, 6)}, {"raise_bonus": (5,)}, {"bonus": (5,), "raise_faces": (6, 6)}]
)
def test_some_of_the_damage_dice_are_not_enough(typed: dict[str, Any]) -> None:
    game = fight()
    hit = game.new(ScoreHit(game.hero, game.landon, net=3, location="torso", **PISTOL))
    assert answers(game, RollDamage(hit, **typed)) == "empty-pool"


@pytest.mark.parametrize("typed", [{"bonus": (5,)}, {"ignore": (0,)}])
def test_some_of_the_resisting_dice_are_not_enough(typed: dict[str, Any]) -> None:
    game = fight()
    assert answers(game, ResistDamage(hit_with(game, 2), **typed)) == "wrong-dice-count"


# --- moc.combat.resist ---


@pytest.mark.parametrize(("location", "tn"), [("head", 9), ("vitals", 8), ("torso", 7), ("arm", 6), ("leg", 6)])
def test_severity_raises_the_number_to_resist(location: str, tn: int) -> None:
    game = fight()
    hit = hit_with(game, 3, location=location)
    done = game.does(ResistDamage(hit, (tn - 1, tn, 9)))
    told = the(done, "DamageResisted")
    assert (told.tn, told.conversions, told.removals) == (tn, 2, 0)
    assert cites(done, "moc.combat.resist") == [2] and cites(done, "moc.char.active") == [3]


@pytest.mark.parametrize(
    ("damage", "pain", "fatigue", "token", "dice"),
    [
        (0, 0, 0, None, 3),
        (3, 0, 0, None, 3),
        (4, 0, 0, None, 2),
        (5, 0, 0, None, 1),
        (6, 0, 0, None, 0),
        (0, 3, 0, None, 3),
        (0, 4, 0, None, 2),
        (2, 3, 0, None, 1),
        (0, 6, 0, None, 0),
        (0, 0, 1, None, 2),
        (4, 0, 1, None, 1),
        (0, 0, 3, None, 0),
        (0, 0, 9, None, 0),
        (0, 0, 0, "body", 5),
        (4, 0, 0, "body", 4),
        (0, 0, 2, "body", 3),
    ],
)
def test_active_body_resists_and_toughness_with_a_token(
    damage: int, pain: int, fatigue: int, token: str | None, dice: int
) -> None:
    game = fight()
    hit = hit_with(game, 1)
    for field, value in (("damage", damage), ("pain_turn", pain), ("fatigue", fatigue)):
        game.sets(game.landon, field, value)
    for wrong in {dice + 1, dice - 1} - {-1, 0}:
        assert answers(game, ResistDamage(hit, (1,) * wrong, token=token)) == "wrong-dice-count"
    done = game.does(ResistDamage(hit, (1,) * dice, token=token))
    assert the(done, "HarmApplied").damage == 1, "no success, nothing resisted"
    assert game.tokens(game.landon)[0] <= 3 - (token is not None)


@pytest.mark.parametrize(
    ("fatigue", "spent", "pool", "code"),
    [
        (3, 0, "body", "primary-at-zero"),
        (0, 3, "body", "no-token"),
        (0, 0, "mind", "wrong-token-pool"),
        (0, 0, "spirit", "wrong-token-pool"),
        (0, 0, "soul", "unknown-characteristic"),
        (2, 2, "body", ""),
    ],
)
def test_no_token_for_toughness(fatigue: int, spent: int, pool: str, code: str) -> None:
    game = fight()
    hit = hit_with(game, 1)
    takes(game, game.landon, "token:body", spent)
    game.sets(game.landon, "fatigue", fatigue)
    dice = (1,) * (3 - fatigue + 2)
    assert answers(game, ResistDamage(hit, dice, token=pool)) == code
    assert game.character(game.landon).fatigue == fatigue + (code == ""), "the last token of a pool tires"


@pytest.mark.parametrize(
    ("dial", "faces", "bonus", "ignore", "outcome"),
    [
        ("point", (10, 1, 1), (), (0,), "3 damage 0 pain"),
        ("point", (10, 1, 1), (6,), (), "3 damage 1 pain"),
        ("point", (10, 1, 1), (7,), (), "2 damage 2 pain"),
        ("point", (10, 10, 10), (), (0, 1, 2), "1 damage 0 pain"),
        ("point", (10, 10, 7), (1,), (1,), "1 damage 2 pain"),
        ("point", (10, 1, 1), (10, 1), (), "2 damage 2 pain"),
        ("point", (10, 1, 1), (10,), (3,), "2 damage 1 pain"),
        ("all", (10, 1, 1), (), (0,), "0 damage 0 pain"),
        ("all", (10, 9, 9), (), (0,), "0 damage 0 pain"),
        ("all", (10, 9, 9), (9,), (), "0 damage 4 pain"),
    ],
)
def test_tens_open_or_take_a_point_away(
    dial: str, faces: tuple[int, ...], bonus: tuple[int, ...], ignore: tuple[int, ...], outcome: str
) -> None:
    """Four resistible points. A 10 that removes a point is no success and adds no bonus die."""
    game = fight(ten_ignores=dial)
    game.does(ResistDamage(hit_with(game, 4), faces, bonus, ignore))
    assert body(game) == outcome


@pytest.mark.parametrize(
    ("faces", "bonus", "ignore", "code"),
    [
        ((9, 1, 1), (), (0,), "not-a-ten"),
        ((10, 1, 1), (), (1,), "not-a-ten"),
        ((10, 1, 1), (), (-1,), "not-a-ten"),
        ((10, 1, 1), (5,), (3,), "not-a-ten"),
        ((10, 1, 1), (5,), (0,), "unearned-bonus-die"),
        ((10, 1, 1), (), (), "bonus-die-missing"),
        ((10, 10, 1), (5,), (), "bonus-die-missing"),
        ((10, 1, 1), (5, 5), (), "unearned-bonus-die"),
        ((11, 1, 1), (), (), "face-out-of-range"),
    ],
)
def test_which_tens_there_are(
    faces: tuple[int, ...], bonus: tuple[int, ...], ignore: tuple[int, ...], code: str
) -> None:
    game = fight()
    do = ResistDamage(hit_with(game, 2), faces, bonus, ignore)
    assert answers(game, do) == code
    where = {"not-a-ten": "moc.combat.resist", "face-out-of-range": "moc.dice.faces"}
    assert refusing_rule(game, do) == where.get(code, "moc.dice.open-ended")


@pytest.mark.parametrize(
    ("raises", "outcome"), [(0, "0 damage 2 pain"), (1, "1 damage 2 pain"), (3, "3 damage 2 pain")]
)
def test_nothing_lowers_the_points_of_raises(raises: int, outcome: str) -> None:
    game = fight()
    game.does(ResistDamage(hit_with(game, 2, raises), (9, 9, 9)))
    assert body(game) == outcome
