"""Levels of Intensity: everybody stakes how much they care, rolls at once, and has two dice for offence and defence."""

from ledger.rules.intensity.ruleset import RULESET

__all__ = ["RULESET"]
