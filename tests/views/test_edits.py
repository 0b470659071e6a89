"""Whatever somebody with all rights over the database edits is found by an audit, and by `verify` with a seal."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from typing import Any

import pytest

from ledger.application import Book, Ledger, Seal
from ledger.application.commands.importing import check_export, replay_export
from ledger.application.reading.export_reader import read_export
from ledger.application.reading.exports import BadExport
from ledger.errors import Fault
from ledger.events.sealing import is_sealed_stream
from ledger.rules.kernel.subjects import Viewer
from projections.documents import exports
from projections.documents.audits import audit_record
from projections.redaction import LiveLens
from projections.views.pages import Views
from projections.views.projector import Projector
from tests.desk import Desk
from tests.kernel.tampering import Row, Tampering, in_earlier_form
from tests.levels import examples
from tests.views.conftest import SCHEMA, ViewDatabase, look
from tests.views.test_views import play

EACH = examples(2, 2, 4)  # edits of every kind
GM = Viewer("s1", "gm")
Rows = list[Row]
Edit = Callable[[random.Random, Rows, int, int], Rows | None]


def changed(row: Row, state: bytes) -> Row:
    return (*row[:4], state)


def replaced(old: bytes, new: bytes) -> Edit:
    def edit(dice: random.Random, rows: Rows, at: int, spare: int) -> Rows | None:
        state = rows[at][4].replace(old, new)
        return [*rows[:at], changed(rows[at], state), *rows[at + 1 :]] if state != rows[at][4] else None

    return edit


def everywhere(old: bytes, new: bytes) -> Edit:
    """History is made anew, without a seam."""
    return lambda dice, rows, at, spare: [changed(row, row[4].replace(old, new)) for row in rows]


def another_topic(dice: random.Random, rows: Rows, at: int, spare: int) -> Rows | None:
    topics = sorted({row[3] for row in rows} - {rows[at][3]})
    return [*rows[:at], (*rows[at][:3], dice.choice(topics), rows[at][4]), *rows[at + 1 :]]


def another_version(dice: random.Random, rows: Rows, at: int, spare: int) -> Rows | None:
    id, stream, version, topic, state = rows[at]
    return [*rows[:at], (id, stream, version + 100, topic, state), *rows[at + 1 :]]


def swapped(dice: random.Random, rows: Rows, at: int, spare: int) -> Rows | None:
    """What stands in two places changes places."""
    other = dice.randrange(len(rows))
    (a, b), (one, two) = sorted((at, other)), (rows[min(at, other)], rows[max(at, other)])
    if one[3:] == two[3:] or not (is_sealed_stream(one[1]) and is_sealed_stream(two[1])):
        return None
    told = list(rows)
    told[a], told[b] = (*one[:3], *two[3:]), (*two[:3], *one[3:])
    return told


def stored_otherwise(dice: random.Random, rows: Rows, at: int, spare: int) -> Rows | None:
    """The same events in another order."""
    other = dice.randrange(len(rows))
    if other == at or not is_sealed_stream(rows[other][1]):
        return None
    told = list(rows)
    told[at], told[other] = (rows[other][0], *rows[at][1:]), (rows[at][0], *rows[other][1:])
    return sorted(told)


def deleted(dice: random.Random, rows: Rows, at: int, spare: int) -> Rows | None:
    return [*rows[:at], *rows[at + 1 :]]


def cut_off(dice: random.Random, rows: Rows, at: int, spare: int) -> Rows | None:
    """The last saves are gone as if they had never been."""
    ends = [place for place, row in enumerate(rows) if row[1].endswith("/journal/journal")]
    return rows[: dice.choice(ends[1:-1]) + 1]


def after(rows: Rows, stream: str) -> int:
    return 1 + max((row[2] for row in rows if row[1] == stream), default=0)


def copied(dice: random.Random, rows: Rows, at: int, spare: int) -> Rows | None:
    _, stream, _, topic, state = rows[at]
    return [*rows, (spare, stream, after(rows, stream), topic, state)]


def copied_elsewhere(dice: random.Random, rows: Rows, at: int, spare: int) -> Rows | None:
    others = sorted({row[1] for row in rows if is_sealed_stream(row[1])} - {rows[at][1]})
    stream = dice.choice(others)
    return [*rows, (spare, stream, after(rows, stream), *rows[at][3:])]


def forged(position: int) -> Edit:
    """One more at the end, which says it is of another save: by so much later than the last."""

    def edit(dice: random.Random, rows: Rows, at: int, spare: int) -> Rows | None:
        _, stream, _, topic, state = rows[at]
        last = sum(row[1].endswith("/journal/journal") for row in rows)
        told = b'{"position":%d,%s' % (last + position, state.partition(b",")[2])
        return [*rows, (spare, stream, after(rows, stream), topic, told)]

    return edit


EDITS: dict[str, Edit] = {
    "a salt": replaced(b'"salt":"', b'"salt":"x'),
    "a name": replaced(b'"by":"s1"', b'"by":"s2"'),
    "a session": replaced(b'"at":"20', b'"at":"19'),
    "an amount": replaced(b'"amount":', b'"amount":1'),
    "coins": replaced(b'"coins":', b'"coins":1'),
    "harm": replaced(b'"amount":', b'"amount":2'),
    "an account": replaced(b'"bank/coin"', b'"house/coin"'),
    "a ruling's place": replaced(b'"ruling":', b'"ruling":1'),
    "a save": replaced(b'"position":', b'"position":1'),
    "a field": replaced(b'"fact":{', b'"fact":{"more":1,'),
    "no event": replaced(b'"fact"', b'"tact"'),
    "made anew": everywhere(b'"name":"Ada"', b'"name":"Eve"'),
    "rich from the start": everywhere(b'"coins":2', b'"coins":3'),
    "in an earlier form": lambda dice, rows, at, spare: in_earlier_form(rows),
    "a topic": another_topic,
    "a version": another_version,
    "swapped": swapped,
    "another order": stored_otherwise,
    "deleted": deleted,
    "cut off": cut_off,
    "copied": copied,
    "copied elsewhere": copied_elsewhere,
    "forged": forged(0),
    "forged for the next save": forged(1),
    "forged for some later save": forged(1000),
}


@pytest.fixture
def table(ledger: Ledger, projector: Projector) -> Desk:
    desk = Desk(ledger)
    play(desk, [1, 0, 2, 6, 3, 5])
    projector.catch_up()
    return desk


def book_of(desk: Desk) -> Book:
    book = Book(desk.ledger.store, desk.ledger.codec, desk.campaign)
    book.catch_up()
    return book


def found_by_audit(desk: Desk, views: Views) -> bool:
    try:
        lens = LiveLens(book_of(desk), GM)
        return bool(look(views, desk.campaign, lambda reader: audit_record(lens, reader))["differences"])
    except Fault:
        return True


def found_by_verify(desk: Desk, seal: str) -> bool:
    """Exported, read without a database, and held against a seal of before."""
    ledger = desk.ledger
    try:
        file = b"".join(exports.export_everything(book_of(desk), ledger.sealer))
        export = read_export(io.BytesIO(file))
        export.check_against_seal(seal, ledger.sealer.public_key)
        return bool(replay_export(export, ledger.codec)[1].differences)
    except (Fault, BadExport):
        return True


def test_every_edit_is_found_by_both(table: Desk, views: Views, database: ViewDatabase) -> None:
    dice = random.Random(12)
    owner = Tampering(database.owner_url, SCHEMA, table.campaign)
    rows, spare = owner.rows(), 10**9
    export = read_export(io.BytesIO(b"".join(exports.export_everything(book_of(table), table.ledger.sealer))))
    seal = export.trailer.checkpoint
    assert isinstance(export.check_against_seal(seal, table.ledger.sealer.public_key), Seal)
    assert not found_by_audit(table, views) and not found_by_verify(table, seal)
    mine = [place for place, row in enumerate(rows) if is_sealed_stream(row[1])]
    tried = 0
    for how, edit in EDITS.items():
        made: list[Rows] = []
        for at in dice.sample(mine, len(mine)):
            edited = edit(dice, rows, at, spare)
            if edited is not None and edited not in made and len(made) < EACH:
                made.append(edited)
        assert made, how
        for edited in made:
            tried += 1
            with owner.altered(edited):
                assert found_by_audit(table, views), f"{how}: no audit finds it"
                assert found_by_verify(table, seal), f"{how}: not found by the seal"
    assert tried >= 0.75 * EACH * len(EDITS)
    assert not found_by_audit(table, views) and not found_by_verify(table, seal)


def breaking(*arguments: Any) -> Any:
    raise ZeroDivisionError("the hidden hand holds 4100417")


@pytest.mark.parametrize(
    ("broken", "place"),
    [
        ("ledger.application.checks.audit.replay", "save 2"),
        ("ledger.application.checks.audit.KnownCampaign.apply_event", "save 1"),
        ("ledger.application.commands.importing.audit", "an import"),
    ],
)
def test_what_breaks_in_an_import_is_logged_by_type_and_place(
    table: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, broken: str, place: str
) -> None:
    """And not by what it says, which may be secret."""
    file = b"".join(exports.export_everything(book_of(table), table.ledger.sealer))
    monkeypatch.setattr(broken, breaking)
    with pytest.raises(BadExport):
        check_export(read_export(io.BytesIO(file)), table.ledger.codec)
    (said,) = [one.getMessage() for one in caplog.records if one.name == "ledger.rules"]
    assert f"on {place} of campaign {table.campaign}" in said and "ZeroDivisionError" in said
    assert "test_edits.py" in said and "4100417" not in said
