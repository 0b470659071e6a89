"""What a table wants to do beside the plain rules: ask for a number, have a task judged, spend hours together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ledger.rules.kernel.commands import Adjust
from ledger.rules.kernel.questions import Ask
from ledger.rules.kernel.subjects import CAMPAIGN, scene
from ledger.rules.mongrel.attacks import Attack, CarryOut, DeclareAttack
from ledger.rules.mongrel.bargains import PurchaseRolled
from ledger.rules.mongrel.credit import Accept
from ledger.rules.mongrel.damage import DamageRolled, Shunt
from ledger.rules.mongrel.deeds import Act, Reveal, Revealed, RollTask
from ledger.rules.mongrel.hits import Defend, Stand
from ledger.rules.mongrel.infernal import RefreshResolve, ResolveDamaged
from ledger.rules.mongrel.possessions import GainItem, ItemAcquired
from ledger.rules.mongrel.proposals import Disallow, Judge, JudgeTask, ProposalDeclined
from ledger.rules.mongrel.purchases import OccultPurchase, Purchase
from ledger.rules.mongrel.recovery import Rest
from ledger.rules.mongrel.sessions import FeaturesUsed
from ledger.rules.mongrel.sorcery import Occult, OccultResisted, Resist, Submit
from ledger.rules.mongrel.state import ActionDeclared
from ledger.rules.mongrel.tasks import TargetsAdded, TaskDeclared, TaskResolved
from ledger.rules.mongrel.turns import Pass, TakeFront
from tests.rules.mongrel.game import Game, facts_of, of_kind, steps, the
from tests.rules.mongrel.test_moves import offers

HIT = (1, 2, 3, 6)


# --- scores that a player does not know ------------------------------------------------------------------------------

UNKNOWN = [
    (lambda g: RollTask(g.vooruk, "rend", "target", "size", thing="a door"), "score", "the Size of a door"),
    (lambda g: Occult(g.vooruk, 1, "rend", "target", "size", thing="a door"), "score", "the Size of a door"),
    (lambda g: RollTask(g.vooruk, "rend", "target", "size"), "score", "the Size of the target"),
    (lambda g: Purchase(g.vooruk, "a lamp", "mekag"), "social", "the seller's Social"),
    (lambda g: OccultPurchase(g.vooruk, "a lamp", "mekag", 1), "social", "the seller's Social"),
]


@pytest.mark.parametrize("dials", [{}, {"player_numbers": "trusted"}])
@pytest.mark.parametrize(("make", "field", "words"), UNKNOWN)
def test_a_game_master_is_asked_for_a_score_that_a_player_leaves_out(make, field, words, dials):
    game = Game(**dials)
    do = make(game)
    question = game.asks(do, by="q")
    assert isinstance(question, Ask) and (question.seat, question.slot) == ("gm", "numbers")
    assert f"What is {words}?" in question.purpose
    assert game.refuses(do, Judge(), by="q") == "number-needed"
    wrong: Any = {field: -1}
    assert game.refuses(do, Judge(**wrong), by="q") == "bad-score"
    assert facts_of(game.does(do, Disallow("It is not there."), by="q")) == [
        ProposalDeclined(game.vooruk, "It is not there.")
    ]


def test_the_score_of_a_game_master_counts():
    game = Game()
    door = RollTask(game.vooruk, "rend", "target", "size", thing="a door", faces=HIT)
    assert the(game.does(door, Judge(score=2), by="q"), TaskResolved).tn == 2
    lamp = Purchase(game.vooruk, "a lamp", "mekag", faces=(3, 3))
    assert the(game.does(lamp, Judge(social=3), by="q"), PurchaseRolled).tn == 3


def test_a_game_master_who_declares_gives_the_score():
    game = Game()
    assert game.refuses(RollTask(game.vooruk, "rend", "target", "size", thing="a door")) == "bad-score"
    assert game.refuses(Purchase(game.vooruk, "a lamp", "mekag")) == "bad-score"


# --- a task as a game master sees it ---------------------------------------------------------------------------------

TASKS = [
    lambda g: RollTask(g.vooruk, "rend", "own", "physique"),
    lambda g: RollTask(g.vooruk, "rend", "target", "physique", target=g.ahvia),
    lambda g: Occult(g.vooruk, 1, "rend", "own", "spirit"),
    lambda g: Attack(g.vooruk, g.ahvia, "rend", "physique"),
    lambda g: Purchase(g.vooruk, "a lamp", "mekag", social=2, power=("animal_legs",)),
]
IN_TURN = [
    lambda g: RollTask(g.vooruk, "rend", "own", "physique"),
    lambda g: Attack(g.vooruk, g.ahvia, "rend", "physique"),
    lambda g: DeclareAttack(g.vooruk, g.ahvia, "rend", "physique"),
    lambda g: Act(g.vooruk, "rend", "physique"),
]


def judged(**dials):
    return Game(player_tasks="proposed", **dials)


def judged_fight(**dials):
    game = judged(**dials)
    game.conflict()
    return game


@pytest.mark.parametrize(("start", "make"), [(judged, m) for m in TASKS] + [(judged_fight, m) for m in IN_TURN])
def test_a_game_master_can_be_asked_about_every_task_of_a_player(start, make):
    game = start()
    question = game.asks(make(game), by="q")
    assert isinstance(question, Ask) and (question.seat, question.slot) == ("gm", "numbers")
    assert getattr(game.asks(make(game)), "slot", "") != "numbers", "a game master who declares it has judged it"
    game.does(make(game), Disallow("Not so."), by="q")
    trusted = start(player_numbers="trusted")
    assert trusted.asks(make(trusted), by="q").slot == "numbers", "numbers are trusted, tasks are not"


@pytest.mark.parametrize("make", [TASKS[0], TASKS[1], TASKS[3]])
def test_by_default_a_player_is_trusted_with_side_attribute_and_power(make):
    game = Game()
    assert getattr(game.asks(make(game), by="q"), "slot", "") != "numbers"


def test_a_game_master_sees_the_whole_task():
    game = judged()
    own = RollTask(game.vooruk, "rend", "own", "physique", ("animal_legs",), difficulty=2)
    words = "Is this right: Rend against Vooruk's own Physique, with animal legs, difficulty 2?"
    assert game.asks(own, by="q").purpose == words
    other = RollTask(game.vooruk, "lie", "target", "social", target=game.ahvia)
    assert game.asks(other, by="q").purpose == "Is this right: Lie against Ahvia's Social?"
    thing = RollTask(game.vooruk, "rend", "target", "size", thing="a door")
    assert (
        game.asks(thing, by="q").purpose
        == "Is this right: Rend against the Size of a door? What is the Size of a door?"
    )
    strike = Attack(game.vooruk, game.ahvia, "rend", "physique")
    assert game.asks(strike, by="q").purpose == (
        "Is this right: Rend against Vooruk's own Physique, or Ahvia's Physique if Ahvia defends?"
    )


def test_a_game_master_changes_side_attribute_and_power():
    game = judged()
    do = RollTask(game.vooruk, "lie", "own", "social", ("animal_legs",), target=game.ahvia)
    verdict = game.does(
        do, JudgeTask(side="target", attribute="spirit", power=(), reason="She doubts it."), (6, 6), by="q"
    )
    task = the(verdict, TaskDeclared)
    assert (task.side, task.attribute, task.power) == ("target", "spirit", ())
    assert the(verdict, TaskResolved).tn == 6 and steps(verdict, "mongrel.task.proposal") == ["changed"]
    (step,) = [one for one in verdict.because if one.rule == "mongrel.task.proposal"]
    assert step.given == {"side": "target", "attribute": "spirit", "power": [], "reason": "She doubts it."}


def test_a_task_that_a_game_master_leaves_as_it_is_stands():
    game = judged_fight()
    do = Attack(game.vooruk, game.ahvia, "rend", "physique", faces=(6, 6, 6, 6))
    verdict = game.does(do, JudgeTask(), Stand(), by="q")
    assert the(verdict, ActionDeclared).attribute == "physique"
    assert steps(verdict, "mongrel.task.proposal") == ["confirmed"]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (JudgeTask(attribute="luck"), "attribute-unknown"),
        (JudgeTask(side="both"), "side-unknown"),
        (JudgeTask(power=("wheels",)), "power-option-unknown"),
        (JudgeTask(side="target"), "bad-score"),
        (JudgeTask(power=("animal_legs",)), "dice-count"),
    ],
)
def test_a_task_that_cannot_be_is_asked_about_again(said, code):
    game = judged()
    do = RollTask(game.vooruk, "rend", "own", "physique", faces=HIT)
    assert game.refuses(do, said, by="q") == code


def test_what_is_not_asked_about_cannot_be_changed():
    game = judged_fight()
    do = RollTask(game.vooruk, "rend", "own", "physique", difficulty=1)
    assert game.refuses(do, JudgeTask(side="own"), by="q") == "not-proposed", "in a conflict the defence decides"
    assert game.refuses(do, JudgeTask(target_attribute="size"), by="q") == "not-proposed"
    assert game.asks(do, by="q").kinds == (JudgeTask, Disallow)
    assert Game().asks(replace(do, actor=Game().vooruk), by="q").kinds == (Judge, Disallow)


# --- the same hours --------------------------------------------------------------------------------------------------


def clock(game):
    return game.state(CAMPAIGN).clock


def test_hours_spent_together_count_once():
    game = Game()
    game.does(Rest(game.ahvia, 3, 2))
    assert clock(game) == 180
    game.does(Rest(game.vooruk, 2, 2, since=0))
    game.does(RefreshResolve(game.giazza, "meditating", 60, since=120))
    assert clock(game) == 180
    game.does(RefreshResolve(game.ahvia, "calm-company", 60, since=150))
    assert clock(game) == 210, "what is not over yet moves the clock to its end"
    game.does(Rest(game.ahvia, 1, 1))
    assert clock(game) == 270, "left out: from now on"


def test_a_ritual_and_a_bargain_by_occult_can_have_begun_earlier():
    game = Game()
    game.does(Rest(game.vooruk, 6, 2))
    game.does(Occult(game.ahvia, 1, "lie", "own", "spirit", faces=(1,), since=60))
    game.plays(OccultPurchase(game.ahvia, "a lamp", "mekag", 1, social=1, since=0))
    assert clock(game) == 360


@pytest.mark.parametrize(
    "make",
    [
        lambda g, since: Rest(g.ahvia, 1, 1, since),
        lambda g, since: RefreshResolve(g.ahvia, "meditating", 60, since),
        lambda g, since: Occult(g.ahvia, 1, "lie", "own", "spirit", since=since),
        lambda g, since: OccultPurchase(g.ahvia, "a lamp", "mekag", 1, social=1, since=since),
    ],
)
def test_nothing_began_later_than_now(make):
    game = Game()
    game.does(Rest(game.vooruk, 1, 1))
    assert game.refuses(make(game, 61)) == "time-ahead"
    assert game.refuses(make(game, -1)) == "bad-number"
    game.plays(make(game, 60))


def test_a_game_master_is_asked_when_it_began():
    game = Game()
    game.does(Rest(game.vooruk, 2, 1))
    do = RefreshResolve(game.ahvia, "meditating", 60, since=0)
    assert game.asks(do, by="p").purpose == "Is this right: 60 minutes, begun at minute 0?"
    game.does(do, Judge(minutes=180), by="p")
    assert clock(game) == 180


# --- several targets of an Occult ------------------------------------------------------------------------------------


def spread(game, *others, **more):
    return Occult(game.ahvia, 2, "chill", "own", "spirit", target=game.vooruk, others=others, faces=(1,), **more)


def test_an_occult_over_a_large_area_hits_everybody_there():
    game = Game()
    verdict = game.does(spread(game, game.giazza), Submit(), Submit())
    assert [fact.character for fact in of_kind(verdict, ResolveDamaged)] == [game.vooruk, game.giazza]
    assert {fact.effect for fact in of_kind(verdict, ResolveDamaged)} == {6}
    assert the(verdict, TargetsAdded) == TargetsAdded(game.ahvia, (game.giazza,))


def test_each_of_them_may_resist_in_the_same_hours():
    game = Game()
    before = game.asks(spread(game, game.giazza))
    assert (before.seat, before.slot) == ("q", "resist:occult")
    question = game.asks(spread(game, game.giazza), Submit())
    assert (question.seat, question.slot) == ("gm", f"resist:occult:{game.giazza}")
    assert question.purpose == "Does Giazza resist Occult (Effect 6)?"
    verdict = game.does(spread(game, game.giazza), Resist(), (1,), Resist(), (1, 1))
    assert [fact.character for fact in of_kind(verdict, OccultResisted)] == [game.vooruk, game.giazza]
    assert clock(game) == 60 + 120, "the ritual, and the longer of the two answers"


def test_where_occult_wounds_it_wounds_all_of_them():
    game = Game(occult_attack_hits="mimicked")
    do = Occult(game.ahvia, 1, "burn", "own", "spirit", target=game.vooruk, others=(game.giazza,), armour=1, faces=(1,))
    asked = game.asks(do, Submit(), Shunt(0), Submit())
    assert asked.slot == f"shunt:{game.giazza}" and "of Giazza" in asked.purpose
    verdict = game.does(do, Submit(), Shunt(0), Submit(), Shunt(0))
    assert [(fact.character, fact.armour) for fact in of_kind(verdict, DamageRolled)] == [
        (game.vooruk, 1),
        (game.giazza, 0),
    ]


def test_nobody_is_hit_twice():
    game = Game()
    verdict = game.does(spread(game, game.giazza, game.vooruk, game.giazza), Submit(), Submit())
    assert [fact.character for fact in of_kind(verdict, ResolveDamaged)] == [game.vooruk, game.giazza]
    assert the(verdict, TargetsAdded).targets == (game.giazza,)
    again = Game()
    assert of_kind(again.does(spread(again, again.vooruk), Submit()), TargetsAdded) == []
    assert again.refuses(spread(again, "x")) == "unknown-character"


def test_a_caster_can_stand_in_the_area():
    """And does not resist, as when the caster is the target."""
    game = Game()
    verdict = game.does(spread(game, game.ahvia), Submit())
    assert [fact.character for fact in of_kind(verdict, ResolveDamaged)] == [game.vooruk, game.ahvia]


def test_a_dead_target_is_not_hit():
    game = Game()
    game.sets(game.giazza, "dead", True)
    assert game.refuses(spread(game, game.giazza)) == "dead"


# --- one attribute to hit with, another to defend with ---------------------------------------------------------------


@pytest.mark.parametrize(("said", "tn"), [(Stand(), 7), (Defend(), 4)])
def test_a_target_can_defend_with_another_attribute(said, tn):
    game = Game()
    game.conflict()
    do = Attack(game.vooruk, game.giazza, "rend", "physique", target_attribute="speed", faces=(6, 6, 1, 1))
    verdict = game.plays(do) if isinstance(said, Stand) else game.does(do, said, Shunt(0))
    assert the(verdict, TaskResolved).tn == tn
    used = {fact.character: fact.features for fact in of_kind(verdict, FeaturesUsed)}
    assert used == {}


def test_the_other_attribute_is_kept_until_the_action_is_carried_out():
    game = Game()
    game.conflict()
    game.does(DeclareAttack(game.vooruk, game.giazza, "rend", "physique", target_attribute="speed"))
    action = game.view(scene(game.scene_id))["conflict"]["action"]
    assert (action["attribute"], action["target_attribute"]) == ("physique", "speed")
    verdict = game.does(CarryOut(faces=(6, 6, 1, 1)), Defend(), Shunt(0))
    assert the(verdict, TaskResolved).tn == 4
    do = Attack(game.giazza, game.vooruk, "melee", "physique", target_attribute="luck")
    assert game.refuses(do) == "attribute-unknown"


def test_the_next_declaration_forgets_it():
    game = Game()
    game.conflict()
    game.does(DeclareAttack(game.vooruk, game.giazza, "rend", "physique", target_attribute="speed"))
    game.does(Pass(game.vooruk))
    game.does(DeclareAttack(game.giazza, game.vooruk, "melee", "physique"))
    verdict = game.does(CarryOut(faces=(1, 1, 1, 1)), Defend())
    assert the(verdict, TaskResolved).tn == 7


# --- what is bought by its own name ----------------------------------------------------------------------------------


def trade():
    game = Game()
    blade = the(game.does(GainItem(game.vooruk, "a blade", 2)), ItemAcquired).possession
    return game, blade


def test_a_possession_is_bought_under_its_own_name():
    game, blade = trade()
    do = Purchase(game.giazza, "", "nuin", "negotiate", seller=game.vooruk, possession=blade, faces=(5,))
    assert game.asks(do).purpose == "Is a blade for sale to Giazza?"
    game.gives(game.giazza, "credit:nuin", 1, "house")
    assert the(game.does(do, Accept()), ItemAcquired).item == "a blade"
    assert game.refuses(Purchase(game.giazza, " ", "nuin", social=2)) == "item-blank"
    assert game.refuses(Purchase(game.giazza, "", "nuin", seller=game.vooruk, possession="77")) == "possession-unknown"


def test_the_seller_is_asked_for_the_possession_whatever_the_buyer_calls_it():
    game, blade = trade()
    do = Purchase(game.giazza, "a spoon", "nuin", seller=game.vooruk, possession=blade)
    assert game.asks(do).purpose == "Is a blade (which the buyer calls a spoon) for sale to Giazza?"


# --- dice and defence ------------------------------------------------------------------------------------------------


def test_at_some_tables_no_dice_are_known_before_the_target_chooses():
    game = Game(dice_before_defence=False)
    game.conflict()
    strike = Attack(game.vooruk, game.giazza, "rend", "physique", faces=(6, 6, 1, 1))
    assert game.refuses(strike) == "dice-too-early"
    assert game.asks(replace(strike, faces=None)).slot == "defend"
    assert (
        game.refuses(RollTask(game.vooruk, "lie", "own", "social", target=game.giazza, faces=(1, 1)))
        == "dice-too-early"
    )
    sale = Purchase(game.vooruk, "a lamp", "mekag", seller=game.giazza, faces=(1, 1))
    assert game.refuses(sale) == "dice-too-early"
    assert game.outcome(replace(sale, seller=None, social=2)) is None, "nobody there can defend"
    game.does(TakeFront(game.vooruk))
    assert game.outcome(replace(strike, defend=False, shunt=0)) is None


# --- the dead --------------------------------------------------------------------------------------------------------


def test_a_game_master_moves_the_credit_of_the_dead():
    game = Game()
    game.sets(game.ahvia, "dead", True)
    held = game.credit(game.ahvia, "mekag")
    own, heir = (f"character:{id}/credit:mekag" for id in (game.ahvia, game.vooruk))
    game.declare(Adjust(own, heir, "credit", held, "She left it to him."))
    assert (game.credit(game.ahvia, "mekag"), game.credit(game.vooruk, "mekag")) == (0, 5 + held)


# --- what a roll revealed --------------------------------------------------------------------------------------------


def test_the_latest_rolls_of_a_character_are_offered_as_what_revealed_something():
    game = Game()
    rolls = []
    for _ in range(4):
        rolls.append(str(game.number))
        game.does(RollTask(game.ahvia, "know", "own", "spirit", faces=(1, 1, 1, 6)))
    moves: list[Any] = [one.move.fields for one in offers(game) if one.move.do is Reveal]
    offered = {id: fields["ruling"].values for fields in moves for id in fields["character"].values}
    assert (offered[game.ahvia], offered[game.vooruk]) == ((None, *rolls[1:]), (None,))
    assert the(game.does(Reveal(game.ahvia, "a curse", rolls[-1])), Revealed).ruling == rolls[-1]
