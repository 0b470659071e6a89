"""Each reading and optional rule a campaign may choose: its default, its rule and what its values mean."""

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
        about="`true`: target and trait may change until the roll. `false`: a declaration stands.",
    )
    no_usable_trait: Literal["intensity_only", "cannot_act"] = dial(
        "intensity_only",
        "intensity.trait.none-left",
        about="What a character does whose traits are all at 0. `intensity_only`: acts with the intensity die alone."
        " `cannot_act`: only defends with it.",
    )
    full_tie: Literal["table_choice", "roll_off"] = dial(
        "table_choice",
        "intensity.order.full-tie",
        about="Who goes first when all dice are equal. `table_choice`: the table decides."
        " `roll_off`: the tied roll their dice again, for the order only.",
    )
    initiative_basis: Literal["fixed_at_roll", "standing_dice"] = dial(
        "fixed_at_roll",
        "intensity.order.basis",
        about="`fixed_at_roll`: the order stays as it was rolled."
        " `standing_dice`: the highest dice still standing go next.",
    )
    retarget_when_target_gone: Literal["lapse", "retarget"] = dial(
        "lapse",
        "intensity.action.target-gone",
        about="What happens to an action when its target goes out. `lapse`: it is lost."
        " `retarget`: it may take another target.",
    )
    defence_carryover: Literal["fresh_roll", "keep_or_reroll"] = dial(
        "fresh_roll",
        "intensity.defence.reroll",
        about="Which defence dice count. `fresh_roll`: those rolled against this attack."
        " `keep_or_reroll`: also those rolled against an earlier attack, with their last face.",
    )
    defence_second_pick: Literal["single_commit", "after_seeing"] = dial(
        "single_commit",
        "intensity.defence.commit",
        about="`single_commit`: the defender chooses once for each attack."
        " `after_seeing`: the defender may add the other die after seeing the first.",
    )
    impact_on_dice_in_play: Literal["locked_for_round", "immediate"] = dial(
        "locked_for_round",
        "intensity.impact.immediate",
        about="`locked_for_round`: dice keep their size until the round ends."
        " `immediate`: a trait die rolled later in the round has its new size.",
    )
    stacking: Literal["all", "one_per_kind"] = dial(
        "all",
        "intensity.step.stack",
        about="`all`: every tax, damage and wound takes a step."
        " `one_per_kind`: several of one kind together take one step.",
    )
    tax_scope: Literal["any_trait", "trait_used"] = dial(
        "any_trait",
        "intensity.impact.tax",
        about="Which trait a tax may fall on. `any_trait`: any of the defender's."
        " `trait_used`: only the one the defender rolled this round.",
    )
    ap_force_reroll: bool = dial(
        False,
        "intensity.ap.reroll",
        about="`true`: the attacker, too, may buy a reroll of a defence die. `false`: only the defender may.",
    )
    ap_repeat_effect: bool = dial(
        True,
        "intensity.ap.repeat",
        about="`true`: effects other than the maximum may be bought again in one attack. `false`: each only once.",
    )
    ap_defence_bonus_needs_roll: bool = dial(
        True,
        "intensity.ap.defence4",
        about="`true`: the defence bonus needs a defence die that counts."
        " `false`: it can also be bought when the dice stand.",
    )
    ap_rating_deadline: Literal["outcome", "resolve"] = dial(
        "outcome",
        "intensity.ap.spend",
        about="How long the attacker may spend on the rating. `outcome`: until the impact is chosen."
        " `resolve`: until the attack is resolved.",
    )
    held_fatal_at_scene_end: Literal["must_settle", "lapses"] = dial(
        "must_settle",
        "intensity.fatal.scene-end",
        about="`must_settle`: a scene cannot close while a fatal is held."
        " `lapses`: closing the scene ends held fatals.",
    )
    held_fatal_when_holder_out: Literal["answer_or_lapse", "lapse", "survive"] = dial(
        "answer_or_lapse",
        "intensity.fatal.holder-out",
        about="What happens to the fatals of a holder who goes out. `answer_or_lapse`: the holder may use them"
        " at once; the rest lapse. `lapse`: all lapse. `survive`: the holder keeps them and may use them.",
    )
    rest: Literal["explicit", "automatic_at_scene_end"] = dial(
        "explicit",
        "intensity.rest.taxes",
        about="`explicit`: somebody declares the rest. `automatic_at_scene_end`: closing a scene is a rest.",
    )
    healing_counts_as_rest: bool = dial(
        True,
        "intensity.heal.rest",
        about="`true`: a healing moment ends taxes. `false`: taxes stay.",
    )
    healing_once_a_day_scope: Literal["campaign", "character"] = dial(
        "campaign",
        "intensity.heal.daily",
        about="What happens only once a day. `campaign`: the healing moment. `character`: each character's healing.",
    )
    healing_optional: bool = dial(
        True,
        "intensity.heal.one-each",
        about="`true`: a hurt character may heal nothing. `false`: whoever is hurt must heal something.",
    )
    healing_in_open_scene: bool = dial(
        False,
        "intensity.heal.when",
        about="`true`: a healing moment may happen in an open scene, between rounds. `false`: only between scenes.",
    )
    conflict_link: Literal["acted_against", "shared_round"] = dial(
        "acted_against",
        "intensity.heal.conflict",
        about="Who counts as being in conflict. `acted_against`: two characters of whom one targeted the other."
        " `shared_round`: all participants of a round.",
    )
