"""Assemble a game's ruleset from its chapters. A fault in a chapter raises a TypeError.

The types of a function's parameters say what the function is for, so a game does not list its functions.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import partial
from itertools import chain
from types import CodeType, ModuleType
from typing import Any, TypedDict, Union, Unpack, get_args, get_origin, get_type_hints

from ledger.rules.kernel.chapters import Part, Question, Refusal, RuleLine, SharedRefusal, Words, find_line, find_mark
from ledger.rules.kernel.contract import Account, AnyRuleset, Ruleset, Secret, State, Table, Twice
from ledger.rules.kernel.declarations import find_fact_kind, find_kind
from ledger.rules.kernel.dials import list_dial_fields
from ledger.rules.kernel.dispatch import Dispatch
from ledger.rules.kernel.domains import Prose, Ref, Says, load_marked_hints, split_marks
from ledger.rules.kernel.draft import Draft
from ledger.rules.kernel.fold import Change, Fold, keep_unchanged
from ledger.rules.kernel.kept_twice import Places
from ledger.rules.kernel.making import Maker
from ledger.rules.kernel.moves import Move
from ledger.rules.kernel.offers import list_kernel_moves
from ledger.rules.kernel.phrases import NAMED, Phrase, Phrases
from ledger.rules.kernel.refusals import RuleId
from ledger.rules.kernel.rolls import Roll
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.shown import Veiled, list_audiences
from ledger.rules.kernel.speech import Speech
from ledger.rules.kernel.subjects import Subject, SubjectKind, Viewer
from ledger.rules.kernel.thrown import RecordedFacts, Thrown
from ledger.rules.kernel.upcasting import Upcast

Rule = Callable[[Any, Any], Any]


class Extras(TypedDict, total=False):
    """Further keyword arguments for a game's ruleset; see `contract.Ruleset`."""

    secrets: tuple[Secret, ...]
    references: Mapping[str, str]
    people: Mapping[str, object]
    maker: Maker
    labels: Mapping[str, str]
    refers: Mapping[str, str]
    bad_dial: str
    chairs: Mapping[str, Callable[[Any], str | None]]
    derived: frozenset[type[object]]
    follows: Callable[..., Any]
    bears_on: Mapping[type[object], tuple[str, ...]]
    check_dials: Callable[[Any, str, RuleId], None]
    kept_twice: Callable[[Subject, Places], Iterator[Twice]]
    things: Callable[..., Any]
    upcasters: Sequence[Upcast]


@dataclass(slots=True)
class Collected:
    """The definitions in a game's chapters, by kind."""

    rules: dict[RuleId, RuleLine] = field(default_factory=dict)
    refusals: dict[tuple[RuleId, str], str] = field(default_factory=dict)
    questions: dict[str, str] = field(default_factory=dict)
    inputs: dict[type[object], Words] = field(default_factory=dict)
    choices: dict[type[object], Words] = field(default_factory=dict)
    facts: dict[type[object], Words] = field(default_factory=dict)
    decides: dict[type[object], Rule] = field(default_factory=dict)
    changes: dict[type[object], dict[type[object], Change]] = field(default_factory=dict)
    throws: dict[type[object], Rule] = field(default_factory=dict)
    means: dict[type[object], Rule] = field(default_factory=dict)
    reports: dict[type[object], Callable[[Any], Iterable[Roll]]] = field(default_factory=dict)
    offers: list[Rule] = field(default_factory=list)
    #: The kernel's declarations that the game offers itself.
    own_offers: list[type[object]] = field(default_factory=list)


def ruleset(  # noqa: PLR0913  (a game describes itself only here)
    name: str,
    *,
    title: str,
    source: str,
    edition: int,
    chapters: Sequence[ModuleType],
    draft: type[Draft[Any, Any, Any]],
    states: Mapping[SubjectKind, type[State]],
    dials: type,
    sheet: type,
    accounts: tuple[Account, ...],
    view: Callable[[Subject, Any, Viewer], Mapping[str, Any]],
    reading_order: str = "",
    first: Callable[[Any, object], None] | None = None,
    seen_as: Callable[[Seen], Table[Any]] | None = None,
    says: Mapping[type[object], Phrase] | None = None,
    named: Mapping[str, str] | None = None,
    words: Mapping[str, str] | None = None,
    speech: Speech | None = None,
    characters_in: Sequence[str] = (),
    **extras: Unpack[Extras],
) -> AnyRuleset:
    """Return the game assembled from its chapters. Raise TypeError for anything that is missing or defined twice.

    - `draft`: the game's draft class. Its `fold` is set here.
    - `reading_order`: the order of the guide, as prefixes of rule ids (default: the order of the chapters).
    - `first`: a function that checks every declaration before its rule does.
    - `seen_as`: the function that makes the table for trying offers. A game needs it only if it hides more than the
      fields marked with `SeenBy`.
    - `says`: sentences for declarations of the kernel. `named`: what names in a derivation refer to (`Ruleset.steps`).
    - `words`: the words for values in refusals and steps. `speech`: the game's own words in other sentences.
    - `characters_in`: the names in contexts and derivations that hold ids of characters.
    """
    definitions = collect_definitions(chapters)
    fold = Fold(states, _index_changes(definitions, states.values()))
    draft.fold = fold
    dispatch = Dispatch(draft, tuple(definitions.inputs), definitions.decides, first)
    _check_everything_is_used(definitions, chapters, dials)
    has_veils = seen_as is not None or any(list_audiences(state) for state in states.values())
    if has_veils:
        _check_guards(chapters)
    elif definitions.offers and extras.get("secrets"):
        raise TypeError(f"{name} has secrets that its offers would see: no field of its states is marked with `SeenBy`")
    labels, refers = _name_fields(states.values())
    extras |= {"labels": {**labels, **extras.get("labels", {})}, "refers": {**refers, **extras.get("refers", {})}}
    return Ruleset(
        name=name,
        title=title,
        source=source,
        edition=edition,
        dials=dials,
        sheet=sheet,
        inputs=tuple(definitions.inputs),
        choices=tuple(definitions.choices),
        facts=tuple(definitions.facts),
        accounts=accounts,
        rules={id: definitions.rules[id].text for id in _sort_rules(name, definitions.rules, reading_order)},
        blank=fold.blank,
        adjudicate=dispatch.adjudicate,
        apply=fold.apply,
        view=view,
        moves=_make_move_lister(definitions, draft, seen_as or Seen.make_shown_table) if definitions.offers else None,
        meant=lambda table, do: definitions.means[type(do)](table, do) if type(do) in definitions.means else do,
        thrown=lambda do, told: _list_thrown_dice(definitions, do, told),
        rolls=partial(_list_rolls, definitions),
        phrases=_make_phrases(definitions, says or {}, words or {}, speech or Speech(), characters_in),
        steps={**(named or {}), **{id: line.outcome for id, line in definitions.rules.items() if line.outcome}},
        **extras,
    )


def _list_rolls(definitions: Collected, facts: Iterable[object]) -> Iterator[Roll]:
    for fact in facts:
        if type(fact) in definitions.reports:
            yield from definitions.reports[type(fact)](fact)


def _sort_rules(name: str, ids: Iterable[str], reading_order: str) -> list[str]:
    """Return the ids of the rules in the order of the guide. Raise TypeError for a rule that fits no part."""
    prefixes = [f"{name}.{part}." for part in reading_order.split()] or [""]

    def find_prefix_index(id: str) -> int:
        for index, prefix in enumerate(prefixes):
            if f"{id}.".startswith(prefix):
                return index
        raise TypeError(f"the reading order of {name} lacks {id}")

    return sorted(ids, key=find_prefix_index)


def collect_definitions(chapters: Sequence[ModuleType]) -> Collected:
    """Return the definitions in these modules. Raise TypeError for anything defined twice, or for a refusal without a
    sentence.

    A chapter may keep rules and refusals in a tuple.
    """
    definitions = Collected()
    for chapter in chapters:
        for name, value in vars(chapter).items():
            for item in value if isinstance(value, tuple) else (value,):
                if (line := find_line(item)) is not None:
                    definitions.rules[item] = line
                elif isinstance(item, Refusal):
                    _put_once_or_same(
                        definitions.refusals, (item.rule, item.code), item.says, f"{chapter.__name__}.{name}"
                    )
            if isinstance(value, SharedRefusal):
                _put_once_or_same(definitions.refusals, ("", value.code), value.says, f"{chapter.__name__}.{name}")
            elif isinstance(value, Question):
                _put_once_or_same(definitions.questions, value.slot, value.says, f"{chapter.__name__}.{name}")
            elif getattr(value, "__module__", None) == chapter.__name__ and (mark := find_mark(value)) is not None:
                _file_definition(definitions, value, mark)
    for rule_and_code, sentence in definitions.refusals.items():
        if not sentence:
            raise TypeError(f"the refusal {rule_and_code[1]!r} of {rule_and_code[0]} has no sentence")
    return definitions


def _put_once_or_same(known_values: dict[Any, Any], key: object, value: object, location: str) -> None:
    """Add a value under its key. Raise TypeError if the key already has a different value."""
    if known_values.setdefault(key, value) != value:
        raise TypeError(f"{location}: {key} is defined twice")


def _file_definition(definitions: Collected, value: Any, mark: Words | Part) -> None:
    if isinstance(mark, Words):
        if hasattr(value, "fact_kind"):
            _put_class(definitions.facts, value, mark, find_fact_kind)
        else:
            _put_class(
                definitions.inputs if hasattr(value, "declared_by") else definitions.choices, value, mark, find_kind
            )
        return
    match mark.role:
        case "decides":
            _put_for_each_class(definitions.decides, value)
        case "throws":
            _put_for_each_class(definitions.throws, value, place=0)
        case "means":
            _put_for_each_class(definitions.means, value)
        case "reports":
            _put_for_each_class(definitions.reports, value, place=0, least=1)
        case "changes":
            state_classes, fact_classes = (list(_list_classes(hint)) for hint in _list_parameter_types(value)[:2])
            for state_class in state_classes:
                changes_by_fact = definitions.changes.setdefault(state_class, {})
                for fact_class in fact_classes:
                    if fact_class in changes_by_fact:
                        names = f"{state_class.__name__} by {fact_class.__name__}"
                        raise TypeError(f"two functions change {names}: {_name_function(value)}")
                    changes_by_fact[fact_class] = value
        case "offers":
            _list_parameter_types(value)
            definitions.offers.append(value)
            definitions.own_offers += mark.instead_of


def _put_class(
    words_by_class: dict[type[object], Words], cls: Any, mark: Words, find_name: Callable[[object], str]
) -> None:
    namesake = next((other for other in words_by_class if find_name(other) == find_name(cls)), None)
    if namesake is not None:
        raise TypeError(
            f"{cls.__module__}.{cls.__name__} and {namesake.__module__}.{namesake.__name__}: {find_name(cls)} twice"
        )
    words_by_class[cls] = mark


def _put_for_each_class(
    functions: dict[type[object], Any], function: Callable[..., Any], place: int = 1, least: int = 2
) -> None:
    for cls in _list_classes(_list_parameter_types(function, least)[place]):
        if cls in functions:
            raise TypeError(
                f"two functions for {cls.__name__}: {_name_function(functions[cls])} and {_name_function(function)}"
            )
        functions[cls] = function


def _list_parameter_types(function: Callable[..., Any], least: int = 2) -> list[Any]:
    types_by_name = get_type_hints(function)
    types_by_name.pop("return", None)
    if len(types_by_name) < least:
        parameters = "a parameter with a type" if least == 1 else "two parameters with types"
        raise TypeError(f"{_name_function(function)} must have {parameters}")
    return list(types_by_name.values())


def _list_classes(hint: Any) -> Iterator[type[object]]:
    """Yield the classes in a parameter's type: all members of a union; for `Enrol[Sheet]` the class `Enrol`."""
    if get_origin(hint) in (Union, types.UnionType):
        for part in get_args(hint):
            yield from _list_classes(part)
    else:
        yield get_origin(hint) or hint


def _name_function(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{getattr(function, '__qualname__', function)}"


def _index_changes(definitions: Collected, state_classes: Any) -> dict[type[Any], dict[type[object], Change]]:
    """Return the functions that apply facts to states, by class of state and class of fact.

    Raise TypeError if a fact has no such function and is not declared to change nothing, or if a function takes
    anything but a state and a fact of the game. A class of states can have a method `note(self, fact)` for facts that
    change nothing. It returns the state, or None if the fact does not fit.
    """
    unchanging_classes = [fact_class for fact_class, words in definitions.facts.items() if words.changes_nothing]
    changing_classes = {fact_class for changed in definitions.changes.values() for fact_class in changed}
    for fact_class, words in definitions.facts.items():
        if not words.changes_nothing and fact_class not in changing_classes:
            raise TypeError(
                f"{fact_class.__module__}.{fact_class.__name__} changes nothing: add a function with @changes, "
                "or `changes=None`"
            )
    not_fact_names = [fact_class.__name__ for fact_class in changing_classes if fact_class not in definitions.facts]
    not_state_names = [state_class.__name__ for state_class in definitions.changes if state_class not in state_classes]
    if not_fact_names or not_state_names:
        raise TypeError(
            f"functions with @changes name classes that are not facts ({not_fact_names}) or not states "
            f"({not_state_names})"
        )
    return {
        state_class: {
            **dict.fromkeys(unchanging_classes, getattr(state_class, "note", keep_unchanged)),
            **definitions.changes.get(state_class, {}),
        }
        for state_class in state_classes
    }


def _check_guards(chapters: Sequence[ModuleType]) -> None:
    """Raise TypeError for a function that returns a refusal and is not marked with @guards. Without the mark, a veil
    would raise an error in an offer.
    """
    package = chapters[0].__name__.rpartition(".")[0]
    values = [value for chapter in chapters for value in vars(chapter).values() if _belongs_to(package, value)]
    methods = [method for value in values if isinstance(value, type) for method in vars(value).values()]
    for function in (value for value in (*values, *methods) if isinstance(value, types.FunctionType)):
        if "Refused" in str(function.__annotations__.get("return")) and find_mark(function) != Part("guards"):
            raise TypeError(
                f"{_name_function(function)} returns a refusal, and the game has hidden fields: mark it with @guards"
            )


def _make_move_lister(
    definitions: Collected, draft_class: type[Draft[Any, Any, Any]], seen_as: Callable[[Seen], Table[Any]]
) -> Callable[[Seen], Iterator[Move]]:
    def list_moves(seen: Seen) -> Iterator[Move]:
        yield from list_kernel_moves(seen, left_out=definitions.own_offers)
        shown_draft = draft_class(seen_as(seen))
        for offer in definitions.offers:
            try:
                yield from offer(seen, shown_draft)
            except Veiled:
                raise TypeError(f"{_name_function(offer)} looks at a hidden field outside a guard") from None

    return list_moves


def _name_fields(state_classes: Iterable[type[Any]]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the labels of fields and the kinds of their references, both by field name."""
    labels: dict[str, str] = {}
    refers: dict[str, str] = {}
    for record_type in _list_record_types(state_classes):
        for name, hint in load_marked_hints(record_type).items():
            for title in (mark.title for mark in split_marks(hint)[1] if isinstance(mark, Says)):
                _put_once_or_same(labels, name, title, f"the label in {record_type.__name__}")
            if (target := next(_list_references(hint), None)) is not None:
                _put_once_or_same(
                    refers, name, target if target in NAMED else "id", f"the reference in {record_type.__name__}"
                )
    return labels, refers


def _list_references(hint: Any) -> Iterator[str]:
    """Yield the kinds of id that a field's type refers to, at any depth."""
    plain_type, marks = split_marks(hint)
    if not any(isinstance(mark, Prose) for mark in marks):  # what people wrote needs no label
        yield from (mark.to for mark in marks if isinstance(mark, Ref))
    for part in get_args(plain_type):
        yield from _list_references(part)


def _list_record_types(classes: Iterable[type[Any]]) -> Iterator[type[Any]]:
    """Yield these dataclasses and all dataclasses in their fields, each once."""
    record_types: dict[type[Any], None] = {}
    hints_to_visit = list(classes)
    while hints_to_visit:
        hint: Any = hints_to_visit.pop(0)
        if isinstance(hint, type) and is_dataclass(hint) and hint not in record_types:
            record_types[hint] = None
            hints_to_visit += [field_hint for name, field_hint in get_type_hints(hint).items() if name != "adrift"]
        else:
            hints_to_visit += get_args(hint)
    yield from record_types


def _list_thrown_dice(definitions: Collected, do: object, recorded: RecordedFacts) -> Iterator[Thrown]:
    list_throws = definitions.throws.get(type(do))
    return list_throws(do, recorded) if list_throws is not None else iter(())


def _make_phrases(
    definitions: Collected,
    says: Mapping[type[object], Phrase],
    words: Mapping[str, str],
    speech: Speech,
    characters_in: Sequence[str],
) -> Phrases:
    ranked_facts = sorted(
        (words.headline, place, fact)
        for place, (fact, words) in enumerate(definitions.facts.items())
        if words.headline is not None
    )
    sentences_by_code: dict[str, str] = {}
    for (_, code), sentence in definitions.refusals.items():
        sentences_by_code.setdefault(code, sentence)
    default_phrases = Phrases()
    return Phrases(
        facts=speech.word_phrases({fact: mark.says for fact, mark in definitions.facts.items()}),
        inputs=speech.word_phrases({**says, **{do: mark.says for do, mark in definitions.inputs.items()}}),
        choices=speech.word_phrases({choice: mark.says for choice, mark in definitions.choices.items()}),
        questions=definitions.questions,
        refusals=sentences_by_code,
        refusals_of={
            key: says for key, says in definitions.refusals.items() if key[0] and sentences_by_code[key[1]] != says
        },
        steps={id: line.step for id, line in definitions.rules.items() if line.step},
        headlines=tuple(fact for _, _, fact in ranked_facts),
        people=frozenset(characters_in) or default_phrases.people,
        words=words,
    )


# --- unused definitions
# ------------------------------------------------------------------------------------------------


def _check_everything_is_used(definitions: Collected, chapters: Sequence[ModuleType], dials: type) -> None:
    """Raise TypeError for a rule or question that the game does not use."""
    package = chapters[0].__name__.rpartition(".")[0]
    values = [
        value
        for namespace in _list_namespaces(package, chapters)
        for value in namespace.values()
        if _belongs_to(package, value)
    ]
    reached_values_by_id = {id(value): value for value in chain.from_iterable(map(_list_reached_values, values))}
    cited_things: set[object] = {rule for rule, _ in definitions.refusals}
    cited_things.update(option.metadata["rule"] for option in list_dial_fields(dials).values())
    cited_things.update(chain.from_iterable(map(_list_texts_and_questions, reached_values_by_id.values())))
    if uncited_rules := [id for id in definitions.rules if id not in cited_things]:
        raise TypeError(f"rules that are never cited: {uncited_rules}")
    if unasked_slots := [
        slot for slot, says in definitions.questions.items() if Question(slot, says) not in cited_things
    ]:
        raise TypeError(f"questions that are never asked: {unasked_slots}")


def _list_namespaces(package: str, chapters: Sequence[ModuleType]) -> list[dict[str, Any]]:
    """Return the namespaces of the chapters, and of the game's other modules that they use."""
    namespaces = [vars(chapter) for chapter in chapters]
    known_names = {chapter.__name__ for chapter in chapters}
    for namespace in namespaces:
        for value in namespace.values():
            if (
                isinstance(value, types.FunctionType)
                and value.__module__ not in known_names
                and _belongs_to(package, value)
            ):
                known_names.add(value.__module__)
                namespaces.append(value.__globals__)
    return namespaces


def _belongs_to(package: str, value: object) -> bool:
    """Return whether a value is part of the game's code. Texts and questions do not count, only code that uses them."""
    return not isinstance(value, str | Question) and str(getattr(value, "__module__", package)).startswith(package)


def _list_reached_values(value: Any) -> Iterator[object]:
    """Yield the values that a function or class names in its code. For any other value, yield the value itself."""
    if isinstance(value, types.FunctionType):
        names = list(_list_names(value.__code__))
        named_values = [value.__globals__.get(name) for name in names]
        yield from named_values
        for module in (value for value in named_values if isinstance(value, ModuleType)):
            yield from map(vars(module).get, names)
        yield from _list_reached_values(getattr(value, "__wrapped__", None))
    elif isinstance(value, type):
        for part in vars(value).values():
            yield from _list_reached_values(getattr(part, "__wrapped__", getattr(part, "fget", part)))
    else:
        yield value


def _list_names(code: CodeType) -> Iterator[str]:
    """Yield the names in a function's code, and in the functions within it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _list_names(constant)


def _list_texts_and_questions(value: object, depth: int = 4) -> Iterator[str | Question]:
    if isinstance(value, str | Question):
        yield value
    elif depth and isinstance(value, Mapping):
        for key, item in value.items():
            yield from (*_list_texts_and_questions(key, depth - 1), *_list_texts_and_questions(item, depth - 1))
    elif depth and isinstance(value, tuple | list | frozenset | set):
        for item in value:
            yield from _list_texts_and_questions(item, depth - 1)
    elif depth and is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _list_texts_and_questions(getattr(value, field.name, None), depth - 1)
