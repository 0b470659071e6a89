"""What inputs can lead to: kinds of facts that several of them record."""

from __future__ import annotations


def once(*kinds: str) -> tuple[str, ...]:
    """Each kind once, in this order."""
    return tuple(dict.fromkeys(kinds))


PROPOSED = ("proposal-declined",)
TASK = ("dice-rolled", "task-resolved", "effect-adjusted", "features-used")
COLLAPSE = ("action-points-lost", "character-collapsed")
DEATH = ("character-died", "action-points-lost", "participant-left", "declaration-lapsed")
HIT = once(
    "damage-rolled", "damage-shunted", "damage-counted", "physique-reduced", "terminal-damage-taken", *COLLAPSE,
    "resolve-damaged", "action-point-maximum-imposed", *DEATH,
)  # fmt: skip
#: What moves the clock on, and with it ends recoveries.
TIME = ("clock-moved", "recovery-ended")
RESIST = ("task-declared", "occult-resisted", "ritual-timed", *TIME)
SPENT = once("infernal-resolve-spent", *COLLAPSE, "action-point-maximum-imposed", *DEATH)
DEFENCE = ("defence-chosen", "recovery-ended", "action-points-spent", "session-played")
ATTACK = once(*DEFENCE, *TASK, *RESIST, *HIT, "turn-ended")
FRONT = ("front-taken", "action-points-spent", "session-played", "declaration-lapsed")
PASSED = ("turn-passed", "session-played", "turn-ended", "recovery-ended", "declaration-lapsed")
#: Of a dealing that is an action in a conflict.
IN_TURN = ("recovery-ended", "turn-ended")
PURCHASE = (
    "sale-declined", "task-declared", "dice-rolled", "purchase-rolled", "purchase-resisted", "credit-sacrificed",
    "item-parted-with", "item-acquired", "features-used",
)  # fmt: skip
