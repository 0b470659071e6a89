"""The decorators that define a game's declarations, choices, facts and options, and who may declare them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, cast, dataclass_transform

from ledger.rules.kernel.field_names import publish_field_names
from ledger.rules.kernel.frozen import quick
from ledger.rules.kernel.refusals import RuleId

if TYPE_CHECKING:
    from ledger.rules.kernel.contract import Table

#: Who may give a choice. `anyone`: the player asked, or a game master. `asked`: only the player asked. `gm`: only a
#: game master, on behalf of the player asked.
Chooser: TypeAlias = Literal["anyone", "asked", "gm"]
C = TypeVar("C", bound=type)


@dataclass(frozen=True, slots=True)
class Declarer:
    """Who may make a declaration. Observers never may.

    - `who`: `gm`; `owner` (the seat that plays the character); `either` (owner or game master); `seat` (the seat named,
      or a game master); `anyone` (every player and game master).
    - `of`: the function that finds the character, or the seat if `who` is `seat`.
    - `field`: the field that names the character or seat, if there is one.
    """

    who: Literal["gm", "owner", "either", "seat", "anyone"]
    of: Callable[[Table[object], Any], str | None] | None = None
    text: str = ""
    field: str | None = None


GM = Declarer("gm", text="a game master")
ANYONE = Declarer("anyone", text="any player or game master")


def owner(field_name: str) -> Declarer:
    """Return the declarer "only the player of the character in this field"."""
    return Declarer("owner", lambda table, do: getattr(do, field_name), f"the player of `{field_name}`", field_name)


def either(of: str | Callable[[Table[object], Any], str | None], text: str = "") -> Declarer:
    """Return the declarer "the player of this character (a field, or a function that finds it), or a game master"."""
    if isinstance(of, str):
        field_name = of
        text_for_field = f"the player of `{field_name}`, or a game master"
        return Declarer("either", lambda table, do: getattr(do, field_name), text_for_field, field_name)
    return Declarer("either", of, f"{text}, or a game master")


def named_seat(field_name: str) -> Declarer:
    """Return the declarer "the seat in this field, or a game master"."""
    text = f"the seat in `{field_name}`, or a game master"
    return Declarer("seat", lambda table, do: getattr(do, field_name), text, field_name)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def fact(kind: str, version: int = 1, *, kw_only: bool = False) -> Callable[[C], C]:
    """Make a frozen dataclass for something that became true. `kind` is its stored name and never changes."""
    return lambda cls: _make_record_class(cls, "fact_kind", f"{kind}@{version}", kw_only)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def declares(
    kind: str, by: Declarer, records: tuple[str, ...] = (), *, outlives_scene: bool = False, kw_only: bool = False
) -> Callable[[C], C]:
    """Make a frozen dataclass for something that people declare. `records`: the kinds of facts it can lead to.

    `outlives_scene`: its questions can still be answered after its scene has closed.
    """

    def decorate(cls: C) -> C:
        record_class = _make_record_class(cls, "kind", kind, kw_only)
        setattr(record_class, "declared_by", by)  # noqa: B010  (mypy knows no such attribute)
        setattr(record_class, "records", records)  # noqa: B010
        setattr(record_class, "outlives_scene", outlives_scene)  # noqa: B010
        return record_class

    return decorate


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def choice(kind: str, by: Chooser = "anyone") -> Callable[[C], C]:
    """Make a frozen dataclass for one of the answers to a question. `by`: who may give it."""

    def decorate(cls: C) -> C:
        record_class = _make_record_class(cls, "kind", kind)
        setattr(record_class, "said_by", by)  # noqa: B010  (mypy knows no such attribute)
        return record_class

    return decorate


def _make_record_class(cls: C, attribute: str, value: str, kw_only: bool = False) -> C:
    record_class: Any = quick(dataclass(frozen=True, slots=True, kw_only=kw_only)(cls))
    publish_field_names(record_class)
    setattr(record_class, attribute, value)
    return cast(C, record_class)


def find_kind(record: object) -> str:
    """Return the stored name of a declaration or choice (instance or class)."""
    return str(getattr(record, "kind"))  # noqa: B009


def find_fact_kind(record: object) -> str:
    """Return the stored name of a fact with its version (instance or class): `trait-taxed@1`."""
    return str(getattr(record, "fact_kind"))  # noqa: B009


def find_declarer(record: object) -> Declarer:
    declarer = getattr(record, "declared_by")  # noqa: B009
    assert isinstance(declarer, Declarer)
    return declarer


def find_chooser(record: object) -> Chooser:
    """Return who may give a choice."""
    chooser: Chooser = getattr(record, "said_by", "anyone")
    return chooser


def list_recorded_kinds(record: object) -> tuple[str, ...]:
    """Return the kinds of facts that a declaration says it can lead to."""
    kinds: tuple[str, ...] = getattr(record, "records", ())
    return kinds


def can_outlive_scene(record: object) -> bool:
    """Return whether a waiting declaration can be answered after its scene was closed."""
    return bool(getattr(record, "outlives_scene", False))


def dial(
    default: object,
    rule: RuleId,
    name: str | None = None,
    code: str | None = None,
    *,
    hides: bool = False,
    about: str = "",
) -> Any:
    """Define an option of the game: its default, its rule, and its public name if that is not a Python name.

    `code`: the code for refusing a value that the type does not allow (default: the game's `bad_dial`). `hides`:
    whether the option decides who may see what. If so, only seats that may act as game masters can preview a change to
    it. `about`: what the option decides and what each value means, for the guide.
    """
    return field(default=default, metadata={"rule": rule, "name": name, "code": code, "hides": hides, "about": about})
