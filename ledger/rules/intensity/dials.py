"""The options of a campaign: readings and optional rules, each with its default, its rule and its values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ledger.rules.kernel.kit import dial


@dataclass(frozen=True, slots=True)
class Dials:
    intensity_raise_gate: Literal["other_declared", "free"] = dial(
        "other_declared",
        "intensity.level.raise-only",
        about="When a level may be raised before the roll. `other_declared`: only after another participant has"
        " declared. `free`: at any time.",
    )
    intensity_scope: Literal["round", "scene_ratchet"] = dial(
        "round",
        "intensity.level.scope",
        about="Whether a level binds you after its round. `round`: no, you choose freely in each round."
        " `scene_ratchet`: yes, you cannot declare a lower level than your last one in this scene.",
    )
    declaration_amendable: bool = dial(
        True,
        "intensity.round.amend",
        about="Whether a declaration can be changed. `true`: you may change your target, trait and intent until the"
        " first die is rolled. `false`: you may only raise your level.",
    )
    no_usable_trait: Literal["intensity_only", "cannot_act"] = dial(
        "intensity_only",
        "intensity.trait.none-left",
        about="What a character without a usable trait can do. `intensity_only`: attack and defend with the"
        " intensity die alone. `cannot_act`: only defend, with the intensity die.",
    )
    full_tie: Literal["table_choice", "roll_off"] = dial(
        "table_choice",
        "intensity.order.full-tie",
        about="Who goes first if participants are tied on both dice. `table_choice`: a game master decides. `roll_off`:"
        " they roll their dice again, for the order only.",
    )
    initiative_basis: Literal["fixed_at_roll", "standing_dice"] = dial(
        "fixed_at_roll",
        "intensity.order.basis",
        about="Which dice decide the order of turns. `fixed_at_roll`: the dice as first rolled, even if they have"
        " been picked up. `standing_dice`: only the dice still on the table when the next turn begins.",
    )
    retarget_when_target_gone: Literal["lapse", "retarget"] = dial(
        "lapse",
        "intensity.action.target-gone",
        about="What happens to an action when its target goes out of play. `lapse`: it is lost. `retarget`: the"
        " attacker may choose another target.",
    )
    defence_carryover: Literal["fresh_roll", "keep_or_reroll"] = dial(
        "fresh_roll",
        "intensity.defence.reroll",
        about="Which dice count in defence. `fresh_roll`: only those rolled against this attack. `keep_or_reroll`:"
        " also those rolled against an earlier attack in the round, with the number they last showed.",
    )
    defence_second_pick: Literal["single_commit", "after_seeing"] = dial(
        "single_commit",
        "intensity.defence.commit",
        about="How often a defender chooses dice against the same attack. `single_commit`: once. `after_seeing`: a"
        " defender who rolled one die may add the other after seeing the result.",
    )
    impact_on_dice_in_play: Literal["locked_for_round", "immediate"] = dial(
        "locked_for_round",
        "intensity.impact.immediate",
        about="When the die of a lowered trait gets smaller. `locked_for_round`: in the next round. `immediate`: at"
        " once, so a trait die rolled later in this round already has its new size.",
    )
    stacking: Literal["all", "one_per_kind"] = dial(
        "all",
        "intensity.step.stack",
        about="How taxes, damage and wounds on the same trait add up. `all`: each of them lowers the trait by one step."
        " `one_per_kind`: all taxes together lower it by one step, all damage together by one, and all wounds"
        " together by one.",
    )
    tax_scope: Literal["any_trait", "trait_used"] = dial(
        "any_trait",
        "intensity.impact.tax",
        about="Which trait the attacker can tax. `any_trait`: any trait of the defender. `trait_used`: only the"
        " trait that the defender rolled this round.",
    )
    ap_force_reroll: bool = dial(
        False,
        "intensity.ap.reroll",
        about="Who may spend a point to have a defence die rolled again. `true`: the defender or the attacker."
        " `false`: only the defender.",
    )
    ap_repeat_effect: bool = dial(
        True,
        "intensity.ap.repeat",
        about="Whether the same effect can be bought several times in one attack. `true`: yes, except for counting a"
        " standing die at its maximum. `false`: no.",
    )
    ap_defence_bonus_needs_roll: bool = dial(
        True,
        "intensity.ap.defence4",
        about="When a defender can add 4 to the defence value. `true`: only if a die counts in defence. `false`:"
        " also after letting the dice stand.",
    )
    ap_rating_deadline: Literal["outcome", "resolve"] = dial(
        "outcome",
        "intensity.ap.spend",
        about="How long the attacker may spend points on the impact rating. `outcome`: until the impact is chosen."
        " `resolve`: until it is clear whether the attack succeeds.",
    )
    held_fatal_at_scene_end: Literal["must_settle", "lapses"] = dial(
        "must_settle",
        "intensity.fatal.scene-end",
        about="What happens at the end of a scene to fatal impacts that are still held. `must_settle`: the scene"
        " cannot close until they are used or given up. `lapses`: they are lost.",
    )
    held_fatal_when_holder_out: Literal["answer_or_lapse", "lapse", "survive"] = dial(
        "answer_or_lapse",
        "intensity.fatal.holder-out",
        about="What happens to held fatal impacts when their holder goes out of play. `answer_or_lapse`: the holder may"
        " use them at that moment, and any that are not used are lost. `lapse`: all are lost. `survive`: the"
        " holder keeps them and may use them while out of play.",
    )
    rest: Literal["explicit", "automatic_at_scene_end"] = dial(
        "explicit",
        "intensity.rest.taxes",
        about="How characters rest after a scene. `explicit`: somebody declares the rest. `automatic_at_scene_end`:"
        " closing a scene includes the rest.",
    )
    healing_counts_as_rest: bool = dial(
        True,
        "intensity.heal.rest",
        about="Whether a healing moment ends taxes. `true`: yes. `false`: no, only a rest after a scene does.",
    )
    healing_once_a_day_scope: Literal["campaign", "character"] = dial(
        "campaign",
        "intensity.heal.daily",
        about="What can happen only once on each day of the story. `campaign`: a healing moment. `character`: the"
        " healing of each character, in any number of healing moments.",
    )
    healing_optional: bool = dial(
        True,
        "intensity.heal.one-each",
        about="Whether a hurt character may choose to heal nothing. `true`: yes. `false`: no, but a game master may"
        " still answer that nothing heals if a player does not answer.",
    )
    healing_in_open_scene: bool = dial(
        False,
        "intensity.heal.when",
        about="When a healing moment can take place. `true`: between scenes, or in a scene between rounds. `false`:"
        " only between scenes.",
    )
    conflict_link: Literal["acted_against", "shared_round"] = dial(
        "acted_against",
        "intensity.heal.conflict",
        about="Who is in conflict after a roll. `acted_against`: two participants, if one of them targeted the"
        " other. `shared_round`: every participant with every other.",
    )
