"""Laws of every system in the registry: names, types, references, and bytes that come back as they were."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Set
from pathlib import Path
from typing import Any, get_args, get_origin

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.application import json_form
from ledger.errors import Fault, Malformed
from ledger.events import codec
from ledger.events.envelope import Body
from ledger.events.records import RECORDS
from ledger.rules import systems
from ledger.rules.kernel import commands, dials, facts, purses
from ledger.rules.kernel.contract import AnyRuleset, Posting
from ledger.rules.kernel.declarations import (
    Declarer,
    fact,
    find_declarer,
    find_fact_kind,
    find_kind,
    list_recorded_kinds,
)
from ledger.rules.kernel.json_types import load_hints
from ledger.rules.kernel.subjects import SUBJECT_KINDS, Subject, Viewer
from tests.laws import shapes
from tests.levels import examples

SYSTEMS = sorted(systems())
CODEC = codec.load_codec()
KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
GM = Viewer("s1", "gm")

system = pytest.mark.parametrize("name", SYSTEMS)


def ruleset(name: str) -> AnyRuleset:
    return systems()[name]


def test_the_folder_alone_makes_a_system() -> None:
    assert "toy" in SYSTEMS
    assert Path(__file__).parents[1] / "systems" / "toy" in [Path(one) / "toy" for one in _paths()]


def _paths() -> list[str]:
    import ledger.rules

    return list(ledger.rules.__path__)


@system
def test_names_are_kebab_and_belong_to_one_word(name: str) -> None:
    game = ruleset(name)
    own = [find_fact_kind(one).partition("@")[0] for one in game.facts]
    kernel_facts = [find_fact_kind(one).partition("@")[0] for one in (*facts.FACTS, *RECORDS)]
    inputs = [find_kind(one) for one in (*commands.INPUTS, *game.inputs)]
    choices = [find_kind(one) for one in game.choices]
    for kinds in (own, inputs, choices):
        assert all(KEBAB.fullmatch(kind) for kind in kinds)
        assert len(kinds) == len(set(kinds))
    assert not set(own) & set(kernel_facts), "the kernel owns these names"


@system
def test_rules_have_a_statement_and_the_systems_name(name: str) -> None:
    game = ruleset(name)
    assert game.rules and game.title and game.source and game.edition >= 1
    for id, text in game.rules.items():
        assert id.startswith(f"{name}."), id
        assert text.statement.strip().endswith((".", "!", "?", ")")), id


@system
def test_every_dial_has_a_rule_and_a_default_among_its_values(name: str) -> None:
    game = ruleset(name)
    for public, field in dials.list_dial_fields(game.dials).items():
        rule = dials.check_dial(game, public, json_form.to_json(field.default))
        assert rule in game.rules, (public, rule)


@system
def test_what_an_input_records_are_facts_of_the_system(name: str) -> None:
    game = ruleset(name)
    known = {find_fact_kind(one).partition("@")[0] for one in (*game.facts, *facts.FACTS)}
    for one in (*game.inputs, *commands.INPUTS):
        assert list_recorded_kinds(one), find_kind(one)
        assert set(list_recorded_kinds(one)) <= known, find_kind(one)


@system
def test_words_are_of_storable_types(name: str) -> None:
    game = ruleset(name)
    for word in (*game.facts, *game.inputs, *game.choices, game.sheet):
        shapes.of(word)
        assert dataclasses.fields(word) is not None
        params = getattr(word, "__dataclass_params__")  # noqa: B009
        assert params.frozen and "__slots__" in vars(word), word
    for one in game.inputs:
        assert isinstance(find_declarer(one), Declarer)


@system
def test_accounts_are_documented_in_the_uniform_form(name: str) -> None:
    for account in ruleset(name).accounts:
        example = re.sub(r"<[^>]*>", "1", account.form)
        purses.owner_of(example)
        assert purses.unit_of(example) == account.unit and account.meaning


@system
@settings(max_examples=examples(10, 40, 100))
@given(data=st.data())
def test_facts_come_back_from_their_bytes(name: str, data: st.DataObject) -> None:
    cls = data.draw(st.sampled_from(ruleset(name).facts))
    done = data.draw(shapes.of(cls))
    body = Body(
        position=1,
        by="s1",
        at="2026-01-01T00:00:00.000000Z",
        salt="x" * 22,
        ruling=3,
        step=1,
        fact=done,
        postings=(Posting("bank/coin", "character:1/coin", "coin", 2),),
        audience=("gm",),
    )
    state = CODEC.encode(body)
    assert CODEC.decode(CODEC.topics[cls], state) == body
    assert json.loads(state)["fact"] == json_form.to_json(done)


@system
@settings(max_examples=examples(10, 40, 100))
@given(data=st.data())
def test_applying_is_total(name: str, data: st.DataObject) -> None:
    """Any fact on any state, of any kind: never an exception, and what finds no ground is in `adrift`."""
    game = ruleset(name)
    for kind in SUBJECT_KINDS:
        state = game.blank(kind)
        for cls in data.draw(st.lists(st.sampled_from(game.facts), max_size=6)):
            state = game.apply(state, data.draw(shapes.of(cls)))
            assert isinstance(state.adrift, tuple)
        assert type(state) is type(game.blank(kind))
        hash(dataclasses.is_dataclass(state))


@system
@pytest.mark.parametrize("kind", SUBJECT_KINDS)
def test_what_a_state_holds_is_in_an_order(name: str, kind: Any) -> None:
    """Sets are told in another order by every process: a view would not be what another builds anew."""
    seen: set[Any] = set()
    waiting: list[Any] = [type(ruleset(name).blank(kind))]
    while waiting:
        hint = waiting.pop()
        assert get_origin(hint) not in (set, frozenset, Set) and hint not in (set, frozenset), seen
        waiting += get_args(hint)
        if isinstance(hint, type) and dataclasses.is_dataclass(hint) and hint not in seen:
            seen.add(hint)
            waiting += load_hints(hint).values()


@system
@pytest.mark.parametrize("kind", SUBJECT_KINDS)
def test_a_blank_state_can_be_viewed_as_json(name: str, kind: Any) -> None:
    game = ruleset(name)
    json.dumps(json_form.to_json(game.view(Subject(kind, "7"), game.blank(kind), GM)))


@system
@settings(max_examples=30)
@given(data=st.data())
def test_inputs_come_back_from_json_and_nothing_else_does(name: str, data: st.DataObject) -> None:
    game = ruleset(name)
    cls = data.draw(st.sampled_from(game.inputs))
    do = data.draw(shapes.of(cls))
    told = json_form.declaration_to_json(do)
    assert json_form.declaration_from_json(game, json.loads(json.dumps(told))) == do
    for broken in ({**told, "surplus": 1}, {**told, "kind": "no-such-kind"}, {"kind": None}, {}):
        with pytest.raises(Malformed):
            json_form.declaration_from_json(game, broken)


# --- the codec refuses what it does not know ---


def test_unknown_missing_and_mistyped_are_faults() -> None:
    good = CODEC.encode(
        Body(position=1, by="s1", at="2026-01-01T00:00:00Z", salt="s", fact=facts.SeatTaken("Ann", "gm"))
    )
    topic = "ledger.seat-taken@1"
    assert CODEC.decode(topic, good).fact == facts.SeatTaken("Ann", "gm")
    for bad in (
        good.replace(b'"role":"gm"', b'"role":"gm","more":1'),
        good.replace(b'"by":"s1"', b'"by":"s1","more":1'),
        good.replace(b',"role":"gm"', b""),
        good.replace(b'"role":"gm"', b'"role":"king"'),
        good.replace(b'"position":1', b'"position":"1"'),
        good[:-1],
        b"",
    ):
        with pytest.raises(Fault):
            CODEC.decode(topic, bad)
    with pytest.raises(Fault, match="No installed game knows"):
        CODEC.decode("gone.fact@1", good)


def test_an_earlier_version_is_brought_up_step_by_step() -> None:
    @fact("weighed", version=3)
    class Weighed:
        grams: int
        by: str

    Weighed.upcasts = {  # type: ignore[attr-defined]
        1: lambda old: {"grams": old["kilograms"] * 1000},
        2: lambda old: {**old, "by": "nobody"},
    }
    fresh = codec.Codec()
    fresh.register("toy", Weighed)
    plain: Body[Any] = Body(position=1, by="s1", at="", salt="s", fact={"kilograms": 2})
    assert fresh.decode("toy.weighed@1", msgspec.json.encode(plain)).fact == Weighed(2000, "nobody")
    now: Body[Any] = Body(position=1, by="s1", at="", salt="s", fact=Weighed(5, "Ann"))
    assert fresh.decode(fresh.topics[Weighed], fresh.encode(now)).fact == Weighed(5, "Ann")
    with pytest.raises(ValueError, match="two classes"):
        fresh.register("toy", Weighed)
