"""Moves: the declarations that can sensibly be made now, and the values that their fields can have.

How to write the moves of a game:

1. One function, `moves(seen: Seen) -> Iterator[Move]`, named in `Ruleset(moves=moves)`. (A game of chapters writes
   `@offers` instead; the rest is the same.) It yields the moves of *all* seats, as this viewer sees the game. The
   kernel then keeps those that the seat may declare:
   - `ANYONE` and `GM` need nothing from you.
   - Where the right to declare comes from a field (`either("char")`), put the candidates of all seats into that field.
   - Where this right comes from a function (`either(_defender)`), name the owner: `Move(..., of=defender)`. This is the
     id of a character, or of a seat for `named_seat`. Otherwise no player is offered the move.
   - If the rules allow only some of these seats to make the move, name them in `seats`. The other seats then still see
     whom the game waits for.
   Ask `seen.seat` or `seen.decides` only where the rule itself asks who declares (`table.by`).
2. Candidates come from `seen`: `view(subject)` (JSON, as the viewer sees it), `characters`, `roster`, `scene`, `dials`,
   `session`, `balance(account)`. A game without secrets may use `seen.table`, the table that its rules get, and ask its
   guards there. A game with secrets has no `seen.table`, so nothing hidden can affect a move.
3. For each field give a domain: `Among((a, b))` for some values (a single value settles the field), `Between(1, n)` for
   a number, `Besides((a, b))` for any text but these, `OPEN` for what people judge (anything the type allows). For
   lists `Some`, or `Row` where each place has its own domain; `Shape` for a record, `Entries` for a mapping, `Either`
   for one of several domains (`Among((None,))` and a `Shape`: an optional record). A field you leave out is open if it
   is prose, else it keeps its default. A field without a default must be given (TypeError).
4. Every combination of the values must be accepted. If fields depend on each other (this trait of that person), yield
   several moves. An empty `Among(())` is a mistake: leave out the move. Values are those of the declaration: ids,
   tuples, None.
5. `awaits` is the rule that waits for this move, if the game cannot go on without it: somebody's turn, an open defence.
   The player of the move's character (its field, or `of`) is awaited, or else a game master. If no move is awaited, the
   game masters are.
6. `yield from list_kernel_moves(seen, left_out=(OpenScene, ...))` (`kernel/offers`) yields the moves that every game
   has. `left_out` names the declarations that the game offers itself or does not allow now. Amend, adjust, enrol and
   set-dial are always offered. (A game of chapters needs no such line.)
7. `python -m tests.rules.moves <game> [seeds] [words]` plays at random. It counts the declarations that are offered but
   refused (unsound), and those that are accepted but were not offered (incomplete). `tests/laws/test_moves.py` has the
   laws. A declaration that is accepted but cannot be offered is listed in `UNOFFERED` of
   `tests/rules/<game>/unoffered.py`, with the reason. Where the same thing can be declared in several ways, only one
   way is offered, and `plainly(past, do)` in that file returns it (None: no move).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from ledger.rules.kernel.domains import Between, Prose, Ref, load_marked_hints, split_marks
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
    """Values computed once for a domain or move, and kept with it. Comparisons ignore them.

    `kept`: its JSON. `hashed`: its hash.
    """

    __slots__ = ("hashed", "kept")
    kept: Any
    hashed: int

    def keep(self, document: object) -> None:
        object.__setattr__(self, "kept", document)

    def compute_hash(self, *parts: object) -> int:
        """Return the hash of these parts, and keep it. Raise TypeError if a part has no hash."""
        hash_value = hash(parts)
        object.__setattr__(self, "hashed", hash_value)
        return hash_value


@quick
@dataclass(frozen=True, slots=True)
class Among(Kept):
    """One of these values. A single value settles the field. `titles`: what people see for the values, if the words of
    the game do not say enough (a price, for example).
    """

    values: tuple[object, ...]
    titles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Open(Kept):
    """Any value that the field's type allows, such as prose or entered dice."""


@quick
@dataclass(frozen=True, slots=True)
class Besides(Kept):
    """Any text except these."""

    values: tuple[str, ...]


@quick
@dataclass(frozen=True, slots=True)
class Some(Kept):
    """A list of different items that do not depend on each other.

    `required`: items that the list must have. `key`: for records, a field whose value must be different in each record;
    `required` then lists values of that field. `first`: the domain of the first item, if it is a different one.
    `repeats`: whether an item may occur several times.
    """

    items: Domain
    least: int = 0
    most: int | None = None
    required: tuple[object, ...] = ()
    key: str | None = None
    first: Domain | None = None
    repeats: bool = False

    def __hash__(self) -> int:
        return getattr(self, "hashed", None) or self.compute_hash(
            self.items, self.least, self.most, self.required, self.key, self.first, self.repeats
        )


@quick
@dataclass(frozen=True, slots=True)
class Row(Kept):
    """A list with a separate domain for each place."""

    items: tuple[Domain, ...]

    def __hash__(self) -> int:
        return getattr(self, "hashed", None) or self.compute_hash(Row, self.items)


@quick
@dataclass(frozen=True, slots=True)
class Shape(Kept):
    """A record within a declaration. Fields left out are treated as in a move. `title`: a name
    such as “a price”, by which people tell this record from similar ones.
    """

    do: type[object]
    fields: Mapping[str, Domain] = field(default_factory=dict)
    title: str = ""

    def __hash__(self) -> int:
        return getattr(self, "hashed", None) or self.compute_hash(self.do, tuple(self.fields.items()), self.title)


@quick
@dataclass(frozen=True, slots=True)
class Entries(Kept):
    """A mapping: the domain of each key. Keys that are not `required` may be left out."""

    values: Mapping[str, Domain]
    required: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return getattr(self, "hashed", None) or self.compute_hash(tuple(self.values.items()), self.required)


@quick
@dataclass(frozen=True, slots=True)
class Either(Kept):
    """One of several domains."""

    parts: tuple[Domain, ...]

    def __hash__(self) -> int:
        return getattr(self, "hashed", None) or self.compute_hash(Either, self.parts)


Domain: TypeAlias = Among | Besides | Between | Open | Some | Row | Shape | Entries | Either
OPEN: Final = Open()


@quick
@dataclass(frozen=True, slots=True)
class Move(Kept):
    """A declaration with the domains of its fields now.

    `awaits`: the rule that waits for the move. `of`: its owner, if no field names one. `seats`: the seats that may
    declare it, if the rules exclude other seats. `follows`: the declaration to make automatically, if everybody can see
    that nobody has a choice.
    """

    do: type[object]
    fields: Mapping[str, Domain] = field(default_factory=dict)
    awaits: RuleId | None = None
    of: str | None = None
    seats: tuple[str, ...] | None = None
    follows: Any = None

    def __hash__(self) -> int:
        return getattr(self, "hashed", None) or self.compute_hash(self.do, tuple(self.fields.items()))

    def __post_init__(self) -> None:
        declared_fields = _get_fields(self.do)
        if not declared_fields.needed_names <= self.fields.keys() <= declared_fields.all_names:
            complete_fields(self.do, self.fields)


def make_move_by_type(do_class: type) -> Move:
    """Return a move that allows every value that the type of each field allows."""
    return Move(do_class, {field.name: OPEN for field in dataclasses.fields(do_class)})


@dataclass(frozen=True, slots=True)
class FieldsOf:
    """The fields of a declaration. `optional_domains`: the domains of fields that a move may leave out. `needed_names`:
    the required fields.
    """

    optional_domains: Mapping[str, Domain]
    needed_names: frozenset[str]
    all_names: frozenset[str]


_fields_by_class: dict[type[object], FieldsOf] = {}


def _get_fields(do_class: type[object]) -> FieldsOf:
    fields = _fields_by_class.get(do_class)
    if fields is None:
        fields = _fields_by_class[do_class] = _examine_fields(do_class)
    return fields


def _examine_fields(do_class: type) -> FieldsOf:
    domains: dict[str, Domain] = {}
    needed_names = set()
    for own_field in dataclasses.fields(do_class):
        _, marks = split_marks(load_marked_hints(do_class)[own_field.name])
        if any(isinstance(mark, Prose) for mark in marks) and not any(isinstance(mark, Ref) for mark in marks):
            domains[own_field.name] = OPEN
        elif own_field.default is not dataclasses.MISSING:
            domains[own_field.name] = Among((own_field.default,))
        elif own_field.default_factory is not dataclasses.MISSING:
            domains[own_field.name] = Among((own_field.default_factory(),))
        else:
            needed_names.add(own_field.name)
    return FieldsOf(domains, frozenset(needed_names), frozenset(domains) | needed_names)


def index_optional_domains(do_class: type[object]) -> Mapping[str, Domain]:
    """Return the domains of the fields that a move may leave out."""
    return _get_fields(do_class).optional_domains


def complete_fields(do_class: type[object], fields: Mapping[str, Domain]) -> Mapping[str, Domain]:
    """Return every field with its domain. Raise TypeError if a field is missing or does not exist."""
    declared_fields = _get_fields(do_class)
    if declared_fields.needed_names <= fields.keys() <= declared_fields.all_names:
        return {**declared_fields.optional_domains, **fields}
    missing_names = declared_fields.needed_names - fields.keys()
    unknown_names = fields.keys() - declared_fields.all_names
    raise TypeError(
        f"a move of {do_class.__name__} lacks the fields {sorted(missing_names)} and has the unknown fields "
        f"{sorted(unknown_names)}"
    )


def never(do_class: type[object]) -> Shape:
    """Return the domain of a choice that is asked for but cannot be made now."""
    return Shape(do_class, {"": Among(())})


# --- examining domains ---


def list_settled_values(domain: Domain) -> tuple[object, ...]:
    """Return a tuple with the value, if the domain lists exactly one, or else an empty tuple."""
    return domain.values if isinstance(domain, Among) and len(domain.values) == 1 else ()


def holds(domain: Domain, value: Any) -> bool:
    """Return whether the value lies within the domain."""
    match domain:
        case Open():
            return True
        case Among(values=values):
            return any(type(allowed_value) is type(value) and allowed_value == value for allowed_value in values)
        case Besides(values=values):
            return type(value) is str and value not in values
        case Between(least=least, most=most):
            is_whole_number = type(value) is int
            return is_whole_number and (least is None or value >= least) and (most is None or value <= most)
        case Shape(do=do):
            return type(value) is do and all(
                holds(field_domain, getattr(value, name))
                for name, field_domain in complete_fields(do, domain.fields).items()
            )
        case Entries(values=values, required=required):
            has_required = isinstance(value, Mapping) and all(key in value for key in required)
            return has_required and all(key in values and holds(values[key], item) for key, item in value.items())
        case Either(parts=parts):
            return any(holds(part, value) for part in parts)
        case Row(items=items):
            return isinstance(value, tuple) and len(value) == len(items) and all(map(holds, items, value))
        case Some():
            return isinstance(value, tuple) and _holds_list(domain, value)


def _holds_list(domain: Some, value: tuple[object, ...]) -> bool:
    if len(value) < domain.least or (domain.most is not None and len(value) > domain.most):
        return False
    keys = [getattr(item, domain.key, None) for item in value] if domain.key else list(value)
    if not domain.repeats and any(key in keys[:place] for place, key in enumerate(keys)):
        return False
    first_items, later_items = (value[:1], value[1:]) if domain.first is not None else ((), value)
    return (
        all(key in keys for key in domain.required)
        and all(holds(domain.first or OPEN, item) for item in first_items)
        and all(holds(domain.items, item) for item in later_items)
    )


def allows(move: Move, do: object) -> bool:
    """Return whether a declaration lies within a move."""
    return type(do) is move.do and all(
        holds(domain, getattr(do, name)) for name, domain in complete_fields(move.do, move.fields).items()
    )


def find_settled_declaration(move: Move) -> Any:
    """Return the only declaration that the move allows, or None if it allows several."""
    values = {name: list_settled_values(domain) for name, domain in complete_fields(move.do, move.fields).items()}
    return move.do(**{name: value for name, (value,) in values.items()}) if all(values.values()) else None


def with_field(move: Move, name: str, value: object) -> Move:
    """Return the move with one field settled."""
    narrowed_move: Move = changed(move, fields={**move.fields, name: Among((value,))})
    return narrowed_move


def narrow_moves(moves: Iterable[Move], given_values: Mapping[str, object]) -> Iterator[Move]:
    """Yield the moves that allow the given values, with their fields settled to these values."""
    for move in moves:
        fields = complete_fields(move.do, move.fields)
        if all(name in fields and holds(fields[name], value) for name, value in given_values.items()):
            for name, value in given_values.items():
                move = with_field(move, name, value)  # noqa: PLW2901
            yield move
