"""The description of a mistake in a request: its place, the given and the allowed values, and what was probably
meant.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NotRequired, get_args, get_origin

from pydantic import BaseModel

from ledger.application import parser
from ledger.rules.kernel.json_types import join_pointer
from projections.documents.shape import Document

TOO_LONG = "text-too-long"


class Mistake(Document):
    """A mistake in a request. `pointer`: its place in the body, path or query. `given`: the value that you sent,
    shortened.

    `allowed`: up to 50 allowed values. `did_you_mean`: the closest of them.
    """

    pointer: str
    message: str
    type: str
    given: NotRequired[str | int | float | bool | None]
    allowed: NotRequired[list[str | int | bool | None]]
    did_you_mean: NotRequired[str]


def describe_mistake(mistake: parser.Mistake) -> Mistake:
    """Return a mistake as it is reported. Empty fields are left out."""
    document: Mistake = {"pointer": mistake.pointer, "message": mistake.message, "type": mistake.type}
    if mistake.type != "missing":
        document["given"] = mistake.given
    if mistake.allowed:
        document["allowed"] = list(mistake.allowed)
    if mistake.did_you_mean is not None:
        document["did_you_mean"] = mistake.did_you_mean
    return document


def list_mistakes(errors: Iterable[Mapping[str, Any]], pointer: str = "") -> list[Mistake]:
    """Return the mistakes that pydantic's errors report about the value at `pointer`."""
    return [_make_mistake(pointer + join_pointer(error["loc"]), error) for error in errors]


def list_request_mistakes(errors: Iterable[Mapping[str, Any]], body_type: object = None) -> list[Mistake]:
    """Return the mistakes that pydantic's errors report about a request. `body_type`: the type that lists the known
    fields.

    A pointer into the body starts at the body. Other pointers start with their part of the request (`/query/after`).
    """
    return [
        _make_unknown_field_mistake(body_type, error) or _make_mistake(_make_pointer(error["loc"]), error)
        for error in errors
    ]


def _make_unknown_field_mistake(body_type: object, error: Mapping[str, Any]) -> Mistake | None:
    """Return the mistake for an unknown field, with the known fields. Return None for other errors."""
    request_part, *location = error["loc"]
    if request_part != "body" or error["type"] != "extra_forbidden" or not location:
        return None
    return describe_mistake(
        parser.make_unknown_mistake(
            join_pointer(location), "field", str(location[-1]), _list_field_names(body_type, location[:-1])
        )
    )


def _list_field_names(hint: object, location: Sequence[object]) -> list[str]:
    """Return the names of the fields of the object at this place."""
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        annotation_by_name = {field.alias or name: field.annotation for name, field in hint.model_fields.items()}
        return (
            _list_field_names(annotation_by_name.get(str(location[0])), location[1:])
            if location
            else sorted(annotation_by_name)
        )
    remaining_location = location[1:] if get_origin(hint) is list else location
    return [name for part in get_args(hint) for name in _list_field_names(part, remaining_location)]


def _make_pointer(location: Sequence[object]) -> str:
    return join_pointer(location[1:] if location[0] == "body" else location)


def _make_mistake(pointer: str, error: Mapping[str, Any]) -> Mistake:
    """Return the mistake that an error reports. Most sent values are not repeated, because they may contain a token."""
    kind = str(error["type"])
    if kind == "string_too_long":
        return make_too_long_mistake(pointer, error["ctx"]["max_length"])
    if kind == "literal_error":
        return describe_mistake(
            parser.make_not_among_mistake(pointer, error["input"], _read_words(error["ctx"]["expected"]))
        )
    if kind == "bool_parsing":
        return describe_mistake(parser.make_not_among_mistake(pointer, error["input"], ("true", "false")))
    return {"pointer": pointer, "message": _write_sentence(kind, error), "type": kind}


#: Our message for each kind of pydantic's errors. Pydantic's own messages are for programmers.
SENTENCES: Mapping[str, str] = {
    "missing": "This is missing.",
    "extra_forbidden": "This field is unknown.",
    "string_type": "Enter text.",
    "string_too_short": "Enter at least {min_length} characters.",
    "int_type": "Enter a whole number.",
    "int_parsing": "Enter a whole number.",
    "int_parsing_size": "This number is too large.",
    "int_from_float": "Enter a whole number.",
    "float_type": "Enter a number.",
    "float_parsing": "Enter a number.",
    "bool_type": "Enter true or false.",
    "list_type": "Enter a list.",
    "dict_type": "Enter an object.",
    "model_type": "Enter an object.",
    "model_attributes_type": "Enter an object.",
    "greater_than_equal": "Enter a number of at least {ge}.",
    "greater_than": "Enter a number greater than {gt}.",
    "less_than_equal": "Enter a number of at most {le}.",
    "less_than": "Enter a number less than {lt}.",
    "too_long": "This list can have at most {max_length} items.",
    "too_short": "This list needs at least {min_length} items.",
}
#: The message for each parameter whose values must match a pattern.
FORMS: Mapping[str, str] = {
    "Idempotency-Key": "A key has 1 to 255 visible ASCII characters. Without a seat's token, it must be a UUID.",
    "If-Match": "Enter an ETag in quotation marks, or an asterisk.",
    "Last-Event-ID": "Enter the id of an event, for example 12.3.",
    "after": "Enter the id of the last item before the page you want, for example 12.3.",
    "before": "Enter the id of the first item after the page you want, for example 12.3.",
    "without": "Enter ruling numbers, separated by commas.",
    "dial": "Enter an option and its value: name:value.",
}
OTHERWISE = "This value is not valid."


def _write_sentence(kind: str, error: Mapping[str, Any]) -> str:
    """Return a sentence about the mistake in our own words."""
    if kind == "value_error":
        message = str(error["ctx"]["error"])
        return f"{message[:1].upper()}{message[1:]}{'' if message.endswith('.') else '.'}"
    if kind == "string_pattern_mismatch":
        return next((FORMS[str(name)] for name in reversed(error["loc"]) if str(name) in FORMS), OTHERWISE)
    return SENTENCES.get(kind, OTHERWISE).format(**error.get("ctx", {}))


def _read_words(sentence: str) -> tuple[object, ...]:
    """Return the words in a sentence of pydantic such as `'one', 'two' or 'three'`."""
    *first_words, last_word = sentence.rsplit(" or ", 1)
    return tuple(ast.literal_eval(f"[{', '.join([*first_words, last_word])}]"))


def make_too_long_mistake(pointer: str, most: int) -> Mistake:
    return {"pointer": pointer, "message": f"Enter at most {most} characters.", "type": TOO_LONG}


def make_choice_mistake(pointer: str, message: str, value: str, allowed: Sequence[str]) -> Mistake:
    """Return a mistake with the allowed values and the one that was probably meant."""
    sentence = f"{message} Use one of these: {', '.join(allowed)}."
    mistake: Mistake = {
        "pointer": pointer,
        "message": sentence,
        "type": "enum",
        "given": value,
        "allowed": list(allowed),
    }
    if nearest_value := parser.find_nearest_word(value, allowed):
        mistake["did_you_mean"] = nearest_value
    return mistake
