"""What not everybody may know, and what of it everybody can: for the table's page."""

from __future__ import annotations

from ledger.rules.kernel.contract import Secret

SECRETS: tuple[Secret, ...] = (
    Secret(
        "A rating of script immunity (Important, Survivable)",
        "While the option `dramatic.visible` is off: the game masters, and the referee for as long as they are the "
        "referee (a session at most). The referee can also let the player of a character know its rating, or let "
        "everybody know it. While the option `dramatic.seen_by_gm` is off, game masters can't see the rating. A game "
        "master "
        "can become the referee, and everybody sees that.",
        "Whether and how the table plays with script immunity. The options show this, and so do rulings for a single "
        "character. "
        "Others can see neither the rating nor that a character has one, unless the referee was asked for it when the "
        "character joined. A former referee remembers what they declared.",
    ),
    Secret(
        "The numbers and reasons of a check to resist or recover: the traits or the assigned Aptitude, the Chances, "
        "the total, the Successes or Failures, the reasons",
        "Everybody who may know that character's rating of script immunity, if script immunity is a rating of its own.",
        "That there is a check, how it is rolled, the roll, whether it was a fluke, what happens to a victim who "
        "fails, and the new Status. From the Status and the roll, others can work out the sum of the Aptitude and the "
        "Chances, but not each of them. If the table uses assigned Aptitudes as well as traits: whether one was "
        "used, but not which.",
    ),
)
