"""What is checked again and again: the open scene, its round, its open attack; lists and words.

Each helper refuses what is missing, so that refusals of context come in one order: scene, round, participant, attack.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ledger.rules.intensity.draft import Draft
from ledger.rules.intensity.state import OpenAttack, Participant, Round, Scene
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Subject


@dataclass(frozen=True, slots=True)
class Place:
    """The open scene."""

    subject: Subject
    scene: Scene


def the_scene(draft: Draft, rule: str) -> Place:
    """The open scene. Refuses `no-scene`."""
    here = draft.table.scene
    if here is None or not draft.table.has(here) or not draft.table.is_open(here):
        raise Refused(rule, "no-scene")
    return Place(here, draft.table.get(here, Scene))


def the_round(place: Place, rule: str) -> Round:
    """The open round. Refuses `no-round`."""
    if place.scene.round is None:
        raise Refused(rule, "no-round", scene=place.subject.id)
    return place.scene.round


def the_participant(round: Round, id: str, rule: str) -> Participant:
    """Refuses `not-in-round`."""
    if id not in round.participants:
        raise Refused(rule, "not-in-round", char=id)
    return round.participants[id]


def the_attack(round: Round, rule: str) -> OpenAttack:
    """The open attack. Refuses `no-attack`."""
    attack = round.attack
    if attack is None or not {attack.attacker, attack.defender} <= set(round.participants):
        raise Refused(rule, "no-attack", round=round.id)
    return attack


def check_once(ids: Iterable[str], rule: str) -> None:
    """Refuses `duplicate` when something is named twice."""
    seen: set[str] = set()
    for id in ids:
        if id in seen:
            raise Refused(rule, "duplicate", named=id)
        seen.add(id)


def check_text(rule: str, name: str, text: str) -> None:
    """Refuses `text-blank` where words are needed."""
    if not text.strip():
        raise Refused(rule, "text-blank", field=name)
