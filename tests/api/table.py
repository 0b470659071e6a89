"""A table played over HTTP: `Table` is one campaign, `Player` one seat of it. Every answer is checked."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import jsonschema_rs
from fastapi import FastAPI

from ledger.rules import systems
from ledger.rules.kernel.contract import AnyRuleset

Json = dict[str, Any]
COMPONENT = "#/components/schemas/"


class Description:
    """The service's OpenAPI document, as a judge of its answers."""

    def __init__(self, document: Json) -> None:
        self.document = document
        self._routes = [
            (re.compile("^" + re.sub(r"\{[^}]+\}", "[^/]+", re.sub(r"\{(account|field)\}", ".+", path)) + "$"), methods)
            for path, methods in document["paths"].items()
        ]
        self._judges: dict[tuple[str, str], Any] = {}

    def operation(self, method: str, path: str) -> Json | None:
        exact = self.document["paths"].get(path, {}).get(method.lower())
        if exact:
            return dict(exact)
        for pattern, methods in self._routes:
            if pattern.match(path) and method.lower() in methods:
                return dict(methods[method.lower()])
        return None

    def judge(self, response: httpx.Response) -> None:
        operation = self.operation(response.request.method, response.request.url.path)
        if operation is None:
            assert response.status_code in (404, 405), response.text
            return
        answer = operation["responses"].get(str(response.status_code))
        name = f"{operation['operationId']} {response.status_code}"
        assert answer is not None, f"{name} is not described: {response.text}"
        kind = response.headers["content-type"]
        assert kind in answer["content"], f"{name}: {kind}"
        for header, described in answer.get("headers", {}).items():
            assert not described.get("required") or header in response.headers, f"{name} lacks {header}"
        if (name, kind) not in self._judges:
            self._judges[name, kind] = validator(answer["content"][kind]["schema"], self.document)
        told = response.text if kind in ("application/jsonl", "application/octet-stream") else response.json()
        self._judges[name, kind].validate(told)


def validator(schema: Json, document: Json) -> Any:
    """Return the validator of a schema. To compile all 500 components for each would take longer than to validate."""
    schemas, components = document["components"]["schemas"], dict[str, Json]()
    names = [*_referred(schema)]
    while names:
        name = names.pop()
        if name not in components:
            components[name] = schemas[name]
            names += _referred(schemas[name])
    return jsonschema_rs.validator_for({**schema, "components": {"schemas": components}})


def _referred(node: Any) -> Iterator[str]:
    reference = node.get("$ref") if isinstance(node, dict) else None
    if isinstance(reference, str) and reference.startswith(COMPONENT):  # examples have references to other documents
        yield reference.removeprefix(COMPONENT)
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _referred(inner)


_described: dict[tuple[int, ...], tuple[list[AnyRuleset], Description]] = {}


def described(document: Callable[[], Json]) -> Description:
    """The judge of any service: it takes seconds to make the document, which is the same for all of one version.

    A test that changes a system has a document of its own.
    """
    rulesets = list(systems().values())
    key = tuple(map(id, rulesets))
    if key not in _described:
        _described[key] = rulesets, Description(document())
    return _described[key][1]


class Player:
    """One seat. `get` and `post` take paths below the campaign."""

    def __init__(self, table: Table, id: str, token: str) -> None:
        self.table = table
        self.id = id
        self.token = token

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def send(self, method: str, path: str, headers: dict[str, str] | None = None, **more: Any) -> httpx.Response:
        url = f"/campaigns/{self.table.id}{path}"
        return self.table.service.send(method, url, {**self.bearer, **(headers or {})}, **more)

    def get(self, path: str = "", **query: Any) -> httpx.Response:
        return self.send("GET", path, **({"params": query} if query else {}))  # empty ones would drop the path's own

    def look(self, path: str = "", **query: Any) -> Json:
        response = self.get(path, **query)
        assert response.status_code == 200, response.text
        found: Json = response.json()
        return found

    def post(self, path: str, body: Any = None, headers: dict[str, str] | None = None) -> httpx.Response:
        more = {} if body is None else {"json": body}
        return self.send("POST", path, headers, **more)

    def does(self, path: str, body: Any = None, status: int = 201) -> Json:
        response = self.post(path, body)
        assert response.status_code == status, response.text
        made: Json = response.json()
        return made

    def declare(self, kind: str, *answers: Json, status: int = 201, **fields: Any) -> Json:
        return self.does("/rulings", {"declare": {"kind": kind, **fields}, "answers": list(answers)}, status)

    def tries(self, kind: str, *answers: Json, **fields: Any) -> httpx.Response:
        return self.post("/rulings", {"declare": {"kind": kind, **fields}, "answers": list(answers)})

    def enrol(self, name: str, health: int = 20) -> str:
        made = self.does("/characters", {"name": name, "seat": self.id, "sheet": {"health": health}})
        return str(made["character"])


STAND: Json = {"choice": {"kind": "stand"}}
HIT: Json = {"kind": "hit", "char": "1", "target": "2"}
DODGE: Json = {"choice": {"kind": "dodge"}}


def rolled(*faces: int, sides: int = 6) -> Json:
    return {"dice": {"sides": sides, "faces": list(faces)}}


class Service:
    """The running service. `app`: its application, where it runs in this process."""

    def __init__(
        self, client: httpx.Client, operator_token: str, description: Description, app: FastAPI | None = None
    ) -> None:
        self.app = app
        self.client = client
        self.operator_token = operator_token
        self.description = description

    @property
    def operator(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.operator_token}", "Idempotency-Key": str(uuid.uuid4())}

    def send(self, method: str, url: str, headers: dict[str, str] | None = None, **more: Any) -> httpx.Response:
        response = self.client.request(method, url, headers=headers, **more)
        assert response.status_code != 500, response.text
        self.description.judge(response)
        assert "\\u0001" not in response.text and "\x01" not in response.text, "a name stands open in an answer"
        sent = (headers or {}).get("Authorization", "").removeprefix("Bearer ")
        assert not sent or sent not in response.text or "/token" in url, "an answer echoes the token it was sent"
        return response

    def open(self, headers: dict[str, str] | None = None, **body: Any) -> httpx.Response:
        asked = {"name": "A table", "system": "toy", "gm": {"name": "Ann"}, **body}
        return self.send("POST", "/campaigns", headers or self.operator, json=asked)


class Table:
    """A campaign with a game master (Ann), two players (Ben, Cleo) and somebody who watches (Dora)."""

    def __init__(self, service: Service, **dials: Any) -> None:
        self.service = service
        opened = service.open(dials=dials)
        assert opened.status_code == 201, opened.text
        self.id = opened.json()["id"]
        self.gm = Player(self, "s1", opened.json()["seat"]["token"])
        self.ben = self.seat("Ben", "player")
        self.cleo = self.seat("Cleo", "player")
        self.dora = self.seat("Dora", "observer")

    def seat(self, name: str, role: str) -> Player:
        made = self.gm.does("/seats", {"name": name, "role": role})
        return Player(self, made["id"], made["token"])

    @property
    def position(self) -> int:
        return int(self.gm.get().headers["Ledger-Position"])

    def fighters(self, health: int = 20) -> tuple[str, str]:
        """Ben's and Cleo's characters."""
        return self.ben.enrol("Bruno", health), self.cleo.enrol("Celia", health)

    def hit(self, face: int, choice: Json = STAND) -> Json:
        """Ben's character hits Cleo's: he declares, she chooses, he rolls. The ruling."""
        waiting = self.ben.does("/rulings", {"declare": HIT, "dice": "table"}, 202)["id"]
        self.cleo.does(f"/waiting/{waiting}/answers", {"answer": choice}, 202)
        return self.ben.does(f"/waiting/{waiting}/answers", {"answer": rolled(face)})
