"""The events of waiting declarations, as the timeline keeps them and as one viewer sees them in the feed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias, cast

from ledger.application import Pending, WaitStatus
from ledger.events.envelope import Body
from ledger.rules.kernel.subjects import Audience
from projections.documents.answers import Given, show_answers
from projections.documents.rulings import AT
from projections.documents.shape import Document, give_example
from projections.documents.stored_rulings import StoredAnswer, make_stored_answers
from projections.documents.waiting import WAITING
from projections.redaction import Asked, Json, Person, StoredQuestion, StoredRow, ViewLens
from projections.wording import Wording, word_wait

What: TypeAlias = Literal["waiting", "answered", "withdrawn"]


class StoredWait(StoredRow):
    """A row of the timeline. `question`: the question that was asked, answered or open, with its audience.

    `hidden`: the sentence for viewers who may not know the declaration. `seat`: the declaring seat; `by`: the acting
    seat.
    """

    id: str
    position: int
    waiting: str
    status: WaitStatus
    declared: Json
    seat: str
    question: Json | None
    answers: list[StoredAnswer]
    scene: str | None
    ruling: int | None
    reason: str | None
    at: str
    hidden: str


@give_example(
    id="9.1",
    position=9,
    waiting="w9",
    status="waiting",
    declared=WAITING["declared"],
    declarer=WAITING["by"],
    question=WAITING["question"],
    answers=[],
    scene=None,
    ruling=None,
    reason=None,
    at=AT,
    text="Giazza hits Kiro. Do you dodge or stand?",
    by={"seat": "s2", "name": "Ben"},
)
class WaitTold(Document):
    """An event of a waiting declaration: it asks a question, was answered, or is no longer waiting. `status`: the
    declaration's status after the event. `text`: the event in one sentence.

    `question`: the question that is asked now, was answered, or was open; null if this seat can't see it. `answers`:
    the answers given with the event, as far as this seat can see them. `ruling`: the ruling that the declaration
    became. `by`: the seat that caused the event; null if there is none (it lapsed) or this seat can't see it. For the
    current state, see `GET .../waiting/{waiting}`.
    """

    id: str
    position: int
    waiting: str
    status: WaitStatus
    declared: Json
    declarer: Person
    question: Asked | None
    answers: list[Given]
    scene: str | None
    ruling: int | None
    reason: str | None
    at: str
    text: str
    by: Person | None


def list_wait_rows(
    wording: Wording, pending_before: Pending | None, pending_after: Pending, body: Body[object]
) -> Iterator[tuple[What, Audience, StoredWait]]:
    """Yield the rows of one event, with their audiences. The caller adds ids.

    An answer to a secret question is as secret as the question. The end of the waiting is visible to everybody who may
    know of the declaration.
    """
    # False if the declaration was just made, or made again after it had lapsed
    was_waiting = pending_before is not None and pending_before.status == "waiting"
    if pending_before is not None and was_waiting:
        is_over = pending_after.status != "waiting"
        what: What = "withdrawn" if is_over and pending_after.ruling is None else "answered"
        question = pending_after.answered if what == "answered" else pending_before.question
        audience = pending_after.audience if is_over else find_audience(pending_before, question)
        yield what, audience, _make_row(wording, what, pending_after, question, body)
    questions_before = (
        (*pending_before.open, *pending_before.changeable) if pending_before is not None and was_waiting else ()
    )
    for question in pending_after.open:
        # a question is also asked again if its answer no longer fits
        if question not in questions_before or question == pending_after.answered:
            audience = find_audience(pending_after, question) if was_waiting else pending_after.audience
            yield "waiting", audience, _make_row(wording, "waiting", pending_after, question, body)


def find_audience(pending: Pending, stored_question: Json | None) -> Audience:
    """Return the audience of the question, including the declaring seat."""
    question = cast(StoredQuestion, stored_question or {})
    audience = question.get("audience")
    if audience is None or question.get("known") or pending.audience is not None:
        return pending.audience
    owner = question.get("who") if question.get("form") else None
    subject_id = (owner or "").removeprefix("seat:")
    entries = (*audience, question.get("seat") or "", subject_id, pending.seat)
    return tuple(dict.fromkeys(entry for entry in entries if entry))


def _make_row(wording: Wording, what: What, pending: Pending, question: Json | None, body: Body[object]) -> StoredWait:
    new_answers = [answer for answer in pending.answers if answer.at == body.at]
    question_document = {**question, "text": wording.word_question(question)} if question is not None else None
    declaration_text = wording.word_stored_declaration(pending.declared)
    outcome, reason, by = _describe_end(wording, pending, body.by) or (what, pending.reason, body.by)
    text, hidden_text = word_wait(
        outcome, declaration_text, str(question_document["text"]) if question_document else "", by, reason or ""
    )
    return {
        "id": "",
        "position": body.position,
        "waiting": pending.id,
        "status": pending.status,
        "declared": pending.declared,
        "seat": pending.seat,
        "question": question_document,
        "answers": make_stored_answers(wording, new_answers),
        "scene": pending.scene,
        "ruling": pending.ruling,
        "reason": reason,
        "at": body.at,
        "hidden": hidden_text,
        "text": text,
        "by": by,
    }


def _describe_end(wording: Wording, pending: Pending, by: str) -> tuple[str, str, str] | None:
    """Return how the declaration ended, if it lapsed or a player declined."""
    if pending.lapsed is not None:
        return "lapsed", wording.explain_lapse(pending.lapsed), ""
    return ("declined", wording.explain_decline(pending.declined), by) if pending.declined is not None else None


def show_wait(lens: ViewLens, row: StoredWait) -> WaitTold:
    """Return the event as the viewer may see it. The declaration is as secret as the question."""
    question = lens.show_question(row["question"], row["seat"])
    is_own = row["seat"] == lens.viewer.seat
    may_know = is_own or question is not None
    return {
        "id": row["id"],
        "position": row["position"],
        "waiting": row["waiting"],
        "status": row["status"],
        "declared": lens.show_declaration(row["declared"], may_know),
        "declarer": lens.name_person(row["seat"]),
        "question": question,
        "answers": show_answers(lens, row["answers"]),
        "scene": row["scene"],
        "ruling": row["ruling"],
        "reason": lens.fill_in_names(row["reason"]) if may_know and row["reason"] is not None else None,
        "at": row["at"],
        "text": lens.fill_in_names(row["text"] if question is not None else row["hidden"]),
        "by": lens.name_person(row["by"]) if row["by"] and may_know else None,
    }
