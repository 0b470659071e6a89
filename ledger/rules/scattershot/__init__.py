"""Scattershot: Made-It-By numbers, Challenges and Benefits, and Experience Dice that go from hand to hand."""

from ledger.rules.scattershot.ruleset import RULESET

__all__ = ["RULESET"]
