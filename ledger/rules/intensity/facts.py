"""The facts of characters and scenes. Those of rounds, attacks, fatal impacts and healing have their own files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, get_args

from ledger.rules.intensity.facts_of_attacks import AttackFact
from ledger.rules.intensity.facts_of_fatals import FatalFact
from ledger.rules.intensity.facts_of_healing import HealingFact
from ledger.rules.intensity.facts_of_rounds import RoundFact
from ledger.rules.intensity.terms import Kind, TraitName, TraitSize
from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, SceneId, SeatId


@dataclass(frozen=True, slots=True)
class Trait:
    """A trait of a character with its own die, before any impact (0: it has none left)."""

    name: TraitName
    base: TraitSize


@fact("character-created")
class CharacterCreated:
    """About the character."""

    id: CharacterId
    kind: Kind
    traits: tuple[Trait, ...]
    player: SeatId


@fact("returned-to-play")
class ReturnedToPlay:
    """About the character: the scene that it was out of play for has closed."""

    char: CharacterId


@fact("rest-allowed")
class RestAllowed:
    """About the campaign: a scene has closed, so characters can rest."""

    scene: SceneId


#: All facts, in the order in which they are published.
Fact: TypeAlias = CharacterCreated | ReturnedToPlay | RestAllowed | RoundFact | AttackFact | FatalFact | HealingFact
FACTS: tuple[type[Fact], ...] = get_args(Fact)
