"""Convert declarations, questions and answers to and from the JSON objects that are stored and sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from ledger.application.parser import find_nearest_word, shorten_sent_value
from ledger.errors import Malformed
from ledger.events.codec import encode
from ledger.events.codec import plain as decode
from ledger.events.records import Given
from ledger.rules.kernel import commands, json_types, questions
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.declarations import find_kind
from ledger.rules.kernel.questions import Answer
from ledger.rules.kernel.upcasting import SHEET, upcast

Json = dict[str, Any]
question_json = questions.question_json
ANSWER_CLASSES: dict[str, type[object]] = {
    "dice": questions.Dice,
    "cards": questions.Drawn,
    "order": questions.Shuffled,
    "coins": questions.Flipped,
}


def to_json(value: object) -> Any:
    """Return a game's value as JSON values. Tuples become lists."""
    return decode(encode(value))


def list_open_questions(question: questions.Question | None) -> tuple[Json, tuple[Json, ...], tuple[Json, ...]]:
    """Return the first open question, the other open questions, and the answered questions that were asked at the same
    time.
    """
    first_question, *other_questions = questions.list_open_questions(question)
    answered_questions = first_question.answered if isinstance(first_question, questions.Ask) else ()
    return (
        question_json(first_question),
        tuple(map(question_json, other_questions)),
        tuple(map(question_json, answered_questions)),
    )


def declaration_to_json(do: Any) -> Json:
    return {"kind": find_kind(do), **to_json(do)}


@cache
def _index_by_kind(classes: tuple[type[object], ...]) -> Mapping[str, type[object]]:
    return {find_kind(cls): cls for cls in classes}


def index_declaration_classes(ruleset: AnyRuleset) -> Mapping[str, type[object]]:
    """Return, by kind, the class of every declaration that a campaign of the game accepts."""
    return _index_by_kind((*commands.INPUTS, *ruleset.inputs))


def index_choice_classes(ruleset: AnyRuleset) -> Mapping[str, type[object]]:
    """Return, by kind, the class of every choice that can answer a question of the game."""
    return _index_by_kind(ruleset.choices)


def declaration_from_json(ruleset: AnyRuleset, document: Mapping[str, object], edition: int | None = None) -> Any:
    """Return the declaration. Raise Malformed for an unknown kind, a missing or extra field, or a value of the wrong
    type.

    `edition`: the edition that stored it, or None if it has the current form.
    """
    document = upcast_declaration(ruleset, document, edition)
    cls = find_record_class(index_declaration_classes(ruleset), document, "input")
    return _read_record(cls, document, {"sheet": ruleset.sheet} if cls is commands.Enrol else {})


def upcast_declaration(
    ruleset: AnyRuleset, document: Mapping[str, object], edition: int | None
) -> Mapping[str, object]:
    """Return a declaration, converted from this edition to the form that the installed rules read. Raise Malformed if
    an upcaster fails.
    """
    document_today = _upcast_if_earlier(ruleset, document, edition)
    if (
        edition is None
        or not isinstance(document_today.get("sheet"), Mapping)
        or document_today.get("kind") != find_kind(commands.Enrol)
    ):
        return document_today
    return {**document_today, "sheet": _upcast(ruleset, SHEET, document_today["sheet"], edition)}


def upcast_answer(ruleset: AnyRuleset, document: Mapping[str, Any], edition: int | None) -> Json:
    """Return an answer, converted as `upcast_declaration` does."""
    choice = document.get("choice")
    return (
        {**document, "choice": _upcast_if_earlier(ruleset, choice, edition)}
        if isinstance(choice, Mapping)
        else dict(document)
    )


def upcast_answers(ruleset: AnyRuleset, answers: Iterable[Given], edition: int) -> tuple[Given, ...]:
    """Return recorded answers in the current form. Raise Malformed if the installed rules cannot read one."""
    return tuple(
        replace(answer, answer=answer_to_json(answer_from_json(ruleset, answer.answer, edition)))
        if "choice" in answer.answer
        else answer
        for answer in answers
    )


def _upcast_if_earlier(ruleset: AnyRuleset, document: Mapping[str, Any], edition: int | None) -> Mapping[str, Any]:
    return document if edition is None else _upcast(ruleset, str(document.get("kind", "")), document, edition)


def _upcast(ruleset: AnyRuleset, kind: str, document: Mapping[str, Any], edition: int) -> Json:
    try:
        return upcast(ruleset, kind, document, edition)
    except Exception as problem:  # an upcaster can raise any error
        detail = f"The upcaster of `{kind}` fails on a record of edition {edition}: {type(problem).__name__}."
        raise Malformed(detail, code="upcaster-failed") from problem


def choice_from_json(ruleset: AnyRuleset, document: Mapping[str, Any], edition: int | None = None) -> object:
    """Return the choice. Raise the same errors as `declaration_from_json`."""
    document = _upcast_if_earlier(ruleset, document, edition)
    return _read_record(find_record_class(index_choice_classes(ruleset), document, "choice"), document, {})


def find_record_class(classes: Mapping[str, type[object]], document: Mapping[str, object], noun: str) -> type[object]:
    """Return the class of this kind. Raise Malformed if there is no such class."""
    kind = document.get("kind")
    if not isinstance(kind, str) or kind not in classes:
        nearest_kind = find_nearest_word(kind, tuple(classes))
        suggestion = f" Did you mean {nearest_kind!r}?" if nearest_kind else ""
        message = f"There is no {noun} of the kind {shorten_sent_value(kind)!r}.{suggestion}"
        raise Malformed(message, code="unknown-kind", known=sorted(classes))
    return classes[kind]


def _read_record(cls: type, document: Mapping[str, Any], open_hints: Mapping[str, Any]) -> Any:
    """Return a record. Each field is read by itself, so that a generic field (a sheet) gets its type."""
    hints = {**json_types.load_hints(cls), **open_hints}
    values = {name: value for name, value in document.items() if name != "kind"}
    names = json_types.list_names(cls)
    try:
        for name in values:
            if name not in names:
                raise json_types.Misshapen(f"there is no field {name!r}")
        return cls(**{name: json_types.convert(value, hints[name]) for name, value in values.items()})
    except (json_types.Misshapen, TypeError) as problem:
        raise Malformed(f"{find_kind(cls)}: {str(problem).replace('__init__() ', '')}.") from None


def answer_to_json(answer: Answer) -> Json:
    if isinstance(answer, questions.Choice):
        return {"choice": declaration_to_json(answer.value)}
    for name, cls in ANSWER_CLASSES.items():
        if isinstance(answer, cls):
            return {name: {key: value for key, value in to_json(answer).items() if value is not None}}
    raise TypeError(f"not an answer: {answer!r}")


def answer_from_json(ruleset: AnyRuleset, document: Mapping[str, Any], edition: int | None = None) -> Answer:
    """Return an answer. Raise Malformed unless it has dice, cards, an order, coins or a choice."""
    document = upcast_answer(ruleset, document, edition)
    if len(document) == 1:
        ((name, value),) = document.items()
        if name == "choice" and isinstance(value, Mapping):
            return questions.Choice(choice_from_json(ruleset, value))
        if name in ANSWER_CLASSES:
            try:
                answer: Answer = json_types.convert(value, ANSWER_CLASSES[name])
                return answer
            except json_types.Misshapen as problem:
                raise Malformed(f"{name}: {problem}.") from None
    raise Malformed("An answer must be dice, cards, order, coins or choice.", code="answer-kind")
