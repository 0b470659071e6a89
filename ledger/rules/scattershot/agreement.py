"""Choices of the Gamemaster that are not a matter of dice."""

from __future__ import annotations

from typing import Any

from ledger.rules.contract import choice


@choice("agree")
class Agree:
    """So be it."""


@choice("decline")
class Decline:
    """Not this time."""


CHOICES: tuple[type[Any], ...] = (Agree, Decline)
