"""Aptitudes assigned case by case, and the record of consistency. Heading: featherweight mnemonic."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.rules.kernel.contract import step
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character
from ledger.rules.mnemonic import ladders
from ledger.rules.mnemonic.aptitudes import Aptitude, by_traits
from ledger.rules.mnemonic.authority import is_referee, player_of
from ledger.rules.mnemonic.consent import ASSIGN, Said, agreement, assent, explanation, judgement
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.facts import AbilitiesDescribed, AbilitiesObjected, Fact, TookPart
from ledger.rules.mnemonic.facts_of_aptitudes import AptitudeAssigned, AssignmentNoted
from ledger.rules.mnemonic.guards import (
    MODE,
    must_be_possible,
    must_be_referee,
    must_have_referee,
    must_play_or_be_referee,
)
from ledger.rules.mnemonic.inputs import AssignAptitude, DescribeAbilities
from ledger.rules.mnemonic.state import Assignment, Character
from ledger.rules.mnemonic.terms import collapsed, same_name

DESCRIBE = "mnemonic.feather.describe"


def describe_abilities(draft: Draft, do: DescribeAbilities) -> Asking[None]:
    """What the character can do, in words: a new version, once the other side assents (`mnemonic.feather.describe`)."""
    must_play_or_be_referee(draft, do.character)
    table, by = draft.table, draft.table.by.seat
    version = draft.character(do.character).abilities_version + 1
    other = player_of(table, do.character) if is_referee(table) else must_have_referee(draft)
    said = Said()
    if other is not None:
        said = yield from assent(
            other, DESCRIBE, f"with this description of {table.name(character(do.character))}? “{do.text.strip()}”"
        )
    done: Fact = AbilitiesDescribed(version, do.text, by, other, said.reported)
    if other is not None and not said.assents:
        done = AbilitiesObjected(do.text, by, other, said.reported)
    draft.about(do.character, done)
    draft.by(DESCRIBE, version if said.assents else "objected", asked=other)


@dataclass(frozen=True, slots=True)
class Judged:
    """The three numbers, and the one that counts. `gap`: between the two judgements.

    `reported`: why a game master said what is the player's to say.
    """

    ref: int
    player: int | None
    agreed: int | None
    final: int
    gap: int | None
    reported: str = ""


def assign_aptitude(draft: Draft, do: AssignAptitude) -> Asking[None]:
    """How good the character is at one precise task, and how far that is from what was said before.

    Steps: the session count says whether the player is asked too; the two judgements must be similar or talked over;
    a difference from the last number for the task needs a reason.
    """
    must_be_referee(draft)
    dials, being = draft.dials, draft.character(do.character)
    if dials.feather_mode == "off":
        raise Refused(MODE, "feather-off")
    key = same_name(do.task)
    if not key:
        raise Refused("mnemonic.feather.key", "name-empty")
    session, count = _session_of(draft, being, do)
    last = earlier.last if (earlier := being.tasks.find(key)) is not None else None
    on_sheet = by_traits(dials, being, do.traits).number if do.traits else None
    ref, agreed = _of_the_referee(dials, do, last)
    reason = do.reason.strip() and do.reason
    if not reason and _drifts(dials, last, ref if agreed is None else agreed):
        raise Refused(ASSIGN, "reason-needed", previous=last.final if last else None)
    judged = yield from _judged(draft, do, ref, agreed, count)
    drifted = _drifts(dials, last, judged.final)
    if drifted and not reason:
        reason = yield from explanation(draft, do.task)
    done = AptitudeAssigned(
        draft.table.new_id(), collapsed(do.task), key, judged.ref, judged.player, judged.agreed, judged.final,
        judged.gap, last.id if last is not None else None, last.final if last is not None else None,
        judged.final - last.final if last is not None else None, drifted, dials.feather_drift_tolerance,
        do.ref is None, on_sheet, session, count, reason, judged.reported,
    )  # fmt: skip
    _record(draft, do.character, being, done)
    draft.by("mnemonic.feather.key", done.key)
    draft.by(
        ASSIGN, done.final,
        ref=done.ref, player=done.player, agreed=done.agreed, gap=done.gap, session_count=count,
    )  # fmt: skip
    draft.by("mnemonic.feather.record", done.drift, previous=done.previous_final, drifted=drifted)


def _drifts(dials: Dials, last: Assignment | None, number: int) -> bool:
    return last is not None and abs(number - last.final) > dials.feather_drift_tolerance


def _session_of(draft: Draft, being: Character, do: AssignAptitude) -> tuple[str | None, int]:
    """Return the open session, or None, and the number of sessions this character has played, the open one included.

    Between sessions the number is at least 1, as in a first session.
    """
    session = draft.table.session
    if do.session not in (None, session):
        raise Refused(ASSIGN, "bad-session", session=do.session)
    if session is None:
        return None, max(being.sessions, 1)
    return session, being.sessions + (being.session != session)


def _of_the_referee(dials: Dials, do: AssignAptitude, last: Assignment | None) -> tuple[int, int | None]:
    """The referee's number (left out, the last one for the task), and the one agreed on, where that is said already."""
    ref = do.ref
    if ref is None:
        if last is None:
            raise Refused(ASSIGN, "no-standing-aptitude", task=do.task)
        ref = last.final
    ladder = ladders.ratings(dials)
    return must_be_possible(ladder, ref), must_be_possible(ladder, do.agreed) if do.agreed is not None else None


def _judged(draft: Draft, do: AssignAptitude, ref: int, proposed: int | None, count: int) -> Asking[Judged]:
    """The referee's number beside the player's own, where that is wanted, and what they agree on if they lie apart."""
    player = player_of(draft.table, do.character)
    wanted = do.ask or proposed is not None
    if player is None:
        if wanted:
            raise Refused(ASSIGN, "player-judgement-needed", character=do.character)
        return Judged(ref, None, None, ref, None)
    if not wanted and count > draft.dials.feather_calibration_sessions:
        return Judged(ref, None, None, ref, None)
    own = yield from judgement(draft.dials, player, do.task)
    gap = abs(ref - own.number)
    if proposed is None and gap <= draft.dials.feather_similarity:
        return Judged(ref, own.number, None, ref, gap, own.reported)
    agreed = yield from agreement(draft, player, own, proposed, do.task)
    return Judged(ref, own.number, agreed.number, agreed.number, gap, agreed.reported)


def _record(draft: Draft, id: str, being: Character, done: AptitudeAssigned) -> None:
    """Who is assigned an Aptitude takes part in the session; the campaign keeps the record of consistency too."""
    if done.session is not None and being.session != done.session:
        draft.about(id, TookPart(done.session))
    draft.about(id, done)
    draft.campaign_wide(
        AssignmentNoted(done.assignment, id, done.task, done.key, done.final, done.tolerance, done.reason)
    )


def assigned_aptitude(dials: Dials, being: Character, assigned: str) -> Aptitude:
    """The Aptitude of an assignment made for this check. Refuses `feather-off`, `no-standing-aptitude`."""
    if dials.feather_mode == "off":
        raise Refused(MODE, "feather-off")
    ready = being.ready.get(assigned)
    if ready is None:
        raise Refused(ASSIGN, "no-standing-aptitude", assigned=assigned)
    number = must_be_possible(ladders.ratings(dials), ready.final)
    because = (step(ASSIGN, number, assigned=assigned, task=ready.task),)
    return Aptitude(number, "assigned", (), assigned, because)
