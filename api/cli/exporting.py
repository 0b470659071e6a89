"""Commands that export, seal and import a campaign."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.verifying import KEEP, File, describe_origin, list_unchecked_parts, read_export
from api.run.failures import explain_failures
from api.run.terminal import (
    AsJson,
    Campaign,
    Data,
    Seat,
    check_connection,
    err,
    find_database,
    find_key,
    open_campaign_reading,
    open_campaign_views,
    print_envelope,
    say_views_are_behind,
    show_progress,
)
from ledger.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.application import Ledger

app = typer.Typer()


@app.command("export", rich_help_panel=KEEP)
def export_campaign(
    campaign: Campaign,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write. It must not exist yet.")
    ] = None,
    seat: Seat = None,
    data: Data = None,
) -> None:
    """Export a whole campaign as sealed JSON Lines, to a file or to stdout.

    Without --seat, the export contains everything, including what no seat can see. With --seat, it contains what that
    seat can see, and only hashes of the rest.

    Example: campaign-ledger export k3v7q2mzt5a4c -o winter.jsonl
    """
    from ledger.events.bookmarks import BookmarkStore
    from projections.documents import exports

    with explain_failures(), open_campaign_reading(campaign, seat, data) as reading, open_with_key(data) as ledger:
        book = reading.lens.book
        bookmarks = BookmarkStore(reading.reader.transaction).list_of_seat(campaign, seat) if seat is not None else []
        lines = (
            exports.export_everything(book, ledger.sealer)
            if seat is None
            else exports.export_for_viewer(reading.lens, ledger.sealer, bookmarks)
        )
        if output is None:
            sys.stdout.buffer.writelines(lines)
            sys.stdout.buffer.flush()
            return
        partial_file = output.with_name(f"{output.name}.part")
        if output.exists():
            err.print(f"{output} already exists.", markup=False)
            raise SystemExit(2)
        partial_file.unlink(missing_ok=True)
        # the file contains everybody's secrets, so only its owner may read it
        with os.fdopen(os.open(partial_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.writelines(lines)
        partial_file.rename(output)
    err.print(f"The export of {campaign} is in {output}, up to save {book.campaign.position}.", markup=False)
    if seat is not None and not (export := read_export(output)).is_complete:
        err.print(f"This file can't prove everything: {' '.join(list_unchecked_parts(export, None, ''))}", markup=False)


@app.command("seal", rich_help_panel=KEEP)
def print_seal(campaign: Campaign, data: Data = None, as_json: AsJson = False) -> None:
    """Print the seal of the record: a short signed summary. Keep it, so that you can check a later export with `verify
    --against`.

    Example: campaign-ledger seal k3v7q2mzt5a4c > winter.seal
    """
    from projections.documents import seals

    with explain_failures(), open_campaign_views(campaign, None, data) as reading, open_with_key(data) as ledger:
        page = seals.describe_seal(reading.reader, ledger.sealer)
        say_views_are_behind(reading, page.position)
        if not page.position:
            raise NotFound("The views don't have this campaign yet.", code="views-behind")
    if as_json:
        print_envelope("seal", page.document, campaign, page.position)
    else:
        err.print(f"{page.document['count']} events are sealed, up to save {page.position}.", markup=False)
        print(page.document["checkpoint"], end="")


@app.command("import", rich_help_panel=KEEP)
def import_campaign(
    file: File,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only check whether the file can be imported.")] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Import a campaign from a complete export, and print its game master's new token.

    The file is verified first, as by `verify`. If the command is interrupted, run it again to continue. After the
    import, the same command prints the token again. The exit code is 1 if the file is not valid.

    Example: campaign-ledger import winter.jsonl --dry-run
    """
    import json

    from ledger.application import Call
    from ledger.application.commands.importing import check_export
    from ledger.application.reading.exports import BadExport
    from projections.documents.campaigns import present_imported_campaign

    with explain_failures(), open_with_key(data) as ledger:
        try:
            export = read_export(file)
            with show_progress("Checking rulings") as report_progress:
                book, audit = check_export(export, ledger.codec, report_progress)
        except BadExport as problem:
            err.print(problem.detail, markup=False)
            raise SystemExit(1) from None
        id = export.header.campaign
        try:
            proved_flags = ledger.prove_origins(export)
        except BadExport as problem:
            err.print(problem.detail, markup=False)
            raise SystemExit(1) from None
        document: dict[str, object] = {"campaign": id, "rulings": audit.ruling_count}
        document["origins"] = [
            {**describe_origin(origin), "proved": is_proved}
            for origin, is_proved in zip(export.origins, proved_flags, strict=True)
        ]
        for origin, is_proved in zip(export.origins, proved_flags, strict=True):
            proof_text = (
                "The record of that campaign in this ledger proves this"
                if is_proved
                else "This ledger doesn't have the record of that campaign, so only a saved seal can prove this"
            )
            err.print(
                f"The campaign continues {origin.campaign_name} ({origin.campaign}) from ruling {origin.at}."
                f" {proof_text}.",
                markup=False,
            )
        if dry_run:
            ledger.must_be_importable(export)
        else:
            call = Call(id, "", "import", export.trailer.digest, export.trailer.digest)
            seat = json.loads(ledger.import_campaign(call, export, book, present_imported_campaign).body)["seat"]
            document["seat"] = seat
        if as_json:
            print_envelope("import", document, id, export.header.position)
        elif dry_run:
            err.print(f"{export.header.name} ({id}) can be imported: {audit.ruling_count} rulings.", markup=False)
        else:
            err.print(f"{export.header.name} ({id}) was imported. The game master's token:", markup=False)
            print(seat["token"])


@contextmanager
def open_with_key(data: Path | None) -> Iterator[Ledger]:
    """Yield the ledger of the database, with the key that makes its signatures and tokens."""
    from ledger.application import Ledger, make_environment

    database = find_database(data)
    check_connection(database.service_url)
    with Ledger(make_environment(database.service_url, schema=database.schema, pool_size=2), find_key(data)) as ledger:
        ledger.check()
        yield ledger
