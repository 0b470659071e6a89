"""Make random values that fit the JSON Schemas of moves."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, Literal, TypeAlias

from api.cli.playing.prose import write_prose
from ledger.rules.kernel.domains import MOST_ITEMS

Json: TypeAlias = dict[str, Any]
Luck: TypeAlias = Literal["most", "least"] | None
TRIES = 400  # attempts at a list item that is not in the list yet
MORE = 3  # further items in a list without a limit
NEAR, FAR = 6, 100  # the range of unlimited numbers
SELDOM_FAR = 0.3
REACHED = 10_000  # higher numbers don't count as a limit that people reach
LEFT_OUT = 0.2  # how often optional values are left out
NEAREST = 0.85  # how often a character of the circle is chosen, if possible
LEFT: Json = {"const": None}
NOTHING: tuple[Json, ...] = ({"enum": []}, {"anyOf": []})  # schemas that no item fits
COMPONENTS = "#/components/schemas/"


class NeverFilled(Exception):
    """No value fits the schema."""


class Filling:
    """Makes values for schemas. `components`: the service's schemas by name. `known_ids`: the existing ids, by kind of
    reference (`x-ref`).
    """

    def __init__(self, components: Mapping[str, Json], known_ids: Mapping[str, Sequence[str]], rng: Random) -> None:
        self.components, self.known_ids, self.rng = components, known_ids, rng
        self.luck: Luck = None
        self.is_sparing = False
        self.circle: Collection[str] = ()  # the ids chosen before others

    @contextmanager
    def leave_out_optional(self, is_sparing: bool) -> Iterator[None]:
        """Within the block, leave out everything optional if `is_sparing`."""
        self.is_sparing = is_sparing
        try:
            yield
        finally:
            self.is_sparing = False

    def make_declaration(self, schema: Json, *, is_terse: bool = False) -> Json:
        """Return a declaration that a move allows, or a choice that answers a question. Raise NeverFilled if no value
        fits.

        `schema` refers to the form's own schema and narrows it. `is_terse`: leave out optional texts.
        """
        reference, narrowing = schema["allOf"]
        record = self._fill_record(narrowing, self.resolve(reference))
        omitted_names = self._index_optional_prose(schema) if is_terse else ()
        return {name: value for name, value in record.items() if name not in omitted_names}

    def fill_blanks(self, schema: Json, record: Json) -> Json:
        """Return a value for every optional text that is missing from the record, by the name of its field."""
        _, narrowing = schema["allOf"]
        return {
            name: self.fill_value(narrowing.get("properties", {}).get(name, {}), field_schema)
            for name, field_schema in self._index_optional_prose(schema).items()
            if name not in record
        }

    def _index_optional_prose(self, schema: Json) -> Json:
        """Return the schemas of optional texts, by the names of their fields."""
        reference, narrowing = schema["allOf"]
        resolved_schema = self.resolve(reference)
        if "properties" not in resolved_schema:
            return {}
        required_names = {*narrowing.get("required", ()), *resolved_schema.get("required", ())}
        return {
            name: field_schema
            for name, field_schema in resolved_schema["properties"].items()
            if name not in required_names and self._is_prose(field_schema)
        }

    @contextmanager
    def force_luck(self, luck: Luck) -> Iterator[None]:
        """Within the block, choose the highest or the lowest value of each number with limits, except in extra dice."""
        self.luck = luck
        try:
            yield
        finally:
            self.luck = None

    def make_value(self, schema: Json) -> Any:
        """Return any value that the schema allows. Raise NeverFilled if no value fits."""
        return self.fill_value({}, schema)

    def fill_value(self, narrowing: Json, schema: Json) -> Any:
        """Return a value that fits both schemas. Raise NeverFilled if no value fits.

        `schema`: describes the value. `narrowing`: what the move allows now; empty means anything.
        """
        if "allOf" in narrowing and "$ref" in narrowing["allOf"][0]:
            return self.make_declaration(narrowing)
        if "const" in narrowing:
            return narrowing["const"]
        if "enum" in narrowing:
            if not narrowing["enum"]:
                raise NeverFilled("nothing is left to choose from")
            return (
                None if self.is_sparing and None in narrowing["enum"] else self._choose_from_circle(narrowing["enum"])
            )
        if "anyOf" in narrowing:
            if not narrowing["anyOf"]:
                raise NeverFilled("nothing is left to choose from")
            if self.is_sparing and LEFT in narrowing["anyOf"]:
                return None
            return self.fill_value(self.rng.choice(narrowing["anyOf"]), schema)
        match narrowing.get("type"):
            case "integer":
                return self._choose_number(narrowing)
            case "object":
                return self._fill_record(narrowing, schema)
            case "array":
                return self._fill_list(narrowing, schema)
            case "string":
                return self._write_other_text(narrowing.get("not", {}).get("enum", ()), self.resolve(schema))
        return self._fill_unnarrowed(schema)

    def resolve(self, schema: Json) -> Json:
        """Return the schema that a reference leads to. Return any other schema unchanged."""
        while "$ref" in schema:
            schema = self.components[schema["$ref"].rpartition(COMPONENTS)[2]]
        return schema

    def _choose_from_circle(self, values: Sequence[Any]) -> Any:
        circle_values = [value for value in values if value in self.circle]
        return self.rng.choice(circle_values if circle_values and self.rng.random() < NEAREST else values)

    # --- values that a move leaves open ---

    def _fill_unnarrowed(self, schema: Json) -> Any:
        schema = self.resolve(schema)
        if "const" in schema or "enum" in schema:
            return schema["const"] if "const" in schema else self.rng.choice(schema["enum"])
        for union in ("anyOf", "oneOf"):
            if union in schema:
                parts = [part for part in schema[union] if part.get("type") != "null"]
                return self._fill_unnarrowed(self.rng.choice(parts if self.rng.random() < 0.8 else schema[union]))
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
                return self._fill_list({"minItems": schema.get("minItems", 0)} | _copy_list_limits(schema), schema)
        return self._write_text(schema)

    def _write_text(self, schema: Json) -> str:
        target = schema.get("x-ref", {}).get("to")
        if target is not None and self.known_ids.get(target):
            return str(self._choose_from_circle(self.known_ids[target]))
        return write_prose(self.rng, schema.get("maxLength", 200))

    def _write_other_text(self, taken_texts: Sequence[str], schema: Json) -> str:
        """Return a text that differs from all of these texts."""
        for _ in range(TRIES):
            text = write_prose(self.rng, schema.get("maxLength", 200))
            if text not in taken_texts:
                return text
        raise NeverFilled("every text is taken")

    def _choose_number(self, limits: Json) -> int:
        """Return the lowest number, the highest, or one between them."""
        lowest, highest = self._find_bounds(limits.get("minimum"), limits.get("maximum"))
        if lowest > highest:
            raise NeverFilled(f"no number from {lowest} to {highest}")
        if self.luck is not None and {"minimum", "maximum"} <= limits.keys():
            return highest if self.luck == "most" else lowest
        small_number = self.rng.randint(lowest, min(highest, lowest + NEAR))
        return self.rng.choice((lowest, highest, self.rng.randint(lowest, highest), small_number))

    def _find_bounds(self, lowest: int | None, highest: int | None) -> tuple[int, int]:
        spread = FAR if self.rng.random() < SELDOM_FAR else NEAR
        if lowest is None or lowest < -REACHED:
            lowest_by_default = 0 if lowest is None else -spread
            lowest = lowest_by_default if highest is None else min(lowest_by_default, highest - spread)
        if highest is None or highest > REACHED:
            highest_by_default = max(0, lowest) + spread
            highest = highest_by_default if highest is None else min(highest_by_default, highest)
        return lowest, highest

    def _fill_mapping(self, schema: Json) -> Json:
        name_schema = schema.get("propertyNames", {})
        keys = list(name_schema.get("enum", ())) or [self._write_text(name_schema) for _ in range(2)]
        chosen_keys = self.rng.sample(keys, self.rng.randint(0, len(keys)))
        return {key: self._fill_unnarrowed(schema.get("additionalProperties", {})) for key in chosen_keys}

    # --- records ---

    def _fill_record(self, narrowing: Json, schema: Json) -> Json:
        """Return a record with all of its texts, and with some of its other optional fields."""
        narrowed_fields: Json = narrowing.get("properties", {})
        schema = (
            narrowing
            if not schema or narrowing.get("additionalProperties") is False
            else self._find_record_schema(narrowed_fields, schema)
        )
        field_schemas: Json = schema["properties"]
        needed_names = {*narrowing.get("required", ()), *schema.get("required", ())}
        record: Json = {}
        for name, field_schema in field_schemas.items():
            if name in needed_names or self._is_prose(field_schema) or self._decide_to_include():
                record[name] = self.fill_value(narrowed_fields.get(name, {}), field_schema)
        return record

    def _decide_to_include(self) -> bool:
        return not self.is_sparing and self.rng.random() > LEFT_OUT

    def _is_prose(self, field_schema: Json) -> bool:
        field_schema = self.resolve(field_schema)
        return field_schema.get("type") == "string" and not {"enum", "const", "x-ref"} & field_schema.keys()

    def _find_record_schema(self, narrowed_fields: Json, schema: Json) -> Json:
        """Return the first record schema in `schema` that has these fields, with the same constants."""
        for record_schema in self._list_parts(schema):
            properties = record_schema.get("properties", {})
            if narrowed_fields.keys() <= properties.keys() and all(
                "const" not in properties[name] or field_narrowing.get("const") == properties[name]["const"]
                for name, field_narrowing in narrowed_fields.items()
            ):
                return record_schema
        raise NeverFilled(f"no record has the fields {sorted(narrowed_fields)}")

    def _list_parts(self, schema: Json) -> Iterator[Json]:
        schema = self.resolve(schema)
        for union in ("anyOf", "oneOf"):
            for part in schema.get(union, ()):
                yield from self._list_parts(part)
        yield schema

    # --- lists ---

    def _fill_list(self, narrowing: Json, list_schema: Json) -> list[Any]:
        """Return a list with the required items at their places and others in any order."""
        if "x-opens" in narrowing:
            return self._roll_dice(narrowing)
        array_schemas = [part for part in self._list_parts(list_schema) if part.get("type") == "array"] or [{}]
        item_schemas = array_schemas[0].get("prefixItems", [])
        rest_schema = array_schemas[0].get("items", {})
        first_narrowings = narrowing.get(
            "prefixItems", [] if narrowing.keys() & {"items"} else [{} for _ in item_schemas]
        )
        if not ("items" in narrowing or rest_schema):
            return [
                self.fill_value(first_narrowing, (item_schemas or [rest_schema])[min(index, len(item_schemas) - 1)])
                for index, first_narrowing in enumerate(first_narrowings)
            ]
        if len(first_narrowings) >= narrowing.get("maxItems", len(first_narrowings) + 1):
            return [
                self.fill_value(first_narrowing, item_schemas[index] if index < len(item_schemas) else rest_schema)
                for index, first_narrowing in enumerate(first_narrowings)
            ]
        return self._choose_items(narrowing, rest_schema, first_narrowings)

    def _roll_dice(self, narrowing: Json) -> list[Any]:
        """Return the required number of dice, and an extra die for each die that adds one."""
        faces: list[Any] = []
        count = narrowing["minItems"]
        first_luck, first_count = self.luck, count
        while len(faces) < count:
            self.luck = first_luck if len(faces) < first_count else None  # otherwise the roll would never end
            faces.append(self.fill_value(narrowing["items"], {}))
            count += faces[-1] == narrowing["x-opens"]
        self.luck = first_luck
        return faces

    def _choose_items(self, narrowing: Json, item_schema: Json, first_narrowings: list[Json]) -> list[Any]:
        """Return the required items, then others within the limits."""
        needs: list[Json] = narrowing.get("allOf", [])
        key_name = next((item_key for need in needs for item_key in need["contains"].get("properties", ())), None)
        needed_counts = Counter(
            {_make_constant_key(need["contains"], key_name): need.get("minContains", 1) for need in needs}
        )
        most_by_key = {
            _make_constant_key(need["contains"], key_name): need["maxContains"]
            for need in needs
            if "maxContains" in need
        }
        least_count = max(narrowing.get("minItems", 0), needed_counts.total())
        most_count = (
            least_count
            if narrowing.get("items") in NOTHING
            else min(narrowing.get("maxItems", least_count + MORE), least_count + 2 * MORE)
        )
        count = self.rng.randint(least_count, max(least_count, most_count))
        if self.circle and {*self.circle} & {*map(str, narrowing.get("items", {}).get("enum", ()))}:
            count = least_count
        first_items = [self.fill_value(first_narrowing, item_schema) for first_narrowing in first_narrowings][:count]
        other_items: list[Any] = []
        key_counts = Counter(_make_item_key(item, key_name) for item in first_items)
        for _ in range(TRIES + 2 * count):
            missing_counts = needed_counts - key_counts
            if len(first_items) + len(other_items) >= count and not missing_counts:
                break
            item = (
                json.loads(next(iter(missing_counts)))
                if missing_counts and key_name is None
                else self.fill_value(narrowing.get("items", {}), item_schema)
            )
            item_key = _make_item_key(item, key_name)
            is_new = key_counts[item_key] < most_by_key.get(item_key, 1 if narrowing.get("uniqueItems") else count)
            if is_new and (
                item_key in missing_counts or len(first_items) + len(other_items) + missing_counts.total() < count
            ):
                other_items.append(item)
                key_counts[item_key] += 1
        if needed_counts - key_counts or len(first_items) + len(other_items) < narrowing.get("minItems", 0):
            raise NeverFilled(f"required items are missing from a list: {json.dumps(narrowing)[:300]}")
        self.rng.shuffle(other_items)
        return [*first_items, *other_items]


def _copy_list_limits(schema: Json) -> Json:
    return {name: schema[name] for name in ("maxItems", "uniqueItems") if name in schema and schema[name] != MOST_ITEMS}


def _make_constant_key(contained_schema: Json, key_name: str | None) -> str:
    return _make_key(
        contained_schema["const"] if key_name is None else contained_schema["properties"][key_name]["const"]
    )


def _make_item_key(item: Any, key_name: str | None) -> str:
    return _make_key(item.get(key_name) if key_name is not None and isinstance(item, dict) else item)


def _make_key(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
