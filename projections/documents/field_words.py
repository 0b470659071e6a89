"""Describe the possible values of a field for people, from its JSON Schema."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ledger.rules.kernel.domains import MOST_WHOLE

Schema = Mapping[str, Any]
#: Matches a docstring's sentence about one field (`name`: what it means).
EXPLAINED = re.compile(r"(?:^|(?<=[.;] ))`(\w+)`: ((?:`[^`]*`|[^`.;]|\.(?=\S))+)")
#: A hint that only forms need.
GIVEN = re.compile(r"(?:^|,? )(?:usually|nearly always|often) given$")
#: Matches an explanation that makes no sense on its own, or that only lists words.
DEPENDENT = re.compile(
    r"(a, |leave|the same|as for|as in|you can|if you|name ->|[\w-]+, [\w-]+(, | or ))", re.IGNORECASE
)
#: Lists of up to this many words are written where they are used.
LONG = 8


class FieldWords(NamedTuple):
    """A field in words. `name`: its name in a request, such as `vows[].object` within a list. `default`: None if the
    field is required.
    """

    name: str
    title: str
    about: str
    says: str
    default: str | None


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Long lists of words that several fields share, each under the name of the field that uses it most."""

    list_names: Mapping[tuple[str, ...], str] = field(default_factory=dict)

    @classmethod
    def collect(cls, schemas: Iterable[Schema]) -> Vocabulary:
        """Return the vocabulary of all declarations with these schemas."""
        counters: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for schema in schemas:
            for record in (schema, *schema.get("$defs", {}).values()):
                for name, field_schema in record.get("properties", {}).items():
                    for words in _list_word_lists(field_schema):
                        counters[words][name.replace("_", " ")] += 1
        list_names: dict[tuple[str, ...], str] = {}
        for words, name_counter in counters.items():
            name = next((name for name, _ in name_counter.most_common() if name not in list_names.values()), "")
            if name and name_counter.total() > 1:
                list_names[words] = name
        return cls(list_names)


def _list_word_lists(schema_part: object) -> Iterator[tuple[str, ...]]:
    """Yield the long lists of words within a schema."""
    if isinstance(schema_part, Mapping):
        if len(schema_part.get("enum", ())) > LONG:
            yield tuple(str(word) for word in schema_part["enum"])
        for inner_part in schema_part.values():
            yield from _list_word_lists(inner_part)
    elif isinstance(schema_part, list):
        for inner_part in schema_part:
            yield from _list_word_lists(inner_part)


def put_fields_in_words(schema: Schema, vocabulary: Vocabulary) -> list[FieldWords]:
    """Describe the fields of a record and of the records within it, except `kind`."""
    return list(_Reading(schema.get("$defs", {}), vocabulary).list_fields(schema, ""))


@dataclass(frozen=True, slots=True)
class _Reading:
    """Describes the fields of one schema. `definitions`: the records that the schema refers to."""

    definitions: Schema
    vocabulary: Vocabulary

    def list_fields(self, schema: Schema, prefix: str) -> Iterator[FieldWords]:
        required_names, explanations = schema.get("required", []), _find_explanations(schema.get("description", ""))
        for name, field_schema in schema.get("properties", {}).items():
            if name == "kind" and "const" in field_schema:
                continue
            resolved_schema = self._resolve(field_schema)
            own_description = "" if "properties" in resolved_schema else resolved_schema.get("description", "")
            title, default = field_schema.get("title") or resolved_schema.get("title", ""), field_schema.get("default")
            label, values_text = (
                "" if title.casefold() == name.replace("_", " ") else title,
                self.describe_values(field_schema),
            )
            explanation = "" if label else explanations.get(name, "")
            meaning = field_schema.get("description") or explanation or own_description
            yield FieldWords(
                prefix + name,
                label,
                "" if "`" in meaning and "`" in values_text and meaning == explanation else meaning,
                values_text,
                None if name in required_names else "" if default in (None, "", [], {}) else _describe_value(default),
            )
            for record, inner_prefix in self._find_records(resolved_schema, prefix + name):
                yield from self.list_fields(record, inner_prefix)

    def _resolve(self, schema: Schema) -> Schema:
        """Follow a reference. If only one option is left beside null, return that option."""
        if "$ref" in schema:
            record: Schema = self.definitions[schema["$ref"].rpartition("/")[2]]
            return record
        options = [option for option in schema.get("anyOf", ()) if option.get("type") != "null"]
        return self._resolve(options[0]) if len(options) == 1 else schema

    def _find_records(self, schema: Schema, field_path: str) -> Iterator[tuple[Schema, str]]:
        """Yield the records in a field, each with the path to it."""
        schema = self._resolve(schema)
        if "properties" in schema:
            yield schema, f"{field_path}."
        elif isinstance(schema.get("items"), Mapping):
            yield from self._find_records(schema["items"], f"{field_path}[]")
        elif isinstance(schema.get("additionalProperties"), Mapping):
            yield from self._find_records(schema["additionalProperties"], f"{field_path}.…")
        for option in schema.get("anyOf", ()):
            yield from self._find_records(option, field_path)

    def describe_values(self, schema: Schema) -> str:
        """Return a description of a field's possible values: words, numbers with limits, or the kind of id."""
        resolved_schema = self._resolve(schema)
        if "anyOf" in resolved_schema:
            return _join_with_or(
                [self.describe_values(option) for option in resolved_schema["anyOf"] if option.get("type") != "null"]
            )
        if "enum" in resolved_schema:
            return self._describe_words([str(word) for word in resolved_schema["enum"]])
        if "const" in resolved_schema:
            return _describe_value(resolved_schema["const"])
        match resolved_schema.get("type"):
            case "boolean":
                return "`true` or `false`"
            case "integer" | "number":
                return _describe_number(resolved_schema)
            case "string":
                return _describe_string(resolved_schema)
            case "array":
                return self._describe_list(resolved_schema)
            case "object":
                return self._describe_object(resolved_schema)
        return "a value of any type"

    def _describe_words(self, words: Sequence[str]) -> str:
        name = self.vocabulary.list_names.get(tuple(words))
        return (
            _join_with_or([_describe_value(word) for word in words])
            if name is None
            else f"[{name}](#words-{name.replace(' ', '-')})"
        )

    def _describe_list(self, schema: Schema) -> str:
        if "prefixItems" in schema:
            return f"a list: {'; '.join(self.describe_values(items_schema) for items_schema in schema['prefixItems'])}"
        items_schema = schema.get("items", {})
        item_schema = self._resolve(items_schema)
        words = tuple(str(word) for word in item_schema.get("enum", ()))
        plural = _name_several(item_schema, self.describe_values(items_schema), self.vocabulary.list_names.get(words))
        return f"a list of {plural}" if plural else f"a list, each entry: {self.describe_values(items_schema)}"

    def _describe_object(self, schema: Schema) -> str:
        value_schema = schema.get("additionalProperties")
        if "properties" in schema or not isinstance(value_schema, Mapping):
            return "a record"
        name_schema = schema.get("propertyNames", {})
        name_text = (
            self.describe_values({**name_schema, "type": "string"})
            if {"enum", "x-ref"} & name_schema.keys()
            else "name"
        )
        return f"for each {name_text}: {self.describe_values(value_schema)}"


def _find_explanations(prose: str) -> dict[str, str]:
    """Return the docstring's sentence about each field, without sentences that make no sense alone."""
    explanations: dict[str, str] = {}
    for name, meaning in EXPLAINED.findall(" ".join(prose.split())):
        plain_meaning = GIVEN.sub("", meaning)
        if plain_meaning and not DEPENDENT.match(plain_meaning):
            explanations[name] = f"{plain_meaning[0].upper()}{plain_meaning[1:]}."
    return explanations


def _name_several(schema: Schema, description: str, list_name: str | None) -> str:
    """Return the plural of this type in words, or an empty text if it has none."""
    if "anyOf" in schema:
        return ""
    if list_name is not None:
        return f"words from {description}"
    if "properties" in schema:
        return "records"
    if "x-ref" in schema:
        return description.replace("](", "s](", 1)
    match schema.get("type"):
        case "integer" | "number":
            return description.replace("a whole number", "whole numbers", 1)
        case "string" if "enum" not in schema:
            return description.replace("text", "texts", 1).replace("up to", "each up to")
        case "array":
            return description.replace("a list", "lists", 1)
    return ""


def _describe_number(schema: Schema) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    has_bounds = (least is not None and least > -MOST_WHOLE, most is not None and most < MOST_WHOLE)
    return {
        (True, True): f"a whole number ({least} to {most})" if least != most else f"{least}",
        (True, False): f"a whole number ({least} or more)",
        (False, True): f"a whole number ({most} or less)",
        (False, False): "a whole number",
    }[has_bounds]


def _describe_string(schema: Schema) -> str:
    if "x-ref" in schema:
        target, owner = schema["x-ref"]["to"], schema["x-ref"].get("of")
        return f"[{target.replace('-', ' ')}](#of-{target})" + (f" of `{owner}`" if owner else "")
    return f"text, up to {schema['maxLength']} characters" if "maxLength" in schema else "text"


def _describe_value(value: object) -> str:
    return f"`{json.dumps(value, ensure_ascii=False)}`" if not isinstance(value, str) or not value else f"`{value}`"


def _join_with_or(texts: Sequence[str]) -> str:
    *first_texts, last_text = list(dict.fromkeys(texts)) or [""]
    comma = "," if any(" or " in text for text in texts) else ""
    return f"{', '.join(first_texts)}{comma} or {last_text}" if first_texts else last_text
