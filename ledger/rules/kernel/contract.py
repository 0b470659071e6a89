"""What a rule system signs: its words, its functions, and the table it is given.

A system is one `Ruleset`: plain functions over frozen dataclasses, no library, no clock, no randomness, no I/O.
`adjudicate` is a generator that reads top to bottom like the rule, and yields a question when the rule needs one
(`ledger.rules.kernel.questions`); sending the stored answers again IS the replay. `apply` is total: it never refuses.
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
    from ledger.rules.kernel.moves import Move
    from ledger.rules.kernel.rolls import Roll
    from ledger.rules.kernel.seen import Seen
    from ledger.rules.kernel.thrown import Thrown, Told

D_co = TypeVar("D_co", covariant=True)
S = TypeVar("S")
I = TypeVar("I")  # noqa: E741  (an input)
F = TypeVar("F")  # a fact


@quick
@dataclass(frozen=True, slots=True)
class Posting:
    """What a fact moves: `amount` (a positive count) of `unit` from the source account to the target account.

    Accounts are `<owner>/<unit>[:<detail>]`. The owners `bank`, `house` and `world` are unlimited; every other owner is
    a subject (`character:12/credit:nuin`, `campaign/stock`) and can be overdrawn only by a strike, never by a spend.
    """

    source: str
    target: str
    unit: str
    amount: int


@quick
@dataclass(frozen=True, slots=True)
class Step:
    """One step of a derivation: the rule, the numbers that went in by name, the number (or word) that came out."""

    rule: RuleId
    given: Mapping[str, Any]
    out: Any
    audience: Audience = None


def step(rule: RuleId, out: object, /, audience: Audience = None, **given: object) -> Step:
    """`step("game.rating", 19, counted=9, maximum=10)`."""
    return Step(rule, given, out, audience)


@quick
@dataclass(frozen=True, slots=True)
class About(Generic[F]):
    """A fact addressed to the subject whose state it changes, with what it moves and who may see it."""

    subject: Subject
    fact: F
    postings: tuple[Posting, ...] = ()
    audience: Audience = None


@quick
@dataclass(frozen=True, slots=True)
class Verdict(Generic[F]):
    """What the rules say: facts in order, and the steps that led there. `audience` hides that the ruling exists."""

    facts: tuple[About[F], ...]
    because: tuple[Step, ...] = ()
    audience: Audience = None


@dataclass(frozen=True, slots=True)
class Underway:
    """A declaration that waits for an answer. `answered`: whether it has been given any, so that dice may be seen.

    `slots`: what the answers were asked for.
    """

    do: object
    scene: Subject | None
    answered: bool
    slots: tuple[str, ...] = ()


class Table(Protocol[D_co]):
    """What a rule may look at. It loads what is touched and notes what was read; rules never load anything."""

    @property
    def number(self) -> int:
        """The number this ruling gets. A character enrolled or a scene opened by it has `str(number)` as its id."""

    @property
    def by(self) -> Viewer:
        """Who declares."""

    @property
    def dials(self) -> D_co:
        """The system's dials as they are in force."""

    @property
    def session(self) -> str | None:
        """The open session, if any."""

    @property
    def scene(self) -> Subject | None:
        """The scene it is declared in: the one named, else the only one open, else none."""

    def new_id(self) -> str:
        """`147`, then `147-2`, `147-3` ...: made from the ruling, never counted from state."""

    def has(self, subject: Subject) -> bool:
        """Return whether the subject exists: a standing ruling enrolled, opened or seated it."""

    def get(self, subject: Subject, state: type[S], /) -> S:
        """Return the subject's state. Refuses `unknown-character`, `unknown-scene`, `unknown-seat` when there is
        none.
        """

    def name(self, subject: Subject) -> str:
        """Return the name of a character or seat, or the title of a scene."""

    def owner(self, subject: Subject) -> str:
        """Return the seat that plays a character."""

    def role(self, seat: Subject) -> Role:
        """Return the role of a seat at the table."""

    def is_open(self, subject: Subject) -> bool:
        """Return whether a scene is open, a seat not removed, a character not retired."""

    def subjects(self, kind: SubjectKind) -> tuple[Subject, ...]:
        """Return all characters and seats, and the open scenes, in the order in which they came into being."""

    def balance(self, account: str) -> int:
        """Return the balance of a subject's account."""

    def cited(self, number: str) -> tuple[About[Any], ...]:
        """Return what the earlier ruling of this number recorded that can be cited and that the declaring seat may see;
        nothing, where no such ruling stands.
        """

    def times_cited(self, subject: Subject, number: str) -> int:
        """Return how many facts about the subject rest on that ruling."""

    def aside(self) -> Self:
        """Return the same table without noting what is read, for what is only shown with a question."""

    def underway(self) -> tuple[Underway, ...]:
        """Return what else waits for an answer just now, in order. It is never recorded: empty when history is told."""


@dataclass(frozen=True, slots=True)
class RuleText:
    """A rule in one sentence of our own, and the heading of the source where it stands (empty: a gap we filled)."""

    statement: str
    heading: str


@dataclass(frozen=True, slots=True)
class Secret:
    """Something that not everybody may know, for the table's page: who knows it and until when, and what others can
    know of it all the same, by the nature of the game.
    """

    what: str
    known_to: str
    others: str


@dataclass(frozen=True, slots=True)
class Account:
    """A kind of account a system uses: `character:<id>/ap:<against>`, and what it counts.

    `counted`: at the table everybody can count what it holds, though what moved it may be hidden; moves rest on it.
    `title`: what people call it, with the places of its form (`Advantage Points against <against>`); "": its unit.
    """

    form: str
    unit: str
    meaning: str
    counted: bool = False
    title: str = ""


@dataclass(frozen=True, slots=True)
class Twice:
    """A value of a subject that is kept in two places, as each has it. They must be equal.

    `one`: what the state says. `other`: what accounts of this unit count (`account`), or what the other state says.
    """

    what: str
    one: object
    other: object
    account: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """A thing of which there is only one, where it is: "card 8C". `audience`: who may know it is there.

    The audience must be who is shown that part of the state (`Ruleset.view`).
    """

    thing: str
    audience: Audience = None


class State(Protocol):
    """A system's state of one subject: a frozen, slotted dataclass. Facts that found no ground are kept in `adrift`."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def adrift(self) -> tuple[object, ...]: ...


@dataclass(frozen=True, slots=True)
class Ruleset(Generic[S, I, F]):
    """One game. Discovered as `ledger.rules.<name>.RULESET`; nothing else in the product knows its name.

    Annotate the variable (`RULESET: Ruleset[State, Input, Fact] = Ruleset(...)`): subscripting the call fails on 3.11.
    """

    name: str
    title: str
    source: str
    edition: int
    dials: type
    sheet: type
    inputs: tuple[type[I], ...]
    choices: tuple[type[object], ...]
    facts: tuple[type[F], ...]
    accounts: tuple[Account, ...]
    rules: Mapping[RuleId, RuleText]
    blank: Callable[[SubjectKind], S]
    adjudicate: Callable[[Table[Any], object], Asking[Verdict[F]]]
    apply: Callable[[S, F], S]
    #: What somebody is shown of a subject's state, as JSON.
    view: Callable[[Subject, S, Viewer], Mapping[str, Any]]
    #: What is not for everybody; none in a game in which all is open.
    secrets: tuple[Secret, ...] = ()
    #: What its fields refer to (`domains.Ref`): each in a sentence that says where these are listed.
    references: Mapping[str, str] = field(default_factory=dict)
    #: Finished sheets by the name of who they make.
    people: Mapping[str, object] = field(default_factory=dict)
    #: Its sentences.
    phrases: Phrases = field(default_factory=Phrases)
    #: What people call a field of its states, or a word in one, where it is not just written so; what matters most at
    #: the table first: so it is shown.
    labels: Mapping[str, str] = field(default_factory=dict)
    #: What a field of a state refers to, or the names of a record there, as `Ref` says it of inputs; or a `word` of
    #: these.
    refers: Mapping[str, str] = field(default_factory=dict)
    #: The same of steps: what a name refers to that one was given, or by a rule's id what came out; people and seats
    #: of its phrases aside.
    steps: Mapping[str, str] = field(default_factory=dict)
    #: What anybody can sensibly declare now, as a viewer sees it (`moves`). None: every input is offered as wide as its
    #: type, and nothing is known of whom the game waits for.
    moves: Callable[[Seen], Iterable[Move]] | None = None
    #: The declaration as it is meant: what was left out and only the table of now can tell, so that it is recorded.
    meant: Callable[[Table[object], Any], object] = lambda table, do: do
    #: The code of the refusal of a value that a dial's type does not allow.
    bad_dial: str = "dial-value"
    #: Chairs a seat can be given for a while, and who sits in each, told by the campaign's state. Who does may see what
    #: is for `chair:<name>`, and no longer than that.
    chairs: Mapping[str, Callable[[Any], str | None]] = field(default_factory=dict)
    #: Facts that only tell what others do to their subject (a loss, posted), and stand right behind those; and which
    #: follow from one: given the subject, its states before and after it, and the fact. They are worked out anew where
    #: an earlier ruling is decided about.
    derived: frozenset[type[object]] = frozenset()
    follows: Callable[[Subject, S, S, F], tuple[About[F], ...]] = lambda subject, before, after, fact: ()
    #: Fields of its subject's state that a fact of a kind changes or leaves as they are, by what it says. Everybody
    #: sees what came of them, also where the fact is hidden; what would have in another past is hidden with it.
    bears_on: Mapping[type[object], tuple[str, ...]] = field(default_factory=dict)
    #: Refuses what a dial's type cannot say: given all dials as they would stand, the name of one set, and its rule.
    check_dials: Callable[[Any, str, RuleId], None] = lambda dials, name, rule: None
    #: The values of a subject that are kept twice: counted in an account as well, or repeated in another state. The
    #: audit reports those that differ.
    kept_twice: Callable[[Subject, Places], Iterable[Twice]] = lambda subject, places: ()
    #: The unique things (cards of one deck) that a subject's state holds in the open session (None: none
    #: is open), what everybody sees first. A thing in two places is a finding for whoever may know both. None: the game
    #: has no such things.
    things: Callable[[Subject, S, str | None], Iterable[Held]] | None = None
    #: How to read what earlier editions stored where its form has changed since.
    upcasters: Sequence[Upcast] = ()

    #: The dice that a declaration brought with itself, and choices made on the way: whose they are, by what the ruling
    #: and those before it recorded. What a question asked for is left out: that names its own.
    thrown: Callable[[Any, Told], Iterable[Thrown]] = lambda do, past: ()
    #: The rolls that the facts of one ruling report, in order. Whoever is shown the rolls may see these facts, and
    #: perhaps not all facts of the ruling: whichever are missing, it must not fail.
    rolls: Callable[[Sequence[Any]], Iterable[Roll]] = lambda facts: ()


#: A system of which nothing is known but that it is one: what the kernel and the service work with.
AnyRuleset: TypeAlias = Ruleset[Any, Any, Any]
