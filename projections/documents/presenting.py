"""Turn the results of the application into the body of an answer."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from ledger.application import (
    Book,
    Present,
    Shown,
    ShownBookmark,
    ShownCampaign,
    ShownComparison,
    ShownDecision,
    ShownEntropy,
    ShownFinding,
    ShownFork,
    ShownPending,
    ShownPreview,
    ShownProposal,
    ShownRuling,
    ShownSeat,
    ShownStep,
)
from ledger.errors import NotFound
from ledger.rules.kernel.subjects import Viewer
from projections.documents import bookmarks, campaigns, dice, findings, rulings
from projections.documents.comparisons import (
    Comparison,
    Decided,
    Selection,
    describe_comparison,
    describe_decided_ruling,
)
from projections.documents.foreseen import Preview, describe_preview, list_lapsing_declarations
from projections.documents.proposals import Proposal, describe_proposal
from projections.documents.stored_rulings import read_subject
from projections.documents.waiting import Waiting, describe_waiting
from projections.redaction import LiveLens, to_text
from projections.wording import raise_wording_errors

Presented: TypeAlias = (
    rulings.Ruling
    | rulings.Followed
    | Waiting
    | Proposal
    | Decided
    | Comparison
    | Preview
    | findings.Finding
    | dice.Entropy
    | campaigns.Seat
    | bookmarks.MarkedRuling
)


def present(book: Book, viewer: Viewer | None, result: Shown) -> str:
    """Return the result as JSON for the acting seat, or for the person who opened a new campaign. This happens before
    the save.
    """
    assert viewer is not None
    with raise_wording_errors():
        return to_text(describe_shown(LiveLens(book, viewer), result))


def make_presenter(selection: Selection) -> Present:
    """Return a function like `present` that shows the selected part of a comparison."""

    def present_comparison(book: Book, viewer: Viewer | None, result: Shown) -> str:
        if viewer is None or not isinstance(result, ShownComparison):
            return present(book, viewer, result)
        return to_text(describe_comparison(LiveLens(book, viewer), result, selection))

    return present_comparison


def describe_shown(lens: LiveLens, result: Shown) -> Presented:
    """Return the document of a result."""
    match result:
        case ShownRuling():
            # The events are presented before they are saved, so new characters do not exist yet.
            lens_with_joining_names = lens.add_joining_names(
                (read_subject(event), event.body.fact) for event in result.events
            )
            document = rulings.describe_ruling(lens_with_joining_names, result)
            if ended_declarations := list_lapsing_declarations(lens, result.lapsing_declarations):
                document["ends"] = ended_declarations
            return document
        case ShownPending():
            return describe_waiting(lens, result.pending)
        case ShownStep():
            return _describe_step(lens, result)
        case ShownDecision():
            return describe_decided_ruling(lens, result)
        case ShownComparison():
            return describe_comparison(lens, result)
        case ShownPreview():
            return describe_preview(lens, result)
        case ShownProposal():
            return describe_proposal(lens, result)
        case ShownFinding():
            if not findings.select_visible(lens, [result.settled.finding]):
                raise NotFound(f"There is no open finding {result.settled.finding.id!r}.", code="finding-not-found")
            return findings.describe_finding(lens, result.settled.finding, result.settled)
        case ShownEntropy():
            return dice.describe_entropy(lens, result.number, result)
        case ShownBookmark():
            return bookmarks.describe_bookmark(lens, result.bookmark, is_own=result.own)
        case ShownSeat():
            return campaigns.describe_seat(result)
        case ShownCampaign() | ShownFork():
            return campaigns.describe_seat(result.gm)
        case _:
            assert_never(result)


def _describe_step(lens: LiveLens, shown_step: ShownStep) -> rulings.Followed:
    if isinstance(shown_step.step, ShownPending):
        pending = shown_step.step.pending
        return {"ruling": None, "waiting": pending.id, "text": describe_waiting(lens, pending)["text"]}
    ruling = rulings.describe_ruling(lens, shown_step.step)
    return {"ruling": ruling["number"], "waiting": None, "text": ruling["text"]}
