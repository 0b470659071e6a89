"""The kernel's records beside the facts: rulings, decisions about them, what waits, the journal, receipts, access.

Stored as `ledger.<kind>@<version>`. Inputs, questions and answers are kept as the JSON objects of the API (`kind`
names the class), so that this layer needs no system.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.subjects import Audience, Role

Json: TypeAlias = dict[str, Any]
Decision: TypeAlias = Literal[
    "disputed", "upheld", "overturned", "reinstated", "revised", "reruled", "recounted", "witnessed"
]
Code: TypeAlias = Literal["entry", "ruling"]
Settle: TypeAlias = Literal["flag", "rerule"]
FindingKind: TypeAlias = Literal["changes", "loses support", "needs dice", "overdrawn", "adrift"]
Settled: TypeAlias = Literal["let-stand", "amended", "overturned", "cleared"]


@dataclass(frozen=True, slots=True)
class Given:
    """An answer as it was given, with its question. `set_aside`: it fitted no longer, nothing rests on it."""

    question: Json
    answer: Json
    by: str
    at: str
    audience: Audience = None
    set_aside: bool = False


@dataclass(frozen=True, slots=True)
class Reason:
    """A step of a derivation."""

    rule: str
    given: Json
    out: Any
    audience: Audience = None


@dataclass(frozen=True, slots=True)
class Address:
    """Where a fact is stored."""

    stream: str
    version: int


# --- in <campaign>/ruling/<number> ---


@fact("ruled")
class Ruled:
    """One adjudicated declaration. `plays`: the characters of the declaring seat then (part of replaying it)."""

    declared: Json
    seat: str
    role: Role
    plays: tuple[str, ...]
    scene: str | None
    answers: tuple[Given, ...]
    edition: int
    dials: Json
    because: tuple[Reason, ...]
    reads: tuple[str, ...]
    facts: tuple[Address, ...]
    waited_as: str | None = None


@dataclass(frozen=True, slots=True)
class Unsupported:
    """The rules' refusal of a ruling that was ruled again: it records no facts."""

    rule: str
    code: str
    context: Json
    audience: Audience = None


@dataclass(frozen=True, slots=True)
class Retold:
    """A ruling ruled anew, in the place of what was told of it before. Who declared it, and where, stays."""

    declared: Json
    answers: tuple[Given, ...]
    edition: int
    dials: Json
    because: tuple[Reason, ...]
    reads: tuple[str, ...]
    facts: tuple[Address, ...]
    refused: Unsupported | None = None


@dataclass(frozen=True, slots=True)
class ConsentSaid:
    """A seat consented to a decision, or refused it (`agreed`); of those of whom everybody may know that."""

    seat: str
    agreed: bool
    reason: str
    at: str


@dataclass(frozen=True, slots=True)
class Consent:
    """What a decision waited for, and under which id. `without`: it was gone on with, though some was not there.

    `by`: who went on with it. `reason`: why.
    """

    waited_as: str
    said: tuple[ConsentSaid, ...] = ()
    without: bool = False
    by: str | None = None
    reason: str | None = None


def _revision_then(decided: Json) -> Json:
    """Version 1 knew one telling of a ruling: it stood after everything but an overturning."""
    return {**decided, "revision": None if decided["decision"] == "overturned" else 0}


def _asked_nobody(decided: Json) -> Json:
    """Until version 2 there was no consent to wait for."""
    return {**decided, "consent": None}


@fact("decided", version=3)
class Decided:
    """Somebody's decision about the ruling. `revision`: the telling that stands after it; None: none does.

    `also`: the other rulings overturned in the same save. `code`: why it was revised (a typo, a wrong judgement).
    `cause`: the ruling decided about, where this one was ruled again because of it, or (recounted) what follows from
    its facts was worked out anew. `retold`: as it was ruled anew, or counted. `consent`: what it waited for.
    """

    upcasts: ClassVar[Any] = {1: _revision_then, 2: _asked_nobody}

    decision: Decision
    reason: str
    settle: Settle | None = None
    also: tuple[int, ...] = ()
    revision: int | None = None
    code: Code | None = None
    cause: int | None = None
    retold: Retold | None = None
    consent: Consent | None = None


# --- in the streams of subjects ---


@fact("struck")
class Struck:
    """The ruling's facts in this stream fold no longer."""

    ruling: int


@fact("restored")
class Restored:
    """The ruling's facts of this revision fold again (or now)."""

    ruling: int
    revision: int


# --- in <campaign>/waiting/<id> ---


@fact("declared")
class Declared:
    """A declaration that waits. `question`: what it needs; `answers`: what it has."""

    declared: Json
    seat: str
    scene: str | None
    dice: Literal["ledger", "table"]
    question: Json
    answers: tuple[Given, ...] = ()


@fact("answered")
class Answered:
    """All answers so far (those set aside stay visible) and the next question."""

    answers: tuple[Given, ...]
    question: Json


@fact("withdrawn")
class Withdrawn:
    reason: str


@fact("declined")
class Declined:
    """Who was asked last said no: nothing comes of it. `answers`: all so far, that one the last; `refused`: by which
    rule.
    """

    answers: tuple[Given, ...]
    refused: Unsupported


@fact("lapsed")
class Lapsed:
    """Nobody can answer it any more: since this ruling it can no longer come about.

    `refused`: how the rules refuse it now; None: it is not for who declared it any more.
    """

    ruling: int
    refused: Unsupported | None = None


@fact("numbered")
class Numbered:
    """The wait is over: the verdict is recorded as this ruling."""

    ruling: int
    answers: tuple[Given, ...]


# --- in <campaign>/waiting/<id>, of a decision that waits for consent ---

Proposed: TypeAlias = Literal["overturn", "reinstate", "revise", "declare", "remove-seat"]


@fact("asked-for-consent")
class ConsentAsked:
    """A decision waits for consent: what somebody wants to do, as it was asked for, and whose consent that needs.

    `seat`: who wants it. `about`: the ruling it is about. `said`: all else of the request, in the words of the API's
    bodies. `seats`: who is asked, which is told to nobody else; `openly`: those of them of whom everybody could know.
    `known_to`: who alone may know that something waits.
    """

    decision: Proposed
    seat: str
    about: int | None
    reason: str
    said: Json
    seats: tuple[str, ...]
    openly: tuple[str, ...]
    known_to: Audience = None


@fact("asked-for-consent-too")
class ConsentAskedToo:
    """Since it was asked for it has come to touch these as well."""

    seats: tuple[str, ...]
    openly: tuple[str, ...]


@fact("consented")
class Consented:
    """The seat that recorded it consents."""

    reason: str


@fact("refused-consent")
class RefusedConsent:
    """The seat that recorded it does not."""

    reason: str


@fact("carried-out")
class CarriedOut:
    """The decision took effect, in the same save. `without`: it was gone on with before all had consented, and why."""

    without: bool
    reason: str | None = None


# --- in <campaign>/journal/journal ---

#: In the place of a version or a count that an entry does not say.
UNSAID = 0


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a person must settle. `ruling`: the later ruling concerned; `cause`: the decision's ruling.

    `audience`: of what would come out otherwise, where all of that is secret.
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


@fact("entry", version=2)
class Entry:
    """One save of the campaign: what it did, and what it wrote. The entry's version is the position.

    `streams`: every stream it touched, with the latest version it wrote there. What no entry names does not count.
    `events`: how many events it wrote beside the entry. `waiting`: what was declared, answered, withdrawn or ruled, or
    of which consent was asked, given or refused; of other streams of what waits that it touched, each lapsed.
    """

    upcasts: ClassVar[Any] = {1: _no_versions}

    did: str
    streams: dict[str, int]
    ruling: int | None = None
    waiting: str | None = None
    findings: tuple[Finding, ...] = ()
    settled: tuple[Settlement, ...] = ()
    events: int = UNSAID


# --- in <campaign>/randomness/randomness ---


@fact("epoch-begun")
class EpochBegun:
    """The ledger's dice rest on new seeds from the next save on (`ledger.events.dice_proofs`).

    `commitment`, `hidden`: the SHA-256 of the open and of the hidden seed. `session`: its session, empty between them.
    """

    number: int
    commitment: str
    hidden: str
    session: str = ""


@fact("epoch-ended")
class EpochEnded:
    """The open seed, hexadecimal, with which its rolls can be recomputed.

    None: the server's key has changed since; or it is the origin's of a fork, which goes on rolling with it.
    """

    number: int
    seed: str | None


@fact("entropy-given")
class EntropyGiven:
    """What a seat mixes into the ledger's dice from the next save on, in place of what it gave before."""

    seat: str
    value: str


# --- in <campaign>/bookmarks/bookmarks ---


@fact("bookmarked")
class Bookmarked:
    """Somebody marked a ruling for the table, with a note. `id`: `b` and the position of the save."""

    id: str
    ruling: int
    note: str


@fact("bookmark-removed")
class BookmarkRemoved:
    id: str


# --- in <campaign>/receipt/<digest> and <campaign>/access/<seat> ---


@fact("receipt")
class Receipt:
    """What a POST was answered. `body` has a mark where the seat's token stood, which is never stored."""

    request: str
    status: int
    body: str
    token_of: str | None = None
    generation: int = 0


@fact("token-issued")
class TokenIssued:
    """A seat's token: only its hash (SHA-256, hexadecimal). The seat's earlier ones are dead."""

    generation: int
    hash: str


RECORDS: tuple[type[object], ...] = (
    Ruled, Decided, Struck, Restored, Declared, Answered, Withdrawn, Declined, Lapsed, Numbered, Entry, Receipt,
    TokenIssued, EpochBegun, EpochEnded, EntropyGiven, ConsentAsked, ConsentAskedToo, Consented, RefusedConsent,
    CarriedOut, Bookmarked, BookmarkRemoved,
)  # fmt: skip
