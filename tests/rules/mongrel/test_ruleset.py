"""The record of the system: every rule, dial, refusal and word of the specification."""

from __future__ import annotations

import dataclasses

import pytest

from ledger.rules.kernel.commands import SetDial
from ledger.rules.kernel.dials import check_dial, list_dial_fields
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.sentences import PHRASES as KERNEL
from ledger.rules.kernel.subjects import Viewer, scene, seat
from ledger.rules.mongrel import RULESET
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.state import Seat
from ledger.rules.mongrel.tables import STEREOTYPES
from ledger.rules.mongrel.terms import HOUSES
from tests.rules.mongrel.chance import DIAL_VALUES, reached
from tests.rules.mongrel.game import Game
from tests.rules.refusals import unmet, unsaid


def test_every_rule_has_a_statement_of_its_own():
    assert len(RULESET.rules) == 112
    assert len({text.statement for text in RULESET.rules.values()}) == 112
    assert all(text.heading for text in RULESET.rules.values())


def test_every_dial_and_value():
    assert list(list_dial_fields(Dials)) == list(DIAL_VALUES)
    for name, values in DIAL_VALUES.items():
        assert getattr(Dials(), name) == values[0]
        for value in values:
            check_dial(RULESET, name, value)
        with pytest.raises(Refused, match="dial-value"):
            check_dial(RULESET, name, "no such value")
    assert Game().refuses(SetDial("no_such", 1, "x")) == "unknown-dial"


def test_the_houses():
    assert set(STEREOTYPES) == set(HOUSES) and len(HOUSES) == 7


#: Rules that are setting, or say what does not happen.
NEVER_CITED = {"mongrel.house.reference", "mongrel.house.worlds", "mongrel.ap.no-automatic", "mongrel.identity.forms"}
WORDS = (
    "mongrel.house.opinion.",
    "mongrel.expertise.area.",
    "mongrel.expertise.identity.",
    "mongrel.power.options.",
)


@pytest.mark.nightly
def test_random_play_tells_every_fact_declares_every_input_and_makes_every_choice():
    assert not set(RULESET.facts) - reached().told
    assert not set(RULESET.inputs) - reached().declared
    assert not set(RULESET.choices) - reached().said


@pytest.mark.nightly
def test_random_play_cites_every_rule_that_decides():
    uncited = {id for id in set(RULESET.rules) - reached().cited - NEVER_CITED if not id.startswith(WORDS)}
    assert uncited == set()


#: What can be refused and is in random play not.
NOT_REACHED: dict[str, str] = {
    "character-differs": "random play cites no task that was against somebody else; see test_citing",
    "effect-differs": "random play cites no task with another Effect; see test_citing",
    "everything-max": "takes a score of 6 raised under a dial that random play seldom turns; see test_points",
}


@pytest.mark.nightly
def test_random_play_meets_every_refusal_there_is():
    """And each has a sentence, of what it gives. What is not met stands in `NOT_REACHED` with the reason."""
    met = reached().heard.codes | {code for _, code in reached().met if code is not None}
    assert unmet(RULESET, reached().heard) - met == set(NOT_REACHED)
    assert unsaid(RULESET, reached().heard) == [] and all(NOT_REACHED.values())
    assert met <= {*RULESET.phrases.refusals, *KERNEL.refusals}


#: What the second reading brought: each accepted, and each of its refusals met, in random play.
AMENDED = {
    "roll-task": (
        "occult-needs-resolve",
        "too-slow",
        "not-your-turn",
        "no-ap",
        "bad-target",
        "side-unknown",
        "hit-kind",
        None,
    ),
    "purchase": (
        "occult-needs-resolve",
        "too-slow",
        "not-your-turn",
        "no-ap",
        "bad-target",
        "item-blank",
        "possession-unknown",
        "number-and-possession",
        "decision-pending",
        "agreed-blank",
        None,
    ),
    "occult": ("imitates-itself", "too-slow", None),
    "occult-purchase": (
        "too-slow",
        "occult-needs-resolve",
        "no-resolve",
        "imitates-itself",
        "expertise-unknown",
        "credit-short",
        "bad-target",
        None,
    ),
    "attack": ("possession-unknown", "number-and-possession", "no-weapon", "no-armour", None),
    "take-hit": ("possession-unknown", "number-and-possession", "no-armour", "no-weapon", "no-such-ruling", None),
    "move-item": ("possession-unknown", "bad-target", "reason-blank", None),
    "sell-item": (
        "possession-unknown",
        "house-unknown",
        "bad-target",
        "has-a-player",
        "bad-amount",
        "credit-short",
        "collapsed",
        None,
    ),
    "rest": ("in-conflict", None),
    "set-clock": ("bad-number", "reason-blank", None),
    "refresh-resolve": ("in-conflict", "not-proposed", None),
    "leave-conflict": ("not-in-scene", "decision-pending", None),
    "retire": ("decision-pending", None),
    "mark-features": ("session-unsaid", "session-unknown", "feature-unknown", None),
    "note-present": ("session-unknown", "nobody-played", "duplicate", None),
    "award-session": ("session-unknown", "award-range", "award-differs", "nobody-played", "already-awarded", None),
    "end-vow": ("no-vow", "outcome-unknown", "reason-blank", None),
    "gain-item": ("item-blank", "bad-score", None),
    "part-with-item": ("dead", "collapsed", "possession-unknown", "bad-target", None),
    "describe": (None,),
    "reveal": ("text-blank", None),
}


@pytest.mark.nightly
def test_random_play_meets_every_amended_input_and_its_refusals():
    wanted = {(kind, code) for kind, those in AMENDED.items() for code in those}
    assert wanted - reached().met == set()


def test_views():
    game = Game()
    game.conflict()
    assert game.view(scene(game.scene_id), "o")["conflict"]["queue"] == [game.vooruk, game.giazza, game.ahvia]
    assert RULESET.view(seat("o"), Seat(), Viewer("o", "observer")) == {}
    assert dataclasses.is_dataclass(RULESET.sheet)
