"""Calculate the needs of a big installation from the cost of a ruling, and find the first limit."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from ledger.events.shelves import MOST
from scripts.capacity_costs import Costs, RequestCosts, measure_costs

FULL = 0.6  # the planned share of a core, or of one writer's time: with more, requests wait
GIGA, TERA = 1e9, 1e12
YEAR = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Wanted:
    """The installation.

    - campaigns: the number of campaigns.
    - playing: how many of them play in the busiest hour.
    - every: the seconds between two rulings of a campaign.
    - hours: the hours of play in a week.
    - seats: the seats of a campaign. Each of them immediately requests new events.
    - save: the milliseconds of a commit.
    """

    campaigns: int
    playing: int
    every: float
    hours: float
    seats: int
    save: float


def calculate(wanted: Wanted, costs: list[Costs], request_costs: RequestCosts) -> list[tuple[str, float, str]]:
    """Return each need, its figure, and its calculation."""
    events, record, view, log, server, views = (
        statistics.mean(getattr(cost, name) for cost in costs)
        for name in ("events", "record", "view", "log", "server", "views")
    )
    rate = wanted.playing / wanted.every
    yearly_rulings = wanted.campaigns * wanted.hours * 3600 / wanted.every * YEAR / (7 * 24 * 3600)
    service_cores = rate * (request_costs.ruling + wanted.seats * request_costs.look) / FULL
    shelf_count = math.ceil(rate * wanted.save / 1000 / FULL)
    look_text = (
        f"{request_costs.ruling * 1e3:.1f} ms a ruling, and {wanted.seats} loads of {request_costs.look * 1e3:.1f} ms"
    )
    return [
        (
            "rulings a second, at the busiest time",
            rate,
            f"{wanted.playing:,} tables, one ruling every {wanted.every:g} s",
        ),
        ("rulings a year", yearly_rulings, f"{wanted.campaigns:,} campaigns, {wanted.hours:g} h a week"),
        ("bytes of record per ruling", record, f"{events:.1f} events with their indexes"),
        ("bytes of views per ruling", view, "can be rebuilt"),
        ("terabytes of record per year", yearly_rulings * record / TERA, "kept permanently"),
        ("terabytes of views per year", yearly_rulings * view / TERA, "made from the record"),
        ("megabytes of log per second", rate * log / 1e6, "to each replica, at the busiest time"),
        (
            "minimum number of shelves",
            shelf_count,
            f"each has one writer, which is {FULL:.0%} busy with saves of {wanted.save:g} ms",
        ),
        ("campaigns a shelf", wanted.campaigns / MOST, f"with {MOST} shelves, the maximum"),
        ("terabytes per shelf and year", yearly_rulings * (record + view) / MOST / TERA, f"with {MOST} shelves"),
        ("cores of the service", service_cores, look_text),
        ("cores of PostgreSQL", rate * server / FULL, f"{server * 1e3:.2f} ms a ruling, including its views"),
        ("cores of projectors", rate * views / FULL, f"{views * 1e3:.2f} ms a ruling"),
        ("rulings a second that one projector handles", FULL / views, "one projector serves all shelves of a database"),
        (
            "days to rebuild all views with one process",
            yearly_rulings * views / 86400,
            "the views of one year; the old views stay in use meanwhile",
        ),
        (
            "databases, if each has one projector",
            rate * views / FULL,
            "a campaign's id does not say which database it is in",
        ),
    ]


def find_first_limit(wanted: Wanted, costs: list[Costs]) -> str:
    """Return the first limit of one database as more and more tables play at once."""
    views = statistics.mean(cost.views for cost in costs)
    limits = {
        "its one projector": FULL / views,
        f"its {MOST} shelves' writers": MOST * FULL / (wanted.save / 1000),
    }
    name = min(limits, key=limits.__getitem__)
    return f"{name}, at {limits[name]:,.0f} rulings a second ({limits[name] * wanted.every:,.0f} tables at once)."


def main(
    campaigns: Annotated[int, typer.Option(min=1, help="The number of campaigns.")] = 1_000_000,
    playing: Annotated[int, typer.Option(min=1, help="How many campaigns play at once in the busiest hour.")] = 50_000,
    every: Annotated[float, typer.Option(min=0.1, help="Seconds between two rulings at a table.")] = 30,
    hours: Annotated[float, typer.Option(min=0, help="Hours of play per week and campaign.")] = 4,
    seats: Annotated[int, typer.Option(min=0, help="How many seats load the changes of each ruling.")] = 5,
    save: Annotated[float, typer.Option(min=0.01, help="Milliseconds for which a commit locks its shelf.")] = 5,
    quick: Annotated[
        bool, typer.Option("--quick", help="Measure only a tenth of the rulings, to check that it works.")
    ] = False,
) -> None:
    """Measure the cost of a ruling, and print what this many campaigns need."""
    costs, request_costs = measure_costs(60 if quick else 600)
    wanted = Wanted(campaigns, playing, every, hours, seats, save)
    console = Console()
    table = Table("a ruling of", "events", "record", "views", "log", "rules", "PostgreSQL", "projector")
    for cost in costs:
        kilobytes = (f"{figure / 1e3:.2f} kB" for figure in (cost.record, cost.view, cost.log))
        spent = (f"{seconds * 1e3:.2f} ms" for seconds in (cost.rules, cost.server, cost.views))
        table.add_row(cost.game, f"{cost.events:.1f}", *kilobytes, *spent)
    console.print(table)
    needed = Table("needed", "", "why")
    for what, figure, why in calculate(wanted, costs, request_costs):
        needed.add_row(what, f"{figure:,.0f}" if figure >= 100 else f"{figure:,.2f}", why)
    console.print(needed)
    console.print(f"The first limit of a database is {find_first_limit(wanted, costs)}")


if __name__ == "__main__":
    typer.run(main)
