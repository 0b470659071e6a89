"""Fork a campaign: start a new campaign that continues another one from a ruling. The original campaign does not
change.

The fork begins with the original saves, byte for byte, up to the last save before the next ruling began. The fork's own
first save records the original campaign and the ruling. Only the person who forked has a seat until the others claim
theirs with their old tokens. Otherwise that person could see the others' hidden values. The fork's later rolls have
their own seeds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from eventsourcing.persistence import IntegrityError

from ledger.aggregates.campaign import name_journal_stream
from ledger.application.book import Book
from ledger.application.calls import Act, Call, Done, Reply, must_be_as_expected
from ledger.application.commands.declaring import check_not_blank
from ledger.application.commands.importing import list_gm_seats, split_into_chunks
from ledger.application.commands.seating import issue_token, load_seat_entry
from ledger.application.keys import make_receipt_id
from ledger.application.reading.revealed import WITHHELD, drop_revealed_answers
from ledger.application.reading.seals import Seal
from ledger.application.reading.shown import Present, ShownFork, ShownSeat
from ledger.application.reading.stored import read_sealed_saves
from ledger.application.roller import begin_epoch
from ledger.application.save import Save
from ledger.application.saves import RACES, Saves, must_be_there
from ledger.errors import Denied, KeyReused, Malformed, NotFound, NotYours, Stale, WrongStatus
from ledger.events.codec import encode, plain
from ledger.events.in_memory import InMemoryRecorder
from ledger.events.lineage import name_stream_here
from ledger.events.merkle import Frontier, hash_leaf
from ledger.events.recorder import LedgerRecorder, Row
from ledger.events.sealing import encode_leaf
from ledger.rules.kernel.domains import MOST_NAME
from ledger.rules.kernel.facts import CampaignForked
from ledger.rules.kernel.subjects import CAMPAIGN

CLAIM = "claim"  # in place of an idempotency key and a body, because a seat is claimed only once
HIDDEN = b'"audience":['


class NoSuchRuling(Malformed):
    """There is no such ruling to continue from. `last`: the number of the last ruling, or 0."""

    def __init__(self, at: int, last: int) -> None:
        existing_text = f"the last ruling is {last}" if last else "there are no rulings yet"
        super().__init__(f"There is no ruling {at}: {existing_text}.", code="no-such-ruling", at=at, last=last)
        self.last = last


@dataclass(frozen=True, slots=True)
class _Place:
    """The place where a fork begins: after the last save made before ruling `at` + 1 was begun.

    `rows`: the sealed events of the original campaign up to that place, with unchanged stream names. `root`: the root
    of their tree. `seeds`: the seeds of all finished epochs of the original campaign's dice.
    """

    origin: str
    name: str
    at: int
    position: int
    rows: Sequence[Row]
    root: bytes
    seeds: Mapping[int, str]


def fork_campaign(saves: Saves, call: Call, ruling_number: int, name: str | None, present: Present) -> Reply:
    """Start a campaign that continues from ruling `ruling_number`, for a game master. Return the token of the same seat
    in the fork.

    Raise NoSuchRuling if there is no such ruling, NotYours if the seat is not a game master's, or WrongStatus if it was
    not a game master's at that place.
    """
    with saves.open_on_own_book(call) as (book, viewer):
        must_be_as_expected(book, call)
        if viewer.role != "gm":
            raise NotYours("Only a game master can do this.")
        place = _find_fork_place(book, ruling_number)
    return _store_fork(saves, call, viewer.seat, place, name, present)


def fork_as_operator(saves: Saves, call: Call, ruling_number: int, name: str | None, present: Present) -> Reply:
    """Start a fork as the operator. Return the token of its first game master. Raise NotFound."""
    book = Book(saves.store, saves.codec, call.campaign)
    with saves.translate_failures(book):
        book.catch_up()
        must_be_there(book)
        place = _find_fork_place(book, ruling_number)
    return _store_fork(saves, call, "", place, name, present)


def _find_fork_place(book: Book, ruling_number: int) -> _Place:
    last_number = book.campaign.rulings
    if not 0 < ruling_number <= last_number:
        raise NoSuchRuling(ruling_number, last_number)
    position = book.campaign.position if ruling_number == last_number else _find_next_save(book, ruling_number) - 1
    rows, tree, lineage = list[Row](), Frontier(), book.campaign.lineage
    for save_position, save_rows in enumerate(read_sealed_saves(book), 1):
        if save_position > position:
            break
        home_campaign = lineage.find_home(save_position)
        for stream, version, topic, state in save_rows:
            tree.append(hash_leaf(encode_leaf(name_stream_here(home_campaign, stream), version, topic, state)))
        rows += save_rows
    seeds = {epoch.begun.number: epoch.seed for epoch in book.randomness.epochs if epoch.seed is not None}
    return _Place(book.id, book.entry.name, ruling_number, position, rows, tree.compute_root(), seeds)


def _find_next_save(book: Book, ruling_number: int) -> int:
    """Return the position of the first save that belongs to the ruling after ruling `ruling_number`: a declaration, an
    answer, or the ruling itself.
    """
    earlier_position, following_ruling = book.load_ruling(ruling_number).position, book.load_ruling(ruling_number + 1)
    waiting_id = following_ruling.ruled.waited_as
    events = book.read(f"{book.id}/waiting/{waiting_id}") if waiting_id is not None else []
    return min(
        position
        for position in (following_ruling.position, *(event.body.position for event in events))
        if position > earlier_position
    )


def _store_fork(saves: Saves, call: Call, by: str, place: _Place, name: str | None, present: Present) -> Reply:
    """Store the fork's events in batches of a few thousand. The last batch contains the fork's own first save, so a
    partial fork is never accessible.

    `by`: the seat that forks, or empty for the operator. After a crash, the same request continues after the last
    batch.
    """
    call = replace(call, campaign=saves.find_campaign_id(saves.keys.make_fork_id(place.origin, by, call.key)))
    receipt_stream = f"{call.campaign}/receipt/{make_receipt_id(by, call.route, call.key)}"
    rows: list[Row] = [(name_stream_here(call.campaign, row[0]), *row[1:]) for row in place.rows]
    book = saves.get_book(call.campaign)
    with book.lock, saves.translate_failures(book):
        for _ in range(1 + RACES):
            book.reset()
            book.catch_up()
            receipts = [event.body for event in book.read(receipt_stream)]
            if receipts:
                return saves.repeat_reply(call, receipts[0], receipt_stream, by_operator=not by)
            stored_position = book.campaign.position
            if stored_position > place.position:
                raise KeyReused("This idempotency key was already used for a different request.")
            fork_book = Book(cast(LedgerRecorder, InMemoryRecorder(rows)), saves.codec, call.campaign)
            fork_book.catch_up()
            save = Save(fork_book, None, saves.keys)
            result = _put_first_save(saves, save, by, place, name, present)
            saves.put_receipt(save, receipt_stream, call, result)
            own_rows = [saves.codec.to_row(event) for event in save.seal()]
            if _store_missing_rows(saves, rows, own_rows, stored_position):
                book.reset()
                return saves.make_reply(call.campaign, result, save.position)
    raise Stale("Another request is creating the same fork. Please try again.")


def _store_missing_rows(saves: Saves, rows: list[Row], own_rows: list[Row], stored_position: int) -> bool:
    """Store the missing rows. Return False if another request stored them first. `stored_position`: the position of the
    last stored save.
    """
    journal_stream = name_journal_stream(own_rows[-1][0].partition("/")[0])
    missing_rows = rows[
        1 + next((index for index, row in enumerate(rows) if row[:2] == (journal_stream, stored_position)), -1) :
    ]
    *earlier_chunks, last_chunk = split_into_chunks(missing_rows, journal_stream) if missing_rows else [[]]
    try:
        for chunk in (*earlier_chunks, [*last_chunk, *own_rows]):
            saves.store.append(chunk)
    except IntegrityError:
        return False
    return True


def _put_first_save(saves: Saves, save: Save, by: str, place: _Place, name: str | None, present: Present) -> Done:
    """Put the contents of the fork's own first save: its origin, its own dice, and a token for one game master."""
    book = save.book
    save.by = by
    gm_seats = list_gm_seats(book)
    forking_seat = by or gm_seats[0]
    if forking_seat not in gm_seats:
        detail = f"You were not a game master when ruling {place.at} was made. Somebody who was one can make this fork."
        raise WrongStatus(detail, code="not-there-yet", seat=forking_seat)
    if name is not None:
        check_not_blank("name", name)
    signed_seal = saves.sealer.sign(Seal(place.origin, len(place.rows), place.root))
    fork_fact = CampaignForked(
        name=name if name is not None else _make_fork_name(place),
        campaign=place.origin,
        campaign_name=place.name,
        at=place.at,
        position=place.position,
        events=len(place.rows),
        root=place.root.hex(),
        checkpoint=signed_seal.checkpoint,
        public_key=saves.sealer.public_key.hex(),
        hidden=any(_is_hidden(book, row) for row in place.rows),
    )
    save.put_about(CAMPAIGN, fork_fact)
    epoch = book.randomness.epoch
    begin_epoch(save, save.session, place.seeds.get(epoch.begun.number) if epoch is not None else None)
    token = issue_token(save, saves.keys, forking_seat, 1)
    save.note_for_journal("forked")
    entry = load_seat_entry(book, forking_seat)
    shown_seat = ShownSeat(forking_seat, entry.name, entry.role, False, token)
    unclaimed_seats = tuple(
        subject.id
        for subject in book.seats()
        if book.load_viewer(subject.id) is not None and subject.id != forking_seat
    )
    return Done(201, present(book, None, ShownFork(fork_fact, shown_seat, unclaimed_seats)), (forking_seat, 1))


def _is_hidden(book: Book, row: Row) -> bool:
    """Return whether some seat may not see a part of the event. Withheld answers that a ruling used count
    as visible.
    """
    stream, _, _, state = row
    if HIDDEN not in state or WITHHELD not in state:
        return HIDDEN in state
    _, kind, id = stream.split("/", 2)
    return kind != "waiting" or HIDDEN in encode(drop_revealed_answers(book, id, plain(state)))


def _make_fork_name(place: _Place) -> str:
    suffix = f", from ruling {place.at}"
    return f"{place.name[: MOST_NAME - len(suffix)]}{suffix}"


# --- claiming a seat ---


def claim_seat(saves: Saves, call: Call, present: Present) -> Reply:
    """Claim the seat with its token in the original campaign. Return its new token. A repeated call returns the same
    token.

    Raise Denied if the token is no longer valid in the original campaign. Raise NotFound if this campaign is not a fork
    of that one, or if the fork has no such seat. Raise WrongStatus if the seat already got a token in another way.
    """
    origin, _, seat_and_secret = call.token.partition(".")
    seat = seat_and_secret.partition(".")[0]
    try:
        saves.check_token(Call(origin, call.token))
    except NotFound:
        raise Denied("This token is not valid, or it was replaced.", code="token-unknown") from None

    def check_origin(book: Book) -> None:
        if not book.campaign.fork_versions or book.forks[-1].campaign != origin:
            raise NotFound("There is no campaign with this id.", code="campaign-not-found")
        book.prove()

    repeatable_call = replace(call, key=CLAIM, request=CLAIM)
    return saves.post_for_claimed_seat(repeatable_call, _make_claiming(saves, seat, present), seat, check_origin)


def _make_claiming(saves: Saves, seat_id: str, present: Present) -> Act:
    def act(save: Save) -> Done:
        save.by = seat_id
        entry = load_seat_entry(save.book, seat_id)
        if seat_id not in save.book.list_unclaimed_seats():
            message = "This seat already has a token. A game master can replace it."
            raise WrongStatus(message, code="already-claimed", seat=seat_id)
        token = issue_token(save, saves.keys, seat_id, 1)
        save.note_for_journal("claimed")
        shown_seat = ShownSeat(seat_id, entry.name, entry.role, False, token)
        return Done(200, present(save.book, save.book.load_viewer(seat_id), shown_seat), (seat_id, 1))

    return act
