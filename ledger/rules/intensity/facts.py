"""What can become true. Facts about a scene, unless said otherwise; each names its round, attack or fatal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ledger.rules.intensity.terms import DieName, Effect, Impact, Kind, Level, Out, TieManner, TraitSize, Use
from ledger.rules.kernel.declarations import fact

# --- parts of facts -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trait:
    """A trait of a character with its own die, before any impact (0: none is left of it)."""

    name: str
    base: TraitSize


@dataclass(frozen=True, slots=True)
class RolledDie:
    size: int
    face: int


@dataclass(frozen=True, slots=True)
class RolledTrait:
    name: str
    size: int
    face: int


@dataclass(frozen=True, slots=True)
class RolledDefence:
    """A die rolled in defence, at the size it has now."""

    die: DieName
    size: int
    face: int


@dataclass(frozen=True, slots=True)
class Thrown:
    """One participant's dice in a throw of a roll-off. `trait`: None when the intensity die was alone."""

    char: str
    intensity: int
    trait: int | None


@dataclass(frozen=True, slots=True)
class Restated:
    """The parts of a declaration that were restated; a blank one was not touched, None is no target or no trait."""

    target: str | None
    trait: str | None
    text: str = ""


# --- characters and scenes ----------------------------------------------------------------------------------------


@fact("character-created")
class CharacterCreated:
    """About the character."""

    id: str
    kind: Kind
    traits: tuple[Trait, ...]
    player: str


@fact("returned-to-play")
class ReturnedToPlay:
    """About the character: the scene it was out for has closed."""

    char: str


@fact("rest-allowed")
class RestAllowed:
    """About the campaign: a scene has closed, so a rest can follow."""

    scene: str


# --- the round ----------------------------------------------------------------------------------------------------


@fact("round-opened")
class RoundOpened:
    round: str
    participants: tuple[str, ...]


@fact("action-declared")
class ActionDeclared:
    round: str
    char: str
    target: str | None
    level: Level
    trait: str | None
    text: str


@fact("intensity-raised")
class IntensityRaised:
    round: str
    char: str
    from_level: Level
    to_level: Level
    text: str = ""


@fact("declaration-amended")
class DeclarationAmended:
    round: str
    char: str
    before: Restated
    after: Restated


@fact("round-abandoned")
class RoundAbandoned:
    round: str


@fact("round-left")
class RoundLeft:
    """A participant went out before the roll was complete: no longer in the round, nobody's target."""

    round: str
    char: str


@fact("dice-rolled")
class DiceRolled:
    round: str
    char: str
    intensity: RolledDie
    trait: RolledTrait | None


@fact("order-established")
class OrderEstablished:
    """All dice are in. `groups`: who goes first, the fully tied together, in name order."""

    round: str
    groups: tuple[tuple[str, ...], ...]


@fact("conflict-linked")
class ConflictLinked:
    """About the campaign: an unordered pair."""

    a: str
    b: str
    round: str


@fact("tie-settled")
class TieSettled:
    """`faces`: the throws of a roll-off, in order."""

    round: str
    ranking: tuple[str, ...]
    how: TieManner
    faces: tuple[tuple[Thrown, ...], ...]


@fact("action-passed")
class ActionPassed:
    round: str
    char: str
    text: str = ""


@fact("action-forfeited")
class ActionForfeited:
    """The last standing die was picked up against this attack while the own action was still to come."""

    round: str
    char: str
    attack: str


@fact("action-lapsed")
class ActionLapsed:
    """The pending action is gone with the actor or the target."""

    round: str
    char: str


@fact("round-closed")
class RoundClosed:
    round: str


# --- the attack ---------------------------------------------------------------------------------------------------


@fact("attack-opened")
class AttackOpened:
    """`standing`: the faces the attacker has left on the table."""

    attack: str
    round: str
    attacker: str
    defender: str
    standing: tuple[int, ...]
    text: str = ""


@fact("defence-chosen")
class DefenceChosen:
    """`picked_up`: dice that stood until now; `rerolled`: dice picked up earlier and rolled again."""

    attack: str
    picked_up: tuple[DieName, ...]
    rerolled: tuple[DieName, ...]
    let_stand: bool
    text: str = ""


@fact("defence-rolled")
class DefenceRolled:
    attack: str
    faces: tuple[RolledDefence, ...]


@fact("advantage-spent")
class AdvantageSpent:
    """`rating`: the new one, after a success."""

    holder: str
    against: str
    amount: int
    effect: Effect
    attack: str
    rating: int | None


@fact("defence-die-rerolled")
class DefenceDieRerolled:
    attack: str
    die: DieName
    old: int
    new: int


@fact("attack-resolved")
class AttackResolved:
    """A failed attack has no rating and is closed."""

    attack: str
    attack_value: int
    defence_value: int
    success: bool
    rating: int | None
    text: str = ""


@fact("attack-lapsed")
class AttackLapsed:
    attack: str


# --- the outcome --------------------------------------------------------------------------------------------------


@fact("impact-chosen")
class ImpactChosen:
    """The attack is closed with this impact; the fact that follows says what it does."""

    attack: str
    impact: Impact
    text: str


@fact("impact-waived")
class ImpactWaived:
    attack: str
    text: str


@fact("outcome-negotiated")
class OutcomeNegotiated:
    """`attack`: the attack it closes in place of an impact; None for a bargain at another time."""

    attack: str | None
    parties: tuple[str, ...]
    terms: str


@fact("bargain-declined")
class BargainDeclined:
    """`by`: the party that does not agree. Nothing of it comes about; a success is as it was."""

    attack: str | None
    parties: tuple[str, ...]
    by: str
    terms: str


@fact("trait-taxed")
class TraitTaxed:
    """About the character. `cause`: `attack:<id>` or `fatal:<id>`."""

    impact: str
    char: str
    trait: str
    by: str
    cause: str


@fact("trait-damaged")
class TraitDamaged:
    """About the character."""

    impact: str
    char: str
    trait: str
    by: str
    cause: str


@fact("character-wounded")
class CharacterWounded:
    """About the character."""

    impact: str
    char: str
    by: str
    cause: str


@fact("advantage-gained")
class AdvantageGained:
    """About the holder. `cause`: `attack:<id>`, `fatal:<id>` or `healing:<ruling>`."""

    holder: str
    against: str
    amount: int
    cause: str


# --- fatals -------------------------------------------------------------------------------------------------------


@fact("fatal-held")
class FatalHeld:
    fatal: str
    holder: str
    subject: str
    trait_used: str | None
    attack: str


@fact("fatal-used")
class FatalUsed:
    fatal: str
    use_as: Use
    fate: str
    out: Out | None


@fact("fatal-withheld")
class FatalWithheld:
    """The holder, whom somebody else's declaration had use it, does not; it is still held."""

    fatal: str


@fact("fatal-released")
class FatalReleased:
    fatal: str
    text: str = ""


@fact("fatal-lapsed")
class FatalLapsed:
    fatal: str


@fact("character-taken-out")
class CharacterTakenOut:
    """About the character. `cause`: `fatal:<id>`."""

    char: str
    until: Out
    cause: str


@fact("trait-mutilated")
class TraitMutilated:
    """About the character: the trait's own die from now on, 0 for none. `cause`: `fatal:<id>`."""

    char: str
    trait: str
    base: TraitSize
    cause: str


# --- rest and healing ---------------------------------------------------------------------------------------------


@fact("rest-taken")
class RestTaken:
    """About the campaign."""

    characters: tuple[str, ...]


@fact("tax-ended")
class TaxEnded:
    """About the character."""

    impact: str
    char: str


@fact("conflict-noted")
class ConflictNoted:
    """About the campaign: an unordered pair the table ruled to be in conflict."""

    a: str
    b: str
    reason: str


@fact("healing-moment-held")
class HealingMomentHeld:
    """About the campaign."""

    day: int
    requested_by: str
    fiction: str


@fact("healing-moment-closed")
class HealingMomentClosed:
    """About the campaign: a game master waited no longer. `passed_over`: who had not said what to heal."""

    day: int
    reason: str
    passed_over: tuple[str, ...]


@fact("impact-healed")
class ImpactHealed:
    """About the character."""

    impact: str
    char: str
    day: int


@fact("healing-declined")
class HealingDeclined:
    """About the character, which was hurt and healed nothing."""

    char: str


@fact("conflict-links-cleared")
class ConflictLinksCleared:
    """About the campaign."""


Fact: TypeAlias = (
    CharacterCreated | ReturnedToPlay | RestAllowed | RoundOpened | ActionDeclared | IntensityRaised
    | DeclarationAmended | RoundAbandoned | RoundLeft | DiceRolled | OrderEstablished | ConflictLinked
    | TieSettled | ActionPassed | ActionForfeited | ActionLapsed | RoundClosed | AttackOpened | DefenceChosen
    | DefenceRolled | AdvantageSpent | DefenceDieRerolled | AttackResolved | AttackLapsed | ImpactChosen
    | ImpactWaived | OutcomeNegotiated | BargainDeclined | TraitTaxed | TraitDamaged | CharacterWounded
    | AdvantageGained | FatalHeld | FatalUsed | FatalWithheld | FatalReleased | FatalLapsed
    | CharacterTakenOut | TraitMutilated | RestTaken | TaxEnded | ConflictNoted | HealingMomentHeld
    | HealingMomentClosed | ImpactHealed | HealingDeclined | ConflictLinksCleared
)  # fmt: skip
FACTS: tuple[type[Fact], ...] = (
    CharacterCreated, ReturnedToPlay, RestAllowed, RoundOpened, ActionDeclared, IntensityRaised, DeclarationAmended,
    RoundAbandoned, RoundLeft, DiceRolled, OrderEstablished, ConflictLinked, TieSettled, ActionPassed, ActionForfeited,
    ActionLapsed, RoundClosed, AttackOpened, DefenceChosen, DefenceRolled, AdvantageSpent, DefenceDieRerolled,
    AttackResolved, AttackLapsed, ImpactChosen, ImpactWaived, OutcomeNegotiated, BargainDeclined, TraitTaxed,
    TraitDamaged, CharacterWounded, AdvantageGained, FatalHeld, FatalUsed, FatalWithheld, FatalReleased, FatalLapsed,
    CharacterTakenOut, TraitMutilated, RestTaken, TaxEnded, ConflictNoted, HealingMomentHeld, HealingMomentClosed,
    ImpactHealed, HealingDeclined, ConflictLinksCleared,
)  # fmt: skip
