"""What can sensibly be declared now: moves, and what their fields can say. Pure.

How to write a game's moves (`moves.py` in the folder of a game that has them is an example to read):

1. One function, `moves(seen: Seen) -> Iterator[Move]`, named in the game's `Ruleset(moves=moves)`. It says what can be
   declared by *anybody*, as this viewer sees the game; the kernel cuts it down to the seat by the input's declarer.
   Where that names a field (`either("char")`), leave the candidates of all seats in the field. Where it is a function
   (`either(_defender)`), say whose it is: `Move(..., of=defender)`, a character's id (for `named_seat` a seat's); else
   no player is offered it. `ANYONE` and `GM` need nothing. Only what the rules themselves ask of who declares
   (`table.by`) is asked of `seen.seat` (its role, its characters) or `seen.decides`. Where that would hide from
   others whom the game waits for (anybody may declare it, and the rules refuse all but some), say `seats`; also
   where they refuse even a game master who is not the one (somebody else referees).
2. Candidates come from `seen`: `seen.view(subject)` (JSON, as the viewer sees it), `seen.characters`, `seen.roster`,
   `seen.scene`, `seen.dials`, `seen.session`, `seen.balance(account)`. A game without secrets can ask for `seen.table`,
   the table its rules are given, and use their own functions (`Draft(seen.table)`, guards in `try`); one with secrets
   cannot, so that nothing hidden can decide about a move.
3. A field left out of a move: prose is the player's; anything else stays at its default; what has no default must be
   said (TypeError). Say `Among((a, b))` for some values (one: settled), `Between(1, n)` for a number, `OPEN` for what
   people judge: whatever the field's own type can say; `Besides((a, b))` for any text but these. For lists `Some`, or
   `Row` where each place is its own; for a record within `Shape`; for a mapping `Entries`; for one of several domains
   `Either` (`Among((None,))` and a `Shape`: an optional record).
4. Fields that depend on each other (this trait of that person) are several moves, never a wide one: every filling must
   be accepted. An empty `Among(())` is a mistake: leave the move out. Values are the input's own: ids, tuples, None.
5. `awaits`: the rule that waits for this move, where the game cannot go on without it: whose turn it is, whose defence
   is open. None: merely possible. Who is awaited follows: who plays the character of the move (its field, or `of`), a
   game master where no player does, or where it is nobody's. Where nothing is awaited, the game masters are.
6. What every table declares comes with `yield from at_every_table(seen, but=(OpenScene, ...))` (`kernel/offers`);
   `but`: what the game offers by itself, or does not allow just now. Amend, adjust, enrol and set-dial are always
   offered, by their type alone.
7. `python -m tests.rules.moves <system> [seeds] [words]` plays at random and prints what is offered and refused
   (unsound) and what is accepted and was not offered (incomplete), with counts; `tests/laws/test_moves.py` has the
   laws. What can be accepted and is no move all the same (typed dice whose number depends on what they show) is listed
   with its reason in `UNOFFERED` of `tests/rules/<system>/unoffered.py`. What can be said in several ways is offered in
   one: `plainly(past, do)` beside it says it so (None: it is no move).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from ledger.rules.kernel.domains import Between, Prose, Ref, marked_hints, marks_of
from ledger.rules.kernel.frozen import changed, quick
from ledger.rules.kernel.refusals import RuleId

__all__ = [
    "OPEN",
    "Among",
    "Besides",
    "Between",
    "Domain",
    "Either",
    "Entries",
    "Move",
    "Open",
    "Row",
    "Shape",
    "Some",
]


class Kept:
    """What was made of it once, for as long as it is there; no part of what it says.

    `kept`: by whoever tells it, so that what a game finds again (`lru_cache`, by all that decides about it) is told for
    nothing. `hashed`: looked up time and again, and large.
    """

    __slots__ = ("hashed", "kept")
    kept: Any
    hashed: int

    def keep(self, made: object) -> None:
        object.__setattr__(self, "kept", made)

    def hash_of(self, *parts: object) -> int:
        """Return the hash of these parts, which depends on the order of fields. TypeError where one has no hash."""
        hashed = hash(parts)
        object.__setattr__(self, "hashed", hashed)
        return hashed


@quick
@dataclass(frozen=True, slots=True)
class Among(Kept):
    """One of these values, as the input has them. One value: the field is settled. `titles`: what each is called for
    people, where its own word does not say enough: what it costs, say.
    """

    values: tuple[object, ...]
    titles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Open(Kept):
    """Prose, typed dice, judgement: whatever the field's own type can say."""


@quick
@dataclass(frozen=True, slots=True)
class Besides(Kept):
    """A text that is none of these."""

    values: tuple[str, ...]


@quick
@dataclass(frozen=True, slots=True)
class Some(Kept):
    """A list whose items are independent of each other, no two alike.

    `required`: these are among them. least == most == len(required): a permutation. `key`: of records; no two say the
    same in this field, and `required` are values of it. `first`: what the first item can be, where it is another thing.
    """

    items: Domain
    least: int = 0
    most: int | None = None
    required: tuple[object, ...] = ()
    key: str | None = None
    first: Domain | None = None
    repeats: bool = False

    def __hash__(self) -> int:
        return getattr(self, "hashed", None) or self.hash_of(
            self.items, self.least, self.most, self.required, self.key, self.first, self.repeats
        )


@quick
@dataclass(frozen=True, slots=True)
class Row(Kept):
    """A list in which each place has its own domain."""

    items: tuple[Domain, ...]

    def __hash__(self) -> int:
        return getattr(self, "hashed", None) or self.hash_of(Row, self.items)


@quick
@dataclass(frozen=True, slots=True)
class Shape(Kept):
    """A record within an input. What is left out of `fields` is as in a move. `title`: what it is called for people
    among several of its kind: what tells it from them, and what it costs, say.
    """

    do: type[object]
    fields: Mapping[str, Domain] = field(default_factory=dict)
    title: str = ""

    def __hash__(self) -> int:
        return getattr(self, "hashed", None) or self.hash_of(self.do, tuple(self.fields.items()), self.title)


@quick
@dataclass(frozen=True, slots=True)
class Entries(Kept):
    """A mapping: what each key can have. All of `required` are there; any other may be left out."""

    values: Mapping[str, Domain]
    required: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return getattr(self, "hashed", None) or self.hash_of(tuple(self.values.items()), self.required)


@quick
@dataclass(frozen=True, slots=True)
class Either(Kept):
    """One of several domains."""

    parts: tuple[Domain, ...]

    def __hash__(self) -> int:
        return getattr(self, "hashed", None) or self.hash_of(Either, self.parts)


Domain: TypeAlias = Among | Besides | Between | Open | Some | Row | Shape | Entries | Either
OPEN: Final = Open()


@quick
@dataclass(frozen=True, slots=True)
class Move(Kept):
    """An input with what its fields can say now. `awaits`: the rule that waits for it. `of`: whose it is, where no
    field says so. `seats`: who may declare it, where the rules let fewer than the input's declarer does.
    """

    do: type[object]
    fields: Mapping[str, Domain] = field(default_factory=dict)
    awaits: RuleId | None = None
    of: str | None = None
    seats: tuple[str, ...] | None = None

    def __hash__(self) -> int:
        return getattr(self, "hashed", None) or self.hash_of(self.do, tuple(self.fields.items()))

    def __post_init__(self) -> None:
        of = _fields_of(self.do)
        if not of.needed <= self.fields.keys() <= of.all:
            whole(self.do, self.fields)


def by_type(do: type) -> Move:
    """Return an input as wide as its type."""
    return Move(do, {field.name: OPEN for field in dataclasses.fields(do)})


@dataclass(frozen=True, slots=True)
class FieldsOf:
    """The fields of an input: the domains of those that a move may leave out, and the names of those it may not."""

    left_out: Mapping[str, Domain]
    needed: frozenset[str]
    all: frozenset[str]


_known: dict[type[object], FieldsOf] = {}


def _fields_of(do: type[object]) -> FieldsOf:
    known = _known.get(do)
    if known is None:
        known = _known[do] = _looked_up(do)
    return known


def _looked_up(do: type) -> FieldsOf:
    known: dict[str, Domain] = {}
    needed = set()
    for own in dataclasses.fields(do):
        _, marks = marks_of(marked_hints(do)[own.name])
        if any(isinstance(mark, Prose) for mark in marks) and not any(isinstance(mark, Ref) for mark in marks):
            known[own.name] = OPEN
        elif own.default is not dataclasses.MISSING:
            known[own.name] = Among((own.default,))
        elif own.default_factory is not dataclasses.MISSING:
            known[own.name] = Among((own.default_factory(),))
        else:
            needed.add(own.name)
    return FieldsOf(known, frozenset(needed), frozenset(known) | needed)


def left_out(do: type[object]) -> Mapping[str, Domain]:
    """Return the domains that fields have where a move leaves them out."""
    return _fields_of(do).left_out


def whole(do: type[object], fields: Mapping[str, Domain]) -> Mapping[str, Domain]:
    """Return every field with its domain. TypeError where one is missing, or there is no such field."""
    of = _fields_of(do)
    if of.needed <= fields.keys() <= of.all:
        return {**of.left_out, **fields}
    missing = of.needed - fields.keys()
    strange = fields.keys() - of.all
    raise TypeError(f"{do.__name__}: a move must say {sorted(missing)}; there is no field {sorted(strange)}")


def never(do: type[object]) -> Shape:
    """Return a choice that cannot be made just now, though it is asked for."""
    return Shape(do, {"": Among(())})


# --- looking at domains ---


def settled(domain: Domain) -> tuple[object, ...]:
    """Return the value, where there is only one; else nothing."""
    return domain.values if isinstance(domain, Among) and len(domain.values) == 1 else ()


def holds(domain: Domain, value: Any) -> bool:
    """Return whether the value lies within the domain."""
    match domain:
        case Open():
            return True
        case Among(values=values):
            return any(type(allowed) is type(value) and allowed == value for allowed in values)
        case Besides(values=values):
            return type(value) is str and value not in values
        case Between(least=least, most=most):
            whole_number = type(value) is int
            return whole_number and (least is None or value >= least) and (most is None or value <= most)
        case Shape(do=do):
            return type(value) is do and all(
                holds(inner, getattr(value, name)) for name, inner in whole(do, domain.fields).items()
            )
        case Entries(values=values, required=required):
            mapped = isinstance(value, Mapping) and all(key in value for key in required)
            return mapped and all(key in values and holds(values[key], item) for key, item in value.items())
        case Either(parts=parts):
            return any(holds(part, value) for part in parts)
        case Row(items=items):
            return isinstance(value, tuple) and len(value) == len(items) and all(map(holds, items, value))
        case Some():
            return isinstance(value, tuple) and _holds_list(domain, value)


def _holds_list(domain: Some, value: tuple[object, ...]) -> bool:
    if len(value) < domain.least or (domain.most is not None and len(value) > domain.most):
        return False
    names = [getattr(item, domain.key, None) for item in value] if domain.key else list(value)
    if not domain.repeats and any(name in names[:place] for place, name in enumerate(names)):
        return False
    head, rest = (value[:1], value[1:]) if domain.first is not None else ((), value)
    return (
        all(name in names for name in domain.required)
        and all(holds(domain.first or OPEN, item) for item in head)
        and all(holds(domain.items, item) for item in rest)
    )


def allows(move: Move, do: object) -> bool:
    """Return whether a declaration lies within a move."""
    return type(do) is move.do and all(
        holds(domain, getattr(do, name)) for name, domain in whole(move.do, move.fields).items()
    )


def complete(move: Move) -> Any:
    """Return the only declaration the move allows; None where there are several."""
    values = {name: settled(domain) for name, domain in whole(move.do, move.fields).items()}
    return move.do(**{name: value for name, (value,) in values.items()}) if all(values.values()) else None


def with_field(move: Move, name: str, value: object) -> Move:
    """Return the move with one field settled."""
    after: Move = changed(move, fields={**move.fields, name: Among((value,))})
    return after


def narrowed(moves: Iterable[Move], given: Mapping[str, object]) -> Iterator[Move]:
    """Yield the moves whose given fields allow the given values, with these settled."""
    for move in moves:
        fields = whole(move.do, move.fields)
        if all(name in fields and holds(fields[name], value) for name, value in given.items()):
            for name, value in given.items():
                move = with_field(move, name, value)  # noqa: PLW2901
            yield move
