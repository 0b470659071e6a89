"""Commands for a campaign as a file: write it, verify it anywhere, take it in."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.failures import saying_why
from api.cli.terminal import (
    AsJson,
    Campaign,
    Data,
    Seat,
    database,
    envelope,
    err,
    key_of,
    looking,
    out,
    progress,
    reach,
    say_behind,
)
from ledger.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.application import Audit, Ledger
    from ledger.application.reading.exports import Export, Forked

app = typer.Typer()
KEEP = "Keep the record"
File = Annotated[Path, typer.Argument(help="The export, as `campaign-ledger export` wrote it.", show_default=False)]


@app.command("export", rich_help_panel=KEEP)
def export_command(
    campaign: Campaign,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write; it must not be there yet.")
    ] = None,
    seat: Seat = None,
    data: Data = None,
) -> None:
    """Write the whole campaign as JSON Lines, sealed: to a file, or to stdout.

    With --seat only what that seat may see, and of the rest the hashes; else everything, also what no seat may see.

    Example: campaign-ledger export k3v7q2mzt5a4c -o winter.jsonl
    """
    from ledger.application.commands.bookmarking import own_bookmarks
    from projections.documents import exports

    with saying_why(), looking(campaign, seat, data) as look, keyed(data) as ledger:
        book = look.lens.book
        own = own_bookmarks(ledger).of(campaign, seat) if seat is not None else []
        lines = exports.complete(book, ledger.sealer) if seat is None else exports.seen(look.lens, ledger.sealer, own)
        if output is None:
            sys.stdout.buffer.writelines(lines)
            sys.stdout.buffer.flush()
            return
        part = output.with_name(f"{output.name}.part")
        if output.exists():
            err.print(f"{output} is there already.", markup=False)
            raise SystemExit(2)
        part.unlink(missing_ok=True)
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:  # everybody's secrets
            file.writelines(lines)
        part.rename(output)
        err.print(f"{campaign} is in {output}, up to its save {book.campaign.position}.", markup=False)


@app.command(rich_help_panel=KEEP)
def seal(campaign: Campaign, data: Data = None, as_json: AsJson = False) -> None:
    """The seal of the record as it is now, as a signed note: keep it, and `verify --against` it any later day.

    Example: campaign-ledger seal k3v7q2mzt5a4c > winter.seal
    """
    from projections.documents import seals
    from projections.views.pages import Reader

    with saying_why(), looking(campaign, None, data) as look, keyed(data) as ledger:
        page = seals.seal(Reader(ledger.store.datastore), campaign, ledger.sealer)
        say_behind(look, page.position)
        if page.position is None:
            raise NotFound("The views know nothing of this campaign yet.", code="views-behind")
    if as_json:
        envelope("seal", page.document, campaign, page.position)
    else:
        err.print(f"{page.document['count']} events are sealed, up to save {page.position}.", markup=False)
        print(page.document["checkpoint"], end="")


@app.command(rich_help_panel=KEEP)
def verify(
    file: File,
    against: Annotated[
        Path | None, typer.Option(help="An earlier seal (as /seal answered it, or its checkpoint) it must begin with.")
    ] = None,
    key: Annotated[
        str | None, typer.Option(metavar="HEX", help="The public key the export must be signed with (/seal/key).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check an export, without a database: every byte, order, seal; of a complete one every ruling and all dice.

    Exit 1 where something was altered, left out, added or moved: the first such event is named.

    Example: campaign-ledger verify winter.jsonl --against seal.json
    """
    from ledger.application.reading.exports import BadExport

    with saying_why():
        try:
            export, audit = _verified(file, against, key)
        except BadExport as problem:
            if as_json:
                envelope(
                    "verify", {"sound": False, "line": problem.line, "detail": problem.detail, "code": problem.code}
                )
            else:
                err.print(problem.detail, markup=False)
            raise SystemExit(1) from None
        differences = [one.detail for one in audit.differences] if audit is not None else []
        withheld = len(export.leaves) - len(export.rows)
        found = {
            "sound": not differences, "campaign": export.header.campaign, "position": export.header.position,
            "count": export.trailer.count, "root": export.trailer.root, "public_key": export.trailer.public_key,
            "origins": [_origin(one) for one in export.origins], "withheld": withheld,
            "rulings": audit.rulings if audit is not None else None, "differences": differences,
        }  # fmt: skip
        if as_json:
            envelope("verify", found)
        else:
            _say(export, audit, differences)
        raise SystemExit(1 if differences else 0)


def _verified(file: Path, against: Path | None, key: str | None) -> tuple[Export, Audit | None]:
    """What was read and, where it is complete, its audit. BadExport."""
    from ledger.application.commands.importing import told_again
    from ledger.application.reading.exports import BadExport
    from ledger.events import codec

    export = _read(file)
    if key is not None and key.lower() != export.trailer.public_key:
        raise BadExport("It is signed with another key than the one given.", code="other-key")
    if against is not None:
        export.held_against(*_seal(against, key or export.trailer.public_key))
    if not export.complete:
        return export, None
    with progress("Told again") as tell:
        return export, told_again(export, codec.everything(), tell)[1]


def _read(file: Path) -> Export:
    from ledger.application.reading.exports import read
    from ledger.errors import Fault

    try:
        with file.open("rb") as opened:
            return read(opened)
    except OSError as problem:
        raise Fault(f"{file} cannot be read: {problem.strerror}.", code="no-file") from None


def _seal(file: Path, key: str) -> tuple[str, bytes]:
    """The checkpoint in the file, and the key it is signed with: its own where it says one."""
    import json

    from ledger.application.reading.exports import BadExport
    from ledger.errors import Fault

    try:
        said = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise Fault(f"{file} cannot be read.", code="no-file") from None
    try:
        if said.lstrip().startswith("{"):
            seal = json.loads(said)
            said, key = seal["checkpoint"], seal["public_key"]
        return said, bytes.fromhex(key)
    except (ValueError, KeyError, TypeError):
        raise BadExport(f"{file} holds no seal.", code="bad-seal") from None


def _origin(one: Forked) -> dict[str, object]:
    """What an export says of a campaign that it goes on from."""
    return {
        "campaign": one.campaign, "name": one.campaign_name, "at": one.at, "position": one.position,
        "count": one.events, "root": one.root,
    }  # fmt: skip


def _say(export: Export, audit: Audit | None, differences: list[str]) -> None:
    header, trailer = export.header, export.trailer
    out.print(f"{header.name} ({header.campaign}), {header.system}, up to save {header.position}.", markup=False)
    out.print(f"{trailer.count} events, as sealed: {trailer.root}", markup=False)
    out.print(f"Signed with the key {trailer.public_key}.", markup=False)
    for origin in export.origins:
        about = f"It goes on from ruling {origin.at} of {origin.campaign_name} ({origin.campaign})"
        out.print(f"{about}: its first {origin.events} events have the root {origin.root}.", markup=False)
        out.print(f"That these are the origin's, a seal kept of {origin.campaign} shows (--against).", markup=False)
    if audit is None:
        withheld = len(export.leaves) - len(export.rows)
        out.print(f"What the seat {header.seat} may see: {withheld} events are withheld.", markup=False)
    else:
        out.print(
            f"{audit.rulings} rulings told again, {audit.readjudicated} tellings of them by today's rules.",
            markup=False,
        )
    for one in differences:
        err.print(one, markup=False)


@app.command("verify-dossier", rich_help_panel=KEEP)
def verify_dossier(
    file: Annotated[Path, typer.Argument(help="The dossier, as JSON.", show_default=False)],
    key: Annotated[
        str | None, typer.Option(metavar="HEX", help="The public key it must be signed with (/seal/key).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a ruling's dossier, without a database: its signature, its rows under the seal, its dice.

    Exit 1 where anything in it was altered.

    Example: campaign-ledger verify-dossier ruling-12.json
    """
    from ledger.application.checks.dossier import BadDossier
    from ledger.application.checks.dossier import verify_dossier as verified
    from ledger.errors import Fault

    with saying_why():
        try:
            found = verified(file.read_bytes(), key)
        except OSError as problem:
            raise Fault(f"{file} cannot be read: {problem.strerror}.", code="no-file") from None
        except BadDossier as problem:
            if as_json:
                envelope("verify-dossier", {"sound": False, "detail": problem.detail, "code": problem.code})
            else:
                err.print(problem.detail, markup=False)
            raise SystemExit(1) from None
        of, rows = found.dossier, len(found.dossier.entries)
        if as_json:
            told = {
                "sound": True, "campaign": of.campaign, "number": of.number, "rows": rows, "withheld": found.withheld,
                "recomputed": found.recomputed, "root": of.seal.root, "public_key": of.seal.public_key,
            }  # fmt: skip
            envelope("verify-dossier", told)
            return
        out.print(f"Ruling {of.number} of {of.name} ({of.campaign}): {of.ruling['text']}", markup=False)
        out.print(f"{rows} rows under the seal of {of.seal.count} events: {of.seal.root}", markup=False)
        out.print(f"{found.withheld} of them withheld; {found.recomputed} rolls recomputed.", markup=False)
        out.print(f"Signed with the key {of.seal.public_key}.", markup=False)


@app.command("import", rich_help_panel=KEEP)
def import_command(
    file: File,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say whether it could be imported.")] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Take a campaign in from a complete export; prints the game master's new token.

    It is verified as `verify` does first. Interrupted, the same command goes on where it was;
    done, it prints the same token again. Exit 1 where it is not in order.

    Example: campaign-ledger import winter.jsonl --dry-run
    """
    import json

    from ledger.application import Call
    from ledger.application.commands.importing import admitted
    from ledger.application.reading.exports import BadExport
    from projections.documents.campaigns import brought

    with saying_why(), keyed(data) as ledger:
        try:
            export = _read(file)
            with progress("Told again") as tell:
                told, result = admitted(export, ledger.codec, tell)
        except BadExport as problem:
            err.print(problem.detail, markup=False)
            raise SystemExit(1) from None
        id = export.header.campaign
        try:
            proved = ledger.proved_here(export)
        except BadExport as problem:
            err.print(problem.detail, markup=False)
            raise SystemExit(1) from None
        found: dict[str, object] = {"campaign": id, "rulings": result.rulings}
        found["origins"] = [
            {**_origin(one), "proved": here} for one, here in zip(export.origins, proved, strict=True)
        ]  # fmt: skip
        for one, here in zip(export.origins, proved, strict=True):
            said = "as its record here shows" if here else "whose record is not here: only a seal kept of it shows that"
            err.print(f"It goes on from ruling {one.at} of {one.campaign_name} ({one.campaign}), {said}.", markup=False)
        if dry_run:
            ledger.must_be_new(export)
        else:
            call = Call(id, "", "import", export.trailer.digest, export.trailer.digest)
            seat = json.loads(ledger.bring(call, export, told, brought).body)["seat"]
            found["seat"] = seat
        if as_json:
            envelope("import", found, id, export.header.position)
        elif dry_run:
            err.print(f"{export.header.name} ({id}) could be imported: {result.rulings} rulings.", markup=False)
        else:
            err.print(f"{export.header.name} ({id}) is here. The game master's token:", markup=False)
            print(seat["token"])


@contextmanager
def keyed(data: Path | None) -> Iterator[Ledger]:
    """The ledger of the database, with the service's own key: for what is signed, and for tokens."""
    from ledger.application import Ledger, environment

    where = database(data)
    reach(where.service_url)
    with Ledger(environment(where.service_url, schema=where.schema, pool_size=2), key_of(data)) as ledger:
        ledger.check()
        yield ledger
