"""What a form of the page carries, so that only the page can send it: its token, and the key of what it does.

A form is taken where its token was made for this session and this purpose, and where the browser says that it comes
from this very host. The key is made when the form is shown: sent twice, it does one thing.
"""

from __future__ import annotations

import secrets
import uuid
from urllib.parse import urlsplit

from fastapi import Request

from api.table.client import Turned
from api.table.sessions import Session
from ledger.application.keys import Keys, same_hash

ELSEWHERE = "This form was not sent from this page. Nothing was saved. Open the page and try again."
OLD = "This form is out of date because you have joined again since. Nothing was saved. Open the page and try again."


def form_token(keys: Keys, session: Session, purpose: str) -> str:
    salt = secrets.token_urlsafe(
        8
    )  # another each time: what never stands twice in a page cannot be guessed by its length
    return f"{salt}.{keys.page_form(session.cookie, purpose, salt)}"


def must_be_ours(request: Request) -> None:
    """Turned (403) for what another site sends."""
    origin = request.headers.get("origin", "")
    if urlsplit(origin).netloc != request.headers.get("host", ""):
        raise Turned(403, {"title": "Form not accepted", "detail": ELSEWHERE, "code": "elsewhere"})


def must_be_shown(keys: Keys, session: Session, purpose: str, token: str) -> None:
    """Turned (403) for a form that this session was not shown."""
    salt, _, mac = token.partition(".")
    if not same_hash(mac, keys.page_form(session.cookie, purpose, salt)):
        raise Turned(403, {"title": "Form out of date", "detail": OLD, "code": "old-form"})


def new_key() -> str:
    return str(uuid.uuid4())


def key_of(posted: str) -> str:
    """The form's own key; where somebody changed it, another."""
    try:
        return str(uuid.UUID(posted))
    except ValueError:
        return new_key()
