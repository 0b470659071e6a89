"""Forks in the record: what a crash leaves is gone on with, and a file says of its origin nothing but what was so."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest

from ledger.application import Book, Call, Ledger, Seal, Shown, ShownFork, audit
from ledger.application.commands.importing import check_export
from ledger.application.reading.export_reader import Export
from ledger.application.reading.exports import Ancestor, BadExport, Header
from ledger.application.reading.stored import read_sealed_saves
from ledger.errors import KeyReused, Stale
from ledger.rules.kernel.subjects import Viewer
from tests.desk import Desk
from tests.kernel.test_exports import SEALER, Rows, bring, lines_of, parsed, stored


def presented(book: Book, viewer: Viewer | None, shown: Shown) -> str:
    assert isinstance(shown, ShownFork)
    return json.dumps({"campaign": book.id, "token": shown.gm.token, "unclaimed": shown.unclaimed})


@pytest.fixture
def played(desk: Desk) -> Desk:
    a, b = desk.enrol("Ada"), desk.enrol("Bo")
    for face in (5, 2, 3):
        desk.hit(a, b, face)
    desk("mint", to=a, coins=4)
    return desk


def forked(desk: Desk, at: int) -> Desk:
    made = json.loads(desk.ledger.fork(desk.call(), at, None, presented).body)
    fork = copy.copy(desk)
    fork.campaign, fork.token = made["campaign"], made["token"]
    return fork


def test_after_a_crash_the_same_request_goes_on(ledger: Ledger, played: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line is cut after each chunk; nobody sees half a fork; nothing is stored twice."""
    monkeypatch.setattr("ledger.application.commands.importing.CHUNK", 1)
    append, room, cuts = ledger.store.append, [1], 0

    def failing(rows: Any) -> Any:
        if not room[0]:
            raise ConnectionResetError("the line is cut")
        room[0] -= 1
        return append(rows)

    monkeypatch.setattr(ledger.store, "append", failing)
    call, before = played.call(), stored(ledger, played.campaign)
    id = ledger.keys.make_fork_id(played.campaign, "s1", call.key)
    while True:
        try:
            reply = ledger.fork(call, 5, None, presented)
            break
        except ConnectionResetError:
            cuts += 1
            assert not [row for row in stored(ledger, id) if "/access/" in row[0]]
            room[0] = 1
    assert cuts > 4
    monkeypatch.setattr(ledger.store, "append", append)
    rows = stored(ledger, id)
    assert stored(ledger, played.campaign) == before
    assert len({row[:2] for row in rows}) == len(rows)
    again = ledger.fork(call, 5, None, presented)
    assert (again.body, again.is_repeated) == (reply.body, True)
    assert stored(ledger, id) == rows
    with pytest.raises(KeyReused):
        ledger.fork(played.call(key=call.key, request="another"), 4, None, presented)
    fork = copy.copy(played)
    fork.campaign, fork.token = id, json.loads(reply.body)["token"]
    with ledger.open_for_seat(fork.call()) as (book, _):
        assert not audit(book).differences


def test_asked_twice_at_once_there_is_one(ledger: Ledger, another: Ledger, played: Desk) -> None:
    for _ in range(5):
        call = played.call()

        def ask(asked: Ledger, call: Call = call) -> str | None:
            try:
                return asked.fork(call, 4, None, presented).body
            except Stale:
                return None

        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(ask, (ledger, another)))
        answers.append(ask(ledger))
        assert len({one for one in answers if one is not None}) == 1
        book = Book(ledger.store, ledger.codec, json.loads(str(answers[-1]))["campaign"])
        book.catch_up()
        assert [fork.at for fork in book.forks] == [4]


# --- as a file ---


def exported(desk: Desk) -> tuple[Header, Rows]:
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        header = Header(
            campaign=book.id,
            name=book.entry.name,
            system="toy",
            position=book.campaign.position,
            seat=None,
            ancestors=tuple(Ancestor(*one) for one in book.campaign.lineage.ancestors),
        )
        return header, [row for save in read_sealed_saves(book) for row in save]


def file_of(header: Header, rows: Rows) -> Export:
    return parsed(b"".join(lines_of(rows, header)))


def renewed(row: Any, **fields: object) -> Any:
    """The row with other fields of its fact."""
    stream, version, topic, state = row
    body = json.loads(state)
    body["fact"] |= fields
    return stream, version, topic, msgspec.json.encode(body)


Change = Callable[[Header, Rows, int], tuple[Header, Rows]]


def of_the_fork(**fields: object) -> Change:
    return lambda header, rows, at: (header, [*rows[:at], renewed(rows[at], **fields), *rows[at + 1 :]])


def of_the_header(**fields: object) -> Change:
    return lambda header, rows, at: (msgspec.structs.replace(header, **fields), rows)


def other_ancestor(campaign: str, further: int) -> Change:
    def change(header: Header, rows: Rows, at: int) -> tuple[Header, Rows]:
        (one,) = header.ancestors or ()
        changed = Ancestor(campaign or one.campaign, one.position + further)
        return msgspec.structs.replace(header, ancestors=(changed,)), rows

    return change


def an_event_changed(header: Header, rows: Rows, at: int) -> tuple[Header, Rows]:
    stream, version, topic, state = rows[0]
    return header, [(stream, version, topic, state.replace(b'"salt":"', b'"salt":"x')), *rows[1:]]


def resealed(row: Any, root: bytes, events: int, campaign: str) -> Any:
    """Of the origin another seal, by a key of somebody else's."""
    signed = SEALER.sign(Seal(campaign, events, root))
    said = {"checkpoint": signed.checkpoint, "public_key": SEALER.public_key.hex()}
    return renewed(row, root=root.hex(), events=events, campaign=campaign, **said)


def one_event_fewer(header: Header, rows: Rows, at: int) -> tuple[Header, Rows]:
    forked = json.loads(rows[at][3])["fact"]
    events = forked["events"] - 1
    changed = resealed(rows[at], bytes.fromhex(_root(header, rows[:events])), events, forked["campaign"])
    return header, [*rows[:at], changed, *rows[at + 1 :]]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (of_the_fork(root="00" * 32), "the seal of the original campaign does not match the fork"),
        (of_the_fork(checkpoint="a seal"), "the seal of the original campaign is not valid"),
        (of_the_fork(campaign="aaaaaaaaaaaaa"), "the seal of the original campaign does not match the fork"),
        (of_the_fork(position=3), "name different rulings"),
        (of_the_fork(name="Another"), "name different original campaigns"),
        (one_event_fewer, "events from the original campaign, not"),
        (an_event_changed, "differ from those of the original campaign"),
        (of_the_header(ancestors=msgspec.UNSET), "the header and the first event name different campaigns"),
        (of_the_header(name="Another"), "name different original campaigns"),
        (other_ancestor("aaaaaaaaaaaaa", 0), "was written in another campaign"),
        (other_ancestor("", 1), "name different rulings"),
        (other_ancestor("", -1), "was written in another campaign"),
    ],
)
def test_a_fork_that_says_otherwise_where_it_came_from_is_found(played: Desk, change: Change, named: str) -> None:
    """Though every hash and the seal are made anew."""
    header, rows = exported(forked(played, 5))
    at = next(place for place, row in enumerate(rows) if row[2].startswith("ledger.campaign-forked@"))
    assert parsed(b"".join(lines_of(rows, header))).is_complete
    with pytest.raises(BadExport, match=named):
        other, changed = change(header, rows, at)
        parsed(b"".join(lines_of(changed, other)))


def test_a_seal_kept_of_the_origin_is_held_against_it(played: Desk, ledger: Ledger) -> None:
    old = file_of(*plain(played))
    fork = forked(played, 6)
    fork.hit("1", "2", 4)
    played.hit("1", "2", 6)
    later = file_of(*plain(played))
    other = file_of(*plain(Desk(ledger)))
    export = file_of(*exported(fork))
    assert export.check_against_seal(old.trailer.checkpoint, SEALER.public_key).campaign == played.campaign
    with pytest.raises(BadExport, match="Use an earlier seal"):
        export.check_against_seal(later.trailer.checkpoint, SEALER.public_key)
    with pytest.raises(BadExport, match="belongs to another campaign"):
        export.check_against_seal(other.trailer.checkpoint, SEALER.public_key)


def plain(desk: Desk) -> tuple[Header, Rows]:
    header, rows = exported(desk)
    return msgspec.structs.replace(header, ancestors=msgspec.UNSET), rows


def test_a_fork_is_taken_in_where_its_origin_is_not(ledger: Ledger, played: Desk) -> None:
    """There it is verified by the root it names; where the origin is, by its record; and not where that is another."""
    again = forked(played, 5)
    again.hit("2", "1", 6)
    fork = forked(again, 6)
    fork.hit("1", "2", 3)
    export = elsewhere(ledger, fork)
    assert ledger.prove_origins(export) == [False, False]
    told, result = check_export(export, ledger.codec)
    assert (result.differences, [one.at for one in told.forks]) == ([], [5, 6])
    reply = bring(ledger, export, "a fork elsewhere")
    there = copy.copy(fork)
    there.campaign, there.token = export.header.campaign, json.loads(reply.body)["token"]
    with ledger.open_for_seat(there.call()) as (book, _):
        assert not audit(book).differences
        assert book.list_unclaimed_seats() == []
    there.hit("1", "2", 6)
    assert ledger.prove_origins(file_of(*exported(fork))) == [True, True]


def test_a_fork_forked_before_it_was_one(ledger: Ledger, played: Desk) -> None:
    """Its saves are all of the first campaign; it goes on from the second, of which they are the beginning, too."""
    once = forked(played, 5)
    again = forked(once, 3)
    again.hit("1", "2", 2)
    export = file_of(*exported(again))
    assert [one.campaign for one in export.header.ancestors or ()] == [played.campaign]
    assert [one.campaign for one in export.origins] == [once.campaign]
    for origin in (played, once):
        seal = file_of(*exported(origin) if origin is once else plain(origin)).trailer.checkpoint
        with pytest.raises(BadExport, match="Use an earlier seal"):
            export.check_against_seal(seal, SEALER.public_key)
    assert ledger.prove_origins(export) == [True]
    with ledger.open_for_seat(again.call()) as (book, _):
        assert not audit(book).differences


def elsewhere(ledger: Ledger, fork: Desk) -> Export:
    """The fork's export with all campaigns called otherwise, as they might be in another ledger."""
    header, rows = exported(fork)
    ids = [header.campaign, *(one.campaign for one in header.ancestors or ())]
    new = {id.encode(): ledger.keys.make_campaign_id("another " + id).encode() for id in ids}

    def renamed(state: bytes) -> bytes:
        for old, other in new.items():
            state = state.replace(old, other)
        return state

    moved: Rows = [(renamed(s.encode()).decode(), v, t, renamed(state)) for s, v, t, state in rows]
    ancestors = tuple(Ancestor(new[one.campaign.encode()].decode(), one.position) for one in header.ancestors or ())
    header = msgspec.structs.replace(header, campaign=renamed(ids[0].encode()).decode(), ancestors=ancestors)
    for at, row in enumerate(moved):
        if row[2].startswith("ledger.campaign-forked@"):
            fact = json.loads(row[3])["fact"]
            root = bytes.fromhex(_root(header, moved[: fact["events"]]))
            moved[at] = resealed(row, root, fact["events"], fact["campaign"])
    return parsed(b"".join(lines_of(moved, header)))


def _root(header: Header, rows: Rows) -> str:
    lines = lines_of(rows, header)
    return str(json.loads(lines[-1])["root"])
