"""Movement: metres by way of moving, half moves that work or are fumbled, and what a fumble costs a dodge."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.subjects import character
from ledger.rules.moc.actions import DeclareAction
from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.characters import Sheet
from ledger.rules.moc.deciding import ShiftFailure
from ledger.rules.moc.draft import Approve, Veto
from ledger.rules.moc.negotiating import ApproveTrait, ProposeTrait
from ledger.rules.moc.resolving import Resolve
from ledger.rules.moc.rolling import DeclareSuccesses, RollDice, TakeOffSuccesses
from ledger.rules.moc.turns import Move
from tests.rules.moc.cited import found, refusal, steps
from tests.rules.moc.game import Game, buys, the

RATE, HALF, FUMBLE = "moc.move.rate", "moc.move.half-action", "moc.move.fumble"
DODGE = "-1 level of dodge"


def runner(body: int, speed: int, **more: Any) -> tuple[Game, str]:
    game = Game(begin=False)
    id = game.enrol("Somebody", Sheet("hero", {"body": body, "Sp": speed}, **more), "ann")
    return game, id


def table() -> Game:
    """Return a scene. Harry has Body 5 and Sp 3: ML 11. Santana has beads."""
    game = Game()
    game.place = game.scene_begins(game.hero, game.enigma, game.villain)
    return game


# --- moc.move.rate ---


@pytest.mark.parametrize(
    ("body", "speed", "primary", "secondary"),
    [(1, 1, 3, 2), (1, 5, 11, 6), (3, 2, 7, 5), (5, 1, 7, 6), (5, 3, 11, 8), (2, 4, 10, 6), (4, 4, 12, 8)],
)
def test_metres_a_turn(body: int, speed: int, primary: int, secondary: int) -> None:
    """2 x Sp + Body, and Sp + Body. Ratings count, so damage and fatigue slow nobody down."""
    game, id = runner(body, speed)
    for _ in range(2):
        for mode, metres in (("primary", primary), ("secondary", secondary)):
            done = game.does(Move(id, mode))
            assert (the(done, "MovementMade").metres, steps(done, RATE)) == (metres, [metres])
        game.sets(id, "damage", 5)
        game.sets(id, "fatigue", 2)


@pytest.mark.parametrize(("metres", "worth", "cost"), [(9, 3, 360), (30, "3/2", 180), (1, 0, 0)])
def test_a_way_to_move_is_bought_with_its_metres(metres: int, worth: Any, cost: int) -> None:
    game, id = runner(3, 2)
    before = game.points(id)
    game.does(Buy(id, buys("movement", "wings", metres, worth=worth)))
    assert before - game.points(id) == cost
    assert the(game.does(Move(id, "wings")), "MovementMade").metres == metres
    assert game.view(character(id))["movement"]["wings"] == metres
    game.does(Buy(id, buys("movement", "wings", metres + 5, worth=1)))
    assert the(game.does(Move(id, "wings")), "MovementMade").metres == metres + 5


@pytest.mark.parametrize(
    ("name", "metres", "worth", "outcome"),
    [
        ("", 9, 1, f"{RATE} movement-needs-name"),
        ("primary", 9, 1, f"{RATE} movement-needs-name"),
        ("wings", 0, 1, "moc.char.raise not-a-raise"),
        ("wings", -1, 1, "moc.char.cost negative-level"),
        ("wings", 9, -1, f"{RATE} value-not-positive"),
    ],
)
def test_a_way_to_move_has_a_name_and_metres(name: str, metres: int, worth: Any, outcome: str) -> None:
    game, id = runner(3, 2)
    assert refusal(game, Buy(id, buys("movement", name, metres, worth=worth))) == outcome


@pytest.mark.parametrize("effect", ["9", "30", "fast"])
def test_a_number_in_the_text_of_a_trait_makes_no_way_to_move(effect: str) -> None:
    game, id = runner(3, 2)
    trait = game.new(ProposeTrait(id, "wings", effect, 3))
    game.does(ApproveTrait(id, trait))
    assert refusal(game, Move(id, "wings")) == f"{RATE} unknown-movement-mode"


@pytest.mark.parametrize(("mode", "metres"), [("primary", 7), ("secondary", 5), ("wings", 20)])
def test_a_half_move_moves_in_the_way_that_is_named(mode: str, metres: int) -> None:
    game, id = runner(3, 2)
    game.does(Buy(id, buys("movement", "wings", 20)))
    game.scene_begins(id)
    action = game.acts(id, roll_kind="movement", mode=mode)
    game.rolls(action, 8, 8, 8)
    made = the(game.does(Resolve(action)), "MovementMade")
    assert (made.mode, made.metres) == (mode, metres)


def test_an_action_names_no_way_to_move_that_there_is_not() -> None:
    game, id = runner(3, 2)
    game.scene_begins(id)
    assert refusal(game, DeclareAction(id, roll_kind="movement", mode="wings")) == f"{RATE} unknown-movement-mode"


@pytest.mark.parametrize("mode", ["", "Primary", "running", "tertiary"])
def test_other_modes_there_are_not(mode: str) -> None:
    game, id = runner(3, 2)
    assert refusal(game, Move(id, mode)) == f"{RATE} unknown-movement-mode"


# --- moc.move.half-action ---


@pytest.mark.parametrize(
    ("faces", "opposed", "level", "moved", "penalty"),
    [
        ((9, 9, 2, 2, 2), False, "outstanding", True, ""),
        ((7, 2, 2, 2, 2), False, "near", True, ""),
        ((6, 5, 4, 3, 2), False, "failure", True, ""),
        ((6, 5, 4, 3, 1), False, "spectacular_failure", True, DODGE),
        ((7, 5, 4, 3, 1), False, "near", True, ""),
        ((6, 5, 4, 3, 2), True, "failure", False, ""),
        ((6, 5, 4, 3, 1), True, "spectacular_failure", False, ""),
        ((9, 5, 4, 3, 2), True, "near", False, ""),
    ],
)
def test_unopposed_it_works_unless_fumbled(
    faces: tuple[int, ...], opposed: bool, level: str, moved: bool, penalty: str
) -> None:
    """If somebody resists, the result is more than metres."""
    game = table()
    move = game.acts(game.hero, roll_kind="movement", opposed=opposed)
    game.rolls(move, *faces)
    done = game.does(Resolve(move))
    assert the(done, "ActionResolved").level == level
    assert [(one.metres, one.penalty) for one in found(done, "MovementMade")] == [(11, penalty)] * moved
    assert steps(done, FUMBLE) == [-1] * (penalty == DODGE)
    assert steps(done, HALF) == [penalty or "moved"] * moved


@pytest.mark.parametrize("required", ["spectacular_failure", "failure", "near"])
@pytest.mark.parametrize(("faces", "level"), [((6, 5, 4, 3, 2), 0), ((6, 5, 4, 3, 1), -1), ((7, 5, 4, 3, 2), 1)])
def test_whether_it_passes_is_another_thing(required: str, faces: tuple[int, ...], level: int) -> None:
    game = table()
    move = game.acts(game.hero, roll_kind="movement", required=required)
    game.rolls(move, *faces)
    done = game.does(Resolve(move))
    least = {"spectacular_failure": -1, "failure": 0, "near": 1}[required]
    assert the(done, "ActionResolved").passes is (level >= least)
    assert len(found(done, "MovementMade")) == 1


@pytest.mark.parametrize(
    ("spent", "moved"),
    [(None, True), ({"element": "drama"}, False), ({"chip": "white"}, False), ({"chip": "blue"}, False)],
)
def test_an_em_of_an_opponents_leaves_it_to_the_game_master(spent: dict[str, str] | None, moved: bool) -> None:
    game = table()
    for chip in ("white", "blue"):
        game.gives(game.villain, f"chip:{chip}", 1)
    move = game.acts(game.hero, roll_kind="movement")
    game.rolls(move, 6, 5, 4, 3, 1)
    if spent is not None:
        game.does(ShiftFailure(move, game.villain, **spent))
    done = game.does(Resolve(move, penalty=""))
    assert bool(found(done, "MovementMade")) is moved
    assert steps(done, HALF) == [DODGE if moved else "the game master decides"]


@pytest.mark.parametrize(
    ("side", "use", "moved"),
    [
        ("ally", "add_dice", True),
        ("ally", "reduce_difficulty", True),
        ("foe", "add_dice", False),
        ("ally", "storytelling", False),
        ("foe", "storytelling", False),
        ("nobody", "", True),
    ],
)
def test_only_an_opponents_em_leaves_it_to_the_game_master(side: str, use: str, moved: bool) -> None:
    """An opponent is of the other side, or removes a success. An ally who adds to the move is none."""
    game = Game(helping=True, bead_element_gate="open")
    game.place = game.scene_begins(game.hero, game.enigma, game.villain)
    who = game.villain if side == "foe" else game.enigma
    for element in ("action", "storytelling"):
        game.gives(who, f"bead:{element}", 1)
    move = game.acts(game.hero, roll_kind="movement")
    if use == "storytelling":
        game.does(PlayBeads(move, who, use, 1, successes=-1))
    elif use:
        game.does(PlayBeads(move, who, use, 1, "action"))
    dice = next(n for n in range(5, 9) if not refusal(game, RollDice(move, 0, (1,) * n)))
    game.rolls(move, *(1,) * dice)
    done = game.does(Resolve(move))
    assert the(done, "ActionResolved").level == "spectacular_failure"
    assert bool(found(done, "MovementMade")) is moved


@pytest.mark.parametrize(
    ("named", "said", "by", "penalty"),
    [
        ("", (), "ann", DODGE),
        ("a torn coat", (), "gm", "a torn coat"),
        ("a torn coat", (Approve(),), "ann", "a torn coat"),
        ("a torn coat", (Veto(),), "ann", DODGE),
    ],
)
@pytest.mark.parametrize(("taken", "net"), [(0, 3), (1, 3), (2, 2), (3, 1)])
def test_a_fumble_costs_a_level_of_dodge_or_what_is_agreed(
    named: str, said: tuple[Any, ...], by: str, penalty: str, taken: int, net: int
) -> None:
    """`moc.move.fumble`: it lowers cancelled successes until the turn ends, but never below 0."""
    game = table()
    move = game.acts(game.hero, roll_kind="movement", required="failure")
    game.rolls(move, 6, 5, 4, 3, 1)
    assert the(game.does(Resolve(move, penalty=named), *said, by=by), "MovementMade").penalty == penalty
    dodge = game.acts(game.hero, roll_kind="dodge")
    game.rolls(dodge, 8, 8, 8, 2, 2)
    attack = game.acts(game.villain, roll_kind="to_hit")
    game.rolls(attack, 8, 8, 8)
    game.does(DeclareSuccesses(attack, game.hero, 3))
    done = game.does(TakeOffSuccesses(attack, game.hero, taken, 0, dodge))
    lowered = penalty == DODGE
    assert the(done, "SuccessesTakenOff").net == (net if lowered else 3 - taken)
    assert steps(done, FUMBLE) == [-1] * lowered
