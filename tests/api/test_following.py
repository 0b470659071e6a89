"""Steps that nobody has a choice about follow automatically, each as a ruling of its own (option `forced_steps`)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ledger.application.commands import following
from ledger.rules.kernel.refusals import Refused
from tests.api.page.campaigns import begun
from tests.api.table import Json, Player, Service, Table

STEPS = ["close-opportunity", "roll-mib", "close-decision", "reach-outcome", "close-application"]
GO_ON: Json = {"choice": {"kind": "go-on"}}
MISSED: Json = {"dice": {"sides": 10, "faces": [10, 9], "source": "table"}}
MADE: Json = {"dice": {"sides": 10, "faces": [1, 1], "source": "table"}}
ACT: Json = {"kind": "declare-action", "character": "1", "text": "leaps"}


class Leap(Table):
    """Ann, the game master; Ben, whose character leaps; Cleo, who could put dice into it."""

    def __init__(self, service: Service, forced_steps: str = "by_ledger") -> None:
        vars(self).update(vars(begun(service, "scattershot")))
        for player in (self.gm, self.ben, self.cleo):
            player.table = self
        if forced_steps != "by_hand":
            self.gm.declare("set-dial", name="forced_steps", value=forced_steps, reason="We play on.")

    def leaps(self, **body: Any) -> Json:
        return self.ben.does("/rulings", {"declare": ACT, **body})

    def answers(self, player: Player, waiting: str, answer: Json, status: int) -> Json:
        return player.does(f"/waiting/{waiting}/answers", {"answer": answer}, status)

    def list_kinds(self) -> list[tuple[str, int | None]]:
        rulings = self.gm.look("/rulings", limit=100)["rulings"]
        return [(ruling["declared"]["kind"], ruling.get("follows")) for ruling in rulings]

    def holds(self, player: Player, seat: Player, on: bool, status: int = 200) -> Json:
        answer = player.send("PATCH", f"/seats/{seat.id}", json={"holds": on})
        assert answer.status_code == status, answer.text
        return dict(answer.json())


def kinds_after(leap: Leap, number: int) -> list[str]:
    return [kind for kind, _ in leap.list_kinds()[number:]]


def test_what_nobody_has_a_choice_about_is_done_in_the_same_request(service: Service) -> None:
    leap = Leap(service)
    acted = leap.leaps()
    *done, asked = acted["followed"]
    number = acted["number"]
    assert [step["ruling"] for step in done] == [number + 1, number + 2]
    assert asked["waiting"] is not None and asked["text"] == "The totals are called out."
    assert leap.answers(leap.cleo, asked["waiting"], GO_ON, 202)["awaited"] == [{"seat": leap.ben.id, "name": "Ben"}]
    totals = leap.answers(leap.ben, asked["waiting"], GO_ON, 201)
    assert (totals["number"], totals["follows"], totals["by"]["name"]) == (number + 3, number, "Ben")
    assert [step["ruling"] for step in totals["followed"]][:1] == [number + 4]
    assert leap.list_kinds()[number : number + 4] == [(kind, number) for kind in STEPS[:4]]
    assert leap.gm.look("/audit")["differences"] == []


def test_a_repeated_request_gets_the_same_answer_and_does_no_step_again(service: Service) -> None:
    leap = Leap(service)
    key = {"Idempotency-Key": "leap"}
    answers = [leap.ben.post("/rulings", {"declare": ACT}, key) for _ in range(2)]
    before = leap.list_kinds()
    leap.gm.declare("close-session", session=leap.gm.look("")["session"])
    answers.append(leap.ben.post("/rulings", {"declare": ACT}, key))
    assert len({answer.content for answer in answers}) == 1
    assert [kind for kind, _ in leap.list_kinds()] == [*(kind for kind, _ in before), "close-session"]


@pytest.mark.parametrize("step", range(1, 3))
def test_a_repeated_request_goes_on_where_it_stopped(
    service: Service, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    leap = Leap(service)
    key = {"Idempotency-Key": "leap"}
    with monkeypatch.context() as patch:
        patch.setattr(following, "MOST_STEPS", step - 1)  # as if the process had ended before that step
        number = leap.ben.post("/rulings", {"declare": ACT}, key).json()["number"]
    assert kinds_after(leap, number) == STEPS[: step - 1]
    answer = leap.ben.post("/rulings", {"declare": ACT}, key).json()
    assert (answer["number"], len(answer["followed"])) == (number, 3)
    assert kinds_after(leap, number) == STEPS[:2]


def test_a_repeated_request_does_not_go_on_if_something_came_between(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    leap = Leap(service)
    key = {"Idempotency-Key": "leap"}
    with monkeypatch.context() as patch:
        patch.setattr(following, "MOST_STEPS", 0)
        leap.ben.post("/rulings", {"declare": ACT}, key)
    leap.gm.does("/bookmarks", {"ruling": 1, "note": "here"})
    assert "followed" not in leap.ben.post("/rulings", {"declare": ACT}, key).json()


def test_nothing_follows_unless_the_option_says_so(service: Service) -> None:
    leap = Leap(service, "by_hand")
    assert "followed" not in leap.leaps()
    totals = [leap.ben.declare(kind, resolution="5") for kind in STEPS[:3]]
    assert all(ruling.get("follows") is None and "followed" not in ruling for ruling in totals)


def test_forced_steps_are_the_same_as_steps_declared_one_by_one(service: Service) -> None:
    by_itself, by_hand = Leap(service), Leap(service)
    by_hand.holds(by_hand.ben, by_hand.ben, True)
    acted = by_itself.leaps(dice="table")
    (roll,) = [step["waiting"] for step in acted["followed"] if step["waiting"]]
    asked = by_itself.answers(by_itself.ben, roll, MADE, 201)["followed"][-1]["waiting"]
    by_hand.leaps()
    for kind, *answers in ((STEPS[0],), (STEPS[1], MADE)):
        by_hand.ben.declare(kind, *answers, resolution="6")
    waiting = by_hand.ben.does("/rulings", {"declare": {"kind": STEPS[2], "resolution": "6"}}, 202)["id"]
    for leap, id in ((by_itself, asked), (by_hand, waiting)):
        leap.answers(leap.cleo, id, GO_ON, 202)
        leap.answers(leap.ben, id, GO_ON, 201)
    by_hand.ben.declare(STEPS[3], resolution="6")
    told = [
        [_drop_follows(ruling) for ruling in leap.gm.look("/rulings", limit=100)["rulings"]]
        for leap in (by_itself, by_hand)
    ]
    assert told[0] == told[1]
    states = [leap.gm.look("/state") for leap in (by_itself, by_hand)]
    assert states[0]["characters"] == states[1]["characters"] and states[0]["scenes"] == states[1]["scenes"]


def _drop_follows(ruling: Json) -> Json:
    kept = ("number", "declared", "facts", "rolls", "because", "text")
    return {name: ruling[name] for name in kept}


def test_a_seat_that_holds_stops_what_follows(service: Service) -> None:
    leap = Leap(service)
    assert leap.holds(leap.cleo, leap.cleo, True)["holds"] is True
    assert [seat["holds"] for seat in leap.gm.look("")["seats"]] == [False, False, True]
    leap.holds(leap.ben, leap.cleo, False, 403)
    acted = leap.leaps()
    assert "followed" not in acted
    leap.holds(leap.gm, leap.cleo, False)
    assert [step["ruling"] for step in leap.ben.declare(STEPS[0], resolution="6")["followed"][:1]] == [
        acted["number"] + 2
    ]


def test_a_seat_that_only_watches_cannot_hold(service: Service) -> None:
    leap = Leap(service)
    dora = leap.seat("Dora", "observer")
    for player in (dora, leap.gm):
        leap.holds(player, dora, True, 403)
    assert "followed" in leap.leaps()


def test_a_change_of_a_seat_says_one_thing(service: Service) -> None:
    leap = Leap(service)
    answer = leap.gm.send("PATCH", f"/seats/{leap.ben.id}", json={"holds": True, "name": "Benjamin"})
    assert (answer.status_code, answer.json()["code"]) == (422, "both")
    assert leap.gm.look(f"/seats/{leap.ben.id}")["holds"] is False


@pytest.mark.parametrize(("before", "then"), [("totals", []), ("outcome", ["close-decision"])])
def test_who_wants_to_do_something_first_stops_what_follows(service: Service, before: str, then: list[str]) -> None:
    leap = Leap(service)
    acted = leap.leaps()
    asked = acted["followed"][-1]["waiting"]
    leap.answers(leap.ben, asked, GO_ON, 202)
    answer = leap.answers(leap.cleo, asked, {"choice": {"kind": "hold", "before": before}}, 201 if then else 200)
    assert "followed" not in answer
    assert kinds_after(leap, acted["number"]) == [*STEPS[:2], *then]
    if not then:
        assert (answer["status"], answer["text"]) == ("withdrawn", "The totals are called out.")
        assert answer["reason"].startswith("Cleo ")
        for player in (leap.gm, leap.cleo):  # a no is no way to read what others answered
            assert [given["by"]["name"] for given in player.look(f"/waiting/{asked}")["answers"]] == ["Cleo"]
        die = leap.cleo.declare(
            "contribute-die", {"dice": {"sides": 6, "faces": [3], "source": "table"}}, resolution="6", die="loaner"
        )
        assert die["followed"][-1]["waiting"] is not None, "the totals are asked about again"


def test_who_holds_the_totals_need_not_wait_for_the_others(service: Service) -> None:
    leap = Leap(service)
    asked = leap.leaps()["followed"][-1]["waiting"]
    hold = {"choice": {"kind": "hold", "before": "totals"}}
    assert leap.answers(leap.cleo, asked, hold, 200)["reason"].startswith("Cleo ")
    assert leap.gm.look("/waiting")["waiting"] == []


def test_what_was_asked_makes_no_export_partial(service: Service) -> None:
    leap = Leap(service)
    asked = leap.leaps()["followed"][-1]["waiting"]
    leap.answers(leap.ben, asked, GO_ON, 202)
    leap.answers(leap.cleo, asked, GO_ON, 201)
    assert json.loads(leap.gm.get("/export").content.split(b"\n", 1)[0])["seat"] is None


def test_a_step_that_waits_is_not_declared_again_by_another_seat(service: Service) -> None:
    leap = Leap(service)
    asked = leap.leaps()["followed"][-1]["waiting"]
    assert "followed" not in leap.gm.declare("make-ruling", subject="leaps", text="The gap is wide.")
    die = {"dice": {"sides": 6, "faces": [3], "source": "table"}}
    assert "followed" not in leap.cleo.declare("contribute-die", die, resolution="6", die="loaner")
    assert [waiting["id"] for waiting in leap.gm.look("/waiting")["waiting"]] == [asked]


def test_a_step_that_waits_does_not_stop_another_step(service: Service) -> None:
    leap = Leap(service)
    asked = leap.leaps()["followed"][-1]["waiting"]
    acted = leap.cleo.declare("declare-action", character="2", text="follows")
    assert [step["ruling"] for step in acted["followed"]] == [acted["number"] + 1, acted["number"] + 2, None]
    waiting = leap.gm.look(f"/waiting/{acted['followed'][-1]['waiting']}")
    assert (waiting["declared"]["resolution"], waiting["id"] == asked) == (str(acted["number"]), False)


@pytest.mark.parametrize("problem", [KeyError("moves"), Refused("scattershot.mib.basic", "bad-d10")])
def test_what_was_saved_is_answered_if_the_game_cannot_say_what_follows(
    service: Service, monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    leap = Leap(service)

    def fail(*_: object) -> None:
        raise problem

    monkeypatch.setattr(following, "find_step", fail)
    assert "followed" not in leap.leaps()


def test_dice_are_the_first_declarers(service: Service) -> None:
    leap = Leap(service)
    (_, roll) = leap.leaps(dice="table")["followed"]
    waiting = leap.ben.look(f"/waiting/{roll['waiting']}")
    assert (waiting["question"]["ask"], waiting["dice"]) == ("roll", "table")
    rolled = leap.answers(leap.ben, roll["waiting"], MISSED, 201)
    assert (rolled["follows"], rolled["declared"]["kind"]) == (6, "roll-mib")
    assert rolled["followed"][-1]["waiting"] is not None


def test_nobody_is_asked_for_dice_that_somebody_else_chose(service: Service) -> None:
    leap = Leap(service)
    attack = {"kind": "declare-action", "character": "1", "engages": ["2"], "text": "thrusts", "nature": "attack"}
    leap.ben.does("/rulings", {"declare": attack})
    oppose = {"text": "parries", "rating": "agility"}
    parry = {"kind": "answer-engagement", "resolution": "6", "character": "2", "oppose": oppose}
    *_, own_roll = leap.cleo.does("/rulings", {"declare": parry, "dice": "table"})["followed"]
    waiting = leap.gm.look("/waiting")["waiting"]
    assert [(declaration["id"], declaration["by"]["name"]) for declaration in waiting] == [
        (own_roll["waiting"], "Cleo")
    ]
    leap.answers(leap.cleo, own_roll["waiting"], MISSED, 201)
    rolled = leap.ben.declare("roll-mib", resolution="6")
    assert rolled["rolls"] and rolled["followed"][-1]["waiting"] is not None


def test_the_program_rolls_all_dice_after_some_were_to_be_entered(service: Service) -> None:
    leap = Leap(service)
    roll = leap.leaps(dice="table")["followed"][-1]["waiting"]
    leap.gm.declare("set-dial", name="dice", value="ledger_only", reason="The dice are lost.")
    rolled = leap.answers(leap.ben, roll, {"cards": {"cards": []}}, 201)
    assert rolled["followed"][-1]["waiting"] is not None


def test_what_followed_can_be_overturned_with_the_first(service: Service) -> None:
    leap = Leap(service)
    acted = leap.leaps()
    number = acted["number"]
    preview = leap.gm.does(f"/rulings/{number}/overturn", {"reason": "no", "preview": True}, 200)
    assert preview["followers"] == [number + 1, number + 2]
    middle = leap.gm.does(f"/rulings/{number + 1}/overturn", {"reason": "no", "preview": True}, 200)
    assert middle["followers"] == [number + 2]
    decided = leap.gm.does(f"/rulings/{number}/overturn", {"reason": "no", "also": preview["followers"]}, 200)
    assert decided["changed"]["followers"] == []
    statuses = {ruling["number"]: ruling["status"] for ruling in leap.gm.look("/rulings", limit=100)["rulings"]}
    assert {statuses[number + step] for step in range(3)} == {"overturned"}
    assert leap.gm.look("/findings")["findings"] == []


@pytest.mark.parametrize("step", [0, 1])
def test_a_step_that_waits_is_withdrawn_when_what_it_followed_is_overturned(service: Service, step: int) -> None:
    """Otherwise the players would be asked about an action that no longer counts."""
    leap = Leap(service)
    acted = leap.leaps()
    number, waiting = acted["number"] + step, acted["followed"][-1]["waiting"]
    leap.gm.does(f"/rulings/{number}/overturn", {"reason": "Not there."}, 200)
    ended = leap.ben.look(f"/waiting/{waiting}")
    assert (ended["status"], ended["reason"]) == ("withdrawn", f"Ruling {number} was overturned.")
    assert leap.gm.look("/waiting")["waiting"] == [] and leap.ben.look("/state")["waiting"] == []
    leap.gm.does(f"/rulings/{number}/reinstate", {"reason": "It was."}, 200)
    assert leap.gm.look("/audit")["healthy"]


def test_steps_follow_although_the_declaring_seat_was_removed(service: Service) -> None:
    leap = Leap(service)
    asked = leap.leaps()["followed"][-1]["waiting"]
    leap.answers(leap.cleo, asked, GO_ON, 202)
    assert leap.gm.send("PATCH", f"/seats/{leap.ben.id}", json={"removed": True}).status_code == 200
    totals = leap.answers(leap.gm, asked, {"choice": {"kind": "go-on-for", "reason": "Ben left."}}, 201)
    outcome = leap.gm.look(f"/rulings/{totals['followed'][0]['ruling']}")
    assert (outcome["declared"]["kind"], outcome["by"]["name"]) == ("reach-outcome", "Ann")


def test_what_does_not_depend_on_a_ruling_is_not_overturned_with_it(service: Service) -> None:
    """A step that somebody held up follows from the next ruling, even if that is about something else."""
    leap = Leap(service)
    leap.holds(leap.cleo, leap.cleo, True)
    leap.leaps()
    leap.holds(leap.cleo, leap.cleo, False)
    ruling = leap.gm.declare("make-ruling", subject="moon", text="It is full.")
    assert [step["waiting"] for step in ruling["followed"][:2]] == [None, None]
    preview = leap.gm.does(f"/rulings/{ruling['number']}/overturn", {"reason": "no", "preview": True}, 200)
    assert preview["followers"] == []
    assert leap.gm.look("/what-if", without=ruling["number"])["followers"] == []


def test_a_contested_blow_takes_five_requests(service: Service) -> None:
    """By hand it takes eight declarations."""
    leap = Leap(service)
    attack = {"kind": "declare-action", "character": "1", "engages": ["2"], "text": "thrusts", "nature": "attack"}
    thrust = leap.ben.does("/rulings", {"declare": attack})
    assert "followed" not in thrust, "Cleo has not answered"
    oppose = {"text": "parries", "rating": "agility"}
    parried = leap.cleo.declare("answer-engagement", resolution="6", character="2", oppose=oppose)
    *_, asked = parried["followed"]
    assert [kind for kind, _ in leap.list_kinds()[thrust["number"] :]] == [
        "answer-engagement",
        "close-opportunity",
        "roll-mib",
        "roll-mib",
    ]
    rolled = [ruling["by"]["name"] for ruling in leap.gm.look("/rulings", limit=100)["rulings"][-2:]]
    assert sorted(rolled) == ["Ben", "Cleo"], "each in the name of its player"
    leap.answers(leap.ben, asked["waiting"], GO_ON, 202)
    totals = leap.answers(leap.cleo, asked["waiting"], GO_ON, 201)
    assert leap.list_kinds()[totals["number"]] == ("reach-outcome", parried["number"])


def by_ledger(service: Service, system: str) -> Table:
    table = begun(service, system)
    table.gm.declare("set-dial", name="forced_steps", value="by_ledger", reason="We play on.")
    return table


def test_a_check_that_was_ruled_is_rolled_in_its_players_name(service: Service) -> None:
    table = by_ledger(service, "mnemonic")
    table.ben.declare("declare-action", character="1", text="climbs")
    table.gm.declare("rate-trait", character="1", trait_kind="life", trait="Climber", rating="Very")
    traits = [{"kind": "life", "name": "Climber"}, {"kind": "primary"}]
    ruled = table.gm.declare("rule-check", character="1", action="6", chances="Even", traits=traits)
    (rolled,) = ruled["followed"]
    roll = table.gm.look(f"/rulings/{rolled['ruling']}")
    assert (roll["declared"]["kind"], roll["follows"], roll["by"]["name"]) == ("enter-roll", ruled["number"], "Ben")
    assert roll["rolls"][0]["dice"]


def test_a_round_ends_in_the_game_masters_name(service: Service) -> None:
    table = by_ledger(service, "intensity")
    table.gm.declare("open-round", participants=["1", "2"])
    for id, player in (("1", table.ben), ("2", table.cleo)):
        trait = table.gm.look(f"/characters/{id}")["state"]["traits"][0]["name"]
        target = "2" if id == "1" else None
        player.declare("declare", char=id, level="fanatical", trait=trait, target=target, text="waits")
    table.gm.declare(
        "roll", faces=[{"char": "1", "intensity": 9, "trait": 4}, {"char": "2", "intensity": 3, "trait": 2}]
    )
    passed = table.ben.declare("pass", char="1")
    if "followed" not in passed:
        passed = table.cleo.declare("pass", char="2")
    (ended,) = passed["followed"]
    ruling = table.gm.look(f"/rulings/{ended['ruling']}")
    assert (ruling["declared"]["kind"], ruling["by"]["name"]) == ("close-round", "Ann")


SHOT: Json = {
    "kind": "declare-action",
    "character": "1",
    "skill": "Firearms",
    "roll_kind": "to_hit",
    "weapon": "Blast Pistol",
    "at_once": True,
}
DODGED: Json = {**SHOT, "character": "2", "skill": "Dodge", "roll_kind": "dodge", "weapon": None}


def shoots(table: Table, shot: Json, successes: int) -> list[str]:
    """Ben shoots, with so many successes, and Cleo dodges with one. Return what follows from her answer."""
    table.ben.does("/rulings", {"declare": shot, "dice": "table"})
    action = table.gm.look("/state")["scenes"][0]["state"]["actions"][-1]["id"]
    dice = table.ben.look("/waiting")["waiting"] if shot["at_once"] else []
    faces = [9] * successes + [2] * (6 - successes)
    if dice:
        table.ben.does(f"/waiting/{dice[0]['id']}/answers", {"answer": _make_answer(faces)}, 201)
    else:
        table.ben.declare("roll-dice", action=action, faces=faces)
    table.ben.declare("declare-successes", action=action, target="2", number=successes)
    table.cleo.does("/rulings", {"declare": DODGED, "dice": "table"})
    (dodge,) = table.cleo.look("/waiting")["waiting"]
    table.cleo.does(f"/waiting/{dodge['id']}/answers", {"answer": _make_answer([9, 2])}, 201)
    defence = table.gm.look("/state")["scenes"][0]["state"]["actions"][-1]["id"]
    off = table.cleo.declare("take-off-successes", action=action, target="2", number=1, defence=defence)
    rulings = table.gm.look("/rulings", limit=100)["rulings"]
    assert table.gm.look("/audit")["differences"] == []
    return [ruling["declared"]["kind"] for ruling in rulings if ruling["number"] > off["number"]]


def _make_answer(faces: list[int]) -> Json:
    return {"dice": {"sides": 10, "faces": faces, "source": "table"}}


@pytest.mark.parametrize(
    ("change", "successes", "follows"),
    [
        ({}, 3, ["score-hit", "set-location"]),
        ({}, 5, ["score-hit"]),  # an Outstanding Success: the attacker chooses the location
        ({}, 1, []),
        ({"weapon": None}, 3, []),
        ({"at_once": False}, 3, ["score-hit", "set-location"]),
    ],
)
def test_an_attack_hits_with_the_weapon_that_it_named(
    service: Service, change: Json, successes: int, follows: list[str]
) -> None:
    assert shoots(by_ledger(service, "moc"), {**SHOT, **change}, successes) == follows
