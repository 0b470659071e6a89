"""Sessions, scenes and turns: what begins, ends and changes with each of them."""

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
    """A session begins: the deck is complete and shuffled."""

    session: SessionId


@changes
def shuffle(state: Campaign, fact: PlayBegun) -> Campaign:
    return changed(state, out=(), shown=(), dealt=False, last_session=fact.session)


@fact("session-ended", says="The session's cards go back into the deck.")
class SessionEnded:
    """A session ended: its cards are back in the deck."""

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
    """The deck was counted after the session. `twice`: the cards that were entered twice by mistake, usually none."""

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
    """Shuffle the deck."""
    fresh = holdings.move(holdings.CARDS, holdings.DECK, len(DECK))
    draft.tell(CAMPAIGN, PlayBegun(str(draft.table.number)), fresh)
    draft.by(hands.CARD_HAND, len(DECK))


@decides
def close_session(draft: Draft, do: CloseSession) -> None:
    """Discard all cards and give back the session's dice and beads. Name cards that were typed twice."""
    for who in draft.table.subjects("character"):
        _throw_hand(draft, who.id)
        own_dice.end_period(draft, who.id, "session")
    seen = None if draft.dials.hands_open_after_session else GM_ONLY
    out = Counter(draft.get_campaign().out)
    twice = tuple(card for card in DECK if out[card] > 1)
    for place in draft.table.subjects("scene"):
        for card in draft.state(place, Scene).pool:
            used = holdings.move(holdings.villains(place.id), holdings.DISCARD, 1)
            draft.tell(place, hands.VillainCardUsed(card), used, audience=seen)
    draft.tell(CAMPAIGN, SessionEnded(do.session))
    back = [
        holdings.move(account, holdings.CARDS, draft.balance(account)) for account in (holdings.DECK, holdings.DISCARD)
    ]
    draft.tell(CAMPAIGN, hands.DeckCut(()), *back, audience=())
    draft.tell(CAMPAIGN, DeckCounted(twice), audience=seen)
    draft.by(hands.CARD_ONCE, len(DECK))


def _throw_hand(draft: Draft, id: str) -> None:
    hand = draft.get_character(id).hand
    if hand:
        seen = None if draft.dials.hands_open_after_session else hands.find_held_readers(draft, id)
        moved = holdings.move(holdings.hand(id), holdings.DISCARD, len(hand))
        draft.about(id, HandDiscarded(hand), moved, audience=seen)


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
    """The scene is over."""


@changes
def end_scene(state: Scene, fact: SceneOver) -> Scene:
    return changed(state, phase="ended", pool=())


@fact("interval-opened", says="The time between scenes begins.")
class IntervalOpened:
    """The time between two scenes began. `after`: the scene that ended."""

    after: SceneId


@changes
def begin_interval(state: Campaign, fact: IntervalOpened) -> Campaign:
    return changed(state, phase="interval")


@fact("interval-ended", says="The time between scenes ends.")
class IntervalEnded:
    """A scene begins."""

    scene: SceneId


@changes
def end_interval(state: Campaign, fact: IntervalEnded) -> Campaign:
    return changed(state, phase="running", scenes=state.scenes + 1)


TOO_MANY = 4


@guards
def may_open_scene(draft: Draft) -> Refused | None:
    """Refuse a scene while one runs, or while a player holds more than four chips."""
    if draft.get_campaign().phase == "running":
        return SCENE_RUNNING()
    for player, held in _count_chips_by_player(draft).items():
        if held > TOO_MANY:
            return TOO_MANY_CHIPS(player=player, chips=held)
    return None


def _count_chips_by_player(draft: Draft) -> dict[str, int]:
    """Return how many chips each player holds, over all characters in play."""
    held: dict[str, int] = {}
    for subject in draft.table.subjects("character"):
        if draft.get_character(subject.id).status not in GONE:
            player = draft.table.owner(subject)
            held[player] = held.get(player, 0) + sum(draft.balance(holdings.chip(subject.id, each)) for each in CHIPS)
    return held


@decides
def open_scene(draft: Draft, do: OpenScene) -> None:
    """Begin a scene and allocate beads."""
    require(may_open_scene(draft))
    here = scene(str(draft.table.number))
    draft.begin(here)
    draft.tell(here, CastSet(do.cast))
    draft.tell(CAMPAIGN, IntervalEnded(here.id))
    draft.by(chips.CHIP_LIMIT, TOO_MANY)
    beads.award_beads(draft)


@offers(OpenScene)
def offer_scene(seen: Seen, draft: Draft) -> Iterator[Move]:
    if may_open_scene(draft) is None:
        yield Move(OpenScene, {"cast": Some(Among(seen.roster))})


@decides
def close_scene(draft: Draft, do: CloseScene) -> None:
    """End the scene's beads and the turn's pain, and grant a recovery."""
    here = scene(do.scene)
    for action in list_actions(draft.state(here, Scene)):
        for place, part in enumerate(action.parts):
            if part.stage == "declared":
                stacks.lose_beads(draft, action.plays, place)
    closing = draft.state(here, Scene)
    stories = [part.plays for part in closing.story.values()]
    fought = [*(damage.plays for damage in closing.damage.values()), *closing.initiative.plays.values()]
    for plays in (*stories, *fought):
        stacks.lose_beads(draft, plays)
    draft.tell(here, SceneOver(), *_put_villains_cards_away(draft, here))
    steps = draft.dials.scene_recovery_steps if draft.dials.power_level != "standard" else 1
    for subject in draft.table.subjects("character"):
        id, who = subject.id, draft.get_character(subject.id)
        if who.pain_turn or who.dodge or who.half_defence:
            draft.about(id, TurnPassed(draft.state(here, Scene).turn))
        left = {element: draft.count_beads(id, element) for element in ELEMENTS}
        if any(left.values()) or who.allocated:
            spent = [holdings.move(holdings.bead(id, e), holdings.SPENT, n) for e, n in left.items()]
            draft.about(id, beads.BeadsEnded(), *spent)
        own_dice.end_period(draft, id, "scene")
        if who.due != steps:
            draft.about(id, turns.SceneRecoveryDue(steps))
    draft.tell(CAMPAIGN, IntervalOpened(do.scene))
    draft.by(beads.BEAD_REGENERATE, "interval")


def _put_villains_cards_away(draft: Draft, here: Subject) -> list[Posting | None]:
    pool = holdings.villains(here.id)
    return [holdings.move(pool, holdings.DISCARD, draft.balance(pool))]


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


def replenish(draft: Draft, id: str) -> None:
    """Give back used beads at the end of a turn, as many as agreed."""
    for element in ELEMENTS:
        most = holdings.sum_effects(draft.get_character(id), "bead-return", element)
        if not most:
            continue
        back = draft.get_character(id).used.get(f"bead-return-{element}:scene", 0)
        number = min(most, stacks.count_beads_used(draft, id, element) - back)
        if number > 0:
            moved = holdings.move(holdings.SPENT, holdings.bead(id, element), number)
            draft.about(id, BeadsReplenished(element, number), moved)
            draft.by(holdings.AGREED_EFFECT, number, does="bead-return", of=element)


@nobody_acts
@declares("end-turn", GM, says="The turn ends.", records=(TurnEnded, TurnPassed, BeadsReplenished))
class EndTurn:
    """End the turn."""


@guards
def may_end_turn(draft: Draft) -> Refused | None:
    return NO_SCENE.under(turns.INITIATIVE) if draft.get_scene().phase != "running" else None


@decides
def end_turn(draft: Draft, do: EndTurn) -> None:
    """End the turn. Its pain no longer counts with damage."""
    require(may_end_turn(draft))
    here = draft.get_scene()
    draft.here(TurnEnded(here.turn))
    for subject in draft.table.subjects("character"):
        who = draft.get_character(subject.id)
        if who.pain_turn or who.dodge or who.half_defence:
            draft.about(subject.id, TurnPassed(here.turn))
        if subject.id in here.cast and who.status not in GONE:
            replenish(draft, subject.id)
    draft.by(turns.INITIATIVE, here.turn)


@offers
def offer_end_of_turn(seen: Seen, draft: Draft) -> Iterator[Move]:
    if seen.scene is not None and may_end_turn(draft) is None:
        yield Move(EndTurn)


# --- by hand ----------------------------------------------------------------------------------------------------------


@decides
def set_dial(draft: Draft, do: SetDial) -> None:
    """Check what an option's type cannot."""
    field = do.name
    if hasattr(draft.dials, field):
        values = {name: getattr(draft.dials, name) for name in Dials.__dataclass_fields__}
        check_dial(Dials(**{**values, field: do.value}), field, _find_rule(field))


def _find_rule(field: str) -> str:
    return str(Dials.__dataclass_fields__[field].metadata["rule"])


@decides
def check_amendment(draft: Draft, do: Amend) -> None:
    """Check for impossible states. Refuses `damage-above-six`, `pain-above-capacity`, `characteristic-below-one`."""
    kind, _, id = do.subject.partition(":")
    if kind == "character" and type(do.value) is int:
        who = draft.table.get(character(id), Character)
        name, _, key = do.field.removeprefix("/").partition("/")
        if name in ("damage", "pain", "pain_turn", "fatigue") and do.value < 0:
            raise NEGATIVE_HARM.under(damage.LIMITS, field=name)
        if name == "damage" and do.value > MOST_DAMAGE:
            raise DAMAGE_ABOVE_SIX.under(damage.LIMITS, damage=do.value)
        if name == "pain" and who.ratings and do.value > find_pain_capacity(who.ratings):
            raise PAIN_ABOVE_CAPACITY(pain=do.value)
        if name == "ratings" and key and do.value < 1:
            raise CHARACTERISTIC_BELOW_ONE(characteristic=key)
