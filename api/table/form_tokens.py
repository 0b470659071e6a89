"""The token and the key of a form. The token proves that the page made the form. The key stops a second save if the
form is sent twice.

A form is accepted if its token was made for this session and purpose, and the browser says that it comes from this
host. The key is made when the form is shown.
"""

from __future__ import annotations

import secrets
import uuid
from urllib.parse import urlsplit

from fastapi import Request

from api.table.client import Rejection
from api.table.sessions import Session
from ledger.application.keys import Keys, is_same_hash

ELSEWHERE = "This form was sent from another site. Nothing was saved. Open the page here and try again."
OLD = "This form is from before you last joined. Nothing was saved. Open the page and try again."


def make_form_token(keys: Keys, session: Session, purpose: str) -> str:
    # different each time, so that nobody can guess the token from the compressed length of pages
    salt = secrets.token_urlsafe(8)
    return f"{salt}.{keys.make_form_proof(session.cookie, purpose, salt)}"


def must_be_ours(request: Request) -> None:
    """Raise Rejection (403) for a request from another site."""
    origin = request.headers.get("origin", "")
    if urlsplit(origin).netloc != request.headers.get("host", ""):
        raise Rejection(403, {"title": "Form not accepted", "detail": ELSEWHERE, "code": "elsewhere"})


def must_be_shown(keys: Keys, session: Session, purpose: str, token: str) -> None:
    """Raise Rejection (403) for a form that was not made for this session."""
    salt, _, mac = token.partition(".")
    if not is_same_hash(mac, keys.make_form_proof(session.cookie, purpose, salt)):
        raise Rejection(403, {"title": "Form out of date", "detail": OLD, "code": "old-form"})


def make_key() -> str:
    return str(uuid.uuid4())


def read_key(posted_key: str) -> str:
    """Return the form's key, or a new key if the form's key is not valid."""
    try:
        return str(uuid.UUID(posted_key))
    except ValueError:
        return make_key()
