"""A table playing Levels of Intensity: characters by name, whole fights in a line."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from ledger.rules.intensity import RULESET
from ledger.rules.intensity.attacks import Attack, ChooseImpact, Resolve
from ledger.rules.intensity.defence import DefenceDie, Defend
from ledger.rules.intensity.draft import Agree, Faces
from ledger.rules.intensity.levels_and_traits import Sheet, TraitLine
from ledger.rules.intensity.rolling import RollDice
from ledger.rules.intensity.rounds import CloseRound, Declare, OpenRound
from ledger.rules.kernel import commands, rulebook
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.declarers import may_declare
from ledger.rules.kernel.moves import allows
from ledger.rules.kernel.offers import list_offers
from ledger.rules.kernel.questions import Ask, Choice, Dice, Roll
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import Subject, character, seat
from ledger.rules.kernel.table import find_viewer
from tests.rules.intensity.unoffered import UNOFFERED, plainly
from tests.rules.world import World

MAIN = Sheet("main", (TraitLine("A", 10), TraitLine("B", 8), TraitLine("C", 8)))
MINOR = Sheet("minor", (TraitLine("A", 6), TraitLine("B", 6)))


#: Refused where somebody says nothing: what is offered there is for the player to say.
WORDS = {"amend-what", "fate-text", "out-for", "terms-text", "text-blank"}


class Game(World):
    """Mains Ann, Bea, Cleo and minors Dan, Ed: their ids are `ids["Ann"]` or `g.ann`."""

    def __init__(self, scene: bool = True, **dials: Any) -> None:
        super().__init__(RULESET, dials, {"gm": "gm", "p": "player", "o": "observer", "q": "player"})
        self.refused: Counter[str] = Counter()
        self.refusals: list[Refused] = []
        self.ids = {name: self.enrol(name, MAIN if name in ("Ann", "Bea", "Cleo") else MINOR, "p") for name in NAMES}
        self.ann, self.bea, self.cleo, self.dan, self.ed = self.ids.values()
        self.scene_id = self.open_scene() if scene else ""
        self.fatal = self.answer = self.third = ""

    # --- whole steps ----------------------------------------------------------------------------------------------

    def does(self, do: Any, *faces: int, by: str = "gm") -> Verdict[Any]:
        """Declare; the faces answer its questions one die at a time."""
        return self.says_to(do, *(Dice(0, (face,)) for face in faces), by=by)

    def says_to(self, do: Any, *said: Any, by: str = "gm") -> Verdict[Any]:
        """Declare; the answers in order, dice with the sides asked for, choices as they are. Whoever else is asked for
        consent agrees. What is accepted must have been offered."""
        is_offered = self.is_offered(do, by)
        conversation, table = self.begin(do, by)
        given = list(said)
        answers: list[Dice | Choice] = []
        while (question := conversation.question) is not None:
            if isinstance(question, Ask) and Agree in question.kinds and not given:
                answers.append(Choice(Agree()))
            else:
                assert given, f"still asks: {question}"
                one = given.pop(0)
                if isinstance(question, Roll):
                    one = Dice(question.sides, one.faces)
                answers.append(one if isinstance(one, Dice) else Choice(one))
            conversation.answer(answers[-1])
        assert not given, f"nobody asked for {given}"
        assert conversation.verdict is not None, f"still asks: {conversation.question}"
        assert is_offered is not False, f"accepted and not offered: {do}"
        return self.record(do, table, answers, conversation.verdict)

    def is_offered(self, do: Any, by: str) -> bool | None:
        """Whether the seat is offered this; None for what is no move (`UNOFFERED`) or of the kernel."""
        viewer = find_viewer(self.past, seat(by))
        assert viewer is not None
        seen = Seen(RULESET, self.past, viewer)
        is_exempt, _ = UNOFFERED.get(type(do), (lambda do: False, ""))
        if type(do) not in RULESET.inputs or is_exempt(do):
            return None
        if not may_declare(do, self.table(by), seen.decides, seen.roster):
            return None  # the service refuses it, not the rules
        said = plainly(self.past, do)
        return any(allows(offer.move, said) for offer in list_offers(RULESET, seen))

    def refuses(self, do: Any, by: str = "gm") -> str:
        """The code it is refused with, having changed nothing."""
        with pytest.raises(Refused) as refused:
            self.begin(do, by)
        assert refused.value.code in WORDS or not self.is_offered(do, by), f"refused and offered: {do}"
        assert refused.value.rule in {**RULESET.rules, **rulebook.RULES}
        return refused.value.code

    def open(self, *chars: str) -> None:
        self.does(OpenRound(chars))

    def says(self, char: str, target: str | None = None, level: str = "passionate", trait: str | None = "A") -> None:
        self.does(Declare(char, level, target, trait))

    def fight(self, *declared: tuple[Any, ...]) -> None:
        """(char, target, level, trait, intensity face, trait face) of each: opened, declared and rolled."""
        self.open(*(one[0] for one in declared))
        for char, target, level, trait, *_ in declared:
            self.says(char, target, level, trait)
        self.rolls(*((one[0], *one[4:]) for one in declared))

    def rolls(self, *faces: tuple[Any, ...]) -> Verdict[Any]:
        return self.does(RollDice(tuple(Faces(*one) for one in faces)))

    def attack(self, char: str, target: str | None = None) -> str:
        """The attack's id."""
        self.does(Attack(char, target))
        return str(self.round.attack.id)

    def defend(self, *dice: tuple[str, int]) -> Verdict[Any]:
        return self.does(Defend(tuple(DefenceDie(*one) for one in dice)))

    def resolve(self) -> Any:
        """What the attack came to."""
        return self.declare_resolve().facts[0].fact

    def declare_resolve(self) -> Verdict[Any]:
        return self.does(Resolve())

    def hit(self, char: str, impact: str, trait: str | None = None, **more: Any) -> Verdict[Any]:
        """The next action, not defended, with its impact."""
        self.attack(char)
        self.defend()
        self.resolve()
        return self.does(ChooseImpact(impact, trait, **more))

    def duel(self, impact: str = "", trait: str | None = None) -> None:
        """Ann hits Bea (rating 12 + 12) for the impact, in a round of its own."""
        self.fight((self.ann, self.bea, "fanatical", "A", 12, 1), (self.bea, None, "fanatical", "A", 1, 1))
        if impact:
            self.hit(self.ann, impact, trait)
            self.does(CloseRound())

    def holds(self, holder: str, subject: str) -> str:
        """A fatal held, in a round of its own; its id."""
        self.fight((holder, subject, "fanatical", "A", 12, 1), (subject, None, "fanatical", "A", 1, 1))
        self.hit(holder, "fatal")
        self.does(CloseRound())
        return str(list(self.now.fatals)[-1])

    def gives(self, holder: str, against: str, points: int) -> None:
        account = f"character:{holder}/ap:{against}"
        self.declare(commands.Adjust("bank/ap", account, "ap", points, "from earlier scenes"))

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


def given_to(game: Game, **seats: str) -> Game:
    """The characters, by name, in the hands of these seats."""
    for name, id in seats.items():
        game.declare(commands.HandOver(game.ids[name], id))
    return game


def asked(game: Game, do: Any, *said: Any, by: str = "gm") -> list[tuple[str, str]]:
    """Whom it asks for what (seat, slot), given these answers; the question that is left open too."""
    conversation, _ = game.begin(do, by)
    for one in said:
        conversation.answer(Choice(one))
    questions = [*conversation.answered, *([conversation.question] if conversation.question else [])]
    asked = [one for one in questions if isinstance(one, Ask)]
    assert len(asked) == len(questions)
    return [(one.seat, one.slot) for one in asked]


def unfit(game: Game, do: Any, *said: Any, by: str = "gm") -> str:
    """The code with which the last of the answers is asked for again."""
    conversation, _ = game.begin(do, by)
    for one in said[:-1]:
        conversation.answer(Choice(one))
    with pytest.raises(Unfit) as problem:
        conversation.answer(Choice(said[-1]))
    return problem.value.code
