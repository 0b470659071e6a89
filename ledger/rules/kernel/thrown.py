"""Dice that people entered with a declaration or a choice: their owners, and the fields that contain them.

A die belongs to the character or seat that rolls it, however it was entered. A question names the owner of its dice
(`questions`). For dice in a declaration, the game finds the owner (`Ruleset.thrown`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Protocol, Union, get_args, get_origin

from ledger.rules.kernel.contract import About
from ledger.rules.kernel.domains import Fell, load_marked_hints
from ledger.rules.kernel.frozen import changed, quick
from ledger.rules.kernel.moves import Domain, Either, Open, Row, Shape, Some, index_optional_domains
from ledger.rules.kernel.subjects import Audience, Subject


@quick
@dataclass(frozen=True, slots=True)
class Thrown:
    """Dice of one kind. `who`: the character or seat that rolled them. None means the declaring seat.

    `audience`: the audience of the fact that contains them.
    """

    who: Subject | None
    sides: int
    faces: tuple[int, ...]
    audience: Audience = None


class RecordedFacts(Protocol):
    """A recorded ruling, with access to the rulings before it."""

    @property
    def number(self) -> int: ...

    @property
    def facts(self) -> Sequence[About[Any]]:
        """Return the facts of the ruling, in order."""

    def list_earlier_facts(self, number: int) -> Sequence[About[Any]]:
        """Return the facts of another ruling as it stood when this one was made."""

    def list_numbers_since(self, number: int) -> Iterable[int]:
        """Return the numbers of the rulings in play from ruling `number` to just before this one, the latest first."""


def list_making_facts(recorded: RecordedFacts, id: str) -> Sequence[About[Any]]:
    """Return the facts of the ruling that made this id (`147`, `147-2`)."""
    number_text = id.partition("-")[0]
    number = int(number_text) if number_text.isdecimal() else 0
    return recorded.facts if number == recorded.number else recorded.list_earlier_facts(number)


def list_typed_faces(do: object) -> list[int]:
    """Return every face in a declaration or choice, in the order of its fields."""
    return [value for value, mark in _list_fallen_values(do) if mark.die and type(value) is int]


def contains_dice(do: object) -> bool:
    """Return whether a declaration or choice contains dice, cards or coins that a person entered."""
    return next(_list_fallen_values(do), None) is not None


def can_bring_dice(kind: type[object]) -> bool:
    """Return whether declarations or choices of a kind have fields for entered dice, cards or coins."""
    return any(_has_room_for_dice(hint) for hint in load_marked_hints(kind).values())


def _has_room_for_dice(hint: Any) -> bool:
    if isinstance(hint, Fell):
        return True
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return can_bring_dice(hint)
    return any(map(_has_room_for_dice, get_args(hint)))


def drop_dice_fields(do_class: type[object], fields: Mapping[str, Domain]) -> Mapping[str, Domain]:
    """Return the domains of a move's or shape's fields if nobody enters dice."""
    hints, optional_domains = load_marked_hints(do_class), index_optional_domains(do_class)
    domains: dict[str, Domain] = {}
    for name, domain in fields.items():
        hint = hints.get(name)
        if hint is None or not _has_room_for_dice(hint):
            domains[name] = domain
        elif name in optional_domains and (isinstance(domain, Open) or _is_fallen_value(hint)):
            domains[name] = optional_domains[name]
        else:
            domains[name] = _strip_dice(domain)
    return domains


def _is_fallen_value(hint: Any) -> bool:
    """Return whether the type itself is an entered face, card or coin."""
    return isinstance(hint, Fell) or any(map(_is_fallen_value, get_args(hint)))


def _strip_dice(domain: Domain) -> Domain:
    match domain:
        case Shape(do=do, fields=fields):
            return changed(domain, fields=drop_dice_fields(do, fields))
        case Some(items=items):
            return changed(domain, items=_strip_dice(items))
        case Row(items=parts):
            return Row(tuple(map(_strip_dice, parts)))
        case Either(parts=parts):
            return Either(tuple(map(_strip_dice, parts)))
    return domain


def _list_fallen_values(do: object) -> Iterator[tuple[object, Fell]]:
    for field in dataclasses.fields(do):  # type: ignore[arg-type]
        yield from _list_fallen_in_value(getattr(do, field.name), load_marked_hints(type(do))[field.name])


def _list_fallen_in_value(value: object, hint: Any) -> Iterator[tuple[object, Fell]]:
    origin, parts = get_origin(hint), get_args(hint)
    if value is None:
        return
    if origin is Annotated:
        mark = next((mark for mark in parts[1:] if isinstance(mark, Fell)), None)
        yield from [(value, mark)] if mark is not None else _list_fallen_in_value(value, parts[0])
    elif origin in (Union, UnionType):
        for part in parts:
            yield from _list_fallen_in_value(value, part)
    elif dataclasses.is_dataclass(hint) and isinstance(value, hint):  # type: ignore[arg-type]
        yield from _list_fallen_values(value)
    elif isinstance(value, Mapping) and len(parts) == 2:
        for item in value.values():
            yield from _list_fallen_in_value(item, parts[1])
    elif isinstance(value, tuple | list) and parts:
        for item in value:
            yield from _list_fallen_in_value(item, parts[0])
