"""Injuries: what causes one, what it can do at worst, and what it does; all ruled before the victim rolls."""

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
    call,
    find_aptitude,
    find_open,
    list_resistances,
    make_check,
    match_roll,
    settle,
)
from ledger.rules.mnemonic.rulings import list_judged
from ledger.rules.mnemonic.sessions import BegunLate, begin
from ledger.rules.mnemonic.state import Action, Board, Character, Check, on_its_board
from ledger.rules.mnemonic.status import (
    COMBINE,
    Status,
    cite_posting,
    count_off,
    find_word,
    move_status,
    put_status,
    read_status,
    strike,
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

# --- what can cause one -----------------------------------------------------------------------------------------------

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
UNFIT: Mapping[Cause, Refusal] = {
    "attack": NOT_SUCCESS,
    "avoidance": NOT_FAILURE,
    "spectacular": NOT_SPECTACULAR,
}
#: How an action was ruled that causes an injury without a roll.
_WITHOUT_A_ROLL: Mapping[str, ActionStage] = {"attack": "certain", "avoidance": "impossible"}


@dataclass(frozen=True, slots=True)
class Caused:
    """The cause, the check it is seen by (and where that is), the size of its result, and the roll."""

    kind: Cause
    where: Subject
    check: str | None = None
    successes: int | None = None
    failures: int | None = None
    rolled: Rolled | None = None


def find_cause(draft: Draft, do: RuleInjury) -> Caused:
    """Return an attack that succeeded, a failure to avoid, a Spectacular Failure, or the referee's word."""
    cause, id = do.cause, do.cause_check
    if not is_cause(cause):
        raise UNKNOWN_CAUSE(cause=cause)
    if cause == "referee":
        if not do.reason.strip():
            raise REASON_NEEDED.under(CAUSE, reason=do.reason)
        if id is not None and find_check(draft.table, id) is None and find_action(draft.table, id) is None:
            raise MISSING(check=id)
        return Caused(cause, draft.place())
    if not id:
        raise MISSING(cause=cause)
    check = find_check(draft.table, id)
    if check is not None:
        require(may_come_of_check(cause, check[1], do.victim))
        return _read_result(cause, *check)
    action = find_action(draft.table, id)
    if action is None or cause not in _WITHOUT_A_ROLL:
        raise UNFIT[cause](check=id)
    require(may_come_of_action(cause, action[1], do.victim))
    return Caused(cause, action[0], id)


def _read_result(cause: Cause, where: Subject, check: Check) -> Caused:
    result = check.resolved
    assert result is not None, "`may_come_of_check` looked"
    successes = result.successes if cause == "attack" else None
    failures = result.failures if cause != "attack" else None
    return Caused(cause, where, check.ruled.check, successes, failures, result.rolled)


@guards
def may_come_of_check(cause: Cause, check: Check, victim: str) -> Refused | None:
    """Refuse a check that is no such cause, or that has injured the victim already."""
    id, result = check.ruled.check, check.resolved
    if cause == "avoidance" and check.ruled.character != victim:
        return NOT_VICTIM(check=id)
    if result is None or not _fits(cause, result):
        return UNFIT[cause](check=id)
    return ALREADY_INJURED(check=id, victim=victim) if victim in check.injured else None


def _fits(cause: Cause, result: CheckResolved) -> bool:
    if cause == "attack":
        return result.success
    return not result.success if cause == "avoidance" else result.fluke == "spectacular_failure"


@guards
def may_come_of_action(cause: Cause, action: Action, victim: str) -> Refused | None:
    """Refuse an action that is no such cause, or that has injured the victim already.

    Without a number, only a dodge ruled impossible has failed, and only an attack ruled certain has succeeded.
    """
    if cause == "avoidance" and action.character != victim:
        return NOT_VICTIM(check=action.id)
    if action.stage != _WITHOUT_A_ROLL.get(cause):
        return UNFIT[cause](check=action.id)
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
    """Put the injury on the board, and note it at its cause. If the cause does not stand, the injury does."""
    after = changed(board, injuries=board.injuries.put(fact.injury, fact))
    cause = fact.cause_check
    if cause is None:
        return after
    check, action = after.checks.find(cause), after.actions.find(cause)
    if check is not None:
        injured = changed(check, injured=(*check.injured, fact.victim))
        return changed(after, checks=after.checks.put(cause, injured))
    if action is not None:
        noted = changed(action, injured=(*action.injured, fact.victim))
        return changed(after, actions=after.actions.put(cause, noted))
    return after


def say_injury(do: RuleInjury, names: Names) -> str:
    """Say the injury without what may be hidden: Chances and traits."""
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
    (`spectacular`). Also name the check that caused the injury. Or choose `referee` and give a reason.
    `method`: leave it out for the usual way to roll. `reason`: why you make this ruling. A reason is usually given.
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
    assigned: Annotated[AssignmentOfVictim | None, Says("Assigned Aptitude", "Used instead of traits.")] = None
    method: MethodWord | None = None
    reason: Reason = ""


@guards
def may_be_injured(draft: Draft, id: str) -> Refused | None:
    return DEAD.under(COMBINE, character=id) if draft.character(id).condition == "dead" else None


def read_worst(word: str) -> Condition:
    """Return what becomes of the victim who fails. Refuses `unknown-condition`."""
    condition = OTHER_WORDS.get(word, word)
    if not is_condition(condition):
        raise UNKNOWN_CONDITION(worst=word)
    return condition


@decides
def rule_injury(draft: Draft, do: RuleInjury) -> None:
    """Record the referee's whole judgement of an injury before the roll; hidden with script immunity."""
    require(may_rule(draft))
    state = draft.character(do.victim)
    require(may_be_injured(draft, do.victim))
    injury = draft.table.new_id()
    with draft.secretly(list_readers_of_resistance(draft.dials, do.victim, state)):
        caused = find_cause(draft, do)
        worst = read_worst(do.worst)
        aptitude = find_aptitude(draft.dials, state, do)
        ruled = make_check(draft, do, do.victim, aptitude, "resist", injury, at_stake=worst == "dead")
        judged = InjuryRuled(
            injury,
            ruled.check,
            do.victim,
            caused.kind,
            caused.check,
            caused.successes,
            caused.failures,
            worst,
            state.primary_role,
            draft.dials.status_combine,
            do.reason,
            ruled.seen_by,
            caused.rolled,
        )
        begin(draft, caused.where, judged)
        draft.by(CAUSE, caused.kind, check=caused.check)
        draft.by(WORST, worst, successes=caused.successes, failures=caused.failures)
        draft.cite(aptitude.because)
        call(draft, caused.where, state, ruled, aptitude)
        draft.by(CHECK, ruled.check, injury=injury)


@offers
def offer_injuries(seen: Seen, draft: Draft) -> Iterator[Move]:
    if may_rule(draft) is None:
        yield from offer_to_referees(draft, _list_moves(draft))


def _list_moves(draft: Draft) -> Iterator[Move]:
    judged = list_judged(draft)
    for beings in draft.alike:
        if may_be_injured(draft, beings[0].id) is not None:
            continue
        resistances = tuple(list_resistances(draft, beings[0]))
        for cause, victims in _list_causes(draft, beings):
            for fields in resistances:
                named: dict[str, Domain] = {"victim": Among(victims), "worst": Among(SEVERITY)}  # in one word each
                yield Move(RuleInjury, {**judged, **cause, **fields, **named})


def _list_causes(draft: Draft, beings: list[Being]) -> Iterator[tuple[dict[str, Domain], tuple[str, ...]]]:
    """Yield the causes: the referee's word, or the checks it could come of, each for its victims."""
    yield {"cause": Among(("referee",))}, tuple(being.id for being in beings)
    victims: dict[tuple[Cause, tuple[str, ...]], list[str]] = {}
    for being in beings:
        for cause in CAUSES:
            if ids := _list_causing(draft, cause, being.id):
                victims.setdefault((cause, ids), []).append(being.id)
    for (cause, ids), injured in victims.items():
        yield {"cause": Among((cause,)), "cause_check": Among(ids)}, tuple(injured)


CAUSES: tuple[Cause, ...] = ("attack", "avoidance", "spectacular")


def _list_causing(draft: Draft, cause: Cause, victim: str) -> tuple[str, ...]:
    """Return the checks, and the actions ruled certain or impossible, that can have injured this one."""
    boards = draft.boards
    checks = [check for check in boards.resolved if may_come_of_check(cause, check, victim) is None]
    actions = [action for action in boards.all_actions if may_come_of_action(cause, action, victim) is None]
    return (*(check.ruled.check for check in checks), *(action.id for action in actions))


# --- what it does -----------------------------------------------------------------------------------------------------

RESULT = rule(
    "mnemonic.injury.result",
    "A victim who fails to resist becomes immobilized, unconscious or dead, as the referee ruled. Otherwise, the "
    "injury leaves the victim at the level of Status that equals the number of Successes, at most 6.",
    "calculating status",
)


def say_result(fact: InjuryResolved, names: Names) -> str:
    """Say what the injury alone does; the Status it meets may be worse already."""
    if not fact.condition and fact.level == FINE:
        return f"{name_subject(names)} resists the injury."
    at = "" if fact.condition else "at "
    return f"The injury alone would leave {name_subject(names)} {at}{name_level(fact.level, fact.condition)}."


@fact("injury-resolved", 2, says=say_result, headline=3)
class InjuryResolved:
    """Subject: the victim. The result of an injury. `combine`: how it combines with the Status. `word`: the name of its
    level; empty if the victim failed to resist. `check`: the check to resist; empty for a death that was described as a
    consequence. `rolled`: the roll with this result. `at_once`: whether the result was worked out in the ruling that
    entered the roll.
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
    status = strike(read_status(state), Status(fact.level, fact.condition), fact.combine)
    if fact.check is None:
        return put_status(state, status)
    check = match_roll(find_open(state, fact.check), fact.rolled, fact.at_once)
    return settle(state, fact.check, check, status) if check is not None else None


def resolve(draft: Draft, ruled: CheckRuled, result: CheckResolved, at_once: bool) -> None:
    """Apply the result: any Failure makes inactive, by the worst possibility; a Success counts to its word."""
    injury = find_injury(draft.table, ruled.injury or "")
    assert injury is not None, "`may_go_on` looked"
    status = Status(count_off(result.successes)) if result.success else Status(INACTIVE, injury.worst)
    resolved = make_result(injury.injury, status, injury.combine, ruled.check, result.rolled, at_once=at_once)
    record_injury(draft, ruled.character, resolved, ruled.seen_by)


def make_result(
    injury: str, status: Status, combine: Combine, check: str | None, rolled: Rolled | None, *, at_once: bool = False
) -> InjuryResolved:
    """Return the injury's own result, whatever the Status is that it meets."""
    word = find_word(status.level)
    return InjuryResolved(injury, check, rolled, word, status.level, status.condition, combine, at_once)


def record_injury(draft: Draft, victim: str, result: InjuryResolved, audience: Audience) -> None:
    """Record an injury's result and what it makes of the victim's Status.

    `audience`: of the result. What becomes of the Status is for everybody, whatever is hidden.
    """
    before, after = move_status(draft, victim, result, f"injury/{result.injury}", audience)
    draft.by(RESULT, result.level, audience, word=result.word, condition=result.condition)
    draft.by(COMBINE, after.level, before=before.level, condition=after.condition, combine=result.combine)
    cite_posting(draft, before, after)


# --- what is shown ----------------------------------------------------------------------------------------------------


def view_injuries(board: Board, viewer: Viewer) -> list[dict[str, object]]:
    return [_view_injury(injury, viewer) for injury in board.injuries.in_order()]


def _view_injury(ruled: InjuryRuled, viewer: Viewer) -> dict[str, object]:
    shown: dict[str, object] = {
        "id": ruled.injury,
        "victim": ruled.victim,
        "cause": ruled.cause,
        "cause_check": ruled.cause_check,
        "check": ruled.check,
        "worst": ruled.worst,
    }
    if viewer.may_see(ruled.seen_by):
        shown |= {
            "seen_successes": ruled.seen_successes,
            "seen_failures": ruled.seen_failures,
            "primary_role": ruled.primary_role,
            "reason": ruled.reason,
        }
    return shown
