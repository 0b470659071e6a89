"""What values a field can have in this game, for people, forms and parsers. Rules check them again.

A number sent may be anything until a rule has checked it; its limits are stated here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias, get_args

from ledger.rules.kernel.domains import Between, Cites, Fell, OneOf, Reason, Ref, Says, Title
from ledger.rules.mongrel.tables import EXPERTISE, OPTIONS, QUIET
from ledger.rules.mongrel.terms import (
    ATTRIBUTES,
    HOUSES,
    IDENTITIES,
    Age,
    HitKind,
    Number,
    Sex,
    Side,
    VowEnd,
    VowKind,
)

# --- words -----------------------------------------------------------------------------------------------------------

IdentityName: TypeAlias = Annotated[str, OneOf(IDENTITIES)]
AttributeName: TypeAlias = Annotated[str, OneOf(ATTRIBUTES)]
ExpertiseName: TypeAlias = Annotated[str, OneOf(EXPERTISE)]
#: What can be used, and raised by character points.
FeatureName: TypeAlias = Annotated[str, OneOf((*IDENTITIES, *ATTRIBUTES, *EXPERTISE))]
#: What the Power of a body can do: of all three Powers.
OptionName: TypeAlias = Annotated[
    str, OneOf(tuple(dict.fromkeys(option for options in OPTIONS.values() for option in options)))
]
PowerOptions: TypeAlias = Annotated[tuple[OptionName, ...], Says("Power options", "Those that fit the task.")]
HouseName: TypeAlias = Annotated[str, OneOf(HOUSES)]
SexName: TypeAlias = Annotated[str, OneOf(get_args(Sex))]
AgeName: TypeAlias = Annotated[str, OneOf(get_args(Age))]
#: Not closed: a sheet that is imported may have a body of its own.
BodyForm: TypeAlias = Annotated[str, Ref("body-form")]
SideName: TypeAlias = Annotated[
    str,
    OneOf(get_args(Side)),
    Says(
        "Side",
        "Whose attribute the roll is against: the character's own (a die succeeds at or below it) or a target's (at or"
        " above it).",
    ),
]
HitName: TypeAlias = Annotated[
    str,
    OneOf(get_args(HitKind)),
    Says("Kind of hit", "Physical damage, a spiritual loss of Infernal Resolve, or neither."),
]
#: Of a hit from elsewhere: there is always something it does.
WoundName: TypeAlias = Annotated[
    str,
    OneOf(("physical", "spiritual")),
    Says("Kind of hit", "Physical damage, or a spiritual loss of Infernal Resolve."),
]
VowAbout: TypeAlias = Annotated[str, OneOf(get_args(VowKind)), Says("Kind of object")]
VowOutcome: TypeAlias = Annotated[str, OneOf(get_args(VowEnd))]
Activity: TypeAlias = Annotated[str, OneOf(QUIET)]
VowObject: TypeAlias = Annotated[Title, Says("Object of the Vow", "A person, a House (such as `nuin`) or a goal.")]

# --- what is listed somewhere ----------------------------------------------------------------------------------------

#: A task that was rolled outside a conflict.
TaskNumber: TypeAlias = Annotated[str, Cites(facts=("task-declared", "task-resolved"))]
#: The task that a hit comes from: its Effect hits its target, once.
HittingTask: TypeAlias = Annotated[
    str,
    Cites(
        facts=("task-declared", "task-resolved"),
        says=(("effect", "effect"), ("character", "target")),
        once_for="character",
        rule="mongrel.damage.hit",
    ),
]
SessionId: TypeAlias = Annotated[str, Ref("session")]
PossessionId: TypeAlias = Annotated[str, Ref("possession")]

REFERENCES: Mapping[str, str] = {
    "body-form": (
        "The form of the body, which depends on the primary Identity: human, quadruped, biped-primate or biped-bird. "
        "An imported sheet may have another form."
    ),
    "possession": "The id of a possession. The state of its owner lists it under `possessions`.",
    "vow": "One of the character's present Vows, by its object. The character's state lists it under `vows`.",
    "ruling": "The number of a ruling of this campaign.",
}

# --- numbers ---------------------------------------------------------------------------------------------------------

Natural: TypeAlias = Annotated[Number, Between(0)]
#: At least 1.
Amount: TypeAlias = Annotated[Number, Between(1)]
Face: TypeAlias = Annotated[Number, Between(1, 6), Fell()]
#: As many as are rolled.
Faces: TypeAlias = tuple[Face, ...]
Difficulty: TypeAlias = Annotated[
    Number, Between(0, 4), Says("Difficulty", "How much harder this is than usual, from 0 to 4.")
]
DifficultyReason: TypeAlias = Annotated[Reason, Says("Reason for the difficulty")]
TakenOff: TypeAlias = Annotated[
    Number, Between(0), Says("Effect taken off", "How far features of the target lower the Effect of a success.")
]
TakenOffReason: TypeAlias = Annotated[Reason, Says("Reason for the Effect taken off")]
#: Of an object that is acted on.
ThingScore: TypeAlias = Annotated[
    Number, Between(0), Says("Score of the thing", "If you do not know it, leave it out: a game master is asked.")
]
WeaponBonus: TypeAlias = Annotated[Number, Between(0), Says("Weapon", "How much the weapon adds to the Effect.")]
ArmourValue: TypeAlias = Annotated[Number, Between(0), Says("Armour", "How much the armour takes off the Effect.")]
#: Of something that is bought or found.
WorthAsWeapon: TypeAlias = Annotated[Number, Between(0), Says("Value as a weapon")]
WorthAsArmour: TypeAlias = Annotated[Number, Between(0), Says("Value as armour")]
ResolvePoints: TypeAlias = Annotated[Number, Between(1), Says("Points of Infernal Resolve")]
Defends: TypeAlias = Annotated[bool, Says("The target defends", "Leave it out to ask the target's player.")]
Shunted: TypeAlias = Annotated[
    Number,
    Between(0),
    Says(
        "Shunted to Beauty",
        "How many points of damage go to Beauty. One of these points is lost permanently, the others temporarily.",
    ),
]
#: On the campaign's clock: hours that several characters spend at the same time count once.
Since: TypeAlias = Annotated[
    Number,
    Between(0),
    Says("Minute it began", "The minute of the clock when this began. Leave it out if it begins now."),
]
#: Up or down, without a limit.
Change: TypeAlias = Annotated[Number, Between()]
