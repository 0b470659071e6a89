"""Overturning by name, anywhere in the past, on a real Postgres; seeing it beforehand; taking it back."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.application import Ledger, ShownComparison
from ledger.application.commands.previewing import list_dependent_rulings, preview_overturning, preview_what_if
from ledger.application.reading import pasts
from ledger.application.reading.pasts import MOST_HISTORIES, _read_history, load_chronicle, load_history
from ledger.errors import Malformed, NotYours, Stale, WrongStatus
from ledger.rules import systems
from ledger.rules.kernel import comparison
from ledger.rules.kernel.chronicle import Chronicle
from ledger.rules.kernel.declarations import dial
from ledger.rules.kernel.purses import UNLIMITED
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.register import SeatEntry
from ledger.rules.kernel.subjects import CAMPAIGN, character
from ledger.rules.kernel.table import load_dials_in_force
from ledger.rules.kernel.world import Past
from tests.desk import Desk, present
from tests.levels import examples


def overturn(desk: Desk, number: int, **more: Any) -> None:
    desk.ledger.overturn(desk.call(), number, "it was wrong", present, **more)


def reinstate(desk: Desk, number: int) -> None:
    desk.ledger.reinstate(desk.call(), number, "it was right", present)


def seen(desk: Desk, number: int, **more: Any) -> ShownComparison:
    with desk.ledger.open_for_seat(desk.call()) as (book, viewer):
        return preview_overturning(book, viewer, number, more.get("also", ()), "just looking")


def standpoints(shown: ShownComparison) -> dict[int, str]:
    return {row.number: row.standpoint for row in shown.comparison.rows if row.standpoint != "stands"}


MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("hit"), st.integers(0, 2), st.integers(0, 2), st.integers(1, 6)),
        st.tuples(st.just("mint"), st.integers(0, 2), st.just(0), st.integers(1, 4)),
        st.tuples(st.just("give"), st.integers(0, 2), st.integers(0, 2), st.integers(1, 3)),
        st.tuples(st.just("amend"), st.integers(0, 2), st.just(0), st.integers(0, 5)),
        st.tuples(st.just("dial"), st.just(0), st.just(0), st.sampled_from([6, 8])),
        st.tuples(st.just("enrol"), st.just(0), st.just(0), st.integers(1, 9)),
    ),
    min_size=3,
    max_size=9,
)


def play(desk: Desk, moves: list[tuple[str, int, int, int]]) -> int:
    """A short history; refused moves leave no trace. The number of rulings."""
    ids = [desk.enrol(name, health=12) for name in "ABC"]
    sides = 6
    for move, one, other, n in moves:
        try:
            match move:
                case "hit":
                    die = {"dice": {"sides": sides, "faces": [n]}}
                    desk("hit", {"choice": {"kind": "stand"}}, die, char=ids[one], target=ids[other])
                case "mint":
                    desk("mint", to=ids[one], coins=n)
                case "give":
                    desk("give", char=ids[one], to=ids[other], coins=n)
                case "amend":
                    desk("amend", subject=f"character:{ids[one]}", field="harm", value=n, reason="so it is")
                case "dial":
                    desk("set-dial", name="die", value=n, reason="why not")
                    sides = n
                case _:
                    ids[0] = desk.enrol("D", health=n)
        except Refused:
            continue
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        return book.campaign.rulings


@settings(max_examples=examples(2, 5, 20))
@given(moves=MOVES)
def test_the_law_of_overturning_for_every_ruling(ledger: Ledger, moves: list[tuple[str, int, int, int]]) -> None:
    """For every n: the store with n overturned is the fold without n; and reinstating puts everything back."""
    desk = Desk(ledger)
    count = play(desk, moves)
    before = desk.everything()
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        history = load_history(book)
    for number in range(1, count + 1):
        without = Past(desk.ruleset, {})
        without.tell(history.facts[0])
        for ruling in history.rulings.values():
            if ruling.number != number:
                without.tell(ruling.facts)
        foreseen = seen(desk, number)
        overturn(desk, number)
        after = desk.everything()
        for subject, folded in after.items():
            expected = without.find(subject) or type(folded)(desk.ruleset, subject)
            assert folded.same_as(expected), (number, subject)
            told = foreseen.comparison.then.find(subject) or type(folded)(desk.ruleset, subject)
            assert folded.same_as(told), "what was seen beforehand is what became true"
        reinstate(desk, number)
        assert all(folded.same_as(before[subject]) for subject, folded in desk.everything().items())
        assert not desk.findings(), "what was put back leaves nothing to settle"


@settings(max_examples=examples(2, 5, 20))
@given(moves=MOVES, picks=st.sets(st.integers(1, 9), min_size=1, max_size=3))
def test_looking_at_less_shows_the_same(ledger: Ledger, moves: Any, picks: set[int]) -> None:
    """Skipping rulings that read nothing that differs gives what adjudicating every one of them gives."""
    desk = Desk(ledger)
    count = play(desk, moves)
    picks = {pick for pick in picks if pick <= count}
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        history = load_history(book)
    start = Past(desk.ruleset, {})
    start.tell(history.facts[0])
    told = list(history.rulings.values())
    quick = comparison.compare(start, told, {}, dict.fromkeys(picks))
    thorough = comparison.compare(start, told, {}, dict.fromkeys(picks), skip=False)
    assert [(row.number, row.standpoint) for row in quick.rows] == [
        (row.number, row.standpoint) for row in thorough.rows
    ]
    assert quick.readjudicated_count <= thorough.readjudicated_count


@settings(max_examples=examples(2, 5, 20))
@given(moves=MOVES, more=MOVES)
def test_the_index_of_what_was_read_is_added_to(ledger: Ledger, moves: Any, more: Any) -> None:
    """By rulings, and by decisions about earlier ones: it is what it is when it is made anew."""
    desk = Desk(ledger)
    play(desk, moves)
    for decide in (lambda: play(desk, more), lambda: overturn(desk, 1), lambda: reinstate(desk, 1)):
        with desk.ledger.open_for_seat(desk.call()) as (book, _):
            load_chronicle(book, load_history(book))
        decide()
        with desk.ledger.open_for_seat(desk.call()) as (book, _):
            history = load_history(book)
            kept = load_chronicle(book, history)
            anew = Chronicle(kept.start, history.rulings.values())
            assert (kept.places, kept.readers, kept.writers) == (anew.places, anew.readers, anew.writers)
            for subject in (*kept.histories, *anew.histories):
                assert kept.histories[subject].points == anew.histories[subject].points
                assert kept.histories[subject].facts == anew.histories[subject].facts


def test_rulings_that_nothing_differs_for_are_not_told_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two pairs who fight, the blows of one are nothing to the other; and nobody there is folded."""
    a, b, c, d = (desk.enrol(name) for name in "ABCD")
    first = desk.hit(a, b, 3)
    for _ in range(20):
        desk.hit(c, d, 2)
    visited = list[int]()
    add_ruling = comparison._Pasts.add_ruling

    def counted(pasts: Any, ruling: Any, *, may_skip_replay: bool) -> None:
        visited.append(ruling.number)
        add_ruling(pasts, ruling, may_skip_replay=may_skip_replay)

    monkeypatch.setattr(comparison._Pasts, "add_ruling", counted)
    compared = seen(desk, first).comparison
    assert visited == [first]
    assert len(compared.rows) == 20 and {row.standpoint for row in compared.rows} == {"stands"}
    assert character(b) in compared.then.folded_counts and character(c) not in compared.then.shared.folded_counts


@settings(max_examples=examples(2, 5, 20))
@given(moves=MOVES)
def test_every_ruling_comes_out_as_recorded_and_coins_are_conserved(ledger: Ledger, moves: Any) -> None:
    desk = Desk(ledger)
    play(desk, moves)
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        history = load_history(book)
    past, minted = Past(desk.ruleset, {}), 0
    past.tell(history.facts[0])
    for ruling in history.rulings.values():
        verdict = past.readjudicate(ruling)
        assert not isinstance(verdict, Refused), ruling
        recorded = {(subject, done.step): done.fact for subject, done in ruling.facts}
        for place, about in enumerate(getattr(verdict, "facts")):  # noqa: B009
            assert recorded[about.subject, place] == about.fact
            minted += sum(one.amount for one in about.postings if one.source.split("/")[0] in UNLIMITED)
        past.tell(ruling.facts)
    held = sum(folded.purse.get(f"{subject}/coin", 0) for subject, folded in past.folded.items())
    assert held == minted


def test_seeing_beforehand_tells_four_kinds_apart(desk: Desk) -> None:
    a, b = desk.enrol("A", health=6), desk.enrol("B", health=9)
    desk("mint", to=a, coins=5)  # 3
    desk("set-dial", name="die", value=8, reason="bigger")  # 4
    eight = {"dice": {"sides": 8, "faces": [4]}}
    desk("hit", {"choice": {"kind": "dodge"}}, eight, char=a, target=b)  # 5
    desk("give", char=a, to=b, coins=5)  # 6
    desk("give", char=b, to=a, coins=5)  # 7
    assert standpoints(seen(desk, 3)) == {6: "loses support"}
    assert standpoints(seen(desk, 4)) == {5: "needs dice"}
    assert standpoints(seen(desk, 6)) == {7: "loses support"}
    assert standpoints(seen(desk, 2)) == {5: "loses support", 6: "loses support", 7: "loses support"}
    with desk.ledger.open_for_seat(desk.call()) as (book, viewer):
        assert list_dependent_rulings(book, book.load_ruling(6)) == [7]
        assert standpoints(preview_what_if(book, viewer, (3, 6))) == {7: "loses support"}


def test_an_overturning_raises_findings_that_somebody_settles(desk: Desk) -> None:
    a, b = desk.enrol("A"), desk.enrol("B")
    desk("mint", to=a, coins=5)  # 3
    desk("give", char=a, to=b, coins=5)  # 4
    overturn(desk, 3)
    found = {finding.kind: finding for finding in desk.findings()}
    assert set(found) == {"loses support", "overdrawn"}
    assert found["overdrawn"].account == f"character:{a}/coin" and found["overdrawn"].detail == "-5"
    assert desk.coins(a) == -5
    with pytest.raises(Refused, match="coins-short"):
        desk("give", char=a, to=b, coins=1)
    desk.ledger.settle_finding(desk.call(), found["overdrawn"].id, "let-stand", "they will pay", present)
    assert [finding.kind for finding in desk.findings()] == ["loses support"]
    overturn(desk, 4)
    assert not desk.findings(), "the ruling concerned was overturned too"
    assert desk.coins(a) == 0
    with pytest.raises(Exception, match="no open finding"):
        desk.ledger.settle_finding(desk.call(), found["overdrawn"].id, "let-stand", "again", present)


def test_several_are_overturned_in_one_save(desk: Desk) -> None:
    a, b = desk.enrol("A"), desk.enrol("B")
    desk("mint", to=a, coins=5)
    desk("give", char=a, to=b, coins=5)
    position = desk.position
    overturn(desk, 3, also=[4])
    assert desk.position == position + 1
    assert (desk.coins(a), desk.coins(b)) == (0, 0)
    assert not desk.findings()
    for number in (3, 4):
        assert desk.ruling(number).status == "overturned"
    with pytest.raises(Malformed):
        overturn(desk, 1, also=[1])


def test_an_enrolment_struck_sets_what_followed_adrift(desk: Desk) -> None:
    a, b = desk.enrol("A"), desk.enrol("B")
    desk.hit(a, b, 5)
    overturn(desk, 2)
    kinds = sorted(finding.kind for finding in desk.findings())
    assert kinds == ["adrift", "loses support"]
    with pytest.raises(Refused, match="unknown-character"):
        desk.hit(a, b, 3)
    reinstate(desk, 2)
    assert desk.state(b).harm == 5


STEPS = ["dispute", "uphold", "overturn", "reinstate"]
ALLOWED = {
    "standing": {"dispute": "disputed", "overturn": "overturned"},
    "disputed": {"uphold": "upheld", "overturn": "overturned"},
    "upheld": {"dispute": "disputed", "overturn": "overturned"},
    "overturned": {"reinstate": "standing"},
}


@pytest.mark.parametrize("status", ALLOWED)
@pytest.mark.parametrize("step", STEPS)
def test_what_may_be_decided_in_which_status(desk: Desk, status: str, step: str) -> None:
    number = int(desk.enrol("A"))
    way = {"standing": [], "disputed": ["dispute"], "upheld": ["dispute", "uphold"], "overturned": ["overturn"]}[status]
    for earlier in way:
        getattr(desk.ledger, earlier)(desk.call(), number, "on the way", present)
    assert desk.ruling(number).status == status
    if step in ALLOWED[status]:
        reply = getattr(desk.ledger, step)(desk.call(), number, "because", present)
        assert json.loads(reply.body)["status"] == ALLOWED[status][step] == desk.ruling(number).status
        assert desk.ruling(number).decisions[-1].reason == "because"
        assert len(desk.ruling(number).decisions) == len(way) + 1
    else:
        position = desk.position
        with pytest.raises(WrongStatus):
            getattr(desk.ledger, step)(desk.call(), number, "because", present)
        assert desk.position == position


def test_who_decides_and_why(desk: Desk) -> None:
    number = int(desk.enrol("A"))
    _, player = desk.seat("Bob")
    _, observer = desk.seat("Oz", "observer")
    for command in ("uphold", "overturn", "reinstate"):
        with pytest.raises(NotYours):
            getattr(desk.ledger, command)(desk.call(token=player), number, "please", present)
    desk.ledger.dispute(desk.call(token=observer), number, "I saw it otherwise", present)
    with pytest.raises(Malformed):
        desk.ledger.uphold(desk.call(), number, "   ", present)
    with pytest.raises(Stale):
        desk.ledger.uphold(desk.call(), number, "sound", present, if_match=1)
    desk.ledger.uphold(desk.call(), number, "sound", present, if_match=2)
    assert [(one.decision, one.by) for one in desk.ruling(number).decisions] == [("disputed", "s3"), ("upheld", "s1")]


def test_dials_are_pinned_and_a_turn_can_be_overturned(desk: Desk) -> None:
    a, b = desk.enrol("A"), desk.enrol("B")
    desk.hit(a, b, 6)
    desk("set-dial", name="die", value=8, reason="bigger")
    number = desk("hit", {"choice": {"kind": "stand"}}, {"dice": {"sides": 8, "faces": [8]}}, char=a, target=b)
    assert [desk.ruling(one).ruled.dials for one in (3, number)] == [{}, {"die": 8}]
    overturn(desk, 4)
    assert desk.folded(CAMPAIGN).entry.dials == {}  # type: ignore[union-attr]
    assert desk.ruling(number).ruled.dials == {"die": 8}, "the pin stays as testimony"
    assert desk.state(b).harm == 14, "later rulings keep what they recorded"
    assert {finding.kind for finding in desk.findings()} == {"needs dice"}
    desk.hit(a, b, 1)


def test_a_second_process_sees_it_at_once(desk: Desk, another: Ledger) -> None:
    a, b = desk.enrol("A"), desk.enrol("B")
    desk.hit(a, b, 5)
    from ledger.rules.kernel.subjects import character

    with another.open_for_seat(desk.call()) as (book, _):
        assert book.load_stream(character(b)).folded.state.harm == 5
    overturn(desk, 3)
    with another.open_for_seat(desk.call()) as (book, _):
        assert book.load_stream(character(b)).folded.state.harm == 0
    assert systems()["toy"].name == "toy"


def test_a_spend_loses_its_support_with_what_it_spends(desk: Desk) -> None:
    """Also where only the kernel sees to it that nothing is overdrawn."""
    a = desk.enrol("A")
    desk("mint", to=a, coins=5)
    purse = f"character:{a}/coin"
    desk("adjust", source=purse, target="bank/coin", unit="coin", amount=5, reason="a tax")
    assert standpoints(seen(desk, 2)) == {3: "loses support"}


def test_a_character_never_enrolled_is_not_at_the_table_by_being_handed_over(desk: Desk) -> None:
    seat, _ = desk.seat("Bob")
    a = desk.enrol("A")
    desk("hand-over", character=a, seat=seat)
    overturn(desk, 1)
    assert desk.folded(CAMPAIGN).entry.roster == {}  # type: ignore[union-attr]
    reinstate(desk, 1)
    assert desk.folded(CAMPAIGN).entry.roster == {a: seat}  # type: ignore[union-attr]
    assert not desk.findings()


def test_a_seat_removed_later_was_at_the_table_before(desk: Desk) -> None:
    """Adjudicated again, an enrolment finds the seats as they were."""
    seat, _ = desk.seat("Bob")
    desk.enrol("A", seat=seat)
    desk.ledger.change_seat(desk.call(), seat, None, True, present)
    late, _ = desk.seat("Eve")
    desk.enrol("B", seat=late)
    with desk.ledger.open_for_seat(desk.call()) as (book, viewer):
        history = load_history(book)
        past = Past(book.ruleset, {})
        past.tell(history.facts[0])
        for ruling in history.rulings.values():
            past.tell(ruling.before)
            verdict = past.readjudicate(ruling)
            assert past.is_as_recorded(ruling, verdict), verdict
            past.tell(ruling.facts)
        shown = preview_what_if(book, viewer, (1,)).comparison
        seats = [subject.id for subject in shown.then.seats()]
        assert seats == ["s1", seat, late]
        removed = shown.then.told(shown.then.seats()[1]).entry
    assert isinstance(removed, SeatEntry) and removed.removed


def test_each_of_several_overturned_names_the_others(desk: Desk) -> None:
    a = desk.enrol("A")
    for coins in (1, 2, 3):
        desk("mint", to=a, coins=coins)
    overturn(desk, 3, also=[4, 2])
    assert [desk.ruling(number).decisions[-1].also for number in (2, 3, 4)] == [(3, 4), (2, 4), (2, 3)]


def test_a_greater_debt_is_found_anew(desk: Desk) -> None:
    a, b = desk.enrol("A"), desk.enrol("B")
    for _ in range(3):
        desk("mint", to=a, coins=3)  # 3 to 5
    desk("give", char=a, to=b, coins=9)  # 6

    def debts() -> list[tuple[int, str]]:
        return [(one.cause, one.detail) for one in desk.findings() if one.kind == "overdrawn"]

    overturn(desk, 3)
    assert debts() == [(3, "-3")]
    overturn(desk, 4)
    assert debts() == [(4, "-6")], "it takes the place of the lesser one"
    settled = next(one for one in desk.findings() if one.kind == "overdrawn")
    desk.ledger.settle_finding(desk.call(), settled.id, "let-stand", "they will pay", present)
    overturn(desk, 5)
    assert debts() == [(5, "-9")], "nobody has let that stand"
    overturn(desk, 6)
    assert debts() == []


def test_a_later_edition_does_not_turn_a_dial_nobody_has_turned(desk: Desk) -> None:
    @dataclass(frozen=True, slots=True)
    class Later:
        die: int = dial(8, "toy.hit")
        new: bool = dial(True, "toy.hit")

    later = replace(desk.ruleset, dials=Later)
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        assert load_dials_in_force(later, book) == Later(6, True)
    for name, ruleset in systems().items():
        opened = Desk(desk.ledger, name)
        with desk.ledger.open_for_seat(opened.call()) as (book, _):
            assert load_dials_in_force(ruleset, book) == ruleset.dials(), "as they come back from the record"


@settings(max_examples=examples(2, 5, 20))
@given(moves=MOVES, picks=st.lists(st.integers(1, 9), min_size=1, max_size=4))
def test_a_history_carried_on_is_the_history_read_anew(ledger: Ledger, moves: Any, picks: list[int]) -> None:
    """Looking now and then between saves, with decisions and seats in between, gives what one reading gives."""
    desk = Desk(ledger)

    def carried_on() -> None:
        with desk.ledger.open_for_seat(desk.call()) as (book, _):
            kept = load_history(book)
            anew = _read_history(book)
            assert kept is load_history(book) is book.history
            decided_parts = ("facts_since", "standing_revisions", "recorded_rulings")
            for part in ("position", "versions", "facts", "rulings", *decided_parts):
                assert getattr(kept, part) == getattr(anew, part), part

    carried_on()
    for number, move in enumerate(moves):
        play(desk, [move])
        if number % 2:
            desk.seat(f"Guest {number}")
        carried_on()
    for pick in picks:
        if desk.ruling(pick).stands:
            overturn(desk, pick)
        else:
            reinstate(desk, pick)
        carried_on()


def test_only_a_few_histories_stay_in_memory(ledger: Ledger) -> None:
    desks = [Desk(ledger) for _ in range(MOST_HISTORIES + 2)]
    for desk in desks:
        desk.enrol("A")
        seen(desk, 1)
    assert [ledger.get_book(desk.campaign).history is not None for desk in desks] == [False] * 2 + [
        True
    ] * MOST_HISTORIES


def test_only_so_many_rulings_stay_in_the_histories(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the campaigns in use are. The latest history is kept whole."""
    monkeypatch.setattr(pasts, "MOST_RULINGS", 7)
    desks = [Desk(ledger) for _ in range(4)]
    for desk in desks:
        for name in "ABC":
            desk.enrol(name)
        seen(desk, 1)
        assert pasts.count_kept_rulings() <= 7
    assert [ledger.get_book(desk.campaign).history is not None for desk in desks] == [False, False, True, True]
    for _ in range(8):
        desks[0].enrol("D")
    seen(desks[0], 1)
    assert [ledger.get_book(desk.campaign).history is not None for desk in desks] == [True, False, False, False]
    assert pasts.count_kept_rulings() == 11
