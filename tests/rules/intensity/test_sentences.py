"""What is said of this game: sentences that choose their words, and refusals told from what they are given."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from ledger.rules.intensity import RULESET
from ledger.rules.intensity.advantage_points import AdvantageSpent
from ledger.rules.intensity.attacks import AttackResolved
from ledger.rules.intensity.defence import DefenceChosen
from ledger.rules.intensity.draft import SpeakFor
from ledger.rules.intensity.fatals import FatalHeld, FatalUsed
from ledger.rules.intensity.healing import Heal
from ledger.rules.intensity.impact import TraitMutilated
from ledger.rules.intensity.out_of_play import CharacterTakenOut
from ledger.rules.intensity.rolling import DiceRolled, RolledDie, RolledTrait
from ledger.rules.intensity.rounds import ActionDeclared, DeclarationAmended
from ledger.rules.intensity.state import Restated
from ledger.rules.intensity.turns import OrderEstablished
from ledger.rules.kernel.dials import list_dial_fields
from ledger.rules.kernel.phrases import fill_from_context, sentence
from ledger.rules.kernel.subjects import Subject, scene
from projections.wording import Wording
from tests.rules.intensity.chance import play_at_random
from tests.rules.intensity.game import Game

PHRASES = RULESET.phrases


class Table:
    """Everybody by the name they enrolled with; whoever is not there is found."""

    def __init__(self, game: Game) -> None:
        self.names = {id: name for name, id in game.ids.items()}

    def name(self, subject: Subject) -> str:
        return self.names.get(subject.id, "Nobody" if subject.kind == "character" else "a player")


class People:
    def name(self, subject: Subject) -> str:
        return {"1": "Sarah", "2": "Steve", "3": "Rick"}.get(subject.id, f"unknown {subject.id}")


def test_no_dial_is_told_by_the_sentence_of_a_step() -> None:
    """A rule that a dial belongs to is cited for what the dial says, and its steps are told by its statement."""
    assert PHRASES.steps and set(PHRASES.steps) <= set(RULESET.rules)
    dials = {field.metadata["rule"] for field in list_dial_fields(RULESET.dials).values()}
    assert dials and not dials & set(PHRASES.steps)


SAID: list[tuple[Any, str]] = [
    (
        ActionDeclared(round="9", char="1", target="2", level="calm", trait="Quick", text=""),
        "Sarah acts against Steve at calm intensity, with Quick.",
    ),
    (
        ActionDeclared(round="9", char="1", target=None, level="calm", trait=None, text="I wait."),
        "Sarah only defends, at calm intensity: “I wait.”",
    ),
    (DeclarationAmended("9", "1", Restated("2", ""), Restated(None, "")), "Sarah only defends instead."),
    (DeclarationAmended("9", "1", Restated("", ""), Restated("", "", "Hm.")), "Sarah changes the declaration: “Hm.”"),
    (
        DiceRolled("9", "1", RolledDie(6, 3), RolledTrait("Quick", 8, 7)),
        "Sarah rolls 3 on the D6 and 7 on the D8 of Quick.",
    ),
    (DiceRolled("9", "1", RolledDie(6, 3), None), "Sarah rolls 3 on the D6."),
    (OrderEstablished("9", (("3",), ("1", "2"))), "The order is Rick, then Sarah and Steve together."),
    (
        DefenceChosen(attack="9", picked_up=("trait",), rerolled=(), let_stand=False),
        "The defender picks up the trait die.",
    ),
    (DefenceChosen(attack="9", picked_up=(), rerolled=(), let_stand=True), "The defender rolls no dice in defence."),
    (
        AttackResolved(attack="9", attack_value=9, defence_value=3, success=True, rating=19),
        "The attack succeeds, 9 against 3, with an impact rating of 19.",
    ),
    (
        AttackResolved(attack="9", attack_value=5, defence_value=5, success=False, rating=None, text="Too slow."),
        "The attack fails, 5 against 5: “Too slow.”",
    ),
    (
        AdvantageSpent(holder="1", against="2", amount=1, effect="reroll", attack="9", rating=None),
        "Sarah spends 1 advantage point against Steve on a reroll of a defence die.",
    ),
    (
        FatalHeld(fatal="9", holder="1", subject="2", trait_used=None, attack="8"),
        "Sarah gains a fatal impact on Steve.",
    ),
    (FatalUsed("9", "wound", "", "scene"), "The fatal impact is used as a wound."),
    (CharacterTakenOut("2", "permanent", "fatal:9"), "Steve is out of play for good."),
    (TraitMutilated("2", "Quick", 0, "fatal:9"), "Steve's Quick is lost for good."),
]


@pytest.mark.parametrize(("record", "text"), SAID, ids=[text for _, text in SAID])
def test_what_became_true_is_said(record: Any, text: str) -> None:
    assert sentence(PHRASES.facts[type(record)], record, People(), scene("7")) == text


def test_answers_are_said() -> None:
    said: Mapping[Any, str] = {
        Heal(): "Nothing is healed.",
        Heal("damage", "Quick"): "Damage to Quick heals.",
        SpeakFor(False, "he left"): "A game master declines for the player: “he left”",
    }
    assert [sentence(PHRASES.choices[type(one)], one, People()) for one in said] == [*said.values()]


def test_refusals_met_in_play_name_people_and_nothing_that_is_not_there() -> None:
    """Seeded play at random: nobody by number, no blank, no number of a record."""
    met = {}
    for seed in range(40):
        game = play_at_random(seed, 100)
        people = Table(game)
        for one in game.refusals:
            if one.code in PHRASES.refusals:
                met[fill_from_context(PHRASES.refusals[one.code], one.context, PHRASES, people)] = one.code
    assert len(set(met.values())) >= 40, sorted(set(met.values()))
    odd = re.compile(r"None|Nobody'?s? |nothing|  |\[|\{")
    fitting = {"nobody-acts"}
    assert {text: code for text, code in met.items() if odd.search(text) and code not in fitting} == {}


def test_a_player_who_speaks_for_the_others_reads_why_not() -> None:
    """The sentence was the one for adding a conflict."""
    told = Wording(RULESET)
    for rule in ("intensity.fatal.use", "intensity.negotiate.decline"):
        said = told.word_refusal(rule, "not-game-master", {"seat": "p"})
        assert said is not None and said.endswith("cannot speak for the others."), said
    added = told.word_refusal("intensity.heal.conflict", "not-game-master", {"seat": "p"})
    assert added is not None and "add a conflict" in added


def test_what_is_not_there_and_what_is_no_fatal_are_refused_in_other_words() -> None:
    told = Wording(RULESET)
    for rule in ("intensity.fatal.use", "intensity.fatal.hold"):
        said = told.word_refusal(rule, "no-such-fatal", {})
        assert said is not None and said.startswith("There is no such fatal impact"), said
    at_once = told.word_refusal("intensity.fatal.achieve", "no-such-fatal", {"impact": "wound"})
    assert at_once == "Only a fatal impact can be used at once, and you chose wound. Leave out `at_once`."


@pytest.mark.parametrize("slot", ["round", "roll-off", "defence", "reroll"])
def test_who_rolls_two_dice_is_told_which_of_them(slot: str) -> None:
    """The second question was the first one, word for word."""
    told = Wording(RULESET)
    asked = [
        told.word_question({"ask": "roll", "who": "character:1", "count": 1, "sides": 10, "slot": f"{slot}:{die}"})
        for die in ("intensity", "trait")
    ]
    assert all(die in one and one.endswith("a D10.") for die, one in zip(("intensity", "trait"), asked, strict=True))
