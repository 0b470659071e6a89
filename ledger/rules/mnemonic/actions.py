"""Actions: the characters' attempts, the order in which they act, and the actions that need no roll."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from ledger.rules.kernel.kit import (
    Among,
    CharacterId,
    Domain,
    Move,
    Names,
    Reason,
    Refusal,
    Refused,
    Says,
    Seen,
    Some,
    Story,
    Subject,
    changed,
    changes,
    changing,
    character,
    decides,
    declares,
    fact,
    guards,
    offers,
    require,
    rule,
)
from ledger.rules.mnemonic.boards import find_action
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.referee import (
    REFEREE,
    list_represented_ids,
    may_rule,
    may_speak_for,
    offer_to_referees,
    referee_or_player,
)
from ledger.rules.mnemonic.state import Action, Board, on_its_board, with_actions
from ledger.rules.mnemonic.words import ActionId, ActionStage, NeedsBody, format_reason, quote

#: The referee's decisions are recorded before the roll, and the roll before its result.
BEFORE_ROLL = rule(
    "mnemonic.ruling.before-roll",
    "The referee first rules on a check, and then the check is rolled. If the roll is a fluke, the referee rules "
    "on that, too. Then the result is worked out.",
    "calculating status",
)
OUT_OF_ORDER = Refusal(
    BEFORE_ROLL,
    "out-of-order",
    "This step is not possible now[ for check {check}][ for action {action}]. An earlier step is missing, or this"
    " one has already been done.",
)

_with_stage = changing(Action, "stage")

# --- attempting something ---------------------------------------------------------------------------------------------

INACTIVE = rule(
    "mnemonic.status.inactive",
    "Unconscious or dead characters can't attempt anything. Immobilized characters can't attempt anything physical.",
    "calculating status",
)
IS_INACTIVE = Refusal(INACTIVE, "inactive", "{character} is {condition} and cannot attempt that.")


def say_attempt(do_or_fact: DeclareAction | ActionDeclared, names: Names) -> str:
    return f"{names.name(character(do_or_fact.character))} attempts this: {quote(do_or_fact.text)}"


@fact("action-declared", says=say_attempt)
class ActionDeclared:
    """A character attempted something. `physical`: whether the action is physical."""

    action: ActionId
    character: CharacterId
    text: Story
    physical: bool


@changes
@on_its_board
def put_action(board: Board, fact: ActionDeclared) -> Board:
    action = Action(fact.action, fact.character, fact.text, fact.physical)
    return with_actions(board, board.actions.put(fact.action, action))


@declares("declare-action", referee_or_player("character"), says=say_attempt, records=(ActionDeclared,))
class DeclareAction:
    """Declare what a character attempts."""

    character: CharacterId
    text: Annotated[Story, Says("Action", "What the character attempts.")]
    physical: NeedsBody = True


@guards
def may_attempt(draft: Draft, character_id: str, is_physical: bool) -> Refused | None:
    """Refuse any action of an unconscious or dead character. Refuse physical actions of an immobilized character, or
    all their actions if an option says so.
    """
    condition = draft.character(character_id).condition
    if condition is None or (condition == "immobilized" and not is_physical and draft.dials.status_immobilized_may):
        return None
    return IS_INACTIVE(character=character_id, condition=condition)


@decides
def declare_action(draft: Draft, do: DeclareAction) -> None:
    """Declare what a character attempts, in the player's words."""
    require(may_speak_for(draft, do.character))
    require(may_attempt(draft, do.character, do.physical))
    action_id = draft.table.new_id()
    draft.here(ActionDeclared(action_id, do.character, do.text, do.physical))
    draft.by(BEFORE_ROLL, "declared", action=action_id)


@offers
def offer_to_declare(seen: Seen, draft: Draft) -> Iterator[Move]:
    represented_ids, seat_id = list_represented_ids(draft), seen.seat.seat
    for is_physical in (True, False):
        if able_ids := tuple(
            character_id for character_id in represented_ids if may_attempt(draft, character_id, is_physical) is None
        ):
            fields: dict[str, Domain] = {"character": Among(able_ids), "physical": Among((is_physical,))}
            yield Move(DeclareAction, fields, of=seat_id, seats=(seat_id,))


# --- the order of actions ---------------------------------------------------------------------------------------------

ORDER = rule(
    "mnemonic.ruling.order",
    "The referee decides in which order characters act.",
    "calculating status",
    outcome="character",
)


def say_order(do_or_fact: RuleOrder | ActionOrderRuled, names: Names) -> str:
    actor_names = [names.name(character(character_id)) for character_id in do_or_fact.order]
    if not actor_names:
        return "Everybody acts at the same time."
    first, *others = actor_names
    sentence = f"{first} acts first, then {', then '.join(others)}" if others else f"Only {first} acts"
    return f"{sentence}{format_reason(do_or_fact.reason)}."


@fact("action-order-ruled", says=say_order)
class ActionOrderRuled:
    """The referee set the order in which characters act."""

    order: tuple[CharacterId, ...]
    reason: Reason


@changes
@on_its_board
def put_order(board: Board, fact: ActionOrderRuled) -> Board:
    return changed(board, order=fact.order)


@declares("rule-order", REFEREE, says=say_order, records=(ActionOrderRuled,))
class RuleOrder:
    """Set the order in which characters act. The new order replaces an earlier one."""

    order: tuple[CharacterId, ...]
    reason: Reason = ""


@decides
def rule_order(draft: Draft, do: RuleOrder) -> None:
    require(may_rule(draft))
    for character_id in do.order:
        draft.character(character_id)
    draft.here(ActionOrderRuled(do.order, do.reason))
    draft.by(ORDER, list(do.order))


@offers
def offer_to_rule_order(seen: Seen, draft: Draft) -> Iterator[Move]:
    if may_rule(draft) is None:
        order_domain = Some(Among(draft.roster))
        yield from offer_to_referees(draft, [Move(RuleOrder, {"order": order_domain})])


# --- actions without a roll -------------------------------------------------------------------------------------------

IMPOSSIBLE = rule(
    "mnemonic.check.impossible",
    "An action that the referee rules impossible fails without a roll. No number of Failures is recorded.",
    "calculating status",
)
CERTAIN = rule(
    "mnemonic.check.certain",
    "An action that the referee rules certain succeeds without a roll. No number of Successes is recorded.",
    "calculating status",
)


def _say_whose(fact: ActionRuledImpossible | ActionRuledCertain, names: Names) -> str:
    return f"{names.name(character(fact.character))}'s action" if fact.character is not None else "The action"


def say_impossible(fact: ActionRuledImpossible, names: Names) -> str:
    return f"{_say_whose(fact, names)} is impossible{format_reason(fact.reason)}."


def say_certain(fact: ActionRuledCertain, names: Names) -> str:
    return f"{_say_whose(fact, names)} succeeds without a roll{format_reason(fact.reason)}."


@fact("action-ruled-impossible", 2, says=say_impossible, headline=6)
class ActionRuledImpossible:
    """The declared action fails without a roll. `character`: the character whose action it is; edition 3 did not store
    this.
    """

    action: ActionId
    reason: Reason
    character: CharacterId | None = None


@fact("action-ruled-certain", 2, says=say_certain, headline=7)
class ActionRuledCertain:
    """The declared action succeeds without a roll. `character`: the character whose action it is; edition 3 did not
    store this.
    """

    action: ActionId
    reason: Reason
    character: CharacterId | None = None


@changes
@on_its_board
def rule_out(board: Board, fact: ActionRuledImpossible) -> Board | None:
    return put_stage(board, fact.action, "impossible")


@changes
@on_its_board
def grant(board: Board, fact: ActionRuledCertain) -> Board | None:
    return put_stage(board, fact.action, "certain")


def put_stage(board: Board, action_id: str, stage: ActionStage) -> Board | None:
    action = board.actions.find(action_id)
    return with_actions(board, board.actions.put(action_id, _with_stage(action, stage))) if action is not None else None


@declares(
    "rule-impossible",
    REFEREE,
    says="The referee rules on an action: it is impossible[ (“{reason}”)].",
    records=(ActionRuledImpossible,),
)
class RuleImpossible:
    """Rule that a declared action is impossible: it fails without a roll."""

    action: ActionId
    reason: Reason = ""


@declares(
    "rule-certain",
    REFEREE,
    says="The referee rules on an action: it succeeds without a roll[ (“{reason}”)].",
    records=(ActionRuledCertain,),
)
class RuleCertain:
    """Rule that a declared action is certain: it succeeds without a roll."""

    action: ActionId
    reason: Reason = ""


@guards
def may_rule_on(action: Action) -> Refused | None:
    return OUT_OF_ORDER(action=action.id) if action.stage != "declared" else None


def read_declared_action(draft: Draft, action_id: str) -> tuple[Subject, Action]:
    """Return a declared action on which there is no ruling yet, with the subject whose board it is on. Refuses
    `out-of-order`.
    """
    place_and_action = find_action(draft.table, action_id)
    if place_and_action is None:
        raise OUT_OF_ORDER(action=action_id)
    place, action = place_and_action
    require(may_rule_on(action))
    return place, action


@decides
def rule_impossible(draft: Draft, do: RuleImpossible) -> None:
    """Rule that a declared action fails, without a roll or a number of Failures."""
    require(may_rule(draft))
    place, action = read_declared_action(draft, do.action)
    draft.tell(place, ActionRuledImpossible(action.id, do.reason, action.character))
    draft.by(IMPOSSIBLE, "impossible", action=action.id)


@decides
def rule_certain(draft: Draft, do: RuleCertain) -> None:
    """Rule that a declared action succeeds, without a roll or a number of Successes."""
    require(may_rule(draft))
    place, action = read_declared_action(draft, do.action)
    require(may_attempt(draft, action.character, action.physical))
    draft.tell(place, ActionRuledCertain(action.id, do.reason, action.character))
    draft.by(CERTAIN, "certain", action=action.id)


@offers
def offer_rulings_without_roll(seen: Seen, draft: Draft) -> Iterator[Move]:
    yield from offer_to_referees(draft, _list_rulings(draft))


def _list_rulings(draft: Draft) -> Iterator[Move]:
    for actions, awaits in list_actions_to_rule_on(draft):
        if actions:
            yield Move(RuleImpossible, {"action": Among(tuple(action.id for action in actions))}, awaits)
        for action in actions:
            if action.character in draft.roster and may_attempt(draft, action.character, action.physical) is None:
                yield Move(RuleCertain, {"action": Among((action.id,))}, awaits)


def list_actions_to_rule_on(draft: Draft) -> Iterator[tuple[list[Action], str | None]]:
    """Yield the actions that need a ruling, in groups, each with the rule for which the table waits. The table does not
    wait for actions of a closed scene.
    """
    boards = draft.boards
    for actions, awaits in ((boards.actions, BEFORE_ROLL), (boards.left_actions, None)):
        if actions:
            yield [action for action in actions if may_rule_on(action) is None], awaits


# --- views ------------------------------------------------------------------------------------------------------------


def view_actions(board: Board) -> list[dict[str, object]]:
    return [
        {
            "id": action.id,
            "character": action.character,
            "text": action.text,
            "physical": action.physical,
            "stage": action.stage,
            "injured": list(action.injured),
        }
        for action in board.actions.in_order()
    ]
