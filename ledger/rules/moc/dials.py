"""The options of a campaign, each with its default and its rule."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal

from ledger.rules.kernel.kit import Between, Prose, Ref, Refused, SharedRefusal, dial
from ledger.rules.moc.types import MOST
from ledger.rules.moc.words import read_fraction

UNKNOWN_POWER_LEVEL = SharedRefusal("unknown-power-level", "There is no such power level.")
UNKNOWN_DIAL_VALUE = SharedRefusal("unknown-dial-value", "The option {dial} cannot have that value.")
RATE_BELOW_TWO = SharedRefusal("rate-below-two", "The superheroic rate of beads must be at least 2.")


@dataclass(frozen=True, slots=True)
class Dials:
    power_level: Literal["standard", "heroic", "superheroic"] = dial(
        "standard",
        "moc.char.budget",
        code="unknown-power-level",
        about="How many points characters are built with, and how many beads they get.",
    )
    superheroic_bead_rate: Annotated[int, Between(2, MOST)] | Annotated[str, Prose(20), Ref("fraction")] = dial(
        2,
        "moc.bead.allowance",
        about="In a superheroic game, how many beads each point of Body, Mind and Spirit gives: a number or fraction "
        "(`5/2`), at least 2.",
    )
    advanced_trump: Literal["on", "off"] = dial(
        "on", "moc.trump.order", about="Whether players can trump cards, beads and chips that others play."
    )
    advanced_chips: Literal["on", "off"] = dial("on", "moc.chip.value", about="Whether the campaign uses chips.")
    beads_only: Literal["on", "off"] = dial(
        "off", "moc.card.hand", about="Whether the campaign uses only beads, without cards and chips."
    )
    resolution: Literal["mixed", "en", "count"] = dial(
        "mixed",
        "moc.dice.successes",
        about="How dice become successes: depending on the roll (mixed), by Effect Number (en), or by counting dice"
        " (count).",
    )
    split_rolls: Literal["own_kind", "count"] = dial(
        "own_kind",
        "moc.dice.successes",
        about="How the dice of a split become successes: each sub-pool by its own kind of roll (own_kind), or all of"
        " them by counting dice (count).",
    )
    en_natural_only: bool = dial(
        True,
        "moc.dice.effect-number",
        about="Whether only rolled numbers count as duplicates. If so, a die that a card has changed does not count.",
    )
    tn_floor: Annotated[int, Between(1, MOST)] = dial(
        2, "moc.tn", about="The lowest number that a target number or a damage threshold can be."
    )
    primary_max: Literal[5, "none"] | None = dial(
        5, "moc.char.cost", about="The highest rating of a Primary, or none for no limit."
    )
    tokens_per_primary: Literal["rating"] = dial(
        "rating",
        "moc.char.tokens",
        about="How many tokens of each Primary a character has. `rating`: one for each point of the Primary's rating.",
    )
    fatigue_effects: Literal["on", "off"] = dial(
        "on", "moc.combat.fatigue", about="Whether fatigue reduces the dice that Primaries give."
    )
    hands_seen_by_gm: bool = dial(
        False, "moc.card.secret", hides=True, about="Whether game masters can see players' hands."
    )
    hands_open_after_session: bool = dial(
        True,
        "moc.card.secret",
        hides=True,
        about="Whether unplayed cards are shown to everybody when the session ends.",
    )
    pre_scene_card: Literal["table_plus_two", "flat_two"] = dial(
        "table_plus_two",
        "moc.card.to-beads",
        about="How many beads a card gives before a scene: two more than usual, or always two.",
    )
    offsuit_split: bool = dial(
        True, "moc.card.dice", about="Whether a card that is not suited can be spread over several dice."
    )
    related_card_on_dice: Literal["half", "full"] = dial(
        "half", "moc.card.dice", about="How much a related card adds to dice: half its value, or all of it."
    )
    cards_on_allies: bool = dial(False, "moc.card.dice", about="Whether cards can be played on other characters' dice.")
    card_advantages_repeatable: bool = dial(
        False, "moc.card.hand", about="Whether Hand of Fate, Fortune and Vortex can be bought more than once."
    )
    chip_may_trump: Literal["cards", "any", "none"] = dial(
        "cards", "moc.trump.order", about="What a chip can trump: cards, anything, or nothing."
    )
    trumped_beads_regenerate: bool = dial(
        True,
        "moc.trump.effect",
        about="Whether trumped beads come back with the next scene. If not, they come back after the session.",
    )
    kept_when_trumped: Literal["primary", "primary_and_secondary"] = dial(
        "primary",
        "moc.trump.effect",
        about="Which trumped beads go back to their player: only those of primary Elements, or those of secondary"
        " Elements, too.",
    )
    helping: bool = dial(
        False,
        "moc.bead.use",
        about="Whether beads for dice, free Marginal Successes, Martial Arts beads and white chips can help other "
        "characters' actions.",
    )
    bead_element_gate: Literal["strict", "open"] = dial(
        "strict",
        "moc.bead.use",
        about="Which beads can be played on an action: only beads of its Element (strict), "
        "or beads of any Element (open).",
    )
    wildcard_allocation: Literal["free", "third_then_two"] = dial(
        "free",
        "moc.bead.allocate",
        about="How a Wildcard allocates beads. `free`: each bead to any Element. `third_then_two`: a third of the "
        "beads to any Element; every further bead costs 2 beads.",
    )
    split_penalty: Literal["exclude_defence", "all_subpools"] = dial(
        "exclude_defence",
        "moc.split.divide",
        about="Which sub-pools count when a split costs dice: all but defences, or all.",
    )
    split_skill_dice: Literal["own_action", "shared"] = dial(
        "own_action",
        "moc.split.divide",
        about="Where a skill's dice go in a split: only to the sub-pool that uses "
        "the skill, or into the pool before it is split.",
    )
    to_hit_tn: Literal["gm", "ag_table"] = dial(
        "gm",
        "moc.combat.to-hit",
        about="Where the target number of an attack comes from: the game master, or the table of AG scores.",
    )
    raise_effect: Literal["raise_dice", "flat_levels"] = dial(
        "raise_dice",
        "moc.combat.damage-pool",
        about="What each raise of an attack adds: a raise die, or one point that cannot be resisted.",
    )
    ten_ignores: Literal["point", "all"] = dial(
        "point",
        "moc.combat.resist",
        about="What a 10 can remove when a character resists damage: one point, or all resistible points.",
    )
    daze_counts: Literal["pain", "pain_plus_damage"] = dial(
        "pain", "moc.combat.apply", about="What can daze a character: pain alone, or pain plus damage."
    )
    pain_strips_tokens: bool = dial(False, "moc.combat.apply", about="Whether pain takes tokens, as damage does.")
    turn_actions: Literal["kept", "table"] = dial(
        "kept",
        "moc.combat.initiative",
        about="Who counts the actions of each turn in a fight: the ledger (kept), or the players (table).",
    )
    action_recovery_also_restores: bool = dial(
        False,
        "moc.recover.action",
        about="Whether a full action of rest also gives a step of recovery, as at the end of a scene.",
    )
    scene_recovery_steps: Annotated[int, Between(1, MOST)] = dial(
        1, "moc.recover.scene", about="How many steps of recovery a character gets at the end of a scene."
    )
    contacts_geometry: Literal["cumulative", "doubling"] = dial(
        "cumulative",
        "moc.adv.contacts",
        about="How the price of contacts grows. If x is the character's point value, n points buy contacts worth x * "
        "(2^n - 1) with `cumulative`, and x * 2^(n - 1) with `doubling`.",
    )
    nomination_quorum: Annotated[int, Between(1, MOST)] = dial(
        2, "moc.fate.nominate", about="How many players must nominate a character for an experience chip."
    )
    nomination_chip: Literal["white", "red", "blue"] = dial(
        "white", "moc.fate.nominate", about="Which chip a character with enough nominations gets."
    )
    arc_purse_enforced: bool = dial(
        True, "moc.fate.purse", about="Whether the arc's purse limits how many chips can be awarded."
    )


def find_bead_rate(dials: Dials) -> Fraction:
    """Return how many beads each point of the Primaries gives."""
    if dials.power_level == "superheroic":
        return Fraction(dials.superheroic_bead_rate)
    return Fraction(3, 2) if dials.power_level == "heroic" else Fraction(1)


def check_dial(dials: Dials, name: str, rule: str) -> None:
    """Check the value of an option beyond its type. Refuses `rate-below-two`, `unknown-dial-value`."""
    value = getattr(dials, name)
    if name == "superheroic_bead_rate":
        try:
            rate = read_fraction(value, rule)
        except Refused:
            raise UNKNOWN_DIAL_VALUE.under(rule, dial=name) from None
        if rate < 2:
            raise RATE_BELOW_TWO.under(rule, dial=name)
    elif name in ("tn_floor", "nomination_quorum", "scene_recovery_steps") and value < 1:
        raise UNKNOWN_DIAL_VALUE.under(rule, dial=name)
    if name == "scene_recovery_steps" and value > 1 and dials.power_level == "standard":
        raise UNKNOWN_DIAL_VALUE.under(rule, dial=name)
