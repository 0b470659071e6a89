"""Each reading and optional rule a campaign may choose, its default and its rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from ledger.rules.kernel.declarations import dial
from ledger.rules.kernel.domains import Between
from ledger.rules.kernel.refusals import Refused
from ledger.rules.scattershot.chart import chart_problem
from ledger.rules.scattershot.terms import ChartRow, PenaltyStep, Unchecked, is_natural, is_positive


@dataclass(frozen=True, slots=True)
class Dials:
    #: The threshold of Telling Blows and Catastrophic Failures.
    critical_juncture: Annotated[int, Between(1, 10)] = dial(6, "scattershot.game.numbers", "critical-juncture")
    #: The most Challenges, Free Actions, steps of a Flurry, Combat Advantages.
    epic_index: Annotated[int, Between(0, 9)] = dial(4, "scattershot.game.numbers", "epic-index")
    #: Whether one kind of Free Action may be repeated in a Round.
    cinematic: bool = dial(False, "scattershot.mech.free")
    #: Rows `{from, to, facets}` in place of ours.
    ue_chart: tuple[ChartRow, ...] | None = dial(None, "scattershot.chart.multiplier", "ue-chart")
    #: Whether minus the Critical Juncture is itself a Catastrophic Failure.
    catastrophe_boundary: Literal["at-or-below", "below"] = dial(
        "at-or-below", "scattershot.juncture.catastrophic-failure", "catastrophe-boundary"
    )
    #: What of a contest is judged for Critical Junctures.
    contested_juncture: Literal["rmib-and-initial", "rmib", "each-initial"] = dial(
        "rmib-and-initial", "scattershot.juncture.contest-gate", "contested-juncture"
    )
    #: Whether both sides of a contest alter their own MIB, or the RMIB.
    contested_adjust: Literal["each-raw", "rmib"] = dial("each-raw", "scattershot.apply.contested", "contested-adjust")
    #: Which number indexes the Points of a consequence.
    points_index: Literal["remaining", "uncapped"] = dial("remaining", "scattershot.juncture.points", "points-index")
    #: Whether dice that preempt a roll come before it, or in its place.
    preempt: Literal["early", "replace"] = dial("early", "scattershot.mib.preempt")
    #: Whether of an unopposed roll only the dice against nobody go to the Gamemaster, or all of them.
    unopposed_dice: Literal["only-when-nobody", "whole-roll"] = dial(
        "only-when-nobody", "scattershot.xd.handover", "unopposed-dice"
    )
    #: Where a die goes that its roller used against themself.
    self_against: Literal["returns", "to-stock"] = dial("returns", "scattershot.xd.handover", "self-against")
    #: When dice change hands.
    dice_handover: Literal["after-decision", "immediate"] = dial(
        "after-decision", "scattershot.xd.handover", "dice-handover"
    )
    #: How many Freebies Advantages give one Action.
    freebies_per_action: Literal["one", "per-advantage"] = dial("one", "scattershot.xd.freebie", "freebies-per-action")
    #: Where Freebies go once rolled.
    freebie_routing: Literal["routed", "to-stock"] = dial("routed", "scattershot.xd.freebie", "freebie-routing")
    #: Whether the Gamemaster may roll dice of the common stock.
    gm_dice: Literal["loaners-and-freebies", "stock"] = dial(
        "loaners-and-freebies", "scattershot.xd.contribute", "gm-dice"
    )
    #: How many dice there are in the common stock; no end of them where it is null.
    stock_size: Annotated[int, Between(0)] | None = dial(None, "scattershot.xd.instant", "stock-size")
    #: What becomes of a Loaner that goes against nobody.
    loaner_unopposed: Literal["gm-saves", "refuse"] = dial("gm-saves", "scattershot.xd.loaner", "loaner-unopposed")
    #: How many Loaners a Player may have out at once.
    loaner_limit: Annotated[int, Between(0)] | None = dial(None, "scattershot.xd.loaner", "loaner-limit")
    #: Whether a Loaner used back also gives the borrower the die.
    loaner_repaid: Literal["karmic", "keeper"] = dial("karmic", "scattershot.xd.loaner-use", "loaner-repaid")
    #: What becomes of Loaners left at the end of the Session.
    loaner_expiry: Literal["lapse", "carry", "keep"] = dial("lapse", "scattershot.xd.loaner-expiry", "loaner-expiry")
    #: Whose word it takes for dice that a Player claims: a Gimme, a coup, a Payback.
    dice_granted_by: Literal["gamemaster", "group"] = dial("gamemaster", "scattershot.xd.gimme", "dice-granted-by")
    #: What a Payback has on top when it put the Game back on track.
    payback_interest: Annotated[int, Between(0)] = dial(1, "scattershot.xd.payback", "payback-interest")
    #: The least a Payback is.
    payback_minimum: Annotated[int, Between(0)] = dial(1, "scattershot.xd.payback", "payback-minimum")
    #: What counting coup earns beside the forgotten award.
    coup_extra: Annotated[int, Between(0)] = dial(1, "scattershot.xd.coup", "coup-extra")
    #: Whether disadvantages give back Development Points.
    disadvantage_accounting: Literal["record-only", "refund"] = dial(
        "record-only", "scattershot.rating.disadvantage", "disadvantage-accounting"
    )
    #: Whether disadvantages can be cashed in.
    cash_in_disadvantages: bool = dial(False, "scattershot.xd.cash-in", "cash-in-disadvantages")
    #: Whether a sheet beyond a limit or a listing is refused, or taken with its deviations noted.
    sheet_faults: Literal["refuse", "warn"] = dial("refuse", "scattershot.persona.no-cap", "sheet-faults")
    #: The fewest points in a Statistic.
    stat_minimum_points: Literal[1, 0] = dial(1, "scattershot.rating.statistic", "stat-minimum-points")
    #: Whether another Scope costs a Default 1 in all, or 1 for each level.
    default_scope_penalty: Literal["flat", "per-level"] = dial(
        "flat", "scattershot.default.scope", "default-scope-penalty"
    )
    #: Whether the difficulty's base serves where it is higher than the related Rating.
    default_choice: Literal["best", "related-only"] = dial("best", "scattershot.default.untrained", "default-choice")
    #: Whether Special Abilities can be Defaulted to.
    default_special_abilities: bool = dial(False, "scattershot.default.barred", "default-special-abilities")
    #: Whether a weapon adds to an RMIB of 0.
    weapon_adds_at_zero: bool = dial(True, "scattershot.damage.formula", "weapon-adds-at-zero")
    #: Whether a Resource stops at 0.
    resource_floor: Literal["zero", "none"] = dial("zero", "scattershot.resource.reduce", "resource-floor")
    #: Steps `{at, penalty}`: at this much of a Resource or less, this penalty to all rolls.
    resource_penalty: tuple[PenaltyStep, ...] | None = dial(
        None, "scattershot.result.deferred-penalty", "resource-penalty"
    )
    #: Whether a Resistor who comes out ahead has results of its own.
    resistor_results: bool = dial(True, "scattershot.contest.resistor-results", "resistor-results")
    #: Whether the Epic Index caps Advantages for each pair, or in the whole scene.
    advantage_cap: Literal["per-pair", "scene-total"] = dial("per-pair", "scattershot.advantage.cap", "advantage-cap")
    #: Whether the Advantages of several foes add up.
    advantage_stacking: Literal["sum", "worst"] = dial("sum", "scattershot.advantage.penalty", "advantage-stacking")
    #: Whether one may Seize while the foe holds Advantage.
    seize_requires: Literal["own-none", "none-either-way"] = dial(
        "own-none", "scattershot.advantage.seize", "seize-requires"
    )
    #: Whether too many Characters for Individual Scope are refused, or flagged.
    scope_shift: Literal["required", "advice"] = dial("required", "scattershot.mech.scope", "scope-shift")
    #: How wounds are noted.
    wounds: Literal["basic", "intermediate", "advanced"] = dial("basic", "scattershot.damage.wounds")
    #: Yards of a running move.
    move_yards: Annotated[int, Between(0)] = dial(7, "scattershot.mech.actions", "move-yards")
    #: Whether a failed spell drains as much Power as its MIB was missed by.
    spell_failure_drain: bool = dial(False, "scattershot.resource.power", "spell-failure-drain")


NATURAL = (
    "stock_size", "loaner_limit", "payback_interest", "payback_minimum", "coup_extra", "epic_index", "move_yards",
)  # fmt: skip


def check_dials(dials: Dials, name: str, rule: str) -> None:
    """What types cannot say. Refuses `bad-number`, `juncture-plus-index-over-10`."""
    field = name.replace("-", "_")
    value = getattr(dials, field)
    if field in NATURAL and value is not None and not is_natural(value):
        raise Refused(rule, "bad-number", dial=name)
    if field == "critical_juncture" and not is_positive(value):
        raise Refused(rule, "bad-number", dial=name)
    if field in ("critical_juncture", "epic_index") and dials.critical_juncture + dials.epic_index > 10:
        raise Refused(rule, "juncture-plus-index-over-10", juncture=dials.critical_juncture, index=dials.epic_index)
    if field == "ue_chart" and value is not None and (problem := chart_problem(value)) is not None:
        raise Refused(rule, "bad-number", dial=name, problem=problem)
    if field == "resource_penalty" and value is not None and not all(map(_is_penalty, value)):
        raise Refused(rule, "bad-number", dial=name)


def _is_penalty(step: Mapping[str, Unchecked]) -> bool:
    return set(step) == {"at", "penalty"} and type(step["at"]) is int and is_natural(step["penalty"])
