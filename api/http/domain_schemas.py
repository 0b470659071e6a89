"""The allowed values of fields in JSON Schema: `enum`, `minimum`, `maximum`, `maxLength`, `x-ref`."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import Field
from pydantic.config import JsonDict
from pydantic.fields import FieldInfo

from ledger.rules.kernel.domains import (
    MOST_WHOLE,
    OPEN,
    Between,
    Mark,
    OneOf,
    Prose,
    Ref,
    Says,
    describe_reference,
    split_marks,
)


def make_field_type(hint: object, marks: Sequence[Mark], references: Mapping[str, str], *, is_limited: bool) -> Any:
    """Return the type of a form's field. `is_limited`: include the limits on what can be sent, which older records may
    exceed.
    """
    hint, own_marks = split_marks(hint)
    marks = (*own_marks, *marks)
    if get_origin(hint) in (Union, types.UnionType):
        parts = (make_field_type(part, marks, references, is_limited=is_limited) for part in get_args(hint))
        return Union[tuple(parts)]  # noqa: UP007  (built at run time)
    if hint is type(None):
        return hint
    for mark in marks:
        if isinstance(mark, OneOf):
            hint = Literal[mark.words]
        elif isinstance(mark, Between) and hint in OPEN:
            hint = int
        elif isinstance(mark, Prose) and hint in OPEN:
            hint = str
    return describe_type(hint, marks, references, is_limited=is_limited)


def describe_type(hint: object, marks: Sequence[Mark], references: Mapping[str, str], *, is_limited: bool) -> Any:
    """Return the type with its limits, title and description. The types within a list or a record stay the same."""
    outermost_title = _find_outermost_says(marks)
    shown_marks = (
        mark
        for mark in marks
        if not isinstance(mark, OneOf) and (mark is outermost_title or not isinstance(mark, Says))
    )
    fields = [_make_field(mark, references, is_limited) for mark in shown_marks]
    return Annotated[(hint, *fields)] if fields else hint


def _make_field(mark: Ref | Prose | Between | Says, references: Mapping[str, str], is_limited: bool) -> FieldInfo:
    field: FieldInfo
    match mark:
        case Prose(most=most):
            field = Field(max_length=most if is_limited else None)
        case Between(least=least, most=most):
            bounds = (-MOST_WHOLE if least is None else least, MOST_WHOLE if most is None else most)
            field = Field(ge=bounds[0] if is_limited else None, le=bounds[1] if is_limited else None)
        case Ref(to=to, of=of):
            extra: JsonDict = {"x-ref": {"to": to} if of is None else {"to": to, "of": of}}
            field = Field(json_schema_extra=extra, description=describe_reference(mark, references) or None)
        case Says(title=title, sentence=sentence):
            field = Field(title=title, description=sentence or None)
    return field


def describe_integer(is_limited: bool) -> object:
    """Return the type of an integer with no limits of its own."""
    return Annotated[int, _make_field(Between(), {}, is_limited)]


def find_title(name: str, hint: object) -> str:
    """Return the title of a field: the declared one, or its name with spaces."""
    description = _find_description(hint)
    return description.title if description else name.replace("_", " ").capitalize()


def find_sentence(hint: object) -> str:
    """Return the description of a field, without its title."""
    description = _find_description(hint)
    return description.sentence if description else ""


def _find_outermost_says(marks: Sequence[Mark]) -> Says | None:
    """Return the outermost `Says`, which describes the field itself."""
    return next((mark for mark in reversed(marks) if isinstance(mark, Says)), None)


def _find_description(hint: object) -> Says | None:
    """Return the description of the whole type, or the first description among the members of a union."""
    plain_hint, marks = split_marks(hint)
    description = _find_outermost_says(marks)
    if description is None and get_origin(plain_hint) in (Union, types.UnionType):
        return next(filter(None, map(_find_description, get_args(plain_hint))), None)
    return description
