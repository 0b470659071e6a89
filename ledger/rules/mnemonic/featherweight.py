"""Play without sheets: abilities described in words, Aptitudes assigned case by case, and the record that keeps them
consistent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from ledger.rules.kernel.kit import (
    Among,
    Asking,
    Between,
    CharacterId,
    Domain,
    Either,
    Move,
    Reason,
    Refusal,
    Refused,
    RuleId,
    Says,
    SeatId,
    Seen,
    Story,
    Title,
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
    step,
)
from ledger.rules.mnemonic import ladders
from ledger.rules.mnemonic.agreeing import ASSIGN, Judgement, ask_agreement, ask_assent, ask_explanation, ask_judgement
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.draft import Being, Draft
from ledger.rules.mnemonic.immunity import REASON_NEEDED
from ledger.rules.mnemonic.referee import (
    REFEREE,
    find_player,
    is_referee,
    list_represented_ids,
    may_have_referee,
    may_rule,
    may_speak_for,
    offer_to_referees,
    read_referee,
    referee_or_player,
)
from ledger.rules.mnemonic.sessions import TookPart, join_session, may_name_session
from ledger.rules.mnemonic.shelves import Log
from ledger.rules.mnemonic.state import Assignment, Campaign, Character, Noted, Ready
from ledger.rules.mnemonic.traits import Aptitude, TraitName, add_traits, list_pairs
from ledger.rules.mnemonic.words import (
    AptitudeNumber,
    AssignmentId,
    CheckId,
    Readers,
    SessionId,
    collapse_spaces,
    normalize_name,
)

MODE = rule(
    "mnemonic.feather.mode",
    "A table can play without assigned Aptitudes, can assign every Aptitude, or can choose between an assigned "
    "Aptitude and traits for each check.",
    "featherweight mnemonic",
)
OFF = Refusal(MODE, "feather-off", "This table plays without assigned Aptitudes.")
SHEETLESS = Refusal(MODE, "sheetless", "At this table every Aptitude is assigned. Traits are not used.")


@guards
def may_assign(dials: Dials) -> Refused | None:
    return OFF() if dials.feather_mode == "off" else None


@guards
def may_use_sheets(dials: Dials) -> Refused | None:
    """Refuse a check with traits if the table assigns every Aptitude."""
    return SHEETLESS() if dials.feather_mode == "on" else None


# --- what a character can do, in words --------------------------------------------------------------------------------

DESCRIBE = rule(
    "mnemonic.feather.describe",
    "The player or the referee describes what a character can do, and the other must agree.",
    "featherweight mnemonic",
)


@fact("abilities-described", says="It is agreed what {subject} can do: “{text}”")
class AbilitiesDescribed:
    """Subject: the character. The player and the referee agreed on what the character can do. `by`: the seat that wrote
    the description. `assented`: the seat that agreed; empty if nobody else had to. `reported`: why a game master
    answered for that seat.
    """

    version: int
    text: Story
    by: SeatId
    assented: SeatId | None
    reported: Reason


@fact("abilities-objected", says="{objected} does not agree with this description of {subject}: “{text}”")
class AbilitiesObjected:
    """Subject: the character. This description was proposed, and the seat in `objected` did not agree."""

    text: Story
    by: SeatId
    objected: SeatId
    reported: Reason


@changes
@once_created
def put_description(state: Character, fact: AbilitiesDescribed) -> Character | None:
    return changed(state, abilities=fact.text, abilities_version=state.abilities_version + 1)


@changes
@once_created
def keep_description(state: Character, fact: AbilitiesObjected) -> Character | None:
    return state


@declares(
    "describe-abilities",
    referee_or_player("character"),
    says="What {character} can do: “{text}”",
    records=(AbilitiesDescribed, AbilitiesObjected),
)
class DescribeAbilities:
    """Describe what a character can do, instead of a sheet or in addition to one. If the player writes the description,
    the referee must agree. If the referee writes it, the player must agree.
    """

    character: CharacterId
    text: Annotated[Story, Says("Description", "What the character can do.")]


@decides
def describe_abilities(draft: Draft, do: DescribeAbilities) -> Asking[None]:
    """Record a new description of what the character can do, once the other side agrees."""
    require(may_speak_for(draft, do.character))
    table, author = draft.table, draft.table.by.seat
    version = draft.character(do.character).abilities_version + 1
    other_seat = find_player(table, do.character) if is_referee(table) else read_referee(draft)
    answer = Judgement()
    if other_seat is not None:
        character_name = table.name(character(do.character))
        answer = yield from ask_assent(
            other_seat, DESCRIBE, f"with this description of {character_name}? “{do.text.strip()}”"
        )
    if other_seat is not None and not answer.has_agreed:
        draft.about(do.character, AbilitiesObjected(do.text, author, other_seat, answer.report_reason))
    else:
        draft.about(do.character, AbilitiesDescribed(version, do.text, author, other_seat, answer.report_reason))
    draft.by(DESCRIBE, version if answer.has_agreed else "objected", asked=other_seat)


@offers
def offer_to_describe(seen: Seen, draft: Draft) -> Iterator[Move]:
    represented_ids, seat_id = list_represented_ids(draft), seen.seat.seat
    if represented_ids and may_have_referee(draft) is None:
        yield Move(DescribeAbilities, {"character": Among(represented_ids)}, of=seat_id, seats=(seat_id,))


# --- an Aptitude for one precise task ---------------------------------------------------------------------------------

KEY = rule(
    "mnemonic.feather.key",
    "An Aptitude is assigned for one precise task. A task described in different words is a different task.",
    "featherweight mnemonic",
)
RECORD = rule(
    "mnemonic.feather.record",
    "Every Aptitude assigned for a task stays on record, with its difference from the previous one.",
    "featherweight mnemonic",
)
NO_APTITUDE = Refusal(
    ASSIGN,
    "no-standing-aptitude",
    "There is no assigned Aptitude[ for {task}] to use. The referee must assign one first.",
)
NO_PLAYER = Refusal(
    ASSIGN,
    "player-judgement-needed",
    "{character} has no player who could judge the Aptitude. Assign it without asking a player.",
)


@fact("aptitude-assigned", says="{subject}'s Aptitude for {task} is {final}[ (“{reason}”)].", headline=9)
class AptitudeAssigned:
    """Subject: the character. An Aptitude was assigned for one precise task. `ref`, `player`, `agreed`: the referee's,
    the player's and the agreed number. `gap`: the difference between the first two. `previous`: the previous assignment
    for the same task. `drift`: the difference from that assignment. `tolerance`: how large the drift can be without a
    reason. `sheet_sum`: the sum of the named traits. `reported`: why a game master answered for the player. `session`:
    empty outside sessions. Then `session_count` is the number of sessions played before, or 1 if there were none.
    """

    assignment: AssignmentId
    task: Title
    key: Title
    ref: int
    player: int | None
    agreed: int | None
    final: int
    gap: int | None
    previous: AssignmentId | None
    previous_final: int | None
    drift: int | None
    drifted: bool
    tolerance: int
    repeated: bool
    sheet_sum: int | None
    session: SessionId | None
    session_count: int
    reason: Reason
    reported: Reason


@fact("assignment-noted", says="{character}'s Aptitude for {task} is recorded as {final}[ (“{reason}”)].")
class AssignmentNoted:
    """Subject: the campaign. An Aptitude was assigned for a task. The record shows how the numbers change over time."""

    assignment: AssignmentId
    character: CharacterId
    task: Title
    key: Title
    final: int
    tolerance: int
    reason: Reason


@changes
@once_created
def put_assignment(state: Character, fact: AptitudeAssigned) -> Character | None:
    """Assign an Aptitude, with its drift from the last assignment for the task that was not overturned."""
    state = join_session(state, fact.session) if fact.session is not None else state
    task_log: Log[Assignment] = state.tasks.find(fact.key) or Log()
    last_assignment = task_log.last
    drift = fact.final - last_assignment.final if last_assignment is not None else None
    assignment = Assignment(
        fact.assignment,
        fact.task,
        fact.ref,
        fact.player,
        fact.agreed,
        fact.final,
        fact.gap,
        last_assignment.id if last_assignment is not None else None,
        drift,
        drift is not None and abs(drift) > fact.tolerance,
        fact.sheet_sum,
        fact.session,
        fact.reason,
        fact.reported,
    )
    ready_by_id = {**state.ready, fact.assignment: Ready(fact.key, fact.task, fact.final)}
    return changed(state, tasks=state.tasks.put(fact.key, task_log.with_last(assignment)), ready=ready_by_id)


@changes
def note_assigned_number(state: Campaign, fact: AssignmentNoted) -> Campaign:
    key = f"{fact.character}/{fact.key}"
    last_number = state.tasks.find(key)
    tasks = state.tasks.put(key, fact.final)
    drift = fact.final - last_number if last_number is not None else None
    if drift is None or abs(drift) <= fact.tolerance:
        return changed(state, tasks=tasks)
    drifted_number = Noted(fact.assignment, fact.character, fact.task, fact.final, drift, fact.reason)
    return changed(state, tasks=tasks, drifted=state.drifted.with_last(drifted_number))


@declares(
    "assign-aptitude",
    REFEREE,
    says="The referee judges {character}'s Aptitude for {task}[: {ref}][ (“{reason}”)].",
    records=(TookPart, AptitudeAssigned, AssignmentNoted),
)
class AssignAptitude:
    """Assign an Aptitude for one precise task. In a character's first sessions, the player is asked to judge the
    Aptitude, too.

    `task`: the precise task, in words. `traits`: the two traits that fit the task. Their sum is recorded for
    comparison. `session`: the open session. You can leave it out. `reason`: needed if the number differs too much from
    the previous one.
    """

    character: CharacterId
    task: Title
    ref: Annotated[AptitudeNumber | None, Says("Referee's number", "Leave it out to repeat the previous number.")] = (
        None
    )
    ask: Annotated[
        bool,
        Says(
            "Ask the player", "If true, the player must judge the Aptitude even after the character's first sessions."
        ),
    ] = False
    agreed: Annotated[
        AptitudeNumber | None,
        Says("Number agreed on", "Only if you and the player have already agreed. The player must confirm it."),
    ] = None
    reason: Reason = ""
    session: SessionId | None = None
    traits: tuple[TraitName, ...] = ()


@decides
def assign_aptitude(draft: Draft, do: AssignAptitude) -> Asking[None]:
    """Assign an Aptitude for one precise task, and record how far it is from the previous one.

    The session count decides whether the player is asked too. If the two judgements are not similar, the two sides must
    agree on a number. A difference from the last number for the task needs a reason.
    """
    require(may_rule(draft))
    dials, state = draft.dials, draft.character(do.character)
    require(may_assign(dials))
    key = normalize_name(do.task)
    if not key:
        raise ladders.NAME_EMPTY.under(KEY)
    require(may_name_session(draft, do.session))
    session, session_count = _find_session_and_count(draft, state)
    last_assignment = task_log.last if (task_log := state.tasks.find(key)) is not None else None
    sheet_sum = add_traits(dials, state, do.traits).number if do.traits else None
    referee_number, agreed_number = _read_numbers(dials, do, last_assignment)
    reason = do.reason.strip() and do.reason
    if not reason and _has_drifted(dials, last_assignment, referee_number if agreed_number is None else agreed_number):
        raise REASON_NEEDED.under(ASSIGN, previous=last_assignment.final if last_assignment else None)
    judged = yield from _gather_judgements(draft, do, referee_number, agreed_number, session_count)
    has_drifted = _has_drifted(dials, last_assignment, judged.final)
    if has_drifted and not reason:
        reason = yield from ask_explanation(draft, do.task)
    assigned = AptitudeAssigned(
        draft.table.new_id(),
        collapse_spaces(do.task),
        key,
        judged.ref,
        judged.player,
        judged.agreed,
        judged.final,
        judged.gap,
        last_assignment.id if last_assignment is not None else None,
        last_assignment.final if last_assignment is not None else None,
        judged.final - last_assignment.final if last_assignment is not None else None,
        has_drifted,
        dials.feather_drift_tolerance,
        do.ref is None,
        sheet_sum,
        session,
        session_count,
        reason,
        judged.report_reason,
    )
    _record_assignment(draft, do.character, state, assigned)
    draft.by(KEY, key)
    numbers: dict[str, Any] = {"ref": judged.ref, "player": judged.player, "agreed": judged.agreed, "gap": judged.gap}
    draft.by(ASSIGN, judged.final, **numbers, session_count=session_count)
    draft.by(RECORD, assigned.drift, previous=assigned.previous_final, drifted=has_drifted)


def _has_drifted(dials: Dials, last_assignment: Assignment | None, number: int) -> bool:
    return last_assignment is not None and abs(number - last_assignment.final) > dials.feather_drift_tolerance


def _find_session_and_count(draft: Draft, state: Character) -> tuple[str | None, int]:
    """Return the open session, if any, and the number of sessions played, including that one (between sessions, at
    least 1).
    """
    session_id = draft.table.session
    if session_id is None:
        return None, max(state.sessions, 1)
    return session_id, state.sessions + (state.session != session_id)


def _read_numbers(dials: Dials, do: AssignAptitude, last_assignment: Assignment | None) -> tuple[int, int | None]:
    """Return the referee's number (if left out, the last one for the task), and the agreed number, if any."""
    referee_number = do.ref
    if referee_number is None:
        if last_assignment is None:
            raise NO_APTITUDE(task=do.task)
        referee_number = last_assignment.final
    ladder = ladders.read_ratings(dials)
    agreed_number = do.agreed
    return ladders.read_aptitude(ladder, referee_number), ladders.read_aptitude(
        ladder, agreed_number
    ) if agreed_number is not None else None


@dataclass(frozen=True, slots=True)
class Judged:
    """The referee's, the player's and the agreed number, and the `final` one. `gap`: the difference between the first
    two. `report_reason`: why a game master answered for the player.
    """

    ref: int
    player: int | None
    agreed: int | None
    final: int
    gap: int | None
    report_reason: str = ""


def _gather_judgements(
    draft: Draft, do: AssignAptitude, referee_number: int, proposal: int | None, session_count: int
) -> Asking[Judged]:
    """Return the numbers. The final number is the referee's or, if the player is asked too and the two judgements
    differ too much, the agreed number.
    """
    player = find_player(draft.table, do.character)
    is_player_wanted = do.ask or proposal is not None
    if player is None:
        if is_player_wanted:
            raise NO_PLAYER(character=do.character)
        return Judged(referee_number, None, None, referee_number, None)
    if not is_player_wanted and session_count > draft.dials.feather_calibration_sessions:
        return Judged(referee_number, None, None, referee_number, None)
    judgement = yield from ask_judgement(draft.dials, player, do.task)
    gap = abs(referee_number - judgement.aptitude)
    if proposal is None and gap <= draft.dials.feather_similarity:
        return Judged(referee_number, judgement.aptitude, None, referee_number, gap, judgement.report_reason)
    agreement = yield from ask_agreement(draft, player, judgement, proposal, do.task)
    return Judged(
        referee_number, judgement.aptitude, agreement.aptitude, agreement.aptitude, gap, agreement.report_reason
    )


def _record_assignment(draft: Draft, character_id: str, state: Character, assigned: AptitudeAssigned) -> None:
    """Record the Aptitude, count the character as taking part in the session, and note the number
    for the campaign too.
    """
    if assigned.session is not None and state.session != assigned.session:
        draft.about(character_id, TookPart(assigned.session))
    draft.about(character_id, assigned)
    first_fields = (assigned.assignment, character_id, assigned.task, assigned.key)
    draft.campaign_wide(AssignmentNoted(*first_fields, assigned.final, assigned.tolerance, assigned.reason))


@offers
def offer_to_assign(seen: Seen, draft: Draft) -> Iterator[Move]:
    if may_rule(draft) is None:
        for being in draft.beings_by_id.values():
            yield from offer_to_referees(draft, list_assigning_moves(draft, being))


def list_assigning_moves(draft: Draft, being: Being, awaits: RuleId | None = None) -> Iterator[Move]:
    """Yield the moves that assign an Aptitude: a new number, or the last one for the same task."""
    if not draft.ladder or may_assign(draft.dials) is not None:
        return
    possible_numbers = Between(2 * draft.ladder[0][1], 2 * draft.ladder[-1][1])
    pair_domains = list_pairs(being)
    fields: dict[str, Domain] = {
        "character": Among((being.id,)),
        "session": Among(tuple(dict.fromkeys((None, draft.table.session)))),
        "traits": Either((Among(((),)), *pair_domains)) if pair_domains else Among(((),)),
    }
    if find_player(draft.table, being.id) is not None:
        fields |= {"ask": Among((False, True)), "agreed": Either((Among((None,)), possible_numbers))}
    yield Move(AssignAptitude, {**fields, "ref": possible_numbers}, awaits)
    if tasks := _list_tasks(draft, being):
        yield Move(AssignAptitude, {**fields, "task": Among(tasks), "ref": Among((None,))}, awaits)


def _list_tasks(draft: Draft, being: Being) -> tuple[str, ...]:
    """Return the tasks whose last number is still a possible Aptitude."""
    last_assignments = [log.last for _, log in sorted(being.state.tasks.items()) if log.last is not None]
    return tuple(
        last_assignment.task
        for last_assignment in last_assignments
        if ladders.may_be_aptitude(draft.ladder, last_assignment.final) is None
    )


# --- using an Aptitude for a check ------------------------------------------------------------------------------------


@fact("aptitude-used", version=2, says="{subject}'s assigned Aptitude is used for this check.")
class AptitudeUsed:
    """Subject: the character. This check uses the assigned Aptitude, which no other check can use. `seen_by`: the seats
    that can see this, the same as for the check.
    """

    assignment: AssignmentId
    check: CheckId
    seen_by: Readers | None = None


@changes
@once_created
def use_up(state: Character, fact: AptitudeUsed) -> Character | None:
    if fact.assignment not in state.ready:
        return None
    ready_by_id = {
        assignment_id: assignment
        for assignment_id, assignment in state.ready.items()
        if assignment_id != fact.assignment
    }
    if fact.seen_by is None:
        return changed(state, ready=ready_by_id)
    return changed(state, ready=ready_by_id, secretly={**state.secretly, fact.assignment: fact.seen_by})


def use_assignment(dials: Dials, state: Character, assignment_id: str) -> Aptitude:
    """Return the Aptitude of an assignment made for this check. Refuses `feather-off`, `no-standing-aptitude`."""
    require(may_assign(dials))
    ready_assignment = state.ready.get(assignment_id)
    if ready_assignment is None:
        raise NO_APTITUDE(assigned=assignment_id)
    number = ladders.read_aptitude(ladders.read_ratings(dials), ready_assignment.final)
    assigning_step = step(ASSIGN, number, assigned=assignment_id, task=ready_assignment.task)
    return Aptitude(number, "assigned", (), assignment_id, (assigning_step,))
