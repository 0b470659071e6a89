"""Each reading and optional rule a campaign may choose, its default and its rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ledger.rules.kernel.declarations import dial
from ledger.rules.kernel.domains import Between


@dataclass(frozen=True, slots=True)
class Dials:
    #: Whether a sheet that breaks the steps of creation is refused, or taken with its deviations on record.
    sheet_validation: Literal["strict", "warn"] = dial("strict", "mongrel.expertise.stack")
    #: The highest score anything may have.
    everything_max: Literal[6] | None = dial(None, "mongrel.attr.range")
    #: The highest score an attribute may be raised to.
    attribute_max: Literal[7] | None = dial(7, "mongrel.cp.attribute")
    #: Whether lowered attributes must still keep the orderings.
    lowering_keeps_constraints: bool = dial(False, "mongrel.attr.lowering")
    #: Whether another Identity may overtake the primary one.
    primary_must_stay_highest: bool = dial(False, "mongrel.cp.identity")
    #: Whether characters have a status within their House.
    house_status: bool = dial(False, "mongrel.house.membership")
    #: What the first level of something at 0 costs.
    zero_level_cost: Literal["as_level_1", "literal"] = dial("as_level_1", "mongrel.cp.expertise")
    #: Whether the point for a Vow needs conforming to it, or acting on it in any way.
    vow_award: Literal["conforming", "addressing"] = dial("conforming", "mongrel.cp.vow")
    #: Whether the target number counts towards Effect, as printed.
    effect_adds_tn: bool = dial(False, "mongrel.effect.base")
    #: Whether the numbers that a player declares are proposals to the game masters, or stand.
    player_numbers: Literal["proposed", "trusted"] = dial("proposed", "mongrel.task.proposal")
    #: Whether difficulty always hinders, or is always subtracted.
    modifier_direction: Literal["hinder", "literal"] = dial("hinder", "mongrel.task.modifier")
    #: Whether ones and sixes matter only where no face could fail, or on every roll.
    special_cases_scope: Literal["only_when_needed", "always"] = dial("only_when_needed", "mongrel.task.count")
    #: Whether a target number below 1 leaves a long shot.
    low_longshot: bool = dial(False, "mongrel.task.low-impossible")
    #: Whether characters without a player roll for themselves.
    npc_rolls: bool = dial(True, "mongrel.task.pool")
    #: Whether hits add up.
    damage_track: Literal["cumulative", "per_hit"] = dial("cumulative", "mongrel.damage.hit")
    #: What twice of is terminal in the column.
    terminal_basis: Literal["physique", "size"] = dial("physique", "mongrel.damage.zones")
    #: Whether a hit that ends exactly on Size costs Physique.
    exact_size_costs_physique: bool = dial(False, "mongrel.damage.hit")
    #: The most a weapon may add.
    weapon_bonus_cap: Literal[2, 1] | None = dial(None, "mongrel.damage.net")
    #: Whether the last point of Infernal Resolve can be spent to live.
    last_resolve_point_saves: bool = dial(False, "mongrel.damage.resist-death")
    #: Whether the collapsed may still speak: persuade, threaten, bargain.
    collapsed_may_speak: bool = dial(False, "mongrel.damage.collapse")
    #: Which hits on the collapsed are terminal.
    collapsed_hit_kinds: Literal["physical", "any"] = dial("physical", "mongrel.resolve.collapsed-hit")
    #: Whether Resist answers Chill.
    resist_defends_chill: bool = dial(False, "mongrel.sorcery.resist")
    #: What a successful Resist does.
    resist_method: Literal["subtract", "cancel"] = dial("subtract", "mongrel.sorcery.resist")
    #: What an Occult attack hits.
    occult_attack_hits: Literal["resolve", "mimicked"] = dial("resolve", "mongrel.sorcery.occult")
    #: Whether spending the last Infernal Resolve collapses like losing it.
    zero_resolve_collapse: Literal["any_cause", "spiritual_only"] = dial("any_cause", "mongrel.resolve.zero")
    #: Whether a refresh of Action Points stops at the maximum.
    ap_refresh: Literal["to_max", "over_max"] = dial("to_max", "mongrel.ap.over-max")
    #: What a refresh over the maximum adds.
    ap_refresh_amount: Literal["flat", "half_speed", "physique"] = dial("flat", "mongrel.ap.over-max")
    #: The flat amount of a refresh over the maximum.
    ap_refresh_flat: Annotated[int, Between()] = dial(3, "mongrel.ap.over-max")
    #: What everybody's maximum of Action Points has beyond Speed.
    starting_ap_bonus: Annotated[int, Between()] = dial(0, "mongrel.derived.ap")
    #: Whether who recovers may not defend until the next turn taken.
    recovery_bars_defence: bool = dial(True, "mongrel.conflict.may-defend")
    #: Whether barter, Credit transfers and handing things over need no turn in a conflict, or are actions there.
    dealings_in_conflict: Literal["free", "actions"] = dial("free", "mongrel.conflict.dealings")
    #: Whether a failed action on nobody costs an Action Point.
    failed_untargeted_costs_ap: bool = dial(False, "mongrel.conflict.untargeted")
    #: Whether Infernal Resolve can take Action Points beyond the maximum.
    resolve_ap_may_exceed_max: bool = dial(True, "mongrel.resolve.for-ap")
    #: Whether Action Points bought with Infernal Resolve end a collapse.
    resolve_ap_ends_collapse: bool = dial(True, "mongrel.resolve.for-ap")
    #: What tires: refreshes, or every recovery.
    fatigue_counts: Literal["refreshes", "all_recoveries"] = dial("refreshes", "mongrel.fatigue.limit")
    #: Whether wounds count for fatigue.
    fatigue_uses_damaged_physique: bool = dial(False, "mongrel.fatigue.limit")
    #: Whether one die must meet both conditions of a purchase.
    purchase_same_die: bool = dial(True, "mongrel.credit.purchase")
    #: Whether a purchase must beat the other's Social, not only reach it.
    purchase_social_strict: bool = dial(False, "mongrel.credit.purchase")
