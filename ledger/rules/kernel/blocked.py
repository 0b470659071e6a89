"""What a seat may declare and cannot just now, and the refusal that says why. Pure.

A representative is tried on what the viewer sees. So only in a game without secrets: in another the very refusal could
tell one, and what cannot be done is named without a reason.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Union, get_args, get_origin

from ledger.rules.kernel import commands
from ledger.rules.kernel.adjudication import Conversation
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.declarations import declared_by
from ledger.rules.kernel.declarers import may_declare
from ledger.rules.kernel.domains import Between, OneOf, Prose, Ref, marked_hints, marks_of
from ledger.rules.kernel.offers import BY_TYPE, offered
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen

TRIES = 12  # of one kind
TEXT = "..."


@dataclass(frozen=True, slots=True)
class Blocked:
    """An input that is refused however it is said. `refusal`: of a representative `tried`; None: not to be told."""

    do: type[Any]
    refusal: Refused | None = None
    tried: object = None


class Unsayable(Exception):
    """There is nothing a field could refer to."""


def blocked(ruleset: AnyRuleset, seen: Seen) -> list[Blocked]:
    """The inputs of the game and of every table that the seat may declare and is not offered, in their order."""
    if ruleset.moves is None or seen.seat.role == "observer":
        return []
    there = {offer.move.do for offer in offered(ruleset, seen)}
    kinds = [one for one in (*ruleset.inputs, *commands.INPUTS) if one not in there and one not in BY_TYPE]
    return [_why(ruleset, seen, one) for one in kinds if _may(seen, one)]


def _may(seen: Seen, do: type[Any]) -> bool:
    """Whether the seat ever could."""
    who = declared_by(do).who
    mine = bool(seen.seat.characters)
    return {"anyone": True, "seat": True, "gm": seen.decides, "owner": mine, "either": mine or seen.decides}[who]


def _why(ruleset: AnyRuleset, seen: Seen, do: type[Any]) -> Blocked:
    if ruleset.secrets:
        return Blocked(do)
    found: Blocked | None = None
    try:
        for tried in _representatives(seen, do):
            try:
                table = seen.table
                if may_declare(tried, table, seen.decides, seen.roster) is False:
                    continue
                Conversation(ruleset, table, ruleset.meant(table, tried))
                return Blocked(do)
            except Refused as no:
                found = found or Blocked(do, no, tried)
    except Unsayable:
        return Blocked(do)
    return found or Blocked(do)


def _representatives(seen: Seen, do: type[Any]) -> Iterator[object]:
    """With the seat's own characters first, everything else at its default or the first that can be said."""
    whose = declared_by(do).field
    mine = [id for id in seen.characters if id in seen.seat.characters] or list(seen.characters)
    some: list[str | None] = [*(mine if whose is not None else mine[:1])[:TRIES]]
    for own in some or [None]:
        said = {}
        for one in dataclasses.fields(do):
            if one.name == whose and own is not None:
                said[one.name] = seen.seat.seat if declared_by(do).who == "seat" else own
            elif one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING:
                said[one.name] = _first(seen, marked_hints(do)[one.name], own)
        yield do(**said)


def _first(seen: Seen, hint: Any, own: str | None) -> Any:
    """The first that can be said, as far as the type knows. Unsayable where the kernel cannot name what it means."""
    plain, marks = marks_of(hint)
    for mark in marks:
        match mark:
            case Ref(to=to):
                return _named(seen, to, own)
            case OneOf(words=words):
                return words[0]
            case Between(least=least, most=most):
                return least if least is not None else min(most or 0, 0)
            case Prose():
                return TEXT
    origin, parts = get_origin(plain), get_args(plain)
    if origin is Literal:
        return parts[0]
    if origin in (Union, types.UnionType):
        return None if type(None) in parts else _first(seen, parts[0], own)
    if origin is tuple and parts[1:] == (Ellipsis,):
        return tuple(seen.characters) if _of_characters(parts[0]) else (_first(seen, parts[0], own),)
    if dataclasses.is_dataclass(plain) and isinstance(plain, type):
        return plain(
            **{one.name: _first(seen, marked_hints(plain)[one.name], own) for one in dataclasses.fields(plain)}
        )
    if plain is bool:
        return False
    raise Unsayable


def _of_characters(hint: Any) -> bool:
    return Ref("character") in marks_of(hint)[1]


def _named(seen: Seen, to: str, own: str | None) -> str:
    among = {
        "character": [id for id in seen.characters if id != own] or list(seen.characters),
        "scene": list(seen.scenes),
        "seat": list(seen.seats),
        "session": [seen.session] if seen.session is not None else [],
    }.get(to, [])
    if not among:
        raise Unsayable
    return among[0]
