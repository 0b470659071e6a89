"""The operator's way back in: another token for a seat whose own was lost."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from api.cli.exporting import KEEP, keyed
from api.cli.failures import saying_why
from api.cli.terminal import AsJson, Campaign, Data, envelope, err

app = typer.Typer()


@app.command(rich_help_panel=KEEP)
def token(
    campaign: Campaign,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="The seat's id, as `campaign-ledger seats` lists it.")],
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Another token for a seat; the old one opens nothing from then on. For when a game master's token is lost.

    Example: campaign-ledger token k3v7q2mzt5a4c s1
    """
    from uuid import uuid4

    from ledger.application import Call
    from projections.documents.campaigns import issued

    with saying_why(), keyed(data) as ledger:
        reply = ledger.replace_token(Call(campaign, "", "token", str(uuid4()), ""), seat, issued)
        document = json.loads(reply.body)
    if as_json:
        envelope("token", document, campaign, reply.position)
        return
    err.print(f"The token of {document['name']} ({document['role']}); the one before is dead:", markup=False)
    print(document["token"])
