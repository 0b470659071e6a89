"""A game at fault, over HTTP and by the operator's commands: what it keeps from whom, and how it is repaired."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from ledger.application import Ledger, trying
from ledger.rules import find_package
from ledger.rules.kernel.commands import Adjust
from ledger.rules.kernel.contract import About, Verdict, step
from ledger.rules.kernel.subjects import character
from projections import wording
from projections.views.projector import Projector
from tests.api.conftest import KEY, OPERATOR, SCHEMA
from tests.api.page.test_looking import Sits, at_the_page, text, upload
from tests.api.process import PROGRAM, process, service_of
from tests.api.table import HIT, STAND, Player, Table, rolled
from tests.api.test_cli import data, run
from tests.waiting import wait_until

__all__ = ["at_the_page", "run"]
toy: Any = find_package("toy")
BROKEN = 5  # a hit for so much breaks the rules


class Defect(Exception):
    """Of a game."""


def answer_of(player: Player, method: str, path: str, body: Any = None) -> httpx.Response:
    """The answer, which may be a fault."""
    service, headers = player.table.service, {**player.bearer, "Idempotency-Key": uuid.uuid4().hex}
    answer = service.client.request(method, f"/campaigns/{player.table.id}{path}", headers=headers, json=body)
    service.description.judge(answer)
    return answer


def hits(table: Table, face: int) -> httpx.Response:
    """The answer to the roll, as `Table.hit` would have it."""
    waiting = table.ben.does("/rulings", {"declare": HIT, "dice": "table"}, 202)["id"]
    table.cleo.does(f"/waiting/{waiting}/answers", {"answer": STAND}, 202)
    return answer_of(table.ben, "POST", f"/waiting/{waiting}/answers", {"answer": rolled(face)})


def is_sound(table: Table) -> None:
    audit = table.gm.look("/audit")
    assert (audit["healthy"], audit["differences"], audit["findings"]) == (True, [], [])


def breaks_its_fold(patch: pytest.MonkeyPatch) -> None:
    def hurt(was: Any, done: Any) -> Any:
        if done.amount == BROKEN:
            raise Defect
        return toy.hurt(was, done)

    patch.setitem(toy.FOLD.changes[toy.Being], toy.Hurt, hurt)


def breaks_its_sentences(patch: pytest.MonkeyPatch) -> None:
    def said(fact: Any, names: Any) -> str:
        if fact.amount == BROKEN:
            raise Defect
        return "It hurts."

    patch.setitem(toy.PHRASES.facts, toy.Hurt, said)
    wording._find_phrase.cache_clear()


@pytest.fixture
def defects(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    yield monkeypatch
    monkeypatch.undo()
    wording._find_phrase.cache_clear()


@pytest.fixture
def fight(table: Table) -> Table:
    return fought(table)


def fought(table: Table) -> Table:
    table.fighters()
    table.hit(1)
    return table


@pytest.mark.parametrize("breaking", [breaks_its_fold, breaks_its_sentences])
def test_a_ruling_that_breaks_the_game_is_a_problem_and_not_saved(
    table: Table, defects: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, breaking: Any
) -> None:
    breaking(defects)
    fight = fought(table)  # worded as the audit will word it
    before = fight.position + 2  # it waits, and goes on waiting
    with caplog.at_level(logging.ERROR, "ledger.api"):
        answer = hits(fight, BROKEN)
    problem = answer.json()
    assert (answer.status_code, problem["type"], problem["code"]) == (500, "/problems/game-at-fault", "game-at-fault")
    assert problem["context"] == {"system": "toy"} and "Toy" in problem["detail"]
    (line,) = [one.getMessage() for one in caplog.records]
    assert line.startswith("The rules of the game toy failed: Defect (tests.api.test_faulty_games, line ")
    assert fight.position == before
    (waiting,) = fight.gm.look("/waiting")["waiting"]
    fight.ben.does(f"/waiting/{waiting['id']}/answers", {"answer": rolled(2)})
    is_sound(fight)


def test_what_only_a_game_master_sees_of_a_ruling_is_worded_too(fight: Table, defects: pytest.MonkeyPatch) -> None:
    """The player who declares it is shown nothing of what breaks."""

    def hidden(fact: Any, names: Any) -> str:
        raise Defect

    def hide_from_players(state: Any, do: Any) -> Any:
        yield from ()
        fact = toy.Hidden((3,), ("gm",))
        return Verdict((About(character(do.char), fact, (), ("gm",)),), (step("toy.sneak", 3, ("gm",)),))

    defects.setattr(toy, "sneak", hide_from_players)
    sneak = {"declare": {"kind": "sneak", "char": "1", "dice": 1}}
    assert answer_of(fight.ben, "POST", "/rulings", sneak).json()["facts"] == []
    defects.setitem(toy.PHRASES.facts, toy.Hidden, hidden)
    wording._find_phrase.cache_clear()
    before = fight.position
    assert answer_of(fight.ben, "POST", "/rulings", sneak).json()["code"] == "game-at-fault"
    assert fight.position == before


def test_an_adjustment_that_breaks_the_game_is_not_saved(fight: Table, defects: pytest.MonkeyPatch) -> None:
    """It changes no state, and the game words it."""

    def moved(do: Any, names: Any) -> str:
        if do.amount == BROKEN:
            raise Defect
        return "Coins change hands."

    defects.setitem(toy.PHRASES.inputs, Adjust, moved)
    adjust = {"kind": "adjust", "source": "bank/coin", "target": "character:1/coin", "unit": "coin", "reason": "Pay."}
    before = fight.position
    answer = answer_of(fight.gm, "POST", "/rulings", {"declare": {**adjust, "amount": BROKEN}})
    assert (answer.status_code, answer.json()["code"]) == (500, "game-at-fault")
    assert fight.position == before
    made = fight.gm.does("/rulings", {"declare": {**adjust, "amount": 2}}, 201)
    assert made["text"].startswith("Coins change hands."), made["text"]


def recorded_by_an_earlier_version(table: Table, defects: pytest.MonkeyPatch, projector: Projector) -> int:
    """A ruling on which the game breaks, in the record: nothing was tried before it was saved."""
    with pytest.MonkeyPatch.context() as earlier:
        earlier.setattr(trying, "try_facts", lambda save: None)
        breaks_its_fold(defects)
        number = int(table.hit(BROKEN)["number"])
    wait_until(lambda: projector.count_behind() == 0)
    return number


@pytest.mark.slow
def test_a_broken_ruling_is_set_aside_and_the_campaign_works_again(
    fight: Table,
    defects: pytest.MonkeyPatch,
    run: Any,
    views: Projector,
    ledger: Ledger,
    tmp_path: Path,
    at_the_page: Sits,
) -> None:
    number = recorded_by_an_earlier_version(fight, defects, views)
    ledger.get_book(fight.id).reset()
    declared = {"declare": HIT, "dice": "table"}
    for answer in (answer_of(fight.gm, "GET", "/characters/2"), answer_of(fight.ben, "POST", "/rulings", declared)):
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (500, "game-at-fault")
        assert problem["context"] == {"system": "toy", "ruling": number}
        assert f"campaign-ledger repair {fight.id} {number} --reason" in problem["detail"]
    audit = fight.gm.look("/audit")
    (broken,) = audit["differences"]
    assert (broken["what"], broken["ruling"]) == ("state", number) and "Defect (tests." in broken["detail"]
    assert "nothing was changed" not in (said := run("repair", fight.id, number, "--reason", "A mistake in Toy").stdout)
    assert said == f"Ruling {number} was set aside and no longer counts: A mistake in Toy\n"
    ledger.get_book(fight.id).reset()
    position = fight.position
    again = data(run("repair", fight.id, number, "--reason", "Once more", "--json"))
    assert again == {"ruling": number, "reason": "A mistake in Toy", "findings": 0, "repeated": True}
    assert fight.position == position
    works(fight, number)
    wait_until(lambda: views.count_behind() == 0)
    views.rebuild()
    works(fight, number)
    file = tmp_path / "fight.jsonl"
    run("export", fight.id, "-o", file)
    assert f"Ruling {number} was set aside by the operator, " in (told := run("verify", file).stdout)
    assert told.endswith(": A mistake in Toy\n")
    assert "set aside by the operator, " in run("audit", fight.id).stdout
    assert f"Set aside by the operator Ruling {number} : A mistake in Toy" in text(
        at_the_page(fight.gm).page("/audit/run")
    )
    assert f"The operator set ruling {number} aside." in upload(at_the_page(fight.gm), file.read_bytes())


def works(fight: Table, number: int) -> None:
    """Declaring, the character, the audit, the dossier and the views."""
    before = fight.gm.look("/characters/2")["state"]["harm"]
    fight.hit(2)
    assert fight.gm.look("/characters/2")["state"]["harm"] == before + 2
    ruling = fight.gm.look(f"/rulings/{number}")
    assert ruling["status"] == "overturned" and all(fact["struck"] for fact in ruling["facts"])
    (decision,) = ruling["decisions"]
    assert (decision["decision"], decision["by"]) == ("set-aside", {"seat": "", "name": "the operator"})
    assert decision["text"] == f"The operator sets ruling {number} aside: A mistake in Toy."
    audit = fight.gm.look("/audit")
    assert audit["healthy"] and audit["differences"] == []
    (aside,) = audit["set_aside"]
    assert (aside["ruling"], aside["reason"]) == (number, "A mistake in Toy")
    dossier = fight.gm.get(f"/rulings/{number}/dossier")
    assert dossier.status_code == 200 and dossier.json()["ruling"]["status"] == "overturned"
    facts = fight.gm.look("/timeline", limit=500)["facts"]
    assert [one["ruling"] for one in facts if one.get("struck")] == [number]
    assert [one["number"] for one in fight.gm.look("/rulings", status="overturned")["rulings"]] == [number]
    for path in ("/state", "/rulings", "/accounts", "/characters/2/history"):
        assert fight.gm.get(path).status_code == 200
    then = fight.gm.get("/characters/2", at=number, **{"as": "recorded"})
    assert then.status_code == 200, then.text


def test_what_nothing_breaks_on_is_not_set_aside(fight: Table, run: Any) -> None:
    position = fight.position
    ended = run("repair", fight.id, 3, "--reason", "Why not", ends=3)
    assert (
        ended.stderr == "campaign-ledger: The rules do not fail on ruling 3. A game master can overturn it instead.\n"
    )
    assert "no ruling 77" in run("repair", fight.id, 77, "--reason", "Why not", ends=3).stderr
    assert "reason" in run("repair", fight.id, 3, "--reason", " ", ends=3).stderr
    assert fight.position == position


def test_a_ruling_is_reinstated_once_the_game_is_mended(
    fight: Table, defects: pytest.MonkeyPatch, run: Any, views: Projector, ledger: Ledger
) -> None:
    number = recorded_by_an_earlier_version(fight, defects, views)
    ledger.get_book(fight.id).reset()
    run("repair", fight.id, number, "--reason", "A mistake in Toy")
    ledger.get_book(fight.id).reset()
    answer = answer_of(fight.gm, "POST", f"/rulings/{number}/reinstate", {"reason": "It is mended."})
    assert answer.json()["code"] == "game-at-fault"
    defects.undo()
    fight.gm.does(f"/rulings/{number}/reinstate", {"reason": "It is mended."}, 200)
    assert fight.gm.look("/characters/2")["state"]["harm"] == 1 + BROKEN
    is_sound(fight)


GAME = """
from dataclasses import dataclass, replace
from ledger.rules.kernel.declarations import dial
from tests.systems.toy import RULESET as TOY

@dataclass(frozen=True, slots=True)
class Nothing:
    pass

@dataclass(frozen=True, slots=True)
class Dials:
    die: int

RULESET = replace(TOY, name="groundless", blank=lambda kind: Nothing(), dials=Dials)
"""


@pytest.mark.slow
def test_a_service_starts_without_a_game_at_fault_and_says_so(tmp_path: Path, service_url: str) -> None:
    folder = tmp_path / "games" / "groundless"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(GAME)
    games = f"import tests, ledger.rules; ledger.rules.__path__.append({str(folder.parent)!r}); "
    program = PROGRAM.replace("import tests; ", games)
    with process(tmp_path, service_url, SCHEMA, KEY, OPERATOR, program) as one, service_of(one, OPERATOR) as service:
        systems = service.client.get("/systems").json()
        assert "toy" in [each["name"] for each in systems["systems"]]
        assert "groundless" not in [each["name"] for each in systems["systems"]]
        (unfit,) = systems["not_offered"]
        assert unfit["name"] == "groundless"
        state, dial, _ = unfit["faults"]
        assert "`ledger.rules.groundless.Nothing`, has no field `adrift" in state
        assert dial.startswith("The dial `die` of `ledger.rules.groundless.Dials` has no default")
        wait_until(lambda: service.client.get("/readyz").status_code == 200)
        assert service.client.get("/readyz").json()["games_not_offered"] == 1
        opened = service.open(system="groundless")
        assert opened.status_code == 422 and opened.json()["code"] == "unknown-system"
        (line,) = [each for each in one.log() if "groundless" in each["message"]]
        assert line["level"] == "ERROR" and line["message"].startswith(
            "The game groundless is not available. The state "
        )
