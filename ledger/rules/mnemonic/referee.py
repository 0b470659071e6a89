"""The seats that rule, and those that may read hidden values.

The referee is the seat in the referee's chair, a game master's or a player's, until the session is over. The chair
gives none of a game master's other rights. While it is empty, every game master rules, except at a table that also
hides ratings from game masters (`dramatic.seen_by_gm`): there, nobody rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from ledger.rules.kernel.kit import (
    CAMPAIGN,
    GM,
    Among,
    CloseSession,
    Declarer,
    Move,
    Refusal,
    Refused,
    Role,
    SeatId,
    Seen,
    Table,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    guards,
    offers,
    require,
    rule,
    seat,
)
from ledger.rules.mnemonic.draft import Draft, find_referee
from ledger.rules.mnemonic.state import Campaign, Character, Seat

D = TypeVar("D")
#: The readers of values hidden from players: game masters, who keep the record, and the referee while in the chair.
REFEREES: tuple[str, ...] = ("gm", "chair:referee")
#: The same, at a table that also hides these values from game masters.
CHAIR: tuple[str, ...] = ("chair:referee",)
CHAIRS: Mapping[str, Callable[[Campaign], str | None]] = {"referee": lambda campaign: campaign.referee}

AUTHORITY = rule(
    "mnemonic.ruling.authority",
    "Only the referee makes rulings. A game master or a player becomes the referee and stays in that role until "
    "the session ends.",
    "calculating status",
    outcome="seat",
)
NO_REFEREE = Refusal(
    AUTHORITY,
    "no-referee",
    "There is no referee, and this table needs one. A game master must first make somebody the referee.",
)
NOT_REFEREE = Refusal(AUTHORITY, "not-referee", "Only the referee can do that.")
OBSERVER = Refusal(
    AUTHORITY,
    "observer-seat",
    "{seat} only watches and cannot be the referee. Choose a player or a game master.",
)


# --- the ruling seat --------------------------------------------------------------------------------------------------


def is_referee(table: Table[object]) -> bool:
    """Return whether this seat rules: it sits in the referee's chair, or the chair is empty and it
    is a game master's.
    """
    return _is_declaring_seat(table, find_referee(table))


def _is_declaring_seat(table: Table[object], referee: str | None) -> bool:
    return table.by.role == "gm" if referee == "gm" else table.by.seat == referee


@guards
def may_have_referee(draft: Draft) -> Refused | None:
    return NO_REFEREE() if draft.referee is None else None


@guards
def may_rule(draft: Draft) -> Refused | None:
    """Refuse every seat except the one that rules. The refusal has no context, because it must reveal nothing to a
    player.
    """
    if draft.referee is None:
        return NO_REFEREE()
    return NOT_REFEREE() if not _is_declaring_seat(draft.table, draft.referee) else None


@guards
def may_speak_for(draft: Draft, character_id: str) -> Refused | None:
    """Refuse every seat except that of the character's player and the one that rules."""
    return may_rule(draft) if character_id not in draft.table.by.characters else None


def read_referee(draft: Draft) -> str:
    """Return the seat that rules: `gm` for any game master. Refuses `no-referee`."""
    require(may_have_referee(draft))
    assert draft.referee is not None, "`may_have_referee` has checked this"
    return draft.referee


def find_player(table: Table[object], character_id: str) -> str | None:
    """Return the seat of a character's player, or None if nobody plays it, so that the referee speaks for it.

    While another seat is the referee, a game master counts as the player of their own player characters. The referee
    speaks for all other characters of game masters.
    """
    owner = seat(table.owner(character(character_id)))
    if not table.has(owner) or not table.is_open(owner) or owner.id == find_referee(table):
        return None
    role, is_chair_taken = table.role(owner), table.get(CAMPAIGN, Campaign).referee is not None
    is_playing = (
        is_chair_taken and role == "gm" and table.get(character(character_id), Character).kind == "player_character"
    )
    return owner.id if role == "player" or is_playing else None


# --- declaring seats --------------------------------------------------------------------------------------------------


def _find_chair(table: Table[object], do: object) -> str:
    return table.get(CAMPAIGN, Campaign).referee or ""


#: Only the referee. A game master may declare for any seat, but the rules refuse one who is not the referee.
REFEREE = Declarer("seat", _find_chair, "the referee")


def referee_or_player_of(find_character: Callable[[Table[object], D], str | None], text: str) -> Declarer:
    """Return a declarer that allows the referee and the player of the character that this function finds."""

    def find_seat(table: Table[object], do: D) -> str | None:
        if is_referee(table):
            return table.by.seat
        character_id = find_character(table, do)
        return table.owner(character(character_id)) if character_id is not None else None

    return Declarer("seat", find_seat, f"{text}, or the referee")


def referee_or_player(field_name: str) -> Declarer:
    """Return a declarer that allows the referee and the player of the character named in this field."""

    def read_character_id(table: Table[object], do: object) -> str:
        return str(getattr(do, field_name))

    return referee_or_player_of(read_character_id, f"who plays `{field_name}`")


# --- offers to referees -----------------------------------------------------------------------------------------------


def offer_to_referees(draft: Draft, moves: Iterable[Move]) -> Iterator[Move]:
    """Offer each move to each seat that rules, and to nobody else, because a game master who is not the referee is
    refused. Moves for which the table does not wait are offered only to the seat that asks.
    """
    for move in moves:
        for referee in draft.referees:
            if move.awaits is not None or referee == draft.table.by.seat:
                yield changed(move, of=referee, seats=(referee,))


def list_represented_ids(draft: Draft) -> tuple[str, ...]:
    """Return the characters that the seat may speak for: those it plays, or all if it rules."""
    if may_rule(draft) is None:
        return draft.roster
    own_characters = draft.table.by.characters
    return tuple(
        character_id
        for character_id in draft.roster
        if character_id in own_characters and may_speak_for(draft, character_id) is None
    )


# --- the chair --------------------------------------------------------------------------------------------------------


@fact("referee-seated", says="{seat} is the referee.")
class RefereeSeated:
    """Subject: the campaign. The seat became the referee."""

    seat: SeatId


@fact("referee-rose", says="There is no referee now.")
class RefereeRose:
    """Subject: the campaign. The session ended, so nobody is the referee any longer."""


@changes
def put_referee(state: Campaign, fact: RefereeSeated) -> Campaign:
    return changed(state, referee=fact.seat)


@changes
def empty_chair(state: Campaign, fact: RefereeRose) -> Campaign:
    return changed(state, referee=None) if state.referee is not None else state


@declares("seat-referee", GM, says="{seat} becomes the referee.", records=(RefereeSeated,))
class SeatReferee:
    """Make a game master or a player the referee until the session ends. Only the referee makes rulings. The referee
    can also see hidden ratings. While there is no referee, every game master can make rulings, unless the option
    `dramatic.seen_by_gm` is off: then nobody can.
    """

    seat: SeatId


@guards
def may_hand_over_chair(draft: Draft) -> Refused | None:
    """Refuse every seat except the referee's and the game masters'."""
    return may_rule(draft) if draft.table.by.role != "gm" else None


@guards
def may_be_seated(seat_id: str, role: Role | None) -> Refused | None:
    """Refuse a seat that cannot rule. `role`: None for a seat that was removed."""
    if role is None:
        return Refused(AUTHORITY, "seat-removed", seat=seat_id)
    return OBSERVER(seat=seat_id) if role == "observer" else None


@decides
def seat_referee(draft: Draft, do: SeatReferee) -> None:
    """Make another seat the referee until the session is over."""
    require(may_hand_over_chair(draft))
    chosen_seat = seat(do.seat)
    draft.state(chosen_seat, Seat)
    require(may_be_seated(do.seat, draft.table.role(chosen_seat) if draft.table.is_open(chosen_seat) else None))
    draft.campaign_wide(RefereeSeated(do.seat))
    draft.by(AUTHORITY, do.seat)


@decides
def close_session(draft: Draft, do: CloseSession) -> None:
    """Empty the referee's chair at the end of the session."""
    draft.campaign_wide(RefereeRose())


@offers
def offer_chair(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer the chair. If the referee has left the table, the table waits for a new referee."""
    if may_hand_over_chair(draft) is None or not seen.decides:
        seat_ids = tuple(seat_id for seat_id, entry in seen.seats.items() if may_be_seated(seat_id, entry.role) is None)
        yield Move(SeatReferee, {"seat": Among(seat_ids)}, AUTHORITY if not draft.referees else None)
