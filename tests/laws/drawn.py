"""Values drawn from a JSON Schema, and the same with one mistake in them."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

Json = dict[str, Any]


def drawn(schema: Json, rng: Random) -> Any:
    """Any value of a schema of ours that is whole in itself."""
    return _drawn(schema, schema, rng, 0)


def _resolved(whole: Json, schema: Json) -> Json:
    while "$ref" in schema:
        schema = whole["$defs"][schema["$ref"].rpartition("/")[2]]
    return schema


def _drawn(whole: Json, schema: Json, rng: Random, depth: int) -> Any:
    schema = _resolved(whole, schema)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if "anyOf" in schema:
        return _drawn(whole, rng.choice(schema["anyOf"]), rng, depth)
    match schema.get("type"):
        case "object":
            return _object(whole, schema, rng, depth)
        case "array":
            return _array(whole, schema, rng, depth)
        case "integer":
            least = schema.get("minimum", -5)
            most = schema.get("maximum", least + 9)
            return rng.choice([least, most, min(most, least + rng.randint(0, 3))])
        case "string":
            return "".join(rng.choice("ab c-Ä7") for _ in range(rng.randint(0, min(6, schema.get("maxLength", 6)))))
        case "boolean":
            return rng.random() < 0.5
        case "null":
            return None
    return rng.choice([None, 3, "x", True, [1], {"a": 1}])  # whatever JSON can say


def _object(whole: Json, schema: Json, rng: Random, depth: int) -> Json:
    required = schema.get("required", [])
    made = {
        name: _drawn(whole, inner, rng, depth + 1)
        for name, inner in schema.get("properties", {}).items()
        if name in required or (depth < 4 and rng.random() < 0.6)
    }
    more = schema.get("additionalProperties")
    if isinstance(more, dict) and depth < 4:
        names = schema.get("propertyNames")
        for place in range(rng.randint(0, 2)):
            name = str(_drawn(whole, names, rng, depth + 1)) if names else f"name {place}"
            made[name] = _drawn(whole, more, rng, depth + 1)
    return made


def _array(whole: Json, schema: Json, rng: Random, depth: int) -> list[Any]:
    if "prefixItems" in schema:
        return [_drawn(whole, one, rng, depth + 1) for one in schema["prefixItems"]]
    least, most = schema.get("minItems", 0), schema.get("maxItems", 3)
    count = max(least, rng.randint(0, min(most, 2 if depth < 4 else 0)))
    return [_drawn(whole, schema.get("items", {}), rng, depth + 1) for _ in range(count)]


def mutated(schema: Json, given: Json, rng: Random) -> Iterator[tuple[Json, str]]:
    """The same with one thing wrong, each with the pointer to it: a field too many, one left out, one of no type."""
    extra = copy.deepcopy(given)
    extra["no such field"] = 1
    yield extra, "/no such field"
    for name in schema.get("required", []):
        if name != "kind" and name in given:
            yield {key: value for key, value in given.items() if key != name}, f"/{name}"
    for name, inner in schema.get("properties", {}).items():
        if name == "kind":
            continue
        for wrong in (float("inf"), {"neither": "this"}, "neither this nor that " * 400):
            if not _could_be(schema, inner, wrong):
                yield {**given, name: wrong}, f"/{name}"


def _could_be(whole: Json, schema: Json, value: Any) -> bool:
    """Whether a schema may take the value, as far as its type tells; True where that is not certain."""
    schema = _resolved(whole, schema)
    if "anyOf" in schema:
        return any(_could_be(whole, one, value) for one in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        return value in schema.get("enum", [schema.get("const")])
    match schema.get("type"):
        case "object":
            return isinstance(value, dict) and bool(schema.get("additionalProperties", True))
        case "string":
            return isinstance(value, str) and len(value) <= schema.get("maxLength", 10**9)
        case "array" | "integer" | "boolean" | "null":
            return False
    return True
