"""Waiting for answers: dice, choices, several seats, answers that no longer fit."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from ledger.application import Ledger
from ledger.application.commands import adjudicating
from ledger.application.roller import answer_by_ledger
from ledger.errors import Malformed, NotFound, NotYours, WrongStatus
from ledger.rules import systems
from ledger.rules.kernel.contract import About, Verdict
from ledger.rules.kernel.questions import ask, roll
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import character
from tests.desk import Desk, present

STAND, DODGE = {"choice": {"kind": "stand"}}, {"choice": {"kind": "dodge"}}


def die(*faces: Any, sides: int = 6, **more: Any) -> dict[str, Any]:
    return {"dice": {"sides": sides, "faces": list(faces), **more}}


@pytest.fixture
def two(desk: Desk) -> tuple[str, str]:
    return desk.enrol("A"), desk.enrol("B")


def answer(desk: Desk, waiting: str, given: dict[str, Any], token: str | None = None) -> dict[str, Any]:
    (typed,) = desk.answers(given)
    told: dict[str, Any] = json.loads(
        desk.ledger.answer_waiting_declaration(desk.call(token=token), waiting, typed, present).body
    )
    return told


def test_a_ruling_waits_for_the_target_and_then_for_plastic_dice(desk: Desk, two: tuple[str, str]) -> None:
    seat, token = desk.seat("Bob")
    b = desk.enrol("C", seat=seat)
    told = json.loads(desk.declare("hit", dice="table", char=two[0], target=b).body)
    assert told["question"]["seat"] == seat
    assert [one["kind"] for one in told["question"]["choices"]] == ["dodge", "stand"]
    told = answer(desk, told["waiting"], STAND, token)
    assert (told["question"]["ask"], told["question"]["count"], told["question"]["sides"]) == ("roll", 1, 6)
    told = answer(desk, told["waiting"], die(5))
    assert desk.state(b).harm == 5
    ruling = desk.ruling(told["ruling"])
    assert [one.answer for one in ruling.ruled.answers] == [
        STAND,
        die(5) | {"dice": {**die(5)["dice"], "source": "table"}},
    ]
    assert [one.by for one in ruling.ruled.answers] == [seat, "s1"]


def test_the_ledgers_dice_are_rolled_as_soon_as_nobody_is_asked_any_more(desk: Desk, two: tuple[str, str]) -> None:
    number = answer(desk, desk("hit", char=two[0], target=two[1]), STAND)["ruling"]
    rolled = desk.ruling(number).ruled.answers[1].answer["dice"]
    assert rolled["source"] == "ledger" and 1 <= rolled["faces"][0] <= 6
    assert desk.state(two[1]).harm == rolled["faces"][0]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (die(7), "face-range"),
        (die(0), "face-range"),
        (die(), "dice-count"),
        (die(1, 2), "dice-count"),
        (die(3, sides=8), "dice-count"),
        (STAND, "answer-kind"),
        ({"cards": {"cards": ["A"]}}, "answer-kind"),
    ],
)
def test_an_answer_that_does_not_fit_changes_nothing(desk: Desk, two: tuple[str, str], given: Any, code: str) -> None:
    waiting = json.loads(desk.declare("hit", STAND, dice="table", char=two[0], target=two[1]).body)["waiting"]
    position = desk.position
    with pytest.raises(Unfit) as refusal:
        answer(desk, waiting, given)
    assert refusal.value.code == code
    assert desk.position == position
    assert answer(desk, waiting, die(2))["ruling"] == 3


@pytest.mark.parametrize("given", [die(True), die("3"), die(2.5), die(None)])
def test_faces_are_integers_and_nothing_else(desk: Desk, given: Any) -> None:
    with pytest.raises(Malformed):
        desk.answers(given)


def test_more_answers_than_questions_are_refused(desk: Desk, two: tuple[str, str]) -> None:
    with pytest.raises(Unfit, match="not-asked"):
        desk("hit", STAND, die(3), die(4), char=two[0], target=two[1])
    with pytest.raises(Unfit, match="not-asked"):
        desk("mint", die(3), to=two[0], coins=1)


def test_only_who_is_asked_answers(desk: Desk, two: tuple[str, str]) -> None:
    seat, token = desk.seat("Bob")
    _, stranger = desk.seat("Eve")
    mine = desk.enrol("Mine", seat=seat)
    waiting = desk("hit", char=two[0], target=mine)
    with pytest.raises(NotYours):
        answer(desk, waiting, STAND, stranger)
    with pytest.raises(NotYours):
        desk.ledger.withdraw(desk.call(token=stranger), waiting, "no", present)
    with pytest.raises(NotYours):
        desk.ledger.declare(
            desk.call(token=token), desk.input("hit", char=mine, target=two[0]), present, answers=desk.answers(STAND)
        )
    assert answer(desk, waiting, DODGE, token)["ruling"]


def test_what_was_withdrawn_or_ruled_waits_no_longer(desk: Desk, two: tuple[str, str]) -> None:
    waiting = desk("hit", char=two[0], target=two[1])
    with pytest.raises(Malformed):
        desk.ledger.withdraw(desk.call(), waiting, "  ", present)
    desk.ledger.withdraw(desk.call(), waiting, "a slip", present)
    for act in (
        lambda: answer(desk, waiting, STAND),
        lambda: desk.ledger.withdraw(desk.call(), waiting, "again", present),
    ):
        with pytest.raises(WrongStatus):
            act()
    ruled = desk("hit", char=two[0], target=two[1])
    answer(desk, ruled, STAND)
    with pytest.raises(WrongStatus):
        answer(desk, ruled, STAND)
    for nothing in ("w999", "3", "w0/x", ""):
        with pytest.raises(NotFound):
            answer(desk, nothing, STAND)
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        assert not book.campaign.waiting_ids


def test_answers_that_no_longer_fit_are_set_aside_and_stay_visible(desk: Desk, two: tuple[str, str]) -> None:
    """The die is turned from d6 to d8 while a ruling waits with... its question: it asks for a d8 now."""
    waiting = json.loads(desk.declare("hit", STAND, dice="table", char=two[0], target=two[1]).body)["waiting"]
    desk("set-dial", name="die", value=8, reason="bigger fists")
    told = answer(desk, waiting, die(6))
    assert told["question"]["sides"] == 8, "asked again, on the table as it stands"
    number = answer(desk, waiting, die(8, sides=8))["ruling"]
    kept = desk.ruling(number).ruled.answers
    assert [(one.answer, one.set_aside) for one in kept if one.set_aside] == [
        ({"dice": {"sides": 6, "faces": [6], "source": "table"}}, True)
    ]
    assert desk.state(two[1]).harm == 8


def test_a_waiting_ruling_reserves_nothing(desk: Desk, two: tuple[str, str]) -> None:
    """What an overturning brought about is refused when it is answered; a ruling would have made it lapse."""
    weak = desk.enrol("Weak", health=1)
    waiting = desk("hit", char=two[0], target=weak)
    desk.ledger.overturn(desk.call(), int(weak), "nobody of that name", present)
    with pytest.raises(Refused, match="unknown-character"):
        answer(desk, waiting, STAND)
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        assert list(book.campaign.waiting_ids) == [waiting]


# --- nobody fishes for the ledger's dice ---


def test_what_is_typed_in_is_never_the_ledgers_own(desk: Desk, two: tuple[str, str]) -> None:
    boast = {"dice": {"sides": 6, "faces": [6], "source": "ledger", "proof": "trust me"}}
    number = desk("hit", STAND, boast, char=two[0], target=two[1])
    assert desk.ruling(number).ruled.answers[1].answer == {"dice": {"sides": 6, "faces": [6], "source": "table"}}


@pytest.fixture
def dice_first(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A toy in which the attacker chooses (what there is to choose hangs on a dial), rolls, and the target chooses."""
    toy = systems()["toy"]
    hit = next(one for one in toy.inputs if one.kind == "hit")
    dodge, stand = toy.choices
    hurt = next(one for one in toy.facts if one.fact_kind == "hurt@1")

    def adjudicate(table: Any, do: Any) -> Any:
        if not isinstance(do, hit):
            return (yield from toy.adjudicate(table, do))
        yield from ask(table.owner(character(do.char)), stand if table.dials.die == 6 else dodge)
        faces = yield from roll(character(do.char), 5, 6)
        if table.dials.die == 6 and do.target == "1":
            raise Refused("toy.hit", "after-the-roll")
        yield from ask(table.owner(character(do.target)), stand)
        return Verdict((About(character(do.target), hurt(sum(faces))),))

    monkeypatch.setitem(systems(), "toy", replace(toy, adjudicate=adjudicate))
    return Desk(ledger)


def test_an_unfit_choice_does_not_get_the_ledgers_dice_rolled_again(dice_first: Desk) -> None:
    desk = dice_first
    seat, player = desk.seat("Bob")
    mine, other = desk.enrol("A", seat=seat), desk.enrol("B")
    do = desk.input("hit", char=mine, target=other)
    first = desk.ledger.declare(desk.call(token=player), do, present, answers=desk.answers(STAND))
    waiting = json.loads(first.body)["waiting"]
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        rolled = book.load_pending(waiting).answers[1].answer
    desk("set-dial", name="die", value=8, reason="another choice from now on")
    told = answer(desk, waiting, STAND)
    assert [one["kind"] for one in told["question"]["choices"]] == ["dodge"], "asked from the beginning"
    told = answer(desk, waiting, DODGE, player)
    assert told["question"]["seat"] == "s1"
    number = answer(desk, waiting, STAND)["ruling"]
    kept = desk.ruling(number).ruled.answers
    assert [one.answer for one in kept if not one.set_aside] == [DODGE, rolled, STAND]
    assert [one.answer for one in kept if one.set_aside] == [STAND, STAND]
    assert desk.state(other).harm == sum(rolled["dice"]["faces"])


def test_who_declared_does_not_withdraw_what_the_ledger_has_rolled_for(dice_first: Desk) -> None:
    desk = dice_first
    seat, player = desk.seat("Bob")
    mine, other = desk.enrol("A", seat=seat), desk.enrol("B")
    do = desk.input("hit", char=mine, target=other)

    def declare(*given: Any) -> str:
        told = desk.ledger.declare(desk.call(token=player), do, present, answers=desk.answers(*given))
        return str(json.loads(told.body)["waiting"])

    desk.ledger.withdraw(desk.call(token=player), declare(), "nothing has been rolled yet", present)
    waiting = declare(STAND)
    with pytest.raises(NotYours) as refusal:
        desk.ledger.withdraw(desk.call(token=player), waiting, "I do not like the dice", present)
    assert refusal.value.code == "dice-rolled"
    desk.ledger.withdraw(desk.call(), waiting, "a slip, says the table", present)


def test_a_refusal_is_no_reason_to_roll_twice(dice_first: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = dice_first
    a = desk.enrol("A")
    for coins in (1, 2):
        desk("mint", to=a, coins=coins)
    rolls: list[Any] = []

    def counting(save: Any, asked: Any, ruling: int) -> Any:
        rolls.append(asked)
        return answer_by_ledger(save, asked, ruling)

    monkeypatch.setattr(adjudicating, "answer_by_ledger", counting)
    with pytest.raises(Refused, match="after-the-roll"):
        desk("hit", STAND, char=a, target=a)
    assert len(rolls) == 1


def test_an_answer_nobody_needs_any_more_is_given_by_who_was_asked_and_kept(desk: Desk, two: tuple[str, str]) -> None:
    seat, token = desk.seat("Bob")
    _, stranger = desk.seat("Oz", "observer")
    mine = desk.enrol("Mine", seat=seat)
    waiting = desk("hit", char=two[0], target=mine)
    desk("hand-over", character=mine, seat="s1")
    with pytest.raises(NotYours):
        answer(desk, waiting, DODGE, stranger)
    told = answer(desk, waiting, DODGE, token)
    assert told["question"]["seat"] == "s1", "asked of who plays the character now"
    number = answer(desk, waiting, STAND)["ruling"]
    aside = [one for one in desk.ruling(number).ruled.answers if one.set_aside]
    assert [(one.answer, one.by) for one in aside] == [(DODGE, seat)]


def test_who_might_not_declare_it_any_more_is_not_answered(desk: Desk) -> None:
    seat, player = desk.seat("Bob")
    mine, other = desk.enrol("A", seat=seat), desk.enrol("B")
    do = desk.input("hit", char=mine, target=other)
    waiting = json.loads(desk.ledger.declare(desk.call(token=player), do, present).body)["waiting"]
    desk.ledger.change_seat(desk.call(), seat, None, True, present)
    with pytest.raises(NotYours):
        answer(desk, waiting, STAND)
    desk("hand-over", character=mine, seat="s1")
    with pytest.raises(WrongStatus):
        answer(desk, waiting, STAND)


def test_a_secret_can_be_amended_in_secret(desk: Desk) -> None:
    a = desk.enrol("A")
    number = desk("amend", subject=f"character:{a}", field="adrift", value=[], reason="so it is", seen_by=["gm"])
    purse = f"character:{a}/coin"
    desk("adjust", source="bank/coin", target=purse, unit="coin", amount=2, reason="loot", seen_by=["gm"])
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        recorded = [body.body for body in book.read(f"{desk.campaign}/character/{a}") if body.body.ruling >= number]
        assert [body.audience for body in recorded] == [("gm",), ("gm",)]
        assert book.load_stream(character(a)).audiences_by_account == {purse: {("gm",)}, "bank/coin": {("gm",)}}
        assert [one.audience for one in book.load_ruling(number).ruled.because] == [("gm",)]
    assert desk.coins(a) == 2


def test_an_amendment_is_seen_by_whoever_the_system_shows_the_piece_to(desk: Desk, monkeypatch: Any) -> None:
    """Harm is shown to everybody; the toy is made to show health to who plays the being only, the rest to nobody."""
    seat, _ = desk.seat("Bob")
    being = desk.enrol("Mine", seat=seat)
    shown = desk.ruleset.view

    def view(subject: Any, state: Any, viewer: Any) -> Any:
        mine = viewer.role == "gm" or being in viewer.characters
        return {name: value for name, value in shown(subject, state, viewer).items() if name != "health" or mine}

    def audience(field: str, value: Any, **more: Any) -> Any:
        number = desk("amend", subject=f"character:{being}", field=field, value=value, reason="so it is", **more)
        address = desk.ruling(number).ruled.facts[0]
        with desk.ledger.open_for_seat(desk.call()) as (book, _):
            return book.read(address.stream)[address.version - 1].body.audience

    monkeypatch.setattr(type(desk.ruleset), "view", property(lambda self: view))
    assert audience("harm", 3) is None
    assert audience("health", 7) == ("gm", f"character:{being}")
    assert audience("adrift", []) == ("gm",)
    assert audience("health", 8, seen_by=["gm", seat]) == ("gm", seat)
    for field, seen_by, shown_to in (
        ("harm", ["gm"], "everybody"),
        ("harm", [], "everybody"),
        ("health", ["gm"], seat),
        ("health", ["s9"], seat),
    ):
        with pytest.raises(Refused, match="shown-to-others") as refused:
            audience(field, 4, seen_by=seen_by)
        assert refused.value.context == {"field": field, "shown_to": shown_to}
    assert audience("harm", 3, seen_by=["gm"]) == ("gm",), "nothing changes that anybody could see"
