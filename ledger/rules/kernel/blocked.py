"""List the declarations that a seat may make in general but not now, each with a refusal.

The refusal comes from trying examples. In a game with secrets it is left out, because it could reveal a secret.
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
from ledger.rules.kernel.declarations import find_declarer
from ledger.rules.kernel.declarers import may_declare
from ledger.rules.kernel.domains import Between, OneOf, Prose, Ref, load_marked_hints, split_marks
from ledger.rules.kernel.offers import BY_TYPE, list_offers
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen

TRIES = 12  # the most examples of one declaration
TEXT = "..."


@dataclass(frozen=True, slots=True)
class Blocked:
    """A declaration that is not offered. `refusal`: the most frequent refusal of its examples. `tried`: an example with
    this refusal.

    Both are None if an example is allowed, if no example can be made, or if the game has secrets.
    """

    do: type[object]
    refusal: Refused | None = None
    tried: object = None


class Unsayable(Exception):
    """There is nothing that a field could refer to."""


def list_blocked_declarations(ruleset: AnyRuleset, seen: Seen) -> list[Blocked]:
    """Return the declarations that the seat may make in general but is not offered now, in the order of the ruleset."""
    if ruleset.moves is None or seen.seat.role == "observer":
        return []
    offered_types = {offer.move.do for offer in list_offers(ruleset, seen)}
    do_classes = [
        do_class
        for do_class in (*ruleset.inputs, *commands.INPUTS)
        if do_class not in offered_types and do_class not in BY_TYPE
    ]
    return [
        _find_usual_refusal(ruleset, seen, do_class) for do_class in do_classes if _could_ever_declare(seen, do_class)
    ]


def _could_ever_declare(seen: Seen, do_class: type[object]) -> bool:
    """Return whether the seat could ever make a declaration of this class."""
    who = find_declarer(do_class).who
    has_characters = bool(seen.seat.characters)
    return {
        "anyone": True,
        "seat": True,
        "gm": seen.decides,
        "owner": has_characters,
        "either": has_characters or seen.decides,
    }[who]


def _find_usual_refusal(ruleset: AnyRuleset, seen: Seen, do_class: type[object]) -> Blocked:
    """Return the most frequent refusal of the examples, because one example may be refused for a special reason."""
    if ruleset.secrets:
        return Blocked(do_class)
    attempts: list[Blocked] = []
    try:
        for example in islice(_list_examples(seen, do_class), TRIES):
            try:
                table = seen.table
                if may_declare(example, table, seen.decides, seen.roster) is not False:
                    Conversation(ruleset, table, ruleset.meant(table, example))
                    return Blocked(do_class)
            except Refused as refusal:
                attempts.append(Blocked(do_class, refusal, example))
    except Unsayable:
        return Blocked(do_class)
    counts = Counter(attempt.refusal.code for attempt in attempts if attempt.refusal is not None)
    return max(
        attempts, key=lambda attempt: counts[attempt.refusal.code] if attempt.refusal else 0, default=Blocked(do_class)
    )


def _list_examples(seen: Seen, do_class: type) -> Iterator[object]:
    """Yield examples for each of the seat's characters, or for every character if the seat has none."""
    declarer_field = find_declarer(do_class).field
    candidate_ids = [id for id in seen.characters if id in seen.seat.characters] or list(seen.characters)
    character_ids: list[str | None] = [*(candidate_ids if declarer_field is not None else candidate_ids[:1])]
    for character_id in character_ids or [None]:
        options: dict[str, list[object]] = {}
        for field in dataclasses.fields(do_class):
            hint = load_marked_hints(do_class)[field.name]
            if field.name == declarer_field and character_id is not None:
                options[field.name] = [seen.seat.seat if find_declarer(do_class).who == "seat" else character_id]
            elif _is_prose(hint):
                options[field.name] = [TEXT]
            elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
                options[field.name] = _list_words(hint) or [_find_first_value(seen, hint, character_id)]
        for values in product(*options.values()):
            yield do_class(**dict(zip(options, values, strict=True)))


def _is_prose(hint: object) -> bool:
    _, marks = split_marks(hint)
    return any(isinstance(mark, Prose) for mark in marks) and not any(isinstance(mark, Ref) for mark in marks)


def _list_words(hint: object) -> list[object]:
    """Return the words that the type allows."""
    plain_type, marks = split_marks(hint)
    marked_words: list[object] = [word for mark in marks if isinstance(mark, OneOf) for word in mark.words]
    return marked_words or (list(get_args(plain_type)) if get_origin(plain_type) is Literal else [])


def _find_first_value(seen: Seen, hint: object, character_id: str | None) -> object:
    """Return the first possible value of the type. Raise Unsayable if the kernel cannot find one."""
    plain_type, marks = split_marks(hint)
    if words := _list_words(hint):
        return words[0]
    for mark in marks:
        match mark:
            case Ref(to=to):
                return _pick_referent(seen, to, character_id)
            case Between(least=least, most=most):
                return least if least is not None else min(most or 0, 0)
            case Prose():
                return TEXT
    origin, parts = get_origin(plain_type), get_args(plain_type)
    if origin in (Union, types.UnionType):
        return None if type(None) in parts else _find_first_value(seen, parts[0], character_id)
    if origin is tuple and parts[1:] == (Ellipsis,):
        return (
            tuple(seen.characters)
            if _is_character_reference(parts[0])
            else (_find_first_value(seen, parts[0], character_id),)
        )
    if dataclasses.is_dataclass(plain_type) and isinstance(plain_type, type):
        hints = load_marked_hints(plain_type)
        return plain_type(
            **{
                field.name: _find_first_value(seen, hints[field.name], character_id)
                for field in dataclasses.fields(plain_type)
            }
        )
    if plain_type is bool:
        return False
    raise Unsayable


def _is_character_reference(hint: object) -> bool:
    return Ref("character") in split_marks(hint)[1]


def _pick_referent(seen: Seen, kind: str, own_character_id: str | None) -> str:
    """Return the id of a subject of this kind, if possible another character. Raise Unsayable if there is none."""
    candidates = {
        "character": [id for id in seen.characters if id != own_character_id] or list(seen.characters),
        "scene": list(seen.scenes),
        "seat": list(seen.seats),
        "session": [seen.session] if seen.session is not None else [],
    }.get(kind, [])
    if not candidates:
        raise Unsayable
    return candidates[0]
