"""Who is there: characters enrolled, the referee's chair, sessions and their scenes. Headings: all."""

from __future__ import annotations

from ledger.rules.kernel.commands import CloseScene, CloseSession, Enrol, OpenScene
from ledger.rules.kernel.faults import Faults
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import seat
from ledger.rules.mnemonic.authority import AUTHORITY
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.drama import check_rated, rate_at_enrolment, show
from ledger.rules.mnemonic.facts import CharacterCreated, RefereeRose, RefereeSeated, SceneLeft, TookPart
from ledger.rules.mnemonic.guards import must_be_referee
from ledger.rules.mnemonic.inputs import SeatReferee, Sheet, TakePart
from ledger.rules.mnemonic.state import Seat
from ledger.rules.mnemonic.terms import FINE, collapsed


def enrol(draft: Draft, do: Enrol[Sheet]) -> Asking[None]:
    """A new character is Fine (`mnemonic.status.default`); the referee may be asked how important it is."""
    sheet, id, faults = do.sheet, str(draft.table.number), Faults()
    if sheet.rate_importance:
        with faults.at("sheet", "rate_importance"):
            check_rated(draft.dials)
    faults.tell()
    talent = collapsed(sheet.resist_talent) if sheet.resist_talent and sheet.resist_talent.strip() else None
    draft.about(id, CharacterCreated(sheet.kind, do.seat, sheet.primary_role, talent))
    show(draft, draft.dials, id, None)
    draft.by("mnemonic.status.default", FINE)
    if sheet.rate_importance:
        yield from rate_at_enrolment(draft, id, do.name)


def seat_referee(draft: Draft, do: SeatReferee) -> None:
    """Another seat rules until the session is over; the referee or a game master hands over the chair."""
    if draft.table.by.role != "gm":
        must_be_referee(draft)
    chosen = seat(do.seat)
    draft.state(chosen, Seat)
    if not draft.table.is_open(chosen):
        raise Refused(AUTHORITY, "seat-removed", seat=do.seat)
    if draft.table.role(chosen) == "observer":
        raise Refused(AUTHORITY, "observer-seat", seat=do.seat)
    draft.campaign_wide(RefereeSeated(do.seat))
    draft.by(AUTHORITY, do.seat)


def close_session(draft: Draft, do: CloseSession) -> None:
    """Nobody is the referee for longer than a session."""
    draft.campaign_wide(RefereeRose())


def take_part(draft: Draft, do: TakePart) -> None:
    """Characters in the open session. Who is in it already is not counted twice, and stays in it by this too."""
    must_be_referee(draft)
    session = draft.table.session
    if session is None or do.session not in (None, session):
        raise Refused("mnemonic.feather.assign", "bad-session", session=do.session)
    for id in dict.fromkeys(do.characters):
        draft.character(id)
        draft.about(id, TookPart(session))
    draft.by("mnemonic.feather.assign", session)


def open_scene(draft: Draft, do: OpenScene) -> None:
    """Who is in a scene is in the session: a fact for each that was not in it yet."""
    session = draft.table.session
    if session is None:
        return
    for id in dict.fromkeys(do.cast):
        if draft.character(id).session != session:
            draft.about(id, TookPart(session))


def close_scene(draft: Draft, do: CloseScene) -> None:
    """Where the scene's checks are found afterwards: they can still be finished."""
    draft.campaign_wide(SceneLeft(do.scene, draft.table.number))
