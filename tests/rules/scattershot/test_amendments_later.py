"""The amendments N8 and N9: who is in Mechanical Play, and listings."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.commands import Enrol
from ledger.rules.kernel.subjects import CAMPAIGN, character, scene
from ledger.rules.scattershot.actions import ExpendAction
from ledger.rules.scattershot.advantage import SeizeAdvantage
from ledger.rules.scattershot.agreement import Agree, Decline
from ledger.rules.scattershot.cashing_in import Develop
from ledger.rules.scattershot.conditions import GoAllOut
from ledger.rules.scattershot.declaring import ActionDeclared, DeclareAction
from ledger.rules.scattershot.engaging import AnswerEngagement, Oppose
from ledger.rules.scattershot.evolving import RaiseRating
from ledger.rules.scattershot.flurries import StartFlurry, StepFlurry
from ledger.rules.scattershot.game import Attend, MechanicalPlayEnded, PlayModeShifted
from ledger.rules.scattershot.joining import EndMechanicalPlay, JoinMechanicalPlay, LeaveMechanicalPlay
from ledger.rules.scattershot.listings import ListAbility, ListAdvantage, ListedDefault, ListingUpheld
from ledger.rules.scattershot.mechanical_play import (
    CallMechanicalPlay,
    EndRound,
    EndTurn,
    FlurryEnded,
    StartTurn,
    TurnStarted,
)
from ledger.rules.scattershot.outcomes import ReachOutcome
from ledger.rules.scattershot.power import PowerSpent, SpendPower
from ledger.rules.scattershot.ratings import Default, Modifier
from ledger.rules.scattershot.resources import ResourceReduced
from ledger.rules.scattershot.results import ChooseResults, Result
from ledger.rules.scattershot.rolls import CloseOpportunity, RollMib
from ledger.rules.scattershot.state import Advantage, Sheet, Skill
from ledger.rules.scattershot.totals import CloseDecision
from tests.rules.scattershot.game import Game, tried

ANN, BOB, CID, OGRE = "1", "2", "3", "4"


def here(game: Game) -> Any:
    return game.state(scene(game.scene_id))


def told(verdict: Any, cls: type[Any]) -> list[Any]:
    return [about.fact for about in verdict.facts if type(about.fact) is cls]


# --- N8: joining and leaving -----------------------------------------------------------------------------------------


def two(*done: str, turn: str | None = None, **dials: Any) -> Game:
    """Bob called it for his Persona and the Ogre: Bob, (Ann,) the Gamemaster, (Cid). `done`: who had a Turn."""
    game = Game(**dials)
    game.fight(BOB, OGRE)
    game.turn(*done)
    if turn is not None:
        game.does(StartTurn(turn))
    return game


@pytest.mark.parametrize(
    ("done", "turn", "who", "then"),
    [
        ((), None, ANN, (BOB, ANN, OGRE)),
        ((), None, CID, (BOB, OGRE, CID)),
        ((), BOB, ANN, (BOB, ANN, OGRE)),
        ((BOB,), None, ANN, (ANN, OGRE)),
        ((BOB,), None, CID, (OGRE, CID)),
        ((BOB,), OGRE, ANN, (OGRE,)),  # whose place has passed is in the next Round
        ((BOB, OGRE), None, ANN, ()),
        ((BOB, OGRE), None, CID, (CID,)),
    ],
)
def test_the_place_in_the_order_follows_from_the_same_rule(done, turn, who, then):
    game = two(*done, turn=turn)
    game.does(JoinMechanicalPlay(who))
    for id in then:
        if id != turn:
            game.does(StartTurn(id))
        game.does(EndTurn(id))
    game.does(EndRound())
    game.turn(*sorted((BOB, OGRE, who), key=[BOB, ANN, OGRE, CID].index))
    game.does(EndRound())


def test_a_second_persona_of_whom_it_is_goes_with_the_first():
    game = two(BOB)
    squire = game.enrol("Squire", Sheet(), "bob")
    game.does(JoinMechanicalPlay(squire), by="bob")
    game.turn(squire, OGRE)
    game.does(EndRound())


def test_who_came_late_to_the_table_has_a_place_too():
    from ledger.rules.kernel.commands import OpenSession

    game = Game()
    game.does(OpenSession())
    game.does(Attend(("gm", "ann", "bob")))
    game.fight(BOB, OGRE)
    assert here(game).fight.order == ("bob", "ann", "gm")
    game.does(Attend(("gm", "ann", "bob", "cid")))
    game.does(JoinMechanicalPlay(CID))
    assert here(game).fight.order == ("bob", "ann", "gm", "cid")


@pytest.mark.parametrize(
    ("do", "by", "code"),
    [
        (JoinMechanicalPlay(ANN), "bob", "not-proprietor"),
        (JoinMechanicalPlay(BOB), "bob", "already-in-mechanical-play"),
        (JoinMechanicalPlay("99"), "gm", "unknown-character"),
        (JoinMechanicalPlay(ANN, "squad"), "ann", "not-your-turn"),
        (LeaveMechanicalPlay(ANN), "ann", "not-in-this-scene"),
        (LeaveMechanicalPlay(BOB), "ann", "not-proprietor"),
    ],
)
def test_what_is_refused_of_it(do, by, code):
    assert two().refuses(do, by=by) == code


def test_outside_mechanical_play_there_is_none_to_join_or_leave():
    assert Game().refuses(JoinMechanicalPlay(ANN)) == Game().refuses(LeaveMechanicalPlay(ANN)) == "not-your-turn"


def test_one_too_many_for_individual_scope():
    game = two()
    for n in range(5):
        game.does(JoinMechanicalPlay(game.enrol(f"Guard {n}", Sheet("regular"))))
    assert game.refuses(JoinMechanicalPlay(ANN)) == "scope-too-small"
    game.does(LeaveMechanicalPlay(OGRE))
    game.does(JoinMechanicalPlay(ANN))


def test_leaving_takes_along_what_was_counted():
    game = two(resource_penalty=({"at": 12, "penalty": 2},))
    game.does(JoinMechanicalPlay(ANN))
    game.turn(BOB)
    game.does(StartTurn(ANN))
    game.does(SeizeAdvantage(ANN, OGRE, "Reach"))
    game.does(SeizeAdvantage(OGRE, ANN, "Reach"))
    game.does(SeizeAdvantage(OGRE, BOB, "Reach"))
    game.does(SpendPower(ANN, 1, "a spell"))
    assert game.character(ANN).pending == 0  # Power was low enough before
    game.does(GoAllOut(ANN, "focusing", OGRE))
    game.does(StartFlurry(ANN, OGRE, "Fencing"))
    left = game.does(LeaveMechanicalPlay(ANN), by="ann")
    assert [one.by for one in told(left, FlurryEnded)] == ["interruption"]
    assert (game.advantage(ANN, OGRE), game.advantage(OGRE, ANN), game.advantage(OGRE, BOB)) == (0, 0, 1)
    assert game.balance(f"scene:{game.scene_id}/action:{ANN}") == 0
    assert (game.character(ANN).off_guard_but, here(game).fight.turn) == (None, None)
    assert ANN not in here(game).fight.standing
    game.turn(OGRE)
    game.does(EndRound())


def test_leaving_is_a_lull_for_who_leaves():
    game = two(resource_penalty=({"at": 9, "penalty": 2},))
    for id in (BOB, OGRE):
        game.does(SpendPower(id, 3, "a spell"))
    game.does(LeaveMechanicalPlay(BOB))
    assert [game.character(id).penalty for id in (BOB, OGRE)] == [2, 0]


def test_with_the_last_one_it_ends():
    game = two()
    game.does(LeaveMechanicalPlay(OGRE))
    ended = game.does(LeaveMechanicalPlay(BOB))
    assert [one.rounds for one in told(ended, MechanicalPlayEnded)] == [1]
    assert (here(game).fights, here(game).mode) == ({}, "specific")


def test_nobody_leaves_an_engagement_unanswered():
    game = two(turn=BOB)
    id = game.act(BOB, engages=(OGRE,))
    assert game.refuses(LeaveMechanicalPlay(OGRE)) == "resistor-has-not-answered"
    game.does(AnswerEngagement(id, OGRE, passive=True))
    assert game.does(LeaveMechanicalPlay(OGRE)).facts


# --- N8: one Scope beside another ------------------------------------------------------------------------------------


def beside() -> Game:
    """Bob fights the Ogre. Cid is a squad of one, against a Goblin band."""
    game = two()
    band = game.enrol("Goblins", Sheet("regular"))
    game.does(CallMechanicalPlay((CID, band), "squad", caller="cid"))
    return game


def test_a_squad_of_one_beside_individuals():
    game = beside()
    band = str(game.number - 2)
    assert set(here(game).fights) == {"individual", "squad"}
    game.does(StartTurn(BOB))
    game.does(StartTurn(CID))  # each Scope has its own order
    game.does(ExpendAction(BOB))
    game.does(ExpendAction(CID))
    assert game.refuses(SeizeAdvantage(BOB, CID, "Reach")) == "not-in-this-scene"
    game.does(SeizeAdvantage(CID, band, "Reach"))
    game.does(EndTurn(CID))
    game.turn(band)
    assert game.refuses(EndRound()) == "which-scope"
    assert game.refuses(EndRound("mob")) == "not-your-turn"
    assert game.refuses(EndRound("individual")) == "another-turn-is-open"
    game.does(EndRound("squad"))
    assert [one.round for one in here(game).fights.values()] == [1, 2]


def test_nobody_is_in_two_and_no_scope_twice():
    game = beside()
    assert game.refuses(JoinMechanicalPlay(CID, "individual")) == "already-in-mechanical-play"
    assert game.refuses(CallMechanicalPlay((ANN,), "squad")) == "not-in-mechanical-play"
    assert game.refuses(CallMechanicalPlay((ANN, BOB), "mob")) == "already-in-mechanical-play"
    assert game.refuses(JoinMechanicalPlay(ANN)) == "which-scope"
    assert game.does(JoinMechanicalPlay(ANN, "squad")).facts


@pytest.mark.parametrize(("scope", "stays"), [("individual", "squad"), ("squad", "individual")])
def test_ending_it_ends_it_for_its_scope_only(scope, stays):
    game = beside()
    band = str(game.number - 2)
    game.does(SeizeAdvantage(CID, band, "Reach"))
    game.does(SeizeAdvantage(BOB, OGRE, "Reach"))
    assert game.refuses(EndMechanicalPlay()) == "which-scope"
    by = "bob" if scope == "individual" else "cid"
    first = game.does(EndMechanicalPlay("specific", scope), by=by)
    assert not told(first, PlayModeShifted)
    assert (set(here(game).fights), here(game).mode) == ({stays}, "mechanical")
    assert (game.advantage(CID, band), game.advantage(BOB, OGRE)) == ((1, 0) if scope == "individual" else (0, 1))
    last = game.does(EndMechanicalPlay("general"), by="cid" if by == "bob" else "bob")
    assert [one.to for one in told(last, PlayModeShifted)] == ["general"]
    assert (here(game).fights, here(game).mode, game.advantage(CID, band)) == ({}, "general", 0)


def test_each_flurry_is_its_own():
    game = beside()
    band = str(game.number - 2)
    game.does(StartTurn(BOB))
    game.does(StartTurn(CID))
    game.does(StartFlurry(BOB, OGRE, "Brawl", ("jab",)))
    game.does(StartFlurry(CID, band, "agility", ("charge",)))
    assert game.refuses(StepFlurry("jab")) == "which-scope"
    game.does(StepFlurry("charge", "squad"))
    game.does(DeclareAction(BOB, "a jab", "Brawl", engages=(CID,), nature="attack", pays="flurry"))
    assert [one.flurry.steps for one in here(game).fights.values()] == [1, 1]


def test_across_scopes_a_reaction_is_paid_from_ones_own_next_turn():
    game = beside()
    game.does(StartTurn(BOB))
    id = game.act(BOB, engages=(CID,), nature="attack")
    game.does(AnswerEngagement(id, CID, Oppose("dodge", "agility")))
    assert here(game).fights["squad"].standing[CID].forfeited == 1
    game.does(CloseOpportunity(id))
    assert game.only(game.does(StartTurn(CID)), TurnStarted).actions == 1


def test_losses_are_the_units_whose_scope_it_is():
    game = beside()
    band = str(game.number - 2)
    game.does(StartTurn(BOB))
    id = game.act(BOB, subject=band, nature="attack", modifiers=(Modifier(5),))
    game.does(AnswerEngagement(id, band, passive=True))
    game.does(CloseOpportunity(id))
    game.does(RollMib(id, faces=(5, 5)))
    game.does(CloseDecision(id))
    game.does(ReachOutcome(id))
    harm = [Result(), Result(character=OGRE)]
    done = game.does(ChooseResults(id, tuple(harm)))
    assert [one.losses for one in told(done, ResourceReduced)] == [True, False]


# --- N9: listings ----------------------------------------------------------------------------------------------------

SEER = Sheet(
    special_abilities=(
        Skill("Sight", "difficult", 1, 2, power_cost=4, use="reactive", duration="involved", opportunity="by night"),
        Skill("Wrath", "easy", 1, ability_type="resource"),
    ),
)
STRATEGY = ListAbility("Strategy", "intermediate", scope="mob", defaults=(ListedDefault("Tactics", -2),))
NEAR: dict[str, Any] = {"related": "Tactics", "modifier": -2, "scope": "mob"}


def seeing(power: int = 10) -> tuple[Game, str]:
    game = Game()
    who = game.enrol("Seer", Sheet(**{**vars_of(SEER), "statistics": {"power": power}}), "ann")
    return game, who


def vars_of(sheet: Sheet) -> dict[str, Any]:
    return {name: getattr(sheet, name) for name in Sheet.__dataclass_fields__}


def test_what_an_ability_is_listed_with_is_kept_and_shown():
    game, who = seeing()
    assert game.view(character(who))["listings"]["Sight"] == {
        "kind": "special-ability",
        "difficulty": "difficult",
        "type": "invoked",
        "use": "reactive",
        "scope": "individual",
        "duration": "involved",
        "opportunity": "by night",
        "power_cost": 4,
        "script": [],
    }
    assert game.balance(f"character:{who}/resource:Wrath") == 12
    game.does(Develop(ANN, 0, 1, (6,)))
    game.does(RaiseRating(ANN, "Fury", 1, skill=Skill("Fury", "easy", power_cost=1, ability_type="resource")))
    assert game.character(ANN).ratings["Fury"].power_cost == 1
    assert game.balance(f"character:{ANN}/resource:Fury") == 12


def test_power_is_charged_by_listing_when_it_is_used():
    game, who = seeing()
    declared = game.does(DeclareAction(who, "look ahead", "Sight"))
    assert [(one.amount, one.why) for one in told(declared, PowerSpent)] == [(4, "Sight")]
    id = game.act(BOB, engages=(who,))
    game.does(AnswerEngagement(id, who, Oppose("foresee it", "Sight")))
    assert game.balance(f"character:{who}/resource:power") == 2
    assert game.refuses(DeclareAction(who, "look ahead", "Sight")) == "not-enough-power"
    assert game.refuses(DeclareAction(who, "guess", default=Default("Guessing", "Sight", -1))) == "not-enough-power"
    id = game.act(BOB, engages=(who,))
    assert game.refuses(AnswerEngagement(id, who, Oppose("foresee it", "Sight"))) == "not-enough-power"


def test_its_duration_and_opportunity_are_told_with_the_action():
    game, who = seeing()
    (first,) = told(game.does(DeclareAction(who, "look", "Sight")), ActionDeclared)
    assert (first.duration, first.opportunity) == ("involved", "by night")
    (second,) = told(game.does(DeclareAction(who, "look", "Sight", duration="scenic")), ActionDeclared)
    assert second.duration == "scenic"
    (third,) = told(game.does(DeclareAction(who, "run")), ActionDeclared)
    assert (third.duration, third.opportunity) == ("immediate", "")


@pytest.mark.parametrize(
    ("default", "asked"),
    [
        (Default("Strategy", **NEAR), False),
        (Default("Strategy"), False),
        (Default("Strategy", "Tactics"), False),
        (Default("Strategy", **{**NEAR, "modifier": -5}), True),
        (Default("Strategy", difficulty="intermediate", scope="mob"), False),
        (Default("Strategy", **{**NEAR, "modifier": -1}), True),
        (Default("Strategy", "Brawl", -2, scope="mob"), True),
        (Default("Strategy", **{**NEAR, "scope": "individual"}), True),
        (Default("Strategy", **NEAR, related_scope="mob"), True),
        (Default("Strategy", difficulty="easy", scope="mob"), True),
        (Default("Strategy", difficulty="difficult"), True),
        (Default("Strategy", special=True, allowed=True), True),
        (Default("Rowing", difficulty="easy"), True),
        (Default("Rowing", "agility", -3), True),
    ],
)
def test_a_number_beyond_the_listing_needs_the_gamemaster(default, asked):
    game = Game()
    game.does(STRATEGY)
    do = DeclareAction(BOB, "try", default=default)
    if not asked:
        assert told(game.does(do, by="bob"), ActionDeclared)
        return
    question = game.asks(do, by="bob")
    assert (question.seat, question.slot) == ("gm", "listing")
    kept = game.does(do, Decline(), by="bob")
    assert [type(about.fact) for about in kept.facts] == [ListingUpheld]
    assert not here(game).resolutions
    assert told(game.does(do, Agree(), by="bob"), ActionDeclared)
    assert told(game.does(do), ActionDeclared), "the Gamemaster's own word"


def test_so_does_an_answer_with_one():
    game = Game()
    id = game.act(ANN, engages=(BOB,))
    answer = AnswerEngagement(id, BOB, Oppose("row off", "agility", Default("Rowing", "agility", -3)))
    assert game.asks(answer, by="bob").seat == "gm"
    game.does(answer, Decline(), by="bob")
    assert here(game).resolutions[id].engaged[BOB] == "asked"
    assert game.asks(AnswerEngagement(id, BOB), answer.oppose).slot == "listing", "said by Bob, not by who declared"
    game.does(answer, Agree(), by="bob")
    assert here(game).resolutions[id].engaged[BOB] == "opposing"


def test_a_listing_says_whether_a_special_ability_has_a_default():
    game = Game()
    for name, default in (("Fire", True), ("Ice", False)):
        game.does(ListAbility(name, "easy", special=True, may_default=default))
    assert told(
        game.does(DeclareAction(BOB, "try", default=Default("Fire", difficulty="easy")), by="bob"), ActionDeclared
    )
    barred = DeclareAction(BOB, "try", default=Default("Ice", difficulty="easy"))
    assert game.refuses(barred, by="bob") == "no-default-for-special-ability"


@pytest.mark.parametrize(
    ("advantage", "expected"),
    [
        (Advantage("Dexterity", 1, 1), "done"),
        (Advantage("Dexterity", 1, 2), "beyond-the-listing"),
        (Advantage("Dexterity", 2, 1), "beyond-the-listing"),
        (Advantage("Luck", 3), "done"),
        (Advantage("Luck", 3, 1), "beyond-the-listing"),
    ],
)
def test_advantages_come_from_listings(advantage, expected):
    game = Game()
    game.does(ListAdvantage("Dexterity", 1, 1, "with the hands"))
    enrol = Enrol("Somebody", "ann", Sheet(advantages=(advantage,)))
    assert tried(game, enrol, "ann") == expected
    assert tried(game, enrol, "gm") == "done"


@pytest.mark.parametrize(
    ("do", "code"),
    [
        (ListAbility("Strategy", "simple"), "unknown-difficulty"),
        (ListAbility("Strategy", "easy", power_cost=-1), "bad-number"),
        (ListAbility("Strategy", "easy", scope="huge"), "bad-number"),
        (ListAbility("Strategy", "easy", defaults=(ListedDefault("Tactics", "x"),)), "bad-number"),
        (ListAdvantage("Dexterity", 0), "rating-below-minimum"),
        (ListAdvantage("Dexterity", 1, "x"), "bad-number"),
    ],
)
def test_listings_that_are_refused(do, code):
    assert Game().refuses(do) == code


def test_listings_are_the_campaigns():
    game = Game()
    game.does(STRATEGY)
    game.does(ListAdvantage("Dexterity", 1, 1, "with the hands"))
    seen = game.view(CAMPAIGN)
    assert seen["abilities"]["Strategy"]["defaults"] == [{"related": "Tactics", "modifier": -2}]
    assert seen["advantages"]["Dexterity"]["modifier"] == 1
