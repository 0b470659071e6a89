"""Resolving an action, and the meaning of its result (headings "Dice Rolling", "Levels of success")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from ledger.rules.kernel.kit import (
    OPEN,
    Among,
    Asking,
    CharacterId,
    Move,
    Names,
    OneOf,
    Reason,
    Refusal,
    Refused,
    Roll,
    Says,
    Seen,
    Story,
    Title,
    changed,
    changes,
    changing,
    character,
    decides,
    declares,
    fact,
    format_count,
    guards,
    listed,
    offers,
    reports,
    require,
    rule,
)
from ledger.rules.moc import dice, hands, holdings, piles, pools, rolling, stacks, turns
from ledger.rules.moc.draft import ASK_APPROVAL, SPLIT_PRE_EMPT, Draft, ask_approval, nobody_acts
from ledger.rules.moc.shown import AGREED, Fields, Offering, fix, get_offering, group_ids
from ledger.rules.moc.state import Action, Character, Part, Play, Scene, find_action
from ledger.rules.moc.types import ActionId, Approval, LevelName, PartNumber
from ledger.rules.moc.words import (
    GM_APPROVAL_NEEDED,
    LEVEL_NAMES,
    LEVELS,
    NOTHING_DECLARED,
    ROLL_NOT_COMPLETED,
    say_count,
    say_level,
    say_who,
    say_with,
    whether,
)

HALF_MOVE = rule(
    "moc.move.half-action",
    "A half-action move that nobody opposes succeeds unless it is a Spectacular Failure (a fumble).",
    "Movement",
)
CHIP_AUTOMATIC_SUCCESS = rule(
    "moc.chip.automatic-success",
    "If the game master approves, a white chip makes an action a Success. If the roll was hidden from the "
    "player and turns out not to need the chip, the chip comes back.",
    "Chips (Advanced)",
)
OUT_OF_ORDER = Refusal(SPLIT_PRE_EMPT, "out-of-order", "An earlier part of the action must be finished first.")


@fact("automatic-success-returned", says="{character} gets the white chip back: the action was a Success anyway.")
class AutomaticSuccessReturned:
    """The white chip was returned, because the action was a Success without the chip. The player could not have known
    this when spending the chip.
    """

    action: ActionId
    part: int
    character: CharacterId


@changes
def return_white_chip(state: Scene, fact: AutomaticSuccessReturned) -> Scene | None:
    return piles.put_action(state, piles.with_part(find_action(state, fact.action), fact.part, white=""))


def say_resolved(fact: ActionResolved, names: Names) -> str:
    """Put into words the level, and the numbers that it depends on."""
    part_words = f" ({dice.say_ordinal(fact.part)} part)" if fact.part else ""
    text = f"The action is resolved{part_words}: {say_level(fact.level)}{_say_enough(fact)}"
    if fact.targets:
        net_texts = (
            f"{say_count(net, 'success', 'successes')} on {say_who(names, char_id)}"
            for char_id, net in fact.targets.items()
        )
        text += f", with {listed(net_texts)}"
    elif fact.net or fact.faces:
        tn_words = f" against TN {fact.tn}" if fact.faces else ""
        text += f", with {say_count(fact.net, 'success', 'successes')}{tn_words}"
    if fact.faces:
        differs_from_roll = fact.net != fact.rolled or bool(fact.targets)
        score_words = (
            f"the dice score {say_count(fact.rolled, 'success', 'successes')}" if differs_from_roll else "rolled"
        )
        text += f" ({score_words}: {listed(map(str, (*fact.faces, *fact.bonus)))})"
    saved_words = f" {say_count(fact.reserve, 'success is', 'successes are')} saved." if fact.reserve else ""
    return f"{text}.{saved_words}"


def _say_enough(fact: ActionResolved) -> str:
    if fact.passes:
        return ", which is enough" if fact.number < 1 else ""
    needed_words = "would have been enough" if fact.required < 1 else "was needed"
    return f" where {say_level(fact.required)} {needed_words}" if fact.required != 1 else ""


@fact("action-resolved", says=say_resolved, headline=3)
class ActionResolved:
    """An action was resolved. `level`: the name of its level. `net`: the number of successes, which can be above 4.
    `targets`: for an opposed action, the net successes against each target. `reserve`: how many unused successes were
    saved. `tn`: the target number. `faces`, `bonus`: the dice, now visible to everybody.
    """

    action: ActionId
    part: int
    rolled: int
    added: int
    subtracted: int
    net: int
    level: LevelName
    number: int
    required: int
    passes: bool
    reserve: int
    tn: int
    faces: tuple[int, ...]
    bonus: tuple[int, ...]
    targets: Mapping[CharacterId, int]


_with_outcome = changing(Part, "stage", "outcome", "net")
_with_stage = changing(Action, "parts", "stage")


@changes
def note_outcome(state: Scene, fact: ActionResolved) -> Scene | None:
    action_and_part = piles.find_action_and_part(state, fact.action, fact.part)
    if action_and_part is None:
        return None
    action, part = action_and_part
    parts = list(action.parts)
    parts[fact.part] = _with_outcome(part, "resolved", fact.number, fact.net)
    answered_left = tuple(key for key in state.answered if key[:2] != (fact.action, fact.part))
    return piles.put_action(
        changed(state, answered=answered_left), _with_stage(action, tuple(parts), piles.find_stage(parts))
    )


def say_resolving(do: Resolve, names: Names) -> str:
    text = f"The action is resolved{f' ({dice.say_ordinal(do.part)} part)' if do.part else ''}"
    return say_with(f"{text}, and the later parts go ahead whatever the result", do.reason) if do.waive else f"{text}."


@nobody_acts
@declares(
    "resolve",
    pools.ACTOR,
    says=say_resolving,
    records=(
        AutomaticSuccessReturned,
        ActionResolved,
        stacks.ActionsPreempted,
        stacks.PreemptionWaived,
        stacks.EffectModifierReturned,
        stacks.PlaysReturned,
        stacks.BeadsTrumped,
        turns.MovementMade,
        hands.VillainsDrew,
    ),
)
class Resolve:
    """Resolve the next part of an action, or the part named.

    `waive`: whether the other parts are still attempted after a failure. Only a game master can decide this. `penalty`:
    if a move is fumbled, the penalty that the player suggests instead of the usual penalty to dodging.
    """

    action: ActionId
    part: PartNumber | None = None
    waive: bool = False
    reason: Reason = ""
    penalty: Annotated[
        Title, Says("Penalty", "The effect of a fumbled move, instead of the usual penalty to dodging.")
    ] = ""


#: The penalty of a fumbled move, unless another penalty is agreed.
FUMBLED = "-1 level of dodge"


def list_waiting_indexes(action: Action) -> list[int]:
    return [part_index for part_index, part in enumerate(action.parts) if part.stage == "declared"]


@guards
def may_resolve(draft: Draft, action: Action, part_index: int, is_waived: bool) -> Refused | None:
    """Refuse a part out of order, unless it is a defence. Refuse a player's waiver, and a part without a result."""
    part, first_index = action.parts[part_index], list_waiting_indexes(action)[0]
    if part_index != first_index and not part.roll.defence:
        return OUT_OF_ORDER(next=first_index)
    if is_waived and draft.table.by.role != "gm":
        return GM_APPROVAL_NEEDED.under(SPLIT_PRE_EMPT, waive=True)
    outcome = dice.find_outcome(draft.dials, action, part_index)
    if not (part.rolled or outcome.is_sure or outcome.is_trumped or part.white):
        return ROLL_NOT_COMPLETED.under(dice.RESOLVE, part=part_index)
    return None


@decides
def resolve(draft: Draft, do: Resolve) -> Asking[None]:
    action = draft.get_action(do.action)
    waiting_indexes = list_waiting_indexes(action)
    part_index, part = draft.locate_part(action, do.part if do.part is not None else waiting_indexes[0])
    require(may_resolve(draft, action, part_index, do.waive))
    outcome = dice.find_outcome(draft.dials, action, part_index)
    action, outcome = _return_spare_chip(draft, action, part_index, outcome)
    is_passed, level = _tell_outcome(draft, action, part_index, outcome)
    if part.roll.kind == "movement" and not part.roll.opposed:
        yield from _move_half(draft, action, part_index, level, do.penalty)
    stacks.lose_beads(draft, action.plays, part_index)
    later_indexes = [waiting_index for waiting_index in waiting_indexes if waiting_index > part_index]
    if not is_passed and later_indexes:
        if do.waive:
            draft.here(stacks.PreemptionWaived(action.id, part_index, do.reason))
            draft.by(SPLIT_PRE_EMPT, "waived", part=part_index)
        else:
            stacks.preempt(draft, action, later_indexes)


def _return_spare_chip(
    draft: Draft, action: Action, part_index: int, outcome: dice.Outcome
) -> tuple[Action, dice.Outcome]:
    """Return the action and its outcome, after giving back a white chip that a hidden roll did not need."""
    part = action.parts[part_index]
    if not (part.white and part.roll.opposed and part.rolled):
        return action, outcome
    bare_part = changed(part, white="")
    bare_action = changed(action, parts=(*action.parts[:part_index], bare_part, *action.parts[part_index + 1 :]))
    if dice.find_current_level(bare_part, dice.find_outcome(draft.dials, bare_action, part_index)) < LEVELS["success"]:
        return action, outcome
    postings = holdings.list_chip_postings(part.white, {"white": 1}, is_to_bank=False)
    draft.here(AutomaticSuccessReturned(action.id, part_index, part.white), *postings)
    draft.by(CHIP_AUTOMATIC_SUCCESS, "not needed", part=part_index)
    action = draft.get_action(action.id)
    return action, dice.find_outcome(draft.dials, action, part_index)


def _tell_outcome(draft: Draft, action: Action, part_index: int, outcome: dice.Outcome) -> tuple[bool, int]:
    """Record the outcome, and return whether the part passes and its level."""
    part = action.parts[part_index]
    nets_by_target = dice.count_nets(part, outcome)
    net, level = outcome.total, outcome.level
    if nets_by_target:
        net = max(nets_by_target.values())
        level = (
            0
            if outcome.is_trumped and net == 0
            else dice.find_level(net, outcome.rolled, outcome.has_one, outcome.is_shifted)
        )
        if net == 0 and outcome.rolled > 0:
            level = 0
    is_passed = level >= part.roll.required
    saved_count = max(0, outcome.left) + max(0, outcome.left_bead_count) if part.roll.opposed else 0
    fact = ActionResolved(
        action.id,
        part_index,
        outcome.rolled,
        outcome.added,
        outcome.subtracted,
        net,
        LEVEL_NAMES[level],
        level,
        part.roll.required,
        is_passed,
        saved_count,
        outcome.tn,
        part.faces,
        part.bonus,
        nets_by_target,
    )
    draft.here(fact)
    values, changed_flags = dice.read_values(action, part_index)
    if values:
        draft.by(
            dice.DICE_EFFECT_NUMBER, dice.compute_effect_number(values, changed_flags, draft.dials.en_natural_only)
        )
    draft.by(dice.DICE_SUCCESSES, outcome.rolled, tn=outcome.tn, values=list(values))
    number_needed = dice.compute_number_needed(outcome.tn, part.roll.required) if part.roll.required > 0 else None
    draft.by(
        dice.LEVEL_REQUIRED, is_passed, level=LEVEL_NAMES[level], required=part.roll.required, number=number_needed
    )
    draft.by(dice.RESOLVE, LEVEL_NAMES[level], total=net, one=outcome.has_one, shifted=outcome.is_shifted)
    return is_passed, level


def _move_half(draft: Draft, action: Action, part_index: int, level: int, suggested_penalty: str) -> Asking[None]:
    """Record half a move, made without opposition. A fumbled move has a penalty. If an opponent's EM caused the fumble,
    the game master decides on it.
    """
    penalty = ""
    if level == -1:
        plays = (play for play in action.plays if play.part == part_index and piles.is_effective(action.plays, play))
        if any(_is_opposing(draft, action, play) for play in plays):
            draft.by(HALF_MOVE, "the game master decides", part=part_index)
            return
        purpose = f"a penalty for the fumbled move: {suggested_penalty}"
        is_agreed = bool(suggested_penalty) and (
            yield from ask_approval(draft, None, purpose, ASK_APPROVAL(str(part_index)))
        )
        penalty = suggested_penalty if is_agreed else FUMBLED
    mode = action.parts[part_index].roll.mode
    metres = turns.read_metres(draft, action.character, mode)
    draft.about(action.character, turns.MovementMade(mode, metres, penalty, int(penalty == FUMBLED)))
    if penalty == FUMBLED:
        draft.by(rolling.FUMBLE, -1, character=action.character)
    draft.by(HALF_MOVE, penalty or "moved", part=part_index, metres=metres)


def _is_opposing(draft: Draft, action: Action, play: Play) -> bool:
    """Return whether an EM is an opponent's: one of the other side, or one that any character played against the
    action.
    """
    if play.by == action.character:
        return False
    if play.use == "shift" or play.successes < 0 or not draft.table.has(character(play.by)):
        return True
    return draft.get_character(play.by).villain != draft.get_character(action.character).villain


def list_resolving_moves(offering: Offering, action: Action) -> Iterator[Move]:
    """Yield the moves that resolve parts of an action, in order. Defences can be resolved at any time.

    The table does not wait for a part while one of its targets has not answered.
    """
    waiting_indexes = list_waiting_indexes(action)
    waive_domain = Among((False, True)) if offering.is_gm else fix(False)
    for part_index in waiting_indexes:
        if may_resolve(offering.draft, action, part_index, False) is None:
            part_choices = (None, part_index) if part_index == waiting_indexes[0] else (part_index,)
            is_asked = any(
                rolling.is_answer_awaited(offering, action, part_index, claim.target)
                for claim in action.parts[part_index].claims
            )
            fields: Fields = {"action": fix(action.id), "part": Among(part_choices), "waive": waive_domain}
            awaits = dice.RESOLVE if part_index == waiting_indexes[0] and not is_asked else None
            yield Move(Resolve, fields, awaits, action.character)


@reports
def report_outcome(fact: ActionResolved) -> Iterator[Roll]:
    yield Roll(
        name="Action",
        dice=dice.show_dice(fact.faces, fact.bonus),
        target=fact.tn,
        success=fact.passes,
        word=fact.level.replace("_", " ").capitalize(),
        effect=format_count(fact.net, "success", "successes"),
        bound="at-least",
    )


@fact("defence-halved", says="{subject} defends with half the dice until the turn ends.")
class DefenceHalved:
    """Until the turn ends, the character defends with half the dice, rounded down."""


@changes
def halve_defence(state: Character, fact: DefenceHalved) -> Character:
    return changed(state, half_defence=True)


@fact(
    "consequence-told",
    says=whether("approved", "Consequence: {text}.", "The game master does not approve this consequence: {text}."),
    changes=None,
)
class ConsequenceTold:
    """The game master or the player described a consequence of an action."""

    action: ActionId
    author: Annotated[str, OneOf(("gm", "player"))]
    text: Story
    approved: bool


@nobody_acts
@declares("tell-consequence", pools.ACTOR, says="Consequence: {text}.", records=(ConsequenceTold, DefenceHalved))
class TellConsequence:
    """Describe a consequence of an action. A game master can do this or, if an Effect Modifier (EM) decided the action,
    the player, with the game master's approval.

    `half_defence`: whether the character defends with half the dice until the turn ends.
    """

    action: ActionId
    text: Story
    approved: Approval = None
    half_defence: bool = False


@guards
def may_tell_consequence(draft: Draft, action: Action) -> Refused | None:
    """Refuse a player's description of the consequences of a roll. Only a game master can describe them."""
    if draft.table.by.role != "gm" and any(part.rolled for part in action.parts):
        return GM_APPROVAL_NEEDED.under(dice.MEANING, action=action.id)
    return None


@decides
def tell_consequence(draft: Draft, do: TellConsequence) -> Asking[None]:
    """Describe a consequence. If an EM decided the action, the player can describe it with approval; otherwise only a
    game master can.
    """
    action = draft.get_action(do.action, may_be_closed=True)
    is_gm = draft.table.by.role == "gm"
    require(may_tell_consequence(draft, action))
    if not do.text.strip():
        raise NOTHING_DECLARED.under(dice.MEANING)
    is_agreed = yield from ask_approval(draft, do.approved, f"a consequence: {do.text}")
    if not is_agreed and do.approved is False:
        raise GM_APPROVAL_NEEDED.under(dice.MEANING, action=action.id)
    draft.here(ConsequenceTold(action.id, "gm" if is_gm else "player", do.text, is_agreed))
    if do.half_defence and is_agreed:
        draft.about(action.character, DefenceHalved())
    draft.by(dice.MEANING, is_agreed, author="gm" if is_gm else "player")


def list_consequence_moves(offering: Offering) -> Iterator[Move]:
    """Yield moves that describe consequences. Players can describe them only if no dice were rolled."""
    pairs = (
        (action.id, action.character)
        for action in offering.actions
        if may_tell_consequence(offering.draft, action) is None
    )
    for char_id, action_ids in group_ids(pairs).items():
        half_domain = Among((False, True) if char_id in offering.roster else (False,))
        fields: Fields = {"action": Among(action_ids), "text": OPEN, "approved": AGREED, "half_defence": half_domain}
        yield Move(TellConsequence, fields, of=char_id)


@offers
def offer_to_resolve(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    for action in offering.open_actions:
        yield from list_resolving_moves(offering, action)
    yield from list_consequence_moves(offering)
