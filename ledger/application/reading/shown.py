"""What an act made or found, handed to whoever presents it. The application knows no JSON of the API."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ledger.aggregates.bookmarks import Bookmark
from ledger.aggregates.campaign import SettledThen
from ledger.aggregates.proposal import Proposal
from ledger.aggregates.ruling import Pending, Ruling
from ledger.application.book import Book
from ledger.errors import LedgerError
from ledger.events.envelope import Event
from ledger.events.records_of_journal import Finding
from ledger.rules.kernel.comparison import Comparison, Known, Other
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.facts import CampaignForked
from ledger.rules.kernel.questions import Question
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Role, Viewer


@dataclass(frozen=True, slots=True)
class ShownRuling:
    """A ruling with the facts of its telling as stored (legs left out), and those of each earlier telling.

    `ends`: what waited for somebody and lapses by it, where it has just been made; `declared`: the declaration, then.
    Of any other it is read from the record.
    """

    ruling: Ruling
    facts: Sequence[Event]
    earlier: Sequence[Sequence[Event]] = ()
    ends: tuple[Pending, ...] = ()
    declared: object = None

    @property
    def telltale(self) -> Sequence[Event]:
        """The facts by which it is secret or not: a telling that found no support is as secret as the one before."""
        return next((facts for facts in (self.facts, *reversed(self.earlier)) if facts), ())


@dataclass(frozen=True, slots=True)
class ShownPending:
    pending: Pending


@dataclass(frozen=True, slots=True)
class ShownPreview:
    """What declaring `do` would come to: a verdict, or its first question. None: that rests on what is hidden.

    A question is shown as far as it is for the viewer, as one that waits. `ends`: what waits and would lapse by it.
    """

    do: object
    outcome: Verdict[object] | Question | None
    ends: tuple[Pending, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownSeat:
    """A seat; `token` where one was just issued."""

    id: str
    name: str
    role: Role
    removed: bool
    token: str | None = None


@dataclass(frozen=True, slots=True)
class ShownEntropy:
    """What a seat mixed into the ledger's dice. `number`: among all entropies of the campaign, from 1."""

    number: int
    seat: str
    value: str
    at: str


@dataclass(frozen=True, slots=True)
class ShownComparison:
    """What a decision changes, or would change; the findings it raises. `dials`: held throughout in the other past.

    `over`: open findings about things held twice that it ends.
    `other`: that past, for those who ask what it rests on. `known_to`: whom alone it is made for, who may know so much.
    """

    without: tuple[int, ...]
    restored: tuple[int, ...]
    comparison: Comparison
    findings: tuple[Finding, ...]
    revised: tuple[int, ...] = ()
    dials: Mapping[str, object] = field(default_factory=dict)
    other: Other | None = None
    known_to: tuple[Viewer, Known] | None = None
    over: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownDecision:
    """The ruling after the decision, and what it changed where it changed anything."""

    ruling: ShownRuling
    changed: ShownComparison | None = None


@dataclass(frozen=True, slots=True)
class ShownProposal:
    """A decision that waits for consent, or waited. `foreseen`: what it would change or make true, where that is told.

    `problem`: why it could not take effect as things stand.
    """

    proposal: Proposal
    foreseen: ShownComparison | ShownRuling | None = None
    problem: LedgerError | Refused | None = None


@dataclass(frozen=True, slots=True)
class ShownFinding:
    settled: SettledThen


@dataclass(frozen=True, slots=True)
class ShownBookmark:
    """`own`: the seat keeps it for itself."""

    bookmark: Bookmark
    own: bool = False


@dataclass(frozen=True, slots=True)
class ShownCampaign:
    """A campaign just opened, and its first game master's seat."""

    gm: ShownSeat


@dataclass(frozen=True, slots=True)
class ShownFork:
    """A campaign just forked, and the seat of who forked it. `unclaimed`: the seats that nobody has claimed yet."""

    forked: CampaignForked
    gm: ShownSeat
    unclaimed: tuple[str, ...]


Shown: TypeAlias = (
    ShownRuling
    | ShownPending
    | ShownSeat
    | ShownEntropy
    | ShownComparison
    | ShownPreview
    | ShownDecision
    | ShownProposal
    | ShownFinding
    | ShownBookmark
    | ShownCampaign
    | ShownFork
)
#: Makes the body of the answer for this viewer (None: the operator).
Present: TypeAlias = Callable[[Book, Viewer | None, Shown], str]
