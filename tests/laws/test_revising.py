"""Laws of revising and ruling again, of every system on random play (`test_play` says how a system takes part)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any, Literal, get_args, get_origin

from hypothesis import given

from ledger.application.roller import answer_by_chance
from ledger.rules.kernel import fold, json_types
from ledger.rules.kernel.adjudication import Waiting
from ledger.rules.kernel.answers import Said
from ledger.rules.kernel.commands import SetDial
from ledger.rules.kernel.comparison import Other, compare
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.dials import list_dial_fields
from ledger.rules.kernel.fold import Recorded
from ledger.rules.kernel.questions import Ask, question_json
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Subject
from ledger.rules.kernel.table import load_campaign_entry
from ledger.rules.kernel.world import Past, PastRuling, Revision
from tests.laws.test_play import SEEDS, every_system, slowly
from tests.rules.anything import play
from tests.rules.world import World


def before(game: World, number: int) -> Past:
    past = game.beginning()
    for ruling in game.history[: number - 1]:
        past.tell(ruling.facts)
    return past


def fold_of(game: World, subject: Subject, facts: list[Any], revisions: Mapping[int, int | None]) -> Any:
    return fold.fold(game.ruleset, subject, [one for about, one in facts if about == subject], revisions)


@every_system
@slowly
@given(seed=SEEDS)
def test_revised_to_the_same_nothing_changes(name: str, seed: int) -> None:
    """fold(log + revise n with the same declaration) == fold(log), for every n."""
    game = play(name, seed, 60)
    past = game.beginning()
    for ruling in game.history:
        anew = past.rule_again(ruling, 1)
        past.tell(ruling.facts)
        told = [(about, one.step, one.fact, one.postings) for about, one in ruling.facts]
        assert [(about, one.step, one.fact, one.postings) for about, one in anew.facts] == told
        assert len(anew.replayed.answered) == len(ruling.answers)
    number = Random(seed).randint(1, len(game.history))
    anew = before(game, number).rule_again(game.history[number - 1], 1)
    compared = compare(game.beginning(), game.history, {}, Other({number: 1}, {number: anew}), skip=False)
    assert not compared.list_differing_subjects()
    assert all(row.standpoint == "stands" for row in compared.rows)


@every_system
@slowly
@given(seed=SEEDS)
def test_revised_is_as_if_it_had_been_so_from_the_start(name: str, seed: int) -> None:
    """fold(log + revise n -> x) == fold(log where n was x); and so does the comparison tell it."""
    game, rng = play(name, seed, 60), Random(seed)
    for number in rng.sample(range(1, len(game.history) + 1), min(12, len(game.history))):
        anew = otherwise(game, number, rng)
        if not isinstance(anew.outcome, Verdict):
            continue
        from_the_start: list[tuple[Subject, Recorded]] = [*game.opening]
        for ruling in game.history:
            from_the_start += anew.facts if ruling.number == number else ruling.facts
        compared = compare(game.beginning(), game.history, {}, Other({number: 1}, {number: anew}))
        for subject in {about for about, _ in [*game.told(), *anew.facts]}:
            revised = fold_of(game, subject, [*game.told(), *anew.facts], {number: 1})
            assert revised.same_as(fold_of(game, subject, from_the_start, {number: 1}))
            assert compared.then.told(subject).same_as(revised)
            back = fold_of(game, subject, [*game.told(), *anew.facts], {number: 0})
            assert back.same_as(game.past.told(subject))


def otherwise(game: World, number: int, rng: Random) -> Revision:
    """The ruling as somebody may correct it: on other dice, or to what else was declared of the same kind."""
    ruling = game.history[number - 1]
    alike = [one.declared for one in game.history if type(one.declared) is type(ruling.declared)]
    anew = before(game, number).rule_again(ruling, 1)
    said = list(ruling.said)
    for question, place in anew.replayed.answered:
        if not isinstance(question, Ask):
            said[place] = replace(said[place], answer=answer_by_chance(question, rng))
    corrected = replace(ruling, said=tuple(said))
    if rng.random() < 0.5:
        corrected = replace(ruling, declared=rng.choice(alike))
    return before(game, number).rule_again(corrected, 1)


@every_system
@slowly
@given(seed=SEEDS)
def test_ruled_again_everything_comes_out_as_recorded_and_can_be_undone(name: str, seed: int) -> None:
    """After overturning with `rerule` only what needs dice differs; reinstated with it all is as it was."""
    game, rng = play(name, seed, 60), Random(seed)
    for number in rng.sample(range(1, len(game.history) + 1), min(4, len(game.history))):
        record = Record(game)
        record.decide({number: None})
        differing = record.differences()
        assert all(isinstance(outcome, Waiting) for outcome in differing.values()), differing
        record.decide({number: 0})
        for subject in game.past.folded:
            assert record.end.told(subject).same_as(game.past.told(subject)), (number, subject)
        assert not record.differences()


@every_system
@slowly
@given(seed=SEEDS)
def test_another_dial_is_as_if_it_had_been_so_from_the_start(name: str, seed: int) -> None:
    """What reads neither dials nor what differs is passed over, and misses nothing; whoever turned it in play."""
    game, rng = play(name, seed, 60), Random(seed)
    dial, value = rng.choice(list(dials_of(game)))
    quick = compare(game.beginning(), game.history, {}, Other({}, fixed_options={dial: value}))
    thorough = compare(game.beginning(), game.history, {}, Other({}, fixed_options={dial: value}), skip=False)
    assert [(one.number, one.standpoint) for one in quick.rows] == [
        (one.number, one.standpoint) for one in thorough.rows
    ]
    assert load_campaign_entry(quick.then).read_dials_in_force()[dial] == value
    opened = game.opening[0][1].fact
    turned = World(game.ruleset, {**opened.dials, dial: value}, game.people).beginning()
    for ruling, row in zip(game.history, thorough.rows, strict=True):
        if not isinstance(ruling.declared, SetDial) or ruling.declared.name != dial:
            outcome = turned.readjudicate(ruling)
            assert row.then is None or same(outcome, row.then)
            assert (row.standpoint == "stands") or row.then is not None
            turned.tell(ruling.facts)


def same(one: Any, other: Any) -> bool:
    return bool(one.same_as(other) if isinstance(one, Refused) else one == other)


def dials_of(game: World) -> Iterator[tuple[str, Any]]:
    """Every dial that says yes or no, or names its readings, with each of its values."""
    hints = json_types.load_hints(game.ruleset.dials)
    for name, one in list_dial_fields(game.ruleset.dials).items():
        values = (True, False) if hints[one.name] is bool else get_args(hints[one.name])
        if hints[one.name] is bool or get_origin(hints[one.name]) is Literal:
            yield from ((name, value) for value in values)


class Record:
    """A game's history as the record has it after decisions with `rerule`."""

    def __init__(self, game: World) -> None:
        self.game = game
        self.history = list(game.history)
        self.standing: dict[int, int | None] = {}
        self.end = game.past

    def decide(self, turned: Mapping[int, int | None]) -> None:
        other = Other({**self.standing, **turned}, rerule=True)
        compared = compare(self.game.beginning(), self.history, self.standing, other)
        self.end, self.standing = compared.then, dict(compared.then.revisions)
        for anew in compared.reruled:
            self.history[anew.number - 1] = self._retold(self.history[anew.number - 1], anew)

    def _retold(self, ruling: PastRuling, anew: Revision) -> PastRuling:
        heard = anew.replayed.answered
        taken = {place for _, place in heard}
        rests_on = [Said(ruling.said[place].answer, question_json(question)) for question, place in heard]
        aside = [replace(one, set_aside=True) for place, one in enumerate(ruling.said) if place not in taken]
        return replace(
            ruling,
            said=(*rests_on, *aside),
            facts=(*ruling.facts, *anew.facts),
            reads=anew.reads,
            revision=anew.revision,
            refused=ruling.refused if isinstance(anew.outcome, Verdict) else ruling.refused | {anew.revision},
        )

    def differences(self) -> dict[int, Any]:
        """Rulings that do not come out as recorded on all that stands, and how they do."""
        past = self.game.beginning().branch(self.standing)
        found = {}
        for ruling in self.history:
            outcome = past.readjudicate(ruling)
            if past.stands(ruling.number) and not past.is_as_recorded(ruling, outcome):
                found[ruling.number] = outcome
            past.tell(ruling.facts)
        return found
