"""Aptitudes assigned case by case, and the record of consistency. Heading: featherweight mnemonic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ledger.rules.contract import CAMPAIGN, About, Refused, Step, Table, Verdict, character, step
from ledger.rules.mnemonic import ladders
from ledger.rules.mnemonic.aptitudes import Aptitude, by_traits, must_be_possible
from ledger.rules.mnemonic.authority import must_be_referee, must_play_or_be_referee
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.facts import (
    AbilitiesDescribed,
    AptitudeAssigned,
    AssignmentNoted,
    Fact,
    TookPart,
)
from ledger.rules.mnemonic.inputs import AssignAptitude, DescribeAbilities
from ledger.rules.mnemonic.state import Assignment, Character
from ledger.rules.mnemonic.terms import collapsed, same_name

MODE = "mnemonic.feather.mode"
ASSIGN = "mnemonic.feather.assign"


def describe_abilities(table: Table[Dials], do: DescribeAbilities) -> Verdict[Fact]:
    """What the character can do, in words; every description is a new version (`mnemonic.feather.describe`)."""
    must_play_or_be_referee(table, do.character)
    version = table.get(character(do.character), Character).abilities_version + 1
    done = AbilitiesDescribed(version, do.text, table.by.seat)
    return Verdict((About(character(do.character), done),), (step("mnemonic.feather.describe", version),))


@dataclass(frozen=True, slots=True)
class Judged:
    """The three numbers, and the one that counts. `gap`: between the two judgements."""

    ref: int
    player: int | None
    agreed: int | None
    final: int
    gap: int | None


def assign_aptitude(table: Table[Dials], do: AssignAptitude) -> Verdict[Fact]:
    """How good the character is at one precise task, and how far that is from what was said before.

    Steps: the session count says whether the player must judge too; the two judgements must be similar or talked over;
    a difference from the last number for the task needs a reason.
    """
    must_be_referee(table)
    dials, being = table.dials, table.get(character(do.character), Character)
    if dials.feather_mode == "off":
        raise Refused(MODE, "feather-off")
    key = same_name(do.task)
    if not key:
        raise Refused("mnemonic.feather.key", "name-empty")
    session, count = _session_of(table, being, do)
    last = earlier.last if (earlier := being.tasks.find(key)) is not None else None
    judged = _judged(table, do, last, count)
    drift = judged.final - last.final if last is not None else None
    drifted = drift is not None and abs(drift) > dials.feather_drift_tolerance
    if drifted and not do.reason.strip():
        raise Refused(ASSIGN, "reason-needed", previous=last.final if last else None, drift=drift)
    on_sheet = by_traits(table, being, do.traits).number if do.traits else None
    done = AptitudeAssigned(
        table.new_id(), collapsed(do.task), key, judged.ref, judged.player, judged.agreed, judged.final, judged.gap,
        last.id if last is not None else None, last.final if last is not None else None, drift, drifted,
        dials.feather_drift_tolerance, do.ref is None, on_sheet, session, count, do.reason,
    )  # fmt: skip
    return Verdict(_recorded(do.character, being, done), _because(done))


def _session_of(table: Table[Dials], being: Character, do: AssignAptitude) -> tuple[str, int]:
    """The open session, and the how manieth it is for this character, the open one included."""
    session = table.session
    if session is None or do.session not in (None, session):
        raise Refused(ASSIGN, "bad-session", session=do.session)
    return session, being.sessions + (being.session != session)


def _judged(table: Table[Dials], do: AssignAptitude, last: Assignment | None, count: int) -> Judged:
    dials, ladder = table.dials, ladders.ratings(table.dials)
    ref = do.ref
    if ref is None:
        if last is None:
            raise Refused(ASSIGN, "no-standing-aptitude", task=do.task)
        ref = last.final
    for number in (ref, do.player, do.agreed):
        if number is not None:
            must_be_possible(ladder, number)
    calibrating = count <= dials.feather_calibration_sessions and table.owner(character(do.character)) != table.by.seat
    if do.player is None and (calibrating or do.agreed is not None):
        raise Refused(ASSIGN, "player-judgement-needed", session_count=count)
    gap = abs(ref - do.player) if do.player is not None else None
    if gap is not None and gap > dials.feather_similarity and do.agreed is None:
        raise Refused(ASSIGN, "talk-it-over", gap=gap)
    return Judged(ref, do.player, do.agreed, do.agreed if do.agreed is not None else ref, gap)


def _recorded(id: str, being: Character, done: AptitudeAssigned) -> tuple[About[Fact], ...]:
    """Who is assigned an Aptitude takes part in the session; the campaign keeps the record of consistency too."""
    here: list[About[Fact]] = []
    if being.session != done.session:
        here.append(About(character(id), TookPart(done.session)))
    noted = AssignmentNoted(done.assignment, id, done.task, done.key, done.final, done.tolerance, done.reason)
    return (*here, About(character(id), done), About(CAMPAIGN, noted))


def _because(done: AptitudeAssigned) -> tuple[Step, ...]:
    numbers = {
        "ref": done.ref,
        "player": done.player,
        "agreed": done.agreed,
        "gap": done.gap,
        "session_count": done.session_count,
    }
    return (
        step("mnemonic.feather.key", done.key),
        Step(ASSIGN, numbers, done.final),
        step("mnemonic.feather.record", done.drift, previous=done.previous_final, drifted=done.drifted),
    )


def assigned_aptitude(table: Table[Dials], being: Character, assigned: str) -> Aptitude:
    """The Aptitude of an assignment made for this check. Refuses `feather-off`, `no-standing-aptitude`."""
    if table.dials.feather_mode == "off":
        raise Refused(MODE, "feather-off")
    ready = being.ready.get(assigned)
    if ready is None:
        raise Refused(ASSIGN, "no-standing-aptitude", assigned=assigned)
    number = must_be_possible(ladders.ratings(table.dials), ready.final)
    because = (step(ASSIGN, number, assigned=assigned, task=ready.task),)
    return Aptitude(number, "assigned", (), assigned, because)


def must_use_sheets(dials: Dials) -> None:
    """A check by traits is refused where every Aptitude is assigned (`mnemonic.feather.mode`)."""
    if dials.feather_mode == "on":
        raise Refused(MODE, "sheetless")


def must_be_one_way(rule: str, assigned: str | None, named: Any) -> None:
    """An Aptitude is assigned or comes from traits, never both."""
    if assigned is not None and named:
        raise Refused(rule, "aptitude-twice", assigned=assigned)
