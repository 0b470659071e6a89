"""Every field of what people send says what it can say; what the schema allows the parser accepts, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, get_args

import pytest

from api.http.forms import load_forms
from ledger.application import json_form
from ledger.application.parser import Mistaken, parse
from ledger.rules import systems
from ledger.rules.kernel import commands
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.domains import REFERENCES, Ref, list_fields_without_domain, load_marked_hints, split_marks
from tests.laws.drawn import drawn, mutated
from tests.levels import examples
from tests.rules.world import World

SYSTEMS = sorted(systems())
system = pytest.mark.parametrize("name", SYSTEMS)


def sent(game: AnyRuleset) -> tuple[type[Any], ...]:
    """The classes of what people send, whole."""
    return (*game.inputs, *game.choices, game.sheet, game.dials)


@system
def test_every_field_says_what_it_can_say(name: str) -> None:
    assert [missing for cls in sent(systems()[name]) for missing in list_fields_without_domain(cls)] == []


def test_every_field_of_the_kernel_does_but_the_sheet_which_is_the_systems() -> None:
    assert [one for cls in commands.INPUTS for one in list_fields_without_domain(cls)] == ["Enrol.sheet: untyped"]


def refs(hint: Any) -> Iterator[Ref]:
    plain, marks = split_marks(hint)
    yield from (one for one in marks if isinstance(one, Ref))
    for part in get_args(plain):
        yield from refs(part)


@system
def test_every_reference_is_explained_and_says_of_whom(name: str) -> None:
    game = systems()[name]
    for cls in (*sent(game), *game.facts):
        for field, hint in load_marked_hints(cls).items():
            for ref in refs(hint):
                assert ref.to in REFERENCES or ref.to in game.references, (cls.__name__, field, ref.to)
                assert ref.of is None or ref.of in load_marked_hints(cls), (cls.__name__, field, ref.of)


@pytest.mark.slow
@system
def test_what_the_schema_allows_the_parser_accepts_and_a_mistake_is_told_where_it_is(name: str) -> None:
    game, rng, met = systems()[name], Random(7), 0
    for kind, cls in (
        *json_form.index_declaration_classes(game).items(),
        *json_form.index_choice_classes(game).items(),
    ):
        instead = {"sheet": game.sheet} if cls is commands.Enrol else {}
        schema = load_forms(name).forms_by_class[cls].model_json_schema()
        for _ in range(examples(3, 3, 8)):
            given = drawn(schema, rng)
            assert given.pop("kind") == kind
            assert isinstance(parse(cls, given, "", instead), cls)
            for wrong, pointer in mutated(schema, given, rng):
                with pytest.raises(Mistaken) as found:
                    parse(cls, wrong, "", instead)
                told = [one.pointer for one in found.value.mistakes]
                assert any(one.startswith(pointer) or pointer.startswith(f"{one}/") for one in told), (
                    kind,
                    wrong,
                    pointer,
                    told,
                )
                met += 1
    assert met


@system
def test_ready_people_are_accepted_as_they_are(name: str) -> None:
    """At least three finished sheets a system, by name; or none."""
    game = systems()[name]
    if not game.people:
        pytest.skip(f"{name} has nobody who is ready to be played")
    assert len(game.people) >= 3
    for called, sheet in game.people.items():
        plain = json_form.to_json(sheet)
        assert parse(game.sheet, plain) == sheet
        world = World(game, {}, {"gm": "gm", "ann": "player"})
        world.declare(commands.Enrol(called, "ann", sheet))
