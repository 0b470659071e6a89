"""Taking back one's own latest ruling: what is allowed, what is refused and why. It is an overturning."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from ledger.application import Call, Ledger, make_environment
from ledger.application.commands import taking_back
from ledger.errors import LedgerError, NotYours, WrongStatus
from ledger.events import codec
from ledger.events.records import Struck
from ledger.rules import systems
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Subject
from tests.desk import Desk, present
from tests.kernel.conftest import KEY, SCHEMA, service_url
from tests.kernel.correctness import Correctness, audited
from tests.levels import examples, sampled
from tests.rules import lanterns
from tests.rules.anything import play
from tests.views.test_every_game import Retold

few = settings(max_examples=examples(1, 2, 30), deadline=None, suppress_health_check=list(HealthCheck))
WORDS = 40
DIE = {"dice": {"sides": 6, "faces": [4]}}
STAND = {"choice": {"kind": "stand"}}


class Slips(Desk):
    """Ann (game master) and Ben, who each play one character."""

    def __init__(self, ledger: Ledger, **dials: Any) -> None:
        super().__init__(ledger, **dials)
        self.ben_seat, self.ben = self.seat("Ben")
        self.hers, self.his = self.enrol("Arrow"), self.enrol("Bow", seat=self.ben_seat)
        self("mint", to=self.his, coins=9)

    def by_ben(self) -> Call:
        return self.call(token=self.ben)

    def says(self, kind: str, *given: dict[str, Any], call: Call | None = None, **fields: Any) -> int:
        return int(json.loads(self.declare(kind, *given, call=call or self.by_ben(), **fields).body)["ruling"])

    def take_back(self, number: int, call: Call | None = None, reason: str = "") -> str:
        body = self.ledger.take_back(call or self.by_ben(), number, reason, present).body
        return str(json.loads(body)["status"])

    def refusal(self, number: int, call: Call | None = None) -> str:
        position = self.position
        with pytest.raises((NotYours, WrongStatus)) as preview:
            self.ledger.preview_taking_back(call or self.by_ben(), number, "", present)
        with pytest.raises((NotYours, WrongStatus)) as problem:
            self.take_back(number, call)
        assert problem.value.code == preview.value.code and self.position == position
        assert "dispute" in problem.value.detail or problem.value.code in ("followed-automatically", "wrong-status")
        return problem.value.code


@pytest.fixture
def slips(ledger: Ledger) -> Slips:
    return Slips(ledger)


def test_a_seat_takes_back_its_own_latest_ruling(slips: Slips) -> None:
    before = slips.everything()
    given = slips.says("give", char=slips.his, to=slips.hers, coins=3)
    assert slips.take_back(given, reason="I meant two.") == "overturned"
    decree = slips.ruling(given).decisions[-1]
    assert (decree.decision, decree.by, decree.reason, decree.revision) == (
        "taken-back",
        slips.ben_seat,
        "I meant two.",
        None,
    )
    must_be_same(slips.everything(), before)
    assert audited(slips) == []
    slips.ledger.reinstate(slips.call(), given, "It counts.", present)
    assert slips.coins(slips.hers) == 3 and audited(slips) == []


def test_what_is_taken_back_is_refused_a_second_time(slips: Slips) -> None:
    given = slips.says("give", char=slips.his, to=slips.hers, coins=3)
    slips.take_back(given)
    assert slips.refusal(given) == "wrong-status"


def test_dice_that_the_table_rolled_can_be_taken_back(slips: Slips) -> None:
    hit = slips.says("hit", STAND, DIE, call=slips.call(), char=slips.hers, target=slips.hers)
    assert slips.take_back(hit, slips.call()) == "overturned"


def test_each_other_case_is_refused_with_its_own_code(slips: Slips) -> None:
    rolled = slips.says("sneak", char=slips.his)
    assert slips.refusal(rolled) == "dice-rolled"
    given = slips.says("give", char=slips.his, to=slips.hers, coins=1)
    assert slips.refusal(given, slips.call()) == "not-declarer"
    slips.says("give", call=slips.call(), char=slips.hers, to=slips.his, coins=1)
    assert slips.refusal(given) == "played-on"
    disputed = slips.says("give", char=slips.his, to=slips.hers, coins=1)
    slips.ledger.dispute(slips.call(), disputed, "No.", present)
    assert slips.refusal(disputed) == "played-on"


@pytest.mark.parametrize("face", [1, 5])
def test_what_an_open_result_reveals_of_a_hidden_value_is_not_taken_back(slips: Slips, face: int) -> None:
    """Whether Ann hides well or badly, the refusal is the same: looking rests on it either way."""
    slips.says("sneak", {"dice": {"sides": 6, "faces": [face]}}, call=slips.call(), char=slips.hers)
    looked = slips.says("look", char=slips.his, at=slips.hers)
    with pytest.raises(NotYours) as problem:
        slips.take_back(looked)
    assert (problem.value.code, problem.value.context) == ("rests-on-hidden", {"ruling": looked})
    assert problem.value.detail == (
        f"Ruling {looked} depends on information hidden from you, and may have revealed some of it."
        f" To ask for a decision, dispute ruling {looked}."
    )


def test_what_its_declarer_knows_can_be_taken_back(slips: Slips) -> None:
    slips.says("sneak", {"dice": {"sides": 6, "faces": [1]}}, char=slips.his)
    looked = slips.says("look", char=slips.his, at=slips.his)
    assert slips.take_back(looked) == "overturned"


def test_it_is_refused_once_a_declaration_ended_because_of_it(slips: Slips) -> None:
    opened = slips("open-scene", title="A yard")
    waiting = json.loads(slips.declare("hit", call=slips.by_ben(), char=slips.his, target=slips.hers).body)
    assert waiting["waiting"]
    closed = slips.says("close-scene", call=slips.call(), scene=str(opened))
    assert slips.refusal(closed, slips.call()) == "ended-declarations"


@pytest.mark.parametrize("consent", ["affected", "majority"])
def test_under_consent_only_what_is_ones_own_is_taken_back(ledger: Ledger, consent: str) -> None:
    slips = Slips(ledger)
    slips.enrol("Club", seat=slips.seat("Cleo")[0])
    slips("set-dial", name="consent", value=consent, reason="We ask each other.")
    given = slips.says("give", char=slips.his, to=slips.hers, coins=1)
    assert slips.refusal(given) == "concerns-others"
    looked = slips.says("sneak", {"dice": {"sides": 6, "faces": [1]}}, char=slips.his)
    assert slips.take_back(looked) == "overturned"
    assert audited(slips) == []


# --- the law ---


def must_be_same(now: dict[Subject, Folded[Any]], then: dict[Subject, Folded[Any]]) -> None:
    for subject, folded in now.items():
        before = then.get(subject)
        assert folded.same_as(before if before is not None else Folded(folded.ruleset, subject)), subject


class Slipping(Retold):
    """A game told to a ledger. Now and then somebody takes the latest ruling back, and it is put back again."""

    def __init__(self, ledger: Ledger, name: str, seed: int) -> None:
        super().__init__(ledger, play(name, seed, WORDS))
        self.rng = Random(seed)
        self.law = Correctness(self.desk)
        self.codes = Counter[str]()
        self.before = self.desk.everything()

    def _said(self, past: Any) -> Any:
        before = self.desk.everything()
        said = super()._said(past)
        if said is not None and "ruling" in said and self.rng.random() < 0.5:
            self.take_back(said["ruling"], before)
        return said

    def take_back(self, number: int, before: dict[Subject, Folded[Any]]) -> None:
        seat = self.desk.ruling(number).ruled.seat
        try:
            self.ledger.take_back(self.call(seat), number, "", present)
        except LedgerError as refusal:
            self.codes[refusal.code] += 1
            return
        self.codes["taken-back"] += 1
        taken_back = self.desk.everything()
        must_be_same(taken_back, before)
        assert self.law.look() == []
        self.ledger.reinstate(self.desk.call(), number, "so", present)
        put_back = self.desk.everything()
        self.ledger.overturn(self.desk.call(), number, "so", present)
        must_be_same(self.desk.everything(), taken_back)
        assert self.law.look() == []
        self.ledger.reinstate(self.desk.call(), number, "so", present)
        must_be_same(self.desk.everything(), put_back)


@contextmanager
def with_lanterns(database: str) -> Iterator[Ledger]:
    """A ledger that plays a game without tests of its own here, beside the others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(cast(dict[str, Any], systems()), "lanterns", lanterns.RULESET)
        patch.setitem(sys.modules, "ledger.rules.lanterns", lanterns)
        codec.load_codec.cache_clear()
        try:
            with Ledger(make_environment(service_url(database), schema=SCHEMA, pool_size=2), KEY) as ledger:
                yield ledger
        finally:
            codec.load_codec.cache_clear()


def slipped(ledger: Ledger, name: str, seed: int) -> Slipping:
    slipping = Slipping(ledger, name, seed)
    slipping.tell()
    assert audited(slipping.desk) == []
    return slipping


@pytest.mark.parametrize("name", sampled([*sorted(systems())], 1, salt="taking back"))
@few
@given(seed=st.integers(0, 2**32))
def test_taking_back_is_overturning(name: str, seed: int, ledger: Ledger) -> None:
    try:
        slipped(ledger, name, seed)
    except Refused:  # its dials do not go together
        reject()


def test_so_it_is_for_a_game_without_tests_of_its_own(database: str) -> None:
    with with_lanterns(database) as ledger:
        assert slipped(ledger, "lanterns", 1).codes["taken-back"]


def test_something_is_taken_back_and_something_is_not(ledger: Ledger) -> None:
    codes = slipped(ledger, "toy", 1).codes
    assert codes["taken-back"] > 3 and codes["rests-on-hidden"] > 0, codes


def forget_a_stream(save: Any, ruling: Any, mark: Struck) -> None:
    for stream in ruling.streams[1:]:
        _, kind, id = stream.split("/", 2)
        save.put_about(Subject(kind, id), mark)


def test_that_a_subject_keeps_what_was_taken_back_is_found(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taking_back, "mark_streams", forget_a_stream)
    with pytest.raises(AssertionError):
        for seed in range(5):
            slipped(ledger, "toy", seed)
