"""The accounts of the game: their owners and their units.

The common stock is the bank. A karmic bank account counts a Player's debt: the Loaners that the Player has not paid
back.
"""

from __future__ import annotations

from ledger.rules.kernel.kit import Account, Posting, unit_of

ACCOUNTS: tuple[Account, ...] = (
    Account("bank/xd", "xd", "The common stock of Experience Dice.", title="Common stock of Experience Dice"),
    Account("seat:<id>/xd", "xd", "A Player's purse of Experience Dice.", title="Experience Dice"),
    Account(
        "seat:<id>/xd:saved:<borrower>",
        "xd",
        "Loaners that this Player has saved to use against the borrower.",
        title="Loaners saved against <borrower>",
    ),
    Account(
        "scene:<id>/xd",
        "xd",
        "Experience Dice on the table in a Decision Phase that is still open.",
        title="Experience Dice on the table",
    ),
    Account("seat:<id>/karmic", "karmic", "Loaners that this Player has not yet repaid."),
    Account(
        "seat:<id>/spent:<resolution>",
        "spent",
        "Dice that a Player has rolled in a resolution and has not got back yet.",
    ),
    Account("seat:<id>/payback:<reference>", "payback", "Paybacks received for a resolution or an occasion."),
    Account("seat:<id>/gift:<gift>", "gift", "Dice of a gift that the Gamemaster may still replace."),
    Account(
        "character:<id>/dp", "dp", "Development Points that are not spent yet.", title="Development Points to spend"
    ),
    Account(
        "character:<id>/dp:invested",
        "dp",
        "Development Points in the Character's Ratings and traits, including the 12 that every Character has for free.",
        title="Development Points used, with the 12 free ones",
    ),
    Account("character:<id>/resource:<name>", "resource", "What is left of a Resource.", title="<name> left"),
    Account(
        "character:<id>/shortfall:<name>", "shortfall", "How far a Resource is below zero.", title="<name> below zero"
    ),
    Account(
        "scene:<id>/action:<character>",
        "action",
        "Actions left in the current Turn.",
        title="Actions left of <character>",
    ),
    Account(
        "scene:<id>/advantage:<holder>:<foe>",
        "advantage",
        "Combat Advantage that a Character holds over a foe.",
        title="Combat Advantage of <holder> over <foe>",
    ),
)
STOCK = "bank/xd"


def name_purse(seat_id: str) -> str:
    return f"seat:{seat_id}/xd"


def name_saved(holder_id: str, borrower_id: str) -> str:
    return f"seat:{holder_id}/xd:saved:{borrower_id}"


def name_karmic(seat_id: str) -> str:
    return f"seat:{seat_id}/karmic"


def find_dice_account(account: str) -> str:
    """Return the account that holds the dice of this account. The bank holds the Loaners of a karmic bank account."""
    return STOCK if unit_of(account) == "karmic" else account


def name_table(scene_id: str) -> str:
    return f"scene:{scene_id}/xd"


def name_spent(seat_id: str, resolution_id: str) -> str:
    return f"seat:{seat_id}/spent:{resolution_id}"


def name_payback(seat_id: str, reference: str) -> str:
    return f"seat:{seat_id}/payback:{reference}"


def name_gift(seat_id: str, gift_id: str) -> str:
    return f"seat:{seat_id}/gift:{gift_id}"


def name_unspent(character_id: str) -> str:
    return f"character:{character_id}/dp"


def name_invested(character_id: str) -> str:
    return f"character:{character_id}/dp:invested"


def name_resource(character_id: str, name: str) -> str:
    return f"character:{character_id}/resource:{name}"


def name_shortfall(character_id: str, name: str) -> str:
    return f"character:{character_id}/shortfall:{name}"


def name_actions(scene_id: str, character_id: str) -> str:
    return f"scene:{scene_id}/action:{character_id}"


def name_advantage(scene_id: str, holder_id: str, foe_id: str) -> str:
    return f"scene:{scene_id}/advantage:{holder_id}:{foe_id}"


def make_posting(source: str, target: str, amount: int) -> Posting | None:
    """Return the posting that moves this amount, or None if nothing moves."""
    return Posting(source, target, unit_of(source), amount) if amount > 0 and source != target else None


def make_gain(target: str, amount: int) -> Posting | None:
    """Return the posting that moves this amount from the bank, or None if nothing moves."""
    unit = unit_of(target)
    return make_posting(f"bank/{unit}", target, amount)


def make_loss(source: str, amount: int) -> Posting | None:
    """Return the posting that moves this amount to the bank, or None if nothing moves."""
    return make_posting(source, f"bank/{unit_of(source)}", amount)
