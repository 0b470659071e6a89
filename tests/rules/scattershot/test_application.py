"""3.6 to 3.9: Challenges and Benefits, Critical Junctures, results, damage, Resources."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.rules.kernel.moves import holds
from ledger.rules.kernel.questions import Ask
from ledger.rules.kernel.subjects import scene
from ledger.rules.scattershot.challenges import BenefitTaken, TakeBenefit, TakeChallenge
from ledger.rules.scattershot.consequences import (
    Consequences,
    Gained,
    JunctureConsequenceNamed,
    NameConsequences,
    Residual,
)
from ledger.rules.scattershot.engaging import AnswerEngagement
from ledger.rules.scattershot.game import ShiftMode
from ledger.rules.scattershot.mechanical_play import StartTurn
from ledger.rules.scattershot.outcomes import ReachOutcome
from ledger.rules.scattershot.power import RestoreResource, SpendPower
from ledger.rules.scattershot.ratings import ApplyModifier
from ledger.rules.scattershot.resources import ResourceReduced, UseResource
from ledger.rules.scattershot.results import ChooseResults, CloseApplication, Result, ScalarRecorded
from ledger.rules.scattershot.rolls import CloseOpportunity, OpportunityClosed, RollMib
from ledger.rules.scattershot.totals import CloseDecision
from tests.rules.scattershot.game import Game

R = "2"  # Bobby


def outcome(actor: int, resistor: int | None = None, challenges=(0, 0), benefits=(0, 0), **dials):
    game = Game(**dials)
    id = game.basic(actor, {R: resistor} if resistor is not None else None)
    for side, n in zip(("actor", R), challenges, strict=True):
        if n:
            game.does(TakeChallenge(id, n=n, side=side))
    for side, n in zip(("actor", R), benefits, strict=True):
        if n:
            game.does(TakeBenefit(id, n=n, side=side))
    return game.outcome(id)


@pytest.mark.parametrize(
    ("actor", "adjusted", "remaining", "automatic", "word"),
    [
        (1, 1, 1, 0, "success"),
        (0, 0, 0, 0, "minimal-success"),
        (-1, -1, -1, 0, "failure"),
        (5, 5, 5, 0, "success"),
        (6, 6, 6, 0, "telling-blow"),
        (9, 9, 6, 3, "telling-blow"),
        (-5, -5, -5, 0, "failure"),
        (-6, -6, -6, 0, "catastrophic-failure"),
        (-9, -9, -9, 0, "catastrophic-failure"),
    ],
)
def test_unopposed(actor, adjusted, remaining, automatic, word):
    found = outcome(actor)
    assert (found.adjusted, found.remaining, found.auto_benefits, found.outcome) == (
        adjusted,
        remaining,
        automatic,
        word,
    )


def test_just_at_the_boundary():
    assert outcome(-6, catastrophe_boundary="below").outcome == "failure"
    assert outcome(-7, catastrophe_boundary="below").outcome == "catastrophic-failure"


@pytest.mark.parametrize(
    ("actor", "resistor", "dials", "adjusted", "word", "number", "extra"),
    [
        (-3, 4, {}, -7, "failure", 6, 1),
        (-3, 4, {"contested_juncture": "rmib"}, -7, "catastrophic-failure", 6, 1),
        (-3, 4, {"contested_juncture": "each-initial"}, -7, "failure", 6, 1),
        (-3, 4, {"resistor_results": False}, -7, "failure", None, 0),
        (-6, 1, {}, -7, "catastrophic-failure", 6, 1),
        (-2, -1, {}, -2, "failure", None, 0),
        (8, 1, {}, 7, "telling-blow", None, 0),
        (8, 4, {}, 4, "success", None, 0),
        (5, -1, {}, 5, "success", None, 0),
        (6, -8, {}, 6, "telling-blow", None, 0),
        (1, 6, {}, -5, "failure", 5, 0),
    ],
)
def test_contests(actor, resistor, dials, adjusted, word, number, extra):
    found = outcome(actor, resistor, **dials)
    assert (found.adjusted, found.outcome) == (adjusted, word)
    assert (found.resistor_number, found.resistor_auto_benefits) == (number, extra)


def test_a_gate_passed_by_challenges_only():
    found = outcome(5, -1, (2, 0))
    assert (found.adjusted, found.remaining, found.auto_benefits, found.junctures) == (7, 6, 1, ())


def test_a_telling_blow_can_be_spent_away():
    assert outcome(7, benefits=(2, 0)).outcome == "success"


def test_each_initial_mib_by_itself():
    """The other side invents a Telling Blow's consequences, the roller a Catastrophic Failure's."""
    blows = outcome(7, 8, contested_juncture="each-initial").junctures
    assert [(one.side, one.author, one.excess) for one in blows] == [("actor", "bob", 1), (R, "ann", 2)]
    failures = outcome(-6, -9, contested_juncture="each-initial").junctures
    assert [(one.side, one.author, one.sufferer) for one in failures] == [("actor", "ann", "1"), (R, "bob", R)]


@pytest.mark.parametrize(
    ("dials", "actor", "points"),
    [({}, 40, 1), ({"points_index": "uncapped"}, 12, 2), ({"points_index": "uncapped"}, 21, 5)],
)
def test_points_of_a_consequence(dials, actor, points):
    (juncture,) = outcome(actor, **dials).junctures
    assert juncture.points == points


# --- Challenges and Benefits -----------------------------------------------------------------------------------------


def test_challenges_before_benefits():
    game = Game()
    id = game.basic(3, {R: -2})
    game.does(TakeChallenge(id, n=3), by="ann")
    assert game.refuses(TakeChallenge(id, n=2)) == "challenges-over-epic-index"
    assert game.refuses(TakeChallenge(id, side=R), by="ann") == "not-proprietor"
    assert game.refuses(TakeChallenge(id, side="7")) == "no-such-roll"
    assert game.refuses(TakeChallenge(id, n=0)) == "bad-number"
    game.does(TakeChallenge(id, side=R, n=2), by="bob")
    assert game.refuses(TakeBenefit(id, n=7)) == "benefits-overspent"
    game.does(TakeBenefit(id, "Quantity", "farther", 6))
    assert game.refuses(TakeChallenge(id)) == "wrong-phase"
    assert game.outcome(id).adjusted == 0
    for late in (TakeBenefit(id), TakeChallenge(id), ReachOutcome(id)):
        assert game.refuses(late) == "wrong-phase"


@pytest.mark.parametrize(
    ("actor", "resistor", "dials", "most"),
    [
        (6, 4, {}, (2, 0)),
        (4, 6, {}, (0, 2)),
        (-3, 4, {}, (0, 4)),
        (-3, 4, {"contested_adjust": "rmib"}, (0, 7)),
        (5, -4, {}, (5, 0)),
        (-5, -4, {}, (0, 0)),
        (-5, -4, {"contested_adjust": "rmib"}, (0, 5)),
    ],
)
def test_only_who_is_ahead_spends(actor, resistor, dials, most):
    for side, limit in zip(("actor", R), most, strict=True):
        game = Game(**dials)
        id = game.basic(actor, {R: resistor})
        assert game.refuses(TakeBenefit(id, n=limit + 1, side=side)) == "benefits-overspent"
        if limit:
            assert game.does(TakeBenefit(id, n=limit, side=side)).facts


def test_altering_the_rmib_itself():
    """The readings differ if the Resistor missed."""
    assert outcome(3, -2, (0, 3)).adjusted == 2
    assert outcome(3, -2, (0, 3), contested_adjust="rmib").adjusted == 0
    assert outcome(-3, 4, (1, 2), (0, 3), contested_adjust="rmib").adjusted == -7 + 1 - 2 + 3


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(actor=st.integers(-12, 12), resistor=st.integers(-12, 12), more=st.tuples(st.integers(0, 4), st.integers(0, 4)))
def test_the_rmib_again_after_challenges(actor, resistor, more):
    found = outcome(actor, resistor, more)
    a, r = actor + more[0], resistor + more[1]
    assert found.adjusted == (a - r if r >= 0 else a)
    assert found.remaining + found.auto_benefits == found.adjusted and found.remaining <= 6


# --- consequences ----------------------------------------------------------------------------------------------------


def blow(game: Game, actor: int = 9, **more) -> str:
    """Return a Telling Blow against Bobby, who is passive."""
    id = game.act(game.ann, subject=game.bob, **more)
    if more.get("nature") == "attack":
        game.does(AnswerEngagement(id, game.bob, passive=True))
    game.does(ApplyModifier(id, actor - 12 + 10))
    game.does(CloseOpportunity(id))
    game.does(RollMib(id, "actor", (5, 5)))
    game.does(CloseDecision(id))
    game.does(ReachOutcome(id))
    return id


def test_the_subjects_player_is_asked():
    game = Game()
    id = blow(game)
    question = game.asks(NameConsequences(id), by="ann")
    assert isinstance(question, Ask) and question.seat == "bob"
    said = Consequences("a scar", (Gained("Scarred"),), (Residual("uphill", 2),), benefits=1)
    verdict = game.does(NameConsequences(id), said, by="ann")
    named = game.only(verdict, JunctureConsequenceNamed)
    assert (named.author, named.points, named.excess_split) == ("bob", 1, {"residuals": 2, "benefits": 1})
    assert game.character(game.bob).disadvantages[-1].name == "Scarred"
    assert game.character(game.bob).residuals[0].amount == -2
    assert game.refuses(NameConsequences(id)) == "wrong-phase"
    assert game.does(CloseApplication(id)).facts


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (Consequences("x", (Gained("Lame", 2),)), "excess-overspent"),
        (Consequences("x", residuals=(Residual("uphill", 4),)), "excess-overspent"),
        (Consequences("x", benefits=2, other=2), "excess-overspent"),
        (Consequences("x", until="scene"), "ends-too-soon"),
        (Consequences("x", until=" Round"), "ends-too-soon"),
        (Consequences("x", benefits="1"), "bad-number"),
        (Consequences("x", (Gained("Lame", 0),)), "bad-number"),
        (Consequences("x", residuals=(Residual("uphill", -1),)), "bad-number"),
        (Consequences("x", advantages=1), "not-in-melee"),
    ],
)
def test_consequences_that_are_refused(said, code):
    game = Game()
    id = blow(game)
    assert game.refuses(NameConsequences(id, 0, said), by="bob") == code
    assert game.refuses(NameConsequences(id), said) == code
    meant = replace(said, until=said.until.strip().lower())  # a schema lists the words themselves only
    assert not any(holds(one, meant) for one in game.asks(NameConsequences(id)).within)


def test_who_may_name_them_and_when():
    game = Game()
    id = blow(game)
    assert game.refuses(NameConsequences(id, 0, Consequences("x")), by="ann") == "not-proprietor"
    assert game.refuses(NameConsequences(id, 1, Consequences("x"))) == "wrong-phase"
    game.does(NameConsequences(id, 0, Consequences("x")), by="bob")
    assert game.refuses(NameConsequences(id)) == "wrong-phase"
    assert game.does(ChooseResults(id)).facts
    assert game.refuses(NameConsequences(id)) == "wrong-phase"


@pytest.mark.parametrize("close", [CloseApplication, ChooseResults])
def test_consequences_may_be_named_after_the_end(close):
    game = Game()
    id = blow(game)
    game.does(close(id))
    assert game.state(scene(game.scene_id)).resolutions[id].phase == "closed"
    for late in (close(id), TakeBenefit(id), ReachOutcome(id), ChooseResults(id), CloseApplication(id)):
        assert game.refuses(late) == "wrong-phase"
    game.does(NameConsequences(id, 0, Consequences("a limp", (Gained("Lame"),))), by="bob")
    assert game.character(game.bob).disadvantages[-1].name == "Lame"
    assert game.state(scene(game.scene_id)).resolutions == {}
    assert game.refuses(NameConsequences(id)) == "wrong-phase"


def test_automatic_benefits_are_in_the_record_and_nobodys_to_spend():
    game = Game()
    id = game.basic(9)
    (told,) = [about.fact for about in game.does(ReachOutcome(id)).facts if isinstance(about.fact, BenefitTaken)]
    assert (told.side, told.n, told.automatic) == ("actor", 3, True)
    one = game.state(scene(game.scene_id)).resolutions[id]
    assert (one.sides["actor"].benefits, one.reached[0].adjusted, one.phase) == (0, 9, "results")
    contest = game.basic(-3, {R: 5})
    resistors = game.only(game.does(ReachOutcome(contest)), BenefitTaken)
    assert (resistors.side, resistors.n) == (R, 2)
    spent = game.basic(4)
    assert game.only(game.does(TakeBenefit(spent)), BenefitTaken).automatic is False


def test_nobody_suffers_what_happens_to_a_thing():
    game = Game()
    id = game.basic(9, subject="the door")
    (juncture,) = game.outcome(id).junctures
    assert (juncture.author, juncture.sufferer) == ("gm", None)
    assert game.refuses(NameConsequences(id, 0, Consequences("x", (Gained("Creaks"),)))) == "excess-overspent"


def test_excess_into_combat_advantage():
    game = Game()
    game.fight(game.ann, game.bob, game.cid)
    game.turn(game.bob)
    game.does(StartTurn(game.ann))
    id = blow(game, 12, nature="attack")
    assert game.refuses(NameConsequences(id, 0, Consequences("x", advantages=5))) == "advantage-cap"
    game.does(NameConsequences(id, 0, Consequences("x", advantages=4)))
    assert game.advantage(game.ann, game.bob) == 4
    assert game.character(game.bob).kind == "persona"


# --- results and damage ----------------------------------------------------------------------------------------------


def results(game: Game, actor: int, *wanted: Result, who: str | None = None, **more):
    id = game.basic(actor, who=who, subject=game.cid, **more)
    game.does(ReachOutcome(id))
    return game.does(ChooseResults(id, wanted))


def losses(verdict) -> list[int]:
    return [about.fact.loss for about in verdict.facts if isinstance(about.fact, ResourceReduced)]


@pytest.mark.parametrize(
    ("number", "weapon", "loss"),
    [(4, 0, 6), (2, "dagger", 5), (2, "short sword", 6), (2, "Long Sword", 8), (0, 3, 5), (0, 0, 0), (-1, 3, 0)],
)
def test_damage_of_strength_13(number, weapon, loss):
    game = Game()
    verdict = results(game, number, Result(weapon=weapon, protection=()), who=game.bob)
    assert losses(verdict) == [loss]


def test_damage_under_dials_and_protection():
    game = Game(weapon_adds_at_zero=False)
    assert losses(results(game, 0, Result(weapon=3, protection=()), who=game.bob)) == [0]
    game = Game()
    assert losses(results(game, 5, Result())) == [3]  # a bought 13 stops its Bonus, 2
    assert losses(results(game, 1, Result())) == [0]
    assert game.balance(f"character:{game.cid}/resource:hit-points") == 7


def test_a_factor_a_residual_and_a_scalar():
    game = Game()
    wanted = (Result("factor", resource="power"), Result("residual", scope="uphill", sign=1), Result("scalar"))
    verdict = results(game, 5, *wanted)
    assert losses(verdict) == [5]
    assert game.character(game.cid).residuals[0].amount == 1
    assert game.only(verdict, ScalarRecorded).amount == 5


@pytest.mark.parametrize(
    ("actor", "result", "code"),
    [
        (-1, Result("residual"), "no-result-from-failure"),
        (1, Result("residual", sign=0), "bad-number"),
        (1, Result("odd"), "bad-number"),
        (1, Result(weapon="spoon"), "bad-number"),
        (1, Result(protection=("hat",)), "bad-number"),
        (1, Result("factor", resource="agility"), "unknown-statistic"),
        (1, Result("factor", magnitude="luck"), "unknown-statistic"),
        (1, Result(character="99"), "unknown-character"),
    ],
)
def test_results_that_are_refused(actor, result, code):
    game = Game()
    id = game.basic(actor, subject=game.cid)
    assert game.refuses(ChooseResults(id, (result,))) == "wrong-phase"
    game.does(ReachOutcome(id))
    assert game.refuses(ChooseResults(id, (result,)), by="bob") == "not-proprietor"
    assert game.refuses(ChooseResults(id, (result,))) == code


def test_results_of_the_resistor():
    game = Game()
    id = game.basic(-3, {game.bob: 4})
    game.does(ReachOutcome(id))
    verdict = game.does(ChooseResults(id, (Result(),), game.bob), by="bob")
    assert losses(verdict) == [9]
    other = Game()
    id = other.basic(3, {other.bob: 4})
    other.does(TakeChallenge(id, n=1))
    other.does(ReachOutcome(id))
    assert other.refuses(ChooseResults(id, (Result(),), other.bob), by="bob") == "no-result-from-failure"


def test_losses_of_a_unit():
    game = Game()
    game.fight(scope="squad")
    game.does(StartTurn(game.bob))
    verdict = results(game, 2, Result(), who=game.bob)
    assert game.only(verdict, ResourceReduced).losses


# --- Resources -------------------------------------------------------------------------------------------------------


def hit_points(game: Game) -> tuple[int, int]:
    account = f"character:{game.cid}/"
    return game.balance(f"{account}resource:hit-points"), game.balance(f"{account}shortfall:hit-points")


@pytest.mark.parametrize(("dial", "left"), [("zero", (0, 0)), ("none", (0, 5))])
def test_the_floor(dial, left):
    game = Game(resource_floor=dial)
    id = game.basic(5, subject=game.cid)
    game.does(ReachOutcome(id))
    game.does(ChooseResults(id, (Result("factor"),) * 3))
    assert hit_points(game) == left
    game.does(RestoreResource(game.cid, "hit-points", 8, "a night's sleep"))
    assert hit_points(game) == (8 - left[1], 0)
    game.does(RestoreResource(game.cid, "hit-points", 99, "a week"))
    assert hit_points(game) == (10, 0)


def test_penalties_wait_for_the_lull():
    game = Game(resource_penalty=({"at": 6, "penalty": 1}, {"at": 2, "penalty": 3}))
    game.fight()
    game.does(StartTurn(game.bob))
    results(game, 4, Result("factor", magnitude="hit-points"), who=game.bob)
    assert (game.character(game.cid).pending, game.character(game.cid).penalty) == (1, 0)
    game.does(ShiftMode("specific", "so", True))
    assert (game.character(game.cid).pending, game.character(game.cid).penalty) == (0, 1)
    id = game.act(game.cid)
    assert game.only(game.does(CloseOpportunity(id)), OpportunityClosed).modified_rating == 9
    results(game, 5, Result("factor"))
    assert game.character(game.cid).penalty == 3
    game.does(RestoreResource(game.cid, "hit-points", 9, "rest"))
    assert game.character(game.cid).penalty == 0


@pytest.mark.parametrize(
    ("restored", "pending", "penalty"),
    [(1, 3, 0), (2, 1, 0), (6, 0, 0), (9, 0, 0)],
)
def test_what_is_restored_before_the_lull_lifts_what_waits(restored, pending, penalty):
    game = Game(resource_penalty=({"at": 6, "penalty": 1}, {"at": 2, "penalty": 3}))
    game.fight()
    game.does(StartTurn(game.bob))
    results(game, 6, Result("factor", magnitude="hit-points"), Result("factor", magnitude="hit-points"), who=game.bob)
    assert (game.character(game.cid).pending, hit_points(game)[0]) == (3, 0)
    game.does(RestoreResource(game.cid, "hit-points", 1 + restored, "a draught"))
    assert (game.character(game.cid).pending, game.character(game.cid).penalty) == (pending, penalty)
    game.does(ShiftMode("specific", "so", True))
    assert (game.character(game.cid).pending, game.character(game.cid).penalty) == (0, pending)


def test_power():
    game = Game()
    game.does(SpendPower(game.cid, 4, "a bolt"), by="cid")
    assert game.balance(f"character:{game.cid}/resource:power") == 6
    assert game.refuses(SpendPower(game.cid, 7)) == "not-enough-power"
    assert game.refuses(SpendPower(game.cid, -1)) == "bad-number"
    assert game.refuses(SpendPower(game.cid, 1), by="ann") == "not-proprietor"
    assert game.refuses(SpendPower(game.cid, missed_by="x")) == "bad-number"
    game.does(SpendPower(game.cid, missed_by=-4))
    assert game.balance(f"character:{game.cid}/resource:power") == 6
    drained = Game(spell_failure_drain=True)
    drained.does(SpendPower(drained.cid, missed_by=-4))
    assert drained.balance(f"character:{drained.cid}/resource:power") == 6


def test_other_resources():
    game = Game()
    game.does(UseResource(game.cid, "agility"))
    assert game.balance(f"character:{game.cid}/resource:agility") == 10
    assert game.refuses(UseResource(game.cid, "agility")) == "bad-number"
    assert game.refuses(UseResource(game.cid, "luck")) == "unknown-statistic"
    assert game.refuses(RestoreResource(game.cid, "luck", 1)) == "unknown-statistic"
    assert game.refuses(RestoreResource(game.cid, "power", 0)) == "bad-number"


@pytest.mark.parametrize(("dial", "noted"), [("basic", ()), ("intermediate", ("a cut",)), ("advanced", ("a cut",))])
def test_wounds_are_words(dial, noted):
    game = Game(wounds=dial)
    results(game, 3, Result(wound="a cut"))
    assert game.character(game.cid).wounds == noted
    assert game.state(scene(game.scene_id)).resolutions == {}
