"""Mongrel: Man, Beast and Demon in everybody; Houses and Vows; dice under one's own scores or over another's."""

from ledger.rules.mongrel.ruleset import RULESET

__all__ = ["RULESET"]
