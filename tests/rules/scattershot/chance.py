"""A table that plays at random: mostly it moves the game on, now and then it tries anything."""

from __future__ import annotations

import re
from functools import cache
from random import Random
from typing import Any, get_args

from ledger.rules.kernel import commands
from ledger.rules.kernel.declarations import find_declarer
from ledger.rules.kernel.questions import Ask, Choice, Dice, Roll
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import character
from ledger.rules.scattershot.agreement import GoOn, GoOnFor, Hold, MakeRuling, SeekConsensus, SpeakFor
from ledger.rules.scattershot.awards import AwardDice, CastVote, CountCoup, GiveCoolBeans, ReplaceCoolBeans
from ledger.rules.scattershot.cashing_in import CashIn, Develop
from ledger.rules.scattershot.challenges import OfferChallenge, TakeBenefit, TakeChallenge
from ledger.rules.scattershot.chart import ReadChart
from ledger.rules.scattershot.conditions import EndResidual, PlaceResidual, SetOffGuard
from ledger.rules.scattershot.consequences import Consequences, Gained, NameConsequences, Residual
from ledger.rules.scattershot.declaring import DeclareAction
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.engaging import AnswerEngagement, Oppose
from ledger.rules.scattershot.evolving import BuyTrait, RaiseRating
from ledger.rules.scattershot.experience import ContributeDie
from ledger.rules.scattershot.game import BeginGame
from ledger.rules.scattershot.gimmes import ClaimGimme, ClaimPayback
from ledger.rules.scattershot.limits import LimitInWords, LimitPoints
from ledger.rules.scattershot.listings import (
    ListAbility,
    ListAdvantage,
    ListedDefault,
    ListExpectation,
    ListFreeSkill,
    ListWeapon,
)
from ledger.rules.scattershot.outcomes import ReachOutcome
from ledger.rules.scattershot.plot_devices import DeviceDie, PlotDevice
from ledger.rules.scattershot.power import RestoreResource, RuleFightLeft, SpendPower
from ledger.rules.scattershot.proprietorship import (
    AnswerConsent,
    AskConsent,
    ChangeElement,
    IntroduceElement,
    TransferProprietorship,
)
from ledger.rules.scattershot.ratings import ApplyModifier, Default, Modifier
from ledger.rules.scattershot.reactions import ExtraDie, ReactOffGuard
from ledger.rules.scattershot.resources import ListDamage, UseResource
from ledger.rules.scattershot.results import ChooseResults, CloseApplication, Result
from ledger.rules.scattershot.rolls import CloseOpportunity, ReplaceRoll, RollMib
from ledger.rules.scattershot.sheet_in_play import StrikeTrait, TakeDisadvantage
from ledger.rules.scattershot.state import Advantage, Protection, Sheet, Skill, list_entries
from ledger.rules.scattershot.totals import CloseDecision
from ledger.rules.scattershot.words import SheetPart
from tests.rules.refusals import Heard, heard
from tests.rules.scattershot.chance_melee import MeleeChance
from tests.rules.scattershot.chance_openings import in_the_middle
from tests.rules.scattershot.game import ANN, CID, Game

CHART = (
    {"from": -9, "to": 8, "facets": {"multiplier": "1/2", "bonus": 1, "points": 1}},
    {"from": 9, "to": 40, "facets": {"multiplier": 2, "bonus": 2, "points": 2}},
)
DIAL_VALUES: dict[str, tuple[Any, ...]] = {
    "critical-juncture": (6, 3, 5),
    "epic-index": (4, 0, 2),
    "cinematic": (False, True),
    "ue-chart": (None, CHART),
    "catastrophe-boundary": ("at-or-below", "below"),
    "contested-juncture": ("rmib-and-initial", "rmib", "each-initial"),
    "contested-adjust": ("each-raw", "rmib"),
    "points-index": ("remaining", "uncapped"),
    "preempt": ("early", "replace"),
    "unopposed-dice": ("only-when-nobody", "whole-roll"),
    "self-against": ("returns", "to-stock"),
    "dice-handover": ("after-decision", "immediate"),
    "freebies-per-action": ("one", "per-advantage"),
    "freebie-routing": ("routed", "to-stock"),
    "gm-dice": ("loaners-and-freebies", "stock"),
    "stock-size": (None, 5, 40),
    "loaner-unopposed": ("gm-saves", "refuse"),
    "loaner-limit": (None, 0, 2),
    "loaner-repaid": ("karmic", "keeper"),
    "loaner-expiry": ("lapse", "carry", "keep"),
    "dice-granted-by": ("gamemaster", "group"),
    "payback-interest": (1, 0, 2),
    "payback-minimum": (1, 0),
    "coup-extra": (1, 0, 2),
    "disadvantage-accounting": ("record-only", "refund"),
    "cash-in-disadvantages": (False, True),
    "sheet-faults": ("refuse", "warn"),
    "stat-minimum-points": (1, 0),
    "default-scope-penalty": ("flat", "per-level"),
    "default-choice": ("best", "related-only"),
    "default-special-abilities": (False, True),
    "weapon-adds-at-zero": (True, False),
    "weapon-numbers": ("free", "listed"),
    "resource-floor": ("zero", "none"),
    "resource-penalty": (None, ({"at": 8, "penalty": 1}, {"at": 3, "penalty": 3})),
    "resistor-results": (True, False),
    "advantage-cap": ("per-pair", "scene-total"),
    "advantage-stacking": ("sum", "worst"),
    "seize-requires": ("own-none", "none-either-way"),
    "scope-shift": ("required", "advice"),
    "wounds": ("basic", "intermediate", "advanced"),
    "move-yards": (7, 5),
    "spell-failure-drain": (False, True),
}
NEXT = {"opportunity": "close-opportunity", "decision": "close-decision", "results": "close-application"}


class Chance(MeleeChance):
    """A table that mostly plays on, and now and then tries anything."""

    def word(self) -> tuple[Any, str]:
        """Return a declaration, and the seat that makes it: its own, or a game master for it."""
        do, by = self._word()
        declarer = find_declarer(do)
        whose = declarer.of(self.game.table(by), do) if declarer.who == "seat" and declarer.of is not None else by
        plays = getattr(do, "character", None)
        if plays in self.game.everybody() and self.rng.random() < 0.5:
            by = whose = self.game.table().owner(character(plays))
        if isinstance(do, AnswerConsent) and self.rng.random() < 0.7:
            by = whose = Draft(self.game.table()).find_proprietor(do.element) or "gm"
        if whose != by:
            by = self.rng.choice(["gm", whose]) if whose in ("ann", "bob", "cid") else "gm"
        return do, by

    def _word(self) -> tuple[Any, str]:
        by = self.rng.choice(["gm"] * 6 + ["ann", "bob", "cid"])
        open_ones = self.resolutions()
        if self.scene() is None and self.rng.random() < 0.5:
            return commands.OpenScene("Here"), by
        if open_ones and self.rng.random() < 0.6:
            return self.onwards(self.rng.choice(open_ones)), by
        if self.fight() is not None and self.rng.random() < 0.75:
            return self.rng.choice([self.melee, self.melee, self.melee, self.declare])(), by
        words = (
            self.declare,
            self.declare,
            self.device,
            self.rewards,
            self.rewards,
            self.people,
            self.people,
            self.elements,
            self.play,
            self.kernel,
        )
        return self.rng.choice(words)(), by

    def rating(self, who: str | None = None) -> str:
        if who is not None and self.rng.random() < 0.6:
            return str(self.rng.choice(list(self.game.character(who).ratings)))
        return self.rng.choice(["agility", "agility", "strength", "Fencing", "Brawl", "observation", "nonsense"])

    def modifiers(self) -> tuple[Modifier, ...]:
        return self.rng.choice([(), (), (Modifier(self.rng.randint(-6, 12), "it is dark"),), (Modifier("2"),)])

    # --- a resolution ------------------------------------------------------------------------------------------------

    def declare(self) -> Any:
        rng = self.rng
        fight = self.fight()
        actor = fight.turn if fight is not None and fight.turn is not None and rng.random() < 0.8 else self.one()
        if self.beaten() and rng.random() < 0.3:
            actor = rng.choice(self.beaten())
        engages = tuple(id for id in self.game.everybody() if id != actor and rng.random() < 0.3)
        default = rng.choice([None, None, None, self.default()])
        return DeclareAction(
            actor,
            "an Action",
            self.rating(actor),
            rng.choice([None, self.one(), "the door", *engages]),
            engages,
            default,
            self.modifiers(),
            rng.choice([(), ("Dexterity",), ("Reckless",)]),
            (),
            nature=rng.choice(["attack", "attack", "defense", "other"]),
            pays=rng.choice(["action", "action", "free", "flurry", "odd"]),
            cost=rng.choice([1, 1, 2, self.number()]),
            free=rng.choice(["last-ditch-dodge", "look-around"]),
            player=rng.choice([None] * 9 + [self.seat()]),
            duration=rng.choice([None, None, None, "immediate"]),
        )

    def default(self) -> Default:
        rng = self.rng
        if rng.random() < 0.3:
            return Default(rng.choice(["Strategy", "Cooking"]))
        return Default(
            rng.choice(["Cooking", "Strategy"]),
            rng.choice([None, "Tactics", "agility"]),
            rng.choice([-2, 0, "x"]),
            rng.choice([None, "easy", "nigh-impossible", "odd"]),
            rng.choice(["mob", "individual"]),
            None,
            rng.random() < 0.2,
            rng.random() < 0.5,
        )

    def onwards(self, id: str) -> Any:
        """Return what the Phase asks for, and now and then something else."""
        one = self.scene().resolutions[id]
        rng = self.rng
        phase = one.phase if rng.random() < 0.9 else rng.choice(["opportunity", "decision", "challenges", "results"])
        side = rng.choice(list(one.sides))
        if self.fight() is not None and one.engaged and rng.random() < 0.15:
            return self.forfeit()
        if phase == "opportunity":
            waiting = [who for who, stance in one.engaged.items() if stance not in ("opposing", "passive")]
            if waiting and rng.random() < 0.8:
                return self.answering(id, rng.choice(waiting), one)
            if one.reactions and rng.random() < 0.5:
                return self.die(id, one, f"reaction:{rng.choice(list(one.reactions))}")
            if rng.random() < 0.25:
                return ApplyModifier(id, rng.randint(-9, 9), "so it is", side)
            return CloseOpportunity(id)
        if phase == "decision":
            missing = [name for name, each in one.sides.items() if not each.dice and not each.replaced]
            if rng.random() < 0.45:
                return self.die(id, one, side)
            if missing and one.actor is not None and rng.random() < 0.9:
                roll = rng.choice(missing)
                replace = rng.random() < (0.5 if self.game.table().dials.preempt == "replace" else 0.1)
                return ReplaceRoll(id, roll) if replace else RollMib(id, roll, self.faces(2, 10))
            return CloseDecision(id)
        if phase in ("challenges", "benefits"):
            return rng.choice(
                [
                    lambda: TakeChallenge(id, "time", "slowly", rng.choice([1, 2, self.number()]), side),
                    lambda: OfferChallenge(id, "time", "slowly", rng.choice([1, 2, self.number()]), side),
                    lambda: TakeBenefit(id, "Quantity", "more", rng.choice([1, 2, self.number()]), side),
                    lambda: ReachOutcome(id),
                ]
            )()
        return self.results(id, one, side)

    def answering(self, id: str, who: str, one: Any) -> Any:
        rng = self.rng
        if one.engaged.get(who) == "off-guard" and rng.random() < 0.7:
            dice = rng.choice([(), (ExtraDie(rng.choice([None, 4]), rng.choice([1, -1])),)])
            return ReactOffGuard(id, who, self.faces(2, 10), self.modifiers(), dice)
        if rng.random() < 0.3:
            return AnswerEngagement(id, who, None, rng.random() < 0.5)
        return AnswerEngagement(id, who, self.oppose(who))

    def oppose(self, who: str | None = None) -> Oppose:
        rng = self.rng
        default = rng.choice([None, None, None, self.default()])
        return Oppose(
            "against it",
            rng.choice(["agility", self.rating(who)]),
            default,
            self.modifiers(),
            nature=rng.choice(["defense", "attack"]),
            pays=rng.choice(["forfeit", "free", "flurry"]),
        )

    def die(self, id: str, one: Any, side: str) -> Any:
        rng = self.rng
        kind = rng.choice(["own", "own", "loaner", "loaner", "saved", "freebie", "odd"])
        named = rng.choice([None, *one.sides])
        if one.freebies and rng.random() < 0.3:
            target, _, name = rng.choice(one.freebies).split(": ", 2)
            whose = one.sides[target].player if target in one.sides else "ann"
            return ContributeDie(id, "freebie", 3, 1, target, named, None, name, player=whose)
        if kind == "freebie":
            return ContributeDie(
                id,
                kind,
                self.face(),
                rng.choice([1, 1, -1]),
                side,
                named,
                None,
                *rng.choice([("Dexterity", None), ("Keen Eyes", None), (None, "the escape"), (None, "odd")]),
                player=rng.choice(["ann", "gm", *([one.sides[side].player] * 4 if side in one.sides else [])]),
            )
        return ContributeDie(
            id,
            kind,
            self.face(),
            rng.choice([1, -1, 1, -1, 2]),
            side,
            named,
            rng.choice([None, "ann", "bob", "cid"]),
            player=self.seat(),
        )

    def device(self) -> Any:
        rng = self.rng
        dice = tuple(
            DeviceDie(rng.choice(["own", "own", "loaner", "saved", "freebie"]), self.face(), self.seat())
            for _ in range(rng.choice([0, 1, 1, 2]))
        )
        return PlotDevice(
            "the bridge falls",
            dice,
            rng.choice([None, self.seat()]),
            rng.choice([None, self.one(), "the bridge"]),
            self.seat(),
        )

    def results(self, id: str, one: Any, side: str) -> Any:
        rng = self.rng
        unnamed = [place for place, juncture in enumerate(one.junctures) if not juncture.named]
        if unnamed and rng.random() < 0.8:
            said = rng.choice([None, self.consequences(), self.consequences()])
            return NameConsequences(id, rng.choice(unnamed), said)
        if rng.random() < 0.1:
            return CloseApplication(id)
        against = rng.choice([None, *(name for name in one.sides if name != "actor")])
        results = tuple(self.result() for _ in range(rng.choice([0, 1, 1, 2])))
        return ChooseResults(id, results, side, against, rng.random() < 0.8)

    def result(self) -> Result:
        rng = self.rng
        return Result(
            rng.choice(["damage", "damage", "factor", "residual", "scalar", "odd"]),
            rng.choice([None, self.one()]),
            rng.choice([0, 0, "long sword", "dagger", "war hammer", 2, "odd"]),
            rng.choice([None, ()]),
            rng.choice(["hit-points", "power", "odd"]),
            rng.choice([None, "power"]),
            rng.choice([-1, 1, 0]),
            "uphill",
            rng.choice(["session", "for ever"]),
            wound=rng.choice(["", "a cut"]),
        )

    def consequences(self) -> Consequences:
        rng = self.rng
        return Consequences(
            "a scar",
            rng.choice([(), (Gained("Scarred"),), (Gained("Lame", 2),)]),
            rng.choice([(), (Residual("uphill"),)]),
            rng.choice([0, 0, 1, 2]),
            rng.choice([0, 0, 1]),
            rng.choice([0, 0, "x"]),
            rng.choice(["session", "session", "scene", "for ever"]),
        )

    # --- the rest ----------------------------------------------------------------------------------------------------

    def rewards(self) -> Any:
        rng = self.rng
        given = re.compile("seat:[^/]*/gift:(.*)")
        gifts = [m.group(1) for one in self.game.balances() if (m := given.fullmatch(one))] or ["7"]
        return rng.choice(
            [
                lambda: AwardDice(self.seat(), rng.choice([2, 3, self.number()]), "well played"),
                lambda: AwardDice(self.seat(), rng.choice([2, 3, self.number()]), "well played"),
                lambda: GiveCoolBeans(self.seat(), rng.choice([1, self.number()]), self.seat()),
                lambda: ReplaceCoolBeans(rng.choice(gifts), rng.choice([1, self.number()])),
                lambda: CountCoup(self.seat(), rng.choice([1, self.number()]), "a Keeper", self.seat()),
                lambda: ClaimGimme(
                    self.one(),
                    rng.choice(["Reckless", "Slow", "odd"]),
                    None,
                    rng.choice(["solid", "minor", "mediocre", "odd"]),
                ),
                lambda: ClaimGimme(self.one(), None, rng.choice(["the villain", "odd"])),
                lambda: ClaimPayback(
                    rng.choice([*[None] * 9, *gifts, *self.resolutions()]),
                    rng.choice(["a cue", ""]),
                    rng.random() < 0.5,
                    self.seat(),
                    rng.choice([None, None, "the rescue", "odd"]),
                ),
                lambda: CastVote("the MVP", self.seat()),
                lambda: Develop(
                    self.one(),
                    self.number(),
                    rng.choice((0, 0, 1, 2)),
                    rng.choice([None, (6, 5)]),
                    rng.choice([0, 0, 0, 1]),
                ),
                lambda: Develop(self.one(), 0, 3),
            ]
        )()

    def people(self) -> Any:
        rng = self.rng
        return rng.choice(
            [
                lambda: RaiseRating(
                    self.one(),
                    rng.choice(["agility", "strength", "Fencing", "Riding"]),
                    rng.choice([1, self.number()]),
                    rng.random() < 0.5,
                    rng.choice([None, Skill("Riding", "easy", ability_type="resource")]),
                ),
                lambda: CashIn(
                    self.one(),
                    rng.choice(["Fencing", "Dexterity", "strength", "Reckless", "Brawl"]),
                    rng.choice([1, self.number()]),
                ),
                lambda: BuyTrait(self.one(), **self.trait()),
                lambda: TakeDisadvantage(self.one(), rng.choice(["Lame", "Dexterity"]), rng.choice([None, 2, 0])),
                self.strike,
                lambda: RuleFightLeft(self.one(), rng.choice(["rage", " "])),
                *[lambda: RuleFightLeft(rng.choice([*self.beaten() * 9, self.one()]), "rage")] * 2,
                lambda: DeclareAction(
                    rng.choice(self.beaten() or [self.one()]), "a blow", subject=self.one(), nature="attack"
                ),
                *[lambda: SetOffGuard(self.one(), (), self.one())] * 2,
                lambda: UseResource(self.one(), rng.choice(["agility", "Fencing"])),
                lambda: SpendPower(self.one(), self.number(6), "a spell", rng.choice([None, None, -4])),
                lambda: RestoreResource(self.one(), rng.choice(["power", "hit-points", "odd"]), self.number(9)),
                lambda: PlaceResidual(self.one(), rng.choice([-1, 2, "x"]), "uphill", "a ruling"),
                lambda: ListDamage(self.one(), rng.choice([0, "dagger", "odd"])),
                lambda: EndResidual(*rng.choice([("1", "12"), *self.placed()])),
                lambda: SetOffGuard(self.one(), rng.choice([(), (self.one(),)]), rng.choice([None, None, self.one()])),
                lambda: LimitInWords(
                    rng.choice(["no magic", "low fantasy", " "]),
                    rng.choice([None, self.seat()]),
                    rng.random() < 0.5,
                    rng.random() < 0.3,
                    rng.choice(["", "so they said"]),
                ),
                lambda: LimitPoints(
                    self.number(20),
                    rng.choice([None, self.seat()]),
                    rng.random() < 0.5,
                    rng.random() < 0.3,
                    rng.choice(["", "so they said"]),
                ),
                lambda: ReadChart(
                    rng.choice([self.number(30), 9999]), rng.choice(["bonus", "points", "yards"]), rng.choice([None, 4])
                ),
                lambda: ReadChart(self.number(30)),
            ]
        )()

    def trait(self) -> dict[str, Any]:
        rng = self.rng
        traits: list[dict[str, Any]] = [
            {"advantage": Advantage("Luck", rng.choice([1, 0]), rng.choice([0, 1]))},
            {"free_skill": rng.choice(["Rowing", "Fencing"]), "level": rng.choice([10, "x"])},
            {"element": "winks"},
            {"protection": Protection("helm", rng.choice([1, None]))},
            {"protection": Protection("scales", bought=rng.choice(["Fencing", "Brawl", "Firebolt"]))},
            {},
        ]
        return rng.choice(traits)

    def strike(self) -> StrikeTrait:
        who = self.one()
        part = self.rng.choice(get_args(SheetPart))
        names = list_entries(self.game.character(who), part)
        return StrikeTrait(who, part, self.rng.choice([*names, "odd"]), "lost")

    def beaten(self) -> list[str]:
        return [id for id in self.game.everybody() if self.game.character(id).is_out]

    def elements(self) -> Any:
        rng = self.rng
        name = rng.choice(["the bridge", "the bridge", "the bridge", "the sword", f"thing {rng.randint(0, 9)}"])
        return rng.choice(
            [
                lambda: ListExpectation("the villain", "gimme", rng.choice([1, 2, self.number()])),
                lambda: ListExpectation("the rescue", "payback", rng.choice([1, 2])),
                lambda: ListExpectation("the escape", "freebie", rng.choice([1, 2])),
                BeginGame,
                lambda: ListAbility(
                    rng.choice(["Strategy", "Cooking"]),
                    rng.choice(["easy", "intermediate", "odd"]),
                    rng.random() < 0.2,
                    "mob",
                    defaults=(ListedDefault("Tactics", rng.choice([-2, "x"])),),
                ),
                lambda: ListAbility("Brawl", "easy", use=rng.choice(["", "instantaneous"]), script=("jab", "hook")),
                lambda: ListFreeSkill(rng.choice(["Rowing", "Whistling"]), rng.choice([10, 11, "x"])),
                lambda: ListAdvantage("Dexterity", rng.choice([1, 2, 0]), rng.choice([1, "x"])),
                lambda: ListWeapon("war hammer", rng.choice([3, 4, "x"])),
                lambda: SeekConsensus(
                    "magic", rng.choice(["at a price", " "]), rng.random() < 0.2, rng.choice(["", "so they said"])
                ),
                lambda: MakeRuling("the gas", "gills are of no use out of water"),
                lambda: IntroduceElement(name, rng.choice([None, self.one()]), rng.random() < 0.2),
                lambda: TransferProprietorship(name, self.seat()),
                lambda: AskConsent(name, "broken"),
                lambda: AnswerConsent(
                    name,
                    "broken",
                    rng.choice(["explicit", "tacit", "refused", "odd"]),
                    rng.random() < 0.2,
                    rng.choice(["", "so they said"]),
                ),
                lambda: AnswerConsent("the bridge", "broken", "refused"),
                *[lambda: ChangeElement(name, "broken")] * 3,
            ]
        )()

    def kernel(self) -> Any:
        rng, session = self.rng, self.game.table().session
        dial = rng.choice(list(DIAL_VALUES))
        sheets = [
            Sheet(weapons=("dagger", rng.choice([3, "odd"]))),
            ANN,
            CID,
            Sheet(statistics={"power": 8}),
            Sheet(statistics={"luck": 8}),
            Sheet(raises={"odd": 1}),
            Sheet(skills=(Skill("x", "odd", 1),)),
            Sheet(advantages=(Advantage("x", 0),)),
            Sheet(protection=(Protection("x", 1, "agility"),)),
            Sheet(protection=(Protection("x", bought="agility"),)),
            *[Sheet(statistics={"power": 30}), Sheet(advantages=(Advantage("Luck", 1, 1),))] * 3,
        ]
        return rng.choice(
            [
                lambda: commands.OpenSession() if session is None else commands.CloseSession(session),
                lambda: commands.OpenSession() if session is None else commands.CloseSession(session),
                lambda: commands.SetDial(dial, rng.choice(DIAL_VALUES[dial]), "try it"),
                lambda: commands.SetDial(*rng.choice([("luck", 1), ("critical-juncture", 9)]), "try it"),
                lambda: commands.Enrol("Another", rng.choice(["ann", "gm"]), rng.choice(sheets)),
                lambda: commands.Enrol("Another", rng.choice(["ann", "gm"]), rng.choice(sheets)),
                lambda: (
                    commands.OpenScene("Elsewhere")
                    if not self.game.table().subjects("scene")
                    else commands.CloseScene(self.game.table().subjects("scene")[-1].id)
                ),
                lambda: commands.OpenScene("Elsewhere") if not self.game.table().subjects("scene") else BeginGame(),
                lambda: commands.HandOver(self.one(), rng.choice(["ann", "bob", "gm"])),
                lambda: commands.Retire(self.one(), "enough") if rng.random() < 0.2 else BeginGame(),
            ]
        )()

    # --- answers -----------------------------------------------------------------------------------------------------

    def faces(self, count: int, sides: int) -> Any:
        if self.rng.random() < 0.6:
            return None
        if self.rng.random() < 0.1:
            return (0,) * count
        return tuple(self.rng.randint(1, sides) for _ in range(count))

    def face(self) -> Any:
        return self.rng.choice([None, None, 1, 3, 6, 6, 7])

    def answer(self, question: Any) -> Any:
        rng = self.rng
        if isinstance(question, Roll):
            return Dice(question.sides, tuple(rng.randint(1, question.sides) for _ in range(question.count)))
        assert isinstance(question, Ask)
        kind = rng.choice(question.kinds)
        if kind is Oppose:
            return Choice(self.oppose())
        if kind is Consequences:
            return Choice(self.consequences())
        if kind is SpeakFor:
            return Choice(SpeakFor(rng.random() < 0.5, rng.choice(["so they said", "so they said", " "])))
        if kind is Hold:
            return Choice(Hold(rng.choice(["totals", "outcome"])))
        if kind is GoOnFor:
            return Choice(GoOnFor(rng.choice(["she left", "she left", " "])))
        return Choice(kind())

    def safe_answer(self, question: Any) -> Any:
        """Return an answer that always fits."""
        if isinstance(question, Roll):
            return self.answer(question)
        if GoOn in question.kinds:
            return Choice(GoOn())
        kind = question.kinds[min(1, len(question.kinds) - 1)]
        return Choice(Consequences("a scar") if kind is Consequences else kind())


def play_at_random(seed: int, rulings: int) -> Game:
    rng = Random(seed)
    dials = {name: rng.choice(values) for name, values in DIAL_VALUES.items() if rng.random() < 0.2}
    game = Game(**dials)
    for n in range(rng.choice([0, 0, 0, 0, 4])):
        game.enrol(f"Guard {n}", Sheet("regular"))
    for player in ("ann", "bob", "cid"):
        try_out(game, AwardDice(player, 3, "a good start"), "gm", Chance(game, rng))
    chance = Chance(game, rng)
    if seed % 5 == 0:
        try_out(game, commands.SetDial("forced_steps", "by_ledger", "faster"), "gm", chance)
    for do in in_the_middle(game, seed):
        try_out(game, do, "gm", chance)
    for _ in range(rulings):
        do, by = chance.word()
        try_out(game, do, by, chance)
    return game


def many() -> tuple[Game, ...]:
    """Return as many games as it takes to reach everything."""
    return _many()[0]


def refused_in_many() -> Heard:
    """Return what was refused in these games."""
    return _many()[1]


@cache
def _many() -> tuple[tuple[Game, ...], Heard]:
    with heard() as refusals:
        return tuple(play_at_random(seed, 120) for seed in range(500)), refusals


def try_out(game: Game, do: Any, by: str, chance: Chance) -> None:
    """Declare it with any answers. Record nothing if it is refused. After the first die, only answers may be unfit."""
    answers: list[Any] = []
    try:
        conversation, table = game.begin(do, by)
    except Refused as no:
        game.refused[no.code] += 1
        return
    rolled = False
    while conversation.question is not None:
        question = conversation.question
        answer = chance.answer(question)
        rolled = rolled or isinstance(question, Roll)
        try:
            conversation.answer(answer)
            answers.append(answer)
        except Unfit:  # asked again: on the answers so far, and one that fits
            conversation, table = game.begin(do, by)
            answers.append(chance.safe_answer(question))
            for earlier in answers:
                conversation.answer(earlier)
        except Refused as no:
            game.refused[no.code] += 1
            assert not rolled, f"refused after a roll: {do}"
            return
    assert conversation.verdict is not None
    game.record(do, table, answers, conversation.verdict)
