"""What an action comes to as things stand (headings "Generating Numbers", "Levels of success")."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ledger.rules.kernel.frozen import quick
from ledger.rules.moc import numbers
from ledger.rules.moc.actions import bead_dice
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.piles import roll_trumped, standing
from ledger.rules.moc.state import Scene
from ledger.rules.moc.state_of_actions import Action, Part, Play
from ledger.rules.moc.terms import LEVELS


def free_marginal(action: Action, place: int) -> bool:
    """Whether a bead's Marginal Success stands on the part."""
    return any(one.use == "free_marginal" and one.part == place for one in standing(action.plays))


def determined(action: Action, place: int) -> Play | None:
    """`moc.action.by-em`: the EM that decides the part in place of dice, as long as it stands."""
    found = (one for one in standing(action.plays) if one.use == "determine" and one.part == place and not one.returned)
    return next(found, None)


@quick
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
    decided: bool = False

    @property
    def sure(self) -> bool:
        """Whether it comes to something without dice."""
        return self.free or self.decided


def values_of(action: Action, place: int) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    """All dice of a part as they read now, and which of them an EM changed."""
    part = action.parts[place]
    values = list(numbers.as_read(part.faces, part.bonus))
    changed = [False] * len(values)
    for play in standing(action.plays):
        if play.points:
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


def tn_of(draft: Draft, action: Action, place: int) -> int:
    """`moc.tn`: less what beads take off, never below the floor."""
    spent = sum(
        play.number for play in standing(action.plays) if play.use == "reduce_difficulty" and play.part == place
    )
    return max(draft.dials.tn_floor, action.parts[place].roll.tn - spent)


def outcome_of(draft: Draft, action: Action, place: int) -> Outcome:
    """`moc.level.resolve`."""
    part, dials = action.parts[place], draft.dials
    values, changed = values_of(action, place)
    tn = tn_of(draft, action, place)
    method = numbers.method_of(part.roll.kind, dials.resolution, len(action.parts) > 1, dials.split_rolls)
    if method == "en" and part.roll.opposed and dials.resolution == "mixed":
        method = "count"
    rolled = numbers.successes(values, changed, tn, method, dials.en_natural_only)
    moved = [
        play.successes
        for play in standing(action.plays)
        if play.part == place and play.use in ("add_successes", "storytelling")
    ]
    added, subtracted = sum(n for n in moved if n > 0), -sum(n for n in moved if n < 0)
    shifted = any(play.use == "shift" and play.part == place for play in standing(action.plays))
    free, trumped = free_marginal(action, place), roll_trumped(action.plays, "roll", place)
    decided = determined(action, place)
    has_one = 1 in values
    total = max(0, rolled + added - subtracted)
    level = numbers.level(total, rolled, has_one, shifted)
    if free:
        total = max(0, 2 - subtracted)
        level = total
    if decided is not None:
        total = max(0, decided.successes + added - subtracted)
        level = min(LEVELS["outstanding"], total) if total else min(0, decided.successes)
    if trumped:
        total, level = 0, 0
    if part.white and (trumped or not free) and level < 3:
        total, level = 3, 3
    beyond = max(0, subtracted - rolled)  # what is taken beyond the dice, beads have to bear
    left, beads = (total, 0) if free or decided is not None else (max(0, rolled - subtracted), max(0, added - beyond))
    left, beads = (0, 0) if trumped else (left - part.spent, beads - part.spent_beads)
    return Outcome(
        rolled, has_one, added, subtracted, total, level, tn, left, beads, free, trumped, shifted, decided is not None
    )


def nets_of(part: Part, found: Outcome) -> dict[str, int]:
    """target -> what is left of all that was declared on it."""
    nets: dict[str, int] = {}
    for claim in part.claims:
        net = 0 if found.trumped else max(0, claim.number - claim.taken)
        nets[claim.target] = nets.get(claim.target, 0) + net
    return {target: max(3, net) for target, net in nets.items()} if part.white else nets


def level_as_it_stands(part: Part, found: Outcome) -> int:
    """What a part comes to as things stand: by its successes declared on targets, where there are any."""
    nets = nets_of(part, found)
    return min(LEVELS["outstanding"], max(nets.values())) if nets else found.level


def hit_by(scene: Scene, action: str, place: int) -> frozenset[str]:
    """Whom this attack has hit."""
    return frozenset(hit.target for hit in scene.hits.values() if (hit.action, hit.part) == (action, place))


def declared_on(part: Part) -> frozenset[str]:
    return frozenset(claim.target for claim in part.claims)


def open_targets(part: Part, hit: frozenset[str], among: Iterable[str]) -> tuple[str, ...]:
    """Whom an attack can still hit: those it was declared on, or anybody where it was not; nobody after such a hit."""
    declared = declared_on(part)
    if part.roll.kind != "to_hit" or hit - declared:
        return ()
    return tuple(id for id in among if id not in hit and (not declared or id in declared))
