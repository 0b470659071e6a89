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
    critical_juncture: Annotated[int, Between(1, 10)] = dial(
        6,
        "scattershot.game.numbers",
        "critical-juncture",
        about="The threshold of Telling Blows and Catastrophic Failures.",
    )
    epic_index: Annotated[int, Between(0, 9)] = dial(
        4,
        "scattershot.game.numbers",
        "epic-index",
        about="The most Challenges, Free Actions, steps of a Flurry, Combat Advantages.",
    )
    cinematic: bool = dial(
        False, "scattershot.mech.free", about="Whether one kind of Free Action may be repeated in a Round."
    )
    ue_chart: tuple[ChartRow, ...] | None = dial(
        None, "scattershot.chart.multiplier", "ue-chart", about="Rows `{from, to, facets}` in place of ours."
    )
    catastrophe_boundary: Literal["at-or-below", "below"] = dial(
        "at-or-below",
        "scattershot.juncture.catastrophic-failure",
        "catastrophe-boundary",
        about="Whether minus the Critical Juncture is itself a Catastrophic Failure.",
    )
    contested_juncture: Literal["rmib-and-initial", "rmib", "each-initial"] = dial(
        "rmib-and-initial",
        "scattershot.juncture.contest-gate",
        "contested-juncture",
        about="What of a contest is judged for Critical Junctures.",
    )
    contested_adjust: Literal["each-raw", "rmib"] = dial(
        "each-raw",
        "scattershot.apply.contested",
        "contested-adjust",
        about="Whether both sides of a contest alter their own MIB, or the RMIB.",
    )
    points_index: Literal["remaining", "uncapped"] = dial(
        "remaining",
        "scattershot.juncture.points",
        "points-index",
        about="Which number indexes the Points of a consequence.",
    )
    preempt: Literal["early", "replace"] = dial(
        "early", "scattershot.mib.preempt", about="Whether dice that preempt a roll come before it, or in its place."
    )
    unopposed_dice: Literal["only-when-nobody", "whole-roll"] = dial(
        "only-when-nobody",
        "scattershot.xd.handover",
        "unopposed-dice",
        about="Whether of an unopposed roll only the dice against nobody go to the Gamemaster, or all of them.",
    )
    self_against: Literal["returns", "to-stock"] = dial(
        "returns",
        "scattershot.xd.handover",
        "self-against",
        about="Where a die goes that its roller used against themself.",
    )
    dice_handover: Literal["after-decision", "immediate"] = dial(
        "after-decision", "scattershot.xd.handover", "dice-handover", about="When dice change hands."
    )
    freebies_per_action: Literal["one", "per-advantage"] = dial(
        "one", "scattershot.xd.freebie", "freebies-per-action", about="How many Freebies Advantages give one Action."
    )
    freebie_routing: Literal["routed", "to-stock"] = dial(
        "routed", "scattershot.xd.freebie", "freebie-routing", about="Where Freebies go once rolled."
    )
    gm_dice: Literal["loaners-and-freebies", "stock"] = dial(
        "loaners-and-freebies",
        "scattershot.xd.contribute",
        "gm-dice",
        about="Whether the Gamemaster may roll dice of the common stock.",
    )
    stock_size: Annotated[int, Between(0)] | None = dial(
        None,
        "scattershot.xd.instant",
        "stock-size",
        about="How many dice there are in the common stock; no end of them where it is null.",
    )
    loaner_unopposed: Literal["gm-saves", "refuse"] = dial(
        "gm-saves",
        "scattershot.xd.loaner",
        "loaner-unopposed",
        about="What becomes of a Loaner that goes against nobody.",
    )
    loaner_limit: Annotated[int, Between(0)] | None = dial(
        None, "scattershot.xd.loaner", "loaner-limit", about="How many Loaners a Player may have out at once."
    )
    loaner_repaid: Literal["karmic", "keeper"] = dial(
        "karmic",
        "scattershot.xd.loaner-use",
        "loaner-repaid",
        about="Whether a Loaner used back also gives the borrower the die.",
    )
    loaner_expiry: Literal["lapse", "carry", "keep"] = dial(
        "lapse",
        "scattershot.xd.loaner-expiry",
        "loaner-expiry",
        about="What becomes of Loaners left at the end of the Session.",
    )
    dice_granted_by: Literal["gamemaster", "group"] = dial(
        "gamemaster",
        "scattershot.xd.gimme",
        "dice-granted-by",
        about="Whose word it takes for dice that a Player claims: a Gimme, a coup, a Payback.",
    )
    payback_interest: Annotated[int, Between(0)] = dial(
        1,
        "scattershot.xd.payback",
        "payback-interest",
        about="What a Payback has on top when it put the Game back on track.",
    )
    payback_minimum: Annotated[int, Between(0)] = dial(
        1, "scattershot.xd.payback", "payback-minimum", about="The least a Payback is."
    )
    coup_extra: Annotated[int, Between(0)] = dial(
        1, "scattershot.xd.coup", "coup-extra", about="What counting coup earns beside the forgotten award."
    )
    disadvantage_accounting: Literal["record-only", "refund"] = dial(
        "record-only",
        "scattershot.rating.disadvantage",
        "disadvantage-accounting",
        about="Whether disadvantages give back Development Points.",
    )
    cash_in_disadvantages: bool = dial(
        False, "scattershot.xd.cash-in", "cash-in-disadvantages", about="Whether disadvantages can be cashed in."
    )
    sheet_faults: Literal["refuse", "warn"] = dial(
        "refuse",
        "scattershot.persona.no-cap",
        "sheet-faults",
        about="Whether a sheet beyond a limit or a listing is refused, or taken with its deviations noted.",
    )
    stat_minimum_points: Literal[1, 0] = dial(
        1, "scattershot.rating.statistic", "stat-minimum-points", about="The fewest points in a Statistic."
    )
    default_scope_penalty: Literal["flat", "per-level"] = dial(
        "flat",
        "scattershot.default.scope",
        "default-scope-penalty",
        about="Whether another Scope costs a Default 1 in all, or 1 for each level.",
    )
    default_choice: Literal["best", "related-only"] = dial(
        "best",
        "scattershot.default.untrained",
        "default-choice",
        about="Whether the difficulty's base serves where it is higher than the related Rating.",
    )
    default_special_abilities: bool = dial(
        False,
        "scattershot.default.barred",
        "default-special-abilities",
        about="Whether Special Abilities can be Defaulted to.",
    )
    weapon_adds_at_zero: bool = dial(
        True, "scattershot.damage.formula", "weapon-adds-at-zero", about="Whether a weapon adds to an RMIB of 0."
    )
    resource_floor: Literal["zero", "none"] = dial(
        "zero", "scattershot.resource.reduce", "resource-floor", about="Whether a Resource stops at 0."
    )
    resource_penalty: tuple[PenaltyStep, ...] | None = dial(
        None,
        "scattershot.result.deferred-penalty",
        "resource-penalty",
        about="Steps `{at, penalty}`: at this much of a Resource or less, this penalty to all rolls.",
    )
    resistor_results: bool = dial(
        True,
        "scattershot.contest.resistor-results",
        "resistor-results",
        about="Whether a Resistor who comes out ahead has results of its own.",
    )
    advantage_cap: Literal["per-pair", "scene-total"] = dial(
        "per-pair",
        "scattershot.advantage.cap",
        "advantage-cap",
        about="Whether the Epic Index caps Advantages for each pair, or in the whole scene.",
    )
    advantage_stacking: Literal["sum", "worst"] = dial(
        "sum",
        "scattershot.advantage.penalty",
        "advantage-stacking",
        about="Whether the Advantages of several foes add up.",
    )
    seize_requires: Literal["own-none", "none-either-way"] = dial(
        "own-none",
        "scattershot.advantage.seize",
        "seize-requires",
        about="Whether one may Seize while the foe holds Advantage.",
    )
    scope_shift: Literal["required", "advice"] = dial(
        "required",
        "scattershot.mech.scope",
        "scope-shift",
        about="Whether too many Characters for Individual Scope are refused, or flagged.",
    )
    wounds: Literal["basic", "intermediate", "advanced"] = dial(
        "basic", "scattershot.damage.wounds", about="How wounds are noted."
    )
    move_yards: Annotated[int, Between(0)] = dial(
        7, "scattershot.mech.actions", "move-yards", about="Yards of a running move."
    )
    spell_failure_drain: bool = dial(
        False,
        "scattershot.resource.power",
        "spell-failure-drain",
        about="Whether a failed spell drains as much Power as its MIB was missed by.",
    )


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
