"""Conditions that rules and offers share, or that only offers have: each was removed, and no other test failed."""

from __future__ import annotations

import pytest

from ledger.rules.kernel.commands import Adjust
from ledger.rules.scattershot.actions import ForfeitAction, TakeFreeAction
from ledger.rules.scattershot.advantage import SeizeAdvantage
from ledger.rules.scattershot.conditions import GoAllOut, SetOffGuard
from ledger.rules.scattershot.declaring import DeclareAction
from ledger.rules.scattershot.engaging import AnswerEngagement, Oppose
from ledger.rules.scattershot.evolving import RaiseRating
from ledger.rules.scattershot.experience import ContributeDie
from ledger.rules.scattershot.flurries import FlurryStepped, InterruptFlurry, StartFlurry
from ledger.rules.scattershot.gimmes import ClaimPayback
from ledger.rules.scattershot.listings import ListAbility, ListedDefault
from ledger.rules.scattershot.mechanical_play import StartTurn
from ledger.rules.scattershot.outcomes import ReachOutcome
from ledger.rules.scattershot.plot_devices import DeviceDie, PlotDevice
from ledger.rules.scattershot.proprietorship import IntroduceElement
from ledger.rules.scattershot.ratings import Default
from ledger.rules.scattershot.reactions import ReactOffGuard
from ledger.rules.scattershot.resources import ListDamage
from ledger.rules.scattershot.results import ChooseResults, Result
from ledger.rules.scattershot.state import Sheet
from tests.rules.scattershot.game import Game, tried
from tests.rules.scattershot.offering import may


@pytest.mark.parametrize(
    ("nature", "who", "mode", "foe", "expected"),
    [
        ("attack", "bob", "attack", None, "done"),
        ("attack", "ann", "attack", None, "not-the-act"),
        ("other", "bob", "attack", None, "not-the-act"),
        ("movement", "bob", "defense", None, "done"),
        ("attack", "bob", "defense", None, "not-the-act"),
        ("attack", "ann", "defense", None, "done"),
        ("attack", "bob", "focusing", "ann", "done"),
        ("attack", "ann", "focusing", "bob", "not-the-act"),
        ("attack", "bob", "focusing", "cid", "not-the-act"),
    ],
)
def test_the_act_of_an_all_out_mode(nature: str, who: str, mode: str, foe: str | None, expected: str) -> None:
    """Bob acts against Ann, who opposes with a defense."""
    game = Game()
    game.fight(game.bob, game.ann, game.cid)
    game.does(StartTurn(game.bob))
    act = game.act(game.bob, engages=(game.ann,), nature=nature)
    game.does(AnswerEngagement(act, game.ann, Oppose("dodges", "agility")))
    ids = {"ann": game.ann, "bob": game.bob, "cid": game.cid, None: None}
    goes = GoAllOut(ids[who] or "", mode, ids[foe], act)  # type: ignore[arg-type]
    assert may(game, goes) == (["gm", who] if expected == "done" else [])
    assert tried(game, goes) == expected


def test_advantage_is_seized_by_an_act_against_that_foe() -> None:
    game = Game()
    game.fight(game.bob, game.ann, game.cid)
    game.does(StartTurn(game.bob))
    act = game.act(game.bob, engages=(game.ann,), nature="attack")
    assert may(game, SeizeAdvantage(game.bob, game.ann, "Reach", act)) == ["gm", "ann", "bob"]
    at_cid = SeizeAdvantage(game.bob, game.cid, "Reach", act)
    assert may(game, at_cid) == [] and game.refuses(at_cid) == "not-the-act"


# --- the chart --------------------------------------------------------------------------------------------------------

FLAT = {"multiplier": 1, "bonus": 1, "points": 1}
#: A chart of the campaign's own that has a row for every Rating that matters here.
WIDE = ({"from": 0, "to": 100, "facets": FLAT},)
NARROW = ({"from": 10, "to": 20, "facets": FLAT},)


def give_points(game: Game, id: str, n: int) -> None:
    game.does(Adjust("bank/dp", f"character:{id}/dp", "dp", n, "years of practice"))


def test_a_rating_that_nothing_is_read_for_takes_any_number_of_points() -> None:
    """For a Rating that the chart is read for, only a few numbers of points are tried and offered."""
    game = Game(ue_chart=WIDE)
    for id, player in ((game.bob, "bob"), (game.cid, "cid")):
        give_points(game, id, 13)
        assert may(game, RaiseRating(id, "agility", 13)) == ["gm", player]


def test_a_strength_without_damages_takes_any_number_of_points() -> None:
    game = Game(ue_chart=NARROW)
    giant = game.enrol("Giant", Sheet(statistics={"strength": 30}), "ann")
    give_points(game, giant, 13)
    assert may(game, RaiseRating(giant, "strength", 13)) == ["gm", "ann"]


def test_no_points_lift_a_rating_off_the_standard_chart() -> None:
    game = Game()
    give_points(game, game.cid, 3000)
    too_high = RaiseRating(game.cid, "power", 2995)
    assert may(game, too_high) == [] and game.refuses(too_high) == "rating-off-chart"


def test_damage_is_not_listed_for_a_strength_off_the_chart() -> None:
    game = Game(ue_chart=NARROW)
    giant = game.enrol("Giant", Sheet(statistics={"strength": 30}), "ann")
    assert may(game, ListDamage(giant)) == [] and game.refuses(ListDamage(giant)) == "rating-off-chart"
    assert may(game, ListDamage(game.bob)) == ["gm", "ann", "bob", "cid"]


# --- Flurries ---------------------------------------------------------------------------------------------------------


def flurry(game: Game, *others: str) -> None:
    """Bob, on his Turn, starts a Flurry against Ann."""
    game.fight(game.bob, game.ann, *others)
    game.does(StartTurn(game.bob))
    game.does(StartFlurry(game.bob, game.ann, "Brawl", ("jab", "hook")))


def strike(game: Game) -> str:
    """Bob strikes at Ann with a step of his Flurry; return the resolution's id."""
    return game.act(game.bob, "Brawl", engages=(game.ann,), nature="attack", pays="flurry")


def test_no_flurry_starts_outside_melee() -> None:
    game = Game()
    game.fight(game.bob, game.ann, melee=False)
    game.does(StartTurn(game.bob))
    starts = StartFlurry(game.bob, game.ann, "Brawl", ("jab",))
    assert may(game, starts) == [] and game.refuses(starts) == "not-in-melee"


def test_a_defense_of_whoever_started_the_flurry_is_a_step_of_it() -> None:
    game = Game()
    flurry(game)
    parries = game.does(DeclareAction(game.bob, "parries", "Brawl", nature="defense", pays="flurry"))
    assert game.only(parries, FlurryStepped).n == 1


def test_the_flurry_pays_for_no_defense_once_it_is_interrupted() -> None:
    game = Game()
    flurry(game, game.cid)
    id = strike(game)
    parries = AnswerEngagement(id, game.ann, Oppose("parries", "Fencing", pays="flurry"))
    assert may(game, parries) == ["gm", "ann"]
    game.does(InterruptFlurry("stumbles", character=game.bob))
    assert may(game, parries) == [] and game.refuses(parries) == "flurry-ended"


def test_the_flurry_pays_for_a_defense_but_no_attack_against_its_last_step() -> None:
    game = Game(epic_index=1)
    flurry(game)
    id = strike(game)
    attacks, parries = (
        AnswerEngagement(id, game.ann, Oppose("Fencing", "Fencing", nature=nature, pays="flurry"))
        for nature in ("attack", "defense")
    )
    assert may(game, attacks) == [] and game.refuses(attacks) == "flurry-ended"
    assert may(game, parries) == ["gm", "ann"]


@pytest.mark.parametrize("foe", ["ann", "cid"])
def test_an_ended_flurry_or_that_of_others_pays_for_no_response(foe: str) -> None:
    """Ann noticed the Action, but has nothing left to pay with: she may stay passive."""
    game = Game(epic_index=1)
    game.does(SetOffGuard(game.ann, (game.ogre,)))
    id = game.act(game.ogre, engages=(game.ann,))
    game.does(ReactOffGuard(id, game.ann, (1, 1)))
    game.fight()
    game.does(StartTurn(game.bob))
    game.does(StartFlurry(game.bob, game.ann if foe == "ann" else game.cid, "Brawl", ("jab",)))
    if foe == "ann":
        game.does(InterruptFlurry("stumbles", character=game.bob))
    passive = AnswerEngagement(id, game.ann, passive=True)
    assert may(game, passive) == []
    game.does(TakeFreeAction(game.ann, "last-ditch-dodge"))
    for _ in range(2):
        game.does(ForfeitAction(game.ann, id))
    assert may(game, passive) == ["gm", "ann"]


# --- Defaults ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("default", [Default("Spell", special=True), Default("Spell", special=True, allowed=True)])
def test_a_default_that_is_listed_asks_nobody(default: Default) -> None:
    """The listing says that the Special Ability may be used by Default."""
    game = Game()
    near = (ListedDefault("power", -2),)
    game.does(ListAbility("Spell", "difficult", special=True, may_default=True, defaults=near))
    casts = DeclareAction(game.bob, "casts it", default=default)
    assert may(game, casts) == ["gm", "bob"]
    assert game.does(casts, by="bob").facts


# --- plot devices -----------------------------------------------------------------------------------------------------


def test_a_loaner_can_be_rolled_at_what_is_somebody_elses() -> None:
    game = Game(loaner_unopposed="refuse")
    game.does(IntroduceElement("the tower", world=True))
    game.does(IntroduceElement("the bridge"), by="ann")

    def collapse(element: str) -> PlotDevice:
        return PlotDevice("it falls", (DeviceDie("loaner"),), subject=element, player="ann")

    assert may(game, collapse("the tower")) == ["gm", "ann"]
    assert may(game, collapse("the bridge")) == []


def test_no_loaner_is_rolled_beyond_the_limit() -> None:
    game = Game(loaner_limit=1)
    game.dice("ann")
    borrows = PlotDevice("a storm", (DeviceDie("own"), DeviceDie("loaner")), "bob", player="ann")
    assert may(game, borrows) == ["gm", "ann"]
    game.does(ContributeDie(game.decision(game.bob), "loaner", 3, -1), by="ann")
    assert may(game, borrows) == [] and game.refuses(borrows) == "loaner-limit"


# --- results and Paybacks ---------------------------------------------------------------------------------------------


def test_a_factor_needs_a_magnitude_that_is_on_the_chart() -> None:
    """Without one, the Magnitude of the Action counts, which is Strength."""
    game = Game(ue_chart=NARROW)
    giant = game.enrol("Giant", Sheet(statistics={"strength": 30}), "gm")
    id = game.basic(3, who=giant)
    game.does(ReachOutcome(id))

    def wear_out(magnitude: str | None) -> ChooseResults:
        return ChooseResults(id, (Result("factor", game.bob, magnitude=magnitude),))

    assert may(game, wear_out("agility")) == ["gm"]
    assert may(game, wear_out(None)) == [] and game.refuses(wear_out(None)) == "rating-off-chart"


def test_dice_spent_after_a_payback_are_not_paid_back() -> None:
    game = Game()
    game.dice("ann", 2)
    id = game.decision(game.bob)
    claims = ClaimPayback(id, player="ann")
    game.does(ContributeDie(id, face=3), by="ann")
    assert may(game, claims) == ["gm", "ann"]
    game.does(claims)
    game.does(ContributeDie(id, face=3), by="ann")
    assert may(game, claims) == [] and game.refuses(claims) == "already-paid-back"
    # An occasion that is called like the resolution is not that resolution.
    assert may(game, ClaimPayback(occasion=id, player="ann")) == ["gm", "ann"]
