"""Recovery checks: the character resists the injury again, and its Status rises by the result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from ledger.rules.kernel.kit import (
    OPEN,
    Among,
    Between,
    CharacterId,
    Domain,
    Move,
    Names,
    Reason,
    Refused,
    Says,
    Seen,
    Story,
    Title,
    Viewer,
    by_name,
    changed,
    changes,
    decides,
    declares,
    fact,
    guards,
    offers,
    once_created,
    require,
)
from ledger.rules.mnemonic.actions import OUT_OF_ORDER
from ledger.rules.mnemonic.boards import find_check
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.featherweight import AptitudeUsed
from ledger.rules.mnemonic.immunity import ImportanceRuled, list_readers_of_resistance
from ledger.rules.mnemonic.records import CameOut, CheckResolved, CheckRuled, RecoveryRuled, Rolled, refer_to_result
from ledger.rules.mnemonic.recovery import (
    CHECK,
    RATE,
    describe_rate,
    make_treatment_fields,
    may_improve,
    may_recover,
    may_recover_by,
    read_level,
    read_treatment,
)
from ledger.rules.mnemonic.referee import REFEREE, may_rule, offer_to_referees
from ledger.rules.mnemonic.resisting import (
    ResistanceCalled,
    call_check,
    find_open_resisting,
    list_resistances,
    make_check,
    match_roll,
    put_resisting,
    settle_resisting,
    work_out_aptitude,
)
from ledger.rules.mnemonic.rulings import make_check_fields
from ledger.rules.mnemonic.shown import is_whole_shown
from ledger.rules.mnemonic.state import Board, Character, Check, of_its_check, on_its_board
from ledger.rules.mnemonic.status import (
    StatusChanged,
    cite_posting,
    count_off,
    move_status,
    read_status,
    rise_by_one,
    rise_to,
)
from ledger.rules.mnemonic.words import (
    FINE,
    AssignmentOfCharacter,
    ChancesName,
    CheckId,
    CheckReading,
    Level,
    LifeOrDeath,
    MethodWord,
    RatingName,
    TraitOfCharacter,
    name_level,
)

# --- before the roll --------------------------------------------------------------------------------------------------


@changes
@on_its_board
def put_recovery(board: Board, fact: RecoveryRuled) -> Board:
    return changed(board, recoveries=board.recoveries.put(fact.check, fact))


@declares(
    "rule-recovery-check",
    REFEREE,
    says="{character} must make a recovery check.",
    records=(RecoveryRuled, ImportanceRuled, CheckRuled, ResistanceCalled, AptitudeUsed),
)
class RuleRecoveryCheck:
    """Rule on a recovery check: the character resists the injury again.

    `method`: leave it out for the usual way to roll.
    """

    character: CharacterId
    chances: Annotated[ChancesName, Says("Chances", "How likely the character is to recover.")]
    role: Annotated[
        TraitOfCharacter | None,
        Says("Life Role", "A Life Role that helps to recover. Leave it out to use the Primary Role."),
    ] = None
    talent: Annotated[
        TraitOfCharacter | None, Says("Talent", "Leave it out to use the Talent that usually resists injuries.")
    ] = None
    life_roles: Annotated[
        tuple[TraitOfCharacter, ...], Says("Other Life Roles", "If several Life Roles help, the best of them counts.")
    ] = ()
    importance: Annotated[
        RatingName | None,
        Says("Script immunity", "Give a rating only if the table rates script immunity for each check."),
    ] = None
    assigned: Annotated[AssignmentOfCharacter | None, Says("Assigned Aptitude", "It counts instead of traits.")] = None
    method: MethodWord | None = None
    reason: Reason = ""
    elapsed: Annotated[Title, Says("Time passed", "In words, such as “a few moments”.")] = ""
    treatment: Annotated[Story, Says("Treatment", "How the injury was treated, in words.")] = ""
    treated_by: Annotated[
        CheckId | None, Says("Treatment check", "The check that somebody made to treat the injury, if there was one.")
    ] = None
    life_or_death: LifeOrDeath = False


@decides
def rule_recovery_check(draft: Draft, do: RuleRecoveryCheck) -> None:
    """Rule on a second resisting check. Like the first, it is ruled on before the roll, and the
    same parts are hidden.
    """
    require(may_rule(draft))
    state = draft.character(do.character)
    require(may_recover_by(draft, "check"))
    require(may_improve(draft, do.character))
    with draft.write_secretly(list_readers_of_resistance(draft.dials, do.character, state)):
        aptitude = work_out_aptitude(draft.dials, state, do)
        ruled_check = make_check(draft, do, do.character, aptitude, "recovery", is_at_stake=do.life_or_death)
        place, treatment = draft.place(), read_treatment(draft, do.treated_by)
        role = state.primary_role
        recovery = RecoveryRuled(
            ruled_check.check,
            do.character,
            do.elapsed,
            do.treatment,
            role,
            do.reason,
            ruled_check.seen_by,
            do.treated_by,
            treatment.success_count,
            treatment.failure_count,
            treatment.rolled,
        )
        draft.tell(place, recovery)
        draft.by(
            RATE,
            ruled_check.chances_number,
            elapsed=do.elapsed,
            treatment=do.treatment,
            primary_role=role,
            **describe_rate(state),
            **treatment.describe(),
        )
        draft.cite_steps(aptitude.because)
        draft.by(CHECK, "ruled", reading=ruled_check.readings.recovery)
        call_check(draft, place, state, ruled_check, aptitude)


@offers
def offer_recovery_checks(seen: Seen, draft: Draft) -> Iterator[Move]:
    if may_rule(draft) is None and may_recover_by(draft, "check") is None:
        yield from offer_to_referees(draft, _list_moves(draft))


def _list_moves(draft: Draft) -> Iterator[Move]:
    check_fields: dict[str, Domain] = {
        **make_check_fields(draft),
        **make_treatment_fields(draft),
        "life_or_death": OPEN,
    }
    for beings in draft.groups_with_same_rulings:
        if may_improve(draft, beings[0].id) is None:
            characters = Among(tuple(being.id for being in beings))
            for fields in list_resistances(draft, beings[0]):
                yield Move(RuleRecoveryCheck, {**check_fields, **fields, "character": characters})


# --- the result -------------------------------------------------------------------------------------------------------


def say_rises(fact: RecoveryChecked, names: Names) -> str:
    if fact.step:
        return "The recovery check raises Status by one level."
    return (
        "The recovery check changes nothing."
        if fact.to is None
        else f"The recovery check raises Status to {name_level(fact.to)}."
    )


@fact("recovery-checked", 2, says=say_rises, headline=5)
class RecoveryChecked:
    """Subject: the character. The result of its recovery check was worked out. After a success, either `to` is the
    level that the Successes give or the referee names, or `step` is true and Status rises by one level. After a
    failure, `to` is empty and `step` is false. `rolled`: the roll with this result. `result`: the result that the
    referee saw when naming the level. `at_once`: whether the result was worked out in the ruling that entered the roll.
    """

    check: CheckId
    rolled: Rolled | None
    result: CameOut | None
    reading: CheckReading
    to: int | None
    step: bool
    at_once: bool = False


@changes
@once_created
def recover_by_check(state: Character, fact: RecoveryChecked) -> Character | None:
    resisting = find_open_resisting(state, fact.check)
    if fact.reading == "referee":
        awaited = resisting.awaited if resisting is not None else None
        resisting = resisting if awaited and awaited.is_same(fact.result) else None
    else:
        resisting = match_roll(resisting, fact.rolled, fact.at_once)
    if resisting is None:
        return None
    present_status = read_status(state)
    status = (
        rise_by_one(present_status)
        if fact.step
        else rise_to(present_status, fact.to)
        if fact.to is not None
        else present_status
    )
    return settle_resisting(state, fact.check, resisting, status)


def resolve_recovery(draft: Draft, ruled_check: CheckRuled, result: CheckResolved, is_at_once: bool) -> None:
    """Apply the result. Failure changes nothing. The effect of a success depends on an option. At some tables, the
    referee names the level later.

    Until then, the same facts are recorded for failure and success, because a different number of facts would reveal
    the result of a hidden check.
    """
    reading = ruled_check.readings.recovery
    if reading == "referee":
        awaited = RecoveryAwaited(ruled_check.check, refer_to_result(result), is_at_once)
        draft.about(ruled_check.character, awaited, audience=ruled_check.seen_by)
        draft.by(CHECK, "to be named" if result.success else None, ruled_check.seen_by, reading=reading)
        return
    level = count_off(result.successes) if result.success and reading == "mnemonic" else None
    is_step = result.success and reading == "step"
    _record_recovery(
        draft, ruled_check, RecoveryChecked(ruled_check.check, result.rolled, None, reading, level, is_step, is_at_once)
    )


def _record_recovery(draft: Draft, ruled_check: CheckRuled, recovery: RecoveryChecked) -> None:
    """Record a recovery check's result and how it changes the Status, which everybody can see."""
    before, after = move_status(
        draft, ruled_check.character, recovery, f"recovery/{ruled_check.check}", ruled_check.seen_by
    )
    draft.by(CHECK, recovery.to, ruled_check.seen_by, reading=recovery.reading, step=recovery.step)
    cite_posting(draft, before, after)


# --- a level that the referee names -----------------------------------------------------------------------------------


@fact(
    "recovery-awaited",
    2,
    says="{subject}'s recovery check is rolled. The referee decides how much it helps.",
)
class RecoveryAwaited:
    """Subject: the character. Its recovery check had this `result`. The referee still has to decide whether the result
    helps, and how much. `at_once`: whether the result was worked out in the ruling that entered the roll.
    """

    check: CheckId
    result: CameOut
    at_once: bool = False


def say_named(fact: RecoveryNamed, names: Names) -> str:
    return f"The recovery raises Status to {name_level(fact.to)}."


@fact("recovery-named", 2, says=say_named)
class RecoveryNamed:
    """The level that the referee named for this `result` of a recovery check."""

    check: CheckId
    to: int
    result: CameOut | None = None


@changes
@once_created
def await_recovery(state: Character, fact: RecoveryAwaited) -> Character | None:
    resisting = find_open_resisting(state, fact.check)
    if fact.result.rolled is not None:  # in edition 1, the fact had no result
        resisting = match_roll(resisting, fact.result.rolled, fact.at_once)
    if resisting is None or resisting.awaited is not None:
        return None
    return put_resisting(state, fact.check, changed(resisting, awaited=fact.result))


@changes
@of_its_check
def mark_recovered(check: Check, fact: RecoveryNamed) -> Check | None:
    if check.resolved is None or not check.resolved.success or check.recovered:
        return None
    is_for_result = fact.result is None or fact.result.is_same(refer_to_result(check.resolved))
    return changed(check, recovered=True) if is_for_result else None


def say_naming(do: NameRecovery, names: Names) -> str:
    level_phrase = f": to {name_level(do.level)}" if isinstance(do.level, int) else ""
    return f"The referee decides how far the Status rises{level_phrase}."


@declares("name-recovery", REFEREE, says=say_naming, records=(RecoveryNamed, RecoveryChecked, StatusChanged))
class NameRecovery:
    """Name the level that a successful recovery check leads to, at a table where the referee does this."""

    check: CheckId
    level: Annotated[Level | None, Says("New level", "A level of Status, where 6 is Fine.")] = None


@guards
def may_name_recovery(check: Check) -> Refused | None:
    """Refuse a check that did not succeed, or for which no level has to be named."""
    ruled_check, result = check.ruled, check.resolved
    is_for_referee = ruled_check.purpose == "recovery" and ruled_check.readings.recovery == "referee"
    if result is None or not is_for_referee or not result.success or check.recovered:
        return OUT_OF_ORDER(check=ruled_check.check)
    return None


@decides
def name_recovery(draft: Draft, do: NameRecovery) -> None:
    """Record the level that a successful recovery check leads to."""
    require(may_rule(draft))
    place_and_check = find_check(draft.table, do.check)
    if place_and_check is None:
        raise OUT_OF_ORDER(check=do.check)
    place, check = place_and_check
    require(may_name_recovery(check))
    ruled_check, result = check.ruled, check.resolved
    assert result is not None, "`may_name_recovery` has checked this"
    require(may_recover(draft, ruled_check.character))
    level = read_level(draft, ruled_check.character, do.level)
    seen_result = refer_to_result(result)
    draft.tell(place, RecoveryNamed(do.check, level, seen_result), audience=ruled_check.seen_by)
    _record_recovery(draft, ruled_check, RecoveryChecked(do.check, result.rolled, seen_result, "referee", level, False))


@offers
def offer_to_name(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer to name levels. A seat that may not know the result does not see that the table waits for the referee."""
    for checks, awaits in ((draft.boards.checks, CHECK), (draft.boards.left_checks, None)):
        for check in checks:
            if is_whole_shown(check) and may_name_recovery(check) is None:
                yield from offer_to_referees(draft, _list_naming_moves(draft, check.ruled, awaits))


def _list_naming_moves(draft: Draft, ruled_check: CheckRuled, awaits: str | None) -> Iterator[Move]:
    if ruled_check.character in draft.roster and may_improve(draft, ruled_check.character) is None:
        higher_levels = Between(draft.character(ruled_check.character).level + 1, FINE)
        yield Move(NameRecovery, {"check": Among((ruled_check.check,)), "level": higher_levels}, awaits)


# --- views ------------------------------------------------------------------------------------------------------------


def view_recoveries(board: Board, viewer: Viewer) -> list[dict[str, object]]:
    return [_view_recovery(recovery) for recovery in board.recoveries.in_order() if viewer.may_see(recovery.seen_by)]


def _view_recovery(recovery: RecoveryRuled) -> dict[str, object]:
    shown_values = by_name(recovery)
    del shown_values["seen_by"]
    return shown_values
