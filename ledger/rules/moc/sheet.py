"""A character sheet, and other parts of inputs. A `Number` may be anything: its rule refuses invalid values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, TypeAlias

from ledger.rules.kernel.domains import Between, CharacterId, Says, Story, Title
from ledger.rules.moc.domains import (
    AnyElement,
    AnyPeriod,
    ArchetypeName,
    CardClass,
    CardName,
    CardSuit,
    CharacteristicName,
    DiceElement,
    DieNumber,
    ElementName,
    Fraction,
    HowMany,
    Level,
    PartNumber,
    PrimaryName,
    PurchaseKind,
    PurchaseName,
    Rating,
    RollKind,
    SkillName,
    Tn,
)
from ledger.rules.moc.terms import Number

Budget: TypeAlias = Annotated[
    Number,
    Between(1, 100_000),
    Says(
        "Points", "How many points the character is built with. Leave this out to use the number for the power level."
    ),
]


@dataclass(frozen=True, slots=True)
class Purchase:
    """A purchase. `level`: the new level or number. `multiplier`: for dice, how many times the price of a skill they
    cost.

    `what`: characteristic, skill, dice, action-hero, weapons-master, floating-dice, martial-arts, swiftness, movement,
    extra-secondary, change-secondary, extra-primary, extra-bead-scene, extra-bead-session, superhuman, hand-of-fate,
    fortune, vortex, bits, money, contacts, or an approved trait (`name`: its id).
    `period`: for dice that come back, when they do: scene, session or arc. `element`: the Element bought, or the
    Element of a Superhuman bead. `instead`: the Element given up. `worth`, `loyalty`: for contacts. For a movement,
    `name` is the way to move, `level` its metres a turn (ML) and `worth` the points agreed for it. `skills`: the few
    related skills of Weapons Master dice. For `dice`, `name` is the pool that they join: a skill, or a kind of roll.
    """

    what: PurchaseKind
    name: PurchaseName = ""
    level: Annotated[Rating, Says("Level", "The level or number to reach.")] = 1
    element: Annotated[AnyElement, Says("Element", "The Element bought, or the Element of a Superhuman bead.")] = ""
    instead: Annotated[AnyElement, Says("Instead of", "The Element given up.")] = ""
    period: AnyPeriod = ""
    multiplier: Annotated[
        Fraction, Says("Multiplier", "For dice: how many times the price of a skill they cost, from `3/2` to 2.")
    ] = 2
    worth: Annotated[
        Fraction, Says("Worth", "For contacts: their worth. For a way of moving: the price in points, as agreed.")
    ] = 1
    loyalty: Annotated[Rating, Says("Loyalty", "For contacts: their level of loyalty.")] = 0
    skills: Annotated[
        tuple[SkillName, ...], Says("Skills", "The few related skills that Weapons Master dice can be used for.")
    ] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """`characteristics` and `skills`: name -> level, including free levels. `purchases`: what was bought, in order.

    `disadvantages`: name -> points that the Disadvantage gives back, as agreed. `villain`: whether the game master
    plays the character.
    """

    archetype: ArchetypeName
    characteristics: Mapping[CharacteristicName, Rating] = field(default_factory=dict)
    skills: Mapping[SkillName, Rating] = field(default_factory=dict)
    purchases: tuple[Purchase, ...] = ()
    disadvantages: Mapping[Title, Fraction] = field(default_factory=dict)
    villain: Annotated[bool, Says("Villain", "Whether the game master plays the character.")] = False
    budget: Budget | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """A token spent for a characteristic. `primary`: the Primary that gives the token, if several are possible."""

    characteristic: CharacteristicName
    primary: Annotated[
        PrimaryName | None, Says("Pool", "The Primary that gives the token, if several are possible.")
    ] = None


@dataclass(frozen=True, slots=True)
class SubPool:
    """One part of a split pool. `dice`: its share of the dice. Fields left out are as for the whole action."""

    dice: Annotated[HowMany, Says("Dice", "The share of the pool that this part gets.")]
    text: Story = ""
    skill: SkillName | None = None
    element: ElementName | None = None
    roll_kind: RollKind | None = None
    tn: Tn | None = None
    required: Annotated[Level | None, Says("Level required", "The level needed to pass.")] = None
    defence: bool = False
    opposed: bool = False


@dataclass(frozen=True, slots=True)
class CardPoints:
    """Points of a card for one die. `die`: its number. Bonus dice are numbered after the base dice."""

    die: DieNumber
    points: HowMany
    part: PartNumber = 0


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card played on dice as they are rolled or entered.

    `element`: if the roll has no Element, the one that the game master names. Leave it out for Action. `suit`,
    `card_class`: as for a card on an action. `character`: the owner of the card, if it is an ally's.
    """

    card: CardName
    points: tuple[CardPoints, ...] = ()
    element: DiceElement | None = None
    suit: CardSuit | None = None
    card_class: CardClass | None = None
    character: Annotated[CharacterId | None, Says("Whose card", "The owner, if the card is an ally's.")] = None
