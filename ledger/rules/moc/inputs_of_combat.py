"""What people do in a fight: initiative, hits, damage and resisting it, and the cards on those dice."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, TypeAlias

from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.declarations import GM, declares, either, owner
from ledger.rules.kernel.domains import CharacterId, Reason, Says
from ledger.rules.moc.acting import acts, nobody_acts
from ledger.rules.moc.domains import (
    ActionId,
    BonusFaces,
    CardClass,
    CardName,
    CardSuit,
    Dice,
    DiceElement,
    DiceOfPeople,
    DieNumber,
    Face,
    Faces,
    FloatingCounts,
    HitId,
    HowMany,
    LocationName,
    Natural,
    PartNumber,
    PrimaryName,
    Tn,
    WeaponName,
)
from ledger.rules.moc.inputs_of_actions import scene_of
from ledger.rules.moc.sheet import CardPoints, LaidCard


def _attacker(table: Table[object], do: SetLocation | RollDamage) -> str | None:
    scene = scene_of(table)
    hit = scene.hits.get(do.hit) if scene is not None else None
    return hit.attacker if hit is not None else None


def _victim(table: Table[object], do: ResistDamage) -> str | None:
    scene = scene_of(table)
    hit = scene.hits.get(do.hit) if scene is not None else None
    return hit.target if hit is not None else None


ATTACKER = either(_attacker, "who plays the attacker")
VICTIM = either(_victim, "who plays who is hit")
#: What becomes of a card laid on dice.
LAID = ("card-discarded", "villain-card-used", "card-shown", "card-played-on-dice")


@nobody_acts
@declares("roll-initiative", GM, records=("initiative-rolled",))
class RollInitiative:
    """`faces`, `bonus`: typed dice by character; for the others the ruling asks."""

    faces: DiceOfPeople = field(default_factory=dict)
    bonus: DiceOfPeople = field(default_factory=dict)


@acts("character")
@declares("play-card-on-initiative", owner("character"), records=LAID)
class PlayCardOnInitiative:
    """A card's points on one's dice of the initiative last rolled, whose groups are made anew.

    `coming`: on those that will be rolled next, as where none were rolled yet. `whose`: an ally's dice; left out, one's
    own. `points`, `element`, `suit`, `card_class`: as of a card on damage; there is one part.
    """

    character: CharacterId
    card: CardName
    points: tuple[CardPoints, ...] = ()
    whose: Annotated[CharacterId | None, Says("Whose dice", "An ally's; left out, one's own.")] = None
    coming: bool = False
    element: DiceElement | None = None
    suit: CardSuit | None = None
    card_class: CardClass | None = None


@acts("attacker")
@declares("score-hit", either("attacker"), records=("hit-scored", "location-set"))
class ScoreHit:
    """A net of at least 1 hits. `net`: left out, what the action came to against the target.

    `weapon`: of the table; or `damage`, `lethality` and `lethal` are given. `location`: chosen, or the game master's.
    `bonus_dice`: dice a Martial Arts bead adds.
    """

    attacker: CharacterId
    target: CharacterId
    weapon: WeaponName | None = None
    net: Annotated[HowMany | None, Says("Net", "Successes that are left; left out, what the action came to.")] = None
    action: ActionId | None = None
    part: PartNumber = 0
    damage: Annotated[Dice | None, Says("Damage", "Dice of a weapon that no table has.")] = None
    lethality: Annotated[Tn | None, Says("Lethality", "What each die of damage must reach.")] = None
    lethal: bool = False
    location: LocationName | None = None


@nobody_acts
@declares("set-location", ATTACKER, records=("location-set",))
class SetLocation:
    """Where it hits. `location`: chosen or ruled; else one d10 (`face`), which is not open ended."""

    hit: HitId
    location: LocationName | None = None
    face: Annotated[Face | None, Says("Face", "The d10 as it fell; left out, it is asked for.")] = None


@nobody_acts
@declares("roll-damage", ATTACKER, records=("period-dice-used", *LAID, "damage-rolled"))
class RollDamage:
    """`faces`: damage dice; `raise_faces`: one a raise; `bonus`, `raise_bonus`: what their 10s open on d10.

    `cards`: laid on them before the roll; on dice that are typed in, on what their 10s opened, too.
    `floating`: floating dice of the attacker's: advantage with its period (`floating-dice:scene`) -> number.
    """

    hit: HitId
    faces: Faces | None = None
    bonus: BonusFaces = ()
    raise_faces: Annotated[Faces, Says("Raises", "One die a raise, as they fell.")] = ()
    raise_bonus: Annotated[BonusFaces, Says("Bonus dice of raises")] = ()
    cards: tuple[LaidCard, ...] = ()
    floating: FloatingCounts = field(default_factory=dict)


@acts("character")
@declares("play-card-on-damage", owner("character"), records=LAID)
class PlayCardOnDamage:
    """A card's points on the dice of a hit, before they are rolled or after, until the damage is resisted.

    `character`: whose card it is. `points`: base dice first, then bonus dice.
    `element`: named by the game master, where the hit has none of an action's; left out, Action.
    `suit`, `card_class`: as of a card on an action.
    """

    hit: HitId
    character: CharacterId
    card: CardName
    points: tuple[CardPoints, ...] = ()
    element: DiceElement | None = None
    suit: CardSuit | None = None
    card_class: CardClass | None = None


@acts(_victim)
@declares(
    "resist-damage",
    VICTIM,
    records=(
        "period-dice-used", "token-spent", "fatigue-gained", *LAID, "damage-resisted", "harm-applied",
        "tokens-lost", "character-downed", "character-dazed", "recovery-pre-empted",
    ),
)  # fmt: skip
class ResistDamage:
    """`ignore`: dice (0 is the first) whose natural 10 removes a point. `token`: the pool whose token adds T.

    `pain`: direct pain of the hit; `fatigue`: what the game master says it tires. `cards`: as on damage;
    `ask_cards`: the ruling asks for them, once it has rolled. `floating`: as of damage.
    """

    hit: HitId
    faces: Faces | None = None
    bonus: BonusFaces = ()
    ignore: Annotated[
        tuple[DieNumber, ...], Says("Ignored", "Dice whose natural 10 removes a point: 0 is the first.")
    ] = ()
    token: Annotated[PrimaryName | None, Says("Token", "The pool whose token adds T.")] = None
    pain: Natural = 0
    fatigue: Natural = 0
    cards: tuple[LaidCard, ...] = ()
    ask_cards: bool = False
    floating: FloatingCounts = field(default_factory=dict)


@nobody_acts
@declares(
    "apply-harm",
    GM,
    records=(
        "fatigue-gained", "harm-applied", "tokens-lost", "character-downed", "character-dazed", "recovery-pre-empted",
    ),
)  # fmt: skip
class ApplyHarm:
    """One hit by its numbers, or harm the game master rules: `conversions` and `removals` of resistible points."""

    character: CharacterId
    resistible: Natural = 0
    unresistible: Natural = 0
    conversions: Annotated[HowMany, Says("Converted", "Resistible points that become pain.")] = 0
    removals: Annotated[HowMany, Says("Removed", "Resistible points that go.")] = 0
    pain: Natural = 0
    fatigue: Natural = 0
    reason: Reason = ""


FightInput: TypeAlias = (
    RollInitiative | PlayCardOnInitiative | ScoreHit | SetLocation | RollDamage | PlayCardOnDamage | ResistDamage
    | ApplyHarm
)  # fmt: skip
