"""Who rules, and who may read what is hidden. Headings: calculating status, dramatic considerations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ledger.rules.contract import CAMPAIGN, Audience, Refused, Table
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.state import Campaign

AUTHORITY = "mnemonic.ruling.authority"


def is_referee(table: Table[Any]) -> bool:
    """The seat in the referee's chair; a game master while nobody sits in it."""
    seated = table.get(CAMPAIGN, Campaign).referee
    return table.by.seat == seated if seated is not None else table.by.role == "gm"


def must_be_referee(table: Table[Any]) -> None:
    """`mnemonic.ruling.authority`. Says no more than no: a refusal must tell a player nothing."""
    if not is_referee(table):
        raise Refused(AUTHORITY, "not-referee")


def must_play_or_be_referee(table: Table[Any], id: str) -> None:
    """The player of the character, or the referee for the rest."""
    if id not in table.by.characters and not is_referee(table):
        raise Refused(AUTHORITY, "not-referee")


def referees(table: Table[Any]) -> tuple[str, ...]:
    """Who may read what players may not."""
    seated = table.get(CAMPAIGN, Campaign).referee
    return ("gm",) if seated is None else ("gm", seated)


def readers_of_importance(table: Table[Dials]) -> Audience:
    """Of a rating of script immunity."""
    return None if table.dials.dramatic_visible else referees(table)


def readers_of_resistance(table: Table[Dials]) -> Audience:
    """Of what goes into a resisting check: together with the known Talent it would tell the rating."""
    hidden = table.dials.dramatic_source == "important" and not table.dials.dramatic_visible
    return referees(table) if hidden else None


@contextmanager
def secretly(readers: Audience) -> Iterator[None]:
    """Refusals in here say their names and numbers to these readers only: a rating could be read from them."""
    try:
        yield
    except Refused as no:
        if readers is None:
            raise
        raise type(no)(no.rule, no.code, readers, **no.context) from None
