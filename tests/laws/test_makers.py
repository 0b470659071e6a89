"""Every game that describes how a character is made, step by step: what its maker offers is what its rules take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from api.table.maker_choices import Choice, Sheet, ShownField, Workshop, set_values
from api.table.maker_steps import Field, Step, load_steps
from ledger.application import json_form
from ledger.errors import Malformed
from ledger.rules import systems
from ledger.rules.kernel.making import Budget
from ledger.rules.kernel.refusals import Refused
from tests.levels import examples
from tests.rules.world import World

PRESSES = 6  # in each step
NAMES = ("Ash", "Birch", "Cedar", "Dill", "Elder", "Fern")
MAKERS = sorted(name for name, ruleset in systems().items() if ruleset.maker is not None)
every_maker = pytest.mark.parametrize("name", MAKERS)


@dataclass
class Bench:
    """A table in memory, and a workshop at it. `judge`: what the workshop believes; None: what the rules say.

    `wrong`: what was offered and refused, or not offered and taken. `tried`: how many choices were looked at.
    """

    name: str
    judge: Callable[[str, Sheet], str | None] | None = None
    wrong: list[str] = field(default_factory=list)
    tried: int = 0

    def __post_init__(self) -> None:
        self.ruleset = systems()[self.name]
        self.world = World(self.ruleset)
        self.steps = load_steps(self.name)
        assert self.ruleset.maker is not None
        self.shop = Workshop(
            self.steps, self.ruleset.maker, self.judge or self.refuse, self.parse, self.world.table, "gm"
        )

    def read(self, name: str, sheet: Sheet) -> Any:
        document = {"kind": "enrol", "name": name, "seat": "gm", "sheet": sheet}
        return json_form.declaration_from_json(self.ruleset, document)

    def parse(self, sheet: Sheet) -> Any:
        try:
            return self.read("Somebody", sheet).sheet
        except Malformed:
            return None

    def refuse(self, name: str, sheet: Sheet) -> str | None:
        """Return why the rules refuse the enrolment, or None."""
        try:
            self.world.begin(self.read(name, sheet))
        except Refused as refused:
            return refused.code
        except Malformed as problem:
            return problem.detail
        return None

    def check(self, sheet: Sheet, shown: ShownField, choice: Choice) -> None:
        """Note a choice that is offered and would be refused, or the other way round. No number is below 0."""
        self.tried += 1
        if choice.why:
            refused = self.refuse("Somebody", self.shop.complete(set_values(sheet, choice.sets)))
            is_wrong = refused is None
        else:
            chosen, _ = self.shop.choose(sheet, choice.sets, shown.place)
            is_below_zero = any(isinstance(value, int) and value < 0 for value in choice.sets.values())
            is_wrong = is_below_zero or self.refuse("Somebody", self.shop.complete(chosen)) is not None
        if is_wrong:
            self.wrong.append(f"{shown.field.title}: {choice.label} {choice.press} ({choice.why or 'offered'})")


def add_items(bench: Bench, chance: Random, sheet: Sheet, step: Step) -> Sheet:
    for at, each in enumerate(step.fields):
        if each.form == "list" and each.noun:
            sheet, why = bench.shop.add_item(sheet, step.first + at, fill_in_parts(bench, chance, sheet, each))
            assert not why
    return sheet


def fill_in_parts(bench: Bench, chance: Random, sheet: Sheet, each: Field) -> Mapping[str, str]:
    name = f"{chance.choice(NAMES)} {chance.randrange(10**6)}"
    if not each.parts:
        return {"": name}
    options = {shown.field.at: shown.options for shown in bench.shop.show_fields(sheet, Step("", "", (each,), 0))}
    return {
        part.at: chance.choice(options[each.at][part.at]).sets[part.at] if part.form == "one" else name
        for part in each.parts
        if part.form != "number"
    }


def walk(bench: Bench, chance: Random) -> Sheet:
    """Return a character made by taps that were offered. Every choice on the way is checked."""
    sheet: Sheet = {}
    for step in bench.steps:
        sheet = add_items(bench, chance, sheet, step)
        sheet = bench.shop.write(sheet, {path: "Word " + path for path in bench.shop.list_text_paths(sheet, step)})
        for press in range(PRESSES):
            fields = bench.shop.show_fields(sheet, step)
            offered = [(shown, choice) for shown in fields for choice in shown.list_presses()]
            for shown, choice in offered if press % 3 == 0 else ():
                bench.check(sheet, shown, choice)
            open_choices = [(shown, choice) for shown, choice in offered if not choice.why]
            if open_choices:
                shown, choice = chance.choice(open_choices)
                sheet, why = bench.shop.choose(sheet, choice.sets, shown.place)
                assert not why
        sheet = bench.shop.fill_in(sheet, step)
        for budget in bench.shop.count_budgets(sheet, step):
            assert budget.limit is None or float(Fraction(str(budget.spent))) <= float(Fraction(str(budget.limit)))
    return sheet


@every_maker
@pytest.mark.parametrize("seed", range(examples(1, 3, 30)))
def test_what_is_offered_is_what_the_rules_take(name: str, seed: int) -> None:
    bench = Bench(name)
    sheet = walk(bench, Random(seed))
    assert not bench.wrong
    assert bench.tried > 3
    assert bench.refuse("Somebody", bench.shop.complete(sheet)) is None
    assert all(
        not bench.shop.list_missing_choices(sheet, step) or has_words_missing(bench, step) for step in bench.steps
    )


def has_words_missing(bench: Bench, step: Step) -> bool:
    """Return whether the step has a list that nobody can fill in for people."""
    return any(each.form == "list" and not each.optional for each in step.fields)


@every_maker
def test_a_character_by_plain_values_alone_is_taken(name: str) -> None:
    bench = Bench(name)
    assert bench.refuse("Somebody", bench.shop.complete({})) is None


@pytest.mark.parametrize("name", [name for name in MAKERS if any(step.budgets for step in load_steps(name))])
def test_a_maker_that_offers_everything_is_caught(name: str) -> None:
    bench = Bench(name, judge=lambda who, sheet: None)
    walk_on_plain_values(bench)
    assert bench.wrong


@every_maker
def test_a_maker_that_refuses_too_much_is_caught(name: str) -> None:
    bench = Bench(name, judge=lambda who, sheet: "too much" if sheet != bench.shop.complete({}) else None)
    walk_on_plain_values(bench)
    assert bench.wrong


def walk_on_plain_values(bench: Bench) -> None:
    """Check every choice at a character of plain values, and every score far too low and far too high."""
    sheet: Sheet = bench.shop.complete({})
    for step in bench.steps:
        for shown in bench.shop.show_fields(sheet, step):
            for choice in shown.list_presses():
                bench.check(sheet, shown, choice)
            for score in shown.scores:
                for sets in ({path: far} for path in score.more.sets for far in (-(10**4), 10**4)):
                    bench.check(sheet, shown, Choice(score.label, sets, bench.shop.choose(sheet, sets, shown.place)[1]))


# --- what is explained -----------------------------------------------------------------------------------------------

#: By game and step: a word that the step uses, and what it says of it there.
EXPLAINED = [
    ("mongrel", "Attributes", "Infernal Resolve", "what your soul can bear"),
    ("mongrel", "Attributes", "Credit", "what you can buy with"),
    ("moc", "Body, Mind and Spirit", "token", "adds another characteristic to a roll"),
    ("moc", "Advantages and Backgrounds", "arc", "a story of several sessions"),
    ("moc", "Advantages and Backgrounds", "split pool", "dice shared out among several actions"),
    ("moc", "Skills", "without a level", "harder"),
    ("scattershot", "Habits and small things", "Every five", "cost 1 Development Point"),
    ("scattershot", "Skills", "Talent", "cost and add the same as Training"),
    ("scattershot", "Skills", "Training", "at least one point"),
]


@pytest.mark.parametrize(("name", "title", "word", "explanation"), EXPLAINED)
def test_a_word_is_explained_where_it_first_stands(name: str, title: str, word: str, explanation: str) -> None:
    (step,) = (step for step in load_steps(name) if step.title == title)
    hints = [each.hint for whole in step.fields for each in (whole, *whole.parts)]
    said = " ".join([step.text, *hints])
    assert word in said and explanation in said


# --- what is counted --------------------------------------------------------------------------------------------------


def list_facts(bench: Bench, sheet: Sheet) -> dict[str, Any]:
    """Return the facts of the enrolment by the names of their classes, and the balances of the new character."""
    id = str(bench.world.number)
    verdict = bench.world.declare(bench.read("Somebody", bench.shop.complete(sheet)))
    table = bench.world.table()
    facts: dict[str, Any] = {type(about.fact).__name__: about.fact for about in verdict.facts}
    return {**facts, "balance": lambda unit: table.balance(f"character:{id}/{unit}")}


def count_moc(facts: Mapping[str, Any]) -> dict[str, tuple[object, object]]:
    points = facts["CharacterCreated"].budget
    return {"points": (str(Fraction(points - facts["balance"]("point"), 120)), points // 120)}


def count_scattershot(facts: Mapping[str, Any]) -> dict[str, tuple[object, object]]:
    free = "besides the 12 free ones: 2 in each Statistic"
    title = f"Development Points spent, {free}. There is no limit, unless your Group agrees on one."
    return {title: (facts["PersonaCreated"].net, None)}


def count_mongrel(facts: Mapping[str, Any]) -> dict[str, tuple[object, object]]:
    made = facts["CharacterCreated"]
    power = {"man": "borg_power", "beast": "animal_power", "demon": "diabolic_power"}[made.primary]
    points = (sum(made.power.values()), made.expertise.get(power, 0))
    return {
        "Identity points": (sum(made.identity.values()), 6),
        "Expertises picked": (len(made.plus_three), 2),
        f"points of {power.replace('_', ' ').title()}": points,
    }


@pytest.mark.parametrize(
    ("name", "count"), [("moc", count_moc), ("mongrel", count_mongrel), ("scattershot", count_scattershot)]
)
@pytest.mark.parametrize("seed", range(examples(1, 2, 20)))
def test_a_budget_is_what_the_rules_count(
    name: str, count: Callable[[Mapping[str, Any]], dict[str, tuple[object, object]]], seed: int
) -> None:
    bench = Bench(name)
    sheet = walk(bench, Random(seed))
    shown: list[Budget] = [each for step in bench.steps for each in bench.shop.count_budgets(sheet, step)]
    counted = count(list_facts(bench, sheet))
    assert {each.title: (each.spent, each.limit) for each in shown} == counted
