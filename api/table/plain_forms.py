"""Forms with a few plain fields, which no schema describes: what they carry, and how they are taken."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import Request

from api.table import forms
from api.table.client import Answer, Turned
from api.table.form_tokens import key_of, must_be_ours, must_be_shown, new_key
from api.table.forms import Form
from api.table.pages import Desk, environment


def stamp(desk: Desk, purpose: str) -> dict[str, str]:
    """What stands in such a form beside its fields. `purpose`: what it does, in a word."""
    return {"token": desk.token(purpose), "key": new_key()}


async def taken(request: Request, desk: Desk, purpose: str) -> tuple[Form, str]:
    """What was filled in, and the key under which it is done. Turned (403) for a form this session was not shown."""
    must_be_ours(request)
    form = await forms.posted(request)
    must_be_shown(desk.ledger.keys, desk.session, purpose, forms.field_text(form, "token"))
    return form, key_of(forms.field_text(form, "key"))


def refusal(answer: Answer) -> str | None:
    """What the API found wrong, in a sentence; None where it was done. Turned where one is not let in at all."""
    if answer.status < 300:
        return None
    if answer.status in (401, 503):
        raise Turned(answer.status, answer.json)
    problem = answer.json
    mistakes: list[Mapping[str, str]] = problem.get("errors") or []
    return " ".join(
        [str(problem["detail"]), *(str(mistake["message"]) for mistake in mistakes[:3] if mistake.get("message"))]
    )


environment.globals.update(stamp=stamp)
