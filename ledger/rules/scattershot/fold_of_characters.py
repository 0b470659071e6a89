"""What facts do to a Character. What is countable stands in accounts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import TypeVar, assert_never

from ledger.rules.kernel.fold import Change
from ledger.rules.kernel.frozen import changed, changing
from ledger.rules.scattershot.facts_of_characters import (
    CharacteristicCashedIn,
    DamageListed,
    DevelopmentPointsAllocated,
    DevelopmentRolled,
    DisadvantageGained,
    DisadvantageTaken,
    EffectIndexed,
    FightLeftRuled,
    LimitsShown,
    OffGuardSet,
    PenaltyDeferred,
    PenaltyTookEffect,
    PersonaCreated,
    PowerSpent,
    ProtectionDeclined,
    RatingRaised,
    ResidualEnded,
    ResidualPlaced,
    ResourceReduced,
    ResourceRestored,
    ResourceUsed,
    SheetChangeDeclined,
    SheetDeviates,
    TraitBought,
    TraitStruck,
)
from ledger.rules.scattershot.facts_of_play import ListingUpheld
from ledger.rules.scattershot.facts_of_rewards import GimmeDeclined, GimmeTaken
from ledger.rules.scattershot.sheet import Advantage
from ledger.rules.scattershot.state import Character, entries

F = TypeVar("F")
T = TypeVar("T")
HIT_POINTS = "hit-points"


def of_a_created_one(change: Callable[[Character, F], Character | None]) -> Callable[[Character, F], Character | None]:
    """Only to a Character that was created."""

    @wraps(change)
    def changes(was: Character, done: F) -> Character | None:
        return change(was, done) if was.kind is not None else None

    return changes


def _stays(was: Character, done: object) -> Character:
    """It only moves something countable, or is testimony."""
    return was


def _created(was: Character, done: PersonaCreated) -> Character:
    sheet = done.sheet
    maxima = {name: sheet.ratings[name].value for name in sheet.resources if name in sheet.ratings}
    return changed(
        was,
        kind=sheet.kind,
        ratings=sheet.ratings,
        advantages=sheet.advantages,
        disadvantages=sheet.disadvantages,
        elements=sheet.elements,
        description=sheet.description,
        protection=sheet.protection,
        resources=maxima,
        net=done.net,
        hit_points=maxima.get("hit-points", 0),
    )


def _raised(was: Character, done: RatingRaised) -> Character | None:
    now = was.ratings.get(done.rating)
    if now is None:
        if done.new is None:
            return None
        return changed(was, ratings={**was.ratings, done.rating: done.new})
    talent = now.talent + (done.points if done.talent else 0)
    training = now.training + (0 if done.talent else done.points)
    after = _rated(was, done.rating, talent, training)
    return _hit_points(after, done.points) if done.rating == HIT_POINTS else after


def _rated(was: Character, name: str, talent: int, training: int) -> Character:
    """The Rating with these points; where it is a Resource, its maximum goes with it."""
    rated = changed(was.ratings[name], talent=talent, training=training)
    resources = {**was.resources, name: rated.value} if name in was.resources else was.resources
    left = min(was.hit_points, rated.value) if name == HIT_POINTS else was.hit_points
    return changed(was, ratings={**was.ratings, name: rated}, resources=resources, hit_points=left)


def _hit_points(was: Character, more: int) -> Character:
    """Whoever has some again fights on without leave."""
    left = was.hit_points + more
    return _left(was, left, None if left > 0 else was.fights_on)


_left = changing(Character, "hit_points", "fights_on")


def _cashed_in(was: Character, done: CharacteristicCashedIn) -> Character | None:
    now = was.ratings.get(done.rating)
    if now is None:
        return _advantage_cashed_in(was, done)
    training = now.training - done.points
    talent, training = now.talent + min(0, training), max(0, training)
    if talent + training > 0 or now.kind in ("statistic", "free-skill"):
        return _rated(was, done.rating, talent, training)
    return changed(
        was,
        ratings={name: one for name, one in was.ratings.items() if name != done.rating},
        effects={name: one for name, one in was.effects.items() if name != done.rating},
        resources={name: most for name, most in was.resources.items() if name != done.rating},
    )


def _advantage_cashed_in(was: Character, done: CharacteristicCashedIn) -> Character | None:
    if any(one.name == done.rating for one in was.advantages):
        return changed(was, advantages=_without(was.advantages, done))
    if any(one.name == done.rating for one in was.disadvantages):
        return changed(was, disadvantages=_without(was.disadvantages, done))
    return None


def _without(held: tuple[Advantage, ...], done: CharacteristicCashedIn) -> tuple[Advantage, ...]:
    """As much of the first of this name as is left of it, or nothing."""
    place = [one.name for one in held].index(done.rating)
    left = held[place].value - done.points if type(held[place].value) is int else 0
    kept = (changed(held[place], value=left),) if left > 0 else ()
    return (*held[:place], *kept, *held[place + 1 :])


def _disadvantaged(was: Character, done: DisadvantageGained) -> Character:
    return changed(was, disadvantages=(*was.disadvantages, Advantage(done.name, done.value)))


def _disadvantage_taken(was: Character, done: DisadvantageTaken) -> Character:
    return changed(was, disadvantages=(*was.disadvantages, done.disadvantage))


def _struck(was: Character, done: TraitStruck) -> Character | None:
    """Without the first of this name."""
    names = entries(was, done.trait)
    if done.name not in names:
        return None
    place = names.index(done.name)
    match done.trait:
        case "advantage":
            return changed(was, advantages=_but(was.advantages, place))
        case "disadvantage":
            return changed(was, disadvantages=_but(was.disadvantages, place))
        case "element":
            return changed(was, elements=_but(was.elements, place))
        case "protection":
            return changed(was, protection=_but(was.protection, place))
        case "wound":
            return changed(was, wounds=_but(was.wounds, place))
        case _:
            assert_never(done.trait)


def _but(held: tuple[T, ...], place: int) -> tuple[T, ...]:
    return (*held[:place], *held[place + 1 :])


def _residual_placed(was: Character, done: ResidualPlaced) -> Character:
    return changed(was, residuals=(*was.residuals, done))


def _residual_ended(was: Character, done: ResidualEnded) -> Character | None:
    kept = tuple(one for one in was.residuals if one.residual != done.residual)
    return changed(was, residuals=kept) if len(kept) < len(was.residuals) else None


def _indexed(was: Character, done: EffectIndexed) -> Character:
    return changed(was, effects={**was.effects, done.ability: done})


def _damages(was: Character, done: DamageListed) -> Character:
    return changed(was, damages={**was.damages, str(done.weapon): done.damages})


def _bought(was: Character, done: TraitBought) -> Character | None:
    match done.trait:
        case "advantage" if done.advantage is not None:
            return changed(was, advantages=(*was.advantages, done.advantage))
        case "free-skill" if done.rated is not None:
            return changed(was, ratings={**was.ratings, done.name: done.rated})
        case "element":
            return changed(was, elements=(*was.elements, done.name))
        case "protection" if done.protection is not None:
            return changed(was, protection=(*was.protection, done.protection))
        case _:
            return None


def _deviates(was: Character, done: SheetDeviates) -> Character:
    return changed(was, deviations=done.faults)


def _off_guard(was: Character, done: OffGuardSet) -> Character:
    return changed(was, off_guard=done.towards, off_guard_but=done.but)


def _reduced(was: Character, done: ResourceReduced) -> Character:
    after = changed(was, wounds=(*was.wounds, done.wound)) if done.wound else was
    return _hit_points(after, done.after - done.before) if done.resource == HIT_POINTS else after


def _restored(was: Character, done: ResourceRestored) -> Character:
    return _hit_points(was, done.amount) if done.resource == HIT_POINTS else was


def _fights_on(was: Character, done: FightLeftRuled) -> Character:
    return changed(was, fights_on=done.reason)


def _resource_used(was: Character, done: ResourceUsed) -> Character:
    return changed(was, resources={**was.resources, done.resource: done.maximum})


def _deferred(was: Character, done: PenaltyDeferred) -> Character:
    return changed(was, pending=was.pending + done.amount)


def _took_effect(was: Character, done: PenaltyTookEffect) -> Character:
    waited = done.amount if done.deferred else 0
    return changed(was, pending=was.pending - waited, penalty=was.penalty + done.amount)


OF_A_CREATED_ONE: Mapping[type[object], Change] = {
    RatingRaised: _raised,
    CharacteristicCashedIn: _cashed_in,
    DisadvantageGained: _disadvantaged,
    DisadvantageTaken: _disadvantage_taken,
    TraitStruck: _struck,
    SheetChangeDeclined: _stays,
    ResidualPlaced: _residual_placed,
    ResidualEnded: _residual_ended,
    OffGuardSet: _off_guard,
    ResourceReduced: _reduced,
    ResourceUsed: _resource_used,
    PenaltyDeferred: _deferred,
    PenaltyTookEffect: _took_effect,
    EffectIndexed: _indexed,
    TraitBought: _bought,
    ProtectionDeclined: _stays,
    SheetDeviates: _deviates,
    LimitsShown: _stays,
    DevelopmentPointsAllocated: _stays,
    DevelopmentRolled: _stays,
    ResourceRestored: _restored,
    FightLeftRuled: _fights_on,
    PowerSpent: _stays,
    DamageListed: _damages,
    GimmeTaken: _stays,
    GimmeDeclined: _stays,
    ListingUpheld: _stays,
}
OF_CHARACTERS: Mapping[type[object], Change] = {
    PersonaCreated: _created,
    **{kind: of_a_created_one(change) for kind, change in OF_A_CREATED_ONE.items()},
}
