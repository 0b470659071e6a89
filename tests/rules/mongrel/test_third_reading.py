"""The third reading, T2 and after: numbers that are a game master's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ledger.rules.kernel.commands import OpenSession
from ledger.rules.kernel.contract import Underway
from ledger.rules.kernel.declarations import find_chooser
from ledger.rules.kernel.questions import Ask
from ledger.rules.kernel.subjects import CAMPAIGN, character, scene
from ledger.rules.mongrel import RULESET
from ledger.rules.mongrel.attacks import Attack, DeclareAttack
from ledger.rules.mongrel.bargains import PurchaseResisted, PurchaseRolled
from ledger.rules.mongrel.clock import ClockMoved, SetClock
from ledger.rules.mongrel.conflict import CloseConflict
from ledger.rules.mongrel.credit import Accept, Barter, NoDeal, TransferCredit
from ledger.rules.mongrel.damage import DamageRolled, Shunt
from ledger.rules.mongrel.deeds import Act, RollTask
from ledger.rules.mongrel.hits import Defend, Stand, TakeHit
from ledger.rules.mongrel.identities import Describe
from ledger.rules.mongrel.infernal import RefreshResolve, SpendResolve
from ledger.rules.mongrel.points import RaiseFeature
from ledger.rules.mongrel.possessions import GainItem, ItemAcquired, MoveItem, PartWithItem, SaleCalledOff, SellItem
from ledger.rules.mongrel.proposals import Disallow, Judge, ProposalDeclined
from ledger.rules.mongrel.purchases import OccultPurchase, Purchase
from ledger.rules.mongrel.recovery import CharacterExhausted, Recover, Rest
from ledger.rules.mongrel.sessions import AwardSession, FeaturesUsed, MarkFeatures
from ledger.rules.mongrel.sorcery import Occult, Resist
from ledger.rules.mongrel.state import ActionDeclared
from ledger.rules.mongrel.tasks import TaskDeclared, TaskResolved
from ledger.rules.mongrel.turns import Pass, TakeFront
from tests.rules.mongrel.game import Game, facts_of, of_kind, steps, the
from tests.rules.mongrel.test_differences import forestalls
from tests.rules.mongrel.test_moves import can, offers
from tests.rules.mongrel.test_sorcery import circle

HIT = (1, 2, 3, 6)


# --- T2: the game master's numbers -----------------------------------------------------------------------------------


def fight(**dials):
    """Vooruk, whom q plays, is next."""
    game = Game(**dials)
    game.conflict()
    return game


def attack(game, **more):
    return Attack(**{"actor": game.vooruk, "target": game.ahvia, "expertise": "rend", "attribute": "physique", **more})


#: What a player declares, with numbers that are a game master's.
PROPOSALS = [
    lambda g: attack(g, weapon=9),
    lambda g: attack(g, armour=1),
    lambda g: attack(g, difficulty=1),
    lambda g: attack(g, taken_off=1),
    lambda g: DeclareAttack(g.vooruk, g.ahvia, "rend", "physique", weapon=9),
    lambda g: Act(g.vooruk, "rend", "physique", difficulty=2),
    lambda g: RollTask(g.vooruk, "rend", "own", "physique", difficulty=2),
    lambda g: Purchase(g.vooruk, "a lamp", "mekag", social=1),
    lambda g: Purchase(g.vooruk, "a sword", "mekag", seller=g.ahvia, weapon=9),
]
AT_LEISURE = [
    lambda g: RollTask(g.vooruk, "rend", "own", "physique", taken_off=1),
    lambda g: RollTask(g.vooruk, "rend", "target", "size", thing="a door", score=1),
    lambda g: Occult(g.vooruk, 1, "rend", "own", "spirit", difficulty=1),
    lambda g: Occult(g.vooruk, 1, "rend", "own", "spirit", target=g.ahvia, weapon=3),
    lambda g: OccultPurchase(g.vooruk, "a lamp", "mekag", 1, social=1),
    lambda g: RefreshResolve(g.vooruk, "meditating", 60),
]


@pytest.mark.parametrize(("start", "make"), [(fight, m) for m in PROPOSALS] + [(Game, m) for m in AT_LEISURE])
def test_t2_a_game_master_is_asked_for_the_numbers_of_a_player_and_of_nobody_else(start, make):
    game = start()
    question = game.asks(make(game), by="q")
    assert isinstance(question, Ask) and (question.seat, question.slot) == ("gm", "numbers")
    assert question.kinds == (Judge, Disallow) and {find_chooser(kind) for kind in question.kinds} == {"gm"}
    own = game.asks(make(game))
    assert getattr(own, "slot", "") != "numbers", "a game master who declares them has said them"
    trusted = start(player_numbers="trusted")
    assert getattr(trusted.asks(make(trusted), by="q"), "slot", "") != "numbers"


PLAIN = [
    attack,
    lambda g: Act(g.vooruk, "rend", "physique"),
    lambda g: RollTask(g.vooruk, "rend", "target", "physique", target=g.ahvia, score=3),
]


@pytest.mark.parametrize("make", PLAIN)
def test_t2_nobody_is_asked_where_nothing_is_proposed(make):
    game = fight()
    assert getattr(game.asks(make(game), by="q"), "slot", "") != "numbers"


def test_t2_a_possession_counts_with_its_recorded_value_unasked():
    game = Game()
    blade = the(game.does(GainItem(game.vooruk, "a blade", 2)), ItemAcquired).possession
    game.conflict()
    do = attack(game, weapon_used=blade, faces=HIT)
    assert game.asks(do, by="q").slot == "defend"
    hit = the(game.does(do, Stand(), Shunt(5), by="q"), DamageRolled)
    assert hit.weapon == 2
    lamp = the(game.does(GainItem(game.ahvia, "a lamp")), ItemAcquired).possession
    bid = Purchase(game.vooruk, "a lamp", "mekag", seller=game.ahvia, possession=lamp)
    game.does(TakeFront(game.vooruk))
    assert game.asks(bid, by="q").slot == f"sale:{lamp}"


def test_t2_what_a_game_master_says_counts_in_place_of_what_was_proposed():
    game = fight()
    do = attack(game, weapon=9, difficulty=0, faces=HIT)
    assert "weapon bonus 9" in game.asks(do, by="q").purpose
    verdict = game.does(do, Judge(weapon=1, difficulty=2, reason="It is a fork."), Stand(), Shunt(0), by="q")
    assert (the(verdict, ActionDeclared).weapon, the(verdict, ActionDeclared).difficulty) == (1, 2)
    assert the(verdict, DamageRolled).weapon == 1 and the(verdict, TaskResolved).tn == 7 - 2
    assert steps(verdict, "mongrel.task.proposal") == ["changed"]
    (step,) = [one for one in verdict.because if one.rule == "mongrel.task.proposal"]
    assert step.given == {"weapon": 1, "difficulty": 2, "reason": "It is a fork."}


def test_t2_a_proposal_that_is_right_stands():
    game = Game()
    do = RollTask(game.vooruk, "rend", "own", "physique", difficulty=2, faces=HIT)
    verdict = game.does(do, Judge(), by="q")
    assert the(verdict, TaskDeclared).difficulty == 2 and steps(verdict, "mongrel.task.proposal") == ["confirmed"]


@pytest.mark.parametrize("make", [Purchase, OccultPurchase])
def test_t2_a_game_master_says_whether_something_can_be_bought(make):
    game = Game()
    points = {"points": 1} if make is OccultPurchase else {}
    do = make(buyer=game.vooruk, item="a moon", house="mekag", social=1, **points)
    assert "Can a moon be bought" in game.asks(do, by="q").purpose
    declined = game.does(do, Disallow("There are only two."), by="q")
    assert facts_of(declined) == [ProposalDeclined(game.vooruk, "There are only two.")]
    assert steps(declined, "mongrel.task.proposal") == ["declined"] and game.resolve(game.vooruk) == 3
    verdict = game.does(do, Judge(social=3), (3, 3), by="q")
    assert the(verdict, PurchaseRolled).tn == 3
    assert game.refuses(replace(do, available=False), by="q") == "not-available"


def test_t2_what_a_thing_bought_is_worth_is_for_a_game_master_to_say():
    game = Game()
    do = Purchase(game.vooruk, "a sword", "mekag", "rend", social=2, weapon=9, faces=(3, 3, 3, 3))
    verdict = game.does(do, Judge(weapon=2), by="q")
    assert the(verdict, ItemAcquired).weapon == 2
    assert [one["weapon"] for one in game.view(character(game.vooruk))["possessions"]] == [2]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (Judge(minutes=60), "not-proposed"),
        (Judge(score=3), "not-proposed"),
        (Judge(difficulty=5), "modifier-range"),
        (Judge(weapon=3), "weapon-cap"),
        (Judge(taken_off=-1), "bad-score"),
    ],
)
def test_t2_numbers_that_cannot_be_are_asked_for_again(said, code):
    game = fight(weapon_bonus_cap=2)
    assert game.refuses(attack(game, weapon=1), said, by="q") == code


def test_t2_what_is_refused_in_any_case_is_refused_before_anybody_is_asked():
    game = fight()
    assert game.refuses(Attack(game.ahvia, game.vooruk, "rend", "physique", weapon=9), by="p") == "not-your-turn"
    assert game.refuses(attack(game, weapon=9, difficulty=7), by="q") == "modifier-range"
    game.gives(game.vooruk, "ap", -3)
    assert game.refuses(attack(game, weapon=9), by="q") == "no-ap"


def test_t2_an_attack_whose_numbers_are_said_can_still_be_forestalled():
    game = fight()
    here = scene(game.scene_id)
    for slots, code in ((("numbers",), None), (("numbers", "defend"), "decision-pending"), ((), "decision-pending")):
        waits = Underway(attack(game, weapon=1), here, True, slots)
        assert forestalls(game, TakeFront(game.ahvia), waits) == code


def test_t2_the_defence_comes_after_the_numbers():
    game = fight()
    do = attack(game, weapon=2)
    assert game.asks(do, Judge(), by="q").slot == "defend"
    assert of_kind(game.does(do, Judge(), Defend(), (1, 1, 1, 1), by="q"), TaskResolved)


def test_t2_what_is_not_allowed_takes_no_turn():
    game = fight()
    game.does(attack(game, weapon=9), Disallow(), by="q")
    assert game.queue[0] == game.vooruk and game.ap(game.vooruk) == 3


# --- T7: the collapsed do not act ------------------------------------------------------------------------------------


def collapsed(**dials):
    """Ahvia has collapsed, and has a lamp."""
    game = Game(**dials)
    lamp = the(game.does(GainItem(game.ahvia, "a lamp")), ItemAcquired).possession
    game.hit(game.ahvia, 6)
    assert game.character(game.ahvia).collapsed and not game.character(game.ahvia).dying
    return game, lamp


SPEECH = [
    lambda g, _: RollTask(g.ahvia, "lie", "target", "social", target=g.vooruk),
    lambda g, _: Purchase(g.ahvia, "a hat", "mekag", social=1),
    lambda g, _: Purchase(g.vooruk, "a hat", "mekag", seller=g.ahvia),
    lambda g, _: Barter(g.ahvia, "two chickens"),
    lambda g, _: TransferCredit(g.ahvia, "mekag", "nuin", 1),
]
DEEDS = [
    lambda g, _: RollTask(g.ahvia, "athletics", "own", "speed"),
    lambda g, _: Purchase(g.ahvia, "a hat", "mekag", "burn", social=1),
    lambda g, _: Occult(g.ahvia, 1, "lie", "own", "spirit"),
    lambda g, _: OccultPurchase(g.ahvia, "a hat", "mekag", 1, social=1),
    lambda g, lamp: PartWithItem(g.ahvia, lamp, g.vooruk),
    lambda g, lamp: PartWithItem(g.ahvia, lamp),
    lambda g, _: RefreshResolve(g.ahvia, "simple-tasks", 60),
]


@pytest.mark.parametrize("make", SPEECH + DEEDS)
@pytest.mark.parametrize("by", ["p", "gm"])
def test_t7_the_collapsed_do_not_act_until_they_stand_again(make, by):
    game, lamp = collapsed()
    do = make(game, lamp)
    by = "q" if by == "p" and getattr(do, "buyer", "") == game.vooruk else by
    assert game.refuses(do, by=by) == "collapsed"
    game.does(Recover(game.ahvia, 0))
    game.begin(do, by)  # is not refused


@pytest.mark.parametrize("make", SPEECH)
def test_t7_a_table_can_let_the_collapsed_speak(make):
    game, lamp = collapsed(collapsed_may_speak=True)
    game.begin(make(game, lamp), "gm")  # is not refused


@pytest.mark.parametrize("make", DEEDS)
def test_t7_who_may_speak_still_does_nothing_else(make):
    game, lamp = collapsed(collapsed_may_speak=True)
    assert game.refuses(make(game, lamp)) == "collapsed"


def test_t7_the_collapsed_come_back_and_let_time_go_by():
    game, _ = collapsed()
    game.does(RefreshResolve(game.ahvia, "calm-company", 60))
    game.does(Rest(game.ahvia, 3, 3))
    game.does(Describe(game.ahvia, "pale"))
    game.does(SpendResolve(game.ahvia, 1))
    assert not game.character(game.ahvia).collapsed


def test_t7_the_collapsed_do_not_resist():
    game, _ = collapsed()
    do = Occult(game.vooruk, 1, "rend", "own", "spirit", target=game.ahvia, faces=(3, 3))
    verdict = game.does(do)
    assert the(verdict, TaskResolved).effect and steps(verdict, "mongrel.sorcery.resist")


def test_t7_the_collapsed_are_offered_nothing_they_cannot_do():
    game, lamp = collapsed()
    kinds = {
        RollTask,
        Purchase,
        Occult,
        OccultPurchase,
        Barter,
        TransferCredit,
        PartWithItem,
    }
    assert {one.move.do for one in offers(game, "p")} & kinds == set()
    assert all(not can(game, make(game, lamp), "gm") for make in SPEECH + DEEDS)
    game.set_dial("collapsed_may_speak", True)
    assert all(can(game, make(game, lamp), "gm") for make in SPEECH)
    assert not any(can(game, make(game, lamp), "gm") for make in DEEDS)


# --- T4: possessions -------------------------------------------------------------------------------------------------


def has(game, id, item="a lamp", **values):
    return the(game.does(GainItem(id, item, **values)), ItemAcquired).possession


def items(game, id):
    return [item.item for item in game.character(id).possessions.values()]


def test_t4_a_hit_names_the_weapon_of_whoever_wields_it():
    game = Game(weapon_bonus_cap=2)
    blade, lamp = has(game, game.vooruk, "a blade", weapon=2), has(game, game.vooruk)
    hit: dict[str, Any] = {"shunt": 0, "wielder": game.vooruk}
    assert the(game.does(TakeHit(game.ahvia, 1, weapon_used=blade, **hit)), DamageRolled).net == 3
    assert game.refuses(TakeHit(game.ahvia, 1, weapon_used=lamp, **hit)) == "no-weapon"
    assert game.refuses(TakeHit(game.ahvia, 1, weapon=1, weapon_used=blade, **hit)) == "number-and-possession"
    assert game.refuses(TakeHit(game.ahvia, 1, weapon_used=blade, wielder=game.giazza)) == "possession-unknown"
    assert game.refuses(TakeHit(game.ahvia, 1, weapon_used=blade)) == "possession-unknown"
    assert can(game, TakeHit(game.ahvia, 1, weapon_used=blade, wielder=game.vooruk))
    game.set_dial("weapon_bonus_cap", 1)
    assert not can(game, TakeHit(game.ahvia, 1, weapon_used=blade, wielder=game.vooruk))


@pytest.mark.parametrize(
    ("field", "code"), [("dead", "dead"), ("collapsed", "collapsed"), ("dying", "decision-pending")]
)
def test_t4_who_is_dead_or_down_parts_with_nothing_and_a_game_master_moves_it(field, code):
    game = Game()
    lamp = has(game, game.ahvia)
    game.sets(game.ahvia, field, True)
    for to in (None, game.vooruk):
        assert game.refuses(PartWithItem(game.ahvia, lamp, to, "so"), by="p") == code
        assert game.refuses(PartWithItem(game.ahvia, lamp, to, "so")) == code
        assert not can(game, PartWithItem(game.ahvia, lamp, to, "so"))
    assert game.refuses(MoveItem(game.ahvia, lamp, " ", game.vooruk)) == "reason-blank"
    assert game.refuses(MoveItem(game.ahvia, "77", "looted", game.vooruk)) == "possession-unknown"
    assert game.refuses(MoveItem(game.ahvia, lamp, "looted", game.ahvia)) == "bad-target"
    assert can(game, MoveItem(game.ahvia, lamp, "looted", game.vooruk))
    assert not can(game, MoveItem(game.ahvia, lamp, "looted", game.vooruk), "p")
    game.does(MoveItem(game.ahvia, lamp, "looted", game.vooruk))
    assert (items(game, game.ahvia), items(game, game.vooruk)) == ([], ["a lamp"])


def test_t4_a_game_master_agrees_to_the_price_of_what_a_player_sells():
    game = Game()
    lamp = has(game, game.vooruk)
    do = SellItem(game.vooruk, lamp, "mekag", 3, customer="a stranger")
    question = game.asks(do, by="q")
    assert (question.seat, question.slot) == ("gm", "sell:price") and "3 Credit with House Mekag" in question.purpose
    assert facts_of(game.does(do, NoDeal(), by="q")) == [SaleCalledOff(game.vooruk, "a lamp")]
    assert items(game, game.vooruk) == ["a lamp"] and game.credit(game.vooruk, "mekag") == 5
    game.does(do, Accept(), by="q")
    assert items(game, game.vooruk) == [] and game.credit(game.vooruk, "mekag") == 5 + 3


def test_t4_what_a_players_character_has_is_sold_by_nobody_else():
    game = Game()
    lamp = has(game, game.vooruk)
    do = SellItem(game.vooruk, lamp, "mekag", 1)
    assert game.asks(do).seat == "q"
    game.does(do, NoDeal())
    assert items(game, game.vooruk) == ["a lamp"]
    game.does(do, Accept())
    assert items(game, game.vooruk) == []


def test_t4_a_character_of_the_game_masters_pays_from_its_account():
    game = Game()
    blade = has(game, game.vooruk, "a blade", weapon=2)
    do = SellItem(game.vooruk, blade, "nuin", 3, game.giazza)
    assert game.refuses(replace(do, price=5)) == "credit-short" and game.refuses(replace(do, price=0)) == "bad-amount"
    assert game.refuses(replace(do, buyer=game.ahvia)) == "has-a-player"
    assert game.refuses(replace(do, buyer=game.vooruk)) == "bad-target"
    assert game.refuses(replace(do, house="oz")) == "house-unknown"
    assert game.refuses(replace(do, possession="77")) == "possession-unknown"
    assert can(game, do, "q") and not can(game, replace(do, price=5), "q")
    game.does(do, Accept(), by="q")
    assert (game.credit(game.giazza, "nuin"), game.credit(game.vooruk, "nuin")) == (4 - 3, 1 + 3)
    (bought,) = game.character(game.giazza).possessions.values()
    assert (bought.item, bought.credit, bought.house, bought.weapon) == ("a blade", 3, "nuin", 2)
    mine = has(game, game.giazza)
    assert facts_of(game.does(SellItem(game.giazza, mine, "nuin", 1))), "nobody else is asked"


# --- T9: what is no action in a conflict -----------------------------------------------------------------------------

DEALINGS = [
    lambda g, lamp: Barter(g.ahvia, "two chickens"),
    lambda g, lamp: TransferCredit(g.ahvia, "mekag", "nuin", 1),
    lambda g, lamp: PartWithItem(g.ahvia, lamp, g.vooruk),
    lambda g, lamp: SellItem(g.ahvia, lamp, "mekag", 1),
]


def bargaining(**dials):
    game = Game(**dials)
    lamp = has(game, game.ahvia)
    game.conflict()
    return game, lamp


@pytest.mark.parametrize("make", DEALINGS)
def test_t9_dealings_need_no_turn_and_no_action_point(make):
    game, lamp = bargaining()
    game.gives(game.ahvia, "ap", -6)
    do = make(game, lamp)
    assert can(game, do, "p")
    verdict = game.plays(do, by="p")
    assert steps(verdict, "mongrel.conflict.dealings") == ["free"]
    assert game.queue == (game.vooruk, game.giazza, game.ahvia)


@pytest.mark.parametrize("make", DEALINGS)
def test_t9_a_table_can_count_dealings_as_actions(make):
    game, lamp = bargaining(dealings_in_conflict="actions")
    do = make(game, lamp)
    assert game.refuses(do, by="p") == "not-your-turn" and not can(game, do, "p")
    game.does(TakeFront(game.ahvia))
    game.gives(game.ahvia, "ap", -5)
    assert game.refuses(do, by="p") == "no-ap" and not can(game, do, "p")
    game.gives(game.ahvia, "ap", 5)
    assert can(game, do, "p")
    game.plays(do, by="p")
    assert game.queue == (game.vooruk, game.giazza, game.ahvia)
    game.does(CloseConflict())
    assert steps(game.does(Barter(game.ahvia, "a lamp")), "mongrel.conflict.dealings") == []


def test_t9_without_an_action_point_recovering_is_the_only_action():
    game = fight()
    game.gives(game.vooruk, "ap", -3)
    assert game.refuses(Pass(game.vooruk, "kicks the door shut"), by="q") == "no-ap"
    assert not can(game, Pass(game.vooruk, "kicks the door shut"), "q") and can(game, Pass(game.vooruk), "q")
    game.sets(game.vooruk, "collapsed", True)
    game.gives(game.vooruk, "ap", 1)
    assert game.refuses(Pass(game.vooruk, "kicks the door shut"), by="q") == "collapsed"
    game.does(Recover(game.vooruk, 0))
    assert game.queue[-1] == game.vooruk


# --- T5: an Occult purchase that is resisted -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "faces", "bought"),
    [("subtract", (2, 2, 6), True), ("subtract", (2, 6, 6), False), ("cancel", (2, 2, 6), False)],
)
def test_t5_a_purchase_by_occult_that_is_resisted_to_nothing_fails_and_says_so(method, faces, bought):
    game, one, other = circle(resist_method=method)
    do = OccultPurchase(one, "a lamp", "mekag", 1, seller=other, faces=faces)
    verdict = game.does(do, Resist("social", faces=(1, 6, 6, 6)))
    assert the(verdict, PurchaseRolled).outcome == "acquired" and the(verdict, TaskResolved).effect == 5
    assert items(game, one) == (["a lamp"] if bought else [])
    assert of_kind(verdict, PurchaseResisted) == ([] if bought else [PurchaseResisted(one, "a lamp", other)])


# --- T10: words ------------------------------------------------------------------------------------------------------


def test_t10_the_sfere_believe_that_meaning_is_power():
    statement = RULESET.rules["mongrel.house.opinion.sfere"].statement
    assert statement.startswith("What the Sfere, who believe that meaning is power, think of the other Houses: ")


@pytest.mark.parametrize("world", ["Aoka", "Beruun", "Cath"])
def test_t10_the_three_worlds_are_in_the_published_words(world):
    assert world in RULESET.rules["mongrel.house.worlds"].statement


# --- T8: one clock ---------------------------------------------------------------------------------------------------


def clock(game):
    return game.view(CAMPAIGN)["clock"]


def test_t8_hours_of_rituals_rest_and_quiet_move_the_clock():
    game, one, other = circle()
    game.does(Occult(one, 1, "information", "own", "spirit", faces=(1, 1, 5)))
    assert clock(game) == 3 * 60
    game.does(OccultPurchase(one, "a lamp", "mekag", 1, social=2, faces=(6, 6, 6)))
    assert clock(game) == 6 * 60
    game.does(Occult(one, 1, "lie", "own", "spirit", target=other, faces=(1, 1, 5)), Resist(faces=(1, 1, 2, 2)))
    assert clock(game) == 9 * 60 + 4 * 60
    verdict = game.does(Rest(one, 2, 3))
    assert the(verdict, ClockMoved) == ClockMoved(15 * 60, 13 * 60, "rest")
    game.does(RefreshResolve(one, "calm-company", 90))
    assert clock(game) == 16 * 60 + 30 and steps(verdict, "mongrel.time.clock") == [15 * 60]


def test_t8_recovering_moves_the_clock_on_and_never_back():
    game = Game()
    for id in (game.ahvia, game.vooruk):
        game.gives(id, "ap", -2)
    game.does(Recover(game.ahvia, 12))
    assert clock(game) == 12
    assert game.refuses(Recover(game.vooruk, 11)) == "time-backwards"
    assert not can(game, Recover(game.vooruk, 11)) and can(game, Recover(game.vooruk, 12))
    assert not of_kind(game.does(Recover(game.vooruk, 12)), ClockMoved)


def test_t8_a_game_master_sets_the_clock_with_a_reason():
    game = Game()
    game.does(Rest(game.ahvia, 5, 5))
    assert game.refuses(SetClock(60, " ")) == "reason-blank" and game.refuses(SetClock(-1, "so")) == "bad-number"
    assert can(game, SetClock(60, "They did both at once.")) and not can(game, SetClock(60, "so"), "p")
    game.does(SetClock(60, "They did both at once."))
    assert clock(game) == 60
    game.gives(game.ahvia, "ap", -2)
    game.does(Recover(game.ahvia, 60))


def test_t8_a_player_who_moves_the_clock_proposes_it():
    game = Game()
    game.gives(game.vooruk, "ap", -2)
    do = Recover(game.vooruk, 30)
    assert game.asks(do, by="q").seat == "gm" and game.asks(Recover(game.vooruk, 0), by="q") is None
    game.does(do, Judge(minute=20), by="q")
    assert clock(game) == game.character(game.vooruk).minute == 20


def test_t8_refreshes_before_the_clock_was_set_back_do_not_count():
    game = Game()
    for minute in (100, 110):
        game.gives(game.ahvia, "ap", 5 - game.ap(game.ahvia))
        game.does(Recover(game.ahvia, minute))
    game.does(SetClock(0, "It was a dream."))
    for minute in (0, 5):
        game.gives(game.ahvia, "ap", 5 - game.ap(game.ahvia))
        assert not of_kind(game.does(Recover(game.ahvia, minute)), CharacterExhausted)
    game.gives(game.ahvia, "ap", 5 - game.ap(game.ahvia))
    assert of_kind(game.does(Recover(game.ahvia, 10)), CharacterExhausted)


def test_t8_where_no_clock_was_kept_it_goes_on_from_the_latest_recovery():
    game = Game()
    game.sets(game.giazza, "minute", 40)
    game.gives(game.ahvia, "ap", -2)
    assert game.refuses(Recover(game.ahvia, 39)) == "time-backwards"
    game.does(Recover(game.ahvia, 40))


# --- T6: play between two sessions -----------------------------------------------------------------------------------


def test_t6_play_between_two_sessions_counts_for_neither():
    game = Game()
    first = game.session()
    verdict = game.does(RollTask(game.vooruk, "rend", "own", "physique", faces=HIT))
    assert not of_kind(verdict, FeaturesUsed) and game.character(game.vooruk).used == ()
    second = game.session()
    for session in (first, second):
        assert game.refuses(AwardSession(1, session)) in ("nobody-played", "session-unknown")
    game.gives(game.vooruk, "cp", 40)
    assert game.refuses(RaiseFeature(game.vooruk, "rend")) == "feature-not-used"


def test_t6_a_game_master_says_which_session_it_counts_for():
    game = Game()
    do = MarkFeatures(game.vooruk, ("rend",))
    assert game.refuses(do) == "session-unsaid" and not can(game, do)
    last = game.session()
    assert game.refuses(do) == "session-unsaid" and game.refuses(replace(do, session="77")) == "session-unknown"
    assert not can(game, do) and can(game, replace(do, session=last))
    game.does(replace(do, session=last))
    game.gives(game.vooruk, "cp", 40)
    game.does(RaiseFeature(game.vooruk, "rend"))
    assert game.does(AwardSession(1, last)).facts


def test_t6_an_open_session_is_the_one_it_counts_for():
    game = Game()
    game.session()
    game.declare(OpenSession("another"))
    game.does(RollTask(game.vooruk, "rend", "own", "physique", faces=HIT))
    assert [used.session for used in game.character(game.vooruk).used] == [2]
