"""Resisting: with which Aptitude a character resists an injury, and how its check is called and kept.

A resisting check stands on its board and with its character. What comes of it counts once, and only for the roll that
it was decided about: with another roll it goes adrift.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from ledger.rules.kernel.kit import (
    OPEN,
    Among,
    Domain,
    Either,
    Names,
    Some,
    Subject,
    changed,
    changes,
    fact,
    once_created,
    require,
    rule,
    step,
)
from ledger.rules.mnemonic import ladders
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.draft import Being, Draft
from ledger.rules.mnemonic.featherweight import may_use_sheets, use_assigned
from ledger.rules.mnemonic.immunity import (
    add_importance_up,
    find_importance,
    is_rated_anew,
    may_name_importance,
    may_use_fixed_rating,
    read_source,
    rule_anew,
)
from ledger.rules.mnemonic.records import CheckRolled, CheckRuled, RatedTrait, Rolled, name_roll
from ledger.rules.mnemonic.rolls import find_method
from ledger.rules.mnemonic.rulings import cite_ruling, keep_readings, use_up_aptitude
from ledger.rules.mnemonic.state import Character, Resisting
from ledger.rules.mnemonic.status import Status, put_status
from ledger.rules.mnemonic.traits import Aptitude, add_up, count_primary_role, count_trait, may_name_traits
from ledger.rules.mnemonic.words import LUCKY, CheckId, InjuryId, Ladder, Purpose, name_subject, same_name

# --- how well the victim resists --------------------------------------------------------------------------------------


def say_resisting(given: Mapping[str, Any]) -> str:
    """Say which Life Role gave way to the Primary Role, if one did."""
    return (
        "The Primary Role counts instead of the Life Role {instead_of}, which has a lower rating."
        if "instead_of" in given
        else ""
    )


APTITUDE = rule(
    "mnemonic.injury.aptitude",
    "The Aptitude to resist an injury is a Talent, usually Tough, plus a Life Role that helps. If no Life Role "
    "helps, the Primary Role counts instead.",
    "calculating status",
    step=say_resisting,
)


class Judged(Protocol):
    """What the referee rules of a resisting check: of an injury, or to recover."""

    @property
    def chances(self) -> str: ...
    @property
    def role(self) -> str | None: ...
    @property
    def talent(self) -> str | None: ...
    @property
    def life_roles(self) -> tuple[str, ...]: ...
    @property
    def importance(self) -> str | None: ...
    @property
    def assigned(self) -> str | None: ...
    @property
    def method(self) -> str | None: ...
    @property
    def reason(self) -> str: ...


def find_aptitude(dials: Dials, state: Character, do: Judged) -> Aptitude:
    """Return Talent and Role, Talent and script immunity, or an assigned Aptitude, which is complete."""
    require(may_name_traits(APTITUDE, do.assigned, do.role is not None or do.talent is not None or do.life_roles))
    require(may_name_importance(dials, state, do.importance, do.assigned))
    if do.assigned is not None:
        return use_assigned(dials, state, do.assigned)
    require(may_use_sheets(dials))
    ladder = ladders.read_ratings(dials)
    talent = count_trait(dials, ladder, state, "talent", find_talent(dials, state) if do.talent is None else do.talent)
    named = (do.role, *do.life_roles) if do.role is not None else do.life_roles
    roles = tuple(count_trait(dials, ladder, state, "life", name) for name in named)
    if read_source(dials, state) != "off":
        return add_importance_up(ladder, find_importance(dials, ladder, state, do.importance), talent, roles)
    role, lower = _choose_role(dials, ladder, state, roles)
    total = add_up(ladder, "traits", talent, role)
    replaced: dict[str, Any] = {"instead_of": lower.name} if lower is not None else {}
    chosen = step(APTITUDE, total.number, talent=talent.number, role=role.number, kind=role.kind, **replaced)
    return Aptitude(total.number, "traits", total.traits, None, (*total.because, chosen))


def find_talent(dials: Dials, state: Character) -> str:
    """Return the Talent that usually resists injuries."""
    return state.resist_talent or dials.resist_talent


def _choose_role(
    dials: Dials, ladder: Ladder, state: Character, roles: tuple[RatedTrait, ...]
) -> tuple[RatedTrait, RatedTrait | None]:
    """Return the Role that counts, and the lower Life Role that it replaces, where the table prefers the better one.

    The referee's choice stands: the best of the Life Roles named, or the Primary Role where none is named.
    """
    primary = count_primary_role(dials, ladder, state)
    best = max(roles, key=lambda role: role.number, default=primary)
    if dials.resist_life_role_floor and best.number < primary.number:
        return primary, best
    return best, None


# --- a resisting check is called --------------------------------------------------------------------------------------


def say_called(fact: ResistanceCalled, names: Names) -> str:
    aim = "to resist the injury" if fact.injury is not None else "to recover"
    return f"{name_subject(names)} must make a check {aim}."


@fact("resistance-called", says=say_called)
class ResistanceCalled:
    """The character must make a check to resist this `injury`, or to recover."""

    check: CheckId
    injury: InjuryId | None


@changes
@once_created
def call_resistance(state: Character, fact: ResistanceCalled) -> Character | None:
    return changed(state, resisted=True, resisting=state.resisting.put(fact.check, Resisting(fact.injury)))


def make_check(
    draft: Draft,
    do: Judged,
    id: str,
    aptitude: Aptitude,
    purpose: Purpose,
    injury: str | None = None,
    *,
    at_stake: bool,
) -> CheckRuled:
    """Return the check, ruled. `at_stake`: it is a matter of life and death."""
    dials, check = draft.dials, draft.table.new_id()
    chances = ladders.find_chances(dials, do.chances)
    method = find_method(dials, do.method)
    return CheckRuled(
        check,
        purpose,
        id,
        aptitude.traits,
        aptitude.number,
        aptitude.source,
        aptitude.assigned,
        *chances,
        method,
        at_stake,
        keep_readings(dials, method),
        do.reason,
        injury=injury,
        seen_by=draft.readers,
    )


def call(draft: Draft, where: Subject, state: Character, ruled: CheckRuled, aptitude: Aptitude) -> None:
    """Record that a resisting check is called, and that it stands ruled."""
    rule_anew(draft, ruled.character, state, ruled.check, aptitude.importance)
    draft.tell(where, ruled)
    draft.about(ruled.character, ResistanceCalled(ruled.check, ruled.injury))
    use_up_aptitude(draft, ruled)
    cite_ruling(draft, ruled)


# --- and rolled -------------------------------------------------------------------------------------------------------


@fact("resistance-rolled", 2, says="{subject}'s check is rolled. Its result is worked out later.")
class ResistanceRolled:
    """Subject: the character. Its check to resist or recover was rolled. The result is worked out later."""

    check: CheckId
    rolled: Rolled


@changes
@once_created
def keep_roll(state: Character, fact: ResistanceRolled) -> Character | None:
    """Keep the roll of a check that was called and has neither a roll nor a result."""
    check = find_open(state, fact.check)
    if check is None or check.rolled is not None:
        return None
    return put_resisting(state, fact.check, changed(check, rolled=fact.rolled))


def leave(draft: Draft, ruled: CheckRuled, rolled: CheckRolled) -> None:
    """Record what a character keeps of a roll that waits for a decision: what is decided then is of this roll."""
    if ruled.purpose != "action":
        draft.about(ruled.character, ResistanceRolled(ruled.check, name_roll(rolled)))


def find_open(state: Character, id: str) -> Resisting | None:
    """Return a resisting check that did not come out yet, while its calling stands."""
    check = state.resisting.find(id)
    return check if check is not None and not check.settled else None


def match_roll(check: Resisting | None, rolled: Rolled | None, at_once: bool) -> Resisting | None:
    """Return the check with this roll: with its own, or at once with the first one. None if it has a different roll."""
    if check is None:
        return None
    if at_once and rolled is not None:
        return changed(check, rolled=rolled) if check.rolled is None else None
    if rolled is None or check.rolled is None:  # of edition 1, which named no roll where it was decided at once
        return check if rolled is check.rolled else None
    return check if rolled.is_same(check.rolled) else None


def settle(state: Character, id: str, check: Resisting, status: Status) -> Character:
    """Return the character after a resisting check came out: once, and of the very roll it was decided about."""
    return put_resisting(put_status(state, status), id, changed(check, settled=True))


def put_resisting(state: Character, id: str, check: Resisting) -> Character:
    return changed(state, resisting=state.resisting.put(id, check))


# --- with what it can be made -----------------------------------------------------------------------------------------


def list_resistances(draft: Draft, being: Being) -> Iterator[dict[str, Domain]]:
    """Yield what a resisting check can be made with: an assigned Aptitude, or traits."""
    if usable := draft.list_usable(being):
        yield {"assigned": Among(usable)}
    if may_use_sheets(draft.dials) is not None:
        return
    match read_source(draft.dials, being.state):
        case "lucky":
            yield from _list_beside_lucky(draft, being)
        case "important" if is_rated_anew(draft.dials, being.state):
            yield from ({**fields, "importance": Among(draft.ratings)} for fields in _list_traits(draft, being))
        case "important":
            if may_use_fixed_rating(draft.dials, draft.ladder, being.state) is None:
                yield from _list_traits(draft, being)
        case _:
            yield from _list_traits(draft, being)


def _list_traits(draft: Draft, being: Being) -> Iterator[dict[str, Domain]]:
    """Yield the traits: the usual Talent or a named one; Life Roles as the referee finds them to help."""
    if talents := _list_talents(draft, being):
        yield {"talent": _or_any(being, "talent", talents), **_list_roles(being)}


def _list_talents(draft: Draft, being: Being) -> tuple[str | None, ...]:
    """Return the Talents that can be named; None is the usual one."""
    usual = being.count("talent", find_talent(draft.dials, being.state))
    return (*(() if usual is None else (None,)), *being.list_names("talent"))


def _list_roles(being: Being) -> dict[str, Domain]:
    lives = being.list_names("life")
    any_name = being.takes_any_name("life")
    several: Domain = Some(_or_any(being, "life", lives)) if lives or any_name else Among(((),))
    return {"role": _or_any(being, "life", (None, *lives)), "life_roles": several}


def _or_any(being: Being, kind: str, names: tuple[str | None, ...]) -> Domain:
    """Return these names, or any name where unrated traits count as well."""
    if not being.takes_any_name(kind):
        return Among(names)
    return Either((Among(names), OPEN)) if names else OPEN


def _list_beside_lucky(draft: Draft, being: Being) -> Iterator[dict[str, Domain]]:
    """Yield Lucky and another trait; beside Lucky itself only a larger Life Role counts."""
    luck = being.count("talent", LUCKY)
    if luck is None:
        return
    usual, talents, roles = find_talent(draft.dials, being.state), _list_talents(draft, being), _list_roles(being)
    lucky = tuple(name for name in talents if same_name(name or usual) == same_name(LUCKY))
    others = tuple(name for name in talents if name not in lucky)
    if others:
        yield {**roles, "talent": Among(others) if None in lucky else _or_any(being, "talent", others)}
    larger = tuple(name for name in being.list_names("life") if (being.numbers["life"][name] or 0) > luck)
    if lucky and larger:
        items = Among(being.list_names("life"))
        helped = Either(tuple(Some(items, required=(name,)) for name in larger))
        yield {**roles, "talent": Among(lucky), "role": Among(larger)}
        yield {**roles, "talent": Among(lucky), "life_roles": helped}
