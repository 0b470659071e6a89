"""The operator's command that lists webhooks or stops one."""

from __future__ import annotations

from operator import itemgetter
from typing import Annotated

import typer

from api.run.failures import explain_failures
from api.run.terminal import (
    RUN,
    AsJson,
    Data,
    complete_campaign_ids,
    err,
    open_ledger,
    pick_columns,
    print_envelope,
    print_table,
)

app = typer.Typer()
STOPPED = "The operator of the service stopped it."


@app.command("hooks", rich_help_panel=RUN)
def show_or_stop_hooks(
    campaign: Annotated[
        str | None,
        typer.Argument(
            metavar="[CAMPAIGN]", help="Only the webhooks of this campaign.", autocompletion=complete_campaign_ids
        ),
    ] = None,
    stop: Annotated[
        str | None,
        typer.Option(metavar="HOOK", help="Stop this webhook permanently. A game master can create another."),
    ] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """List webhooks: where each one sends, and the result of its last delivery.

    Only the host of each address is shown, because the rest may be a secret of the game master who created the webhook.

    Example: campaign-ledger hooks k3v7q2mzt5a4c --stop q2mzt5a4ck3v7
    """
    from ledger.errors import NotFound, WrongStatus
    from ledger.events.hooks import HookStore
    from projections.documents.hooks import describe_hook_for_operator

    with explain_failures(), open_ledger(data) as (ledger, _):
        shelves = ledger.shelves.list_shelves() if campaign is None else [ledger.shelves.get_shelf_of(campaign)]
        all_hooks = [hook for shelf in shelves for hook in HookStore(shelf).list_all()]
        hooks = [hook for hook in all_hooks if campaign in (None, hook.campaign)]
        if stop is not None:
            hooks = [hook for hook in hooks if hook.id == stop]
            if not hooks:
                raise NotFound(
                    f"There is no webhook {stop!r}: `campaign-ledger hooks` lists them.", code="hook-not-found"
                )
            stopped_hook = HookStore(ledger.shelves.get_shelf_of(hooks[0].campaign)).end(stop, "stopped", STOPPED)
            if stopped_hook is None:
                raise WrongStatus(f"The webhook {stop} is already {hooks[0].status}.", code="hook-ended")
            hooks = [stopped_hook]
    rows = [describe_hook_for_operator(hook) for hook in hooks]
    if as_json:
        print_envelope("hooks", rows)
    else:
        delivery_columns = {"last delivery": itemgetter("last_delivery"), "last problem": itemgetter("last_problem")}
        print_table(
            rows, pick_columns("id", "campaign", "seat", "status", "to") | delivery_columns, "There are no webhooks."
        )
        if stop is not None:
            err.print(f"The webhook {stop} was stopped.", markup=False)
