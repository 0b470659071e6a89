"""What of this game's words did not occur in seven evenings of 400 to 500 rulings at random over HTTP, and why."""

from __future__ import annotations

from collections.abc import Mapping

HIDDEN = "Nobody at the table may see it."
BOUGHT = "Of the ready people nobody has such dice, and random buying did not come to them."
LONG = "It takes a row of declarations about one and the same action, and a scene at random ends before."
UNMET: Mapping[str, str] = {
    "moc.deck-cut": HIDDEN,
    "use-period-dice": BOUGHT,
    "use-bit": BOUGHT,
    "moc.period-dice-used": BOUGHT,
    "moc.own-dice-added": BOUGHT,
    "moc.dice-laid": BOUGHT,
    "play-card-on-initiative": LONG,
    "play-card-on-damage": LONG,
    "moc.card-played-on-healing": LONG,
    "moc.beads-trumped": LONG,
    "moc.effect-modifier-restored": LONG,
    "moc.plays-returned": LONG,
    "moc.automatic-success-approved": LONG,
    "moc.automatic-success-returned": LONG,
    "moc.actions-preempted": LONG,
    "moc.preemption-waived": LONG,
    "moc.harm-undone": LONG,
}
