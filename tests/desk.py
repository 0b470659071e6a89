"""A table played through the application, as the API plays it: one `Desk` is one campaign on a real Postgres."""

from __future__ import annotations

import json
import uuid
from typing import Any

from ledger.aggregates.ruling import Ruling
from ledger.application import (
    Book,
    Call,
    Ledger,
    Reply,
    Shown,
    ShownCampaign,
    ShownDecision,
    ShownPending,
    ShownRuling,
    json_form,
)
from ledger.rules import systems
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.subjects import Subject, Viewer, character


def present(book: Book, viewer: Viewer | None, shown: Shown) -> str:
    """Enough to go on with: ids, numbers, tokens."""
    match shown:
        case ShownCampaign():
            return json.dumps({"campaign": book.id, "seat": shown.gm.id, "token": shown.gm.token})
        case ShownRuling():
            return json.dumps({"ruling": shown.ruling.number})
        case ShownPending():
            return json.dumps({"waiting": shown.pending.id, "question": shown.pending.question})
        case ShownDecision():
            return json.dumps({"ruling": shown.shown_ruling.ruling.number, "status": shown.shown_ruling.ruling.status})
        case _:
            return json.dumps({"shown": str(shown)})


class Desk:
    """`desk(kind, **fields)` declares as the game master and answers the ruling's number or the waiting id."""

    def __init__(
        self, ledger: Ledger, system: str = "toy", *, key: str | None = None, id: str | None = None, **dials: Any
    ) -> None:
        self.ledger = ledger
        self.ruleset = systems()[system]
        key = key or str(uuid.uuid4())
        self.campaign = id or ledger.keys.make_campaign_id(key)
        sent = json.loads(json.dumps(dials))  # as they come over HTTP
        opened = ledger.open_campaign(self.call(key=key, token=""), "A table", system, sent, "Ann", present)
        assert opened.token is not None
        self.token = opened.token

    def call(self, key: str | None = None, token: str | None = None, request: str = "same") -> Call:
        chosen = self.token if token is None else token
        return Call(self.campaign, chosen, "POST /rulings", key or uuid.uuid4().hex, request)

    def input(self, kind: str, **fields: Any) -> Any:
        return json_form.declaration_from_json(self.ruleset, {"kind": kind, **fields})

    def answers(self, *given: dict[str, Any]) -> list[Any]:
        return [json_form.answer_from_json(self.ruleset, one) for one in given]

    def declare(
        self, kind: str, *given: dict[str, Any], dice: Any = None, call: Call | None = None, **fields: Any
    ) -> Reply:
        answers = self.answers(*given)
        return self.ledger.declare(call or self.call(), self.input(kind, **fields), present, answers=answers, dice=dice)

    def __call__(self, kind: str, *given: dict[str, Any], **fields: Any) -> Any:
        told = json.loads(self.declare(kind, *given, **fields).body)
        return told.get("ruling") or told["waiting"]

    def enrol(self, name: str, health: int = 1000, seat: str = "s1") -> str:
        return str(self("enrol", name=name, seat=seat, sheet={"health": health}))

    def hit(self, char: str, target: str, face: int) -> Any:
        return self(
            "hit", {"choice": {"kind": "stand"}}, {"dice": {"sides": 6, "faces": [face]}}, char=char, target=target
        )

    def seat(self, name: str, role: Any = "player") -> tuple[str, str]:
        reply = self.ledger.add_seat(self.call(), name, role, present)
        assert reply.token is not None
        return reply.token.split(".")[1], reply.token

    # --- looking ---

    def folded(self, subject: Subject) -> Folded[Any]:
        with self.ledger.open_for_seat(self.call()) as (book, _):
            found = book.find(subject)
            return found.copy() if found is not None else Folded(self.ruleset, subject)

    def state(self, id: str) -> Any:
        return self.folded(character(id)).state

    def coins(self, id: str) -> int:
        return self.folded(character(id)).purse.get(f"character:{id}/coin", 0)

    def ruling(self, number: int) -> Ruling:
        with self.ledger.open_for_seat(self.call()) as (book, _):
            return book.load_ruling(number)

    @property
    def position(self) -> int:
        with self.ledger.open_for_seat(self.call()) as (book, _):
            return book.campaign.position

    def findings(self) -> list[Any]:
        with self.ledger.open_for_seat(self.call()) as (book, _):
            return list(book.campaign.open_findings.values())

    def everything(self) -> dict[Subject, Folded[Any]]:
        """Every subject as it stands, read from the record alone."""
        with self.ledger.open_for_seat(self.call()) as (book, _):
            book.reset()
            book.catch_up()
            return {subject: book.load_stream(subject).folded.copy() for subject in book.campaign.subjects}
