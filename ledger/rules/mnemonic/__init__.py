"""Mnemonic: Success Checks, Status and rulings, after the one page of its Referee's Guide that is known."""

from __future__ import annotations

from ledger.rules.mnemonic.ruleset import RULESET

__all__ = ["RULESET"]
