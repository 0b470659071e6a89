"""The table a ruling is adjudicated on: folded subjects behind the `Table` protocol, and a note of all that is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, assert_never

from ledger.rules.kernel import housekeeping, purses
from ledger.rules.kernel.contract import (
    CAMPAIGN,
    Refused,
    Role,
    Ruleset,
    Subject,
    SubjectKind,
    Underway,
    Viewer,
    character,
    scene,
)
from ledger.rules.kernel.replay import Folded

S = TypeVar("S")


class Homes(Protocol):
    """Where the folded subjects come from: the store's cache, or a past in memory."""

    def find(self, subject: Subject) -> Folded[Any] | None:
        """The subject; None when nothing was ever recorded about it."""

    def seats(self) -> Sequence[Subject]:
        """Every seat there ever was, in order."""


class RulingTable:
    """One ruling's view of the subjects. `reads`: what it looked at (`character:12`, `dials`, `session`, `scenes`)."""

    def __init__(
        self,
        ruleset: Ruleset[Any, Any],
        homes: Homes,
        number: int,
        by: Viewer,
        named: Subject | None,
        underway: Callable[[], tuple[Underway, ...]] = tuple,
    ) -> None:
        self._ruleset = ruleset
        self._homes = homes
        self._named = named
        self._ids = 0
        self._dials: Any = None
        self.number = number
        self.by = by
        self.reads: set[str] = set()
        #: What else waits: looked up only when a rule asks, and no part of what was read.
        self.underway = underway

    @property
    def dials(self) -> Any:
        self.reads.add("dials")
        if self._dials is None:
            self._dials = dials_in_force(self._ruleset, self._homes)
        return self._dials

    @property
    def session(self) -> str | None:
        self.reads.add("session")
        return open_session(self._homes)

    @property
    def scene(self) -> Subject | None:
        """The scene named, else the only one open."""
        if self._named is not None:
            return self._named
        open_scenes = self.subjects("scene")
        return open_scenes[0] if len(open_scenes) == 1 else None

    def new_id(self) -> str:
        self._ids += 1
        return str(self.number) if self._ids == 1 else f"{self.number}-{self._ids}"

    def has(self, subject: Subject) -> bool:
        self.reads.add(str(subject))
        folded = self._homes.find(subject)
        return folded is not None and folded.card is not None

    def get(self, subject: Subject, state: type[S], /) -> S:
        found: Any = self._folded(subject).state
        assert isinstance(found, state), f"{subject} is no {state.__name__}"
        return found

    def name(self, subject: Subject) -> str:
        card = self._folded(subject).card
        return card.title if isinstance(card, housekeeping.SceneCard) else card.name if card else ""

    def owner(self, subject: Subject) -> str:
        card = self._folded(subject).card
        assert isinstance(card, housekeeping.CharacterCard), f"{subject} has no owner"
        return card.seat

    def role(self, seat: Subject) -> Role:
        card = self._folded(seat).card
        assert isinstance(card, housekeeping.SeatCard), f"{seat} is no seat"
        return card.role

    def is_open(self, subject: Subject) -> bool:
        match self._folded(subject).card:
            case housekeeping.SceneCard(open=is_open):
                return is_open
            case housekeeping.SeatCard(removed=gone) | housekeeping.CharacterCard(retired=gone):
                return not gone
            case _:
                return True

    def subjects(self, kind: SubjectKind) -> tuple[Subject, ...]:
        self.reads.add(f"{kind}s")
        card = campaign_card(self._homes)
        match kind:
            case "campaign":
                return (CAMPAIGN,)
            case "character":
                return tuple(character(id) for id in card.roster)
            case "scene":
                return tuple(scene(id) for id in card.scenes)
            case "seat":
                return tuple(self._homes.seats())
            case _:
                assert_never(kind)

    def balance(self, account: str) -> int:
        if account.partition("/")[0].endswith(":"):
            return 0  # of somebody without an id: nobody, as any other that is not there
        owner = purses.owner_of(account)
        assert owner is not None, f"{account} is unlimited"
        self.reads.add(str(owner))
        folded = self._homes.find(owner)
        return folded.purse.get(account, 0) if folded is not None else 0

    def _folded(self, subject: Subject) -> Folded[Any]:
        self.reads.add(str(subject))
        folded = self._homes.find(subject)
        if folded is None or folded.card is None:
            raise Refused("ledger.subject", f"unknown-{subject.kind}", subject=str(subject))
        return folded


def campaign_card(homes: Homes) -> housekeeping.CampaignCard:
    folded = homes.find(CAMPAIGN)
    assert folded is not None and isinstance(folded.card, housekeeping.CampaignCard)
    return folded.card


def open_session(homes: Homes) -> str | None:
    return campaign_card(homes).session


def dials_in_force(ruleset: Ruleset[Any, Any], homes: Homes) -> Any:
    """The system's dials."""
    return dials_of(ruleset.dials, campaign_card(homes))


_of_cards: dict[tuple[type, int], tuple[housekeeping.CampaignCard, Any]] = {}
_of_values: dict[tuple[type, str], Any] = {}


def dials_of(dials: type, card: housekeeping.CampaignCard) -> Any:
    """Kept per card, which is frozen and read in every ruling, and per set of values: a campaign turns few dials."""
    known = _of_cards.get((dials, id(card)))
    if known is None or known[0] is not card:
        known = (card, _turned(dials, card.in_force()))
        _keep(_of_cards, (dials, id(card)), known)
    return known[1]


def _turned(dials: type, values: Mapping[str, Any]) -> Any:
    key = (dials, repr(values))
    made = _of_values.get(key)
    if made is None:
        made = housekeeping.turned(dials, values)
        _keep(_of_values, key, made)
    return made


def _keep(cache: dict[Any, Any], key: Any, value: Any) -> None:
    if len(cache) > 1000:
        cache.clear()
    cache[key] = value


def viewer_of(homes: Homes, seat: Subject) -> Viewer | None:
    """The seat with the characters it plays and the chairs it sits in now; None when it is not at the table."""
    folded = homes.find(seat)
    if folded is None or not isinstance(folded.card, housekeeping.SeatCard) or folded.card.removed:
        return None
    played = frozenset(id for id, its_seat in campaign_card(homes).roster.items() if its_seat == seat.id)
    campaign = homes.find(CAMPAIGN)
    assert campaign is not None
    chairs = frozenset(name for name, sits in campaign.ruleset.chairs.items() if sits(campaign.state) == seat.id)
    return Viewer(seat.id, folded.card.role, played, chairs=chairs)
