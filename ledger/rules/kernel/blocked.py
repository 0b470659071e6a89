"""What a seat may declare and cannot just now, and the refusal that says why. Pure.

A representative is tried on what the viewer sees. So only in a game without secrets: in another the very refusal could
tell one, and what cannot be done is named without a reason.
"""

from __future__ import annotations

import dataclasses
import types
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product
from typing import Literal, Union, get_args, get_origin

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

    do: type[object]
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


def _may(seen: Seen, do: type[object]) -> bool:
    """Whether the seat ever could."""
    who = declared_by(do).who
    mine = bool(seen.seat.characters)
    return {"anyone": True, "seat": True, "gm": seen.decides, "owner": mine, "either": mine or seen.decides}[who]


def _why(ruleset: AnyRuleset, seen: Seen, do: type[object]) -> Blocked:
    """The refusal that most of the representatives get: what is wrong with one of them need not be with all."""
    if ruleset.secrets:
        return Blocked(do)
    found: list[Blocked] = []
    try:
        for tried in islice(_representatives(seen, do), TRIES):
            try:
                table = seen.table
                if may_declare(tried, table, seen.decides, seen.roster) is not False:
                    Conversation(ruleset, table, ruleset.meant(table, tried))
                    return Blocked(do)
            except Refused as no:
                found.append(Blocked(do, no, tried))
    except Unsayable:
        return Blocked(do)
    counts = Counter(one.refusal.code for one in found if one.refusal is not None)
    return max(found, key=lambda one: counts[one.refusal.code] if one.refusal else 0, default=Blocked(do))


def _representatives(seen: Seen, do: type) -> Iterator[object]:
    """With the seat's own characters first, each word a field can be; everything else at its default, or the first."""
    whose = declared_by(do).field
    mine = [id for id in seen.characters if id in seen.seat.characters] or list(seen.characters)
    some: list[str | None] = [*(mine if whose is not None else mine[:1])]
    for own in some or [None]:
        said: dict[str, list[object]] = {}
        for one in dataclasses.fields(do):
            hint = marked_hints(do)[one.name]
            if one.name == whose and own is not None:
                said[one.name] = [seen.seat.seat if declared_by(do).who == "seat" else own]
            elif _is_prose(hint):
                said[one.name] = [TEXT]
            elif one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING:
                said[one.name] = _words(hint) or [_first(seen, hint, own)]
        for values in product(*said.values()):
            yield do(**dict(zip(said, values, strict=True)))


def _is_prose(hint: object) -> bool:
    _, marks = marks_of(hint)
    return any(isinstance(one, Prose) for one in marks) and not any(isinstance(one, Ref) for one in marks)


def _words(hint: object) -> list[object]:
    """Where the type lists them."""
    plain, marks = marks_of(hint)
    listed: list[object] = [word for one in marks if isinstance(one, OneOf) for word in one.words]
    return listed or (list(get_args(plain)) if get_origin(plain) is Literal else [])


def _first(seen: Seen, hint: object, own: str | None) -> object:
    """The first that can be said, as far as the type knows. Unsayable where the kernel cannot name what it means."""
    plain, marks = marks_of(hint)
    if words := _words(hint):
        return words[0]
    for mark in marks:
        match mark:
            case Ref(to=to):
                return _named(seen, to, own)
            case Between(least=least, most=most):
                return least if least is not None else min(most or 0, 0)
            case Prose():
                return TEXT
    origin, parts = get_origin(plain), get_args(plain)
    if origin in (Union, types.UnionType):
        return None if type(None) in parts else _first(seen, parts[0], own)
    if origin is tuple and parts[1:] == (Ellipsis,):
        return tuple(seen.characters) if _of_characters(parts[0]) else (_first(seen, parts[0], own),)
    if dataclasses.is_dataclass(plain) and isinstance(plain, type):
        hints = marked_hints(plain)
        return plain(**{one.name: _first(seen, hints[one.name], own) for one in dataclasses.fields(plain)})
    if plain is bool:
        return False
    raise Unsayable


def _of_characters(hint: object) -> bool:
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
