"""Resolving an action, and its meaning (headings "Dice Rolling", "Levels of success")."""

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
from ledger.rules.moc.shown import AGREED, Fields, Offering, fix, group_ids, look
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
    """The white chip was returned, because the action was a Success without it. The player could not have known this
    when spending the chip.
    """

    action: ActionId
    part: int
    character: CharacterId


@changes
def return_white_chip(state: Scene, fact: AutomaticSuccessReturned) -> Scene | None:
    return piles.put_action(state, piles.with_part(find_action(state, fact.action), fact.part, white=""))


def say_resolved(fact: ActionResolved, names: Names) -> str:
    """Return the level, and what it depends on."""
    part = f" ({dice.say_place(fact.part)} part)" if fact.part else ""
    text = f"The action is resolved{part}: {say_level(fact.level)}{_say_enough(fact)}"
    if fact.targets:
        nets = (f"{say_count(net, 'success', 'successes')} on {say_who(names, id)}" for id, net in fact.targets.items())
        text += f", with {listed(nets)}"
    elif fact.net or fact.faces:
        against = f" against TN {fact.tn}" if fact.faces else ""
        text += f", with {say_count(fact.net, 'success', 'successes')}{against}"
    if fact.faces:
        apart = fact.net != fact.rolled or fact.targets
        scored = f"the dice score {say_count(fact.rolled, 'success', 'successes')}" if apart else "rolled"
        text += f" ({scored}: {listed(map(str, (*fact.faces, *fact.bonus)))})"
    saved = f" {say_count(fact.reserve, 'success is', 'successes are')} saved." if fact.reserve else ""
    return f"{text}.{saved}"


def _say_enough(fact: ActionResolved) -> str:
    if fact.passes:
        return ", which is enough" if fact.number < 1 else ""
    needed = "would have been enough" if fact.required < 1 else "was needed"
    return f" where {say_level(fact.required)} {needed}" if fact.required != 1 else ""


@fact("action-resolved", says=say_resolved, headline=3)
class ActionResolved:
    """The result of an action. `level`: the name of its level. `net`: the number of successes, which can be above 4.
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
    located = piles.find_part(state, fact.action, fact.part)
    if located is None:
        return None
    action, part = located
    parts = list(action.parts)
    parts[fact.part] = _with_outcome(part, "resolved", fact.number, fact.net)
    left = tuple(claim for claim in state.answered if claim[:2] != (fact.action, fact.part))
    return piles.put_action(changed(state, answered=left), _with_stage(action, tuple(parts), piles.find_stage(parts)))


def say_resolving(fact: Resolve, names: Names) -> str:
    text = f"The action is resolved{f' ({dice.say_place(fact.part)} part)' if fact.part else ''}"
    return say_with(f"{text}, and the rest goes on whatever the result", fact.reason) if fact.waive else f"{text}."


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
    if a move is fumbled, what the player suggests instead of the usual penalty to dodging.
    """

    action: ActionId
    part: PartNumber | None = None
    waive: bool = False
    reason: Reason = ""
    penalty: Annotated[
        Title, Says("Penalty", "If a move is fumbled: what happens instead of the usual penalty to dodging.")
    ] = ""


#: The penalty of a fumbled move, unless another is agreed.
FUMBLED = "-1 level of dodge"


def list_waiting(action: Action) -> list[int]:
    """Return the parts that are not resolved."""
    return [place for place, part in enumerate(action.parts) if part.stage == "declared"]


@guards
def may_resolve(draft: Draft, action: Action, place: int, waive: bool) -> Refused | None:
    """Parts are resolved in order, except defences. Only a game master lets the others go on after a failure."""
    part, first = action.parts[place], list_waiting(action)[0]
    if place != first and not part.roll.defence:
        return OUT_OF_ORDER(next=first)
    if waive and draft.table.by.role != "gm":
        return GM_APPROVAL_NEEDED.under(SPLIT_PRE_EMPT, waive=True)
    outcome = dice.find_outcome(draft.dials, action, place)
    if not (part.rolled or outcome.is_sure or outcome.trumped or part.white):
        return ROLL_NOT_COMPLETED.under(dice.RESOLVE, part=place)
    return None


@decides
def resolve(draft: Draft, do: Resolve) -> Asking[None]:
    action = draft.get_action(do.action)
    waiting = list_waiting(action)
    place, part = draft.get_part(action, do.part if do.part is not None else waiting[0])
    require(may_resolve(draft, action, place, do.waive))
    outcome = dice.find_outcome(draft.dials, action, place)
    action, outcome = _return_spare_chip(draft, action, place, outcome)
    passes, level = _tell_outcome(draft, action, place, outcome)
    if part.roll.kind == "movement" and not part.roll.opposed:
        yield from _move_half(draft, action, place, level, do.penalty)
    stacks.lose_beads(draft, action.plays, place)
    later = [waiting_place for waiting_place in waiting if waiting_place > place]
    if not passes and later:
        if do.waive:
            draft.here(stacks.PreemptionWaived(action.id, place, do.reason))
            draft.by(SPLIT_PRE_EMPT, "waived", part=place)
        else:
            stacks.preempt(draft, action, later)


def _return_spare_chip(draft: Draft, action: Action, place: int, outcome: dice.Outcome) -> tuple[Action, dice.Outcome]:
    """Return the action and its outcome, after giving back a white chip that a hidden roll did not need."""
    part = action.parts[place]
    if not (part.white and part.roll.opposed and part.rolled):
        return action, outcome
    bare = changed(part, white="")
    alone = changed(action, parts=(*action.parts[:place], bare, *action.parts[place + 1 :]))
    if dice.find_level_now(bare, dice.find_outcome(draft.dials, alone, place)) < LEVELS["success"]:
        return action, outcome
    chip = holdings.chips(part.white, {"white": 1}, to_bank=False)
    draft.here(AutomaticSuccessReturned(action.id, place, part.white), *chip)
    draft.by(CHIP_AUTOMATIC_SUCCESS, "not needed", part=place)
    action = draft.get_action(action.id)
    return action, dice.find_outcome(draft.dials, action, place)


def _tell_outcome(draft: Draft, action: Action, place: int, outcome: dice.Outcome) -> tuple[bool, int]:
    """Record the outcome, and return whether the part passes and its level."""
    part = action.parts[place]
    targets = dice.list_nets(part, outcome)
    net, level = outcome.total, outcome.level
    if targets:
        net = max(targets.values())
        level = (
            0
            if outcome.trumped and net == 0
            else dice.find_level(net, outcome.rolled, outcome.has_one, outcome.shifted)
        )
        if net == 0 and outcome.rolled > 0:
            level = 0
    passes = level >= part.roll.required
    saved = max(0, outcome.left) + max(0, outcome.left_beads) if part.roll.opposed else 0
    fact = ActionResolved(
        action.id,
        place,
        outcome.rolled,
        outcome.added,
        outcome.subtracted,
        net,
        LEVEL_NAMES[level],
        level,
        part.roll.required,
        passes,
        saved,
        outcome.tn,
        part.faces,
        part.bonus,
        targets,
    )
    draft.here(fact)
    values, changed = dice.list_values(action, place)
    if values:
        draft.by(dice.DICE_EFFECT_NUMBER, dice.find_effect_number(values, changed, draft.dials.en_natural_only))
    draft.by(dice.DICE_SUCCESSES, outcome.rolled, tn=outcome.tn, values=list(values))
    needed = dice.find_number_needed(outcome.tn, part.roll.required) if part.roll.required > 0 else None
    draft.by(dice.LEVEL_REQUIRED, passes, level=LEVEL_NAMES[level], required=part.roll.required, number=needed)
    draft.by(dice.RESOLVE, LEVEL_NAMES[level], total=net, one=outcome.has_one, shifted=outcome.shifted)
    return passes, level


def _move_half(draft: Draft, action: Action, place: int, level: int, named: str) -> Asking[None]:
    """Record a move without opposition. A fumble has a penalty, or the game master decides if an opponent's EM
    caused it.
    """
    penalty = ""
    if level == -1:
        played = (play for play in action.plays if play.part == place and piles.is_effective(action.plays, play))
        if any(_is_opposing(draft, action, play) for play in played):
            draft.by(HALF_MOVE, "the game master decides", part=place)
            return
        asked = f"a penalty for the fumbled move: {named}"
        agreed = bool(named) and (yield from ask_approval(draft, None, asked, ASK_APPROVAL(str(place))))
        penalty = named if agreed else FUMBLED
    mode = action.parts[place].roll.mode
    metres = turns.find_metres(draft, action.character, mode)
    draft.about(action.character, turns.MovementMade(mode, metres, penalty, int(penalty == FUMBLED)))
    if penalty == FUMBLED:
        draft.by(rolling.FUMBLE, -1, character=action.character)
    draft.by(HALF_MOVE, penalty or "moved", part=place, metres=metres)


def _is_opposing(draft: Draft, action: Action, play: Play) -> bool:
    """Return whether an EM is an opponent's: of the other side, or played against the action by anybody."""
    if play.by == action.character:
        return False
    if play.use == "shift" or play.successes < 0 or not draft.table.has(character(play.by)):
        return True
    return draft.get_character(play.by).villain != draft.get_character(action.character).villain


def list_resolving_moves(now: Offering, action: Action) -> Iterator[Move]:
    """Yield parts to resolve, in order except defences. Nobody waits for this while a target has not answered."""
    waiting = list_waiting(action)
    waived = Among((False, True)) if now.is_gm else fix(False)
    for place in waiting:
        if may_resolve(now.draft, action, place, False) is None:
            parts = (None, place) if place == waiting[0] else (place,)
            asked = any(
                waits for target, waits in rolling.list_unanswered(now, action, place).items() if now.knows(target)
            )
            fields: Fields = {"action": fix(action.id), "part": Among(parts), "waive": waived}
            awaits = dice.RESOLVE if place == waiting[0] and not asked else None
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
    """Describe a consequence of an action. A game master does this. If an Effect Modifier (EM) decided the action, the
    player may do it, with the game master's approval.

    `half_defence`: whether the character defends with half the dice until the turn ends.
    """

    action: ActionId
    text: Story
    approved: Approval = None
    half_defence: bool = False


@guards
def may_tell(draft: Draft, action: Action) -> Refused | None:
    """Let only a game master say what dice mean."""
    if draft.table.by.role != "gm" and any(part.rolled for part in action.parts):
        return GM_APPROVAL_NEEDED.under(dice.MEANING, action=action.id)
    return None


@decides
def tell_consequence(draft: Draft, do: TellConsequence) -> Asking[None]:
    """Describe a consequence. The player can, with approval, if an EM decided the action; otherwise the game master
    does.
    """
    action = draft.get_action(do.action, closed=True)
    gm = draft.table.by.role == "gm"
    require(may_tell(draft, action))
    if not do.text.strip():
        raise NOTHING_DECLARED.under(dice.MEANING)
    agreed = yield from ask_approval(draft, do.approved, f"a consequence: {do.text}")
    if not agreed and do.approved is False:
        raise GM_APPROVAL_NEEDED.under(dice.MEANING, action=action.id)
    draft.here(ConsequenceTold(action.id, "gm" if gm else "player", do.text, agreed))
    if do.half_defence and agreed:
        draft.about(action.character, DefenceHalved())
    draft.by(dice.MEANING, agreed, author="gm" if gm else "player")


def list_consequence_moves(now: Offering) -> Iterator[Move]:
    """Yield consequences. Players can describe them only if no dice were rolled."""
    telling = ((action.id, action.character) for action in now.actions if may_tell(now.draft, action) is None)
    for id, actions in group_ids(telling).items():
        halved = Among((False, True) if id in now.roster else (False,))
        fields: Fields = {"action": Among(actions), "text": OPEN, "approved": AGREED, "half_defence": halved}
        yield Move(TellConsequence, fields, of=id)


@offers
def offer_to_resolve(seen: Seen, draft: Draft) -> Iterator[Move]:
    now = look(seen, draft)
    for action in now.open_actions:
        yield from list_resolving_moves(now, action)
    yield from list_consequence_moves(now)
