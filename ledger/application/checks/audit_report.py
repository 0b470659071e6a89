"""The report of an audit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ledger.application.checks.as_known import KnownSubject
from ledger.rules.kernel.subjects import Audience, Subject

What: TypeAlias = Literal[
    "numbering",
    "journal",
    "ruling",
    "because",
    "balance",
    "state",
    "adrift",
    "held twice",
    "view",
    "dice",
    "seal",
    "consent",
    "snapshot",
    "finding",
]


@dataclass(frozen=True, slots=True)
class Difference:
    """An error that the audit found: its kind, its ruling, and a sentence.

    `audience`: the seats that may see the sentence, or None if it contains no secret.
    """

    what: What
    detail: str
    ruling: int | None = None
    audience: Audience = None


@dataclass(frozen=True, slots=True)
class Judged:
    """The number of rulings made under an edition (`of`), and how many of them the installed rules could judge
    (`judged`).
    """

    edition: int
    judged: int
    of: int


@dataclass(frozen=True, slots=True)
class RulingSetAside:
    """A ruling that the operator set aside, with the time and the reason."""

    ruling: int
    at: str
    reason: str


@dataclass(slots=True)
class Audit:
    """The result of an audit. `older_rulings`: the numbers of rulings that the installed rules cannot judge, because a
    revision is of an earlier edition.

    `is_installed`: whether the campaign's game is installed. Without it, no ruling is judged. `judgements`: for each
    ruling, the edition of its last revision, and whether that revision was judged. `set_aside`: the rulings that the
    operator set aside because the game's code raises an error for them.
    """

    is_installed: bool = True

    position: int = 0
    event_count: int = 0
    ruling_count: int = 0
    readjudicated_count: int = 0
    older_rulings: list[int] = field(default_factory=list)
    judgements: dict[int, tuple[int, bool]] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)
    subjects: dict[Subject, KnownSubject] = field(default_factory=dict)
    balances: dict[str, int] = field(default_factory=dict)
    set_aside: list[RulingSetAside] = field(default_factory=list)

    @property
    def unreplayed_count(self) -> int:
        """Return how many rulings have a revision that was not replayed."""
        return len(set(self.older_rulings))

    def note_judgement(self, number: int, edition: int, *, was_judged: bool) -> None:
        """Note whether the installed rules could judge a revision of the ruling."""
        self.judgements[number] = edition, was_judged
        if not was_judged:
            self.older_rulings.append(number)

    @property
    def judged(self) -> list[Judged]:
        """Return how many rulings were judged, by the edition of their last revision."""
        judgements = list(self.judgements.values())
        return [
            Judged(
                edition,
                judgements.count((edition, True)),
                sum(judged_edition == edition for judged_edition, _ in judgements),
            )
            for edition in sorted({edition for edition, _ in judgements})
        ]

    def add_difference(
        self, what: What, detail: str, ruling_number: int | None = None, audience: Audience = None
    ) -> None:
        self.differences.append(Difference(what, detail, ruling_number, audience))


def format_count(count: int, noun: str) -> str:
    """Return a count with its noun, such as `2 open findings`, or an empty text for 0."""
    return f"{count} {noun}{'' if count == 1 else 's'}" if count else ""


def format_judged(judged_editions: Sequence[Judged]) -> str:
    """Return a text such as `checked 7 of 12 rulings (0 of 5 from edition 1, 7 of 7 from edition 2)`."""
    total = f"checked {sum(row.judged for row in judged_editions)} of {sum(row.of for row in judged_editions)} rulings"
    if all(row.judged == row.of for row in judged_editions):
        return total
    return f"{total} ({', '.join(f'{row.judged} of {row.of} from edition {row.edition}' for row in judged_editions)})"
