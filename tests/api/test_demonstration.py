"""The demonstration: an evening of every game that has one to tell, played once, whatever else is missing."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from api.http import examples
from api.run import demo
from ledger.rules import systems
from tests.api.table import Json, Player, Service, Table

TELLING = [name for name in sorted(systems()) if examples.find_story(name) is not None]


@pytest.fixture(scope="module")
def evening(service: Service) -> Any:
    """The evening of a system alone, in a campaign of these tests."""
    played: dict[str, demo.Demonstration] = {}
    own = uuid.uuid4()

    def play(system: str, again: bool = False) -> demo.Demonstration:
        if again or system not in played:
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(demo, "NAMESPACE", own)
                patched.setattr(examples, "list_examples", lambda system: [])
                about = {"name": system, "title": systems()[system].title}
                played[system] = demo._Table(service.client, about, service.operator_token).play()
        return played[system]

    return play


def master(service: Service, one: demo.Demonstration) -> Player:
    table = object.__new__(Table)
    table.service, table.id = service, one.campaign
    return Player(table, "s1", next(iter(one.token_by_person.values())))


def rulings(player: Player) -> list[Json]:
    found: list[Json] = player.look("/rulings", limit=500)["rulings"]
    return found


def test_the_games_of_this_house_have_an_evening_to_tell() -> None:
    assert [name for name in systems() if examples.list_examples(name) and name not in TELLING] == []


@pytest.mark.parametrize("system", TELLING)
def test_an_evening_has_what_a_table_argues_about(service: Service, evening: Any, system: str) -> None:
    gm = master(service, evening(system))
    status = [one["status"] for one in rulings(gm)]
    assert {"disputed", "upheld", "overturned"} <= set(status)
    campaign = gm.look()
    assert campaign["findings"], "something is to be settled"
    assert [one["open"] for one in campaign["sessions"]] == [False, True], "one can be watched again, one goes on"
    assert [one["open"] for one in campaign["scenes"]] == [False, True]
    assert gm.look("/moves")["moves"]
    frames = gm.get(f"/sessions/{campaign['sessions'][0]['id']}/replay").text.splitlines()
    assert len(frames) > 8
    assert {one["player"] for one in gm.look("/characters")["characters"]} == set(demo.PLAYERS)
    assert not gm.look("/waiting")["waiting"]


@pytest.mark.parametrize("system", TELLING)
def test_dice_are_the_tables_and_the_ledgers(service: Service, evening: Any, system: str) -> None:
    found = rulings(master(service, evening(system)))
    rolled = [one for ruling in found for one in ruling["answers"] if (one["answer"] or {}).get("dice")]
    assert any(one["answer"]["dice"]["source"] == "ledger" for one in rolled)
    typed = [one for one in rolled if one["answer"]["dice"]["source"] == "table"]
    assert typed or any({"faces", "numbers"} & set(ruling["declared"]) for ruling in found)


@pytest.mark.parametrize("system", TELLING)
def test_played_again_it_changes_nothing(service: Service, evening: Any, system: str) -> None:
    first = evening(system)
    position = master(service, first).get().headers["Ledger-Position"]
    assert evening(system, again=True) == first
    assert master(service, first).get().headers["Ledger-Position"] == position


def test_an_evening_that_was_played_to_its_end_is_not_played_again(service: Service, evening: Any) -> None:
    evening(TELLING[0])
    sent: list[str] = []
    service.client.event_hooks["request"] = [lambda request: sent.append(f"{request.method} {request.url.path}")]
    try:
        again = evening(TELLING[0], again=True)
    finally:
        service.client.event_hooks["request"] = []
    seats = f"POST /campaigns/{again.campaign}/seats"
    assert [one for one in sent if one.startswith("POST")] == ["POST /campaigns", seats, seats]


@pytest.mark.parametrize("system", TELLING[:1])
def test_an_evening_that_was_interrupted_is_played_on(service: Service, evening: Any, system: str) -> None:
    own, about = uuid.uuid4(), {"name": system, "title": systems()[system].title}
    whole = rulings(master(service, evening(system)))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(demo, "NAMESPACE", own)
        patched.setattr(examples, "list_examples", lambda system: [])
        with pytest.MonkeyPatch.context() as interrupted:
            interrupted.setattr(demo._Table, "_begin_next_evening", lambda table, people: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                demo._Table(service.client, about, service.operator_token).play()
        played = demo._Table(service.client, about, service.operator_token).play()
    found = rulings(master(service, played))
    assert [(one["number"], one["status"]) for one in found] == [(one["number"], one["status"]) for one in whole]


def test_a_game_without_story_or_consequences_is_played_all_the_same(service: Service) -> None:
    table = demo._Table(service.client, {"name": "toy", "title": "Toy"}, service.operator_token)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(demo, "NAMESPACE", uuid.uuid4())
        one = table.play()
    assert (one.title, one.ruling_number, one.character_id) == ("Toy", None, None)


def test_everybody_at_the_tables_gets_a_link_or_the_game_master_alone(
    service: Service, evening: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    played = [evening(TELLING[0])]
    address = str(service.client.base_url)
    masters = demo.make_links(address, played)
    assert list(masters) == list(played[0].token_by_person.values())[:1]
    demo.print_demonstrations(played, address, masters)
    told = capsys.readouterr().out
    assert told.count("/join#") == 1 and "what-if?without" in told
    everybody = demo.make_links(address, played, is_for_everybody=True)
    assert list(everybody) == list(played[0].token_by_person.values())
    demo.print_demonstrations(played, address, everybody)
    told = capsys.readouterr().out
    assert told.count("/join#") == 3 and told.count("█") > 300, "each as a QR code, too"
    assert not any(token in told for token in everybody), "a link is enough"
    used = service.send("POST", "/invites/use", json={"secret": list(everybody.values())[1]})
    assert used.status_code == 201 and used.json()["token"] == list(everybody)[1]
