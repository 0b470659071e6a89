"""What is shown of a state (all of it: nothing is secret in this game), rolls shown as dice, and what is kept twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import assert_never

from ledger.rules.kernel.contract import Twice
from ledger.rules.kernel.frozen import cached_by_record
from ledger.rules.kernel.json_types import by_name
from ledger.rules.kernel.kept_twice import Places
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.rolls import Die, Roll, format_count
from ledger.rules.kernel.subjects import Subject, Viewer, character, seat
from ledger.rules.scattershot import cashing_in, experience, reactions, rolls
from ledger.rules.scattershot.chart import OWN_FACETS, WithChart, facet
from ledger.rules.scattershot.resources import HIT_POINTS
from ledger.rules.scattershot.scene import Fight, Resolution, Scene, State, basic, modified
from ledger.rules.scattershot.state import AbilityListed, Campaign, Character, EffectIndexed, Rated, Seat, is_magnitude
from ledger.rules.scattershot.words import ACTOR


def view(subject: Subject, state: State, viewer: Viewer) -> Mapping[str, object]:
    """JSON values."""
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


def _view_character(who: Character, dials: WithChart | None) -> dict[str, object]:
    """`ratings`: each with its number; `points` in it: talent and training; `magnitudes`: as the chart has them."""
    return {
        "kind": who.kind,
        "net": who.net,
        "deviations": list(who.deviations),
        "ratings": {name: one.value for name, one in who.ratings.items()},
        "points": {name: one.points for name, one in who.ratings.items()},
        "listings": {name: _view_listing(one) for name, one in who.ratings.items() if one.difficulty},
        "magnitudes": {
            name: _view_magnitude(one, dials) for name, one in who.ratings.items() if is_magnitude(name, one)
        },
        "effects": {name: _view_effect(who, one) for name, one in who.effects.items()},
        "damages": {weapon: list(damages) for weapon, damages in who.damages.items()},
        "advantages": [by_name(one) for one in who.advantages],
        "disadvantages": [by_name(one) for one in who.disadvantages],
        "elements": list(who.elements),
        "description": who.description,
        "protection": [by_name(piece) for piece in who.protection],
        "resources": dict(who.resources),
        "out_of_the_fight": who.is_out,
        "fights_on": who.fights_on,
        "residuals": [
            {
                "residual": one.residual,
                "amount": one.amount,
                "scope": one.scope,
                "source": one.source,
                "until": one.until,
            }
            for one in who.residuals
        ],
        "pending": who.pending,
        "penalty": who.penalty,
        "off_guard": list(who.off_guard),
        "off_guard_but": who.off_guard_but,
        "wounds": list(who.wounds),
    }


@cached_by_record
def _view_magnitude(one: Rated, dials: WithChart | None) -> dict[str, object]:
    """The facets of its Rating, exactly: those there are."""
    noted: dict[str, object] = {"rating": one.value}
    if dials is None:
        return noted
    for name in OWN_FACETS:
        try:
            noted[name] = str(facet(dials, one.value, name))
        except Refused:
            continue
    return noted


def _view_effect(who: Character, one: EffectIndexed) -> dict[str, object]:
    """`number`: the facet of the Magnitude's Rating, exactly."""
    ability = who.ratings.get(one.ability)
    return {
        "facet": one.facet,
        "magnitude": ability.magnitude if ability is not None else None,
        "rating": one.rating,
        "number": str(Fraction(one.numerator, one.denominator)),
    }


def _view_listing(one: Rated) -> dict[str, object]:
    return {
        "kind": one.kind,
        "difficulty": one.difficulty,
        "type": one.type,
        "use": one.use,
        "scope": one.scope,
        "duration": one.duration,
        "opportunity": one.opportunity,
        "power_cost": one.power_cost,
        "script": list(one.script),
    }


def _view_scene(scene: Scene) -> dict[str, object]:
    """`fights`: by Scope; `fight`: the first of them."""
    fights = {scope: _view_fight(one) for scope, one in scene.fights.items()}
    return {
        "mode": scene.mode,
        "speaker": scene.speaker,
        "resolutions": {id: _view_resolution(one) for id, one in scene.resolutions.items()},
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
        "standing": {id: {**by_name(one), "free": list(one.free)} for id, one in fight.standing.items()},
        "away": {id: {**by_name(one), "free": list(one.free)} for id, one in fight.away.items()},
        "flurry": None if fight.flurry is None else {**by_name(fight.flurry), "script": list(fight.flurry.script)},
    }


def _view_resolution(one: Resolution) -> dict[str, object]:
    return {
        "actor": one.actor,
        "text": one.deed.text,
        "phase": one.phase,
        "player": one.player,
        "subject": one.subject,
        "target": one.target,
        "engaged": dict(one.engaged),
        "sides": {
            name: {
                **by_name(side),
                "dice": list(side.dice),
                "modified": modified(one, name),
                "mib": basic(one, name),
            }
            for name, side in one.sides.items()
        },
        "reactions": {id: by_name(reaction) for id, reaction in one.reactions.items()},
        "dice": [by_name(die) for die in one.dice],
        "reached": [by_name(reached) for reached in one.reached],
        "junctures": [by_name(juncture) for juncture in one.junctures],
    }


def _view_campaign(campaign: Campaign) -> dict[str, object]:
    elements = {name: one for box in campaign.elements.values() for name, one in box.items()}
    return {
        "begun": campaign.begun,
        "cj": campaign.cj,
        "ei": campaign.ei,
        "abilities": {name: _view_ability(one) for name, one in campaign.abilities.items()},
        "uses": {name: {**by_name(one), "script": list(one.script)} for name, one in campaign.uses.items()},
        "advantages": {name: by_name(one) for name, one in campaign.advantages.items()},
        "free_skills": dict(campaign.free_skills),
        "free_actions": list(campaign.free_actions),
        "weapons": dict(campaign.weapons),
        "agreements": dict(campaign.agreements),
        "expectations": {name: by_name(one) for name, one in campaign.expectations.items()},
        "clockwise": list(campaign.clockwise),
        "present": list(campaign.present),
        "elements": {
            name: {"proprietor": one.proprietor, "consents": dict(one.consents)} for name, one in elements.items()
        },
    }


def _view_ability(one: AbilityListed) -> dict[str, object]:
    return {**by_name(one), "defaults": [by_name(near) for near in one.defaults]}


MIB, EXPERIENCE = 10, 6


GOOD = ("success", "minimal-success", "telling-blow")


def list_rolls(facts: Sequence[object]) -> Iterator[Roll]:
    """A MIB roll with what it amounts to so far; Experience Dice; a Reaction; the dice of Development."""
    fallen: dict[str, rolls.MibRolled] = {}
    for fact in facts:
        match fact:
            case rolls.MibRolled():
                fallen[fact.roll] = fact
            case rolls.RollReported():
                yield _show_report(fact, fallen.pop(fact.roll, None))
            case experience.ExperienceDieRolled():
                yield Roll(seat(fact.by), "Experience Die", (Die(EXPERIENCE, fact.face),), total=fact.sign * fact.face)
            case reactions.OffGuardReactionRolled():
                added = tuple(Die(EXPERIENCE, abs(face), name="Experience Die") for face in fact.experience)
                dice = (*(Die(MIB, face) for face in fact.dice), *added)
                word = "Engaged" if fact.engaged else "Off-Guard"
                yield Roll(character(fact.character), "Reaction", dice, success=fact.engaged, word=word)
            case cashing_in.DevelopmentRolled():
                dice = tuple(Die(EXPERIENCE, face) for face in fact.faces)
                effect = format_count(fact.points, "Development Point")
                yield Roll(name="Development", dice=dice, total=fact.total, effect=effect)
            case _:
                pass
    for rolled in fallen.values():
        yield Roll(_find_roller(rolled.roll), _name_roll(rolled.roll), _show_dice(rolled), total=sum(rolled.dice))


def _show_report(fact: rolls.RollReported, rolled: rolls.MibRolled | None) -> Roll:
    """A number for the Actor alone is the result; against Resistors there may be one for each."""
    outcomes = set(fact.outcomes.values())
    outcome = outcomes.pop() if len(outcomes) == 1 else None
    made = fact.mib >= 0
    success = outcome in GOOD if outcome is not None else made
    by = f"Made by {fact.mib}" if made else f"Missed by {-fact.mib}"
    word = outcome.replace("-", " ").title() if outcome is not None else "Made" if made else "Missed"
    return Roll(
        _find_roller(fact.roll),
        _name_roll(fact.roll),
        _show_dice(rolled),
        total=sum(rolled.dice) if rolled is not None else None,
        success=success,
        word=word,
        effect=by,
    )


def _show_dice(rolled: rolls.MibRolled | None) -> tuple[Die, ...]:
    return tuple(Die(MIB, face) for face in rolled.dice) if rolled is not None else ()


def _find_roller(side: str) -> Subject | None:
    return character(side) if side != ACTOR else None


def _name_roll(side: str) -> str:
    return "The Actor’s roll" if side == ACTOR else "The Resistor’s roll"


def kept_twice(subject: Subject, places: Places) -> Iterator[Twice]:
    state = places.state(subject)
    if isinstance(state, Character):
        if HIT_POINTS in state.resources:
            left = places.balance(subject, "resource", HIT_POINTS) - places.balance(subject, "shortfall", HIT_POINTS)
            yield Twice("hit_points", state.hit_points, left, account="resource")
        ratings = {name: state.ratings[name].value for name in state.resources if name in state.ratings}
        yield Twice("resources", {name: state.resources[name] for name in ratings}, ratings)
    if isinstance(state, Scene):
        dice = sum(len(one.dice) for one in state.resolutions.values())
        yield Twice("dice", dice, places.balance(subject, "xd"), account="xd")
