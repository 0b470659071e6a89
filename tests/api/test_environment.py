"""What is missing or wrong is told at once; a secret out of a file is as good as any, and told to nobody."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import uuid
from pathlib import Path

import httpx
import pytest
from psycopg.conninfo import conninfo_to_dict

from api.service.database import find_logins
from api.service.environment import KEEPING, MIGRATING, SECRET, SERVING, Needs, ServiceSettings, Settings
from ledger.application import make_environment
from ledger.errors import Fault
from tests.api.conftest import KEY, OPERATOR, SCHEMA
from tests.api.process import PROGRAM, ROOT, process
from tests.settings import settings_of

URL = "postgresql://ledger_service@db.example:5433/ledger?application_name=x"


def kept(folder: Path, text: str) -> str:
    file = folder / uuid.uuid4().hex
    file.write_text(text)
    return str(file)


@pytest.mark.parametrize("name", SECRET)
def test_every_secret_may_stand_in_a_file(tmp_path: Path, name: str) -> None:
    field = name.removeprefix("LEDGER_").replace("PASSWORD", "URL").lower()
    if name.endswith("PASSWORD"):
        said = {name.replace("PASSWORD", "URL"): URL, f"{name}_FILE": kept(tmp_path, "pass word/@:%\n")}
        found = settings_of(ServiceSettings, said).model_dump(exclude_unset=True)
        assert conninfo_to_dict(found.pop(field)) == {**conninfo_to_dict(URL), "password": "pass word/@:%"}
        assert not found
    else:
        one = settings_of(ServiceSettings, {f"{name}_FILE": kept(tmp_path, " a secret, long enough\r\n")})
        assert one.model_dump(exclude_unset=True) == {field: "a secret, long enough"}
        assert "a secret" not in repr(one)


@pytest.mark.parametrize("name", SECRET)
def test_a_file_that_tells_nothing_is_a_fault_that_names_the_setting(tmp_path: Path, name: str) -> None:
    for place in (str(tmp_path / "none"), str(tmp_path), kept(tmp_path, " \n")):
        with pytest.raises(Fault, match=f"{name}_FILE") as met:
            settings_of(ServiceSettings, {f"{name}_FILE": place})
        assert met.value.code == "bad-setting"
    with pytest.raises(Fault, match="not both"):
        settings_of(ServiceSettings, {name: "a secret", f"{name}_FILE": kept(tmp_path, "another")})


@pytest.mark.parametrize("url", ["", "dbname=ledger user=x host=y", "postgresql://a:b@c/d", "postgresql://host/d"])
def test_a_password_belongs_into_a_url_that_has_none(url: str) -> None:
    with pytest.raises(Fault, match="LEDGER_OWNER_URL"):
        settings_of(ServiceSettings, {"LEDGER_OWNER_URL": url, "LEDGER_OWNER_PASSWORD": "x"})


SEVERAL = "postgresql://a:b@one.example:5432,two.example:5433/ledger"


@pytest.mark.parametrize(
    ("url", "target"),
    [
        (SEVERAL, "read-write"),
        (f"{SEVERAL}?target_session_attrs=any", "any"),
        ("host=one.example,two.example user=a dbname=ledger", "read-write"),
        ("postgresql:///ledger?host=one.example,two.example", "read-write"),
        (URL, None),
        ("nonsense", None),
    ],
)
def test_of_several_hosts_the_one_that_takes_writes_is_meant(url: str, target: str | None) -> None:
    for name in ("DATABASE", "OWNER", "PROJECTOR", "DIRECT"):
        found = settings_of(ServiceSettings, {f"LEDGER_{name}_URL": url}).model_dump()[f"{name.lower()}_url"]
        if target is None:
            assert found == url
        else:
            assert conninfo_to_dict(found) == {**conninfo_to_dict(url), "target_session_attrs": target}
    if target is not None:
        assert make_environment(url)["LEDGER_TARGET_SESSION_ATTRS"] == target


def test_what_the_environment_says_of_several_hosts_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGTARGETSESSIONATTRS", "any")
    assert settings_of(ServiceSettings, {"LEDGER_DATABASE_URL": SEVERAL}).database_url == SEVERAL


@pytest.mark.parametrize(
    ("hosts", "ports"),
    [
        ("one.example:5433,two.example", "5433,5432"),
        ("one.example:5433,two.example:5434", "5433,5434"),
        ("[::1]:5433,two.example:5434", "5433,5434"),
    ],
)
def test_logins_that_follow_from_another_name_all_its_hosts(hosts: str, ports: str) -> None:
    url = f"postgresql://owner:secret@{hosts}/ledger"
    with_password = settings_of(
        Settings, {"LEDGER_OWNER_URL": url.replace(":secret", ""), "LEDGER_OWNER_PASSWORD": "x"}
    )
    found = find_logins(with_password, lambda: KEY)
    for login in (found.service_url, found.projector_url):
        said = conninfo_to_dict(login)
        assert (said["host"], said["port"]) == (conninfo_to_dict(url)["host"], ports)
        assert said["target_session_attrs"] == "read-write"


def test_as_many_ports_as_hosts_or_one() -> None:
    owner = "host=one.example,two.example,three.example user=owner dbname=ledger port="
    with pytest.raises(Fault, match="3 hosts and 2 ports"):
        find_logins(settings_of(Settings, {"LEDGER_OWNER_URL": f"{owner}1,2"}), lambda: KEY)
    found = find_logins(settings_of(Settings, {"LEDGER_OWNER_URL": f"{owner}5433"}), lambda: KEY)
    assert conninfo_to_dict(found.service_url)["port"] == "5433,5433,5433"


def test_the_public_address_is_an_origin() -> None:
    assert settings_of(ServiceSettings, {"LEDGER_PUBLIC_URL": " https://a.example/ "}).public_url == "https://a.example"
    for url in ("a.example", "https://a.example/table", "https://a b.example"):
        with pytest.raises(Fault, match="LEDGER_PUBLIC_URL must be the service's public address") as met:
            settings_of(ServiceSettings, {"LEDGER_PUBLIC_URL": url})
        assert met.value.code == "bad-setting"


def test_what_is_set_to_nothing_is_not_set() -> None:
    names = {*SECRET, *(f"{name}_FILE" for name in SECRET)} - {"LEDGER_OPERATOR_TOKEN"}
    said = dict.fromkeys((*names, "LEDGER_SCHEMA", "LEDGER_LOG_LEVEL", "LEDGER_RATE_LIMIT", "LEDGER_HSTS"), "")
    found = settings_of(ServiceSettings, {**said, "LEDGER_SCHEMA_FILE": "no secret", "schema_name": "x"})
    assert found == settings_of(ServiceSettings, {}) and found.schema_name == "ledger"


def test_all_that_is_wrong_is_told_at_once_each_by_its_name() -> None:
    wrong = {
        "LEDGER_OPERATOR_TOKEN": "hunter2",
        "LEDGER_LOG_LEVEL": "loud",
        "LEDGER_RATE_LIMIT": "600",
        "LEDGER_CORS_ORIGINS": "*",
        "LEDGER_HSTS": "forever",
        "LEDGER_METRICS_TOKEN_FILE": "/nowhere",
        "LEDGER_OWNER_PASSWORD": "hunter3",
    }
    with pytest.raises(Fault) as met:
        settings_of(ServiceSettings, wrong, SERVING)
    lines = met.value.detail.splitlines()
    told = {"LEDGER_DATABASE_URL", "LEDGER_SERVER_KEY", "LEDGER_OWNER_URL", *wrong} - {"LEDGER_OWNER_PASSWORD"}
    assert {name for line in lines for name in told if name in line.split()[0] or f", {name} is" in line} == told
    assert len(lines) == len(told) and all(line.endswith((".", "/nowhere")) for line in lines)
    assert "hunter" not in met.value.detail and met.value.__cause__ is None


U, K = {"LEDGER_DATABASE_URL": URL}, {"LEDGER_SERVER_KEY": "k" * 16}
O, P = {"LEDGER_OWNER_URL": URL}, {"LEDGER_PROJECTOR_URL": URL}  # noqa: E741


@pytest.mark.parametrize(
    ("needs", "said", "missing"),
    [
        (SERVING, {}, {*U, *K}),
        (SERVING, U, {*K}),
        (SERVING, O | P, {*U, *K}),
        (SERVING, U | K, set()),
        (KEEPING, {}, {*U, *K}),
        (KEEPING, P, {*U}),
        (KEEPING, U | P, set()),
        (MIGRATING, {}, {*U, *K}),
        (MIGRATING, O, {*K}),
        (MIGRATING, U | P, {*K}),
        (MIGRATING, U | K, set()),
        (MIGRATING, U | O | P, set()),
    ],
)
def test_what_a_command_needs_is_told_at_once(needs: Needs, said: dict[str, str], missing: set[str]) -> None:
    try:
        settings_of(ServiceSettings, said, needs)
        told = ""
    except Fault as problem:
        told = problem.detail
    assert {line.partition(" is not set. It must be ")[0] for line in told.splitlines()} == missing


def test_the_command_says_all_of_it(tmp_path: Path) -> None:
    kept_ = {name: value for name, value in os.environ.items() if not name.startswith("LEDGER_")}
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, "serve"],
        cwd=ROOT,
        env={**kept_, "LEDGER_HSTS": "forever"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 3 and ended.stdout == ""
    assert re.findall("LEDGER_[A-Z_]+", ended.stderr) == ["LEDGER_DATABASE_URL", "LEDGER_SERVER_KEY", "LEDGER_HSTS"]


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
