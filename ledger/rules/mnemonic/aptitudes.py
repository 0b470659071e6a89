"""Traits and the sum of two: Aptitude. Headings: calculating status, dramatic considerations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ledger.rules.kernel.contract import About, Step, Table, Verdict, step
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character
from ledger.rules.mnemonic import ladders
from ledger.rules.mnemonic.authority import must_be_referee
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.facts import Fact, TraitRated
from ledger.rules.mnemonic.folding import rated_as
from ledger.rules.mnemonic.inputs import RateTrait, TraitName
from ledger.rules.mnemonic.ladders import Ladder
from ledger.rules.mnemonic.parts import RatedTrait
from ledger.rules.mnemonic.state import Character
from ledger.rules.mnemonic.terms import AptitudeSource, collapsed, is_rateable, is_trait_kind, is_whole, same_name

SUM = "mnemonic.aptitude.sum"
BOUNDS = "mnemonic.aptitude.bounds"


@dataclass(frozen=True, slots=True)
class Aptitude:
    """A number, the traits or the assignment it comes from, and the steps that led there."""

    number: int
    source: AptitudeSource
    traits: tuple[RatedTrait, ...]
    assigned: str | None
    because: tuple[Step, ...]
    importance: RatedTrait | None = None


def rate_trait(table: Table[Dials], do: RateTrait) -> Verdict[Fact]:
    """A Talent or Life Role gets a rating; the new one counts in later checks (`mnemonic.trait.rate`)."""
    must_be_referee(table)
    being = table.get(character(do.character), Character)
    if not is_rateable(do.trait_kind):
        raise Refused("mnemonic.trait.rate", "unknown-kind", kind=do.trait_kind)
    if not do.trait.strip():
        raise Refused("mnemonic.trait.rating", "name-empty")
    name, number = ladders.rating(ladders.ratings(table.dials), do.rating)
    earlier = being.ratings.get(rated_as(do.trait_kind, do.trait))
    replaces = earlier.rating if earlier is not None else None
    rated = TraitRated(collapsed(do.trait), do.trait_kind, name, number, replaces, do.reason)
    because = (step("mnemonic.trait.rating", number, rating=name), step("mnemonic.trait.rate", name, replaces=replaces))
    return Verdict((About(character(do.character), rated),), because)


def rated(table: Table[Dials], being: Character, kind: str, name: str) -> RatedTrait:
    """A trait as it counts now: its rating's name on the ladder in force. Refuses `name-empty`, `unrated`."""
    ladder = ladders.ratings(table.dials)
    if not name.strip():
        raise Refused("mnemonic.trait.rating", "name-empty")
    found = being.ratings.get(rated_as(kind, name))
    if found is not None:
        row = ladders.rating(ladder, found.rating)
        return RatedTrait(kind, found.name, *row)
    if table.dials.traits_unrated == "refuse":
        raise Refused("mnemonic.trait.rate", "unrated", trait=name, kind=kind)
    return RatedTrait(kind, collapsed(name), *ladders.rating(ladder, table.dials.traits_unrated))


def primary_role(table: Table[Dials], being: Character) -> RatedTrait:
    """The Primary Role wherever it counts (`mnemonic.trait.primary`)."""
    row = ladders.primary(table.dials, ladders.ratings(table.dials))
    return RatedTrait("primary", being.primary_role, *row)


def by_traits(table: Table[Dials], being: Character, names: Sequence[TraitName]) -> Aptitude:
    """The sum of exactly two traits (`mnemonic.aptitude.sum`). Refuses `unknown-kind`, `two-traits-needed`."""
    for one in names:
        if not is_trait_kind(one.kind):
            raise Refused(SUM, "unknown-kind", kind=one.kind)
    if len(names) != 2 or _same(names[0], names[1]):
        raise Refused(SUM, "two-traits-needed", given=len(names))
    first, second = (
        primary_role(table, being) if one.kind == "primary" else rated(table, being, one.kind, one.name)
        for one in names
    )
    return summed(table, "traits", first, second)


def _same(one: TraitName, other: TraitName) -> bool:
    if one.kind != other.kind:
        return False
    return one.kind == "primary" or same_name(one.name) == same_name(other.name)


def summed(table: Table[Dials], source: AptitudeSource, one: RatedTrait, other: RatedTrait) -> Aptitude:
    """Rating and rating."""
    number = one.number + other.number
    must_be_possible(ladders.ratings(table.dials), number)
    steps = [step("mnemonic.trait.primary", part.number) for part in (one, other) if part.kind == "primary"]
    parts = {f"{part.kind} {part.name}".strip(): part.number for part in (one, other)}
    return Aptitude(number, source, (one, other), None, (*steps, Step(SUM, parts, number)))


def must_be_possible(ladder: Ladder, number: Any) -> int:
    """Between twice the lowest and twice the highest rating, and whole (`mnemonic.aptitude.bounds`)."""
    if not is_whole(number) or not 2 * ladder[0][1] <= number <= 2 * ladder[-1][1]:
        raise Refused(BOUNDS, "aptitude-out-of-range", lowest=2 * ladder[0][1], highest=2 * ladder[-1][1])
    return number
