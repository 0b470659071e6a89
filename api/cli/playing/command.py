"""`campaign-ledger play`: play a game at random on a running service, without knowing its rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from api.run.failures import explain_failures
from api.run.terminal import RUN, say
from api.run.up import PORT

if TYPE_CHECKING:
    from api.cli.playing.table import Table

app = typer.Typer()


@app.command(rich_help_panel=RUN)
def play(
    system: Annotated[
        str | None,
        typer.Option(
            "--random",
            metavar="GAME",
            show_default=False,
            help="The game. Without one, the available games are listed.",
        ),
    ] = None,
    rulings: Annotated[int, typer.Option(min=1, max=100_000, help="The number of rulings to play.")] = 500,
    seed: Annotated[int, typer.Option(help="The random seed of the first evening.")] = 1,
    seats: Annotated[int, typer.Option(min=1, max=8, help="The number of players, not counting the game master.")] = 3,
    evenings: Annotated[
        int, typer.Option(min=1, max=1000, help="The number of evenings. Each one uses the next seed.")
    ] = 1,
    address: Annotated[str, typer.Option(help="Address of a running service.")] = f"http://127.0.0.1:{PORT}",
) -> None:
    """Play a whole evening at random, through the API of a running service.

    It starts a campaign and prints one sentence for each ruling. At the end it prints what was declared, asked, decided
    and refused, how many of the game's actions, facts, questions and choices occurred, and a link to the page for each
    seat. Press Ctrl-C to stop early. The exit code is 1 if an offered action was refused.

    Example: campaign-ledger play --random SYSTEM --rulings 100
    """
    from api.service.environment import ServiceSettings, read_settings

    with explain_failures():
        operator_token = read_settings(ServiceSettings).operator_token
        game = _choose_game(address, system)
        fault_count = _play_evenings(address, operator_token, game, rulings, range(seed, seed + evenings), seats)
    raise SystemExit(int(bool(fault_count)))


def _choose_game(address: str, game: str | None) -> str:
    """Return the game. Raise BadParameter with the available games if the service doesn't offer it."""
    import httpx

    from api.cli.asking import PATIENCE, send

    with httpx.Client(base_url=address, timeout=PATIENCE) as client:
        title_by_game = {
            system["name"]: system["title"]
            for system in send(client, "GET", "/systems", None, None).document["systems"]
        }
    if game in title_by_game:
        return str(game)
    game_list = ", ".join(f"{name} ({title})" for name, title in title_by_game.items())
    problem = f"There is no game {game!r}. " if game is not None else ""
    raise typer.BadParameter(f"{problem}Choose one of {game_list}.", param_hint="--random")


def _play_evenings(
    address: str, operator_token: str | None, game: str, ruling_count: int, seeds: range, player_count: int
) -> int:
    """Play the evenings. Return the number of refusals that should not have happened."""
    import time
    from random import Random

    import httpx

    from api.cli.playing.evening import Evening
    from api.cli.playing.report import list_occurrence_lines, write_report
    from api.cli.playing.table import Record, Table

    total_record = Record()
    start_time, tables = time.monotonic(), []
    with httpx.Client(base_url=address, timeout=60) as client:
        for seed in seeds:
            table = Table(
                client,
                operator_token,
                game,
                Random(seed),
                player_count,
                has_turned_dials=seed != seeds[0],
                earlier_record=total_record,
            )
            say(f"Campaign {table.id}, seed {seed}.")
            evening = Evening(table, say if len(seeds) == 1 else _print_nothing, earlier_record=total_record)
            try:
                evening.play(ruling_count)
            except KeyboardInterrupt:  # after an interruption, report what has happened so far
                break
            finally:
                total_record.add(evening.record)
                tables.append(table)
    for line in write_report(total_record, time.monotonic() - start_time):
        say(line)
    for line in list_occurrence_lines(total_record, table.system):
        say(line)
    for played_table in tables:
        say(f"{played_table.name}: campaign {played_table.id}. Links to the page (each link works once):")
        for name, link in _list_links(address, played_table):
            say(f"  {name:<6} {link}")
    return len(total_record.faults)


def _list_links(address: str, table: Table) -> Iterator[tuple[str, str]]:
    """Yield a link to the page for each seat."""
    import httpx

    from api.cli.asking import PATIENCE, Connection

    with httpx.Client(base_url=address, timeout=PATIENCE) as client:
        for seat in table.seats:
            answer = Connection(client, table.id, seat.token).post("/invites", {"seat": seat.id}, None)
            yield seat.name, answer.document["link"]


def _print_nothing(sentence: str) -> None:
    """Print nothing. With several evenings, only the counts are reported."""
