"""What every rule stands on: the characters, the open scene, its round, the open attack; and the ruling being written.

Each helper refuses what is missing, so that refusals of context come in one order: scene, round, participant, attack.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ledger.rules.intensity.dials import Dials
from ledger.rules.intensity.facts import Fact
from ledger.rules.intensity.state import Character, OpenAttack, Participant, Round, Scene
from ledger.rules.kernel.contract import About, Posting, Step, Table, Verdict, step
from ledger.rules.kernel.purses import unit_of
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Subject, character


@dataclass(frozen=True, slots=True)
class Place:
    """The open scene."""

    subject: Subject
    scene: Scene


def known(table: Table[Dials], id: str) -> Character:
    """The character. Refuses `unknown-character`."""
    return table.get(character(id), Character)


def is_out(table: Table[Dials], id: str) -> bool:
    """Whether a fate (or retirement) keeps the character from taking part."""
    return known(table, id).out is not None or not table.is_open(character(id))


def is_gone(table: Table[Dials], id: str) -> bool:
    """Whether the character is out for good."""
    return known(table, id).out == "permanent" or not table.is_open(character(id))


def everybody(table: Table[Dials]) -> list[str]:
    """All characters, in the order in which they joined."""
    return [subject.id for subject in table.subjects("character")]


def in_name_order(table: Table[Dials], ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(ids, key=lambda id: (table.name(character(id)), id)))


def the_scene(table: Table[Dials], rule: str) -> Place:
    """The open scene. Refuses `no-scene`."""
    here = table.scene
    if here is None or not table.has(here) or not table.is_open(here):
        raise Refused(rule, "no-scene")
    return Place(here, table.get(here, Scene))


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


class Ruling:
    """A verdict being written: its facts in order, what they move, and the steps that led there."""

    def __init__(self, table: Table[Dials]) -> None:
        self._table = table
        self._facts: list[About[Fact]] = []
        self._because: list[Step] = []
        self._moved: dict[str, int] = {}

    def tell(self, subject: Subject, done: Fact, *moved: Posting | None) -> None:
        postings = tuple(posting for posting in moved if posting is not None)
        about: About[Fact] = About(subject, done, postings)
        self._facts.append(about)
        for posting in postings:
            self._moved[posting.source] = self._moved.get(posting.source, 0) - posting.amount
            self._moved[posting.target] = self._moved.get(posting.target, 0) + posting.amount

    def by(self, rule: str, out: Any, **given: Any) -> None:
        """A step of the derivation."""
        self._because.append(step(rule, out, **given))

    def taken(self, source: str, amount: int | None = None, target: str | None = None) -> Posting | None:
        """A posting out of a bounded account (left out: all of it) to the bank or elsewhere, as far as it holds that.

        What the table set by amendment was never counted, so it need not be counted back.
        """
        unit = unit_of(source)
        left = self._table.balance(source) + self._moved.get(source, 0)
        there = left if amount is None else min(amount, left)
        if there < 1:
            return None
        return Posting(source, target or f"bank/{unit}", unit, there)

    def verdict(self) -> Verdict[Fact]:
        return Verdict(tuple(self._facts), tuple(self._because))
