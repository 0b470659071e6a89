"""Convert plain JSON values to the types of a dataclass, and replace values in a state: for amendments and options.

A path into a state is a JSON Pointer (RFC 6901) with or without the leading slash: `traits/0/base`.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from keyword import iskeyword
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from ledger.rules.kernel.frozen import changed

D = TypeVar("D")


class Misshapen(ValueError):
    """The value does not fit the type, or there is nothing at the path."""


def cached_by_identity(function: Callable[[Any], D]) -> Callable[[object], D]:
    """Cache a function of a type by the identity of the type, because equal types such as `int | str` and `str | int`
    can convert differently.

    Use it only for types in the source, because a cached type is never released.
    """
    cache: dict[int, tuple[object, D]] = {}

    def look_up(hint: object) -> D:
        entry = cache.get(id(hint))
        if entry is None:
            entry = cache[id(hint)] = hint, function(hint)
        return entry[1]

    return look_up


_hints: dict[type, dict[str, object]] = {}


def load_hints(cls: type) -> dict[str, object]:
    """Return the types of a dataclass's fields."""
    cached_hints = _hints.get(cls)
    if cached_hints is None:
        cached_hints = _hints[cls] = get_type_hints(cls)
    return cached_hints


@cache
def list_names(cls: type) -> tuple[str, ...]:
    """Return the names of a dataclass's fields, in order."""
    return tuple(field.name for field in dataclasses.fields(cls))


def by_name(record: object) -> dict[str, Any]:
    """Return the fields of a record, and of the records in it, by name. This is ten times as fast as
    `dataclasses.asdict`.

    The result must not be changed, because it shares values with the record.
    """
    cls = type(record)
    return (_namers.get(cls) or _namers.setdefault(cls, _make_namer(cls)))(record)


_namers: dict[type, Callable[[Any], dict[str, Any]]] = {}


def _make_namer(cls: type) -> Callable[[Any], dict[str, Any]]:
    """Return the function that does the work of `by_name` for a class."""
    types_of, pair_sources = load_hints(cls), []
    for name in list_names(cls):
        value_source = f"getattr(record, {name!r})" if iskeyword(name) else f"record.{name}"
        pair_sources.append(
            f"{name!r}: deep({value_source})"
            if _may_hold_records(types_of.get(name, Any))
            else f"{name!r}: {value_source}"
        )
    items_source = ", ".join(pair_sources)
    namespace: dict[str, Any] = {}
    exec(f"def namer(record):\n    return {{{items_source}}}\n", {"deep": _name_fields_within}, namespace)
    return cast(Callable[[Any], dict[str, Any]], namespace["namer"])


def _name_fields_within(value: Any) -> Any:
    if type(value) is tuple:
        return tuple([_name_fields_within(item) for item in value]) if value else value
    if isinstance(value, dict):
        return {key: _name_fields_within(item) for key, item in value.items()} if value else value
    return by_name(value) if hasattr(type(value), "__dataclass_fields__") else value


def _may_hold_records(hint: Any) -> bool:
    if parts := [part for part in get_args(hint) if part is not Ellipsis]:
        return get_origin(hint) is not Literal and any(_may_hold_records(part) for part in parts)
    return not isinstance(hint, type) or hint is object or dataclasses.is_dataclass(hint)


def convert(value: object, hint: object) -> Any:
    """Convert JSON (None, bool, int, str, list, dict) to the type `hint`, without coercion. Raise Misshapen if the
    value does not fit.
    """
    return _make_converter(hint)(value)


@cached_by_identity
def _make_converter(hint: Any) -> Callable[[object], Any]:
    """Return the function that converts to the type."""
    if hint is Any or hint is object:
        return lambda value: value
    if hint is None:
        hint = type(None)
    if hint in (int, str, bool, type(None)):
        return partial(_check_type, hint)
    origin = get_origin(hint)
    if origin is Literal:
        return partial(_check_literal, get_args(hint))
    if origin in (Union, types.UnionType):
        return partial(_convert_union, get_args(hint))
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _make_record_converter(hint)
    return partial(_convert_collection, origin or hint, get_args(hint))


def _check_type(hint: object, value: object) -> object:
    if type(value) is not hint:
        raise Misshapen(f"{value!r} is not {_name_type(hint)}")
    return value


def _name_type(hint: object) -> str:
    names: dict[object, str] = {bool: "true or false", int: "an integer", str: "text", type(None): "null"}
    return names.get(hint) or str(getattr(hint, "__name__", hint))


def _check_literal(allowed_values: tuple[object, ...], value: object) -> object:
    for option in allowed_values:
        if type(option) is type(value) and option == value:
            return value
    raise Misshapen(f"{value!r} is not one of {', '.join(repr(option) for option in allowed_values)}")


def _convert_union(branches: tuple[object, ...], value: object) -> object:
    problems = []
    for branch in branches:
        try:
            return convert(value, branch)
        except Misshapen as problem:
            problems.append(str(problem))
    raise Misshapen("; ".join(problems))


def _make_record_converter(cls: type) -> Callable[[object], object]:
    # Filled in at the first use: a record may hold records of its own type.
    converters: dict[str, Callable[[object], Any]] = {}

    def convert_record(value: object) -> object:
        if isinstance(value, cls):
            return value
        if not isinstance(value, dict | Mapping):
            raise Misshapen(f"{value!r} is not an object with the fields of {cls.__name__}")
        if not converters:
            types_of = load_hints(cls)
            converters.update({name: _make_converter(types_of[name]) for name in list_names(cls)})
        for name in value:
            if name not in converters:
                raise Misshapen(f"{cls.__name__} has no field {name!r}")
        values = {name: convert_field(value[name]) for name, convert_field in converters.items() if name in value}
        try:
            return cls(**values)
        except TypeError as problem:
            raise Misshapen(f"{cls.__name__}: {problem}") from None

    return convert_record


def _convert_collection(kind: object, parts: tuple[object, ...], value: object) -> object:
    if kind is tuple and isinstance(value, list | tuple):
        if len(parts) == 2 and parts[1] is Ellipsis:
            return tuple(convert(item, parts[0]) for item in value)
        if len(parts) == len(value):
            return tuple(convert(item, part) for item, part in zip(value, parts, strict=True))
    if kind is frozenset and isinstance(value, list | tuple | frozenset):
        return frozenset(convert(item, parts[0]) for item in value)
    if isinstance(kind, type) and issubclass(kind, Mapping) and isinstance(value, Mapping):
        return {convert(key, parts[0]): convert(item, parts[1]) for key, item in value.items()}
    raise Misshapen(f"{value!r} is not valid here")


def split_pointer(path: str) -> list[str]:
    return [part.replace("~1", "/").replace("~0", "~") for part in path.removeprefix("/").split("/")]


def join_pointer(parts: Iterable[object]) -> str:
    """Return the JSON Pointer (RFC 6901) of these parts. Without parts, it points to the whole document."""
    return "".join("/" + escape_part(part) for part in parts)


def escape_part(part: object) -> str:
    """Return a name or an index as it is written in a JSON Pointer."""
    return str(part).replace("~", "~0").replace("/", "~1")


def replace_at(record: D, path: str, value: object) -> D:
    """Return the frozen record with the value at `path` replaced by `value` (JSON). Raise Misshapen if the path or the
    value does not fit.
    """
    new_record: D = _replace_within(record, type(record), split_pointer(path), value)
    return new_record


def _replace_within(node: Any, hint: object, parts: list[str], value: object) -> Any:
    if not parts:
        return convert(value, hint)
    name, *inner_parts = parts
    if (fields := getattr(type(node), "__dataclass_fields__", None)) is not None:
        if name not in fields:
            raise Misshapen(f"{type(node).__name__} has no field {name!r}")
        new_value = _replace_within(getattr(node, name), load_hints(type(node))[name], inner_parts, value)
        return changed(node, **{name: new_value})
    if isinstance(node, Mapping):
        return _replace_key(node, hint, name, inner_parts, value)
    if isinstance(node, tuple):
        if not name.isascii() or not name.isdigit() or int(name) >= len(node):
            raise Misshapen(f"there is no item {name!r}")
        index = int(name)
        return (
            *node[:index],
            _replace_within(node[index], _find_item_type(hint, index), inner_parts, value),
            *node[index + 1 :],
        )
    raise Misshapen(f"you can't set a value inside {node!r}")


def _replace_key(node: Mapping[str, object], hint: object, name: str, inner_parts: list[str], value: object) -> object:
    if inner_parts and name not in node:
        raise Misshapen(f"there is no entry {name!r}")
    return {**node, name: _replace_within(node.get(name), _find_item_type(hint, 1), inner_parts, value)}


def _find_item_type(hint: object, index: int) -> object:
    """Return the type of an item in a tuple or mapping. The tuple or mapping may be optional."""
    branches = (
        [part for part in get_args(hint) if get_args(part)] if get_origin(hint) in (Union, types.UnionType) else []
    )
    parts = get_args(branches[0] if branches else hint)
    if not parts:
        return Any
    return parts[0] if parts[-1] is Ellipsis else parts[min(index, len(parts) - 1)]
