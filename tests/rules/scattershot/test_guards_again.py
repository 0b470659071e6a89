"""What guards refuse, and offers leave out: each condition was removed, and no other test failed."""

from __future__ import annotations

import pytest

from ledger.rules.kernel.commands import Retire
from ledger.rules.scattershot.actions import ExpendAction, RestoreFreeActions
from ledger.rules.scattershot.advantage import SeizeAdvantage
from ledger.rules.scattershot.agreement import Agree
from ledger.rules.scattershot.cashing_in import CashIn
from ledger.rules.scattershot.conditions import GoAllOut, SetOffGuard
from ledger.rules.scattershot.consequences import Consequences, Gained, NameConsequences, Residual
from ledger.rules.scattershot.declaring import DeclareAction
from ledger.rules.scattershot.engaging import AnswerEngagement, Oppose
from ledger.rules.scattershot.experience import ContributeDie
from ledger.rules.scattershot.flurries import InterruptFlurry, StartFlurry, StepFlurry
from ledger.rules.scattershot.joining import JoinMechanicalPlay, LeaveMechanicalPlay
from ledger.rules.scattershot.mechanical_play import CallMechanicalPlay, StartTurn
from ledger.rules.scattershot.outcomes import ReachOutcome
from ledger.rules.scattershot.ratings import Default
from ledger.rules.scattershot.reactions import ReactOffGuard
from ledger.rules.scattershot.results import ChooseResults, Result
from ledger.rules.scattershot.rolls import ReplaceRoll, RollMib
from ledger.rules.scattershot.state import Character, Sheet, Skill
from tests.rules.scattershot.game import Game, tried
from tests.rules.scattershot.offering import may

FLAT = {"multiplier": 1, "bonus": 1, "points": 1}
#: A chart that has rows for Ratings 10 to 20 only.
NARROW = ({"from": 10, "to": 20, "facets": FLAT},)
DODGE = Oppose("dodge", "agility")


# --- points that leave a Rating ---------------------------------------------------------------------------------------


def test_points_cannot_leave_a_rating_if_the_chart_has_no_row_for_what_is_left() -> None:
    """The effect of Firebolt is read for Power, which is 10."""
    game = Game(ue_chart=NARROW)
    gives_up = CashIn(game.cid, "power", 1)
    assert game.refuses(gives_up) == "rating-off-chart"
    assert may(game, gives_up) == []
    game.does(CashIn(game.cid, "agility", 1))


def test_points_can_leave_a_rating_while_the_chart_has_a_row_for_it() -> None:
    game = Game(ue_chart=NARROW)
    gives_up = CashIn(game.bob, "strength", 3)
    assert may(game, gives_up) == ["gm", "bob"] and may(game, CashIn(game.bob, "strength", 4)) == []
    game.does(gives_up, Agree(), by="bob")
    assert game.character(game.bob).ratings["strength"].value == 10
    assert game.refuses(CashIn(game.bob, "strength", 1)) == "rating-off-chart"


def test_a_strength_without_damages_can_fall_off_the_chart() -> None:
    game = Game(ue_chart=NARROW)
    giant = game.enrol("Giant", Sheet(statistics={"strength": 30}), "ann")
    assert not game.character(giant).damages
    assert may(game, CashIn(giant, "strength", 1)) == ["gm", "ann"]


@pytest.mark.parametrize(("points", "expected"), [(1, "rating-off-chart"), (3, "done")])
def test_only_a_rating_that_is_left_needs_a_row(points: int, expected: str) -> None:
    """With all its points, a Skill goes from the sheet, and nothing is read for it any more."""
    rows = ({"from": 10, "to": 10, "facets": FLAT}, {"from": 14, "to": 20, "facets": FLAT})
    game = Game(ue_chart=rows)
    beam = Skill("Beam", "difficult", 1, 2, facet="multiplier", magnitude="Focus")
    adept = game.enrol("Adept", Sheet(skills=(Skill("Focus", "easy", 0, 3),), special_abilities=(beam,)), "ann")
    gives_up = CashIn(adept, "Focus", points)
    assert may(game, gives_up) == (["gm", "ann"] if expected == "done" else [])
    assert tried(game, gives_up) == expected


def test_a_statistic_without_points_still_needs_a_row() -> None:
    game = Game(ue_chart=NARROW, stat_minimum_points=0)
    gives_up = CashIn(game.cid, "power", 2)
    assert may(game, gives_up) == [] and game.refuses(gives_up) == "rating-off-chart"


# --- Mechanical Play --------------------------------------------------------------------------------------------------


def test_the_number_of_actions_is_a_whole_number() -> None:
    game = Game()
    game.fight(game.bob, game.ann)
    game.does(StartTurn(game.bob))
    assert game.refuses(ExpendAction(game.bob, cost=True)) == "bad-number"


def test_a_default_without_a_related_rating_is_possible_in_mechanical_play() -> None:
    game = Game()
    game.fight(game.bob, game.ann)
    game.does(StartTurn(game.bob))
    sails = DeclareAction(game.bob, "turns the boat", default=Default("Sailing", difficulty="easy"))
    assert game.does(sails, Agree(), by="bob").facts


def test_free_actions_are_restored_on_the_characters_own_turn() -> None:
    game = Game()
    game.fight(game.bob, game.ann)
    game.does(StartTurn(game.bob))
    refusal = game.refusal(RestoreFreeActions(game.ann))
    assert (refusal.rule, refusal.code) == ("scattershot.mech.free-refresh", "not-your-turn")


def test_a_retired_character_does_not_join_mechanical_play() -> None:
    game = Game()
    game.does(Retire(game.cid, "enough"))
    call = CallMechanicalPlay((game.bob, game.cid))
    assert game.refuses(call) == "not-in-this-scene" and may(game, call) == []
    game.fight(game.bob, game.ann)
    assert game.refuses(JoinMechanicalPlay(game.cid)) == "not-in-this-scene"
    assert may(game, JoinMechanicalPlay(game.cid)) == []


# --- responding -------------------------------------------------------------------------------------------------------


def test_whoever_chose_to_stay_passive_does_not_oppose_later() -> None:
    """Only a Persona that is Off-Guard is told that it has noticed nothing."""
    game = Game()
    id = game.act(game.bob, engages=(game.ann,))
    game.does(AnswerEngagement(id, game.ann, passive=True))
    assert game.refuses(AnswerEngagement(id, game.ann, DODGE)) == "wrong-phase"


def test_noticing_an_action_shows_nobody_but_its_actor() -> None:
    game = Game()
    game.does(SetOffGuard(game.ann, (game.bob, game.cid)))
    id = game.act(game.cid, engages=(game.ann,))
    game.does(ReactOffGuard(id, game.ann, (1, 1)))

    def look(other: str) -> DeclareAction:
        return DeclareAction(game.ann, "looks", "observation", engages=(other,))

    assert game.refuses(look(game.bob)) == "off-guard" and may(game, look(game.bob)) == []
    assert may(game, look(game.cid)) == ["gm", "ann"]


# --- Flurries ---------------------------------------------------------------------------------------------------------


def start_flurry(game: Game, *others: str) -> None:
    """Bob, on his Turn, starts a Flurry against Ann."""
    game.fight(game.bob, game.ann, *others)
    game.does(StartTurn(game.bob))
    game.does(StartFlurry(game.bob, game.ann, "Brawl", ("jab", "hook")))


def test_all_out_defense_allows_no_interruption() -> None:
    game = Game()
    start_flurry(game, game.cid)
    game.act(game.bob, engages=(game.cid,), pays="action")
    interrupts = InterruptFlurry("shouts", character=game.cid)
    assert may(game, interrupts) == ["gm", "cid"]
    game.does(GoAllOut(game.cid, "defense"))
    assert game.refuses(interrupts) == "all-out" and may(game, interrupts) == []


def test_an_action_from_outside_the_fight_interrupts_no_flurry() -> None:
    game = Game()
    inside, outside = (game.basic(3, who=who) for who in (game.bob, game.cid))
    for id in (inside, outside):
        game.does(ReachOutcome(id))
    start_flurry(game)
    assert may(game, InterruptFlurry("a shot", resolution=inside)) == ["gm", "bob"]
    from_outside = InterruptFlurry("a shot", resolution=outside)
    assert game.refuses(from_outside) == "nothing-interrupts" and may(game, from_outside) == []


def test_the_foe_has_no_step_after_the_last_one_is_announced() -> None:
    game = Game(epic_index=1)
    start_flurry(game)
    game.does(StepFlurry("jab"))
    strikes = DeclareAction(game.ann, "strikes", "Fencing", engages=(game.bob,), nature="attack", pays="flurry")
    assert game.refuses(strikes) == "flurry-ended" and may(game, strikes) == []


# --- outcomes and consequences ----------------------------------------------------------------------------------------


def test_an_outcome_needs_points_on_the_chart() -> None:
    """A Telling Blow of 6 is looked up as a Rating of 6."""
    game = Game(ue_chart=NARROW)
    id = game.basic(6)
    assert game.refuses(ReachOutcome(id)) == "rating-off-chart" and may(game, ReachOutcome(id)) == []


def name(game: Game, id: str, **consequences: object) -> str:
    return tried(game, NameConsequences(id, 0, Consequences("x", **consequences)))  # type: ignore[arg-type]


def test_nobody_suffers_a_residual_where_nobody_is_affected() -> None:
    game = Game()
    id = game.basic(8)
    game.does(ReachOutcome(id))
    assert name(game, id, residuals=(Residual("uphill", 1),)) == "excess-overspent"
    assert name(game, id, other=2) == "done"


@pytest.mark.parametrize(
    ("melee", "leaves", "expected"),
    [(True, False, "done"), (False, False, "not-in-melee"), (True, True, "not-in-melee")],
)
def test_excess_becomes_combat_advantage_only_in_a_melee_of_both(melee: bool, leaves: bool, expected: str) -> None:
    game = Game()
    game.fight(game.bob, game.ann, game.cid, melee=melee)
    game.does(StartTurn(game.bob))
    id = game.basic(8, {game.ann: 0}, who=game.bob)
    game.does(ReachOutcome(id))
    if leaves:
        game.does(LeaveMechanicalPlay(game.ann))
    assert name(game, id, advantages=1) == expected


def test_a_player_chooses_results_for_another_character_of_their_own() -> None:
    game = Game()
    squire = game.enrol("Squire", Sheet(), "ann")
    id = game.basic(3)
    game.does(ReachOutcome(id))

    def slow(who: str) -> ChooseResults:
        return ChooseResults(id, (Result("residual", who, scope="uphill"),))

    assert may(game, slow(squire)) == ["gm", "ann"]
    assert game.refuses(slow(game.bob), by="ann") == "resistor-has-not-answered"
    assert may(game, slow(game.bob)) == ["gm"]


@pytest.mark.parametrize(
    ("consequences", "expected"),
    [
        (Consequences("x", residuals=(Residual("uphill", 1),)), ["gm", "ann"]),
        (Consequences("x", advantages=1), ["gm", "ann"]),
        (Consequences("x", (Gained("Lame", True),)), []),
    ],
)
def test_the_excess_of_a_telling_blow_in_melee(consequences: Consequences, expected: list[str]) -> None:
    """Ann suffers it and invents the consequences. A number of points is no truth value."""
    game = Game()
    game.fight(game.bob, game.ann)
    game.does(StartTurn(game.bob))
    id = game.basic(8, {game.ann: 0}, who=game.bob)
    game.does(ReachOutcome(id))
    assert may(game, NameConsequences(id, 0, consequences)) == expected


def test_a_replaced_roll_is_not_rolled() -> None:
    game = Game(preempt="replace")
    game.dice("ann", 1)
    id = game.decision(game.ann)
    game.does(ContributeDie(id, face=3), by="ann")
    assert may(game, RollMib(id)) == ["gm", "ann"]
    game.does(ReplaceRoll(id))
    assert may(game, RollMib(id)) == [] and game.refuses(RollMib(id)) == "wrong-phase"


def test_a_character_that_was_never_made_is_not_out_of_the_fight() -> None:
    assert not Character().is_out


def test_excess_becomes_no_more_combat_advantage_than_the_cap() -> None:
    game = Game(epic_index=1, advantage_cap="per-pair")
    game.fight(game.bob, game.ann)
    game.does(StartTurn(game.bob))
    game.does(SeizeAdvantage(game.bob, game.ann, "Reach"))
    id = game.basic(9, {game.ann: 0}, who=game.bob)
    game.does(ReachOutcome(id))
    more = NameConsequences(id, 0, Consequences("x", advantages=1))
    assert game.refuses(more) == "advantage-cap" and may(game, more) == []
