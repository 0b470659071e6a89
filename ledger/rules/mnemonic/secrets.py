"""What not everybody may know, and what of it everybody can: for the table's page."""

from __future__ import annotations

from ledger.rules.contract import Secret

SECRETS: tuple[Secret, ...] = (
    Secret(
        "A rating of script immunity (Important, Survivable)",
        "The referee and the game masters, while the dial `dramatic.visible` is off; who is referee later reads what "
        "is rated from then on.",
        "Whether the table plays with script immunity, and by which approach: the dials say so. Neither the rating "
        "nor that a character has one.",
    ),
    Secret(
        "What goes into a resisting or recovery check: the traits or the assigned Aptitude, Chances, the total, the "
        "size of the result, the reasons",
        "The referee and the game masters, while `dramatic.source` is `important` and `dramatic.visible` is off.",
        "That the check was called, by which method, what was rolled, whether it was a fluke, the worst possibility, "
        "and the Status that comes of it. From the Status and the roll the sum of Aptitude and Chances can be worked "
        "out, never one without the other. Where Aptitudes are assigned beside sheets: whether one was used, not "
        "which.",
    ),
)
