"""`campaign-ledger`: the command line. Messages go to stderr.

Exit codes: 0 success, 1 a check found something, 2 wrong usage, 3 the command could not run.

The help text needs neither the service nor the ledger: a command imports them when it runs.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import typer

from api.cli import (
    audit,
    backups,
    deciding,
    declaring,
    doctoring,
    dossiers,
    exporting,
    forks,
    going_on,
    hooks,
    invites,
    look,
    replays,
    rulings,
    shelves,
    standing,
    tokens,
    verifying,
    what_if,
)
from api.cli.playing import command as playing
from api.run import commands as running
from api.run.terminal import FIRST
from api.run.up import up

ABOUT = """Campaign Ledger records every roll and every ruling of a role-playing campaign.

To begin, start the service with demonstration campaigns, and leave it running:

    campaign-ledger up

Then try these in another terminal. The first command lists the campaigns' ids, which the others need:

    campaign-ledger campaigns

    campaign-ledger timeline k3v7q2mzt5a4c

    campaign-ledger ruling k3v7q2mzt5a4c 12

    campaign-ledger audit k3v7q2mzt5a4c

Exit codes: 0 success; 1 a check found something; 2 wrong usage; 3 the command could not run (stderr says why).
"""
app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, help=ABOUT)


def _show_version(is_asked_for: bool) -> None:
    if is_asked_for:
        print(f"campaign-ledger {version('campaign-ledger')}")
        raise typer.Exit


@app.callback()
def _take_options(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Show the version and exit.")
    ] = False,
) -> None:
    """Take the options that come before any command."""


app.command("up", rich_help_panel=FIRST)(up)
for command_module in (
    look,
    standing,
    rulings,
    replays,
    what_if,
    going_on,
    declaring,
    deciding,
    audit,
    exporting,
    verifying,
    dossiers,
    backups,
    forks,
    hooks,
    tokens,
    invites,
    shelves,
    doctoring,
    running,
    playing,
):
    app.add_typer(command_module.app)


def main() -> None:
    app()


if __name__ == "__main__":
    main()
