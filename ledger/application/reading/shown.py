"""The results of acts, for the layer that presents them."""

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
from ledger.rules.kernel.world import PastRuling


@dataclass(frozen=True, slots=True)
class ShownRuling:
    """A ruling with the stored events of its facts, without facts of the class `Leg`. `events`: the events of the
    current revision. `earlier`: the events of each earlier revision.

    For a ruling that was just made, `lapsing_declarations` are the declarations that lapse because of it, and
    `declared` is its declaration. For any other ruling, both are read from the record.
    """

    ruling: Ruling
    events: Sequence[Event]
    earlier: Sequence[Sequence[Event]] = ()
    lapsing_declarations: tuple[Pending, ...] = ()
    declared: object = None

    @property
    def revealing_events(self) -> Sequence[Event]:
        """Return the events that decide whether the ruling is secret. A revision without a result is as secret as the
        one before.
        """
        return next((events for events in (self.events, *reversed(self.earlier)) if events), ())


@dataclass(frozen=True, slots=True)
class ShownPending:
    pending: Pending


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A step that followed automatically: a ruling, or a waiting declaration."""

    step: ShownRuling | ShownPending


@dataclass(frozen=True, slots=True)
class ShownPreview:
    """The result of declaring `do`: a verdict, or the first question. `outcome`: None if it depends on something
    hidden. `lapsing_declarations`: the declarations that would lapse.
    """

    do: object
    outcome: Verdict[object] | Question | None
    lapsing_declarations: tuple[Pending, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownSeat:
    """A seat. `token`: the seat's token, if it was just issued."""

    id: str
    name: str
    role: Role
    removed: bool
    token: str | None = None
    holds: bool = False


@dataclass(frozen=True, slots=True)
class ShownEntropy:
    """A seat's contribution to the ledger's dice. `number`: its number among all contributions of the
    campaign, from 1.
    """

    number: int
    seat: str
    value: str
    at: str


@dataclass(frozen=True, slots=True)
class ShownComparison:
    """What a decision changes, or would change, and the findings it raises. `dials`: options that have these values
    throughout the other past.

    `ended_ids`: the ids of open findings about things held twice that the decision ends. `other`: the other past.
    `known_to`: the only viewer that the comparison was made for. `through`: the last ruling of a rewind. `entered`: a
    late entry that is not recorded yet.
    """

    without: tuple[int, ...]
    restored: tuple[int, ...]
    comparison: Comparison
    findings: tuple[Finding, ...]
    revised: tuple[int, ...] = ()
    dials: Mapping[str, object] = field(default_factory=dict)
    other: Other | None = None
    known_to: tuple[Viewer, Known] | None = None
    ended_ids: tuple[str, ...] = ()
    through: int | None = None
    entered: PastRuling | None = None


@dataclass(frozen=True, slots=True)
class ShownDecision:
    """The ruling after the decision, and what the decision changed, if anything."""

    shown_ruling: ShownRuling
    changed: ShownComparison | None = None


@dataclass(frozen=True, slots=True)
class ShownProposal:
    """A decision that waits, or waited, for consent. `foreseen`: the changes or the ruling that it would make, if they
    may be shown.

    `problem`: why it could not take effect now.
    """

    proposal: Proposal
    foreseen: ShownComparison | ShownRuling | None = None
    problem: LedgerError | Refused | None = None


@dataclass(frozen=True, slots=True)
class ShownFinding:
    settled: SettledThen


@dataclass(frozen=True, slots=True)
class ShownBookmark:
    """A bookmark. `own`: whether it is private to the seat."""

    bookmark: Bookmark
    own: bool = False


@dataclass(frozen=True, slots=True)
class ShownCampaign:
    """A campaign just opened, and its first game master's seat."""

    gm: ShownSeat


@dataclass(frozen=True, slots=True)
class ShownFork:
    """A campaign just forked, and the seat of its maker. `unclaimed`: the seats that nobody has claimed yet."""

    forked: CampaignForked
    gm: ShownSeat
    unclaimed: tuple[str, ...]


Shown: TypeAlias = (
    ShownRuling
    | ShownPending
    | ShownStep
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
#: Returns the body of the answer for this viewer. None stands for the operator.
Present: TypeAlias = Callable[[Book, Viewer | None, Shown], str]
