"""Everything that people can do with a campaign. Each command is a method that saves once or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import psycopg
from eventsourcing.persistence import PersistenceError
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow
from psycopg_pool import PoolTimeout

from ledger.application.book import Book
from ledger.application.calls import Call, Done, Reply, must_be_as_expected
from ledger.application.commands import (
    bookmarking,
    deciding,
    declaring,
    entering_late,
    following,
    foreseeing,
    forking,
    importing,
    overturning,
    previewing,
    proposals,
    repairing,
    revising,
    rewinding,
    seating,
    taking_back,
)
from ledger.application.commands.entering_late import LateDeclaration
from ledger.application.commands.revising import Correction
from ledger.application.reading.export_reader import Export
from ledger.application.reading.shown import Present
from ledger.application.save import Save
from ledger.application.saves import AWAY, Saves, must_be_there
from ledger.errors import Fault, Unavailable
from ledger.events.away import is_away
from ledger.events.database_check import SCHEMA, check_database, waits_for_standby
from ledger.events.disk import test_room
from ledger.events.lines import IDLE, PREPARE, TARGET, prefer_primary
from ledger.events.records import Settle
from ledger.events.records_of_journal import Settled
from ledger.rules.kernel.questions import Answer
from ledger.rules.kernel.subjects import Role

HURRY = 1.5  # the seconds for which a health check waits for a connection


def make_environment(
    url: str, *, schema: str = SCHEMA, pool_size: int = 4, wait: int = 3, prepare: bool = True
) -> dict[str, str]:
    """Return the library's settings for a libpq URL. If the URL has several hosts, use the one that accepts writes,
    unless the URL says otherwise (`target_session_attrs`).

    `wait`: the seconds to wait for a database that does not answer. `prepare`: whether connections keep prepared
    statements. Turn this off for a connection pooled by transaction.

    Raise Fault for an option that the library cannot pass on (such as `sslmode`). Ignoring it would change the
    connection.
    """
    options = conninfo_to_dict(prefer_primary(url))
    unsupported_options = sorted(set(options) - {"dbname", "host", "port", "user", "password", "target_session_attrs"})
    if unsupported_options:
        variables = ", ".join(f"PG{name.upper()}" for name in unsupported_options)
        raise Fault(
            f"Set {', '.join(unsupported_options)} in the environment, not in the URL: {variables}.", code="url-options"
        )
    return {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": str(options.get("dbname") or "postgres"),
        "POSTGRES_HOST": str(options.get("host") or "127.0.0.1"),
        "POSTGRES_PORT": str(options.get("port") or "5432"),
        "POSTGRES_USER": str(options.get("user") or ""),
        "POSTGRES_PASSWORD": str(options.get("password") or "-"),
        "POSTGRES_SCHEMA": schema,
        "POSTGRES_CONNECT_TIMEOUT": str(wait),
        "POSTGRES_POOL_SIZE": str(pool_size),
        "POSTGRES_MAX_OVERFLOW": str(pool_size * 3),
        "POSTGRES_IDLE_IN_TRANSACTION_SESSION_TIMEOUT": str(IDLE),
        "CREATE_TABLE": "no",
        "ORIGINATOR_ID_TYPE": "text",
        PREPARE: "yes" if prepare else "no",
        TARGET: str(options.get("target_session_attrs") or ""),
        "APPLICATION_RECORDER_TOPIC": "ledger.events.shelved_recorder:ShelvedRecorder",
    }


class Ledger(Saves):
    """The ledger's commands. Each takes the `Call` (campaign, seat and idempotency key) and `present`, which makes the
    answer.

    A command raises `Refused` if the rules refuse, and otherwise a `LedgerError`. After an error, nothing is saved.
    """

    name = "Ledger"

    def check(self) -> None:
        """Raise Fault if the database is not fit to serve, or Unavailable if it does not answer."""
        with self._open_connection() as connection:
            check_database(connection, self.store.datastore.schema)

    def check_ready(self) -> None:
        """Check the database as `check` does, but without waiting long. Also raise Unavailable if a disk is full."""
        pool = self.store.datastore.pool
        pool.open()
        try:
            with pool.connection(HURRY) as connection:
                check_database(connection, self.store.datastore.schema)
                test_room(connection)
        except psycopg.Error as problem:
            if not is_away(problem):
                raise
            if self.disk.note_failed_test(problem):
                raise Unavailable(str(self.disk.sentence), code="disk-full") from problem
            if not isinstance(problem, PoolTimeout):
                self._test_idle_connections(problem)
            if self.disk.trouble is not None:
                detail = (
                    f"The database is not responding. When it last responded, one of its disks was {self.disk.trouble}."
                )
                raise Unavailable(detail, code="disk-full") from problem
            raise Unavailable(AWAY) from problem
        self.disk.note_room()
        if self.disk.sentence is not None:
            raise Unavailable(self.disk.sentence, code="disk-full")

    def waits_for_standby(self) -> bool:
        """Return whether each request is answered only after another server has stored its save, too. Raise
        Unavailable.
        """
        with self._open_connection() as connection:
            return waits_for_standby(connection)

    @contextmanager
    def _open_connection(self) -> Iterator[psycopg.Connection[DictRow]]:
        try:
            with self.store.datastore.get_connection() as connection:
                yield connection
        except PersistenceError as problem:
            if is_away(problem):
                raise self._note_outage(problem) from problem
            raise

    def check_primary(self) -> None:
        """Raise Fault on a standby, which accepts no writes, or Unavailable if the database does not answer."""
        try:
            with self.store.datastore.get_connection() as connection:
                row = connection.execute("SELECT pg_is_in_recovery() AS is_standby").fetchone()
        except PersistenceError as problem:
            if is_away(problem):
                raise self._note_outage(problem) from problem
            raise
        if row and row["is_standby"]:
            detail = "The database is a read-only standby. Use its primary instead."
            raise Fault(f"{detail} To read from a standby, set LEDGER_READ_URL.", code="standby")

    # --- campaigns and seats ---

    def open_campaign(
        self, call: Call, name: str, system: str, dials: Mapping[str, object], gm_name: str, present: Present
    ) -> Reply:
        """Open a campaign. Its id is derived from the idempotency key (`Keys.make_campaign_id`)."""
        return self.post_first_save(call, seating.open_campaign(name, system, dials, gm_name, self.keys, present))

    def import_campaign(self, call: Call, export: Export, book: Book, present: importing.Present) -> Reply:
        """Import the campaign of a checked export. Return the first game master's seat and its new token."""
        return importing.import_campaign(self, call, export, book, present)

    def prove_origins(self, export: Export) -> list[bool]:
        """Return, for each campaign that a fork continues, whether this ledger's record of it confirms the fork's
        beginning. Raise BadExport if the record contradicts it.
        """
        return importing.prove_origins(self, export)

    def must_be_importable(self, export: Export) -> None:
        """Raise WrongStatus if the campaign exists here already, unless an import of the same file was interrupted."""
        with self.translate_failures(self.get_book(export.header.campaign)):
            importing.list_missing_rows(self.store, export)

    def fork(self, call: Call, ruling_number: int, name: str | None, present: Present) -> Reply:
        """Start a campaign that continues from ruling `ruling_number` of this one. Its id is made from the campaign,
        the seat and the idempotency key.
        """
        return forking.fork_campaign(self, call, ruling_number, name, present)

    def fork_as_operator(self, call: Call, ruling_number: int, name: str | None, present: Present) -> Reply:
        """Fork a campaign as the operator. See `fork`."""
        return forking.fork_as_operator(self, call, ruling_number, name, present)

    def claim_seat(self, call: Call, present: Present) -> Reply:
        """Claim a seat of this fork with the seat's token in the original campaign. Return the new token."""
        return forking.claim_seat(self, call, present)

    def add_seat(self, call: Call, name: str, role: Role, present: Present) -> Reply:
        return self.post(call, seating.add_seat(name, role, self.keys, present), allow_incomplete_table=True)

    def renew_token(self, call: Call, seat: str, present: Present) -> Reply:
        return self.post(call, seating.replace_token(seat, self.keys, present), allow_incomplete_table=True)

    def replace_token(self, call: Call, seat: str, present: Present) -> Reply:
        """Replace a seat's token as the operator. See `renew_token`."""
        return self.post_as_operator(call, seating.replace_token(seat, self.keys, present))

    def change_seat(
        self, call: Call, seat: str, name: str | None, removed: bool, present: Present, *, holds: bool | None = None
    ) -> Reply:
        return self.post(call, seating.change_seat(seat, name, removed, holds, present), allow_incomplete_table=True)

    def give_entropy(self, call: Call, seat: str, value: str, present: Present) -> Reply:
        """Mix the value into the ledger's dice from now on, on behalf of the seat."""
        return self.post(call, seating.give_entropy(seat, value, present), allow_incomplete_table=True)

    # --- bookmarks ---

    def add_bookmark(self, call: Call, number: int, note: str, present: Present, *, is_own: bool = False) -> Reply:
        """Bookmark a ruling for the table. `is_own`: whether the bookmark is private to the seat."""
        if is_own:
            return bookmarking.keep_own_bookmark(self, call, number, note, present)
        return self.post(call, bookmarking.add_table_bookmark(number, note, present))

    def remove_bookmark(self, call: Call, id: str, present: Present) -> Reply:
        """Remove one of the seat's or the table's bookmarks."""
        reply = bookmarking.remove_own_bookmark(self, call, id, present)
        return reply if reply is not None else self.post(call, bookmarking.remove_table_bookmark(id, present))

    # --- rulings ---

    def declare(
        self,
        call: Call,
        do: object,
        present: Present,
        *,
        scene: str | None = None,
        answers: Sequence[Answer] = (),
        dice: declaring.Dice | None = None,
    ) -> Reply:
        """Declare something. The answer is 201 with the ruling, or 202 with the question that must be
        answered first.
        """
        act = declaring.declare(do, scene, answers, dice, present)
        return following.post_with_steps(self, call, act, present, dice=dice)

    def enter_late(self, call: Call, late: LateDeclaration, present: Present) -> Reply:
        """Rule on a declaration that the table forgot to enter, at its place in play."""
        return self.post(call, entering_late.enter_late(late, present))

    def preview_entering_late(self, call: Call, late: LateDeclaration, present: Present) -> Reply:
        """Return what entering the declaration late would change, without saving anything."""
        with self.open_for_seat(call) as (book, viewer):
            must_be_as_expected(book, call)
            shown_comparison = entering_late.preview_entering_late(Save(book, viewer, self.keys), late)
            return Reply(200, present(book, viewer, shown_comparison), book.campaign.position)

    def preview_declaration(self, call: Call, do: object, present: Present, *, scene: str | None = None) -> Reply:
        """Return the result that declaring this would have, without saving or rolling anything."""
        with self.open_for_seat(call) as (book, viewer):
            must_be_as_expected(book, call)
            shown_preview = foreseeing.add_lapsing_declarations(
                foreseeing.preview_declaration(book, viewer, do, scene), Save(book, viewer, self.keys)
            )
            return Reply(200, present(book, viewer, shown_preview), book.campaign.position)

    def answer_waiting_declaration(
        self,
        call: Call,
        waiting_id: str,
        answer: Answer,
        present: Present,
        slot: str | None = None,
        asked_seat: str | None = None,
    ) -> Reply:
        """Answer a waiting declaration. `slot`, `asked_seat`: name the question if several are open at the
        same time.
        """
        act = declaring.answer_waiting_declaration(waiting_id, answer, present, slot, asked_seat)
        return following.post_with_steps(self, call, act, present, waiting_id=waiting_id)

    def withdraw(self, call: Call, waiting_id: str, reason: str, present: Present) -> Reply:
        """Withdraw a declaration that waits for an answer, or a decision that waits for consent."""

        def act(save: Save) -> Done:
            proposal = save.book.find_proposal(waiting_id)
            if proposal is not None:
                return proposals.withdraw_proposal(proposal, reason, present)(save)
            return declaring.withdraw_declaration(waiting_id, reason, present)(save)

        return self.post(call, act)

    def answer_consent_request(
        self, call: Call, waiting_id: str, does_agree: bool, reason: str, present: Present
    ) -> Reply:
        """Give or refuse consent to a decision, as a seat that was asked."""
        return self.post(call, proposals.answer_consent_request(waiting_id, does_agree, reason, present))

    def override_missing_consent(self, call: Call, waiting_id: str, reason: str, present: Present) -> Reply:
        """Carry out a decision without the missing consent, once the table's time to answer is over."""
        return self.post(call, proposals.override_missing_consent(waiting_id, reason, present))

    # --- decisions ---

    def dispute(self, call: Call, number: int, reason: str, present: Present, if_match: int | None = None) -> Reply:
        return self.post(call, deciding.dispute(number, reason, if_match, present))

    def uphold(self, call: Call, number: int, reason: str, present: Present, if_match: int | None = None) -> Reply:
        return self.post(call, deciding.uphold(number, reason, if_match, present))

    def witness_dice(self, call: Call, number: int, present: Present, if_match: int | None = None) -> Reply:
        """Record that a seat saw another seat's dice."""
        return self.post(call, deciding.witness(number, if_match, present))

    def overturn(
        self,
        call: Call,
        number: int,
        reason: str,
        present: Present,
        *,
        also: Sequence[int] = (),
        settle: Settle = "flag",
        if_match: int | None = None,
    ) -> Reply:
        return self.post(call, overturning.overturn(number, reason, also, settle, if_match, present))

    def preview_overturning(
        self,
        call: Call,
        number: int,
        reason: str,
        present: Present,
        also: Sequence[int] = (),
        if_match: int | None = None,
        settle: Settle = "flag",
    ) -> Reply:
        """Return what overturning would change, without saving anything."""
        with self.open_for_seat(call) as (book, viewer):
            shown_comparison = previewing.preview_overturning(book, viewer, number, also, reason, if_match, settle)
            return Reply(200, present(book, viewer, shown_comparison), book.campaign.position)

    def take_back(self, call: Call, number: int, reason: str, present: Present, if_match: int | None = None) -> Reply:
        """Take back the seat's own latest ruling, with the automatic steps after it."""
        return self.post(call, taking_back.take_back(number, reason, if_match, present))

    def preview_taking_back(
        self, call: Call, number: int, reason: str, present: Present, if_match: int | None = None
    ) -> Reply:
        """Return what taking the ruling back would change, or the refusal, without saving anything."""
        with self.open_for_seat(call) as (book, viewer):
            save = Save(book, viewer, self.keys)
            shown_comparison = taking_back.preview_taking_back(save, number, reason, if_match)
            return Reply(200, present(book, viewer, shown_comparison), book.campaign.position)

    def rewind(self, call: Call, number: int, reason: str, present: Present, if_match: int | None = None) -> Reply:
        """Overturn a ruling and every later one, in one decision."""
        return self.post(call, rewinding.rewind(number, reason, if_match, present))

    def preview_rewinding(
        self, call: Call, number: int, reason: str, present: Present, if_match: int | None = None
    ) -> Reply:
        """Return what a rewind would change, without saving anything."""
        with self.open_for_seat(call) as (book, viewer):
            shown_comparison = rewinding.preview_rewinding(book, viewer, number, reason, if_match)
            return Reply(200, present(book, viewer, shown_comparison), book.campaign.position)

    def preview_without_rulings(
        self, call: Call, numbers: Sequence[int], present: Present, dials: Mapping[str, object] | None = None
    ) -> Reply:
        """Return what would be different if these rulings did not exist and these options had been set from the start.
        Nothing is saved.
        """
        with self.open_for_seat(call) as (book, viewer):
            shown_comparison = previewing.preview_what_if(book, viewer, numbers, dials)
            return Reply(200, present(book, viewer, shown_comparison), book.campaign.position)

    def reinstate(
        self,
        call: Call,
        number: int,
        reason: str,
        present: Present,
        if_match: int | None = None,
        settle: Settle = "flag",
    ) -> Reply:
        return self.post(call, overturning.reinstate(number, reason, settle, if_match, present))

    def preview_reinstating(
        self,
        call: Call,
        number: int,
        reason: str,
        present: Present,
        if_match: int | None = None,
        settle: Settle = "flag",
    ) -> Reply:
        """Return what reinstating the ruling would change, without saving anything."""
        with self.open_for_seat(call) as (book, viewer):
            shown_comparison = previewing.preview_reinstating(book, viewer, number, reason, if_match, settle)
            return Reply(200, present(book, viewer, shown_comparison), book.campaign.position)

    def revise(self, call: Call, number: int, correction: Correction, present: Present) -> Reply:
        """Correct a ruling's declaration or its answers, and rule it again at its own place."""
        return self.post(call, revising.revise(number, correction, present))

    def preview_revising(self, call: Call, number: int, correction: Correction, present: Present) -> Reply:
        """Return what revising would change, without saving anything."""
        with self.open_for_seat(call) as (book, viewer):
            shown_comparison = revising.preview_revising(book, viewer, number, correction)
            return Reply(200, present(book, viewer, shown_comparison), book.campaign.position)

    def set_ruling_aside(self, call: Call, number: int, reason: str, present: Present) -> Reply:
        """Set aside, as the operator, a ruling that makes its game's code raise an error. Repeating this changes
        nothing.
        """
        book = self.get_book(call.campaign)
        with book.lock, self.translate_failures(book), repairing.skip_guards(book):
            book.catch_up()
            must_be_there(book)
            earlier_reason = repairing.find_set_aside_reason(book, number)
            if earlier_reason is not None:
                open_count = sum(finding.cause == number for finding in book.campaign.open_findings.values())
                body = repairing.make_repair_body(number, earlier_reason, open_count)
                return Reply(200, body, book.campaign.position, is_repeated=True)
            return self.post_as_operator(call, repairing.set_ruling_aside(number, reason, present))

    def settle_finding(self, call: Call, finding_id: str, how: Settled, reason: str, present: Present) -> Reply:
        return self.post(call, deciding.settle_finding(finding_id, how, reason, present))
