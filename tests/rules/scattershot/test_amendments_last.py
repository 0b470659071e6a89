"""The amendments N10 to N14: the Persona Sheet, no fight left, limits, others at the table, and its end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ledger.rules.kernel.commands import Enrol
from ledger.rules.kernel.subjects import character, scene
from ledger.rules.scattershot.agreement import Agree, Decline, SpeakFor
from ledger.rules.scattershot.cashing_in import CashIn, Develop
from ledger.rules.scattershot.challenges import ChallengeOffered, ChallengeTaken, OfferChallenge
from ledger.rules.scattershot.conditions import SetOffGuard
from ledger.rules.scattershot.declaring import DeclareAction
from ledger.rules.scattershot.engaging import AnswerEngagement, Oppose
from ledger.rules.scattershot.evolving import BuyTrait, RaiseRating, TraitBought
from ledger.rules.scattershot.experience import ContributeDie
from ledger.rules.scattershot.flurries import StartFlurry
from ledger.rules.scattershot.game import Attend, MechanicalPlayEnded, MechanicalPlayGoesOn, ShiftMode
from ledger.rules.scattershot.joining import EndMechanicalPlay
from ledger.rules.scattershot.limits import LimitDeclined, LimitPoints, PointLimitSet
from ledger.rules.scattershot.listings import ListFreeSkill, ListingUpheld
from ledger.rules.scattershot.mechanical_play import StartTurn
from ledger.rules.scattershot.persona import SheetDeviates
from ledger.rules.scattershot.power import RestoreResource, RuleFightLeft
from ledger.rules.scattershot.reactions import ReactOffGuard
from ledger.rules.scattershot.resources import ListDamage, ResourceReduced
from ledger.rules.scattershot.results import ChooseResults, Result
from ledger.rules.scattershot.rolls import CloseOpportunity, RollMib
from ledger.rules.scattershot.state import Advantage, Protection, Sheet, Skill
from ledger.rules.scattershot.totals import CloseDecision
from tests.rules.scattershot.game import Game, tried

ANN, BOB, CID, OGRE = "1", "2", "3", "4"


def here(game: Game) -> Any:
    return game.state(scene(game.scene_id))


def told(verdict: Any, cls: type[Any]) -> list[Any]:
    return [about.fact for about in verdict.facts if type(about.fact) is cls]


# --- N10: the Persona Sheet ------------------------------------------------------------------------------------------


def test_magnitudes_and_damages_are_noted_on_the_sheet():
    game = Game()
    assert game.view(character(CID))["effects"] == {
        "Firebolt": {"facet": "multiplier", "magnitude": "power", "rating": 10, "number": "1"}
    }
    game.does(ListDamage(BOB, "dagger"))
    game.does(ListDamage(BOB))
    assert game.view(character(BOB))["damages"] == {"0": [0, 2, 3, 5, 6, 8, 9], "1": [2, 3, 5, 6, 8, 9, 11]}


def grown(who: str, points: int) -> Game:
    game = Game()
    faces = {1: [6], 2: [6, 4], 3: [6, 6, 2], 5: [6, 6, 6, 4]}[points]
    game.does(Develop(who, 0, len(faces), tuple(faces)))
    return game


def test_they_are_noted_anew_when_the_persona_changes():
    game = grown(CID, 2)
    game.does(RaiseRating(CID, "power", 2))
    assert game.view(character(CID))["effects"]["Firebolt"]["number"] == "3/2"
    game.does(CashIn(CID, "Firebolt", 3))
    assert game.view(character(CID))["effects"] == {}
    game = Game()
    game.does(ListDamage(BOB))
    game.does(CashIn(BOB, "strength", 3))
    assert game.view(character(BOB))["damages"] == {"0": [0, 1, 2, 3, 4, 5, 6]}


def worn(game: Game, id: str) -> int:
    """Return what a blow of 5 loses to what the Character wears."""
    blow = game.basic(5, who=BOB, subject=id, magnitude="reaction")
    game.outcome(blow)
    done = game.does(ChooseResults(blow, (Result(magnitude="reaction"),)))
    return 5 - int(told(done, ResourceReduced)[0].loss)


def test_bought_protection_belongs_to_an_ability_and_costs_what_that_costs():
    game = Game()
    bark: dict[str, Any] = {
        "special_abilities": (Skill("Bark", "easy", 0, 4),),
        "protection": (Protection("bark", bought="Bark"),),
    }
    who = game.enrol("Dryad", Sheet(**bark), "ann")
    assert (game.character(who).net, worn(game, who)) == (4, 2)  # a Rating of 15
    game.does(CashIn(who, "Bark", 3))
    assert worn(game, who) == 2  # of 12
    game.does(CashIn(who, "Bark", 1))
    assert worn(game, who) == 0, "no ability, no protection"


@pytest.mark.parametrize("ability", ["nothing", "strength", "Whistling", 13])
def test_protection_nobody_paid_for_is_not_bought(ability):
    sheet = Sheet(free_skills={"Whistling": 11}, protection=(Protection("a coat", bought=ability),))
    assert Game().refuses(Enrol("Somebody", "gm", sheet)) == "protection-belongs-to-no-ability"


@pytest.mark.parametrize(
    ("trait", "points", "seen"),
    [
        ({"advantage": Advantage("Luck", 3)}, 3, ("advantages", "Luck")),
        ({"free_skill": "Rowing", "level": 11}, 1, ("ratings", "Rowing")),
        ({"element": "winks"}, 1, ("elements", "winks")),
        ({"protection": Protection("helm", static=1)}, 0, ("protection", "helm")),
    ],
)
def test_further_traits_are_bought_with_development_points(trait, points, seen):
    game = grown(ANN, 5)
    game.does(ListFreeSkill("Rowing", 11))
    answers = (Agree(),) if "protection" in trait else ()
    done = game.does(BuyTrait(ANN, **trait), *answers, by="ann")
    assert [one.points for one in told(done, TraitBought)] == [points]
    assert game.balance(f"character:{ANN}/dp") == 5 - points
    where, name = seen
    shown = game.view(character(ANN))[where]
    assert name in [one["name"] if isinstance(one, dict) else one for one in shown]


def test_five_for_a_point():
    game = grown(CID, 1)
    for n in range(3):  # Cid has two Free Skills and two elements: three more of each are paid for already
        game.does(BuyTrait(CID, free_skill=f"Skill {n}", level=10))
        game.does(BuyTrait(CID, element=f"winks {n}"))
    assert game.balance(f"character:{CID}/dp") == 1
    game.does(BuyTrait(CID, free_skill="Rowing", level=10))
    assert game.balance(f"character:{CID}/dp") == 0
    assert game.refuses(BuyTrait(CID, element="sneers")) == "not-enough-points"
    game.does(Develop(CID, 0, 1, (6,)))
    game.does(RaiseRating(CID, "Rowing"))
    assert game.character(CID).ratings["Rowing"].value == 11


@pytest.mark.parametrize(
    ("trait", "code"),
    [
        ({}, "which-trait"),
        ({"element": "winks", "advantage": Advantage("Luck", 1)}, "which-trait"),
        ({"advantage": Advantage("Luck", 4)}, "not-enough-points"),
        ({"advantage": Advantage("Luck", 0)}, "rating-below-minimum"),
        ({"free_skill": "Fencing", "level": 10}, "bad-number"),
        ({"free_skill": "Rowing"}, "bad-number"),
        ({"protection": Protection("helm")}, "protection-is-static-or-bought"),
        ({"protection": Protection("helm", bought="agility")}, "protection-belongs-to-no-ability"),
    ],
)
def test_traits_that_are_refused(trait, code):
    assert grown(ANN, 3).refuses(BuyTrait(ANN, **trait), by="ann") == code


def test_what_is_bought_later_is_by_listing_too():
    game = grown(ANN, 2)
    lucky = BuyTrait(ANN, Advantage("Luck", 1, 1))
    assert game.asks(lucky, by="ann").slot == "listing"
    assert told(game.does(lucky, Decline(), by="ann"), ListingUpheld)
    assert game.balance(f"character:{ANN}/dp") == 2
    game.does(lucky, Agree(), by="ann")
    game.does(BuyTrait(ANN, Advantage("More Luck", 1, 1)))
    assert [one.name for one in game.character(ANN).advantages][-2:] == ["Luck", "More Luck"]
    assert game.refuses(lucky, by="bob") == "not-proprietor"


# --- N11: no fight left ----------------------------------------------------------------------------------------------


def beaten(**dials: Any) -> Game:
    """Return a game in which Bob has no Hit Points left."""
    game = Game(**dials)
    blow = game.basic(6, who=OGRE, subject=BOB)
    game.outcome(blow)
    many = tuple(Result("factor", magnitude="strength") for _ in range(2))
    game.does(ChooseResults(blow, many))
    return game


@pytest.mark.parametrize("dials", [{}, {"resource_floor": "none"}])
def test_who_has_no_fight_left_does_not_attack(dials):
    game = beaten(**dials)
    assert game.view(character(BOB))["out_of_the_fight"] and not game.view(character(ANN))["out_of_the_fight"]
    blow = DeclareAction(BOB, "a blow", "Brawl", engages=(ANN,), nature="attack")
    assert game.refuses(blow, by="bob") == game.refuses(blow) == "no-fight-left"
    assert game.does(DeclareAction(BOB, "crawl away", nature="movement")).facts
    id = game.act(ANN, engages=(BOB,))
    back = Oppose("strike back", "Brawl", nature="attack")
    assert game.refuses(AnswerEngagement(id, BOB, back)) == "no-fight-left"
    game.does(AnswerEngagement(id, BOB, Oppose("roll away", "agility")))


def test_nor_begin_a_flurry():
    game = beaten()
    game.fight()
    game.does(StartTurn(BOB))
    assert game.refuses(StartFlurry(BOB, ANN, "Brawl", ("jab",))) == "no-fight-left"


def test_until_hit_points_are_back():
    game = beaten()
    game.does(RestoreResource(BOB, "hit-points", 1))
    assert not game.view(character(BOB))["out_of_the_fight"]
    assert game.does(DeclareAction(BOB, "a blow", "Brawl", subject=ANN, nature="attack")).facts


def test_or_the_gamemaster_rules_otherwise():
    game = beaten()
    assert game.refuses(RuleFightLeft(BOB, " ")) == "no-reason"
    assert game.refuses(RuleFightLeft(ANN, "rage")) == "has-fight-left"
    game.does(RuleFightLeft(BOB, "rage"))
    shown = game.view(character(BOB))
    assert (shown["out_of_the_fight"], shown["fights_on"]) == (False, "rage")
    assert game.does(DeclareAction(BOB, "a blow", "Brawl", subject=ANN, nature="attack")).facts
    game.does(RestoreResource(BOB, "hit-points", 9))
    assert game.view(character(BOB))["fights_on"] is None  # and the next time anew
    blow = game.basic(6, who=OGRE, subject=BOB)
    game.outcome(blow)
    game.does(ChooseResults(blow, (Result("factor"), Result("factor"))))
    assert game.view(character(BOB))["out_of_the_fight"]


def test_a_blow_that_is_struck_leaves_the_fight_in():
    game = beaten()
    without = game.fold(character(BOB), struck=[game.number - 1])
    assert without.state.hit_points == 10 and not without.state.is_out


# --- N12: limits -----------------------------------------------------------------------------------------------------

RICH = Sheet(statistics={"strength": 20}, skills=(Skill("Riding", "easy", 1),))  # 11 points


@pytest.mark.parametrize(
    ("do", "by", "asked"),
    [
        (LimitPoints(10), "ann", []),
        (LimitPoints(10, agreed=True), "ann", ["gm", "bob", "cid"]),
        (LimitPoints(10, "bob", True), "ann", ["bob"]),
        (LimitPoints(10, "bob", True), "gm", ["bob"]),
        (LimitPoints(10, "gm", True), "gm", []),
        (LimitPoints(10, agreed=True, claimed=True, reason="they said so at the table"), "gm", []),
        (LimitPoints(10, agreed=True, reason="they said so"), "gm", ["ann", "bob", "cid"]),
    ],
)
def test_who_is_to_be_bound_is_asked(do, by, asked):
    game = Game()
    found: list[str] = []
    while len(found) < len(asked):
        question = game.asks(do, *[Agree()] * len(found), by=by)
        assert (question.kinds, question.slot) == ((Agree, Decline, SpeakFor), "limit")
        found.append(question.seat)
    assert found == asked
    assert told(game.does(do, *[Agree()] * len(asked), by=by), PointLimitSet)


def test_it_binds_those_who_agreed_and_nobody_else():
    game = Game()
    done = game.does(LimitPoints(10, agreed=True), Agree(), Decline(), Agree(), by="ann")
    assert sorted(one.seat for one in told(done, PointLimitSet)) == ["ann", "cid", "gm"]
    codes = [tried(game, Enrol("Somebody", seat, RICH)) for seat in ("ann", "bob", "cid", "gm")]
    assert codes == ["beyond-the-limit", "done", "beyond-the-limit", "beyond-the-limit"]
    assert tried(game, Enrol("Somebody", "ann", Sheet(statistics={"strength": 20}))) == "done"


def test_all_who_decline_is_nobodys_limit():
    game = Game()
    done = game.does(LimitPoints(10, "bob", True), Decline(), by="ann")
    assert [type(about.fact) for about in done.facts] == [LimitDeclined]
    assert tried(game, Enrol("Somebody", "bob", RICH)) == "done"


BAD = Sheet(
    statistics={"power": 8, "luck": 12, "strength": 30},
    skills=(Skill("a", "odd", 1), Skill("b", "easy")),
    raises={"c": 1},
    advantages=(Advantage("d", 0), Advantage("e", 1, 1)),
    protection=(Protection("f"),),
)


def test_all_faults_of_a_sheet_are_told_at_once():
    game = Game()
    game.does(LimitPoints(10), by="ann")
    no = game.refusal(Enrol("Somebody", "ann", BAD), by="ann")
    assert no.code == "rating-below-minimum"
    assert no.context["faults"] == [
        "rating-below-minimum",
        "unknown-statistic",
        "unknown-difficulty",
        "rating-below-minimum",
        "no-such-free-skill",
        "rating-below-minimum",
        "protection-is-static-or-bought",
        "beyond-the-listing",
        "beyond-the-limit",
    ]
    told_of = [set(one.values()) for one in no.context["details"] if one["code"] != "beyond-the-listing"]
    for culprit, said in zip(("power", "luck", "odd", "b", "c", "d", "f", "ann"), told_of, strict=True):
        assert culprit in said


def test_warn_records_deviations_instead():
    game = Game(sheet_faults="warn")
    game.does(LimitPoints(10), by="ann")
    rich = replace(RICH, advantages=(Advantage("e", 1, 1),))
    done = game.does(Enrol("Somebody", "ann", rich), by="ann")
    (noted,) = told(done, SheetDeviates)
    assert noted.faults == ("beyond-the-listing", "beyond-the-limit")
    assert game.view(character(noted.character))["deviations"] == ["beyond-the-listing", "beyond-the-limit"]
    assert game.refuses(Enrol("Somebody", "ann", BAD), by="ann") == "rating-below-minimum", "no such numbers"


# --- N13: others at the table ----------------------------------------------------------------------------------------


def startled(faces: list[int], **dials: Any) -> tuple[Game, str]:
    """Ann is Off-Guard towards Bob, who acts. She rolls a Reaction of 10 - 2 against these dice."""
    game = Game(**dials)
    for player in ("ann", "bob", "cid"):
        game.dice(player, 3)
    game.does(SetOffGuard(ANN, (BOB,)))
    id = game.act(BOB, engages=(ANN,), nature="attack")
    game.does(ReactOffGuard(id, ANN, tuple(faces)))
    return game, id


def into(id: str, face: int, sign: int = 1, die: str = "own", **more: Any) -> ContributeDie:
    return ContributeDie(id, die, face, sign, f"reaction:{ANN}", **more)


def stance(game: Game, id: str) -> str:
    return str(here(game).resolutions[id].engaged[ANN])


def test_others_put_dice_into_an_off_guard_reaction():
    game, id = startled([5, 5])
    assert stance(game, id) == "passive"  # -2
    game.does(into(id, 3), by="cid")
    assert stance(game, id) == "obliged"
    game.does(into(id, 6, -1), by="bob")
    assert stance(game, id) == "passive"
    game.does(into(id, 6, die="loaner"), by="gm")
    assert stance(game, id) == "obliged"
    assert game.balance(f"scene:{game.scene_id}/xd") == 3
    game.does(AnswerEngagement(id, ANN, Oppose("dodge", "agility")))
    assert game.refuses(into(id, 6, -1), by="bob") == "wrong-phase"
    game.does(CloseOpportunity(id))
    for side in ("actor", ANN):
        game.does(RollMib(id, side, (5, 5)))
    game.does(CloseDecision(id))
    assert (game.xd("cid"), game.xd("bob"), game.xd("ann")) == (2, 2, 4)  # Bob's went against Ann, Cid's nobody


@pytest.mark.parametrize(
    ("do", "by", "code"),
    [
        (into("9", 3, 1), "o", "not-at-the-table"),
        (into("9", 3, 1, "saved", borrower="cid"), "ann", "no-such-saved-loaner"),
        (into("9", 3, 1, "freebie", advantage="Dexterity"), "bob", "freebie-own-action-only"),
        (ContributeDie("9", face=3, target="reaction:3"), "ann", "no-such-roll"),
        (ContributeDie("9", face=3), "ann", "wrong-phase"),
        (into("9", 7), "ann", "bad-d6"),
    ],
)
def test_dice_that_are_not_for_it(do, by, code):
    game, id = startled([5, 5])
    assert id == "10" and game.refuses(replace(do, resolution=id), by=by) == code


def test_a_reaction_is_decided_when_the_opportunity_is():
    game, id = startled([5, 5])
    game.does(CloseOpportunity(id))
    assert game.refuses(into(id, 6), by="cid") == "wrong-phase"
    game, id = startled([2, 2])
    game.does(into(id, 1, 1, "freebie", advantage="Keen Eyes"), by="ann")
    assert here(game).resolutions[id].reactions[ANN].mib == 5


def offered(game: Game, resolution: str, **more: Any) -> OfferChallenge:
    return OfferChallenge(resolution, "time", "it takes all night", **more)


def test_any_player_offers_a_challenge_and_the_roller_takes_it_or_not():
    game = Game()
    id = game.basic(-2)
    do = offered(game, id)
    question = game.asks(do, by="cid")
    assert (question.seat, question.kinds) == ("ann", (Agree, Decline, SpeakFor))
    declined = game.does(do, Decline(), by="cid")
    (refused,) = told(declined, ChallengeOffered)
    assert (refused.by, refused.taken) == ("cid", False) and not told(declined, ChallengeTaken)
    taken = game.does(offered(game, id, n=2), Agree(), by="cid")
    assert [one.n for one in told(taken, ChallengeTaken)] == [2]
    assert game.outcome(id).adjusted == 0


def test_who_plays_that_side_takes_it_by_offering_it():
    game = Game()
    id = game.basic(-2)
    assert told(game.does(offered(game, id), by="ann"), ChallengeTaken)
    assert game.asks(offered(game, id), by="gm").seat == "ann", "a Gamemaster asks like anybody"


@pytest.mark.parametrize(
    ("more", "by", "code"),
    [
        ({"n": 5}, "cid", "challenges-over-epic-index"),
        ({"n": 0}, "cid", "bad-number"),
        ({"side": BOB}, "cid", "no-such-roll"),
    ],
)
def test_challenges_that_nobody_can_offer(more, by, code):
    game = Game()
    id = game.basic(-2)
    assert game.refuses(offered(game, id, **more), by=by) == code
    game.outcome(id)
    assert game.refuses(offered(game, id), by="cid") == "wrong-phase"


# --- N14: the end of Mechanical Play ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("do", "by", "asked"),
    [
        (EndMechanicalPlay(), "bob", []),
        (EndMechanicalPlay(), "ann", ["gm", "bob", "cid"]),
        (EndMechanicalPlay(), "gm", ["ann", "bob", "cid"]),
        (EndMechanicalPlay(reason="we said so"), "gm", ["ann", "bob", "cid"]),
        (EndMechanicalPlay(claimed=True, reason="they said so at the table"), "gm", []),
        (ShiftMode("general", "it is over"), "bob", []),
        (ShiftMode("general"), "cid", ["gm", "ann", "bob"]),
        (ShiftMode("general", "they said so at the table", True), "gm", []),
    ],
)
def test_a_single_player_asks_the_others(do, by, asked):
    game = Game()
    game.fight()
    found: list[str] = []
    while len(found) < len(asked):
        question = game.asks(do, *[Agree()] * len(found), by=by)
        assert question.slot == "end"
        found.append(question.seat)
    assert found == asked
    if asked:
        goes_on = game.does(do, Decline(), by=by)
        assert [type(about.fact) for about in goes_on.facts] == [MechanicalPlayGoesOn]
        assert here(game).mode == "mechanical"
    assert told(game.does(do, *[Agree()] * len(asked), by=by), MechanicalPlayEnded)
    assert here(game).fights == {}


@pytest.mark.parametrize(
    ("do", "by", "code"),
    [
        (EndMechanicalPlay(claimed=True, reason="so"), "ann", "not-proprietor"),
        (EndMechanicalPlay(claimed=True), "gm", "no-reason"),
        (ShiftMode("general", " ", True), "gm", "no-reason"),
        (LimitPoints(10, agreed=True, claimed=True, reason="so"), "ann", "not-proprietor"),
        (LimitPoints(10, agreed=True, claimed=True), "gm", "no-reason"),
    ],
)
def test_nobody_claims_it_for_another_but_a_gamemaster_with_a_reason(do, by, code):
    game = Game()
    game.fight()
    assert game.refuses(do, by=by) == code


def test_only_who_is_there_is_asked():
    from ledger.rules.kernel.commands import OpenSession

    game = Game()
    game.does(OpenSession())
    game.does(Attend(("gm", "ann", "bob")))
    game.fight(ANN, BOB)
    assert [game.asks(EndMechanicalPlay(), *said, by="ann").seat for said in ((), (Agree(),))] == ["gm", "bob"]
    game.does(EndMechanicalPlay(), Agree(), Agree(), by="ann")
