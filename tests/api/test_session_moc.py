"""An evening of Moment of Clarity over HTTP on Postgres: hands nobody else sees, dice hidden until they count, votes.

Ann is the game master and plays Santana; Ben plays Harry, Cleo Rissh, Finn the Wildcard Raphe; Dora watches.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.api.table import Json, Player, Service, Table

HARRY, RISSH, RAPHE, SANTANA = "1", "2", "3", "4"
HARRYS = ["8C", "KS"]
OPEN_UNITS = ("chip", "bead", "token", "point", "xp")


def kinds(ruling: Json) -> list[str]:
    return [one["kind"].removeprefix("moc.") for one in ruling["facts"]]


def fact(ruling: Json, kind: str) -> Json:
    """The only fact of that kind."""
    (found,) = [one["fact"] for one in ruling["facts"] if one["kind"] == f"moc.{kind}"]
    return dict(found)


class Evening(Table):
    """The campaign and its chapters, in the order in which they are played."""

    def __init__(self, service: Service) -> None:
        self.service = service
        opened = service.open(name="Helios", system="moc", dials={"power_level": "heroic"})
        assert opened.status_code == 201, opened.text
        self.id = opened.json()["id"]
        self.gm = self.ann = Player(self, "s1", opened.json()["seat"]["token"])
        self.ben = self.seat("Ben", "player")
        self.cleo = self.seat("Cleo", "player")
        self.finn = self.seat("Finn", "player")
        self.dora = self.seat("Dora", "observer")
        self.award = self.exchange = 0
        self.raphes: list[str] = []
        self.scene = ""

    @property
    def everyone(self) -> tuple[Player, ...]:
        return self.ann, self.ben, self.cleo, self.finn, self.dora

    def others(self, *players: Player) -> list[Player]:
        return [one for one in self.everyone if one not in players]

    def refused(self, player: Player, code: str, kind: str, status: int = 422, **fields: Any) -> None:
        answer = player.tries(kind, **fields)
        assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text

    def balances(self, player: Player) -> dict[str, int]:
        return {one["account"]: one["balance"] for one in player.look("/accounts")["accounts"] if one["balance"]}

    def everything(self, player: Player) -> str:
        """All that a seat can read of the campaign."""
        paths = ["", "/rulings?limit=500", "/accounts", "/waiting", "/findings", "/what-if?without=5"]
        paths += [f"/characters/{id}" for id in (HARRY, RISSH, RAPHE, SANTANA)]
        paths += [f"/scenes/{self.scene}"] if self.scene else []
        return " ".join(player.get(path).text for path in paths)

    # --- chapters ---

    def gathers(self) -> None:
        sheets: tuple[tuple[Player, str, str, Json], ...] = (
            (self.ben, "Harry", HARRY, {"archetype": "hero", "characteristics": {"body": 5, "Sp": 3}}),
            (self.cleo, "Rissh", RISSH, {"archetype": "enigma", "characteristics": {"mind": 3}}),
            (self.finn, "Raphe", RAPHE, {"archetype": "wildcard"}),
            (self.ann, "Santana", SANTANA, {"archetype": "architect", "characteristics": {"body": 3}, "villain": True}),
        )
        for player, name, id, sheet in sheets:
            made = player.does("/characters", {"name": name, "seat": player.id, "sheet": sheet})
            assert made["character"] == id
        dear = {"archetype": "hero", "characteristics": {"body": 5, "mind": 5}}
        refused = self.ben.post("/characters", {"name": "Hero", "seat": self.ben.id, "sheet": dear})
        assert refused.json()["code"] == "over-budget"
        self.ann.declare("open-session")

    def draws(self) -> None:
        """A hand is its player's alone; not even the game master sees it, nor what waits with it."""
        told: Json = {"character": HARRY, "drawn": HARRYS, "kept": HARRYS}
        self.refused(self.ann, "not-yours", "draw-hand", 403, **told)
        made = self.ben.declare("draw-hand", **told)
        assert kinds(made) == ["cards-drawn", "cards-kept"], "the deck is nobody's to see"
        for player in self.others(self.ben):
            seen = player.look(f"/rulings/{made['number']}")
            assert seen["declared"] == {"kind": "draw-hand"} and not seen["facts"] and not seen["because"]
            assert "8C" not in self.everything(player) and "KS" not in self.everything(player)
            assert player.look(f"/characters/{HARRY}")["state"]["hand"] is None
            assert not any("/card" in account for account in self.balances(player))
        assert self.ben.look(f"/characters/{HARRY}")["state"]["hand"] == HARRYS
        waiting = self.finn.declare("draw-hand", status=202, character=RAPHE)
        seen = self.finn.look("/waiting")["waiting"][0]["question"]
        self.raphes = seen["purpose"].removeprefix("which 3 of these cards to keep: ").split(", ")
        assert len(self.raphes) == 4 and not set(self.raphes) & set(HARRYS)
        for player in self.others(self.finn):
            told_ = player.get("/waiting").text
            assert not any(f'"{card}"' in told_ or f" {card}," in told_ for card in self.raphes)
            path = f"/waiting/{waiting['id']}/answers"
            keep = {"answer": {"choice": {"kind": "keep", "cards": self.raphes[:3]}}}
            assert player.post(path, keep).status_code in (403, 404)
        bad = {"answer": {"choice": {"kind": "keep", "cards": self.raphes[:2]}}}
        path = f"/waiting/{waiting['id']}/answers"
        assert self.finn.post(path, bad).json()["code"] == "wrong-keep-count"
        self.finn.does(path, {"answer": {"choice": {"kind": "keep", "cards": self.raphes[:3]}}})
        for player in self.others(self.finn):
            assert not any(f'"{card}"' in self.everything(player) for card in self.raphes if card not in HARRYS)

    def prepares(self) -> None:
        self.ann.declare("open-arc", name="The hangar", xp=20)
        self.award = self.ann.declare("award-chip", character=HARRY, chips={"red": 1, "white": 1}, reason="brave")[
            "number"
        ]
        laid = self.ben.declare("allocate-beads", character=HARRY, beads={"plot": 3})
        assert fact(laid, "beads-allocated")["pools"] == {"action": 11, "plot": 3}
        self.cleo.declare("allocate-beads", character=RISSH)
        self.exchange = self.ben.declare("exchange-chip", character=HARRY, chip="red", beads={"drama": 6})["number"]
        self.refused(self.cleo, "not-yours", "exchange-chip", 403, character=HARRY, chip="white")
        opened = self.ann.declare("open-scene", title="A hangar", cast=[HARRY, RISSH, SANTANA])
        self.scene = str(opened["number"])

    def shoots(self) -> None:
        """Dice of an opposed roll are its player's and the game master's until the action is over."""
        made = self.ben.declare("declare-action", character=HARRY, skill="Thrown Weapons", roll_kind="to_hit")
        attack = fact(made, "action-declared")["action"]
        faces = [7, 8, 6, 9, 3]
        rolled = self.ben.declare("roll-dice", action=attack, faces=faces)
        assert kinds(self.ann.look(f"/rulings/{rolled['number']}")) == ["dice-rolled"]
        for player in self.others(self.ann, self.ben):
            seen = player.look(f"/rulings/{rolled['number']}")
            assert seen["declared"] == {"kind": "roll-dice"} and not seen["facts"] and not seen["because"]
            (part,) = player.look(f"/scenes/{self.scene}")["state"]["actions"][0]["parts"]
            assert part["faces"] is None and part["rolled"] is True
        self.refused(
            self.ben, "declares-more-than-rolled", "declare-successes", action=attack, target=SANTANA, number=4
        )
        self.ben.declare("play-card", action=attack, character=HARRY, card="8C", points=[{"die": 2, "points": 1}])
        assert all("8C" in player.get("/rulings?limit=500").text for player in self.everyone), "played, it is public"
        assert not any("KS" in self.everything(player) for player in self.others(self.ben))
        self.ben.declare("declare-successes", action=attack, target=SANTANA, number=4)
        self.refused(self.cleo, "not-yours", "take-off-successes", 403, action=attack, target=SANTANA, number=0)
        told = self.ann.declare("take-off-successes", action=attack, target=SANTANA, number=0)
        assert fact(told, "successes-taken-off")["net"] == 4
        done = self.ben.declare("resolve", action=attack)
        assert fact(done, "action-resolved")["level"] == "outstanding"
        for player in self.everyone:
            assert fact(player.look(f"/rulings/{done['number']}"), "action-resolved")["faces"] == faces
        told = {"attacker": HARRY, "target": SANTANA, "weapon": "Club", "action": attack, "location": "torso"}
        hit = fact(self.ben.declare("score-hit", **told), "hit-scored")["hit"]
        damage = self.ben.declare("roll-damage", hit=hit, faces=[6, 7, 1], raise_faces=[9, 1, 1])
        assert fact(damage, "damage-rolled")["unresistible"] == 1
        harm = self.ann.declare("resist-damage", hit=hit, faces=[7, 1, 1])
        assert fact(harm, "harm-applied") == {"hit": hit, "damage": 2, "pain": 1, "removed": 0, "reason": ""}

    def tells(self) -> None:
        told: Json = {"character": RISSH, "beads": 1, "text": "The second man is near."}
        change = fact(self.cleo.declare("change-story", **told), "story-changed")["change"]
        self.refused(self.cleo, "must-spend-all", "change-story", **{**told, "beads": 4})
        self.refused(self.cleo, "not-yours", "veto-story", 403, change=change, reason="no")
        self.ann.declare("veto-story", change=change, reason="He is not.")

    def saves(self) -> None:
        """A white chip waits for the game master, whom nobody can answer for."""
        leap = fact(self.ben.declare("declare-action", character=HARRY, primary="body"), "action-declared")["action"]
        self.ben.declare("roll-dice", action=leap, faces=[2, 3, 4, 5, 6])
        waiting = self.ben.declare("claim-success", status=202, action=leap, character=HARRY)
        path = f"/waiting/{waiting['id']}/answers"
        for player in self.others(self.ann):
            assert player.post(path, {"answer": {"choice": {"kind": "approve"}}}).status_code == 403
        done = self.ann.does(path, {"answer": {"choice": {"kind": "approve"}}})
        assert kinds(done) == ["automatic-success-claimed", "automatic-success-approved"]
        assert fact(self.ben.declare("resolve", action=leap), "action-resolved")["level"] == "success"

    def mends(self) -> None:
        """A card laid on what heals is public from then on; the rest of the hand is not."""
        self.ann.declare("apply-harm", character=RAPHE, unresistible=1)
        laid, *kept = self.raphes[:3]
        on_die: Json = {"die": 0, "points": 2}
        told: Json = {"character": RAPHE, "days": 1, "faces": [5], "cards": [{"card": laid, "points": [on_die]}]}
        self.refused(self.ben, "not-yours", "heal", 403, **told)
        on_die["die"] = 1
        self.refused(self.finn, "no-such-die", "heal", **told)
        on_die["die"] = 0
        done = self.finn.declare("heal", **told)
        assert kinds(done) == ["card-discarded", "card-shown", "card-played-on-healing", "damage-healed"]
        for player in self.others(self.finn):
            seen = player.look(f"/rulings/{done['number']}")
            assert fact(seen, "card-played-on-healing")["what"]["card"] == laid and seen["because"]
            assert not any(f'"{card}"' in self.everything(player) for card in kept if card not in HARRYS)

    def votes(self) -> None:
        """Nobody but the game master learns who named whom, or that anybody did."""
        self.ann.declare("close-scene", scene=self.scene)
        before = len(self.dora.look("/rulings", limit=500)["rulings"])
        self.refused(self.cleo, "no-self-nomination", "nominate", seat=self.cleo.id, nominee=RISSH)
        self.refused(self.cleo, "not-yours", "nominate", 403, seat=self.ben.id, nominee=RISSH)
        for player in (self.ben, self.finn):
            made = player.declare("nominate", seat=player.id, nominee=RISSH)
            assert player.look(f"/rulings/{made['number']}")["facts"]
            for other in self.others(self.ann, player):
                assert other.get(f"/rulings/{made['number']}").status_code == 404
                listed = [one["number"] for one in other.look("/rulings", limit=500)["rulings"]]
                assert made["number"] not in listed
        assert "nominat" not in self.dora.get("/rulings?limit=500").text
        assert len(self.dora.look("/rulings", limit=500)["rulings"]) == before
        tally = self.ann.declare("tally-nominations")
        assert fact(tally, "nominations-tallied")["winners"] == [RISSH]
        assert self.balances(self.dora)[f"character:{RISSH}/chip:white"] == 1
        for player in self.others(self.ann):
            seen = player.look(f"/rulings/{tally['number']}?leaning=true")
            assert not seen["leaning"] or player is not self.dora

    def plays(self) -> None:
        self.gathers()
        self.draws()
        self.prepares()
        for chapter in (self.shoots, self.tells, self.saves, self.mends, self.votes):
            chapter()

    # --- the books ---

    def audit(self) -> dict[str, int]:
        """The open accounts are what the standing postings make them, and every unit adds up; for every seat alike."""
        posted: Counter[str] = Counter()
        for ruling in self.ann.look("/rulings", limit=500)["rulings"]:
            for one in ruling["facts"]:
                for posting in () if one["struck"] else one["postings"]:
                    posted[posting["from"]] -= posting["amount"]
                    posted[posting["to"]] += posting["amount"]
        wanted: dict[str, int] = {}
        for unit in OPEN_UNITS:
            own = {a: n for a, n in posted.items() if a.partition("/")[2].partition(":")[0] == unit}
            assert sum(own.values()) == 0
            wanted |= {a: n for a, n in own.items() if n and not a.startswith("bank/")}
        for player in self.everyone:
            told = {a: n for a, n in self.balances(player).items() if "/card" not in a}
            assert told == wanted, player.id
        return wanted


def test_an_evening_of_secrets_and_a_quarrel(service: Service) -> None:
    evening = Evening(service)
    evening.plays()
    before = evening.audit()
    assert f"character:{HARRY}/chip:white" not in before, "spent on the leap"
    ann, ben, dora = evening.ann, evening.ben, evening.dora

    # The chips should never have been given: Cleo disputes it, Ann looks what that would change, and does it.
    reason = {"reason": "That was Rissh."}
    assert evening.cleo.does(f"/rulings/{evening.award}/dispute", reason, 200)["status"] == "disputed"
    told = ann.does(f"/rulings/{evening.award}/overturn", {**reason, "preview": True}, 200)
    lost = {row["number"]: row["then"]["refusal"]["code"] for row in told["rulings"] if row["then"]}
    assert lost[evening.exchange] == "chips-not-held"
    assert "KS" not in dora.get(f"/what-if?without={evening.award}").text
    assert ben.post(f"/rulings/{evening.award}/overturn", reason).status_code == 403
    done = ann.does(f"/rulings/{evening.award}/overturn", reason, 200)
    assert done["status"] == "overturned" and done["changed"] == told
    after = evening.audit()
    assert [after[f"character:{HARRY}/chip:{colour}"] for colour in ("red", "white")] == [-1, -1]
    assert {one["kind"] for one in dora.look("/findings")["findings"]} >= {"loses support", "overdrawn"}

    # It was Harry after all.
    ann.does(f"/rulings/{evening.award}/reinstate", {"reason": "It was Harry."}, 200)
    assert evening.audit() == before
    assert ann.look("/findings")["findings"] == []

    # Without his hand being dealt, a card was played from nowhere; that tells nobody what else he held.
    looks = [player.get("/what-if?without=6").text for player in evening.others(ben)]
    assert not any("KS" in look for look in looks)
