"""Ready people, to sit down with at once: finished sheets by name. Traits are rated at the table, by the referee."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.mnemonic.inputs import Sheet

PEOPLE: Mapping[str, Sheet] = {
    "Andrea Kovac": Sheet(primary_role="Adult Female Human, deputy of a small frontier town"),
    "Charakodax": Sheet(primary_role="Young Male Dragon, long-winded and easily offended", resist_talent="Armoured"),
    "Boris the Hammer": Sheet(primary_role="Adult Male Human, a boxer past his best years"),
    "Old Meg": Sheet(primary_role="Elderly Female Human, blind, who reads fortunes"),
    "The Brave Lucinda": Sheet(
        kind="non_player_character", primary_role="Merchant ship of three masts", resist_talent="Sturdy"
    ),
}
