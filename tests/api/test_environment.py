"""Secrets out of files: as good as in the environment, and told to nobody."""

from __future__ import annotations

import uuid
from pathlib import Path

import httpx
import pytest
from psycopg.conninfo import conninfo_to_dict

from api.service.environment import SECRET, settings
from ledger.errors import Fault
from tests.api.conftest import KEY, OPERATOR, SCHEMA
from tests.api.process import process

URL = "postgresql://ledger_service@db.example:5433/ledger?application_name=x"


def kept(folder: Path, text: str) -> str:
    file = folder / uuid.uuid4().hex
    file.write_text(text)
    return str(file)


@pytest.mark.parametrize("name", SECRET)
def test_every_secret_may_stand_in_a_file(tmp_path: Path, name: str) -> None:
    if name.endswith("PASSWORD"):
        url = name.replace("PASSWORD", "URL")
        found = settings({url: URL, f"{name}_FILE": kept(tmp_path, "pass word/@:%\n")})
        assert conninfo_to_dict(found[url]) == {**conninfo_to_dict(URL), "password": "pass word/@:%"}
        assert set(found) == {url}
    else:
        assert settings({f"{name}_FILE": kept(tmp_path, " a secret\r\n")}) == {name: "a secret"}


@pytest.mark.parametrize("name", SECRET)
def test_a_file_that_tells_nothing_is_a_fault_that_names_the_setting(tmp_path: Path, name: str) -> None:
    for place in (str(tmp_path / "none"), str(tmp_path), kept(tmp_path, " \n")):
        with pytest.raises(Fault, match=f"{name}_FILE") as met:
            settings({f"{name}_FILE": place})
        assert met.value.code == "bad-setting"
    with pytest.raises(Fault, match="not both"):
        settings({name: "a secret", f"{name}_FILE": kept(tmp_path, "another")})


@pytest.mark.parametrize("url", ["", "dbname=ledger user=x host=y", "postgresql://a:b@c/d", "postgresql://host/d"])
def test_a_password_belongs_into_a_url_that_has_none(url: str) -> None:
    with pytest.raises(Fault, match="LEDGER_OWNER_URL"):
        settings({"LEDGER_OWNER_URL": url, "LEDGER_OWNER_PASSWORD": "x"})


def test_nothing_else_is_touched() -> None:
    env = {"LEDGER_SCHEMA": "x", "LEDGER_SCHEMA_FILE": "y", "PATH": "z", "LEDGER_SERVER_KEY_FILE": ""}
    assert settings(env) == {"LEDGER_SCHEMA": "x", "LEDGER_SCHEMA_FILE": "y", "PATH": "z"}


def test_the_service_runs_on_files_alone(service_url: str, tmp_path: Path) -> None:
    given = conninfo_to_dict(service_url)
    secrets = {"DATABASE_PASSWORD": str(given["password"]), "SERVER_KEY": KEY.decode(), "OPERATOR_TOKEN": OPERATOR}
    files = {f"{name}_FILE": kept(tmp_path, f"{text}\n") for name, text in secrets.items()}
    url = f"postgresql://{given['user']}@{given['host']}:{given['port']}/{given['dbname']}"
    emptied = {"SERVER_KEY": "", "OPERATOR_TOKEN": "", "PROJECTOR_URL": service_url}
    arguments = {**emptied, **files, "RATE_LIMIT": "off", "ADDRESS_RATE_LIMIT": "off"}
    with process(tmp_path, url, SCHEMA, KEY, OPERATOR, **arguments) as running:
        asked = {"name": "A table", "system": "toy", "gm": {"name": "Ann"}}
        headers = {"Authorization": f"Bearer {OPERATOR}", "Idempotency-Key": str(uuid.uuid4())}
        opened = httpx.post(f"{running.address}/campaigns", json=asked, headers=headers)
        assert opened.status_code == 201, opened.text
        assert httpx.post(f"{running.address}/campaigns", json=asked).status_code == 401
        assert not any(text in running.said for text in secrets.values())
