"""A sheet is refused with all its faults at once, each at its place; once they are mended it is taken."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.http.forms import load_forms
from ledger.rules import systems
from ledger.rules.kernel.faults import Faults
from ledger.rules.kernel.json_types import split_pointer
from ledger.rules.kernel.refusals import Refused
from tests.laws.drawn import drawn
from tests.laws.sheet_faults import EVERYWHERE, PLANTED, Json, Planted, declared, enrolment, with_faults
from tests.levels import examples
from tests.rules.anything import PEOPLE
from tests.rules.world import World

SYSTEMS = sorted(systems())
system = pytest.mark.parametrize("name", SYSTEMS)


def tried(name: str, given: Json) -> list[Refused]:
    """Its faults: none where it is taken, or asks something."""
    world = World(systems()[name], {}, PEOPLE)
    try:
        world.begin(enrolment(name, given), "gm")
    except Refused as refused:
        return [refused, *refused.others]
    return []


def reported(faults: list[Refused]) -> list[tuple[str | None, str]]:
    return [(one.pointer, one.code) for one in faults]


@st.composite
def some(draw: st.DrawFn, name: str) -> tuple[Planted, ...]:
    """Two to four faults that do not rest on each other; where a game has so few, all it has."""
    there = [*EVERYWHERE, *PLANTED.get(name, ("", ()))[1]]
    chosen: dict[str, Planted] = {}
    for one in draw(st.permutations(there)):
        chosen.setdefault(one.apart or one.pointer, one)
    return tuple(chosen.values())[: draw(st.integers(2, 4))]


@system
@settings(deadline=None, max_examples=examples(10, 40, 200))
@given(data=st.data())
def test_every_fault_is_reported_at_its_place(name: str, data: st.DataObject) -> None:
    planted = data.draw(some(name))
    faults = tried(name, with_faults(name, planted))
    assert sorted(reported(faults), key=str) == sorted([(one.pointer, one.code) for one in planted], key=str)
    assert all(not one.others for one in faults[1:])
    told = {one.pointer for one in faults}
    left = tuple(one for one in planted if one.pointer not in told)
    assert tried(name, with_faults(name, left)) == [], "what was reported is mended: it is taken"


@system
@pytest.mark.parametrize("number", range(12))
def test_each_fault_alone_is_refused_as_such(name: str, number: int) -> None:
    """So that whatever is planted above is a fault."""
    there = [*EVERYWHERE, *PLANTED.get(name, ("", ()))[1]]
    for one in there[number : number + 1]:
        assert reported(tried(name, with_faults(name, (one,)))) == [(one.pointer, one.code)]


@system
@pytest.mark.parametrize("seed", range(25))
def test_whatever_is_wrong_with_a_sheet_is_told_once_and_where(name: str, seed: int) -> None:
    """Some of its fields are whatever their schema allows."""
    rng, given = Random(seed), declared(name)
    schema = load_forms(name).sheet.model_json_schema()
    other = drawn(schema, rng)
    for field in rng.sample(sorted(other), min(len(other), 3)):
        given["sheet"][field] = other[field]
    found = tried(name, given)
    assert len({repr((one.pointer, one.code, one.context)) for one in found}) == len(found)
    for one in found:
        if one.code == "posting":  # more than the ledger counts, not more than a sheet may hold
            continue
        assert one.pointer is not None
        assert leads_somewhere(given, one.pointer), one.pointer


def test_where_nobody_is_ready_a_sheet_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(systems(), "toy", replace(systems()["toy"], people={}))
    monkeypatch.delitem(cast(Json, PLANTED), "toy")
    given = declared("toy")
    assert given["name"] == "Somebody" and given["sheet"]["health"] >= 1
    assert tried("toy", given) == []


def leads_somewhere(node: Any, path: str) -> bool:
    """Whether it is there, or could be: a field that was left out, a name that is none."""
    *way, last = split_pointer(path)
    for part in way:
        node = node[int(part)] if isinstance(node, list) else node[part]
    return isinstance(node, dict) or int(last) < len(node)


def test_a_check_that_stops_at_the_first_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def stops(self: Faults, fault: Refused, *place: object, playable: bool = False) -> None:
        raise fault

    planted = tuple(one for one in PLANTED["scattershot"][1] if one.code == "rating-below-minimum")
    assert len(tried("scattershot", with_faults("scattershot", planted))) == len(planted) > 1
    monkeypatch.setattr(Faults, "note", stops)
    assert len(tried("scattershot", with_faults("scattershot", planted))) == 1


# --- what is left out -------------------------------------------------------------------------------------------------


def codes(name: str, **fields: Any) -> list[str]:
    given = declared(name)
    given["sheet"] |= fields
    return [one.code for one in tried(name, given)]


def test_what_needs_something_unusable_is_not_guessed() -> None:
    scores = {"size": 3, "spirit": 4, "physique": 2, "beauty": 6, "speed": 2, "social": 6}
    assert codes("mongrel", sex="none", attributes=scores) == ["sex-unknown"]
    assert codes("mongrel", sex="none", attributes={**scores, "size": 9}) == ["sex-unknown", "attribute-range"]
    assert codes("mongrel", plus_one=(), power={"information_storage": 7}) == ["expertise-two-per-step"]
    assert codes("mongrel", man=-1, body="winged") == ["identity-not-natural"]
    assert codes("moc", budget=5, skills={"Nonsense": 1}) == ["over-budget", "unknown-purchase"]
    assert codes("moc", skills={"Nonsense": 1, "Persuasion": 60}) == ["unknown-purchase"], "what it costs is not known"
    purchases = ({"what": "change-secondary", "element": "thought"},)
    assert codes("moc", archetype="none", purchases=purchases) == ["unknown-archetype"]
    given = declared("moc")["sheet"]["archetype"]
    elements: tuple[Json, ...] = (
        {"what": "change-secondary", "element": "plot", "instead": "nothing"},
        {"what": "change-secondary", "element": "action", "instead": "plot"},
    )
    assert codes("moc", archetype=given, purchases=elements) == ["unknown-element"]
    assert codes("intensity", kind="none", traits=()) == ["unknown-kind"]
