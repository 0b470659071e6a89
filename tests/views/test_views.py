"""Views follow the record in whole saves, and built anew they are what they were."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from typing import Any

import hypothesis
import psycopg
import pytest
from hypothesis import strategies as some

from ledger.application import Ledger, sources
from ledger.errors import Unavailable
from ledger.events.lines import LONG_IDLE
from ledger.rules.kernel.places import place_of_end
from ledger.rules.kernel.subjects import Viewer, character
from projections.documents.accounts import list_accounts, write_statement
from projections.documents.timelines import Selection, list_timeline
from projections.redaction import ViewLens
from projections.views import balances, keeping, seal, shelf_views
from projections.views.clocks import NOW, When
from projections.views.keeping import Keeper
from projections.views.pages import Views
from projections.views.projector import Projector
from projections.views.saves import Saved
from projections.views.store import VIEWS
from projections.views.timeline import Timeline
from projections.views.view import ViewTransaction, compute_code_version
from tests.desk import Desk, present
from tests.levels import examples
from tests.views.conftest import SCHEMA, ViewDatabase, look
from tests.waiting import wait_until

LENS = ViewLens(Viewer("s1", "gm"), {"s1": "Ann"})
TABLES = [table for view in VIEWS for table in view.tables]


def everything(database: ViewDatabase, schema: str = f"{SCHEMA}_views") -> dict[str, list[Any]]:
    return {table: database.rows(table, schema) for table in TABLES}


def play(desk: Desk, steps: list[int]) -> None:
    """A quarrel: each number is a thing somebody does or decides."""
    ada, bo = desk.enrol("Ada"), desk.enrol("Bo")
    for step in steps:
        made = [desk.ruling(number) for number in range(1, desk_rulings(desk) + 1)]
        numbers = [one.number for one in made if one.ruled.declared["kind"] != "enrol"]
        standing = [number for number in numbers if desk.ruling(number).stands]
        struck = [number for number in numbers if not desk.ruling(number).stands]
        match step % 6:
            case 0:
                desk.hit(ada, bo, 1 + step % 5)
            case 1:
                desk("mint", to=ada, coins=1 + step % 7)
            case 2 if desk.coins(ada) > 0:
                desk("give", char=ada, to=bo, coins=1)
            case 3 if standing:
                desk.ledger.overturn(desk.call(), standing[step % len(standing)], "no", present)
            case 4 if struck:
                desk.ledger.reinstate(desk.call(), struck[step % len(struck)], "yes", present)
            case 5:
                desk("amend", subject=f"character:{bo}", field="harm", value=step % 9, reason="so")
            case _:
                desk("open-scene", title="A scene", cast=[ada])


def desk_rulings(desk: Desk) -> int:
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        return book.campaign.rulings


def test_what_they_hold_is_what_the_record_folds_to(desk: Desk, projector: Projector, database: ViewDatabase) -> None:
    play(desk, [1, 0, 2, 6, 7, 3, 12, 4, 9, 5, 2, 10, 3, 15])
    projector.catch_up()
    folded = desk.everything()
    with psycopg.connect(database.owner_url) as connection:
        sheets = connection.execute(f"SELECT subject, state, purse FROM {SCHEMA}_views.sheets".encode()).fetchall()
        kept: dict[str, int] = dict(
            connection.execute(f"SELECT account, balance FROM {SCHEMA}_views.accounts".encode()).fetchall()
        )
    assert {subject: (state, purse) for subject, state, purse in sheets} == {
        str(subject): (json.loads(json.dumps(_plain(one.state))), one.purse) for subject, one in folded.items()
    }
    purses = {account: balance for one in folded.values() for account, balance in one.purse.items()}
    assert {account: balance for account, balance in kept.items() if account != "bank/coin"} == purses
    assert sum(kept.values()) == 0


def test_what_they_may_remember_changes_nothing(
    desk: Desk, projector: Projector, database: ViewDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(desk, [1, 0, 2, 6, 7, 3, 12, 4])
    monkeypatch.setattr(balances, "MOST_REMEMBERED", 0)
    monkeypatch.setattr(seal, "MOST_REMEMBERED", 0)
    monkeypatch.setattr(keeping, "BATCH", 10)  # it is forgotten between two batches of one keeper
    projector.catch_up()
    play(desk, [9, 5, 2, 10, 3, 15])
    projector.catch_up()
    forgetful = everything(database)
    monkeypatch.undo()
    projector.rebuild()
    assert everything(database) == forgetful


def _plain(state: Any) -> dict[str, Any]:
    return {name: getattr(state, name) for name in state.__dataclass_fields__}


@hypothesis.settings(max_examples=examples(2, 4, 20))
@hypothesis.given(steps=some.lists(some.integers(0, 40), max_size=25), batch=some.sampled_from([1, 3, 500]))
def test_built_anew_they_are_equal_to_what_they_replace(
    ledger: Ledger, projector: Projector, database: ViewDatabase, steps: list[int], batch: int
) -> None:
    desk = Desk(ledger)
    projector.prepare()
    live = Keeper(projector.shelves[0].live_tables, VIEWS, projector.shelves[0].recorder, projector.shelves[0].codec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keeping, "BATCH", batch)
        for at in range(0, len(steps) + 1, 5):
            play(desk, steps[at : at + 5])
            while live.take_next_saves():
                pass
    before = everything(database)
    projector.rebuild()
    assert everything(database) == before
    assert projector.count_behind() == 0


def test_what_was_struck_is_taken_back_and_restored_by_entries(desk: Desk, projector: Projector, views: Views) -> None:
    ada = desk.enrol("Ada")
    number = desk("mint", to=ada, coins=5)
    desk("mint", to=ada, coins=2)
    desk.ledger.overturn(desk.call(), number, "no", present)
    desk.ledger.reinstate(desk.call(), number, "yes", present)
    projector.catch_up()
    coins = f"character:{ada}/coin"
    told = look(views, desk.campaign, lambda reader: write_statement(LENS, reader, coins, NOW, 0, 50)).document
    assert [(one["why"], one["amount"], one["balance"], one["ruling"]) for one in told["entries"]] == [
        ("recorded", 5, 5, number),
        ("recorded", 2, 7, number + 1),
        ("struck", -5, 2, number),
        ("restored", 5, 7, number),
    ]
    assert (told["balance"], told["unit"], told["name"], told["owner"]) == (7, "coin", "Ada", f"character:{ada}")
    bank = look(views, desk.campaign, lambda reader: write_statement(LENS, reader, "bank/coin", NOW, 0, 50)).document
    assert (bank["balance"], bank["owner"], len(bank["entries"])) == (-7, "bank", 4)


def test_both_clocks(desk: Desk, projector: Projector, views: Views) -> None:
    ada = desk.enrol("Ada")
    first = desk("mint", to=ada, coins=5)
    second = desk("mint", to=ada, coins=2)
    known = desk.position
    desk.ledger.overturn(desk.call(), first, "no", present)
    projector.catch_up()
    account = f"character:{ada}/coin"

    def balance(when: When) -> int:
        page = look(views, desk.campaign, lambda reader: list_accounts(LENS, reader, when, "", 50))
        (one,) = page.document["accounts"]
        assert one["account"] == account
        return int(one["balance"])

    then, now = (When(place_of_end(second), known, recorded=one) for one in (True, False))
    assert (balance(NOW), balance(then), balance(now)) == (2, 7, 2)
    assert balance(When(place_of_end(first), known - 1, recorded=True)) == 5

    def struck_at(when: When) -> list[int | None]:
        page = look(views, desk.campaign, lambda reader: list_timeline(LENS, reader, Selection(), when))
        return [one["ruling"] for one in page.decode()["facts"] if one["struck"]]

    struck = {when.recorded: struck_at(when) for when in (then, now)}
    assert struck == {True: [], False: [first]}


def test_a_building_that_was_broken_off_goes_on_and_the_views_in_use_follow_meanwhile(
    desk: Desk, projector: Projector, database: ViewDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "BATCH", 10)
    monkeypatch.setattr(shelf_views, "BATCH_ANEW", 10)
    play(desk, [1, 0, 2] * 8)
    projector.catch_up()
    before = everything(database)

    class Killed(Exception):
        pass

    def die(done: int, total: int) -> None:
        assert 0 < done <= total
        if done > total / 2:
            raise Killed

    with pytest.raises(Killed):
        projector.rebuild(progress=die)
    assert everything(database) == before
    reached = projector.shelves[0].next_tables.find_reached_id()
    assert reached > 0
    play(desk, [1, 3])
    projector.catch_up()
    seen: list[int] = []
    projector.rebuild(progress=lambda done, total: seen.append(done))
    assert seen[0] > reached
    after = everything(database)
    projector.rebuild()
    assert everything(database) == after != before
    assert tables_of(database, f"{SCHEMA}_views_next") == []


def test_a_batch_of_views_may_work_long_between_two_statements(
    desk: Desk, projector: Projector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No save waits for its locks."""
    take, limits = Timeline.apply_saves, set[str]()

    def watched(self: Timeline, transaction: ViewTransaction, saves: Sequence[Saved]) -> None:
        limits.update(transaction.cursor.execute(b"SHOW idle_in_transaction_session_timeout").fetchone() or ())
        take(self, transaction, saves)

    monkeypatch.setattr(Timeline, "apply_saves", watched)
    play(desk, [1, 0])
    projector.rebuild()
    assert (limits, LONG_IDLE) == ({"1min"}, 60)


def tables_of(database: ViewDatabase, schema: str) -> list[str]:
    with psycopg.connect(database.owner_url) as connection:
        found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", (schema,)).fetchall()
        return [table for (table,) in found]


def test_of_what_was_built_anew_the_planner_knows_what_is_in_it(
    desk: Desk, projector: Projector, database: ViewDatabase
) -> None:
    play(desk, [1, 0, 2, 6])
    projector.rebuild()
    with psycopg.connect(database.owner_url) as connection:
        query = f"SELECT relname, reltuples FROM pg_class WHERE relnamespace = '{SCHEMA}_views'::regnamespace"
        known: dict[str, float] = dict(connection.execute(query.encode()).fetchall())
    assert {table: known[table] for table in TABLES} == {table: len(database.rows(table)) for table in TABLES}


def test_a_view_of_another_form_is_built_anew(desk: Desk, projector: Projector, database: ViewDatabase) -> None:
    play(desk, [1, 0, 2, 3])
    projector.catch_up()
    before = everything(database)
    with psycopg.connect(database.owner_url) as connection:
        connection.execute(f"UPDATE {SCHEMA}_views.forms SET version = 0 WHERE view = 'balances'".encode())
        connection.execute(f"TRUNCATE {SCHEMA}_views.entries".encode())
    play(desk, [])
    projector.catch_up()
    assert database.rows("entries", campaign=desk.campaign) == before["entries"]
    assert projector.shelves[0].live_tables.load_forms() == dict.fromkeys(
        (view.name for view in VIEWS), compute_code_version()
    )


def test_what_other_code_made_is_not_shown_and_is_built_anew(
    desk: Desk, projector: Projector, database: ViewDatabase, views: Views, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(desk, [1, 0, 2])
    projector.catch_up()
    before = everything(database)
    monkeypatch.setattr(sources, "_hash_folder", lambda root: b"other code")
    sources.hash_all_sources.cache_clear()
    compute_code_version.cache_clear()
    try:
        assert views.list_outdated() == [view.name for view in VIEWS]
        for tell in (
            lambda: views.find_position(desk.campaign),
            lambda: look(views, desk.campaign, lambda reader: list_timeline(LENS, reader, Selection(), NOW)),
        ):
            with pytest.raises(Unavailable, match="rebuilt for this version") as waiting:
                tell()
            assert waiting.value.code == "views-behind"
        projector.catch_up()
        assert views.list_outdated() == [] and everything(database) == before
        assert views.find_position(desk.campaign) == desk.position
    finally:
        monkeypatch.undo()
        sources.hash_all_sources.cache_clear()
        compute_code_version.cache_clear()


def test_in_the_form_of_an_earlier_version_they_are_waited_for(
    desk: Desk, projector: Projector, database: ViewDatabase, views: Views
) -> None:
    play(desk, [1, 0, 2])
    projector.catch_up()
    assert views.list_outdated() == []
    with psycopg.connect(database.owner_url) as connection:
        connection.execute(f"ALTER TABLE {SCHEMA}_views.campaigns DROP COLUMN named".encode())
        connection.execute(f"UPDATE {SCHEMA}_views.forms SET version = 0 WHERE view = 'campaigns'".encode())
    assert views.list_outdated() == ["campaigns"]
    with pytest.raises(Unavailable) as waiting:
        look(views, desk.campaign, lambda reader: list_timeline(LENS, reader, Selection(), NOW))
    assert waiting.value.code == "views-behind"
    projector.catch_up()
    assert views.list_outdated() == []
    assert look(views, desk.campaign, lambda reader: list_timeline(LENS, reader, Selection(), NOW)).decode()["facts"]


def test_one_process_keeps_them_and_another_takes_over(desk: Desk, database: ViewDatabase, views: Views) -> None:
    first, second = Projector(database.projector_url, SCHEMA), Projector(database.projector_url, SCHEMA)
    stops = [threading.Event(), threading.Event()]
    threads = [
        threading.Thread(target=one.follow, args=(stop,), daemon=True)
        for one, stop in zip((first, second), stops, strict=True)
    ]
    with first, second:
        threads[0].start()
        wait_until(lambda: first.is_leading)
        threads[1].start()
        time.sleep(0.3)
        assert not second.is_leading
        assert second.is_led()
        desk.enrol("Ada")
        wait_until(lambda: views.find_position(desk.campaign) == desk.position)
        stops[0].set()
        wait_until(lambda: second.is_leading)
        desk.enrol("Bo")
        wait_until(lambda: views.find_position(desk.campaign) == desk.position)
        stops[1].set()
        for thread in threads:
            thread.join(120)


def test_two_that_keep_them_at_once_double_nothing(desk: Desk, projector: Projector, database: ViewDatabase) -> None:
    projector.prepare()
    one, other = (
        Keeper(projector.shelves[0].live_tables, VIEWS, projector.shelves[0].recorder, projector.shelves[0].codec)
        for _ in range(2)
    )
    for step in ([1, 0], [2, 3], [7, 1], [4, 5]):
        play(desk, step)
        threads = [threading.Thread(target=keeper.take_next_saves) for keeper in (one, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    projector.catch_up()
    before = everything(database)
    projector.rebuild()
    assert everything(database) == before


def test_whoever_looks_sees_whole_saves_only(desk: Desk, projector: Projector, database: ViewDatabase) -> None:
    """While one writes and the views follow, every look finds balances that add up, and the rulings of its position."""
    ada, bo = desk.enrol("Ada"), desk.enrol("Bo")
    desk("mint", to=ada, coins=1000)
    projector.prepare()
    stop = threading.Event()
    following = threading.Thread(target=projector.follow, args=(stop,), daemon=True)
    following.start()

    def write() -> None:
        while not stop.is_set():
            desk("give", char=ada, to=bo, coins=1)
            desk("give", char=bo, to=ada, coins=1)

    writing = threading.Thread(target=write, daemon=True)
    writing.start()
    seen: set[int] = set()
    with psycopg.connect(database.owner_url, autocommit=True) as connection:
        query = f"""SELECT (SELECT coalesce(sum(balance), 0) FROM {SCHEMA}_views.accounts),
            (SELECT coalesce(max(position), 0) FROM {SCHEMA}_views.campaigns),
            (SELECT coalesce(max(position), 0) FROM {SCHEMA}_views.timeline),
            (SELECT count(*) FROM {SCHEMA}_views.rulings),
            (SELECT coalesce(max(rulings), 0) FROM {SCHEMA}_views.campaigns)"""
        while len(seen) < 30:
            assert writing.is_alive() and following.is_alive()
            total, position, latest, rulings, number = connection.execute(query.encode()).fetchone() or ()
            assert (total, latest, rulings) == (0, position, number)
            seen.add(position)
    stop.set()
    writing.join(120)
    following.join(120)


@pytest.mark.parametrize(
    ("who", "statement"),
    [
        ("projector", "INSERT INTO {s}.ledger_events (originator_id, topic) VALUES ('x', 'x')"),
        ("projector", "DELETE FROM {s}.ledger_events"),
        ("projector", "SELECT {s}.append('{{}}', '{{}}', '{{}}', '{{}}')"),
        ("service", "UPDATE {s}_views.campaigns SET name = 'x'"),
        ("service", "DELETE FROM {s}_views.timeline"),
        ("service", "CREATE TABLE {s}_views.more (x int)"),
    ],
)
def test_nobody_writes_what_is_not_theirs(
    desk: Desk, projector: Projector, database: ViewDatabase, who: str, statement: str
) -> None:
    projector.catch_up()
    url = database.projector_url if who == "projector" else database.service_url
    with psycopg.connect(url) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute(statement.format(s=SCHEMA).encode())


def test_names_that_no_text_column_can_hold_stop_nothing(
    desk: Desk, projector: Projector, database: ViewDatabase
) -> None:
    desk("enrol", name="A\x00da", seat="s1", sheet={"health": 3})
    desk("retire", character="1", reason="\x00")
    projector.catch_up()
    assert projector.count_behind() == 0
    assert character("1") in desk.everything()
    before = everything(database)
    projector.rebuild()
    assert everything(database) == before
