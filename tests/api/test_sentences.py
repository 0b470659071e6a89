"""What is refused says in its first sentence whom it is about, to whoever may know; then the rule."""

from __future__ import annotations

from tests.api.table import Table


def test_a_refusal_names_its_culprit_by_name_and_then_the_rule(table: Table) -> None:
    table.fighters(health=3)
    table.hit(3)
    name = {one["id"]: one["name"] for one in table.gm.look()["characters"]}["2"]
    refused = table.ben.post("/rulings", {"declare": {"kind": "hit", "char": "1", "target": "2"}})
    assert (refused.status_code, refused.json()["code"]) == (422, "already-down")
    assert refused.json()["detail"].startswith(f"{name} is down already. "), refused.text


def test_the_kernels_refusals_do_so_in_every_game(table: Table) -> None:
    table.fighters(health=3)
    name = {one["id"]: one["name"] for one in table.gm.look()["characters"]}["2"]
    table.gm.declare("retire", character="2", reason="gone")
    refused = table.gm.post("/rulings", {"declare": {"kind": "retire", "character": "2", "reason": "gone"}})
    assert refused.json()["code"] == "already-retired"
    assert refused.json()["detail"].startswith(f"{name} has already left play. ")


def test_what_is_none_of_the_words_is_told_with_those_there_are(table: Table) -> None:
    table.fighters(health=3)
    wrong = {"declare": {"kind": "hit", "chr": "1", "target": 2}}
    told = table.ben.post("/rulings", wrong).json()
    assert told["code"] == "malformed"
    assert {one["pointer"]: one.get("did_you_mean") for one in told["errors"]} == {
        "/declare/chr": "char",
        "/declare/char": None,
        "/declare/target": None,
    }
    assert [one["given"] for one in told["errors"] if one["pointer"] == "/declare/target"] == [2]


def test_a_system_says_what_is_referred_to_and_who_is_ready_to_play(table: Table) -> None:
    system = table.service.send("GET", "/systems/toy", {}).json()
    assert "character" in system["references"] and len(system["people"]) == 3
    for called, sheet in system["people"].items():
        table.gm.declare("enrol", name=called, seat=table.ben.id, sheet=sheet)
    (hit,) = (one for one in system["inputs"] if one["kind"] == "hit")
    assert hit["schema"]["properties"]["target"]["x-ref"] == {"to": "character"}


def test_who_joins_is_named_in_the_answer_already(table: Table) -> None:
    """The answer is made before the save: whoever, or what scene, comes with it has a name all the same."""
    table.fighters()
    sheet = table.service.send("GET", "/systems/toy", {}).json()["people"]["Ann Arrow"]
    for made in (
        table.gm.declare("enrol", name="Quinn", seat=table.ben.id, sheet=sheet),
        table.gm.declare("open-scene", title="The yard", cast=["1"]),
    ):
        read = table.gm.look(f"/rulings/{made['number']}")
        assert made["text"] == read["text"]
        assert [one["text"] for one in made["facts"]] == [one["text"] for one in read["facts"]]
        assert "omebody" not in str(made) and "a scene" not in str(made)


def test_a_reason_is_told_as_it_was_written(table: Table) -> None:
    """Words of the game lose their hyphens in a sentence; what somebody wrote does not."""
    table.fighters()
    reason = "It was a well-aimed blow -- to his sword_arm, not to character:1/coin."
    table.ben.does("/rulings/1/dispute", {"reason": reason}, 200)
    table.gm.does("/rulings/1/overturn", {"reason": reason}, 200)
    said = [one["text"] for one in table.gm.look("/rulings/1")["decisions"]]
    assert said == [f"Ben disputes ruling 1: {reason}", f"Ann overturns ruling 1: {reason}"]
