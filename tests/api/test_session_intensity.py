"""An evening of Levels of Intensity over HTTP on Postgres: consent that is asked, a healing everybody has a say in.

Ann is the game master and plays Rick; Ben plays Sarah, Cleo Steve; Dora watches.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.api.page.campaigns import begun
from tests.api.table import Json, Player, Service, Table

SARAH, STEVE, RICK = "1", "2", "3"
AGREE: Json = {"kind": "agree"}


def main(*names: str) -> Json:
    return {"kind": "main", "traits": [{"name": n, "base": b} for n, b in zip(names, (10, 8, 8), strict=True)]}


def kinds(ruling: Json) -> list[str]:
    return [one["kind"].removeprefix("intensity.") for one in ruling["facts"]]


class Evening(Table):
    """The campaign and its chapters, in the order in which they are played."""

    def __init__(self, service: Service) -> None:
        self.service = service
        opened = service.open(name="The item", system="intensity")
        assert opened.status_code == 201, opened.text
        self.id = opened.json()["id"]
        self.gm = self.ann = Player(self, "s1", opened.json()["seat"]["token"])
        self.ben = self.seat("Ben", "player")
        self.cleo = self.seat("Cleo", "player")
        self.dora = self.seat("Dora", "observer")
        minor = {"kind": "minor", "traits": [{"name": "Driver", "base": 6}, {"name": "Cultist", "base": 6}]}
        for player, name, sheet in (
            (self.ben, "Sarah", main("Smooth Talker", "Don't Push Me", "Quick")),
            (self.cleo, "Steve", main("Stubborn", "Bad Temper", "Social Manipulator")),
            (self.ann, "Rick", minor),
        ):
            player.does("/characters", {"name": name, "seat": player.id, "sheet": sheet})
        self.ann.declare("open-session")
        self.bargain = self.moment = self.mutilation = 0
        self.here = ""

    # --- what people do ---

    def refused(self, player: Player, code: str, kind: str, status: int = 422, **fields: Any) -> None:
        answer = player.tries(kind, **fields)
        assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text

    def says(self, player: Player, waiting: str, choice: Json, status: int = 201, code: str | None = None) -> Json:
        answer = player.post(f"/waiting/{waiting}/answers", {"answer": {"choice": choice}})
        assert answer.status_code == status, answer.text
        told: Json = answer.json()
        assert code is None or told["code"] == code, told
        return told

    def waiting(self, player: Player, kind: str, **fields: Any) -> str:
        return str(player.declare(kind, status=202, **fields)["id"])

    def asked(self, waiting: str) -> Json:
        """What it waits for, as anybody at the table sees it."""
        (found,) = [one for one in self.dora.look("/waiting")["waiting"] if one["id"] == waiting]
        question: Json = found["question"]
        return question

    def scene(self, title: str = "A room") -> str:
        return str(self.ann.declare("open-scene", title=title)["number"])

    def round(self, one: str, other: str, faces: tuple[int, int, int, int], levels: tuple[str, str]) -> str:
        """The one acts against the other, and hits; the attack's id."""
        traits = {SARAH: "Smooth Talker", STEVE: "Stubborn", RICK: "Driver"}
        self.ann.declare("open-round", participants=[one, other])
        self.ann.declare("declare", char=one, target=other, level=levels[0], trait=traits[one])
        self.ann.declare("declare", char=other, level=levels[1], trait=traits[other])
        rolled = [{"char": one, "intensity": faces[0], "trait": faces[1]}]
        rolled += [{"char": other, "intensity": faces[2], "trait": faces[3]}]
        self.ann.declare("roll", faces=rolled)
        opened = self.ann.declare("attack", char=one, text="Now!")
        self.ann.declare("defend", text="Too slow.")
        self.ann.declare("resolve")
        return str(opened["facts"][0]["fact"]["attack"])

    def strikes(self, one: str, other: str, impact: str) -> Json:
        self.round(one, other, (12, 1, 1, 1), ("fanatical", "fanatical"))
        done = self.ann.declare("choose-impact", impact=impact)
        self.ann.declare("close-round")
        return done

    # --- chapters ---

    def bargains(self) -> None:
        """Steve's player is asked; nobody says it in his place but Ann, in words of her own."""
        attack = self.round(SARAH, STEVE, (6, 9, 5, 1), ("calm", "passionate"))
        offer: Json = {"attack": attack, "parties": [SARAH, STEVE], "text": "She takes it and leaves."}
        self.refused(self.ben, "not-game-master", "negotiate", **offer, reason="He nodded.")
        waiting = self.waiting(self.ben, "negotiate", **offer)
        assert self.asked(waiting)["asked"]["name"] == "Cleo"
        for player in (self.ben, self.ann, self.dora):
            self.says(player, waiting, AGREE, 403)
        self.says(self.cleo, waiting, {"kind": "speak-for", "agreed": True, "reason": "me"}, 403)
        self.says(self.ann, waiting, {"kind": "speak-for", "agreed": True, "reason": " "}, 422, "text-blank")
        declined = self.says(self.cleo, waiting, {"kind": "decline"})
        assert kinds(declined) == ["bargain-declined"]
        again = self.waiting(self.ben, "negotiate", **offer)
        agreed = self.says(self.cleo, again, AGREE)
        assert kinds(agreed) == ["outcome-negotiated"]
        (given,) = agreed["answers"]
        assert given["by"]["name"] == "Cleo"
        self.bargain = agreed["number"]
        self.ann.declare("close-round")

    def mutilates(self) -> None:
        fatal = self.strikes(SARAH, STEVE, "fatal")["facts"][1]["fact"]["fatal"]
        use: Json = {"fatal": fatal, "use_as": "wound", "mutilation": {"trait": "Bad Temper", "base": 0}}
        self.refused(self.ann, "not-the-holder", "use-fatal", uses=[{**use, "by": STEVE}])
        waiting = self.waiting(self.ann, "use-fatal", uses=[use])
        assert kinds(self.says(self.ben, waiting, {"kind": "decline"})) == ["fatal-withheld"]
        done = self.ben.declare("use-fatal", uses=[use])
        assert kinds(done) == ["fatal-used", "character-wounded", "trait-mutilated"]
        assert done["declared"]["uses"][0]["by"] == SARAH
        assert self.sizes(STEVE) == [8, 0, 6]
        self.mutilation = done["number"]

    def heals(self) -> None:
        """Ben opens it; Cleo is asked, play goes on meanwhile, Rick is Ann's; she closes it."""
        self.strikes(STEVE, SARAH, "wound")
        self.strikes(SARAH, RICK, "wound")
        self.ann.declare("close-scene", scene=self.here)
        fields: Json = {"day": 1, "fiction": "A night's rest."}
        self.refused(
            self.ben, "not-your-character", "healing-moment", **fields, choices=[{"char": STEVE, "heal": "wound"}]
        )
        own = [{"char": SARAH, "heal": "wound"}]
        waiting = self.waiting(self.ben, "healing-moment", **fields, choices=own)
        assert self.asked(waiting)["asked"]["name"] == "Cleo"
        self.says(self.dora, waiting, {"kind": "heal", "heal": "wound"}, 403)
        self.says(self.ben, waiting, {"kind": "close-moment", "reason": "late"}, 403)
        self.says(self.ann, waiting, {"kind": "heal"}, 403)  # that passes Steve over without a reason
        self.here = self.scene("A knock at the door")
        lapsed = self.says(self.cleo, waiting, {"kind": "heal", "heal": "wound"}, 409, "wrong-status")
        assert lapsed["context"]["status"] == "lapsed", "no moment in an open scene"
        self.ann.declare("close-scene", scene=self.here)
        waiting = self.waiting(self.ben, "healing-moment", **fields, choices=own)
        told = self.says(self.cleo, waiting, {"kind": "heal", "heal": "tax"}, 422, "malformed")
        assert [one["allowed"] for one in told["errors"]] == [["none", "damage", "wound"]]
        self.says(self.cleo, waiting, {"kind": "heal", "heal": "wound"}, 202)
        assert self.asked(waiting)["seat"] == "gm"
        self.says(self.ben, waiting, {"kind": "heal", "heal": "wound"}, 403)
        done = self.says(self.ann, waiting, {"kind": "close-moment", "reason": "Rick lies in the street."})
        assert kinds(done)[:3] == ["healing-moment-held", "conflicts-counted", "healing-moment-closed"]
        assert [one["fact"]["char"] for one in done["facts"] if one["kind"] == "intensity.impact-healed"] == [
            SARAH,
            STEVE,
        ]
        self.moment = done["number"]
        assert self.sizes(SARAH) == [10, 8, 8] and self.sizes(RICK) == [4, 4]

    def leaves(self) -> None:
        """Cleo leaves the table: Steve is the game master's to be asked for."""
        self.here = self.scene("The next day")
        self.strikes(RICK, STEVE, "damage")
        self.strikes(RICK, SARAH, "damage")
        self.ann.declare("close-scene", scene=self.here)
        waiting = self.waiting(self.ben, "healing-moment", day=2, fiction="Another night.")
        assert self.asked(waiting)["asked"]["name"] == "Ben"
        self.says(self.ben, waiting, {"kind": "heal", "heal": "damage", "trait": "Smooth Talker"}, 202)
        assert self.asked(waiting)["asked"]["name"] == "Cleo"
        gone = self.ann.send("PATCH", f"/seats/{self.cleo.id}", json={"removed": True})
        assert gone.status_code == 200, gone.text
        again = self.waiting(self.ben, "healing-moment", day=2, fiction="The same night.")
        self.says(self.ben, again, {"kind": "heal"}, 202)
        assert self.asked(again)["seat"] == "gm"
        steve = {"kind": "heal", "heal": "damage", "trait": "Stubborn"}
        self.says(self.ann, waiting, steve, 202)  # what was asked of Cleo is asked of a game master now
        assert self.asked(waiting)["seat"] == "gm"
        self.says(self.ann, waiting, steve, 202)
        done = self.says(self.ann, waiting, {"kind": "heal"})
        assert kinds(done).count("impact-healed") == 2
        assert self.says(self.ann, again, steve, 409, "wrong-status")["context"]["status"] == "lapsed"

    def plays(self) -> None:
        self.here = self.scene()
        self.bargains()
        self.mutilates()
        self.heals()
        self.leaves()

    # --- the books ---

    def sizes(self, char: str, **query: Any) -> list[int]:
        traits = self.dora.look(f"/characters/{char}", **query)["state"]["traits"]
        assert all(set(one) == {"name", "base", "size"} for one in traits)
        return [one["size"] for one in traits]

    def everything(self) -> Json:
        state = {f"/characters/{id}": self.ann.look(f"/characters/{id}") for id in (SARAH, STEVE, RICK)}
        return {path: [one["state"], one["balances"]] for path, one in state.items()}

    def audit(self) -> None:
        """Standing postings make the accounts, and every unit adds up; the record agrees with the rules."""
        posted: Counter[str] = Counter()
        for ruling in self.ann.look("/rulings", limit=500)["rulings"]:
            for one in ruling["facts"]:
                for posting in () if one["struck"] else one["postings"]:
                    posted[posting["from"]] -= posting["amount"]
                    posted[posting["to"]] += posting["amount"]
        units: Counter[str] = Counter()
        for account, n in posted.items():
            units[account.partition("/")[2].partition(":")[0]] += n
        assert not any(units.values()) and units
        told = {one["account"]: one["balance"] for one in self.dora.look("/accounts")["accounts"] if one["balance"]}
        assert told == {account: n for account, n in posted.items() if n and not account.startswith("bank/")}
        audit = self.ann.look("/audit")
        assert audit["healthy"], audit


@pytest.fixture(scope="module")
def evening(service: Service) -> Evening:
    evening = Evening(service)
    evening.plays()
    evening.audit()
    return evening


@pytest.mark.parametrize("which", ["bargain", "moment", "mutilation"])
def test_what_rests_on_consent_is_overturned_and_put_back(evening: Evening, which: str) -> None:
    number = getattr(evening, which)
    before = evening.everything()
    told = evening.ann.does(f"/rulings/{number}/overturn", {"reason": "Not so.", "preview": True}, 200)
    done = evening.ann.does(f"/rulings/{number}/overturn", {"reason": "Not so."}, 200)
    assert done["status"] == "overturned" and done["changed"] == told
    assert evening.ben.post(f"/rulings/{number}/reinstate", {"reason": "It was."}).status_code == 403
    after = evening.everything()
    assert (after == before) == (which == "bargain"), "a bargain of words changes nobody's state"
    evening.ann.does(f"/rulings/{number}/reinstate", {"reason": "It was."}, 200)
    assert evening.everything() == before
    assert evening.ann.look("/findings")["findings"] == []
    evening.audit()


def test_ruled_again_the_answers_are_their_givers(evening: Evening) -> None:
    """Unused, the fatal keeps the scene open and the moment cannot be: what was said is set aside, until put back."""
    before = evening.everything()
    path = f"/rulings/{evening.mutilation}"
    told = evening.ann.does(f"{path}/overturn", {"reason": "Missed.", "settle": "rerule"}, 200)
    assert {row["number"] for row in told["changed"]["rulings"]} >= {evening.moment}
    answers = evening.ann.look(f"/rulings/{evening.moment}")["answers"]
    assert [one["by"]["name"] for one in answers if one.get("set_aside")] == ["Cleo", "Ann"]
    evening.ann.does(f"{path}/reinstate", {"reason": "A hit.", "settle": "rerule"}, 200)
    assert evening.everything() == before
    evening.audit()


def test_the_size_shown_is_the_die_rolled_then(evening: Evening) -> None:
    """Under the dials of the moment that is looked at, and of the other past in a preview."""
    place = evening.scene("Once more")
    evening.strikes(SARAH, RICK, "wound")  # his second
    now = evening.sizes(RICK)
    number = evening.ann.declare("set-dial", name="stacking", value="one_per_kind", reason="gentler")["number"]
    assert now == [0, 0] and evening.sizes(RICK) == [4, 4]
    assert evening.sizes(RICK, at=number - 1) == [0, 0]
    assert evening.sizes(RICK, at=number) == [4, 4]
    why = evening.ann.look(f"/characters/{RICK}/why/traits/0/size")
    assert why["value"] == 4 and why["chain"]
    evening.ann.declare("set-dial", name="stacking", value="all", reason="as it was")
    evening.ann.declare("close-scene", scene=place)


def test_what_was_set_aside_answers_nothing_where_it_is_shown_what_can_be_answered(service: Service) -> None:
    """Raised while the dice are awaited: the answers of before are set aside, and both dice are asked for again."""
    evening = Evening(service)
    evening.ann.declare("open-scene", title="On the stairs")
    evening.ann.declare("open-round", participants=[SARAH, STEVE])
    evening.ben.declare("declare", char=SARAH, target=STEVE, level="calm", trait="Smooth Talker")
    evening.cleo.declare("declare", char=STEVE, target=None, level="calm", trait="Stubborn")
    roll = {"kind": "roll", "participants": [SARAH]}
    waiting = evening.ben.does("/rulings", {"declare": roll, "dice": "table"}, 202)["id"]

    def rolled(sides: int, status: int = 202) -> None:
        found = evening.ben.look(f"/waiting/{waiting}")
        (shown,) = (one for one in evening.ben.look("/waiting")["waiting"] if one["id"] == waiting)
        assert (found["question"]["sides"], shown["answer_schema"] is None) == (sides, False), shown
        answer = {"answer": {"dice": {"sides": sides, "faces": [3]}}}
        evening.ben.does(f"/waiting/{waiting}/answers", answer, status)

    rolled(6)
    evening.ben.declare("raise", char=SARAH, level="invested")
    rolled(10)  # what waited no longer follows: both are asked for anew
    rolled(8)
    rolled(10, 201)


def test_points_that_were_spent_and_never_gained_are_named(service: Service) -> None:
    table = begun(service, "intensity")
    points: dict[str, Any] = {"amount": 1, "unit": "ap", "reason": "A favour."}
    held = "character:1/ap:2"
    gained = table.gm.declare("adjust", source="bank/ap", target=held, **points)["number"]
    table.gm.declare("adjust", source=held, target="bank/ap", **points)
    changed = table.gm.does(f"/rulings/{gained}/overturn", {"reason": "Not so."}, 200)["changed"]
    texts = [finding["text"] for finding in changed["findings"] if finding["kind"] == "overdrawn"]
    assert texts == [f"Now that ruling {gained} has changed, Sarah is 1 short: advantage points against Steve."]
