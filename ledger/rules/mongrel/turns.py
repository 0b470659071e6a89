"""Turns in a conflict: the cost of acting, paying to be next, and passing. Heading: Complex task resolution, 2.

A character who acts goes to the end of the order. Dealings (barter, sales and so on) take a turn only at some tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Annotated, Any

from ledger.rules.kernel.kit import (
    Among,
    Asking,
    CharacterId,
    Move,
    Names,
    Refusal,
    Says,
    Seen,
    Story,
    changed,
    changes,
    character,
    decides,
    declares,
    either,
    fact,
    offers,
    require,
    rule,
)
from ledger.rules.mongrel import accounts, acting, clock, conflict, sessions
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.sight import Sight, get_sight
from ledger.rules.mongrel.state import Conflict, in_its_conflict, remove_from_queue, with_queue_and_action
from ledger.rules.mongrel.terms import Payment, by_value, word_order

LABEL = rule(
    "mongrel.conflict.label",
    "A character with 1 Action Point is rushed, and one with 0 is discombobulated. These words do not change any roll.",
    "Complex task resolution",
)


def say_turn_over(fact: TurnEnded, names: Names) -> str:
    """Put into words who acts next."""
    next_phrase = f" Next: {word_order(fact.queue, names)}." if fact.queue[1:] else ""
    return f"{names.name(character(fact.character))}'s turn is over.{next_phrase}"


@fact("turn-ended", says=say_turn_over)
class TurnEnded:
    """A character's turn ended. `queue`: the order after it."""

    character: CharacterId
    queue: tuple[CharacterId, ...]


@changes
@in_its_conflict
def move_to_end(state: Conflict, fact: TurnEnded) -> Conflict | None:
    """Move the character to the end of the order. A dead character is no longer in the order, but their action is over
    too.
    """
    if fact.character in state.queue:
        return with_queue_and_action(state, (*remove_from_queue(state.queue, fact.character), fact.character), None)
    return changed(state, action=None) if state.action is not None else None


@fact(
    "action-points-spent",
    says=by_value(
        "reason",
        {
            "defend": "{character} spends {amount:Action Point|Action Points} to defend.",
            "forced": "{character} must spend {amount:Action Point|Action Points} because the target defends.",
            "missed": "{character} loses {amount:Action Point|Action Points} because the action failed.",
            "front": "{character} spends {amount:Action Point|Action Points} to move to the front.",
        },
    ),
    changes=None,
)
class ActionPointsSpent:
    """A character spent Action Points."""

    character: CharacterId
    amount: int
    reason: Payment


def pay_ap(draft: Draft, character_id: str, reason: Payment) -> None:
    """Pay one Action Point. A character without any pays nothing."""
    if draft.count_ap(character_id) > 0:
        draft.about(
            character_id,
            ActionPointsSpent(character_id, 1, reason),
            accounts.make_posting(accounts.name_ap(character_id), accounts.AP, 1),
        )


def end_turn(draft: Draft, strife: acting.Strife, character_id: str) -> None:
    """Move the character to the end of the order (`mongrel.conflict.queue`)."""
    queue = acting.read_conflict(draft, strife).queue
    new_queue = (*(other for other in queue if other != character_id), character_id) if character_id in queue else queue
    draft.tell(strife.scene, TurnEnded(character_id, new_queue))
    draft.by(acting.QUEUE, list(new_queue))
    if character_id in new_queue:
        draft.by(LABEL, name_readiness(draft.count_ap(character_id)), ap=draft.count_ap(character_id))


def name_readiness(ap: int) -> str:
    """Return the label for this many Action Points. The label does not change any roll."""
    return "discombobulated" if ap < 1 else "rushed" if ap == 1 else "ready"


# --- moving to the front ---------------------------------------------------------------------------------------------

FRONT = rule(
    "mongrel.conflict.front",
    "A participant who has not collapsed may pay 1 Action Point to move to the front of the order, at any time and"
    " any number of times. They then act before an action that was already declared, unless its defence or its "
    "dice are known.",
    "Complex task resolution",
    outcome="character",
)
ALREADY_NEXT = Refusal(
    FRONT,
    "already-next",
    "{character} is already next in the order.",
)


def say_front(fact: FrontTaken, names: Names) -> str:
    return f"{names.name(character(fact.character))} moves to the front. The order is {word_order(fact.after, names)}."


@fact("front-taken", says=say_front)
class FrontTaken:
    """A character moved to the front. `before`, `after`: the order before and after the move."""

    character: CharacterId
    before: tuple[CharacterId, ...]
    after: tuple[CharacterId, ...]


@changes
@in_its_conflict
def move_to_front(state: Conflict, fact: FrontTaken) -> Conflict | None:
    if fact.character not in state.queue:
        return None
    return changed(state, queue=(fact.character, *remove_from_queue(state.queue, fact.character)))


FRONT_FACTS = (FrontTaken, ActionPointsSpent, sessions.SessionPlayed, conflict.DeclarationLapsed)


@declares("take-front", either("character"), says="{character} moves to the front.", records=FRONT_FACTS)
class TakeFront:
    """Move a character to the front of the order, for 1 Action Point."""

    character: CharacterId


@decides
def take_front(draft: Draft, do: TakeFront) -> None:
    """Pay an Action Point to be next. An open declared action lapses."""
    character_id = do.character
    strife = acting.check_strife(draft, character_id, FRONT)
    old_queue = strife.conflict.queue
    if old_queue[:1] == (character_id,):
        raise ALREADY_NEXT(character=character_id)
    acting.check_can_act(draft, character_id, FRONT)
    new_queue = (character_id, *(other for other in old_queue if other != character_id))
    draft.tell(strife.scene, FrontTaken(character_id, old_queue, new_queue))
    pay_ap(draft, character_id, "front")
    draft.by(FRONT, list(new_queue), before=list(old_queue))
    sessions.note_played(draft, character_id)
    if strife.conflict.action is not None:
        draft.tell(strife.scene, conflict.DeclarationLapsed(strife.conflict.action.actor))


@offers
def offer_to_take_front(seen: Seen, draft: Draft) -> Iterator[Move]:
    sight = get_sight(seen, draft)
    for strife in conflict.list_settled(sight):
        living_ids = conflict.list_living(sight, strife)
        if hurried_ids := tuple(
            character_id
            for character_id in living_ids
            if strife.conflict.queue[:1] != (character_id,) and sight.can_act(character_id)
        ):
            yield Move(TakeFront, {"character": Among(hurried_ids)})


# --- passing ---------------------------------------------------------------------------------------------------------


@fact("turn-passed", says="{character} passes[: {text}].", changes=None)
class TurnPassed:
    """A character passed. `text`: what they did instead, in words."""

    character: CharacterId
    text: Story


PASSED_FACTS = (TurnPassed, sessions.SessionPlayed, TurnEnded, clock.RecoveryEnded, conflict.DeclarationLapsed)


@declares("pass", either("character"), says="{character} passes[: {text}].", records=PASSED_FACTS)
class Pass:
    """Pass the turn. A declared action that was not carried out is cancelled.

    `text`: what the character does, if anything. They need at least 1 Action Point for this, but do not spend it.
    """

    character: CharacterId
    text: Annotated[Story, Says("Action without dice")] = ""


@decides
def pass_turn(draft: Draft, do: Pass) -> None:
    """Pass the turn. This also cancels a declared action. Refuses `no-ap`, `collapsed`."""
    strife = acting.check_turn(draft, do.character, acting.QUEUE, is_passing=True)
    _check_idle(draft, do)
    clock.end_recovery(draft, do.character)
    if strife.conflict.action is not None:
        draft.tell(strife.scene, conflict.DeclarationLapsed(strife.conflict.action.actor))
    draft.tell(strife.scene, TurnPassed(do.character, do.text))
    sessions.note_played(draft, do.character)
    end_turn(draft, strife, do.character)


def _check_idle(draft: Draft, do: Pass) -> None:
    """Refuse to let a character without an Action Point do anything while passing (`mongrel.ap.recover`)."""
    if do.text.strip():
        if draft.count_ap(do.character) < 1:
            raise acting.NO_AP.under("mongrel.ap.recover", character=do.character)
        require(acting.may_be_active(draft, do.character))


def list_heads(sight: Sight) -> Iterator[tuple[acting.Strife, str]]:
    """Yield the next participant of each conflict that does not wait for a decision."""
    for strife in conflict.list_settled(sight):
        next_id = strife.conflict.queue[0] if strife.conflict.queue else ""
        own_strife = sight.strife_by_id.get(next_id)
        if own_strife is not None and own_strife.scene == strife.scene and not sight.people[next_id].dead:
            yield strife, next_id


def list_actors(sight: Sight) -> list[tuple[acting.Strife, str]]:
    """Return the conflicts and characters whose turn it is, if they can act and have no action declared."""
    return [
        (strife, next_id)
        for strife, next_id in list_heads(sight)
        if strife.conflict.action is None and sight.can_roll(next_id) and sight.can_act(next_id)
    ]


# --- barter, sales and other dealings --------------------------------------------------------------------------------

DEALINGS = rule(
    "mongrel.conflict.dealings",
    "Barter, Credit transfers, selling and handing things over are not actions and need no turn (our reading). At "
    "some tables they are actions, and take a turn.",
    "Complex task resolution",
)
IN_TURN_FACTS = (clock.RecoveryEnded, TurnEnded)


def in_its_turn(rule: Callable[[Draft, Any], Asking[None] | None]) -> Callable[[Draft, Any], Asking[None]]:
    """Return the rule with the handling of turns added: in a conflict, a dealing takes a turn if an option says so."""

    @wraps(rule)
    def rule_in_turn(draft: Draft, do: Any) -> Asking[None]:
        strife = _check_turn_of_dealing(draft, do.character)
        if strife is not None:
            clock.end_recovery(draft, do.character)
        asking = rule(draft, do)
        if asking is not None:
            yield from asking
        if strife is not None:
            end_turn(draft, strife, do.character)

    return rule_in_turn


def _check_turn_of_dealing(draft: Draft, character_id: str) -> acting.Strife | None:
    """Return the conflict in which the dealing takes a turn, or None. Refuses the same codes as an action."""
    draft.read_character(character_id)
    if acting.find_strife(draft, character_id) is None:
        return None
    if draft.dials.dealings_in_conflict == "free":
        draft.by(DEALINGS, "free", character=character_id)
        return None
    strife = acting.check_turn(draft, character_id, DEALINGS)
    acting.check_can_act(draft, character_id)
    return strife
