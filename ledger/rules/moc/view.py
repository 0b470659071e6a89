"""What each seat may see: never the deck, a hand only its player, opposed dice only who rolled until it is over."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import assert_never

from ledger.rules.kernel.frozen import once_each
from ledger.rules.kernel.json_types import by_name
from ledger.rules.kernel.subjects import Audience, Subject, Viewer
from ledger.rules.moc.numbers import daze_limit, pain_capacity
from ledger.rules.moc.piles import standing
from ledger.rules.moc.purchases import modes_bought
from ledger.rules.moc.state import Campaign, Character, Scene, Seat, State, Story, actions_in
from ledger.rules.moc.state_of_actions import Action, Part, hidden
from ledger.rules.moc.state_of_combat import Damage
from ledger.rules.moc.terms import LEVEL_NAMES, POINT

Seen = dict[str, object]
_shown = once_each(by_name)
NO_DAMAGE = Damage()


def view(subject: Subject, state: State, viewer: Viewer) -> Mapping[str, object]:
    match state:
        case Character():
            return _character(state, viewer)
        case Scene():
            return _scene(state, viewer)
        case Campaign():
            return _campaign(state)
        case Seat():
            known = viewer.role == "gm" or viewer.seat == subject.id
            return {"session": state.session, "named": list(state.named)} if known else {}
        case _:
            assert_never(state)


def _character(who: Character, viewer: Viewer) -> Seen:
    ratings = who.ratings
    seen: Seen = {
        "archetype": who.archetype,
        "villain": who.villain,
        "primaries": list(who.primaries),
        "secondaries": list(who.secondaries),
        "ratings": dict(ratings),
        "skills": dict(who.skills),
        "counts": dict(who.counts),
        "elements": dict(who.elements),
        "traits": {id: by_name(one) for id, one in who.traits.items()},
        "budget": str(Fraction(who.budget, POINT)),
        "earned": str(Fraction(who.earned, POINT)),
        "hand": list(who.hand) if viewer.may_see(who.seen_by) else None,
        "drawn": who.drawn,
        "allocated": who.allocated,
        "may_allocate": not who.allocated or who.asked,
        "pools": dict(who.pools),
        "gained": dict(who.gained),
        "asked": who.asked,
        "related": {key: list(skills) for key, skills in who.related.items()},
        "damage": who.damage,
        "pain": who.pain,
        "pain_turn": who.pain_turn,
        "healing_days": who.healing_days,
        "fatigue": who.fatigue,
        "dazed": who.dazed,
        "recovering": who.recovering,
        "due": who.due,
        "acted_scene": who.acted_scene,
        "acted_turn": who.acted_turn,
        "acted_halves": who.acted_halves,
        "used": dict(who.used),
        "status": who.status,
        "fell": who.fell,
        "dodge": -who.dodge,
        "half_defence": who.half_defence,
        "harmed_by": who.harm.hit if who.harm is not None else None,
        "left": dict(who.left),
        "heir_of": list(who.heir_of),
        "healing": by_name(who.healing) if who.healing is not None else None,
    }
    if ratings:
        seen |= {
            "pain_capacity": pain_capacity(ratings),
            "daze_limit": daze_limit(ratings),
            "movement": {
                "primary": 2 * ratings.get("Sp", 1) + ratings.get("body", 1),
                "secondary": ratings.get("Sp", 1) + ratings.get("body", 1),
                **modes_bought(who.counts),
            },
        }
    return seen


def _scene(scene: Scene, viewer: Viewer) -> Seen:
    gm = viewer.role == "gm"
    return {
        "phase": scene.phase,
        "cast": list(scene.cast),
        "turn": scene.turn,
        "order": [list(group) for group in scene.order],
        "pool": list(scene.pool) if gm else None,
        "actions": [_action(one, tuple(map(viewer.may_see, _audiences(one)))) for one in actions_in(scene)],
        "hits": [{**_shown(one), "rolled": _damage(scene, one.id)} for one in scene.hits.values()],
        "initiative": _shown(scene.initiative),
        "story": _story(scene.story),
        "answered": [list(one) for one in scene.answered],
        "arts": dict(scene.arts),
    }


def _story(story: Mapping[str, Story]) -> Seen:
    """`stands`: neither vetoed nor trumped."""
    return {
        id: {**by_name(one), "stands": not one.vetoed and (not one.plays or one.plays[0] in standing(one.plays))}
        for id, one in story.items()
    }


def _damage(scene: Scene, hit: str) -> Seen:
    return _shown(scene.damage.get(hit, NO_DAMAGE))


@once_each
def _audiences(action: Action) -> tuple[Audience, ...]:
    """Of each part who may see its dice."""
    return tuple(hidden(action, place) for place in range(len(action.parts)))


@once_each
def _action(action: Action, dice_seen: tuple[bool, ...]) -> Seen:
    """`dice_seen`: of each part whether this seat may."""
    return {
        "id": action.id,
        "character": action.character,
        "text": action.text,
        "split": action.split,
        "penalty": action.penalty,
        "dice": action.dice,
        "activated": dict(action.activated),
        "tired": action.tired,
        "stage": action.stage,
        "parts": [_part(part, seen) for part, seen in zip(action.parts, dice_seen, strict=True)],
        "plays": [by_name(play) for play in action.plays],
    }


def _part(part: Part, seen_dice: bool) -> Seen:
    """Dice of an opposed roll are hidden until it is told; that they were rolled is not."""
    seen = by_name(part)
    seen |= seen.pop("roll")
    seen["required"] = LEVEL_NAMES.get(part.roll.required, str(part.roll.required))
    seen["fallen"] = len(part.faces)
    seen["outcome"] = LEVEL_NAMES.get(part.outcome) if part.outcome is not None else None
    if not seen_dice:
        seen |= {"faces": None, "bonus": None}
    return seen


def _campaign(campaign: Campaign) -> Seen:
    return {
        "phase": campaign.phase,
        "scenes": campaign.scenes,
        "arc": campaign.arc,
        "arc_name": campaign.arc_name,
        "arc_ended": campaign.arc_ended,
        "tallied": campaign.tallied,
        "last_session": campaign.last_session,
        "shown": list(campaign.shown),
        "skills": {name: by_name(one) for name, one in campaign.skills.items()},
        "weapons": {name: by_name(one) for name, one in campaign.weapons.items()},
        "locations": {name: by_name(one) for name, one in campaign.locations.items()},
        "healing": dict(campaign.healing),
        "ag": dict(campaign.ag),
        "uses": dict(campaign.uses),
        "story": _story(campaign.story),
    }
