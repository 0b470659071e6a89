"""What the kernel knows of each subject, whatever is played: names, seats, what is open."""

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
class SeatEntry:
    name: str
    role: Role
    removed: bool = False


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


_on_stage = changing(CampaignEntry, "scenes")


def apply(entry: Entry | None, done: Any) -> Entry | None:
    """The entry after a fact of the kernel; None when the fact finds no ground. Total."""
    kind, change = CHANGES.get(type(done), NO_CHANGE)
    return change(entry, done) if type(entry) is kind else None


def _opened(done: CampaignOpened) -> CampaignEntry:
    chosen, defaults = dict(done.dials), dict(done.defaults)
    return CampaignEntry(done.name, done.system, done.edition, chosen, defaults=defaults)


def _seated(entry: CampaignEntry, done: CharacterSeated) -> CampaignEntry:
    return changed(entry, roster={**entry.roster, done.character: done.seat})


def _reseated(entry: CampaignEntry, done: CharacterReseated) -> CampaignEntry | None:
    if done.character not in entry.roster:
        return None
    return changed(entry, roster={**entry.roster, done.character: done.seat})


def _ended(entry: CampaignEntry, done: SceneEnded) -> CampaignEntry | None:
    if done.scene not in entry.scenes:
        return None
    return _on_stage(entry, tuple(one for one in entry.scenes if one != done.scene))


def _session_opened(entry: CampaignEntry, done: SessionOpened) -> CampaignEntry:
    return changed(entry, session=done.session, sessions=(*entry.sessions, (done.session, done.title)))


def _session_closed(entry: CampaignEntry, done: SessionClosed) -> CampaignEntry | None:
    return changed(entry, session=None) if entry.session == done.session else None


NOTHING = type(None)
NO_CHANGE: tuple[type, Callable[[Any, Any], None]] = (NOTHING, lambda entry, done: None)
#: The kind of entry that a fact of the kernel changes, and what it makes of it.
CHANGES: Mapping[type, tuple[type, Callable[[Any, Any], Entry | None]]] = {
    CampaignOpened: (NOTHING, lambda entry, done: _opened(done)),
    CampaignForked: (CampaignEntry, lambda entry, done: changed(entry, name=done.name)),
    SeatTaken: (NOTHING, lambda entry, done: SeatEntry(done.name, done.role)),
    CharacterEnrolled: (NOTHING, lambda entry, done: CharacterEntry(done.name, done.seat)),
    SceneOpened: (NOTHING, lambda entry, done: SceneEntry(done.title, done.cast)),
    SeatRenamed: (SeatEntry, lambda entry, done: changed(entry, name=done.name)),
    SeatRemoved: (SeatEntry, lambda entry, done: changed(entry, removed=True)),
    CharacterHandedOver: (CharacterEntry, lambda entry, done: changed(entry, seat=done.seat)),
    CharacterRetired: (CharacterEntry, lambda entry, done: changed(entry, retired=True)),
    SceneClosed: (SceneEntry, lambda entry, done: changed(entry, open=False)),
    CharacterSeated: (CampaignEntry, _seated),
    CharacterReseated: (CampaignEntry, _reseated),
    SceneBegun: (CampaignEntry, lambda entry, done: _on_stage(entry, (*entry.scenes, done.scene))),
    SceneEnded: (CampaignEntry, _ended),
    SessionOpened: (CampaignEntry, _session_opened),
    SessionClosed: (CampaignEntry, _session_closed),
    DialSet: (CampaignEntry, lambda entry, done: changed(entry, dials={**entry.dials, done.name: done.value})),
}
