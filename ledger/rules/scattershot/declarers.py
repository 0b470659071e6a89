"""Who may declare an action that concerns a Player, not a Character."""

from __future__ import annotations

from typing import Protocol

from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.declarations import Declarer


class OfAPlayer(Protocol):
    @property
    def player(self) -> str | None: ...


class OfACaller(Protocol):
    @property
    def caller(self) -> str | None: ...


def _player(table: Table[object], do: OfAPlayer) -> str:
    """The seat it names, else who declares."""
    return do.player if do.player is not None else table.by.seat


def _caller(table: Table[object], do: OfACaller) -> str:
    return do.caller if do.caller is not None else table.by.seat


ABOUT_A_PLAYER = Declarer("seat", _player, "the Player it is about, or a game master")
BY_A_PLAYER = Declarer("seat", _player, "the Player who does it, or a game master")
BY_ITS_CALLER = Declarer("seat", _caller, "the Player who calls it, or a game master")
