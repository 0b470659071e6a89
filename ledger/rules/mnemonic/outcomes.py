"""What a resolved check brings: an injury's result, a recovery, a change of Status. Heading: calculating status."""

from __future__ import annotations

from ledger.rules.kernel.contract import About
from ledger.rules.kernel.subjects import Audience, Subject
from ledger.rules.mnemonic.boards import find_injury
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.facts import CheckResolved, CheckRolled, CheckRuled, Fact, RecoveryAwaited, ResistanceRolled
from ledger.rules.mnemonic.facts_of_injuries import InjuryResolved, RecoveryChecked, RecoveryDeclared
from ledger.rules.mnemonic.parts import Rolled
from ledger.rules.mnemonic.rolls import came_out, the_roll
from ledger.rules.mnemonic.state import Character, State
from ledger.rules.mnemonic.status import Status, counted, posted, status_of, word_of
from ledger.rules.mnemonic.terms import INACTIVE, Combine

#: The Status, which everybody sees, may be worse already than a hidden injury, or better than a hidden recovery.
BEARS_ON = dict.fromkeys((InjuryResolved, RecoveryChecked), ("level", "condition"))


def leave(draft: Draft, ruled: CheckRuled, rolled: CheckRolled) -> None:
    """What a character keeps of a roll about which is still to be decided: what is decided then is of this roll."""
    if ruled.purpose != "action":
        draft.about(ruled.character, ResistanceRolled(ruled.check, the_roll(rolled)))


def follow(draft: Draft, ruled: CheckRuled, done: CheckResolved, *, at_once: bool) -> None:
    """Nothing for an action; for a resisting check the injury, for a recovery check the recovery.

    `at_once`: in the ruling that entered the roll.
    """
    if ruled.purpose == "resist":
        _injure(draft, ruled, done, at_once)
    if ruled.purpose == "recovery":
        _recover(draft, ruled, done, at_once)


def _injure(draft: Draft, ruled: CheckRuled, done: CheckResolved, at_once: bool) -> None:
    """Failure of any size: inactive, by the worst possibility. Success: the word counted to."""
    injury = find_injury(draft.table, ruled.injury or "")
    assert injury is not None, "`must_live` looked"
    level = counted(done.successes)
    result = Status(level) if done.success else Status(INACTIVE, injury.worst)
    brought = resolved_as(injury.injury, result, injury.combine, ruled.check, done.rolled, at_once=at_once)
    injure(draft, ruled.character, brought, ruled.seen_by)


def resolved_as(
    injury: str, result: Status, combine: Combine, check: str | None, rolled: Rolled | None, *, at_once: bool = False
) -> InjuryResolved:
    """The injury's own result, whatever the Status is that it meets."""
    word = word_of(result.level)
    return InjuryResolved(injury, check, rolled, word, result.level, result.condition, combine, at_once)


def injure(draft: Draft, victim: str, brought: InjuryResolved, audience: Audience) -> None:
    """An injury's result and what it makes of the victim's Status (`mnemonic.status.combine`).

    `audience`: of the result. What becomes of the Status is for everybody, whatever is hidden.
    """
    result, combine = Status(brought.level, brought.condition), brought.combine
    now, after = draft.status_moved_by(victim, brought, f"injury/{brought.injury}", audience)
    draft.by("mnemonic.injury.result", result.level, audience, word=brought.word, condition=result.condition)
    draft.by("mnemonic.status.combine", after.level, before=now.level, condition=after.condition, combine=combine)
    draft.by("mnemonic.status.posting", after.level - now.level)


def _recover(draft: Draft, ruled: CheckRuled, done: CheckResolved, at_once: bool) -> None:
    """Failure changes nothing; success does as the table reads it, or as the referee will name it.

    Until it is named the character is told as much of failure as of success: one fact more or less would tell how a
    hidden check came out.
    """
    reading = ruled.readings.recovery
    if reading == "referee":
        draft.about(ruled.character, RecoveryAwaited(ruled.check, came_out(done), at_once), audience=ruled.seen_by)
        to_come = "to be named" if done.success else None
        draft.by("mnemonic.recovery.check", to_come, ruled.seen_by, reading=reading)
        return
    to = counted(done.successes) if done.success and reading == "mnemonic" else None
    up = done.success and reading == "step"
    recover(draft, ruled, RecoveryChecked(ruled.check, done.rolled, None, reading, to, up, at_once))


def recover(draft: Draft, ruled: CheckRuled, brought: RecoveryChecked) -> None:
    """A recovery check's result and what it makes of the Status, which is for everybody."""
    now, after = draft.status_moved_by(ruled.character, brought, f"recovery/{ruled.check}", ruled.seen_by)
    draft.by("mnemonic.recovery.check", brought.to, ruled.seen_by, reading=brought.reading, step=brought.step)
    draft.by("mnemonic.status.posting", after.level - now.level)


def follows(subject: Subject, before: State, after: State, done: Fact) -> tuple[About[Fact], ...]:
    """What an injury or a recovery that stands posts, wherever the Status was before (`mnemonic.status.posting`)."""
    if not (isinstance(before, Character) and isinstance(after, Character)):
        return ()
    match done:
        case InjuryResolved():
            cause = f"injury/{done.injury}"
        case RecoveryDeclared():
            cause = f"recovery/{done.recovery}"
        case RecoveryChecked():
            cause = f"recovery/{done.check}"
        case _:
            return ()
    return posted(subject.id, status_of(before), status_of(after), cause)
