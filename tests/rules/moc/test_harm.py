"""Harm: what one hit does, and fatigue. Landon has a pain capacity of ten, and a daze limit of five."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.moc.damage import ApplyHarm, DamageRolled, report_damage
from ledger.rules.moc.resisting import ResistDamage
from ledger.rules.moc.scenes import EndTurn
from tests.rules.moc.book import answers, body, cites, fight
from tests.rules.moc.game import kinds_of
from tests.rules.moc.test_wounds import hit_with

# --- moc.combat.damage-roll ---


@pytest.mark.parametrize(("faces", "sides"), [((2, 5, 6), None), ((2, 5, 7), 10)])
def test_dice_of_damage_that_score_are_marked_and_only_what_no_d6_shows_is_a_d10(
    faces: tuple[int, ...], sides: int | None
) -> None:
    (roll,) = report_damage(DamageRolled("1", 5, faces, (), (4,), (), 2, 0))
    assert {die.sides for die in roll.dice} == {sides}
    assert [die.counts for die in roll.dice] == [False, True, True, False]


# --- moc.combat.apply ---


@pytest.mark.parametrize(
    ("pain", "damage", "given", "outcome"),
    [
        # resistible, unresistible, conversions, removals, direct pain
        (0, 0, (4, 0, 0, 0, 0), "4 damage 0 pain"),
        (0, 0, (4, 0, 4, 0, 0), "0 damage 4 pain"),
        (0, 0, (4, 0, 9, 0, 0), "0 damage 4 pain"),
        (0, 0, (4, 0, 1, 2, 0), "1 damage 1 pain"),
        (0, 0, (4, 0, 3, 2, 0), "0 damage 2 pain"),
        (0, 0, (4, 0, 3, 9, 0), "0 damage 0 pain"),
        (0, 0, (0, 3, 3, 3, 0), "3 damage 0 pain"),
        (0, 0, (0, 0, 3, 3, 5), "0 damage 5 pain"),
        (0, 0, (0, 0, 0, 0, 6), "0 damage 6 pain dazed"),
        (0, 0, (6, 0, 6, 0, 0), "0 damage 6 pain dazed"),
        (0, 0, (5, 0, 5, 0, 0), "0 damage 5 pain"),
        (0, 0, (3, 0, 3, 0, 3), "0 damage 6 pain dazed"),
        (9, 0, (3, 0, 3, 0, 0), "2 damage 10 pain"),
        (9, 0, (3, 0, 3, 1, 0), "1 damage 10 pain"),
        (10, 0, (3, 0, 3, 0, 0), "3 damage 10 pain"),
        (8, 0, (1, 0, 1, 0, 3), "2 damage 10 pain"),
        (9, 0, (1, 0, 1, 0, 1), "1 damage 10 pain"),
        (0, 0, (0, 5, 0, 0, 0), "5 damage 0 pain"),
        (0, 0, (0, 6, 0, 0, 0), "6 damage 0 pain down"),
        (0, 0, (0, 7, 0, 0, 0), "6 damage 0 pain down"),
        (0, 5, (0, 1, 0, 0, 0), "6 damage 0 pain down"),
        (0, 4, (0, 1, 0, 0, 0), "5 damage 0 pain"),
        (0, 6, (0, 1, 0, 0, 0), "6 damage 0 pain down"),
        (4, 0, (6, 0, 6, 0, 0), "0 damage 10 pain dazed"),
        (5, 0, (6, 0, 6, 0, 0), "1 damage 10 pain"),
    ],
)
def test_one_hit_by_its_numbers(pain: int, damage: int, given: tuple[int, int, int, int, int], outcome: str) -> None:
    """Only this hit's pain counts for dazing, above Body plus T. Pain beyond the capacity is damage."""
    game = fight()
    game.sets(game.landon, "pain", pain)
    game.sets(game.landon, "damage", damage)
    game.does(ApplyHarm(game.landon, *given))
    assert body(game) == outcome


@pytest.mark.parametrize(
    ("damage", "left"),
    [(1, (5, 5, 5)), (2, (4, 4, 4)), (3, (3, 3, 3)), (5, (1, 1, 1)), (6, (0, 0, 0)), (9, (0, 0, 0))],
)
def test_no_pool_holds_more_tokens_than_six_less_the_damage(damage: int, left: tuple[int, int, int]) -> None:
    game = fight()
    for primary in ("body", "mind", "spirit"):
        game.gives(game.landon, f"token:{primary}", 5 - game.balance(f"character:{game.landon}/token:{primary}"))
    done = game.does(ApplyHarm(game.landon, unresistible=damage))
    assert game.tokens(game.landon) == left
    assert ("TokensLost" in kinds_of(done)) == (left != (5, 5, 5)), "five of five is not too many"


@pytest.mark.parametrize(
    ("dial", "pain", "left"), [(False, 5, (3, 1, 3)), (True, 3, (3, 1, 3)), (True, 4, (2, 1, 2)), (True, 5, (1, 1, 1))]
)
def test_pain_takes_tokens_by_the_dial_alone(dial: bool, pain: int, left: tuple[int, int, int]) -> None:
    game = fight(pain_strips_tokens=dial)
    game.does(ApplyHarm(game.landon, pain=pain))
    assert game.tokens(game.landon) == left


@pytest.mark.parametrize(
    ("dial", "given", "dazed"),
    [
        ("pain", (9, 0, 5, 0, 0), False),
        ("pain", (9, 0, 6, 0, 0), True),
        ("pain_plus_damage", (5, 0, 0, 0, 0), False),
        ("pain_plus_damage", (6, 0, 0, 0, 0), True),
        ("pain_plus_damage", (4, 1, 1, 0, 0), False),
        ("pain_plus_damage", (4, 2, 1, 0, 0), True),
        ("pain_plus_damage", (6, 0, 0, 1, 0), False),
    ],
)
def test_landons_limit_is_five(dial: str, given: tuple[int, int, int, int, int], dazed: bool) -> None:
    game = fight(daze_counts=dial)
    done = game.does(ApplyHarm(game.landon, *given))
    assert game.character(game.landon).dazed is dazed
    assert bool(cites(done, "moc.combat.dazed")) is dazed


def test_pain_of_the_turn_counts_hit_by_hit_and_the_second_is_resisted_with_less() -> None:
    game = fight()
    game.does(ResistDamage(hit_with(game, 5), (9, 9, 9)))
    assert body(game) == "2 damage 3 pain"
    second = hit_with(game, 1)
    assert answers(game, ResistDamage(second, (9, 9, 9))) == "wrong-dice-count"
    assert answers(game, ResistDamage(second, (9,))) == "", "6 - 2 - 3 is one"
    assert body(game) == "2 damage 4 pain"
    game.does(EndTurn())
    assert answers(game, ResistDamage(hit_with(game, 1), (9, 9, 9))) == "", "6 - 2 is four, Body three"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({}, "nothing-declared"),
        ({"resistible": -1}, "negative-harm"),
        ({"unresistible": -1}, "negative-harm"),
        ({"conversions": -1}, "negative-harm"),
        ({"removals": -1}, "negative-harm"),
        ({"pain": -1}, "negative-harm"),
        ({"fatigue": -1}, "negative-harm"),
        ({"pain": 1.5}, "negative-harm"),
        ({"fatigue": 1}, ""),
        ({"unresistible": 1}, ""),
    ],
)
def test_harm_is_counted_in_whole_numbers(given: dict[str, Any], code: str) -> None:
    game = fight()
    assert answers(game, ApplyHarm(game.landon, **given)) == code


# --- moc.combat.fatigue ---


@pytest.mark.parametrize(
    ("effects", "fatigue", "actives"),
    [("on", 0, (3, 1, 3)), ("on", 1, (2, 0, 2)), ("on", 3, (0, 0, 0)), ("on", 9, (0, 0, 0)), ("off", 9, (3, 1, 3))],
)
def test_fatigue_lowers_every_primary(effects: str, fatigue: int, actives: tuple[int, int, int]) -> None:
    game = fight(fatigue_effects=effects)
    before = body(game)
    if fatigue:
        game.does(ApplyHarm(game.landon, fatigue=fatigue))
    for primary, dice in zip(("body", "mind", "spirit"), actives, strict=True):
        action = game.acts(game.landon, primary=primary)
        game.does(EndTurn())
        game.rolls(action, *(3,) * dice)
    assert body(game) == before, "fatigue never raises the others"


@pytest.mark.parametrize(("effects", "cited"), [("on", 2), ("off", 0)])
def test_fatigue_without_effects_is_not_cited(effects: str, cited: int) -> None:
    game = fight(fatigue_effects=effects)
    game.sets(game.landon, "fatigue", 2)
    rolled = game.rolls(game.acts(game.landon), *(3,) * (3 - cited))
    (active,) = (step for step in rolled.because if step.rule == "moc.char.active")
    assert (active.given["fatigue"], active.out) == (cited, 3 - cited)
