"""The commands `backup` and `restore`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.cli.verifying import KEEP
from api.run.failures import explain_failures
from api.run.terminal import AsJson, err, print_envelope

app = typer.Typer()
File = Annotated[Path, typer.Argument(metavar="FILE", help="The backup file. It contains everybody's secrets.")]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data", metavar="FOLDER", help="The folder of the ledger's own database. Not needed with LEDGER_DATABASE_URL."
    ),
]


@app.command(rich_help_panel=KEEP)
def backup(file: File, data: Data = None, as_json: AsJson = False) -> None:
    """Back up the whole record to FILE. The service can keep running.

    Example: campaign-ledger backup campaigns.backup
    """
    from api.run.backup import back_up

    with explain_failures():
        size = back_up(file, data)
    if as_json:
        print_envelope("backup", {"file": str(file), "bytes": size})
    err.print(
        f"The record is in {file} ({size:,} bytes). It contains everybody's secrets. It does not contain the"
        " server's key, which is used to make tokens. Keep a copy of the key somewhere else.",
        markup=False,
        soft_wrap=True,
    )


@app.command(rich_help_panel=KEEP)
def restore(file: File, data: Data = None, as_json: AsJson = False) -> None:
    """Restore the record from FILE into an empty database, with its roles, permissions, triggers and numbering.

    Example: campaign-ledger restore campaigns.backup --data ANOTHER_FOLDER
    """
    from api.run.backup import restore_backup

    with explain_failures():
        event_count = restore_backup(file, data)
    if as_json:
        print_envelope("restore", {"file": str(file), "events": event_count})
    err.print(
        f"The record was restored from {file}: {event_count:,} events. The views will be rebuilt.",
        markup=False,
        soft_wrap=True,
    )
