"""What a seat may see: everything, for nothing is secret in this game. What is countable stands in the accounts."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import assert_never

from ledger.rules.kernel.frozen import once_each
from ledger.rules.kernel.json_types import by_name
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Subject, Viewer
from ledger.rules.scattershot.chart import OWN_FACETS, WithChart, facet
from ledger.rules.scattershot.facts_of_characters import EffectIndexed
from ledger.rules.scattershot.facts_of_play import AbilityListed
from ledger.rules.scattershot.reckoning import basic, modified
from ledger.rules.scattershot.sheet import Rated, is_magnitude
from ledger.rules.scattershot.state import Campaign, Character, Fight, Resolution, Scene, Seat, State


def view(subject: Subject, state: State, viewer: Viewer) -> Mapping[str, object]:
    """JSON values."""
    match state:
        case Character():
            return _character(state, viewer.dials)
        case Scene():
            return _scene(state)
        case Campaign():
            return _campaign(state)
        case Seat():
            return {"limit": state.limit, "words": list(state.words)}
        case _:
            assert_never(state)


def _character(who: Character, dials: WithChart | None) -> dict[str, object]:
    """`ratings`: each with its number; `points` in it: talent and training; `magnitudes`: as the chart has them."""
    return {
        "kind": who.kind,
        "net": who.net,
        "deviations": list(who.deviations),
        "ratings": {name: one.value for name, one in who.ratings.items()},
        "points": {name: one.points for name, one in who.ratings.items()},
        "listings": {name: _listing(one) for name, one in who.ratings.items() if one.difficulty},
        "magnitudes": {name: _magnitude(one, dials) for name, one in who.ratings.items() if is_magnitude(name, one)},
        "effects": {name: _effect(who, one) for name, one in who.effects.items()},
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


@once_each
def _magnitude(one: Rated, dials: WithChart | None) -> dict[str, object]:
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


def _effect(who: Character, one: EffectIndexed) -> dict[str, object]:
    """`number`: the facet of the Magnitude's Rating, exactly."""
    ability = who.ratings.get(one.ability)
    return {
        "facet": one.facet,
        "magnitude": ability.magnitude if ability is not None else None,
        "rating": one.rating,
        "number": str(Fraction(one.numerator, one.denominator)),
    }


def _listing(one: Rated) -> dict[str, object]:
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


def _scene(scene: Scene) -> dict[str, object]:
    """`fights`: by Scope; `fight`: the first of them."""
    fights = {scope: _fight(one) for scope, one in scene.fights.items()}
    return {
        "mode": scene.mode,
        "speaker": scene.speaker,
        "resolutions": {id: _resolution(one) for id, one in scene.resolutions.items()},
        "fight": next(iter(fights.values()), None),
        "fights": fights,
    }


def _fight(fight: Fight) -> dict[str, object]:
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


def _resolution(one: Resolution) -> dict[str, object]:
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


def _campaign(campaign: Campaign) -> dict[str, object]:
    elements = {name: one for box in campaign.elements.values() for name, one in box.items()}
    return {
        "begun": campaign.begun,
        "cj": campaign.cj,
        "ei": campaign.ei,
        "abilities": {name: _ability(one) for name, one in campaign.abilities.items()},
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


def _ability(one: AbilityListed) -> dict[str, object]:
    return {**by_name(one), "defaults": [by_name(near) for near in one.defaults]}
