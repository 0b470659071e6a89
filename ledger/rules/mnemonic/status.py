"""Status: its levels and their names, how injuries and recoveries change it, and the postings for each change.

This is pure arithmetic on (level, condition). Rules and the functions that apply facts both use it, so that they always
agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ledger.rules.kernel.kit import (
    Account,
    Audience,
    Names,
    Posting,
    Refusal,
    Refused,
    Title,
    Told,
    changed,
    changes,
    character,
    fact,
    guards,
    once_created,
    rule,
)
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.state import Character
from ledger.rules.mnemonic.words import (
    FINE,
    INACTIVE,
    MNEMONIC,
    SEVERITY,
    Combine,
    Condition,
    name_level,
    name_subject,
    normalize_name,
)


@dataclass(frozen=True, slots=True)
class Status:
    """A character's Status. `level`: 1 to 6 while active, 0 with a `condition`."""

    level: int
    condition: Condition | None = None


def read_status(state: Character) -> Status:
    return Status(state.level, state.condition)


# --- the names of the levels ------------------------------------------------------------------------------------------

DEFAULT = rule(
    "mnemonic.status.default",
    "A new character's Status is Fine.",
    "calculating status",
    step="A new character is Fine.",
)
NAMES = rule(
    "mnemonic.status.names",
    "Six words stand for levels 1 to 6 of Status: Foxes, Run, Between, Huge, Smoking, Fires. The name of a level "
    "starts with the same letter as its word.",
    "calculating status",
)
SIX_NAMES = Refusal(NAMES, "six-names-needed", "Status needs six names, not {given}.")
SAME_NAME = Refusal(
    NAMES,
    "status-duplicate-name",
    "Two levels of Status have the same name. Choose six different names.",
)
INITIAL = Refusal(NAMES, "status-initial", "{name} must start with the same letter as {word}.")


@guards
def may_be_names(names: tuple[str, ...]) -> Refused | None:
    """Refuse anything except six different names, each with the same initial as its word."""
    if len(names) != len(MNEMONIC):
        return SIX_NAMES(given=len(names))
    if len(set(map(normalize_name, names))) != len(names):
        return SAME_NAME()
    for name, word in zip(names, MNEMONIC, strict=True):
        if normalize_name(name)[:1] != normalize_name(word)[:1]:
            return INITIAL(name=name, word=word)
    return None


def find_word(level: int) -> str | None:
    """Return the word of the mnemonic for a level, or None for an inactive character."""
    return MNEMONIC[level - 1] if 1 <= level <= FINE else None


def name_status(status: Status, names: tuple[str, ...]) -> str:
    if status.level == INACTIVE:
        return f"Inactive ({status.condition})"
    return names[status.level - 1] if 1 <= status.level <= len(names) else str(status.level)


# --- changes of Status ------------------------------------------------------------------------------------------------


def say_combined(given: Mapping[str, Any]) -> str:
    if "before" not in given:
        return ""
    new_level = name_level(given["out"], given.get("condition"))
    old_level = name_level(given["before"]) if given["before"] else ""
    if old_level in ("", new_level):
        return f"The Status is {new_level}."
    return f"The Status was {old_level} and is now {new_level}."


COMBINE = rule(
    "mnemonic.status.combine",
    "An injury changes a character's Status only if its result is worse than the present Status. At some tables, "
    "every result replaces the Status.",
    "calculating status",
    step=say_combined,
)
FOLD = rule(
    "mnemonic.status.fold",
    "A character's Status starts at Fine. Each injury and recovery that was not overturned then changes it, in"
    " the order in which they were recorded.",
    "calculating status",
)
#: The rule that the functions below apply to every fact. No ruling cites it.
WORKED_OUT = (FOLD,)


def count_off(success_count: int) -> int:
    """Return the level that the mnemonic gives: its word at the number of Successes, or its last word if there are
    more.
    """
    return min(success_count, FINE)


def apply_injury(present_status: Status, result: Status, combine: Combine) -> Status:
    """Return the Status after an injury's result. The Status of a dead character does not change."""
    if present_status.condition == "dead":
        return present_status
    if combine == "replace" or result.level < present_status.level:
        return result
    if result.level == present_status.level == INACTIVE:
        return Status(INACTIVE, choose_more_severe(present_status.condition, result.condition))
    return present_status


def choose_more_severe(*conditions: Condition | None) -> Condition | None:
    """Return the most severe condition: dead before unconscious, unconscious before immobilized. Return None if there
    is no condition.
    """
    given_conditions = [condition for condition in conditions if condition is not None]
    return max(given_conditions, key=SEVERITY.index) if given_conditions else None


def rise_to(present_status: Status, level: int) -> Status:
    """Return the Status after a recovery. A higher level replaces the present one and ends a condition. Dead characters
    do not recover.
    """
    if present_status.condition == "dead" or level <= present_status.level:
        return present_status
    return Status(min(level, FINE))


def rise_by_one(present_status: Status) -> Status:
    return rise_to(present_status, present_status.level + 1) if present_status.level < FINE else present_status


def put_status(state: Character, status: Status) -> Character:
    """Return the character with this Status. The rate of recovery is removed once the character is Fine."""
    if status.level == state.level and status.condition == state.condition:
        return state
    rate = state.recovery_rate if status.level < FINE else ""
    return changed(state, level=status.level, condition=status.condition, recovery_rate=rate)


# --- postings ---------------------------------------------------------------------------------------------------------

POSTING = rule(
    "mnemonic.status.posting",
    "Each level of Status lost or regained is recorded. The record is corrected if an earlier ruling is overturned.",
    "calculating status",
)

ACCOUNTS: tuple[Account, ...] = (
    Account("character:<id>/status:lost", "status", "All levels of Status that the character has lost."),
    Account("character:<id>/status:regained", "status", "All levels of Status that the character has regained."),
    Account("world/status:injury-<id>", "status", "The levels of Status that one injury took away."),
    Account("world/status:recovery-<id>", "status", "The levels of Status that one recovery gave back."),
)


def say_status(fact: StatusChanged, names: Names) -> str:
    before = name_level(fact.from_level, fact.from_condition)
    after = name_level(fact.to_level, fact.to_condition)
    return f"{name_subject(names)}'s Status changes from {before} to {after}."


@fact("status-changed", says=say_status, headline=2)
class StatusChanged:
    """Subject: the character. Its Status changed. `posting`: the number of levels gained; negative if levels were lost.
    `cause`: `injury/<id>` or `recovery/<id>`. The Status itself is worked out from injuries and recoveries, not from
    this fact.
    """

    from_level: int
    from_condition: Condition | None
    to_level: int
    to_condition: Condition | None
    posting: int
    cause: Title


@changes
@once_created
def keep_status(state: Character, fact: StatusChanged) -> Character | None:
    """Leave the character as it is: the Status follows from injuries and recoveries."""
    return state


def list_status_changes(
    character_id: str, before: Status, after: Status, cause: str
) -> tuple[Told[StatusChanged], ...]:
    """Return the change of Status, posted under its cause (`injury/<id>`, `recovery/<id>`), or nothing if there is no
    change.

    Levels lost and levels regained have separate accounts that are only ever credited, so that overturning one ruling
    cannot overdraw an account.
    """
    if before == after:
        return ()
    change = after.level - before.level
    status_change = StatusChanged(before.level, before.condition, after.level, after.condition, change, cause)
    source = f"world/status:{cause.replace('/', '-')}"
    target = f"character:{character_id}/status:{'lost' if change < 0 else 'regained'}"
    postings = (Posting(source, target, "status", abs(change)),) if change else ()
    return (Told(character(character_id), status_change, postings),)


def move_status(
    draft: Draft, character_id: str, fact: object, cause: str, audience: Audience = None
) -> tuple[Status, Status]:
    """Record this fact about a character, post how it changes the Status, and return the Status before and after.

    The account always agrees with the Status, because exactly the change that the fact made is posted.
    """
    before = read_status(draft.character(character_id))
    draft.about(character_id, fact, audience=audience)
    after = read_status(draft.character(character_id))
    for about in list_status_changes(character_id, before, after, cause):
        draft.tell(about.subject, about.fact, *about.postings)
    return before, after


def cite_posting(draft: Draft, before: Status, after: Status) -> None:
    draft.by(POSTING, after.level - before.level)
