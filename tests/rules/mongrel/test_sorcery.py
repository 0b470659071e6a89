"""Infernal Resolve: what hits it, what zero does, what it buys; Occult, Resist, Burn, Chill."""

from __future__ import annotations

import pytest

from ledger.rules.kernel.questions import Ask, Roll
from ledger.rules.mongrel.attacks import Attack
from ledger.rules.mongrel.conflict import OpenConflict
from ledger.rules.mongrel.damage import DamageRolled, Shunt
from ledger.rules.mongrel.death import AnswerTerminal, TerminalDamageTaken
from ledger.rules.mongrel.hits import Stand, TakeHit
from ledger.rules.mongrel.houses import MakeVow
from ledger.rules.mongrel.infernal import RefreshResolve, RefreshResolveByVow, ResolveDamaged, SpendResolve
from ledger.rules.mongrel.recovery import Recover
from ledger.rules.mongrel.sorcery import Occult, OccultResisted, Resist, RitualTimed, Submit
from ledger.rules.mongrel.tasks import TaskResolved
from tests.rules.mongrel.game import AHVIA, GIAZZA, Game, but, kinds_of, of_kind, the


def test_spiritual_hits():
    game = Game()
    id = game.vooruk
    assert kinds_of(game.chill(id, 2)) == ["ResolveDamaged"]
    verdict = game.chill(id, 5)
    assert kinds_of(verdict) == [
        "ResolveDamaged",
        "ActionPointsLost",
        "CharacterCollapsed",
        "ActionPointMaximumImposed",
    ]
    assert (the(verdict, ResolveDamaged).lost, game.resolve(id), game.ap(id)) == (1, 0, 0)
    assert game.character(id).ap_imposed
    assert kinds_of(game.chill(id, 5)) == ["ResolveDamaged"]
    assert not game.character(id).terminal
    game.does(Recover(id, 0))
    assert game.ap(id) == 1 and not game.character(id).collapsed
    assert game.refuses(Recover(id, 0)) == "ap-full"
    game.chill(id, 0)
    assert not game.character(id).collapsed
    game.chill(id, 1)
    assert game.character(id).collapsed and game.ap(id) == 0


@pytest.mark.parametrize(("dial", "terminal"), [("physical", False), ("any", True)])
def test_spiritual_hits_on_the_collapsed(dial, terminal):
    game = Game(collapsed_hit_kinds=dial)
    game.hit(game.ahvia, 6)
    verdict = game.chill(game.ahvia, 1)
    assert bool(of_kind(verdict, TerminalDamageTaken)) == terminal
    assert game.character(game.ahvia).dying == terminal


@pytest.mark.parametrize(
    ("dials", "amount", "ap", "resolve", "collapsed"),
    [
        ({}, 1, 7, 5, False),
        ({}, 5, 11, 1, False),
        ({}, 6, 0, 0, True),
        ({"zero_resolve_collapse": "spiritual_only"}, 6, 12, 0, False),
    ],
)
def test_resolve_for_action_points(dials, amount, ap, resolve, collapsed):
    game = Game(**dials)
    id = game.ahvia
    game.does(SpendResolve(id, amount))
    who = game.character(id)
    assert (game.ap(id), game.resolve(id), who.collapsed, who.ap_imposed) == (ap, resolve, collapsed, collapsed)


@pytest.mark.parametrize(("dial", "stands"), [(True, True), (False, False)])
def test_resolve_gets_one_up(dial, stands):
    game = Game(resolve_ap_ends_collapse=dial)
    game.hit(game.ahvia, 6)
    game.does(SpendResolve(game.ahvia, 2))
    assert (game.character(game.ahvia).collapsed, game.ap(game.ahvia)) == (not stands, 2)


@pytest.mark.parametrize(
    ("amount", "code"), [(0, "bad-amount"), (-1, "bad-amount"), ("1", "bad-amount"), (7, "no-resolve")]
)
def test_spending_refused(amount, code):
    game = Game(resolve_ap_may_exceed_max=False)
    assert game.refuses(SpendResolve(game.ahvia, amount)) == code
    assert game.refuses(SpendResolve(game.ahvia, 1)) == "ap-over-max"
    game.gives(game.ahvia, "ap", -1)
    assert game.does(SpendResolve(game.ahvia, 1)).facts


def test_in_the_terminal_stage_spending_the_last_point_kills():
    for dial in ("any_cause", "spiritual_only"):
        game = Game(zero_resolve_collapse=dial)
        game.hit(game.ahvia, 9)
        game.does(AnswerTerminal(game.ahvia, True))
        game.does(SpendResolve(game.ahvia, 5))
        assert game.character(game.ahvia).dead


def test_refreshing():
    game = Game()
    id = game.ahvia
    game.chill(id, 6)
    for activity, minutes, code in (
        ("brawling", 5, "not-quiet"),
        ("meditating", 59, "less-than-an-hour"),
        ("meditating", -1, "bad-number"),
        ("meditating", "60", "bad-number"),
    ):
        assert game.refuses(RefreshResolve(id, activity, minutes)) == code
    verdict = game.does(RefreshResolve(id, "calm-company", 60))
    assert kinds_of(verdict) == ["InfernalResolveRefreshed", "ActionPointMaximumLifted", "ClockMoved"]
    who = game.character(id)
    assert (game.resolve(id), game.ap(id), who.collapsed, who.ap_imposed) == (6, 0, True, False)
    game.chill(id, 2)
    assert game.refuses(RefreshResolveByVow(id, "betrayal")) == "no-vow"
    game.does(MakeVow(id, "revenge"))
    assert game.refuses(RefreshResolveByVow(id, "betrayal", "love")) == "no-vow"
    assert kinds_of(game.does(RefreshResolveByVow(id, "betrayal"))) == ["InfernalResolveRefreshed"]
    assert game.resolve(id) == 6


# --- Occult ----------------------------------------------------------------------------------------------------------

OCCULTIST = but(AHVIA, plus_two=("occult", "resist"), power={})


def circle(**dials):
    """Two occultists: Occult 3, Resist 4, Demon 4, Spirit 6."""
    game = Game(**dials)
    return game, game.enrol("One", OCCULTIST, "p"), game.enrol("Other", OCCULTIST, "q")


def test_occult_costs_resolve_before_the_roll():
    game, one, _ = circle()
    do = Occult(one, 3, "information", "own", "spirit")
    question = game.asks(do)
    assert isinstance(question, Roll) and question.count == 3
    verdict = game.does(do, (1, 1, 5))
    assert kinds_of(verdict)[:6] == [
        "InfernalResolveSpent",
        "RitualTimed",
        "ClockMoved",
        "TaskDeclared",
        "DiceRolled",
        "TaskResolved",
    ]
    done = the(verdict, TaskResolved)
    assert (done.base, done.effect, the(verdict, RitualTimed).hours) == (3 + 4, 3 + 4 + 2, 3)
    failed = game.does(do, (6, 6, 1))
    assert the(failed, TaskResolved).effect == 0 and game.resolve(one) == 0
    assert game.character(one).collapsed
    assert game.refuses(do) == "collapsed"
    game.sets(one, "collapsed", False)
    assert game.refuses(do) == "no-resolve"


def test_occult_of_who_knows_none_takes_two_hours():
    game = Game()
    id = game.enrol("Man", GIAZZA, "gm")
    verdict = game.does(Occult(id, 2, "lie", "own", "social"), (1, 1))
    assert the(verdict, RitualTimed).hours == 2
    assert the(verdict, TaskResolved).effect == 1 + 1


@pytest.mark.parametrize(
    ("dials", "resist", "faces", "effect", "cancelled"),
    [
        ({}, Submit(), None, 7, None),
        ({}, Resist(), (6, 6, 1, 1), 7, None),
        ({}, Resist(), (1, 6, 6, 2), 7, None),
        ({}, Resist(), (1, 2, 6, 2), 0, False),
        ({}, Resist("size"), (1, 6, 6, 6), 2, False),
        ({}, Resist("size", faces=(1, 6, 6, 6)), None, 2, False),
        ({"resist_method": "cancel"}, Resist("size"), (1, 6, 6, 6), 0, True),
    ],
)
def test_resisting(dials, resist, faces, effect, cancelled):
    game, one, other = circle(**dials)
    do = Occult(one, 1, "chill", "own", "spirit", target=other, faces=(1, 1, 1))
    verdict = game.does(do, resist, *((faces,) if faces else ()))
    assert the(verdict, ResolveDamaged).effect == effect
    assert [done.cancelled for done in of_kind(verdict, OccultResisted)] == ([] if cancelled is None else [cancelled])
    assert len(of_kind(verdict, RitualTimed)) == (1 if isinstance(resist, Submit) else 2)


@pytest.mark.parametrize(
    ("resist", "code"),
    [
        (Resist("luck"), "attribute-unknown"),
        (Resist(power=("head",)), "power-option-unknown"),
        (Resist(difficulty=9), "modifier-range"),
        (Resist(faces=(1,)), "dice-count"),
        (Resist(faces=(1, 1, 1, 9)), "dice-face"),
    ],
)
def test_resisting_wrongly_is_asked_again(resist, code):
    game, one, other = circle()
    assert game.refuses(Occult(one, 1, "chill", "own", "spirit", target=other), (1, 1, 1), resist) == code


@pytest.mark.parametrize(
    ("dial", "imitates", "kind", "told"),
    [
        ("resolve", "burn", None, ResolveDamaged),
        ("resolve", "rend", "spiritual", ResolveDamaged),
        ("resolve", "lie", None, None),
        ("resolve", "burn", "none", None),
        ("mimicked", "burn", None, DamageRolled),
        ("mimicked", "chill", None, ResolveDamaged),
        ("mimicked", "rend", None, DamageRolled),
        ("mimicked", "seduce", "physical", DamageRolled),
        ("mimicked", "burn", "physical", DamageRolled),
    ],
)
def test_what_an_occult_attack_hits(dial, imitates, kind, told):
    game, one, other = circle(occult_attack_hits=dial)
    verdict = game.plays(Occult(one, 1, imitates, "own", "spirit", target=other, hit_kind=kind))
    found = [cls for cls in (ResolveDamaged, DamageRolled) if of_kind(verdict, cls)]
    assert found == ([told] if told else [])


def test_an_occult_hit_may_be_shunted():
    game, one, other = circle(occult_attack_hits="mimicked")
    do = Occult(one, 1, "burn", "own", "spirit", target=other, weapon=1, armour=3, faces=(1, 1, 1))
    verdict = game.does(do, Submit(), Shunt(2))
    assert the(verdict, DamageRolled).net == 7 + 1 - 3
    assert game.beauty(other) == 3


@pytest.mark.parametrize(
    ("new", "code"),
    [
        ({"points": 0, "imitates": "zap"}, "occult-needs-resolve"),
        ({"points": "1"}, "occult-needs-resolve"),
        ({"points": 9, "imitates": "zap"}, "no-resolve"),
        ({"imitates": "zap"}, "expertise-unknown"),
        ({"hit_kind": "odd"}, "hit-kind-unknown"),
        ({"hit_kind": "spiritual"}, "bad-target"),
        ({"difficulty": 5}, "modifier-range"),
        ({"side": "x"}, "side-unknown"),
        ({"faces": (1,)}, "dice-count"),
        ({"faces": (1, 1, 9)}, "dice-face"),
        ({"side": "target", "score": -1}, "bad-score"),
        ({"attribute": "luck"}, "attribute-unknown"),
    ],
)
def test_occult_refused(new, code):
    game, one, _ = circle()
    given = {"actor": one, "points": 1, "imitates": "lie", "side": "own", "attribute": "spirit", **new}
    assert game.refuses(Occult(**given)) == code


def test_occult_is_too_slow_for_a_conflict_and_for_the_dead():
    game, one, other = circle(occult_attack_hits="mimicked", weapon_bonus_cap=1)
    do = Occult(one, 1, "burn", "own", "spirit", target=other, weapon=2)
    assert game.refuses(do) == "weapon-cap"
    game.hit(other, 9)
    assert game.refuses(do) == "decision-pending"
    game.does(AnswerTerminal(other, False))
    assert game.refuses(do) == "dead"
    game.does(OpenConflict((one, game.vooruk)))
    assert game.refuses(do) == "too-slow"


# --- Chill and Burn ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dials", "said", "effect"),
    [
        ({}, (Stand(), (1, 2)), 6),
        ({"resist_defends_chill": True}, (Stand(), (1, 2), Submit()), 6),
        ({"resist_defends_chill": True}, (Stand(), (1, 2), Resist("size"), (1, 6, 6, 6)), 1),
        ({"resist_defends_chill": True, "resist_method": "cancel"}, (Stand(), (1, 2), Resist(), (1, 1, 1, 6)), 0),
    ],
)
def test_chill_in_a_conflict(dials, said, effect):
    game, one, other = circle(**dials)
    game.does(OpenConflict((one, other)), "heads")
    verdict = game.does(Attack(one, other, "chill", "spirit", command="kneel"), *said)
    assert the(verdict, ResolveDamaged).effect == effect
    assert not of_kind(verdict, RitualTimed) and game.ap(other) == (0 if effect == 6 else 6)


def test_burn_is_physical_and_nobody_resists_it():
    game, one, other = circle(resist_defends_chill=True)
    game.does(OpenConflict((one, other)), "heads")
    verdict = game.does(Attack(one, other, "burn", "spirit"), Stand(), (1, 2), Shunt(0))
    assert the(verdict, DamageRolled).effect == 6


def test_npcs_that_do_not_roll_do_not_resist():
    game = Game(npc_rolls=False)
    one, npc = game.enrol("One", OCCULTIST), game.enrol("Npc", but(OCCULTIST, npc=True))
    assert of_kind(game.does(Occult(one, 1, "chill", "own", "spirit", target=npc, faces=(1, 1, 1))), ResolveDamaged)
    assert game.refuses(Occult(npc, 1, "chill", "own", "spirit")) == "npc-does-not-roll"
    assert isinstance(game.asks(TakeHit(npc, 3)), Ask)
