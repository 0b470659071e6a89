"""The table as one viewer is shown it: states made of views, so that the rules' own functions can say what is possible
and nothing hidden decides about it. Dice, cards and votes that are not shown are not there.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Self, TypeVar

from ledger.rules.kernel.contract import About, Underway
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import CAMPAIGN, Role, Subject, SubjectKind, Viewer, character, scene, seat
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.state import Campaign, Character, Scene, Seat, Story, Trait
from ledger.rules.moc.state_of_actions import Action, Claim, Part, Play, Roll
from ledger.rules.moc.state_of_combat import Damage, Harm, Healing, Hit, Initiative, Resisting
from ledger.rules.moc.tables import Location, Skill, Weapon
from ledger.rules.moc.terms import LEVELS, POINT

S = TypeVar("S")
Shown = Mapping[str, Any]
#: Fields of a state that a view has as they are.
_PLAIN = (
    "archetype", "villain", "ratings", "skills", "counts", "elements", "drawn", "allocated", "pools", "gained", "asked",
    "damage", "pain", "pain_turn", "healing_days", "fatigue", "dazed", "recovering", "due", "used", "status",
    "fell", "left", "acted_scene", "acted_turn", "acted_halves", "half_defence",
)  # fmt: skip
_OF_CAMPAIGN = (
    "phase", "scenes", "arc", "arc_name", "arc_ended", "last_session", "tallied", "healing", "ag", "uses",
)  # fmt: skip
_OF_PARTS = ("dice", "extra", "rolled", "beads", "spent", "spent_beads", "white", "stage", "net", "bits")
_OF_ROLLS = (
    "text", "kind", "element", "primary", "tn", "skill", "level", "difficulty", "trained", "opposed", "defence", "mode",
)  # fmt: skip


class ShownTable:
    """What rules may look at (`contract.Table`), as far as the viewer is shown it. `by`: whose moves are asked for."""

    number = 0

    def __init__(self, seen: Seen) -> None:
        self._seen = seen
        self._states: dict[Subject, object] = {}
        self._balances: dict[str, int] = {}
        self.scene = seen.scene
        self.session = seen.session

    @property
    def by(self) -> Viewer:
        return self._seen.seat

    @property
    def dials(self) -> Dials:
        found: Dials = self._seen.dials
        return found

    def aside(self) -> Self:
        return self

    def new_id(self) -> str:
        return "new"

    def has(self, subject: Subject) -> bool:
        return subject in self.subjects(subject.kind)

    def get(self, subject: Subject, state: type[S], /) -> S:
        found = self._states.get(subject)
        if found is None:
            found = self._states[subject] = _MAKE[subject.kind](self._seen.view(subject), subject.id)
        assert isinstance(found, state), f"{subject} is no {state.__name__}"
        return found

    def cited(self, number: str) -> tuple[About[Any], ...]:
        return ()  # no declaration of the game names a ruling by its number

    def times_cited(self, subject: Subject, number: str) -> int:
        return 0

    def name(self, subject: Subject) -> str:
        return subject.id

    def owner(self, subject: Subject) -> str:
        return self._seen.owner(subject.id) or ""

    def role(self, seat: Subject) -> Role:
        entry = self._seen.seats.get(seat.id)
        return entry.role if entry is not None else "observer"

    def is_open(self, subject: Subject) -> bool:
        there = {"character": self._seen.characters, "scene": self._seen.scenes, "seat": self._seen.seats}
        return subject == CAMPAIGN or subject.id in there[subject.kind]

    def subjects(self, kind: SubjectKind) -> tuple[Subject, ...]:
        seen = self._seen
        match kind:
            case "character":
                return tuple(map(character, seen.roster))
            case "scene":
                return tuple(map(scene, seen.scenes))
            case "seat":
                return tuple(map(seat, seen.seats))
            case _:
                return (CAMPAIGN,)

    def balance(self, account: str) -> int:
        found = self._balances.get(account)
        if found is None:
            found = self._balances[account] = self._seen.balance(account)
        return found

    def underway(self) -> tuple[Underway, ...]:
        return ()


# --- states ---


def _character(shown: Shown, id: str) -> Character:
    harm = shown["harmed_by"]
    return Character(
        **{name: shown[name] for name in _PLAIN},
        primaries=tuple(shown["primaries"]),
        secondaries=tuple(shown["secondaries"]),
        traits={id: Trait(**one) for id, one in shown["traits"].items()},
        budget=_points(shown["budget"]),
        earned=_points(shown["earned"]),
        hand=tuple(shown["hand"] or ()),
        related={key: tuple(skills) for key, skills in shown["related"].items()},
        dodge=-shown["dodge"],
        harm=Harm(harm, 0, 0, 0, "", False, False) if harm is not None else None,
        healing=_healing(shown["healing"]) if shown["healing"] is not None else None,
        heir_of=tuple(shown["heir_of"]),
    )


def _points(told: str) -> int:
    return int(told) * POINT if told.isdecimal() else int(Fraction(told) * POINT)


def _healing(shown: Shown) -> Healing:
    return Healing(**{**shown, "plays": _plays(shown["plays"])})


def _plays(shown: Any) -> tuple[Play, ...]:
    return tuple(Play(**one) for one in shown)


def _scene(shown: Shown, id: str) -> Scene:
    hits = [{name: value for name, value in one.items() if name != "rolled"} for one in shown["hits"]]
    return Scene(
        phase=shown["phase"],
        cast=tuple(shown["cast"]),
        turn=shown["turn"],
        order=tuple(map(tuple, shown["order"])),
        pool=tuple(shown["pool"] or ()),
        actions={one["id"]: _action(one) for one in shown["actions"]},
        hits={one["id"]: Hit(**one) for one in hits},
        story=_story(shown["story"]),
        damage={one["id"]: _damage(one["rolled"]) for one in shown["hits"]},
        initiative=_initiative(shown["initiative"]),
        answered=tuple(map(tuple, shown["answered"])),
        arts=dict(shown["arts"]),
    )


def _damage(shown: Shown) -> Damage:
    resisting = Resisting(**shown["resisting"]) if shown["resisting"] is not None else None
    return Damage(**{**shown, "plays": _plays(shown["plays"]), "resisting": resisting})


def _initiative(shown: Shown) -> Initiative:
    plays = {id: _plays(those) for id, those in shown["plays"].items()}
    return Initiative(**{
        **shown, "plays": plays, "waiting": {id: _plays(those) for id, those in shown["waiting"].items()},
    })  # fmt: skip


def _story(shown: Shown) -> dict[str, Story]:
    named = ("character", "beads", "text", "scope", "vetoed", "seat")
    return {id: Story(**{name: one[name] for name in named}, plays=_plays(one["plays"])) for id, one in shown.items()}


def _action(shown: Shown) -> Action:
    return Action(
        shown["id"], shown["character"], shown["text"], shown["split"], shown["penalty"],
        tuple(map(_part, shown["parts"])), shown["dice"], shown["activated"], shown["tired"], _plays(shown["plays"]),
        shown["stage"],
    )  # fmt: skip


def _part(shown: Shown) -> Part:
    """Dice that are not shown are none."""
    told, outcome = str(shown["required"]), shown["outcome"]
    required = LEVELS[told] if told in LEVELS else int(told)
    return Part(
        Roll(**{name: shown[name] for name in _OF_ROLLS}, required=required),
        **{name: shown[name] for name in _OF_PARTS},
        faces=tuple(shown["faces"] or ()),
        bonus=tuple(shown["bonus"] or ()),
        claims=tuple(Claim(**one) for one in shown["claims"]),
        outcome=LEVELS[outcome] if outcome is not None else None,
    )


def _campaign(shown: Shown, id: str) -> Campaign:
    return Campaign(
        **{name: shown[name] for name in _OF_CAMPAIGN},
        shown=tuple(shown["shown"]),
        skills={name: Skill(**one) for name, one in shown["skills"].items()},
        weapons={name: Weapon(**one) for name, one in shown["weapons"].items()},
        locations={name: Location(**one) for name, one in shown["locations"].items()},
        story=_story(shown["story"]),
    )


def _seat(shown: Shown, id: str) -> Seat:
    return Seat(shown.get("session"), tuple(shown.get("named", ())))


_MAKE: Mapping[SubjectKind, Any] = {"character": _character, "scene": _scene, "campaign": _campaign, "seat": _seat}
