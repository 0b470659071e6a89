"""What an independent reference of the rules, played against these, found to differ."""

from __future__ import annotations

import pytest

from ledger.rules.kernel.adjudication import Conversation
from ledger.rules.kernel.contract import Underway
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character, scene
from ledger.rules.mongrel import RULESET
from ledger.rules.mongrel.attacks import Attack, CarryOut, DeclareAttack
from ledger.rules.mongrel.conflict import OpenConflict
from ledger.rules.mongrel.damage import Heal
from ledger.rules.mongrel.death import AnswerTerminal
from ledger.rules.mongrel.hits import TakeHit
from ledger.rules.mongrel.points import IdentityReduced, RaiseFeature
from ledger.rules.mongrel.purchases import Purchase
from ledger.rules.mongrel.sorcery import Occult, Resist
from ledger.rules.mongrel.state import Character
from ledger.rules.mongrel.turns import TakeFront
from tests.rules.mongrel.game import Game, kinds_of


def test_a_cancelled_occult_attack_fails_and_its_weapon_with_it():
    g = Game(resist_method="cancel", occult_attack_hits="mimicked")
    burn = Occult(g.ahvia, 1, "burn", "own", "spirit", target=g.vooruk, weapon=3)
    verdict = g.does(burn, (1,), Resist("spirit"), (1,))
    assert "OccultResisted" in kinds_of(verdict)
    assert "DamageRolled" not in kinds_of(verdict)
    assert g.character(g.vooruk).damage == 0


def test_nothing_is_bought_from_who_is_dying_or_dead():
    g = Game()
    lamp = Purchase(g.vooruk, "a lamp", "mekag", "melee", seller=g.ahvia)
    g.hit(g.ahvia, 9)
    assert g.refuses(lamp) == "decision-pending"
    g.does(AnswerTerminal(g.ahvia, spend=False))
    assert g.refuses(lamp) == "dead"


# --- healing what was never there ------------------------------------------------------------------------------------


def test_healing_of_a_hit_that_was_struck_heals_no_more_than_there_is():
    g = Game()
    hit = g.number
    g.hit(g.ahvia, 5)
    g.does(Heal(g.ahvia, 5, 1))
    g.hit(g.ahvia, 2)
    found = g.without(hit).then.told(character(g.ahvia))
    assert (found.state.damage, found.state.physique_loss) == (2, 0), "the later hit counts in full"
    assert found.adrift == [(hit + 1, 0)], "and somebody is told"


def test_healing_of_a_struck_hit_heals_what_other_hits_did():
    g = Game()
    hit = g.number
    g.hit(g.vooruk, 3)
    g.hit(g.vooruk, 2)
    g.does(Heal(g.vooruk, 4))
    assert g.had(character(g.vooruk), hit).damage == 0
    assert g.had(character(g.vooruk), hit, hit + 2).damage == 2


def test_beauty_healed_twice_over_absorbs_nothing():
    g = Game()
    hit = g.number
    g.hit(g.ahvia, 4, shunt=4)
    g.does(Heal(g.ahvia, beauty=3))
    g.past = g.without(hit).then
    assert (g.beauty(g.ahvia), g.character(g.ahvia).attributes["beauty"]) == (8, 5), "the healing of nothing stands"
    assert g.refuses(TakeHit(g.ahvia, 9, shunt=6)) == "shunt-too-large"
    g.hit(g.ahvia, 5, shunt=5)
    assert g.refuses(TakeHit(g.ahvia, 1, shunt=1)) == "shunt-too-large"
    assert g.character(g.ahvia).beauty_temp == 4


def test_an_identity_falls_no_lower_than_nothing():
    who = Character(house="nuin", identity={"man": 5, "beast": 0, "demon": 1})
    after = RULESET.apply(who, IdentityReduced("1", "beast"))
    assert isinstance(after, Character) and after.identity["beast"] == 0
    assert len(after.adrift) == 1


# --- numbers that are looked at whatever becomes of them -------------------------------------------------------------


@pytest.mark.parametrize("feature", ["rend", "physique"])
def test_only_for_an_identity_another_falls(feature):
    g = Game()
    g.session((g.vooruk, (feature,)))
    g.gives(g.vooruk, "cp", 50)
    assert g.refuses(RaiseFeature(g.vooruk, feature, reduce="demon")) == "reduce-another"
    assert g.outcome(RaiseFeature(g.vooruk, "rend", reduce="nonsense")) == "reduce-another"


def test_a_weapon_is_within_its_cap_whatever_is_hit():
    g = Game(weapon_bonus_cap=2)
    assert g.refuses(TakeHit(g.ahvia, 1, "spiritual", weapon=3)) == "weapon-cap"
    assert g.refuses(TakeHit(g.ahvia, 1, "spiritual", armour=-1)) == "bad-score"
    assert g.refuses(Occult(g.ahvia, 1, "know", "own", "spirit", weapon=3)) == "weapon-cap"
    g.does(OpenConflict((g.ahvia, g.vooruk)))
    assert g.refuses(Attack(g.vooruk, g.ahvia, "threaten", "physique", weapon=3)) == "weapon-cap"
    assert g.outcome(Attack(g.vooruk, g.ahvia, "threaten", "physique", weapon=2)) is None


# --- an attack of which something is known ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "answered", "code"),
    [
        ({}, False, None),
        ({}, True, "decision-pending"),
        ({"faces": (1,)}, False, "decision-pending"),
        ({"defend": False}, False, "decision-pending"),
        ({"actor": "other"}, True, None),
    ],
)
def test_an_attack_can_be_forestalled_until_something_is_known_of_it(said, answered, code):
    g = Game()
    g.conflict()
    told = {"actor": g.vooruk, "target": g.ahvia, "expertise": "rend", "attribute": "physique", **said}
    waits = Underway(Attack(**told), scene(g.scene_id), answered)
    assert forestalls(g, TakeFront(g.ahvia), waits) == code
    unnamed = Underway(Attack(**told), None, answered)
    assert forestalls(g, TakeFront(g.ahvia), unnamed) == code, "who attacks is in one conflict only"


def test_a_declared_attack_can_be_forestalled_until_something_is_known_of_it():
    g = Game()
    g.conflict()
    here = scene(g.scene_id)
    assert forestalls(g, TakeFront(g.ahvia), Underway(CarryOut(), here, True)) is None, "nothing was declared"
    g.does(DeclareAttack(g.vooruk, g.ahvia, "rend", "physique"))
    assert forestalls(g, TakeFront(g.ahvia), Underway(CarryOut(), here, False)) is None
    assert forestalls(g, TakeFront(g.ahvia), Underway(CarryOut(), here, True)) == "decision-pending"
    assert forestalls(g, TakeFront(g.ahvia), Underway(CarryOut(), scene("elsewhere"), True)) is None


def forestalls(g: Game, do: object, waits: Underway) -> str | None:
    """How it is refused while that waits."""
    table = g.table()
    table.underway = lambda: (waits,)
    try:
        Conversation(RULESET, table, do)
    except Refused as no:
        return no.code
    return None
