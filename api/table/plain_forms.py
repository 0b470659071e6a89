"""Make the hidden fields of forms without a schema, and read these forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from fastapi import Request

from api.table import forms
from api.table.client import Answer, Rejection
from api.table.form_tokens import make_key, must_be_ours, must_be_shown, read_key
from api.table.forms import Form
from api.table.pages import Desk, environment


def make_hidden_fields(desk: Desk, purpose: str) -> Mapping[str, str]:
    """Return the hidden fields of a form without a schema. `purpose`: one word for what the form does."""
    return make_stamp(desk)(purpose)


def make_stamp(desk: Desk) -> Callable[[str], Mapping[str, str]]:
    """Return a function that makes the hidden fields of a page's forms. Forms with the same purpose share a token."""
    make_token = cache(desk.make_token)
    return lambda purpose: {"token": make_token(purpose), "key": make_key()}


async def read_fields(request: Request, desk: Desk, purpose: str) -> tuple[Form, str]:
    """Return the fields and the key of the request. Raise Rejection (403) if the form was not made for this session."""
    must_be_ours(request)
    form = await forms.read_form(request)
    must_be_shown(desk.ledger.keys, desk.session, purpose, forms.get_field_text(form, "token"))
    return form, read_key(forms.get_field_text(form, "key"))


def find_refusal(answer: Answer) -> str | None:
    """Return the API's error as a sentence, or None if there is none.

    Raise Rejection if the seat's token is no longer valid, or if the service is unavailable.
    """
    if answer.status < 300:
        return None
    if answer.status in (401, 503):
        raise Rejection(answer.status, answer.json)
    problem = answer.json
    mistakes: list[Mapping[str, str]] = problem.get("errors") or []
    return " ".join(
        [str(problem["detail"]), *(str(mistake["message"]) for mistake in mistakes[:3] if mistake.get("message"))]
    )


environment.globals.update(stamp=make_hidden_fields)
