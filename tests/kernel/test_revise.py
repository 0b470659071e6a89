"""Revising a ruling in its own place, and ruling again what changes because of a decision, on a real Postgres."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.application import Ledger, json_form
from ledger.application.commands.previewing import preview_what_if
from ledger.application.commands.revising import Correction, preview_revising
from ledger.application.reading.pasts import _read_history, load_history, load_past_before
from ledger.errors import Malformed, NotYours, Stale
from ledger.events import codec
from ledger.events.records import Decided
from ledger.rules.kernel.comparison import Other, compare
from ledger.rules.kernel.places import place_of
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.world import Past
from tests.desk import Desk, present
from tests.kernel.correctness import Correctness, audited
from tests.kernel.test_overturn import MOVES, overturn, play, reinstate, standpoints
from tests.levels import examples
from tests.rules.mongrel.game import AHVIA

STAND = {"choice": {"kind": "stand"}}


def die(face: int, sides: int = 6) -> dict[str, Any]:
    return {"dice": {"sides": sides, "faces": [face]}}


def correction(desk: Desk, declare: dict[str, Any] | None = None, *answers: Any, **more: Any) -> Correction:
    said = [None if one is None else desk.answers(one)[0] for one in answers]
    do = desk.input(**declare) if declare is not None else None
    return Correction("it was a slip", more.pop("code", "entry"), do, said, **more)


def revise(desk: Desk, number: int, declare: dict[str, Any] | None = None, *answers: Any, **more: Any) -> Any:
    reply = desk.ledger.revise(desk.call(), number, correction(desk, declare, *answers, **more), present)
    return json.loads(reply.body)


def differences(desk: Desk) -> list[int]:
    """Rulings that, adjudicated again on all that stands, do not come out as recorded."""
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        book.history = None
        history = load_history(book)
        past = load_past_before(book, history, place_of(1))
        found = []
        for ruling in history.rulings.values():
            past.tell(ruling.before)
            if past.stands(ruling.number) and not past.is_as_recorded(ruling, past.readjudicate(ruling)):
                found.append(ruling.number)
            past.tell(ruling.facts)
    return found


def test_hit_five_amend_to_nothing_revise_the_hit_to_three_gives_nothing(desk: Desk) -> None:
    a, b = desk.enrol("A"), desk.enrol("B")
    desk.hit(a, b, 5)  # 3
    desk("amend", subject=f"character:{b}", field="harm", value=0, reason="too harsh")
    assert revise(desk, 3, None, None, die(3)) == {"ruling": 3, "status": "revised"}
    assert desk.state(b).harm == 0
    overturn(desk, 4)
    assert desk.state(b).harm == 3
    ruling = desk.ruling(3)
    assert (ruling.revision, ruling.standing) == (1, 1)
    assert [one.answer for one in ruling.ruled.answers] == [STAND, {"dice": {**die(3)["dice"], "source": "table"}}]
    assert ruling.earlier[0].ruled.answers[1].answer["dice"]["faces"] == [5], "what was told before stays to be seen"
    made = ruling.decisions[-1]
    assert (made.decision, made.code, made.revision, made.reason) == ("revised", "entry", 1, "it was a slip")
    assert not differences(desk) and not desk.findings()


def test_the_status_table_with_revisions(desk: Desk) -> None:
    a, b = desk.enrol("A"), desk.enrol("B")
    desk.hit(a, b, 5)
    revise(desk, 3, None, None, die(3))
    desk.ledger.dispute(desk.call(), 3, "no, 5", present)
    revise(desk, 3, None, None, die(5), code="ruling")
    assert (desk.state(b).harm, desk.ruling(3).revision, desk.ruling(3).status) == (5, 2, "revised")
    desk.ledger.dispute(desk.call(), 3, "no, 4", present)
    desk.ledger.uphold(desk.call(), 3, "it was 5", present)
    overturn(desk, 3)
    assert desk.state(b).harm == 0
    reinstate(desk, 3)
    assert (desk.state(b).harm, desk.ruling(3).status) == (5, "revised")
    assert [one.revision for one in desk.ruling(3).decisions] == [1, 1, 2, 2, 2, None, 2]
    overturn(desk, 3)
    revise(desk, 3, None, None, die(4))  # asked again
    assert (desk.state(b).harm, desk.ruling(3).revision, desk.ruling(3).status) == (4, 3, "revised")
    assert audited(desk) == [] and Correctness(desk).look() == []
    everything = desk.everything()
    revise(desk, 3)
    assert all(folded.same_as(everything[subject]) for subject, folded in desk.everything().items())
    with pytest.raises(Stale):
        revise(desk, 3, None, None, die(1), if_match=1)


def test_a_declaration_is_corrected_to_another_target(desk: Desk) -> None:
    a, b, c = (desk.enrol(name) for name in "ABC")
    desk.hit(a, b, 5)
    revise(desk, 4, {"kind": "hit", "char": a, "target": c})
    assert (desk.state(b).harm, desk.state(c).harm) == (0, 5)
    overturn(desk, 4)
    assert (desk.state(b).harm, desk.state(c).harm) == (0, 0)
    reinstate(desk, 4)
    assert (desk.state(b).harm, desk.state(c).harm) == (0, 5)
    revise(desk, 4, {"kind": "hit", "char": a, "target": b})
    assert (desk.state(b).harm, desk.state(c).harm) == (5, 0)


def test_what_a_correction_may_not_be(desk: Desk) -> None:
    a, b = desk.enrol("A"), desk.enrol("B")
    desk.hit(a, b, 5)  # 3
    rolled = desk.ledger.declare(desk.call(), desk.input("hit", char=a, target=b), present, answers=desk.answers(STAND))
    number = json.loads(rolled.body)["ruling"]
    face = desk.ruling(number).ruled.answers[1].answer["dice"]["faces"][0]
    desk("set-dial", name="die", value=8, reason="bigger")  # 5
    eight = desk("hit", STAND, die(8, 8), char=a, target=b)
    before = desk.everything()
    hit = {"kind": "hit", "char": a, "target": b}
    for wrong, code in (
        ((3, {"kind": "mint", "to": a, "coins": 1}), "another-kind"),
        ((number, None, None, die(face % 6 + 1)), "dice-rolled"),
        ((number, None, None, None, die(1)), "dice-rolled"),
        ((3, None, None, die(9)), "face-range"),
        ((3, None, die(1)), "choice-kind|answer-kind"),
        ((3, None, None, None, die(3)), "not-asked"),
        ((3, {**hit, "target": "99"}), "unknown-character"),
    ):
        with pytest.raises((Malformed, Refused)) as raised:
            revise(desk, wrong[0], *wrong[1:])
        assert getattr(raised.value, "code") in code.split("|"), wrong  # noqa: B009
    _, player = desk.seat("Bob")
    with pytest.raises(NotYours):
        desk.ledger.revise(desk.call(token=player), 3, correction(desk, None, None, die(1)), present)
    with pytest.raises(Malformed):
        desk.ledger.revise(desk.call(), 3, Correction("  ", "entry"), present)
    now = desk.everything()
    assert all(now[subject].same_as(folded) for subject, folded in before.items())
    revise(desk, number, None, STAND, die(face))
    overturn(desk, 5)
    with pytest.raises(Malformed) as needs:
        revise(desk, eight)
    assert needs.value.code == "needs-dice" and needs.value.context["question"]["sides"] == 6
    revise(desk, eight, None, None, die(6))
    assert desk.ruling(eight).ruled.dials == {}, "ruled under the dials that stand at its place now"


@settings(max_examples=examples(2, 5, 20))
@given(moves=MOVES, picks=st.lists(st.tuples(st.integers(1, 12), st.booleans()), min_size=1, max_size=4))
def test_ruling_again_leaves_nothing_that_differs_and_can_be_undone(ledger: Ledger, moves: Any, picks: Any) -> None:
    """Overturn with `rerule`: all later rulings come out as recorded, but of dice or what is hidden. And back."""
    desk = Desk(ledger)
    count = play(desk, moves)
    for pick, sturdy in picks:
        number = (pick - 1) % count + 1
        before = desk.everything()
        with desk.ledger.open_for_seat(desk.call()) as (book, _):
            history = load_history(book)
            start = load_past_before(book, history, place_of(1))
            standing = {**history.standing_revisions, number: None}
            told = list(history.rulings.values())
            foreseen = compare(start, told, history.standing_revisions, Other(standing, rerule=True, openly=True))
            thorough = compare(
                start, told, history.standing_revisions, Other(standing, rerule=True, openly=True), skip=False
            )
        assert [one.number for one in foreseen.reruled] == [one.number for one in thorough.reruled]
        needs = [row.number for row in foreseen.rows if row.standpoint == "needs dice" and not row.as_recorded]
        overturn(desk, number, settle="rerule")
        for subject, folded in desk.everything().items():
            assert folded.same_as(foreseen.then.told(subject)), "what was seen beforehand is what became true"
        otherwise = {one.ruling for one in desk.findings() if one.kind in ("changes", "loses support")}
        assert all(is_hidden(desk, one) for one in otherwise)
        assert set(differences(desk)) == {*needs, *otherwise}
        assert {one.ruling for one in desk.findings() if one.kind == "needs dice"} == set(needs)
        desk.ledger.reinstate(desk.call(), number, "it was right", present, settle="rerule")
        assert all(folded.same_as(before[subject]) for subject, folded in desk.everything().items())
        assert not differences(desk) and not desk.findings()
        assert all(len(owners) == 1 for owners in owners_of_answers(desk, count).values())
        with desk.ledger.open_for_seat(desk.call()) as (book, _):
            anew = _read_history(book)
            for part in (
                "position",
                "versions",
                "facts",
                "facts_since",
                "rulings",
                "standing_revisions",
                "recorded_rulings",
            ):
                assert getattr(load_history(book), part) == getattr(anew, part), part
        if sturdy:
            break


def is_hidden(desk: Desk, number: int | None) -> bool:
    """Whether nothing that was recorded of it is for everybody."""
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        return all(body.audience is not None for _, body in load_history(book).facts[number or 0])


def owners_of_answers(desk: Desk, count: int) -> dict[Any, set[Any]]:
    """Whose each answer is in all tellings of its ruling."""
    found: dict[Any, set[Any]] = {}
    for number in range(1, count + 1):
        ruling = desk.ruling(number)
        for told in [*(one.ruled for one in ruling.earlier), ruling.ruled]:
            for one in told.answers:
                whose = one.question.get("seat") or one.question.get("who")
                found.setdefault((number, one.at, json.dumps(one.answer)), set()).add(whose)
    return found


@settings(max_examples=examples(2, 5, 20))
@given(moves=MOVES, picks=st.lists(st.tuples(st.integers(1, 12), st.integers(0, 6)), min_size=1, max_size=4))
def test_what_is_seen_beforehand_is_what_becomes_true(ledger: Ledger, moves: Any, picks: Any) -> None:
    """fold(log + revise n -> x) == fold(log where n was x from the start), on the store."""
    desk = Desk(ledger)
    count = play(desk, moves)
    for pick, n in picks:
        number = (pick - 1) % count + 1
        ruling = desk.ruling(number)
        fields = {**ruling.ruled.declared, **({"coins": n} if "coins" in ruling.ruled.declared else {})}
        said = [None, die(n, ruling.ruled.dials.get("die", 6))] if fields["kind"] == "hit" else []
        try:
            meant = correction(desk, fields, *said)
            with desk.ledger.open_for_seat(desk.call()) as (book, viewer):
                foreseen = preview_revising(book, viewer, number, meant)
            desk.ledger.revise(desk.call(), number, meant, present)
        except (Refused, Malformed):
            continue
        after, at_once = desk.everything(), Past(desk.ruleset, {})
        with desk.ledger.open_for_seat(desk.call()) as (book, _):
            history = load_history(book)
        at_once.tell(history.facts[0])
        for one in history.rulings.values():
            told = [(about, done) for about, done in one.facts if done.revision == one.revision]
            at_once.tell([(about, as_if_first(done)) for about, done in told])
        for subject, folded in after.items():
            assert folded.same_as(foreseen.comparison.then.told(subject))
            assert folded.same_as(at_once.told(subject))


def as_if_first(done: Any) -> Any:
    """The fact as if it had been told so from the start."""
    return msgspec.structs.replace(done, revision=0)


def test_rules_that_break_are_an_outcome_of_their_row(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    """A defect of one system must not keep a table from deciding; what it said may be secret, and is not told."""
    a, b = desk.enrol("A"), desk.enrol("B")
    desk("mint", to=a, coins=5)  # 3
    desk("give", char=a, to=b, coins=4)  # 4
    desk("give", char=b, to=a, coins=1)  # 5

    def broken(table: Any, do: Any) -> Any:
        if table.number == 4 and table.balance(f"character:{a}/coin") < 5:
            raise ZeroDivisionError("the hidden hand holds 4100417")
        return desk.ruleset.adjudicate(table, do)

    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        book._ruleset = replace(desk.ruleset, adjudicate=broken)
    overturn(desk, 3, settle="rerule")
    assert [(one.kind, one.ruling) for one in desk.findings()] == [("loses support", 4), ("overdrawn", None)]
    assert desk.ruling(4).status == desk.ruling(5).status == "standing", "it keeps what it recorded"
    (said,) = [one.getMessage() for one in caplog.records if one.name == "ledger.rules"]
    assert "ruling 4" in said and "ZeroDivisionError" in said and "4100417" not in said
    with pytest.raises(Refused) as refused:
        revise(desk, 4)
    assert (refused.value.code, refused.value.context) == ("rules-failed", {})
    reinstate(desk, 3)
    assert not desk.findings()


def test_rulings_of_an_older_edition_are_reported_and_not_ruled_again(desk: Desk) -> None:
    a, b = desk.enrol("A"), desk.enrol("B")
    desk("mint", to=a, coins=5)  # 3
    desk("give", char=a, to=b, coins=4)  # 4
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        book._ruleset = replace(desk.ruleset, edition=2)
    desk("give", char=a, to=b, coins=1)  # 5
    overturn(desk, 3, settle="rerule")
    assert [one.ruling for one in desk.findings() if one.kind == "loses support"] == [4]
    assert (desk.ruling(4).revision, desk.ruling(5).revision) == (0, 1)
    assert desk.ruling(5).refused is not None
    reinstate(desk, 3)
    assert desk.ruling(5).refused is not None, "without `rerule` it stays as it is"
    assert [(one.kind, one.ruling) for one in desk.findings()] == [("changes", 5)]
    revise(desk, 5)
    assert (desk.coins(a), desk.coins(b), desk.findings()) == (0, 5, [])
    assert desk.ruling(5).ruled.edition == 2


def test_what_is_put_back_leaves_no_finding_on_a_ruling_of_an_older_edition(desk: Desk) -> None:
    """Today's rules never say what it recorded; both pasts are compared, and it stands as it was ruled."""
    a, b = desk.enrol("A"), desk.enrol("B")
    desk("mint", to=a, coins=5)  # 3
    desk("give", char=a, to=b, coins=4)  # 4

    def louder(table: Any, do: Any) -> Any:
        verdict = yield from desk.ruleset.adjudicate(table, do)
        more = [replace(one, fact=replace(one.fact, coins=99)) for one in verdict.facts if hasattr(one.fact, "coins")]
        return replace(verdict, facts=tuple(more)) if more else verdict

    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        book._ruleset = replace(desk.ruleset, edition=2, adjudicate=louder)
    overturn(desk, 3)
    assert [(one.kind, one.ruling) for one in desk.findings() if one.ruling] == [("loses support", 4)]
    reinstate(desk, 3)
    assert desk.findings() == []


def test_decisions_of_before_are_read_as_they_were_meant() -> None:
    stored = codec.load_codec()
    told: dict[str, Any] = {"reason": "it was", "settle": None, "also": []}
    for decision, revision in (("disputed", 0), ("upheld", 0), ("overturned", None), ("reinstated", 0)):
        state = {"position": 1, "by": "s1", "at": "", "salt": "s", "fact": {**told, "decision": decision}}
        fact = stored.decode("ledger.decided@1", json.dumps(state).encode()).fact
        assert fact == Decided(decision, "it was", revision=revision)  # type: ignore[arg-type]


def test_an_answer_set_aside_answers_its_own_question_again(desk: Desk) -> None:
    """A die that a correction made needless is not rolled again when another one needs it."""
    a, b, c = desk.enrol("A", health=9), desk.enrol("B", health=9), desk.enrol("C", health=1)
    rolled = desk.ledger.declare(desk.call(), desk.input("hit", char=a, target=b), present, answers=desk.answers(STAND))
    number = json.loads(rolled.body)["ruling"]
    face = desk.ruling(number).ruled.answers[1].answer["dice"]["faces"][0]
    overturn(desk, 2, settle="rerule")
    desk.ledger.reinstate(desk.call(), 2, "back", present, settle="rerule")
    told = [(one.revision, one.decision) for one in desk.ruling(number).decisions]
    assert told == [(1, "reruled"), (2, "reruled")]
    lost, back = desk.ruling(number).earlier[1].ruled.answers, desk.ruling(number).ruled.answers
    assert [one.set_aside for one in (*lost, *back)] == [True, True, False, False]
    assert (back[1].answer["dice"]["faces"], back[1].answer["dice"]["source"]) == ([face], "ledger")
    assert desk.state(b).harm == face and desk.state(c).harm == 0


def test_what_would_have_differed_had_we_played_by_size_from_the_start(ledger: Ledger) -> None:
    """Mongrel: 7 points of damage are terminal for Ahvia by her Size, and gray by her Physique; 1 is neither."""
    desk = Desk(ledger, "mongrel")
    ahvia = desk(
        "enrol",
        name="Ahvia",
        seat="s1",
        sheet=json_form.to_json(AHVIA),
    )
    for effect in (1, 6):
        desk("take-hit", character=str(ahvia), effect=effect, shunt=0)
    with desk.ledger.open_for_seat(desk.call()) as (book, viewer):
        asked = preview_what_if(book, viewer, [], {"terminal_basis": "size"})
        with pytest.raises(Refused, match="dial-value"):
            preview_what_if(book, viewer, [], {"terminal_basis": "mood"})
    assert standpoints(asked) == {3: "changes"}
    assert (asked.without, asked.dials, asked.findings[0].kind) == ((), {"terminal_basis": "size"}, "changes")
    row = asked.comparison.rows[-1]
    zones = [[one.fact.zone for one in told.facts if hasattr(one.fact, "zone")] for told in (row.now, row.then)]  # type: ignore[union-attr]
    assert zones == [["gray"], ["terminal"]]
    assert [str(one) for one in asked.comparison.list_differing_subjects()] == ["campaign"], (
        "what was recorded stays as it was"
    )
