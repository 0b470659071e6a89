"""The possible answers to a question, as JSON Schema: for this seat, as things stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ledger.application import Pending
from ledger.application.commands.rights import may_decide
from ledger.application.json_form import index_choices
from ledger.application.reading.asking import find_other_question, find_question_now, may_answer
from ledger.rules.kernel.declarations import find_chooser
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.moves import Among, Shape, by_type
from ledger.rules.kernel.questions import Ask, Draw, Question
from ledger.rules.kernel.thrown import can_bring_dice, without_dice
from projections.documents.move_schemas import narrow_record
from projections.redaction import Json, LiveLens


def answer_schema(lens: LiveLens, pending: Pending) -> Json | None:
    """Return the schema of an answer; None if this seat cannot answer, or nobody can yet: somebody else must first say
    which cards to keep, or (in a game without secrets) another action is carried out first.

    For dice that open others (`x-opens`): as many as are asked for, and one more for each that does.
    """
    shown = lens.show_question(pending.question, pending.seat)
    if shown is None or not may_answer(lens.book, pending, lens.viewer):
        return None
    if not lens.book.ruleset.secrets and find_other_question(lens.book, pending) is None:
        return None
    question: dict[str, Any] = dict(shown)
    if question["ask"] != "choice" and _is_ledger_only(lens):  # older questions: no card lets the ledger roll
        return _make_object("cards", {"cards": _list({"type": "string"}, 0)})
    match question["ask"]:
        case "roll":
            return _make_object("dice", {"sides": {"const": question["sides"]}, "faces": _make_faces_schema(question)})
        case "flip":
            return _make_object("coins", {"coins": _list({"enum": ["heads", "tails"]}, question["count"])})
        case "shuffle":
            return _make_object(
                "order", {"cards": _describe_cards(question["cards"], len(question["cards"]), all_=True)}
            )
        case "draw":
            return _list_cards(question, find_other_question(lens.book, pending))
        case _:
            kinds = list(_list_kinds(lens, question))
            chosen: Json = {"anyOf": list(_list_choices(lens, pending, kinds))}
            return {"type": "object", "properties": {"choice": chosen}, **_require("choice")} if kinds else None


def _list_cards(question: dict[str, Any], asked: Question | None) -> Json | None:
    """Return the cards that are left. If these are not shown, return all that can be entered; no
    which it does then. None: just now nobody can draw.
    """
    if not isinstance(asked, Draw):
        return None
    if asked.by_ledger:
        return _make_object("cards", {"cards": _list({"type": "string"}, 0)})
    cards = question.get("cards", asked.named)
    items = _describe_cards(cards, question["count"]) if cards else _list({"type": "string"}, question["count"])
    return _make_object("cards", {"cards": items})


def _make_object(name: str, fields: Json) -> Json:
    inner: Json = {"type": "object", "properties": fields, "required": list(fields)}
    return {"type": "object", "properties": {name: inner}, **_require(name)}


def _require(name: str) -> Json:
    return {"required": [name], "additionalProperties": False}


def _make_faces_schema(question: dict[str, Any]) -> Json:
    face: Json = {"type": "integer", "minimum": 1, "maximum": question["sides"]}
    if question.get("opens") is None:
        return _list(face, question["count"])
    return {"type": "array", "items": face, "minItems": question["count"], "x-opens": question["opens"]}


def _describe_cards(cards: Sequence[str], count: int, *, all_: bool = False) -> Json:
    """Return the schema of a list of these cards, each at most as often as it is there. `all_`: every one of them, in
    any order.
    """
    counts = Counter(cards)
    made = _list({"enum": list(counts)}, count)
    if len(counts) == len(cards):
        return {**made, "uniqueItems": True}
    often: list[Json] = [
        {"contains": {"const": card}, "minContains": many if all_ else 0, "maxContains": many}
        for card, many in counts.items()
    ]
    return {**made, "allOf": often}


def _list(items: Json, count: object) -> Json:
    return {"type": "array", "items": items, "minItems": count, "maxItems": count}


def _list_kinds(lens: LiveLens, question: dict[str, Any]) -> Iterator[str]:
    """Yield the kinds this seat can choose. A game master cannot choose those that only the seat asked can."""
    known = index_choices(lens.book.ruleset)
    for option in question.get("choices", ()):
        if _may_say(lens, known[option["kind"]], question.get("seat")):
            yield option["kind"]


def _list_choices(lens: LiveLens, pending: Pending, kinds: Sequence[str]) -> Iterator[Json]:
    """Yield each kind with its reference, and how it is narrowed now."""
    game, known = lens.book.ruleset.name, index_choices(lens.book.ruleset)
    asked = find_question_now(lens.book, pending)
    for kind in kinds:
        reference = f"/openapi.json#/components/schemas/{game}_choice_{kind}"
        for shape in _narrow(asked, known[kind]):
            if _is_ledger_only(lens) and can_bring_dice(known[kind]):
                whole = shape or Shape(known[kind], by_type(known[kind]).fields)
                shape = changed(whole, fields=without_dice(whole.do, whole.fields))  # noqa: PLW2901
            yield {"allOf": [{"$ref": reference}, narrow_record(kind, shape)]}


def _is_ledger_only(lens: LiveLens) -> bool:
    """Return whether nobody can enter dice (option `dice`)."""
    return lens.book.load_kernel_dials().dice == "ledger_only"


def _may_say(lens: LiveLens, choice: type[object], asked: str | None) -> bool:
    whose = find_chooser(choice)
    if whose == "asked":
        return asked in (lens.viewer.seat, "gm")
    return whose != "gm" or may_decide(lens.book, lens.viewer)


def _narrow(asked: Question | None, choice: type[object]) -> list[Shape | None]:
    """Return how the choice is narrowed: not at all (None), or to these; none if it is impossible now."""
    within: list[Shape | None] = (
        [shape for shape in asked.within if shape.do is choice] if isinstance(asked, Ask) else []
    )
    possible = [shape for shape in within if shape is not None and Among(()) not in shape.fields.values()]
    return [*possible] if within else [None]
