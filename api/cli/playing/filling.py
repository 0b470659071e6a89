"""Random values from JSON Schemas: for a move, and for the declaration it refers to where the move is open.

Values are made to fit, not tried until they do: a schema describes all possible values.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, Literal, TypeAlias

from api.cli.playing.prose import write_prose

Json: TypeAlias = dict[str, Any]
Luck: TypeAlias = Literal["most", "least"] | None
TRIES = 400  # attempts at a list item that is not in the list yet
MORE = 3  # items, where there is no limit
NEAR, FAR = 6, 100  # the range of unlimited numbers
SELDOM_FAR = 0.3
REACHED = 10_000  # beyond this people come to no limit
LEFT_OUT = 0.2  # how often optional values are left out
NEAREST = 0.85  # how often somebody of the circle is named, if possible
LEFT: Json = {"const": None}
NOTHING: tuple[Json, ...] = ({"enum": []}, {"anyOf": []})  # of which no list has an item
COMPONENTS = "#/components/schemas/"


class NeverFilled(Exception):
    """No value was found that fits the schema."""


class Filling:
    """`components`: the service's schemas by name. `known`: by `x-ref`, the ids and names that can be referred to."""

    def __init__(self, components: Mapping[str, Json], known: Mapping[str, Sequence[str]], rng: Random) -> None:
        self.components, self.known_ids, self.rng = components, known, rng
        self.luck: Luck = None
        self.sparing = False
        self.circle: Collection[str] = ()  # named before others

    @contextmanager
    def leave_out_optional(self, sparing: bool) -> Iterator[None]:
        """Leave out everything optional, if `sparing`: it is then asked for, or does not happen."""
        self.sparing = sparing
        try:
            yield
        finally:
            self.sparing = False

    def make_declaration(self, schema: Json, *, terse: bool = False) -> Json:
        """Return a declaration within a move, or a choice: `schema` refers to its own, then narrows it. NeverFilled.

        `terse`: without optional texts.
        """
        reference, narrowing = schema["allOf"]
        record = self._fill_record(narrowing, self.resolve(reference))
        omitted = self._list_optional_prose(schema) if terse else ()
        return {name: value for name, value in record.items() if name not in omitted}

    def fill_blanks(self, schema: Json, record: Json) -> Json:
        """Return the texts that could have been sent with it, and were not."""
        _, narrowing = schema["allOf"]
        return {
            name: self.fill_value(narrowing.get("properties", {}).get(name, {}), field)
            for name, field in self._list_optional_prose(schema).items()
            if name not in record
        }

    def _list_optional_prose(self, schema: Json) -> Json:
        """Return the optional prose, by the names of the fields."""
        reference, narrowing = schema["allOf"]
        resolved = self.resolve(reference)
        if "properties" not in resolved:
            return {}
        required = {*narrowing.get("required", ()), *resolved.get("required", ())}
        return {
            name: field
            for name, field in resolved["properties"].items()
            if name not in required and self._is_prose(field)
        }

    @contextmanager
    def force_luck(self, luck: Luck) -> Iterator[None]:
        """Make limited numbers as high, or as low, as possible; dice that open others do so once."""
        self.luck = luck
        try:
            yield
        finally:
            self.luck = None

    def make_value(self, schema: Json) -> Any:
        """Return a value of the schema itself. NeverFilled."""
        return self.fill_value({}, schema)

    def fill_value(self, allowed: Json, schema: Json) -> Any:
        """Return a value. `allowed`: what it can be now; empty: anything in `schema`, its own schema. NeverFilled."""
        if "allOf" in allowed and "$ref" in allowed["allOf"][0]:
            return self.make_declaration(allowed)
        if "const" in allowed:
            return allowed["const"]
        if "enum" in allowed:
            if not allowed["enum"]:
                raise NeverFilled("nothing is left to choose from")
            return None if self.sparing and None in allowed["enum"] else self._choose_of_circle(allowed["enum"])
        if "anyOf" in allowed:
            if not allowed["anyOf"]:
                raise NeverFilled("nothing is left to choose from")
            if self.sparing and LEFT in allowed["anyOf"]:
                return None
            return self.fill_value(self.rng.choice(allowed["anyOf"]), schema)
        match allowed.get("type"):
            case "integer":
                return self._choose_number(allowed)
            case "object":
                return self._fill_record(allowed, schema)
            case "array":
                return self._fill_list(allowed, schema)
            case "string":
                return self._write_other_text(allowed.get("not", {}).get("enum", ()), self.resolve(schema))
        return self._fill_open(schema)

    def resolve(self, schema: Json) -> Json:
        """Return the schema itself, if this only refers to another."""
        while "$ref" in schema:
            schema = self.components[schema["$ref"].rpartition(COMPONENTS)[2]]
        return schema

    def _choose_of_circle(self, values: Sequence[Any]) -> Any:
        in_circle = [value for value in values if value in self.circle]
        return self.rng.choice(in_circle if in_circle and self.rng.random() < NEAREST else values)

    # --- what is open ---

    def _fill_open(self, schema: Json) -> Any:
        schema = self.resolve(schema)
        if "const" in schema or "enum" in schema:
            return schema["const"] if "const" in schema else self.rng.choice(schema["enum"])
        for union in ("anyOf", "oneOf"):
            if union in schema:
                parts = [part for part in schema[union] if part.get("type") != "null"]
                return self._fill_open(self.rng.choice(parts if self.rng.random() < 0.8 else schema[union]))
        match schema.get("type"):
            case "string":
                return self._write_text(schema)
            case "integer":
                return self._choose_number(schema)
            case "boolean":
                return self.rng.random() < 0.5
            case "null":
                return None
            case "object":
                return self._fill_record({}, schema) if "properties" in schema else self._fill_mapping(schema)
            case "array":
                return self._fill_list({"minItems": schema.get("minItems", 0)} | _find_limits(schema), schema)
        return self._write_text(schema)

    def _write_text(self, schema: Json) -> str:
        target = schema.get("x-ref", {}).get("to")
        if target is not None and self.known_ids.get(target):
            return str(self._choose_of_circle(self.known_ids[target]))
        return write_prose(self.rng, schema.get("maxLength", 200))

    def _write_other_text(self, taken: Sequence[str], schema: Json) -> str:
        """Return a text that is none of these."""
        for _ in range(TRIES):
            text = write_prose(self.rng, schema.get("maxLength", 200))
            if text not in taken:
                return text
        raise NeverFilled("every text is taken")

    def _choose_number(self, limits: Json) -> int:
        """Return the lowest, the highest or a number between; mostly small ones if no limit is near."""
        least, most = self._find_bounds(limits.get("minimum"), limits.get("maximum"))
        if least > most:
            raise NeverFilled(f"no number from {least} to {most}")
        if self.luck is not None and {"minimum", "maximum"} <= limits.keys():
            return most if self.luck == "most" else least
        small = self.rng.randint(least, min(most, least + NEAR))
        return self.rng.choice((least, most, self.rng.randint(least, most), small))

    def _find_bounds(self, least: int | None, most: int | None) -> tuple[int, int]:
        spread = FAR if self.rng.random() < SELDOM_FAR else NEAR
        if least is None or least < -REACHED:
            below = 0 if least is None else -spread
            least = below if most is None else min(below, most - spread)
        if most is None or most > REACHED:
            above = max(0, least) + spread
            most = above if most is None else min(above, most)
        return least, most

    def _fill_mapping(self, schema: Json) -> Json:
        names = schema.get("propertyNames", {})
        keys = list(names.get("enum", ())) or [self._write_text(names) for _ in range(2)]
        chosen = self.rng.sample(keys, self.rng.randint(0, len(keys)))
        return {key: self._fill_open(schema.get("additionalProperties", {})) for key in chosen}

    # --- records ---

    def _fill_record(self, allowed: Json, schema: Json) -> Json:
        """Return a record with all of its texts. Other optional fields are left out now and then."""
        narrowed_fields: Json = allowed.get("properties", {})
        schema = (
            allowed
            if not schema or allowed.get("additionalProperties") is False
            else self._find_record(narrowed_fields, schema)
        )
        fields: Json = schema["properties"]
        needed = {*allowed.get("required", ()), *schema.get("required", ())}
        record: Json = {}
        for name, field in fields.items():
            if name in needed or self._is_prose(field) or self._chooses_to_include():
                record[name] = self.fill_value(narrowed_fields.get(name, {}), field)
        return record

    def _chooses_to_include(self) -> bool:
        return not self.sparing and self.rng.random() > LEFT_OUT

    def _is_prose(self, field: Json) -> bool:
        field = self.resolve(field)
        return field.get("type") == "string" and not {"enum", "const", "x-ref"} & field.keys()

    def _find_record(self, narrowed_fields: Json, schema: Json) -> Json:
        """Return, among the records the schema allows, the one with these fields and constants."""
        for record in self._list_parts(schema):
            properties = record.get("properties", {})
            if narrowed_fields.keys() <= properties.keys() and all(
                "const" not in properties[name] or field.get("const") == properties[name]["const"]
                for name, field in narrowed_fields.items()
            ):
                return record
        raise NeverFilled(f"no record has the fields {sorted(narrowed_fields)}")

    def _list_parts(self, schema: Json) -> Iterator[Json]:
        schema = self.resolve(schema)
        for union in ("anyOf", "oneOf"):
            for part in schema.get(union, ()):
                yield from self._list_parts(part)
        yield schema

    # --- lists ---

    def _fill_list(self, allowed: Json, list_schema: Json) -> list[Any]:
        """Return the required items at their places, and others in any order."""
        if "x-opens" in allowed:
            return self._roll_dice(allowed)
        array_schemas = [part for part in self._list_parts(list_schema) if part.get("type") == "array"] or [{}]
        item_schemas = array_schemas[0].get("prefixItems", [])
        rest_schema = array_schemas[0].get("items", {})
        first = allowed.get("prefixItems", [] if allowed.keys() & {"items"} else [{} for _ in item_schemas])
        if not ("items" in allowed or rest_schema):
            return [
                self.fill_value(schema, (item_schemas or [rest_schema])[min(index, len(item_schemas) - 1)])
                for index, schema in enumerate(first)
            ]
        if len(first) >= allowed.get("maxItems", len(first) + 1):
            return [
                self.fill_value(schema, item_schemas[index] if index < len(item_schemas) else rest_schema)
                for index, schema in enumerate(first)
            ]
        return self._choose_items(allowed, rest_schema, first)

    def _roll_dice(self, allowed: Json) -> list[Any]:
        """Return dice: as many as are asked for, and another one for each that opens one."""
        faces: list[Any] = []
        count = allowed["minItems"]
        luck, least = self.luck, count
        while len(faces) < count:
            self.luck = luck if len(faces) < least else None  # otherwise it never ends
            faces.append(self.fill_value(allowed["items"], {}))
            count += faces[-1] == allowed["x-opens"]
        self.luck = luck
        return faces

    def _choose_items(self, allowed: Json, item_schema: Json, first: list[Json]) -> list[Any]:
        """Return the required items, as often as required, then others as far as allowed."""
        needed: list[Json] = allowed.get("allOf", [])
        key = next((name for need in needed for name in need["contains"].get("properties", ())), None)
        wanted = Counter({_find_constant(need["contains"], key): need.get("minContains", 1) for need in needed})
        limits = {
            _find_constant(need["contains"], key): need["maxContains"] for need in needed if "maxContains" in need
        }
        least = max(allowed.get("minItems", 0), wanted.total())
        above = (
            least if allowed.get("items") in NOTHING else min(allowed.get("maxItems", least + MORE), least + 2 * MORE)
        )
        count = self.rng.randint(least, max(least, above))
        if self.circle and {*self.circle} & {*map(str, allowed.get("items", {}).get("enum", ()))}:
            count = least
        head = [self.fill_value(schema, item_schema) for schema in first][:count]
        optional_items: list[Any] = []
        names = Counter(_make_item_key(item, key) for item in head)
        for _ in range(TRIES + 2 * count):
            missing = wanted - names
            if len(head) + len(optional_items) >= count and not missing:
                break
            item = (
                json.loads(next(iter(missing)))
                if missing and key is None
                else self.fill_value(allowed.get("items", {}), item_schema)
            )
            name = _make_item_key(item, key)
            is_new = names[name] < limits.get(name, 1 if allowed.get("uniqueItems") else count)
            if is_new and (name in missing or len(head) + len(optional_items) + missing.total() < count):
                optional_items.append(item)
                names[name] += 1
        if wanted - names or len(head) + len(optional_items) < allowed.get("minItems", 0):
            raise NeverFilled(f"a list lacks what it needs: {json.dumps(allowed)[:300]}")
        self.rng.shuffle(optional_items)
        return [*head, *optional_items]


def _find_limits(schema: Json) -> Json:
    return {name: schema[name] for name in ("maxItems", "uniqueItems") if name in schema and schema[name] != 1000}


def _find_constant(contained: Json, key: str | None) -> str:
    return _compare_key(contained["const"] if key is None else contained["properties"][key]["const"])


def _make_item_key(item: Any, key: str | None) -> str:
    return _compare_key(item.get(key) if key is not None and isinstance(item, dict) else item)


def _compare_key(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
