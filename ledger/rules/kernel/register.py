"""What the kernel knows of each subject, whatever is played: names, seats, what is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ledger.rules.kernel.contract import Role
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.words import (
    CampaignOpened,
    CharacterEnrolled,
    CharacterHandedOver,
    CharacterReseated,
    CharacterRetired,
    CharacterSeated,
    DialSet,
    SceneBegun,
    SceneClosed,
    SceneEnded,
    SceneOpened,
    SeatRemoved,
    SeatRenamed,
    SeatTaken,
    SessionClosed,
    SessionOpened,
)


@dataclass(frozen=True, slots=True)
class CampaignCard:
    """`session`: the open one. `sessions`: (id, title) of all. `roster`: character -> seat. `scenes`: the open ones.

    `dials`: those ever chosen. `defaults`: all the others, as they were when the campaign was opened.
    """

    name: str
    system: str
    edition: int
    dials: Mapping[str, Any]
    session: str | None = None
    sessions: tuple[tuple[str, str], ...] = ()
    roster: Mapping[str, str] = field(default_factory=dict)
    scenes: tuple[str, ...] = ()
    defaults: Mapping[str, Any] = field(default_factory=dict)

    def in_force(self) -> Mapping[str, Any]:
        """Every dial with its value."""
        return {**self.defaults, **self.dials}


@dataclass(frozen=True, slots=True)
class SeatCard:
    name: str
    role: Role
    removed: bool = False


@dataclass(frozen=True, slots=True)
class CharacterCard:
    name: str
    seat: str
    retired: bool = False


@dataclass(frozen=True, slots=True)
class SceneCard:
    title: str
    cast: tuple[str, ...]
    open: bool = True


Card: TypeAlias = CampaignCard | SeatCard | CharacterCard | SceneCard


def apply(card: Card | None, done: Any) -> Card | None:
    """The card after a fact of the kernel; None when the fact finds no ground. Total."""
    ground, change = CHANGES.get(type(done), NO_CHANGE)
    return change(card, done) if type(card) is ground else None


def _opened(done: CampaignOpened) -> CampaignCard:
    chosen, defaults = dict(done.dials), dict(done.defaults)
    return CampaignCard(done.name, done.system, done.edition, chosen, defaults=defaults)


def _seated(card: CampaignCard, done: CharacterSeated) -> CampaignCard:
    return changed(card, roster={**card.roster, done.character: done.seat})


def _reseated(card: CampaignCard, done: CharacterReseated) -> CampaignCard | None:
    if done.character not in card.roster:
        return None
    return changed(card, roster={**card.roster, done.character: done.seat})


def _ended(card: CampaignCard, done: SceneEnded) -> CampaignCard | None:
    if done.scene not in card.scenes:
        return None
    return changed(card, scenes=tuple(one for one in card.scenes if one != done.scene))


def _session_opened(card: CampaignCard, done: SessionOpened) -> CampaignCard:
    return changed(card, session=done.session, sessions=(*card.sessions, (done.session, done.title)))


def _session_closed(card: CampaignCard, done: SessionClosed) -> CampaignCard | None:
    return changed(card, session=None) if card.session == done.session else None


NOTHING = type(None)
NO_CHANGE: tuple[type, Callable[[Any, Any], None]] = (NOTHING, lambda card, done: None)
#: What a fact of the kernel needs for ground, and what it makes of it.
CHANGES: Mapping[type, tuple[type, Callable[[Any, Any], Card | None]]] = {
    CampaignOpened: (NOTHING, lambda card, done: _opened(done)),
    SeatTaken: (NOTHING, lambda card, done: SeatCard(done.name, done.role)),
    CharacterEnrolled: (NOTHING, lambda card, done: CharacterCard(done.name, done.seat)),
    SceneOpened: (NOTHING, lambda card, done: SceneCard(done.title, done.cast)),
    SeatRenamed: (SeatCard, lambda card, done: changed(card, name=done.name)),
    SeatRemoved: (SeatCard, lambda card, done: changed(card, removed=True)),
    CharacterHandedOver: (CharacterCard, lambda card, done: changed(card, seat=done.seat)),
    CharacterRetired: (CharacterCard, lambda card, done: changed(card, retired=True)),
    SceneClosed: (SceneCard, lambda card, done: changed(card, open=False)),
    CharacterSeated: (CampaignCard, _seated),
    CharacterReseated: (CampaignCard, _reseated),
    SceneBegun: (CampaignCard, lambda card, done: changed(card, scenes=(*card.scenes, done.scene))),
    SceneEnded: (CampaignCard, _ended),
    SessionOpened: (CampaignCard, _session_opened),
    SessionClosed: (CampaignCard, _session_closed),
    DialSet: (CampaignCard, lambda card, done: changed(card, dials={**card.dials, done.name: done.value})),
}
