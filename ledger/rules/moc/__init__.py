"""Moment of Clarity: dice, beads, cards and chips, after the wiki page MoC."""

from __future__ import annotations

from ledger.rules.moc.ruleset import RULESET

__all__ = ["RULESET"]
