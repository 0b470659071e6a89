"""The options of a campaign: readings and optional rules, each with its default, its rule and its values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ledger.rules.kernel.declarations import dial


@dataclass(frozen=True, slots=True)
class Dials:
    intensity_raise_gate: Literal["other_declared", "free"] = dial(
        "other_declared",
        "intensity.level.raise-only",
        about="When a level may be raised. `other_declared`: after another participant has declared."
        " `free`: at any time before the roll.",
    )
    intensity_scope: Literal["round", "scene_ratchet"] = dial(
        "round",
        "intensity.level.scope",
        about="How long a level binds. `round`: each round starts with a free choice."
        " `scene_ratchet`: no level below your last one in this scene.",
    )
    declaration_amendable: bool = dial(
        True,
        "intensity.round.amend",
        about="`true`: you may change your target and trait until the roll. `false`: a declaration cannot be changed.",
    )
    no_usable_trait: Literal["intensity_only", "cannot_act"] = dial(
        "intensity_only",
        "intensity.trait.none-left",
        about="What a character can do if every trait is at 0. `intensity_only`: act with the intensity die alone."
        " `cannot_act`: only defend with it.",
    )
    full_tie: Literal["table_choice", "roll_off"] = dial(
        "table_choice",
        "intensity.order.full-tie",
        about="Who goes first when all dice are equal. `table_choice`: the table decides."
        " `roll_off`: the tied participants roll their dice again, for the order only.",
    )
    initiative_basis: Literal["fixed_at_roll", "standing_dice"] = dial(
        "fixed_at_roll",
        "intensity.order.basis",
        about="What decides the order. `fixed_at_roll`: the dice as first rolled."
        " `standing_dice`: the dice that are still standing when the next turn begins.",
    )
    retarget_when_target_gone: Literal["lapse", "retarget"] = dial(
        "lapse",
        "intensity.action.target-gone",
        about="What happens to an action when its target goes out of play. `lapse`: it is lost."
        " `retarget`: its actor may choose another target.",
    )
    defence_carryover: Literal["fresh_roll", "keep_or_reroll"] = dial(
        "fresh_roll",
        "intensity.defence.reroll",
        about="Which defence dice count. `fresh_roll`: only those rolled against this attack."
        " `keep_or_reroll`: also those rolled against an earlier attack, with their last face.",
    )
    defence_second_pick: Literal["single_commit", "after_seeing"] = dial(
        "single_commit",
        "intensity.defence.commit",
        about="How a defender chooses dice. `single_commit`: once for each attack."
        " `after_seeing`: the other die may be added after seeing the first.",
    )
    impact_on_dice_in_play: Literal["locked_for_round", "immediate"] = dial(
        "locked_for_round",
        "intensity.impact.immediate",
        about="When an impact changes the dice in play. `locked_for_round`: dice keep their size until the round ends."
        " `immediate`: a trait die rolled later in the round has its new size.",
    )
    stacking: Literal["all", "one_per_kind"] = dial(
        "all",
        "intensity.step.stack",
        about="How impacts add up. `all`: every tax, damage and wound lowers a trait by one step."
        " `one_per_kind`: several of the same kind lower it by only one step.",
    )
    tax_scope: Literal["any_trait", "trait_used"] = dial(
        "any_trait",
        "intensity.impact.tax",
        about="Which trait can be taxed. `any_trait`: any trait of the defender."
        " `trait_used`: only the one the defender rolled this round.",
    )
    ap_force_reroll: bool = dial(
        False,
        "intensity.ap.reroll",
        about="Who may buy a reroll of a defence die. `true`: the attacker, too. `false`: only the defender.",
    )
    ap_repeat_effect: bool = dial(
        True,
        "intensity.ap.repeat",
        about="`true`: effects other than the maximum can be bought again in one attack. `false`: each only once.",
    )
    ap_defence_bonus_needs_roll: bool = dial(
        True,
        "intensity.ap.defence4",
        about="`true`: four points can be added to the defence only if a die counts in defence."
        " `false`: also if the defender lets the dice stand.",
    )
    ap_rating_deadline: Literal["outcome", "resolve"] = dial(
        "outcome",
        "intensity.ap.spend",
        about="How long the attacker may buy effects for the rating. `outcome`: until the impact is chosen."
        " `resolve`: until the attack is resolved.",
    )
    held_fatal_at_scene_end: Literal["must_settle", "lapses"] = dial(
        "must_settle",
        "intensity.fatal.scene-end",
        about="`must_settle`: a scene cannot close while a fatal impact is held."
        " `lapses`: fatal impacts still held are lost when the scene closes.",
    )
    held_fatal_when_holder_out: Literal["answer_or_lapse", "lapse", "survive"] = dial(
        "answer_or_lapse",
        "intensity.fatal.holder-out",
        about="What happens to held fatal impacts when their holder goes out of play. `answer_or_lapse`: the holder"
        " may use them at once; the others are lost. `lapse`: all are lost. `survive`: the holder keeps them and may"
        " use them.",
    )
    rest: Literal["explicit", "automatic_at_scene_end"] = dial(
        "explicit",
        "intensity.rest.taxes",
        about="How characters rest. `explicit`: somebody declares it."
        " `automatic_at_scene_end`: closing a scene counts as a rest.",
    )
    healing_counts_as_rest: bool = dial(
        True,
        "intensity.heal.rest",
        about="`true`: a healing moment ends taxes. `false`: taxes stay.",
    )
    healing_once_a_day_scope: Literal["campaign", "character"] = dial(
        "campaign",
        "intensity.heal.daily",
        about="What can happen only once a day. `campaign`: a healing moment."
        " `character`: healing, for each character.",
    )
    healing_optional: bool = dial(
        True,
        "intensity.heal.one-each",
        about="`true`: a hurt character may choose to heal nothing. `false`: every hurt character must heal something,"
        " unless a game master answers for a player who does not.",
    )
    healing_in_open_scene: bool = dial(
        False,
        "intensity.heal.when",
        about="`true`: a healing moment can happen in an open scene, between rounds. `false`: only between scenes.",
    )
    conflict_link: Literal["acted_against", "shared_round"] = dial(
        "acted_against",
        "intensity.heal.conflict",
        about="Who is in conflict. `acted_against`: two characters, if one targeted the other."
        " `shared_round`: all participants of a round.",
    )
