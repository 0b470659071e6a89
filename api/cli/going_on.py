"""Commands that list the moves of a seat, the findings that need attention, and bookmarks."""

from __future__ import annotations

from typing import Annotated

import typer

from api.run.failures import explain_failures
from api.run.terminal import LOOK, AsJson, Campaign, Data, Seat, err, open_campaign_reading, print_envelope, say
from ledger.errors import NotFound

app = typer.Typer()


@app.command("moves", rich_help_panel=LOOK)
def show_moves(
    campaign: Campaign,
    blocked: Annotated[bool, typer.Option("--blocked", help="Also list what is not possible now, and why.")] = False,
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """List what a seat can declare now. Without --seat, list what the first game master can declare.

    Example: campaign-ledger moves k3v7q2mzt5a4c --seat s2 --blocked
    """
    from api.http.forms import load_forms
    from ledger.application.commands.importing import list_gm_seats
    from projections.documents.moves import list_moves, make_seen
    from projections.redaction import LiveLens

    with explain_failures(), open_campaign_reading(campaign, seat, data) as reading:
        book = reading.lens.book
        viewer = reading.lens.viewer if seat is not None else book.load_viewer(next(iter(list_gm_seats(book)), ""))
        if viewer is None:
            raise NotFound("This campaign has no game master. Use --seat.", code="seat-not-found")
        lens = LiveLens(book, viewer)
        document = list_moves(lens, make_seen(lens), load_forms(book.ruleset.name).make_reference, with_blocked=blocked)
        position = reading.position
    if as_json:
        print_envelope("moves", document, campaign, position)
        return
    say(f"{document['seat']['name']} can declare:", style="bold")
    for move in document["moves"]:
        note = f" (the game is waiting for this: {move['awaits']})" if move["awaits"] else ""
        say(f"  {move['text']} [{move['kind']}]{note}")
    for blocked_move in document["blocked"] or ():
        reason = blocked_move["refusal"]["text"] if blocked_move["refusal"] is not None else "the reason is hidden."
        say(f"  not now: {blocked_move['text']} [{blocked_move['kind']}] {reason}", style="dim")


@app.command("findings", rich_help_panel=LOOK)
def show_findings(campaign: Campaign, seat: Seat = None, data: Data = None, as_json: AsJson = False) -> None:
    """List what needs attention. The exit code is 1 if the list is not empty.

    Example: campaign-ledger findings k3v7q2mzt5a4c
    """
    from projections.documents.findings import list_open_findings

    with explain_failures(), open_campaign_reading(campaign, seat, data) as reading:
        rows = list_open_findings(reading.lens)
        position = reading.position
    if as_json:
        print_envelope("findings", rows, campaign, position)
    else:
        for row in rows:
            say(f"{row['id']}: {row['text']}")
        if not rows:
            err.print("Nothing needs attention.", markup=False)
    raise SystemExit(1 if rows else 0)


@app.command("bookmarks", rich_help_panel=LOOK)
def show_bookmarks(campaign: Campaign, seat: Seat = None, data: Data = None, as_json: AsJson = False) -> None:
    """List the table's bookmarks, with their notes. With --seat, also list that seat's private bookmarks.

    Example: campaign-ledger bookmarks k3v7q2mzt5a4c --seat s2
    """
    from ledger.events.bookmarks import BookmarkStore
    from projections.documents.bookmarks import list_all_bookmarks

    with explain_failures(), open_campaign_reading(campaign, seat, data) as reading:
        own_bookmarks = (
            BookmarkStore(reading.reader.transaction).list_of_seat(campaign, seat) if seat is not None else []
        )
        rows = list_all_bookmarks(reading.lens, own_bookmarks, own_only=False)["bookmarks"]
        position = reading.position
    if as_json:
        print_envelope("bookmarks", rows, campaign, position)
        return
    for row in rows:
        say(f"{row['id']}: ruling {row['ruling']}, {row['text']} {row['by']['name']}: {row['note']}")
    if not rows:
        err.print("There are no bookmarks.", markup=False)
