"""Rolling, and resolving what an action comes to.

Headings "Dice Rolling", "Levels of success", "Splitting Dice Pools", "Movement".
"""

from __future__ import annotations

from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character
from ledger.rules.moc import accounts, facts_of_bodies, facts_of_scenes, inputs_of_actions, numbers
from ledger.rules.moc.actions import bead_dice, metres_of, pool_of
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.outcomes import Outcome, determined, level_as_it_stands, nets_of, outcome_of, values_of
from ledger.rules.moc.piles import effective
from ledger.rules.moc.returns import give_back
from ledger.rules.moc.stacks import lost_beads
from ledger.rules.moc.state_of_actions import Action, Play, hidden
from ledger.rules.moc.terms import LEVEL_NAMES, LEVELS

RESOLVE = "moc.level.resolve"
#: what a fumbled move costs, unless something else is agreed
FUMBLED = "-1 level of dodge"


def roll_dice(draft: Draft, do: inputs_of_actions.RollDice) -> Asking[None]:
    """`moc.dice.open-ended`: the pool and what its 10s open."""
    action = draft.action(do.action)
    place, part = draft.part(action, do.part)
    if do.sides != 10:
        raise Refused("moc.dice.faces", "unknown-die", sides=str(do.sides))
    if part.rolled or determined(action, place) is not None:
        raise Refused("moc.bead.use", "already-rolled", part=place)
    draft.interrupted(action.character, "an action")
    count, seen = pool_of(draft, action, place), hidden(action, place)
    purpose = part.roll.text or part.roll.skill or part.roll.kind
    base, bonus = yield from draft.pool(
        action.character, count, do.faces, do.bonus, "action", purpose=purpose, audience=seen
    )
    draft.here(facts_of_scenes.DiceRolled(action.id, place, base, bonus, bead_dice(action, place)), audience=seen)
    found = outcome_of(draft, draft.action(action.id), place)
    draft.by("moc.dice.successes", found.rolled, seen, tn=found.tn, dice=count)


# --- resolving ---


def resolve(draft: Draft, do: inputs_of_actions.Resolve) -> Asking[None]:
    """`moc.level.resolve`, then `moc.move.half-action` and `moc.split.pre-empt`."""
    action = draft.action(do.action)
    waiting = [place for place, part in enumerate(action.parts) if part.stage == "declared"]
    place, part = draft.part(action, do.part if do.part is not None else waiting[0])
    if place != waiting[0] and not part.roll.defence:
        raise Refused("moc.split.pre-empt", "out-of-order", next=waiting[0])
    if do.waive and draft.table.by.role != "gm":
        raise Refused("moc.split.pre-empt", "gm-approval-needed", waive=True)
    found = outcome_of(draft, action, place)
    if not (part.rolled or found.sure or found.trumped or part.white):
        raise Refused(RESOLVE, "roll-not-completed", part=place)
    action, found = _without_spare_chip(draft, action, place, found)
    passes, level = _tell(draft, action, place, found)
    if part.roll.kind == "movement" and not part.roll.opposed:
        yield from _half_move(draft, action, place, level, do.penalty)
    lost_beads(draft, action.plays, place)
    later = [one for one in waiting if one > place]
    if not passes and later:
        if do.waive:
            draft.here(facts_of_scenes.PreemptionWaived(action.id, place, do.reason))
            draft.by("moc.split.pre-empt", "waived", part=place)
        else:
            _preempt(draft, action, later)


def _without_spare_chip(draft: Draft, action: Action, place: int, found: Outcome) -> tuple[Action, Outcome]:
    """`moc.chip.automatic-success`: claimed on a roll nobody else saw, it goes back where that was a Success anyway."""
    part = action.parts[place]
    if not (part.white and part.roll.opposed and part.rolled):
        return action, found
    bare = changed(part, white="")
    alone = changed(action, parts=(*action.parts[:place], bare, *action.parts[place + 1 :]))
    if level_as_it_stands(bare, outcome_of(draft, alone, place)) < LEVELS["success"]:
        return action, found
    chip = accounts.chips(part.white, {"white": 1}, to_bank=False)
    draft.here(facts_of_scenes.AutomaticSuccessReturned(action.id, place, part.white), *chip)
    draft.by("moc.chip.automatic-success", "not needed", part=place)
    action = draft.action(action.id)
    return action, outcome_of(draft, action, place)


def _half_move(draft: Draft, action: Action, place: int, level: int, named: str) -> Asking[None]:
    """`moc.move.half-action`: unopposed it works unless fumbled; then it costs something, or an EM leaves it open."""
    rule, penalty = "moc.move.half-action", ""
    if level == -1:
        played = (one for one in action.plays if one.part == place and effective(action.plays, one))
        if any(_opposes(draft, action, one) for one in played):
            draft.by(rule, "the game master decides", part=place)
            return
        asked = f"a penalty for the fumbled move: {named}"
        agreed = bool(named) and (yield from draft.approved(None, asked, f"approval:{place}"))
        penalty = named if agreed else FUMBLED
    mode = action.parts[place].roll.mode
    metres = metres_of(draft, action.character, mode)
    draft.about(action.character, facts_of_bodies.MovementMade(mode, metres, penalty, int(penalty == FUMBLED)))
    if penalty == FUMBLED:
        draft.by("moc.move.fumble", -1, character=action.character)
    draft.by(rule, penalty or "moved", part=place, metres=metres)


def _opposes(draft: Draft, action: Action, play: Play) -> bool:
    """Whether an EM is an opponent's: of the other side, or played against the action, whoever played it."""
    if play.by == action.character:
        return False
    if play.use == "shift" or play.successes < 0 or not draft.table.has(character(play.by)):
        return True
    return draft.who(play.by).villain != draft.who(action.character).villain


def _tell(draft: Draft, action: Action, place: int, found: Outcome) -> tuple[bool, int]:
    """The fact; whether the part passes, and its level."""
    part = action.parts[place]
    targets = nets_of(part, found)
    net, level = found.total, found.level
    if targets:
        net = max(targets.values())
        level = 0 if found.trumped and net == 0 else numbers.level(net, found.rolled, found.has_one, found.shifted)
        if net == 0 and found.rolled > 0:
            level = 0
    passes = level >= part.roll.required
    saved = max(0, found.left) + max(0, found.left_beads) if part.roll.opposed else 0
    done = facts_of_scenes.ActionResolved(
        action.id, place, found.rolled, found.added, found.subtracted, net, LEVEL_NAMES[level], level,
        part.roll.required, passes, saved, found.tn, part.faces, part.bonus, targets,
    )  # fmt: skip
    draft.here(done)
    values, changed = values_of(action, place)
    if values:
        draft.by("moc.dice.effect-number", numbers.effect_number(values, changed, draft.dials.en_natural_only))
    draft.by("moc.dice.successes", found.rolled, tn=found.tn, values=list(values))
    needed = numbers.number_for(found.tn, part.roll.required) if part.roll.required > 0 else None
    draft.by("moc.level.required", passes, level=LEVEL_NAMES[level], required=part.roll.required, number=needed)
    draft.by(RESOLVE, LEVEL_NAMES[level], total=net, one=found.has_one, shifted=found.shifted)
    return passes, level


def _preempt(draft: Draft, action: Action, later: list[int]) -> None:
    """`moc.split.pre-empt`: what was never attempted gives its EMs back."""
    back = [
        play
        for play in action.plays
        if not play.returned and {play.part, *(place for place, _, _ in play.points)} <= set(later)
    ]
    draft.here(facts_of_scenes.ActionsPreempted(action.id, tuple(later), tuple(play.id for play in back)))
    draft.by("moc.split.pre-empt", len(later), parts=later)
    for play in back:
        give_back(draft, action.id, play)
    for place in later:
        owner = action.parts[place].white
        if owner:
            chip = accounts.chips(owner, {"white": 1}, to_bank=False)
            draft.about(owner, facts_of_scenes.EffectModifierReturned(action.id, "white chip"), *chip)
            draft.by("moc.story.action-beads", "white chip", part=place)


def tell_consequence(draft: Draft, do: inputs_of_actions.TellConsequence) -> Asking[None]:
    """`moc.level.meaning`: the player's where an EM decided it, with approval; where dice fell, the game master's."""
    rule = "moc.level.meaning"
    action = draft.action(do.action, closed=True)
    gm = draft.table.by.role == "gm"
    if not gm and any(part.rolled for part in action.parts):
        raise Refused(rule, "gm-approval-needed", action=action.id)
    if not do.text.strip():
        raise Refused(rule, "nothing-declared")
    agreed = yield from draft.approved(do.approved, f"a consequence: {do.text}")
    if not agreed and do.approved is False:
        raise Refused(rule, "gm-approval-needed", action=action.id)
    draft.here(facts_of_scenes.ConsequenceTold(action.id, "gm" if gm else "player", do.text, agreed))
    if do.half_defence and agreed:
        draft.about(action.character, facts_of_bodies.DefenceHalved())
    draft.by(rule, agreed, author="gm" if gm else "player")
