"""A table that plays at random: mostly what moves the game on, now and then anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any

from ledger.rules.kernel import commands
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.declarations import find_declarer, find_kind
from ledger.rules.kernel.questions import Ask, Choice, Dice, Flip, Flipped, Roll
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import CAMPAIGN, character
from ledger.rules.mongrel.attacks import Attack, CarryOut, DeclareAttack
from ledger.rules.mongrel.bargains import Sacrifice
from ledger.rules.mongrel.clock import SetClock
from ledger.rules.mongrel.conflict import CloseConflict, Coin, JoinConflict, LeaveConflict, OpenConflict
from ledger.rules.mongrel.credit import AdjustCredit, Barter, ChangeSocial, NoDeal, SpeakFor, TransferCredit
from ledger.rules.mongrel.damage import Heal, Shunt
from ledger.rules.mongrel.death import AnswerTerminal
from ledger.rules.mongrel.deeds import Act, Reveal, RollTask
from ledger.rules.mongrel.hits import Defend, Stand, TakeHit
from ledger.rules.mongrel.houses import EndVow, MakeVow, SetStatus, VowLine
from ledger.rules.mongrel.identities import Describe
from ledger.rules.mongrel.infernal import RefreshResolve, RefreshResolveByVow, SpendResolve
from ledger.rules.mongrel.points import RaiseFeature
from ledger.rules.mongrel.possessions import GainItem, MoveItem, PartWithItem, SellItem
from ledger.rules.mongrel.powers import AllocatePower
from ledger.rules.mongrel.proposals import Disallow, Judge, JudgeTask
from ledger.rules.mongrel.purchases import OccultPurchase, Purchase
from ledger.rules.mongrel.recovery import Recover, Rest
from ledger.rules.mongrel.sessions import AwardSession, AwardVow, MarkFeatures, NotePresent
from ledger.rules.mongrel.sorcery import Occult
from ledger.rules.mongrel.tables import EXPERTISE, OPTIONS, QUIET
from ledger.rules.mongrel.tasks import TaskDeclared, TaskResolved
from ledger.rules.mongrel.terms import ATTRIBUTES, HOUSES, IDENTITIES
from ledger.rules.mongrel.turns import Pass, TakeFront
from tests.rules.mongrel.game import AHVIA, GIAZZA, VOORUK, Game, but
from tests.rules.refusals import Heard, heard

DIAL_VALUES: dict[str, tuple[Any, ...]] = {
    "sheet_validation": ("strict", "warn"),
    "everything_max": (None, 6),
    "attribute_max": (7, None),
    "lowering_keeps_constraints": (False, True),
    "primary_must_stay_highest": (False, True),
    "house_status": (False, True),
    "zero_level_cost": ("as_level_1", "literal"),
    "vow_award": ("conforming", "addressing"),
    "effect_adds_tn": (False, True),
    "player_numbers": ("proposed", "trusted"),
    "player_tasks": ("trusted", "proposed"),
    "modifier_direction": ("hinder", "literal"),
    "special_cases_scope": ("only_when_needed", "always"),
    "low_longshot": (False, True),
    "npc_rolls": (True, False),
    "damage_track": ("cumulative", "per_hit"),
    "terminal_basis": ("physique", "size"),
    "exact_size_costs_physique": (False, True),
    "weapon_bonus_cap": (None, 2, 1),
    "last_resolve_point_saves": (False, True),
    "collapsed_may_speak": (False, True),
    "collapsed_hit_kinds": ("physical", "any"),
    "resist_defends_chill": (False, True),
    "resist_method": ("subtract", "cancel"),
    "occult_attack_hits": ("resolve", "mimicked"),
    "zero_resolve_collapse": ("any_cause", "spiritual_only"),
    "ap_refresh": ("to_max", "over_max"),
    "ap_refresh_amount": ("flat", "half_speed", "physique"),
    "ap_refresh_flat": (3, 0, 5),
    "starting_ap_bonus": (0, 2),
    "recovery_bars_defence": (True, False),
    "dealings_in_conflict": ("free", "actions"),
    "dice_before_defence": (True, False),
    "failed_untargeted_costs_ap": (False, True),
    "resolve_ap_may_exceed_max": (True, False),
    "resolve_ap_ends_collapse": (True, False),
    "fatigue_counts": ("refreshes", "all_recoveries"),
    "fatigue_uses_damaged_physique": (False, True),
    "purchase_same_die": (True, False),
    "purchase_social_strict": (False, True),
}
NAMES = (*EXPERTISE, "nonsense")
EVERY_OPTION = tuple(dict.fromkeys(option for listed in OPTIONS.values() for option in listed))


class Chance:
    """Somebody at the table who mostly plays on and now and then tries anything."""

    def __init__(self, game: Game, rng: Random) -> None:
        self.game = game
        self.rng = rng
        #: What was declared and how it was refused (None: it was not).
        self.met: set[tuple[str, str | None]] = set()

    def word(self) -> Any:
        """Something to declare."""
        dying = [id for id in self.game.everybody() if self.game.character(id).dying]
        conflict = self.in_conflict()
        if dying and self.rng.random() < 0.3:
            there = conflict and dying[0] in conflict.queue and self.rng.random() < 0.5
            leave = LeaveConflict if there else commands.Retire
            return leave(dying[0], "enough")
        if dying and self.rng.random() < 0.7:
            return AnswerTerminal(dying[0], self.rng.random() < 0.8, self.rng.random() < 0.5)
        return self.rng.choice(self.words())()

    def words(self) -> list[Any]:
        """In a conflict mostly what is done there."""
        fight = [
            self.attack,
            self.attack,
            self.attack,
            self.declare,
            self.carry_out,
            self.turn,
            self.front,
            self.task,
            self.buy,
        ]
        quiet = [
            self.task,
            self.occult,
            self.hit,
            self.heal,
            self.resolve_,
            self.refresh,
            self.recover,
            self.recover,
            self.rest,
            self.raise_,
            self.raise_,
            self.raise_,
            self.raise_,
            self.buy,
            self.credit,
            self.award,
            self.award,
            self.mark,
            self.vow,
            self.vow,
            self.kernel,
            self.open_,
            self.bargain,
            self.words_,
            self.own,
            self.own,
            self.tire,
            self.enrol,
            self.enrol,
        ]
        return fight * 3 + quiet if self.in_conflict() else fight[:1] + quiet + [self.open_] * 3

    def in_conflict(self) -> Any:
        place = self.game.table().scene
        return self.game.state(place).conflict if place is not None else None

    # --- parts -------------------------------------------------------------------------------------------------------

    def one(self) -> str:
        return self.rng.choice(self.game.everybody())

    def head(self) -> str:
        conflict = self.in_conflict()
        return conflict.queue[0] if conflict and conflict.queue and self.rng.random() < 0.85 else self.one()

    def number(self, most: int = 4) -> Any:
        return self.rng.choice([*range(most + 1), *range(most + 1), -1, 99, "2", True, None])

    def small(self, most: int = 4) -> int:
        return self.rng.randint(0, most)

    def expertise(self) -> str:
        return self.rng.choice(NAMES)

    def attribute(self) -> str:
        return self.rng.choice((*ATTRIBUTES, *ATTRIBUTES, "luck"))

    def possession(self, id: str | None = None) -> str:
        """Mostly one that somebody has."""
        had = [own for one in ([id] if id else self.game.everybody()) for own in self.game.character(one).possessions]
        return "77" if not had or self.rng.random() < 0.1 else str(self.rng.choice(had))

    def power(self) -> tuple[str, ...]:
        return tuple(self.rng.choices(EVERY_OPTION, k=self.rng.choice([0, 0, 0, 1, 2])))

    # --- words -------------------------------------------------------------------------------------------------------

    def attack(self) -> Any:
        rng = self.rng
        more: dict[str, Any] = {
            "weapon": self.small(3),
            "armour": self.small(2),
            "difficulty": self.small(),
            "taken_off": self.small(2),
        }
        if rng.random() < 0.2:
            more["weapon"] = self.number()
            more["hit_kind"] = rng.choice(["physical", "spiritual", "none", "odd"])
            more["defend"] = rng.choice([True, False, None])
            more["faces"] = tuple(rng.choice([1, 2, 3, 4, 5, 6, 7]) for _ in range(rng.randint(1, 4)))
            more["shunt"] = self.number(2)
        actor, target = self.head(), self.one()
        if rng.random() < 0.4:
            more |= {"weapon": rng.choice([0, 0, 1]), "weapon_used": self.possession(actor)}
        if rng.random() < 0.3:
            more |= {"armour": rng.choice([0, 0, 1]), "armour_worn": self.possession(target)}
        expertise = rng.choice(("rend", "burn", "chill", "melee", self.expertise()))
        if "faces" in more and rng.random() < 0.5:
            dice = self.game.character(actor).expertise.get(expertise, 0) or 2
            more["faces"] = tuple(rng.choice([1, 2, 3, 4, 5, 6, 7]) for _ in range(dice))
        if rng.random() < 0.2:
            more["target_attribute"] = self.attribute()
        return Attack(actor, target, expertise, self.attribute(), **more)

    def declare(self) -> Any:
        return DeclareAttack(self.head(), self.one(), self.rng.choice(("rend", "chill")), self.attribute())

    def carry_out(self) -> Any:
        return CarryOut(self.rng.choice([None, True, False]))

    def turn(self) -> Any:
        if self.rng.random() < 0.5:
            return Pass(self.head(), self.rng.choice(["", "", "looks around"]))
        return Act(self.head(), self.expertise(), self.attribute(), difficulty=self.small())

    def front(self) -> Any:
        return TakeFront(self.one())

    def task(self) -> Any:
        rng, expertise = self.rng, self.expertise()
        power = self.power() if expertise not in OPTIONS else tuple(rng.choices(OPTIONS[expertise], k=3))
        return RollTask(
            self.head(),
            expertise,
            rng.choice(("own", "target", "target", "both")),
            self.attribute(),
            power,
            rng.choice([None, self.one()]),
            "a wall",
            rng.choice([None, None, self.number(8)]),
            rng.choice([0, 1, 4, self.number()]),
            taken_off=self.small(2),
            purpose="to get in",
        )

    def occult(self) -> Any:
        rng = self.rng
        return Occult(
            self.one(),
            rng.choice([1, 2, self.number()]),
            self.expertise(),
            rng.choice(("own", "target")),
            rng.choice(ATTRIBUTES),
            target=rng.choice([None, self.one()]),
            thing="a wall",
            score=rng.choice([None, 3]),
            hit_kind=rng.choice([None, None, "none", "physical", "spiritual"]),
            weapon=self.small(2),
            others=rng.choice([(), (), (self.one(),)]),
            since=self.since(),
        )

    def hit(self) -> Any:
        rng = self.rng
        kind = rng.choice(("physical", None, "spiritual", "odd"))
        id, effect = self.one(), self.number(7)
        if self.in_conflict() and rng.random() < 0.4:
            id, effect, kind = self.head(), rng.randint(8, 24), "physical"
        worn = rng.choice([None, self.possession(id)])
        shunt = self.rng.choice([None, None, self.number(3)])
        weapon, armour = self.small(2), rng.choice([0, 0, 2])
        ruling, effect = self.task_against(id, effect) if kind in ("spiritual", None) else (None, effect)
        wielder = rng.choice([None, None, self.one()])
        used = rng.choice([None, self.possession(wielder)]) if rng.random() < 0.5 else None
        return TakeHit(
            id,
            effect,
            kind,
            0 if used and rng.random() < 0.7 else weapon,
            armour,
            shunt,
            ruling=ruling,
            armour_worn=worn,
            wielder=wielder,
            weapon_used=used,
        )

    def task_against(self, id: str, effect: int) -> tuple[str | None, int]:
        """The number and the Effect of a task against the character that hit nobody yet; else none, and this Effect."""
        cited = self.game.past.told(character(id)).citation_counts
        for past in reversed(self.game.history):
            done: dict[Any, Any] = {type(told.fact): told.fact for _, told in past.facts}
            aimed, rolled = done.get(TaskDeclared), done.get(TaskResolved)
            if aimed is not None and rolled is not None and aimed.target == id and str(past.number) not in cited:
                return str(past.number), rolled.effect
        return None, effect

    def heal(self) -> Any:
        """Half of the time what can heal."""
        rng = self.rng
        hurt = [(id, self.game.character(id).damage) for id in self.game.everybody()]
        hurt = [(id, damage) for id, damage in hurt if damage > 0]
        if hurt and rng.random() < 0.5:
            id, damage = rng.choice(hurt)
            return Heal(id, rng.randint(1, damage), end_terminal=rng.random() < 0.5, reason="a night's sleep")
        return Heal(self.one(), self.number(3), self.small(1), self.small(1), rng.random() < 0.3)

    def resolve_(self) -> Any:
        return SpendResolve(self.one(), self.rng.choice([1, 2, self.number()]))

    def refresh(self) -> Any:
        if self.rng.random() < 0.4:
            sworn = [id for id in self.game.everybody() if self.game.character(id).vows] or [self.one()]
            id = self.rng.choice([self.one(), *sworn])
            return RefreshResolveByVow(id, "they burn it down", self.rng.choice([None, "revenge"]))
        return RefreshResolve(
            self.one(), self.rng.choice((*QUIET, "brawling")), self.rng.choice([60, 59, None]), self.since()
        )

    def recover(self) -> Any:
        id = self.head()
        if self.game.ap(id) > 2 and self.rng.random() < 0.7:
            return commands.Adjust(f"character:{id}/ap", "bank/ap", "ap", 2, "a long chase")
        clock = self.game.state(CAMPAIGN).clock or 0
        return Recover(id, self.rng.choice([clock, clock, clock + 5, self.number()]))

    def rest(self) -> Any:
        if self.rng.random() < 0.3:
            return SetClock(self.number(), self.rng.choice(["it is later", " "]))
        return Rest(self.one(), self.number(6), self.rng.choice([1, 3, self.number(7)]), self.since())

    def since(self) -> Any:
        return self.rng.choice([None, None, 0, self.number()])

    def buy(self) -> Any:
        rng = self.rng
        id, seller = self.head(), rng.choice([None, self.one(), self.one()])
        return Purchase(
            id,
            rng.choice(("a lamp", "a lamp", "a lamp", " ")),
            rng.choice((*HOUSES, "oz")),
            rng.choice(("negotiate", "convince", self.expertise())),
            seller=seller,
            social=rng.choice([2, 3, self.number(7)]),
            difficulty=self.small(1),
            available=rng.random() < 0.9,
            sacrifice=rng.choice([None, None, self.number(2)]),
            weapon=rng.choice([None, None, 1, self.number(3)]),
            armour=rng.choice([None, None, self.number(2)]),
            possession=rng.choice([None, self.possession(seller)]) if seller else rng.choice([None, None, "77"]),
            agreed=rng.choice([None, None, "so he says", " "]),
        )

    def bargain(self) -> Any:
        """Now and then of somebody who resists well."""
        rng, game = self.rng, self.game
        if rng.random() < 0.4:
            return OccultPurchase(game.vooruk, "a lamp", "mekag", 1, seller=game.ahvia)
        return OccultPurchase(
            self.one(),
            "a lamp",
            rng.choice(HOUSES),
            rng.choice([1, 1, 2, self.number()]),
            rng.choice(("negotiate", "negotiate", self.expertise())),
            seller=rng.choice([None, self.one()]),
            social=rng.choice([1, 2, 3]),
            sacrifice=rng.choice([None, None, 1, 9]),
        )

    def own(self) -> Any:
        rng, id = self.rng, self.one()
        if rng.random() < 0.5:
            return GainItem(
                id, rng.choice(("a blade", "mail", "a hat", " ")), rng.choice([None, 2]), rng.choice([None, 1, 1, -1])
            )
        if rng.random() < 0.4:
            return SellItem(
                id,
                self.possession(id),
                rng.choice((*HOUSES, "oz")),
                rng.choice([1, 1, 2, self.number()]),
                rng.choice([None, self.one(), self.game.giazza]),
                "a stranger",
            )
        if rng.random() < 0.4:
            gone = [one for one in self.game.everybody() if self.game.character(one).dead] or [id]
            id = rng.choice([id, *gone])
            why = rng.choice(["it is looted", " "])
            return MoveItem(id, self.possession(id), why, rng.choice([None, self.one()]))
        return PartWithItem(id, self.possession(id), rng.choice([None, self.one()]), "so")

    def words_(self) -> Any:
        rng = self.rng
        return rng.choice(
            [
                lambda: Describe(self.one(), "tall"),
                lambda: Reveal(self.one(), rng.choice(["a curse", " "]), rng.choice([None, "3"])),
                lambda: LeaveConflict(self.one(), "thrown out"),
                lambda: AnswerTerminal(self.one(), True),
            ]
        )()

    def credit(self) -> Any:
        rng, houses = self.rng, (*HOUSES, "oz")
        return rng.choice(
            [
                lambda: TransferCredit(self.one(), rng.choice(houses), rng.choice(houses), self.number(2)),
                lambda: AdjustCredit(self.one(), rng.choice(houses), rng.choice([-1, 2, self.number()])),
                lambda: ChangeSocial(self.one(), self.number(7)),
                lambda: Barter(self.one(), "two chickens"),
            ]
        )()

    def award(self) -> Any:
        if self.rng.random() < 0.5:
            return AwardVow(self.one(), self.rng.random() < 0.7)
        if self.rng.random() < 0.3:
            those = self.rng.choice([(), (self.one(),), (self.one(), self.one())])
            return NotePresent(those, self.rng.choice([None, None, None, "77"]))
        session = self.rng.choice([None] * 9 + ["77"])
        return AwardSession(self.rng.choice([1, 1, 1, 2, self.number()]), session)

    def raise_(self) -> Any:
        rng, last = self.rng, self.game.state(CAMPAIGN).closed
        session = self.game.table().session
        if rng.random() < 0.3 or (session is None and rng.random() < 0.5):
            return commands.CloseSession(session) if session else commands.OpenSession()
        used = [
            (id, name)
            for id in self.game.everybody()
            for one in self.game.character(id).used
            if one.session == last
            for name in one.features
        ]
        id, feature = rng.choice([*used, (self.one(), rng.choice([*IDENTITIES, *ATTRIBUTES, "rend", "luck"]))])
        risen = [pair for pair in used if pair[1] in ("speed", "spirit", "social")]
        if risen and rng.random() < 0.3:
            id, feature = rng.choice(risen)
        if self.game.cp(id) < 20 and rng.random() < 0.5:
            return commands.Adjust("bank/cp", f"character:{id}/cp", "cp", 30, "a long campaign")
        return RaiseFeature(id, feature, rng.choice([None, None, *IDENTITIES]), rng.choice([None, None, *EVERY_OPTION]))

    def mark(self) -> Any:
        rng = self.rng
        return rng.choice(
            [
                lambda: MarkFeatures(
                    self.one(),
                    tuple(rng.choices((*IDENTITIES, *ATTRIBUTES, *NAMES), k=3)),
                    session=rng.choice([None, None, None, self.game.state(CAMPAIGN).last_session, "77"]),
                ),
                lambda: AllocatePower(self.one(), rng.choice(EVERY_OPTION), self.number(2)),
                lambda: SetStatus(self.one(), self.number()),
            ]
        )()

    def vow(self) -> Any:
        rng, id = self.rng, self.one()
        made = [vow.object for vow in self.game.character(id).vows]
        if rng.random() < 0.5:
            how, why = rng.choice(("fulfilled", "ended", "odd")), rng.choice(("It is done.", "So be it.", " "))
            return EndVow(id, rng.choice([*made, *made, "love"]), how, why)
        return MakeVow(id, rng.choice(["revenge", "revenge", "nuin", " "]), rng.choice(["goal", "house"]))

    def open_(self) -> Any:
        rng = self.rng
        coins = rng.choice([None, None, (), (Coin(self.one(), self.one()),)])
        ways: list[Callable[[], Any]] = [
            lambda: OpenConflict(tuple(rng.sample(self.game.everybody(), 2)), coins),
            lambda: OpenConflict(tuple(rng.sample(self.game.everybody(), 3)), coins),
            lambda: OpenConflict(()) if rng.random() < 0.1 else JoinConflict(self.one()),
            CloseConflict,
        ]
        return rng.choice(ways)()

    def sheet(self) -> Any:
        """One of the book's, whole, or with anything wrong about it."""
        rng, sheet = self.rng, self.rng.choice([AHVIA, VOORUK, GIAZZA])
        if rng.random() < 0.2:
            return but(sheet, npc=True)
        picks = tuple(rng.choices((*EXPERTISE, "luck"), k=rng.choice([2, 3])))
        lowered = {**sheet.attributes, rng.choice(ATTRIBUTES): rng.choice([1, 0, 7, None])}
        missing = {name: score for name, score in sheet.attributes.items() if name != "speed"}
        new: dict[str, tuple[Any, ...]] = {
            "house": ("oz",),
            "man": (0, 1, 6, -1, "2"),
            "beast": (0, 3, 4),
            "demon": (0, 5),
            "primary": ("elf", "man"),
            "body": ("slug",),
            "sex": ("it", "male", "female"),
            "age": ("new", "young", "adult", "old"),
            "size": (1, 4, 9),
            "spirit": (2, 6),
            "physique": (2, 6),
            "beauty": (2, 6),
            "speed": (1, 5),
            "social": (3, 4, 5, 6),
            "attributes": (missing, {**sheet.attributes, "luck": 3}),
            "plus_two": (picks,),
            "plus_three": (picks, sheet.plus_two),
            "lowered": (lowered, lowered, missing, None),
            "power": ({"wings": 9}, {"horns": 1}, {rng.choice(EVERY_OPTION): -1}),
            "expertise": ({"rend": 9}, {"luck": 1}),
            "vows": ((VowLine(" "),),),
        }
        if rng.random() < 0.3:  # old, and against the guideline of the sexes
            weak = {"age": "old", "sex": "male", "physique": 2, "beauty": 6}
            return but(GIAZZA, **weak, speed=rng.choice([2, 4]), social=rng.choice([4, 5]))
        if rng.random() < 0.2:  # against it, and of too much standing for that
            return but(GIAZZA, physique=2, beauty=6, speed=3, social=5)
        wrong = rng.sample([*new, "lowered"], rng.choice([1, 1, 2, 3]))
        if "attributes" in wrong:
            wrong = ["attributes"]
        return but(sheet, **{name: rng.choice(new[name]) for name in wrong})

    def enrol(self) -> Any:
        return commands.Enrol("Another", "q", self.sheet())

    def tire(self) -> Any:
        """The one with the least Physique, who hurries on: refreshed, and worn out again."""
        id, clock = self.game.ahvia, self.game.state(CAMPAIGN).clock or 0
        if self.game.ap(id) > 1:
            return commands.Adjust(f"character:{id}/ap", "bank/ap", "ap", self.game.ap(id) - 1, "a long chase")
        return Recover(id, clock)

    def kernel(self) -> Any:
        rng, session = self.rng, self.game.table().session
        dial = rng.choice(list(DIAL_VALUES))
        return rng.choice(
            [
                lambda: commands.OpenSession() if session is None else commands.CloseSession(session),
                lambda: commands.OpenSession() if session is None else commands.CloseSession(session),
                lambda: commands.SetDial(dial, rng.choice(DIAL_VALUES[dial]), "try it"),
                lambda: commands.OpenScene("Elsewhere"),
                lambda: (
                    commands.CloseScene(self.game.table().subjects("scene")[-1].id)
                    if self.game.table().subjects("scene")
                    else commands.OpenScene("Here")
                ),
                lambda: commands.Retire(self.one(), "enough"),
            ]
        )()

    # --- answers -----------------------------------------------------------------------------------------------------

    def answer(self, question: Any) -> Any:
        rng = self.rng
        if isinstance(question, Roll):
            return Dice(question.sides, tuple(rng.randint(1, question.sides) for _ in range(question.count)))
        if isinstance(question, Flip):
            return Flipped(tuple(rng.choice(("heads", "tails")) for _ in range(question.count)))
        assert isinstance(question, Ask)
        kind = rng.choice(question.kinds)
        if kind is Shunt:
            return Choice(Shunt(rng.choice([0, 1, 2])))
        if kind is Sacrifice:
            return Choice(Sacrifice(rng.choice([1, 1, 2])))
        if kind is SpeakFor:
            agreed = rng.random() < 0.8
            amount = rng.choice([None, 1]) if agreed else None
            return Choice(SpeakFor(agreed, rng.choice(["so he says", " "]), amount))
        if kind in (Judge, JudgeTask):
            return Choice(self.judge(question, kind))
        if kind in (Defend, Stand) and rng.random() < 0.3:
            return Choice(kind(armour_worn=self.possession()))
        return Choice(kind())

    def judge(self, question: Ask, kind: type[Any]) -> Any:
        """Mostly what is missing, now and then anything else."""
        rng = self.rng
        if "What is" in question.purpose:
            if rng.random() < 0.2:
                return kind()
            name = "social" if "seller" in question.purpose else "score"
            return kind(**{name: rng.choice([1, 2, 3, 4])})
        if kind is JudgeTask and rng.random() < 0.5:
            task = {"side": "own", "attribute": rng.choice((*ATTRIBUTES, "luck")), "power": ()}
            name = rng.choice(list(task))
            return kind(**{name: task[name]})
        times = ("minutes", "minute") if kind is Judge else ()
        name = rng.choice(("weapon", "armour", "difficulty", "taken_off", *times))
        return kind(**{name: rng.choice([None, None, 1, 2, 60])}, reason=rng.choice(["", "It is."]))

    def safe_answer(self, question: Any) -> Any:
        """One that always fits."""
        if isinstance(question, Ask):
            safe = (Disallow, Shunt, NoDeal)
            return Choice(next((kind for kind in safe if kind in question.kinds), question.kinds[-1])())
        return self.answer(question)


def play_at_random(seed: int, rulings: int) -> Game:
    return campaign(seed, rulings).game


def campaign(seed: int, rulings: int, **dials: Any) -> Chance:
    """Under random dials; or under these, the others as usual."""
    rng = Random(seed)
    dials = dials or {name: rng.choice(values) for name, values in DIAL_VALUES.items() if rng.random() < 0.2}
    dials.pop("everything_max", None)  # Vooruk has Physique 7
    game = Game(**dials)
    game.enrol("Twin", but(VOORUK, power={}), "q")  # whose Power is yet to be allocated
    return sit_down(game, rng, rulings)


def sit_down(game: Game, rng: Random, rulings: int) -> Chance:
    """Somebody plays on at this table, so many rulings."""
    chance = Chance(game, rng)
    try_out(game, commands.OpenSession(), chance)
    for id in game.everybody():
        blade, mail = rng.choice([None, 1, 2]), rng.choice([None, 1])
        try_out(game, GainItem(id, "what one has", blade, mail, "always had it"), chance)
        game.declare(commands.Adjust("bank/cp", f"character:{id}/cp", "cp", rng.choice([40, 40, 3]), "a campaign"))
    for _ in range(rulings):
        try_out(game, chance.word(), chance)
    return chance


@dataclass
class Reached:
    """What random play has come across. `met`: what was declared and how it was refused (None: it was not)."""

    told: set[type[Any]] = field(default_factory=set)
    cited: set[str] = field(default_factory=set)
    met: set[tuple[str, str | None]] = field(default_factory=set)
    heard: Heard = field(default_factory=Heard)
    said: set[type[Any]] = field(default_factory=set)
    declared: set[type[Any]] = field(default_factory=set)


@lru_cache(maxsize=1)
def reached() -> Reached:
    """In five hundred campaigns, half of them under the usual dials."""
    with heard() as refusals:
        found = Reached(heard=refusals)
        for seed in range(500):
            _look_through(campaign(seed, 100, **({"recovery_bars_defence": True} if seed % 2 else {})), found)
    return found


def _look_through(chance: Chance, found: Reached) -> None:
    found.met |= chance.met
    found.told |= {type(about.fact) for verdict in chance.game.verdicts for about in verdict.facts}
    found.cited |= {one.rule for verdict in chance.game.verdicts for one in verdict.because}
    answers = [one.answer for past in chance.game.history for one in past.said]
    found.said |= {type(one.value) for one in answers if isinstance(one, Choice)}
    found.declared |= {type(past.declared) for past in chance.game.history}


def somebody(game: Game, do: Any, rng: Random) -> str:
    """Who declares it: mostly a game master; now and then whoever plays the character it is for."""
    declarer = find_declarer(do)
    if declarer.of is None or rng.random() < 0.7:
        return "gm"
    table = game.table()
    whose = declarer.of(table, do)
    return table.owner(character(whose)) if whose and table.has(character(whose)) else "gm"


def try_out(game: Game, do: Any, chance: Chance) -> Verdict[Any] | None:
    """Declare it with whatever answers; None when it is refused. After the first die only answers may be unfit."""
    answers: list[Any] = []
    by = somebody(game, do, chance.rng)
    try:
        conversation, table = game.begin(do, by)
    except Refused as no:
        chance.met |= {(find_kind(do), code) for code in (no.code, *no.context.get("faults", ()))}
        return None
    rolled = False
    while conversation.question is not None:
        question = conversation.question
        answer = chance.answer(question)
        rolled = rolled or isinstance(question, Roll)
        try:
            try:
                conversation.answer(answer)
                answers.append(answer)
            except Unfit as no:  # asked again: on the answers so far, and one that fits
                chance.met.add((find_kind(do), no.code))
                conversation, table = game.begin(do, by)
                for earlier in (*answers, chance.safe_answer(question)):
                    conversation.answer(earlier)
                answers.append(chance.safe_answer(question)) if not isinstance(question, Roll) else None
        except Refused:
            assert not rolled, f"refused after a roll: {do}"
            return None
    assert conversation.verdict is not None
    chance.met.add((find_kind(do), None))
    return game.record(do, table, answers, conversation.verdict)


__all__ = ["DIAL_VALUES", "Chance", "character", "play_at_random", "try_out"]
