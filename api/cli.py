"""`campaign-ledger`: the command line. Messages go to stderr; exit 0 fine, 1 a finding, 2 usage, 3 could not run."""

from __future__ import annotations

import functools
import os
import sys
import threading
from typing import Annotated

import typer
from psycopg.conninfo import conninfo_to_dict

from api import demo as demonstration
from api import inspecting
from api.serving import listen, saying_why, serve, stop_on_signals
from api.settings import logins, projector_url, schema_from, server_key, service_url
from api.up import PORT, up
from ledger.events.ground import REVISION

ABOUT = "Every roll and ruling of a campaign, kept for good."
app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, help=ABOUT)
app.command("up")(up)
app.add_typer(inspecting.app)


@app.command("serve")
def serve_command(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = PORT,
    views: Annotated[bool, typer.Option(help="Keep the views, too; else `campaign-ledger projector` must.")] = True,
) -> None:
    """Serve on the database of LEDGER_DATABASE_URL, as the unprivileged role. LEDGER_SERVER_KEY makes the tokens."""
    with saying_why():
        stop_on_signals()
        key = server_key(os.environ, None)
        url, schema = service_url(os.environ), schema_from(os.environ)
        token = os.environ.get("LEDGER_OPERATOR_TOKEN")
        with listen(host, port) as bound:
            print(f"Campaign Ledger listens on {host}:{bound.getsockname()[1]}.", file=sys.stderr, flush=True)
            keeper = projector_url(os.environ, url, lambda: key) if views else None
            serve(url, schema, key, bound, operator_token=token, projector_url=keeper)


@app.command()
def projector(
    check: Annotated[
        bool, typer.Option("--check", help="Only say whether the views are kept: exit 0, else 1.")
    ] = False,
) -> None:
    """Follow the events of LEDGER_DATABASE_URL and keep the views, until stopped. One process does; others stand by."""
    from api.keeping import MOST_BEHIND
    from api.logs import log_to_stderr
    from projections.views.projector import Projector

    with saying_why():
        key = functools.partial(server_key, os.environ, None)
        url = projector_url(os.environ, service_url(os.environ), key)
        with Projector(url, schema_from(os.environ)) as keeper:
            if check:
                led, behind = keeper.is_led(), keeper.behind()
                print(f"The views are {'' if led else 'not '}kept and {behind} events behind.", file=sys.stderr)
                raise SystemExit(0 if led and behind <= MOST_BEHIND else 1)
            stop_on_signals()
            log_to_stderr(os.environ.get("LEDGER_LOG_LEVEL") or "info", [str(conninfo_to_dict(url).get("password"))])
            keeper.follow(threading.Event())


@app.command()
def migrate() -> None:
    """Bring the database to this version's schema, as its owner (LEDGER_OWNER_URL); safe to repeat."""
    with saying_why():
        database = logins(os.environ, lambda: server_key(os.environ, None))
        database.migrate()
        print(f"The schema {database.schema} is at version {REVISION}.", file=sys.stderr)


@app.command()
def demo(
    address: Annotated[str, typer.Argument(help="Address of a running service.")] = f"http://127.0.0.1:{PORT}",
) -> None:
    """Play the demonstration campaigns through the API of a running service; playing them again changes nothing."""
    with saying_why():
        demonstration.announce(demonstration.load(address, os.environ.get("LEDGER_OPERATOR_TOKEN")), address)


def main() -> None:
    app()


if __name__ == "__main__":
    main()
