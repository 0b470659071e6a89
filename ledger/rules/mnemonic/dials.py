"""The readings and optional rules that a campaign may choose, each with its default and its rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ledger.rules.kernel.kit import Between, Prose, Ref, Title, dial
from ledger.rules.mnemonic.words import CHANCES, METHODS, STATUS_NAMES, Method, RecoveryWay


@dataclass(frozen=True, slots=True)
class Dials:
    traits_ladder: (
        Literal["seven", "tied"] | tuple[tuple[Annotated[object, Prose(200)], Annotated[object, Between()]], ...]
    ) = dial(
        "seven",
        "mnemonic.trait.ladder",
        name="traits.ladder",
        about="The ladder of ratings: `seven` (Very is 5), `tied` (Very is 4, like Fairly), or your own rows. List "
        "rows from low to high, each with a name and a number.",
    )
    traits_primary_rating: Annotated[str, Ref("rating"), Prose(200)] = dial(
        "Moderately",
        "mnemonic.trait.primary",
        name="traits.primary_rating",
        about="The rating that the Primary Role counts as.",
    )
    traits_unrated: Annotated[str, Ref("rating"), Prose(200)] = dial(
        "refuse",
        "mnemonic.trait.rate",
        name="traits.unrated",
        about="What a trait without a rating counts as: a rating, or `refuse` to refuse the check.",
    )
    chances_ladder: tuple[tuple[Annotated[object, Prose(200)], Annotated[object, Between()]], ...] = dial(
        CHANCES,
        "mnemonic.chances.ladder",
        name="chances.ladder",
        about="The ladder of Chances. List rows from low to high, each with a name and a number.",
    )
    resist_talent: Annotated[str, Ref("trait"), Prose(200)] = dial(
        "Tough",
        "mnemonic.injury.aptitude",
        name="resist.talent",
        about="The Talent that resists injuries, unless the character's sheet or the ruling names another one.",
    )
    resist_life_role_floor: bool = dial(
        False,
        "mnemonic.injury.aptitude",
        name="resist.life_role_floor",
        about="Whether the Primary Role counts if the referee chooses a Life Role with a lower rating to resist.",
    )
    status_names: tuple[Title, ...] = dial(
        STATUS_NAMES,
        "mnemonic.status.names",
        name="status.names",
        about="The names of Status levels 1 to 6. They must start with F, R, B, H, S and F.",
    )
    status_combine: Literal["worst", "replace"] = dial(
        "worst",
        "mnemonic.status.combine",
        name="status.combine",
        about="How an injury's result combines with the present Status. `worst`: the worse of the two counts. "
        "`replace`: the result replaces the Status.",
    )
    status_immobilized_may: bool = dial(
        True,
        "mnemonic.status.inactive",
        name="status.immobilized_may",
        about="Whether immobilized characters may attempt actions that are not physical.",
    )
    recovery_ways: tuple[RecoveryWay, ...] = dial(
        ("declared", "check"),
        "mnemonic.recovery.rate",
        name="recovery.ways",
        about="How Status can improve: when the referee declares it (`declared`), by a check (`check`), or in both"
        " ways.",
    )
    recovery_check_reading: Literal["mnemonic", "step", "referee"] = dial(
        "mnemonic",
        "mnemonic.recovery.check",
        name="recovery.check_reading",
        about="What a successful recovery check does. `mnemonic`: its Successes give the level, as for an injury. "
        "`step`: it raises Status by one level. `referee`: the referee names the level.",
    )
    random_ways: tuple[Method, ...] = dial(
        METHODS,
        "mnemonic.random.one",
        name="random.ways",
        about="The ways to roll that the table uses: one or three dice, one or three cards, or spoken numbers.",
    )
    random_default: Literal["one_dice", "one_card", "verbal", "three_dice", "three_card"] = dial(
        "one_dice", "mnemonic.random.one", name="random.default", about="The way to roll if a ruling does not name one."
    )
    random_three_reading: Literal["median", "mean"] = dial(
        "median",
        "mnemonic.random.three",
        name="random.three_reading",
        about="Which number is the roll with three dice or cards: the middle one (`median`) or the mean of the three "
        "(`mean`).",
    )
    random_verbal_rule: Literal["entered", "sum_mod_12"] = dial(
        "entered",
        "mnemonic.random.verbal",
        name="random.verbal_rule",
        about="What you enter for spoken numbers. `entered`: the number that the players agreed on. `sum_mod_12`:"
        " every number that they said; the ledger adds them up.",
    )
    flukes_on: bool = dial(False, "mnemonic.fluke.one", name="flukes.on", about="Whether rolls can be flukes.")
    flukes_normal_uses: Literal["first", "last"] = dial(
        "first",
        "mnemonic.fluke.one",
        name="flukes.normal_uses",
        about="Which roll counts if a second roll shows a different number, so that there is no fluke: the first one"
        " (`first`) or the second one (`last`).",
    )
    flukes_verbal: bool = dial(
        True, "mnemonic.fluke.one", name="flukes.verbal", about="Whether spoken numbers can be flukes, too."
    )
    flukes_automatic_reading: Literal["at_least", "exact"] = dial(
        "at_least",
        "mnemonic.fluke.automatic",
        name="flukes.automatic_reading",
        about="How many Successes or Failures an Automatic result has. `at_least`: the number in `flukes.solid`, or "
        "more if the roll gives more. `exact`: exactly that number.",
    )
    flukes_solid: Annotated[int, Between(1)] = dial(
        4,
        "mnemonic.fluke.automatic",
        name="flukes.solid",
        about="The number of Successes or Failures for an Automatic result.",
    )
    flukes_spectacular: Annotated[int, Between(6)] = dial(
        6,
        "mnemonic.fluke.spectacular",
        name="flukes.spectacular",
        about="The lowest number of Successes or Failures that a Spectacular result can have.",
    )
    flukes_death_guard: Literal["refuse", "warn", "off"] = dial(
        "refuse",
        "mnemonic.fluke.no-death",
        name="flukes.death_guard",
        about="What happens if somebody would die of a Spectacular Failure, although the referee did not rule that "
        "life was at stake. `refuse`: the death is refused. `warn`: it is allowed, and marked in the record. `off`: "
        "it is allowed.",
    )
    dramatic_source: Literal["off", "important", "lucky"] = dial(
        "off",
        "mnemonic.dramatic.source",
        name="dramatic.source",
        hides=True,
        about="What gives characters script immunity when they resist an injury: nothing (`off`), a separate rating"
        " (`important`), or the Talent Lucky (`lucky`).",
    )
    dramatic_label: Annotated[str, Prose(200)] = dial(
        "Important",
        "mnemonic.dramatic.source",
        name="dramatic.label",
        about="What the table calls its rating of script immunity, such as Important or Survivable.",
    )
    dramatic_approach: Literal["fixed", "per_check"] = dial(
        "fixed",
        "mnemonic.dramatic.source",
        name="dramatic.approach",
        about="How often script immunity is rated: once (`fixed`), or again for every check to resist (`per_check`).",
    )
    dramatic_visible: bool = dial(
        False,
        "mnemonic.dramatic.hidden",
        name="dramatic.visible",
        hides=True,
        about="Whether players can see ratings of script immunity.",
    )
    dramatic_seen_by_gm: bool = dial(
        True,
        "mnemonic.dramatic.hidden",
        name="dramatic.seen_by_gm",
        hides=True,
        about="Whether every game master can see hidden ratings of script immunity. If not, only the referee can, and "
        "nobody can make rulings while there is no referee.",
    )
    feather_mode: Literal["off", "on", "hybrid"] = dial(
        "off",
        "mnemonic.feather.mode",
        name="feather.mode",
        about="When Aptitudes are assigned instead of added up from traits: never (`off`), always (`on`), or when a "
        "ruling says so (`hybrid`).",
    )
    feather_calibration_sessions: Annotated[int, Between(0)] = dial(
        2,
        "mnemonic.feather.assign",
        name="feather.calibration_sessions",
        about="The number of a character's first sessions in which the player must also judge each assigned Aptitude.",
    )
    feather_similarity: Annotated[int, Between(0)] = dial(
        1,
        "mnemonic.feather.assign",
        name="feather.similarity",
        about="How far apart the referee's and the player's numbers can be before the two must agree on one.",
    )
    feather_drift_tolerance: Annotated[int, Between(0)] = dial(
        0,
        "mnemonic.feather.assign",
        name="feather.drift_tolerance",
        about="How far an assigned Aptitude can be from the previous one for the same task before the referee must "
        "give a reason.",
    )
