"""Mnemonic a second time, as briefly as the specification allows: a judge for random tables.

It knows nothing of facts, postings or audiences. Each doing answers the set of refusals that apply, any of which is
right; where there is none it is done, and `status` and `checks` are what the game must show.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

SEVEN = {"not at all": 0, "not very": 1, "somewhat": 2, "moderately": 3, "fairly": 4, "very": 5, "extremely": 6}
TIED = {**SEVEN, "very": 4}
CHANCES = {"terrible": -6, "bad": -4, "poor": -2, "even": 0, "fair": 3, "good": 5, "excellent": 7}
SEVERITY = ["immobilized", "unconscious", "dead"]
ONE = ("one_dice", "one_card", "verbal")
Refusals = set[str]


def plain(name: str) -> str:
    return " ".join(name.split()).lower()


@dataclass
class Being:
    ratings: dict[tuple[str, str], str] = field(default_factory=dict)
    importance: str | None = None
    resisted: bool = False
    status: tuple[int, str | None] = (6, None)


@dataclass
class Check:
    who: str
    purpose: str
    aptitude: int
    chances: int
    method: str
    flukes: bool
    deadly: bool = False
    worst: str = ""
    stage: str = "ruled"
    roll: int = 0
    kind: str | None = None
    total: int = 0
    size: int = 0
    effect: str | None = None
    injured: list[str] = field(default_factory=list)
    named: bool = False


class Model:
    """`dials`: by public name, those that differ from the default."""

    def __init__(self, dials: dict[str, Any]) -> None:
        self.dial = {
            "traits.ladder": "seven",
            "traits.unrated": "refuse",
            "resist.life_role_floor": False,
            "status.combine": "worst",
            "status.immobilized_may": True,
            "recovery.ways": ["declared", "check"],
            "recovery.check_reading": "mnemonic",
            "random.three_reading": "median",
            "flukes.on": False,
            "flukes.normal_uses": "first",
            "flukes.automatic_reading": "at_least",
            "flukes.solid": 4,
            "flukes.spectacular": 6,
            "flukes.death_guard": "refuse",
            "dramatic.source": "off",
            "dramatic.approach": "fixed",
            "flukes.verbal": True,
            **dials,
        }
        self.ladder = TIED if self.dial["traits.ladder"] == "tied" else SEVEN
        self.beings: dict[str, Being] = {}
        self.checks: dict[str, Check] = {}

    # --- traits ---------------------------------------------------------------------------------------------------

    def rating(self, name: str) -> str | None:
        name = plain(name)
        return "moderately" if name == "moderate" else name if name in self.ladder else None

    def rate(self, who: str, kind: str, trait: str, rating: str) -> Refusals:
        no: Refusals = set()
        if kind not in ("talent", "life"):
            no.add("unknown-kind")
        if not plain(trait):
            no.add("name-empty")
        if self.rating(rating) is None:
            no.add("unknown-rating")
        if not no:
            self.beings[who].ratings[kind, plain(trait)] = str(self.rating(rating))
        return no

    def importance(self, who: str, rating: str, reason: str) -> Refusals:
        being, no = self.beings[who], set()
        if self.dial["dramatic.source"] == "off":
            no.add("dramatic-off")
        if self.rating(rating) is None:
            no.add("unknown-rating")
        fixed = self.dial["dramatic.approach"] == "fixed" and self.dial["dramatic.source"] == "important"
        if fixed and being.importance and being.resisted and not reason:
            no.add("reason-needed")
        if not no:
            being.importance = self.rating(rating)
        return no

    def number(self, who: str, kind: str, trait: str, no: Refusals) -> int:
        """The trait's number; what is wrong with it goes into `no`."""
        if kind == "primary":
            return 3
        found = self.beings[who].ratings.get((kind, plain(trait)))
        if found is None and self.dial["traits.unrated"] != "refuse":
            found = plain(str(self.dial["traits.unrated"]))
        if not plain(trait):
            no.add("name-empty")
        elif found is None:
            no.add("unrated")
        return self.ladder.get(found or "", 0)

    # --- checks ---------------------------------------------------------------------------------------------------

    def check(
        self, id: str, who: str, traits: list[tuple[str, str]], chances: str, method: str, deadly: bool
    ) -> Refusals:
        no: Refusals = set()
        condition = self.beings[who].status[1]
        if condition is not None:
            no.add("inactive")
        if any(kind not in ("talent", "life", "primary") for kind, _ in traits):
            no.add("unknown-kind")
        named = {(kind, "" if kind == "primary" else plain(trait)) for kind, trait in traits}
        if len(traits) != 2 or len(named) != 2:
            no.add("two-traits-needed")
        aptitude = sum(
            self.number(who, kind, trait, no) for kind, trait in traits if kind in ("talent", "life", "primary")
        )
        self.rule(no, id, who, "action", aptitude, chances, method, deadly)
        return no

    def rule(
        self, no: Refusals, id: str, who: str, purpose: str, aptitude: int, chances: str, method: str, deadly: bool
    ) -> None:
        if plain(chances) not in CHANCES:
            no.add("unknown-chances")
        if method not in (*ONE, "three_dice", "three_card"):
            no.add("unknown-method")
        if not no:
            flukes = bool(self.dial["flukes.on"]) and (method != "verbal" or bool(self.dial["flukes.verbal"]))
            self.checks[id] = Check(who, purpose, aptitude, CHANCES[plain(chances)], method, flukes, deadly)

    def resist(self, who: str, roles: list[str], importance: str | None, no: Refusals) -> int:
        """The Aptitude to resist, by the sheet."""
        source, approach = self.dial["dramatic.source"], self.dial["dramatic.approach"]
        tough = self.number(who, "talent", "Tough", no)
        best = max((self.number(who, "life", role, no) for role in roles), default=None)
        if source == "off":
            if importance is not None:
                no.add("dramatic-off")
            if best is None or (best < 3 and self.dial["resist.life_role_floor"]):
                best = 3
            return tough + best
        if importance is not None and (source == "lucky" or approach == "fixed"):
            no.add("importance-not-ruled-here")
        helps = max(tough, best) if best is not None else tough
        if source == "lucky":
            return self.number(who, "talent", "Lucky", no) + helps
        if approach == "per_check":
            if importance is None:
                no.add("importance-needed")
            elif self.rating(importance) is None:
                no.add("unknown-rating")
            return self.ladder.get(self.rating(importance or "") or "", 0) + helps
        rated = self.beings[who].importance
        if rated is None:
            no.add("unrated")
        return self.ladder.get(rated or "", 0) + helps

    def injury(
        self,
        id: str,
        who: str,
        cause: tuple[str, str | None, str],
        worst: str,
        chances: str,
        roles: list[str],
        importance: str | None,
        method: str,
    ) -> Refusals:
        no = self.cause(who, *cause)
        if self.beings[who].status[1] == "dead":
            no.add("dead")
        worst = {"incapacitated": "immobilized", "death": "dead"}.get(worst, worst)
        if worst not in SEVERITY:
            no.add("unknown-condition")
        aptitude = self.resist(who, roles, importance, no)
        self.rule(no, id, who, "resist", aptitude, chances, method, worst == "dead")
        if not no:
            self.checks[id].worst = worst
            self.beings[who].resisted = True
            if cause[0] != "referee":
                self.checks[str(cause[1])].injured.append(who)
        return no

    def cause(self, who: str, kind: str, source: str | None, reason: str) -> Refusals:
        if kind == "referee":
            return set() if reason else {"reason-needed"}
        if kind not in ("attack", "avoidance", "spectacular"):
            return {"unknown-cause"}
        if source is None:
            return {"cause-missing"}
        no: Refusals = set()
        check = self.checks.get(source)
        done = check is not None and check.stage == "resolved"
        if check is not None and kind == "avoidance" and check.who != who:
            no.add("cause-not-victim")
        if kind == "attack" and not (done and check and check.size > 0):
            no.add("cause-not-success")
        if kind == "avoidance" and not (done and check and check.size < 0):
            no.add("cause-not-failure")
        if kind == "spectacular" and not (done and check and check.effect == "spectacular_failure"):
            no.add("cause-not-spectacular")
        if check is not None and who in check.injured:
            no.add("already-injured")
        return no

    # --- rolls and flukes -----------------------------------------------------------------------------------------

    def roll(self, id: str, faces: list[int]) -> Refusals:
        check = self.checks.get(id)
        if check is None or check.stage != "ruled":
            return {"out-of-order"}
        no: Refusals = set()
        if any(not 1 <= face <= 12 for face in faces):
            no.add("face-out-of-range")
        if check.purpose != "action" and self.beings[check.who].status[1] == "dead":
            no.add("dead")
        if check.method not in ONE:
            if len(faces) != 3:
                no.add("three-faces-needed")
        else:
            needed = 1
            if check.flukes and faces and faces[0] in (1, 12):
                needed = 3 if faces[1:2] == faces[:1] else 2
            if len(faces) != needed:
                no.add("roll-again-needed" if len(faces) < needed else "too-many-faces")
        if no:
            return no
        self.read(check, faces)
        check.stage = "rolled"
        if check.kind is None:
            self.resolve(check, None)
        return no

    def read(self, check: Check, faces: list[int]) -> None:
        if check.method in ONE:
            check.roll = faces[0]
            run = {1: 1, 2: 2 if len(set(faces)) == 1 else 1, 3: 3 if len(set(faces)) == 1 else 2}[len(faces)]
            if len(faces) == 2 and run == 1 and self.dial["flukes.normal_uses"] == "last":
                check.roll = faces[1]
            edge = faces[0]
        else:
            low, middle, high = sorted(faces)
            check.roll = middle if self.dial["random.three_reading"] == "median" else (low + middle + high + 1) // 3
            edge = 1 if faces.count(1) > 1 else 12
            run = faces.count(edge)
        if check.flukes and run > 1 and edge in (1, 12):
            check.kind = ("automatic_" if run == 2 else "spectacular_") + ("success" if edge == 1 else "failure")

    def fluke(self, id: str, possible: bool, reason: str) -> Refusals:
        check = self.checks.get(id)
        if check is None or check.stage == "ruled":
            return {"out-of-order"}
        if check.kind is None:
            return {"no-fluke"}
        if check.stage == "resolved":
            return {"out-of-order"}
        no: Refusals = set()
        if not possible and not reason:
            no.add("reason-needed")
        if check.purpose != "action" and self.beings[check.who].status[1] == "dead":
            no.add("dead")
        if not no:
            self.resolve(check, check.kind if possible else None)
        return no

    def resolve(self, check: Check, effect: str | None) -> None:
        """`size`: Successes, or Failures below zero."""
        check.stage, check.effect = "resolved", effect
        check.total = check.aptitude - check.roll + check.chances
        check.size = check.total + 1 if check.total >= 0 else check.total
        if effect is not None:
            wins = effect.endswith("success")
            size = max(check.size if wins else -check.size, 0)
            least = int(self.dial["flukes.solid" if effect.startswith("a") else "flukes.spectacular"])
            exact = effect.startswith("a") and self.dial["flukes.automatic_reading"] == "exact"
            size = least if exact else max(size, least)
            check.size = size if wins else -size
        if check.purpose == "resist":
            self.hit(check.who, (min(check.size, 6), None) if check.size > 0 else (0, check.worst))
        elif check.purpose == "recovery" and check.size > 0:
            level = self.beings[check.who].status[0]
            reading = self.dial["recovery.check_reading"]
            self.rise(check.who, {"mnemonic": min(check.size, 6), "step": level + 1}.get(str(reading), 0))

    # --- Status ---------------------------------------------------------------------------------------------------

    def hit(self, who: str, result: tuple[int, str | None]) -> None:
        level, condition = self.beings[who].status
        if condition == "dead":
            return
        if (
            self.dial["status.combine"] == "replace"
            or result[0] < level
            or (result[0] == level == 0 and SEVERITY.index(str(result[1])) > SEVERITY.index(str(condition)))
        ):
            self.beings[who].status = result

    def rise(self, who: str, level: int) -> None:
        if self.beings[who].status[1] != "dead" and min(level, 6) > self.beings[who].status[0]:
            self.beings[who].status = (min(level, 6), None)

    def better(self, who: str, level: Any) -> Refusals:
        now, condition = self.beings[who].status
        no: Refusals = {"dead"} if condition == "dead" else set()
        if type(level) is not int or not 1 <= level <= 6:
            no.add("bad-status")
        elif level <= now:
            no.add("not-an-improvement")
        return no

    def declare_recovery(self, who: str, level: Any) -> Refusals:
        no = self.better(who, level)
        if "declared" not in self.dial["recovery.ways"]:
            no.add("way-not-allowed")
        if not no:
            self.rise(who, level)
        return no

    def recovery_check(
        self, id: str, who: str, chances: str, roles: list[str], importance: str | None, method: str, deadly: bool
    ) -> Refusals:
        no: Refusals = set()
        now, condition = self.beings[who].status
        if "check" not in self.dial["recovery.ways"]:
            no.add("way-not-allowed")
        if condition == "dead":
            no.add("dead")
        if now == 6:
            no.add("already-fine")
        aptitude = self.resist(who, roles, importance, no)
        self.rule(no, id, who, "recovery", aptitude, chances, method, deadly)
        if not no:
            self.beings[who].resisted = True
        return no

    def name_recovery(self, id: str, level: Any) -> Refusals:
        check = self.checks.get(id)
        waits = check is not None and check.stage == "resolved" and check.purpose == "recovery" and check.size > 0
        if check is None or not waits or check.named or self.dial["recovery.check_reading"] != "referee":
            return {"out-of-order"}
        no = self.better(check.who, level)
        if not no:
            check.named = True
            self.rise(check.who, level)
        return no

    def narrate(self, id: str, death: str | None) -> Refusals:
        check = self.checks.get(id)
        if check is None or not (check.effect or "").startswith("spectacular"):
            return {"cause-not-spectacular"}
        if death is None:
            return set()
        no: Refusals = set()
        if check.effect != "spectacular_failure":
            no.add("cause-not-spectacular")
        elif not check.deadly and self.dial["flukes.death_guard"] == "refuse":
            no.add("death-not-at-stake")
        if self.beings[death].status[1] == "dead":
            return no
        if death in check.injured:
            no.add("already-injured")
        if not no:
            check.injured.append(death)
            self.beings[death].status = (0, "dead")
        return no
