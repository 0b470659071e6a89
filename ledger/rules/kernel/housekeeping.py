"""What every campaign does whatever it plays: enrolling, scenes, sessions, dials, amendments.

These inputs are rulings like any other: the kernel checks and records its part, the system adjudicates the same input
and adds its own facts (a scene may refuse to close while a fatal is held).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from ledger.rules.kernel import json_types, purses
from ledger.rules.kernel.contract import (
    CAMPAIGN,
    EVERYBODY,
    GM_ONLY,
    About,
    Asking,
    Audience,
    Posting,
    Refused,
    Ruleset,
    RuleText,
    Step,
    Subject,
    SubjectKind,
    Table,
    Verdict,
    Viewer,
    character,
    scene,
    seat,
    step,
)
from ledger.rules.kernel.dials import Dials, check_dial, check_together, dial_fields, turned
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.register import CampaignCard, Card, CharacterCard, SceneCard, SeatCard, apply
from ledger.rules.kernel.words import (
    FACTS,
    INPUTS,
    Adjust,
    Adjusted,
    Amend,
    Amended,
    CampaignOpened,
    CharacterEnrolled,
    CharacterHandedOver,
    CharacterReseated,
    CharacterRetired,
    CharacterSeated,
    CloseScene,
    CloseSession,
    DialSet,
    Enrol,
    HandOver,
    Input,
    Leg,
    OpenScene,
    OpenSession,
    Retire,
    SceneBegun,
    SceneClosed,
    SceneEnded,
    SceneOpened,
    SeatRemoved,
    SeatRenamed,
    SeatTaken,
    SessionClosed,
    SessionOpened,
    SetDial,
)

__all__ = [
    "FACTS",
    "INPUTS",
    "RULES",
    "Adjust",
    "Adjusted",
    "Amend",
    "Amended",
    "CampaignCard",
    "CampaignOpened",
    "Card",
    "CharacterCard",
    "CharacterEnrolled",
    "CharacterHandedOver",
    "CharacterReseated",
    "CharacterRetired",
    "CharacterSeated",
    "CloseScene",
    "CloseSession",
    "DialSet",
    "Dials",
    "Enrol",
    "HandOver",
    "Input",
    "Leg",
    "OpenScene",
    "OpenSession",
    "Retire",
    "SceneBegun",
    "SceneCard",
    "SceneClosed",
    "SceneEnded",
    "SceneOpened",
    "SeatCard",
    "SeatRemoved",
    "SeatRenamed",
    "SeatTaken",
    "SessionClosed",
    "SessionOpened",
    "SetDial",
    "adjudicate",
    "apply",
    "check_dial",
    "check_together",
    "dial_fields",
    "parse_subject",
    "turned",
]

Made: TypeAlias = tuple[About[Any], ...]


def adjudicate(ruleset: Ruleset[Any, Any], table: Table[Any], do: Any) -> Asking[Verdict[Any]]:
    """Any input of the system or the kernel. For the kernel's: its checks, then the system's, its facts first.

    Whatever is spent must be there: checked here, so that a spend loses its support where its account is empty.
    """
    made, because = _kernel_part(ruleset, table, do) if isinstance(do, INPUTS) else ((), ())
    verdict = yield from ruleset.adjudicate(table, do)
    if made:
        verdict = Verdict((*made, *verdict.facts), (*because, *verdict.because), verdict.audience)
    purses.check_spends((posting for about in verdict.facts for posting in about.postings), table.balance)
    return verdict


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
    return (handed_over, About(CAMPAIGN, CharacterReseated(do.character, do.seat)))


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
    after = _amended(ruleset, table, do, state)
    if do.seen_by is None:
        audience = _who_sees(ruleset, table, do, state, after)
    else:
        audience = do.seen_by
        _must_be_hidden(ruleset, table, do, state, after)
    amended: About[Any] = About(subject, Amended(do.field, do.value, do.reason), audience=audience)
    return (amended,), (step("ledger.amend", do.value, audience, field=do.field),)


def _amended(ruleset: Ruleset[Any, Any], table: Table[Any], do: Amend, state: Any) -> Any:
    """The state with the piece set. Where players decide, what they do not see is refused alike, whatever is there."""
    try:
        after = json_types.replace_at(state, do.field, do.value)
    except json_types.Misshapen as problem:
        if table.by.role == "gm":
            raise Refused("ledger.amend", "amend-value", field=do.field, problem=str(problem)) from None
        after = state
    if table.by.role != "gm" and not _shown(ruleset, replace(table.by, chairs=frozenset()), state, after):
        unseen = "It is of another kind, is so already, is not there, or is not shown to you."
        raise Refused("ledger.amend", "amend-value", field=do.field, problem=unseen)
    return after


def _shown(ruleset: Ruleset[Any, Any], viewer: Viewer, before: Any, after: Any) -> set[tuple[str, str]]:
    """What of the difference between two states the viewer is shown: every leaf that was, or is now, otherwise."""
    was, now = (ruleset.view(state, viewer) for state in (before, after))
    return set(_differences(was, now))


def _differences(was: Any, now: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """The leaves of either that are not the other's; what is alike is not gone through."""
    if repr(was) == repr(now):
        return
    ours, theirs = _parts(was), _parts(now)
    if ours and theirs:
        for name in {**ours, **theirs}:
            yield from _differences(ours.get(name, _NOTHING), theirs.get(name, _NOTHING), f"{path}/{name}")
    else:
        yield from {*_leaves(was, path)} ^ {*_leaves(now, path)}


_NOTHING = object()  # in the place of what only the other has


def _parts(node: Any) -> dict[Any, Any]:
    if isinstance(node, Mapping):
        return dict(node)
    return dict(enumerate(node)) if isinstance(node, list | tuple) else {}


def _leaves(node: Any, path: str) -> Iterator[tuple[str, str]]:
    parts = _parts(node)
    for name, value in parts.items():
        yield from _leaves(value, f"{path}/{name}")
    if not parts and node is not _NOTHING:
        yield path, repr(node)


def _who_sees(ruleset: Ruleset[Any, Any], table: Table[Any], do: Amend, before: Any, after: Any) -> Audience:
    """Everybody, where a stranger is shown all that differs and all of what is said, which the fact tells whole; else
    whose character it is, who is; else the gm. In a game without secrets everybody, also where nothing differs.
    """
    if not ruleset.secrets:
        return EVERYBODY
    subject = parse_subject(do.subject)
    bare = _without_piece(after, do, ruleset.blank(subject.kind))

    def shown(viewer: Viewer) -> set[tuple[str, str]]:
        return _shown(ruleset, viewer, before, after) | _shown(ruleset, viewer, bare, after)

    stranger = shown(Viewer("", "player"))
    own: set[tuple[str, str]] = set()
    if subject.kind == "character":
        own = shown(Viewer(table.owner(subject), "player", frozenset({subject.id})))
    most = stranger | own | shown(Viewer("", "gm"))
    if most and stranger == most:
        return EVERYBODY
    return ("gm", str(subject)) if own and own == most else GM_ONLY


def _without_piece(state: Any, do: Amend, blank: Any) -> Any:
    """The state with nothing in the piece, where it is one of several parts; else (it is all that differs) as it is."""
    if not isinstance(do.value, list | tuple | Mapping):
        return state
    try:
        return json_types.replace_at(state, do.field, {} if isinstance(do.value, Mapping) else [])
    except json_types.Misshapen:
        whole = json_types.pointer(do.field)[0]
        return changed(state, **{whole: getattr(blank, whole)})


def _must_be_hidden(ruleset: Ruleset[Any, Any], table: Table[Any], do: Amend, before: Any, after: Any) -> None:
    """`seen_by` keeps nothing secret that the game shows: then it is refused (`shown-to-others`), with to whom."""
    assert do.seen_by is not None
    known = {one.id: _at_the_table(table, one) for one in table.subjects("seat") if table.is_open(one)}
    seated = {f"chair:{name}": Viewer("", "player", chairs=frozenset({name})) for name in ruleset.chairs}
    anybody = {"everybody": Viewer("", "observer"), "players": Viewer("", "player")}
    for shown_to, viewer in {**anybody, **seated, **known}.items():
        if viewer.seat != table.by.seat and not viewer.may_see(do.seen_by) and _shown(ruleset, viewer, before, after):
            raise Refused("ledger.amend", "shown-to-others", field=do.field, shown_to=shown_to)


def _at_the_table(table: Table[Any], one: Subject) -> Viewer:
    played = (who.id for who in table.subjects("character") if table.owner(who) == one.id)
    return Viewer(one.id, table.role(one), frozenset(played))


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
    return (About(owners[0], Adjusted(do.reason), (moved,), do.seen_by),)


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


RULES: Mapping[str, RuleText] = {
    rule: RuleText(statement, "")
    for rule, statement in {
        "ledger.enrol": "A character has a name, a seat that plays it and a sheet its system accepts.",
        "ledger.hand-over": "A character can be handed to any seat still at the table.",
        "ledger.retire": "A character can leave play once, with a reason.",
        "ledger.scene": "A scene has a title and a cast, is opened once and closed once.",
        "ledger.session": "One session is open at a time.",
        "ledger.dial": "A dial takes one of its values, for rulings from then on.",
        "ledger.amend": "The table can set any piece of any state, with a reason; hidden only where the game hides it.",
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
        "ledger.replay": "What the rules break on when it is ruled again keeps what it recorded; the log says where.",
    }.items()
}
