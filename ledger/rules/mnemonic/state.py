"""What is true now of each subject: a character, and a board of actions and checks for each scene and the campaign.

What grows with the campaign stands on shelves and in logs (`shelves`), so that no fact copies it whole. Facts
whose character, check ... no longer stands are kept in `adrift`. Below the states: how a chapter says what a fact
changes of a character, a board or a check.
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
    """A Talent or Life Role with the name of its rating. `number`: on the ladder of the day it was given."""

    kind: str
    name: str
    rating: str
    number: int


def make_rating_key(kind: str, name: str) -> str:
    """Return the key under which a trait's rating is kept."""
    return f"{kind}:{normalize_name(name)}"


@dataclass(frozen=True, slots=True)
class Importance:
    """Script immunity, whatever the table calls it. `check`: the resisting check it was ruled for; fixed: none.

    `seen_by`: who may read it. Each rating keeps its own: another past, in which it was never hidden, tells no more.
    """

    label: str
    rating: str
    number: int
    check: str | None = None
    seen_by: tuple[str, ...] | None = ("gm", "chair:referee")


@dataclass(frozen=True, slots=True)
class Assignment:
    """An assigned Aptitude. `previous`, `drift`: against the one that stands before it, however that came about."""

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
    """A resisting check as far as its character is concerned: for an `injury`, or to recover.

    `rolled`: its roll; `awaited`: the result for which the referee names the recovery. `settled`: it came out.
    """

    injury: str | None = None
    rolled: Rolled | None = None
    awaited: CameOut | None = None
    settled: bool = False


def list_readers_of_rating(subject: Subject, state: Character) -> Audience:
    """Return who may read the fixed rating of script immunity: as it says itself, or as the next one would."""
    return state.importance.seen_by if state.importance is not None else state.open_to


def list_readers_of_ratings(subject: Subject, state: Character) -> Audience:
    return state.open_to


@dataclass(frozen=True, slots=True)
class Character:
    """`level`: 1 to 6 while active, 0 with a `condition`. `ratings`: by `make_rating_key`.

    `importance`: the fixed rating; `importances`: those ruled check by check, the first `open` ones for `open_to` to
    read, because the table said so later. `source`, `known_to`: which rating script immunity is, and who may know that;
    None: as the table's dials say. `resisted`: a resisting check was ruled.
    `tasks`: task key -> its assignments in order; `ready`: assignments by id that no check has used.
    `secretly`: those that a hidden check used, with who may know.
    `session`: the last one taken part in, the `sessions`th. `resisting`: its resisting checks by id.
    `recovery_rate`: how fast its Status improves, as the referee put it; nothing once it is Fine.
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
    """A declared action. `injured`: victims of injuries it caused, by being an impossible dodge or a certain attack."""

    id: str
    character: str
    text: str
    physical: bool
    stage: ActionStage = "declared"
    injured: tuple[str, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class Check:
    """A check as far as it has come. `injured`: victims of injuries it caused. `recovered`: its level was named."""

    ruled: CheckRuled
    rolled: CheckRolled | None = None
    fluke: FlukeRuled | None = None
    resolved: CheckResolved | None = None
    injured: tuple[str, ...] = ()
    recovered: bool = False


def is_of_roll(check: Check, rolled: Rolled | None) -> bool:
    """Return whether a decision about this roll is about the check's own; in edition 1 decisions named none."""
    return rolled is None or (check.rolled is not None and rolled.is_same(refer_to_roll(check.rolled)))


@dataclass(frozen=True, slots=True)
class Board:
    """What is tried in one place. `order`: who acts before whom, as last ruled."""

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
    """A line of the campaign's record of consistency. `drift`: against the line before it for the same task."""

    assignment: str
    character: str
    task: str
    final: int
    drift: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Left:
    """A scene that was closed by the ruling of that number, or in which that ruling began something afterwards.

    Its own ruling was the number of its id.
    """

    scene: str
    ruling: int


@dataclass(frozen=True, slots=True)
class Campaign:
    """`referee`: the seat that rules; None: every game master. `board`: what is tried outside any scene.

    `left`: the scenes that were closed. `late`: the rulings that began something in one of them afterwards.

    `ladders`: `traits` and `chances`, once set. `tasks`: the latest number by character and task. `drifted`: in order.
    """

    referee: str | None = None
    ladders: Mapping[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    board: Board = field(default_factory=Board)
    tasks: Shelf[int] = field(default_factory=Shelf)
    drifted: Annotated[Log[Noted], Says("Ratings that changed")] = field(default_factory=Log)
    left: Annotated[Log[Left], Says("Scenes closed most recently")] = field(default_factory=Log)
    late: Annotated[Log[Left], Says("Later rulings in closed scenes")] = field(default_factory=Log)
    adrift: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Seat:
    """The game knows nothing of seats: who rules is the campaign's."""

    adrift: tuple[Any, ...] = ()


State: TypeAlias = Character | Scene | Campaign | Seat


# --- what a fact changes of a character, a board, a check -------------------------------------------------------------


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
    """Change the board of the scene, or of the campaign, that the fact is about."""

    @wraps(change)
    def change_state(state: Scene | Campaign, fact: F) -> Scene | Campaign | None:
        board = change(state.board, fact)
        if board is None:
            return None
        return _with_board(state, board) if type(state) is Scene else changed(state, board=board)

    change_state.__annotations__ = {**change.__annotations__, "board": Scene | Campaign}
    return change_state


def of_its_check(change: Callable[[Check, C], Check | None]) -> Callable[[Any, C], Scene | Campaign | None]:
    """Change the check that the fact names, on the board where it stands."""

    @wraps(change)
    def change_board(board: Board, fact: C) -> Board | None:
        check = board.checks.find(fact.check)
        new_check = change(check, fact) if check is not None else None
        return with_checks(board, board.checks.put(fact.check, new_check)) if new_check is not None else None

    change_board.__annotations__ = {"board": Board, "fact": change.__annotations__["fact"]}
    return on_its_board(change_board)
