"""Levels of Intensity: everybody stakes how much they care, rolls at once, and has two dice for offence and defence.

Each chapter of the source is a module, and `RULESET` is made of them. Above it: what a seat is shown of a state, which
is everything, because nothing is secret in this game; and which values are kept twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import assert_never

from ledger.rules.intensity import (
    advantage,
    attacks,
    bargains,
    characters,
    draft,
    fatals,
    fates,
    healing,
    impact,
    levels,
    moment,
    order,
    rolling,
    rounds,
    scenes,
)
from ledger.rules.intensity.characters import PEOPLE, Sheet, current_sizes
from ledger.rules.intensity.dials import Dials
from ledger.rules.intensity.order import standing
from ledger.rules.intensity.state import (
    INTENSITY,
    REFERENCES,
    Campaign,
    Character,
    OpenAttack,
    Participant,
    Round,
    Scene,
    Seat,
    State,
)
from ledger.rules.kernel.assembling import ruleset
from ledger.rules.kernel.commands import Adjust
from ledger.rules.kernel.contract import AnyRuleset, Twice
from ledger.rules.kernel.kept_twice import Places
from ledger.rules.kernel.sentences import moving
from ledger.rules.kernel.subjects import Subject, Viewer

__all__ = ["RULESET"]


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
        "participants": [{"char": id, **_participant(participant)} for id, participant in round.participants.items()],
        "order": [list(group) for group in round.groups] if round.groups is not None else None,
        "ties_settled": [list(ranking) for ranking in round.rankings],
        "attack": _attack(round.attack) if round.attack is not None else None,
    }


def _participant(participant: Participant) -> dict[str, object]:
    return {
        "level": participant.level,
        "maximum": INTENSITY[participant.level] if participant.level is not None else None,
        "target": participant.target,
        "trait": participant.trait,
        "text": participant.text,
        "turn": participant.turn,
        "standing": [die.face for die in standing(participant)],
        "dice": {
            name: {"size": die.size, "face": die.face, "picked_up": die.picked_up, "defence": die.defence}
            for name, die in participant.dice.items()
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


# --- kept twice ---


def kept_twice(subject: Subject, places: Places) -> Iterator[Twice]:
    state = places.state(subject)
    if isinstance(state, Character):
        yield Twice("impacts", len(state.impacts), places.balance(subject, "impact"), account="impact")
    if isinstance(state, Scene):
        held = Counter(fatal.holder for fatal in state.fatals.values())
        yield Twice("fatals", dict(held), dict(places.balances(subject, "fatal")), account="fatal")
        yield Twice("dice", _dice(state.round), dict(places.balances(subject, "die")), account="die")
        declared = _declared(state.round)
        yield Twice("levels", declared, {id: state.levels.get(id) for id in declared})


def _dice(round: Round | None) -> dict[str, int]:
    """How many dice lie on the table, as the accounts have them."""
    counts: dict[str, int] = {}
    for id, participant in round.participants.items() if round is not None else ():
        defending = sum(die.picked_up for die in participant.dice.values())
        counts |= {f"standing-{id}": len(participant.dice) - defending, f"defence-{id}": defending}
    return {name: count for name, count in counts.items() if count}


def _declared(round: Round | None) -> dict[str, object]:
    participants: dict[str, Participant] = dict(round.participants) if round is not None else {}
    return {id: who.level for id, who in participants.items() if who.level is not None}


RULESET: AnyRuleset = ruleset(
    "intensity",
    title="Levels of Intensity",
    source="An untitled game whose first heading is “Levels of Intensity”",
    edition=2,
    chapters=(
        draft, characters, levels, rounds, rolling, order, attacks, advantage, impact, bargains, fatals, fates, healing,
        moment, scenes,
    ),
    draft=draft.Draft,
    states={"campaign": Campaign, "seat": Seat, "character": Character, "scene": Scene},
    dials=Dials,
    sheet=Sheet,
    accounts=draft.ACCOUNTS,
    view=view,
    kept_twice=kept_twice,
    references=REFERENCES,
    people=PEOPLE,
    says={Adjust: moving({"ap": "{amount:advantage point|advantage points} against {who}"})},
    #: What people call a value that is worked out, or that an account or a derivation holds.
    labels={
        "size": "Current die", "in_conflict": "In conflict with each other", "maximum": "Maximum",
        "ties_settled": "Resolved ties", "char": "Character", "ap": "Advantage points",
        "attack4": "Bought for the attack", "defence4": "Bought for the defence", "scope": "Once a day",
    },
    refers={
        "in_conflict": "character", "order": "character", "ties_settled": "character", "against": "character",
        "impact": "id", "fatal": "id", "round": "id",
    },
    named={
        "participants": "character", "parties": "character", "attack": "id", "fatal": "id", "answers": "id",
    },
    #: Names in a refusal or a derivation that hold ids of characters: one, then several.
    characters_in=(
        "char", "character", "who", "by", "target", "holder", "against", "defender", "subject", "next",
        "tied", "pending", "undeclared", "named", "to_roll", "equal", "needed", "hurt", "unharmed", "healing",
    ),
)  # fmt: skip
