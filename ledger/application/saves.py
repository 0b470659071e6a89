"""Save and read campaigns, one save after another. Each request is answered exactly once."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from threading import Lock
from typing import Any, cast

from eventsourcing.application import Application
from eventsourcing.persistence import (
    InfrastructureFactory,
    IntegrityError,
    InterfaceError,
    Mapper,
    OperationalError,
    PersistenceError,
)
from eventsourcing.utils import Environment
from psycopg_pool import PoolTimeout

from ledger.aggregates.campaign import name_journal_stream
from ledger.application.book import Book
from ledger.application.calls import Act, Call, Done, Reply, must_be_as_expected
from ledger.application.keys import Keys, hash_token, make_receipt_id
from ledger.application.reading.seals import Sealer
from ledger.application.reading.system_missing import open_book
from ledger.application.save import Save
from ledger.application.snapshots import Snapshots, find_next_snapshot_position
from ledger.application.tables import require_complete_table
from ledger.application.tokens import admit_listener, admit_seat, is_last_token, must_be_signed
from ledger.application.trying import try_act
from ledger.errors import Fault, KeyReused, LedgerError, NotFound, Stale, Unavailable, Unsound, WrongStatus
from ledger.events import codec
from ledger.events.away import is_away, is_read_only
from ledger.events.disk import Disk
from ledger.events.envelope import Body, Event
from ledger.events.hooks import Hook, HookStore
from ledger.events.invites import Use
from ledger.events.journal_check import Misfit
from ledger.events.lineage import name_streams_here
from ledger.events.lines import make_factory, replace_dead_connections
from ledger.events.read_transaction import ReadTransaction
from ledger.events.recorder import LedgerRecorder, is_version_taken
from ledger.events.records import Receipt
from ledger.events.sealing import is_sealed_stream
from ledger.events.shelved_recorder import ShelvedRecorder
from ledger.events.shelves import LENGTH, Shelves
from ledger.events.snapshots import SnapshotStore
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Viewer

FindInviter = Callable[[Book], Viewer | None]
MakeUse = Callable[[Done], Use]
RACES = 3
QUIET = 2  # saves in a row after which this process counts as the only writer
MOST_BOOKS = 500
RESPITE = 1.0  # seconds
log = logging.getLogger("ledger.snapshots")
AWAY = "The database is not responding. Please try again in a few seconds."


class Saves(Application[str]):
    """The campaigns of one Postgres database. Thread-safe. `lost_races`: the number of saves that failed because
    another save came first. `disk`: the known state of the database's disk. `env`: the library's settings.
    `server_key`: the key that tokens and ids are made from.
    """

    name = "Ledger"

    def __init__(self, env: dict[str, str], server_key: bytes) -> None:
        self.codec = codec.load_codec()
        self.keys = Keys(server_key)
        self.sealer = Sealer(self.keys.make_sealing_seed())
        self._books: OrderedDict[str, Book] = OrderedDict()
        self._books_lock = Lock()
        self.lost_races = 0
        self.disk = Disk()
        self._respite_until = 0.0  # until then no request tries to connect
        self._drained_at = 0.0  # when all idle connections were last closed
        try:
            super().__init__(env)
        except (OperationalError, InterfaceError) as problem:
            raise Unavailable(AWAY) from problem
        self.snapshot_keeper = Snapshots(SnapshotStore(self.store.shelves), self.keys)

    def close(self) -> None:
        """Close once the current snapshot is written and all announcements of saves are sent."""
        self.snapshot_keeper.close()
        self.store.herald.close()
        super().close()

    def construct_mapper(self) -> Mapper[str]:
        return codec.LedgerMapper(self.codec)

    def construct_factory(self, env: Environment) -> InfrastructureFactory[Any]:
        return make_factory(env)

    @property
    def store(self) -> ShelvedRecorder:
        return cast(ShelvedRecorder, self.recorder)

    @property
    def shelves(self) -> Shelves:
        return self.store.shelves

    def find_campaign_id(self, new_id: str) -> str:
        """Return a campaign's id, as `Keys` makes it. If the campaign has the shorter id from before shelves existed,
        return that, so that a repeated old request makes no second campaign.
        """
        old_id = new_id[:LENGTH]
        try:
            return old_id if self.store.select_at([(name_journal_stream(old_id), 1)]) else new_id
        except PersistenceError as problem:
            raise (self._note_outage(problem) if is_away(problem) else problem) from problem

    def get_book(self, campaign: str) -> Book:
        """Return the campaign's book. If there are too many books, the least recently used one is dropped."""
        with self._books_lock:
            book = self._books.get(campaign)
            if book is None:
                book = self._books[campaign] = Book(self.store, self.codec, campaign, self.snapshot_keeper)
            self._books.move_to_end(campaign)
            if len(self._books) > MOST_BOOKS:
                self._books.popitem(last=False)
            return book

    # --- reading ---

    @contextmanager
    def open_for_seat(
        self, call: Call, *, prove_first: bool = True, transaction: ReadTransaction | None = None
    ) -> Iterator[tuple[Book, Viewer]]:
        """Yield the campaign as of now, for the seat. Raise Denied, NotFound, Unavailable or Unsound.

        `prove_first`: False for checks, which look for faults themselves. `transaction`: a transaction to read in, not
        begun yet.
        """
        book = self.get_book(call.campaign)
        with book.lock, self.translate_failures(book), book.use_transaction(transaction):
            self._catch_up(book, call.seat)
            viewer = self._find_viewer(book, call.seat, call.token)
            if prove_first:
                book.prove()
            yield book, viewer

    @contextmanager
    def open_for_hook(self, hook: Hook) -> Iterator[tuple[Book, Viewer]]:
        """Yield the campaign and the webhook's viewer, as `open_for_seat` does for a seat. Raise Denied, with the
        reason, if the webhook may get no events.
        """
        book = self.get_book(hook.campaign)
        with book.lock, self.translate_failures(book):
            must_be_signed(hook, self.keys, HookStore(self.shelves.get_shelf_of(hook.campaign)).is_from_before_signing)
            if hook.seat is None:
                book.catch_up()
            else:
                self._catch_up(book, hook.seat)
            viewer = admit_listener(book, hook.made_by, hook.seat, hook.generation, book.get_generation)
            book.prove()
            book.check_edition()
            yield book, viewer

    def has_known_token(self, call: Call) -> bool:
        """Return whether the token was valid when the database was last read. Raise Denied or NotFound."""
        book = self._books.get(call.campaign)
        issue_record = book.tokens.get(call.seat) if book is not None else None
        return issue_record is not None and is_last_token(call.campaign, call.seat, issue_record, call.token, self.keys)

    def check_token(self, call: Call) -> None:
        """Raise Denied, NotFound or Unavailable unless the token gives access to the campaign."""
        with self.open_for_seat(call):
            pass

    @contextmanager
    def open_on_own_book(
        self,
        call: Call,
        *,
        prove_first: bool = True,
        transaction: ReadTransaction | None = None,
        refuse_broken: bool = True,
    ) -> Iterator[tuple[Book, Viewer]]:
        """Yield the campaign in a separate book, for long work that must not block the table. `Book.prove` has not
        checked this book. `refuse_broken`: whether to refuse a subject if the game's fold raised an error for it.
        """
        if refuse_broken:
            with self.open_for_seat(call, prove_first=prove_first):
                pass
        recorder = self._get_recorder(transaction)
        book = Book(recorder, self.codec, call.campaign, self.snapshot_keeper, trusts_snapshots=False)
        book.is_guarded = refuse_broken
        with self.translate_failures(book):
            self._catch_up(book, call.seat)
            yield book, self._find_viewer(book, call.seat, call.token)

    def _get_recorder(self, transaction: ReadTransaction | None) -> LedgerRecorder:
        return self.store if transaction is None else self.store.bind_to(transaction)

    @contextmanager
    def open_for_service(self, campaign: str) -> Iterator[Book]:
        """Yield the campaign as of now, for the service itself. Raise NotFound, Unavailable or Unsound."""
        book = self.get_book(campaign)
        with book.lock, self.translate_failures(book):
            book.catch_up()
            book.prove()
            book.check_edition()
            yield book

    @contextmanager
    def open_for_audit(self, call: Call, transaction: ReadTransaction | None = None) -> Iterator[tuple[Book, Viewer]]:
        """Yield the campaign as `open_on_own_book` does, for checks, even if its game is not installed."""
        with ExitStack() as stack:
            try:
                own_book = self.open_on_own_book(call, prove_first=False, transaction=transaction, refuse_broken=False)
                book, viewer = stack.enter_context(own_book)
            except Fault as problem:
                if problem.code != "system-missing":
                    raise
                book = open_book(self._get_recorder(transaction), self.codec, call.campaign)
                stack.enter_context(self.translate_failures(book))
                self._catch_up(book, call.seat)
                viewer = self._find_viewer(book, call.seat, call.token)
            yield book, viewer

    def find_position(self, campaign: str, transaction: ReadTransaction) -> int:
        """Return the campaign's position in that transaction, or 0 if the campaign does not exist."""
        return self.store.bind_to(transaction).select_latest_version(name_journal_stream(campaign))

    def load_book_as_of(self, campaign: str, position: int, transaction: ReadTransaction) -> Book:
        """Return the campaign as of a position, read in that transaction. Raise Unavailable if the record has not
        reached the position: in a cluster, a campaign's views may be on a different server from its record.
        """
        book = Book(self.store.bind_to(transaction), self.codec, campaign, trusts_snapshots=False)
        book.read_to(position)
        if book.campaign.position != position:
            raise Unavailable("The record is catching up. Please try again.", code="views-behind")
        return book

    def do_seats_differ(self, campaign: str, position: int, other_position: int, transaction: ReadTransaction) -> bool:
        """Return whether any save between two positions may change who plays whom, or who may see what."""
        first, last = sorted((position, other_position))
        rows = self.store.bind_to(transaction).select_spans([(name_journal_stream(campaign), first, last)])
        entries = (self.codec.decode(topic, state).fact for _, _, topic, state in rows)
        kinds = {stream.split("/", 2)[1] for entry in entries for stream in name_streams_here(campaign, entry.streams)}
        return not kinds.isdisjoint(("campaign", "seat"))

    def _catch_up(self, book: Book, seat: str, receipt_stream: str | None = None) -> Body[Receipt] | None:
        """Read the journal, the seat's token and a receipt in one round trip. Return the receipt."""
        access_stream = f"{book.id}/access/{seat}"
        stored_receipt: Body[Receipt] | None = None
        for event in book.catch_up(access_stream, *(() if receipt_stream is None else (receipt_stream,))):
            if event.originator_id == access_stream:
                book.note_token(seat, event)
            elif event.originator_version == 1:
                stored_receipt = event.body
            else:  # a request is answered once
                raise Misfit(event.originator_version, "unnamed", event.body.position).make_unsound(event.originator_id)
        return stored_receipt

    def _find_viewer(self, book: Book, seat: str, token: str) -> Viewer:
        if not book.campaign.position:
            with self._books_lock:
                self._books.pop(book.id, None)  # so that made-up ids can't displace campaigns
            raise NotFound("There is no campaign with this id.", code="campaign-not-found")
        viewer = admit_seat(book, seat, token, self.keys)
        book.check_edition()
        return viewer

    # --- saving ---

    def post(self, call: Call, act: Act, *, allow_incomplete_table: bool = False) -> Reply:
        """Run the act, and store its save with a receipt. A repeated call gets the first answer, byte for byte.

        The act sees the current campaign. If it raises an error, nothing is saved. If another save came first, the act
        runs again on the new state, at most three times. After that, raise Stale.

        `allow_incomplete_table`: also run the act in a fork with unclaimed seats (`must_be_complete`).
        """
        act = act if allow_incomplete_table else require_complete_table(act)
        seat = call.seat
        receipt_stream = f"{call.campaign}/receipt/{make_receipt_id(seat, call.route, call.key)}" if call.key else None
        book = self.get_book(call.campaign)
        with book.lock, self.translate_failures(book):
            position = book.campaign.position
            reply, refusal = self._try_at_once(book, call, receipt_stream, act)
            for _ in range(1 + RACES):
                if reply is not None:
                    return reply
                stored_receipt = self._catch_up(book, seat, receipt_stream)
                book.prove()
                if stored_receipt is not None and receipt_stream is not None:
                    self._find_viewer(book, seat, call.token)
                    return self.repeat_reply(call, stored_receipt, receipt_stream)
                if refusal is not None and book.campaign.position == position:
                    raise refusal  # nothing new was read, so a second attempt would only roll the dice again
                refusal = None
                reply = self._try_act_once(book, call, receipt_stream, act)
        if reply is None:
            raise Stale("Other people at the table made changes at the same time. Please try again.")
        return reply

    def _try_at_once(
        self, book: Book, call: Call, receipt_stream: str | None, act: Act
    ) -> tuple[Reply | None, LedgerError | Refused | None]:
        """Try the act without reading first, if the recent saves are all from this process. The journal's key detects
        any other save.

        Return the reply, or None if another save came first. If the act is refused, return the refusal, which may
        depend on outdated data.
        """
        if book.own_saves_in_a_row < QUIET or call.seat not in book.tokens:
            return None, None
        try:
            return self._try_act_once(book, call, receipt_stream, act), None
        except (LedgerError, Refused) as refusal:
            return None, refusal

    def _try_act_once(self, book: Book, call: Call, receipt_stream: str | None, act: Act) -> Reply | None:
        """Try the act once on the campaign as it is known. Return None if another save came first."""
        save = Save(book, self._find_viewer(book, call.seat, call.token), self.keys)
        must_be_as_expected(book, call)
        result = try_act(save, act)
        if receipt_stream is not None:
            self.put_receipt(save, receipt_stream, call, result)
        if not self._try_save(save):
            return None
        return self.make_reply(call.campaign, result, save.position)

    def post_first_save(self, call: Call, act: Act) -> Reply:
        """Post the operator's first save of a campaign that does not exist yet. See `post`."""
        return self._post_from_outside(call, act)

    def post_as_operator(self, call: Call, act: Act) -> Reply:
        """Post an act of the operator in an existing campaign. See `post`. Raise NotFound or Unsound."""
        return self._post_from_outside(call, act, must_be_there)

    def post_for_claimed_seat(self, call: Call, act: Act, seat: str, check: Callable[[Book], None]) -> Reply:
        """Post an act of a seat that has no token here yet. See `post`. `check`: raises an error unless the seat may
        act here.
        """
        return self._post_from_outside(call, act, check, seat)

    def _post_from_outside(
        self, call: Call, act: Act, check: Callable[[Book], None] = lambda book: None, seat: str = ""
    ) -> Reply:
        """Post an act of the operator or of a seat without a token. See `post`. `seat`: the requesting seat, or "" for
        the operator.
        """
        receipt_stream = f"{call.campaign}/receipt/{make_receipt_id(seat, call.route, call.key)}"
        book = self.get_book(call.campaign)
        with book.lock, self.translate_failures(book):
            for _ in range(1 + RACES):
                book.catch_up()
                check(book)
                book.check_edition()
                receipts = [event.body for event in book.read(receipt_stream)]
                if receipts:
                    return self.repeat_reply(call, receipts[0], receipt_stream, by_operator=not seat)
                save = Save(book, None, self.keys)
                result = try_act(save, act)
                self.put_receipt(save, receipt_stream, call, result)
                if self._try_save(save):
                    return self.make_reply(call.campaign, result, save.position)
        raise Stale("Other people made changes at the same time. Please try again.")

    def post_invited(self, campaign: str, find_inviter: FindInviter, act: Act, make_use: MakeUse) -> Reply:
        """Post an act for a person without a token, on behalf of an inviter (None for the operator). See `post`. The
        use of the invite is stored in the same transaction, in place of a receipt. Raise NotOpen, or the errors of
        `find_inviter`.
        """
        book = self.get_book(campaign)
        with book.lock, self.translate_failures(book):
            for _ in range(1 + RACES):
                book.catch_up()
                must_be_there(book)
                book.check_edition()
                save = Save(book, find_inviter(book), self.keys)
                result = try_act(save, act)
                if self._try_save(save, make_use(result)):
                    return self.make_reply(campaign, result, save.position)
        raise Stale("Other people made changes at the same time. Please try again.")

    def put_receipt(self, save: Save, stream: str, call: Call, result: Done) -> None:
        (seat, generation), body = result.token_of or (None, 0), result.body
        if seat is not None:
            token = self.keys.make_token(call.campaign, seat, generation)
            body = body.replace(token, self.keys.make_token_mark(stream, seat, generation))
        save.put(stream, 0, Receipt(call.request, result.status, body, seat, generation))

    def _try_save(self, save: Save, use: Use | None = None) -> bool:
        """Save everything or nothing. Return False if another save came first."""
        events = save.seal()
        try:
            self.store.append([self.codec.to_row(event) for event in events], use)
        except IntegrityError as problem:
            if is_version_taken(problem):
                save.book.own_saves_in_a_row = 0
                self.lost_races += 1
                self._check_race(save.book, events)
                return False
            raise
        try:
            save.book.advance(events)
        except BaseException:
            save.book.reset()  # it was saved; only the state in memory is incomplete
            raise
        self.disk.note_save()
        save.book.own_saves_in_a_row += 1
        self._snapshot_if_due(save.book)
        return True

    def _snapshot_if_due(self, book: Book) -> None:
        """Write a snapshot if one is due. An error here does not fail the request."""
        if book.campaign.position < book.snapshot_due:
            return
        book.snapshot_due = find_next_snapshot_position(book.campaign.position)
        try:
            self.snapshot_keeper.keep_snapshot(book.make_snapshot())
        except Exception as problem:  # noqa: BLE001
            log.warning("The snapshot of campaign %s was not made: %s", book.id, type(problem).__name__)

    def _check_race(self, book: Book, events: Sequence[Event]) -> None:
        """Raise Unsound if the conflicting event belongs to no save, because trying again would never succeed."""
        sealed_events = (event for event in events if is_sealed_stream(event.originator_id))
        places = [(event.originator_id, event.originator_version) for event in sealed_events]
        stored_rows = self.store.select_at(places)
        if stored_rows and places[-1] != stored_rows[-1][:2]:  # the journal's entry is the last of a save
            stray_event = book.read_event(stored_rows[0])
            misfit = Misfit(stray_event.originator_version, "unnamed", stray_event.body.position)
            raise misfit.make_unsound(stray_event.originator_id)

    def repeat_reply(self, call: Call, record: Body[Receipt], stream: str, *, by_operator: bool = False) -> Reply:
        """Return the answer in the stream's receipt. Raise KeyReused for a different request, or WrongStatus if the
        token in the answer can't be shown again.

        `by_operator`: whether the operator asks. A receipt from before version 0011 of the schema shows its token only
        to the operator, because anybody who could append events could have written it.
        """
        receipt = record.fact
        if receipt.request != call.request:
            raise KeyReused("This idempotency key was already used for a different request.")
        body, token_of = receipt.body, None
        if receipt.token_of is not None:
            token_of = (receipt.token_of, receipt.generation)
            token = self.keys.make_token(call.campaign, *token_of)
            body = body.replace(self.keys.make_token_mark(stream, *token_of), token)
            if hash_token(token) in body:
                if not by_operator:
                    detail = "An earlier version of the service handled this request. The token can't be shown again."
                    raise WrongStatus(f"{detail} A game master can replace it.", code="token-not-shown")
                body = body.replace(hash_token(token), token)
            if token not in body:
                token_of = None
        return replace(
            self.make_reply(call.campaign, Done(receipt.status, body, token_of), record.position), is_repeated=True
        )

    def make_reply(self, campaign: str, result: Done, position: int) -> Reply:
        token = self.keys.make_token(campaign, *result.token_of) if result.token_of is not None else None
        return Reply(result.status, result.body, position, token=token)

    @contextmanager
    def translate_failures(self, book: Book) -> Iterator[None]:
        """Raise Unavailable while the database does not answer. After an error, the book forgets what it has read."""
        if time.monotonic() < self._respite_until:
            raise Unavailable(AWAY)
        try:
            yield
        except (PersistenceError, Unsound) as problem:
            book.reset()
            if is_away(problem):
                raise self._note_outage(problem) from problem
            book.trusts_snapshots = False  # its snapshot may be at fault, so the next read does not start from it
            raise

    def _note_outage(self, problem: BaseException) -> Unavailable:
        """Return the error for a request during an outage, and prepare for the next requests.

        After several seconds without a connection, requests that queue for the same campaign get this error sooner.
        """
        if isinstance(problem.__cause__, PoolTimeout):
            self._respite_until = time.monotonic() + RESPITE
            return Unavailable(AWAY)
        is_disk = self.disk.note_failed_save(problem)
        self._test_idle_connections(problem)
        return Unavailable((self.disk.sentence if is_disk else None) or AWAY)

    def _test_idle_connections(self, problem: BaseException) -> None:
        """Test the idle connections after one broke, so that no request gets a dead one.

        If a connection could only read, close all idle ones, because only a new connection finds the new primary.
        """
        pool = self.store.datastore.pool
        if is_read_only(problem):
            if time.monotonic() - self._drained_at > RESPITE:
                self._drained_at = time.monotonic()
                pool.drain()
            return
        replace_dead_connections(pool)


def must_be_there(book: Book) -> None:
    """Raise NotFound if the campaign does not exist, or Unsound if its record is damaged."""
    if not book.campaign.position:
        raise NotFound("There is no campaign with this id.", code="campaign-not-found")
    book.prove()
