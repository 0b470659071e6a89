"""What the commands that look at a campaign share: which database, whose eyes, and how it is printed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from api.embedded import EmbeddedPostgres, default_data_folder
from api.settings import Database, logins, server_key
from ledger.application import Book, Ledger, environment
from ledger.errors import Fault, NotFound
from ledger.rules.contract import Viewer
from projections.exit import Json, Sight, text
from projections.views.pages import Reader

out, err = Console(), Console(stderr=True)

Campaign = Annotated[str, typer.Argument(help="The campaign's id, as `campaign-ledger campaigns` lists it.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on stdout, for programs.")]
Seat = Annotated[str | None, typer.Option("--seat", help="As this seat sees it (s2); else as a game master does.")]
Data = Annotated[Path | None, typer.Option("--data", help="Folder of the database that `scripts/up` started.")]


def database(data: Path | None) -> Database:
    """LEDGER_DATABASE_URL, else the server that `scripts/up` runs. Fault when there is neither."""
    folder = (data or default_data_folder()).resolve()
    own: str | None = None
    if not (os.environ.get("LEDGER_DATABASE_URL") or os.environ.get("LEDGER_OWNER_URL")):
        own = EmbeddedPostgres(folder).url_if_running()
        if own is None:
            raise Fault(
                f"No database: nothing runs on {folder} (start scripts/up), and LEDGER_DATABASE_URL names none.",
                code="no-database",
            )
    return logins(os.environ, lambda: server_key(os.environ, folder if own is not None else None), own)


@contextmanager
def opened(data: Path | None) -> Iterator[tuple[Ledger, Reader]]:
    """The ledger of the database, for looking only."""
    where = database(data)
    with Ledger(environment(where.service_url, schema=where.schema, pool_size=1), b"for looking only") as ledger:
        ledger.check()
        yield ledger, Reader(ledger.store.datastore)


@dataclass(frozen=True, slots=True)
class Looking:
    """One campaign, as somebody sees it."""

    sight: Sight
    reader: Reader

    @property
    def campaign(self) -> str:
        return self.sight.book.id

    @property
    def position(self) -> int:
        return self.sight.book.campaign.position


@contextmanager
def looking(campaign: str, seat: str | None, data: Path | None) -> Iterator[Looking]:
    """The campaign, for a seat or for the operator. NotFound when there is none, or no such seat in it."""
    with opened(data) as (ledger, reader):
        book = Book(ledger.store, ledger.codec, campaign)
        book.forward()
        if not book.campaign.position:
            raise NotFound(f"There is no campaign {campaign!r}.", code="campaign-not-found")
        viewer = Viewer("", "gm") if seat is None else book.viewer(seat)
        if viewer is None:
            raise NotFound(f"Nobody sits at {seat!r} in this campaign.", code="seat-not-found")
        yield Looking(Sight(book, viewer), reader)


def envelope(command: str, data: Any, campaign: str | None = None, position: int | None = None) -> None:
    """What a program reads: the command, the campaign and the position it reflects, and the data."""
    print(text({"command": command, "campaign": campaign, "position": position, "data": data}))


def picked(*names: str) -> dict[str, Callable[[Json], Any]]:
    """Columns that show these fields under their names."""
    return {name: itemgetter(name) for name in names}


def table(rows: Sequence[Json], columns: dict[str, Callable[[Json], Any]], empty: str = "Nothing.") -> None:
    """Rows for people; `columns`: heading -> what stands there."""
    if not rows:
        err.print(empty)
        return
    shown = Table(*columns, box=None, header_style="bold", pad_edge=False)
    for row in rows:
        style = "strike dim" if row.get("struck") else None
        cells = (column(row) for column in columns.values())
        shown.add_row(*("" if cell is None else str(cell) for cell in cells), style=style)
    out.print(shown)


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal; nothing elsewhere. Is told how much of how much is done."""
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
