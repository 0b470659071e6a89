"""What people do between scenes: rest, heal, and say who was in conflict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from ledger.rules.intensity.terms import Asker, Char, Day, OwnTrait, SaidHealing
from ledger.rules.kernel.declarations import ANYONE, GM, declares
from ledger.rules.kernel.domains import CharacterId, Reason, Says, Story


@dataclass(frozen=True, slots=True)
class HealingChoice:
    """What one character heals: `damage` (with its trait), `wound`, or `none`."""

    char: Char
    heal: SaidHealing
    trait: OwnTrait | None = None


@declares(
    "rest",
    ANYONE,
    records=(
        "rest-taken",
        "tax-ended",
    ),
)
class Rest:
    """Five minutes of rest after a scene. `characters`: who rests (left out: all not permanently out)."""

    characters: tuple[CharacterId, ...] = ()


@declares("note-conflict", GM, records=("conflict-noted",))
class NoteConflict:
    """The table rules that two characters were in conflict."""

    a: Annotated[CharacterId, Says("One of them")]
    b: Annotated[CharacterId, Says("The other")]
    reason: Reason


@dataclass(frozen=True, slots=True)
class InConflict:
    """Two characters who were in conflict, as a game master rules, and why."""

    a: Annotated[CharacterId, Says("One of them")]
    b: Annotated[CharacterId, Says("The other")]
    reason: Reason


@declares(
    "healing-moment",
    ANYONE,
    records=(
        "advantage-gained",
        "tax-ended",
        "conflict-noted",
        "conflicts-counted",
        "healing-moment-held",
        "healing-moment-closed",
        "impact-healed",
        "healing-declined",
        "healing-passed-over",
        "conflict-links-cleared",
    ),
)
class HealingMoment:
    """One event of care for the whole campaign, on an in-fiction day: all characters get to heal one impact.

    `choices`: of one's own characters (a game master: of anybody's). For every other that could heal its player is
    asked, or a game master where no player sits. A game master may close the moment for a player who does not answer.
    `requested_by`: a seat or a character (left out: the declaring seat).
    `fiction`: what makes it possible. `pairs`: who else was in conflict since the last healing moment; a game master's.
    """

    day: Day
    fiction: Story
    choices: tuple[HealingChoice, ...] = ()
    requested_by: Asker = ""
    pairs: tuple[InConflict, ...] = ()


HealingInput: TypeAlias = Rest | NoteConflict | HealingMoment
