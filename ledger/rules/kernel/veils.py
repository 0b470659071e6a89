"""Veils over hidden values, and states with veils in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NoReturn

from ledger.rules.kernel.frozen import changed

MOST_KEPT = 100_000


class Veiled(BaseException):
    """A rule looked behind a veil. This is a BaseException, so that no handler in the rules catches it."""


class Veil:
    """Stands for a hidden value. It can be passed on; any use of its value raises Veiled."""

    __slots__ = ()

    def _refuse_look(self, *_: object) -> NoReturn:
        raise Veiled

    __getattribute__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = __bool__ = _refuse_look
    __iter__ = __len__ = __getitem__ = __contains__ = __call__ = __int__ = __index__ = __float__ = _refuse_look
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __floordiv__ = __mod__ = __neg__ = __abs__ = (
        _refuse_look
    )
    __and__ = __or__ = __ror__ = __rand__ = __str__ = __repr__ = __format__ = _refuse_look


VEIL: Final[object] = Veil()


class VeilRemover:
    """Copies states with None in place of each veil. A state without veils is returned as it is.

    A rule can ask whether a value is None without looking behind its veil. A replay on such a copy shows whether the
    result depends on this.
    """

    def __init__(self) -> None:
        self._copies_by_id: dict[int, tuple[object, object]] = {}

    def __call__(self, node: object) -> object:
        if node is VEIL:
            return None
        names = getattr(type(node), "__dataclass_fields__", ())
        if not names and not isinstance(node, dict | tuple):
            return node
        cache_entry = self._copies_by_id.get(id(node))
        if cache_entry is None:
            if len(self._copies_by_id) > MOST_KEPT:
                self._copies_by_id.clear()
            cache_entry = self._copies_by_id[id(node)] = (node, self._copy_without_veils(node, names))
        return cache_entry[1]

    def _copy_without_veils(self, node: Any, names: Iterable[str]) -> Any:
        if names:
            values = {name: getattr(node, name) for name in names}
            bare_values = {name: self(value) for name, value in values.items()}
            return (
                changed(node, **bare_values) if any(bare_values[name] is not values[name] for name in values) else node
            )
        if isinstance(node, dict):
            bare_entries = {name: self(value) for name, value in node.items()}
            return bare_entries if any(bare_entries[name] is not value for name, value in node.items()) else node
        items = [self(item) for item in node]
        if all(item is original_item for item, original_item in zip(items, node, strict=True)):
            return node
        return type(node)(*items) if hasattr(node, "_fields") else tuple(items)


def veil_changes(state_before: Any, state_after: Any, shown_state: Any, ruling_number: int) -> object:
    """Return `shown_state` with a veil over every part that differs between the two states.

    The hidden ruling `ruling_number` caused the change. The ids of things that it created are shown, because they
    follow from its number.
    """
    if state_before is state_after or shown_state is VEIL:
        return shown_state
    if type(state_before) is not type(state_after) or type(shown_state) is not type(state_after):
        return VEIL
    if hasattr(type(state_after), "__dataclass_fields__"):
        names = [name for name in type(state_after).__slots__ if name != "adrift"]
        return changed(
            shown_state,
            **{
                name: veil_changes(
                    getattr(state_before, name), getattr(state_after, name), getattr(shown_state, name), ruling_number
                )
                for name in names
            },
        )
    if isinstance(state_after, dict):
        return _veil_dict_changes(state_before, state_after, shown_state, ruling_number)
    if isinstance(state_after, tuple) and len(state_before) == len(state_after) == len(shown_state):
        return tuple(
            veil_changes(*parts, ruling_number) for parts in zip(state_before, state_after, shown_state, strict=True)
        )
    return shown_state if state_before == state_after else VEIL


def _veil_dict_changes(
    entries_before: dict[object, object],
    entries_after: dict[object, Any],
    shown_entries: dict[object, object],
    ruling_number: int,
) -> object:
    added_entries = {name: VEIL for name in entries_after if name not in entries_before}
    for name in added_entries:
        if (
            isinstance(entries_after[name], dict)
            and (inner_entries := _veil_dict_changes({}, entries_after[name], {}, ruling_number)) is not VEIL
        ):
            added_entries[name] = inner_entries
        elif str(name).partition("-")[0] != str(ruling_number):
            return VEIL
    if any(name not in entries_after or name not in shown_entries for name in entries_before):
        return VEIL
    return {
        **{
            name: veil_changes(value, entries_after[name], shown_entries[name], ruling_number)
            for name, value in entries_before.items()
        },
        **added_entries,
    }


def replace_veils(shown_state: Any, real_state: Any, state_now: Any) -> Any:
    """Return `real_state`, but take each part that is veiled in `shown_state` from `state_now`. Raise Veiled for a part
    that does not exist now.

    Everybody may see `state_now`.
    """
    if shown_state is VEIL:
        if state_now is VEIL:  # the current state has no such part
            raise Veiled
        return state_now
    if shown_state is real_state:
        return real_state
    if names := getattr(type(shown_state), "__dataclass_fields__", ()):
        if type(state_now) is not type(shown_state):
            raise Veiled
        return changed(
            real_state,
            **{
                name: replace_veils(getattr(shown_state, name), getattr(real_state, name), getattr(state_now, name))
                for name in names
            },
        )
    if isinstance(shown_state, dict):
        entries_now = state_now if isinstance(state_now, dict) else {}
        return {
            name: replace_veils(value, real_state[name], entries_now.get(name, VEIL))
            for name, value in shown_state.items()
            if name in real_state
        }
    if (
        isinstance(shown_state, tuple)
        and isinstance(state_now, tuple)
        and len(shown_state) == len(state_now) == len(real_state)
    ):
        return tuple(replace_veils(*parts) for parts in zip(shown_state, real_state, state_now, strict=True))
    return real_state
