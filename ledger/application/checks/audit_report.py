"""What an audit of a campaign found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ledger.aggregates.subject_stream import SubjectStream
from ledger.rules.kernel.subjects import Audience, Subject

What: TypeAlias = Literal[
    "numbering",
    "journal",
    "ruling",
    "because",
    "balance",
    "state",
    "adrift",
    "held twice",
    "view",
    "dice",
    "seal",
    "consent",
    "snapshot",
    "finding",
]


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is not as it must be: of which kind, about which ruling, in one sentence without secrets.

    `audience`: who may know it, where the sentence could not be without secrets.
    """

    what: What
    detail: str
    ruling: int | None = None
    audience: Audience = None


@dataclass(frozen=True, slots=True)
class RulingSetAside:
    """A ruling that the operator set aside: when, and why."""

    ruling: int
    at: str
    reason: str


@dataclass(slots=True)
class Audit:
    """What an audit found. `older`: rulings of which today's rules cannot judge a telling: it is of an earlier edition.

    `installed`: whether the campaign's rules are; without them none is judged. `set_aside`: rulings the operator set
    aside, since the game's code breaks on them.
    """

    installed: bool = True

    position: int = 0
    events: int = 0
    rulings: int = 0
    readjudicated: int = 0
    older: list[int] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    subjects: dict[Subject, SubjectStream] = field(default_factory=dict)
    balances: dict[str, int] = field(default_factory=dict)
    set_aside: list[RulingSetAside] = field(default_factory=list)

    @property
    def untold(self) -> int:
        """How many rulings were not told again, or not in every telling of theirs."""
        return len(set(self.older))

    def found(self, what: What, detail: str, ruling: int | None = None, audience: Audience = None) -> None:
        self.differences.append(Difference(what, detail, ruling, audience))
