"""Injuries: the cause, the worst possible effect, and the result. The referee rules on the cause and the worst effect
before the victim rolls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from ledger.rules.kernel.kit import (
    Among,
    Audience,
    CharacterId,
    Domain,
    Move,
    Names,
    Reason,
    Refusal,
    Refused,
    Says,
    Seen,
    SharedRefusal,
    Subject,
    Viewer,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    guards,
    offers,
    once_created,
    require,
    rule,
)
from ledger.rules.mnemonic.boards import find_action, find_check, find_injury
from ledger.rules.mnemonic.draft import Being, Draft
from ledger.rules.mnemonic.featherweight import AptitudeUsed
from ledger.rules.mnemonic.immunity import REASON_NEEDED, ImportanceRuled, list_readers_of_resistance
from ledger.rules.mnemonic.records import CheckResolved, CheckRuled, InjuryRuled, Rolled
from ledger.rules.mnemonic.referee import REFEREE, may_rule, offer_to_referees
from ledger.rules.mnemonic.resisting import (
    ResistanceCalled,
    call_check,
    find_open_resisting,
    list_resistances,
    make_check,
    match_roll,
    settle_resisting,
    work_out_aptitude,
)
from ledger.rules.mnemonic.rulings import make_check_fields
from ledger.rules.mnemonic.sessions import BegunLate, record_on_board
from ledger.rules.mnemonic.state import Action, Board, Character, Check, on_its_board
from ledger.rules.mnemonic.status import (
    COMBINE,
    Status,
    apply_injury,
    cite_posting,
    count_off,
    find_word,
    move_status,
    put_status,
    read_status,
)
from ledger.rules.mnemonic.words import (
    FINE,
    INACTIVE,
    OTHER_WORDS,
    SEVERITY,
    ActionStage,
    AssignmentOfVictim,
    Cause,
    CauseWord,
    ChancesName,
    CheckId,
    Combine,
    Condition,
    ConditionWord,
    InjuryId,
    MethodWord,
    MnemonicWord,
    RatingName,
    TraitOfVictim,
    is_cause,
    is_condition,
    name_level,
    name_subject,
)

# --- causes -----------------------------------------------------------------------------------------------------------

CAUSE = rule(
    "mnemonic.injury.cause",
    "An injury has a cause: an attack that succeeds, a dodge that fails, a Spectacular Failure, or the referee's "
    "ruling.",
    "calculating status",
)
UNKNOWN_CAUSE = Refusal(
    CAUSE,
    "unknown-cause",
    "{cause} is not a cause of an injury. Choose an attack, a failed dodge, a Spectacular Failure or the referee's"
    " ruling.",
)
MISSING = Refusal(CAUSE, "cause-missing", "Name the check or action that caused the injury.")
NOT_SUCCESS = Refusal(CAUSE, "cause-not-success", "That check or action did not succeed, so it causes no injury.")
NOT_FAILURE = Refusal(CAUSE, "cause-not-failure", "That check or action did not fail, so it causes no injury.")
NOT_SPECTACULAR = Refusal(
    CAUSE,
    "cause-not-spectacular",
    "That check was not a Spectacular Failure. Choose one that was.",
)
NOT_VICTIM = Refusal(
    CAUSE,
    "cause-not-victim",
    "Somebody else made that attempt. Name the victim's own attempt to avoid the injury.",
)
ALREADY_INJURED = Refusal(CAUSE, "already-injured", "{victim} already has an injury from that check or action.")
UNFIT_BY_CAUSE: Mapping[Cause, Refusal] = {
    "attack": NOT_SUCCESS,
    "avoidance": NOT_FAILURE,
    "spectacular": NOT_SPECTACULAR,
}
#: By cause: the ruling with which an action causes an injury without a roll.
_STAGE_WITHOUT_ROLL: Mapping[str, ActionStage] = {"attack": "certain", "avoidance": "impossible"}


@dataclass(frozen=True, slots=True)
class InjuryCause:
    """The cause of an injury: its kind, the check or action (and its place), the size of its result, and the roll."""

    kind: Cause
    place: Subject
    check_id: str | None = None
    success_count: int | None = None
    failure_count: int | None = None
    rolled: Rolled | None = None


def read_cause(draft: Draft, do: RuleInjury) -> InjuryCause:
    """Return the cause: an attack that succeeded, a dodge that failed, a Spectacular Failure, or the referee's
    decision.
    """
    cause, cause_id = do.cause, do.cause_check
    if not is_cause(cause):
        raise UNKNOWN_CAUSE(cause=cause)
    if cause == "referee":
        if not do.reason.strip():
            raise REASON_NEEDED.under(CAUSE, reason=do.reason)
        if (
            cause_id is not None
            and find_check(draft.table, cause_id) is None
            and find_action(draft.table, cause_id) is None
        ):
            raise MISSING(check=cause_id)
        return InjuryCause(cause, draft.place())
    if not cause_id:
        raise MISSING(cause=cause)
    place_and_check = find_check(draft.table, cause_id)
    if place_and_check is not None:
        require(may_check_cause_injury(cause, place_and_check[1], do.victim))
        return _read_result(cause, *place_and_check)
    place_and_action = find_action(draft.table, cause_id)
    if place_and_action is None or cause not in _STAGE_WITHOUT_ROLL:
        raise UNFIT_BY_CAUSE[cause](check=cause_id)
    place, action = place_and_action
    require(may_action_cause_injury(cause, action, do.victim))
    return InjuryCause(cause, place, cause_id)


def _read_result(cause: Cause, place: Subject, check: Check) -> InjuryCause:
    result = check.resolved
    assert result is not None, "`may_check_cause_injury` has checked this"
    success_count = result.successes if cause == "attack" else None
    failure_count = result.failures if cause != "attack" else None
    return InjuryCause(cause, place, check.ruled.check, success_count, failure_count, result.rolled)


@guards
def may_check_cause_injury(cause: Cause, check: Check, victim: str) -> Refused | None:
    """Refuse a check that cannot cause an injury in this way, or that has already injured the victim."""
    check_id, result = check.ruled.check, check.resolved
    if cause == "avoidance" and check.ruled.character != victim:
        return NOT_VICTIM(check=check_id)
    if result is None or not _can_result_cause(cause, result):
        return UNFIT_BY_CAUSE[cause](check=check_id)
    return ALREADY_INJURED(check=check_id, victim=victim) if victim in check.injured else None


def _can_result_cause(cause: Cause, result: CheckResolved) -> bool:
    if cause == "attack":
        return result.success
    return not result.success if cause == "avoidance" else result.fluke == "spectacular_failure"


@guards
def may_action_cause_injury(cause: Cause, action: Action, victim: str) -> Refused | None:
    """Refuse an action that cannot cause an injury in this way, or that has already injured the victim.

    Without a roll, only a dodge that was ruled impossible has failed, and only an attack that was ruled certain has
    succeeded.
    """
    if cause == "avoidance" and action.character != victim:
        return NOT_VICTIM(check=action.id)
    if action.stage != _STAGE_WITHOUT_ROLL.get(cause):
        return UNFIT_BY_CAUSE[cause](check=action.id)
    return ALREADY_INJURED(check=action.id, victim=victim) if victim in action.injured else None


# --- the ruling -------------------------------------------------------------------------------------------------------

WORST = rule(
    "mnemonic.injury.worst",
    "Before the roll, the referee says whether a victim who fails to resist is immobilized, unconscious or dead.",
    "calculating status",
)
UNKNOWN_CONDITION = Refusal(
    WORST,
    "unknown-condition",
    "{worst} is not possible. A victim who fails to resist is immobilized, unconscious or dead.",
)
CHECK = rule(
    "mnemonic.injury.check",
    "The victim makes one Success Check to resist an injury.",
    "calculating status",
    outcome="id",
)
DEAD = SharedRefusal("dead", "{character} is dead and can neither resist nor recover.")


@changes
@on_its_board
def put_injury(board: Board, fact: InjuryRuled) -> Board:
    """Put the injury on the board, and note it with its cause. If the cause was overturned, the injury still stands."""
    new_board = changed(board, injuries=board.injuries.put(fact.injury, fact))
    cause_id = fact.cause_check
    if cause_id is None:
        return new_board
    check, action = new_board.checks.find(cause_id), new_board.actions.find(cause_id)
    if check is not None:
        new_check = changed(check, injured=(*check.injured, fact.victim))
        return changed(new_board, checks=new_board.checks.put(cause_id, new_check))
    if action is not None:
        new_action = changed(action, injured=(*action.injured, fact.victim))
        return changed(new_board, actions=new_board.actions.put(cause_id, new_action))
    return new_board


def say_injury(do: RuleInjury, names: Names) -> str:
    """Return the injury in words, without the parts that may be hidden: Chances and traits."""
    return f"{names.name(character(do.victim))} must resist an injury or end up {OTHER_WORDS.get(do.worst, do.worst)}."


@declares(
    "rule-injury",
    REFEREE,
    says=say_injury,
    records=(InjuryRuled, ImportanceRuled, CheckRuled, ResistanceCalled, AptitudeUsed, BegunLate),
)
class RuleInjury:
    """Rule on an injury: everything that the referee decides before the victim rolls.

    `cause`: an attack that succeeded (`attack`), a dodge that failed (`avoidance`) or a Spectacular Failure
    (`spectacular`). Also name the check that caused the injury. Or choose `referee` and give a reason. `method`: leave
    it out for the usual way to roll. `reason`: why you make this ruling. A reason is usually given.
    """

    victim: CharacterId
    cause: CauseWord
    worst: Annotated[ConditionWord, Says("Worst result", "What happens to a victim who fails to resist.")]
    chances: Annotated[ChancesName, Says("Chances", "How likely the victim is to stay active.")]
    cause_check: Annotated[
        CheckId | None,
        Says(
            "Check or action that caused the injury",
            "Name the action instead of a check if the action was ruled certain or impossible.",
        ),
    ] = None
    role: Annotated[
        TraitOfVictim | None,
        Says("Life Role", "A Life Role that helps to resist the injury. Leave it out to use the Primary Role."),
    ] = None
    talent: Annotated[
        TraitOfVictim | None, Says("Talent", "Leave it out to use the Talent that usually resists injuries.")
    ] = None
    life_roles: Annotated[
        tuple[TraitOfVictim, ...], Says("Other Life Roles", "If several Life Roles help, the best of them counts.")
    ] = ()
    importance: Annotated[
        RatingName | None,
        Says("Script immunity", "Give a rating only if the table rates script immunity for each check."),
    ] = None
    assigned: Annotated[AssignmentOfVictim | None, Says("Assigned Aptitude", "It counts instead of traits.")] = None
    method: MethodWord | None = None
    reason: Reason = ""


@guards
def may_be_injured(draft: Draft, character_id: str) -> Refused | None:
    return DEAD.under(COMBINE, character=character_id) if draft.character(character_id).condition == "dead" else None


def read_worst_condition(word: str) -> Condition:
    """Return the condition of a victim who fails to resist. Refuses `unknown-condition`."""
    condition = OTHER_WORDS.get(word, word)
    if not is_condition(condition):
        raise UNKNOWN_CONDITION(worst=word)
    return condition


@decides
def rule_injury(draft: Draft, do: RuleInjury) -> None:
    """Record everything that the referee decides about an injury before the roll. The record is hidden if script
    immunity is hidden.
    """
    require(may_rule(draft))
    state = draft.character(do.victim)
    require(may_be_injured(draft, do.victim))
    injury_id = draft.table.new_id()
    with draft.write_secretly(list_readers_of_resistance(draft.dials, do.victim, state)):
        cause = read_cause(draft, do)
        worst_condition = read_worst_condition(do.worst)
        aptitude = work_out_aptitude(draft.dials, state, do)
        ruled_check = make_check(
            draft, do, do.victim, aptitude, "resist", injury_id, is_at_stake=worst_condition == "dead"
        )
        injury = InjuryRuled(
            injury_id,
            ruled_check.check,
            do.victim,
            cause.kind,
            cause.check_id,
            cause.success_count,
            cause.failure_count,
            worst_condition,
            state.primary_role,
            draft.dials.status_combine,
            do.reason,
            ruled_check.seen_by,
            cause.rolled,
        )
        record_on_board(draft, cause.place, injury)
        draft.by(CAUSE, cause.kind, check=cause.check_id)
        draft.by(WORST, worst_condition, successes=cause.success_count, failures=cause.failure_count)
        draft.cite_steps(aptitude.because)
        call_check(draft, cause.place, state, ruled_check, aptitude)
        draft.by(CHECK, ruled_check.check, injury=injury_id)


@offers
def offer_injuries(seen: Seen, draft: Draft) -> Iterator[Move]:
    if may_rule(draft) is None:
        yield from offer_to_referees(draft, _list_moves(draft))


def _list_moves(draft: Draft) -> Iterator[Move]:
    check_fields = make_check_fields(draft)
    for beings in draft.groups_with_same_rulings:
        if may_be_injured(draft, beings[0].id) is not None:
            continue
        resistances = tuple(list_resistances(draft, beings[0]))
        for cause_fields, victims in _list_causes(draft, beings):
            for fields in resistances:
                other_fields: dict[str, Domain] = {
                    "victim": Among(victims),
                    "worst": Among(SEVERITY),
                }  # one word for each condition
                yield Move(RuleInjury, {**check_fields, **cause_fields, **fields, **other_fields})


def _list_causes(draft: Draft, beings: list[Being]) -> Iterator[tuple[dict[str, Domain], tuple[str, ...]]]:
    """Yield the fields of each possible cause, and its victims. A cause is the referee's decision, a check or an
    action.
    """
    yield {"cause": Among(("referee",))}, tuple(being.id for being in beings)
    victims_by_cause: dict[tuple[Cause, tuple[str, ...]], list[str]] = {}
    for being in beings:
        for cause in CAUSES:
            if cause_ids := _list_cause_ids(draft, cause, being.id):
                victims_by_cause.setdefault((cause, cause_ids), []).append(being.id)
    for (cause, cause_ids), victims in victims_by_cause.items():
        yield {"cause": Among((cause,)), "cause_check": Among(cause_ids)}, tuple(victims)


CAUSES: tuple[Cause, ...] = ("attack", "avoidance", "spectacular")


def _list_cause_ids(draft: Draft, cause: Cause, victim: str) -> tuple[str, ...]:
    """Return the checks, and the actions ruled certain or impossible, that can have injured this victim."""
    boards = draft.boards
    checks = [check for check in boards.resolved_checks if may_check_cause_injury(cause, check, victim) is None]
    actions = [action for action in boards.all_actions if may_action_cause_injury(cause, action, victim) is None]
    return (*(check.ruled.check for check in checks), *(action.id for action in actions))


# --- the result -------------------------------------------------------------------------------------------------------

RESULT = rule(
    "mnemonic.injury.result",
    "A victim who fails to resist becomes immobilized, unconscious or dead, as the referee ruled. Otherwise, the "
    "injury leaves the victim at the level of Status that equals the number of Successes, at most 6.",
    "calculating status",
)


def say_result(fact: InjuryResolved, names: Names) -> str:
    """Put into words the result of the injury alone. The Status may already be worse."""
    if not fact.condition and fact.level == FINE:
        return f"{name_subject(names)} resists the injury."
    preposition = "" if fact.condition else "at "
    return f"The injury alone would leave {name_subject(names)} {preposition}{name_level(fact.level, fact.condition)}."


@fact("injury-resolved", 2, says=say_result, headline=3)
class InjuryResolved:
    """Subject: the victim. The result of an injury was worked out. `combine`: how it combines with the Status. `word`:
    the name of its level; empty if the victim failed to resist. `check`: the check to resist; empty for a death that
    was described as a consequence. `rolled`: the roll with this result. `at_once`: whether the result was worked out in
    the ruling that entered the roll.
    """

    injury: InjuryId
    check: CheckId | None
    rolled: Rolled | None
    word: MnemonicWord | None
    level: int
    condition: Condition | None
    combine: Combine
    at_once: bool = False


@changes
@once_created
def injure(state: Character, fact: InjuryResolved) -> Character | None:
    status = apply_injury(read_status(state), Status(fact.level, fact.condition), fact.combine)
    if fact.check is None:
        return put_status(state, status)
    resisting = match_roll(find_open_resisting(state, fact.check), fact.rolled, fact.at_once)
    return settle_resisting(state, fact.check, resisting, status) if resisting is not None else None


def resolve_injury(draft: Draft, ruled_check: CheckRuled, result: CheckResolved, is_at_once: bool) -> None:
    """Apply the result. Any Failure makes the victim inactive, with the worst possible condition. For Successes, the
    mnemonic gives the level.
    """
    injury = find_injury(draft.table, ruled_check.injury or "")
    assert injury is not None, "`may_continue_check` has checked this"
    status = Status(count_off(result.successes)) if result.success else Status(INACTIVE, injury.worst)
    resolved = make_result(
        injury.injury, status, injury.combine, ruled_check.check, result.rolled, is_at_once=is_at_once
    )
    record_injury(draft, ruled_check.character, resolved, ruled_check.seen_by)


def make_result(
    injury_id: str,
    status: Status,
    combine: Combine,
    check_id: str | None,
    rolled: Rolled | None,
    *,
    is_at_once: bool = False,
) -> InjuryResolved:
    """Return the injury's own result, whatever the victim's Status is."""
    word = find_word(status.level)
    return InjuryResolved(injury_id, check_id, rolled, word, status.level, status.condition, combine, is_at_once)


def record_injury(draft: Draft, victim: str, result: InjuryResolved, audience: Audience) -> None:
    """Record an injury's result and how it changes the victim's Status.

    `audience`: the readers of the result. Everybody can see the change of Status, even if the result is hidden.
    """
    before, after = move_status(draft, victim, result, f"injury/{result.injury}", audience)
    draft.by(RESULT, result.level, audience, word=result.word, condition=result.condition)
    draft.by(COMBINE, after.level, before=before.level, condition=after.condition, combine=result.combine)
    cite_posting(draft, before, after)


# --- views ------------------------------------------------------------------------------------------------------------


def view_injuries(board: Board, viewer: Viewer) -> list[dict[str, object]]:
    return [_view_injury(injury, viewer) for injury in board.injuries.in_order()]


def _view_injury(injury: InjuryRuled, viewer: Viewer) -> dict[str, object]:
    shown_values: dict[str, object] = {
        "id": injury.injury,
        "victim": injury.victim,
        "cause": injury.cause,
        "cause_check": injury.cause_check,
        "check": injury.check,
        "worst": injury.worst,
    }
    if viewer.may_see(injury.seen_by):
        shown_values |= {
            "seen_successes": injury.seen_successes,
            "seen_failures": injury.seen_failures,
            "primary_role": injury.primary_role,
            "reason": injury.reason,
        }
    return shown_values
