"""The state of each subject: a character, a scene with its actions and hits, the campaign, a seat.

Countable values (chips, beads, tokens, points, cards, period dice) are in the accounts. Facts without anything to
change are in `adrift`. Views and offers hide a field that is marked with `SeenBy`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Annotated, Any, TypeAlias

from ledger.rules.kernel.kit import GM_ONLY, Audience, CharacterId, OneOf, SeenBy, Story, Subject, quick
from ledger.rules.moc.types import (
    AG,
    HEALING,
    LOCATIONS,
    SKILLS,
    WEAPONS,
    ActionId,
    AnyCard,
    AnyColour,
    AnyElement,
    AnyRank,
    CharacteristicName,
    ElementName,
    HitId,
    Location,
    LocationName,
    MovementMode,
    PlayId,
    PlayOrRoll,
    PrimaryName,
    RollKind,
    SessionId,
    Skill,
    SkillName,
    Weapon,
    WeaponName,
)
from ledger.rules.moc.words import MOST_DAMAGE, USES

PlayKind: TypeAlias = Annotated[str, OneOf(("beads", "card", "chip", "fiat"))]


#: The use of a play: the effect of beads, or the roll or purpose for which a card, chip or fiat is played.
PlayUse: TypeAlias = Annotated[
    str, OneOf((*USES, "dice", "damage", "resisting", "initiative", "healing", "story", "trump", "determine", "shift"))
]
CardOrigin: TypeAlias = Annotated[str, OneOf(("", "hand", "villains"))]
PartStage: TypeAlias = Annotated[str, OneOf(("declared", "resolved", "pre-empted"))]
ActionStage: TypeAlias = Annotated[str, OneOf(("open", "closed"))]


@dataclass(frozen=True, slots=True)
class Play:
    """An Effect Modifier (EM) played on a roll or on the story. `kind`: card, beads or chip, or fiat for a game
    master's decision.

    `on`: the play that this play trumps, or the roll (`roll` for an action's, damage, resisting, initiative, healing).
    `points`: (part, die, points) of a card. `rank`: suited, related or off. `origin`: the hand or the villains' pool
    that the card came from. `session`: the session in which it was played. `successes`: the level, if it decides the
    action (`determine`).
    """

    id: PlayId
    by: CharacterId
    kind: PlayKind
    use: PlayUse
    part: int
    number: int = 0
    element: AnyElement = ""
    card: AnyCard = ""
    rank: AnyRank = ""
    colour: AnyColour = ""
    dice: int = 0
    successes: int = 0
    on: PlayOrRoll = ""
    points: tuple[tuple[int, int, int], ...] = ()
    session: SessionId = ""
    returned: bool = False
    fiat: bool = False
    origin: CardOrigin = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """Successes declared on a target, and how many were cancelled. `beads`: how many of the
    successes come from beads.
    """

    target: CharacterId
    number: int
    beads: int = 0
    taken: int = 0


@quick
@dataclass(frozen=True, slots=True)
class Roll:
    """A roll as it was declared: one action, or a sub-pool of a split.

    `tn`: the target number, including the difficulty for an untrained character. `level`: the skill level. `mode`: for
    a movement, the way of moving.
    """

    text: Story
    kind: RollKind
    element: ElementName
    primary: PrimaryName
    tn: int
    required: int
    skill: SkillName = ""
    level: int = 0
    difficulty: int = 0
    trained: bool = True
    opposed: bool = False
    defence: bool = False
    mode: MovementMode = "primary"


@quick
@dataclass(frozen=True, slots=True)
class Part:
    """A roll and its progress. `dice`: its share of a split pool. `extra`: dice that belong to this part alone.
    `beads`: how many of the dice came from beads.

    `spent`: rolled successes used so far. `spent_beads`: successes from beads used so far. `white`: the character whose
    white chip makes the part a Success. `bits`: how many Bits were used on the part.
    """

    roll: Roll
    dice: int = 0
    extra: int = 0
    rolled: bool = False
    faces: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()
    beads: int = 0
    claims: tuple[Claim, ...] = ()
    spent: int = 0
    spent_beads: int = 0
    white: CharacterId = ""
    stage: PartStage = "declared"
    outcome: int | None = None
    net: int = 0
    bits: int = 0


@quick
@dataclass(frozen=True, slots=True)
class Action:
    """An action. `dice`: bonus dice of the whole pool. `activated` maps each activated characteristic to the Primary
    whose token was spent.

    `tired`: fatigue from its own tokens, which does not lower its own pool. `at_once`: whether its dice are rolled at
    once. `weapon`: the weapon of its attack, if it was named. `defender`: the character it attacks, if one was named.
    """

    id: ActionId
    character: CharacterId
    text: Story
    split: bool
    penalty: int
    parts: tuple[Part, ...]
    dice: int = 0
    activated: Mapping[CharacteristicName, PrimaryName] = field(default_factory=dict)
    tired: int = 0
    plays: tuple[Play, ...] = ()
    stage: ActionStage = "open"
    villains: bool = False
    at_once: bool = False
    weapon: WeaponName = ""
    defender: CharacterId = ""


#: Fields of a part that only the part's audience (`find_audience`) sees.
SECRET_OF_PARTS = ("faces", "bonus")


def find_audience(action: Action, part_index: int) -> Audience:
    """Return the audience of a part's dice. For an opposed roll, these are its player and the game masters, until it is
    resolved.
    """
    part = action.parts[part_index]
    return ("gm", f"character:{action.character}") if part.roll.opposed and part.stage == "declared" else None


HitStage: TypeAlias = Annotated[str, OneOf(("scored", "rolled", "applied"))]


@quick
@dataclass(frozen=True, slots=True)
class Harm:
    """The last hit, and the body before it. The hit is undone if a play on the resisting dice is trumped later.

    `lost`: tokens lost to the hit.
    """

    hit: str
    damage: int
    pain: int
    pain_turn: int
    status: str
    dazed: bool
    recovering: bool
    healing_days: int = 0
    lost: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Healing:
    """The last attempt to heal: its dice, the `plays` on them and the damage before it. `id`: its ruling."""

    id: str
    damage: int
    period: int
    tn: int
    faces: tuple[int, ...]
    bonus: tuple[int, ...]
    plays: tuple[Play, ...] = ()
    healed: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """A hit and the progress of its damage. `resistible`, `unresistible`: points of its damage, after the roll.

    `element`: the Element of the `action` (or its sub-pool, `part`) that hit; empty if the hit was entered by its
    numbers.
    """

    id: HitId
    attacker: CharacterId
    target: CharacterId
    net: int
    chooses: bool
    dice: int
    raises: int
    sides: int
    lethality: int
    severity: int = 0
    location: LocationName = ""
    flat: int = 0
    resistible: int = 0
    unresistible: int = 0
    stage: HitStage = "scored"
    element: AnyElement = ""
    action: ActionId = ""
    part: int = 0


@dataclass(frozen=True, slots=True)
class Resisting:
    """The dice that resisted a hit. `ignored`: dice that removed a point. `pain`: direct pain of the hit."""

    tn: int
    faces: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()
    ignored: tuple[int, ...] = ()
    pain: int = 0


@dataclass(frozen=True, slots=True)
class Damage:
    """The dice of a hit, which decide its points. `plays`: the plays on them and on the resisting dice."""

    threshold: int = 0
    faces: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()
    raise_faces: tuple[int, ...] = ()
    raise_bonus: tuple[int, ...] = ()
    plays: tuple[Play, ...] = ()
    resisting: Resisting | None = None


@dataclass(frozen=True, slots=True)
class Initiative:
    """The last initiative roll, which gives the order: dice and the cards on them, by character.

    `waiting`: plays on the next initiative roll. `dice`: further dice for it.
    """

    tn: int = 0
    faces: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    bonus: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    plays: Mapping[str, tuple[Play, ...]] = field(default_factory=dict)
    waiting: Mapping[str, tuple[Play, ...]] = field(default_factory=dict)
    dice: Mapping[str, int] = field(default_factory=dict)


NOT_ROLLED = Initiative()


@dataclass(frozen=True, slots=True)
class Trait:
    """A negotiated purchase. `cost`: a fraction as text. `allows`: a declaration that only its owner can make.

    `does`, `number`, `of`: its numerical effect.
    """

    what: str
    name: str
    effect: str
    cost: str
    stage: str = "proposed"
    offers: int = 1
    allows: str = ""
    does: str = ""
    number: int = 0
    of: str = ""


def _find_hand_readers(_: Subject, state: Any) -> Audience:
    seen_by: Audience = state.seen_by
    return seen_by


def _find_pool_readers(*_: object) -> Audience:
    return GM_ONLY


def _find_deck_readers(*_: object) -> Audience:
    return ()


def _find_vote_readers(seat: Subject, _: object) -> Audience:
    return ("gm", seat.id)


@dataclass(frozen=True, slots=True)
class Character:
    """A character. `earned`: points from blue chips. `drawn`: the session in which the hand was drawn; `seen_by`: the
    seats that see the hand.

    `due`: steps of recovery that can be taken. `fell`: the session in which the character died, retired or was
    sacrificed. `half_defence`: whether the character defends with half the dice until the turn ends. `healing_days`:
    days since the last damage that healing rolls have used. `acted_halves`: halves of an action spent in `acted_turn`
    of `acted_scene`, the latest turn that counts.

    `counts`: the number or level of each Advantage, Background and Superhuman characteristic. `used`: how much of each
    was used, with the period after which it comes back (`vortex:session`). `related`: the related skills of each
    Advantage that has some. `pools`: this scene's allocated beads; `gained`: later beads; `asked`: whether the beads
    were allocated by default, which can be changed until the first bead is used. `dodge`: by how much a fumbled move
    lowers the successes that the character cancels. `laid`: cards on the current healing roll. `left`: chips for the
    player's next character; `heir_of`: the character whose chips this one inherited.
    """

    archetype: str = ""
    villain: bool = False
    primaries: tuple[str, ...] = ()
    secondaries: tuple[str, ...] = ()
    ratings: Mapping[str, int] = field(default_factory=dict)
    skills: Mapping[str, int] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    elements: Mapping[str, str] = field(default_factory=dict)
    traits: Mapping[str, Trait] = field(default_factory=dict)
    budget: int = 0
    earned: int = 0
    hand: Annotated[tuple[str, ...], SeenBy(_find_hand_readers)] = ()
    seen_by: tuple[str, ...] = ()
    drawn: str | None = None
    allocated: bool = False
    pools: Mapping[str, int] = field(default_factory=dict)
    gained: Mapping[str, int] = field(default_factory=dict)
    asked: bool = False
    related: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    damage: int = 0
    pain: int = 0
    pain_turn: int = 0
    fatigue: int = 0
    dazed: bool = False
    recovering: bool = False
    due: int = 0
    acted_scene: str = ""
    acted_turn: int = 0
    acted_halves: int = 0
    used: Mapping[str, int] = field(default_factory=dict)
    status: str = "active"
    fell: str = ""
    dodge: int = 0
    half_defence: bool = False
    harm: Harm | None = None
    laid: tuple[Play, ...] = ()
    healing: Healing | None = None
    healing_days: int = 0
    left: Mapping[str, int] = field(default_factory=dict)
    heir_of: tuple[str, ...] = ()
    adrift: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class StoryPart:
    """Part of the story. `plays`: the beads or the card that changed the story, and the plays on them; none for
    narration, for which `character` can be empty. `seat`: the seat that narrated.
    """

    character: str
    beads: int
    text: str
    scope: str
    vetoed: bool = False
    plays: tuple[Play, ...] = ()
    seat: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene. `order`: the groups of characters, in the order in which they act. `pool`: the villains' cards.
    `damage`: the dice of hits.

    `actions`: the latest actions, at most `SHELF`; `older`: full shelves of earlier actions, so that applying a fact
    copies one shelf and not every action of a long scene (`find_action`, `list_actions`). `answered`: the claims on
    unresolved parts, by action, part and place, for which the target has already answered how many successes are
    cancelled, if any. `arts`: the area of Martial Arts of each action whose attacks use one.
    """

    phase: str = ""
    cast: tuple[str, ...] = ()
    turn: int = 1
    order: tuple[tuple[str, ...], ...] = ()
    pool: Annotated[tuple[str, ...], SeenBy(_find_pool_readers)] = ()
    actions: Mapping[str, Action] = field(default_factory=dict)
    hits: Mapping[str, Hit] = field(default_factory=dict)
    story: Mapping[str, StoryPart] = field(default_factory=dict)
    damage: Mapping[str, Damage] = field(default_factory=dict)
    initiative: Initiative = NOT_ROLLED
    older: tuple[Mapping[str, Action], ...] = ()
    answered: tuple[tuple[str, int, int], ...] = ()
    arts: Mapping[str, str] = field(default_factory=dict)
    adrift: tuple[object, ...] = ()


def find_action(scene: Scene, action_id: str) -> Action | None:
    action = scene.actions.get(action_id)
    if action is None and scene.older:
        return next((shelf[action_id] for shelf in reversed(scene.older) if action_id in shelf), None)
    return action


def list_actions(scene: Scene) -> Iterator[Action]:
    """Return all actions in the order of their declaration."""
    return chain(*(shelf.values() for shelf in scene.older), scene.actions.values())


@dataclass(frozen=True, slots=True)
class Campaign:
    """The campaign. `phase`: interval or running.

    `arc`: the open arc; `arc_ended`: whether an arc has ended and none is open. `out`: cards drawn in this session,
    which no seat sees. `shown`: cards that everybody has seen. `dealt`: whether the ledger dealt any cards. `tallied`:
    the session whose nominations were counted. `story`: the story told between scenes.
    """

    phase: str = "interval"
    scenes: int = 0
    arc: str | None = None
    arc_name: str = ""
    arc_ended: bool = False
    last_session: str | None = None
    out: Annotated[tuple[str, ...], SeenBy(_find_deck_readers)] = ()
    shown: tuple[str, ...] = ()
    dealt: bool = False
    tallied: str | None = None
    skills: Mapping[str, Skill] = field(default_factory=lambda: SKILLS)
    weapons: Mapping[str, Weapon] = field(default_factory=lambda: WEAPONS)
    locations: Mapping[str, Location] = field(default_factory=lambda: LOCATIONS)
    healing: Mapping[str, int] = field(default_factory=lambda: HEALING)
    ag: Mapping[str, int] = field(default_factory=lambda: AG)
    uses: Mapping[str, str] = field(default_factory=dict)
    story: Mapping[str, StoryPart] = field(default_factory=dict)
    adrift: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat. `named`: the characters nominated in the session `session`. Both are secret."""

    session: Annotated[str | None, SeenBy(_find_vote_readers)] = None
    named: Annotated[tuple[str, ...], SeenBy(_find_vote_readers)] = ()
    adrift: tuple[object, ...] = ()


State: TypeAlias = Character | Scene | Campaign | Seat


def compute_active_value(rating: int, damage: int, pain_this_turn: int, fatigue: int) -> int:
    return max(0, min(rating, max(0, MOST_DAMAGE - damage - pain_this_turn)) - fatigue)


def find_pain_capacity(ratings: Mapping[str, int]) -> int:
    return 2 * ratings["body"] + ratings["T"] + ratings["L"]


def find_daze_limit(ratings: Mapping[str, int]) -> int:
    return ratings["body"] + ratings["T"]
