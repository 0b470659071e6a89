"""Resisting: the Aptitude with which a character resists an injury, and how the check is called for and stored.

A resisting check is stored on its board and with its character. Its result counts once, and only for the roll from
which it was worked out. With a different roll it goes adrift.
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
from ledger.rules.mnemonic.featherweight import may_use_sheets, use_assignment
from ledger.rules.mnemonic.immunity import (
    add_importance_up,
    is_rated_anew,
    may_name_importance,
    may_use_fixed_rating,
    read_immunity_rating,
    read_source,
    record_importance_anew,
)
from ledger.rules.mnemonic.records import CheckRolled, CheckRuled, RatedTrait, Rolled, refer_to_roll
from ledger.rules.mnemonic.rolls import read_method
from ledger.rules.mnemonic.rulings import cite_ruling, keep_readings, use_up_aptitude
from ledger.rules.mnemonic.state import Character, Resisting
from ledger.rules.mnemonic.status import Status, put_status
from ledger.rules.mnemonic.traits import Aptitude, add_up, may_name_traits, read_primary_role, read_trait
from ledger.rules.mnemonic.words import LUCKY, CheckId, InjuryId, Ladder, Purpose, name_subject, normalize_name

# --- the Aptitude to resist -------------------------------------------------------------------------------------------


def say_role_replaced(given: Mapping[str, Any]) -> str:
    """Put into words which Life Role the Primary Role replaced, if it replaced one."""
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
    step=say_role_replaced,
)


class ResistanceRuling(Protocol):
    """The referee's decisions about a resisting check, for an injury or for a recovery."""

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


def work_out_aptitude(dials: Dials, state: Character, do: ResistanceRuling) -> Aptitude:
    """Return the Aptitude: Talent plus Role, Talent plus script immunity, or an assigned one, to which nothing is
    added.
    """
    require(may_name_traits(APTITUDE, do.assigned, do.role is not None or do.talent is not None or do.life_roles))
    require(may_name_importance(dials, state, do.importance, do.assigned))
    if do.assigned is not None:
        return use_assignment(dials, state, do.assigned)
    require(may_use_sheets(dials))
    ladder = ladders.read_ratings(dials)
    talent = read_trait(
        dials, ladder, state, "talent", name_usual_talent(dials, state) if do.talent is None else do.talent
    )
    role_names = (do.role, *do.life_roles) if do.role is not None else do.life_roles
    roles = tuple(read_trait(dials, ladder, state, "life", name) for name in role_names)
    if read_source(dials, state) != "off":
        return add_importance_up(ladder, read_immunity_rating(dials, ladder, state, do.importance), talent, roles)
    role, lower_role = _choose_role(dials, ladder, state, roles)
    total = add_up(ladder, "traits", talent, role)
    replaced_values: dict[str, Any] = {"instead_of": lower_role.name} if lower_role is not None else {}
    choice_step = step(
        APTITUDE, total.number, talent=talent.number, role=role.number, kind=role.kind, **replaced_values
    )
    return Aptitude(total.number, "traits", total.traits, None, (*total.because, choice_step))


def name_usual_talent(dials: Dials, state: Character) -> str:
    return state.resist_talent or dials.resist_talent


def _choose_role(
    dials: Dials, ladder: Ladder, state: Character, roles: tuple[RatedTrait, ...]
) -> tuple[RatedTrait, RatedTrait | None]:
    """Return the Role that counts and, if the table prefers the better Role, the lower Life Role that it replaces.

    The referee chooses: the best of the Life Roles named counts, or the Primary Role if none is named.
    """
    primary_role = read_primary_role(dials, ladder, state)
    best_role = max(roles, key=lambda role: role.number, default=primary_role)
    if dials.resist_life_role_floor and best_role.number < primary_role.number:
        return primary_role, best_role
    return best_role, None


# --- calling for a resisting check ------------------------------------------------------------------------------------


def say_called(fact: ResistanceCalled, names: Names) -> str:
    purpose_phrase = "to resist the injury" if fact.injury is not None else "to recover"
    return f"{name_subject(names)} must make a check {purpose_phrase}."


@fact("resistance-called", says=say_called)
class ResistanceCalled:
    """The character was asked to make a check to resist this `injury`, or to recover."""

    check: CheckId
    injury: InjuryId | None


@changes
@once_created
def call_resistance(state: Character, fact: ResistanceCalled) -> Character | None:
    return changed(state, resisted=True, resisting=state.resisting.put(fact.check, Resisting(fact.injury)))


def make_check(
    draft: Draft,
    do: ResistanceRuling,
    character_id: str,
    aptitude: Aptitude,
    purpose: Purpose,
    injury_id: str | None = None,
    *,
    is_at_stake: bool,
) -> CheckRuled:
    """Return the ruled check. `is_at_stake`: whether it is a matter of life and death."""
    dials, check_id = draft.dials, draft.table.new_id()
    chances = ladders.read_chances_row(dials, do.chances)
    method = read_method(dials, do.method)
    return CheckRuled(
        check_id,
        purpose,
        character_id,
        aptitude.traits,
        aptitude.number,
        aptitude.source,
        aptitude.assigned,
        *chances,
        method,
        is_at_stake,
        keep_readings(dials, method),
        do.reason,
        injury=injury_id,
        seen_by=draft.readers,
    )


def call_check(draft: Draft, place: Subject, state: Character, ruled_check: CheckRuled, aptitude: Aptitude) -> None:
    """Record that a resisting check was called for and ruled on."""
    record_importance_anew(draft, ruled_check.character, state, ruled_check.check, aptitude.importance)
    draft.tell(place, ruled_check)
    draft.about(ruled_check.character, ResistanceCalled(ruled_check.check, ruled_check.injury))
    use_up_aptitude(draft, ruled_check)
    cite_ruling(draft, ruled_check)


# --- rolling a resisting check ----------------------------------------------------------------------------------------


@fact("resistance-rolled", 2, says="{subject}'s check is rolled. Its result is worked out later.")
class ResistanceRolled:
    """Subject: the character. Its check to resist or recover was rolled. The result is worked out later."""

    check: CheckId
    rolled: Rolled


@changes
@once_created
def keep_roll(state: Character, fact: ResistanceRolled) -> Character | None:
    """Store the roll with the character's check, if the check is still open and has no roll."""
    resisting = find_open_resisting(state, fact.check)
    if resisting is None or resisting.rolled is not None:
        return None
    return put_resisting(state, fact.check, changed(resisting, rolled=fact.rolled))


def record_waiting_roll(draft: Draft, ruled_check: CheckRuled, rolled: CheckRolled) -> None:
    """Record a roll that waits for a decision with its character, so that the decision counts only for this roll."""
    if ruled_check.purpose != "action":
        draft.about(ruled_check.character, ResistanceRolled(ruled_check.check, refer_to_roll(rolled)))


def find_open_resisting(state: Character, check_id: str) -> Resisting | None:
    """Return a resisting check that was called for and has no result yet, or None."""
    resisting = state.resisting.find(check_id)
    return resisting if resisting is not None and not resisting.settled else None


def match_roll(resisting: Resisting | None, rolled: Rolled | None, is_at_once: bool) -> Resisting | None:
    """Return the check with this roll, or None if it has a different roll or there is no check.

    A result that is worked out at once gives the check its first roll.
    """
    if resisting is None:
        return None
    if is_at_once and rolled is not None:
        return changed(resisting, rolled=rolled) if resisting.rolled is None else None
    if rolled is None or resisting.rolled is None:  # in edition 1, a result worked out at once named no roll
        return resisting if rolled is resisting.rolled else None
    return resisting if rolled.is_same(resisting.rolled) else None


def settle_resisting(state: Character, check_id: str, resisting: Resisting, status: Status) -> Character:
    """Return the character with this Status and the resisting check settled."""
    return put_resisting(put_status(state, status), check_id, changed(resisting, settled=True))


def put_resisting(state: Character, check_id: str, resisting: Resisting) -> Character:
    return changed(state, resisting=state.resisting.put(check_id, resisting))


# --- the traits that can be used --------------------------------------------------------------------------------------


def list_resistances(draft: Draft, being: Being) -> Iterator[dict[str, Domain]]:
    """Yield the fields for a resisting check: an assigned Aptitude, or traits."""
    if assignment_ids := draft.list_usable_assignment_ids(being):
        yield {"assigned": Among(assignment_ids)}
    if may_use_sheets(draft.dials) is not None:
        return
    match read_source(draft.dials, being.state):
        case "lucky":
            yield from _list_beside_lucky(draft, being)
        case "important" if is_rated_anew(draft.dials, being.state):
            yield from ({**fields, "importance": Among(draft.ratings)} for fields in _list_trait_fields(draft, being))
        case "important":
            if may_use_fixed_rating(draft.dials, draft.ladder, being.state) is None:
                yield from _list_trait_fields(draft, being)
        case _:
            yield from _list_trait_fields(draft, being)


def _list_trait_fields(draft: Draft, being: Being) -> Iterator[dict[str, Domain]]:
    """Yield the fields for traits: the usual Talent or a named one, and Life Roles that the referee
    may find helpful.
    """
    if talents := _list_talents(draft, being):
        yield {"talent": _make_name_domain(being, "talent", talents), **_make_role_fields(being)}


def _list_talents(draft: Draft, being: Being) -> tuple[str | None, ...]:
    """Return the Talents that can be named; None is the usual one."""
    usual_number = being.read_number("talent", name_usual_talent(draft.dials, being.state))
    return (*(() if usual_number is None else (None,)), *being.list_names("talent"))


def _make_role_fields(being: Being) -> dict[str, Domain]:
    life_roles = being.list_names("life")
    is_any_possible = bool(life_roles) or being.can_take_any_name("life")
    other_roles: Domain = Some(_make_name_domain(being, "life", life_roles)) if is_any_possible else Among(((),))
    return {"role": _make_name_domain(being, "life", (None, *life_roles)), "life_roles": other_roles}


def _make_name_domain(being: Being, kind: str, names: tuple[str | None, ...]) -> Domain:
    """Return these names, or any name if unrated traits can be used too."""
    if not being.can_take_any_name(kind):
        return Among(names)
    return Either((Among(names), OPEN)) if names else OPEN


def _list_beside_lucky(draft: Draft, being: Being) -> Iterator[dict[str, Domain]]:
    """Yield Lucky with another trait. If the Talent is Lucky itself, a larger Life Role is needed."""
    luck_number = being.read_number("talent", LUCKY)
    if luck_number is None:
        return
    usual_talent = name_usual_talent(draft.dials, being.state)
    talents, role_fields = _list_talents(draft, being), _make_role_fields(being)
    lucky_talents = tuple(name for name in talents if normalize_name(name or usual_talent) == normalize_name(LUCKY))
    other_talents = tuple(name for name in talents if name not in lucky_talents)
    if other_talents:
        talent_domain = _make_name_domain(being, "talent", other_talents)
        yield {**role_fields, "talent": Among(other_talents) if None in lucky_talents else talent_domain}
    larger_roles = tuple(
        name for name in being.list_names("life") if (being.numbers_by_kind["life"][name] or 0) > luck_number
    )
    if lucky_talents and larger_roles:
        role_domain = Among(being.list_names("life"))
        larger_role_domain = Either(tuple(Some(role_domain, required=(name,)) for name in larger_roles))
        yield {**role_fields, "talent": Among(lucky_talents), "role": Among(larger_roles)}
        yield {**role_fields, "talent": Among(lucky_talents), "life_roles": larger_role_domain}
