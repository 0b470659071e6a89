"""Stacks of plays, Effect Modifiers (EMs) that are returned or spent again, and split pools (headings "Trump" and
"Splitting Dice Pools").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from ledger.rules.kernel.kit import (
    CAMPAIGN,
    Among,
    Between,
    Domain,
    Either,
    Names,
    Reason,
    Refusal,
    Row,
    Says,
    Shape,
    Story,
    Subject,
    changed,
    changes,
    character,
    fact,
    listed,
    require,
    rule,
)
from ledger.rules.moc import hands, holdings, piles, pools
from ledger.rules.moc.draft import SPLIT_DIVIDE, SPLIT_PRE_EMPT, Draft, may_spend_beads
from ledger.rules.moc.shown import LEFT_OUT, TOLD_LEVELS, Fields, Offering, fix, group_ids
from ledger.rules.moc.state import Action, Character, Play, Scene, find_action, list_actions
from ledger.rules.moc.types import (
    ActionId,
    AnyCard,
    ElementName,
    HowMany,
    Level,
    PileId,
    PlayId,
    PlayOrChip,
    RollKind,
    SkillName,
    Tn,
)
from ledger.rules.moc.words import ELEMENTS, KINDS, PRIMARIES, UNKNOWN_PLAY, say_card, say_count, say_subject, whether

TRUMP_STACK = rule(
    "moc.trump.stack",
    "A trump can be trumped, too. Only the last trump of such a stack counts. Trumping a trump restores "
    "what it had cancelled.",
    "Trump (Advanced)",
)
TRUMP_EFFECT = rule(
    "moc.trump.effect",
    "A trumped card, bead or chip has no effect and is used up. Only beads of a primary Element of the player's "
    "character go back to the player.",
    "Trump (Advanced)",
)
NOT_ATTEMPTED = rule(
    "moc.story.action-beads",
    "If an action is never attempted, everything played on it goes back to its player.",
    "Splitting Dice Pools",
    outcome="id",
)
TRUMP_ORDER = rule(
    "moc.trump.order",
    "To trump is to cancel what was played. A better card or a chip trumps a card, and any card trumps "
    "beads. The better card has the higher class (suited, then related, then off suit) or, in the same "
    "class, the higher value.",
    "Trump (Advanced)",
    outcome="id",
)


def say_returned(fact: EffectModifierReturned, names: Names) -> str:
    """Put into words the card, beads or chips that go back to their owner."""
    returned_words = (
        say_card(fact.card) if fact.card else "the white chip" if fact.play == "white chip" else "what was played"
    )
    return f"{say_subject(names)} gets back {returned_words}."


@fact("effect-modifier-returned", says=say_returned)
class EffectModifierReturned:
    """Subject: the owner. A card went back to the hand, or beads or chips went back to their accounts."""

    action: PileId
    play: PlayOrChip
    card: AnyCard = ""


@changes
def take_back(state: Character, fact: EffectModifierReturned) -> Character:
    return piles.with_hand(state, (*state.hand, fact.card)) if fact.card else state


@fact("effect-modifier-restored", says="{subject}'s beads are spent after all.", changes=None)
class EffectModifierRestored:
    """Subject: the owner of the beads. The trump that had returned the beads was itself trumped, so the beads are spent
    after all.
    """

    action: PileId
    play: PlayId


@fact(
    "plays-returned",
    says=whether(
        "returned",
        "The cards, beads and chips on the action go back to their players.",
        "The cards, beads and chips that had gone back to their players count again.",
    ),
)
class PlaysReturned:
    """The cards, beads and chips played on an action went back to their players, because the action
    was not attempted.
    """

    action: PileId
    plays: tuple[PlayId, ...]
    returned: bool
    pile: piles.PileKind = "action"


@changes
def return_plays(state: piles.Keeper, fact: PlaysReturned) -> piles.Keeper | None:
    plays = piles.find_plays(state, fact.pile, fact.action)
    if plays is None:
        return None
    new_plays = tuple(changed(play, returned=fact.returned) if play.id in fact.plays else play for play in plays)
    return piles.with_plays(state, fact.pile, fact.action, new_plays)


@fact("beads-trumped", says="{subject} loses {number:trumped bead|trumped beads} until the session ends.")
class BeadsTrumped:
    """Some beads were trumped and did not go back to the player."""

    number: int


@changes
def count_trumped_beads(state: Character, fact: BeadsTrumped) -> Character:
    return piles.use_up(state, "trumped-beads:session", fact.number)


@dataclass(frozen=True, slots=True)
class Pile:
    """The plays on one thing. `subject`: the subject whose state stores them. `kind`, `id`: the kind and the id of the
    thing.
    """

    subject: Subject
    kind: piles.PileKind
    id: str

    def list_plays(self, draft: Draft) -> tuple[Play, ...]:
        """Return the current plays. Refuses `unknown-play` if there is no such pile."""
        plays = piles.find_plays(_find_keeper(draft, self.subject), self.kind, self.id)
        if plays is None:
            raise UNKNOWN_PLAY.under(TRUMP_ORDER, pile=self.kind, id=self.id)
        return plays


def _find_keeper(draft: Draft, subject: Subject) -> piles.Keeper:
    match subject.kind:
        case "character":
            return draft.get_character(subject.id)
        case "scene":
            return draft.state(subject, Scene)
        case _:
            return draft.get_campaign()


def find_action_pile(draft: Draft, action: Action) -> Pile:
    return Pile(draft.get_place(), "action", action.id)


def find_story_pile(draft: Draft, change_id: str) -> Pile:
    """Return the pile of a part of the story that was told in the scene or between scenes."""
    return Pile(draft.get_story_place(change_id), "story", change_id)


def find_healing_pile(draft: Draft, char_id: str) -> Pile:
    healing = draft.get_character(char_id).healing
    return Pile(character(char_id), "healing", healing.id if healing is not None else "")


def find_initiative_pile(draft: Draft, char_id: str, *, is_coming: bool = False) -> Pile:
    return Pile(draft.get_place(), "coming" if is_coming else "initiative", char_id)


def list_piles(draft: Draft) -> Iterator[Pile]:
    """Yield every pile in the scene, the latest actions first, and those of the story between scenes."""
    place = draft.table.scene
    if place is not None:
        scene = draft.get_scene()
        for action in reversed(tuple(list_actions(scene))):
            yield Pile(place, "action", action.id)
        for pile_id in scene.damage:
            yield Pile(place, "hit", pile_id)
        for pile_id in scene.initiative.plays:
            yield Pile(place, "initiative", pile_id)
        for pile_id in scene.initiative.waiting:
            yield Pile(place, "coming", pile_id)
        for pile_id in scene.story:
            yield Pile(place, "story", pile_id)
    for pile_id in draft.get_campaign().story:
        yield Pile(CAMPAIGN, "story", pile_id)


def settle_beads(draft: Draft, pile: Pile) -> None:
    """Give back cancelled beads of the player's own Elements, and spend the beads again if they are restored."""
    plays = pile.list_plays(draft)
    for play in plays:
        if play.kind != "beads" or play.fiat or not draft.table.has(character(play.by)):
            continue
        is_standing = piles.is_effective(plays, play)
        if not is_standing and not play.returned and _is_kept(draft, play):
            posting = holdings.make_posting(
                holdings.SPENT, holdings.name_bead_account(play.by, play.element), play.number
            )
            draft.about(play.by, EffectModifierReturned(pile.id, play.id), posting)
            draft.tell(pile.subject, PlaysReturned(pile.id, (play.id,), True, pile.kind))
            draft.by(TRUMP_EFFECT, play.id, element=play.element)
        elif is_standing and play.returned:
            require(may_spend_beads(draft, play.by, play.element, play.number, TRUMP_EFFECT))
            posting = holdings.make_posting(
                holdings.name_bead_account(play.by, play.element), holdings.SPENT, play.number
            )
            draft.about(play.by, EffectModifierRestored(pile.id, play.id), posting)
            draft.tell(pile.subject, PlaysReturned(pile.id, (play.id,), False, pile.kind))
            draft.by(TRUMP_STACK, play.id, element=play.element)


def _is_kept(draft: Draft, play: Play) -> bool:
    state = draft.get_character(play.by)
    kept_elements = state.primaries
    if draft.dials.kept_when_trumped == "primary_and_secondary":
        kept_elements = (*kept_elements, *state.secondaries)
    return play.element in kept_elements


def count_beads_used(draft: Draft, char_id: str, element: str) -> int:
    """Return how many beads of the Element a character has used in the scene, not counting those that were cancelled or
    returned.
    """
    used_count = 0
    for pile in list_piles(draft):
        plays = pile.list_plays(draft) if pile.subject.kind == "scene" else ()
        for play in plays:
            if (play.by, play.kind, play.element) == (char_id, "beads", element) and not play.returned:
                used_count += play.number if piles.is_effective(plays, play) else 0
    return used_count


def lose_beads(draft: Draft, plays: tuple[Play, ...], part_index: int = 0) -> None:
    """Record the trumped beads that did not go back to their players, unless an option brings them back in the same
    session.
    """
    if draft.dials.trumped_beads_regenerate:
        return
    lost_by_id: dict[str, int] = {}
    for play in plays:
        is_lost = (
            play.kind == "beads"
            and play.part == part_index
            and not play.returned
            and not piles.is_effective(plays, play)
        )
        if is_lost:
            lost_by_id[play.by] = lost_by_id.get(play.by, 0) + play.number
    for char_id, count in lost_by_id.items():
        if draft.table.has(character(char_id)):  # no beads to lose if the enrolment was overturned
            draft.about(char_id, BeadsTrumped(count))
            draft.by(TRUMP_EFFECT, count, character=char_id)


def give_back_play(draft: Draft, pile_id: str, play: Play) -> None:
    """Give a play back: a card to the hand, beads and chips to their accounts.

    A character whose enrolment was overturned gets nothing back.
    """
    if not draft.table.has(character(play.by)):
        return
    match play.kind:
        case "card":
            if play.session != (draft.table.session or ""):
                return  # discarded with all cards of its session
            if play.origin == "villains":
                pool_account = holdings.name_villains_cards_account(draft.get_place().id)
                draft.about(play.by, EffectModifierReturned(pile_id, play.id))
                draft.here(hands.VillainsDrew((play.card,)), holdings.make_posting(holdings.DISCARD, pool_account, 1))
                draft.by(NOT_ATTEMPTED, play.id, kind=play.kind)
                return
            posting = holdings.make_posting(holdings.DISCARD, holdings.name_hand_account(play.by), 1)
        case "beads":
            posting = holdings.make_posting(
                holdings.SPENT, holdings.name_bead_account(play.by, play.element), play.number
            )
        case _:
            posting = holdings.make_posting(
                holdings.name_chip_bank_account(play.colour), holdings.name_chip_account(play.by, play.colour), 1
            )
    draft.about(play.by, EffectModifierReturned(pile_id, play.id, play.card), posting)
    draft.by(NOT_ATTEMPTED, play.id, kind=play.kind)


# --- split pools ---


SPLIT_TOO_LARGE = Refusal(
    SPLIT_DIVIDE, "split-too-large", "You can split only {available:die|dice}. These parts add up to more: {parts}."
)


@dataclass(frozen=True, slots=True)
class SubPool:
    """One part of a split pool. `dice`: its share of the dice. Fields that are left out have the values of the whole
    action.
    """

    dice: Annotated[HowMany, Says("Dice", "How many dice of the pool this part gets.")]
    text: Story = ""
    skill: SkillName | None = None
    element: ElementName | None = None
    roll_kind: RollKind | None = None
    tn: Tn | None = None
    required: Annotated[Level | None, Says("Level required", "The level needed to pass.")] = None
    defence: bool = False
    opposed: bool = False


def say_split(fact: PoolSplit, names: Names) -> str:
    loss_words = f" loses {say_count(fact.penalty, 'die', 'dice')} and" if fact.penalty else ""
    return (
        f"The pool of {say_count(fact.pool, 'die', 'dice')}{loss_words} is split into {listed(map(str, fact.parts))}."
    )


@fact("pool-split", says=say_split)
class PoolSplit:
    """A dice pool was split between several actions. `penalty`: how many dice the split cost."""

    action: ActionId
    pool: int
    penalty: int
    parts: tuple[int, ...]


@changes
def split_pool(state: Scene, fact: PoolSplit) -> Scene | None:
    action = find_action(state, fact.action)
    if action is None or len(fact.parts) != len(action.parts):
        return None
    parts = tuple(changed(part, dice=share) for part, share in zip(action.parts, fact.parts, strict=True))
    return piles.put_action(state, changed(action, parts=parts, penalty=fact.penalty, split=True))


PARTS = (2, 3)


def list_split_fields(offering: Offering, able_ids: tuple[str, ...], fields: Mapping[str, Domain]) -> Iterator[Fields]:
    """Yield splits of the first part's Primary. The parts do not take a skill from the whole action."""
    for dice_counts, ids in group_ids(
        (char_id, tuple(offering.draft.find_active_value(char_id, name) for name in PRIMARIES)) for char_id in able_ids
    ).items():
        for primary, dice_count in zip(PRIMARIES, dice_counts, strict=True):
            rows = tuple(_list_split_rows(offering, primary, dice_count))
            if rows:
                yield {
                    **fields,
                    "character": Among(ids),
                    "skill": LEFT_OUT,
                    "parts": Either(rows),
                    "penalty": fix(0),
                    "primary": Among((None, primary) if primary == PRIMARIES[0] else (primary,)),
                    "roll_kind": Among(KINDS),
                    "defender": LEFT_OUT,
                }


def _list_split_rows(offering: Offering, primary: str, dice_count: int) -> Iterator[Row]:
    """Yield parts with the same maximum number of dice; for two parts, also a part with nearly all dice. A defence can
    have more dice.
    """
    skills = offering.campaign.skills
    own_skills = (None, *(name for name, entry in skills.items() if entry.primary == primary))
    for part_count in PARTS:
        dice_left = dice_count - (part_count - 1)
        splits = [(dice_left // part_count,) * part_count]
        if part_count == min(PARTS) and dice_left > part_count:
            splits += [(dice_left - 1, 1), (1, dice_left - 1)]
        for split in splits if dice_left >= part_count else ():
            first_share, *other_shares = split
            yield Row(
                (
                    _make_sub_pool_domain(offering, own_skills, first_share),
                    *(_make_sub_pool_domain(offering, (None, *skills), share) for share in other_shares),
                )
            )


def _make_sub_pool_domain(offering: Offering, skills: tuple[str | None, ...], most_dice: int) -> Shape:
    yes_or_no = Among((False, True))
    fields: Fields = {
        "dice": Between(1, most_dice),
        "skill": Among(skills),
        "element": Among((None, *ELEMENTS)),
        "roll_kind": Among((None, *KINDS)),
        "tn": Either((LEFT_OUT, Between(offering.dials.tn_floor))),
        "required": Among((None, *TOLD_LEVELS)),
        "defence": yes_or_no,
        "opposed": yes_or_no,
    }
    return Shape(SubPool, fields)


@fact("actions-preempted", says="The remaining parts of the action are never attempted.")
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
        changed(part, stage="pre-empted") if part_index in fact.parts else part
        for part_index, part in enumerate(action.parts)
    )
    plays = tuple(changed(play, returned=True) if play.id in fact.returned else play for play in action.plays)
    return piles.put_action(state, changed(action, parts=parts, plays=plays, stage=piles.find_stage(parts)))


@fact("preemption-waived", says="The remaining parts of the action go ahead anyway[: {reason}].", changes=None)
class PreemptionWaived:
    """The game master allowed the remaining parts of a split action to go ahead."""

    action: ActionId
    part: int
    reason: Reason


def preempt(draft: Draft, action: Action, later_indexes: list[int]) -> None:
    """Give back the EMs of parts that are not attempted."""
    returned_plays = [
        play
        for play in action.plays
        if not play.returned and {play.part, *(part_index for part_index, _, _ in play.points)} <= set(later_indexes)
    ]
    draft.here(ActionsPreempted(action.id, tuple(later_indexes), tuple(play.id for play in returned_plays)))
    draft.by(SPLIT_PRE_EMPT, len(later_indexes), parts=later_indexes)
    for play in returned_plays:
        give_back_play(draft, action.id, play)
    for part_index in later_indexes:
        owner_id = action.parts[part_index].white
        if owner_id:
            postings = holdings.list_chip_postings(owner_id, {"white": 1}, is_to_bank=False)
            draft.about(owner_id, EffectModifierReturned(action.id, "white chip"), *postings)
            draft.by(NOT_ATTEMPTED, "white chip", part=part_index)


def divide_pool(draft: Draft, action_id: str, extra_penalty: int) -> None:
    """Check and record the split. Refuses `split-too-large`."""
    action, dials = draft.get_action(action_id), draft.dials
    counted_parts = [part for part in action.parts if dials.split_penalty == "all_subpools" or not part.roll.defence]
    penalty = max(1, len(counted_parts) - 1) + extra_penalty if len(action.parts) > 1 else 0
    pool_size = pools.count_base_pool(draft, action)
    if dials.split_skill_dice == "shared":
        pool_size += sum(part.roll.level for part in action.parts)
    shares = tuple(part.dice for part in action.parts)
    if sum(shares) > pool_size - penalty:
        raise SPLIT_TOO_LARGE(available=pool_size - penalty, parts=list(shares))
    draft.here(PoolSplit(action_id, pool_size, penalty, shares))
    draft.by(SPLIT_DIVIDE, pool_size - penalty, pool=pool_size, penalty=penalty, parts=list(shares))
