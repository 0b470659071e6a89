"""Commands that look at campaigns: lists, one ruling, statements, replays, audits; and build views anew."""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal

import typer
from rich.markup import escape

from api.clocks import looking as clocks
from api.clocks import moment
from api.serving import saying_why
from api.terminal import (
    AsJson,
    Campaign,
    Data,
    Seat,
    database,
    envelope,
    err,
    looking,
    opened,
    out,
    picked,
    progress,
    table,
)
from projections.exit import Json

app = typer.Typer()
LOOK, KEEP = "Look at a campaign", "Keep the record"
At = Annotated[
    str | None,
    typer.Option("--at", parser=moment, metavar="WHEN", help="As of a ruling, or a time (2026-11-21T19:30:00Z)."),
]
As = Annotated[
    Literal["recorded", "corrected"],
    typer.Option("--as", help="As it was known then, or with every later correction."),
]
Limit = Annotated[int, typer.Option(min=1, max=100_000, help="At most so many.")]


@app.command(rich_help_panel=LOOK)
def campaigns(data: Data = None, as_json: AsJson = False) -> None:
    """Every campaign of the database. Example: campaign-ledger campaigns"""
    with saying_why(), opened(data) as (_, reader):
        names = ("campaign", "name", "system", "rulings", "position", "opened_at", "at")
        rows = reader.ask(f"SELECT {', '.join(names)} FROM {{views}}.campaigns ORDER BY opened_at, campaign", {})
        found = [
            {
                name: value if isinstance(value, str | int) else value.isoformat()
                for name, value in zip(names, row, strict=True)
            }
            for row in rows
        ]
    if as_json:
        envelope("campaigns", found)
    else:
        times = {name: (lambda row, name=name: row[name][:16]) for name in ("opened_at", "at")}
        table(found, picked(*names) | times, "There are no campaigns yet.")


@app.command(rich_help_panel=LOOK)
def timeline(  # noqa: PLR0913, PLR0917  (one parameter an option)
    campaign: Campaign,
    subject: Annotated[str | None, typer.Option(help="Only about this: character:1, scene:4, campaign.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only this kind of fact.")] = None,
    ruling: Annotated[int | None, typer.Option(help="Only of this ruling.")] = None,
    session: Annotated[str | None, typer.Option(help="Only of this session.")] = None,
    at: At = None,
    as_: As = "corrected",
    limit: Limit = 200,
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """What became true, in order, struck facts struck through. Example: campaign-ledger timeline ID --ruling 12"""
    from projections.timelines import Wanted
    from projections.timelines import timeline as told

    with saying_why(), looking(campaign, seat, data) as look:
        when = clocks(at, as_)(look.reader, campaign)
        found: list[Json] = []
        after: tuple[int, int] | None = (0, 0)
        while after is not None and len(found) < limit:
            wanted = Wanted(subject, kind, ruling, session, None, after, min(500, limit - len(found)))
            page = told(look.sight.onlooker(), look.reader, campaign, wanted, when)
            found += page.document["facts"]
            position, _, place = (page.after or "").partition(".")
            after = (int(position), int(place)) if page.after else None
    if as_json:
        envelope("timeline", found, campaign, page.position)
        return
    columns = {
        "id": lambda row: row["id"],
        "ruling": lambda row: row["ruling"],
        "subject": lambda row: row["subject"],
        "kind": lambda row: row["kind"],
        "fact": lambda row: escape(_cut(_short(row["fact"]))),
        "by": lambda row: (row["by"] or {}).get("name", ""),
    }
    table(found, columns, "Nothing became true.")


def _cut(line: str, most: int = 100) -> str:
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _short(fact: Json) -> str:
    return ", ".join(f"{name}={value}" for name, value in fact.items())


@app.command(rich_help_panel=LOOK)
def ruling(campaign: Campaign, number: int, seat: Seat = None, data: Data = None, as_json: AsJson = False) -> None:
    """One ruling: what was declared and rolled, what became true and why. Example: campaign-ledger ruling ID 12"""
    from projections.comparisons import one_ruling

    with saying_why(), looking(campaign, seat, data) as look:
        document = one_ruling(look.sight, number)
        position = look.position
    if as_json:
        envelope("ruling", document, campaign, position)
    else:
        show_ruling(document)


def show_ruling(told: Json) -> None:
    out.print(f"[bold]Ruling {told['number']}[/] {told['status']}, {told['at']}, by {escape(told['by']['name'])}")
    declared = {name: value for name, value in told["declared"].items() if name != "kind"}
    out.print(f"  declared {told['declared']['kind']}: {escape(_short(declared))}")
    for answer in told["answers"]:
        out.print(f"  answered by {escape(answer['by']['name'])}: {escape(str(answer['answer']))}")
    for step in told["because"]:
        out.print(f"  because [italic]{step['rule']}[/] = {escape(str(step['out']))}: {escape(step['statement'])}")
    for fact in told["facts"]:
        line = f"  {fact['subject']} {fact['kind']}: {escape(_short(fact['fact']))}"
        out.print(line, style="strike dim" if fact["struck"] else None)
    for made in told["decisions"]:
        out.print(f"  {made['decision']} by {escape(made['by']['name'])} at {made['at']}: {escape(made['reason'])}")
    if told["leaning"]:
        out.print(f"  rulings that lean on it: {', '.join(map(str, told['leaning']))}")


@app.command(rich_help_panel=LOOK)
def accounts(
    campaign: Campaign,
    at: At = None,
    as_: As = "corrected",
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """What everybody has. Example: campaign-ledger accounts ID --at 12 --as recorded"""
    from projections.accounts import accounts as told

    with saying_why(), looking(campaign, seat, data) as look:
        when = clocks(at, as_)(look.reader, campaign)
        page = told(look.sight.onlooker(), look.reader, campaign, when, "", 100_000)
    if as_json:
        envelope("accounts", page.document, campaign, page.position)
    else:
        names = ("account", "balance", "unit", "name")
        table(
            page.document["accounts"],
            picked(*names),
            "Nobody has anything.",
        )


@app.command(rich_help_panel=LOOK)
def statement(
    campaign: Campaign,
    account: Annotated[str, typer.Argument(help="The account: character:1/credit:nuin")],
    at: At = None,
    as_: As = "corrected",
    limit: Limit = 10_000,
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """An account's entries with its running balance. Example: campaign-ledger statement ID character:1/coin"""
    from projections.accounts import statement as told

    with saying_why(), looking(campaign, seat, data) as look:
        when = clocks(at, as_)(look.reader, campaign)
        page = told(look.sight.onlooker(), look.reader, campaign, account, when, 0, limit)
    if as_json:
        envelope("statement", page.document, campaign, page.position)
        return
    names = ("number", "at", "ruling", "kind", "why", "amount", "balance", "contra")
    out.print(f"[bold]{escape(account)}[/] {page.document['name']}: {page.document['balance']} {page.document['unit']}")
    table(page.document["entries"], picked(*names))


@app.command(rich_help_panel=LOOK)
def replay(  # noqa: PLR0913, PLR0917
    campaign: Campaign,
    session: Annotated[str, typer.Argument(help="The session's id.")],
    first: Annotated[int, typer.Option("--from", min=1, help="Only from this ruling on.")] = 1,
    last: Annotated[int | None, typer.Option("--to", min=1, help="Only up to this ruling.")] = None,
    speed: Annotated[float, typer.Option(min=0, help="Seconds between two rulings; 0: all at once.")] = 0.0,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter before each ruling.")] = False,
    follow: Annotated[bool, typer.Option("--follow", help="Go on as the session is played.")] = False,
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Play a session once more, ruling by ruling. Example: campaign-ledger replay ID 3 --speed 0.5"""
    from projections.replays import replay as told

    with saying_why(), looking(campaign, seat, data) as look:
        while True:
            header, *frames, _ = list(told(look.sight, session, first=first, last=last))
            if as_json and not follow:
                envelope("replay", {**header, "frames": frames}, campaign, header["position"])
                return
            for frame in frames:
                _show_frame(frame, as_json=as_json)
                first = frame["ruling"]["number"] + 1
                if step:
                    typer.prompt("", default="", show_default=False, prompt_suffix="")
                time.sleep(speed)
            if not follow:
                return
            time.sleep(0.5)
            look.sight.book.forward()


def _show_frame(frame: Json, *, as_json: bool) -> None:
    if as_json:
        envelope("replay", frame)
        return
    show_ruling(frame["ruling"])
    for one in frame["changed"]:
        for field in one["fields"]:
            change = f"{field['before']} -> {field['after']}"
            out.print(f"    {escape(one['name'] or one['subject'])}: {field['field']} {escape(change)}", style="cyan")


@app.command(name="what-if", rich_help_panel=LOOK)
def what_if(
    campaign: Campaign,
    without: Annotated[list[int], typer.Option("--without", help="Without this ruling; may be said again.")],
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """What would be different without a ruling; nothing is saved. Example: campaign-ledger what-if ID --without 12"""
    from ledger.application import deciding
    from projections.comparisons import comparison

    with saying_why(), looking(campaign, seat, data) as look:
        shown = deciding.what_if(look.sight.book, look.sight.viewer, without)
        document = comparison(look.sight, shown)
        position = look.position
    if as_json:
        envelope("what-if", document, campaign, position)
        return
    out.print(", ".join(f"{count} {standpoint}" for standpoint, count in document["counts"].items()))
    others = [row for row in document["rulings"] if row["standpoint"] != "stands"]
    table(others, picked("number", "standpoint"), "No later ruling changes.")
    for one in document["subjects"]:
        for field in one["fields"]:
            change = f"{field['before']} -> {field['after']}"
            out.print(f"  {escape(one['name'] or one['subject'])}: {field['field']} {escape(change)}")


@app.command(rich_help_panel=KEEP)
def audit(campaign: Campaign, seat: Seat = None, data: Data = None, as_json: AsJson = False) -> None:
    """Adjudicate everything anew on the recorded answers. Exit 1 on any difference or open finding."""
    from projections.audits import audited

    with saying_why(), looking(campaign, seat, data) as look, progress("Adjudicating anew") as tell:
        document: Any = audited(look.sight, look.reader, tell)
    if as_json:
        envelope("audit", document, campaign, document["position"])
    else:
        told = f"{document['readjudicated']} of {document['rulings']} rulings adjudicated anew"
        out.print(f"[{'green]Healthy' if document['healthy'] else 'red]Not healthy'}[/]: {told}.")
        for one in document["differences"]:
            out.print(f"  {one['what']}: {escape(one['detail'])}")
        for one in document["findings"]:
            out.print(f"  open finding {one['id']}: {one['kind']}, ruling {one['ruling']}")
    raise SystemExit(0 if document["healthy"] else 1)


@app.command(rich_help_panel=KEEP)
def rebuild(
    view: Annotated[list[str] | None, typer.Argument(help="Which views; all of them if none is named.")] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Build views anew beside those in use, and exchange them; broken off, it goes on where it was."""
    from projections.views.projector import Projector
    from projections.views.store import VIEWS

    known = {kind.name: kind for kind in VIEWS}
    unknown = sorted(set(view or ()) - set(known))
    if unknown:
        raise typer.BadParameter(f"no view is named {', '.join(unknown)}; there are {', '.join(known)}")
    kinds = [known[name] for name in dict.fromkeys(view or known)]
    with saying_why():
        where = database(data)
        with Projector(where.projector_url, where.schema) as projector, progress("Building views") as tell:
            projector.rebuild(kinds, tell)
            behind = projector.behind()
    if as_json:
        envelope("rebuild", {"views": [kind.name for kind in kinds], "behind": behind})
    else:
        err.print(f"Built anew: {', '.join(kind.name for kind in kinds)}.")
