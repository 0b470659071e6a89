"""Check the rulings that a declaration cites by number. `domains.Cites` says what a cited ruling must have recorded.

The recorded facts must agree with the declaration, unless a game master makes it and gives a reason. If the cited
ruling is overturned, every ruling that cites it loses its support.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from ledger.rules.kernel.contract import About, AnyRuleset, Table
from ledger.rules.kernel.declarations import find_declarer, find_fact_kind
from ledger.rules.kernel.domains import Cites, load_marked_hints, open_hint
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character

RULE = "ledger.cite"
_citing: dict[type, tuple[tuple[str, Cites], ...]] = {}
#: A cache by the id of a game's `inputs`: the `inputs`, and the classes of facts that can be cited.
_citable: dict[int, tuple[object, frozenset[type]]] = {}


def name_citation(number: int | str) -> str:
    """Return the name of a cited ruling in the reads of the ruling that cites it."""
    return f"ruling:{number}"


def check_citations(table: Table[object], do: object) -> None:
    """Check the citations of a declaration. Raise Refused `no-such-ruling`, `cited-already` or `<field>-differs`."""
    for field_name, cites in list_citing_fields(type(do)):
        for number in _list_numbers(getattr(do, field_name)):
            _check_citation(table, do, cites, number)


def _list_numbers(value: object) -> tuple[str, ...]:
    """Return the numbers in a field that cites one ruling or a list of them."""
    if value is None:
        return ()
    return tuple(map(str, value)) if isinstance(value, tuple) else (str(value),)


def list_citations(fact: object) -> Iterator[str]:
    """Yield the numbers of the rulings that a fact cites."""
    for field_name, _ in list_citing_fields(type(fact)):
        yield from _list_numbers(getattr(fact, field_name))


def _check_citation(table: Table[object], do: object, cites: Cites, number: str) -> None:
    facts = table.cited(number)
    if not {_find_kind(fact) for fact in facts}.issuperset(cites.facts):
        raise Refused(cites.rule or RULE, "no-such-ruling", ruling=number, given=number)
    if cites.once_for is not None:
        character_id = getattr(do, cites.once_for)
        if table.times_cited(character(character_id), number):
            raise Refused(cites.rule or RULE, "cited-already", ruling=number, character=character_id)
    for field, fact_field in cites.says:
        claimed_value, recorded_value = getattr(do, field), _find_recorded_value(cites, facts, fact_field)
        if recorded_value is not None and claimed_value != recorded_value and not _is_ruled_by_master(table, do):
            recorded_name = fact_field if fact_field != field else "said"
            raise Refused(
                cites.rule or RULE,
                f"{field}-differs",
                ruling=number,
                **{field: claimed_value, recorded_name: recorded_value},
            )


def _find_recorded_value(cites: Cites, facts: tuple[About[object], ...], field_name: str) -> object:
    """Return the field's value in the last cited fact that has the field, or None."""
    facts_with_field = [
        fact.fact for fact in facts if _find_kind(fact) in cites.facts and hasattr(fact.fact, field_name)
    ]
    return getattr(facts_with_field[-1], field_name) if facts_with_field else None


def _is_ruled_by_master(table: Table[object], do: object) -> bool:
    """Return whether a game master makes this declaration and gives a reason."""
    by_master = find_declarer(do).who == "gm" or table.by.role == "gm"
    return by_master and bool(str(getattr(do, "reason", "")).strip())


def _find_kind(fact: About[object]) -> str:
    return find_fact_kind(fact.fact).partition("@")[0]


def list_citing_fields(cls: type) -> tuple[tuple[str, Cites], ...]:
    """Return the fields in which a declaration or a fact cites a ruling."""
    citing_fields = _citing.get(cls)
    if citing_fields is None:
        # a fact of a game that is not installed is not a dataclass
        fields = dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ()
        marked_fields = ((field.name, _find_mark(load_marked_hints(cls)[field.name])) for field in fields)
        citing_fields = _citing[cls] = tuple((name, mark) for name, mark in marked_fields if mark is not None)
    return citing_fields


def _find_mark(hint: object) -> Cites | None:
    _, marks, _, parts = open_hint(hint)
    mark = next((mark for mark in marks if isinstance(mark, Cites)), None)
    return mark or next((inner_mark for part in parts if (inner_mark := _find_mark(part)) is not None), None)


def is_citable(ruleset: AnyRuleset, fact: object) -> bool:
    """Return whether a declaration of the game can cite a ruling that recorded this fact."""
    cached_pair = _citable.get(id(ruleset.inputs))
    if cached_pair is None or cached_pair[0] is not ruleset.inputs:
        kinds = {
            kind for input_type in ruleset.inputs for _, cites in list_citing_fields(input_type) for kind in cites.facts
        }
        facts = frozenset(
            fact_type for fact_type in ruleset.facts if find_fact_kind(fact_type).partition("@")[0] in kinds
        )
        cached_pair = _citable[id(ruleset.inputs)] = (ruleset.inputs, facts)
    return type(fact) in cached_pair[1]
