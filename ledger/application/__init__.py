"""The application: commands on the aggregates, and everything that the read side may know of the write side."""

from ledger.aggregates.bookmarks import Bookmark
from ledger.aggregates.campaign import Campaign, SettledThen, journal_of
from ledger.aggregates.proposal import Proposal, ProposalStatus, is_of_proposal
from ledger.aggregates.ruling import Pending, Ruling, Status, WaitStatus, fold_pending
from ledger.aggregates.subject_stream import SubjectStream
from ledger.application.book import Book, system_of
from ledger.application.calls import Call, Reply, digest
from ledger.application.checks.audit import audit
from ledger.application.checks.audit_report import Audit, Difference, counted, judged_of
from ledger.application.checks.dice_check import BadDice, check_dice
from ledger.application.commands.adjudicating import rolled_by_ledger
from ledger.application.commands.previewing import leaning
from ledger.application.keys import Keys
from ledger.application.ledger import Ledger, environment
from ledger.application.reading.moments import Moment, bodies_at, entries_at, moment
from ledger.application.reading.pasts import History, history_of, log_problem, past_before
from ledger.application.reading.rulings import rulings_then, show_ruling, shown_rulings, with_facts
from ledger.application.reading.seals import BadSeal, Seal, Sealer, SignedSeal, sealed_leaves, verify_seal
from ledger.application.reading.shown import (
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
)
from ledger.application.reading.stretches import Stretch, facts_of, stretches, subjects_at
from ledger.application.reading.system_missing import book_of
from ledger.application.reading.veiling import (
    as_may_be_shown,
    known_of_shown,
    may_be_found,
    may_know,
    resting_on_hidden,
    unsure_adrift,
)
from ledger.application.tables import waits_for

__all__ = [
    "Audit",
    "BadDice",
    "BadSeal",
    "Book",
    "Bookmark",
    "Call",
    "Campaign",
    "Difference",
    "History",
    "Keys",
    "Ledger",
    "Moment",
    "Pending",
    "Present",
    "Proposal",
    "ProposalStatus",
    "Reply",
    "Ruling",
    "Seal",
    "Sealer",
    "SettledThen",
    "Shown",
    "ShownBookmark",
    "ShownCampaign",
    "ShownComparison",
    "ShownDecision",
    "ShownEntropy",
    "ShownFinding",
    "ShownFork",
    "ShownPending",
    "ShownPreview",
    "ShownProposal",
    "ShownRuling",
    "ShownSeat",
    "SignedSeal",
    "Status",
    "Stretch",
    "SubjectStream",
    "WaitStatus",
    "as_may_be_shown",
    "audit",
    "bodies_at",
    "book_of",
    "check_dice",
    "counted",
    "digest",
    "entries_at",
    "environment",
    "facts_of",
    "fold_pending",
    "history_of",
    "is_of_proposal",
    "journal_of",
    "judged_of",
    "known_of_shown",
    "leaning",
    "log_problem",
    "may_be_found",
    "may_know",
    "moment",
    "past_before",
    "resting_on_hidden",
    "rolled_by_ledger",
    "rulings_then",
    "sealed_leaves",
    "show_ruling",
    "shown_rulings",
    "stretches",
    "subjects_at",
    "system_of",
    "unsure_adrift",
    "verify_seal",
    "waits_for",
    "with_facts",
]
