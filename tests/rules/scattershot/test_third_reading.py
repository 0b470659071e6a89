"""The third reading: whom an attack engages, one Turn a Round after rejoining, what a roll reports."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ledger.rules.kernel.commands import Enrol
from ledger.rules.kernel.subjects import character, scene, seat
from ledger.rules.scattershot.actions import TakeFreeAction
from ledger.rules.scattershot.advantage import (
    ActDeclined,
    AdvantageErased,
    AdvantageSeized,
    CheckAdvantage,
    EraseAdvantage,
    FoeChanged,
    HoldAdvantage,
    SeizeAdvantage,
)
from ledger.rules.scattershot.agreement import Agree, Decline
from ledger.rules.scattershot.cashing_in import Develop
from ledger.rules.scattershot.conditions import AllOutDeclared, GoAllOut, SetOffGuard
from ledger.rules.scattershot.consequences import Consequences, Gained, NameConsequences
from ledger.rules.scattershot.declaring import ActionDeclared, DeclareAction
from ledger.rules.scattershot.engaging import AnswerEngagement, Oppose, ResistorAnswered
from ledger.rules.scattershot.evolving import BuyTrait, ProtectionDeclined, TraitBought
from ledger.rules.scattershot.experience import ContributeDie
from ledger.rules.scattershot.flurries import InterruptFlurry, StartFlurry, StepFlurry
from ledger.rules.scattershot.game import ShiftMode
from ledger.rules.scattershot.joining import JoinMechanicalPlay, LeaveMechanicalPlay
from ledger.rules.scattershot.limits import LimitInWords, LimitPoints, WordLimitDeclined
from ledger.rules.scattershot.listings import ListAbility, ListedDefault, ListingUpheld
from ledger.rules.scattershot.mechanical_play import EndRound, EndTurn, FlurryEnded, StartTurn
from ledger.rules.scattershot.persona import LimitsShown
from ledger.rules.scattershot.ratings import ApplyModifier, Default
from ledger.rules.scattershot.resources import ResourceReduced
from ledger.rules.scattershot.results import ChooseResults, CloseApplication, Result
from ledger.rules.scattershot.rolls import CloseOpportunity, RollMib, RollReported
from ledger.rules.scattershot.state import Protection, Sheet, Skill
from ledger.rules.scattershot.totals import CloseDecision
from tests.rules.scattershot.game import Game, tried

ANN, BOB, CID, OGRE = "1", "2", "3", "4"


def standing(game: Game, id: str) -> Any:
    return game.state(scene(game.scene_id)).fight.standing[id]


def facts(verdict: Any, cls: type[Any]) -> list[Any]:
    return [about.fact for about in verdict.facts if type(about.fact) is cls]


# --- T1: an attack engages somebody ----------------------------------------------------------------------------------


def test_an_attack_engages_its_subject():
    game = Game()
    id = game.act(BOB, subject=ANN, nature="attack")
    assert game.refuses(CloseOpportunity(id)) == "resistor-has-not-answered"
    game.does(AnswerEngagement(id, ANN, Oppose("dodge", "agility")), by="ann")


def test_an_attack_engages_its_subject_beside_others():
    game = Game()
    declared = game.only(
        game.does(DeclareAction(BOB, "a sweep", subject=ANN, engages=(CID,), nature="attack")), ActionDeclared
    )
    assert declared.engaged == {CID: "asked", ANN: "asked"}


def test_an_attack_on_its_subject_pays_changes_the_foe_and_gives_up_advantage():
    game = Game()
    game.fight(BOB, ANN, OGRE)
    game.does(StartTurn(BOB))
    game.does(SeizeAdvantage(BOB, OGRE, "Reach"))
    verdict = game.does(DeclareAction(BOB, "a blow", subject=ANN, nature="attack"))
    assert [fact.to for fact in facts(verdict, FoeChanged)] == [ANN]
    assert [(fact.foe, fact.n) for fact in facts(verdict, AdvantageErased)] == [(OGRE, 1)]
    id = game.only(verdict, ActionDeclared).resolution
    game.does(AnswerEngagement(id, ANN, Oppose("parry", "agility")), by="ann")
    assert standing(game, ANN).forfeited == 1


def test_an_attack_on_an_off_guard_subject_is_noticed_first():
    game = Game()
    game.does(SetOffGuard(ANN, (BOB,)))
    declared = game.only(game.does(DeclareAction(BOB, "a blow", subject=ANN, nature="attack")), ActionDeclared)
    assert declared.engaged == {ANN: "off-guard"}


@pytest.mark.parametrize("subject", [None, "the door", BOB])
def test_an_attack_that_engages_nobody_is_refused(subject):
    game = Game()
    assert game.refuses(DeclareAction(BOB, "a blow", subject=subject, nature="attack")) == "nobody-engaged"
    assert game.does(DeclareAction(BOB, "a blow", subject=subject)).facts


# --- T10: a roll reports its result ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faces", "mib", "outcome"),
    [
        ((5, 6), 1, "success"),
        ((6, 6), 0, "minimal-success"),
        ((6, 7), -1, "failure"),
        ((1, 1), 10, "telling-blow"),
        ((10, 10), -8, "failure"),
    ],
)
def test_a_roll_reports_by_how_much_it_was_made_and_what_it_means(faces, mib, outcome):
    game = Game(critical_juncture=9)
    id = game.decision(ANN)
    reported = game.only(game.does(RollMib(id, "actor", faces), by="ann"), RollReported)
    assert (reported.mib, reported.rmib, reported.outcomes) == (mib, {}, {"actor": outcome})


def test_a_contest_reports_its_meaning_with_the_last_roll():
    game = Game(critical_juncture=9)
    id = game.decision(ANN, oppose={BOB: "agility"})
    first = game.only(game.does(RollMib(id, "actor", (4, 4))), RollReported)
    assert (first.mib, first.rmib, first.outcomes) == (4, {}, {})
    last = game.only(game.does(RollMib(id, BOB, (4, 4))), RollReported)
    assert (last.roll, last.mib, last.rmib, last.outcomes) == (BOB, 2, {BOB: 2}, {BOB: "success"})


def test_an_experience_die_after_the_roll_reports_the_new_result():
    game = Game(critical_juncture=9)
    game.dice("ann", 2)
    id = game.decision(ANN)
    before = game.does(ContributeDie(id, face=2), by="ann")
    assert not facts(before, RollReported)
    assert game.only(game.does(RollMib(id, "actor", (7, 8))), RollReported).mib == -1
    after = game.only(game.does(ContributeDie(id, face=3), by="ann"), RollReported)
    assert (after.mib, after.outcomes) == (2, {"actor": "success"})


# --- T3: listings are used -------------------------------------------------------------------------------------------

STRATEGY = ListAbility("Strategy", "intermediate", scope="mob", defaults=(ListedDefault("Tactics", -2),))


def declared_as(do: DeclareAction, game: Game, *answers: Any, by: str = "bob") -> Any:
    return game.only(game.does(do, *answers, by=by), ActionDeclared)


@pytest.mark.parametrize(
    ("who", "choice", "rating"),
    [("2", "best", 11), ("2", "related-only", 11), ("1", "best", 10)],  # Tactics 14 - 2 - 1; nothing near it: the base
)
def test_a_default_by_ability_alone_is_as_listed(who, choice, rating):
    game = Game(default_choice=choice)
    game.does(STRATEGY)
    declared = declared_as(DeclareAction(who, "draw up the lines", default=Default("Strategy")), game, by="gm")
    assert (declared.rating, declared.ability) == (rating, "Strategy")


def test_the_best_listed_rating_is_the_related_one():
    game = Game()
    near = (ListedDefault("Brawl", -9), ListedDefault("Tactics", -1), ListedDefault("agility", -4))
    game.does(ListAbility("Ambush", "legendary", defaults=near))
    assert declared_as(DeclareAction(BOB, "lie in wait", default=Default("Ambush")), game).rating == 13


def test_so_is_the_default_of_an_answer():
    game = Game()
    game.does(STRATEGY)
    id = game.act(ANN, engages=(BOB,))
    answered = game.does(AnswerEngagement(id, BOB, Oppose("outflank", "agility", Default("Strategy"))), by="bob")
    assert game.only(answered, ResistorAnswered).rating == 11


def test_a_default_by_name_has_the_duration_and_opportunity_of_the_listing():
    game = Game()
    game.does(ListAbility("Strategy", "intermediate", duration="scenic", opportunity="on a hill"))
    declared = declared_as(DeclareAction(BOB, "draw up the lines", default=Default("Strategy")), game)
    assert (declared.duration, declared.opportunity) == ("scenic", "on a hill")


def test_an_ability_without_a_listing_has_no_default_by_name():
    assert Game().refuses(DeclareAction(BOB, "row", default=Default("Rowing"))) == "unknown-difficulty"


SIEGE = ListAbility("Siege", "easy", scope="mob", duration="scenic")


def test_a_listed_ability_keeps_its_scope_and_duration_at_enrolment():
    game = Game()
    game.does(SIEGE)
    who = game.enrol("Engineer", Sheet(skills=(Skill("Siege", "easy", 1),)), "bob")
    kept = game.character(who).ratings["Siege"]
    assert (kept.scope, kept.duration) == ("mob", "scenic")
    assert declared_as(DeclareAction(who, "undermine", "Siege"), game).duration == "scenic"


@pytest.mark.parametrize("typed", [{"scope": "individual"}, {"duration": "immediate"}])
def test_another_scope_or_duration_than_listed_needs_the_gamemaster_at_enrolment(typed):
    game = Game()
    game.does(SIEGE)
    enrol = Enrol("Engineer", "bob", Sheet(skills=(Skill("Siege", "easy", 1, **typed),)))
    assert game.refuses(enrol, by="bob") == "beyond-the-listing"
    assert game.does(enrol).facts


def test_another_duration_than_listed_needs_the_gamemaster():
    game = Game()
    game.does(SIEGE)
    who = game.enrol("Engineer", Sheet(skills=(Skill("Siege", "easy", 1),)), "bob")
    hasty = DeclareAction(who, "undermine", "Siege", duration="immediate")
    assert game.asks(hasty, by="bob").slot == "listing"
    assert [type(about.fact) for about in game.does(hasty, Decline(), by="bob").facts] == [ListingUpheld]
    assert declared_as(hasty, game, Agree()).duration == "immediate"
    assert declared_as(hasty, game, by="gm").duration == "immediate"


# --- T4: protection that was bought protects once --------------------------------------------------------------------

BARK = Skill("Bark", "easy", 0, 4)


def barked(*pieces: str) -> tuple[Game, str]:
    game = Game()
    sheet = Sheet(special_abilities=(BARK,), protection=tuple(Protection(piece, bought="Bark") for piece in pieces))
    return game, game.enrol("Dryad", sheet, "ann")


@pytest.mark.parametrize(("pieces", "points"), [((), 4), (("bark",), 4), (("bark", "twigs", "leaves"), 6)])
def test_each_further_piece_of_the_same_ability_costs_a_point(pieces, points):
    game, who = barked(*pieces)
    assert game.character(who).net == points


@pytest.mark.parametrize("worn", [None, ("bark",), ("twigs",), ("bark", "twigs")])
def test_pieces_of_the_same_ability_do_not_add_up(worn):
    game, who = barked("bark", "twigs")
    id = game.basic(5, {who: -1}, who=ANN)
    game.outcome(id)
    reduced = game.only(game.does(ChooseResults(id, (Result(protection=worn),))), ResourceReduced)
    assert reduced.loss == 3


def test_a_further_piece_bought_later_costs_a_point():
    game, who = barked("bark")
    twigs = BuyTrait(who, protection=Protection("twigs", bought="Bark"))
    assert game.refuses(twigs, by="ann") == "not-enough-points"
    game.dice("ann")
    game.does(Develop(who, 1, 0, (6,)), by="ann")
    assert game.only(game.does(twigs, by="ann"), TraitBought).points == 1


def test_static_protection_outside_solo_play_is_asked_of_the_gamemaster():
    game = Game()
    helm = BuyTrait(ANN, protection=Protection("helm", static=1))
    assert game.asks(helm, by="ann").slot == "protection"
    declined = game.only(game.does(helm, Decline(), by="ann"), ProtectionDeclined)
    assert (declined.name, game.character(ANN).protection) == ("helm", ())
    game.does(helm, Agree(), by="ann")
    assert [piece.name for piece in game.character(ANN).protection] == ["helm"]
    assert game.does(BuyTrait(ANN, protection=Protection("cap", static=1))).facts, "a Gamemaster need not ask"


def test_static_protection_is_noted_in_solo_play():
    game = Game()
    game.does(ShiftMode("solo", "downtime", True))
    assert game.does(BuyTrait(ANN, protection=Protection("helm", static=1)), by="ann").facts


# --- T5: the last step, and what interrupts a Flurry -----------------------------------------------------------------


def in_a_flurry(steps: int = 0) -> Game:
    game = Game()
    game.fight(BOB, ANN, CID)
    game.does(StartTurn(BOB))
    game.does(StartFlurry(BOB, ANN, "Brawl", ("jab",)))
    for _ in range(steps):
        game.does(StepFlurry("jab"))
    return game


JAB = DeclareAction(BOB, "a jab", "Brawl", ANN, nature="attack", pays="flurry")


def test_the_last_step_announced_is_played_out_before_the_turn_ends():
    game = in_a_flurry(4)
    assert game.state(scene(game.scene_id)).fight.flurry.ended is None
    assert game.refuses(StepFlurry("jab")) == "flurry-ended"
    assert game.refuses(EndTurn(BOB)) == "last-step-outstanding"
    assert [fact.by for fact in facts(game.does(JAB), FlurryEnded)] == ["limit"]
    assert game.refuses(JAB) == "flurry-ended"
    game.does(EndTurn(BOB))


def test_no_defense_of_the_foe_plays_it_out():
    game = in_a_flurry(3)
    id = game.only(game.does(JAB), ActionDeclared).resolution
    game.does(StepFlurry("jab"))
    game.does(AnswerEngagement(id, ANN, Oppose("parry", "agility", pays="flurry")))
    assert game.refuses(EndTurn(BOB)) == "last-step-outstanding"
    assert facts(game.does(JAB), FlurryEnded)


def test_nobody_starts_a_flurry_against_themselves():
    game = Game()
    game.fight(BOB, ANN)
    game.does(StartTurn(BOB))
    assert game.refuses(StartFlurry(BOB, BOB, "Brawl", ("jab",))) == "flurry-against-self"


def test_a_word_alone_interrupts_no_flurry():
    game = in_a_flurry()
    for by in ("gm", "ann"):
        assert game.refuses(InterruptFlurry("a shout"), by=by) == "nothing-interrupts"
    assert game.refuses(InterruptFlurry("a tackle", character=CID), by="cid") == "not-engaged-on-anothers-turn"
    assert game.refuses(InterruptFlurry("a tackle", character=OGRE)) == "not-in-this-scene"
    assert game.refuses(InterruptFlurry("a tackle", character=ANN), by="cid") == "not-proprietor"


def test_an_action_that_is_paid_for_interrupts_it():
    game = in_a_flurry()
    game.does(InterruptFlurry("a tackle", character=ANN), by="ann")
    assert standing(game, ANN).forfeited == 1
    game.does(StartFlurry(BOB, ANN, "Brawl", ("jab",)))
    assert game.refuses(InterruptFlurry("he trips", character=BOB)) == "no-actions-left"


@pytest.mark.parametrize(("mib", "expected"), [(0, "done"), (-1, "nothing-interrupts")])
def test_a_roll_interrupts_it_if_it_succeeds(mib, expected):
    game = in_a_flurry()
    game.free("a whistle")
    id = game.act(CID, pays="free", free="a whistle")
    assert game.refuses(InterruptFlurry("a whistle", resolution=id)) == "nothing-interrupts", "nobody has rolled"
    game.does(ApplyModifier(id, mib, "made so"))
    game.does(CloseOpportunity(id))
    game.does(RollMib(id, "actor", (5, 5)))
    game.does(CloseDecision(id))
    game.outcome(id)
    assert tried(game, InterruptFlurry("a whistle", resolution=id), "cid") == expected


def test_a_step_of_the_flurry_does_not_interrupt_it():
    game = in_a_flurry()
    id = game.only(game.does(DeclareAction(BOB, "a step", pays="flurry", nature="movement")), ActionDeclared).resolution
    game.does(CloseOpportunity(id))
    game.does(RollMib(id, "actor", (1, 1)))
    game.does(CloseDecision(id))
    game.outcome(id)
    assert game.refuses(InterruptFlurry("a step", resolution=id)) == "nothing-interrupts"


# --- T6: who invents the consequences --------------------------------------------------------------------------------


def struck(*engaged: str, **more: Any) -> tuple[Game, str, Any]:
    """Return an unopposed Telling Blow of Annette's."""
    game = Game()
    id = game.act(ANN, engages=engaged, **more)
    for who in game.state(scene(game.scene_id)).resolutions[id].engaged:
        game.does(AnswerEngagement(id, who, passive=True))
    game.does(ApplyModifier(id, 6, "made so"))
    game.does(CloseOpportunity(id))
    game.does(RollMib(id, "actor", (5, 5)))
    game.does(CloseDecision(id))
    return game, id, game.outcome(id)


@pytest.mark.parametrize(
    ("more", "authors"),
    [
        ({"nature": "attack"}, [("bob", BOB), ("cid", CID)]),
        ({"nature": "attack", "subject": CID}, [("cid", CID), ("bob", BOB)]),
        ({"nature": "attack", "subject": "the door"}, [("bob", BOB), ("cid", CID)]),
        ({"nature": "other"}, [("bob", BOB), ("cid", CID)]),
        ({"nature": "other", "subject": "the door"}, [("gm", None)]),
        ({"nature": "other", "subject": OGRE}, [("gm", OGRE)]),
    ],
)
def test_each_persona_that_suffers_a_telling_blow_has_its_own_author(more, authors):
    _, _, outcome = struck(BOB, CID, **more)
    assert [(juncture.author, juncture.sufferer) for juncture in outcome.junctures] == authors


def test_an_attack_without_a_subject_is_suffered_by_whom_it_engages():
    _, _, outcome = struck(BOB, nature="attack")
    assert [(juncture.author, juncture.sufferer) for juncture in outcome.junctures] == [("bob", BOB)]


def test_each_author_names_the_consequences_for_their_own_persona():
    game, id, _ = struck(BOB, CID, nature="attack")
    assert game.refuses(NameConsequences(id, 0, Consequences("a limp")), by="cid") == "not-proprietor"
    assert game.asks(NameConsequences(id, 1)).seat == "cid"
    for place, player in enumerate(("bob", "cid")):
        game.does(NameConsequences(id, place, Consequences("a limp", (Gained("Limp", 1),))), by=player)
    gained = [[one.name for one in game.character(who).disadvantages] for who in (BOB, CID)]
    assert gained == [["Slow", "Limp"], ["Limp"]]


# --- T7: the act that Combat Advantage and All-Out need --------------------------------------------------------------


def in_melee() -> tuple[Game, str]:
    """Return the resolution of Bob's blow at Annette, on his Turn."""
    game = Game()
    game.fight(BOB, ANN, CID)
    game.does(StartTurn(BOB))
    return game, game.act(BOB, "Brawl", subject=ANN, nature="attack")


BY_ACT: list[tuple[str, Any]] = [
    ("bob", SeizeAdvantage(BOB, ANN, "Reach")),
    ("ann", SeizeAdvantage(ANN, BOB, "Finding an Opening")),
    ("cid", SeizeAdvantage(CID, ANN, "Reach")),
    ("bob", GoAllOut(BOB, "attack")),
    ("ann", GoAllOut(ANN, "defense")),
    ("cid", GoAllOut(CID, "focusing", ANN)),
]
HELD: list[tuple[str, Any]] = [
    ("bob", HoldAdvantage(BOB, ANN, "Pressing")),
    ("ann", CheckAdvantage(BOB, ANN, "Backing Off")),
    ("ann", EraseAdvantage(BOB, ANN, "a trick")),
]


@pytest.mark.parametrize(("by", "do"), [*BY_ACT, *HELD])
def test_the_word_alone_is_asked_of_the_gamemaster(by, do):
    game, _ = in_melee()
    if (by, do) in HELD:
        game.does(SeizeAdvantage(BOB, ANN, "Reach"))
    question = game.asks(do, by=by)
    assert (question.seat, question.slot) == ("gm", "act")
    declined = game.does(do, Decline(), by=by)
    assert [type(about.fact) for about in declined.facts] == [ActDeclined]
    assert not facts(game.does(do, Agree(), by=by), ActDeclined)


@pytest.mark.parametrize(
    ("by", "do", "fits"),
    [(by, do, do.character == BOB if isinstance(do, GoAllOut) else do.holder != CID) for by, do in BY_ACT]
    + [(by, do, True) for by, do in HELD]
    + [("bob", GoAllOut(BOB, "focusing", ANN), True), ("bob", GoAllOut(BOB, "defense"), False)],
)
def test_a_declared_act_needs_no_ruling_if_it_is_the_act(by, do, fits):
    game, id = in_melee()
    if (by, do) in HELD:
        game.does(SeizeAdvantage(BOB, ANN, "Reach"))
    do = replace(do, act=id)
    if not fits:
        assert game.refuses(do, by=by) == "not-the-act"
        return
    assert game.does(do, by=by).facts


def test_who_defends_goes_all_out_by_the_answer():
    game, id = in_melee()
    game.does(AnswerEngagement(id, ANN, Oppose("parry", "agility")), by="ann")
    assert facts(game.does(GoAllOut(ANN, "defense", act=id), by="ann"), AllOutDeclared)


def test_who_yields_needs_no_other_act():
    game, _ = in_melee()
    assert facts(game.does(SeizeAdvantage(BOB, CID, "Yielding"), by="cid"), AdvantageSeized)


def test_an_act_is_one_that_is_still_open():
    game, id = in_melee()
    game.does(AnswerEngagement(id, ANN, passive=True))
    game.does(CloseOpportunity(id))
    game.does(RollMib(id, "actor", (5, 5)))
    game.does(CloseDecision(id))
    game.outcome(id)
    game.does(CloseApplication(id))
    assert game.refuses(SeizeAdvantage(BOB, ANN, "Upper Hand", id), by="bob") == "wrong-phase"


# --- T9: damages on the Persona Sheet from the start -----------------------------------------------------------------


def test_the_sheet_shows_damages_by_strength_and_weapon_from_the_start():
    game = Game()
    armed = game.enrol("Guard", Sheet(statistics={"strength": 13}, weapons=("dagger", 3, "fists")), "ann")
    assert game.view(character(armed))["damages"] == {
        "0": [0, 2, 3, 5, 6, 8, 9],
        "1": [2, 3, 5, 6, 8, 9, 11],
        "3": [5, 6, 8, 9, 11, 12, 14],
    }
    assert game.view(character(ANN))["damages"] == {"0": [0, 1, 2, 3, 4, 5, 6]}


def test_a_weapon_nobody_knows_is_refused_at_enrolment():
    assert Game().refuses(Enrol("Guard", "ann", Sheet(weapons=("a halberd",))), by="ann") == "bad-number"


def test_a_strength_off_the_chart_has_no_damages():
    game = Game(ue_chart=({"from": 0, "to": 15, "facets": {"multiplier": 1, "bonus": 1, "points": 1}},))
    giant = game.enrol("Giant", Sheet(statistics={"strength": 30}))
    assert game.view(character(giant))["damages"] == {}


# --- T8: limits in words ---------------------------------------------------------------------------------------------


def shown_to(game: Game, player: str) -> list[tuple[int | None, tuple[str, ...]]]:
    verdict = game.does(Enrol("Newcomer", player, Sheet()))
    return [(fact.limit, fact.words) for fact in facts(verdict, LimitsShown)]


def test_a_limit_in_words_binds_who_agrees_and_is_shown_at_enrolment():
    game = Game()
    done = game.does(LimitInWords("no magic", agreed=True), Agree(), Decline(), Agree(), by="ann")
    assert [fact.seat for fact in facts(done, WordLimitDeclined)] == ["bob"]
    game.does(LimitInWords("pulp fantasy"), by="cid")
    game.does(LimitPoints(10), by="cid")
    assert shown_to(game, "ann") == [(None, ("no magic",))]
    assert shown_to(game, "bob") == []
    assert shown_to(game, "cid") == [(10, ("no magic", "pulp fantasy"))]
    assert game.view(seat("cid"))["words"] == ["no magic", "pulp fantasy"]


@pytest.mark.parametrize(
    ("do", "by", "code"),
    [
        (LimitInWords("no magic", "bob"), "ann", "not-proprietor"),
        (LimitInWords("no magic", "bob"), "gm", "gm-may-not-cap"),
        (LimitInWords("no magic", agreed=True, claimed=True), "gm", "no-reason"),
        (LimitInWords(" "), "ann", "which-limit"),
    ],
)
def test_nobody_limits_somebody_else_in_words(do, by, code):
    assert Game().refuses(do, by=by) == code


# --- T2: one Turn a Round --------------------------------------------------------------------------------------------


def fighting() -> Game:
    game = Game()
    game.fight(BOB, ANN, OGRE)
    return game


def test_leaving_and_joining_gives_no_second_turn():
    game = fighting()
    game.turn(BOB)
    game.does(LeaveMechanicalPlay(BOB))
    game.does(JoinMechanicalPlay(BOB))
    assert game.refuses(StartTurn(BOB)) == "turn-already-taken"
    game.turn(ANN, OGRE)
    game.does(EndRound())
    assert game.does(StartTurn(BOB)).facts


def test_leaving_amid_the_turn_ends_it():
    game = fighting()
    game.does(StartTurn(BOB))
    game.does(LeaveMechanicalPlay(BOB))
    game.does(JoinMechanicalPlay(BOB))
    assert game.refuses(StartTurn(BOB)) == "turn-already-taken"


def test_who_comes_back_keeps_free_actions_forfeits_and_all_out():
    game = fighting()
    game.does(StartTurn(BOB))
    id = game.act(BOB, subject=ANN, nature="attack")
    game.does(AnswerEngagement(id, ANN, Oppose("parry", "agility")), by="ann")
    game.does(TakeFreeAction(ANN, "soliloquy"))
    game.does(GoAllOut(ANN, "focusing", OGRE))
    before = standing(game, ANN)
    game.does(LeaveMechanicalPlay(ANN))
    assert game.character(ANN).off_guard_but is None
    game.does(JoinMechanicalPlay(ANN))
    assert (before.forfeited, before.free, before.all_out) == (1, ("soliloquy",), "focusing")
    assert standing(game, ANN) == before
    assert game.character(ANN).off_guard_but == OGRE
    game.does(EndTurn(BOB))
    assert game.does(StartTurn(ANN)).facts


def test_a_round_gone_by_gives_back_the_turn_but_not_the_forfeits():
    game = fighting()
    game.does(StartTurn(BOB))
    id = game.act(BOB, subject=ANN, nature="attack")
    game.does(AnswerEngagement(id, ANN, Oppose("parry", "agility")), by="ann")
    game.does(LeaveMechanicalPlay(ANN))
    game.does(EndTurn(BOB))
    game.turn(OGRE)
    game.does(EndRound())
    game.does(JoinMechanicalPlay(ANN))
    assert (standing(game, ANN).forfeited, standing(game, ANN).taken) == (1, False)
