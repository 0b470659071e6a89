"""What of this game's words did not occur in five evenings of 150 to 500 rulings at random over HTTP, and why."""

from __future__ import annotations

from collections.abc import Mapping

DRAMA = "The dial `dramatic_source` is off where nobody turns it."
ASSIGNED = "Nobody else judged for a player, and no task was judged anew, the few times an Aptitude was assigned."
FLUKE = "A check of an evening seldom is a fluke, and a spectacular one more seldom still."
REFEREE = "The level somebody recovers to is the rules' own where no dial gives it to the referee."
UNMET: Mapping[str, str] = {
    "rate-importance": DRAMA,
    "rule-immunity": DRAMA,
    "take-preset": DRAMA,
    "name-rating": DRAMA,
    "mnemonic.ladder-set": DRAMA,
    "mnemonic.importance-rated": DRAMA,
    "mnemonic.importance-ruled": DRAMA,
    "mnemonic.immunity-ruled": DRAMA,
    "report-judgement": ASSIGNED,
    "explain": ASSIGNED,
    "rule-fluke": FLUKE,
    "narrate-consequence": FLUKE,
    "mnemonic.fluke-ruled": FLUKE,
    "mnemonic.consequence-narrated": FLUKE,
    "name-recovery": REFEREE,
    "mnemonic.recovery-awaited": REFEREE,
    "mnemonic.recovery-named": REFEREE,
}
