"""Whose dice are whose, on a real Postgres: what waits, what is revised, what is ruled again."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from ledger.application import Ledger
from ledger.errors import Malformed
from ledger.rules import systems
from ledger.rules.kernel.contract import About, Verdict
from ledger.rules.kernel.questions import ask, roll
from ledger.rules.kernel.refusals import Unfit
from ledger.rules.kernel.subjects import character
from tests.desk import Desk, present
from tests.kernel.test_conversation import DODGE, STAND, answer, die
from tests.kernel.test_overturn import overturn
from tests.kernel.test_revise import differences, revise

TRAITS = [{"name": name, "base": base} for name, base in (("Bold", 10), ("Quick", 8), ("Sly", 8))]


def faces(desk: Desk, number: int) -> dict[str, list[int]]:
    """What the ruling rests on, by who rolled it."""
    found: dict[str, list[int]] = {}
    for one in desk.ruling(number).ruled.answers:
        if "dice" in one.answer and not one.set_aside:
            found.setdefault(one.question["who"], []).extend(one.answer["dice"]["faces"])
    return found


def aside(desk: Desk, number: int) -> list[Any]:
    return [one.answer["dice"]["faces"] for one in desk.ruling(number).ruled.answers if one.set_aside]


def test_ruled_again_without_ann_bea_and_cleo_keep_their_dice(ledger: Ledger) -> None:
    desk = Desk(ledger, "intensity")
    ann, bea, cleo = (
        str(desk("enrol", name=name, seat="s1", sheet={"kind": "main", "traits": TRAITS}))
        for name in ("Ann", "Bea", "Cleo")
    )
    desk("open-scene", title="A quarrel", cast=[ann, bea, cleo])
    opened = desk("open-round", participants=[ann, bea, cleo])
    for one, other in ((ann, bea), (bea, cleo), (cleo, bea)):
        desk("declare", char=one, target=other, level="passionate", trait="Bold")
    typed = [die(face, sides=10) for face in (8, 7, 2, 1, 5, 4)]
    number = desk("roll", *typed)
    everybody = {f"character:{ann}": [8, 7], f"character:{bea}": [2, 1], f"character:{cleo}": [5, 4]}
    assert faces(desk, number) == everybody
    revise(desk, opened, {"kind": "open-round", "participants": [bea, cleo]}, settle="rerule")
    assert faces(desk, number) == {one: rolled for one, rolled in everybody.items() if one != f"character:{ann}"}
    assert aside(desk, number) == [[8], [7]], "nothing is gone"
    revise(desk, opened, {"kind": "open-round", "participants": [ann, bea, cleo]}, settle="rerule")
    assert (faces(desk, number), aside(desk, number), differences(desk)) == (everybody, [], [])


def test_whoever_is_said_to_have_rolled_needs_dice_of_their_own(desk: Desk) -> None:
    a, b, c = (desk.enrol(name) for name in "ABC")
    number = desk.hit(a, b, 5)
    other = {"kind": "hit", "char": c, "target": b}
    with pytest.raises(Malformed) as needs:
        revise(desk, number, other)
    assert (needs.value.code, needs.value.context["question"]["who"]) == ("needs-dice", f"character:{c}")
    revise(desk, number, other, None, die(5))
    assert faces(desk, number) == {f"character:{c}": [5]}, "said again, they are whose the table says they were"
    assert desk.state(b).harm == 5 and not differences(desk)
    revise(desk, number, {**other, "char": a}, None, die(4))
    assert (faces(desk, number), desk.state(b).harm) == ({f"character:{a}": [4]}, 4)


def test_the_ledgers_dice_are_nobody_elses(desk: Desk) -> None:
    a, b, c = (desk.enrol(name) for name in "ABC")
    number = desk("hit", STAND, char=a, target=b)
    rolled = faces(desk, number)[f"character:{a}"]
    other = {"kind": "hit", "char": c, "target": b}
    for said in ((), (None, die(*rolled))):
        with pytest.raises(Malformed) as needs:
            revise(desk, number, other, *said)
        assert needs.value.code == "needs-dice"
    revise(desk, number, {**other, "char": a, "target": c})
    assert (faces(desk, number), desk.state(c).harm) == ({f"character:{a}": rolled}, rolled[0])


def test_a_choice_is_of_who_was_asked(desk: Desk) -> None:
    seat, _ = desk.seat("Bob")
    a, b = desk.enrol("A"), desk.enrol("B")
    his = desk.enrol("His", seat=seat)
    number = desk.hit(a, b, 5)
    with pytest.raises(Malformed) as needs:
        revise(desk, number, {"kind": "hit", "char": a, "target": his})
    assert needs.value.context["question"]["seat"] == seat
    revise(desk, number, {"kind": "hit", "char": a, "target": his}, DODGE)
    assert (desk.state(b).harm, desk.state(his).harm) == (0, 5)


@pytest.fixture
def many_dice(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A toy in which the attacker rolls as many dice as the target has health, then the target chooses."""
    toy = systems()["toy"]
    hit = next(one for one in toy.inputs if one.kind == "hit")
    _, stand = toy.choices
    hurt = next(one for one in toy.facts if one.fact_kind == "hurt@1")

    def adjudicate(table: Any, do: Any) -> Any:
        if not isinstance(do, hit):
            return (yield from toy.adjudicate(table, do))
        target = character(do.target)
        count = min(9, table.get(target, type(toy.blank("character"))).health)
        rolled = yield from roll(character(do.char), count, 6, slot="hit")
        yield from ask(table.owner(target), stand, slot="stand")
        return Verdict((About(target, hurt(sum(rolled))),))

    monkeypatch.setitem(systems(), "toy", replace(toy, adjudicate=adjudicate))
    return Desk(ledger)


def test_what_waits_takes_the_first_of_the_dice_that_fell(many_dice: Desk) -> None:
    desk = many_dice
    a, b = desk.enrol("A"), desk.enrol("B", health=5)
    waiting = desk("hit", char=a, target=b)
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        (fallen,) = book.load_pending(waiting).answers
    desk("amend", subject=f"character:{b}", field="health", value=3, reason="less")
    number = answer(desk, waiting, STAND)["ruling"]
    kept = fallen.answer["dice"]["faces"]
    assert faces(desk, number) == {f"character:{a}": kept}, "what fell stays as it fell"
    assert desk.state(b).harm == sum(kept[:3])
    assert not differences(desk)


def test_more_dice_than_fell_are_rolled_anew_and_those_stay_to_be_seen(many_dice: Desk) -> None:
    """It was a 500: an adjudication that an unfit answer had ended was asked for more."""
    desk = many_dice
    a, b = desk.enrol("A"), desk.enrol("B", health=2)
    waiting = desk("hit", char=a, target=b)
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        (fallen,) = book.load_pending(waiting).answers
    desk("amend", subject=f"character:{b}", field="health", value=7, reason="more")
    number = answer(desk, waiting, STAND)["ruling"]
    assert [len(rolled) for rolled in faces(desk, number).values()] == [7]
    assert aside(desk, number) == [fallen.answer["dice"]["faces"]]
    assert not differences(desk)


def test_typed_dice_that_do_not_fit_any_more_are_typed_again(many_dice: Desk) -> None:
    desk = many_dice
    a, b = desk.enrol("A"), desk.enrol("B", health=1)
    waiting = json.loads(desk.declare("hit", die(6), dice="table", char=a, target=b).body)["waiting"]
    desk("amend", subject=f"character:{b}", field="health", value=2, reason="more")
    told = answer(desk, waiting, STAND)
    assert (told["question"]["ask"], told["question"]["count"]) == ("roll", 2)
    with pytest.raises(Unfit):
        answer(desk, waiting, die(6))
    answer(desk, waiting, die(3, 4))
    number = answer(desk, waiting, STAND)["ruling"]
    assert (desk.state(b).harm, aside_answers(desk, number)) == (7, [die(6, source="table"), STAND])


def aside_answers(desk: Desk, number: int) -> list[Any]:
    return [one.answer for one in desk.ruling(number).ruled.answers if one.set_aside]


def test_a_corrected_name_changes_nobodys_dice(ledger: Ledger) -> None:
    """Who is called what stands in what the flip of a coin is for."""
    desk = Desk(ledger)
    a, b = desk.enrol("A"), desk.enrol("B")
    number = desk.hit(a, b, 5)
    revise(desk, int(a), {"kind": "enrol", "name": "Anna", "seat": "s1", "sheet": {"health": 900}}, settle="rerule")
    assert (desk.ruling(number).revision, desk.state(b).harm, desk.findings()) == (0, 5, [])
    overturn(desk, int(b), settle="rerule")
    desk.ledger.reinstate(desk.call(), int(b), "after all", present, settle="rerule")
    assert (faces(desk, number), desk.state(b).harm) == ({f"character:{a}": [5]}, 5)
