"""The fold: a subject's state after a fact. Total: a fact goes adrift where what it rested on (a character, a check)
no longer stands.

Status, drift and versions are worked out from what stands, never from what a fact says of it.
"""

from __future__ import annotations

from functools import wraps

from ledger.rules.kernel.fold import Change, Fold
from ledger.rules.kernel.frozen import changed
from ledger.rules.mnemonic import facts, facts_of_aptitudes, facts_of_injuries
from ledger.rules.mnemonic.facts import Fact
from ledger.rules.mnemonic.fold_boards import BOARD
from ledger.rules.mnemonic.parts import Rolled
from ledger.rules.mnemonic.shelves import Log
from ledger.rules.mnemonic.state import (
    Assignment,
    Campaign,
    Character,
    Importance,
    Left,
    Noted,
    Rating,
    Ready,
    Resisting,
    Scene,
    Seat,
    rated_as,
)
from ledger.rules.mnemonic.status import Status, risen, status_of, stepped, struck
from ledger.rules.mnemonic.terms import FINE

# --- a character --------------------------------------------------------------------------------------------------


def created_only(change: Change) -> Change:
    """Only of a character that was created: where that was overturned, all else about it goes adrift."""

    @wraps(change)
    def after(was: Character, done: Fact) -> Character | None:
        one: Character | None = change(was, done) if was.kind is not None else None
        return one

    return after


def created(was: Character, done: facts.CharacterCreated) -> Character:
    return changed(
        was, kind=done.kind, primary_role=done.primary_role, resist_talent=done.resist_talent, level=FINE,
        condition=None,
    )  # fmt: skip


def shown_as(was: Character, done: facts.ShownAs) -> Character:
    """Who may read the ratings given so far; each later one says so itself."""
    readers, fixed = done.importance_seen_by, was.importance
    return changed(
        was,
        status_names=done.status_names,
        importance=changed(fixed, seen_by=readers) if fixed is not None else None,
        open=len(was.importances),
        open_to=readers,
    )


def kept(was: Character, done: facts_of_injuries.StatusChanged | facts.AbilitiesObjected) -> Character:
    """The Status is the fold of injuries and recoveries; what was objected to changes nothing."""
    return was


def trait_rated(was: Character, done: facts.TraitRated) -> Character:
    rating = Rating(done.kind, done.trait, done.rating, done.number)
    return changed(was, ratings={**was.ratings, rated_as(done.kind, done.trait): rating})


def importance_rated(was: Character, done: facts.ImportanceRated) -> Character:
    return changed(was, importance=Importance(done.label, done.rating, done.number, None, done.seen_by))


def importance_ruled(was: Character, done: facts.ImportanceRuled) -> Character:
    ruled = Importance(done.label, done.rating, done.number, done.check, done.seen_by)
    return changed(was, importances=was.importances.with_last(ruled))


def immunity_ruled(was: Character, done: facts.ImmunityRuled) -> Character:
    return changed(was, source=done.source, known_to=done.known_to)


def abilities_described(was: Character, done: facts.AbilitiesDescribed) -> Character:
    return changed(was, abilities=done.text, abilities_version=was.abilities_version + 1)


# --- its Status ---------------------------------------------------------------------------------------------------


def injured(was: Character, done: facts_of_injuries.InjuryResolved) -> Character | None:
    after = struck(status_of(was), Status(done.level, done.condition), done.combine)
    if done.check is None:
        return _with(was, after)
    check = _of_its_roll(_open(was, done.check), done.rolled, done.at_once)
    return _settled(was, done.check, check, after) if check is not None else None


def rate_ruled(was: Character, done: facts_of_injuries.RecoveryRateRuled) -> Character:
    """Whoever is Fine, because an injury was overturned, recovers from nothing."""
    return changed(was, recovery_rate=done.rate) if was.level < FINE else was


def recovered(was: Character, done: facts_of_injuries.RecoveryDeclared) -> Character:
    return _with(was, risen(status_of(was), done.to))


def recovery_checked(was: Character, done: facts_of_injuries.RecoveryChecked) -> Character | None:
    check = _open(was, done.check)
    if done.reading == "referee":
        check = check if check is not None and check.awaited and check.awaited.is_same(done.result) else None
    else:
        check = _of_its_roll(check, done.rolled, done.at_once)
    if check is None:
        return None
    now = status_of(was)
    after = stepped(now) if done.step else risen(now, done.to) if done.to is not None else now
    return _settled(was, done.check, check, after)


def resistance_called(was: Character, done: facts.ResistanceCalled) -> Character:
    return changed(was, resisted=True, resisting=was.resisting.put(done.check, Resisting(done.injury)))


def resistance_rolled(was: Character, done: facts.ResistanceRolled) -> Character | None:
    """A roll stands once, of a check that was called, and that did not come out; so does what awaits its naming."""
    check = _open(was, done.check)
    if check is None or check.rolled is not None:
        return None
    return _resisting(was, done.check, changed(check, rolled=done.rolled))


def recovery_awaited(was: Character, done: facts.RecoveryAwaited) -> Character | None:
    check = _open(was, done.check)
    if done.result.rolled is not None:  # in edition 1 it named none
        check = _of_its_roll(check, done.result.rolled, done.at_once)
    if check is None or check.awaited is not None:
        return None
    return _resisting(was, done.check, changed(check, awaited=done.result))


def _open(was: Character, id: str) -> Resisting | None:
    """A resisting check that did not come out yet, while its calling stands."""
    check = was.resisting.find(id)
    return check if check is not None and not check.settled else None


def _of_its_roll(check: Resisting | None, rolled: Rolled | None, at_once: bool) -> Resisting | None:
    """The check with this roll: with its own, or at once with the first one. None where it has a different roll."""
    if check is None:
        return None
    if at_once and rolled is not None:
        return changed(check, rolled=rolled) if check.rolled is None else None
    if rolled is None or check.rolled is None:  # of edition 1, which named no roll where it was decided at once
        return check if rolled is check.rolled else None
    return check if rolled.is_same(check.rolled) else None


def _settled(was: Character, id: str, check: Resisting, status: Status) -> Character:
    """What a resisting check comes to: once, and of the very roll it was decided about."""
    return _resisting(_with(was, status), id, changed(check, settled=True))


def _resisting(was: Character, id: str, check: Resisting) -> Character:
    return changed(was, resisting=was.resisting.put(id, check))


def _with(was: Character, status: Status) -> Character:
    """The rate of recovery is over with the recovery."""
    if status.level == was.level and status.condition == was.condition:
        return was
    rate = was.recovery_rate if status.level < FINE else ""
    return changed(was, level=status.level, condition=status.condition, recovery_rate=rate)


# --- its sessions, and what it was assigned -----------------------------------------------------------------------


def took_part(was: Character, done: facts.TookPart) -> Character:
    return _present(was, done.session)


def _present(was: Character, session: str) -> Character:
    """In the session, counted once: by being brought in, or by an assignment that stands where that was overturned."""
    return was if was.session == session else changed(was, session=session, sessions=was.sessions + 1)


def aptitude_assigned(was: Character, done: facts_of_aptitudes.AptitudeAssigned) -> Character:
    """Drift is worked out against what stands for the task now: an overturned assignment is no measure."""
    was = _present(was, done.session) if done.session is not None else was
    earlier: Log[Assignment] = was.tasks.find(done.key) or Log()
    last = earlier.last
    drift = done.final - last.final if last is not None else None
    new = Assignment(
        done.assignment, done.task, done.ref, done.player, done.agreed, done.final, done.gap,
        last.id if last is not None else None, drift, drift is not None and abs(drift) > done.tolerance,
        done.sheet_sum, done.session, done.reason, done.reported,
    )  # fmt: skip
    ready = {**was.ready, done.assignment: Ready(done.key, done.task, done.final)}
    return changed(was, tasks=was.tasks.put(done.key, earlier.with_last(new)), ready=ready)


def aptitude_used(was: Character, done: facts_of_aptitudes.AptitudeUsed) -> Character | None:
    if done.assignment not in was.ready:
        return None
    left = {id: one for id, one in was.ready.items() if id != done.assignment}
    if done.seen_by is None:
        return changed(was, ready=left)
    return changed(was, ready=left, secretly={**was.secretly, done.assignment: done.seen_by})


CHARACTER: dict[type[Fact], Change] = {
    facts.ShownAs: shown_as,
    facts.TookPart: took_part,
    facts.TraitRated: trait_rated,
    facts.ImportanceRated: importance_rated,
    facts.ImportanceRuled: importance_ruled,
    facts.ImmunityRuled: immunity_ruled,
    facts.ResistanceCalled: resistance_called,
    facts.ResistanceRolled: resistance_rolled,
    facts.RecoveryAwaited: recovery_awaited,
    facts.AbilitiesDescribed: abilities_described,
    facts.AbilitiesObjected: kept,
    facts_of_injuries.InjuryResolved: injured,
    facts_of_injuries.RecoveryRateRuled: rate_ruled,
    facts_of_injuries.RecoveryDeclared: recovered,
    facts_of_injuries.RecoveryChecked: recovery_checked,
    facts_of_injuries.StatusChanged: kept,
    facts_of_aptitudes.AptitudeAssigned: aptitude_assigned,
    facts_of_aptitudes.AptitudeUsed: aptitude_used,
}

# --- the campaign -------------------------------------------------------------------------------------------------


def referee_seated(was: Campaign, done: facts.RefereeSeated) -> Campaign:
    return changed(was, referee=done.seat)


def referee_rose(was: Campaign, done: facts.RefereeRose) -> Campaign:
    return changed(was, referee=None) if was.referee is not None else was


def scene_left(was: Campaign, done: facts.SceneLeft) -> Campaign:
    return changed(was, left=was.left.with_last(Left(done.scene, done.ruling)))


def begun_late(was: Campaign, done: facts.BegunLate) -> Campaign:
    return changed(was, late=was.late.with_last(Left(done.scene, done.ruling)))


def ladder_set(was: Campaign, done: facts.LadderSet) -> Campaign:
    return changed(was, ladders={**was.ladders, done.which: done.rows})


def assignment_noted(was: Campaign, done: facts_of_aptitudes.AssignmentNoted) -> Campaign:
    key = f"{done.character}/{done.key}"
    last = was.tasks.find(key)
    tasks = was.tasks.put(key, done.final)
    drift = done.final - last if last is not None else None
    if drift is None or abs(drift) <= done.tolerance:
        return changed(was, tasks=tasks)
    line = Noted(done.assignment, done.character, done.task, done.final, drift, done.reason)
    return changed(was, tasks=tasks, drifted=was.drifted.with_last(line))


CAMPAIGN: dict[type[Fact], Change] = {
    facts.RefereeSeated: referee_seated,
    facts.RefereeRose: referee_rose,
    facts.SceneLeft: scene_left,
    facts.BegunLate: begun_late,
    facts.LadderSet: ladder_set,
    facts_of_aptitudes.AssignmentNoted: assignment_noted,
}

# --- all of it ----------------------------------------------------------------------------------------------------

FOLD = Fold(
    {"character": Character, "scene": Scene, "campaign": Campaign, "seat": Seat},
    {
        Character: {facts.CharacterCreated: created, **{fact: created_only(CHARACTER[fact]) for fact in CHARACTER}},
        Scene: BOARD,
        Campaign: {**BOARD, **CAMPAIGN},
    },
)
