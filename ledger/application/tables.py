"""Check that everybody is at the table: a fork with secrets waits until every seat from the origin is claimed."""

from __future__ import annotations

from ledger.application.book import Book
from ledger.application.calls import Act, Done
from ledger.application.save import Save
from ledger.errors import WrongStatus
from ledger.rules.kernel.register import SeatEntry
from ledger.rules.kernel.subjects import seat


def require_complete_table(act: Act) -> Act:
    """Return the act with a check before it, which raises WrongStatus while a seat is unclaimed."""

    def act_if_complete(save: Save) -> Done:
        must_be_complete(save.book)
        return act(save)

    return act_if_complete


def must_be_complete(book: Book) -> None:
    """Raise WrongStatus while a seat of a fork is unclaimed, if any event taken over from the origin is hidden from a
    seat.

    A seat that played on alone would learn the others' secrets as they came into play. The refusal does not reveal
    whose secrets they are, because it depends on the whole record.
    """
    missing_seats = list_missing_seats(book)
    if missing_seats:
        names = [_find_seat_name(book, id) for id in missing_seats]
        name_list = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
        raise WrongStatus(
            f"This campaign has hidden information, so it can continue only when all seats are claimed."
            f" Still missing: {name_list}.",
            code="seats-unclaimed",
            seats=missing_seats,
        )


def list_missing_seats(book: Book) -> list[str]:
    """Return the seats that the table waits for. There are none if the campaign is not a fork, or hides nothing."""
    return book.list_unclaimed_seats() if book.forks and book.forks[-1].hidden else []


def _find_seat_name(book: Book, id: str) -> str:
    folded = book.find(seat(id))
    return folded.entry.name if folded is not None and isinstance(folded.entry, SeatEntry) else id
