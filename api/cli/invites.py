"""The operator's commands that make, list and withdraw invites."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from api.cli.exporting import open_with_key
from api.run.failures import explain_failures
from api.run.terminal import (
    RUN,
    AsJson,
    Campaign,
    Data,
    complete_campaign_ids,
    err,
    pick_columns,
    print_envelope,
    print_table,
)

if TYPE_CHECKING:
    from ledger.application import Ledger
    from ledger.application.commands.inviting import InviteTerms

app = typer.Typer()
Address = Annotated[
    str | None,
    typer.Option(
        "--address",
        metavar="ADDRESS",
        help="The service's public address. Default: LEDGER_PUBLIC_URL, or the address of `campaign-ledger up`.",
    ),
]


@app.command(rich_help_panel=RUN)
def invite(
    campaign: Campaign,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="The person's name.")],
    role: Annotated[Literal["player", "observer"], typer.Option("--role", help="The person's role.")] = "player",
    gm: Annotated[
        bool,
        typer.Option("--gm", help="Invite a game master (overrides --role). This gives a link, but no code."),
    ] = False,
    days: Annotated[int, typer.Option("--days", min=1, max=60, help="How long the link is valid.")] = 7,
    address: Address = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Invite somebody to a new seat. Prints a link, its QR code, and a code to say aloud. An invite works once.

    Game masters can also invite people on the page, or by POST /campaigns/{campaign}/invites.

    Example: campaign-ledger invite k3v7q2mzt5a4c --name Ben
    """
    from ledger.application.commands.inviting import InviteTerms

    if not name.strip():
        raise typer.BadParameter("Enter a name with --name.", param_hint="--name")
    with explain_failures(), open_with_key(data) as ledger:
        invite_document = make_invite(ledger, campaign, InviteTerms("gm" if gm else role, name, days), address)
    if as_json:
        print_envelope("invite", invite_document, campaign, ledger.get_book(campaign).campaign.position)
    else:
        print_invite(
            invite_document,
            f"Invite for {name}. It works once and is valid until {invite_document['good_until'][:10]}:",
        )


def make_invite(ledger: Ledger, campaign: str, terms: InviteTerms, address: str | None) -> dict[str, str]:
    """Make an invite. Return its `link` and `good_until`, and its `code` and `code_until` if it has a code."""
    from datetime import UTC, datetime
    from uuid import uuid4

    from api.inviting.links import make_link
    from ledger.application.commands import inviting
    from ledger.events.envelope import format_time
    from ledger.events.invites import InviteStore

    store, now = InviteStore(ledger.shelves.get_shelf_of(campaign)), datetime.now(UTC)
    invite = inviting.make_invite_for_operator(ledger, store, campaign, str(uuid4()), terms, now)
    openers = inviting.make_openers(ledger.keys, invite)
    document = {
        "id": invite.id,
        "link": make_link(_read_public_url(address), openers.secret),
        "good_until": format_time(invite.good_until),
    }
    if openers.code is not None and invite.code_until is not None:
        document |= {"code": openers.code, "code_until": format_time(invite.code_until)}
    return document


def _read_public_url(address: str | None) -> str:
    from api.run.up import PORT
    from api.service.environment import ServiceSettings, read_settings
    from api.service.options import parse_public_url

    if address is None:
        return read_settings(ServiceSettings).public_url or f"http://127.0.0.1:{PORT}"
    try:
        return parse_public_url(address)
    except ValueError:
        raise typer.BadParameter("Enter an address like https://table.example.", param_hint="--address") from None


def print_invite(document: dict[str, str], message: str) -> None:
    """Print the link and the code on stdout, everything else on stderr."""
    from api.inviting.links import draw_qr_text

    err.print(message, markup=False)
    print(draw_qr_text(document["link"]), file=sys.stderr)
    print(document["link"])
    if "code" in document:
        err.print("Or use this code, valid for 15 minutes:", markup=False)
        print(document["code"])


@app.command("invites", rich_help_panel=RUN)
def show_or_withdraw_invites(
    campaign: Annotated[
        str | None,
        typer.Argument(
            metavar="[CAMPAIGN]", help="Only the invites of this campaign.", autocompletion=complete_campaign_ids
        ),
    ] = None,
    withdraw: Annotated[str | None, typer.Option(metavar="INVITE", help="Withdraw this invite.")] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """List invites and their status. Links and codes are not shown again.

    Example: campaign-ledger invites k3v7q2mzt5a4c
    """
    from datetime import UTC, datetime

    from ledger.application.commands.inviting import explain_why_ended
    from ledger.errors import NotFound, WrongStatus
    from ledger.events.invites import InviteStore
    from projections.documents.invites import describe_invite_for_operator

    with explain_failures(), open_with_key(data) as ledger:
        shelves = ledger.shelves
        if campaign is not None:
            invites = InviteStore(shelves.get_shelf_of(campaign)).list_for_campaign(campaign)
        else:
            invites = [invite for shelf in shelves.list_shelves() for invite in InviteStore(shelf).list_all()]
        if withdraw is not None:
            invites = [invite for invite in invites if invite.id == withdraw]
            if not invites:
                detail = f"There is no invite {withdraw!r}: `campaign-ledger invites` lists them."
                raise NotFound(detail, code="invite-not-found")
            withdrawn_invite = InviteStore(shelves.get_shelf_of(invites[0].campaign)).withdraw(withdraw)
            if withdrawn_invite is None:
                detail = f"The invite {withdraw} is already {invites[0].status}."
                raise WrongStatus(detail, code="invite-ended")
            invites = [withdrawn_invite]
        now = datetime.now(UTC)
        rows = [describe_invite_for_operator(invite, now, explain_why_ended(ledger, invite, now)) for invite in invites]
    if as_json:
        print_envelope("invites", rows)
    else:
        columns = pick_columns("id", "campaign", "by", "role", "seat", "status", "good_until")
        print_table(rows, columns, "There are no invites.")
