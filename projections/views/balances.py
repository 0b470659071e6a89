"""The balances of accounts, and their entries. Entries are never changed: a contra entry reverses an overturned one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias

from ledger.rules.kernel.places import place_of
from ledger.rules.kernel.purses import owner_of, unit_of
from projections.redaction import to_text
from projections.views.saves import Saved
from projections.views.view import View, ViewTransaction, Written

Account: TypeAlias = tuple[str, str]  # campaign, account
MOST_REMEMBERED = 50_000

ENTRY_COLUMNS = (
    "campaign",
    "account",
    "number",
    "position",
    "at",
    "ruling",
    "step",
    "revision",
    "kind",
    "why",
    "amount",
    "balance",
    "contra",
    "audience",
    "in_play",
)


@dataclass(slots=True)
class AccountTotals:
    """The totals of an account: balance, number of entries, and the audiences of its secret entries."""

    balance: int = 0
    entry_count: int = 0
    hidden_audiences: list[list[str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Move:
    """A posting of a fact between two accounts. `why`: recorded, struck, restored. `in_play`: the place of its ruling
    in play.
    """

    ruling: int
    step: int
    revision: int
    kind: str
    why: str
    source: str
    target: str
    amount: int
    audience: list[str] | None
    in_play: int


class Balances(View):
    name = "balances"
    built_with = ("(campaign, ruling)",)
    tables: ClassVar[Mapping[str, str]] = {
        "accounts": """
            campaign text COLLATE "C" NOT NULL,
            account text COLLATE "C" NOT NULL,
            owner text COLLATE "C" NOT NULL,
            unit text COLLATE "C" NOT NULL,
            balance bigint NOT NULL,
            entries integer NOT NULL,
            hidden json NOT NULL,
            PRIMARY KEY (campaign, account)""",
        "entries": """
            campaign text COLLATE "C" NOT NULL,
            account text COLLATE "C" NOT NULL,
            number integer NOT NULL,
            position bigint NOT NULL,
            at timestamptz NOT NULL,
            ruling integer NOT NULL,
            step integer NOT NULL,
            revision integer NOT NULL,
            kind text COLLATE "C" NOT NULL,
            why text NOT NULL,
            amount bigint NOT NULL,
            balance bigint NOT NULL,
            contra text COLLATE "C" NOT NULL,
            audience text[],
            in_play bigint NOT NULL,
            PRIMARY KEY (campaign, account, number);
            CREATE INDEX ON {table} (campaign, ruling);
            CREATE INDEX ON {table} (campaign, account, position)""",
    }

    def __init__(self) -> None:
        self._balances: dict[Account, AccountTotals] = {}
        self._complete_campaigns: set[str] = set()  # campaigns whose accounts are all in memory

    def apply_saves(self, transaction: ViewTransaction, saves: Sequence[Saved]) -> None:
        if len(self._balances) > MOST_REMEMBERED:  # only in memory; within a batch it is ahead of the tables
            self._balances.clear()
            self._complete_campaigns.clear()
        self._complete_campaigns |= {save.campaign for save in saves if save.position == 1}
        rows: list[Written] = []
        changed_accounts: dict[Account, None] = {}
        for save in saves:
            moves = (
                list(_list_recorded_moves(transaction, save))
                if not (save.single_changes or save.rewound_numbers)
                else self._store_and_list_moves(transaction, save, rows)
            )
            self._load_accounts(transaction, save.campaign, moves)
            for move in moves:
                for row in self._post_move(save, move):
                    rows.append(row)
                    changed_accounts[save.campaign, str(row[1])] = None
        self._write_rows(transaction, rows, changed_accounts)

    # --- entries ---

    def _store_and_list_moves(
        self, transaction: ViewTransaction, save: Saved, unwritten_rows: list[Written]
    ) -> list[Move]:
        """Store and clear the unwritten rows. Return the moves that the save strikes, restores and records."""
        transaction.copy_rows("entries", ENTRY_COLUMNS, unwritten_rows)  # the reversed entries may be among them
        unwritten_rows.clear()
        moves: list[Move] = []
        for number, revision in _index_posting_changes(transaction, save).items():
            entry_rows = transaction.select(
                "SELECT step, revision, kind, account, contra, -amount, audience, in_play FROM entries"
                " WHERE campaign = %(campaign)s AND ruling = %(ruling)s AND why = 'recorded' AND amount < 0"
                " ORDER BY step, account, number",
                {"campaign": save.campaign, "ruling": number},
            )
            standing_revision = self._find_standing_revision(transaction, save.campaign, number)
            for step, fact_revision, kind, source, target, *rest in entry_rows:
                if fact_revision == standing_revision != revision:
                    moves.append(Move(number, step, fact_revision, kind, "struck", target, source, *rest))
            for step, fact_revision, kind, source, target, *rest in entry_rows:
                if fact_revision == revision != standing_revision:
                    moves.append(Move(number, step, fact_revision, kind, "restored", source, target, *rest))
        return moves + list(_list_recorded_moves(transaction, save))

    def _find_standing_revision(self, transaction: ViewTransaction, campaign: str, number: int) -> int | None:
        """Return the ruling's standing revision according to its entries, or None."""
        sums = transaction.select(
            "SELECT revision, sum(CASE why WHEN 'struck' THEN -1 ELSE 1 END) FROM entries WHERE campaign = %(campaign)s"
            " AND ruling = %(ruling)s GROUP BY revision",
            {"campaign": campaign, "ruling": number},
        )
        return next((revision for revision, count in sums if count > 0), None)

    def _post_move(self, save: Saved, move: Move) -> Iterator[Written]:
        for account, contra, amount in (
            (move.source, move.target, -move.amount),
            (move.target, move.source, move.amount),
        ):
            totals = self._balances[save.campaign, account]
            totals.balance += amount
            totals.entry_count += 1
            if move.audience is not None and move.audience not in totals.hidden_audiences:
                totals.hidden_audiences.append(move.audience)
            yield (
                save.campaign,
                account,
                totals.entry_count,
                save.position,
                save.at,
                move.ruling,
                move.step,
                move.revision,
                move.kind,
                move.why,
                amount,
                totals.balance,
                contra,
                move.audience,
                move.in_play,
            )

    # --- accounts ---

    def _load_accounts(self, transaction: ViewTransaction, campaign: str, moves: Sequence[Move]) -> None:
        """Load the accounts in these moves."""
        accounts = {account for move in moves for account in (move.source, move.target)}
        missing_accounts = [account for account in accounts if (campaign, account) not in self._balances]
        self._balances |= {(campaign, account): AccountTotals() for account in missing_accounts}
        if not missing_accounts or campaign in self._complete_campaigns:
            return
        rows = transaction.select(
            "SELECT account, balance, entries, hidden FROM accounts WHERE campaign = %(campaign)s"
            " AND account = ANY(%(accounts)s)",
            {"campaign": campaign, "accounts": missing_accounts},
        )
        self._balances |= {(campaign, account): AccountTotals(*fields) for account, *fields in rows}

    def _write_rows(
        self, transaction: ViewTransaction, rows: list[Written], changed_accounts: dict[Account, None]
    ) -> None:
        transaction.copy_rows("entries", ENTRY_COLUMNS, rows)
        transaction.delete_rows(
            "accounts",
            {
                "campaign": ("text", [campaign for campaign, _ in changed_accounts]),
                "account": ("text", [account for _, account in changed_accounts]),
            },
        )
        transaction.copy_rows(
            "accounts",
            ("campaign", "account", "owner", "unit", "balance", "entries", "hidden"),
            (self._make_row(*account) for account in changed_accounts),
        )

    def _make_row(self, campaign: str, account: str) -> Written:
        totals = self._balances[campaign, account]
        owner = owner_of(account)
        name = str(owner) if owner is not None else account.partition("/")[0]
        return (
            campaign,
            account,
            name,
            unit_of(account),
            totals.balance,
            totals.entry_count,
            to_text(totals.hidden_audiences),
        )


def _index_posting_changes(transaction: ViewTransaction, save: Saved) -> dict[int, int | None]:
    """Return the new standing revision of each ruling that this save changes. From a rewind, only rulings with postings
    are included.
    """
    changes = transaction.index_standing_changes(save)
    if not save.rewound_numbers:
        return changes
    rows = transaction.select(
        "SELECT DISTINCT ruling FROM entries WHERE campaign = %(campaign)s AND ruling = ANY(%(rulings)s)",
        {"campaign": save.campaign, "rulings": list(changes)},
    )
    moving_numbers = {number for (number,) in rows}
    return {number: revision for number, revision in changes.items() if number in moving_numbers}


def _list_recorded_moves(transaction: ViewTransaction, save: Saved) -> Iterator[Move]:
    """Yield the moves in the facts of a save."""
    for _, body in save.facts:
        audience = list(body.audience) if body.audience is not None else None
        kind = transaction.codec.topics[type(body.fact)].rpartition("@")[0]
        for posting in body.postings:
            origin = (body.ruling, body.step, body.revision, kind, "recorded")
            in_play = place_of(body.ruling, body.after)
            yield Move(*origin, posting.source, posting.target, posting.amount, audience, in_play)
