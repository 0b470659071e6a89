"""What can become true of the campaign, its seats and its characters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.moc.tables import Location, Skill, Weapon

# --- about the campaign ---


@fact("table-row-set")
class TableRowSet:
    """`table`: skills, weapons, locations, healing, ag or uses. Only the value of that table is given."""

    table: str
    row: str
    skill: Skill | None = None
    weapon: Weapon | None = None
    location: Location | None = None
    number: int = 0
    text: str = ""


@fact("arc-opened")
class ArcOpened:
    arc: str
    name: str
    xp: int


@fact("purse-enlarged")
class PurseEnlarged:
    arc: str
    xp: int
    reason: str


@fact("arc-ended")
class ArcEnded:
    arc: str


@fact("play-begun")
class PlayBegun:
    """A session begins: the deck is whole and shuffled."""

    session: str


@fact("session-ended")
class SessionEnded:
    session: str


@fact("interval-opened")
class IntervalOpened:
    """The time between two scenes begins."""

    after: str


@fact("interval-ended")
class IntervalEnded:
    """A scene begins."""

    scene: str


@fact("deck-cut")
class DeckCut:
    """These cards left the deck. Nobody sees it. `by_ledger`: it dealt them."""

    cards: tuple[str, ...]
    by_ledger: bool = False


@fact("deck-counted")
class DeckCounted:
    """Once the session is over: cards that were typed in twice, so that somebody mistyped. None, as a rule."""

    twice: tuple[str, ...] = ()


@fact("nominations-tallied")
class NominationsTallied:
    session: str
    winners: tuple[str, ...]


# --- about a seat ---


@fact("nomination-made")
class NominationMade:
    """Secret: who nominates whom in which session."""

    nominee: str
    session: str


# --- about a character: what it is ---


@fact("character-created")
class CharacterCreated:
    """`budget`: points to begin with. Primaries and secondaries are its archetype's Elements."""

    archetype: str
    villain: bool
    primaries: tuple[str, ...]
    secondaries: tuple[str, ...]
    budget: int


@fact("level-bought")
class LevelBought:
    """`cost`: a fraction as text. `from`, `to`: the level or number. `element`: of a superhuman bead, a new Element.

    `skills`: those a Weapons Master's dice are for.
    """

    what: str
    name: str
    from_: int
    to: int
    cost: str
    element: str = ""
    instead: str = ""
    skills: tuple[str, ...] = ()


@fact("trait-proposed")
class TraitProposed:
    trait: str
    what: str
    name: str
    effect: str
    cost: str
    allows: str = ""


@fact("trait-countered")
class TraitCountered:
    trait: str
    effect: str
    cost: str


@fact("trait-approved")
class TraitApproved:
    trait: str
    cost: str


@fact("background-lost")
class BackgroundLost:
    what: str
    reason: str


@fact("character-sacrificed")
class CharacterSacrificed:
    """`session`: in which, or after which."""

    reason: str
    session: str = ""


@fact("chips-returned")
class ChipsReturned:
    """The chips of who died or retired lie in the bank until the player's next character gets them."""

    reason: str
    chips: Mapping[str, int]


@fact("chips-inherited")
class ChipsInherited:
    source: str
    bonus: Mapping[str, int]


@fact("chips-passed-on")
class ChipsPassedOn:
    """What was left behind is the `heir`'s."""

    heir: str


@fact("character-downed")
class CharacterDowned:
    pass


@fact("status-set")
class StatusSet:
    """`session`: in which, or after which."""

    status: str
    reason: str
    session: str = ""


# --- cards, chips, beads ---


@fact("cards-drawn")
class CardsDrawn:
    """Secret. `seen_by`: who may see the hand."""

    session: str
    cards: tuple[str, ...]
    seen_by: tuple[str, ...]


@fact("cards-kept")
class CardsKept:
    """Secret: the rest is thrown away unseen."""

    cards: tuple[str, ...]


@fact("hand-discarded")
class HandDiscarded:
    cards: tuple[str, ...]


@fact("card-discarded")
class CardDiscarded:
    card: str


@fact("card-exchanged-for-beads")
class CardExchangedForBeads:
    card: str
    element: str
    beads: int


@fact("card-shifted-beads")
class CardShiftedBeads:
    card: str
    source: str
    target: str
    beads: int


@fact("villains-drew")
class VillainsDrew:
    """About the scene, for game masters only."""

    cards: tuple[str, ...]


@fact("villain-card-used")
class VillainCardUsed:
    card: str


@fact("chips-traded-up")
class ChipsTradedUp:
    given: Mapping[str, int]
    taken: str


@fact("chips-traded-down")
class ChipsTradedDown:
    given: str
    taken: Mapping[str, int]


@fact("chips-given-back")
class ChipsGivenBack:
    given: Mapping[str, int]


@fact("chip-spent-on-cards")
class ChipSpentOnCards:
    chip: str
    cards: int


@fact("chip-exchanged-for-cards")
class ChipExchangedForCards:
    """Secret: which cards. `seen_by`: who may see the hand."""

    cards: tuple[str, ...]
    seen_by: tuple[str, ...]


@fact("chip-exchanged-for-beads")
class ChipExchangedForBeads:
    chip: str
    beads: Mapping[str, int]


@fact("chip-became-point")
class ChipBecamePoint:
    pass


@fact("chip-awarded")
class ChipAwarded:
    chips: Mapping[str, int]
    reason: str
    value: int


@fact("chips-penalised")
class ChipsPenalised:
    chips: Mapping[str, int]
    reason: str


@fact("beads-allocated")
class BeadsAllocated:
    """`pools`: all beads by Element, with those of the archetype. `cost`: of the allowance, for shifts.

    `by_default`: nothing was said, so all are in the primary Element; until the first is used that may be changed.
    """

    allowance: int
    cost: int
    pools: Mapping[str, int]
    by_default: bool = False


@fact("beads-ended")
class BeadsEnded:
    pass


@fact("beads-trumped")
class BeadsTrumped:
    """Beads that were trumped and did not go back."""

    number: int


@fact("session-bead-used")
class SessionBeadUsed:
    element: str


@fact("period-dice-given")
class PeriodDiceGiven:
    advantage: str
    number: int


@fact("period-dice-used")
class PeriodDiceUsed:
    advantage: str
    number: int
    action: str


@fact("period-dice-returned")
class PeriodDiceReturned:
    period: str


@fact("vortex-forced")
class VortexForced:
    target: str


# --- tokens, harm, recovery: about a character ---


@fact("tokens-filled")
class TokensFilled:
    """A Primary's rating grew: so did its pool."""

    primary: str
    number: int


@fact("token-spent")
class TokenSpent:
    characteristic: str
    primary: str


@fact("tokens-lost")
class TokensLost:
    lost: Mapping[str, int]


@fact("fatigue-gained")
class FatigueGained:
    number: int
    reason: str


@fact("harm-applied")
class HarmApplied:
    """What one hit did: `damage` and `pain` marked, `removed` points. `hit`: empty for a ruling of a game master."""

    hit: str
    damage: int
    pain: int
    removed: int
    reason: str = ""


@fact("character-dazed")
class CharacterDazed:
    pass


@fact("daze-ended")
class DazeEnded:
    reason: str


@fact("turn-passed")
class TurnPassed:
    """Pain of the turn that is over no longer counts with damage."""

    turn: int


@fact("scene-recovery-due")
class SceneRecoveryDue:
    steps: int


@fact("scene-recovery-taken")
class SceneRecoveryTaken:
    """`primary`: whose token came back; empty: a level of fatigue went."""

    fatigue: int
    primary: str = ""


@fact("recovery-declared")
class RecoveryDeclared:
    pass


@fact("recovery-pre-empted")
class RecoveryPreEmpted:
    reason: str


@fact("recovery-completed")
class RecoveryCompleted:
    pain: int


@fact("movement-made")
class MovementMade:
    """`penalty`: of a fumbled one. `dodge`: by how much it lowers what is taken off, until the turn is over."""

    mode: str
    metres: int
    penalty: str = ""
    dodge: int = 0


PeopleFact: TypeAlias = (
    TableRowSet | ArcOpened | PurseEnlarged | ArcEnded | PlayBegun | SessionEnded | IntervalOpened
    | IntervalEnded | DeckCut | DeckCounted | NominationsTallied | NominationMade | CharacterCreated | LevelBought
    | TraitProposed | TraitCountered | TraitApproved | BackgroundLost | CharacterSacrificed | ChipsReturned
    | ChipsInherited | ChipsPassedOn | CharacterDowned | StatusSet | CardsDrawn | CardsKept | HandDiscarded
    | CardDiscarded
    | CardExchangedForBeads | CardShiftedBeads | VillainsDrew | VillainCardUsed | ChipsTradedUp | ChipsTradedDown
    | ChipsGivenBack | ChipSpentOnCards | ChipExchangedForCards | ChipExchangedForBeads | ChipBecamePoint
    | ChipAwarded | ChipsPenalised | BeadsAllocated | BeadsEnded | BeadsTrumped | SessionBeadUsed
    | PeriodDiceGiven | PeriodDiceUsed | PeriodDiceReturned | VortexForced | TokensFilled | TokenSpent
    | TokensLost | FatigueGained | HarmApplied | CharacterDazed | DazeEnded | TurnPassed | SceneRecoveryDue
    | SceneRecoveryTaken | RecoveryDeclared | RecoveryPreEmpted | RecoveryCompleted
    | MovementMade
)  # fmt: skip
