"""There is no Docker engine where these tests run, so the files for it are held against the project they describe."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
SECRETS = ("LEDGER_OWNER_PASSWORD", "LEDGER_APP_PASSWORD", "LEDGER_SERVER_KEY", "LEDGER_OPERATOR_TOKEN")


def dockerfile() -> list[tuple[str, str]]:
    """Instruction and argument, in order, without comments."""
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    pairs = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    return [(word, rest) for word, rest in pairs]


def argument(instruction: str) -> str:
    return [rest for word, rest in dockerfile() if word == instruction][-1]


def commands() -> list[list[str]]:
    """Every command line the containers give to `campaign-ledger`."""
    ours = [service["command"] for service in SERVICES.values() if "build" in service]
    return [json.loads(argument("CMD")), *ours]


def test_the_entry_point_is_the_script_the_project_installs():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert json.loads(argument("ENTRYPOINT")) == list(project["scripts"])


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_every_command_exists_with_its_options(command):
    program = "from api.cli import main; main()"
    helped = subprocess.run(
        [sys.executable, "-c", program, command[0], "--help"],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "200", "_TYPER_FORCE_DISABLE_TERMINAL": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert helped.returncode == 0, helped.stderr
    for option in [word for word in command if word.startswith("--")]:
        assert option in helped.stdout


def test_what_the_image_copies_is_there_and_reaches_the_engine():
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    for arguments in [rest.split()[:-1] for word, rest in dockerfile() if word == "COPY"]:
        for source in arguments:
            assert (ROOT / source).exists()
            assert source in allowed


def test_the_image_installs_from_hashes_and_runs_unprivileged():
    installs = [rest for word, rest in dockerfile() if word == "RUN" and rest.startswith("pip install")]
    assert [("--require-hashes" in install, "--no-index" in install) for install in installs] == [
        (True, False),
        (False, True),
    ]
    user = argument("USER")
    assert user not in {"root", "0"}
    assert any(word == "RUN" and rest.startswith("useradd") and rest.endswith(user) for word, rest in dockerfile())


def test_every_service_waits_for_what_it_needs():
    waits = {
        name: {on: how["condition"] for on, how in service.get("depends_on", {}).items()}
        for name, service in SERVICES.items()
    }
    assert waits == {
        "postgres": {},
        "migrate": {"postgres": "service_healthy"},
        "api": {"postgres": "service_healthy", "migrate": "service_completed_successfully"},
    }
    for needed in waits.values():
        for name, condition in needed.items():
            assert ("healthcheck" in SERVICES[name]) == (condition == "service_healthy")


def test_the_ports_and_hosts_agree():
    options = SERVICES["api"]["command"]
    port = options[options.index("--port") + 1]
    assert SERVICES["api"]["ports"][0].endswith(f":{port}")
    assert f":{port}/readyz" in SERVICES["api"]["healthcheck"]["test"][-1]
    assert argument("EXPOSE") == port
    urls = [url for name in ("migrate", "api") for key, url in SERVICES[name]["environment"].items() if "_URL" in key]
    assert len(urls) == 3
    assert all(url.endswith("@postgres:5432/ledger") for url in urls)


def test_the_roles_agree_and_the_service_never_sees_the_owner():
    assert (
        f"{SERVICES['postgres']['environment']['POSTGRES_USER']}:"
        in SERVICES["migrate"]["environment"]["LEDGER_OWNER_URL"]
    )
    assert not any("OWNER" in f"{name}{value}" for name, value in SERVICES["api"]["environment"].items())
    same = {SERVICES[name]["environment"]["LEDGER_DATABASE_URL"] for name in ("migrate", "api")}
    assert len(same) == 1


def test_the_data_is_checked_and_kept_in_a_named_volume():
    assert "--data-checksums" in SERVICES["postgres"]["environment"]["POSTGRES_INITDB_ARGS"]
    volume, place = SERVICES["postgres"]["volumes"][0].split(":")
    assert volume in COMPOSE["volumes"]
    assert place == "/var/lib/postgresql/data"


def test_every_secret_comes_from_the_environment_and_must_be_set():
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    uses = re.findall(r"\$\{(\w+)(:\?|:-|\})", text)
    assert {name for name, guard in uses if guard == ":?"} == set(SECRETS)
    assert {name for name, guard in uses if guard != ":?"} == {"LEDGER_PORT"}
    for service in SERVICES.values():
        for name, value in service["environment"].items():
            if re.search("PASSWORD|KEY|TOKEN|URL", name):
                assert ":?" in value
