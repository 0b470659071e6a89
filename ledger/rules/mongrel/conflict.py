"""Who is next: the order of actions as a queue, and moving to its front. Heading: Complex task resolution, 1 and 2."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ledger.rules.kernel.commands import CloseScene, Retire
from ledger.rules.kernel.questions import Asking, flip
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Subject, character, scene
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.damage import leave
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.facts_of_strife import (
    ActionPointsSpent,
    CoinFlipped,
    ConflictClosed,
    ConflictOpened,
    DeclarationLapsed,
    FrontTaken,
    ParticipantJoined,
    TurnEnded,
    TurnPassed,
)
from ledger.rules.mongrel.guards import (
    Strife,
    check_alive,
    check_nobody_decides,
    check_once,
    check_stands,
    conflict_of,
    now,
    the_conflict,
    the_turn,
)
from ledger.rules.mongrel.inputs_of_strife import (
    CloseConflict,
    JoinConflict,
    LeaveConflict,
    OpenConflict,
    Pass,
    TakeFront,
)
from ledger.rules.mongrel.sheet import Coin
from ledger.rules.mongrel.state import Conflict
from ledger.rules.mongrel.terms import Payment

ORDER = "mongrel.conflict.order"
QUEUE = "mongrel.conflict.queue"
FRONT = "mongrel.conflict.front"
DEALINGS = "mongrel.conflict.dealings"


# --- opening and closing ---------------------------------------------------------------------------------------------


def open_conflict(draft: Draft, do: OpenConflict) -> Asking[None]:
    """Beast, then Man, then Demon, highest first; complete ties by coin."""
    here = draft.place()
    if draft.scene(here).conflict is not None:
        raise Refused(ORDER, "conflict-open", scene=here.id)
    check_once(do.participants, ORDER)
    for id in do.participants:
        check_can_join(draft, id)
    if not do.participants:
        raise Refused(ORDER, "no-participants")
    queue, coins = yield from _ordered(draft, do.participants, do.coins)
    draft.tell(here, ConflictOpened(queue))
    for coin in coins:
        draft.tell(here, CoinFlipped(coin.first, coin.second))
    for id in queue:
        draft.by(ORDER, list(key(draft, id)), character=id)
        draft.end_recovery(id)


def check_can_join(draft: Draft, id: str) -> None:
    check_alive(draft, id)
    if conflict_of(draft, id) is not None:
        raise Refused(ORDER, "already-in-conflict", character=id)


def key(draft: Draft, id: str) -> tuple[int, int, int]:
    identity = draft.who(id).identity
    return identity.get("beast", 0), identity.get("man", 0), identity.get("demon", 0)


def _ordered(
    draft: Draft, ids: Sequence[str], coins: tuple[Coin, ...] | None
) -> Asking[tuple[tuple[str, ...], list[Coin]]]:
    """One after another takes the place before the first that is less; complete ties meet from behind, by coin."""
    queue: list[str] = []
    flipped: list[Coin] = []
    for id in ids:
        place = sum(1 for other in queue if key(draft, other) >= key(draft, id))
        while place > 0 and key(draft, queue[place - 1]) == key(draft, id):
            coin = yield from _coin(draft, queue[place - 1], id, coins)
            flipped.append(coin)
            if coin.first != id:
                break
            place -= 1
        queue.insert(place, id)
    return tuple(queue), flipped


def _coin(draft: Draft, a: str, b: str, coins: tuple[Coin, ...] | None) -> Asking[Coin]:
    """The coin said beforehand (else `tie-needs-coin`), or one asked for: heads, and the first named goes first."""
    if coins is not None:
        for coin in coins:
            if {coin.first, coin.second} == {a, b}:
                return coin
        raise Refused(ORDER, "tie-needs-coin", tied=[a, b])
    heads, tails = draft.table.name(character(a)), draft.table.name(character(b))
    (face,) = yield from flip(None, 1, slot=f"order:{a}:{b}", purpose=f"{heads} (heads) or {tails} (tails) goes first")
    return Coin(a, b) if face == "heads" else Coin(b, a)


def join_conflict(draft: Draft, do: JoinConflict) -> None:
    """A latecomer waits at the tail."""
    here = draft.place()
    conflict = draft.scene(here).conflict
    if conflict is None:
        raise Refused(ORDER, "no-conflict", scene=here.id)
    check_nobody_decides(draft, Strife(here, conflict))
    check_can_join(draft, do.character)
    draft.tell(here, ParticipantJoined(do.character))
    draft.by(ORDER, list(now(draft, Strife(here, conflict)).queue))


def leave_conflict(draft: Draft, do: LeaveConflict) -> None:
    """Taken out by a game master, wherever in the order; what was declared by or on it lapses."""
    strife = the_conflict(draft, do.character, ORDER)
    leave(draft, do.character, do.reason)
    draft.by(ORDER, list(now(draft, strife).queue), left=do.character)


def close_conflict(draft: Draft, do: CloseConflict) -> None:
    here = draft.place(do.scene)
    conflict = draft.scene(here).conflict
    if conflict is None:
        raise Refused(ORDER, "no-conflict", scene=here.id)
    close(draft, here, conflict)


def close(draft: Draft, here: Subject, conflict: Conflict) -> None:
    """Refuses `decision-pending` while terminal damage waits for its answer."""
    check_nobody_decides(draft, Strife(here, conflict))
    if conflict.action is not None:
        draft.tell(here, DeclarationLapsed(conflict.action.actor))
    draft.tell(here, ConflictClosed())
    for id in conflict.queue:
        if draft.table.has(character(id)):
            draft.end_recovery(id)
    draft.by(QUEUE, "closed")


def retire(draft: Draft, do: Retire) -> None:
    """Who retires leaves the queue. Refuses `decision-pending`: whether it dies is answered first."""
    if draft.who(do.character).dying:
        raise Refused("mongrel.damage.terminal", "decision-pending", character=do.character)
    leave(draft, do.character)


# --- turns -----------------------------------------------------------------------------------------------------------


def take_front(draft: Draft, do: TakeFront) -> None:
    """An Action Point, and one is next. An action declared and not yet decided on lapses."""
    id = do.character
    strife = the_conflict(draft, id, FRONT)
    before = strife.conflict.queue
    if before[:1] == (id,):
        raise Refused(FRONT, "already-next", character=id)
    check_can_act(draft, id, FRONT)
    after = (id, *(other for other in before if other != id))
    draft.tell(strife.scene, FrontTaken(id, before, after))
    pay(draft, id, "front")
    draft.by(FRONT, list(after), before=list(before))
    draft.plays(id)
    if strife.conflict.action is not None:
        draft.tell(strife.scene, DeclarationLapsed(strife.conflict.action.actor))


def check_can_act(draft: Draft, id: str, rule: str = "mongrel.conflict.act") -> None:
    """Refuses `no-ap`, `collapsed`."""
    if draft.ap(id) < 1:
        raise Refused(rule, "no-ap", character=id)
    if draft.who(id).collapsed:
        raise Refused(rule, "collapsed", character=id)
    draft.by(rule, "may act", ap=draft.ap(id))


def pay(draft: Draft, id: str, reason: Payment) -> None:
    """One Action Point, if there is one left: nobody owes any."""
    if draft.ap(id) > 0:
        draft.about(id, ActionPointsSpent(id, 1, reason), accounts.move(accounts.ap(id), accounts.AP, 1))


def pass_turn(draft: Draft, do: Pass) -> None:
    """Passing also takes back an action that was declared and not carried out. Refuses `no-ap`, `collapsed`."""
    strife = the_turn(draft, do.character, QUEUE, passes=True)
    _check_idle(draft, do)
    draft.end_recovery(do.character)
    if strife.conflict.action is not None:
        draft.tell(strife.scene, DeclarationLapsed(strife.conflict.action.actor))
    draft.tell(strife.scene, TurnPassed(do.character, do.text))
    draft.plays(do.character)
    end_turn(draft, strife, do.character)


def _check_idle(draft: Draft, do: Pass) -> None:
    """`mongrel.ap.recover`: without an Action Point nothing else is done, with dice or without."""
    if do.text.strip():
        if draft.ap(do.character) < 1:
            raise Refused("mongrel.ap.recover", "no-ap", character=do.character)
        check_stands(draft, do.character)


def in_its_turn(rule: Callable[[Draft, Any], Asking[None] | None]) -> Callable[[Draft, Any], Asking[None]]:
    """Return the rule of a dealing, which in a conflict is an action where the table says so."""

    def ruled(draft: Draft, do: Any) -> Asking[None]:
        strife = _turn_of(draft, do.character)
        if strife is not None:
            draft.end_recovery(do.character)
        asking = rule(draft, do)
        if asking is not None:
            yield from asking
        if strife is not None:
            end_turn(draft, strife, do.character)

    return ruled


def _turn_of(draft: Draft, id: str) -> Strife | None:
    """`mongrel.conflict.dealings`: the conflict in whose order it is. Refuses as an action does."""
    draft.who(id)
    if conflict_of(draft, id) is None:
        return None
    if draft.dials.dealings_in_conflict == "free":
        draft.by(DEALINGS, "free", character=id)
        return None
    strife = the_turn(draft, id, DEALINGS)
    check_can_act(draft, id)
    return strife


def end_turn(draft: Draft, strife: Strife, id: str) -> None:
    """`mongrel.conflict.queue`: to the tail."""
    queue = now(draft, strife).queue
    after = (*(other for other in queue if other != id), id) if id in queue else queue
    draft.tell(strife.scene, TurnEnded(id, after))
    draft.by(QUEUE, list(after))
    if id in after:
        draft.by("mongrel.conflict.label", label(draft.ap(id)), ap=draft.ap(id))


def label(ap: int) -> str:
    """`mongrel.conflict.label`: words only."""
    return "discombobulated" if ap < 1 else "rushed" if ap == 1 else "ready"


def close_scene(draft: Draft, do: CloseScene) -> None:
    """A conflict does not outlast its scene."""
    here = scene(do.scene)
    conflict = draft.scene(here).conflict
    if conflict is not None:
        close(draft, here, conflict)
