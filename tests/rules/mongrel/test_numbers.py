"""Numbers worked out anew, straight from the words of the rules, and compared on random cases."""

from __future__ import annotations

from random import Random
from typing import Any, Literal

import pytest

from ledger.rules.mongrel.counting import count, count_zero
from ledger.rules.mongrel.damage import DamageCounted
from ledger.rules.mongrel.death import AnswerTerminal
from ledger.rules.mongrel.deeds import RollTask
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.hits import TakeHit
from ledger.rules.mongrel.powers import work_out_levels
from ledger.rules.mongrel.tables import AREAS, CATEGORIES, EXPERTISE, POWERS
from ledger.rules.mongrel.tasks import TaskResolved, work_out_base_effect
from ledger.rules.mongrel.terms import is_whole
from tests.rules.mongrel.game import AHVIA, VOORUK, Game, but, of_kind, the


def succeeds(faces, tn, side, always, low):
    """(success, Effect is 1)."""
    n = len(faces)
    ones, sixes = 2 * faces.count(1) >= n, 2 * faces.count(6) >= n
    if side == "target" and tn >= 7:
        return sixes, True
    if side == "own" and tn <= 0:
        return low and ones, True
    if side == "target" and ones and (tn <= 1 or always):
        return False, False
    if side == "own" and sixes and (tn >= 6 or always):
        return False, False
    return any(face >= tn if side == "target" else face <= tn for face in faces), False


SCOPES: tuple[Literal["only_when_needed", "always"], ...] = ("only_when_needed", "always")
SIDES: tuple[Literal["own", "target"], ...] = ("own", "target")


@pytest.mark.parametrize("seed", range(20))
def test_tasks(seed):
    rng = Random(seed)
    for _ in range(300):
        scope, low, adds = rng.choice(SCOPES), rng.random() < 0.5, rng.random() < 0.3
        dials = Dials(special_cases_scope=scope, low_longshot=low, effect_adds_tn=adds)
        side, tn, identity = rng.choice(SIDES), rng.randint(-4, 11), rng.randint(0, 5)
        faces: tuple[int, ...]
        if rng.random() < 0.2:
            faces = (rng.randint(1, 6), rng.randint(1, 6))
            both = all(succeeds((face,), tn, side, scope == "always", low)[0] for face in faces)
            counted = count_zero(faces, tn, side, dials)
            assert (counted.is_success, work_out_base_effect(counted, tn, identity, dials)) == (both, int(both))
            continue
        faces = tuple(rng.randint(1, 6) for _ in range(rng.randint(1, 8)))
        success, flat = succeeds(faces, tn, side, scope == "always", low)
        counted = count(faces, tn, side, dials)
        hits = sum(1 for face in faces if (face <= tn if side == "own" else face >= tn))
        expected = 0 if not success else 1 if flat else hits + identity + tn * adds
        assert (counted.is_success, work_out_base_effect(counted, tn, identity, dials)) == (success, expected)


@pytest.mark.parametrize("seed", range(20))
def test_expertise(seed):
    rng = Random(seed)
    for _ in range(50):
        primary = rng.choice(list(CATEGORIES))
        allowed = [name for name in EXPERTISE if name not in POWERS.values() or name == POWERS[primary]]
        a, b, c, d, e, f = rng.sample(allowed, 6)
        expected = {}
        for name in EXPERTISE:
            level = 1 if name in CATEGORIES[primary] else 0
            level += 3 * (name in (a, b)) + 2 * (name in (c, d)) + (name in (e, f))
            if name not in (a, b):
                level += any(name in area and (a in area or b in area) for area in AREAS.values())
            if level:
                expected[name] = level
        assert work_out_levels(primary, ((a, b), (c, d), (e, f))) == expected
        assert max(expected.values()) <= 4


class Body:
    """One character's damage, as the rules tell it; nothing of the ledger."""

    def __init__(self, size, physique, beauty, ap, resolve, dials):
        self.size, self.physique, self.beauty, self.lasting = size, physique, beauty, beauty
        self.ap, self.most, self.resolve, self.dials = ap, ap, resolve, dials
        self.total = self.loss = 0
        self.collapsed = self.terminal = self.dead = self.dying = False

    def hit(self, effect, weapon, armour, shunt):
        net = max(0, effect + weapon - armour)
        if not 0 <= shunt <= min(net, self.beauty):
            return "refused"
        if net == 0:
            return None
        self.beauty -= shunt
        self.lasting -= 1 if shunt else 0
        per_hit = self.dials.get("damage_track") == "per_hit"
        before = 0 if per_hit else self.total
        after = before + net - shunt
        self.total = 0 if per_hit else after
        if before < self.size <= after:
            self.ap = max(0, self.ap - 1)
        zone = self.zone(after) if net > shunt else "shunted"
        if self.collapsed or self.terminal:
            zone = "terminal"
        self.suffer(zone, after)
        return zone

    def zone(self, total):
        column, physique = total - self.size, max(0, self.physique - self.loss)
        if column <= 0:
            return "row"
        if column > 2 * (self.size if self.dials.get("terminal_basis") == "size" else physique):
            return "terminal"
        return "clear" if column <= physique else "gray"

    def suffer(self, zone, after):
        exact = self.dials.get("exact_size_costs_physique") and after == self.size and self.physique > self.loss
        if zone == "clear" or (zone == "row" and exact):
            self.loss += 1
        if zone in ("gray", "terminal"):
            self.ap, self.collapsed = 0, True
        if zone == "terminal":
            self.terminal = True
            self.dying, self.dead = self.resolve > 0, self.resolve == 0

    def answer(self, spend, recover):
        self.dying = False
        if not spend:
            self.dead = True
            return
        self.resolve -= 1
        if self.resolve == 0:
            self.dead = True
        elif recover:
            self.ap, self.collapsed = max(self.ap, self.most), False


@pytest.mark.parametrize("seed", range(60))
def test_damage(seed):
    rng = Random(seed)
    values = {"damage_track": "per_hit", "terminal_basis": "size", "exact_size_costs_physique": True}
    dials: dict[str, Any] = {name: value for name, value in values.items() if rng.random() < 0.3}
    game = Game(**dials)
    sheet = rng.choice([AHVIA, VOORUK])
    low = {name: rng.randint(1, score) for name, score in sheet.attributes.items() if is_whole(score)}
    id = game.enrol("Victim", but(sheet, lowered=low))
    body = Body(low["size"], low["physique"], low["beauty"], low["speed"], low["spirit"], dials)
    for _ in range(12):
        if body.dead:
            assert game.refuses(TakeHit(id, 1, shunt=0)) == "dead"
            break
        if body.dying:
            answer = (rng.random() < 0.9, rng.random() < 0.6)
            body.answer(*answer)
            game.does(AnswerTerminal(id, *answer))
        else:
            numbers = (rng.randint(0, 7), rng.randint(0, 2), rng.randint(0, 3), rng.choice([0, 0, 1, 2, 3]))
            zone = body.hit(*numbers)
            do = TakeHit(id, numbers[0], weapon=numbers[1], armour=numbers[2], shunt=numbers[3])
            if zone == "refused":
                assert game.refuses(do) == "shunt-too-large"
            else:
                told = of_kind(game.does(do), DamageCounted)
                assert [one.zone for one in told] == ([zone] if zone else [])
        who = game.character(id)
        assert (who.damage, who.physique_loss, who.attributes["beauty"]) == (body.total, body.loss, body.lasting)
        assert (game.ap(id), game.resolve(id), game.beauty(id)) == (body.ap, body.resolve, body.beauty)
        assert (who.collapsed, who.terminal, who.dying, who.dead) == (
            body.collapsed,
            body.terminal,
            body.dying,
            body.dead,
        )


def test_a_current_score_is_what_is_rolled_against():
    game = Game()
    game.hit(game.giazza, 7, shunt=2)
    for attribute, tn in (("beauty", 0), ("physique", 5), ("size", 4)):
        verdict = game.does(RollTask(game.ahvia, "lie", "target", attribute, target=game.giazza, faces=(6, 6, 6, 6)))
        assert the(verdict, TaskResolved).tn == tn
