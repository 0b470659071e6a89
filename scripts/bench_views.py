"""Measure the views: how fast they are built, and the cost of a page of a long campaign compared with its bare
statements."""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable, Mapping
from typing import Any

import psycopg
from psycopg.sql import SQL, Identifier

from ledger.application import Call
from ledger.events.database_check import name_views_schema
from ledger.rules.kernel.subjects import character
from projections.documents import accounts, registers, timelines
from projections.redaction import LiveLens, ViewLens
from projections.views.clocks import NOW
from projections.views.pages import Page, Reader, Views
from projections.views.projector import Projector
from projections.views.side_by_side import count_processes
from scripts.bench_play import Bench, Play, measure_each, measure_seconds

Describe = Callable[[ViewLens, Reader], Page[Any]]


def measure_views(bench: Bench, game: str, play: Play, fact_count: int) -> None:
    """Play one campaign until it has this many facts, and measure its views. Only this function updates the views."""
    with Projector(bench.database.projector_url, bench.database.schema) as projector:
        projector.catch_up()
        counter = ViewCounter(bench, play.campaign)
        while counter.count_facts() < fact_count:
            play.play_until(len(play.numbers) + 1000)
            projector.catch_up()
        for _ in projector.shelves:  # as many events again, spread over all shelves
            Play(bench.ledger, game).play_until(len(play.numbers) // len(projector.shelves))
        projector.catch_up()
        _measure_building(bench, projector)
    with psycopg.connect(bench.database.owner_url, autocommit=True) as owner:
        owner.execute("ANALYZE")
    with bench.ledger.open_for_seat(Call(play.campaign, play.token)) as (book, viewer):
        lens = LiveLens(book, viewer).make_view_lens()
    for name, describe in _index_pages(counter).items():
        _compare_with_statements(bench, f"{game}: {name}", counter.views, play.campaign, lens, describe)


class ViewCounter:
    """Counts what the long campaign contains, to choose the pages to measure."""

    def __init__(self, bench: Bench, campaign: str) -> None:
        self.campaign = campaign
        self.views = Views(bench.ledger.shelves.get_shelf_of(campaign))

    def find_value(self, query: str) -> Any:
        with self.views.open_reader(self.campaign) as reader:
            rows = reader.ask(query, {})
        return rows[0][0] if rows else None

    def count_facts(self) -> int:
        return int(
            self.find_value("SELECT count(*) FROM {views}.timeline WHERE campaign = %(campaign)s AND what = 'fact'")
        )

    def find_most_frequent(self, table: str, column: str) -> Any:
        """Return the most frequent value of the column."""
        return self.find_value(
            f"SELECT {column} FROM {{views}}.{table} WHERE campaign = %(campaign)s AND {column} IS NOT NULL"
            f" GROUP BY {column} ORDER BY count(*) DESC LIMIT 1"
        )


def _measure_building(bench: Bench, projector: Projector) -> None:
    """Compare rebuilding all views, by one process and by several, with only reading the notifications."""
    end_ids = [shelf.find_end() for shelf in projector.shelves]
    event_count = sum(end_ids)

    def read() -> None:
        for shelf in projector.shelves:
            after = 0
            while notifications := shelf.recorder.select_notifications(after + 1, 500):
                after = int(notifications[-1].id)

    read_rate = event_count / measure_seconds(read)
    where = f"{event_count:,} events, {max(end_ids):,} on one shelf of {len(end_ids)}, {os.cpu_count()} cores"
    for processes in sorted({1, count_processes(len(end_ids), event_count)}):
        rebuild_rate = event_count / measure_seconds(lambda: projector.rebuild(processes=processes))  # noqa: B023
        detail = f"{rebuild_rate / read_rate:.2f} times the speed of only reading them ({read_rate:,.0f}/s); {where}"
        bench.note(f"events per second when views are rebuilt, processes: {processes}", rebuild_rate, detail)


def _index_pages(counter: ViewCounter) -> dict[str, Describe]:
    middle = counter.find_value("SELECT max(position) / 2 FROM {views}.timeline WHERE campaign = %(campaign)s")
    middle_ruling = counter.find_value("SELECT max(number) / 2 FROM {views}.rulings WHERE campaign = %(campaign)s")
    pages: dict[str, Describe] = {}

    def add_timeline(name: str, **wanted: Any) -> None:
        selection = timelines.Selection(**wanted)
        pages[f"timeline {name}"] = lambda lens, reader: timelines.list_timeline(lens, reader, selection)

    def add_rulings(name: str, **wanted: Any) -> None:
        selection = registers.Selection(**wanted)
        pages[f"rulings {name}"] = lambda lens, reader: registers.list_rulings(lens, reader, selection)

    value_by_fact_field: Mapping[str, object] = {
        "subject": counter.find_most_frequent("concerns", "subject"),
        "kind": counter.find_most_frequent("timeline", "kind"),
        "session": counter.find_most_frequent("timeline", "session"),
        "scene": counter.find_most_frequent("timeline", "scene"),
    }
    value_by_ruling_field: Mapping[str, object] = {
        name: counter.find_most_frequent("rulings", name) for name in ("status", "seat", "kind", "scene", "session")
    }
    value_by_mark = {
        name: counter.find_value(
            "SELECT substr(mark, strpos(mark, ':') + 1) FROM {views}.marks WHERE campaign = %(campaign)s"
            f" AND mark LIKE '{name}:%%' GROUP BY mark ORDER BY count(*) DESC LIMIT 1"
        )
        for name in ("character", "rule")
    }
    add_timeline("first")
    add_timeline("deep", after=(middle, 0))
    add_timeline("of a ruling", ruling=middle_ruling)
    add_timeline("newest", order="desc")
    add_timeline("backwards, deep", order="desc", after=(middle, 0))
    add_rulings("newest", order="desc")
    add_rulings("backwards, deep", order="desc", after=middle_ruling)
    add_rulings("briefly", view="brief", limit=500)
    for name, q in _find_words(counter).items():
        add_rulings(f"with {name}", q=q)
        add_rulings(f"with {name}, newest, briefly", q=q, order="desc", view="brief")
        add_timeline(f"with {name}", q=q)
    for name, value in value_by_fact_field.items():
        if value is not None:
            add_timeline(f"by {name}, first", **{name: value})
            add_timeline(f"by {name}, deep", **{name: value}, after=(middle, 0))
    add_rulings("first")
    add_rulings("deep", after=middle_ruling)
    for name, value in {**value_by_ruling_field, **value_by_mark}.items():
        if value is not None:
            add_rulings(f"by {name}, first", **{name: value})
            add_rulings(f"by {name}, deep", **{name: value}, after=middle_ruling)
    return pages | _index_history_pages(counter, middle) | _index_account_pages(counter)


def _find_words(counter: ViewCounter) -> dict[str, str]:
    """Return a word that people wrote very often, a word that they wrote once, and a word that nobody wrote."""
    query = (
        "SELECT word FROM ts_stat($$ SELECT to_tsvector('simple', said) FROM {views}.written WHERE campaign = $$"
        " || quote_literal(%(campaign)s)) ORDER BY ndoc {order}, word LIMIT 1"
    )
    frequent_word, rare_word = (counter.find_value(query.replace("{order}", order)) for order in ("DESC", "ASC"))
    return {"a frequent word": str(frequent_word), "a rare word": str(rare_word), "no such word": "zyzzyva"}


def _index_history_pages(counter: ViewCounter, middle: int) -> dict[str, Describe]:
    subject = character("1")

    def make_page(after: tuple[int, int]) -> Describe:
        selection = timelines.Selection(after=after)
        return lambda lens, reader: timelines.list_history(lens, reader, subject, selection)

    return {"history first": make_page((0, 0)), "history deep": make_page((middle, 0))}


def _index_account_pages(counter: ViewCounter) -> dict[str, Describe]:
    pages: dict[str, Describe] = {"accounts": lambda lens, reader: accounts.list_accounts(lens, reader, NOW, "", 50)}
    account = counter.find_most_frequent("entries", "account")
    if account is not None:
        for name, share in (("first", 0), ("deep", 2)):
            entry_count = counter.find_value("SELECT max(entries) FROM {views}.accounts WHERE campaign = %(campaign)s")
            after = int(entry_count) // share if share else 0
            pages[f"statement {name}"] = lambda lens, reader, after=after: accounts.write_statement(  # type: ignore[misc]
                lens, reader, account, NOW, after, 50
            )
    return pages


class WatchingReader(Reader):
    """Keeps its queries, so that they can be run again without the page."""

    def __init__(self, reader: Reader) -> None:
        super().__init__(reader.transaction, reader.campaign)
        self.statements: list[tuple[str, Mapping[str, object]]] = []

    def ask(self, query: str, values: Mapping[str, object], *, as_bytes: bool = False) -> list[tuple[object, ...]]:
        self.statements.append((query, {"campaign": self.campaign, **values}))
        return super().ask(query, values, as_bytes=as_bytes)


def _compare_with_statements(
    bench: Bench, name: str, views: Views, campaign: str, lens: ViewLens, describe: Describe
) -> None:
    """Compare the time for the page with the time for only running its statements in psycopg."""
    with views.open_reader(campaign) as reader:
        watching_reader = WatchingReader(reader)
        assert describe(lens, watching_reader).position

    def describe_page() -> None:
        with views.open_reader(campaign) as reader:
            describe(lens, reader)

    with psycopg.connect(bench.database.service_url, autocommit=True) as connection:
        schema = views.shelf.schema
        names = {"views": Identifier(name_views_schema(schema)), "events": Identifier(schema, "ledger_events")}
        statements = [
            (SQL(query).format(**names).as_string(connection).encode(), values)
            for query, values in watching_reader.statements
        ]

        def run_bare() -> None:
            for query, values in statements:
                connection.execute(query, values, prepare=True).fetchall()

        for act in (run_bare, describe_page):
            measure_each(10, act)
        times = [(measure_each(10, describe_page), measure_each(10, run_bare)) for _ in range(9)]
    ours, theirs = (statistics.median(side) for side in zip(*times, strict=True))
    ratio = statistics.median(left / right for left, right in times)
    bench.at_most(f"{name}, over its statement", ratio, 2, f"{ours * 1000:.2f} ms, bare {theirs * 1000:.2f} ms")
