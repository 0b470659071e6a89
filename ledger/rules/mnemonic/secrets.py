"""What not everybody may know, and what of it everybody can: for the table's page."""

from __future__ import annotations

from ledger.rules.kernel.contract import Secret

SECRETS: tuple[Secret, ...] = (
    Secret(
        "A rating of script immunity (Important, Survivable)",
        "The game masters, and the referee for as long as it is one (a session at most), while the dial "
        "`dramatic.visible` is off; or whoever was said for this character: its player, too, or everybody. While the "
        "dial `dramatic.seen_by_gm` is off, game masters don't know it. A game master can become the referee, and "
        "everybody sees that.",
        "Whether the table plays with script immunity, and by which approach: the dials say so, and rulings for one "
        "character. Neither the rating nor that a character has one, unless it was asked for at its enrolment. A "
        "referee remembers what it declared itself.",
    ),
    Secret(
        "What goes into a resisting or recovery check: the traits or the assigned Aptitude, Chances, the total, the "
        "size of the result, the reasons",
        "Who may know the rating of that character, while its script immunity is Important.",
        "That the check was called, by which method, what was rolled, whether it was a fluke, the worst possibility, "
        "and the Status that comes of it. From the Status and the roll the sum of Aptitude and Chances can be worked "
        "out, never one without the other. Where Aptitudes are assigned beside sheets: whether one was used, not "
        "which.",
    ),
)
