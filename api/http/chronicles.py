"""The shapes of what the views tell: facts in order, accounts, statements."""

from __future__ import annotations

from typing import Any, Literal

from api.http.documents import Person, Posting, Told, like

FACT: dict[str, Any] = {
    "id": "12.1",
    "position": 12,
    "ruling": 7,
    "step": 0,
    "revision": 0,
    "subject": "character:1",
    "kind": "ledger.adjusted",
    "version": 1,
    "fact": {"reason": "found in the cellar"},
    "postings": [{"from": "bank/coin", "to": "character:1/coin", "unit": "coin", "amount": 5}],
    "by": {"seat": "s1", "name": "Ann"},
    "at": "2026-11-21T19:30:00.000000Z",
    "session": "1",
    "scene": None,
    "struck": False,
}


class Placed(Told):
    """A fact in its place: `<position>.<place>`, the ruling it belongs to and which telling of it."""

    id: str
    position: int
    ruling: int | None
    step: int
    revision: int
    subject: str
    kind: str
    version: int
    fact: dict[str, Any]
    postings: list[Posting]
    by: Person | None
    at: str
    session: str | None
    scene: str | None
    struck: bool


class Timeline(Told):
    """A page of facts in the order in which they were recorded."""

    model_config = like(facts=[FACT])
    facts: list[Placed]


class Behind(Told):
    """The ruling behind a fact: what was declared by whom, what became of it, and the reason decided last."""

    number: int
    kind: str
    by: Person
    status: str
    reason: str | None


class ToldOf(Placed):
    """A fact about the subject, with the ruling behind it."""

    behind: Behind | None


class History(Told):
    model_config = like(
        subject="character:1",
        facts=[
            {
                **FACT,
                "behind": {
                    "number": 7,
                    "kind": "adjust",
                    "by": {"seat": "s1", "name": "Ann"},
                    "status": "standing",
                    "reason": None,
                },
            }
        ],
    )
    subject: str
    facts: list[ToldOf]


class Owned(Told):
    """An account, what it has and whose it is."""

    account: str
    unit: str
    balance: int
    owner: str
    name: str


class Accounts(Told):
    """Accounts by name. `trial`: what each unit adds up to over all accounts, seen or not, the bank's too: nothing."""

    model_config = like(
        accounts=[
            {"account": "character:1/coin", "unit": "coin", "balance": 5, "owner": "character:1", "name": "Giazza"},
        ],
        trial={"coin": 0},
    )
    accounts: list[Owned]
    trial: dict[str, int]


class Entry(Told):
    """An entry: the fact it belongs to, what it moved from or to the other account, and what it left here.

    `why`: recorded; struck (taken back, the ruling was overturned or told anew); restored.
    """

    number: int
    position: int
    at: str
    ruling: int | None
    step: int
    kind: str
    why: Literal["recorded", "struck", "restored"]
    amount: int
    balance: int | None
    contra: str


class Statement(Told):
    """No balances where something that this seat may not see moved the account, too."""

    model_config = like(
        account="character:1/coin",
        unit="coin",
        owner="character:1",
        name="Giazza",
        balance=5,
        entries=[
            {
                "number": 1,
                "position": 12,
                "at": "2026-11-21T19:30:00.000000Z",
                "ruling": 7,
                "step": 0,
                "kind": "ledger.adjusted",
                "why": "recorded",
                "amount": 5,
                "balance": 5,
                "contra": "bank/coin",
            }
        ],
    )
    account: str
    unit: str
    owner: str
    name: str
    balance: int | None
    entries: list[Entry]
