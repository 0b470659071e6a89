"""The tables of a game say what its functions do: which rule adjudicates what, what changes which state.

A key of a table that is not what its function is annotated with would only be found where it is played.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest

from ledger.rules import systems
from ledger.rules.kernel.contract import State
from ledger.rules.kernel.dispatch import Dispatch
from ledger.rules.kernel.draft import Draft
from ledger.rules.kernel.fold import Fold, keep_unchanged
from ledger.rules.kernel.questions import Asking

SYSTEMS = sorted(systems())


def taken(function: Callable[..., Any], place: int) -> set[Any]:
    """The classes a function says it takes in this place; `object` and what is not annotated take anything."""
    hints = get_type_hints(function)
    names = [name for name in hints if name != "return"]
    hint = hints[names[place]] if len(names) > place else object
    union = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    return {get_origin(one) or one for one in union}


def takes(function: Callable[..., Any], place: int, cls: type[Any]) -> bool:
    accepted = taken(function, place)
    return Any in accepted or any(isinstance(one, type) and issubclass(cls, one) for one in accepted)


def misplaced(table: object) -> list[str]:
    """What of a game's table is not as its functions say."""
    wrong = []
    if isinstance(table, Dispatch):
        for cls, rule in table.rules.items():
            wrong += [] if takes(rule, 1, cls) else [f"{cls.__name__}: {rule.__qualname__}"]
    if isinstance(table, Fold):
        for state, changes in table.changes.items():
            for cls, change in changes.items():
                fits = change is keep_unchanged or (takes(change, 0, state) and takes(change, 1, cls))
                wrong += [] if fits else [f"{state.__name__}, {cls.__name__}: {change.__qualname__}"]
    return wrong


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_key_is_what_its_function_takes(name: str) -> None:
    """A system that comes without these tables has nothing here to go wrong."""
    game = systems()[name]
    for method in (game.adjudicate, game.apply):
        assert misplaced(getattr(method, "__self__", None)) == []


class Asked:
    pass


class Other:
    pass


def rule(draft: Draft[Any, Any, Any], do: Asked) -> Asking[None] | None:
    return None


def test_a_misplaced_rule_or_change_is_found() -> None:
    class Planted(Draft[Any, Any, Any]):
        pass

    def change(was: Asked, done: Other) -> Asked:
        return was

    assert misplaced(Dispatch(Planted, (Asked,), {Asked: rule})) == []
    assert misplaced(Dispatch(Planted, (Asked, Other), {Asked: rule, Other: rule})) == ["Other: rule"]
    kinds: Any = {"campaign": Asked}
    fitting: dict[type[State], Any] = {Asked: {Other: change}}  # type: ignore[dict-item]
    swapped: dict[type[State], Any] = {Asked: {Asked: change}}  # type: ignore[dict-item]
    assert misplaced(Fold(kinds, fitting)) == []
    assert len(misplaced(Fold(kinds, swapped))) == 1


def test_a_table_without_a_rule_for_an_input_is_refused_when_it_is_made() -> None:
    with pytest.raises(TypeError, match=r"without a rule: \['Other'\]"):
        Dispatch(Draft[Any, Any, Any], (Asked, Other), {Asked: rule})
    with pytest.raises(TypeError, match=r"not inputs of the game: \['Other'\]"):
        Dispatch(Draft[Any, Any, Any], (Asked,), {Asked: rule, Other: rule})
