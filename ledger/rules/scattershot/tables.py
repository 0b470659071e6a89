"""Numbers and names of the source."""

from __future__ import annotations

from collections.abc import Mapping

STATISTICS = ("strength", "agility", "hit-points", "reaction", "observation", "power")
#: Statistics that the UE Chart is read by.
MAGNITUDES = ("strength", "observation", "power")
STATISTIC_BASE, STATISTIC_START = 8, 10
#: What six Statistics at 10 have in them, and nobody pays for.
IMPLIED_POINTS = 12
BASES: Mapping[str, int] = {
    "easy": 11, "intermediate": 10, "difficult": 9, "exceptional": 8, "renowned": 7, "incredible": 6,
    "nigh-impossible": 5, "legendary": 4,
}  # fmt: skip
SCOPES: Mapping[str, int] = {"individual": 0, "squad": 1, "mob": 2, "higher": 3}
WEAPONS: Mapping[str, int] = {"fists": 0, "dagger": 1, "short-sword": 2, "long-sword": 3}
BY_FIVES = 5
ACTIONS_A_TURN, MOST_FORFEITS, LAST_DITCH, OFF_GUARD = 2, 2, -2, -2
LAST_DITCH_DODGE = "last-ditch-dodge"
#: What costs nothing, without anybody's word; none of it is an attack.
FREE_ACTIONS = (
    "look-around", "drop-item", "fall-down", "move-a-yard", "soliloquy", "change-ability", LAST_DITCH_DODGE,
)  # fmt: skip
#: Ends that come before the Session's.
TOO_SOON = ("action", "turn", "round", "lull", "scene")


def in_fives(count: int) -> int:
    """ceil(count / 5)."""
    return -(-count // BY_FIVES)


def difficulty_base(name: object) -> int | None:
    return BASES.get(str(name).strip().lower().replace(" ", "-").replace("_", "-"))


def statistic_name(name: str) -> str:
    """`Hit Points`, `hit_points` and `hit-points` are the same Statistic; any other name stays as it is."""
    plain = name.strip().lower().replace(" ", "-").replace("_", "-")
    return plain if plain in STATISTICS else name


def development(total: int) -> int:
    """Development Points for a total of Experience Dice."""
    return max(0, (total - 2) // 4)


def gimme_dice(value: int, grade: str) -> int | None:
    """Dice for a disadvantage of this value; None where there is no Gimme for the grade."""
    match grade:
        case "solid":
            return value
        case "minor":
            return 1 if value >= 2 else None
        case "mediocre":
            return (1 + value + 1) // 2 if value >= 3 else None
        case _:
            return None
