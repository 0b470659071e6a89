"""A die belongs to its question: told again in any past, nobody rolls what another rolled. Of every system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest
from hypothesis import given

from ledger.rules import systems
from ledger.rules.intensity.rolling import RollDice
from ledger.rules.intensity.rounds import OpenRound
from ledger.rules.kernel.adjudication import Waiting
from ledger.rules.kernel.answers import RecordedAnswers, Said, asks_the_same, make_recorded_key, trim_answer_to
from ledger.rules.kernel.commands import Enrol
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.questions import Ask, Choice, Dice, Draw, Drawn, Flip, Flipped, Question, Roll, question_json
from ledger.rules.kernel.subjects import character
from ledger.rules.kernel.world import Past, PastRuling, Revision
from tests.laws.test_play import SEEDS, every_system, slowly
from tests.laws.test_revising import Record, before, dials_of
from tests.rules.anything import play
from tests.rules.intensity.game import Game
from tests.rules.world import World


def whose(question: Any) -> str:
    return question.seat if isinstance(question, Ask) else str(question.who)


def misheard(ruling: PastRuling, anew: Revision) -> list[tuple[Any, Any]]:
    """Questions that heard what another was asked, or another kind of die."""
    found = []
    for question, place in anew.replayed.answered:
        given_to: Mapping[str, Any] = ruling.said[place].question or {}
        own = given_to.get("seat") if isinstance(question, Ask) else str(given_to.get("who"))
        if own != whose(question) or given_to.get("sides") != getattr(question, "sides", None):
            found.append((question, given_to))
    return found


def told_again(game: World, rng: Random) -> Iterator[tuple[PastRuling, Revision]]:
    """Every ruling without some earlier ones; with another dial from the start; and corrected to one of its kind."""
    struck = rng.sample(range(1, len(game.history) + 1), min(3, len(game.history)))
    dial, value = rng.choice(list(dials_of(game)))
    for past in (Past(game.ruleset, dict.fromkeys(struck)), Past(game.ruleset, {}, {dial: value})):
        past.tell(game.opening)
        for ruling in game.history:
            if past.stands(ruling.number):
                yield ruling, past.rule_again(ruling, 1)
                alike = [one.declared for one in game.history if type(one.declared) is type(ruling.declared)]
                if ruling.said:
                    yield ruling, past.rule_again(replace(ruling, declared=rng.choice(alike)), 1)
            past.tell(ruling.facts)


@every_system
@slowly
@given(seed=SEEDS)
def test_whoever_rolled_it_keeps_it(name: str, seed: int) -> None:
    game, rng = play(name, seed, 60), Random(seed)
    for ruling, anew in told_again(game, rng):
        assert not misheard(ruling, anew), ruling.declared
    record = Record(game)
    for _ in range(3):  # ruled again, and again on what that left
        number = rng.randint(1, len(game.history))
        record.decide({number: None if record.standing.get(number, 0) is not None else 0})
    past = game.beginning().branch(record.standing)
    for ruling in record.history:
        if past.stands(ruling.number):
            assert not misheard(ruling, past.rule_again(ruling, ruling.revision + 1)), ruling.declared
        past.tell(ruling.facts)


@every_system
@slowly
@given(seed=SEEDS)
def test_what_people_call_things_changes_nobodys_dice(name: str, seed: int) -> None:
    """A text corrected, in a declaration that is accepted with it; a character's name, in all that came after."""
    game, rng = play(name, seed, 60), Random(seed)
    past = game.beginning()
    for ruling in game.history:
        said = {one.name: getattr(ruling.declared, one.name) for one in fields(ruling.declared)}
        texts = [name for name, text in said.items() if isinstance(text, str) and text.strip()]
        if texts and ruling.said:
            word = rng.choice(texts)
            other = replace(ruling.declared, **{word: said[word] + " (corrected)"})
            anew = past.rule_again(replace(ruling, declared=other), 1)
            if isinstance(anew.outcome, Verdict):
                assert [place for _, place in anew.replayed.answered] == list(range(len(ruling.answers))), word
        past.tell(ruling.facts)
    people = [one for one in game.history if isinstance(one.declared, Enrol)]
    if people:
        renamed = rng.choice(people)
        called = replace(renamed, declared=replace(renamed.declared, name="Somebody Else"))
        anew = before(game, renamed.number).rule_again(called, 1)
        past = game.beginning().branch({renamed.number: 1})
        for ruling in game.history:
            outcome = past.readjudicate(ruling)
            assert ruling is renamed or not isinstance(outcome, Waiting), ruling.declared
            past.tell(anew.facts if ruling is renamed else ruling.facts)


@every_system
@slowly
@given(seed=SEEDS)
def test_records_from_before_there_were_slots_tell_the_same(name: str, seed: int) -> None:
    """What was never revised; and told otherwise, up to the first question that another was asked."""
    game = play(name, seed, 60)
    past = game.beginning()
    for ruling, verdict in zip(game.history, game.verdicts, strict=True):
        assert past.readjudicate(of_before(ruling)) == verdict
        past.tell(ruling.facts)
    for ruling, anew in told_again(replaced(game), Random(seed)):
        assert not misheard(ruling, anew), ruling.declared


def of_before(ruling: PastRuling) -> PastRuling:
    said = [
        replace(one, question={name: value for name, value in (one.question or {}).items() if name != "slot"})
        for one in ruling.said
    ]
    return replace(ruling, said=tuple(said))


def replaced(game: World) -> World:
    game.history = list(map(of_before, game.history))
    return game


# --- what is planted, and found -----------------------------------------------------------------------------------


def by_place(self: Any, questions: Any) -> tuple[int, int] | None:
    """As it was: the next answer in the list, whoever's it is."""
    place = len(self._taken_places)
    if place == len(self._answers):
        return None
    self._taken_places.add(place)
    return 0, place


def of_three() -> Game:
    """Ann (8, 7), Bea (2, 1) and Cleo (5, 4) roll for a round that another ruling opened for all three."""
    game = Game()
    game.open(game.ann, game.bea, game.cleo)
    for char, target in ((game.ann, game.bea), (game.bea, game.ann), (game.cleo, game.ann)):
        game.says(char, target)
    game.does(RollDice(), 8, 7, 2, 1, 5, 4)
    return game


def without_ann(game: Game) -> tuple[PastRuling, Revision]:
    """The roll, told again after the round was opened for Bea and Cleo only, who act against each other."""
    opened, *declared, rolled = game.history[-5:]
    past = before(game, opened.number)
    anew = [replace(opened, declared=OpenRound((game.bea, game.cleo)))]
    says = [
        replace(one.declared, target=game.cleo if one.declared.char == game.bea else game.bea)
        for one in (one for one in declared if one.declared.char != game.ann)
    ]
    anew += [replace(one, declared=do) for one, do in zip(declared[1:], says, strict=True)]
    for ruling in anew:
        told = past.rule_again(ruling, 1)
        assert isinstance(told.outcome, Verdict), told.outcome
        past.revisions[ruling.number] = 1
        past.tell(told.facts)
    return rolled, past.rule_again(rolled, 1)


def faces_of(rolled: PastRuling, anew: Revision) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for question, place in anew.replayed.answered:
        answer = rolled.said[place].answer
        assert isinstance(answer, Dice)
        found.setdefault(whose(question), []).extend(answer.faces)
    return found


def test_bea_and_cleo_keep_their_dice_when_ann_was_never_there() -> None:
    game = of_three()
    rolled, anew = without_ann(game)
    assert isinstance(anew.outcome, Verdict)
    assert faces_of(rolled, anew) == {str(character(game.bea)): [2, 1], str(character(game.cleo)): [5, 4]}


def test_dice_heard_by_their_place_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RecordedAnswers, "claim_answer", by_place)
    rolled, anew = without_ann(of_three())
    assert misheard(rolled, anew)


# --- one question, more often or less often ------------------------------------------------------------------------

ANN, BEA = character("1"), character("2")


def heard(said: list[Said], *questions: Any) -> list[Any]:
    """What each of the questions hears."""
    recorded = RecordedAnswers(said)
    found = [recorded.claim_answer((question,)) for question in questions]
    places = [place[1] if place is not None else None for place in found]
    return [
        None if place is None else trim_answer_to(question, said[place].answer)
        for question, place in zip(questions, places, strict=True)
    ]


def rolled(question: Any, *faces: int, **more: Any) -> Said:
    return Said(Dice(question.sides, faces), question_json(question), **more)


def roll(who: Any = ANN, count: int = 1, sides: int = 6, slot: str = "hit", purpose: str = "") -> Roll:
    return Roll(who, count, sides, purpose, None, slot)


@pytest.mark.parametrize(
    ("said", "questions", "faces"),
    [
        ([rolled(roll(), 1), rolled(roll(), 2)], [roll(), roll(), roll()], [(1,), (2,), None]),
        ([rolled(roll(), 1), rolled(roll(BEA), 2)], [roll(BEA), roll()], [(2,), (1,)]),
        ([rolled(roll(purpose="a leap"), 4)], [roll(purpose="a long leap")], [(4,)]),
        ([rolled(roll(count=3), 1, 2, 3)], [roll(count=2)], [(1, 2)]),
        ([rolled(roll(count=2), 1, 2)], [roll(count=3)], [(1, 2)]),
        ([rolled(roll(), 1)], [roll(sides=8)], [None]),
        ([rolled(roll(), 1)], [roll(slot="dodge")], [None]),
        ([rolled(roll(), 1, set_aside=True), rolled(roll(), 2)], [roll(), roll()], [(2,), (1,)]),
        ([Said(Dice(6, (3,)), {}), rolled(roll(), 2)], [roll(BEA), roll(), roll()], [(3,), (2,), None]),
    ],
    ids=[
        "k-th to k-th",
        "by who",
        "not by prose",
        "fewer: the first",
        "more: does not fit",
        "other die",
        "other slot",
        "set aside: last",
        "for whoever has none",
    ],
)
def test_what_is_heard(said: list[Said], questions: list[Any], faces: list[Any]) -> None:
    assert [one and one.faces for one in heard(said, *questions)] == faces


def test_coins_and_cards_are_cut_as_dice_are() -> None:
    coins, cards = Flipped(("heads", "tails", "heads")), Drawn(("A", "B", "C"))
    flip, draw = Flip(ANN, 3, "", None, "x"), Draw(ANN, 3, ("A", "B", "C"), "", None, "y")
    said = [Said(coins, question_json(flip)), Said(cards, question_json(draw))]
    assert heard(said, replace(draw, count=1), replace(flip, count=2)) == [Drawn(("A",)), Flipped(("heads", "tails"))]


def test_of_before_the_place_counts_until_another_is_asked() -> None:
    first, second = roll(), roll(BEA)
    said = [of_then(rolled(first, 1)), of_then(rolled(second, 2)), of_then(rolled(first, 3))]
    assert [one and one.faces for one in heard(said, first, second, first)] == [(1,), (2,), (3,)]
    assert [one and one.faces for one in heard(said, first, first, second)] == [(1,), None, None]
    aside = [of_then(rolled(roll(count=2), 4, 5, set_aside=True))]
    assert [one and one.faces for one in heard(aside, roll(count=2, purpose="other words"))] == [(4, 5)]
    assert heard(aside, roll(count=1)) == [None], "then only the very question heard it again"


Pairs = list[tuple[Question, Question]]


def of_then(one: Said) -> Said:
    return replace(one, question={name: value for name, value in (one.question or {}).items() if name != "slot"})


def test_what_waits_is_the_same_only_if_it_asks_the_same() -> None:
    ask = Ask("s1", (), "", None, "x")
    same: Pairs = [
        (roll(), roll(purpose="in other words")),
        (ask, replace(ask, purpose="really?")),
    ]
    other: Pairs = [
        (roll(), roll(BEA)),
        (roll(), roll(count=2)),
        (roll(), roll(sides=8)),
        (roll(), roll(slot="dodge")),
        (ask, replace(ask, seat="s2")),
        (ask, roll()),
        (ask, replace(ask, audience=("gm",))),
    ]
    assert all(Waiting(one) == Waiting(two) and hash(Waiting(one)) == hash(Waiting(two)) for one, two in same)
    assert not any(Waiting(one) == Waiting(two) for one, two in other)
    assert not asks_the_same(question_json(roll()), {})
    laid = Ask("s2", (), "cards", ("s2",), "cards:resist")
    assert asks_the_same(question_json(laid), question_json(replace(laid, known=True))), "who may know that it is asked"


def test_a_question_without_a_slot_is_the_only_one_of_its_kind() -> None:
    """Else two things asked of one person would be told apart by their order only."""
    for name in sorted(systems()):
        for seed in range(8):
            for ruling in play(name, seed, 60).history:
                assert all(one.question for one in ruling.said), name
                asked = Counter(make_recorded_key(one.question) for one in ruling.said if one.question)
                assert all(key[-1] or times == 1 for key, times in asked.items()), (name, ruling.declared, asked)


def test_a_choice_goes_by_who_was_asked() -> None:
    ask = Ask("s1", (), "", None, "dodge")
    said = [Said(Choice("stand"), question_json(ask))]
    assert heard(said, replace(ask, seat="s2"), replace(ask, purpose="now?")) == [None, Choice("stand")]
