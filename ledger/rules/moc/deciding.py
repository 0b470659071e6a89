"""Beads, cards and chips that decide an action instead of dice, or make a failure worse (headings "Dice Rolling",
"Chips").
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from ledger.rules.kernel.kit import (
    OPEN,
    Among,
    Asking,
    Between,
    CharacterId,
    Move,
    Names,
    Posting,
    Refusal,
    Refused,
    Says,
    Seen,
    Story,
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
from ledger.rules.moc import beads_used, cards_on_dice, dice, hands, holdings, piles, resolving
from ledger.rules.moc.draft import (
    Draft,
    ProposalVetoed,
    acts,
    ask_approval,
    may_play_beads,
    may_spend_beads,
    may_spend_chips,
    may_use_chips,
    record_veto,
)
from ledger.rules.moc.shown import AGREED, TOLD_LEVELS, Fields, Offering, fix, get_offering, group_ids
from ledger.rules.moc.state import Action, Part, Play, Scene, find_action, find_audience
from ledger.rules.moc.types import (
    ActionId,
    Approval,
    CardName,
    ColourName,
    ElementName,
    HowMany,
    Level,
    PartNumber,
    PlayId,
)
from ledger.rules.moc.words import (
    ALREADY_ROLLED,
    CHIPS,
    CHIPS_NOT_HELD,
    GM_APPROVAL_NEEDED,
    LEVEL_NAMES,
    LEVELS,
    NEGATIVE_BEADS,
    NO_BEADS_PLAYED,
    NOTHING_DECLARED,
    read_chip_colour,
    read_element,
    read_level,
    read_whole,
    say_level,
    say_who,
    say_with,
)

WITHOUT_DICE = rule(
    "moc.action.by-em",
    "An Effect Modifier (EM) is a bead, card or chip. If the game master approves, a player can decide an "
    "action with an EM instead of dice, and then describes what happens.",
    "Dice Rolling",
)
ALREADY_DETERMINED = Refusal(
    WITHOUT_DICE, "already-determined", "A bead, card or chip has already decided the result of this action."
)
NOT_AN_OPPONENT = Refusal(dice.RESOLVE, "not-an-opponent", "{character} is not an opponent in this action.")
ALREADY_SUCCESS = Refusal(resolving.CHIP_AUTOMATIC_SUCCESS, "already-success", "The action is already a Success.")


def _list_spending_fields(offering: Offering, ids: tuple[str, ...], *, may_be_several: bool) -> Iterator[Fields]:
    """Yield the fields for each Effect Modifier (EM) that can be spent: beads (more than one if `may_be_several`), a
    card or a chip. Characters who can spend the same EMs are grouped.
    """
    pairs = ((char_id, tuple(offering.count_playable_beads(char_id).items())) for char_id in ids)
    for bead_counts, owner_ids in group_ids(pairs).items():
        for most_beads in {n for _, n in bead_counts} if may_be_several else {1} if bead_counts else ():
            elements = tuple(element for element, n in bead_counts if n == most_beads or not may_be_several)
            fields: Fields = {"character": Among(owner_ids), "element": Among(elements)}
            yield {**fields, "number": Between(1, most_beads)} if may_be_several else fields
    for char_id in ids:
        if cards := offering.list_cards(char_id):
            yield {"character": fix(char_id), "card": Among(cards)}
    if offering.has_chips:
        for colour in CHIPS:
            owner_ids = tuple(char_id for char_id in ids if colour in offering.count_chips(char_id))
            if owner_ids:
                yield {"character": Among(owner_ids), "chip": fix(colour)}


def say_determined(fact: ActionDetermined, names: Names) -> str:
    play = fact.what
    return say_with(
        f"{say_who(names, play.by)} plays {piles.say_play(play)} instead of rolling, for {say_level(fact.level)}",
        fact.text,
    )


@fact("action-determined", says=say_determined, headline=7)
class ActionDetermined:
    """A bead, card or chip decided the action instead of dice. `level`: the number of the level of success. `text`: the
    player's description.
    """

    action: ActionId
    play: PlayId
    what: Play
    level: int
    text: Story


@changes
def add_deciding_play(state: Scene, fact: ActionDetermined) -> Scene | None:
    return piles.with_play(state, fact.action, fact.what)


@acts("character")
@declares(
    "determine-action",
    either("character"),
    says="{character} wants to decide the action without dice: {text}.",
    records=(
        ActionDetermined,
        resolving.ConsequenceTold,
        hands.CardDiscarded,
        hands.VillainCardUsed,
        hands.CardShown,
        ProposalVetoed,
    ),
)
class DetermineAction:
    """Decide an action with an Effect Modifier (EM) instead of dice, with the game master's approval. The EM is a
    `card`, a `chip`, or a `number` of beads of an `element`.

    `text`: a description of what happens. `consequence`: a description of what goes wrong. `level`: the level of
    success that results; leave it out for the level required.
    """

    action: ActionId
    character: CharacterId
    text: Story
    element: ElementName | None = None
    number: Annotated[HowMany, Says("Beads", "How many beads of the Element decide the action.")] = 1
    card: CardName | None = None
    chip: ColourName | None = None
    level: Level | None = None
    consequence: Story = ""
    part: PartNumber = 0
    approved: Approval = None


@guards
def may_decide(draft: Draft, action: Action, part_index: int) -> Refused | None:
    """Refuse an EM after the roll, or if the action is already decided without dice."""
    if action.parts[part_index].rolled:
        return ALREADY_ROLLED.under(WITHOUT_DICE, part=part_index)
    return ALREADY_DETERMINED(part=part_index) if dice.find_outcome(draft.dials, action, part_index).is_sure else None


@decides
def determine_action(draft: Draft, do: DetermineAction) -> Asking[None]:
    """Decide the action with an approved EM instead of dice. The player describes the result."""
    char_id = do.character
    draft.get_character(char_id)
    action = draft.get_action(do.action)
    part_index, part = draft.locate_part(action, do.part)
    require(beads_used.may_help(draft, action, char_id))
    require(may_decide(draft, action, part_index))
    level = part.roll.required if do.level is None else read_level(do.level, WITHOUT_DICE)
    if not do.text.strip():
        raise NOTHING_DECLARED.under(WITHOUT_DICE, text=do.text)
    play = _make_play(draft, do, "determine", part_index, part, WITHOUT_DICE)
    outcome_text = f"{do.text} ({LEVEL_NAMES[level]})" + (f" But: {do.consequence}" if do.consequence else "")
    if not (yield from ask_approval(draft, do.approved, f"an action decided without dice: {outcome_text}")):
        record_veto(draft, char_id, WITHOUT_DICE, do.approved, do.text)
        return
    play, postings = _spend_play(draft, play, level)
    draft.here(ActionDetermined(action.id, play.id, play, level, do.text), *postings)
    draft.by(WITHOUT_DICE, LEVEL_NAMES[level], kind=play.kind, part=part_index)
    if do.consequence:
        draft.here(resolving.ConsequenceTold(action.id, "player", do.consequence, True))
        draft.by(dice.MEANING, True, author="player")


def _make_play(
    draft: Draft, do: DetermineAction | ShiftFailure, use: str, part_index: int, part: Part, rule: str
) -> Play:
    """Return the play of the one EM that is spent. Refuses `nothing-declared`, and the codes of its kind of EM."""
    char_id = do.character
    if sum(em is not None for em in (do.element, do.card, do.chip)) != 1:
        raise NOTHING_DECLARED.under(rule)
    play_id = draft.table.new_id()
    if do.element is not None:
        number_sent = do.number if isinstance(do, DetermineAction) else 1
        bead_count = read_whole(number_sent, NEGATIVE_BEADS, rule)
        if bead_count == 0:
            raise NO_BEADS_PLAYED.under(rule)
        element = read_element(do.element, rule)
        require(may_play_beads(draft, char_id))
        require(may_spend_beads(draft, char_id, element, bead_count, rule))
        return Play(play_id, char_id, "beads", use, part_index, bead_count, element)
    if do.card is not None:
        card = hands.read_card_held(draft, char_id, do.card, rule)
        rank = cards_on_dice.check_card_class(draft, char_id, card, None, [part.roll.element])
        card_value, session = holdings.find_worth(draft.get_character(do.character), card), draft.table.session or ""
        return Play(play_id, char_id, "card", use, part_index, card_value, card=card, rank=rank, session=session)
    require(may_use_chips(draft, rule))
    colour = read_chip_colour(do.chip, rule)
    require(may_spend_chips(draft, char_id, {colour: 1}, rule))
    return Play(play_id, char_id, "chip", use, part_index, CHIPS[colour], colour=colour)


def _spend_play(draft: Draft, play: Play, success_count: int = 0) -> tuple[Play, list[Posting | None]]:
    """Return the play as it is recorded, and the postings that pay for it."""
    postings: list[Posting | None] = []
    origin = ""
    if play.kind == "beads":
        postings = [
            holdings.make_posting(holdings.name_bead_account(play.by, play.element), holdings.SPENT, play.number)
        ]
    elif play.kind == "card":
        origin = hands.use_up_card(draft, play.by, play.card)
    else:
        postings = list(holdings.list_chip_postings(play.by, {play.colour: 1}, is_to_bank=True))
    return changed(play, origin=origin, successes=success_count), postings


def list_deciding_moves(offering: Offering, action: Action, part_index: int, part: Part) -> Iterator[Move]:
    """Yield moves in which an EM decides the action before the roll."""
    if may_decide(offering.draft, action, part_index) is not None:
        return
    fields: Fields = {
        "action": fix(action.id),
        "part": fix(part_index),
        "text": OPEN,
        "level": Among((None, *TOLD_LEVELS)),
        "approved": AGREED,
    }
    ids = tuple(
        char_id for char_id in offering.active_ids if beads_used.may_help(offering.draft, action, char_id) is None
    )
    for em_fields in _list_spending_fields(offering, ids, may_be_several=True):
        yield Move(DetermineAction, {**fields, **em_fields})


def say_shifted(fact: FailureShifted, names: Names) -> str:
    return (
        f"{say_who(names, fact.what.by)} turns a Failure into a Spectacular Failure with {piles.say_play(fact.what)}."
    )


@fact("failure-shifted", says=say_shifted, headline=10)
class FailureShifted:
    """An opponent turned a Failure into a Spectacular Failure."""

    action: ActionId
    play: PlayId
    what: Play


@changes
def add_shift(state: Scene, fact: FailureShifted) -> Scene | None:
    return piles.with_play(state, fact.action, fact.what)


@acts("character")
@declares(
    "shift-failure",
    either("character"),
    says="{character} turns a Failure into a Spectacular Failure.",
    records=(FailureShifted, hands.CardDiscarded, hands.VillainCardUsed, hands.CardShown),
)
class ShiftFailure:
    """Spend a bead (`element`), a `card` or a `chip` to turn an opponent's Failure into a Spectacular Failure."""

    action: ActionId
    character: CharacterId
    element: ElementName | None = None
    card: CardName | None = None
    chip: ColourName | None = None
    part: PartNumber = 0


@guards
def may_oppose(draft: Draft, action: Action, char_id: str) -> Refused | None:
    return NOT_AN_OPPONENT(character=char_id) if action.character == char_id else None


@decides
def shift_failure(draft: Draft, do: ShiftFailure) -> None:
    """Spend an opponent's EM to turn a Failure into a Spectacular Failure."""
    char_id = do.character
    draft.get_character(char_id)
    action = draft.get_action(do.action)
    part_index, part = draft.locate_part(action, do.part)
    require(may_oppose(draft, action, char_id))
    play, postings = _spend_play(draft, _make_play(draft, do, "shift", part_index, part, dice.RESOLVE))
    draft.here(FailureShifted(action.id, play.id, play), *postings)
    draft.by(dice.RESOLVE, "shifted", kind=play.kind)


def list_shifting_moves(offering: Offering, action: Action, part_index: int) -> Iterator[Move]:
    """Yield moves in which any character except the acting one spends an EM to shift the Failure."""
    ids = tuple(char_id for char_id in offering.active_ids if may_oppose(offering.draft, action, char_id) is None)
    for em_fields in _list_spending_fields(offering, ids, may_be_several=False):
        yield Move(ShiftFailure, {"action": fix(action.id), "part": fix(part_index), **em_fields})


@fact("automatic-success-claimed", says="A white chip is offered to make the action a Success.", changes=None)
class AutomaticSuccessClaimed:
    """A player claimed a Success for a white chip."""

    action: ActionId
    part: int


@fact(
    "automatic-success-approved",
    says="{character} offers a white chip to make the action a Success, and it becomes one.",
    headline=9,
)
class AutomaticSuccessApproved:
    """The game master approved a white chip that makes the action a Success."""

    action: ActionId
    part: int
    character: CharacterId


@changes
def take_white_chip(state: Scene, fact: AutomaticSuccessApproved) -> Scene | None:
    return piles.put_action(state, piles.with_part(find_action(state, fact.action), fact.part, white=fact.character))


@acts("character")
@declares(
    "claim-success",
    either("character"),
    says="{character} offers a {chip} chip to make the action a Success.",
    records=(AutomaticSuccessClaimed, AutomaticSuccessApproved),
)
class ClaimSuccess:
    """Make an action a Success with a white chip. `approved`: whether the game master agrees.

    If the roll is hidden from you, the chip is taken whatever was rolled, and comes back if the roll turns out not to
    need it.
    """

    action: ActionId
    character: CharacterId
    part: PartNumber = 0
    chip: ColourName = "white"
    approved: Approval = None


@guards
def may_claim_success(draft: Draft, action: Action, part_index: int) -> Refused | None:
    """Refuse a white chip for an action that already is a Success, if the viewer sees the roll."""
    part, outcome = action.parts[part_index], dice.find_outcome(draft.dials, action, part_index)
    if outcome.is_free and not outcome.is_trumped:
        return beads_used.FREE_SUCCESS_FIXED(part=part_index)
    if part.white:
        return ALREADY_SUCCESS(part=part_index)
    level = dice.find_current_level(part, outcome)
    is_known = bool(part.claims) or draft.table.by.may_see(find_audience(action, part_index))
    return ALREADY_SUCCESS(level=level) if part.rolled and is_known and level >= LEVELS["success"] else None


@decides
def claim_success(draft: Draft, do: ClaimSuccess) -> Asking[None]:
    """Claim a Success with a white chip. A claim is possible even after the roll and all trumps."""
    char_id = do.character
    require(may_use_chips(draft, resolving.CHIP_AUTOMATIC_SUCCESS))
    colour = read_chip_colour(do.chip, resolving.CHIP_AUTOMATIC_SUCCESS)
    action = draft.get_action(do.action)
    part_index, _ = draft.locate_part(action, do.part)
    if colour != "white":
        raise CHIPS_NOT_HELD.under(resolving.CHIP_AUTOMATIC_SUCCESS, chip="white", given=colour)
    require(may_spend_chips(draft, char_id, {"white": 1}, resolving.CHIP_AUTOMATIC_SUCCESS))
    require(may_claim_success(draft, action, part_index))
    require(beads_used.may_help(draft, action, char_id))
    is_agreed = yield from ask_approval(draft, do.approved, "a white chip that makes this action a Success")
    if not is_agreed and do.approved is False:
        raise GM_APPROVAL_NEEDED.under(resolving.CHIP_AUTOMATIC_SUCCESS, action=action.id)
    draft.here(AutomaticSuccessClaimed(action.id, part_index))
    if is_agreed:
        postings = holdings.list_chip_postings(char_id, {"white": 1}, is_to_bank=True)
        draft.here(AutomaticSuccessApproved(action.id, part_index, char_id), *postings)
    draft.by(resolving.CHIP_AUTOMATIC_SUCCESS, is_agreed, part=part_index)


def list_white_chip_moves(offering: Offering, action: Action, part_index: int, part: Part) -> Iterator[Move]:
    """Yield moves that play a white chip. For a hidden roll, they are offered whatever the dice show."""
    if not offering.has_chips or may_claim_success(offering.draft, action, part_index) is not None:
        return
    ids = tuple(
        char_id
        for char_id in offering.active_ids
        if beads_used.may_help(offering.draft, action, char_id) is None and "white" in offering.count_chips(char_id)
    )
    if ids:
        fields: Fields = {"action": fix(action.id), "part": fix(part_index), "character": Among(ids)}
        yield Move(ClaimSuccess, {**fields, "approved": AGREED})


@offers
def offer_to_decide(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    for action, part_index, part in offering.list_declared_parts():
        yield from list_white_chip_moves(offering, action, part_index, part)
        yield from list_deciding_moves(offering, action, part_index, part)
        yield from list_shifting_moves(offering, action, part_index)
