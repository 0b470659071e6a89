"""Cards and beads on dice that belong to no action: damage, resisting, initiative, healing.

Headings "Cards and Dice", "What Beads can do". If the dice have already fallen, their result is worked out again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from ledger.rules.kernel.kit import (
    Among,
    Between,
    CharacterId,
    Move,
    Names,
    Refused,
    Says,
    Seen,
    changes,
    decides,
    declares,
    either,
    fact,
    offers,
    owner,
    require,
)
from ledger.rules.moc import (
    actions,
    beads_used,
    cards,
    cards_on_dice,
    hands,
    holdings,
    piles,
    pools,
    recovery,
    resisting,
    stacks,
    turns,
)
from ledger.rules.moc.damage import (
    DAMAGE_ROLL,
    CharacterDazed,
    CharacterDowned,
    HarmApplied,
    TokensLost,
    make_damage_pool,
)
from ledger.rules.moc.draft import Draft, acts, may_play_beads, may_spend_beads
from ledger.rules.moc.shown import Fields, Offering, fix, get_offering, group_ids
from ledger.rules.moc.state import Play
from ledger.rules.moc.types import (
    AnyElement,
    CardClass,
    CardName,
    CardSuit,
    DiceElement,
    HitId,
    HowMany,
    OtherRoll,
    PileId,
    PlayId,
)
from ledger.rules.moc.words import (
    NEGATIVE_BEADS,
    NO_BEADS_PLAYED,
    ROLL_NOT_COMPLETED,
    SETTLED,
    WRONG_ELEMENT,
    read_element,
    read_whole,
    say_count,
    say_who,
    say_word,
    whether,
)

# --- cards on damage dice ---------------------------------------------------------------------------------------------


@acts("character")
@declares(
    "play-card-on-damage",
    owner("character"),
    says="{character} plays a card on the damage dice.",
    records=(hands.CardDiscarded, hands.VillainCardUsed, hands.CardShown, cards_on_dice.CardPlayedOnDice),
)
class PlayCardOnDamage:
    """Add a card's points to the dice of a hit, before or after they are rolled, until the damage is resisted.

    `character`: the owner of the card. `points`: the points for each die. Bonus dice are numbered after base dice.
    `element`: if the hit has no action, the Element that the game master names. If you leave it out, Action is used.
    `suit`, `card_class`: the same as when you play a card on an action.
    """

    hit: HitId
    character: CharacterId
    card: CardName
    points: tuple[cards.CardPoints, ...] = ()
    element: DiceElement | None = None
    suit: CardSuit | None = None
    card_class: CardClass | None = None


@decides
def play_card_on_damage(draft: Draft, do: PlayCardOnDamage) -> None:
    """Play a card before or after the damage roll, until the damage is resisted."""
    hit = draft.get_hit(do.hit, "scored", "rolled")
    cards_on_dice.lay_cards(
        draft,
        (cards.LaidCard(do.card, do.points, do.element, do.suit, do.card_class, do.character),),
        make_damage_pool(draft, hit),
    )
    if hit.stage == "rolled":
        changed_hit = draft.get_hit(hit.id, "rolled")
        threshold = draft.get_scene().damage[hit.id].threshold
        draft.by(
            DAMAGE_ROLL,
            changed_hit.resistible + changed_hit.unresistible,
            threshold=threshold,
            unresistible=changed_hit.unresistible,
        )


def list_damage_card_moves(offering: Offering, char_id: str, cards_held: tuple[str, ...]) -> Iterator[Move]:
    """Yield moves that play cards on damage, before or after the roll, until the damage is resisted."""
    hits = offering.scene.hits.values() if offering.scene is not None else ()
    for hit in hits:
        if hit.stage not in ("scored", "rolled") or not (hit.attacker == char_id or offering.dials.cards_on_allies):
            continue
        pool = make_damage_pool(offering.draft, hit)
        for card in cards_held:
            for rank, elements in cards.list_elements_by_rank(offering, char_id, card, hit.element):
                points_domain = cards.make_points_domain(
                    offering, char_id, card, rank, tuple(enumerate(pool.sizes)), cards.OF_DAMAGE
                )
                if points_domain is not None:
                    yield Move(
                        PlayCardOnDamage,
                        {
                            "hit": fix(hit.id),
                            "character": fix(char_id),
                            "card": fix(card),
                            "points": points_domain,
                            "element": Among(elements),
                            "suit": cards.make_suit_domain(offering, char_id, card),
                            "card_class": Among((None, rank)),
                        },
                    )


@offers
def offer_cards_on_damage(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    for char_id in offering.active_ids:
        if cards_held := offering.list_cards(char_id):
            yield from list_damage_card_moves(offering, char_id, cards_held)


# --- cards on initiative dice -----------------------------------------------------------------------------------------


@acts("character")
@declares(
    "play-card-on-initiative",
    owner("character"),
    says=whether(
        "whose",
        "{character} plays a card on {whose}'s initiative dice.",
        "{character} plays a card on the initiative dice.",
    ),
    records=(hands.CardDiscarded, hands.VillainCardUsed, hands.CardShown, cards_on_dice.CardPlayedOnDice),
)
class PlayCardOnInitiative:
    """Add a card's points to your dice of the last initiative roll. The order is worked out again.

    `coming`: whether the points are for the next initiative roll rather than the last one. They always are if
    initiative has not been rolled yet. `whose`: the ally whose dice get the points; leave it out for your own dice.
    `points`, `element`, `suit`, `card_class`: the same as when you play a card on damage, except that there is only one
    part.
    """

    character: CharacterId
    card: CardName
    points: tuple[cards.CardPoints, ...] = ()
    whose: Annotated[CharacterId | None, Says("Whose dice", "The ally who rolls. Leave it out for your own dice.")] = (
        None
    )
    coming: bool = False
    element: DiceElement | None = None
    suit: CardSuit | None = None
    card_class: CardClass | None = None


@decides
def play_card_on_initiative(draft: Draft, do: PlayCardOnInitiative) -> None:
    """Play a card on the last initiative roll, whose order is worked out again, or on the next one."""
    roller_id = do.whose if do.whose is not None else do.character
    scene = draft.get_scene()
    if roller_id not in scene.cast:
        raise turns.UNKNOWN_CHARACTER(character=roller_id)
    initiative, is_next_roll = scene.initiative, do.coming or not scene.initiative.faces
    fallen_count = len(initiative.faces.get(roller_id, ())) + len(initiative.bonus.get(roller_id, ()))
    sizes = (draft.count_initiative_dice(roller_id) if is_next_roll else fallen_count,)
    cards_on_dice.lay_cards(
        draft,
        (cards.LaidCard(do.card, do.points, do.element, do.suit, do.card_class, do.character),),
        cards_on_dice.Pool("initiative", roller_id, sizes, is_waiting=is_next_roll),
    )
    if not is_next_roll:
        standings = piles.compute_standings(draft.get_scene().initiative)
        draft.by(
            turns.INITIATIVE,
            list(standings[roller_id]),
            character=roller_id,
            groups=[list(group) for group in draft.get_scene().order],
        )


def list_initiative_card_moves(offering: Offering, char_id: str, cards_held: tuple[str, ...]) -> Iterator[Move]:
    """Yield moves that play cards on the last initiative roll or on the next one."""
    assert offering.scene is not None
    initiative = offering.scene.initiative
    for roller_id in dict.fromkeys(offering.scene.cast):
        if not (roller_id == char_id or offering.dials.cards_on_allies) or not offering.has_character(roller_id):
            continue
        fallen_count = len(initiative.faces.get(roller_id, ())) + len(initiative.bonus.get(roller_id, ()))
        sizes_by_flag = {True: offering.draft.count_initiative_dice(roller_id), False: fallen_count}
        if not initiative.faces:
            sizes_by_flag[False] = sizes_by_flag[True]
        for card in cards_held:
            for rank, elements in cards.list_elements_by_rank(offering, char_id, card, ""):
                for size, coming_flags in group_ids(
                    (is_next_roll, n)  # type: ignore[misc]
                    for is_next_roll, n in sizes_by_flag.items()
                ).items():
                    points_domain = cards.make_points_domain(offering, char_id, card, rank, ((0, size),))
                    if points_domain is not None:
                        yield Move(
                            PlayCardOnInitiative,
                            {
                                "character": fix(char_id),
                                "card": fix(card),
                                "points": points_domain,
                                "element": Among(elements),
                                "whose": Among((None, char_id) if roller_id == char_id else (roller_id,)),
                                "coming": Among(tuple(coming_flags)),
                                "suit": cards.make_suit_domain(offering, char_id, card),
                                "card_class": Among((None, rank)),
                            },
                        )


@offers
def offer_cards_on_initiative(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    for char_id in offering.active_ids if offering.scene is not None else ():
        if cards_held := offering.list_cards(char_id):
            yield from list_initiative_card_moves(offering, char_id, cards_held)


def say_beads_played_on_dice(fact: BeadsPlayedOnDice, names: Names) -> str:
    play = fact.what
    owner_words = f"{say_who(names, fact.whose)}'s" if fact.whose != play.by else "the"
    more_words = say_count(play.successes, "more success", "more successes")
    effect_words = "one success fewer" if play.successes < 0 else more_words
    roll_words = f"{piles.DICE_OF.get(play.use, play.use)} roll"
    return f"{say_who(names, play.by)} plays {piles.say_play(play)} on {owner_words} {roll_words}: {effect_words}."


@fact("beads-played-on-dice", says=say_beads_played_on_dice)
class BeadsPlayedOnDice:
    """Subject: the scene, or the character who heals. Beads were played on dice outside an action. `what`: the play;
    its `use` names the roll. `pile`, `action`: as in `play-trumped`. `whose`: the character who rolled.
    """

    action: PileId
    play: PlayId
    what: Play
    pile: piles.PileKind
    whose: CharacterId


@changes
def add_beads_on_dice(state: piles.Keeper, fact: BeadsPlayedOnDice) -> piles.Keeper | None:
    return piles.lay_play(state, fact.pile, fact.action, fact.what)


def say_beads_on_dice(do: PlayBeadsOnDice, names: Names) -> str:
    element_word = say_word(do.element) if do.element else ""
    bead_words = say_count(do.number, f"{element_word} bead".strip(), f"{element_word} beads".strip())
    owner_words = f"{say_who(names, do.whose)}'s" if do.whose and do.whose != do.character else "the"
    roll_word = piles.DICE_OF.get(do.roll, do.roll)
    effect_words = "one success fewer" if do.fewer else say_count(do.number, "more success", "more successes")
    return f"{say_who(names, do.character)} plays {bead_words} on {owner_words} {roll_word} roll: {effect_words}."


@acts("character")
@declares(
    "play-beads-on-dice",
    either("character"),
    says=say_beads_on_dice,
    records=(
        BeadsPlayedOnDice,
        resisting.HarmUndone,
        resisting.DamageResisted,
        HarmApplied,
        TokensLost,
        CharacterDowned,
        CharacterDazed,
        turns.RecoveryPreEmpted,
        recovery.DamageHealed,
        recovery.HealingFailed,
    ),
)
class PlayBeadsOnDice:
    """Play beads on a completed roll that is not an action's. Each bead adds one success.

    `roll`: damage, resisting, initiative or healing. `hit`: the hit, for damage or resisting. `whose`: for initiative
    and healing, the character who rolled; leave it out for your own character. `element`: leave it out to use the
    Element of the roll, which is that of the attack, or else Action. You can also play one Storytelling bead on another
    character's roll. `fewer`: whether the Storytelling bead removes a success instead.
    """

    character: CharacterId
    roll: OtherRoll
    hit: HitId = ""
    whose: Annotated[CharacterId, Says("Whose dice", "The character who rolled. Leave it out for your own dice.")] = ""
    number: Annotated[HowMany, Says("Beads", "How many beads are played.")] = 1
    element: AnyElement = ""
    fewer: Annotated[
        bool, Says("One success fewer", "Whether a Storytelling bead removes a success instead of adding one.")
    ] = False


@dataclass(frozen=True, slots=True)
class FallenDice:
    """Dice that have fallen. `whose`: the character who rolled them; `element`: the Element that beads on them must
    have.
    """

    pile: stacks.Pile
    whose: str
    element: str = "action"


@decides
def play_beads_on_dice(draft: Draft, do: PlayBeadsOnDice) -> None:
    """Add successes to a completed roll."""
    char_id = do.character
    bead_count = read_whole(do.number, NEGATIVE_BEADS, pools.BEAD_USE)
    if bead_count == 0:
        raise NO_BEADS_PLAYED.under(pools.BEAD_USE)
    require(may_play_beads(draft, char_id))
    fallen_dice = read_fallen_dice(draft, do.roll, do.hit, do.whose or char_id)
    element = read_element(do.element or fallen_dice.element, pools.BEAD_USE)
    is_storytelling = element == "storytelling" and fallen_dice.whose != char_id
    is_element_allowed = element == fallen_dice.element or draft.dials.bead_element_gate == "open"
    if not (is_storytelling or is_element_allowed) or (do.fewer and not is_storytelling):
        raise WRONG_ELEMENT.under(pools.BEAD_USE, element=element, roll=fallen_dice.element)
    if (do.fewer or not is_element_allowed) and bead_count != 1:
        raise beads_used.ONE_BEAD_ONLY(number=bead_count)
    require(may_spend_beads(draft, char_id, element, bead_count, pools.BEAD_USE))
    plays_before = fallen_dice.pile.list_plays(draft)
    successes = -1 if do.fewer else bead_count
    play = Play(draft.table.new_id(), char_id, "beads", do.roll, 0, bead_count, element, successes=successes)
    draft.tell(
        fallen_dice.pile.subject,
        BeadsPlayedOnDice(fallen_dice.pile.id, play.id, play, fallen_dice.pile.kind, fallen_dice.whose),
        holdings.make_posting(holdings.name_bead_account(char_id, element), holdings.SPENT, bead_count),
    )
    draft.by(pools.BEAD_USE, bead_count, use="add_successes", element=element)
    _recount_dice(draft, do.roll, fallen_dice, plays_before)


def _recount_dice(draft: Draft, roll_kind: str, fallen_dice: FallenDice, plays_before: tuple[Play, ...]) -> None:
    match roll_kind:
        case "damage":
            hit, damage = draft.get_scene().hits[fallen_dice.pile.id], draft.get_scene().damage[fallen_dice.pile.id]
            points = hit.resistible + hit.unresistible
            draft.by(DAMAGE_ROLL, points, threshold=damage.threshold, unresistible=hit.unresistible)
        case "resisting":
            resisting.reconsider_harm(draft, fallen_dice.pile.id, plays_before)
        case "healing":
            recovery.reconsider_healing(draft, fallen_dice.whose)
        case _:
            standings = piles.compute_standings(draft.get_scene().initiative)
            draft.by(turns.INITIATIVE, list(standings[fallen_dice.whose]), character=fallen_dice.whose)


def read_fallen_dice(draft: Draft, roll_kind: str, hit_id: str, roller_id: str) -> FallenDice:
    """Return completed dice. Refuses `roll-not-completed`, `hit-not-ready`, `settled`."""
    match roll_kind:
        case "damage" | "resisting":
            return _read_hit_dice(draft, roll_kind, hit_id)
        case "initiative":
            draft.get_character(roller_id)
            if roller_id not in draft.get_scene().initiative.faces:
                raise ROLL_NOT_COMPLETED.under(pools.BEAD_USE, character=roller_id)
            return FallenDice(stacks.find_initiative_pile(draft, roller_id), roller_id)
        case "healing":
            if draft.get_character(roller_id).healing is None:
                raise ROLL_NOT_COMPLETED.under(pools.BEAD_USE, character=roller_id)
            recovery.read_unsettled_healing(draft, roller_id)
            return FallenDice(stacks.find_healing_pile(draft, roller_id), roller_id)
        case _:
            raise actions.UNKNOWN_ROLL_KIND(roll_kind=roll_kind)


def _read_hit_dice(draft: Draft, roll_kind: str, hit_id: str) -> FallenDice:
    """Return damage dice, unless they were resisted, or resisting dice, unless the character has changed since for
    another reason.
    """
    stage_before, stage_after = ("scored", "rolled") if roll_kind == "damage" else ("rolled", "applied")
    hit = draft.get_hit(hit_id, stage_before, stage_after)
    if hit.stage == stage_before:
        raise ROLL_NOT_COMPLETED.under(pools.BEAD_USE, hit=hit_id)
    roller_id = hit.attacker if roll_kind == "damage" else hit.target
    harm = draft.get_character(roller_id).harm
    if roll_kind == "resisting" and (harm is None or harm.hit != hit_id):
        raise SETTLED.under(resisting.RESIST, hit=hit_id)
    return FallenDice(stacks.Pile(draft.get_place(), "hit", hit_id), roller_id, hit.element or "action")


@offers
def offer_beads_on_dice(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer beads for completed rolls that are not an action's."""
    offering = get_offering(seen, draft)
    for char_id in offering.active_ids:
        counts = offering.count_playable_beads(char_id)
        for roll_kind, hit_fields, fallen_dice in _list_fallen_dice(offering) if counts else ():
            fields: Fields = {"character": fix(char_id), "roll": fix(roll_kind), **hit_fields}
            if roll_kind in ("initiative", "healing"):
                fields["whose"] = Among(("", char_id) if fallen_dice.whose == char_id else (fallen_dice.whose,))
            for element, n in counts.items():
                own_element = fallen_dice.element
                bead_fields: Fields = {
                    **fields,
                    "element": Among(("", element) if element == own_element else (element,)),
                }
                if element == own_element or offering.dials.bead_element_gate == "open":
                    yield Move(PlayBeadsOnDice, {**bead_fields, "number": Between(1, n)})
                if element == "storytelling" and fallen_dice.whose != char_id:
                    yield Move(PlayBeadsOnDice, {**bead_fields, "fewer": Among((False, True))})


def _list_fallen_dice(offering: Offering) -> Iterator[tuple[str, Fields, FallenDice]]:
    """Yield each completed roll that can still change, with its kind and the fields that name it."""
    rolls: list[tuple[str, str, str]] = [("healing", "", char_id) for char_id in offering.roster]
    if offering.scene is not None:
        rolls += [(roll_kind, hit_id, "") for hit_id in offering.scene.hits for roll_kind in ("damage", "resisting")]
        rolls += [
            ("initiative", "", char_id)
            for char_id in offering.scene.initiative.faces
            if offering.has_character(char_id)
        ]
    for roll_kind, hit_id, roller_id in rolls:
        try:
            fallen_dice = read_fallen_dice(offering.draft, roll_kind, hit_id, roller_id)
        except Refused:
            continue
        yield roll_kind, {"hit": fix(hit_id)}, fallen_dice
