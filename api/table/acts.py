"""What is to be done about a ruling, asked beforehand; and done only where it still is what was seen.

A form carries what was seen: the campaign's position, what the preview said, of which choices. The API saves nothing
once the campaign has moved on from there; it is looked at anew then, and saved only where that still says the same.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from fastapi import Query

from api.table import forms
from api.table.client import Answer, Json, Turned
from api.table.foreseeing import Foreseen, digest, foreseen
from api.table.form_tokens import key_of, new_key
from api.table.forms import Form
from api.table.pages import Desk

LOOKED = "Preview only."  # a reason is needed, and nobody has given one yet
RACES = 3
MORE = 200  # rulings, where further ones are asked for
#: In an address: how many rulings were shown before.
Shown: TypeAlias = Annotated[int, Query(alias="told")]
MOVED = "The campaign has changed since your preview. Nothing was saved. This is the new preview."
OTHERWISE = "You have changed your choices since the preview. Nothing was saved. This is the new preview."


@dataclass(frozen=True, slots=True)
class Act:
    """What is to be done, as the API is asked to. `looks`: whether it can be asked beforehand."""

    path: str
    body: Json
    looks: bool = True

    @property
    def digest(self) -> str:
        """Of all on which it depends what changes."""
        choices = {name: value for name, value in self.body.items() if name not in ("reason", "code")}
        return hashlib.sha256(json.dumps([self.path, choices], sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Looked:
    """What the API said would change, or why it cannot be. `seen`: what a form carries of it."""

    seen: str
    foreseen: Foreseen | None
    problem: Json | None


@dataclass(frozen=True, slots=True)
class On:
    """From where further rulings are told, and how many were before: all that are, and everybody it touches."""

    after: int
    shown: int

    @classmethod
    def of(cls, form: Form) -> On | None:
        match = re.fullmatch(r"([0-9]{1,9})\.([0-9]{1,9})", forms.field_text(form, "on"))
        return cls(int(match[1]), int(match[2])) if match is not None else None


async def looked(desk: Desk, act: Act, state: Json, on: On | None = None) -> Looked:
    """`on`: what is told beyond the beginning, in the place of it."""
    answer = await _asked(desk, act)
    if answer.status != 200:
        return Looked("", None, _problem_of(answer))
    seen = f"{answer.position}.{_digest(answer, act)}.{act.digest}"
    if on is not None:
        answer = await _asked(desk, act, after=on.after, limit=MORE)
    return Looked(seen, foreseen(answer.json, desk.words(state)) if act.looks else None, None)


async def _asked(desk: Desk, act: Act, **more: int) -> Answer:
    if not act.looks:
        return await desk.client.read(act.path.rpartition("/")[0])
    reason = act.body["reason"].strip() or LOOKED
    return await desk.client.post(act.path, {**act.body, "reason": reason, "preview": True, **more}, new_key())


def _digest(answer: Answer, act: Act) -> str:
    return digest(answer.json) if act.looks else str(answer.json["version"])


def _problem_of(answer: Answer) -> Json:
    """The problem; Turned where there is nothing to decide about at all."""
    if answer.status in (401, 404) and not re.search(r"\b(also|errors)\b", answer.body.decode()):
        raise Turned(answer.status, answer.json)
    return answer.json


async def carried_out(desk: Desk, act: Act, key: str, seen: str) -> Answer | str:
    """What the API answered; or why it was not asked: what was seen is not what would come of it now."""
    match = re.fullmatch(r"([0-9]{1,15})\.([0-9a-f]{1,16})\.([0-9a-f]{16})", seen)
    if match is None or match[3] != act.digest:
        return OTHERWISE
    position = int(match[1])
    for _ in range(RACES):
        answer = await desk.client.post(act.path, act.body, key_of(key), seen=position)
        if answer.status != 412:
            return answer
        again = await _asked(desk, act)
        if again.status != 200 or _digest(again, act) != match[2]:
            break
        position = again.position
    return MOVED
