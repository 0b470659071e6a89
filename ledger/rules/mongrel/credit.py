"""Credit with the Houses, and how it moves. Heading: Character wealth and social status."""

from __future__ import annotations

from ledger.rules.kernel.contract import Posting
from ledger.rules.kernel.refusals import Refused
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.facts_of_dealings import (
    Bartered,
    CreditAdjusted,
    CreditFollowedSocial,
    CreditTransferred,
    SocialChanged,
)
from ledger.rules.mongrel.guards import check_alive, check_stands
from ledger.rules.mongrel.inputs_of_dealings import AdjustCredit, Barter, ChangeSocial, TransferCredit
from ledger.rules.mongrel.terms import House, is_house, is_natural, is_whole

TRANSFER = "mongrel.credit.transfer"
ADJUST = "mongrel.credit.adjust"
SOCIAL = "mongrel.credit.social"


def check_house(house: str, rule: str) -> House:
    """Refuses `house-unknown`."""
    if not is_house(house):
        raise Refused(rule, "house-unknown", house=house)
    return house


def transfer(draft: Draft, do: TransferCredit) -> None:
    """Two for one, between one's own accounts with two Houses."""
    id = do.character
    check_alive(draft, id)
    check_stands(draft, id, speaks=True)
    if do.source == do.target:
        raise Refused(TRANSFER, "same-account", house=do.source)
    credited = do.credited if is_whole(do.credited) and do.credited >= 1 else None
    held = draft.balance(accounts.credit(id, do.source)) if is_house(do.source) else None
    if credited is not None and held is not None and 2 * credited > held:
        raise Refused(TRANSFER, "credit-short", needed=2 * credited, credit=held)
    if credited is None:
        raise Refused(TRANSFER, "bad-amount", credited=repr(do.credited))
    source, target = check_house(do.source, TRANSFER), check_house(do.target, TRANSFER)
    draft.about(
        id,
        CreditTransferred(id, source, target, 2 * credited, credited),
        accounts.move(accounts.credit(id, source), accounts.issuer(source), 2 * credited),
        accounts.move(accounts.issuer(target), accounts.credit(id, target), credited),
    )
    draft.by(TRANSFER, credited, debited=2 * credited)


def adjust_credit(draft: Draft, do: AdjustCredit) -> None:
    """By ruling, with its reason. Refuses `house-unknown`, `bad-amount`, `credit-short`."""
    id = do.character
    check_alive(draft, id)
    house = check_house(do.house, ADJUST)
    if not is_whole(do.change) or do.change == 0:
        raise Refused(ADJUST, "bad-amount", change=repr(do.change))
    held = draft.balance(accounts.credit(id, house))
    if do.change < 0 and held + do.change < 0:
        raise Refused(ADJUST, "credit-short", change=do.change, credit=held)
    draft.about(id, CreditAdjusted(id, house, do.change, do.reason), *_moved(id, house, do.change))
    draft.by(ADJUST, held + do.change, change=do.change, reason=do.reason)


def _moved(id: str, house: str, change: int) -> tuple[Posting | None, ...]:
    """Up from the House, down back to it."""
    own, issuer = accounts.credit(id, house), accounts.issuer(house)
    return (accounts.move(issuer, own, change), accounts.move(own, issuer, -change))


def change_social(draft: Draft, do: ChangeSocial) -> None:
    """The lasting score, by ruling. Refuses `bad-score`."""
    id = do.character
    old = check_alive(draft, id).attributes.get("social", 0)
    if not is_natural(do.social):
        raise Refused(SOCIAL, "bad-score", social=repr(do.social))
    draft.about(id, SocialChanged(id, old, do.social, do.social - old, "ruling", do.reason))
    follow_social(draft, id, do.social - old)


def follow_social(draft: Draft, id: str, change: int) -> None:
    """`mongrel.credit.social`: Credit with one's own House goes along, not below 0."""
    house = draft.who(id).house
    if house is None:
        return
    held = draft.balance(accounts.credit(id, house))
    actual = max(change, -max(0, held))
    draft.by(SOCIAL, held + actual, change=change, house=house)
    if actual:
        draft.about(id, CreditFollowedSocial(id, house, actual), *_moved(id, house, actual))


def barter(draft: Draft, do: Barter) -> None:
    """`mongrel.credit.cash`: no numbers."""
    check_alive(draft, do.character)
    check_stands(draft, do.character, speaks=True)
    draft.about(do.character, Bartered(do.character, do.text))
    draft.by("mongrel.credit.cash", do.text)
