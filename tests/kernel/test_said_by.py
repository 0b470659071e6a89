"""Whose answer a choice can be, and what a declaration is recorded as: on a real Postgres, by the words of a game."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ledger.application import Call, Ledger
from ledger.errors import NotYours
from tests.desk import Desk, present
from tests.kernel.test_revise import revise

MAIN = {"kind": "main", "traits": [{"name": name, "base": base} for name, base in (("A", 10), ("B", 8), ("C", 8))]}
AGREE: dict[str, Any] = {"choice": {"kind": "agree"}}
SPEAK_FOR: dict[str, Any] = {"choice": {"kind": "speak-for", "agreed": True, "reason": "He nodded."}}


class Quarrel:
    """Pat's character has hit Quinn's and holds a fatal; the two could agree on something."""

    def __init__(self, ledger: Ledger) -> None:
        self.desk = desk = Desk(ledger, "intensity")
        (self.pats, self.pat), (self.quinns, self.quinn) = desk.seat("Pat"), desk.seat("Quinn")
        self.a = str(desk("enrol", name="A", seat=self.pats, sheet=MAIN))
        self.b = str(desk("enrol", name="B", seat=self.quinns, sheet=MAIN))
        desk("open-scene", title="A quarrel")
        self.fatal = self.hits(self.a, self.b)

    def hits(self, one: str, other: str) -> str:
        desk = self.desk
        desk("open-round", participants=[one, other])
        desk("declare", char=one, target=other, level="fanatical", trait="A")
        desk("declare", char=other, level="fanatical", trait="A")
        desk("roll", faces=[{"char": one, "intensity": 12, "trait": 1}, {"char": other, "intensity": 1, "trait": 1}])
        desk("attack", char=one)
        desk("defend")
        desk("resolve")
        fatal = str(desk("choose-impact", impact="fatal"))
        desk("close-round")
        return fatal

    def as_(self, token: str) -> Call:
        return self.desk.call(token=token)

    def bargain(self, token: str) -> Any:
        fields: dict[str, Any] = {"parties": [self.a, self.b], "text": "Peace.", "releases": [self.fatal]}
        told = json.loads(self.desk.declare("negotiate", call=self.as_(token), **fields).body)
        return told["waiting"]

    def answers(self, waiting: str, token: str, answer: dict[str, Any]) -> Any:
        (said,) = self.desk.answers(answer)
        return json.loads(self.desk.ledger.answer_waiting_declaration(self.as_(token), waiting, said, present).body)


def test_consent_is_said_by_who_is_asked_and_nobody_else(ledger: Ledger) -> None:
    table = Quarrel(ledger)
    waiting = table.bargain(table.pat)
    for token in (table.pat, table.desk.token):
        with pytest.raises(NotYours):
            table.answers(waiting, token, AGREE)
    assert "ruling" in table.answers(waiting, table.quinn, AGREE)


def test_a_game_master_says_it_in_words_of_its_own(ledger: Ledger) -> None:
    table = Quarrel(ledger)
    waiting = table.bargain(table.pat)
    for token in (table.pat, table.quinn):
        with pytest.raises(NotYours):
            table.answers(waiting, token, SPEAK_FOR)
    number = table.answers(waiting, table.desk.token, SPEAK_FOR)["ruling"]
    (given,) = table.desk.ruling(number).ruled.answers
    assert (given.by, given.question["seat"]) == ("s1", table.quinns)


def test_answers_that_come_with_the_declaration_are_no_other(ledger: Ledger) -> None:
    table = Quarrel(ledger)
    fields: dict[str, Any] = {"parties": [table.a, table.b], "text": "Peace.", "releases": [table.fatal]}
    with pytest.raises(NotYours):
        table.desk.declare("negotiate", AGREE, AGREE, **fields)
    assert "ruling" in json.loads(table.desk.declare("negotiate", SPEAK_FOR, SPEAK_FOR, **fields).body)


def test_what_was_left_out_is_recorded_as_it_was_meant(ledger: Ledger) -> None:
    table = Quarrel(ledger)
    use = {"fatal": table.fatal, "text": "a scar", "use_as": "wound"}
    number = json.loads(table.desk.declare("use-fatal", call=table.as_(table.pat), uses=[use]).body)["ruling"]
    assert table.desk.ruling(number).ruled.declared["uses"][0]["by"] == table.a
    revise(table.desk, number, {"kind": "use-fatal", "uses": [{**use, "text": "a deep scar"}]})
    assert table.desk.ruling(number).ruled.declared["uses"][0]["by"] == table.a


def test_what_waits_is_recorded_as_it_was_meant(ledger: Ledger) -> None:
    """Declared when the one held it; whoever holds it once it is answered, the token is meant of that one."""
    table = Quarrel(ledger)
    use = {"fatal": table.fatal, "text": "a scar", "use_as": "wound"}
    told = json.loads(table.desk.declare("use-fatal", uses=[use]).body)
    assert told["question"]["seat"] == table.pats
    number = table.answers(told["waiting"], table.pat, AGREE)["ruling"]
    assert table.desk.ruling(number).ruled.declared["uses"][0]["by"] == table.a
