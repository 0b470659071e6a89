"""Exports: no byte of one can be another; whatever was altered, left out, added or moved is named; imports go on."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from ledger.application import Book, Call, Ledger, Sealer, ShownSeat
from ledger.application.commands.importing import check_export
from ledger.application.reading.export_reader import Export, read_export
from ledger.application.reading.exports import BadExport, Header, write_export
from ledger.application.reading.stored import read_sealed_saves
from ledger.errors import Stale, WrongStatus
from ledger.events.recorder import Row
from tests.desk import Desk

SEALER = Sealer(bytes(range(32)))
Rows = list[Row]


def lines_of(rows: Rows, header: Header) -> list[bytes]:
    return list(write_export(header, ((row, True) for row in rows), SEALER))


def exported(desk: Desk) -> tuple[Header, Rows]:
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        header = Header(
            campaign=book.id, name="A table", system=desk.ruleset.name, position=book.campaign.position, seat=None
        )
        return header, [row for save in read_sealed_saves(book) for row in save]


@pytest.fixture
def played(desk: Desk) -> Desk:
    a, b = desk.enrol("Ada"), desk.enrol("Bo")
    desk.hit(a, b, 5)
    desk("mint", to=a, coins=4)
    desk.hit(b, a, 2)
    return desk


def parsed(file: bytes) -> Export:
    return read_export(io.BytesIO(file))


def complaint(file: bytes) -> str:
    with pytest.raises(BadExport) as problem:
        parsed(file)
    return problem.value.detail


def test_what_was_written_is_read(played: Desk) -> None:
    header, rows = exported(played)
    export = parsed(b"".join(lines_of(rows, header)))
    assert (export.header, export.rows) == (header, rows)


@pytest.mark.slow
def test_every_single_byte_is_held(desk: Desk) -> None:
    """Exhaustively on a small export: each byte replaced (three ways), left out, said twice."""
    desk.enrol("Ada")
    header, rows = exported(desk)
    file = b"".join(lines_of(rows, header))
    assert parsed(file).is_complete
    for place in range(len(file)):
        before, byte, after = file[:place], file[place], file[place + 1 :]
        for other in (byte ^ 1, byte ^ 0x20, 0x20):
            if other != byte:
                complaint(before + bytes([other]) + after)
        complaint(before + after)
        complaint(before + bytes([byte, byte]) + after)
    for cut in range(0, len(file) - 1, 7):
        complaint(file[:cut])
    complaint(file + b"\n")
    complaint(file + file)


def test_bytes_of_a_large_one(desk: Desk) -> None:
    a, b = desk.enrol("Ada"), desk.enrol("Bo")
    for face in range(60):
        desk.hit(a, b, face % 6 + 1)
    header, rows = exported(desk)
    file = b"".join(lines_of(rows, header))
    dice = random.Random(6)
    for _ in range(300):
        place = dice.randrange(len(file))
        other = dice.choice([byte for byte in range(256) if byte != file[place]])
        complaint(file[:place] + bytes([other]) + file[place + 1 :])


def _character(rows: Rows, version: int) -> int:
    return next(place for place, row in enumerate(rows) if "/character/" in row[0] and row[1] == version)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda rows, at: [*rows[:at], *rows[at + 1 :]], r"2 version 2 is missing, although the journal lists"),
        (lambda rows, at: [*rows[: at + 1], rows[at], *rows[at + 1 :]], r"2 version 2 comes after version 2"),
        (lambda rows, at: [*rows[:at], *rows[at + 1 :], rows[at]], r"character/2 version 2 is missing"),
        (lambda rows, at: rows[:-1], r"ends with save"),
        (lambda rows, at: [rows[0], rows[2], rows[1], *rows[3:]], r"the order differs"),
        (lambda rows, at: [rows[2], *rows[:2], *rows[3:]], r"a different|differs"),
        (lambda rows, at: [*rows[: at + 1], rows[-1], *rows[at + 1 :]], r"journal/journal version \d+ is missing"),
        (
            lambda rows, at: [*rows[:-1], (f"{rows[0][0].partition('/')[0]}/access/s1", *rows[0][1:]), rows[-1]],
            r"access/s1 is not a stream of a campaign",
        ),
    ],
)
def test_what_is_missing_added_or_moved_is_named_though_all_is_sealed_anew(
    played: Desk, change: Callable[[Rows, int], Rows], named: str
) -> None:
    header, rows = exported(played)
    at = next(place for place, row in enumerate(rows) if row[0].endswith("/character/2") and row[1] == 2)
    with pytest.raises(BadExport, match=named):
        parsed(b"".join(lines_of(change(rows, at), header)))


def test_an_altered_event_is_named_by_its_line(played: Desk) -> None:
    header, rows = exported(played)
    lines = lines_of(rows, header)
    at = _character(rows, 2)
    lines[at + 1] = lines[at + 1].replace(b'"by":"s1"', b'"by":"s2"')
    name = rows[at][0].partition("/")[2]
    assert complaint(b"".join(lines)) == f"Line {at + 2}: {name} version 2 differs from its sealed version."


def test_an_earlier_seal_finds_a_record_made_anew(played: Desk) -> None:
    header, rows = exported(played)
    earlier = parsed(b"".join(lines_of(rows, header))).trailer.checkpoint
    played.hit("1", "2", 6)
    header, rows = exported(played)
    grown = parsed(b"".join(lines_of(rows, header)))
    assert grown.check_against_seal(earlier, SEALER.public_key).count < len(grown.leaves)
    stream, version, topic, state = rows[0]
    forged = [(stream, version, topic, state.replace(b'"salt":"', b'"salt":"x')), *rows[1:]]
    other = parsed(b"".join(lines_of(forged, header)))
    with pytest.raises(BadExport, match="differ from the sealed events"):
        other.check_against_seal(earlier, SEALER.public_key)
    with pytest.raises(BadExport, match="you supplied is not valid"):
        grown.check_against_seal(earlier, Sealer(b"y" * 32).public_key)


# --- importing ---


def emptied(ledger: Ledger, desk: Desk) -> Export:
    """The export of the desk's campaign as one of a name that is not here yet, consistently."""
    header, rows = exported(desk)
    new = ledger.keys.make_campaign_id("another " + desk.campaign)
    old = desk.campaign.encode()
    moved = [(s.replace(desk.campaign, new), v, t, state.replace(old, new.encode())) for s, v, t, state in rows]
    renamed = Header(campaign=new, name=header.name, system=header.system, position=header.position, seat=None)
    return parsed(b"".join(lines_of(moved, renamed)))


def present(book: Book, gm: ShownSeat) -> str:
    return json.dumps({"campaign": book.id, "seat": gm.id, "token": gm.token})


def bring(ledger: Ledger, export: Export, key: str) -> Any:
    told, result = check_export(export, ledger.codec)
    assert result.differences == []
    call = Call(export.header.campaign, "", "POST /campaigns/import", key, "the same file")
    return ledger.import_campaign(call, export, told, present)


def stored(ledger: Ledger, campaign: str) -> Rows:
    rows = ledger.store.select_range(f"{campaign}/", f"{campaign}0")
    return [(s, v, t, bytes(state)) for s, v, t, state in rows]


def test_after_a_crash_the_same_file_goes_on(ledger: Ledger, played: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database goes away after each chunk; nobody sees half a campaign; nothing is stored twice."""
    export = emptied(ledger, played)
    id = export.header.campaign
    monkeypatch.setattr("ledger.application.commands.importing.CHUNK", 1)
    append, room = ledger.store.append, [2]

    def failing(rows: Any, use: Any = None) -> Any:
        if not room[0]:
            raise ConnectionResetError("the line is cut")
        room[0] -= 1
        return append(rows, use)

    monkeypatch.setattr(ledger.store, "append", failing)
    for _ in range(100):
        try:
            reply = bring(ledger, export, "one key")
            break
        except ConnectionResetError:
            assert not [row for row in stored(ledger, id) if "/access/" in row[0]]
            room[0] = 2
    sealed = [row for row in stored(ledger, id) if "/access/" not in row[0] and "/receipt/" not in row[0]]
    assert sealed == export.rows
    again = bring(ledger, export, "one key")
    assert (again.body, again.is_repeated) == (reply.body, True)
    with pytest.raises(WrongStatus):
        bring(ledger, export, "another key")
    token = json.loads(reply.body)["token"]
    with ledger.open_for_seat(Call(id, token)) as (book, viewer):
        assert (viewer.role, book.campaign.position) == ("gm", export.header.position)


def test_who_imports_at_the_same_time_changes_nothing(
    ledger: Ledger, another: Ledger, played: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = emptied(ledger, played)
    missing = __import__("ledger.application.commands.importing", fromlist=["list_missing_rows"]).list_missing_rows

    def others_come_first(store: Any, export: Export) -> Rows:
        found: Rows = missing(store, export)
        monkeypatch.setattr("ledger.application.commands.importing.list_missing_rows", missing)
        bring(another, export, "theirs")
        return found

    monkeypatch.setattr("ledger.application.commands.importing.list_missing_rows", others_come_first)
    with pytest.raises(Stale):
        bring(ledger, export, "ours")
    assert len([row for row in stored(ledger, export.header.campaign) if "/access/" in row[0]]) == 1


def test_tokens_of_before_open_nothing(ledger: Ledger, played: Desk) -> None:
    export = emptied(ledger, played)
    bring(ledger, export, "a key")
    id = export.header.campaign
    for generation in (1, 2):
        with (
            pytest.raises(Exception, match="is not valid, or it was replaced"),
            ledger.open_for_seat(Call(id, ledger.keys.make_token(id, "s1", generation))),
        ):
            pass
