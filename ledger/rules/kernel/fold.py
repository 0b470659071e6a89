"""The fold: what a subject is by the facts that stand. Pure.

Facts fold by (ruling, step), never by the order in which they were stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from ledger.rules.kernel import facts, json_types, purses, register
from ledger.rules.kernel.citations import citations, citing_fields, is_citable
from ledger.rules.kernel.contract import AnyRuleset, Posting, State
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.standing import Standing, standing
from ledger.rules.kernel.subjects import Audience, Subject, SubjectKind
from ledger.rules.kernel.upcasting import upcast_dials

S = TypeVar("S")
#: The state after a fact; None where it finds no ground.
Change: TypeAlias = Callable[[Any, Any], Any]
KERNEL_FACTS = frozenset(facts.FACTS)
#: That only move something countable.
MOVING = frozenset({facts.Leg, facts.Adjusted})
#: That say how dials stand.
DIALLED = frozenset({facts.CampaignOpened, facts.DialSet})


class Recorded(Protocol):
    """A fact as it was recorded: its place in the fold, and what it moved."""

    @property
    def ruling(self) -> int: ...
    @property
    def step(self) -> int: ...
    @property
    def revision(self) -> int: ...
    @property
    def fact(self) -> Any: ...
    @property
    def postings(self) -> tuple[Posting, ...]: ...
    @property
    def audience(self) -> Audience: ...


class Fold:
    """What each fact changes of a game's states: its `blank` and its `apply`.

    `blanks`: for each kind of subject what its state begins as. `changes`: for each class of state, by class of fact,
    the function that gives the state after it, or None where the fact finds no ground there: then it goes `adrift`, as
    does one that the table does not have. Tables, and not one long `match`: the fold runs over all of a campaign.
    """

    def __init__(
        self, blanks: Mapping[SubjectKind, type[State]], changes: Mapping[type[State], Mapping[type[Any], Change]]
    ) -> None:
        self.blanks = dict(blanks)
        self.changes = {state: dict(changes.get(state, {})) for state in self.blanks.values()}

    def blank(self, kind: SubjectKind) -> Any:
        """The state of a subject of which nothing is told yet."""
        return self.blanks[kind]()

    def apply(self, state: Any, done: object) -> Any:
        """The state after the fact; total: the fact is in `adrift` when it finds no ground there."""
        change = self.changes[type(state)].get(type(done))
        after = change(state, done) if change is not None else None
        return after if after is not None else changed(state, adrift=(*state.adrift, done))


def unchanged(was: S, done: object) -> S:
    """The change of a fact that only moves something countable, or is testimony: the state is as it was."""
    return was


class Folded(Generic[S]):
    """A subject as its standing facts make it: the kernel's entry, the system's state, its purse.

    Changes in place, fact by fact; the state and the entry themselves are frozen. `adrift`: places (ruling, step) of
    facts that found no ground. `cites`: how many facts rest on which ruling, by its number. `citable`: by ruling, the
    facts for which a declaration can cite it, of those that everybody may see. `hidden`: accounts that something was
    moved in which is not for everybody, and for whom.
    """

    __slots__ = ("_prefix", "adrift", "citable", "cites", "entry", "hidden", "purse", "ruleset", "state", "subject")

    def __init__(self, ruleset: AnyRuleset, subject: Subject) -> None:
        self.ruleset = ruleset
        self.subject = subject
        self._prefix = f"{subject}/"
        self.entry: register.Entry | None = None
        self.state: S = ruleset.blank(subject.kind)
        self.purse: dict[str, int] = {}
        self.adrift: list[tuple[int, int]] = []
        self.cites: dict[str, int] = {}
        self.citable: dict[int, tuple[object, ...]] = {}
        self.hidden: dict[str, tuple[Audience, ...]] = {}

    def copy(self) -> Folded[S]:
        other: Folded[S] = Folded.__new__(Folded)
        other.ruleset, other.subject, other._prefix = self.ruleset, self.subject, self._prefix
        other.entry, other.state, other.purse = self.entry, self.state, dict(self.purse)
        other.adrift, other.hidden = list(self.adrift), dict(self.hidden)
        other.cites, other.citable = dict(self.cites), dict(self.citable)
        return other

    def same_as(self, other: Folded[S]) -> bool:
        return (
            self.state == other.state
            and self.entry == other.entry
            and self.adrift == other.adrift
            and self.cites == other.cites
            and {account: n for account, n in self.purse.items() if n}
            == {account: n for account, n in other.purse.items() if n}
        )

    def take(self, done: Recorded) -> None:
        """One standing fact, in its turn. Total: whatever finds no ground is noted in `adrift`."""
        fact = done.fact
        if type(fact) in KERNEL_FACTS:
            if not self._keep(fact):
                self.adrift.append((done.ruling, done.step))
        else:
            before: Any = self.state
            after = self.ruleset.apply(before, fact)
            if after.adrift is not before.adrift and len(after.adrift) != len(before.adrift):
                self.adrift.append((done.ruling, done.step))
            self.state = after
            if citing_fields(type(fact)):
                for number in citations(fact):
                    self.cites[number] = self.cites.get(number, 0) + 1
            if done.audience is None and is_citable(self.ruleset, fact):
                self.citable[done.ruling] = (*self.citable.get(done.ruling, ()), fact)
        if done.postings:
            purses.post(self.purse, self._prefix, done.postings)
            if done.audience is not None:
                for account in (name for one in done.postings for name in (one.source, one.target)):
                    if done.audience not in self.hidden.get(account, ()):
                        self.hidden[account] = (*self.hidden.get(account, ()), done.audience)

    def _keep(self, fact: object) -> bool:
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
            dials, defaults = (upcast_dials(self.ruleset, chosen) for chosen in (entry.dials, entry.defaults))
            entry = changed(entry, dials=dials, defaults=defaults)
        if entry is not None:
            self.entry = entry
        return entry is not None

    def overdrawn(self) -> dict[str, int]:
        """Accounts below zero."""
        return {account: balance for account, balance in self.purse.items() if balance < 0}


def fold(ruleset: AnyRuleset, subject: Subject, facts: Iterable[Any], revisions: Standing) -> Folded[Any]:
    """A subject from its recorded facts and what stands of them."""
    folded: Folded[Any] = Folded(ruleset, subject)
    take = folded.take
    for done in standing(facts, revisions):
        take(done)
    return folded
