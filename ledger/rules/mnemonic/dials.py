"""Each reading and optional rule a campaign may choose, its default and its rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ledger.rules.kernel.declarations import dial
from ledger.rules.kernel.domains import Between, Prose, Ref, Title
from ledger.rules.mnemonic.tables import CHANCES
from ledger.rules.mnemonic.terms import METHODS, STATUS_NAMES, Method, RecoveryWay


@dataclass(frozen=True, slots=True)
class Dials:
    #: The rating ladder: a preset, or rows of a name and a number from low to high.
    traits_ladder: (
        Literal["seven", "tied"] | tuple[tuple[Annotated[object, Prose(200)], Annotated[object, Between()]], ...]
    ) = dial("seven", "mnemonic.trait.ladder", name="traits.ladder")
    #: What the Primary Role counts as.
    traits_primary_rating: Annotated[str, Ref("rating"), Prose(200)] = dial(
        "Moderately", "mnemonic.trait.primary", name="traits.primary_rating"
    )
    #: `refuse`, or the rating of a trait nobody rated.
    traits_unrated: Annotated[str, Ref("rating"), Prose(200)] = dial(
        "refuse", "mnemonic.trait.rate", name="traits.unrated"
    )
    #: The ladder of Chances: rows of a name and a number from low to high.
    chances_ladder: tuple[tuple[Annotated[object, Prose(200)], Annotated[object, Between()]], ...] = dial(
        CHANCES, "mnemonic.chances.ladder", name="chances.ladder"
    )
    #: The Talent that resists injuries unless a character's sheet or the ruling names another.
    resist_talent: Annotated[str, Ref("trait"), Prose(200)] = dial(
        "Tough", "mnemonic.injury.aptitude", name="resist.talent"
    )
    #: Whether a Life Role rated below the Primary Role gives way to it. Off: the referee's choice stands.
    resist_life_role_floor: bool = dial(False, "mnemonic.injury.aptitude", name="resist.life_role_floor")
    #: What levels 1 to 6 are called.
    status_names: tuple[Title, ...] = dial(STATUS_NAMES, "mnemonic.status.names", name="status.names")
    #: How an injury meets the present Status.
    status_combine: Literal["worst", "replace"] = dial("worst", "mnemonic.status.combine", name="status.combine")
    #: Whether who is immobilized may try what is not physical.
    status_immobilized_may: bool = dial(True, "mnemonic.status.inactive", name="status.immobilized_may")
    #: How Status may improve.
    recovery_ways: tuple[RecoveryWay, ...] = dial(("declared", "check"), "mnemonic.recovery.rate", name="recovery.ways")
    #: How a recovery check becomes Status.
    recovery_check_reading: Literal["mnemonic", "step", "referee"] = dial(
        "mnemonic", "mnemonic.recovery.check", name="recovery.check_reading"
    )
    #: The methods of getting a number that the table uses.
    random_ways: tuple[Method, ...] = dial(METHODS, "mnemonic.random.one", name="random.ways")
    #: The method of a ruling that names none.
    random_default: Literal["one_dice", "one_card", "verbal", "three_dice", "three_card"] = dial(
        "one_dice", "mnemonic.random.one", name="random.default"
    )
    #: What three numbers mean.
    random_three_reading: Literal["median", "mean"] = dial(
        "median", "mnemonic.random.three", name="random.three_reading"
    )
    #: Whether the table enters the number it arrived at, or the numbers spoken.
    random_verbal_rule: Literal["entered", "sum_mod_12"] = dial(
        "entered", "mnemonic.random.verbal", name="random.verbal_rule"
    )
    #: Whether flukes happen.
    flukes_on: bool = dial(False, "mnemonic.fluke.one", name="flukes.on")
    #: The number that counts when a repeat shows there is no fluke.
    flukes_normal_uses: Literal["first", "last"] = dial("first", "mnemonic.fluke.one", name="flukes.normal_uses")
    #: Whether flukes happen with the verbal method too.
    flukes_verbal: bool = dial(True, "mnemonic.fluke.one", name="flukes.verbal")
    #: Whether an automatic result is at least solid, or exactly that.
    flukes_automatic_reading: Literal["at_least", "exact"] = dial(
        "at_least", "mnemonic.fluke.automatic", name="flukes.automatic_reading"
    )
    #: The size of a solid result.
    flukes_solid: Annotated[int, Between(1)] = dial(4, "mnemonic.fluke.automatic", name="flukes.solid")
    #: The least size of a spectacular result.
    flukes_spectacular: Annotated[int, Between(6)] = dial(6, "mnemonic.fluke.spectacular", name="flukes.spectacular")
    #: What becomes of a death by Spectacular Failure where life was not at stake.
    flukes_death_guard: Literal["refuse", "warn", "off"] = dial(
        "refuse", "mnemonic.fluke.no-death", name="flukes.death_guard"
    )
    #: Whether script immunity takes part in resisting, and which rating says how much.
    dramatic_source: Literal["off", "important", "lucky"] = dial(
        "off", "mnemonic.dramatic.source", name="dramatic.source", hides=True
    )
    #: What the special Talent is called.
    dramatic_label: Annotated[str, Prose(200)] = dial("Important", "mnemonic.dramatic.source", name="dramatic.label")
    #: Whether it is rated once, or anew with every resisting check.
    dramatic_approach: Literal["fixed", "per_check"] = dial(
        "fixed", "mnemonic.dramatic.source", name="dramatic.approach"
    )
    #: Whether players may see these ratings.
    dramatic_visible: bool = dial(False, "mnemonic.dramatic.hidden", name="dramatic.visible", hides=True)
    #: Whether Aptitudes are assigned case by case: never, always, or as the ruling says.
    feather_mode: Literal["off", "on", "hybrid"] = dial("off", "mnemonic.feather.mode", name="feather.mode")
    #: In how many of a character's first sessions the player's own judgement is needed.
    feather_calibration_sessions: Annotated[int, Between(0)] = dial(
        2, "mnemonic.feather.assign", name="feather.calibration_sessions"
    )
    #: How far the two judgements may lie apart without being talked over.
    feather_similarity: Annotated[int, Between(0)] = dial(1, "mnemonic.feather.assign", name="feather.similarity")
    #: How far an Aptitude may differ from the last one for the same task without a reason.
    feather_drift_tolerance: Annotated[int, Between(0)] = dial(
        0, "mnemonic.feather.assign", name="feather.drift_tolerance"
    )
