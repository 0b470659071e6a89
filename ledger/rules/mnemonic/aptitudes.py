"""Traits and the sum of two: Aptitude. Headings: calculating status, dramatic considerations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ledger.rules.kernel.contract import Step, step
from ledger.rules.kernel.refusals import Refused
from ledger.rules.mnemonic import ladders
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.facts import TraitRated
from ledger.rules.mnemonic.guards import must_be_possible, must_be_referee
from ledger.rules.mnemonic.inputs import RateTrait, RateTraits, TraitName, TraitRating
from ledger.rules.mnemonic.parts import RatedTrait
from ledger.rules.mnemonic.state import Character, rated_as
from ledger.rules.mnemonic.tables import Ladder
from ledger.rules.mnemonic.terms import AptitudeSource, collapsed, is_rateable, is_trait_kind, same_name

SUM = "mnemonic.aptitude.sum"


@dataclass(frozen=True, slots=True)
class Aptitude:
    """A number, the traits or the assignment it comes from, and the steps that led there."""

    number: int
    source: AptitudeSource
    traits: tuple[RatedTrait, ...]
    assigned: str | None
    because: tuple[Step, ...]
    importance: RatedTrait | None = None


def rate_trait(draft: Draft, do: RateTrait) -> None:
    """A Talent or Life Role gets a rating; the new one counts in later checks (`mnemonic.trait.rate`)."""
    must_be_referee(draft)
    _rate(draft, do.character, do, do.reason)


def rate_traits(draft: Draft, do: RateTraits) -> None:
    """Several of them get one, in order."""
    must_be_referee(draft)
    draft.character(do.character)
    for one in do.ratings:
        _rate(draft, do.character, one, do.reason)


def _rate(draft: Draft, id: str, given: RateTrait | TraitRating, reason: str) -> None:
    being = draft.character(id)
    if not is_rateable(given.trait_kind):
        raise Refused("mnemonic.trait.rate", "unknown-kind", kind=given.trait_kind)
    if not given.trait.strip():
        raise Refused("mnemonic.trait.rating", "name-empty")
    name, number = ladders.rating(ladders.ratings(draft.dials), given.rating)
    earlier = being.ratings.get(rated_as(given.trait_kind, given.trait))
    replaces = earlier.rating if earlier is not None else None
    draft.about(id, TraitRated(collapsed(given.trait), given.trait_kind, name, number, replaces, reason))
    draft.by("mnemonic.trait.rating", number, rating=name)
    draft.by("mnemonic.trait.rate", name, replaces=replaces)


def rated(dials: Dials, ladder: Ladder, being: Character, kind: str, name: str) -> RatedTrait:
    """A trait as it counts now: its rating's name on the ladder in force. Refuses `name-empty`, `unrated`."""
    if not name.strip():
        raise Refused("mnemonic.trait.rating", "name-empty")
    found = being.ratings.get(rated_as(kind, name))
    if found is not None:
        row = ladders.rating(ladder, found.rating)
        return RatedTrait(kind, found.name, *row)
    if dials.traits_unrated == "refuse":
        raise Refused("mnemonic.trait.rate", "unrated", trait=name, kind=kind)
    return RatedTrait(kind, collapsed(name), *ladders.rating(ladder, dials.traits_unrated))


def primary_role(dials: Dials, ladder: Ladder, being: Character) -> RatedTrait:
    """The Primary Role wherever it counts (`mnemonic.trait.primary`)."""
    return RatedTrait("primary", being.primary_role, *ladders.primary(dials, ladder))


def by_traits(dials: Dials, being: Character, names: Sequence[TraitName]) -> Aptitude:
    """The sum of exactly two traits (`mnemonic.aptitude.sum`). Refuses `unknown-kind`, `two-traits-needed`."""
    for one in names:
        if not is_trait_kind(one.kind):
            raise Refused(SUM, "unknown-kind", kind=one.kind)
    if len(names) != 2 or _same(names[0], names[1]):
        raise Refused(SUM, "two-traits-needed", given=len(names))
    ladder = ladders.ratings(dials)
    first, second = (
        primary_role(dials, ladder, being) if one.kind == "primary" else rated(dials, ladder, being, one.kind, one.name)
        for one in names
    )
    return summed(ladder, "traits", first, second)


def _same(one: TraitName, other: TraitName) -> bool:
    if one.kind != other.kind:
        return False
    return one.kind == "primary" or same_name(one.name) == same_name(other.name)


def summed(ladder: Ladder, source: AptitudeSource, one: RatedTrait, other: RatedTrait) -> Aptitude:
    """Rating and rating."""
    number = one.number + other.number
    must_be_possible(ladder, number)
    steps = [step("mnemonic.trait.primary", part.number) for part in (one, other) if part.kind == "primary"]
    parts = {f"{part.kind} {part.name}".strip(): part.number for part in (one, other)}
    return Aptitude(number, source, (one, other), None, (*steps, Step(SUM, parts, number)))
