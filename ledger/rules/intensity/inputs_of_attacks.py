"""Declarations of an attack: open it, defend, spend advantage points, resolve it, choose an impact.

The attack is always the open one. You can enter the faces of dice; if you leave them out, the ruling asks for them.
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
    """A die to defend with: `intensity` or `trait`. `face`: what it showed; if you leave it out, the ruling asks."""

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
    """Attack. `target`: only if your declared target is out of play and the table lets you choose another one."""

    char: Char
    target: CharacterId | None = None
    text: Story = ""


@declares(
    "defend",
    either(_defender, "the player of the defender"),
    records=(
        "action-forfeited",
        "defence-chosen",
        "defence-rolled",
    ),
)
class Defend:
    """Choose the dice that the defender rolls against the open attack. With no dice, they stand."""

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
    """Buy an effect in the open attack: `reroll`, `maximum`, `defence4` or `attack4`. `die`, `face`: for a reroll."""

    holder: CharacterId
    effect: SaidEffect
    die: SaidDie | None = None
    face: Face | None = None


@declares("resolve", either(_attacker, "the player of the attacker"), records=("attack-resolved",))
class Resolve:
    """Resolve the attack when nobody wants to spend more. `text`: what happens, also if it fails."""

    text: Story = ""


@declares(
    "choose-impact",
    either(_attacker, "the player of the attacker"),
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
    """Choose an impact after a success. `trait`: for a tax; optional for damage. `at_once`: use a fatal impact now."""

    impact: SaidImpact
    trait: TraitName | None = None
    text: Story = ""
    at_once: Fate | None = None


@declares("waive", either(_attacker, "the player of the attacker"), records=("impact-waived",))
class Waive:
    """Choose no impact."""

    text: Story = ""


AttackInput: TypeAlias = Attack | Defend | SpendAdvantage | Resolve | ChooseImpact | Waive
