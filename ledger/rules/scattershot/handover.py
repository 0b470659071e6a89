"""Where dice on the table go, and what becomes of Loaners. 3.11."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.rules.kernel.contract import Posting
from ledger.rules.kernel.subjects import Subject
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_deeds import ExperienceDieHandedOver
from ledger.rules.scattershot.facts_of_rewards import LoanerLapsed
from ledger.rules.scattershot.guards import no
from ledger.rules.scattershot.state import Die


def hand_over(draft: Draft, id: str) -> None:
    """`xd.handover`: every die that lies on the table, when the totals are called."""
    _hand_over(draft, draft.place(), id, draft.resolution(id).dice)


def _hand_over(draft: Draft, place: Subject, id: str, dice: Iterable[Die]) -> None:
    """As many as the accounts hold: a game master may have set these right apart from the dice."""
    table = accounts.table_of(place.id)
    for die in dice:
        there = min(1, max(0, draft.balance(table)))
        done = ExperienceDieHandedOver(id, die.id, die.final)
        draft.tell(place, done, accounts.moved(table, accounts.of_dice(die.final), there), _repaid(draft, die))
        draft.by("xd.handover", die.final, die=die.id)


def _repaid(draft: Draft, die: Die) -> Posting | None:
    if die.kind != "saved" or not die.borrower:
        return None
    owed = accounts.karmic(die.borrower)
    return accounts.lost(owed, min(1, max(0, draft.balance(owed))))


def loaners_go_back(draft: Draft) -> None:
    """`xd.loaner`: in the same Session. One on the table is saved against its borrower, or back from whom saved it."""
    for place in draft.table.subjects("scene"):
        for id, one in draft.scene_of(place).resolutions.items():
            lying = [die for die in one.dice if die.kind in ("loaner", "saved")]
            _hand_over(draft, place, id, lying)
            for die in lying:
                draft.by("xd.loaner", die.final, die=die.id)


def loaners_expire(draft: Draft) -> None:
    """`xd.loaner-expiry`: those nobody used back."""
    seats = [one.id for one in draft.table.subjects("seat")]
    for holder in seats:
        for borrower in seats:
            left = draft.balance(accounts.saved(holder, borrower))
            if left > 0:
                _expire(draft, holder, borrower, left)


def _expire(draft: Draft, holder: str, borrower: str, n: int) -> None:
    expiry = draft.dials.loaner_expiry
    draft.by("xd.loaner-expiry", expiry, holder=holder, borrower=borrower, n=n)
    if expiry == "carry":
        return
    kept = expiry == "keep"
    saved, owed = accounts.saved(holder, borrower), draft.balance(accounts.karmic(borrower))
    draft.of(
        holder,
        LoanerLapsed(holder, borrower, n, kept),
        accounts.moved(saved, draft.purse_of(holder) if kept else accounts.STOCK, n),
        accounts.lost(accounts.karmic(borrower), min(n, owed)),
    )


def check_limit(draft: Draft, player: str, more: int) -> None:
    """Refuses `loaner-limit`: no more Loaners out at once than the table allows."""
    limit = draft.dials.loaner_limit
    if more and limit is not None and draft.balance(accounts.karmic(player)) + more > limit:
        raise no("xd.loaner", "loaner-limit", limit=limit)
