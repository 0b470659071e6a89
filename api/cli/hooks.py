"""The operator's command for hooks: those there are, and an end to one."""

from __future__ import annotations

from operator import itemgetter
from typing import Annotated

import typer

from api.cli.failures import saying_why
from api.cli.terminal import RUN, AsJson, Data, campaign_ids, envelope, err, opened, picked, table

app = typer.Typer()
STOPPED = "The operator of the service stopped it."


@app.command("hooks", rich_help_panel=RUN)
def hooks_command(
    campaign: Annotated[
        str | None,
        typer.Argument(metavar="[CAMPAIGN]", help="Only this campaign's.", autocompletion=campaign_ids),
    ] = None,
    stop: Annotated[
        str | None,
        typer.Option(metavar="HOOK", help="Stop this webhook permanently. A game master can create another."),
    ] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Which hooks there are, where they send to, and what came of it last.

    Of an address only the host is told: the rest may be a secret of who made the hook.

    Example: campaign-ledger hooks k3v7q2mzt5a4c --stop q2mzt5a4ck3v7
    """
    from ledger.errors import NotFound, WrongStatus
    from ledger.events.hooks import HookStore
    from projections.documents.hooks import operators_row

    with saying_why(), opened(data) as (ledger, _):
        shelves = ledger.shelves.all() if campaign is None else [ledger.shelves.of(campaign)]
        every = [one for shelf in shelves for one in HookStore(shelf).every()]
        found = [one for one in every if campaign in (None, one.campaign)]
        if stop is not None:
            found = [one for one in found if one.id == stop]
            if not found:
                raise NotFound(
                    f"There is no webhook {stop!r}: `campaign-ledger hooks` lists them.", code="hook-not-found"
                )
            ended = HookStore(ledger.shelves.of(found[0].campaign)).end(stop, "stopped", STOPPED)
            if ended is None:
                raise WrongStatus(f"The hook {stop} is already {found[0].status}.", code="hook-ended")
            found = [ended]
    rows = [operators_row(one) for one in found]
    if as_json:
        envelope("hooks", rows)
    else:
        last = {"last delivery": itemgetter("last_delivery"), "last problem": itemgetter("last_problem")}
        table(rows, picked("id", "campaign", "seat", "status", "to") | last, "There are no webhooks.")
        if stop is not None:
            err.print(f"{stop} is stopped.", markup=False)
