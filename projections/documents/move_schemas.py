"""A move as JSON Schema, and filled in as far as it is settled, so that it can be told in a sentence."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from ledger.application import json_form
from ledger.rules.kernel.declarations import kind_of
from ledger.rules.kernel.moves import (
    Among,
    Besides,
    Between,
    Domain,
    Either,
    Entries,
    Move,
    Open,
    Row,
    Shape,
    Some,
    holds,
    left_out,
    settled,
    whole,
)
from projections.redaction import Json

PLAIN = (str, int, bool)
FEW = 3  # parts that are looked at for what all have in common
UNSAID = "..."  # stands for what is not settled; as an id it is somebody's


def _plain(value: object) -> object:
    return value if value is None or type(value) in PLAIN else json_form.plain(value)


_defaults: dict[type[object], dict[str, object]] = {}


def _default(field: dataclasses.Field[Any]) -> object:
    made = field.default_factory
    return made() if made is not dataclasses.MISSING else field.default


def _defaults_of(do: type) -> dict[str, object]:
    """What each field is at where it is left out; MISSING where it cannot be."""
    defaults = _defaults.get(do)
    if defaults is None:
        defaults = _defaults[do] = {field.name: _default(field) for field in dataclasses.fields(do)}
    return defaults


def schema(narrowed: Json, reference: str) -> Json:
    """The input's own schema (`reference`), and what its fields can say now."""
    return {"allOf": [{"$ref": reference}, narrowed]}


def narrowing(move: Move) -> Json:
    """What the fields of a move can say now, beside the schema of its input."""
    return narrowed_record(kind_of(move.do), Shape(move.do, move.fields))


def narrowed_record(kind: str, shape: Shape | None) -> Json:
    """What the fields of an input or a choice of this kind can say now; None: whatever its own schema lets them."""
    made: Json = {"properties": {}} if shape is None else _record(shape.do, shape.fields)
    properties = made["properties"]
    assert isinstance(properties, dict)
    made["properties"] = {"kind": {"const": kind}, **properties}
    return made


def _record(do: type[object], fields: Mapping[str, Domain]) -> Json:
    """What is left out is at its default: a field must be said where that does not lie within."""
    defaults, stated = _defaults_of(do), {name: _domain(domain) for name, domain in fields.items()}
    properties = {name: part for name, part in {**_left_out(do), **stated}.items() if part}
    required = [
        name
        for name, default in defaults.items()
        if name in fields and default is not dataclasses.MISSING and not holds(fields[name], default)
    ]
    made: Json = {"properties": properties}
    return {**made, "required": required} if required else made


_untold: dict[type[object], dict[str, Json]] = {}


def _left_out(do: type[object]) -> dict[str, Json]:
    """What the fields of a record can say where a move does not say it."""
    parts = _untold.get(do)
    if parts is None:
        parts = _untold[do] = {name: _domain(domain) for name, domain in left_out(do).items()}
    return parts


def _domain(domain: Domain) -> Json:
    """Kept with the domain: it is only read."""
    if isinstance(domain, Between):
        return _told(domain)
    narrowed: Json | None = getattr(domain, "kept", None)
    if narrowed is None:
        narrowed = _told(domain)
        domain.keep(narrowed)
    return narrowed


def _told(domain: Domain) -> Json:
    match domain:
        case Open():
            return {}
        case Among(values=(value,), titles=titles):
            return {"const": _plain(value), **({"title": titles[0]} if titles else {})}
        case Among(values=values, titles=titles):
            made: Json = {"enum": [value if type(value) is str else _plain(value) for value in values]}
            return {**made, "x-titles": list(titles)} if titles else made
        case Besides(values=values):
            return {"type": "string", "not": {"enum": list(values)}} if values else {"type": "string"}
        case Between(least=least, most=most, usual=usual):
            limits = {"minimum": least, "maximum": most}
            likely = {} if usual is None else {"examples": [usual]}
            return {"type": "integer", **{name: limit for name, limit in limits.items() if limit is not None}, **likely}
        case Shape(do=do, fields=fields, title=title):
            return {"type": "object", **({"title": title} if title else {}), **_record(do, fields)}
        case Entries(values=values, required=required):
            each_key = {key: _domain(entry) for key, entry in values.items()}
            made = {"type": "object", "properties": each_key, "additionalProperties": False}
            return {**made, "required": list(required)} if required else made
        case Either(parts=parts):
            return {"anyOf": list(map(_domain, parts))}
        case Row(items=items):
            each = list(map(_domain, items))
            return {"type": "array", "prefixItems": each, "minItems": len(each), "maxItems": len(each)}
        case Some():
            return _list(domain)


def _list(domain: Some) -> Json:
    made: Json = {"type": "array", "items": _domain(domain.items), "minItems": domain.least}
    if domain.first is not None:
        made["prefixItems"] = [_domain(domain.first)]
    if domain.most is not None:
        made["maxItems"] = domain.most
    if not domain.repeats:
        made["uniqueItems"] = True
    needed: list[Json] = []
    if domain.key is not None:
        names = dict.fromkeys(_names(domain.items, domain.key))
        needed += [
            {"contains": _with(domain.key, name), "minContains": int(name in domain.required), "maxContains": 1}
            for name in names
        ]
    else:
        needed += [{"contains": {"const": _plain(entry)}} for entry in domain.required]
    return {**made, "allOf": needed} if needed else made


def _with(key: str, value: object) -> Json:
    return {"properties": {key: {"const": _plain(value)}}, "required": [key]}


def _names(domain: Domain, key: str) -> list[object]:
    """What records of this domain can say in a field."""
    match domain:
        case Either(parts=parts):
            return [name for part in parts for name in _names(part, key)]
        case Shape(do=do, fields=fields):
            value = whole(do, fields)[key]
            return list(value.values) if isinstance(value, Among) else []
        case _:
            return []


# --- as far as it is settled ---


def settled_fields(move: Move) -> Json:
    """The kind, and the fields that can say one thing only which is not what is left out anyway."""
    defaults = _defaults_of(move.do)
    values = {name: value for name, domain in move.fields.items() for value in settled(domain)}
    changed = {name: _plain(value) for name, value in values.items() if defaults[name] != value}
    return {"kind": kind_of(move.do), **changed}


def unfinished(move: Move) -> Any:
    """The input with what is settled; what is not is left out, or stands as unsaid."""
    return _fill(move.do, move.fields)


def _fill(do: type[object], fields: Mapping[str, Domain]) -> Any:
    defaults = _defaults_of(do)
    return do(**{**_unsaid(do), **{name: _said(domain, defaults[name]) for name, domain in fields.items()}})


_unfilled: dict[type[object], dict[str, object]] = {}


def _unsaid(do: type[object]) -> dict[str, object]:
    """What stands in the fields that a move does not say."""
    fillings = _unfilled.get(do)
    if fillings is None:
        defaults = _defaults_of(do)
        fillings = _unfilled[do] = {name: _said(domain, defaults[name]) for name, domain in left_out(do).items()}
    return fillings


def _said(domain: Domain, default: object = dataclasses.MISSING) -> object:
    if values := settled(domain):
        return values[0]
    match domain:
        case Open() | Either() | Entries() if default is not dataclasses.MISSING and holds(domain, default):
            return default
        case Shape(do=do, fields=fields):
            return _fill(do, fields)
        case Either(parts=parts):
            return _alike(list(map(_said, parts[:FEW])))
        case Row(items=items):
            return tuple(map(_said, items))
        case Some(items=items, required=required, key=None) if required:
            return required if len(required) >= domain.least else (*required, _said(items))
        case Some(items=items, least=least):
            return (_said(items),) if least or isinstance(items, Shape | Either) else ()
        case _:
            return UNSAID


def _alike(records: list[Any]) -> object:
    """What they have in common."""
    first, *others = records
    if (
        not dataclasses.is_dataclass(first)
        or isinstance(first, type)
        or any(type(each) is not type(first) for each in others)
    ):
        return UNSAID
    values = {name: getattr(first, name) for name in _defaults_of(type(first))}
    alike = {name: all(getattr(each, name) == value for each in others) for name, value in values.items()}
    return type(first)(**{name: value if alike[name] else UNSAID for name, value in values.items()})
