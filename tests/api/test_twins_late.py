"""The law of twins for what is entered late: wherever it is tried, nobody learns what they did not know before."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from ledger.application.commands import entering_late
from tests.api.table import Json, Service, Table, rolled
from tests.api.test_twins_held_twice import SECRET as HELD_TWICE
from tests.api.twins.attacks import Found, Twins
from tests.api.twins.games import MNEMONIC, MOC, TOY, Secret, hangar, where_all_decide
from tests.api.twins.pasts import INJURIES
from tests.levels import sampled

pytestmark = pytest.mark.slow


def sneak(table: Table, other: bool) -> None:
    """3: Bruno hides, and would be seen, or would not: nobody looks."""
    table.fighters()
    table.ben.declare("sneak", rolled(5 if other else 4), char="1")
    table.gm.declare("mint", to="2", coins=3)


#: What each tries reads what is hidden: whether coins suffice; whether Celia sees Bruno; whether an injury did
#: anything; how Important the game master's own character is, who resists an injury (Ben is the referee there).
READ: list[Secret] = [
    replace(where_all_decide(TOY[0], {"kind": "give", "char": "1", "to": "2", "coins": 8}), attackers=("cleo",)),
    replace(where_all_decide(TOY[1], {"kind": "look", "char": "2", "at": "1"}), attackers=("cleo",), hide=sneak),
    where_all_decide(INJURIES[0]),
    replace(
        next(secret for secret in MNEMONIC if secret.name == "a rating hidden from the game master"),
        tries=tuple({"kind": "enter-roll", "check": "12", "numbers": [number]} for number in range(2, 9)),
    ),
]


def nominate_late(table: Table, other: bool) -> None:
    """11: Ben nominates Cleo's character late, if he may; or the game master does so for him."""
    hangar(table)
    nomination = {"kind": "nominate", "seat": table.ben.id, "nominee": "2"}
    (table.gm if other else table.ben).post("/rulings", {"declare": nomination, "after": 10})


NOMINATION = replace(
    where_all_decide(next(secret for secret in MOC if secret.name == "a nomination")), hide=nominate_late
)
SECRETS = [*READ, replace(HELD_TWICE, attackers=("gm",))]
PLACES = ("/rulings?limit=200", "/timeline?limit=500", "/findings", "/decisions", "/accounts", "/state", "/seal")
ADJUSTMENTS = [
    {"kind": "adjust", "source": f"character:{id}/{unit}", "target": f"bank/{unit}", "amount": 1, "reason": "?"}
    for id in ("1", "2")
    for unit in ("coin", "xp")
]


def list_declarations(twins: Twins) -> list[Any]:
    """What the attacker sees that anybody declared, each kind once or twice, and what tries balances."""
    answer = twins.send(0, "GET", "/rulings?limit=200")
    by_kind: dict[str, list[Any]] = {}
    for ruling in answer.json()["rulings"]:
        by_kind.setdefault(ruling["declared"]["kind"], []).append(ruling)
    bodies = [
        {"declare": ruling["declared"], "answers": [one["answer"] for one in ruling["answers"] if "answer" in one]}
        for rulings in by_kind.values()
        for ruling in islice(rulings, 2)
    ]
    tries: list[Json] = [{"declare": declared} for declared in (*twins.secret.tries[:7], *ADJUSTMENTS)]
    return [*bodies, *tries]


def look(twins: Twins) -> str:
    """What differs in what the attacker can read, if anything."""
    try:
        for place in PLACES:
            twins.send(0, "GET", place)
    except Found:
        return str(twins.difference)
    return ""


def notice(twins: Twins) -> tuple[str, set[tuple[int, str]]]:
    """What differs, if anything; and how what was tried was answered."""
    answered: set[tuple[int, str]] = set()
    try:
        declarations = list_declarations(twins)
        for number in range(1, twins.rulings + 1):
            for body in declarations:
                for preview in (True, False):
                    late = {**body, "after": number, "preview": preview}
                    answer = twins.send(0, "POST", "/rulings", late)
                    answered.add((answer.status_code, answer.json().get("code", "")))
            for place in (*PLACES, f"/what-if?without={twins.rulings}", f"/rulings/{twins.rulings}"):
                twins.send(0, "GET", place)
    except Found:
        return str(twins.difference), answered
    return "", answered


@pytest.mark.parametrize("secret", sampled(SECRETS, 1), ids=str)
def test_entering_late_tells_nothing(service: Service, secret: Secret) -> None:
    difference, answered = notice(Twins(service, secret))
    assert not difference, difference
    assert {(200, ""), (201, "")} <= answered
    if secret in READ:
        assert (403, "rests-on-hidden") in answered


@pytest.mark.nightly
@pytest.mark.parametrize("secret", sampled(READ[:2], 1, salt="unveiled"), ids=str)
def test_entering_late_without_a_veil_is_noticed(
    service: Service, monkeypatch: pytest.MonkeyPatch, secret: Secret
) -> None:
    monkeypatch.setattr(entering_late, "load_campaign_as_known_before", lambda book, viewer, place: None)
    monkeypatch.setattr(entering_late, "rests_on_hidden", lambda book, ruling, viewer: False)
    difference, _ = notice(Twins(service, secret))
    assert "'after': " in difference, difference


def test_a_secret_ruling_entered_late_is_noticed(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not look(Twins(service, NOMINATION))
    monkeypatch.setattr(entering_late, "_refuse_secret", lambda adjudication: None)
    assert "GET /rulings" in look(Twins(service, NOMINATION)), "everybody sees who nominated"
