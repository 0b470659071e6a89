"""What every campaign does whatever it plays: enrolling, scenes, sessions, dials, amendments.

These inputs are rulings like any other: the kernel checks and records its part, the system adjudicates the same input and
adds its own facts (a scene may refuse to close while a fatal is held). Facts here are stored as `ledger.<kind>`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeAlias, TypeVar

from ledger.rules import purses, shape
from ledger.rules.contract import (
    CAMPAIGN,
    GM,
    About,
    Asking,
    Posting,
    Refused,
    Role,
    RuleText,
    Ruleset,
    Step,
    Subject,
    SubjectKind,
    Table,
    Verdict,
    character,
    declares,
    either,
    fact,
    named_seat,
    scene,
    seat,
    step,
)

H = TypeVar("H")  # a character sheet

# --- inputs -------------------------------------------------------------------------------------------------------


@declares("enrol", named_seat("seat"))
class Enrol(Generic[H]):
    """A character joins: its name, the seat that plays it, its sheet in the system's own form."""

    name: str
    seat: str
    sheet: H


@declares("hand-over", either("character"))
class HandOver:
    """Another seat plays the character from now on."""

    character: str
    seat: str


@declares("retire", either("character"))
class Retire:
    """The character leaves play; its record stays."""

    character: str
    reason: str


@declares("open-scene", GM)
class OpenScene:
    """A scene begins. `cast`: ids of the characters in it."""

    title: str
    cast: tuple[str, ...] = ()


@declares("close-scene", GM)
class CloseScene:
    scene: str


@declares("open-session", GM)
class OpenSession:
    """A session of play begins."""

    title: str = ""


@declares("close-session", GM)
class CloseSession:
    session: str


@declares("set-dial", GM)
class SetDial:
    """An optional rule or reading is chosen anew, for rulings from now on."""

    name: str
    value: Any
    reason: str


@declares("amend", GM)
class Amend:
    """A piece of a subject's state is set by the table. `field`: a JSON Pointer into the state (`traits/0/base`)."""

    subject: str
    field: str
    value: Any
    reason: str


@declares("adjust", GM)
class Adjust:
    """The table moves something countable between two accounts."""

    source: str
    target: str
    unit: str
    amount: int
    reason: str


Input: TypeAlias = (
    Enrol[Any]
    | HandOver
    | Retire
    | OpenScene
    | CloseScene
    | OpenSession
    | CloseSession
    | SetDial
    | Amend
    | Adjust
)
INPUTS: tuple[type[Any], ...] = (
    Enrol, HandOver, Retire, OpenScene, CloseScene, OpenSession, CloseSession, SetDial, Amend, Adjust,
)  # fmt: skip

# --- facts --------------------------------------------------------------------------------------------------------


@fact("campaign-opened")
class CampaignOpened:
    name: str
    system: str
    edition: int
    dials: Mapping[str, Any]


@fact("seat-taken")
class SeatTaken:
    name: str
    role: Role


@fact("seat-renamed")
class SeatRenamed:
    name: str


@fact("seat-removed")
class SeatRemoved:
    pass


@fact("character-enrolled")
class CharacterEnrolled:
    name: str
    seat: str


@fact("character-handed-over")
class CharacterHandedOver:
    seat: str


@fact("character-retired")
class CharacterRetired:
    reason: str


@fact("scene-opened")
class SceneOpened:
    title: str
    cast: tuple[str, ...]


@fact("scene-closed")
class SceneClosed:
    pass


@fact("character-seated")
class CharacterSeated:
    """The campaign's side of enrolling and handing over: who plays whom."""

    character: str
    seat: str


@fact("scene-begun")
class SceneBegun:
    """The campaign's side of opening a scene."""

    scene: str


@fact("scene-ended")
class SceneEnded:
    scene: str


@fact("session-opened")
class SessionOpened:
    session: str
    title: str


@fact("session-closed")
class SessionClosed:
    session: str


@fact("dial-set")
class DialSet:
    name: str
    value: Any
    reason: str


@fact("amended")
class Amended:
    field: str
    value: Any
    reason: str


@fact("adjusted")
class Adjusted:
    reason: str


@fact("leg")
class Leg:
    """The other owner's half of a fact that moved something: `of` is the posting's fact, `147.3` (ruling.step)."""

    of: str


FACTS: tuple[type[Any], ...] = (
    CampaignOpened, SeatTaken, SeatRenamed, SeatRemoved, CharacterEnrolled, CharacterHandedOver, CharacterRetired,
    CharacterSeated, SceneOpened, SceneClosed, SceneBegun, SceneEnded, SessionOpened, SessionClosed, DialSet, Amended,
    Adjusted, Leg,
)  # fmt: skip

# --- what the kernel knows of each subject ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dials:
    """The kernel's own dials. `deciders`: who may declare what a game master may. `dice`: whose dice, by default."""

    deciders: str = field(default="gm", metadata={"rule": "ledger.deciders", "values": ("gm", "all_players")})
    dice: str = field(default="ledger", metadata={"rule": "ledger.dice", "values": ("ledger", "table")})


@dataclass(frozen=True, slots=True)
class CampaignCard:
    """`session`: the open one. `sessions`: (id, title) of all. `roster`: character -> seat. `scenes`: the open ones."""

    name: str
    system: str
    edition: int
    dials: Mapping[str, Any]
    session: str | None = None
    sessions: tuple[tuple[str, str], ...] = ()
    roster: Mapping[str, str] = field(default_factory=dict)
    scenes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatCard:
    name: str
    role: Role
    removed: bool = False


@dataclass(frozen=True, slots=True)
class CharacterCard:
    name: str
    seat: str
    retired: bool = False


@dataclass(frozen=True, slots=True)
class SceneCard:
    title: str
    cast: tuple[str, ...]
    open: bool = True


Card: TypeAlias = CampaignCard | SeatCard | CharacterCard | SceneCard


def apply(card: Card | None, done: Any) -> Card | None:
    """The card after a fact of the kernel; None when the fact finds no ground. Total."""
    match done, card:
        case CampaignOpened(), None:
            return CampaignCard(done.name, done.system, done.edition, dict(done.dials))
        case SeatTaken(), None:
            return SeatCard(done.name, done.role)
        case CharacterEnrolled(), None:
            return CharacterCard(done.name, done.seat)
        case SceneOpened(), None:
            return SceneCard(done.title, done.cast)
        case SeatRenamed(), SeatCard():
            return replace(card, name=done.name)
        case SeatRemoved(), SeatCard():
            return replace(card, removed=True)
        case CharacterHandedOver(), CharacterCard():
            return replace(card, seat=done.seat)
        case CharacterRetired(), CharacterCard():
            return replace(card, retired=True)
        case SceneClosed(), SceneCard():
            return replace(card, open=False)
        case SessionOpened(), CampaignCard():
            return replace(card, session=done.session, sessions=(*card.sessions, (done.session, done.title)))
        case SessionClosed(), CampaignCard(session=opened) if opened == done.session:
            return replace(card, session=None)
        case CharacterSeated(), CampaignCard():
            return replace(card, roster={**card.roster, done.character: done.seat})
        case SceneBegun(), CampaignCard():
            return replace(card, scenes=(*card.scenes, done.scene))
        case SceneEnded(), CampaignCard() if done.scene in card.scenes:
            return replace(card, scenes=tuple(one for one in card.scenes if one != done.scene))
        case DialSet(), CampaignCard():
            return replace(card, dials={**card.dials, done.name: done.value})
        case _:
            return None


# --- adjudication -------------------------------------------------------------------------------------------------

Made: TypeAlias = tuple[About[Any], ...]


def adjudicate(ruleset: Ruleset[Any, Any], table: Table[Any], do: Any) -> Asking[Verdict[Any]]:
    """Any input of the system or the kernel. For the kernel's: its checks, then the system's, its facts first."""
    if not isinstance(do, INPUTS):
        return (yield from ruleset.adjudicate(table, do))
    made, because = _kernel_part(ruleset, table, do)
    verdict = yield from ruleset.adjudicate(table, do)
    return Verdict((*made, *verdict.facts), (*because, *verdict.because), verdict.audience)


def _kernel_part(ruleset: Ruleset[Any, Any], table: Table[Any], do: Any) -> tuple[Made, tuple[Step, ...]]:
    match do:
        case Enrol():
            return _enrol(table, do), ()
        case HandOver():
            return _hand_over(table, do), ()
        case Retire():
            return _retire(table, do), ()
        case OpenScene():
            return _open_scene(table, do), ()
        case CloseScene():
            return _close_scene(table, do), ()
        case OpenSession():
            return _open_session(table, do), ()
        case CloseSession():
            return _close_session(table, do), ()
        case SetDial():
            return _set_dial(ruleset, do)
        case Amend():
            return _amend(ruleset, table, do)
        case _:
            return _adjust(table, do), ()


def _enrol(table: Table[Any], do: Enrol[Any]) -> Made:
    _text("ledger.enrol", name=do.name)
    _playing_seat("ledger.enrol", table, do.seat)
    id = str(table.number)
    enrolled: About[Any] = About(character(id), CharacterEnrolled(do.name, do.seat))
    return (enrolled, About(CAMPAIGN, CharacterSeated(id, do.seat)))


def _playing_seat(rule: str, table: Table[Any], id: str) -> None:
    if not table.has(seat(id)):
        raise Refused(rule, "unknown-seat", seat=id)
    if not table.is_open(seat(id)):
        raise Refused(rule, "seat-removed", seat=id)


def _hand_over(table: Table[Any], do: HandOver) -> Made:
    table.owner(character(do.character))
    _playing_seat("ledger.hand-over", table, do.seat)
    handed_over: About[Any] = About(character(do.character), CharacterHandedOver(do.seat))
    return (handed_over, About(CAMPAIGN, CharacterSeated(do.character, do.seat)))


def _retire(table: Table[Any], do: Retire) -> Made:
    table.owner(character(do.character))
    _text("ledger.retire", reason=do.reason)
    if not table.is_open(character(do.character)):
        raise Refused("ledger.retire", "already-retired", character=do.character)
    return (About(character(do.character), CharacterRetired(do.reason)),)


def _open_scene(table: Table[Any], do: OpenScene) -> Made:
    _text("ledger.scene", title=do.title)
    for id in do.cast:
        table.owner(character(id))
    if len(set(do.cast)) != len(do.cast):
        raise Refused("ledger.scene", "duplicate", cast=list(do.cast))
    id = str(table.number)
    opened: About[Any] = About(scene(id), SceneOpened(do.title, do.cast))
    return (opened, About(CAMPAIGN, SceneBegun(id)))


def _close_scene(table: Table[Any], do: CloseScene) -> Made:
    if not table.has(scene(do.scene)):
        raise Refused("ledger.scene", "unknown-scene", scene=do.scene)
    if not table.is_open(scene(do.scene)):
        raise Refused("ledger.scene", "scene-closed", scene=do.scene)
    closed: About[Any] = About(scene(do.scene), SceneClosed())
    return (closed, About(CAMPAIGN, SceneEnded(do.scene)))


def _open_session(table: Table[Any], do: OpenSession) -> Made:
    if table.session is not None:
        raise Refused("ledger.session", "session-open", session=table.session)
    return (About(CAMPAIGN, SessionOpened(str(table.number), do.title)),)


def _close_session(table: Table[Any], do: CloseSession) -> Made:
    if table.session != do.session:
        raise Refused("ledger.session", "session-not-open", session=do.session)
    return (About(CAMPAIGN, SessionClosed(do.session)),)


def _set_dial(ruleset: Ruleset[Any, Any], do: SetDial) -> tuple[Made, tuple[Step, ...]]:
    rule = check_dial(ruleset, do.name, do.value)
    _text("ledger.dial", reason=do.reason)
    return (About(CAMPAIGN, DialSet(do.name, do.value, do.reason)),), (step(rule, do.value, dial=do.name),)


def _amend(ruleset: Ruleset[Any, Any], table: Table[Any], do: Amend) -> tuple[Made, tuple[Step, ...]]:
    subject = parse_subject(do.subject)
    state = table.get(subject, type(ruleset.blank(subject.kind)))
    _text("ledger.amend", reason=do.reason)
    try:
        shape.replace_at(state, do.field, do.value)
    except shape.Misshapen as problem:
        raise Refused("ledger.amend", "amend-value", field=do.field, problem=str(problem)) from None
    return (About(subject, Amended(do.field, do.value, do.reason)),), (step("ledger.amend", do.value, field=do.field),)


def _adjust(table: Table[Any], do: Adjust) -> Made:
    _text("ledger.adjust", reason=do.reason)
    moved = Posting(do.source, do.target, do.unit, do.amount)
    try:
        owners = purses.owners((moved,))
    except ValueError as problem:
        raise Refused("ledger.adjust", "unknown-account", problem=str(problem)) from None
    for owner in owners:
        if not table.has(owner):
            raise Refused("ledger.adjust", f"unknown-{owner.kind}", account=str(owner))
    if not owners:
        raise Refused("ledger.adjust", "unlimited-accounts", source=do.source, target=do.target)
    return (About(owners[0], Adjusted(do.reason), (moved,)),)


def parse_subject(text: str) -> Subject:
    """`character:12`, `scene:7`, `seat:s1`, `campaign`. Refuses `unknown-subject`."""
    kinds: dict[str, SubjectKind] = {"character": "character", "scene": "scene", "seat": "seat"}
    kind, colon, id = text.partition(":")
    if text == "campaign":
        return CAMPAIGN
    if kind not in kinds or not colon or not id:
        raise Refused("ledger.subject", "unknown-subject", subject=text)
    return Subject(kinds[kind], id)


def _text(rule: str, **texts: str) -> None:
    for name, text in texts.items():
        if not text.strip():
            raise Refused(rule, f"{name}-blank")


# --- dials --------------------------------------------------------------------------------------------------------


def dial_fields(dials: type) -> dict[str, dataclasses.Field[Any]]:
    """Public name -> field, in order."""
    return {one.metadata.get("name") or one.name: one for one in dataclasses.fields(dials)}


def check_dial(ruleset: Ruleset[Any, Any], name: str, value: Any) -> str:
    """The rule a dial belongs to. Refuses `unknown-dial`, `dial-value`."""
    own = dial_fields(Dials).get(name)
    if own is not None:
        if value not in own.metadata["values"]:
            raise Refused("ledger.dial", "dial-value", dial=name, allowed=list(own.metadata["values"]))
        return str(own.metadata["rule"])
    found = dial_fields(ruleset.dials).get(name)
    if found is None:
        raise Refused("ledger.dial", "unknown-dial", dial=name)
    try:
        shape.convert(value, shape.hints(ruleset.dials)[found.name])
    except shape.Misshapen as problem:
        raise Refused("ledger.dial", "dial-value", dial=name, problem=str(problem)) from None
    return str(found.metadata["rule"])


def turned(dials: type, values: Mapping[str, Any]) -> Any:
    """A system's (or the kernel's) dials with the values of a campaign; what is not its own is passed over."""
    types = shape.hints(dials)
    named = dial_fields(dials)
    return dials(**{one.name: shape.convert(values[name], types[one.name]) for name, one in named.items() if name in values})


RULES: Mapping[str, RuleText] = {
    rule: RuleText(statement, "")
    for rule, statement in {
        "ledger.enrol": "A character has a name, a seat that plays it and a sheet its system accepts.",
        "ledger.hand-over": "A character can be handed to any seat still at the table.",
        "ledger.retire": "A character can leave play once, with a reason.",
        "ledger.scene": "A scene has a title and a cast, is opened once and closed once.",
        "ledger.session": "One session is open at a time.",
        "ledger.dial": "A dial takes one of its values, for rulings from then on.",
        "ledger.amend": "The table can set any piece of any state, with a reason.",
        "ledger.adjust": "The table can move anything countable between two accounts, with a reason.",
        "ledger.posting": "No new spend overdraws an account.",
        "ledger.subject": "A ruling is about subjects that exist.",
        "ledger.deciders": "Who may declare what a game master may: game masters only, or all players.",
        "ledger.dice": "Dice are rolled by the ledger or typed in from the table; faces are integers in range.",
        "ledger.draw": "Cards drawn are among those that can be drawn.",
        "ledger.shuffle": "A shuffle keeps exactly the same cards.",
        "ledger.flip": "A coin shows heads or tails.",
        "ledger.ask": "Who is asked answers with one of the kinds asked for.",
        "ledger.answer": "An answer is given to a question that was asked, by who was asked.",
    }.items()
}
