"""A past as one viewer may know it: values that hidden facts changed are veiled."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from ledger.rules.kernel import facts, json_types
from ledger.rules.kernel.adjudication import Failed, Replayed
from ledger.rules.kernel.contract import Posting, Underway
from ledger.rules.kernel.fold import KERNEL_FACTS, Folded, Recorded
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.questions import Ask, Question
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Subject, Viewer
from ledger.rules.kernel.veils import VEIL, Veiled, VeilRemover, veil_changes
from ledger.rules.kernel.world import Past, PastRuling


class _Purse(dict[str, int]):
    """The balances of a subject. A balance that a hidden fact changed is veiled, unless everybody can work it out."""

    def __init__(self, real_fold: Folded[Any], counted_units: Collection[str]) -> None:
        self.real_fold = real_fold
        self.counted_units = counted_units
        self.hidden_accounts: set[str] = set()

    def hide_accounts_of(self, postings: Iterable[Posting]) -> None:
        accounts = {account for posting in postings for account in (posting.source, posting.target)}
        self.hidden_accounts |= {account for account in accounts if account.partition("/")[2] not in self.counted_units}

    def get(self, account: str, default: Any = None) -> Any:
        return VEIL if account in self.hidden_accounts else self.real_fold.purse.get(account, default)


class AsKnown:
    """A past as one viewer may know it. A table can use it as its `Subjects`.

    `counted_units`: the accounts whose balances everybody can work out, named without their owners. Leave it empty for
    a past that did not happen.
    """

    def __init__(self, past: Past, viewer: Viewer, counted_units: Collection[str] = ()) -> None:
        self.past = past
        self.viewer = viewer
        self.counted_units = counted_units
        self.shown_folds: dict[Subject, Folded[Any]] = {}
        self.remove_veils = VeilRemover()
        self.possibly_changed_subjects: set[Subject] = set()
        self.unsure_facts: set[tuple[str, int, int]] = set()
        self._has_met_veil = False

    def branch(self) -> AsKnown:
        """Return a copy that can continue separately."""
        branch = AsKnown(
            self.past.branch(self.past.revisions, self.past.fixed_options), self.viewer, self.counted_units
        )
        branch.remove_veils, branch.possibly_changed_subjects, branch.unsure_facts = (
            self.remove_veils,
            set(self.possibly_changed_subjects),
            set(self.unsure_facts),
        )
        for subject, shown_fold in self.shown_folds.items():
            assert isinstance(shown_fold.purse, _Purse)
            copy = branch.shown_folds[subject] = shown_fold.copy()
            copy.purse = purse = _Purse(branch.past.told(subject), self.counted_units)
            purse.hidden_accounts = set(shown_fold.purse.hidden_accounts)
        return branch

    def find(self, subject: Subject) -> Folded[Any] | None:
        real_fold = self.past.find(subject)
        shown_fold = self.shown_folds.get(subject)
        if real_fold is not None and shown_fold is not None:
            self._has_met_veil = True
            shown_fold.entry = real_fold.entry
            return shown_fold
        return real_fold

    def seats(self) -> Sequence[Subject]:
        return self.past.seats()

    def cited(self, number: int) -> Sequence[tuple[Subject, Recorded]]:
        cited_facts = self.past.cited(number)
        if not all(self.viewer.may_see(record.audience) for _, record in cited_facts):
            raise Veiled
        return cited_facts

    def tell(
        self,
        facts: Iterable[tuple[Subject, Recorded]],
        *,
        all_hidden: bool = False,
        possibly_affected: Collection[Subject] = (),
    ) -> None:
        """Add those facts that stand in this past.

        `all_hidden`: treat all facts as hidden, whatever their audience. `possibly_affected`: subjects that hidden
        facts may have affected (`Ruleset.bears_on`).
        """
        for subject, record in facts:
            if self.past.revisions.get(record.ruling, 0) == record.revision:
                is_secret = all_hidden or not self.viewer.may_see(record.audience)
                fold_before = self.past.told(subject).copy() if is_secret or subject in self.shown_folds else None
                self.past.tell(((subject, record),))
                if fold_before is not None:
                    self._apply_to_shown(subject, record, fold_before, is_secret=is_secret)
                if is_secret and subject in possibly_affected:
                    self._veil_possible_changes(subject, record)

    def _apply_to_shown(self, subject: Subject, record: Recorded, fold_before: Folded[Any], *, is_secret: bool) -> None:
        real_fold = self.past.folded[subject]
        shown_fold = self.shown_folds.get(subject)
        if shown_fold is None:
            shown_fold = self.shown_folds[subject] = fold_before
            shown_fold.purse = _Purse(real_fold, self.counted_units)
        assert isinstance(shown_fold.purse, _Purse)
        if is_secret:
            shown_fold.purse.hide_accounts_of(record.postings)
        try:
            shown_fold.state = (
                _hide_changes(shown_fold.state, fold_before, real_fold, record)
                if is_secret
                else _apply_seen_fact(shown_fold, record, self.remove_veils)
            )
        except Veiled:
            self.unsure_facts.add((str(subject), record.ruling, record.step))
            shown_fold.state = veil_changes(fold_before.state, real_fold.state, shown_fold.state, record.ruling)

    def _veil_possible_changes(self, subject: Subject, record: Recorded) -> None:
        """Veil the values that the fact may change, even if it does not change them."""
        names = self.ruleset.bears_on.get(type(record.fact), ())
        shown_fold = self.shown_folds[subject]
        if names and shown_fold.state is not VEIL:
            shown_fold.state = changed(shown_fold.state, **dict.fromkeys(names, VEIL))
            self.possibly_changed_subjects.add(subject)

    def is_affected_alike(self, now: AsKnown, subject: Subject) -> bool:
        """Return whether hidden facts affect the subject in the same way in both pasts. Only the fields in
        `Ruleset.bears_on` are compared.
        """
        own_state, state_now = self.past.told(subject).state, now.past.told(subject).state
        names = {name for group in self.ruleset.bears_on.values() for name in group if hasattr(own_state, name)}
        return subject not in self.possibly_changed_subjects and all(
            getattr(own_state, name) == getattr(state_now, name) for name in names
        )

    def rests_on_hidden(self, ruling: PastRuling) -> bool:
        """Return whether the ruling depends on something hidden from the viewer, or asks a hidden question."""
        replayed = self.replay(ruling)
        if replayed is None:
            return True
        questions = [question for question, _ in replayed.answered]
        questions += [question] if (question := getattr(replayed.outcome, "question", None)) is not None else []
        return not all(may_know_question(self.viewer, question) for question in questions)

    def replay(
        self, ruling: PastRuling, underway: Callable[[], tuple[Underway, ...]] = tuple, *, twice: bool = False
    ) -> Replayed | None:
        """Return the outcome of the ruling, or None if it depends on something hidden from the viewer.

        `twice`: always replay the ruling twice, so that the time taken reveals nothing.
        """
        self._has_met_veil = False
        try:
            replayed = _replay(self, ruling, underway)
            if isinstance(replayed.outcome, Failed):  # rules without a defect fail only because of a veil
                return None
            repr(getattr(replayed.outcome, "context", replayed.outcome))  # it may contain a veil that no rule looked at
            bare_replayed = (
                _replay(_KnownWithoutVeils(self), ruling, underway) if twice or self._has_met_veil else replayed
            )
            if not _is_alike(replayed.outcome, bare_replayed.outcome):
                return None
        except Veiled:
            return None
        return replayed

    @property
    def ruleset(self) -> Any:
        return self.past.ruleset


def may_know_question(viewer: Viewer, question: Question) -> bool:
    """Return whether the viewer is in the question's audience, or is the seat asked."""
    return viewer.may_see(question.audience) or (isinstance(question, Ask) and question.seat == viewer.seat)


class _KnownWithoutVeils:
    """The known part of a past, with None in place of each veil in a state."""

    def __init__(self, known: AsKnown) -> None:
        self.known = known
        self.ruleset = known.ruleset

    def find(self, subject: Subject) -> Folded[Any] | None:
        folded = self.known.find(subject)
        if folded is None or subject not in self.known.shown_folds:
            return folded
        bare_fold: Folded[Any] = folded.copy()
        bare_fold.state, bare_fold.purse = self.known.remove_veils(folded.state), folded.purse
        return bare_fold

    def seats(self) -> Sequence[Subject]:
        return self.known.seats()

    def cited(self, number: int) -> Sequence[tuple[Subject, Recorded]]:
        return self.known.cited(number)


def _replay(subjects: Any, ruling: PastRuling, underway: Callable[[], tuple[Underway, ...]]) -> Replayed:
    return Past.replay(subjects, ruling, underway)[0]


def _is_alike(left: Any, right: Any) -> bool:
    if isinstance(left, Refused):
        return left.same_as(right) and left.context == right.context
    return bool(left == right)


def _hide_changes(shown_state: Any, fold_before: Folded[Any], real_fold: Folded[Any], record: Recorded) -> Any:
    if isinstance(record.fact, facts.Amended):  # always veil it: a shown value would reveal that it is unchanged
        return changed(shown_state, **{json_types.split_pointer(record.fact.field)[0]: VEIL})
    return veil_changes(fold_before.state, real_fold.state, shown_state, record.ruling)


def _apply_seen_fact(shown_fold: Folded[Any], record: Recorded, remove_veils: VeilRemover) -> Any:
    if isinstance(record.fact, facts.Amended):
        try:
            return json_types.replace_at(shown_fold.state, record.fact.field, record.fact.value)
        except json_types.Misshapen:
            return shown_fold.state
    if type(record.fact) in KERNEL_FACTS:
        return shown_fold.state
    try:
        state_after = shown_fold.ruleset.apply(shown_fold.state, record.fact)
        state_without_veils, state_from_bare = (
            remove_veils(state_after),
            shown_fold.ruleset.apply(remove_veils(shown_fold.state), record.fact),
        )
    except Exception:  # noqa: BLE001  (a game can raise anything on a veil, or on None in its place)
        raise Veiled from None
    if len(state_after.adrift) != len(state_from_bare.adrift):
        raise Veiled
    return (
        state_after
        if state_from_bare == state_without_veils
        else veil_changes(state_without_veils, state_from_bare, state_after, record.ruling)
    )
