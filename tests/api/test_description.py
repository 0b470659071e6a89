"""The OpenAPI document: complete, and true of whatever somebody may send."""

from __future__ import annotations

import json
import re
import uuid
from typing import Any

import httpx
import hypothesis
import pytest
import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from api.http.components import load_components
from ledger.application import json_form
from ledger.rules import systems
from tests.api.table import Json, Service, Table, validator
from tests.levels import examples

PAGES = (
    "text/html",
    "text/markdown",
    "text/plain",
    "text/event-stream",
    "application/jsonl",
    "application/octet-stream",
)
ROUTES = {
    "GET /healthz",
    "GET /readyz",
    "GET /metrics",
    "GET /systems",
    "GET /systems/{system}",
    "GET /systems/{system}/rules",
    "GET /systems/{system}/guide",
    "GET /systems/{system}/rules/{rule}",
    "POST /campaigns",
    "GET /campaigns/{campaign}",
    "POST /campaigns/{campaign}/seats",
    "GET /campaigns/{campaign}/seats/{seat}",
    "POST /campaigns/{campaign}/seats/{seat}/token",
    "PATCH /campaigns/{campaign}/seats/{seat}",
    "POST /campaigns/{campaign}/dials",
    "POST /campaigns/{campaign}/characters",
    "POST /campaigns/{campaign}/characters/{character}/hand-over",
    "POST /campaigns/{campaign}/characters/{character}/retire",
    "GET /campaigns/{campaign}/characters/{character}",
    "POST /campaigns/{campaign}/sessions",
    "POST /campaigns/{campaign}/sessions/{session}/close",
    "POST /campaigns/{campaign}/scenes",
    "POST /campaigns/{campaign}/scenes/{scene}/close",
    "GET /campaigns/{campaign}/scenes/{scene}",
    "POST /campaigns/{campaign}/rulings",
    "GET /campaigns/{campaign}/rulings",
    "GET /campaigns/{campaign}/rulings/{number}",
    "POST /campaigns/{campaign}/rulings/{number}/dispute",
    "POST /campaigns/{campaign}/rulings/{number}/uphold",
    "POST /campaigns/{campaign}/rulings/{number}/overturn",
    "POST /campaigns/{campaign}/rulings/{number}/reinstate",
    "POST /campaigns/{campaign}/rulings/{number}/revise",
    "GET /campaigns/{campaign}/waiting",
    "POST /campaigns/{campaign}/waiting/{waiting}/answers",
    "POST /campaigns/{campaign}/waiting/{waiting}/withdraw",
    "GET /campaigns/{campaign}/what-if",
    "GET /campaigns/{campaign}/findings",
    "POST /campaigns/{campaign}/findings/{finding}/settle",
    "GET /campaigns/{campaign}/accounts",
    "GET /campaigns/{campaign}/dice",
    "POST /campaigns/{campaign}/rulings/{number}/witness",
    "POST /campaigns/{campaign}/seats/{seat}/entropy",
    "GET /campaigns/{campaign}/seal",
    "GET /campaigns/{campaign}/seal/entries/{index}",
    "GET /campaigns/{campaign}/seal/since/{count}",
    "GET /seal/key",
    "GET /me",
    "GET /campaigns",
    "GET /campaigns/{campaign}/state",
    "GET /campaigns/{campaign}/characters",
    "GET /campaigns/{campaign}/diff",
    "POST /campaigns/{campaign}/hooks",
    "GET /campaigns/{campaign}/hooks",
    "GET /campaigns/{campaign}/hooks/{hook}",
    "POST /campaigns/{campaign}/invites",
    "GET /campaigns/{campaign}/invites",
    "DELETE /campaigns/{campaign}/invites/{invite}",
    "POST /invites/use",
    "DELETE /campaigns/{campaign}/hooks/{hook}",
    "POST /campaigns/{campaign}/hooks/{hook}/agree",
}


@pytest.fixture(scope="module")
def document(service: Service) -> Json:
    answer = service.client.get("/openapi.json")
    assert answer.status_code == 200
    found: Json = answer.json()
    return found


def operations(document: Json) -> list[tuple[str, Json]]:
    return [
        (f"{method.upper()} {path}", operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def test_every_route_of_the_contract_is_there(document: Json) -> None:
    assert {name for name, _ in operations(document)} >= ROUTES


def test_every_operation_is_named_explained_and_answers_with_schemas_and_examples(document: Json) -> None:
    schemas = document["components"]["schemas"]
    names = [operation["operationId"] for _, operation in operations(document)]
    assert len(names) == len(set(names))
    for route, operation in operations(document):
        assert re.fullmatch(r"[a-z]+(_[a-z]+)+", operation["operationId"]), route
        assert operation["description"].strip(), route
        assert operation["tags"], route
        for status, answer in operation["responses"].items():
            assert "content" in answer or status == "304", f"{route} {status}"
            for kind, content in answer.get("content", {}).items():
                if kind in PAGES:
                    file = {"format": "binary"} if kind == "application/octet-stream" else {}
                    assert content["schema"] == {"type": "string", **file}, route
                    continue
                assert kind == ("application/json" if status < "400" else "application/problem+json"), route
                parts = content["schema"].get("anyOf", [content["schema"]])
                for part in parts:
                    schema = schemas[part["$ref"].rpartition("/")[2]]
                    assert content.get("examples") or schema.get("examples"), f"{route} {status} has no example"


def test_no_reference_leads_nowhere(document: Json) -> None:
    text = httpx.Response(200, json=document).text
    referred = set(re.findall(r'"#/components/schemas/([^"]+)"', text))
    assert referred <= set(document["components"]["schemas"])
    assert "x-component" not in text


def members(schemas: Json, name: str, way: str) -> list[str]:
    return [one["$ref"].rpartition("/")[2] for one in schemas[name][way]]


@pytest.mark.parametrize(
    ("union", "said_by"),
    [("AnyInput", json_form.index_declaration_classes), ("AnyChoice", json_form.index_choice_classes)],
)
def test_every_word_of_every_system_is_in_the_union_of_its_system_by_its_kind(
    document: Json, union: str, said_by: Any
) -> None:
    """Kinds repeat between systems, never in one: there they tell the schemas apart."""
    schemas = document["components"]["schemas"]
    speaking = {name: ruleset for name, ruleset in systems().items() if said_by(ruleset)}
    assert members(schemas, union, "anyOf") == [f"{system}_{union}" for system in speaking]
    for system, ruleset in speaking.items():
        one = schemas[f"{system}_{union}"]
        assert one["discriminator"]["propertyName"] == "kind" and one["description"]
        told = {kind: ref.rpartition("/")[2] for kind, ref in one["discriminator"]["mapping"].items()}
        assert set(told) == set(said_by(ruleset))
        assert sorted(told.values()) == sorted(members(schemas, f"{system}_{union}", "oneOf"))
        for kind, name in told.items():
            assert name.partition("_")[0] in (system, "ledger")
            assert schemas[name]["properties"]["kind"]["const"] == kind
            assert "kind" in schemas[name]["required"] and schemas[name]["additionalProperties"] is False, name


def test_every_answer_and_every_sheet_is_a_component_of_its_own(document: Json) -> None:
    schemas = document["components"]["schemas"]
    answers = [f"answer_{name}" for name in (*json_form.ANSWER_CLASSES, "choice")]
    assert members(schemas, "AnyAnswer", "anyOf") == answers and answers[-1] in schemas
    assert members(schemas, "AnySheet", "anyOf") == [f"{name}_Sheet" for name in systems()]


def test_what_may_be_left_out_says_what_is_taken_then_and_no_generator_makes_it_required(document: Json) -> None:
    """Some take a `default` for a promise that the field is always there, and ask for it in requests too."""
    schemas = document["components"]["schemas"]
    for name, schema in schemas.items():
        for field, about in schema.get("properties", {}).items():
            assert "default" not in about, f"{name}.{field}"
    assert schemas["Overturn"]["properties"]["settle"]["description"].endswith(' Default: `"flag"`.')
    assert "settle" not in schemas["Overturn"]["required"]


def test_files_are_described_as_what_every_client_can_send_and_keep(document: Json) -> None:
    """`application/octet-stream`, which is also what somebody gets who asks for it; see test_lines_as_a_file."""
    paths, file = document["paths"], {"type": "string", "format": "binary"}
    taken = paths["/campaigns/import"]["post"]["requestBody"]["content"]
    assert {kind: one["schema"] for kind, one in taken.items()} == {"application/octet-stream": file}
    for path in ("/campaigns/{campaign}/export", "/campaigns/{campaign}/sessions/{session}/replay"):
        given = paths[path]["get"]["responses"]["200"]["content"]
        assert {kind: one["schema"] for kind, one in given.items()} == {
            "application/jsonl": {"type": "string"},
            "application/octet-stream": file,
        }


def test_the_document_is_rendered_once_and_told_apart_by_its_tag(service: Service, document: Json) -> None:
    first = service.client.get("/openapi.json")
    assert first.headers["Content-Encoding"] == "gzip" and "Accept-Encoding" in first.headers["Vary"]
    assert first.headers["Cache-Control"] == "no-cache"  # kept, and asked about
    plain = service.client.get("/openapi.json", headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers and plain.json() == document == first.json()
    tag = first.headers["ETag"]
    assert tag == plain.headers["ETag"] and tag.startswith('W/"')
    for known in (tag, f'"other", {tag}', tag.removeprefix("W/"), "*"):
        again = service.client.get("/openapi.json", headers={"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
    assert service.client.get("/openapi.json", headers={"If-None-Match": '"other"'}).status_code == 200


def test_the_examples_fit_their_schemas(document: Json, service: Service) -> None:
    for name, schema in document["components"]["schemas"].items():
        for example in schema.get("examples", []):
            assert validator(schema, document).is_valid(example), name


def test_systems_tell_their_words(service: Service) -> None:
    listed = service.send("GET", "/systems").json()["systems"]
    assert {one["name"] for one in listed} == set(systems())
    for one in listed:
        told = service.send("GET", f"/systems/{one['name']}").json()
        assert {word["kind"] for word in told["inputs"]} >= {"enrol", "open-scene", "amend"}
        assert all(word["schema"]["properties"] is not None for word in told["inputs"])
        assert {dial["name"] for dial in told["dials"]} >= {"deciders", "dice"}
        rules = service.send("GET", f"/systems/{one['name']}/rules").json()["rules"]
        assert all(rule["statement"] for rule in rules)
        first = service.send("GET", f"/systems/{one['name']}/rules/{rules[0]['rule']}").json()
        assert first == rules[0]
    toy = service.send("GET", "/systems/toy").json()
    assert toy["dials"][0] == {"name": "die", "default": 6, "values": [6, 8], "rule": "toy.hit", "hides": False}
    hit = next(word for word in toy["inputs"] if word["kind"] == "hit")
    assert hit["records"] == ["toy.hurt", "toy.missed"]
    assert {"slot": "dodge", "phrase": "Do you dodge or stand?"} in toy["questions"]
    assert (hit["who"], hit["schema"]["required"]) == ("the player of `char`", ["kind", "char", "target"])
    assert service.send("GET", "/systems/no-such-game").status_code == 404
    assert service.send("GET", "/systems/toy/rules/toy.nothing").status_code == 404


def test_health(service: Service) -> None:
    assert service.send("GET", "/healthz").json() == {"status": "ok"}
    assert service.send("GET", "/readyz").json() == {"status": "ready"}


# --- whatever somebody may send ---

CHECKS: Any = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def seeded(service: Service) -> Table:
    table = Table(service, deciders="all_players")
    table.fighters(health=10**6)
    table.gm.does("/sessions", {"title": "One"})
    table.gm.does("/scenes", {"title": "The bridge", "cast": ["1", "2"]})
    table.gm.declare("mint", to="1", coins=50)
    table.ben.declare("give", char="1", to="2", coins=20)
    table.ben.declare("hit", {"choice": {"kind": "stand"}}, char="1", target="2")
    table.gm.does("/rulings/5/overturn", {"reason": "to have findings"}, 200)
    for player, char, target in ((table.ben, "1", "2"), (table.ben, "1", "1"), (table.cleo, "2", "1")):
        player.declare("hit", status=202, char=char, target=target)
    return table


def test_nothing_anybody_sends_breaks_it(service: Service, seeded: Table, document: Json) -> None:
    """Every operation, with data that fits its schema and data that does not, aimed at a campaign that is there."""
    address = str(service.client.base_url)
    schemathesis.serializer("application/jsonl")(lambda context, value: str(value).encode(errors="replace"))
    schema = schemathesis.openapi.from_url(f"{address}/openapi.json")
    waiting = [one["id"] for one in seeded.gm.look("/waiting")["waiting"]]
    finding = seeded.gm.look("/findings")["findings"][0]["id"]
    hook = {"url": "https://1.1.1.1/", "events": ["fact"], "seat": "s1"}
    invites = [seeded.gm.does("/invites", {"name": "Eva", "role": "player"})["id"] for _ in range(2)]
    hooks = [seeded.gm.does("/hooks", hook)["id"] for _ in range(2)]
    marks = [seeded.gm.does("/bookmarks", {"ruling": 1, "note": "?", "mine": mine})["id"] for mine in (True, False)]
    there: Json = {
        "campaign": [seeded.id],
        "number": [1, 2, 5, 6, 7],
        "character": ["1", "2"],
        "scene": ["4"],
        "session": ["3"],
        "seat": ["s2", "s3"],
        "waiting": waiting,
        "finding": [finding],
        "system": ["toy"],
        "rule": ["toy.hit"],
        "account": ["character:1/coin", "bank/coin"],
        "field": ["harm", "name"],
        "index": [0, 1, 20],
        "count": [0, 1, 20, 10**9],
        "hook": hooks,
        "invite": invites,
        "bookmark": marks,
        "fork": [seeded.id],
    }
    tried: set[str] = set()
    for result in schema.get_all_operations():
        assert isinstance(result, Ok)
        operation: Any = result.ok()
        tried.add(operation.definition.raw["operationId"])
        if operation.definition.raw["operationId"] != "listen_to_feed":  # it has no end; see test_feed
            _try(operation, seeded, service, there)
    assert tried == {one["operationId"] for _, one in operations(document)}


AIMS: dict[str, list[Any]] = {
    "char": ["1", "2"],
    "target": ["1", "2"],
    "to": ["1", "2"],
    "character": ["1", "2"],
    "seat": ["s2", "s3"],
    "scene": ["4", None],
    "subject": ["character:1", "scene:4", "seat:s2", "campaign"],
    "field": ["harm", "adrift"],
    "source": ["bank/coin", "character:1/coin"],
    "also": [[], [6]],
    "dice": ["ledger", "table"],
    "system": ["toy"],
}


def _aim(body: Any, choose: Any) -> None:
    """Let ids in a well-formed body be of what is there, so that more than the first check is reached."""
    for name, value in list(body.items()) if isinstance(body, dict) else ():
        if name in AIMS and isinstance(value, str | list):
            body[name] = choose(AIMS[name])
        _aim(value, choose)


def _try(operation: Any, seeded: Table, service: Service, there: Json) -> None:
    draws = hypothesis.strategies

    @hypothesis.settings(
        max_examples=examples(2, 2, 50),
        deadline=None,
        database=None,
        derandomize=True,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(data=draws.data())
    def attempt(data: Any) -> None:
        mode = data.draw(draws.sampled_from(list(schemathesis.GenerationMode)))
        case = data.draw(operation.as_strategy(generation_mode=mode))
        at_home = {name: data.draw(draws.sampled_from(there[name])) for name in case.path_parameters or {}}
        if at_home and mode.is_positive:
            case.path_parameters = at_home
        elif at_home:
            case.path_parameters = {**(case.path_parameters or {}), "campaign": seeded.id}
        if mode.is_positive:
            _aim(case.body, lambda names: data.draw(draws.sampled_from(names)))
        opening = operation.path == "/campaigns"
        headers = service.operator if opening else seeded.gm.bearer
        if opening:
            headers = {**headers, "Idempotency-Key": str(uuid.uuid4())}
        case.query = {name: value for name, value in (case.query or {}).items() if name != "wait"}
        case.headers.pop("Ledger-Position", None)  # where it is passed, 412 comes before the body is read
        spoiled = any(place.value == "body" and info.mode.is_negative for place, info in case.meta.components.items())
        case.call_and_validate(headers=headers, checks=[*CHECKS, *([negative_data_rejection] if spoiled else [])])

    attempt()
    token = service.client.get(f"/campaigns/{seeded.id}", headers=seeded.gm.bearer)
    assert token.status_code == 200, f"after {operation.label} the game master's token is dead"


def test_every_input_choice_and_sheet_has_an_example_that_fits(document: Json) -> None:
    schemas = document["components"]["schemas"]
    lacking, looked = [], 0
    for system, ruleset in systems().items():
        if ruleset.name == "toy":  # keeps no examples
            continue
        words = [*schemas[f"{system}_AnyInput"]["oneOf"], *schemas.get(f"{system}_AnyChoice", {}).get("oneOf", [])]
        for ref in [*(one["$ref"] for one in words), load_components(system).sheet["$ref"]]:
            name = ref.rpartition("/")[2]
            looked += 1
            judge = validator(schemas[name], document)
            examples = schemas[name].get("examples", [])
            lacking += [name] if not examples or not all(map(judge.is_valid, examples)) else []
            assert "@" not in json.dumps(examples), name
    assert not lacking and looked > 270
