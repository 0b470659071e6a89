"""Veils over hidden values, and states with veils in them. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NoReturn

from ledger.rules.kernel.frozen import changed

MOST_KEPT = 100_000


class Veiled(BaseException):
    """A rule looked behind a veil. A BaseException, so that no handler of the rules catches it."""


class Veil:
    """Stands for a hidden value. It can be passed on; any look at it raises Veiled."""

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
    """Copies of states with None for each veil: whether a value is None can be asked without looking at it.

    A state without veils is returned itself. Results are kept: states share most of their parts.
    """

    def __init__(self) -> None:
        self._copies: dict[int, tuple[object, object]] = {}

    def __call__(self, node: object) -> object:
        if node is VEIL:
            return None
        names = getattr(type(node), "__dataclass_fields__", ())
        if not names and not isinstance(node, dict | tuple):
            return node
        cached = self._copies.get(id(node))
        if cached is None:
            if len(self._copies) > MOST_KEPT:
                self._copies.clear()
            cached = self._copies[id(node)] = (node, self._copy_without_veils(node, names))
        return cached[1]

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
        if all(item is original for item, original in zip(items, node, strict=True)):
            return node
        return type(node)(*items) if hasattr(node, "_fields") else tuple(items)


def veil_changes(before: Any, after: Any, shown: Any, ruling: int) -> object:
    """Return `shown` after something hidden turned `before` into `after`: only what changed is veiled.

    Ids of things made by the ruling follow from its number: that they exist is no secret, their content is.
    """
    if before is after or shown is VEIL:
        return shown
    if type(before) is not type(after) or type(shown) is not type(after):
        return VEIL
    if hasattr(type(after), "__dataclass_fields__"):
        names = [name for name in type(after).__slots__ if name != "adrift"]
        return changed(
            shown,
            **{
                name: veil_changes(getattr(before, name), getattr(after, name), getattr(shown, name), ruling)
                for name in names
            },
        )
    if isinstance(after, dict):
        return _veil_names(before, after, shown, ruling)
    if isinstance(after, tuple) and len(before) == len(after) == len(shown):
        return tuple(veil_changes(*parts, ruling) for parts in zip(before, after, shown, strict=True))
    return shown if before == after else VEIL


def _veil_names(
    before: dict[object, object], after: dict[object, Any], shown: dict[object, object], ruling: int
) -> object:
    added_names = {name: VEIL for name in after if name not in before}
    for name in added_names:
        if isinstance(after[name], dict) and (inner_names := _veil_names({}, after[name], {}, ruling)) is not VEIL:
            added_names[name] = inner_names
        elif str(name).partition("-")[0] != str(ruling):
            return VEIL
    if any(name not in after or name not in shown for name in before):
        return VEIL
    return {
        **{name: veil_changes(value, after[name], shown[name], ruling) for name, value in before.items()},
        **added_names,
    }


def replace_veils(shown: Any, real: Any, now: Any) -> Any:
    """Return `real`, a state of another past, with its veiled parts as they are `now`, which anybody may see.

    Raises Veiled for a part that does not exist now.
    """
    if shown is VEIL:
        if now is VEIL:  # there is none
            raise Veiled
        return now
    if shown is real:
        return real
    if names := getattr(type(shown), "__dataclass_fields__", ()):
        if type(now) is not type(shown):
            raise Veiled
        return changed(
            real,
            **{name: replace_veils(getattr(shown, name), getattr(real, name), getattr(now, name)) for name in names},
        )
    if isinstance(shown, dict):
        entries_now = now if isinstance(now, dict) else {}
        return {
            name: replace_veils(value, real[name], entries_now.get(name, VEIL))
            for name, value in shown.items()
            if name in real
        }
    if isinstance(shown, tuple) and isinstance(now, tuple) and len(shown) == len(now) == len(real):
        return tuple(replace_veils(*parts) for parts in zip(shown, real, now, strict=True))
    return real
