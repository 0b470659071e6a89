"""3.5, 3.6, 3.11: how many Challenges, Benefits and dice are allowed: each limit, and one more."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.commands import OpenSession
from ledger.rules.scattershot.awards import GiveCoolBeans, ReplaceCoolBeans
from ledger.rules.scattershot.challenges import TakeBenefit, TakeChallenge
from ledger.rules.scattershot.experience import ContributeDie, ExperienceDieRolled
from ledger.rules.scattershot.game import Attend
from ledger.rules.scattershot.rolls import CloseOpportunity, RollMib
from ledger.rules.scattershot.totals import CloseDecision, DecisionClosed, ExperienceDieHandedOver
from tests.rules.scattershot.game import Game, tried

ANN, BOB, CID = "1", "2", "3"
A = "actor"
RMIB: dict[str, Any] = {"contested_adjust": "rmib"}

# --- Challenges ------------------------------------------------------------------------------------------------------

#: The Epic Index; what both sides took before; whose the next is, and how many; how it ends.
CHALLENGES: tuple[tuple[int, tuple[tuple[str, int], ...], str, int, str], ...] = (
    (0, (), A, 1, "challenges-over-epic-index"),
    (0, (), BOB, 1, "challenges-over-epic-index"),
    (1, (), A, 1, "done"),
    (1, (), A, 2, "challenges-over-epic-index"),
    (1, ((A, 1),), A, 1, "challenges-over-epic-index"),
    (1, ((A, 1),), BOB, 1, "done"),
    (1, ((A, 1), (BOB, 1)), BOB, 1, "challenges-over-epic-index"),
    (3, ((A, 1), (A, 1)), A, 1, "done"),
    (3, ((A, 1), (A, 1)), A, 2, "challenges-over-epic-index"),
    (4, (), A, 4, "done"),
    (4, (), BOB, 4, "done"),
    (4, (), A, 5, "challenges-over-epic-index"),
    (4, (), BOB, 5, "challenges-over-epic-index"),
    (4, ((A, 2), (BOB, 4), (A, 1)), A, 1, "done"),  # freely alternating
    (4, ((A, 2), (BOB, 4), (A, 1)), A, 2, "challenges-over-epic-index"),
    (4, ((A, 4),), BOB, 4, "done"),
    (4, (), A, 0, "bad-number"),
    (4, (), A, -1, "bad-number"),
    (4, (), CID, 1, "no-such-roll"),
)


@pytest.mark.parametrize(("index", "before", "side", "n", "expected"), CHALLENGES)
def test_challenges_within_the_epic_index(index, before, side, n, expected):
    game = Game(epic_index=index)
    id = game.basic(2, {BOB: 1})
    for whose, taken in before:
        game.does(TakeChallenge(id, n=taken, side=whose))
    assert tried(game, TakeChallenge(id, n=n, side=side)) == expected


@pytest.mark.parametrize(
    ("mib", "challenges", "adjusted", "word"),
    [
        (-9, 4, -5, "failure"),
        (-6, 0, -6, "catastrophic-failure"),
        (-6, 1, -5, "failure"),  # only to escape a Catastrophic Failure
        (-10, 4, -6, "catastrophic-failure"),
        (-3, 2, -1, "failure"),
        (-3, 3, 0, "minimal-success"),
        (-3, 4, 1, "success"),
        (2, 3, 5, "success"),
        (2, 4, 6, "telling-blow"),
        (9, 4, 13, "telling-blow"),
    ],
)
def test_each_challenge_adds_one_below_zero_and_beyond(mib, challenges, adjusted, word):
    game = Game()
    id = game.basic(mib)
    for _ in range(challenges):
        game.does(TakeChallenge(id))
    found = game.outcome(id)
    assert (found.adjusted, found.outcome) == (adjusted, word)


# --- Benefits --------------------------------------------------------------------------------------------------------

#: Dials; the Actor's basic MIB and those of Bob and Cid, who oppose; Challenges by side; who spends; how many at most.
BENEFITS: tuple[tuple[dict[str, Any], int, tuple[int, ...], dict[str, int], str, int], ...] = (
    ({}, 3, (), {}, A, 3),
    ({}, 0, (), {}, A, 0),
    ({}, -2, (), {}, A, 0),
    ({}, -2, (), {A: 2}, A, 0),
    ({}, -2, (), {A: 4}, A, 2),
    ({}, 2, (), {A: 4}, A, 6),
    ({}, 9, (), {}, A, 9),  # beyond the Critical Juncture, too
    ({"epic_index": 0}, 9, (), {}, A, 9),
    ({}, 5, (3,), {}, A, 2),
    ({}, 5, (3,), {}, BOB, 0),
    ({}, 5, (5,), {}, A, 0),
    ({}, 5, (5,), {}, BOB, 0),
    ({}, 3, (5,), {}, BOB, 2),
    ({}, 3, (5,), {}, A, 0),
    ({}, 3, (5,), {A: 2}, BOB, 0),
    ({}, 3, (5,), {A: 3}, BOB, 0),
    ({}, 3, (5,), {A: 3}, A, 1),
    ({}, 3, (5,), {A: 3, BOB: 4}, BOB, 3),
    ({}, 5, (-4,), {}, A, 5),
    ({}, 5, (-4,), {BOB: 3}, A, 5),  # -1: still not subtracted
    ({}, 5, (-4,), {BOB: 4}, A, 5),  # 0
    ({}, 5, (-3,), {BOB: 4}, A, 4),
    ({}, -2, (3,), {}, BOB, 3),  # a lead of 5, a MIB of 3
    ({}, -2, (3,), {BOB: 1}, BOB, 4),
    ({}, -2, (-1,), {}, BOB, 0),
    ({}, -2, (-1,), {BOB: 1}, BOB, 0),
    ({}, -2, (-1,), {BOB: 3}, BOB, 2),
    ({}, -1, (-5,), {A: 1}, A, 0),
    ({}, -1, (-5,), {A: 3}, A, 2),
    ({}, 5, (1, 4), {}, A, 4),  # the highest of the two
    ({}, 5, (6, 7), {}, A, 0),
    ({}, 5, (6, 7), {}, BOB, 1),
    ({}, 5, (6, 7), {}, CID, 2),
    ({}, 5, (6, 7), {A: 1}, CID, 1),
    ({}, 5, (-1, 4), {}, A, 5),
    ({}, 5, (2, 7), {}, CID, 2),  # both ahead of somebody
    ({}, 5, (2, 7), {}, A, 3),
    (RMIB, 5, (3,), {}, A, 2),
    (RMIB, 3, (5,), {}, BOB, 2),
    (RMIB, 3, (5,), {A: 3}, A, 1),
    (RMIB, 5, (-4,), {BOB: 3}, A, 2),  # its Challenges count against the RMIB itself
    (RMIB, -2, (3,), {}, BOB, 5),
    (RMIB, -2, (-1,), {}, BOB, 2),
    (RMIB, -2, (-1,), {A: 2}, BOB, 0),
)


@pytest.mark.parametrize(("dials", "mib", "others", "challenges", "side", "most"), BENEFITS)
def test_benefits_at_most(dials, mib, others, challenges, side, most):
    game = Game(**dials)
    id = game.basic(mib, dict(zip((BOB, CID), others, strict=False)))
    for whose, n in challenges.items():
        game.does(TakeChallenge(id, n=n, side=whose))
    assert game.refuses(TakeBenefit(id, n=most + 1, side=side)) == "benefits-overspent"
    for _ in range(most):
        game.does(TakeBenefit(id, side=side))
    assert game.refuses(TakeBenefit(id, side=side)) == "benefits-overspent"


@pytest.mark.parametrize(
    ("mib", "benefits", "adjusted", "remaining", "automatic", "word"),
    [
        (9, 0, 9, 6, 3, "telling-blow"),
        (9, 2, 7, 6, 1, "telling-blow"),
        (9, 3, 6, 6, 0, "telling-blow"),
        (9, 4, 5, 5, 0, "success"),
        (9, 9, 0, 0, 0, "minimal-success"),
        (6, 1, 5, 5, 0, "success"),
    ],
)
def test_what_is_spent_counts_before_the_cap(mib, benefits, adjusted, remaining, automatic, word):
    game = Game()
    id = game.basic(mib)
    for _ in range(benefits):
        game.does(TakeBenefit(id))
    found = game.outcome(id)
    assert (found.adjusted, found.remaining, found.auto_benefits, found.outcome) == (
        adjusted,
        remaining,
        automatic,
        word,
    )


# --- bidding wars ----------------------------------------------------------------------------------------------------

D10 = "the 2d10"
#: Ann's Agility is 12 and Bob's 10; both roll 5 and 5, so without dice the MIBs are 2 and 0.
#: Dials; who adds or subtracts which die, before or after the 2d10; the Actor's MIB, the Resistor's, the RMIB.
Bids = tuple[tuple[str, str, int, int, str] | str, ...]
WARS: tuple[tuple[dict[str, Any], Bids, tuple[int, int, int]], ...] = (
    ({}, (D10,), (2, 0, 2)),
    ({}, (D10, ("ann", "own", 1, 4, A)), (6, 0, 6)),
    ({}, (("ann", "own", 1, 4, A), D10), (6, 0, 6)),  # preempting: it counts the same
    ({}, (("cid", "own", -1, 6, A), D10, ("ann", "own", 1, 6, A)), (2, 0, 2)),
    ({}, (D10, ("cid", "own", -1, 6, A)), (-4, 0, -4)),  # a bystander, whose Persona has no part in it
    ({}, (D10, ("cid", "own", 1, 3, BOB)), (2, 3, -1)),
    ({}, (D10, ("cid", "own", 1, 3, BOB), ("cid", "own", 1, 3, A)), (5, 3, 2)),  # on both sides
    ({}, (D10, ("cid", "own", -1, 3, BOB)), (2, -3, 2)),
    ({}, (D10, ("ann", "own", -1, 3, A)), (-1, 0, -1)),  # the roller picks the sign
    ({}, (D10, ("gm", "loaner", 1, 5, A)), (7, 0, 7)),
    ({"gm_dice": "stock"}, (("gm", "own", -1, 5, A), D10), (-3, 0, -3)),
    ({}, (D10, *[("ann", "own", 1, 6, A), ("bob", "own", -1, 6, A)] * 6), (2, 0, 2)),  # no limit
    ({}, (D10, *[("cid", "loaner", 1, 6, A)] * 12), (74, 0, 74)),
    ({}, (*[("bob", "own", 1, 1, BOB)] * 3, D10, *[("cid", "own", 1, 6, BOB)] * 2), (2, 15, -13)),
    ({"preempt": "replace"}, (("ann", "own", 1, 5, A), D10), (7, 0, 7)),  # who may replace need not
)


@pytest.mark.parametrize(("dials", "bids", "expected"), WARS)
def test_bidding_wars(dials, bids, expected):
    """Every die is recorded and handed over separately."""
    game = Game(**dials)
    for player in ("ann", "bob", "cid"):
        game.dice(player, 12)
    id = game.decision(ANN, oppose={BOB: "agility"})
    rolled = []
    for bid in bids:
        if isinstance(bid, str):
            for side in (A, BOB):
                game.does(RollMib(id, side, (5, 5)))
            continue
        by, kind, sign, face, target = bid
        told = game.only(game.does(ContributeDie(id, kind, face, sign, target), by=by), ExperienceDieRolled)
        assert (told.by, told.kind, told.sign, told.face, told.target) == bid
        rolled.append(told.die)
    closed = game.does(CloseDecision(id))
    told = game.only(closed, DecisionClosed)
    assert (told.basic_mibs[A], told.basic_mibs[BOB], told.rmib[BOB]) == expected
    handed = [one.fact.die for one in closed.facts if isinstance(one.fact, ExperienceDieHandedOver)]
    assert handed == rolled and len(set(rolled)) == len(rolled)


@pytest.mark.parametrize(
    ("before", "by", "expected"),
    [
        ((), "cid", "done"),
        ((), "o", "not-at-the-table"),
        ((OpenSession(), Attend(("gm", "ann", "bob"))), "cid", "not-at-the-table"),
        ((OpenSession(), Attend(("gm", "ann", "cid"))), "cid", "done"),
    ],
)
def test_any_player_present_joins(before, by, expected):
    game = Game()
    game.dice("cid", 1)
    for step in before:
        game.does(step)
    id = game.decision(ANN, oppose={BOB: "agility"})
    assert tried(game, ContributeDie(id, face=3), by) == expected


@pytest.mark.parametrize(
    ("phase", "expected"),
    [
        ("opportunity", "wrong-phase"),
        ("before the 2d10", "done"),
        ("after the 2d10", "done"),
        ("closed", "wrong-phase"),
    ],
)
def test_until_the_decision_phase_is_closed(phase, expected):
    game = Game()
    id = game.act(ANN)
    steps = {
        "opportunity": (),
        "before the 2d10": (CloseOpportunity(id),),
        "after the 2d10": (CloseOpportunity(id), RollMib(id, A, (5, 5))),
        "closed": (CloseOpportunity(id), RollMib(id, A, (5, 5)), CloseDecision(id)),
    }
    for step in steps[phase]:
        game.does(step)
    assert tried(game, ContributeDie(id, "loaner", 3), "cid") == expected


# --- gifts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("replaced", "n", "expected"),
    [
        ((), 3, "done"),
        ((), 4, "replacement-exceeds-gift"),
        ((2,), 1, "done"),
        ((2,), 2, "replacement-exceeds-gift"),
        ((1, 1), 1, "done"),
        ((1, 2), 1, "replacement-exceeds-gift"),
        ((3,), 1, "replacement-exceeds-gift"),
    ],
)
def test_a_gift_of_three_is_replaced_by_three_in_all(replaced, n, expected):
    game = Game()
    game.dice("ann", 6)
    gift = str(game.number)
    for _ in range(2):  # another one of the same size is its own
        game.does(GiveCoolBeans("bob", 3), by="ann")
    for earlier in replaced:
        game.does(ReplaceCoolBeans(gift, earlier))
    assert tried(game, ReplaceCoolBeans(gift, n)) == expected
