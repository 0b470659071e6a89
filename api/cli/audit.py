"""Commands that check and repair: auditing a campaign, setting aside a ruling, rebuilding the views."""

from __future__ import annotations

from typing import Annotated

import typer

from api.cli.exporting import open_with_key
from api.run.failures import explain_failures
from api.run.terminal import (
    KEEP,
    AsJson,
    Campaign,
    Data,
    Seat,
    check_connection,
    err,
    find_database,
    open_campaign_reading,
    print_envelope,
    say,
    show_progress,
)

app = typer.Typer()


@app.command(rich_help_panel=KEEP)
def audit(campaign: Campaign, seat: Seat = None, data: Data = None, as_json: AsJson = False) -> None:
    """Make every ruling again with its recorded answers, and report all differences from the record.

    The exit code is 1 if there is a difference or an open finding. Rulings of an earlier edition of the rules are
    counted, but can't be checked.

    Example: campaign-ledger audit k3v7q2mzt5a4c
    """
    from projections.documents.audits import audit_record

    with (
        explain_failures(),
        open_campaign_reading(campaign, seat, data, allow_unusable_rules=True) as reading,
        show_progress("Checking rulings") as report_progress,
    ):
        document = audit_record(reading.lens, reading.reader, report_progress)
    if as_json:
        print_envelope("audit", document, campaign, document["position"])
    else:
        say(document["summary"], style="green" if document["healthy"] else "red")
        say(f"  {document['readjudicated']} results of {document['rulings']} rulings were checked again.")
        if not document["rules_installed"]:
            say("  The rules of this campaign's game are not installed here.")
        for row in document["set_aside"]:
            say(f"  set aside by the operator, {row['at'][:16]}: ruling {row['ruling']}, {row['reason']}")
        for difference in document["differences"]:
            say(f"  {difference['what']}: {difference['detail']}")
        for finding in document["findings"]:
            say(f"  open finding {finding['id']}: {finding['kind']}, ruling {finding['ruling']}")
    raise SystemExit(0 if document["healthy"] else 1)


@app.command(rich_help_panel=KEEP)
def repair(
    campaign: Campaign,
    ruling: Annotated[int, typer.Argument(metavar="RULING", min=1, help="The ruling's number.")],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="The reason. It is recorded.")],
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Set aside a ruling on which the game's code fails, so that the campaign can continue.

    Its results stay in the record but do not count. Later rulings with a different result become findings (something
    that needs attention). Repeating the command changes nothing. A game master can reinstate the ruling once the game
    is fixed.

    Example: campaign-ledger repair k3v7q2mzt5a4c 12 --reason "A mistake in the game's rules"
    """
    import json
    from uuid import uuid4

    from ledger.application import Call, format_count
    from projections.documents.presenting import present

    with explain_failures(), open_with_key(data) as ledger:
        reply = ledger.set_ruling_aside(Call(campaign, "", "repair", str(uuid4()), ""), ruling, reason, present)
    document = {**json.loads(reply.body), "repeated": reply.is_repeated}
    if as_json:
        print_envelope("repair", document, campaign, reply.position)
        return
    if reply.is_repeated:
        say(f"Ruling {ruling} was already set aside ({document['reason']}). Nothing was changed.")
    else:
        say(f"Ruling {ruling} was set aside and no longer counts: {document['reason']}")
    findings = format_count(document["findings"], "open finding")
    if findings:
        say(f"  {findings}: `campaign-ledger findings {campaign}` lists what needs attention.")


def _complete_view(incomplete: str) -> list[str]:
    from projections.views.store import VIEWS

    return [kind.name for kind in VIEWS if kind.name.startswith(incomplete)]


@app.command(rich_help_panel=KEEP)
def rebuild(
    view: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="VIEW", help="The views to rebuild. Default: all of them.", autocompletion=_complete_view
        ),
    ] = None,
    shelf: Annotated[
        int | None,
        typer.Option(
            "--shelf", metavar="NUMBER", min=0, help="Only this shelf. Default: all of them, one after another."
        ),
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", min=1, help="How many processes to use. Default: as many as are useful."),
    ] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Rebuild the views (the tables for fast reading). The old views stay in use until the new ones are complete.

    If the command is interrupted, run it again to continue.

    Example: campaign-ledger rebuild timeline balances
    """
    from projections.views.projector import Projector
    from projections.views.store import VIEWS

    kinds_by_name = {kind.name: kind for kind in VIEWS}
    unknown_names = sorted(set(view or ()) - set(kinds_by_name))
    if unknown_names:
        raise typer.BadParameter(
            f"There is no view {', '.join(unknown_names)}. The views are {', '.join(kinds_by_name)}."
        )
    kinds = [kinds_by_name[name] for name in dict.fromkeys(view or kinds_by_name)]
    with explain_failures():
        database = find_database(data)
        check_connection(database.projector_url)
        with (
            Projector(database.projector_url, database.schema) as projector,
            show_progress("Building views") as report_progress,
        ):
            shelf_count = len(projector.shelves)
            if shelf is not None and shelf >= shelf_count:
                raise typer.BadParameter(f"There is no shelf {shelf}. The shelves are numbered 0 to {shelf_count - 1}.")
            projector.rebuild(kinds, report_progress, shelf, processes)
            count_behind = projector.count_behind()
    if as_json:
        print_envelope("rebuild", {"views": [kind.name for kind in kinds], "behind": count_behind})
    else:
        err.print(f"Rebuilt: {', '.join(kind.name for kind in kinds)}.", markup=False)
