"""A character sheet, and other parts of inputs. A `Number` may be anything: its rule refuses what is none."""

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
    Number, Between(1, 100_000), Says("Points", "To begin with; left out, as the campaign's power level gives them.")
]


@dataclass(frozen=True, slots=True)
class Purchase:
    """Something bought. `level`: the level or number it is bought up to. `multiplier`: of the `dice` one.

    `what`: characteristic, skill, dice, action-hero, weapons-master, floating-dice, martial-arts, swiftness, movement,
    extra-secondary, change-secondary, extra-primary, extra-bead-scene, extra-bead-session, superhuman, hand-of-fate,
    fortune, vortex, bits, money, contacts, or anything approved before (`name`: the id of the trait).
    `period`: scene, session or arc, of the dice that return with it. `element`: the Element bought, or of the bead.
    `instead`: the one given up. `worth`, `loyalty`: of contacts; of a movement `name` is the mode,
    `level` its metres a turn (ML) and `worth` the points agreed for it. `skills`: the few related ones that a Weapons
    Master's dice are for. Of `dice`, `name` is the pool they join: a skill, or a kind of roll.
    """

    what: PurchaseKind
    name: PurchaseName = ""
    level: Annotated[Rating, Says("Level", "The level or number it is bought up to.")] = 1
    element: Annotated[AnyElement, Says("Element", "The Element bought, or that of the bead.")] = ""
    instead: Annotated[AnyElement, Says("Instead of", "The Element given up.")] = ""
    period: AnyPeriod = ""
    multiplier: Annotated[Fraction, Says("Multiplier", "Of dice: from `3/2` to 2.")] = 2
    worth: Annotated[
        Fraction, Says("Worth", "Of contacts: what they are worth; of a movement: the points agreed for it.")
    ] = 1
    loyalty: Annotated[Rating, Says("Loyalty", "Of contacts.")] = 0
    skills: Annotated[
        tuple[SkillName, ...], Says("Skills", "The few related ones that a Weapons Master's dice are for.")
    ] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """`characteristics` and `skills`: name -> level, free levels included. `purchases`: in the order they are bought.

    `disadvantages`: name -> points given back, as agreed with the game master. `villain`: run by the game master.
    """

    archetype: ArchetypeName
    characteristics: Mapping[CharacteristicName, Rating] = field(default_factory=dict)
    skills: Mapping[SkillName, Rating] = field(default_factory=dict)
    purchases: tuple[Purchase, ...] = ()
    disadvantages: Mapping[Title, Fraction] = field(default_factory=dict)
    villain: Annotated[bool, Says("Villain", "Run by the game master.")] = False
    budget: Budget | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """A token spent for a characteristic. `primary`: from which pool, where there are several above it."""

    characteristic: CharacteristicName
    primary: Annotated[PrimaryName | None, Says("Pool", "The Primary whose token it is, of several above it.")] = None


@dataclass(frozen=True, slots=True)
class SubPool:
    """One action of a split pool, `dice` its share. Left out, what it is comes from the whole action's."""

    dice: Annotated[HowMany, Says("Dice", "Its share of the pool.")]
    text: Story = ""
    skill: SkillName | None = None
    element: ElementName | None = None
    roll_kind: RollKind | None = None
    tn: Tn | None = None
    required: Annotated[Level | None, Says("Level required", "The level it passes with.")] = None
    defence: bool = False
    opposed: bool = False


@dataclass(frozen=True, slots=True)
class CardPoints:
    """Points of a card on one die. `die`: bonus dice come after the base dice."""

    die: DieNumber
    points: HowMany
    part: PartNumber = 0


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card laid on dice as they are rolled, or typed in.

    `element`: named by the game master, where the roll has none of its own; left out, Action. `suit`, `card_class`: as
    of a card on an action. `character`: whose card it is, where it is an ally's.
    """

    card: CardName
    points: tuple[CardPoints, ...] = ()
    element: DiceElement | None = None
    suit: CardSuit | None = None
    card_class: CardClass | None = None
    character: Annotated[CharacterId | None, Says("Whose card", "Where it is an ally's.")] = None
