"""Each reading and optional rule a campaign may choose, its default and its rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ledger.rules.kernel.declarations import dial


@dataclass(frozen=True, slots=True)
class Dials:
    #: Whether a level may be raised only after somebody else has declared.
    intensity_raise_gate: Literal["other_declared", "free"] = dial("other_declared", "intensity.level.raise-only")
    #: How long a level binds: for its round, or as the least one for the rest of the scene.
    intensity_scope: Literal["round", "scene_ratchet"] = dial("round", "intensity.level.scope")
    #: Whether target and trait may be restated before the roll.
    declaration_amendable: bool = dial(True, "intensity.round.amend")
    #: What somebody with every trait at 0 does: roll the intensity die alone, or only defend with it.
    no_usable_trait: Literal["intensity_only", "cannot_act"] = dial("intensity_only", "intensity.trait.none-left")
    #: Who orders participants with equal keys.
    full_tie: Literal["table_choice", "roll_off"] = dial("table_choice", "intensity.order.full-tie")
    #: Whether the order is kept as rolled, or follows the dice still standing.
    initiative_basis: Literal["fixed_at_roll", "standing_dice"] = dial("fixed_at_roll", "intensity.order.basis")
    #: What becomes of an action whose target goes out.
    retarget_when_target_gone: Literal["lapse", "retarget"] = dial("lapse", "intensity.action.target-gone")
    #: Whether a die rolled against an earlier attack still counts.
    defence_carryover: Literal["fresh_roll", "keep_or_reroll"] = dial("fresh_roll", "intensity.defence.reroll")
    #: Whether a second die may be picked up after the first was seen.
    defence_second_pick: Literal["single_commit", "after_seeing"] = dial("single_commit", "intensity.defence.commit")
    #: Whether dice of a running round keep the size they were rolled with.
    impact_on_dice_in_play: Literal["locked_for_round", "immediate"] = dial(
        "locked_for_round", "intensity.impact.immediate"
    )
    #: Whether every impact on a trait counts, or one of each kind.
    stacking: Literal["all", "one_per_kind"] = dial("all", "intensity.step.stack")
    #: Which trait a tax may fall on.
    tax_scope: Literal["any_trait", "trait_used"] = dial("any_trait", "intensity.impact.tax")
    #: Whether the attacker may buy a reroll of the defender's die.
    ap_force_reroll: bool = dial(False, "intensity.ap.reroll")
    #: Whether effects other than `maximum` may be bought again in one attack.
    ap_repeat_effect: bool = dial(True, "intensity.ap.repeat")
    #: Whether four points of defence need a die that counts.
    ap_defence_bonus_needs_roll: bool = dial(True, "intensity.ap.defence4")
    #: How long the attacker may buy for the rating.
    ap_rating_deadline: Literal["outcome", "resolve"] = dial("outcome", "intensity.ap.spend")
    #: What becomes of held fatals when the scene closes.
    held_fatal_at_scene_end: Literal["must_settle", "lapses"] = dial("must_settle", "intensity.fatal.scene-end")
    #: What becomes of the fatals of a holder who goes out.
    held_fatal_when_holder_out: Literal["answer_or_lapse", "lapse", "survive"] = dial(
        "answer_or_lapse", "intensity.fatal.holder-out"
    )
    #: Whether a rest is declared, or comes with the end of the scene.
    rest: Literal["explicit", "automatic_at_scene_end"] = dial("explicit", "intensity.rest.taxes")
    #: Whether a healing moment ends taxes.
    healing_counts_as_rest: bool = dial(True, "intensity.heal.rest")
    #: What is limited to one a day: the campaign's healing moments, or each character's healing.
    healing_once_a_day_scope: Literal["campaign", "character"] = dial("campaign", "intensity.heal.daily")
    #: Whether the hurt may decline to heal.
    healing_optional: bool = dial(True, "intensity.heal.one-each")
    #: Whether a healing moment may be held while a scene is open.
    healing_in_open_scene: bool = dial(False, "intensity.heal.when")
    #: What puts two characters in conflict.
    conflict_link: Literal["acted_against", "shared_round"] = dial("acted_against", "intensity.heal.conflict")
