"""Offers use what a seat is shown: two states with the same view give the same offers, field by field."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, Union, get_args, get_origin

import pytest

from ledger.rules.kernel.domains import OneOf, load_marked_hints
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.shown import list_audiences
from ledger.rules.kernel.subjects import CAMPAIGN, Subject, Viewer, character, scene, seat
from ledger.rules.kernel.table import find_viewer
from ledger.rules.moc import RULESET
from ledger.rules.moc.shown import show_table
from ledger.rules.moc.state import Campaign, Character, Scene, Seat
from tests.rules.moc.game import Game

STATES: Mapping[str, type[Any]] = {"campaign": Campaign, "character": Character, "scene": Scene, "seat": Seat}
#: Fields that views leave out although they are not secret: they follow from other fields.
OPEN = {
    "character/seen_by",
    "character/laid",
    "character/harm",
    "campaign/dealt",
    "scene/actions/villains",
    "scene/older/villains",
    *(f"{kind}/adrift" for kind in STATES),
}


def two_of(hint: Any, ids: tuple[str, str]) -> tuple[Any, Iterator[tuple[str, Any]]]:
    """Return a value of the type without empty fields, and twins that each differ in one named field."""
    marks: tuple[Any, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *more = get_args(hint)
        marks = tuple(more)
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return two_of(next(one for one in inner if one is not type(None)), ids)
    if is_dataclass(hint) and isinstance(hint, type):
        return two_records(hint, ids)
    if origin is tuple:
        several = [two_of(one, ids) for one in inner if one is not Ellipsis]
        made = tuple(one for one, _ in several)
        return made, (
            (path, (*made[:at], twin, *made[at + 1 :])) for at, (_, twins) in enumerate(several) for path, twin in twins
        )
    if isinstance(origin, type) and issubclass(origin, Mapping):
        key = "body" if inner[1] is int else ids[0]
        value, twins = two_of(inner[1], ids)
        others = {"T": value, "L": value} if inner[1] is int else {}
        return {key: value, **others}, ((path, {key: twin, **others}) for path, twin in twins)
    words = next((mark.words for mark in marks if isinstance(mark, OneOf)), ids)
    plain: Mapping[Any, tuple[Any, Any]] = {bool: (True, False), int: (1, 2), object: (1, 2)}
    value, twin = plain.get(hint, [one for one in words if one][:2])
    return value, iter((("", twin),))


def two_records(cls: type[Any], ids: tuple[str, str]) -> tuple[Any, Iterator[tuple[str, Any]]]:
    hints = load_marked_hints(cls)
    made = {field.name: two_of(hints[field.name], ids) for field in fields(cls)}
    whole = cls(**{name: value for name, (value, _) in made.items()})
    return whole, (
        (f"{name}/{path}".rstrip("/"), changed(whole, **{name: twin}))
        for name, (_, twins) in made.items()
        for path, twin in twins
    )


class Table:
    """A game with another state for a subject, as a seat sees it and as offers get it."""

    def __init__(self, kind: str) -> None:
        self.game = Game(hands_seen_by_gm=False)
        place = self.game.scene_begins(self.game.hero, self.game.enigma)
        subjects = {"campaign": CAMPAIGN, "scene": scene(place), "seat": seat("ann")}
        self.subject: Subject = subjects.get(kind, character(self.game.hero))
        self.past = self.game.past
        self.viewers = [one for by in ("gm", "ann", "bob", "dora") if (one := find_viewer(self.past, seat(by)))]

    def look(self, state: Any, viewer: Viewer) -> tuple[object, object]:
        folded = self.past.find(self.subject)
        assert folded is not None
        folded.state = state
        shown = show_table(Seen(RULESET, self.past, viewer)).get(self.subject, type(state))
        return RULESET.view(self.subject, state, viewer), shown


@pytest.mark.parametrize("kind", STATES)
def test_what_a_view_does_not_tell_is_hidden_from_offers(kind: str) -> None:
    table = Table(kind)
    whole, twins = two_of(STATES[kind], (table.game.hero, table.game.enigma))
    seen = {viewer.seat: table.look(whole, viewer) for viewer in table.viewers}
    found, told, left_out = set(), set(), set()
    for path, twin in twins:
        where = f"{kind}/{path}"
        open_ = next((one for one in OPEN if f"{where}/".startswith(f"{one}/")), None)
        for viewer in table.viewers:
            (view, shown), (twins_view, twins_shown) = seen[viewer.seat], table.look(twin, viewer)
            if view != twins_view:
                told.add(where)
            elif open_ is not None:
                left_out.add(open_)
            elif shown != twins_shown:
                found.add((where, viewer.seat))
    assert not found, "neither hidden (SeenBy) nor known to be open"
    assert left_out == {one for one in OPEN if one.startswith(f"{kind}/")}, "and nothing is called open in vain"
    assert told, "and most of it is told"


@pytest.mark.parametrize(
    ("kind", "field", "by"),
    [("scene", "pool", ["gm"]), ("seat", "named", ["gm", "ann"]), ("seat", "session", ["gm", "ann"])],
)
def test_the_villains_cards_and_votes_are_shown_to_few(kind: str, field: str, by: list[str]) -> None:
    table = Table(kind)
    whole, _ = two_of(STATES[kind], (table.game.hero, table.game.enigma))
    views = {one.seat: RULESET.view(table.subject, whole, one) for one in table.viewers}
    assert [one for one, view in views.items() if view.get(field)] == by


@pytest.mark.parametrize("kind", STATES)
def test_only_fields_of_whole_states_say_who_sees_them(kind: str) -> None:
    """Nothing reads the mark in part of a state."""
    state: Any = STATES[kind]
    assert not [one for one in parts_of(state) - {state} if list_audiences(one)]


def parts_of(hint: Any) -> set[Any]:
    if is_dataclass(hint) and isinstance(hint, type):
        return {hint}.union(*map(parts_of, load_marked_hints(hint).values()))
    return set[Any]().union(*map(parts_of, get_args(hint)))
