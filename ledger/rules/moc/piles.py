"""Piles, and how facts change actions and hands.

A pile is the plays on one thing, in the order in which they were played. Everything that can be trumped has a pile. A
pile belongs to an action (and its roll), a hit (damage and resisting), initiative (`initiative` for the last roll,
`coming` for the next), healing, or part of the story.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from ledger.rules.kernel.kit import changed, changing
from ledger.rules.moc.state import (
    Action,
    Campaign,
    Character,
    Damage,
    Healing,
    Hit,
    Initiative,
    Part,
    Play,
    Resisting,
    Scene,
    StoryPart,
    find_action,
)
from ledger.rules.moc.words import say_beads, say_card

# --- actions and hands ------------------------------------------------------------------------------------------------


#: How many actions a shelf can contain.
SHELF = 64
_with_actions = changing(Scene, "actions")
_with_older = changing(Scene, "older")


def put_action(state: Scene, action: Action | None) -> Scene | None:
    """Return the scene with the action in its place, or added as the latest action. Return None if
    there is no action.
    """
    if action is None:
        return None
    if action.id in state.actions or (not state.older and len(state.actions) < SHELF):
        return _with_actions(state, {**state.actions, action.id: action})
    for index, shelf in enumerate(state.older):
        if action.id in shelf:
            return _with_older(state, (*state.older[:index], {**shelf, action.id: action}, *state.older[index + 1 :]))
    if len(state.actions) < SHELF:
        return _with_actions(state, {**state.actions, action.id: action})
    return changed(state, older=(*state.older, state.actions), actions={action.id: action})


def with_part(action: Action | None, part_index: int, **changes: Any) -> Action | None:
    """Return the action with changes in one part, or None if there is no such part."""
    if action is None or not 0 <= part_index < len(action.parts):
        return None
    return with_part_in_place(action, part_index, changed(action.parts[part_index], **changes))


_with_parts = changing(Action, "parts")


def with_part_in_place(action: Action, part_index: int, part: Part) -> Action:
    parts = action.parts
    return _with_parts(action, (part,) if len(parts) == 1 else (*parts[:part_index], part, *parts[part_index + 1 :]))


def find_action_and_part(state: Scene, action_id: str, part_index: int) -> tuple[Action, Part] | None:
    action = state.actions.get(action_id) or find_action(state, action_id)
    return (action, action.parts[part_index]) if action is not None and 0 <= part_index < len(action.parts) else None


def add_dice(state: Scene, action_id: str, part_index: int, dice_count: int) -> Scene | None:
    action = find_action(state, action_id)
    return put_action(state, with_dice(action, part_index, dice_count)) if action is not None else None


def with_dice(action: Action, part_index: int, dice_count: int) -> Action | None:
    """Return the action with more dice for one part, or (below 0) for the whole pool."""
    if part_index < 0:
        return changed(action, dice=action.dice + dice_count)
    if part_index >= len(action.parts):
        return None
    return with_part(action, part_index, extra=action.parts[part_index].extra + dice_count)


_with_plays = changing(Action, "plays")


def find_stage(parts: Iterable[Part]) -> str:
    """Return `closed` if no part is left to resolve, otherwise `open`."""
    return "open" if any(part.stage == "declared" for part in parts) else "closed"


def with_play(state: Scene, action_id: str, play: Play) -> Scene | None:
    action = find_action(state, action_id)
    return put_action(state, _with_plays(action, (*action.plays, play))) if action is not None else None


with_hand = changing(Character, "hand")


def gain_beads(state: Character | None, beads_by_element: Mapping[str, int]) -> Character | None:
    """Return the character with more beads, in addition to the allocated ones."""
    if state is None:
        return None
    return changed(
        state,
        gained={
            **state.gained,
            **{element: state.gained.get(element, 0) + n for element, n in beads_by_element.items()},
        },
    )


def use_up(state: Character, key: str, count: int) -> Character:
    return changed(state, used={**state.used, key: state.used.get(key, 0) + count})


def without_card(state: Character, card: str) -> Character | None:
    """Return the character without this card in the hand, or None if the card is not there."""
    if card not in state.hand:
        return None
    index = state.hand.index(card)
    return with_hand(state, (*state.hand[:index], *state.hand[index + 1 :]))


# --- piles ------------------------------------------------------------------------------------------------------------


def read_dice(base_faces: Sequence[int], bonus_faces: Sequence[int]) -> tuple[int, ...]:
    """Return the natural values of all dice. A 1 on a bonus die counts as 2."""
    return (*base_faces, *[max(2, face) for face in bonus_faces]) if bonus_faces else tuple(base_faces)


PileKind: TypeAlias = Literal["action", "hit", "initiative", "coming", "healing", "story"]


#: The names of rolls that can be trumped.
ROLLS = ("roll", "damage", "resisting", "initiative", "healing")
#: How sentences name the dice of each kind of roll.
DICE_OF = {
    "roll": "roll",
    "damage": "damage",
    "resisting": "resistance",
    "initiative": "initiative",
    "healing": "healing",
    "dice": "roll",
}


def say_play(play: Play) -> str:
    """Put into words the card, beads or chip that is played."""
    if play.kind == "card":
        return say_card(play.card)
    return say_beads({play.element: play.number}) if play.kind == "beads" else f"a {play.colour} chip"


def is_effective(plays: Iterable[Play], play: Play) -> bool:
    """Return whether the play counts: no effective play is on it, and the game master has not cancelled it."""
    if play.fiat:
        return False
    all_plays = tuple(plays)
    return not any(other_play.on == play.id and is_effective(all_plays, other_play) for other_play in all_plays)


def list_effective(plays: Iterable[Play]) -> tuple[Play, ...]:
    all_plays = tuple(plays)
    if not any(play.on or play.fiat for play in all_plays):
        return all_plays
    return tuple(play for play in all_plays if is_effective(all_plays, play))


def find_top_play(plays: tuple[Play, ...], target_id: str, part_index: int) -> Play | None:
    """Return the top play of the stack on a play or on a part's roll, or None if there is nothing on the roll."""
    top_play = next((play for play in plays if play.id == target_id), None)
    while True:
        under_id = top_play.id if top_play is not None else target_id
        plays_above = [
            play
            for play in plays
            if play.on == under_id and not play.fiat and (top_play is not None or play.part == part_index)
        ]
        if not plays_above:
            return top_play
        top_play = plays_above[-1]


def is_roll_trumped(plays: Iterable[Play], roll_name: str = "roll", part_index: int = 0) -> bool:
    """Return whether the dice themselves are cancelled."""
    all_plays = tuple(plays)
    return any(play.on == roll_name and play.part == part_index and is_effective(all_plays, play) for play in all_plays)


DAMAGE_DICE, RAISE_DICE = 0, 1


def apply_points(
    base_faces: Iterable[int], bonus_faces: Iterable[int], plays: Iterable[Play], part_index: int = 0
) -> tuple[int, ...]:
    """Return the dice with the points of cards on them: base dice first, then bonus dice.

    Points on a die that was not rolled are lost. Points never add bonus dice; only natural 10s do.
    """
    values = list(read_dice(tuple(base_faces), tuple(bonus_faces)))
    for play in list_effective(plays):
        for index, die_index, points in play.points:
            if index == part_index and 0 <= die_index < len(values):
                values[die_index] += points
    return tuple(values)


def sum_bead_successes(plays: Iterable[Play]) -> int:
    """Return the number of successes that beads add, minus those that they remove."""
    return sum(play.successes for play in list_effective(plays) if play.kind == "beads")


def count_damage(damage: Damage) -> tuple[int, int]:
    """Return the points of the damage dice and of the raise dice: one for each die at or above the threshold."""
    if is_roll_trumped(damage.plays, "damage"):
        return 0, 0
    damage_plays = [play for play in list_effective(damage.plays) if play.use == "damage"]
    damage_values = apply_points(damage.faces, damage.bonus, damage_plays, DAMAGE_DICE)
    raise_values = apply_points(damage.raise_faces, damage.raise_bonus, damage_plays, RAISE_DICE)
    bead_successes = sum_bead_successes(play for play in damage.plays if play.use != "resisting")
    return max(0, _count_reaching(damage_values, damage.threshold) + bead_successes), _count_reaching(
        raise_values, damage.threshold
    )


def _count_reaching(values: Iterable[int], threshold: int) -> int:
    return sum(1 for value in values if value >= threshold)


def count_resisted(
    resisting: Resisting, plays: Iterable[Play], resistible: int, *, can_tens_take_all: bool
) -> tuple[int, int]:
    """Return the points that become pain, and the points that dice remove."""
    all_plays = tuple(plays)
    if is_roll_trumped(all_plays, "resisting"):
        return 0, 0
    resisting_plays = [play for play in list_effective(all_plays) if play.use == "resisting"]
    values, ignored = apply_points(resisting.faces, resisting.bonus, resisting_plays), resisting.ignored
    conversions = sum(1 for die_index, value in enumerate(values) if die_index not in ignored and value >= resisting.tn)
    conversions = max(0, conversions + sum_bead_successes(play for play in all_plays if play.use != "damage"))
    return conversions, max(len(ignored), resistible) if ignored and can_tens_take_all else len(ignored)


def count_healing_successes(healing: Healing) -> int:
    if is_roll_trumped(healing.plays, "healing"):
        return 0
    return max(
        0,
        _count_reaching(apply_points(healing.faces, healing.bonus, healing.plays), healing.tn)
        + sum_bead_successes(healing.plays),
    )


def compute_standings(initiative: Initiative) -> dict[str, tuple[int, int]]:
    """Return (successes, sum of the dice) by character."""
    standings = {}
    for char_id, faces in initiative.faces.items():
        plays = initiative.plays.get(char_id, ())
        if is_roll_trumped(plays, "initiative"):
            standings[char_id] = (0, 0)
            continue
        values = apply_points(faces, initiative.bonus.get(char_id, ()), plays)
        standings[char_id] = (max(0, _count_reaching(values, initiative.tn) + sum_bead_successes(plays)), sum(values))
    return standings


def list_groups(cast: Iterable[str], standings: Mapping[str, tuple[int, int]]) -> tuple[tuple[str, ...], ...]:
    """Return the groups of characters who act at the same time, from first to last."""
    present_ids = [char_id for char_id in cast if char_id in standings]
    ranking = sorted(set(standings.values()), reverse=True)
    return tuple(
        group
        for standing in ranking
        if (group := tuple(char_id for char_id in present_ids if standings[char_id] == standing))
    )


def count_bead_dice(action: Action, part_index: int) -> int:
    """Return the number of dice that effective beads add to a part."""
    return sum(play.dice for play in action.plays if play.part == part_index and is_effective(action.plays, play))


#: The states that contain piles, and those that contain a story.
Keeper: TypeAlias = Character | Scene | Campaign
StoryKeeper: TypeAlias = Scene | Campaign


def find_plays(state: Keeper, kind: PileKind, pile_id: str) -> tuple[Play, ...] | None:
    """Return the plays of a pile, or None if there is no such pile. If the thing itself is a play, that play comes
    first.
    """
    match kind, state:
        case "action", Scene():
            action = find_action(state, pile_id)
            return action.plays if action is not None else None
        case "hit", Scene():
            return state.damage.get(pile_id, Damage()).plays if pile_id in state.hits else None
        case "initiative", Scene():
            return state.initiative.plays.get(pile_id, ())
        case "coming", Scene():
            return state.initiative.waiting.get(pile_id, ())
        case "story", Scene() | Campaign():
            return state.story[pile_id].plays if pile_id in state.story else None
        case "healing", Character():
            return state.healing.plays if state.healing is not None and state.healing.id == pile_id else None
        case _:
            return None


_with_story_plays = changing(StoryPart, "plays")


def with_plays(state: Keeper, kind: PileKind, pile_id: str, plays: tuple[Play, ...]) -> Keeper | None:
    match kind, state:
        case "action", Scene():
            action = find_action(state, pile_id)
            return put_action(state, changed(action, plays=plays)) if action is not None else None
        case "hit", Scene():
            return recount_hit(state, pile_id, plays)
        case "initiative" | "coming", Scene():
            return with_initiative_plays(state, pile_id, plays, is_waiting=kind == "coming")
        case "story", Scene() | Campaign():
            return with_story(state, pile_id, _with_story_plays(state.story[pile_id], plays))
        case "healing", Character(healing=Healing() as healing):
            return changed(state, healing=changed(healing, plays=plays))
        case _:
            return None


def with_story(state: StoryKeeper, change_id: str, part: StoryPart) -> StoryKeeper:
    return changed(state, story={**state.story, change_id: part})


def lay_play(state: Keeper, kind: PileKind, pile_id: str, play: Play) -> Keeper | None:
    plays = find_plays(state, kind, pile_id)
    return with_plays(state, kind, pile_id, (*plays, play)) if plays is not None else None


def recount_hit(state: Scene, hit_id: str, plays: tuple[Play, ...]) -> Scene | None:
    """Return the scene with these plays on a hit's dice, and the hit counted again."""
    hit = state.hits.get(hit_id)
    if hit is None:
        return None
    damage = changed(state.damage.get(hit_id, Damage()), plays=plays)
    if hit.stage == "scored":  # nothing is rolled yet
        return changed(state, damage={**state.damage, hit_id: damage})
    return _with_hit_counted(state, hit, hit_id, damage, hit.stage)


_with_points = changing(Hit, "resistible", "unresistible", "stage")
_with_hits_and_damage = changing(Scene, "hits", "damage")


def _with_hit_counted(state: Scene, hit: Hit, hit_id: str, damage: Damage, stage: str) -> Scene:
    resistible, unresistible = count_damage(damage)
    counted_hit = _with_points(hit, resistible, unresistible + hit.flat, stage)
    return _with_hits_and_damage(state, {**state.hits, hit_id: counted_hit}, {**state.damage, hit_id: damage})


def with_initiative_plays(state: Scene, char_id: str, plays: tuple[Play, ...], *, is_waiting: bool) -> Scene:
    """Return the scene with these plays on initiative dice, either of the next roll or of the last roll, whose order is
    worked out again.
    """
    initiative = state.initiative
    if is_waiting:
        return changed(state, initiative=changed(initiative, waiting={**initiative.waiting, char_id: plays}))
    return with_order(state, changed(initiative, plays={**initiative.plays, char_id: plays}))


_with_order = changing(Scene, "order", "initiative")


def with_order(state: Scene, initiative: Initiative) -> Scene:
    return _with_order(state, list_groups(state.cast, compute_standings(initiative)), initiative)
