"""Withheld answers that became visible to everybody because the ruling used them."""

from __future__ import annotations

from ledger.application.book import Book
from ledger.application.json_form import Json

#: Occurs in the stored form of every record with a withheld answer.
WITHHELD = b'"withheld":true'


def drop_revealed_answers(book: Book, waiting_id: str, body: Json) -> Json:
    """Return the body of a waiting declaration's event, without the withheld answers that the ruling revealed."""
    pending = book.load_pending(waiting_id)
    used_answers = [
        (answer.question, answer.answer, answer.by, answer.at)
        for answer in pending.answers
        if pending.ruling is not None and not answer.withheld and not answer.set_aside and answer.audience is None
    ]
    kept_answers = [
        answer
        for answer in body["fact"].get("answers", ())
        if not answer.get("withheld")
        or (answer["question"], answer["answer"], answer["by"], answer["at"]) not in used_answers
    ]
    return {**body, "fact": {**body["fact"], "answers": kept_answers}}
