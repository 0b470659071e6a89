"""What is true now of each subject. Facts that found no ground are kept in `adrift`.

What is countable (chips, beads, tokens, points, cards, period dice) is not here but in the accounts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TypeAlias

from ledger.rules.moc.state_of_actions import Action, Play
from ledger.rules.moc.state_of_combat import NOT_ROLLED, Damage, Harm, Healing, Hit, Initiative
from ledger.rules.moc.tables import AG, HEALING, LOCATIONS, SKILLS, WEAPONS, Location, Skill, Weapon


@dataclass(frozen=True, slots=True)
class Trait:
    """A negotiated purchase: as proposed, as countered, as approved. `cost`: a fraction as text. `allows`: an input
    that only who has such a one may declare. `does`, `number`, `of`: what it does by numbers.
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


@dataclass(frozen=True, slots=True)
class Character:
    """`earned`: points from blue chips. `drawn`: the session its hand was drawn in; `seen_by`: who sees
    the hand. `due`: recovery steps at hand. `fell`: the session it died, retired or was given up in.

    `half_defence`: it defends with half the dice until the turn is over.

    `healing_days`: days since the last damage that tries to heal have used up.

    `acted_halves`: halves of an action spent in `acted_turn` of `acted_scene`, the last turn that counts.

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
    scene copies one shelf and not all actions there ever were (`action_in`, `actions_in`). `answered`: the claims of
    parts that are not resolved, by action, part and place, on which the resister revealed how many, be it none.

    `arts`: of each action whose attacks are made in an area of Martial Arts, the area.
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
    initiative: Initiative = NOT_ROLLED
    older: tuple[Mapping[str, Action], ...] = ()
    answered: tuple[tuple[str, int, int], ...] = ()
    arts: Mapping[str, str] = field(default_factory=dict)
    adrift: tuple[object, ...] = ()


def action_in(scene: Scene, id: str) -> Action | None:
    found = scene.actions.get(id)
    if found is None and scene.older:
        return next((shelf[id] for shelf in reversed(scene.older) if id in shelf), None)
    return found


def actions_in(scene: Scene) -> Iterator[Action]:
    """All of them, in the order in which they were declared."""
    return chain(*(shelf.values() for shelf in scene.older), scene.actions.values())


@dataclass(frozen=True, slots=True)
class Campaign:
    """`phase`: interval or running. `arc`: the open one; `arc_ended`: none is open, and one was.

    `out`: cards drawn in this session, which nobody sees. `shown`: those that everybody has seen. `dealt`: by the
    ledger, some of them. `tallied`: sessions whose nominations were counted. `story`: told between scenes.
    """

    phase: str = "interval"
    scenes: int = 0
    arc: str | None = None
    arc_name: str = ""
    arc_ended: bool = False
    last_session: str | None = None
    out: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
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
