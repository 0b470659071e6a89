"""Find the rulings that depend on something the viewer may not know.

Each past is folded a second time with a veil over everything that a hidden fact changed. A ruling is adjudicated on
this veiled past. If it looks behind a veil, the viewer learns nothing about its result, whatever the hidden value is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ledger.rules.kernel.as_known import AsKnown
from ledger.rules.kernel.citations import name_citation
from ledger.rules.kernel.comparison import Known, Other
from ledger.rules.kernel.fold import Recorded
from ledger.rules.kernel.purses import list_owners
from ledger.rules.kernel.standing import Standing
from ledger.rules.kernel.subjects import CAMPAIGN, Subject, Viewer
from ledger.rules.kernel.world import Past, PastRuling, Revision

#: The names of the campaign and of the parts of its entry, as they appear in a ruling's reads.
NAMES_OF_CAMPAIGN = frozenset({"campaign", "dials", "session", "characters", "scenes"})


def find_known_comparison(
    beginning: Callable[[], Past],
    rulings: Iterable[PastRuling],
    now: Standing,
    other: Other,
    rerulings: Iterable[Revision] | None,
    viewer: Viewer,
    is_declaration_hidden: Callable[[int], bool],
    resting_now: dict[int, bool],
) -> Known:
    """Return what the viewer may know about a comparison.

    - `beginning`: the campaign before its first ruling.
    - `is_declaration_hidden`: returns whether a ruling's declaration is hidden from the viewer.
    - `rerulings`: the rulings that are ruled again or recounted in the other past, or None if they are unknown.
    - `resting_now`: for each ruling already checked, whether it depends on something hidden in the current past. This
      function adds to it.
    """
    known_now, known_then = AsKnown(beginning(), viewer), AsKnown(beginning(), viewer)
    known_now.past, known_then.past = (
        known_now.past.branch(now),
        known_then.past.branch(other.standing, other.fixed_options),
    )
    walk = _Walk(known_now, known_then, other, rerulings, is_declaration_hidden, resting_now)
    for ruling in rulings:
        walk.visit(ruling)
    return Known(
        frozenset(walk.resting_numbers),
        frozenset(walk.uncertain_numbers),
        frozenset(walk.touched_names),
        known_then.shown_folds,
        frozenset(known_then.possibly_changed_subjects),
        frozenset(known_now.unsure_facts | known_then.unsure_facts),
    )


class _Walk:
    def __init__(
        self,
        now: AsKnown,
        then: AsKnown,
        other: Other,
        rerulings: Iterable[Revision] | None,
        is_declaration_hidden: Callable[[int], bool],
        resting_now: dict[int, bool],
    ) -> None:
        self.resting_now = resting_now
        self.now, self.then = now, then
        self.other = other
        self.is_declaration_hidden = is_declaration_hidden
        self.recounts = other.counts and rerulings is None
        self.rerulings = {revision.number: revision for revision in rerulings or ()}
        self.touched_names = set(NAMES_OF_CAMPAIGN) if other.fixed_options else set[str]()
        self.differs_anywhere = False
        self.resting_numbers: set[int] = set()
        self.uncertain_numbers: set[int] = set()

    def visit(self, ruling: PastRuling) -> None:
        self.now.tell(ruling.before)
        self.then.tell(ruling.before)
        number, past = ruling.number, self.then.past
        revision: Revision | None = (
            self.other.revised.get(number) or self.rerulings.get(number) or self._recount(ruling)
        )
        if self._may_come_out_differently(ruling):
            self.uncertain_numbers.add(number)
            if self._rests_on_hidden_facts(ruling):
                self.resting_numbers.add(number)
        is_hidden = number in self.resting_numbers
        may_be_recounted = self._may_be_recounted(ruling)
        if revision is not None:
            past.revisions[number] = revision.revision
        facts = ruling.facts if revision is None else revision.facts
        is_ruled_again = revision is not None and not revision.counted
        subjects = {subject for subject, _ in facts}
        affected_subjects = {
            subject for subject in subjects if is_ruled_again or not self.then.is_affected_alike(self.now, subject)
        }
        self.now.tell(ruling.facts)
        self.then.tell(facts, all_hidden=is_hidden and is_ruled_again, possibly_affected=affected_subjects)
        is_different = not self._is_same_in_both(number)
        # the subjects of a hidden declaration are hidden, too
        self.differs_anywhere |= is_different and self.is_declaration_hidden(number)
        if revision is not None or may_be_recounted or (is_hidden and self.other.rerule) or is_different:
            self.touched_names.add(name_citation(number))
            self._note_touched_names((*ruling.facts, *(revision.facts if revision is not None else ())))

    def _recount(self, ruling: PastRuling) -> Revision | None:
        """Return the recounted revision of the ruling in the other past, or None."""
        if not self.recounts or not self.then.past.stands(ruling.number):
            return None
        is_touched = any(str(subject) in self.touched_names for subject, _ in ruling.facts)
        is_reinstated = not self.now.past.stands(ruling.number)
        return self.then.past.recount(ruling) if is_touched or is_reinstated else None

    def _may_be_recounted(self, ruling: PastRuling) -> bool:
        """Return whether a hidden fact may cause a recount of the ruling."""
        ruleset = self.then.ruleset
        if not self.other.counts or not ruleset.derived or not self.then.past.stands(ruling.number):
            return False
        subjects = {subject for subject, _ in ruling.facts}
        return any(not self.then.is_affected_alike(self.now, subject) for subject in subjects)

    def _may_come_out_differently(self, ruling: PastRuling) -> bool:
        number = ruling.number
        if not self.then.past.stands(number) or number in self.other.revised:
            return False
        is_reinstated = not self.now.past.stands(number)
        return is_reinstated or self.differs_anywhere or not self.touched_names.isdisjoint(ruling.reads)

    def _rests_on_hidden_facts(self, ruling: PastRuling) -> bool:
        number = ruling.number
        if number not in self.resting_now:
            self.resting_now[number] = self.is_declaration_hidden(number) or self.now.rests_on_hidden(ruling)
        return self.resting_now[number] or self.then.rests_on_hidden(ruling)

    def _is_same_in_both(self, number: int) -> bool:
        return self.now.past.revisions.get(number, 0) == self.then.past.revisions.get(number, 0)

    def _note_touched_names(self, facts: Iterable[tuple[Subject, Recorded]]) -> None:
        for subject, record in facts:
            touched_subjects = [subject, *list_owners(record.postings)]
            self.touched_names |= set(map(str, touched_subjects))
            if CAMPAIGN in touched_subjects:
                self.touched_names |= NAMES_OF_CAMPAIGN
