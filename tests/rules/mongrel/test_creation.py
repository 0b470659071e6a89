"""Making a character: every fault of every group, in order."""

from __future__ import annotations

import pytest

from ledger.rules.kernel.commands import Enrol
from ledger.rules.mongrel.characters import CharacterCreated, CreditAccountsOpened
from ledger.rules.mongrel.houses import MakeVow, SetStatus, VowLine, VowMade
from ledger.rules.mongrel.identities import (
    list_attribute_faults,
    list_body_faults,
    list_forms,
    list_identity_faults,
    list_lowering_faults,
)
from ledger.rules.mongrel.powers import AllocatePower, list_picks_faults, list_power_faults, work_out_levels
from ledger.rules.mongrel.tables import AREA_OF, CATEGORIES, EXPERTISE, OPTIONS
from tests.rules.mongrel.game import AHVIA, GIAZZA, VOORUK, Game, but, scores, the


@pytest.mark.parametrize(
    ("man", "beast", "demon", "primary", "faults"),
    [
        (2, 0, 4, "demon", []),
        (2, 2, 2, "beast", []),
        (3, 3, 0, "man", []),
        (3, 3, 0, "demon", ["identity-primary-not-highest"]),
        (1, 2, 2, "beast", ["identity-sum"]),
        (6, 0, 0, "man", ["identity-two-zeros"]),
        (7, 0, 0, "beast", ["identity-sum", "identity-two-zeros", "identity-primary-not-highest"]),
        (7, 0, 0, "angel", ["identity-primary-unknown"]),
        (-1, 3, 4, "angel", ["identity-not-natural"]),
        ("2", 2, 2, "man", ["identity-not-natural"]),
        (True, 2, 3, "demon", ["identity-not-natural"]),
        (2.0, 2, 2, "man", ["identity-not-natural"]),
    ],
)
def test_identity(man, beast, demon, primary, faults):
    assert list_identity_faults({"man": man, "beast": beast, "demon": demon}, primary) == faults
    if faults:
        refusal = Game().refusal(Enrol("X", "p", but(AHVIA, man=man, beast=beast, demon=demon, primary=primary)))
        assert (refusal.code, refusal.context["faults"][: len(faults)]) == (faults[0], faults)


@pytest.mark.parametrize(
    ("man", "beast", "demon", "primary", "allowed"),
    [
        (5, 1, 0, "man", ("human",)),
        (1, 4, 1, "beast", ("quadruped", "biped-primate", "biped-bird")),
        (2, 0, 4, "demon", ("human",)),
        (0, 2, 4, "demon", ("quadruped", "biped-primate", "biped-bird")),
        (1, 1, 4, "demon", ("human", "quadruped", "biped-primate", "biped-bird")),
    ],
)
def test_body(man, beast, demon, primary, allowed):
    identity = {"man": man, "beast": beast, "demon": demon}
    assert list_forms(identity, primary) == allowed
    for body in ("human", "quadruped", "biped-primate", "biped-bird", "blob"):
        fine = [] if body in allowed else ["body-form"]
        assert list_body_faults(identity, primary, body, ("spines",)) == fine
        assert list_body_faults(identity, primary, body, ()) == (["body-form"] if primary == "demon" else fine)


ATTRIBUTE_CASES = [
    ("man", "male", "adult", (4, 4, 6, 2, 4, 4), []),
    ("man", "male", "adult", (5, 3, 6, 2, 4, 4), ["size-spirit-man"]),
    ("man", "male", "adult", (5, 4, 6, 2, 4, 4), ["size-spirit-sum", "size-spirit-man"]),
    ("beast", "male", "adult", (4, 4, 6, 2, 4, 4), ["size-spirit-beast"]),
    ("demon", "male", "adult", (4, 4, 6, 2, 4, 4), ["size-spirit-demon"]),
    ("demon", "female", "adult", (2, 6, 3, 5, 4, 4), []),
    ("man", "male", "adult", (4, 4, 6, 3, 4, 4), ["physique-beauty-sum"]),
    ("man", "male", "adult", (4, 4, 4, 4, 3, 5), ["social-over-4"]),
    ("man", "female", "adult", (4, 4, 4, 4, 3, 5), ["social-over-4"]),
    ("man", "male", "adult", (4, 4, 2, 6, 4, 4), []),
    ("man", "male", "adult", (4, 4, 2, 6, 4, 5), ["speed-social-sum", "social-over-4"]),
    ("man", "male", "young", (4, 4, 6, 2, 4, 4), ["speed-social-young"]),
    ("man", "male", "old", (4, 4, 6, 2, 4, 4), ["speed-social-old"]),
    ("man", "male", "young", (4, 4, 2, 6, 2, 6), ["social-over-4", "speed-social-young"]),
    ("man", "male", "old", (4, 4, 2, 6, 3, 4), []),
    ("man", "male", "old", (4, 4, 2, 6, 1, 4), []),
    ("man", "male", "old", (4, 4, 2, 6, 4, 5), ["social-must-be-4", "speed-over-3"]),
    ("man", "male", "old", (4, 4, 2, 6, 4, 4), ["speed-over-3"]),
    ("man", "male", "old", (4, 4, 2, 6, 2, 6), ["social-must-be-4"]),
    ("beast", "female", "old", (3, 4, 4, 5, 1, 7), ["size-spirit-sum", "size-spirit-beast", "physique-beauty-sum"]),
]


@pytest.mark.parametrize(("primary", "sex", "age", "given", "faults"), ATTRIBUTE_CASES)
def test_attributes(primary, sex, age, given, faults):
    assert list_attribute_faults(primary, sex, age, scores(*given)) == faults


@pytest.mark.parametrize(
    ("new", "code"),
    [
        ({"sex": "none", "age": "none"}, "sex-unknown"),
        ({"age": "none", "attributes": {}}, "age-unknown"),
        ({"attributes": {"size": 99}}, "attribute-missing"),
        ({"attributes": {**GIAZZA.attributes, "luck": 3}}, "attribute-unknown"),
        ({"attributes": scores(8, 0, 6, 2, 4, 4)}, "attribute-range"),
        ({"attributes": {**GIAZZA.attributes, "size": "4"}}, "attribute-range"),
        ({"lowered": {}}, "attribute-missing"),
        ({"lowered": {**GIAZZA.attributes, "size": 4.0}}, "attribute-range"),
        ({"lowered": {**GIAZZA.attributes, "size": 5, "social": 0}}, "lowering-raises"),
        ({"lowered": {**GIAZZA.attributes, "social": 0}}, "attribute-range"),
        ({"house": "oz", "man": -1}, "house-unknown"),
        ({"plus_one": ("lie",), "plus_two": ("zap", "zap")}, "expertise-two-per-step"),
        ({"plus_two": ("zap", "animal_power")}, "expertise-unknown"),
        ({"plus_two": ("animal_power", "melee")}, "power-not-primary"),
        ({"plus_two": ("melee", "sense")}, "expertise-repeated"),
        ({"plus_two": ("sense", "sense")}, "expertise-repeated"),
        ({"power": {"wings": "x"}}, "power-option-unknown"),
        ({"power": {"body_compartment": -1}}, "power-not-natural"),
        ({"power": {"body_compartment": 2}}, "power-overspent"),
        ({"vows": (VowLine(" ", "goal"),)}, "vow-object"),
        ({"vows": (VowLine("oz", "house"),)}, "house-unknown"),
        ({"expertise": {"zap": 1}}, "expertise-unknown"),
        ({"expertise": {"rend": -1}}, "bad-score"),
        ({"expertise": {"rend": 4}}, "expertise-not-from-steps"),
    ],
)
def test_refused(new, code):
    assert Game().refuses(Enrol("X", "p", but(GIAZZA, **new))) == code


def test_all_faults_of_a_group_are_told():
    refusal = Game().refusal(Enrol("X", "p", but(GIAZZA, power={"wings": 1, "body_compartment": 9})))
    assert refusal.context["faults"] == ["power-option-unknown", "power-overspent"]
    refusal = Game().refusal(Enrol("X", "p", but(GIAZZA, size=5, physique=5, age="young")))
    assert refusal.context["faults"] == [
        "size-spirit-sum",
        "size-spirit-man",
        "physique-beauty-sum",
        "speed-social-young",
    ]


def test_six_is_the_most_of_anything_where_the_table_says_so():
    assert Game().refuses(Enrol("X", "p", but(VOORUK, size=8, spirit=0))) == "attribute-range"
    game = Game()
    game.set_dial("everything_max", 6)
    assert game.refuses(Enrol("X", "p", VOORUK)) == "attribute-range"
    game.enrol("X", but(VOORUK, physique=6, beauty=2))


@pytest.mark.parametrize(
    ("primary", "sex", "age", "given", "faults"),
    [
        ("beast", "male", "old", (3, 3, 7, 1, 3, 3), ["size-spirit-beast", "speed-social-old"]),
        ("demon", "female", "young", (2, 2, 3, 3, 2, 5), ["size-spirit-demon", "social-over-4", "speed-social-young"]),
        ("man", "male", "adult", (1, 3, 6, 2, 1, 7), []),
    ],
)
def test_lowering_keeps_constraints(primary, sex, age, given, faults):
    assert list_lowering_faults(primary, sex, age, scores(*given)) == faults


def test_lowering():
    game = Game()
    low = {**VOORUK.attributes, "size": 3, "social": 1}
    sheet = but(VOORUK, lowered=low)
    made = game.declare(Enrol("X", "p", sheet))
    done = the(made, CharacterCreated)
    assert (done.chosen, done.attributes) == (VOORUK.attributes, low)
    assert the(made, CreditAccountsOpened).credit["mekag"] == 1
    game.set_dial("lowering_keeps_constraints", True)
    assert game.refusal(Enrol("X", "p", sheet)).context["faults"] == ["size-spirit-beast", "speed-social-old"]


# --- Expertise -------------------------------------------------------------------------------------------------------


def test_the_table_of_expertise():
    assert len(EXPERTISE) == len(set(EXPERTISE)) == 23
    assert [len(CATEGORIES[one]) for one in ("demon", "man", "beast")] == [7, 8, 8]
    assert set(AREA_OF) == set(EXPERTISE) - set(OPTIONS)
    assert [len(options) for options in OPTIONS.values()] == [5, 5, 5]


def test_steps_by_hand():
    """Picks in one Area raise the rest of it once; a Power brings no Area; steps add up to 4 at the most."""
    got = work_out_levels("beast", (("rend", "athletics"), ("burn", "stalk"), ("melee", "lie")))
    assert {name: got[name] for name in ("rend", "athletics", "balance", "burn", "melee", "stalk", "lie")} == {
        "rend": 4,
        "athletics": 4,
        "balance": 2,
        "burn": 3,
        "melee": 2,
        "stalk": 3,
        "lie": 1,
    }
    got = work_out_levels("demon", (("diabolic_power", "know"), ("lie", "resist"), ("burn", "chill")))
    assert (got["diabolic_power"], got["know"], got["missile"], got["resist"], got["occult"]) == (4, 4, 1, 4, 1)
    assert "rend" not in got and max(got.values()) == 4


@pytest.mark.parametrize(
    ("picks", "code"),
    [
        ((("know", "lie"), ("burn", "chill"), ("rend", "sense")), None),
        ((("know",), ("burn", "chill"), ("rend", "sense")), "expertise-two-per-step"),
        ((("know", "lie"), ("burn", "chill"), ("rend", "borg_power")), "power-not-primary"),
        ((("know", "lie"), ("burn", "chill"), ("rend", "know")), "expertise-repeated"),
    ],
)
def test_picks(picks, code):
    assert [found for _, found, _ in list_picks_faults("demon", picks)] == ([code] if code else [])


def test_power():
    assert list_power_faults("demon", 3, {"wings": 2, "inhuman_face": 1}) == []
    assert list_power_faults("man", 2, {"replacement_limb": 2}) == []
    assert list_power_faults("man", 2, {"replacement_limb": 3}) == ["power-overspent"]
    assert list_power_faults("man", 2, {"wings": -1}) == ["power-option-unknown", "power-not-natural"]
    game = Game()
    assert game.refuses(AllocatePower(game.giazza, "body_compartment")) == "power-overspent"
    id = game.enrol("X", but(GIAZZA, power={}))
    assert game.refuses(AllocatePower(id, "body_compartment", -1)) == "power-not-natural"
    game.does(AllocatePower(id, "body_compartment"))
    assert game.character(id).power == {"body_compartment": 1}


# --- what starts -----------------------------------------------------------------------------------------------------


def test_starting_values():
    game = Game(house_status=True, starting_ap_bonus=2)
    assert (game.ap(game.ahvia), game.resolve(game.ahvia), game.beauty(game.ahvia)) == (8, 6, 5)
    assert [game.credit(game.ahvia, house) for house in ("mekag", "nuin")] == [2, 1]
    assert game.character(game.ahvia).status == 2
    assert game.view(game.table().subjects("character")[0])["wound_threshold"] == [2, 5, 8]
    game.does(SetStatus(game.ahvia, 4))
    assert game.character(game.ahvia).status == 4
    assert game.refuses(SetStatus(game.ahvia, -1)) == "bad-score"
    assert Game().refuses(SetStatus("1", 4)) == "no-house-status"


def test_vows():
    game = Game()
    made = game.declare(Enrol("X", "p", but(AHVIA, vows=(VowLine("repta", "house"), VowLine("Vooruk", "person")))))
    assert [about.fact.object for about in made.facts if isinstance(about.fact, VowMade)] == ["repta", "Vooruk"]
    game.does(MakeVow(game.ahvia, "freedom"))
    assert game.character(game.ahvia).vows[0].about == "goal"
    for named, about, code in (
        (" ", "goal", "vow-object"),
        ("x", "oath", "vow-object"),
        ("oz", "house", "house-unknown"),
    ):
        assert game.refuses(MakeVow(game.ahvia, named, about)) == code


def test_import():
    """A table may take a sheet as printed: what cannot be played is refused all the same."""
    game = Game(sheet_validation="warn")
    odd = but(GIAZZA, man=4, body="cube", size=9, power={"body_compartment": 3}, plus_one=())
    done = the(game.declare(Enrol("X", "p", odd)), CharacterCreated)
    assert done.deviations == (
        "identity-sum",
        "body-form",
        "attribute-range",
        "size-spirit-sum",
        "size-spirit-man",
        "expertise-two-per-step",
        "power-overspent",
    )
    for new, code in (
        ({"man": -1}, "identity-not-natural"),
        ({"primary": "x"}, "identity-primary-unknown"),
        ({"sex": "x"}, "sex-unknown"),
        ({"age": "x"}, "age-unknown"),
        ({"attributes": {}}, "attribute-missing"),
        ({"size": -1}, "attribute-range"),
        ({"power": {"x": 1}}, "power-option-unknown"),
        ({"house": "x"}, "house-unknown"),
        ({"plus_one": ("x", "y")}, "expertise-unknown"),
    ):
        assert game.refuses(Enrol("X", "p", but(GIAZZA, **new))) == code


@pytest.mark.parametrize(
    ("lowered", "deviations"),
    [
        ({"size": 5}, ("lowering-raises",)),
        ({"social": 0}, ("attribute-range",)),
        ({"size": 5, "social": 0}, ("lowering-raises",)),
    ],
)
def test_import_of_a_lowering(lowered, deviations):
    """The first fault of a lowering is its only deviation, and the scores stand as printed."""
    game = Game(sheet_validation="warn")
    sheet = but(GIAZZA, lowered={**GIAZZA.attributes, **lowered})
    assert the(game.declare(Enrol("X", "p", sheet)), CharacterCreated).deviations == deviations
    assert Game().refuses(Enrol("X", "p", sheet)) == deviations[0]
