"""The forms of request bodies. Strict: no extra field, and no coercion."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, WithJsonSchema

from api.http.forms import SENT
from api.http.strict_json import MOST_NAMES
from api.service.hook_addresses import LONGEST_URL
from ledger.rules.kernel.domains import MOST_TEXT
from projections.documents.feeds import EVENTS

MOST_DAYS = 60
LONGEST_SECRET = 500
LATER = "x-component"  # a placeholder in a schema for a reference to this component
Name = Annotated[str, Field(max_length=200)]
Text = Annotated[str, Field(max_length=MOST_TEXT)]
Id = Annotated[str, Field(max_length=60)]
Number = Annotated[int, Field(ge=1, le=2**31 - 1)]


def _refer_to(component_name: str) -> WithJsonSchema:
    """Return a reference to a component that is added later (`api.app`)."""
    return WithJsonSchema({"type": "object", LATER: component_name})


#: The parser checks this against the schemas of the campaign's game. The OpenAPI document has a union for all games.
Input = Annotated[dict[str, object], _refer_to("AnyInput")]
Answer = Annotated[dict[str, object], _refer_to("AnyAnswer")]
Sheet = Annotated[dict[str, object], _refer_to("AnySheet")]
Patch = Annotated[
    dict[str, object],
    Field(
        description="A merge patch (RFC 7396) of the recorded declaration: fields with correct values, null for"
        " fields to remove. The kind can't change.",
        examples=[{"armour": 2}],
        max_length=MOST_NAMES,
    ),
]


class Sent(BaseModel):
    model_config = SENT


def _make_config(**example: JsonValue) -> ConfigDict:
    return ConfigDict(**SENT, json_schema_extra={"examples": [example]})


class Named(Sent):
    name: Name


class OpenCampaign(Sent):
    """A new campaign: its game, the options that differ from their defaults, and its first game master."""

    model_config = _make_config(name="The Long Winter", system="the name of a system", gm={"name": "Ann"})
    name: Name
    system: Id
    gm: Named
    dials: dict[str, object] = Field(default_factory=dict)


class Fork(Sent):
    """A fork. `at`: the ruling after which it begins. `name`: its name. The default is the campaign's name with the
    ruling's number.
    """

    model_config = _make_config(at=12, name="The Long Winter, had we let him live")
    at: Number
    name: Name | None = None


class TakeSeat(Sent):
    """A new seat."""

    model_config = _make_config(name="Ben", role="player")
    name: Name
    role: Literal["gm", "player", "observer"]


class ChangeSeat(Sent):
    """A change to a seat: a new name, its removal, or whether the seat holds. While a seat holds, no step follows
    automatically (option `forced_steps`).
    """

    model_config = _make_config(name="Benjamin")
    name: Name | None = None
    removed: Literal[True] | None = None
    holds: bool | None = None


class GiveEntropy(Sent):
    """A text that nobody can guess: numbers from your own dice, a line of a poem, or random letters."""

    model_config = _make_config(value="3 6 1 1 5 2, and it rains")
    value: Annotated[str, Field(min_length=1, max_length=200)]


class TurnDial(BaseModel):
    """One option with its new value, and the reason: `{"<dial>": value, "reason": "..."}`."""

    model_config = ConfigDict(extra="allow", strict=True, json_schema_extra={"minProperties": 2, "maxProperties": 2})
    reason: Text

    @property
    def dial_values(self) -> dict[str, object]:
        return self.model_extra or {}


class EnrolCharacter(Sent):
    """A character, the seat that plays it, and its sheet in the game's form. `preview`: return the result without
    saving it."""

    name: Name
    seat: Id
    sheet: Sheet
    preview: bool = False


class ToSeat(Sent):
    model_config = _make_config(seat="s2")
    seat: Id


class Reason(Sent):
    model_config = _make_config(reason="The target was out of reach.")
    reason: Text


class GiveConsent(Sent):
    """This seat's answer to a waiting decision, with a reason."""

    model_config = _make_config(consent=True, reason="So it was.")
    consent: bool
    reason: Text


class Bookmark(Sent):
    """A ruling's number with a note. `mine`: private to this seat."""

    model_config = _make_config(ruling=7, note="This is where it all began.", mine=False)
    ruling: Annotated[int, Field(ge=1, le=2**31 - 1)]
    note: Annotated[str, Field(min_length=1, max_length=1000)]
    mine: bool = False


class OpenSession(Sent):
    model_config = _make_config(title="The bridge")
    title: Name = ""


class OpenScene(Sent):
    model_config = _make_config(title="On the bridge", cast=["1", "2"])
    title: Name
    cast: list[Id] = Field(default_factory=list, max_length=MOST_NAMES)


class Nothing(Sent):
    """An empty object, or no body at all."""


class Declare(Sent):
    """A declaration, who rolls the dice, and the answers that are already known, in order.

    `preview`: return the result, up to the first question, without saving it. A preview can't include answers.

    `after`: enter the declaration late, right after this ruling in play. It must be complete, with all answers and with
    dice that you type in. `settle` says what happens to later rulings with a different result, and `preview` lists
    those rulings.
    """

    declare: Input
    scene: Id | None = None
    answers: list[Answer] = Field(default_factory=list, max_length=MOST_NAMES)
    dice: Literal["ledger", "table"] | None = None
    preview: bool = False
    after: Number | None = None
    settle: Later = "flag"


class NarrowMoves(Sent):
    """The kind of a declaration, and some of its fields."""

    model_config = _make_config(kind="hit", given={"char": "1"})
    kind: Id
    given: dict[str, object] = Field(default_factory=dict)
    scene: Id | None = None


class MakeHook(Sent):
    """A webhook's address and the kinds of events it receives (as in the feed).

    `seat`: the webhook receives what this seat sees, once the seat agrees. Default: what everybody at the table can
    see.
    """

    model_config = _make_config(url="https://bot.example/ledger", events=["fact", "decision"])
    url: Annotated[str, Field(min_length=1, max_length=LONGEST_URL)]
    events: Annotated[
        list[Annotated[str, Field(json_schema_extra={"enum": [*EVENTS]})]], Field(min_length=1, max_length=20)
    ]
    seat: Id | None = None


class MakeInvite(Sent):
    """The guest's `name` and `role`, and the ids of the `characters` that the guest takes over.

    To use your own seat on another device, send only your `seat`. `days`: how long the link is valid.
    """

    model_config = _make_config(name="Ben", role="player", days=7)
    name: Name | None = None
    role: Literal["player", "observer"] | None = None
    characters: list[Id] = Field(default_factory=list, max_length=50)
    seat: Id | None = None
    days: Annotated[int, Field(ge=1, le=MOST_DAYS)] = 7


class UseInvite(Sent):
    """Either a secret or a code. `secret`: the part after `#` in a link, or the whole link. `code`: in upper or lower
    case.
    """

    model_config = _make_config(code="7K3M-9QXT")
    secret: Annotated[str, Field(max_length=LONGEST_SECRET)] | None = None
    code: Annotated[str, Field(max_length=60)] | None = None


class GiveAnswer(Sent):
    answer: Answer
    slot: str | None = Field(
        default=None,
        description="The `slot` of the question, if several are open at the same time. Default: the first that is for"
        " you.",
    )
    asked: str | None = Field(
        default=None, description="The seat asked, if several seats are asked in the same `slot`: its id, or `gm`."
    )


Later = Annotated[
    Literal["flag", "rerule"],
    Field(
        description="What happens to later rulings with a different result. `flag`: they keep their result and become"
        " findings. `rerule`: they are ruled again in the same save with their recorded dice and answers. A ruling that"
        " is refused then has no result. A ruling keeps its result and becomes a finding if it needs more dice, or"
        " if some seats can't see the change; only seats that can see the ruling see the finding."
    ),
]


After = Annotated[int, Field(ge=0, le=2**31 - 1, description="For a preview: only rulings after this number.")]
Limit = Annotated[
    int | None,
    Field(
        ge=1,
        le=500,
        description="For a preview: the maximum number of rulings. Default: as many as fit in a short answer.",
    ),
]


class Overturn(Sent):
    """`also`: other rulings to overturn with this one. `preview`: return what would change, without saving it."""

    model_config = _make_config(reason="The target was out of reach.", also=[], settle="flag", preview=True)
    reason: Text
    also: list[Number] = Field(default_factory=list, max_length=MOST_NAMES)
    settle: Later = "flag"
    preview: bool = False
    after: After = 0
    limit: Limit = None


class TakeBack(Sent):
    """An optional reason. `preview`: return what would change, without saving it."""

    model_config = _make_config(reason="I meant the other one.", preview=False)
    reason: Text = ""
    preview: bool = False
    after: After = 0
    limit: Limit = None


class Rewind(Sent):
    """The reason. `preview`: return what would change, without saving it."""

    model_config = _make_config(reason="We are replaying that scene.", preview=True)
    reason: Text
    preview: bool = False
    after: After = 0
    limit: Limit = None


class Reinstate(Sent):
    """The reason. `preview`: return what would change, without saving it."""

    model_config = _make_config(reason="It was in reach after all.", settle="flag", preview=True)
    reason: Text
    settle: Later = "flag"
    preview: bool = False
    after: After = 0
    limit: Limit = None


class Revise(Sent):
    """A correction. `code`: a typing mistake (`entry`) or a wrong ruling (`ruling`).

    `declare`: the whole corrected declaration, of the same kind. Or `patch`: a merge patch (RFC 7396) with only the
    changed fields, where null removes a field. Without either, the declaration stays the same. `answers`: new answers,
    in the order of the ruling's answers, not counting answers that were set aside. Null or a missing item keeps an
    answer. If the corrected declaration asks a different player, the old answer is set aside, and your answer is used
    as that player's answer. Dice rolled by the ledger can't be corrected.
    """

    model_config = _make_config(
        reason="The die showed a 3.",
        code="entry",
        answers=[None, {"dice": {"sides": 6, "faces": [3]}}],
        settle="flag",
        preview=False,
    )
    reason: Text
    code: Literal["entry", "ruling"]
    declare: Input | None = None
    patch: Patch | None = None
    answers: list[Answer | None] = Field(default_factory=list, max_length=MOST_NAMES)
    settle: Later = "flag"
    preview: bool = False
    after: After = 0
    limit: Limit = None


class Settle(Sent):
    model_config = _make_config(how="let-stand", reason="It made no difference.")
    how: Literal["let-stand", "amended", "overturned"]
    reason: Text
