"""A table playing Scattershot: Ann, Bob and Cid, each with a Persona; the Gamemaster with a Regular Character."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ledger.rules.kernel.adjudication import Conversation
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.questions import Ask, Choice, Dice, Roll
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Role, character
from ledger.rules.scattershot import RULESET
from ledger.rules.scattershot.actions import AcceptFreeAction
from ledger.rules.scattershot.agreement import Agree
from ledger.rules.scattershot.awards import AwardDice
from ledger.rules.scattershot.consequences import Consequences
from ledger.rules.scattershot.declaring import DeclareAction
from ledger.rules.scattershot.engaging import AnswerEngagement, Oppose, StayPassive
from ledger.rules.scattershot.mechanical_play import CallMechanicalPlay, EndTurn, StartTurn
from ledger.rules.scattershot.outcomes import ReachOutcome
from ledger.rules.scattershot.ratings import ApplyModifier
from ledger.rules.scattershot.rolls import CloseOpportunity, RollMib
from ledger.rules.scattershot.state import Advantage, Protection, Sheet, Skill
from ledger.rules.scattershot.totals import CloseDecision
from tests.rules.world import World

ANN = Sheet(
    statistics={"agility": 12, "strength": 10},
    skills=(Skill("Fencing", "intermediate", 2, 2, script=("riposte", "parry", "step")),),
    advantages=(Advantage("Dexterity", 1, 1, "with the hands"), Advantage("Keen Eyes", 2, 1)),
    disadvantages=(Advantage("Reckless", 3), Advantage("Can't Cook", 1, bars="Cooking")),
)
BOB = Sheet(
    statistics={"strength": 13},
    skills=(Skill("Brawl", "easy", 0, 3), Skill("Tactics", "difficult", 1, 4)),
    protection=(Protection("leather", static=2),),
    disadvantages=(Advantage("Slow", 1),),
)
CID = Sheet(
    special_abilities=(Skill("Firebolt", "difficult", 1, 2, facet="multiplier", power_cost=2),),
    free_skills={"Whistling": 11, "Whittling": 10},
    raises={"Whistling": 1},
    elements=("hums", "limps"),
    protection=(Protection("shield of fire", bought="Firebolt"),),
)
OGRE = Sheet("regular", statistics={"strength": 16, "hit-points": 18, "reaction": 9})


class Game(World):
    """Seats gm, ann, bob, cid (clockwise) and an observer. Characters: `g.ann`, `g.bob`, `g.cid`, `g.ogre`."""

    def __init__(self, scene: bool = True, **dials: Any) -> None:
        people: dict[str, Role] = {"gm": "gm", "ann": "player", "bob": "player", "cid": "player", "o": "observer"}
        super().__init__(RULESET, {name.replace("_", "-"): value for name, value in dials.items()}, people)
        #: Of random play: how often each code was the answer.
        self.refused: Counter[str] = Counter()
        self.ann = self.enrol("Annette", ANN, "ann")
        self.bob = self.enrol("Bobby", BOB, "bob")
        self.cid = self.enrol("Cidney", CID, "cid")
        self.ogre = self.enrol("Ogre", OGRE, "gm")
        self.scene_id = self.open_scene() if scene else ""

    # --- whole steps -------------------------------------------------------------------------------------------------

    def does(self, do: Any, *said: Any, by: str = "gm") -> Verdict[Any]:
        """Declare; `said` answers its questions in order: a tuple of faces, or a choice."""
        conversation, table = self.begin(do, by)
        answers = []
        for one in said:
            answers.append(answer_to(conversation.question, one))
            conversation.answer(answers[-1])
        assert conversation.verdict is not None, f"still asks: {conversation.question}"
        return self.record(do, table, answers, conversation.verdict)

    def asks(self, do: Any, *said: Any, by: str = "gm") -> Any:
        """Return the question that follows these answers."""
        return self._after(do, said, by).question

    def refusal(self, do: Any, *said: Any, by: str = "gm") -> Refused:
        """Return the refusal, at once or after these answers."""
        try:
            self._after(do, said, by)
        except Refused as no:
            found = no
        else:
            raise AssertionError(f"not refused: {do}")
        assert found.rule in RULESET.rules or found.rule.startswith("ledger."), found.rule
        return found

    def refuses(self, do: Any, *said: Any, by: str = "gm") -> str:
        return self.refusal(do, *said, by=by).code

    def _after(self, do: Any, said: tuple[Any, ...], by: str) -> Conversation:
        conversation, _ = self.begin(do, by)
        for one in said:
            conversation.answer(answer_to(conversation.question, one))
        return conversation

    def only(self, verdict: Verdict[Any], cls: type[Any]) -> Any:
        """Return the only fact of this class."""
        (found,) = [about.fact for about in verdict.facts if type(about.fact) is cls]
        return found

    # --- situations --------------------------------------------------------------------------------------------------

    def dice(self, player: str, n: int = 1) -> None:
        """Award dice to a Player."""
        self.does(AwardDice(player, n, "for the test"))

    def xd(self, player: str) -> int:
        return self.balance(f"seat:{player}/xd")

    def saved(self, holder: str, borrower: str) -> int:
        return self.balance(f"seat:{holder}/xd:saved:{borrower}")

    def karmic(self, player: str) -> int:
        return -self.balance(f"seat:{player}/karmic")

    def free(self, *acts: str) -> None:
        """Let the Group accept these as Free Actions."""
        for one in acts:
            self.does(AcceptFreeAction(one, True, "everybody nodded"))

    def act(self, who: str, rating: str = "agility", **more: Any) -> str:
        """Declare an Action and return the resolution's id."""
        number = str(self.number)
        self.does(DeclareAction(who, "an Action", rating, **more))
        return number

    def decision(self, who: str, rating: str = "agility", oppose: dict[str, str] | None = None, **more: Any) -> str:
        """Return a resolution in its Decision Phase. `oppose`: Resistors with the Rating each opposes with."""
        id = self.act(who, rating, engages=tuple(oppose or ()), **more)
        for other, own in (oppose or {}).items():
            self.does(AnswerEngagement(id, other, Oppose("against it", own)))
        self.does(CloseOpportunity(id))
        return id

    def basic(self, actor: int, resistors: dict[str, int] | None = None, who: str | None = None, **more: Any) -> str:
        """Return a resolution after its Decision Phase. Modifiers give it these basic MIBs."""
        who = who or self.ann
        id = self.act(who, engages=tuple(resistors or ()), **more)
        for other in resistors or ():
            self.does(AnswerEngagement(id, other, Oppose("against it", "agility")))
        for side, wanted in {"actor": actor, **(resistors or {})}.items():
            rating = self.character(who if side == "actor" else side).ratings["agility"].value
            self.does(ApplyModifier(id, wanted - rating + 10, "made so", side))
        self.does(CloseOpportunity(id))
        for side in ("actor", *(resistors or {})):
            self.does(RollMib(id, side, (5, 5)))
        self.does(CloseDecision(id))
        return id

    def outcome(self, id: str) -> Any:
        """Return the outcome against the only Resistor, or unopposed."""
        verdict = self.does(ReachOutcome(id))
        return next(about.fact for about in verdict.facts if hasattr(about.fact, "outcome"))

    def fight(self, *ids: str, by: str = "bob", **more: Any) -> None:
        everybody = ids or (self.ann, self.bob, self.cid, self.ogre)
        self.does(CallMechanicalPlay(everybody, **more), by=by)

    def turn(self, *ids: str) -> None:
        """Start and end these Turns."""
        for id in ids:
            self.does(StartTurn(id))
            self.does(EndTurn(id))

    def advantage(self, holder: str, foe: str) -> int:
        return self.balance(f"scene:{self.scene_id}/advantage:{holder}:{foe}")

    def everybody(self) -> list[str]:
        return [one.id for one in self.table().subjects("character")]


def tried(game: Game, do: Any, by: str = "gm") -> str:
    """Return `done`, or the refusal code."""
    try:
        game.does(do, by=by)
    except Refused as no:
        return no.code
    return "done"


def answer_to(question: Any, said: Any) -> Any:
    if isinstance(question, Roll) and isinstance(said, tuple):
        return Dice(question.sides, said)
    return Choice(said) if isinstance(question, Ask) else said


def quiet(question: Any) -> Any:
    """Return a choice that moves the game on."""
    assert isinstance(question, Ask)
    if Agree in question.kinds:
        return Choice(Agree())
    return Choice(StayPassive() if StayPassive in question.kinds else Consequences("a scar"))


__all__ = ["ANN", "BOB", "CID", "OGRE", "Game", "answer_to", "character", "quiet", "tried"]
