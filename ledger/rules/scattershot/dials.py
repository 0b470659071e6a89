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
        about="The Critical Juncture: the threshold of Telling Blows and Catastrophic Failures.",
    )
    epic_index: Annotated[int, Between(0, 9)] = dial(
        4,
        "scattershot.game.numbers",
        "epic-index",
        about="The Epic Index: the limit for Challenges, Free Actions, steps of a Flurry and Combat Advantage.",
    )
    cinematic: bool = dial(False, "scattershot.mech.free", about="Each kind of Free Action may be repeated in a Round.")
    ue_chart: tuple[ChartRow, ...] | None = dial(
        None,
        "scattershot.chart.multiplier",
        "ue-chart",
        about="Your own UE Chart, in rows `{from, to, facets}`. Leave it out for the standard chart.",
    )
    catastrophe_boundary: Literal["at-or-below", "below"] = dial(
        "at-or-below",
        "scattershot.juncture.catastrophic-failure",
        "catastrophe-boundary",
        about="A Catastrophic Failure starts at minus the Critical Juncture, or only below it.",
    )
    contested_juncture: Literal["rmib-and-initial", "rmib", "each-initial"] = dial(
        "rmib-and-initial",
        "scattershot.juncture.contest-gate",
        "contested-juncture",
        about="In a contest, which MIB is judged for Critical Junctures: the RMIB if an initial MIB also reached the "
        "threshold, the RMIB alone, or each initial MIB.",
    )
    contested_adjust: Literal["each-raw", "rmib"] = dial(
        "each-raw",
        "scattershot.apply.contested",
        "contested-adjust",
        about="In a contest, Challenges and Benefits change each side's own MIB, or the RMIB.",
    )
    points_index: Literal["remaining", "uncapped"] = dial(
        "remaining",
        "scattershot.juncture.points",
        "points-index",
        about="The Points of consequences depend on the number capped at the Critical Juncture, or on the full number.",
    )
    preempt: Literal["early", "replace"] = dial(
        "early", "scattershot.mib.preempt", about="Experience Dice that preempt a roll come before it, or replace it."
    )
    unopposed_dice: Literal["only-when-nobody", "whole-roll"] = dial(
        "only-when-nobody",
        "scattershot.xd.handover",
        "unopposed-dice",
        about="In an unopposed roll, only dice against nobody go to the Gamemaster, or all dice do.",
    )
    self_against: Literal["returns", "to-stock"] = dial(
        "returns",
        "scattershot.xd.handover",
        "self-against",
        about="A die that a Player used against themself returns to them, or goes to the common stock.",
    )
    dice_handover: Literal["after-decision", "immediate"] = dial(
        "after-decision",
        "scattershot.xd.handover",
        "dice-handover",
        about="Dice change hands when the totals are called, or immediately.",
    )
    freebies_per_action: Literal["one", "per-advantage"] = dial(
        "one",
        "scattershot.xd.freebie",
        "freebies-per-action",
        about="An Action can have one Freebie from Advantages, or one from each Advantage.",
    )
    freebie_routing: Literal["routed", "to-stock"] = dial(
        "routed",
        "scattershot.xd.freebie",
        "freebie-routing",
        about="A rolled Freebie goes where any other die goes, or to the common stock.",
    )
    gm_dice: Literal["loaners-and-freebies", "stock"] = dial(
        "loaners-and-freebies",
        "scattershot.xd.contribute",
        "gm-dice",
        about="The Gamemaster rolls only Loaners and Freebies, or dice from the common stock, too.",
    )
    stock_size: Annotated[int, Between(0)] | None = dial(
        None,
        "scattershot.xd.instant",
        "stock-size",
        about="How many dice the common stock has. Leave it out for no limit.",
    )
    loaner_unopposed: Literal["gm-saves", "refuse"] = dial(
        "gm-saves",
        "scattershot.xd.loaner",
        "loaner-unopposed",
        about="A Loaner against nobody is saved by the Gamemaster, or refused.",
    )
    loaner_limit: Annotated[int, Between(0)] | None = dial(
        None,
        "scattershot.xd.loaner",
        "loaner-limit",
        about="How many Loaners a Player may have out at the same time. Leave it out for no limit.",
    )
    loaner_repaid: Literal["karmic", "keeper"] = dial(
        "karmic",
        "scattershot.xd.loaner-use",
        "loaner-repaid",
        about="A Loaner used against its borrower only repays the loan, or also gives the borrower the die.",
    )
    loaner_expiry: Literal["lapse", "carry", "keep"] = dial(
        "lapse",
        "scattershot.xd.loaner-expiry",
        "loaner-expiry",
        about="Loaners that are left at the end of the Session lapse, are carried over, or are kept as ordinary dice.",
    )
    dice_granted_by: Literal["gamemaster", "group"] = dial(
        "gamemaster",
        "scattershot.xd.gimme",
        "dice-granted-by",
        about="Who grants the dice that a Player claims (a Gimme, a coup, a Payback): the Gamemaster, or the Group.",
    )
    payback_interest: Annotated[int, Between(0)] = dial(
        1,
        "scattershot.xd.payback",
        "payback-interest",
        about="Extra dice for a Payback that put the Game back on track.",
    )
    payback_minimum: Annotated[int, Between(0)] = dial(
        1, "scattershot.xd.payback", "payback-minimum", about="The minimum number of dice for a Payback."
    )
    coup_extra: Annotated[int, Between(0)] = dial(
        1, "scattershot.xd.coup", "coup-extra", about="Dice for counting coup, besides the forgotten award."
    )
    disadvantage_accounting: Literal["record-only", "refund"] = dial(
        "record-only",
        "scattershot.rating.disadvantage",
        "disadvantage-accounting",
        about="Disadvantages are only recorded, or also refund Development Points.",
    )
    cash_in_disadvantages: bool = dial(
        False, "scattershot.xd.cash-in", "cash-in-disadvantages", about="Disadvantages can be cashed in."
    )
    sheet_faults: Literal["refuse", "warn"] = dial(
        "refuse",
        "scattershot.persona.no-cap",
        "sheet-faults",
        about="A sheet beyond a limit or a listing is refused, or accepted with its deviations noted.",
    )
    stat_minimum_points: Literal[1, 0] = dial(
        1, "scattershot.rating.statistic", "stat-minimum-points", about="The minimum number of points in a Statistic."
    )
    default_scope_penalty: Literal["flat", "per-level"] = dial(
        "flat",
        "scattershot.default.scope",
        "default-scope-penalty",
        about="A Default from a different Scope has -1 in total, or -1 for each level.",
    )
    default_choice: Literal["best", "related-only"] = dial(
        "best",
        "scattershot.default.untrained",
        "default-choice",
        about="A Default uses the better of the related Rating and the difficulty's base, or only the related Rating.",
    )
    default_special_abilities: bool = dial(
        False,
        "scattershot.default.barred",
        "default-special-abilities",
        about="Defaults on Special Abilities are allowed.",
    )
    weapon_adds_at_zero: bool = dial(
        True, "scattershot.damage.formula", "weapon-adds-at-zero", about="A weapon adds to an RMIB of 0."
    )
    weapon_numbers: Literal["free", "listed"] = dial(
        "free",
        "scattershot.listing.weapon",
        "weapon-numbers",
        about="A Player may say what any weapon adds to damage, or may use only weapons that have a listed name.",
    )
    resource_floor: Literal["zero", "none"] = dial(
        "zero", "scattershot.resource.reduce", "resource-floor", about="A Resource stops at 0, or can fall below it."
    )
    resource_penalty: tuple[PenaltyStep, ...] | None = dial(
        None,
        "scattershot.result.deferred-penalty",
        "resource-penalty",
        about="Penalties for reduced Resources, in steps `{at, penalty}`: with this much of a Resource or less, this "
        "penalty to all rolls.",
    )
    resistor_results: bool = dial(
        True,
        "scattershot.contest.resistor-results",
        "resistor-results",
        about="A Resistor who is ahead has results of its own.",
    )
    advantage_cap: Literal["per-pair", "scene-total"] = dial(
        "per-pair",
        "scattershot.advantage.cap",
        "advantage-cap",
        about="The Epic Index limits Combat Advantage for each holder and foe, or in the whole scene.",
    )
    advantage_stacking: Literal["sum", "worst"] = dial(
        "sum",
        "scattershot.advantage.penalty",
        "advantage-stacking",
        about="The Combat Advantage of several foes adds up, or only the worst counts.",
    )
    seize_requires: Literal["own-none", "none-either-way"] = dial(
        "own-none",
        "scattershot.advantage.seize",
        "seize-requires",
        about="To Seize Combat Advantage, a Character must have none, or neither side may have any.",
    )
    scope_shift: Literal["required", "advice"] = dial(
        "required",
        "scattershot.mech.scope",
        "scope-shift",
        about="Too many Characters for Individual Scope are refused, or only noted.",
    )
    wounds: Literal["basic", "intermediate", "advanced"] = dial(
        "basic", "scattershot.damage.wounds", about="How wounds are described."
    )
    move_yards: Annotated[int, Between(0)] = dial(
        7, "scattershot.mech.actions", "move-yards", about="How many yards a running move covers."
    )
    spell_failure_drain: bool = dial(
        False,
        "scattershot.resource.power",
        "spell-failure-drain",
        about="A failed spell drains as much Power as the roll was missed by.",
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
