"""Accounts and postings: double entry, checked once for every game.

An account is `<owner>/<unit>[:<detail>]`. A fact carries its postings. Each limited owner has a purse: the balances of
its accounts, folded from these postings. Bank, house and world are unlimited and have no purse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from ledger.rules.kernel.contract import AnyRuleset, Posting
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, SUBJECT_KINDS, Subject

UNLIMITED = frozenset({"bank", "house", "world"})
MOST = 2**53 - 1
LONGEST = 500  # the most characters of an account's name


@lru_cache(maxsize=20_000)
def owner_of(account: str) -> Subject | None:
    """Return the subject that owns the account, or None for an unlimited owner. Raise ValueError for any other text."""
    owner, slash, unit = account.partition("/")
    if not slash or not unit:
        raise ValueError(f"not an account: {account!r}")
    if owner in UNLIMITED:
        return None
    kind, colon, id = owner.partition(":")
    if owner == "campaign":
        return CAMPAIGN
    for known_kind in SUBJECT_KINDS:
        if known_kind == kind and known_kind != "campaign" and colon and id:
            return Subject(known_kind, id)
    raise ValueError(f"not an account: {account!r}")


def unit_of(account: str) -> str:
    """Return the unit: `character:12/credit:nuin` counts `credit`."""
    return account.partition("/")[2].partition(":")[0]


def list_openly_counted_units(ruleset: AnyRuleset) -> frozenset[str]:
    """Return the accounts whose balances everybody can work out, named without their owners (`<unit>:<detail>`)."""
    return frozenset(account.form.partition("/")[2] for account in ruleset.accounts if account.counted)


def post(purse: dict[str, int], prefix: str, postings: Iterable[Posting]) -> None:
    """Apply the postings to the purse of the owner whose accounts begin with `prefix` (`character:12/`)."""
    for posting in postings:
        if posting.source.startswith(prefix):
            purse[posting.source] = purse.get(posting.source, 0) - posting.amount
        if posting.target.startswith(prefix):
            purse[posting.target] = purse.get(posting.target, 0) + posting.amount


def list_owners(postings: Iterable[Posting]) -> list[Subject]:
    """Return the limited owners of the accounts, each once, in order of appearance."""
    distinct_owners: dict[Subject, None] = {}
    for posting in postings:
        for account in (posting.source, posting.target):
            owner = owner_of(account)
            if owner is not None:
                distinct_owners[owner] = None
    return list(distinct_owners)


def check_spends(postings: Iterable[Posting], balance: Callable[[str], int]) -> None:
    """Check new payments, one after the other. Raise Refused `overdrawn` if one overdraws an account.

    An account that is already below zero can still spend what it receives. Raise Refused `posting` for an amount that
    is not between 1 and `MOST`, for an account name longer than `LONGEST`, and for an account that has another unit
    than the posting.
    """
    moved_amounts: dict[str, int] = {}
    for posting in postings:
        source, target, amount = posting.source, posting.target, posting.amount
        is_too_long = len(source) > LONGEST or len(target) > LONGEST
        if is_too_long or not 1 <= amount <= MOST or not posting.unit == unit_of(source) == unit_of(target):
            raise Refused("ledger.posting", "posting", source=source, target=target)
        if owner_of(source) is not None:
            balance_before = balance(source)
            balance_after = balance_before + moved_amounts.get(source, 0) - amount
            if balance_after < 0 and balance_after < balance_before:
                raise Refused("ledger.posting", "overdrawn", account=source, short=-balance_after)
        moved_amounts[source] = moved_amounts.get(source, 0) - amount
        moved_amounts[target] = moved_amounts.get(target, 0) + amount
