"""What answers say of campaigns, their subjects, systems, and problems: the shape of each, with an example."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict

from api.http.documents import Finding, Role, Told, like


class Seat(Told):
    """A seat. `token`: only where one was just issued; it is shown to nobody else, and never again."""

    model_config = like(id="s2", name="Ben", role="player", removed=False, token="k3v7q2mzt5a4c.s2.not-a-real-one")
    id: str
    name: str
    role: Role
    removed: bool
    token: str | None


class OpenedCampaign(Told):
    """A campaign just opened, and its first game master's seat with its token."""

    model_config = like(
        id="k3v7q2mzt5a4c", name="The Long Winter", system="system", edition=1,
        seat={"id": "s1", "name": "Ann", "role": "gm", "removed": False, "token": "k3v7q2mzt5a4c.s1.not-a-real-one"},
    )  # fmt: skip
    id: str
    name: str
    system: str
    edition: int
    seat: Seat


class SeatEntry(Told):
    model_config = like(id="s2", name="Ben", role="player", removed=False)
    id: str
    name: str
    role: Role
    removed: bool


class CharacterEntry(Told):
    id: str
    name: str
    seat: str
    retired: bool


class SessionCard(Told):
    id: str
    title: str
    open: bool


class SceneEntry(Told):
    id: str
    title: str
    cast: list[str]
    open: bool


class Balance(Told):
    account: str
    unit: str
    balance: int


class Campaign(Told):
    """A campaign as it stands. `session`: the open one. `dials`: all, with their values. `findings`: the open ones.

    `state`, `balances`: what the system keeps of the campaign itself, as this seat may see it.
    """

    model_config = like(
        id="k3v7q2mzt5a4c", name="The Long Winter", system="system", edition=1, dials={"deciders": "gm"},
        seats=[{"id": "s1", "name": "Ann", "role": "gm", "removed": False}], characters=[], session=None, sessions=[],
        scenes=[], state={}, balances=[], findings=[], rulings=0, position=1,
    )  # fmt: skip
    id: str
    name: str
    system: str
    edition: int
    dials: dict[str, Any]
    seats: list[SeatEntry]
    characters: list[CharacterEntry]
    session: str | None
    sessions: list[SessionCard]
    scenes: list[SceneEntry]
    state: dict[str, Any]
    balances: list[Balance]
    findings: list[Finding]
    rulings: int
    position: int


# --- subjects ---


class Standing(Told):
    """`state`: as the system shows it to this seat. `adrift`: facts that found no ground. `at`, `as`: as asked for."""

    id: str
    state: dict[str, Any]
    balances: list[Balance]
    adrift: int
    at: int | str | None
    version: int


def _clocked(**example: Any) -> ConfigDict:
    shared = {"balances": [], "adrift": 0, "at": None, "as": "corrected", "version": 3}
    either = {"properties": {"as": {"type": "string", "enum": ["recorded", "corrected"]}}}

    def extra(schema: dict[str, Any]) -> None:
        schema["properties"] |= either["properties"]
        schema["required"] = [*schema["required"], "as"]
        schema["examples"] = [{**example, **shared}]

    return ConfigDict(extra="forbid", json_schema_extra=extra)


class Character(Standing):
    """A character. `player`: the name of who plays it."""

    model_config = _clocked(id="1", name="Giazza", seat="s2", player="Ben", retired=False, state={"health": 10})
    name: str
    seat: str
    player: str
    retired: bool


class Scene(Standing):
    model_config = _clocked(id="4", title="On the bridge", cast=["1", "2"], open=True, state={})
    title: str
    cast: list[str]
    open: bool


# --- systems, service ---


class SystemCard(Told):
    name: str
    title: str
    edition: int
    source: str


SYSTEM = {"name": "system", "title": "A System", "edition": 1, "source": "its book"}


class Systems(Told):
    model_config = like(systems=[SYSTEM])
    systems: list[SystemCard]


class Dial(Told):
    """`values`: what it can be set to; null where its type allows too many to list.

    `hides`: it says who may see what, and only who decides holds it otherwise in a what-if.
    """

    name: str
    default: Any
    values: list[Any] | None
    rule: str
    hides: bool


class Word(Told):
    """An input, choice or fact, with the JSON Schema of its fields."""

    kind: str
    about: str
    schema_: dict[str, Any]

    model_config = ConfigDict(extra="forbid", alias_generator=lambda name: name.rstrip("_"))


class InputWord(Word):
    """`who`: who may declare it."""

    who: str


class Account(Told):
    form: str
    unit: str
    meaning: str


class System(SystemCard):
    """A system with all its words, the kernel's among them."""

    model_config = like(**SYSTEM, dials=[], sheet={}, inputs=[], choices=[], facts=[], accounts=[])
    dials: list[Dial]
    sheet: dict[str, Any]
    inputs: list[InputWord]
    choices: list[Word]
    facts: list[Word]
    accounts: list[Account]


RULE = {"rule": "ledger.session", "statement": "One session is open at a time.", "heading": ""}


class Rule(Told):
    """A rule in one sentence of our own, and the heading of the source where it stands."""

    model_config = like(**RULE)
    rule: str
    statement: str
    heading: str


class Rules(Told):
    model_config = like(rules=[RULE])
    rules: list[Rule]


class Health(Told):
    model_config = like(status="ok")
    status: Literal["ok"]


class Ready(Told):
    """`stopped_campaigns`: of how many the views go no further, since their record is not as it must be; if of any."""

    model_config = like(status="ready")
    status: Literal["ready"]
    stopped_campaigns: int | None = None


class Mistake(Told):
    """`pointer`: where in the body, path or query. `given`: what was sent there, cut short.

    `allowed`: up to 50 of what can stand there. `did_you_mean`: the nearest of them.
    """

    pointer: str
    message: str
    type: str
    given: str | int | float | bool | None = None
    allowed: list[str | int | bool] | None = None
    did_you_mean: str | None = None


class Problem(Told):
    """RFC 9457. `rule`, `statement`, `context`: of a refusal by the rules. `errors`: of a malformed request.

    `more_errors`: how many mistakes there are beyond those told.
    """

    model_config = like(
        type="/problems/refused", title="The rules do not allow it", status=422,
        detail="Session open: One session is open at a time.", code="session-open", rule="ledger.session",
        statement="One session is open at a time.", context={"session": "3"},
    )  # fmt: skip
    type: str
    title: str
    status: int
    detail: str
    code: str
    rule: str | None = None
    statement: str | None = None
    context: dict[str, Any] | None = None
    errors: list[Mistake] | None = None
    more_errors: int | None = None
