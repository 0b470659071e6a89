"""Sessions and scenes: the characters who take part, and the records that lead to the actions and checks of a closed
scene.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.kit import (
    CAMPAIGN,
    Among,
    CharacterId,
    CloseScene,
    Move,
    OpenScene,
    Refusal,
    Refused,
    SceneId,
    Seen,
    Some,
    Subject,
    changed,
    changes,
    decides,
    declares,
    fact,
    guards,
    offers,
    once_created,
    require,
)
from ledger.rules.mnemonic.agreeing import ASSIGN
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.referee import REFEREE, may_rule, offer_to_referees
from ledger.rules.mnemonic.state import Campaign, Character, Left
from ledger.rules.mnemonic.words import SessionId

# --- who takes part ---------------------------------------------------------------------------------------------------

BAD_SESSION = Refusal(ASSIGN, "bad-session", "No such session is open.")


@fact("took-part", says="{subject} takes part in this session.")
class TookPart:
    """Subject: the character. The character took part in the open session."""

    session: SessionId


@changes
@once_created
def take_part(state: Character, fact: TookPart) -> Character | None:
    return join_session(state, fact.session)


def join_session(state: Character, session: str) -> Character:
    """Return the character with this session counted, but only once. Assigning an Aptitude also calls this, so the
    session still counts if the fact that brought the character in is overturned.
    """
    return state if state.session == session else changed(state, session=session, sessions=state.sessions + 1)


@declares("take-part", REFEREE, says="The session's participants are recorded[: {characters}].", records=(TookPart,))
class TakePart:
    """Add characters to the open session, at its start or later. `session`: the open session. You can leave it out."""

    characters: tuple[CharacterId, ...]
    session: SessionId | None = None


@guards
def may_name_session(draft: Draft, session: str | None) -> Refused | None:
    """Refuse any session except the open one. None means the open session."""
    return BAD_SESSION(session=session) if session not in (None, draft.table.session) else None


@guards
def may_take_part(draft: Draft, session: str | None) -> Refused | None:
    return BAD_SESSION(session=session) if draft.table.session is None else may_name_session(draft, session)


@decides
def bring_in(draft: Draft, do: TakePart) -> None:
    """Bring characters into the open session. No session is counted twice for a character. A character who was already
    in the session is recorded again, and so stays in it even if the earlier ruling is overturned.
    """
    require(may_rule(draft))
    require(may_take_part(draft, do.session))
    session = draft.table.session
    assert session is not None, "`may_take_part` has checked this"
    for character_id in dict.fromkeys(do.characters):
        draft.character(character_id)
        draft.about(character_id, TookPart(session))
    draft.by(ASSIGN, session)


@offers
def offer_to_bring_in(seen: Seen, draft: Draft) -> Iterator[Move]:
    session = draft.table.session
    if may_rule(draft) is None and may_take_part(draft, session) is None:
        characters_domain = Some(Among(draft.roster))
        yield from offer_to_referees(
            draft, [Move(TakePart, {"characters": characters_domain, "session": Among((None, session))})]
        )


# --- scenes -----------------------------------------------------------------------------------------------------------


@fact("scene-left", says="Anything started in the scene “{scene}” can still be finished.")
class SceneLeft:
    """Subject: the campaign. This ruling closed the scene. Anything begun in the scene can still be finished."""

    scene: SceneId
    ruling: int


@fact("begun-late", says="This ruling belongs to “{scene}”, a closed scene.")
class BegunLate:
    """Subject: the campaign. This ruling began an action, check or injury in a closed scene, and
    belongs to that scene.
    """

    scene: SceneId
    ruling: int


@changes
def leave_scene(state: Campaign, fact: SceneLeft) -> Campaign:
    return changed(state, left=state.left.with_last(Left(fact.scene, fact.ruling)))


@changes
def begin_late(state: Campaign, fact: BegunLate) -> Campaign:
    return changed(state, late=state.late.with_last(Left(fact.scene, fact.ruling)))


@decides
def open_scene(draft: Draft, do: OpenScene) -> None:
    """Bring everybody in the scene into the session: one fact for each character who was not in it yet."""
    session = draft.table.session
    if session is None:
        return
    for character_id in dict.fromkeys(do.cast):
        if draft.character(character_id).session != session:
            draft.about(character_id, TookPart(session))


@decides
def close_scene(draft: Draft, do: CloseScene) -> None:
    """Record that the scene is closed, so that its checks can still be found and finished."""
    draft.campaign_wide(SceneLeft(do.scene, draft.table.number))


def record_on_board(draft: Draft, place: Subject, fact: object) -> None:
    """Record a fact with which an action, check or injury begins on this board. If it is the board of a closed scene,
    the campaign notes that scene.
    """
    draft.tell(place, fact)
    if place != CAMPAIGN and not draft.table.is_open(place):
        draft.campaign_wide(BegunLate(place.id, draft.table.number))
