"""Levels of success, Dice Rolling: what an action comes to, step by step of `moc.level.resolve`, and what passes."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.moc import inputs_of_actions, inputs_of_modifiers, inputs_of_play, numbers
from ledger.rules.moc.inputs_of_actions import Resolve
from ledger.rules.moc.inputs_of_play import ClaimSuccess, PlayBeads, ShiftFailure, Trump
from ledger.rules.moc.sheet import CardPoints
from tests.rules.moc.cited import FINE, refusal, steps
from tests.rules.moc.game import Game, the

#: The level, and five dice of a task against 7 that come to it.
ROLLS = {
    "spectacular_failure": (1, 2, 3, 4, 5),
    "failure": (2, 3, 4, 5, 6),
    "near": (2, 3, 4, 5, 7),
    "marginal": (2, 3, 4, 5, 8),
    "success": (2, 3, 4, 5, 9),
    "outstanding": (2, 3, 4, 9, 9),
}
NUMBERS = {"spectacular_failure": -1, "failure": 0, "near": 1, "marginal": 2, "success": 3, "outstanding": 4}
GATE, RESOLVE = "moc.chip.automatic-success", "moc.level.resolve"


def table(**dials: Any) -> Game:
    """Harry (a Hero) has ten Action beads and two cards; Rissh eight Storytelling ones; Santana cards and beads."""
    game = Game(**dials)
    game.session_begins()
    game.does(inputs_of_modifiers.DrawHand(game.hero, ("8C", "KS"), ("8C", "KS")))
    game.place = game.scene_begins(game.hero, game.enigma, game.villain)
    game.does(inputs_of_modifiers.DrawVillains(2, ("AC", "QC")))
    return game


def rolled(game: Game, level: str, **more: Any) -> str:
    action = game.acts(game.hero, **more)
    game.rolls(action, *ROLLS[level])
    return action


def told(game: Game, action: str, **more: Any) -> Any:
    return the(game.does(Resolve(action, **more)), "ActionResolved")


def adds(game: Game, action: str, beads: int) -> None:
    if beads:
        game.does(PlayBeads(action, game.hero, "add_successes", beads))


def takes(game: Game, action: str, beads: int) -> None:
    """Rissh takes that many successes away, one Storytelling bead a play."""
    for _ in range(beads):
        game.does(PlayBeads(action, game.enigma, "storytelling", successes=-1))


# --- steps 1 to 3 ---


@pytest.mark.parametrize(
    ("roll", "added", "taken", "total", "level"),
    [
        ("spectacular_failure", 0, 0, 0, "spectacular_failure"),
        ("spectacular_failure", 1, 0, 1, "near"),
        ("spectacular_failure", 2, 0, 2, "marginal"),
        ("spectacular_failure", 1, 1, 0, "spectacular_failure"),
        ("spectacular_failure", 0, 1, 0, "spectacular_failure"),
        ("failure", 0, 0, 0, "failure"),
        ("failure", 0, 1, 0, "failure"),
        ("failure", 1, 0, 1, "near"),
        ("failure", 3, 0, 3, "success"),
        ("failure", 4, 0, 4, "outstanding"),
        ("failure", 5, 0, 5, "outstanding"),
        ("failure", 3, 2, 1, "near"),
        ("near", 0, 0, 1, "near"),
        ("near", 0, 1, 0, "failure"),
        ("near", 0, 2, 0, "failure"),
        ("near", 1, 1, 1, "near"),
        ("near", 1, 3, 0, "failure"),
        ("marginal", 0, 1, 1, "near"),
        ("success", 0, 0, 3, "success"),
        ("success", 1, 0, 4, "outstanding"),
        ("success", 0, 3, 0, "failure"),
        ("outstanding", 0, 0, 4, "outstanding"),
        ("outstanding", 2, 0, 6, "outstanding"),
        ("outstanding", 0, 1, 3, "success"),
    ],
)
def test_beads_after_the_roll(roll: str, added: int, taken: int, total: int, level: str) -> None:
    """One bead lifts any failure to Near; what is taken off below nothing is nothing; the number itself is kept."""
    game = table()
    action = rolled(game, roll)
    adds(game, action, added)
    takes(game, action, taken)
    done = game.does(Resolve(action))
    said = the(done, "ActionResolved")
    assert (said.added, said.subtracted, said.net, said.level, said.number) == (
        added, taken, total, level, NUMBERS[level],
    )  # fmt: skip
    assert steps(done, RESOLVE) == [level]


@pytest.mark.parametrize(
    ("faces", "level"),
    [
        ((1, 2, 2, 2, 2), "spectacular_failure"),
        ((1, 1, 1, 1, 1), "spectacular_failure"),
        ((1, 6, 6, 2, 3), "near"),
        ((1, 6, 2, 3, 4), "spectacular_failure"),
        ((2, 2, 2, 2, 2), "failure"),
        ((1, 1, 1, 1, 7), "near"),
    ],
)
def test_a_one_counts_where_the_dice_scored_nothing(faces: tuple[int, ...], level: str) -> None:
    game = table()
    action = game.acts(game.hero)
    game.rolls(action, *faces)
    assert told(game, action).level == level


@pytest.mark.parametrize(
    ("faces", "points", "level"),
    [
        ((1, 2, 3, 4, 5), ((0, 0),), "spectacular_failure"),
        ((1, 2, 3, 4, 5), ((0, 1),), "failure"),
        ((1, 2, 3, 4, 5), ((1, 1),), "spectacular_failure"),
        ((1, 1, 3, 4, 5), ((0, 1),), "spectacular_failure"),
        ((1, 1, 3, 4, 5), ((0, 1), (1, 1)), "failure"),
        ((1, 2, 3, 4, 5), ((0, 6),), "near"),
        ((1, 2, 3, 4, 5), ((4, 2),), "near"),
        ((1, 2, 3, 4, 5), ((0, 8),), "success"),
    ],
)
def test_ones_and_successes_are_read_with_all_changes_in_place(
    faces: tuple[int, ...], points: tuple[tuple[int, int], ...], level: str
) -> None:
    game = table()
    action = game.acts(game.hero)
    game.rolls(action, *faces)
    game.does(inputs_of_play.PlayCard(action, game.hero, "8C", tuple(CardPoints(die, add) for die, add in points)))
    assert told(game, action).level == level


@pytest.mark.parametrize(
    ("spent", "level"),
    [
        ({"element": "action"}, "spectacular_failure"),
        ({"element": "storytelling"}, "spectacular_failure"),
        ({"element": "plot"}, "spectacular_failure"),
        ({"element": "drama"}, "spectacular_failure"),
        ({"card": "QC"}, "spectacular_failure"),
        ({"chip": "white"}, "spectacular_failure"),
        ({"chip": "red"}, "spectacular_failure"),
        ({"chip": "blue"}, "spectacular_failure"),
        ({}, "failure"),
    ],
)
def test_an_opponent_shifts_a_failure_with_any_em(spent: dict[str, Any], level: str) -> None:
    """One bead of any Element, a card or a chip: it is used up."""
    game = table()
    for what in ("bead:action", "bead:storytelling", "bead:plot", "chip:white", "chip:red", "chip:blue"):
        game.gives(game.villain, what, 1)
    before = game.balances()
    action = rolled(game, "failure")
    if spent:
        game.does(ShiftFailure(action, game.villain, **spent))
        gone = [name for name, n in before.items() if game.balances().get(name, 0) == n - 1]
        assert len(gone) == 1
    assert told(game, action).level == level


@pytest.mark.parametrize(
    ("roll", "added", "taken", "level"),
    [
        ("failure", 0, 0, "spectacular_failure"),
        ("failure", 1, 0, "near"),
        ("failure", 1, 1, "spectacular_failure"),
        ("near", 0, 0, "near"),
        ("near", 0, 1, "failure"),
        ("outstanding", 0, 4, "failure"),
        ("spectacular_failure", 0, 0, "spectacular_failure"),
    ],
)
def test_what_the_dice_scored_is_never_shifted(roll: str, added: int, taken: int, level: str) -> None:
    game = table()
    action = rolled(game, roll)
    game.does(ShiftFailure(action, game.villain, "drama"))
    adds(game, action, added)
    takes(game, action, taken)
    assert told(game, action).level == level


# --- step 4 ---


@pytest.mark.parametrize("roll", [None, *ROLLS])
@pytest.mark.parametrize(
    ("taken", "total", "level"), [(0, 2, "marginal"), (1, 1, "near"), (2, 0, "failure"), (3, 0, "failure")]
)
def test_a_free_marginal_success_replaces_the_dice(roll: str | None, taken: int, total: int, level: str) -> None:
    """Rolled or not, it is Marginal; it may be lowered, at most to a Failure that is never spectacular."""
    game = table()
    action = game.acts(game.hero)
    game.does(PlayBeads(action, game.hero, "free_marginal"))
    if roll is not None:
        game.rolls(action, *ROLLS[roll])
    takes(game, action, taken)
    said = told(game, action)
    assert (said.net, said.level) == (total, level)


@pytest.mark.parametrize(
    ("number", "element", "outcome"),
    [
        (0, "action", "moc.bead.use no-beads-played"),
        (1, "action", FINE),
        (2, "action", "moc.bead.use one-bead-only"),
        (-1, "action", "moc.bead.use negative-beads"),
        (1, "plot", "moc.bead.use wrong-element"),
    ],
)
def test_exactly_one_bead_buys_it(number: int, element: str, outcome: str) -> None:
    game = table()
    game.gives(game.hero, "bead:plot", 2)
    action = game.acts(game.hero)
    assert refusal(game, PlayBeads(action, game.hero, "free_marginal", number, element)) == outcome


def test_it_is_not_increased_in_any_way() -> None:
    """Successes and white chips are refused; dice raised by a card do nothing. After the roll it is too late for it."""
    game = table()
    game.gives(game.hero, "chip:white", 1)
    action = game.acts(game.hero)
    game.does(PlayBeads(action, game.hero, "free_marginal"))
    game.rolls(action, *ROLLS["outstanding"])
    fixed = f"{RESOLVE} free-success-fixed"
    for do in (
        PlayBeads(action, game.hero, "add_successes"),
        PlayBeads(action, game.enigma, "storytelling", successes=1),
        ClaimSuccess(action, game.hero),
    ):
        assert refusal(game, do) == fixed
    game.does(inputs_of_play.PlayCard(action, game.hero, "8C", (CardPoints(0, 8),)))
    assert told(game, action).level == "marginal"
    late = rolled(game, "near")
    assert refusal(game, PlayBeads(late, game.hero, "free_marginal")) == "moc.bead.use already-rolled"


@pytest.mark.parametrize("roll", ROLLS)
@pytest.mark.parametrize("when", ["before the roll", "after it"])
def test_where_the_bead_is_trumped_the_dice_stand(roll: str, when: str) -> None:
    game = table()
    action = game.acts(game.hero)
    bead = game.new(PlayBeads(action, game.hero, "free_marginal"))
    trump = Trump(action, game.villain, bead, "QC")
    if when == "before the roll":
        game.does(trump)
        assert refusal(game, Resolve(action)) == f"{RESOLVE} roll-not-completed"
    game.rolls(action, *ROLLS[roll])
    if when == "after it":
        game.does(trump)
    assert told(game, action).level == roll


# --- steps 5 and 6 ---


@pytest.mark.parametrize("roll", ROLLS)
@pytest.mark.parametrize(
    ("added", "shifted", "trumps", "level"),
    [
        (0, False, 1, "failure"),
        (2, False, 1, "failure"),
        (0, True, 1, "failure"),
        (0, False, 2, "as it was"),
    ],
)
def test_a_trumped_action_is_a_failure_never_spectacular(
    roll: str, added: int, shifted: bool, trumps: int, level: str
) -> None:
    """Cancelling the trump restores what it cancelled."""
    game = table()
    action = rolled(game, roll)
    adds(game, action, added)
    if shifted:
        game.does(ShiftFailure(action, game.villain, "drama"))
    trump = game.new(Trump(action, game.hero, "roll", "8C", allowed=True))
    if trumps == 2:
        game.does(Trump(action, game.villain, trump, "QC"))
    said = told(game, action)
    assert said.level == (roll if level == "as it was" else level)
    assert trumps == 2 or said.net == 0


@pytest.mark.parametrize("trumped", [False, True])
@pytest.mark.parametrize(
    ("roll", "outcome"),
    [
        (None, FINE),
        ("spectacular_failure", FINE),
        ("failure", FINE),
        ("near", FINE),
        ("marginal", FINE),
        ("success", f"{GATE} already-success"),
        ("outstanding", f"{GATE} already-success"),
    ],
)
def test_a_white_chip_makes_a_success_of_less(roll: str | None, trumped: bool, outcome: str) -> None:
    game = table()
    game.gives(game.hero, "chip:white", 1)
    action = game.acts(game.hero)
    if roll is not None:
        game.rolls(action, *ROLLS[roll])
    if trumped:
        game.does(Trump(action, game.hero, "roll", "8C", allowed=True))
    claim = ClaimSuccess(action, game.hero)
    assert refusal(game, claim) == (FINE if trumped else outcome)
    if not trumped and outcome:
        return
    game.does(claim)
    said = told(game, action)
    assert (said.net, said.level, game.chips(game.hero)) == (3, "success", {})


@pytest.mark.parametrize(
    ("held", "chip", "approved", "outcome"),
    [
        ({"white": 1}, "white", None, FINE),
        ({"white": 1}, "white", False, f"{GATE} gm-approval-needed"),
        ({}, "white", None, f"{GATE} chips-not-held"),
        ({"red": 1, "blue": 1}, "white", None, f"{GATE} chips-not-held"),
        ({"white": 1, "red": 1}, "red", None, f"{GATE} chips-not-held"),
        ({"white": 1, "blue": 1}, "blue", None, f"{GATE} chips-not-held"),
        ({"white": 1}, "green", None, f"{GATE} unknown-chip"),
    ],
)
def test_no_other_colour_makes_one(held: dict[str, int], chip: str, approved: bool | None, outcome: str) -> None:
    game = table()
    for colour, number in held.items():
        game.gives(game.hero, f"chip:{colour}", number)
    action = rolled(game, "near")
    assert refusal(game, ClaimSuccess(action, game.hero, chip=chip, approved=approved)) == outcome


# --- step 7, moc.level.required ---


@pytest.mark.parametrize("roll", ROLLS)
@pytest.mark.parametrize("required", ROLLS)
def test_it_passes_at_the_level_that_was_required(roll: str, required: str) -> None:
    game = table()
    done = game.does(Resolve(rolled(game, roll, required=required)))
    assert the(done, "ActionResolved").passes is (NUMBERS[roll] >= NUMBERS[required])
    assert steps(done, "moc.level.required") == [NUMBERS[roll] >= NUMBERS[required]]


@pytest.mark.parametrize(
    ("tn", "near", "marginal", "success", "outstanding"),
    [(2, 2, 3, 4, 5), (6, 6, 7, 8, 9), (7, 7, 8, 9, 10), (9, 9, 10, 11, 12), (11, 11, 12, 13, 14)],
)
def test_the_number_each_level_takes(tn: int, near: int, marginal: int, success: int, outstanding: int) -> None:
    found = {level: numbers.number_for(tn, level) for level in (1, 2, 3, 4)}
    assert found == {1: near, 2: marginal, 3: success, 4: outstanding}
    game = table()
    for level, needed in (("near", near), ("marginal", marginal), ("success", success), ("outstanding", outstanding)):
        action = game.acts(game.hero, required=level, needed=needed)
        assert game.scene(game.place).actions[action].parts[0].roll.tn == tn
        game.rolls(action, 2, 2, 2, 2, 2)
        cited = [one for one in game.does(Resolve(action)).because if one.rule == "moc.level.required"]
        assert [one.given["number"] for one in cited] == [needed]


@pytest.mark.parametrize("level", ["failure", "spectacular_failure", 0, -1])
def test_no_number_belongs_to_a_failure(level: Any) -> None:
    game = table()
    do = inputs_of_actions.DeclareAction(game.hero, required=level, needed=7)
    assert refusal(game, do) == "moc.level.required no-number-for-level"
