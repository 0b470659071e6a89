"""What waits: declared once, and no longer than it can come about."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from ledger.application import Ledger
from ledger.application.commands.entering_late import LateDeclaration
from ledger.errors import WrongStatus
from ledger.events.records import Lapsed, Unsupported
from ledger.rules import systems
from ledger.rules.kernel.contract import About, Verdict
from ledger.rules.kernel.questions import ask, roll
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character
from tests.desk import Desk, present

STAND, DODGE = {"choice": {"kind": "stand"}}, {"choice": {"kind": "dodge"}}


def die(*faces: int) -> dict[str, Any]:
    return {"dice": {"sides": 6, "faces": list(faces)}}


@pytest.fixture
def two(desk: Desk) -> tuple[str, str]:
    return desk.enrol("A"), desk.enrol("B")


def waits(desk: Desk) -> list[str]:
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        return list(book.campaign.waiting_ids)


def answer(desk: Desk, waiting: str, given: dict[str, Any], token: str | None = None) -> dict[str, Any]:
    (typed,) = desk.answers(given)
    told: dict[str, Any] = json.loads(
        desk.ledger.answer_waiting_declaration(desk.call(token=token), waiting, typed, present).body
    )
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
        assert (again.body, again.is_repeated) == (first.body, True)


# --- what can no longer come about ---


def fallen(desk: Desk, waiting: str) -> Any:
    """What waited, once it has lapsed."""
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        pending = book.load_pending(waiting)
        assert waiting not in book.campaign.waiting_ids and (pending.status, pending.question) == ("lapsed", None)
        return pending.lapsed


def test_a_question_lapses_in_the_save_of_the_ruling_that_made_it_so(desk: Desk, two: tuple[str, str]) -> None:
    weak = desk.enrol("Weak", health=1)
    waiting, other = desk("hit", char=two[0], target=weak), desk("hit", char=two[0], target=two[1])
    position = desk.position
    number = desk.hit(two[1], weak, 6)
    assert desk.position == position + 1 and waits(desk) == [other]
    lapsed = fallen(desk, waiting)
    assert (lapsed.ruling, lapsed.refused.code, lapsed.refused.context) == (number, "already-down", {"target": weak})
    with pytest.raises(WrongStatus, match=f"is no longer possible because of ruling {number}"):
        answer(desk, waiting, STAND)
    with pytest.raises(WrongStatus):
        desk.ledger.withdraw(desk.call(), waiting, "never mind", present)
    assert answer(desk, other, STAND)["ruling"] == number + 1


def test_an_answer_that_becomes_a_ruling_makes_others_lapse(desk: Desk, two: tuple[str, str], another: Ledger) -> None:
    weak = desk.enrol("Weak", health=1)
    first, second = desk("hit", char=two[0], target=weak), desk("hit", char=two[1], target=weak)
    number = answer(desk, first, STAND)["ruling"]
    assert fallen(desk, second).ruling == number and waits(desk) == []
    with another.open_for_seat(desk.call()) as (book, _):
        assert not book.campaign.waiting_ids and book.load_pending(second).status == "lapsed"


def test_what_is_not_for_its_declarer_any_more_lapses(desk: Desk) -> None:
    seat, player = desk.seat("Bob")
    mine, other = desk.enrol("A", seat=seat), desk.enrol("B")
    do = desk.input("hit", char=mine, target=other)
    waiting = json.loads(desk.ledger.declare(desk.call(token=player), do, present).body)["waiting"]
    number = desk("hand-over", character=mine, seat="s1")
    assert fallen(desk, waiting) == Lapsed(number)


def test_what_was_declared_in_a_scene_lapses_with_it(desk: Desk, two: tuple[str, str]) -> None:
    scene = str(desk("open-scene", title="Here", cast=[]))
    waiting = desk("hit", char=two[0], target=two[1])
    number = desk("close-scene", scene=scene)
    assert fallen(desk, waiting) == Lapsed(number, Unsupported("ledger.scene", "scene-closed", {"scene": scene}))


def test_nothing_lapses_by_a_decision(desk: Desk, two: tuple[str, str]) -> None:
    """What is overturned may be put back; what is impossible still lapses by the next ruling."""
    coins = desk("mint", to=two[0], coins=1)
    third = int(desk.enrol("C"))
    waiting = desk("hit", char=two[0], target=str(third))
    desk.ledger.overturn(desk.call(), third, "no such person", present)
    assert waits(desk) == [waiting]
    desk.ledger.overturn(desk.call(), coins, "nor coins", present)
    desk.ledger.reinstate(desk.call(), third, "there is", present)
    assert waits(desk) == [waiting]
    desk.ledger.overturn(desk.call(), third, "there is not", present)
    number = desk("mint", to=two[0], coins=2)
    assert fallen(desk, waiting).ruling == number


def test_nothing_lapses_by_a_late_entry(desk: Desk, two: tuple[str, str]) -> None:
    """It may be overturned; what is impossible still lapses by the next ruling, and cannot be answered meanwhile."""
    weak = desk.enrol("Weak", health=1)
    waiting, other = desk("hit", char=two[0], target=weak), desk("hit", char=two[1], target=weak)
    blow = LateDeclaration(desk.input("hit", char=two[1], target=weak), None, desk.answers(STAND, die(6)), int(weak))
    desk.ledger.enter_late(desk.call(), blow, present)
    assert waits(desk) == [waiting, other]
    with pytest.raises(Refused, match="already-down"):
        answer(desk, waiting, STAND)
    number = desk("mint", to=two[0], coins=2)
    assert fallen(desk, other).ruling == number


def test_a_question_that_only_asks_otherwise_goes_on_waiting(desk: Desk, two: tuple[str, str]) -> None:
    seat, _ = desk.seat("Bob")
    waiting = json.loads(desk.declare("hit", STAND, dice="table", char=two[0], target=two[1]).body)["waiting"]
    desk("set-dial", name="die", value=8, reason="bigger fists")
    desk("hand-over", character=two[1], seat=seat)
    assert waits(desk) == [waiting]


@pytest.fixture
def unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A toy in which who hides with five or more cannot be hit."""
    toy = systems()["toy"]
    hit = next(one for one in toy.inputs if one.kind == "hit")
    being = type(toy.blank("character"))

    def adjudicate(table: Any, do: Any) -> Any:
        if isinstance(do, hit) and sum(table.get(character(do.target), being).hidden) >= 5:
            raise Refused("toy.hit", "not-seen", target=do.target)
        return (yield from toy.adjudicate(table, do))

    monkeypatch.setitem(systems(), "toy", replace(toy, adjudicate=adjudicate))


@pytest.mark.parametrize(
    ("face", "open_to_all", "lapses"), [(5, False, False), (1, False, False), (5, True, True), (1, True, False)]
)
def test_what_rests_on_what_is_hidden_does_not_lapse(
    ledger: Ledger, unseen: None, face: int, open_to_all: bool, lapses: bool
) -> None:
    """Whether it would be refused or not. What rests on nothing hidden lapses, though there are secrets."""
    desk = Desk(ledger, open=open_to_all)
    two = [desk.enrol("A"), desk.enrol("B", health=9)]
    waiting, also = desk("hit", char=two[0], target=two[1]), desk("hit", char=two[1], target=two[0])
    number = desk("sneak", die(face), char=two[1])
    assert (waiting not in waits(desk)) is lapses
    for turn in range(4):
        desk("mint", to=two[turn % 2], coins=turn + 1, hidden=turn < 2)
        if turn == 2 and not open_to_all:
            desk.ledger.overturn(desk.call(), number, "not so", present)
            desk.ledger.reinstate(desk.call(), number, "so", present)
        assert (waiting not in waits(desk)) is lapses
    desk("amend", subject=f"character:{two[0]}", field="harm", value=2000, reason="a fall")
    assert fallen(desk, also).refused.code == "already-down"


@pytest.mark.parametrize("counted", [True, False])
def test_what_everybody_can_count_is_no_secret(ledger: Ledger, monkeypatch: pytest.MonkeyPatch, counted: bool) -> None:
    """Who holds coins cannot be hit here; where they lie open, everybody sees them, whoever gave them."""
    toy = systems()["toy"]
    hit = next(one for one in toy.inputs if one.kind == "hit")

    def adjudicate(table: Any, do: Any) -> Any:
        if isinstance(do, hit) and table.balance(f"character:{do.target}/coin"):
            raise Refused("toy.hit", "not-seen", target=do.target)
        return (yield from toy.adjudicate(table, do))

    accounts = tuple(replace(one, counted=counted and one.unit == "coin") for one in toy.accounts)
    monkeypatch.setitem(systems(), "toy", replace(toy, adjudicate=adjudicate, accounts=accounts))
    desk = Desk(ledger)
    two = [desk.enrol("A"), desk.enrol("B")]
    waiting, also = desk("hit", char=two[0], target=two[1]), desk("hit", char=two[1], target=two[0])
    desk("mint", to=two[1], coins=1, hidden=True)
    assert waits(desk) == ([also] if counted else [waiting, also])


def test_a_hidden_question_does_not_lapse(desk: Desk, two: tuple[str, str]) -> None:
    """It is told to few; that it lapses, and so what was declared, would be told to all."""
    waiting = json.loads(desk.declare("sneak", dice="table", char=two[0]).body)["waiting"]
    seat, _ = desk.seat("Bob")
    desk("hand-over", character=two[0], seat=seat)
    assert waits(desk) == [waiting]


def test_a_hidden_question_lapses_with_its_scene(desk: Desk, two: tuple[str, str]) -> None:
    """Everybody sees in which scene it waits, and that this is closed."""
    scene = str(desk("open-scene", title="Here", cast=[]))
    waiting = json.loads(desk.declare("sneak", dice="table", char=two[0]).body)["waiting"]
    position = desk.position
    number = desk("close-scene", scene=scene)
    assert desk.position == position + 1
    assert fallen(desk, waiting) == Lapsed(number, Unsupported("ledger.scene", "scene-closed", {"scene": scene}))


# --- lapsing is no second roll ---


@pytest.fixture
def rolled_first(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A toy in which the ledger rolls before the target chooses."""
    toy = systems()["toy"]
    hit = next(one for one in toy.inputs if one.kind == "hit")
    stand = toy.choices[1]
    hurt = next(one for one in toy.facts if one.fact_kind == "hurt@1")
    being = type(toy.blank("character"))

    def adjudicate(table: Any, do: Any) -> Any:
        if not isinstance(do, hit):
            return (yield from toy.adjudicate(table, do))
        target = character(do.target)
        if table.get(target, being).harm >= table.get(target, being).health:
            raise Refused("toy.hit", "already-down", target=do.target)
        faces = yield from roll(character(do.char), 3, 6, slot="hit")
        yield from ask(table.owner(target), stand, slot="stand")
        return Verdict((About(target, hurt(sum(faces))),))

    monkeypatch.setitem(systems(), "toy", replace(toy, adjudicate=adjudicate))
    return Desk(ledger)


def dice_of(desk: Desk, waiting: str) -> list[Any]:
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        return [one.answer["dice"] for one in book.load_pending(waiting).answers if "dice" in one.answer]


def test_dice_rolled_for_what_lapsed_answer_it_when_it_is_declared_again(rolled_first: Desk, another: Ledger) -> None:
    desk = rolled_first
    a, b = desk.enrol("A"), desk.enrol("B", health=5)
    waiting = desk("hit", char=a, target=b)
    (rolled,) = dice_of(desk, waiting)
    number = desk("amend", subject=f"character:{b}", field="harm", value=5, reason="a fall")
    assert fallen(desk, waiting).ruling == number and dice_of(desk, waiting) == [rolled], "they stay visible"
    with pytest.raises(Refused, match="already-down"):
        desk("hit", char=a, target=b)
    desk("amend", subject=f"character:{b}", field="harm", value=0, reason="no fall")
    with another.open_for_seat(desk.call()) as (book, _):
        assert list(book.campaign.lapsed_ids) == [waiting], "as it is read from the record"
    assert desk("hit", char=a, target=b) == waiting, "it goes on waiting"
    assert dice_of(desk, waiting) == [rolled]
    assert desk.ruling(answer(desk, waiting, STAND)["ruling"]).ruled.answers[0].answer == {"dice": rolled}
    assert desk.state(b).harm == sum(rolled["faces"])


def test_they_answer_it_once_and_for_the_same_seat_only(rolled_first: Desk) -> None:
    desk = rolled_first
    a, b = desk.enrol("A"), desk.enrol("B", health=1000)
    waiting = desk("hit", char=a, target=b)
    (rolled,) = dice_of(desk, waiting)
    desk("amend", subject=f"character:{b}", field="harm", value=1000, reason="a fall")
    desk("amend", subject=f"character:{b}", field="harm", value=0, reason="no fall")
    other = desk("hit", char=b, target=b)
    assert other != waiting
    number = desk("hit", STAND, char=a, target=b)
    ruled = desk.ruling(number).ruled
    assert (ruled.waited_as, ruled.answers[0].answer) == (waiting, {"dice": rolled})
    later = desk("hit", char=a, target=b)
    assert later != waiting and dice_of(desk, later) != [rolled]


def test_what_people_said_to_it_is_asked_again(rolled_first: Desk) -> None:
    desk = rolled_first
    seat, _ = desk.seat("Bob")
    a, b = desk.enrol("A"), desk.enrol("B", health=5, seat=seat)
    waiting = desk("hit", char=a, target=b)
    desk("amend", subject=f"character:{b}", field="harm", value=5, reason="a fall")
    desk("amend", subject=f"character:{b}", field="harm", value=0, reason="no fall")
    told = json.loads(desk.declare("hit", char=a, target=b).body)
    assert (told["waiting"], told["question"]["seat"]) == (waiting, seat)
