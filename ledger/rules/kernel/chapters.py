"""Write a game as chapters: one module for each heading of the source, with all rules under that heading.

A chapter has rules, declarations and facts, the functions that decide, the changes that each fact makes, and the moves
on offer. The decorators here mark these, and `kernel.assembling.ruleset` collects them.

    TAXES = rule("game.rest.taxes", "Five minutes of rest after a scene end all taxes.", "Healing")
    SCENE_OPEN = Refusal(TAXES, "scene-open", "A scene is still open.")

    @fact("tax-ended", says="A tax on {char} ends.")
    class TaxEnded: ...

    @changes
    def end_tax(state: Character, fact: TaxEnded) -> Character | None: ...

    @declares("rest", ANYONE, says="{characters} rest.", records=(TaxEnded,))
    class Rest: ...

    @guards
    def may_rest(draft: Draft) -> Refused | None: ...

    @decides
    def rest(draft: Draft, do: Rest) -> None:
        require(may_rest(draft))

    @offers
    def offer_rest(seen: Seen, draft: Draft) -> Iterator[Move]:
        if may_rest(draft) is None:
            yield Move(Rest)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from functools import wraps
from typing import Any, Final, Literal, TypeAlias, TypeVar, cast, dataclass_transform, overload

from ledger.rules.kernel import declarations
from ledger.rules.kernel.contract import RuleText
from ledger.rules.kernel.declarations import Chooser, Declarer, find_fact_kind
from ledger.rules.kernel.phrases import Phrase, Step, find_names
from ledger.rules.kernel.refusals import Declined, Refused, RuleId, Unfit
from ledger.rules.kernel.shown import Veiled

__all__ = [
    "Question",
    "Refusal",
    "SharedRefusal",
    "changes",
    "choice",
    "decides",
    "declares",
    "fact",
    "guards",
    "means",
    "offers",
    "reports",
    "require",
    "rule",
    "throws",
]

C = TypeVar("C", bound=type)
Function = TypeVar("Function", bound=Callable[..., Any])
Role: TypeAlias = Literal["guards", "decides", "changes", "offers", "throws", "means", "reports"]
#: The attribute that holds the mark of a class or function.
MARK: Final = "__of_a_chapter__"


@dataclass(frozen=True, slots=True)
class Words:
    """The mark of a fact, declaration or choice. `says`: its sentence.

    `headline`: the rank of a fact that can represent its ruling; 1 is the most important. `changes_nothing`: whether
    the fact is declared to change nothing.
    """

    says: Phrase
    headline: int | None = None
    changes_nothing: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """The mark of a function: its role in the chapter. `instead_of`: declarations of the kernel that it offers."""

    role: Role
    instead_of: tuple[type[object], ...] = ()


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A rule as its chapter defines it. `step`: the sentence for a step by this rule. `outcome`: what the step's
    outcome refers to.
    """

    text: RuleText
    step: Step
    outcome: str


#: Every rule by its id.
_rules: dict[RuleId, RuleLine] = {}


def rule(id: RuleId, statement: str, heading: str = "", *, step: Step = "", outcome: str = "") -> RuleId:
    """Register a rule and return its id. Raise TypeError if the id already belongs to another rule.

    `heading`: the heading in the source, or empty if the source has a gap here. `step`: the sentence for a step by this
    rule (default: the statement). `outcome`: what the step's outcome refers to (`character`, `scene`, `id`).
    """
    line = RuleLine(RuleText(statement, heading), step, outcome)
    registered_line = _rules.setdefault(id, line)
    if registered_line != line:
        raise TypeError(f"the rule {id} has two statements: {registered_line.text.statement!r} and {statement!r}")
    return id


def find_line(id: object) -> RuleLine | None:
    """Return the rule with this id, or None."""
    return _rules.get(id) if isinstance(id, str) else None


@dataclass(frozen=True, slots=True)
class SharedRefusal:
    """A refusal that several rules share: its code, and its sentence with names from the context."""

    code: str
    says: str

    def under(self, rule: RuleId, /, **context: Any) -> Refused:
        """Return the refusal by this rule."""
        return _make_refusal(rule, self.code, None, context)

    def unfit(self, rule: RuleId, /, **context: Any) -> Unfit:
        """Return the refusal of an answer. The question stays open."""
        return Unfit(rule, self.code, **context)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal of one rule: the rule, the code, and the sentence with names from the context.

    Call it to get the exception: `SCENE_OPEN(scene=id)`. A guard returns the exception, and a rule raises it.
    """

    rule: RuleId
    code: str
    says: str

    def __call__(self, audience: tuple[str, ...] | None = None, /, **context: Any) -> Refused:
        return _make_refusal(self.rule, self.code, audience, context)

    def under(self, rule: RuleId, /, **context: Any) -> Refused:
        """Return the same refusal by another rule."""
        return _make_refusal(rule, self.code, None, context)

    def unfit(self, **context: Any) -> Unfit:
        """Return the refusal of an answer. The question stays open."""
        return Unfit(self.rule, self.code, **context)

    def declined(self, **context: Any) -> Declined:
        """Return the refusal of a declaration because a seat declined. The answer is kept, and the declaration has no
        result.
        """
        return Declined(self.rule, self.code, **context)


def _make_refusal(rule: RuleId, code: str, audience: tuple[str, ...] | None, context: dict[str, Any]) -> Refused:
    """Return a refusal without calling its constructor, which would take twice as long."""
    refusal = Refused.__new__(Refused, rule, code)
    refusal.rule, refusal.code, refusal.audience, refusal.context = rule, code, audience, context
    return refusal


def require(refusal: Refused | None) -> None:
    """Raise the refusal that a guard returned, if any."""
    if refusal is not None:
        raise refusal


@dataclass(frozen=True, slots=True)
class Question:
    """A kind of question: the first word of its slot, and its sentence.

    Call it to get the slot of a question: `ASK_HEAL(char)` is `heal:12`.
    """

    slot: str
    says: str

    def __call__(self, *names: str) -> str:
        return ":".join((self.slot, *names))


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def fact(
    kind: str,
    version: int = 1,
    *,
    says: Phrase,
    headline: int | None = None,
    changes: Literal["something"] | None = "something",
    kw_only: bool = False,
) -> Callable[[C], C]:
    """Make a frozen dataclass for something that became true. `kind` is its stored name and never changes.

    `says`: its sentence. `headline`: its rank among the facts that can represent a ruling; 1 is the most important.
    `changes=None`: the fact only moves amounts between accounts, or only states something. Every other fact needs a
    function with `@changes`.
    """
    words = Words(says, headline, changes is None)
    return lambda cls: _mark_class(declarations.fact(kind, version, kw_only=kw_only)(cls), words)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def declares(
    kind: str,
    by: Declarer,
    *,
    says: Phrase,
    records: tuple[type[object], ...] = (),
    outlives_scene: bool = False,
    kw_only: bool = False,
) -> Callable[[C], C]:
    """Make a frozen dataclass for something that people declare. `records`: the facts it can lead to.

    `outlives_scene`: its questions can still be answered after its scene has closed.
    """

    def decorate(cls: C) -> C:
        record_kinds = tuple(find_fact_kind(record).partition("@")[0] for record in records)
        declared_class = declarations.declares(kind, by, record_kinds, outlives_scene=outlives_scene, kw_only=kw_only)(
            cls
        )
        if by.field is not None:
            _check_fields(declared_class, (by.field,))
        return _mark_class(declared_class, Words(says))

    return decorate


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def choice(kind: str, by: Chooser = "anyone", *, says: Phrase) -> Callable[[C], C]:
    """Make a frozen dataclass for one of the answers to a question. `by`: who may give it."""
    return lambda cls: _mark_class(declarations.choice(kind, by)(cls), Words(says))


def guards(function: Function) -> Function:
    """Mark a guard, `(draft, ...)`: a function that returns a refusal or None.

    A guard that looks behind a veil returns None, so that a missing offer reveals nothing. A game with hidden fields
    must mark all its guards.
    """

    @wraps(function)
    def ask_guard(*args: Any, **kwargs: Any) -> Refused | None:
        try:
            refusal: Refused | None = function(*args, **kwargs)
        except Veiled:
            return None
        return refusal

    return _mark(cast(Function, ask_guard), Part("guards"))


def decides(function: Function) -> Function:
    """Mark a rule, `(draft, do)`. The type of `do` says which declarations it decides."""
    return _mark(function, Part("decides"))


def changes(function: Function) -> Function:
    """Mark a function `(state, fact)` that returns the state after the fact, or None if the fact does not fit.

    The types of the two parameters say which states and facts the function is for. Each type may be a union.
    """
    return _mark(function, Part("changes"))


@overload
def offers(*instead_of: type[object]) -> Callable[[Function], Function]: ...
@overload
def offers(function: Function, /) -> Function: ...
def offers(*arguments: Any) -> Any:
    """Mark a function `(seen, draft)` that yields the moves on offer. The draft shows only what the viewer sees.

    `@offers(CloseScene)`: the function replaces the kernel's own offer of this declaration.
    """
    if len(arguments) == 1 and not isinstance(arguments[0], type):
        return _mark(arguments[0], Part("offers"))
    return lambda function: _mark(function, Part("offers", arguments))


def throws(function: Function) -> Function:
    """Mark a function `(do, told)` that yields `Thrown` objects: dice that a person entered with a declaration."""
    return _mark(function, Part("throws"))


def reports(function: Function) -> Function:
    """Mark a function `(fact)` that yields a `Roll` for each roll that the fact reports."""
    return _mark(function, Part("reports"))


def means(function: Function) -> Function:
    """Mark a function `(table, do)` that returns the declaration with its omitted values filled in from the table."""
    return _mark(function, Part("means"))


T = TypeVar("T")


def _mark_class(cls: C, words: Words) -> C:
    """Mark a class. Raise TypeError if its sentence names a field that the class does not have."""
    if isinstance(words.says, str):
        _check_fields(cls, find_names(words.says) - {"subject"})
    return _mark(cls, words)


def _check_fields(cls: type[Any], names: Iterable[str]) -> None:
    known_names = {field.name for field in fields(cls)}
    if unknown_names := [name for name in names if name not in known_names]:
        raise TypeError(
            f"{cls.__module__}.{cls.__name__} has no field {', '.join(unknown_names)}: it has {sorted(known_names)}"
        )


def _mark(definition: T, mark: Words | Part) -> T:
    setattr(cast(Any, definition), MARK, mark)
    return definition


def find_mark(definition: object) -> Words | Part | None:
    """Return the mark of a class or function, or None. Inherited marks do not count."""
    mark = vars(definition).get(MARK) if callable(definition) and hasattr(definition, "__dict__") else None
    return mark if isinstance(mark, Words | Part) else None
