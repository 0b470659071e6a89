"""The contract between a game and the rest of the product: a `Ruleset`.

A game is three functions:

- `adjudicate(table, declaration)` decides the declaration. It is a generator: it yields a question where the rule
  needs a choice or a roll, and returns a `Verdict`. A replay sends the stored answers to the generator again.
- `apply(state, fact)` returns the state after the fact. It never refuses.
- `view(subject, state, viewer)` returns what the viewer may see of a state.

All three work on frozen dataclasses. They use no clock, no randomness, no I/O and no library outside the standard one.
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
    """A game. The product finds it as `ledger.rules.<name>.RULESET`. The rest of the product mentions no game by name.

    Annotate the variable (`RULESET: Ruleset[State, Input, Fact] = Ruleset(...)`). `Ruleset[State, Input, Fact](...)`
    fails on Python 3.11.
    """

    name: str
    title: str
    source: str
    #: The number of the edition. It rises by one whenever stored declarations would get different results.
    edition: int
    #: The game's options, as a dataclass.
    dials: type
    #: The class of a character's sheet: the values entered when the character is added.
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
    #: The functions that convert records of earlier editions to the current form.
    upcasters: Sequence[Upcast] = ()

    # What people read

    phrases: Phrases = field(default_factory=Phrases)
    #: Names that people see for the fields of a state, or for words in them. A sheet shows the fields in this order.
    labels: Mapping[str, str] = field(default_factory=dict)
    #: For each kind of reference in a field (`domains.Ref`), a sentence that says where the possible values are listed.
    references: Mapping[str, str] = field(default_factory=dict)
    #: The kind of reference in each field of a state, by field name, or `word` for a field with words from `labels`.
    #: For a mapping, this is about its keys.
    refers: Mapping[str, str] = field(default_factory=dict)
    #: What the values in a derivation refer to. The keys are names of values in `given`, and rule ids (for `out`). The
    #: names in `phrases.people` and `phrases.seats` need no entry.
    steps: Mapping[str, str] = field(default_factory=dict)
    #: The hidden parts of the game. Empty for a game without secrets.
    secrets: tuple[Secret, ...] = ()

    # What can be done now

    #: Returns what a viewer can sensibly declare now. None means that every declaration is offered with every value of
    #: its type, and that the product does not know whose turn it is.
    moves: Callable[[Seen], Iterable[Move]] | None = None
    #: Returns the declaration with omitted values filled in from the table, so that they are recorded.
    meant: Callable[[Table[object], Any], object] = lambda table, do: do

    # Options

    #: The code for refusing a value that the type of an option does not allow.
    bad_dial: str = "dial-value"
    #: Refuses values that the types of the options allow but the game does not. The function gets all options with the
    #: new value, the name of the changed option, and its rule.
    check_dials: Callable[[Any, str, RuleId], None] = lambda dials, name, rule: None

    # Dice

    #: Returns the dice that people entered with a declaration, with their owners. Answers to questions are left out.
    thrown: Callable[[Any, RecordedFacts], Iterable[Thrown]] = lambda do, past: ()
    #: Returns the rolls that the facts of one ruling report, in order. It must also work with only some of the facts,
    #: because a viewer may not see all of them.
    rolls: Callable[[Sequence[Any]], Iterable[Roll]] = lambda facts: ()

    # Roles that move from seat to seat

    #: The roles of the game that move between seats ("chairs"), by name. The function returns the seat that holds the
    #: chair in this state of the campaign. The holder sees everything with the audience `chair:<name>`.
    chairs: Mapping[str, Callable[[Any], str | None]] = field(default_factory=dict)

    # Facts that follow from others

    #: The classes of facts that follow from another fact, for a second subject (such as the postings of a loss). They
    #: are computed again if an earlier ruling is overturned or revised. `follows` returns the facts that follow from a
    #: fact. It gets the subject of the fact, the subject's states before and after the fact, and the fact.
    derived: frozenset[type[object]] = frozenset()
    follows: Callable[[Subject, S, S, F], tuple[About[F], ...]] = lambda subject, before, after, fact: ()

    # What may be hidden

    #: For each class of facts, the fields of the subject's state that such a fact may affect. Everybody sees the
    #: current values of these fields, even if the fact is hidden. If the fact is hidden, so are the values that the
    #: fields would have in another past.
    bears_on: Mapping[type[object], tuple[str, ...]] = field(default_factory=dict)

    # What the audit compares

    #: Returns the values of a subject that are kept twice: in its state, and also in an account or in another state.
    #: The audit reports the values whose two copies differ.
    kept_twice: Callable[[Subject, Places], Iterable[Twice]] = lambda subject, places: ()
    #: Returns the unique things in a state, such as the cards of one deck, given the open session or None. The things
    #: that everybody sees come first. A thing in two places is a finding for everyone who may know both places. None if
    #: the game has no such things.
    things: Callable[[Subject, S, str | None], Iterable[Held]] | None = None


#: Any game, as the kernel and the service use it.
AnyRuleset: TypeAlias = Ruleset[Any, Any, Any]


class Table(Protocol[D_co]):
    """The view of the campaign that a rule gets. It loads states on demand and notes which states were read."""

    @property
    def number(self) -> int:
        """Return the number of this ruling. It is also the id of a character or scene that the ruling creates."""

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
        """The scene of the declaration: the scene that it names, else the only open scene, else None."""

    def new_id(self) -> str:
        """Return an unused id, made from the number of the ruling: `147`, then `147-2`, `147-3` ..."""

    def has(self, subject: Subject) -> bool:
        """Return whether the subject exists. It does not exist if the ruling that created it is overturned."""

    def get(self, subject: Subject, state_class: type[S], /) -> S:
        """Return the subject's state. Raise Refused `unknown-character`, `unknown-scene` or `unknown-seat` if it does
        not exist.
        """

    def name(self, subject: Subject) -> str:
        """Return the name of a character or seat, or the title of a scene."""

    def owner(self, subject: Subject) -> str:
        """Return the seat that plays a character."""

    def role(self, seat: Subject) -> Role:
        """Return the role of a seat at the table."""

    def is_open(self, subject: Subject) -> bool:
        """Return whether a scene is open, a seat is not removed, or a character is not retired."""

    def subjects(self, kind: SubjectKind) -> tuple[Subject, ...]:
        """Return all characters, all seats or the open scenes, the oldest first."""

    def balance(self, account: str) -> int:
        """Return the balance of a subject's account."""

    def cited(self, number: str) -> tuple[About[Any], ...]:
        """Return the facts of an earlier ruling that a declaration can cite and the declaring seat may see. Return an
        empty tuple if the ruling does not stand.
        """

    def times_cited(self, subject: Subject, number: str) -> int:
        """Return how many facts about the subject cite that ruling."""

    def aside(self) -> Self:
        """Return a copy of the table that does not note what is read. Use it for what a question only shows."""

    def underway(self) -> tuple[Underway, ...]:
        """Return the other declarations that wait for an answer now, in order. In a replay there are none."""


class State(Protocol):
    """The state of one subject: a frozen, slotted dataclass. `adrift` keeps facts that no longer fit the state."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def adrift(self) -> tuple[object, ...]: ...


@dataclass(frozen=True, slots=True)
class Underway:
    """A declaration that is waiting for an answer.

    `answered`: whether a question was already answered, so that dice may have been seen. `slots`: the slots of the
    answered questions.
    """

    do: object
    scene: Subject | None
    answered: bool
    slots: tuple[str, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class Verdict(Generic[F]):
    """The result of a rule: facts in order, and the steps that led to them. `audience`: who may know of the ruling
    itself.
    """

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
    a subject (`character:12/credit:nuin`, `campaign/stock`). Only a decision about a past ruling can leave a subject's
    account below zero.
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

    `title`: what people call an account of this kind. It can contain the placeholders of `form` (`Advantage Points
    against <against>`). If it is empty, people see the unit. `counted`: whether everybody at the table can work out the
    balance, even if facts that changed it are hidden. If so, moves may depend on the balance.
    """

    form: str
    unit: str
    meaning: str
    counted: bool = False
    title: str = ""


@dataclass(frozen=True, slots=True)
class Secret:
    """A description of a hidden part of the game: what is hidden, who knows it and until when, and what others can
    still work out.
    """

    what: str
    known_to: str
    others: str


@dataclass(frozen=True, slots=True)
class Twice:
    """A value of a subject that is kept in two places and must be equal in both.

    `one`: the value in the state. `other`: the value in the accounts of the unit `account`, or in another state.
    """

    what: str
    one: object
    other: object
    account: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """A unique thing in a state, such as "card 8C". `audience`: the seats to which `Ruleset.view` shows the thing."""

    thing: str
    audience: Audience = None
