"""Damage: every zone, the order of a hit's steps, shunting, collapse, terminal damage and its answer, healing."""

from __future__ import annotations

import pytest

from ledger.rules.kernel.questions import Ask
from ledger.rules.kernel.subjects import character
from ledger.rules.mongrel.damage import DamageCounted, DamageShunted, Heal, Shunt, find_zone
from ledger.rules.mongrel.death import AnswerTerminal, CharacterDied, TerminalDamageTaken
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.hits import TakeHit
from ledger.rules.mongrel.infernal import SpendResolve
from ledger.rules.mongrel.sessions import FeaturesUsed
from tests.rules.mongrel.game import Game, kinds_of, of_kind, the


@pytest.mark.parametrize(
    ("size", "physique", "basis", "zones"),
    [
        (2, 3, "physique", "row row clear clear clear gray gray gray terminal terminal"),
        (2, 3, "size", "row row clear clear clear gray terminal terminal terminal terminal"),
        (2, 0, "physique", "row row terminal terminal terminal terminal terminal terminal terminal terminal"),
        (2, 7, "size", "row row clear clear clear clear terminal terminal terminal terminal"),
        (4, 1, "size", "row row row row clear gray gray gray gray gray"),
    ],
)
def test_zones(size, physique, basis, zones):
    dials = Dials(terminal_basis=basis)
    assert [find_zone(total, size, physique, dials) for total in range(1, 11)] == zones.split()


HITS = [
    # dials, hits -> zones, AP, Physique, damage
    ({}, (2,), ("row",), 5, 3, 2),
    ({}, (1, 1), ("row", "row"), 5, 3, 2),
    ({}, (1,), ("row",), 6, 3, 1),
    ({}, (5,), ("clear",), 5, 2, 5),
    ({}, (3, 1), ("clear", "clear"), 5, 1, 4),
    ({}, (6,), ("gray",), 0, 3, 6),
    ({}, (4, 1), ("clear", "gray"), 0, 2, 5),
    ({}, (4, 1, 1), ("clear", "gray", "terminal"), 0, 2, 6),
    ({}, (9,), ("terminal",), 0, 3, 9),
    ({"exact_size_costs_physique": True}, (2,), ("row",), 5, 2, 2),
    ({"exact_size_costs_physique": True}, (1,), ("row",), 6, 3, 1),
    ({"damage_track": "per_hit"}, (2, 2, 2), ("row",) * 3, 3, 3, 0),
    ({"damage_track": "per_hit"}, (4, 1, 4), ("clear", "row", "clear"), 4, 1, 0),
    ({"terminal_basis": "size"}, (7,), ("terminal",), 0, 3, 7),
]


@pytest.mark.parametrize(("dials", "hits", "zones", "ap", "physique", "damage"), HITS)
def test_hits(dials, hits, zones, ap, physique, damage):
    game = Game(**dials)
    told = [the(game.hit(game.ahvia, one), DamageCounted).zone for one in hits]
    who = game.character(game.ahvia)
    assert (tuple(told), game.ap(game.ahvia), 3 - who.physique_loss, who.damage) == (zones, ap, physique, damage)
    assert who.collapsed == (zones[-1] in ("gray", "terminal"))


def test_the_order_of_a_hit():
    game = Game(session=True)
    verdict = game.does(TakeHit(game.ahvia, 12), Shunt(3))
    assert kinds_of(verdict) == [
        "DamageRolled",
        "DamageShunted",
        "DamageCounted",
        "ActionPointsLost",
        "ActionPointsLost",
        "CharacterCollapsed",
        "TerminalDamageTaken",
        "FeaturesUsed",
    ]
    assert the(verdict, FeaturesUsed).features == ("beauty", "size", "physique")
    verdict = game.hit(game.vooruk, 6)
    assert kinds_of(verdict)[:4] == ["DamageRolled", "DamageCounted", "ActionPointsLost", "PhysiqueReduced"]


@pytest.mark.parametrize(
    ("effect", "weapon", "armour", "net"), [(3, 2, 1, 4), (3, 0, 5, 0), (0, 2, 0, 2), (0, 0, 0, 0), (4, 1, 5, 0)]
)
def test_net(effect, weapon, armour, net):
    game = Game()
    verdict = game.hit(game.ahvia, effect, weapon=weapon, armour=armour)
    assert verdict.facts[0].fact.net == net
    assert len(of_kind(verdict, DamageCounted)) == (1 if net else 0)


def test_armour_prevents_terminal_damage_and_shunting_does_not():
    game = Game()
    game.hit(game.ahvia, 6)
    game.hit(game.ahvia, 3, armour=3)
    assert not game.character(game.ahvia).terminal
    verdict = game.hit(game.ahvia, 1, shunt=1)
    assert (the(verdict, TerminalDamageTaken).cause, the(verdict, DamageCounted).zone) == ("collapsed", "terminal")
    assert the(verdict, DamageCounted).counted == 0


@pytest.mark.parametrize(("points", "beauty", "lasting"), [(0, 5, 5), (1, 4, 4), (3, 2, 4), (5, 0, 4)])
def test_shunting(points, beauty, lasting):
    game = Game()
    verdict = game.does(TakeHit(game.ahvia, 6), Shunt(points))
    assert (game.beauty(game.ahvia), game.character(game.ahvia).attributes["beauty"]) == (beauty, lasting)
    assert the(verdict, DamageCounted).counted == 6 - points
    assert len(of_kind(verdict, DamageShunted)) == (1 if points else 0)


def test_a_hit_wholly_shunted():
    game = Game()
    assert the(game.hit(game.ahvia, 3, shunt=3), DamageCounted).zone == "shunted"
    assert game.character(game.ahvia).damage == 0


@pytest.mark.parametrize(
    ("effect", "more", "code"),
    [
        (3, {"shunt": 4}, "shunt-too-large"),
        (9, {"shunt": 6}, "shunt-too-large"),
        (3, {"shunt": -1}, "shunt-too-large"),
        (0, {"shunt": 1}, "shunt-too-large"),
        (3, {"shunt": 1, "hit_kind": "spiritual"}, "nothing-to-shunt"),
        (-1, {}, "bad-score"),
        (3, {"weapon": -1}, "bad-score"),
        (3, {"armour": "1"}, "bad-score"),
        (3, {"hit_kind": "odd"}, "hit-kind-unknown"),
    ],
)
def test_refused(effect, more, code):
    game = Game()
    assert game.refuses(TakeHit(game.ahvia, effect, **more)) == code


@pytest.mark.parametrize(
    ("cap", "weapon", "code"), [(1, 2, "weapon-cap"), (2, 3, "weapon-cap"), (2, 2, None), (None, 99, None)]
)
def test_weapon_cap(cap, weapon, code):
    game = Game(weapon_bonus_cap=cap)
    do = TakeHit(game.ahvia, 1, weapon=weapon, armour=99, shunt=9 if code else None)
    assert game.outcome(do) == code


def test_the_target_is_asked_what_to_shunt():
    game = Game()
    question = game.asks(TakeHit(game.ahvia, 3))
    assert isinstance(question, Ask) and question.seat == "p" and question.kinds == (Shunt,)
    assert game.refuses(TakeHit(game.ahvia, 3), Shunt(4)) == "shunt-too-large"
    assert game.refuses(TakeHit(game.ahvia, 3), Shunt("2")) == "shunt-too-large"


# --- terminal damage -------------------------------------------------------------------------------------------------

ANSWERS = [
    # dials, resolve, spend, recover -> dead, AP, resolve, imposed
    ({}, 6, True, True, False, 6, 5, False),
    ({}, 6, True, False, False, 0, 5, False),
    ({}, 6, False, False, True, 0, 6, False),
    ({}, 1, True, True, True, 0, 0, False),
    ({"last_resolve_point_saves": True}, 1, True, True, False, 1, 0, True),
    ({"last_resolve_point_saves": True, "zero_resolve_collapse": "spiritual_only"}, 1, True, True, False, 6, 0, False),
]


@pytest.mark.parametrize(("dials", "resolve", "spend", "recover", "dead", "ap", "left", "imposed"), ANSWERS)
def test_answering_terminal_damage(dials, resolve, spend, recover, dead, ap, left, imposed):
    game = Game(**dials)
    id = game.ahvia
    if resolve < 6:
        game.chill(id, 6 - resolve)
    game.hit(id, 9)
    assert game.character(id).dying
    assert game.refuses(SpendResolve(id, 1)) == game.refuses(TakeHit(id, 1)) == "decision-pending"
    game.does(AnswerTerminal(id, spend, recover))
    who = game.character(id)
    assert (who.dead, game.ap(id), game.resolve(id), who.ap_imposed) == (dead, ap, left, imposed)
    assert not who.dying and (who.collapsed or recover)
    if dead:
        assert game.refuses(AnswerTerminal(id, True)) == game.refuses(TakeHit(id, 1)) == "dead"
    else:
        assert game.refuses(AnswerTerminal(id, True)) == "no-decision-pending"
        assert who.terminal


def test_without_infernal_resolve_terminal_damage_kills():
    game = Game()
    game.chill(game.ahvia, 6)
    verdict = game.hit(game.ahvia, 1)
    assert the(verdict, CharacterDied).cause == "terminal damage"
    assert the(verdict, TerminalDamageTaken).decision is False


def test_in_the_terminal_stage_every_hit_is_terminal_and_no_resolve_kills():
    game = Game()
    id = game.ahvia
    game.hit(id, 9)
    game.does(AnswerTerminal(id, True, True))
    assert the(game.hit(id, 1), TerminalDamageTaken).cause == "stage"
    game.does(AnswerTerminal(id, True, True))
    assert the(game.chill(id, 9), CharacterDied).cause == "resolve"
    assert game.character(id).dead


def test_the_terminal_answer_may_come_too_late():
    game = Game()
    game.hit(game.ahvia, 9)
    game.gives(game.ahvia, "resolve", -6)
    assert game.refuses(AnswerTerminal(game.ahvia, True)) == "no-resolve"


# --- healing ---------------------------------------------------------------------------------------------------------


def test_healing():
    game = Game()
    id = game.ahvia
    game.hit(id, 8, shunt=3)
    assert game.refuses(Heal(id, damage=6)) == game.refuses(Heal(id, physique=2)) == "heal-too-much"
    assert game.refuses(Heal(id, beauty=3)) == "heal-too-much"
    assert game.refuses(Heal(id, damage=99, beauty=-1)) == game.refuses(Heal(id, "1")) == "bad-number"
    game.does(Heal(id, 4, 1, 2, reason="a month in bed"))
    who = game.character(id)
    assert (who.damage, who.physique_loss, game.beauty(id), who.attributes["beauty"]) == (1, 0, 4, 4)
    game.hit(id, 9)
    game.does(AnswerTerminal(id, True))
    game.does(Heal(id, end_terminal=True))
    assert not game.character(id).terminal and game.character(id).collapsed
    assert game.view(character(id))["physique"] == 3
