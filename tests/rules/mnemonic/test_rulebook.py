"""The book: every rule of the specification is in it, and every one is at work somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from api.http.examples import list_examples
from ledger.rules.kernel import commands
from ledger.rules.kernel.declarations import find_declarer, find_fact_kind, find_kind, list_recorded_kinds
from ledger.rules.kernel.dials import list_dial_fields
from ledger.rules.mnemonic import RULESET
from ledger.rules.mnemonic.dials import Dials
from tests.rules.mnemonic.chance import play_at_random

SOURCE = Path(__file__).parents[3] / "ledger" / "rules" / "mnemonic"
CHAPTERS = {
    "trait": ["ladder", "rating", "primary", "rate"],
    "aptitude": ["sum", "bounds"],
    "chances": ["ladder", "rating"],
    "check": ["total", "outcome", "odds", "impossible", "certain"],
    "random": ["one", "three", "cards", "verbal"],
    "status": ["default", "names", "combine", "inactive", "fold", "posting"],
    "injury": ["cause", "aptitude", "worst", "check", "result"],
    "recovery": ["rate", "declared", "check", "inactive", "guides"],
    "dramatic": ["source", "aptitude", "presets", "hidden", "preview"],
    "fluke": ["one", "three", "kinds", "possible", "automatic", "spectacular", "no-death"],
    "feather": ["mode", "describe", "key", "assign", "record"],
    "ruling": ["authority", "before-roll", "order"],
}
IDS = [f"mnemonic.{chapter}.{rule}" for chapter, rules in CHAPTERS.items() for rule in rules]
#: Advice that nothing enforces, the law of the fold, and what is asked of a view: cited by no ruling.
NOT_CITED = {
    "mnemonic.recovery.guides",
    "mnemonic.dramatic.presets",
    "mnemonic.status.fold",
    "mnemonic.check.odds",
    "mnemonic.dramatic.preview",
}


def test_every_rule_is_in_the_book():
    assert sorted(RULESET.rules) == sorted(IDS)
    headings = {text.heading for text in RULESET.rules.values()}
    assert headings == {"calculating status", "dramatic considerations", "flukes", "featherweight mnemonic"}
    assert len({text.statement for text in RULESET.rules.values()}) == len(IDS)


def test_every_dial_names_its_rule():
    for name, field in list_dial_fields(Dials).items():
        assert field.metadata["rule"] in RULESET.rules, name


@pytest.mark.parametrize("seed", range(12))
def test_no_input_records_what_it_does_not_say(seed):
    game = play_at_random(seed, 120)
    for ruling, verdict in zip(game.history, game.verdicts, strict=True):
        recorded = {find_fact_kind(about.fact).partition("@")[0] for about in verdict.facts}
        kernel = isinstance(ruling.declared, commands.INPUTS)
        assert kernel or recorded <= set(list_recorded_kinds(ruling.declared)), find_kind(ruling.declared)


def test_the_examples_are_of_most_rules():
    shown = {rule for example in list_examples("mnemonic") for rule in example["rules"]}
    assert len(shown) >= 35
    assert shown <= set(IDS)


def test_who_may_declare():
    """The referee, whom a game master seats, rules; players act, describe, roll, and ask for a result that is due."""
    who = {find_kind(one): find_declarer(one).who for one in RULESET.inputs}
    assert {kind for kind, by in who.items() if by == "gm"} == {"seat-referee"}
    assert {kind for kind, by in who.items() if by == "anyone"} == {"resolve"}
    said = {find_kind(one): find_declarer(one).text for one in RULESET.inputs if find_declarer(one).who == "seat"}
    assert {kind for kind, text in said.items() if text != "the referee"} == {
        "declare-action",
        "describe-abilities",
        "enter-roll",
    }
    assert len(said) + 2 == len(who)


def test_no_input_names_a_field_kind():
    """`kind` says which input it is."""
    assert all("kind" not in getattr(one, "__dataclass_fields__") for one in RULESET.inputs)  # noqa: B009
