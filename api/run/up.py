"""`scripts/up`: run the database, the service and the demonstration campaigns on one machine. Ctrl-C stops them all."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated

import typer

from api.run.failures import explain_failures

if TYPE_CHECKING:
    from ledger.application import Ledger

PORT = 8765
#: This file exists only in a checkout.
SCRIPT = Path(__file__).resolve().parents[2] / "scripts/docs"


def up(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on 127.0.0.1. 0 chooses a free one.")] = PORT,
    data: Annotated[
        Path | None, typer.Option(help="Folder for the database and keys. It is kept between runs.")
    ] = None,
    with_demonstrations: Annotated[
        bool, typer.Option("--demo/--no-demo", help="Load the demonstration campaigns.")
    ] = True,
    backup: Annotated[
        bool, typer.Option("--backup/--no-backup", help="Back up the database before an upgrade that changes it.")
    ] = True,
    lan: Annotated[bool, typer.Option("--lan", help="Allow other devices in this network, without TLS.")] = False,
) -> None:
    """Start Campaign Ledger on this machine: its own PostgreSQL (or LEDGER_DATABASE_URL), and the service.

    Press Ctrl-C to stop it. The campaigns are kept for the next start.

    Example: campaign-ledger up --port 9000
    """
    from api.embedded import find_data_folder
    from api.run.ending import end_at_once

    with end_at_once(), explain_failures():
        _start_everything(port, (data or find_data_folder()).resolve(), with_demonstrations, lan, backup)


def _start_everything(
    port: int, data: Path, with_demonstrations: bool, is_for_network: bool, may_back_up: bool
) -> None:
    from api.embedded import EmbeddedPostgres
    from api.run.keeping import keep_running
    from api.run.lan import EVERYWHERE, find_own_address, make_network_options
    from api.run.serve import bind_socket, serve, stop_on_signals
    from api.run.upgrading import back_up_before_upgrade, back_up_if_needed
    from api.run.views import ViewsHere
    from api.service.database import find_logins, find_or_make_operator_token, find_or_make_server_key
    from api.service.environment import ServiceSettings, read_settings
    from api.service.options import read_options

    stop_on_signals()
    env = read_settings(ServiceSettings)
    with ExitStack() as stack:
        bound_socket = stack.enter_context(bind_socket(EVERYWHERE if is_for_network else "127.0.0.1", port))
        server: EmbeddedPostgres | None = None
        if env.database_url or env.owner_url:
            data.mkdir(parents=True, exist_ok=True)
        else:
            print(f"Starting PostgreSQL on {data} ...", flush=True)
            server = stack.enter_context(EmbeddedPostgres(data))
        key = find_or_make_server_key(env, data)
        database = find_logins(env, lambda: key, server.owner_url if server is not None else None)
        if server is None:
            advice = "write a backup with campaign-ledger backup FILE, then start with --no-backup"
            back_up_if_needed(database, None, without_backup=not may_back_up, advice=advice)
        elif may_back_up:
            back_up_before_upgrade(server, database, data)
        database.migrate()
        port = bound_socket.getsockname()[1]
        operator_token = find_or_make_operator_token(env, data) if is_for_network else env.operator_token
        options = read_options(env, runs_open=operator_token is None)
        if is_for_network:
            options = make_network_options(env, options, f"http://{find_own_address()}:{port}")
        service = RunningService(
            f"http://127.0.0.1:{port}",
            options.public_url if is_for_network else None,
            operator_token,
            data,
            options.docs,
        )

        def finish_start(ledger: Ledger) -> None:
            if server is not None:
                stack.enter_context(keep_running(server, ledger.disk))
            Thread(target=_announce_service, args=(service, with_demonstrations), daemon=True).start()
            if env.docs is None and SCRIPT.exists():
                stack.callback(_start_docs_build().terminate)

        serve(
            database.service_url,
            database.schema,
            key,
            bound_socket,
            operator_token=operator_token,
            options=options,
            views=ViewsHere(database.projector_url, beside=True),
            when_started=finish_start,
        )


def _start_docs_build() -> subprocess.Popen[bytes]:
    """Start building the documentation. Until it is built, /docs/ serves the previous pages, or says what to do."""
    command = [sys.executable, str(SCRIPT), "--background"]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@dataclass(frozen=True, slots=True)
class RunningService:
    """The running service. `network_address`: its address for other devices on the network, or None. `docs`: the folder
    for /docs/.
    """

    address: str
    network_address: str | None
    operator_token: str | None
    data: Path
    docs: Path


def _announce_service(service: RunningService, with_demonstrations: bool) -> None:
    address = service.network_address or service.address
    print(f"\nCampaign Ledger is running at {address} (press Ctrl-C to stop it).")
    if (service.docs / "scripts.json").exists():
        print(f"The documentation is at {address}/docs/.")
    elif SCRIPT.exists():
        print(f"The documentation is being built. It will be at {address}/docs/ in a few minutes.")
    print(flush=True)
    if service.network_address is not None:
        from api.run.lan import print_warning

        print_warning(service.data)
    if not with_demonstrations:
        return
    from api.run import demo

    try:
        demonstrations = demo.play_demonstrations(service.address, service.operator_token)
        demo.print_demonstrations(
            demonstrations,
            address,
            demo.make_links(service.address, demonstrations, is_for_everybody=service.network_address is not None),
        )
    except demo.Unplayable as problem:
        print(f"The demonstration can't be loaded: {problem}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    alone.command()(up)
    alone(prog_name="scripts/up")
