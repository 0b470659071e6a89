"""What people do in an attack: open it, defend, spend advantage, resolve, choose what it does.

The attack is always the open one. Faces of dice may be left out: then the ruling asks for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ledger.rules.intensity.inputs_of_fatals import Fate
from ledger.rules.intensity.state import scene_of
from ledger.rules.intensity.terms import Char, Face, SaidDie, SaidEffect, SaidImpact, TraitName
from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.declarations import declares, either
from ledger.rules.kernel.domains import CharacterId, Story


@dataclass(frozen=True, slots=True)
class DefenceDie:
    """A die to defend with: `intensity` or `trait`, and the face it showed (left out: the ruling asks for it)."""

    die: SaidDie
    face: Face | None = None


def _attacker(table: Table[object], do: object) -> str | None:
    here = scene_of(table)
    return here.round.attack.attacker if here and here.round and here.round.attack else None


def _defender(table: Table[object], do: object) -> str | None:
    here = scene_of(table)
    return here.round.attack.defender if here and here.round and here.round.attack else None


@declares(
    "attack",
    either("char"),
    records=(
        "conflict-linked",
        "attack-opened",
    ),
)
class Attack:
    """The own action. `target`: only when the declared one is out and the table lets such actions turn elsewhere."""

    char: Char
    target: CharacterId | None = None
    text: Story = ""


@declares(
    "defend",
    either(_defender, "who plays the defender"),
    records=(
        "action-forfeited",
        "defence-chosen",
        "defence-rolled",
    ),
)
class Defend:
    """The dice the defender rolls against the open attack; none lets the dice stand."""

    dice: tuple[DefenceDie, ...] = ()
    text: Story = ""


@declares(
    "spend-advantage",
    either("holder"),
    records=(
        "advantage-spent",
        "defence-die-rerolled",
    ),
)
class SpendAdvantage:
    """An effect bought in the open attack: `reroll`, `maximum`, `defence4`, `attack4`. `die`, `face`: for a reroll."""

    holder: CharacterId
    effect: SaidEffect
    die: SaidDie | None = None
    face: Face | None = None


@declares("resolve", either(_attacker, "who plays the attacker"), records=("attack-resolved",))
class Resolve:
    """Nobody wants to spend more: attack against defence. `text`: how it comes out, also when it fails."""

    text: Story = ""


@declares(
    "choose-impact",
    either(_attacker, "who plays the attacker"),
    records=(
        "action-lapsed",
        "impact-chosen",
        "trait-mutilated",
        "trait-taxed",
        "trait-damaged",
        "character-wounded",
        "advantage-gained",
        "fatal-held",
        "fatal-used",
        "fatal-lapsed",
        "character-taken-out",
    ),
)
class ChooseImpact:
    """The attacker's choice after a success. `trait`: for a tax; for a damage optional. `at_once`: a fatal used now."""

    impact: SaidImpact
    trait: TraitName | None = None
    text: Story = ""
    at_once: Fate | None = None


@declares("waive", either(_attacker, "who plays the attacker"), records=("impact-waived",))
class Waive:
    """The attacker forgoes any impact."""

    text: Story = ""


AttackInput: TypeAlias = Attack | Defend | SpendAdvantage | Resolve | ChooseImpact | Waive
