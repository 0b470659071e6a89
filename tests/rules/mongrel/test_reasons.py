"""Why: the steps behind rulings of every chapter, each with the numbers that go in and what comes out.

Ahvia has Size 2, Spirit 6, Physique 3, Beauty 5, Speed 6, Social 2; Vooruk 5, 3, 7, 1, 3, 5; Giazza 4, 4, 6, 2, 4, 4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ledger.rules.kernel.contract import Verdict
from ledger.rules.mongrel.attacks import Attack
from ledger.rules.mongrel.conflict import CloseConflict, JoinConflict, LeaveConflict, OpenConflict
from ledger.rules.mongrel.credit import AdjustCredit, Barter, ChangeSocial, TransferCredit
from ledger.rules.mongrel.damage import Heal, Shunt
from ledger.rules.mongrel.death import AnswerTerminal
from ledger.rules.mongrel.deeds import Act, Reveal, RollTask
from ledger.rules.mongrel.hits import Defend, Stand, TakeHit
from ledger.rules.mongrel.houses import EndVow, MakeVow
from ledger.rules.mongrel.identities import Describe
from ledger.rules.mongrel.infernal import RefreshResolve, SpendResolve
from ledger.rules.mongrel.points import RaiseFeature
from ledger.rules.mongrel.possessions import GainItem, PartWithItem
from ledger.rules.mongrel.purchases import Purchase
from ledger.rules.mongrel.recovery import Recover, Rest
from ledger.rules.mongrel.sessions import AwardSession
from ledger.rules.mongrel.sorcery import Occult
from ledger.rules.mongrel.turns import Pass, TakeFront
from tests.rules.mongrel.game import AHVIA, Game

Situation = Callable[[Game], Verdict[Any]]


def enrolled(g: Game) -> Verdict[Any]:
    g.enrol("Twin", AHVIA)
    return g.verdicts[-1]


def sense(g: Game) -> Verdict[Any]:
    return g.does(RollTask(g.vooruk, "sense", "own", "physique", difficulty=1, reason="dark"), (2, 5))


def zero(g: Game) -> Verdict[Any]:
    return g.does(RollTask(g.giazza, "seduce", "target", "social", target=g.vooruk), (3, 5))


def with_option(g: Game) -> Verdict[Any]:
    return g.does(RollTask(g.ahvia, "stalk", "own", "beauty", power=("wings",)), (2, 6, 1))


def by_itself(g: Game) -> Verdict[Any]:
    return g.does(RollTask(g.ahvia, "diabolic_power", "own", "spirit", power=("wings",)), (2, 6))


def queue(g: Game) -> Verdict[Any]:
    return g.does(OpenConflict((g.ahvia, g.vooruk, g.giazza)))


def passed(g: Game) -> Verdict[Any]:
    g.conflict()
    return g.does(Pass(g.vooruk))


def front(g: Game) -> Verdict[Any]:
    g.conflict()
    return g.does(TakeFront(g.ahvia))


def rushed(g: Game) -> Verdict[Any]:
    g.conflict()
    g.gives(g.vooruk, "ap", -2)
    return g.does(Pass(g.vooruk))


def discombobulated(g: Game) -> Verdict[Any]:
    g.conflict()
    g.gives(g.vooruk, "ap", -3)
    return g.does(Pass(g.vooruk))


def left(g: Game) -> Verdict[Any]:
    g.conflict()
    return g.does(LeaveConflict(g.giazza, "she goes"))


def joined(g: Game) -> Verdict[Any]:
    g.conflict(g.ahvia, g.vooruk)
    return g.does(JoinConflict(g.giazza))


def closed(g: Game) -> Verdict[Any]:
    g.conflict()
    return g.does(CloseConflict())


def undefended(g: Game) -> Verdict[Any]:
    g.conflict()
    return g.does(Attack(g.vooruk, g.giazza, "rend", "physique"), Stand(), (2, 2, 2, 3), Shunt())


def defended(g: Game) -> Verdict[Any]:
    g.conflict()
    return g.does(Attack(g.vooruk, g.giazza, "rend", "physique"), Defend(), (2, 2, 2, 6), Shunt())


def untargeted(g: Game) -> Verdict[Any]:
    g.conflict()
    return g.does(Act(g.vooruk, "sense", "physique"), (6, 6))


def shunted(g: Game) -> Verdict[Any]:
    return g.plays(TakeHit(g.vooruk, 6, shunt=1))


def hit(g: Game) -> Verdict[Any]:
    return g.plays(TakeHit(g.giazza, 5, weapon=2, armour=1, shunt=0))


def clear(g: Game) -> Verdict[Any]:
    g.hit(g.giazza, 7)
    return g.hit(g.giazza, 4)


def terminal(g: Game) -> Verdict[Any]:
    return g.hit(g.giazza, 30)


def resisted_death(g: Game) -> Verdict[Any]:
    g.hit(g.giazza, 30)
    return g.does(AnswerTerminal(g.giazza, True))


def gave_up(g: Game) -> Verdict[Any]:
    g.hit(g.giazza, 30)
    return g.does(AnswerTerminal(g.giazza, False))


def healed(g: Game) -> Verdict[Any]:
    g.hit(g.giazza, 5)
    return g.does(Heal(g.giazza, damage=2, reason="a doctor"))


def chilled(g: Game) -> Verdict[Any]:
    return g.chill(g.giazza, 3)


def chilled_out(g: Game) -> Verdict[Any]:
    return g.chill(g.giazza, 9)


def resolve_for_ap(g: Game) -> Verdict[Any]:
    return g.does(SpendResolve(g.giazza, 2))


def all_resolve(g: Game) -> Verdict[Any]:
    return g.does(SpendResolve(g.giazza, 4))


def quiet_hour(g: Game) -> Verdict[Any]:
    g.does(SpendResolve(g.giazza, 2))
    return g.does(RefreshResolve(g.giazza, "meditating", 60))


def recovered(g: Game) -> Verdict[Any]:
    g.gives(g.vooruk, "ap", -2)
    return g.does(Recover(g.vooruk, 1))


def recovered_giazza(g: Game) -> Verdict[Any]:
    g.gives(g.giazza, "ap", -3)
    return g.does(Recover(g.giazza, 1))


def rested(g: Game) -> Verdict[Any]:
    return g.does(Rest(g.giazza, 5, 4))


def not_enough(g: Game) -> Verdict[Any]:
    return g.does(Rest(g.giazza, 3, 4))


def occult(g: Game) -> Verdict[Any]:
    return g.does(Occult(g.ahvia, 2, "stalk", "own", "beauty"), (2,))


def vow(g: Game) -> Verdict[Any]:
    return g.does(MakeVow(g.ahvia, "revenge"))


def vow_end(g: Game) -> Verdict[Any]:
    g.does(MakeVow(g.ahvia, "revenge"))
    return g.does(EndVow(g.ahvia, "revenge", "fulfilled", "It is done."))


def described(g: Game) -> Verdict[Any]:
    return g.does(Describe(g.ahvia, "smoke"))


def revealed(g: Game) -> Verdict[Any]:
    return g.does(Reveal(g.ahvia, "a curse"))


def bought(g: Game) -> Verdict[Any]:
    return g.plays(Purchase(g.ahvia, "a blade", "mekag", faces=(2,), weapon=2, social=4))


def bought_from(g: Game) -> Verdict[Any]:
    return g.plays(Purchase(g.vooruk, "a blade", "mekag", seller=g.giazza, faces=(2, 6)))


def item(g: Game) -> Verdict[Any]:
    return g.does(GainItem(g.ahvia, "a shield", armour=2, reason="found"))


def parted(g: Game) -> Verdict[Any]:
    g.does(GainItem(g.ahvia, "a shield", armour=2))
    id = next(iter(g.character(g.ahvia).possessions))
    return g.does(PartWithItem(g.ahvia, id, g.vooruk, "a gift"))


def credit_moved(g: Game) -> Verdict[Any]:
    return g.does(TransferCredit(g.vooruk, "mekag", "nuin", 2))


def credit_set(g: Game) -> Verdict[Any]:
    return g.does(AdjustCredit(g.vooruk, "nuin", 3, "a favour"))


def social(g: Game) -> Verdict[Any]:
    return g.does(ChangeSocial(g.vooruk, 3, "disgrace"))


def barter(g: Game) -> Verdict[Any]:
    return g.does(Barter(g.ahvia, "two chickens"))


def awarded(g: Game) -> Verdict[Any]:
    n = g.session((g.ahvia, ("know",)))
    return g.does(AwardSession(2, n))


def raised(g: Game) -> Verdict[Any]:
    g.session((g.ahvia, ("know", "social")))
    g.gives(g.ahvia, "cp", 60)
    return g.does(RaiseFeature(g.ahvia, "know"))


def raised_attribute(g: Game) -> Verdict[Any]:
    g.session((g.ahvia, ("know", "social")))
    g.gives(g.ahvia, "cp", 60)
    return g.does(RaiseFeature(g.ahvia, "social"))


def raised_speed(g: Game) -> Verdict[Any]:
    g.session((g.giazza, ("speed",)))
    g.gives(g.giazza, "cp", 60)
    return g.does(RaiseFeature(g.giazza, "speed"))


def burn(g: Game) -> Verdict[Any]:
    g.conflict()
    return g.does(Attack(g.vooruk, g.giazza, "chill", "spirit", command="kneel"), Stand(), (2, 2))


#: What was done, and why it came out so: the rule, what it was given, what came of it.
REASONS: tuple[tuple[Situation, tuple[tuple[str, dict[str, Any], Any], ...]], ...] = (
    (
        enrolled,
        (
            ("house.membership", {}, "mekag"),
            ("identity.primary", {"man": 2, "beast": 0, "demon": 4}, "demon"),
            ("identity.body", {"forms": ["human"]}, "human"),
            ("identity.split", {}, 6),
            ("attr.range", {}, {"size": 2, "spirit": 6, "physique": 3, "beauty": 5, "speed": 6, "social": 2}),
            ("attr.size-spirit", {"primary": "demon"}, 8),
            ("attr.physique-beauty", {"sex": "female", "guideline": True}, 8),
            ("attr.speed-social", {"age": "young"}, 8),
            ("expertise.step1", {"of": "demon"}, 1),
            ("expertise.step2", {}, ["know", "lie"]),
            ("expertise.step3", {}, ["diabolic_power", "athletics"]),
            ("expertise.step4", {}, ["burn", "chill"]),
            (
                "expertise.stack",
                {"step1": "demon"},
                {
                    "know": 4,
                    "resist": 2,
                    "burn": 2,
                    "chill": 2,
                    "lie": 4,
                    "occult": 1,
                    "diabolic_power": 3,
                    "missile": 1,
                    "stalk": 1,
                    "sense": 1,
                    "convince": 1,
                    "negotiate": 1,
                    "seduce": 1,
                    "athletics": 2,
                },
            ),
            ("power.allocate", {"power": "diabolic_power"}, 3),
            ("derived.ap", {"speed": 6}, 6),
            ("derived.resolve", {"spirit": 6}, 6),
            ("derived.wound", {}, [2, 5, 8]),
            ("credit.start", {"house": "mekag"}, 2),
        ),
    ),
    (
        sense,
        (
            ("task.pool", {"expertise": 2, "power": 0}, 2),
            ("task.tn", {"side": "own", "attribute": "physique", "of": "2"}, 7),
            ("task.modifier", {"score": 7, "difficulty": 1}, 6),
            ("task.count", {"tn": 6, "side": "own", "faces": [2, 5], "successes": 2}, True),
            ("identity.use", {"identity": "beast"}, 4),
            ("effect.base", {"successes": 2, "identity": 4, "flat": False}, 6),
            ("effect.grade", {"effect": 6}, "notable"),
            ("cp.used-only", {"character": "2", "session": 1}, ["sense", "beast", "physique"]),
        ),
    ),
    (
        zero,
        (
            ("task.pool", {"expertise": 0, "power": 0}, 0),
            ("task.tn", {"side": "target", "attribute": "social", "of": "2"}, 5),
            ("task.zero-expertise", {"tn": 5, "side": "target", "faces": [3, 5], "successes": 0}, False),
            ("effect.grade", {"effect": 0}, "none"),
            ("cp.used-only", {"character": "3", "session": 1}, ["seduce", "beast"]),
            ("cp.used-only", {"character": "2", "session": 1}, ["social"]),
        ),
    ),
    (
        with_option,
        (
            ("task.pool", {"expertise": 1, "power": 2}, 3),
            ("power.augment", {"options": ["wings"]}, 2),
            ("task.tn", {"side": "own", "attribute": "beauty", "of": "1"}, 5),
            ("task.count", {"tn": 5, "side": "own", "faces": [2, 6, 1], "successes": 2}, True),
            ("identity.use", {"identity": "beast"}, 0),
            ("effect.base", {"successes": 2, "identity": 0, "flat": False}, 2),
            ("effect.grade", {"effect": 2}, "solid"),
            ("cp.used-only", {"character": "1", "session": 1}, ["stalk", "beast", "diabolic_power", "beauty"]),
        ),
    ),
    (
        by_itself,
        (
            ("power.alone", {"expertise": 3, "power": 2}, 2),
            ("task.tn", {"side": "own", "attribute": "spirit", "of": "1"}, 6),
            ("task.sixes-fail", {"tn": 6, "side": "own", "faces": [2, 6], "successes": 0}, False),
            ("effect.grade", {"effect": 0}, "none"),
            ("cp.used-only", {"character": "1", "session": 1}, ["diabolic_power", "demon", "spirit"]),
        ),
    ),
    (
        queue,
        (
            ("conflict.order", {"character": "2"}, [4, 1, 1]),
            ("conflict.order", {"character": "3"}, [1, 5, 0]),
            ("conflict.order", {"character": "1"}, [0, 2, 4]),
        ),
    ),
    (
        passed,
        (
            ("conflict.queue", {}, ["3", "1", "2"]),
            ("conflict.label", {"ap": 3}, "ready"),
        ),
    ),
    (
        front,
        (
            ("conflict.front", {"ap": 6}, "may act"),
            ("conflict.front", {"before": ["2", "3", "1"]}, ["1", "2", "3"]),
        ),
    ),
    (
        rushed,
        (
            ("conflict.queue", {}, ["3", "1", "2"]),
            ("conflict.label", {"ap": 1}, "rushed"),
        ),
    ),
    (
        discombobulated,
        (
            ("conflict.queue", {}, ["3", "1", "2"]),
            ("conflict.label", {"ap": 0}, "discombobulated"),
        ),
    ),
    (left, (("conflict.order", {"left": "3"}, ["2", "1"]),)),
    (joined, (("conflict.order", {}, ["2", "1", "3"]),)),
    (closed, (("conflict.queue", {}, "closed"),)),
    (
        undefended,
        (
            ("conflict.act", {"ap": 3}, "may act"),
            ("task.pool", {"expertise": 4, "power": 0}, 4),
            ("conflict.attack", {"defends": False}, "own"),
            ("task.tn", {"side": "own", "attribute": "physique", "of": "2"}, 7),
            ("task.count", {"tn": 7, "side": "own", "faces": [2, 2, 2, 3], "successes": 4}, True),
            ("identity.use", {"identity": "beast"}, 4),
            ("effect.base", {"successes": 4, "identity": 4, "flat": False}, 8),
            ("effect.grade", {"effect": 8}, "notable"),
            ("conflict.immediate", {"hit_kind": "physical"}, 8),
            ("damage.net", {"effect": 8, "weapon": 0, "armour": 0}, 8),
            ("damage.zones", {"total": 8, "size": 4, "physique": 6}, "clear"),
            ("damage.hit", {"before": 0, "counted": 8, "after": 8}, "clear"),
            ("cp.used-only", {"character": "2", "session": 1}, ["rend", "beast", "physique"]),
            ("cp.used-only", {"character": "3", "session": 1}, ["size", "physique"]),
            ("conflict.queue", {}, ["3", "1", "2"]),
            ("conflict.label", {"ap": 3}, "ready"),
        ),
    ),
    (
        defended,
        (
            ("conflict.act", {"ap": 3}, "may act"),
            ("task.pool", {"expertise": 4, "power": 0}, 4),
            ("conflict.attack", {"defends": True}, "target"),
            ("task.tn", {"side": "target", "attribute": "physique", "of": "3"}, 6),
            ("task.count", {"tn": 6, "side": "target", "faces": [2, 2, 2, 6], "successes": 1}, True),
            ("identity.use", {"identity": "beast"}, 4),
            ("effect.base", {"successes": 1, "identity": 4, "flat": False}, 5),
            ("effect.grade", {"effect": 5}, "notable"),
            ("conflict.immediate", {"hit_kind": "physical"}, 5),
            ("damage.net", {"effect": 5, "weapon": 0, "armour": 0}, 5),
            ("damage.zones", {"total": 5, "size": 4, "physique": 6}, "clear"),
            ("damage.hit", {"before": 0, "counted": 5, "after": 5}, "clear"),
            ("cp.used-only", {"character": "2", "session": 1}, ["rend", "beast"]),
            ("cp.used-only", {"character": "3", "session": 1}, ["physique", "size"]),
            ("conflict.queue", {}, ["3", "1", "2"]),
            ("conflict.label", {"ap": 2}, "ready"),
        ),
    ),
    (
        untargeted,
        (
            ("conflict.act", {"ap": 3}, "may act"),
            ("task.pool", {"expertise": 2, "power": 0}, 2),
            ("task.tn", {"side": "own", "attribute": "physique", "of": "2"}, 7),
            ("task.sixes-fail", {"tn": 7, "side": "own", "faces": [6, 6], "successes": 0}, False),
            ("effect.grade", {"effect": 0}, "none"),
            ("conflict.untargeted", {"costs": False}, False),
            ("cp.used-only", {"character": "2", "session": 1}, ["sense", "beast", "physique"]),
            ("conflict.queue", {}, ["3", "1", "2"]),
            ("conflict.label", {"ap": 3}, "ready"),
        ),
    ),
    (
        shunted,
        (
            ("damage.net", {"effect": 6, "weapon": 0, "armour": 0}, 6),
            ("damage.shunt", {"net": 6, "shunted": 1}, 5),
            ("damage.zones", {"total": 5, "size": 5, "physique": 7}, "row"),
            ("damage.hit", {"before": 0, "counted": 5, "after": 5}, "row"),
            ("cp.used-only", {"character": "2", "session": 1}, ["beauty", "size", "physique"]),
        ),
    ),
    (
        hit,
        (
            ("damage.net", {"effect": 5, "weapon": 2, "armour": 1}, 6),
            ("damage.zones", {"total": 6, "size": 4, "physique": 6}, "clear"),
            ("damage.hit", {"before": 0, "counted": 6, "after": 6}, "clear"),
            ("cp.used-only", {"character": "3", "session": 1}, ["size", "physique"]),
        ),
    ),
    (
        clear,
        (
            ("damage.net", {"effect": 4, "weapon": 0, "armour": 0}, 4),
            ("damage.zones", {"total": 11, "size": 4, "physique": 5}, "gray"),
            ("damage.hit", {"before": 7, "counted": 4, "after": 11}, "gray"),
            ("damage.collapse", {"cause": "damage"}, "collapsed"),
            ("cp.used-only", {"character": "3", "session": 1}, ["size", "physique"]),
        ),
    ),
    (
        terminal,
        (
            ("damage.net", {"effect": 30, "weapon": 0, "armour": 0}, 30),
            ("damage.zones", {"total": 30, "size": 4, "physique": 6}, "terminal"),
            ("damage.hit", {"before": 0, "counted": 30, "after": 30}, "terminal"),
            ("damage.collapse", {"cause": "terminal"}, "collapsed"),
            ("damage.terminal", {"cause": "column", "resolve": 4}, "decision"),
            ("cp.used-only", {"character": "3", "session": 1}, ["size", "physique"]),
        ),
    ),
    (resisted_death, (("damage.resist-death", {"spent": 1}, 3),)),
    (
        gave_up,
        (
            ("damage.resist-death", {}, "declined"),
            ("damage.dead", {"cause": "terminal damage"}, "dead"),
        ),
    ),
    (healed, (("damage.healing", {"damage": 2, "physique": 0, "beauty": 0}, "a doctor"),)),
    (chilled, (("resolve.spiritual", {"effect": 3}, 1),)),
    (
        chilled_out,
        (
            ("resolve.spiritual", {"effect": 9}, 0),
            ("damage.collapse", {"cause": "resolve"}, "collapsed"),
            ("resolve.zero", {"maximum": 1}, "collapsed"),
        ),
    ),
    (resolve_for_ap, (("resolve.for-ap", {"spent": 2}, 6),)),
    (
        all_resolve,
        (
            ("resolve.for-ap", {"spent": 4}, 8),
            ("damage.collapse", {"cause": "resolve"}, "collapsed"),
            ("resolve.zero", {"maximum": 1}, "collapsed"),
        ),
    ),
    (
        quiet_hour,
        (
            ("resolve.refresh-quiet", {"minutes": 60}, 4),
            ("time.clock", {"before": 0}, 60),
        ),
    ),
    (
        recovered,
        (
            ("time.clock", {"before": 0}, 1),
            ("ap.recover", {"gained": 2, "maximum": 3, "refresh": True}, 3),
            ("fatigue.limit", {"physique": 7}, 1),
        ),
    ),
    (
        recovered_giazza,
        (
            ("time.clock", {"before": 0}, 1),
            ("ap.recover", {"gained": 3, "maximum": 4, "refresh": True}, 4),
            ("fatigue.limit", {"physique": 6}, 1),
        ),
    ),
    (
        rested,
        (
            ("fatigue.rest", {"hours": 5, "required": 4}, True),
            ("time.clock", {"before": 0}, 300),
        ),
    ),
    (
        not_enough,
        (
            ("fatigue.rest", {"hours": 3, "required": 4}, False),
            ("time.clock", {"before": 0}, 180),
        ),
    ),
    (
        occult,
        (
            ("task.pool", {"expertise": 1, "power": 0}, 1),
            ("task.tn", {"side": "own", "attribute": "beauty", "of": "1"}, 5),
            ("sorcery.occult", {"hours": 1}, 1),
            ("time.clock", {"before": 0}, 60),
            ("task.count", {"tn": 5, "side": "own", "faces": [2], "successes": 1}, True),
            ("identity.use", {"identity": "demon"}, 4),
            ("effect.base", {"successes": 1, "identity": 4, "flat": False}, 5),
            ("effect.change", {"raised": 6, "occult": 1, "taken_off": 0}, 6),
            ("effect.grade", {"effect": 6}, "notable"),
            ("sorcery.occult", {"imitates": "stalk", "hit_kind": "none"}, 6),
            ("cp.used-only", {"character": "1", "session": 1}, ["occult", "demon", "beauty"]),
        ),
    ),
    (vow, (("vow.make", {"about": "goal"}, "revenge"),)),
    (vow_end, (("vow.end", {"vow": "revenge", "reason": "It is done."}, "fulfilled"),)),
    (described, (("identity.body", {"description": "smoke"}, "human"),)),
    (revealed, (("sorcery.know", {"ruling": None}, "a curse"),)),
    (
        bought,
        (
            ("task.pool", {"expertise": 1, "power": 0}, 1),
            ("credit.purchase", {"tn": 4, "credit": 2, "faces": [2], "good": 0}, "sacrifice-offered"),
            ("credit.sacrifice", {"offered": None}, "no deal"),
            ("cp.used-only", {"character": "1", "session": 1}, ["negotiate", "man"]),
        ),
    ),
    (
        bought_from,
        (
            ("task.pool", {"expertise": 0, "power": 0}, 0),
            ("credit.purchase", {"tn": 4, "credit": 5, "faces": [2, 6], "good": 0}, "refused-by-seller"),
            ("cp.used-only", {"character": "2", "session": 1}, ["negotiate", "man"]),
            ("cp.used-only", {"character": "3", "session": 1}, ["social"]),
        ),
    ),
    (item, (("item.had", {"character": "1", "reason": "found"}, "a shield"),)),
    (parted, (("item.had", {"was": "1", "character": "2", "reason": "a gift"}, "a shield"),)),
    (credit_moved, (("credit.transfer", {"debited": 4}, 2),)),
    (credit_set, (("credit.adjust", {"change": 3, "reason": "a favour"}, 4),)),
    (social, (("credit.social", {"change": -2, "house": "mekag"}, 3),)),
    (barter, (("credit.cash", {}, "two chickens"),)),
    (awarded, (("cp.session", {"characters": ["1"]}, 2),)),
    (raised, (("cp.expertise", {"level": 4, "reduce": None}, 20),)),
    (
        raised_attribute,
        (
            ("cp.attribute", {"level": 2, "reduce": None}, 10),
            ("credit.social", {"change": 1, "house": "mekag"}, 3),
            ("cp.consequences", {"of": "social"}, 3),
        ),
    ),
    (
        raised_speed,
        (
            ("cp.attribute", {"level": 4, "reduce": None}, 20),
            ("cp.consequences", {"of": "action points"}, 5),
        ),
    ),
    (
        burn,
        (
            ("conflict.act", {"ap": 3}, "may act"),
            ("task.pool", {"expertise": 0, "power": 0}, 0),
            ("conflict.attack", {"defends": False}, "own"),
            ("task.tn", {"side": "own", "attribute": "spirit", "of": "2"}, 3),
            ("task.zero-expertise", {"tn": 3, "side": "own", "faces": [2, 2], "successes": 0}, True),
            ("effect.base", {"successes": 0, "identity": 1, "flat": True}, 1),
            ("effect.grade", {"effect": 1}, "minimal"),
            ("conflict.immediate", {"hit_kind": "spiritual"}, 1),
            ("sorcery.chill", {"command": "kneel"}, 1),
            ("resolve.spiritual", {"effect": 1}, 3),
            ("cp.used-only", {"character": "2", "session": 1}, ["chill", "demon", "spirit"]),
            ("conflict.queue", {}, ["3", "1", "2"]),
            ("conflict.label", {"ap": 3}, "ready"),
        ),
    ),
)


@pytest.mark.parametrize(("does", "because"), REASONS, ids=[does.__name__ for does, _ in REASONS])
def test_why(does: Situation, because: tuple[tuple[str, dict[str, Any], Any], ...]) -> None:
    between = does.__name__.startswith(("awarded", "raised"))
    game = Game(scene=not between, session=not between)
    told = [(one.rule.removeprefix("mongrel."), dict(one.given), one.out) for one in does(game).because]
    assert told == list(because)
