"""Invites over HTTP: a link or a code opens one seat once; whoever guesses, forges or comes late learns nothing."""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from eventsourcing.persistence import IntegrityError, OperationalError
from typer.testing import CliRunner

from api.app import create_app
from api.cli.main import app
from api.inviting.letting_in import Guesses
from api.service.options import Options, Rate
from ledger.application import Call, Ledger, make_environment
from ledger.application.commands.inviting import is_code, normalize_code, sign_invite
from ledger.application.keys import CROCKFORD, Keys
from ledger.events.invites import InviteStore
from ledger.events.rate_limit import Permits
from projections.documents.presenting import present
from tests.api.conftest import KEY, OPERATOR, SCHEMA, serving
from tests.api.process import process
from tests.api.table import Json, Player, Service, Table, described
from tests.api.test_documentation import Story, blocks, parse

BEN: Json = {"name": "Eva", "role": "player"}
CLOSED = "invite-opens-nothing"


@pytest.fixture(autouse=True)
def nobody_tried_yet(postgres: Any, service_url: str) -> None:
    assert service_url
    with psycopg.connect(postgres.owner_url, autocommit=True) as owner:
        owner.execute(f"TRUNCATE {SCHEMA}_common.permits, {SCHEMA}.invites")


class Time:
    """Lets time go by for all invites: no test waits. They are signed anew."""

    def __init__(self, owner_url: str, ledger: Ledger) -> None:
        self._url, self._ledger = owner_url, ledger

    def go_by(self, minutes: float) -> None:
        columns = ("made_at", "good_until", "code_until", "used_at")
        back = ", ".join(f"{one} = {one} - make_interval(secs => %(seconds)s)" for one in columns)
        with psycopg.connect(self._url, autocommit=True) as owner:
            owner.execute(f"UPDATE {SCHEMA}.invites SET {back}", {"seconds": minutes * 60})
            for invite in InviteStore(self._ledger.shelves.get_shelf(0)).list_all():
                signed = f"UPDATE {SCHEMA}.invites SET signature = %s WHERE id = %s"
                owner.execute(signed, (sign_invite(self._ledger.keys, invite), invite.id))


@pytest.fixture
def time(postgres: Any, ledger: Ledger) -> Time:
    return Time(postgres.owner_url, ledger)


def invited(by: Player, **more: Any) -> Json:
    return by.does("/invites", {**BEN, **more})


def own_link(player: Player) -> Json:
    return player.does("/invites", {"seat": player.id})


def secret_of(invite: Json) -> str:
    return str(invite["link"]).partition("#")[2]


def use(service: Service, key: str | None = None, headers: dict[str, str] | None = None, **said: str) -> httpx.Response:
    return service.send(
        "POST", "/invites/use", {"Idempotency-Key": key or str(uuid.uuid4()), **(headers or {})}, json=said
    )


def joined(table: Table, answer: httpx.Response) -> Player:
    assert answer.status_code == 201, answer.text
    return Player(table, answer.json()["seat"]["id"], answer.json()["token"])


def closed(answer: httpx.Response) -> httpx.Response:
    assert answer.status_code == 404, answer.text
    assert answer.json()["code"] == CLOSED
    return answer


# --- sitting down ---


@pytest.mark.parametrize("way", ["secret", "link", "code", "code as it was heard"])
def test_a_link_or_a_code_makes_a_seat_that_plays(table: Table, way: str) -> None:
    made = invited(table.gm)
    said = {
        "secret": {"secret": secret_of(made)},
        "link": {"secret": made["link"]},
        "code": {"code": made["code"]},
        "code as it was heard": {"code": " " + made["code"].lower().translate(str.maketrans("10-", "io "))},
    }[way]
    answer = use(table.service, **said)
    eva = joined(table, answer)
    assert answer.json()["campaign"] == table.id and answer.json()["title"] == "A table"
    assert answer.json()["seat"] == {"id": "s5", "name": "Eva", "role": "player", "removed": False, "holds": False}
    assert eva.look("/seats/s5")["name"] == "Eva"
    assert eva.enrol("Edda")


def test_the_seat_is_in_the_journal_in_the_name_of_who_invited_and_the_invite_is_not(table: Table) -> None:
    before = table.position
    made = invited(table.gm)
    assert table.position == before, "an invite is no part of the record"
    joined(table, use(table.service, secret=secret_of(made)))
    assert table.position == before + 1, "one save"
    export = table.gm.get("/export").text
    assert "seat-taken" in export and made["id"] not in export and secret_of(made) not in export


def test_what_was_used_opens_nothing_any_more(table: Table) -> None:
    made = invited(table.gm)
    joined(table, use(table.service, code=made["code"]))
    position = table.position
    closed(use(table.service, code=made["code"]))
    closed(use(table.service, secret=secret_of(made)))
    assert table.position == position


def test_a_lost_answer_is_given_again_for_ten_minutes(table: Table, time: Time) -> None:
    made, key = invited(table.gm), str(uuid.uuid4())
    first = use(table.service, key, secret=secret_of(made))
    time.go_by(9)
    again = use(table.service, key, secret=secret_of(made))
    assert again.content == first.content and again.headers["Idempotency-Replayed"] == "true"
    assert len(table.gm.look()["seats"]) == 5
    time.go_by(2)
    closed(use(table.service, key, secret=secret_of(made)))


def test_many_at_once_make_one_seat(table: Table) -> None:
    made = invited(table.gm)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: use(table.service, secret=secret_of(made)), range(8)))
    assert sorted(one.status_code for one in answers) == [201, *[404] * 7]
    made, key = invited(table.gm), str(uuid.uuid4())
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: use(table.service, key, secret=secret_of(made)), range(8)))
    assert {one.content for one in answers} == {answers[0].content} and answers[0].status_code == 201
    assert len(table.gm.look()["seats"]) == 6


def test_characters_are_handed_over_in_the_name_of_who_invited(table: Table) -> None:
    bruno, other = table.gm.enrol("Bruno"), table.gm.enrol("Olga")
    made = invited(table.gm, characters=[bruno])
    key = str(uuid.uuid4())
    eva = joined(table, use(table.service, key, secret=secret_of(made)))
    joined(table, use(table.service, key, secret=secret_of(made)))
    seats = {one["id"]: one["seat"] for one in table.gm.look("/characters")["characters"]}
    assert seats == {bruno: eva.id, other: "s1"}
    (ruling,) = table.gm.look("/rulings", kind="hand-over")["rulings"]
    assert ruling["by"]["seat"] == "s1"
    (entry,) = table.gm.look("/invites")["invites"]
    assert entry["status"] == "used" and entry["seat"]["seat"] == eva.id and "not handed over" not in entry["text"]


def test_a_character_that_cannot_be_handed_over_any_more_is_told_and_keeps_nobody_out(table: Table) -> None:
    bruno = table.gm.enrol("Bruno")
    made = invited(table.gm, characters=[bruno])
    table.gm.does(f"/characters/{bruno}/retire", {"reason": "He fell."})
    joined(table, use(table.service, secret=secret_of(made)))
    (entry,) = table.gm.look("/invites")["invites"]
    assert entry["status"] == "used"


def test_an_observer_sits_down_and_watches(table: Table) -> None:
    eva = joined(table, use(table.service, code=invited(table.gm, role="observer")["code"]))
    assert eva.look("/seats/s5")["role"] == "observer"
    assert eva.post("/invites", BEN).status_code == 403


# --- one's own second device ---


@pytest.mark.parametrize("who", ["gm", "ben", "dora"])
def test_a_seat_invites_its_own_other_device(table: Table, who: str) -> None:
    player: Player = getattr(table, who)
    made = own_link(player)
    position = table.position
    answer = use(table.service, secret=secret_of(made))
    assert joined(table, answer).token == player.token
    assert table.position == position and answer.json()["seat"]["id"] == player.id
    closed(use(table.service, secret=secret_of(made)))


def test_no_code_opens_a_game_masters_seat(table: Table) -> None:
    made = own_link(table.gm)
    assert made["code"] is None and made["code_until"] is None
    assert own_link(table.ben)["code"] is not None


def test_of_the_links_to_a_seat_the_last_one_is_good(table: Table) -> None:
    first, second = own_link(table.ben), own_link(table.ben)
    other = own_link(table.cleo)
    closed(use(table.service, secret=secret_of(first)))
    assert joined(table, use(table.service, secret=secret_of(second))).token == table.ben.token
    assert joined(table, use(table.service, secret=secret_of(other))).token == table.cleo.token


@pytest.mark.parametrize("who", ["gm", "cleo", "dora"])
def test_nobody_invites_to_anothers_seat(table: Table, who: str) -> None:
    answer = getattr(table, who).post("/invites", {"seat": "s2"})
    assert answer.status_code == 403 and "your own seat" in answer.json()["detail"]
    assert getattr(table, who).post("/invites", {"seat": "s99"}).json() == answer.json(), "nor learns who sits there"


# --- what ends it ---


def test_a_code_is_good_for_a_quarter_of_an_hour_and_the_link_for_its_days(table: Table, time: Time) -> None:
    made = invited(table.gm, days=2)
    time.go_by(14)
    joined(table, use(table.service, code=made["code"]))
    made = invited(table.gm, days=2)
    time.go_by(15)
    closed(use(table.service, code=made["code"]))
    joined(table, use(table.service, secret=secret_of(made)))
    made = invited(table.gm, days=2)
    time.go_by(2 * 24 * 60)
    closed(use(table.service, secret=secret_of(made)))
    assert table.gm.look("/invites")["invites"][-1]["status"] == "expired"


def test_what_was_withdrawn_opens_nothing(table: Table) -> None:
    made = invited(table.gm)
    gone = table.gm.send("DELETE", f"/invites/{made['id']}")
    assert gone.status_code == 200 and gone.json()["status"] == "withdrawn"
    closed(use(table.service, secret=secret_of(made)))
    closed(use(table.service, code=made["code"]))
    assert table.gm.send("DELETE", f"/invites/{made['id']}").json() == gone.json()


def test_what_was_used_cannot_be_withdrawn(table: Table) -> None:
    made = invited(table.gm)
    joined(table, use(table.service, secret=secret_of(made)))
    late = table.gm.send("DELETE", f"/invites/{made['id']}")
    assert (late.status_code, late.json()["code"]) == (409, "invite-used") and "Eva used this invite" in late.json()[
        "detail"
    ]


def test_it_ends_with_the_token_of_who_made_it(table: Table) -> None:
    made, own = invited(table.gm), own_link(table.ben)
    table.gm.does("/seats/s1/token", status=200)
    closed(use(table.service, secret=secret_of(made)))
    joined(table, use(table.service, secret=secret_of(own)))
    own = own_link(table.ben)
    table.ben.does("/seats/s2/token", status=200)
    closed(use(table.service, secret=secret_of(own)))
    closed(use(table.service, code=own["code"]))


def test_it_ends_with_the_seat_of_who_made_it(table: Table) -> None:
    second = table.seat("Second", "gm")
    made, own = invited(second), own_link(table.ben)
    for seat in (second.id, "s2"):
        assert table.gm.send("PATCH", f"/seats/{seat}", json={"removed": True}).status_code == 200
    closed(use(table.service, secret=secret_of(made)))
    closed(use(table.service, secret=secret_of(own)))
    (entry,) = table.gm.look("/invites")["invites"]
    assert entry["status"] == "ended" and "removed" in entry["text"]


def test_the_answer_is_not_given_again_once_the_seat_was_signed_out_everywhere(table: Table) -> None:
    made, key = invited(table.gm), str(uuid.uuid4())
    eva = joined(table, use(table.service, key, secret=secret_of(made)))
    eva.does(f"/seats/{eva.id}/token", status=200)
    closed(use(table.service, key, secret=secret_of(made)))


# --- guessing ---


def test_whatever_is_wrong_is_answered_alike(table: Table, time: Time) -> None:
    """Nobody learns whether there was such an invite, of which campaign, or what became of it."""
    used, withdrawn, old = (invited(table.gm) for _ in range(3))
    joined(table, use(table.service, secret=secret_of(used)))
    table.gm.send("DELETE", f"/invites/{withdrawn['id']}")
    time.go_by(16)
    made = secret_of(invited(table.gm))
    said = [
        {"secret": secret_of(used)},
        {"secret": secret_of(withdrawn)},
        {"code": old["code"]},
        {"code": used["code"]},
        {"secret": "nothing"},
        {"secret": ""},
        {"code": ""},
        {"code": "0000-0000"},
        {"code": "ſ" * 8},
        {"secret": made[:-1] + ("A" if made[-1] != "A" else "B")},
        {"secret": made.rpartition(".")[2]},
        {"secret": table.gm.token},
        {"secret": made + "\n#"},
    ]
    answers = [closed(use(table.service, **one)) for one in said]
    told = {(one.content, *(sorted(set(one.headers) - {"idempotency-key"}))) for one in answers}
    assert len(told) == 1
    joined(table, use(table.service, secret=made))


def test_a_token_in_the_header_makes_no_difference(table: Table) -> None:
    made = invited(table.gm)
    eva = joined(table, use(table.service, headers=table.ben.bearer, secret=secret_of(made)))
    assert eva.id == "s5"


def test_a_code_opens_its_own_campaign_only(table: Table) -> None:
    other = Table(table.service)
    made = invited(other.gm)
    answer = use(table.service, code=made["code"])
    assert answer.json()["campaign"] == other.id
    assert len(table.gm.look()["seats"]) == 4


@pytest.fixture
def strict(ledger: Ledger) -> Iterator[Service]:
    """A service that runs open, where nothing else is limited: four tries an address, six codes in all."""
    strictly = create_app(ledger, operator_token=OPERATOR)
    strictly.state.guesses = Guesses(Permits(ledger.store.datastore), Rate(4, 3600), Rate(6, 3600))
    with serving(strictly) as address, httpx.Client(base_url=address, timeout=120) as client:
        yield Service(client, OPERATOR, described(strictly.openapi))


def tries(service: Service, address: str, **said: str) -> int:
    answer = use(service, headers={"X-Forwarded-For": address}, **said)
    if answer.status_code == 429:
        assert answer.json()["code"] == "too-many-tries" and answer.headers["Retry-After"]
    return answer.status_code


def test_an_address_may_guess_so_often_and_others_go_on(strict: Service) -> None:
    table = Table(strict)
    made = invited(table.gm)
    assert [tries(strict, "203.0.113.7", code="0000-0000") for _ in range(5)] == [404] * 4 + [429]
    assert tries(strict, "203.0.113.7", secret=secret_of(made)) == 429, "nor a link, from there"
    assert tries(strict, "203.0.113.8", secret=secret_of(made)) == 201


def test_codes_may_be_guessed_so_often_in_all_and_links_still_open(strict: Service) -> None:
    table = Table(strict)
    made = invited(table.gm)
    asked = [tries(strict, f"203.0.113.{number}", code="0000-0000") for number in range(8)]
    assert asked == [404] * 6 + [429] * 2
    assert tries(strict, "203.0.113.99", code=made["code"]) == 429
    assert tries(strict, "203.0.113.99", secret=secret_of(made)) == 201


# --- a table that somebody else writes to ---


@pytest.mark.parametrize(
    "change",
    [
        "role = 'gm'",
        "own = 's1'",
        "own = 's2', role = 'player'",
        "made_by = ''",
        "characters = '{1}'",
        "name = 'The game master'",
        "good_until = good_until + interval '1 year'",
        "code_until = code_until + interval '1 year'",
        "signature = NULL",
        "generation = 2",
        "status = 'used', used_at = now(), used_key = %(key)s, seat = 's1', seat_generation = 1",
    ],
)
def test_whoever_writes_to_the_table_makes_an_invite_open_nothing_more(
    table: Table, service_url: str, change: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Dora, who watches, has a link; the service's own login turns it into a game master's."""
    table.gm.enrol("Bruno")
    made, key = invited(table.gm, role="observer", name="Eve"), str(uuid.uuid4())
    with psycopg.connect(service_url, autocommit=True) as login:
        values = {"id": made["id"], "key": hashlib.sha256(key.encode()).hexdigest()}
        login.execute(f"UPDATE {SCHEMA}.invites SET {change} WHERE id = %(id)s", values)
    unknown = closed(use(table.service, key, secret="nothing"))
    for said in ({"secret": secret_of(made)}, {"code": made["code"]}):
        answer = closed(use(table.service, key, **said))
        assert (answer.content, sorted(answer.headers)) == (unknown.content, sorted(unknown.headers))
    assert f"invite {made['id']} of campaign {table.id} is not valid" in caplog.text
    assert len(table.gm.look()["seats"]) == 4
    for entry in table.gm.look("/invites")["invites"]:
        assert entry["status"] == "used" or ("not signed" in entry["text"] and entry["status"] == "ended")


def test_the_link_of_one_invite_opens_no_other(table: Table, service_url: str) -> None:
    watching, mastering = invited(table.gm, role="observer"), own_link(table.gm)
    with psycopg.connect(service_url, autocommit=True) as login:
        hashes: dict[str, str] = dict(login.execute(f"SELECT id, secret_hash FROM {SCHEMA}.invites").fetchall())
        moved = f"UPDATE {SCHEMA}.invites SET secret_hash = %s WHERE id = %s"
        login.execute(moved, ("nobody's", watching["id"]))
        login.execute(moved, (hashes[watching["id"]], mastering["id"]))
    closed(use(table.service, secret=secret_of(watching)))


def test_an_invite_that_was_used_is_not_open_again(table: Table, service_url: str) -> None:
    made = invited(table.gm)
    joined(table, use(table.service, secret=secret_of(made)))
    with psycopg.connect(service_url, autocommit=True) as login:
        login.execute(f"UPDATE {SCHEMA}.invites SET status = 'open'")
        closed(use(table.service, secret=secret_of(made)))
        login.execute(
            f"UPDATE {SCHEMA}.invites SET used_at = NULL, used_key = NULL, seat = NULL, seat_generation = NULL"
        )
        closed(use(table.service, secret=secret_of(made)))


def test_an_invite_that_was_changed_is_not_shown_again_to_who_made_it(table: Table, service_url: str) -> None:
    key = {"Idempotency-Key": str(uuid.uuid4())}
    table.gm.post("/invites", BEN, key)
    with psycopg.connect(service_url, autocommit=True) as login:
        login.execute(f"UPDATE {SCHEMA}.invites SET role = 'observer'")
    again = table.gm.post("/invites", BEN, key)
    assert (again.status_code, again.json()["code"]) == (409, "invite-not-signed")


# --- looking, and what is said wrongly ---


def test_who_sees_which_invites(table: Table) -> None:
    made, own = invited(table.gm), own_link(table.ben)
    seen = {
        who: [one["id"] for one in getattr(table, who).look("/invites")["invites"]] for who in ("gm", "ben", "dora")
    }
    assert seen == {"gm": [made["id"]], "ben": [own["id"]], "dora": []}
    for who in (table.cleo, table.dora, table.gm):
        assert who.send("DELETE", f"/invites/{own['id']}").status_code == 404
    assert table.ben.send("DELETE", f"/invites/{made['id']}").status_code == 404
    assert table.ben.send("DELETE", f"/invites/{own['id']}").status_code == 200


def test_no_list_and_no_table_holds_what_opens_it(table: Table, postgres: Any) -> None:
    made = invited(table.gm)
    with psycopg.connect(postgres.owner_url) as owner:
        rows = str(owner.execute(f"SELECT i::text FROM {SCHEMA}.invites i").fetchall())
    for text in (table.gm.get("/invites").text, table.gm.get("/export").text, rows):
        assert secret_of(made) not in text and secret_of(made).rpartition(".")[2] not in text
        assert made["code"] not in text and normalize_code(made["code"]) not in text


def test_the_same_request_is_the_same_invite(table: Table) -> None:
    key = {"Idempotency-Key": str(uuid.uuid4())}
    first, again = (table.gm.post("/invites", BEN, key) for _ in range(2))
    assert first.content == again.content and again.headers["Idempotency-Replayed"] == "true"
    assert len(table.gm.look("/invites")["invites"]) == 1
    other = table.gm.post("/invites", {**BEN, "name": "Finn"}, key)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-key-reused")


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({}, ["/name", "/role"]),
        ({"name": "Eva", "role": "gm"}, ["/role"]),
        ({**BEN, "characters": ["77"]}, ["/characters/0"]),
        ({**BEN, "characters": ["1", "1"]}, ["/characters/1"]),
        ({**BEN, "role": "observer", "characters": ["1"]}, ["/characters"]),
        ({**BEN, "days": 0}, ["/days"]),
        ({**BEN, "days": 61}, ["/days"]),
        ({**BEN, "nmae": "Eva"}, ["/nmae"]),
        ({**BEN, "seat": "s1"}, ["/name", "/role"]),
        ({"seat": "s1", "characters": ["1"]}, ["/characters"]),
    ],
)
def test_what_is_said_wrongly_is_told_at_its_place(table: Table, body: Json, pointers: list[str]) -> None:
    table.gm.enrol("Bruno")
    answer = table.gm.post("/invites", body)
    assert answer.status_code == 422, answer.text
    assert [one["pointer"] for one in answer.json()["errors"]] == pointers
    assert not table.gm.look("/invites")["invites"]


@pytest.mark.parametrize(
    "said", [{}, {"secret": "a", "code": "b"}, {"secret": 5}, {"token": "x"}, {"secret": "x" * 501}]
)
def test_what_is_used_must_be_one_thing(service: Service, said: Json) -> None:
    assert service.send("POST", "/invites/use", json=said).status_code == 422


@pytest.mark.slow
def test_there_are_so_many_open_and_no_more(table: Table) -> None:
    for _ in range(50):
        made = invited(table.gm)
    full = table.gm.post("/invites", BEN)
    assert (full.status_code, full.json()["code"]) == (409, "too-many-invites")
    own_link(table.gm)
    table.gm.send("DELETE", f"/invites/{made['id']}")
    invited(table.gm)


# --- links ---


def test_a_link_names_the_service_as_it_was_asked(table: Table) -> None:
    address = str(table.service.client.base_url).rstrip("/")
    made = invited(table.gm)
    assert made["link"].startswith(f"{address}/join#{table.id}.") and made["qr"].startswith("<svg viewBox")
    proxied = table.gm.post("/invites", BEN, {"X-Forwarded-Proto": "https", "Host": "table.example"}).json()
    assert proxied["link"].startswith("https://table.example/join#")


@pytest.mark.parametrize("host", ["evil.example/path", 'a"b', "a b", "x#y", ""])
def test_a_host_that_is_none_is_in_no_link(table: Table, host: str) -> None:
    made = table.gm.post("/invites", BEN, {"Host": host, "X-Forwarded-Host": "evil.example"})
    if made.status_code == 201:  # else the server itself would not have it
        assert made.json()["link"].startswith("/join#")


def test_a_public_address_is_in_every_link(ledger: Ledger) -> None:
    public = create_app(ledger, operator_token=OPERATOR, options=Options(public_url="https://table.example"))
    with serving(public) as address, httpx.Client(base_url=address, timeout=120) as client:
        table = Table(Service(client, OPERATOR, described(public.openapi)))
        forged = {"Host": "evil.example", "X-Forwarded-Proto": "http", "X-Forwarded-Host": "evil.example"}
        made = table.gm.post("/invites", BEN, forged).json()
    assert made["link"].startswith("https://table.example/join#") and "evil" not in made["link"]


# --- signing out everywhere ---


def test_a_new_token_ends_all_that_came_of_the_old_one(table: Table) -> None:
    """Another device that was let in has the same token: it dies with it, and so do links that were not used yet."""
    phone = joined(table, use(table.service, secret=secret_of(own_link(table.ben))))
    pending = own_link(table.ben)
    renewed = table.ben.does("/seats/s2/token", status=200)["token"]
    for old in (table.ben, phone):
        assert old.get("/seats/s2").status_code == 401
    closed(use(table.service, secret=secret_of(pending)))
    assert Player(table, "s2", renewed).look("/seats/s2")["name"] == "Ben"
    assert table.ben.post("/seats/s2/token").status_code == 401, "nor can a thief go on with it"


# --- the words ---


def test_codes_are_forty_bits_that_can_be_said() -> None:
    keys = Keys(b"a key for the tests only")
    codes = {keys.make_invite_code("campaign", str(number)) for number in range(2000)}
    assert len(codes) == 2000
    for code in codes:
        assert re.fullmatch(f"[{CROCKFORD}]{{4}}-[{CROCKFORD}]{{4}}", code) and is_code(code)
    assert {letter for code in codes for letter in normalize_code(code)} == set(CROCKFORD)


# --- the operator's commands ---


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, postgres: Any, service_url: str) -> Any:
    monkeypatch.setenv("LEDGER_OWNER_URL", postgres.owner_url)
    monkeypatch.setenv("LEDGER_DATABASE_URL", service_url)
    monkeypatch.setenv("LEDGER_SCHEMA", SCHEMA)
    monkeypatch.setenv("LEDGER_SERVER_KEY", KEY.decode())

    def invoke(*words: str, ends: int = 0) -> Any:
        result = CliRunner().invoke(app, [*words])
        assert result.exit_code == ends, result.output
        return result

    return invoke


def test_the_operator_invites_a_player_and_prints_link_code_and_qr(table: Table, run: Any) -> None:
    said = run("invite", table.id, "--name", "Eva")
    link, code = said.stdout.split()
    assert link.startswith("http://127.0.0.1:8765/join#") and "\u2588" in said.stderr
    eva = joined(table, use(table.service, code=code))
    assert eva.look("/seats/s5") == {"id": "s5", "name": "Eva", "role": "player", "removed": False, "holds": False}
    closed(use(table.service, secret=link))
    assert table.gm.look("/invites")["invites"][0]["by"] is None


def test_the_operator_makes_a_game_master_by_a_link_that_has_no_code(table: Table, run: Any) -> None:
    told = run("invite", table.id, "--name", "Gus", "--gm", "--address", "https://table.example", "--json").stdout
    made = json.loads(told)["data"]
    assert "code" not in made and made["link"].startswith("https://table.example/join#")
    gus = joined(table, use(table.service, secret=made["link"]))
    assert gus.does("/seats", {"name": "Hal", "role": "player"})["id"] == "s6"


def test_the_way_back_in_is_a_link_to_the_seat_and_ends_what_was_before(table: Table, run: Any) -> None:
    pending = own_link(table.gm)
    (link,) = run("token", table.id, "s1", "--link").stdout.split()
    assert table.gm.get("/seats/s1").status_code == 401
    closed(use(table.service, secret=secret_of(pending)))
    again = joined(table, use(table.service, secret=link))
    assert again.id == "s1" and again.look("/seats/s1")["role"] == "gm"


def test_the_operator_lists_invites_and_withdraws_one(table: Table, run: Any) -> None:
    made, other = invited(table.gm), invited(Table(table.service).gm)
    rows = json.loads(run("invites", "--json").stdout)["data"]
    assert {row["id"] for row in rows} == {made["id"], other["id"]}
    (row,) = json.loads(run("invites", table.id, "--json").stdout)["data"]
    assert (row["id"], row["by"], row["role"], row["status"]) == (made["id"], "s1", "player", "open")
    shown = run("invites").stdout
    assert made["id"] in shown and "Eva" not in shown and made["code"] not in shown
    run("invites", "--withdraw", made["id"])
    closed(use(table.service, secret=secret_of(made)))
    assert "is already " in run("invites", "--withdraw", made["id"], ends=3).stderr
    assert "lists them" in run("invites", "--withdraw", "nothing", ends=3).stderr


def test_what_the_operator_says_wrongly(table: Table, run: Any) -> None:
    colours = re.compile(r"\x1b\[[0-9;]*m")
    for said, told in ((("--name", " "), "--name"), (("--name", "Eva", "--address", "table"), "table.example")):
        assert told in colours.sub("", run("invite", table.id, *said, ends=2).stderr)
    assert "no campaign with this id" in run("invite", "nothing", "--name", "Eva", ends=3).stderr


# --- what is written down of it ---


@pytest.mark.slow
def test_the_log_holds_nothing_that_opens(tmp_path: Path, table: Table, service_url: str) -> None:
    """A process of its own, that logs all it can; the path holds nothing, and of bodies nothing is told."""
    with (
        process(tmp_path, service_url, SCHEMA, KEY, OPERATOR, LOG_LEVEL="debug") as running,
        httpx.Client(base_url=running.address, timeout=120) as client,
    ):
        body = client.post(f"/campaigns/{table.id}/invites", json=BEN, headers=table.gm.bearer).json()
        for said in ({"code": "0000-0000"}, {"secret": secret_of(body)}, {"secret": secret_of(body)}, {"code": 5}):
            client.post("/invites/use", json=said)
        client.get(f"/join?{secret_of(body)}")
        assert running.stop() == 0
        log = running.said
    assert '"route":"/invites/use"' in log
    assert secret_of(body) not in log and secret_of(body).rpartition(".")[2] not in log and body["code"] not in log


# --- what goes wrong halfway ---


@pytest.mark.parametrize("committed", [False, True])
def test_a_save_whose_end_nobody_heard_of_neither_loses_nor_doubles(
    table: Table, ledger: Ledger, monkeypatch: pytest.MonkeyPatch, committed: bool
) -> None:
    bruno = table.gm.enrol("Bruno")
    made, key, append = invited(table.gm, characters=[bruno]), str(uuid.uuid4()), ledger.store.append

    def broken(rows: Any, use: Any = None) -> Any:
        if committed:
            append(rows, use)
        raise OperationalError("the line is dead")

    with monkeypatch.context() as patched:
        patched.setattr(ledger.store, "append", broken)
        lost = client_use(table.service, key, secret_of(made))
        assert lost.status_code in (500, 503)
    assert len(table.gm.look()["seats"]) == 4 + committed
    if committed:
        closed(use(table.service, secret=secret_of(made)))
        assert table.gm.send("DELETE", f"/invites/{made['id']}").status_code == 409
    eva = joined(table, use(table.service, key, secret=secret_of(made)))
    assert eva.id == "s5" and len(table.gm.look()["seats"]) == 5
    assert [one["seat"] for one in table.gm.look("/characters")["characters"]] == ["s5"]


def client_use(service: Service, key: str, secret: str) -> httpx.Response:
    """Without the judge: the answer is a fault here."""
    return service.client.post("/invites/use", json={"secret": secret}, headers={"Idempotency-Key": key})


def test_what_is_withdrawn_while_somebody_sits_down_makes_no_seat(
    table: Table, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was open when it was looked up; in the transaction that makes the seat it is no more."""
    made, append = invited(table.gm), ledger.store.append

    def late(rows: Any, use: Any = None) -> Any:
        assert InviteStore(ledger.store.datastore).withdraw(made["id"]) is not None
        return append(rows, use)

    with monkeypatch.context() as patched:
        patched.setattr(ledger.store, "append", late)
        closed(use(table.service, secret=secret_of(made)))
    assert len(table.gm.look()["seats"]) == 4


def test_a_save_that_another_came_before_leaves_the_invite_open_until_it_is_kept(
    table: Table, ledger: Ledger, service_url: str
) -> None:
    """Another process has written meanwhile: the journal's key is taken, and with the save its use is undone."""
    made = invited(table.gm)
    with Ledger(make_environment(service_url, schema=SCHEMA), KEY) as other:
        append, store = ledger.store.append, InviteStore(other.store.datastore)
        raced: list[bool] = []

        def beaten(rows: Any, use: Any = None) -> Any:
            if not raced:
                raced.append(True)
                other.change_seat(
                    Call(table.id, table.gm.token, "PATCH", str(uuid.uuid4())), "s4", "Dot", False, present
                )
                with pytest.raises(IntegrityError) as taken:
                    append(rows, use)
                kept = store.get(made["id"])
                assert kept is not None and kept.status == "open", "the use of a save that was not kept is not kept"
                raise taken.value
            return append(rows, use)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(ledger.store, "append", beaten)
            joined(table, use(table.service, secret=secret_of(made)))
    assert raced and [one["name"] for one in table.gm.look()["seats"]] == ["Ann", "Ben", "Cleo", "Dot", "Eva"]


def test_what_the_page_says_about_invites(table: Table) -> None:
    """By a table that is there: the seat is another one, and so is the address."""
    table.gm.enrol("Sarah")
    (_, request), (_, answer), (_, using), (_, seated) = blocks("getting-started", "Invite people")
    story = Story()
    story.known |= {"CAMPAIGN": table.id, "ANN": table.gm.token}
    for asked, told in ((request, answer), (using, seated.replace("s2", "s5"))):
        method, path, headers, body = parse(story.fill(asked))
        real = table.service.send(method, path, headers, json=json.loads(body))
        assert real.status_code == 201, real.text
        story.compare(json.loads(told), real.json(), "answer")
    assert table.gm.look("/characters")["characters"][0]["seat"] == "s5"
