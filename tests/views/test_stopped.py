"""One campaign whose record is not as it must be stops its own views, with the place; all others are kept."""

from __future__ import annotations

import json
import threading
from typing import Any

import psycopg
import pytest

from ledger.application import Ledger, find_ruleset
from ledger.errors import Fault, Unsound
from ledger.rules.kernel.subjects import Viewer
from projections.documents import seals
from projections.documents.timelines import Selection, list_timeline
from projections.redaction import ViewLens
from projections.views.campaigns import Campaigns
from projections.views.clocks import NOW
from projections.views.pages import Views
from projections.views.projector import Projector
from projections.views.timeline import Timeline
from tests.desk import Desk
from tests.kernel.tampering import Tampering
from tests.levels import sampled
from tests.views.conftest import SCHEMA, ViewDatabase, look
from tests.views.test_views import everything, play
from tests.waiting import wait_until

LENS = ViewLens(Viewer("s1", "gm"), {"s1": "Ann"})


@pytest.fixture
def broken(ledger: Ledger, projector: Projector) -> Desk:
    """Its views follow it so far."""
    desk = Desk(ledger)
    play(desk, [1, 0, 2])
    projector.catch_up()
    return desk


@pytest.fixture
def foreign(broken: Desk, database: ViewDatabase) -> Tampering:
    return Tampering(database.service_url, SCHEMA, broken.campaign)


@pytest.fixture
def owner(broken: Desk, database: ViewDatabase) -> Tampering:
    return Tampering(database.owner_url, SCHEMA, broken.campaign)


def stopped(database: ViewDatabase) -> list[tuple[str, str, str]]:
    with psycopg.connect(database.owner_url) as connection:
        query = f"SELECT campaign, code, detail FROM {SCHEMA}_views.stopped ORDER BY campaign"
        return connection.execute(query.encode()).fetchall()


def told(views: Views, desk: Desk) -> int:
    page = look(views, desk.campaign, lambda reader: list_timeline(LENS, reader, Selection(), NOW))
    return len(page.decode()["facts"])


def test_an_event_of_an_unknown_kind_stops_that_campaign_with_its_place(
    broken: Desk, foreign: Tampering, desk: Desk, projector: Projector, views: Views, database: ViewDatabase
) -> None:
    before = {table: [row for row in rows if broken.campaign in row[0]] for table, rows in everything(database).items()}
    foreign.add("character/1", 99, "toy.sang@1", b"{}")
    play(desk, [1, 0, 2])
    play(broken, [1])
    stop = threading.Event()
    following = threading.Thread(target=projector.follow, args=(stop,), daemon=True)
    following.start()
    wait_until(lambda: views.find_position(desk.campaign) == desk.position)
    wait_until(lambda: projector.count_behind() == 0)
    stop.set()
    following.join(120)
    assert projector.problem is None
    (one,) = stopped(database)
    assert one[:2] == (broken.campaign, "unreadable-event")
    assert "toy.sang@1" in one[2] and "character/1 version 99" in one[2]
    for tell in (
        lambda: views.find_position(broken.campaign),
        lambda: told(views, broken),
        lambda: look(views, broken.campaign, seals.count_sealed_events),
    ):
        with pytest.raises(Unsound, match=r"have stopped.*character/1 version 99") as problem:
            tell()
        assert problem.value.code == "views-stopped"
    assert told(views, desk) > 10
    assert views.count_stopped() == 1
    after = everything(database)
    assert {table: [row for row in rows if broken.campaign in row[0]] for table, rows in after.items()} == before


@pytest.mark.parametrize("goes_on", [False, True])
@pytest.mark.parametrize("stream", sampled(["character/1", "ruling/3", "campaign/campaign", "journal/journal"], 2))
def test_what_the_journal_does_not_name_stops_it_at_once(
    broken: Desk,
    foreign: Tampering,
    desk: Desk,
    projector: Projector,
    database: ViewDatabase,
    views: Views,
    stream: str,
    goes_on: bool,
) -> None:
    last = foreign.copy(stream, 1)
    if goes_on:
        play(desk, [1, 0])
    projector.catch_up()
    assert stopped(database) == [(broken.campaign, "event-unnamed", detail_of(stream, last, foreign))]
    assert projector.count_behind() == 0
    play(desk, [1, 0])
    projector.catch_up()
    assert views.find_position(desk.campaign) == desk.position
    projector.rebuild()
    assert [one[0] for one in stopped(database)] == [broken.campaign]
    assert views.find_position(desk.campaign) == desk.position


def detail_of(stream: str, version: int, record: Tampering) -> str:
    state = json.loads(record.stream(stream)[version - 1][4])
    return f"The journal's entry {state['position']} does not list {stream} version {version}."


def test_a_repaired_campaign_comes_back_when_they_are_built_anew(
    broken: Desk, owner: Tampering, desk: Desk, projector: Projector, database: ViewDatabase, views: Views
) -> None:
    rows = owner.rows()
    at = rows.index(owner.stream("character/1")[1])
    play(desk, [1, 0])
    with owner.altered([*rows[:at], (*rows[at][:3], "toy.sang@1", rows[at][4]), *rows[at + 1 :]]):
        projector.rebuild()
        assert [one[0] for one in stopped(database)] == [broken.campaign]
        assert views.find_position(desk.campaign) == desk.position
    projector.rebuild([Timeline])
    with pytest.raises(Unsound):
        told(views, broken)  # only a part of them knows what became of it
    projector.rebuild()
    assert stopped(database) == []
    assert told(views, broken) > 5
    assert views.find_position(broken.campaign) == broken.position


def test_a_part_built_anew_that_does_not_come_so_far_stops_it(
    broken: Desk, owner: Tampering, desk: Desk, projector: Projector, database: ViewDatabase, views: Views
) -> None:
    rows = owner.rows()
    gone = owner.stream("journal/journal")[2]
    with owner.altered([row for row in rows if row != gone]):
        projector.rebuild([Timeline, Campaigns])
        assert [one[0] for one in stopped(database)] == [broken.campaign]
        with pytest.raises(Unsound):
            told(views, broken)


@pytest.mark.parametrize("stream", ["character/1", "ruling/4"])
def test_what_was_deleted_is_not_passed_over_by_views_that_must_read_it(
    broken: Desk, owner: Tampering, database: ViewDatabase, ledger: Ledger, stream: str
) -> None:
    """A keeper that remembers nothing reads a subject or a ruling from the record to carry it on."""
    if stream == "ruling/4":
        broken.ledger.dispute(broken.call(), 4, "no", lambda *_: "{}")
    gone = owner.stream(stream)[0]
    broken("mint", to="1", coins=1)
    with owner.altered([row for row in owner.rows() if row != gone]), Projector(database.projector_url, SCHEMA) as anew:
        anew.catch_up()
        assert [one[0] for one in stopped(database)] == [broken.campaign]


def test_a_campaign_whose_system_is_gone_stops_alone(
    broken: Desk, desk: Desk, database: ViewDatabase, views: Views, monkeypatch: pytest.MonkeyPatch
) -> None:

    def but_one(recorder: Any, codec: Any, campaign: str) -> Any:
        if campaign == broken.campaign:
            raise Fault("The system of this campaign is not installed.", code="system-missing")
        return find_ruleset(recorder, codec, campaign)

    play(desk, [1, 0])
    play(broken, [1, 0])
    monkeypatch.setattr("projections.views.view.find_ruleset", but_one)
    with Projector(database.projector_url, SCHEMA) as anew:
        anew.catch_up()
    assert [one[:2] for one in stopped(database)] == [(broken.campaign, "system-missing")]
    assert views.find_position(desk.campaign) == desk.position
