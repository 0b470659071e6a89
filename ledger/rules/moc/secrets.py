"""What only some seats may know, and what everybody may know of it, for the page."""

from __future__ import annotations

from ledger.rules.kernel.contract import Secret

SECRETS: tuple[Secret, ...] = (
    Secret(
        "The cards of a hand",
        "The player of the character. With the option `hands_seen_by_gm`, the game masters, too, but not a hand that "
        "still has a card drawn without the option. Everybody sees a card once it is played, and the rest when the "
        "session ends, if `hands_open_after_session` is on.",
        "How many cards a character drew, kept and played, and who traded a card with whom. Nobody can play from a "
        "hand that they cannot see, and refusals reveal nothing about it.",
    ),
    Secret(
        "The deck: which cards are left, in what order, and what was discarded unseen",
        "Nobody. If you use your own deck, anybody who looks at it.",
        "How many cards are left, and whether the table or the ledger deals. You can enter any card from your own "
        "deck, whatever others hold. Only a card that everybody has seen in this session is refused. A player who "
        "draws sees how many cards to draw and how to write them, never which are left. When the session ends, a "
        "`deck-counted` fact names the cards that were entered twice, and the draw can be corrected. A player who has "
        "drawn cards must choose which to keep before anybody else draws.",
    ),
    Secret(
        "The villains' cards",
        "The game masters. Everybody sees a card once it is played.",
        "How many were drawn for the scene.",
    ),
    Secret(
        "The dice of an opposed roll: an attack, a dodge, or anything resisted",
        "The player who rolls and the game masters, until the action is resolved. Then everybody.",
        "That it was rolled, with how many dice before bonus dice, and the successes that are declared or taken off. "
        "They cannot see how many 10s added dice or how many successes there are. A white chip claimed for the roll "
        "is taken, whatever was rolled. If it was not needed, it goes back when the roll is shown. A card on "
        "somebody else's "
        "dice can add points only to the dice before bonus dice.",
    ),
    Secret(
        "A nomination: who nominated whom",
        "The nominating player and the game masters, forever.",
        "That somebody nominated, because a ruling number is missing. When the nominations are counted, everybody "
        "learns who won, and that all others had fewer nominations than the quorum.",
    ),
)
