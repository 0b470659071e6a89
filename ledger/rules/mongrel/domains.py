"""What values a field can have in this game, for people, forms and parsers. Rules check them again.

A number sent may be anything until a rule has checked it; its limits are stated here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias, get_args

from ledger.rules.kernel.domains import Between, Cites, Fell, OneOf, Ref, Says, Title
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
HouseName: TypeAlias = Annotated[str, OneOf(HOUSES)]
SexName: TypeAlias = Annotated[str, OneOf(get_args(Sex))]
AgeName: TypeAlias = Annotated[str, OneOf(get_args(Age))]
#: Not closed: a sheet that is imported may have a body of its own.
BodyForm: TypeAlias = Annotated[str, Ref("body-form")]
SideName: TypeAlias = Annotated[
    str,
    OneOf(get_args(Side)),
    Says("Side", "Whose attribute counts: your own (roll equal or under) or a target's (roll equal or over)."),
]
HitName: TypeAlias = Annotated[
    str,
    OneOf(get_args(HitKind)),
    Says("What it does", "Physical damage, a loss of Infernal Resolve, or what you describe."),
]
#: Of a hit from elsewhere: there is always something it does.
WoundName: TypeAlias = Annotated[
    str, OneOf(("physical", "spiritual")), Says("What it does", "Physical damage, or a loss of Infernal Resolve.")
]
VowAbout: TypeAlias = Annotated[str, OneOf(get_args(VowKind))]
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
        "The form of a body: human, quadruped, biped-primate or biped-bird, as the Identity allows. "
        "An imported sheet may have another one."
    ),
    "possession": "The id of a possession of the character, listed in their state under `possessions`.",
    "vow": "The object of one of the character's present Vows, listed in their state under `vows`.",
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
TakenOff: TypeAlias = Annotated[
    Number, Between(0), Says("Effect taken off", "How much features of the target lower the Effect of a success.")
]
Shunted: TypeAlias = Annotated[
    Number,
    Between(0),
    Says("Shunted to Beauty", "How many points of damage go to Beauty. One of them is lost permanently."),
]
#: On the campaign's clock: hours that several characters spend at the same time count once.
Since: TypeAlias = Annotated[
    Number, Between(0), Says("Begun at minute", "The minute of the clock at which this began, if that is not now.")
]
#: Up or down, without a limit.
Change: TypeAlias = Annotated[Number, Between()]
