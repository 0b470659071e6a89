"""3.12, 3.13: Turns, Actions, Free Actions, forfeits, Flurries, All-Out, Combat Advantage."""

from __future__ import annotations

import pytest

from ledger.rules.kernel.commands import SetDial
from ledger.rules.kernel.moves import never
from ledger.rules.kernel.subjects import scene
from ledger.rules.scattershot.actions import (
    ActionForfeited,
    ExpendAction,
    ForfeitAction,
    FreeActionTaken,
    RestoreFreeActions,
    TakeFreeAction,
)
from ledger.rules.scattershot.advantage import (
    AdvantageErased,
    ChangeFoe,
    CheckAdvantage,
    EraseAdvantage,
    FoeChanged,
    HoldAdvantage,
    SeizeAdvantage,
)
from ledger.rules.scattershot.conditions import GoAllOut, SetOffGuard
from ledger.rules.scattershot.declaring import DeclareAction
from ledger.rules.scattershot.engaging import AnswerEngagement, Oppose, StayPassive
from ledger.rules.scattershot.flurries import InterruptFlurry, StartFlurry, StepFlurry
from ledger.rules.scattershot.game import SeatPlayers, ShiftMode
from ledger.rules.scattershot.joining import EndMechanicalPlay
from ledger.rules.scattershot.mechanical_play import (
    CallMechanicalPlay,
    EndRound,
    EndTurn,
    FlurryEnded,
    MechanicalPlayCalled,
    StartTurn,
    TurnStarted,
    order_to_the_right,
)
from ledger.rules.scattershot.outcomes import ReachOutcome
from ledger.rules.scattershot.ratings import ApplyModifier
from ledger.rules.scattershot.reactions import ReactOffGuard
from ledger.rules.scattershot.rolls import CloseOpportunity, RollMib
from ledger.rules.scattershot.state import Sheet, Skill
from ledger.rules.scattershot.totals import CloseDecision
from tests.rules.scattershot.game import Game

ANN, BOB, CID, OGRE = "1", "2", "3", "4"


def fight(game: Game):
    return game.state(scene(game.scene_id)).fight


def fighting(turn: str | None = BOB, **dials) -> Game:
    """Return a melee of everybody that Bob called, on somebody's Turn."""
    game = Game(**dials)
    game.fight()
    for id in (BOB, ANN, OGRE, CID):
        if turn is None or id == turn:
            break
        game.turn(id)
    if turn is not None:
        game.does(StartTurn(turn))
    return game


# --- calling ---------------------------------------------------------------------------------------------------------


def test_to_the_right():
    assert order_to_the_right(("gm", "ann", "bob", "cid"), "bob") == ("bob", "ann", "gm", "cid")
    assert order_to_the_right(("gm",), "gm") == ("gm",)


@pytest.mark.parametrize(
    ("do", "code"),
    [
        (CallMechanicalPlay(()), "not-in-this-scene"),
        (CallMechanicalPlay((ANN, ANN)), "not-in-this-scene"),
        (CallMechanicalPlay(("99",)), "unknown-character"),
        (CallMechanicalPlay((ANN,), "huge"), "bad-number"),
        (CallMechanicalPlay((ANN,), caller="o"), "not-at-the-table"),
    ],
)
def test_calls_that_are_refused(do, code):
    assert Game().refuses(do) == code


@pytest.mark.parametrize(("dial", "flagged"), [("required", None), ("advice", True)])
def test_too_many_for_individual_scope(dial, flagged):
    game = Game(scope_shift=dial)
    crowd = (*(game.enrol(f"Guard {n}", Sheet("regular")) for n in range(4)), ANN, BOB, CID, OGRE)
    if flagged is None:
        assert game.refuses(CallMechanicalPlay(crowd)) == "scope-too-small"
        assert game.does(CallMechanicalPlay(crowd[1:])).facts
    else:
        assert game.only(game.does(CallMechanicalPlay(crowd)), MechanicalPlayCalled).too_small is flagged
    assert game.refuses(CallMechanicalPlay((ANN,))) == "not-in-mechanical-play"


def test_how_people_sit():
    game = Game()
    game.does(SeatPlayers(("bob", "ann", "cid", "gm")))
    assert game.only(game.does(CallMechanicalPlay((ANN, BOB), caller="ann")), MechanicalPlayCalled).order == (
        "ann",
        "bob",
        "gm",
        "cid",
    )


# --- Turns -----------------------------------------------------------------------------------------------------------


def test_turns_go_to_the_right():
    game = fighting(None)
    assert game.refuses(StartTurn(ANN)) == "not-your-turn"
    game.does(StartTurn(BOB), by="bob")
    assert game.state(scene(game.scene_id)).speaker == "bob"
    assert game.refuses(StartTurn(ANN)) == "another-turn-is-open"
    assert game.refuses(EndRound()) == "another-turn-is-open"
    assert game.refuses(EndTurn(ANN)) == "not-your-turn"
    game.does(EndTurn(BOB))
    assert game.refuses(StartTurn(BOB)) == "turn-already-taken"
    assert game.refuses(StartTurn(CID)) == "not-your-turn"
    assert game.refuses(EndRound()) == "turns-outstanding"
    game.turn(ANN, OGRE, CID)
    game.does(EndRound())
    assert fight(game).round == 2
    game.does(StartTurn(BOB))


def test_outside_mechanical_play_nobody_has_a_turn():
    game = Game()
    for do in (StartTurn(ANN), EndTurn(ANN), EndRound(), ExpendAction(ANN), TakeFreeAction(ANN, "fall-down")):
        assert game.refuses(do) == "not-your-turn"
    game.fight(ANN, BOB)
    assert game.refuses(StartTurn(CID)) == "not-in-this-scene"
    assert game.refuses(StartTurn(BOB), by="ann") == "not-proprietor"


def test_two_actions():
    game = fighting()
    game.does(ExpendAction(BOB))
    assert game.refuses(ExpendAction(BOB, "draw", 2)) == "no-actions-left"
    assert game.refuses(ExpendAction(BOB, "draw", 3)) == "bad-number"
    assert game.refuses(ExpendAction(ANN)) == "not-your-turn"
    game.does(DeclareAction(BOB, "a blow", "Brawl"))
    assert game.refuses(DeclareAction(BOB, "a blow", "Brawl")) == "no-actions-left"
    assert game.refuses(DeclareAction(ANN, "a blow")) == "not-your-turn"
    assert game.refuses(DeclareAction(BOB, "a blow", pays="gold")) == "bad-number"
    assert game.balance(f"scene:{game.scene_id}/action:{BOB}") == 0
    game.does(EndTurn(BOB))


def test_unused_actions_are_lost():
    game = fighting()
    game.does(EndTurn(BOB))
    assert game.balance(f"scene:{game.scene_id}/action:{BOB}") == 0


# --- Free Actions ----------------------------------------------------------------------------------------------------


def test_free_actions():
    game = fighting(epic_index=2)
    game.does(TakeFreeAction(ANN, "fall-down"))
    assert game.refuses(TakeFreeAction(ANN, "fall-down")) == "free-action-kind-limit"
    game.does(TakeFreeAction(ANN, "soliloquy"))
    assert game.refuses(TakeFreeAction(ANN, "look-around")) == "free-action-limit"
    assert game.refuses(RestoreFreeActions(ANN)) == "not-your-turn"
    game.does(EndTurn(BOB))
    game.does(StartTurn(ANN))
    game.does(RestoreFreeActions(ANN))
    game.does(TakeFreeAction(ANN, "fall-down"))
    assert game.refuses(RestoreFreeActions(ANN)) == "refresh-already-used"
    game.does(ExpendAction(ANN))
    game.does(EndTurn(ANN))
    game.turn(OGRE, CID)
    game.does(EndRound())
    assert game.does(TakeFreeAction(ANN, "fall-down")).facts


def test_a_refresh_costs_an_action():
    game = fighting()
    game.does(ExpendAction(BOB, "draw", 2))
    assert game.refuses(RestoreFreeActions(BOB)) == "no-actions-left"


def test_cinematic_games_repeat_themselves():
    game = fighting(cinematic=True)
    for _ in range(4):
        game.does(TakeFreeAction(ANN, "soliloquy"))
    assert game.refuses(TakeFreeAction(ANN, "soliloquy")) == "free-action-limit"


def test_looking_around_is_free():
    game = fighting()
    game.does(DeclareAction(ANN, "look", "observation", pays="free", free="look-around"))
    assert fight(game).standing[ANN].free == ("look-around",)


# --- forfeits --------------------------------------------------------------------------------------------------------


def test_forfeiting():
    game = fighting(BOB)
    ids = [game.act(BOB, "Brawl", engages=(ANN,), nature="attack") for _ in range(2)]
    assert game.refuses(ForfeitAction(CID, ids[0])) == "not-engaged-on-anothers-turn"
    for id in ids:
        game.does(AnswerEngagement(id, ANN, Oppose("dodge", "agility")), by="ann")
    assert fight(game).standing[ANN].forfeited == 2
    game.does(EndTurn(BOB))
    assert game.only(game.does(StartTurn(ANN)), TurnStarted).actions == 0


def test_a_third_time_there_is_nothing_to_forfeit():
    game = fighting(BOB)
    id = game.act(BOB, "Brawl", engages=(ANN,))
    game.does(ForfeitAction(ANN, id))
    game.does(ForfeitAction(ANN, id))
    assert game.refuses(ForfeitAction(ANN, id)) == "forfeits-exhausted"
    assert game.refuses(AnswerEngagement(id, ANN, Oppose("dodge", "agility"))) == "forfeits-exhausted"
    free = game.does(AnswerEngagement(id, ANN, Oppose("dodge", "agility", pays="free")))
    assert game.only(free, FreeActionTaken).kind == "last-ditch-dodge"


def test_nobody_forfeits_on_their_own_turn():
    game = fighting(BOB)
    id = game.act(BOB, "Brawl", engages=(ANN,))
    game.does(EndTurn(BOB))
    game.does(StartTurn(ANN))
    opposing = AnswerEngagement(id, ANN, Oppose("dodge", "agility"))
    assert game.refuses(opposing) == "not-engaged-on-anothers-turn"


def test_instantaneous_ratings_do_not_answer():
    game = Game()
    who = game.enrol("Duellist", Sheet(skills=(Skill("Lunge", "easy", 1, use="instantaneous"),)), "ann")
    game.fight(BOB, who)
    game.does(StartTurn(BOB))
    id = game.act(BOB, engages=(who,))
    assert game.refuses(AnswerEngagement(id, who, Oppose("lunge", "Lunge"))) == "not-your-turn"


def test_bystanders_do_not_answer():
    game = Game()
    game.fight(ANN, BOB)
    game.does(StartTurn(BOB))
    id = game.act(BOB, engages=(CID,))
    assert game.refuses(AnswerEngagement(id, CID, Oppose("dodge", "agility"))) == "not-in-this-scene"


def test_an_off_guard_success_with_nothing_left_obliges_to_nothing():
    game = fighting(BOB, epic_index=0)
    game.does(SetOffGuard(ANN, (BOB,)))
    id = game.act(BOB, engages=(ANN, CID))
    for _ in range(2):
        game.does(ForfeitAction(CID, id))
    game.does(ReactOffGuard(id, ANN, (1, 1)))
    assert game.refuses(AnswerEngagement(id, ANN, passive=True)) == "resistor-has-not-answered"
    obliged = game.asks(AnswerEngagement(id, ANN)).within
    assert never(StayPassive) in obliged and never(Oppose) not in obliged
    game.does(ForfeitAction(ANN, id))
    game.does(ForfeitAction(ANN, id))
    assert game.asks(AnswerEngagement(id, ANN)).within == (never(Oppose),)
    assert game.does(AnswerEngagement(id, ANN, passive=True)).facts


# --- Flurries --------------------------------------------------------------------------------------------------------


def test_a_flurry_ends_at_the_limit():
    game = fighting(ANN, epic_index=2)
    game.does(StartFlurry(ANN, BOB, "Fencing"))
    game.does(StepFlurry("parry"))
    assert game.refuses(StepFlurry("bite")) == "unknown-step"
    assert game.refuses(StepFlurry("parry"), by="bob") == "not-proprietor"
    game.does(StepFlurry("riposte"))
    assert game.refuses(StepFlurry("parry")) == "flurry-ended", "the limit refuses the next step"
    ended = game.does(DeclareAction(ANN, "riposte", "Fencing", BOB, nature="attack", pays="flurry"))
    assert game.only(ended, FlurryEnded).by == "limit"
    for late in (StepFlurry("parry"), InterruptFlurry("a tackle", character=BOB)):
        assert game.refuses(late) == "flurry-ended"
    assert game.balance(f"scene:{game.scene_id}/action:{ANN}") == 1


def test_the_last_step_is_played_out():
    """The Flurry's count ends with its last step, but the Action of that step is still declared."""
    game = fighting(ANN, epic_index=2)
    game.does(StartFlurry(ANN, BOB, "Fencing"))
    blow = DeclareAction(ANN, "riposte", "Fencing", engages=(BOB,), nature="attack", pays="flurry")
    for step in ("parry", "riposte"):
        game.does(StepFlurry(step))
        game.does(blow)
    assert fight(game).flurry.ended == "limit"
    assert game.refuses(blow) == "flurry-ended"


def test_the_last_step_is_one_whatever_came_before():
    """Answers within the Flurry take nothing from its last step, and a hit then does not end it twice."""
    game = fighting(ANN, epic_index=2)
    game.does(StartFlurry(ANN, BOB, "Fencing"))
    game.does(StepFlurry("riposte"))
    id = game.act(ANN, "Fencing", engages=(BOB,), nature="attack", pays="flurry")
    game.does(AnswerEngagement(id, BOB, Oppose("parry", "agility", pays="flurry")))
    game.does(StepFlurry("riposte"))
    last = game.act(ANN, "Fencing", engages=(BOB,), nature="attack", pays="flurry")
    game.does(AnswerEngagement(last, BOB, passive=True))
    game.does(CloseOpportunity(last))
    game.does(RollMib(last, "actor", (1, 1)))
    game.does(CloseDecision(last))
    told = game.does(ReachOutcome(last))
    assert FlurryEnded not in {type(about.fact) for about in told.facts}
    assert fight(game).flurry.ended == "limit"


def test_an_answer_is_a_step_too():
    game = fighting(ANN, epic_index=1)
    game.free("shout")
    game.does(StartFlurry(ANN, BOB, "Fencing"))
    id = game.act(ANN, "Fencing", engages=(BOB,), nature="attack")
    game.does(StepFlurry("parry"))
    answer = AnswerEngagement(id, BOB, Oppose("parry", "agility", pays="flurry"))
    game.does(answer)
    assert fight(game).flurry.ended is None, "the last step is still to be played out"
    game.act(ANN, "Fencing", engages=(BOB,), nature="attack", pays="flurry")
    again = game.act(ANN, "Fencing", engages=(BOB,), pays="free", free="shout")
    assert game.refuses(AnswerEngagement(again, BOB, answer.oppose)) == "flurry-ended"


def test_on_anothers_turn_only_the_engaged_start_a_flurry():
    game = fighting(BOB)
    parry = StartFlurry(ANN, BOB, "Fencing")
    assert game.refuses(parry) == "not-engaged-on-anothers-turn"
    id = game.act(BOB, "Brawl", engages=(CID,), nature="attack")
    assert game.refuses(parry) == "not-engaged-on-anothers-turn"
    game.act(BOB, "Brawl", engages=(ANN,), nature="attack")
    assert game.only(game.does(parry), ActionForfeited).persona == ANN
    assert game.refuses(ForfeitAction(ANN, id)) == "not-engaged-on-anothers-turn"


def test_a_flurry_is_interrupted():
    game = fighting(ANN)
    game.does(StartFlurry(ANN, BOB, "Fencing"))
    assert game.refuses(InterruptFlurry("a tackle")) == "nothing-interrupts"
    game.does(InterruptFlurry("a tackle", character=BOB))
    assert fight(game).standing[BOB].forfeited == 1
    assert game.refuses(DeclareAction(ANN, "riposte", "Fencing", pays="flurry")) == "flurry-ended"


def test_the_first_hit_ends_it():
    game = fighting(ANN)
    game.does(StartFlurry(ANN, BOB, "Fencing"))
    for ending in (-1, 0):
        id = game.act(ANN, "Fencing", engages=(BOB,), nature="attack", pays="flurry")
        game.does(AnswerEngagement(id, BOB, Oppose("parry", "agility", pays="flurry")))
        game.does(ApplyModifier(id, ending - 4))
        game.does(CloseOpportunity(id))
        game.does(RollMib(id, "actor", (5, 5)))
        game.does(RollMib(id, BOB, (10, 10)))
        game.does(CloseDecision(id))
        told = game.does(ReachOutcome(id))
        assert (FlurryEnded in {type(about.fact) for about in told.facts}) == (ending == 0)
    assert fight(game).flurry.ended == "hit"


@pytest.mark.parametrize(
    ("nature", "faces", "ends"), [("attack", [1, 2], True), ("attack", [10, 10], False), ("defense", [1, 2], False)]
)
def test_a_hit_by_the_foe_ends_it_too(nature, faces, ends):
    """A Resistor who strikes back and is ahead has hit, unless its own roll missed."""
    game = fighting(ANN)
    game.does(StartFlurry(ANN, BOB, "Fencing"))
    id = game.act(ANN, "Fencing", engages=(BOB,), nature="attack", pays="flurry")
    game.does(AnswerEngagement(id, BOB, Oppose("strike back", "agility", nature=nature)))
    game.does(ApplyModifier(id, -12))
    game.does(CloseOpportunity(id))
    game.does(RollMib(id, "actor", (5, 5)))
    game.does(RollMib(id, BOB, faces))
    game.does(CloseDecision(id))
    game.does(ReachOutcome(id))
    assert fight(game).flurry.ended == ("hit" if ends else None)


@pytest.mark.parametrize(
    ("do", "dials", "code"),
    [
        (StartFlurry(ANN, BOB, "Fencing"), {"epic_index": 0}, "flurry-ended"),
        (StartFlurry(ANN, BOB, "agility"), {}, "unknown-step"),
        (StartFlurry(ANN, "99", "Fencing"), {}, "not-in-this-scene"),
        (StepFlurry("parry"), {}, "flurry-ended"),
    ],
)
def test_flurries_that_are_refused(do, dials, code):
    assert fighting(ANN, **dials).refuses(do) == code


def test_no_flurry_outside_melee():
    game = Game()
    assert game.refuses(StartFlurry(ANN, BOB, "Fencing")) == "not-in-melee"
    game.fight(ANN, BOB, melee=False)
    assert game.refuses(StartFlurry(ANN, BOB, "Fencing")) == "not-in-melee"


# --- All-Out ---------------------------------------------------------------------------------------------------------


def test_all_out_attack_leaves_no_defense():
    game = fighting(BOB)
    id = game.act(BOB, "Brawl", engages=(ANN,), nature="attack")
    game.does(GoAllOut(ANN, "attack"))
    assert game.refuses(AnswerEngagement(id, ANN, Oppose("dodge", "agility"))) == "all-out"
    assert game.refuses(StartFlurry(ANN, BOB, "Fencing")) == "all-out"
    game.does(AnswerEngagement(id, ANN, Oppose("hit back", "agility", nature="attack")))
    game.does(EndTurn(BOB))
    game.does(StartTurn(ANN))
    assert fight(game).standing[ANN].all_out is None


def test_all_out_defense_leaves_nothing_but_defense_and_movement():
    game = fighting(BOB)
    game.does(GoAllOut(BOB, "defense"))
    assert game.refuses(DeclareAction(BOB, "a blow", "Brawl", engages=(ANN,), nature="attack")) == "all-out"
    assert game.does(DeclareAction(BOB, "look", pays="free", free="look-around")).facts
    assert game.refuses(ExpendAction(BOB, "draw")) == "all-out"
    game.does(ExpendAction(BOB, "move"))
    assert game.does(DeclareAction(BOB, "a guard", nature="defense")).facts


def test_focusing():
    game = fighting(BOB)
    assert game.refuses(GoAllOut(BOB, "focusing")) == "not-in-this-scene"
    game.does(GoAllOut(BOB, "focusing", ANN))
    assert game.character(BOB).off_guard_but == ANN
    game.does(EndTurn(BOB))
    game.turn(ANN, OGRE, CID)
    game.does(EndRound())
    game.does(StartTurn(BOB))
    assert game.character(BOB).off_guard_but is None


# --- the end ---------------------------------------------------------------------------------------------------------


def test_all_that_was_counted_ends_with_it():
    game = fighting(BOB)
    game.does(SeizeAdvantage(BOB, ANN, "Reach"))
    assert game.refuses(EndMechanicalPlay("solo")) == "not-in-mechanical-play"
    game.does(EndMechanicalPlay("general", claimed=True, reason="so"))
    assert (fight(game), game.state(scene(game.scene_id)).mode) == (None, "general")
    assert game.advantage(BOB, ANN) == game.balance(f"scene:{game.scene_id}/action:{BOB}") == 0
    assert game.refuses(EndMechanicalPlay(claimed=True, reason="so")) == "not-your-turn"
    game.does(ShiftMode("solo"))
    assert game.refuses(CallMechanicalPlay((ANN,))) == "not-in-solo-play"


# --- Combat Advantage ------------------------------------------------------------------------------------------------


def test_seize_hold_check_erase():
    game = fighting()
    for do in (HoldAdvantage, CheckAdvantage, EraseAdvantage):
        assert game.refuses(do(ANN, BOB, "so")) == "no-advantage-held"
    game.does(SeizeAdvantage(ANN, BOB, "Reach"))
    assert game.refuses(SeizeAdvantage(ANN, BOB, "Reach")) == "advantage-already-held"
    game.does(HoldAdvantage(ANN, BOB, "Cornering"))
    assert game.advantage(ANN, BOB) == 2
    game.does(CheckAdvantage(ANN, BOB, "Backing Off"))
    assert game.advantage(ANN, BOB) == 1
    game.does(HoldAdvantage(ANN, BOB, "Pressing"))
    assert game.only(game.does(EraseAdvantage(ANN, BOB, "Upset")), AdvantageErased).n == 2
    assert game.advantage(ANN, BOB) == 0


@pytest.mark.parametrize("do", [SeizeAdvantage, HoldAdvantage, CheckAdvantage, EraseAdvantage])
def test_advantage_only_in_melee_between_two_in_it(do):
    game = Game()
    assert game.refuses(do(ANN, BOB, "so")) == "not-in-melee"
    game.fight(ANN, BOB)
    assert game.refuses(do(ANN, CID, "so")) == "not-in-this-scene"
    assert game.refuses(do(ANN, ANN, "so")) == "advantage-against-self"


@pytest.mark.parametrize(("dial", "code"), [("own-none", None), ("none-either-way", "advantage-held-by-foe")])
def test_seizing_while_the_foe_holds(dial, code):
    game = fighting(seize_requires=dial)
    game.does(SeizeAdvantage(ANN, BOB, "Reach"))
    if code:
        assert game.refuses(SeizeAdvantage(BOB, ANN, "Reach")) == code
    else:
        assert game.does(SeizeAdvantage(BOB, ANN, "Reach")).facts


def test_the_cap():
    game = fighting(epic_index=2)
    game.does(SeizeAdvantage(ANN, BOB, "Reach"))
    game.does(HoldAdvantage(ANN, BOB, "Cornering"))
    assert game.refuses(HoldAdvantage(ANN, BOB, "Cornering")) == "advantage-cap"
    game.does(SeizeAdvantage(CID, BOB, "Reach"))
    total = fighting(epic_index=2, advantage_cap="scene-total")
    total.does(SeizeAdvantage(ANN, BOB, "Reach"))
    total.does(SeizeAdvantage(CID, BOB, "Reach"))
    assert total.refuses(SeizeAdvantage(OGRE, BOB, "Reach")) == "advantage-cap"
    assert total.refuses(HoldAdvantage(CID, BOB, "High Ground")) == "advantage-cap"
    assert fighting(epic_index=0).refuses(SeizeAdvantage(ANN, BOB, "Reach")) == "advantage-cap"


@pytest.mark.parametrize(("dial", "penalty"), [("sum", 3), ("worst", 2)])
def test_the_penalty(dial, penalty):
    game = fighting(advantage_stacking=dial)
    game.does(SeizeAdvantage(ANN, BOB, "Reach"))
    game.does(HoldAdvantage(ANN, BOB, "Cornering"))
    game.does(SeizeAdvantage(CID, BOB, "Reach"))
    id = game.act(BOB)
    closed = game.does(CloseOpportunity(id)).facts[-1].fact
    assert closed.modified_rating == 10 - penalty
    game.does(SetDial("advantage-stacking", "sum", "so"))
    assert game.state(scene(game.scene_id)).resolutions[id].situation == {"actor": -penalty}


def test_another_foe():
    game = fighting()
    game.does(ChangeFoe(ANN, BOB))
    game.does(SeizeAdvantage(ANN, BOB, "Reach"))
    game.does(SeizeAdvantage(BOB, ANN, "Reach"))
    game.does(ChangeFoe(ANN, BOB))
    assert game.advantage(ANN, BOB) == 1
    told = game.does(ChangeFoe(ANN, CID))
    assert [type(about.fact) for about in told.facts] == [FoeChanged, AdvantageErased]
    assert (game.advantage(ANN, BOB), game.advantage(BOB, ANN)) == (0, 1)
    assert game.refuses(ChangeFoe(ANN, CID), by="bob") == "not-proprietor"
