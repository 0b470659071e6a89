"""Commands that decide about a ruling: dispute, uphold, overturn, reinstate, revise, settle."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from api.cli.asking import (
    HERE,
    PLAY,
    Address,
    Answer,
    Connection,
    Json,
    Key,
    Preview,
    Reason,
    Token,
    Yes,
    confirm,
    connect,
    must_be_answerable,
    parse_fields,
)
from api.cli.rulings import Number, show_ruling
from api.cli.what_if import show_comparison
from api.run.failures import explain_failures
from api.run.terminal import MOST, AsJson, Campaign, Data, print_envelope, say

app = typer.Typer()
Later = Annotated[
    Literal["flag", "rerule"],
    typer.Option("--settle", help="Later rulings with a different result become findings, or are ruled again."),
]


@app.command(rich_help_panel=PLAY)
def dispute(  # noqa: PLR0913, PLR0917  (one parameter for each option)
    campaign: Campaign,
    number: Number,
    reason: Reason,
    yes: Yes = False,
    preview: Preview = False,
    token: Token = None,
    address: Address = HERE,
    key: Key = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Dispute a ruling. Any seat can do this. Nothing changes until a game master decides.

    Example: campaign-ledger dispute k3v7q2mzt5a4c 12 --reason "The host had left."
    """
    must_be_answerable(as_json, yes, preview)
    with explain_failures(), connect(campaign, token, address, data) as connection:
        _change_status(connection, number, "dispute", {"reason": reason}, yes, preview, key, as_json)


@app.command(rich_help_panel=PLAY)
def uphold(  # noqa: PLR0913, PLR0917
    campaign: Campaign,
    number: Number,
    reason: Reason,
    yes: Yes = False,
    preview: Preview = False,
    token: Token = None,
    address: Address = HERE,
    key: Key = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Uphold a disputed ruling: it stays as it is. Game masters only.

    Example: campaign-ledger uphold k3v7q2mzt5a4c 12 --reason "He was still in the hall."
    """
    must_be_answerable(as_json, yes, preview)
    with explain_failures(), connect(campaign, token, address, data) as connection:
        _change_status(connection, number, "uphold", {"reason": reason}, yes, preview, key, as_json)


@app.command(rich_help_panel=PLAY)
def overturn(  # noqa: PLR0913, PLR0917
    campaign: Campaign,
    number: Number,
    reason: Reason,
    also: Annotated[
        list[int] | None,
        typer.Option(
            "--also", min=1, max=MOST, metavar="NUMBER", help="Overturn this ruling too. You can repeat this option."
        ),
    ] = None,
    settle: Later = "flag",
    yes: Yes = False,
    preview: Preview = False,
    token: Token = None,
    address: Address = HERE,
    key: Key = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Overturn a ruling. The command first shows what would change, and asks you to confirm. Game masters only. The
    ruling stays in the record. `reinstate` restores it.

    Example: campaign-ledger overturn k3v7q2mzt5a4c 12 --reason "Nobody heard it." --preview
    """
    must_be_answerable(as_json, yes, preview)
    body: Json = {"reason": reason, "also": also or [], "settle": settle}
    with explain_failures(), connect(campaign, token, address, data) as connection:
        _decide_with_preview(connection, number, "overturn", body, yes, preview, key, as_json)


@app.command(rich_help_panel=PLAY)
def take_back(  # noqa: PLR0913, PLR0917
    campaign: Campaign,
    number: Number,
    reason: Annotated[
        str, typer.Option("--reason", "-r", metavar="TEXT", show_default=False, help="An optional reason.")
    ] = "",
    yes: Yes = False,
    preview: Preview = False,
    token: Token = None,
    address: Address = HERE,
    key: Key = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Take back your own latest ruling, with the steps that followed from it automatically.

    This works only if nobody has done anything since, and if the ruling revealed nothing hidden and no dice rolled by
    the ledger. Otherwise the command says why, and you can dispute the ruling.

    Example: campaign-ledger take-back k3v7q2mzt5a4c 12 --reason "I meant the other one."
    """
    must_be_answerable(as_json, yes, preview)
    with explain_failures(), connect(campaign, token, address, data) as connection:
        _decide_with_preview(connection, number, "take-back", {"reason": reason}, yes, preview, key, as_json)


@app.command(rich_help_panel=PLAY)
def rewind(  # noqa: PLR0913, PLR0917
    campaign: Campaign,
    number: Number,
    reason: Reason,
    yes: Yes = False,
    preview: Preview = False,
    token: Token = None,
    address: Address = HERE,
    key: Key = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Rewind the game to before a ruling: this ruling and every later one are overturned together. The command first
    shows what would change, and asks you to confirm. Game masters only.

    `reinstate` restores all of them.

    Example: campaign-ledger rewind k3v7q2mzt5a4c 12 --reason "We are replaying that scene." --preview
    """
    must_be_answerable(as_json, yes, preview)
    with explain_failures(), connect(campaign, token, address, data) as connection:
        _decide_with_preview(connection, number, "rewind", {"reason": reason}, yes, preview, key, as_json)


@app.command(rich_help_panel=PLAY)
def reinstate(  # noqa: PLR0913, PLR0917
    campaign: Campaign,
    number: Number,
    reason: Reason,
    settle: Later = "flag",
    yes: Yes = False,
    preview: Preview = False,
    token: Token = None,
    address: Address = HERE,
    key: Key = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Reinstate an overturned ruling. The command first shows what would change, and asks you to confirm. Game masters
    only.

    Example: campaign-ledger reinstate k3v7q2mzt5a4c 12 --reason "He had heard it after all."
    """
    must_be_answerable(as_json, yes, preview)
    with explain_failures(), connect(campaign, token, address, data) as connection:
        _decide_with_preview(
            connection, number, "reinstate", {"reason": reason, "settle": settle}, yes, preview, key, as_json
        )


@app.command(rich_help_panel=PLAY)
def revise(  # noqa: PLR0913, PLR0917
    campaign: Campaign,
    number: Number,
    fields: Annotated[
        list[str],
        typer.Argument(metavar="FIELD=VALUE...", help="A field's correct value. null removes the field."),
    ],
    code: Annotated[
        Literal["entry", "ruling"],
        typer.Option("--code", help="The kind of mistake: a typing mistake (`entry`) or a wrong ruling (`ruling`)."),
    ],
    reason: Reason,
    settle: Later = "flag",
    yes: Yes = False,
    preview: Preview = False,
    token: Token = None,
    address: Address = HERE,
    key: Key = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Correct the declaration of a past ruling. The ruling is made again at the same point in play. Game masters only.

    Example: campaign-ledger revise k3v7q2mzt5a4c 12 armour=2 --code entry --reason "It was 2."
    """
    must_be_answerable(as_json, yes, preview)
    body: Json = {"reason": reason, "code": code, "patch": parse_fields(fields), "settle": settle}
    with explain_failures(), connect(campaign, token, address, data) as connection:
        _decide_with_preview(connection, number, "revise", body, yes, preview, key, as_json, fields)


@app.command(rich_help_panel=PLAY)
def settle(  # noqa: PLR0913, PLR0917
    campaign: Campaign,
    finding: Annotated[
        str, typer.Argument(metavar="FINDING", help="The finding's id. `campaign-ledger findings` lists the ids.")
    ],
    how: Annotated[Literal["let-stand", "amended", "overturned"], typer.Argument(help="How the finding was resolved.")],
    reason: Reason,
    yes: Yes = False,
    preview: Preview = False,
    token: Token = None,
    address: Address = HERE,
    key: Key = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Resolve a finding: something that needs attention because an earlier ruling changed. Game masters only.

    Example: campaign-ledger settle k3v7q2mzt5a4c f3 let-stand --reason "It made no difference."
    """
    must_be_answerable(as_json, yes, preview)
    with explain_failures(), connect(campaign, token, address, data) as connection:
        if not yes:
            listing = connection.get("/findings")
            matching_findings = [row for row in listing.document["findings"] if row["id"] == finding]
            if preview and as_json:
                print_envelope("settle", {"findings": matching_findings, "how": how}, campaign, listing.position)
                return
            for row in matching_findings:
                say(f"{row['id']}: {row['text']}")
            say(f"This would resolve the finding: {how}. Nothing else changes.")
            if preview:
                return
            confirm("Resolve this finding?", yes)
        reply = connection.post(f"/findings/{finding}/settle", {"how": how, "reason": reason}, key)
    if as_json:
        print_envelope("settle", reply.document, campaign, reply.position)
    else:
        say(f"{reply.document['id']} is resolved: {how}.")


def _change_status(
    connection: Connection,
    number: int,
    verb: str,
    body: Json,
    is_confirmed: bool,
    is_preview: bool,
    key: str | None,
    as_json: bool,
) -> None:
    """Make a decision that changes only the ruling's status."""
    if not is_confirmed:
        ruling_answer = connection.get(f"/rulings/{number}")
        if is_preview and as_json:
            print_envelope(verb, ruling_answer.document, connection.campaign, ruling_answer.position)
            return
        say(f"Ruling {number} ({ruling_answer.document['status']}): {ruling_answer.document['text']}")
        say("The ruling's status would change. No balances change.")
        if is_preview:
            return
        confirm(f"{verb.capitalize()} ruling {number}?", is_confirmed)
    _print_result(connection, verb, connection.post(f"/rulings/{number}/{verb}", body, key), as_json)


def _decide_with_preview(  # noqa: PLR0913, PLR0917
    connection: Connection,
    number: int,
    verb: str,
    body: Json,
    is_confirmed: bool,
    is_preview: bool,
    key: str | None,
    as_json: bool,
    fields: list[str] | None = None,
) -> None:
    """Make a decision that can change later rulings. `fields`: the fields of the patch, as they were typed."""
    path = f"/rulings/{number}/{verb}"
    if not is_confirmed:
        preview_answer = connection.post_fields(path, {**body, "preview": True}, "patch", fields or [], None)
        if is_preview and as_json:
            print_envelope(verb, preview_answer.document, connection.campaign, preview_answer.position)
            return
        show_comparison(preview_answer.document)  # type: ignore[arg-type]
        if is_preview:
            return
        confirm(f"{verb.replace('-', ' ').capitalize()} ruling {number}?", is_confirmed)
    _print_result(connection, verb, connection.post_fields(path, body, "patch", fields or [], key), as_json)


def _print_result(connection: Connection, verb: str, reply: Answer, as_json: bool) -> None:
    if as_json:
        print_envelope(verb, reply.document, connection.campaign, reply.position)
    elif reply.status == 202:
        say(f"{reply.document['text']} It is waiting for consent ({reply.document['id']}).")
    else:
        show_ruling(reply.document)  # type: ignore[arg-type]
        for finding in (reply.document.get("changed") or {}).get("findings", ()):
            say(f"Needs attention: {finding['text']}")
