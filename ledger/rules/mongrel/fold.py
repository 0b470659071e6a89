"""The fold: what each fact changes of a scene and of the campaign, and all of it together.

What it changes of a character is in `fold_of_characters`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import wraps

from ledger.rules.kernel.fold import Change, Fold
from ledger.rules.kernel.frozen import changed, changing
from ledger.rules.mongrel import facts_of_dealings as dealings
from ledger.rules.mongrel import facts_of_strife as strife
from ledger.rules.mongrel.fold_of_characters import KEPT_SESSIONS, TO_A_CHARACTER
from ledger.rules.mongrel.state import Campaign, Character, Conflict, Scene, Seat

_in_strife = changing(Scene, "conflict")
_declaring = changing(Conflict, "action", "target_attribute")
_ending = changing(Conflict, "queue", "action")

# --- a scene ---------------------------------------------------------------------------------------------------------


def _opened(was: Scene, done: strife.ConflictOpened) -> Scene:
    queue = tuple(dict.fromkeys(done.queue))
    return changed(was, conflict=Conflict(queue, queue))


def _closed(was: Scene, done: strife.ConflictClosed) -> Scene | None:
    return changed(was, conflict=None) if was.conflict is not None else None


# --- its conflict ----------------------------------------------------------------------------------------------------


def _testimony(was: Conflict, done: object) -> Conflict:
    return was


def _joined(was: Conflict, done: strife.ParticipantJoined) -> Conflict | None:
    if done.character in was.queue:
        return None
    others = _without(was.participants, done.character)
    return changed(was, participants=(*others, done.character), queue=(*was.queue, done.character))


def _left(was: Conflict, done: strife.ParticipantLeft) -> Conflict | None:
    return changed(was, queue=_without(was.queue, done.character)) if done.character in was.queue else None


def _front_taken(was: Conflict, done: strife.FrontTaken) -> Conflict | None:
    if done.character not in was.queue:
        return None
    return changed(was, queue=(done.character, *_without(was.queue, done.character)))


def _declared(was: Conflict, done: strife.ActionDeclared) -> Conflict | None:
    return _declaring(was, done, None) if done.actor in was.queue else None


def _named(was: Conflict, done: strife.TargetAttributeNamed) -> Conflict | None:
    declared = was.action is not None and was.action.actor == done.actor
    return changed(was, target_attribute=done.attribute) if declared else None


def _lapsed(was: Conflict, done: strife.DeclarationLapsed) -> Conflict | None:
    return changed(was, action=None) if was.action is not None and was.action.actor == done.actor else None


def _defence_chosen(was: Conflict, done: strife.DefenceChosen) -> Conflict | None:
    return was if was.action is not None and was.action.target == done.target else None


def _turn_ended(was: Conflict, done: strife.TurnEnded) -> Conflict | None:
    """Whose turn ended may be dead by then, and no longer in the queue: the action is over all the same."""
    if done.character in was.queue:
        return _ending(was, (*_without(was.queue, done.character), done.character), None)
    return changed(was, action=None) if was.action is not None else None


def _without(queue: tuple[str, ...], id: str) -> tuple[str, ...]:
    return tuple(other for other in queue if other != id)


def _in_conflict(change: Change) -> Change:
    """What changes a conflict, as a change of its scene; nothing where there is none."""

    @wraps(change)
    def of_its_scene(was: Scene, done: object) -> Scene | None:
        after: Conflict | None = change(was.conflict, done) if was.conflict is not None else None
        return _in_strife(was, after) if after is not None else None

    of_its_scene.__annotations__ = {**change.__annotations__, "was": Scene}
    return of_its_scene


TO_A_CONFLICT: Mapping[type, Change] = {
    strife.CoinFlipped: _testimony,
    strife.ParticipantJoined: _joined,
    strife.ParticipantLeft: _left,
    strife.FrontTaken: _front_taken,
    strife.ActionDeclared: _declared,
    strife.TargetAttributeNamed: _named,
    strife.DeclarationLapsed: _lapsed,
    strife.DefenceChosen: _defence_chosen,
    strife.TurnPassed: _testimony,
    strife.TurnEnded: _turn_ended,
}

# --- the campaign ----------------------------------------------------------------------------------------------------


def _session_numbered(was: Campaign, done: dealings.SessionNumbered) -> Campaign:
    return changed(was, closed=was.closed + 1, last_session=done.session)


def _clock_moved(was: Campaign, done: strife.ClockMoved) -> Campaign:
    return changed(was, clock=done.minute)


def _session_awarded(was: Campaign, done: dealings.SessionAwarded) -> Campaign:
    others = tuple(award for award in was.awards if award[0] != done.session)
    return changed(was, awards=(*others, (done.session, done.points))[-KEPT_SESSIONS:])


# --- all of it -------------------------------------------------------------------------------------------------------

FOLD = Fold(
    {"character": Character, "scene": Scene, "campaign": Campaign, "seat": Seat},
    {
        Character: TO_A_CHARACTER,
        Scene: {
            strife.ConflictOpened: _opened,
            strife.ConflictClosed: _closed,
            **{done: _in_conflict(change) for done, change in TO_A_CONFLICT.items()},
        },
        Campaign: {
            dealings.SessionNumbered: _session_numbered,
            dealings.SessionAwarded: _session_awarded,
            strife.ClockMoved: _clock_moved,
        },
    },
)
