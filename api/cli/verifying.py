"""Commands that check an export or a dossier without a database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.run.failures import explain_failures
from api.run.terminal import AsJson, err, out, print_envelope, show_progress

if TYPE_CHECKING:
    from ledger.application import Audit
    from ledger.application.reading.export_reader import Export, Forked

app = typer.Typer()
KEEP = "Keep the record"
SIGNER = "The signer, because the file contains its own key. Give the service's key with --key (GET /seal/key)."
File = Annotated[Path, typer.Argument(help="The export, as `campaign-ledger export` wrote it.", show_default=False)]


@app.command(rich_help_panel=KEEP)
def verify(
    file: File,
    against: Annotated[
        Path | None, typer.Option(help="A file with an earlier seal, which the export must match.")
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="The public key that the export must be signed with (from /seal/key)."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Verify an export without a database: its bytes, their order and the seal. In a complete export, the
    command also checks every ruling and all dice.

    The exit code is 1 if the export fails any check. The output lists the problems.

    Example: campaign-ledger verify winter.jsonl --against seal.json
    """
    from ledger.application.reading.exports import BadExport

    with explain_failures():
        try:
            export, audit = _verify_export(file, against, key)
        except BadExport as problem:
            if as_json:
                print_envelope(
                    "verify", {"sound": False, "line": problem.line, "detail": problem.detail, "code": problem.code}
                )
            else:
                err.print(problem.detail, markup=False)
            raise SystemExit(1) from None
        differences = [difference.detail for difference in audit.differences] if audit is not None else []
        withheld_count = len(export.leaves) - len(export.rows)
        document = {
            "sound": not differences,
            "campaign": export.header.campaign,
            "position": export.header.position,
            "count": export.trailer.count,
            "root": export.trailer.root,
            "public_key": export.trailer.public_key,
            "origins": [describe_origin(origin) for origin in export.origins],
            "withheld": withheld_count,
            "rulings": audit.ruling_count if audit is not None else None,
            "judged": [asdict(edition) for edition in audit.judged] if audit is not None else None,
            "set_aside": [exclusion.ruling for exclusion in audit.set_aside] if audit is not None else None,
            "differences": differences,
            "not_checked": (unchecked_parts := list_unchecked_parts(export, audit, key)),
        }
        if as_json:
            print_envelope("verify", document)
        else:
            _print_report(export, audit, differences, unchecked_parts)
        raise SystemExit(1 if differences else 0)


def _verify_export(file: Path, against: Path | None, key: str | None) -> tuple[Export, Audit | None]:
    """Return the export and, if it is complete, its audit. Raise BadExport if the export is not valid."""
    from ledger.application.commands.importing import replay_export
    from ledger.application.reading.exports import BadExport
    from ledger.events import codec

    export = read_export(file)
    if key is not None and key.lower() != export.trailer.public_key:
        raise BadExport("The file was signed with a different key than the one you gave.", code="other-key")
    if against is not None:
        export.check_against_seal(*_read_seal(against, key or export.trailer.public_key))
    if not export.is_complete:
        return export, None
    with show_progress("Checking rulings") as report_progress:
        return export, replay_export(export, codec.load_codec(), report_progress)[1]


def read_export(file: Path) -> Export:
    from ledger.application.reading.export_reader import read_export
    from ledger.errors import Fault

    try:
        with file.open("rb") as stream:
            return read_export(stream)
    except OSError as problem:
        raise Fault(f"{file} can't be read: {problem.strerror}.", code="no-file") from None


def _read_seal(file: Path, key: str) -> tuple[str, bytes]:
    """Return the checkpoint in the file, and the key to check it with. A key in the file overrides `key`."""
    import json

    from ledger.application.reading.exports import BadExport
    from ledger.errors import Fault

    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise Fault(f"{file} can't be read.", code="no-file") from None
    try:
        if text.lstrip().startswith("{"):
            seal = json.loads(text)
            text, key = seal["checkpoint"], seal["public_key"]
        return text, bytes.fromhex(key)
    except (ValueError, KeyError, TypeError):
        raise BadExport(f"{file} doesn't contain a seal.", code="bad-seal") from None


def describe_origin(origin: Forked) -> dict[str, object]:
    """Return an export's data about the origin of a fork."""
    return {
        "campaign": origin.campaign,
        "name": origin.campaign_name,
        "at": origin.at,
        "position": origin.position,
        "count": origin.events,
        "root": origin.root,
    }


def list_unchecked_parts(export: Export, audit: Audit | None, key: str | None) -> list[str]:
    """Return sentences about what the verification could not check."""
    sentences = [SIGNER] if key is None else []
    if audit is not None:
        return sentences
    withheld_count = len(export.leaves) - len(export.rows)
    ruling_ids = {row[0].split("/", 2)[2] for row in export.rows if row[0].split("/", 2)[1] == "ruling"}
    numbers = sorted(int(id) for id in ruling_ids)
    last_number = numbers[-1] if numbers else 0
    withheld_numbers = sorted({*range(1, last_number + 1)} - {*numbers})
    sentences.append(
        f"{withheld_count} events are withheld from the seat {export.header.seat}, so only their hashes were checked."
    )
    hidden_text = f" Withheld: {format_ranges(withheld_numbers)}." if withheld_numbers else ""
    if last_number:
        sentences.append(
            f"Rulings {format_ranges(range(1, last_number + 1))} were not checked against the rules, "
            "because that needs every event."
            f"{hidden_text} `campaign-ledger export` without --seat writes every event."
        )
    return sentences


def format_ranges(numbers: Sequence[int]) -> str:
    """Return numbers in ascending order as a text such as `1 to 4, 7, 9 to 12`."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][-1] == number - 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    return ", ".join(f"{span[0]} to {span[-1]}" if len(span) > 1 else str(span[0]) for span in spans)


def _print_report(export: Export, audit: Audit | None, differences: list[str], unchecked_parts: list[str]) -> None:
    from ledger.application import format_count, format_judged

    if unchecked_parts:
        out.print(f"Not checked: {' '.join(unchecked_parts)}", markup=False)
    header, trailer = export.header, export.trailer
    out.print(f"{header.name} ({header.campaign}), {header.system}, up to save {header.position}.", markup=False)
    out.print(f"{trailer.count} events match the seal: {trailer.root}", markup=False)
    out.print(f"Signed with the key {trailer.public_key}.", markup=False)
    for origin in export.origins:
        origin_text = f"The campaign continues {origin.campaign_name} ({origin.campaign}) from ruling {origin.at}"
        out.print(f"{origin_text}: its first {origin.events} events have the root {origin.root}.", markup=False)
        out.print(
            f"Only a saved seal of {origin.campaign} (--against) can prove that these events come from that campaign.",
            markup=False,
        )
    if audit is not None:
        summary = format_count(len(differences), "difference") or "Healthy"
        out.print(f"{summary}. The ledger {format_judged(audit.judged)}.", markup=False)
        for exclusion in audit.set_aside:
            out.print(
                f"Ruling {exclusion.ruling} was set aside by the operator, {exclusion.at[:16]}: {exclusion.reason}",
                markup=False,
            )
    for difference in differences:
        err.print(difference, markup=False)


@app.command("verify-dossier", rich_help_panel=KEEP)
def verify_dossier(
    file: Annotated[Path, typer.Argument(help="The dossier, as JSON.", show_default=False)],
    key: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="The public key that the dossier must be signed with (from /seal/key)."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Verify a ruling's dossier without a database: its signature, its dice, and the proofs that its stored rows are
    sealed.

    The exit code is 1 if the dossier was changed.

    Example: campaign-ledger verify-dossier ruling-12.json
    """
    from ledger.application.checks.dossier import BadDossier
    from ledger.application.checks.dossier import verify_dossier as check_dossier
    from ledger.errors import Fault

    with explain_failures():
        try:
            result = check_dossier(file.read_bytes(), key)
        except OSError as problem:
            raise Fault(f"{file} can't be read: {problem.strerror}.", code="no-file") from None
        except BadDossier as problem:
            if as_json:
                print_envelope("verify-dossier", {"sound": False, "detail": problem.detail, "code": problem.code})
            else:
                err.print(problem.detail, markup=False)
            raise SystemExit(1) from None
        dossier, row_count = result.dossier, len(result.dossier.entries)
        unchecked_parts = [SIGNER] if key is None else []
        if as_json:
            document = {
                "sound": True,
                "campaign": dossier.campaign,
                "number": dossier.number,
                "rows": row_count,
                "withheld": result.withheld_count,
                "recomputed": result.recomputed_count,
                "root": dossier.seal.root,
                "public_key": dossier.seal.public_key,
                "not_checked": unchecked_parts,
            }
            print_envelope("verify-dossier", document)
            return
        if unchecked_parts:
            out.print(f"Not checked: {' '.join(unchecked_parts)}", markup=False)
        out.print(
            f"Ruling {dossier.number} of {dossier.name} ({dossier.campaign}): {dossier.ruling['text']}", markup=False
        )
        out.print(
            f"{row_count} stored rows are in the seal of {dossier.seal.count} events: {dossier.seal.root}", markup=False
        )
        out.print(
            f"{result.withheld_count} rows are withheld; {result.recomputed_count} rolls were calculated again.",
            markup=False,
        )
        out.print(f"Signed with the key {dossier.seal.public_key}.", markup=False)
