"""How states are shown to viewers, how rolls are shown as dice, and which numbers are stored twice. This game has no
secrets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import assert_never

from ledger.rules.kernel.kit import (
    Die,
    Places,
    Refused,
    Roll,
    Subject,
    Twice,
    Viewer,
    by_name,
    cached_by_record,
    character,
    format_count,
    seat,
)
from ledger.rules.scattershot import cashing_in, experience, reactions, rolls
from ledger.rules.scattershot.chart import OWN_FACETS, WithChart, read_facet
from ledger.rules.scattershot.resources import HIT_POINTS
from ledger.rules.scattershot.scene import Fight, Resolution, Scene, State, find_basic_mib, find_modified_rating
from ledger.rules.scattershot.state import AbilityListed, Campaign, Character, EffectIndexed, Rated, Seat, is_magnitude
from ledger.rules.scattershot.words import ACTOR


def view(subject: Subject, state: State, viewer: Viewer) -> Mapping[str, object]:
    match state:
        case Character():
            return _view_character(state, viewer.dials)
        case Scene():
            return _view_scene(state)
        case Campaign():
            return _view_campaign(state)
        case Seat():
            return {"limit": state.limit, "words": list(state.words)}
        case _:
            assert_never(state)


def _view_character(char_state: Character, dials: WithChart | None) -> dict[str, object]:
    """Return the Character as JSON values.

    `ratings`: the number of each Rating. `points`: its talent and training. `magnitudes`: the facets on the chart for
    each Magnitude.
    """
    return {
        "kind": char_state.kind,
        "net": char_state.net,
        "deviations": list(char_state.deviations),
        "ratings": {name: rating.value for name, rating in char_state.ratings.items()},
        "points": {name: rating.points for name, rating in char_state.ratings.items()},
        "listings": {name: _view_listing(rating) for name, rating in char_state.ratings.items() if rating.difficulty},
        "magnitudes": {
            name: _view_magnitude(rating, dials)
            for name, rating in char_state.ratings.items()
            if is_magnitude(name, rating)
        },
        "effects": {name: _view_effect(char_state, effect) for name, effect in char_state.effects.items()},
        "damages": {weapon: list(damages) for weapon, damages in char_state.damages.items()},
        "advantages": [by_name(advantage) for advantage in char_state.advantages],
        "disadvantages": [by_name(disadvantage) for disadvantage in char_state.disadvantages],
        "elements": list(char_state.elements),
        "description": char_state.description,
        "protection": [by_name(piece) for piece in char_state.protection],
        "resources": dict(char_state.resources),
        "out_of_the_fight": char_state.is_out,
        "fights_on": char_state.fights_on,
        "residuals": [
            {
                "residual": residual.residual,
                "amount": residual.amount,
                "scope": residual.scope,
                "source": residual.source,
                "until": residual.until,
            }
            for residual in char_state.residuals
        ],
        "pending": char_state.pending,
        "penalty": char_state.penalty,
        "off_guard": list(char_state.off_guard),
        "off_guard_but": char_state.off_guard_but,
        "wounds": list(char_state.wounds),
    }


@cached_by_record
def _view_magnitude(rating: Rated, dials: WithChart | None) -> dict[str, object]:
    """Return the Rating with the exact values of the facets that the chart has for it."""
    facets: dict[str, object] = {"rating": rating.value}
    if dials is None:
        return facets
    for name in OWN_FACETS:
        try:
            facets[name] = str(read_facet(dials, rating.value, name))
        except Refused:
            continue
    return facets


def _view_effect(char_state: Character, effect: EffectIndexed) -> dict[str, object]:
    """Return the effect. `number`: the exact value of the facet for the Rating of the Magnitude."""
    ability = char_state.ratings.get(effect.ability)
    return {
        "facet": effect.facet,
        "magnitude": ability.magnitude if ability is not None else None,
        "rating": effect.rating,
        "number": str(Fraction(effect.numerator, effect.denominator)),
    }


def _view_listing(rating: Rated) -> dict[str, object]:
    return {
        "kind": rating.kind,
        "difficulty": rating.difficulty,
        "type": rating.type,
        "use": rating.use,
        "scope": rating.scope,
        "duration": rating.duration,
        "opportunity": rating.opportunity,
        "power_cost": rating.power_cost,
        "script": list(rating.script),
    }


def _view_scene(scene: Scene) -> dict[str, object]:
    """Return the scene. `fights`: the Mechanical Play by Scope. `fight`: the first of these."""
    fights = {scope: _view_fight(fight) for scope, fight in scene.fights.items()}
    return {
        "mode": scene.mode,
        "speaker": scene.speaker,
        "resolutions": {
            resolution_id: _view_resolution(resolution) for resolution_id, resolution in scene.resolutions.items()
        },
        "fight": next(iter(fights.values()), None),
        "fights": fights,
    }


def _view_fight(fight: Fight) -> dict[str, object]:
    return {
        "caller": fight.caller,
        "order": list(fight.order),
        "scope": fight.scope,
        "melee": fight.melee,
        "round": fight.round,
        "turn": fight.turn,
        "standing": {
            char_id: {**by_name(standing), "free": list(standing.free)} for char_id, standing in fight.standing.items()
        },
        "away": {
            char_id: {**by_name(standing), "free": list(standing.free)} for char_id, standing in fight.away.items()
        },
        "flurry": None if fight.flurry is None else {**by_name(fight.flurry), "script": list(fight.flurry.script)},
    }


def _view_resolution(resolution: Resolution) -> dict[str, object]:
    return {
        "actor": resolution.actor,
        "text": resolution.deed.text,
        "phase": resolution.phase,
        "player": resolution.player,
        "subject": resolution.subject,
        "target": resolution.target,
        "engaged": dict(resolution.engaged),
        "sides": {
            name: {
                **by_name(side),
                "dice": list(side.dice),
                "modified": find_modified_rating(resolution, name),
                "mib": find_basic_mib(resolution, name),
            }
            for name, side in resolution.sides.items()
        },
        "reactions": {char_id: by_name(reaction) for char_id, reaction in resolution.reactions.items()},
        "dice": [by_name(die) for die in resolution.dice],
        "reached": [by_name(reached) for reached in resolution.reached],
        "junctures": [by_name(juncture) for juncture in resolution.junctures],
        "held": list(resolution.held),
    }


def _view_campaign(campaign: Campaign) -> dict[str, object]:
    elements = {name: element for box in campaign.elements.values() for name, element in box.items()}
    return {
        "begun": campaign.begun,
        "cj": campaign.cj,
        "ei": campaign.ei,
        "abilities": {name: _view_ability(ability) for name, ability in campaign.abilities.items()},
        "uses": {name: {**by_name(use), "script": list(use.script)} for name, use in campaign.uses.items()},
        "advantages": {name: by_name(trait) for name, trait in campaign.advantages.items()},
        "free_skills": dict(campaign.free_skills),
        "free_actions": list(campaign.free_actions),
        "weapons": dict(campaign.weapons),
        "agreements": dict(campaign.agreements),
        "expectations": {name: by_name(expectation) for name, expectation in campaign.expectations.items()},
        "clockwise": list(campaign.clockwise),
        "present": list(campaign.present),
        "elements": {
            name: {"proprietor": element.proprietor, "consents": dict(element.consents)}
            for name, element in elements.items()
        },
    }


def _view_ability(ability: AbilityListed) -> dict[str, object]:
    return {**by_name(ability), "defaults": [by_name(default) for default in ability.defaults]}


MIB_DIE_SIZE, EXPERIENCE_DIE_SIZE = 10, 6


GOOD_OUTCOMES = ("success", "minimal-success", "telling-blow")


def list_rolls(facts: Sequence[object]) -> Iterator[Roll]:
    """Yield MIB rolls with their results so far, Experience Dice, Reactions and dice for development."""
    unreported_rolls: dict[str, rolls.MibRolled] = {}
    for fact in facts:
        match fact:
            case rolls.MibRolled():
                unreported_rolls[fact.roll] = fact
            case rolls.RollReported():
                yield _show_report(fact, unreported_rolls.pop(fact.roll, None))
            case experience.ExperienceDieRolled():
                yield Roll(
                    seat(fact.by), "Experience Die", (Die(EXPERIENCE_DIE_SIZE, fact.face),), total=fact.sign * fact.face
                )
            case reactions.OffGuardReactionRolled():
                experience_dice = tuple(
                    Die(EXPERIENCE_DIE_SIZE, abs(face), name="Experience Die") for face in fact.experience
                )
                dice = (*(Die(MIB_DIE_SIZE, face) for face in fact.dice), *experience_dice)
                word = "Engaged" if fact.engaged else "Off-Guard"
                yield Roll(character(fact.character), "Reaction", dice, success=fact.engaged, word=word)
            case cashing_in.DevelopmentRolled():
                dice = tuple(Die(EXPERIENCE_DIE_SIZE, face) for face in fact.faces)
                effect = format_count(fact.points, "Development Point")
                yield Roll(name="Development", dice=dice, total=fact.total, effect=effect)
            case _:
                pass
    for rolled in unreported_rolls.values():
        yield Roll(*_find_roller(rolled.roll), _show_dice(rolled), total=sum(rolled.dice))


def _show_report(fact: rolls.RollReported, rolled: rolls.MibRolled | None) -> Roll:
    """Return a MIB roll. The Actor's roll shows the outcome if it is the same against all Resistors.

    A Resistor's roll shows no outcome, because outcomes are the Actor's.
    """
    outcomes = set(fact.outcomes.values()) if fact.roll == ACTOR else set()
    outcome = outcomes.pop() if len(outcomes) == 1 else None
    is_made = fact.mib >= 0
    margin = f"Made by {fact.mib}" if is_made else f"Missed by {-fact.mib}"
    return Roll(
        *_find_roller(fact.roll, fact.actor),
        _show_dice(rolled),
        total=sum(rolled.dice) if rolled is not None else None,
        success=outcome in GOOD_OUTCOMES if outcome is not None else is_made,
        word=outcome.replace("-", " ").title() if outcome is not None else margin,
        effect=margin if outcome is not None else "",
    )


def _show_dice(rolled: rolls.MibRolled | None) -> tuple[Die, ...]:
    return tuple(Die(MIB_DIE_SIZE, face) for face in rolled.dice) if rolled is not None else ()


def _find_roller(side_name: str, actor_id: str | None = None) -> tuple[Subject | None, str]:
    """Return the Character that rolls or, if it is not known, a name for the roll."""
    roller_id = actor_id if side_name == ACTOR else side_name
    return (character(roller_id), "") if roller_id is not None else (None, "The Actor’s roll")


def list_kept_twice(subject: Subject, places: Places) -> Iterator[Twice]:
    """Yield the values that are both in a state and in an account, or twice in a state."""
    state = places.state(subject)
    if isinstance(state, Character):
        if HIT_POINTS in state.resources:
            hit_points_left = places.balance(subject, "resource", HIT_POINTS) - places.balance(
                subject, "shortfall", HIT_POINTS
            )
            yield Twice("hit_points", state.hit_points, hit_points_left, account="resource")
        ratings = {name: state.ratings[name].value for name in state.resources if name in state.ratings}
        yield Twice("resources", {name: state.resources[name] for name in ratings}, ratings)
    if isinstance(state, Scene):
        dice_count = sum(len(resolution.dice) for resolution in state.resolutions.values())
        yield Twice("dice", dice_count, places.balance(subject, "xd"), account="xd")
