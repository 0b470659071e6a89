"""The dial `consent`: what changes the past waits for the seats it touches."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from ledger.application import save
from ledger.application.commands import consenting, proposals
from ledger.events.envelope import format_time
from tests.api.table import Json, Player, Service, Table, rolled
from tests.levels import sampled

HOURS = 48


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Lets so many hours pass, for whatever is saved from then on."""
    gone = [0.0]

    def now() -> str:
        return format_time(datetime.now(UTC) + timedelta(hours=gone[0]))

    monkeypatch.setattr(save, "format_now", now)

    def pass_(hours: float) -> None:
        gone[0] += hours

    return pass_


def opened(service: Service, consent: str, **dials: Any) -> Table:
    """1, 2: Ben's and Cleo's fighters. 3: mint 5 to 1. 4: 1 gives 4 to 2. 5: 2 is hit for 6. 6: the table's dial."""
    table = Table(service, **dials)
    table.fighters(health=10)
    table.gm.declare("mint", to="1", coins=5)
    table.ben.declare("give", char="1", to="2", coins=4)
    table.hit(6)
    table.gm.declare("set-dial", name="consent", value=consent, reason="we trust each other, so far")
    return table


@pytest.fixture
def affected(service: Service) -> Table:
    return opened(service, "affected")


def overturn(table: Table, number: int, **more: Any) -> httpx.Response:
    return table.gm.post(f"/rulings/{number}/overturn", {"reason": "out of reach", **more})


def waits(answer: httpx.Response) -> str:
    assert answer.status_code == 202, answer.text
    return str(answer.json()["id"])


def says(player: Player, id: str, yes: bool, status: int = 200) -> Json:
    return player.does(f"/waiting/{id}/consent", {"consent": yes, "reason": "so it was" if yes else "no"}, status)


def asks(player: Player) -> list[str]:
    return [one["id"] for one in player.look("/waiting", mine=True)["decisions"]]


def harm(table: Table) -> int:
    return int(table.dora.look("/characters/2")["state"]["harm"])


def test_without_the_dial_nothing_waits(service: Service) -> None:
    table = opened(service, "none")
    assert overturn(table, 5).status_code == 200
    assert table.dora.look("/waiting")["decisions"] == []
    assert table.gm.look("/rulings/5")["decisions"][-1]["consent"] is None


def test_an_overturning_waits_for_the_seat_it_touches(affected: Table) -> None:
    id = waits(overturn(affected, 5))
    assert (harm(affected), affected.gm.look("/rulings/5")["status"]) == (6, "standing")
    assert (asks(affected.cleo), asks(affected.ben), asks(affected.dora), asks(affected.gm)) == ([id], [], [], [])
    asked = affected.cleo.look(f"/waiting/{id}")
    assert asked["text"] == "Ann wants to overturn ruling 5: out of reach."
    assert asked["asked"] and asked["until"] and asked["said"] == []
    assert [one["fields"] for one in asked["changes"]["subjects"]] == [
        [{"field": "state/harm", "before": 6, "after": 0}]
    ]
    told = says(affected.cleo, id, True)
    assert (told["status"], told["said"][0]["agreed"]) == ("carried-out", True)
    assert harm(affected) == 0
    made = affected.dora.look("/rulings/5")["decisions"][-1]
    assert (made["decision"], made["by"]["name"], made["reason"]) == ("overturned", "Ann", "out of reach")
    assert [(one["by"]["name"], one["agreed"], one["why"]) for one in made["consent"]["said"]] == [
        ("Cleo", True, "so it was")
    ]
    assert (made["consent"]["waited_as"], made["consent"]["without"]) == (id, False)
    assert asks(affected.cleo) == [] and affected.gm.look("/audit")["differences"] == []


def test_others_are_told_that_a_decision_waits_and_no_more(affected: Table) -> None:
    id = waits(overturn(affected, 5))
    ((told),) = affected.ben.look("/waiting")["decisions"]
    assert told == affected.dora.look(f"/waiting/{id}")
    assert told.pop("at") and told.pop("id") == id
    assert {name: value for name, value in told.items() if value} == {
        "status": "waiting",
        "version": 1,
        "text": "A decision is waiting for consent.",
    }
    says(affected.cleo, id, False)
    assert affected.dora.look(f"/waiting/{id}")["version"] == 1
    for player, status in ((affected.ben, 403), (affected.dora, 403), (affected.gm, 403)):
        says(player, id, True, status)


def test_agreed_by_some_refused_by_one_and_gone_on_with_after_the_tables_time(
    affected: Table, later: Callable[[float], None]
) -> None:
    id = waits(overturn(affected, 4))  # Ben gave Cleo coins
    assert (asks(affected.ben), asks(affected.cleo)) == ([id], [id])
    says(affected.ben, id, True)
    assert says(affected.cleo, id, False)["status"] == "waiting"
    assert affected.gm.look("/rulings/4")["status"] == "standing"
    heard = affected.gm.look(f"/waiting/{id}")
    assert [(one["by"]["name"], one["agreed"]) for one in heard["said"]] == [("Ben", True), ("Cleo", False)]
    assert [one["by"]["name"] for one in affected.ben.look(f"/waiting/{id}")["said"]] == ["Ben"]
    body = {"reason": "we must go on"}
    later(HOURS - 1)
    early = affected.gm.post(f"/waiting/{id}/go-on", body)
    assert (early.status_code, early.json()["code"]) == (409, "too-early"), early.text
    later(1.01)
    assert affected.ben.post(f"/waiting/{id}/go-on", body).status_code == 403
    gone = affected.gm.does(f"/waiting/{id}/go-on", body, 200)
    assert (gone["status"], gone["without"], gone["why"]) == ("carried-out", True, "we must go on")
    consent = affected.dora.look("/rulings/4")["decisions"][-1]["consent"]
    assert (consent["without"], consent["by"]["name"], consent["why"]) == (True, "Ann", "we must go on")
    assert [(one["by"]["name"], one["agreed"]) for one in consent["said"]] == [("Ben", True), ("Cleo", False)]
    assert affected.gm.look("/audit")["differences"] == []


def test_one_who_refused_may_think_better_of_it(affected: Table) -> None:
    id = waits(overturn(affected, 5))
    says(affected.cleo, id, False)
    again = affected.cleo.post(f"/waiting/{id}/consent", {"consent": False, "reason": "no"})
    assert (again.status_code, again.json()["code"]) == (409, "said-already")
    assert says(affected.cleo, id, True)["status"] == "carried-out"
    over = affected.cleo.post(f"/waiting/{id}/consent", {"consent": True, "reason": "yes"})
    assert (over.status_code, over.json()["code"]) == (409, "wrong-status")


def test_a_retry_counts_once(affected: Table) -> None:
    id = waits(overturn(affected, 4))
    key = {"Idempotency-Key": str(uuid.uuid4())}
    body = {"consent": True, "reason": "so it was"}
    first = affected.ben.post(f"/waiting/{id}/consent", body, key)
    position = affected.position
    again = affected.ben.post(f"/waiting/{id}/consent", body, key)
    assert (again.content, again.headers["Idempotency-Replayed"]) == (first.content, "true")
    assert affected.position == position


def test_whom_it_has_come_to_touch_since_is_asked_as_well(affected: Table) -> None:
    id = waits(overturn(affected, 3, settle="rerule"))  # the coins that Ben gave away were his
    assert (asks(affected.ben), asks(affected.cleo)) == ([id], [id])
    other = waits(overturn(affected, 5))
    affected.cleo.does("/characters/2/hand-over", {"seat": affected.ben.id}, 201)
    told = says(affected.cleo, other, True)
    assert (told["status"], asks(affected.ben)) == ("waiting", [id, other])
    assert harm(affected) == 6
    assert says(affected.ben, other, True)["status"] == "carried-out"


def test_it_is_taken_back_by_who_wanted_it(affected: Table) -> None:
    id = waits(overturn(affected, 5))
    assert affected.cleo.post(f"/waiting/{id}/withdraw", {"reason": "?"}).status_code == 403
    assert overturn(affected, 5).json()["code"] == "already-waiting"
    gone = affected.gm.does(f"/waiting/{id}/withdraw", {"reason": "never mind"}, 200)
    assert (gone["status"], gone["why"]) == ("withdrawn", "never mind")
    assert affected.dora.look("/waiting")["decisions"] == [] == asks(affected.cleo)
    assert says(affected.cleo, id, True, 409)["code"] == "wrong-status"
    assert affected.gm.look("/audit")["differences"] == []


@pytest.mark.parametrize(
    "change",
    sampled(
        [
            ("/rulings/5/revise", {"code": "entry", "reason": "a 3", "answers": [None, rolled(3)]}, "cleo"),
            ("/rulings/4/revise", {"code": "ruling", "reason": "two", "patch": {"coins": 2}}, "both"),
            ("/rulings/3/revise", {"code": "ruling", "reason": "six", "patch": {"coins": 6}}, "ben"),
            ("/rulings/6/overturn", {"reason": "no dial, no consent"}, "both"),
            ("/dials", {"consent": "none", "reason": "enough"}, "both"),
            ("/dials", {"consent": "majority", "reason": "less"}, "both"),
            ("/dials", {"consent_hours": 1, "reason": "sooner"}, "both"),
            ("/dials", {"deciders": "all_players", "reason": "all"}, "both"),
            ("/characters/1/hand-over", {"seat": "s1"}, "ben"),
            ("/characters/1/retire", {"reason": "gone"}, "ben"),
            ("amend", {"subject": "character:2", "field": "harm", "value": 0, "reason": "kind"}, "cleo"),
            (
                "adjust",
                {"source": "character:2/coin", "target": "bank/coin", "unit": "coin", "amount": 1, "reason": "?"},
                "cleo",
            ),
            ("seats", {"removed": True}, "cleo"),
        ],
        13,
        5,
    ),
    ids=lambda change: f"{change[0]}-{change[2]}",
)
def test_what_changes_the_past_and_every_way_round_it(affected: Table, change: tuple[str, Json, str]) -> None:
    path, body, asked = change
    before = affected.gm.look("/characters/2")
    if path == "seats":
        answer = affected.gm.send("PATCH", f"/seats/{affected.cleo.id}", json=body)
    elif path.startswith("/"):
        answer = affected.gm.post(path, body)
    else:
        answer = affected.gm.post("/rulings", {"declare": {"kind": path, **body}})
    id = waits(answer)
    assert affected.gm.look("/characters/2") == before
    who = {"both": [affected.ben, affected.cleo]}.get(asked) or [getattr(affected, asked)]
    assert [player for player in (affected.ben, affected.cleo, affected.dora) if asks(player)] == who
    *first, last = who
    for player in first:
        assert says(player, id, True)["status"] == "waiting"
    if path == "seats":  # Cleo is gone with her own consent
        affected.cleo.post(f"/waiting/{id}/consent", {"consent": True, "reason": "bye"})
        assert affected.gm.look(f"/waiting/{id}")["status"] == "carried-out"
    else:
        assert says(last, id, True)["status"] == "carried-out"
    assert affected.gm.look("/audit")["differences"] == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/dials", {"consent_hours": 72, "reason": "more time"}),
        ("/dials", {"die": 8, "reason": "a bigger one"}),
        ("/rulings/5/dispute", {"reason": "?"}),
        ("/rulings/5/overturn", {"reason": "?", "preview": True}),
        ("/rulings/5/revise", {"code": "entry", "reason": "as it was"}),
    ],
)
def test_what_touches_nobody_waits_for_nobody(affected: Table, path: str, body: Json) -> None:
    assert affected.gm.post(path, body).status_code in (200, 201)


def test_who_plays_somebody_needs_nobodys_leave_for_it(affected: Table) -> None:
    affected.ben.does("/characters/1/hand-over", {"seat": affected.cleo.id}, 201)
    affected.cleo.does("/characters/1/retire", {"reason": "gone"}, 201)


def test_if_match_is_held_when_it_is_asked_for(affected: Table) -> None:
    stale = affected.gm.post("/rulings/5/overturn", {"reason": "?"}, {"If-Match": '"9"'})
    assert stale.status_code == 412
    assert affected.gm.post("/rulings/5/overturn", {"reason": "?"}, {"If-Match": '"1"'}).status_code == 202


def test_what_can_take_effect_no_more_goes_on_waiting_and_says_why(
    affected: Table, later: Callable[[float], None]
) -> None:
    first, also = waits(overturn(affected, 5)), waits(overturn(affected, 4, also=[5]))
    says(affected.cleo, first, True)
    says(affected.ben, also, True)
    told = says(affected.cleo, also, True)
    assert (told["status"], affected.gm.look("/rulings/4")["status"]) == ("waiting", "standing")
    assert "overturned" in affected.gm.look(f"/waiting/{also}")["problem"]
    later(HOURS + 1)
    assert affected.gm.post(f"/waiting/{also}/go-on", {"reason": "?"}).status_code == 409
    affected.gm.does(f"/waiting/{also}/withdraw", {"reason": "done"}, 200)


# --- where most decide --------------------------------------------------------------------------------------------


def test_more_than_half_of_all_who_play(service: Service) -> None:
    table = Table(service)
    table.fighters(health=10)
    eve = table.seat("Eve", "player")
    eve.does("/characters", {"name": "Esra", "seat": eve.id, "sheet": {"health": 10}}, 201)
    table.hit(6)
    table.gm.declare("set-dial", name="consent", value="majority", reason="we vote")
    id = waits(overturn(table, 4))
    assert [asks(one) for one in (table.ben, table.cleo, eve, table.dora)] == [[id], [id], [id], []]
    assert says(table.cleo, id, False)["status"] == "waiting"
    assert says(table.ben, id, True)["status"] == "waiting", "one of three is no majority"
    assert says(eve, id, True)["status"] == "carried-out"
    assert harm(table) == 0
    # nobody gets a majority by seating more who agree
    stranger = table.seat("Fay", "player")
    joins = table.gm.post("/characters", {"name": "Fynn", "seat": stranger.id, "sheet": {"health": 10}})
    assert asks(table.ben) == [waits(joins)]
    assert table.gm.look("/audit")["differences"] == []


def test_a_game_masters_own_people_are_no_voices(service: Service) -> None:
    table = Table(service)
    table.fighters(health=10)
    table.gm.does("/characters", {"name": "Ogre", "seat": table.gm.id, "sheet": {"health": 10}}, 201)
    table.hit(6)
    table.gm.declare("set-dial", name="consent", value="majority", reason="we vote")
    id = waits(overturn(table, 4))
    assert says(table.ben, id, True)["status"] == "waiting", "one of two is no majority"
    assert says(table.cleo, id, True)["status"] == "carried-out"


# --- what is hidden -----------------------------------------------------------------------------------------------


def test_what_is_hidden_from_a_player_asks_nothing_of_him(affected: Table) -> None:
    told: Json = {"subject": "character:1", "field": "hidden", "value": [5], "reason": "as agreed"}
    id = waits(affected.gm.post("/rulings", {"declare": {"kind": "amend", **told, "seen_by": ["gm", "character:1"]}}))
    assert (asks(affected.ben), asks(affected.cleo)) == ([id], [])
    assert affected.ben.look(f"/waiting/{id}")["facts"][0]["fact"]["value"] == [5]
    made = says(affected.ben, id, True)
    assert made["status"] == "carried-out"
    assert "said" in affected.dora.look(f"/waiting/{id}") and affected.dora.look(f"/waiting/{id}")["said"] == []


# --- elsewhere ----------------------------------------------------------------------------------------------------


def test_what_waits_is_exported_and_comes_back(affected: Table) -> None:
    id = waits(overturn(affected, 4))
    says(affected.ben, id, True)
    seen = affected.cleo.get("/export").text
    assert "asked-for-consent" not in seen and "so it was" not in seen, "who is asked, and what they said, is theirs"
    assert '"seat":"s1"' in affected.gm.get("/export").text.splitlines()[0], "it is kept from game masters, too"


def test_an_audit_finds_what_was_decided_without_the_consent_it_needed(
    affected: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consenting, "find_concerned_seats", lambda save, made: {})
    assert overturn(affected, 5).status_code == 200
    affected.gm.does("/characters/1/retire", {"reason": "gone"}, 201)
    found = affected.gm.look("/audit")["differences"]
    assert [(one["what"], one["ruling"]) for one in found] == [("consent", 5), ("consent", 7)]


def test_an_audit_finds_what_was_gone_on_with_too_early(affected: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    id = waits(overturn(affected, 5))
    monkeypatch.setattr(proposals, "_check_waiting_time", lambda save, proposal, owed: None)
    affected.gm.does(f"/waiting/{id}/go-on", {"reason": "now"}, 200)
    (found,) = affected.gm.look("/audit")["differences"]
    assert (found["what"], found["ruling"]) == ("consent", 5) and "before the time to answer had ended" in found[
        "detail"
    ]


def test_an_audit_finds_the_dial_lowered_by_one_alone(affected: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consenting, "find_concerned_seats", lambda save, made: {})
    affected.gm.does("/dials", {"consent": "none", "reason": "enough"}, 201)
    overturn(affected, 5)
    assert [one["ruling"] for one in affected.gm.look("/audit")["differences"]] == [7]
