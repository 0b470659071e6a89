"""Who rules, and who may read what is hidden. Headings: calculating status, dramatic considerations.

The referee is whoever sits in the chair, a game master or a player, until the session is over; nothing else of a game
master's comes with it. While nobody sits there, every game master rules; nobody does at a table that hides ratings
from game masters, too (`dramatic.seen_by_gm`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.declarations import Declarer
from ledger.rules.kernel.subjects import CAMPAIGN, character, seat
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.state import Campaign, Character

I = TypeVar("I")  # noqa: E741  (an input)
AUTHORITY = "mnemonic.ruling.authority"
#: Who may read what players may not: game masters, who keep the record, and the referee for as long as it is.
REFEREES: tuple[str, ...] = ("gm", "chair:referee")
#: The same at a table that hides it from game masters, too.
CHAIR: tuple[str, ...] = ("chair:referee",)
CHAIRS: Mapping[str, Callable[[Campaign], str | None]] = {"referee": lambda campaign: campaign.referee}


def is_referee(table: Table[object]) -> bool:
    """Return whether this seat rules: it sits in the referee's chair, or is a game master's and nobody does."""
    seated = referee_seat(table)
    return table.by.role == "gm" if seated == "gm" else table.by.seat == seated


# --- who may declare ----------------------------------------------------------------------------------------------


def _in_the_chair(table: Table[object], do: object) -> str:
    return table.get(CAMPAIGN, Campaign).referee or ""


#: A game master who is not the referee is refused by the rules.
REFEREE = Declarer("seat", _in_the_chair, "the referee")


def referee_or(find: Callable[[Table[object], I], str | None], text: str) -> Declarer:
    """Who plays the character this finds, or the referee."""

    def whose(table: Table[object], do: I) -> str | None:
        if is_referee(table):
            return table.by.seat
        id = find(table, do)
        return table.owner(character(id)) if id is not None else None

    return Declarer("seat", whose, f"{text}, or the referee")


def referee_or_player(field_name: str) -> Declarer:
    """Who plays the character named in this field, or the referee."""

    def named(table: Table[object], do: object) -> str:
        return str(getattr(do, field_name))

    return referee_or(named, f"who plays `{field_name}`")


# --- who is asked -------------------------------------------------------------------------------------------------


def referee_seat(table: Table[object]) -> str | None:
    """Whom a question to the referee is for: the seat in the chair; else any game master. None if nobody rules."""
    seated = table.get(CAMPAIGN, Campaign).referee
    if seated is not None:
        return seated
    dials = table.dials
    assert isinstance(dials, Dials)
    return "gm" if dials.dramatic_seen_by_gm else None


def player_of(table: Table[object], id: str) -> str | None:
    """Return the seat of a character's player; None where the referee speaks for it, because nobody else plays it.

    A game master is a player while somebody else referees: of player characters. The others are the referee's.
    """
    owner = seat(table.owner(character(id)))
    if not table.has(owner) or not table.is_open(owner) or owner.id == referee_seat(table):
        return None
    role, seated = table.role(owner), table.get(CAMPAIGN, Campaign).referee is not None
    plays = seated and role == "gm" and table.get(character(id), Character).kind == "player_character"
    return owner.id if role == "player" or plays else None
