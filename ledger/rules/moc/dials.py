"""Each reading and optional rule a campaign may choose, its default and its rule."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal

from ledger.rules.kernel.declarations import dial
from ledger.rules.kernel.domains import Between, Prose, Ref
from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc.domains import MOST
from ledger.rules.moc.terms import fraction


@dataclass(frozen=True, slots=True)
class Dials:
    power_level: Literal["standard", "heroic", "superheroic"] = dial(
        "standard", "moc.char.budget", code="unknown-power-level", about="How many points and beads characters get."
    )
    superheroic_bead_rate: Annotated[int, Between(2, MOST)] | Annotated[str, Prose(20), Ref("fraction")] = dial(
        2,
        "moc.bead.allowance",
        about="Beads for each point of the Primaries at the superheroic level: a fraction (`5/2`) of at least 2.",
    )
    advanced_trump: Literal["on", "off"] = dial("on", "moc.trump.order", about="Whether plays can be trumped.")
    advanced_chips: Literal["on", "off"] = dial("on", "moc.chip.value", about="Whether there are chips.")
    beads_only: Literal["on", "off"] = dial(
        "off", "moc.card.hand", about="Whether the game has neither cards nor chips."
    )
    resolution: Literal["mixed", "en", "count"] = dial(
        "mixed", "moc.dice.successes", about="How dice become successes."
    )
    split_rolls: Literal["own_kind", "count"] = dial(
        "own_kind", "moc.dice.successes", about="How the sub-pools of a split become successes."
    )
    en_natural_only: bool = dial(
        True, "moc.dice.effect-number", about="Whether only natural faces count as duplicates."
    )
    tn_floor: Annotated[int, Between(1, MOST)] = dial(2, "moc.tn", about="No target number or threshold goes lower.")
    primary_max: Literal[5, "none"] | None = dial(5, "moc.char.cost", about="The highest rating of a Primary.")
    tokens_per_primary: Literal["rating"] = dial(
        "rating", "moc.char.tokens", about="How many tokens a Primary's pool holds."
    )
    fatigue_effects: Literal["on", "off"] = dial(
        "on", "moc.combat.fatigue", about="Whether fatigue lowers active values."
    )
    hands_seen_by_gm: bool = dial(
        False, "moc.card.secret", hides=True, about="Whether game masters see the hands of players."
    )
    hands_open_after_session: bool = dial(
        True, "moc.card.secret", hides=True, about="Whether unplayed cards are shown when the session is over."
    )
    pre_scene_card: Literal["table_plus_two", "flat_two"] = dial(
        "table_plus_two", "moc.card.to-beads", about="What a card is worth in beads before a scene."
    )
    offsuit_split: bool = dial(
        True, "moc.card.dice", about="Whether a card that is not suited may be spread over several dice."
    )
    related_card_on_dice: Literal["half", "full"] = dial(
        "half", "moc.card.dice", about="What a related card adds to dice."
    )
    cards_on_allies: bool = dial(False, "moc.card.dice", about="Whether a card may be laid on another's dice.")
    card_advantages_repeatable: bool = dial(
        False, "moc.card.hand", about="Whether the card advantages can be bought more than once."
    )
    chip_may_trump: Literal["cards", "any", "none"] = dial("cards", "moc.trump.order", about="What a chip may trump.")
    trumped_beads_regenerate: bool = dial(
        True, "moc.trump.effect", about="Whether trumped beads come again with the next scene."
    )
    kept_when_trumped: Literal["primary", "primary_and_secondary"] = dial(
        "primary", "moc.trump.effect", about="Of which Elements trumped beads are kept."
    )
    helping: bool = dial(
        False,
        "moc.bead.use",
        about="Whether beads for dice, free Marginal Successes, Martial Arts beads and white chips may serve "
        "others' actions.",
    )
    bead_element_gate: Literal["strict", "open"] = dial(
        "strict", "moc.bead.use", about="Whether a bead must be of the action's Element."
    )
    wildcard_allocation: Literal["free", "third_then_two"] = dial(
        "free", "moc.bead.allocate", about="How a Wildcard lays its allowance."
    )
    split_penalty: Literal["exclude_defence", "all_subpools"] = dial(
        "exclude_defence", "moc.split.divide", about="Which sub-pools cost a die."
    )
    split_skill_dice: Literal["own_action", "shared"] = dial(
        "own_action", "moc.split.divide", about="Whether a skill's dice go to its own sub-pool only."
    )
    to_hit_tn: Literal["gm", "ag_table"] = dial(
        "gm", "moc.combat.to-hit", about="Where the target number of an attack comes from."
    )
    raise_effect: Literal["raise_dice", "flat_levels"] = dial(
        "raise_dice", "moc.combat.damage-pool", about="What raises of an attack do."
    )
    ten_ignores: Literal["point", "all"] = dial(
        "point", "moc.combat.resist", about="How much a 10 ignores when damage is resisted."
    )
    daze_counts: Literal["pain", "pain_plus_damage"] = dial("pain", "moc.combat.apply", about="What dazes.")
    pain_strips_tokens: bool = dial(False, "moc.combat.apply", about="Whether pain takes tokens, too.")
    turn_actions: Literal["kept", "table"] = dial(
        "kept",
        "moc.combat.initiative",
        about="Whether the turn's actions are counted for everybody in initiative, or left to the table.",
    )
    action_recovery_also_restores: bool = dial(
        False, "moc.recover.action", about="Whether a recovery in action is also a scene's recovery."
    )
    scene_recovery_steps: Annotated[int, Between(1, MOST)] = dial(
        1, "moc.recover.scene", about="Steps of recovery at a scene's end."
    )
    contacts_geometry: Literal["cumulative", "doubling"] = dial(
        "cumulative", "moc.adv.contacts", about="How the price of contacts grows."
    )
    nomination_quorum: Annotated[int, Between(1, MOST)] = dial(
        2, "moc.fate.nominate", about="How many players must name a character."
    )
    nomination_chip: Literal["white", "red", "blue"] = dial(
        "white", "moc.fate.nominate", about="The chip of who is named by enough."
    )
    arc_purse_enforced: bool = dial(True, "moc.fate.purse", about="Whether awards are limited by the arc's purse.")


def bead_rate(dials: Dials) -> Fraction:
    """`moc.bead.allowance`: beads for each point of the Primaries."""
    if dials.power_level == "superheroic":
        return Fraction(dials.superheroic_bead_rate)
    return Fraction(3, 2) if dials.power_level == "heroic" else Fraction(1)


def check(dials: Dials, name: str, rule: str) -> None:
    """What types cannot say. Refuses `rate-below-two`, `unknown-dial-value`."""
    value = getattr(dials, name)
    if name == "superheroic_bead_rate":
        try:
            rate = fraction(value, rule)
        except Refused:
            raise Refused(rule, "unknown-dial-value", dial=name) from None
        if rate < 2:
            raise Refused(rule, "rate-below-two", dial=name)
    elif name in ("tn_floor", "nomination_quorum", "scene_recovery_steps") and value < 1:
        raise Refused(rule, "unknown-dial-value", dial=name)
    if name == "scene_recovery_steps" and value > 1 and dials.power_level == "standard":
        raise Refused(rule, "unknown-dial-value", dial=name)
