"""The current state of each subject. Countable values (Action Points, Resolve, Beauty, Credit, points) are in accounts.

Declared actions are here too, because their conflict stores them. Below the states are the values derived from them,
and helpers for writing how a fact changes a character or a conflict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Annotated, Any, TypeAlias, TypeVar

from ledger.rules.kernel.kit import CharacterId, Names, Reason, Ref, changing, fact
from ledger.rules.mongrel.tables import GOVERNED_BY, PHYSICAL, POWERS
from ledger.rules.mongrel.terms import (
    Age,
    AttributeName,
    ExpertiseName,
    HitKind,
    House,
    Identity,
    OptionName,
    Sex,
    VowEnd,
    add_difficulty,
    say,
)


@dataclass(frozen=True, slots=True)
class Vow:
    """A Vow. `ended`: how the Vow ended, if it has ended. `session`: the last session in which it was kept."""

    object: str
    about: str
    ended: VowEnd | None = None
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Possession:
    """Something that a character owns. `credit`: the Credit with the `house` that was paid for it. `weapon`, `armour`:
    its value as a weapon and as armour, if it is one.
    """

    item: str
    credit: int
    house: House | None
    weapon: int | None
    armour: int | None


@dataclass(frozen=True, slots=True)
class Used:
    """Features used in the session of this number."""

    session: int
    features: tuple[str, ...]


# --- an action, kept until it is carried out -------------------------------------------------------------------------


def say_attack(do_or_fact: Any, names: Names) -> str:
    """Put into words an action on a character, by its kind of hit."""
    kind = do_or_fact.hit_kind
    is_hurting = kind != "none" if kind is not None else do_or_fact.expertise in {*PHYSICAL, "chill"}
    deed_phrase = "attacks {target} with {expertise}" if is_hurting else "tries {expertise} on {target}"
    phrase = (
        f"{{actor}} {deed_phrase}[, helped by {{power}}], against {{attribute}}"
        f"[ (or {{target_attribute}}, if {{target}} defends)]{add_difficulty(do_or_fact)}[, commanding: {{command}}]"
        "[: {purpose}]."
    )
    return say(phrase, do_or_fact, names)


@fact("action-declared", says=say_attack)
class ActionDeclared:
    """An action aimed at a character was declared. `weapon_used`, `armour_worn`: possessions whose values count."""

    actor: CharacterId
    target: CharacterId
    expertise: ExpertiseName
    attribute: AttributeName
    power: tuple[OptionName, ...]
    difficulty: int
    reason: Reason
    taken_off: int
    taken_off_reason: Reason
    hit_kind: HitKind
    weapon: int
    armour: int
    command: Reason
    purpose: Reason
    weapon_used: Annotated[str, Ref("possession", of="actor")] | None
    armour_worn: Annotated[str, Ref("possession", of="target")] | None


# --- the states ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Character:
    """A character. `attributes`: the lasting scores. `damage`: the running total. `physique_loss`: the Physique lost to
    wounds.

    `beauty_temp`: Beauty lost temporarily and not yet healed, not counting permanent losses. `dying`: whether terminal
    damage waits for a decision. `refreshes`: the minutes of counted refreshes in the last hour, in order. `minute`: the
    minute of the campaign's clock at which the character last recovered.

    `used`: the features used in the latest two sessions. `played`: the latest sessions in which the character acted
    without a roll or was recorded as present. `awarded`: (reason, session) of the latest awards. `possessions`: the
    possessions by id.
    """

    house: House | None = None
    sex: Sex | None = None
    age: Age | None = None
    npc: bool = False
    identity: Mapping[str, int] = field(default_factory=dict)
    primary: Identity = "man"
    body: str = ""
    unnatural: tuple[str, ...] = ()
    chosen: Mapping[str, int] = field(default_factory=dict)
    lowered: Mapping[str, int] = field(default_factory=dict)
    attributes: Mapping[str, int] = field(default_factory=dict)
    expertise: Mapping[str, int] = field(default_factory=dict)
    picks: tuple[str, ...] = ()
    power: Mapping[str, int] = field(default_factory=dict)
    vows: tuple[Vow, ...] = ()
    possessions: Mapping[str, Possession] = field(default_factory=dict)
    description: str = ""
    status: int | None = None
    deviations: tuple[str, ...] = ()
    damage: int = 0
    physique_loss: int = 0
    beauty_temp: int = 0
    ap_imposed: bool = False
    collapsed: bool = False
    terminal: bool = False
    dying: bool = False
    dead: bool = False
    recovering: bool = False
    refreshes: tuple[int, ...] = ()
    minute: int | None = None
    exhausted: bool = False
    used: tuple[Used, ...] = ()
    played: tuple[int, ...] = ()
    awarded: tuple[tuple[str, str], ...] = ()
    adrift: tuple[Any, ...] = ()

    @property
    def is_created(self) -> bool:
        return self.house is not None

    def note(self, fact: object) -> Character | None:
        """Return the character unchanged, or None if the character was not created; the fact then goes adrift."""
        return self if self.house is not None else None


@dataclass(frozen=True, slots=True)
class Conflict:
    """A conflict. `participants`: all characters who ever took part. `queue`: the characters who still take part, the
    next to act first.

    `action`: the action that was declared and has not been carried out. `target_attribute`: the attribute that a
    defence against this action uses, if it differs.
    """

    participants: tuple[str, ...] = ()
    queue: tuple[str, ...] = ()
    action: ActionDeclared | None = None
    target_attribute: str | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    conflict: Conflict | None = None
    adrift: tuple[Any, ...] = ()

    def note(self, fact: object) -> Scene | None:
        return self if self.conflict is not None else None


@dataclass(frozen=True, slots=True)
class Campaign:
    """The campaign. `closed`: how many sessions have been closed. `last_session`: the latest of them. `awards`:
    (session, points) of the latest awards.

    `clock`: the minute of the clock; None until it is first moved.
    """

    closed: int = 0
    last_session: str | None = None
    awards: tuple[tuple[str, int], ...] = ()
    clock: int | None = None
    adrift: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat. The game stores nothing about seats."""

    adrift: tuple[Any, ...] = ()


State: TypeAlias = Character | Scene | Campaign | Seat


# --- derived values --------------------------------------------------------------------------------------------------


def work_out_physique(state: Character) -> int:
    """Return the current Physique: the lasting score minus the loss to wounds, but not below 0."""
    return max(0, state.attributes.get("physique", 0) - state.physique_loss)


def find_power(state: Character) -> str:
    return POWERS[state.primary]


def find_governing_identity(state: Character, expertise: str) -> Identity:
    """Return the Identity that adds to the Effect; for a Power by itself, the primary Identity."""
    return state.primary if expertise in POWERS.values() else GOVERNED_BY[expertise]


# --- how facts change states -----------------------------------------------------------------------------------------

#: For how many sessions used features are kept, and how many awards are kept. Older ones are never needed.
KEPT_SESSIONS, KEPT_AWARDS = 2, 4

F = TypeVar("F")
with_conflict = changing(Scene, "conflict")
with_action = changing(Conflict, "action", "target_attribute")
with_queue_and_action = changing(Conflict, "queue", "action")


def in_its_conflict(change: Callable[[Conflict, F], Conflict | None]) -> Callable[[Scene, F], Scene | None]:
    """Return a function that applies `change` to the conflict of a scene. It returns None if the
    scene has no conflict.
    """

    @wraps(change)
    def change_scene(state: Scene, fact: F) -> Scene | None:
        conflict = change(state.conflict, fact) if state.conflict is not None else None
        return with_conflict(state, conflict) if conflict is not None else None

    change_scene.__annotations__ = {"state": Scene, "fact": change.__annotations__["fact"], "return": Scene | None}
    return change_scene


def remove_from_queue(queue: tuple[str, ...], character_id: str) -> tuple[str, ...]:
    return tuple(other for other in queue if other != character_id)


def add_to_score(scores: Mapping[str, int], name: str, rise: int) -> dict[str, int]:
    return {**scores, name: scores.get(name, 0) + rise}
