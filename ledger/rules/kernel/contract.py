"""The contract between a game and the rest of the product: a `Ruleset`.

Three functions are the game:

- `adjudicate(table, declaration)` decides the declaration. It is a generator: it yields a question where the rule
  needs a choice or a roll, and returns a `Verdict`. Replaying sends it the stored answers again.
- `apply(state, fact)` returns the state after the fact. It never refuses.
- `view(subject, state, viewer)` returns what the viewer may see of a state.

All three are plain functions over frozen dataclasses. They use no clock, no randomness, no I/O and no library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeAlias, TypeVar

from ledger.rules.kernel.frozen import quick
from ledger.rules.kernel.phrases import Phrases
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import RuleId
from ledger.rules.kernel.subjects import Audience, Role, Subject, SubjectKind, Viewer
from ledger.rules.kernel.upcasting import Upcast

if TYPE_CHECKING:
    from ledger.rules.kernel.kept_twice import Places
    from ledger.rules.kernel.making import Maker
    from ledger.rules.kernel.moves import Move
    from ledger.rules.kernel.rolls import Roll
    from ledger.rules.kernel.seen import Seen
    from ledger.rules.kernel.thrown import RecordedFacts, Thrown

D_co = TypeVar("D_co", covariant=True)
S = TypeVar("S")  # a state
I = TypeVar("I")  # noqa: E741  (an input: a declaration)
F = TypeVar("F")  # a fact


@dataclass(frozen=True, slots=True)
class Ruleset(Generic[S, I, F]):
    """A game. The product finds it as `ledger.rules.<name>.RULESET`, and does not mention a game's name anywhere else.

    Annotate the variable (`RULESET: Ruleset[State, Input, Fact] = Ruleset(...)`): subscripting the call fails on 3.11.
    """

    name: str
    title: str
    source: str
    #: The number of the edition. It rises by one whenever stored declarations would get different results.
    edition: int
    #: The game's options, as a dataclass.
    dials: type
    #: A character as it is enrolled.
    sheet: type
    #: The classes of declarations, of choices and of facts.
    inputs: tuple[type[I], ...]
    choices: tuple[type[object], ...]
    facts: tuple[type[F], ...]
    accounts: tuple[Account, ...]
    rules: Mapping[RuleId, RuleText]
    #: Returns the state of a subject before its first fact.
    blank: Callable[[SubjectKind], S]
    adjudicate: Callable[[Table[Any], object], Asking[Verdict[F]]]
    apply: Callable[[S, F], S]
    view: Callable[[Subject, S, Viewer], Mapping[str, Any]]

    # Every field below is optional.

    #: Ready-made characters, by name.
    people: Mapping[str, object] = field(default_factory=dict)
    #: The functions for making a character step by step, if the game has such steps (`table/maker.toml`).
    maker: Maker | None = None
    #: The functions that convert records of earlier editions whose form has changed.
    upcasters: Sequence[Upcast] = ()

    # What people read

    phrases: Phrases = field(default_factory=Phrases)
    #: The names that people use for a field of a state, or for a word in it, if the written name is not enough. Their
    #: order is the order of the sheet: what matters most at the table first.
    labels: Mapping[str, str] = field(default_factory=dict)
    #: For each kind of reference in a field (`domains.Ref`), a sentence that says where the possible values are listed.
    references: Mapping[str, str] = field(default_factory=dict)
    #: What a field of a state refers to, or what the names in a record in that field refer to: a kind of reference, or
    #: `word` for one of `labels`.
    refers: Mapping[str, str] = field(default_factory=dict)
    #: The same for the steps of a derivation: what a name in `given` refers to, or by rule id what `out` refers to.
    #: Characters and seats that `phrases` names need no entry.
    steps: Mapping[str, str] = field(default_factory=dict)
    #: The hidden parts of the game. Empty for a game without secrets.
    secrets: tuple[Secret, ...] = ()

    # What can be done now

    #: Returns what a viewer can sensibly declare now. None means that every declaration is offered with every value of
    #: its type, and that the product does not know whose turn it is.
    moves: Callable[[Seen], Iterable[Move]] | None = None
    #: Fills in values that a declaration left out and that only the current table can supply, so that they are
    #: recorded.
    meant: Callable[[Table[object], Any], object] = lambda table, do: do

    # Options

    #: The code for refusing a value that the type of an option does not allow.
    bad_dial: str = "dial-value"
    #: Refuses what that type cannot express. It is given all options as they would be, the name of the one set, and
    #: its rule.
    check_dials: Callable[[Any, str, RuleId], None] = lambda dials, name, rule: None

    # Dice

    #: Returns the dice and choices that came with a declaration, with their owners. Dice that a question asked for are
    #: left out: a question names its own roller.
    thrown: Callable[[Any, RecordedFacts], Iterable[Thrown]] = lambda do, past: ()
    #: Returns the rolls that the facts of one ruling report, in order. A viewer may see only some of these facts: the
    #: function must work with any part of them.
    rolls: Callable[[Sequence[Any]], Iterable[Roll]] = lambda facts: ()

    # Roles that move from seat to seat

    #: For each role of the game ("chair"), by name, the seat that has it in this state of the campaign. While a seat
    #: holds it, it sees what has the audience `chair:<name>`.
    chairs: Mapping[str, Callable[[Any], str | None]] = field(default_factory=dict)

    # Facts that follow from others

    #: Facts that only repeat an effect of earlier facts for another subject (such as the postings of a loss). `follows`
    #: returns those that follow from a fact, given its subject and the states before and after it. They are computed
    #: again if an earlier ruling is overturned or revised.
    derived: frozenset[type[object]] = frozenset()
    follows: Callable[[Subject, S, S, F], tuple[About[F], ...]] = lambda subject, before, after, fact: ()

    # What may be hidden

    #: By class of fact, the fields of its subject's state that the fact may affect. Everybody sees the values of these
    #: fields, even if the fact is hidden. The values that they would have in another past are hidden with the fact.
    bears_on: Mapping[type[object], tuple[str, ...]] = field(default_factory=dict)

    # What the audit compares

    #: Returns the values of a subject that are kept twice: also counted in an account, or repeated in another state.
    #: The audit reports those that differ.
    kept_twice: Callable[[Subject, Places], Iterable[Twice]] = lambda subject, places: ()
    #: Returns the unique things (cards of one deck) in a state, given the open session or None. Those that everybody
    #: sees come first. A thing in two places is a finding for everyone who may know both. None if the game has no such
    #: things.
    things: Callable[[Subject, S, str | None], Iterable[Held]] | None = None


#: Any game, as the kernel and the service use it.
AnyRuleset: TypeAlias = Ruleset[Any, Any, Any]


class Table(Protocol[D_co]):
    """The view of the campaign that a rule gets. It loads states on demand and notes which were read; rules never load
    anything.
    """

    @property
    def number(self) -> int:
        """Return the number of this ruling. A character enrolled or a scene opened by it has `str(number)` as
        its id.
        """

    @property
    def by(self) -> Viewer:
        """Return the declaring seat."""

    @property
    def dials(self) -> D_co:
        """The options in force."""

    @property
    def steps_follow(self) -> bool:
        """Return whether the ledger carries out steps that nobody has a choice about (option `forced_steps`)."""

    @property
    def session(self) -> str | None:
        """The open session, if any."""

    @property
    def scene(self) -> Subject | None:
        """The scene of the declaration: the one it names, else the only open one, else None."""

    def new_id(self) -> str:
        """Return an unused id, made from the number of the ruling: `147`, then `147-2`, `147-3` ..."""

    def has(self, subject: Subject) -> bool:
        """Return whether the subject exists: a ruling that stands enrolled, opened or seated it."""

    def get(self, subject: Subject, state_class: type[S], /) -> S:
        """Return the subject's state. Refuses `unknown-character`, `unknown-scene` or `unknown-seat`."""

    def name(self, subject: Subject) -> str:
        """Return the name of a character or seat, or the title of a scene."""

    def owner(self, subject: Subject) -> str:
        """Return the seat that plays a character."""

    def role(self, seat: Subject) -> Role:
        """Return the role of a seat at the table."""

    def is_open(self, subject: Subject) -> bool:
        """Return whether a scene is open, a seat not removed, a character not retired."""

    def subjects(self, kind: SubjectKind) -> tuple[Subject, ...]:
        """Return all characters, all seats or the open scenes, the oldest first."""

    def balance(self, account: str) -> int:
        """Return the balance of a subject's account."""

    def cited(self, number: str) -> tuple[About[Any], ...]:
        """Return the facts of an earlier ruling that a declaration can cite and that the declaring seat may see.

        Empty if no such ruling stands.
        """

    def times_cited(self, subject: Subject, number: str) -> int:
        """Return how many facts about the subject cite that ruling."""

    def aside(self) -> Self:
        """Return the same table, but do not note what is read from it. Use it for parts of a question that are only
        shown.
        """

    def underway(self) -> tuple[Underway, ...]:
        """Return the other declarations that wait for an answer now, in order. They are never recorded, so the tuple is
        empty in a replay."""


class State(Protocol):
    """The state of one subject: a frozen, slotted dataclass. `adrift` keeps facts that no longer fit the state."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def adrift(self) -> tuple[object, ...]: ...


@dataclass(frozen=True, slots=True)
class Underway:
    """A declaration that is waiting for an answer.

    `answered`: whether it has had an answer, so that dice may have been seen. `slots`: the purposes of the answers.
    """

    do: object
    scene: Subject | None
    answered: bool
    slots: tuple[str, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class Verdict(Generic[F]):
    """The result of a rule: facts in order, and the steps that led to them. `audience` hides the ruling itself."""

    facts: tuple[About[F], ...]
    because: tuple[Step, ...] = ()
    audience: Audience = None


@quick
@dataclass(frozen=True, slots=True)
class About(Generic[F]):
    """A fact, with the subject whose state it changes, its transfers between accounts, and who may see it."""

    subject: Subject
    fact: F
    postings: tuple[Posting, ...] = ()
    audience: Audience = None


@quick
@dataclass(frozen=True, slots=True)
class Posting:
    """A transfer between accounts: `amount` (positive) of `unit` from `source` to `target`.

    Accounts are `<owner>/<unit>[:<detail>]`. The owners `bank`, `house` and `world` are unlimited. Every other owner is
    a subject (`character:12/credit:nuin`, `campaign/stock`). Only overturning can overdraw its account, never a
    declaration.
    """

    source: str
    target: str
    unit: str
    amount: int


@quick
@dataclass(frozen=True, slots=True)
class Step:
    """A step of a derivation: the rule, the values that went in by name, and the number or word that came out."""

    rule: RuleId
    given: Mapping[str, Any]
    out: Any
    audience: Audience = None


def step(rule: RuleId, out: object, /, audience: Audience = None, **given: object) -> Step:
    """Return a `Step`: `step("game.rating", 19, counted=9, maximum=10)`."""
    return Step(rule, given, out, audience)


@dataclass(frozen=True, slots=True)
class RuleText:
    """A rule in one sentence of our own, and its heading in the source (empty if the source leaves a gap)."""

    statement: str
    heading: str


@dataclass(frozen=True, slots=True)
class Account:
    """A kind of account, such as `character:<id>/ap:<against>`, and the unit that it counts.

    `title`: what people call it, with the places of its form (`Advantage Points against <against>`). Empty: its unit.
    `counted`: whether everybody at the table can count it, even if facts that changed it are hidden. Moves may depend
    on it.
    """

    form: str
    unit: str
    meaning: str
    counted: bool = False
    title: str = ""


@dataclass(frozen=True, slots=True)
class Secret:
    """A description of a hidden part: its contents, the people who know it and until when, and what others can still
    work out."""

    what: str
    known_to: str
    others: str


@dataclass(frozen=True, slots=True)
class Twice:
    """A value of a subject that is kept in two places and must be equal in both.

    `one`: the value in the state. `other`: the value that the accounts of the unit `account` count, or that another
    state has.
    """

    what: str
    one: object
    other: object
    account: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """A unique thing and where it is: "card 8C". `audience`: who may know it, the same seats to which `Ruleset.view`
    shows it.
    """

    thing: str
    audience: Audience = None
