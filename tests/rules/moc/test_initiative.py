"""Initiative, To Hit: who acts when, with how many dice; and the target number of an attack."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.moves import allows
from ledger.rules.moc.actions import DeclareAction
from ledger.rules.moc.characters import SetStatus, Sheet
from ledger.rules.moc.damage import ApplyHarm
from ledger.rules.moc.hits import ScoreHit
from ledger.rules.moc.holdings import Purchase
from ledger.rules.moc.own_dice import UsePeriodDice
from ledger.rules.moc.rolling import DeclareSuccesses, TakeOffSuccesses
from ledger.rules.moc.scenes import EndTurn
from ledger.rules.moc.turns import RollInitiative
from tests.rules.moc.cited import FINE, refusal, steps
from tests.rules.moc.game import Game, the
from tests.rules.moc.test_moves import moves

ORDER, HIT = "moc.combat.initiative", "moc.combat.to-hit"
#: Three characters who each roll three dice: Body 2 and Sp 1.
PLAIN = Sheet("wildcard", {"body": 2})


def table(**dials: Any) -> tuple[Game, tuple[str, ...]]:
    game = Game(begin=False, **dials)
    three = tuple(game.enrol(name, PLAIN, seat) for name, seat in (("A", "ann"), ("B", "bob"), ("C", "cleo")))
    game.place = game.scene_begins(*three)
    return game, three


def _refused(game: Game, faces: dict[str, tuple[int, ...]]) -> bool:
    return refusal(game, RollInitiative(faces)) != FINE


# --- moc.combat.initiative ---


@pytest.mark.parametrize(
    ("a", "b", "c", "order"),
    [
        ((7, 2, 2), (6, 6, 6), (2, 2, 2), "A B C"),
        ((6, 6, 6), (7, 2, 2), (2, 2, 2), "B A C"),
        ((7, 2, 2), (7, 7, 2), (7, 7, 7), "C B A"),
        ((7, 7, 2), (9, 2, 2), (9, 9, 9), "C A B"),
        ((7, 6, 6), (7, 6, 5), (7, 5, 5), "A B C"),
        ((7, 2, 2), (8, 2, 2), (9, 2, 2), "C B A"),
        ((7, 3, 2), (8, 2, 2), (9, 2, 1), "A+B+C"),
        ((9, 2, 1), (8, 2, 2), (7, 4, 2), "C A+B"),
        ((2, 2, 2), (3, 2, 1), (3, 3, 1), "C A+B"),
        ((6, 6, 6), (6, 6, 6), (7, 1, 1), "C A+B"),
        ((9, 9, 1), (9, 8, 2), (8, 8, 3), "A+B+C"),
        ((1, 1, 1), (1, 1, 1), (1, 1, 1), "A+B+C"),
    ],
)
@pytest.mark.parametrize("resolution", ["mixed", "en", "count"])
def test_more_successes_first_then_the_greater_sum_else_at_once(
    resolution: str, a: tuple[int, ...], b: tuple[int, ...], c: tuple[int, ...], order: str
) -> None:
    """Dice are counted against 7, whatever the option for tasks."""
    game, three = table(resolution=resolution)
    names = dict(zip(three, "ABC", strict=True))
    done = the(game.does(RollInitiative(dict(zip(three, (a, b, c), strict=True)))), "InitiativeRolled")
    assert " ".join("+".join(names[id] for id in group) for group in done.groups) == order
    assert done.tn == 7


@pytest.mark.parametrize(
    ("faces", "bonus", "successes", "total"),
    [
        ((7, 7, 7), (), 3, 21),
        ((6, 6, 6), (), 0, 18),
        ((1, 1, 1), (), 0, 3),
        ((10, 2, 2), (2,), 1, 16),
        ((10, 2, 2), (1,), 1, 16),
        ((10, 2, 2), (7,), 2, 21),
        ((10, 2, 2), (10, 1), 2, 26),
        ((10, 10, 10), (9, 9, 9), 6, 57),
    ],
)
def test_successes_and_sum_are_of_all_dice_as_they_read(
    faces: tuple[int, ...], bonus: tuple[int, ...], successes: int, total: int
) -> None:
    """Bonus dice are included, and their 1s count as 2."""
    game, (a, b, c) = table()
    done = game.does(RollInitiative({a: faces, b: (2, 2, 2), c: (2, 2, 2)}, {a: bonus}))
    assert the(done, "InitiativeRolled").results[a] == (successes, total)
    assert steps(done, ORDER)[0] == [successes, total]


@pytest.mark.parametrize(
    ("body", "speed", "damage", "pain", "fatigue", "count"),
    [
        (1, 1, 0, 0, 0, 2),
        (5, 3, 0, 0, 0, 8),
        (5, 3, 1, 0, 0, 8),
        (5, 3, 2, 0, 0, 7),
        (5, 3, 0, 3, 0, 6),
        (5, 3, 0, 0, 2, 6),
        (5, 3, 3, 0, 1, 5),
        (5, 3, 6, 0, 0, 3),
        (2, 4, 0, 0, 9, 4),
    ],
)
def test_the_dice_are_body_as_it_is_active_and_speed_without_a_token(
    body: int, speed: int, damage: int, pain: int, fatigue: int, count: int
) -> None:
    game = Game(begin=False)
    id = game.enrol("Somebody", Sheet("hero", {"body": body, "Sp": speed}), "ann")
    game.scene_begins(id)
    for field, value in (("damage", damage), ("pain_turn", pain), ("fatigue", fatigue)):
        game.sets(id, field, value)
    before = game.tokens(id)
    outcomes = [n for n in range(12) if not _refused(game, {id: (3,) * n})]
    game.does(RollInitiative({id: (3,) * count}))
    assert outcomes == [count] and game.tokens(id) == before


@pytest.mark.parametrize(
    ("faces", "bonus", "outcome"),
    [
        ((7, 7, 7), (), FINE),
        ((7, 7), (), "moc.dice.faces wrong-dice-count"),
        ((7, 7, 7, 7), (), "moc.dice.faces wrong-dice-count"),
        ((), (), "moc.dice.effect-number empty-pool"),
        ((0, 7, 7), (), "moc.dice.faces face-out-of-range"),
        ((11, 7, 7), (), "moc.dice.faces face-out-of-range"),
        ((10, 7, 7), (), "moc.dice.open-ended bonus-die-missing"),
        ((7, 7, 7), (3,), "moc.dice.open-ended unearned-bonus-die"),
        ((10, 7, 7), (3, 3), "moc.dice.open-ended unearned-bonus-die"),
    ],
)
def test_dice_typed_in(faces: tuple[int, ...], bonus: tuple[int, ...], outcome: str) -> None:
    game, (a, _, _) = table()
    assert refusal(game, RollInitiative({a: faces}, {a: bonus})) == outcome


@pytest.mark.parametrize(
    ("bonus", "outcome"),
    [((), FINE), ((3,), "moc.dice.effect-number empty-pool"), ((11,), "moc.dice.faces face-out-of-range")],
)
def test_bonus_dice_need_the_dice_that_add_them(bonus: tuple[int, ...], outcome: str) -> None:
    game, (a, _, _) = table()
    assert refusal(game, RollInitiative(bonus={a: bonus})) == outcome
    assert refusal(game, RollInitiative(bonus={"99": (3,)})) == "moc.combat.initiative unknown-character"


def test_only_those_involved_roll() -> None:
    game, (a, b, c) = table()
    do = RollInitiative({a: (2, 2, 2), c: (7, 2, 2)}, involved=(a, c))
    assert any(allows(move, RollInitiative(involved=(a, c))) for move in moves(game, "gm", RollInitiative))
    done = the(game.does(do), "InitiativeRolled")
    assert done.groups == ((c,), (a,)) and set(done.faces) == {a, c}
    assert the(game.does(RollInitiative({a: (2, 2, 2)}, involved=(a,))), "InitiativeRolled").groups == ((a,),)
    assert refusal(game, RollInitiative({b: (2, 2, 2)}, involved=(a,))) == f"{ORDER} unknown-character"
    for nobody in ("99", ""):
        assert refusal(game, RollInitiative(involved=(nobody,))) == f"{ORDER} unknown-character"


def test_who_plays_on_the_coming_roll_is_involved() -> None:
    game = Game(begin=False)
    bought = (Purchase("floating-dice", "", 1, period="scene"),)
    a = game.enrol("A", Sheet("hero", {"body": 2}, purchases=bought), "ann")
    b = game.enrol("B", PLAIN, "bob")
    game.place = game.scene_begins(a, b)
    game.does(UsePeriodDice("", "floating-dice:scene", 1, whose=a))
    done = the(game.does(RollInitiative({a: (7, 7, 7, 7), b: (2, 2, 2)}, involved=(b,))), "InitiativeRolled")
    assert done.groups == ((a,), (b,))


def test_each_principal_rolls_and_nobody_else() -> None:
    game, (a, b, c) = table()
    other = game.enrol("D", PLAIN, "ann")
    for id in (other, "99", ""):
        assert refusal(game, RollInitiative({id: (2, 2, 2)})) == f"{ORDER} unknown-character"
    game.does(SetStatus(c, "dead"))
    done = the(game.does(RollInitiative({a: (2, 2, 2), b: (7, 2, 2)})), "InitiativeRolled")
    assert done.groups == ((b,), (a,)), "the dead act no more"


def test_after_a_turn_it_is_called_for_anew_in_the_same_way() -> None:
    game, (a, b, c) = table()
    first = {a: (7, 7, 7), b: (2, 2, 2), c: (7, 2, 2)}
    game.does(RollInitiative(first))
    assert game.scene(game.place).order == ((a,), (c,), (b,))
    game.does(EndTurn())
    game.does(ApplyHarm(a, unresistible=5))
    again = {a: (2, 2), b: (7, 7, 7), c: (7, 2, 2)}
    assert refusal(game, RollInitiative(first)) == "moc.dice.faces wrong-dice-count"
    game.does(RollInitiative(again))
    assert game.scene(game.place).order == ((b,), (c,), (a,))


@pytest.mark.parametrize("by", ["ann", "bob"])
def test_without_a_scene_there_is_no_order(by: str) -> None:
    game = Game()
    assert refusal(game, RollInitiative(), by=by).endswith("no-scene")


# --- moc.combat.to-hit ---


@pytest.mark.parametrize(
    ("dial", "told", "number"),
    [
        ("gm", {}, 7),
        ("gm", {"tn": 9}, 9),
        ("gm", {"tn": 9, "ag": 1}, 9),
        ("ag_table", {"ag": 1}, 6),
        ("ag_table", {"ag": 2}, 7),
        ("ag_table", {"ag": 3}, 8),
        ("ag_table", {"ag": 4}, 9),
        ("ag_table", {"ag": 5, "tn": 2}, 10),
        ("ag_table", {"ag": 0}, f"{HIT} unknown-ag"),
        ("ag_table", {"ag": 6}, f"{HIT} unknown-ag"),
        ("ag_table", {"ag": -1}, f"{HIT} unknown-ag"),
        ("ag_table", {"ag": 1, "skill": "Firearms"}, 7),
        ("ag_table", {"ag": 3, "skill": "Firearms"}, 9),
    ],
)
def test_the_target_number_is_the_game_masters_or_by_the_ag(dial: str, told: dict[str, Any], number: Any) -> None:
    """The difficulty for the untrained is added here as well."""
    game, (a, _, _) = table(to_hit_tn=dial)
    do = DeclareAction(a, roll_kind="to_hit", **told)
    if isinstance(number, str):
        assert refusal(game, do) == number
        return
    assert the(game.does(do), "ActionDeclared").what.parts[0].roll.tn == number


@pytest.mark.parametrize(
    ("coordination", "number"), [(1, 6), (2, 7), (3, 8), (4, 9), (5, 10), (6, f"{HIT} unknown-ag")]
)
def test_an_ag_is_the_coordination_of_who_is_attacked_unless_another_is_said(coordination: int, number: Any) -> None:
    game, (a, _, _) = table(to_hit_tn="ag_table")
    other = game.enrol("D", Sheet("hero", {"C": coordination}, budget=100), "gm")
    do = DeclareAction(a, roll_kind="to_hit", defender=other)
    if isinstance(number, str):
        assert refusal(game, do) == number
    else:
        assert the(game.does(do), "ActionDeclared").what.parts[0].roll.tn == number
    said = DeclareAction(a, roll_kind="to_hit", defender=other, ag=4)
    assert the(game.does(said), "ActionDeclared").what.parts[0].roll.tn == 9


@pytest.mark.parametrize(
    ("declared", "taken", "outcome"),
    [
        (1, 0, FINE),
        (1, 1, f"{HIT} not-a-hit"),
        (2, 1, FINE),
        (2, 2, f"{HIT} not-a-hit"),
        (1, 2, f"{HIT} not-a-hit"),
        (2, 0, FINE),
    ],
)
def test_a_net_of_one_hits(declared: int, taken: int, outcome: str) -> None:
    game, (a, b, _) = table()
    attack, dodge = game.acts(a, roll_kind="to_hit"), game.acts(b, roll_kind="dodge")
    game.rolls(attack, 8, 8)
    game.rolls(dodge, *((8,) * taken + (2,) * (2 - taken)))
    game.does(DeclareSuccesses(attack, b, declared))
    game.does(TakeOffSuccesses(attack, b, taken, 0, dodge))
    assert refusal(game, ScoreHit(a, b, "Blade", action=attack)) == outcome


@pytest.mark.parametrize("more", [{}, {"base_time": 30, "time": 90}, {"half": True}, {"penalty": 2}])
@pytest.mark.parametrize(("dial", "offered"), [("ag_table", True), ("gm", False)])
def test_an_ag_is_offered_where_the_table_looks_it_up(more: dict[str, Any], dial: str, offered: bool) -> None:
    game, (a, _, _) = table(to_hit_tn=dial)
    for ag in ("2", 2):
        do = DeclareAction(a, skill="Firearms", roll_kind="to_hit", ag=ag, **more)
        assert refusal(game, do) == FINE
        assert any(allows(move, do) for move in moves(game, "gm", DeclareAction)) is offered
    for unknown in (9, "x"):
        do = DeclareAction(a, skill="Firearms", roll_kind="to_hit", ag=unknown, **more)
        assert not any(allows(move, do) for move in moves(game, "gm", DeclareAction))
