"""Find values that are kept in two places and differ.

A game lists its own such values (`Ruleset.kept_twice`). The kernel keeps two values twice: the player of each
character, and the open scenes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ledger.rules.kernel.contract import AnyRuleset, Twice
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.register import CampaignEntry, CharacterEntry, SceneEntry
from ledger.rules.kernel.subjects import CAMPAIGN, Subject


class Places:
    """The states and accounts of a campaign, as `Ruleset.kept_twice` gets them."""

    def __init__(self, find: Callable[[Subject], Folded[Any] | None]) -> None:
        self._find = find

    def state(self, subject: Subject) -> Any:
        """Return the subject's state, or None."""
        folded = self._find(subject)
        return folded.state if folded is not None else None

    def entry(self, subject: Subject) -> Any:
        """Return the kernel's entry of the subject, or None."""
        folded = self._find(subject)
        return folded.entry if folded is not None else None

    def balances(self, subject: Subject, unit: str) -> Mapping[str, int]:
        """Return the subject's accounts `<unit>` and `<unit>:<detail>` that are not empty, by detail ("" if there is
        none).
        """
        folded = self._find(subject)
        if folded is None:
            return {}
        prefix = f"{subject}/{unit}"
        return {
            account[len(prefix) + 1 :]: balance
            for account, balance in folded.purse.items()
            if balance and (account == prefix or account.startswith(f"{prefix}:"))
        }

    def balance(self, subject: Subject, unit: str, detail: str = "") -> int:
        """Return the balance of the account `<unit>`, or of `<unit>:<detail>`."""
        return self.balances(subject, unit).get(detail, 0)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A value that differs between its two places."""

    subject: Subject
    value: Twice


def list_disagreements(
    ruleset: AnyRuleset, find: Callable[[Subject], Folded[Any] | None], subjects: Iterable[Subject]
) -> Iterator[Disagreement]:
    """Yield the values that are kept twice and differ, in the order of the subjects."""
    for subject, value in list_kept_twice(ruleset, find, subjects):
        if value.one != value.other:
            yield Disagreement(subject, value)


def list_kept_twice(
    ruleset: AnyRuleset, find: Callable[[Subject], Folded[Any] | None], subjects: Iterable[Subject]
) -> Iterator[tuple[Subject, Twice]]:
    """Yield every value that is kept twice, with its subject."""
    places = Places(find)
    for subject in subjects:
        for value in (*_list_kernel_values(places, subject), *ruleset.kept_twice(subject, places)):
            yield subject, value


def _list_kernel_values(places: Places, subject: Subject) -> Iterator[Twice]:
    campaign, entry = places.entry(CAMPAIGN), places.entry(subject)
    if isinstance(campaign, CampaignEntry) and isinstance(entry, CharacterEntry):
        yield Twice("seat", campaign.roster.get(subject.id), entry.seat)
    if isinstance(campaign, CampaignEntry) and isinstance(entry, SceneEntry):
        yield Twice("open", subject.id in campaign.scenes, entry.open)
