"""Levels of success: free Marginal Successes, trumped actions, white chips: steps 4 to 6 of `moc.level.resolve`."""

from __future__ import annotations

import pytest

from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.cards import CardPoints
from ledger.rules.moc.cards_on_dice import PlayCard
from ledger.rules.moc.deciding import ClaimSuccess, ShiftFailure
from ledger.rules.moc.resolving import Resolve
from ledger.rules.moc.trumps import Trump
from tests.rules.moc.cited import FINE, refusal
from tests.rules.moc.levels import RESOLVE, ROLLS, adds, rolled, table, takes, told

GATE = "moc.chip.automatic-success"


# --- step 4 ---


@pytest.mark.parametrize("roll", [None, *ROLLS])
@pytest.mark.parametrize(
    ("taken", "total", "level"), [(0, 2, "marginal"), (1, 1, "near"), (2, 0, "failure"), (3, 0, "failure")]
)
def test_a_free_marginal_success_replaces_the_dice(roll: str | None, taken: int, total: int, level: str) -> None:
    """It is Marginal with or without a roll. It can be lowered to a Failure, which is never spectacular."""
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
    """Successes and white chips are refused, and dice raised by a card do nothing. After the roll it is too late."""
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
    game.does(PlayCard(action, game.hero, "8C", (CardPoints(0, 8),)))
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
