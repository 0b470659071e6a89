"""Script immunity: Important, Survivable or Lucky in place of the Role. Heading: dramatic considerations."""

from __future__ import annotations

from ledger.rules.contract import About, Audience, Refused, Table, Verdict, character, step
from ledger.rules.mnemonic import ladders
from ledger.rules.mnemonic.aptitudes import SUM, Aptitude, rated, summed
from ledger.rules.mnemonic.authority import must_be_referee, readers_of_importance, secretly
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.facts import Fact, ImportanceRated, ImportanceRuled, RatedTrait
from ledger.rules.mnemonic.flukes import normal
from ledger.rules.mnemonic.inputs import RateImportance
from ledger.rules.mnemonic.state import Character
from ledger.rules.mnemonic.status import counted
from ledger.rules.mnemonic.tables import HIGHEST
from ledger.rules.mnemonic.terms import FINE, LUCKY, collapsed, same_name

SOURCE = "mnemonic.dramatic.source"
HELPFUL = "mnemonic.dramatic.aptitude"


def rate_importance(table: Table[Dials], do: RateImportance) -> Verdict[Fact]:
    """How likely the story is to spare the character, fixed. Changed after its first resisting check with a reason."""
    must_be_referee(table)
    being = table.get(character(do.character), Character)
    audience = readers_of_importance(table)
    with secretly(audience):
        if table.dials.dramatic_source == "off":
            raise Refused(SOURCE, "dramatic-off")
        name, number = ladders.rating(ladders.ratings(table.dials), do.rating)
        if being.importance is not None and being.resisted and not do.reason.strip():
            raise Refused(SOURCE, "reason-needed")
    replaces = being.importance.rating if being.importance is not None else None
    done = ImportanceRated(collapsed(table.dials.dramatic_label), name, number, replaces, do.reason, audience)
    because = (step(SOURCE, number, audience, rating=name, approach=table.dials.dramatic_approach),)
    return Verdict((About(character(do.character), done, (), audience),), because)


def must_not_be_named(table: Table[Dials], importance: str | None, assigned: str | None) -> None:
    """Where a resisting check takes no rating, or not from the ruling, none may be named."""
    dials = table.dials
    if importance is None:
        return
    if dials.dramatic_source == "off":
        raise Refused(SOURCE, "dramatic-off")
    per_check = dials.dramatic_source == "important" and dials.dramatic_approach == "per_check"
    if assigned is not None or not per_check:
        raise Refused(SOURCE, "importance-not-ruled-here")


def importance_of(table: Table[Dials], being: Character, named: str | None) -> RatedTrait:
    """The rating that takes part in a resisting check. Refuses `unrated`, `importance-needed`."""
    dials, ladder = table.dials, ladders.ratings(table.dials)
    if dials.dramatic_source == "lucky":
        return rated(table, being, "talent", LUCKY)
    label = collapsed(dials.dramatic_label)
    if dials.dramatic_approach == "per_check":
        if named is None:
            raise Refused(SOURCE, "importance-needed")
        return RatedTrait("importance", label, *ladders.rating(ladder, named))
    if being.importance is None:
        raise Refused(SOURCE, "unrated", trait=label)
    return RatedTrait("importance", label, *ladders.rating(ladder, being.importance.rating))


def dramatic_aptitude(
    table: Table[Dials], importance: RatedTrait, talent: RatedTrait, roles: tuple[RatedTrait, ...]
) -> Aptitude:
    """Importance and the Talent, or the best Life Role in its place where that is larger; never Lucky twice."""
    best = max(roles, key=lambda role: role.number, default=talent)
    other = best if best.number > talent.number else talent
    if (other.kind, same_name(other.name)) == (importance.kind, same_name(importance.name)):
        raise Refused(SUM, "two-traits-needed", trait=other.name)
    found = summed(table, "dramatic", importance, other)
    chosen = step(HELPFUL, found.number, importance=importance.number, talent=talent.number, other=other.name)
    return Aptitude(found.number, "dramatic", found.traits, None, (*found.because, chosen), importance)


def ruled_anew(table: Table[Dials], id: str, check: str, found: Aptitude, audience: Audience) -> list[About[Fact]]:
    """The history of a rating that every check names anew."""
    rating = found.importance
    dials = table.dials
    if rating is None or dials.dramatic_source != "important" or dials.dramatic_approach != "per_check":
        return []
    readers = readers_of_importance(table) or audience
    kept = ImportanceRuled(check, rating.name, rating.rating, rating.number, readers)
    return [About(character(id), kept, (), readers)]


def faces_that_succeed(aptitude: int, chances: int) -> int:
    """Of the twelve faces of one die, without flukes (`mnemonic.check.odds`)."""
    return max(0, min(HIGHEST, aptitude + chances))


def faces_by_level(aptitude: int, chances: int) -> tuple[int, ...]:
    """How many of the twelve faces lead to each level, 0 to 6 (`mnemonic.dramatic.preview`)."""
    counts = [0] * (FINE + 1)
    for face in range(1, HIGHEST + 1):
        counts[counted(normal(aptitude - face + chances).successes)] += 1
    return tuple(counts)


def preview() -> dict[str, list[int]]:
    """`faces_by_level` by the sum of Aptitude and Chances; below the first and above the last nothing changes."""
    return {str(both): list(faces_by_level(both, 0)) for both in range(HIGHEST + FINE)}
