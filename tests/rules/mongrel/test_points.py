"""Sessions, awards, and what points may buy."""

from __future__ import annotations

import pytest

from ledger.rules.kernel.commands import CloseSession, OpenSession
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.houses import MakeVow
from ledger.rules.mongrel.points import (
    RaiseFeature,
    list_attribute_limits,
    list_expertise_limits,
    list_identity_limits,
    work_out_cost,
)
from ledger.rules.mongrel.sessions import AwardSession, AwardVow, MarkFeatures, NotePresent
from ledger.rules.mongrel.state import Character
from tests.rules.mongrel.game import Game, kinds_of, scores


def test_awards():
    game = Game()
    ahvia, vooruk = game.ahvia, game.vooruk
    assert game.refuses(AwardSession(1)) == "session-unknown"
    session = str(game.number)
    game.declare(OpenSession())
    game.does(NotePresent((ahvia, vooruk)))
    for points in (0, 3, "1", True):
        assert game.refuses(AwardSession(points)) == "award-range"
    game.does(AwardSession(2))
    assert game.refuses(AwardSession(2)) == "already-awarded"
    assert game.refuses(AwardVow(ahvia)) == "no-vow"
    game.does(MakeVow(ahvia, "revenge"))
    assert game.refuses(AwardVow(ahvia, conforming=False)) == "not-conforming"
    game.declare(CloseSession(session))
    game.does(AwardVow(ahvia, session=session))
    assert game.refuses(AwardVow(ahvia)) == "already-awarded"
    assert (game.cp(ahvia), game.cp(vooruk)) == (3, 2)
    game.set_dial("vow_award", "addressing")
    game.session()
    game.does(AwardVow(ahvia, conforming=False))
    assert game.refuses(AwardVow(ahvia, session=session)) == "session-unknown"


def test_only_what_the_last_session_used():
    game = Game()
    id = game.ahvia
    game.gives(id, "cp", 99)
    do = RaiseFeature(id, "rend")
    assert game.refuses(do) == "feature-not-used"
    game.session((id, ("rend",)))
    assert game.does(do).facts
    game.session()
    assert game.refuses(do) == "feature-not-used"
    game.session((id, ("rend",)))
    assert game.does(do).facts
    game.declare(OpenSession("another"))
    assert game.refuses(MarkFeatures(id, ("zap",))) == game.refuses(RaiseFeature(id, "zap")) == "feature-unknown"


def rich(*features, **dials):
    game = Game(**dials)
    game.session(*((id, features) for id in game.everybody()))
    for id in game.everybody():
        game.gives(id, "cp", 100)
    return game


@pytest.mark.parametrize(
    ("feature", "reduce", "dial", "cost"),
    [
        ("lie", None, "as_level_1", 20),
        ("negotiate", None, "as_level_1", 5),
        ("threaten", None, "as_level_1", 5),
        ("threaten", None, "literal", 0),
        ("demon", None, "as_level_1", 20),
        ("demon", "man", "as_level_1", 8),
        ("beast", None, "as_level_1", 5),
        ("beast", "man", "as_level_1", 2),
        ("beast", "man", "literal", 0),
        ("speed", None, "as_level_1", 30),
        ("size", None, "as_level_1", 10),
    ],
)
def test_costs(feature, reduce, dial, cost):
    game = rich(feature, zero_level_cost=dial)
    verdict = game.does(RaiseFeature(game.ahvia, feature, reduce))
    assert game.cp(game.ahvia) == 100 - cost
    assert kinds_of(verdict)[0] == "CharacterPointsSpent"
    game.gives(game.ahvia, "cp", cost - 100)
    if cost and feature != "speed":
        assert game.refuses(RaiseFeature(game.ahvia, feature)) == "points-short"


def test_consequences():
    game = rich("speed", "spirit", "social", "beauty", "demon", "diabolic_power")
    id = game.ahvia
    game.does(RaiseFeature(id, "speed"))
    assert game.ap(id) == 6
    game.does(RaiseFeature(id, "spirit"))
    assert game.resolve(id) == 6
    assert kinds_of(game.does(RaiseFeature(id, "social"))) == [
        "CharacterPointsSpent",
        "AttributeRaised",
        "SocialChanged",
        "CreditFollowedSocial",
    ]
    assert (game.character(id).attributes["social"], game.credit(id, "mekag")) == (3, 3)
    game.gives(id, "cp", 100)
    game.does(RaiseFeature(id, "beauty"))
    assert game.beauty(id) == 6
    assert game.refuses(RaiseFeature(id, "diabolic_power", option="head")) == "power-option-unknown"
    verdict = game.does(RaiseFeature(id, "diabolic_power", option="tail"))
    assert kinds_of(verdict) == ["CharacterPointsSpent", "ExpertiseRaised", "PowerAllocated"]
    assert game.character(id).power["tail"] == 1
    game.does(RaiseFeature(id, "demon", "man"))
    assert game.character(id).identity == {"man": 1, "beast": 0, "demon": 5}


SIX = Dials(everything_max=6)
HIGH = Dials(primary_must_stay_highest=True)


@pytest.mark.parametrize(
    ("identity", "reduce", "dials", "faults"),
    [
        ("man", None, Dials(), []),
        ("man", "man", Dials(), ["reduce-another"]),
        ("man", "size", Dials(), ["reduce-another"]),
        ("man", "beast", Dials(), ["nothing-to-reduce"]),
        ("man", "demon", Dials(), []),
        ("demon", "man", Dials(), []),
        ("man", "demon", HIGH, ["identity-primary-not-highest"]),
        ("man", None, HIGH, []),
    ],
)
def test_identity_limits(identity, reduce, dials, faults):
    who = Character(identity={"man": 2, "beast": 0, "demon": 3}, primary="demon")
    assert list_identity_limits(who, identity, reduce, dials) == faults


def test_identity_limits_at_the_edges():
    who = Character(identity={"man": 1, "beast": 0, "demon": 6}, primary="demon")
    assert list_identity_limits(who, "demon", "man", SIX) == ["everything-max", "identity-two-zeros"]
    assert list_identity_limits(who, "demon", "beast", SIX) == ["everything-max", "nothing-to-reduce"]


def test_expertise_limits():
    who = Character(expertise={"rend": 6, "borg_power": 6}, primary="beast")
    assert list_expertise_limits(who, "rend", Dials()) == []
    assert list_expertise_limits(who, "rend", SIX) == ["everything-max"]
    assert list_expertise_limits(who, "borg_power", SIX) == ["power-not-primary", "everything-max"]


ATTRIBUTES = [
    # primary, sex, age, scores, raised -> faults
    ("man", "male", "adult", (4, 4, 6, 2, 4, 4), "size", ["size-spirit-man"]),
    ("man", "male", "adult", (3, 4, 6, 2, 4, 4), "size", []),
    ("beast", "male", "adult", (5, 3, 6, 2, 4, 4), "spirit", []),
    ("beast", "male", "adult", (5, 4, 6, 2, 4, 4), "spirit", ["size-spirit-beast"]),
    ("beast", "male", "adult", (3, 5, 6, 2, 4, 4), "size", []),
    ("demon", "male", "adult", (4, 5, 6, 2, 4, 4), "size", ["size-spirit-demon"]),
    ("demon", "male", "adult", (4, 2, 6, 2, 4, 4), "spirit", []),
    ("man", "male", "adult", (4, 4, 4, 3, 4, 5), "beauty", ["social-over-4"]),
    ("man", "male", "adult", (4, 4, 4, 3, 4, 4), "beauty", []),
    ("man", "female", "adult", (4, 4, 3, 4, 4, 5), "physique", ["social-over-4"]),
    ("man", "female", "adult", (4, 4, 3, 4, 4, 5), "beauty", []),
    ("man", "male", "adult", (4, 4, 4, 4, 4, 4), "social", ["social-over-4"]),
    ("man", "male", "adult", (4, 4, 4, 4, 4, 3), "social", []),
    ("man", "male", "adult", (4, 4, 3, 4, 4, 5), "physique", []),
    ("man", "male", "young", (4, 4, 6, 2, 5, 4), "social", ["speed-social-young"]),
    ("man", "male", "young", (4, 4, 6, 2, 3, 4), "speed", []),
    ("man", "male", "old", (4, 4, 6, 2, 4, 5), "speed", ["speed-social-old"]),
    ("man", "male", "young", (4, 4, 2, 6, 4, 4), "social", ["social-over-4", "speed-social-young"]),
    ("beast", "male", "adult", (7, 3, 6, 2, 4, 4), "size", ["attribute-max"]),
]


@pytest.mark.parametrize(("primary", "sex", "age", "given", "raised", "faults"), ATTRIBUTES)
def test_attribute_limits(primary, sex, age, given, raised, faults):
    who = Character(primary=primary, sex=sex, age=age, attributes=scores(*given))
    assert list_attribute_limits(who, raised, Dials()) == faults


def test_the_highest_attribute():
    who = Character(primary="beast", sex="male", age="adult", attributes=scores(7, 3, 6, 2, 4, 4))
    assert list_attribute_limits(who, "size", Dials(attribute_max=None)) == []
    assert list_attribute_limits(who, "physique", SIX) == ["attribute-max"]
    assert list_attribute_limits(who, "physique", Dials()) == []


def test_every_fault_is_told_before_use_and_price():
    game = Game()
    refusal = game.refusal(RaiseFeature(game.giazza, "spirit"))
    assert (refusal.code, refusal.context["faults"]) == ("size-spirit-man", ["size-spirit-man"])
    assert game.refuses(RaiseFeature(game.giazza, "diabolic_power")) == "power-not-primary"
    assert game.refuses(RaiseFeature(game.giazza, "demon", "demon")) == "reduce-another"
    assert work_out_cost(0, None, Dials()) == 5 and work_out_cost(3, "man", Dials()) == 6
