"""What every record must be, however it came about: told by the stored rows alone, in sentences where it is not so."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

RULED = ("ledger.ruled@", "ledger.ruled-late@")


@dataclass(frozen=True, slots=True)
class Row:
    id: int
    campaign: str
    kind: str
    name: str
    version: int
    topic: str
    body: dict[str, Any]


def flaws(rows: list[Row]) -> list[str]:
    """Gaps in versions, positions and numbers; saves recorded in part; books that do not balance. None: it is sound."""
    return [*_gaps(rows), *_halves(rows), *_unbalanced(rows)]


def _gaps(rows: list[Row]) -> Iterator[str]:
    """A stream's versions, a campaign's positions (the journal's versions) and its rulings count from 1, in order."""
    versions: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for row in rows:
        versions[row.campaign, row.kind, row.name].append(row.version)
    for stream, found in versions.items():
        if found != list(range(1, len(found) + 1)):
            yield f"{'/'.join(stream)} has the versions {found}"
    numbers: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        if row.topic.startswith(RULED):
            numbers[row.campaign].append(int(row.name))
    for campaign, counted in numbers.items():
        if counted != list(range(1, len(counted) + 1)):
            yield f"{campaign} has the rulings {counted}"


def _halves(rows: list[Row]) -> Iterator[str]:
    """What a journal's entry names was saved with it, and nothing was saved without an entry that names it."""
    named: set[tuple[str, int, str]] = set()
    saved: set[tuple[str, int, str]] = set()
    for row in rows:
        position = row.body["position"]
        if row.kind == "journal":
            named |= {(row.campaign, position, stream) for stream in row.body["fact"]["streams"]}
            if position != row.version:
                yield f"{row.campaign}: entry {row.version} says it is {position}"
        elif row.kind not in ("receipt", "access"):
            saved.add((row.campaign, position, f"{row.campaign}/{row.kind}/{row.name}"))
    for half in sorted(named ^ saved):
        yield f"a save in part: {half}"


def balances(rows: Iterable[Row]) -> dict[str, Counter[str]]:
    """By campaign and account, from every posting where it is first told."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        if not row.topic.startswith("ledger.leg@"):
            for posting in row.body.get("postings", ()):
                found[row.campaign][posting["source"]] -= posting["amount"]
                found[row.campaign][posting["target"]] += posting["amount"]
    return found


def _unbalanced(rows: list[Row]) -> Iterator[str]:
    """All accounts add up to nothing, and each owner's own stream tells the balance that the facts tell."""
    own: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        for posting in row.body.get("postings", ()):
            for account, sign in ((posting["source"], -1), (posting["target"], 1)):
                if account.startswith(f"{row.kind}:{row.name}/"):
                    own[row.campaign][account] += sign * posting["amount"]
    for campaign, accounts in balances(rows).items():
        if sum(accounts.values()):
            yield f"{campaign}: the accounts add up to {sum(accounts.values())}"
        for account, balance in accounts.items():
            if not account.startswith("bank/") and own[campaign][account] != balance:
                yield f"{campaign}: {account} holds {balance}, and {own[campaign][account]} by its owner's stream"
