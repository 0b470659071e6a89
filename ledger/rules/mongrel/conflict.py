"""A conflict: its participants, their order, and its end. Heading: Complex task resolution, 1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from ledger.rules.kernel.kit import (
    GM,
    Among,
    Asking,
    CharacterId,
    CloseScene,
    Fell,
    Move,
    Names,
    Question,
    Reason,
    Refusal,
    Refused,
    Says,
    SceneId,
    Seen,
    Some,
    Subject,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    flip,
    offers,
    require,
    rule,
    scene,
)
from ledger.rules.mongrel import acting, clock
from ledger.rules.mongrel.draft import Draft, check_once
from ledger.rules.mongrel.sight import Sight, get_sight
from ledger.rules.mongrel.state import Conflict, Scene, in_its_conflict, remove_from_queue
from ledger.rules.mongrel.terms import word_order

ORDER = rule(
    "mongrel.conflict.order",
    "The participants in a conflict act in order of their Beast scores, highest first. Ties are decided by Man,"
    " then by Demon, then by a coin flip. Until the conflict ends or a game master takes them out of it,"
    " participants act only in this order, and cannot do anything that takes minutes or hours.",
    "Complex task resolution",
    outcome="character",
)

ASK_COIN = Question("order", "Flip a coin to decide who acts first.")

# --- opening ---------------------------------------------------------------------------------------------------------

ALREADY_IN_CONFLICT = Refusal(
    ORDER,
    "already-in-conflict",
    "{character} is already in a conflict.",
)
CONFLICT_OPEN = Refusal(
    ORDER,
    "conflict-open",
    "This scene already has an open conflict. Characters can join it.",
)
NO_PARTICIPANTS = Refusal(
    ORDER,
    "no-participants",
    "A conflict needs at least one participant.",
)
TIE_NEEDS_COIN = Refusal(
    ORDER,
    "tie-needs-coin",
    "{tied} are completely tied. Add a coin flip to decide between them.",
)


def say_order(fact: ConflictOpened, names: Names) -> str:
    """Put into words who acts first, and who follows."""
    return f"The conflict begins. The order is {word_order(fact.queue, names)}."


@fact("conflict-opened", says=say_order)
class ConflictOpened:
    """A conflict began. `queue`: the order of the participants."""

    queue: tuple[CharacterId, ...]


@changes
def begin_conflict(state: Scene, fact: ConflictOpened) -> Scene:
    queue = tuple(dict.fromkeys(fact.queue))
    return changed(state, conflict=Conflict(queue, queue))


@fact("coin-flipped", says="The coin decides that {first} goes before {second}.", changes=None)
class CoinFlipped:
    """A coin decided which of two tied characters goes first."""

    first: CharacterId
    second: CharacterId


@dataclass(frozen=True, slots=True)
class Coin:
    """The result of a coin flip between two participants who are completely tied: `first` goes before `second`."""

    first: Annotated[CharacterId, Says("Goes first")]
    second: Annotated[CharacterId, Says("Goes second")]


@declares(
    "open-conflict",
    GM,
    says="A conflict begins with {participants}.",
    records=(ConflictOpened, CoinFlipped, clock.RecoveryEnded),
)
class OpenConflict:
    """Open a conflict and set the order of actions.

    `coins`: the coin flips between participants who are completely tied. Leave them out to be asked for them.
    """

    participants: tuple[CharacterId, ...]
    coins: tuple[Annotated[Coin, Fell(die=False)], ...] | None = None


@decides
def open_conflict(draft: Draft, do: OpenConflict) -> Asking[None]:
    """Open a conflict. The order is by Beast, then Man, then Demon, highest first; a coin decides complete ties."""
    place = draft.place()
    if draft.read_scene(place).conflict is not None:
        raise CONFLICT_OPEN(scene=place.id)
    check_once(do.participants, ORDER)
    for character_id in do.participants:
        require(may_join(draft, character_id))
    if not do.participants:
        raise NO_PARTICIPANTS()
    queue, coins = yield from _order_participants(draft, do.participants, do.coins)
    draft.tell(place, ConflictOpened(queue))
    for coin in coins:
        draft.tell(place, CoinFlipped(coin.first, coin.second))
    for character_id in queue:
        draft.by(ORDER, list(make_order_key(draft, character_id)), character=character_id)
        clock.end_recovery(draft, character_id)


def may_join(draft: Draft, character_id: str) -> Refused | None:
    if (refused := acting.may_be_ruled_on(draft, character_id)) is not None:
        return refused
    return ALREADY_IN_CONFLICT(character=character_id) if acting.find_strife(draft, character_id) is not None else None


def make_order_key(draft: Draft, character_id: str) -> tuple[int, int, int]:
    identity = draft.read_character(character_id).identity
    return identity.get("beast", 0), identity.get("man", 0), identity.get("demon", 0)


def _order_participants(
    draft: Draft, participant_ids: Sequence[str], coins: tuple[Coin, ...] | None
) -> Asking[tuple[tuple[str, ...], list[Coin]]]:
    """Return the order, and the coins that were flipped. Each participant is inserted before the first participant with
    lower scores. Coins decide complete ties, starting with the last of the tied participants.
    """
    queue: list[str] = []
    coins_flipped: list[Coin] = []
    for character_id in participant_ids:
        index = sum(1 for other_id in queue if make_order_key(draft, other_id) >= make_order_key(draft, character_id))
        while index > 0 and make_order_key(draft, queue[index - 1]) == make_order_key(draft, character_id):
            coin = yield from _settle_tie(draft, queue[index - 1], character_id, coins)
            coins_flipped.append(coin)
            if coin.first != character_id:
                break
            index -= 1
        queue.insert(index, character_id)
    return tuple(queue), coins_flipped


def _settle_tie(draft: Draft, first_id: str, second_id: str, coins: tuple[Coin, ...] | None) -> Asking[Coin]:
    """Return the coin flip that decides this tie. If coins were declared, it must be one of them; if it is not,
    `tie-needs-coin` is refused. Otherwise a flip is asked for, and heads means that the first participant goes first.
    """
    if coins is not None:
        for coin in coins:
            if {coin.first, coin.second} == {first_id, second_id}:
                return coin
        raise TIE_NEEDS_COIN(tied=[first_id, second_id])
    first_name, second_name = draft.table.name(character(first_id)), draft.table.name(character(second_id))
    (face,) = yield from flip(
        None, 1, slot=ASK_COIN(first_id, second_id), purpose=f"{first_name} (heads) or {second_name} (tails) goes first"
    )
    return Coin(first_id, second_id) if face == "heads" else Coin(second_id, first_id)


# --- joining and leaving ---------------------------------------------------------------------------------------------

NO_CONFLICT = Refusal(
    ORDER,
    "no-conflict",
    "There is no conflict in this scene. Open one first.",
)


@fact("participant-joined", says="{character} joins the conflict, last in the order.")
class ParticipantJoined:
    """A character joined the conflict, last in the order."""

    character: CharacterId


@changes
@in_its_conflict
def add_participant(state: Conflict, fact: ParticipantJoined) -> Conflict | None:
    if fact.character in state.queue:
        return None
    other_ids = remove_from_queue(state.participants, fact.character)
    return changed(state, participants=(*other_ids, fact.character), queue=(*state.queue, fact.character))


@declares("join-conflict", GM, says="{character} joins the conflict.", records=(ParticipantJoined,))
class JoinConflict:
    """Add a character to the conflict, at the end of the order."""

    character: CharacterId


@decides
def join_conflict(draft: Draft, do: JoinConflict) -> None:
    """Put a latecomer at the end of the order."""
    place = draft.place()
    conflict = draft.read_scene(place).conflict
    if conflict is None:
        raise NO_CONFLICT(scene=place.id)
    require(acting.may_go_on(draft, acting.Strife(place, conflict)))
    require(may_join(draft, do.character))
    draft.tell(place, ParticipantJoined(do.character))
    draft.by(ORDER, list(acting.read_conflict(draft, acting.Strife(place, conflict)).queue))


@fact("participant-left", says="{character} leaves the conflict[: {reason}].")
class ParticipantLeft:
    """A character left the conflict, because they died, retired or were taken out of it by a game master (`reason`)."""

    character: CharacterId
    reason: Reason


@changes
@in_its_conflict
def remove_participant(state: Conflict, fact: ParticipantLeft) -> Conflict | None:
    if fact.character not in state.queue:
        return None
    return changed(state, queue=remove_from_queue(state.queue, fact.character))


@fact("declaration-lapsed", says="{actor}'s declared action is cancelled.")
class DeclarationLapsed:
    """A declared action was cancelled."""

    actor: CharacterId


@changes
@in_its_conflict
def drop_action(state: Conflict, fact: DeclarationLapsed) -> Conflict | None:
    return changed(state, action=None) if state.action is not None and state.action.actor == fact.actor else None


def remove_from_conflict(draft: Draft, character_id: str, reason: str = "") -> None:
    """Take the character out of the order of its conflict, if it is in one.

    An action declared by or against them lapses, unless one is being carried out.
    """
    strife = acting.find_strife(draft, character_id)
    if strife is None or character_id not in strife.conflict.queue:
        return
    action = acting.read_conflict(draft, strife).action
    if action is not None and character_id in (action.actor, action.target) and not draft.is_under_way:
        draft.tell(strife.scene, DeclarationLapsed(action.actor))
    draft.tell(strife.scene, ParticipantLeft(character_id, reason))


@declares(
    "leave-conflict",
    GM,
    says="{character} is taken out of the conflict[: {reason}].",
    records=(DeclarationLapsed, ParticipantLeft),
)
class LeaveConflict:
    """Take a character out of the conflict, which then goes on without them."""

    character: CharacterId
    reason: Reason = ""


@decides
def leave_conflict(draft: Draft, do: LeaveConflict) -> None:
    """Take a character out of the conflict, as a game master decides. Actions declared by or against them lapse."""
    strife = acting.check_strife(draft, do.character, ORDER)
    remove_from_conflict(draft, do.character, do.reason)
    draft.by(ORDER, list(acting.read_conflict(draft, strife).queue), left=do.character)


# --- closing ---------------------------------------------------------------------------------------------------------


@fact("conflict-closed", says="The conflict is over.")
class ConflictClosed:
    """A conflict ended."""


@changes
def end_conflict(state: Scene, fact: ConflictClosed) -> Scene | None:
    return changed(state, conflict=None) if state.conflict is not None else None


@declares(
    "close-conflict", GM, says="The conflict ends.", records=(ConflictClosed, DeclarationLapsed, clock.RecoveryEnded)
)
class CloseConflict:
    """End a conflict and its order of actions. `scene`: the scene of the conflict. Leave it out for
    the current scene.
    """

    scene: SceneId | None = None


@decides
def close_conflict(draft: Draft, do: CloseConflict) -> None:
    place = draft.place(do.scene)
    conflict = draft.read_scene(place).conflict
    if conflict is None:
        raise NO_CONFLICT(scene=place.id)
    close(draft, place, conflict)


def close(draft: Draft, place: Subject, conflict: Conflict) -> None:
    """Close the conflict. Refuses `decision-pending` while terminal damage waits for its answer."""
    require(acting.may_go_on(draft, acting.Strife(place, conflict)))
    if conflict.action is not None:
        draft.tell(place, DeclarationLapsed(conflict.action.actor))
    draft.tell(place, ConflictClosed())
    for character_id in conflict.queue:
        if draft.table.has(character(character_id)):
            clock.end_recovery(draft, character_id)
    draft.by(acting.QUEUE, "closed")


@decides
def close_scene(draft: Draft, do: CloseScene) -> None:
    """Close the conflict of a scene that closes."""
    place = scene(do.scene)
    conflict = draft.read_scene(place).conflict
    if conflict is not None:
        close(draft, place, conflict)


@offers(CloseScene)
def offer_to_close_scene(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer to close scenes whose conflict, if any, can end."""
    sight = get_sight(seen, draft)

    def can_end(scene_id: str) -> bool:
        conflict = draft.read_scene(scene(scene_id)).conflict
        return conflict is None or sight.is_settled(acting.Strife(scene(scene_id), conflict))

    if closable_ids := tuple(scene_id for scene_id in seen.scenes if can_end(scene_id)):
        yield Move(CloseScene, {"scene": Among(closable_ids)})


@offers
def offer_conflicts(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer to open, join and close a conflict in the current scene, and to close the conflict of any other scene,
    which is then named.

    Coins are not offered, because the number of coins depends on ties.
    """
    sight = get_sight(seen, draft)
    present_scene = sight.present_scene
    conflict = draft.read_scene(present_scene).conflict if present_scene is not None else None
    if present_scene is not None and conflict is None and sight.free:
        yield Move(OpenConflict, {"participants": Some(Among(sight.free), 1)})
    closable_places: list[str | None] = []
    for place in draft.table.subjects("scene"):
        other_conflict = draft.read_scene(place).conflict
        if other_conflict is not None and sight.is_settled(acting.Strife(place, other_conflict)):
            closable_places.append(place.id)
            if place == present_scene:
                closable_places.append(None)
                if sight.free:
                    yield Move(JoinConflict, {"character": Among(sight.free)})
    if closable_places:
        yield Move(CloseConflict, {"scene": Among(tuple(closable_places))})


def list_settled(sight: Sight) -> list[acting.Strife]:
    """Return the conflicts that are not waiting for a decision."""
    conflicts = {strife.scene: strife for strife in sight.strife_by_id.values()}
    return [strife for strife in conflicts.values() if sight.is_settled(strife)]


def list_living(sight: Sight, strife: acting.Strife) -> tuple[str, ...]:
    return tuple(
        character_id
        for character_id, own_strife in sight.strife_by_id.items()
        if own_strife.scene == strife.scene and not sight.people[character_id].dead
    )


@offers
def offer_to_take_out(seen: Seen, draft: Draft) -> Iterator[Move]:
    sight = get_sight(seen, draft)
    for strife in list_settled(sight):
        if living_ids := list_living(sight, strife):
            yield Move(LeaveConflict, {"character": Among(living_ids)})
