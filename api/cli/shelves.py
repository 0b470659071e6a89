"""The operator's command that lists shelves: where each one is, and how full it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from api.run.failures import explain_failures
from api.run.terminal import RUN, AsJson, Data, open_ledger, pick_columns, print_envelope, print_table

if TYPE_CHECKING:
    from projections.views.pages import Views

app = typer.Typer()


@app.command("shelves", rich_help_panel=RUN)
def show_shelves(data: Data = None, as_json: AsJson = False) -> None:
    """List the shelves (the schemas that campaigns are distributed over): server, campaigns, events, bytes, and how far
    the views are behind.

    A campaign's id determines its shelf. `--json` lists each shelf's `number` and `schema`. The exit code is 1 if a
    shelf does not respond.

    Example: campaign-ledger shelves
    """
    from projections.views.pages import Views

    with explain_failures(), open_ledger(data) as (ledger, _):
        rows = [_make_row(Views(shelf)) for shelf in ledger.shelves.list_shelves()]
    if as_json:
        print_envelope("shelves", rows)
    else:
        columns = pick_columns("number", "schema", "server", "campaigns", "events", "bytes", "behind", "status")
        print_table(rows, {"shelf": columns.pop("number"), **columns})
    raise SystemExit(0 if all(row["status"] == "here" for row in rows) else 1)


def _make_row(views: Views) -> dict[str, object]:
    from eventsourcing.persistence import PersistenceError

    from ledger.events.away import is_away
    from projections.views.sizes import measure_size

    shelf = views.shelf
    row: dict[str, object] = {
        "number": shelf.number,
        "schema": shelf.schema,
        "server": None,
        "campaigns": None,
        "events": None,
        "bytes": None,
        "behind": None,
        "status": "here",
    }
    try:
        (newest_id, taken_id), campaign_count = views.find_newest_and_taken(), views.count_campaigns()
        server, byte_count = measure_size(shelf)
    except PersistenceError as problem:
        if not is_away(problem):
            raise
        return row | {"status": "away"}
    return row | {
        "server": server,
        "campaigns": campaign_count,
        "events": newest_id,
        "bytes": byte_count,
        "behind": newest_id - taken_id,
    }
