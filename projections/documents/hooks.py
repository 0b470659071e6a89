"""Webhooks, for one viewer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from urllib.parse import urlsplit

from ledger.events.envelope import format_time
from ledger.events.hooks import Hook, Status
from projections.documents.shape import Document, give_example
from projections.redaction import LiveLens, Person

HOOK: HookDocument = {
    "id": "q2mzt5a4ck3v7",
    "url": "https://bot.example/ledger",
    "events": ["fact", "decision"],
    "seat": None,
    "by": {"seat": "s1", "name": "Ann"},
    "made_at": "2026-11-21T19:30:00.000000Z",
    "status": "on",
    "text": "Receives what everybody at the table can see; last delivery on 2026-11-21 at 20:00 UTC.",
    "last_delivery": "2026-11-21T20:00:00.000000Z",
    "last_problem": None,
}


class HookProblem(Document):
    """Why and when a delivery failed."""

    at: str
    text: str


@give_example(**HOOK)
class HookDocument(Document):
    """A webhook: its `events` and its address (`url`). Only a game master sees the path of the address.

    `seat`: the webhook receives what this seat sees; null if it receives what everybody at the table can see. `status`:
    `waiting` until that seat agrees, then `on`; `dead` after a day of failures; `gone` after a 410; `ended` when its
    seat is removed or its token is replaced; `stopped` by the operator; `deleted`. `text`: the status in one sentence.
    """

    id: str
    url: str
    events: list[str]
    seat: Person | None
    by: Person
    made_at: str
    status: Status
    text: str
    last_delivery: str | None
    last_problem: HookProblem | None


@give_example(**{**HOOK, "last_delivery": None, "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"})
class MadeHook(HookDocument):
    """The webhook with its `secret`, which is shown only once. The secret signs deliveries as in Standard Webhooks."""

    secret: str


@give_example(hooks=[HOOK])
class Hooks(Document):
    hooks: list[HookDocument]


def describe_hook(lens: LiveLens, hook: Hook) -> HookDocument:
    """Return a webhook. Only a game master sees the path of its address."""
    problem = hook.problem
    return {
        "id": hook.id,
        "url": hook.url if lens.viewer.role == "gm" else hide_path(hook.url),
        "events": list(hook.events),
        "seat": lens.name_person(hook.seat) if hook.seat is not None else None,
        "by": lens.name_person(hook.made_by),
        "made_at": format_time(hook.made_at),
        "status": hook.status,
        "text": explain_status(hook, lens.find_seat_name(hook.seat) if hook.seat is not None else None),
        "last_delivery": format_time(hook.delivered_at) if hook.delivered_at is not None else None,
        "last_problem": {"at": format_time(hook.problem_at), "text": problem} if problem and hook.problem_at else None,
    }


def describe_hooks(lens: LiveLens, hooks: Sequence[Hook]) -> Hooks:
    return {"hooks": [describe_hook(lens, hook) for hook in hooks]}


def describe_hook_for_operator(hook: Hook) -> dict[str, object]:
    """Return a webhook for the operator, without names and without the path of its address."""
    return {
        "id": hook.id,
        "campaign": hook.campaign,
        "seat": hook.seat,
        "status": hook.status,
        "to": hide_path(hook.url),
        "made_at": format_time(hook.made_at),
        "last_delivery": format_time(hook.delivered_at) if hook.delivered_at is not None else None,
        "last_problem": hook.problem,
    }


def hide_path(url: str) -> str:
    """Return the address without its path (`https://bot.example/…`), because the path may be a secret."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/…"


def explain_status(hook: Hook, name: str | None) -> str:
    """Return the webhook's status in a sentence. `name`: the name of its seat, or None for everybody's view."""
    match hook.status:
        case "waiting":
            return f"Waiting for {name} to agree to share what {name} sees."
        case "on" if hook.failures and hook.next_at is not None:
            attempts = "attempt has" if hook.failures == 1 else "attempts have"
            return f"{hook.failures} {attempts} failed: {hook.problem} Next attempt: {_format_minute(hook.next_at)}."
        case "on":
            sight = "everybody at the table can see" if name is None else f"{name} sees"
            last_delivery = (
                f"last delivery on {_format_minute(hook.delivered_at)}"
                if hook.delivered_at is not None
                else "no deliveries yet"
            )
            return f"Receives what {sight}; {last_delivery}."
        case "dead":
            return f"Delivery stopped after a day of failures: {hook.problem}"
        case "deleted":
            return "It was deleted."
        case _:
            return f"Stopped: {hook.reason}"


def _format_minute(time: datetime) -> str:
    time_text = format_time(time)
    return f"{time_text[:10]} at {time_text[11:16]} UTC"
