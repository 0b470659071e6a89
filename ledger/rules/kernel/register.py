"""The kernel's own entries of subjects, in every game: names, seats, and what is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ledger.rules.kernel.facts import (
    CampaignForked,
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
    SeatHolds,
    SeatRemoved,
    SeatRenamed,
    SeatTaken,
    SessionClosed,
    SessionOpened,
)
from ledger.rules.kernel.frozen import changed, changing
from ledger.rules.kernel.subjects import Role


@dataclass(frozen=True, slots=True)
class CampaignEntry:
    """The campaign. `session`: the open session. `sessions`: (id, title) of every session. `roster`: seat by character.
    `scenes`: the open scenes.

    `dials`: the options chosen so far. `defaults`: all other options, as they were when the campaign was opened.
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

    def read_dials_in_force(self) -> Mapping[str, Any]:
        """Return every option with its value."""
        return {**self.defaults, **self.dials}


@dataclass(frozen=True, slots=True)
class SeatEntry:
    name: str
    role: Role
    removed: bool = False
    holds: bool = False


@dataclass(frozen=True, slots=True)
class CharacterEntry:
    name: str
    seat: str
    retired: bool = False


@dataclass(frozen=True, slots=True)
class SceneEntry:
    title: str
    cast: tuple[str, ...]
    open: bool = True


Entry: TypeAlias = CampaignEntry | SeatEntry | CharacterEntry | SceneEntry


_set_scenes = changing(CampaignEntry, "scenes")


def apply(entry: Entry | None, fact: Any) -> Entry | None:
    """Return the entry after a fact of the kernel; None if the fact does not fit. It never raises an error."""
    kind, change = CHANGES.get(type(fact), NO_CHANGE)
    return change(entry, fact) if type(entry) is kind else None


def _fold_campaign_opened(fact: CampaignOpened) -> CampaignEntry:
    dials, defaults = dict(fact.dials), dict(fact.defaults)
    return CampaignEntry(fact.name, fact.system, fact.edition, dials, defaults=defaults)


def _fold_character_seated(entry: CampaignEntry, fact: CharacterSeated) -> CampaignEntry:
    return changed(entry, roster={**entry.roster, fact.character: fact.seat})


def _fold_character_reseated(entry: CampaignEntry, fact: CharacterReseated) -> CampaignEntry | None:
    if fact.character not in entry.roster:
        return None
    return changed(entry, roster={**entry.roster, fact.character: fact.seat})


def _fold_scene_ended(entry: CampaignEntry, fact: SceneEnded) -> CampaignEntry | None:
    if fact.scene not in entry.scenes:
        return None
    return _set_scenes(entry, tuple(scene for scene in entry.scenes if scene != fact.scene))


def _fold_session_opened(entry: CampaignEntry, fact: SessionOpened) -> CampaignEntry:
    return changed(entry, session=fact.session, sessions=(*entry.sessions, (fact.session, fact.title)))


def _fold_session_closed(entry: CampaignEntry, fact: SessionClosed) -> CampaignEntry | None:
    return changed(entry, session=None) if entry.session == fact.session else None


NOTHING = type(None)
NO_CHANGE: tuple[type, Callable[[Any, Any], None]] = (NOTHING, lambda entry, fact: None)
#: For each fact of the kernel: the kind of entry that the fact changes, and the function that changes the entry.
CHANGES: Mapping[type, tuple[type, Callable[[Any, Any], Entry | None]]] = {
    CampaignOpened: (NOTHING, lambda entry, fact: _fold_campaign_opened(fact)),
    CampaignForked: (CampaignEntry, lambda entry, fact: changed(entry, name=fact.name)),
    SeatTaken: (NOTHING, lambda entry, fact: SeatEntry(fact.name, fact.role)),
    CharacterEnrolled: (NOTHING, lambda entry, fact: CharacterEntry(fact.name, fact.seat)),
    SceneOpened: (NOTHING, lambda entry, fact: SceneEntry(fact.title, fact.cast)),
    SeatRenamed: (SeatEntry, lambda entry, fact: changed(entry, name=fact.name)),
    SeatHolds: (SeatEntry, lambda entry, fact: changed(entry, holds=fact.on)),
    SeatRemoved: (SeatEntry, lambda entry, fact: changed(entry, removed=True)),
    CharacterHandedOver: (CharacterEntry, lambda entry, fact: changed(entry, seat=fact.seat)),
    CharacterRetired: (CharacterEntry, lambda entry, fact: changed(entry, retired=True)),
    SceneClosed: (SceneEntry, lambda entry, fact: changed(entry, open=False)),
    CharacterSeated: (CampaignEntry, _fold_character_seated),
    CharacterReseated: (CampaignEntry, _fold_character_reseated),
    SceneBegun: (CampaignEntry, lambda entry, fact: _set_scenes(entry, (*entry.scenes, fact.scene))),
    SceneEnded: (CampaignEntry, _fold_scene_ended),
    SessionOpened: (CampaignEntry, _fold_session_opened),
    SessionClosed: (CampaignEntry, _fold_session_closed),
    DialSet: (CampaignEntry, lambda entry, fact: changed(entry, dials={**entry.dials, fact.name: fact.value})),
}
