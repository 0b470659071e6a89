"""What a rule does with what is hidden from somebody: also where it only asks whether anything is there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ledger.rules import systems
from ledger.rules.kernel import as_known, veils
from ledger.rules.kernel.commands import Enrol
from ledger.rules.kernel.contract import About, AnyRuleset, Verdict, step
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Viewer, character
from ledger.rules.kernel.world import PastRuling
from tests.rules.world import World, viewer

STRANGER = Viewer("stranger", "observer")
TOY: AnyRuleset = systems()["toy"]
Look, Sneak = (next(one for one in TOY.inputs if one.kind == kind) for kind in ("look", "sneak"))
Overlooked, Hidden = (
    next(one for one in TOY.facts if one.fact_kind == f"{kind}@1") for kind in ("overlooked", "hidden")
)
Being = type(TOY.blank("character"))


def looking(rule: Any) -> AnyRuleset:
    """The toy, in which nobody is well or ill but in secret (`health`), and who looks does what `rule` says of that."""

    def adjudicate(table: Any, do: Any) -> Any:
        if isinstance(do, Sneak):
            about = About(character(do.char), Hidden((), ("gm",)), (), ("gm",))
            return Verdict((about,), (step("toy.sneak", 0, ("gm",)),))
        if isinstance(do, Look):
            return rule(do, table.get(character(do.at), Being).health)
        return (yield from TOY.adjudicate(table, do))

    def apply(state: Any, done: Any) -> Any:
        return replace(state, health=None) if isinstance(done, Hidden) else TOY.apply(state, done)

    return replace(TOY, adjudicate=adjudicate, apply=apply)


def overlooks(do: Any) -> Verdict[Any]:
    return Verdict((About(character(do.at), Overlooked(do.char)),))


def refuses_without(do: Any, health: Any) -> Verdict[Any]:
    if health is None:
        raise Refused("toy.look", "nobody-there")
    return overlooks(do)


def says_so(do: Any, health: Any) -> Verdict[Any]:
    return overlooks(do) if health is None else Verdict(())


def does_not_look(do: Any, health: Any) -> Verdict[Any]:
    return overlooks(do)


def played(rule: Any) -> tuple[World, PastRuling]:
    game = World(looking(rule))
    one, other = (game.enrol(name, TOY.sheet(5)) for name in ("A", "B"))
    game.declare(Sneak(other))
    conversation, table = game.begin(Look(one, other)) if rule is not refuses_without else (None, game.table())
    verdict = conversation.verdict if conversation is not None else Verdict(())
    assert verdict is not None
    do = Look(one, other)
    game.record(do, table, (), verdict)
    return game, game.history[-1]


def known_to(who: Viewer, game: World, last: PastRuling) -> as_known.AsKnown:
    known = as_known.AsKnown(game.beginning(), who)
    for ruling in game.history[: last.number - 1]:
        known.tell(ruling.facts)
    return known


@pytest.mark.parametrize("rule", [refuses_without, says_so])
def test_whether_something_hidden_is_there_is_hidden(rule: Any) -> None:
    game, last = played(rule)
    known = known_to(STRANGER, game, last)
    hidden = known.find(character("2")).state.health is veils.VEIL  # type: ignore[union-attr]
    assert hidden
    assert known.rests_on_hidden(last)
    assert not known_to(viewer("gm"), game, last).rests_on_hidden(last)


def test_what_does_not_look_at_it_does_not_rest_on_it() -> None:
    game, last = played(does_not_look)
    assert not known_to(STRANGER, game, last).rests_on_hidden(last)


def test_what_a_fact_makes_of_something_hidden_is_hidden() -> None:
    """An open fact that leaves one thing where something is there, and another where nothing is."""
    game, _ = played(does_not_look)

    def apply(state: Any, done: Any) -> Any:
        if isinstance(done, Overlooked):
            return replace(state, harm=1 if state.health is None else 2)
        return looking(does_not_look).apply(state, done)

    game.ruleset = replace(game.ruleset, apply=apply)
    known = known_to(STRANGER, game, game.history[-1])
    known.tell(game.history[-1].facts)
    hidden = known.find(character("2")).state.harm is veils.VEIL  # type: ignore[union-attr]
    assert hidden
    for_gm = known_to(viewer("gm"), game, game.history[-1])
    for_gm.tell(game.history[-1].facts)
    assert for_gm.find(character("2")).state.harm == 1  # type: ignore[union-attr]


def test_a_being_nothing_hidden_was_told_about_is_as_it_is() -> None:
    game, last = played(does_not_look)
    known = known_to(STRANGER, game, last)
    assert known.find(character("1")).state == game.character("1")  # type: ignore[union-attr]
    assert isinstance(game.history[0].declared, Enrol)


def changes_it(do: Any, health: Any) -> Verdict[Any]:
    changed(health, amount=1)
    return overlooks(do)


def test_what_is_made_of_something_hidden_is_hidden() -> None:
    """Records are copied by their class: a veil has none that could be."""
    game, last = played(does_not_look)
    known = known_to(STRANGER, game, last)
    known.past.ruleset = looking(changes_it)
    assert known.rests_on_hidden(last)

    def apply(state: Any, done: Any) -> Any:
        return replace(state, harm=changed(state.health, amount=1).amount)

    known.past.ruleset = replace(known.past.ruleset, apply=apply)
    for folded in known.shown_folds.values():
        folded.ruleset = known.past.ruleset
    with pytest.raises(veils.Veiled):
        as_known._apply_seen_fact(known.shown_folds[character("2")], last.facts[-1][1], known.remove_veils)
