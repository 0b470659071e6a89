"""Who played a session, and what everybody gets for it. Heading: Character points."""

from __future__ import annotations

from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.dealings import AwardSession, AwardVow, NotePresent
from ledger.rules.mongrel.facts import CharacterPointsAwarded, SessionAwarded, SessionNumbered, SessionPlayed
from ledger.rules.mongrel.ground import Ruling, check_once
from ledger.rules.mongrel.state import Character
from ledger.rules.mongrel.tables import GOVERNED_BY
from ledger.rules.mongrel.terms import AwardReason, is_whole

SESSION = "mongrel.cp.session"
VOW = "mongrel.cp.vow"


def close_session(ruling: Ruling, session: str) -> None:
    """It becomes the previous one: points buy what was used in it."""
    number = ruling.campaign().closed + 1
    ruling.tell(CAMPAIGN, SessionNumbered(session, number))
    ruling.by("mongrel.cp.used-only", number, session=session)


def note_present(ruling: Ruling, do: NotePresent) -> None:
    """A game master says who played. Refuses `session-unknown`, `nobody-played`, `duplicate`."""
    session = _session(ruling, do.session)
    if not do.characters:
        raise Refused(SESSION, "nobody-played", session=session)
    check_once(do.characters, SESSION)
    for id in do.characters:
        ruling.who(id)
        ruling.about(id, SessionPlayed(id, _number(ruling, session)))
    ruling.by(SESSION, list(do.characters), session=session)


def award_session(ruling: Ruling, do: AwardSession) -> None:
    """The same for everybody who played it, once; who is noted later gets it later.

    Refuses `session-unknown`, `award-range`, `award-differs`, `nobody-played`, `already-awarded`.
    """
    session = _session(ruling, do.session)
    if not is_whole(do.points) or not 1 <= do.points <= 2:
        raise Refused(SESSION, "award-range", points=repr(do.points))
    awarded = dict(ruling.campaign().awards).get(session)
    if awarded is not None and awarded != do.points:
        raise Refused(SESSION, "award-differs", session=session, awarded=awarded, points=do.points)
    number = _number(ruling, session)
    everybody = [subject.id for subject in ruling.table.subjects("character")]
    played = [id for id in everybody if _has_played(ruling.who(id), number)]
    if not played:
        raise Refused(SESSION, "nobody-played", session=session)
    new = [id for id in played if ("session", session) not in ruling.who(id).awarded]
    if not new:
        raise Refused(SESSION, "already-awarded", session=session, characters=played)
    ruling.tell(CAMPAIGN, SessionAwarded(session, do.points))
    for id in new:
        _award(ruling, id, do.points, "session", session, do.reason)
    ruling.by(SESSION, do.points, characters=new)


def _has_played(who: Character, number: int) -> bool:
    """Noted, or it acted: a move says so itself, a roll by the Expertise that was used."""
    if number in who.played:
        return True
    used = [name for one in who.used if one.session == number for name in one.features]
    return not who.npc and any(name in GOVERNED_BY for name in used)


def award_vow(ruling: Ruling, do: AwardVow) -> None:
    """Once a session, for a risk taken. Refuses `no-vow`, `not-conforming`, `already-awarded`.

    A Vow that ended in that session, by being fulfilled perhaps, was still kept in it.
    """
    session = _session(ruling, do.session)
    who = ruling.who(do.character)
    if not any(vow.ended is None or vow.session == session for vow in who.vows):
        raise Refused(VOW, "no-vow", character=do.character)
    if not do.conforming and ruling.dials.vow_award == "conforming":
        raise Refused(VOW, "not-conforming", character=do.character)
    if ("vow", session) in who.awarded:
        raise Refused(VOW, "already-awarded", character=do.character, session=session)
    _award(ruling, do.character, 1, "vow", session, do.reason)
    ruling.by(VOW, 1, conforming=do.conforming)


def _session(ruling: Ruling, named: str | None) -> str:
    """The one named, else the open one, else the last. Refuses `session-unknown`: no other gives points any more."""
    last = ruling.campaign().last_session
    session = named if named is not None else ruling.table.session or last
    if session is None or session not in (ruling.table.session, last):
        raise Refused(SESSION, "session-unknown", session=session)
    return session


def _number(ruling: Ruling, session: str) -> int:
    """As features are counted: the open session is the next to be closed."""
    closed = ruling.campaign().closed
    return closed + 1 if session == ruling.table.session else closed


def _award(ruling: Ruling, id: str, amount: int, reason: AwardReason, session: str, why: str) -> None:
    done = CharacterPointsAwarded(id, amount, reason, session, why)
    ruling.about(id, done, accounts.move(accounts.POINTS, accounts.cp(id), amount))
