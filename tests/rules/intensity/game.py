"""A table playing Levels of Intensity: characters by name, whole fights in a line."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules import housekeeping
from ledger.rules.contract import Refused, Subject, Verdict, character
from ledger.rules.dice import Dice, Roll
from ledger.rules.intensity import RULESET, inputs
from ledger.rules.intensity.inputs import DefenceDie, Faces, Sheet, TraitLine
from tests.rules.world import World

MAIN = Sheet("main", (TraitLine("A", 10), TraitLine("B", 8), TraitLine("C", 8)))
MINOR = Sheet("minor", (TraitLine("A", 6), TraitLine("B", 6)))


class Game(World):
    """Mains Ann, Bea, Cleo and minors Dan, Ed: their ids are `ids["Ann"]` or `g.ann`."""

    def __init__(self, scene: bool = True, **dials: Any) -> None:
        super().__init__(RULESET, dials, {"gm": "gm", "p": "player", "o": "observer"})
        self.ids = {name: self.enrol(name, MAIN if name in ("Ann", "Bea", "Cleo") else MINOR, "p") for name in NAMES}
        self.ann, self.bea, self.cleo, self.dan, self.ed = self.ids.values()
        self.scene_id = self.open_scene() if scene else ""
        self.fatal = self.answer = ""

    # --- whole steps ----------------------------------------------------------------------------------------------

    def does(self, do: Any, *faces: int, by: str = "gm") -> Verdict[Any]:
        """Declare; the faces answer its questions one die at a time."""
        conversation, table = self.begin(do, by)
        answers = []
        for face in faces:
            assert isinstance(conversation.question, Roll)
            answers.append(Dice(conversation.question.sides, (face,)))
            conversation.answer(answers[-1])
        assert conversation.verdict is not None, f"still asks: {conversation.question}"
        return self.record(do, table, answers, conversation.verdict)

    def refuses(self, do: Any, by: str = "gm") -> str:
        """The code it is refused with, having changed nothing."""
        with pytest.raises(Refused) as refused:
            self.begin(do, by)
        assert refused.value.rule in {**RULESET.rules, **housekeeping.RULES}
        return refused.value.code

    def open(self, *chars: str) -> None:
        self.does(inputs.OpenRound(chars))

    def says(self, char: str, target: str | None = None, level: str = "passionate", trait: str | None = "A") -> None:
        self.does(inputs.Declare(char, level, target, trait))

    def fight(self, *declared: tuple[Any, ...]) -> None:
        """(char, target, level, trait, intensity face, trait face) of each: opened, declared and rolled."""
        self.open(*(one[0] for one in declared))
        for char, target, level, trait, *_ in declared:
            self.says(char, target, level, trait)
        self.rolls(*((one[0], *one[4:]) for one in declared))

    def rolls(self, *faces: tuple[Any, ...]) -> Verdict[Any]:
        return self.does(inputs.RollDice(tuple(Faces(*one) for one in faces)))

    def attack(self, char: str, target: str | None = None) -> str:
        """The attack's id."""
        self.does(inputs.Attack(char, target))
        return str(self.round.attack.id)

    def defend(self, *dice: tuple[str, int]) -> Verdict[Any]:
        return self.does(inputs.Defend(tuple(DefenceDie(*one) for one in dice)))

    def resolve(self) -> Any:
        """What the attack came to."""
        return self.declare_resolve().facts[0].fact

    def declare_resolve(self) -> Verdict[Any]:
        return self.does(inputs.Resolve())

    def hit(self, char: str, impact: str, trait: str | None = None, **more: Any) -> Verdict[Any]:
        """The next action, not defended, with its impact."""
        self.attack(char)
        self.defend()
        self.resolve()
        return self.does(inputs.ChooseImpact(impact, trait, **more))

    def duel(self, impact: str = "", trait: str | None = None) -> None:
        """Ann hits Bea (rating 12 + 12) for the impact, in a round of its own."""
        self.fight((self.ann, self.bea, "fanatical", "A", 12, 1), (self.bea, None, "fanatical", "A", 1, 1))
        if impact:
            self.hit(self.ann, impact, trait)
            self.does(inputs.CloseRound())

    def holds(self, holder: str, subject: str) -> str:
        """A fatal held, in a round of its own; its id."""
        self.fight((holder, subject, "fanatical", "A", 12, 1), (subject, None, "fanatical", "A", 1, 1))
        self.hit(holder, "fatal")
        self.does(inputs.CloseRound())
        return str(list(self.now.fatals)[-1])

    def gives(self, holder: str, against: str, points: int) -> None:
        account = f"character:{holder}/ap:{against}"
        self.declare(housekeeping.Adjust("bank/ap", account, "ap", points, "from earlier scenes"))

    def asks(self, do: Any) -> Roll:
        """Its first question."""
        question = self.begin(do)[0].question
        assert isinstance(question, Roll)
        return question

    # --- what is true ---------------------------------------------------------------------------------------------

    @property
    def now(self) -> Any:
        """The scene's state."""
        return self.scene(self.scene_id)

    @property
    def round(self) -> Any:
        return self.now.round

    def had(self, subject: Subject, *struck: int) -> Any:
        """The subject's state, had these rulings been struck."""
        folded = self.without(*struck).then.find(subject)
        assert folded is not None
        return folded.state

    def everybody(self) -> list[str]:
        return [subject.id for subject in self.table().subjects("character")]

    def ap(self, holder: str, against: str) -> int:
        return self.balance(f"character:{holder}/ap:{against}")

    def sizes(self, char: str) -> list[int]:

        return [trait["size"] for trait in self.view(character(char))["traits"]]


NAMES = ("Ann", "Bea", "Cleo", "Dan", "Ed")


def facts_of(verdict: Verdict[Any]) -> list[Any]:
    return [about.fact for about in verdict.facts]


def of_kind(verdict: Verdict[Any], cls: type[Any]) -> list[Any]:
    return [fact for fact in facts_of(verdict) if isinstance(fact, cls)]


def steps(verdict: Verdict[Any], rule: str) -> list[Any]:
    """What came out of each application of the rule."""
    return [one.out for one in verdict.because if one.rule == rule]
