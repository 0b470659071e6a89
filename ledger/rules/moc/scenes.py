"""Sessions, scenes and turns, and the changes at their beginning and end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ledger.rules.kernel.kit import (
    CAMPAIGN,
    GM,
    GM_ONLY,
    Amend,
    Among,
    CharacterId,
    CloseScene,
    CloseSession,
    Move,
    OpenScene,
    OpenSession,
    Posting,
    Refusal,
    Refused,
    SceneId,
    Seen,
    SetDial,
    Some,
    Subject,
    changed,
    changes,
    changing,
    character,
    decides,
    declares,
    fact,
    guards,
    offers,
    require,
    scene,
)
from ledger.rules.moc import beads, buying, chips, damage, hands, holdings, own_dice, piles, stacks, turns
from ledger.rules.moc.dials import Dials, check_dial
from ledger.rules.moc.draft import Draft, nobody_acts
from ledger.rules.moc.state import Campaign, Character, Scene, find_pain_capacity, list_actions
from ledger.rules.moc.types import CardNames, ElementName, SessionId
from ledger.rules.moc.words import (
    CHIPS,
    DAMAGE_ABOVE_SIX,
    DECK,
    ELEMENTS,
    GONE,
    MOST_DAMAGE,
    NEGATIVE_HARM,
    NO_SCENE,
    whether,
)

SCENE_RUNNING = Refusal(chips.CHIP_LIMIT, "scene-running", "A scene is already running. Close it first.")
TOO_MANY_CHIPS = Refusal(
    chips.CHIP_LIMIT,
    "too-many-chips",
    "{player} has {chips:chip|chips}. A scene can begin only when nobody has more than four.",
)
PAIN_ABOVE_CAPACITY = Refusal(
    damage.LIMITS, "pain-above-capacity", "This character cannot take {pain:point|points} of pain."
)
CHARACTERISTIC_BELOW_ONE = Refusal(buying.COST, "characteristic-below-one", "{characteristic} cannot be below 1.")


@fact("play-begun", says="The deck is complete and shuffled.")
class PlayBegun:
    """A session began. The deck is complete and shuffled."""

    session: SessionId


@changes
def begin_play(state: Campaign, fact: PlayBegun) -> Campaign:
    return changed(state, out=(), shown=(), dealt=False, last_session=fact.session)


@fact("session-ended", says="The session's cards go back into the deck.")
class SessionEnded:
    """A session ended. Its cards are back in the deck."""

    session: SessionId


@changes
def put_cards_away(state: Campaign, fact: SessionEnded) -> Campaign:
    return changed(state, out=(), shown=(), dealt=False)


@fact(
    "deck-counted",
    says=whether("twice", "Somebody mistyped a card: {twice} came up twice.", "No card came up twice."),
    changes=None,
)
class DeckCounted:
    """The deck was counted after the session. `twice`: the cards that were entered twice by mistake, which is rare."""

    twice: CardNames = ()


@fact("hand-discarded", says="{subject} discards the hand: {cards}.")
class HandDiscarded:
    """The cards that were left in a hand were discarded."""

    cards: CardNames


@changes
def discard_hand(state: Character, fact: HandDiscarded) -> Character:
    return piles.with_hand(state, ())


@decides
def open_session(draft: Draft, do: OpenSession) -> None:
    posting = holdings.make_posting(holdings.CARDS, holdings.DECK, len(DECK))
    draft.tell(CAMPAIGN, PlayBegun(str(draft.table.number)), posting)
    draft.by(hands.CARD_HAND, len(DECK))


@decides
def close_session(draft: Draft, do: CloseSession) -> None:
    """Discard all cards and give back the session's dice and beads. Record which cards were typed twice."""
    for subject in draft.table.subjects("character"):
        _discard_hand(draft, subject.id)
        own_dice.end_period(draft, subject.id, "session")
    audience = None if draft.dials.hands_open_after_session else GM_ONLY
    out_counts = Counter(draft.get_campaign().out)
    typed_twice = tuple(card for card in DECK if out_counts[card] > 1)
    for place in draft.table.subjects("scene"):
        for card in draft.state(place, Scene).pool:
            posting = holdings.make_posting(holdings.name_villains_cards_account(place.id), holdings.DISCARD, 1)
            draft.tell(place, hands.VillainCardUsed(card), posting, audience=audience)
    draft.tell(CAMPAIGN, SessionEnded(do.session))
    postings = [
        holdings.make_posting(account, holdings.CARDS, draft.balance(account))
        for account in (holdings.DECK, holdings.DISCARD)
    ]
    draft.tell(CAMPAIGN, hands.DeckCut(()), *postings, audience=())
    draft.tell(CAMPAIGN, DeckCounted(typed_twice), audience=audience)
    draft.by(hands.CARD_ONCE, len(DECK))


def _discard_hand(draft: Draft, char_id: str) -> None:
    hand = draft.get_character(char_id).hand
    if hand:
        audience = None if draft.dials.hands_open_after_session else hands.find_readers_of_held_cards(draft, char_id)
        posting = holdings.make_posting(holdings.name_hand_account(char_id), holdings.DISCARD, len(hand))
        draft.about(char_id, HandDiscarded(hand), posting, audience=audience)


# --- scenes -----------------------------------------------------------------------------------------------------------


@fact("cast-set", says=whether("cast", "The cast of the scene: {cast}.", "Nobody has a part in the scene yet."))
class CastSet:
    """The characters in the scene were set."""

    cast: tuple[CharacterId, ...]


@changes
def set_cast(state: Scene, fact: CastSet) -> Scene:
    return changed(state, cast=fact.cast, phase="running")


@fact("scene-over", says="The scene “{subject}” is over.")
class SceneOver:
    """The scene ended."""


@changes
def end_scene(state: Scene, fact: SceneOver) -> Scene:
    return changed(state, phase="ended", pool=())


@fact("interval-opened", says="The time between scenes begins.")
class IntervalOpened:
    """The interval between two scenes began. `after`: the scene that ended."""

    after: SceneId


@changes
def begin_interval(state: Campaign, fact: IntervalOpened) -> Campaign:
    return changed(state, phase="interval")


@fact("interval-ended", says="The time between scenes ends.")
class IntervalEnded:
    """The interval between two scenes ended, because a scene began."""

    scene: SceneId


@changes
def end_interval(state: Campaign, fact: IntervalEnded) -> Campaign:
    return changed(state, phase="running", scenes=state.scenes + 1)


MOST_CHIPS = 4


@guards
def may_open_scene(draft: Draft) -> Refused | None:
    """Refuse a scene while another is running, or while a player holds more than four chips."""
    if draft.get_campaign().phase == "running":
        return SCENE_RUNNING()
    for seat_id, chip_count in _count_chips_by_player(draft).items():
        if chip_count > MOST_CHIPS:
            return TOO_MANY_CHIPS(player=seat_id, chips=chip_count)
    return None


def _count_chips_by_player(draft: Draft) -> dict[str, int]:
    """Return how many chips each player holds, over all characters in play."""
    counts: dict[str, int] = {}
    for subject in draft.table.subjects("character"):
        if draft.get_character(subject.id).status not in GONE:
            seat_id = draft.table.owner(subject)
            counts[seat_id] = counts.get(seat_id, 0) + sum(
                draft.balance(holdings.name_chip_account(subject.id, colour)) for colour in CHIPS
            )
    return counts


@decides
def open_scene(draft: Draft, do: OpenScene) -> None:
    """Begin a scene and allocate beads."""
    require(may_open_scene(draft))
    place = scene(str(draft.table.number))
    draft.begin(place)
    draft.tell(place, CastSet(do.cast))
    draft.tell(CAMPAIGN, IntervalEnded(place.id))
    draft.by(chips.CHIP_LIMIT, MOST_CHIPS)
    beads.award_beads(draft)


@offers(OpenScene)
def offer_scene(seen: Seen, draft: Draft) -> Iterator[Move]:
    if may_open_scene(draft) is None:
        yield Move(OpenScene, {"cast": Some(Among(seen.roster))})


@decides
def close_scene(draft: Draft, do: CloseScene) -> None:
    """End the scene: remaining beads are lost, the turn's pain no longer counts, and characters can recover."""
    place = scene(do.scene)
    for action in list_actions(draft.state(place, Scene)):
        for part_index, part in enumerate(action.parts):
            if part.stage == "declared":
                stacks.lose_beads(draft, action.plays, part_index)
    closing_scene = draft.state(place, Scene)
    story_plays = [part.plays for part in closing_scene.story.values()]
    roll_plays = [*(damage.plays for damage in closing_scene.damage.values()), *closing_scene.initiative.plays.values()]
    for plays in (*story_plays, *roll_plays):
        stacks.lose_beads(draft, plays)
    draft.tell(place, SceneOver(), *_list_villains_card_postings(draft, place))
    step_count = draft.dials.scene_recovery_steps if draft.dials.power_level != "standard" else 1
    for subject in draft.table.subjects("character"):
        char_id, state = subject.id, draft.get_character(subject.id)
        if state.pain_turn or state.dodge or state.half_defence:
            draft.about(char_id, TurnPassed(draft.state(place, Scene).turn))
        bead_counts = {element: draft.count_beads(char_id, element) for element in ELEMENTS}
        if any(bead_counts.values()) or state.allocated:
            postings = [
                holdings.make_posting(holdings.name_bead_account(char_id, element), holdings.SPENT, n)
                for element, n in bead_counts.items()
            ]
            draft.about(char_id, beads.BeadsEnded(), *postings)
        own_dice.end_period(draft, char_id, "scene")
        if state.due != step_count:
            draft.about(char_id, turns.SceneRecoveryDue(step_count))
    draft.tell(CAMPAIGN, IntervalOpened(do.scene))
    draft.by(beads.BEAD_REGENERATE, "interval")


def _list_villains_card_postings(draft: Draft, place: Subject) -> list[Posting | None]:
    account = holdings.name_villains_cards_account(place.id)
    return [holdings.make_posting(account, holdings.DISCARD, draft.balance(account))]


# --- turns ------------------------------------------------------------------------------------------------------------


@fact("turn-ended", says="Turn {turn} is over.")
class TurnEnded:
    """A turn ended."""

    turn: int


@changes
def count_turn(state: Scene, fact: TurnEnded) -> Scene:
    return changed(state, turn=state.turn + 1)


@fact("turn-passed", says="Pain from the previous turn no longer reduces {subject}'s dice.")
class TurnPassed:
    """Pain from the previous turn no longer reduces the character's dice."""

    turn: int


_with_turn_over = changing(Character, "pain_turn", "dodge", "harm", "half_defence")


@changes
def pass_turn(state: Character, fact: TurnPassed) -> Character:
    return _with_turn_over(state, 0, 0, None, False)


@fact("beads-replenished", says="{number:used bead|used beads} of {element} come back to {subject}.")
class BeadsReplenished:
    """Because of an Advantage, used beads came back at the end of a turn."""

    element: ElementName
    number: int


@changes
def count_beads_back(state: Character, fact: BeadsReplenished) -> Character:
    return piles.use_up(state, f"bead-return-{fact.element}:scene", fact.number)


def replenish(draft: Draft, char_id: str) -> None:
    """Give back as many used beads as agreed, at the end of a turn."""
    for element in ELEMENTS:
        most_beads = holdings.sum_effects(draft.get_character(char_id), "bead-return", element)
        if not most_beads:
            continue
        returned_count = draft.get_character(char_id).used.get(f"bead-return-{element}:scene", 0)
        bead_count = min(most_beads, stacks.count_beads_used(draft, char_id, element) - returned_count)
        if bead_count > 0:
            posting = holdings.make_posting(holdings.SPENT, holdings.name_bead_account(char_id, element), bead_count)
            draft.about(char_id, BeadsReplenished(element, bead_count), posting)
            draft.by(holdings.AGREED_EFFECT, bead_count, does="bead-return", of=element)


@nobody_acts
@declares("end-turn", GM, says="The turn ends.", records=(TurnEnded, TurnPassed, BeadsReplenished))
class EndTurn:
    """End the turn."""


@guards
def may_end_turn(draft: Draft) -> Refused | None:
    return NO_SCENE.under(turns.INITIATIVE) if draft.get_scene().phase != "running" else None


@decides
def end_turn(draft: Draft, do: EndTurn) -> None:
    """End the turn. The pain of the turn no longer counts together with damage."""
    require(may_end_turn(draft))
    closing_scene = draft.get_scene()
    draft.here(TurnEnded(closing_scene.turn))
    for subject in draft.table.subjects("character"):
        state = draft.get_character(subject.id)
        if state.pain_turn or state.dodge or state.half_defence:
            draft.about(subject.id, TurnPassed(closing_scene.turn))
        if subject.id in closing_scene.cast and state.status not in GONE:
            replenish(draft, subject.id)
    draft.by(turns.INITIATIVE, closing_scene.turn)


@offers
def offer_end_of_turn(seen: Seen, draft: Draft) -> Iterator[Move]:
    if seen.scene is not None and may_end_turn(draft) is None:
        yield Move(EndTurn)


# --- changes by hand --------------------------------------------------------------------------------------------------


@decides
def set_dial(draft: Draft, do: SetDial) -> None:
    """Check the value of an option beyond its type."""
    dial_name = do.name
    if hasattr(draft.dials, dial_name):
        dial_values = {name: getattr(draft.dials, name) for name in Dials.__dataclass_fields__}
        check_dial(Dials(**{**dial_values, dial_name: do.value}), dial_name, _find_rule(dial_name))


def _find_rule(dial_name: str) -> str:
    return str(Dials.__dataclass_fields__[dial_name].metadata["rule"])


@decides
def check_amendment(draft: Draft, do: Amend) -> None:
    """Check that an amendment does not make a state impossible. Refuses `damage-above-six`, `pain-above-capacity`,
    `characteristic-below-one`.
    """
    kind, _, subject_id = do.subject.partition(":")
    if kind == "character" and type(do.value) is int:
        state = draft.table.get(character(subject_id), Character)
        field, _, key = do.field.removeprefix("/").partition("/")
        if field in ("damage", "pain", "pain_turn", "fatigue") and do.value < 0:
            raise NEGATIVE_HARM.under(damage.LIMITS, field=field)
        if field == "damage" and do.value > MOST_DAMAGE:
            raise DAMAGE_ABOVE_SIX.under(damage.LIMITS, damage=do.value)
        if field == "pain" and state.ratings and do.value > find_pain_capacity(state.ratings):
            raise PAIN_ABOVE_CAPACITY(pain=do.value)
        if field == "ratings" and key and do.value < 1:
            raise CHARACTERISTIC_BELOW_ONE(characteristic=key)
