"""Who played a session, and what everybody gets for it. Heading: Character points."""

from __future__ import annotations

from ledger.rules.kernel.commands import CloseSession
from ledger.rules.kernel.refusals import Refused
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.facts_of_dealings import (
    CharacterPointsAwarded,
    SessionAwarded,
    SessionNumbered,
    SessionPlayed,
)
from ledger.rules.mongrel.guards import check_once
from ledger.rules.mongrel.inputs_of_dealings import AwardSession, AwardVow, NotePresent
from ledger.rules.mongrel.state import Character
from ledger.rules.mongrel.tables import GOVERNED_BY
from ledger.rules.mongrel.terms import AwardReason, is_whole

SESSION = "mongrel.cp.session"
VOW = "mongrel.cp.vow"


def close_session(draft: Draft, do: CloseSession) -> None:
    """It becomes the previous one: points buy what was used in it."""
    number = draft.campaign().closed + 1
    draft.campaign_wide(SessionNumbered(do.session, number))
    draft.by("mongrel.cp.used-only", number, session=do.session)


def note_present(draft: Draft, do: NotePresent) -> None:
    """A game master says who played. Refuses `session-unknown`, `nobody-played`, `duplicate`."""
    session = session_of(draft, do.session)
    if not do.characters:
        raise Refused(SESSION, "nobody-played", session=session)
    check_once(do.characters, SESSION)
    for id in do.characters:
        draft.who(id)
        draft.about(id, SessionPlayed(id, number_of(draft, session)))
    draft.by(SESSION, list(do.characters), session=session)


def award_session(draft: Draft, do: AwardSession) -> None:
    """The same for everybody who played it, once; who is noted later gets it later.

    Refuses `session-unknown`, `award-range`, `award-differs`, `nobody-played`, `already-awarded`.
    """
    session = session_of(draft, do.session)
    if not is_whole(do.points) or not 1 <= do.points <= 2:
        raise Refused(SESSION, "award-range", points=repr(do.points))
    awarded = dict(draft.campaign().awards).get(session)
    if awarded is not None and awarded != do.points:
        raise Refused(SESSION, "award-differs", session=session, awarded=awarded, points=do.points)
    played, new = owed(draft, session)
    if not played:
        raise Refused(SESSION, "nobody-played", session=session)
    if not new:
        raise Refused(SESSION, "already-awarded", session=session, characters=played)
    draft.campaign_wide(SessionAwarded(session, do.points))
    for id in new:
        _award(draft, id, do.points, "session", session, do.reason)
    draft.by(SESSION, do.points, characters=new)


def owed(draft: Draft, session: str) -> tuple[list[str], list[str]]:
    """Who played the session, and of these who has not been awarded for it."""
    number = number_of(draft, session)
    everybody = [subject.id for subject in draft.table.subjects("character")]
    played = [id for id in everybody if _has_played(draft.who(id), number)]
    return played, [id for id in played if ("session", session) not in draft.who(id).awarded]


def _has_played(who: Character, number: int) -> bool:
    """Noted, or it acted: a move says so itself, a roll by the Expertise that was used."""
    if number in who.played:
        return True
    used = [name for one in who.used if one.session == number for name in one.features]
    return not who.npc and any(name in GOVERNED_BY for name in used)


def award_vow(draft: Draft, do: AwardVow) -> None:
    """Once a session, for a risk taken. Refuses `no-vow`, `not-conforming`, `already-awarded`.

    A Vow that ended in that session, by being fulfilled perhaps, was still kept in it.
    """
    session = session_of(draft, do.session)
    who = draft.who(do.character)
    if not any(vow.ended is None or vow.session == session for vow in who.vows):
        raise Refused(VOW, "no-vow", character=do.character)
    if not do.conforming and draft.dials.vow_award == "conforming":
        raise Refused(VOW, "not-conforming", character=do.character)
    if ("vow", session) in who.awarded:
        raise Refused(VOW, "already-awarded", character=do.character, session=session)
    _award(draft, do.character, 1, "vow", session, do.reason)
    draft.by(VOW, 1, conforming=do.conforming)


def session_of(draft: Draft, named: str | None) -> str:
    """The one named, else the open one, else the last. Refuses `session-unknown`: no other gives points any more."""
    last = draft.campaign().last_session
    session = named if named is not None else draft.table.session or last
    if session is None or session not in (draft.table.session, last):
        raise Refused(SESSION, "session-unknown", session=session)
    return session


def number_of(draft: Draft, session: str) -> int:
    """As features are counted: the open session is the next to be closed."""
    closed = draft.campaign().closed
    return closed + 1 if session == draft.table.session else closed


def _award(draft: Draft, id: str, amount: int, reason: AwardReason, session: str, why: str) -> None:
    done = CharacterPointsAwarded(id, amount, reason, session, why)
    draft.about(id, done, accounts.move(accounts.POINTS, accounts.cp(id), amount))
