"""A game whose rulings have names, so that a test can strike one and look at the others."""

from __future__ import annotations

from typing import Any

from ledger.rules.kernel.comparison import Other, Row, compare
from ledger.rules.scattershot.declaring import DeclareAction
from ledger.rules.scattershot.engaging import AnswerEngagement, Oppose
from ledger.rules.scattershot.rolls import RollMib
from ledger.rules.scattershot.totals import CloseDecision
from tests.rules.scattershot.game import Game

ANN = "1"


class Story:
    """A game whose rulings have names."""

    def __init__(self, **dials: Any) -> None:
        self.game = Game(**dials)
        self.named: dict[str, int] = {}

    def tell(self, name: str, do: Any, *said: Any, by: str = "gm") -> str:
        """Declare it and return its number as an id."""
        self.named[name] = self.game.number
        self.last = self.game.does(do, *said, by=by)
        return str(self.named[name])

    def act(self, name: str, who: str = ANN, **more: Any) -> str:
        """Record an Action up to its Decision Phase."""
        id = self.tell(name, DeclareAction(who, "an Action", **more))
        for other in more.get("engages", ()):
            self.tell(f"{name}: {other} answers", AnswerEngagement(id, other, Oppose("against it", "agility")))
        return id

    def decide(self, name: str, id: str, faces: tuple[int, int] = (5, 5), *others: str) -> None:
        self.tell(f"{name}: roll", RollMib(id, "actor", tuple(faces)))
        for other in others:
            self.tell(f"{name}: {other} rolls", RollMib(id, other, (5, 5)))
        self.tell(f"{name}: decision", CloseDecision(id))

    def flagged(self, struck: str) -> set[str]:
        """Return the names of later rulings that no longer stand. No earlier ruling is ever flagged."""
        names = {number: name for name, number in self.named.items()}
        rows = [row for row in self.anew(struck) if row.standpoint != "stands"]
        assert all(row.number > self.named[struck] for row in rows)
        return {names[row.number] for row in rows if row.number in names}

    def anew(self, struck: str) -> tuple[Row, ...]:
        """Return each later ruling as it comes out when the rulings before it are ruled again."""
        other = Other({self.named[struck]: None}, rerule=True)
        return compare(self.game.beginning(), self.game.history, {}, other).rows

    def why(self, struck: str, flagged: str) -> str:
        """Return how the flagged ruling then comes out: a refusal's code, or the word for it."""
        (row,) = [row for row in self.anew(struck) if row.number == self.named[flagged]]
        return str(getattr(row.then, "code", row.standpoint))
