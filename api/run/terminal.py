"""Shared by the commands that read campaigns: finding the database, opening a campaign for a seat, and printing.

Nothing heavy is imported before a command runs: help and completion must be quick.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ledger.errors import Fault, NotFound

if TYPE_CHECKING:
    from api.service.database import Database
    from ledger.application import Ledger
    from projections.redaction import LiveLens, ViewLens
    from projections.views.everywhere import Everywhere
    from projections.views.pages import Reader

Json = Mapping[str, object]
FIRST, LOOK, KEEP, RUN = "Start here", "Look at a campaign", "Keep the record", "Run the service"
MOST = 2**31 - 1
FOLDED, GAP = 16, 2  # the least width of a folded column, and the space between two columns
MOST_LAG = 3.0  # seconds that the views get to catch up
UNREAD = 141  # the exit code of a program ended by SIGPIPE


class _Screen(Console):
    """A console that ends the program silently if its reader goes away, for example `head`."""

    def handle_broken_pipe(self) -> None:
        _end_quietly()


def _end_quietly() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # otherwise Python would print an error when it ends
    raise SystemExit(UNREAD)


# Lines for a file or another program can have any length, so they are not folded.
out = _Screen(width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else 10_000)
err = _Screen(stderr=True, soft_wrap=True)


def complete_campaign_ids(context: typer.Context) -> list[tuple[str, str]]:
    """Return campaign ids with names, for shell completion, or an empty list if the database does not answer at
    once.
    """
    try:
        with open_ledger(context.params.get("data")) as (_, views), views.open_reader() as reader:
            query = "SELECT campaign, name, opened_at FROM {views}.campaigns ORDER BY opened_at DESC LIMIT 100"
            rows = sorted(reader.ask(None, query, {}), key=lambda row: row[2], reverse=True)[:100]
    except Exception:  # noqa: BLE001  (pressing TAB must never print an error)
        return []
    return [(id, make_printable(name)) for id, name, _ in rows]


Campaign = Annotated[
    str,
    typer.Argument(
        metavar="CAMPAIGN",
        help="The campaign's id. `campaign-ledger campaigns` lists the ids.",
        autocompletion=complete_campaign_ids,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document, for programs.")]
Seat = Annotated[
    str | None,
    typer.Option(
        "--seat", metavar="SEAT", help="Show what this seat, for example s2, sees. Default: what a game master sees."
    ),
]
Limit = Annotated[int, typer.Option(min=1, max=100_000, help="The maximum number to show.")]
Order = Annotated[Literal["asc", "desc"], typer.Option("--order", help="The order: oldest or newest first.")]


def _check_words(text: str) -> str:
    if not any(character.isalnum() for character in text):
        raise typer.BadParameter("enter at least one word")
    return text


Search = Annotated[
    str | None,
    typer.Option(
        "--search",
        parser=_check_words,
        metavar="WORDS",
        help='Words to search for. All must match. Use "a phrase" and -not.',
    ),
]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="FOLDER",
        help="The data folder of `campaign-ledger up`. With LEDGER_DATABASE_URL, only the key in it is used.",
    ),
]


def find_database(data: Path | None) -> Database:
    """Return the database of LEDGER_DATABASE_URL, else the one of `campaign-ledger up`. Raise a Fault if there is
    neither.
    """
    from api.embedded import EmbeddedPostgres, find_data_folder
    from api.service.database import find_logins
    from api.service.environment import Settings, read_settings

    folder = (data or find_data_folder()).resolve()
    embedded_url: str | None = None
    env = read_settings(Settings)
    if not (env.database_url or env.owner_url):
        embedded_url = EmbeddedPostgres(folder).find_url_if_running()
        if embedded_url is None:
            raise Fault(
                f"No ledger is using {folder}. Start one with `campaign-ledger up`, or set LEDGER_DATABASE_URL.",
                code="no-database",
            )
    return find_logins(env, lambda: find_key(data), embedded_url)


def find_key(data: Path | None) -> bytes:
    """Return LEDGER_SERVER_KEY, else the key in the folder of `campaign-ledger up`. Raise a Fault if there is
    neither.
    """
    from api.embedded import find_data_folder
    from api.service.database import find_or_make_server_key
    from api.service.environment import Settings, read_settings

    folder = (data or find_data_folder()).resolve()
    return find_or_make_server_key(read_settings(Settings), folder if (folder / "server-key").exists() else None)


def check_connection(url: str) -> None:
    """Raise psycopg.Error if the database can't be reached. (A pool of connections would time out without a reason.)"""
    import psycopg

    psycopg.connect(url, connect_timeout=10).close()


@contextmanager
def open_ledger(data: Path | None) -> Iterator[tuple[Ledger, Everywhere]]:
    """Yield the ledger of the database and its views, for reading only."""
    from ledger.application import Ledger, make_environment
    from projections.views.everywhere import Everywhere

    database = find_database(data)
    check_connection(database.service_url)
    with Ledger(
        make_environment(database.service_url, schema=database.schema, pool_size=1), b"for looking only"
    ) as ledger:
        ledger.check()
        yield ledger, Everywhere(ledger.shelves)


@dataclass(frozen=True, slots=True)
class CampaignReading:
    """One campaign as a seat or the operator sees it, with record and views."""

    ledger: Ledger
    lens: LiveLens
    reader: Reader

    @property
    def campaign(self) -> str:
        return self.lens.book.id

    @property
    def position(self) -> int:
        return self.lens.book.campaign.position

    def make_view_lens(self) -> ViewLens:
        """Return the lens at the position of the views, which may be behind the record."""
        from projections.redaction import LiveLens

        position = self.reader.position
        if position in (0, self.position):
            return self.lens.make_view_lens()
        book, viewer = self.ledger.load_book_as_of(self.campaign, position, self.reader.transaction), self.lens.viewer
        return LiveLens(book, book.load_viewer(viewer.seat) or viewer).make_view_lens()


@contextmanager
def open_campaign_reading(
    campaign: str, seat: str | None, data: Path | None, *, allow_unusable_rules: bool = False
) -> Iterator[CampaignReading]:
    """Yield the campaign as a seat or the operator sees it. Raise NotFound if there is no such campaign or seat.

    `allow_unusable_rules`: open the campaign even if its game is missing or raises an error.
    """
    from ledger.application import Book, open_book
    from ledger.events.read_transaction import ReadTransaction
    from ledger.rules.kernel.subjects import Viewer
    from projections.redaction import LiveLens
    from projections.views.pages import Reader

    with (
        open_ledger(data) as (ledger, _),
        ReadTransaction(ledger.shelves.get_shelf_of(campaign), is_long=True) as transaction,
    ):
        book = (open_book if allow_unusable_rules else Book)(ledger.store.bind_to(transaction), ledger.codec, campaign)
        book.is_guarded = not allow_unusable_rules
        book.catch_up()
        if not book.campaign.position:
            raise NotFound(
                f"There is no campaign {campaign!r}. `campaign-ledger campaigns` lists them.", code="campaign-not-found"
            )
        viewer = Viewer("", "gm") if seat is None else book.load_viewer(seat)
        if viewer is None:
            raise NotFound(f"There is no seat {seat!r} in this campaign.", code="seat-not-found")
        yield CampaignReading(ledger, LiveLens(book, viewer), Reader(transaction, campaign))


@contextmanager
def open_campaign_views(campaign: str, seat: str | None, data: Path | None) -> Iterator[CampaignReading]:
    """Yield the campaign after its views include the whole record, or after some seconds (`say_views_are_behind`)."""
    deadline = time.monotonic() + MOST_LAG
    while True:
        with open_campaign_reading(campaign, seat, data) as reading:
            if reading.reader.position >= reading.position or time.monotonic() >= deadline:
                yield reading
                return
        time.sleep(0.1)


# --- printing ---


def print_envelope(
    command: str, data: object, campaign: str | None = None, position: int | None = None, next_cursor: str | None = None
) -> None:
    """Print JSON for a program: the command, its data and, for a single campaign, the campaign's id and position.

    `next_cursor`: the value of `--after` that continues a list cut by `--limit`. It is printed as `next`.
    """
    from projections.redaction import to_text

    campaign_fields = {"campaign": campaign, "position": position} if campaign is not None else {}
    cursor_fields = {"next": next_cursor} if next_cursor is not None else {}
    try:
        print(to_text({"command": command, **campaign_fields, "data": data, **cursor_fields}), flush=True)
    except BrokenPipeError:
        _end_quietly()


def say_list_is_cut(next_cursor: str | None, limit: int) -> None:
    """Say that the list has more items, and how to list them. Do nothing if `next_cursor` is None."""
    if next_cursor is not None:
        err.print(
            f"The list has more than these {limit} items. Continue with --after {next_cursor}, or raise --limit.",
            markup=False,
        )


def say_views_are_behind(reading: CampaignReading, position: int) -> None:
    """If the views are behind the record, say which position they have reached."""
    if position < reading.position:
        extent = f"up to {position} of {reading.position}" if position else "nothing of this campaign"
        err.print(f"The views have {extent} yet. Check that a service or projector is running.", markup=False)


def say(line: str, style: str | None = None) -> None:
    """Print one line for people, without any markup or control characters."""
    out.print(Text(make_printable(line)), style=style, soft_wrap=True)


def make_printable(text: str) -> str:
    """Return the text without control characters, because text from a campaign must not control the terminal."""
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", "\N{REPLACEMENT CHARACTER}", text)


def make_readable(value: object) -> str:
    """Return a value of a stored document as a line of prose."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case dict():
            return ", ".join(f"{name} {_write_part(item)}" for name, item in value.items()) or "none"
        case list() | tuple():
            return ", ".join(map(_write_part, value)) or "none"
    return str(value) or "none"


def _write_part(value: object) -> str:
    is_nested = isinstance(value, dict | list | tuple) and len(value) != 1
    return f"({make_readable(value)})" if is_nested and value else make_readable(value)


def pick_columns(*names: str) -> dict[str, Callable[[Json], object]]:
    """Return columns for these fields, with their names as headings."""
    return {name: itemgetter(name) for name in names}


def print_table(
    rows: Sequence[Json], columns: Mapping[str, Callable[[Json], object]], empty_message: str = "Nothing."
) -> None:
    """Print rows for people as a table, or as a list if the table would be too wide.

    `columns`: for each heading, the function that returns a row's cell.
    """
    if not rows:
        err.print(empty_message, markup=False)
        return
    lines = [
        ["" if (cell := column(row)) is None else make_printable(str(cell)) for column in columns.values()]
        for row in rows
    ]
    styles = ["strike dim" if row.get("struck") else None for row in rows]
    widths = [max(map(cell_len, cells)) for cells in zip(columns, *lines, strict=True)]
    *narrow_widths, second_width, widest_width = sorted(widths)
    least_width = sum(narrow_widths) + min(second_width, FOLDED) + min(widest_width, FOLDED) + GAP * (len(widths) - 1)
    if least_width > out.width:
        _print_list(lines, styles, list(columns))
    else:
        _print_rows(
            lines,
            styles,
            {heading: width in {second_width, widest_width} for heading, width in zip(columns, widths, strict=True)},
        )


def _print_list(lines: Sequence[Sequence[str]], styles: Sequence[str | None], headings: Sequence[str]) -> None:
    for line, style in zip(lines, styles, strict=True):
        for heading, cell in zip(headings, line, strict=True):
            if cell:
                out.print(Text.assemble((f"{heading} " if heading else "", "bold"), cell), style=style)
        out.print()


def _print_rows(
    lines: Sequence[Sequence[str]], styles: Sequence[str | None], may_fold_by_heading: dict[str, bool]
) -> None:
    """Print a table. `may_fold_by_heading`: for each heading, whether its column may be folded."""
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading, may_fold in may_fold_by_heading.items():
        table.add_column(heading, overflow="fold", no_wrap=not may_fold)
    for line, style in zip(lines, styles, strict=True):
        table.add_row(*map(Text, line), style=style)
    out.print(table)


@contextmanager
def show_progress(title: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on a terminal. Yield a function that takes the completed and the total count."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(title, total=None)
        yield lambda completed_count, total_count: bar.update(task, completed=completed_count, total=total_count)
