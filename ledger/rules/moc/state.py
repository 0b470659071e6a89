"""What is true now of each subject. Facts that found no ground are kept in `adrift`.

What is countable (chips, beads, tokens, points, cards, period dice) is not here but in the accounts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TypeAlias

from ledger.rules.kernel.subjects import Audience
from ledger.rules.moc.tables import AG, HEALING, LOCATIONS, SKILLS, WEAPONS, Location, Skill, Weapon


@dataclass(frozen=True, slots=True)
class Trait:
    """A negotiated purchase: as proposed, as countered, as approved. `cost`: a fraction as text. `allows`: an input
    that only who has such a one may declare.
    """

    what: str
    name: str
    effect: str
    cost: str
    stage: str = "proposed"
    offers: int = 1
    allows: str = ""


@dataclass(frozen=True, slots=True)
class Play:
    """An EM on something that is told or rolled. `kind`: card, beads, chip; or fiat, the game master's own.

    `on`: the play it trumps, or the roll (`roll` an action's, damage, resisting, initiative, healing). `points`: (part,
    die, points) of a card. `rank`: suited, related or off; `origin`: the hand or the villains' pool a card came from;
    `session`: when. `successes`: of one that decides the action (`determine`) the level.
    """

    id: str
    by: str
    kind: str
    use: str
    part: int
    number: int = 0
    element: str = ""
    card: str = ""
    rank: str = ""
    colour: str = ""
    dice: int = 0
    successes: int = 0
    on: str = ""
    points: tuple[tuple[int, int, int], ...] = ()
    session: str = ""
    returned: bool = False
    fiat: bool = False
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Harm:
    """The last hit, and the body before it: what is undone where a play on its resisting is trumped afterwards.

    `lost`: tokens it took.
    """

    hit: str
    damage: int
    pain: int
    pain_turn: int
    status: str
    dazed: bool
    recovering: bool
    lost: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Healing:
    """The last try to heal: its dice, what lies on them (`plays`) and the damage before it. `id`: of its ruling."""

    id: str
    damage: int
    period: int
    tn: int
    faces: tuple[int, ...]
    bonus: tuple[int, ...]
    plays: tuple[Play, ...] = ()
    healed: bool = False


@dataclass(frozen=True, slots=True)
class Character:
    """`earned`: points from blue chips. `drawn`: the session its hand was drawn in; `seen_by`: who sees
    the hand. `due`: recovery steps at hand. `fell`: the session it died, retired or was given up in.

    `counts`: how many (or which level) of each advantage, background, superhuman characteristic. `used`: what was used
    of it, with the period in which that comes back (`vortex:session`). `related`: the skills an advantage is for.
    `pools`: this scene's beads as they were allocated, `gained`: those that came since; `asked`: it allocated nothing,
    had all in the primary Element, and may change that until the first bead is used. `dodge`: by how much a fumbled
    move lowers what it takes off. `laid`: cards on the healing that is rolled just now. `left`:
    chips it left behind, for the player's next character; `heir_of`: whose chips it has.
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
    hand: tuple[str, ...] = ()
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
    used: Mapping[str, int] = field(default_factory=dict)
    status: str = "active"
    fell: str = ""
    dodge: int = 0
    harm: Harm | None = None
    laid: tuple[Play, ...] = ()
    healing: Healing | None = None
    left: Mapping[str, int] = field(default_factory=dict)
    heir_of: tuple[str, ...] = ()
    adrift: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """Successes declared on a target, and how many were taken off. `beads`: those of the number that are not rolled."""

    target: str
    number: int
    beads: int = 0
    taken: int = 0


@dataclass(frozen=True, slots=True)
class Roll:
    """What was said of a roll when it was declared: one action, or a sub-pool of a split.

    `tn`: with the difficulty of who is untrained. `level`: of the skill.
    """

    text: str
    kind: str
    element: str
    primary: str
    tn: int
    required: int
    skill: str = ""
    level: int = 0
    difficulty: int = 0
    trained: bool = True
    opposed: bool = False
    defence: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A roll and how far it has come. `dice`: its share of a split pool; `extra`: dice that are its own in any case;
    `beads`: those of the dice rolled that came from beads.

    `spent`: rolled successes used so far, `spent_beads`: those of beads. `white`: whose white chip makes it a Success.
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
    white: str = ""
    stage: str = "declared"
    outcome: int | None = None
    net: int = 0


@dataclass(frozen=True, slots=True)
class Action:
    """`dice`: bonus dice of the whole pool. `activated`: characteristic -> Primary whose token was spent.

    `tired`: fatigue its own tokens brought, which does not lower its own pool.
    """

    id: str
    character: str
    text: str
    split: bool
    penalty: int
    parts: tuple[Part, ...]
    dice: int = 0
    activated: Mapping[str, str] = field(default_factory=dict)
    tired: int = 0
    plays: tuple[Play, ...] = ()
    stage: str = "open"
    villains: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """A hit, as far as its damage has come. `resistible`, `unresistible`: its points, counted once they are rolled.

    `element`: of the action (or sub-pool) that hit; empty where it was given by its numbers.
    """

    id: str
    attacker: str
    target: str
    net: int
    chooses: bool
    dice: int
    raises: int
    sides: int
    lethality: int
    severity: int = 0
    location: str = ""
    flat: int = 0
    resistible: int = 0
    unresistible: int = 0
    stage: str = "scored"
    element: str = ""


@dataclass(frozen=True, slots=True)
class Resisting:
    """The dice that resisted a hit. `ignored`: those that removed a point; `pain`: direct pain of the hit."""

    tn: int
    faces: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()
    ignored: tuple[int, ...] = ()
    pain: int = 0


@dataclass(frozen=True, slots=True)
class Damage:
    """The dice of a hit, from which its points are counted. `plays`: what lies on them, and on those that resist it."""

    threshold: int = 0
    faces: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()
    raise_faces: tuple[int, ...] = ()
    raise_bonus: tuple[int, ...] = ()
    plays: tuple[Play, ...] = ()
    resisting: Resisting | None = None


@dataclass(frozen=True, slots=True)
class Initiative:
    """The initiative last rolled, from which the order is counted: dice and the cards on them by character.

    `waiting`: what lies on the initiative to come, `dice`: further dice for it.
    """

    tn: int = 0
    faces: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    bonus: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    plays: Mapping[str, tuple[Play, ...]] = field(default_factory=dict)
    waiting: Mapping[str, tuple[Play, ...]] = field(default_factory=dict)
    dice: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Story:
    """What somebody told. `plays`: the beads or the card that changed the story, and what lies on those; none for what
    was only narrated, for which `character` may be empty. `seat`: who narrated.
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
    """`order`: who acts in which group. `pool`: the villains' cards. `damage`: the dice of hits.

    `actions`: the latest, at most a shelf full; `older`: full shelves, as they were filled, so that a fact of a long
    scene copies one shelf and not all actions there ever were (`action_in`, `actions_in`).
    """

    phase: str = ""
    cast: tuple[str, ...] = ()
    turn: int = 1
    order: tuple[tuple[str, ...], ...] = ()
    pool: tuple[str, ...] = ()
    actions: Mapping[str, Action] = field(default_factory=dict)
    hits: Mapping[str, Hit] = field(default_factory=dict)
    story: Mapping[str, Story] = field(default_factory=dict)
    damage: Mapping[str, Damage] = field(default_factory=dict)
    initiative: Initiative = Initiative()
    older: tuple[Mapping[str, Action], ...] = ()
    adrift: tuple[object, ...] = ()


def action_in(scene: Scene, id: str) -> Action | None:
    found = scene.actions.get(id)
    if found is None and scene.older:
        return next((shelf[id] for shelf in reversed(scene.older) if id in shelf), None)
    return found


def hidden(action: Action, place: int) -> Audience:
    """`moc.opposed.net`: who sees a part's dice: of an opposed roll who rolls and the game master, until it is told."""
    part = action.parts[place]
    return ("gm", f"character:{action.character}") if part.roll.opposed and part.stage == "declared" else None


def actions_in(scene: Scene) -> Iterator[Action]:
    """All of them, in the order in which they were declared."""
    return chain(*(shelf.values() for shelf in scene.older), scene.actions.values())


@dataclass(frozen=True, slots=True)
class Campaign:
    """`phase`: interval or running. `arc`: the open one; `arc_ended`: none is open, and one was.

    `out`: cards drawn in this session, which nobody sees. `dealt`: by the ledger, some of them.
    `tallied`: sessions whose nominations were counted. `story`: told between scenes.
    """

    phase: str = "interval"
    scenes: int = 0
    arc: str | None = None
    arc_name: str = ""
    arc_ended: bool = False
    last_session: str | None = None
    out: tuple[str, ...] = ()
    dealt: bool = False
    tallied: str | None = None
    skills: Mapping[str, Skill] = field(default_factory=lambda: SKILLS)
    weapons: Mapping[str, Weapon] = field(default_factory=lambda: WEAPONS)
    locations: Mapping[str, Location] = field(default_factory=lambda: LOCATIONS)
    healing: Mapping[str, int] = field(default_factory=lambda: HEALING)
    ag: Mapping[str, int] = field(default_factory=lambda: AG)
    uses: Mapping[str, str] = field(default_factory=dict)
    story: Mapping[str, Story] = field(default_factory=dict)
    adrift: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class Seat:
    """`named`: characters nominated, in the session `session`: secret."""

    session: str | None = None
    named: tuple[str, ...] = ()
    adrift: tuple[object, ...] = ()


State: TypeAlias = Character | Scene | Campaign | Seat
