"""What is sealed stays sealed: proofs at every size, the tree after a rebuild, and records changed behind its back."""

from __future__ import annotations

import hypothesis
import psycopg
import pytest
from hypothesis import strategies as some

from ledger.application import Book, Ledger, verify_seal
from ledger.errors import NotFound, Unsound
from ledger.events.merkle import compute_root, hash_leaf, verify_consistency, verify_inclusion
from ledger.events.sealing import encode_leaf, is_sealed_stream
from ledger.rules.kernel.subjects import Viewer
from projections.documents import seals
from projections.documents.seals import CampaignSeal
from projections.redaction import ViewLens
from projections.views.pages import Views
from projections.views.projector import Projector
from projections.views.seal import Seals
from tests.desk import Desk
from tests.levels import examples
from tests.views.conftest import SCHEMA, ViewDatabase, look
from tests.views.test_views import play

LENS = ViewLens(Viewer("s1", "gm"), {"s1": "Ann"})
Row = tuple[str, int, str, bytes]
COLUMNS = "originator_id, originator_version, topic, state"
several = hypothesis.settings(max_examples=examples(2, 4, 20))
steps = some.lists(some.integers(0, 40), min_size=1, max_size=8)


def hashes(texts: list[str]) -> list[bytes]:
    return [bytes.fromhex(text) for text in texts]


def seal_of(ledger: Ledger, views: Views, campaign: str) -> seals.CampaignSeal:
    return look(views, campaign, lambda reader: seals.describe_seal(reader, ledger.sealer)).document


def stored(database: ViewDatabase, campaign: str) -> list[Row]:
    with psycopg.connect(database.owner_url) as connection:
        query = f"SELECT {COLUMNS} FROM {SCHEMA}.ledger_events WHERE split_part(originator_id, '/', 1) = %s"
        return connection.execute(f"{query} ORDER BY notification_id".encode(), (campaign,)).fetchall()


def spare(database: ViewDatabase) -> int:
    """An id of the database that no event will have."""
    with psycopg.connect(database.owner_url) as connection:
        query = f"UPDATE {SCHEMA}.counter SET last = last + 1 RETURNING last"
        (id,) = connection.execute(query.encode()).fetchone() or (0,)
        return int(id)


def ids(database: ViewDatabase, campaign: str) -> list[int]:
    with psycopg.connect(database.owner_url) as connection:
        query = f"SELECT notification_id FROM {SCHEMA}.ledger_events WHERE split_part(originator_id, '/', 1) = %s"
        return sorted(id for (id,) in connection.execute(query.encode(), (campaign,)))


def put(database: ViewDatabase, campaign: str, rows: list[Row], places: list[int]) -> None:
    """These events in the place of the campaign's, under these ids of the database; as only an owner can."""
    with psycopg.connect(database.owner_url, autocommit=True) as connection:
        events = f"{SCHEMA}.ledger_events"
        connection.execute(f"ALTER TABLE {events} DISABLE TRIGGER append_only".encode())
        connection.execute(f"DELETE FROM {events} WHERE split_part(originator_id, '/', 1) = %s".encode(), (campaign,))
        with connection.cursor() as cursor:
            insert = f"INSERT INTO {events} (notification_id, {COLUMNS}) VALUES (%s, %s, %s, %s, %s)"
            numbered = [(place, *row) for place, row in zip(places, rows, strict=False)]
            cursor.executemany(insert.encode(), numbered)
        connection.execute(f"ALTER TABLE {events} ENABLE ALWAYS TRIGGER append_only".encode())


@several
@hypothesis.given(plays=some.lists(steps, min_size=1, max_size=4))
def test_seals_of_all_times_agree_and_every_entry_is_in_the_last(
    ledger: Ledger, projector: Projector, views: Views, database: ViewDatabase, plays: list[list[int]]
) -> None:
    desk, taken = Desk(ledger), []
    for one in plays:
        play(desk, one)
        projector.catch_up()
        taken.append(seal_of(ledger, views, desk.campaign))
    last = taken[-1]
    signed = verify_seal(last["checkpoint"], bytes.fromhex(last["public_key"]))
    assert (signed.campaign, signed.count, signed.root.hex()) == (desk.campaign, last["count"], last["root"])
    record = [hash_leaf(encode_leaf(*row)) for row in stored(database, desk.campaign) if is_sealed_stream(row[0])]
    assert (last["count"], last["root"]) == (len(record), compute_root(record).hex())
    for earlier in taken:
        grown = look(views, desk.campaign, lambda reader: seals.prove_growth(reader, earlier["count"])).document  # noqa: B023
        assert (grown["first_root"], grown["second"], grown["second_root"]) == (
            earlier["root"],
            last["count"],
            last["root"],
        )
        roots = hashes([grown["first_root"], grown["second_root"]])
        assert verify_consistency(grown["first"], grown["second"], hashes(grown["proof"]), *roots)
    for index in range(last["count"]):
        told = look(views, desk.campaign, lambda reader: seals.prove_entry(LENS, reader, index)).document  # noqa: B023
        assert (told["leaf"], told["root"]) == (record[index].hex(), last["root"])
        leaf, root = hashes([told["leaf"], told["root"]])
        assert verify_inclusion(leaf, index, told["count"], hashes(told["proof"]), root)


def test_every_earlier_size_is_proved(
    ledger: Ledger, projector: Projector, views: Views, database: ViewDatabase
) -> None:
    desk = Desk(ledger)
    play(desk, [1, 0, 2, 6])
    projector.catch_up()
    record = [hash_leaf(encode_leaf(*row)) for row in stored(database, desk.campaign) if is_sealed_stream(row[0])]
    for first in range(len(record) + 1):
        grown = look(views, desk.campaign, lambda reader: seals.prove_growth(reader, first)).document  # noqa: B023
        roots = hashes([grown["first_root"], grown["second_root"]])
        assert roots == [compute_root(record[:first]), compute_root(record)]
        assert verify_consistency(first, len(record), hashes(grown["proof"]), *roots)
    for tell in (
        lambda reader: seals.prove_growth(reader, len(record) + 1),
        lambda reader: seals.prove_entry(LENS, reader, len(record)),
    ):
        with pytest.raises(NotFound):
            look(views, desk.campaign, tell)


def whoever_holds(given_out: CampaignSeal, campaign: str, views: Views) -> str:
    """What somebody with a seal of before meets."""
    try:
        grown = look(views, campaign, lambda reader: seals.prove_growth(reader, given_out["count"])).document
    except Unsound as unsound:
        return "stopped" if "have stopped" in str(unsound) else str(unsound)
    return "the same root" if grown["first_root"] == given_out["root"] else "another root"


TAMPERING = ("change", "delete", "insert", "swap")


@several
@hypothesis.given(
    steps=steps, how=some.sampled_from(TAMPERING), place=some.integers(0, 10**6), other=some.integers(0, 10**6)
)
@hypothesis.example(steps=[0], how="swap", place=0, other=0)  # two of one save
@hypothesis.example(steps=[9, 14, 14, 26, 40, 0, 10], how="delete", place=4, other=0)  # the first of a stream's two
def test_one_event_tampered_with_is_noticed(
    ledger: Ledger,
    projector: Projector,
    views: Views,
    database: ViewDatabase,
    steps: list[int],
    how: str,
    place: int,
    other: int,
) -> None:
    gap = spare(database)
    desk = Desk(ledger)
    play(desk, steps)
    projector.catch_up()
    before = seal_of(ledger, views, desk.campaign)
    rows = stored(database, desk.campaign)
    mine = [row for row in rows if is_sealed_stream(row[0])]
    places = ids(database, desk.campaign)
    put(database, desk.campaign, rows, [gap, *places])  # the same, under other ids of the database: that is nothing
    assert noticed(desk, views) == []
    tampered = changed(mine, how, place % len(mine), other % len(mine))
    try:
        put(database, desk.campaign, tampered, [gap, *places])
        assert noticed(desk, views) in (["seal"], ["unsound"])
        # Whoever tampers with the view as well meets the journal, or a seal that was given out.
        projector.rebuild([Seals])
        # The journal does not say in which order a save stored its events: swapped, they only make another root.
        met = whoever_holds(before, desk.campaign, views)
        assert met in {"change": ("another root",), "swap": ("stopped", "another root")}.get(how, ("stopped",))
    finally:
        put(database, desk.campaign, rows, places)
        projector.rebuild()
    assert seal_of(ledger, views, desk.campaign) == before
    assert noticed(desk, views) == []


def noticed(desk: Desk, views: Views) -> list[str]:
    book = Book(desk.ledger.store, desk.ledger.codec, desk.campaign)
    try:
        book.catch_up()
        with views.open_reader(desk.campaign) as reader:
            return [one.what for one in seals.compare_with_record(book, reader, book.campaign.position)]
    except Unsound:
        return ["unsound"]


def changed(rows: list[Row], how: str, place: int, other: int) -> list[Row]:
    """The same events but for one: another salt, left out, one more before it, or in another's place."""
    before, (stream, version, topic, state), after = rows[:place], rows[place], rows[place + 1 :]
    if how == "change":
        return [*before, (stream, version, topic, state.replace(b'"salt":"', b'"salt":"x')), *after]
    if how == "delete":
        return [*before, *after]
    if how == "insert":
        return [*before, (f"{stream}x", version, topic, state), *rows[place:]]
    other = other if other != place else (place + 1) % len(rows)
    swapped = list(rows)
    swapped[place], swapped[other] = rows[other], rows[place]
    return swapped
