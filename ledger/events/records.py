"""The kernel's records that are not facts: rulings, decisions, waiting declarations, bookmarks, receipts, access.

The records of the journal, the dice and consent are in `records_of_journal`, `records_of_dice` and
`records_of_consent`.

They are stored as `ledger.<kind>@<version>`. Declarations, questions and answers are stored as the JSON objects of the
API (`kind` names the class), so this layer needs no game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

from ledger.events.envelope import Json, Upcast
from ledger.events.records_of_consent import (
    CarriedOut,
    ConsentAsked,
    ConsentAskedToo,
    Consented,
    LateAsked,
    RefusedConsent,
    RewindAsked,
)
from ledger.events.records_of_dice import EntropyGiven, EpochBegun, EpochEnded
from ledger.events.records_of_journal import Entry, LateEntry, RewoundEntry, SetAsideEntry, TakenBackEntry
from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.subjects import Audience, Role

Decision: TypeAlias = Literal[
    "disputed",
    "upheld",
    "overturned",
    "reinstated",
    "revised",
    "reruled",
    "recounted",
    "witnessed",
    "set-aside",
    "taken-back",
    "rewound",
]
Code: TypeAlias = Literal["entry", "ruling"]
Settle: TypeAlias = Literal["flag", "rerule"]


@dataclass(frozen=True, slots=True)
class Given:
    """An answer with its question. `set_aside`: whether it no longer fits and is not used.

    `withheld`: whether only its seat can see it, because other seats were asked at the same time and had not all
    answered.
    """

    question: Json
    answer: Json
    by: str
    at: str
    audience: Audience = None
    set_aside: bool = False
    withheld: bool = False


@dataclass(frozen=True, slots=True)
class Reason:
    """A step of a derivation."""

    rule: str
    given: Json
    out: Any
    audience: Audience = None


@dataclass(frozen=True, slots=True)
class Address:
    """The place where a fact is stored."""

    stream: str
    version: int


# --- in <campaign>/ruling/<number> ---


@fact("ruled", version=3)
class Ruled:
    """One adjudicated declaration. `plays`: the characters that the declaring seat had. `follows`: for an automatic
    step, the ruling that began the steps.
    """

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
    follows: int | None = None

    @property
    def after(self) -> int:
        """Return the ruling after which this one was entered late, or 0."""
        return 0

    @property
    def ordinal(self) -> int:
        """Return the place of this ruling among those entered late after the same ruling, from 1, or 0 if it was not
        entered late.
        """
        return 0


@fact("ruled-late", version=1)
class RuledLate(Ruled):
    """A ruling entered late. Older versions of the ledger do not know this record, and ask for an upgrade."""

    after: int = 0
    ordinal: int = 1


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A refusal by the rules. A revision that the rules refuse has no facts."""

    rule: str
    code: str
    context: Json
    audience: Audience = None


@dataclass(frozen=True, slots=True)
class Retold:
    """A new revision of a ruling. The declarer and the scene stay the same."""

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
    """The answer of a seat to a decision. `agreed`: whether it consented."""

    seat: str
    agreed: bool
    reason: str
    at: str


@dataclass(frozen=True, slots=True)
class Consent:
    """The consent that a decision waited for.

    `waited_as`: the id under which the decision waited. `said`: the answers that everybody may know. `without`: whether
    missing consent was overridden. `by`, `reason`: who overrode it, and why.
    """

    waited_as: str
    said: tuple[ConsentSaid, ...] = ()
    without: bool = False
    by: str | None = None
    reason: str | None = None


def _upcast_revision(decided: Json) -> Json:
    """Add the revision that stands. Version 1 did not store it."""
    return {**decided, "revision": None if decided["decision"] == "overturned" else 0}


def _upcast_without_consent(decided: Json) -> Json:
    """Add the consent. In version 2, no decision waited for consent."""
    return {**decided, "consent": None}


@fact("decided", version=4)
class Decided:
    """A decision about the ruling.

    - revision: the revision that stands after it, or None.
    - also: the other rulings overturned in the same save.
    - code: why the ruling was revised (a typo, a wrong ruling).
    - cause: the other ruling that led to this decision, if any.
    - retold: the new revision of the ruling.
    - consent: the consent that the decision waited for.
    """

    upcasts: ClassVar[Mapping[int, Upcast]] = {1: _upcast_revision, 2: _upcast_without_consent}

    decision: Decision
    reason: str
    settle: Settle | None = None
    also: tuple[int, ...] = ()
    revision: int | None = None
    code: Code | None = None
    cause: int | None = None
    retold: Retold | None = None
    consent: Consent | None = None


@fact("set-aside", version=2)
class SetAside(Decided):
    """The operator's decision: the ruling is overturned, because the game's code raises an error for it.

    Older versions of the ledger do not know this record, and ask for an upgrade.
    """

    upcasts: ClassVar[Mapping[int, Upcast]] = {}


@fact("taken-back", version=1)
class TakenBack(Decided):
    """The declarer's own decision: the ruling is overturned, before anybody else has acted. `also`: the rulings that
    followed from it automatically.
    """

    upcasts: ClassVar[Mapping[int, Upcast]] = {}


@fact("rewound", version=1)
class Rewound(Decided):
    """The ruling and every later standing ruling up to `through` are overturned."""

    upcasts: ClassVar[Mapping[int, Upcast]] = {}

    through: int = 0


# --- in <campaign>/rewinds/rewinds ---


@fact("rewind", version=1)
class Rewind:
    """One decision about all rulings from `first` to `last`: it overturns those that stood, or reinstates them.

    Rulings that were already overturned are not included. The stream of the first ruling has the decision, too.
    """

    decision: Literal["rewound", "reinstated"]
    reason: str
    first: int
    last: int


# --- in the streams of subjects ---


@fact("struck")
class Struck:
    """From here on, the ruling's facts in this stream do not count."""

    ruling: int


@fact("restored")
class Restored:
    """From here on, the ruling's facts of this revision count."""

    ruling: int
    revision: int


@fact("struck-range", version=1)
class StruckRange:
    """From here on, no facts of these rulings in this stream count."""

    first: int
    last: int


@fact("restored-range", version=1)
class RestoredRange:
    """From here on, facts count again if they were struck by the latest range that begins with this ruling."""

    first: int


#: The records in subjects' streams that are not facts.
MARKS = (Struck, Restored, StruckRange, RestoredRange)


# --- in <campaign>/waiting/<id> ---


@fact("declared", version=3)
class Declared:
    """A waiting declaration. `question`: the question it waits for. `answers`: the answers it has.

    `beside`: the other questions that are open at the same time. `follows`: as in `Ruled`.
    """

    declared: Json
    seat: str
    scene: str | None
    dice: Literal["ledger", "table"]
    question: Json
    answers: tuple[Given, ...] = ()
    beside: tuple[Json, ...] = ()
    changeable: tuple[Json, ...] = ()
    follows: int | None = None


@fact("answered", version=2)
class Answered:
    """All answers so far (those set aside remain visible) and the next question.

    `beside`: the other questions that are open at the same time. `changeable`: questions asked at the same time and
    already answered. `answered`: the question answered, if it was not the first of the open ones.
    """

    answers: tuple[Given, ...]
    question: Json
    beside: tuple[Json, ...] = ()
    changeable: tuple[Json, ...] = ()
    answered: Json | None = None


@fact("withdrawn")
class Withdrawn:
    reason: str


@fact("declined", version=2)
class Declined:
    """An asked seat declined, which ended the declaration. `answers`: all answers; in the last one, the seat declines.
    `refused`: the refusal, with its rule.
    """

    answers: tuple[Given, ...]
    refused: Unsupported


@fact("lapsed")
class Lapsed:
    """The declaration can no longer be answered: this ruling made it impossible.

    `refused`: the refusal that the rules now give. It is None if the declarer may no longer declare this, or if nobody
    is asked any more.
    """

    ruling: int
    refused: Unsupported | None = None


@fact("numbered", version=2)
class Numbered:
    """The wait is over, because the verdict is recorded as this ruling. `answered`: as in `Answered`."""

    ruling: int
    answers: tuple[Given, ...]
    answered: Json | None = None


# --- in <campaign>/bookmarks/bookmarks ---


@fact("bookmarked")
class Bookmarked:
    """A seat bookmarked a ruling for the table, with a note. `id`: `b` and the position of the save."""

    id: str
    ruling: int
    note: str


@fact("bookmark-removed")
class BookmarkRemoved:
    id: str


# --- in <campaign>/receipt/<digest> and <campaign>/access/<seat> ---


@fact("receipt")
class Receipt:
    """The answer to a POST. In `body`, a mark stands for the seat's token, which is never stored."""

    request: str
    status: int
    body: str
    token_of: str | None = None
    generation: int = 0


@fact("token-issued")
class TokenIssued:
    """A new token of a seat. Only its hash (SHA-256, hexadecimal) is stored. The seat's earlier tokens are no longer
    valid.
    """

    generation: int
    hash: str


RECORDS: tuple[type[object], ...] = (
    Ruled,
    RuledLate,
    Decided,
    SetAside,
    TakenBack,
    Rewound,
    Rewind,
    Struck,
    Restored,
    StruckRange,
    RestoredRange,
    Declared,
    Answered,
    Withdrawn,
    Declined,
    Lapsed,
    Numbered,
    Entry,
    SetAsideEntry,
    TakenBackEntry,
    RewoundEntry,
    LateEntry,
    Receipt,
    TokenIssued,
    EpochBegun,
    EpochEnded,
    EntropyGiven,
    ConsentAsked,
    RewindAsked,
    LateAsked,
    ConsentAskedToo,
    Consented,
    RefusedConsent,
    CarriedOut,
    Bookmarked,
    BookmarkRemoved,
)
