"""The possible values of a field, written in its type. Forms, parsers and clients read them there.

Examples: `actor: CharacterId`, `title: Annotated[str, Prose(200)]`, `points: Annotated[int, Between(1, 20)]`,
`weapon: Annotated[str, Ref("possession", of="actor")]`. A `Literal`, a `bool`, and lists or records of these need only
their type. Rules do not see these marks, so a rule must still refuse what it does not allow.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from ledger.rules.kernel.json_types import cached_by_identity
from ledger.rules.kernel.subjects import Audience, Subject

#: Types without limits of their own. Marks give their domain.
OPEN = (Any, object)
MOST_TEXT = 4_000  # the most characters of any text
MOST_NAME = 200  # the most characters of a name or a title
MOST_ITEMS = 1_000  # the most items of any list, and names in any object
MOST_WHOLE = 2**53 - 1  # many JSON readers round larger numbers (RFC 7493)


@dataclass(frozen=True, slots=True)
class Ref:
    """A text that names something that exists: a `character`, `seat`, `scene`, `ruling` or `account`, or something of a
    kind that the game defines (`Ruleset.references`). `of`: the field beside it that names the owner.
    """

    to: str
    of: str | None = None


@dataclass(frozen=True, slots=True)
class Cites(Ref):
    """The number of an earlier ruling that stands and recorded facts of all the kinds in `facts` (`kernel.citations`).

    `says`: pairs of a field of the declaration and a field of the facts. A value in the fact must be equal to the value
    declared, unless a game master gives a reason. `once_for`: the field with a character. For each character, the
    ruling can be cited only once. `rule`: the rule that refuses the citation.
    """

    to: str = "ruling"
    facts: tuple[str, ...] = ()
    says: tuple[tuple[str, str], ...] = ()
    once_for: str | None = None
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Prose:
    """A text that a person writes freely, with a maximum length."""

    most: int = MOST_TEXT


@dataclass(frozen=True, slots=True)
class Between:
    """A whole number between two limits, both included. None means no limit but `MOST_WHOLE`.

    `usual`: the likely value, with which a form begins.
    """

    least: int | None = None
    most: int | None = None
    usual: int | None = None


@dataclass(frozen=True, slots=True)
class OneOf:
    """A text that is one of the words in a table of the game."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Says:
    """The title of a field, and one sentence about it."""

    title: str
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Fell:
    """A result that a person enters by hand: the face of a die or, if `die` is false, a card or a coin."""

    die: bool = True


@dataclass(frozen=True, slots=True)
class SeenBy:
    """Marks a field of a state that is not for everybody. `to`: a function of the subject and its state that returns
    who may see the field.
    """

    to: Callable[[Subject, Any], Audience]


Mark: TypeAlias = Ref | Prose | Between | OneOf | Says
CharacterId: TypeAlias = Annotated[str, Ref("character")]
SeatId: TypeAlias = Annotated[str, Ref("seat")]
SceneId: TypeAlias = Annotated[str, Ref("scene")]
AccountName: TypeAlias = Annotated[str, Ref("account")]
#: The text of a reason.
Reason: TypeAlias = Annotated[str, Prose(MOST_TEXT)]
#: A name or a title.
Title: TypeAlias = Annotated[str, Prose(MOST_NAME)]
#: A longer text.
Story: TypeAlias = Annotated[str, Prose(MOST_TEXT)]

#: A sentence for each kind of reference that every game has.
REFERENCES: Mapping[str, str] = {
    "character": "The id of a character in this campaign.",
    "seat": "The id of a seat at this table.",
    "scene": "The id of a scene.",
    "campaign": "The id of a campaign.",
    "account": "An account: its owner, then its unit (`character:12/credit`). Accounts that begin with `bank/` never"
    " run out.",
    "subject": "A subject: `campaign`, `character:<id>`, `scene:<id>` or `seat:<id>`.",
    "field": "A path in the subject's state: a JSON Pointer without its first slash.",
    "dial": "The name of an option of this game.",
    "audience": "`gm`, the id of a seat, or `character:<id>` for its player.",
    "session": "The id of a session.",
    "unit": "The unit of an account.",
    "fact": "A fact, by its ruling and step: `147.3`.",
    "system": "The name of a game.",
    "dial-value": "A value that the option allows.",
    "field-value": "A value of the same type as the current one.",
}


_marked: dict[type, Mapping[str, object]] = {}


def load_marked_hints(cls: type[object]) -> Mapping[str, object]:
    """Return the types of a dataclass's fields with their marks."""
    hints = _marked.get(cls)
    if hints is None:
        hints = _marked[cls] = get_type_hints(cls, include_extras=True)
    return hints


def split_marks(hint: object) -> tuple[object, tuple[Mark, ...]]:
    """Return a type without its marks, and the marks."""
    if get_origin(hint) is Annotated:
        plain_type, *marks = get_args(hint)
        return plain_type, tuple(mark for mark in marks if isinstance(mark, Mark))
    return hint, ()


@cached_by_identity
def open_hint(hint: Any) -> tuple[Any, tuple[Mark, ...], object, tuple[Any, ...]]:
    """Return a type without its marks, the marks, the origin of the type, and its parts."""
    plain_type, marks = split_marks(hint)
    return plain_type, marks, get_origin(plain_type), get_args(plain_type)


def describe_reference(mark: Ref, references: Mapping[str, str]) -> str:
    """Return the sentence that says what a reference refers to: the game's own, or else the kernel's."""
    return references.get(mark.to) or REFERENCES.get(mark.to, "")


def list_fields_without_domain(cls: type) -> Iterator[str]:
    """Yield the fields of a record whose possible values are not known, each with the reason: `Heal.cast[]: a bare
    text`.
    """
    for field in dataclasses.fields(cls):
        for fault in _list_missing_domains(load_marked_hints(cls)[field.name]):
            yield f"{cls.__name__}.{field.name}{fault}"


def _list_missing_domains(hint: object, marks: tuple[Mark, ...] = ()) -> Iterator[str]:
    plain_type, own_marks = split_marks(hint)
    marks = (*marks, *own_marks)
    origin, parts = get_origin(plain_type), get_args(plain_type)
    if plain_type in OPEN or isinstance(plain_type, TypeVar):
        if not any(isinstance(mark, Ref | Prose | Between | OneOf) for mark in marks):
            yield ": untyped"
    elif plain_type is str:
        if not any(isinstance(mark, Ref | Prose | OneOf) for mark in marks):
            yield ": a bare text"
    elif plain_type is int:
        if not any(isinstance(mark, Ref | Between) for mark in marks):
            yield ": a number without limits"
    elif origin in (Union, types.UnionType):
        for part in parts:
            yield from _list_missing_domains(part, marks)
    elif origin is tuple:
        for part in parts:
            if part is not Ellipsis:
                yield from (f"[]{fault}" for fault in _list_missing_domains(part, marks))
    elif origin is frozenset or (isinstance(origin, type) and issubclass(origin, Mapping)):
        for part in parts:
            yield from (f"{{}}{fault}" for fault in _list_missing_domains(part, ()))
    elif dataclasses.is_dataclass(plain_type) and isinstance(plain_type, type):
        yield from (f".{fault}" for fault in list_fields_without_domain(plain_type))
    elif origin is not Literal and plain_type not in (bool, type(None)):
        yield f": {plain_type!r}"
