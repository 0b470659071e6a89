"""The law of twins for what is entered late: wherever it is tried, nobody learns what they did not know before."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from tests.api.table import Service
from tests.api.test_twins_held_twice import SECRET as HELD_TWICE
from tests.api.twins.attacks import Found, Twins
from tests.api.twins.games import Secret, where_all_decide
from tests.api.twins.pasts import INJURIES
from tests.levels import sampled

pytestmark = pytest.mark.slow
SECRETS = [where_all_decide(INJURIES[0]), replace(HELD_TWICE, attackers=("gm",))]
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
    return [*bodies, *({"declare": declared} for declared in ADJUSTMENTS)]


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
            for place in PLACES:
                twins.send(0, "GET", place)
    except Found:
        return str(twins.difference), answered
    return "", answered


@pytest.mark.parametrize("secret", sampled(SECRETS, 2), ids=str)
def test_entering_late_tells_nothing(service: Service, secret: Secret) -> None:
    difference, answered = notice(Twins(service, secret))
    assert not difference, difference
    assert {(200, ""), (201, "")} <= answered
    if secret is SECRETS[0]:
        assert (403, "rests-on-hidden") in answered
