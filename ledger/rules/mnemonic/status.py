"""Status: levels, words, and how injuries and recoveries meet it. Heading: calculating status.

Pure arithmetic on (level, condition), used by the rulings and by the fold alike, so that both always agree.
"""

from __future__ import annotations

from dataclasses import dataclass

from ledger.rules.kernel.contract import About, Posting
from ledger.rules.kernel.subjects import character
from ledger.rules.mnemonic.facts import Fact
from ledger.rules.mnemonic.facts_of_injuries import StatusChanged
from ledger.rules.mnemonic.state import Character
from ledger.rules.mnemonic.terms import FINE, INACTIVE, MNEMONIC, SEVERITY, Combine, Condition


@dataclass(frozen=True, slots=True)
class Status:
    """`level`: 1 to 6 while active, 0 with a `condition`."""

    level: int
    condition: Condition | None = None


def status_of(one: Character) -> Status:
    return Status(one.level, one.condition)


def word_of(level: int) -> str | None:
    """The word of the mnemonic that stands for a level; none for who is inactive (`mnemonic.status.names`)."""
    return MNEMONIC[level - 1] if 1 <= level <= FINE else None


def name_of(status: Status, names: tuple[str, ...]) -> str:
    """What the table calls it."""
    if status.level == INACTIVE:
        return f"Inactive ({status.condition})"
    return names[status.level - 1] if 1 <= status.level <= len(names) else str(status.level)


def counted(successes: int) -> int:
    """Reciting the mnemonic stops at the number of Successes, and at the latest with its last word."""
    return min(successes, FINE)


def struck(now: Status, result: Status, combine: Combine) -> Status:
    """The Status after an injury's result (`mnemonic.status.combine`). For the dead everything is void."""
    if now.condition == "dead":
        return now
    if combine == "replace" or result.level < now.level:
        return result
    if result.level == now.level == INACTIVE:
        return Status(INACTIVE, more_severe(now.condition, result.condition))
    return now


def more_severe(one: Condition | None, other: Condition | None) -> Condition | None:
    """Immobilized is less than unconscious, and that less than dead."""
    known = [condition for condition in (one, other) if condition is not None]
    return max(known, key=SEVERITY.index) if known else None


def risen(now: Status, to: int) -> Status:
    """The Status after a recovery: raised if that is higher, which ends a condition. The dead do not rise."""
    if now.condition == "dead" or to <= now.level:
        return now
    return Status(min(to, FINE))


def stepped(now: Status) -> Status:
    """One level up."""
    return risen(now, now.level + 1) if now.level < FINE else now


def posted(id: str, before: Status, after: Status, cause: str) -> tuple[About[Fact], ...]:
    """How the Status moved, posted against its cause (`injury/<id>`, `recovery/<id>`); nothing when it did not.

    Levels lost and regained have an account each, which only ever receive: striking one ruling overdraws nothing.
    """
    if before == after:
        return ()
    moved = after.level - before.level
    done = StatusChanged(before.level, before.condition, after.level, after.condition, moved, cause)
    source = f"world/status:{cause.replace('/', '-')}"
    target = f"character:{id}/status:{'lost' if moved < 0 else 'regained'}"
    postings = (Posting(source, target, "status", abs(moved)),) if moved else ()
    return (About(character(id), done, postings),)
