"""3.11: every way of Experience Dice: from which account to which, and how many."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from ledger.rules.kernel.commands import CloseSession, Enrol, OpenSession
from ledger.rules.scattershot.awards import AwardDice, CountCoup, GiveCoolBeans, ReplaceCoolBeans
from ledger.rules.scattershot.cashing_in import CashIn, Develop
from ledger.rules.scattershot.conditions import SetOffGuard
from ledger.rules.scattershot.declaring import DeclareAction
from ledger.rules.scattershot.engaging import AnswerEngagement, Oppose
from ledger.rules.scattershot.experience import ContributeDie
from ledger.rules.scattershot.game import Attend
from ledger.rules.scattershot.gimmes import ClaimGimme, ClaimPayback
from ledger.rules.scattershot.listings import ListExpectation
from ledger.rules.scattershot.plot_devices import DeviceDie, PlotDevice
from ledger.rules.scattershot.proprietorship import IntroduceElement
from ledger.rules.scattershot.reactions import ExtraDie, ReactOffGuard
from ledger.rules.scattershot.rolls import CloseOpportunity, RollMib
from ledger.rules.scattershot.state import Advantage, Sheet
from ledger.rules.scattershot.totals import CloseDecision
from tests.rules.scattershot.game import Game

ANN, BOB, CID, OGRE = "1", "2", "3", "4"
DEXTERITY = {"advantage": "Dexterity"}
WHOLE = {"unopposed_dice": "whole-roll"}
TO_STOCK = {"self_against": "to-stock"}
STOCK = None  # the Gamemaster's, too: what reaches that purse goes to the stock


@pytest.mark.parametrize("handover", ["after-decision", "immediate"])
@pytest.mark.parametrize(
    ("kind", "by", "sign", "target", "opposed", "dials", "to"),
    [
        ("own", "ann", 1, "actor", True, {}, "bob/xd"),
        ("own", "ann", 1, "actor", False, {}, STOCK),
        ("own", "ann", -1, "actor", True, {}, "ann/xd"),
        ("own", "ann", -1, "actor", True, TO_STOCK, STOCK),
        ("own", "ann", -1, BOB, True, {}, "bob/xd"),
        ("own", "ann", -1, "actor", True, WHOLE, "ann/xd"),
        ("own", "bob", 1, BOB, True, {}, "ann/xd"),
        ("own", "bob", 1, "actor", True, {}, "bob/xd"),
        ("own", "bob", 1, "actor", True, TO_STOCK, STOCK),
        ("own", "cid", -1, "actor", False, {}, "ann/xd"),
        ("own", "cid", -1, "actor", False, WHOLE, STOCK),
        ("own", "gm", 1, "actor", True, {"gm_dice": "stock"}, "bob/xd"),
        ("own", "gm", -1, "actor", True, {"gm_dice": "stock"}, "ann/xd"),
        ("freebie", "ann", 1, "actor", True, {}, "bob/xd"),
        ("freebie", "ann", 1, "actor", False, {}, STOCK),
        ("freebie", "ann", 1, "actor", True, {"freebie_routing": "to-stock"}, STOCK),
        ("loaner", "ann", 1, "actor", True, {}, "bob/xd:saved:ann"),
        ("loaner", "ann", 1, "actor", False, {}, "gm/xd:saved:ann"),
        ("loaner", "ann", -1, "actor", True, {}, "gm/xd:saved:ann"),
        ("loaner", "cid", 1, BOB, True, {}, "ann/xd:saved:cid"),
        ("loaner", "gm", 1, "actor", True, {}, "bob/xd:saved:gm"),
    ],
)
def test_where_a_die_goes(kind, by, sign, target, opposed, dials, to, handover):
    game = Game(dice_handover=handover, **dials)
    if kind == "own" and by != "gm":
        game.dice(by, 1)
    id = game.decision(ANN, oppose={BOB: "agility"} if opposed else None)
    more = DEXTERITY if kind == "freebie" else {}
    game.does(ContributeDie(id, kind, 4, sign, target, **more), by=by)
    for side in ("actor", BOB) if opposed else ("actor",):
        game.does(RollMib(id, side, (5, 5)))
    game.does(CloseDecision(id))
    assert lying(game) == ({f"seat:{to}": 1} if to else {})
    assert {game.karmic(one) for one in ("ann", "bob", "cid", "gm") if one != by} == {0}
    assert game.karmic(by) == (-1 if kind == "loaner" else 0)


def lying(game: Game) -> dict[str, int]:
    """Return the dice outside the stock."""
    seats = ("gm", "ann", "bob", "cid")
    places = [f"seat:{one}/xd" for one in seats]
    places += [f"seat:{one}/xd:saved:{other}" for one in seats for other in seats]
    found = {place: game.balance(place) for place in (*places, f"scene:{game.scene_id}/xd")}
    return {place: n for place, n in found.items() if n}


# --- every way, in the accounts of the specification -----------------------------------------------------------------

#: Who does it, and what; the scene is ruling 5, so the first step is "6", and a resolution or gift that it begins.
Step = tuple[str, Any]
Moves = dict[str, int]


def gm(*do: Any) -> tuple[Step, ...]:
    return tuple(("gm", one) for one in do)


def war(id: str, *bids: Step, opposed: bool = True, who: str = ANN, **more: Any) -> tuple[Step, ...]:
    """Play a whole Action with these dice in it. Bob opposes it."""
    answer = AnswerEngagement(id, BOB, Oppose("against it", "agility"))
    sides = ("actor", BOB) if opposed else ("actor",)
    return (
        *gm(DeclareAction(who, "an Action", engages=(BOB,) if opposed else (), **more), *[answer][: len(sides) - 1]),
        *gm(CloseOpportunity(id)),
        *bids,
        *gm(*(RollMib(id, side, (5, 5)) for side in sides), CloseDecision(id)),
    )


def into(id: str, kind: str = "own", sign: int = 1, target: str = "actor", **more: Any) -> ContributeDie:
    return ContributeDie(id, kind, 3, sign, target, **more)


def device(by: str, *dice: DeviceDie, **more: Any) -> tuple[Step, ...]:
    return ((by, PlotDevice("a flood", dice, **more)),)


def suffering(value: int) -> Enrol[Sheet]:
    return Enrol("Sufferer", "ann", Sheet(disadvantages=(Advantage("Lame", value),)))


THREE = gm(AwardDice("ann", 3))
AWAY = gm(OpenSession(), Attend(("gm", "bob")))
GIFT = (*THREE, ("ann", GiveCoolBeans("bob", 2)))
DECIDING = gm(DeclareAction(ANN, "an Action"), CloseOpportunity("6"))
VILLAIN, DEATHTRAP = ListExpectation("the villain", "gimme", 3), ListExpectation("the trap", "gimme")
OWN, OWED = DeviceDie("own", 3), DeviceDie("loaner", 3)
#: Rulings 6 to 12: Ann borrows against Bob, who saves it.
BORROWED = war("6", ("ann", into("6", "loaner")))
SAVED, USED = DeviceDie("saved", 3, "ann"), into("13", "saved", -1, borrower="ann")
NEXT = gm(DeclareAction(ANN, "an Action"), CloseOpportunity("13"))
FOUR = (  # Ann's dice: two of her own, a Loaner, a Freebie; and one of Bob's
    *gm(AwardDice("ann", 2), AwardDice("bob", 1)),
    *war(
        "8",
        ("ann", into("8")),
        ("ann", into("8")),
        ("ann", into("8", "loaner")),
        ("ann", into("8", "freebie", advantage="Dexterity")),
        ("bob", into("8", sign=-1)),
    ),
)
SESSION = gm(OpenSession())
IN_SESSION = (*SESSION, *war("7", ("ann", into("7", "loaner"))))
CLOSED = gm(CloseSession("6"))
BRIDGE: tuple[Step, ...] = (("bob", IntroduceElement("the bridge")),)

#: Ann, with three dice, is Off-Guard towards Bob, who strikes.
STARTLED = (*THREE, *gm(SetOffGuard(ANN, (BOB,)), DeclareAction(BOB, "a blow", engages=(ANN,))))


def reaction(*signs: int) -> tuple[Step, ...]:
    dice = tuple(ExtraDie(3, sign) for sign in signs)
    return (("ann", ReactOffGuard("8", ANN, (4, 4), experience=dice)),)


#: Dials; what was done before; what is done; what it moves.
WAYS: tuple[tuple[dict[str, Any], tuple[Step, ...], tuple[Step, ...], Moves], ...] = (
    # --- awards, gifts and what replaces them, coups
    ({}, (), gm(AwardDice("ann")), {"stock": -1, "purse:ann": 1}),
    ({}, (), gm(AwardDice("ann", 5)), {"stock": -5, "purse:ann": 5}),
    ({"stock_size": 5}, (), gm(AwardDice("ann", 5)), {"stock": -5, "purse:ann": 5}),
    ({}, AWAY, gm(AwardDice("ann", 2)), {"stock": -2, "purse:ann": 2}),
    ({}, THREE, GIFT[1:], {"purse:ann": -2, "purse:bob": 2}),
    ({}, THREE, (("ann", GiveCoolBeans("bob", 3)),), {"purse:ann": -3, "purse:bob": 3}),
    ({}, THREE, (("ann", GiveCoolBeans("gm", 2)),), {"purse:ann": -2, "stock": 2}),
    ({}, GIFT, gm(ReplaceCoolBeans("7", 1)), {"stock": -1, "purse:ann": 1}),
    ({}, GIFT, gm(ReplaceCoolBeans("7", 2)), {"stock": -2, "purse:ann": 2}),
    ({}, GIFT, gm(ReplaceCoolBeans("7", 1), ReplaceCoolBeans("7", 1)), {"stock": -2, "purse:ann": 2}),
    ({}, (*THREE, ("ann", GiveCoolBeans("gm", 2))), gm(ReplaceCoolBeans("7", 2)), {"stock": -2, "purse:ann": 2}),
    ({}, (), (("gm", CountCoup("bob", 3, player="ann")),), {"stock": -4, "purse:bob": 3, "purse:ann": 1}),
    ({}, (), (("gm", CountCoup("ann", 3, player="ann")),), {"stock": -4, "purse:ann": 4}),
    ({"coup_extra": 0}, (), (("gm", CountCoup("bob", 3, player="ann")),), {"stock": -3, "purse:bob": 3}),
    (
        {"coup_extra": 2},
        (),
        (("gm", CountCoup("bob", 1, player="ann")),),
        {"stock": -3, "purse:bob": 1, "purse:ann": 2},
    ),
    # --- Gimmes: the value, 1, or what is between them
    *(
        ({}, gm(suffering(value)), gm(ClaimGimme("6", "Lame", None, grade)), {"stock": -n, "purse:ann": n})
        for value, grade, n in (
            (1, "solid", 1),
            (2, "solid", 2),
            (6, "solid", 6),
            (2, "minor", 1),
            (6, "minor", 1),
            (3, "mediocre", 2),
            (4, "mediocre", 3),
            (5, "mediocre", 3),
            (6, "mediocre", 4),
        )
    ),
    ({}, gm(VILLAIN), gm(ClaimGimme(ANN, None, "the villain")), {"stock": -3, "purse:ann": 3}),
    ({}, gm(DEATHTRAP), gm(ClaimGimme(ANN, None, "the trap")), {"stock": -1, "purse:ann": 1}),
    ({}, gm(VILLAIN), gm(ClaimGimme(OGRE, None, "the villain")), {}),
    # --- Paybacks: every die that the claimant rolled into it
    ({}, FOUR, (("gm", ClaimPayback("8", player="ann")),), {"stock": -4, "purse:ann": 4}),
    ({}, FOUR, (("gm", ClaimPayback("8", interest=True, player="ann")),), {"stock": -5, "purse:ann": 5}),
    ({}, FOUR, (("gm", ClaimPayback("8", player="bob")),), {"stock": -1, "purse:bob": 1}),
    ({"payback_minimum": 6}, FOUR, (("gm", ClaimPayback("8", player="ann")),), {"stock": -6, "purse:ann": 6}),
    ({"payback_minimum": 0}, (), (("gm", ClaimPayback(None, "a cue", player="cid")),), {}),
    (
        {"payback_interest": 2},
        FOUR,
        (("gm", ClaimPayback("8", interest=True, player="bob")),),
        {"stock": -3, "purse:bob": 3},
    ),
    ({}, (), (("gm", ClaimPayback(None, "a cue", player="bob")),), {"stock": -1, "purse:bob": 1}),
    ({}, (), (("gm", ClaimPayback(None, "a cue", True, player="bob")),), {"stock": -2, "purse:bob": 2}),
    (
        {},
        (),
        (("gm", ClaimPayback(None, "a cue", player="bob")), ("gm", ClaimPayback(None, "a cue", player="ann"))),
        {"stock": -2, "purse:bob": 1, "purse:ann": 1},
    ),
    ({}, (), gm(ClaimPayback(None, "a cue")), {}),
    # --- cashing in: one for each point
    ({}, (), gm(CashIn(ANN, "Fencing", 1)), {"stock": -1, "purse:ann": 1, "invested:1": -1}),
    ({}, (), gm(CashIn(ANN, "Fencing", 4)), {"stock": -4, "purse:ann": 4, "invested:1": -4}),
    ({}, (), gm(CashIn(ANN, "agility", 3)), {"stock": -3, "purse:ann": 3, "invested:1": -3}),
    ({}, (), gm(CashIn(ANN, "Keen Eyes", 2)), {"stock": -2, "purse:ann": 2, "invested:1": -2}),
    ({}, (), gm(CashIn(CID, "Whistling", 1)), {"stock": -1, "purse:cid": 1, "invested:3": -1}),
    ({}, (), gm(CashIn(OGRE, "strength", 2)), {"invested:4": -2}),
    # --- development: own dice are gone, Loaners are the Gamemaster's to save
    ({}, THREE, (("ann", Develop(ANN, 3, faces=(1, 1, 3))),), {"purse:ann": -3, "stock": 3}),
    ({}, THREE, (("ann", Develop(ANN, 1, faces=(6,))),), {"purse:ann": -1, "stock": 1, "points:1": 1}),
    ({}, THREE, (("ann", Develop(ANN, 3, faces=(3, 3, 3))),), {"purse:ann": -3, "stock": 3, "points:1": 1}),
    ({}, (), (("ann", Develop(ANN, 0, 2, faces=(4, 6))),), {"karmic:ann": -2, "saved:gm:ann": 2, "points:1": 2}),
    (
        {},
        THREE,
        (("ann", Develop(ANN, 2, 1, faces=(6, 6, 5))),),
        {"purse:ann": -2, "stock": 2, "karmic:ann": -1, "saved:gm:ann": 1, "points:1": 3},
    ),
    *(
        (
            {},
            (),
            (("ann", Develop(ANN, 0, 6, faces=(6, 6, 2, 1, 1, more))),),
            {"karmic:ann": -6, "saved:gm:ann": 6, "points:1": points},
        )
        for more, points in ((1, 3), (2, 4), (5, 4), (6, 5))
    ),
    # --- into a MIB: first they lie on the table
    (
        {},
        (*THREE, *gm(DeclareAction(ANN, "an Action"), CloseOpportunity("7"))),
        (("ann", into("7")),),
        {"purse:ann": -1, "table": 1},
    ),
    ({}, DECIDING, (("ann", into("6", "freebie", advantage="Dexterity")),), {"stock": -1, "table": 1}),
    ({}, DECIDING, (("bob", into("6", "loaner", -1)),), {"karmic:bob": -1, "table": 1}),
    (
        {"dice_handover": "immediate"},
        DECIDING,
        (("bob", into("6", "loaner", -1)),),
        {"karmic:bob": -1, "saved:ann:bob": 1},
    ),
    ({"gm_dice": "stock"}, DECIDING, gm(into("6")), {"stock": -1, "table": 1}),
    ({}, (), FOUR, {"stock": -4, "purse:ann": 1, "purse:bob": 3, "karmic:ann": -1, "saved:bob:ann": 1}),
    (
        {},
        BRIDGE,
        war("7", ("ann", into("7", "loaner")), opposed=False, subject="the bridge"),
        {"karmic:ann": -1, "saved:bob:ann": 1},
    ),
    (
        {},
        (),
        war("6", ("ann", into("6", "loaner")), opposed=False, subject=OGRE),
        {"karmic:ann": -1, "saved:gm:ann": 1},
    ),
    ({}, (), war("6", ("ann", into("6", "loaner")), opposed=False, subject=ANN), {"karmic:ann": -1, "saved:gm:ann": 1}),
    (
        {},
        gm(ListExpectation("the escape", "freebie", 2)),
        war("7", *[("ann", into("7", "freebie", expectation="the escape"))] * 2),
        {"stock": -2, "purse:bob": 2},
    ),
    # --- into a Reaction: its total is called at once
    ({}, STARTLED, reaction(1, 1), {"purse:ann": -2, "stock": 2}),
    ({}, STARTLED, reaction(1, -1), {"purse:ann": -1, "stock": 1}),
    ({}, STARTLED, reaction(-1), {}),
    ({"self_against": "to-stock"}, STARTLED, reaction(-1), {"purse:ann": -1, "stock": 1}),
    ({}, (*STARTLED, *reaction(1, 1)), (("gm", ClaimPayback("8", player="ann")),), {"stock": -2, "purse:ann": 2}),
    # --- Loaners used against the borrower, or not
    ({}, (*BORROWED, *NEXT), (("bob", USED),), {"saved:bob:ann": -1, "table": 1}),
    (
        {},
        (*BORROWED, *NEXT, ("bob", USED)),
        gm(RollMib("13", "actor", (5, 5)), CloseDecision("13")),
        {"table": -1, "karmic:ann": 1},
    ),
    ({"dice_handover": "immediate"}, (*BORROWED, *NEXT), (("bob", USED),), {"saved:bob:ann": -1, "karmic:ann": 1}),
    (
        {"loaner_repaid": "keeper"},
        (*BORROWED, *NEXT),
        (("bob", USED), *gm(RollMib("13", "actor", (5, 5))), *gm(CloseDecision("13"))),
        {"saved:bob:ann": -1, "purse:ann": 1, "stock": -1, "karmic:ann": 1},
    ),
    (
        {},
        (*BORROWED, *gm(IntroduceElement("the sword", persona=ANN))),
        war("14", ("bob", into("14", "saved", borrower="ann")), opposed=False, who=BOB, subject="the sword"),
        {"saved:bob:ann": -1, "karmic:ann": 1},
    ),
    ({}, IN_SESSION, CLOSED, {"saved:bob:ann": -1, "karmic:ann": 1}),
    ({"loaner_expiry": "carry"}, IN_SESSION, CLOSED, {}),
    (
        {"loaner_expiry": "keep"},
        IN_SESSION,
        CLOSED,
        {"saved:bob:ann": -1, "purse:bob": 1, "stock": -1, "karmic:ann": 1},
    ),
    (
        {"loaner_expiry": "keep"},
        (*SESSION, ("ann", Develop(ANN, 0, 2, faces=(1, 1)))),
        CLOSED,
        {"saved:gm:ann": -2, "karmic:ann": 2},
    ),
    # --- plot devices
    ({}, THREE, device("ann", OWN, OWN, target="bob"), {"purse:ann": -2, "table": 2}),
    ({}, THREE, (*device("ann", OWN, OWN, target="bob"), *gm(CloseDecision("7"))), {"purse:ann": -2, "purse:bob": 2}),
    (
        {},
        (*THREE, *device("ann", OWN, OWN, OWED, target="bob")),
        (("gm", ClaimPayback("7", player="ann")),),
        {"stock": -3, "purse:ann": 3},
    ),
    ({}, THREE, (*device("ann", OWN, subject=BOB), *gm(CloseDecision("7"))), {"purse:ann": -1, "purse:bob": 1}),
    ({}, THREE, (*device("ann", OWN), *gm(CloseDecision("7"))), {"purse:ann": -1, "stock": 1}),
    ({}, THREE, (*device("ann", OWN, target="ann"), *gm(CloseDecision("7"))), {"purse:ann": -1, "stock": 1}),
    ({}, THREE, (*device("ann", OWN, target="gm"), *gm(CloseDecision("7"))), {"purse:ann": -1, "stock": 1}),
    (
        {},
        THREE,
        (*device("bob", OWED, target="cid"), ("ann", into("7", sign=-1)), ("ann", into("7")), *gm(CloseDecision("7"))),
        {"karmic:bob": -1, "saved:cid:bob": 1, "purse:ann": -2, "purse:bob": 1, "purse:cid": 1},
    ),
    ({}, (), (*device("ann", OWED), *gm(CloseDecision("6"))), {"karmic:ann": -1, "saved:gm:ann": 1}),
    (
        {},
        BORROWED,
        (*device("bob", SAVED, target="ann"), *gm(CloseDecision("13"))),
        {"saved:bob:ann": -1, "karmic:ann": 1},
    ),
)


@pytest.mark.parametrize(("dials", "before", "done", "expected"), WAYS)
def test_every_way(dials, before, done, expected):
    game = Game(**dials)
    for by, do in before:
        game.does(do, by=by)
    earlier = lying(game)
    moved: Counter[str] = Counter()
    for by, do in done:
        for about in game.does(do, by=by).facts:
            for posting in about.postings:
                assert posting.amount > 0
                moved[posting.source] -= posting.amount
                moved[posting.target] += posting.amount
    found = specified(moved)
    assert found == expected
    assert sum(n for account, n in found.items() if not account.startswith(("points", "invested"))) == 0
    now = lying(game)
    assert all(now.get(at, 0) - earlier.get(at, 0) == moved[at] for at in {*now, *earlier})


def specified(moved: Counter[str]) -> Moves:
    """Return the specification's accounts: there, a Loaner comes from a karmic account and not from the stock."""
    found: Counter[str] = Counter()
    for account, n in moved.items():
        owner, _, piece = account.partition("/")
        who = owner.partition(":")[2]
        match piece.split(":"):
            case ["xd"] if owner == "bank":
                found["stock"] += n
            case ["xd"]:
                found["table" if owner.startswith("scene") else f"purse:{who}"] += n
            case ["xd", "saved", borrower]:
                found[f"saved:{who}:{borrower}"] += n
            case ["karmic"] if owner != "bank":
                found[f"karmic:{who}"] -= n
                found["stock"] += n
            case ["dp", *invested] if owner != "bank":
                found[f"{'invested' if invested else 'points'}:{who}"] += n
    return {account: n for account, n in found.items() if n}
