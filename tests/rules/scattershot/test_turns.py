"""3.12, 3.13: whose Turn it is, what a Turn allows, how long a Flurry lasts, how much Combat Advantage there is.

The scene is ruling 5. `FIGHT` is ruling 6, Bob's Turn ruling 7, and his first Action the resolution "8".
"""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.commands import CloseScene
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import scene
from ledger.rules.scattershot.actions import (
    AcceptFreeAction,
    ExpendAction,
    ForfeitAction,
    RestoreFreeActions,
    TakeFreeAction,
)
from ledger.rules.scattershot.advantage import ChangeFoe, CheckAdvantage, EraseAdvantage, HoldAdvantage, SeizeAdvantage
from ledger.rules.scattershot.challenges import TakeChallenge
from ledger.rules.scattershot.conditions import GoAllOut, SetOffGuard
from ledger.rules.scattershot.declaring import DeclareAction
from ledger.rules.scattershot.engaging import AnswerEngagement, Oppose
from ledger.rules.scattershot.flurries import InterruptFlurry, StartFlurry, StepFlurry
from ledger.rules.scattershot.game import SeatPlayers, ShiftMode
from ledger.rules.scattershot.joining import EndMechanicalPlay, JoinMechanicalPlay
from ledger.rules.scattershot.mechanical_play import (
    CallMechanicalPlay,
    EndRound,
    EndTurn,
    ScopeShifted,
    ShiftScope,
    StartTurn,
    TurnStarted,
)
from ledger.rules.scattershot.outcomes import ReachOutcome
from ledger.rules.scattershot.ratings import ApplyModifier
from ledger.rules.scattershot.reactions import ReactOffGuard
from ledger.rules.scattershot.rolls import CloseOpportunity, OpportunityClosed, RollMib
from ledger.rules.scattershot.state import Sheet
from ledger.rules.scattershot.totals import CloseDecision, DecisionClosed
from tests.rules.scattershot.game import Game, tried
from tests.rules.scattershot.offering import may

ANN, BOB, CID, OGRE = "1", "2", "3", "4"
SQUIRE, GOBLIN = "6", "7"  # Ann's second Persona, the Gamemaster's second Regular Character


def after(dials: dict[str, Any], before: tuple[Any, ...]) -> Game:
    game = Game(**dials)
    for step in before:
        game.does(step)
    return game


# --- whose Turn it is ------------------------------------------------------------------------------------------------

#: What was said before the call; who calls it; who is in it; whose Turn may begin, one set after the other.
ORDERS: tuple[tuple[tuple[Any, ...], str, str, list[str]], ...] = (
    ((), "bob", "1234", ["2", "1", "4", "3"]),  # seats clockwise: gm, ann, bob, cid
    ((), "gm", "1234", ["4", "3", "2", "1"]),
    ((), "ann", "1234", ["1", "4", "3", "2"]),
    ((), "cid", "4321", ["3", "2", "1", "4"]),  # in whatever order they were named
    ((), "bob", "134", ["1", "4", "3"]),  # the caller has nobody in it
    ((), "cid", "12", ["2", "1"]),
    ((), "ann", "3", ["3"]),
    ((), "bob", "12346", ["2", "16", "16", "4", "3"]),  # one Player finishes all of theirs, in an order of their own
    ((), "ann", "61", ["16", "16"]),
    ((), "gm", "1467", ["47", "47", "16", "16"]),
    ((SeatPlayers(("cid", "bob", "ann", "gm")),), "bob", "1234", ["2", "3", "4", "1"]),
    ((SeatPlayers(("bob", "gm")),), "gm", "1234", ["4", "2", "3", "1"]),  # who was not seated sits after them
)


@pytest.mark.parametrize(("before", "caller", "who", "expected"), ORDERS)
def test_the_order_of_turns(before, caller, who, expected):
    game = Game()
    game.enrol("Squire", Sheet(), "ann")
    game.enrol("Goblin", Sheet("regular"), "gm")
    for step in before:
        game.does(step)
    game.fight(*who, by=caller)
    for _ in range(2):
        taken: list[str] = []
        for allowed in expected:
            found = {one: refused(game, StartTurn(one)) for one in who}
            assert {one for one in who if found[one] is None} == set(allowed) - set(taken)
            assert {one for one in who if found[one] == "turn-already-taken"} == set(taken)
            assert set(found.values()) <= {None, "not-your-turn", "turn-already-taken"}
            assert game.refuses(EndRound()) == "turns-outstanding"
            one = next(one for one in reversed(allowed) if one not in taken)
            game.turn(one)
            taken.append(one)
        game.does(EndRound())


def refused(game: Game, do: Any) -> str | None:
    """Return the refusal's code, or None. Nothing is recorded."""
    try:
        game.begin(do)
    except Refused as no:
        return no.code
    return None


# --- what a Turn allows ----------------------------------------------------------------------------------------------

FIGHT = (CallMechanicalPlay((ANN, BOB, CID, OGRE), caller="bob"),)
TURN = (*FIGHT, StartTurn(BOB))
BLOW = DeclareAction(BOB, "a blow", "Brawl", engages=(ANN,), nature="attack")
ENGAGED = (*TURN, BLOW)
NEXT = (EndTurn(BOB), StartTurn(ANN))
ROUND = (*TURN, EndTurn(BOB), *[do(id) for id in (ANN, OGRE, CID) for do in (StartTurn, EndTurn)])
DODGE, STRIKE = Oppose("dodge", "agility"), Oppose("strike back", "agility", nature="attack")
DIVE, PARRY = Oppose("dive", "agility", pays="free"), Oppose("parry", "Fencing", pays="flurry")
FALL, TALK, LOOK = (TakeFreeAction(ANN, kind) for kind in ("fall-down", "soliloquy", "look-around"))
GIVE_UP = ForfeitAction(ANN, "8")
FLURRY = (*TURN, StartFlurry(BOB, ANN, "Brawl", ("jab",)))
TACKLE = InterruptFlurry("a tackle", character=ANN)
STARTED = StartFlurry(ANN, BOB, "Fencing")


def by_bob(**more: Any) -> DeclareAction:
    return DeclareAction(BOB, "something", subject=ANN, **more)


#: Dials; what was done before; what is tried; `done`, or how it is refused.
ALLOWED: tuple[tuple[dict[str, Any], tuple[Any, ...], Any, str], ...] = (
    # --- Actions: two of one's own Turn
    ({}, FIGHT, ExpendAction(BOB), "not-your-turn"),
    ({}, TURN, ExpendAction(BOB, "climb", 2), "done"),
    ({}, TURN, ExpendAction(BOB, "climb", 0), "bad-number"),
    ({}, TURN, ExpendAction(BOB, "climb", 3), "bad-number"),
    ({}, (*TURN, ExpendAction(BOB)), ExpendAction(BOB), "done"),
    ({}, (*TURN, ExpendAction(BOB)), by_bob(cost=2, duration="involved"), "no-actions-left"),
    ({}, (*TURN, ExpendAction(BOB)), by_bob(), "done"),
    ({}, (*TURN, by_bob(cost=2, duration="involved")), ExpendAction(BOB), "no-actions-left"),
    ({}, (*TURN, by_bob(), by_bob()), by_bob(), "no-actions-left"),
    ({}, (*TURN, EndTurn(BOB)), by_bob(), "not-your-turn"),
    ({}, (*TURN, *NEXT), by_bob(), "not-your-turn"),
    ({}, TURN, DeclareAction(ANN, "a blow"), "not-your-turn"),
    ({}, (*ROUND, EndRound()), ExpendAction(BOB), "not-your-turn"),
    ({}, (*ROUND, EndRound(), StartTurn(BOB)), ExpendAction(BOB, "climb", 2), "done"),
    # --- Free Actions: at any time, one of each kind, as many as the Epic Index in a Round
    ({}, FIGHT, FALL, "done"),
    ({}, (*TURN, EndTurn(BOB)), FALL, "done"),
    *(
        ({}, TURN, TakeFreeAction(ANN, kind), "done")
        for kind in (
            "look-around",
            "drop-item",
            "fall-down",
            "move-a-yard",
            "soliloquy",
            "change-ability",
            "last-ditch-dodge",
        )
    ),
    ({}, TURN, TakeFreeAction(ANN, "wink"), "not-a-free-action"),
    ({}, (*TURN, AcceptFreeAction("wink", True, "so they said")), TakeFreeAction(ANN, "wink"), "done"),
    ({}, (*TURN, FALL), FALL, "free-action-kind-limit"),
    ({}, (*TURN, FALL), TakeFreeAction(CID, "fall-down"), "done"),
    ({"cinematic": True}, (*TURN, FALL), FALL, "done"),
    ({"cinematic": True, "epic_index": 1}, (*TURN, FALL), FALL, "free-action-limit"),
    ({"epic_index": 0}, TURN, FALL, "free-action-limit"),
    ({"epic_index": 2}, (*TURN, FALL), TALK, "done"),
    ({"epic_index": 2}, (*TURN, FALL, TALK), LOOK, "free-action-limit"),
    ({"epic_index": 2}, (*TURN, FALL, TALK, *NEXT), LOOK, "free-action-limit"),  # the Round's, not the Turn's
    ({"epic_index": 2}, (*TURN, FALL, TALK, *NEXT, RestoreFreeActions(ANN)), FALL, "done"),
    ({"epic_index": 1}, (*TURN, FALL, *NEXT, RestoreFreeActions(ANN), FALL), TALK, "free-action-limit"),
    ({"epic_index": 1}, (*ROUND, FALL, EndRound()), FALL, "done"),
    ({"epic_index": 1}, (*ENGAGED, FALL), AnswerEngagement("8", ANN, DIVE), "free-action-limit"),
    ({}, TURN, RestoreFreeActions(ANN), "not-your-turn"),
    ({}, (*TURN, ExpendAction(BOB)), RestoreFreeActions(BOB), "done"),
    ({}, (*TURN, ExpendAction(BOB, "climb", 2)), RestoreFreeActions(BOB), "no-actions-left"),
    ({}, (*TURN, RestoreFreeActions(BOB)), RestoreFreeActions(BOB), "refresh-already-used"),
    ({}, (*TURN, RestoreFreeActions(BOB)), ExpendAction(BOB, "climb", 2), "no-actions-left"),
    # --- Reactions: an Action of one's next Turn each, two at most before it
    ({}, ENGAGED, AnswerEngagement("8", ANN, passive=True), "done"),
    ({}, (*ENGAGED, GIVE_UP), AnswerEngagement("8", ANN, DODGE), "done"),
    ({}, (*ENGAGED, GIVE_UP, GIVE_UP), AnswerEngagement("8", ANN, DODGE), "forfeits-exhausted"),
    ({}, (*ENGAGED, GIVE_UP, GIVE_UP), AnswerEngagement("8", ANN, DIVE), "done"),
    ({}, (*ENGAGED, GIVE_UP, GIVE_UP), AnswerEngagement("8", ANN, passive=True), "done"),
    ({}, (*ENGAGED, EndTurn(BOB)), AnswerEngagement("8", ANN, DODGE), "not-engaged-on-anothers-turn"),
    ({}, (*ENGAGED, *NEXT), GIVE_UP, "not-engaged-on-anothers-turn"),
    ({}, (*ENGAGED, AnswerEngagement("8", ANN, passive=True)), GIVE_UP, "not-engaged-on-anothers-turn"),
    ({}, (*ENGAGED, AnswerEngagement("8", ANN, DODGE)), GIVE_UP, "done"),
    ({}, ENGAGED, ForfeitAction(CID, "8"), "not-engaged-on-anothers-turn"),
    ({}, (*ENGAGED, GIVE_UP, GIVE_UP, *NEXT), ExpendAction(ANN), "no-actions-left"),
    ({}, (*ENGAGED, GIVE_UP, *NEXT), ExpendAction(ANN), "done"),
    ({}, (*ENGAGED, GIVE_UP, *NEXT), ExpendAction(ANN, "climb", 2), "no-actions-left"),
    ({}, (SetOffGuard(ANN, (BOB,)), *ENGAGED), ReactOffGuard("9", ANN, (4, 4)), "done"),
    (
        {},
        (SetOffGuard(ANN, (BOB,)), DeclareAction(BOB, "a blow", engages=(ANN,)), ShiftMode("general", "so", True)),
        ReactOffGuard("7", ANN, (4, 4)),
        "no-mechanics-in-general-play",
    ),
    # --- All-Out: until one's next Turn
    ({}, (*ENGAGED, GoAllOut(ANN, "attack")), AnswerEngagement("8", ANN, DODGE), "all-out"),
    ({}, (*ENGAGED, GoAllOut(ANN, "attack")), AnswerEngagement("8", ANN, DIVE), "all-out"),
    ({}, (*ENGAGED, GoAllOut(ANN, "attack")), TakeFreeAction(ANN, "last-ditch-dodge"), "all-out"),
    ({}, (*ENGAGED, GoAllOut(ANN, "attack")), AnswerEngagement("8", ANN, STRIKE), "done"),
    ({}, (*ENGAGED, GoAllOut(ANN, "defense")), AnswerEngagement("8", ANN, STRIKE), "all-out"),
    ({}, (*ENGAGED, GoAllOut(ANN, "defense")), AnswerEngagement("8", ANN, DODGE), "done"),
    ({}, (*TURN, GoAllOut(BOB, "attack")), by_bob(nature="attack"), "done"),
    ({}, (*TURN, GoAllOut(BOB, "attack")), by_bob(nature="defense"), "all-out"),
    ({}, (*TURN, GoAllOut(BOB, "defense")), by_bob(nature="attack"), "all-out"),
    ({}, (*TURN, GoAllOut(BOB, "defense")), by_bob(nature="movement"), "done"),
    ({}, (*TURN, GoAllOut(BOB, "defense")), ExpendAction(BOB, "move"), "done"),
    ({}, (*TURN, GoAllOut(ANN, "defense"), *NEXT), DeclareAction(ANN, "a blow", subject=BOB, nature="attack"), "done"),
    ({}, (*ROUND, GoAllOut(BOB, "defense"), EndRound(), StartTurn(BOB)), by_bob(nature="attack"), "done"),
    # --- Flurries: an Action of one's Turn, or a Reactive one on another's; as many steps as the Epic Index
    ({}, (*TURN, ExpendAction(BOB)), FLURRY[-1], "done"),
    ({}, (*TURN, ExpendAction(BOB, "climb", 2)), FLURRY[-1], "no-actions-left"),
    ({}, FLURRY, ExpendAction(BOB), "done"),
    ({}, FLURRY, ExpendAction(BOB, "climb", 2), "no-actions-left"),
    ({}, TURN, STARTED, "not-engaged-on-anothers-turn"),
    ({}, ENGAGED, STARTED, "done"),
    ({}, (*ENGAGED, GIVE_UP, GIVE_UP), STARTED, "forfeits-exhausted"),
    ({}, (*ENGAGED, STARTED, StepFlurry("parry")), AnswerEngagement("8", ANN, PARRY), "done"),
    ({}, (*ENGAGED, STARTED, *NEXT), ExpendAction(ANN, "climb", 2), "no-actions-left"),
    ({}, (*ENGAGED, STARTED, *NEXT), ExpendAction(ANN), "done"),
    ({}, FLURRY, DeclareAction(CID, "a blow", pays="flurry"), "flurry-ended"),
    ({}, (*FLURRY, TACKLE), StepFlurry("jab"), "flurry-ended"),
    ({}, (*FLURRY, *[StepFlurry("jab")] * 3), TACKLE, "done"),
    ({}, (*FLURRY, *[StepFlurry("jab")] * 3), EndTurn(BOB), "done"),
    ({}, (*FLURRY, *[StepFlurry("jab")] * 4), EndTurn(BOB), "last-step-outstanding"),
    ({}, (*FLURRY, *[StepFlurry("jab")] * 4), TACKLE, "done"),
    ({}, (*FLURRY, *[StepFlurry("jab")] * 4, TACKLE), EndTurn(BOB), "done"),
    ({}, FLURRY, InterruptFlurry("a tackle"), "nothing-interrupts"),
    ({}, FLURRY, InterruptFlurry("a tackle", character=CID), "not-engaged-on-anothers-turn"),
    ({}, FLURRY, InterruptFlurry("a tackle", character=BOB), "done"),
    ({}, TURN, StartFlurry(BOB, BOB, "Brawl", ("jab",)), "flurry-against-self"),
    ({"epic_index": 0}, TURN, FLURRY[-1], "flurry-ended"),
    *(
        (
            {"epic_index": limit},
            (*FLURRY, *[StepFlurry("jab")] * done),
            StepFlurry("jab"),
            "done" if done < limit else "flurry-ended",
        )
        for limit in (1, 2, 4)
        for done in (limit - 1, limit)
    ),
)


@pytest.mark.parametrize(("dials", "before", "do", "expected"), ALLOWED)
def test_what_a_turn_allows(dials, before, do, expected):
    assert tried(after(dials, before), do) == expected


#: What was done in Bob's Turn, while Ann is engaged; how many Actions Ann's next Turn has.
FORFEITS: tuple[tuple[tuple[Any, ...], int], ...] = (
    ((), 2),
    ((AnswerEngagement("8", ANN, passive=True),), 2),
    ((AnswerEngagement("8", ANN, DIVE),), 2),
    ((AnswerEngagement("8", ANN, DODGE),), 1),
    ((AnswerEngagement("8", ANN, DODGE), GIVE_UP), 0),
    ((BLOW, AnswerEngagement("8", ANN, DODGE), AnswerEngagement("9", ANN, DODGE)), 0),
    ((STARTED,), 1),
    ((STARTED, AnswerEngagement("8", ANN, PARRY)), 1),
)


@pytest.mark.parametrize(("done", "expected"), FORFEITS)
def test_what_is_forfeited_is_of_the_next_turn_only(done, expected):
    game = after({}, (*ENGAGED, *done, EndTurn(BOB)))
    assert game.only(game.does(StartTurn(ANN)), TurnStarted).actions == expected
    game.does(EndTurn(ANN))
    game.turn(OGRE, CID)
    game.does(EndRound())
    game.turn(BOB)
    assert game.only(game.does(StartTurn(ANN)), TurnStarted).actions == 2


# --- Focusing --------------------------------------------------------------------------------------------------------

FOCUSED = (*TURN, GoAllOut(BOB, "focusing", ANN))


@pytest.mark.parametrize(
    ("then", "expected"),
    [
        ((), ANN),
        ((EndTurn(BOB), StartTurn(ANN)), ANN),
        ((*ROUND[2:], EndRound()), ANN),
        ((*ROUND[2:], EndRound(), StartTurn(BOB)), None),
        ((GoAllOut(BOB, "attack"),), None),
        ((GoAllOut(BOB, "focusing", CID),), CID),
        ((EndMechanicalPlay(claimed=True, reason="so"),), None),
        ((EndMechanicalPlay("general", claimed=True, reason="so"),), None),
        ((ShiftMode("specific", "so", True),), None),
        ((ShiftMode("general", "so", True),), None),
        ((CloseScene("5"),), None),
    ],
)
def test_off_guard_to_all_but_the_foe(then, expected):
    assert after({}, (*FOCUSED, *then)).character(BOB).off_guard_but == expected


# --- what ends a Flurry ----------------------------------------------------------------------------------------------

STEP = {"pays": "flurry", "nature": "attack"}
FREE = {"pays": "free", "free": "a throw", "nature": "attack"}


@pytest.mark.parametrize(
    ("who", "deed", "whom", "back", "mibs", "challenges", "expected"),
    [
        (BOB, STEP, ANN, None, (0,), 0, "hit"),
        (BOB, STEP, ANN, None, (-1,), 0, None),
        (BOB, STEP, ANN, None, (-1,), 1, "hit"),
        (BOB, STEP | {"nature": "defense"}, ANN, None, (5,), 0, None),
        (BOB, STEP | {"nature": "movement"}, ANN, None, (5,), 0, None),
        (BOB, STEP, ANN, "defense", (3, 3), 0, "hit"),
        (BOB, STEP, ANN, "defense", (3, 4), 0, None),
        (BOB, STEP, ANN, "defense", (0, -1), 0, "hit"),
        (BOB, STEP, ANN, "defense", (-1, -1), 0, None),
        (BOB, STEP, ANN, "attack", (3, 4), 0, "hit"),
        (BOB, STEP, ANN, "attack", (-1, 0), 0, "hit"),
        (BOB, STEP, ANN, "attack", (-1, -1), 0, None),
        (ANN, FREE, BOB, None, (0,), 0, "hit"),
        (ANN, FREE, BOB, None, (-1,), 0, None),
        (BOB, {"nature": "attack"}, CID, None, (4,), 0, None),
        (CID, FREE, BOB, None, (4,), 0, None),
    ],
)
def test_the_first_hit_by_either_side_ends_a_flurry(who, deed, whom, back, mibs, challenges, expected):
    game = after({}, FLURRY)
    game.free("a throw")
    if deed.get("pays") == "flurry":
        game.does(StepFlurry("jab"))
    id = game.act(who, engages=(whom,), **deed)
    pays = "forfeit" if who == BOB else "free"
    opposing = Oppose("against it", "agility", nature=back, pays=pays, free="a throw") if back else None
    game.does(AnswerEngagement(id, whom, opposing, passive=back is None))
    for side, wanted in zip(("actor", whom), mibs, strict=False):
        rating = game.character(who if side == "actor" else whom).ratings["agility"].value
        game.does(ApplyModifier(id, wanted - rating + 10, "made so", side))
    game.does(CloseOpportunity(id))
    for side, _ in zip(("actor", whom), mibs, strict=False):
        game.does(RollMib(id, side, (5, 5)))
    game.does(CloseDecision(id))
    if challenges:
        game.does(TakeChallenge(id, n=challenges))
    game.does(ReachOutcome(id))
    assert game.state(scene(game.scene_id)).fight.flurry.ended == expected


# --- Combat Advantage ------------------------------------------------------------------------------------------------

SEIZE, HOLD = SeizeAdvantage(ANN, BOB, "Reach"), HoldAdvantage(ANN, BOB, "Pressing")
CHECK, ERASE = CheckAdvantage(ANN, BOB, "Backing Off"), EraseAdvantage(ANN, BOB, "Upset")
SEIZED_TWICE = (SeizeAdvantage(CID, BOB, "Reach"), SeizeAdvantage(OGRE, BOB, "Reach"))


@pytest.mark.parametrize(
    ("dials", "done", "expected"),
    [
        ({}, (), "no-advantage-held, no-advantage-held, no-advantage-held, 0"),
        ({}, (SEIZE,), "done, done, done, 1"),
        ({}, (SEIZE, HOLD), "done, done, done, 2"),
        ({}, (SEIZE, *[HOLD] * 2), "done, done, done, 3"),
        ({}, (SEIZE, *[HOLD] * 3), "advantage-cap, done, done, 4"),
        ({}, (SEIZE, *[HOLD] * 3, CHECK), "done, done, done, 3"),
        ({}, (SEIZE, CHECK), "no-advantage-held, no-advantage-held, no-advantage-held, 0"),
        ({}, (SEIZE, HOLD, ERASE), "no-advantage-held, no-advantage-held, no-advantage-held, 0"),
        ({}, (SEIZE, HOLD, ERASE, SEIZE), "done, done, done, 1"),
        ({}, (SEIZE, SeizeAdvantage(BOB, ANN, "Reach"), EraseAdvantage(BOB, ANN, "a Trick")), "done, done, done, 1"),
        ({}, (ChangeFoe(ANN, BOB), SEIZE, ChangeFoe(CID, BOB)), "done, done, done, 1"),
        ({}, (SEIZE, ChangeFoe(BOB, CID)), "done, done, done, 1"),
        ({}, (ChangeFoe(ANN, CID), SEIZE, ChangeFoe(ANN, BOB)), "done, done, done, 1"),  # everybody else
        (
            {},
            (ChangeFoe(ANN, BOB), SEIZE, ChangeFoe(ANN, CID)),
            "no-advantage-held, no-advantage-held, no-advantage-held, 0",
        ),
        ({"epic_index": 1}, (SEIZE,), "advantage-cap, done, done, 1"),
        ({"epic_index": 1}, (*SEIZED_TWICE, SEIZE), "advantage-cap, done, done, 1"),
        ({"epic_index": 3, "advantage_cap": "scene-total"}, (*SEIZED_TWICE, SEIZE), "advantage-cap, done, done, 1"),
        ({"epic_index": 4, "advantage_cap": "scene-total"}, (*SEIZED_TWICE, SEIZE), "done, done, done, 1"),
    ],
)
def test_how_much_advantage_there_is(dials, done, expected):
    """What holding, checking and erasing result in, each by itself, and the limit."""
    game = after(dials, (*TURN, *done))
    found = [refused(game, do) or "done" for do in (HOLD, CHECK, ERASE)]
    assert ", ".join((*found, str(game.advantage(ANN, BOB)))) == expected


@pytest.mark.parametrize(
    ("dials", "before", "expected"),
    [
        ({}, (), 10),
        ({}, (SEIZE,), 9),
        ({}, (SEIZE, HOLD), 8),
        ({}, (SEIZE, HOLD, *SEIZED_TWICE), 6),
        ({"advantage_stacking": "worst"}, (SEIZE, HOLD, *SEIZED_TWICE), 8),
        ({}, (SEIZE, HOLD, CHECK), 9),
        ({}, (SeizeAdvantage(BOB, ANN, "Reach"),), 10),
        ({}, (SEIZE, EndMechanicalPlay(claimed=True, reason="so")), 10),
    ],
)
def test_all_rolls_of_the_subject_but_no_roll_under_way(dials, before, expected):
    """Bob's Agility is 10. Combat Advantage seized after his modifiers are fixed counts for his next roll."""
    game = after(dials, (*TURN, *before))
    id = game.act(BOB)
    assert game.only(game.does(CloseOpportunity(id)), OpportunityClosed).modified_rating == expected
    if not before:
        game.does(SEIZE)
    game.does(RollMib(id, "actor", (5, 5)))
    assert game.only(game.does(CloseDecision(id)), DecisionClosed).basic_mibs == {"actor": expected - 10}


# --- another Scope, without a lull -----------------------------------------------------------------------------------


def test_the_scope_shifts_and_everything_else_stays():
    game = Game()
    game.fight(game.bob, game.ann)
    game.does(StartTurn(game.bob))
    game.does(SeizeAdvantage(game.bob, game.ann, "Reach"))
    assert may(game, ShiftScope("squad")) == ["gm", "bob"]
    assert game.refuses(ShiftScope("squad"), by="ann") == "not-proprietor"
    shifted = game.only(game.does(ShiftScope("squad"), by="bob"), ScopeShifted)
    assert (shifted.from_, shifted.to, shifted.too_small) == ("individual", "squad", False)
    fight = game.state(scene(game.scene_id)).fights["squad"]
    assert (fight.scope, fight.turn, game.advantage(game.bob, game.ann)) == ("squad", game.bob, 1)
    game.does(EndTurn(game.bob), by="bob")


def test_one_more_can_join_after_the_scope_has_shifted():
    game = Game()
    guards = [game.enrol(f"Guard {n}", Sheet("regular"), "gm") for n in range(4)]
    game.fight(game.bob, game.ann, game.cid, *guards)
    assert game.refuses(JoinMechanicalPlay(game.ogre)) == "scope-too-small"
    game.does(ShiftScope("squad"))
    game.does(JoinMechanicalPlay(game.ogre))
    assert game.refuses(ShiftScope("individual")) == "scope-too-small"
    assert game.refuses(ShiftScope("squad")) == "not-in-mechanical-play"


def test_too_small_a_scope_is_only_noted_where_that_is_advice():
    game = Game(scope_shift="advice")
    guards = [game.enrol(f"Guard {n}", Sheet("regular"), "gm") for n in range(4)]
    game.fight(game.bob, game.ann, game.cid, game.ogre, *guards, scope="squad")
    assert game.only(game.does(ShiftScope("individual")), ScopeShifted).too_small


def test_where_two_run_the_one_to_shift_is_named():
    game = Game()
    game.fight(game.bob, game.ann)
    game.fight(game.cid, game.ogre, by="cid", scope="squad")
    assert game.refuses(ShiftScope("mob")) == "which-scope"
    assert game.refuses(ShiftScope("squad", "individual")) == "not-in-mechanical-play"
    game.does(ShiftScope("mob", "individual"))
    assert list(game.state(scene(game.scene_id)).fights) == ["mob", "squad"]
