"""A past as one viewer may know it: whatever hidden facts changed is veiled. Pure."""

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
    """Balances, except those that hidden facts moved and not everybody can count."""

    def __init__(self, real: Folded[Any], counted: Collection[str]) -> None:
        self.real = real
        self.counted = counted
        self.hidden: set[str] = set()

    def hide(self, postings: Iterable[Posting]) -> None:
        moved = {account for posting in postings for account in (posting.source, posting.target)}
        self.hidden |= {account for account in moved if account.partition("/")[2] not in self.counted}

    def get(self, account: str, default: Any = None) -> Any:
        return VEIL if account in self.hidden else self.real.purse.get(account, default)


class AsKnown:
    """A past as one viewer may know it, built along with the past itself. Serves as `Subjects` of a table.

    `counted`: the parts of account names, behind the owner, whose balances everybody can count. Empty for another past:
    nobody has seen the balances there.
    """

    def __init__(self, past: Past, viewer: Viewer, counted: Collection[str] = ()) -> None:
        self.past = past
        self.viewer = viewer
        self.counted = counted
        self.shown: dict[Subject, Folded[Any]] = {}
        self.without_veils = VeilRemover()
        self.posted: set[Subject] = set()
        self.unsure: set[tuple[str, int, int]] = set()
        self._found_veiled = False

    def branch(self) -> AsKnown:
        """Return a copy that can continue on its own."""
        branch = AsKnown(self.past.branch(self.past.revisions, self.past.fixed_options), self.viewer, self.counted)
        branch.without_veils, branch.posted, branch.unsure = self.without_veils, set(self.posted), set(self.unsure)
        for subject, shown in self.shown.items():
            assert isinstance(shown.purse, _Purse)
            copy = branch.shown[subject] = shown.copy()
            copy.purse = purse = _Purse(branch.past.told(subject), self.counted)
            purse.hidden = set(shown.purse.hidden)
        return branch

    def find(self, subject: Subject) -> Folded[Any] | None:
        real = self.past.find(subject)
        shown = self.shown.get(subject)
        if real is not None and shown is not None:
            self._found_veiled = True
            shown.entry = real.entry
            return shown
        return real

    def seats(self) -> Sequence[Subject]:
        return self.past.seats()

    def cited(self, number: int) -> Sequence[tuple[Subject, Recorded]]:
        cited = self.past.cited(number)
        if not all(self.viewer.may_see(record.audience) for _, record in cited):
            raise Veiled
        return cited

    def tell(
        self,
        facts: Iterable[tuple[Subject, Recorded]],
        *,
        hidden: bool = False,
        otherwise: Collection[Subject] = (),
    ) -> None:
        """Add the facts that stand in the past. `hidden`: all of them are hidden, whatever their audience.

        `otherwise`: subjects that hidden facts may affect here in a way nobody saw (`Ruleset.bears_on`).
        """
        for subject, record in facts:
            if self.past.revisions.get(record.ruling, 0) == record.revision:
                is_secret = hidden or not self.viewer.may_see(record.audience)
                before = self.past.told(subject).copy() if is_secret or subject in self.shown else None
                self.past.tell(((subject, record),))
                if before is not None:
                    self._apply_to_shown(subject, record, before, secret=is_secret)
                if is_secret and subject in otherwise:
                    self._veil_possible_changes(subject, record)

    def _apply_to_shown(self, subject: Subject, record: Recorded, before: Folded[Any], *, secret: bool) -> None:
        real = self.past.folded[subject]
        shown = self.shown.get(subject)
        if shown is None:
            shown = self.shown[subject] = before
            shown.purse = _Purse(real, self.counted)
        assert isinstance(shown.purse, _Purse)
        if secret:
            shown.purse.hide(record.postings)
        try:
            shown.state = (
                _hide_changes(shown.state, before, real, record)
                if secret
                else _apply_open(shown, record, self.without_veils)
            )
        except Veiled:
            self.unsure.add((str(subject), record.ruling, record.step))
            shown.state = veil_changes(before.state, real.state, shown.state, record.ruling)

    def _veil_possible_changes(self, subject: Subject, record: Recorded) -> None:
        """Veil what the fact may change, whether or not it does, and the balances that it moves."""
        names = self.ruleset.bears_on.get(type(record.fact), ())
        shown = self.shown[subject]
        if names and shown.state is not VEIL:
            shown.state = changed(shown.state, **dict.fromkeys(names, VEIL))
            self.posted.add(subject)

    def is_affected_alike(self, now: AsKnown, subject: Subject) -> bool:
        """Return whether hidden facts changed the subject here, visibly to all, as they changed it now."""
        own_state, state_now = self.past.told(subject).state, now.past.told(subject).state
        names = {name for group in self.ruleset.bears_on.values() for name in group if hasattr(own_state, name)}
        return subject not in self.posted and all(
            getattr(own_state, name) == getattr(state_now, name) for name in names
        )

    def rests_on_hidden(self, ruling: PastRuling) -> bool:
        """Return whether the ruling rests on something the viewer may not know, or asks something they may not hear."""
        replayed = self.replay(ruling)
        if replayed is None:
            return True
        questions = [question for question, _ in replayed.answered]
        questions += [question] if (question := getattr(replayed.outcome, "question", None)) is not None else []
        return not all(may_know_question(self.viewer, question) for question in questions)

    def replay(
        self, ruling: PastRuling, underway: Callable[[], tuple[Underway, ...]] = tuple, *, twice: bool = False
    ) -> Replayed | None:
        """Return the outcome of the ruling; None if it depends on something the viewer may not know.

        `twice`: replay it a second time even if nothing hidden was found, so that the time taken reveals nothing.
        """
        self._found_veiled = False
        try:
            replayed = _replay(self, ruling, underway)
            if isinstance(replayed.outcome, Failed):  # sound rules fail only on a veil
                return None
            repr(getattr(replayed.outcome, "context", replayed.outcome))  # it may contain a veil that nothing looked at
            bare = _replay(_KnownWithoutVeils(self), ruling, underway) if twice or self._found_veiled else replayed
            if not _is_alike(replayed.outcome, bare.outcome):
                return None
        except Veiled:
            return None
        return replayed

    @property
    def ruleset(self) -> Any:
        return self.past.ruleset


def may_know_question(viewer: Viewer, question: Question) -> bool:
    """Return whether the viewer is in the audience or is the one asked."""
    return viewer.may_see(question.audience) or (isinstance(question, Ask) and question.seat == viewer.seat)


class _KnownWithoutVeils:
    """What is known, with hidden values left empty."""

    def __init__(self, known: AsKnown) -> None:
        self.known = known
        self.ruleset = known.ruleset

    def find(self, subject: Subject) -> Folded[Any] | None:
        folded = self.known.find(subject)
        if folded is None or subject not in self.known.shown:
            return folded
        bare: Folded[Any] = folded.copy()
        bare.state, bare.purse = self.known.without_veils(folded.state), folded.purse
        return bare

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


def _hide_changes(shown: Any, before: Folded[Any], real: Folded[Any], record: Recorded) -> Any:
    if isinstance(record.fact, facts.Amended):  # whatever the value: it may be the one there before
        return changed(shown, **{json_types.split_pointer(record.fact.field)[0]: VEIL})
    return veil_changes(before.state, real.state, shown, record.ruling)


def _apply_open(shown: Folded[Any], record: Recorded, bare: VeilRemover) -> Any:
    if isinstance(record.fact, facts.Amended):
        try:
            return json_types.replace_at(shown.state, record.fact.field, record.fact.value)
        except json_types.Misshapen:
            return shown.state
    if type(record.fact) in KERNEL_FACTS:
        return shown.state
    try:
        after = shown.ruleset.apply(shown.state, record.fact)
        bare_after, after_bare = bare(after), shown.ruleset.apply(bare(shown.state), record.fact)
    except Exception:  # noqa: BLE001  (what is made of a veil, or of nothing where something always was)
        raise Veiled from None
    if len(after.adrift) != len(after_bare.adrift):
        raise Veiled
    return after if after_bare == bare_after else veil_changes(bare_after, after_bare, after, record.ruling)
