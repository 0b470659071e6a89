"""2.5: for every value of every option, a situation in which the outcome differs from that of its other values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from ledger.rules.kernel.commands import CloseSession, Enrol, OpenSession
from ledger.rules.kernel.questions import Ask, Choice
from ledger.rules.scattershot.actions import ExpendAction, TakeFreeAction
from ledger.rules.scattershot.advantage import HoldAdvantage, SeizeAdvantage
from ledger.rules.scattershot.agreement import Agree
from ledger.rules.scattershot.awards import AwardDice, CountCoup
from ledger.rules.scattershot.cashing_in import CashIn
from ledger.rules.scattershot.challenges import TakeChallenge
from ledger.rules.scattershot.declaring import ActionDeclared, DeclareAction
from ledger.rules.scattershot.dials import Dials
from ledger.rules.scattershot.experience import ContributeDie
from ledger.rules.scattershot.gimmes import ClaimPayback
from ledger.rules.scattershot.limits import LimitPoints
from ledger.rules.scattershot.mechanical_play import CallMechanicalPlay, StartTurn
from ledger.rules.scattershot.outcomes import ReachOutcome
from ledger.rules.scattershot.power import SpendPower
from ledger.rules.scattershot.ratings import Default
from ledger.rules.scattershot.results import ChooseResults, Result
from ledger.rules.scattershot.rolls import CloseOpportunity, OpportunityClosed, ReplaceRoll, RollMib
from ledger.rules.scattershot.state import Advantage, Sheet
from ledger.rules.scattershot.totals import CloseDecision
from tests.rules.scattershot.game import Game, tried

ANN, BOB, CID = "1", "2", "3"
CHART = ({"from": 0, "to": 30, "facets": {"multiplier": 3, "bonus": 2, "points": 2}},)
PENALTY = ({"at": 6, "penalty": 2},)


def outcome(actor: int, resistor: int | None = None) -> Callable[[Game], Any]:
    return lambda game: game.outcome(game.basic(actor, None if resistor is None else {BOB: resistor}))


def word(actor: int, resistor: int | None = None) -> Callable[[Game], str]:
    return lambda game: str(outcome(actor, resistor)(game).outcome)


def judged(game: Game) -> tuple[str, ...]:
    """-3 against 4: an RMIB of -7, no initial MIB beyond 6. Then 7 against 3: an RMIB of 4, one initial MIB beyond."""
    return tuple(one.kind for pair in ((-3, 4), (7, 3)) for one in outcome(*pair)(game).junctures)


def challenged(game: Game) -> int:
    """3 against -2, with three Challenges taken by the Resistor."""
    id = game.basic(3, {BOB: -2})
    game.does(TakeChallenge(id, n=3, side=BOB))
    return int(game.outcome(id).adjusted)


def resistor_number(game: Game) -> int | None:
    found: int | None = outcome(-3, 1)(game).resistor_number
    return found


def rolled(game: Game, sign: int = 1, by: str = "ann", oppose: bool = False, **more: Any) -> str:
    """Return Ann's Action with one die in it, after the totals are called."""
    id = game.decision(ANN, oppose={BOB: "agility"} if oppose else None)
    game.does(ContributeDie(id, face=4, sign=sign, **more), by=by)
    for side in ("actor", BOB) if oppose else ("actor",):
        game.does(RollMib(id, side, (5, 5)))
    game.does(CloseDecision(id))
    return id


def preempting(game: Game) -> str:
    id = game.decision(ANN)
    game.does(ContributeDie(id, "loaner", 5, player="bob"))
    return tried(game, ReplaceRoll(id))


def subtracted(by: str) -> Callable[[Game], int]:
    """Return the dice in Ann's purse after she subtracts one from her unopposed Action."""

    def situation(game: Game) -> int:
        game.dice(by, 1)
        rolled(game, -1, by)
        return game.xd("ann")

    return situation


def answered(game: Game) -> str:
    """Bob, who has no die, answers Ann's die with the same one."""
    game.dice("ann", 1)
    id = game.decision(ANN, oppose={BOB: "agility"})
    game.does(ContributeDie(id, face=4), by="ann")
    return tried(game, ContributeDie(id, face=6, sign=-1), "bob")


def second_freebie(game: Game) -> str:
    id = game.decision(ANN)
    game.does(ContributeDie(id, "freebie", 3, advantage="Dexterity"), by="ann")
    return tried(game, ContributeDie(id, "freebie", 3, advantage="Keen Eyes"), "ann")


def freebie_goes(game: Game) -> int:
    rolled(game, oppose=True, die="freebie", advantage="Dexterity")
    return game.xd("bob")


def gm_rolls(game: Game) -> str:
    return tried(game, ContributeDie(game.decision(ANN), face=4))


def borrowing(game: Game) -> tuple[str, str]:
    """Borrow twice against nobody."""
    die = ContributeDie(game.decision(ANN), "loaner", 4)
    return tried(game, die, "bob"), tried(game, die, "bob")


def repaid(game: Game) -> int:
    rolled(game, oppose=True, die="loaner")
    rolled(game, -1, "bob", die="saved", borrower="ann")
    return game.xd("ann")


def session_closed(game: Game) -> tuple[int, int, int]:
    """Return what Bob saved against Ann, her karmic account, and Bob's purse."""
    game.does(OpenSession())
    rolled(game, oppose=True, die="loaner")
    game.does(CloseSession(game.table().session or ""))
    return game.saved("bob", "ann"), game.karmic("ann"), game.xd("bob")


def payback(interest: bool) -> Callable[[Game], int]:
    def situation(game: Game) -> int:
        game.does(ClaimPayback(None, "a cue", interest), Agree(), by="ann")
        return game.xd("ann")

    return situation


def coup(game: Game) -> int:
    game.does(CountCoup("bob", 3), Agree(), by="ann")
    return game.xd("ann")


def asked_for_a_coup(game: Game) -> list[str]:
    """Return who is asked, one after the other, until the dice are granted."""
    asked: list[str] = []
    conversation, _ = game.begin(CountCoup("bob", 3), by="ann")
    while (question := conversation.question) is not None:
        assert isinstance(question, Ask)
        asked.append(question.seat)
        conversation.answer(Choice(Agree()))
    return asked


def too_rich(game: Game) -> str:
    game.does(LimitPoints(0), by="ann")
    return tried(game, Enrol("x", "ann", Sheet(statistics={"power": 11})))


def net(game: Game) -> int:
    return int(game.character(game.enrol("x", Sheet(disadvantages=(Advantage("Lame", 3),)), "ann")).net)


def defaulted(modifier: int) -> Callable[[Game], int]:
    """Strategy (Mob) from Tactics (Individual), which Bob has at 14. The base of an Intermediate ability is 10."""
    do = DeclareAction(BOB, "try", default=Default("Strategy", "Tactics", modifier, "intermediate", "mob"))
    return lambda game: int(game.only(game.does(do), ActionDeclared).rating)


def defaulted_ability(game: Game) -> str:
    return tried(game, DeclareAction(ANN, "try", default=Default("Magic", difficulty="easy", special=True)))


def struck(actor: int, *results: Result) -> Callable[[Game], tuple[int, int, int, tuple[str, ...]]]:
    """Return Cid's Hit Points, how far they are below 0, his penalty and his wounds."""

    def situation(game: Game) -> tuple[int, int, int, tuple[str, ...]]:
        id = game.basic(actor, subject=CID)
        game.does(ReachOutcome(id))
        game.does(ChooseResults(id, results))
        left, short = (game.balance(f"character:{CID}/{unit}:hit-points") for unit in ("resource", "shortfall"))
        return left, short, game.character(CID).penalty, game.character(CID).wounds

    return situation


LOSS = Result("factor", magnitude="hit-points")
ARMED = Result(weapon=3, protection=())
CUT = Result(protection=(), wound="a cut")


def advantages(*more: Any, do: Any) -> Callable[[Game], str]:
    """Return what is accepted in a melee."""

    def situation(game: Game) -> str:
        game.fight()
        for one in more:
            game.does(one)
        return tried(game, do)

    return situation


def penalised(game: Game) -> int:
    """Ann has 2 points of Combat Advantage over Bob, Cid 1. Bob's Agility is 10."""
    game.fight()
    game.does(StartTurn(BOB))
    for one in (SEIZED, HoldAdvantage(ANN, BOB, "Pressing"), SeizeAdvantage(CID, BOB, "Reach")):
        game.does(one)
    told = game.does(CloseOpportunity(game.act(BOB)))
    return int(game.only(told, OpportunityClosed).modified_rating)


def typed_weapon(game: Game) -> str:
    return tried(game, Enrol("Guard", "ann", Sheet(weapons=(7,))), "ann")


def crowd(game: Game) -> str:
    return tried(game, CallMechanicalPlay((*(game.enrol(f"Guard {n}", Sheet("regular")) for n in range(5)), *"123")))


def yards(game: Game) -> int:
    game.fight()
    game.does(StartTurn(BOB))
    return int(next(s.given["yards"] for s in game.does(ExpendAction(BOB)).because if "yards" in s.given))


def drained(game: Game) -> int:
    game.does(SpendPower(CID, missed_by=-4))
    return game.balance(f"character:{CID}/resource:power")


SEIZED = SeizeAdvantage(ANN, BOB, "Reach")
FALL = TakeFreeAction(ANN, "fall-down")
TALK = TakeFreeAction(ANN, "soliloquy")

#: Dial, a value, the situation, its outcome.
ROWS: tuple[tuple[str, Any, Callable[[Game], Any], Any], ...] = (
    ("critical_juncture", 6, word(5), "success"),
    ("critical_juncture", 5, word(5), "telling-blow"),
    ("epic_index", 4, advantages(FALL, do=TALK), "done"),
    ("epic_index", 1, advantages(FALL, do=TALK), "free-action-limit"),
    ("cinematic", False, advantages(FALL, do=FALL), "free-action-kind-limit"),
    ("cinematic", True, advantages(FALL, do=FALL), "done"),
    ("ue_chart", None, struck(2, LOSS), (8, 0, 0, ())),
    ("ue_chart", CHART, struck(2, LOSS), (4, 0, 0, ())),
    ("catastrophe_boundary", "at-or-below", word(-6), "catastrophic-failure"),
    ("catastrophe_boundary", "below", word(-6), "failure"),
    ("contested_juncture", "rmib-and-initial", judged, ()),
    ("contested_juncture", "rmib", judged, ("catastrophic-failure",)),
    ("contested_juncture", "each-initial", judged, ("telling-blow",)),
    ("contested_adjust", "each-raw", challenged, 2),
    ("contested_adjust", "rmib", challenged, 0),
    ("points_index", "remaining", lambda game: outcome(12)(game).junctures[0].points, 1),
    ("points_index", "uncapped", lambda game: outcome(12)(game).junctures[0].points, 2),
    ("preempt", "early", preempting, "cannot-replace-the-roll"),
    ("preempt", "replace", preempting, "done"),
    ("unopposed_dice", "only-when-nobody", subtracted("bob"), 1),
    ("unopposed_dice", "whole-roll", subtracted("bob"), 0),
    ("self_against", "returns", subtracted("ann"), 1),
    ("self_against", "to-stock", subtracted("ann"), 0),
    ("dice_handover", "after-decision", answered, "not-enough-dice"),
    ("dice_handover", "immediate", answered, "done"),
    ("freebies_per_action", "one", second_freebie, "freebie-already-used"),
    ("freebies_per_action", "per-advantage", second_freebie, "done"),
    ("freebie_routing", "routed", freebie_goes, 1),
    ("freebie_routing", "to-stock", freebie_goes, 0),
    ("gm_dice", "loaners-and-freebies", gm_rolls, "gm-holds-no-dice"),
    ("gm_dice", "stock", gm_rolls, "done"),
    ("stock_size", None, lambda game: tried(game, AwardDice("ann", 2)), "done"),
    ("stock_size", 1, lambda game: tried(game, AwardDice("ann", 2)), "stock-empty"),
    ("loaner_unopposed", "gm-saves", borrowing, ("done", "done")),
    ("loaner_unopposed", "refuse", borrowing, ("loaner-against-nobody",) * 2),
    ("loaner_limit", None, borrowing, ("done", "done")),
    ("loaner_limit", 0, borrowing, ("loaner-limit", "loaner-limit")),
    ("loaner_limit", 1, borrowing, ("done", "loaner-limit")),
    ("loaner_repaid", "karmic", repaid, 0),
    ("loaner_repaid", "keeper", repaid, 1),
    ("loaner_expiry", "lapse", session_closed, (0, 0, 0)),
    ("loaner_expiry", "carry", session_closed, (1, -1, 0)),
    ("loaner_expiry", "keep", session_closed, (0, 0, 1)),
    ("payback_interest", 1, payback(True), 2),
    ("payback_interest", 3, payback(True), 4),
    ("payback_minimum", 1, payback(False), 1),
    ("payback_minimum", 0, payback(False), 0),
    ("dice_granted_by", "gamemaster", asked_for_a_coup, ["gm"]),
    ("dice_granted_by", "group", asked_for_a_coup, ["gm", "bob", "cid"]),
    ("coup_extra", 1, coup, 1),
    ("coup_extra", 0, coup, 0),
    ("disadvantage_accounting", "record-only", net, 0),
    ("disadvantage_accounting", "refund", net, -3),
    (
        "cash_in_disadvantages",
        False,
        lambda game: tried(game, CashIn(ANN, "Reckless")),
        "disadvantage-cannot-be-cashed-in",
    ),
    ("cash_in_disadvantages", True, lambda game: tried(game, CashIn(ANN, "Reckless")), "done"),
    ("sheet_faults", "refuse", too_rich, "beyond-the-limit"),
    ("sheet_faults", "warn", too_rich, "done"),
    ("stat_minimum_points", 1, lambda game: tried(game, CashIn(ANN, "power", 2)), "rating-below-minimum"),
    ("stat_minimum_points", 0, lambda game: tried(game, CashIn(ANN, "power", 2)), "done"),
    ("default_scope_penalty", "flat", defaulted(-2), 11),
    ("default_scope_penalty", "per-level", defaulted(-2), 10),
    ("default_choice", "best", defaulted(-6), 10),
    ("default_choice", "related-only", defaulted(-6), 7),
    ("default_special_abilities", False, defaulted_ability, "no-default-for-special-ability"),
    ("default_special_abilities", True, defaulted_ability, "done"),
    ("weapon_adds_at_zero", True, struck(0, ARMED), (7, 0, 0, ())),
    ("weapon_adds_at_zero", False, struck(0, ARMED), (10, 0, 0, ())),
    ("weapon_numbers", "free", typed_weapon, "done"),
    ("weapon_numbers", "listed", typed_weapon, "beyond-the-listing"),
    ("resource_floor", "zero", struck(5, LOSS, LOSS, LOSS), (0, 0, 0, ())),
    ("resource_floor", "none", struck(5, LOSS, LOSS, LOSS), (0, 5, 0, ())),
    ("resource_penalty", None, struck(4, LOSS), (6, 0, 0, ())),
    ("resource_penalty", PENALTY, struck(4, LOSS), (6, 0, 2, ())),
    ("resistor_results", True, resistor_number, 4),
    ("resistor_results", False, resistor_number, None),
    (
        "advantage_cap",
        "per-pair",
        advantages(
            *[SeizeAdvantage(ANN, foe, "Reach") for foe in (BOB, CID)],
            *[HoldAdvantage(ANN, BOB, "Pressing")] * 2,
            do=HoldAdvantage(ANN, CID, "Pressing"),
        ),
        "done",
    ),
    (
        "advantage_cap",
        "scene-total",
        advantages(
            *[SeizeAdvantage(ANN, foe, "Reach") for foe in (BOB, CID)],
            *[HoldAdvantage(ANN, BOB, "Pressing")] * 2,
            do=HoldAdvantage(ANN, CID, "Pressing"),
        ),
        "advantage-cap",
    ),
    ("advantage_stacking", "sum", penalised, 7),
    ("advantage_stacking", "worst", penalised, 8),
    ("seize_requires", "own-none", advantages(SEIZED, do=SeizeAdvantage(BOB, ANN, "Reach")), "done"),
    (
        "seize_requires",
        "none-either-way",
        advantages(SEIZED, do=SeizeAdvantage(BOB, ANN, "Reach")),
        "advantage-held-by-foe",
    ),
    ("scope_shift", "required", crowd, "scope-too-small"),
    ("scope_shift", "advice", crowd, "done"),
    ("wounds", "basic", struck(1, CUT), (9, 0, 0, ())),
    ("wounds", "intermediate", struck(1, CUT), (9, 0, 0, ("a cut",))),
    ("wounds", "advanced", struck(1, CUT), (9, 0, 0, ("a cut",))),  # what more it says is not in the source
    ("move_yards", 7, yards, 7),
    ("move_yards", 9, yards, 9),
    ("spell_failure_drain", False, drained, 10),
    ("spell_failure_drain", True, drained, 6),
)


@pytest.mark.parametrize(("dial", "value", "situation", "expected"), ROWS, ids=[f"{r[0]}={r[1]}"[:50] for r in ROWS])
def test_dials(dial, value, situation, expected):
    assert situation(Game(**{dial: value})) == expected


def test_every_dial_and_value_has_a_row():
    types = get_type_hints(Dials)
    for one in fields(Dials):
        tried_values = [value for name, value, _, _ in ROWS if name == one.name]
        kind = types[one.name]
        closed = get_args(kind) if get_origin(kind) is Literal else (False, True) if kind is bool else ()
        assert set(closed) <= {value for value in tried_values if not isinstance(value, tuple)}, one.name
        assert getattr(Dials(), one.name) in tried_values and len(tried_values) > 1, one.name
    assert {name for name, _, _, _ in ROWS} == {one.name for one in fields(Dials)}
