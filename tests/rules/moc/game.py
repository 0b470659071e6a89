"""A table playing Moment of Clarity, with helpers for characters and whole situations."""

from __future__ import annotations

from typing import Any

from ledger.rules.kernel.commands import Adjust, Amend, CloseScene, CloseSession, OpenScene, OpenSession
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.questions import Ask, Choice, Dice, Draw, Drawn, Roll
from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import RULESET
from ledger.rules.moc.actions import DeclareAction
from ledger.rules.moc.characters import Sheet
from ledger.rules.moc.holdings import Purchase
from ledger.rules.moc.resolving import Resolve
from ledger.rules.moc.rolling import RollDice
from tests.rules.world import World

HARRY = {"body": 5, "S": 2, "C": 2, "Sp": 3}


class Game(World):
    """Harry, a Hero (ann); Rissh, an Enigma (bob); Santana, a villain of the game master.

    The game master sees hands unless a test says otherwise, so one seat can play everybody's cards.
    """

    #: The scene and the additional character of some tests.
    place = landon = ""

    def __init__(self, begin: bool = True, **dials: Any) -> None:
        people: Any = {"gm": "gm", "ann": "player", "bob": "player", "cleo": "player", "dora": "observer"}
        super().__init__(RULESET, {"hands_seen_by_gm": True, **dials}, people)
        if begin:
            self.hero = self.enrol("Harry", Sheet("hero", HARRY), "ann")
            self.enigma = self.enrol("Rissh", Sheet("enigma", {"body": 2, "mind": 2}), "bob")
            self.villain = self.enrol("Santana", Sheet("architect", {"body": 3, "Sp": 2}, villain=True), "gm")

    # --- whole steps ---

    def does(self, do: Any, *said: Any, by: str = "gm") -> Verdict[Any]:
        """Declare. `said` answers its questions in order: faces, card names or a choice."""
        conversation, table = self.begin(do, by)
        answers = []
        for one in said:
            answers.append(answer_to(conversation.question, one))
            conversation.answer(answers[-1])
        assert conversation.verdict is not None, f"still asks: {conversation.question}"
        return self.record(do, table, answers, conversation.verdict)

    def new(self, do: Any, *said: Any, by: str = "gm") -> str:
        """Declare, and return the number of the ruling, which is the id of what it created."""
        number = str(self.number)
        self.does(do, *said, by=by)
        return number

    def refuses(self, do: Any, *said: Any, by: str = "gm") -> str:
        try:
            conversation, table = self.begin(do, by)
            for one in said:
                conversation.answer(answer_to(conversation.question, one))
            if conversation.verdict is not None:
                self.record(do, table, [], conversation.verdict)
        except Refused as no:
            found = no
        else:
            raise AssertionError(f"not refused: {do}")
        assert found.rule in RULESET.rules or found.rule.startswith("ledger."), found.rule
        return found.code

    def gives(self, id: str, what: str, amount: int) -> None:
        unit = what.partition(":")[0]
        self.declare(Adjust(f"bank/{what}", f"character:{id}/{what}", unit, amount, "for the test"))

    def sets(self, id: str, field: str, value: Any) -> None:
        self.declare(Amend(f"character:{id}", field, value, "for the test"))

    def scene_begins(self, *cast: str) -> str:
        return self.new(OpenScene("A hangar", cast))

    def scene_ends(self, id: str) -> None:
        self.does(CloseScene(id))

    def session_begins(self) -> str:
        return self.new(OpenSession("An evening"))

    def session_ends(self, id: str) -> None:
        self.does(CloseSession(id))

    def acts(self, id: str, **more: Any) -> str:
        """Declare an action of Body without a skill, which passes with Near."""
        return self.new(DeclareAction(id, **more))

    def rolls(self, action: str, *faces: int, bonus: tuple[int, ...] = (), part: int = 0) -> Verdict[Any]:
        return self.does(RollDice(action, part, faces, bonus))

    def level(self, action: str, part: int | None = None, **more: Any) -> str:
        return str(the(self.does(Resolve(action, part, **more)), "ActionResolved").level)

    # --- the state ---

    def chips(self, id: str) -> dict[str, int]:
        return {c: n for c in ("white", "red", "blue") if (n := self.balance(f"character:{id}/chip:{c}"))}

    def beads(self, id: str) -> dict[str, int]:
        names = ("action", "storytelling", "plot", "drama")
        return {e: n for e in names if (n := self.balance(f"character:{id}/bead:{e}"))}

    def tokens(self, id: str) -> tuple[int, ...]:
        return tuple(self.balance(f"character:{id}/token:{p}") for p in ("body", "mind", "spirit"))

    def points(self, id: str) -> int:
        return self.balance(f"character:{id}/point")


def answer_to(question: Any, said: Any) -> Any:
    if isinstance(question, Roll):
        return Dice(question.sides, tuple(said))
    if isinstance(question, Draw):
        return Drawn(tuple(said))
    assert isinstance(question, Ask), f"asks {question}, told {said}"
    return Choice(said)


def facts_of(verdict: Verdict[Any]) -> list[Any]:
    return [about.fact for about in verdict.facts]


def kinds_of(verdict: Verdict[Any]) -> list[str]:
    return [type(about.fact).__name__ for about in verdict.facts]


def the(verdict: Verdict[Any], kind: str) -> Any:
    """Return the only fact of this kind."""
    (found,) = [fact for fact in facts_of(verdict) if type(fact).__name__ == kind]
    return found


def buys(what: str, name: str = "", level: Any = 1, **more: Any) -> Purchase:
    return Purchase(what, name, level, **more)
