"""The operator's command that checks an installation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from api.run.failures import explain_failures, find_reason
from api.run.terminal import RUN, AsJson, Data, check_connection, err, find_database, find_key, print_envelope, say

if TYPE_CHECKING:
    from api.service.database import Database
    from projections.views.pages import Views

app = typer.Typer()
LEAST_ROOM = 2**30  # bytes free on the disk


@dataclass
class Findings:
    """The results of the checks: the problems found by each check, and the names of the checks that could run."""

    problems: list[tuple[str, str]] = field(default_factory=list)
    check_names: list[str] = field(default_factory=list)

    def run_check(self, name: str, check: Callable[[], Iterator[str]]) -> bool:
        """Run a check and note the problems it finds. Return whether it passed."""
        count_before = len(self.problems)
        self.check_names.append(name)
        try:
            for sentence in check():
                self.problems.append((name, sentence))
        except Exception as problem:
            reason = find_reason(problem)
            if reason is None:
                raise
            self.problems.append((name, reason))
        return len(self.problems) == count_before


@app.command("doctor", rich_help_panel=RUN)
def check_installation(data: Data = None, as_json: AsJson = False) -> None:
    """Report what is wrong with this installation, and how to fix it. The exit code is 1 if there is a problem.

    It checks the settings, the server's key, the database and its version, the games, the views and the disk. It
    changes nothing.

    Example: campaign-ledger doctor
    """
    from api.embedded import find_data_folder

    folder = (data or find_data_folder()).resolve()
    with explain_failures():
        findings = examine_installation(data, folder)
    if as_json:
        problems = [{"check": check, "text": sentence} for check, sentence in findings.problems]
        print_envelope("doctor", {"checks": findings.check_names, "problems": problems})
    else:
        for _, sentence in findings.problems:
            say(sentence)
        if not findings.problems:
            say("No problems found.")
        err.print(f"Checked: {', '.join(findings.check_names)}.", markup=False)
    raise SystemExit(1 if findings.problems else 0)


def examine_installation(data: Path | None, folder: Path) -> Findings:
    """Return the findings about the installation. Checks that depend on a failed one are skipped."""
    findings = Findings()
    findings.run_check("games", _check_games)
    findings.run_check("disk", lambda: _check_disk(folder))
    if not findings.run_check("settings", _check_settings):
        return findings
    has_key = findings.run_check("key", lambda: _check_key(data))
    databases: list[Database] = []
    if has_key and findings.run_check("database", lambda: _check_database(data, databases)):
        (database,) = databases
        is_fit = findings.run_check("schema", lambda: _check_schema(database))
        if is_fit:
            findings.run_check("tokens", lambda: _check_tokens(database, data))
            findings.run_check("records", lambda: _check_editions(database))
            findings.run_check("views", lambda: _check_views(database))
    return findings


def _check_settings() -> Iterator[str]:
    from api.service.environment import ServiceSettings, read_settings

    read_settings(ServiceSettings)
    yield from ()


def _check_key(data: Path | None) -> Iterator[str]:
    find_key(data)
    yield from ()


def _check_games() -> Iterator[str]:
    from ledger.rules import list_unfit_systems

    for name, faults in list_unfit_systems().items():
        yield f"The game {name} is not available. {' '.join(faults)}"


def _check_disk(folder: Path) -> Iterator[str]:
    """Yield the problems of the disk that holds the ledger's folder."""
    import shutil

    existing_path = next(path for path in (folder, *folder.parents) if path.exists())
    free_bytes = shutil.disk_usage(existing_path).free
    if free_bytes < LEAST_ROOM:
        free_megabytes, least_megabytes = free_bytes // 2**20, LEAST_ROOM // 2**20
        needs = f"Free up some space: the ledger needs {least_megabytes} MB."
        yield f"The disk of {folder} has only {free_megabytes} MB left. {needs}"


def _check_database(data: Path | None, databases: list[Database]) -> Iterator[str]:
    database = find_database(data)
    check_connection(database.service_url)
    databases.append(database)
    yield from ()


def _check_schema(database: Database) -> Iterator[str]:
    """Raise a LedgerError if the service cannot use the database. It yields nothing."""
    import psycopg

    from ledger.events.database_check import check_database

    with psycopg.connect(database.service_url, connect_timeout=10) as connection:
        check_database(connection, database.schema)
    yield from ()


def _check_tokens(database: Database, data: Path | None) -> Iterator[str]:
    from api.run.backup import has_other_key
    from ledger.application import Keys

    if has_other_key(database, Keys(find_key(data))):
        yield (
            "The tokens of these campaigns were made with a different server key, so none of them works. Set"
            " LEDGER_SERVER_KEY to that key, or put it into the file server-key in the ledger's folder."
        )


def _check_editions(database: Database) -> Iterator[str]:
    """Yield a problem for each game that is not installed although campaigns play it. Raise Newer if campaigns play a
    later edition of a game than the installed one.
    """
    from ledger.rules import list_unfit_systems, systems
    from projections.views.pages import ask_shelf

    for views in _open_views_of_shelves(database):
        rows = ask_shelf(
            views.shelf, "SELECT system, count(*) FROM {views}.campaigns GROUP BY system ORDER BY system", {}
        )
        for system, count in rows:
            if system not in systems() and system not in list_unfit_systems():
                yield f"{_word_campaign_count(count)} of the game {system}, which is not installed. Install it."
        views.check_edition()


def _check_views(database: Database) -> Iterator[str]:
    from projections.views.pages import ask_shelf

    for views in _open_views_of_shelves(database):
        shelf_name = f" of the shelf {views.schema}" if views.shelf.number else ""
        outdated_views = views.list_outdated()
        if outdated_views:
            yield (
                f"The views{shelf_name} are missing or were made by another version ({', '.join(outdated_views)})."
                " A service or projector of this version rebuilds them; `campaign-ledger rebuild` does it now."
            )
            continue
        count_behind = views.count_behind()
        if count_behind:
            advice = "Check that a service or projector is running."
            yield f"The views{shelf_name} are {count_behind} events behind. {advice}"
        stopped_rows = ask_shelf(views.shelf, "SELECT campaign, detail FROM {views}.stopped ORDER BY campaign", {})
        for campaign, detail in stopped_rows:
            advice = f"Run `campaign-ledger audit {campaign}` for details."
            yield f"The views of the campaign {campaign} have stopped: {detail} {advice}"
        for campaign in views.list_campaigns_passed_over():
            yield f"The views are missing a save of the campaign {campaign}: `campaign-ledger rebuild` repairs them."


def _open_views_of_shelves(database: Database) -> Iterator[Views]:
    from ledger.application import Ledger, make_environment
    from projections.views.pages import Views

    with Ledger(
        make_environment(database.service_url, schema=database.schema, pool_size=1), b"for looking only"
    ) as ledger:
        for shelf in ledger.shelves.list_shelves():
            yield Views(shelf)


def _word_campaign_count(count: int) -> str:
    return "1 campaign is" if count == 1 else f"{count} campaigns are"
