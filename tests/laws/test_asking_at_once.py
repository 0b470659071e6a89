"""Several seats can be asked at the same time: whoever answers first, the ruling is the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import not_
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from ledger.rules.kernel.adjudication import Conversation
from ledger.rules.kernel.answers import Said
from ledger.rules.kernel.chapters import choice
from ledger.rules.kernel.questions import (
    Answer,
    Asking,
    Choice,
    Dice,
    Reply,
    ask,
    ask_all,
    list_open_questions,
    question_json,
    roll,
)
from ledger.rules.kernel.refusals import Unfit
from ledger.rules.kernel.subjects import seat
from ledger.rules.kernel.table import RulingTable
from ledger.rules.kernel.world import Past, PastRuling
from ledger.rules.moc import beads
from tests.laws.test_play import SEEDS, every_system
from tests.levels import examples
from tests.rules.anything import play
from tests.rules.moves import steps
from tests.rules.world import World

seldom = settings(max_examples=examples(3, 8, 40), deadline=None, suppress_health_check=list(HealthCheck))


def list_recorded_answers(asked: Sequence[Mapping[str, object]], left: Sequence[Said]) -> list[tuple[int, Said]]:
    """Return the place of each question that was answered, with its answer. If somebody was asked the same thing
    several times, the answers stay in their order.
    """
    next_answers: dict[int, Said] = {}
    for said in left:
        if said.question in asked and not said.set_aside:
            next_answers.setdefault(asked.index(dict(said.question or {})), said)
    return list(next_answers.items())


def rule_in_another_order(past: Past, ruling: PastRuling, rng: Random) -> tuple[Any, int]:
    """Return the verdict on the recorded answers, where those asked at the same time answer in any order; and how many
    questions were answered before an earlier one.
    """
    left = list(ruling.said)
    table = RulingTable(past.ruleset, past, ruling.number, ruling.by, ruling.scene)
    conversation = Conversation(past.ruleset, table, ruling.declared)
    jumps = 0
    while conversation.open_questions:
        asked = [question_json(question) for question in conversation.open_questions]
        recorded = list_recorded_answers(asked, left)
        assert recorded, f"asked something else where another seat answered first: {asked}"
        place, said = rng.choice(recorded)
        jumps += place > 0
        left.remove(said)
        conversation.answer(said.answer, place)
    return conversation.verdict, jumps


def check_orders(game: World, rng: Random) -> int:
    jumps = 0
    for past, ruling in steps(game):
        if sum(isinstance(answer, Choice) for answer in ruling.answers) < 2:
            continue
        in_order: Any = past.readjudicate(ruling)
        verdict, jumped = rule_in_another_order(past, ruling, rng)
        jumps += jumped
        assert Counter(map(repr, verdict.facts)) == Counter(map(repr, in_order.facts))
        assert Counter(map(repr, verdict.because)) == Counter(map(repr, in_order.because))
    return jumps


@every_system
@seldom
@given(seed=SEEDS)
def test_any_order_of_answers_gives_the_same_ruling(name: str, seed: int) -> None:
    check_orders(play(name, seed, 80), Random(seed))


def test_answers_to_the_same_question_stay_in_their_order() -> None:
    """A repeated question (another bonus die, another proposal) gets its next answer, not any of them."""
    ann, bea = ({"ask": "choice", "seat": seat, "slot": "agreed"} for seat in ("ann", "bea"))
    first, second, other = Said(NO, ann), Said(YES, ann), Said(YES, bea)
    assert list_recorded_answers([bea, ann], [first, second, other]) == [(1, first), (0, other)]
    assert list_recorded_answers([ann], [second, other]) == [(0, second)]


def find_jumps(name: str) -> int:
    return next((jumps for seed in range(60) if (jumps := check_orders(play(name, seed, 120), Random(seed)))), 0)


@pytest.mark.parametrize("name", ["intensity", "moc", "scattershot"])
def test_several_are_asked_at_once(name: str) -> None:
    assert find_jumps(name)


def test_a_ruling_that_depends_on_the_order_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    own = beads._ask_for_beads

    def ask_for_beads(draft: Any, id: str) -> Any:
        yield from own(draft, id)
        draft.by(beads.BEAD_ALLOCATE, len(draft.make_verdict().because), character=id)

    monkeypatch.setattr(beads, "_ask_for_beads", ask_for_beads)
    with pytest.raises(AssertionError):
        for seed in range(60):
            check_orders(play("moc", seed, 120), Random(seed))


# --- the function itself --------------------------------------------------------------------------------------------


@choice("yes", says="Yes.")
class Yes:
    pass


@choice("no", says="No.")
class No:
    pass


YES, NO = Choice(Yes()), Choice(No())


def agrees(name: str) -> Asking[bool]:
    return isinstance((yield from ask(name, Yes, No, slot=name)), Yes)


def agrees_twice(name: str) -> Asking[bool]:
    return (yield from agrees(name)) and (yield from agrees(f"{name} again"))


def drive(asking: Asking[Any], *replies: Answer | Reply) -> tuple[list[str], Any]:
    """Return which seats were asked at each step, `-` before those that had answered; and the result, if any."""
    sending: Any = asking
    seen, question = [], sending.send(None)
    for reply in (*replies, None):
        is_open: list[Any] = [*list_open_questions(question)]
        answered = "".join(f" -{other.seat}" for other in question.answered)
        seen.append(" ".join(other.seat for other in is_open) + answered)
        if reply is None:
            return seen, None
        try:
            question = sending.send(reply)
        except StopIteration as stop:
            return seen, stop.value
    raise AssertionError


def test_answers_go_to_their_questions() -> None:
    asking = ask_all([agrees("ann"), agrees("bea"), agrees("cleo")])
    seen, result = drive(asking, Reply(2, NO), Reply(1, YES), YES)
    assert (seen, result) == (["ann bea cleo", "ann bea -cleo", "ann -cleo -bea"], (True, True, False))


def test_it_can_be_driven_as_if_they_were_asked_in_turn() -> None:
    seen, result = drive(ask_all([agrees("ann"), agrees_twice("bea")]), YES, YES, NO)
    assert (seen, result) == (["ann bea", "bea -ann", "bea again -ann -bea"], (True, False))


def test_nobody_after_the_final_answer_needs_to_answer() -> None:
    def ask_three() -> Asking[Any]:
        return ask_all([agrees("ann"), agrees("bea"), agrees("cleo")], is_final=not_)

    assert drive(ask_three(), NO)[1] == (False,)
    assert drive(ask_three(), Reply(1, NO))[1] is None, "Ann comes before her"
    assert drive(ask_three(), Reply(1, NO), YES)[1] == (True, False)


def test_who_is_not_asked_is_not_waited_for() -> None:
    def answered() -> Asking[bool]:
        yield from ()
        return True

    with pytest.raises(StopIteration) as stop:
        next(ask_all([answered(), answered()]))
    assert stop.value.value == (True, True)
    assert drive(ask_all([answered(), agrees("bea")]), YES) == (["bea"], (True, True))


def test_dice_cannot_be_asked_of_several_at_once() -> None:
    with pytest.raises(TypeError, match="Roll"):
        next(ask_all([roll(seat("ann"), 1, 6), roll(seat("bea"), 1, 6)]))


def test_an_answer_that_does_not_fit_is_refused() -> None:
    with pytest.raises(Unfit):
        drive(ask_all([agrees("ann"), agrees("bea")]), Reply(1, Dice(6, (1,))))
