"""The measurements of `scripts/bench`. Each ratio is the median of several rounds. In each round, the ledger and its
counterpart take turns on the same Postgres.
"""

from __future__ import annotations

import io
import json
import math
import statistics
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from itertools import cycle
from typing import Annotated
from uuid import UUID

import psycopg
import typer
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from rich.console import Console
from rich.table import Table

from api.run.serve import stop_on_signals
from api.service.database import Database
from ledger.aggregates.subject_stream import SubjectStream
from ledger.application import Book, Call, Ledger, audit, json_form, make_environment
from ledger.application.commands.previewing import preview_what_if
from ledger.application.reading.export_reader import read_export
from ledger.application.reading.exports import Header, write_export
from ledger.application.reading.pasts import load_chronicle, load_history
from ledger.application.reading.stored import read_sealed_saves
from ledger.errors import Malformed
from ledger.events.envelope import Body
from ledger.rules.kernel.comparison import compare
from ledger.rules.kernel.subjects import Subject, Viewer
from ledger.rules.kernel.world import Past
from projections.documents.comparisons import find_ruling
from projections.redaction import LiveLens, to_text
from scripts.bench_beside import measure_beside, measure_readjudication_rate
from scripts.bench_games import GAMES, play_scenes
from scripts.bench_looking_back import measure_looking_back
from scripts.bench_manners import measure_manners
from scripts.bench_many import measure_many
from scripts.bench_moves import measure_moves
from scripts.bench_page import measure_page
from scripts.bench_play import KEY, Bench, Figure, Play, measure_each, measure_seconds, open_fresh_database
from scripts.bench_replays import measure_replays
from scripts.bench_service import measure_service
from scripts.bench_views import measure_views

console = Console(stderr=True)


# --- stock eventsourcing and raw psycopg --------------------------------------------------------------------------


class StockSubject(Aggregate):
    """The same facts in an aggregate of the stock library. It does as little as possible with each fact."""

    @event("Opened")
    def __init__(self) -> None:
        self.count = 0

    @event("Told")
    def tell(self, fact: dict[str, object], ruling: int, step: int, by: str, at: str, salt: str, session: str) -> None:
        self.count += 1


def open_stock_application(database: Database) -> Application[UUID]:
    """Return the library's application with its defaults, on the same server, as the owner of its tables."""
    settings = make_environment(database.owner_url, schema=database.schema)
    for ours in ("CREATE_TABLE", "APPLICATION_RECORDER_TOPIC", "ORIGINATOR_ID_TYPE"):
        del settings[ours]
    return Application(settings)


def make_stock_save(app: Application[UUID]) -> Callable[[], None]:
    subject = StockSubject()
    app.save(subject)

    def save() -> None:
        subject.tell({"amount": 3, "by": "12"}, 7, 0, "s1", "2026-01-01T00:00:00.000000Z", "x" * 22, "1")
        app.save(subject)

    return save


# --- the figures --------------------------------------------------------------------------------------------------


def measure_saves(bench: Bench, game: str, count: int, rounds: int) -> None:
    """Compare a whole ruling (read, adjudicate, save with its receipt, present) with a stock save and with a raw
    insert.
    """
    play = Play(bench.ledger, game)
    with (
        open_stock_application(bench.database) as app,
        psycopg.connect(bench.database.owner_url, autocommit=True) as raw,
    ):
        raw.execute(f"CREATE TABLE IF NOT EXISTS {bench.database.schema}.raw (id bigserial PRIMARY KEY, state bytea)")
        insert = f"INSERT INTO {bench.database.schema}.raw (state) VALUES (%s)"
        stock = make_stock_save(app)
        sides = {"ruling": play.step, "stock": stock, "raw": lambda: raw.execute(insert, (b"x" * 300,), prepare=True)}
        for act in sides.values():
            measure_each(50, act)
        times = [{side: measure_each(count, act) for side, act in sides.items()} for _ in range(rounds)]
    rates = {side: 1 / statistics.median(figures[side] for figures in times) for side in sides}
    ratio = statistics.median(figures_of_round["stock"] / figures_of_round["ruling"] for figures_of_round in times)
    detail = ", ".join(f"{side} {rate:,.0f}/s" for side, rate in rates.items())
    bench.at_least(f"{game}: rulings per second divided by saves of the stock library", ratio, 1.0, detail)


def measure_folds(bench: Bench, game: str, long_play: Play, ruling_count: int, rounds: int) -> None:
    """Compare how fast the ledger and the library rebuild subjects from Postgres: one long stream, and a whole
    campaign.
    """
    play = Play(bench.ledger, game)
    play.play_until(ruling_count)
    with open_stock_application(bench.database) as app:
        with bench.ledger.open_for_seat(Call(long_play.campaign, long_play.token)) as (book, _):
            subject = max(book.campaign.subjects, key=lambda subject: book.load_stream(subject).version)
            stream = f"{book.id}/{subject.kind}/{subject.id}"
            twin = _copy_to_stock(bench, app, [event.body for event in book.read(stream)])

            def fold_longest() -> int:
                return _fold_subject(book, subject, book.recorder.select_stream(stream)).version

            ratio, detail = _compare(rounds, fold_longest, lambda: app.repository.get(twin))
            bench.at_least(
                f"{game}: events folded per second divided by the stock library", ratio, 5.0, f"{detail}; {subject}"
            )
        with bench.ledger.open_for_seat(Call(play.campaign, play.token)) as (book, _):
            streams = {f"{book.id}/{member.kind}/{member.id}": member for member in book.campaign.subjects}
            twins = [_copy_to_stock(bench, app, [event.body for event in book.read(stream)]) for stream in streams]
            ratio, detail = _compare(
                rounds, lambda: _fold_all(book, streams), lambda: [app.repository.get(twin) for twin in twins]
            )
            bench.note(
                f"{game}: events folded per second for a whole campaign, divided by the stock library",
                ratio,
                f"{detail} in {len(streams)} short streams",
            )


def measure_files(bench: Bench, game: str, long_play: Play) -> None:
    """Measure an audit. Compare writing and reading the campaign as a file with selecting its rows."""
    with bench.ledger.open_for_seat(Call(long_play.campaign, long_play.token)) as (book, _):
        header = Header(campaign=book.id, name=book.entry.name, system=game, position=book.campaign.position, seat=None)

        def export() -> bytes:
            rows = (row for save in read_sealed_saves(book) for row in save)
            return b"".join(write_export(header, ((row, True) for row in rows), bench.ledger.sealer))

        audit_seconds = measure_seconds(lambda: audit(book)) * 10_000 / book.campaign.rulings
        bench.at_most(
            f"{game}: seconds for an audit of 10,000 rulings", audit_seconds, 5.0, f"{book.campaign.rulings:,} audited"
        )
        content = export()
        select_seconds = measure_seconds(lambda: list(read_sealed_saves(book)))
        for what, act in (("written", export), ("read", lambda: read_export(io.BytesIO(content)))):
            detail = f"{len(content) / 1e6:,.0f} MB"
            bench.note(
                f"{game}: time for an export to be {what}, divided by selecting its rows",
                measure_seconds(act) / select_seconds,
                detail,
            )


def _fold_all(book: Book, streams: dict[str, Subject]) -> int:
    """Fold every subject of a campaign, reading all their streams at once."""
    rows_by_stream: dict[str, list[tuple[str, bytes]]] = {stream: [] for stream in streams}
    for stream, _, topic, state in book.recorder.select_streams([(stream, 0) for stream in streams]):
        rows_by_stream[stream].append((topic, state))
    return sum(_fold_subject(book, streams[stream], rows).version for stream, rows in rows_by_stream.items())


def _fold_subject(book: Book, subject: Subject, rows: list[tuple[str, bytes]]) -> SubjectStream:
    return SubjectStream.build(book.ruleset, subject, lambda: book.codec.decode_bodies(rows))


def _copy_to_stock(bench: Bench, app: Application[UUID], bodies: list[Body[object]]) -> UUID:
    """Copy the events of one subject into the library's own store. Return the id of its aggregate."""
    twin = StockSubject()
    for count, body in enumerate(bodies):
        fact = {"topic": bench.ledger.codec.topics[type(body.fact)], **json_form.to_json(body.fact)}
        twin.tell(fact, body.ruling, body.step, body.by, body.at, body.salt, body.session)
        if count % 500 == 0:  # the library's pipeline hangs on more at once
            app.save(twin)
    app.save(twin)
    return twin.id


def _compare(rounds: int, ours: Callable[[], int], stock: Callable[[], object]) -> tuple[float, str]:
    """Return the stock library's time divided by ours, and both rates in events per second."""
    count = ours()
    times = [(measure_seconds(ours), measure_seconds(stock)) for _ in range(rounds)]
    our_rate, stock_rate = (count / statistics.median(side) for side in zip(*times, strict=True))
    ratio = statistics.median(slow / quick for quick, slow in times)
    return ratio, f"{our_rate:,.0f}/s, stock {stock_rate:,.0f}/s, {count:,} events"


def measure_growth(bench: Bench, game: str, long_play: Play) -> None:
    """Compare the cost of a ruling in a long campaign and in a young one. Also measure re-adjudication."""
    durations, ruling_count = [], len(long_play.numbers)
    for _ in range(5):
        young_play = Play(bench.ledger, game)
        young_play.play_until(100)
        durations.append((measure_each(150, long_play.step), measure_each(150, young_play.step)))
    ratio = statistics.median(old / new for old, new in durations)
    bench.at_most(f"{game}: cost of a ruling (after {ruling_count:,} rulings / after 100)", ratio, 1.2)
    _measure_readjudication(bench, game, long_play)


def measure_reading(bench: Bench, game: str, long_play: Play) -> None:
    young_play = Play(bench.ledger, game)
    young_play.play_until(100)
    _measure_reading(bench, game, long_play, young_play)


KINDS = 50  # consecutive rulings; every kind of ruling that is played occurs about equally often in them


def _measure_reading(bench: Bench, game: str, long_play: Play, young_play: Play) -> None:
    """Compare reading one ruling in a long campaign and in a young one, in a warm process and in a new process."""

    def read_ruling(ledger: Ledger, play: Play, number: int) -> None:
        with ledger.open_for_seat(Call(play.campaign, play.token)) as (book, viewer):
            to_text(find_ruling(LiveLens(book, viewer), number))

    def measure_warm(play: Play) -> float:
        """Return the average time to read a ruling, over rulings of every kind."""
        middle = len(play.numbers) // 2
        numbers = cycle(range(middle, middle + KINDS))
        return measure_each(KINDS, lambda: read_ruling(bench.ledger, play, next(numbers)))

    def measure_cold(play: Play) -> float:
        settings = make_environment(bench.database.service_url, schema=bench.database.schema, pool_size=1)
        with Ledger(settings, KEY) as ledger:
            return measure_seconds(lambda: read_ruling(ledger, play, len(play.numbers) // 2))

    rounds = [(measure_warm(long_play), measure_warm(young_play)) for _ in range(9)]
    ratio = statistics.median(old / new for old, new in rounds)
    bench.at_most(
        f"{game}: time to read a ruling (after {len(long_play.numbers):,} rulings / after {len(young_play.numbers)})",
        ratio,
        1.2,
    )
    cold_seconds = statistics.median(measure_cold(long_play) for _ in range(3))
    detail = f"{statistics.median(measure_cold(young_play) for _ in range(3)):.3f} s in the young campaign"
    bench.note(f"{game}: seconds until a new process has read its first ruling", cold_seconds, detail)
    durations = [(_measure_first_ruling(bench, long_play), _measure_first_ruling(bench, young_play)) for _ in range(7)]
    ratio = statistics.median(old / new for old, new in durations)
    old_milliseconds, new_milliseconds = (1000 * statistics.median(side) for side in zip(*durations, strict=True))
    detail = f"{old_milliseconds:.0f} ms beside {new_milliseconds:.0f} ms"
    bench.at_most(
        f"{game}: time for a new process's first ruling (after {len(long_play.numbers):,} rulings / after 100)",
        ratio,
        3,
        detail,
    )


def _measure_first_ruling(bench: Bench, play: Play) -> float:
    """Return the seconds that the first ruling takes, once the process is connected."""
    settings = make_environment(bench.database.service_url, schema=bench.database.schema, pool_size=1)
    with Ledger(settings, KEY) as ledger:
        ledger.store.select_news([("", 0)])
        previous_ledger, play.ledger = play.ledger, ledger
        try:
            return measure_seconds(play.step)
        finally:
            play.ledger = previous_ledger


def _measure_readjudication(bench: Bench, game: str, play: Play) -> None:
    with bench.ledger.open_for_seat(Call(play.campaign, play.token)) as (book, viewer):
        reading_seconds = measure_seconds(lambda: load_history(book))
        history = load_history(book)
        past = Past(book.ruleset, {})
        past.tell(history.facts[0])
        rulings = list(history.rulings.values())
        comparing_seconds = measure_seconds(lambda: compare(past, rulings, {}, {3: None}))
        indexing_seconds = measure_seconds(lambda: load_chronicle(book, history))
        what_if_seconds, adjudicated_count = _measure_small_what_if(book, viewer)
    per_100_000 = 100_000 / len(rulings)
    index_text = f"{indexing_seconds * per_100_000:.2f} s for an index, once"
    detail = f"{adjudicated_count} rulings adjudicated of {len(rulings):,}; {index_text}"
    bench.at_most(f"{game}: seconds of a what-if over 100,000 rulings", what_if_seconds * per_100_000, 1.0, detail)
    detail = f"{len(rulings):,} rulings, nothing skipped"
    bench.note(f"{game}: re-adjudicated rulings per second", measure_readjudication_rate(past, history), detail)
    bench.note(
        f"{game}: rulings compared per second",
        len(rulings) / comparing_seconds,
        "rulings that the change cannot affect are skipped",
    )
    bench.note(f"{game}: rulings read from the record per second", len(rulings) / reading_seconds)


def _measure_small_what_if(book: Book, viewer: Viewer) -> tuple[float, int]:
    """Return the seconds for a what-if early in the campaign, and how many rulings it adjudicates. These are at most a
    hundredth of all rulings.
    """
    for number in range(3, 60):
        adjudicated_counts: list[int] = []
        with suppress(Malformed):
            seconds = measure_seconds(partial(_preview_what_if, book, viewer, number, adjudicated_counts))
            if adjudicated_counts[0] <= book.campaign.rulings / 100:
                return seconds, adjudicated_counts[0]
    return math.inf, 0


def _preview_what_if(book: Book, viewer: Viewer, number: int, adjudicated_counts: list[int]) -> None:
    adjudicated_counts.append(preview_what_if(book, viewer, [number]).comparison.readjudicated_count)


def measure_clients(bench: Bench, game: str, ruling_count: int) -> None:
    """Measure ten simultaneous clients, in one campaign and in ten. No answered ruling may be missing."""

    def play_together(plays: list[Play]) -> float:
        count = ruling_count // len(plays)
        with ThreadPoolExecutor(len(plays)) as pool:
            return measure_seconds(
                lambda: list(pool.map(lambda play: play.play_until(len(play.numbers) + count), plays))
            )

    plays_apart = [Play(bench.ledger, game) for _ in range(10)]
    bench.note(f"{game}: ten clients in ten campaigns, rulings per second", ruling_count / play_together(plays_apart))
    shared = Play(bench.ledger, game)
    plays_together = [Play(bench.ledger, game, shared.campaign, shared.token, play_scenes) for _ in range(10)]
    seconds = play_together(plays_together)
    numbers = sorted(number for play in plays_together for number in play.numbers)
    lost_count = len(numbers) - len(set(numbers)) + (numbers[-1] - len(numbers))
    bench.note(f"{game}: ten clients in one campaign, rulings per second", len(numbers) / seconds)
    bench.at_most(f"{game}: answered rulings lost or doubled", lost_count, 0)


# --- running ------------------------------------------------------------------------------------------------------


#: The parts that can be measured separately, in order: those for each game, then those measured once.
OF_A_GAME = ("saves", "clients", "growth", "reading", "folds", "files", "moves", "replays", "beside")
ONCE = ("views", "looking-back", "page", "service", "manners", "many")
PARTS = (*OF_A_GAME, *ONCE)
LONG, FACTS = 20_000, 100_000  # rulings of a long campaign, and facts of the campaign for looking back
YOUNG = 100  # facts
CAMPAIGNS = 10_000


def main(
    quick: Annotated[bool, typer.Option(help="Measure only a tenth, to check that everything works.")] = False,
    only: Annotated[str, typer.Option(help="Measure only this game.")] = "",
    part: Annotated[
        list[str] | None, typer.Option(help=f"Measure only this part: {', '.join(PARTS)}. Can be repeated.")
    ] = None,
    long: Annotated[int, typer.Option(min=1000, help="The number of rulings in a long campaign.")] = LONG,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON on stdout.")] = False,
) -> None:
    """Compare the ledger with stock eventsourcing and raw psycopg. The exit code is 1 if a figure misses its target."""
    if unknown := set(part or ()) - set(PARTS):
        raise typer.BadParameter(f"There is no part {', '.join(sorted(unknown))}. Choose from {', '.join(PARTS)}.")
    if only and only not in GAMES:
        raise typer.BadParameter(f"There is no game {only}. Choose from {', '.join(GAMES)}.")
    stop_on_signals()
    with (
        open_fresh_database() as database,
        Ledger(make_environment(database.service_url, schema=database.schema), KEY) as ledger,
    ):
        bench = Bench(database, ledger)
        try:
            scale = 10 if quick else 1
            _measure(bench, [only] if only else list(GAMES), part or PARTS, long // scale, scale)
        finally:  # do not lose the figures measured before a failure
            if as_json:
                print(json.dumps([vars(figure) for figure in bench.figures], indent=1))
            else:
                _show(bench.figures)
    raise SystemExit(any(figure.met is False for figure in bench.figures))


def _measure(bench: Bench, games: list[str], parts: Sequence[str], ruling_count: int, scale: int) -> None:
    @cache
    def play_long(game: str) -> Play:
        """Return the long campaign, which is played once, at the first call."""
        play = Play(bench.ledger, game)
        play.play_until(ruling_count)
        return play

    measure_by_part: dict[str, Callable[[str], None]] = {
        "saves": lambda game: measure_saves(bench, game, 600 // scale, 7),
        "clients": lambda game: measure_clients(bench, game, 3000 // scale),
        "growth": lambda game: measure_growth(bench, game, play_long(game)),
        "reading": lambda game: measure_reading(bench, game, play_long(game)),
        "folds": lambda game: measure_folds(bench, game, play_long(game), 3000 // scale, 7),
        "files": lambda game: measure_files(bench, game, play_long(game)),
        "moves": lambda game: measure_moves(bench, game, play_long(game)),
        "replays": lambda game: measure_replays(bench, game, 2000 // scale),
        "beside": lambda game: measure_beside(bench, game, play_long(game), 4 / scale),
    }
    for game in games:
        for name in (name for name in OF_A_GAME if name in parts):
            _run_part(bench, f"{game}: {name}", partial(measure_by_part[name], game))
    long_game = games[0] if len(games) == 1 else "scattershot"
    measure_once_by_part: dict[str, Callable[[], None]] = {
        "views": lambda: measure_views(bench, long_game, play_long(long_game), FACTS // scale),
        "looking-back": lambda: measure_looking_back(
            bench, long_game, _play_until_facts(play_long(long_game), FACTS // scale)
        ),
        "page": lambda: measure_page(
            bench,
            long_game,
            _play_until_facts(play_long(long_game), FACTS // scale),
            _play_until_facts(Play(bench.ledger, long_game), YOUNG, 10),
        ),
        "service": lambda: measure_service(bench, games[0] if len(games) == 1 else "intensity", 8 / scale),
        "manners": lambda: measure_manners(bench, 3 / scale, 3),
        "many": lambda: measure_many(bench, games[0] if len(games) == 1 else "intensity", CAMPAIGNS // scale),
    }
    for name in (name for name in ONCE if name in parts):
        _run_part(bench, name, measure_once_by_part[name])


def _run_part(bench: Bench, name: str, measure: Callable[[], None]) -> None:
    """Measure one part. If it breaks, the others are still measured."""
    try:
        with console.status(f"{name} ..."):
            measure()
    except Exception as problem:  # noqa: BLE001  any error is a figure that misses its target
        console.print_exception()
        bench.fail(name, problem)


def _play_until_facts(play: Play, fact_count: int, more: int = 1000) -> Play:
    """Play on, `more` rulings at a time, until there are this many facts about subjects. Return the campaign."""
    while _count_facts(play) < fact_count:
        play.play_until(len(play.numbers) + more)
    return play


def _count_facts(play: Play) -> int:
    with play.ledger.open_for_seat(Call(play.campaign, play.token)) as (book, _):
        return sum(book.load_stream(subject).version for subject in book.campaign.subjects)


def _show(figures: list[Figure]) -> None:
    table = Table("figure", "measured", "target", "detail")
    for figure in figures:
        colour = {None: "", True: "green", False: "red"}[figure.met]
        number_text = f"{figure.value:,.0f}" if abs(figure.value) >= 100 else f"{figure.value:.2f}"
        table.add_row(
            figure.what, f"[{colour}]{number_text}[/]" if colour else number_text, figure.target, figure.detail
        )
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
