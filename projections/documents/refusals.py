"""Refusals, for one viewer."""

from __future__ import annotations

from ledger.application import json_form
from ledger.rules.kernel.refusals import Refused
from projections.documents.shape import Document
from projections.documents.stored_rulings import StoredRefusal
from projections.redaction import Json, Lens, LiveLens
from projections.wording import find_statement, word_plain_refusal


class Refusal(Document):
    """Why the rules refuse a declaration. `text`: the reason, with names and numbers."""

    code: str
    rule: str
    statement: str
    context: Json
    text: str


def describe_recorded_refusal(lens: Lens, refusal: StoredRefusal) -> Refusal:
    return _make_refusal(
        refusal["rule"],
        refusal["code"],
        refusal["context"],
        lens.fill_in_names(refusal["text"]),
        is_visible=lens.may_see_stored(refusal),
    )


def _make_refusal(rule: str, code: str, context: Json, text: str, *, is_visible: bool) -> Refusal:
    return {
        "code": code,
        "rule": rule,
        "statement": find_statement(rule),
        "context": context if is_visible else {},
        "text": text if is_visible and text else word_plain_refusal(code),
    }


def describe_refusal_without_seat(refusal: Refused) -> Refusal:
    """Return a refusal for somebody who has no seat yet."""
    context = json_form.to_json(refusal.context)
    return _make_refusal(refusal.rule, refusal.code, context, "", is_visible=refusal.audience is None)


def describe_refusal(lens: LiveLens, refusal: Refused) -> Refusal:
    """Return the reason for a refusal, without numbers and names that the viewer may not see."""
    context = json_form.to_json(refusal.context)
    sentence = lens.fill_in_names(lens.wording.word_refusal(refusal.rule, refusal.code, context) or "")
    return _make_refusal(refusal.rule, refusal.code, context, sentence, is_visible=lens.may_see(refusal.audience))
