"""What a rule system signs: its words, its functions, and the table it is given.

A system is one `Ruleset`: plain functions over frozen dataclasses, no library, no clock, no randomness, no I/O.
`adjudicate` is a generator that reads top to bottom like the rule, and yields a question when the rule needs one
(`ledger.rules.kernel.questions`); sending the stored answers again IS the replay. `apply` is total: it never refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar, cast, dataclass_transform

from ledger.rules.kernel.field_names import publish

SubjectKind: TypeAlias = Literal["campaign", "seat", "character", "scene"]
Role: TypeAlias = Literal["gm", "player", "observer"]
RuleId: TypeAlias = str
#: Whose answer a choice can be: of who is asked or a game master (`anyone`); of who is asked and nobody else; of a game
#: master only, who says it for whoever is asked.
Chooser: TypeAlias = Literal["anyone", "asked", "gm"]
#: Who may see something: seat ids, "gm" (every game master's seat), "character:<id>" (who plays it), "chair:<name>"
#: (who sits in that chair of the game's now). None: everybody.
Audience: TypeAlias = tuple[str, ...] | None

SUBJECT_KINDS: tuple[SubjectKind, ...] = ("campaign", "seat", "character", "scene")
EVERYBODY: Audience = None
GM_ONLY: Audience = ("gm",)

C = TypeVar("C", bound=type)
D_co = TypeVar("D_co", covariant=True)
S = TypeVar("S")
I = TypeVar("I")  # noqa: E741  (an input)
F = TypeVar("F")  # a fact


class Subject(NamedTuple):
    """What facts are about. `str()` gives the form used in accounts, reads and the API: `character:12`, `campaign`.

    A tuple, because every rule looks its subjects up, over and over: tuples are hashed and compared without Python.
    """

    kind: SubjectKind
    id: str

    def __str__(self) -> str:
        return self.kind if self.kind == "campaign" else f"{self.kind}:{self.id}"


#: The campaign itself as a subject. Everything is within one campaign, so it needs no further name.
CAMPAIGN = Subject("campaign", "campaign")


@lru_cache(maxsize=10_000)
def character(id: str) -> Subject:
    return Subject("character", id)


def scene(id: str) -> Subject:
    return Subject("scene", id)


def seat(id: str) -> Subject:
    return Subject("seat", id)


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


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a derivation: the rule, the numbers that went in by name, the number (or word) that came out."""

    rule: RuleId
    given: Mapping[str, Any]
    out: Any
    audience: Audience = None


def step(rule: RuleId, out: Any, /, audience: Audience = None, **given: Any) -> Step:
    """`step("game.rating", 19, counted=9, maximum=10)`."""
    return Step(rule, given, out, audience)


@dataclass(frozen=True, slots=True)
class About(Generic[F]):
    """A fact addressed to the subject whose state it changes, with what it moves and who may see it."""

    subject: Subject
    fact: F
    postings: tuple[Posting, ...] = ()
    audience: Audience = None


@dataclass(frozen=True, slots=True)
class Verdict(Generic[F]):
    """What the rules say: facts in order, and the steps that led there. `audience` hides that the ruling exists."""

    facts: tuple[About[F], ...]
    because: tuple[Step, ...] = ()
    audience: Audience = None


class Refused(Exception):
    """A bad request: leaves no trace. `rule` and `code` are stable, `context` are the numbers and names involved."""

    def __init__(self, rule: RuleId, code: str, /, audience: Audience = None, **context: Any) -> None:
        super().__init__(f"{code} ({rule})")
        self.rule = rule
        self.code = code
        self.audience = audience
        self.context = context

    def same_as(self, other: object) -> bool:
        return isinstance(other, Refused) and (self.rule, self.code) == (other.rule, other.code)


class Unfit(Refused):
    """An answer that does not fit its question: it is asked for again."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """The seat for which something is shown or by which something is declared, and the characters it plays.

    `dials`: of the system, in force where something is shown; None where nobody looked. `chairs`: those of the game's
    it sits in now (`Ruleset.chairs`); of who declares, rules are told nothing of them.
    """

    seat: str
    role: Role
    characters: frozenset[str] = frozenset()
    dials: Any = field(default=None, compare=False)
    chairs: frozenset[str] = frozenset()

    def may_see(self, audience: Audience) -> bool:
        return audience is None or any(self._is(entry) for entry in audience)

    def _is(self, entry: str) -> bool:
        if entry == "gm":
            return self.role == "gm"
        kind, _, id = entry.rpartition(":")
        if kind == "chair":
            return id in self.chairs
        return id in self.characters if kind == "character" else entry == self.seat


@dataclass(frozen=True, slots=True)
class Underway:
    """A declaration that waits for an answer. `answered`: whether it has been given any, so that dice may be seen."""

    do: Any
    scene: Subject | None
    answered: bool


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
        """Whether the subject exists: a standing ruling enrolled, opened or seated it."""

    def get(self, subject: Subject, state: type[S], /) -> S:
        """The subject's state. Refuses `unknown-character`, `unknown-scene`, `unknown-seat` when there is none."""

    def name(self, subject: Subject) -> str:
        """The name of a character or seat, the title of a scene."""

    def owner(self, subject: Subject) -> str:
        """The seat that plays a character."""

    def role(self, seat: Subject) -> Role:
        """What a seat is at the table."""

    def is_open(self, subject: Subject) -> bool:
        """Whether a scene is open, a seat not removed, a character not retired."""

    def subjects(self, kind: SubjectKind) -> tuple[Subject, ...]:
        """All characters and seats, the open scenes: in the order in which they came into being."""

    def balance(self, account: str) -> int:
        """The balance of an account of a subject."""

    def underway(self) -> tuple[Underway, ...]:
        """What else waits for an answer just now, in order. Never part of the record: nothing, when history is told."""


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
    """A kind of account a system uses, for its documentation: `character:<id>/ap:<against>`, and what it counts."""

    form: str
    unit: str
    meaning: str


# --- how systems declare their vocabulary -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Declarer:
    """Who may declare an input.

    `who`: `gm`; `owner` (the seat that plays the character); `either` (owner or gm); `seat` (the seat named, or gm);
    `anyone` (every player and gm). `of` finds the character, or for `seat` the seat. Observers never declare.
    """

    who: Literal["gm", "owner", "either", "seat", "anyone"]
    of: Callable[[Table[Any], Any], str | None] | None = None
    text: str = ""


GM = Declarer("gm", text="a game master")
ANYONE = Declarer("anyone", text="any player or game master")


def owner(field_name: str) -> Declarer:
    """Only the seat that plays the character named in this field."""
    return Declarer("owner", lambda table, do: getattr(do, field_name), f"who plays `{field_name}`")


def either(of: str | Callable[[Table[Any], Any], str | None], text: str = "") -> Declarer:
    """Who plays the character (named in this field, or found by this function), or a game master."""
    if isinstance(of, str):
        name = of
        return Declarer("either", lambda table, do: getattr(do, name), f"who plays `{name}`, or a game master")
    return Declarer("either", of, f"{text}, or a game master")


def named_seat(field_name: str) -> Declarer:
    """The seat named in this field, or a game master."""
    return Declarer("seat", lambda table, do: getattr(do, field_name), f"the seat in `{field_name}`, or a game master")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def fact(kind: str, version: int = 1) -> Callable[[C], C]:
    """A frozen dataclass for something that became true; `kind` is its stored name, chosen once and for ever."""
    return lambda cls: _made(cls, "fact_kind", f"{kind}@{version}")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def declares(
    kind: str, by: Declarer, records: tuple[str, ...] = (), *, outlives_scene: bool = False
) -> Callable[[C], C]:
    """A frozen dataclass for something people at the table do. `records`: the kinds of facts it can lead to.

    `outlives_scene`: where it waits for answers, these can be given after its scene was closed.
    """

    def made(cls: C) -> C:
        word = _made(cls, "kind", kind)
        setattr(word, "declared_by", by)  # noqa: B010  (mypy knows no such attribute)
        setattr(word, "records", records)  # noqa: B010
        setattr(word, "outlives_scene", outlives_scene)  # noqa: B010
        return word

    return made


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def choice(kind: str, by: Chooser = "anyone") -> Callable[[C], C]:
    """A frozen dataclass for one of the ways somebody can answer a question. `by`: whose answer it can be."""

    def made(cls: C) -> C:
        word = _made(cls, "kind", kind)
        setattr(word, "said_by", by)  # noqa: B010  (mypy knows no such attribute)
        return word

    return made


def _made(cls: C, attribute: str, value: str) -> C:
    word: Any = dataclass(frozen=True, slots=True)(cls)
    publish(word)
    setattr(word, attribute, value)
    return cast(C, word)


def kind_of(word: object) -> str:
    """The stored name of an input or choice (instance or class)."""
    return str(getattr(word, "kind"))  # noqa: B009


def fact_kind(word: object) -> str:
    """The stored name of a fact with its version (instance or class): `trait-taxed@1`."""
    return str(getattr(word, "fact_kind"))  # noqa: B009


def declared_by(word: object) -> Declarer:
    declarer = getattr(word, "declared_by")  # noqa: B009
    assert isinstance(declarer, Declarer)
    return declarer


def said_by(word: object) -> Chooser:
    """Whose answer a choice can be."""
    whose: Chooser = getattr(word, "said_by", "anyone")
    return whose


def records_of(word: object) -> tuple[str, ...]:
    """The kinds of facts an input can lead to, as far as it says so."""
    found: tuple[str, ...] = getattr(word, "records", ())
    return found


def outlives_scene(word: object) -> bool:
    """Whether an input that waits can be answered after its scene was closed."""
    return bool(getattr(word, "outlives_scene", False))


def dial(default: Any, rule: RuleId, name: str | None = None, code: str | None = None, *, hides: bool = False) -> Any:
    """A field of a system's dials: its default, the rule it belongs to, its public name when that is no Python name.

    `code`: of the refusal of a value the type does not allow, where it is not the system's usual one (`bad_dial`).
    `hides`: it says who may see what; only who decides may ask what would be, had it been otherwise.
    """
    return field(default=default, metadata={"rule": rule, "name": name, "code": code, "hides": hides})


Question: TypeAlias = Any  # one of ledger.rules.kernel.questions: Roll, Draw, Shuffle, Flip, Ask
Answer: TypeAlias = Any  # one of ledger.rules.kernel.questions: Dice, Drawn, Shuffled, Flipped, Choice
R = TypeVar("R")
Asking: TypeAlias = Generator[Question, Answer, R]


class State(Protocol):
    """A system's state of one subject: a frozen, slotted dataclass. Facts that found no ground are kept in `adrift`."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def adrift(self) -> tuple[Any, ...]: ...


@dataclass(frozen=True, slots=True)
class Ruleset(Generic[I, F]):
    """One game. Discovered as `ledger.rules.<name>.RULESET`; nothing else in the product knows its name.

    Annotate the variable (`RULESET: Ruleset[Input, Fact] = Ruleset(...)`): subscripting the call fails on 3.11.
    """

    name: str
    title: str
    source: str
    edition: int
    dials: type
    sheet: type
    inputs: tuple[type[I], ...]
    choices: tuple[type[Any], ...]
    facts: tuple[type[F], ...]
    accounts: tuple[Account, ...]
    rules: Mapping[RuleId, RuleText]
    blank: Callable[[SubjectKind], Any]
    adjudicate: Callable[[Table[Any], Any], Asking[Verdict[F]]]
    apply: Callable[[Any, F], Any]
    view: Callable[[Any, Viewer], Mapping[str, Any]]
    #: What is not for everybody; none in a game in which all is open.
    secrets: tuple[Secret, ...] = ()
    #: The declaration as it is meant: what was left out and only the table of now can tell, so that it is recorded.
    meant: Callable[[Table[Any], Any], Any] = lambda table, do: do
    #: The code of the refusal of a value that a dial's type does not allow.
    bad_dial: str = "dial-value"
    #: Chairs a seat can be given for a while, and who sits in each, told by the campaign's state. Who does may see what
    #: is for `chair:<name>`, and no longer than that.
    chairs: Mapping[str, Callable[[Any], str | None]] = field(default_factory=dict)
    #: Facts that only tell what others do to their subject (a loss, posted), and stand right behind those; and which
    #: follow from one: given the subject, its states before and after it, and the fact. They are worked out anew where
    #: an earlier ruling is decided about.
    derived: frozenset[type[Any]] = frozenset()
    follows: Callable[[Subject, Any, Any, F], tuple[About[F], ...]] = lambda subject, before, after, fact: ()
    #: Fields of its subject's state that a fact of a kind changes or leaves as they are, by what it says. Everybody
    #: sees what came of them, also where the fact is hidden; what would have in another past is hidden with it.
    bears_on: Mapping[type[Any], tuple[str, ...]] = field(default_factory=dict)
    #: Refuses what a dial's type cannot say: given all dials as they would stand, the name of one set, and its rule.
    check_dials: Callable[[Any, str, RuleId], None] = lambda dials, name, rule: None
