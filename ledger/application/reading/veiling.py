"""What a comparison may show to whom: which rulings rest on something hidden from a seat, and who may see a finding."""

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
from ledger.rules.kernel.purses import list_openly_counted_units, owner_of
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Audience, Subject, Viewer, parse_subject
from ledger.rules.kernel.veils import Veiled, replace_veils
from ledger.rules.kernel.world import Past, PastRuling, Revision

#: Findings that a ruling would come out differently.
OTHERWISE = ("changes", "loses support", "needs dice")
NOBODY = Viewer("", "observer")


def may_know(viewer: Viewer, ruling: Ruling) -> bool:
    """Return whether the seat may know of the ruling. Its declarer and its recorder always do."""
    return viewer.may_see(ruling.audience) or viewer.seat in (ruling.by, ruling.ruled.seat)


def find_resting_on_hidden(book: Book, shown: ShownComparison, viewer: Viewer) -> frozenset[int]:
    """Return the rulings of a comparison that are hidden from the viewer, because they rest on hidden values."""
    known = find_known_of_shown(book, shown, viewer)
    return known.resting_rulings if known is not None else frozenset()


def find_known_of_shown(book: Book, shown: ShownComparison, viewer: Viewer) -> Known | None:
    """Return what the viewer may know of a comparison. None: all of it."""
    if shown.other is None:
        return None
    if shown.known_to is not None and shown.known_to[0] == viewer:
        return shown.known_to[1]
    return find_known(book, viewer, shown.other, shown.comparison.reruled)


def hide_unknown_values(
    known: Known | None, subject: Subject, now: Folded[object] | None, then: Folded[object]
) -> Folded[object]:
    """Return the subject in another past. Values that rest there on something hidden are as they are now."""
    shown = known.then.get(subject) if known is not None else None
    if known is None or shown is None:
        return then
    limited = then.copy()
    present = now if now is not None else Folded(then.ruleset, subject)
    try:
        limited.state = replace_veils(shown.state, then.state, present.state)
    except Veiled:
        limited.state = present.state
    if subject in known.possibly_changed_subjects:
        limited.purse = dict(present.purse)
    return limited


def find_known(book: Book, viewer: Viewer, other: Other, reruled: Iterable[Revision] | None = None) -> Known | None:
    """Return what the viewer may know of how the present compares with the other past. None: all of it."""
    history = load_history(book)
    if not _is_anything_hidden(history, viewer):
        return None

    def is_undeclared(number: int) -> bool:
        return not _is_declared_to(viewer, history, number)

    return find_known_comparison(
        lambda: _load_beginning(book, history),
        history.rulings.values(),
        history.standing,
        other,
        reruled,
        viewer,
        is_undeclared,
        history.resting.setdefault(viewer, {}),
    )


def rests_on_hidden(book: Book, ruling: PastRuling, viewer: Viewer) -> bool:
    """Return whether a past ruling, at its place in play, rests on values hidden from the viewer."""
    history = load_history(book)
    if not _is_anything_hidden(history, viewer):
        return False
    known = _make_known_before(book, history, viewer, ruling.number)
    known.tell(ruling.before)
    return known.rests_on_hidden(ruling)


def load_known_now(book: Book, viewer: Viewer) -> AsKnown | None:
    """Return the campaign as it stands, as the viewer may know it. None: all of it."""
    history = load_history(book)
    if viewer not in history.known:
        known = None
        if _is_anything_hidden(history, viewer):
            known = _make_known_before(book, history, viewer, book.campaign.rulings + 1)
            known.tell(history.since)
        history.known[viewer] = known
    return history.known[viewer]


def make_known_to_all(book: Book, facts: Iterable[tuple[Subject, Recorded]]) -> AsKnown:
    """Return the campaign as everybody may know it, including these facts of a ruling not saved yet.

    It includes balances that everybody can count, though nobody saw what moved them.
    """
    history = load_history(book)
    if history.to_all is None:
        history.to_all = (0, AsKnown(_load_beginning(book, history), NOBODY, list_openly_counted_units(book.ruleset)))
    number, known = history.to_all
    history.to_all = None  # if this fails halfway, nothing is kept
    for later in range(number + 1, book.campaign.rulings + 1):
        known.tell((*history.rulings[later].before, *history.rulings[later].facts))
    history.to_all = (book.campaign.rulings, known)
    after = known.branch()
    after.tell(history.since)
    after.tell(facts)
    return after


def _make_known_before(book: Book, history: History, viewer: Viewer, number: int) -> AsKnown:
    known = AsKnown(_load_beginning(book, history), viewer)
    for ruling in history.rulings.values():
        if ruling.number < number:
            known.tell((*ruling.before, *ruling.facts))
    return known


def find_unsure_adrift(book: Book, viewer: Viewer) -> frozenset[tuple[str, int, int]]:
    """Return facts (subject, ruling, step) of which the viewer may not know whether they fit the state.

    Otherwise they would learn something hidden: for example, which card somebody drew and has since played. As things
    stand, and as they were first ruled.
    """
    history = load_history(book)
    if viewer not in history.unsure:
        unsure: set[tuple[str, int, int]] = set()
        for standing in (history.standing, {}) if _is_anything_hidden(history, viewer) else ():
            beginning = Past(book.ruleset, standing)
            beginning.tell(history.facts[0])
            known = AsKnown(beginning, viewer)
            for ruling in history.rulings.values():
                known.tell((*ruling.before, *ruling.facts))
            unsure |= known.unsure_facts
        history.unsure[viewer] = frozenset(unsure)
    return history.unsure[viewer]


def must_see_balance(book: Book, viewer: Viewer, do: Any) -> None:
    """Refuse an adjustment from an account whose balance the seat may not see: success would reveal the balance.

    NotYours if the seat sees that something moved it; else Refused `overdrawn`, as for an empty account.
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
    past = Past(book.ruleset, history.standing)
    past.tell(history.facts[0])
    return past


def _is_anything_hidden(history: History, viewer: Viewer) -> bool:
    """Return whether anything recorded or asked is hidden from the viewer: otherwise nothing rests on such."""
    return not all(map(viewer.may_see, history.audiences))


def _is_declared_to(viewer: Viewer, history: History, number: int) -> bool:
    """Return whether the viewer may know the declaration: it is as secret as everything recorded of it."""
    ruling = history.recorded[number]
    facts: list[Any] = [body for _, body in history.facts[number]]
    last = max((body.revision for body in facts), default=0)  # one that found no support has none
    latest = [body for body in facts if body.revision == last]
    is_own = viewer.seat == ruling.responsible_seat
    return is_own or (
        may_know(viewer, ruling) and (not latest or any(viewer.may_see(body.audience) for body in latest))
    )


# --- findings -----------------------------------------------------------------------------------------------------


def address_findings(book: Book, shown: ShownComparison, position: int) -> ShownComparison:
    """Return it with each finding addressed to those who may know it. No number counts anything hidden.

    Findings for everybody are numbered in order. The others have ids made from their matter.
    """
    if not shown.findings:
        return shown
    seats = [viewer for subject in book.seats() if (viewer := book.load_viewer(subject.id)) is not None]
    others = [finding for finding in shown.findings if finding.kind != HELD_TWICE]
    knowing = _Knowing(book, shown, seats) if others else None
    addressed = [
        replace(finding, audience=knowing.find_audience(finding))
        if knowing is not None and finding.kind != HELD_TWICE
        else finding
        for finding in shown.findings
    ]
    return replace(shown, findings=add_ids(addressed, position))


def add_ids(findings: Iterable[Finding], position: int) -> tuple[Finding, ...]:
    """Return the findings with their ids."""
    numbered: list[Finding] = []
    count = 0
    for finding in findings:
        count += finding.audience is None
        id = f"{position}-{count}" if finding.audience is None else f"{position}-{_make_mark(finding)}"
        numbered.append(replace(finding, id=id))
    return tuple(numbered)


def _make_mark(finding: Finding) -> str:
    matter = "\n".join(
        map(str, (finding.kind, finding.cause, finding.ruling, finding.subject, finding.account, finding.detail))
    )
    return "h" + hashlib.sha256(matter.encode()).hexdigest()[:12]


def _find_place(finding: Finding) -> tuple[str, int, int]:
    """Return subject, ruling and step of the fact that does not fit."""
    return finding.subject or "", finding.ruling or 0, int(finding.detail.rpartition(".")[2])


def may_be_found(known: Known | None, finding: Finding) -> bool:
    """Return whether the viewer may know whether the finding's fact fits."""
    return known is None or finding.kind != "adrift" or _find_place(finding) not in known.unsure_facts


class _Knowing:
    """Who may know which finding."""

    def __init__(self, book: Book, shown: ShownComparison, seats: Iterable[Viewer]) -> None:
        self.book = book
        self.history = load_history(book)
        self.chairs = [replace(NOBODY, chairs=frozenset({name})) for name in book.ruleset.chairs]
        self.viewers = [NOBODY, *(replace(viewer, chairs=frozenset()) for viewer in seats)]
        self.known = {viewer: find_known_of_shown(book, shown, viewer) for viewer in (*self.viewers, *self.chairs)}
        self.rows = {row.number: row for row in shown.comparison.rows}

    def find_audience(self, finding: Finding) -> Audience:
        """Return who may know of it. None: everybody. Game masters and chairs are named as such if all of them may."""
        if self._may_know(NOBODY, finding):
            return None
        informed = [viewer for viewer in self.viewers[1:] if self._may_know(viewer, finding)]
        masters = [viewer for viewer in self.viewers[1:] if viewer.role == "gm"]
        all_masters_informed = bool(masters) and all(viewer in informed for viewer in masters)
        seats = [viewer.seat for viewer in informed if not (all_masters_informed and viewer.role == "gm")]
        chairs = [
            f"chair:{name}" for viewer in self.chairs if self._may_know(viewer, finding) for name in viewer.chairs
        ]
        return (*(("gm",) if all_masters_informed else ()), *chairs, *seats)

    def _may_know(self, viewer: Viewer, finding: Finding) -> bool:
        recorded = self.history.recorded
        for number in (finding.cause, finding.ruling):
            if number and number in recorded and not may_know(viewer, recorded[number]):
                return False
        if finding.kind in OTHERWISE and finding.ruling is not None:
            known = self.known[viewer]
            is_resting = known is not None and finding.ruling in known.resting_rulings
            may_know_ruling = not is_resting and _is_declared_to(viewer, self.history, finding.ruling)
            return may_know_ruling and viewer.may_see(self.rows[finding.ruling].find_audience())
        if not may_be_found(self.known[viewer], finding):
            return False
        if finding.kind == "overdrawn" and finding.subject is not None:
            hidden = self.book.load_stream(parse_subject(finding.subject)).audiences_by_account.get(
                finding.account or "", ()
            )
            return all(map(viewer.may_see, hidden))
        return viewer.may_see(self._find_fact_audience(finding))

    def _find_fact_audience(self, finding: Finding) -> Audience:
        """Return the audience of the fact that does not fit."""
        *_, step = _find_place(finding)
        bodies = [body for _, body in self.history.facts.get(finding.ruling or 0, ()) if body.step == step]
        return bodies[-1].audience if bodies else None
