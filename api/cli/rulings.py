"""Commands that show a ruling, or a list of rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from api.cli.look import Since, Until, find_span
from api.run.failures import explain_failures
from api.run.terminal import (
    LOOK,
    MOST,
    AsJson,
    Campaign,
    Data,
    Limit,
    Order,
    Search,
    Seat,
    make_readable,
    open_campaign_reading,
    open_campaign_views,
    pick_columns,
    print_envelope,
    print_table,
    say,
    say_list_is_cut,
    say_views_are_behind,
)

if TYPE_CHECKING:
    from projections.documents.answers import Given
    from projections.documents.briefs import Brief
    from projections.documents.registers import View
    from projections.documents.rulings import Ruling as RulingDocument
    from projections.documents.subjects import Changed

app = typer.Typer()
Number = Annotated[int, typer.Argument(min=1, max=MOST, metavar="NUMBER", help="The ruling's number.")]


@app.command("ruling", rich_help_panel=LOOK)
def show_ruling_command(
    campaign: Campaign,
    number: Number,
    with_dependents: Annotated[
        bool, typer.Option("--leaning", help="Also list later rulings that depend on this one.")
    ] = False,
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Show a ruling: what was declared and rolled, the results, and how they were worked out.

    Example: campaign-ledger ruling k3v7q2mzt5a4c 12 --leaning
    """
    from projections.documents.comparisons import find_ruling

    with explain_failures(), open_campaign_reading(campaign, seat, data) as reading:
        document = find_ruling(reading.lens, number, with_dependents=with_dependents)
        position = reading.position
    if as_json:
        print_envelope("ruling", document, campaign, position)
    else:
        show_ruling(document)


@app.command("rulings", rich_help_panel=LOOK)
def show_rulings(  # noqa: PLR0913, PLR0917  (one parameter for each option)
    campaign: Campaign,
    status: Annotated[
        Literal["standing", "disputed", "upheld", "overturned", "revised"] | None,
        typer.Option(help="Only rulings with this status."),
    ] = None,
    character: Annotated[str | None, typer.Option(help="Only rulings about the character with this id.")] = None,
    by: Annotated[str | None, typer.Option(metavar="SEAT", help="Only rulings that this seat declared.")] = None,
    scene: Annotated[str | None, typer.Option(help="Only rulings declared in this scene.")] = None,
    session: Annotated[str | None, typer.Option(help="Only rulings of this session.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only rulings on declarations of this kind.")] = None,
    rule: Annotated[str | None, typer.Option(help="Only rulings that use this rule.")] = None,
    target: Annotated[
        str | None,
        typer.Option(metavar="CHARACTER", help="Only rulings about this character in which another character acts."),
    ] = None,
    unit: Annotated[str | None, typer.Option(help="Only rulings that change balances of this unit.")] = None,
    since: Since = None,
    until: Until = None,
    after: Annotated[
        int, typer.Option(min=0, max=MOST, metavar="NUMBER", show_default=False, help="Only rulings after this number.")
    ] = 0,
    limit: Limit = 200,
    order: Order = "asc",
    search: Search = None,
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """List rulings in order, one sentence each. A ruling must match every filter.

    Example: campaign-ledger rulings k3v7q2mzt5a4c --status disputed --by s2

    Example: campaign-ledger rulings k3v7q2mzt5a4c --search "rumour -nose" --order desc
    """
    from api.http import filters
    from projections.documents.registers import Selection, list_rulings
    from projections.views.pages import MOST as MOST_ROWS

    with explain_failures(), open_campaign_views(campaign, seat, data) as reading:
        check_filters = filters.make_filter_check(
            character=character, seat=by, scene=scene, session=session, kind=kind, rule=rule, target=target, unit=unit
        )
        check_filters(reading.lens)
        span = find_span(reading.reader, since, until)
        rows: list[RulingDocument | Brief] = []
        view: View = "whole" if as_json else "brief"
        next_number: str | None = str(after)
        while next_number is not None and len(rows) < limit:
            page_options = int(next_number), min(MOST_ROWS, limit - len(rows)), order, search, view, target, unit, span
            selection = Selection(status, character, by, scene, session, kind, rule, *page_options)
            page = list_rulings(reading.make_view_lens(), reading.reader, selection)
            rows += page.decode()["rulings"]
            next_number = page.after
        say_views_are_behind(reading, page.position)
    if as_json:
        print_envelope("rulings", rows, campaign, page.position, next_number)
        return
    columns = pick_columns("number", "status") | {
        "ruling": lambda row: row["text"],
        "by": lambda row: row["by"]["name"],
        "at": lambda row: row["at"][:16],
    }
    print_table(rows, columns, "No rulings match.")
    say_list_is_cut(next_number, limit)


def show_ruling(ruling: RulingDocument) -> None:
    say(f"Ruling {ruling['number']} {ruling['status']}, {ruling['at']}, by {ruling['by']['name']}", style="bold")
    say(f"  {ruling['text']}")
    if "place" in ruling:
        say(f"  entered late: its number in order of play is {ruling['place']}")
    for answer in ruling["answers"]:
        say(f"  {write_answer(answer)}")
    for step in ruling["because"]:
        inputs_text = f" of {make_readable(step['given'])}" if step["given"] else ""
        say(f"  because {step['text']} ({step['rule']} = {make_readable(step['out'])}{inputs_text})")
    for fact in ruling["facts"]:
        line = f"  {fact['text']}"
        say(f"{line} (struck)" if fact["struck"] else line, style="strike dim" if fact["struck"] else None)
    if refusal := ruling["refusal"]:
        say(f"  has no result: {refusal['text']} {refusal['statement']} ({refusal['rule']})")
    for decision in ruling["decisions"]:
        say(f"  {decision['at'][:19]} {decision['text']}")
    if (first_number := ruling.get("follows")) is not None:
        say(f"  followed automatically from ruling {first_number}")
    for follower in ruling.get("followed", ()):
        follower_name = (
            f"ruling {follower['ruling']}" if follower["ruling"] is not None else f"{follower['waiting']} (waiting)"
        )
        say(f"  then {follower_name} followed: {follower['text']}")
    if ruling["leaning"]:
        say(f"  rulings that depend on this one: {make_readable(ruling['leaning'])}")


def write_answer(answer: Given) -> str:
    """Return a text such as `Giazza rolls 4 and 3 (initiative). (Ben, at the table)`. Ben's seat answered."""
    ((form, content),) = answer["answer"].items()
    source = "" if form == "choice" else ", by the ledger" if _is_by_ledger(content) else ", at the table"
    set_aside_text = ", set aside" if answer["set_aside"] else ""
    return f"{answer['text']} ({answer['by']['name']}{source}{set_aside_text})"


def _is_by_ledger(value: object) -> bool:
    return isinstance(value, dict) and value.get("source") == "ledger"


def show_changes(subject_changes: Changed, style: str | None = None) -> None:
    from ledger.rules.kernel.json_types import split_pointer

    for field in subject_changes["fields"]:
        before_text, after_text = make_readable(field["before"]), make_readable(field["after"])
        if before_text != after_text:  # so that None, an empty list and an empty text look the same
            field_name = "/".join(split_pointer(field["field"]))
            subject_name = subject_changes["name"] or subject_changes["subject"]
            say(f"    {subject_name}: {field_name} {before_text} -> {after_text}", style=style)
