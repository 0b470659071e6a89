"""The command that writes a ruling's dossier."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from api.cli.exporting import open_with_key
from api.cli.rulings import Number
from api.run.failures import explain_failures
from api.run.terminal import LOOK, AsJson, Campaign, Data, Seat, err, open_campaign_reading, print_envelope

app = typer.Typer()


@app.command("dossier", rich_help_panel=LOOK)
def write_dossier(
    campaign: Campaign,
    number: Number,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write. It must not exist yet.")
    ] = None,
    html: Annotated[bool, typer.Option("--html", help="Write a printable page instead of JSON.")] = False,
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Write a ruling's dossier: everything about the ruling, with proofs. You can print it, or check it with
    `verify-dossier`.

    Example: campaign-ledger dossier k3v7q2mzt5a4c 12 -o ruling-12.json
    """
    from projections.documents import dossiers
    from projections.redaction import to_text

    if html and as_json:
        raise typer.BadParameter("Use --html or --json, not both.")
    with explain_failures(), open_campaign_reading(campaign, seat, data) as reading, open_with_key(data) as ledger:
        document = dossiers.make_dossier(reading.lens, reading.reader, number, ledger.sealer)
        if as_json:
            print_envelope("dossier", document, campaign, reading.position)
            return
        if html:
            from api.http.dossier_pages import render_dossier

            text = render_dossier(document)
        else:
            text = to_text(document)
        if output is None:
            sys.stdout.write(text)
            return
        if output.exists():
            err.print(f"{output} already exists.", markup=False)
            raise SystemExit(2)
        output.write_text(text, encoding="utf-8")
    err.print(f"The dossier of ruling {number} is in {output}.", markup=False)
