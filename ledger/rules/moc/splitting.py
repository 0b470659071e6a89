"""Split pools: one pool for several actions, and what pre-empts the later ones (heading "Splitting Dice Pools")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from ledger.rules.kernel.chapters import Refusal, changes, fact
from ledger.rules.kernel.domains import Reason, Says, Story
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.moves import Among, Between, Domain, Either, Row, Shape
from ledger.rules.kernel.phrases import Names, listed
from ledger.rules.moc import accounts, piles, pools, stacks
from ledger.rules.moc.draft import SPLIT_DIVIDE, SPLIT_PRE_EMPT, Draft
from ledger.rules.moc.sayings import say_count
from ledger.rules.moc.shown import LEFT_OUT, TOLD_LEVELS, Fields, Offering, one, together
from ledger.rules.moc.state import Action, Scene, find_action
from ledger.rules.moc.types import ActionId, ElementName, HowMany, Level, PlayId, RollKind, SkillName, Tn
from ledger.rules.moc.words import ELEMENTS, KINDS, PRIMARIES

SPLIT_TOO_LARGE = Refusal(
    SPLIT_DIVIDE, "split-too-large", "You can split only {available:die|dice}: {parts} are too many."
)


@dataclass(frozen=True, slots=True)
class SubPool:
    """One part of a split pool. `dice`: its share of the dice. Fields left out are as for the whole action."""

    dice: Annotated[HowMany, Says("Dice", "The share of the pool that this part gets.")]
    text: Story = ""
    skill: SkillName | None = None
    element: ElementName | None = None
    roll_kind: RollKind | None = None
    tn: Tn | None = None
    required: Annotated[Level | None, Says("Level required", "The level needed to pass.")] = None
    defence: bool = False
    opposed: bool = False


def say_split(fact: PoolSplit, names: Names) -> str:
    less = f" loses {say_count(fact.penalty, 'die', 'dice')} and" if fact.penalty else ""
    return f"The pool of {say_count(fact.pool, 'die', 'dice')}{less} is split into {listed(map(str, fact.parts))}."


@fact("pool-split", says=say_split)
class PoolSplit:
    """A dice pool was split between several actions. `penalty`: how many dice that cost."""

    action: ActionId
    pool: int
    penalty: int
    parts: tuple[int, ...]


@changes
def split_pool(state: Scene, fact: PoolSplit) -> Scene | None:
    action = find_action(state, fact.action)
    if action is None or len(fact.parts) != len(action.parts):
        return None
    parts = tuple(changed(part, dice=dice) for part, dice in zip(action.parts, fact.parts, strict=True))
    return piles.put_action(state, changed(action, parts=parts, penalty=fact.penalty, split=True))


PARTS = (2, 3)


def list_splits(now: Offering, able: tuple[str, ...], plain: Mapping[str, Domain]) -> Iterator[Fields]:
    """Of the Primary of the first part. No skill is inherited: each part says its own, or none."""
    for values, ids in together((id, tuple(now.draft.value(id, name) for name in PRIMARIES)) for id in able).items():
        for primary, value in zip(PRIMARIES, values, strict=True):
            rows = tuple(_split_rows(now, primary, value))
            if rows:
                yield {
                    **plain,
                    "character": Among(ids),
                    "skill": LEFT_OUT,
                    "parts": Either(rows),
                    "penalty": one(0),
                    "primary": Among((None, primary) if primary == PRIMARIES[0] else (primary,)),
                    "roll_kind": Among(KINDS),
                    "defender": LEFT_OUT,
                }


def _split_rows(now: Offering, primary: str, value: int) -> Iterator[Row]:
    """So many parts with the same most; or of two, one with nearly all. A defence may leave more."""
    skills = now.campaign.skills
    mine = (None, *(name for name, entry in skills.items() if entry.primary == primary))
    for count in PARTS:
        left = value - (count - 1)
        shares = [(left // count,) * count]
        if count == min(PARTS) and left > count:
            shares += [(left - 1, 1), (1, left - 1)]
        for share in shares if left >= count else ():
            first, *others = share
            yield Row((_part_domain(now, mine, first), *(_part_domain(now, (None, *skills), most) for most in others)))


def _part_domain(now: Offering, skills: tuple[str | None, ...], most: int) -> Shape:
    said = Among((False, True))
    fields: Fields = {
        "dice": Between(1, most),
        "skill": Among(skills),
        "element": Among((None, *ELEMENTS)),
        "roll_kind": Among((None, *KINDS)),
        "tn": Either((LEFT_OUT, Between(now.dials.tn_floor))),
        "required": Among((None, *TOLD_LEVELS)),
        "defence": said,
        "opposed": said,
    }
    return Shape(SubPool, fields)


@fact("actions-preempted", says="The remaining parts of the action are pre-empted: they are never attempted.")
class ActionsPreempted:
    """The remaining parts of a split action will not be attempted. `returned`: the plays that went back to
    their players.
    """

    action: ActionId
    parts: tuple[int, ...]
    returned: tuple[PlayId, ...]


@changes
def preempt_parts(state: Scene, fact: ActionsPreempted) -> Scene | None:
    action = find_action(state, fact.action)
    if action is None:
        return None
    parts = tuple(
        changed(part, stage="pre-empted") if place in fact.parts else part for place, part in enumerate(action.parts)
    )
    plays = tuple(changed(one, returned=True) if one.id in fact.returned else one for one in action.plays)
    return piles.put_action(state, changed(action, parts=parts, plays=plays, stage=piles.find_stage(parts)))


@fact("preemption-waived", says="The remaining parts of the action go ahead anyway[: {reason}].", changes=None)
class PreemptionWaived:
    """The game master let the remaining parts of a split action go ahead."""

    action: ActionId
    part: int
    reason: Reason


def _preempt(draft: Draft, action: Action, later: list[int]) -> None:
    """What was never attempted gives its EMs back."""
    back = [
        play
        for play in action.plays
        if not play.returned and {play.part, *(place for place, _, _ in play.points)} <= set(later)
    ]
    draft.here(ActionsPreempted(action.id, tuple(later), tuple(play.id for play in back)))
    draft.by(SPLIT_PRE_EMPT, len(later), parts=later)
    for play in back:
        stacks.give_back_play(draft, action.id, play)
    for place in later:
        owner = action.parts[place].white
        if owner:
            chip = accounts.chips(owner, {"white": 1}, to_bank=False)
            draft.about(owner, stacks.EffectModifierReturned(action.id, "white chip"), *chip)
            draft.by(stacks.NOT_ATTEMPTED, "white chip", part=place)


def divide_pool(draft: Draft, id: str, extra: int) -> None:
    """Refuses `split-too-large`."""
    action, dials = draft.action(id), draft.dials
    counted = [part for part in action.parts if dials.split_penalty == "all_subpools" or not part.roll.defence]
    penalty = max(1, len(counted) - 1) + extra if len(action.parts) > 1 else 0
    pool = pools.count_base_pool(draft, action)
    if dials.split_skill_dice == "shared":
        pool += sum(part.roll.level for part in action.parts)
    shares = tuple(part.dice for part in action.parts)
    if sum(shares) > pool - penalty:
        raise SPLIT_TOO_LARGE(available=pool - penalty, parts=list(shares))
    draft.here(PoolSplit(id, pool, penalty, shares))
    draft.by(SPLIT_DIVIDE, pool - penalty, pool=pool, penalty=penalty, parts=list(shares))
