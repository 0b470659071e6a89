"""Strict JSON within limits, so that one body cannot delay other requests.

Text that JSON readers understand differently is refused: duplicate names, NaN, very large numbers, lone surrogates.
Size and depth are checked before parsing.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Any, NoReturn

from api.http.mistakes import TOO_LONG, make_too_long_mistake
from api.http.problem_kinds import MALFORMED
from api.http.problems import BadRequest
from ledger.rules.kernel.domains import MOST_ITEMS, MOST_TEXT, MOST_WHOLE
from ledger.rules.kernel.json_types import join_pointer

SMALL = 4_000  # bytes: handing a smaller body to another thread takes longer than parsing it
MOST_DEEP = 32
MOST_PARTS = 20_000  # brackets, commas and quotation marks
MOST_ESCAPES = 40_000  # in texts: an escape is slower to read than any other character
MOST_NAMES = MOST_ITEMS  # in one object; a list in a form can have as many items

#: Every byte except brackets, commas and quotation marks.
UNMARKED = bytes(set(range(256)) - set(b'"[]{},'))
TEXT = re.compile(rb'"[^"]*(?:"|$)')
#: How each byte changes the depth.
STEPS = [(byte in b"[{") - (byte in b"]}") for byte in range(256)]


def parse(body: bytes) -> object:
    """Return the JSON value. Raise BadRequest for a body beyond the limits, and for text that JSON readers understand
    differently.
    """
    _must_have_few_parts(body)
    try:
        value = _decode(body)
    except UnicodeDecodeError:
        raise _make_bad_request("not-utf-8", "The body is not UTF-8.") from None
    except json.JSONDecodeError as error:
        location = f"line {error.lineno}, column {error.colno}"
        raise _make_bad_request("not-json", f"The body is not JSON ({location}).") from None
    except ValueError:  # an integer of thousands of digits
        raise _make_out_of_range_error() from None
    if _has_too_long_text(value):
        mistakes = [make_too_long_mistake(pointer, MOST_TEXT) for pointer in _find_too_long_texts(value, "")]
        raise BadRequest(MALFORMED, TOO_LONG, f"A string can have at most {MOST_TEXT} characters.", mistakes)
    return value


def _decode(body: bytes) -> object:
    return json.loads(body.decode(), object_pairs_hook=_make_object, parse_constant=_refuse_constant)


def _make_bad_request(code: str, detail: str) -> BadRequest:
    return BadRequest(MALFORMED, code, detail)


def _must_have_few_parts(body: bytes) -> None:
    """Refuse text that is nested too deep or has too many parts. The check blocks other threads only briefly."""
    escape_count = body.count(b"\\")
    if escape_count > MOST_ESCAPES:
        raise _make_bad_request("too-many-parts", f"The body has more than {MOST_ESCAPES} escape sequences.")
    plain_body = body.replace(b"\\\\", b"").replace(b'\\"', b"") if escape_count else body
    marks = plain_body.translate(None, UNMARKED)
    brackets = TEXT.sub(b"", marks[: MOST_PARTS + 1])
    if max(accumulate(map(STEPS.__getitem__, brackets)), default=0) > MOST_DEEP:
        raise _make_bad_request("too-deep", f"The body is nested deeper than {MOST_DEEP} levels.")
    if len(marks) + (len(body) - len(plain_body)) // 2 > MOST_PARTS:
        raise _make_bad_request(
            "too-many-parts", f"The body has more than {MOST_PARTS} brackets, commas and quotation marks."
        )


def _make_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) > MOST_NAMES:
        raise _make_bad_request("too-many-parts", f"An object in the body has more than {MOST_NAMES} fields.")
    if len(fields) != len(pairs):
        raise _make_bad_request("duplicate-name", "An object in the body has two fields with the same name.")
    return fields


def _refuse_constant(name: str) -> NoReturn:
    raise _make_bad_request("not-json", f"{name} is not JSON.")


def _make_out_of_range_error() -> BadRequest:
    return _make_bad_request(
        "out-of-range", f"A number in the body is out of range. Whole numbers can be at most ±{MOST_WHOLE}."
    )


def _has_too_long_text(value: Any) -> bool:
    """Return whether a text in the value is too long. Raise BadRequest for numbers and characters that some readers
    refuse.
    """
    value_class = type(value)
    if value_class is str:
        return _is_text_too_long(value)
    if (value_class is int and abs(value) > MOST_WHOLE) or (value_class is float and not math.isfinite(value)):
        raise _make_out_of_range_error()
    is_too_long = False
    if value_class is dict:
        for name, part in value.items():
            is_too_long |= _is_text_too_long(name) | _has_too_long_text(part)
    elif value_class is list:
        for part in value:
            is_too_long |= _has_too_long_text(part)
    return is_too_long


def _is_text_too_long(text: str) -> bool:
    if "\0" in text:
        raise _make_bad_request("nul-character", "A string in the body contains a NUL character.")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise _make_bad_request(
                "half-character", "A string in the body contains an incomplete surrogate pair."
            ) from None
    return len(text) > MOST_TEXT


def _find_too_long_texts(value: object, pointer: str) -> Iterator[str]:
    """Yield a pointer to each text that is too long. For a name, yield the pointer of its value."""
    if isinstance(value, str):
        if len(value) > MOST_TEXT:
            yield pointer
    elif isinstance(value, dict):
        for name, part in value.items():
            field_pointer = pointer + join_pointer([name])
            if len(name) > MOST_TEXT:
                yield field_pointer
            else:
                yield from _find_too_long_texts(part, field_pointer)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _find_too_long_texts(part, f"{pointer}/{index}")
