"""What is amended for some only is shown to nobody else, in any system: or it is refused, and says to whom it would be.

All that leaves the ledger of a state goes through its system's view: state, replay, history, what-if. So the law is
about views.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest
from hypothesis import example, given

from ledger.application import json_form
from ledger.rules import systems
from ledger.rules.kernel.adjudication import Conversation
from ledger.rules.kernel.commands import Amend
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.json_types import replace_at
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Role, Subject, Viewer, character
from ledger.rules.kernel.table import RulingTable, find_viewer
from tests.laws.test_play import SEEDS, every_system, slowly
from tests.rules.anything import play
from tests.rules.world import World

PEOPLE: dict[str, Role] = {"gm": "gm", "ann": "player", "bob": "player", "dora": "observer"}
VALUES: tuple[Any, ...] = (5, True, False, "x", ["x"], {}, [], None)


def ruled(game: World, do: Amend, by: Viewer | None = None) -> Verdict[Any] | Refused:
    table = game.table()
    table = table if by is None else RulingTable(game.ruleset, game.past, game.number, by, None)
    try:
        conversation = Conversation(game.ruleset, table, do)
    except Refused as no:
        return no
    assert conversation.verdict is not None
    return conversation.verdict


def others(game: World, seen_by: tuple[str, ...]) -> list[Viewer]:
    """Everybody at the table, and who may come to it, but for those it is for and who amends."""
    known = [find_viewer(game.past, seat) for seat in game.past.seats()]
    known += [Viewer("new", "player"), Viewer("new", "observer")]
    known += [Viewer("new", "player", chairs=frozenset({name})) for name in game.ruleset.chairs]
    me = game.table().by.seat
    return [one for one in known if one is not None and one.seat != me and not one.may_see(seen_by)]


def pieces(game: World, rng: Random) -> Iterator[tuple[Subject, str, Any]]:
    """Every field of some subjects, set to what it is for another, and to nothing."""
    there = list(game.past.folded)
    for subject in rng.sample(there, min(4, len(there))):
        state = game.state(subject)
        alike = [game.state(one) for one in there if one.kind == subject.kind]
        for field in fields(state):
            for donor in (rng.choice(alike), game.ruleset.blank(subject.kind)):
                yield subject, field.name, json_form.to_json(getattr(donor, field.name))


def differs(game: World, subject: Subject, field: str, value: Any, viewer: Viewer) -> bool:
    after = amended(game.state(subject), field, value)
    seen = game.ruleset.view
    return after is not None and seen(subject, game.state(subject), viewer) != seen(subject, after, viewer)


@every_system
@slowly
@given(seed=SEEDS)
def test_nobody_is_shown_what_is_not_for_him(name: str, seed: int) -> None:
    game, rng = play(name, seed, 60), Random(seed)
    for subject, field, value in pieces(game, rng):
        seen_by = rng.choice((("gm",), ("gm", str(subject)), ()))
        found = ruled(game, Amend(str(subject), field, value, "so it is", seen_by))
        if isinstance(found, Verdict):
            assert found.facts[0].audience == found.because[0].audience == seen_by
            assert not any(differs(game, subject, field, value, one) for one in others(game, seen_by)), field
        elif found.code == "shown-to-others":
            assert any(differs(game, subject, field, value, one) for one in others(game, seen_by)), field


@every_system
@slowly
@example(seed=4452017)  # Moment of Clarity: dice hidden in what is set, and none there before, in the same place
@given(seed=SEEDS)
def test_what_is_amended_for_everybody_is_all_shown_to_everybody(name: str, seed: int) -> None:
    """Who sees more of the piece than others do sees the fact: it tells the whole value, also what was so before."""
    game, rng = play(name, seed, 60), Random(seed)
    for subject, field, value in pieces(game, rng):
        found = ruled(game, Amend(str(subject), field, value, "so it is"))
        if isinstance(found, Verdict) and found.facts[0].audience is None:
            state, view = game.state(subject), game.ruleset.view
            after = replace_at(state, field, value)
            bare = replace(after, **{field: getattr(game.ruleset.blank(subject.kind), field)})
            for other in (state, bare):
                told, best = (
                    [set(map(str, leaves(view(subject, one, viewer)))) for one in (other, after)]
                    for viewer in (Viewer("new", "observer"), Viewer("new", "gm"))
                )
                assert best[0] ^ best[1] <= told[0] ^ told[1], field


def leaves(node: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    plain = json_form.to_json(node)
    inner = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else None
    if not plain or inner is None:
        yield path, plain
    else:
        for name, value in inner:
            yield from leaves(value, f"{path}/{name}")


@every_system
@slowly
@given(seed=SEEDS)
def test_a_player_who_decides_is_refused_alike_whatever_he_does_not_see(name: str, seed: int) -> None:
    """Where all players decide: neither that a piece is there nor what it is can be found by trying to set it."""
    game, rng = play(name, seed, 60), Random(seed)
    by = next(one for one in others(game, ()) if one.role == "player")
    for subject, field, value in pieces(game, rng):
        found = ruled(game, Amend(str(subject), field, value, "so it is"), by)
        if not differs(game, subject, field, value, by):
            assert isinstance(found, Refused), field
            assert (found.code, found.context["field"]) == ("amend-value", field)
    subject = rng.choice([one for one in game.past.folded if one.kind == "character"])
    there, not_there, no_piece = (
        ruled(game, Amend(str(subject), field, 1, "so it is"), by) for field in ("adrift", "adrift/0", "nothing")
    )
    assert isinstance(there, Refused) and isinstance(not_there, Refused) and isinstance(no_piece, Refused)
    told = [replace_field(one.context) for one in (there, not_there, no_piece)]
    assert told[0] == told[1] == told[2]


def replace_field(context: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in context.items() if name != "field"}


# --- piece by piece ---


@pytest.mark.parametrize("name", sorted(systems()))
def test_every_system_shows_something_and_what_it_shows_is_not_hidden(name: str) -> None:
    """The first field of a character that is shown to all, whatever the system calls it; and one that nobody is."""
    game = World(systems()[name], {}, PEOPLE)
    sheet = played_sheet(name)
    id = game.enrol("Somebody", sheet, "ann")
    state = game.character(id)
    shown = [
        (one.name, value)
        for one in fields(state)
        for value in VALUES
        if differs(game, character(id), one.name, value, Viewer("new", "player"))
    ]
    assert shown, "something is shown to all"
    for field, value in shown:
        for seen_by in (("gm",), ("gm", f"character:{id}"), ()):
            found = ruled(game, Amend(f"character:{id}", field, value, "so it is", seen_by))
            assert isinstance(found, Refused), field
            if found.rule == "ledger.amend":
                assert (found.code, found.context["shown_to"]) == ("shown-to-others", "everybody"), field
    hidden = ruled(game, Amend(f"character:{id}", "adrift", [], "so it is", ("gm",)))
    assert isinstance(hidden, Verdict) and hidden.facts[0].audience == ("gm",)


def amended(state: Any, field: str, value: Any) -> Any:
    try:
        return replace_at(state, field, value)
    except ValueError:
        return None


def played_sheet(name: str) -> Any:
    """A sheet of the system that somebody at random was enrolled with."""
    enrolled = [one.declared for seed in range(9) for one in play(name, seed, 20).history]
    return next(replace(one, seat="ann").sheet for one in enrolled if type(one).__name__ == "Enrol")


@pytest.mark.parametrize("field", ["skills", "status", "archetype", "budget", "damage"])
def test_what_moment_of_clarity_shows_is_not_hidden(field: str) -> None:
    game = play("moc", 1, 10)
    id = game.table().subjects("character")[0].id
    values: dict[str, tuple[Any, Any]] = {
        "skills": ({"Dodge": 2}, {}),
        "status": ("down", "active"),
        "archetype": ("enigma", "hero"),
        "budget": (3, 4),
        "damage": (5, 4),
    }
    value = next(one for one in values[field] if one != json_form.to_json(getattr(game.character(id), field)))
    found = ruled(game, Amend(f"character:{id}", field, value, "so it is", ("gm",)))
    assert isinstance(found, Refused) and found.code == "shown-to-others"


def test_a_hand_is_amended_for_its_player() -> None:
    game = play("moc", 1, 10)
    subject = game.table().subjects("character")[0]
    owner = game.table().owner(subject)
    found = ruled(game, Amend(str(subject), "hand", ["AS"], "so it is"))
    assert isinstance(found, Verdict) and found.facts[0].audience == ("gm", str(subject))
    hidden = ruled(game, Amend(str(subject), "hand", ["AS"], "so it is", ("gm",)))
    assert isinstance(hidden, Refused) and hidden.context["shown_to"] == owner, "its player sees his hand"
