"""An evening of Mnemonic over HTTP on Postgres: the quarry, the quarrel about the fall, and what was kept from whom.

Ann is the referee; Ben plays Bruno, a deputy; Cleo plays Celia, a boxer; Dora watches. Rocco is the referee's own.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from ledger.application import roller
from ledger.application.commands import adjudicating
from ledger.rules.kernel.declarations import find_kind
from ledger.rules.mnemonic import RULESET
from tests.api.table import Json, Player, Service, Table, rolled
from tests.levels import examples, sampled

LADDER = ("Not at All", "Not Very", "Somewhat", "Moderately", "Fairly", "Very", "Extremely")
NUMBER = {name: number for number, name in enumerate(LADDER)}
DIALS: Json = {"dramatic.source": "important", "flukes.on": True, "feather.mode": "hybrid"}
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
HEADERS = ("ETag", "Ledger-Position", "Location", "Link", "Content-Type")
BRUNO, CELIA, ROCCO = "2", "3", "4"
PRIMARY: Json = {"kind": "primary"}


def choice(kind: str, **fields: Any) -> Json:
    return {"choice": {"kind": kind, **fields}}


def talent(name: str) -> Json:
    return {"kind": "talent", "name": name}


def life(name: str) -> Json:
    return {"kind": "life", "name": name}


def fact(ruling: Json, kind: str) -> Json:
    """The only fact of that kind."""
    (found,) = [one["fact"] for one in ruling["facts"] if one["kind"] == f"mnemonic.{kind}"]
    return dict(found)


def kinds(ruling: Json) -> list[str]:
    return [one["kind"].removeprefix("mnemonic.") for one in ruling["facts"]]


def status(character: Json) -> tuple[int, str, str | None]:
    found = character["state"]["status"]
    return found["level"], found["name"], found["condition"]


class Hearing(Player):
    """A seat that keeps every word it is told: what it did, the status, some headers, the body."""

    def __init__(self, table: Table, id: str, token: str) -> None:
        super().__init__(table, id, token)
        self.heard: list[tuple[str, str]] = []

    def send(self, method: str, path: str, headers: dict[str, str] | None = None, **more: Any) -> httpx.Response:
        answer = super().send(method, path, headers, **more)
        query = answer.request.url.query.decode()
        told = [f"{name}: {answer.headers[name]}" for name in HEADERS if name in answer.headers]
        told = [re.sub(r'(W/"|\.)[0-9a-f]{64}"$', r'\1DIGEST"', line) for line in told]  # of a body with its times
        text = "\n".join((str(answer.status_code), *told, answer.text)).replace(self.table.id, "CAMPAIGN")
        self.heard.append((f"{method} {path}?{query} {more.get('json', '')}", TIME.sub("TIME", text)))
        return answer

    def refused(self, code: str, kind: str, **fields: Any) -> Json:
        answer = self.tries(kind, **fields)
        assert answer.status_code in (403, 422), answer.text
        assert answer.json()["code"] == code, answer.text
        return dict(answer.json())


class Evening(Table):
    """The campaign and its chapters, in the order in which they are played. `rating`: how Important Celia is."""

    gm: Hearing
    ben: Hearing
    cleo: Hearing
    dora: Hearing

    def __init__(self, service: Service, rating: str = "Very", approach: str = "fixed", **dials: Any) -> None:
        self.service = service
        self.rating, self.per_check = rating, approach == "per_check"
        turned = {**DIALS, "dramatic.approach": approach, **dials}
        opened = service.open(name="The quarry", system="mnemonic", dials=turned)
        assert opened.status_code == 201, opened.text
        self.id = opened.json()["id"]
        self.gm = self.ann = Hearing(self, "s1", opened.json()["seat"]["token"])
        self.ben = self.seat("Ben", "player")
        self.cleo = self.seat("Cleo", "player")
        self.dora = self.seat("Dora", "observer")
        self.scene = ""
        self.fall: tuple[int, int] = (0, 0)

    def seat(self, name: str, role: str) -> Hearing:
        made = self.gm.does("/seats", {"name": name, "role": role})
        return Hearing(self, made["id"], made["token"])

    @property
    def others(self) -> tuple[Hearing, Hearing, Hearing]:
        return self.ben, self.cleo, self.dora

    def celia(self, **clock: Any) -> tuple[int, str, str | None]:
        """Her Status, which is the same for everybody."""
        seen = {status(one.look(f"/characters/{CELIA}", **clock)) for one in (self.ann, *self.others)}
        assert len(seen) == 1
        return seen.pop()

    def injures(self, victim: str, **fields: Any) -> Json:
        """The referee's ruling; where each check rates script immunity anew, with the rating."""
        anew: dict[str, Any] = (
            {"importance": self.rating if victim == CELIA else "Not at All"} if self.per_check else {}
        )
        return self.ann.declare("rule-injury", victim=victim, **fields, **anew)

    @property
    def importance(self) -> int:
        return NUMBER[self.rating]

    # --- before play ---

    def gathers(self) -> None:
        self.ann.declare("seat-referee", seat="s1")
        for who, name, kind, role in (
            (self.ben, "Bruno", "player_character", "Deputy"),
            (self.cleo, "Celia", "player_character", "Adult Female Human"),
            (self.ann, "Rocco", "non_player_character", "Adult Male Human"),
        ):
            who.does("/characters", {"name": name, "seat": who.id, "sheet": {"kind": kind, "primary_role": role}})
        for character, kind, trait, rating in (
            (BRUNO, "talent", "Quick", "Fairly"),
            (BRUNO, "life", "Deputy Sheriff", "Very"),
            (CELIA, "talent", "Tough", "Fairly"),
            (CELIA, "life", "Professional Boxer", "Very"),
            (ROCCO, "talent", "Tough", "Moderately"),
        ):
            said: dict[str, Any] = {"character": character, "trait": trait, "trait_kind": kind, "rating": rating}
            assert fact(self.ann.declare("rate-trait", **said), "trait-rated")["number"] == NUMBER[rating]
        self.cleo.refused("not-yours", "rate-importance", character=CELIA, rating="Extremely")
        if not self.per_check:
            told = self.ann.declare("rate-importance", character=CELIA, rating=self.rating, reason="She must last.")
            assert fact(told, "importance-rated")["number"] == self.importance
            self.ann.declare("rate-importance", character=ROCCO, rating="not at all")
        words: Json = {"character": BRUNO, "text": "Shoots straight, rides badly."}
        asked = self.ben.does("/rulings", {"declare": {"kind": "describe-abilities", **words}}, 202)
        assert asked["question"]["asked"] == {"seat": "s1", "name": "Ann"}
        path = f"/waiting/{asked['id']}/answers"
        assert self.ben.post(path, {"answer": choice("assent")}).status_code == 403
        assert kinds(self.ann.does(path, {"answer": choice("assent")})) == ["abilities-described"]
        assert self.ann.does("/sessions", {"title": "The quarry"})["session"]
        cast = [BRUNO, CELIA, ROCCO]
        self.scene = self.ann.does("/scenes", {"title": "The edge", "cast": cast})["scene"]

    # --- an action, a check, an injury ---

    def strikes(self) -> None:
        """Bruno's baton: ruled, then rolled by Ben with a die of his own; Rocco can only curse."""
        action = fact(self.ben.declare("declare-action", character=BRUNO, text="the baton"), "action-declared")[
            "action"
        ]
        self.ann.declare("rule-order", order=[BRUNO, ROCCO, CELIA], reason="He moves first.")
        traits = [life("Deputy Sheriff"), talent("Quick")]
        self.ben.refused("not-yours", "rule-check", character=BRUNO, action=action, traits=traits, chances="Excellent")
        ruled = self.ann.declare("rule-check", character=BRUNO, action=action, traits=traits, chances="Fair")
        check = fact(ruled, "check-ruled")
        assert (check["aptitude"], check["chances"], check["chances_number"]) == (9, "Fair", 3)
        for numbers, code in (([13], "malformed"), ([7, 7], "too-many-faces"), ([], "roll-again-needed")):
            self.ben.refused(code, "enter-roll", check=check["check"], numbers=numbers)
        self.cleo.refused("not-yours", "enter-roll", check=check["check"], numbers=[12])
        self.ben.refused("not-referee", "enter-roll", check="999", numbers=[7])
        hit = self.ben.declare("enter-roll", check=check["check"], numbers=[7])
        assert [(one["rule"], one["out"]) for one in hit["because"]][-2:] == [
            ("mnemonic.check.total", 5),
            ("mnemonic.check.outcome", 6),
        ]
        assert fact(hit, "check-resolved")["successes"] == 6
        self.ben.refused("out-of-order", "enter-roll", check=check["check"], numbers=[7])
        hurt = self.injures(ROCCO, cause="attack", cause_check=check["check"], worst="incapacitated", chances="Bad")
        assert fact(hurt, "injury-ruled")["seen_successes"] == 6
        down = self.ann.declare("enter-roll", check=fact(hurt, "check-ruled")["check"], numbers=[6])
        assert fact(down, "status-changed")["to_condition"] == "immobilized"
        for player in self.others:
            assert player.look(f"/rulings/{hurt['number']}")["facts"] == []
            assert kinds(player.look(f"/rulings/{down['number']}")) == ["check-rolled", "status-changed"]
        self.ann.refused("inactive", "declare-action", character=ROCCO, text="gets up")
        self.ann.declare("declare-action", character=ROCCO, text="curses", physical=False)

    def looks_out(self) -> None:
        """A check with the ledger's own dice: nobody types anything."""
        said = self.cleo.declare("declare-action", character=CELIA, text="looks out for the others", physical=False)
        action = fact(said, "action-declared")["action"]
        told = {"character": CELIA, "action": action, "traits": [talent("Tough"), PRIMARY], "chances": "Even"}
        check = fact(self.ann.declare("rule-check", **told), "check-ruled")["check"]
        seen = self.cleo.declare("enter-roll", check=check)
        dice = [one["answer"]["dice"] for one in seen["answers"]]
        assert {(one["source"], one["sides"]) for one in dice} == {("ledger", 12)}
        roll = dice[0]["faces"][0]
        if "check-resolved" not in kinds(seen):  # they can fall like that
            seen = self.ann.declare("rule-fluke", check=check, possible=False, reason="It is plain to see.")
        result = fact(seen, "check-resolved")
        assert (result["roll"], result["total"]) == (roll, 4 + 3 - roll)
        assert result["success"] is (roll <= 7)

    # --- Celia's bad day ---

    def boulders(self) -> None:
        """She fails to dodge; the numbers are asked for, and only she is asked."""
        said = self.cleo.declare("declare-action", character=CELIA, text="jumps aside")
        action = fact(said, "action-declared")["action"]
        told = {"character": CELIA, "action": action, "traits": [talent("Tough"), PRIMARY], "chances": "Bad"}
        dodge = fact(self.ann.declare("rule-check", **told), "check-ruled")["check"]
        waiting = self.ann.does("/rulings", {"declare": {"kind": "enter-roll", "check": dodge}, "dice": "table"}, 202)
        assert waiting["question"]["asked"] == {"seat": "s3", "name": "Cleo"}
        path = f"/waiting/{waiting['id']}/answers"
        for player in self.others:
            assert [one["id"] for one in player.look("/waiting")["waiting"]] == [waiting["id"]]
        for player in (self.ben, self.dora):
            assert player.post(path, {"answer": rolled(1, sides=12)}).status_code == 403
        assert self.cleo.post(path, {"answer": rolled(13, sides=12)}).json()["code"] == "face-out-of-range"
        missed = self.cleo.does(path, {"answer": rolled(11, sides=12)})
        assert fact(missed, "check-resolved")["failures"] == 8
        assert missed["answers"][0]["by"]["name"] == "Cleo"

        ruled = self.injures(CELIA, cause="avoidance", cause_check=dodge, worst="dead", chances="Terrible")
        assert ("importance-ruled" in kinds(ruled)) is self.per_check
        injury, check = fact(ruled, "injury-ruled"), fact(ruled, "check-ruled")
        assert (injury["seen_failures"], injury["primary_role"]) == (8, "Adult Female Human")
        assert (check["aptitude"], check["life_or_death"]) == (self.importance + 4, True)
        self.before_the_roll(ruled["number"], check["check"])
        self.cleo.refused("roll-again-needed", "enter-roll", check=check["check"], numbers=[1])
        assert kinds(self.cleo.declare("enter-roll", check=check["check"], numbers=[1, 1, 5])) == [
            "check-rolled",
            "resistance-rolled",
        ]
        assert self.celia() == (6, "Fine", None), "a fluke waits for the referee"
        self.cleo.refused("fluke-ruling-needed", "resolve", check=check["check"])
        self.cleo.refused("not-yours", "rule-fluke", check=check["check"], possible=True)
        fluke = self.ann.declare("rule-fluke", check=check["check"], possible=True)
        assert fact(fluke, "check-resolved")["total"] == self.importance - 3
        assert fact(fluke, "status-changed")["posting"] == -2
        assert self.celia() == (4, "Hurt", None)

    def before_the_roll(self, number: int, check: str) -> None:
        """The ruling is on record, and no roll; of what was ruled the others hear only that something was."""
        (known,) = [one for one in self.ann.look(f"/scenes/{self.scene}")["state"]["checks"] if one["id"] == check]
        assert (known["stage"], known["roll"], known["aptitude"]) == ("ruled", None, self.importance + 4)
        for player in self.others:
            (seen,) = [one for one in player.look(f"/scenes/{self.scene}")["state"]["checks"] if one["id"] == check]
            assert (seen["stage"], seen["roll"]) == ("ruled", None)
            assert not {"traits", "aptitude", "chances", "total", "odds", "preview", "reason"} & set(seen)
            told = player.look(f"/rulings/{number}")
            assert (told["declared"], told["facts"], told["because"]) == ({"kind": "rule-injury"}, [], [])

    def falls(self) -> None:
        """Twelve, and again, after twelve: five. She is out."""
        ruled = self.injures(CELIA, cause="referee", worst="unconscious", chances="Poor", reason="Over the edge.")
        check = fact(ruled, "check-ruled")["check"]
        waiting = self.cleo.does("/rulings", {"declare": {"kind": "enter-roll", "check": check}, "dice": "table"}, 202)
        path = f"/waiting/{waiting['id']}/answers"
        again = self.cleo.does(path, {"answer": rolled(12, sides=12)}, 202)
        assert again["question"]["purpose"] == "another number, after 12"
        seen = self.cleo.does(path, {"answer": rolled(5, sides=12)})
        assert kinds(seen) == ["check-rolled", "status-changed"]
        assert fact(self.ann.look(f"/rulings/{seen['number']}"), "check-resolved")["failures"] == 10 - self.importance
        self.fall = ruled["number"], seen["number"]
        assert self.celia() == (0, "Inactive (unconscious)", "unconscious")
        self.cleo.refused("inactive", "declare-action", character=CELIA, text="climbs back")

    def recovers(self) -> None:
        """She wakes by the referee's word, and a check brings her to Hurt."""
        self.cleo.refused("not-yours", "declare-recovery", character=CELIA, level=6)
        self.ann.refused("malformed", "declare-recovery", character=CELIA, level=7)
        woke = self.ann.declare("declare-recovery", character=CELIA, level=1, elapsed="an hour", treatment="water")
        assert fact(woke, "status-changed")["posting"] == 1
        anew: dict[str, Any] = {"importance": self.rating} if self.per_check else {}
        ruled = self.ann.declare("rule-recovery-check", character=CELIA, chances="Terrible", **anew)
        check = fact(ruled, "check-ruled")
        assert (check["purpose"], check["aptitude"]) == ("recovery", self.importance + 4)
        self.cleo.declare("enter-roll", check=check["check"], numbers=[1, 1, 3])
        done = self.ann.declare("rule-fluke", check=check["check"], possible=True)
        assert (fact(done, "recovery-checked")["to"], fact(done, "status-changed")["posting"]) == (4, 3)
        assert self.celia() == (4, "Hurt", None)

    def lies_in_bed(self) -> None:
        """Five, by the referee's word; the check after it counts to three or fails, and moves nothing."""
        self.ann.declare("declare-recovery", character=CELIA, level=5, elapsed="a week")
        anew: dict[str, Any] = {"importance": self.rating} if self.per_check else {}
        ruled = self.ann.declare("rule-recovery-check", character=CELIA, chances="Poor", **anew)
        done = self.cleo.declare("enter-roll", check=fact(ruled, "check-ruled")["check"], numbers=[6])
        assert kinds(done) == ["check-rolled"]
        total = self.importance + 4 - 6 - 2
        known = fact(self.ann.look(f"/rulings/{done['number']}"), "recovery-checked")
        assert known["to"] == (total + 1 if total >= 0 else None)
        assert self.celia() == (5, "Scratched", None)

    # --- Featherweight ---

    def assigns(self) -> None:
        """Numbers for one precise task, talked over, repeated, changed with a reason; all on record."""
        task: dict[str, Any] = {"character": BRUNO, "task": "Firing the  Colt"}
        self.ben.refused("not-yours", "assign-aptitude", **task, ref=8)
        sheet = [life("Deputy Sheriff"), talent("Quick")]
        asked = self.ann.does(
            "/rulings", {"declare": {"kind": "assign-aptitude", **task, "ref": 8, "traits": sheet}}, 202
        )
        assert asked["question"]["asked"] == {"seat": "s2", "name": "Ben"}
        path = f"/waiting/{asked['id']}/answers"
        assert self.ann.post(path, {"answer": choice("judge", aptitude=5)}).status_code == 403
        assert self.cleo.post(path, {"answer": choice("judge", aptitude=5)}).status_code == 403
        self.ben.does(path, {"answer": choice("judge", aptitude=5)}, 202)
        self.ann.does(path, {"answer": choice("settle-on", aptitude=7)}, 202)
        first = fact(self.ben.does(path, {"answer": choice("assent")}), "aptitude-assigned")
        assert (first["key"], first["final"], first["gap"], first["sheet_sum"]) == ("firing the colt", 7, 3, 9)
        told = {"character": BRUNO, "assigned": first["assignment"], "chances": "Good"}
        check = fact(self.ann.declare("rule-check", **told), "check-ruled")
        assert (check["aptitude"], check["aptitude_source"]) == (7, "assigned")
        assert fact(self.ben.declare("enter-roll", check=check["check"], numbers=[9]), "check-resolved")["total"] == 3
        self.ann.refused("no-standing-aptitude", "rule-check", **told)
        task["task"] = "firing the colt"
        reported = [choice("report-judgement", aptitude=7, reason="He nods.")]
        told = self.ann.does("/rulings", {"declare": {"kind": "assign-aptitude", **task}, "answers": reported})
        again = fact(told, "aptitude-assigned")
        assert (again["player"], again["reported"]) == (7, "He nods.")
        assert (again["repeated"], again["drift"], again["drifted"]) == (True, 0, False)
        self.ann.refused("reason-needed", "assign-aptitude", **task, ref=9)
        declared = {"kind": "assign-aptitude", **task, "ref": 9, "reason": "A new barrel."}
        asked = self.ann.does("/rulings", {"declare": declared}, 202)
        self.ben.does(f"/waiting/{asked['id']}/answers", {"answer": choice("judge", aptitude=9)})
        for seat in (self.ann, *self.others):
            record = seat.look(f"/characters/{BRUNO}")["state"]["tasks"]["firing the colt"]
            assert [(one["final"], one["drift"], one["drifted"], one["ready"]) for one in record] == [
                (7, None, False, False),
                (7, 0, False, True),
                (9, 2, True, True),
            ]
            (line,) = seat.look()["state"]["drifted"]
            assert (line["character"], line["final"], line["drift"], line["reason"]) == (BRUNO, 9, 2, "A new barrel.")

    def plays(self) -> None:
        for chapter in (
            self.gathers,
            self.strikes,
            self.looks_out,
            self.boulders,
            self.falls,
            self.recovers,
            self.assigns,
        ):
            chapter()

    # --- what is kept in the books ---

    def rulings(self) -> list[Json]:
        return list(self.ann.look("/rulings", limit=500)["rulings"])

    def posted(self) -> Counter[str]:
        """Every account by all postings that stand."""
        balances: Counter[str] = Counter()
        for ruling in self.rulings():
            for one in ruling["facts"]:
                for posting in () if one["struck"] else one["postings"]:
                    assert posting["amount"] > 0
                    assert posting["unit"] == "status"
                    balances[posting["from"]] -= posting["amount"]
                    balances[posting["to"]] += posting["amount"]
        return balances

    def audit(self, expected: Json) -> None:
        """The balances told are those of the postings, nothing came from nowhere."""
        posted = self.posted()
        assert sum(posted.values()) == 0
        of_characters = {account: balance for account, balance in posted.items() if account.startswith("character:")}
        assert {account for account in posted if account not in of_characters} == {
            account for account in posted if account.startswith("world/status:")
        }
        assert {account: balance for account, balance in of_characters.items() if balance} == expected
        for seat in (self.ann, *self.others):
            told = {one["account"]: one["balance"] for one in seat.look("/accounts")["accounts"]}
            assert {account: balance for account, balance in told.items() if balance} == expected
            for id in (BRUNO, CELIA, ROCCO):
                own = {one["account"]: one["balance"] for one in seat.look(f"/characters/{id}")["balances"]}
                of_this = {one: balance for one, balance in told.items() if one.startswith(f"character:{id}/")}
                assert own == {one: balance for one, balance in of_this.items() if balance or one in own}

    # --- everything there is to ask ---

    def asked_by(self, *players: Hearing) -> None:
        """Whatever a seat can read, and whatever it is refused."""
        for player in players:
            self.read_by(player)
            self.listed_for(player)
            self.refused_to(player)

    def read_by(self, player: Hearing) -> None:
        numbers = range(1, len(self.rulings()) + 1)
        for path in (
            "",
            "/rulings?limit=500",
            "/rulings?limit=7",
            "/waiting",
            "/findings",
            "/accounts",
            "/rulings/999",
        ):
            player.get(path)
        for number in numbers:
            player.get(f"/rulings/{number}")
        for number in numbers[:: examples(6, 6, 3)]:
            player.get("/what-if", without=str(number))
        player.get("/what-if", without=",".join(map(str, self.fall)))
        player.get("/what-if", without="999")
        for path in (*(f"/characters/{id}" for id in (BRUNO, CELIA, ROCCO)), f"/scenes/{self.scene}"):
            player.get(path)
            for number in numbers[self.fall[0] - 2 :: 6]:
                for known in ("recorded", "corrected"):
                    player.get(path, at=number, **{"as": known})

    def listed_for(self, player: Hearing) -> None:
        """By every filter there is."""
        filters = {
            "kind": [*map(find_kind, RULESET.inputs), "set-dial", "enrol", "open-scene", "open-session"],
            "rule": sorted({step["rule"] for ruling in self.rulings() for step in ruling["because"]}),
            "character": [BRUNO, CELIA, ROCCO],
            "seat": ["s1", "s2", "s3", "s4"],
            "scene": [self.scene],
            "session": [player.look()["session"] or ""],
            "status": ["standing", "disputed", "upheld", "overturned", "revised"],
        }
        for name, values in filters.items():
            for value in values:
                player.look("/rulings", limit=500, **{name: value})

    def refused_to(self, player: Hearing) -> None:
        """Nothing of this is for this seat, and no refusal says more than that."""
        before = self.position
        for number in range(1, len(self.rulings()) + 1):
            body = {"reason": "let me see", "preview": True}
            assert player.post(f"/rulings/{number}/overturn", body).status_code == 403
        for path in ("uphold", "reinstate"):
            assert player.post(f"/rulings/{self.fall[0]}/{path}", {"reason": "please"}).status_code in (403, 409)
        assert player.post("/findings/1-1/settle", {"how": "let-stand", "reason": "fine"}).status_code in (403, 404)
        injury: Json = {"victim": CELIA, "cause": "referee", "worst": "dead", "chances": "Even", "reason": "x"}
        for rating in ("Very", "Not Very", "Unheard Of"):
            player.refused("not-yours", "rate-importance", character=CELIA, rating=rating)
            player.refused("not-yours", "rule-injury", **injury, importance=rating)
        player.refused("not-yours", "rule-injury", **injury)
        player.refused("not-yours", "rule-recovery-check", character=CELIA, chances="Even")
        player.refused("not-yours", "set-dial", name="dramatic.visible", value=True, reason="show me")
        player.refused("not-yours", "seat-referee", seat=player.id)
        for check in self.ann.look(f"/scenes/{self.scene}")["state"]["checks"]:
            assert player.tries("enter-roll", check=check["id"], numbers=[1, 2]).status_code in (403, 422)
            assert player.tries("resolve", check=check["id"]).status_code in (403, 422)
            assert player.tries("name-recovery", check=check["id"], level=6).status_code in (403, 422)
        assert self.position == before


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """The ledger's dice fall the same way from here on, each time this is called."""

    def again() -> None:
        same = random.Random(12)
        monkeypatch.setattr(
            adjudicating, "answer_by_ledger", lambda save, question, ruling: roller.answer_by_chance(question, same)
        )

    return again


# --- the story ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("approach", [pytest.param("fixed", marks=pytest.mark.nightly), "per_check"])
def test_an_evening_and_a_quarrel(service: Service, approach: str) -> None:
    evening = Evening(service, approach=approach)
    ann, ben, cleo = evening.ann, evening.ben, evening.cleo
    evening.plays()
    played = {
        f"character:{CELIA}/status:lost": 6,
        f"character:{CELIA}/status:regained": 4,
        f"character:{ROCCO}/status:lost": 6,
    }
    evening.audit(played)
    for id in (BRUNO, CELIA, ROCCO):
        level = status(ann.look(f"/characters/{id}"))[0]
        lost, regained = (played.get(f"character:{id}/status:{way}", 0) for way in ("lost", "regained"))
        assert level == 6 - lost + regained

    ruled, rolled_ = evening.fall
    last = len(evening.rulings())
    woke = ann.look("/rulings", kind="declare-recovery")["rulings"][0]["number"]
    clocks = [(at, known) for at in (ruled, rolled_, woke, last) for known in ("recorded", "corrected")]
    before = {clock: evening.celia(at=clock[0], **{"as": clock[1]}) for clock in clocks}
    hurt, out, fading = (4, "Hurt", None), (0, "Inactive (unconscious)", "unconscious"), (1, "Fading", None)
    for known in ("recorded", "corrected"):
        assert [before[at, known] for at in (ruled, rolled_, woke, last)] == [hurt, out, fading, hurt]

    disputed = cleo.does(f"/rulings/{rolled_}/dispute", {"reason": "Bruno held the rope."}, 200)
    assert disputed["status"] == "disputed"
    position = evening.position
    told = ann.does(f"/rulings/{rolled_}/overturn", {"reason": "The rope.", "also": [ruled], "preview": True}, 200)
    assert evening.position == position
    assert told["without"] == [ruled, rolled_]
    assert cleo.post(f"/rulings/{rolled_}/overturn", {"reason": "The rope.", "preview": True}).status_code == 403
    done = ann.does(f"/rulings/{rolled_}/overturn", {"reason": "The rope.", "also": [ruled]}, 200)
    assert done["changed"] == told
    assert evening.celia() == hurt, "the boulders, and no fall; recoveries beyond that do nothing"

    for at, as_it_was, as_it_is in ((rolled_, out, hurt), (woke, fading, hurt), (last, hurt, hurt)):
        assert evening.celia(at=at, **{"as": "recorded"}) == as_it_was
        assert evening.celia(at=at, **{"as": "corrected"}) == as_it_is
    evening.audit({f"character:{CELIA}/status:lost": 2, f"character:{ROCCO}/status:lost": 6})
    (entry, *_, last_entry) = ann.look(f"/accounts/character:{CELIA}/status:regained")["entries"]
    assert (entry["amount"], last_entry["balance"]) == (1, 0), "what was posted for waking up is taken back"
    assert ann.look("/audit")["differences"] == []

    findings = ann.look("/findings")["findings"]
    assert findings == told["findings"]
    assert ("loses support", woke) in {(one["kind"], one["ruling"]) for one in findings}
    assert all(one["cause"] == rolled_ for one in findings)
    for left, finding in zip(range(len(findings) - 1, -1, -1), findings, strict=True):
        path = f"/findings/{finding['id']}/settle"
        assert ben.post(path, {"how": "let-stand", "reason": "fine"}).status_code in (403, 404)
        settled = ann.does(path, {"how": "let-stand", "reason": "It does nothing."}, 200)
        made = {"settled": "let-stand", "reason": "It does nothing.", "by": {"seat": "s1", "name": "Ann"}}
        assert settled == {**finding, **made, "at": settled["at"]}
        assert len(ann.look("/findings")["findings"]) == left

    for number in (ruled, rolled_):
        assert ann.does(f"/rulings/{number}/reinstate", {"reason": "The rope was cut."}, 200)["status"] == "standing"
    assert {clock: evening.celia(at=clock[0], **{"as": clock[1]}) for clock in clocks} == before
    assert evening.celia() == hurt
    evening.audit(played)
    assert ann.look("/findings")["findings"] == []
    decisions = ben.look(f"/rulings/{rolled_}")["decisions"]
    assert [one["decision"] for one in decisions] == ["disputed", "overturned", "reinstated"]


# --- the secret ---------------------------------------------------------------------------------------------------


def compare(one: Evening, other: Evening) -> None:
    """Word by word what each seat but the referee's heard; what the referee heard is not the same."""
    for mine, theirs in zip(one.others, other.others, strict=True):
        assert len(mine.heard) == len(theirs.heard)
        for (did, told), (did_too, told_too) in zip(mine.heard, theirs.heard, strict=True):
            assert did == did_too
            assert told == told_too, f"{mine.id} learns something by {did}"
    assert one.ann.heard != other.ann.heard


@pytest.mark.parametrize(
    "case", sampled([("fixed", "Extremely", "Not Very"), ("per_check", "Very", "Not at All")], 0), ids="-".join
)
def test_nobody_hears_how_important_celia_is(
    service: Service, dice: Callable[[], None], case: tuple[str, str, str]
) -> None:
    approach, mine, theirs = case
    evenings = []
    for rating in (mine, theirs):
        dice()
        evening = Evening(service, rating, approach)
        evening.plays()
        evening.lies_in_bed()
        evening.asked_by(*evening.others)
        evening.cleo.does(f"/rulings/{evening.fall[0]}/dispute", {"reason": "What fall?"}, 200)
        evening.ann.does(f"/rulings/{evening.fall[0]}/overturn", {"reason": "None."}, 200)
        for player in evening.others:
            evening.read_by(player)
        evenings.append(evening)
    compare(*evenings)
    for path in (f"/characters/{CELIA}", f"/scenes/{evenings[0].scene}", "/rulings?limit=500"):
        assert evenings[0].ann.look(path) != evenings[1].ann.look(path), "the referee's differ"


@pytest.mark.nightly  # by default, for every secret, in test_twins_pasts
def test_nor_by_turning_the_ladder_back(service: Service, dice: Callable[[], None]) -> None:
    """On the tied ladder Very is 4, not 5, and Not Very is 1 on both: what changes without it tells the rating."""
    evenings = []
    for rating in ("Very", "Not Very"):
        dice()
        evening = Evening(service, rating)
        evening.gathers()
        turned = evening.ann.does("/dials", {"traits.ladder": "tied", "reason": "as printed"})["number"]
        ruled = evening.injures(CELIA, cause="referee", worst="unconscious", chances="Bad", reason="Over the edge.")
        rolled_ = evening.cleo.declare("enter-roll", check=fact(ruled, "check-ruled")["check"], numbers=[12, 5])
        evening.fall = ruled["number"], rolled_["number"]
        evening.asked_by(*evening.others)
        evening.ann.does(f"/rulings/{turned}/overturn", {"reason": "as it was"}, 200)
        for player in evening.others:
            evening.read_by(player)
        evenings.append(evening)
    compare(*evenings)
    found = [[one["ruling"] for one in evening.ann.look("/findings")["findings"]] for evening in evenings]
    assert found == [[evenings[0].fall[0]], []]
