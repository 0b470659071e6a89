"""Back up a database with campaigns before an upgrade changes it, unless the operator decides against a backup."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from api.embedded.programs import find_program_folder
from api.embedded.server import EmbeddedPostgres
from api.run.backup import DatabaseAccess, write_backup
from api.service.database import Database
from ledger.errors import Fault
from ledger.events.migration import is_upgrade_due


def back_up_if_needed(database: Database, file: Path | None, *, without_backup: bool, advice: str) -> None:
    """Write a backup if the upgrade needs one. Raise a Fault if it needs one and `file` is None.

    `file`: where to write the backup. `without_backup`: upgrade without a backup. `advice`: the command that the Fault
    tells the operator to run.
    """
    if without_backup or not is_upgrade_due(database.owner_url, database.schema):
        return
    if file is None:
        problem = "This version changes the database. Back it up first, because it has campaigns"
        raise Fault(f"{problem}: {advice}.", code="no-backup")
    _write_backup_first(DatabaseAccess(database.owner_url, None), database.schema, file)


def back_up_before_upgrade(server: EmbeddedPostgres, database: Database, data: Path) -> None:
    """Write a backup into the data folder, if the upgrade needs one."""
    if is_upgrade_due(database.owner_url, database.schema):
        folder = data / "backups"
        folder.mkdir(mode=0o700, exist_ok=True)
        file = folder / f"before-upgrade-{datetime.now(UTC):%Y-%m-%dT%H%M%SZ}.backup"
        _write_backup_first(
            DatabaseAccess(database.owner_url, find_program_folder(server.cluster)), database.schema, file
        )


def _write_backup_first(access: DatabaseAccess, schema: str, file: Path) -> None:
    print(f"This version changes the database. Writing a backup to {file} first ...", file=sys.stderr, flush=True)
    write_backup(access, schema, file)
