"""Describe a move as JSON Schema, and make an unfinished declaration for its sentence."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from ledger.application import json_form
from ledger.rules.kernel.declarations import find_kind
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
    complete_fields,
    holds,
    index_optional_domains,
    list_settled_values,
)
from projections.redaction import Json

PLAIN = (str, int, bool)
FEW = 3  # the most parts that are compared for common values
UNSAID = "..."  # stands for an open value, also as an id


def _to_plain(value: object) -> object:
    return value if value is None or type(value) in PLAIN else json_form.to_json(value)


_defaults: dict[type[object], dict[str, object]] = {}


def _find_default(field: dataclasses.Field[Any]) -> object:
    factory = field.default_factory
    return factory() if factory is not dataclasses.MISSING else field.default


def _index_defaults(do_class: type) -> dict[str, object]:
    """Return the default of each field, or MISSING for a required field."""
    defaults = _defaults.get(do_class)
    if defaults is None:
        defaults = _defaults[do_class] = {field.name: _find_default(field) for field in dataclasses.fields(do_class)}
    return defaults


def make_offer_schema(narrow_schema: Json, reference: str) -> Json:
    """Return the schema of an offer: a reference to the declaration's own schema, and the current limits of its
    fields.
    """
    return {"allOf": [{"$ref": reference}, narrow_schema]}


def make_narrow_move_schema(move: Move) -> Json:
    """Return the schema of a move's current limits."""
    return make_narrow_schema(find_kind(move.do), Shape(move.do, move.fields))


def make_narrow_schema(kind: str, shape: Shape | None) -> Json:
    """Return the schema of the current limits of a declaration or choice. `shape`: None if there are no limits."""
    schema: Json = {"properties": {}} if shape is None else _make_record_schema(shape.do, shape.fields)
    properties = schema["properties"]
    assert isinstance(properties, dict)
    schema["properties"] = {"kind": {"const": kind}, **properties}
    return schema


def _make_record_schema(do_class: type[object], fields: Mapping[str, Domain]) -> Json:
    """Return a record's schema. A field is required if its default is not among the possible values."""
    defaults, move_schemas = (
        _index_defaults(do_class),
        {name: _make_domain_schema(domain) for name, domain in fields.items()},
    )
    properties = {
        name: field_schema
        for name, field_schema in {**_make_left_out_schemas(do_class), **move_schemas}.items()
        if field_schema
    }
    required = [
        name
        for name, default in defaults.items()
        if name in fields and default is not dataclasses.MISSING and not holds(fields[name], default)
    ]
    schema: Json = {"properties": properties}
    return {**schema, "required": required} if required else schema


_left_out_schemas: dict[type[object], dict[str, Json]] = {}


def _make_left_out_schemas(do_class: type[object]) -> dict[str, Json]:
    """Return the schemas of fields that a move may leave out."""
    field_schemas = _left_out_schemas.get(do_class)
    if field_schemas is None:
        field_schemas = _left_out_schemas[do_class] = {
            name: _make_domain_schema(domain) for name, domain in index_optional_domains(do_class).items()
        }
    return field_schemas


def _make_domain_schema(domain: Domain) -> Json:
    """Return the schema of a domain. The schema is cached, so callers must not change it."""
    if isinstance(domain, Between):
        return _build_domain_schema(domain)
    schema: Json | None = getattr(domain, "kept", None)
    if schema is None:
        schema = _build_domain_schema(domain)
        domain.keep(schema)
    return schema


def _build_domain_schema(domain: Domain) -> Json:
    match domain:
        case Open():
            return {}
        case Among(values=(value,), titles=titles):
            return {"const": _to_plain(value), **({"title": titles[0]} if titles else {})}
        case Among(values=values, titles=titles):
            schema: Json = {"enum": [value if type(value) is str else _to_plain(value) for value in values]}
            return {**schema, "x-titles": list(titles)} if titles else schema
        case Besides(values=values):
            return {"type": "string", "not": {"enum": list(values)}} if values else {"type": "string"}
        case Between(least=least, most=most, usual=usual):
            limits = {"minimum": least, "maximum": most}
            examples = {} if usual is None else {"examples": [usual]}
            return {
                "type": "integer",
                **{name: limit for name, limit in limits.items() if limit is not None},
                **examples,
            }
        case Shape(do=do_class, fields=fields, title=title):
            return {"type": "object", **({"title": title} if title else {}), **_make_record_schema(do_class, fields)}
        case Entries(values=values, required=required):
            entry_schemas = {key: _make_domain_schema(entry_domain) for key, entry_domain in values.items()}
            schema = {"type": "object", "properties": entry_schemas, "additionalProperties": False}
            return {**schema, "required": list(required)} if required else schema
        case Either(parts=parts):
            return {"anyOf": list(map(_make_domain_schema, parts))}
        case Row(items=items):
            item_schemas = list(map(_make_domain_schema, items))
            return {
                "type": "array",
                "prefixItems": item_schemas,
                "minItems": len(item_schemas),
                "maxItems": len(item_schemas),
            }
        case Some():
            return _make_list_schema(domain)


def _make_list_schema(domain: Some) -> Json:
    schema: Json = {"type": "array", "items": _make_domain_schema(domain.items), "minItems": domain.least}
    if domain.first is not None:
        schema["prefixItems"] = [_make_domain_schema(domain.first)]
    if domain.most is not None:
        schema["maxItems"] = domain.most
    if not domain.repeats:
        schema["uniqueItems"] = True
    conditions: list[Json] = []
    if domain.key is not None:
        key_values = dict.fromkeys(_list_key_values(domain.items, domain.key))
        conditions += [
            {
                "contains": _require_value(domain.key, key_value),
                "minContains": int(key_value in domain.required),
                "maxContains": 1,
            }
            for key_value in key_values
        ]
    else:
        conditions += [{"contains": {"const": _to_plain(entry)}} for entry in domain.required]
    return {**schema, "allOf": conditions} if conditions else schema


def _require_value(key: str, value: object) -> Json:
    return {"properties": {key: {"const": _to_plain(value)}}, "required": [key]}


def _list_key_values(domain: Domain, key: str) -> list[object]:
    """Return the possible values of a field in records of this domain."""
    match domain:
        case Either(parts=parts):
            return [key_value for part in parts for key_value in _list_key_values(part, key)]
        case Shape(do=do_class, fields=fields):
            key_domain = complete_fields(do_class, fields)[key]
            return list(key_domain.values) if isinstance(key_domain, Among) else []
        case _:
            return []


# --- fixed values ---


def describe_settled_fields(move: Move) -> Json:
    """Return the kind, and the fields that have only one possible value, unless it is the default."""
    defaults = _index_defaults(move.do)
    values = {name: value for name, domain in move.fields.items() for value in list_settled_values(domain)}
    changed_values = {name: _to_plain(value) for name, value in values.items() if defaults[name] != value}
    return {"kind": find_kind(move.do), **changed_values}


def make_unfinished_declaration(move: Move) -> Any:
    """Return the declaration with its fixed values. Other values are left out, or marked as open."""
    return _fill_record(move.do, move.fields)


def _fill_record(do_class: type[object], fields: Mapping[str, Domain]) -> Any:
    defaults = _index_defaults(do_class)
    return do_class(
        **{
            **_fill_open_fields(do_class),
            **{name: _fill_value(domain, defaults[name]) for name, domain in fields.items()},
        }
    )


_unfilled: dict[type[object], dict[str, object]] = {}


def _fill_open_fields(do_class: type[object]) -> dict[str, object]:
    """Return marks for the fields that a move leaves open."""
    fillings = _unfilled.get(do_class)
    if fillings is None:
        defaults = _index_defaults(do_class)
        fillings = _unfilled[do_class] = {
            name: _fill_value(domain, defaults[name]) for name, domain in index_optional_domains(do_class).items()
        }
    return fillings


def _fill_value(domain: Domain, default: object = dataclasses.MISSING) -> object:
    if values := list_settled_values(domain):
        return values[0]
    match domain:
        case Open() | Either() | Entries() if default is not dataclasses.MISSING and holds(domain, default):
            return default
        case Shape(do=do_class, fields=fields):
            return _fill_record(do_class, fields)
        case Either(parts=parts):
            return _merge_records(list(map(_fill_value, parts[:FEW])))
        case Row(items=items):
            return tuple(map(_fill_value, items))
        case Some(items=items, required=required, key=None) if required:
            return required if len(required) >= domain.least else (*required, _fill_value(items))
        case Some(items=items, least=least):
            return (_fill_value(items),) if least or isinstance(items, Shape | Either) else ()
        case _:
            return UNSAID


def _merge_records(records: list[Any]) -> object:
    """Return a record of what all of these records have in common."""
    first_record, *other_records = records
    if (
        not dataclasses.is_dataclass(first_record)
        or isinstance(first_record, type)
        or any(type(record) is not type(first_record) for record in other_records)
    ):
        return UNSAID
    values = {name: getattr(first_record, name) for name in _index_defaults(type(first_record))}
    shared_names = {
        name for name, value in values.items() if all(getattr(record, name) == value for record in other_records)
    }
    return type(first_record)(**{name: value if name in shared_names else UNSAID for name, value in values.items()})
