"""Credit with the Houses, and how it moves. Heading: Character wealth and social status."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any

from ledger.rules.kernel.kit import (
    GM,
    OPEN,
    Among,
    Asking,
    Between,
    CharacterId,
    Domain,
    Move,
    Names,
    Posting,
    Reason,
    Refusal,
    Says,
    Seen,
    Shape,
    SharedRefusal,
    Speech,
    Story,
    Unfit,
    ask,
    changed,
    changes,
    choice,
    decides,
    declares,
    either,
    fact,
    offers,
    once_created,
    require,
    rule,
)
from ledger.rules.mongrel import accounts, acting, houses, turns
from ledger.rules.mongrel.draft import BAD_AMOUNT, BAD_SCORE, Draft
from ledger.rules.mongrel.sight import NONE, Fields, get_sight, group_ids
from ledger.rules.mongrel.state import Character, add_to_score
from ledger.rules.mongrel.terms import (
    HOUSES,
    Amount,
    Change,
    House,
    HouseName,
    Natural,
    SocialCause,
    is_house,
    is_natural,
    is_whole,
    say,
    say_called,
    whether,
    write_word,
)


def check_house(house: str, rule: str) -> House:
    """Return the House. Refuses `house-unknown`."""
    if not is_house(house):
        raise houses.HOUSE_UNKNOWN.under(rule, house=house)
    return house


def list_postings(character_id: str, house: str, change: int) -> tuple[Posting | None, ...]:
    """Return the postings: gains come from the House, losses go back to it."""
    own_account, house_account = accounts.name_credit(character_id, house), accounts.name_issuer(house)
    gain = accounts.make_posting(house_account, own_account, change)
    return (gain, accounts.make_posting(own_account, house_account, -change))


# --- between two Houses ----------------------------------------------------------------------------------------------

TRANSFER = rule(
    "mongrel.credit.transfer",
    "A character can move Credit between their accounts with two Houses. One account loses 2 points for each point"
    " that the other gains.",
    "Character wealth and social status",
)
CREDIT_SHORT = SharedRefusal(
    "credit-short",
    "The account has {credit} Credit[; this costs {needed}][; this costs {amount}][; it cannot cover a change of"
    " {change}].",
)
SAME_ACCOUNT = Refusal(
    TRANSFER,
    "same-account",
    "Credit can be moved only from an account with one House to an account with another.",
)


#: Fill in a sentence about two Houses.
say_between = Speech({"source": say_called, "target": say_called}).say


@fact(
    "credit-transferred",
    says=partial(
        say_between, "{character} gives up {debited} Credit with House {source} for {credited} with House {target}."
    ),
    changes=None,
)
class CreditTransferred:
    """A character moved Credit from one House to another. `debited`: how much the first account lost. `credited`: how
    much the other gained.
    """

    character: CharacterId
    source: House
    target: HouseName
    debited: int
    credited: int


@declares(
    "transfer-credit",
    either("character"),
    says=partial(
        say_between, "{character} transfers Credit from House {source} to House {target}, to gain {credited} there."
    ),
    records=(CreditTransferred, *turns.IN_TURN_FACTS),
)
class TransferCredit:
    """Move Credit between a character's accounts with two Houses."""

    character: CharacterId
    source: Annotated[HouseName, Says("From House")]
    target: Annotated[HouseName, Says("To House")]
    credited: Annotated[Amount, Says("Credit gained", "The account that the Credit comes from loses twice as much.")]


@decides
@turns.in_its_turn
def transfer(draft: Draft, do: TransferCredit) -> None:
    """Move Credit between two accounts of a character, losing two points for each one gained."""
    character_id = do.character
    acting.check_alive(draft, character_id)
    require(acting.may_be_active(draft, character_id, by_words_only=True))
    if do.source == do.target:
        raise SAME_ACCOUNT(house=do.source)
    credited_amount = do.credited if is_whole(do.credited) and do.credited >= 1 else None
    credit_held = draft.balance(accounts.name_credit(character_id, do.source)) if is_house(do.source) else None
    if credited_amount is not None and credit_held is not None and 2 * credited_amount > credit_held:
        raise CREDIT_SHORT.under(TRANSFER, needed=2 * credited_amount, credit=credit_held)
    if credited_amount is None:
        raise BAD_AMOUNT.under(TRANSFER, credited=repr(do.credited))
    source, target = check_house(do.source, TRANSFER), check_house(do.target, TRANSFER)
    draft.about(
        character_id,
        CreditTransferred(character_id, source, target, 2 * credited_amount, credited_amount),
        accounts.make_posting(
            accounts.name_credit(character_id, source), accounts.name_issuer(source), 2 * credited_amount
        ),
        accounts.make_posting(
            accounts.name_issuer(target), accounts.name_credit(character_id, target), credited_amount
        ),
    )
    draft.by(TRANSFER, credited_amount, debited=2 * credited_amount)


# --- by a game master's decision -------------------------------------------------------------------------------------

ADJUST = rule(
    "mongrel.credit.adjust",
    "A game master may change a character's Credit because of deals and obligations, but Credit cannot fall below 0.",
    "Character wealth and social status",
)
WRONG_CHANGE = Refusal(ADJUST, "bad-amount", "The change must be a whole number above or below 0, not {change}.")


def say_change(cause_phrase: str, do_or_fact: Any, names: Names) -> str:
    """Put into words how Credit with a House changes or, if the amount is not known, only that it changes."""
    change_phrase = "changes by ..."
    if isinstance(do_or_fact.change, int):
        change_phrase = f"goes {'up' if do_or_fact.change > 0 else 'down'} by {abs(do_or_fact.change)}"
    return say(
        f"{{character}}'s Credit with House {write_word(do_or_fact.house)} {change_phrase}{cause_phrase}.",
        do_or_fact,
        names,
    )


@fact("credit-adjusted", says=partial(say_change, "[: {reason}]"), changes=None)
class CreditAdjusted:
    """A game master changed a character's Credit."""

    character: CharacterId
    house: House
    change: int
    reason: Reason


@declares("adjust-credit", GM, says=partial(say_change, "[: {reason}]"), records=(CreditAdjusted,))
class AdjustCredit:
    """Change a character's Credit with a House."""

    character: CharacterId
    house: HouseName
    change: Annotated[Change, Says("Change", "How much to add. A negative number lowers the Credit.")]
    reason: Reason = ""


@decides
def adjust_credit(draft: Draft, do: AdjustCredit) -> None:
    """Change Credit as a game master decides, with a reason. Refuses `house-unknown`, `bad-amount`, `credit-short`."""
    character_id = do.character
    acting.check_alive(draft, character_id)
    house = check_house(do.house, ADJUST)
    if not is_whole(do.change) or do.change == 0:
        raise WRONG_CHANGE(change=repr(do.change))
    credit_held = draft.balance(accounts.name_credit(character_id, house))
    if do.change < 0 and credit_held + do.change < 0:
        raise CREDIT_SHORT.under(ADJUST, change=do.change, credit=credit_held)
    draft.about(
        character_id,
        CreditAdjusted(character_id, house, do.change, do.reason),
        *list_postings(character_id, house, do.change),
    )
    draft.by(ADJUST, credit_held + do.change, change=do.change, reason=do.reason)


# --- Social ----------------------------------------------------------------------------------------------------------

SOCIAL = rule(
    "mongrel.credit.social",
    "When a character's Social changes, their Credit with their own House changes by the same amount, but it "
    "cannot fall below 0. Their other accounts do not change.",
    "Character wealth and social status",
)


@fact("social-changed", says="{character}'s Social changes from {old} to {new}[: {reason}].")
class SocialChanged:
    """A character's Social changed, because a game master decided so or because it was raised with character points."""

    character: CharacterId
    old: int
    new: int
    change: int
    cause: SocialCause
    reason: Reason


@changes
@once_created
def put_social(state: Character, fact: SocialChanged) -> Character:
    if fact.cause == "improvement":
        return state
    return changed(state, attributes=add_to_score(state.attributes, "social", fact.change))


@fact("credit-followed-social", says=partial(say_change, " along with Social"), changes=None)
class CreditFollowedSocial:
    """Credit with a character's own House changed together with their Social."""

    character: CharacterId
    house: House
    change: int


@declares(
    "change-social",
    GM,
    says="{character}'s Social is now {social}[: {reason}].",
    records=(SocialChanged, CreditFollowedSocial),
)
class ChangeSocial:
    """Change a character's lasting Social score."""

    character: CharacterId
    social: Annotated[Natural, Says("New Social score")]
    reason: Reason = ""


@decides
def change_social(draft: Draft, do: ChangeSocial) -> None:
    """Set the lasting Social score as a game master decides. Refuses `bad-score`."""
    character_id = do.character
    old_score = acting.check_alive(draft, character_id).attributes.get("social", 0)
    if not is_natural(do.social):
        raise BAD_SCORE.under(SOCIAL, social=repr(do.social))
    draft.about(
        character_id, SocialChanged(character_id, old_score, do.social, do.social - old_score, "ruling", do.reason)
    )
    follow_social(draft, character_id, do.social - old_score)


def follow_social(draft: Draft, character_id: str, change: int) -> None:
    """Change Credit with the character's own House by as much as Social changes, but not below 0
    (`mongrel.credit.social`).
    """
    house = draft.read_character(character_id).house
    if house is None:
        return
    credit_held = draft.balance(accounts.name_credit(character_id, house))
    actual_change = max(change, -max(0, credit_held))
    draft.by(SOCIAL, credit_held + actual_change, change=change, house=house)
    if actual_change:
        draft.about(
            character_id,
            CreditFollowedSocial(character_id, house, actual_change),
            *list_postings(character_id, house, actual_change),
        )


# --- barter ----------------------------------------------------------------------------------------------------------

CASH = rule(
    "mongrel.credit.cash",
    "Paying in cash is a kind of barter. There are no accounts for cash: the trade is recorded in words.",
    "Character wealth and social status",
)


@fact("bartered", says="{character} barters[: {text}].", changes=None)
class Bartered:
    """A character bartered. `text`: the goods or cash that changed hands, in words."""

    character: CharacterId
    text: Story


@declares(
    "barter", either("character"), says="{character} barters[: {text}].", records=(Bartered, *turns.IN_TURN_FACTS)
)
class Barter:
    """Record a trade in cash or goods. No account changes."""

    character: CharacterId
    text: Annotated[Story, Says("Trade", "What changes hands, in words.")]


@decides
@turns.in_its_turn
def barter(draft: Draft, do: Barter) -> None:
    """Record a barter. No numbers change (`mongrel.credit.cash`)."""
    acting.check_alive(draft, do.character)
    require(acting.may_be_active(draft, do.character, by_words_only=True))
    draft.about(do.character, Bartered(do.character, do.text))
    draft.by(CASH, do.text)


@offers
def offer_credit(seen: Seen, draft: Draft) -> Iterator[Move]:
    sight = get_sight(seen, draft)
    if not sight.alive:
        return
    character_domain, dealer_ids = Among(sight.alive), sight.dealers
    if dealer_ids:
        yield Move(Barter, {"character": Among(dealer_ids)})
    yield Move(ChangeSocial, {"character": character_domain, "social": Between(0)})
    yield Move(AdjustCredit, {"character": character_domain, "house": OPEN, "change": Between(1)})
    for house in HOUSES:
        house_domain: Domain = Among((house,))
        other_houses = Among(tuple(other for other in HOUSES if other != house))
        for credit_held, owners in group_ids(
            sight.alive,
            lambda character_id, house=house: sight.find_credit(character_id, house),  # type: ignore[misc]
        ):
            yield Move(AdjustCredit, {"character": owners, "house": house_domain, "change": Between(-credit_held, -1)})
            able_ids = tuple(character_id for character_id in dealer_ids if character_id in owners.values)
            if credit_held > 1 and able_ids:
                fields: Fields = {
                    "source": house_domain,
                    "target": other_houses,
                    "credited": Between(1, credit_held // 2),
                }
                yield Move(TransferCredit, {"character": Among(able_ids), **fields})


# --- the agreement between buyer and seller --------------------------------------------------------------------------


@choice("accept", by="asked", says="Agreed.")
class Accept:
    """Agree to sell, or to the price."""


@choice("no-deal", by="asked", says="No deal.")
class NoDeal:
    """Do not agree. Nothing changes hands."""


@choice(
    "speak-for",
    by="gm",
    says=whether(
        "agreed",
        "A game master answers yes[, for {amount} Credit]: {reason}.",
        "A game master answers no: {reason}.",
    ),
)
class SpeakFor:
    """As a game master, answer yes or no for the player who is asked, and give a reason."""

    agreed: Annotated[bool, Says("The answer is yes")]
    reason: Reason
    amount: Annotated[
        Amount | None, Says("Credit offered", "Give this only if the question is how much Credit the buyer offers.")
    ] = None


def ask_for_consent(draft: Draft, asked_seat: str, rule: str, slot: str, purpose: str) -> Asking[bool]:
    """Return whether the seat agrees. The question stays open after an unfit answer of a game master: `reason-blank`
    or, for the seller, `bad-amount`.
    """
    answer = yield from ask(
        asked_seat, Accept, NoDeal, SpeakFor, slot=slot, purpose=purpose, within=list_consent_shapes()
    )
    if not isinstance(answer, SpeakFor):
        return isinstance(answer, Accept)
    if answer.amount is not None:
        raise BAD_AMOUNT.unfit(rule, amount=repr(answer.amount))
    return read_answer_for(draft, asked_seat, rule, answer)


def read_answer_for(draft: Draft, asked_seat: str, rule: str, answer: SpeakFor) -> bool:
    """Return a game master's answer for the player who was asked, and cite `rule` for it. An answer without a reason is
    unfit: `reason-blank`.
    """
    if not answer.reason.strip():
        raise Unfit(rule, "reason-blank")
    draft.by(rule, "agreed" if answer.agreed else "declined", asked=asked_seat, spoken_for=answer.reason)
    return answer.agreed


def list_consent_shapes() -> Iterator[Shape]:
    """Yield the shape of a game master's answer for the seller, without a price."""
    yield Shape(SpeakFor, {"agreed": Among((True, False)), "amount": NONE})
