"""What a seat may see: everything, for nothing is secret in this game. What is countable stands in the accounts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from ledger.rules.kernel.json_types import by_name
from ledger.rules.kernel.subjects import Subject, Viewer
from ledger.rules.mongrel.state import Campaign, Character, Scene, Seat, State, physique_of, power_of


def view(subject: Subject, state: State, viewer: Viewer) -> Mapping[str, object]:
    """JSON values."""
    match state:
        case Character():
            return _character(state)
        case Scene():
            return _scene(state)
        case Campaign():
            awards = [{"session": session, "points": points} for session, points in state.awards]
            return {
                "sessions_closed": state.closed,
                "last_session": state.last_session,
                "awards": awards,
                "clock": state.clock,
            }
        case Seat():
            return {}
        case _:
            assert_never(state)


def _character(who: Character) -> dict[str, object]:
    """`attributes`: lasting scores; `physique`: the current one, by which hits are judged and so the thresholds."""
    kept = (
        "house", "sex", "age", "npc", "primary", "body", "description", "status", "damage", "physique_loss",
        "beauty_temp", "ap_imposed", "collapsed", "terminal", "dying", "dead", "recovering", "exhausted", "minute",
    )  # fmt: skip
    scores = ("identity", "chosen", "lowered", "attributes", "expertise", "power")
    listed = ("unnatural", "deviations", "picks", "refreshes", "played")
    size, physique = who.attributes.get("size", 0), physique_of(who)
    return {
        **{name: getattr(who, name) for name in kept},
        **{name: dict(getattr(who, name)) for name in scores},
        **{name: list(getattr(who, name)) for name in listed},
        "power_expertise": power_of(who),
        "physique": physique,
        "wound_threshold": [size, size + physique, size + 2 * physique],
        "appearance": _appearance(who),
        "vows": [by_name(vow) for vow in who.vows],
        "possessions": [{"id": id, **by_name(item)} for id, item in who.possessions.items()],
        "used": [{"session": one.session, "features": list(one.features)} for one in who.used],
        "awarded": [{"reason": reason, "session": session} for reason, session in who.awarded],
    }


def _appearance(who: Character) -> dict[str, object]:
    """What the scores make of the body: the other Identities show as details, one of 0 not at all."""
    details = {name: score for name, score in who.identity.items() if score > 0 and name != who.primary}
    power = {option: points for option, points in who.power.items() if points > 0}
    return {"form": who.body, "unnatural": list(who.unnatural), "details": details, "power": power}


def _scene(scene: Scene) -> dict[str, object]:
    conflict = scene.conflict
    if conflict is None:
        return {"conflict": None}
    action = by_name(conflict.action) if conflict.action is not None else None
    if action is not None:
        action["power"] = list(action["power"])
        action["target_attribute"] = conflict.target_attribute
    return {
        "conflict": {
            "participants": list(conflict.participants),
            "queue": list(conflict.queue),
            "action": action,
        }
    }
