"""Rolling, declaring successes, and what an action comes to.

Headings "Generating Numbers", "Levels of success", "Opposed Actions", "Splitting Dice Pools".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ledger.rules.contract import Asking, Refused, Table, Verdict
from ledger.rules.moc import accounts, facts, inputs, numbers, terms
from ledger.rules.moc.actions import bead_dice, pool_of, rates
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.ground import Ruling
from ledger.rules.moc.playing import free_marginal
from ledger.rules.moc.stacks import effective, lost_beads, roll_trumped
from ledger.rules.moc.state import Action, Part, actions_in, hidden
from ledger.rules.moc.terms import LEVEL_NAMES, LEVELS
from ledger.rules.moc.trumps import give_back
from ledger.rules.record import changed

RESOLVE = "moc.level.resolve"
#: what a fumbled move costs, unless something else is agreed
FUMBLED = "-1 level of dodge"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a part comes to as things stand. `left`, `left_beads`: successes not declared yet."""

    rolled: int
    has_one: bool
    added: int
    subtracted: int
    total: int
    level: int
    tn: int
    left: int
    left_beads: int
    free: bool
    trumped: bool
    shifted: bool


def values_of(action: Action, place: int) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    """All dice of a part as they read now, and which of them an EM changed."""
    part = action.parts[place]
    values = list(numbers.as_read(part.faces, part.bonus))
    changed = [False] * len(values)
    for play in action.plays:
        if play.points and effective(action, play):
            for where, die, add in play.points:
                if where == place and add and die < len(values):
                    values[die] += add
                    changed[die] = True
    there = _counted(action, place)
    return tuple(values[die] for die in there), tuple(changed[die] for die in there)


def _counted(action: Action, place: int) -> list[int]:
    """The dice that count: where beads that added some were cancelled later, the last ones do not."""
    part = action.parts[place]
    base, gone = len(part.faces), max(0, part.beads - bead_dice(action, place))
    opened = part.faces[base - gone :].count(10)
    return [*range(base - gone), *range(base, base + len(part.bonus) - opened)]


def tn_of(ruling: Ruling, action: Action, place: int) -> int:
    """`moc.tn`: less what beads take off, never below the floor."""
    spent = sum(
        play.number
        for play in action.plays
        if play.use == "reduce_difficulty" and play.part == place and effective(action, play)
    )
    return max(ruling.dials.tn_floor, action.parts[place].roll.tn - spent)


def outcome_of(ruling: Ruling, action: Action, place: int) -> Outcome:
    """`moc.level.resolve`."""
    part, dials = action.parts[place], ruling.dials
    values, changed = values_of(action, place)
    tn = tn_of(ruling, action, place)
    method = numbers.method_of(part.roll.kind, dials.resolution, len(action.parts) > 1, dials.split_rolls)
    if method == "en" and part.roll.opposed and dials.resolution == "mixed":
        method = "count"
    rolled = numbers.successes(values, changed, tn, method, dials.en_natural_only)
    moved = [
        play.successes
        for play in action.plays
        if play.part == place and play.use in ("add_successes", "storytelling") and effective(action, play)
    ]
    added, subtracted = sum(n for n in moved if n > 0), -sum(n for n in moved if n < 0)
    shifted = any(play.use == "shift" and play.part == place and effective(action, play) for play in action.plays)
    free, trumped = free_marginal(action, place), roll_trumped(action, place)
    has_one = 1 in values
    total = max(0, rolled + added - subtracted)
    level = numbers.level(total, rolled, has_one, shifted)
    if free:
        total = max(0, 2 - subtracted)
        level = total
    if trumped:
        total, level = 0, 0
    if part.white and (trumped or not free) and level < 3:
        total, level = 3, 3
    beyond = max(0, subtracted - rolled)  # what is taken beyond the dice, beads have to bear
    left, beads = (total, 0) if free else (max(0, rolled - subtracted), max(0, added - beyond))
    left, beads = (0, 0) if trumped else (left - part.spent, beads - part.spent_beads)
    return Outcome(rolled, has_one, added, subtracted, total, level, tn, left, beads, free, trumped, shifted)


# --- rolling ---


def roll_dice(table: Table[Dials], do: inputs.RollDice) -> Asking[Verdict[Any]]:
    """`moc.dice.open-ended`: the pool and what its 10s open."""
    ruling = Ruling(table)
    action = ruling.action(do.action)
    place, part = ruling.part(action, do.part)
    if do.sides != 10:
        raise Refused("moc.dice.faces", "unknown-die", sides=str(do.sides))
    if part.rolled:
        raise Refused("moc.bead.use", "already-rolled", part=place)
    count, seen = pool_of(ruling, action, place), hidden(action, place)
    purpose = part.roll.text or part.roll.skill or part.roll.kind
    base, bonus = yield from ruling.pool(
        action.character, count, do.faces, do.bonus, "action", purpose=purpose, audience=seen
    )
    ruling.here(facts.DiceRolled(action.id, place, base, bonus, bead_dice(action, place)), audience=seen)
    found = outcome_of(ruling, ruling.action(action.id), place)
    ruling.by("moc.dice.successes", found.rolled, seen, tn=found.tn, dice=count)
    return ruling.verdict()


# --- opposed actions ---


def declare_successes(table: Table[Dials], do: inputs.DeclareSuccesses) -> Verdict[Any]:
    """`moc.opposed.net`: part of the successes, on a target."""
    rule, ruling = "moc.opposed.net", Ruling(table)
    action = ruling.action(do.action)
    place, part = ruling.part(action, do.part)
    number = terms.whole(do.number, "negative-successes", rule)
    beads = terms.whole(do.beads, "negative-successes", rule)
    ruling.must_see(action, place)
    found = outcome_of(ruling, action, place)
    if not (part.rolled or found.free):
        raise Refused(rule, "roll-not-completed", part=place)
    if number + beads == 0:
        raise Refused(rule, "nothing-declared")
    if number > found.left or beads > found.left_beads:
        raise Refused(rule, "declares-more-than-rolled", audience=hidden(action, place), left=found.left)
    ruling.here(facts.SuccessesDeclared(action.id, place, do.target, number, beads))
    ruling.by(rule, number + beads, target=do.target)
    return ruling.verdict()


def take_off(table: Table[Dials], do: inputs.TakeOffSuccesses) -> Verdict[Any]:
    """`moc.opposed.net`: what the resister reveals."""
    rule, ruling = "moc.opposed.net", Ruling(table)
    action = ruling.action(do.action)
    place, part = ruling.part(action, do.part)
    number = terms.whole(do.number, "negative-successes", rule)
    beads = terms.whole(do.beads, "negative-successes", rule)
    claim = next((one for one in reversed(part.claims) if one.target == do.target), None)
    if claim is None:
        raise Refused(rule, "nothing-declared", target=do.target)
    where = 0
    if do.defence:
        where = _check_defence(ruling, do, number, beads)
    elif number or beads:
        raise Refused(rule, "declares-more-than-rolled", left=0)
    net = max(0, claim.number - claim.taken - number - beads)
    done = facts.SuccessesTakenOff(action.id, place, do.target, number, beads, net, do.defence, where)
    ruling.here(done)
    ruling.by(rule, net, declared=claim.number, taken=claim.taken + number + beads)
    return ruling.verdict()


def _check_defence(ruling: Ruling, do: inputs.TakeOffSuccesses, number: int, beads: int) -> int:
    """The part it was rolled for. Refuses `unknown-action`, `defence-over`, `roll-not-completed`, and what is short."""
    rule, defence = "moc.opposed.net", ruling.action(do.defence, closed=True)
    if defence.character != do.target:
        raise Refused(rule, "unknown-action", action=do.defence)
    own = [one.id for one in actions_in(ruling.scene()) if one.character == do.target]
    if own[-1] != do.defence:
        raise Refused(rule, "defence-over", action=do.defence)
    where, part = ruling.part(defence, do.defence_part, resolved=True)
    ruling.must_see(defence, where)
    found = outcome_of(ruling, defence, where)
    if not (part.rolled or found.free) or part.stage == "pre-empted":
        raise Refused(rule, "roll-not-completed", part=where)
    if number > found.left or beads > found.left_beads:
        seen = hidden(defence, where)
        raise Refused(rule, "declares-more-than-rolled", audience=seen, left=found.left)
    return where


# --- resolving ---


def resolve(table: Table[Dials], do: inputs.Resolve) -> Asking[Verdict[Any]]:
    """`moc.level.resolve`, then `moc.move.half-action` and `moc.split.pre-empt`."""
    ruling = Ruling(table)
    action = ruling.action(do.action)
    waiting = [place for place, part in enumerate(action.parts) if part.stage == "declared"]
    place, part = ruling.part(action, do.part if do.part is not None else waiting[0])
    if place != waiting[0] and not part.roll.defence:
        raise Refused("moc.split.pre-empt", "out-of-order", next=waiting[0])
    if do.waive and table.by.role != "gm":
        raise Refused("moc.split.pre-empt", "gm-approval-needed", waive=True)
    found = outcome_of(ruling, action, place)
    if not (part.rolled or found.free or found.trumped or part.white):
        raise Refused(RESOLVE, "roll-not-completed", part=place)
    action, found = _without_spare_chip(ruling, action, place, found)
    passes, level = _tell(ruling, action, place, found)
    if part.roll.kind == "movement" and not part.roll.opposed:
        yield from _half_move(ruling, action, place, level, do.penalty)
    lost_beads(ruling, action, place)
    later = [one for one in waiting if one > place]
    if not passes and later:
        if do.waive:
            ruling.here(facts.PreemptionWaived(action.id, place, do.reason))
            ruling.by("moc.split.pre-empt", "waived", part=place)
        else:
            _preempt(ruling, action, later)
    return ruling.verdict()


def _without_spare_chip(ruling: Ruling, action: Action, place: int, found: Outcome) -> tuple[Action, Outcome]:
    """`moc.chip.automatic-success`: claimed on a roll nobody else saw, it goes back where that was a Success anyway."""
    part = action.parts[place]
    if not (part.white and part.roll.opposed and part.rolled):
        return action, found
    bare = changed(part, white="")
    alone = changed(action, parts=(*action.parts[:place], bare, *action.parts[place + 1 :]))
    if level_as_it_stands(bare, outcome_of(ruling, alone, place)) < LEVELS["success"]:
        return action, found
    chip = accounts.chips(part.white, {"white": 1}, to_bank=False)
    ruling.here(facts.AutomaticSuccessReturned(action.id, place, part.white), *chip)
    ruling.by("moc.chip.automatic-success", "not needed", part=place)
    action = ruling.action(action.id)
    return action, outcome_of(ruling, action, place)


def level_as_it_stands(part: Part, found: Outcome) -> int:
    """What a part comes to as things stand: by its successes declared on targets, where there are any."""
    nets = nets_of(part, found)
    return min(LEVELS["outstanding"], max(nets.values())) if nets else found.level


def _half_move(ruling: Ruling, action: Action, place: int, level: int, named: str) -> Asking[None]:
    """`moc.move.half-action`: unopposed it works unless fumbled; then it costs something, or an EM leaves it open."""
    rule, penalty = "moc.move.half-action", ""
    if level == -1:
        if any(one.by != action.character and one.part == place and effective(action, one) for one in action.plays):
            ruling.by(rule, "the game master decides", part=place)
            return
        asked = f"for a fumbled move: {named}"
        agreed = bool(named) and (yield from ruling.approved(None, asked, f"approval:{place}"))
        penalty = named if agreed else FUMBLED
    metres = rates(ruling, action.character)["primary"]
    ruling.about(action.character, facts.MovementMade("primary", metres, penalty))
    ruling.by(rule, penalty or "moved", part=place, metres=metres)


def _tell(ruling: Ruling, action: Action, place: int, found: Outcome) -> tuple[bool, int]:
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
    done = facts.ActionResolved(
        action.id, place, found.rolled, found.added, found.subtracted, net, LEVEL_NAMES[level], level,
        part.roll.required, passes, saved, found.tn, part.faces, part.bonus, targets,
    )  # fmt: skip
    ruling.here(done)
    values, changed = values_of(action, place)
    if values:
        ruling.by("moc.dice.effect-number", numbers.effect_number(values, changed, ruling.dials.en_natural_only))
    ruling.by("moc.dice.successes", found.rolled, tn=found.tn, values=list(values))
    needed = numbers.number_for(found.tn, part.roll.required) if part.roll.required > 0 else None
    ruling.by("moc.level.required", passes, level=LEVEL_NAMES[level], required=part.roll.required, number=needed)
    ruling.by(RESOLVE, LEVEL_NAMES[level], total=net, one=found.has_one, shifted=found.shifted)
    return passes, level


def nets_of(part: Part, found: Outcome) -> dict[str, int]:
    """target -> what is left of all that was declared on it."""
    nets: dict[str, int] = {}
    for claim in part.claims:
        net = 0 if found.trumped else max(0, claim.number - claim.taken)
        nets[claim.target] = nets.get(claim.target, 0) + net
    return {target: max(3, net) for target, net in nets.items()} if part.white else nets


def _preempt(ruling: Ruling, action: Action, later: list[int]) -> None:
    """`moc.split.pre-empt`: what was never attempted gives its EMs back."""
    back = [
        play
        for play in action.plays
        if not play.returned and {play.part, *(place for place, _, _ in play.points)} <= set(later)
    ]
    ruling.here(facts.ActionsPreempted(action.id, tuple(later), tuple(play.id for play in back)))
    ruling.by("moc.split.pre-empt", len(later), parts=later)
    for play in back:
        give_back(ruling, action.id, play)
    for place in later:
        owner = action.parts[place].white
        if owner:
            chip = accounts.chips(owner, {"white": 1}, to_bank=False)
            ruling.about(owner, facts.EffectModifierReturned(action.id, "white chip"), *chip)
            ruling.by("moc.story.action-beads", "white chip", part=place)


def tell_consequence(table: Table[Dials], do: inputs.TellConsequence) -> Asking[Verdict[Any]]:
    """`moc.level.meaning`: the player's where an EM decided it, with approval; where dice fell, the game master's."""
    rule, ruling = "moc.level.meaning", Ruling(table)
    action = ruling.action(do.action, closed=True)
    gm = table.by.role == "gm"
    if not gm and any(part.rolled for part in action.parts):
        raise Refused(rule, "gm-approval-needed", action=action.id)
    if not do.text.strip():
        raise Refused(rule, "nothing-declared")
    agreed = yield from ruling.approved(do.approved, f"the consequence: {do.text}")
    if not agreed and do.approved is False:
        raise Refused(rule, "gm-approval-needed", action=action.id)
    ruling.here(facts.ConsequenceTold(action.id, "gm" if gm else "player", do.text, agreed))
    ruling.by(rule, agreed, author="gm" if gm else "player")
    return ruling.verdict()
