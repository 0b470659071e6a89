"""The accounts of the game: who owns which, and what each counts.

The common stock is the bank; a karmic bank account is kept as what is owed: the Loaners a Player has out.
"""

from __future__ import annotations

from ledger.rules.kernel.contract import Account, Posting
from ledger.rules.kernel.purses import unit_of

ACCOUNTS: tuple[Account, ...] = (
    Account("bank/xd", "xd", "the common stock of Experience Dice", title="The stock of Experience Dice"),
    Account("seat:<id>/xd", "xd", "a Player's purse of Experience Dice", title="Experience Dice"),
    Account(
        "seat:<id>/xd:saved:<borrower>",
        "xd",
        "Loaners this Player saves for use against the borrower",
        title="Loaners saved against <borrower>",
    ),
    Account(
        "scene:<id>/xd",
        "xd",
        "Experience Dice on the table, in a Decision Phase still open",
        title="Experience Dice on the table",
    ),
    Account("seat:<id>/karmic", "karmic", "Loaners this Player has out: so far below zero is the karmic account"),
    Account("seat:<id>/spent:<resolution>", "spent", "dice this Player rolled into a resolution, not paid back"),
    Account("seat:<id>/payback:<reference>", "payback", "Paybacks had for a resolution or an occasion"),
    Account("seat:<id>/gift:<gift>", "gift", "of a gift of one's own dice: how many the Gamemaster may still replace"),
    Account("character:<id>/dp", "dp", "Development Points not yet spent", title="Development Points to spend"),
    Account(
        "character:<id>/dp:invested",
        "dp",
        "Development Points in the Character's Ratings",
        title="Development Points invested",
    ),
    Account("character:<id>/resource:<name>", "resource", "what is left of a Resource", title="<name> left"),
    Account(
        "character:<id>/shortfall:<name>", "shortfall", "how far below zero a Resource is", title="<name> below zero"
    ),
    Account(
        "scene:<id>/action:<character>",
        "action",
        "Actions left in the Turn that is open",
        title="Actions left of <character>",
    ),
    Account(
        "scene:<id>/advantage:<holder>:<foe>",
        "advantage",
        "Combat Advantages held on a foe",
        title="Combat Advantages of <holder> on <foe>",
    ),
)
STOCK = "bank/xd"


def purse(seat: str) -> str:
    return f"seat:{seat}/xd"


def saved(holder: str, borrower: str) -> str:
    return f"seat:{holder}/xd:saved:{borrower}"


def karmic(seat: str) -> str:
    return f"seat:{seat}/karmic"


def of_dice(account: str) -> str:
    """Where dice from or to this account lie: a Loaner of a karmic bank account is the bank's."""
    return STOCK if unit_of(account) == "karmic" else account


def table_of(scene: str) -> str:
    return f"scene:{scene}/xd"


def spent(seat: str, resolution: str) -> str:
    return f"seat:{seat}/spent:{resolution}"


def payback(seat: str, reference: str) -> str:
    return f"seat:{seat}/payback:{reference}"


def gift(seat: str, gift: str) -> str:
    return f"seat:{seat}/gift:{gift}"


def unspent(character: str) -> str:
    return f"character:{character}/dp"


def invested(character: str) -> str:
    return f"character:{character}/dp:invested"


def resource(character: str, name: str) -> str:
    return f"character:{character}/resource:{name}"


def shortfall(character: str, name: str) -> str:
    return f"character:{character}/shortfall:{name}"


def actions(scene: str, character: str) -> str:
    return f"scene:{scene}/action:{character}"


def advantage(scene: str, holder: str, foe: str) -> str:
    return f"scene:{scene}/advantage:{holder}:{foe}"


def moved(source: str, target: str, amount: int) -> Posting | None:
    """None when nothing moves."""
    return Posting(source, target, unit_of(source), amount) if amount > 0 and source != target else None


def gained(target: str, amount: int) -> Posting | None:
    """From the bank."""
    unit = unit_of(target)
    return moved(f"bank/{unit}", target, amount)


def lost(source: str, amount: int) -> Posting | None:
    """To the bank."""
    return moved(source, f"bank/{unit_of(source)}", amount)
