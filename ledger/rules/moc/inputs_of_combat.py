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


ATTACKER = either(_attacker, "the player of the attacker")
VICTIM = either(_victim, "the player of the character hit")
#: What happens to a card played on dice.
LAID = ("card-discarded", "villain-card-used", "card-shown", "card-played-on-dice")


@nobody_acts
@declares("roll-initiative", GM, records=("initiative-rolled",))
class RollInitiative:
    """Roll initiative. `faces`, `bonus`: the dice of each character whose dice you enter. Players are asked for the
    others.

    `involved`: the characters who take part in the fight. Leave it out for everybody in the scene.
    """

    faces: DiceOfPeople = field(default_factory=dict)
    bonus: DiceOfPeople = field(default_factory=dict)
    involved: Annotated[
        tuple[CharacterId, ...], Says("Who is involved", "Leave it out for everybody in the scene.")
    ] = ()


@acts("character")
@declares("play-card-on-initiative", owner("character"), records=LAID)
class PlayCardOnInitiative:
    """Add a card's points to your dice of the last initiative roll. The order is worked out again.

    `coming`: whether the points are for the next initiative roll instead. They always are if nobody has rolled
    initiative yet. `whose`: the ally whose dice get the points; leave it out for your own dice. `points`, `element`,
    `suit`, `card_class`: the same as when you play a card on damage, except that there is only one part.
    """

    character: CharacterId
    card: CardName
    points: tuple[CardPoints, ...] = ()
    whose: Annotated[CharacterId | None, Says("Whose dice", "The ally who rolls. Leave it out for your own dice.")] = (
        None
    )
    coming: bool = False
    element: DiceElement | None = None
    suit: CardSuit | None = None
    card_class: CardClass | None = None


@acts("attacker")
@declares("score-hit", either("attacker"), records=("hit-scored", "location-set"))
class ScoreHit:
    """Record that an attack hits. `net`: the number of net successes, at least 1. Leave it out to use the action's
    result against the target.

    `weapon`: a weapon of the campaign. Without one, enter `damage`, `lethality` and `lethal`. A lethal weapon rolls at
    least 6 dice. `location`: the hit location, if the attacker or the game master has chosen it.
    """

    attacker: CharacterId
    target: CharacterId
    weapon: WeaponName | None = None
    net: Annotated[
        HowMany | None, Says("Net", "The number of net successes. Leave it out to use the action's result.")
    ] = None
    action: ActionId | None = None
    part: PartNumber = 0
    damage: Annotated[
        Dice | None, Says("Damage", "The number of damage dice of a weapon that is not in the table.")
    ] = None
    lethality: Annotated[Tn | None, Says("Lethality", "The number that each damage die must reach.")] = None
    lethal: bool = False
    location: LocationName | None = None


@nobody_acts
@declares("set-location", ATTACKER, records=("location-set",))
class SetLocation:
    """Set the hit location. `location`: the location that the attacker or the game master chose.

    Without it, one d10 (`face`) decides. A 10 adds no bonus die here.
    """

    hit: HitId
    location: LocationName | None = None
    face: Annotated[Face | None, Says("Face", "The d10 you rolled. Leave it out to be asked for it.")] = None


@nobody_acts
@declares("roll-damage", ATTACKER, records=("period-dice-used", *LAID, "damage-rolled"))
class RollDamage:
    """Roll damage. `faces`: the damage dice. `raise_faces`: one die for each raise. `bonus`, `raise_bonus`: bonus d10s.

    `cards`: cards played before the roll. If you enter the dice, cards can also add points to the bonus dice.
    `floating`: how many floating dice the attacker adds, by Advantage and period, such as `floating-dice:scene`.
    """

    hit: HitId
    faces: Faces | None = None
    bonus: BonusFaces = ()
    raise_faces: Annotated[Faces, Says("Raises", "One die for each raise.")] = ()
    raise_bonus: Annotated[BonusFaces, Says("Bonus dice of raises")] = ()
    cards: tuple[LaidCard, ...] = ()
    floating: FloatingCounts = field(default_factory=dict)


@acts("character")
@declares("play-card-on-damage", owner("character"), records=LAID)
class PlayCardOnDamage:
    """Add a card's points to the dice of a hit, before or after they are rolled, until the damage is resisted.

    `character`: the owner of the card. `points`: the points for each die. Bonus dice are numbered after base dice.
    `element`: if the hit has no action, the Element that the game master names. Leave it out for Action. `suit`,
    `card_class`: the same as when you play a card on an action.
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
    """Resist the damage of a hit. `ignore`: the dice whose natural 10 removes a point of damage, by number (0 is the
    first).

    `token`: the Primary whose token adds Toughness. `pain`, `fatigue`: how much more pain and fatigue the hit causes,
    as the game master decides. `cards`: the same as for damage. `ask_cards`: whether players are asked for cards after
    the roll. `floating`: how many floating dice the character adds, the same as for damage.
    """

    hit: HitId
    faces: Faces | None = None
    bonus: BonusFaces = ()
    ignore: Annotated[
        tuple[DieNumber, ...],
        Says(
            "Dice that remove a point",
            "The dice whose natural 10 removes a point of damage, by number: 0 is the first.",
        ),
    ] = ()
    token: Annotated[PrimaryName | None, Says("Token", "The Primary whose token adds Toughness.")] = None
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
    """Apply harm in numbers, from a hit or from anything else that you rule causes harm.

    `resistible`, `unresistible`: points of damage that can, or cannot, be resisted. `conversions`, `removals`: how many
    of the resistible points become pain, or are removed. `pain`, `fatigue`: how much pain and fatigue the harm causes
    as well.
    """

    character: CharacterId
    resistible: Natural = 0
    unresistible: Natural = 0
    conversions: Annotated[HowMany, Says("Converted", "Resistible points that become pain.")] = 0
    removals: Annotated[HowMany, Says("Removed", "Resistible points that are removed.")] = 0
    pain: Natural = 0
    fatigue: Natural = 0
    reason: Reason = ""


FightInput: TypeAlias = (
    RollInitiative | PlayCardOnInitiative | ScoreHit | SetLocation | RollDamage | PlayCardOnDamage | ResistDamage
    | ApplyHarm
)  # fmt: skip
