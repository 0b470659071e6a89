"""A character sheet, and other parts of inputs. A `Number` may be anything: its rule refuses what is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ledger.rules.moc.terms import Number


@dataclass(frozen=True, slots=True)
class Purchase:
    """Something bought. `level`: the level or number it is bought up to. `multiplier`: of the `dice` one.

    `what`: characteristic, skill, dice, action-hero, weapons-master, floating-dice, martial-arts, swiftness, movement,
    extra-secondary, change-secondary, extra-primary, extra-bead-scene, extra-bead-session, superhuman, hand-of-fate,
    fortune, vortex, bits, money, contacts, or anything approved before (`name`: the id of the trait).
    `period`: scene, session or arc, of the dice that return with it. `element`: the Element bought, or of the bead.
    `instead`: the one given up. `worth`, `loyalty`: of contacts. `skills`: the few related ones that a Weapons
    Master's dice are for.
    """

    what: str
    name: str = ""
    level: Number = 1
    element: str = ""
    instead: str = ""
    period: str = ""
    multiplier: Number = 2
    worth: Number = 1
    loyalty: Number = 0
    skills: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """`characteristics` and `skills`: name -> level, free levels included. `purchases`: in the order they are bought.

    `disadvantages`: name -> points given back, as agreed with the game master. `villain`: run by the game master.
    """

    archetype: str
    characteristics: Mapping[str, Number] = field(default_factory=dict)
    skills: Mapping[str, Number] = field(default_factory=dict)
    purchases: tuple[Purchase, ...] = ()
    disadvantages: Mapping[str, Number] = field(default_factory=dict)
    villain: bool = False
    budget: Number = None


@dataclass(frozen=True, slots=True)
class Token:
    """A token spent for a characteristic. `primary`: from which pool, where there are several above it."""

    characteristic: str
    primary: str | None = None


@dataclass(frozen=True, slots=True)
class SubPool:
    """One action of a split pool, `dice` its share. Left out, what it is comes from the whole action's."""

    dice: Number
    text: str = ""
    skill: str | None = None
    element: str | None = None
    roll_kind: str | None = None
    tn: Number = None
    required: Number = None
    defence: bool = False
    opposed: bool = False


@dataclass(frozen=True, slots=True)
class CardPoints:
    """Points of a card on one die. `die`: 0 is the first of the pool, bonus dice come after the base dice."""

    die: Number
    points: Number
    part: Number = 0


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card laid on dice as they are rolled, or typed in. `points`: of damage, part 0 are its dice, 1 those of raises.

    `element`: named by the game master, where the roll has none of its own; left out, Action. `suit`, `card_class`: as
    of a card on an action. `character`: whose card it is, where it is an ally's.
    """

    card: str
    points: tuple[CardPoints, ...] = ()
    element: str | None = None
    suit: str | None = None
    card_class: str | None = None
    character: str | None = None
