"""A ruling shows every die that fell in it, and what a roll shows comes from the facts that its viewer may see."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given

from ledger.rules import systems
from ledger.rules.intensity.attacks import AttackResolved
from ledger.rules.kernel.contract import AnyRuleset, Ruleset
from ledger.rules.kernel.questions import Dice
from ledger.rules.kernel.rolls import Die, Roll
from ledger.rules.kernel.subjects import character
from ledger.rules.kernel.world import PastRuling
from ledger.rules.mongrel.tasks import DiceRolled, TaskDeclared, TaskResolved
from ledger.rules.scattershot.rolls import MibRolled, RollReported
from ledger.rules.scattershot.words import Outcome
from tests.laws.test_play import SEEDS, every_system, slowly
from tests.laws.test_thrown import no_dice, typed
from tests.rules.anything import play

SAYS_NOTHING = next(field for field in dataclasses.fields(Ruleset) if field.name == "rolls").default


def shows_every_die(name: str, seed: int) -> None:
    game = play(name, seed, 120)
    for ruling in game.history:
        fallen = Counter(
            face for answer in ruling.answers if isinstance(answer, Dice) for face in answer.faces
        ) + Counter([] if no_dice(ruling) else typed(ruling))
        shown = Counter(die.face for roll in rolls_in(systems()[name], ruling) for die in roll.dice)
        assert fallen <= shown, (ruling.declared, fallen - shown)


def rolls_in(ruleset: AnyRuleset, ruling: PastRuling) -> list[Roll]:
    return list(ruleset.rolls([done.fact for _, done in ruling.facts]))


@every_system
@slowly
@given(seed=SEEDS)
def test_a_ruling_shows_every_die_that_fell_in_it(name: str, seed: int) -> None:
    if systems()[name].rolls is not SAYS_NOTHING:
        shows_every_die(name, seed)


@every_system
@slowly
@given(seed=SEEDS)
def test_rolls_show_no_more_than_the_facts_that_are_left(name: str, seed: int) -> None:
    ruleset, rng = systems()[name], Random(seed)
    for ruling in play(name, seed, 120).history:
        facts = [done.fact for _, done in ruling.facts]
        left = [fact for fact in facts if rng.random() < 0.6]
        texts = repr(left)
        for roll in ruleset.rolls(left):
            assert all(str(die.face) in texts for die in roll.dice)
            assert roll.total is None or str(abs(roll.total)) in texts or roll.total == sum(d.face for d in roll.dice)


def test_a_die_that_is_not_shown_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = systems()["intensity"]

    def rolls(facts: Sequence[Any]) -> Iterator[Roll]:
        yield from (dataclasses.replace(roll, dice=roll.dice[:1]) for roll in ruleset.rolls(facts))

    monkeypatch.setitem(systems(), "intensity", dataclasses.replace(ruleset, rolls=rolls))
    with pytest.raises(AssertionError):
        for seed in range(20):
            shows_every_die("intensity", seed)


def resolved(**given: Any) -> TaskResolved:
    usual = {"actor": "3", "expertise": "sense", "successes": 1, "special": None, "base": 3, "effect": 3}
    return TaskResolved(**{**usual, "grade": "solid", **given})


def test_dice_that_count_are_marked_by_the_side_they_are_rolled_against() -> None:
    rolled = DiceRolled("3", "sense", (6, 4), "asked", None)
    task = TaskDeclared("3", "sense", (), "own", "spirit", None, "", 0, "", 0, "")
    (roll,) = systems()["mongrel"].rolls([task, rolled, resolved(tn=4, success=True)])
    assert roll == Roll(
        who=character("3"),
        name="Sense",
        dice=(Die(6, 6, False), Die(6, 4, True)),
        target=4,
        success=True,
        word="Success",
        effect="Effect 3",
        bound="at-most",
    )
    (without,) = systems()["mongrel"].rolls([rolled, resolved(tn=4, success=True)])
    assert [die.counts for die in without.dice] == [None, None]  # whose score it was is not known
    assert without.bound is None
    against = dataclasses.replace(task, side="target", target="4")
    (roll,) = systems()["mongrel"].rolls([against, rolled, resolved(tn=4, success=True)])
    assert roll.bound == "at-least"


def test_a_roll_says_its_result_as_the_game_does() -> None:
    (blow,) = systems()["scattershot"].rolls(
        [
            MibRolled("5", "actor", (5, 5)),
            RollReported(resolution="5", roll="actor", mib=6, rmib={}, outcomes={"actor": "telling-blow"}, actor="2"),
        ]
    )
    assert (blow.who, blow.name) == (character("2"), "")
    assert (blow.total, blow.success, blow.word, blow.effect) == (10, True, "Telling Blow", "Made by 6")
    attack = AttackResolved(attack="9", attack_value=2, defence_value=8, success=False, rating=None)
    (missed,) = systems()["intensity"].rolls([attack])
    assert (missed.total, missed.target, missed.success, missed.word) == (2, 8, False, "The attack fails")


@pytest.mark.parametrize(
    ("dice", "mib", "outcome", "told"),
    [((4, 4), 2, "failure", (True, "Made by 2", "")), ((9, 8), -7, "success", (False, "Missed by 7", ""))],
)
def test_a_resistors_roll_is_good_or_bad_for_the_resistor(
    dice: tuple[int, int], mib: int, outcome: Outcome, told: tuple[bool, str, str]
) -> None:
    """What it means for the Actor is said in the ruling, not on the Resistor’s dice."""
    report = RollReported(resolution="5", roll="2", mib=mib, rmib={"2": 3}, outcomes={"2": outcome})
    (resisted,) = systems()["scattershot"].rolls([MibRolled("5", "2", dice), report])
    assert (resisted.success, resisted.word, resisted.effect) == told
