"""Sessions: attendance, the features used, and the character points awarded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from ledger.rules.kernel.kit import (
    GM,
    OPEN,
    Among,
    Between,
    CharacterId,
    CloseSession,
    Move,
    Reason,
    Refusal,
    Refused,
    Says,
    Seen,
    SharedRefusal,
    Some,
    changed,
    changes,
    decides,
    declares,
    fact,
    offers,
    once_created,
    rule,
)
from ledger.rules.mongrel import accounts, acting, houses
from ledger.rules.mongrel.draft import Draft, check_once
from ledger.rules.mongrel.sight import Sight, get_sight
from ledger.rules.mongrel.state import KEPT_AWARDS, KEPT_SESSIONS, Campaign, Character, Used
from ledger.rules.mongrel.tables import GOVERNED_BY
from ledger.rules.mongrel.terms import (
    ATTRIBUTES,
    IDENTITIES,
    AwardReason,
    FeatureName,
    Number,
    SessionId,
    by_value,
    is_whole,
)

SESSION = rule(
    "mongrel.cp.session",
    "Once per session, everyone who played in it gets the same award: 1 or 2 character points. Play between two"
    " sessions counts for neither of them, unless a game master says which one it counts for.",
    "Character points",
    outcome="character",
)
SESSION_UNKNOWN = Refusal(
    SESSION,
    "session-unknown",
    "Choose the open session or the last one. No other session counts.",
)


@fact("session-numbered", says="The session is over. It was session {number}.")
class SessionNumbered:
    """Subject: the campaign. A session was closed and got its number."""

    session: SessionId
    number: int


@changes
def count_session(state: Campaign, fact: SessionNumbered) -> Campaign:
    return changed(state, closed=state.closed + 1, last_session=fact.session)


@decides
def close_session(draft: Draft, do: CloseSession) -> None:
    """Make this session the previous one. Character points can then raise the features that were used in it."""
    number = draft.read_campaign().closed + 1
    draft.campaign_wide(SessionNumbered(do.session, number))
    draft.by(USED, number, session=do.session)


def check_session(draft: Draft, session_id: str | None) -> str:
    """Return the named session, or else the open one, or else the last one. Refuses any other: `session-unknown`."""
    last_session_id = draft.read_campaign().last_session
    chosen_id = session_id if session_id is not None else draft.table.session or last_session_id
    if chosen_id is None or chosen_id not in (draft.table.session, last_session_id):
        raise SESSION_UNKNOWN(session=chosen_id)
    return chosen_id


def read_session_number(draft: Draft, session_id: str) -> int:
    """Return the session's number. The open session has the number of the next one to be closed."""
    closed = draft.read_campaign().closed
    return closed + 1 if session_id == draft.table.session else closed


# --- features used ---------------------------------------------------------------------------------------------------

USED = rule(
    "mongrel.cp.used-only",
    "Character points can raise only those Identities, attributes and Expertises that were used in the previous "
    "session.",
    "Character points",
)
FEATURE_UNKNOWN = Refusal(
    USED,
    "feature-unknown",
    "There is no feature called {feature}. Features are Identities, attributes and Expertises.",
)
SESSION_UNSAID = Refusal(
    SESSION,
    "session-unsaid",
    "No session is open. Say which session this counts for.",
)


@fact("features-used", says="{character} used {features}, and can raise them later.")
class FeaturesUsed:
    """A character used features. `session`: the number of the session for which this counts."""

    character: CharacterId
    features: tuple[FeatureName, ...]
    session: int


@changes
@once_created
def add_features(state: Character, fact: FeaturesUsed) -> Character:
    """Return the character with these features added. Only the latest sessions are kept. The order in which features
    are added does not change the result.
    """
    earlier_features = next((marks.features for marks in state.used if marks.session == fact.session), ())
    if fact.features and all(name in earlier_features for name in fact.features):
        return state
    features = tuple(sorted({*earlier_features, *fact.features}))
    other_marks = [marks for marks in state.used if marks.session != fact.session]
    marks_in_order = sorted([*other_marks, Used(fact.session, features)], key=lambda marks: marks.session)
    return changed(state, used=tuple(marks_in_order[-KEPT_SESSIONS:]))


def record_used_features(draft: Draft, number: int | None = None) -> None:
    """Record the marked features for the session with this number, or else the open one. Between sessions, nothing is
    recorded.
    """
    if number is None and draft.table.session is not None:
        number = draft.read_campaign().closed + 1
    if number is not None:
        for character_id, features in draft.used_features.items():
            draft.about(character_id, FeaturesUsed(character_id, tuple(features), number))
            draft.by(USED, list(features), character=character_id, session=number)
    draft.used_features = {}


@declares("mark-features", GM, says="{character} used {features}[: {reason}].", records=(FeaturesUsed,))
class MarkFeatures:
    """Record that a character used features in a session without rolling for them. Character points can then raise
    these features.

    `session`: leave it out for the open session.
    """

    character: CharacterId
    features: tuple[FeatureName, ...]
    reason: Reason = ""
    session: SessionId | None = None


@decides
def mark_features(draft: Draft, do: MarkFeatures) -> None:
    """Mark features that were used without a roll. Refuses `session-unsaid`, `session-unknown`, `feature-unknown`."""
    acting.check_alive(draft, do.character)
    if do.session is None and draft.table.session is None:
        raise SESSION_UNSAID()
    number = read_session_number(draft, check_session(draft, do.session))
    for feature in do.features:
        check_feature(feature)
    if do.features:
        draft.mark(do.character, *do.features)
    record_used_features(draft, number)


def check_feature(feature: str) -> None:
    if feature not in (*IDENTITIES, *ATTRIBUTES, *GOVERNED_BY):
        raise FEATURE_UNKNOWN(feature=feature)


@offers
def offer_to_mark(seen: Seen, draft: Draft) -> Iterator[Move]:
    sight = get_sight(seen, draft)
    last_session_id, open_session_id = draft.read_campaign().last_session, draft.table.session
    sessions = (
        *((None, open_session_id) if open_session_id is not None else ()),
        *((last_session_id,) if last_session_id is not None else ()),
    )
    if sight.alive and sessions:
        yield Move(MarkFeatures, {"character": Among(sight.alive), "features": OPEN, "session": Among(sessions)})


# --- attendance ------------------------------------------------------------------------------------------------------

NOBODY_PLAYED = Refusal(
    SESSION,
    "nobody-played",
    "Nobody played that session. A game master can record who was present.",
)


@fact("session-played", says="{character} counts as present in session {session}.")
class SessionPlayed:
    """A character took part in a session: they acted without a roll, or were recorded as present.

    `session`: the number of the session.
    """

    character: CharacterId
    session: int


@changes
@once_created
def add_session(state: Character, fact: SessionPlayed) -> Character:
    if fact.session in state.played:
        return state
    return changed(state, played=tuple(sorted((*state.played, fact.session))[-KEPT_SESSIONS:]))


def note_played(draft: Draft, character_id: str) -> None:
    """Note that the character acts in the open session without a roll (a roll is recorded with `features-used`)."""
    if draft.table.session is not None and not draft.read_character(character_id).npc:
        draft.about(character_id, SessionPlayed(character_id, draft.read_campaign().closed + 1))


@declares("note-present", GM, says="{characters} took part in the session.", records=(SessionPlayed,))
class NotePresent:
    """Record that these characters played in a session, even if they did not act.

    `session`: leave it out for the open session, or for the last one if none is open.
    """

    characters: tuple[CharacterId, ...]
    session: SessionId | None = None


@decides
def note_present(draft: Draft, do: NotePresent) -> None:
    """Note who played. Refuses `session-unknown`, `nobody-played`, `duplicate`."""
    session = check_session(draft, do.session)
    if not do.characters:
        raise NOBODY_PLAYED(session=session)
    check_once(do.characters, SESSION)
    for character_id in do.characters:
        draft.read_character(character_id)
        draft.about(character_id, SessionPlayed(character_id, read_session_number(draft, session)))
    draft.by(SESSION, list(do.characters), session=session)


# --- the award -------------------------------------------------------------------------------------------------------

ALREADY_AWARDED = SharedRefusal(
    "already-awarded",
    "[{characters} already got points for that session][{character} already got the point for a Vow in that session].",
)
AWARD_DIFFERS = Refusal(
    SESSION,
    "award-differs",
    "That session's award is {awarded:character point|character points} for everybody, not {points}.",
)
AWARD_RANGE = Refusal(
    SESSION,
    "award-range",
    "Award 1 or 2 character points for a session.",
)


@fact("session-awarded", says="Everybody who played the session gets {points:character point|character points}.")
class SessionAwarded:
    """Subject: the campaign. The award for everybody who took part in a session was set."""

    session: SessionId
    points: int


@changes
def put_award(state: Campaign, fact: SessionAwarded) -> Campaign:
    other_awards = tuple(award for award in state.awards if award[0] != fact.session)
    return changed(state, awards=(*other_awards, (fact.session, fact.points))[-KEPT_SESSIONS:])


@fact(
    "character-points-awarded",
    says=by_value(
        "reason",
        {
            "session": "{character} gets {amount:character point|character points} for the session[: {why}].",
            "vow": "{character} gets {amount:character point|character points} for a Vow[: {why}].",
        },
    ),
)
class CharacterPointsAwarded:
    """A character got character points."""

    character: CharacterId
    amount: int
    reason: AwardReason
    session: SessionId
    why: Reason


@changes
@once_created
def note_award(state: Character, fact: CharacterPointsAwarded) -> Character:
    return changed(state, awarded=(*state.awarded, (fact.reason, fact.session))[-KEPT_AWARDS:])


@declares(
    "award-session",
    GM,
    says="Everybody who played the session gets {points:character point|character points}[: {reason}].",
    records=(SessionAwarded, CharacterPointsAwarded),
)
class AwardSession:
    """Award 1 or 2 character points to each character who acted in the session or was recorded as present.

    `session`: leave it out for the open session, or for the last one if none is open.
    """

    points: Annotated[Number, Between(1, 2)]
    session: SessionId | None = None
    reason: Reason = ""


@decides
def award_session(draft: Draft, do: AwardSession) -> None:
    """Award everybody who played the session the same points, once. Characters who are recorded as present later get
    their points then.
    """
    session = check_session(draft, do.session)
    if not is_whole(do.points) or not 1 <= do.points <= 2:
        raise AWARD_RANGE(points=repr(do.points))
    awarded_points = dict(draft.read_campaign().awards).get(session)
    if awarded_points is not None and awarded_points != do.points:
        raise AWARD_DIFFERS(session=session, awarded=awarded_points, points=do.points)
    ids_who_played, unawarded_ids = list_played_and_unawarded(draft, session)
    if not ids_who_played:
        raise NOBODY_PLAYED(session=session)
    if not unawarded_ids:
        raise ALREADY_AWARDED.under(SESSION, session=session, characters=ids_who_played)
    draft.campaign_wide(SessionAwarded(session, do.points))
    for character_id in unawarded_ids:
        _award_points(draft, character_id, do.points, "session", session, do.reason)
    draft.by(SESSION, do.points, characters=unawarded_ids)


def list_played_and_unawarded(draft: Draft, session: str) -> tuple[list[str], list[str]]:
    """Return the characters who played the session, and those of them who have no award for it yet."""
    number = read_session_number(draft, session)
    all_ids = [subject.id for subject in draft.table.subjects("character")]
    ids_who_played = [
        character_id for character_id in all_ids if _has_played(draft.read_character(character_id), number)
    ]
    return ids_who_played, [
        character_id
        for character_id in ids_who_played
        if ("session", session) not in draft.read_character(character_id).awarded
    ]


def _has_played(state: Character, number: int) -> bool:
    """Return whether the character was recorded as present, or acted, with or without a roll."""
    if number in state.played:
        return True
    used_names = [name for marks in state.used if marks.session == number for name in marks.features]
    return not state.npc and any(name in GOVERNED_BY for name in used_names)


def _award_points(draft: Draft, character_id: str, amount: int, reason: AwardReason, session: str, why: str) -> None:
    fact = CharacterPointsAwarded(character_id, amount, reason, session, why)
    draft.about(character_id, fact, accounts.make_posting(accounts.POINTS, accounts.name_cp(character_id), amount))


# --- the award for a Vow ---------------------------------------------------------------------------------------------

VOW_POINT = rule(
    "mongrel.cp.vow",
    "A character who took a risk to keep a Vow gets 1 extra character point, at most once per session.",
    "Character points",
)
NOT_CONFORMING = Refusal(
    VOW_POINT,
    "not-conforming",
    "{character} did not conform to the Vow. This table gives the point only for conforming to it.",
)


@declares(
    "award-vow", GM, says="{character} gets a character point for a Vow[: {reason}].", records=(CharacterPointsAwarded,)
)
class AwardVow:
    """Award a character point for a risk that a character took for a Vow.

    `session`: leave it out for the open session, or for the last one if none is open.
    """

    character: CharacterId
    conforming: Annotated[
        bool, Says("Conforming", "Whether the character took the risk in order to conform to the Vow.")
    ] = True
    session: SessionId | None = None
    reason: Reason = ""


@decides
def award_vow(draft: Draft, do: AwardVow) -> None:
    """Award a risk taken for a Vow, once per session. Refuses `no-vow`, `not-conforming`, `already-awarded`.

    A Vow that ended in that session, perhaps because it was fulfilled, still counts.
    """
    session = check_session(draft, do.session)
    state = draft.read_character(do.character)
    if not any(vow.ended is None or vow.session == session for vow in state.vows):
        raise houses.NO_VOW.under(VOW_POINT, character=do.character)
    if not do.conforming and draft.dials.vow_award == "conforming":
        raise NOT_CONFORMING(character=do.character)
    if ("vow", session) in state.awarded:
        raise ALREADY_AWARDED.under(VOW_POINT, character=do.character, session=session)
    _award_points(draft, do.character, 1, "vow", session, do.reason)
    draft.by(VOW_POINT, 1, conforming=do.conforming)


@offers
def offer_awards(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer awards for the open session, or for the last one if none is open."""
    sight = get_sight(seen, draft)
    ids_by_choice = _map_session_choices(sight)
    if ids_by_choice and sight.roster:
        characters_domain = Some(Among(sight.roster), 1)
        yield Move(NotePresent, {"characters": characters_domain, "session": Among(tuple(ids_by_choice))})
    for choice, session in ids_by_choice.items():
        awarded_points = dict(draft.read_campaign().awards).get(session)
        if list_played_and_unawarded(draft, session)[1]:
            points = Between(1, 2) if awarded_points is None else Among((awarded_points,))
            yield Move(AwardSession, {"points": points, "session": Among((choice,))})
        if keeper_ids := tuple(
            character_id for character_id in sight.roster if _has_unawarded_vow(sight, character_id, session)
        ):
            conforming_values = OPEN if draft.dials.vow_award == "addressing" else Among((True,))
            yield Move(
                AwardVow, {"character": Among(keeper_ids), "conforming": conforming_values, "session": Among((choice,))}
            )


def _map_session_choices(sight: Sight) -> dict[str | None, str]:
    """Return the session id for each value that the field `session` allows."""
    choices = dict.fromkeys((None, sight.seen.session, sight.draft.read_campaign().last_session))
    ids_by_choice = {}
    for choice in choices:
        try:
            ids_by_choice[choice] = check_session(sight.draft, choice)
        except Refused:
            continue
    return ids_by_choice


def _has_unawarded_vow(sight: Sight, character_id: str, session: str) -> bool:
    state = sight.people[character_id]
    is_kept = any(vow.ended is None or vow.session == session for vow in state.vows)
    return is_kept and ("vow", session) not in state.awarded
