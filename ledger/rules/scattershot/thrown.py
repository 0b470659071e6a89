"""Whose the dice are that were typed in with an input."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.subjects import Subject, character, seat
from ledger.rules.kernel.thrown import Thrown, Told, made
from ledger.rules.scattershot.facts_of_characters import DevelopmentRolled
from ledger.rules.scattershot.facts_of_deeds import (
    ActionDeclared,
    ExperienceDieRolled,
    MibRolled,
    OffGuardReactionRolled,
)
from ledger.rules.scattershot.inputs_of_characters import Develop
from ledger.rules.scattershot.inputs_of_deeds import ContributeDie, DeviceDie, PlotDevice, ReactOffGuard, RollMib
from ledger.rules.scattershot.terms import ACTOR


def thrown(do: object, told: Told) -> Iterator[Thrown]:
    """2d10 are the Character's that rolls, Experience Dice the Player's that holds them."""
    facts = [about.fact for about in told.facts]
    match do:
        case RollMib() if do.faces is not None:
            for fact in facts:
                if isinstance(fact, MibRolled):
                    yield Thrown(_roller(told, fact), 10, fact.dice)
        case ReactOffGuard():
            for fact in facts:
                if isinstance(fact, OffGuardReactionRolled):
                    if do.faces is not None:
                        yield Thrown(character(fact.character), 10, fact.dice)
                    pairs = zip(do.experience, fact.experience, strict=False)
                    typed = tuple(abs(face) for die, face in pairs if die.face is not None)
                    if typed:
                        yield Thrown(seat(fact.player), 6, typed)
        case ContributeDie() | PlotDevice():
            given: tuple[ContributeDie | DeviceDie, ...] = do.dice if isinstance(do, PlotDevice) else (do,)
            rolled = [fact for fact in facts if isinstance(fact, ExperienceDieRolled)]
            for die, fact in zip(given, rolled, strict=False):
                if die.face is not None:
                    yield Thrown(seat(fact.by), 6, (fact.face,))
        case Develop() if do.faces is not None:
            for fact in facts:
                if isinstance(fact, DevelopmentRolled):
                    yield Thrown(character(do.character), 6, fact.faces)
        case _:
            pass


def _roller(told: Told, rolled: MibRolled) -> Subject | None:
    if rolled.roll != ACTOR:
        return character(rolled.roll)
    declared = (about.fact for about in made(told, rolled.resolution))
    return next((character(fact.actor) for fact in declared if isinstance(fact, ActionDeclared)), None)
