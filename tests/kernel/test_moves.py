"""Domains of a move, piece by piece; whose a move is; a system that says none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import pytest

from ledger.rules import systems
from ledger.rules.kernel import commands
from ledger.rules.kernel.declarations import ANYONE, GM, declares
from ledger.rules.kernel.domains import CharacterId, Prose, Ref
from ledger.rules.kernel.moves import (
    OPEN,
    Among,
    Besides,
    Between,
    Domain,
    Either,
    Entries,
    Move,
    Row,
    Shape,
    Some,
    allows,
    complete_fields,
    holds,
    list_settled_values,
    narrow_moves,
)
from ledger.rules.kernel.offers import list_awaited_now, list_offers
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import character, scene, seat
from ledger.rules.kernel.table import find_viewer
from projections.documents.move_schemas import make_narrow_move_schema, make_offer_schema
from tests.rules.moves import viewers
from tests.rules.world import World


@declares("bag", ANYONE)
class Bag:
    colours: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Part:
    name: Annotated[str, Ref("part")]
    size: int = 1


@declares("build", GM)
class Build:
    who: CharacterId
    parts: tuple[Part, ...] = ()
    text: Annotated[str, Prose()] = ""


@declares("wave", ANYONE)
class Wave:
    who: CharacterId


A, B = Part("a"), Part("b", 2)
ONE = Shape(Part, {"name": Among(("a",))})
ONE_OR_NONE = Among((1, None))
EACH = Either((ONE, Shape(Part, {"name": Among(("b",)), "size": Between(1, 3)})))


@pytest.mark.parametrize(
    ("domain", "value", "within"),
    [
        (Among((1, None)), None, True),
        (Among((1,)), True, False),
        (Between(1, 3), 3, True),
        (Between(1, 3), 4, False),
        (Between(1), 400, True),
        (Between(), True, False),
        (Besides(("a",)), "b", True),
        (Besides(("a",)), "a", False),
        (Besides(()), None, False),
        (OPEN, object(), True),
        (ONE, A, True),
        (ONE, B, False),
        (ONE, Part("a", 2), False),  # what is left out of a shape stays at its default
        (EACH, B, True),
        (Some(Among((1, 2, 3))), (), True),
        (Some(Among((1, 2, 3)), 1), (), False),
        (Some(Among((1, 2, 3))), (2, 2), False),
        (Some(Among((1, 2, 3)), repeats=True), (2, 2), True),
        (Some(Among((1, 2, 3)), required=(3,)), (1, 2), False),
        (Some(Among((1, 2, 3)), 3, 3, (1, 2, 3)), (3, 1, 2), True),
        (Some(Among((1, 2, 3)), first=Among((9,))), (9, 1), True),
        (Some(Among((1, 2, 3)), first=Among((9,))), (1, 9), False),
        (Some(EACH, key="name"), (B, A), True),
        (Some(EACH, key="name"), (B, Part("b", 3)), False),
        (Some(EACH, key="name", required=("a",)), (B,), False),
        (Row((Among((1,)), Between(1, 6))), (1, 6), True),
        (Row((Among((1,)), Between(1, 6))), (1,), False),
        (Some(Among((1,))), [1], False),
        (Entries({"a": Between(1, 2), "b": ONE_OR_NONE}), {"a": 2}, True),
        (Entries({"a": Between(1, 2), "b": ONE_OR_NONE}), {"a": 2, "b": None}, True),
        (Entries({"a": Between(1, 2), "b": ONE_OR_NONE}, ("b",)), {"a": 2}, False),
        (Entries({"a": Between(1, 2)}), {"a": 3}, False),
        (Entries({"a": Between(1, 2)}), {"c": 1}, False),
        (Entries({}), (), False),
    ],
)
def test_what_lies_within_a_domain(domain: Domain, value: Any, within: bool) -> None:
    assert holds(domain, value) is within


def test_what_a_move_leaves_out_is_prose_or_stays_as_it_is_or_is_a_mistake() -> None:
    fields = complete_fields(Build, {"who": Among(("1",))})
    assert fields == {"who": Among(("1",)), "parts": Among(((),)), "text": OPEN}
    assert list_settled_values(fields["parts"]) == ((),) and list_settled_values(fields["text"]) == ()
    with pytest.raises(TypeError, match="who"):
        Move(Build)
    with pytest.raises(TypeError, match="whom"):
        Move(Build, {"who": OPEN, "whom": OPEN})


def test_a_move_is_narrowed_field_by_field() -> None:
    moves = [Move(Build, {"who": Among(("1", "2")), "parts": Some(EACH, 1, key="name")}), Move(Build, {"who": OPEN})]
    (left,) = narrow_moves(moves, {"who": "2", "parts": (A,)})
    assert allows(left, Build("2", (A,), "so")) and not allows(left, Build("1", (A,))) and not allows(left, Build("2"))
    assert list(narrow_moves(moves, {"no": 1})) == [] and len(list(narrow_moves(moves, {}))) == 2


def table(moves: Any) -> World:
    ruleset = replace(systems()["toy"], moves=moves)
    game = World(ruleset, {}, {"gm": "gm", "ann": "player", "dora": "observer"})
    game.enrol("Ada", ruleset.sheet(5), "ann")
    game.enrol("Bo", ruleset.sheet(5), "gm")
    return game


def seen(game: World, by: str) -> Seen:
    viewer = find_viewer(game.past, seat(by))
    assert viewer is not None
    return Seen(game.ruleset, game.past, viewer)


def test_a_system_that_says_no_moves_offers_each_input_to_who_may_declare_it() -> None:
    game = table(None)
    found = {
        by.seat: {one.move.do for one in list_offers(game.ruleset, seen(game, by.seat))} for by in viewers(game.past)
    }
    everything = {*game.ruleset.inputs, *commands.INPUTS}
    assert found["gm"] == everything and found["dora"] == set()
    mint = next(one for one in game.ruleset.inputs if one.__name__ == "Mint")
    assert mint not in found["ann"] and commands.Enrol in found["ann"] and commands.OpenScene not in found["ann"]
    (own,) = [one.move for one in list_offers(game.ruleset, seen(game, "ann")) if one.move.do is commands.Retire]
    assert own.fields["character"] == Among(("1",)), "cut down to her own"
    assert [(one.seat, one.rule) for one in list_awaited_now(game.ruleset, seen(game, "dora"))] == [("gm", None)]


def test_what_belongs_to_one_of_several_scenes_says_to_which() -> None:
    def here(seen: Seen) -> Iterator[Move]:
        yield Move(commands.OpenSession, awaits="toy.hit")
        if seen.scene is not None:
            yield Move(commands.CloseScene, {"scene": Among((seen.scene.id,))}, awaits="toy.hit")

    game = table(here)
    one, other = game.open_scene(), game.open_scene()
    found = [(x.move.do, x.scene) for x in list_offers(game.ruleset, seen(game, "gm")) if x.move.awaits]
    assert found == [(commands.OpenSession, None), (commands.CloseScene, one), (commands.CloseScene, other)]
    assert {x.scene for x in list_awaited_now(game.ruleset, seen(game, "ann"))} == {None, one, other}
    named = [x.scene for x in list_offers(game.ruleset, seen(game, "gm").in_scene(scene(one))) if x.move.awaits]
    assert named == [None, None], "where the scene is named it need not be said again"


def test_who_is_no_more_at_the_table_is_awaited_of_a_game_master() -> None:
    def turn(seen: Seen) -> Iterator[Move]:
        yield Move(commands.Retire, {"character": Among(seen.roster)}, awaits="toy.hit")

    game = table(turn)
    assert [(x.seat, x.of) for x in list_awaited_now(game.ruleset, seen(game, "dora"))] == [("ann", "1"), ("gm", "2")]
    game.declare(commands.HandOver("1", "dora"))
    assert [(x.seat, x.of) for x in list_awaited_now(game.ruleset, seen(game, "dora"))] == [("gm", "1"), ("gm", "2")]


def test_what_the_rules_let_some_seats_do_is_offered_to_these_and_awaited_by_everybody() -> None:
    def turn(seen: Seen) -> Iterator[Move]:
        yield Move(commands.OpenSession, awaits="toy.hit")
        yield Move(Wave, {"who": OPEN}, "toy.coins", "1", ("ann",))

    game = table(turn)
    for by in ("gm", "ann", "dora"):
        assert [(x.seat, x.of) for x in list_awaited_now(game.ruleset, seen(game, by))] == [("gm", None), ("ann", "1")]
        there = [x.move.awaits for x in list_offers(game.ruleset, seen(game, by)) if x.move.do is Wave]
        assert there == (["toy.coins"] if by == "ann" else []), by


@pytest.mark.parametrize(("values", "said"), [((), {}), (("1", "2"), {"not": {"enum": ["1", "2"]}})])
def test_a_text_besides_some_as_a_schema(values: tuple[str, ...], said: dict[str, Any]) -> None:
    properties = {"kind": {"const": "wave"}, "who": {"type": "string", **said}}
    move = Move(Wave, {"who": Besides(values)})
    assert make_offer_schema(make_narrow_move_schema(move), "#wave") == {
        "allOf": [{"$ref": "#wave"}, {"properties": properties}]
    }


def test_a_mapping_that_is_empty_if_it_is_left_out_must_be_said_where_that_does_not_lie_within() -> None:
    move = Move(Bag, {"colours": Entries({"red": Between(1)}, ("red",))})
    told: Any = make_offer_schema(make_narrow_move_schema(move), "#bag")
    assert told["allOf"][1]["required"] == ["colours"]
    told = make_offer_schema(make_narrow_move_schema(Move(Bag, {"colours": Entries({"red": Between(1)})})), "#bag")
    assert "required" not in told["allOf"][1]


def test_accounts_are_told_as_far_as_the_viewer_may_know() -> None:
    game = table(None)
    account = "character:1/coins"
    game.declare(commands.Adjust("bank/coins", account, "coins", 3, "found"))
    assert seen(game, "ann").accounts(character("1"))[account] == 3
    assert seen(game, "ann").accounts(character("2")).get("character:2/nothing") is None
    hidden = commands.Adjust("bank/coins", account, "coins", 2, "a secret", ("gm",))
    game.declare(hidden)
    assert seen(game, "gm").accounts(character("1"))[account] == 5
    assert account not in seen(game, "dora").accounts(character("1"))


def test_a_game_with_secrets_is_not_given_its_table() -> None:
    with pytest.raises(AssertionError, match="secrets"):
        assert seen(table(None), "gm").table is None
    assert "hidden" in seen(table(None), "ann").view(character("1"))
