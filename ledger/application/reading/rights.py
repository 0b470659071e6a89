"""Check who may declare, answer and decide."""

from __future__ import annotations

from ledger.application import json_form
from ledger.application.book import Book
from ledger.errors import NotYours
from ledger.rules.kernel import seen
from ledger.rules.kernel.declarations import find_chooser, find_declarer, find_kind
from ledger.rules.kernel.declarers import may_declare
from ledger.rules.kernel.questions import Answer, Choice
from ledger.rules.kernel.subjects import Audience, Subject, Viewer
from ledger.rules.kernel.table import RulingTable, Subjects


def may_decide(book: Book, viewer: Viewer) -> bool:
    """Return whether the seat may make the decisions of a game master."""
    return seen.decides_for_table(book, viewer)


def must_be_declarer(
    book: Book, do: object, viewer: Viewer, named_scene: Subject | None, subjects: Subjects | None = None
) -> bool:
    """Raise NotYours unless the seat may declare this. Return True if the owner cannot be determined. In that case the
    rules must refuse the declaration.

    `subjects`: the subjects as a viewer may know them. By default, the subjects as they are.
    """
    if viewer.role == "observer":
        raise NotYours("Observers can only watch. Only players and game masters can declare actions.")
    table = RulingTable(book.ruleset, subjects or book, book.campaign.rulings + 1, viewer, named_scene)
    is_allowed = may_declare(do, table, may_decide(book, viewer), book.entry.roster)
    if is_allowed is False:
        raise NotYours(f"Only {find_declarer(do).text} can declare that.")
    return is_allowed is None


def must_be_asked(book: Book, question: json_form.Json, declarer_seat: str, viewer: Viewer) -> None:
    """Raise NotYours unless this seat may answer: the seat asked, a game master or, for dice, the rolling or declaring
    seat.
    """
    if may_decide(book, viewer) and viewer.may_see(find_question_audience(question)):
        return
    kind, _, id = (question.get("who") or "").partition(":")
    if question.get("ask") == "choice":
        is_asked = question.get("seat") == viewer.seat
    else:
        is_asked = viewer.seat == declarer_seat or (id == viewer.seat if kind == "seat" else id in viewer.characters)
    if not is_asked:
        raise NotYours("This question is not for your seat.")


def must_be_chooser(book: Book, question: json_form.Json, answer: Answer, viewer: Viewer) -> None:
    """Raise NotYours for a choice that only the seat asked, or only a game master, can make."""
    if not isinstance(answer, Choice):
        return
    chooser = find_chooser(answer.value)
    if chooser == "asked" and question.get("seat") not in (viewer.seat, "gm"):
        raise NotYours(f"Only the player asked can answer {find_kind(answer.value)!r}.")
    if chooser == "gm" and not may_decide(book, viewer):
        raise NotYours(f"Only a game master can answer {find_kind(answer.value)!r}.")


def find_question_audience(question: json_form.Json) -> Audience:
    audience = question.get("audience")
    return tuple(audience) if audience is not None else None
