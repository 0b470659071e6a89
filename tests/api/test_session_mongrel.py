"""An evening of Mongrel over HTTP on Postgres: Vooruk's claws, what Ahvia gave not to die of them, and what it cost.

Ann is the game master and plays Giazza; Cleo plays Ahvia, Ben plays Vooruk, both of House Mekag; Dora watches.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ledger.rules.mongrel.terms import HOUSES
from tests.api.table import Json, Player, Service, Table, rolled

AHVIA, VOORUK, GIAZZA = "1", "2", "4"
EVERYBODY = (AHVIA, VOORUK, GIAZZA)
UNITS = ("ap", "resolve", "beauty", "credit", "cp")

AHVIA_SHEET: Json = {
    "house": "mekag",
    "man": 2,
    "beast": 0,
    "demon": 4,
    "primary": "demon",
    "body": "human",
    "unnatural": ["outlines fade into shadow"],
    "sex": "female",
    "age": "young",
    "attributes": {"size": 2, "spirit": 6, "physique": 3, "beauty": 5, "speed": 6, "social": 2},
    "plus_three": ["know", "lie"],
    "plus_two": ["diabolic_power", "athletics"],
    "plus_one": ["burn", "negotiate"],
    "power": {"wings": 2, "inhuman_face": 1},
}
VOORUK_SHEET: Json = {
    "house": "mekag",
    "man": 1,
    "beast": 4,
    "demon": 1,
    "primary": "beast",
    "body": "quadruped",
    "sex": "male",
    "age": "old",
    "attributes": {"size": 5, "spirit": 3, "physique": 7, "beauty": 1, "speed": 3, "social": 5},
    "plus_three": ["athletics", "rend"],
    "plus_two": ["threaten", "balance"],
    "plus_one": ["resist", "sense"],
    "power": {"animal_legs": 1},
    "vows": [{"object": "nuin", "about": "house"}],
}
#: As printed: by the steps, bureaucrat would be 4.
GIAZZA_SHEET: Json = {
    "house": "nuin",
    "man": 5,
    "beast": 1,
    "demon": 0,
    "primary": "man",
    "body": "human",
    "sex": "male",
    "age": "adult",
    "npc": True,
    "attributes": {"size": 4, "spirit": 4, "physique": 6, "beauty": 2, "speed": 4, "social": 4},
    "plus_three": ["melee", "bureaucrat"],
    "plus_two": ["sense", "athletics"],
    "plus_one": ["lie", "balance"],
    "power": {"implanted_weapon": 1},
    "expertise": {
        "melee": 4,
        "bureaucrat": 3,
        "athletics": 3,
        "sense": 2,
        "balance": 2,
        "burn": 1,
        "chill": 1,
        "lie": 1,
        "missile": 1,
        "convince": 1,
        "negotiate": 1,
        "information": 1,
        "repair": 1,
        "rend": 1,
        "threaten": 1,
        "borg_power": 1,
    },
}
DEFEND: Json = {"choice": {"kind": "defend"}}
ACCEPT: Json = {"choice": {"kind": "accept"}}


def shunt(points: int) -> Json:
    return {"choice": {"kind": "shunt", "points": points}}


def kinds(ruling: Json) -> list[str]:
    return [one["kind"].removeprefix("mongrel.") for one in ruling["facts"]]


def fact(ruling: Json, kind: str) -> Json:
    """The only fact of that kind."""
    (found,) = [one["fact"] for one in ruling["facts"] if one["kind"] == f"mongrel.{kind}"]
    return dict(found)


def credit(own: int, house: str = "mekag", **others: int) -> dict[str, int]:
    """All seven accounts."""
    return {**dict.fromkeys(HOUSES, 1), house: own, **others}


class Evening(Table):
    """The campaign and its chapters, in the order in which they are played."""

    def __init__(self, service: Service) -> None:
        self.service = service
        opened = service.open(name="Beruun", system="mongrel", dials={"weapon_bonus_cap": 2})
        assert opened.status_code == 201, opened.text
        self.id = opened.json()["id"]
        self.gm = self.ann = Player(self, "s1", opened.json()["seat"]["token"])
        self.ben = self.seat("Ben", "player")
        self.cleo = self.seat("Cleo", "player")
        self.dora = self.seat("Dora", "observer")
        self.scene = ""
        self.clawed = self.answered = 0

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
        """The question is that player's: everybody sees it, and nobody else but the game master may answer it."""
        assert waiting["question"]["asked"]["seat"] in (player.id, "gm" if player is self.ann else player.id)
        assert purpose in waiting["question"]["purpose"]
        path = f"/waiting/{waiting['id']}/answers"
        before = self.position
        for seat in self.everyone:
            assert [one["id"] for one in seat.look("/waiting")["waiting"]] == [waiting["id"]]
            if seat not in (player, self.ann):
                for answer in (DEFEND, rolled(6, 6, 6, 6), shunt(0)):
                    assert seat.post(path, {"answer": answer}).status_code == 403
        assert self.position == before
        return path

    def confirms(self, waiting: Json, status: int = 201, **numbers: int) -> Json:
        """Ann says the numbers that a player proposed."""
        assert waiting["question"]["purpose"].startswith(("Is this right: ", "Can "))
        path = self.waits_for(waiting, self.ann, "?")
        assert [one["kind"] for one in waiting["question"]["choices"]] == ["judge", "disallow"]
        return self.ann.does(path, {"answer": {"choice": {"kind": "judge", **numbers}}}, status)

    def state(self, id: str, **clock: Any) -> Json:
        """The same for everybody: nothing is secret in this game."""
        seen = [one.look(f"/characters/{id}", **clock) for one in self.everyone]
        assert all(one == seen[0] for one in seen)
        return dict(seen[0])

    def standing(self, **clock: Any) -> Json:
        """What the claws can have touched of Ahvia: her purse, and how she is."""
        seen = self.state(AHVIA, **clock)
        purse = {one["unit"]: one["balance"] for one in seen["balances"] if one["unit"] in ("ap", "resolve", "beauty")}
        return {**purse, **{name: seen["state"][name] for name in ("damage", "terminal", "dying", "collapsed")}}

    @staticmethod
    def told(
        ap: int, resolve: int, beauty: int, *, damage: int = 0, terminal: bool = False, dying: bool = False
    ) -> Json:
        """As `standing` tells it; who is dying has collapsed."""
        state = {"damage": damage, "terminal": terminal, "dying": dying, "collapsed": dying}
        return {"ap": ap, "resolve": resolve, "beauty": beauty, **state}

    # --- before play ---

    def gathers(self) -> None:
        def enrol(player: Player, name: str, sheet: Json, status: int = 201) -> Json:
            return player.does("/characters", {"name": name, "seat": player.id, "sheet": sheet}, status)

        assert enrol(self.cleo, "Ahvia", AHVIA_SHEET)["character"] == AHVIA
        assert enrol(self.ben, "Vooruk", VOORUK_SHEET)["character"] == VOORUK
        before = self.position
        badly = {**VOORUK_SHEET, "attributes": {**VOORUK_SHEET["attributes"], "size": 3, "beauty": 3, "speed": 6}}
        refused = enrol(self.ben, "Vooruk's whelp", badly, 422)
        assert refused["code"] == "size-spirit-sum"
        assert refused["context"]["faults"] == [
            "size-spirit-sum",
            "size-spirit-beast",
            "physique-beauty-sum",
            "speed-social-sum",
            "speed-social-old",
        ]
        refused = enrol(self.ann, "Giazza", GIAZZA_SHEET, 422)
        assert refused["code"] == "expertise-not-from-steps"
        assert refused["context"]["differ"] == ["bureaucrat"]
        assert self.ben.post("/dials", {"sheet_validation": "warn", "reason": "please"}).status_code == 403
        assert self.position == before
        self.ann.does("/dials", {"sheet_validation": "warn", "reason": "Giazza comes as printed."})
        imported = enrol(self.ann, "Giazza", GIAZZA_SHEET)
        assert imported["character"] == GIAZZA
        assert fact(imported, "character-created")["deviations"] == ["expertise-not-from-steps"]
        self.ann.does("/dials", {"sheet_validation": "strict", "reason": "Nobody else does."})
        assert self.state(GIAZZA)["state"]["deviations"] == ["expertise-not-from-steps"]
        assert self.state(GIAZZA)["state"]["expertise"]["bureaucrat"] == 3
        self.audit(
            {
                AHVIA: {"ap": 6, "resolve": 6, "beauty": 5, "credit": credit(2)},
                VOORUK: {"ap": 3, "resolve": 3, "beauty": 1, "credit": credit(5)},
                GIAZZA: {"ap": 4, "resolve": 4, "beauty": 2, "credit": credit(4, "nuin")},
            }
        )
        assert self.ann.does("/sessions", {"title": "The moons"})["session"]
        self.scene = self.ann.does("/scenes", {"title": "A cellar", "cast": list(EVERYBODY)})["scene"]

    # --- a task, and the claws ---

    def lies(self) -> None:
        """The ledger rolls for Cleo; what comes of it is what the faces say."""
        told: Json = {"actor": AHVIA, "expertise": "lie", "side": "target", "attribute": "social", "target": GIAZZA}
        self.refused(self.ben, "not-yours", "roll-task", 403, **told)
        self.refused(self.cleo, "malformed", "roll-task", **told, difficulty=5)
        hard: Json = {"difficulty": 2, "reason": "He has been lied to before."}
        waiting = self.cleo.declare("roll-task", status=202, **told, **hard)
        seen = self.confirms(waiting, difficulty=1)
        (dice,) = [one["answer"]["dice"] for one in seen["answers"] if "dice" in one["answer"]]
        assert (dice["source"], dice["sides"], len(dice["faces"])) == ("ledger", 6, 4)
        successes = sum(1 for face in dice["faces"] if face >= 5)
        result = fact(seen, "task-resolved")
        assert (result["tn"], result["successes"], result["special"]) == (5, successes, None)
        assert result["effect"] == (successes + 4 if successes else 0)
        assert seen["facts"][-1]["fact"]["features"] == ["social"]

    def fights(self) -> None:
        self.refused(self.ben, "not-yours", "open-conflict", 403, participants=list(EVERYBODY))
        opened = self.ann.declare("open-conflict", participants=list(EVERYBODY))
        assert fact(opened, "conflict-opened")["queue"] == [VOORUK, GIAZZA, AHVIA]
        self.refused(self.cleo, "not-your-turn", "act", actor=AHVIA, expertise="athletics", attribute="speed")
        told: Json = {"actor": AHVIA, "expertise": "lie", "side": "target", "attribute": "social", "target": GIAZZA}
        self.refused(self.cleo, "not-your-turn", "roll-task", **told)
        self.refused(self.cleo, "not-your-turn", "purchase", buyer=AHVIA, item="mercy", house="mekag", social=2)
        quiet: Json = {"character": AHVIA, "activity": "meditating", "minutes": 60}
        self.refused(self.cleo, "in-conflict", "refresh-resolve", **quiet)
        self.claws()
        self.answers()

    def claws(self) -> None:
        """One attack, told by three seats: Ben declares and rolls, Cleo defends and turns her face to it."""
        told: Json = {"actor": VOORUK, "target": AHVIA, "expertise": "rend", "attribute": "physique"}
        self.refused(self.ben, "weapon-cap", "attack", **told, weapon=3)
        self.refused(self.ben, "not-yours", "attack", **told, weapon=2, defend=False)
        self.refused(self.ben, "bad-target", "attack", **{**told, "target": VOORUK})
        body = {"declare": {"kind": "attack", **told, "weapon": 2}, "dice": "table"}
        assert self.cleo.post("/rulings", body).status_code == 403
        waiting = self.confirms(self.ben.does("/rulings", body, 202), 202)

        path = self.waits_for(waiting, self.cleo, "defend")
        assert [one["kind"] for one in waiting["question"]["choices"]] == ["defend", "stand"]
        waiting = self.cleo.does(path, {"answer": DEFEND}, 202)
        self.waits_for(waiting, self.ben, "Rend")
        for faces, code in (((3, 4, 6), "dice-count"), ((3, 4, 6, 7), "dice-face")):
            assert self.ben.post(path, {"answer": rolled(*faces)}).json()["code"] == code
        waiting = self.ben.does(path, {"answer": rolled(3, 4, 6, 5)}, 202)
        self.waits_for(waiting, self.cleo, "the damage (10) goes to Beauty?")
        assert self.cleo.post(path, {"answer": shunt(6)}).json()["code"] == "shunt-too-large"
        assert self.state(AHVIA)["state"]["damage"] == 0, "nothing is recorded before it is all said"
        done = self.cleo.does(path, {"answer": shunt(1)})

        self.clawed = done["number"]
        assert [one["by"]["name"] for one in done["answers"]] == ["Ann", "Cleo", "Ben", "Cleo"]
        assert kinds(done) == [
            "action-declared",
            "defence-chosen",
            "action-points-spent",
            "action-points-spent",
            "session-played",
            "dice-rolled",
            "task-resolved",
            "damage-rolled",
            "damage-shunted",
            "damage-counted",
            "action-points-lost",
            "action-points-lost",
            "character-collapsed",
            "terminal-damage-taken",
            "features-used",
            "features-used",
            "turn-ended",
        ]
        counted = fact(done, "damage-counted")
        assert (counted["before"], counted["after"], counted["zone"]) == (0, 9, "terminal")
        assert (fact(done, "task-resolved")["effect"], fact(done, "terminal-damage-taken")["cause"]) == (8, "column")

    def answers(self) -> None:
        """Until she has, nobody in the conflict does anything."""
        assert self.state(AHVIA)["state"]["dying"] is True
        self.refused(self.ann, "decision-pending", "pass", character=GIAZZA)
        self.refused(self.cleo, "decision-pending", "spend-resolve", character=AHVIA, amount=1)
        self.refused(self.ann, "decision-pending", "close-conflict")
        self.refused(self.ben, "not-yours", "answer-terminal", 403, character=AHVIA, spend=False)
        self.refused(self.ben, "no-decision-pending", "answer-terminal", character=VOORUK, spend=True)
        done = self.cleo.declare("answer-terminal", character=AHVIA, spend=True, recover=True)
        self.answered = done["number"]
        assert kinds(done) == [
            "session-played",
            "infernal-resolve-spent",
            "action-points-recovered",
            "character-stood-up",
        ]
        self.refused(self.cleo, "no-decision-pending", "answer-terminal", character=AHVIA, spend=True)
        seen = self.state(AHVIA)["state"]
        assert [seen[flag] for flag in ("dying", "dead", "terminal", "collapsed")] == [False, False, True, False]

    def catches_breath(self) -> None:
        """To the front for a point, one more for Resolve, and all of them back; nobody fights on."""
        self.ann.declare("pass", character=GIAZZA)
        self.ben.declare("take-front", character=VOORUK)
        self.refused(self.ben, "already-next", "take-front", character=VOORUK)
        self.refused(self.ben, "no-resolve", "spend-resolve", character=VOORUK, amount=4)
        spent = self.ben.declare("spend-resolve", character=VOORUK, amount=1)
        assert kinds(spent) == ["session-played", "infernal-resolve-spent", "action-points-gained"]
        self.audit(self.books(vooruk={"ap": 2, "resolve": 2, "credit": credit(5)}))
        later = self.confirms(self.ben.declare("recover", status=202, character=VOORUK, minute=5))
        recovered = fact(later, "action-points-recovered")
        assert (recovered["amount"], recovered["refresh"]) == (1, True)
        self.refused(self.cleo, "ap-full", "recover", 422, character=AHVIA, minute=5)
        self.ann.declare("close-conflict")

    # --- what it is paid with ---

    def buys(self) -> None:
        """Ahvia gives up Credit for a ledger; Vooruk just gets his; Mekag's good word becomes Nuin's."""
        told: Json = {"buyer": AHVIA, "item": "a black ledger", "house": "mekag", "seller": GIAZZA}
        self.refused(self.cleo, "not-available", "purchase", **told, available=False)
        faces = self.state(AHVIA)["state"]["expertise"]["negotiate"] * [1]
        waiting = self.confirms(self.cleo.declare("purchase", status=202, **told, faces=faces), 202)
        path = self.waits_for(waiting, self.cleo, "for a black ledger")
        dear = {"answer": {"choice": {"kind": "sacrifice", "amount": 3}}}
        assert self.cleo.post(path, dear).json()["code"] == "credit-short"
        waiting = self.cleo.does(path, {"answer": {"choice": {"kind": "sacrifice", "amount": 1}}}, 202)
        path = self.waits_for(waiting, self.ann, "Is a black ledger sold to Ahvia for 1 Credit with House Mekag?")
        bought = self.ann.does(path, {"answer": ACCEPT})
        assert fact(bought, "purchase-rolled")["outcome"] == "sacrifice-offered"
        assert fact(bought, "credit-sacrificed") == {
            "buyer": AHVIA,
            "house": "mekag",
            "amount": 1,
            "seller": GIAZZA,
        }
        told = {"buyer": VOORUK, "item": "a chain", "house": "mekag", "seller": GIAZZA}
        bought = self.confirms(self.ben.declare("purchase", status=202, **told, faces=[4, 5]))
        rolled_ = fact(bought, "purchase-rolled")
        assert (rolled_["outcome"], rolled_["good"], rolled_["effect"]) == ("acquired", 2, 1)
        bad: tuple[tuple[str, Json], ...] = (
            ("same-account", {"source": "mekag", "target": "mekag", "credited": 1}),
            ("credit-short", {"source": "mekag", "target": "nuin", "credited": 3}),
            ("malformed", {"source": "mekag", "target": "nuin", "credited": 0}),
            ("malformed", {"source": "mekag", "target": "medici", "credited": 1}),
        )
        for code, moved in bad:
            self.refused(self.ben, code, "transfer-credit", character=VOORUK, **moved)
        done = self.ben.declare("transfer-credit", character=VOORUK, source="mekag", target="nuin", credited=2)
        assert [(one["from"], one["to"], one["amount"]) for one in done["facts"][0]["postings"]] == [
            (f"character:{VOORUK}/credit:mekag", "house/credit:mekag", 4),
            ("house/credit:nuin", f"character:{VOORUK}/credit:nuin", 2),
        ]

    def rests(self) -> None:
        """Resolve comes back, to one by his Vow, to the other in an hour; and the wound is healed by ruling."""
        self.refused(
            self.cleo, "less-than-an-hour", "refresh-resolve", character=AHVIA, activity="meditating", minutes=5
        )
        self.refused(self.ann, "no-vow", "refresh-resolve-by-vow", character=AHVIA, circumstances="Nuin laughs.")
        self.ann.declare("refresh-resolve-by-vow", character=VOORUK, circumstances="Nuin laughs.")
        hour: Json = {"character": AHVIA, "activity": "meditating", "minutes": 60}
        self.confirms(self.cleo.declare("refresh-resolve", status=202, **hour))
        self.refused(self.ann, "heal-too-much", "heal", character=AHVIA, damage=10)
        self.ann.declare("heal", character=AHVIA, damage=9, end_terminal=True, reason="A month in bed.")

    def learns(self) -> None:
        """Two points for the evening, one for the Vow; and one of them buys what was used."""
        self.refused(self.ben, "feature-not-used", "raise-feature", character=VOORUK, feature="man", reduce="demon")
        session = self.ann.look()["session"]
        self.ann.does(f"/scenes/{self.scene}/close", {})
        self.ann.does(f"/sessions/{session}/close", {})
        self.refused(self.ann, "malformed", "award-session", points=3)
        awarded = self.ann.declare("award-session", points=2)
        who = [one["fact"]["character"] for one in awarded["facts"] if one["kind"].endswith("points-awarded")]
        assert who == [AHVIA, VOORUK], "whoever acted; nobody plays Giazza"
        self.refused(self.ann, "already-awarded", "award-session", points=2)
        self.refused(self.ann, "award-differs", "award-session", points=1)
        self.refused(self.ann, "no-vow", "award-vow", character=AHVIA)
        ended: Json = {"character": VOORUK, "vow": "nuin", "outcome": "fulfilled"}
        self.refused(self.ben, "not-yours", "end-vow", 403, **ended, reason="Enough.")
        self.ann.declare("end-vow", **ended, reason="Nuin is in his debt no more.")
        self.ann.declare("award-vow", character=VOORUK, reason="He went into the cellar first.")
        self.refused(self.ann, "no-vow", "refresh-resolve-by-vow", character=VOORUK, circumstances="Nuin laughs.")
        self.refused(self.ben, "feature-not-used", "raise-feature", character=VOORUK, feature="seduce")
        self.refused(self.ben, "points-short", "raise-feature", character=VOORUK, feature="rend")
        raised = self.ben.declare("raise-feature", character=VOORUK, feature="man", reduce="demon")
        assert kinds(raised) == ["character-points-spent", "identity-raised", "identity-reduced"]
        assert self.state(VOORUK)["state"]["identity"] == {"man": 2, "beast": 4, "demon": 0}

    def plays(self) -> None:
        for chapter in (
            self.gathers,
            self.lies,
            self.fights,
            self.catches_breath,
            self.buys,
            self.rests,
            self.learns,
        ):
            chapter()

    # --- the books ---

    def books(self, ahvia: Json | None = None, vooruk: Json | None = None) -> Json:
        """After the attack and its answer, but for what is said."""
        return {
            AHVIA: {"ap": 6, "resolve": 5, "beauty": 4, "credit": credit(2), **(ahvia or {})},
            VOORUK: {"ap": 2, "resolve": 3, "beauty": 1, "credit": credit(5), **(vooruk or {})},
            GIAZZA: {"ap": 4, "resolve": 4, "beauty": 2, "credit": credit(4, "nuin")},
        }

    def audit(self, expected: Json) -> Counter[str]:
        """The balances told are those of the postings that stand; nothing came from nowhere. By account."""
        posted: Counter[str] = Counter()
        for ruling in self.ann.look("/rulings", limit=500)["rulings"]:
            for one in ruling["facts"]:
                for posting in () if one["struck"] else one["postings"]:
                    assert posting["amount"] > 0
                    for account in (posting["from"], posting["to"]):
                        assert account.partition("/")[2].partition(":")[0] == posting["unit"]
                    posted[posting["from"]] -= posting["amount"]
                    posted[posting["to"]] += posting["amount"]
        for unit in UNITS:
            of_unit = {one: n for one, n in posted.items() if one.partition("/")[2].partition(":")[0] == unit}
            held = sum(n for one, n in of_unit.items() if one.startswith("character:"))
            issued = -sum(n for one, n in of_unit.items() if one.startswith(("bank/", "house/", "world/")))
            assert held == issued, unit
        wanted: dict[str, int] = {}
        for id, purse in expected.items():
            wanted |= {f"character:{id}/{unit}": n for unit, n in purse.items() if unit != "credit"}
            wanted |= {f"character:{id}/credit:{house}": n for house, n in purse["credit"].items()}
        assert {one: n for one, n in posted.items() if n and one.startswith("character:")} == wanted
        for seat in self.everyone:
            told = {one["account"]: one["balance"] for one in seat.look("/accounts")["accounts"]}
            assert {one: n for one, n in told.items() if n} == wanted
            for id in EVERYBODY:
                own = {one["account"]: one["balance"] for one in seat.look(f"/characters/{id}")["balances"]}
                assert own == {one: n for one, n in told.items() if one.startswith(f"character:{id}/")}
        return posted


def test_an_evening_and_a_quarrel(service: Service) -> None:
    evening = Evening(service)
    evening.plays()
    played = {
        AHVIA: {"ap": 6, "resolve": 6, "beauty": 4, "cp": 2, "credit": credit(1)},
        VOORUK: {"ap": 3, "resolve": 3, "beauty": 1, "cp": 1, "credit": credit(1, nuin=3)},
        GIAZZA: {"ap": 4, "resolve": 4, "beauty": 2, "credit": credit(4, "nuin", mekag=2)},
    }
    posted = evening.audit(played)
    assert (posted["bank/beauty"], posted["bank/beauty:scars"], posted["bank/beauty:bruises"]) == (-8, 1, 0)
    assert {house: -posted[f"house/credit:{house}"] for house in HOUSES} == {
        **dict.fromkeys(HOUSES, 3),
        "mekag": 2 + 5 + 1 - 4,
        "nuin": 1 + 1 + 4 + 2,
    }
    assert -posted["bank/cp"] == 2 + 2 + 1 - 2
    ann, ben, cleo = evening.ann, evening.ben, evening.cleo
    clawed, answered = evening.clawed, evening.answered
    last = len(ann.look("/rulings", limit=500)["rulings"])
    clocks = [(at, known) for at in (clawed - 1, clawed, answered, last) for known in ("recorded", "corrected")]

    def story() -> list[Json]:
        return [evening.standing(at=at, **{"as": known}) for at, known in clocks]

    unhurt, dying = evening.told(6, 6, 5), evening.told(0, 6, 4, damage=9, terminal=True, dying=True)
    alive, healed = evening.told(6, 5, 4, damage=9, terminal=True), evening.told(6, 6, 4)
    before = story()
    assert before == [one for one in (unhurt, dying, alive, healed) for _ in ("recorded", "corrected")]
    whole = [evening.state(id) for id in EVERYBODY], ann.look("/accounts")

    # Ahvia was not in reach: Cleo disputes it, Ann looks what that would change, and does it.
    disputed = cleo.does(f"/rulings/{clawed}/dispute", {"reason": "I had taken wing."}, 200)
    assert disputed["status"] == "disputed"
    assert answered in evening.dora.look(f"/rulings/{clawed}?leaning=true")["leaning"]
    position = evening.position
    body = {"reason": "Out of reach."}
    for player in (ben, cleo, evening.dora):
        for preview in (True, False):
            refused = player.post(f"/rulings/{clawed}/overturn", {**body, "preview": preview})
            assert refused.status_code == 403
    told = ann.does(f"/rulings/{clawed}/overturn", {**body, "preview": True}, 200)
    assert told == evening.dora.look("/what-if", without=str(clawed)), "what anybody can see"
    assert evening.position == position
    lost = {row["number"]: row["then"]["refusal"]["code"] for row in told["rulings"] if row["then"]}
    kind_of = {one["number"]: one["declared"]["kind"] for one in ann.look("/rulings", limit=500)["rulings"]}
    assert [(kind_of[number], code) for number, code in lost.items()] == [
        ("answer-terminal", "no-decision-pending"),
        ("pass", "not-your-turn"),
        ("take-front", "already-next"),
        ("recover", "ap-full"),
        ("heal", "heal-too-much"),
    ]
    done = ann.does(f"/rulings/{clawed}/overturn", body, 200)
    assert (done["status"], done["changed"]) == ("overturned", told)
    assert all(one["struck"] for one in done["facts"])

    gifted, thin = evening.told(12, 5, 5), evening.told(12, 6, 5)
    assert story() == [unhurt, unhurt, dying, unhurt, alive, gifted, healed, thin]
    assert evening.standing() == thin
    struck = {**played, AHVIA: {**played[AHVIA], "ap": 12, "beauty": 5}, VOORUK: {**played[VOORUK], "ap": 4}}
    evening.audit(struck)

    findings = evening.dora.look("/findings")["findings"]
    assert findings == told["findings"]
    assert {one["cause"] for one in findings} == {clawed}
    assert [one["ruling"] for one in findings if one["kind"] == "loses support"] == list(lost)
    assert [(one["subject"], one["ruling"]) for one in findings if one["kind"] == "adrift"] == [
        (f"character:{AHVIA}", number) for number in (answered, answered, list(lost)[-1])
    ], "no point of avoiding death, no rising, no wound to heal"
    for count, finding in enumerate(findings, 1):
        path, how = f"/findings/{finding['id']}/settle", {"how": "let-stand", "reason": "We live with it."}
        assert cleo.post(path, how).status_code == 403
        settled = ann.does(path, how, 200)
        made = {"settled": how["how"], "reason": how["reason"], "by": {"seat": "s1", "name": "Ann"}}
        assert settled == {**finding, **made, "at": settled["at"]}
        assert ann.look("/findings")["findings"] == findings[count:]
    assert evening.standing() == thin, "settling moves nothing"

    # The wings were bound: it happened after all, and everything is as it was.
    back = ann.does(f"/rulings/{clawed}/reinstate", {"reason": "Her wings were bound."}, 200)
    assert (back["status"], back["changed"]["restored"]) == ("standing", [clawed])
    assert not any(one["struck"] for one in back["facts"])
    assert story() == before
    for id, was in zip(EVERYBODY, whole[0], strict=True):
        assert {**evening.state(id), "version": was["version"]} == was
    assert ann.look("/accounts") == whole[1]
    assert ann.look("/findings")["findings"] == []
    evening.audit(played)
    decisions = ben.look(f"/rulings/{clawed}")["decisions"]
    assert [(one["decision"], one["by"]["name"]) for one in decisions] == [
        ("disputed", "Cleo"),
        ("overturned", "Ann"),
        ("reinstated", "Ann"),
    ]


def test_nobody_slips_away_from_dice_already_seen(service: Service) -> None:
    """What waits reserves nothing, until a defence is chosen or dice are seen: then an attack is carried out first."""
    evening = Evening(service)
    evening.gathers()
    ann, ben, cleo = evening.ann, evening.ben, evening.cleo
    ann.declare("open-conflict", participants=list(EVERYBODY))
    told: Json = {"kind": "attack", "actor": VOORUK, "target": AHVIA, "expertise": "rend", "attribute": "physique"}
    waiting = ben.does("/rulings", {"declare": told, "dice": "table"}, 202)
    path = f"/waiting/{waiting['id']}/answers"
    cleo.declare("take-front", character=AHVIA)
    forestalled = cleo.post(path, {"answer": DEFEND})
    assert (forestalled.status_code, forestalled.json()["context"]["status"]) == (409, "lapsed")
    assert "not Vooruk's turn" in ben.look(f"/waiting/{waiting['id']}")["reason"]
    cleo.declare("pass", character=AHVIA)
    path = f"/waiting/{ben.does('/rulings', {'declare': told, 'dice': 'table'}, 202)['id']}/answers"
    cleo.does(path, {"answer": DEFEND}, 202)
    ben.does(path, {"answer": rolled(6, 6, 6, 6)}, 202)
    evening.refused(cleo, "decision-pending", "take-front", character=AHVIA)
    evening.refused(cleo, "decision-pending", "spend-resolve", character=AHVIA, amount=1)
    evening.refused(ann, "decision-pending", "take-front", character=GIAZZA)
    evening.refused(ann, "decision-pending", "close-conflict")
    evening.refused(ben, "decision-pending", "pass", character=VOORUK)
    again = ben.post("/rulings", {"declare": {**told, "faces": [6, 6, 6, 6]}})
    assert (again.status_code, again.json()["code"]) == (422, "decision-pending")
    done = cleo.does(path, {"answer": shunt(2)})
    assert fact(done, "damage-counted")["after"] == 6
    assert fact(done, "dice-rolled")["faces"] == [6, 6, 6, 6]
    evening.audit(
        {
            AHVIA: {"beauty": 3, "resolve": 6, "credit": credit(2)},
            VOORUK: {"ap": 2, "resolve": 3, "beauty": 1, "credit": credit(5)},
            GIAZZA: {"ap": 4, "resolve": 4, "beauty": 2, "credit": credit(4, "nuin")},
        }
    )
