"""The application: the commands, the read operations and the checks. Other packages import it from here."""

from ledger.aggregates.bookmarks import Bookmark
from ledger.aggregates.campaign import Campaign, SettledThen, name_journal_stream
from ledger.aggregates.proposal import Proposal, ProposalStatus, belongs_to_proposal
from ledger.aggregates.rewinds import StandingRevisions, name_rewinds_stream
from ledger.aggregates.ruling import Pending, Ruling, Status, WaitStatus, fold_pending
from ledger.aggregates.subject_stream import SubjectStream
from ledger.application.book import Book
from ledger.application.calls import Call, Reply, hash_text
from ledger.application.checks.audit import audit
from ledger.application.checks.audit_report import Audit, Difference, format_count, format_judged
from ledger.application.checks.dice_check import BadDice, check_dice
from ledger.application.commands.previewing import list_dependent_rulings
from ledger.application.keys import Keys
from ledger.application.ledger import Ledger, make_environment
from ledger.application.reading.moments import Moment, find_moment, list_bodies_up_to, load_journal_entries
from ledger.application.reading.pasts import History, load_history, load_past_before, log_problem
from ledger.application.reading.rulings import (
    attach_facts,
    list_followers,
    load_bare_rulings,
    load_rulings_at,
    load_shown_rulings,
    load_visible_ruling,
)
from ledger.application.reading.seals import BadSeal, Seal, Sealer, SignedSeal, list_sealed_leaves, verify_seal
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
    ShownStep,
)
from ledger.application.reading.stretches import Stretch, list_facts_of_ruling, load_stretches, load_subjects_at
from ledger.application.reading.system_missing import open_book
from ledger.application.reading.veiling import (
    find_known_part,
    find_rulings_resting_on_hidden,
    find_unsure_adrift_facts,
    hide_unknown_values,
    may_know,
    may_know_whether_fact_fits,
)
from ledger.application.reading.waiting import is_rolled_by_ledger
from ledger.application.rulesets import find_ruleset
from ledger.application.tables import list_missing_seats

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
    "ShownStep",
    "SignedSeal",
    "StandingRevisions",
    "Status",
    "Stretch",
    "SubjectStream",
    "WaitStatus",
    "attach_facts",
    "audit",
    "belongs_to_proposal",
    "check_dice",
    "find_known_part",
    "find_moment",
    "find_ruleset",
    "find_rulings_resting_on_hidden",
    "find_unsure_adrift_facts",
    "fold_pending",
    "format_count",
    "format_judged",
    "hash_text",
    "hide_unknown_values",
    "is_rolled_by_ledger",
    "list_bodies_up_to",
    "list_dependent_rulings",
    "list_facts_of_ruling",
    "list_followers",
    "list_missing_seats",
    "list_sealed_leaves",
    "load_bare_rulings",
    "load_history",
    "load_journal_entries",
    "load_past_before",
    "load_rulings_at",
    "load_shown_rulings",
    "load_stretches",
    "load_subjects_at",
    "load_visible_ruling",
    "log_problem",
    "make_environment",
    "may_know",
    "may_know_whether_fact_fits",
    "name_journal_stream",
    "name_rewinds_stream",
    "open_book",
    "verify_seal",
]
