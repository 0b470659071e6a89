"""The record of the system: every rule, dial, refusal and word of the specification."""

from __future__ import annotations

import dataclasses
from collections import Counter
from random import Random

import pytest

from ledger.rules.contract import Refused, Viewer, scene
from ledger.rules.housekeeping import SetDial, check_dial, dial_fields
from ledger.rules.mongrel import RULESET
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.state import Seat
from ledger.rules.mongrel.tables import STEREOTYPES
from ledger.rules.mongrel.terms import HOUSES
from tests.rules.mongrel.chance import DIAL_VALUES, play_at_random, sit_down
from tests.rules.mongrel.game import VOORUK, Game


def test_every_rule_has_a_statement_of_its_own():
    assert len(RULESET.rules) == 104
    assert len({text.statement for text in RULESET.rules.values()}) == 104
    assert all(text.heading for text in RULESET.rules.values())


def test_every_dial_and_value():
    assert list(dial_fields(Dials)) == list(DIAL_VALUES)
    for name, values in DIAL_VALUES.items():
        assert getattr(Dials(), name) == values[0]
        for value in values:
            check_dial(RULESET, name, value)
        with pytest.raises(Refused, match="dial-value"):
            check_dial(RULESET, name, "no such value")
    assert Game().refuses(SetDial("no_such", 1, "x")) == "unknown-dial"


def test_the_houses():
    assert set(STEREOTYPES) == set(HOUSES) and len(HOUSES) == 7


#: What random play seldom comes to: rounds of fatigue, an Identity that falls for another. Tables test these.
SELDOM = {
    "IdentityRaised", "IdentityReduced", "CharacterExhausted", "AttributeRaised", "ActionPointMaximumLifted",
    "PowerAllocated",
}  # fmt: skip
#: Rules that are setting, or say what does not happen.
NEVER_CITED = {"mongrel.house.reference", "mongrel.ap.no-automatic", "mongrel.identity.forms"}
WORDS = ("mongrel.house.opinion.", "mongrel.expertise.area.", "mongrel.power.options.")


def test_random_play_comes_to_nearly_every_fact_and_rule():
    games = [play_at_random(seed, 90) for seed in range(150)]
    told = {type(fact).__name__ for game in games for fact in _facts(game)}
    assert {cls.__name__ for cls in RULESET.facts} - told <= SELDOM
    cited = {one.rule for game in games for verdict in game.verdicts for one in verdict.because}
    uncited = {id for id in set(RULESET.rules) - cited - NEVER_CITED if not id.startswith(WORDS)}
    assert uncited <= {
        "mongrel.attr.ignored-and-old", "mongrel.attr.lowering", "mongrel.cp.consequences", "mongrel.cp.attribute",
        "mongrel.damage.terminal-stage", "mongrel.resolve.collapsed-hit", "mongrel.power.alone",
    }  # fmt: skip


#: What the second reading brought: each accepted, and each of its refusals met, in random play.
AMENDED = {
    "roll-task": (
        "occult-needs-resolve", "too-slow", "not-your-turn", "no-ap", "bad-target", "side-unknown", "hit-kind", None
    ),
    "purchase": (
        "occult-needs-resolve", "too-slow", "not-your-turn", "no-ap", "bad-target", "item-blank", "possession-unknown",
        "number-and-possession", "decision-pending", "agreed-blank", None,
    ),
    "occult": ("imitates-itself", "too-slow", None),
    "occult-purchase": (
        "too-slow", "occult-needs-resolve", "no-resolve", "imitates-itself", "expertise-unknown", "credit-short",
        "bad-target", None,
    ),
    "attack": ("possession-unknown", "number-and-possession", "no-weapon", "no-armour", None),
    "take-hit": ("possession-unknown", "number-and-possession", "no-armour", None),
    "rest": ("in-conflict", None),
    "refresh-resolve": ("in-conflict", None),
    "leave-conflict": ("not-in-scene", "decision-pending", None),
    "retire": ("decision-pending", None),
    "note-present": ("session-unknown", "nobody-played", "duplicate", None),
    "award-session": ("session-unknown", "award-range", "award-differs", "nobody-played", "already-awarded", None),
    "end-vow": ("no-vow", "outcome-unknown", "reason-blank", None),
    "gain-item": ("item-blank", "bad-score", None),
    "part-with-item": ("possession-unknown", "bad-target", None),
    "describe": (None,),
    "reveal": ("text-blank", None),
}  # fmt: skip


def test_random_play_meets_every_amended_input_and_its_refusals():
    met: Counter[tuple[str, str | None]] = Counter()
    for seed in range(150):
        game = Game()
        game.enrol("Twin", VOORUK, "q")
        met.update(sit_down(game, Random(seed), 90).met)
    wanted = [(kind, code) for kind, codes in AMENDED.items() for code in codes]
    assert {one: met[one] for one in wanted if not met[one]} == {}


def _facts(game):
    return [about.fact for verdict in game.verdicts for about in verdict.facts]


def test_views():
    game = Game()
    game.conflict()
    assert game.view(scene(game.scene_id), "o")["conflict"]["queue"] == [game.vooruk, game.giazza, game.ahvia]
    assert RULESET.view(Seat(), Viewer("o", "observer")) == {}
    assert dataclasses.is_dataclass(RULESET.sheet)
