"""The source read again beside the code: what somebody says for another, what counts twice, what is lost."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.commands import CloseScene, Enrol
from ledger.rules.kernel.subjects import character, scene
from ledger.rules.scattershot.advantage import CheckAdvantage, EraseAdvantage, HoldAdvantage, SeizeAdvantage
from ledger.rules.scattershot.cashing_in import Develop
from ledger.rules.scattershot.conditions import PlaceResidual
from ledger.rules.scattershot.declaring import DeclareAction
from ledger.rules.scattershot.evolving import RaiseRating
from ledger.rules.scattershot.experience import ContributeDie
from ledger.rules.scattershot.flurries import StartFlurry
from ledger.rules.scattershot.gimmes import ClaimGimme
from ledger.rules.scattershot.listings import ListAbility, ListExpectation
from ledger.rules.scattershot.mechanical_play import FlurryEnded, StartTurn
from ledger.rules.scattershot.outcomes import ReachOutcome
from ledger.rules.scattershot.plot_devices import PlotDevice
from ledger.rules.scattershot.resources import ResourceReduced
from ledger.rules.scattershot.results import ChooseResults, CloseApplication, Result
from ledger.rules.scattershot.rolls import CloseOpportunity
from ledger.rules.scattershot.state import Sheet, Skill
from ledger.rules.scattershot.totals import CloseDecision
from tests.rules.scattershot.game import Game, tried

ANN, BOB, CID, OGRE = "1", "2", "3", "4"


def told(verdict: Any, cls: type[Any]) -> list[Any]:
    return [about.fact for about in verdict.facts if type(about.fact) is cls]


# --- "Combat Advantage": whose word it is ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("do", "who"),
    [
        (SeizeAdvantage(CID, BOB, "Reach"), {"cid", "bob", "gm"}),  # who is seized upon may Yield it
        (HoldAdvantage(ANN, BOB, "Cornering"), {"ann", "gm"}),
        (CheckAdvantage(ANN, BOB, "Backing Off"), {"bob", "gm"}),
        (EraseAdvantage(ANN, BOB, "a Trick"), {"bob", "gm"}),
    ],
)
def test_an_advantage_is_for_those_to_say_who_have_it_or_suffer_it(do, who):
    game = Game()
    game.fight()
    game.does(SeizeAdvantage(ANN, BOB, "Reach"))
    for by in ("ann", "bob", "cid", "gm"):
        game.begin(do, by) if by in who else None
        assert by in who or game.refuses(do, by=by) == "not-proprietor"


# --- "'Rules of Engagement'": nothing is done to a Persona but with its Player ---------------------------------------


def struck(nature: str = "attack", **more: Any) -> tuple[Game, str]:
    """Return a blow of Ann's with an outcome of 3."""
    game = Game()
    id = game.basic(3, nature=nature, **more)
    game.does(ReachOutcome(id))
    return game, id


@pytest.mark.parametrize(
    ("befalls", "by", "expected"),
    [
        (None, "ann", "done"),
        (BOB, "ann", "done"),
        (ANN, "ann", "done"),
        (CID, "ann", "resistor-has-not-answered"),
        (OGRE, "ann", "resistor-has-not-answered"),
        (CID, "gm", "done"),
    ],
)
@pytest.mark.parametrize("kind", ["damage", "factor", "residual"])
def test_results_befall_who_was_engaged(befalls, by, expected, kind):
    game, id = struck(subject=BOB, resistors={BOB: -1})
    assert tried(game, ChooseResults(id, (Result(kind, befalls),)), by) == expected


def test_to_name_a_subject_without_attacking_it_does_not_engage_it():
    game, id = struck("other", subject=BOB)
    assert game.refuses(ChooseResults(id, (Result(),)), by="ann") == "resistor-has-not-answered"


def test_a_plot_device_engages_nobody():
    game = Game()
    game.dice("ann", 1)
    id = str(game.number)
    game.does(PlotDevice("a flood", subject=BOB), (5,), by="ann")
    game.does(CloseDecision(id))
    game.does(ReachOutcome(id))
    assert tried(game, ChooseResults(id, (Result("residual", BOB),)), "ann") == "done"


@pytest.mark.parametrize(
    ("actor", "resistor", "who"),
    [(3, 0, {"ann", "gm"}), (1, 3, {"bob", "gm"}), (-3, -1, {"ann", "gm"})],
)
def test_who_has_results_to_choose_closes_the_application_phase(actor, resistor, who):
    """And not the Player who would be spared by that."""
    for by in ("ann", "bob", "cid", "gm"):
        game = Game()
        id = game.basic(actor, {BOB: resistor})
        game.does(ReachOutcome(id))
        assert tried(game, CloseApplication(id), by) == ("done" if by in who else "not-proprietor")


def test_a_loser_does_not_close_it_by_choosing_nothing():
    game = Game()
    id = game.basic(1, {BOB: 3})
    game.does(ReachOutcome(id))
    assert game.refuses(ChooseResults(id), by="ann") == "not-proprietor"
    game.does(ChooseResults(id, close=False), by="ann")
    game.does(ChooseResults(id, (Result(),), BOB), by="bob")


# --- what counted twice ----------------------------------------------------------------------------------------------


def test_an_advantage_or_residual_named_twice_counts_once():
    game = Game()
    game.does(PlaceResidual(ANN, -2, "uphill", "a ruling"))
    (placed,) = game.character(ANN).residuals
    many = DeclareAction(
        ANN, "climb", advantages=("Dexterity", "Dexterity"), residuals=("uphill", placed.residual, "uphill")
    )
    id = str(game.number)
    game.does(many)
    game.does(CloseOpportunity(id))
    assert game.view(scene(game.scene_id))["resolutions"][id]["sides"]["actor"]["modified"] == 12 + 1 - 2


# --- Genre Expectations: personal or global --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scope", "who"), [("global", {"ann", "bob"}), ("ann", {"ann"}), (ANN, {"ann"}), ("of the genre", {"ann", "bob"})]
)
def test_a_personal_expectation_is_for_whom_it_is_listed(scope, who):
    game = Game()
    game.does(ListExpectation("caught", "gimme", 1, scope))
    game.does(ListExpectation("escapes", "freebie", 1, scope))
    for name, id in (("ann", ANN), ("bob", BOB)):
        expected = "done" if name in who else "no-such-expectation"
        assert tried(game, ClaimGimme(id, None, "caught")) == expected
        deed = game.decision(id)
        freebie = ContributeDie(deed, "freebie", 3, expectation="escapes", player=name)
        assert tried(game, freebie) == expected


# --- what ends -------------------------------------------------------------------------------------------------------


def test_a_residual_that_lasts_for_the_scene_ends_with_it():
    game = Game()
    for until in ("scene", "session", "for ever"):
        game.does(PlaceResidual(ANN, -1, until, "a ruling", until))
    game.does(CloseScene(game.scene_id))
    assert [one.until for one in game.character(ANN).residuals] == ["session", "for ever"]


def test_a_flurry_that_another_one_takes_the_place_of_is_told_to_end():
    game = Game()
    game.fight()
    game.does(StartTurn(BOB))
    game.does(StartFlurry(BOB, ANN, "Brawl", ("jab", "hook")))
    game.act(BOB, engages=(ANN,), nature="attack", pays="flurry")
    second = game.does(StartFlurry(ANN, BOB, "Fencing"))
    assert [one.by for one in told(second, FlurryEnded)] == ["interruption"]
    assert game.state(scene(game.scene_id)).fight.flurry.ended is None


# --- the Persona Sheet: "given either as Ratings or as descriptions" -------------------------------------------------


def test_a_sheet_has_room_for_a_description():
    game = Game()
    who = game.enrol("Dora", Sheet(description="A tall woman who never says where she was."), "ann")
    assert game.view(character(who))["description"] == "A tall woman who never says where she was."
    assert game.view(character(ANN))["description"] == ""


# --- listings: abilities and Free Skills -----------------------------------------------------------------------------


def listed() -> Game:
    game = Game()
    game.does(ListAbility("Firebolt", "difficult", special=True, opportunity="in sight", power_cost=2))
    game.does(ListAbility("Rowing", "intermediate"))
    return game


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        ({"skills": (Skill("Rowing", "intermediate", 1),)}, "done"),
        ({"skills": (Skill("Rowing", "legendary", 1),)}, "done"),
        ({"skills": (Skill("Rowing", "easy", 1),)}, "beyond-the-listing"),
        ({"skills": (Skill("Whittling", "easy", 1),)}, "done"),
        ({"skills": (Skill("Firebolt", "difficult", 1, power_cost=2),)}, "beyond-the-listing"),
        ({"special_abilities": (Skill("Firebolt", "difficult", 1, power_cost=2),)}, "done"),
        ({"special_abilities": (Skill("Firebolt", "difficult", 1, power_cost=3),)}, "done"),
        ({"special_abilities": (Skill("Firebolt", "difficult", 1, power_cost=1),)}, "beyond-the-listing"),
    ],
)
def test_an_ability_beyond_its_listing_needs_the_gamemaster(sheet, expected):
    game = listed()
    assert tried(game, Enrol("Somebody", "ann", Sheet(**sheet)), "ann") == expected
    assert tried(game, Enrol("Somebody", "ann", Sheet(**sheet)), "gm") == "done"


def test_what_a_sheet_leaves_unsaid_its_listing_says():
    game = listed()
    who = game.enrol("Mage", Sheet(special_abilities=(Skill("Firebolt", "difficult", 1),)), "ann")
    shown = game.view(character(who))["listings"]["Firebolt"]
    assert (shown["power_cost"], shown["opportunity"]) == (2, "in sight")
    game.does(DeclareAction(who, "burn", "Firebolt"), by="ann")
    assert game.balance(f"character:{who}/resource:power") == 8


@pytest.mark.parametrize(("difficulty", "expected"), [("intermediate", "done"), ("easy", "beyond-the-listing")])
def test_what_is_bought_later_too(difficulty, expected):
    game = listed()
    game.does(Develop(ANN, 0, 1, (6,)))
    bought = RaiseRating(ANN, "Rowing", 1, skill=Skill("Rowing", difficulty))
    assert tried(game, bought, "ann") == expected


# --- "Protection": whose it is ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "pieces", "expected"),
    [
        ("ann", None, 1),
        ("ann", ("leather",), 1),
        ("ann", (), "not-proprietor"),
        ("gm", (), 3),
    ],
)
def test_an_attacker_does_not_say_that_anothers_protection_does_not_count(by, pieces, expected):
    game, id = struck(subject=BOB, resistors={BOB: -1})
    blow = ChooseResults(id, (Result(protection=pieces),))
    if expected == "not-proprietor":
        assert game.refuses(blow, by=by) == expected
    else:
        assert [one.loss for one in told(game.does(blow, by=by), ResourceReduced)] == [expected]


# --- "Magnitude": noted on the Persona Sheet -------------------------------------------------------------------------


def test_every_magnitude_is_noted_on_the_sheet():
    game = Game()
    might = Skill("Might", "easy", 2, ability_type="magnitude")
    who = game.enrol("Strong", Sheet(statistics={"strength": 13}, skills=(might, Skill("Tact", "easy", 1))), "ann")
    assert game.view(character(who))["magnitudes"] == {
        "strength": {"rating": 13, "multiplier": "3/2", "bonus": "2", "points": "2"},
        "observation": {"rating": 10, "multiplier": "1", "bonus": "1", "points": "1"},
        "power": {"rating": 10, "multiplier": "1", "bonus": "1", "points": "1"},
        "Might": {"rating": 13, "multiplier": "3/2", "bonus": "2", "points": "2"},
    }
    game.set_dial("ue-chart", ({"from": 9, "to": 12, "facets": {"multiplier": 2}},))
    assert game.view(character(who))["magnitudes"]["strength"] == {"rating": 13}, "off that chart"
    assert game.view(character(who))["magnitudes"]["power"] == {"rating": 10, "multiplier": "2"}
