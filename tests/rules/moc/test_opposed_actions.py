"""Opposed Actions: declaring, cancelling and saving successes, beads that add some, and who sees the dice."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.subjects import scene
from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.deciding import ShiftFailure
from ledger.rules.moc.hands import DrawHand
from ledger.rules.moc.resolving import Resolve
from ledger.rules.moc.rolling import DeclareSuccesses, TakeOffSuccesses
from ledger.rules.moc.trumps import Trump
from tests.rules.moc.cited import FINE, refusal, steps
from tests.rules.moc.game import Game, the

NET = "moc.opposed.net"
MORE, NOTHING, NEGATIVE = f"{NET} declares-more-than-rolled", f"{NET} nothing-declared", f"{NET} negative-successes"


def table(**dials: Any) -> Game:
    """Return a scene. Harry rolls five dice, Santana three, Rissh two. Each has Action beads."""
    game = Game(**dials)
    game.session_begins()
    game.does(DrawHand(game.enigma, ("8C", "KS"), ("8C", "KS")))
    game.place = game.scene_begins(game.hero, game.enigma, game.villain)
    for id in (game.enigma, game.villain):
        game.gives(id, "bead:action", 3)
    return game


def hits(count: int, of: int, low: int = 2) -> tuple[int, ...]:
    """Return dice of which this many reach 7."""
    return (8,) * count + (low,) * (of - count)


def attacks(game: Game, successes: int, low: int = 2, **more: Any) -> str:
    action = game.acts(game.hero, roll_kind="to_hit", **more)
    game.rolls(action, *hits(successes, 5, low))
    return action


def dodges(game: Game, id: str, successes: int, **more: Any) -> str:
    dodge = game.acts(id, roll_kind="dodge", **more)
    game.rolls(dodge, *hits(successes, game.character(id).ratings["body"]))
    return dodge


# --- what is declared ---


@pytest.mark.parametrize(
    ("rolled", "declared", "outcome"),
    [
        (0, (0,), NOTHING),
        (0, (1,), MORE),
        (1, (1,), FINE),
        (1, (2,), MORE),
        (3, (-1,), NEGATIVE),
        (3, (1.5,), NEGATIVE),
        (3, (3,), FINE),
        (3, (4,), MORE),
        (3, (1, 1, 1), FINE),
        (3, (2, 1), FINE),
        (3, (2, 2), MORE),
        (3, (3, 1), MORE),
        (5, (3, 1, 1), FINE),
        (5, (3, 1, 2), MORE),
        (5, (5, 1), MORE),
    ],
)
def test_no_more_is_declared_than_is_left_of_the_roll(rolled: int, declared: tuple[Any, ...], outcome: str) -> None:
    """The last declaration counts; earlier ones are on other targets of the same action."""
    game = table()
    action = attacks(game, rolled)
    for number in declared[:-1]:
        game.does(DeclareSuccesses(action, game.villain, number))
    assert refusal(game, DeclareSuccesses(action, game.enigma, declared[-1])) == outcome


@pytest.mark.parametrize(
    ("rolled", "declared", "saved"),
    [(5, (), 5), (5, (5,), 0), (5, (3,), 2), (5, (3, 1), 1), (5, (3, 1, 1), 0), (0, (), 0)],
)
def test_what_is_not_used_is_saved(rolled: int, declared: tuple[int, ...], saved: int) -> None:
    """Saved successes can be used later in the same action, and end with it."""
    game = table()
    action = attacks(game, rolled)
    for number in declared:
        game.does(DeclareSuccesses(action, game.villain, number))
    assert the(game.does(Resolve(action)), "ActionResolved").reserve == saved
    over = refusal(game, DeclareSuccesses(action, game.villain, 1))
    assert over == "moc.level.resolve action-closed"


@pytest.mark.parametrize(
    ("attack", "dodge", "successes", "off"), [(7, 7, 3, 2), (8, 7, 3, 2), (9, 7, 0, 2), (7, 9, 3, 0), (2, 2, 5, 3)]
)
def test_each_side_has_its_own_target_number(attack: int, dodge: int, successes: int, off: int) -> None:
    game = table()
    action = attacks(game, 3, tn=attack)
    defence = dodges(game, game.villain, 2, tn=dodge)
    assert refusal(game, DeclareSuccesses(action, game.villain, successes + 1)) == MORE
    if successes:
        game.does(DeclareSuccesses(action, game.villain, successes))
        assert refusal(game, TakeOffSuccesses(action, game.villain, off + 1, 0, defence)) == MORE
        assert refusal(game, TakeOffSuccesses(action, game.villain, off, 0, defence)) == FINE


# --- what is taken off ---


@pytest.mark.parametrize("declared", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("taken", [0, 1, 2, 3])
def test_the_net_is_what_is_left_and_never_below_nothing(declared: int, taken: int) -> None:
    """`moc.opposed.net`: the level is that of the net."""
    game = table()
    action, defence = attacks(game, 5), dodges(game, game.villain, taken)
    game.does(DeclareSuccesses(action, game.villain, declared))
    off = game.does(TakeOffSuccesses(action, game.villain, taken, 0, defence))
    net = max(0, declared - taken)
    assert (the(off, "SuccessesTakenOff").net, steps(off, NET)) == (net, [net])
    said = the(game.does(Resolve(action)), "ActionResolved")
    level = ("failure", "near", "marginal", "success", "outstanding")[min(4, net)]
    assert (said.net, said.targets, said.level) == (net, {game.villain: net}, level)


@pytest.mark.parametrize(
    ("rolled", "taken", "outcome"),
    [
        (0, (0,), FINE),
        (0, (1,), MORE),
        (2, (-1,), NEGATIVE),
        (2, (2,), FINE),
        (2, (3,), MORE),
        (2, (1, 1), FINE),
        (2, (1, 2), MORE),
        (2, (2, 1), MORE),
        (2, (2, 0), FINE),
        (3, (1, 1, 1), FINE),
        (3, (1, 1, 2), MORE),
    ],
)
def test_a_resister_defends_again_with_what_is_left(rolled: int, taken: tuple[int, ...], outcome: str) -> None:
    """The same defence works against one attack after another, until the defender's next action."""
    game = table()
    defence = dodges(game, game.villain, rolled)
    for place, number in enumerate(taken, 1):
        action = attacks(game, 2)
        game.does(DeclareSuccesses(action, game.villain, 2))
        do = TakeOffSuccesses(action, game.villain, number, 0, defence)
        if place < len(taken):
            game.does(do)
        else:
            assert refusal(game, do) == outcome


@pytest.mark.parametrize(
    ("case", "outcome"),
    [
        ("a dodge", FINE),
        ("one that is not rolled", f"{NET} roll-not-completed"),
        ("none", MORE),
        ("nothing is declared", NOTHING),
        ("another's", f"{NET} unknown-action"),
        ("one before its last action", f"{NET} defence-over"),
        ("a part there is not", "moc.split.divide unknown-part"),
    ],
)
def test_a_defence_is_rolled_and_its_own(case: str, outcome: str) -> None:
    game = table()
    action = attacks(game, 3)
    if case != "nothing is declared":
        game.does(DeclareSuccesses(action, game.villain, 2))
    defence = game.acts(game.villain, roll_kind="dodge")
    if case != "one that is not rolled":
        game.rolls(defence, 8, 2, 2)
    if case == "another's":
        defence = dodges(game, game.enigma, 1)
    if case == "one before its last action":
        game.acts(game.villain)
    place = 1 if case == "a part there is not" else 0
    do = TakeOffSuccesses(action, game.villain, 1, 0, "" if case == "none" else defence, place)
    assert refusal(game, do) == outcome


def test_whoever_has_rolled_nothing_takes_nothing_off() -> None:
    game = table()
    action = attacks(game, 3)
    game.does(DeclareSuccesses(action, game.villain, 3))
    assert the(game.does(TakeOffSuccesses(action, game.villain, 0)), "SuccessesTakenOff").net == 3


# --- beads ---


@pytest.mark.parametrize(
    ("rolled", "beads", "number", "of_beads", "outcome"),
    [
        (2, 2, 2, 2, FINE),
        (2, 2, 3, 0, MORE),
        (2, 2, 3, 1, MORE),
        (2, 2, 2, 3, MORE),
        (2, 0, 2, 1, MORE),
        (0, 2, 0, 2, FINE),
        (0, 2, 1, 1, MORE),
        (0, 2, 0, 3, MORE),
        (2, 2, 0, -1, NEGATIVE),
    ],
)
def test_beads_come_on_top_of_the_dice_openly(
    rolled: int, beads: int, number: int, of_beads: int, outcome: str
) -> None:
    """On both sides, successes from beads are separate from those rolled, and limited."""
    game = table()
    action = attacks(game, rolled)
    if beads:
        game.does(PlayBeads(action, game.hero, "add_successes", beads))
    assert refusal(game, DeclareSuccesses(action, game.villain, number, of_beads)) == outcome
    other = attacks(game, 5)
    game.does(DeclareSuccesses(other, game.villain, 5))
    defence = dodges(game, game.villain, rolled)
    if beads:
        game.does(PlayBeads(defence, game.villain, "add_successes", beads))
    assert refusal(game, TakeOffSuccesses(other, game.villain, number, of_beads, defence)) == outcome


# --- levels ---


@pytest.mark.parametrize(
    ("rolled", "low", "beads", "taken", "shifted", "level"),
    [
        (1, 2, 0, 1, False, "failure"),
        (1, 1, 0, 1, False, "failure"),
        (1, 1, 0, 1, True, "failure"),
        (0, 2, 1, 1, False, "failure"),
        (0, 1, 1, 1, False, "spectacular_failure"),
        (0, 2, 1, 1, True, "spectacular_failure"),
        (0, 1, 1, 0, True, "near"),
        (0, 1, 2, 0, False, "marginal"),
        (2, 1, 2, 0, False, "outstanding"),
        (2, 1, 2, 3, False, "near"),
    ],
)
def test_a_net_of_nothing_is_spectacular_where_the_own_dice_had_none(
    rolled: int, low: int, beads: int, taken: int, shifted: bool, level: str
) -> None:
    game = table()
    action = attacks(game, rolled, low)
    if beads:
        game.does(PlayBeads(action, game.hero, "add_successes", beads))
    game.does(DeclareSuccesses(action, game.villain, rolled, beads))
    if taken:
        game.does(TakeOffSuccesses(action, game.villain, taken, 0, dodges(game, game.villain, taken)))
    if shifted:
        game.does(ShiftFailure(action, game.villain, "drama"))
    assert game.level(action) == level


@pytest.mark.parametrize("declared", [False, True])
def test_a_trumped_attack_has_nothing_left_on_anybody(declared: bool) -> None:
    game = table()
    action = attacks(game, 4, 1)
    if declared:
        game.does(DeclareSuccesses(action, game.villain, 4))
    game.does(Trump(action, game.enigma, "roll", "8C", allowed=True))
    assert refusal(game, DeclareSuccesses(action, game.villain, 1)) == MORE
    said = the(game.does(Resolve(action)), "ActionResolved")
    assert (said.net, said.level, said.reserve) == (0, "failure", 0)
    assert said.targets == ({game.villain: 0} if declared else {})


# --- secrecy ---


@pytest.mark.parametrize("kind", ["to_hit", "opposed", "dodge"])
@pytest.mark.parametrize(
    ("seat", "before"), [("gm", True), ("ann", True), ("bob", False), ("cleo", False), ("dora", False)]
)
def test_who_sees_the_dice_until_the_action_closes(kind: str, seat: str, before: bool) -> None:
    """The roller and the game master see them; after that, everybody does."""
    game = table()
    action = game.acts(game.hero, roll_kind=kind)
    done = game.rolls(action, 7, 8, 9, 3, 2)
    assert {about.audience for about in done.facts} == {("gm", f"character:{game.hero}")}
    for seen, closed in ((before, False), (True, True)):
        if closed:
            game.does(Resolve(action))
        (shown,) = game.view(scene(game.place), seat)["actions"]
        assert (shown["parts"][0]["faces"] == (7, 8, 9, 3, 2)) is seen
        assert shown["parts"][0]["rolled"]


@pytest.mark.parametrize("seat", ["bob", "cleo"])
def test_who_does_not_see_a_roll_declares_nothing_of_it(seat: str) -> None:
    game = table()
    action = attacks(game, 3)
    for number in (1, 3, 4, 9):
        assert refusal(game, DeclareSuccesses(action, game.villain, number), by=seat) == f"{NET} roll-not-seen"
