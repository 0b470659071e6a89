"""Act on a ruling: preview the result, then save it only if the result is still the same.

A form carries the campaign's position, a digest of the preview shown, and a digest of the choices. If the campaign has
moved on, the API saves nothing. The page then makes a new preview, and saves the act if both previews are the same.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from fastapi import Query

from api.table import forms
from api.table.client import Answer, Json, Rejection
from api.table.foreseeing import Foreseen, describe_comparison, hash_comparison
from api.table.form_tokens import make_key, read_key
from api.table.forms import Form
from api.table.pages import Desk

PREVIEW_REASON = "Preview only."  # a reason is needed, but none has been given yet
MOST_TRIES = 3
MORE = 200  # the number of rulings shown when the reader asks for more
#: The query parameter with the number of rulings already shown.
ShownCount: TypeAlias = Annotated[int, Query(alias="told")]
CAMPAIGN_CHANGED = "The campaign has changed since your preview. Nothing was saved. This is the new preview."
CHOICES_CHANGED = "You have changed your choices since the preview. Nothing was saved. This is the new preview."


@dataclass(frozen=True, slots=True)
class Act:
    """An action on a ruling, as a request to the API. `has_preview`: whether the API can preview the action."""

    path: str
    body: Json
    has_preview: bool = True

    @property
    def digest(self) -> str:
        """Return a digest of everything that the result depends on."""
        choices = {name: value for name, value in self.body.items() if name not in ("reason", "code")}
        return hashlib.sha256(json.dumps([self.path, choices], sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Preview:
    """A preview, or the problem if there is none. `fingerprint`: the text in the form that identifies the preview."""

    fingerprint: str
    foreseen: Foreseen | None
    problem: Json | None


@dataclass(frozen=True, slots=True)
class Continuation:
    """The point where a long list of affected rulings continues. `shown_count`: how many rulings were already shown."""

    after: int
    shown_count: int

    @classmethod
    def parse(cls, form: Form) -> Continuation | None:
        match = re.fullmatch(r"([0-9]{1,9})\.([0-9]{1,9})", forms.get_field_text(form, "on"))
        return cls(int(match[1]), int(match[2])) if match is not None else None


async def preview(desk: Desk, act: Act, state: Json, continuation: Continuation | None = None) -> Preview:
    """Return the preview of an act. `continuation`: where the list of affected rulings starts; None means at the
    beginning.
    """
    answer = await _preview_act(desk, act)
    if answer.status != 200:
        return Preview("", None, _find_problem(answer))
    fingerprint = f"{answer.position}.{_hash_answer(answer, act)}.{act.digest}"
    if continuation is not None:
        answer = await _preview_act(desk, act, after=continuation.after, limit=MORE)
    return Preview(
        fingerprint, describe_comparison(answer.json, desk.make_words(state)) if act.has_preview else None, None
    )


async def _preview_act(desk: Desk, act: Act, **page_options: int) -> Answer:
    if not act.has_preview:
        return await desk.client.read(act.path.rpartition("/")[0])
    reason = act.body["reason"].strip() or PREVIEW_REASON
    return await desk.client.post(act.path, {**act.body, "reason": reason, "preview": True, **page_options}, make_key())


def _hash_answer(answer: Answer, act: Act) -> str:
    return hash_comparison(answer.json) if act.has_preview else str(answer.json["version"])


def _find_problem(answer: Answer) -> Json:
    """Return the problem in the API's answer.

    Raise Rejection if the seat has lost its access or may not see the ruling.
    """
    if answer.status in (401, 404) and not re.search(r"\b(also|errors)\b", answer.body.decode()):
        raise Rejection(answer.status, answer.json)
    return answer.json


async def carry_out(desk: Desk, act: Act, key: str, fingerprint: str) -> Answer | str:
    """Carry out the act. Return the API's answer, or the notice to show if the preview has changed."""
    match = re.fullmatch(r"([0-9]{1,15})\.([0-9a-f]{1,16})\.([0-9a-f]{16})", fingerprint)
    if match is None or match[3] != act.digest:
        return CHOICES_CHANGED
    position = int(match[1])
    for _ in range(MOST_TRIES):
        answer = await desk.client.post(act.path, act.body, read_key(key), expected_position=position)
        if answer.status != 412:
            return answer
        new_preview = await _preview_act(desk, act)
        if new_preview.status != 200 or _hash_answer(new_preview, act) != match[2]:
            break
        position = new_preview.position
    return CAMPAIGN_CHANGED
