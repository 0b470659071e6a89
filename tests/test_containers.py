"""There is no Docker engine where these tests run, so the files for it are held against the project they describe."""

import ipaddress
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
from psycopg.conninfo import conninfo_to_dict

from api.run.serve import LAST_REQUESTS
from api.service.database import find_logins, find_or_make_server_key, find_projector_url, find_service_url
from api.service.environment import SECRET, ServiceSettings
from ledger.events.database_check import PROJECTOR_ROLE, SERVICE_ROLE
from tests.conftest import POSTGRES_IMAGE
from tests.levels import sampled
from tests.settings import settings_of

ROOT = Path(__file__).resolve().parent.parent
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if "build" in service}
SECRETS = ("owner-password", "service-password", "server-key", "operator-token")
WITH_A_PASSWORD = re.compile(r"//[^/@]*:[^/@]*@")


def dockerfile() -> list[tuple[str, str]]:
    """Instruction and argument, in order, without comments."""
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    pairs = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    return [(word, rest) for word, rest in pairs]


def image() -> list[tuple[str, str]]:
    """The last stage: what runs."""
    instructions = dockerfile()
    return instructions[max(place for place, (word, _) in enumerate(instructions) if word == "FROM") :]


def argument(instruction: str) -> str:
    return [rest for word, rest in dockerfile() if word == instruction][-1]


def commands() -> list[list[str]]:
    """Every command line the containers give to `campaign-ledger`, checks of health among them."""
    checks = [service["healthcheck"]["test"][1:] for service in OURS.values() if "healthcheck" in service]
    checked = [check[1:] for check in checks if check[0] == "campaign-ledger"]
    return [json.loads(argument("CMD")), *(service["command"] for service in OURS.values()), *checked]


def helped(*command: str) -> str:
    """What the command line says of itself."""
    program = "from api.cli.main import main; main()"
    ended = subprocess.run(
        [sys.executable, "-c", program, *command, "--help"],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "200", "_TYPER_FORCE_DISABLE_TERMINAL": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_the_entry_point_is_the_script_the_project_installs():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert json.loads(argument("ENTRYPOINT")) == list(project["scripts"])


@pytest.mark.parametrize("command", sampled(commands(), 2), ids=" ".join)
def test_every_command_exists_with_its_options(command):
    assert re.search(rf"^\W*{command[0]}\b", helped(), re.MULTILINE)
    said = helped(command[0])
    for option in [word for word in command if word.startswith("--")]:
        assert option in said


def test_the_file_is_what_the_compose_specification_allows():
    checked = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", "docker-compose.yml"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout


def test_the_image_is_built_as_it_should_be():
    """What hadolint looks for, as far as it applies."""
    words = [word for word, _ in image()]
    assert [rest for word, rest in dockerfile() if word == "FROM"] == [f"{argument('FROM')} AS docs", argument("FROM")]
    _, tag = argument("FROM").split(":")
    assert tag != "latest" and tag[0].isdigit()
    assert "ADD" not in words and not any("sudo" in rest or "apt-get" in rest for _, rest in dockerfile())
    assert max(index for index, word in enumerate(words) if word in ("RUN", "COPY")) < words.index("USER")
    assert argument("WORKDIR").startswith("/")
    assert words.count("CMD") == words.count("ENTRYPOINT") == 1
    assert not any(re.search("PASSWORD|KEY|TOKEN", rest) for word, rest in dockerfile() if word in ("ENV", "ARG"))


@pytest.mark.parametrize("image", [argument("FROM"), SERVICES["postgres"]["image"], SERVICES["proxy"]["image"]])
def test_what_is_not_ours_comes_in_an_exact_version(image):
    """Of the program and of the distribution below it. (No digest could be looked up where this was written.)"""
    assert re.fullmatch(r"[a-z]+:[0-9]+(\.[0-9]+)+(-slim)?-[a-z]+", image)
    assert image.count(".") == (1 if image.startswith("postgres") else 2)


def test_the_tests_run_on_the_same_image():
    assert SERVICES["postgres"]["image"] == POSTGRES_IMAGE


@pytest.mark.parametrize("name", SERVICES)
def test_no_container_may_do_more_than_it_must(name):
    service = SERVICES[name]
    assert service["read_only"] and service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["mem_limit"] and service["pids_limit"] <= 500
    assert "privileged" not in service
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else [])
    assert "/tmp" in service["tmpfs"]


def test_nobody_is_root():
    """Our image has a user of its own; PostgreSQL's would start as root to become one, and may not do that here."""
    assert not any("user" in service for service in OURS.values())
    postgres = SERVICES["postgres"]
    id, _, group = postgres["user"].partition(":")
    assert id == group == "999"
    sockets = [place for place in postgres["tmpfs"] if place.startswith("/var/run/postgresql:")]
    assert sockets == [f"/var/run/postgresql:uid={id},gid={group},mode=0755"], "else it could not put its socket there"


def test_what_runs_for_long_is_looked_after():
    lasting = {name: service for name, service in SERVICES.items() if service["restart"] != "no"}
    assert set(lasting) == {"postgres", "api", "projector", "proxy"}
    assert all("healthcheck" in service for service in lasting.values())
    assert float(lasting["api"]["stop_grace_period"].rstrip("s")) > LAST_REQUESTS


def test_what_the_image_copies_is_there_and_reaches_the_engine():
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    built = "--from=docs"
    for arguments in [rest.split()[:-1] for word, rest in dockerfile() if word == "COPY" and built not in rest]:
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
        "projector": {"postgres": "service_healthy", "migrate": "service_completed_successfully"},
        "proxy": {"api": "service_healthy"},
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
    urls = [url for service in OURS.values() for key, url in service["environment"].items() if "_URL" in key]
    assert len(urls) == 4
    assert all(url.endswith("@postgres:5432/ledger") for url in urls)
    assert not any(WITH_A_PASSWORD.search(url) for url in urls)


def test_the_proxy_leads_to_the_service_which_believes_nobody_else():
    proxy, api = SERVICES["proxy"], SERVICES["api"]
    port = api["command"][api["command"].index("--port") + 1]
    assert proxy["command"][-2:] == ["--to", f"api:{port}"] and proxy["profiles"] == ["tls"]
    address = proxy["networks"]["front"]["ipv4_address"]
    assert api["environment"]["FORWARDED_ALLOW_IPS"] == address and "front" in api["networks"]
    (network,) = COMPOSE["networks"]["front"]["ipam"]["config"]
    assert ipaddress.ip_address(address) in ipaddress.ip_network(network["subnet"])
    assert all(place.startswith("127.0.0.1:") for place in api["ports"]), "from elsewhere only through the proxy"
    assert "default" not in proxy["networks"], "nor does it reach the database"


def test_the_roles_agree_and_the_service_never_sees_the_owner():
    owner = SERVICES["postgres"]["environment"]["POSTGRES_USER"]
    assert SERVICES["migrate"]["environment"]["LEDGER_OWNER_URL"].startswith(f"postgresql://{owner}@")
    for name in ("api", "projector"):
        assert not any("OWNER" in f"{key}{value}" for key, value in SERVICES[name]["environment"].items())
    assert {name: set(service["secrets"]) for name, service in SERVICES.items()} == {
        "postgres": {"owner-password"},
        "migrate": {"owner-password", "service-password", "server-key"},
        "api": {"service-password", "server-key", "operator-token"},
        "projector": {"server-key"},
        "proxy": set(),
    }
    (url,) = {service["environment"]["LEDGER_DATABASE_URL"] for service in OURS.values()}
    assert url.startswith(f"postgresql://{SERVICE_ROLE}@")


def test_the_projectors_login_is_the_same_where_it_is_made_and_where_it_is_used(tmp_path: Path):
    """`migrate` sets the password, `projector` uses it; both make it from the key and the service's login."""
    for name in SECRETS:
        (tmp_path / name).write_text(f"{name} of the tests\n")
    env = {
        name: settings_of(
            ServiceSettings,
            {key: str(value).replace("/run/secrets", str(tmp_path)) for key, value in service["environment"].items()},
        )
        for name, service in OURS.items()
    }
    migrating = conninfo_to_dict(str(env["migrate"].database_url))
    assert migrating == conninfo_to_dict(str(env["api"].database_url))
    assert migrating["password"] == "service-password of the tests"
    assert conninfo_to_dict(str(env["migrate"].owner_url))["password"] == "owner-password of the tests"
    made = find_logins(env["migrate"], lambda: find_or_make_server_key(env["migrate"], None)).projector_url
    used = find_projector_url(
        env["projector"], find_service_url(env["projector"]), lambda: find_or_make_server_key(env["projector"], None)
    )
    assert made == used
    assert used.startswith(f"postgresql://{PROJECTOR_ROLE}:") and used.endswith("@postgres:5432/ledger")


def test_views_are_kept_by_one_process():
    assert "--no-views" in SERVICES["api"]["command"]
    assert [name for name, service in OURS.items() if service["command"][0] == "projector"] == ["projector"]


def test_the_documentation_restores_into_the_roles_and_the_database_of_these_files():
    page = (ROOT / "docs/operating.md").read_text(encoding="utf-8").split("\n## Backup and restore")[1]
    owner, database = (SERVICES["postgres"]["environment"][name] for name in ("POSTGRES_USER", "POSTGRES_DB"))
    lines = [line for line in page.splitlines() if line.startswith("$ docker compose exec")]
    assert len(lines) == 3
    assert all(
        f" postgres pg_{word}" in line for line, word in zip(lines, ("dump", "", "restore"), strict=True) if word
    )
    assert all(f" -U {owner} " in line and re.search(rf" {database}\b", line) for line in lines)
    assert re.findall("CREATE ROLE (\\w+) LOGIN", lines[1]) == [SERVICE_ROLE, PROJECTOR_ROLE]


def test_the_data_is_checked_and_kept_in_a_named_volume():
    assert "--data-checksums" in SERVICES["postgres"]["environment"]["POSTGRES_INITDB_ARGS"]
    volume, place = SERVICES["postgres"]["volumes"][0].split(":")
    assert volume in COMPOSE["volumes"]
    assert place == "/var/lib/postgresql/data"


def test_every_secret_is_a_file_and_none_is_in_an_environment():
    """Where `docker inspect`, `/proc` and every child process would show it."""
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"\$\{(\w+)", text)) == {"LEDGER_PORT", "LEDGER_DOMAIN"}
    assert COMPOSE["secrets"] == {name: {"file": f"./secrets/{name}"} for name in SECRETS}
    for service in SERVICES.values():
        for name, value in service["environment"].items():
            if re.search("PASSWORD|KEY|TOKEN", name):
                assert name.endswith("_FILE") and value.removeprefix("/run/secrets/") in service["secrets"]
                assert name.removesuffix("_FILE") in (*SECRET, "POSTGRES_PASSWORD")


def test_the_secrets_reach_neither_the_image_nor_the_repository():
    assert "/secrets/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    allowed = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    assert not any("secrets" in line for line in allowed)
