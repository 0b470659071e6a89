"""The current state of each subject: a character, and a board of actions and checks for each scene and the campaign.

Collections that grow with the campaign are on shelves and in logs (`shelves`), so that no fact copies a whole one.
Facts whose character, check or other target was overturned are kept in `adrift`. Below the states are helpers for
writing how a fact changes a character, a board or a check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Annotated, Any, Protocol, TypeAlias, TypeVar

from ledger.rules.kernel.kit import Audience, Says, SeenBy, Subject, changed, changing, quick
from ledger.rules.mnemonic.records import (
    CameOut,
    CheckResolved,
    CheckRolled,
    CheckRuled,
    FlukeRuled,
    InjuryRuled,
    RecoveryRuled,
    Rolled,
    refer_to_roll,
)
from ledger.rules.mnemonic.shelves import Log, Shelf
from ledger.rules.mnemonic.words import (
    FINE,
    STATUS_NAMES,
    ActionStage,
    CharacterKind,
    Condition,
    Immunity,
    KnownTo,
    normalize_name,
)


@dataclass(frozen=True, slots=True)
class Rating:
    """A Talent or Life Role with the name of its rating. `number`: its number on the ladder at the time when it was
    given.
    """

    kind: str
    name: str
    rating: str
    number: int


def make_rating_key(kind: str, name: str) -> str:
    """Return the key under which a trait's rating is stored."""
    return f"{kind}:{normalize_name(name)}"


@dataclass(frozen=True, slots=True)
class Importance:
    """Script immunity, whatever the table calls it. `check`: the resisting check that it was ruled for, or None for a
    fixed rating.

    `seen_by`: the seats that may read it. Each rating keeps its own readers, so that a changed past in which it was
    never hidden reveals nothing more.
    """

    label: str
    rating: str
    number: int
    check: str | None = None
    seen_by: tuple[str, ...] | None = ("gm", "chair:referee")


@dataclass(frozen=True, slots=True)
class Assignment:
    """An assigned Aptitude. `previous`: the standing assignment before it for the same task. `drift`: the difference
    from that assignment.
    """

    id: str
    task: str
    ref: int
    player: int | None
    agreed: int | None
    final: int
    gap: int | None
    previous: str | None
    drift: int | None
    drifted: bool
    sheet_sum: int | None
    session: str | None
    reason: str
    reported: str


@dataclass(frozen=True, slots=True)
class Ready:
    """An assignment not yet used for a check."""

    key: str
    task: str
    final: int


@dataclass(frozen=True, slots=True)
class Resisting:
    """A resisting check as its character stores it, for an `injury` or to recover.

    `rolled`: its roll. `awaited`: the result for which the referee has to name the level. `settled`: whether the result
    took effect.
    """

    injury: str | None = None
    rolled: Rolled | None = None
    awaited: CameOut | None = None
    settled: bool = False


def list_readers_of_rating(subject: Subject, state: Character) -> Audience:
    """Return the seats that may read the fixed rating of script immunity: the readers of the rating or, if there is
    none, those of the next one.
    """
    return state.importance.seen_by if state.importance is not None else state.open_to


def list_readers_of_ratings(subject: Subject, state: Character) -> Audience:
    return state.open_to


@dataclass(frozen=True, slots=True)
class Character:
    """A character. `level`: 1 to 6 while active, 0 with a `condition`. `ratings`: the ratings by `make_rating_key`.

    `importance`: the fixed rating. `importances`: the ratings for single checks. The seats in `open_to` may read the
    first `open` of them, because the table decided so later. `source`, `known_to`: which rating is the script immunity,
    and which seats may know this; None means that the options decide. `resisted`: whether a resisting check was ruled.

    `tasks`: by task key, the assignments in order. `ready`: by id, the assignments that no check has used. `secretly`:
    the assignments that a hidden check used, with the seats that may know this.

    `session`: the last session that the character took part in. `sessions`: how many sessions that makes. `resisting`:
    the resisting checks by id. `recovery_rate`: how fast the Status improves, in the referee's words; empty once it is
    Fine.
    """

    kind: Annotated[CharacterKind | None, Says("Kind")] = None
    primary_role: Annotated[str, Says("Primary Role")] = ""
    resist_talent: Annotated[str | None, Says("Talent that resists injuries")] = None
    ratings: Annotated[Mapping[str, Rating], Says("Ratings")] = field(default_factory=dict)
    importance: Annotated[Importance | None, SeenBy(list_readers_of_rating)] = None
    importances: Annotated[Log[Importance], Says("Script immunity by check"), SeenBy(list_readers_of_ratings)] = field(
        default_factory=Log
    )
    open: int = 0
    open_to: tuple[str, ...] | None = None
    source: Immunity | None = None
    known_to: KnownTo | None = None
    resisted: bool = False
    level: int = FINE
    condition: Condition | None = None
    status_names: tuple[str, ...] = STATUS_NAMES
    session: Annotated[str | None, Says("Last session")] = None
    sessions: Annotated[int, Says("Sessions played")] = 0
    tasks: Shelf[Log[Assignment]] = field(default_factory=Shelf)
    ready: Mapping[str, Ready] = field(default_factory=dict)
    secretly: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    abilities: str = ""
    abilities_version: int = 0
    resisting: Shelf[Resisting] = field(default_factory=Shelf)
    recovery_rate: Annotated[str, Says("Rate of recovery")] = ""
    adrift: tuple[Any, ...] = ()

    @property
    def is_created(self) -> bool:
        return self.kind is not None


@dataclass(frozen=True, slots=True)
class Action:
    """A declared action. `injured`: the victims of injuries that it caused as a dodge ruled impossible or an attack
    ruled certain.
    """

    id: str
    character: str
    text: str
    physical: bool
    stage: ActionStage = "declared"
    injured: tuple[str, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class Check:
    """A check and its progress. `injured`: the victims of injuries that it caused. `recovered`: whether the level of
    the recovery was named.
    """

    ruled: CheckRuled
    rolled: CheckRolled | None = None
    fluke: FlukeRuled | None = None
    resolved: CheckResolved | None = None
    injured: tuple[str, ...] = ()
    recovered: bool = False


def is_of_roll(check: Check, rolled: Rolled | None) -> bool:
    """Return whether a decision about this roll counts for the check. Decisions of edition 1 name no roll, and always
    count.
    """
    return rolled is None or (check.rolled is not None and rolled.is_same(refer_to_roll(check.rolled)))


@dataclass(frozen=True, slots=True)
class Board:
    """The actions and checks of one place. `order`: the order in which characters act, as last ruled."""

    actions: Shelf[Action] = field(default_factory=Shelf)
    checks: Shelf[Check] = field(default_factory=Shelf)
    injuries: Shelf[InjuryRuled] = field(default_factory=Shelf)
    recoveries: Shelf[RecoveryRuled] = field(default_factory=Shelf)
    order: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    board: Board = field(default_factory=Board)
    adrift: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Noted:
    """A line of the campaign's record of assigned Aptitudes. `drift`: the difference from the previous number for the
    same task.
    """

    assignment: str
    character: str
    task: str
    final: int
    drift: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Left:
    """A scene that the ruling with this number closed, or in which that ruling began an action, check or injury
    afterwards.

    The number in the scene's id is that of the ruling that opened it.
    """

    scene: str
    ruling: int


@dataclass(frozen=True, slots=True)
class Campaign:
    """The campaign. `referee`: the seat that rules, or None if every game master does. `board`: the actions and checks
    outside any scene.

    `left`: the scenes that were closed. `late`: the rulings that began an action, check or injury in a scene after it
    closed.

    `ladders`: the ladders `traits` and `chances`, once set. `tasks`: the latest number by character and task.
    `drifted`: the record of assigned Aptitudes, in order.
    """

    referee: str | None = None
    ladders: Mapping[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    board: Board = field(default_factory=Board)
    tasks: Shelf[int] = field(default_factory=Shelf)
    drifted: Annotated[Log[Noted], Says("Ratings that changed")] = field(default_factory=Log)
    left: Annotated[Log[Left], Says("Most recently closed scenes")] = field(default_factory=Log)
    late: Annotated[Log[Left], Says("Later rulings in closed scenes")] = field(default_factory=Log)
    adrift: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat. The game stores nothing about seats; the campaign stores which seat rules."""

    adrift: tuple[Any, ...] = ()


State: TypeAlias = Character | Scene | Campaign | Seat


# --- how facts change a character, a board or a check -----------------------------------------------------------------


class OfACheck(Protocol):
    """A fact that names its check."""

    @property
    def check(self) -> str: ...


F = TypeVar("F")
C = TypeVar("C", bound=OfACheck)
_with_board = changing(Scene, "board")
with_checks = changing(Board, "checks")
with_actions = changing(Board, "actions")


def on_its_board(change: Callable[[Board, F], Board | None]) -> Callable[[Any, F], Scene | Campaign | None]:
    """Return a function that applies `change` to the board of the scene, or of the campaign, that the fact is about."""

    @wraps(change)
    def change_state(state: Scene | Campaign, fact: F) -> Scene | Campaign | None:
        board = change(state.board, fact)
        if board is None:
            return None
        return _with_board(state, board) if type(state) is Scene else changed(state, board=board)

    change_state.__annotations__ = {**change.__annotations__, "board": Scene | Campaign}
    return change_state


def of_its_check(change: Callable[[Check, C], Check | None]) -> Callable[[Any, C], Scene | Campaign | None]:
    """Return a function that applies `change` to the check that the fact names, on its board."""

    @wraps(change)
    def change_board(board: Board, fact: C) -> Board | None:
        check = board.checks.find(fact.check)
        new_check = change(check, fact) if check is not None else None
        return with_checks(board, board.checks.put(fact.check, new_check)) if new_check is not None else None

    change_board.__annotations__ = {"board": Board, "fact": change.__annotations__["fact"]}
    return on_its_board(change_board)
