"""Dice against target numbers: every special case in every scope, pools, Effects, refusals in their order."""

from __future__ import annotations

import pytest

from ledger.rules.mongrel.counting import count, count_zero, work_out_target_number
from ledger.rules.mongrel.deeds import RollTask
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.sessions import FeaturesUsed
from ledger.rules.mongrel.tasks import DiceRolled, EffectAdjusted, TaskResolved, grade_effect
from tests.rules.mongrel.game import AHVIA, GIAZZA, Game, but, the

DEFAULT = Dials()
ALWAYS = Dials(special_cases_scope="always")
LOW = Dials(low_longshot=True)

COUNTS = [
    # faces, tn, side, dials -> success, successes, special
    ((6, 3, 1, 1), 3, "target", DEFAULT, True, 2, None),
    ((6, 3, 1, 1), 3, "target", ALWAYS, False, 0, "ones-fail"),
    ((6, 3, 2, 1), 3, "target", ALWAYS, True, 2, None),
    ((1, 6), 1, "target", DEFAULT, False, 0, "ones-fail"),
    ((1, 6, 6), 1, "target", DEFAULT, True, 3, None),
    ((1, 6), 0, "target", DEFAULT, False, 0, "ones-fail"),
    ((1, 6), -2, "target", DEFAULT, False, 0, "ones-fail"),
    ((1, 2), 2, "target", DEFAULT, True, 1, None),
    ((1, 6), 6, "target", ALWAYS, False, 0, "ones-fail"),
    ((5, 5), 6, "target", DEFAULT, False, 0, None),
    ((6, 5), 7, "target", DEFAULT, True, 1, "sevens-succeed"),
    ((6, 6, 1, 1), 7, "target", ALWAYS, True, 2, "sevens-succeed"),
    ((6, 5, 5), 7, "target", DEFAULT, False, 0, None),
    ((6,), 11, "target", DEFAULT, True, 1, "sevens-succeed"),
    ((4, 6, 6), 5, "own", DEFAULT, True, 1, None),
    ((4, 6, 6), 5, "own", ALWAYS, False, 0, "sixes-fail"),
    ((6, 1, 1), 6, "own", DEFAULT, True, 3, None),
    ((6, 1), 6, "own", DEFAULT, False, 0, "sixes-fail"),
    ((6, 1, 1), 7, "own", DEFAULT, True, 3, None),
    ((6, 6, 1), 7, "own", DEFAULT, False, 0, "sixes-fail"),
    ((1, 2), 1, "own", DEFAULT, True, 1, None),
    ((1, 6), 1, "own", ALWAYS, False, 0, "sixes-fail"),
    ((1, 1), 0, "own", DEFAULT, False, 0, None),
    ((1, 2), 0, "own", LOW, True, 1, "low-longshot"),
    ((1, 2, 2), -1, "own", LOW, False, 0, None),
    ((6, 6), 0, "own", ALWAYS, False, 0, None),
]


@pytest.mark.parametrize(("faces", "tn", "side", "dials", "success", "successes", "special"), COUNTS)
def test_count(faces, tn, side, dials, success, successes, special):
    counted = count(faces, tn, side, dials)
    assert (counted.is_success, counted.success_count, counted.special) == (success, successes, special)


@pytest.mark.parametrize(
    ("faces", "tn", "side", "dials", "success"),
    [
        ((4, 5), 4, "target", DEFAULT, True),
        ((4, 3), 4, "target", DEFAULT, False),
        ((1, 6), 1, "target", DEFAULT, False),
        ((6, 6), 7, "target", DEFAULT, True),
        ((6, 5), 7, "target", DEFAULT, False),
        ((5, 5), 7, "own", DEFAULT, True),
        ((6, 5), 7, "own", DEFAULT, False),
        ((1, 1), 0, "own", LOW, True),
    ],
)
def test_without_expertise(faces, tn, side, dials, success):
    counted = count_zero(faces, tn, side, dials)
    assert (counted.is_success, counted.success_count, counted.special) == (success, 0, "zero-expertise")


def test_difficulty_and_grades():
    literal = Dials(modifier_direction="literal")
    assert [work_out_target_number(3, 2, side, DEFAULT) for side in ("own", "target")] == [1, 5]
    assert [work_out_target_number(3, 4, side, literal) for side in ("own", "target")] == [-1, -1]
    assert [grade_effect(n) for n in range(6)] == ["none", "minimal", "solid", "solid", "notable", "notable"]


def rolled(game, id, expertise, side, attribute, faces, **more):
    return game.does(RollTask(id, expertise, side, attribute, faces=faces, **more))


@pytest.mark.parametrize(
    ("dials", "faces", "more", "base", "effect"),
    [
        ({}, (6, 3, 1, 1), {}, 6, 6),
        ({"effect_adds_tn": True}, (6, 3, 1, 1), {}, 9, 9),
        ({}, (6, 3, 1, 1), {"taken_off": 4}, 6, 2),
        ({}, (6, 3, 1, 1), {"taken_off": 9}, 6, 0),
        ({}, (2, 1, 1, 1), {"taken_off": 1}, 0, 0),
        ({}, (6, 6, 1, 1), {"difficulty": 4}, 1, 1),
        ({"effect_adds_tn": True}, (6, 6, 1, 1), {"difficulty": 4}, 1, 1),
        ({"modifier_direction": "literal"}, (6, 1, 1, 2), {"difficulty": 2}, 0, 0),
    ],
)
def test_effect(dials, faces, more, base, effect):
    game = Game(**dials)
    verdict = rolled(game, game.ahvia, "lie", "target", "social", faces, thing="x", score=3, **more)
    done = the(verdict, TaskResolved)
    assert (done.base, done.effect, done.grade) == (base, effect, grade_effect(effect))
    taken = [about.fact for about in verdict.facts if isinstance(about.fact, EffectAdjusted)]
    assert len(taken) == (1 if base and more.get("taken_off") else 0)


def test_power_augments_and_stands_alone():
    game = Game(session=True)
    id = game.ahvia
    assert game.asks(RollTask(id, "burn", "own", "spirit", ("wings", "inhuman_face", "wings"))).count == 5
    assert game.asks(RollTask(id, "rend", "own", "spirit")).count == 2
    assert game.asks(RollTask(id, "rend", "own", "spirit", ("inhuman_face",))).count == 1
    verdict = rolled(game, id, "rend", "own", "spirit", (1,), power=("inhuman_face",))
    assert (the(verdict, TaskResolved).effect, the(verdict, TaskResolved).special) == (1, None)
    assert the(verdict, FeaturesUsed).features == ("rend", "beast", "diabolic_power", "spirit")
    verdict = rolled(game, id, "diabolic_power", "own", "spirit", (1, 6), power=("wings",))
    assert the(verdict, TaskResolved).special == "sixes-fail"
    verdict = rolled(game, id, "diabolic_power", "own", "spirit", (1, 2), power=("wings",))
    assert the(verdict, TaskResolved).effect == 2 + 4
    assert the(verdict, DiceRolled).entered_by == "gm"


def test_somebody_elses_attribute():
    game = Game(session=True)
    game.hit(game.giazza, 5)
    verdict = rolled(game, game.ahvia, "lie", "target", "physique", (5, 5, 5, 5), target=game.giazza)
    assert the(verdict, TaskResolved).tn == 5
    assert [about.fact.features for about in verdict.facts if isinstance(about.fact, FeaturesUsed)] == [
        ("lie", "demon"),
        ("physique",),
    ]


REFUSALS = [
    ({"expertise": "zap"}, "expertise-unknown"),
    ({"expertise": "animal_power"}, "power-not-primary"),
    ({"expertise": "diabolic_power"}, "power-none"),
    ({"expertise": "diabolic_power", "power": ("tail",)}, "power-none"),
    ({"power": ("head",)}, "power-option-unknown"),
    ({"attribute": "luck"}, "attribute-unknown"),
    ({"score": -1, "difficulty": 9, "side": "x"}, "bad-score"),
    ({"score": None}, "bad-score"),
    ({"score": True}, "bad-score"),
    ({"taken_off": -1, "difficulty": 9}, "bad-score"),
    ({"difficulty": 5, "side": "x"}, "modifier-range"),
    ({"difficulty": -1}, "modifier-range"),
    ({"difficulty": "1"}, "modifier-range"),
    ({"side": "both", "faces": ()}, "side-unknown"),
    ({"faces": (9, 9, 9)}, "dice-count"),
    ({"faces": (1, 2, 3, 7)}, "dice-face"),
    ({"faces": (1, 2, 3, 0)}, "dice-face"),
    ({"faces": (1, 2, 3, True)}, "dice-face"),
    ({"target": "77"}, "unknown-character"),
]


@pytest.mark.parametrize(("new", "code"), REFUSALS)
def test_refused(new, code):
    game = Game()
    given = {"expertise": "lie", "side": "target", "attribute": "social", "thing": "x", "score": 3, **new}
    assert game.refuses(RollTask(game.ahvia, **given)) == code


def test_npcs_may_only_supply_numbers():
    game = Game(npc_rolls=False)
    npc = game.enrol("Guard", but(GIAZZA, npc=True))
    assert game.refuses(RollTask(npc, "zap", "own", "size")) == "npc-does-not-roll"
    rolled(game, game.ahvia, "lie", "target", "social", (6, 6, 6, 6), target=npc)
    assert Game().asks(RollTask("1", "lie", "own", "size")).count == 4
    assert AHVIA.npc is False


def test_typed_dice_of_the_wrong_kind_are_asked_for_again():
    game = Game()
    do = RollTask(game.ahvia, "lie", "own", "social")
    assert game.refuses(do, (1, 2)) == "dice-count"
    assert game.refuses(do, (1, 2, 3, 8)) == "dice-face"
