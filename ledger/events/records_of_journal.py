"""Records of the journal: what each save did and wrote, and what a person must settle since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from ledger.events.envelope import Json, Upcast
from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.subjects import Audience

FindingKind: TypeAlias = Literal["changes", "loses support", "needs dice", "overdrawn", "adrift", "held twice"]
Settled: TypeAlias = Literal["let-stand", "amended", "overturned", "cleared"]
#: In the place of a version or a count that an entry does not say.
UNSAID = 0


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a person must settle. `ruling`: the later ruling concerned; `cause`: the decision's ruling.

    `audience`: of what would come out otherwise, where all of that is secret. "held twice": `subject` holds a thing of
    which there is only one, and so does another; `detail` names the thing and the other.
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


def _no_versions(entry: Json) -> Json:
    """Version 1 named the streams alone."""
    return {**entry, "streams": dict.fromkeys(entry["streams"], UNSAID)}


@fact("entry", version=3)
class Entry:
    """One save of the campaign: what it did, and what it wrote. The entry's version is the position.

    `streams`: every stream it touched, with the latest version it wrote there. What no entry names does not count.
    `events`: how many events it wrote beside the entry. `waiting`: what was declared, answered, withdrawn or ruled, or
    of which consent was asked, given or refused; of other streams of what waits that it touched, each lapsed.
    `edition`: of the game's rules that wrote it, the version of all it stored. Earlier entries do not say it.
    """

    upcasts: ClassVar[Mapping[int, Upcast]] = {1: _no_versions}

    did: str
    streams: dict[str, int]
    ruling: int | None = None
    waiting: str | None = None
    findings: tuple[Finding, ...] = ()
    settled: tuple[Settlement, ...] = ()
    events: int = UNSAID
    edition: int = UNSAID


@fact("set-aside-entry")
class SetAsideEntry(Entry):
    """The entry of a save that sets a ruling aside. An older version of the ledger stops here and says so."""
