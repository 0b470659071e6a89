"""The commands that run the service, the projector, the migration and the demonstration."""

from __future__ import annotations

import functools
import sys
import threading
from pathlib import Path
from typing import Annotated

import typer

from api.run.failures import explain_failures
from api.run.terminal import RUN, check_connection
from api.run.up import PORT

app = typer.Typer()


@app.command("serve", rich_help_panel=RUN)
def run_service(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = PORT,
    views: Annotated[
        bool, typer.Option(help="Also keep the views up to date. With --no-views, run `campaign-ledger projector`.")
    ] = True,
) -> None:
    """Run the service with the database in LEDGER_DATABASE_URL, as the unprivileged role.

    Tokens are made with LEDGER_SERVER_KEY.

    Example: campaign-ledger serve --port 9000
    """
    from api.run.ending import end_at_once
    from api.run.serve import bind_socket, serve, stop_on_signals
    from api.run.views import ViewsHere
    from api.service.database import find_direct_url, find_or_make_server_key, find_projector_url, find_service_url
    from api.service.environment import SERVING, ServiceSettings, read_settings
    from api.service.options import read_options

    with end_at_once(), explain_failures():
        stop_on_signals()
        env = read_settings(ServiceSettings, SERVING)
        key = find_or_make_server_key(env, None)
        url, operator_token = find_service_url(env), env.operator_token
        check_connection(url)
        with bind_socket(host, port) as bound_socket:
            message = f"Campaign Ledger listens on {host}:{bound_socket.getsockname()[1]}."
            serve(
                url,
                env.schema_name,
                key,
                bound_socket,
                operator_token=operator_token,
                options=read_options(env, runs_open=operator_token is None),
                views=ViewsHere(find_projector_url(env, find_direct_url(env), lambda: key)) if views else None,
                when_started=lambda ledger: print(message, file=sys.stderr, flush=True),
            )


@app.command("projector", rich_help_panel=RUN)
def run_projector(
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Only check whether the views are being updated: exit code 0 if they are, else 1."
        ),
    ] = False,
) -> None:
    """Keep the views up to date with the events in LEDGER_DATABASE_URL, until stopped.

    Only one process does this at a time. Others wait to take over.

    Example: campaign-ledger projector --check
    """
    from psycopg.conninfo import conninfo_to_dict

    from api.run.serve import stop_on_signals
    from api.run.views import MOST_BEHIND
    from api.service.database import find_direct_url, find_or_make_server_key, find_projector_url
    from api.service.environment import KEEPING, ServiceSettings, read_settings
    from api.service.logs import log_to_stderr
    from projections.views.projector import Projector

    with explain_failures():
        env = read_settings(ServiceSettings, KEEPING)
        url = find_projector_url(env, find_direct_url(env), functools.partial(find_or_make_server_key, env, None))
        with Projector(url, env.schema_name) as projector:
            if check:
                is_led, count_behind = projector.is_led(), projector.count_behind()
                stopped_count = len(projector.list_stopped_campaigns())
                print(
                    f"The views are {'' if is_led else 'not '}being updated and are {count_behind} events behind.",
                    file=sys.stderr,
                )
                if stopped_count:
                    print(
                        f"The views of {stopped_count} campaigns have stopped."
                        " Run `campaign-ledger audit` for the reason.",
                        file=sys.stderr,
                    )
                raise SystemExit(0 if is_led and count_behind <= MOST_BEHIND else 1)
            stop_on_signals()
            log_to_stderr(env.log_level or "info", [str(conninfo_to_dict(url).get("password"))])
            projector.follow(threading.Event())


@app.command(rich_help_panel=RUN)
def migrate(
    backup: Annotated[
        Path | None,
        typer.Option("--backup", metavar="FILE", help="First write a backup to this file, which must not exist yet."),
    ] = None,
    no_backup: Annotated[
        bool, typer.Option("--no-backup", help="Change the database without a backup, even if it has campaigns.")
    ] = False,
) -> None:
    """Upgrade the database to this version's schema, as the database's owner (LEDGER_OWNER_URL). You can repeat this
    safely.

    If the database has campaigns, you must use --backup or --no-backup.

    Example: campaign-ledger migrate --backup before-upgrade.backup
    """
    from api.run.upgrading import back_up_if_needed
    from api.service.database import find_logins, find_or_make_server_key
    from api.service.environment import MIGRATING, Settings, read_settings
    from ledger.events.database_check import REVISION

    with explain_failures():
        env = read_settings(Settings, MIGRATING)
        database = find_logins(env, lambda: find_or_make_server_key(env, None))
        advice = "run campaign-ledger migrate with --backup FILE, or with --no-backup"
        back_up_if_needed(database, backup, without_backup=no_backup, advice=advice)
        database.migrate()
        print(f"The schema {database.schema} is at version {REVISION}.", file=sys.stderr)


@app.command("demo", rich_help_panel=RUN)
def load_demo(
    address: Annotated[
        str, typer.Argument(metavar="ADDRESS", help="Address of a running service.")
    ] = f"http://127.0.0.1:{PORT}",
) -> None:
    """Play the demonstration campaigns through the API of a running service.

    If they already exist, nothing changes.

    Example: campaign-ledger demo http://127.0.0.1:9000
    """
    from api.run.demo import make_links, play_demonstrations, print_demonstrations
    from api.service.environment import ServiceSettings, read_settings

    with explain_failures():
        demonstrations = play_demonstrations(address, read_settings(ServiceSettings).operator_token)
        print_demonstrations(demonstrations, address, make_links(address, demonstrations))
