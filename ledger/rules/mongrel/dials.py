"""The readings and optional rules that a campaign may choose, each with its default and its rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ledger.rules.kernel.kit import Between, dial


@dataclass(frozen=True, slots=True)
class Dials:
    sheet_validation: Literal["strict", "warn"] = dial(
        "strict",
        "mongrel.expertise.stack",
        about="What happens to a sheet that breaks the rules of character creation. `strict`: it is refused. `warn`:"
        " it is accepted, and the rules it breaks are recorded.",
    )
    everything_max: Literal[6] | None = dial(
        None,
        "mongrel.attr.range",
        about="The highest score that an Identity, an attribute or an Expertise can have, if there is a limit.",
    )
    attribute_max: Literal[7] | None = dial(
        7,
        "mongrel.cp.attribute",
        about="The highest score to which character points can raise an attribute, if there is a limit.",
    )
    lowering_keeps_constraints: bool = dial(
        False,
        "mongrel.attr.lowering",
        about="`true`: where the primary Identity, sex or age requires one attribute to be higher than another, this"
        " must still be so after lowering. `false`: any attribute can be lowered to 1.",
    )
    primary_must_stay_highest: bool = dial(
        False,
        "mongrel.cp.identity",
        about="`true`: character points cannot raise another Identity above the primary one. `false`: they can.",
    )
    house_status: bool = dial(
        False,
        "mongrel.house.membership",
        about="`true`: each character has a status within their House. It starts at their Social, and only a game"
        " master changes it. `false`: there is no status.",
    )
    zero_level_cost: Literal["as_level_1", "literal"] = dial(
        "as_level_1",
        "mongrel.cp.expertise",
        about="What it costs to raise an Expertise or Identity from 0 to 1. `as_level_1`: as much as from 1 to 2."
        " `literal`: nothing.",
    )
    vow_award: Literal["conforming", "addressing"] = dial(
        "conforming",
        "mongrel.cp.vow",
        about="When a Vow earns a character point. `conforming`: when the character took a risk to conform to it."
        " `addressing`: also when the character acted on it in any other way.",
    )
    effect_adds_tn: bool = dial(
        False,
        "mongrel.effect.base",
        about="`true`: the target number is added to the Effect of a success, as one sentence of the source says."
        " `false`: it is not added, as in the source's examples.",
    )
    player_numbers: Literal["proposed", "trusted"] = dial(
        "proposed",
        "mongrel.task.proposal",
        about="What happens to numbers that a player declares, such as the difficulty or the value of armour."
        " `proposed`: a game master is asked about them. `trusted`: they are accepted as they are.",
    )
    player_tasks: Literal["trusted", "proposed"] = dial(
        "trusted",
        "mongrel.task.proposal",
        about="What happens to the side (whose attribute counts), the attributes and the Power options that a player"
        " declares for a task. `trusted`: they are accepted as they are. `proposed`: a game master is asked about"
        " them.",
    )
    modifier_direction: Literal["hinder", "literal"] = dial(
        "hinder",
        "mongrel.task.modifier",
        about="What difficulty does to the target number. `hinder`: it moves the number so that the roll becomes"
        " harder. `literal`: it is always subtracted, which makes a roll against a target easier.",
    )
    special_cases_scope: Literal["only_when_needed", "always"] = dial(
        "only_when_needed",
        "mongrel.task.count",
        about="When a roll fails because half or more of its dice show 1 (against a target's score) or 6 (against the"
        " roller's own score). `only_when_needed`: only if every face would otherwise succeed. `always`: also"
        " if only some faces would.",
    )
    low_longshot: bool = dial(
        False,
        "mongrel.task.low-impossible",
        about="What happens if the target number is the roller's own score and is below 1. `true`: the roll succeeds if"
        " half or more of the dice show 1. `false`: it fails.",
    )
    npc_rolls: bool = dial(
        True,
        "mongrel.task.pool",
        about="`true`: characters played by the game master roll dice like all others. `false`: they never roll, and"
        " only supply target numbers for others.",
    )
    damage_track: Literal["cumulative", "per_hit"] = dial(
        "cumulative",
        "mongrel.damage.hit",
        about="How the damage of several hits is counted. `cumulative`: it adds up. `per_hit`: each hit is counted by"
        " itself.",
    )
    terminal_basis: Literal["physique", "size"] = dial(
        "physique",
        "mongrel.damage.zones",
        about="When damage in the Physique column is terminal. `physique`: beyond twice Physique. `size`: beyond twice"
        " Size, as the source says.",
    )
    exact_size_costs_physique: bool = dial(
        False,
        "mongrel.damage.hit",
        about="`true`: a hit that exactly fills the Size row costs a point of Physique. `false`: it does not.",
    )
    weapon_bonus_cap: Literal[2, 1] | None = dial(
        None,
        "mongrel.damage.net",
        about="The most that a weapon can add to an Effect, if there is a limit.",
    )
    last_resolve_point_saves: bool = dial(
        False,
        "mongrel.damage.resist-death",
        about="`true`: a character can avoid death by spending their last point of Infernal Resolve. `false`: they"
        " die if they have no point left after spending one.",
    )
    collapsed_may_speak: bool = dial(
        False,
        "mongrel.damage.collapse",
        about="`true`: outside conflicts, collapsed characters can do things that need only words, such as lying,"
        " negotiating or selling. `false`: they cannot.",
    )
    collapsed_hit_kinds: Literal["physical", "any"] = dial(
        "physical",
        "mongrel.resolve.collapsed-hit",
        about="Which hits are terminal for a collapsed character. `physical`: only physical hits. `any`: spiritual"
        " hits, too.",
    )
    resist_defends_chill: bool = dial(
        False,
        "mongrel.sorcery.resist",
        about="`true`: the target of a successful Chill may roll Resist. `false`: Resist works only against Occult.",
    )
    resist_method: Literal["subtract", "cancel"] = dial(
        "subtract",
        "mongrel.sorcery.resist",
        about="What a successful Resist does. `subtract`: its Effect is subtracted from the Effect of the Occult."
        " `cancel`: the Occult fails.",
    )
    occult_attack_hits: Literal["resolve", "mimicked"] = dial(
        "resolve",
        "mongrel.sorcery.occult",
        about="What an Occult attack hits. `resolve`: Infernal Resolve. `mimicked`: whatever the imitated Expertise"
        " would hit.",
    )
    zero_resolve_collapse: Literal["any_cause", "spiritual_only"] = dial(
        "any_cause",
        "mongrel.resolve.zero",
        about="What makes a character with 0 Infernal Resolve collapse. `any_cause`: any loss of the last point, even"
        " spending it. `spiritual_only`: only a spiritual attack.",
    )
    ap_refresh: Literal["to_max", "over_max"] = dial(
        "to_max",
        "mongrel.ap.over-max",
        about="What a character gains by recovering with 1 or more Action Points (a refresh). `to_max`: all Action"
        " Points up to the maximum. `over_max`: an amount that can take them above the maximum.",
    )
    ap_refresh_amount: Literal["flat", "half_speed", "physique"] = dial(
        "flat",
        "mongrel.ap.over-max",
        about="How many Action Points a refresh adds if `ap_refresh` is `over_max`. `flat`: the number in"
        " `ap_refresh_flat`. `half_speed`: half of the character's Speed, rounded up. `physique`: the character's"
        " Physique.",
    )
    ap_refresh_flat: Annotated[int, Between()] = dial(
        3,
        "mongrel.ap.over-max",
        about="How many Action Points a refresh adds if `ap_refresh_amount` is `flat`.",
    )
    starting_ap_bonus: Annotated[int, Between()] = dial(
        0,
        "mongrel.derived.ap",
        about="The bonus that is added to every character's Action Point maximum.",
    )
    recovery_bars_defence: bool = dial(
        True,
        "mongrel.conflict.may-defend",
        about="`true`: a character who is recovering cannot defend. `false`: they can.",
    )
    dealings_in_conflict: Literal["free", "actions"] = dial(
        "free",
        "mongrel.conflict.dealings",
        about="Whether barter, Credit transfers, sales and handing things over take a turn in a conflict. `free`:"
        " they do not. `actions`: they do, like other actions.",
    )
    dice_before_defence: bool = dial(
        True,
        "mongrel.conflict.attack",
        about="`true`: dice can be entered with an attack before its target has chosen whether to defend. `false`:"
        " the target chooses first.",
    )
    failed_untargeted_costs_ap: bool = dial(
        False,
        "mongrel.conflict.untargeted",
        about="`true`: an action that has no target, or whose target is an object, costs 1 Action Point if it fails."
        " `false`: it costs none.",
    )
    resolve_ap_may_exceed_max: bool = dial(
        True,
        "mongrel.resolve.for-ap",
        about="`true`: Infernal Resolve can raise Action Points above the maximum. `false`: it cannot.",
    )
    resolve_ap_ends_collapse: bool = dial(
        True,
        "mongrel.resolve.for-ap",
        about="`true`: Action Points from Infernal Resolve end a collapse. `false`: only recovering does.",
    )
    fatigue_counts: Literal["refreshes", "all_recoveries"] = dial(
        "refreshes",
        "mongrel.fatigue.limit",
        about="What counts towards exhaustion. `refreshes`: only recovering with 1 or more Action Points."
        " `all_recoveries`: recovering with 0 Action Points, too.",
    )
    fatigue_uses_damaged_physique: bool = dial(
        False,
        "mongrel.fatigue.limit",
        about="Which Physique score limits the refreshes within an hour. `true`: the score as lowered by wounds."
        " `false`: the lasting score.",
    )
    purchase_same_die: bool = dial(
        True,
        "mongrel.credit.purchase",
        about="`true`: one and the same die must meet both the seller's Social and the buyer's Credit. `false`:"
        " different dice may meet them.",
    )
    purchase_social_strict: bool = dial(
        False,
        "mongrel.credit.purchase",
        about="`true`: a die must show more than the seller's Social. `false`: a die that shows exactly that number"
        " is enough.",
    )
