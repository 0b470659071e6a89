"""`campaign-ledger play`: a program that knows nothing of a game plays it on a running service."""

from __future__ import annotations

from typing import Annotated

import typer

from api.cli.failures import saying_why
from api.cli.terminal import RUN, say
from api.run.up import PORT

app = typer.Typer()


@app.command(rich_help_panel=RUN)
def play(
    system: Annotated[str, typer.Option("--random", metavar="SYSTEM", help="The game: its name in /systems.")],
    rulings: Annotated[int, typer.Option(min=1, max=100_000, help="When the evening is over.")] = 500,
    seed: Annotated[int, typer.Option(help="What chance begins with; of several evenings the first.")] = 1,
    seats: Annotated[int, typer.Option(min=1, max=8, help="Players, beside the game master.")] = 3,
    evenings: Annotated[int, typer.Option(min=1, max=1000, help="Several, each a seed on.")] = 1,
    address: Annotated[str, typer.Option(help="Address of a running service.")] = f"http://127.0.0.1:{PORT}",
) -> None:
    """Play a whole evening at random, through the API of a running service.

    Opens a campaign and prints each ruling's sentence, then what was declared, asked, decided and refused, and how many
    of the game's inputs, facts, questions and choices occurred.
    Ctrl-C ends it sooner. Exit 1: something that was offered was refused.

    Example: campaign-ledger play --random SYSTEM --rulings 100
    """
    from api.service.environment import ServiceSettings, settings

    with saying_why():
        operator = settings(ServiceSettings).operator_token
        faults = _play(address, operator, system, rulings, range(seed, seed + evenings), seats)
    raise SystemExit(int(bool(faults)))


def _play(address: str, operator: str | None, system: str, rulings: int, seeds: range, seats: int) -> int:
    """How many refusals there were that should not have been."""
    import time
    from random import Random

    import httpx

    from api.cli.playing.evening import Evening
    from api.cli.playing.report import occurred, report
    from api.cli.playing.table import Record, Table

    every = Record()
    began = time.monotonic()
    with httpx.Client(base_url=address, timeout=60) as client:
        for seed in seeds:
            table = Table(client, operator, system, Random(seed), seats, turned=seed != seeds[0], before=every)
            say(f"Campaign {table.id}, seed {seed}.")
            evening = Evening(table, say if len(seeds) == 1 else _silent, before=every)
            try:
                evening.play(rulings)
            except KeyboardInterrupt:  # enough was seen: what happened so far is told
                break
            finally:
                every.add(evening.record)
    for line in report(every, time.monotonic() - began):
        say(line)
    for line in occurred(every, table.system):
        say(line)
    return len(every.faults)


def _silent(sentence: str) -> None:
    """Of several evenings only the counts are told."""
