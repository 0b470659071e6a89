"""Preview overturning and reinstating, answer what-ifs, and list what depends on a ruling. Nothing is saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ledger.aggregates.ruling import Ruling
from ledger.application.book import Book
from ledger.application.commands.consequences import must_know_what_follows
from ledger.application.commands.deciding import load_decidable_ruling, must_be_changeable_alone
from ledger.application.commands.overturning import collect_ruling_numbers
from ledger.application.reading.comparisons import (
    compare_with_reinstated,
    compare_without_rulings,
    find_restored_revisions,
)
from ledger.application.reading.rights import may_decide
from ledger.application.reading.rulings import load_visible_ruling
from ledger.application.reading.shown import ShownComparison
from ledger.errors import Malformed, NotYours
from ledger.events.records import Settle
from ledger.rules.kernel.dials import apply_dials, check_dial, controls_visibility, list_dial_fields
from ledger.rules.kernel.subjects import Viewer


def preview_overturning(
    book: Book,
    viewer: Viewer,
    number: int,
    other_numbers: Sequence[int],
    reason: str,
    if_match: int | None = None,
    settle: Settle = "flag",
) -> ShownComparison:
    """Return what overturning would change, without saving anything. Raise the same refusals as overturning."""
    load_decidable_ruling(book, viewer, number, "overturn", reason, if_match, gm_only=True)
    for other_number in sorted(collect_ruling_numbers(number, other_numbers) - {number}):
        load_visible_ruling(book, other_number, viewer).ruling.check_allows("overturn")
    position = book.campaign.position + 1
    shown_comparison = compare_without_rulings(
        book,
        collect_ruling_numbers(number, other_numbers),
        position=position,
        cause=number,
        settle=settle,
        viewer=viewer,
    )
    must_know_what_follows(book, viewer, shown_comparison)
    return shown_comparison


def preview_reinstating(
    book: Book, viewer: Viewer, number: int, reason: str, if_match: int | None = None, settle: Settle = "flag"
) -> ShownComparison:
    """Return what reinstating would change, without saving anything. Raise the same refusals as reinstating."""
    shown_ruling = load_decidable_ruling(book, viewer, number, "reinstate", reason, if_match, gm_only=True)
    must_be_changeable_alone(shown_ruling.ruling, "reinstate")
    shown_comparison = compare_with_reinstated(
        book, number, find_restored_revisions(book, number), book.campaign.position + 1, settle
    )
    must_know_what_follows(book, viewer, shown_comparison)
    return shown_comparison


def preview_what_if(
    book: Book, viewer: Viewer, numbers: Sequence[int], dials: Mapping[str, object] | None = None
) -> ShownComparison:
    """Compare the campaign with itself as if these rulings did not exist and these options had been set from the start.
    Any seat may ask for this.
    """
    for number in numbers:
        if not load_visible_ruling(book, number, viewer).ruling.stands:
            raise Malformed(f"Ruling {number} is already overturned.", code="already-overturned", ruling=number)
    dials_in_force = {**book.entry.read_dials_in_force(), **(dials or {})}
    for name, value in (dials or {}).items():
        rule = check_dial(book.ruleset, name, value)
        if controls_visibility(book.ruleset, name) and not may_decide(book, viewer):
            raise NotYours(
                f"The option {name} controls who can see what, so only a game master can preview it.",
                code="dial-hides",
                dial=name,
            )
        if name in list_dial_fields(book.ruleset.dials):
            book.ruleset.check_dials(apply_dials(book.ruleset.dials, dials_in_force), name, rule)
    position = book.campaign.position + 1
    return compare_without_rulings(
        book, frozenset(numbers), position=position, fixed_options=dials, finding_form="bare", viewer=viewer
    )


def list_dependent_rulings(book: Book, ruling: Ruling) -> list[int]:
    """Return the later rulings whose results would change if this one were overturned."""
    if not ruling.stands or book.campaign.is_last_in_play(ruling.number):
        return []
    shown_comparison = compare_without_rulings(
        book, frozenset({ruling.number}), position=book.campaign.position + 1, finding_form="none"
    )
    return [row.number for row in shown_comparison.comparison.rows if row.standpoint != "stands"]
