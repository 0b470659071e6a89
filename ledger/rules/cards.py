"""What the kernel knows of each subject, whatever is played: names, seats, what is open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from ledger.rules.contract import Role
from ledger.rules.words import (
    CampaignOpened,
    CharacterEnrolled,
    CharacterHandedOver,
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
    """`session`: the open one. `sessions`: (id, title) of all. `roster`: character -> seat. `scenes`: the open ones."""

    name: str
    system: str
    edition: int
    dials: Mapping[str, Any]
    session: str | None = None
    sessions: tuple[tuple[str, str], ...] = ()
    roster: Mapping[str, str] = field(default_factory=dict)
    scenes: tuple[str, ...] = ()


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
    match done, card:
        case CampaignOpened(), None:
            return CampaignCard(done.name, done.system, done.edition, dict(done.dials))
        case SeatTaken(), None:
            return SeatCard(done.name, done.role)
        case CharacterEnrolled(), None:
            return CharacterCard(done.name, done.seat)
        case SceneOpened(), None:
            return SceneCard(done.title, done.cast)
        case SeatRenamed(), SeatCard():
            return replace(card, name=done.name)
        case SeatRemoved(), SeatCard():
            return replace(card, removed=True)
        case CharacterHandedOver(), CharacterCard():
            return replace(card, seat=done.seat)
        case CharacterRetired(), CharacterCard():
            return replace(card, retired=True)
        case SceneClosed(), SceneCard():
            return replace(card, open=False)
        case SessionOpened(), CampaignCard():
            return replace(card, session=done.session, sessions=(*card.sessions, (done.session, done.title)))
        case SessionClosed(), CampaignCard(session=opened) if opened == done.session:
            return replace(card, session=None)
        case CharacterSeated(), CampaignCard():
            return replace(card, roster={**card.roster, done.character: done.seat})
        case SceneBegun(), CampaignCard():
            return replace(card, scenes=(*card.scenes, done.scene))
        case SceneEnded(), CampaignCard() if done.scene in card.scenes:
            return replace(card, scenes=tuple(one for one in card.scenes if one != done.scene))
        case DialSet(), CampaignCard():
            return replace(card, dials={**card.dials, done.name: done.value})
        case _:
            return None
