"""Entering late: a forgotten ruling, ruled at its own place; as if it had been entered in time."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from ledger.aggregates import subject_stream
from ledger.aggregates.subject_stream import SubjectStream
from ledger.application import Ledger
from ledger.application.commands import entering_late
from ledger.application.commands.entering_late import LateDeclaration, preview_entering_late
from ledger.application.commands.revising import Correction
from ledger.application.keys import Keys
from ledger.application.reading import pasts
from ledger.application.reading.moments import find_moment, list_bodies_up_to
from ledger.application.reading.pasts import _read_history, load_history
from ledger.application.reading.stretches import load_stretches, load_subjects_at
from ledger.application.save import Save
from ledger.errors import LedgerError, Malformed, NotFound, NotYours, Unsound, WrongStatus
from ledger.events.codec import Codec, encode
from ledger.events.records import RECORDS, RuledLate
from ledger.events.records_of_consent import LateAsked
from ledger.events.records_of_journal import LateEntry
from ledger.rules import systems
from ledger.rules.kernel import facts
from ledger.rules.kernel.places import RULING_AND_STEP, name_place, place_of, place_of_end
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character
from tests.desk import Desk, present
from tests.kernel.correctness import Correctness, audited
from tests.kernel.test_forks import forked
from tests.kernel.test_looking_back import places
from tests.kernel.test_overturn import MOVES
from tests.kernel.test_taking_back import must_be_same, with_lanterns
from tests.levels import examples, sampled
from tests.rules.anything import play
from tests.views.test_every_game import Retold

NEW = (RuledLate, LateEntry, LateAsked)
STAND = {"choice": {"kind": "stand"}}
few = settings(max_examples=examples(1, 2, 30), deadline=None, suppress_health_check=list(HealthCheck))
WORDS = 30


def die(face: int) -> dict[str, Any]:
    return {"dice": {"sides": 6, "faces": [face]}}


def make_late(desk: Desk, after: int, kind: str, *answers: Any, settle: Any = "flag", **fields: Any) -> LateDeclaration:
    return LateDeclaration(desk.input(kind, **fields), None, desk.answers(*answers), after, settle)


def enter(desk: Desk, after: int, kind: str, *answers: Any, token: str | None = None, **fields: Any) -> Any:
    late = make_late(desk, after, kind, *answers, **fields)
    told = json.loads(desk.ledger.enter_late(desk.call(token=token), late, present).body)
    return told.get("ruling") or told


def foresee(desk: Desk, after: int, kind: str, *answers: Any, token: str | None = None, **fields: Any) -> Any:
    with desk.ledger.open_for_seat(desk.call(token=token)) as (book, viewer):
        late = make_late(desk, after, kind, *answers, **fields)
        return preview_entering_late(Save(book, viewer, Keys(bytes(16))), late)


def state_at(desk: Desk, id: str, at: int | None, *, recorded: bool = False) -> Any:
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        subject = character(id)
        return load_subjects_at(book, [subject], find_moment(book, at, recorded=recorded))[subject][0]


@pytest.fixture
def fight(desk: Desk) -> tuple[Desk, str, str]:
    """1, 2: two fighters. 3: coins. 4, 5: blows. 6: coins given."""
    ann, ben = desk.enrol("Ann"), desk.enrol("Ben")
    desk("mint", to=ann, coins=9)
    desk.hit(ann, ben, 4)
    desk.hit(ben, ann, 2)
    desk("give", char=ann, to=ben, coins=5)
    return desk, ann, ben


def test_it_is_ruled_on_the_state_at_its_place(fight: tuple[Desk, str, str]) -> None:
    desk, ann, ben = fight
    with pytest.raises(Refused, match="coins-short"):
        enter(desk, 2, "give", char=ann, to=ben, coins=1)
    number = enter(desk, 3, "give", char=ann, to=ben, coins=4)
    assert number == 7 and (desk.coins(ann), desk.coins(ben)) == (0, 9)
    ruling = desk.ruling(7)
    assert (ruling.ruled.after, ruling.ruled.ordinal, ruling.status) == (3, 1, "standing")
    again = enter(desk, 7, "hit", STAND, die(3), char=ann, target=ben)
    assert (desk.ruling(again).ruled.after, desk.ruling(again).ruled.ordinal) == (3, 2)
    assert [name_place(n, r.after, r.ordinal) for n in (3, 7, 8) for r in [desk.ruling(n).ruled]] == ["3", "3a", "3b"]
    with pytest.raises(WrongStatus) as problem:
        enter(desk, 7, "mint", to=ann, coins=1)
    assert (problem.value.code, problem.value.context) == ("not-last-there", {"ruling": 7, "last": 8})
    assert audited(desk) == [] and Correctness(desk).look() == []


def test_a_later_ruling_that_comes_out_differently_becomes_a_finding_or_is_ruled_again(
    fight: tuple[Desk, str, str],
) -> None:
    desk, ann, ben = fight
    foreseen = foresee(desk, 3, "give", char=ann, to=ben, coins=5)
    enter(desk, 3, "give", char=ann, to=ben, coins=5)
    assert [(one.kind, one.cause, one.ruling) for one in desk.findings()] == [
        ("loses support", 7, 6),
        ("overdrawn", 7, None),
    ]
    assert [one.kind for one in foreseen.findings] == [one.kind for one in desk.findings()]
    assert audited(desk) == [] and Correctness(desk).look() == []
    desk.ledger.overturn(desk.call(), 7, "no", present)
    assert desk.findings() == [] and (desk.coins(ann), desk.coins(ben)) == (4, 5)
    desk.ledger.reinstate(desk.call(), 7, "yes", present, settle="rerule")
    assert desk.findings() == [] and (desk.coins(ann), desk.coins(ben)) == (4, 5)
    assert audited(desk) == [] and Correctness(desk).look() == []


def test_both_clocks_know_it_as_they_must(fight: tuple[Desk, str, str]) -> None:
    desk, ann, ben = fight
    enter(desk, 4, "hit", STAND, die(3), char=ann, target=ben)
    desk.hit(ann, ben, 1)
    harms = {at: state_at(desk, ben, at).state.harm for at in (3, 4, 5, 7, 8, None)}
    assert harms == {3: 0, 4: 7, 5: 7, 7: 7, 8: 8, None: 8}
    then = {at: state_at(desk, ben, at, recorded=True).state.harm for at in (3, 4, 5, 6, 8)}
    assert then == {3: 0, 4: 4, 5: 4, 6: 4, 8: 8}


def test_looked_back_at_it_is_what_its_events_say(fight: tuple[Desk, str, str]) -> None:
    """At every place, on both clocks: read at once, and continued from one place to the next."""
    desk, ann, ben = fight
    enter(desk, 3, "give", char=ann, to=ben, coins=2)  # 7
    enter(desk, 4, "hit", STAND, die(3), char=ann, target=ben)  # 8
    desk.hit(ann, ben, 1)  # 9
    desk.ledger.overturn(desk.call(), 7, "no", present)
    enter(desk, 7, "amend", subject=f"character:{ben}", field="harm", value=1, reason="so")  # 10
    desk.ledger.overturn(desk.call(), 5, "no", present)
    desk.ledger.reinstate(desk.call(), 7, "yes", present, settle="rerule")
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        moments = [*places(book)]
        assert len(moments) > 30
        subjects = [*book.campaign.subjects]
        continued = load_stretches(book, subjects, moments[0], place_of_end(book.campaign.rulings))
        for moment in moments:
            for subject, (folded, count) in load_subjects_at(book, subjects, moment).items():
                bodies = list_bodies_up_to(book, subject, moment)
                bare = SubjectStream.build(book.ruleset, subject, lambda bodies=bodies: iter(bodies))  # type: ignore[misc]
                assert folded.same_as(bare.folded) and count == len(bodies), (moment, subject)
                assert continued[subject].fold_at(moment)[0].same_as(bare.folded), (moment, subject)


def test_a_late_ruling_can_be_revised_at_its_place(fight: tuple[Desk, str, str]) -> None:
    desk, ann, ben = fight
    number = enter(desk, 3, "give", char=ann, to=ben, coins=4)
    correction = Correction("a typo", "entry", desk.input("give", char=ann, to=ben, coins=5))
    desk.ledger.revise(desk.call(), number, correction, present)
    assert [one.ruling for one in desk.findings()] == [6, None]
    assert audited(desk) == [] and Correctness(desk).look() == []


def test_what_cannot_be_entered_late_is_refused(fight: tuple[Desk, str, str]) -> None:
    desk, ann, ben = fight
    before = desk.position
    refused: list[tuple[int, str, Any, dict[str, Any], type[LedgerError], str]] = [
        (3, "hit", (), {"char": ann, "target": ben}, Malformed, "late-incomplete"),
        (3, "hit", (STAND,), {"char": ann, "target": ben}, Malformed, "late-incomplete"),
        (3, "enrol", (), {"name": "C", "seat": "s1", "sheet": {"health": 1}}, Malformed, "not-late"),
        (3, "open-session", (), {"title": "I"}, Malformed, "not-late"),
        (3, "set-dial", (), {"name": "die", "value": 8, "reason": "so"}, Malformed, "not-late"),
        (9, "mint", (), {"to": ann, "coins": 1}, NotFound, "ruling-not-found"),
    ]
    for after, kind, answers, fields, problem, code in refused:
        with pytest.raises(problem) as raised:
            enter(desk, after, kind, *answers, **fields)
        assert raised.value.code == code, kind
    with pytest.raises(Refused, match="unknown-character"):
        enter(desk, 1, "give", char=ann, to=ben, coins=1)
    assert desk.position == before


def test_who_does_not_decide_or_was_not_there_cannot_enter_late(fight: tuple[Desk, str, str]) -> None:
    desk, ann, ben = fight
    _, ben_token = desk.seat("Ben")
    with pytest.raises(NotYours):
        enter(desk, 3, "mint", to=ann, coins=1, token=ben_token)
    _, gm_token = desk.seat("Cleo", "gm")
    with pytest.raises(NotYours) as problem:
        enter(desk, 3, "mint", to=ann, coins=1, token=gm_token)
    assert problem.value.code == "not-then"
    desk("mint", to=ann, coins=1)
    assert enter(desk, 7, "mint", to=ben, coins=1, token=gm_token) == 8


def test_a_rewind_and_taking_back_say_so_where_they_cannot(fight: tuple[Desk, str, str]) -> None:
    desk, ann, ben = fight
    number = enter(desk, 3, "mint", to=ann, coins=1)
    for other in (number, 5):
        with pytest.raises(WrongStatus) as problem:
            desk.ledger.rewind(desk.call(), other, "again", present)
        assert problem.value.code == "rewind-late"
    with pytest.raises(WrongStatus) as problem:
        desk.ledger.take_back(desk.call(), number, "", present)
    assert problem.value.code == "entered-late"
    before = desk.everything()
    desk.ledger.rewind(desk.call(), 3, "again", present)
    assert (desk.coins(ann), desk.coins(ben)) == (0, 0)
    desk.ledger.reinstate(desk.call(), 3, "it counts", present)
    must_be_same(desk.everything(), before)
    desk("mint", to=ann, coins=1)  # 8
    desk.ledger.rewind(desk.call(), 8, "again", present)
    assert audited(desk) == [] and Correctness(desk).look() == []


def test_the_session_is_that_of_the_place(desk: Desk) -> None:
    ann = desk.enrol("Ann")
    desk("open-session", title="I")  # 2
    desk("mint", to=ann, coins=1)  # 3
    desk("close-session", session="2")  # 4
    desk("open-session", title="II")  # 5
    number = enter(desk, 3, "mint", to=ann, coins=1)
    desk("mint", to=ann, coins=1)
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        assert book.load_ruling(number).session == "2" and book.load_ruling(number + 1).session == "5"
        assert (6, 6) in book.campaign.rulings_by_session["2"]
    assert audited(desk) == []


def test_a_process_that_follows_sees_what_one_that_begins_anew_sees(
    fight: tuple[Desk, str, str], another: Ledger
) -> None:
    desk, ann, ben = fight
    call = desk.call()
    for change in (
        lambda: enter(desk, 3, "mint", to=ann, coins=1),
        lambda: desk("give", char=ann, to=ben, coins=1),
        lambda: enter(desk, 7, "give", char=ann, to=ben, coins=5, settle="rerule"),
        lambda: desk.ledger.overturn(desk.call(), 7, "no", present),
    ):
        with another.open_for_seat(call) as (book, _):
            pasts.load_chronicle(book, load_history(book))
        change()
        with another.open_for_seat(call) as (book, _):
            followed, anew = load_history(book), _read_history(book)
            assert followed.recorded_rulings == anew.recorded_rulings
            assert [one.number for one in followed.list_in_play()] == [one.number for one in anew.list_in_play()]
            here = {subject: book.load_stream(subject).folded.copy() for subject in book.campaign.subjects}
        must_be_same(here, desk.everything())
    assert audited(desk) == [] and Correctness(desk).look() == []


def test_under_consent_those_affected_are_asked(fight: tuple[Desk, str, str]) -> None:
    desk, ann, _ = fight
    seat, token = desk.seat("Cleo")
    carl = desk.enrol("Carl", seat=seat)  # 7
    desk("mint", to=carl, coins=3)  # 8
    desk("set-dial", name="consent", value="affected", reason="fair")  # 9
    assert enter(desk, 8, "mint", to=ann, coins=1) == 10
    told = enter(desk, 8, "mint", to=carl, coins=1)
    waiting = json.loads(json.dumps(told))["shown"]
    assert "ShownProposal" in waiting and desk.coins(carl) == 3
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        (proposal,) = book.list_proposals()
    desk.ledger.answer_consent_request(desk.call(token=token), proposal.id, True, "yes", present)
    assert desk.coins(carl) == 4 and desk.ruling(11).ruled.after == 8
    assert audited(desk) == []


def test_a_fork_is_a_prefix_of_the_journal(fight: tuple[Desk, str, str]) -> None:
    desk, ann, ben = fight
    enter(desk, 3, "give", char=ann, to=ben, coins=4)  # 7
    before, after = forked(desk, 6), forked(desk, 7)
    assert (before.coins(ann), before.coins(ben)) == (4, 5) and (after.coins(ann), after.coins(ben)) == (0, 9)
    assert state_at(after, ben, 3).purse == {f"character:{ben}/coin": 4} and audited(after) == []
    assert enter(after, 7, "mint", to=ann, coins=1) == 8 and after.ruling(8).ruled.ordinal == 2
    assert audited(after) == [] and Correctness(after).look() == []


def test_an_older_version_of_the_ledger_stops_there(fight: tuple[Desk, str, str], another: Ledger) -> None:
    desk, ann, _ = fight
    enter(desk, 3, "mint", to=ann, coins=1)
    older = Codec()
    for cls in RECORDS:
        if cls not in NEW:
            older.register("ledger", cls)
    for fact in (*facts.FACTS, *desk.ruleset.facts):
        older.register("ledger" if fact in facts.FACTS else "toy", fact)
    another.codec = older
    with pytest.raises(Unsound, match="A newer version of Campaign Ledger"):
        another.overturn(desk.call(), 3, "No.", present)


# --- the laws ---


def tell(desk: Desk, ids: list[str], move: Any, after: int | None = None) -> None:
    """A move of `MOVES`, now or late. Refused moves leave no trace."""
    name, one, other, n = move
    kind, answers, fields = "", (), {}  # type: tuple[str, Any, dict[str, Any]]
    match name:
        case "hit":
            kind, answers, fields = "hit", (STAND, die(n)), {"char": ids[one], "target": ids[other]}
        case "mint":
            kind, answers, fields = "mint", (), {"to": ids[one], "coins": n}
        case "give":
            kind, answers, fields = "give", (), {"char": ids[one], "to": ids[other], "coins": n}
        case _:
            subject = f"character:{ids[one]}"
            kind, answers, fields = "amend", (), {"subject": subject, "field": "harm", "value": n, "reason": "so"}
    if after is None:
        desk(kind, *answers, **fields)
    else:
        enter(desk, after, kind, *answers, settle="rerule", **fields)


def played(ledger: Ledger, moves: list[Any], forgotten: int | None) -> tuple[Desk, list[Any]]:
    """A short history without one of its moves, and who plays it."""
    desk = Desk(ledger)
    ids = [desk.enrol(name, health=12) for name in "ABC"]
    for number, move in enumerate(moves):
        if number != forgotten:
            tell(desk, ids, move)
    return desk, ids


SIMPLE = MOVES.map(lambda moves: [move for move in moves if move[0] not in ("dial", "enrol")])


def compare_with_in_time(ledger: Ledger, moves: list[Any], pick: int) -> bool:
    """Whether the move could be entered late; then all is as if it had been entered in time."""
    in_time, ids = played(ledger, [], None)
    accepted = []
    for move in moves:
        with suppress(Refused):
            tell(in_time, ids, move)
            accepted.append(move)
    if not accepted:
        return False
    forgotten = pick % len(accepted)
    late = Desk(ledger)
    late_ids = [late.enrol(name, health=12) for name in "ABC"]
    count = 0
    for number, move in enumerate(accepted):
        if number != forgotten:
            try:
                tell(late, late_ids, move)
            except Refused:
                return False  # without the forgotten one, nobody could have gone on
            count += 1
    tell(late, late_ids, accepted[forgotten], after=len(late_ids) + forgotten)
    for one, other in zip(ids, late_ids, strict=True):
        here, there = in_time.state(one), late.state(other)
        assert (here.harm, in_time.coins(one)) == (there.harm, late.coins(other)), (accepted, forgotten)
    assert late.findings() == [] and Correctness(late).look() == [] and audited(late) == []
    return True


@settings(max_examples=examples(3, 8, 60), deadline=None, suppress_health_check=list(HealthCheck))
@given(moves=SIMPLE, pick=st.integers(0, 8))
def test_entered_late_it_is_as_if_entered_in_time(ledger: Ledger, moves: list[Any], pick: int) -> None:
    compare_with_in_time(ledger, moves, pick)


MIXED = [("mint", 0, 0, 4), ("hit", 0, 1, 6), ("give", 0, 1, 2), ("amend", 1, 0, 3), ("hit", 1, 0, 5), ("hit", 0, 1, 2)]


@pytest.mark.parametrize("pick", range(1, 6))
def test_so_it_is_for_each_of_these(ledger: Ledger, pick: int) -> None:
    assert compare_with_in_time(ledger, MIXED, pick)


class Remembering(Retold):
    """A game told to a ledger. Now and then what was overturned is entered late in its place."""

    def __init__(self, ledger: Ledger, name: str, seed: int) -> None:
        super().__init__(ledger, play(name, seed, WORDS))
        self.rng = Random(seed)
        self.law = Correctness(self.desk)
        self.codes: dict[str, int] = {}
        self.entered = 0

    def enter(self, number: int) -> None:
        """Overturn a ruling, and enter the same late before the next one."""
        desk = self.desk
        with desk.ledger.open_for_seat(desk.call()) as (book, _):
            past_ruling = load_history(book).rulings[number]
            stands = book.load_ruling(number).stands
        if stands:
            desk.ledger.overturn(desk.call(), number, "forgotten", present)
        assert self.law.look() == []
        late = LateDeclaration(
            past_ruling.declared,
            past_ruling.scene.id if past_ruling.scene is not None else None,
            past_ruling.answers,
            number,
            self.rng.choice(["flag", "rerule"]),
        )
        try:
            told = json.loads(self.ledger.enter_late(self.call(past_ruling.by.seat), late, present).body)
        except (LedgerError, Refused) as refusal:
            self.codes[refusal.code] = self.codes.get(refusal.code, 0) + 1
            return
        self.entered += 1
        assert self.law.look() == []
        if stands and self.entered == 1 and not self.codes:  # nothing before it was decided about
            assert self.facts_of(told["ruling"], told["ruling"]) == self.facts_of(number, told["ruling"])

    def facts_of(self, number: int, as_number: int) -> list[Any]:
        """Its facts, as those of a ruling with this number."""
        with self.desk.ledger.open_for_seat(self.desk.call()) as (book, _):
            pairs = load_history(book).facts[number]
        own_facts = [pair for pair in pairs if not pair[1].revision and not isinstance(pair[1].fact, facts.Leg)]
        texts = [
            (str(subject), encode((body.fact, body.postings)).decode())
            for subject, body in own_facts
            if type(body.fact) is not facts.Leg
        ]
        own_id = re.compile(rf"\b{number}\b(?![.,:\]}}])")
        return [tuple(own_id.sub(str(as_number), text) for text in pair) for pair in texts]


def remembered(ledger: Ledger, name: str, seed: int, count: int = 6) -> Remembering:
    game = Remembering(ledger, name, seed)
    game.tell()
    for number in game.rng.sample(range(1, game.told + 1), min(count, game.told)):
        game.enter(number)
    assert audited(game.desk) == []
    return game


@pytest.mark.parametrize("name", sampled(sorted(systems()), 3, salt="entering late"))
@few
@given(seed=st.integers(0, 2**32))
def test_every_ruling_stays_correct(name: str, seed: int, ledger: Ledger) -> None:
    try:
        remembered(ledger, name, seed)
    except Refused:  # its dials do not go together
        reject()


def test_so_it_is_for_a_game_without_tests_of_its_own(database: str) -> None:
    with with_lanterns(database) as ledger:
        assert any(remembered(ledger, "lanterns", seed).entered for seed in range(4))


# --- planted faults ---


def test_that_its_facts_fold_last_is_found(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject_stream, "get_fold_key", RULING_AND_STEP)
    with pytest.raises(AssertionError):
        for pick in range(1, 6):
            compare_with_in_time(ledger, MIXED, pick)


def test_that_it_is_ruled_on_the_present_is_found(
    fight: tuple[Desk, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, ann, ben = fight
    monkeypatch.setattr(
        entering_late, "load_past_before", lambda book, history, _: pasts.load_past_before(book, history, place_of(99))
    )
    enter(desk, 2, "give", char=ann, to=ben, coins=1)
    assert audited(desk) != []


def test_that_nothing_follows_from_it_is_found(fight: tuple[Desk, str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    desk, ann, ben = fight
    monkeypatch.setattr(entering_late, "make_rulings_again", lambda *_: None)
    enter(desk, 3, "give", char=ann, to=ben, coins=5, settle="rerule")
    assert Correctness(desk).look() != [] and audited(desk) != []


def test_that_the_history_is_not_put_in_order_is_found(
    fight: tuple[Desk, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, ann, ben = fight
    monkeypatch.setattr(
        pasts.History, "list_in_play", lambda self, entered=None: [*self.rulings.values(), *filter(None, (entered,))]
    )
    with pytest.raises((AssertionError, IndexError)):
        enter(desk, 3, "give", char=ann, to=ben, coins=5)
        assert Correctness(desk).look() == []
