"""Who is next: the order of actions as a queue, and moving to its front. Heading: Complex task resolution, 1 and 2."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.rules.kernel.questions import Asking, flip
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Subject, character
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.damage import leave
from ledger.rules.mongrel.ground import (
    Place,
    Ruling,
    check_alive,
    check_nobody_decides,
    check_once,
    conflict_of,
    now,
    the_conflict,
    the_turn,
)
from ledger.rules.mongrel.inputs import (
    CloseConflict,
    JoinConflict,
    LeaveConflict,
    OpenConflict,
    Pass,
    TakeFront,
)
from ledger.rules.mongrel.sheet import Coin
from ledger.rules.mongrel.state import Conflict
from ledger.rules.mongrel.strife import (
    ActionPointsSpent,
    CoinFlipped,
    ConflictClosed,
    ConflictOpened,
    DeclarationLapsed,
    FrontTaken,
    ParticipantJoined,
    RecoveryEnded,
    TurnEnded,
    TurnPassed,
)
from ledger.rules.mongrel.terms import Payment

ORDER = "mongrel.conflict.order"
QUEUE = "mongrel.conflict.queue"
FRONT = "mongrel.conflict.front"


# --- opening and closing ---------------------------------------------------------------------------------------------


def open_conflict(ruling: Ruling, do: OpenConflict) -> Asking[None]:
    """Beast, then Man, then Demon, highest first; complete ties by coin."""
    here = the_scene(ruling)
    if ruling.scene(here).conflict is not None:
        raise Refused(ORDER, "conflict-open", scene=here.id)
    check_once(do.participants, ORDER)
    for id in do.participants:
        check_can_join(ruling, id)
    if not do.participants:
        raise Refused(ORDER, "no-participants")
    queue, coins = yield from _ordered(ruling, do.participants, do.coins)
    ruling.tell(here, ConflictOpened(queue))
    for coin in coins:
        ruling.tell(here, CoinFlipped(coin.first, coin.second))
    for id in queue:
        ruling.by(ORDER, list(key(ruling, id)), character=id)
        end_recovery(ruling, id)


def the_scene(ruling: Ruling, named: str | None = None) -> Subject:
    """The scene it is declared in. Refuses `no-scene`."""
    here = Subject("scene", named) if named is not None else ruling.table.scene
    if here is None or not ruling.table.has(here) or not ruling.table.is_open(here):
        raise Refused(ORDER, "no-scene")
    return here


def check_can_join(ruling: Ruling, id: str) -> None:
    check_alive(ruling, id)
    if conflict_of(ruling, id) is not None:
        raise Refused(ORDER, "already-in-conflict", character=id)


def key(ruling: Ruling, id: str) -> tuple[int, int, int]:
    identity = ruling.who(id).identity
    return identity.get("beast", 0), identity.get("man", 0), identity.get("demon", 0)


def _ordered(
    ruling: Ruling, ids: Sequence[str], coins: tuple[Coin, ...] | None
) -> Asking[tuple[tuple[str, ...], list[Coin]]]:
    """One after another takes the place before the first that is less; complete ties meet from behind, by coin."""
    queue: list[str] = []
    flipped: list[Coin] = []
    for id in ids:
        place = sum(1 for other in queue if key(ruling, other) >= key(ruling, id))
        while place > 0 and key(ruling, queue[place - 1]) == key(ruling, id):
            coin = yield from _coin(ruling, queue[place - 1], id, coins)
            flipped.append(coin)
            if coin.first != id:
                break
            place -= 1
        queue.insert(place, id)
    return tuple(queue), flipped


def _coin(ruling: Ruling, a: str, b: str, coins: tuple[Coin, ...] | None) -> Asking[Coin]:
    """The coin said beforehand (else `tie-needs-coin`), or one asked for: heads, and the first named goes first."""
    if coins is not None:
        for coin in coins:
            if {coin.first, coin.second} == {a, b}:
                return coin
        raise Refused(ORDER, "tie-needs-coin", tied=[a, b])
    heads, tails = ruling.table.name(character(a)), ruling.table.name(character(b))
    (face,) = yield from flip(None, 1, slot=f"order:{a}:{b}", purpose=f"{heads} (heads) or {tails} (tails) goes first")
    return Coin(a, b) if face == "heads" else Coin(b, a)


def join_conflict(ruling: Ruling, do: JoinConflict) -> None:
    """A latecomer waits at the tail."""
    here = the_scene(ruling)
    conflict = ruling.scene(here).conflict
    if conflict is None:
        raise Refused(ORDER, "no-conflict", scene=here.id)
    check_nobody_decides(ruling, Place(here, conflict))
    check_can_join(ruling, do.character)
    ruling.tell(here, ParticipantJoined(do.character))
    ruling.by(ORDER, list(now(ruling, Place(here, conflict)).queue))


def leave_conflict(ruling: Ruling, do: LeaveConflict) -> None:
    """Taken out by a game master, wherever in the order; what was declared by or on it lapses."""
    place = the_conflict(ruling, do.character, ORDER)
    leave(ruling, do.character, do.reason)
    ruling.by(ORDER, list(now(ruling, place).queue), left=do.character)


def close_conflict(ruling: Ruling, do: CloseConflict) -> None:
    here = the_scene(ruling, do.scene)
    conflict = ruling.scene(here).conflict
    if conflict is None:
        raise Refused(ORDER, "no-conflict", scene=here.id)
    close(ruling, here, conflict)


def close(ruling: Ruling, here: Subject, conflict: Conflict) -> None:
    """Refuses `decision-pending` while terminal damage waits for its answer."""
    check_nobody_decides(ruling, Place(here, conflict))
    if conflict.action is not None:
        ruling.tell(here, DeclarationLapsed(conflict.action.actor))
    ruling.tell(here, ConflictClosed())
    ruling.by(QUEUE, "closed")


def retire(ruling: Ruling, id: str) -> None:
    """Who retires leaves the queue. Refuses `decision-pending`: whether it dies is answered first."""
    if ruling.who(id).dying:
        raise Refused("mongrel.damage.terminal", "decision-pending", character=id)
    leave(ruling, id)


# --- turns -----------------------------------------------------------------------------------------------------------


def take_front(ruling: Ruling, do: TakeFront) -> None:
    """An Action Point, and one is next. An action declared and not yet decided on lapses."""
    id = do.character
    place = the_conflict(ruling, id, FRONT)
    before = place.conflict.queue
    if before[:1] == (id,):
        raise Refused(FRONT, "already-next", character=id)
    check_can_act(ruling, id, FRONT)
    after = (id, *(other for other in before if other != id))
    ruling.tell(place.subject, FrontTaken(id, before, after))
    pay(ruling, id, "front")
    ruling.by(FRONT, list(after), before=list(before))
    ruling.plays(id)
    if place.conflict.action is not None:
        ruling.tell(place.subject, DeclarationLapsed(place.conflict.action.actor))


def check_can_act(ruling: Ruling, id: str, rule: str = "mongrel.conflict.act") -> None:
    """Refuses `no-ap`, `collapsed`."""
    if ruling.ap(id) < 1:
        raise Refused(rule, "no-ap", character=id)
    if ruling.who(id).collapsed:
        raise Refused(rule, "collapsed", character=id)
    ruling.by(rule, "may act", ap=ruling.ap(id))


def pay(ruling: Ruling, id: str, reason: Payment) -> None:
    """One Action Point, if there is one left: nobody owes any."""
    if ruling.ap(id) > 0:
        ruling.about(id, ActionPointsSpent(id, 1, reason), accounts.move(accounts.ap(id), accounts.AP, 1))


def end_recovery(ruling: Ruling, id: str) -> None:
    if ruling.who(id).recovering:
        ruling.about(id, RecoveryEnded(id))


def pass_turn(ruling: Ruling, do: Pass) -> None:
    """Passing also takes back an action that was declared and not carried out."""
    place = the_turn(ruling, do.character, QUEUE, passes=True)
    end_recovery(ruling, do.character)
    if place.conflict.action is not None:
        ruling.tell(place.subject, DeclarationLapsed(place.conflict.action.actor))
    ruling.tell(place.subject, TurnPassed(do.character, do.text))
    ruling.plays(do.character)
    end_turn(ruling, place, do.character)


def end_turn(ruling: Ruling, place: Place, id: str) -> None:
    """`mongrel.conflict.queue`: to the tail."""
    queue = now(ruling, place).queue
    after = (*(other for other in queue if other != id), id) if id in queue else queue
    ruling.tell(place.subject, TurnEnded(id, after))
    ruling.by(QUEUE, list(after))
    if id in after:
        ruling.by("mongrel.conflict.label", label(ruling.ap(id)), ap=ruling.ap(id))


def label(ap: int) -> str:
    """`mongrel.conflict.label`: words only."""
    return "discombobulated" if ap < 1 else "rushed" if ap == 1 else "ready"


def close_scene(ruling: Ruling, scene: str) -> None:
    """A conflict does not outlast its scene."""
    here = Subject("scene", scene)
    conflict = ruling.scene(here).conflict
    if conflict is not None:
        close(ruling, here, conflict)
