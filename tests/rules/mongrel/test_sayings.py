"""Sentences of the game that choose, read aloud; and a sentence for every code, also those that are told in lists."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.phrases import fill_from_context, list_fields, sentence
from ledger.rules.kernel.subjects import Subject
from ledger.rules.mongrel import RULESET
from ledger.rules.mongrel.attacks import Attack
from ledger.rules.mongrel.bargains import PurchaseRolled
from ledger.rules.mongrel.characters import RULE_OF
from ledger.rules.mongrel.credit import CreditAdjusted, SpeakFor, TransferCredit
from ledger.rules.mongrel.damage import DamageCounted, DamageRolled, Heal, Shunt
from ledger.rules.mongrel.deeds import RollTask
from ledger.rules.mongrel.houses import MakeVow
from ledger.rules.mongrel.points import RaiseFeature
from ledger.rules.mongrel.possessions import ItemAcquired
from ledger.rules.mongrel.sorcery import Occult
from ledger.rules.mongrel.tasks import TaskResolved
from projections.wording import Wording


class People:
    def name(self, subject: Subject) -> str:
        return {"1": "Ahvia", "2": "Vooruk", "4": "Giazza"}[subject.id]


def task(**said: Any) -> RollTask:
    return RollTask("1", **({"expertise": "lie", "side": "target", "attribute": "social"} | said))


def rolled(*, success: bool, special: Any, effect: int) -> TaskResolved:
    return TaskResolved("1", "lie", 3, 2, success, special, effect, effect, "notable" if effect else "none")


def bought(outcome: Any) -> PurchaseRolled:
    return PurchaseRolled("2", "a chain", "aggak-ko", "4", outcome, 4, 2, 2, None, None, 3)


@pytest.mark.parametrize(
    ("record", "text"),
    [
        (task(target="4"), "Ahvia tries Lie against Giazza's Social."),
        (task(thing="the gate", score=3), "Ahvia tries Lie against the Social of the gate."),
        (
            task(side="own", power=("tail", "inhuman_face"), difficulty=2, purpose="to get in"),
            "Ahvia tries Lie, helped by tail and inhuman face, against Ahvia's own Social at difficulty 2: to get in.",
        ),
        (Attack("2", "4", "rend", "physique"), "Vooruk attacks Giazza with Rend, against Physique."),
        (
            Attack("2", "4", "rend", "physique", target_attribute="speed", difficulty=1),
            "Vooruk attacks Giazza with Rend, against Physique (or Speed, if Giazza defends) at difficulty 1.",
        ),
        (
            Occult("1", 1, "chill", "own", "spirit", target="2", others=("4",)),
            "Ahvia uses Occult instead of Chill on Vooruk, and on Giazza, for 1 point of Infernal Resolve.",
        ),
        (Attack("2", "4", "rend", "physique", hit_kind="none"), "Vooruk tries Rend on Giazza, against Physique."),
        (
            Attack("1", "4", "chill", "spirit", command="Kneel."),
            "Ahvia attacks Giazza with Chill, against Spirit, commanding: Kneel.",
        ),
        (
            Heal("1", 2, 0, 1, reason="A month in bed."),
            "Ahvia heals 2 points of damage and 1 point of Beauty: A month in bed.",
        ),
        (Heal("1", end_terminal=True), "Ahvia heals nothing and leaves the terminal stage."),
        (MakeVow("1", "aggak-ko", "house"), "Ahvia makes a Vow to House Aggak-Ko."),
        (MakeVow("1", "her sister", "person"), "Ahvia makes a Vow to her sister."),
        (MakeVow("1", "to be free"), "Ahvia makes a Vow: to be free."),
        (
            TransferCredit("2", "mekag", "nuin", 2),
            "Vooruk transfers Credit from House Mekag to House Nuin, to gain 2 there.",
        ),
        (RaiseFeature("2", "man", "demon"), "Vooruk raises Man and lowers Demon."),
        (
            RaiseFeature("1", "diabolic_power", option="wings"),
            "Ahvia raises Diabolic Power, putting the point into wings.",
        ),
        (Shunt(1), "1 point of damage goes to Beauty."),
        (Shunt(0), "No damage goes to Beauty."),
        (SpeakFor(True, "He owes her.", 2), "A game master answers yes, for 2 Credit: He owes her."),
        (rolled(success=True, special=None, effect=6), "Ahvia succeeds with Lie: Effect 6, notable."),
        (
            rolled(success=True, special="sevens-succeed", effect=0),
            "Ahvia succeeds with Lie, a long shot: no Effect is left.",
        ),
        (
            rolled(success=False, special="ones-fail", effect=0),
            "Ahvia fails with Lie: half or more of the dice show ones.",
        ),
        (
            DamageRolled("4", 5, 2, 1, 6, "", None),
            "Giazza is hit for 6 points of damage (Effect 5, plus 2 for the weapon, minus 1 for the armour).",
        ),
        (DamageCounted("4", 6, 6, 0, 6, "clear", 4, 6), "Giazza has 6 points of damage, in the clear zone."),
        (DamageCounted("4", 0, 0, 0, 0, "shunted", 4, 6), "The whole hit on Giazza goes to Beauty."),
        (bought("acquired"), "Vooruk closes the deal for a chain with Giazza: Effect 3."),
        (bought("sacrifice-offered"), "Vooruk can buy a chain only by giving up Credit."),
        (bought("refused-by-seller"), "Vooruk is turned down by Giazza and does not get a chain."),
        (ItemAcquired("2", "9", "a chain", 2, "nuin", 1, None, ""), "Vooruk now has a chain (weapon 1), for 2 Credit."),
        (CreditAdjusted("2", "nuin", -1, "A debt."), "Vooruk's Credit with House Nuin goes down by 1: A debt."),
    ],
)
def test_a_sentence_that_chooses(record: Any, text: str) -> None:
    phrases = {**RULESET.phrases.inputs, **RULESET.phrases.choices, **RULESET.phrases.facts}
    assert sentence(phrases[type(record)], record, People()) == text


@pytest.mark.parametrize(
    ("record", "text"),
    [
        (task(target="4"), "[The {Blade} tries Lie against [The {Blade}'s Social."),
        (
            Attack("2", "4", "rend", "physique", target_attribute="speed"),
            "[The {Blade} attacks [The {Blade} with Rend, against Physique (or Speed, if [The {Blade} defends).",
        ),
    ],
)
def test_brackets_in_a_name_are_no_template(record: Any, text: str) -> None:
    class Bracketed:
        def name(self, subject: Subject) -> str:
            return "[The {Blade}"

    assert sentence(RULESET.phrases.inputs[type(record)], record, Bracketed()) == text


def test_every_fault_of_a_sheet_has_a_sentence() -> None:
    assert sorted(set(RULE_OF) - set(RULESET.phrases.refusals)) == []


def test_every_refusal_is_a_whole_sentence() -> None:
    for code, phrase in RULESET.phrases.refusals.items():
        told = fill_from_context(phrase, dict.fromkeys(list_fields(phrase), "4"), RULESET.phrases, People())
        assert told[0].isupper() or told[0].isdigit(), (code, told)
        assert told.endswith(".") and "{" not in told and "[" not in told, (code, told)


@pytest.mark.parametrize(
    ("rule", "given", "out", "text"),
    [
        (
            "effect.base",
            {"successes": 2, "identity": 4, "flat": False},
            6,
            "2 successful dice, plus 4 for the Identity",
        ),
        ("effect.base", {"successes": 2, "identity": 4, "flat": False}, 9, "and 3 for the target number: Effect 9."),
        ("effect.base", {"successes": 1, "identity": 4, "flat": True}, 1, "the Effect is 1, whatever the Identity."),
        (
            "damage.net",
            {"effect": 5, "weapon": 0, "armour": 1},
            4,
            "Effect 5, minus 1 for the armour: 4 points of damage.",
        ),
        (
            "damage.net",
            {"effect": 5, "weapon": 2, "armour": 0},
            7,
            "Effect 5, plus 2 for the weapon: 7 points of damage.",
        ),
        ("damage.zones", {"total": 1, "size": 2, "physique": 3}, "row", "1 point of damage, in the Size row."),
    ],
)
def test_a_step_says_only_what_counts(rule: str, given: dict[str, object], out: object, text: str) -> None:
    assert text in (Wording(RULESET).word_step(f"mongrel.{rule}", given, out) or "")


def test_a_step_of_a_dial_or_of_nothing_has_no_sentence() -> None:
    wording = Wording(RULESET)
    assert wording.word_step("mongrel.effect.base", {"dial": "effect_adds_tn"}, True) is None
    assert wording.word_step("mongrel.task.pool", {"dial": "npc_rolls"}, False) is None
    assert wording.word_step("mongrel.effect.grade", {"effect": 0}, "none") is None
