"""A client made by openapi-python-client: nothing is skipped, and it makes a ruling of each game."""

from __future__ import annotations

import copy
import json
import re
import shutil
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from ledger.rules import systems
from tests.api.clients.making import (
    PACKAGE,
    Unmade,
    compile_python,
    lacks_for_typescript,
    left_out_of_python,
    make_python,
    play_python,
)
from tests.api.table import Json, Service
from tests.levels import sampled


def written(document: Json, place: Path) -> Path:
    file = place / "openapi.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def document(service: Service) -> Json:
    found: Json = service.client.get("/openapi.json").json()
    return found


@pytest.fixture(scope="module")
def made(document: Json, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the package is."""
    place = tmp_path_factory.mktemp("made")
    make_python(written(document, place), place)
    return place


@pytest.mark.nightly  # `scripts/clients` does the same
def test_a_client_is_made_without_a_warning_and_plays_every_game(service: Service, document: Json, made: Path) -> None:
    assert left_out_of_python(document, made / PACKAGE) == []
    compile_python(made)
    told = play_python(made, str(service.client.base_url), service.operator_token)
    with_tests = {name for name in systems() if find_spec(f"tests.rules.{name}")}  # whoever has none is not told apart
    assert {line.partition(":")[0] for line in told.splitlines()} == with_tests, told


def a_body_nobody_can_send(document: Json) -> None:
    body = document["paths"]["/campaigns/import"]["post"]["requestBody"]
    body["content"] = {"application/jsonl": {"schema": {"type": "string"}}}


def a_component_that_is_not_there(document: Json) -> None:
    document["components"]["schemas"]["intensity_AnyInput"]["oneOf"][0] = {"$ref": "#/components/schemas/gone"}


def two_of_one_name(document: Json) -> None:
    document["components"]["schemas"]["Ruling_Declared"] = {"type": "object", "properties": {"a": {"type": "string"}}}


def part_of(document: Json, *paths: str) -> Json:
    """Return a document of these paths and the components they refer to."""
    part = copy.deepcopy({**document, "paths": {path: document["paths"][path] for path in paths}})
    schemas: Json = {}
    unread = [json.dumps(part["paths"])]
    while unread:
        for name in re.findall(r"#/components/schemas/([^\"]+)", unread.pop()):
            if name not in schemas:
                schemas[name] = copy.deepcopy(document["components"]["schemas"][name])
                unread.append(json.dumps(schemas[name]))
    part["components"]["schemas"] = schemas
    return part


@pytest.mark.parametrize("spoil", sampled([a_body_nobody_can_send, a_component_that_is_not_there, two_of_one_name], 1))
def test_what_cannot_be_made_is_found(document: Json, tmp_path: Path, spoil: Callable[[Json], None]) -> None:
    """The check above, against documents with a fault."""
    spoiled = part_of(document, "/campaigns/import", "/campaigns/{campaign}/rulings")
    spoil(spoiled)
    with pytest.raises(Unmade, match="WARNING"):
        make_python(written(spoiled, tmp_path), tmp_path)


def test_what_is_left_out_is_found(document: Json, made: Path, tmp_path: Path) -> None:
    package = shutil.copytree(made / PACKAGE, tmp_path / PACKAGE)
    (package / "api" / "rulings" / "declare_ruling.py").unlink()
    models = package / "models" / "__init__.py"
    models.write_text(models.read_text().replace("from .intensity_attack import IntensityAttack\n", ""))
    assert left_out_of_python(document, package) == ["declare_ruling", "intensity_attack"]


def test_what_is_lacking_for_another_language_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert lacks_for_typescript() == "there is no node and no npm on this machine"
    (tmp_path / "node").touch(0o755)
    assert lacks_for_typescript() == "there is no npm on this machine"
