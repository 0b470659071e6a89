"""How cards, chips and game masters cancel plays and rolls (headings "Trump", "Chips")."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated

from ledger.rules.kernel.kit import (
    GM,
    Among,
    Asking,
    CharacterId,
    Move,
    Names,
    Posting,
    Reason,
    Refusal,
    Refused,
    Says,
    Seen,
    changed,
    changes,
    decides,
    declares,
    either,
    fact,
    guards,
    offers,
    require,
    rule,
)
from ledger.rules.moc import (
    cards_on_dice,
    damage,
    fate,
    hands,
    holdings,
    piles,
    recovery,
    resisting,
    stacks,
    targets,
    turns,
)
from ledger.rules.moc.cards import find_rank
from ledger.rules.moc.chips import CHIP_VALUE
from ledger.rules.moc.draft import Draft, acts, ask_approval, make_decline, may_spend_chips, may_use_chips, nobody_acts
from ledger.rules.moc.shown import AGREED, LEFT_OUT, Fields, Offering, fix, get_offering
from ledger.rules.moc.state import Play
from ledger.rules.moc.types import (
    ActionId,
    AnyColour,
    CardClass,
    CardName,
    CardSuit,
    ChangeId,
    ColourName,
    HitId,
    PartNumber,
    PileId,
    PlayId,
    PlayOrRoll,
)
from ledger.rules.moc.words import (
    CHIPS,
    CLASSES,
    NOT_A_PLAYERS_CHARACTER,
    NOTHING_DECLARED,
    read_chip_colour,
    say_who,
    say_with,
)

TRUMP_FIAT = rule(
    "moc.trump.fiat",
    "The game master may cancel a play, an action or a roll without a trump. The card, bead or chip that was played "
    "goes back to its player, who should get a chip.",
    "Chips (Advanced)",
)
CANNOT_TRUMP = Refusal(
    stacks.TRUMP_ORDER,
    "cannot-trump",
    "That trump is not possible[ with a {chip} chip][ (against: {on})][: at this table, trumps are {trump}][. The"
    " card is not better: its class is {rank}, and its value is {value}].",
)


def say_trumped(fact: PlayTrumped, names: Names) -> str:
    play = fact.what
    thing_words = _say_thing(play.on, fact.pile, fact.action)
    return f"{say_who(names, play.by)} trumps {thing_words} with {piles.say_play(play)}."


def _say_thing(target_id: str, pile_kind: str, pile_id: str) -> str:
    """Put into words the target of a trump: dice, a change of the story or a play."""
    if target_id in piles.ROLLS:
        return f"the {piles.DICE_OF[target_id]}"
    return "the story change" if pile_kind == "story" and target_id == pile_id else "the earlier play"


@fact("play-trumped", says=say_trumped, headline=5)
class PlayTrumped:
    """Subject: the scene, the campaign (between scenes) or the character who heals. A play was trumped. `pile`: the
    kind of thing that the play was on (an action, a hit, the last or the next initiative roll, a healing roll or the
    story). `action`: the id of that action, hit, healing roll or part of the story, or of the character who rolls
    initiative.
    """

    action: PileId
    play: PlayId
    what: Play
    pile: piles.PileKind = "action"


@changes
def add_trump(state: piles.Keeper, fact: PlayTrumped) -> piles.Keeper | None:
    return piles.lay_play(state, fact.pile, fact.action, fact.what)


def say_trumping(do: Trump, names: Names) -> str:
    """Put the trump into words, without its card, because the card may stay in the hand."""
    thing_words = f" the {piles.DICE_OF[do.on]}" if do.on in piles.ROLLS else ""
    return f"{say_who(names, do.character)} trumps{thing_words}."


@acts("character")
@declares(
    "trump",
    either("character"),
    says=say_trumping,
    records=(
        PlayTrumped,
        hands.CardDiscarded,
        hands.VillainCardUsed,
        hands.CardShown,
        stacks.EffectModifierReturned,
        stacks.EffectModifierRestored,
        stacks.PlaysReturned,
        resisting.HarmUndone,
        resisting.DamageResisted,
        damage.HarmApplied,
        damage.TokensLost,
        damage.CharacterDowned,
        damage.CharacterDazed,
        turns.RecoveryPreEmpted,
        recovery.DamageHealed,
        recovery.HealingFailed,
    ),
)
class Trump:
    """Cancel a play or a roll with a card or a chip.

    `on`: the id of the play. For dice, it is `roll` (of the `action`), `damage` or `resisting` (of the `hit`), or
    `initiative` or `healing` (of the character in `whose`). `change`: the id of a change of the story that was made
    with beads or a card. Its play has the same id. A trumped resisting or healing roll is worked out again, unless the
    character has changed since for another reason. `action` may be empty. `allowed`: whether the game master allows the
    card or chip to cancel a roll. `card_class`: the class you expect, as when you play a card on dice.
    """

    action: ActionId
    character: CharacterId
    on: Annotated[PlayOrRoll, Says("What is trumped")]
    card: CardName | None = None
    chip: ColourName | None = None
    suit: CardSuit | None = None
    part: PartNumber = 0
    allowed: Annotated[
        bool | None, Says("Allowed by the game master", "Whether the game master lets the card or chip cancel a roll.")
    ] = None
    card_class: CardClass | None = None
    hit: HitId = ""
    change: ChangeId = ""
    whose: Annotated[CharacterId, Says("Whose roll", "The character whose initiative or healing roll is trumped.")] = ""


@guards
def may_trump(draft: Draft) -> Refused | None:
    return CANNOT_TRUMP(trump="off") if draft.dials.advanced_trump == "off" else None


@guards
def may_beat_play(draft: Draft, play_below: Play, rank: str, value: int) -> Refused | None:
    """Refuse a card that cannot trump the play. A card can trump beads, a card of a lower class, or a card of the same
    class and a lower value.
    """
    if play_below.kind == "card":
        if (CLASSES[rank], value) <= (CLASSES[play_below.rank], play_below.number):
            return CANNOT_TRUMP(rank=rank, value=value, on=f"{play_below.rank} {play_below.number}")
        return None
    return None if play_below.kind == "beads" else CANNOT_TRUMP(on=play_below.kind)


@guards
def may_cancel_with_chip(draft: Draft, kind: str, colour: str) -> Refused | None:
    """Refuse a chip unless the option allows chips to trump this kind of play. The option can allow only cards, all
    kinds or none. `kind`: the kind of the trumped play.
    """
    option = draft.dials.chip_may_trump
    if option == "none" or kind in ("chip", "fiat") or (option == "cards" and kind != "card"):
        return CANNOT_TRUMP(on=kind, chip=colour)
    return None


@decides
def trump(draft: Draft, do: Trump) -> Asking[None]:
    char_id = do.character
    draft.get_character(char_id)
    require(may_trump(draft))
    target = targets.read_target(draft, targets.Spot(do.action, do.part, do.hit, do.change, do.whose), do.on)
    play_below = piles.find_top_play(target.pile.list_plays(draft), target.on, target.index)
    if do.chip is not None:
        yield from _trump_with_chip(draft, do, target, play_below)
        return
    if do.card is None:
        raise NOTHING_DECLARED.under(stacks.TRUMP_ORDER)
    card = hands.read_card_held(draft, char_id, do.card, stacks.TRUMP_ORDER)
    rank = cards_on_dice.check_card_class(draft, char_id, card, do.suit, [target.element], do.card_class)
    card_value = holdings.find_worth(draft.get_character(char_id), card)
    if play_below is None:
        if not (yield from ask_approval(draft, do.allowed, "a card that cancels a roll")):
            raise make_decline(CANNOT_TRUMP(on="roll"), do.allowed)
    else:
        require(may_beat_play(draft, play_below, rank, card_value))
    origin = hands.use_up_card(draft, char_id, card)
    play = Play(
        draft.table.new_id(),
        char_id,
        "card",
        "trump",
        target.index,
        card_value,
        card=card,
        rank=rank,
        origin=origin,
        session=draft.table.session or "",
        on=play_below.id if play_below is not None else target.on,
    )
    lay_trump_on(draft, target, play)


def lay_trump_on(draft: Draft, target: targets.Target, play: Play, *postings: Posting | None) -> None:
    pile, plays_before = target.pile, target.pile.list_plays(draft)
    draft.tell(pile.subject, PlayTrumped(pile.id, play.id, play, pile.kind), *postings)
    draft.by(stacks.TRUMP_ORDER, play.on, kind=play.kind, rank=play.rank, value=play.number)
    _recount_pile(draft, target, plays_before)


def _recount_pile(draft: Draft, target: targets.Target, plays_before: tuple[Play, ...]) -> None:
    stacks.settle_beads(draft, target.pile)
    if target.pile.kind == "healing":
        recovery.reconsider_healing(draft, target.pile.subject.id)
    elif target.pile.kind == "hit":
        resisting.reconsider_harm(draft, target.pile.id, plays_before)


def _trump_with_chip(draft: Draft, do: Trump, target: targets.Target, play_below: Play | None) -> Asking[None]:
    char_id = do.character
    require(may_use_chips(draft, stacks.TRUMP_ORDER))
    colour = read_chip_colour(do.chip, stacks.TRUMP_ORDER)
    target_kind = play_below.kind if play_below is not None else "roll"
    require(may_cancel_with_chip(draft, target_kind, colour))
    require(may_spend_chips(draft, char_id, {colour: 1}, stacks.TRUMP_ORDER))
    if target_kind == "roll" and not (yield from ask_approval(draft, do.allowed, "a chip that cancels a roll")):
        raise make_decline(CANNOT_TRUMP(on="roll"), do.allowed)
    play = Play(
        draft.table.new_id(),
        char_id,
        "chip",
        "trump",
        target.index,
        CHIPS[colour],
        colour=colour,
        on=play_below.id if play_below is not None else target.on,
    )
    lay_trump_on(draft, target, play, *holdings.list_chip_postings(char_id, {colour: 1}, is_to_bank=True))


# --- trumps by the game master ----------------------------------------------------------------------------------------


def say_cancelled(fact: PlayTrumpedByFiat, names: Names) -> str:
    """Put into words the game master's trump."""
    thing_words = _say_thing(fact.play, fact.pile, fact.action)
    if fact.what is not None and fact.play in piles.ROLLS:
        thing_words = f"{say_who(names, fact.what.by)}'s {piles.DICE_OF[fact.play]}"
    chip_words = f" and gives a {fact.chip} chip for it" if fact.chip else ""
    return say_with(f"The game master trumps {thing_words}{chip_words}", fact.reason)


@fact("play-trumped-by-fiat", says=say_cancelled, headline=4)
class PlayTrumpedByFiat:
    """The game master cancelled a play or a roll. `play`: the id of the play, or the name of the roll. For a roll,
    `what` is the record of the cancellation. `pile`, `action`: as in `play-trumped`.
    """

    action: PileId
    play: PlayOrRoll
    chip: AnyColour
    reason: Reason
    pile: piles.PileKind = "action"
    what: Play | None = None


@changes
def cancel_play(state: piles.Keeper, fact: PlayTrumpedByFiat) -> piles.Keeper | None:
    if fact.what is not None:
        return piles.lay_play(state, fact.pile, fact.action, fact.what)
    plays = piles.find_plays(state, fact.pile, fact.action)
    if plays is None:
        return None
    new_plays = tuple(changed(play, fiat=True, returned=True) if play.id == fact.play else play for play in plays)
    return piles.with_plays(state, fact.pile, fact.action, new_plays)


def say_cancelling(do: TrumpByFiat, names: Names) -> str:
    thing_words = f"the {piles.DICE_OF[do.play]}" if do.play in piles.ROLLS else "the earlier play"
    return say_with(f"The game master trumps {thing_words}", do.reason)


@nobody_acts
@declares(
    "trump-by-fiat",
    GM,
    says=say_cancelling,
    records=(
        PlayTrumpedByFiat,
        stacks.EffectModifierReturned,
        stacks.EffectModifierRestored,
        stacks.PlaysReturned,
        hands.VillainsDrew,
        fate.ChipAwarded,
        resisting.HarmUndone,
        resisting.DamageResisted,
        damage.HarmApplied,
        damage.TokensLost,
        damage.CharacterDowned,
        damage.CharacterDazed,
        turns.RecoveryPreEmpted,
        recovery.DamageHealed,
        recovery.HealingFailed,
    ),
)
class TrumpByFiat:
    """Cancel a play, an action or a roll by a game master's decision, without a card or chip. `chip`: the chip that you
    give the player in return, if any.

    `play`: the id of the play. For dice, use the same words as for a trump; `roll` cancels the action, whether or not
    it was rolled. The other fields are the same as for a trump.
    """

    action: ActionId
    play: Annotated[PlayOrRoll, Says("What is trumped")]
    chip: ColourName | None = None
    reason: Reason = ""
    part: PartNumber = 0
    hit: HitId = ""
    change: ChangeId = ""
    whose: Annotated[CharacterId, Says("Whose roll", "The character whose initiative or healing roll is trumped.")] = ""


@decides
def trump_by_fiat(draft: Draft, do: TrumpByFiat) -> None:
    """Cancel a play, an action or a roll, and give its player a chip if the game master chooses one."""
    target = targets.read_target(draft, targets.Spot(do.action, do.part, do.hit, do.change, do.whose), do.play)
    pile, play = target.pile, target.play
    colour = read_chip_colour(do.chip, TRUMP_FIAT) if do.chip is not None else ""
    if colour:
        require(may_use_chips(draft, TRUMP_FIAT))
        if draft.get_character(target.whose).villain:
            raise NOT_A_PLAYERS_CHARACTER.under(CHIP_VALUE, character=target.whose)
    fiat_play, plays_before = None, pile.list_plays(draft)
    if play is None:
        fiat_play = Play(draft.table.new_id(), target.whose, "fiat", "trump", target.index, colour=colour, on=target.on)
    draft.tell(pile.subject, PlayTrumpedByFiat(pile.id, do.play, colour, do.reason, pile.kind, fiat_play))
    draft.by(TRUMP_FIAT, colour or "no chip", play=do.play)
    if play is not None and not play.returned:
        stacks.give_back_play(draft, pile.id, play)
    if colour:
        postings = holdings.list_chip_postings(target.whose, {colour: 1}, is_to_bank=False)
        draft.about(target.whose, fate.ChipAwarded({colour: 1}, "trumped by fiat", 0), *postings)
    _recount_pile(draft, target, plays_before)


@offers
def offer_trumps(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    for trumpable in targets.list_trumpable(offering):
        yield from _list_fiat_moves(offering, trumpable)
        if may_trump(draft) is None:
            yield from _list_trump_moves(offering, trumpable)


def _list_fiat_moves(offering: Offering, trumpable: targets.Trumpable) -> Iterator[Move]:
    target = trumpable.target
    has_left_game = target.whose not in offering.roster
    colours = (
        () if has_left_game or not offering.has_chips or offering.get_character(target.whose).villain else tuple(CHIPS)
    )
    do = TrumpByFiat(play=target.on, **targets.read_last_values(trumpable))  # type: ignore[arg-type]
    if any(play.returned for play in target.pile.list_plays(offering.draft)) and not offering.is_allowed(
        partial(trump_by_fiat, do=do)
    ):
        return
    fields: Fields = {**trumpable.fields, "play": fix(target.on), "chip": Among((None, *colours))}
    yield Move(TrumpByFiat, fields)


def _list_trump_moves(offering: Offering, trumpable: targets.Trumpable) -> Iterator[Move]:
    play_below, target = trumpable.find_below(offering), trumpable.target
    target_kind = play_below.kind if play_below is not None else "roll"
    target_id = play_below.id if play_below is not None else target.on
    play = Play("new", "", "card", "trump", target.index, on=target_id)
    if target_kind in ("chip", "fiat") or not _can_settle_beads(offering, trumpable, play):
        return
    allowed_domain = AGREED if trumpable.is_bare else LEFT_OUT
    fields: Fields = {**trumpable.fields, "on": fix(target.on), "allowed": allowed_domain}
    for char_id in offering.active_ids:
        cards = tuple(
            card
            for card in offering.list_cards(char_id)
            if _is_better(offering, char_id, card, target.element, play_below)
        )
        if cards:
            yield Move(Trump, {**fields, "character": fix(char_id), "card": Among(cards)})
    for colour in CHIPS if offering.has_chips else ():
        if may_cancel_with_chip(offering.draft, target_kind, colour) is None:
            ids = tuple(char_id for char_id in offering.active_ids if colour in offering.count_chips(char_id))
            if ids:
                yield Move(Trump, {**fields, "character": Among(ids), "chip": fix(colour)})


def _can_settle_beads(offering: Offering, trumpable: targets.Trumpable, play: Play) -> bool:
    """Return whether the beads that the trump restores are still there. The player may have spent them since."""
    target = trumpable.target
    if not any(other_play.returned for other_play in target.pile.list_plays(offering.draft)):
        return True
    return offering.is_allowed(lambda draft: lay_trump_on(draft, target, play))


def _is_better(offering: Offering, char_id: str, card: str, element: str, play_below: Play | None) -> bool:
    rank = find_rank(offering, char_id, card, (element,))
    return (
        play_below is None
        or may_beat_play(offering.draft, play_below, rank, holdings.find_worth(offering.get_character(char_id), card))
        is None
    )
