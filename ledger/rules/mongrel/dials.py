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
        about="A sheet that breaks the rules of creation is refused, or accepted with its deviations on record.",
    )
    everything_max: Literal[6] | None = dial(
        None, "mongrel.attr.range", about="The maximum for all scores, if there is one."
    )
    attribute_max: Literal[7] | None = dial(
        7, "mongrel.cp.attribute", about="The highest score to which character points can raise an attribute."
    )
    lowering_keeps_constraints: bool = dial(
        False,
        "mongrel.attr.lowering",
        about="Lowered attributes must still be higher or lower than one another as Identity, sex and age require.",
    )
    primary_must_stay_highest: bool = dial(
        False, "mongrel.cp.identity", about="No other Identity can be raised above the primary one."
    )
    house_status: bool = dial(
        False, "mongrel.house.membership", about="Characters have a status within their House. It starts at Social."
    )
    zero_level_cost: Literal["as_level_1", "literal"] = dial(
        "as_level_1",
        "mongrel.cp.expertise",
        about="Raising an Expertise or Identity from 0 costs as much as raising it from 1, or nothing.",
    )
    vow_award: Literal["conforming", "addressing"] = dial(
        "conforming",
        "mongrel.cp.vow",
        about="A Vow earns its point for conforming to it, or for acting on it in any way.",
    )
    effect_adds_tn: bool = dial(
        False, "mongrel.effect.base", about="The target number is added to the Effect, as the source says in one place."
    )
    player_numbers: Literal["proposed", "trusted"] = dial(
        "proposed",
        "mongrel.task.proposal",
        about="The numbers that a player declares are proposals to a game master, or count as they are.",
    )
    player_tasks: Literal["trusted", "proposed"] = dial(
        "trusted",
        "mongrel.task.proposal",
        about="The side, the attributes and the Power options of a player's task count as declared, or are proposals to"
        " a game master.",
    )
    modifier_direction: Literal["hinder", "literal"] = dial(
        "hinder",
        "mongrel.task.modifier",
        about="Difficulty always hinders the roller, or is always subtracted from the target number.",
    )
    special_cases_scope: Literal["only_when_needed", "always"] = dial(
        "only_when_needed",
        "mongrel.task.count",
        about="Half or more ones or sixes make a roll fail only if no face could fail, or on every roll.",
    )
    low_longshot: bool = dial(
        False,
        "mongrel.task.low-impossible",
        about="With an own target number below 1, a roll succeeds if half or more of the dice show 1.",
    )
    npc_rolls: bool = dial(
        True, "mongrel.task.pool", about="Characters without a player roll dice. Off: they only supply target numbers."
    )
    damage_track: Literal["cumulative", "per_hit"] = dial(
        "cumulative", "mongrel.damage.hit", about="Hits add up, or each hit counts by itself."
    )
    terminal_basis: Literal["physique", "size"] = dial(
        "physique",
        "mongrel.damage.zones",
        about="Damage in the column is terminal beyond twice Physique, or beyond twice Size.",
    )
    exact_size_costs_physique: bool = dial(
        False, "mongrel.damage.hit", about="A hit that ends exactly on Size costs a point of Physique."
    )
    weapon_bonus_cap: Literal[2, 1] | None = dial(
        None, "mongrel.damage.net", about="The most that a weapon may add, if there is a limit."
    )
    last_resolve_point_saves: bool = dial(
        False, "mongrel.damage.resist-death", about="Spending the last point of Infernal Resolve prevents death, too."
    )
    collapsed_may_speak: bool = dial(
        False, "mongrel.damage.collapse", about="Collapsed characters may still speak: persuade, threaten, bargain."
    )
    collapsed_hit_kinds: Literal["physical", "any"] = dial(
        "physical",
        "mongrel.resolve.collapsed-hit",
        about="The hits that are terminal for a collapsed character: physical ones, or any.",
    )
    resist_defends_chill: bool = dial(False, "mongrel.sorcery.resist", about="Resist also answers Chill.")
    resist_method: Literal["subtract", "cancel"] = dial(
        "subtract",
        "mongrel.sorcery.resist",
        about="A successful Resist lowers the Effect of Occult by its own Effect, or cancels the Occult.",
    )
    occult_attack_hits: Literal["resolve", "mimicked"] = dial(
        "resolve",
        "mongrel.sorcery.occult",
        about="An Occult attack hits Infernal Resolve, or what the imitated Expertise would hit.",
    )
    zero_resolve_collapse: Literal["any_cause", "spiritual_only"] = dial(
        "any_cause",
        "mongrel.resolve.zero",
        about="A character collapses at 0 Infernal Resolve from any cause, or only from spiritual attacks.",
    )
    ap_refresh: Literal["to_max", "over_max"] = dial(
        "to_max", "mongrel.ap.over-max", about="A refresh of Action Points goes to the maximum, or can go over it."
    )
    ap_refresh_amount: Literal["flat", "half_speed", "physique"] = dial(
        "flat",
        "mongrel.ap.over-max",
        about="What a refresh adds if it can go over the maximum: a flat amount, half of Speed, or Physique.",
    )
    ap_refresh_flat: Annotated[int, Between()] = dial(
        3, "mongrel.ap.over-max", about="The flat amount that a refresh adds if it can go over the maximum."
    )
    starting_ap_bonus: Annotated[int, Between()] = dial(
        0, "mongrel.derived.ap", about="A bonus to the Action Point maximum of every character."
    )
    recovery_bars_defence: bool = dial(
        True, "mongrel.conflict.may-defend", about="A character who recovers cannot defend before their next turn."
    )
    dealings_in_conflict: Literal["free", "actions"] = dial(
        "free",
        "mongrel.conflict.dealings",
        about="In a conflict, barter, Credit transfers and handing things over need no turn, or are actions.",
    )
    dice_before_defence: bool = dial(
        True,
        "mongrel.conflict.attack",
        about="Dice can be typed in with an attack before its target has chosen whether to defend.",
    )
    failed_untargeted_costs_ap: bool = dial(
        False, "mongrel.conflict.untargeted", about="A failed action on nobody costs an Action Point."
    )
    resolve_ap_may_exceed_max: bool = dial(
        True, "mongrel.resolve.for-ap", about="Infernal Resolve can raise Action Points above the maximum."
    )
    resolve_ap_ends_collapse: bool = dial(
        True, "mongrel.resolve.for-ap", about="Action Points gained with Infernal Resolve end a collapse."
    )
    fatigue_counts: Literal["refreshes", "all_recoveries"] = dial(
        "refreshes", "mongrel.fatigue.limit", about="What counts towards fatigue: refreshes, or every recovery."
    )
    fatigue_uses_damaged_physique: bool = dial(
        False, "mongrel.fatigue.limit", about="Fatigue depends on Physique as lowered by wounds."
    )
    purchase_same_die: bool = dial(
        True,
        "mongrel.credit.purchase",
        about="One die must meet both conditions of a purchase. Off: different dice may meet them.",
    )
    purchase_social_strict: bool = dial(
        False, "mongrel.credit.purchase", about="A purchase must beat the seller's Social. Off: reaching it is enough."
    )
