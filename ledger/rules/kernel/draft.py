"""The draft of a verdict, in which a rule records its results and reads the current states."""

from __future__ import annotations

from copy import copy
from typing import ClassVar, Generic, Self, TypeVar

from ledger.rules.kernel.contract import About, Posting, State, Step, Table, Verdict
from ledger.rules.kernel.fold import Fold
from ledger.rules.kernel.refusals import Refused, RuleId
from ledger.rules.kernel.subjects import CAMPAIGN, Audience, Subject, character, seat

D = TypeVar("D")
S = TypeVar("S", bound=State)
F = TypeVar("F")
T = TypeVar("T", bound=State)


class Draft(Generic[D, S, F]):
    """Collects facts, their transfers, and the steps that led to them. States read afterwards include these facts.

    A game derives its own class, `class Draft(BaseDraft[Dials, State, Fact])`, with helper functions for its rules.
    """

    #: `assembling.ruleset` sets this.
    fold: ClassVar[Fold]

    def __init__(self, table: Table[D]) -> None:
        self.table = table
        #: Who may know of the ruling. None means everybody.
        self.audience: Audience = None
        self._facts: list[About[F]] = []
        self._because: list[Step] = []
        self._recorded_balances: dict[str, int] = {}
        self._moved_amounts: dict[str, int] = {}
        self._states: dict[Subject, State] = {}
        self._new_facts: dict[Subject, list[F]] = {}  # recorded in this draft, but not read yet

    @property
    def dials(self) -> D:
        """Return the options in force."""
        return self.table.dials

    # --- writing ------------------------------------------------------------------------------------------------------

    def tell(self, subject: Subject, fact: F, *movements: Posting | None, audience: Audience = None) -> None:
        """Record a fact about a subject. `movements`: its transfers, if any. `audience`: who may see it."""
        postings = tuple(posting for posting in movements if posting is not None) if movements else ()
        self._facts.append(About(subject, fact, postings, audience))
        self._new_facts.setdefault(subject, []).append(fact)
        amounts = self._moved_amounts
        for posting in postings:
            amounts[posting.source] = amounts.get(posting.source, 0) - posting.amount
            amounts[posting.target] = amounts.get(posting.target, 0) + posting.amount

    def about(self, id: str, fact: F, *moved: Posting | None, audience: Audience = None) -> None:
        """Record a fact about a character."""
        self.tell(character(id), fact, *moved, audience=audience)

    def of(self, id: str, fact: F, *moved: Posting | None, audience: Audience = None) -> None:
        """Record a fact about a seat."""
        self.tell(seat(id), fact, *moved, audience=audience)

    def here(self, fact: F, *moved: Posting | None, audience: Audience = None) -> None:
        """Record a fact about the scene of the declaration."""
        self.tell(self.place(), fact, *moved, audience=audience)

    def campaign_wide(self, fact: F, *moved: Posting | None, audience: Audience = None) -> None:
        """Record a fact about the campaign."""
        self.tell(CAMPAIGN, fact, *moved, audience=audience)

    def by(self, rule: RuleId, out: object, /, audience: Audience = None, **given: object) -> None:
        """Record a step of the derivation: the rule, the result, and its inputs by name."""
        self._because.append(Step(rule, given, out, audience))

    def make_verdict(self) -> Verdict[F]:
        """Return the verdict with everything recorded."""
        return Verdict(tuple(self._facts), tuple(self._because), self.audience)

    def aside(self) -> Self:
        """Return a copy of the draft that does not note what is read. Use it for what a question only shows."""
        draft = copy(self)
        draft.table = self.table.aside()
        draft._facts, draft._because = [*self._facts], [*self._because]
        draft._states, draft._moved_amounts, draft._recorded_balances = (
            {**self._states},
            {**self._moved_amounts},
            {**self._recorded_balances},
        )
        draft._new_facts = {subject: [*new_facts] for subject, new_facts in self._new_facts.items()}
        return draft

    # --- reading ------------------------------------------------------------------------------------------------------

    def begin(self, subject: Subject) -> None:
        """Begin a subject that this ruling creates, with a blank state."""
        self._states[subject] = self.fold.blank(subject.kind)

    def state(self, subject: Subject, kind: type[T]) -> T:
        """Return the subject's current state. Raise Refused `unknown-character`, `unknown-scene` or `unknown-seat` if
        it does not exist.
        """
        state = self._states.get(subject)
        if state is None:
            state = self._states[subject] = self.table.get(subject, kind)
        if subject in self._new_facts:
            for fact in self._new_facts.pop(subject):
                state = self.fold.apply(state, fact)
            self._states[subject] = state
        assert isinstance(state, kind), f"{subject} is not a {kind.__name__}"
        return state

    def place(self) -> Subject:
        """Return the scene of the declaration. Raise Refused `no-scene` if there is none."""
        if self.table.scene is None:
            raise Refused("ledger.scene", "no-scene")
        return self.table.scene

    def balance(self, account: str) -> int:
        """Return the current balance of an account."""
        recorded_balance = self._recorded_balances.get(account)
        if recorded_balance is None:
            recorded_balance = self._recorded_balances[account] = self.table.balance(account)
        return recorded_balance + self._moved_amounts.get(account, 0)
