"""The order of actions, the actions in a turn, resting and moving (headings "Initiative", "Recovery", "Movement")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Annotated

from ledger.rules.kernel.kit import (
    GM,
    Among,
    Asking,
    CharacterId,
    Entries,
    Names,
    Reason,
    RecordedFacts,
    Refusal,
    Refused,
    Roll,
    Says,
    SceneId,
    Seen,
    Some,
    Thrown,
    changed,
    changes,
    changing,
    character,
    decides,
    declares,
    either,
    fact,
    format_count,
    guards,
    offers,
    reports,
    require,
    rule,
    throws,
)
from ledger.rules.kernel.kit import Move as OfferedMove
from ledger.rules.moc import cards, holdings, piles, words
from ledger.rules.moc.dice import check_faces, check_pool, show_dice
from ledger.rules.moc.draft import DAZED, Draft, acts, nobody_acts
from ledger.rules.moc.shown import get_offering, group_ids
from ledger.rules.moc.state import Character, Initiative, Scene
from ledger.rules.moc.types import AnyPrimary, DiceOfPeople, MovementMode

REST = rule(
    "moc.recover.action",
    "A full action of rest removes an amount of pain equal to the character's Toughness, unless something "
    "interrupts the rest before the character's next action.",
    "Recovery",
    step="Pain falls from {pain} to {out}.",
)
SCENE_RECOVERY = rule(
    "moc.recover.scene",
    "At the end of a scene, a character loses 1 fatigue. A character without fatigue gets a token back instead.",
    "Recovery",
)
POOL_FULL = Refusal(
    SCENE_RECOVERY, "pool-full", "{character} cannot have more than {most:token|tokens} of {primary} now."
)
INITIATIVE = rule(
    "moc.combat.initiative",
    "Each character involved rolls Body plus Speed. The character with the most successes acts first. If "
    "they are tied, the one with the higher total on the dice goes first. If the totals are equal too, they"
    " act at the same time.",
    "Initiative",
    step="{character} rolls {dice:die|dice}. Successes and total: {out}.",
)
NO_ACTION_LEFT = Refusal(
    INITIATIVE, "no-action-left", "{character} has {left:half action|half actions} left this turn, which is not enough."
)


def say_action_used(fact: ActionTaken, names: Names) -> str:
    return f"{words.say_subject(names)} has used {'half' if fact.halves == 1 else 'all'} of this turn's action."


@fact("action-taken", says=say_action_used)
class ActionTaken:
    """A character used all or half of their action for the turn. `halves`: how many of the action's two halves have
    been used so far.
    """

    scene: SceneId
    turn: int
    halves: int


@changes
def note_action(state: Character, fact: ActionTaken) -> Character:
    return _with_halves(state, fact.scene, fact.turn, fact.halves)


_with_halves = changing(Character, "acted_scene", "acted_turn", "acted_halves")


@fact("recovery-pre-empted", says="{subject}'s recovery is interrupted by {reason}.")
class RecoveryPreEmpted:
    """A character's rest was interrupted."""

    reason: Reason


@changes
def break_rest_off(state: Character, fact: RecoveryPreEmpted) -> Character:
    return changed(state, recovering=False)


#: The halves of a turn's action.
FULL, HALF = 2, 1


def counts_actions(draft: Draft, char_id: str) -> bool:
    """Return whether the character's actions are counted. Actions are counted for all characters in initiative, unless
    an option leaves counting to the table.
    """
    if draft.table.scene is None or draft.dials.turn_actions == "table":
        return False
    return any(char_id in group for group in draft.get_scene().order)


def has_acted(draft: Draft, state: Character) -> bool:
    """Return whether the character has used at least half of this turn's action."""
    place = draft.table.scene
    return place is not None and (state.acted_scene, state.acted_turn) == (place.id, draft.state(place, Scene).turn)


def count_halves_left(draft: Draft, char_id: str) -> int:
    """Return how many halves of the turn's action are left. A character who rests still has both halves, because
    another action can replace the rest.
    """
    state = draft.get_character(char_id)
    if not counts_actions(draft, char_id) or not has_acted(draft, state) or state.recovering:
        return FULL
    return max(0, FULL - state.acted_halves)


@guards
def may_spend_action(draft: Draft, char_id: str, half_count: int) -> Refused | None:
    """Refuse an action that needs more halves than are left."""
    halves_left = count_halves_left(draft, char_id)
    return NO_ACTION_LEFT(character=char_id, left=halves_left) if half_count > halves_left else None


@guards
def may_try_action(draft: Draft, char_id: str) -> Refused | None:
    """Refuse an action of a dazed character, who loses the next action."""
    return NEXT_ACTION_LOST(character=char_id) if draft.get_character(char_id).dazed else None


def spend_action(draft: Draft, char_id: str, half_count: int) -> None:
    """Spend halves of the turn's action, if actions are counted."""
    require(may_spend_action(draft, char_id, half_count))
    if counts_actions(draft, char_id):
        _note_halves_used(draft, char_id, FULL - count_halves_left(draft, char_id) + half_count)


def _note_halves_used(draft: Draft, char_id: str, used_count: int) -> None:
    place = draft.get_place()
    draft.about(char_id, ActionTaken(place.id, draft.get_scene().turn, used_count))
    draft.by(INITIATIVE, used_count, character=char_id, most=FULL)


def begin_action(draft: Draft, char_id: str, half_count: int, reason: str) -> None:
    """Spend an action. The action completes a rest of an earlier turn, and interrupts a rest of this turn.

    Refuses `no-action-left`.
    """
    state = draft.get_character(char_id)
    has_waited = bool(state.acted_scene) and draft.table.scene is not None and not has_acted(draft, state)
    spend_action(draft, char_id, half_count)
    if state.recovering and has_waited and draft.dials.turn_actions == "kept":
        finish_rest(draft, char_id, None)
    else:
        interrupt_rest(draft, char_id, reason)


def interrupt_rest(draft: Draft, char_id: str, reason: str) -> None:
    if draft.get_character(char_id).recovering:
        draft.about(char_id, RecoveryPreEmpted(reason))
        draft.by(REST, False, character=char_id)


# --- rest -------------------------------------------------------------------------------------------------------------


@fact("recovery-declared", says="{subject} spends the action recovering.")
class RecoveryDeclared:
    """A character began to spend a full action recovering."""


@changes
def begin_rest(state: Character, fact: RecoveryDeclared) -> Character:
    return changed(state, recovering=True, harm=None)


@fact("recovery-completed", says="{subject} loses {pain:point|points} of pain.", headline=37)
class RecoveryCompleted:
    """A character rested. `pain`: how much pain the rest removed."""

    pain: int


@changes
def complete_rest(state: Character, fact: RecoveryCompleted) -> Character:
    return changed(state, recovering=False, pain=max(0, state.pain - fact.pain), harm=None, healing=None)


def say_due(fact: SceneRecoveryDue, names: Names) -> str:
    times_words = {1: "once", 2: "twice"}.get(fact.steps, f"{fact.steps} times")
    return f"{words.say_subject(names)} {f'can recover {times_words}' if fact.steps else 'cannot recover again'}."


@fact("scene-recovery-due", says=say_due)
class SceneRecoveryDue:
    """A character can take steps of recovery. `steps`: how many."""

    steps: int


@changes
def set_due(state: Character, fact: SceneRecoveryDue) -> Character:
    return changed(state, due=fact.steps)


@fact(
    "scene-recovery-taken",
    says=words.whether("primary", "{subject} gets back a token of {primary}.", "{subject} loses a level of fatigue."),
    headline=36,
)
class SceneRecoveryTaken:
    """A character recovered after a scene. `primary`: the pool that got a token back; empty if a level of fatigue was
    removed instead.
    """

    fatigue: int
    primary: AnyPrimary = ""


@changes
def recover_step(state: Character, fact: SceneRecoveryTaken) -> Character:
    return changed(
        state, fatigue=max(0, state.fatigue - fact.fatigue), due=max(0, state.due - 1), harm=None, healing=None
    )


def declare_rest(draft: Draft, char_id: str) -> None:
    """Begin a rest, which takes the whole action. Refuses `no-action-left`."""
    counted_actions = counts_actions(draft, char_id)
    spend_action(draft, char_id, FULL)
    draft.about(char_id, RecoveryDeclared())
    if not counted_actions and draft.table.scene is not None and draft.dials.turn_actions == "kept":
        _note_halves_used(draft, char_id, FULL)
    draft.by(REST, "declared", character=char_id)


def is_rest_over(draft: Draft, char_id: str) -> bool:
    """Return whether the turn of the rest is over."""
    return draft.dials.turn_actions == "table" or not has_acted(draft, draft.get_character(char_id))


def count_most_tokens(state: Character, primary: str) -> int:
    """Return how many tokens of a Primary a character can have now."""
    return min(state.ratings[primary], words.MOST_DAMAGE - state.damage)


@guards
def may_regain_token(draft: Draft, char_id: str, primary: str) -> Refused | None:
    most_tokens = count_most_tokens(draft.get_character(char_id), primary)
    if draft.balance(holdings.name_token_account(char_id, primary)) >= most_tokens:
        return POOL_FULL(character=char_id, primary=primary, most=most_tokens)
    return None


def finish_rest(draft: Draft, char_id: str, primary: str | None) -> None:
    """Complete the rest, which removes pain. If an option says so, also take a step of recovery."""
    state = draft.get_character(char_id)
    draft.about(char_id, RecoveryCompleted(state.ratings["T"]))
    draft.by(REST, max(0, state.pain - state.ratings["T"]), pain=state.pain)
    if draft.dials.action_recovery_also_restores and (state.fatigue or primary is not None):
        if state.due:  # an extra step of recovery
            draft.about(char_id, SceneRecoveryDue(state.due + 1))
        take_recovery_step(draft, char_id, primary)


def take_recovery_step(draft: Draft, char_id: str, primary: str | None) -> None:
    """Take a step of recovery. Refuses `nothing-declared`, `pool-full`."""
    state = draft.get_character(char_id)
    if state.fatigue > 0:
        draft.about(char_id, SceneRecoveryTaken(1))
        draft.by(SCENE_RECOVERY, state.fatigue - 1, fatigue=True)
        return
    if primary is None:
        raise words.NOTHING_DECLARED.under(SCENE_RECOVERY, character=char_id)
    primary_read = words.read_primary(primary, SCENE_RECOVERY)
    require(may_regain_token(draft, char_id, primary_read))
    posting = holdings.make_posting(holdings.TOKENS, holdings.name_token_account(char_id, primary_read), 1)
    draft.about(char_id, SceneRecoveryTaken(0, primary_read), posting)
    draft.by(SCENE_RECOVERY, primary_read, most=count_most_tokens(state, primary_read))


def say_order(fact: InitiativeRolled, names: Names) -> str:
    group_texts = (f"{words.say_people(names, group)}{' together' if len(group) > 1 else ''}" for group in fact.groups)
    return f"The order is {', then '.join(group_texts)}."


@fact("initiative-rolled", says=say_order, headline=16)
class InitiativeRolled:
    """Initiative was rolled. `groups`: the order of the characters, with characters who act at the same time in one
    group. `results`: each character's successes and total, including cards played before the roll. `tn`, `faces`,
    `bonus`: stored so that the order can be worked out again if a card is played or a ruling is overturned.
    """

    groups: tuple[tuple[CharacterId, ...], ...]
    results: Mapping[CharacterId, tuple[int, int]]
    tn: int
    faces: Mapping[CharacterId, tuple[int, ...]]
    bonus: Mapping[CharacterId, tuple[int, ...]]


@changes
def order_by_initiative(state: Scene, fact: InitiativeRolled) -> Scene:
    return piles.with_order(state, Initiative(fact.tn, fact.faces, fact.bonus, state.initiative.waiting))


@nobody_acts
@declares("roll-initiative", GM, says="Initiative is rolled.", records=(InitiativeRolled,))
class RollInitiative:
    """Roll initiative. `faces`, `bonus`: the dice of each character whose dice you enter. Players are asked for the
    dice of the other characters.

    `involved`: the characters who take part in the fight. Leave it out for everybody in the scene.
    """

    faces: DiceOfPeople = field(default_factory=dict)
    bonus: DiceOfPeople = field(default_factory=dict)
    involved: Annotated[
        tuple[CharacterId, ...], Says("Who is involved", "Leave it out for everybody in the scene.")
    ] = ()


@decides
def roll_initiative(draft: Draft, do: RollInitiative) -> Asking[None]:
    """Roll initiative: the most successes first, then the highest sum. Characters who are still tied act together."""
    scene = draft.get_scene()
    present_ids = (
        char_id
        for char_id in scene.cast
        if draft.table.has(character(char_id)) and draft.get_character(char_id).status not in words.GONE
    )
    dice_counts = {char_id: draft.count_initiative_dice(char_id) for char_id in present_ids}
    if not dice_counts:
        raise words.NOTHING_DECLARED.under(INITIATIVE)
    for char_id in do.involved:
        if char_id not in dice_counts:
            raise UNKNOWN_CHARACTER(character=char_id)
    if do.involved:  # including characters with plays on this roll
        involved_ids = {*do.involved, *scene.initiative.waiting, *scene.initiative.dice}
        dice_counts = {char_id: count for char_id, count in dice_counts.items() if char_id in involved_ids}
    for char_id in {**do.faces, **do.bonus}:
        if char_id not in dice_counts:
            raise UNKNOWN_CHARACTER(character=char_id)
        if char_id in do.faces or do.bonus[char_id]:
            check_pool(dice_counts[char_id], do.faces.get(char_id, ()), do.bonus.get(char_id, ()))
    faces: dict[str, tuple[int, ...]] = {}
    bonus: dict[str, tuple[int, ...]] = {}
    results: dict[str, tuple[int, int]] = {}
    tn = max(draft.dials.tn_floor, words.STANDARD_TN)
    for char_id, count in dice_counts.items():
        typed_faces = do.faces.get(char_id)
        faces[char_id], bonus[char_id] = yield from draft.ask_pool(
            char_id, count, typed_faces, do.bonus.get(char_id, ()), "initiative"
        )
        results |= piles.compute_standings(Initiative(tn, {char_id: faces[char_id]}, bonus, scene.initiative.waiting))
        draft.by(INITIATIVE, list(results[char_id]), character=char_id, dice=count)
    draft.here(InitiativeRolled(piles.list_groups(dice_counts, results), results, tn, faces, bonus))


@throws
def list_initiative_typed(do: RollInitiative, log: RecordedFacts) -> Iterator[Thrown]:
    for char_id, faces in do.faces.items():
        yield Thrown(character(char_id), 10, check_faces((*faces, *do.bonus.get(char_id, ())), 10))


@reports
def report_initiative(fact: InitiativeRolled) -> Iterator[Roll]:
    for char_id, faces in fact.faces.items():
        success_count, total = fact.results.get(char_id, (0, 0))
        effect = format_count(success_count, "success", "successes")
        dice = show_dice(faces, fact.bonus.get(char_id, ()))
        yield Roll(character(char_id), "Initiative", dice, total=total, target=fact.tn, effect=effect)


@offers
def offer_initiative(seen: Seen, draft: Draft) -> Iterator[OfferedMove]:
    """Offer to roll initiative. The dice are asked for or, for some characters, typed; typed dice contain no 10."""
    offering = get_offering(seen, draft)
    cast = offering.scene.cast if offering.scene is not None else ()
    dice_counts = {char_id: draft.count_initiative_dice(char_id) for char_id in cast if char_id in offering.active_ids}
    if dice_counts:
        faces_domain = Entries({char_id: cards.make_typed_dice_domain(n) for char_id, n in dice_counts.items()})
        yield OfferedMove(RollInitiative, {"faces": faces_domain})
        yield OfferedMove(RollInitiative, {"involved": Some(Among(tuple(dice_counts)), 1)})


MOVING = rule(
    "moc.move.rate",
    "Each turn, a character can move a number of metres equal to Body plus twice Speed. With a secondary "
    "form of movement, it is Body plus Speed.",
    "Movement",
    step="The move is {out} metres.",
)
UNKNOWN_MOVEMENT_MODE = Refusal(MOVING, "unknown-movement-mode", "{character} cannot move that way[: {mode}].")
NEXT_ACTION_LOST = Refusal(DAZED, "next-action-lost", "{character} is dazed and loses the next action.")


def say_moved(fact: MovementMade, names: Names) -> str:
    mode_words = "" if fact.mode in ("primary", "secondary") else f" by {fact.mode}"
    if fact.penalty:
        return words.say_with(
            f"{words.say_subject(names)} fumbles the move of {fact.metres} metres{mode_words}", fact.penalty
        )
    return f"{words.say_subject(names)} moves {fact.metres} metres{mode_words}."


@fact("movement-made", says=say_moved, headline=35)
class MovementMade:
    """A character moved. `penalty`: the consequence of a fumbled move. `dodge`: by how much a fumble reduces the number
    of successes that the character can cancel until the turn ends.
    """

    mode: MovementMode
    metres: int
    penalty: Reason = ""
    dodge: int = 0


@changes
def note_fumble(state: Character, fact: MovementMade) -> Character:
    return changed(state, dodge=fact.dodge) if state.dodge != fact.dodge else state


def compute_rates(draft: Draft, char_id: str) -> dict[str, int]:
    """Return how many metres per turn the character can move, for each way of moving."""
    state = draft.get_character(char_id)
    body, speed = state.ratings.get("body", 1), state.ratings.get("Sp", 1)
    return {"primary": 2 * speed + body, "secondary": speed + body, **holdings.MOVEMENT.find_levels(state.counts)}


def read_metres(draft: Draft, char_id: str, mode: str) -> int:
    """Return how many metres per turn the character can move in this way. Refuses `unknown-movement-mode`."""
    metres = compute_rates(draft, char_id).get(mode)
    if metres is None:
        raise UNKNOWN_MOVEMENT_MODE(character=char_id, mode=mode)
    return metres


def say_moving(do: Move, names: Names) -> str:
    mode_words = "" if do.mode in ("primary", "secondary") else f" by {do.mode}"
    return f"{words.say_who(names, do.character)} moves{mode_words}."


@acts("character")
@declares(
    "move",
    either("character"),
    says=say_moving,
    records=(MovementMade, ActionTaken, RecoveryPreEmpted, RecoveryCompleted, SceneRecoveryDue, SceneRecoveryTaken),
)
class Move:
    """Move without a roll, and do nothing else. `mode`: the way of moving: primary, secondary, or the name of one that
    the character bought.
    """

    character: CharacterId
    mode: MovementMode = "primary"


@decides
def move(draft: Draft, do: Move) -> None:
    require(may_try_action(draft, do.character))
    metres = read_metres(draft, do.character, do.mode)
    begin_action(draft, do.character, FULL, "a move")
    draft.about(do.character, MovementMade(do.mode, metres))
    draft.by(MOVING, metres, mode=do.mode)


@offers
def offer_movement(seen: Seen, draft: Draft) -> Iterator[OfferedMove]:
    offering = get_offering(seen, draft)
    able_ids = (char_id for char_id in offering.active_ids if may_try_action(draft, char_id) is None)
    moving_ids = tuple(char_id for char_id in able_ids if may_spend_action(draft, char_id, FULL) is None)
    for modes, ids in group_ids(
        (char_id, tuple(compute_rates(offering.draft, char_id))) for char_id in moving_ids
    ).items():
        yield OfferedMove(Move, {"character": Among(ids), "mode": Among(modes)})


UNKNOWN_CHARACTER = Refusal(
    INITIATIVE, "unknown-character", "[{character} is not in the scene][There is no such character: {subject}]."
)
