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


def queried(operation: Json) -> list[Json]:
    return [one for one in operation.get("parameters", []) if one["in"] == "query"]


def filled(path: str, table: Table) -> str:
    """The path with what is there."""
    there = {
        "campaign": table.id, "number": "1", "character": "1", "scene": "4", "session": "3", "seat": "s2",
        "system": "toy", "rule": "toy.hit", "account": "character:1/coin", "field": "name", "index": "0", "count": "1",
        "waiting": "w1",
    }  # fmt: skip
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


def test_nothing_is_done_where_a_parameter_is_unknown(seated: Table) -> None:
    before = seated.position
    for path, body in (
        ("/sessions", {"title": "Two"}), ("/rulings", {"declare": {"kind": "open-session", "title": ""}}),
        ("/rulings/1/dispute", {"reason": "why?"}), ("/moves", {"kind": "hit"}), ("/seats/s2/token", None),
    ):  # fmt: skip
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
        "pointer": "/role", "type": "literal_error", "given": "playr", "allowed": ["gm", "player", "observer"],
        "did_you_mean": "player",
        "message": "'playr' is none of what can stand here: 'gm', 'player', 'observer'. Did you mean 'player'?",
    }  # fmt: skip
    answer = {"coins": {"coins": ["head"], "source": "table"}}
    mistake = only_mistake(seated.ben.post("/rulings", {"declare": {"kind": "flip"}, "answers": [answer]}))
    assert (mistake["given"], mistake["did_you_mean"]) == ("head", "heads")
