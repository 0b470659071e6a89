"""The rule book as a whole: every option has its values, every code its sentence."""

from __future__ import annotations

import re

import pytest

from ledger.application import json_form
from ledger.rules.kernel import dials
from ledger.rules.kernel.declarations import find_fact_kind
from ledger.rules.moc import RULESET
from tests.rules.moc.chance import DIALS

CODES = re.findall(
    r"\S+",
    """
negative-dice negative-successes negative-beads negative-chips negative-harm negative-level negative-bits
unknown-element unknown-archetype unknown-card unknown-chip unknown-characteristic unknown-bead-use unknown-period
unknown-movement-mode unknown-roll-kind unknown-play unknown-dial-value time-not-positive value-not-positive
damage-above-six pain-above-capacity characteristic-below-one nothing-declared no-beads-played face-out-of-range
unknown-die unearned-bonus-die bonus-die-missing empty-pool free-success-fixed already-success tn-below-floor
unknown-difficulty wrong-token-pool characteristic-not-of-skill no-token primary-at-zero time-too-short
declares-more-than-rolled sub-pool-without-dice split-too-large advantage-not-repeatable wrong-draw-count
wrong-keep-count card-not-in-hand duplicate-card deck-empty shift-too-large same-element not-enough-beads card-overspent
no-such-die negative-add cannot-trump only-at-scene-end not-a-trade-up wrong-trade-value chips-not-held not-a-trade-down
too-many-chips gm-approval-needed only-at-arc-end empty-penalty purse-empty no-self-nomination already-nominated
bonus-needs-sacrifice rate-below-two primary-takes-the-rest no-primary-element dazed-no-beads wrong-element
roll-not-completed already-rolled one-bead-unless-primary one-bead-only must-spend-all no-such-tier over-budget
level-too-low level-too-high not-a-raise multiplier-out-of-range unknown-purchase not-a-ten pool-full recovery-no-split
healing-period-not-over no-damage-to-heal off-suit-not-split unknown-ag no-number-for-level unknown-card-class
unknown-power-level character-gone no-dice-to-buy
""",
)


def test_every_code_of_the_book_has_a_sentence():
    """Random play checks that each code is reached: `tests/rules/test_reached.py`."""
    assert sorted(set(CODES) - set(RULESET.phrases.refusals)) == []


def test_there_are_eighty_two_rules():
    assert len(RULESET.rules) == 82


@pytest.mark.parametrize(("name", "values"), DIALS.items())
def test_every_value_of_a_dial_is_allowed(name, values):
    for value in values:
        assert dials.check_dial(RULESET, name, value) in RULESET.rules


def test_every_dial_is_there():
    assert set(dials.list_dial_fields(RULESET.dials)) == {*DIALS, "tokens_per_primary", "scene_recovery_steps"}
    for name, field in dials.list_dial_fields(RULESET.dials).items():
        assert dials.check_dial(RULESET, name, json_form.to_json(field.default))


def test_facts_are_kebab_of_their_names():
    for one in RULESET.facts:
        words = re.findall(r"[A-Z][a-z]*", one.__name__)
        assert find_fact_kind(one).partition("@")[0] == "-".join(word.lower() for word in words)
