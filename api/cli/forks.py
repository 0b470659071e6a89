"""The command that forks a campaign."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from api.cli.exporting import open_with_key
from api.cli.verifying import KEEP
from api.run.failures import explain_failures
from api.run.terminal import AsJson, Campaign, Data, err, print_envelope

app = typer.Typer()


@app.command("fork", rich_help_panel=KEEP)
def fork_campaign(
    campaign: Campaign,
    at: Annotated[int, typer.Option(help="The ruling after which the fork begins.", min=1, show_default=False)],
    name: Annotated[str | None, typer.Option(help="The fork's name.", show_default=False)] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Start a new campaign that continues this one from a ruling, and print its game master's token. This campaign does
    not change.

    Everybody else claims their seat in the fork with their token for this campaign: POST /campaigns/FORK/claim.

    Example: campaign-ledger fork k3v7q2mzt5a4c --at 12 --name "Had we let him live"
    """
    from uuid import uuid4

    from ledger.application import Call
    from projections.documents.campaigns import present_forked_campaign

    with explain_failures(), open_with_key(data) as ledger:
        call = Call(campaign, "", "fork", str(uuid4()), "")
        reply = ledger.fork_as_operator(call, at, name, present_forked_campaign)
        document = json.loads(reply.body)
    if as_json:
        print_envelope("fork", document, document["id"], reply.position)
        return
    err.print(
        f"The campaign “{document['name']}” has the id {document['id']}. The token of {document['seat']['name']}:",
        markup=False,
    )
    print(document["seat"]["token"])
