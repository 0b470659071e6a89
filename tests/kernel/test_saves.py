"""One save after the other, each answered once: receipts, races, lost acknowledgements, a database that goes away."""

from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from eventsourcing.persistence import OperationalError

from ledger.application import Ledger, make_environment
from ledger.application.reading.pasts import load_history
from ledger.errors import Denied, KeyReused, NotFound, NotYours, Unavailable
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character
from tests.desk import Desk, present
from tests.kernel.conftest import SCHEMA


def record_of(desk: Desk) -> list[tuple[str, int, str, bytes]]:
    return list(desk.ledger.store.select_range(f"{desk.campaign}/", f"{desk.campaign}0"))


def test_the_same_call_is_answered_with_the_same_bytes_and_done_once(desk: Desk) -> None:
    desk.enrol("A")
    call = desk.call()
    first = desk.declare("mint", call=call, to="1", coins=3)
    before = len(record_of(desk))
    again = desk.declare("mint", call=call, to="1", coins=3)
    assert (again.body, again.status, again.position) == (first.body, first.status, first.position)
    assert again.is_repeated and not first.is_repeated
    assert len(record_of(desk)) == before
    assert desk.coins("1") == 3


def test_a_retry_is_answered_even_when_the_act_would_be_refused_by_now(desk: Desk) -> None:
    a, b = desk.enrol("A", health=3), desk.enrol("B", health=3)
    call = desk.call()
    stand, six = {"choice": {"kind": "stand"}}, {"dice": {"sides": 6, "faces": [6]}}
    first = desk.declare("hit", stand, six, call=call, char=a, target=b)
    with pytest.raises(Refused, match="already-down"):
        desk.declare("hit", stand, six, char=a, target=b)
    assert desk.declare("hit", stand, six, call=call, char=a, target=b).body == first.body


def test_a_key_belongs_to_one_request(desk: Desk) -> None:
    desk.enrol("A")
    key = uuid.uuid4().hex
    desk.declare("mint", call=desk.call(key, request="three"), to="1", coins=3)
    with pytest.raises(KeyReused):
        desk.declare("mint", call=desk.call(key, request="four"), to="1", coins=4)
    assert desk.coins("1") == 3


def test_opening_a_campaign_again_shows_the_same_token_which_is_stored_nowhere(desk: Desk, ledger: Ledger) -> None:
    key = str(uuid.uuid4())
    call = desk.call(key, token="")
    call = type(call)(ledger.keys.make_campaign_id(key), "", "POST /campaigns", key, "body")
    first = ledger.open_campaign(call, "Twice", "toy", {}, "Ann", present)
    again = ledger.open_campaign(call, "Twice", "toy", {}, "Ann", present)
    assert first.token and first.body == again.body and first.token in first.body
    stored = b"".join(row[3] for row in ledger.store.select_range(f"{call.campaign}/", f"{call.campaign}0"))
    assert first.token.encode() not in stored
    assert first.token.split(".")[2].encode() not in stored


def test_the_same_key_thirty_two_times_at_once(desk: Desk, another: Ledger) -> None:
    desk.enrol("A")
    call = desk.call()
    do = desk.input("mint", to="1", coins=1)
    ledgers = [desk.ledger, another] * 16

    with ThreadPoolExecutor(32) as pool:
        replies = list(pool.map(lambda ledger: ledger.declare(call, do, present), ledgers))
    assert len({(reply.body, reply.position) for reply in replies}) == 1
    assert desk.coins("1") == 1


def test_ten_hasty_clients_lose_nothing(desk: Desk, another: Ledger) -> None:
    """Two processes, ten threads: every answered ruling is there once, numbers have no gap, coins add up."""
    desk.enrol("A")

    def client(number: int) -> list[int]:
        ledger = (desk.ledger, another)[number % 2]
        mint = desk.input("mint", to="1", coins=number + 1)
        done: list[int] = []
        while len(done) < 12:
            try:
                done.append(json.loads(ledger.declare(desk.call(), mint, present).body)["ruling"])
            except Exception as problem:
                if type(problem).__name__ != "Stale":
                    raise
        return done

    with ThreadPoolExecutor(10) as pool:
        numbers = [number for done in pool.map(client, range(10)) for number in done]
    assert sorted(numbers) == list(range(2, 122))
    assert desk.coins("1") == sum(12 * (client + 1) for client in range(10))
    journal = [row for row in record_of(desk) if "/journal/" in row[0]]
    assert [row[1] for row in sorted(journal, key=lambda row: row[1])] == list(range(1, len(journal) + 1))
    with another.open_for_seat(desk.call()) as (book, _):
        assert book.load_stream(character("1")).folded.purse == {"character:1/coin": desk.coins("1")}


def test_a_lost_acknowledgement_is_done_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commit came through, its answer did not: the caller hears 503, tries again, and it was done once."""
    desk.enrol("A")
    append = type(desk.ledger.store).append

    def lossy(*args: Any, **kwargs: Any) -> Any:
        append(*args, **kwargs)
        monkeypatch.undo()
        raise OperationalError("the connection was lost after the commit")

    for _ in range(5):
        call = desk.call()
        monkeypatch.setattr(type(desk.ledger.store), "append", lossy)
        with pytest.raises(Unavailable):
            desk.declare("mint", call=call, to="1", coins=2)
        desk.declare("mint", call=call, to="1", coins=2)
    keys = Counter(row[0] for row in record_of(desk) if "/receipt/" in row[0])
    assert set(keys.values()) == {1}
    assert desk.coins("1") == 10


@contextmanager
def of_a_shard(owner_url: str, events: str) -> Iterator[None]:
    """A version that is taken is told as by a shard of a distributed table: by its own name, in the text alone."""
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute(
            f"""CREATE FUNCTION taken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF EXISTS (SELECT FROM {events} WHERE originator_id = NEW.originator_id
                       AND originator_version = NEW.originator_version) THEN
                RAISE EXCEPTION 'duplicate key value violates unique constraint "ledger_events_pkey_102019"'
                USING ERRCODE = 'unique_violation';
            END IF; RETURN NEW; END $$;
            GRANT EXECUTE ON FUNCTION taken() TO PUBLIC;
            CREATE TRIGGER taken BEFORE INSERT ON {events} FOR EACH ROW EXECUTE FUNCTION taken()""".encode()
        )
        try:
            yield
        finally:
            owner.execute(f"DROP TRIGGER taken ON {events}; DROP FUNCTION taken".encode())


def test_a_race_is_known_by_the_name_of_a_shards_key_too(desk: Desk, another: Ledger, database: str) -> None:
    desk.enrol("A")
    for _ in range(4):
        desk("mint", to="1", coins=1)
    other = copy(desk)
    other.ledger = another
    with of_a_shard(database, f"{SCHEMA}.ledger_events"):
        for _ in range(3):  # neither looks before it saves, as it alone wrote of late
            desk("mint", to="1", coins=1)
            other("mint", to="1", coins=1)
    assert desk.coins("1") == 10


def test_nothing_is_saved_by_a_refusal_and_the_position_stays(desk: Desk) -> None:
    a, b = desk.enrol("A", health=1), desk.enrol("B", health=1)
    before, position = len(record_of(desk)), desk.position
    for kind, fields in (
        ("give", {"char": a, "to": b, "coins": 1}),
        ("give", {"char": "99", "to": b, "coins": 1}),
        ("hit", {"char": a, "target": "99"}),
        ("enrol", {"name": "C", "seat": "s9", "sheet": {"health": 1}}),
        ("enrol", {"name": " ", "seat": "s1", "sheet": {"health": 1}}),
        ("enrol", {"name": "C", "seat": "s1", "sheet": {"health": 0}}),
        ("set-dial", {"name": "die", "value": 7, "reason": "no such die"}),
        ("set-dial", {"name": "nothing", "value": 7, "reason": "no such dial"}),
        ("amend", {"subject": f"character:{a}", "field": "nothing", "value": 1, "reason": "?"}),
        ("amend", {"subject": "person:1", "field": "harm", "value": 1, "reason": "?"}),
        ("adjust", {"source": "bank/coin", "target": "house/coin", "unit": "coin", "amount": 1, "reason": "?"}),
        (
            "adjust",
            {"source": f"character:{a}/coin", "target": "bank/coin", "unit": "coin", "amount": 1, "reason": "?"},
        ),
        ("close-scene", {"scene": "77"}),
        ("close-session", {"session": "77"}),
    ):
        with pytest.raises(Refused):
            desk(kind, **fields)
    assert (len(record_of(desk)), desk.position) == (before, position)


def test_nothing_moves_in_amounts_nobody_can_count(desk: Desk) -> None:
    a = desk.enrol("A")
    purse = f"character:{a}/coin"
    desk("adjust", source="bank/coin", target=purse, unit="coin", amount=2**53 - 1, reason="a treasure")
    for amount in (2**53, 10**4000, 0, -1):
        with pytest.raises(Refused, match="posting"):
            desk("adjust", source="bank/coin", target=purse, unit="coin", amount=amount, reason="too much")


def test_who_reads_sees_the_campaign_as_of_one_save(desk: Desk, another: Ledger) -> None:
    """What another process saves while this one is reading is not seen in part."""
    a, b = desk.enrol("A"), desk.enrol("B")
    desk("mint", to=a, coins=10)
    give = desk.input("give", char=a, to=b, coins=10)
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        book.known_subjects.streams.clear()
        before = book.load_stream(character(a)).folded.purse[f"character:{a}/coin"]
        another.declare(desk.call(), give, present)
        another.dispute(desk.call(), 3, "so much?", present)
        assert before + book.load_stream(character(b)).folded.purse.get(f"character:{b}/coin", 0) == 10
        assert book.load_ruling(3).status == "standing"
        assert sorted(load_history(book).rulings) == [1, 2, 3]
        assert sum(map(len, load_history(book).facts.values())) == 9, "nor are facts of rulings that are not there"
    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        assert (desk.coins(a), desk.coins(b)) == (0, 10)
        assert book.load_ruling(3).status == "disputed"
        assert sorted(load_history(book).rulings) == [1, 2, 3, 4]


def test_what_went_wrong_in_memory_after_a_save_is_read_anew(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    a = desk.enrol("A")
    for _ in range(3):
        desk("mint", to=a, coins=1)
    call = desk.call()

    def breaks(*_: Any) -> None:
        raise MemoryError

    with monkeypatch.context() as broken:
        broken.setattr(Folded, "apply_fact", breaks)
        with pytest.raises(MemoryError):
            desk.declare("mint", call=call, to=a, coins=1)
    assert desk.declare("mint", call=call, to=a, coins=1).is_repeated, "it had been saved"
    assert desk.coins(a) == 4

    with desk.ledger.open_for_seat(desk.call()) as (book, _):
        book.known_subjects.streams.clear()
        with monkeypatch.context() as broken:
            broken.setattr(Folded, "apply_fact", breaks)
            with pytest.raises(MemoryError):
                book.load_stream(character(a))
    assert desk.coins(a) == 4


def test_campaigns_that_do_not_exist_push_none_out_of_memory(desk: Desk) -> None:
    book = desk.ledger.get_book(desk.campaign)
    for number in range(3):
        call = replace(desk.call(token=f"none{number}.s1.x"), campaign=f"none{number}")
        with pytest.raises(NotFound), desk.ledger.open_for_seat(call):
            pass
        assert call.campaign not in desk.ledger._books
    assert desk.ledger.get_book(desk.campaign) is book


@pytest.mark.parametrize(
    ("token", "problem"),
    [
        ("", Denied),
        ("nonsense", Denied),
        ("{campaign}.s1.nonsense", Denied),
        ("{campaign}.s9.x", Denied),
        ("other.s1.x", NotFound),
    ],
)
def test_a_token_that_opens_nothing(desk: Desk, token: str, problem: type[Exception]) -> None:
    call = desk.call(token=token.format(campaign=desk.campaign))
    with pytest.raises(problem), desk.ledger.open_for_seat(call):
        pass
    with pytest.raises(problem):
        desk.declare("mint", call=call, to="1", coins=1)


def test_a_new_token_kills_the_old_one_in_every_process(desk: Desk, another: Ledger) -> None:
    seat, old = desk.seat("Bob")
    with another.open_for_seat(desk.call(token=old)) as (_, viewer):
        assert viewer.seat == seat
    new = desk.ledger.renew_token(desk.call(), seat, present).token
    assert new is not None and new != old
    for ledger in (desk.ledger, another):
        with pytest.raises(Denied), ledger.open_for_seat(desk.call(token=old)):
            pass
        with ledger.open_for_seat(desk.call(token=new)) as (_, viewer):
            assert viewer.role == "player"


def test_a_removed_seat_is_out_and_the_last_game_master_stays(desk: Desk) -> None:
    seat, token = desk.seat("Bob")
    desk.ledger.change_seat(desk.call(), seat, None, True, present)
    with pytest.raises(Denied), desk.ledger.open_for_seat(desk.call(token=token)):
        pass
    with pytest.raises(Exception, match="last game master"):
        desk.ledger.change_seat(desk.call(), "s1", None, True, present)
    with pytest.raises(Refused, match="seat-removed"):
        desk.enrol("A", seat=seat)


def test_players_and_observers_declare_only_what_is_theirs(desk: Desk) -> None:
    seat, player = desk.seat("Bob")
    _, observer = desk.seat("Oz", "observer")
    mine, other = desk.enrol("Mine", seat=seat), desk.enrol("Other")
    desk("mint", to=mine, coins=5)
    theirs = desk.input("give", char=mine, to=other, coins=1)
    desk.ledger.declare(desk.call(token=player), theirs, present)
    for token, do in (
        (player, desk.input("give", char=other, to=mine, coins=1)),
        (player, desk.input("mint", to=mine, coins=1)),
        (player, desk.input("hit", char=other, target=mine)),
        (observer, theirs),
    ):
        with pytest.raises(NotYours):
            desk.ledger.declare(desk.call(token=token), do, present)
    desk("set-dial", name="deciders", value="all_players", reason="we have no game master")
    desk.ledger.declare(desk.call(token=player), desk.input("mint", to=mine, coins=1), present)
    with pytest.raises(NotYours):
        desk.ledger.declare(desk.call(token=observer), desk.input("mint", to=mine, coins=1), present)


def test_a_database_that_is_away_is_said_so_within_seconds() -> None:
    with pytest.raises(Unavailable):
        Ledger(make_environment("postgresql://nobody@127.0.0.1:9/nothing", wait=1), b"k" * 16)


def test_a_campaign_opens_only_with_dials_the_system_allows_together(ledger: Ledger) -> None:
    with pytest.raises(Refused, match="dial-value"):
        Desk(ledger, die=7)
    with pytest.raises(Refused, match="unknown-dial"):
        Desk(ledger, nothing=7)
    assert Desk(ledger, die=8).position == 1
