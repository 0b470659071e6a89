"""The amendments N1 to N7, in their order: 3.11, 3.12, 3.13 and the Off-Guard of 3.5."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.commands import CloseSession, OpenSession
from ledger.rules.kernel.subjects import scene
from ledger.rules.scattershot.actions import TakeFreeAction
from ledger.rules.scattershot.advantage import AdvantageErased, FoeChanged, HoldAdvantage, SeizeAdvantage
from ledger.rules.scattershot.agreement import Agree, Decline, DiceDeclined, SpeakFor
from ledger.rules.scattershot.awards import CountCoup
from ledger.rules.scattershot.conditions import GoAllOut, SetOffGuard
from ledger.rules.scattershot.declaring import DeclareAction
from ledger.rules.scattershot.engaging import AnswerEngagement, Oppose
from ledger.rules.scattershot.experience import ContributeDie
from ledger.rules.scattershot.flurries import FlurryStepped, StartFlurry, StepFlurry
from ledger.rules.scattershot.game import Attend
from ledger.rules.scattershot.gimmes import ClaimGimme, ClaimPayback, PaybackPaid
from ledger.rules.scattershot.mechanical_play import EndTurn, FlurryEnded, StartTurn
from ledger.rules.scattershot.outcomes import ReachOutcome
from ledger.rules.scattershot.ratings import ApplyModifier, Default
from ledger.rules.scattershot.reactions import ReactOffGuard
from ledger.rules.scattershot.rolls import CloseOpportunity, RollMib
from ledger.rules.scattershot.state import Sheet, Skill
from ledger.rules.scattershot.totals import CloseDecision, ExperienceDieHandedOver
from tests.rules.scattershot.game import Game, tried

ANN, BOB, CID, OGRE = "1", "2", "3", "4"
DUELLIST = Sheet(skills=(Skill("Lunge", "easy", 1, use="instantaneous", script=("lunge", "guard")),))


def fight(game: Game) -> Any:
    return game.state(scene(game.scene_id)).fight


def on_turn(game: Game, *ids: str, turn: str = BOB) -> Game:
    """Return a melee that Bob called, on the Turn of one of them."""
    game.fight(*(ids or (ANN, BOB, CID, OGRE)))
    for id in (BOB, ANN, OGRE, CID):
        if id == turn:
            break
        game.turn(id)
    game.does(StartTurn(turn))
    return game


def told(verdict: Any, cls: type[Any]) -> list[Any]:
    return [about.fact for about in verdict.facts if type(about.fact) is cls]


# --- N1: Instantaneous Ratings ---------------------------------------------------------------------------------------


def duel(turn: str) -> tuple[Game, str]:
    """Bob and a duellist of Ann's, whose only Skill is Instantaneous."""
    game = Game()
    who = game.enrol("Duellist", DUELLIST, "ann")
    game.free("a lunge")
    game.fight(BOB, who)
    game.does(StartTurn(BOB))
    if turn == "theirs":
        game.does(EndTurn(BOB))
        game.does(StartTurn(who))
    return game, who


OFF_TURN = {"pays": "free", "free": "a lunge"}
NEAR = Default("Stabbing", "Lunge", -1)


@pytest.mark.parametrize(
    ("turn", "more", "expected"),
    [
        ("bob's", OFF_TURN, "not-your-turn"),
        ("bob's", {**OFF_TURN, "default": NEAR}, "not-your-turn"),
        ("bob's", {**OFF_TURN, "rating": "observation", "free": "look-around"}, "done"),
        ("theirs", OFF_TURN, "done"),
        ("theirs", {}, "done"),
        ("theirs", {"default": NEAR}, "done"),
    ],
)
def test_an_instantaneous_rating_is_for_ones_own_turn_whatever_pays_for_it(turn, more, expected):
    game, who = duel(turn)
    assert tried(game, DeclareAction(who, "a lunge", **{"rating": "Lunge", **more})) == expected


@pytest.mark.parametrize(
    ("pays", "flurry", "expected"),
    [
        ("forfeit", False, "not-your-turn"),
        ("free", False, "not-your-turn"),
        ("flurry", True, "done"),
        ("free", True, "not-your-turn"),
    ],
)
def test_nor_does_it_answer_but_in_a_flurry(pays, flurry, expected):
    game, who = duel("bob's")
    id = game.act(BOB, engages=(who,), nature="attack")
    if flurry:
        game.does(StartFlurry(who, BOB, "Lunge"))
    assert tried(game, AnswerEngagement(id, who, Oppose("lunge", "Lunge", pays=pays))) == expected
    near = Oppose("stab", "agility", NEAR, pays=pays)
    if not flurry:
        assert game.refuses(AnswerEngagement(id, who, near)) == expected


def test_free_actions_on_anothers_turn_are_one_of_each_kind_and_no_more_than_the_epic_index():
    game = on_turn(Game(epic_index=2))
    look = DeclareAction(ANN, "look", "observation", pays="free", free="look-around")
    game.does(look)
    assert game.refuses(look) == "free-action-kind-limit"
    game.does(TakeFreeAction(ANN, "last-ditch-dodge"))
    assert game.refuses(TakeFreeAction(ANN, "fall-down")) == "free-action-limit"


# --- N2: Off-Guard ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"subject": BOB}, "off-guard"),
        ({"engages": (BOB,)}, "off-guard"),
        ({"engages": (CID, BOB)}, "off-guard"),
        ({"subject": "the door", "engages": (BOB,)}, "off-guard"),
        ({"engages": (CID,)}, "done"),
        ({"subject": "the door"}, "done"),
        ({}, "done"),
    ],
)
def test_whoever_is_looked_at_counts(more, expected):
    game = Game()
    game.does(SetOffGuard(ANN, (BOB,)))
    assert tried(game, DeclareAction(ANN, "look", "observation", **more)) == expected
    near = DeclareAction(ANN, "peer", default=Default("Spying", "observation", -1), **more)
    assert tried(game, near) == expected


def test_who_noticed_may_look_at_the_one_engaged():
    game = Game()
    game.does(SetOffGuard(ANN, (BOB,)))
    id = game.act(BOB, engages=(ANN,))
    game.does(ReactOffGuard(id, ANN, (1, 1)))
    assert game.does(DeclareAction(ANN, "look", "observation", engages=(BOB,))).facts


# --- N3: what a Flurry counts ----------------------------------------------------------------------------------------

STEP: dict[str, Any] = {"pays": "flurry", "nature": "attack", "subject": BOB}


@pytest.mark.parametrize("limit", [1, 2, 4])
def test_every_attack_of_a_flurry_is_a_step_and_the_limit_ends_it(limit):
    game = on_turn(Game(epic_index=limit), turn=ANN)
    game.does(StartFlurry(ANN, BOB, "Fencing"))
    for n in range(1, limit + 1):
        done = game.does(DeclareAction(ANN, "riposte", "Fencing", **STEP))
        assert [one.n for one in told(done, FlurryStepped)] == [n]
        assert [one.by for one in told(done, FlurryEnded)] == (["limit"] if n == limit else [])
    assert game.refuses(DeclareAction(ANN, "riposte", "Fencing", **STEP)) == "flurry-ended"
    assert game.refuses(StepFlurry("riposte")) == "flurry-ended"


def test_a_step_announced_is_played_out_by_the_attack_and_not_counted_twice():
    game = on_turn(Game(epic_index=2), turn=ANN)
    game.does(StartFlurry(ANN, BOB, "Fencing"))
    game.does(StepFlurry("riposte"))
    game.does(DeclareAction(ANN, "riposte", "Fencing", **STEP))
    assert fight(game).flurry.steps == 1
    game.does(DeclareAction(ANN, "riposte", "Fencing", **STEP))
    assert (fight(game).flurry.steps, fight(game).flurry.ended) == (2, "limit")


def test_an_attack_as_an_answer_is_a_step_a_miss_too():
    """Parry-Riposte opens on Bob's Turn. Ann's answer is a step; Bob's defense is part of hers."""
    game = on_turn(Game(epic_index=2))
    id = game.act(BOB, "Brawl", engages=(ANN,), nature="attack")
    game.does(StartFlurry(ANN, BOB, "Fencing"))
    back = Oppose("strike back", "Fencing", nature="attack", pays="flurry")
    assert [one.n for one in told(game.does(AnswerEngagement(id, ANN, back)), FlurryStepped)] == [1]
    riposte = game.act(ANN, "Fencing", engages=(BOB,), **STEP)
    assert fight(game).flurry.ended == "limit"
    duck = game.does(AnswerEngagement(riposte, BOB, Oppose("duck", "agility", pays="flurry")))
    assert not told(duck, FlurryStepped)
    game.does(ApplyModifier(riposte, -20))
    game.does(CloseOpportunity(riposte))
    for side in ("actor", BOB):
        game.does(RollMib(riposte, side, (5, 5)))
    game.does(CloseDecision(riposte))
    game.does(ReachOutcome(riposte))
    assert (fight(game).flurry.steps, fight(game).flurry.ended) == (2, "limit")


# --- N4: nobody mints dice -------------------------------------------------------------------------------------------

COUP, CUE = CountCoup("bob", 2, "a Keeper"), ClaimPayback(None, "a cue", True)


@pytest.mark.parametrize(("do", "to", "n"), [(COUP, "bob", 2), (CUE, "ann", 2)])
def test_the_gamemaster_is_asked(do, to, n):
    game = Game()
    question = game.asks(do, by="ann")
    assert (question.seat, question.kinds) == ("gm", (Agree, Decline, SpeakFor))
    before = game.number
    declined = game.does(do, Decline(), by="ann")
    (kept,) = told(declined, DiceDeclined)
    assert (kept.player, game.xd("ann"), game.xd("bob")) == ("ann", 0, 0) and game.number == before + 1
    game.does(do, Agree(), by="ann")
    assert game.xd(to) == n


@pytest.mark.parametrize("do", [CountCoup("bob", 1, player="ann"), ClaimPayback(None, "a cue", player="ann")])
def test_who_would_be_asked_need_not_be(do):
    assert Game().does(do, by="gm").facts


@pytest.mark.parametrize("do", [COUP, CUE, ClaimGimme(ANN, "Reckless")])
def test_or_whom_the_dial_names(do):
    """Everybody else who is present is asked. One objection is enough."""
    game = Game(dice_granted_by="group")
    game.does(OpenSession())
    game.does(Attend(("gm", "ann", "bob")))
    assert [game.asks(do, *said, by="ann").seat for said in ((), (Agree(),))] == ["gm", "bob"]
    assert game.does(do, Agree(), Decline(), by="ann").facts and game.xd("ann") == 0
    before = game.xd("ann") + game.xd("bob")
    game.does(do, Agree(), Agree(), by="ann")
    assert game.xd("ann") + game.xd("bob") > before


@pytest.mark.parametrize(
    ("do", "code"),
    [
        (ClaimPayback("99"), "nothing-rolled"),
        (ClaimPayback("99", "a cue", True), "nothing-rolled"),
        (ClaimPayback(), "no-occasion"),
        (ClaimPayback(None, "   "), "no-occasion"),
    ],
)
def test_a_payback_names_a_resolution_with_dice_or_an_occasion(do, code):
    game = Game()
    assert game.refuses(do, by="ann") == code == game.refuses(do, by="gm")


def test_it_pays_the_dice_shown_and_only_where_they_stand():
    game = Game()
    game.dice("ann", 2)
    id = game.decision(ANN)
    assert game.refuses(ClaimPayback(id), by="ann") == "nothing-rolled"
    for _ in range(2):
        last = game.number
        game.does(ContributeDie(id, face=3), by="ann")
    claimed = game.number
    assert game.only(game.does(ClaimPayback(id, "", True), Agree(), by="ann"), PaybackPaid).n == 3
    assert game.refuses(ClaimPayback(id), by="bob") == "nothing-rolled"
    rows = {row.number: row for row in game.without(last).rows}
    assert rows[claimed].standpoint == "changes"
    both = {row.number: row for row in game.without(last, last - 1).rows}
    assert getattr(both[claimed].then, "code", None) == "nothing-rolled"


# --- N5: another foe -------------------------------------------------------------------------------------------------


def held(*dials: Any) -> Game:
    """Ann, on her Turn, has 2 points of Combat Advantage over Bob."""
    game = on_turn(Game(), turn=ANN)
    game.does(DeclareAction(ANN, "a cut", "Fencing", engages=(BOB,), nature="attack"))
    game.does(SeizeAdvantage(ANN, BOB, "Reach"))
    game.does(HoldAdvantage(ANN, BOB, "Pressing"))
    game.free("a throw")
    return game


@pytest.mark.parametrize(
    ("do", "foe"),
    [
        (DeclareAction(ANN, "a cut", "Fencing", engages=(CID,), nature="attack"), CID),
        (DeclareAction(ANN, "a cut", "Fencing", subject=OGRE, engages=(CID, OGRE), nature="attack"), OGRE),
        (DeclareAction(ANN, "a throw", engages=(CID,), nature="attack", pays="free", free="a throw"), CID),
        (StartFlurry(ANN, CID, "Fencing"), CID),
        (GoAllOut(ANN, "focusing", CID), CID),
    ],
)
def test_turning_to_another_foe_is_told_with_the_act(do, foe):
    game = held()
    done = game.does(do)
    assert [(one.from_, one.to) for one in told(done, FoeChanged)] == [(BOB, foe)]
    assert [(one.foe, one.n) for one in told(done, AdvantageErased)] == [(BOB, 2)]
    assert (game.advantage(ANN, BOB), fight(game).standing[ANN].foe) == (0, foe)


@pytest.mark.parametrize(
    "do",
    [
        DeclareAction(ANN, "a cut", "Fencing", engages=(BOB,), nature="attack"),
        DeclareAction(ANN, "a sweep", "Fencing", subject=CID, engages=(BOB, CID), nature="attack"),
        DeclareAction(ANN, "look", "observation", engages=(CID,)),
        DeclareAction(ANN, "past them", engages=(CID,), nature="movement"),
        StartFlurry(ANN, BOB, "Fencing"),
        GoAllOut(ANN, "focusing", BOB),
        GoAllOut(ANN, "attack", CID),
    ],
)
def test_who_stays_with_the_foe_keeps_what_is_held(do):
    game = held()
    assert not told(game.does(do), FoeChanged)
    assert game.advantage(ANN, BOB) == 2


def test_to_strike_back_is_no_choice_of_another_foe():
    game = held()
    game.does(EndTurn(ANN))
    game.does(StartTurn(OGRE))
    id = game.act(OGRE, engages=(ANN,), nature="attack")
    game.does(AnswerEngagement(id, ANN, Oppose("strike back", "Fencing", nature="attack")))
    assert (game.advantage(ANN, BOB), fight(game).standing[ANN].foe) == (2, BOB)


# --- N6: Free Actions under All-Out Defense --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "do", "expected"),
    [
        ("defense", TakeFreeAction(ANN, "soliloquy"), "done"),
        ("defense", DeclareAction(ANN, "look", "observation", pays="free", free="look-around"), "done"),
        ("defense", DeclareAction(ANN, "a throw", subject=BOB, nature="attack", pays="free", free="a throw"), "done"),
        ("defense", DeclareAction(ANN, "look", "observation"), "all-out"),
        ("defense", DeclareAction(ANN, "a blow", subject=BOB, nature="attack"), "all-out"),
        ("attack", DeclareAction(ANN, "look", "observation", pays="free", free="look-around"), "done"),
        ("attack", DeclareAction(ANN, "dive", nature="defense", pays="free"), "all-out"),
    ],
)
def test_a_free_action_does_not_count_as_an_action(mode, do, expected):
    game = on_turn(Game(), turn=ANN)
    game.free("a throw")
    game.does(GoAllOut(ANN, mode))
    assert tried(game, do) == expected


@pytest.mark.parametrize(("nature", "pays", "expected"), [("other", "free", "done"), ("other", "forfeit", "all-out")])
def test_as_an_answer_too(nature, pays, expected):
    game = on_turn(Game())
    game.does(GoAllOut(ANN, "defense"))
    game.free("shout")
    id = game.act(BOB, engages=(ANN,))
    answer = AnswerEngagement(id, ANN, Oppose("shout", "agility", nature=nature, pays=pays, free="shout"))
    assert tried(game, answer) == expected


# --- N7: Loaners go back in the same Session -------------------------------------------------------------------------


def lying(kind: str, **dials: Any) -> tuple[Game, str]:
    """When the Session closes, a Loaner is on the table in Ann's Decision Phase: hers, or one that Bob saved."""
    game = Game(**dials)
    game.does(OpenSession())
    session = str(game.number - 1)
    id = game.decision(ANN, oppose={BOB: "agility"})
    game.does(ContributeDie(id, "loaner", 4), by="ann")
    if kind == "saved":
        for side in ("actor", BOB):
            game.does(RollMib(id, side, (5, 5)))
        game.does(CloseDecision(id))
        id = game.decision(ANN, oppose={BOB: "agility"})
        game.does(ContributeDie(id, "saved", 4, -1, borrower="ann"), by="bob")
    game.does(CloseSession(session))
    return game, id


@pytest.mark.parametrize(
    ("kind", "expiry", "saved", "karmic", "bob"),
    [
        ("loaner", "lapse", 0, 0, 0),
        ("loaner", "carry", 1, -1, 0),
        ("loaner", "keep", 0, 0, 1),
        ("saved", "lapse", 0, 0, 0),
        ("saved", "carry", 0, 0, 0),
    ],
)
def test_one_on_the_table_when_the_session_closes(kind, expiry, saved, karmic, bob):
    game, id = lying(kind, loaner_expiry=expiry)
    assert game.balance(f"scene:{game.scene_id}/xd") == 0
    assert (game.saved("bob", "ann"), game.karmic("ann"), game.xd("bob")) == (saved, karmic, bob)
    one = game.state(scene(game.scene_id)).resolutions[id]
    assert not one.dice and one.sides["actor"].experience == (4 if kind == "loaner" else -4)
    for side in ("actor", BOB):
        game.does(RollMib(id, side, (5, 5)))
    assert not told(game.does(CloseDecision(id)), ExperienceDieHandedOver)
    assert game.karmic("ann") == karmic


def test_dice_of_ones_own_lie_on():
    game = Game()
    game.does(OpenSession())
    session = str(game.number - 1)
    game.dice("ann", 1)
    id = game.decision(ANN, oppose={BOB: "agility"})
    game.does(ContributeDie(id, face=4), by="ann")
    game.does(CloseSession(session))
    assert game.balance(f"scene:{game.scene_id}/xd") == 1
