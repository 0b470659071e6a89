"""What the game signs: its words, dials, rules, accounts; what people may declare and see."""

from __future__ import annotations

import dataclasses
import json
import re
from itertools import pairwise
from typing import Any, get_args

import msgspec
import pytest

from api.http.examples import list_examples
from api.http.forms import list_schemas
from ledger.application import json_form
from ledger.rules import systems
from ledger.rules.intensity import RULESET
from ledger.rules.intensity.advantage_points import SpendAdvantage
from ledger.rules.intensity.attacks import ChooseImpact, Resolve, Waive
from ledger.rules.intensity.defence import Defend
from ledger.rules.intensity.draft import Draft
from ledger.rules.intensity.fatals import UseFatal
from ledger.rules.intensity.negotiation import Negotiate
from ledger.rules.intensity.out_of_play import FatalUse
from ledger.rules.intensity.state import Character, Scene, sort_pair
from ledger.rules.intensity.turns import Pass
from ledger.rules.kernel import json_types
from ledger.rules.kernel.commands import HandOver
from ledger.rules.kernel.declarations import GM, find_declarer, find_fact_kind, find_kind
from ledger.rules.kernel.dials import check_dial, list_dial_fields
from ledger.rules.kernel.fold import keep_unchanged
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.subjects import CAMPAIGN, character, scene, seat
from ledger.rules.kernel.table import find_viewer
from projections.documents.guide import write_guide
from tests.rules.intensity import situations as at
from tests.rules.intensity.chance import DIAL_VALUES, play_at_random, reached
from tests.rules.intensity.game import Game
from tests.rules.refusals import unmet, unsaid


def test_it_is_found():
    assert systems()["intensity"] is RULESET


def test_the_guide_prints_the_rules_as_one_would_read_them():
    parts = [id.split(".")[1] for id in RULESET.rules]
    assert list(dict.fromkeys(parts)) == [
        "level",
        "trait",
        "round",
        "order",
        "action",
        "defence",
        "impact",
        "step",
        "fatal",
        "negotiate",
        "ap",
        "scene",
        "rest",
        "heal",
    ]
    read = [id.removeprefix("intensity.") for id in RULESET.rules]
    for earlier, later in pairwise(
        [
            "round.declare",
            "round.roll",
            "order.key",
            "round.close",
            "action.attack",
            "defence.pick-up",
            "action.success",
            "impact.rating",
            "impact.ladder",
            "fatal.achieve",
            "fatal.use",
        ]
    ):
        assert read.index(earlier) < read.index(later), later


@pytest.mark.slow
def test_every_cited_rule_is_in_the_book():
    cited = reached().cited | reached().heard.rules
    assert {rule for rule in cited if not rule.startswith("ledger.")} == set(RULESET.rules)
    assert len(RULESET.rules) == 63


def test_statements_are_sentences():
    for rule, text in RULESET.rules.items():
        assert text.statement.endswith("."), rule
        assert text.heading or text.statement.startswith("Not in the source: "), rule


def test_t6_statements_say_the_thresholds_and_the_prices():
    """As the book prints them; the statements are made from the tables."""
    said = {id: text.statement for id, text in RULESET.rules.items()}
    ladder = "a tax at any rating, an advantage point from 12, damage from 14, a wound from 16, a fatal impact from 20"
    assert ladder in said["intensity.impact.ladder"]
    assert said["intensity.ap.reroll"].startswith("The defender can spend 1 advantage point to")
    assert said["intensity.ap.maximum"].startswith("The attacker can spend 2 advantage points to")
    assert said["intensity.ap.defence4"].startswith("After the defence roll, the defender can spend 3 advantage points")
    assert "can spend 4 advantage points to add 4" in said["intensity.action.attack"]


# --- dials --------------------------------------------------------------------------------------------------------


def test_every_dial_has_its_rule():
    for name, one in list_dial_fields(RULESET.dials).items():
        assert one.metadata["rule"] in RULESET.rules, name


def test_the_defaults_come_first():
    """Each dial, its default, its other values."""
    dials = RULESET.dials()
    assert {name: getattr(dials, name) for name in DIAL_VALUES} == {name: one[0] for name, one in DIAL_VALUES.items()}
    assert list(DIAL_VALUES) == list(list_dial_fields(RULESET.dials))


@pytest.mark.parametrize("name", DIAL_VALUES)
def test_a_dial_takes_its_values_and_no_other(name):
    hint = json_types.load_hints(RULESET.dials)[name]
    assert set(DIAL_VALUES[name]) == (set(get_args(hint)) or {True, False})
    for value in DIAL_VALUES[name]:
        assert check_dial(RULESET, name, value).startswith("intensity.")


@pytest.mark.slow
@pytest.mark.parametrize("name", DIAL_VALUES)
def test_random_play_is_under_every_value_of_a_dial(name):
    assert {value for dial, value in reached().dials if dial == name} >= set(DIAL_VALUES[name][1:])


@pytest.mark.parametrize("name", DIAL_VALUES)
def test_t6_the_guide_says_what_each_value_of_a_dial_means(name):
    (row,) = (
        line
        for line in write_guide(RULESET, list_schemas("intensity"), {}).splitlines()
        if line.startswith(f"| `{name}` |")
    )
    for value in DIAL_VALUES[name]:
        assert f"`{json.dumps(value)}`:".replace('"', "") in row.split(" | ")[2], row


def test_a_dial_turned_in_play_holds_from_then_on():
    game = at.rolled()
    game.set_dial("initiative_basis", "standing_dice")
    game.attack(game.ann)
    game.defend(("intensity", 10))
    game.resolve()
    assert game.refuses(Pass(game.dan)) == "not-your-turn"  # Bea's 5 still leads
    game.does(Pass(game.bea))


def test_only_who_asks_for_the_dials_is_noted_to_have_read_them():
    """A round is opened alike under all dials: turning one in a what-if is no reason to rule its opening anew."""
    game = at.in_a_scene()
    game.open(game.ann, game.bea)
    assert "dials" not in game.history[-1].reads
    game.says(game.ann, game.bea)
    assert "dials" in game.history[-1].reads


# --- words --------------------------------------------------------------------------------------------------------


def test_words_are_kebab_case_and_told_apart():
    kinds = [find_kind(one) for one in RULESET.inputs]
    stored = [find_fact_kind(one) for one in RULESET.facts]
    assert len(set(kinds)) == len(kinds) == 23
    assert len(set(stored)) == len(stored) == 52
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", kind) for kind in kinds)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*@[12]", kind) for kind in stored)
    assert [kind for kind in stored if kind.endswith("@2")] == ["character-taken-out@2"], "out for a time in words"


def test_every_fact_changes_one_kind_of_subject_or_says_that_it_changes_none():
    for fact in RULESET.facts:
        changing = [changes[fact] for changes in Draft.fold.changes.values() if fact in changes]
        assert len(changing) == 1 or set(changing) == {keep_unchanged}, fact


@pytest.mark.slow
def test_facts_are_told_about_the_subject_they_change():
    """Played at random, nothing goes adrift and every fact has been told at least once."""
    assert not reached().adrift
    assert not [one for one in RULESET.facts if one not in reached().told]


@pytest.mark.slow
def test_random_play_declares_and_answers_everything():
    assert not [one for one in RULESET.inputs if one not in reached().declared]
    assert not [one for one in RULESET.choices if one not in reached().said]


@pytest.mark.slow
def test_random_play_meets_every_refusal_there_is():
    """And each has a sentence, of what it gives."""
    assert unmet(RULESET, reached().heard) == set()
    assert unsaid(RULESET, reached().heard) == []


@pytest.mark.slow
def test_every_rule_decides_somewhere():
    """Each rule of the book stands in a derivation."""
    assert not [rule for rule in RULESET.rules if rule not in reached().cited]


def test_facts_hold_nothing_that_is_no_json():
    for seed in range(20):
        for verdict in play_at_random(seed, 80).verdicts:
            for about in verdict.facts:
                if type(about.fact) in RULESET.facts:
                    encoded = msgspec.json.encode(about.fact)
                    assert msgspec.json.decode(encoded, type=type(about.fact)) == about.fact
            for one in verdict.because:
                json.dumps({"given": json_form.to_json(dict(one.given)), "out": json_form.to_json(one.out)})


@pytest.mark.parametrize("example", list_examples("intensity"), ids=lambda one: one["name"])
def test_inputs_are_the_same_after_a_journey(example):
    for step in example["step"]:
        do = json_form.declaration_from_json(RULESET, step["declare"])
        assert json_form.declaration_from_json(RULESET, json.loads(json.dumps(json_form.declaration_to_json(do)))) == do


def test_an_amended_declaration_tells_left_out_from_taken_away():
    left_out = json_form.declaration_from_json(RULESET, {"kind": "amend-declaration", "char": "1", "trait": "A"})
    taken_away = json_form.declaration_from_json(RULESET, {"kind": "amend-declaration", "char": "1", "target": None})
    assert (left_out.target, taken_away.target, taken_away.trait) == ("", None, "")


# --- who may declare ----------------------------------------------------------------------------------------------

WHO = {
    "gm": "abandon-round settle-tie close-round note-conflict bring-back",
    "anyone": "open-round roll rest healing-moment",
    "either": "join-round declare raise amend-declaration pass attack defend spend-advantage resolve choose-impact"
    " waive negotiate use-fatal release-fatal",
}


def test_who_may_declare_what():
    expected = {kind: who for who, kinds in WHO.items() for kind in kinds.split()}
    assert {find_kind(one): find_declarer(one).who for one in RULESET.inputs} == expected


def whose(game: Game, do: Any, by: str = "gm") -> str | None:
    declarer = find_declarer(do)
    assert declarer is not GM
    assert declarer.of is not None
    return declarer.of(game.table(by), do)


def test_the_open_attack_says_whose_it_is():
    game = at.attacked()
    assert whose(game, Defend()) == game.bea
    assert whose(game, Resolve()) == whose(game, Waive()) == game.ann
    assert whose(game, ChooseImpact("wound")) == game.ann
    assert whose(game, SpendAdvantage(game.bea, "reroll")) == game.bea


@pytest.mark.parametrize("moment", [at.before_any_scene, at.in_a_scene, at.rolled])
def test_without_an_attack_it_is_nobodys(moment):
    game = moment()
    assert whose(game, Defend()) is None
    assert whose(game, Resolve()) is None


def test_a_bargain_is_declared_by_a_party():
    game = at.in_a_scene()
    game.declare(HandOver(game.ann, "gm"))
    deal = Negotiate((game.ann, game.bea), "peace")
    assert whose(game, deal, "p") == game.bea
    assert whose(game, deal, "gm") == game.ann
    assert whose(game, Negotiate((), "peace")) is None


def test_a_fatal_is_used_by_its_holder():
    game = at.holding()
    assert whose(game, UseFatal((FatalUse(game.fatal, "x"),))) == game.ann
    assert whose(game, UseFatal((FatalUse(game.fatal, "x", by=game.dan),))) == game.dan
    assert whose(game, UseFatal((FatalUse("999", "x"),))) is None
    assert whose(game, UseFatal(())) is None


# --- what is shown ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", ["gm", "p", "o"])
def test_everybody_sees_everything(viewer):
    game = at.defended()
    for subject in (CAMPAIGN, scene(game.scene_id), character(game.ann), seat("p")):
        shown = game.view(subject, viewer)
        json.dumps(json_form.to_json(shown))
        assert shown == game.view(subject)


def test_a_scene_is_shown():
    game = at.defended()
    shown = game.view(scene(game.scene_id))["round"]
    bea = shown["participants"][1]
    assert (bea["char"], bea["standing"], bea["turn"], bea["maximum"]) == (game.bea, [5], "pending", 10)
    assert bea["dice"]["intensity"] == {"size": 10, "face": 7, "picked_up": True, "defence": 4}
    assert shown["order"] == [[game.ann], [game.bea], [game.dan]]
    assert shown["attack"]["attacker"] == game.ann
    assert find_viewer(game.past, seat("o")) is not None


def test_a_held_fatal_is_shown():
    game = at.holding()
    (held,) = game.view(scene(game.scene_id))["fatals"]
    assert (held["fatal"], held["holder"], held["subject"]) == (game.fatal, game.ann, game.bea)


# --- state --------------------------------------------------------------------------------------------------------


def test_changing_is_replacing():
    who = Character(kind="main", out="scene")
    assert changed(who, out=None) == dataclasses.replace(who, out=None)
    assert changed(Scene()) == Scene()
    assert who.out == "scene"


def test_states_can_be_set_by_hand():
    """Any piece of any state: what a table's amendment needs."""
    wound = {"kind": "wound", "trait": None, "by": "1", "cause": "x"}
    who = json_types.replace_at(Character(kind="main"), "impacts/7", wound)
    assert who.impacts["7"].kind == "wound"
    with pytest.raises(json_types.Misshapen):
        json_types.replace_at(who, "out", "soon")


def test_a_pair_has_one_form():
    assert sort_pair("b", "a") == sort_pair("a", "b") == ("a", "b")
