"""What a resolved check brings: an injury's result, a recovery, a change of Status. Heading: calculating status."""

from __future__ import annotations

from ledger.rules.kernel.contract import About, Step, Table, step
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Audience, Subject, character
from ledger.rules.mnemonic.boards import find_injury
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.facts import (
    CheckResolved,
    CheckRolled,
    CheckRuled,
    Fact,
    InjuryResolved,
    RecoveryAwaited,
    RecoveryChecked,
    RecoveryDeclared,
    ResistanceRolled,
)
from ledger.rules.mnemonic.folding import status_of
from ledger.rules.mnemonic.parts import CameOut, Rolled
from ledger.rules.mnemonic.state import Character, State
from ledger.rules.mnemonic.status import Status, counted, posted, risen, stepped, struck, word_of
from ledger.rules.mnemonic.terms import INACTIVE, Combine

#: The Status, which everybody sees, may be worse already than a hidden injury, or better than a hidden recovery.
BEARS_ON = dict.fromkeys((InjuryResolved, RecoveryChecked), ("level", "condition"))
Brought = tuple[tuple[About[Fact], ...], tuple[Step, ...]]


def must_live(table: Table[Dials], ruled: CheckRuled) -> None:
    """The dead neither resist nor recover: whoever died since the ruling rolls no more."""
    if ruled.purpose == "action":
        return
    if table.get(character(ruled.character), Character).condition == "dead":
        rule = "mnemonic.status.combine" if ruled.purpose == "resist" else "mnemonic.recovery.inactive"
        raise Refused(rule, "dead", character=ruled.character)
    if ruled.purpose == "resist" and find_injury(table, ruled.injury or "") is None:
        raise Refused("mnemonic.ruling.before-roll", "out-of-order", check=ruled.check)


def left(ruled: CheckRuled, rolled: CheckRolled) -> tuple[About[Fact], ...]:
    """What a character keeps of a roll about which is still to be decided: what is decided then is of this roll."""
    if ruled.purpose == "action":
        return ()
    return (About(character(ruled.character), ResistanceRolled(ruled.check, the_roll(rolled))),)


def the_roll(rolled: CheckRolled) -> Rolled:
    return Rolled(rolled.roll, rolled.fluke, rolled.run)


def follow(table: Table[Dials], ruled: CheckRuled, done: CheckResolved, rolled: Rolled | None) -> Brought:
    """Nothing for an action; for a resisting check the injury, for a recovery check the recovery.

    `rolled`: the roll, where it was entered by an earlier ruling.
    """
    if ruled.purpose == "resist":
        return _injury(table, ruled, done, rolled)
    if ruled.purpose == "recovery":
        return _recovery(table, ruled, done, rolled)
    return (), ()


def _injury(table: Table[Dials], ruled: CheckRuled, done: CheckResolved, rolled: Rolled | None) -> Brought:
    """Failure of any size: inactive, by the worst possibility. Success: the word counted to."""
    injury = find_injury(table, ruled.injury or "")
    assert injury is not None, "`must_live` looked"
    level = counted(done.successes)
    result = Status(level) if done.success else Status(INACTIVE, injury.worst)
    brought = resolved_as(injury.injury, result, injury.combine, ruled.check, rolled)
    return injured(table, ruled.character, brought, ruled.seen_by)


def resolved_as(
    injury: str, result: Status, combine: Combine, check: str | None = None, rolled: Rolled | None = None
) -> InjuryResolved:
    """The injury's own result, whatever the Status is that it meets."""
    return InjuryResolved(injury, check, rolled, word_of(result.level), result.level, result.condition, combine)


def injured(table: Table[Dials], victim: str, brought: InjuryResolved, audience: Audience) -> Brought:
    """An injury's result and what it makes of the victim's Status (`mnemonic.status.combine`).

    `audience`: of the result. What becomes of the Status is for everybody, whatever is hidden.
    """
    now = status_of(table.get(character(victim), Character))
    result, combine = Status(brought.level, brought.condition), brought.combine
    after = struck(now, result, combine)
    because = (
        step("mnemonic.injury.result", result.level, audience, word=brought.word, condition=result.condition),
        step("mnemonic.status.combine", after.level, before=now.level, condition=after.condition, combine=combine),
        step("mnemonic.status.posting", after.level - now.level),
    )
    facts: About[Fact] = About(character(victim), brought, (), audience)
    return (facts, *posted(victim, now, after, f"injury/{brought.injury}")), because


def _recovery(table: Table[Dials], ruled: CheckRuled, done: CheckResolved, rolled: Rolled | None) -> Brought:
    """Failure changes nothing; success does as the table reads it, or as the referee will name it.

    Until it is named the character is told as much of failure as of success: one fact more or less would tell how a
    hidden check came out.
    """
    reading = ruled.readings.recovery
    if reading == "referee":
        to_come = "to be named" if done.success else None
        awaited = RecoveryAwaited(ruled.check, came_out(done))
        about: About[Fact] = About(character(ruled.character), awaited, (), ruled.seen_by)
        return (about,), (step("mnemonic.recovery.check", to_come, ruled.seen_by, reading=reading),)
    to = counted(done.successes) if done.success and reading == "mnemonic" else None
    up = done.success and reading == "step"
    return recovered(table, ruled, RecoveryChecked(ruled.check, rolled, None, reading, to, up))


def came_out(done: CheckResolved) -> CameOut:
    """A recovery is named for this result and no other."""
    return CameOut(done.roll, done.fluke, done.successes)


def recovered(table: Table[Dials], ruled: CheckRuled, brought: RecoveryChecked) -> Brought:
    now = status_of(table.get(character(ruled.character), Character))
    after = stepped(now) if brought.step else risen(now, brought.to) if brought.to is not None else now
    about: About[Fact] = About(character(ruled.character), brought, (), ruled.seen_by)
    because = (
        step("mnemonic.recovery.check", brought.to, ruled.seen_by, reading=brought.reading, step=brought.step),
        step("mnemonic.status.posting", after.level - now.level),
    )
    return (about, *posted(ruled.character, now, after, f"recovery/{ruled.check}")), because


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
