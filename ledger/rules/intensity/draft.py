"""The verdict in the making, and what the rules of this game ask again and again.

Characters and scenes are as they were before the ruling: whatever happens in one instant is checked on what was there.
"""

from __future__ import annotations

from collections.abc import Iterable

from ledger.rules.intensity.dials import Dials
from ledger.rules.intensity.facts import Fact
from ledger.rules.intensity.fold import FOLD
from ledger.rules.intensity.state import Campaign, Character, State
from ledger.rules.kernel import draft
from ledger.rules.kernel.contract import Posting
from ledger.rules.kernel.purses import unit_of
from ledger.rules.kernel.subjects import CAMPAIGN, Subject, character


class Draft(draft.Draft[Dials, State, Fact]):
    fold = FOLD

    def name(self, subject: Subject) -> str:
        """What somebody is called; who is there no longer (the joining was overturned) is "somebody"."""
        return self.table.name(subject) if self.table.has(subject) else "somebody"

    def known(self, id: str) -> Character:
        """The character. Refuses `unknown-character`."""
        return self.table.get(character(id), Character)

    def is_out(self, id: str) -> bool:
        """Whether a fate (or retirement) keeps the character from taking part."""
        return self.known(id).out is not None or not self.table.is_open(character(id))

    def is_gone(self, id: str) -> bool:
        """Whether the character is out for good."""
        return self.known(id).out == "permanent" or not self.table.is_open(character(id))

    def campaign(self) -> Campaign:
        return self.table.get(CAMPAIGN, Campaign)

    def everybody(self) -> list[str]:
        """All characters, in the order in which they joined."""
        return [subject.id for subject in self.table.subjects("character")]

    def in_name_order(self, ids: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(ids, key=lambda id: (self.table.name(character(id)), id)))

    def taken(self, source: str, amount: int | None = None, target: str | None = None) -> Posting | None:
        """A posting out of a bounded account (left out: all of it) to the bank or elsewhere, as far as it holds that.

        What the table set by amendment was never counted, so it need not be counted back.
        """
        left = self.balance(source)
        there = left if amount is None else min(amount, left)
        if there < 1:
            return None
        unit = unit_of(source)
        return Posting(source, target or f"bank/{unit}", unit, there)
