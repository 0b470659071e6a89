"""Records of the journal: the act, the events and the new findings of each save."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from ledger.events.envelope import Json, Upcast
from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.subjects import Audience

FindingKind: TypeAlias = Literal["changes", "loses support", "needs dice", "overdrawn", "adrift", "held twice"]
Settled: TypeAlias = Literal["let-stand", "amended", "overturned", "cleared"]
#: Stands for a version or a count that an entry does not have.
UNSAID = 0


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem that the table must resolve.

    - cause: the ruling that was overturned, reinstated or revised.
    - ruling: the later ruling that the finding is about.
    - audience: who may see the finding, if every difference is secret.
    - subject: in a finding "held twice", a subject that holds a unique thing.
    - detail: in a finding "held twice", the thing and the other subject that holds it.
    """

    id: str
    kind: FindingKind
    cause: int
    ruling: int | None = None
    subject: str | None = None
    account: str | None = None
    detail: str = ""
    audience: Audience = None


@dataclass(frozen=True, slots=True)
class Settlement:
    finding: str
    how: Settled
    reason: str


def _upcast_without_versions(entry: Json) -> Json:
    """Give each stream the version `UNSAID`, because entries of version 1 name only the streams."""
    return {**entry, "streams": dict.fromkeys(entry["streams"], UNSAID)}


@fact("entry", version=4)
class Entry:
    """One save of the campaign, with its act and its events. The entry's version is the position.

    - streams: every stream that the save changed, with the latest version it wrote there. Events that no entry names do
      not count.
    - events: how many events it wrote, not counting the entry itself.
    - waiting: the waiting declaration or proposed decision that the save is about. If the save changed any other
      waiting declaration, that declaration lapsed.
    - edition: the edition of the game's rules at the save. Early entries have no edition.
    - follows: for an automatic step, the ruling that began the steps.
    """

    upcasts: ClassVar[Mapping[int, Upcast]] = {1: _upcast_without_versions}

    did: str
    streams: dict[str, int]
    ruling: int | None = None
    waiting: str | None = None
    findings: tuple[Finding, ...] = ()
    settled: tuple[Settlement, ...] = ()
    events: int = UNSAID
    edition: int = UNSAID
    follows: int | None = None


@fact("set-aside-entry", version=2)
class SetAsideEntry(Entry):
    """The entry of a save in which the operator overturns a ruling (`SetAside`). Older versions of the ledger do not
    know this record, and ask for an upgrade.
    """


@fact("taken-back-entry", version=1)
class TakenBackEntry(Entry):
    """The entry of a save in which a seat takes back its own ruling. Waiting steps that followed from the ruling are
    withdrawn.
    """

    upcasts: ClassVar[Mapping[int, Upcast]] = {}


@fact("rewound-entry", version=1)
class RewoundEntry(Entry):
    """The entry of a save that overturns a ruling and every later one up to `through`. Later waiting declarations are
    withdrawn.
    """

    upcasts: ClassVar[Mapping[int, Upcast]] = {}

    through: int = UNSAID


@fact("late-entry", version=1)
class LateEntry(Entry):
    """The entry of a save that records a ruling entered late. `after`: the ruling after which it comes in play."""

    upcasts: ClassVar[Mapping[int, Upcast]] = {}

    after: int = UNSAID
