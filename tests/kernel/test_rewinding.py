"""Rewinding: one decision about a ruling and all later ones; as if only played that far, and put back as one."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from ledger.application import Ledger
from ledger.application.commands import overturning, rewinding
from ledger.application.reading.pasts import _read_history, load_history
from ledger.errors import LedgerError, NotYours, Unsound, WrongStatus
from ledger.events.codec import Codec
from ledger.events.records import RECORDS, RestoredRange, Rewind, Rewound, StruckRange, TakenBack
from ledger.events.records_of_consent import RewindAsked
from ledger.events.records_of_journal import RewoundEntry, TakenBackEntry
from ledger.rules import systems
from ledger.rules.kernel import facts
from ledger.rules.kernel.refusals import Refused
from tests.desk import Desk, present
from tests.kernel.correctness import Correctness, audited
from tests.kernel.test_forks import forked
from tests.kernel.test_taking_back import must_be_same, with_lanterns
from tests.levels import examples, sampled
from tests.rules.anything import play
from tests.views.test_every_game import Retold

NEW = (TakenBack, TakenBackEntry, Rewound, RewoundEntry, Rewind, RewindAsked, StruckRange, RestoredRange)
few = settings(max_examples=examples(1, 2, 30), deadline=None, suppress_health_check=list(HealthCheck))
WORDS = 30


def rewind(desk: Desk, number: int, reason: str = "again") -> Any:
    return json.loads(desk.ledger.rewind(desk.call(), number, reason, present).body)


def reinstate(desk: Desk, number: int) -> Any:
    return json.loads(desk.ledger.reinstate(desk.call(), number, "it counts", present).body)


def statuses(desk: Desk) -> list[str]:
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        return [book.load_ruling(number).status for number in range(1, book.campaign.rulings + 1)]


@pytest.fixture
def fight(desk: Desk) -> tuple[Desk, str, str]:
    """1, 2: two fighters. 3: coins. 4, 5: blows. 6: coins given."""
    ann, ben = desk.enrol("Ann"), desk.enrol("Ben")
    desk("mint", to=ann, coins=9)
    desk.hit(ann, ben, 4)
    desk.hit(ben, ann, 2)
    desk("give", char=ann, to=ben, coins=5)
    return desk, ann, ben


def test_a_rewind_is_one_record_and_one_mark_for_each_subject(fight: tuple[Desk, str, str]) -> None:
    desk, ann, ben = fight
    desk.ledger.overturn(desk.call(), 5, "no", present)
    before = desk.position
    assert rewind(desk, 4) == {"ruling": 4, "status": "overturned"}
    assert statuses(desk) == ["standing"] * 3 + ["overturned"] * 3
    assert (desk.coins(ann), desk.coins(ben), desk.state(ann).harm, desk.state(ben).harm) == (9, 0, 0, 0)
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        (recorded,) = book.list_rewinds()
        assert recorded.rewind == Rewind("rewound", "again", 4, 6)
        streams = [f"{desk.campaign}/{subject.kind}/{subject.id}" for subject in book.campaign.subjects]
        marks = [event for event in book.read(*streams) if event.body.position == before + 1]
        assert [event.originator_id for event in marks] == streams
        assert {event.body.fact for event in marks} == {StruckRange(4, 6)}
        events = book.read(*(f"{desk.campaign}/ruling/{number}" for number in (4, 5, 6)))
        assert [event.originator_id[-1] for event in events if event.body.position == before + 1] == ["4"]
    (decree,) = desk.ruling(6).decisions
    assert (decree.decision, decree.by, decree.reason, decree.cause) == ("rewound", "s1", "again", 4)
    assert [decree.decision for decree in desk.ruling(5).decisions] == ["overturned"]
    assert audited(desk) == [] and Correctness(desk).look() == []


def test_the_game_goes_on_from_there_and_all_is_reinstated_at_once(fight: tuple[Desk, str, str]) -> None:
    desk, ann, ben = fight
    desk.ledger.overturn(desk.call(), 5, "no", present)
    before = desk.everything()
    rewind(desk, 4)
    with pytest.raises(WrongStatus, match="Reinstate ruling 4") as problem:
        reinstate(desk, 6)
    assert (problem.value.code, problem.value.context) == ("rewound-together", {"ruling": 6, "first": 4})
    reinstate(desk, 4)
    must_be_same(desk.everything(), before)
    assert statuses(desk) == ["standing"] * 4 + ["overturned", "standing"]
    assert [decree.decision for decree in desk.ruling(6).decisions] == ["rewound", "reinstated"]
    rewind(desk, 4)
    desk("give", char=ann, to=ben, coins=1)
    reinstate(desk, 4)
    assert (desk.coins(ann), desk.coins(ben)) == (3, 6)
    desk.ledger.overturn(desk.call(), 6, "no", present)
    assert (desk.coins(ann), desk.coins(ben)) == (8, 1)
    assert audited(desk) == [] and Correctness(desk).look() == []


def test_a_rewind_across_another_leaves_that_one_as_it_was(fight: tuple[Desk, str, str]) -> None:
    desk, ann, ben = fight
    rewind(desk, 5)
    desk("give", char=ann, to=ben, coins=1)  # 7
    rewind(desk, 3)
    assert statuses(desk) == ["standing"] * 2 + ["overturned"] * 5
    for number in (5, 6):
        with pytest.raises(WrongStatus):
            rewind(desk, number)
    reinstate(desk, 3)
    assert statuses(desk) == ["standing"] * 4 + ["overturned"] * 2 + ["standing"]
    rewind(desk, 3)
    reinstate(desk, 5)  # those of the first rewind, beside the second
    reinstate(desk, 3)
    assert statuses(desk) == ["standing"] * 7
    assert audited(desk) == [] and Correctness(desk).look() == []


def test_only_who_decides_rewinds_and_only_to_what_everybody_can_see(fight: tuple[Desk, str, str]) -> None:
    desk, ann, _ = fight
    _, ben = desk.seat("Ben")
    with pytest.raises(NotYours):
        desk.ledger.rewind(desk.call(token=ben), 4, "again", present)
    with pytest.raises(LedgerError, match="reason"):
        rewind(desk, 4, " ")
    hidden = desk("mint", to=ann, coins=1, hidden=True)
    rewind(desk, hidden)  # everybody can see the ruling, although not its fact


def test_what_waits_since_then_is_withdrawn(fight: tuple[Desk, str, str]) -> None:
    desk, ann, ben = fight
    waiting = [json.loads(desk.declare("hit", char=ann, target=ben).body)["waiting"]]
    desk("give", char=ann, to=ben, coins=1)  # 7
    waiting.append(json.loads(desk.declare("hit", char=ben, target=ann).body)["waiting"])
    rewind(desk, 7)
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        assert list(book.campaign.waiting_ids) == waiting[:1]
        assert book.load_pending(waiting[1]).reason == "The game was rewound to before ruling 7."


def test_a_dispute_about_a_rewound_ruling_is_over(fight: tuple[Desk, str, str]) -> None:
    desk, _, _ = fight
    for number in (3, 6):
        desk.ledger.dispute(desk.call(), number, "no", present)
    rewind(desk, 4)
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        assert list(book.campaign.disputed_rulings) == [3]


def test_findings_about_what_was_rewound_are_settled(fight: tuple[Desk, str, str]) -> None:
    desk, _, _ = fight
    desk.ledger.overturn(desk.call(), 3, "there were none", present)
    assert desk.findings()
    rewind(desk, 4)
    assert desk.findings() == [] and audited(desk) == []
    reinstate(desk, 4)
    assert desk.findings() and audited(desk) == []


def test_a_process_that_follows_sees_what_one_that_begins_anew_sees(
    fight: tuple[Desk, str, str], another: Ledger
) -> None:
    desk, ann, ben = fight
    call = desk.call()
    for change in (
        lambda: rewind(desk, 4),
        lambda: desk("give", char=ann, to=ben, coins=1),
        lambda: reinstate(desk, 4),
    ):
        with another.open_for_seat(call) as (book, _):
            load_history(book)
        change()
        with another.open_for_seat(call) as (book, _):
            followed, anew = load_history(book), _read_history(book)
            assert followed.recorded_rulings == anew.recorded_rulings
            assert {n: r for n, r in followed.standing_revisions.items() if r != 0} == {
                n: r for n, r in anew.standing_revisions.items() if r != 0
            }
        must_be_same(desk.everything(), desk.everything())


def test_a_fork_keeps_a_rewind_and_can_reinstate_it(fight: tuple[Desk, str, str]) -> None:
    desk, ann, ben = fight
    rewind(desk, 5)
    desk("give", char=ann, to=ben, coins=1)  # 7
    fork = forked(desk, 7)
    assert statuses(fork) == statuses(desk)
    reinstate(fork, 5)
    assert statuses(fork) == ["standing"] * 7 and audited(fork) == []
    assert statuses(desk)[4:6] == ["overturned"] * 2


@pytest.mark.parametrize("deed", ["taken back", "rewound"])
def test_an_older_version_of_the_ledger_stops_there(fight: tuple[Desk, str, str], another: Ledger, deed: str) -> None:
    """It says that it does not know what was stored, and changes nothing."""
    desk, _, _ = fight
    if deed == "rewound":
        rewind(desk, 4)
    else:
        desk.ledger.take_back(desk.call(), 6, "", present)
    older = Codec()
    for cls in RECORDS:
        if cls not in NEW:
            older.register("ledger", cls)
    for fact in (*facts.FACTS, *desk.ruleset.facts):
        older.register("ledger" if fact in facts.FACTS else "toy", fact)
    another.codec = older
    before = desk.position
    with pytest.raises(Unsound, match="A newer version of Campaign Ledger"):
        another.overturn(desk.call(), 3, "No.", present)
    assert desk.position == before


# --- the laws ---


class Rewinding(Retold):
    """A game told to a ledger, rewound now and then, put back, played on."""

    def __init__(self, ledger: Ledger, name: str, seed: int) -> None:
        super().__init__(ledger, play(name, seed, WORDS))
        self.rng = Random(seed)
        self.law = Correctness(self.desk)
        self.after: list[Any] = []
        self.done = Counter[str]()

    def _said(self, past: Any) -> Any:
        if not self.after:
            self.after.append(self.desk.everything())
        said = super()._said(past)
        self.after.append(self.desk.everything())
        return said

    def rewind(self, number: int) -> None:
        """To before a ruling: all is as after the one before it; and put back, as it was."""
        before = self.desk.everything()
        rewind(self.desk, number)
        self.done["rewound"] += 1
        must_be_same(self.desk.everything(), self.after[number - 1])
        assert self.law.look() == []
        reinstate(self.desk, number)
        must_be_same(self.desk.everything(), before)
        assert self.law.look() == []


def rewound(ledger: Ledger, name: str, seed: int) -> Rewinding:
    game = Rewinding(ledger, name, seed)
    game.tell()
    for number in game.rng.sample(range(1, game.told + 1), min(3, game.told)):
        game.rewind(number)
    assert audited(game.desk) == []
    return game


@pytest.mark.parametrize("name", sampled(sorted(systems()), 3, salt="rewinding"))
@few
@given(seed=st.integers(0, 2**32))
def test_rewound_it_is_as_if_only_played_that_far(name: str, seed: int, ledger: Ledger) -> None:
    try:
        game = rewound(ledger, name, seed)
    except Refused:  # its dials do not go together
        reject()
    assert game.done["rewound"] == min(3, game.told)


@pytest.mark.parametrize("seed", range(2))
def test_among_other_decisions_every_ruling_stays_correct(ledger: Ledger, seed: int) -> None:
    game = Rewinding(ledger, "toy", seed)
    game.tell()
    for _ in range(12):
        number = game.rng.randint(1, game.told)
        with suppress(LedgerError):
            match game.rng.choice(["rewind", "rewind", "reinstate", "reinstate", "overturn"]):
                case "rewind":
                    rewind(game.desk, number)
                case "reinstate":
                    reinstate(game.desk, number)
                case _:
                    ledger.overturn(game.desk.call(), number, "so", present, settle=game.rng.choice(["flag", "rerule"]))
        assert game.law.look() == []
    assert audited(game.desk) == []


def test_so_it_is_for_a_game_without_tests_of_its_own(database: str) -> None:
    with with_lanterns(database) as ledger:
        assert rewound(ledger, "lanterns", 1).done["rewound"]


def test_that_a_subject_is_not_marked_is_found(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    def forget_one(save: Any, mark: Any) -> None:
        for subject in list(save.book.campaign.subjects)[:-1]:
            save.put_about(subject, mark)

    monkeypatch.setattr(rewinding, "put_on_all_subjects", forget_one)
    with pytest.raises(AssertionError):
        rewound(ledger, "toy", 1)


def test_that_the_first_ruling_is_left_standing_is_found(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    right = rewinding.put_on_all_subjects

    def leave_first(save: Any, mark: Any) -> None:
        right(save, StruckRange(mark.first + 1, mark.last) if isinstance(mark, StruckRange) else mark)

    monkeypatch.setattr(rewinding, "put_on_all_subjects", leave_first)
    with pytest.raises(AssertionError):
        rewound(ledger, "toy", 1)


def test_that_nothing_is_put_back_is_found(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overturning, "put_reinstated", lambda save, number, last, reason: None)
    with pytest.raises(AssertionError):
        rewound(ledger, "toy", 1)
