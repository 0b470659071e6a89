"""The campaign's fictional clock: the rulings that move it, and recoveries, which end when time passes."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.kit import (
    GM,
    Between,
    CharacterId,
    Move,
    Reason,
    Refusal,
    Seen,
    changed,
    changes,
    decides,
    declares,
    fact,
    must_say,
    offers,
    once_created,
    rule,
)
from ledger.rules.mongrel.draft import BAD_NUMBER, Draft, check_natural
from ledger.rules.mongrel.state import Campaign, Character
from ledger.rules.mongrel.terms import Natural, is_natural

CLOCK = rule(
    "mongrel.time.clock",
    "The campaign has one fictional clock, which counts minutes. Rituals, rest, quiet hours, and a recovery declared"
    " for a later minute move it forward. If several characters do such things during the same hours, those hours"
    " count only once, as long as each declaration gives its starting minute. Only a game master can move the clock"
    " back, and must give a reason (our reading).",
    "Fatigue",
)
TIME_AHEAD = Refusal(
    CLOCK,
    "time-ahead",
    "The clock is only at minute {last}, so nothing can have begun at minute {minute}.",
)


@fact("clock-moved", says="The clock is at minute {minute}[: {reason}].")
class ClockMoved:
    """Subject: the campaign. Its fictional clock moved forward, or a game master set it."""

    minute: int
    before: int
    reason: Reason


@changes
def set_minute(state: Campaign, fact: ClockMoved) -> Campaign:
    return changed(state, clock=fact.minute)


@fact("recovery-ended", says="{character} has finished recovering and can defend again.")
class RecoveryEnded:
    """A character finished recovering and can defend again."""

    character: CharacterId


@changes
@once_created
def end_recovering(state: Character, fact: RecoveryEnded) -> Character | None:
    return changed(state, recovering=False) if state.recovering else None


TIME_FACTS = (ClockMoved, RecoveryEnded)


def end_recovery(draft: Draft, character_id: str) -> None:
    if draft.read_character(character_id).recovering:
        draft.about(character_id, RecoveryEnded(character_id))


def _end_recoveries(draft: Draft) -> None:
    """End the recoveries of everybody outside a conflict: in a conflict, only a turn ends one
    (`mongrel.ap.recover`).
    """
    conflicts = [draft.read_scene(subject).conflict for subject in draft.table.subjects("scene")]
    fighting_ids = {character_id for conflict in conflicts if conflict is not None for character_id in conflict.queue}
    for subject in draft.table.subjects("character"):
        if subject.id not in fighting_ids:
            end_recovery(draft, subject.id)


def move_clock(draft: Draft, minute: int, reason: str) -> None:
    before = draft.read_clock()
    if minute != before:
        draft.campaign_wide(ClockMoved(minute, before, reason))
        draft.by(CLOCK, minute, before=before)
    if minute > before:
        _end_recoveries(draft)


def read_beginning(draft: Draft, since: object) -> int:
    """Return the minute at which an activity began: as declared, or else now. Refuses `bad-number`, `time-ahead`."""
    present_minute = draft.read_clock()
    if since is None:
        return present_minute
    if not is_natural(since):
        raise BAD_NUMBER.under(CLOCK, what="since", given=repr(since))
    if since > present_minute:
        raise TIME_AHEAD(minute=since, last=present_minute)
    return since


def pass_time(draft: Draft, minutes: int, reason: str, since: int | None = None) -> None:
    """Move the clock to this many minutes after the beginning, unless it is already later."""
    beginning = draft.read_clock() if since is None else since
    move_clock(draft, max(draft.read_clock(), beginning + minutes), reason)


@declares("set-clock", GM, says="The clock is set to minute {minute}: {reason}.", records=TIME_FACTS)
class SetClock:
    """Set the campaign's fictional clock to a later or an earlier minute. Rituals, rest and quiet hours move it forward
    automatically.
    """

    minute: Natural
    reason: Reason


@decides
def set_clock(draft: Draft, do: SetClock) -> None:
    """Set the clock forward or back, as a game master decides. Refuses `bad-number`, `reason-blank`."""
    (minute,) = check_natural(CLOCK, BAD_NUMBER, minute=do.minute)
    must_say(CLOCK, reason=do.reason)
    move_clock(draft, minute, do.reason)


@offers
def offer_to_set_clock(seen: Seen, draft: Draft) -> Iterator[Move]:
    yield Move(SetClock, {"minute": Between(0, usual=draft.read_clock())})
