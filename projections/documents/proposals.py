"""Decisions that are waiting for consent, for one viewer."""

from __future__ import annotations

from ledger import application
from ledger.application import ProposalStatus, ShownComparison, ShownProposal, ShownRuling
from ledger.application.commands.proposals import show_proposal_as_it_stands
from ledger.errors import LedgerError
from ledger.events.records import ConsentSaid
from ledger.events.records_of_consent import Proposed
from ledger.rules.kernel import sentences
from ledger.rules.kernel.refusals import Refused
from projections.documents.comparisons import COMPARISON, SHORT, Comparison, Selection, describe_comparison
from projections.documents.decisions import ConsentWord
from projections.documents.refusals import describe_refusal
from projections.documents.rulings import AT
from projections.documents.shape import Document, give_example
from projections.redaction import LiveLens, MadeFact, Person, make_fact
from projections.wording import fill_frame, strip_end

PROPOSAL: Proposal = {
    "id": "w12",
    "status": "waiting",
    "version": 1,
    "text": "Ann wants to overturn ruling 5: The target was out of reach.",
    "at": AT,
    "by": {"seat": "s1", "name": "Ann"},
    "decision": "overturn",
    "ruling": 5,
    "asked": True,
    "said": [{"by": {"seat": "s3", "name": "Cleo"}, "at": AT, "agreed": True, "why": "So it was."}],
    "until": "2026-03-03T19:30:00.000000Z",
    "without": False,
    "why": None,
    "changes": COMPARISON,
    "facts": None,
    "problem": None,
}


@give_example(**PROPOSAL)
class Proposal(Document):
    """A decision that is waiting for consent, took effect, or was withdrawn. `text`: the decision in one sentence.

    Seats that are not involved see only that a decision is waiting. `asked`: whether this seat's consent is needed.
    `said`: the answers that this seat can see. A seat sees its own answer immediately. The deciding seat sees public
    answers immediately, and everybody else sees them once the decision takes effect. `until`: the time from which
    missing consent can be overridden; null if the decision is no longer waiting or is hidden from this seat. `without`:
    consent was overridden. `why`: the reason for overriding it, or for withdrawing the decision. `changes`: what would
    change now; `facts`: the results of a declaration; both as this seat sees them. `problem`: why the decision can't
    take effect now.
    """

    id: str
    status: ProposalStatus
    version: int
    text: str
    at: str
    by: Person | None
    decision: Proposed | None
    ruling: int | None
    asked: bool
    said: list[ConsentWord]
    until: str | None
    without: bool
    why: str | None
    changes: Comparison | None
    facts: list[MadeFact] | None
    problem: str | None


def describe_proposal(lens: LiveLens, shown_proposal: ShownProposal, selection: Selection = SHORT) -> Proposal:
    """Return the proposal, with its changes if `shown_proposal` has them. `selection`: which of the changed rulings to
    list.
    """
    proposal, viewer = shown_proposal.proposal, lens.viewer
    if not proposal.is_known_to(viewer) and not (
        proposal.status == "carried-out" and viewer.may_see(proposal.known_to)
    ):
        return _make_hidden_proposal(proposal, viewer_version=proposal.count_version_for(viewer))
    outcome = shown_proposal.foreseen
    return {
        "id": proposal.id,
        "status": proposal.status,
        "version": proposal.count_version_for(viewer),
        "text": word_proposal(lens, proposal),
        "at": proposal.at,
        "by": lens.name_person(proposal.seat),
        "decision": proposal.decision,
        "ruling": proposal.about,
        "asked": proposal.has_asked(viewer),
        "said": [_describe_consent_answer(lens, answer) for answer in proposal.select_visible_answers(viewer)],
        "until": proposal.find_deadline(viewer, lens.book.load_kernel_dials().consent_hours),
        "without": proposal.without,
        "why": proposal.why,
        "changes": describe_comparison(lens, outcome, selection) if isinstance(outcome, ShownComparison) else None,
        "facts": _list_visible_facts(lens, outcome) if isinstance(outcome, ShownRuling) else None,
        "problem": _describe_problem(lens, shown_proposal.problem),
    }


def _make_hidden_proposal(proposal: application.Proposal, viewer_version: int) -> Proposal:
    """Return a document that shows only whether a decision is waiting, for seats that are not involved."""
    return {
        "id": proposal.id,
        "status": proposal.status,
        "version": viewer_version,
        "text": sentences.HIDDEN_PROPOSAL if proposal.status == "waiting" else sentences.HIDDEN_PROPOSAL_OVER,
        "at": proposal.at,
        "by": None,
        "decision": None,
        "ruling": None,
        "asked": False,
        "said": [],
        "until": None,
        "without": False,
        "why": None,
        "changes": None,
        "facts": None,
        "problem": None,
    }


def word_proposal(lens: LiveLens, proposal: application.Proposal) -> str:
    """Return the decision in a sentence."""
    values: dict[str, object] = {"seat": proposal.seat, "number": proposal.about, "reason": strip_end(proposal.reason)}
    if proposal.decision == "declare":
        values["said"] = strip_end(lens.wording.word_stored_declaration(proposal.request["declare"]))
    if proposal.decision == "remove-seat":
        values["other"] = proposal.request["seat"]
    return lens.fill_in_names(fill_frame(sentences.PROPOSALS[proposal.decision], values))


def describe_current_proposal(lens: LiveLens, proposal: application.Proposal, selection: Selection = SHORT) -> Proposal:
    """Return a proposal with the changes that it would make now, if the viewer may know them."""
    is_waiting = proposal.is_known_to(lens.viewer) and proposal.status == "waiting"
    return describe_proposal(
        lens, show_proposal_as_it_stands(lens.book, proposal) if is_waiting else ShownProposal(proposal), selection
    )


def list_proposals(lens: LiveLens, *, own_only: bool) -> list[Proposal]:
    """Return the waiting decisions. `own_only`: only decisions that need the consent of the viewer's own seat."""
    noticeable_proposals = [
        proposal for proposal in lens.book.list_proposals() if proposal.is_noticeable_to(lens.viewer)
    ]
    return [
        describe_current_proposal(lens, proposal)
        for proposal in noticeable_proposals
        if proposal.has_asked(lens.viewer) or not own_only
    ]


def _describe_consent_answer(lens: LiveLens, answer: ConsentSaid) -> ConsentWord:
    return {"by": lens.name_person(answer.seat), "at": answer.at, "agreed": answer.agreed, "why": answer.reason}


def _list_visible_facts(lens: LiveLens, shown_ruling: ShownRuling) -> list[MadeFact]:
    facts: list[MadeFact] = []
    for event in shown_ruling.events:
        body = event.body
        if lens.may_see(body.audience):
            _, kind, id = event.originator_id.split("/", 2)
            fact = make_fact(lens.book.codec, kind if kind == "campaign" else f"{kind}:{id}", body.fact, body.postings)
            facts.append({**fact, "text": lens.fill_in_names(fact["text"])})
    return facts


def _describe_problem(lens: LiveLens, problem: LedgerError | Refused | None) -> str | None:
    if isinstance(problem, Refused):
        return describe_refusal(lens, problem)["text"]
    return problem.detail if problem is not None else None
