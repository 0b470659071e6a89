"""Create, list, agree to and delete webhooks."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from api.hooks.sending import Sender
from api.http.mistakes import Mistake, make_choice_mistake
from api.http.problems import make_bad_request
from api.service.hook_addresses import Unfit
from ledger.application import Book, Call, Keys, Ledger, Reply
from ledger.application.calls import must_be_as_expected
from ledger.application.commands.seating import find_token_generation
from ledger.application.tokens import admit_listener, must_be_signed, sign_hook
from ledger.errors import Denied, KeyReused, NotFound, NotYours, WrongStatus
from ledger.events.hooks import MOST, Hook, HookStore
from ledger.rules.kernel.subjects import Viewer
from projections.documents import hooks as documents
from projections.documents.feeds import EVENTS, LAST_PLACE
from projections.documents.hooks import HookDocument, Hooks
from projections.redaction import LiveLens, to_text

OFF = "The operator has switched webhooks off."


@dataclass(frozen=True, slots=True)
class WantedHook:
    """The request for a new webhook."""

    url: str
    events: Sequence[str]
    seat: str | None


def create_hook(
    ledger: Ledger, store: HookStore, sender: Sender, call: Call, wanted_hook: WantedHook, now: datetime
) -> Reply:
    """Create a webhook. Return 201 with the secret, even if the request is repeated. Game masters only. Raise
    BadRequest with every mistake.
    """
    id = ledger.keys.make_hook_id(call.campaign, call.seat, call.key)
    with ledger.open_for_seat(call) as (book, viewer):
        must_be_gm(viewer)
        must_be_as_expected(book, call)
        existing_hook = store.get(id)
        if existing_hook is not None:
            return _repeat_reply(ledger, book, call, existing_hook)
        mistakes = [*_list_event_mistakes(wanted_hook.events), *_list_seat_mistakes(book, wanted_hook.seat)]
    # the host's name is looked up before the campaign is locked
    mistakes = [*_list_url_mistakes(sender, wanted_hook.url), *mistakes]
    if mistakes:
        raise make_bad_request(mistakes)
    with ledger.open_for_seat(call) as (book, viewer):
        must_be_gm(viewer)
        if book.load_viewer(wanted_hook.seat or viewer.seat) is None:
            raise NotFound(f"There is no seat {wanted_hook.seat!r} at this table.", code="seat-not-found")
        hook = sign_hook(_make_new_hook(book, viewer, call, id, wanted_hook, now), ledger.keys)
        hook = replace(hook, answered=to_text(documents.describe_hook(LiveLens(book, viewer), hook)))
        stored_hook = store.add(hook)
        if stored_hook is None:
            raise _make_limit_error(store, call.campaign)
        return (
            _repeat_reply(ledger, book, call, stored_hook)
            if stored_hook != hook
            else _make_reply(ledger, book, stored_hook)
        )


def _make_new_hook(book: Book, viewer: Viewer, call: Call, id: str, wanted_hook: WantedHook, now: datetime) -> Hook:
    """Return the new webhook. It waits for agreement if it shows the view of another seat."""
    is_own_seat = wanted_hook.seat == viewer.seat
    return Hook(
        id=id,
        campaign=book.id,
        url=wanted_hook.url,
        events=tuple(event for event in EVENTS if event in wanted_hook.events),
        seat=wanted_hook.seat,
        generation=book.tokens[viewer.seat].generation if is_own_seat else 0,
        made_by=viewer.seat,
        made_at=now,
        request=call.request,
        answered="",
        status="on" if wanted_hook.seat is None or is_own_seat else "waiting",
        position=book.campaign.position,
        place=LAST_PLACE,
    )


def _make_limit_error(store: HookStore, campaign: str) -> WrongStatus:
    ids = [hook.id for hook in store.list_for_campaign(campaign)]
    message = f"A campaign can have at most {MOST} webhooks. Delete one first: {', '.join(ids)}."
    return WrongStatus(message, code="too-many-hooks", most=MOST, hooks=ids)


def _make_reply(ledger: Ledger, book: Book, hook: Hook) -> Reply:
    document = {**json.loads(hook.answered), "secret": ledger.keys.make_hook_secret(hook.campaign, hook.id)}
    return Reply(201, to_text(document), book.campaign.position)


def _repeat_reply(ledger: Ledger, book: Book, call: Call, hook: Hook) -> Reply:
    if hook.request != call.request:
        raise KeyReused("This idempotency key was already used for a different request.")
    return replace(_make_reply(ledger, book, hook), is_repeated=True)


# --- mistakes ---


def _list_url_mistakes(sender: Sender, url: str) -> list[Mistake]:
    try:
        sender.check_address(url)
    except Unfit as problem:
        return [{"pointer": "/url", "message": str(problem), "type": "hook-address"}]
    return []


def _list_event_mistakes(events: Sequence[str]) -> list[Mistake]:
    return [
        make_choice_mistake(f"/events/{index}", f"There is no event named {event!r}.", event, EVENTS)
        for index, event in enumerate(events)
        if event not in EVENTS
    ]


def _list_seat_mistakes(book: Book, seat: str | None) -> list[Mistake]:
    if seat is None or book.load_viewer(seat) is not None:
        return []
    seat_ids = [other_seat.id for other_seat in book.seats() if book.load_viewer(other_seat.id) is not None]
    return [make_choice_mistake("/seat", f"There is no seat {seat!r}.", seat, seat_ids)]


# --- existing webhooks ---


def list_hooks_for_viewer(keys: Keys, store: HookStore, lens: LiveLens) -> Hooks:
    """Return all webhooks for a game master. For other seats, return those that show the seat's own view."""
    return documents.describe_hooks(
        lens, [end_if_invalid(keys, store, lens.book, hook) for hook in _list_visible_hooks(store, lens)]
    )


def describe_hook(keys: Keys, store: HookStore, lens: LiveLens, id: str) -> HookDocument:
    """Return the document of the webhook. Raise NotFound if it does not exist."""
    return documents.describe_hook(lens, end_if_invalid(keys, store, lens.book, _find_hook(store, lens, id)))


def delete_hook(store: HookStore, lens: LiveLens, id: str) -> HookDocument:
    """Delete the webhook permanently. Deleting it again changes nothing. Raise NotFound unless the viewer is a game
    master or the webhook shows the view of the viewer's seat.
    """
    existing_hook = store.get(id) if _is_hook_id(id) else None
    if (
        existing_hook is not None
        and existing_hook.status == "deleted"
        and existing_hook.campaign == lens.book.id
        and _may_know_hook(lens, existing_hook)
    ):
        return documents.describe_hook(lens, existing_hook)
    hook = _find_hook(store, lens, id)
    return documents.describe_hook(lens, store.delete(id) or replace(hook, status="deleted"))


def agree_to_hook(ledger: Ledger, store: HookStore, call: Call, id: str) -> Reply:
    """Agree to a webhook that shows the view of the caller's seat. The webhook gets events from then on."""
    with ledger.open_for_seat(call) as (book, viewer):
        lens = LiveLens(book, viewer)
        hook = end_if_invalid(ledger.keys, store, book, _find_hook(store, lens, id))
        if hook.seat != viewer.seat:
            raise NotYours(
                f"Only the seat {hook.seat} can agree to this." if hook.seat else "This webhook needs no agreement."
            )
        if hook.status == "waiting":
            generation, position = book.tokens[viewer.seat].generation, book.campaign.position
            agreed_hook = replace(hook, generation=generation, position=position, place=LAST_PLACE)
            hook = store.agree(sign_hook(agreed_hook, ledger.keys)) or _find_hook(store, lens, id)
        if hook.status != "on":
            raise WrongStatus(documents.explain_status(hook, lens.find_seat_name(hook.seat or "")), code="hook-ended")
        return Reply(200, to_text(documents.describe_hook(lens, hook)), book.campaign.position)


def end_if_invalid(keys: Keys, store: HookStore, book: Book, hook: Hook) -> Hook:
    """Return the webhook, marked as ended if its seat or token is gone or its signature is wrong."""
    if hook.status not in ("waiting", "on"):
        return hook
    try:
        must_be_signed(hook, keys, store.is_from_before_signing)
        admit_listener(book, hook.made_by, hook.seat, hook.generation, partial(find_token_generation, book))
    except Denied as denied:
        return replace(hook, status="ended", reason=denied.detail, next_at=None)
    return hook


def _find_hook(store: HookStore, lens: LiveLens, id: str) -> Hook:
    visible_hooks = _list_visible_hooks(store, lens)
    hook = next((hook for hook in visible_hooks if hook.id == id), None)
    if hook is None:
        ids = [hook.id for hook in visible_hooks]
        hint = f"Existing webhooks: {', '.join(ids)}." if ids else "There are no webhooks yet."
        raise NotFound(f"There is no webhook {id!r}. {hint}", code="hook-not-found", hooks=ids)
    return hook


def _list_visible_hooks(store: HookStore, lens: LiveLens) -> list[Hook]:
    return [hook for hook in store.list_for_campaign(lens.book.id) if _may_know_hook(lens, hook)]


def _may_know_hook(lens: LiveLens, hook: Hook) -> bool:
    return lens.viewer.role == "gm" or hook.seat == lens.viewer.seat


def _is_hook_id(id: str) -> bool:
    return re.fullmatch("[a-z2-7]{13}", id) is not None


def must_be_gm(viewer: Viewer) -> None:
    if viewer.role != "gm":
        raise NotYours("Only a game master can create webhooks.")
