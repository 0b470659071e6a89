"""Characters, scenes and what they have, as they stand or stood."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from ledger.application import Book, Moment, history_of, home_at, json_form, moment, unsure_ground
from ledger.errors import NotFound
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.purses import unit_of
from ledger.rules.kernel.register import CharacterEntry, SceneEntry
from ledger.rules.kernel.subjects import CAMPAIGN, Subject
from projections.redaction import Json, Sight

Unsure: TypeAlias = frozenset[tuple[str, int, int]]
Tell: TypeAlias = Callable[[Sight], Json]


@dataclass(frozen=True, slots=True)
class Clock:
    """How far in play (a ruling's number, or a time; None: now), and with what was known then or corrected since."""

    at: int | datetime | None = None
    recorded: bool = False

    def moment(self, book: Book) -> Moment:
        return moment(book, self.at, recorded=self.recorded)

    @property
    def told(self) -> int | str | None:
        return self.at.isoformat() if isinstance(self.at, datetime) else self.at


def subject(sight: Sight, wanted: Subject, clock: Clock) -> Json:
    """A character or scene with its state. NotFound when there is (or was) none."""
    folded, version = home(sight, wanted, clock)
    campaign, _ = home(sight, CAMPAIGN, clock)
    entry = folded.entry
    if entry is None:
        raise NotFound(f"There is no {wanted.kind} {wanted.id!r}.", code=f"{wanted.kind}-not-found")
    return {
        "id": wanted.id,
        **_entry(sight, entry),
        "state": sight.view(folded, campaign),
        "balances": balances(folded, unseen(sight, wanted)),
        "adrift": adrift(sight, folded),
        "at": clock.told,
        "as": "recorded" if clock.recorded else "corrected",
        "version": version,
    }


def home(sight: Sight, wanted: Subject, clock: Clock) -> tuple[Folded[Any], int]:
    if wanted != CAMPAIGN and wanted not in sight.book.campaign.subjects:
        raise NotFound(f"There is no {wanted.kind} {wanted.id!r}.", code=f"{wanted.kind}-not-found")
    home = sight.book.home(wanted)
    if clock.at is None:
        return home.folded, home.version
    home = home_at(sight.book, wanted, clock.moment(sight.book))
    return home.folded, home.version


def _entry(sight: Sight, entry: Any) -> Json:
    if isinstance(entry, CharacterEntry):
        return {
            "name": entry.name,
            "seat": entry.seat,
            "player": sight.person(entry.seat)["name"],
            "retired": entry.retired,
        }
    assert isinstance(entry, SceneEntry)
    return {"title": entry.title, "cast": list(entry.cast), "open": entry.open}


def unseen(sight: Sight, *owners: Subject) -> set[str]:
    """The owners' accounts whose balance the viewer may not see: something unseen has moved them."""
    hidden = (item for owner in owners for item in sight.book.home(owner).hidden.items())
    return {account for account, audiences in hidden if not all(map(sight.may_see, audiences))}


def unseen_anywhere(sight: Sight) -> set[str]:
    """Every account whose balance the viewer may not see."""
    return unseen(sight, *sight.book.campaign.subjects)


def balances(folded: Folded[Any], hidden: set[str]) -> list[Json]:
    """What the subject has, account by account; empty ones too, once something was moved."""
    return [
        {"account": account, "unit": unit_of(account), "balance": balance}
        for account, balance in folded.purse.items()
        if account not in hidden
    ]


def flat(document: Any, path: str = "") -> Json:
    """Every leaf of a document under its path: `state/traits/0/base`. What is empty is a leaf itself."""
    pairs: Iterable[tuple[Any, Any]] = ()
    if isinstance(document, dict):
        pairs = document.items()
    elif isinstance(document, list):
        pairs = enumerate(document)
    leaves: Json = {}
    for name, value in pairs:
        part = str(name).replace("~", "~0").replace("/", "~1")
        leaves.update(flat(value, f"{path}/{part}" if path else part))
    return leaves or {path: document}


def whole(
    sight: Sight,
    folded: Folded[Any] | None,
    hidden: set[str],
    campaign: Folded[Any] | None,
    unsure: Unsure = frozenset(),
) -> Json:
    """All a viewer sees of a subject: the system's state, the kernel's entry, the balances.

    `campaign`: in the same past. `unsure`: facts of which the viewer may not know whether they find ground.
    """
    if folded is None:
        return {}
    return {
        "state": sight.view(folded, campaign) if folded.entry is not None else {},
        "card": json_form.plain(folded.entry) if folded.entry is not None else None,
        "balances": {one["account"]: one["balance"] for one in balances(folded, hidden)},
        "adrift": adrift(sight, folded, unsure),
    }


def adrift(sight: Sight, folded: Folded[Any], unsure: Unsure = frozenset()) -> int:
    """How many facts the viewer may see found no ground."""
    if not folded.adrift:
        return 0
    facts = history_of(sight.book).facts
    places, unsure = set(folded.adrift), unsure | unsure_ground(sight.book, sight.viewer)
    seen = {
        (number, body.step)
        for number in {number for number, _ in places}
        for subject, body in facts.get(number, ())
        if subject == folded.subject
        and sight.may_see(body.audience)
        and (str(subject), number, body.step) not in unsure
    }
    return len(seen & places)
