"""Several seats are asked at the same time: each answers when it can, and sees no other answer before the last."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from html import unescape
from itertools import permutations
from typing import Any

import pytest

from ledger.application.commands import declaring, lapsing
from tests.api.page.sitting import at_the_page
from tests.api.table import Json, Player, Service
from tests.api.test_feed import listening
from tests.api.test_session_intensity import RICK, SARAH, STEVE, Evening, kinds
from tests.api.test_session_scattershot import Evening as ScattershotEvening
from tests.api.twins.attacks import Found, Twins, claim, fork_of
from tests.api.twins.games import Secret
from tests.levels import sampled

HEALS: Json = {"kind": "heal", "heal": "wound"}
OPEN_SCENE: Json = {"kind": "open-scene", "title": "A knock"}
HEALS_NOTHING: Json = {"kind": "heal", "heal": "none"}


class Night(Evening):
    """Sarah, Steve and Rick are wounded, and belong to Ben, Cleo and Eve. Ann, the game master, begins to heal them."""

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self.eve = self.seat("Eve", "player")
        self.ann.declare("hand-over", character=RICK, seat=self.eve.id)
        self.here = self.scene()
        for one, other in ((SARAH, STEVE), (STEVE, RICK), (RICK, SARAH)):
            self.strikes(one, other, "wound")
        self.ann.declare("close-scene", scene=self.here)

    @property
    def players(self) -> tuple[Player, Player, Player]:
        return self.ben, self.cleo, self.eve

    def begin_healing(self) -> str:
        return self.waiting(self.ann, "healing-moment", day=1, fiction="A night's rest.")

    def look_at(self, player: Player, waiting: str) -> Json:
        return player.look(f"/waiting/{waiting}")


def slot(char: str) -> str:
    return f"heal:{char}"


def names(people: Any) -> list[str]:
    return [person["name"] for person in people]


def test_all_are_asked_and_each_sees_the_own_question(service: Service) -> None:
    night = Night(service)
    waiting = night.begin_healing()
    for player, char in zip(night.players, (SARAH, STEVE, RICK), strict=True):
        shown = night.look_at(player, waiting)
        assert (shown["question"]["asked"]["seat"], shown["question"]["slot"]) == (player.id, slot(char))
        assert shown["answer_schema"] is not None and shown["others"] == []
        assert names(shown["awaited"]) == ["Ben", "Cleo", "Eve"]
        assert [wait["id"] for wait in player.look("/waiting?mine=true")["waiting"]] == [waiting]
    others = night.look_at(night.ann, waiting)["others"]
    assert [other["question"]["slot"] for other in others] == [slot(STEVE), slot(RICK)]
    assert all(other["answer_schema"] is not None for other in others), "a game master can answer for each of them"


@pytest.mark.parametrize("order", sampled(list(permutations(range(3))), 2))
def test_any_order_of_answers_gives_the_same_ruling(service: Service, order: tuple[int, ...]) -> None:
    night = Night(service)
    waiting = night.begin_healing()
    choices = (HEALS, HEALS_NOTHING, HEALS)
    for place in order[:-1]:
        told = night.says(night.players[place], waiting, choices[place], 202)
        assert told["status"] == "waiting"
    ruling = night.says(night.players[order[-1]], waiting, choices[order[-1]])
    assert [answer["question"]["slot"] for answer in ruling["answers"]] == [slot(SARAH), slot(STEVE), slot(RICK)]
    healed = [row["fact"]["char"] for row in ruling["facts"] if row["kind"] == "intensity.impact-healed"]
    assert healed == [SARAH, RICK]
    assert night.ann.look("/audit")["healthy"]


def test_an_answer_can_be_changed_until_the_last_has_come(service: Service) -> None:
    night = Night(service)
    waiting = night.begin_healing()
    night.says(night.eve, waiting, HEALS, 202)
    (own,) = night.look_at(night.eve, waiting)["others"]
    assert own["answered"] and own["question"]["slot"] == slot(RICK) and own["answer_schema"] is not None
    night.says(night.eve, waiting, HEALS_NOTHING, 202)
    night.says(night.ben, waiting, HEALS, 202)
    ruling = night.says(night.cleo, waiting, HEALS)
    used = [answer for answer in ruling["answers"] if not answer["set_aside"]]
    assert [answer["answer"]["choice"]["heal"] for answer in used] == ["wound", "wound", "none"]
    mine = night.eve.look(f"/rulings/{ruling['number']}")["answers"]
    assert [answer["answer"]["choice"]["heal"] for answer in mine if answer["set_aside"]] == ["wound"]
    for player in (night.ann, night.ben, night.cleo, night.dora):
        answers = player.look(f"/rulings/{ruling['number']}")["answers"]
        assert not any(answer["set_aside"] for answer in answers), "nobody else sees what she chose first"
    assert night.says(night.eve, waiting, HEALS, 409)["code"] == "wrong-status"


def test_nobody_changes_the_answer_of_another(service: Service) -> None:
    night = Night(service)
    waiting = night.begin_healing()
    night.says(night.eve, waiting, HEALS, 202)
    for player in (night.ben, night.ann):
        answer = player.post(f"/waiting/{waiting}/answers", {"answer": {"choice": HEALS_NOTHING}, "slot": slot(RICK)})
        assert (answer.status_code, answer.json()["code"]) == (422, "unknown-slot"), answer.text
        assert slot(RICK) not in answer.json()["context"]["known"]
    night.says(night.dora, waiting, HEALS, 403)


def test_a_game_master_closes_the_moment_for_whom_they_name(service: Service) -> None:
    night = Night(service)
    waiting = night.begin_healing()
    closed = {"answer": {"choice": {"kind": "close-moment", "reason": "She left early."}}, "slot": slot(RICK)}
    assert night.ann.post(f"/waiting/{waiting}/answers", closed).status_code == 202
    assert names(night.look_at(night.dora, waiting)["awaited"]) == ["Ben", "Cleo"]
    night.says(night.ben, waiting, HEALS, 202)
    ruling = night.says(night.cleo, waiting, HEALS)
    assert "healing-passed-over" in kinds(ruling)


def test_a_retry_answers_once(service: Service) -> None:
    night = Night(service)
    waiting = night.begin_healing()
    body, key = {"answer": {"choice": HEALS}}, {"Idempotency-Key": "once"}
    first = night.eve.post(f"/waiting/{waiting}/answers", body, key)
    again = night.eve.post(f"/waiting/{waiting}/answers", body, key)
    assert first.status_code == again.status_code == 202 and first.content == again.content
    version = night.look_at(night.eve, waiting)["version"]
    assert version == 2


def test_the_feed_tells_each_seat_that_it_is_asked(service: Service) -> None:
    night = Night(service)
    with listening(night.cleo) as feed:
        waiting = night.begin_healing()
        night.says(night.eve, waiting, HEALS, 202)
        rows = feed.until_it_says(lambda data: data["answers"] or names([data["by"]]) == ["Eve"])
    assert [(event, data["question"]["asked"]["name"]) for _, event, data in rows] == [
        ("waiting", "Ben"),
        ("waiting", "Cleo"),
        ("waiting", "Eve"),
        ("answered", "Eve"),
    ]
    assert rows[-1][2]["answers"] == []


def played_to_the_first_answer(service: Service) -> Twins:
    """Eve has answered the one or the other; Cleo, the game master and who watches attack."""
    tables = []
    for choice in (HEALS, HEALS_NOTHING):
        night = Night(service)
        night.says(night.eve, night.begin_healing(), choice, 202)
        night.gm = night.ann
        tables.append(night)
    secret = Secret("intensity", "an answer", lambda table, other: None, attackers=("cleo", "gm", "dora"))
    return Twins(service, secret, tables=(tables[0], tables[1]))


def begin_scene(twins: Twins) -> None:
    """The healing moment lapses by that, whatever was answered."""
    twins.send(1, "POST", "/rulings", {"declare": OPEN_SCENE, "preview": True})
    twins.send(1, "POST", "/rulings", {"declare": OPEN_SCENE})


@pytest.mark.slow
def test_an_answer_is_secret_until_the_last_has_come(service: Service) -> None:
    twins = played_to_the_first_answer(service)
    twins.read_all()
    begin_scene(twins)
    assert twins.difference is None, str(twins.difference)


def withhold_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(declaring, "_withhold_answer", lambda given: given)


def lapse_by_what_was_answered(patch: pytest.MonkeyPatch) -> None:
    """Only who heals nothing lets it lapse."""
    own = lapsing.find_lapse

    def find_lapse(book: Any, subjects: Any, replay: Any, pending: Any, number: int) -> Any:
        if any(given.answer["choice"]["heal"] == "wound" for given in pending.answers):
            return None
        return own(book, subjects, replay, pending, number)

    patch.setattr(lapsing, "find_lapse", find_lapse)


@pytest.mark.slow
@pytest.mark.parametrize("fault", [withhold_nothing, lapse_by_what_was_answered])
def test_an_answer_that_is_told_is_found(monkeypatch: pytest.MonkeyPatch, service: Service, fault: Any) -> None:
    fault(monkeypatch)
    twins = played_to_the_first_answer(service)
    for who in range(3):
        twins.look_at(who, "/waiting")
    with suppress(Found):
        begin_scene(twins)
    assert twins.difference is not None


def test_a_fork_and_an_export_hold_what_was_answered(service: Service) -> None:
    night = Night(service)
    night.gm = night.ann
    waiting = night.begin_healing()
    night.says(night.eve, waiting, HEALS, 202)
    holds_it = {name: "withheld" in getattr(night, name).get("/export").text for name in ("ann", "ben", "eve")}
    assert holds_it == {"ann": False, "ben": False, "eve": True}, "it is Eve's alone"
    assert night.ann.look("/audit")["healthy"]
    fork = fork_of(night, night.ann.look()["rulings"])
    for name in ("ben", "cleo", "dora", "eve"):
        claimed = claim(fork, getattr(night, name)).json()
        setattr(fork, name, Player(fork, claimed["id"], claimed["token"]))
    seats: Any = fork
    shown = seats.eve.look(f"/waiting/{waiting}")
    assert [other["answered"] for other in shown["others"]] == [True]
    for player in (seats.cleo, seats.ben):
        answer = player.post(f"/waiting/{waiting}/answers", {"answer": {"choice": HEALS_NOTHING}})
    assert answer.status_code == 201, answer.text
    assert seats.gm.look("/audit")["healthy"]
    assert names(night.look_at(night.ann, waiting)["awaited"]) == ["Ben", "Cleo"], "here nobody answered"


class Group(ScattershotEvening):
    """With Eve beside Ben and Cleo."""

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self.eve = self.seat("Eve", "player")


def ask_the_group(service: Service) -> tuple[Group, str]:
    """Ben asks Ann, Cleo and Eve, all in the same slot."""
    table = Group(service)
    declared = {"kind": "seek-consensus", "subject": "magic", "text": "It has its price."}
    return table, table.ben.does("/rulings", {"declare": declared}, 202)["id"]


def test_a_game_master_speaks_for_the_seat_they_name(service: Service) -> None:
    """Everybody is asked in the same slot: the seat asked says which question is meant."""
    table, waiting = ask_the_group(service)
    asked = [person["name"] for person in table.gm.look(f"/waiting/{waiting}")["awaited"]]
    assert asked[-2:] == ["Cleo", "Eve"]
    speaks = {"choice": {"kind": "speak-for", "agreed": True, "reason": "She nodded."}}
    body = {"answer": speaks, "slot": "consensus", "asked": table.eve.id}
    answer = table.gm.post(f"/waiting/{waiting}/answers", body)
    assert answer.status_code == 202, answer.text
    assert "Eve" not in names(answer.json()["awaited"]) and "Cleo" in names(answer.json()["awaited"])
    nobody = table.gm.post(f"/waiting/{waiting}/answers", {**body, "asked": "s99"})
    assert (nobody.status_code, nobody.json()["code"]) == (422, "unknown-slot")


def test_the_page_answers_the_question_it_shows(service: Service) -> None:
    """Also if the first question is answered meanwhile: what was said for Cleo is not said for Eve."""
    table, waiting = ask_the_group(service)
    table.gm.does(f"/waiting/{waiting}/answers", {"answer": {"choice": {"kind": "agree"}}}, 202)
    ann = at_the_page(table.gm)
    own = f"{ann.at}/waiting/{waiting}"
    links = re.findall(rf'href="({own}\?[^"]+)"', unescape(ann.get(own).text))
    assert [link.rpartition("asked=")[2] for link in links] == [table.eve.id, table.gm.id]
    shown = {table.cleo.id: ann.form(own, f"{own}?slot=consensus&asked={table.cleo.id}")}
    shown[table.eve.id] = ann.form(links[0], links[0])
    table.cleo.does(f"/waiting/{waiting}/answers", {"answer": {"choice": {"kind": "agree"}}}, 202)
    said = {"/answer/choice/agreed": "true", "/answer/choice/reason": "She nodded."}
    assert ann.send(shown[table.cleo.id], said).status_code == 422
    assert table.gm.look(f"/waiting/{waiting}")["status"] == "waiting"
    assert ann.send(shown[table.eve.id], said).status_code == 303
    given = table.eve.look("/rulings", order="desc", limit=1)["rulings"][0]["answers"]
    assert [(answer["question"]["seat"], answer["answer"]["choice"]["kind"]) for answer in given] == [
        (table.gm.id, "agree"),
        (table.cleo.id, "agree"),
        (table.eve.id, "speak-for"),
    ]


def preview_without_the_no(service: Service, eves: str) -> Json:
    """Eve answered, and was not needed, because Cleo said no. Ann looks at what a yes of Cleo's would have led to."""
    table, waiting = ask_the_group(service)
    for player, choice in ((table.eve, eves), (table.cleo, "decline"), (table.gm, "agree")):
        answer = player.post(f"/waiting/{waiting}/answers", {"answer": {"choice": {"kind": choice}}})
    assert answer.status_code == 201, answer.text
    body = {"code": "ruling", "reason": "a slip", "answers": [None, {"choice": {"kind": "agree"}}], "preview": True}
    shown = table.gm.post(f"/rulings/{answer.json()['number']}/revise", body)
    return {"status": shown.status_code, "code": shown.json().get("code")}


def test_an_answer_that_was_not_needed_is_never_used(service: Service) -> None:
    shown = [preview_without_the_no(service, eves) for eves in ("agree", "decline")]
    assert shown[0] == shown[1] == {"status": 422, "code": "needs-dice"}


@pytest.mark.parametrize("changes", [False, True])
def test_answers_that_the_ruling_used_make_no_export_or_fork_partial(service: Service, changes: bool) -> None:
    """But one that was replaced is its seat's alone."""
    night = Night(service)
    waiting = night.begin_healing()
    for player, char in zip(night.players, (SARAH, STEVE, RICK), strict=True):
        if changes and player is night.ben:
            night.says(player, waiting, HEALS_NOTHING, 202)
        last = player is night.eve
        night.says(player, waiting, HEALS, 201 if last else 202)
        header = json.loads(night.ann.get("/export").content.split(b"\n", 1)[0])
        assert (header["seat"] is None) == (last and not changes), char
    fork = fork_of(night, night.ann.look("")["rulings"])
    scene = fork.gm.tries(OPEN_SCENE["kind"], title=OPEN_SCENE["title"])
    assert scene.status_code == (409 if changes else 201), scene.text
