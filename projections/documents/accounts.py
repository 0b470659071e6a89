"""Balances and statements, for one viewer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from psycopg.rows import TupleRow

from ledger.errors import NotFound
from ledger.events.codec import plain
from ledger.rules.kernel.subjects import Viewer
from projections.documents.filling import Names, split_row
from projections.documents.naming import learn_names
from projections.documents.shape import Document, Listed, give_example
from projections.redaction import ViewLens
from projections.views.clocks import ALWAYS, NOW, Span, When
from projections.views.pages import Order, Page, Query, Reader, list_audience_keys

#: The owner's current name. The bank, the house and the world have none.
NAME = """coalesce((SELECT s.called FROM {views}.sheets s
    WHERE s.campaign = a.campaign AND s.subject = a.owner), '')"""
#: Whether the viewer may know every secret fact that changed the account.
OPEN = """NOT EXISTS (SELECT 1 FROM json_array_elements(a.hidden) AS secret
    WHERE NOT EXISTS (SELECT 1 FROM json_array_elements_text(secret) AS entry WHERE entry = ANY(%(keys)s)))"""
RECORDED = """(SELECT e.balance FROM {views}.entries e WHERE e.campaign = a.campaign AND e.account = a.account
    AND e.position <= %(known)s ORDER BY e.number DESC LIMIT 1)"""
#: The balance at a ruling, from the facts that still stand today.
CORRECTED = """(SELECT sum(e.amount)::bigint FROM {views}.entries e WHERE e.campaign = a.campaign
    AND e.account = a.account AND e.why = 'recorded' AND e.in_play <= %(upto)s
    AND e.revision = coalesce((SELECT coalesce(s.revision, -1) FROM {views}.standing s
        WHERE s.campaign = e.campaign AND s.ruling = e.ruling ORDER BY s.position DESC LIMIT 1), 0))"""


ALL = 2**62
Why: TypeAlias = Literal["recorded", "struck", "restored"]


class Owned(Document):
    """An account with its balance and owner."""

    account: str
    unit: str
    balance: int
    owner: str
    name: str


@give_example(
    accounts=[{"account": "character:1/coin", "unit": "coin", "balance": 5, "owner": "character:1", "name": "Giazza"}],
    trial={"coin": 0},
    next=None,
    previous=None,
)
class Accounts(Listed):
    """Accounts, sorted by name. `trial`: the sum of each unit over all accounts, including hidden ones and the bank's.
    It is always 0.
    """

    accounts: list[Owned]
    trial: dict[str, int]


class Entry(Document):
    """An entry of an account: its fact, the amount moved from or to the other account, and the balance after it.

    `text`: the fact in one sentence. `session`: the session of its ruling. `why`: recorded, struck (the ruling was
    overturned or corrected) or restored. `stands`: whether the amount counts; if not, another entry reverses this one.
    """

    number: int
    position: int
    at: str
    ruling: int | None
    step: int
    kind: str
    why: Why
    amount: int
    balance: int | None
    contra: str
    stands: bool
    session: str | None
    text: str


class Point(Document):
    """The balance after a group of entries. `number`: the last entry of the group. `least`, `most`: the lowest and
    highest balance in the group.
    """

    number: int
    ruling: int | None
    at: str
    balance: int
    least: int
    most: int


ENTRY: Entry = {
    "number": 1,
    "position": 12,
    "at": "2026-11-21T19:30:00.000000Z",
    "ruling": 7,
    "step": 0,
    "kind": "ledger.adjusted",
    "why": "recorded",
    "amount": 5,
    "balance": 5,
    "contra": "bank/coin",
    "stands": True,
    "session": "1",
    "text": "The table adjusts Giazza's sheet: found in the cellar.",
}


@give_example(
    account="character:1/coin",
    unit="coin",
    owner="character:1",
    name="Giazza",
    balance=5,
    entries=[ENTRY],
    line=None,
    next=None,
    previous=None,
)
class Statement(Listed):
    """An account statement. Balances are null if hidden changes also affect the account.

    `line`: the balance from the first entry to the last, if you asked for it; null if the balances are null.
    """

    account: str
    unit: str
    owner: str
    name: str
    balance: int | None
    entries: list[Entry]
    line: list[Point] | None


def list_accounts(
    lens: ViewLens, reader: Reader, when: When, after: str, limit: int, order: Order = "asc", unit: str | None = None
) -> Page[Accounts]:
    """Return accounts with their balances, sorted by name. `unit`: only accounts in this unit.

    The accounts of the bank, the house and the world are left out.
    """
    query = _make_account_query(lens.viewer, when)
    query.add_condition("a.owner NOT IN ('bank', 'house', 'world')")
    query.add_condition("a.unit = %(unit)s", unit=unit)
    query.start_after("a.account", order, after)
    query.add_condition(OPEN)
    balance = _choose_balance_column(when)
    conditions = f"{query.text} AND {balance} IS NOT NULL"
    clauses = f"FROM {{views}}.accounts a WHERE {conditions} ORDER BY a.account {order} LIMIT %(limit)s"
    query.values["limit"] = limit + 1
    columns = f"a.account, a.unit, {balance} AS balance, a.owner, {NAME} AS name"
    rows = reader.select_rows(columns, clauses, query)
    has_more = len(rows) > limit
    accounts: list[Owned] = [
        {"account": account, "unit": unit, "balance": balance, "owner": owner, "name": name}
        for account, unit, balance, owner, name in rows[:limit]
    ]
    document: Accounts = {"accounts": accounts, "trial": _sum_units(lens, reader, unit), "next": None, "previous": None}
    first_account, last_account = (accounts[index]["account"] if accounts else None for index in (0, -1))
    return Page(document, reader.position, last_account if has_more else None, first_account, "accounts")


def _sum_units(lens: ViewLens, reader: Reader, unit: str | None) -> dict[str, int]:
    """Return the sum of each unit with an account that the viewer may see completely."""
    sums = reader.ask(
        f"SELECT a.unit, sum(a.balance)::bigint FROM {{views}}.accounts a WHERE a.campaign = %(campaign)s"
        f" AND (%(unit)s::text IS NULL OR a.unit = %(unit)s) GROUP BY a.unit HAVING bool_or({OPEN}) ORDER BY a.unit",
        {"keys": list_audience_keys(lens.viewer), "unit": unit},
    )
    return dict(sums)


def _make_account_query(viewer: Viewer, when: When) -> Query:
    query = Query()
    query.add_condition("a.campaign = %(campaign)s")
    query.values |= {"keys": list_audience_keys(viewer), "known": when.position, "upto": when.place}
    return query


def _choose_balance_column(when: When) -> str:
    if when == NOW:
        return "a.balance"
    return RECORDED if when.recorded else CORRECTED


def write_statement(  # noqa: PLR0913, PLR0917
    lens: ViewLens,
    reader: Reader,
    account: str,
    when: When,
    after: int,
    limit: int,
    order: Order = "asc",
    point_count: int = 0,
    session: str | None = None,
    span: Span = ALWAYS,
) -> Page[Statement]:
    """Return the account's entries in order, each with the balance after it. Balances are None if hidden facts also
    changed the account.

    `point_count`: the maximum number of points in `line`. `session`, `span`: only entries of this session, or recorded
    in this span. Raise NotFound if the account has no entry that the viewer may see.
    """
    values = {"account": account, "keys": list_audience_keys(lens.viewer), "known": when.position, "upto": when.place}
    account_rows = reader.ask(
        f"SELECT a.owner, a.unit, {_choose_balance_column(when)}, {NAME}, {OPEN} FROM {{views}}.accounts a"
        " WHERE a.campaign = %(campaign)s AND a.account = %(account)s",
        values,
    )
    is_corrected = when != NOW and not when.recorded
    entries_table = OF_TODAY if is_corrected else "{views}.entries e"
    if account_rows and not account_rows[0][4]:
        entries_table = entries_table.replace("{views}.entries", SEEN)
    query = Query(values={**values, "limit": limit + 1, "stood": when.position if when.recorded else ALL})
    query.add_condition("e.account = %(account)s")
    if when.recorded:
        query.add_condition("e.position <= %(known)s")
    query.limit_to_viewer(lens.viewer, "e.audience")
    conditions = query.text
    query.add_condition("e.campaign = %(campaign)s")
    query.add_condition(IN_SESSION, session=session)
    query.add_condition("e.position >= %(since)s", since=span.first)
    query.add_condition("e.position <= %(last)s", last=span.last)
    query.start_after("e.number", order, after)
    clauses = f"FROM {entries_table} WHERE {query.text} ORDER BY e.number {order} LIMIT %(limit)s"
    rows = reader.select_rows(COLUMNS, clauses, query)
    if not account_rows or not (rows or account_rows[0][4] or _can_see_any_entry(reader, values)):
        raise NotFound(f"There is no account {account!r}.", code="account-not-found")
    owner, unit, balance, name, is_visible = account_rows[0]
    learn_names(lens, reader, (row[-1].encode() for row in rows if row[-1]))
    names = Names(lens)
    document: Statement = {
        "account": account,
        "unit": unit,
        "owner": owner,
        "name": name,
        "balance": balance if is_visible else None,
        "entries": [_make_entry(names, row, is_visible) for row in rows[:limit]],
        "line": _read_balance_points(reader, f"{entries_table} WHERE {conditions}", query, point_count)
        if point_count and is_visible
        else None,
        "next": None,
        "previous": None,
    }
    next_cursor = str(rows[limit - 1][0]) if len(rows) > limit else None
    return Page(document, reader.position, next_cursor, str(rows[0][0]) if rows else None, "entries")


IN_SESSION = """e.ruling IN (SELECT r.number FROM {views}.rulings r
    WHERE r.campaign = %(campaign)s AND r.session = %(session)s)"""
AT = """to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""
COLUMNS = f"""e.number, e.position, {AT} AS at, e.ruling,
    e.step, e.kind, e.why, e.amount, e.balance, e.contra, e.ruling = 0 OR e.revision = coalesce(
        (SELECT coalesce(s.revision, -1) FROM {{views}}.standing s WHERE s.campaign = e.campaign AND s.ruling = e.ruling
            AND s.position <= %(stood)s ORDER BY s.position DESC LIMIT 1), 0),
    (SELECT r.session FROM {{views}}.rulings r WHERE r.campaign = e.campaign AND r.number = e.ruling),
    (SELECT t.document FROM {{views}}.timeline t WHERE t.campaign = e.campaign AND t.ruling = e.ruling
        AND t.step = e.step AND t.revision = e.revision AND t.what = 'fact' LIMIT 1)"""


#: An account's entries, numbered for a viewer who may not see all of them.
SEEN = """(SELECT n.campaign, n.account, row_number() OVER (ORDER BY n.number) AS number, n.position, n.at, n.ruling,
    n.step, n.revision, n.kind, n.why, n.amount, n.balance, n.contra, n.audience, n.in_play FROM {views}.entries n
    WHERE n.campaign = %(campaign)s AND n.account = %(account)s AND (n.audience IS NULL OR n.audience && %(keys)s))"""
#: The entries that still stand today, up to a ruling, each with the balance after it.
OF_TODAY = """(SELECT c.campaign, c.account, c.number, c.position, c.at, c.ruling, c.step, c.revision, c.kind, c.why,
    c.amount, c.contra, c.audience, sum(c.amount) OVER (ORDER BY c.number)::bigint AS balance FROM {views}.entries c
    WHERE c.campaign = %(campaign)s AND c.account = %(account)s AND c.why = 'recorded' AND c.in_play <= %(upto)s
    AND c.revision = coalesce((SELECT coalesce(s.revision, -1) FROM {views}.standing s
        WHERE s.campaign = c.campaign AND s.ruling = c.ruling ORDER BY s.position DESC LIMIT 1), 0)) e"""


def _can_see_any_entry(reader: Reader, values: Mapping[str, object]) -> bool:
    query = (
        "SELECT 1 FROM {views}.entries e WHERE e.campaign = %(campaign)s AND e.account = %(account)s"
        " AND (e.audience IS NULL OR e.audience && %(keys)s) LIMIT 1"
    )
    return bool(reader.ask(query, values))


def _read_balance_points(reader: Reader, entries_table: str, query: Query, point_count: int) -> list[Point]:
    """Return the balance over time, as at most `point_count` points."""
    rows = reader.ask(
        f"SELECT DISTINCT ON (stretch) number, ruling, {AT}, balance, min(balance) OVER part, max(balance) OVER part"
        " FROM (SELECT e.*, ntile(%(points)s) OVER (ORDER BY e.number) AS stretch"
        f" FROM {entries_table} AND e.campaign = %(campaign)s) e"
        " WINDOW part AS (PARTITION BY stretch) ORDER BY stretch, number DESC",
        {**query.values, "points": point_count},
    )
    return [
        {
            "number": number,
            "ruling": ruling or None,
            "at": at,
            "balance": balance,
            "least": least_balance,
            "most": most_balance,
        }
        for number, ruling, at, balance, least_balance, most_balance in rows
    ]


def _make_entry(names: Names, row: TupleRow, is_visible: bool) -> Entry:
    number, position, at, ruling, step, kind, why, amount, balance, contra, stands, session, fact = row
    return {
        "number": number,
        "position": position,
        "at": at,
        "ruling": ruling or None,
        "step": step,
        "kind": kind,
        "why": why,
        "amount": amount,
        "balance": balance if is_visible else None,
        "contra": contra,
        "stands": stands,
        "session": session,
        "text": plain(names.fill_in_sentences(split_row(fact.encode())[1])) if fact else "",
    }
