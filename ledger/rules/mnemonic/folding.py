"""The fold: a subject's state after a fact. Total: a fact whose ground (a character, a check ...) is gone goes adrift.

Status, drift and versions are worked out from what stands, never from what a fact says of it.
"""

from __future__ import annotations

from typing import assert_never

from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.subjects import SubjectKind
from ledger.rules.mnemonic import facts
from ledger.rules.mnemonic.facts import Fact
from ledger.rules.mnemonic.shelves import Log
from ledger.rules.mnemonic.state import (
    Action,
    Assignment,
    Board,
    Campaign,
    Character,
    Check,
    Importance,
    Left,
    Noted,
    Rating,
    Ready,
    Resisting,
    Scene,
    Seat,
    State,
)
from ledger.rules.mnemonic.status import Status, risen, stepped, struck
from ledger.rules.mnemonic.terms import FINE, ActionStage, same_name


def blank(kind: SubjectKind) -> State:
    match kind:
        case "character":
            return Character()
        case "scene":
            return Scene()
        case "campaign":
            return Campaign()
        case "seat":
            return Seat()
        case _:
            assert_never(kind)


def apply(state: State, done: Fact) -> State:
    """The state after the fact; the fact in `adrift` when it finds no ground there."""
    after: State | None
    match state:
        case Character():
            after = _character(state, done)
        case Scene():
            board = _board(state.board, done)
            after = changed(state, board=board) if board is not None else None
        case Campaign():
            after = _campaign(state, done)
        case Seat():
            after = None
        case _:
            assert_never(state)
    return after if after is not None else changed(state, adrift=(*state.adrift, done))


# --- a character --------------------------------------------------------------------------------------------------


def rated_as(kind: str, name: str) -> str:
    """The key under which a trait's rating is kept."""
    return f"{kind}:{same_name(name)}"


def _character(was: Character, done: Fact) -> Character | None:
    if was.kind is None and not isinstance(done, facts.CharacterCreated):
        return None
    match done:
        case facts.CharacterCreated():
            return changed(
                was, kind=done.kind, primary_role=done.primary_role, resist_talent=done.resist_talent, level=FINE,
                condition=None,
            )  # fmt: skip
        case facts.StatusChanged():
            return was
        case facts.InjuryResolved():
            after = struck(status_of(was), Status(done.level, done.condition), done.combine)
            return _settled(was, done, after) if done.check is not None else _with(was, after)
        case facts.RecoveryDeclared():
            return _with(was, risen(status_of(was), done.to))
        case facts.RecoveryChecked():
            return _settled(was, done, _recovered(status_of(was), done))
        case facts.ResistanceCalled():
            called = was.resisting.put(done.check, Resisting(done.injury))
            return changed(was, resisted=True, resisting=called)
        case facts.ResistanceRolled() | facts.RecoveryAwaited():
            return _rolled(was, done)
        case facts.TookPart():
            return _present(was, done.session)
        case facts.AptitudeAssigned():
            return _assigned(_present(was, done.session), done)
        case facts.AptitudeUsed():
            if done.assignment not in was.ready:
                return None
            left = {id: one for id, one in was.ready.items() if id != done.assignment}
            if done.seen_by is None:
                return changed(was, ready=left)
            return changed(was, ready=left, secretly={**was.secretly, done.assignment: done.seen_by})
        case _:
            return _described(was, done)


def _described(was: Character, done: Fact) -> Character | None:
    match done:
        case facts.ShownAs():
            return _shown_as(was, done)
        case facts.TraitRated():
            rating = Rating(done.kind, done.trait, done.rating, done.number)
            return changed(was, ratings={**was.ratings, rated_as(done.kind, done.trait): rating})
        case facts.ImportanceRated():
            return changed(was, importance=Importance(done.label, done.rating, done.number, None, done.seen_by))
        case facts.ImportanceRuled():
            ruled = Importance(done.label, done.rating, done.number, done.check, done.seen_by)
            return changed(was, importances=was.importances.with_last(ruled))
        case facts.ImmunityRuled():
            return changed(was, source=done.source, known_to=done.known_to)
        case facts.AbilitiesObjected():
            return was
        case facts.AbilitiesDescribed():
            return changed(was, abilities=done.text, abilities_version=was.abilities_version + 1)
        case _:
            return None


def _shown_as(was: Character, done: facts.ShownAs) -> Character:
    """Who may read the ratings given so far; each later one says so itself."""
    readers, fixed = done.importance_seen_by, was.importance
    return changed(
        was,
        status_names=done.status_names,
        importance=changed(fixed, seen_by=readers) if fixed is not None else None,
        open=len(was.importances),
        open_to=readers,
    )


def status_of(one: Character) -> Status:
    return Status(one.level, one.condition)


def _rolled(was: Character, done: facts.ResistanceRolled | facts.RecoveryAwaited) -> Character | None:
    """A roll that stands: once, of a check that was called, and that did not come out."""
    check = was.resisting.find(done.check)
    if check is None or check.settled:
        return None
    if isinstance(done, facts.RecoveryAwaited):
        return _resisting(was, done.check, changed(check, awaited=done.result)) if check.awaited is None else None
    return _resisting(was, done.check, changed(check, rolled=done.rolled)) if check.rolled is None else None


def _settled(was: Character, done: facts.InjuryResolved | facts.RecoveryChecked, status: Status) -> Character | None:
    """What a resisting check comes to: once, while its calling stands, and of the very roll it was decided about."""
    id = done.check or ""
    check = was.resisting.find(id)
    if check is None or check.settled:
        return None
    if isinstance(done, facts.RecoveryChecked) and done.reading == "referee":
        fits = check.awaited is not None and done.result == check.awaited
    else:
        fits = done.rolled == check.rolled
    if not fits:
        return None
    return _resisting(_with(was, status), id, changed(check, settled=True))


def _resisting(was: Character, id: str, check: Resisting) -> Character:
    return changed(was, resisting=was.resisting.put(id, check))


def _recovered(now: Status, done: facts.RecoveryChecked) -> Status:
    if done.step:
        return stepped(now)
    return risen(now, done.to) if done.to is not None else now


def _with(was: Character, status: Status) -> Character:
    if status.level == was.level and status.condition == was.condition:
        return was
    return changed(was, level=status.level, condition=status.condition)


def _present(was: Character, session: str) -> Character:
    """In the session, counted once: by being brought in, or by an assignment that stands where that was overturned."""
    return was if was.session == session else changed(was, session=session, sessions=was.sessions + 1)


def _assigned(was: Character, done: facts.AptitudeAssigned) -> Character:
    """Drift is worked out against what stands for the task now: an overturned assignment is no measure."""
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


# --- the campaign -------------------------------------------------------------------------------------------------


def _campaign(was: Campaign, done: Fact) -> Campaign | None:
    match done:
        case facts.RefereeSeated():
            return changed(was, referee=done.seat)
        case facts.RefereeRose():
            return changed(was, referee=None) if was.referee is not None else was
        case facts.SceneLeft():
            return changed(was, left=was.left.with_last(Left(done.scene, done.ruling)))
        case facts.LadderSet():
            return changed(was, ladders={**was.ladders, done.which: done.rows})
        case facts.AssignmentNoted():
            return _noted(was, done)
        case _:
            board = _board(was.board, done)
            return changed(was, board=board) if board is not None else None


def _noted(was: Campaign, done: facts.AssignmentNoted) -> Campaign:
    key = f"{done.character}/{done.key}"
    last = was.tasks.find(key)
    tasks = was.tasks.put(key, done.final)
    drift = done.final - last if last is not None else None
    if drift is None or abs(drift) <= done.tolerance:
        return changed(was, tasks=tasks)
    line = Noted(done.assignment, done.character, done.task, done.final, drift, done.reason)
    return changed(was, tasks=tasks, drifted=was.drifted.with_last(line))


# --- a board ------------------------------------------------------------------------------------------------------


def _board(was: Board, done: Fact) -> Board | None:
    match done:
        case facts.ActionDeclared():
            action = Action(done.action, done.character, done.text, done.physical)
            return changed(was, actions=was.actions.put(done.action, action))
        case facts.ActionOrderRuled():
            return changed(was, order=done.order)
        case facts.ActionRuledImpossible():
            return _action(was, done.action, "impossible")
        case facts.CheckRuled():
            ruled = changed(was, checks=was.checks.put(done.check, Check(done)))
            if done.action is None:
                return ruled
            return _action(ruled, done.action, "ruled") or ruled
        case facts.InjuryRuled():
            return _injury(was, done)
        case facts.RecoveryRuled():
            return changed(was, recoveries=was.recoveries.put(done.check, done))
        case facts.CheckRolled() | facts.FlukeRuled() | facts.CheckResolved() | facts.ConsequenceNarrated():
            check = was.checks.find(done.check)
            further = _come_on(check, done) if check is not None else None
            return _check(was, done.check, further) if further is not None else None
        case facts.RecoveryNamed():
            check = was.checks.find(done.check)
            if check is None or check.resolved is None or not check.resolved.success:
                return None
            return _check(was, done.check, changed(check, recovered=True))
        case _:
            return None


def _action(was: Board, id: str, stage: ActionStage) -> Board | None:
    action = was.actions.find(id)
    return changed(was, actions=was.actions.put(id, changed(action, stage=stage))) if action is not None else None


def _check(was: Board, id: str, check: Check) -> Board:
    return changed(was, checks=was.checks.put(id, check))


def _come_on(
    was: Check, done: facts.CheckRolled | facts.FlukeRuled | facts.CheckResolved | facts.ConsequenceNarrated
) -> Check | None:
    """Each step is taken once, and counts for the roll it was decided about: another roll leaves it without ground."""
    rolled = was.rolled
    match done:
        case facts.CheckRolled():
            return changed(was, rolled=done) if rolled is None else None
        case facts.FlukeRuled():
            fits = rolled is not None and (rolled.fluke, rolled.run) == (done.kind, done.run)
            return changed(was, fluke=done) if fits and was.fluke is None and was.resolved is None else None
        case facts.CheckResolved():
            fits = rolled is not None and (rolled.roll, rolled.fluke) == (done.roll, done.fluke_rolled)
            counts = was.fluke.kind if was.fluke is not None and was.fluke.possible else None
            ruled = done.fluke_rolled is None or was.fluke is not None
            return changed(was, resolved=done) if fits and ruled and counts == done.fluke and not was.resolved else None
        case facts.ConsequenceNarrated():
            if was.resolved is None or not (was.resolved.fluke or "").startswith("spectacular"):
                return None
            return changed(was, injured=(*was.injured, done.death)) if done.death is not None else was
        case _:
            assert_never(done)


def _injury(was: Board, done: facts.InjuryRuled) -> Board:
    """The injury, noted at its cause. Where the cause stands no more, the injury still does: that is for people."""
    after = changed(was, injuries=was.injuries.put(done.injury, done))
    cause = done.cause_check
    if cause is None:
        return after
    check, action = after.checks.find(cause), after.actions.find(cause)
    if check is not None:
        return _check(after, cause, changed(check, injured=(*check.injured, done.victim)))
    if action is not None:
        noted = changed(action, injured=(*action.injured, done.victim))
        return changed(after, actions=after.actions.put(cause, noted))
    return after
