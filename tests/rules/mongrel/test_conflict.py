"""The order, the front, attacks and what they cost, refusals in their order."""

from __future__ import annotations

import pytest

from ledger.rules.kernel.commands import CloseScene, Retire
from ledger.rules.kernel.questions import Ask, Flip, Roll
from ledger.rules.kernel.subjects import scene
from ledger.rules.mongrel.attacks import Attack, CarryOut, DeclareAttack
from ledger.rules.mongrel.conflict import CloseConflict, Coin, CoinFlipped, JoinConflict, OpenConflict
from ledger.rules.mongrel.damage import DamageRolled, Shunt
from ledger.rules.mongrel.death import AnswerTerminal
from ledger.rules.mongrel.deeds import Act
from ledger.rules.mongrel.hits import Defend, Stand
from ledger.rules.mongrel.infernal import SpendResolve
from ledger.rules.mongrel.recovery import Recover
from ledger.rules.mongrel.sessions import FeaturesUsed
from ledger.rules.mongrel.tasks import TaskResolved
from ledger.rules.mongrel.turns import Pass, TakeFront, TurnPassed
from tests.rules.mongrel.game import VOORUK, Game, but, kinds_of, of_kind, the

HIT, MISS = (1, 2, 3, 6), (6, 6, 6, 6)
LOW = (2, 2, 2, 2)


def test_order_by_beast_then_man_then_demon():
    game = Game()
    man = game.enrol("M", but(VOORUK, man=2, demon=0))
    game.conflict(game.ahvia, game.vooruk, man, game.giazza)
    assert game.queue == (man, game.vooruk, game.giazza, game.ahvia)


@pytest.mark.parametrize(("face", "first"), [("heads", 0), ("tails", 1)])
def test_complete_ties_go_by_coin(face, first):
    game = Game()
    pair = (game.vooruk, game.enrol("Twin", VOORUK))
    assert isinstance(game.asks(OpenConflict(pair)), Flip)
    verdict = game.does(OpenConflict(pair), face)
    assert game.queue == (pair[first], pair[1 - first])
    assert the(verdict, CoinFlipped).first == pair[first]


def test_coins_said_beforehand():
    game = Game()
    a, b, c = game.vooruk, game.enrol("B", VOORUK), game.enrol("C", VOORUK)
    assert game.refuses(OpenConflict((a, b), ())) == "tie-needs-coin"
    assert game.refuses(OpenConflict((a, b, c), (Coin(b, a), Coin(c, a)))) == "tie-needs-coin"
    game.does(OpenConflict((a, b, c), (Coin(b, a), Coin(c, a), Coin(c, b))))
    assert game.queue == (c, b, a)


def test_opening_joining_closing():
    game = Game()
    do = OpenConflict((game.ahvia, game.vooruk))
    assert game.refuses(JoinConflict(game.giazza)) == game.refuses(CloseConflict()) == "no-conflict"
    assert game.refuses(OpenConflict((game.ahvia, game.ahvia))) == "duplicate"
    assert game.refuses(OpenConflict(())) == "no-participants"
    assert game.refuses(OpenConflict(("77",))) == "unknown-character"
    game.does(do)
    assert game.refuses(do) == "conflict-open"
    game.does(JoinConflict(game.giazza))
    assert game.queue == (game.vooruk, game.ahvia, game.giazza)
    assert game.refuses(JoinConflict(game.giazza)) == "already-in-conflict"
    game.does(CloseConflict())
    assert game.scene(game.scene_id).conflict is None
    game.does(do)
    game.does(CloseScene(game.scene_id))
    assert game.refuses(do) == "no-scene"


def test_turns_go_round():
    game = Game()
    game.conflict()
    a, b, c = game.queue
    assert game.refuses(Pass(b)) == "not-your-turn"
    assert kinds_of(game.does(Pass(a))) == ["TurnPassed", "TurnEnded"]
    assert game.queue == (b, c, a)
    game.does(TakeFront(a))
    assert game.queue == (a, b, c)
    game.does(TakeFront(c))
    assert game.queue == (c, a, b)
    assert game.refuses(TakeFront(c)) == "already-next"


def test_the_front_and_its_price():
    game = Game()
    game.conflict()
    verdict = game.does(TakeFront(game.ahvia))
    assert kinds_of(verdict) == ["FrontTaken", "ActionPointsSpent"]
    assert game.ap(game.ahvia) == 5
    game.hit(game.giazza, 11)
    assert game.refuses(TakeFront(game.giazza)) == "no-ap"
    game.gives(game.giazza, "ap", 1)
    assert game.refuses(TakeFront(game.giazza)) == "collapsed"
    assert game.refuses(TakeFront("77")) == "unknown-character"


def test_a_declaration_lapses_when_somebody_takes_the_front():
    game = Game()
    game.conflict()
    game.does(DeclareAttack(game.vooruk, game.giazza, "rend", "physique"))
    assert game.refuses(Pass(game.giazza)) == "not-your-turn"
    assert game.refuses(Attack(game.vooruk, game.giazza, "rend", "physique")) == "decision-pending"
    verdict = game.does(TakeFront(game.ahvia))
    assert kinds_of(verdict) == ["FrontTaken", "ActionPointsSpent", "DeclarationLapsed"]
    assert game.queue == (game.ahvia, game.vooruk, game.giazza)
    assert game.refuses(CarryOut()) == "no-open-action"
    assert game.ap(game.vooruk) == 3


def test_a_declared_attack_is_carried_out_on_the_table_as_it_then_is():
    game = Game()
    game.conflict()
    game.does(DeclareAttack(game.vooruk, game.ahvia, "rend", "physique"))
    assert game.view(scene(game.scene_id))["conflict"]["action"]["target"] == game.ahvia
    game.does(SpendResolve(game.ahvia, 1))
    verdict = game.does(CarryOut(), Defend(), HIT, Shunt(0))
    assert kinds_of(verdict)[0] == "DefenceChosen"
    assert game.ap(game.ahvia) == 0 and game.queue[-1] == game.vooruk
    game.does(DeclareAttack(game.giazza, game.vooruk, "melee", "physique"))
    game.does(Pass(game.giazza))
    assert game.scene(game.scene_id).conflict.action is None


COSTS = [
    # defends, faces, attacker's AP before -> after, defender's after
    (False, HIT, 3, 3, 3),
    (False, MISS, 3, 2, 4),
    (True, MISS, 3, 2, 2),
    (True, LOW, 3, 1, 3),
    (True, LOW, 1, 0, 3),
    (False, MISS, 1, 0, 4),
]


@pytest.mark.parametrize(("defends", "faces", "before", "after", "defender"), COSTS)
def test_what_an_attack_costs(defends, faces, before, after, defender):
    """The defender, at 4, also loses one when Size is reached."""
    game = Game()
    if before < 3:
        game.gives(game.vooruk, "ap", before - 3)
    game.conflict(game.vooruk, game.giazza)
    game.plays(Attack(game.vooruk, game.giazza, "rend", "physique", defend=defends, faces=faces, shunt=None))
    assert (game.ap(game.vooruk), game.ap(game.giazza)) == (after, defender)


def test_the_conversation_of_an_attack():
    game = Game(session=True)
    game.conflict()
    do = Attack(game.vooruk, game.ahvia, "rend", "physique")
    first = game.asks(do, by="q")
    assert isinstance(first, Ask) and (first.seat, first.kinds) == ("p", (Defend, Stand))
    second = game.asks(do, Defend(), by="q")
    assert isinstance(second, Roll) and second.count == 4
    third = game.asks(do, Defend(), (6, 1, 1, 1), by="q")
    assert isinstance(third, Ask) and (third.seat, third.kinds) == ("p", (Shunt,))
    verdict = game.does(do, Defend(), (6, 1, 1, 1), Shunt(2), by="q")
    assert kinds_of(verdict) == [
        "ActionDeclared",
        "DefenceChosen",
        "ActionPointsSpent",
        "ActionPointsSpent",
        "SessionPlayed",
        "DiceRolled",
        "TaskResolved",
        "DamageRolled",
        "DamageShunted",
        "DamageCounted",
        "ActionPointsLost",
        "PhysiqueReduced",
        "FeaturesUsed",
        "FeaturesUsed",
        "TurnEnded",
    ]
    assert [one.features for one in of_kind(verdict, FeaturesUsed)] == [
        ("rend", "beast"),
        ("physique", "beauty", "size"),
    ]


def declared(game, **new):
    given = {"actor": game.vooruk, "target": game.giazza, "expertise": "rend", "attribute": "physique", **new}
    return Attack(**given)


REFUSALS = [
    ({"target": "1"}, None),
    ({"target": "2", "expertise": "zap"}, "bad-target"),
    ({"target": "77"}, "bad-target"),
    ({"expertise": "zap", "difficulty": 9}, "expertise-unknown"),
    ({"expertise": "occult"}, "too-slow"),
    ({"expertise": "resist"}, "too-slow"),
    ({"attribute": "luck"}, "attribute-unknown"),
    ({"taken_off": -1, "difficulty": 9}, "bad-score"),
    ({"weapon": -1, "difficulty": 9}, "bad-score"),
    ({"difficulty": 5, "hit_kind": "odd"}, "modifier-range"),
    ({"hit_kind": "odd", "faces": ()}, "hit-kind-unknown"),
    ({"hit_kind": "spiritual"}, "hit-kind"),
    ({"expertise": "burn", "hit_kind": "none"}, "hit-kind"),
    ({"faces": (1, 2), "shunt": 1}, "dice-count"),
    ({"faces": (1, 2, 3, 9)}, "dice-face"),
    ({"shunt": 1}, "nothing-to-shunt"),
    ({"shunt": 1, "faces": MISS, "defend": False}, "nothing-to-shunt"),
    ({"shunt": 9, "faces": HIT, "defend": False}, "shunt-too-large"),
    ({"shunt": 1, "faces": HIT, "defend": False, "hit_kind": "none"}, "nothing-to-shunt"),
]


@pytest.mark.parametrize(("new", "code"), REFUSALS)
def test_refused(new, code):
    game = Game()
    game.conflict()
    do = declared(game, **new)
    assert game.outcome(do) == code


def test_common_refusals_in_their_order():
    game = Game(weapon_bonus_cap=1)
    do = declared(game)
    assert game.refuses(DeclareAttack(game.vooruk, game.ahvia, "rend", "size")) == "not-in-scene"
    game.conflict()
    assert game.refuses(declared(game, weapon=2)) == "weapon-cap"
    assert game.refuses(declared(game, actor=game.ahvia, target="77")) == "not-your-turn"
    game.hit(game.ahvia, 9)
    assert game.refuses(do) == game.refuses(declared(game, actor=game.ahvia)) == "decision-pending"
    assert game.refuses(CloseConflict()) == game.refuses(JoinConflict(game.ahvia)) == "decision-pending"
    assert game.refuses(CloseScene(game.scene_id)) == game.refuses(TakeFront(game.giazza)) == "decision-pending"
    assert game.refuses(Recover(game.vooruk, 0)) == "decision-pending"
    verdict = game.does(AnswerTerminal(game.ahvia, False))
    assert kinds_of(verdict) == ["CharacterDied", "ParticipantLeft"]
    assert game.queue == (game.vooruk, game.giazza)
    assert game.refuses(declared(game, actor=game.ahvia)) == game.refuses(declared(game, target=game.ahvia)) == "dead"
    game.gives(game.vooruk, "ap", -3)
    assert game.refuses(declared(game)) == game.refuses(Act(game.vooruk, "rend", "size")) == "no-ap"
    game.gives(game.vooruk, "ap", 1)
    game.sets(game.vooruk, "collapsed", True)
    assert game.refuses(declared(game)) == "collapsed"
    game.does(Retire(game.giazza, "enough"))
    assert game.refuses(declared(game)) == "bad-target"
    assert game.refuses(Pass(game.giazza)) == "not-in-scene"


def test_who_may_not_defend():
    game = Game()
    game.conflict()
    do = declared(game, defend=True)
    game.sets(game.giazza, "recovering", True)
    assert game.refuses(do) == game.refuses(declared(game), Defend()) == "recovering"
    game.gives(game.giazza, "ap", -4)
    assert game.refuses(do) == "no-ap"
    game.sets(game.giazza, "collapsed", True)
    assert game.refuses(do) == "collapsed"
    game.plays(declared(game, defend=False))
    lenient = Game(recovery_bars_defence=False)
    lenient.conflict()
    lenient.sets(lenient.giazza, "recovering", True)
    assert lenient.plays(declared(lenient, defend=True)).facts


def test_the_targets_choices_are_the_targets():
    game = Game()
    game.conflict()
    assert game.refuses(declared(game, target=game.ahvia, defend=False), by="q") == "not-yours"
    assert game.refuses(declared(game, target=game.ahvia, shunt=0), by="q") == "not-yours"


def test_effect_taken_to_nothing_is_still_a_hit():
    game = Game()
    game.conflict()
    verdict = game.plays(declared(game, taken_off=9, faces=HIT))
    assert the(verdict, DamageRolled).net == 0 and game.ap(game.vooruk) == 3


@pytest.mark.parametrize(("dial", "faces", "ap"), [(False, MISS, 3), (True, MISS, 2), (True, HIT, 3)])
def test_an_action_on_nobody(dial, faces, ap):
    game = Game(session=True, failed_untargeted_costs_ap=dial)
    game.conflict()
    verdict = game.does(Act(game.vooruk, "rend", "physique", thing="a door", faces=faces))
    assert game.ap(game.vooruk) == ap and game.queue[-1] == game.vooruk
    assert the(verdict, FeaturesUsed).features == ("rend", "beast", "physique")
    assert the(verdict, TaskResolved).tn == 7


@pytest.mark.parametrize(
    ("new", "code"),
    [
        ({"expertise": "zap"}, "expertise-unknown"),
        ({"expertise": "occult"}, "too-slow"),
        ({"attribute": "luck"}, "attribute-unknown"),
        ({"taken_off": -1}, "bad-score"),
        ({"difficulty": 5}, "modifier-range"),
        ({"faces": (1,)}, "dice-count"),
        ({"faces": (0, 1, 1, 1)}, "dice-face"),
        ({"actor": "1"}, "not-your-turn"),
    ],
)
def test_actions_refused(new, code):
    game = Game()
    game.conflict()
    given = {"actor": game.vooruk, "expertise": "rend", "attribute": "physique", **new}
    assert game.refuses(Act(**given)) == code


def test_killing_takes_out_of_the_queue_at_once():
    game = Game(session=True)
    game.chill(game.giazza, 4)
    game.conflict()
    game.plays(declared(game, faces=HIT, defend=False))
    assert game.character(game.giazza).dead
    assert game.queue == (game.ahvia, game.vooruk)
    game.does(DeclareAttack(game.ahvia, game.vooruk, "burn", "spirit"))
    game.gives(game.ahvia, "resolve", -6)
    assert kinds_of(game.hit(game.ahvia, 20))[-3:] == ["DeclarationLapsed", "ParticipantLeft", "FeaturesUsed"]


def test_what_needs_no_dice_can_be_said_with_the_turn_that_goes_by():
    game = Game()
    game.conflict()
    (passed,) = of_kind(game.does(Pass(game.vooruk, "He drags the altar in front of the door.")), TurnPassed)
    assert passed.text == "He drags the altar in front of the door."


def test_blank_words_need_no_action_point():
    game = Game()
    game.conflict()
    game.gives(game.vooruk, "ap", -3)
    assert game.refuses(Pass(game.vooruk, "He hides.")) == "no-ap"
    assert kinds_of(game.does(Pass(game.vooruk, " ")))[0] == "TurnPassed"
