"""The checks: each takes a system and finds whether it is reliable. `Unreliable` says in sentences what it is not."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import psycopg

from ledger.events.database_check import SCHEMA, name_views_schema
from ledger.events.shelves import name_schemas, read_shelf_count
from projections.views.projector import Projector
from projections.views.store import VIEWS
from tests.reliability.record import Row, balances, flaws
from tests.reliability.system import System, Unreliable
from tests.reliability.writers import Deed, Served, Writers, table, writing

SHORT = 10  # answers between two blows
TOGETHER = 32
LAST = 200
CATCHING_UP = 20.0  # seconds that the views have after the last blow


def require(problems: list[str]) -> None:
    if problems:
        raise Unreliable("\n".join(problems[:20]))


def survives(system: System, strike: Callable[[], None], rounds: int) -> Writers:
    """Struck again and again under eight writers: nothing answered is lost, nothing done twice, the record is sound."""
    with writing(system) as writers:
        for _ in range(rounds):
            writers.wait(SHORT, system.revive)
            strike()
        writers.wait(SHORT, system.revive)
    system.require_no_crash()
    require_all(system, writers)
    tried = sum(deed.tries > 1 for deed in writers.deeds)
    print(f"{rounds} blows: {writers.answered} rulings answered, {tried} of them asked for more than once;", end=" ")
    print("0 lost, 0 doubled, 0 services crashed", flush=True)
    return writers


def survives_lost_answers(system: System, rounds: int) -> None:
    """Every third save's acknowledgement, then every third answer to a writer, never arrives."""
    with writing(system) as writers:
        for proxy in (system.server.proxy, system.front):
            before, proxy.every = proxy.lost, 3
            writers.wait(SHORT * rounds)
            proxy.every = 0
            assert proxy.lost > before, "no answer was lost: nothing was tried"
    require_all(system, writers)


def answers_once(system: Served, rounds: int) -> None:
    """The same key thirty-two times at once: one ruling, equal bytes, and one of them the first."""
    problems: list[str] = []
    with system.client() as client:
        where = table(client)
        for coins in range(1, rounds + 1):
            deed = Deed(where, coins, "1")
            with ThreadPoolExecutor(TOGETHER) as pool:
                answers = list(pool.map(lambda _, deed=deed: deed.ask(client), range(TOGETHER)))
            told = {(answer.status_code, answer.content) for answer in answers}
            if len(told) != 1 or answers[0].status_code != 201:
                problems.append(f"{len(told)} different answers to one key: {sorted(told)[:3]}")
            first = sum("Idempotency-Replayed" not in answer.headers for answer in answers)
            if first != 1:
                problems.append(f"{first} of {TOGETHER} say that they are the first answer")
        rows = system.rows()
    given = declared(rows)
    problems += [
        f"{coins} is recorded {len(given[coins])} times" for coins in range(1, rounds + 1) if len(given[coins]) != 1
    ]
    require([*problems, *flaws(rows)])


def require_all(system: Served, writers: Writers) -> None:
    rows = system.rows()
    require([*broken_promises(writers.deeds, rows), *flaws(rows), *writers.complaints])
    require(told_otherwise(system, writers, rows))


def broken_promises(deeds: list[Deed], rows: list[Row]) -> list[str]:
    """Deeds that were answered and are not recorded as answered, or that are recorded more than once."""
    given, problems = declared(rows), []
    for deed in deeds:
        found = given.pop(deed.coins, [])
        if len(found) > 1:
            problems.append(f"done {len(found)} times: {deed.coins}, as {found}")
        if deed.answer is not None:
            told = (deed.table.id, deed.answer.json()["number"])
            if told not in found:
                problems.append(f"answered and not recorded: {deed.coins}, as {told}")
    return problems + [f"recorded and never asked for: {coins}, as {found}" for coins, found in given.items()]


def declared(rows: list[Row]) -> dict[int, list[tuple[str, int]]]:
    """Of every gift its campaign and number, by its coins."""
    found: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for row in rows:
        if row.topic.startswith("ledger.ruled@") and row.body["fact"]["declared"]["kind"] == "give":
            found[row.body["fact"]["declared"]["coins"]].append((row.campaign, int(row.name)))
    return found


def told_otherwise(system: Served, writers: Writers, rows: list[Row]) -> list[str]:
    """Asked again, keys tried more than once and the last ones get the bytes they got; balances are as recorded."""
    problems = []
    with system.client() as client:
        asked_often = [deed for deed in writers.deeds if deed.tries > 1]
        for deed in {deed.key: deed for deed in (*asked_often, *writers.deeds[-LAST:])}.values():
            again = deed.ask(client)
            if deed.answer is None or again.content != deed.answer.content:
                problems.append(f"asked again, {deed.coins} is told otherwise: {again.text[:200]}")
        recorded = balances(rows)
        for where in writers.tables:
            served: dict[str, int] = {}
            for number in ("1", "2"):
                told = client.get(f"/campaigns/{where.id}/characters/{number}", headers=where.bearer).raise_for_status()
                served |= {one["account"]: one["balance"] for one in told.json()["balances"]}
            kept = {account: balance for account, balance in recorded[where.id].items() if account != "bank/coin"}
            if served != kept:
                problems.append(f"the balances are told as {served}, and recorded as {kept}")
            problems += audited(client, where)
    return problems


def audited(client: httpx.Client, where: Any) -> list[str]:
    """What an audit finds, of the record and of the views once they have caught up."""
    deadline = time.monotonic() + CATCHING_UP
    while True:
        found = client.get(f"/campaigns/{where.id}/audit", headers=where.bearer, timeout=120).raise_for_status().json()
        told = [f"audit: {one['what']} {one['detail']}" for one in found["differences"]]
        if not any("behind" in one for one in told) or time.monotonic() > deadline:
            return told


def views_as_built_anew(system: System) -> list[str]:
    """Tables of the views in which other rows stand than after they were built anew, from the record alone."""
    with Projector(system.logins.projector_url, SCHEMA) as projector:
        deadline = time.monotonic() + CATCHING_UP
        while projector.count_behind() and time.monotonic() < deadline:
            time.sleep(0.1)
        kept = _views(system)
        projector.rebuild()
        anew = _views(system)
    return [f"{table} was kept otherwise than it is built anew" for table in kept if kept[table] != anew[table]]


def _views(system: System) -> dict[str, list[Any]]:
    tables = [table for view in VIEWS for table in view.tables]
    with psycopg.connect(system.databases.owner_of(system.database)) as connection:
        stand = [
            name_views_schema(schema) for schema in name_schemas(SCHEMA, read_shelf_count(connection, SCHEMA) or 1)
        ]

        def rows(table: str) -> list[Any]:
            query = " UNION ALL ".join(f"SELECT '{views}', one::text FROM {views}.{table} AS one" for views in stand)
            return sorted(connection.execute(query.encode()).fetchall())

        return {table: rows(table) for table in tables}
