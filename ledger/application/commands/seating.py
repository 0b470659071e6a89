"""Open campaigns, add and change seats, and issue tokens."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.aggregates.randomness import name_randomness_stream
from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.calls import Act, Done
from ledger.application.commands.consenting import DecisionMaker, DecisionResult, Request, carry_out_or_ask
from ledger.application.commands.declaring import check_not_blank
from ledger.application.keys import Keys, hash_token
from ledger.application.reading.shown import Present, ShownCampaign, ShownEntropy, ShownSeat
from ledger.application.roller import begin_epoch
from ledger.application.save import Save
from ledger.errors import Malformed, NotFound, NotYours, WrongStatus
from ledger.events.records import TokenIssued
from ledger.events.records_of_dice import EntropyGiven
from ledger.rules import systems
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.dials import Dials as KernelDials
from ledger.rules.kernel.dials import check_opening_dials, list_dial_fields
from ledger.rules.kernel.facts import CampaignOpened, SeatHolds, SeatRemoved, SeatRenamed, SeatTaken
from ledger.rules.kernel.register import SeatEntry
from ledger.rules.kernel.subjects import CAMPAIGN, Role, seat


def open_campaign(
    name: str, system: str, dials: Mapping[str, object], gm_name: str, keys: Keys, present: Present
) -> Act:
    """Return the act that opens a campaign with its first game master's seat and token. Raise Malformed for a game that
    is not installed.
    """

    def act(save: Save) -> Done:
        if save.book.campaign.position:
            raise WrongStatus("This campaign already exists.", code="campaign-exists")
        if system not in systems():
            raise Malformed(f"There is no game called {system!r}.", code="unknown-system", known=sorted(systems()))
        check_not_blank("name", name)
        check_not_blank("name", gm_name)
        ruleset = systems()[system]
        check_opening_dials(ruleset, dials)
        save.edition = ruleset.edition
        save.put_about(
            CAMPAIGN, CampaignOpened(name, system, ruleset.edition, dict(dials), _index_default_dials(ruleset, dials))
        )
        shown_seat = _put_new_seat(save, keys, "s1", gm_name, "gm")
        begin_epoch(save, "")
        save.note_for_journal("opened")
        return Done(201, present(save.book, None, ShownCampaign(shown_seat)), ("s1", 1))

    return act


def _index_default_dials(ruleset: AnyRuleset, chosen_dials: Mapping[str, object]) -> dict[str, object]:
    """Return every option that was not chosen, with this edition's default."""
    return {
        name: json_form.to_json(getattr(dials_class(), field.name))
        for dials_class in (ruleset.dials, KernelDials)
        for name, field in list_dial_fields(dials_class).items()
        if name not in chosen_dials
    }


def add_seat(name: str, role: Role, keys: Keys, present: Present) -> Act:
    """Return the act that adds a seat and shows its token. Only game masters can do this."""

    def act(save: Save) -> Done:
        _must_be_gm(save)
        check_not_blank("name", name)
        id = f"s{len(save.book.campaign.seats) + 1}"
        shown_seat = _put_new_seat(save, keys, id, name, role)
        save.note_for_journal("seated")
        return Done(201, present(save.book, save.viewer, shown_seat), (id, 1))

    return act


def take_invited_seat(name: str, role: Role, keys: Keys) -> Act:
    """Return the act that adds a seat for an invited person. The act's body is the seat's id. The caller must check the
    right to invite.
    """

    def act(save: Save) -> Done:
        id = f"s{len(save.book.campaign.seats) + 1}"
        _put_new_seat(save, keys, id, name, role)
        save.note_for_journal("seated")
        return Done(201, id, (id, 1))

    return act


def _put_new_seat(save: Save, keys: Keys, id: str, name: str, role: Role) -> ShownSeat:
    save.put_about(seat(id), SeatTaken(name, role))
    token = issue_token(save, keys, id, 1)
    return ShownSeat(id, name, role, False, token)


def issue_token(save: Save, keys: Keys, id: str, generation: int, issued_count: int = 0) -> str:
    token = keys.make_token(save.book.id, id, generation)
    save.put(_name_access_stream(save.book, id), issued_count, TokenIssued(generation, hash_token(token)))
    return token


def find_token_generation(book: Book, id: str) -> int:
    """Return the generation of the seat's token, or 0 for an unclaimed seat of a fork. Raise NotFound if the seat does
    not exist.
    """
    load_seat_entry(book, id)
    token_events = book.read(_name_access_stream(book, id))
    return token_events[-1].body.fact.generation if token_events else 0


def _name_access_stream(book: Book, id: str) -> str:
    return f"{book.id}/access/{id}"


def replace_token(id: str, keys: Keys, present: Present) -> Act:
    """Return the act that replaces a seat's token, so that the old one stops working. The seat itself, a game master
    and the operator can do this.
    """

    def act(save: Save) -> Done:
        entry = load_seat_entry(save.book, id)
        if save.viewer is not None and save.by != id:
            _must_be_gm(save)
            must_be_claimed(save.book, id)
        token_events = save.book.read(_name_access_stream(save.book, id))
        generation = token_events[-1].body.fact.generation + 1 if token_events else 1
        token = issue_token(save, keys, id, generation, len(token_events))
        save.note_for_journal("token")
        return Done(200, present(save.book, save.viewer, _make_shown_seat(id, entry, token)), (id, generation))

    return act


def change_seat(id: str, name: str | None, removed: bool, holds: bool | None, present: Present) -> Act:
    """Return the act that renames a seat, or removes it from the table together with its token. Only game masters can
    do this. The last game master can't be removed.

    `holds`: whether the seat pauses automatic steps. The seat itself can change that, too.
    """
    if holds is not None:
        return _change_hold(id, name, removed, holds, present)
    request = Request("remove-seat", None, "", {"seat": id, "name": name})
    return lambda save: carry_out_or_ask(save, request, make_seat_change(id, name, removed), present)


def _change_hold(id: str, name: str | None, removed: bool, holds: bool, present: Present) -> Act:
    def act(save: Save) -> Done:
        entry = load_seat_entry(save.book, id)
        if save.by != id:
            _must_be_gm(save)
        if name is not None or removed:
            raise Malformed("Send `holds` on its own.", code="both")
        if holds and entry.role == "observer":
            raise NotYours("Observers can only watch. Only players and game masters can pause automatic steps.")
        save.put_about(seat(id), SeatHolds(holds))
        save.note_for_journal("seat")
        shown_seat = ShownSeat(id, entry.name, entry.role, entry.removed, holds=holds)
        return Done(200, present(save.book, save.viewer, shown_seat))

    return act


def make_seat_change(id: str, name: str | None, removed: bool) -> DecisionMaker:
    def make_decision(save: Save) -> DecisionResult:
        _must_be_gm(save)
        entry = load_seat_entry(save.book, id)
        if name is not None:
            check_not_blank("name", name)
            save.put_about(seat(id), SeatRenamed(name))
        if removed:
            if save.book.forks and save.book.forks[-1].hidden:
                must_be_claimed(save.book, id)
            _must_not_be_last_gm(save.book, id, entry)
            save.put_about(seat(id), SeatRemoved())
        if name is None and not removed:
            raise Malformed("Send a change to make: `name`, `removed: true` or `holds`.", code="nothing-changes")
        save.note_for_journal("seat")
        shown_seat = ShownSeat(id, name or entry.name, entry.role, removed, holds=entry.holds)
        return DecisionResult(200, shown_seat, removed_seat=id if removed else None)

    return make_decision


def give_entropy(id: str, value: str, present: Present) -> Act:
    """Return the act that mixes the value into the ledger's later dice, in place of the seat's earlier value."""

    def act(save: Save) -> Done:
        load_seat_entry(save.book, id)
        if save.by != id:
            raise NotYours("You can only add randomness for your own seat.")
        check_not_blank("value", value)
        randomness, stream = save.book.randomness, name_randomness_stream(save.book.id)
        if randomness.epoch is None:
            begin_epoch(save, save.session)
        save.put(stream, randomness.version, EntropyGiven(id, value))
        save.note_for_journal("entropy")
        shown_entropy = ShownEntropy(len(randomness.entropies) + 1, id, value, save.at)
        return Done(201, present(save.book, save.viewer, shown_entropy))

    return act


def load_seat_entry(book: Book, id: str) -> SeatEntry:
    """Return the seat's entry. Raise NotFound if the seat is not at the table."""
    folded = book.find(seat(id))
    if folded is None or not isinstance(folded.entry, SeatEntry) or folded.entry.removed:
        raise NotFound(f"There is no seat {id!r} at this table.", code="seat-not-found")
    return folded.entry


def must_be_claimed(book: Book, id: str) -> None:
    """Raise WrongStatus for an unclaimed seat of a fork, because only the seat's earlier holder may see what the seat
    sees.
    """
    if id in book.list_unclaimed_seats():
        detail = "Nobody has claimed this seat yet. Its owner can claim it with the token of the original campaign."
        raise WrongStatus(detail, code="seat-unclaimed", seat=id)


def _make_shown_seat(id: str, entry: SeatEntry, token: str | None = None) -> ShownSeat:
    return ShownSeat(id, entry.name, entry.role, entry.removed, token, entry.holds)


def _must_be_gm(save: Save) -> None:
    if save.viewer is None or save.viewer.role != "gm":
        raise NotYours("Only a game master can do this.")


def _must_not_be_last_gm(book: Book, id: str, entry: SeatEntry) -> None:
    gm_seats = [
        subject.id
        for subject in book.seats()
        if (viewer := book.load_viewer(subject.id)) is not None and viewer.role == "gm"
    ]
    if entry.role == "gm" and gm_seats == [id]:
        raise WrongStatus("The last game master's seat cannot be removed.", code="last-gm")
