"""A table playing Mongrel: the three people of the book, sheets by a line, and whole situations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ledger.rules.kernel.adjudication import Conversation
from ledger.rules.kernel.commands import Adjust, Amend, CloseSession, OpenSession
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.questions import Ask, Choice, Dice, Flip, Flipped, Roll
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Subject, character
from ledger.rules.mongrel import RULESET
from ledger.rules.mongrel.characters import Sheet
from ledger.rules.mongrel.conflict import OpenConflict
from ledger.rules.mongrel.credit import NoDeal
from ledger.rules.mongrel.damage import Shunt
from ledger.rules.mongrel.hits import Stand, TakeHit
from ledger.rules.mongrel.sessions import MarkFeatures
from ledger.rules.mongrel.sorcery import Submit
from tests.rules.world import World


def scores(size: int, spirit: int, physique: int, beauty: int, speed: int, social: int) -> dict[str, int]:
    return {"size": size, "spirit": spirit, "physique": physique, "beauty": beauty, "speed": speed, "social": social}


AHVIA = Sheet(
    house="mekag",
    man=2,
    beast=0,
    demon=4,
    primary="demon",
    body="human",
    unnatural=("outlines fade into shadow",),
    sex="female",
    age="young",
    attributes=scores(2, 6, 3, 5, 6, 2),
    plus_three=("know", "lie"),
    plus_two=("diabolic_power", "athletics"),
    plus_one=("burn", "chill"),
    power={"wings": 2, "inhuman_face": 1},
)
VOORUK = Sheet(
    house="mekag",
    man=1,
    beast=4,
    demon=1,
    primary="beast",
    body="quadruped",
    sex="male",
    age="old",
    attributes=scores(5, 3, 7, 1, 3, 5),
    plus_three=("athletics", "rend"),
    plus_two=("threaten", "balance"),
    plus_one=("resist", "sense"),
    power={"animal_legs": 1},
)
GIAZZA = Sheet(
    house="nuin",
    man=5,
    beast=1,
    demon=0,
    primary="man",
    body="human",
    sex="male",
    age="adult",
    attributes=scores(4, 4, 6, 2, 4, 4),
    plus_three=("melee", "bureaucrat"),
    plus_two=("sense", "athletics"),
    plus_one=("lie", "balance"),
    power={"implanted_weapon": 1},
)


class Game(World):
    """Ahvia (p), Vooruk (q) and Giazza (gm): their ids are `g.ahvia`, `g.vooruk`, `g.giazza`."""

    def __init__(self, scene: bool = True, session: bool = False, **dials: Any) -> None:
        super().__init__(RULESET, dials, {"gm": "gm", "p": "player", "q": "player", "o": "observer"})
        self.ahvia = self.enrol("Ahvia", AHVIA, "p")
        self.vooruk = self.enrol("Vooruk", VOORUK, "q")
        self.giazza = self.enrol("Giazza", GIAZZA, "gm")
        self.scene_id = self.open_scene() if scene else ""
        if session:
            self.declare(OpenSession("tonight"))

    # --- whole steps -------------------------------------------------------------------------------------------------

    def does(self, do: Any, *said: Any, by: str = "gm") -> Verdict[Any]:
        """Declare; `said` answers its questions in order: a tuple of faces, a coin, or a choice."""
        conversation, table = self.begin(do, by)
        answers = []
        for one in said:
            answers.append(answer_to(conversation.question, one))
            conversation.answer(answers[-1])
        assert conversation.verdict is not None, f"still asks: {conversation.question}"
        return self.record(do, table, answers, conversation.verdict)

    def plays(self, do: Any, by: str = "gm") -> Verdict[Any]:
        """Declare, and let every choice be the quiet one."""
        conversation, table = self.begin(do, by)
        answers: list[Any] = []
        while conversation.question is not None:
            answers.append(quiet(conversation.question))
            conversation.answer(answers[-1])
        assert conversation.verdict is not None
        return self.record(do, table, answers, conversation.verdict)

    def outcome(self, do: Any) -> str | None:
        """The code it is refused with; None when it is not."""
        try:
            assert self.plays(do).facts
        except Refused as refusal:
            return refusal.code
        return None

    def asks(self, do: Any, *said: Any, by: str = "gm") -> Any:
        """The question it comes to after these answers."""
        conversation, _ = self.begin(do, by)
        for one in said:
            conversation.answer(answer_to(conversation.question, one))
        return conversation.question

    def refusal(self, do: Any, *said: Any, by: str = "gm") -> Refused:
        """How it is refused, at once or on these answers."""
        try:
            conversation, _ = self.begin(do, by)
            for one in said:
                conversation.answer(answer_to(conversation.question, one))
        except Refused as no:
            found = no
        else:
            raise AssertionError(f"not refused: {do}")
        assert found.rule in RULESET.rules or found.rule.startswith("ledger."), found.rule
        return found

    def refuses(self, do: Any, *said: Any, by: str = "gm") -> str:
        return self.refusal(do, *said, by=by).code

    # --- situations --------------------------------------------------------------------------------------------------

    def conflict(self, *ids: str) -> None:
        """By Beast: Vooruk, Giazza, Ahvia."""
        self.does(OpenConflict(ids or (self.ahvia, self.vooruk, self.giazza)))

    def hit(self, id: str, effect: int, **more: Any) -> Verdict[Any]:
        return self.plays(TakeHit(id, effect, **{"shunt": 0, **more}))

    def chill(self, id: str, effect: int) -> Verdict[Any]:
        return self.plays(TakeHit(id, effect, "spiritual"))

    def gives(self, id: str, unit: str, amount: int, bank: str = "bank") -> None:
        """Moves something countable to (or, below 0, from) a character."""
        own, unit_bank = f"character:{id}/{unit}", f"{bank}/{unit}"
        source, target = (unit_bank, own) if amount > 0 else (own, unit_bank)
        self.declare(Adjust(source, target, unit.partition(":")[0], abs(amount), "for the test"))

    def sets(self, id: str, field: str, value: Any) -> None:
        self.declare(Amend(f"character:{id}", field, value, "for the test"))

    def session(self, *used: tuple[str, tuple[str, ...]]) -> str:
        """A session is played in which these features were used; it is over."""
        number = str(self.number)
        self.declare(OpenSession("a session"))
        for id, features in used:
            self.declare(MarkFeatures(id, features))
        self.declare(CloseSession(number))
        return number

    # --- what is true ------------------------------------------------------------------------------------------------

    def ap(self, id: str) -> int:
        return self.balance(f"character:{id}/ap")

    def resolve(self, id: str) -> int:
        return self.balance(f"character:{id}/resolve")

    def beauty(self, id: str) -> int:
        return self.balance(f"character:{id}/beauty")

    def credit(self, id: str, house: str) -> int:
        return self.balance(f"character:{id}/credit:{house}")

    def cp(self, id: str) -> int:
        return self.balance(f"character:{id}/cp")

    @property
    def queue(self) -> tuple[str, ...]:
        found: tuple[str, ...] = self.scene(self.scene_id).conflict.queue
        return found

    def had(self, subject: Subject, *struck: int) -> Any:
        """The subject's state, had these rulings been struck."""
        return self.without(*struck).then.told(subject).state

    def everybody(self) -> list[str]:
        return [subject.id for subject in self.table().subjects("character")]


def answer_to(question: Any, said: Any) -> Any:
    if isinstance(question, Roll):
        return Dice(question.sides, tuple(said))
    if isinstance(question, Flip):
        return Flipped((said,))
    assert isinstance(question, Ask), f"asks {question}, told {said}"
    return Choice(said)


def quiet(question: Any) -> Any:
    """No defence, no shunt, no resistance; middling dice."""
    if isinstance(question, Roll):
        return Dice(question.sides, (3,) * question.count)
    if isinstance(question, Flip):
        return Flipped(tuple("heads" for _ in range(question.count)))
    for kind in (Stand, Submit, Shunt, NoDeal):
        if kind in question.kinds:
            return Choice(kind())
    return Choice(question.kinds[-1]())


def facts_of(verdict: Verdict[Any]) -> list[Any]:
    return [about.fact for about in verdict.facts]


def kinds_of(verdict: Verdict[Any]) -> list[str]:
    return [type(about.fact).__name__ for about in verdict.facts]


def the(verdict: Verdict[Any], cls: type[Any]) -> Any:
    """The only fact of its kind."""
    (found,) = of_kind(verdict, cls)
    return found


def of_kind(verdict: Verdict[Any], cls: type[Any]) -> list[Any]:
    return [fact for fact in facts_of(verdict) if isinstance(fact, cls)]


def steps(verdict: Verdict[Any], rule: str) -> list[Any]:
    return [one.out for one in verdict.because if one.rule == rule]


def but(sheet: Sheet, **new: Any) -> Sheet:
    """The sheet with some fields anew; attribute names go into `attributes`."""
    given = {name: new.pop(name) for name in list(new) if name in sheet.attributes}
    attributes = new.pop("attributes", {**sheet.attributes, **given})
    return replace(sheet, attributes=attributes, **new)


__all__: Sequence[str] = (
    "AHVIA",
    "GIAZZA",
    "VOORUK",
    "Conversation",
    "Game",
    "answer_to",
    "but",
    "character",
    "facts_of",
    "kinds_of",
    "of_kind",
    "quiet",
    "scores",
    "steps",
    "the",
)
