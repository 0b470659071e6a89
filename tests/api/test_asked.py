"""What is asked in a query that nobody knows is refused, with what there is and what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.api.table import Json, Service, Table

PROBES = ("/healthz", "/readyz", "/metrics")
NOBODYS = "misspeltt"


@pytest.fixture(scope="module")
def seated(service: Service) -> Table:
    """Ben's and Cleo's fighters in a scene of a session, a hit, and something to be settled."""
    table = Table(service)
    table.fighters()
    table.gm.does("/sessions", {"title": "One"})
    table.gm.does("/scenes", {"title": "The bridge", "cast": ["1", "2"]})
    table.hit(3)
    return table


def reads(service: Service) -> Iterator[tuple[str, Json]]:
    """The GET routes and their operations, but for the probes."""
    for path, methods in service.description.document["paths"].items():
        if "get" in methods and path not in PROBES:
            yield path, methods["get"]


def writes(service: Service) -> Iterator[tuple[str, str, Json]]:
    """All other routes."""
    for path, methods in service.description.document["paths"].items():
        yield from ((method.upper(), path, one) for method, one in methods.items() if method != "get")


def fields(service: Service, operation: Json) -> list[str] | None:
    """Those of its body: [] where it has none, None where there is no body or it is no JSON."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is None:
        return None
    told = [one for one in content["schema"].get("anyOf", [content["schema"]]) if "$ref" in one]
    (name,) = (one["$ref"].rpartition("/")[2] for one in told)
    return list(service.description.document["components"]["schemas"][name].get("properties", {}))


def queried(operation: Json) -> list[Json]:
    return [one for one in operation.get("parameters", []) if one["in"] == "query"]


def filled(path: str, table: Table) -> str:
    """The path with what is there."""
    there = {
        "campaign": table.id,
        "number": "1",
        "character": "1",
        "scene": "4",
        "session": "3",
        "seat": "s2",
        "system": "toy",
        "rule": "toy.hit",
        "account": "character:1/coin",
        "field": "name",
        "index": "0",
        "count": "1",
        "waiting": "w1",
        "hook": "h1",
        "finding": "5-1",
        "bookmark": "1",
        "invite": "i1",
        "fork": "{fork}",
    }
    return re.sub(r"\{(\w+)\}", lambda found: there[found[1]], path)


def misspelt(word: str) -> str:
    return f"{word[:-1]}{word[-1]}{word[-1]}x" if len(word) > 2 else f"{word}x"


def only_mistake(answer: httpx.Response) -> Json:
    assert answer.status_code == 422, answer.text
    (mistake,) = answer.json()["errors"]
    assert mistake["message"] in answer.json()["detail"]
    return dict(mistake)


# --- names of parameters ---


def test_every_misspelt_parameter_is_refused_and_the_one_meant_is_named(service: Service, seated: Table) -> None:
    tried = 0
    for path, operation in reads(service):
        known = sorted(one["name"] for one in queried(operation))
        for name in known:
            sent = misspelt(name)
            answer = service.send("GET", filled(path, seated), seated.gm.bearer, params={sent: "1"})
            mistake = only_mistake(answer)
            assert (mistake["pointer"], mistake["given"]) == (f"/query/{sent}", sent), path
            assert (mistake["allowed"], mistake["did_you_mean"]) == (known, name), path
            tried += 1
    assert tried > 60


def test_what_takes_no_parameter_says_so(service: Service, seated: Table) -> None:
    for path, operation in reads(service):
        answer = service.send("GET", filled(path, seated), seated.gm.bearer, params={NOBODYS: ""})
        mistake = only_mistake(answer)
        assert mistake.get("allowed", []) == sorted(one["name"] for one in queried(operation)), path
        assert mistake["type"] == "extra_forbidden"


def test_on_every_route_that_does_something_an_unknown_name_is_refused_and_nothing_done(
    service: Service, seated: Table
) -> None:
    """Parameters and fields of bodies, each misspelt."""
    fork = seated.gm.does("/fork", {"at": 1})["id"]
    before, tried, wrong = seated.position, 0, []
    for method, path, operation in writes(service):
        url = filled(path, seated).replace("{fork}", fork)
        asks = [one for named in operation.get("security", [{}]) for one in named]
        headers = service.operator if asks == ["operator"] else seated.ben.bearer if fork in url else seated.gm.bearer
        known = sorted(one["name"] for one in queried(operation))
        for sent in [NOBODYS, *map(misspelt, known)]:
            answer = service.send(method, url, headers, params={sent: "1"})
            told = [one for one in answer.json()["errors"] if one["pointer"] == f"/query/{sent}"]
            assert answer.status_code == 422 and told, (method, path, answer.text)
            assert told[0].get("allowed", []) == known, (method, path)
        known_fields = fields(service, operation)
        for name in (known_fields or [""]) if known_fields is not None else ():
            sent = misspelt(name) if name else NOBODYS
            more = {"reason": "?"} if path.endswith("/dials") else {}  # where every other name is a dial's
            answer = service.send(method, url, headers, json={sent: None, **more})
            assert answer.status_code == 422, (method, path, answer.text)
            mistake: Json = next((one for one in answer.json().get("errors", ()) if one["pointer"] == f"/{sent}"), {})
            meant = (mistake.get("given"), mistake.get("did_you_mean"), name in mistake.get("allowed", ()))
            if meant != (sent, name or None, bool(name)) and not more:
                wrong.append((method, path, answer.text))
            tried += 1
    assert not wrong, "\n".join(map(str, wrong))
    assert tried > 60
    assert seated.position == before


def test_nothing_is_done_where_a_parameter_is_unknown(seated: Table) -> None:
    before = seated.position
    for path, body in (
        ("/sessions", {"title": "Two"}),
        ("/rulings", {"declare": {"kind": "open-session", "title": ""}}),
        ("/rulings/1/dispute", {"reason": "why?"}),
        ("/moves", {"kind": "hit"}),
        ("/seats/s2/token", None),
    ):
        mistake = only_mistake(seated.gm.post(f"{path}?dry-run=true", body))
        assert mistake["given"] == "dry-run"
    assert seated.position == before
    assert seated.ben.get().status_code == 200, "the token is the one it was"


def test_the_operator_is_told_where_only_the_operator_may(service: Service, seated: Table) -> None:
    import_ = "/campaigns/import?dryrun=true"
    mistake = only_mistake(service.send("POST", import_, service.operator, content=b""))
    assert (mistake["allowed"], mistake["did_you_mean"]) == (["dry-run"], "dry-run")
    only_mistake(service.send("POST", "/campaigns?name=x", service.operator, json={}))
    only_mistake(service.send("GET", f"/campaigns/{seated.id}/export?whole=1", service.operator))
    for path in (import_, "/campaigns?name=x"):
        assert service.send("POST", path, seated.gm.bearer, content=b"").status_code == 401


def test_strangers_are_told_what_they_were_without_a_mistake(service: Service, seated: Table) -> None:
    other = Table(service)
    strangers = [({}, 401), ({"Authorization": "Bearer nonsense"}, 404), (other.gm.bearer, 404)]
    strangers.append(({"Authorization": f"Bearer {seated.id}.s1.wrong"}, 401))
    for headers, _ in strangers:
        for path in ("", "/rulings", "/waiting", "/characters/1"):
            url = f"/campaigns/{seated.id}{path}"
            plain = service.send("GET", url, headers)
            for query in ("?limitt=1", "?limit=many", "?as=never&at=x", "?mine=perhaps", "?kind=nothing", "?seat=s99"):
                asked = service.send("GET", f"{url}{query}", headers)
                assert (asked.status_code, asked.content) == (plain.status_code, plain.content), (url, query)
                assert plain.status_code in (401, 404)


def test_the_probes_are_asked_by_those_who_add_something(service: Service) -> None:
    for path in PROBES[:2]:
        assert service.send("GET", f"{path}?from=balancer").status_code == 200


def test_a_name_is_told_once_and_as_it_was_sent(seated: Table) -> None:
    mistake = only_mistake(seated.ben.get("/waiting?a%2Fb~=1&a%2Fb~=2"))
    assert (mistake["pointer"], mistake["given"]) == ("/query/a~1b~0", "a/b~")
    many = seated.ben.get("/waiting", **{f"x{number}": 1 for number in range(200)}).json()
    assert len(many["errors"]) == 50
    long = only_mistake(seated.ben.get("/waiting", **{"y" * 3000: 1}))
    assert len(long["given"]) == 101


# --- values of parameters ---


def of_words(operation: Json) -> Iterator[tuple[str, list[Any]]]:
    """The parameters that take one of some words."""
    for one in queried(operation):
        for schema in one["schema"].get("anyOf", [one["schema"]]):
            if "enum" in schema:
                yield one["name"], schema["enum"]
            if schema.get("type") == "boolean":
                yield one["name"], ["true", "false"]


def test_every_misspelt_word_is_refused_with_the_words_there_are(service: Service, seated: Table) -> None:
    tried = set()
    for path, operation in reads(service):
        for name, words in of_words(operation):
            for word in words:
                answer = service.send("GET", filled(path, seated), seated.gm.bearer, params={name: misspelt(word)})
                mistake = only_mistake(answer)
                assert (mistake["pointer"], mistake["given"]) == (f"/query/{name}", misspelt(word)), path
                assert (mistake["allowed"], mistake["did_you_mean"]) == (words, word), path
                tried.add(name)
    assert tried >= {"as", "status", "mine", "blocked"}


def test_words_in_bodies_are_told_alike(seated: Table) -> None:
    mistake = only_mistake(seated.gm.post("/seats", {"name": "Eve", "role": "playr"}))
    assert mistake == {
        "pointer": "/role",
        "type": "literal_error",
        "given": "playr",
        "allowed": ["gm", "player", "observer"],
        "did_you_mean": "player",
        "message": "'playr' is not one of the allowed values: 'gm', 'player', 'observer'. Did you mean 'player'?",
    }
    answer = {"coins": {"coins": ["head"], "source": "table"}}
    mistake = only_mistake(seated.ben.post("/rulings", {"declare": {"kind": "flip"}, "answers": [answer]}))
    assert (mistake["given"], mistake["did_you_mean"]) == ("head", "heads")


# --- what lists are filtered by ---

FILTERS: list[tuple[str, str, str, str, str]] = [
    # path, filter, given, a word among those allowed, the word meant
    ("/rulings", "kind", "hitt", "open-scene", "hit"),
    ("/rulings", "kind", "Open Scene", "hit", "open-scene"),
    ("/rulings", "rule", "toy.hitt", "ledger.session", "toy.hit"),
    ("/rulings", "rule", "hit", "toy.coins", "toy.hit"),
    ("/rulings", "character", "Celia", "1", "2"),
    ("/rulings", "seat", "Cleo", "s1", "s3"),
    ("/rulings", "scene", "bridge", "4", "4"),
    ("/rulings", "session", "one", "3", "3"),
    ("/timeline", "kind", "toy.hurts", "ledger.adjusted", "toy.hurt"),
    ("/timeline", "kind", "hurt", "ledger.adjusted", "toy.hurt"),
    ("/timeline", "subject", "character:Celia", "campaign", "character:2"),
    ("/timeline", "subject", "Bruno", "seat:s1", "character:1"),
    ("/timeline", "subject", "the bridge", "scene:4", "scene:4"),
    ("/timeline", "session", "One", "3", "3"),
    ("/timeline", "scene", "The bridg", "4", "4"),
    ("/characters/1/history", "kind", "ledger.adjust", "toy.hurt", "ledger.adjusted"),
    ("/scenes/4/history", "kind", "scene-opened", "toy.hurt", "ledger.scene-opened"),
    ("/rulings", "target", "Celia", "1", "2"),
    ("/rulings", "unit", "coins", "coin", "coin"),
    ("/timeline", "unit", "coins", "coin", "coin"),
    ("/accounts", "unit", "coins", "coin", "coin"),
    ("/accounts/character:1/coin", "session", "one", "3", "3"),
    ("/decisions", "seat", "Cleo", "s1", "s3"),
    ("/decisions", "session", "one", "3", "3"),
    ("/dice/faces", "seat", "Cleo", "s1", "s3"),
    ("/dice/faces", "session", "one", "3", "3"),
    ("/moves", "seat", "Cleo", "s1", "s3"),
    ("/moves", "scene", "bridge", "4", "4"),
]

#: What can be narrowed to one ruling.
NARROWED = ["/timeline", "/characters/1/history", "/scenes/4/history", "/findings", "/decisions"]


@pytest.mark.parametrize(("path", "name", "given", "among", "meant"), FILTERS)
def test_what_there_is_not_is_no_filter(
    seated: Table, path: str, name: str, given: str, among: str, meant: str
) -> None:
    mistake = only_mistake(seated.gm.get(path, **{name: given}))
    assert (mistake["pointer"], mistake["given"]) == (f"/query/{name}", given)
    assert among in mistake["allowed"] and meant in mistake["allowed"]
    assert mistake["did_you_mean"] == meant and f"Did you mean {meant!r}" in mistake["message"]


@pytest.mark.parametrize(
    ("dial", "at", "given", "code", "allowed", "meant"),
    [
        ("dye:8", 0, "dye", "unknown-dial", "deciders", "die"),
        ("deciders:gmm", 0, "gmm", "dial-value", "gm", "gm"),
        ("die:7", 0, "7", "dial-value", 8, None),
        (["die:8", "Dice:tabel"], 1, "Dice", "unknown-dial", "die", "dice"),
    ],
)
def test_a_dial_there_is_not_is_told_with_those_there_are(
    seated: Table, dial: Any, at: int, given: str, code: str, allowed: Any, meant: str | None
) -> None:
    answer = seated.ben.get("/what-if", dial=dial)
    mistake = only_mistake(answer)
    assert (mistake["pointer"], mistake["given"]) == (f"/query/dial/{at}", given)
    assert answer.json()["code"] == code and allowed in mistake["allowed"]
    assert mistake.get("did_you_mean") == meant


@pytest.mark.parametrize("path", NARROWED)
def test_a_ruling_there_is_not_is_no_filter(seated: Table, path: str) -> None:
    mistake = only_mistake(seated.gm.get(path, ruling=99))
    assert (mistake["pointer"], mistake["given"]) == ("/query/ruling", 99)
    assert mistake["message"].endswith("The last ruling is 5.")
    assert seated.gm.get(path, ruling=5).status_code == 200


def test_every_filter_of_a_list_is_held_against_what_there_is(service: Service, seated: Table) -> None:
    """So that a new one is not forgotten: but for places and clocks, each parameter is tried above or takes words."""
    places = {
        "after",
        "before",
        "limit",
        "wait",
        "at",
        "from",
        "to",
        "without",
        "dial",
        "q",
        "back",
        "most",
        "line",
        "since",
        "until",
    }
    tried = {(path, name) for path, name, *_ in FILTERS} | {(path, "ruling") for path in NARROWED}
    for path, operation in reads(service):
        below = filled(path.removeprefix("/campaigns/{campaign}"), seated)
        names = {one["name"] for one in queried(operation)} - places - {name for name, _ in of_words(operation)}
        assert {(below, name) for name in names} <= tried, path


def test_several_mistakes_are_told_at_once(seated: Table) -> None:
    problem = seated.ben.get("/rulings", kind="hitt", rule="toy.hitt", seat="s9").json()
    assert [one["pointer"] for one in problem["errors"]] == ["/query/seat", "/query/kind", "/query/rule"]
    assert problem["detail"].endswith("There are 2 more mistakes.")


def test_where_nothing_is_yet_nothing_can_stand(table: Table) -> None:
    mistake = only_mistake(table.dora.get("/rulings", scene="1"))
    assert mistake["message"] == "'1' is unknown: the campaign has no scene yet." and "allowed" not in mistake


def test_what_was_struck_can_still_be_asked_for(table: Table) -> None:
    """Its rulings are there, and told with its id."""
    table.fighters()
    table.gm.does("/sessions", {"title": "One"})
    table.gm.does("/scenes", {"title": "The bridge", "cast": ["1"]})
    for number in (4, 3, 2):
        table.gm.does(f"/rulings/{number}/overturn", {"reason": "we never met"}, 200)
    for path in ("/rulings", "/timeline"):
        for name, id in (("session", "3"), ("scene", "4")):
            assert table.ben.get(path, **{name: id}).status_code == 200
    assert table.ben.look("/rulings", character="2")["rulings"][0]["status"] == "overturned"
    assert len(table.ben.look("/timeline", subject="scene:4")["facts"]) == 1
    mistake = only_mistake(table.ben.get("/rulings", character="4"))
    assert mistake["allowed"] == ["1"], "what is struck is not there to be chosen"


def test_whatever_is_told_of_can_be_asked_for(seated: Table) -> None:
    for ruling in seated.gm.look("/rulings", limit=500)["rulings"]:
        asked = {"kind": ruling["declared"]["kind"], "seat": ruling["by"]["seat"], "status": ruling["status"]}
        asked |= {name: ruling[name] for name in ("scene", "session") if ruling[name] is not None}
        found = seated.gm.look("/rulings", **asked)["rulings"]
        assert ruling["number"] in [one["number"] for one in found]
        for step in ruling["because"]:
            assert seated.gm.look("/rulings", rule=step["rule"])["rulings"]
    for fact in seated.gm.look("/timeline", limit=500)["facts"]:
        asked = {name: fact[name] for name in ("kind", "subject", "ruling") if fact[name] is not None}
        assert fact["id"] in [one["id"] for one in seated.gm.look("/timeline", **asked)["facts"]]


def test_what_is_waited_for_first_can_be_filtered_by(seated: Table) -> None:
    """A character that comes while somebody waits for its position is known then."""
    from concurrent.futures import ThreadPoolExecutor

    number = seated.gm.look()["rulings"] + 1
    with ThreadPoolExecutor(1) as beside:
        coming = beside.submit(seated.ben.get, "/rulings", character=str(number), wait=seated.position + 1)
        seated.ben.enrol("Late")
        assert coming.result().status_code == 200
