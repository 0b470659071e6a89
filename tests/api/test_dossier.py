"""A ruling's dossier: all there is to it, verified offline; one altered byte is found. As a page it is two sheets."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from api.cli.main import app as commands
from ledger.application import Ledger, Sealer
from ledger.application.checks.dossier import BadDossier, sign_dossier, verify_dossier
from ledger.events.codec import encode
from tests.api.conftest import PLAYED
from tests.api.table import Json, Player, Table
from tests.levels import examples, sampled


@pytest.fixture
def disputed(table: Table) -> Table:
    """4: a hit on the ledger's dice, in a session that is over; disputed, revised, overturned."""
    table.fighters()
    table.gm.does("/sessions", {"title": "One"})
    waiting = table.ben.does("/rulings", {"declare": {"kind": "hit", "char": "1", "target": "2"}}, 202)["id"]
    table.cleo.does(f"/waiting/{waiting}/answers", {"answer": {"choice": {"kind": "stand"}}})
    table.cleo.does("/rulings/4/dispute", {"reason": "The door was shut."}, 200)
    table.gm.does("/rulings/4/uphold", {"reason": "It stood open."}, 200)
    table.gm.does("/sessions/3/close")
    return table


def file_of(player: Player, number: int = 4) -> bytes:
    answer = player.get(f"/rulings/{number}/dossier")
    assert answer.status_code == 200, answer.text
    return answer.content


def test_it_holds_all_there_is_to_a_ruling(disputed: Table) -> None:
    file = file_of(disputed.ben)
    of = json.loads(file)
    assert of["ruling"] == disputed.ben.look("/rulings/4")
    assert [(one["by"]["name"], one["reason"]) for one in of["claims"]] == [("Cleo", "The door was shut.")]
    assert all(step["statement"] for step in of["ruling"]["because"])
    seal = disputed.gm.look("/seal")
    assert {name: seal[name] for name in of["seal"]} == of["seal"]
    assert {one["stream"] for one in of["entries"]} == {"ruling/4", "character/2"}
    found = verify_dossier(file, seal["public_key"])
    assert (found.withheld_count, found.recomputed_count) == (0, 1)


def test_it_says_what_was_settled_and_that_is_proved(table: Table, ledger: Ledger) -> None:
    """By whom, when, how and why; what was settled by another decision is told with that."""
    table.fighters()
    table.gm.declare("mint", to="1", coins=4)
    for number in (4, 5):
        table.ben.declare("give", char="1", to="2", coins=number - 3)
    table.gm.does("/rulings/3/overturn", {"reason": "It never was."}, 200)
    open_ = [one["id"] for one in table.gm.look("/findings", ruling=4)["findings"]]
    made = table.gm.does(f"/findings/{open_[0]}/settle", {"how": "amended", "reason": "She owes it."}, 200)
    assert made["by"] == {"seat": "s1", "name": "Ann"} and made["at"]
    assert made in table.gm.look("/findings", settled="true", ruling=1, until=4)["findings"]
    assert table.gm.look("/findings", settled="true", ruling=1, until=2)["findings"] == []
    for player in (table.gm, table.cleo):
        file = file_of(player)
        of = json.loads(file)
        assert made in of["findings"] and "journal/journal" in {one["stream"] for one in of["entries"]}
        assert verify_dossier(file).withheld_count == 0
        place = of["findings"].index(made)
        for field, other in (("reason", "She paid."), ("settled", "let-stand"), ("at", "2001-01-01T00:00:00Z")):
            changed = json.loads(file)
            changed["findings"][place][field] = other
            with pytest.raises(BadDossier):
                verify_dossier(resigned(changed, ledger.sealer))


def test_before_the_seed_is_revealed_it_is_committed_to(table: Table) -> None:
    table.fighters()
    table.ben.declare("sneak", char="1")
    of = json.loads(file_of(table.ben, 3))
    (roll,) = of["dice"]
    assert roll["commitment"] == table.gm.look("/dice")["epochs"][0]["hidden_commitment"] and roll["seed"] is None
    assert verify_dossier(file_of(table.ben, 3)).recomputed_count == 0


def test_what_a_seat_may_not_see_is_withheld(table: Table) -> None:
    table.fighters()
    coin: Json = {"source": "bank/coin", "target": "character:1/coin", "unit": "coin", "amount": 1}
    table.gm.declare("adjust", **coin, reason="a bribe for Bruno", seen_by=["gm"])
    whole, part = file_of(table.gm, 3), file_of(table.cleo, 3)
    assert "a bribe" in whole.decode() and "a bribe" not in part.decode()
    assert verify_dossier(whole).withheld_count == 0
    assert verify_dossier(part).withheld_count == len(json.loads(part)["entries"]) == 1
    assert table.cleo.get("/rulings/99/dossier").status_code == 404


# --- altered ----------------------------------------------------------------------------------------------------------


@settings(
    max_examples=examples(20, 60, 400),
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    database=None,
)
@given(data=st.data())
def test_one_altered_byte_is_found(disputed: Table, data: st.DataObject) -> None:
    file = _kept(disputed)
    at = data.draw(st.integers(0, len(file) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda one: one != file[at]))
    what = data.draw(st.sampled_from(("change", "remove", "insert")))
    after = at + (what != "insert")
    altered = file[:at] + (b"" if what == "remove" else bytes([byte])) + file[after:]
    if altered != file and altered != file + b"\n":
        with pytest.raises(BadDossier):
            verify_dossier(altered)


_files: dict[str, bytes] = {}


def _kept(table: Table) -> bytes:
    if table.id not in _files:
        _files[table.id] = file_of(table.ben)
    return _files[table.id]


def leaves(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for name, one in inner:
        yield from leaves(one, (*path, name))
    if not isinstance(node, dict | list):
        yield path


def altered(document: Json, path: tuple[Any, ...]) -> Json:
    copy: Json = json.loads(json.dumps(document))
    node: Any = copy
    for name in path[:-1]:
        node = node[name]
    was = node[path[-1]]
    node[path[-1]] = not was if isinstance(was, bool) else was + 1 if isinstance(was, int) else f"{was or ''}x"
    return copy


def test_each_altered_field_is_found(disputed: Table) -> None:
    of = json.loads(file_of(disputed.ben))
    for path in leaves(of):
        with pytest.raises(BadDossier):
            verify_dossier(encode(altered(of, path)))


def resigned(document: Json, sealer: Sealer) -> bytes:
    body = {name: one for name, one in document.items() if name != "signature"}
    return encode({**body, "signature": sign_dossier(body, sealer)})


#: What stands in the rows, or is proved by them, whoever signs.
RECORDED = re.compile(
    r"campaign|number|entries/\d+/(index|leaf|proof/\d+|stream|version|topic|state)|seal/(count|root|checkpoint)"
    r"|ruling/(declared/.*|because/\d+/(rule|given/.*|out)|facts/\d+/fact/.*|answers/\d+/answer/.*|number"
    r"|decisions/\d+/(reason|at))|claims/\d+/(reason|at)|dice/\d+/(proof|commitment|seed|answer/answer/.*)"
)


def test_the_record_does_not_follow_who_signs_anew(disputed: Table, ledger: Ledger) -> None:
    """Not even the service, with its own key: what was recorded stands under the seal."""
    of = json.loads(file_of(disputed.ben))
    assert resigned(of, ledger.sealer) == encode(of)
    paths = [path for path in leaves(of) if RECORDED.fullmatch("/".join(map(str, path)))]
    assert len(paths) > 40
    passed = []
    for path in paths:
        try:
            verify_dossier(resigned(altered(of, path), ledger.sealer))
        except BadDossier:
            continue
        passed.append(path)
    assert passed == []


def test_other_entropy_is_found_by_the_dice_it_gives(disputed: Table, ledger: Ledger) -> None:
    """One in six falls alike: not twenty."""
    of = json.loads(file_of(disputed.ben))
    found = 0
    for other in range(20):
        of["dice"][0]["entropy"] = f"{other}"
        try:
            verify_dossier(resigned(of, ledger.sealer))
        except BadDossier:
            found += 1
    assert found > 4


def test_another_key_is_found(disputed: Table) -> None:
    of = json.loads(file_of(disputed.ben))
    other = Sealer(bytes(range(32)))
    key = of["seal"]["public_key"]
    with pytest.raises(BadDossier, match="seal is not valid"):
        verify_dossier(resigned({**of, "seal": {**of["seal"], "public_key": other.public_key.hex()}}, other))
    with pytest.raises(BadDossier, match="a different key"):
        verify_dossier(encode(of), other.public_key.hex())
    assert verify_dossier(encode(of) + b"\n", key.upper()).dossier.number == 4


@pytest.mark.parametrize("file", [b"", b"{}", b"[]", b"\xff", b'{"format":"campaign-ledger/dossier"}', b"1e999"])
def test_what_is_no_dossier_is_said_so(file: bytes) -> None:
    with pytest.raises(BadDossier):
        verify_dossier(file)


def test_the_command_line_verifies_it(disputed: Table, tmp_path: Path) -> None:
    file = tmp_path / "ruling-4.json"
    file.write_bytes(file_of(disputed.ben))
    sound = CliRunner().invoke(commands, ["verify-dossier", str(file)])
    assert sound.exit_code == 0 and "1 rolls were calculated again" in sound.stdout, sound.output
    file.write_bytes(file.read_bytes().replace(b"shut", b"open"))
    assert CliRunner().invoke(commands, ["verify-dossier", str(file)]).exit_code == 1
    told = CliRunner().invoke(commands, ["verify-dossier", str(file), "--json"])
    assert told.exit_code == 1 and json.loads(told.stdout)["data"]["sound"] is False
    assert CliRunner().invoke(commands, ["verify-dossier", str(tmp_path / "none")]).exit_code == 3


# --- as a page -------------------------------------------------------------------------------------------------------

LINES, WIDTH = 62, 95  # of a sheet of A4 in 9.5 points on 13, in letters of half their height


def page_of(player: Player, number: int, **more: Any) -> Any:
    headers = {**player.bearer, **more.pop("headers", {})}
    return player.table.service.client.get(
        f"/campaigns/{player.table.id}/rulings/{number}/dossier", params=more, headers=headers
    )


def test_a_browser_gets_a_page_and_a_program_the_document(disputed: Table) -> None:
    browser = page_of(disputed.ben, 4, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert browser.headers["content-type"].startswith("text/html")
    assert "style-src 'self'" in browser.headers["content-security-policy"]
    assert "unsafe" not in browser.headers["content-security-policy"]
    page = browser.text
    assert not re.search(r"<script|<style|style=|\son\w+=", page)
    signature = json.loads(file_of(disputed.ben))["signature"]
    for said in ("The door was shut.", "It stood open.", "Cleo", "toy.hit", signature):
        assert said in page
    assert page_of(disputed.ben, 4, format="html").text == page
    assert page_of(disputed.ben, 4, format="json", headers={"Accept": "text/html"}).json()["number"] == 4
    assert page_of(disputed.ben, 4, format="pdf").status_code == 422
    style = disputed.service.client.get("/dossier.css")
    assert style.headers["content-type"].startswith("text/css") and "@page" in style.text


def test_what_people_write_is_no_markup(table: Table) -> None:
    table.fighters()
    table.gm.does("/rulings/1/dispute", {"reason": "<script>alert(1)</script>"}, 200)
    page = page_of(table.gm, 1, format="html").text
    assert "<script" not in page and "&lt;script&gt;" in page


@cache
def _lines(page: str) -> int:
    """How many lines it takes in print, at most."""
    body = page.partition("<body>")[2]
    blocks = re.split(r"</?(?:p|li|h1|h2|ul|ol)[^>]*>", body)
    texts = [re.sub(r"<[^>]+>", "", one).strip() for one in blocks]
    return sum(ceil(len(one) / WIDTH) for one in texts if one) + body.count("<h2>")


@pytest.mark.parametrize("system", sampled(PLAYED, 1, salt="dossiers"))
def test_in_every_game_it_is_two_sheets_and_verified(played: Callable[[str], Table], system: str) -> None:
    """Rulings of the demonstrations, for the game master and an observer."""
    table = played(system)
    last = table.gm.look()["rulings"]
    for number in range(1, last + 1, max(1, last // 8)):
        for player in (table.gm, table.dora):
            answer = player.get(f"/rulings/{number}/dossier")
            if answer.status_code == 404:
                continue
            verify_dossier(answer.content)
            assert _lines(page_of(player, number, format="html").text) <= 2 * LINES, number
