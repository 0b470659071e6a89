"""What a seat may see: everything, for nothing is secret in this game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from ledger.rules.intensity.dials import Dials
from ledger.rules.intensity.order import standing
from ledger.rules.intensity.state import Campaign, Character, OpenAttack, Participant, Round, Scene, Seat, State
from ledger.rules.intensity.tables import INTENSITY
from ledger.rules.intensity.traits import current_sizes
from ledger.rules.kernel.subjects import Subject, Viewer


def view(subject: Subject, state: State, viewer: Viewer) -> Mapping[str, object]:
    """JSON values. A trait's `size` is the die it brings now, under the dials in force (left out: the usual ones)."""
    match state:
        case Character():
            dials = viewer.dials if isinstance(viewer.dials, Dials) else Dials()
            return _character(state, one_per_kind=dials.stacking == "one_per_kind")
        case Scene():
            return _scene(state)
        case Campaign():
            links = [list(link) for link in sorted(state.links)]
            return {"healed_on": state.healed_on, "last_scene": state.last_scene, "in_conflict": links}
        case Seat():
            return {}
        case _:
            assert_never(state)


def _character(who: Character, *, one_per_kind: bool) -> dict[str, object]:
    sizes = current_sizes(who, one_per_kind=one_per_kind)
    return {
        "kind": who.kind,
        "traits": [{"name": trait.name, "base": trait.base, "size": sizes[trait.name]} for trait in who.traits],
        "impacts": [
            {"impact": id, "kind": weight.kind, "trait": weight.trait, "by": weight.by, "cause": weight.cause}
            for id, weight in who.impacts.items()
        ],
        "out": who.out,
        "out_for": who.out_for,
        "healed_on": who.healed_on,
    }


def _scene(scene: Scene) -> dict[str, object]:
    return {
        "round": _round(scene.round) if scene.round is not None else None,
        "fatals": [
            {
                "fatal": id,
                "holder": held.holder,
                "subject": held.subject,
                "trait_used": held.trait_used,
                "attack": held.attack,
            }
            for id, held in scene.fatals.items()
        ],
        "levels": dict(scene.levels),
    }


def _round(round: Round) -> dict[str, object]:
    return {
        "round": round.id,
        "participants": [{"char": id, **_participant(one)} for id, one in round.participants.items()],
        "order": [list(group) for group in round.groups] if round.groups is not None else None,
        "ties_settled": [list(ranking) for ranking in round.rankings],
        "attack": _attack(round.attack) if round.attack is not None else None,
    }


def _participant(one: Participant) -> dict[str, object]:
    return {
        "level": one.level,
        "maximum": INTENSITY[one.level] if one.level is not None else None,
        "target": one.target,
        "trait": one.trait,
        "text": one.text,
        "turn": one.turn,
        "standing": [die.face for die in standing(one)],
        "dice": {
            name: {"size": die.size, "face": die.face, "picked_up": die.picked_up, "defence": die.defence}
            for name, die in one.dice.items()
        },
    }


def _attack(attack: OpenAttack) -> dict[str, object]:
    return {
        "attack": attack.id,
        "attacker": attack.attacker,
        "defender": attack.defender,
        "answered": attack.answered,
        "success": attack.success,
        "bought": list(attack.bought),
    }
