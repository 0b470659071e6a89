"""Only what the journal names counts: anything else is a fault of its campaign, and of no other."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from ledger.application import Book, Ledger, audit
from ledger.application.commands.previewing import preview_what_if
from ledger.application.reading.pasts import load_history
from ledger.application.reading.stored import read_sealed_saves
from ledger.errors import Denied, Fault, LedgerError
from ledger.events.sealing import is_sealed_stream
from ledger.rules.kernel.subjects import Viewer, character
from tests.desk import Desk, present
from tests.kernel.conftest import SCHEMA, service_url
from tests.kernel.tampering import Tampering, in_earlier_form
from tests.levels import sampled
from tests.waiting import wait_until

GM = Viewer("s1", "gm")


@pytest.fixture
def played(desk: Desk) -> Desk:
    """Ada (1) has 7 coins and was hit; ruling 5 was disputed and upheld; something waits."""
    ada, bo = desk.enrol("Ada"), desk.enrol("Bo")
    desk("mint", to=ada, coins=5)
    desk("mint", to=ada, coins=2)
    desk.hit(bo, ada, 3)
    desk.ledger.dispute(desk.call(), 5, "no", present)
    desk.ledger.uphold(desk.call(), 5, "yes", present)
    desk("hit", char=ada, target=bo)
    return desk


@pytest.fixture
def foreign(played: Desk, database: str) -> Tampering:
    """The service's own login, which may only add."""
    return Tampering(service_url(database), SCHEMA, played.campaign)


@pytest.fixture
def owner(played: Desk, database: str) -> Tampering:
    return Tampering(database, SCHEMA, played.campaign)


def cold(desk: Desk) -> Book:
    """The campaign as a process reads it that knows nothing of it."""
    book = Book(desk.ledger.store, desk.ledger.codec, desk.campaign)
    book.catch_up()
    return book


def everything(desk: Desk) -> Any:
    """Every fold there is, read from the record alone."""
    book = cold(desk)
    homes = {subject: book.load_stream(subject).folded.purse for subject in book.campaign.subjects}
    rulings = book.load_rulings(range(1, book.campaign.rulings + 1))
    return homes, rulings, [book.load_pending(id) for id in book.campaign.waiting_ids], book.randomness.epochs


Look = Callable[[Desk], object]
LOOKS: dict[str, Look] = {
    "the fold": everything,
    "a history": lambda desk: load_history(cold(desk)),
    "a what-if": lambda desk: preview_what_if(cold(desk), GM, [1], None),
    "an export": lambda desk: list(read_sealed_saves(cold(desk))),
}


@pytest.mark.parametrize("look", sampled(list(LOOKS), 2))
@pytest.mark.parametrize(
    ("stream", "version"),
    [("character/1", 3), ("character/1", 4), ("ruling/5", 2), ("seat/s1", 1), ("campaign/campaign", 2)],
)
def test_a_copy_at_the_next_version_is_a_fault_at_the_first_read(
    played: Desk, foreign: Tampering, look: str, stream: str, version: int
) -> None:
    LOOKS[look](played)
    last = foreign.copy(stream, version)
    with pytest.raises(Fault, match=f"does not list {stream} version {last}") as problem:
        LOOKS[look](played)
    pool = played.ledger.store.datastore.pool

    def is_idle() -> bool:
        """Whether every connection is back. (The pool counts one that it is still opening.)"""
        stats = pool.get_stats()
        return bool(stats["pool_available"] == stats["pool_size"])

    wait_until(is_idle, "a transaction stays open while the fault is raised")
    assert (problem.value.code, problem.value.context) == ("event-unnamed", {"stream": stream, "version": last})
    found = audit(cold(played)).differences
    assert [one.detail for one in found if one.what == "journal"] == [problem.value.detail]
    other = Desk(played.ledger)
    other.enrol("Cleo")
    LOOKS[look](other)


@pytest.mark.parametrize("stream", ["randomness/randomness", "waiting/w8", "journal/journal"])
def test_so_it_is_where_no_subject_is_concerned(played: Desk, foreign: Tampering, stream: str) -> None:
    name = next(row[1] for row in foreign.rows() if row[1].partition("/")[2].startswith(stream.partition("/")[0]))
    last = foreign.copy(name.partition("/")[2], 1)
    with pytest.raises(Fault, match=rf"does not list \S+ version {last}"):
        everything(played)
    assert [one.what for one in audit(cold_or_warm(played)).differences] == ["journal"]


def cold_or_warm(desk: Desk) -> Book:
    book = Book(desk.ledger.store, desk.ledger.codec, desk.campaign)
    try:
        book.catch_up()
    except Fault:
        assert book.campaign.position == desk.ledger.get_book(desk.campaign).campaign.position
    return book


def test_copied_into_another_stream_it_is_no_more(played: Desk, foreign: Tampering) -> None:
    last = foreign.copy("character/1", 3, to="character/2")
    with pytest.raises(Fault, match=f"does not list character/2 version {last}"):
        everything(played)


def test_what_says_it_is_of_a_later_save_does_not_count_before(played: Desk, foreign: Tampering) -> None:
    position = played.position
    later = foreign.copy("character/1", 3, position=position + 1)
    assert cold(played).load_stream(character("1")).folded.purse == {"character:1/coin": 7}, (
        "not yet: its save may come"
    )
    with pytest.raises(Fault, match=f"does not list character/1 version {later}"):
        list(read_sealed_saves(cold(played)))
    assert f"does not list character/1 version {later}" in str(audit(cold(played)).differences)


def test_what_stands_in_the_way_of_a_save_is_no_race(played: Desk, foreign: Tampering) -> None:
    """The process knows the stream and need not read it: what it shows is right, and it comes upon the copy at last."""
    last = foreign.copy("character/1", 3)
    assert played.coins("1") == 7
    with pytest.raises(Fault, match=f"does not list character/1 version {last}"):
        played("mint", to="1", coins=1)
    with pytest.raises(Fault):
        played("mint", to="1", coins=1)
    assert Desk(played.ledger).enrol("Cleo") == "1"


def test_an_old_token_does_not_come_back(played: Desk, foreign: Tampering, another: Ledger) -> None:
    seat, token = played.seat("Ben")
    played.ledger.renew_token(played.call(), seat, present)
    with pytest.raises(Denied), another.open_for_seat(played.call(token=token)):
        pass
    foreign.copy(f"access/{seat}", 1)
    for ledger in (played.ledger, another):
        with pytest.raises(LedgerError) as problem, ledger.open_for_seat(played.call(token=token)):
            pass
        assert problem.value.code == "event-unnamed"


def test_an_answer_given_once_is_not_given_otherwise(played: Desk, foreign: Tampering) -> None:
    call = played.call(key=uuid.uuid4().hex)
    first = played.declare("mint", call=call, to="1", coins=1)
    receipt = next(row[1] for row in reversed(foreign.rows()) if "/receipt/" in row[1]).partition("/")[2]
    foreign.copy(receipt, 1)
    with pytest.raises(Fault, match=f"does not list {receipt} version 2"):
        played.declare("mint", call=call, to="1", coins=1)
    assert first.status == 201


def test_a_deleted_event_is_a_fault_at_the_first_read_and_no_old_answer(
    played: Desk, owner: Tampering, another: Ledger
) -> None:
    with another.open_for_seat(played.call()) as (book, _):
        before = book.load_stream(character("1")).folded.purse
    gone = owner.stream("character/1")[2]
    with owner.altered([row for row in owner.rows() if row != gone]):
        for ledger in (played.ledger, another):  # warm, both of them
            missing = "character/1 version 3 is missing, although the journal lists it"
            with pytest.raises(Fault, match=missing) as problem, ledger.open_for_seat(played.call()):
                pass
            assert problem.value.code == "event-missing"
        with pytest.raises(Fault):
            played("mint", to="2", coins=1)
        with pytest.raises(Fault, match="is missing"):
            list(read_sealed_saves(cold(played)))
        assert "character/1 version 3 is missing, although the journal lists it." in str(
            audit(cold(played)).differences
        )
        Desk(played.ledger).enrol("Cleo")
    with another.open_for_seat(played.call()) as (book, _):
        assert book.load_stream(character("1")).folded.purse == before
    played("mint", to="2", coins=1)


def test_a_gap_in_the_journal_is_a_fault_of_that_campaign(played: Desk, owner: Tampering) -> None:
    gone = owner.stream("journal/journal")[3]
    with owner.altered([row for row in owner.rows() if row != gone]):
        for look in (lambda: cold(played), lambda: played.position):
            with pytest.raises(Fault, match="entry 4 is missing") as problem:
                look()
            assert problem.value.code == "journal-gap"
        Desk(played.ledger).enrol("Cleo")
    assert played.position == len(owner.stream("journal/journal"))


def test_saves_cut_off_behind_who_has_read_them_end_an_export_in_a_problem(played: Desk, owner: Tampering) -> None:
    book, rows = cold(played), owner.rows()
    ends = [at for at, row in enumerate(rows) if row[1].endswith("/journal/journal")]
    with owner.altered(rows[: ends[-2] + 1]), pytest.raises(Fault, match=f"entry {len(ends)} is missing") as problem:
        list(read_sealed_saves(book))
    assert problem.value.code == "journal-gap"


def test_an_event_that_cannot_be_read_is_a_fault_with_its_place(played: Desk, owner: Tampering) -> None:
    rows = owner.rows()
    at = rows.index(owner.stream("character/1")[2])
    changed = [*rows[:at], (*rows[at][:3], "toy.sang@1", rows[at][4]), *rows[at + 1 :]]
    with owner.altered(changed), pytest.raises(Fault, match=r"toy\.sang@1.*character/1 version 3") as problem:
        everything(played)
    assert problem.value.code == "unreadable-event"


# --- records of before ---


def test_records_that_named_streams_alone_are_read_and_carried_on(played: Desk, owner: Tampering) -> None:
    before, position = everything(played), played.position
    with owner.altered(in_earlier_form(owner.rows())):
        assert everything(played) == before
        assert audit(cold(played)).differences == []
        told = [row for save in read_sealed_saves(cold(played)) for row in save]
        assert [row[:3] for row in told] == [row[1:4] for row in owner.rows() if is_sealed_stream(row[1])]
        played("mint", to="1", coins=4)
        played.hit("2", "1", 2)
        assert played.position == position + 2
        assert audit(cold(played)).differences == []
        assert played.everything()[character("1")].purse == {"character:1/coin": 11}


@pytest.mark.parametrize("version", [3, 4, 5])
@pytest.mark.parametrize("later", [False, True])
def test_copies_are_found_in_them_too(played: Desk, owner: Tampering, version: int, later: bool) -> None:
    """Of an earlier save, and of the latest; also once a save names versions again."""
    rows = owner.rows()
    with owner.altered(in_earlier_form(rows)):
        if later:
            played("mint", to="2", coins=4)
        everything(played)
        last = owner.copy("character/1", version)
        with pytest.raises(Fault, match=f"does not list character/1 version {last}"):
            everything(played)
        with pytest.raises(Fault, match=f"does not list character/1 version {last}"):
            list(read_sealed_saves(cold(played)))
        assert f"does not list character/1 version {last}" in str(audit(cold(played)).differences)


# --- what others save meanwhile ---


def test_what_others_save_since_is_passed_over(played: Desk, another: Ledger) -> None:
    book, reading = cold(played), cold(played)
    load_history(reading)
    other = Desk.__new__(Desk)
    other.__dict__.update({**played.__dict__, "ledger": another})
    other("mint", to="1", coins=3)
    other.hit("2", "1", 4)
    other.ledger.overturn(other.call(), 3, "no", present)
    assert book.load_stream(character("1")).folded.purse == {"character:1/coin": 7}
    assert [one.status for one in book.load_rulings([3, 5])] == ["standing", "upheld"]
    assert load_history(book).facts == load_history(reading).facts
    before = list(read_sealed_saves(book))
    assert audit(book).differences == []
    book.catch_up()
    assert book.load_stream(character("1")).folded.purse == {"character:1/coin": 5}
    assert len(list(read_sealed_saves(book))) == len(before) + 3
    assert played.coins("1") == 5
