"""A purchase, from the roll to the goods: Credit over the seller's Social, and the agreement between buyer and seller.

Heading: Character wealth and social status.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from typing import Annotated, Any

from ledger.rules.kernel.kit import (
    Among,
    Asking,
    Between,
    CharacterId,
    Names,
    Question,
    Reason,
    Ref,
    Refusal,
    Refused,
    Says,
    Shape,
    SharedRefusal,
    Title,
    ask,
    character,
    choice,
    fact,
    require,
    rule,
)
from ledger.rules.mongrel import (
    accounts,
    acting,
    clock,
    counting,
    credit,
    hits,
    possessions,
    sessions,
    sorcery,
    tasks,
    turns,
)
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.draft import BAD_AMOUNT, GAME_MASTER, Draft, ask_again_if_refused, find_asked_seat
from ledger.rules.mongrel.sight import NOTHING
from ledger.rules.mongrel.state import Possession
from ledger.rules.mongrel.terms import (
    Amount,
    Difficulty,
    DifficultyReason,
    Faces,
    House,
    HouseName,
    Natural,
    Number,
    PowerOptions,
    PurchaseOutcome,
    Special,
    WorthAsArmour,
    WorthAsWeapon,
    is_whole,
    say,
    write_word,
)

PURCHASE = rule(
    "mongrel.credit.purchase",
    "It takes one roll to buy an item that is available. The buyer chooses the House whose Credit counts. A die is"
    " good if it shows at least the seller's Social and at most the buyer's Credit with that House. One good die "
    "is enough. A possession of another character is for sale only if that character's player agrees. If that "
    "character has no player, a game master must agree (our reading).",
    "Character wealth and social status",
)
NO_AMOUNT = Refusal(PURCHASE, "bad-amount", "The seller only agrees or declines. Leave the amount out.")

ASK_SALE = Question("sale", "{purpose}")


@fact("sale-declined", says="{seller} does not sell {item} to {buyer}.", headline=8, changes=None)
class SaleDeclined:
    """The seller's side declined to sell. Nothing was rolled."""

    buyer: CharacterId
    item: Title
    seller: CharacterId
    possession: Annotated[str, Ref("possession", of="seller")]


def say_bargain(fact: PurchaseRolled, names: Names) -> str:
    phrases_by_outcome = {
        "acquired": "{buyer} closes the deal for {item}[ with {seller}]: Effect {effect}.",
        "sacrifice-offered": "{buyer} can buy {item} only by giving up Credit.",
        "refused-by-seller": "{buyer} is turned down[ by {seller}] and does not get {item}.",
    }
    return say(phrases_by_outcome[fact.outcome], fact, names)


@fact("purchase-rolled", says=say_bargain, headline=12, changes=None)
class PurchaseRolled:
    """A purchase was rolled. `tn`: the target number from the seller's Social. `good`: how many dice count for the
    Effect.
    """

    buyer: CharacterId
    item: Title
    house: House
    seller: CharacterId | None
    outcome: PurchaseOutcome
    tn: int
    credit: int
    good: int
    special_social: Special | None
    special_credit: Special | None
    effect: int


@fact("purchase-resisted", says="{seller} resists, and {buyer} does not get {item}.", headline=7, changes=None)
class PurchaseResisted:
    """A purchase by Occult failed, because Resist left no Effect."""

    buyer: CharacterId
    item: Title
    seller: CharacterId


@fact("credit-sacrificed", says="{buyer} gives up {amount} Credit with House {house}[ to {seller}].", changes=None)
class CreditSacrificed:
    """A buyer gave up Credit to get an item."""

    buyer: CharacterId
    house: House
    amount: int
    seller: CharacterId | None


PURCHASE_FACTS = (
    SaleDeclined,
    tasks.TaskDeclared,
    tasks.DiceRolled,
    PurchaseRolled,
    PurchaseResisted,
    CreditSacrificed,
    possessions.ItemPartedWith,
    possessions.ItemAcquired,
    sessions.FeaturesUsed,
)


@dataclass(frozen=True)
class Sale:
    """The fields that both kinds of purchase have in common."""

    __slots__ = ()  # the declarations that inherit from this class define the slots
    buyer: CharacterId
    item: Title
    house: HouseName
    _: KW_ONLY
    power: PowerOptions = ()
    seller: CharacterId | None = None
    social: Annotated[
        Natural | None,
        Says(
            "Seller's Social score",
            "For a seller who is not a character. If you do not know the score, leave it out: a game master is asked.",
        ),
    ] = None
    difficulty: Difficulty = 0
    reason: DifficultyReason = ""
    available: Annotated[bool, Says("Available", "Whether the item can be bought at all.")] = True
    faces: Faces | None = None
    sacrifice: Annotated[Amount | None, Says("Credit to give up")] = None
    weapon: WorthAsWeapon | None = None
    armour: WorthAsArmour | None = None
    possession: Annotated[str, Ref("possession", of="seller")] | None = None
    agreed: Annotated[Reason | None, Says("Why the seller agrees")] = None


# --- possible purchases ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Deal:
    """A declared purchase that passed its checks, with the draft in which it is recorded.

    `tn`: the target number, from the seller's Social. `held`: the buyer's Credit. `typed`: the dice, if they were
    typed. `weapon`, `armour`: the item's values as a weapon and as armour. `extra`: the bonus to the Effect from
    additional Resolve.
    """

    draft: Draft
    do: Sale
    pool: tasks.Pool
    typed: tuple[int, ...] | None
    house: House
    difficulty: int
    tn: int
    held: int
    weapon: int | None
    armour: int | None
    extra: int = 0


def add_item_name(draft: Draft, do: Sale) -> Sale:
    """Return the sale. If it names no item, it gets the possession's own name."""
    if do.item.strip() or do.possession is None or do.seller is None:
        return do
    return replace(do, item=draft.read_character(do.seller).possessions[do.possession].item)


def _name_item(deal: Deal) -> str:
    """Return the possession's own name, whatever the buyer calls it."""
    draft, do = deal.draft, deal.do
    if do.possession is None or do.seller is None:
        return do.item
    item_name = draft.read_character(do.seller).possessions[do.possession].item
    return item_name if do.item.strip() == item_name else f"{item_name} (which the buyer calls {do.item.strip()})"


def ask_if_for_sale(deal: Deal) -> Asking[bool]:
    """Return whether a possession is for sale at all, before any dice are rolled (`mongrel.credit.purchase`)."""
    draft, do = deal.draft, deal.do
    if do.possession is None or do.seller is None:
        return True
    question = f"Is {_name_item(deal)} for sale to {draft.table.name(character(do.buyer))}?"
    if _has_consent(deal):
        return True
    is_agreed = yield from _ask_seller(deal, PURCHASE, ASK_SALE(do.possession), question)
    if not is_agreed:
        draft.about(do.buyer, SaleDeclined(do.buyer, do.item, do.seller, do.possession))
        draft.by(PURCHASE, "not for sale", item=do.item, seller=do.seller)
    return is_agreed


# --- the roll --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bargain:
    """The result of the dice of a purchase. `is_flat`: whether the Effect is 1 whatever the Identity."""

    outcome: PurchaseOutcome
    good: int
    social: counting.Count
    credit: counting.Count
    is_flat: bool


def count_bargain(faces: tuple[int, ...], pool: tasks.Pool, tn: int, credit: int, dials: Dials) -> Bargain:
    """Return the result of both tests with their special cases, and how many dice meet both numbers
    (`mongrel.credit.purchase`).
    """
    if pool.value:
        return _count_roll(faces, tn, credit, dials)
    bargains = [_count_roll((face,), tn, credit, dials) for face in faces]
    outcome: PurchaseOutcome = "refused-by-seller"
    if all(bargain.outcome == "acquired" for bargain in bargains):
        outcome = "acquired"
    elif all(bargain.credit.is_success for bargain in bargains):
        outcome = "sacrifice-offered"
    social_count = counting.Count(outcome == "acquired", 0, "zero-expertise", is_flat=True)
    credit_count = counting.Count(outcome != "refused-by-seller", 0, "zero-expertise", is_flat=True)
    return Bargain(outcome, sum(bargain.good for bargain in bargains), social_count, credit_count, is_flat=True)


def _count_roll(faces: tuple[int, ...], tn: int, credit: int, dials: Dials) -> Bargain:
    social_count, credit_count = counting.count(faces, tn, "target", dials), counting.count(faces, credit, "own", dials)
    faces_over_social = [face for face in faces if counting.is_good_face(face, tn, "target")]
    good_count = len([face for face in faces_over_social if counting.is_good_face(face, credit, "own")])
    has_both = social_count.is_success and credit_count.is_success
    is_flat = social_count.is_flat or credit_count.is_flat
    if not dials.purchase_same_die:
        good_count = len(faces_over_social)
        is_acquired = has_both
    else:
        is_acquired = has_both and good_count > 0
    outcome: PurchaseOutcome = (
        "acquired" if is_acquired else "sacrifice-offered" if credit_count.is_success else "refused-by-seller"
    )
    return Bargain(outcome, good_count, social_count, credit_count, is_flat)


def roll_bargain(deal: Deal, strife: acting.Strife | None) -> Asking[None]:
    draft, do, pool = deal.draft, deal.do, deal.pool
    clock.end_recovery(draft, do.buyer)
    declared = tasks.TaskDeclared(
        do.buyer, pool.expertise, do.power, None, "social", do.seller, do.item, deal.difficulty, do.reason, 0, ""
    )
    draft.about(do.buyer, declared)
    faces = yield from tasks.ask_for_faces(draft, pool, deal.typed)
    bargain = count_bargain(faces, pool, deal.tn, deal.held, draft.dials)
    effect = _work_out_effect(deal, bargain)
    fact = PurchaseRolled(
        do.buyer,
        do.item,
        deal.house,
        do.seller,
        bargain.outcome,
        deal.tn,
        deal.held,
        bargain.good,
        bargain.social.special,
        bargain.credit.special,
        effect,
    )
    draft.about(do.buyer, fact)
    draft.by(PURCHASE, bargain.outcome, tn=deal.tn, credit=deal.held, faces=list(faces), good=bargain.good)
    if strife is not None and bargain.outcome != "acquired":
        turns.pay_ap(draft, do.buyer, "missed")
    if bargain.outcome == "acquired":
        yield from _complete_purchase(deal, effect)
    elif bargain.outcome == "sacrifice-offered":
        yield from _give_up_credit(deal)
    _mark_used(deal)


def _work_out_effect(deal: Deal, bargain: Bargain) -> int:
    if bargain.outcome != "acquired":
        return 0
    draft, pool = deal.draft, deal.pool
    effect = 1
    if not bargain.is_flat:
        identity = draft.read_character(pool.actor).identity.get(pool.identity, 0)
        effect = bargain.good + identity + (deal.tn if draft.dials.effect_adds_tn else 0)
        draft.by(tasks.BASE_EFFECT, effect, good=bargain.good, identity=identity)
    if deal.extra:
        draft.by(tasks.CHANGED_EFFECT, effect + deal.extra, raised=effect, occult=deal.extra)
    return effect + deal.extra


def _complete_purchase(deal: Deal, effect: int) -> Asking[None]:
    """Complete the purchase if an Effect of at least 1 is left. The seller may resist a purchase by Occult."""
    draft, do = deal.draft, deal.do
    if deal.pool.expertise == "occult" and do.seller is not None:
        remaining_effect = yield from sorcery.ask_to_resist(draft, do.seller, effect, "occult")
        if not remaining_effect:
            draft.about(do.buyer, PurchaseResisted(do.buyer, do.item, do.seller))
            draft.by(PURCHASE, "resisted", effect=effect)
            return
    _hand_over_item(deal, 0)


def _hand_over_item(deal: Deal, credit: int) -> None:
    """Give the item to the buyer, and take a possession from its seller (`mongrel.item.had`)."""
    draft, do = deal.draft, deal.do
    if do.possession is not None and do.seller is not None:
        possessions.part_with(draft, do.seller, do.possession, do.buyer, "sold")
    possession = Possession(do.item, credit, deal.house if credit else None, deal.weapon, deal.armour)
    possessions.acquire(draft, do.buyer, possession)
    draft.by(possessions.HAD, do.item, character=do.buyer, credit=credit)


def _mark_used(deal: Deal) -> None:
    draft, do, pool = deal.draft, deal.do, deal.pool
    draft.mark(do.buyer, pool.expertise, pool.identity, *((pool.augmented,) if pool.augmented else ()))
    if do.seller is not None:
        draft.mark(do.seller, "social")
    sessions.record_used_features(draft)


# --- giving up Credit ------------------------------------------------------------------------------------------------

SACRIFICE = rule(
    "mongrel.credit.sacrifice",
    "If the roll succeeds against the buyer's Credit but is not good enough to buy the item, the buyer may still"
    " get it by giving the seller an amount of Credit that both agree on. The seller is asked to agree once the"
    " amount is known.",
    "Character wealth and social status",
)
AGREED_BLANK = SharedRefusal(
    "agreed-blank",
    "Say why the seller agrees.",
)

ASK_SACRIFICE = Question("sacrifice", "{purpose}")
ASK_PRICE = Question("price", "{purpose}")


@choice("sacrifice", by="asked", says="The buyer offers {amount} Credit.")
class Sacrifice:
    """Offer to give up this amount of Credit. The seller must agree to it."""

    amount: Amount


def may_give_up(amount: Number, credit_held: int) -> Refused | None:
    """Refuse an amount below 1, or more Credit than the buyer has."""
    if not is_whole(amount) or amount < 1:
        return BAD_AMOUNT.under(SACRIFICE, amount=repr(amount))
    return credit.CREDIT_SHORT.under(SACRIFICE, amount=amount, credit=credit_held) if amount > credit_held else None


def may_declare_agreement(draft: Draft, do: Sale) -> Refused | None:
    """Refuse an agreement declared by anybody except a game master, or without a reason."""
    if do.agreed is None:
        return None
    if draft.table.by.role != "gm":
        return hits.NOT_YOURS.under(SACRIFICE, agreed=do.agreed)
    return None if do.agreed.strip() else AGREED_BLANK.under(SACRIFICE)


def _give_up_credit(deal: Deal) -> Asking[None]:
    """Move the agreed Credit between the buyer's and the seller's accounts with the same House."""
    draft, do = deal.draft, deal.do
    amount = yield from ask_for_offer(deal)
    is_agreed = amount is not None and (yield from ask_for_agreement(deal, amount))
    if amount is None or not is_agreed:
        draft.by(SACRIFICE, "no deal", offered=amount)
        return
    house = deal.house
    target_account = accounts.name_credit(do.seller, house) if do.seller is not None else accounts.name_world(house)
    fact = CreditSacrificed(do.buyer, house, amount, do.seller)
    draft.about(do.buyer, fact, accounts.make_posting(accounts.name_credit(do.buyer, house), target_account, amount))
    _hand_over_item(deal, amount)
    consent_inputs = {"agreed": do.agreed} if do.agreed else {}
    draft.by(SACRIFICE, amount, None, house=house, seller=do.seller, **consent_inputs)


def ask_for_offer(deal: Deal) -> Asking[int | None]:
    """Return how much Credit the buyer offers, or None for nothing."""
    draft, do, house = deal.draft, deal.do, deal.house
    if do.sacrifice is not None:
        assert is_whole(do.sacrifice)
        return do.sacrifice
    asked_seat = find_asked_seat(draft, do.buyer)
    purpose = f"How much Credit with House {write_word(house)} is offered for {do.item}?"
    kinds, slot = (Sacrifice, credit.NoDeal, credit.SpeakFor), ASK_SACRIFICE(house)
    answer: Any = yield from ask(asked_seat, *kinds, slot=slot, purpose=purpose, within=list_offer_shapes(deal.held))
    if isinstance(answer, credit.NoDeal) or (
        isinstance(answer, credit.SpeakFor) and not credit.read_answer_for(draft, asked_seat, SACRIFICE, answer)
    ):
        return None
    with ask_again_if_refused():
        require(may_give_up(answer.amount, deal.held))
    return int(answer.amount)


def list_offer_shapes(credit_held: int) -> Iterator[Shape]:
    """Yield the offers that the buyer, or a game master for the buyer, can make (`mongrel.credit.sacrifice`)."""
    amount = Between(1, credit_held) if credit_held else NOTHING
    yield Shape(Sacrifice, {"amount": amount})
    yield Shape(credit.SpeakFor, {"agreed": Among((True,)), "amount": amount})
    yield Shape(credit.SpeakFor, {"agreed": Among((False,))})


def ask_for_agreement(deal: Deal, amount: int) -> Asking[bool]:
    """Return whether the seller agrees. Nobody is asked if the declaration names the price and carries the seller's
    consent (`mongrel.credit.sacrifice`).
    """
    draft, do, house = deal.draft, deal.do, deal.house
    if do.sacrifice is not None and _has_consent(deal):
        return True
    buyer, price = draft.table.name(character(do.buyer)), f"{amount} Credit with House {write_word(house)}"
    purpose = f"Is {_name_item(deal)} sold to {buyer} for {price}?"
    return (yield from _ask_seller(deal, SACRIFICE, ASK_PRICE(house), purpose))


def _has_consent(deal: Deal) -> bool:
    """Return whether the declaration itself gives the seller's consent."""
    draft, do = deal.draft, deal.do
    asked_seat, declarer = find_asked_seat(draft, do.seller), draft.table.by
    return do.agreed is not None or (
        declarer.role == "gm" if asked_seat == GAME_MASTER else declarer.seat == asked_seat
    )


def _ask_seller(deal: Deal, rule: str, slot: str, purpose: str) -> Asking[bool]:
    asked_seat = find_asked_seat(deal.draft, deal.do.seller)
    return (yield from credit.ask_for_consent(deal.draft, asked_seat, rule, slot, purpose))
