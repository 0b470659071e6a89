"""The fold: compute the state of a subject from its standing facts.

Facts are folded in the order of play (place, step), never in the order of storage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import wraps
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, cast

from ledger.rules.kernel import facts, json_types, purses, register
from ledger.rules.kernel.citations import is_citable, list_citations, list_citing_fields
from ledger.rules.kernel.contract import AnyRuleset, Posting, State
from ledger.rules.kernel.failures import describe_failure_wordlessly
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.standing import Standing, list_standing_facts
from ledger.rules.kernel.subjects import Audience, Subject, SubjectKind
from ledger.rules.kernel.upcasting import upcast_dials

S = TypeVar("S")
#: A function that returns the state after a fact, or None if the fact does not fit.
Change: TypeAlias = Callable[[Any, Any], Any]
KERNEL_FACTS = frozenset(facts.FACTS)
#: Facts that only move amounts.
MOVING = frozenset({facts.Leg, facts.Adjusted})
#: Facts that set options.
DIALLED = frozenset({facts.CampaignOpened, facts.DialSet})


class Recorded(Protocol):
    """A recorded fact, with its place in the fold and its transfers. `after`: the ruling that a late entry follows in
    play, else 0.
    """

    @property
    def ruling(self) -> int: ...
    @property
    def step(self) -> int: ...
    @property
    def revision(self) -> int: ...
    @property
    def after(self) -> int: ...
    @property
    def fact(self) -> Any: ...
    @property
    def postings(self) -> tuple[Posting, ...]: ...
    @property
    def audience(self) -> Audience: ...


class Fold:
    """The fold of a game's states: its `blank`, and the functions that apply facts.

    `state_classes`: the class of states for each kind of subject. `changes`: by class of state and class of fact, the
    function that returns the next state. It returns None if the fact does not fit, and the fact then goes adrift.
    """

    def __init__(
        self,
        state_classes: Mapping[SubjectKind, type[State]],
        changes: Mapping[type[State], Mapping[type[Any], Change]],
    ) -> None:
        self.blanks = dict(state_classes)
        self.changes = {state_class: dict(changes.get(state_class, {})) for state_class in self.blanks.values()}

    def blank(self, kind: SubjectKind) -> Any:
        """Return the state of a subject without facts."""
        return self.blanks[kind]()

    def apply(self, state: Any, fact: object) -> Any:
        """Return the state after the fact. A fact that does not fit is added to `adrift`."""
        change = self.changes[type(state)].get(type(fact))
        state_after = change(state, fact) if change is not None else None
        return state_after if state_after is not None else changed(state, adrift=(*state.adrift, fact))


def keep_unchanged(state: S, fact: object) -> S:
    """Return the state unchanged, for a fact that only moves amounts or only states something."""
    return state


class Creatable(Protocol):
    """A state that a fact must create before other facts can change it."""

    @property
    def is_created(self) -> bool: ...


C = TypeVar("C", bound=Creatable)
F = TypeVar("F")


def once_created(change: Callable[[C, F], C | None]) -> Callable[[C, F], C | None]:
    """Return a change that applies only to a created state. For other states, the fact goes adrift."""

    @wraps(change)
    def change_created(state: C, fact: F) -> C | None:
        return change(state, fact) if state.is_created else None

    return change_created


class Broken(NamedTuple):
    """A fact for which the game's fold raised an error: its place, and the error. The state stays as it was before."""

    ruling: int
    step: int
    why: str


class Folded(Generic[S]):
    """A subject folded from its standing facts: the kernel's entry, the game's state, its purse.

    It changes in place, fact by fact; the state and the entry are frozen.

    - `adrift`: places (ruling, step) of facts that did not fit.
    - `broken_facts`: the facts in `adrift` for which the game's fold raised an error. No ruling can use such a state.
    - `citation_counts`: how many facts cite each ruling, by the ruling's number.
    - `citable_facts`: by ruling, the facts that everybody may see and a declaration can cite.
    - `audiences_by_account`: by account, the audiences of its hidden movements.
    """

    __slots__ = (
        "_prefix",
        "_states_ahead",
        "adrift",
        "audiences_by_account",
        "broken_facts",
        "citable_facts",
        "citation_counts",
        "entry",
        "purse",
        "ruleset",
        "state",
        "subject",
    )

    def __init__(self, ruleset: AnyRuleset, subject: Subject) -> None:
        self.ruleset = ruleset
        self.subject = subject
        self._prefix = f"{subject}/"
        self.entry: register.Entry | None = None
        self.state: S = ruleset.blank(subject.kind)
        self.purse: dict[str, int] = {}
        self.adrift: list[tuple[int, int]] = []
        self.broken_facts: list[Broken] = []
        self._states_ahead: dict[int, tuple[object, object, Any]] | None = None
        self.citation_counts: dict[str, int] = {}
        self.citable_facts: dict[int, tuple[object, ...]] = {}
        self.audiences_by_account: dict[str, tuple[Audience, ...]] = {}

    def copy(self) -> Folded[S]:
        copy: Folded[S] = Folded.__new__(Folded)
        copy.ruleset, copy.subject, copy._prefix = self.ruleset, self.subject, self._prefix
        copy.entry, copy.state, copy.purse = self.entry, self.state, dict(self.purse)
        copy.adrift, copy.audiences_by_account = list(self.adrift), dict(self.audiences_by_account)
        copy.broken_facts, copy._states_ahead = list(self.broken_facts), None
        copy.citation_counts, copy.citable_facts = dict(self.citation_counts), dict(self.citable_facts)
        return copy

    def copy_ahead(self) -> Folded[S]:
        """Return a copy for looking ahead. Facts folded in the copy need not be folded again in this subject."""
        copy = self.copy()
        if self._states_ahead is None:
            self._states_ahead = {}
        copy._states_ahead = self._states_ahead
        return copy

    def same_as(self, other: Folded[S]) -> bool:
        return (
            self.state == other.state
            and self.entry == other.entry
            and self.adrift == other.adrift
            and self.citation_counts == other.citation_counts
            and {account: amount for account, amount in self.purse.items() if amount}
            == {account: amount for account, amount in other.purse.items() if amount}
        )

    def apply_fact(self, record: Recorded) -> None:
        """Apply the next standing fact. It never raises an error: a fact that does not fit is noted in `adrift`."""
        fact = record.fact
        if type(fact) in KERNEL_FACTS:
            if not self._apply_kernel_fact(fact):
                self.adrift.append((record.ruling, record.step))
        else:
            self._apply_game_fact(record)
            if list_citing_fields(type(fact)):
                for number in list_citations(fact):
                    self.citation_counts[number] = self.citation_counts.get(number, 0) + 1
            if record.audience is None and is_citable(self.ruleset, fact):
                self.citable_facts[record.ruling] = (*self.citable_facts.get(record.ruling, ()), fact)
        if record.postings:
            purses.post(self.purse, self._prefix, record.postings)
            if record.audience is not None:
                for account in (name for posting in record.postings for name in (posting.source, posting.target)):
                    if record.audience not in self.audiences_by_account.get(account, ()):
                        self.audiences_by_account[account] = (
                            *self.audiences_by_account.get(account, ()),
                            record.audience,
                        )

    def _apply_game_fact(self, record: Recorded) -> None:
        state_before: Any = self.state
        try:
            state_after = self._fold_once(state_before, record.fact)
            is_adrift = state_after.adrift is not state_before.adrift and len(state_after.adrift) != len(
                state_before.adrift
            )
        except Exception as problem:  # noqa: BLE001  (the game's fold can raise anything)
            self.adrift.append((record.ruling, record.step))
            self.broken_facts.append(Broken(record.ruling, record.step, describe_failure_wordlessly(problem)))
            return
        if is_adrift:
            self.adrift.append((record.ruling, record.step))
        self.state = state_after

    def _fold_once(self, state: Any, fact: object) -> Any:
        """Return the state after the game's fact."""
        if self._states_ahead is None:
            return self.ruleset.apply(state, fact)
        cached_fold = self._states_ahead.get(id(fact))
        if cached_fold is None or cached_fold[0] is not state or cached_fold[1] is not fact:
            cached_fold = self._states_ahead[id(fact)] = (state, fact, self.ruleset.apply(state, fact))
        return cached_fold[2]

    def look_ahead(self, new_facts: Iterable[object]) -> S:
        """Return the state after these facts, without changing this subject. Raise whatever the game's fold raises."""
        state: Any = self.state
        if self._states_ahead is None:
            self._states_ahead = {}
        for fact in new_facts:
            if isinstance(fact, facts.Amended):
                with suppress(json_types.Misshapen):
                    state = json_types.replace_at(state, fact.field, fact.value)
            elif type(fact) not in KERNEL_FACTS:
                state = self._fold_once(state, fact)
                len(state.adrift)  # as `apply_fact` reads it
        return cast(S, state)

    def forget_states_ahead(self) -> None:
        """Forget the states that were folded ahead."""
        self._states_ahead = None

    def _apply_kernel_fact(self, fact: object) -> bool:
        if isinstance(fact, facts.Amended):
            try:
                self.state = json_types.replace_at(self.state, fact.field, fact.value)
            except json_types.Misshapen:
                return False
            return True
        if type(fact) in MOVING:
            return True
        entry = register.apply(self.entry, fact)
        if isinstance(entry, register.CampaignEntry) and type(fact) in DIALLED and self.ruleset.upcasters:
            dials, defaults = (upcast_dials(self.ruleset, options) for options in (entry.dials, entry.defaults))
            entry = changed(entry, dials=dials, defaults=defaults)
        if entry is not None:
            self.entry = entry
        return entry is not None

    def find_overdrawn_accounts(self) -> dict[str, int]:
        """Return the accounts below zero."""
        return {account: balance for account, balance in self.purse.items() if balance < 0}


def fold(ruleset: AnyRuleset, subject: Subject, facts: Iterable[Any], revisions: Standing) -> Folded[Any]:
    """Return a subject, folded from its standing facts."""
    folded: Folded[Any] = Folded(ruleset, subject)
    for record in list_standing_facts(facts, revisions):
        folded.apply_fact(record)
    return folded
