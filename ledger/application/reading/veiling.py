"""Decide what a comparison may show to each seat: which rulings depend on something hidden, and who may see
a finding.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ledger.aggregates.ruling import Ruling
from ledger.application.book import Book
from ledger.application.reading.doubles import HELD_TWICE
from ledger.application.reading.pasts import History, load_history
from ledger.application.reading.shown import ShownComparison
from ledger.errors import NotYours
from ledger.events.records_of_journal import Finding
from ledger.rules.kernel.as_known import AsKnown
from ledger.rules.kernel.commands import Adjust
from ledger.rules.kernel.comparison import Known, Other
from ledger.rules.kernel.fold import Folded, Recorded
from ledger.rules.kernel.known_comparison import find_known_comparison
from ledger.rules.kernel.places import place_of
from ledger.rules.kernel.purses import list_openly_counted_units, owner_of
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Audience, Subject, Viewer, parse_subject
from ledger.rules.kernel.veils import Veiled, replace_veils
from ledger.rules.kernel.world import Past, PastRuling, Revision

#: The kinds of findings about a ruling that would have a different result.
OTHERWISE = ("changes", "loses support", "needs dice")
NOBODY = Viewer("", "observer")


def may_know(viewer: Viewer, ruling: Ruling) -> bool:
    """Return whether the seat may know of the ruling. Its declarer and its recorder always may."""
    return viewer.may_see(ruling.audience) or viewer.seat in (ruling.by, ruling.ruled.seat)


def find_rulings_resting_on_hidden(book: Book, shown_comparison: ShownComparison, viewer: Viewer) -> frozenset[int]:
    """Return the rulings of a comparison that depend on values hidden from the viewer."""
    known_comparison = find_known_part(book, shown_comparison, viewer)
    return known_comparison.resting_numbers if known_comparison is not None else frozenset()


def find_known_part(book: Book, shown_comparison: ShownComparison, viewer: Viewer) -> Known | None:
    """Return the part of a comparison that the viewer may know, or None for all of it."""
    if shown_comparison.other is None:
        return None
    if shown_comparison.known_to is not None and shown_comparison.known_to[0] == viewer:
        return shown_comparison.known_to[1]
    reruled, entered = shown_comparison.comparison.reruled, shown_comparison.entered
    return find_comparison_as_known(book, viewer, shown_comparison.other, reruled, entered)


def hide_unknown_values(
    known_comparison: Known | None, subject: Subject, folded_now: Folded[object] | None, folded_then: Folded[object]
) -> Folded[object]:
    """Return the subject in another past. A value that depends on something hidden there is shown as it is now."""
    folded_as_known = known_comparison.then.get(subject) if known_comparison is not None else None
    if known_comparison is None or folded_as_known is None:
        return folded_then
    limited_copy = folded_then.copy()
    folded_shown = folded_now if folded_now is not None else Folded(folded_then.ruleset, subject)
    try:
        limited_copy.state = replace_veils(folded_as_known.state, folded_then.state, folded_shown.state)
    except Veiled:
        limited_copy.state = folded_shown.state
    if subject in known_comparison.possibly_changed_subjects:
        limited_copy.purse = dict(folded_shown.purse)
    return limited_copy


def find_comparison_as_known(
    book: Book,
    viewer: Viewer,
    other_past: Other,
    reruled: Iterable[Revision] | None = None,
    entered: PastRuling | None = None,
) -> Known | None:
    """Return the part of the comparison that the viewer may know, or None for all of it.

    `entered`: a late entry that stands only in the other past.
    """
    history = load_history(book)
    entered_audiences = [record.audience for _, record in entered.facts] if entered is not None else []
    if not _is_anything_hidden(history, viewer) and all(map(viewer.may_see, entered_audiences)):
        return None

    def is_undeclared(number: int) -> bool:
        if entered is None or number != entered.number:
            return not _is_declared_to(viewer, history, number)
        is_own = viewer.seat == entered.by.seat
        return not is_own and bool(entered_audiences) and not any(map(viewer.may_see, entered_audiences))

    resting_now = history.resting_numbers.setdefault(viewer, {})
    return find_known_comparison(
        lambda: _load_beginning(book, history),
        history.list_in_play(entered),
        {**history.standing_revisions, entered.number: None} if entered is not None else history.standing_revisions,
        other_past,
        reruled,
        viewer,
        is_undeclared,
        resting_now if entered is None else dict(resting_now),
    )


def rests_on_hidden(book: Book, ruling: PastRuling, viewer: Viewer) -> bool:
    """Return whether a past ruling, at its place in play, depends on values hidden from the viewer."""
    history = load_history(book)
    if not _is_anything_hidden(history, viewer):
        return False
    campaign_as_known = _make_campaign_known_before(book, history, viewer, ruling.place)
    campaign_as_known.tell(ruling.before)
    return campaign_as_known.rests_on_hidden(ruling)


def load_campaign_as_known_before(book: Book, viewer: Viewer, place: int) -> AsKnown | None:
    """Return the campaign at a place in play as the viewer may know it, or None if nothing is hidden from
    the viewer.
    """
    history = load_history(book)
    return _make_campaign_known_before(book, history, viewer, place) if _is_anything_hidden(history, viewer) else None


def load_campaign_as_known(book: Book, viewer: Viewer) -> AsKnown | None:
    """Return the current campaign as the viewer may know it, or None if nothing is hidden from the viewer."""
    history = load_history(book)
    if viewer not in history.known_campaigns:
        campaign_as_known = None
        if _is_anything_hidden(history, viewer):
            place = place_of(book.campaign.rulings + 1)
            campaign_as_known = _make_campaign_known_before(book, history, viewer, place)
            campaign_as_known.tell(history.facts_since)
        history.known_campaigns[viewer] = campaign_as_known
    return history.known_campaigns[viewer]


def make_campaign_known_to_all(book: Book, facts: Iterable[tuple[Subject, Recorded]]) -> AsKnown:
    """Return the campaign as everybody may know it, including these facts of a ruling that is not saved yet.

    It includes each balance that everybody can work out, even if not everybody saw what changed it.
    """
    history = load_history(book)
    if history.known_to_all is None:
        history.known_to_all = (
            0,
            AsKnown(_load_beginning(book, history), NOBODY, list_openly_counted_units(book.ruleset)),
        )
    last_number, campaign_as_known = history.known_to_all
    history.known_to_all = None  # if this fails halfway, nothing is kept
    for later_number in book.campaign.sort_in_play(range(last_number + 1, book.campaign.rulings + 1)):
        campaign_as_known.tell((*history.rulings[later_number].before, *history.rulings[later_number].facts))
    history.known_to_all = (book.campaign.rulings, campaign_as_known)
    campaign_after = campaign_as_known.branch()
    campaign_after.tell(history.facts_since)
    campaign_after.tell(facts)
    return campaign_after


def _make_campaign_known_before(book: Book, history: History, viewer: Viewer, place: int) -> AsKnown:
    campaign_as_known = AsKnown(_load_beginning(book, history), viewer)
    for ruling in history.list_before(place):
        campaign_as_known.tell((*ruling.before, *ruling.facts))
    return campaign_as_known


def find_unsure_adrift_facts(book: Book, viewer: Viewer) -> frozenset[tuple[str, int, int]]:
    """Return the facts (subject, ruling, step) with a hidden status: the viewer may not learn whether they fit the
    state.

    Otherwise the viewer could learn, for example, which card another seat drew.
    """
    history = load_history(book)
    if viewer not in history.unsure_facts:
        unsure_facts: set[tuple[str, int, int]] = set()
        for standing_revisions in (history.standing_revisions, {}) if _is_anything_hidden(history, viewer) else ():
            beginning = Past(book.ruleset, standing_revisions)
            beginning.tell(history.facts[0])
            campaign_as_known = AsKnown(beginning, viewer)
            for ruling in history.list_in_play():
                campaign_as_known.tell((*ruling.before, *ruling.facts))
            unsure_facts |= campaign_as_known.unsure_facts
        history.unsure_facts[viewer] = frozenset(unsure_facts)
    return history.unsure_facts[viewer]


def must_see_balance(book: Book, viewer: Viewer, do: Any) -> None:
    """Refuse an adjustment of an account with a balance that the seat may not see, because success would reveal the
    balance.

    Raise NotYours if the seat sees that the balance was changed, or else Refused `overdrawn`, as for an empty account.
    """
    owner = owner_of(do.source) if isinstance(do, Adjust) else None
    if owner is None or all(map(viewer.may_see, book.load_stream(owner).audiences_by_account.get(do.source, ()))):
        return
    bodies = (body for facts in load_history(book).facts.values() for _, body in facts if viewer.may_see(body.audience))
    if any(do.source in (posting.source, posting.target) for body in bodies for posting in body.postings):
        raise NotYours(
            f"You can't see the whole balance of {do.source}. Somebody who can see it must adjust it.",
            code="balance-hidden",
            account=do.source,
        )
    raise Refused("ledger.posting", "overdrawn", account=do.source, short=do.amount)


def _load_beginning(book: Book, history: History) -> Past:
    past = Past(book.ruleset, history.standing_revisions)
    past.tell(history.facts[0])
    return past


def _is_anything_hidden(history: History, viewer: Viewer) -> bool:
    """Return whether any record or question is hidden from the viewer."""
    return not all(map(viewer.may_see, history.audiences))


def _is_declared_to(viewer: Viewer, history: History, number: int) -> bool:
    """Return whether the viewer may know the declaration. It is as secret as everything recorded about it."""
    ruling = history.recorded_rulings[number]
    facts: list[Any] = [body for _, body in history.facts[number]]
    last_revision = max((body.revision for body in facts), default=0)  # a revision that the rules refused has no facts
    latest_facts = [body for body in facts if body.revision == last_revision]
    is_own = viewer.seat == ruling.responsible_seat
    return is_own or (
        may_know(viewer, ruling) and (not latest_facts or any(viewer.may_see(body.audience) for body in latest_facts))
    )


# --- findings -----------------------------------------------------------------------------------------------------


def address_findings(book: Book, shown_comparison: ShownComparison, position: int) -> ShownComparison:
    """Return the comparison with the audience of each finding.

    A finding for everybody has a number. Any other has an id made from its matter, so that no number reveals how many
    hidden findings there are.
    """
    if not shown_comparison.findings:
        return shown_comparison
    viewers = [viewer for subject in book.seats() if (viewer := book.load_viewer(subject.id)) is not None]
    other_findings = [finding for finding in shown_comparison.findings if finding.kind != HELD_TWICE]
    knowledge = _Knowledge(book, shown_comparison, viewers) if other_findings else None
    addressed_findings = [
        replace(finding, audience=knowledge.find_audience(finding))
        if knowledge is not None and finding.kind != HELD_TWICE
        else finding
        for finding in shown_comparison.findings
    ]
    return replace(shown_comparison, findings=add_finding_ids(addressed_findings, position))


def add_finding_ids(findings: Iterable[Finding], position: int) -> tuple[Finding, ...]:
    """Return the findings with their ids."""
    numbered_findings: list[Finding] = []
    public_count = 0
    for finding in findings:
        public_count += finding.audience is None
        id = f"{position}-{public_count}" if finding.audience is None else f"{position}-{_make_hidden_id(finding)}"
        numbered_findings.append(replace(finding, id=id))
    return tuple(numbered_findings)


def _make_hidden_id(finding: Finding) -> str:
    identity = "\n".join(
        map(str, (finding.kind, finding.cause, finding.ruling, finding.subject, finding.account, finding.detail))
    )
    return "h" + hashlib.sha256(identity.encode()).hexdigest()[:12]


def _identify_fact(finding: Finding) -> tuple[str, int, int]:
    """Return the subject, ruling and step of the finding's fact."""
    return finding.subject or "", finding.ruling or 0, int(finding.detail.rpartition(".")[2])


def may_know_whether_fact_fits(known_comparison: Known | None, finding: Finding) -> bool:
    """Return whether the viewer may learn from the finding that its fact no longer fits the state."""
    return (
        known_comparison is None
        or finding.kind != "adrift"
        or _identify_fact(finding) not in known_comparison.unsure_facts
    )


class _Knowledge:
    """Finds out who may know of each finding."""

    def __init__(self, book: Book, shown_comparison: ShownComparison, viewers: Iterable[Viewer]) -> None:
        self.book = book
        self.history = load_history(book)
        self.chair_viewers = [replace(NOBODY, chairs=frozenset({name})) for name in book.ruleset.chairs]
        self.viewers = [NOBODY, *(replace(viewer, chairs=frozenset()) for viewer in viewers)]
        self.known_comparisons = {
            viewer: find_known_part(book, shown_comparison, viewer) for viewer in (*self.viewers, *self.chair_viewers)
        }
        self.rows_by_number = {row.number: row for row in shown_comparison.comparison.rows}

    def find_audience(self, finding: Finding) -> Audience:
        """Return who may know of the finding. None means everybody. If all game masters may know of it, they are named
        as `gm`. The holder of a chair is named by the chair.
        """
        if self._may_know(NOBODY, finding):
            return None
        informed_viewers = [viewer for viewer in self.viewers[1:] if self._may_know(viewer, finding)]
        gm_viewers = [viewer for viewer in self.viewers[1:] if viewer.role == "gm"]
        are_all_gms_informed = bool(gm_viewers) and all(viewer in informed_viewers for viewer in gm_viewers)
        seat_ids = [viewer.seat for viewer in informed_viewers if not (are_all_gms_informed and viewer.role == "gm")]
        chair_names = [
            f"chair:{name}"
            for viewer in self.chair_viewers
            if self._may_know(viewer, finding)
            for name in viewer.chairs
        ]
        return (*(("gm",) if are_all_gms_informed else ()), *chair_names, *seat_ids)

    def _may_know(self, viewer: Viewer, finding: Finding) -> bool:
        recorded_rulings = self.history.recorded_rulings
        for number in (finding.cause, finding.ruling):
            if number and number in recorded_rulings and not may_know(viewer, recorded_rulings[number]):
                return False
        if finding.kind in OTHERWISE and finding.ruling is not None:
            known_comparison = self.known_comparisons[viewer]
            is_resting = known_comparison is not None and finding.ruling in known_comparison.resting_numbers
            may_know_ruling = not is_resting and _is_declared_to(viewer, self.history, finding.ruling)
            return may_know_ruling and viewer.may_see(self.rows_by_number[finding.ruling].find_audience())
        if not may_know_whether_fact_fits(self.known_comparisons[viewer], finding):
            return False
        if finding.kind == "overdrawn" and finding.subject is not None:
            hidden_audiences = self.book.load_stream(parse_subject(finding.subject)).audiences_by_account.get(
                finding.account or "", ()
            )
            return all(map(viewer.may_see, hidden_audiences))
        return viewer.may_see(self._find_fact_audience(finding))

    def _find_fact_audience(self, finding: Finding) -> Audience:
        """Return the audience of the finding's fact."""
        *_, step = _identify_fact(finding)
        bodies = [body for _, body in self.history.facts.get(finding.ruling or 0, ()) if body.step == step]
        return bodies[-1].audience if bodies else None
