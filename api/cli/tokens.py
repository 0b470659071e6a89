"""The operator's command that replaces a lost token."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from api.cli.exporting import open_with_key
from api.cli.invites import Address, make_invite, print_invite
from api.cli.verifying import KEEP
from api.run.failures import explain_failures
from api.run.terminal import AsJson, Campaign, Data, err, print_envelope

app = typer.Typer()
DAYS = 1  # days for which the link is valid


@app.command("token", rich_help_panel=KEEP)
def replace_token(
    campaign: Campaign,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="The seat's id. `campaign-ledger seats` lists the ids.")],
    as_link: Annotated[
        bool, typer.Option("--link", help="Create a link to the page instead, with a QR code. It works once.")
    ] = False,
    address: Address = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Replace a seat's token, for example if a game master lost theirs. The old token no longer works.

    Example: campaign-ledger token k3v7q2mzt5a4c s1 --link
    """
    from uuid import uuid4

    from ledger.application import Call
    from ledger.application.commands.inviting import InviteTerms
    from projections.documents.campaigns import present_issued_seat

    with explain_failures(), open_with_key(data) as ledger:
        reply = ledger.replace_token(Call(campaign, "", "token", str(uuid4()), ""), seat, present_issued_seat)
        document = json.loads(reply.body)
        if as_link:
            terms = InviteTerms(document["role"], document["name"], DAYS, own=seat)
            document = {**document, "token": None, **make_invite(ledger, campaign, terms, address)}
    if as_json:
        print_envelope("token", document, campaign, reply.position)
        return
    if as_link:
        print_invite(document, f"The previous token no longer works. Link for {document['name']} ({document['role']}):")
        return
    err.print(
        f"The previous token no longer works. The new token of {document['name']} ({document['role']}):", markup=False
    )
    print(document["token"])
