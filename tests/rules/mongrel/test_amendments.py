"""The amendments of the second reading, N1, N2, N7 and N8: what each refuses, asks, records and leaves alone."""

from __future__ import annotations

import pytest

from ledger.rules.kernel.commands import Retire
from ledger.rules.kernel.contract import Underway
from ledger.rules.kernel.phrases import words
from ledger.rules.kernel.questions import Ask, Roll
from ledger.rules.kernel.subjects import Viewer, character, scene
from ledger.rules.mongrel import RULESET, tables
from ledger.rules.mongrel.attacks import Attack, DeclareAttack
from ledger.rules.mongrel.bargains import PurchaseRolled
from ledger.rules.mongrel.conflict import CloseConflict, JoinConflict, LeaveConflict, ParticipantLeft
from ledger.rules.mongrel.credit import NoDeal
from ledger.rules.mongrel.damage import DamageRolled
from ledger.rules.mongrel.death import ActionPointsLost, AnswerTerminal, CharacterDied
from ledger.rules.mongrel.deeds import Act, Reveal, Revealed, RollTask
from ledger.rules.mongrel.hits import DefenceChosen, Defend, Stand
from ledger.rules.mongrel.houses import MakeVow, VowEnded
from ledger.rules.mongrel.identities import Describe, Described
from ledger.rules.mongrel.infernal import RefreshResolve, RefreshResolveByVow, SpendResolve
from ledger.rules.mongrel.possessions import ItemAcquired, ItemPartedWith
from ledger.rules.mongrel.purchases import OccultPurchase, Purchase
from ledger.rules.mongrel.recovery import Recover, Rest
from ledger.rules.mongrel.sessions import SessionAwarded, SessionPlayed
from ledger.rules.mongrel.sorcery import Occult, OccultResisted, Resist, RitualTimed, Submit
from ledger.rules.mongrel.state import ActionDeclared, Campaign, Character
from ledger.rules.mongrel.tasks import TaskDeclared, TaskResolved
from ledger.rules.mongrel.terms import HOUSES, write_word
from ledger.rules.mongrel.turns import ActionPointsSpent, Pass, TakeFront
from tests.rules.mongrel.game import AHVIA, GIAZZA, Game, but, kinds_of, of_kind, steps, the
from tests.rules.mongrel.test_amended_dealings import TRADER, armed
from tests.rules.mongrel.test_differences import forestalls

OCCULTIST = but(AHVIA, plus_two=("occult", "resist"), power={})
HIT, MISS = (1, 2, 3, 6), (6, 6, 6, 6)


# --- N1: Occult is never unpaid --------------------------------------------------------------------------------------


def test_n1_occult_is_not_rolled_unpaid():
    game = Game()
    one = game.enrol("One", OCCULTIST, "p")
    for do in (
        RollTask(one, "occult", "own", "spirit"),
        Purchase(one, "a lamp", "mekag", "occult", social=2),
        Purchase(one, "a lamp", "mekag", "occult", social=2, available=False),
    ):
        refusal = game.refusal(do)
        assert (refusal.rule, refusal.code) == ("mongrel.sorcery.occult", "occult-needs-resolve")
    assert game.asks(RollTask(one, "know", "own", "spirit")).count == 4, "nothing else is in question"


def test_n1_occult_imitates_another_expertise():
    game = Game()
    one = game.enrol("One", OCCULTIST, "p")
    assert game.refuses(Occult(one, 1, "occult", "own", "spirit")) == "imitates-itself"
    assert game.refuses(OccultPurchase(one, "a lamp", "mekag", 1, "occult", social=2)) == "imitates-itself"
    assert game.refuses(OccultPurchase(one, "a lamp", "mekag", 1, "zap", social=2)) == "expertise-unknown"


def test_n1_a_purchase_carried_out_by_occult_takes_resolve_and_hours():
    """Occult 3, Demon 4: three dice, three hours; a further point of Resolve adds to the Effect."""
    game = Game()
    one = game.enrol("One", OCCULTIST, "p")
    do = OccultPurchase(one, "a lamp", "mekag", 2, social=2)
    question = game.asks(do)
    assert isinstance(question, Roll) and question.count == 3
    verdict = game.does(do, (2, 2, 6))
    assert kinds_of(verdict)[:6] == [
        "InfernalResolveSpent",
        "RitualTimed",
        "ClockMoved",
        "TaskDeclared",
        "DiceRolled",
        "PurchaseRolled",
    ]
    assert the(verdict, RitualTimed).hours == 3
    assert the(verdict, TaskDeclared).expertise == "occult"
    done = the(verdict, PurchaseRolled)
    assert (done.outcome, done.good, done.effect) == ("acquired", 2, 2 + 4 + 1)
    assert game.resolve(one) == 4
    failed = game.does(do, (5, 5, 6))
    assert the(failed, PurchaseRolled).outcome == "refused-by-seller"
    assert game.resolve(one) == 2, "lost on failure"


@pytest.mark.parametrize(
    ("new", "code"),
    [
        ({"points": 0, "available": False}, "occult-needs-resolve"),
        ({"points": "1"}, "occult-needs-resolve"),
        ({"points": 7, "available": False}, "no-resolve"),
        ({"available": False}, "not-available"),
        ({"house": "oz"}, "house-unknown"),
        ({"social": None}, "bad-score"),
        ({"difficulty": 5}, "modifier-range"),
        ({"faces": (1,)}, "dice-count"),
        ({"sacrifice": 9}, "credit-short"),
        ({"seller": "77"}, "unknown-character"),
    ],
)
def test_n1_an_occult_purchase_refused(new, code):
    game = Game()
    one = game.enrol("One", OCCULTIST, "p")
    given = {"buyer": one, "points": 1, "item": "a lamp", "house": "mekag", "social": 2, **new}
    assert game.refuses(OccultPurchase(**given)) == code


@pytest.mark.parametrize(
    ("dials", "said", "bought"),
    [
        ({}, (Submit(),), True),
        ({}, (Resist("size"), (6, 6, 6, 6)), True),
        ({}, (Resist("size"), (1, 6, 6, 6)), True),
        ({}, (Resist("spirit"), (1, 1, 1, 6)), False),
        ({"resist_method": "cancel"}, (Resist("size"), (1, 6, 6, 6)), False),
    ],
)
def test_n1_who_sells_may_resist(dials, said, bought):
    """An Effect of 6 and no further Resolve: what leaves nothing of it gets nothing."""
    game = Game(**dials)
    one, other = game.enrol("One", OCCULTIST, "p"), game.enrol("Other", OCCULTIST, "q")
    do = OccultPurchase(one, "a lamp", "mekag", 1, seller=other, faces=(2, 2, 6))
    question = game.asks(do)
    assert isinstance(question, Ask) and (question.seat, question.slot) == ("q", "resist:occult")
    verdict = game.does(do, *said)
    assert bool(of_kind(verdict, ItemAcquired)) == bought
    assert bool(of_kind(verdict, OccultResisted)) == (said[-1] in ((1, 6, 6, 6), (1, 1, 1, 6)))


def test_n1_an_occult_purchase_may_end_with_a_sacrifice_and_never_for_the_dead():
    game = Game()
    one = game.enrol("One", OCCULTIST, "p")
    do = OccultPurchase(one, "a lamp", "mekag", 1, social=6, faces=(1, 1, 2), sacrifice=1)
    assert "CreditSacrificed" in kinds_of(game.does(do))
    game.sets(one, "terminal", True)
    died = game.does(OccultPurchase(one, "a lamp", "mekag", 5, social=2))
    assert kinds_of(died) == ["InfernalResolveSpent", "CharacterDied", "ActionPointsLost"], (
        "in the terminal stage the last point kills, and the dead buy nothing"
    )


# --- N2: nobody escapes the order of a conflict ----------------------------------------------------------------------


def task(game, **new):
    return RollTask(**{"actor": game.vooruk, "expertise": "rend", "side": "own", "attribute": "physique", **new})


def test_n2_a_task_in_a_conflict_waits_for_its_turn():
    game = Game()
    game.conflict()
    assert game.queue == (game.vooruk, game.giazza, game.ahvia)
    assert game.refuses(task(game, actor=game.ahvia)) == "not-your-turn"
    assert game.refuses(task(game, expertise="resist")) == "too-slow"
    assert game.refuses(task(game, expertise="occult")) == "occult-needs-resolve"
    assert game.refuses(task(game, side="both")) == "side-unknown"
    assert game.refuses(task(game, target=game.vooruk)) == "bad-target"
    assert game.refuses(task(game, target="77")) == "bad-target"
    assert game.refuses(task(game, target=game.ahvia, expertise="burn")) == "hit-kind", "that is an attack"
    verdict = game.does(task(game, thing="a ledge", faces=HIT))
    assert kinds_of(verdict)[0] == "TaskDeclared" and kinds_of(verdict)[-1] == "TurnEnded"
    assert game.queue == (game.giazza, game.ahvia, game.vooruk)
    bystander = game.enrol("Bystander", GIAZZA, "gm")
    game.gives(bystander, "ap", -4)
    assert game.does(task(game, actor=bystander, expertise="melee", faces=HIT)).facts, "who stands outside just rolls"
    assert game.refuses(task(game, actor=game.giazza, target=bystander)) == "bad-target"


@pytest.mark.parametrize(
    ("choice", "faces", "side", "spent", "defender"),
    [
        (Stand(), HIT, "own", [], 4),
        (Stand(), MISS, "own", ["missed"], 4),
        (Defend(), (6, 6, 1, 1), "target", ["forced"], 3),
        (Defend(), (1, 1, 1, 1), "target", ["forced", "missed"], 3),
    ],
)
def test_n2_a_task_on_somebody_there_costs_what_an_attack_costs(choice, faces, side, spent, defender):
    game = Game()
    game.conflict()
    do = task(game, target=game.giazza, side="target", purpose="to hold him")
    question = game.asks(do)
    assert isinstance(question, Ask) and (question.seat, question.slot) == ("gm", "defend")
    verdict = game.does(do, choice, faces)
    assert the(verdict, DefenceChosen).side == side
    assert the(verdict, ActionDeclared).hit_kind == "none" and the(verdict, ActionDeclared).purpose == "to hold him"
    own = [one.reason for one in of_kind(verdict, ActionPointsSpent) if one.character == game.vooruk]
    assert own == spent and not of_kind(verdict, DamageRolled)
    assert (game.ap(game.vooruk), game.ap(game.giazza)) == (3 - len(spent), defender)
    assert game.queue[-1] == game.vooruk


@pytest.mark.parametrize(("dial", "ap"), [(False, 3), (True, 2)])
def test_n2_a_task_on_nobody_costs_what_an_action_on_nobody_costs(dial, ap):
    game = Game(failed_untargeted_costs_ap=dial)
    game.conflict()
    verdict = game.does(task(game, side="own", thing="a door", score=9, faces=MISS))
    assert the(verdict, TaskResolved).tn == 7, "a thing never defends: one's own attribute"
    assert game.ap(game.vooruk) == ap


def test_n2_with_no_action_points_one_only_recovers():
    game = Game()
    game.conflict()
    game.gives(game.vooruk, "ap", -3)
    for do in (
        task(game),
        task(game, target=game.giazza),
        Purchase(game.vooruk, "a lamp", "mekag", "rend", social=2),
        Attack(game.vooruk, game.giazza, "rend", "physique"),
        Act(game.vooruk, "rend", "size"),
    ):
        assert game.refuses(do) == "no-ap"
    assert game.does(Recover(game.vooruk, 0)).facts


def market(**dials):
    """A trader of Negotiate 3, Man 5 (Beast 1: after Vooruk), Credit 4 with the Nuin, in a conflict with Vooruk."""
    game = Game(**dials)
    trader = game.enrol("Trader", TRADER, "p")
    game.conflict(game.vooruk, trader)
    return game, trader


def test_n2_a_purchase_in_a_conflict_is_an_action():
    game, trader = market()
    do = Purchase(trader, "a lamp", "nuin", seller=game.vooruk)
    assert game.refuses(do) == "not-your-turn"
    game.does(Pass(game.vooruk))
    assert game.refuses(Purchase(trader, "a lamp", "nuin", "resist", seller=game.vooruk)) == "too-slow"
    assert game.refuses(OccultPurchase(trader, "a lamp", "nuin", 1, seller=game.vooruk)) == "too-slow"
    assert game.refuses(Purchase(trader, "a lamp", "nuin", seller=game.giazza)) == "bad-target", "not there"
    question = game.asks(do)
    assert isinstance(question, Ask) and (question.seat, question.slot) == ("q", "defend")
    verdict = game.does(do, Defend(), (1, 6, 6), NoDeal())
    assert kinds_of(verdict)[:7] == [
        "ActionDeclared",
        "DefenceChosen",
        "ActionPointsSpent",
        "ActionPointsSpent",
        "TaskDeclared",
        "DiceRolled",
        "PurchaseRolled",
    ]
    assert [(one.character, one.reason) for one in of_kind(verdict, ActionPointsSpent)] == [
        (game.vooruk, "defend"),
        (trader, "forced"),
        (trader, "missed"),
    ]
    assert (game.ap(trader), game.ap(game.vooruk)) == (2, 2)
    assert game.queue == (game.vooruk, trader) and game.scene(game.scene_id).conflict.action is None


@pytest.mark.parametrize(("faces", "ap"), [((4, 4, 4), 4), ((5, 5, 5), 3)])
def test_n2_a_purchase_from_nobody_there_costs_a_miss(faces, ap):
    game, trader = market()
    game.does(Pass(game.vooruk))
    game.does(Purchase(trader, "a lamp", "nuin", social=3, faces=faces))
    assert game.ap(trader) == ap and game.queue[-1] == trader


@pytest.mark.parametrize(
    ("make", "answered", "code"),
    [
        (lambda g: RollTask(g.vooruk, "rend", "own", "physique", target=g.ahvia), False, None),
        (lambda g: RollTask(g.vooruk, "rend", "own", "physique", target=g.ahvia), True, "decision-pending"),
        (
            lambda g: RollTask(g.vooruk, "rend", "own", "physique", target=g.ahvia, faces=HIT),
            False,
            "decision-pending",
        ),
        (lambda g: Purchase(g.vooruk, "a lamp", "mekag", seller=g.ahvia), True, "decision-pending"),
        (lambda g: Purchase(g.ahvia, "a lamp", "mekag", seller=g.vooruk), True, None),
    ],
)
def test_n2_what_is_known_of_an_action_is_carried_out_first(make, answered, code):
    game = Game()
    game.conflict()
    waits = Underway(make(game), scene(game.scene_id), answered)
    assert forestalls(game, TakeFront(game.ahvia), waits) == code


def test_n2_what_takes_time_waits_for_the_end_of_the_conflict():
    game = Game()
    game.conflict()
    id = game.ahvia
    game.does(MakeVow(id, "revenge"))
    game.chill(id, 2)
    for do in (Rest(id, 3, 3), RefreshResolve(id, "meditating", 60)):
        assert game.refuses(do) == "in-conflict"
    assert game.refuses(Occult(id, 1, "burn", "own", "spirit")) == "too-slow"
    assert game.does(RefreshResolveByVow(id, "they burn it down")).facts
    game.chill(id, 2)
    game.does(CloseConflict())
    assert game.does(RefreshResolve(id, "meditating", 60)).facts
    assert game.does(Rest(id, 3, 3)).facts


def test_n2_nobody_resists_occult_while_in_a_conflict():
    """Resist takes hours, as what it answers does."""
    game = Game()
    one, other = game.enrol("One", OCCULTIST, "p"), game.enrol("Other", OCCULTIST, "q")
    do = Occult(one, 1, "chill", "own", "spirit", target=other, faces=(1, 1, 1))
    assert isinstance(game.asks(do), Ask)
    game.conflict(other, game.vooruk)
    verdict = game.does(do)
    assert not of_kind(verdict, OccultResisted) and game.resolve(other) == 0


def test_n2_a_game_master_takes_somebody_out_of_a_conflict():
    game = Game()
    leave = LeaveConflict(game.vooruk, "he is thrown out of the window")
    assert game.refuses(leave) == "not-in-scene"
    game.conflict()
    game.does(DeclareAttack(game.vooruk, game.ahvia, "rend", "physique"))
    assert kinds_of(game.does(leave)) == ["DeclarationLapsed", "ParticipantLeft"]
    assert game.queue == (game.giazza, game.ahvia)
    assert game.refuses(leave) == game.refuses(Pass(game.vooruk)) == "not-in-scene"
    assert game.refuses(Attack(game.giazza, game.vooruk, "melee", "speed")) == "bad-target"
    assert game.does(Rest(game.vooruk, 1, 1)).facts
    game.hit(game.vooruk, 30)
    assert game.character(game.vooruk).dying, "what happens to him elsewhere"
    assert game.does(Pass(game.giazza)).facts, "holds nobody up"
    game.does(AnswerTerminal(game.vooruk, True, True))
    game.does(JoinConflict(game.vooruk))
    assert game.refuses(JoinConflict(game.vooruk)) == "already-in-conflict"
    game.hit(game.ahvia, 9)
    assert game.refuses(LeaveConflict(game.ahvia)) == "decision-pending"


# --- N7: words -------------------------------------------------------------------------------------------------------


def test_n7_a_task_says_what_it_is_for():
    game = Game()
    verdict = game.does(RollTask(game.ahvia, "lie", "own", "social", purpose="to be let in", faces=HIT))
    assert the(verdict, TaskDeclared).purpose == "to be let in"
    verdict = game.does(Occult(game.ahvia, 1, "lie", "own", "social", purpose="to be believed", faces=(1,)))
    assert the(verdict, TaskDeclared).purpose == "to be believed"
    game.conflict()
    verdict = game.plays(Attack(game.vooruk, game.ahvia, "threaten", "spirit", purpose="to be feared"))
    assert the(verdict, ActionDeclared).purpose == "to be feared"
    verdict = game.plays(Act(game.giazza, "melee", "speed", purpose="to cut the rope"))
    assert the(verdict, TaskDeclared).purpose == "to cut the rope"


def test_n7_a_game_master_tells_what_a_task_revealed():
    game = Game()
    game.does(RollTask(game.ahvia, "know", "own", "spirit", purpose="who cast this?", faces=HIT))
    ruling = str(game.number - 1)
    assert game.refuses(Reveal(game.ahvia, " ", ruling)) == "text-blank"
    assert game.refuses(Reveal("77", "Vooruk did.")) == "unknown-character"
    verdict = game.does(Reveal(game.ahvia, "Vooruk did.", ruling))
    done = the(verdict, Revealed)
    assert (done.text, done.ruling) == ("Vooruk did.", ruling)
    assert steps(verdict, "mongrel.sorcery.know") == ["Vooruk did."]


def test_n7_a_description_beside_what_is_computed_of_appearance():
    game = Game()
    drawn = game.enrol("Drawn", but(AHVIA, description="A cape of wings."), "p")
    seen = game.view(character(drawn))
    assert seen["description"] == "A cape of wings."
    assert seen["appearance"] == {
        "form": "human",
        "unnatural": ["outlines fade into shadow"],
        "details": {"man": 2},
        "power": {"wings": 2, "inhuman_face": 1},
    }
    assert game.view(character(game.ahvia))["description"] == ""
    assert kinds_of(game.does(Describe(game.ahvia, "Bright yellow eyes."))) == ["Described"]
    assert game.view(character(game.ahvia))["description"] == "Bright yellow eyes."


def test_n7_the_words_of_the_game_are_published():
    told = {id.removeprefix("mongrel."): text.statement for id, text in RULESET.rules.items()}
    for house in HOUSES:
        opinions = tables.OPINIONS[house]
        assert set(opinions) == set(HOUSES) - {house}
        statement = told[f"house.opinion.{house}"]
        assert all(f"the {write_word(other)} {opinion}" in statement for other, opinion in opinions.items())
        assert tables.STEREOTYPES[house][0] in told["house.reference"]
    for area, listed in tables.AREAS.items():
        statement = told[f"expertise.area.{area}"]
        assert all(write_word(name) in statement for name in listed)
    for power, options in tables.OPTIONS.items():
        statement = told[f"power.options.{power.removesuffix('_power')}"]
        assert write_word(power) in statement and all(words(option) in statement for option in options)
    for form in (*tables.FORMS["man"], *tables.BEAST_FORMS):
        assert words(form) in told["identity.forms"]


# --- N8: smaller -----------------------------------------------------------------------------------------------------


def test_n8_who_has_a_terminal_decision_open_may_not_retire():
    game = Game()
    game.hit(game.ahvia, 9)
    assert game.refuses(Retire(game.ahvia, "enough")) == "decision-pending"
    game.does(AnswerTerminal(game.ahvia, True))
    assert game.does(Retire(game.ahvia, "enough")).facts


def test_n8_who_runs_out_of_resolve_in_the_terminal_stage_dies_and_keeps_what_is_no_action_point():
    game = Game()
    id = game.ahvia
    game.gives(id, "cp", 3)
    game.hit(id, 9)
    game.does(AnswerTerminal(id, True, True))
    assert (game.ap(id), game.resolve(id)) == (6, 5)
    verdict = game.chill(id, 5)
    assert kinds_of(verdict) == ["ResolveDamaged", "CharacterDied", "ActionPointsLost"]
    assert (the(verdict, CharacterDied).cause, the(verdict, ActionPointsLost).cause) == ("resolve", "death")
    assert (game.ap(id), game.resolve(id), game.cp(id), game.credit(id, "mekag")) == (0, 0, 3, 2)


@pytest.mark.parametrize("by", ["resolve", "action points"])
def test_n8_the_dead_have_no_action_points_whatever_they_died_of(by):
    game = Game()
    game.hit(game.ahvia, 9)
    game.does(AnswerTerminal(game.ahvia, True, True))
    if by == "resolve":
        game.chill(game.ahvia, 9)
    else:
        game.does(SpendResolve(game.ahvia, 5))
    assert game.character(game.ahvia).dead and game.ap(game.ahvia) == 0


# --- what all of them keep -------------------------------------------------------------------------------------------


def test_new_facts_without_ground_go_adrift():
    blank = Character()
    for done in (
        SessionPlayed("1", 1),
        VowEnded("1", "revenge", "ended", None, "so"),
        ItemPartedWith("1", "7", "a blade", None, "so"),
        Described("1", "tall"),
        Revealed("1", "so", None),
        ItemAcquired("1", "7", "a blade", 0, None, 2, None, ""),
    ):
        assert RULESET.apply(blank, done).adrift == (done,)
    assert RULESET.apply(Campaign(), SessionAwarded("3", 2)) == Campaign(awards=(("3", 2),))
    assert RULESET.apply(blank, SessionAwarded("3", 2)).adrift


def test_everybody_sees_the_same():
    game, blade, _, _ = armed()
    game.does(MakeVow(game.vooruk, "revenge"))
    assert blade in game.character(game.vooruk).possessions
    state = game.character(game.vooruk)
    seen = [RULESET.view(character(game.vooruk), state, Viewer(id, role)) for id, role in game.people.items()]
    assert all(one == seen[0] for one in seen)
    assert ParticipantLeft("1", "thrown out").reason == "thrown out"
