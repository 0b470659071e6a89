"""Laws of every form that random play of every game comes to: what is shown is told in words of people."""

from __future__ import annotations

import re
from typing import Any, cast

import pytest

from api.table import forms
from api.table.descriptions import split_description
from api.table.nodes import Choice, Either, Listing, Number, Record
from ledger.rules import systems
from ledger.rules.mnemonic.words import SEVERITY
from ledger.rules.scattershot.consequences import list_divisions
from ledger.rules.scattershot.scene import Juncture
from projections.documents.move_schemas import make_narrow_schema
from tests.api.page.every_form import every_form, maker_of, parts, texts
from tests.api.table import Service
from tests.levels import sampled


@pytest.mark.parametrize("system", sampled(sorted(systems()), 1, salt="every form"))
def test_no_way_is_called_by_a_number(service: Service, system: str) -> None:
    made = maker_of(service, system)
    wrong = {
        (kind, name)
        for seed in range(3)
        for kind, node in every_form(made, system, seed, 60, 4)
        for part in parts(node)
        if isinstance(part, Either)
        for name, _ in part.parts
        if re.search(r"\bway [0-9]|\bAnother [0-9]|\((first|second|third|[0-9]+)\)$|^These$", name)
    }
    assert not wrong


@pytest.mark.parametrize("system", sampled(sorted(systems()), 1, salt="every form"))
def test_no_limit_is_told_that_nobody_reaches(service: Service, system: str) -> None:
    """Nor is a number read that has more than six digits."""
    made = maker_of(service, system)
    told = {
        text
        for seed in range(3)
        for _, node in every_form(made, system, seed, 60, 4)
        for part in parts(node)
        for text in texts(part)
    }
    assert not [one for one in told if re.search(r"[0-9]{7}", one)]


def test_what_becomes_of_somebody_has_one_word(service: Service) -> None:
    """Dead, and not death as well."""
    forms_ = every_form(maker_of(service, "mnemonic"), "mnemonic", 1, 60, 4)
    worst = [
        one.node
        for kind, node in forms_
        if kind == "rule-injury" and isinstance(node, Record)
        for one in node.fields
        if one.name == "worst"
    ]
    assert worst
    assert all(one == Choice({f'"{said}"': said.capitalize() for said in SEVERITY}) for one in worst)


def test_a_division_of_points_says_what_goes_where(service: Service) -> None:
    """In one form, whatever the parts sum up to: no way a division."""
    juncture = Juncture("telling-blow", "actor", "s1", "1", None, points=2, excess=3)
    shapes = list_divisions(cast("Any", None), juncture)
    whole = {"$ref": "/openapi.json#/components/schemas/scattershot_choice_consequences"}
    ways = [{"allOf": [whole, make_narrow_schema("consequences", one)]} for one in shapes]
    node = maker_of(service, "scattershot").make_node({"anyOf": ways}, {})
    assert isinstance(node, Record)
    found = {one.name: one.node for one in node.fields}
    assert all(
        one.is_always_visible for one in node.fields if one.name in ("disadvantages", "residuals", "benefits", "other")
    )
    assert all(found[name] == Number(0, 3) for name in ("benefits", "other"))
    residuals = found["residuals"]
    assert isinstance(residuals, Listing)
    assert (residuals.least, residuals.most, residuals.first) == (0, 3, ())
    assert isinstance(residuals.items, Record)
    assert residuals.items.fields[-1].node == Number(1, 3)
    said = {"text": "She limps.", "residuals": [{"scope": "running", "amount": 1}, {"scope": "a", "amount": 2}]}
    assert forms.read_value(node, "", forms.fill_form(node, "", said)) == {
        "kind": "consequences",
        **said,
        "advantages": 0,
    }


@pytest.mark.parametrize("system", sampled(sorted(systems()), 1, salt="every form"))
def test_nothing_is_called_by_the_id_of_an_input(service: Service, system: str) -> None:
    """Neither in a form nor in what a declaration is said to be."""
    told = service.client.get(f"/systems/{system}").json()
    ids = [one["kind"] for one in told["inputs"] if "-" in one["kind"]]
    made = maker_of(service, system)
    read = {split_description(one["about"])[0] for one in told["inputs"]}
    for seed in range(2):
        for _, node in every_form(made, system, seed, 60, 4):
            read |= {text for part in parts(node) for text in texts(part)}
    there = re.compile(rf"\b({'|'.join(ids)})\b|`")
    assert not [one for one in sorted(read) if there.search(one)]
