"""An evening of Scattershot over HTTP on Postgres: a die that decided a duel, where it went, and what it paid for.

Ann is the game master and plays the Ogre; Ben plays Bruno, Cleo plays Celia; Dora watches.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.api.table import Json, Player, Service, Table, rolled

BRUNO, CELIA, OGRE = "1", "2", "3"
UNITS = ("xd", "karmic", "spent", "payback", "gift", "dp", "resource", "shortfall", "action", "advantage")
BRUNO_SHEET: Json = {
    "statistics": {"strength": 13, "agility": 14},
    "disadvantages": [{"name": "Reckless", "value": 2}],
}
CELIA_SHEET: Json = {
    "statistics": {"agility": 12},
    "skills": [{"name": "Fencing", "difficulty": "intermediate", "training": 3, "script": ["parry", "riposte"]}],
    "protection": [{"name": "leather", "static": 2}],
}
OGRE_SHEET: Json = {"character": "regular", "statistics": {"strength": 16, "hit-points": 20}}


def kinds(ruling: Json) -> list[str]:
    return [one["kind"].removeprefix("scattershot.") for one in ruling["facts"]]


def fact(ruling: Json, kind: str) -> Json:
    """The only fact of that kind."""
    (found,) = [one["fact"] for one in ruling["facts"] if one["kind"] == f"scattershot.{kind}"]
    return dict(found)


def chosen(kind: str, **fields: Any) -> Json:
    return {"answer": {"choice": {"kind": kind, **fields}}}


class Evening(Table):
    """The campaign and its chapters, in the order in which they are played."""

    def __init__(self, service: Service, **dials: Any) -> None:
        self.service = service
        opened = service.open(name="The bridge", system="scattershot", dials={"epic-index": 3, **dials})
        assert opened.status_code == 201, opened.text
        self.id = opened.json()["id"]
        self.gm = self.ann = Player(self, "s1", opened.json()["seat"]["token"])
        self.ben = self.seat("Ben", "player")
        self.cleo = self.seat("Cleo", "player")
        self.dora = self.seat("Dora", "observer")
        self.scene = ""
        self.die = self.device = self.duel = self.paid = 0

    @property
    def everyone(self) -> tuple[Player, ...]:
        return self.ann, self.ben, self.cleo, self.dora

    def refused(self, player: Player, code: str, kind: str, status: int = 422, **fields: Any) -> Json:
        before = self.position
        answer = player.tries(kind, **fields)
        assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
        assert self.position == before
        return dict(answer.json())

    def waits_for(self, waiting: Json, player: Player, purpose: str) -> str:
        """The question is that player's: everybody sees it, and nobody may answer it who was not asked, too."""
        assert waiting["question"]["asked"]["seat"] == player.id
        assert purpose in waiting["question"]["purpose"]
        path = f"/waiting/{waiting['id']}/answers"
        for seat in self.everyone:
            (shown,) = seat.look("/waiting")["waiting"]
            assert shown["id"] == waiting["id"]
            if shown["answer_schema"] is None and not shown["others"]:
                assert seat.post(path, chosen("decline")).status_code == 403
        return path

    # --- before play ---

    def gathers(self) -> None:
        for player, name, sheet in (
            (self.ben, "Bruno", BRUNO_SHEET),
            (self.cleo, "Celia", CELIA_SHEET),
            (self.ann, "Ogre", OGRE_SHEET),
        ):
            made = player.does("/characters", {"name": name, "seat": player.id, "sheet": sheet})
            assert "persona-created" in kinds(made)
        bad = {"name": "Weakling", "seat": self.ben.id, "sheet": {"statistics": {"power": 8}}}
        assert self.ben.does("/characters", bad, 422)["code"] == "rating-below-minimum"
        self.ann.declare("list-expectation", name="caught by the ogre", expectation="gimme", value=2)
        assert self.ann.does("/sessions", {"title": "The bridge"})["session"]
        dial = self.ann.post("/dials", {"critical-juncture": 5, "reason": "too late"})
        assert dial.json()["code"] == "game-has-begun"
        self.scene = self.ann.does("/scenes", {"title": "A bridge", "cast": [BRUNO, CELIA, OGRE]})["scene"]
        self.agrees_to_a_limit()
        self.refused(self.ben, "self-gift", "award-dice", to=self.ben.id, n=9)
        self.refused(self.ann, "gm-holds-no-dice", "award-dice", to=self.ann.id, n=1)
        self.ann.declare("award-dice", to=self.cleo.id, n=2, reason="She brought the food.")
        gift = fact(self.cleo.declare("give-cool-beans", to=self.ben.id, n=1), "cool-beans-given")["gift"]
        self.ann.declare("replace-cool-beans", gift=gift, n=1)
        self.refused(self.ann, "replacement-exceeds-gift", "replace-cool-beans", gift=gift, n=1)

    def agrees_to_a_limit(self) -> None:
        """Cleo proposes it, Ben agrees: his next Persona costs no more."""
        body = {"declare": {"kind": "limit-points", "limit": 9, "player": self.ben.id, "agreed": True}}
        path = self.waits_for(self.cleo.does("/rulings", body, 202), self.ben, "9 Development Points")
        agreed = self.ben.does(path, chosen("agree"))
        assert fact(agreed, "point-limit-set")["seat"] == self.ben.id
        rich = {"name": "Rich", "seat": self.ben.id, "sheet": {"statistics": {"power": 20}}}
        assert self.ben.does("/characters", rich, 422)["code"] == "beyond-the-limit"
        odd = {"name": "Odd", "seat": self.ben.id, "sheet": {"statistics": {"power": 8, "strength": 30}}}
        faults = self.ben.does("/characters", odd, 422)["context"]["faults"]
        assert faults == ["rating-below-minimum", "beyond-the-limit"]
        lucky = {"name": "Lucky", "seat": self.ben.id, "sheet": {"statistics": {"luck": 9}}}
        assert self.ben.does("/characters", lucky, 422)["code"] == "malformed", "no Statistic is called luck"

    def claims(self) -> None:
        """Ben claims, Ann agrees."""
        claim: Json = {"kind": "claim-gimme", "character": BRUNO, "expectation": "caught by the ogre"}
        self.refused(self.cleo, "not-proprietor", **claim)
        waiting = self.ben.does("/rulings", {"declare": claim}, 202)
        path = self.waits_for(waiting, self.ann, "caught by the ogre")
        assert fact(self.ann.does(path, chosen("agree")), "gimme-taken")["n"] == 2

    # --- a duel ---

    def duels(self) -> None:
        """Ben's Action, Cleo's answer; a die of Ben's goes to her; she invents what it costs her."""
        declared = self.ben.declare(
            "declare-action", character=BRUNO, text="a fist", subject=CELIA, engages=[CELIA], nature="attack"
        )
        resolution = fact(declared, "action-declared")["resolution"]
        told = {"resolution": resolution}
        self.refused(self.ben, "resistor-has-not-answered", "close-opportunity", **told)
        self.refused(self.ben, "not-proprietor", "answer-engagement", **told, character=CELIA, passive=True)
        asked = {"kind": "answer-engagement", **told, "character": CELIA}
        waiting = self.ben.does("/rulings", {"declare": asked}, 202)
        path = self.waits_for(waiting, self.cleo, "respond")
        self.cleo.does(path, chosen("oppose", text="parry", rating="Fencing"))
        self.ben.declare("close-opportunity", **told)
        self.rolls(told)
        outcome = fact(self.ben.declare("reach-outcome", **told), "outcome-reached")
        assert (outcome["adjusted"], outcome["outcome"], outcome["auto_benefits"]) == (8, "telling-blow", 2)
        self.invents(told)
        self.duel = self.ben.declare("choose-results", **told, results=[{"result": "damage"}])["number"]
        seen = self.ann.look(f"/rulings/{self.duel}")
        assert fact(seen, "resource-reduced") | {"wound": ""} == {
            "character": CELIA,
            "resource": "hit-points",
            "loss": 7,
            "before": 10,
            "after": 3,
            "losses": False,
            "wound": "",
        }

    def rolls(self, told: Json) -> None:
        """Rolled at the table: who rolls types them in."""
        body = {"declare": {"kind": "contribute-die", **told}, "dice": "table"}
        waiting = self.ben.does("/rulings", body, 202)
        path = f"/waiting/{waiting['id']}/answers"
        assert self.ben.post(path, {"answer": rolled(7)}).json()["code"] == "bad-d6"
        thrown = self.ben.does(path, {"answer": rolled(6)})
        self.die = thrown["number"]
        assert fact(thrown, "experience-die-rolled")["against"] == self.cleo.id
        assert self.ann.look(f"/scenes/{self.scene}")["state"]["resolutions"][told["resolution"]]["dice"]
        self.ben.declare("roll-mib", **told, faces=[4, 5])
        self.refused(self.ben, "dice-missing", "close-decision", **told)
        self.cleo.declare("roll-mib", **told, roll=CELIA, faces=[5, 5])
        closed = self.ann.declare("close-decision", **told)
        assert fact(closed, "decision-closed")["basic_mibs"] == {"actor": 11, CELIA: 3}
        assert fact(closed, "experience-die-handed-over")["to"] == f"seat:{self.cleo.id}/xd"

    def invents(self, told: Json) -> None:
        waiting = self.ben.does("/rulings", {"declare": {"kind": "name-consequences", **told}}, 202)
        path = self.waits_for(waiting, self.cleo, "Telling Blow")
        much = chosen("consequences", text="a limp", benefits=3)
        assert self.cleo.post(path, much).json()["code"] == "excess-overspent"
        said = chosen("consequences", text="a limp", disadvantages=[{"name": "Lame"}], benefits=2)
        named = self.cleo.does(path, said)
        assert kinds(named) == ["juncture-consequence-named", "disadvantage-gained"]

    # --- what the die paid for ---

    def spends(self) -> None:
        """All of Cleo's dice bring the bridge down, and one she borrows; Ben uses it back; the session ends."""
        dice = [{"face": 2}, {"face": 3}, {"face": 1}, {"die": "loaner", "face": 1}]
        made = self.cleo.declare("plot-device", text="the bridge falls", target=self.ben.id, dice=dice)
        self.device = made["number"]
        resolution = fact(made, "plot-device-rolled")["resolution"]
        self.cleo.declare("close-decision", resolution=resolution)
        offer = {"kind": "offer-challenge", "resolution": resolution, "text": "and the ogre hears it"}
        waiting = self.ben.does("/rulings", {"declare": offer}, 202)
        path = self.waits_for(waiting, self.cleo, "Challenge")
        assert kinds(self.cleo.does(path, chosen("decline"))) == ["challenge-offered"]
        outcome = fact(self.ann.declare("reach-outcome", resolution=resolution), "outcome-reached")
        assert (outcome["adjusted"], outcome["outcome"]) == (7, "telling-blow")
        said = {"text": "a cold bath", "benefits": 1}
        self.refused(self.cleo, "not-proprietor", "name-consequences", resolution=resolution, consequences=said)
        self.ben.declare("name-consequences", resolution=resolution, consequences=said)
        self.ann.declare("close-application", resolution=resolution)
        self.refused(self.ben, "nothing-rolled", "claim-payback", resolution=resolution)
        claim = {"kind": "claim-payback", "resolution": resolution, "interest": True}
        waiting = self.cleo.does("/rulings", {"declare": claim}, 202)
        path = self.waits_for(waiting, self.ann, "Payback")
        assert self.cleo.post(path, chosen("agree")).status_code == 403, "nobody grants dice to herself"
        granted = self.ann.does(path, chosen("agree"))
        self.paid = granted["number"]
        paid = fact(granted, "payback-paid")
        assert (paid["spent"], paid["n"]) == (4, 5)
        self.refused(self.cleo, "already-paid-back", "claim-payback", resolution=resolution)

    def grows(self) -> None:
        self.refused(self.cleo, "bad-number", "develop", character=CELIA, own=2, faces=[6])
        grown = fact(self.cleo.declare("develop", character=CELIA, own=2, faces=[6, 5]), "development-rolled")
        assert (grown["total"], grown["points"]) == (11, 2)
        self.cleo.declare("raise-rating", character=CELIA, rating="Fencing", points=1)

    def melee(self) -> None:
        """Cleo to Ann's right of Ben: Ben calls; then Ann, then Cleo."""
        called = self.ben.declare("call-mechanical-play", characters=[BRUNO, CELIA, OGRE])
        order = [self.ben.id, self.ann.id, self.cleo.id]
        assert fact(called, "mechanical-play-called")["order"] == order
        self.refused(self.ann, "not-your-turn", "start-turn", character=OGRE)
        self.ben.declare("start-turn", character=BRUNO)
        self.ben.declare("expend-action", character=BRUNO)
        self.ann.declare("seize-advantage", holder=BRUNO, foe=OGRE, cause="Reach")
        self.refused(self.ben, "advantage-already-held", "seize-advantage", holder=BRUNO, foe=OGRE, cause="Reach")
        self.ann.declare("take-free-action", character=OGRE, action="soliloquy")
        self.refused(self.ann, "already-in-mechanical-play", "join-mechanical-play", character=OGRE)

    def ends(self) -> int:
        """Ann would end what Ben called: he and Cleo are asked; for Cleo Ann says it, and why."""
        body = {"declare": {"kind": "end-mechanical-play"}}
        waiting = self.ann.does("/rulings", body, 202)
        declined = self.ben.does(self.waits_for(waiting, self.ben, "end"), chosen("decline"))
        assert kinds(declined) == ["mechanical-play-goes-on"]
        waiting = self.ann.does("/rulings", body, 202)
        path = self.waits_for(waiting, self.ben, "end")
        assert self.ann.post(path, chosen("agree")).status_code == 403, "a yes is of who is asked"
        unsaid = chosen("speak-for", agreed=True, reason=" ")
        assert self.ann.post(path, unsaid).json()["code"] == "no-reason"
        waiting = self.ben.does(path, chosen("agree"), 202)
        path, nodded = self.waits_for(waiting, self.cleo, "end"), "Cleo nodded, on the telephone."
        assert self.ben.post(path, chosen("speak-for", agreed=True, reason=nodded)).status_code == 403
        ended = self.ann.does(path, chosen("speak-for", agreed=True, reason=nodded))
        assert [one["given"]["asked"] for one in ended["because"] if one["given"].get("spoken_for") == nodded] == [
            self.cleo.id
        ]
        assert kinds(ended) == ["mechanical-play-ended", "play-mode-shifted"]
        return int(ended["number"])

    def plays(self) -> None:
        for chapter in (self.gathers, self.claims, self.duels, self.spends, self.grows, self.melee):
            chapter()

    # --- the books ---

    def audit(self, expected: dict[str, int]) -> None:
        """The balances told are those of the postings that stand; nothing came from nowhere. `expected`: all."""
        posted: Counter[str] = Counter()
        for ruling in self.ann.look("/rulings", limit=500)["rulings"]:
            for one in ruling["facts"]:
                for posting in () if one["struck"] else one["postings"]:
                    assert posting["amount"] > 0
                    for account in (posting["from"], posting["to"]):
                        assert account.partition("/")[2].partition(":")[0] == posting["unit"]
                    posted[posting["from"]] -= posting["amount"]
                    posted[posting["to"]] += posting["amount"]
        units: Counter[str] = Counter()
        for account, n in posted.items():
            units[account.partition("/")[2].partition(":")[0]] += n
        assert set(units) <= set(UNITS) and not any(units.values())
        held = {one: n for one, n in posted.items() if n and not one.startswith("bank/")}
        assert held == expected
        for seat in self.everyone:
            told = {one["account"]: one["balance"] for one in seat.look("/accounts")["accounts"]}
            assert {one: n for one, n in told.items() if n and not one.startswith("bank/")} == expected


def consents_are_struck_and_put_back(evening: Evening, played: dict[str, int]) -> None:
    """With the rulings that needed them: the Payback that was granted, and the end that two agreed to."""
    ann, cleo = evening.ann, evening.cleo
    purse = f"seat:{cleo.id}/xd"
    ann.does(f"/rulings/{evening.paid}/overturn", {"reason": "It served nobody's Expectations."}, 200)
    struck = {**played, purse: played[purse] - 5, f"seat:{cleo.id}/spent:{evening.device}": 4}
    del struck[f"seat:{cleo.id}/payback:{evening.device}"]
    evening.audit(struck)
    ann.does(f"/rulings/{evening.paid}/reinstate", {"reason": "It did."}, 200)
    evening.audit(played)

    ended = evening.ends()
    place = f"/scenes/{evening.scene}"
    assert ann.look(place)["state"]["fights"] == {}
    ann.does(f"/rulings/{ended}/overturn", {"reason": "Cleo spoke too soon."}, 200)
    assert list(ann.look(place)["state"]["fights"]) == ["individual"]
    evening.audit(played)
    ann.does(f"/rulings/{ended}/reinstate", {"reason": "She did not."}, 200)
    assert ann.look(place)["state"]["fights"] == {}


def test_an_evening_and_a_quarrel(service: Service) -> None:
    evening = Evening(service)
    evening.plays()
    ann, ben, cleo, dora = evening.everyone
    device = str(evening.device)
    played = {
        f"seat:{ben.id}/xd": 1 + 2 - 1 + 3,
        f"seat:{ben.id}/xd:saved:{cleo.id}": 1,
        f"seat:{cleo.id}/xd": 2 - 1 + 1 + 1 - 3 + 5 - 2,
        f"seat:{cleo.id}/karmic": 1,
        f"seat:{cleo.id}/payback:{device}": 1,
        f"character:{BRUNO}/dp:invested": 12 + 7,
        f"character:{BRUNO}/resource:hit-points": 10,
        f"character:{BRUNO}/resource:power": 10,
        f"character:{CELIA}/dp": 1,
        f"character:{CELIA}/dp:invested": 12 + 5 + 1,
        f"character:{CELIA}/resource:hit-points": 3,
        f"character:{CELIA}/resource:power": 10,
        f"character:{OGRE}/dp:invested": 12 + 16,
        f"character:{OGRE}/resource:hit-points": 20,
        f"character:{OGRE}/resource:power": 10,
        f"scene:{evening.scene}/action:{BRUNO}": 1,
        f"scene:{evening.scene}/advantage:{BRUNO}:{OGRE}": 1,
    }
    fist = next(one for one in ann.look("/accounts")["accounts"] if "/spent:" in one["account"] and one["balance"])
    assert fist["account"].startswith(f"seat:{ben.id}/spent:")
    played[fist["account"]] = 1
    evening.audit(played)
    before = [one.look("/accounts") for one in evening.everyone], ann.look(f"/characters/{CELIA}")["state"]

    # It was no six: Cleo disputes the die, Ann looks what that would change, and does it.
    disputed = cleo.does(f"/rulings/{evening.die}/dispute", {"reason": "It was cocked."}, 200)
    assert disputed["status"] == "disputed"
    body = {"reason": "It was."}
    for player in (ben, cleo, dora):
        assert player.post(f"/rulings/{evening.die}/overturn", body).status_code == 403
    told = ann.does(f"/rulings/{evening.die}/overturn", {**body, "preview": True}, 200)
    assert told == dora.look("/what-if", without=str(evening.die)), "what anybody can see"
    leaning = dora.look(f"/rulings/{evening.die}?leaning=true")["leaning"]
    then = {row["number"]: row["then"] for row in told["rulings"] if row["then"]}
    assert set(leaning) == set(then) and evening.duel in then
    called = then[evening.duel - 3]
    assert [fact(called, "decision-closed")[part] for part in ("basic_mibs", "rmib")] == [
        {"actor": 5, CELIA: 3},
        {CELIA: 2},
    ]
    assert fact(then[evening.duel - 2], "outcome-reached")["outcome"] == "success"
    assert fact(then[evening.duel], "resource-reduced")["loss"] == 1, "no six, no telling blow: a scratch"
    done = ann.does(f"/rulings/{evening.die}/overturn", body, 200)
    assert (done["status"], done["changed"]) == ("overturned", told)
    assert all(one["struck"] for one in done["facts"])

    causes = {one["cause"] for one in dora.look("/findings")["findings"]}
    assert causes == {evening.die}
    findings = {(one["kind"], one["ruling"]) for one in dora.look("/findings")["findings"]}
    kind = "changes"
    assert {(kind, evening.duel - 3), (kind, evening.duel - 2), (kind, evening.duel)} <= findings
    recorded = ann.look(f"/characters/{CELIA}", at=evening.duel, **{"as": "recorded"})["balances"]
    assert {"account": f"character:{CELIA}/resource:hit-points", "unit": "resource", "balance": 3} in recorded

    ann.does(f"/rulings/{evening.die}/reinstate", {"reason": "It lay flat after all."}, 200)
    after = [one.look("/accounts") for one in evening.everyone], ann.look(f"/characters/{CELIA}")["state"]
    assert after == before
    assert not dora.look("/findings")["findings"]
    evening.audit(played)
    consents_are_struck_and_put_back(evening, played)
    ann.does(f"/scenes/{evening.scene}/close", {})
    session = ann.look()["session"]
    closed = ann.does(f"/sessions/{session}/close", {})
    assert fact(closed, "loaner-lapsed") == {"holder": ben.id, "borrower": cleo.id, "n": 1, "kept": False}
    for account in (f"scene:{evening.scene}/action:{BRUNO}", f"scene:{evening.scene}/advantage:{BRUNO}:{OGRE}"):
        del played[account]
    del played[f"seat:{ben.id}/xd:saved:{cleo.id}"], played[f"seat:{cleo.id}/karmic"]
    evening.audit(played)


def test_what_nobody_is_asked_about_any_more_has_lapsed(service: Service) -> None:
    """Of the Group two have agreed when the third is there no longer: no question is left, and nothing waits."""
    table = Evening(service, **{"dice-granted-by": "group"})
    table.gm.declare("open-session", title="The bridge")
    bruno = table.gm.declare("enrol", name="Bruno", seat=table.ben.id, sheet=BRUNO_SHEET)["character"]
    claim = {"kind": "claim-gimme", "character": bruno, "disadvantage": "Reckless", "grade": "minor"}
    waiting = table.ben.does("/rulings", {"declare": claim}, 202)["id"]
    asked = table.gm.does(f"/waiting/{waiting}/answers", chosen("agree"), 202)["question"]["asked"]
    assert asked["seat"] == table.cleo.id
    gone = table.gm.declare("attend", present=["s1", table.ben.id])
    found = table.gm.look(f"/waiting/{waiting}")
    assert (found["status"], found["question"]) == ("lapsed", None)
    assert found["reason"] == f"This is no longer possible because of ruling {gone['number']}."
    assert table.ben.look("/waiting")["waiting"] == []
    again = table.ben.does("/rulings", {"declare": claim}, 202)["id"]
    assert table.gm.does(f"/waiting/{again}/answers", chosen("agree"), 201)["declared"]["kind"] == "claim-gimme"
