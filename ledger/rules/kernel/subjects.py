"""Subjects of facts, audiences, and viewers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from ledger.rules.kernel.refusals import Refused

SubjectKind: TypeAlias = Literal["campaign", "seat", "character", "scene"]
Role: TypeAlias = Literal["gm", "player", "observer"]
#: Who may see something: seat ids, "gm" (every game master), "character:<id>" (its player), "chair:<name>" (the seat
#: that holds that chair of the game now). None means everybody.
Audience: TypeAlias = tuple[str, ...] | None
SUBJECT_KINDS: tuple[SubjectKind, ...] = ("campaign", "seat", "character", "scene")
EVERYBODY: Audience = None
GM_ONLY: Audience = ("gm",)


class Subject(NamedTuple):
    """The subject of a fact. `str()` gives the form used in accounts, reads and the API: `character:12`, `campaign`.

    It is a tuple, because tuples are fast to hash and compare.
    """

    kind: SubjectKind
    id: str

    def __str__(self) -> str:
        return self.kind if self.kind == "campaign" else f"{self.kind}:{self.id}"


#: The campaign itself as a subject.
CAMPAIGN = Subject("campaign", "campaign")


@lru_cache(maxsize=10_000)
def character(id: str) -> Subject:
    return Subject("character", id)


@lru_cache(maxsize=10_000)
def scene(id: str) -> Subject:
    return Subject("scene", id)


@lru_cache(maxsize=10_000)
def seat(id: str) -> Subject:
    return Subject("seat", id)


@dataclass(frozen=True, slots=True)
class Viewer:
    """A seat that views or declares something, with the characters it plays.

    `dials`: the game's options in force, if something is shown to the seat. `chairs`: the game's chairs that the seat
    holds now (`Ruleset.chairs`); empty for a declaring seat.
    """

    seat: str
    role: Role
    characters: frozenset[str] = frozenset()
    dials: Any = field(default=None, compare=False)
    chairs: frozenset[str] = frozenset()

    def may_see(self, audience: Audience) -> bool:
        return audience is None or any(self._is(entry) for entry in audience)

    def _is(self, entry: str) -> bool:
        if entry == "gm":
            return self.role == "gm"
        kind, _, id = entry.rpartition(":")
        if kind == "chair":
            return id in self.chairs
        return id in self.characters if kind == "character" else entry == self.seat


def parse_subject(text: str) -> Subject:
    """Return the subject with this name: `character:12`, `scene:7`, `seat:s1`, `campaign`. Raise Refused
    `unknown-subject` for any other text.
    """
    kinds: dict[str, SubjectKind] = {"character": "character", "scene": "scene", "seat": "seat"}
    kind, colon, id = text.partition(":")
    if text == "campaign":
        return CAMPAIGN
    if kind not in kinds or not colon or not id:
        raise Refused("ledger.subject", "unknown-subject", subject=text)
    return Subject(kinds[kind], id)
