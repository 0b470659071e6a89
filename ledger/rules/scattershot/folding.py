"""The fold: a subject's state after a fact. Total: a fact that finds no ground goes adrift.

Tables say what each fact does to a Character, a scene, the campaign: tables, and not one long `match`, because the fold
runs over every fact of a campaign. Facts that only move something countable, or are testimony, change no state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, assert_never

from ledger.rules.kernel.frozen import changed, changing
from ledger.rules.kernel.subjects import SubjectKind
from ledger.rules.scattershot.facts_of_characters import (
    CharacteristicCashedIn,
    DamageListed,
    DevelopmentPointsAllocated,
    DevelopmentRolled,
    DisadvantageGained,
    EffectIndexed,
    FightLeftRuled,
    LimitDeclined,
    OffGuardSet,
    PenaltyDeferred,
    PenaltyTookEffect,
    PersonaCreated,
    PointLimitSet,
    PowerSpent,
    RatingRaised,
    ResidualEnded,
    ResidualPlaced,
    ResourceReduced,
    ResourceRestored,
    ResourceUsed,
    SheetDeviates,
    TraitBought,
)
from ledger.rules.scattershot.facts_of_fights import FreeActionAccepted, FreeActionDeclined
from ledger.rules.scattershot.facts_of_play import (
    AbilityListed,
    AdvantageListed,
    AttendanceNoted,
    ChartAdopted,
    ChartRead,
    ConsentAsked,
    ConsentGiven,
    ConsentRefused,
    ElementChanged,
    ElementIntroduced,
    FreeSkillListed,
    GameBegun,
    GenreExpectationListed,
    ListingUpheld,
    PlayersSeated,
    ProprietorshipTransferred,
    RulingMade,
    VoteCast,
)
from ledger.rules.scattershot.facts_of_rewards import (
    CoolBeansGiven,
    CoolBeansReplaced,
    CoupCounted,
    DiceDeclined,
    ExperienceDiceAwarded,
    GimmeDeclined,
    GimmeTaken,
    LoanerLapsed,
    PaybackPaid,
)
from ledger.rules.scattershot.foldscene import TO_A_SCENE
from ledger.rules.scattershot.sheet import Advantage
from ledger.rules.scattershot.state import (
    Campaign,
    Character,
    Element,
    Expectation,
    Scene,
    Seat,
    State,
    box_of,
    element_of,
)


def blank(kind: SubjectKind) -> State:
    match kind:
        case "character":
            return Character()
        case "scene":
            return Scene()
        case "campaign":
            return Campaign()
        case "seat":
            return Seat()
        case _:
            assert_never(kind)


def apply(state: State, done: Any) -> State:
    """The state after the fact; the fact in `adrift` when it finds no ground there."""
    change = CHANGES[type(state)].get(type(done))
    after: State | None = change(state, done) if change is not None else None
    return after if after is not None else changed(state, adrift=(*state.adrift, done))


def _unchanged(was: Any, done: Any) -> Any:
    """The fact moves something countable, or is testimony; the state is as it was."""
    return was


HIT_POINTS = "hit-points"

# --- a Character -----------------------------------------------------------------------------------------------------


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


def _known(change: Callable[[Character, Any], Character | None]) -> Callable[[Character, Any], Character | None]:
    """Only to a Character that was created."""
    return lambda was, done: change(was, done) if was.kind is not None else None


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


OF_A_KNOWN_ONE: Mapping[type[Any], Callable[[Character, Any], Character | None]] = {
    RatingRaised: _raised,
    CharacteristicCashedIn: _cashed_in,
    DisadvantageGained: _disadvantaged,
    ResidualPlaced: _residual_placed,
    ResidualEnded: _residual_ended,
    OffGuardSet: _off_guard,
    ResourceReduced: _reduced,
    ResourceUsed: _resource_used,
    PenaltyDeferred: _deferred,
    PenaltyTookEffect: _took_effect,
    EffectIndexed: _indexed,
    TraitBought: _bought,
    SheetDeviates: _deviates,
    DevelopmentPointsAllocated: _unchanged,
    DevelopmentRolled: _unchanged,
    ResourceRestored: _restored,
    FightLeftRuled: _fights_on,
    PowerSpent: _unchanged,
    DamageListed: _damages,
    GimmeTaken: _unchanged,
    GimmeDeclined: _unchanged,
    ListingUpheld: _unchanged,
}
TO_A_CHARACTER: Mapping[type[Any], Callable[[Character, Any], Character | None]] = {
    PersonaCreated: _created,
    **{kind: _known(change) for kind, change in OF_A_KNOWN_ONE.items()},
}

# --- the campaign ----------------------------------------------------------------------------------------------------


def _begun(was: Campaign, done: GameBegun) -> Campaign:
    return changed(was, begun=True, cj=done.cj, ei=done.ei)


def _listed(was: Campaign, done: GenreExpectationListed) -> Campaign:
    listing = Expectation(done.kind, done.value, done.scope)
    return changed(was, expectations={**was.expectations, done.name: listing})


def _ability_listed(was: Campaign, done: AbilityListed) -> Campaign:
    return changed(was, abilities={**was.abilities, done.name: done})


def _advantage_listed(was: Campaign, done: AdvantageListed) -> Campaign:
    return changed(was, advantages={**was.advantages, done.name: done})


def _free_skill_listed(was: Campaign, done: FreeSkillListed) -> Campaign:
    return changed(was, free_skills={**was.free_skills, done.name: done.level})


def _free_action(was: Campaign, done: FreeActionAccepted) -> Campaign:
    return changed(was, free_actions=tuple(dict.fromkeys((*was.free_actions, done.action))))


def _seated(was: Campaign, done: PlayersSeated) -> Campaign:
    return changed(was, clockwise=done.clockwise)


def _attended(was: Campaign, done: AttendanceNoted) -> Campaign:
    return changed(was, present=done.present, present_in=done.session)


def _put(was: Campaign, name: str, element: Element) -> Campaign:
    box = box_of(name)
    return changed(was, elements={**was.elements, box: {**was.elements.get(box, {}), name: element}})


def _introduced(was: Campaign, done: ElementIntroduced) -> Campaign:
    known = element_of(was, done.element) or Element()
    return _put(was, done.element, changed(known, proprietor=done.proprietor))


def _transferred(was: Campaign, done: ProprietorshipTransferred) -> Campaign:
    known = element_of(was, done.element) or Element()
    return _put(was, done.element, changed(known, proprietor=done.to))


def _consent(was: Campaign, element: str, change: str, word: str) -> Campaign:
    known = element_of(was, element) or Element()
    return _put(was, element, changed(known, consents={**known.consents, change: word}))


def _asked(was: Campaign, done: ConsentAsked) -> Campaign:
    """An answer stands until the Proprietor answers anew: asking again takes back neither consent nor objection."""
    known = element_of(was, done.element) or Element()
    return _consent(was, done.element, done.change, known.consents.get(done.change, "asked"))


def _given(was: Campaign, done: ConsentGiven) -> Campaign:
    return _consent(was, done.element, done.change, done.consent)


def _refused(was: Campaign, done: ConsentRefused) -> Campaign:
    return _consent(was, done.element, done.change, "refused")


TO_THE_CAMPAIGN: Mapping[type[Any], Callable[[Campaign, Any], Campaign | None]] = {
    GameBegun: _begun,
    GenreExpectationListed: _listed,
    AbilityListed: _ability_listed,
    AdvantageListed: _advantage_listed,
    FreeSkillListed: _free_skill_listed,
    FreeActionAccepted: _free_action,
    FreeActionDeclined: _unchanged,
    PlayersSeated: _seated,
    AttendanceNoted: _attended,
    ElementIntroduced: _introduced,
    ProprietorshipTransferred: _transferred,
    ConsentAsked: _asked,
    ConsentGiven: _given,
    ConsentRefused: _refused,
    ElementChanged: _unchanged,
    ChartAdopted: _unchanged,
    ChartRead: _unchanged,
    RulingMade: _unchanged,
    VoteCast: _unchanged,
}

# --- a seat ----------------------------------------------------------------------------------------------------------


def _limited(was: Seat, done: PointLimitSet) -> Seat:
    return changed(was, limit=done.limit)


TO_A_SEAT: Mapping[type[Any], Callable[[Seat, Any], Seat | None]] = {
    PointLimitSet: _limited,
    LimitDeclined: _unchanged,
    ExperienceDiceAwarded: _unchanged,
    CoolBeansGiven: _unchanged,
    CoolBeansReplaced: _unchanged,
    CoupCounted: _unchanged,
    DiceDeclined: _unchanged,
    PaybackPaid: _unchanged,
    LoanerLapsed: _unchanged,
}

CHANGES: Mapping[type[Any], Mapping[type[Any], Callable[[Any, Any], Any]]] = {
    Character: TO_A_CHARACTER,
    Scene: TO_A_SCENE,
    Campaign: TO_THE_CAMPAIGN,
    Seat: TO_A_SEAT,
}
