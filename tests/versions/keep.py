"""Keep the databases of the version in `pyproject.toml`: one of each system, as this version leaves it.

`python -m tests.versions.keep`. For each system three kinds of files: the database as SQL, an export of each campaign
in it, and as JSON what the service showed of it, and what it answered when play went on.
"""

from __future__ import annotations

import gzip
import json
import shutil
import sys
import tempfile
import tomllib
from pathlib import Path

from api.embedded import EmbeddedPostgres
from ledger.rules import systems
from tests.api.table import Json
from tests.versions.database import dump, new_database, running
from tests.versions.looking import shown
from tests.versions.playing import Company, Examples, play_by_chance, play_examples
from tests.versions.stored import made_up

FOLDER = Path(__file__).parent
TOY = "toy"  # of the tests: it may change as it likes


def keep(system: str, owner_url: str, folder: Path) -> None:
    """Play a database of the system, and write it into the folder. `owner_url`: of a superuser on some server."""
    with new_database(owner_url, f"kept_{system}") as logins, running(logins) as place:
        companies: dict[str, Company] = {"chance": play_by_chance(place, system)}
        told = play_examples(place, system)
        if told is not None:
            companies["examples"] = told
        campaigns = {name: _looked_at(company) for name, company in companies.items()}
        place.views_are_whole()
        text = dump(logins.owner_url)
        for name, company in companies.items():
            export = place.service.send("GET", f"/campaigns/{company.campaign}/export", place.service.operator).content
            _write(folder / f"{system}.{name}.jsonl.gz", export)
            campaigns[name] |= _gone_on(company)
    kept = {"system": system, "edition": systems()[system].edition, "stored": made_up(system), "campaigns": campaigns}
    _write(folder / f"{system}.sql.gz", text.encode())
    _write(folder / f"{system}.json.gz", json.dumps(kept, separators=(",", ":"), ensure_ascii=False).encode())


def _looked_at(company: Company) -> Json:
    """The campaign, its seats, its seal, and what everybody sees."""
    opening = {"opening": company.opening} if isinstance(company, Examples) else {}
    return {
        "campaign": company.campaign,
        "tokens": dict(company.tokens),
        **opening,
        "seal": company["s1"].look("/seal"),
        "shown": {seat: shown(company[seat]) for seat in company.tokens},
    }


def _gone_on(company: Company) -> Json:
    """What was asked for next, and answered; and what the game master saw then."""
    company.noted = []
    company.overturns_and_reinstates(company.game())
    company.answer()
    company.overturns_and_reinstates(reversed(company.game()))
    return {"next": company.noted, "afterwards": shown(company["s1"])}


def _write(file: Path, content: bytes) -> None:
    """Packed, with no time of day in it."""
    file.write_bytes(gzip.compress(content, 9, mtime=0))


def keep_all(version: str, folder: Path = FOLDER) -> Path:
    """Every system's files, in a folder of the version. SystemExit where it is there: no release is told again."""
    own = folder / version
    if own.exists():
        sys.exit(f"The databases of version {version} are kept already, and are never made anew: they are its own.")
    own.mkdir()
    try:
        with tempfile.TemporaryDirectory(prefix="ledger-kept-") as data, EmbeddedPostgres(Path(data)) as server:
            for system in sorted(set(systems()) - {TOY}):
                keep(system, server.owner_url, own)
    except BaseException:
        shutil.rmtree(own)
        raise
    return own


def main() -> None:
    version = tomllib.loads((FOLDER.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    for file in sorted(keep_all(version).iterdir()):
        print(f"{file.relative_to(FOLDER)}: {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
