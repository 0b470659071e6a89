"""Databases as earlier versions left them are opened, read as they were, played on, overturned in and audited."""

from __future__ import annotations

import gzip
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ledger.application import verify_seal
from ledger.application.reading.export_reader import read_export
from ledger.events.codec import load_codec
from ledger.events.merkle import verify_consistency
from ledger.rules import systems
from tests.api.table import Json, Player
from tests.levels import sampled
from tests.versions.database import Place, load, new_database, running, told
from tests.versions.keep import FOLDER, keep_all
from tests.versions.looking import differences, outline, shown

ROOT = Path(__file__).parents[2]
KEPT = sorted(FOLDER.glob("*/*.sql.gz"))
MARKS = ("/home/", "/tmp/", "/root", "/work", "localhost", "127.0.0.1", "PASSWORD", "://", "OWNER TO postgres")
LINES = {"Content-Type": "application/jsonl"}


def name_of(file: Path) -> str:
    return f"{file.parent.name}-{file.name.split('.')[0]}"


every_database = pytest.mark.parametrize("file", KEPT, ids=name_of)


def test_there_are_databases_of_every_system_there_was() -> None:
    versions = {one.parent for one in KEPT}
    assert versions and KEPT
    for version in versions:
        systems = {one.name.split(".")[0] for one in version.iterdir()}
        assert {f"{system}.sql.gz" for system in systems} == {one.name for one in KEPT if one.parent == version}


def test_a_database_of_every_earlier_edition_is_kept() -> None:
    """Of today's edition the next version keeps one."""
    kept = {(found["system"], found["edition"]) for found in map(notes, KEPT)}
    wanted = {(name, edition) for name, game in systems().items() for edition in range(1, game.edition)}
    assert wanted and wanted <= kept


@pytest.mark.parametrize("file", sampled(KEPT, 1, salt="goes on"), ids=name_of)
def test_a_database_of_an_earlier_version_goes_on(file: Path, postgres: Any) -> None:
    goes_on(file, postgres.owner_url)


@pytest.mark.parametrize("file", sampled(KEPT, 2, salt="export"), ids=name_of)
def test_an_export_of_an_earlier_version_is_told_again_and_taken_in(file: Path, postgres: Any) -> None:
    kept = notes(file)
    with new_database(postgres.owner_url, "kept_exports") as logins, running(replace(logins, shelf_count=1)) as place:
        for name, campaign in kept["campaigns"].items():
            export = unpacked(file, f"{name}.jsonl.gz")
            assert read_export(io.BytesIO(export)).trailer.root == campaign["seal"]["root"]
            brought = place.service.send(
                "POST", "/campaigns/import", {**place.service.operator, **LINES}, content=export
            )
            gm = place.sitting(campaign["campaign"], "s1", told(brought, 201)["seat"]["token"])
            same(campaign["shown"]["s1"], shown(gm), "s1")
            healthy(gm)


@every_database
def test_whatever_an_earlier_version_could_store_is_readable(file: Path) -> None:
    stored = notes(file)["stored"]
    codec = load_codec()
    assert len(stored) > 20
    for topic, state in stored.items():
        assert codec.decode(topic, state.encode()).position == 1


def test_what_is_kept_says_nothing_of_where_it_was_made() -> None:
    for file in sorted(FOLDER.glob("*/*.gz")):
        text = gzip.decompress(file.read_bytes()).decode()
        for mark in MARKS:
            assert mark not in text, f"{file.name}: {mark}"
        assert file.stat().st_size < 250_000


def test_what_was_kept_once_is_never_made_anew(tmp_path: Path) -> None:
    (tmp_path / "0.1.0").mkdir()
    with pytest.raises(SystemExit, match="never made anew"):
        keep_all("0.1.0", tmp_path)
    assert not list((tmp_path / "0.1.0").iterdir())


# --- going on -----------------------------------------------------------------------------------------------------


def unpacked(file: Path, ending: str) -> bytes:
    """What was kept beside a database."""
    return gzip.decompress(file.with_name(file.name.replace("sql.gz", ending)).read_bytes())


def notes(file: Path) -> Json:
    found: Json = json.loads(unpacked(file, "json.gz"))
    return found


def goes_on(file: Path, owner_url: str) -> None:
    """AssertionError with what is otherwise than it was."""
    kept = notes(file)
    with new_database(owner_url, f"kept_{kept['system']}") as logins:
        load(unpacked(file, "sql.gz").decode(), logins)
        with running(logins) as place:
            for campaign in kept["campaigns"].values():
                as_it_was(place, campaign)
                played_on(place, campaign, same_rules=kept["edition"] == systems()[kept["system"]].edition)
            place.views_are_whole()
            views = place.rows()
            place.projector.rebuild()
            assert place.rows() == views


def as_it_was(place: Place, campaign: Json) -> None:
    """Everybody sees what they saw, the seal is the same, nothing is amiss; and what was answered is answered again."""
    seats = {seat: place.sitting(campaign["campaign"], seat, token) for seat, token in campaign["tokens"].items()}
    for seat, player in seats.items():
        same(campaign["shown"][seat], shown(player), seat)
    seal = seats["s1"].look("/seal")
    assert (seal["count"], seal["root"]) == (campaign["seal"]["count"], campaign["seal"]["root"])
    verify_seal(campaign["seal"]["checkpoint"], bytes.fromhex(seal["public_key"]))
    healthy(seats["s1"])
    if opening := campaign.get("opening"):
        headers = {**place.service.operator, "Idempotency-Key": opening["key"]}
        again = place.service.send("POST", "/campaigns", headers, json=opening["body"])
        assert (again.headers["Idempotency-Replayed"], told(again, 201)) == ("true", opening["answer"])


def played_on(place: Place, campaign: Json, *, same_rules: bool) -> None:
    """What was asked for next is answered; under the same edition of the rules it comes out as it did."""
    for asked in campaign["next"]:
        player = place.sitting(campaign["campaign"], asked["seat"], campaign["tokens"][asked["seat"]])
        answer = told(player.post(asked["path"], asked["body"]), asked["status"])
        if same_rules:
            same(asked["outline"], outline(answer), asked["path"])
    gm = place.sitting(campaign["campaign"], "s1", campaign["tokens"]["s1"])
    if same_rules:
        same(with_all_found(campaign["afterwards"]), with_all_found(shown(gm)), "afterwards")
    healthy(gm)
    old, new = campaign["seal"], gm.look("/seal")
    grown = gm.look(f"/seal/since/{old['count']}")
    proof = [bytes.fromhex(one) for one in grown["proof"]]
    roots = (bytes.fromhex(one["root"]) for one in (old, new))
    assert verify_consistency(old["count"], new["count"], proof, *roots)


def with_all_found(shown: Any) -> Any:
    """As it would be if, then too, a ruling that is put back had been judged: it got no finding, nor that a number."""
    findings = [{**one, "id": ""} for one in shown["findings"]]
    return {**shown, "findings": [one for one in findings if one["ruling"] != one["cause"] or one["kind"] == "adrift"]}


def same(then: Any, now: Any, where: str) -> None:
    found = list(differences(then, now, where))
    assert not found, "\n".join(found[:20])


def healthy(gm: Player) -> None:
    """Findings that people left open aside."""
    audit = gm.look("/audit")
    assert (audit["differences"], audit["rules_installed"]) == ([], True)
    assert audit["not_told_again"] == len(audit["older_edition"])
    assert audit["healthy"] is not bool(audit["findings"])
    assert sum(one["of"] - one["judged"] for one in audit["judged"]) <= audit["not_told_again"]
