"""Receivers that fail, hang, redirect, move or want no more; and deliverers that come and go."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from threading import Event, Thread
from typing import Any

import psycopg
from standardwebhooks import Webhook

from api.hooks.deliverer import Deliverer
from api.hooks.sending import Sender
from ledger.application import Ledger, make_environment
from tests.api.conftest import KEY, SCHEMA
from tests.api.hooks.conftest import HERE, Clock, Delivery, caught_up, sign_anew
from tests.api.hooks.receiver import PATIENCE, Receiver, receiving
from tests.api.hooks.test_deliveries import as_it_is, coins, hook, mint
from tests.api.table import Json, Table
from tests.waiting import wait_until


def started(table: Table, receiver: Receiver, ledger: Ledger, *amounts: int) -> Json:
    """A hook, and coins that are to be told."""
    table.fighters()
    made = hook(table.gm, receiver)
    for amount in amounts:
        mint(table, amount)
    caught_up(table, ledger)
    return made


def test_what_is_not_taken_is_sent_again_under_the_same_id_before_anything_later(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger
) -> None:
    made = started(table, receiver, ledger, 1, 2)
    receiver.answers = [500, 503]
    delivery.turn()
    delivery.turn()
    assert coins(receiver) == [1], "not before its time"
    told = as_it_is(table, made["id"])
    assert (
        told["status"] == "on"
        and told["last_problem"]["text"] == "The address returned 500."
        and not told["last_delivery"]
    )
    assert told["text"].startswith("1 attempt has failed: The address returned 500. Next attempt: ")
    delivery.clock.forward(seconds=5.4)
    delivery.turn()
    assert coins(receiver) == [1]
    delivery.clock.forward(seconds=0.2)
    delivery.turn()
    assert coins(receiver) == [1, 1]
    assert as_it_is(table, made["id"])["text"].startswith("2 attempts have failed: The address returned 503.")
    delivery.clock.forward(seconds=330)
    delivery.turn()
    assert coins(receiver) == [1, 1, 1, 2]
    first, second, third, other = receiver.received
    assert first.headers["webhook-id"] == second.headers["webhook-id"] == third.headers["webhook-id"]
    assert other.headers["webhook-id"] != first.headers["webhook-id"]
    stamps = [int(one.headers["webhook-timestamp"]) for one in receiver.received]
    assert stamps[0] < stamps[1] < stamps[2] == stamps[3]
    assert len({one.headers["webhook-signature"] for one in (first, second, third)}) == 3
    Webhook(made["secret"]).verify(first.body, first.headers)
    told = as_it_is(table, made["id"])
    assert told["last_delivery"] and told["text"].startswith(
        "Receives what everybody at the table can see; last delivery on"
    )
    assert delivery.counted == ["failed", "failed", "delivered", "delivered"]


def test_after_a_day_of_failures_it_is_given_up_and_that_is_said(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger
) -> None:
    made = started(table, receiver, ledger, 1)
    receiver.answers = [500] * 100
    tries = 0
    while as_it_is(table, made["id"])["status"] == "on":
        delivery.turn()
        tries = len(receiver.received)
        delivery.clock.forward(hours=1 if tries > 3 else 0.1)
    assert as_it_is(table, made["id"])["status"] == "dead"
    assert as_it_is(table, made["id"])["text"] == "Delivery stopped after a day of failures: The address returned 500."
    assert as_it_is(table, made["id"])["last_problem"]["text"] == "The address returned 500."
    assert tries == 9
    mint(table, 2)
    caught_up(table, ledger)
    delivery.clock.forward(days=2)
    delivery.turn()
    assert len(receiver.received) == tries, "nothing more, ever"


def test_one_that_is_taken_in_between_begins_the_day_anew(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger
) -> None:
    made = started(table, receiver, ledger, 1, 2)
    receiver.answers = [500, 500, 204, 500]
    delivery.turn()
    delivery.clock.forward(hours=1)
    delivery.turn()
    delivery.clock.forward(hours=23)
    delivery.turn()
    told = as_it_is(table, made["id"])
    assert (told["status"], coins(receiver)) == ("on", [1, 1, 1, 2])
    assert told["text"].startswith("1 attempt has failed")


def test_a_receiver_that_is_gone_ends_it_at_once(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger
) -> None:
    made = started(table, receiver, ledger, 1, 2)
    receiver.answers = [410]
    delivery.turn()
    delivery.clock.forward(days=1)
    delivery.turn()
    told = as_it_is(table, made["id"])
    assert (told["status"], told["text"]) == ("gone", "Stopped: The address returned 410 (gone), so delivery stopped.")
    assert coins(receiver) == [1]


def test_a_redirect_is_a_failure(table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger) -> None:
    made = started(table, receiver, ledger, 1)
    with receiving() as other:
        receiver.answers, receiver.headers = [307], {"Location": other.url}
        delivery.turn()
        assert not other.received
    assert (
        as_it_is(table, made["id"])["last_problem"]["text"] == "The address returned 307. Redirects are not followed."
    )


def test_a_name_that_comes_to_mean_something_inside_gets_nothing(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger, clock: Clock, postgres: Any
) -> None:
    means = ["127.0.0.1"]
    looked_up: list[str] = []

    def resolve(host: str, port: int) -> list[str]:
        looked_up.append(host)
        return list(means)

    moving = Delivery(ledger, Sender(HERE, resolve=resolve), clock)
    made = started(table, receiver, ledger, 1, 2)
    with psycopg.connect(postgres.owner_url) as connection:
        url = f"http://bot.example:{receiver.port}/hook"
        connection.execute(f"UPDATE {SCHEMA}.hooks SET url = %s", [url])
        connection.commit()
        sign_anew(ledger, connection)
    receiver.before_answering = lambda: means.__setitem__(0, "127.0.0.2")
    moving.turn()
    assert coins(receiver) == [1] and looked_up == ["bot.example"] * 2
    assert "https://" in as_it_is(table, made["id"])["last_problem"]["text"]
    means[0] = "127.0.0.1"
    receiver.before_answering = None
    clock.forward(seconds=6)
    moving.turn()
    assert coins(receiver) == [1, 2]


# --- who hangs ---


def test_a_receiver_that_hangs_delays_nobody(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger, clock: Clock
) -> None:
    """One lane for those that answer, one for those that do not: who hung before holds up only its like."""
    with receiving() as hanging:
        made = hook(table.gm, hanging)
        hook(table.gm, receiver)
        table.fighters()
        mint(table, 1)
        caught_up(table, ledger)
        hanging.answers = [500]
        lanes = Delivery(ledger, Sender(HERE, patience=60), clock, swift_count=1, slow_count=1)
        lanes.turn()
        told = len(receiver.received)
        hanging.open.clear()
        clock.forward(minutes=1)
        mint(table, 2)
        caught_up(table, ledger)

        async def look() -> None:
            await lanes.deliverer.start_due_deliveries()
            hung = lanes.deliverer.running_deliveries[made["id"]]
            await asyncio.to_thread(wait_until, lambda: len(hanging.received) == 2)
            await asyncio.to_thread(wait_until, lambda: coins(receiver) == [1, 2])
            mint(table, 3)
            caught_up(table, ledger)
            await asyncio.to_thread(wait_until, lambda: not others(lanes.deliverer))
            await lanes.deliverer.start_due_deliveries()
            await asyncio.to_thread(wait_until, lambda: coins(receiver) == [1, 2, 3])
            assert lanes.deliverer.running_deliveries[made["id"]] is hung and len(hanging.received) == 2, (
                "nothing later is sent"
            )
            hanging.open.set()
            await lanes.deliverer.wait_until_settled()

        asyncio.run(look())
        lanes.turn()
        assert told and coins(hanging)[-3:] == [1, 2, 3]
        assert as_it_is(table, made["id"])["status"] == "on"


def others(deliverer: Deliverer) -> bool:
    """Whether more than one hook is under way."""
    return len(deliverer.running_deliveries) > 1


def test_one_that_takes_its_time_waits_with_those_that_fail(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger, clock: Clock
) -> None:
    started(table, receiver, ledger, 1, 2)
    receiver.before_answering = lambda: clock.forward(seconds=5)
    delivery.turn()
    assert delivery.deliverer.slow_hook_ids and coins(receiver) == [1, 2]
    receiver.before_answering = None
    mint(table, 3)
    caught_up(table, ledger)
    delivery.turn()
    assert not delivery.deliverer.slow_hook_ids


# --- one process of many ---


def test_one_of_two_delivers_and_the_other_takes_over(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger, service_url: str
) -> None:
    started(table, receiver, ledger)
    with ExitStack() as stack:
        ledgers = [ledger, stack.enter_context(Ledger(make_environment(service_url, schema=SCHEMA), KEY))]
        deliverers = [Deliverer(one, Sender(HERE)) for one in ledgers]
        stops = [Event(), Event()]
        threads = [
            Thread(target=one.follow, args=(service_url, stop), daemon=True)
            for one, stop in zip(deliverers, stops, strict=True)
        ]
        for number in (0, 1):
            threads[number].start()
            wait_until(lambda: deliverers[0].is_leading)
        mint(table, 1)
        wait_until(lambda: coins(receiver) == [1])
        assert [one.is_leading for one in deliverers] == [True, False]
        stops[0].set()
        threads[0].join(PATIENCE)
        wait_until(lambda: deliverers[1].is_leading)
        mint(table, 2)
        wait_until(lambda: coins(receiver) == [1, 2])
        stops[1].set()
        threads[1].join(PATIENCE)
        assert not any(one.is_leading for one in deliverers)


def test_a_deliverer_whose_line_breaks_goes_on_once_it_is_mended(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger, service_url: str
) -> None:
    started(table, receiver, ledger)
    deliverer, stop = Deliverer(ledger, Sender(HERE)), Event()
    thread = Thread(target=deliverer.follow, args=(service_url, stop), daemon=True)
    thread.start()
    wait_until(lambda: deliverer.is_leading)
    with psycopg.connect(service_url, autocommit=True) as connection:
        query = """SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
            WHERE l.locktype = 'advisory' AND l.granted AND a.usename = current_user AND a.query LIKE 'LISTEN%'"""
        assert connection.execute(query).fetchall() == [(True,)]
    wait_until(lambda: not deliverer.is_leading)
    mint(table, 1)
    wait_until(lambda: coins(receiver) == [1])
    assert deliverer.is_leading
    stop.set()
    thread.join(PATIENCE)


def test_a_campaign_that_cannot_be_shown_holds_up_no_other(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger
) -> None:
    """Whatever goes wrong with it: it rests a while, and is gone on with where it was."""
    other = Table(table.service)
    started(table, receiver, ledger, 1)
    with receiving() as beside:
        started(other, beside, ledger, 2)
        whole = delivery.deliverer.get_store_of(table.id).get

        def failing(id: str) -> object:
            found = whole(id)
            if found is not None and found.campaign == table.id:
                raise RuntimeError("something nobody foresaw")
            return found

        delivery.deliverer.get_store_of(table.id).get = failing  # type: ignore[method-assign,assignment]
        delivery.turn()
        assert coins(beside) == [2] and not receiver.received
        delivery.deliverer.get_store_of(table.id).get = whole  # type: ignore[method-assign]
        delivery.turn()
        assert not receiver.received, "not at once"
        delivery.clock.forward(minutes=1)
        delivery.turn()
        assert coins(receiver) == [1]
