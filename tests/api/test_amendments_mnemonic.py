"""Mnemonic, read again, over HTTP on Postgres: a chair for a session, and Status that agrees with its account."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from ledger.rules.kernel import world
from ledger.rules.kernel.recounting import recount
from tests.api.table import Json, Player, Service, Table, rolled

HIDDEN = {"dramatic.source": "important"}


class Quarry(Table):
    """Ann is game master; Ben plays Bruno (1), Cleo plays Celia (2); a session (5), a scene (6)."""

    def __init__(self, service: Service, **dials: Any) -> None:
        self.service = service
        opened = service.open(name="The quarry", system="mnemonic", dials=dials)
        self.id = opened.json()["id"]
        self.gm = Player(self, "s1", opened.json()["seat"]["token"])
        self.ben, self.cleo = self.seat("Ben", "player"), self.seat("Cleo", "player")
        for who, name in ((self.ben, "Bruno"), (self.cleo, "Celia")):
            sheet = {"kind": "player_character", "primary_role": "Deputy"}
            who.does("/characters", {"name": name, "seat": who.id, "sheet": sheet})
        for id in ("1", "2"):
            self.gm.declare("rate-trait", character=id, trait="Tough", trait_kind="talent", rating="Moderately")
        self.session = self.gm.does("/sessions", {"title": "One"})["session"]
        self.scene = self.gm.does("/scenes", {"title": "The edge", "cast": ["1", "2"]})["scene"]

    def hurts(self, by: Player, victim: str = "2") -> tuple[int, str]:
        """The ruling that called an injury, and its check."""
        told: Json = {
            "victim": victim,
            "cause": "referee",
            "worst": "unconscious",
            "chances": "Even",
            "reason": "A stone.",
        }
        ruled = by.declare("rule-injury", **told)
        fact = next(one["fact"] for one in ruled["facts"] if one["kind"] == "mnemonic.check-ruled")
        return ruled["number"], fact["check"]

    def falls(self, roll: int) -> tuple[int, int]:
        called, check = self.hurts(self.gm)
        return called, self.cleo.declare("enter-roll", check=check, numbers=[roll])["number"]

    def agrees(self) -> int:
        """Celia's level, once account and Status were seen to agree, now and when it is all told again."""
        seen = self.cleo.look("/characters/2")
        told = {one["account"]: one["balance"] for one in self.cleo.look("/accounts")["accounts"]}
        lost, regained = (told.get(f"character:2/status:{way}", 0) for way in ("lost", "regained"))
        level = seen["state"]["status"]["level"]
        assert level == 6 - lost + regained
        for account in ("lost", "regained"):
            answer = self.cleo.get(f"/accounts/character:2/status:{account}")
            if answer.status_code == 200:
                assert answer.json()["entries"][-1]["balance"] == told[f"character:2/status:{account}"]
        assert self.gm.look("/audit")["differences"] == []
        return int(level)


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_a_player_referees_for_a_session_and_no_longer(service: Service) -> None:
    quarry = Quarry(service, **HIDDEN)
    gm, ben, cleo = quarry.gm, quarry.ben, quarry.cleo
    gm.declare("rate-importance", character="2", rating="Very")
    assert code(ben.tries("rule-order", order=["1", "2"])) == (403, "not-yours")
    gm.declare("seat-referee", seat=ben.id)
    assert ben.look("/characters/2")["state"]["importance"]["rating"] == "Very", "it was rated before he sat there"
    _, check = quarry.hurts(ben)
    ben.declare("enter-roll", check=check, numbers=[3])
    (known,) = ben.look(f"/scenes/{quarry.scene}")["state"]["checks"]
    assert known["aptitude"] == 8
    assert "aptitude" not in cleo.look(f"/scenes/{quarry.scene}")["state"]["checks"][0]
    assert code(gm.tries("rule-order", order=["1", "2"])) == (422, "not-referee")
    assert code(cleo.tries("rule-order", order=["1", "2"])) == (403, "not-yours")
    for kind, fields in (
        ("set-dial", {"name": "flukes.on", "value": True, "reason": "ours"}),
        ("close-scene", {"scene": quarry.scene}),
        ("close-session", {"session": quarry.session}),
        ("seat-referee", {"seat": cleo.id}),
        ("amend", {"subject": "character:2", "field": "level", "value": 6, "reason": "ours"}),
    ):
        assert code(ben.tries(kind, **fields)) == (403, "not-yours"), kind
    assert ben.post("/rulings/7/overturn", {"reason": "so"}).status_code == 403
    gm.declare("close-session", session=quarry.session)
    assert ben.look("/characters/2")["state"]["importance"] is None
    assert "aptitude" not in ben.look(f"/scenes/{quarry.scene}")["state"]["checks"][0]
    assert "Very" not in ben.get("/rulings", limit=500).text
    assert code(ben.tries("rule-order", order=["1", "2"])) == (403, "not-yours")
    gm.declare("rule-order", order=["1", "2"])
    assert gm.look("/audit")["differences"] == []


def test_findings_are_for_the_chair_and_not_for_who_sat_there(service: Service) -> None:
    quarry = Quarry(service, **HIDDEN)
    gm, ben, cleo = quarry.gm, quarry.ben, quarry.cleo
    rated = gm.declare("rate-importance", character="2", rating="Very")["number"]
    quarry.hurts(gm)
    gm.declare("seat-referee", seat=ben.id)
    gm.does(f"/rulings/{rated}/overturn", {"reason": "so"}, 200)
    assert [one["kind"] for one in ben.look("/findings")["findings"]] == ["loses support"]
    gm.declare("seat-referee", seat=cleo.id)
    assert ben.look("/findings")["findings"] == []
    assert [one["kind"] for one in cleo.look("/findings")["findings"]] == ["loses support"]


def overturn(table: Quarry, number: int, **more: Any) -> Json:
    return table.gm.does(f"/rulings/{number}/overturn", {"reason": "so", **more}, 200)


def reinstate(table: Quarry, number: int, **more: Any) -> Json:
    return table.gm.does(f"/rulings/{number}/reinstate", {"reason": "so", **more}, 200)


def revise(table: Quarry, number: int, roll: int, check: str) -> Json:
    declare = {"kind": "enter-roll", "check": check, "numbers": [roll]}
    return table.gm.does(f"/rulings/{number}/revise", {"reason": "misread", "code": "entry", "declare": declare}, 200)


@pytest.mark.parametrize("settle", ["flag", "rerule"])
def test_account_and_status_agree_after_every_decision(service: Service, settle: str) -> None:
    """Boulders to Hurt, a fall, waking, rest, another fall: each called off, put back, or corrected."""
    quarry = Quarry(service)
    boulders, first = quarry.falls(3)
    fall, _ = quarry.falls(12)
    woke = quarry.gm.declare("declare-recovery", character="2", level=1)["number"]
    quarry.gm.declare("declare-recovery", character="2", level=4)
    quarry.falls(5)
    assert quarry.agrees() == 2
    steps: list[tuple[Callable[..., Json], int, int]] = [
        (overturn, fall, 2),
        (overturn, boulders, 2),
        (reinstate, fall, 2),
        (overturn, woke, 2),
        (reinstate, boulders, 2),
        (reinstate, woke, 2),
    ]
    for decide, number, level in steps:
        done = decide(quarry, number, settle=settle)
        assert done["changed"] is not None
        assert quarry.agrees() == level
    found = quarry.gm.look(f"/rulings/{first}")
    assert found["status"] in ("standing", "revised")


def test_what_an_injury_took_is_given_back_with_its_calling(service: Service) -> None:
    quarry = Quarry(service)
    called, rolled_ = quarry.falls(12)
    later, second = quarry.falls(3)
    assert quarry.agrees() == 0
    told = overturn(quarry, called, preview=True)
    points = {one["number"]: one["standpoint"] for one in told["rulings"]}
    assert (points[rolled_], points[second]) == ("loses support", "changes")
    overturn(quarry, called)
    assert quarry.agrees() == 4, "the second one stands, and took two levels from Fine"
    entries = quarry.cleo.look("/accounts/character:2/status:lost")["entries"]
    assert [(one["ruling"], one["amount"], one["why"]) for one in entries] == [
        (rolled_, 6, "recorded"),
        (rolled_, -6, "struck"),
        (second, 2, "recorded"),
    ]
    kinds = [one["kind"] for one in quarry.gm.look("/findings")["findings"]]
    assert "changes" not in kinds, "what only posts otherwise is nobody's to settle"
    counted = quarry.cleo.look(f"/rulings/{second}")
    assert [one["decision"] for one in counted["decisions"]] == ["recounted"]
    assert counted["status"] == "standing"
    assert later < second
    reinstated = reinstate(quarry, called)
    assert reinstated["number"] == called
    assert quarry.agrees() == 0


def test_a_check_of_a_closed_scene_is_finished_and_a_misread_roll_corrected(service: Service) -> None:
    quarry = Quarry(service)
    _, check = quarry.hurts(quarry.gm)
    _, other = quarry.hurts(quarry.gm, "1")
    waiting = quarry.ben.does("/rulings", {"declare": {"kind": "enter-roll", "check": other}, "dice": "table"}, 202)
    quarry.gm.declare("close-scene", scene=quarry.scene)
    answer = {"answer": rolled(4, sides=12)}
    assert quarry.ben.does(f"/waiting/{waiting['id']}/answers", answer)["scene"] == quarry.scene
    rolled_ = quarry.cleo.declare("enter-roll", check=check, numbers=[3])["number"]
    assert quarry.agrees() == 4
    revise(quarry, rolled_, 9, check)
    assert quarry.agrees() == 0
    overturn(quarry, rolled_)
    assert quarry.agrees() == 6
    quarry.cleo.declare("enter-roll", check=check, numbers=[5])
    assert quarry.agrees() == 2


def test_an_audit_finds_what_was_counted_wrongly(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that posts nothing where something follows: planted, and found."""
    quarry = Quarry(service)
    called, _ = quarry.falls(12)
    _, second = quarry.falls(3)

    def forgotten(ruleset: Any, find: Any, facts: Any) -> Any:
        counted = recount(ruleset, find, facts)
        if counted is None:
            return None
        return replace(counted, facts=tuple(one for one in counted.facts if type(one.fact) not in ruleset.derived))

    monkeypatch.setattr(world, "recount", forgotten)
    overturn(quarry, called)
    monkeypatch.undo()
    differences = quarry.gm.look("/audit")["differences"]
    assert [(one["what"], one["ruling"]) for one in differences] == [("ruling", second)]
