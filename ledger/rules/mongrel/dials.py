"""Each reading and optional rule a campaign may choose, its default and its rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ledger.rules.kernel.declarations import dial
from ledger.rules.kernel.domains import Between


@dataclass(frozen=True, slots=True)
class Dials:
    sheet_validation: Literal["strict", "warn"] = dial(
        "strict",
        "mongrel.expertise.stack",
        about="Whether a sheet that breaks the steps of creation is refused, or taken with its deviations on record.",
    )
    everything_max: Literal[6] | None = dial(None, "mongrel.attr.range", about="The highest score anything may have.")
    attribute_max: Literal[7] | None = dial(
        7, "mongrel.cp.attribute", about="The highest score an attribute may be raised to."
    )
    lowering_keeps_constraints: bool = dial(
        False, "mongrel.attr.lowering", about="Whether lowered attributes must still keep the orderings."
    )
    primary_must_stay_highest: bool = dial(
        False, "mongrel.cp.identity", about="Whether another Identity may overtake the primary one."
    )
    house_status: bool = dial(
        False, "mongrel.house.membership", about="Whether characters have a status within their House."
    )
    zero_level_cost: Literal["as_level_1", "literal"] = dial(
        "as_level_1", "mongrel.cp.expertise", about="What the first level of something at 0 costs."
    )
    vow_award: Literal["conforming", "addressing"] = dial(
        "conforming",
        "mongrel.cp.vow",
        about="Whether the point for a Vow needs conforming to it, or acting on it in any way.",
    )
    effect_adds_tn: bool = dial(
        False, "mongrel.effect.base", about="Whether the target number counts towards Effect, as printed."
    )
    player_numbers: Literal["proposed", "trusted"] = dial(
        "proposed",
        "mongrel.task.proposal",
        about="Whether the numbers that a player declares are proposals to the game masters, or stand.",
    )
    modifier_direction: Literal["hinder", "literal"] = dial(
        "hinder", "mongrel.task.modifier", about="Whether difficulty always hinders, or is always subtracted."
    )
    special_cases_scope: Literal["only_when_needed", "always"] = dial(
        "only_when_needed",
        "mongrel.task.count",
        about="Whether ones and sixes matter only where no face could fail, or on every roll.",
    )
    low_longshot: bool = dial(
        False, "mongrel.task.low-impossible", about="Whether a target number below 1 leaves a long shot."
    )
    npc_rolls: bool = dial(True, "mongrel.task.pool", about="Whether characters without a player roll for themselves.")
    damage_track: Literal["cumulative", "per_hit"] = dial(
        "cumulative", "mongrel.damage.hit", about="Whether hits add up."
    )
    terminal_basis: Literal["physique", "size"] = dial(
        "physique", "mongrel.damage.zones", about="What twice of is terminal in the column."
    )
    exact_size_costs_physique: bool = dial(
        False, "mongrel.damage.hit", about="Whether a hit that ends exactly on Size costs Physique."
    )
    weapon_bonus_cap: Literal[2, 1] | None = dial(None, "mongrel.damage.net", about="The most a weapon may add.")
    last_resolve_point_saves: bool = dial(
        False, "mongrel.damage.resist-death", about="Whether the last point of Infernal Resolve can be spent to live."
    )
    collapsed_may_speak: bool = dial(
        False, "mongrel.damage.collapse", about="Whether the collapsed may still speak: persuade, threaten, bargain."
    )
    collapsed_hit_kinds: Literal["physical", "any"] = dial(
        "physical", "mongrel.resolve.collapsed-hit", about="Which hits on the collapsed are terminal."
    )
    resist_defends_chill: bool = dial(False, "mongrel.sorcery.resist", about="Whether Resist answers Chill.")
    resist_method: Literal["subtract", "cancel"] = dial(
        "subtract", "mongrel.sorcery.resist", about="What a successful Resist does."
    )
    occult_attack_hits: Literal["resolve", "mimicked"] = dial(
        "resolve", "mongrel.sorcery.occult", about="What an Occult attack hits."
    )
    zero_resolve_collapse: Literal["any_cause", "spiritual_only"] = dial(
        "any_cause",
        "mongrel.resolve.zero",
        about="Whether spending the last Infernal Resolve collapses like losing it.",
    )
    ap_refresh: Literal["to_max", "over_max"] = dial(
        "to_max", "mongrel.ap.over-max", about="Whether a refresh of Action Points stops at the maximum."
    )
    ap_refresh_amount: Literal["flat", "half_speed", "physique"] = dial(
        "flat", "mongrel.ap.over-max", about="What a refresh over the maximum adds."
    )
    ap_refresh_flat: Annotated[int, Between()] = dial(
        3, "mongrel.ap.over-max", about="The flat amount of a refresh over the maximum."
    )
    starting_ap_bonus: Annotated[int, Between()] = dial(
        0, "mongrel.derived.ap", about="What everybody's maximum of Action Points has beyond Speed."
    )
    recovery_bars_defence: bool = dial(
        True, "mongrel.conflict.may-defend", about="Whether who recovers may not defend until the next turn taken."
    )
    dealings_in_conflict: Literal["free", "actions"] = dial(
        "free",
        "mongrel.conflict.dealings",
        about="Whether barter, Credit transfers and handing things over need no turn in a conflict, or are "
        "actions there.",
    )
    failed_untargeted_costs_ap: bool = dial(
        False, "mongrel.conflict.untargeted", about="Whether a failed action on nobody costs an Action Point."
    )
    resolve_ap_may_exceed_max: bool = dial(
        True, "mongrel.resolve.for-ap", about="Whether Infernal Resolve can take Action Points beyond the maximum."
    )
    resolve_ap_ends_collapse: bool = dial(
        True, "mongrel.resolve.for-ap", about="Whether Action Points bought with Infernal Resolve end a collapse."
    )
    fatigue_counts: Literal["refreshes", "all_recoveries"] = dial(
        "refreshes", "mongrel.fatigue.limit", about="What tires: refreshes, or every recovery."
    )
    fatigue_uses_damaged_physique: bool = dial(
        False, "mongrel.fatigue.limit", about="Whether wounds count for fatigue."
    )
    purchase_same_die: bool = dial(
        True, "mongrel.credit.purchase", about="Whether one die must meet both conditions of a purchase."
    )
    purchase_social_strict: bool = dial(
        False, "mongrel.credit.purchase", about="Whether a purchase must beat the other's Social, not only reach it."
    )
