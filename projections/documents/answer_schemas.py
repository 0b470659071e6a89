"""The answers that a seat can give to a question now, as JSON Schema."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ledger.application import Pending
from ledger.application.json_form import index_choice_classes
from ledger.application.reading.asking import find_current_question, find_question_now, may_answer, may_change_answer
from ledger.application.reading.rights import may_decide
from ledger.rules.kernel.declarations import find_chooser
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.moves import Among, Shape, make_move_by_type
from ledger.rules.kernel.questions import Ask, Draw, Question
from ledger.rules.kernel.thrown import can_bring_dice, drop_dice_fields
from projections.documents.move_schemas import make_narrow_schema
from projections.redaction import Json, LiveLens


def make_answer_schema(lens: LiveLens, pending: Pending, stored_question: Json | None) -> Json | None:
    """Return the schema of an answer to this question, or None if this seat cannot answer it now.

    `x-opens` in the schema: each die that shows this face adds another die to the answer.
    """
    shown_question = lens.show_question(stored_question, pending.seat)
    if stored_question is None or shown_question is None:
        return None
    if not may_answer(lens.book, pending, stored_question, lens.viewer) and not may_change_answer(
        pending, stored_question, lens.viewer
    ):
        return None
    if not lens.book.ruleset.secrets and find_current_question(lens.book, pending) is None:
        return None
    question: dict[str, Any] = dict(shown_question)
    # for older questions: an answer without cards lets the ledger roll
    if question["ask"] != "choice" and _is_ledger_only(lens):
        return _make_answer_schema("cards", {"cards": _make_list_schema({"type": "string"}, 0)})
    match question["ask"]:
        case "roll":
            return _make_answer_schema(
                "dice", {"sides": {"const": question["sides"]}, "faces": _make_faces_schema(question)}
            )
        case "flip":
            return _make_answer_schema(
                "coins", {"coins": _make_list_schema({"enum": ["heads", "tails"]}, question["count"])}
            )
        case "shuffle":
            return _make_answer_schema(
                "order", {"cards": _make_card_list_schema(question["cards"], len(question["cards"]), every_card=True)}
            )
        case "draw":
            return _make_cards_schema(question, find_current_question(lens.book, pending))
        case _:
            kinds = list(_list_choosable_kinds(lens, question))
            choice_schema: Json = {"anyOf": list(_list_choices(lens, pending, stored_question, kinds))}
            return (
                {"type": "object", "properties": {"choice": choice_schema}, **_require_only("choice")}
                if kinds
                else None
            )


def _make_cards_schema(question: dict[str, Any], current_question: Question | None) -> Json | None:
    """Return the schema of the drawn cards, or None if no seat can draw now."""
    if not isinstance(current_question, Draw):
        return None
    if current_question.by_ledger:
        return _make_answer_schema("cards", {"cards": _make_list_schema({"type": "string"}, 0)})
    cards = question.get("cards", current_question.named)
    items = (
        _make_card_list_schema(cards, question["count"])
        if cards
        else _make_list_schema({"type": "string"}, question["count"])
    )
    return _make_answer_schema("cards", {"cards": items})


def _make_answer_schema(name: str, field_schemas: Json) -> Json:
    """Return the schema of an answer with one record, called `name`."""
    record_schema: Json = {"type": "object", "properties": field_schemas, "required": list(field_schemas)}
    return {"type": "object", "properties": {name: record_schema}, **_require_only(name)}


def _require_only(name: str) -> Json:
    return {"required": [name], "additionalProperties": False}


def _make_faces_schema(question: dict[str, Any]) -> Json:
    face: Json = {"type": "integer", "minimum": 1, "maximum": question["sides"]}
    if question.get("opens") is None:
        return _make_list_schema(face, question["count"])
    return {"type": "array", "items": face, "minItems": question["count"], "x-opens": question["opens"]}


def _make_card_list_schema(cards: Sequence[str], count: int, *, every_card: bool = False) -> Json:
    """Return the schema of a list of `count` of these cards. `every_card`: the list has all of these cards, in any
    order.
    """
    counts = Counter(cards)
    schema = _make_list_schema({"enum": list(counts)}, count)
    if len(counts) == len(cards):
        return {**schema, "uniqueItems": True}
    limits: list[Json] = [
        {"contains": {"const": card}, "minContains": card_count if every_card else 0, "maxContains": card_count}
        for card, card_count in counts.items()
    ]
    return {**schema, "allOf": limits}


def _make_list_schema(items: Json, count: object) -> Json:
    return {"type": "array", "items": items, "minItems": count, "maxItems": count}


def _list_choosable_kinds(lens: LiveLens, question: dict[str, Any]) -> Iterator[str]:
    """Yield the kinds that this seat can choose."""
    classes_by_kind = index_choice_classes(lens.book.ruleset)
    for option in question.get("choices", ()):
        if _may_choose(lens, classes_by_kind[option["kind"]], question.get("seat")):
            yield option["kind"]


def _list_choices(lens: LiveLens, pending: Pending, question: Json, kinds: Sequence[str]) -> Iterator[Json]:
    """Yield a schema for each kind, with its current limits."""
    game, classes_by_kind = lens.book.ruleset.name, index_choice_classes(lens.book.ruleset)
    current_question = find_question_now(lens.book, pending, question)
    for kind in kinds:
        reference = f"/openapi.json#/components/schemas/{game}_choice_{kind}"
        for shape in _list_choice_shapes(current_question, classes_by_kind[kind]):
            if _is_ledger_only(lens) and can_bring_dice(classes_by_kind[kind]):
                open_shape = shape or Shape(classes_by_kind[kind], make_move_by_type(classes_by_kind[kind]).fields)
                shape = changed(open_shape, fields=drop_dice_fields(open_shape.do, open_shape.fields))  # noqa: PLW2901
            yield {"allOf": [{"$ref": reference}, make_narrow_schema(kind, shape)]}


def _is_ledger_only(lens: LiveLens) -> bool:
    """Return whether the ledger rolls all dice (option `dice`)."""
    return lens.book.load_kernel_dials().dice == "ledger_only"


def _may_choose(lens: LiveLens, choice_class: type[object], asked_seat: str | None) -> bool:
    chooser = find_chooser(choice_class)
    if chooser == "asked":
        return asked_seat in (lens.viewer.seat, "gm")
    return chooser != "gm" or may_decide(lens.book, lens.viewer)


def _list_choice_shapes(current_question: Question | None, choice_class: type[object]) -> list[Shape | None]:
    """Return the shapes that the choice can have now. None stands for a choice without limits."""
    shapes: list[Shape | None] = (
        [shape for shape in current_question.within if shape.do is choice_class]
        if isinstance(current_question, Ask)
        else []
    )
    possible_shapes = [shape for shape in shapes if shape is not None and Among(()) not in shape.fields.values()]
    return [*possible_shapes] if shapes else [None]
