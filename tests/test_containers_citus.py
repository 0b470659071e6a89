"""The compose file of a cluster: no engine has run it, so it is held against its schema, docker-compose.yml, itself."""

from __future__ import annotations

import ipaddress
import re
import subprocess
import sys
from typing import Any

import pytest
import yaml

from tests.test_containers import COMPOSE as BASE
from tests.test_containers import ROOT

FILE = "docker-compose.citus.yml"
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / FILE).read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
WORKERS = ["worker-1", "worker-2"]
NODES = ["postgres", *WORKERS]
JOB = SERVICES["cluster"]


def rules(config: str) -> list[list[str]]:
    """Of pg_hba.conf: whom a node believes, and over what."""
    return [line.split() for line in COMPOSE["configs"][config]["content"].splitlines()]


def test_the_file_is_what_the_compose_specification_allows() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", FILE]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


def test_it_goes_on_top_of_the_other_and_adds_the_nodes_only() -> None:
    assert set(SERVICES) - set(BASE["services"]) == {*WORKERS, "cluster"}
    assert set(SERVICES["migrate"]) == {"depends_on"}
    for name in WORKERS:
        assert SERVICES[name]["extends"] == {"file": "docker-compose.yml", "service": "postgres"}


def test_all_nodes_are_one_exact_version_of_the_same_postgresql_as_without_a_cluster() -> None:
    (image,) = {SERVICES[name]["image"] for name in (*NODES, "cluster")}
    assert re.fullmatch(r"citusdata/citus:[0-9]+\.[0-9]+\.[0-9]+", image)
    assert BASE["services"]["postgres"]["image"].startswith("postgres:17."), "as the image of Citus 13.2 is"


@pytest.mark.parametrize("name", NODES)
def test_each_node_can_move_shelves_and_keeps_its_own_data(name: str) -> None:
    assert "-cwal_level=logical" in SERVICES[name]["command"]
    assert not any("fsync" in word or "synchronous_commit" in word for word in SERVICES[name]["command"])
    volumes = SERVICES[name].get("volumes", BASE["services"]["postgres"]["volumes"])
    assert volumes == [f"{name}-data:/var/lib/postgresql/data"]
    assert f"{name}-data" in {**COMPOSE["volumes"], **BASE["volumes"]}


def test_nodes_believe_each_other_where_nobody_else_is() -> None:
    (network,) = COMPOSE["networks"]["nodes"]["ipam"]["config"]
    assert COMPOSE["networks"]["nodes"]["internal"], "it leads nowhere"
    assert [name for name, one in SERVICES.items() if "nodes" in one.get("networks", [])] == [*NODES, "cluster"]
    for name in WORKERS:
        assert SERVICES[name]["networks"] == ["nodes"], "nobody asks a worker"
    taken = ipaddress.ip_network(BASE["networks"]["front"]["ipam"]["config"][0]["subnet"])
    assert not ipaddress.ip_network(network["subnet"]).overlaps(taken)
    asked = {name: SERVICES[name]["configs"][0] for name in NODES}
    assert {one["target"] for one in asked.values()} == {"/etc/ledger-hba.conf"}
    assert all("-chba_file=/etc/ledger-hba.conf" in SERVICES[name]["command"] for name in NODES)
    for name, one in asked.items():
        believed = [rule[-2] for rule in rules(one["source"]) if rule[0] == "host" and rule[-1] == "trust"]
        assert believed == ["127.0.0.1/32", network["subnet"]]
        others = [rule[-1] for rule in rules(one["source"]) if rule[0] == "host" and rule[-1] != "trust"]
        assert others == (["scram-sha-256"] if name == "postgres" else [])


def test_the_coordinator_is_told_of_the_workers_by_names_of_that_network_before_anything_migrates() -> None:
    said = [word.removeprefix("--command=") for word in JOB["command"] if word.startswith("--command=")]
    (alias,) = SERVICES["postgres"]["networks"]["nodes"]["aliases"]
    assert said == [
        f"SELECT citus_set_coordinator_host('{alias}', 5432)",
        *(f"SELECT citus_add_node('{name}', 5432)" for name in WORKERS),
    ]
    assert f"--host={alias}" in JOB["command"]
    assert {name: one["condition"] for name, one in JOB["depends_on"].items()} == dict.fromkeys(
        NODES, "service_healthy"
    )
    waits = SERVICES["migrate"]["depends_on"]
    assert waits == {"cluster": {"condition": "service_completed_successfully"}}
    environment = BASE["services"]["postgres"]["environment"]
    for option, setting in (("--username", "POSTGRES_USER"), ("--dbname", "POSTGRES_DB")):
        assert f"{option}={environment[setting]}" in JOB["command"]


def test_the_job_may_do_no_more_than_the_others() -> None:
    assert JOB["read_only"] and JOB["cap_drop"] == ["ALL"] and JOB["restart"] == "no"
    assert JOB["security_opt"] == ["no-new-privileges:true"]
    assert JOB["user"] == BASE["services"]["postgres"]["user"]
    assert not {"volumes", "secrets", "ports"} & set(JOB)
