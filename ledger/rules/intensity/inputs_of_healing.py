"""Declarations between scenes: rest, heal, and rule who was in conflict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from ledger.rules.intensity.terms import Asker, Char, Day, OwnTrait, SaidHealing
from ledger.rules.kernel.declarations import ANYONE, GM, declares
from ledger.rules.kernel.domains import CharacterId, Reason, Says, Story


@dataclass(frozen=True, slots=True)
class HealingChoice:
    """What one character heals: `damage` (with its trait), `wound` or `none`."""

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
    """Take a 5-minute rest after a scene. `characters`: who rests. Default: everybody who is not out for good."""

    characters: tuple[CharacterId, ...] = ()


@declares("note-conflict", GM, records=("conflict-noted",))
class NoteConflict:
    """Rule that two characters were in conflict."""

    a: Annotated[CharacterId, Says("One of them")]
    b: Annotated[CharacterId, Says("The other")]
    reason: Reason


@dataclass(frozen=True, slots=True)
class InConflict:
    """Two characters who a game master rules were in conflict, and why."""

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
    """Ask for a healing moment, on a day of the story: every character gets to heal one damage or wound.

    `choices`: for your own characters (a game master: for anybody's). The players of all others who could heal are
    asked, or a game master if a character has no player. A game master may close the moment for a player who does not
    answer. `requested_by`: a seat or a character; your own seat if you leave it out. `fiction`: what makes it possible.
    `pairs`: other characters in conflict since the last healing moment. Only a game master may add them.
    """

    day: Day
    fiction: Story
    choices: tuple[HealingChoice, ...] = ()
    requested_by: Asker = ""
    pairs: tuple[InConflict, ...] = ()


HealingInput: TypeAlias = Rest | NoteConflict | HealingMoment
