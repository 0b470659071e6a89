"""What facts change in actions and hands, and which plays are on which, in the order in which they were played.

Everything that can be trumped works the same way. A pile belongs to an action (and its roll), a hit (damage and
resisting), initiative (`initiative` for the last roll, `coming` for the next), healing, or part of the story.
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


#: How many actions a shelf holds.
SHELF = 64
_with_actions = changing(Scene, "actions")
_with_older = changing(Scene, "older")


def put_action(state: Scene, action: Action | None) -> Scene | None:
    """Return the scene with the action in its place, or as its latest one; None without an action."""
    if action is None:
        return None
    if action.id in state.actions or (not state.older and len(state.actions) < SHELF):
        return _with_actions(state, {**state.actions, action.id: action})
    for place, shelf in enumerate(state.older):
        if action.id in shelf:
            return _with_older(state, (*state.older[:place], {**shelf, action.id: action}, *state.older[place + 1 :]))
    if len(state.actions) < SHELF:
        return _with_actions(state, {**state.actions, action.id: action})
    return changed(state, older=(*state.older, state.actions), actions={action.id: action})


def with_part(action: Action | None, place: int, **new: Any) -> Action | None:
    """Return the action with changes in one part; None if there is no such part."""
    if action is None or not 0 <= place < len(action.parts):
        return None
    return with_part_in_place(action, place, changed(action.parts[place], **new))


_with_parts = changing(Action, "parts")


def with_part_in_place(action: Action, place: int, part: Part) -> Action:
    parts = action.parts
    return _with_parts(action, (part,) if len(parts) == 1 else (*parts[:place], part, *parts[place + 1 :]))


def find_part(state: Scene, id: str, place: int) -> tuple[Action, Part] | None:
    action = state.actions.get(id) or find_action(state, id)
    return (action, action.parts[place]) if action is not None and 0 <= place < len(action.parts) else None


def add_dice(state: Scene, id: str, place: int, number: int) -> Scene | None:
    action = find_action(state, id)
    return put_action(state, with_dice(action, place, number)) if action is not None else None


def with_dice(action: Action, place: int, dice: int) -> Action | None:
    """Return the action with more dice for one part, or (below 0) for the whole pool."""
    if place < 0:
        return changed(action, dice=action.dice + dice)
    if place >= len(action.parts):
        return None
    return with_part(action, place, extra=action.parts[place].extra + dice)


_with_plays = changing(Action, "plays")


def find_stage(parts: Iterable[Part]) -> str:
    """Return `closed` when no part is left to resolve."""
    return "open" if any(part.stage == "declared" for part in parts) else "closed"


def with_play(state: Scene, id: str, play: Play) -> Scene | None:
    """Return the scene with a play on an action."""
    action = find_action(state, id)
    return put_action(state, _with_plays(action, (*action.plays, play))) if action is not None else None


with_hand = changing(Character, "hand")


def gain_beads(state: Character | None, beads: Mapping[str, int]) -> Character | None:
    """Return the character with beads beyond the allocated ones."""
    if state is None:
        return None
    return changed(
        state, gained={**state.gained, **{element: state.gained.get(element, 0) + n for element, n in beads.items()}}
    )


def use_up(state: Character, what: str, number: int) -> Character:
    return changed(state, used={**state.used, what: state.used.get(what, 0) + number})


def without_card(state: Character, card: str) -> Character | None:
    """Return the character without a card of the hand; None if it is not there."""
    if card not in state.hand:
        return None
    place = state.hand.index(card)
    return with_hand(state, (*state.hand[:place], *state.hand[place + 1 :]))


# --- piles ------------------------------------------------------------------------------------------------------------


def read_dice(base: Sequence[int], bonus: Sequence[int]) -> tuple[int, ...]:
    """Return the natural values of all dice. A 1 on a bonus die counts as 2."""
    return (*base, *[max(2, face) for face in bonus]) if bonus else tuple(base)


PileKind: TypeAlias = Literal["action", "hit", "initiative", "coming", "healing", "story"]


#: The names of dice that can be trumped.
ROLLS = ("roll", "damage", "resisting", "initiative", "healing")
#: Dice by the kind of roll, in sentences.
DICE_OF = {
    "roll": "roll",
    "damage": "damage",
    "resisting": "resistance",
    "initiative": "initiative",
    "healing": "healing",
    "dice": "roll",
}


def say_play(play: Play) -> str:
    """Return what is played: a card, beads or a chip."""
    if play.kind == "card":
        return say_card(play.card)
    return say_beads({play.element: play.number}) if play.kind == "beads" else f"a {play.colour} chip"


def is_effective(plays: Iterable[Play], play: Play) -> bool:
    """Return whether nothing effective is on the play, and the game master has not cancelled it."""
    if play.fiat:
        return False
    lying = tuple(plays)
    return not any(other.on == play.id and is_effective(lying, other) for other in lying)


def list_effective(plays: Iterable[Play]) -> tuple[Play, ...]:
    """Return the effective plays."""
    lying = tuple(plays)
    if not any(play.on or play.fiat for play in lying):
        return lying
    return tuple(play for play in lying if is_effective(lying, play))


def find_top(plays: tuple[Play, ...], on: str, place: int) -> Play | None:
    """Return the top play of the stack on a play or on a part's roll; None for a bare roll."""
    top = next((play for play in plays if play.id == on), None)
    while True:
        under = top.id if top is not None else on
        above = [
            play for play in plays if play.on == under and not play.fiat and (top is not None or play.part == place)
        ]
        if not above:
            return top
        top = above[-1]


def is_roll_trumped(plays: Iterable[Play], roll: str = "roll", place: int = 0) -> bool:
    """Return whether the dice themselves are cancelled."""
    lying = tuple(plays)
    return any(play.on == roll and play.part == place and is_effective(lying, play) for play in lying)


DAMAGE_DICE, RAISE_DICE = 0, 1


def raise_dice(base: Iterable[int], bonus: Iterable[int], plays: Iterable[Play], part: int = 0) -> tuple[int, ...]:
    """Return the dice with the points of cards on them: base dice first, then bonus dice.

    Points on a die that did not fall are lost. Points never add bonus dice; only natural 10s do.
    """
    values = list(read_dice(tuple(base), tuple(bonus)))
    for play in list_effective(plays):
        for where, die, points in play.points:
            if where == part and 0 <= die < len(values):
                values[die] += points
    return tuple(values)


def sum_added(plays: Iterable[Play]) -> int:
    """Return the successes that beads add or remove."""
    return sum(play.successes for play in list_effective(plays) if play.kind == "beads")


def count_damage(damage: Damage) -> tuple[int, int]:
    """Return the points of the damage dice and of the raise dice: one for each die at the threshold."""
    if is_roll_trumped(damage.plays, "damage"):
        return 0, 0
    laid = [play for play in list_effective(damage.plays) if play.use == "damage"]
    rolled = raise_dice(damage.faces, damage.bonus, laid, DAMAGE_DICE)
    raises = raise_dice(damage.raise_faces, damage.raise_bonus, laid, RAISE_DICE)
    more = sum_added(play for play in damage.plays if play.use != "resisting")
    return max(0, _count_reaching(rolled, damage.threshold) + more), _count_reaching(raises, damage.threshold)


def _count_reaching(values: Iterable[int], number: int) -> int:
    return sum(1 for value in values if value >= number)


def count_resisted(
    resisting: Resisting, plays: Iterable[Play], resistible: int, *, tens_take_all: bool
) -> tuple[int, int]:
    """Return the points that become pain, and the points that dice remove."""
    lying = tuple(plays)
    if is_roll_trumped(lying, "resisting"):
        return 0, 0
    laid = [play for play in list_effective(lying) if play.use == "resisting"]
    values, ignored = raise_dice(resisting.faces, resisting.bonus, laid), resisting.ignored
    conversions = sum(1 for die, value in enumerate(values) if die not in ignored and value >= resisting.tn)
    conversions = max(0, conversions + sum_added(play for play in lying if play.use != "damage"))
    return conversions, max(len(ignored), resistible) if ignored and tens_take_all else len(ignored)


def count_healed(healing: Healing) -> int:
    """Return the successes of a healing roll."""
    if is_roll_trumped(healing.plays, "healing"):
        return 0
    return max(
        0,
        _count_reaching(raise_dice(healing.faces, healing.bonus, healing.plays), healing.tn) + sum_added(healing.plays),
    )


def list_standings(initiative: Initiative) -> dict[str, tuple[int, int]]:
    """Return (successes, sum of the dice) by character."""
    results = {}
    for id, faces in initiative.faces.items():
        lying = initiative.plays.get(id, ())
        if is_roll_trumped(lying, "initiative"):
            results[id] = (0, 0)
            continue
        values = raise_dice(faces, initiative.bonus.get(id, ()), lying)
        results[id] = (max(0, _count_reaching(values, initiative.tn) + sum_added(lying)), sum(values))
    return results


def list_groups(cast: Iterable[str], results: Mapping[str, tuple[int, int]]) -> tuple[tuple[str, ...], ...]:
    """Return who acts together, from first to last."""
    present = [id for id in cast if id in results]
    places = sorted(set(results.values()), reverse=True)
    return tuple(group for place in places if (group := tuple(id for id in present if results[id] == place)))


def count_bead_dice(action: Action, place: int) -> int:
    """Return the dice that effective beads add to a part."""
    return sum(play.dice for play in action.plays if play.part == place and is_effective(action.plays, play))


#: States that have piles, and those that have a story.
Keeper: TypeAlias = Character | Scene | Campaign
Place: TypeAlias = Scene | Campaign


def find_plays(state: Keeper, kind: PileKind, id: str) -> tuple[Play, ...] | None:
    """Return the plays of a pile, None if there is no such pile. If the thing is itself a play, it comes first."""
    match kind, state:
        case "action", Scene():
            action = find_action(state, id)
            return action.plays if action is not None else None
        case "hit", Scene():
            return state.damage.get(id, Damage()).plays if id in state.hits else None
        case "initiative", Scene():
            return state.initiative.plays.get(id, ())
        case "coming", Scene():
            return state.initiative.waiting.get(id, ())
        case "story", Scene() | Campaign():
            return state.story[id].plays if id in state.story else None
        case "healing", Character():
            return state.healing.plays if state.healing is not None and state.healing.id == id else None
        case _:
            return None


_telling = changing(StoryPart, "plays")


def with_plays(state: Keeper, kind: PileKind, id: str, plays: tuple[Play, ...]) -> Keeper | None:
    match kind, state:
        case "action", Scene():
            action = find_action(state, id)
            return put_action(state, changed(action, plays=plays)) if action is not None else None
        case "hit", Scene():
            return count_hit_again(state, id, plays)
        case "initiative" | "coming", Scene():
            return with_initiative_plays(state, id, plays, waits=kind == "coming")
        case "story", Scene() | Campaign():
            return with_story(state, id, _telling(state.story[id], plays))
        case "healing", Character(healing=Healing() as healing):
            return changed(state, healing=changed(healing, plays=plays))
        case _:
            return None


def with_story(state: Place, id: str, part: StoryPart) -> Place:
    return changed(state, story={**state.story, id: part})


def lay_play(state: Keeper, kind: PileKind, id: str, play: Play) -> Keeper | None:
    plays = find_plays(state, kind, id)
    return with_plays(state, kind, id, (*plays, play)) if plays is not None else None


def count_hit_again(state: Scene, id: str, plays: tuple[Play, ...]) -> Scene | None:
    """Return the scene with these plays on a hit's dice, and the hit counted again."""
    hit = state.hits.get(id)
    if hit is None:
        return None
    dice = changed(state.damage.get(id, Damage()), plays=plays)
    if hit.stage == "scored":  # nothing is rolled yet
        return changed(state, damage={**state.damage, id: dice})
    return _count_hit(state, hit, id, dice, hit.stage)


_pointed = changing(Hit, "resistible", "unresistible", "stage")
_counting = changing(Scene, "hits", "damage")


def _count_hit(state: Scene, hit: Hit, id: str, dice: Damage, stage: str) -> Scene:
    resistible, unresistible = count_damage(dice)
    now = _pointed(hit, resistible, unresistible + hit.flat, stage)
    return _counting(state, {**state.hits, id: now}, {**state.damage, id: dice})


def with_initiative_plays(state: Scene, id: str, plays: tuple[Play, ...], *, waits: bool) -> Scene:
    """Return the scene with these plays on initiative dice: of the next roll, or of the last, whose order is worked
    out again.
    """
    before = state.initiative
    if waits:
        return changed(state, initiative=changed(before, waiting={**before.waiting, id: plays}))
    return with_order(state, changed(before, plays={**before.plays, id: plays}))


_ordering = changing(Scene, "order", "initiative")


def with_order(state: Scene, now: Initiative) -> Scene:
    return _ordering(state, list_groups(state.cast, list_standings(now)), now)
