"""What waits: declared once, and no longer than it can come about."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ledger.application import Ledger
from ledger.rules.kernel.refusals import Refused
from tests.desk import Desk, present

STAND, DODGE = {"choice": {"kind": "stand"}}, {"choice": {"kind": "dodge"}}


def die(*faces: int) -> dict[str, Any]:
    return {"dice": {"sides": 6, "faces": list(faces)}}


@pytest.fixture
def two(desk: Desk) -> tuple[str, str]:
    return desk.enrol("A"), desk.enrol("B")


def waits(desk: Desk) -> list[str]:
    with desk.ledger.reading(desk.call()) as (book, _):
        return list(book.campaign.waiting)


def answer(desk: Desk, waiting: str, given: dict[str, Any], token: str | None = None) -> dict[str, Any]:
    (typed,) = desk.answers(given)
    told: dict[str, Any] = json.loads(desk.ledger.answer(desk.call(token=token), waiting, typed, present).body)
    return told


# --- declared twice ---


def test_what_waits_is_not_declared_again(desk: Desk, two: tuple[str, str]) -> None:
    do: dict[str, Any] = {"char": two[0], "target": two[1]}
    first = desk("hit", **do)
    position = desk.position
    for given, dice in (((), None), ((STAND,), "table"), ((STAND, die(3)), None)):
        with pytest.raises(Refused) as refused:
            desk.declare("hit", *given, dice=dice, **do)
        assert (refused.value.code, refused.value.rule) == ("already-waiting", "ledger.waiting")
        assert refused.value.context == {"waiting": first, "declared": {"kind": "hit", **do}}
    assert desk.position == position and waits(desk) == [first]


def test_another_number_scene_or_seat_is_another_declaration(desk: Desk) -> None:
    seat, player = desk.seat("Bob")
    mine = desk.enrol("A", seat=seat)
    first, second = (str(desk("open-scene", title=title, cast=[])) for title in ("Here", "There"))

    def hides(scene: str | None, token: str, dice: int = 1) -> str:
        do = desk.input("sneak", char=mine, dice=dice)
        made = desk.ledger.declare(desk.call(token=token), do, present, scene=scene, dice="table")
        return str(json.loads(made.body)["waiting"])

    made = [hides(scene, token) for scene in (None, first, second) for token in (desk.token, player)]
    made.append(hides(first, player, dice=2))
    assert waits(desk) == made
    with pytest.raises(Refused, match="already-waiting"):
        hides(first, player, dice=2)


def test_what_waits_no_longer_can_be_declared_again(desk: Desk, two: tuple[str, str]) -> None:
    do: dict[str, Any] = {"char": two[0], "target": two[1]}
    desk.ledger.withdraw(desk.call(), desk("hit", **do), "a slip", present)
    second = desk("hit", **do)
    assert answer(desk, second, STAND)["ruling"]
    assert desk("hit", **do) != second


def test_a_retry_is_answered_as_the_first_was(desk: Desk, two: tuple[str, str], another: Ledger) -> None:
    call = desk.call()
    first = desk.declare("hit", call=call, char=two[0], target=two[1])
    for ledger in (desk.ledger, another):
        do = desk.input("hit", char=two[0], target=two[1])
        again = ledger.declare(call, do, present)
        assert (again.body, again.repeated) == (first.body, True)
