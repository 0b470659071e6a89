"""Being told: what waits, is answered and waits no longer, live, to whom it may concern and nobody else."""

from __future__ import annotations

from threading import Event
from typing import Any

import pytest

from tests.api.table import DODGE, HIT, STAND, Json, Player, Table, rolled
from tests.api.test_feed import PATIENCE, Feed, listening
from tests.api.test_moves import fight as in_a_round
from tests.waiting import wait_until

WAITS = ("waiting", "answered", "withdrawn")
fight = in_a_round


def waits(told: list[tuple[str, str, Json]]) -> list[tuple[str, Json]]:
    return [(event, data) for _, event, data in told if event in WAITS]


def until_ruled(feed: Feed, number: int) -> list[tuple[str, str, Json]]:
    """All events up to what tells that something became this ruling."""
    return feed.until_it_says(lambda data: data.get("status") == "standing" and data.get("ruling") == number)


def test_a_question_is_told_when_it_is_asked_and_when_it_is_answered(table: Table) -> None:
    table.fighters()
    with listening(table.dora) as feed:
        waiting = table.ben.does("/rulings", {"declare": HIT, "dice": "table"}, 202)["id"]
        listed = table.dora.look("/waiting")["waiting"][0]
        table.cleo.does(f"/waiting/{waiting}/answers", {"answer": STAND}, 202)
        number = table.ben.does(f"/waiting/{waiting}/answers", {"answer": rolled(4)})["number"]
        told = waits(until_ruled(feed, number))
    assert [event for event, _ in told] == ["waiting", "answered", "waiting", "answered"]
    asked, chosen, again, over = (data for _, data in told)
    assert asked["question"] == listed["question"] and asked["declared"] == HIT
    assert asked["text"] == "Bruno hits Celia. Do you dodge or stand?"
    assert chosen["text"] == "Cleo answered: Bruno hits Celia."
    assert [one["text"] for one in chosen["answers"]] == ["Stand."]
    assert again["text"] == "Bruno hits Celia. Roll to hit. Bruno rolls 1d6."
    assert again["question"]["asked"] == {"seat": "s2", "name": "Ben"}
    assert (over["status"], over["ruling"], over["by"]["name"]) == ("standing", number, "Ben")
    assert {data["waiting"] for _, data in told} == {waiting}


def test_what_was_taken_back_is_told(table: Table) -> None:
    table.fighters()
    with listening(table.cleo) as feed:
        waiting = table.ben.does("/rulings", {"declare": HIT}, 202)["id"]
        table.ben.does(f"/waiting/{waiting}/withdraw", {"reason": "I did not mean it."}, 200)
        told = waits(feed.until_it_says(lambda data: data.get("status") == "withdrawn"))
    assert [event for event, _ in told] == ["waiting", "withdrawn"]
    gone = told[-1][1]
    assert gone["text"] == "Ben takes this back (Bruno hits Celia): I did not mean it."
    assert (gone["reason"], gone["by"]["name"]) == ("I did not mean it.", "Ben")


def sneaks(table: Table, *faces: int) -> int:
    waiting = table.ben.does("/rulings", {"declare": {"kind": "sneak", "char": "1"}, "dice": "table"}, 202)["id"]
    return int(table.ben.does(f"/waiting/{waiting}/answers", {"answer": rolled(*faces)})["number"])


def test_a_hidden_question_is_told_as_it_is_shown_where_it_waits(table: Table) -> None:
    table.fighters()
    with listening(table.ben) as his, listening(table.cleo) as hers, listening(table.gm) as feed:
        number = sneaks(table, 5)
        told = {name: waits(until_ruled(one, number)) for name, one in zip("bcg", (his, hers, feed), strict=True)}
    for name in "bg":
        asked, over = (data for _, data in told[name])
        assert asked["declared"] == {"kind": "sneak", "char": "1", "dice": 1}
        assert asked["question"]["asked"]["name"] == "Ben" and over["answers"][0]["answer"]["dice"]["faces"] == [5]
    asked, over = (data for _, data in told["c"])
    for data in (asked, over):
        assert (data["question"], data["answers"], data["declared"]) == (None, [], {"kind": "sneak"})
    assert asked["text"] == "Somebody declares a hidden action."
    assert (over["text"], over["by"]) == ("A hidden question was answered.", None)


def test_what_is_told_goes_on_in_the_middle_of_a_save(table: Table) -> None:
    """Every place a listener can have come to: what follows is neither lost nor told again."""
    table.fighters()
    waiting = table.ben.does("/rulings", {"declare": HIT, "dice": "table"}, 202)["id"]
    table.cleo.does(f"/waiting/{waiting}/answers", {"answer": DODGE}, 202)
    number = table.ben.does(f"/waiting/{waiting}/answers", {"answer": rolled(6)})["number"]
    with listening(table.cleo, last="0.0") as feed:
        whole = list(until_ruled(feed, number))
    assert {event for _, event, _ in whole} == {"ruling", "fact", "waiting", "answered"}
    for place, (last, _, _) in enumerate(whole[:-1], 1):
        with listening(table.cleo, last=last) as feed:
            assert until_ruled(feed, number) == whole[place:]


def test_who_is_removed_hears_of_no_question(table: Table) -> None:
    table.fighters()
    with listening(table.ben) as feed, listening(table.cleo) as other:
        assert table.gm.send("PATCH", "/seats/s2", json={"removed": True}).status_code == 200
        table.cleo.does("/rulings", {"declare": {**HIT, "char": "2", "target": "2"}}, 202)
        other.until_it_says(lambda data: "waiting" in data)
        feed.thread.join(120)
        assert feed.ended and not waits(feed.events)


def of(player: Player, **query: Any) -> list[str]:
    return [fact["id"] for fact in player.look("/timeline", limit=500, **query)["facts"]]


def test_the_timeline_itself_stays_a_list_of_facts(table: Table) -> None:
    table.fighters()
    number = table.hit(4)["number"]
    assert len(of(table.dora, ruling=number)) == 1
    asked = table.dora.get("/timeline", kind="ledger.answered")
    assert asked.status_code == 422, "what waits is no kind of fact"


# --- whose turn it is ---


def turns(feed: Feed, count: int) -> list[tuple[int, Json]]:
    """At least so many, each with how many events stood before it."""
    wait_until(lambda: len(feed.moves) >= count, lambda: (feed.moves, feed.events))
    return feed.moves


def awaited(player: Player) -> list[Json]:
    return [one for one in player.look("/waiting", mine=True)["awaited"] if one["seat"]["seat"] == player.id]


def test_each_seat_is_told_when_it_is_its_turn_and_when_it_is_not(fight: Table) -> None:
    said: Json = {"kind": "declare", "char": "1", "level": "calm", "trait": "Quick", "target": "2"}
    with listening(fight.ben) as his, listening(fight.cleo) as hers, listening(fight.dora) as nobodys:
        ((_, turn),) = turns(his, 1)
        assert turn["awaited"] == awaited(fight.ben) and turn["seat"] == {"seat": fight.ben.id, "name": "Ben"}
        assert turn["text"] == "It is Ben's turn to declare with Sarah."
        turns(hers, 1)
        fight.ben.does("/rulings", {"declare": said})
        before, over = turns(his, 2)[1]
        assert (over["awaited"], over["text"]) == ([], "Ben has nothing to do right now.")
        assert before == len(his.events) > 0, "it follows the facts it comes from"
        fight.cleo.does("/rulings", {"declare": {**said, "char": "2", "target": "1"}})
        fight.gm.does("/rulings", {"declare": {**said, "char": "3", "trait": "Driver", "target": "1"}})
        _, again = turns(his, 3)[2]
        assert again["awaited"] == awaited(fight.ben) != []
        assert again["position"] == fight.position
        assert turns(hers, 2)[-1][1]["awaited"] == awaited(fight.cleo) != []
        assert nobodys.moves == [], "who watches is never awaited"


def test_who_comes_back_is_told_once_more_and_only_if_awaited(fight: Table) -> None:
    with listening(fight.ben) as feed:
        turns(feed, 1)
        place = feed.first_id
    said: Json = {"kind": "declare", "char": "1", "level": "calm", "trait": "Quick", "target": "2"}
    with listening(fight.ben, last=place) as feed:
        assert len(turns(feed, 1)) == 1
    fight.ben.does("/rulings", {"declare": said})
    there = fight.position
    with listening(fight.ben, last=place) as feed, listening(fight.cleo, last=place) as hers:
        assert turns(hers, 1)[0][1]["awaited"]
        feed.until(len(hers.until(1)))
        fight.gm.does("/rulings/1/dispute", {"reason": "the end"}, 200)
        feed.until_it_says(lambda data: data.get("reason") == "the end")
        assert not [turn for _, turn in feed.moves if turn["awaited"] and turn["position"] >= there]


def test_who_joins_while_it_is_looked_who_is_awaited_is_looked_for_too(
    fight: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fight.service.app is not None
    hub = fight.service.app.state.feed_hub
    fight.gm.look("/timeline", wait=fight.position)  # nothing else will be new
    whole, looking, go_on = hub._find_turns, Event(), Event()

    def slowly(campaign: str, reached: int, seats: tuple[str, ...]) -> object:
        found = whole(campaign, reached, seats)
        if campaign == fight.id and len(seats) == 1:
            looking.set()
            go_on.wait(PATIENCE)
        return found

    monkeypatch.setattr(hub, "_find_turns", slowly)
    with listening(fight.ben) as his:
        assert looking.wait(PATIENCE)
        with listening(fight.cleo) as hers:
            wait_until(lambda: len(hub._subscriptions[fight.id].seats) >= 2)
            go_on.set()
            assert turns(his, 1)[0][1]["awaited"] and turns(hers, 1)[0][1]["seat"]["name"] == "Cleo"


# --- where it stands now ---


def brought_down(table: Table) -> int:
    """The number of the ruling after which Celia can be hit no more."""
    said: Json = {"subject": "character:2", "field": "harm", "value": 20, "reason": "a fall"}
    return int(table.gm.declare("amend", **said)["number"])


def test_that_it_lapsed_is_told_and_can_be_asked_for(table: Table) -> None:
    table.fighters()
    with listening(table.cleo) as feed:  # who is asked
        waiting = table.ben.does("/rulings", {"declare": HIT}, 202)["id"]
        assert table.dora.look(f"/waiting/{waiting}")["status"] == "waiting"
        said: Json = {"subject": "character:2", "field": "harm", "value": 20, "reason": "a fall"}
        made = table.gm.declare("amend", **said)
        number = made["number"]
        told = feed.until_it_says(lambda data: data.get("status") == "lapsed")
    assert made["ends"] == [{"waiting": waiting, "text": "Bruno hits Celia."}]
    assert "ends" not in table.gm.look(f"/rulings/{number}"), "of the act, not of the ruling"
    why = f"This is no longer possible because of ruling {number}: Celia is down already."
    _, event, gone = told[-1]
    assert (event, gone["text"], gone["by"]) == ("withdrawn", f"Bruno hits Celia. {why}", None)
    assert [data.get("ruling") for _, _, data in told][-2] == number, "after the facts that made it so"
    for player in (table.dora, table.ben, table.gm):
        found = player.look(f"/waiting/{waiting}")
        assert (found["status"], found["reason"], found["question"]) == ("lapsed", why, None)
        assert found["declared"] == HIT and found["ruling"] is None
        assert player.look("/waiting")["waiting"] == []
    late = table.cleo.post(f"/waiting/{waiting}/answers", {"answer": STAND})
    assert (late.status_code, late.json()["context"]) == (409, {"waiting": waiting, "status": "lapsed"})
    assert "no longer possible" in late.json()["detail"]


def test_mine_is_what_is_asked_of_oneself_and_not_what_lapsed(table: Table) -> None:
    table.fighters()
    waiting = table.ben.does("/rulings", {"declare": HIT}, 202)["id"]
    mine = {player.id: player.look("/waiting", mine=True)["waiting"] for player in (table.ben, table.cleo)}
    assert [one["id"] for one in mine[table.cleo.id]] == [waiting] and mine[table.ben.id] == []
    brought_down(table)
    assert table.cleo.look("/waiting", mine=True)["waiting"] == []


def test_what_waited_is_as_secret_as_its_question_was(table: Table) -> None:
    table.fighters()
    hides: Json = {"declare": {"kind": "sneak", "char": "1", "dice": 2}, "dice": "table"}
    first = table.ben.does("/rulings", hides, 202)["id"]
    table.ben.does(f"/waiting/{first}/answers", {"answer": rolled(5, 4)})
    second = table.ben.does("/rulings", hides, 202)["id"]
    table.ben.does(f"/waiting/{second}/withdraw", {"reason": "two dice are few"}, 200)
    for id, reason in ((first, None), (second, "two dice are few")):
        for player in (table.ben, table.gm):
            found = player.look(f"/waiting/{id}")
            assert (found["declared"], found["reason"]) == (hides["declare"], reason)
        found = table.cleo.look(f"/waiting/{id}")
        assert (found["declared"], found["reason"], found["answers"]) == ({"kind": "sneak"}, None, [])
        assert found["text"] == "Somebody declares a hidden action."
    assert table.cleo.get("/waiting/w999").status_code == 404
