"""Splitting Dice Pools: the order, what a failure pre-empts, and what goes back from parts never attempted."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.cards import CardPoints
from ledger.rules.moc.cards_on_dice import PlayCard
from ledger.rules.moc.resolving import Resolve
from ledger.rules.moc.stacks import SubPool
from tests.rules.moc.cited import FINE, found, refusal
from tests.rules.moc.splits import acts, dice, table

DIVIDE, PREEMPT = "moc.split.divide", "moc.split.pre-empt"


@pytest.mark.parametrize(
    ("faces", "required", "waived", "resolved", "preempted"),
    [
        ((7, 7, 7), ("near", "near", "near"), (), (0, 1, 2), ()),
        ((2, 7, 7), ("near", "near", "near"), (), (0,), (1, 2)),
        ((1, 7, 7), ("near", "near", "near"), (), (0,), (1, 2)),
        ((7, 2, 7), ("near", "near", "near"), (), (0, 1), (2,)),
        ((7, 7, 2), ("near", "near", "near"), (), (0, 1, 2), ()),
        ((2, 7, 7), ("failure", "near", "near"), (), (0, 1, 2), ()),
        ((1, 7, 7), ("failure", "near", "near"), (), (0,), (1, 2)),
        ((7, 7, 7), ("marginal", "near", "near"), (), (0,), (1, 2)),
        ((8, 7, 7), ("marginal", "success", "near"), (), (0, 1), (2,)),
        ((2, 7, 7), ("near", "near", "near"), (0,), (0, 1, 2), ()),
        ((2, 2, 7), ("near", "near", "near"), (0,), (0, 1), (2,)),
        ((2, 2, 2), ("near", "near", "near"), (0, 1), (0, 1, 2), ()),
    ],
)
def test_the_first_that_does_not_pass_ends_the_rest(
    faces: tuple[int, ...],
    required: tuple[str, ...],
    waived: tuple[int, ...],
    resolved: tuple[int, ...],
    preempted: tuple[int, ...],
) -> None:
    game = table()
    action = game.acts(game.hero, parts=tuple(SubPool(1, required=one) for one in required))
    done, gone = [], []
    for part, face in enumerate(faces):
        game.rolls(action, face, part=part)
    for part in range(3):
        if refusal(game, Resolve(action, part)) == FINE:
            verdict = game.does(Resolve(action, part, waive=part in waived))
            done += [one.part for one in found(verdict, "ActionResolved")]
            gone += [place for one in found(verdict, "ActionsPreempted") for place in one.parts]
            assert len(found(verdict, "PreemptionWaived")) == (part in waived)
    assert (tuple(done), tuple(gone)) == (resolved, preempted)


@pytest.mark.parametrize(
    ("part", "outcome"),
    [
        (None, FINE),
        (0, FINE),
        (1, f"{PREEMPT} out-of-order"),
        (2, f"{PREEMPT} out-of-order"),
        (3, f"{DIVIDE} unknown-part"),
        (-1, f"{DIVIDE} unknown-part"),
    ],
)
def test_they_are_resolved_in_order(part: int | None, outcome: str) -> None:
    game = table()
    action = game.acts(game.hero, parts=acts(3))
    for place in range(3):
        game.rolls(action, 7, part=place)
    assert refusal(game, Resolve(action, part)) == outcome


@pytest.mark.parametrize(("by", "outcome"), [("gm", FINE), ("ann", f"{PREEMPT} gm-approval-needed")])
def test_the_game_master_waives_it(by: str, outcome: str) -> None:
    game = table()
    action = game.acts(game.hero, parts=acts(2))
    game.rolls(action, 2)
    assert refusal(game, Resolve(action, waive=True), by=by) == outcome


@pytest.mark.parametrize(
    ("use", "more", "part", "back"),
    [
        ("free_marginal", {}, 1, True),
        ("add_dice", {}, 1, True),
        ("reduce_difficulty", {"number": 3}, 1, True),
        ("storytelling", {"element": "storytelling"}, 1, True),
        ("other", {"effect": "a rope"}, 1, True),
        ("add_dice", {}, 0, False),
        ("reduce_difficulty", {}, 0, False),
    ],
)
def test_what_was_never_attempted_gives_its_beads_back(use: str, more: dict[str, Any], part: int, back: bool) -> None:
    """`moc.story.action-beads`: beads on the failed part stay spent."""
    game = table()
    game.gives(game.hero, "bead:storytelling", 1)
    before = game.beads(game.hero)
    action = game.acts(game.hero, parts=acts(2))
    game.does(PlayBeads(action, game.hero, use, part=part, **more))
    assert game.beads(game.hero) != before
    game.rolls(action, *(2,) * dice(game, action))
    game.does(Resolve(action))
    assert (game.beads(game.hero) == before) is back


@pytest.mark.parametrize(
    ("points", "back"), [(((0, 0),), False), (((0, 1),), True), (((0, 1), (0, 2)), True), (((0, 0), (0, 2)), False)]
)
def test_a_card_on_them_alone_comes_back(points: tuple[tuple[int, int], ...], back: bool) -> None:
    """(die, sub-pool): a card that was also played on the failed part was used."""
    game = table()
    action = game.acts(game.hero, parts=acts(3))
    game.does(PlayCard(action, game.hero, "8C", tuple(CardPoints(die, 1, part) for die, part in points)))
    game.rolls(action, 2)
    game.does(Resolve(action))
    assert ("8C" in game.character(game.hero).hand) is back
