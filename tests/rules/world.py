"""A campaign in memory: declare, answer, overturn. What the service does with rulings, without a store.

Facts are told to a `Past` as they would be recorded, so every law can be tried on the pure rules alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakKeyDictionary

from ledger.rules.kernel import commands, facts, fold, purses
from ledger.rules.kernel.adjudication import Conversation
from ledger.rules.kernel.answers import Said
from ledger.rules.kernel.comparison import Comparison, compare
from ledger.rules.kernel.contract import AnyRuleset, Posting, Verdict
from ledger.rules.kernel.declarations import find_chooser
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.questions import Answer, Ask, Choice, Question, question_json
from ledger.rules.kernel.subjects import CAMPAIGN, Audience, Role, Subject, Viewer, character, scene, seat
from ledger.rules.kernel.table import RulingTable, find_viewer
from ledger.rules.kernel.world import Past, PastRuling, list_recorded


@dataclass(frozen=True, slots=True)
class Told:
    """A fact as recorded."""

    ruling: int
    step: int
    fact: Any
    postings: tuple[Posting, ...] = ()
    revision: int = 0
    audience: Audience = None
    after: int = 0


@dataclass
class World:
    """`people`: seat id -> role. Rulings begin at 1; what opened the campaign is ruling 0."""

    ruleset: AnyRuleset
    dials: Mapping[str, Any] = field(default_factory=dict)
    people: Mapping[str, Role] = field(default_factory=lambda: {"gm": "gm"})

    def __post_init__(self) -> None:
        opened = facts.CampaignOpened("A campaign", self.ruleset.name, self.ruleset.edition, dict(self.dials))
        self.opening: list[tuple[Subject, Told]] = [(CAMPAIGN, Told(0, 0, opened))]
        for place, (id, role) in enumerate(self.people.items(), 1):
            self.opening.append((seat(id), Told(0, place, facts.SeatTaken(id, role))))
        self.past = self.beginning()
        self.history: list[PastRuling] = []
        self.verdicts: list[Verdict[Any]] = []
        #: The codes of what was refused, where whoever plays counts them.
        self.met: set[str] = set()
        self._begun: WeakKeyDictionary[RulingTable, tuple[Any, Conversation]] = WeakKeyDictionary()

    def beginning(self) -> Past:
        past = Past(self.ruleset, {})
        past.tell(self.opening)
        return past

    # --- playing --------------------------------------------------------------------------------------------------

    @property
    def number(self) -> int:
        """What the next ruling will be called."""
        return len(self.history) + 1

    def table(self, by: str = "gm", in_scene: Subject | None = None) -> RulingTable:
        viewer = find_viewer(self.past, seat(by))
        assert viewer is not None
        return RulingTable(self.ruleset, self.past, self.number, viewer, in_scene)

    def begin(self, do: Any, by: str = "gm") -> tuple[Conversation, RulingTable]:
        """Raises Refused as the rules do. Nothing is recorded yet."""
        table = self.table(by)
        meant = self.ruleset.meant(table.aside(), do)
        conversation = Conversation(self.ruleset, table, meant)
        self._begun[table] = (meant, conversation)
        return conversation, table

    def declare(self, do: Any, answers: Iterable[Answer] = (), by: str = "gm") -> Verdict[Any]:
        """Adjudicate on these answers and record the verdict. Raises Refused; AssertionError while it still asks."""
        return self.declare_with(do, [(answer, None) for answer in answers], by)

    def declare_with(self, do: Any, answers: Iterable[tuple[Answer, str | None]], by: str = "gm") -> Verdict[Any]:
        """As `declare`, with the seat of who gives each answer, where that is to be theirs; AssertionError else."""
        conversation, table = self.begin(do, by)
        given = []
        for answer, seat_id in answers:
            if conversation.question is None:
                break
            assert seat_id is None or self.may_say(answer, conversation.question, seat_id), (
                f"not for {seat_id}: {answer}"
            )
            conversation.answer(answer)
            given.append(answer)
        assert conversation.verdict is not None, f"still asks: {conversation.question}"
        return self.record(do, table, given, conversation.verdict)

    def may_say(self, answer: Answer, question: Question, by: str) -> bool:
        """Whether this answer is the seat's to give, as far as the game says so of its choices."""
        if not isinstance(answer, Choice) or not isinstance(question, Ask):
            return True
        master = self.people[by] == "gm"
        if by != question.seat and not master:
            return False
        return {"asked": question.seat in (by, "gm"), "gm": master, "anyone": True}[find_chooser(answer.value)]

    def record(self, do: Any, table: RulingTable, answers: Sequence[Answer], verdict: Verdict[Any]) -> Verdict[Any]:
        """Raises Refused (`overdrawn`) like the service; else the verdict becomes the next ruling.

        The answers are recorded with their questions where the ruling was begun here.
        """
        postings = [posting for about in verdict.facts for posting in about.postings]
        purses.check_spends(postings, table.balance)
        facts = tuple(list_recorded(self.number, 0, verdict))
        self.past.tell(facts)
        meant, _ = self._begun.get(table, (do, None))
        self.history.append(
            PastRuling(
                self.number,
                meant,
                table.by,
                None,
                self._said(table, answers),
                facts,
                frozenset(table.reads),
                self.ruleset.edition,
            )
        )
        self.verdicts.append(verdict)
        return verdict

    def _said(self, table: RulingTable, answers: Sequence[Answer]) -> tuple[Said, ...]:
        begun = self._begun.get(table)
        if begun is None:
            return tuple(map(Said, answers))
        asked = map(question_json, begun[1].answered)
        return tuple(Said(answer, question) for answer, question in zip(answers, asked, strict=True))

    # --- setting up -----------------------------------------------------------------------------------------------

    def enrol(self, name: str, sheet: Any, owner: str = "gm") -> str:
        """The new character's id."""
        id = str(self.number)
        self.declare(commands.Enrol(name, owner, sheet))
        return id

    def open_scene(self, title: str = "A scene") -> str:
        id = str(self.number)
        self.declare(commands.OpenScene(title))
        return id

    def close_scene(self) -> Verdict[Any]:
        here = self.table().scene
        assert here is not None
        return self.declare(commands.CloseScene(here.id))

    def set_dial(self, name: str, value: Any) -> None:
        self.declare(commands.SetDial(name, value, "the table prefers it"))

    # --- looking --------------------------------------------------------------------------------------------------

    def state(self, subject: Subject) -> Any:
        folded = self.past.find(subject)
        return folded.state if folded is not None else self.ruleset.blank(subject.kind)

    def character(self, id: str) -> Any:
        return self.state(character(id))

    def scene(self, id: str) -> Any:
        return self.state(scene(id))

    def view(self, subject: Subject, by: str = "gm") -> Mapping[str, Any]:
        viewer = find_viewer(self.past, seat(by))
        assert viewer is not None
        return self.ruleset.view(subject, self.state(subject), replace(viewer, dials=self.table().dials))

    def balance(self, account: str) -> int:
        return self.table().balance(account)

    def balances(self) -> dict[str, int]:
        """Every account of every subject that is not empty."""
        purses_ = [folded.purse for folded in self.past.folded.values()]
        return {account: n for purse in purses_ for account, n in purse.items() if n}

    # --- overturning ----------------------------------------------------------------------------------------------

    def told(self) -> list[tuple[Subject, fold.Recorded]]:
        """Everything recorded, with the opening."""
        return [*self.opening, *((subject, one) for past in self.history for subject, one in past.facts)]

    def without(self, *numbers: int) -> Comparison:
        """The campaign as it is beside itself with these rulings struck."""
        return compare(self.beginning(), self.history, {}, dict.fromkeys(numbers))

    def fold(self, subject: Subject, *, struck: Iterable[int] = (), left_out: Iterable[int] = ()) -> Folded[Any]:
        """The subject from its log: with rulings struck, or as if they had never been recorded."""
        never = set(left_out)
        own = [one for about, one in self.told() if about == subject and one.ruling not in never]
        return fold.fold(self.ruleset, subject, own, dict.fromkeys(struck))


def viewer(role: Role = "gm", *plays: str) -> Viewer:
    return Viewer("somebody", role, frozenset(plays))
