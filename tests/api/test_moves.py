"""What can be declared now, over HTTP: every answer fits its description, every move is accepted as it is filled in."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import jsonschema_rs
import pytest

from ledger.rules.kernel.shown import SeenTable
from ledger.rules.kernel.table import RulingTable
from tests.api.table import HIT, Json, Player, Service, Table, validator
from tests.api.test_session_mongrel import AHVIA, EVERYBODY, VOORUK, Evening
from tests.api.twins.attacks import Twins
from tests.api.twins.faults import called
from tests.levels import seeds

SARAH: Json = {
    "kind": "main",
    "traits": [{"name": "Quick", "base": 10}, {"name": "Loyal", "base": 8}, {"name": "Kind", "base": 8}],
}
RICK: Json = {"kind": "minor", "traits": [{"name": "Driver", "base": 6}, {"name": "Cultist", "base": 6}]}


@pytest.fixture
def fight(service: Service) -> Table:
    """Sarah of Ben's, Steve of Cleo's, Rick of the game master's, in a round."""
    table = object.__new__(Table)
    table.service = service
    opened = service.open(system="intensity").json()
    table.id, table.gm = opened["id"], Player(table, "s1", opened["seat"]["token"])
    table.ben, table.cleo = table.seat("Ben", "player"), table.seat("Cleo", "player")
    table.dora = table.seat("Dora", "observer")
    for player, name, sheet in ((table.ben, "Sarah", SARAH), (table.cleo, "Steve", SARAH), (table.gm, "Rick", RICK)):
        player.does("/characters", {"name": name, "seat": player.id, "sheet": sheet})
    table.gm.declare("open-scene", title="A yard")
    table.gm.declare("open-round", participants=["1", "2", "3"])
    return table


def offered(player: Player, **query: Any) -> dict[str, list[Json]]:
    """The moves, by kind."""
    found: dict[str, list[Json]] = {}
    for one in player.look("/moves", **query)["moves"]:
        found.setdefault(one["kind"], []).append(one)
    return found


def judge(player: Player, move: Json) -> Any:
    """What holds a declaration against a move's schema: what it refers to stands in the service's own description."""
    reference, narrowing = move["schema"]["allOf"]
    assert reference["$ref"].startswith("/openapi.json#/components/schemas/")
    here = {"$ref": reference["$ref"].removeprefix("/openapi.json")}
    return validator({"allOf": [here, narrowing]}, player.table.service.description.document)


def test_a_player_is_offered_what_is_his_narrowed_and_in_a_sentence(fight: Table) -> None:
    (declare,) = offered(fight.ben)["declare"]
    assert declare["settled"] == {"kind": "declare", "char": "1"} and "Sarah" in declare["text"]
    assert declare["awaits"] == "intensity.round.declare"
    fits = judge(fight.ben, declare)
    said: Json = {"kind": "declare", "char": "1", "level": "calm", "trait": "Quick", "target": "2"}
    assert fits.is_valid(said) and fits.is_valid({**said, "text": "runs", "target": None})
    for wrong in ({"char": "2"}, {"trait": "Driver"}, {"trait": None}, {"target": "1"}, {"level": "bored"}):
        assert not fits.is_valid({**said, **wrong}), wrong
    assert not fits.is_valid({name: value for name, value in said.items() if name != "trait"})
    fight.ben.does("/rulings", {"declare": said})
    assert "declare" not in offered(fight.ben) and "abandon-round" not in offered(fight.ben)


def test_a_game_master_asks_for_another_seat_and_who_watches_is_offered_nothing(fight: Table) -> None:
    assert [one["settled"] for one in offered(fight.gm, seat=fight.cleo.id)["declare"]] == [
        {"kind": "declare", "char": "2"}
    ]
    assert len(offered(fight.gm)["declare"]) == 3 and "abandon-round" in offered(fight.gm)
    assert fight.dora.look("/moves") == {"seat": {"seat": fight.dora.id, "name": "Dora"}, "moves": [], "blocked": None}
    assert fight.ben.get("/moves", seat=fight.cleo.id).status_code == 403
    assert fight.ben.get("/moves", seat=fight.ben.id).status_code == 200
    assert fight.gm.get("/moves", seat="nobody").json()["errors"][0]["allowed"] == ["s1", "s2", "s3", "s4"]
    assert fight.gm.get("/moves", scene="nowhere").json()["errors"][0]["pointer"] == "/query/scene"


def test_what_is_not_possible_says_why(fight: Table) -> None:
    blocked = {one["kind"]: one["refusal"] for one in fight.ben.look("/moves", blocked=True)["blocked"]}
    assert blocked["attack"]["code"] == "wrong-stage" and blocked["resolve"]["code"] == "no-attack"
    assert blocked["rest"]["code"] == "scene-open" and blocked["rest"]["text"].endswith(".")
    assert "abandon-round" not in blocked, "it is none of his"
    assert "declare" not in blocked and "amend" not in blocked


def test_where_something_is_hidden_no_refusal_tells_it(table: Table) -> None:
    table.fighters()
    (give,) = [one for one in table.ben.look("/moves", blocked=True)["blocked"] if one["kind"] == "give"]
    assert give == {"kind": "give", "text": "Give.", "refusal": None}


def test_a_move_is_narrowed_by_what_is_chosen(fight: Table) -> None:
    def left(**given: Any) -> list[Json]:
        told: list[Json] = fight.ben.does("/moves", {"kind": "declare", "given": given}, 200)["moves"]
        return told

    (declare,) = left(trait="Loyal", target=None)
    assert declare["settled"] == {"kind": "declare", "char": "1", "trait": "Loyal"}
    assert not judge(fight.ben, declare).is_valid(
        {"kind": "declare", "char": "1", "level": "calm", "trait": "Loyal", "target": "2"}
    )
    assert left(char="2") == [] and left(trait="Driver") == []
    before = fight.position
    wrong = fight.ben.post("/moves", {"kind": "declare", "given": {"trait": 3, "no/way": 1}})
    assert {one["pointer"] for one in wrong.json()["errors"]} == {"/given/trait", "/given/no~1way"}
    assert fight.ben.post("/moves", {"kind": "dance"}).json()["code"] == "unknown-kind"
    assert fight.position == before, "nothing is saved"


def awaited(player: Player, **query: Any) -> set[tuple[str, str | None, str | None]]:
    told = player.look("/waiting", **query)["awaited"]
    return {(one["seat"]["name"], one["kind"], one["character"]) for one in told}


def test_waiting_says_whom_the_game_waits_for(fight: Table) -> None:
    everybody = {("Ben", "declare", "1"), ("Cleo", "declare", "2"), ("Ann", "declare", "3")}
    assert awaited(fight.dora) == awaited(fight.gm) == everybody
    assert awaited(fight.cleo, mine=True) == {("Cleo", "declare", "2")}
    for char, player in (("1", fight.ben), ("2", fight.cleo), ("3", fight.gm)):
        trait = "Driver" if char == "3" else "Quick"
        player.declare("declare", char=char, level="calm", target="1" if char != "1" else "2", trait=trait)
    assert awaited(fight.dora) == {(name, "roll", char) for name, _, char in everybody}
    faces = [{"char": char, "intensity": 6 - place, "trait": 1} for place, char in enumerate("123")]
    fight.gm.declare("roll", faces=faces)
    assert awaited(fight.dora) == {("Ben", "attack", "1"), ("Ben", "pass", "1")}
    fight.ben.declare("attack", char="1")
    assert awaited(fight.dora) == {("Cleo", "defend", "2")}
    fight.cleo.declare("defend")
    assert awaited(fight.dora) == {("Ben", "resolve", "1")}
    fight.ben.declare("resolve")
    assert awaited(fight.dora, mine=True) == set()
    assert {one[0] for one in awaited(fight.dora)} == {"Ben"}


def test_questions_of_ones_own_are_mine(table: Table) -> None:
    table.fighters()
    table.ben.declare("hit", char="1", target="2", status=202)
    assert len(table.cleo.look("/waiting", mine=True)["waiting"]) == 1
    assert table.ben.look("/waiting", mine=True)["waiting"] == []
    assert awaited(table.dora) == {("Ann", None, None)}, "nothing drives this game but its game master"


# --- filled in ---


def filled(move: Json, rng: Random) -> Json:
    """A declaration made of the narrowing alone; what it leaves open is words."""
    said = _filled({"type": "object", **move["schema"]["allOf"][1]}, rng)
    assert isinstance(said, dict)
    return said


def _filled(schema: Json, rng: Random) -> Any:
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else rng.choice(schema["enum"])
    if "anyOf" in schema:
        return _filled(rng.choice(schema["anyOf"]), rng)
    match schema.get("type"):
        case "integer":
            least = schema.get("minimum", schema.get("maximum", 5) - 4)
            return rng.randint(least, schema.get("maximum", least + 5))
        case "object":
            return {name: _filled(inner, rng) for name, inner in schema["properties"].items()}
        case "array":
            return _array(schema, rng)
    raise AssertionError(f"no domain: {schema}")


def _array(schema: Json, rng: Random) -> list[Any]:
    fits = jsonschema_rs.validator_for(schema)
    for _ in range(2000):
        first = [_filled(one, rng) for one in schema.get("prefixItems", [])]
        count = rng.randint(schema["minItems"], schema.get("maxItems", schema["minItems"] + 2))
        more = [_filled(schema["items"], rng) for _ in range(count - len(first))] if "items" in schema else []
        if fits.is_valid([*first, *more]):
            return [*first, *more]
    raise AssertionError(f"never filled: {schema}")


PROSE = {"text": "so it is", "reason": "so it is", "title": "A yard", "fiction": "a night", "out_for": "a week"}


def with_prose(do: Json, narrowing: Any) -> Json:
    """Add what people would say in their own words, also in the records within, where the move allows it."""
    for record in _records(do):
        for name, text in PROSE.items():
            before = dict(record)
            record[name] = text
            if not narrowing.is_valid(do):
                record.clear()
                record.update(before)
    return do


def _records(value: Any) -> Iterator[Json]:
    if isinstance(value, dict):
        yield value
        for part in list(value.values()):
            yield from _records(part)
    elif isinstance(value, list):
        for part in value:
            yield from _records(part)


BY_FORM = {"amend", "adjust", "enrol", "set-dial"}


@pytest.mark.parametrize("seed", seeds(1, 2, 8))
def test_a_program_that_knows_nothing_plays_by_moves_and_is_never_refused(fight: Table, seed: int) -> None:
    """It fills in what is narrowed, and prose by its name; what waits for consent it answers."""
    rng = Random(seed)
    accepted = set()
    for _ in range(25):
        player = rng.choice((fight.gm, fight.ben, fight.cleo))
        moves = [one for one in player.look("/moves")["moves"] if one["kind"] not in {*BY_FORM, "hand-over", "retire"}]
        driving = [one for one in moves if one["awaits"]] or moves
        if not driving:
            continue
        move = rng.choice(driving)
        narrowing = judge(player, move)
        do = with_prose(filled(move, rng), narrowing)
        assert narrowing.is_valid(do), (do, move["schema"])
        answer = player.post("/rulings", {"declare": do})
        assert answer.status_code in (201, 202), (do, answer.text)
        accepted.add(move["kind"])
        for one in fight.gm.look("/waiting")["waiting"]:
            fight.gm.does(f"/waiting/{one['id']}/withdraw", {"reason": "no"}, 200)
    assert len(accepted) > 3, accepted


def test_what_is_still_unsaid_of_a_dial_is_a_gap_and_no_part_of_its_name(table: Table) -> None:
    (dial,) = offered(table.gm)["set-dial"]
    assert dial["text"] == "The option “...” changes to “...”: ..."


# --- what is hidden ---


def test_moves_made_of_balances_that_are_hidden_would_be_found(
    monkeypatch: pytest.MonkeyPatch, service: Service
) -> None:
    """Where all decide anybody may give anybody's coins away: how many there are is no secret of the moves'."""
    twins = Twins(service, called("toy: coins, where all decide"))
    assert not any(twins.look(path) for path in ("/moves", "/moves?blocked=true", "/waiting"))
    monkeypatch.setattr(SeenTable, "balance", RulingTable.balance)
    assert twins.look("/moves")


def test_what_waits_is_seen_by_moves(service: Service) -> None:
    """An attack whose defence is chosen is carried out first: nothing is offered that slips away from it."""
    evening = Evening(service)
    evening.gathers()
    ann, ben, cleo = evening.ann, evening.ben, evening.cleo
    ann.declare("open-conflict", participants=list(EVERYBODY))
    assert {"take-front", "spend-resolve"} <= offered(cleo).keys() and "pass" in offered(ben)
    told: Json = {"kind": "attack", "actor": VOORUK, "target": AHVIA, "expertise": "rend", "attribute": "physique"}
    waiting = ben.does("/rulings", {"declare": told, "dice": "table"}, 202)
    assert "pass" in offered(ben), "it reserves nothing yet"
    cleo.does(f"/waiting/{waiting['id']}/answers", {"answer": {"choice": {"kind": "stand"}}}, 202)
    assert cleo.tries("take-front", character=AHVIA).json()["code"] == "decision-pending"
    for player in (ann, ben, cleo):
        assert not {"take-front", "spend-resolve", "pass", "close-conflict", "attack"} & offered(player).keys()


def test_what_a_seat_has_declared_already_is_not_offered_it_again(table: Table) -> None:
    table.fighters()
    table.gm.declare("amend", subject="character:1", field="harm", value=20, reason="so that only Celia can be hit")
    given = {"kind": "hit", "given": {"char": "1", "target": "2"}}
    assert "hit" in offered(table.ben) and table.ben.does("/moves", given, 200)["moves"]
    waiting = table.ben.does("/rulings", {"declare": HIT}, 202)["id"]
    assert "hit" not in offered(table.ben) and table.ben.does("/moves", given, 200)["moves"] == []
    assert "hit" not in offered(table.gm, seat=table.ben.id)
    (told,) = [one for one in table.ben.look("/moves", blocked=True)["blocked"] if one["kind"] == "hit"]
    refused = table.ben.tries("hit", char="1", target="2").json()
    assert told["refusal"]["code"] == refused["code"] == "already-waiting"
    assert told["refusal"]["context"]["waiting"] == waiting and refused["detail"].startswith(told["refusal"]["text"])
    assert "hit" in offered(table.cleo), "she has declared nothing"
    corin = table.cleo.enrol("Corin")
    (left,) = offered(table.ben)["hit"]
    assert judge(table.ben, left).is_valid({**HIT, "target": corin}), "of several some are not waiting"
    assert not table.ben.does("/moves", given, 200)["moves"]
    table.gm.does(f"/waiting/{waiting}/withdraw", {"reason": "never mind"}, 200)
    assert table.ben.does("/moves", given, 200)["moves"]


def test_scenes_that_are_open_after_one_was_reinstated_are_closed_and_none_is_opened(fight: Table) -> None:
    """The game has one at a time; what people decide about the past can make it two."""
    fight.gm.declare("abandon-round")
    number = next(one["number"] for one in fight.gm.look("/rulings", kind="open-scene")["rulings"])
    assert "open-scene" not in offered(fight.gm)
    fight.gm.does(f"/rulings/{number}/overturn", {"reason": "not there"}, 200)
    assert "open-scene" in offered(fight.gm)
    other = fight.gm.declare("open-scene", title="Elsewhere")["number"]
    fight.gm.does(f"/rulings/{number}/reinstate", {"reason": "there, too"}, 200)
    for scene in (number, other):
        assert "open-scene" not in offered(fight.gm)
        closes = {"kind": "close-scene", "scene": str(scene)}
        assert any(judge(fight.gm, move).is_valid(closes) for move in offered(fight.gm)["close-scene"])
        fight.gm.does("/rulings", {"declare": closes, "scene": str(scene)})
    assert "open-scene" in offered(fight.gm)
