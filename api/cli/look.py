"""Commands that list campaigns, results, sessions, decisions, accounts and statements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from api.http.moments import check_bound, check_moment, read_bound, read_moment
from api.run.failures import explain_failures
from api.run.terminal import (
    LOOK,
    MOST,
    AsJson,
    Campaign,
    CampaignReading,
    Data,
    Limit,
    Order,
    Search,
    Seat,
    open_campaign_views,
    open_ledger,
    pick_columns,
    print_envelope,
    print_table,
    say,
    say_list_is_cut,
    say_views_are_behind,
)

if TYPE_CHECKING:
    from projections.documents.timelines import Placed
    from projections.views.clocks import Span, When
    from projections.views.pages import Reader

app = typer.Typer()


def check_moment_option(text: str) -> str:
    """Return the text if it is a point in play. Raise BadParameter if it is not."""
    try:
        return check_moment(text)
    except ValueError as problem:
        raise typer.BadParameter(str(problem)) from None


def check_bound_option(text: str) -> str:
    """Return the text if it is a valid limit of a list: a ruling's number, a time or a date. Raise BadParameter
    otherwise.
    """
    try:
        return check_bound(text)
    except ValueError as problem:
        raise typer.BadParameter(str(problem)) from None


def find_span(reader: Reader, since: str | None, until: str | None) -> Span:
    from projections.views.clocks import find_span

    return find_span(reader, read_bound(since, is_last=False), read_bound(until, is_last=True))


Since = Annotated[
    str | None,
    typer.Option(
        "--since",
        parser=check_bound_option,
        metavar="WHEN",
        help="Only what was recorded at or after this date (UTC), time or ruling.",
    ),
]
Until = Annotated[
    str | None,
    typer.Option(
        "--until",
        parser=check_bound_option,
        metavar="WHEN",
        help="Only what was recorded at or before this date (UTC), time or ruling.",
    ),
]


def _check_fact_id(text: str) -> str:
    if not re.fullmatch(r"(0|[1-9][0-9]{0,15})\.(0|[1-9][0-9]{0,8})", text, re.ASCII):
        raise typer.BadParameter("enter the id of a fact, such as 12.3")
    return text


At = Annotated[
    str | None,
    typer.Option(
        "--at",
        parser=check_moment_option,
        metavar="WHEN",
        help="Show the state after this ruling, or at this time (2026-11-21T19:30:00Z).",
    ),
]
As = Annotated[
    Literal["recorded", "corrected"],
    typer.Option("--as", help="As known at the time, or with all later corrections."),
]


@app.command("campaigns", rich_help_panel=LOOK)
def show_campaigns(data: Data = None, as_json: AsJson = False) -> None:
    """List all campaigns in the database, with their ids.

    Example: campaign-ledger campaigns
    """
    with explain_failures(), open_ledger(data) as (_, views), views.open_reader() as reader:
        column_names = ("campaign", "name", "system", "rulings", "position", "opened_at", "at")
        rows = reader.ask(None, f"SELECT {', '.join(column_names)} FROM {{views}}.campaigns", {})
        rows.sort(key=lambda row: (row[column_names.index("opened_at")], row[0]))
        documents = [
            {
                name: value if isinstance(value, str | int) else value.isoformat()
                for name, value in zip(column_names, row, strict=True)
            }
            for row in rows
        ]
    if as_json:
        print_envelope("campaigns", documents)
    else:
        columns = pick_columns("campaign", "name", "system", "rulings") | {"last": lambda row: row["at"][:16]}
        print_table(documents, columns, "There are no campaigns yet. `campaign-ledger demo` plays some examples.")


@app.command("timeline", rich_help_panel=LOOK)
def show_timeline(  # noqa: PLR0913, PLR0917  (one parameter for each option)
    campaign: Campaign,
    subject: Annotated[
        str | None, typer.Option(help="Only results about this subject: character:1, scene:4, campaign.")
    ] = None,
    kind: Annotated[str | None, typer.Option(help="Only results of this kind.")] = None,
    ruling: Annotated[
        int | None, typer.Option(min=1, max=MOST, metavar="NUMBER", help="Only results of this ruling.")
    ] = None,
    session: Annotated[str | None, typer.Option(help="Only results of this session.")] = None,
    scene: Annotated[str | None, typer.Option(help="Only results of rulings in this scene.")] = None,
    unit: Annotated[str | None, typer.Option(help="Only results that change balances of this unit.")] = None,
    since: Since = None,
    until: Until = None,
    at: At = None,
    as_: As = "corrected",
    after: Annotated[
        str, typer.Option(parser=_check_fact_id, metavar="ID", show_default=False, help="Continue after this result.")
    ] = "0.0",
    limit: Limit = 200,
    order: Order = "asc",
    search: Search = None,
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """List results in order. Results that no longer count are marked.

    Example: campaign-ledger timeline k3v7q2mzt5a4c --ruling 12

    Example: campaign-ledger timeline k3v7q2mzt5a4c --subject character:1 --at 12 --as recorded
    """
    from api.http import filters
    from projections.documents.timelines import Selection, list_timeline
    from projections.views.pages import MOST as MOST_ROWS

    with explain_failures(), open_campaign_views(campaign, seat, data) as reading:
        check_filters = filters.make_filter_check(
            subject=subject, session=session, scene=scene, fact=kind, ruling=ruling, unit=unit
        )
        check_filters(reading.lens)
        moment, span = _find_moment(reading, at, as_), find_span(reading.reader, since, until)
        facts: list[Placed] = []
        next_id: str | None = after
        while next_id is not None and len(facts) < limit:
            position, place = map(int, next_id.split("."))
            limit_left = min(MOST_ROWS, limit - len(facts))
            selection = Selection(
                subject, kind, ruling, session, scene, (position, place), limit_left, order, search, unit, span
            )
            page = list_timeline(reading.make_view_lens(), reading.reader, selection, moment)
            facts += page.decode()["facts"]
            next_id = page.after
        say_views_are_behind(reading, page.position)
    if as_json:
        print_envelope("timeline", facts, campaign, page.position, next_id)
        return
    columns = {
        "id": lambda row: row["id"],
        "ruling": lambda row: row["ruling"],
        "": lambda row: "struck" if row["struck"] else "",
        "result": lambda row: row["text"],
        "by": lambda row: (row["by"] or {}).get("name", ""),
    }
    if not any(row["struck"] for row in facts):
        del columns[""]
    print_table(facts, columns, "No results match.")
    say_list_is_cut(next_id, limit)


def _find_moment(reading: CampaignReading, at: str | None, as_: str) -> When:
    from projections.views.clocks import find_when

    return find_when(reading.reader, read_moment(at), recorded=as_ == "recorded")


@app.command("sessions", rich_help_panel=LOOK)
def show_sessions(  # noqa: PLR0913, PLR0917
    campaign: Campaign,
    since: Since = None,
    until: Until = None,
    after: Annotated[
        int, typer.Option(min=0, max=MOST, metavar="SESSION", show_default=False, help="Continue after this session.")
    ] = 0,
    limit: Limit = 500,
    order: Order = "asc",
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """List sessions: when they were, how many rulings they have, and how balances changed.

    Example: campaign-ledger sessions k3v7q2mzt5a4c --since 2026-11-01
    """
    from projections.documents.sessions import Selection, list_sessions

    with explain_failures(), open_campaign_views(campaign, seat, data) as reading:
        page = list_sessions(
            reading.make_view_lens(),
            reading.reader,
            Selection(after, limit, order, find_span(reading.reader, since, until)),
        )
        say_views_are_behind(reading, page.position)
    rows = page.document["sessions"]
    if as_json:
        print_envelope("sessions", rows, campaign, page.position, page.after)
        return
    columns = {
        "number": lambda row: row["number"],
        "id": lambda row: row["id"],
        "title": lambda row: row["title"],
        "from": lambda row: row["from"][:16],
        "to": lambda row: (row["to"] or "open")[:16],
        "rulings": lambda row: row["rulings"],
        "what changed": lambda row: ", ".join(
            f"{total['name'] or total['owner']} {total['change']:+} {total['unit']}" for total in row["totals"]
        ),
    }
    print_table(rows, columns, "There are no sessions yet.")
    say_list_is_cut(page.after, limit)


@app.command("decisions", rich_help_panel=LOOK)
def show_decisions(  # noqa: PLR0913, PLR0917
    campaign: Campaign,
    kind: Annotated[
        str | None, typer.Option(help="Only decisions of this kind: disputed, overturned, settled ...")
    ] = None,
    ruling: Annotated[
        int | None, typer.Option(min=1, max=MOST, metavar="NUMBER", help="Only decisions about this ruling.")
    ] = None,
    by: Annotated[str | None, typer.Option(metavar="SEAT", help="Only decisions that this seat made.")] = None,
    session: Annotated[str | None, typer.Option(help="Only decisions made in this session.")] = None,
    since: Since = None,
    until: Until = None,
    after: Annotated[
        str, typer.Option(parser=_check_fact_id, metavar="ID", show_default=False, help="Continue after this decision.")
    ] = "0.0",
    limit: Limit = 500,
    order: Order = "asc",
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """List decisions about rulings: who decided what, when and why.

    Example: campaign-ledger decisions k3v7q2mzt5a4c --kind disputed
    """
    from api.http import filters
    from projections.documents.decision_list import MADE, Selection, list_decisions, make_settlement_finder

    if kind is not None and kind not in MADE:
        raise typer.BadParameter(f"Choose one of {', '.join(MADE)}.", param_hint="--kind")
    with explain_failures(), open_campaign_views(campaign, seat, data) as reading:
        filters.make_filter_check(ruling=ruling, seat=by, session=session)(reading.lens)
        position, place = map(int, after.split("."))
        span = find_span(reading.reader, since, until)
        selection = Selection(kind, ruling, by, session, (position, place), limit, order, span)
        page = list_decisions(
            reading.make_view_lens(), reading.reader, selection, make_settlement_finder(selection)(reading.lens)
        )
        say_views_are_behind(reading, page.position)
    rows = page.document["decisions"]
    if as_json:
        print_envelope("decisions", rows, campaign, page.position, page.after)
        return
    columns = pick_columns("id", "ruling") | {
        "decision": lambda row: row["how"] or row["decision"],
        "by": lambda row: (row["by"] or {}).get("name", ""),
        "at": lambda row: row["at"][:16],
        "why": lambda row: row["reason"],
    }
    print_table(rows, columns, "There are no decisions yet.")
    say_list_is_cut(page.after, limit)


@app.command("accounts", rich_help_panel=LOOK)
def show_accounts(  # noqa: PLR0913, PLR0917
    campaign: Campaign,
    at: At = None,
    as_: As = "corrected",
    after: Annotated[
        str, typer.Option(metavar="ACCOUNT", show_default=False, help="Only accounts after this one.")
    ] = "",
    limit: Limit = 10_000,
    order: Order = "asc",
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """List all balances.

    Example: campaign-ledger accounts k3v7q2mzt5a4c --at 12 --as recorded
    """
    from projections.documents.accounts import list_accounts

    with explain_failures(), open_campaign_views(campaign, seat, data) as reading:
        moment = _find_moment(reading, at, as_)
        page = list_accounts(reading.make_view_lens(), reading.reader, moment, after, limit, order)
        say_views_are_behind(reading, page.position)
    if as_json:
        print_envelope("accounts", page.document, campaign, page.position, page.after)
        return
    print_table(page.document["accounts"], pick_columns("account", "balance", "unit", "name"), "There are no balances.")
    say_list_is_cut(page.after, limit)


@app.command("statement", rich_help_panel=LOOK)
def show_statement(  # noqa: PLR0913, PLR0917
    campaign: Campaign,
    account: Annotated[
        str, typer.Argument(metavar="ACCOUNT", help="The account, for example character:1/credit:nuin.")
    ],
    at: At = None,
    as_: As = "corrected",
    after: Annotated[
        int, typer.Option(min=0, max=MOST, metavar="NUMBER", show_default=False, help="Only entries after this number.")
    ] = 0,
    limit: Limit = 10_000,
    order: Order = "asc",
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Show an account's entries, with the balance after each.

    Example: campaign-ledger statement k3v7q2mzt5a4c character:1/coin
    """
    from projections.documents.accounts import write_statement

    with explain_failures(), open_campaign_views(campaign, seat, data) as reading:
        moment = _find_moment(reading, at, as_)
        page = write_statement(reading.make_view_lens(), reading.reader, account, moment, after, limit, order)
        say_views_are_behind(reading, page.position)
    if as_json:
        print_envelope("statement", page.document, campaign, page.position, page.after)
        return
    document = page.document
    balance = (
        "a balance hidden from this seat"
        if document["balance"] is None
        else f"{document['balance']} {document['unit']}"
    )
    say(f"{account} {document['name']}: {balance}", style="bold")
    column_names = ("number", "at", "ruling", "why", "amount", "balance", "contra")
    result_column = {"result": lambda row: row["text"]}
    print_table(document["entries"], pick_columns(*column_names) | {"at": lambda row: row["at"][:19]} | result_column)
    say_list_is_cut(page.after, limit)
