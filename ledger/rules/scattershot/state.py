"""What is true now of each subject. What is countable (dice, points, Resources, Actions, Advantages) is in purses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, assert_never

from ledger.rules.kernel.frozen import quick
from ledger.rules.scattershot.facts_of_characters import EffectIndexed, ResidualPlaced
from ledger.rules.scattershot.facts_of_deeds import Juncture
from ledger.rules.scattershot.facts_of_play import AbilityListed, AbilityUseListed, AdvantageListed
from ledger.rules.scattershot.sheet import Advantage, Protection, Rated
from ledger.rules.scattershot.terms import (
    AllOutMode,
    CharacterKind,
    DieKind,
    ExpectationKind,
    FlurryEnd,
    Mode,
    Phase,
    SheetPart,
    Stance,
)

#: Facts that found nothing they could change.
Adrift: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Character:
    """`kind`: None until it is created. `pending`: penalties waiting for a lull; `penalty`: those in effect."""

    kind: CharacterKind | None = None
    ratings: Mapping[str, Rated] = field(default_factory=dict)
    advantages: tuple[Advantage, ...] = ()
    disadvantages: tuple[Advantage, ...] = ()
    elements: tuple[str, ...] = ()
    description: str = ""
    protection: tuple[Protection, ...] = ()
    #: How much each Special Ability does; the damages listed, by what the weapon adds.
    effects: Mapping[str, EffectIndexed] = field(default_factory=dict)
    damages: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    #: Resources with their maxima.
    resources: Mapping[str, int] = field(default_factory=dict)
    #: What is left of them, as its account says; and why it fights on without any.
    hit_points: int = 0
    fights_on: str | None = None
    residuals: tuple[ResidualPlaced, ...] = ()
    pending: int = 0
    penalty: int = 0
    off_guard: tuple[str, ...] = ()
    off_guard_but: str | None = None
    wounds: tuple[str, ...] = ()
    net: int = 0
    deviations: tuple[str, ...] = ()
    adrift: Adrift = ()

    @property
    def is_out(self) -> bool:
        """`stat.hit-points`: no fight left."""
        return self.kind is not None and self.hit_points <= 0 and self.fights_on is None


def entries(who: Character, trait: SheetPart) -> tuple[str, ...]:
    """Return the names of the entries of this kind on the Persona Sheet."""
    match trait:
        case "advantage":
            return tuple(one.name for one in who.advantages)
        case "disadvantage":
            return tuple(one.name for one in who.disadvantages)
        case "element":
            return who.elements
        case "protection":
            return tuple(piece.name for piece in who.protection)
        case "wound":
            return who.wounds
        case _:
            assert_never(trait)


@quick
@dataclass(frozen=True, slots=True)
class Side:
    """One roll of a resolution: the Actor's, or a Resistor's who opposes. Its MIB: `reckoning`.

    `nature`: of the Resistor's Action; the Actor's stands in the `Deed`.
    """

    player: str
    rating: int
    modifier: int = 0
    dice: tuple[int, ...] = ()
    replaced: bool = False
    experience: int = 0
    dice_rolled: int = 0
    challenges: int = 0
    benefits: int = 0
    nature: str = "other"


@dataclass(frozen=True, slots=True)
class Die:
    """On the table. `final`: the account it goes to when the totals are called."""

    id: str
    by: str
    kind: DieKind
    face: int
    borrower: str | None
    final: str


@dataclass(frozen=True, slots=True)
class Reached:
    """The outcome, against one Resistor or (None) unopposed."""

    resistor: str | None
    adjusted: int
    remaining: int
    auto_benefits: int
    resistor_number: int | None
    resistor_auto_benefits: int


@dataclass(frozen=True, slots=True)
class Deed:
    """What was declared. `actor`: a Character; None for a plot device, whose `target` is a seat."""

    actor: str | None
    player: str
    subject: str | None
    magnitude: str = "strength"
    nature: str = "other"
    target: str | None = None
    flurry: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class Reaction:
    """Of who is Off-Guard: open to dice until it is answered, or the Opportunity Phase closes."""

    player: str
    mib: int
    answered: bool = False


@quick
@dataclass(frozen=True, slots=True)
class Resolution:
    """`reactions`: by Character. `situation`: by side, what its roll suffers by itself. `freebies`: by Advantage or
    Expectation."""

    deed: Deed
    phase: Phase
    engaged: Mapping[str, Stance] = field(default_factory=dict)
    sides: Mapping[str, Side] = field(default_factory=dict)
    reactions: Mapping[str, Reaction] = field(default_factory=dict)
    situation: Mapping[str, int] = field(default_factory=dict)
    dice: tuple[Die, ...] = ()
    freebies: tuple[str, ...] = ()
    reached: tuple[Reached, ...] = ()
    junctures: tuple[Juncture, ...] = ()

    @property
    def actor(self) -> str | None:
        return self.deed.actor

    @property
    def player(self) -> str:
        return self.deed.player

    @property
    def subject(self) -> str | None:
        return self.deed.subject

    @property
    def target(self) -> str | None:
        return self.deed.target


@dataclass(frozen=True, slots=True)
class Standing:
    """A Persona in Mechanical Play: what it did this Round, what it owes its next Turn."""

    forfeited: int = 0
    free: tuple[str, ...] = ()
    refreshed: bool = False
    taken: bool = False
    all_out: AllOutMode | None = None
    foe: str | None = None


@dataclass(frozen=True, slots=True)
class Flurry:
    persona: str
    foe: str
    script: tuple[str, ...]
    limit: int
    steps: int = 0
    #: How many Actions and answers were declared since the last step was counted: none, while it is to be played out.
    #: What the foe defends with is none of them.
    deeds: int = 0
    ended: FlurryEnd | None = None

    @property
    def is_announced(self) -> bool:
        """Whether the step that was counted last is still to be played out."""
        return self.steps > 0 and self.deeds == 0

    @property
    def is_last_due(self) -> bool:
        """Whether the last step there may be is announced, and still to be played out."""
        return self.ended is None and self.is_announced and self.steps >= self.limit

    @property
    def flows(self) -> bool:
        """It goes on, or the last step that was counted is still to be played out."""
        return self.ended is None or (self.ended == "limit" and self.deeds == 0)


@dataclass(frozen=True, slots=True)
class Fight:
    """Mechanical Play. `turn`: the Persona whose Turn is open. `away`: who left it, with what still counts for them."""

    caller: str
    order: tuple[str, ...]
    scope: str
    melee: bool
    standing: Mapping[str, Standing]
    round: int = 1
    turn: str | None = None
    flurry: Flurry | None = None
    away: Mapping[str, Standing] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scene:
    """`resolutions`: those not closed. `fights`: Mechanical Play, by the Scope it is played in."""

    mode: Mode = "specific"
    speaker: str | None = None
    resolutions: Mapping[str, Resolution] = field(default_factory=dict)
    fights: Mapping[str, Fight] = field(default_factory=dict)
    adrift: Adrift = ()

    @property
    def fight(self) -> Fight | None:
        """The first of them: mostly there is no other."""
        return next(iter(self.fights.values()), None)

    def scope_of(self, id: str) -> str | None:
        """The Scope in whose Mechanical Play a Character stands."""
        return next((scope for scope, fight in self.fights.items() if id in fight.standing), None)


@dataclass(frozen=True, slots=True)
class Expectation:
    kind: ExpectationKind
    value: int
    scope: str


@dataclass(frozen=True, slots=True)
class Element:
    """`consents`: of each proposed change: asked, explicit, tacit, refused."""

    proprietor: str | None = None
    consents: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Campaign:
    """`present`: who is in the Session of that id. `elements`: in boxes, so that no fact copies all of them."""

    begun: bool = False
    cj: int = 0
    ei: int = 0
    expectations: Mapping[str, Expectation] = field(default_factory=dict)
    #: Listings, by name.
    abilities: Mapping[str, AbilityListed] = field(default_factory=dict)
    uses: Mapping[str, AbilityUseListed] = field(default_factory=dict)
    advantages: Mapping[str, AdvantageListed] = field(default_factory=dict)
    #: Free Skills with the levels they start at; what the Group accepted as Free Actions.
    free_skills: Mapping[str, int] = field(default_factory=dict)
    free_actions: tuple[str, ...] = ()
    #: What listed weapons add to an RMIB; what the Group agreed on, by subject.
    weapons: Mapping[str, int] = field(default_factory=dict)
    agreements: Mapping[str, str] = field(default_factory=dict)
    clockwise: tuple[str, ...] = ()
    present: tuple[str, ...] = ()
    present_in: str | None = None
    elements: Mapping[str, Mapping[str, Element]] = field(default_factory=dict)
    adrift: Adrift = ()


@dataclass(frozen=True, slots=True)
class Seat:
    """`limit`: on the starting points of its new Personae; `words`: other limits on them."""

    limit: int | None = None
    words: tuple[str, ...] = ()
    adrift: Adrift = ()


State: TypeAlias = Character | Scene | Campaign | Seat
BOXES = 64


def box_of(element: str) -> str:
    """The box an element is kept in: the same in every process."""
    return str(int.from_bytes(element.encode("utf-8", "surrogatepass"), "big") % 8191 % BOXES)


def element_of(campaign: Campaign, element: str) -> Element | None:
    box = campaign.elements.get(box_of(element))
    return box.get(element) if box is not None else None
