"""What not everybody may know, and what of it everybody can: for the table's page."""

from __future__ import annotations

from ledger.rules.kernel.contract import Secret

SECRETS: tuple[Secret, ...] = (
    Secret(
        "The cards of a hand",
        "Who plays the character; with the dial `hands_seen_by_gm` the game master too, but for a hand in which a card "
        "is left that was drawn without it. A card is for all to see once it is played, and the rest when the session "
        "is over, where `hands_open_after_session` says so.",
        "How many cards somebody drew, keeps and has played, and who traded one with whom. Nobody plays from a hand "
        "that is not theirs to see, and "
        "what is refused tells nothing of it.",
    ),
    Secret(
        "The deck: which cards are left, in what order, and what was discarded unseen",
        "Nobody. With a deck of your own, whoever looks.",
        "How many cards are left, and whether the table or the ledger deals. Cards typed in from your own deck are "
        "taken whatever others hold; only a card that everybody has seen in this session is refused. Who draws is "
        "shown how many, and how cards are written, never which are left. When the session is over a `deck-counted` "
        "fact names the cards that were typed in twice; the drawing can be revised. Who has been dealt cards "
        "says first which to keep, before anybody else draws.",
    ),
    Secret(
        "The villains' cards",
        "The game masters; each card once it is played.",
        "How many were drawn for the scene.",
    ),
    Secret(
        "The dice of an opposed roll: an attack, a dodge, anything resisted",
        "Who rolls and the game masters, until the action is resolved; then all.",
        "That it was rolled and with how many dice to begin with; not how many 10s opened more, nor how many "
        "successes there are, but those that are declared or taken off. A white chip claimed on it is taken whatever "
        "was rolled, and comes back when the roll is told, if it was not needed. Points of a card can be laid on "
        "others' dice only among the first.",
    ),
    Secret(
        "A nomination: who nominates, and whom",
        "Who nominates and the game masters; for ever.",
        "That somebody nominated: a ruling has taken a number that is not shown. Who won is told when the nominations "
        "are counted, and so is that everybody else was named by fewer than the quorum.",
    ),
)
