"""All accounts, and the functions that move amounts: Action Points, Infernal Resolve, Beauty, House Credit, character
points.
"""

from __future__ import annotations

from functools import lru_cache

from ledger.rules.kernel.kit import Account, Posting, character, unit_of

ACCOUNTS: tuple[Account, ...] = (
    Account("character:<id>/ap", "ap", "The Action Points that a character has left.", title="Action Points"),
    Account(
        "character:<id>/resolve", "resolve", "The Infernal Resolve that a character has left.", title="Infernal Resolve"
    ),
    Account("character:<id>/beauty", "beauty", "Current Beauty: the lasting score minus the points lost temporarily."),
    Account(
        "character:<id>/credit:<house>",
        "credit",
        "Credit with one House. Each House has its own currency.",
        title="Credit with <house>",
    ),
    Account("character:<id>/cp", "cp", "Character points not yet spent.", title="Character points to spend"),
    Account("bank/ap", "ap", "The bank of Action Points: gained points come from it, and spent points return to it."),
    Account(
        "bank/resolve:hell",
        "resolve",
        "Hell, the bank of Infernal Resolve: gained points come from it, and spent points return to it.",
    ),
    Account("bank/beauty", "beauty", "The source of Beauty."),
    Account("bank/beauty:scars", "beauty", "Beauty lost permanently."),
    Account("bank/beauty:bruises", "beauty", "Beauty lost temporarily."),
    Account(
        "bank/cp", "cp", "The bank of character points: awarded points come from it, and spent points return to it."
    ),
    Account("house/credit:<house>", "credit", "The Credit that a House has issued and taken back."),
    Account("world/credit:<house>", "credit", "The Credit of sellers who are not characters."),
)
AP = "bank/ap"
HELL = "bank/resolve:hell"
BEAUTY = "bank/beauty"
SCARS = "bank/beauty:scars"
BRUISES = "bank/beauty:bruises"
POINTS = "bank/cp"


@lru_cache(maxsize=10_000)
def name_ap(character_id: str) -> str:
    return f"{character(character_id)}/ap"


def name_resolve(character_id: str) -> str:
    return f"{character(character_id)}/resolve"


def name_beauty(character_id: str) -> str:
    return f"{character(character_id)}/beauty"


def name_cp(character_id: str) -> str:
    return f"{character(character_id)}/cp"


def name_credit(character_id: str, house: str) -> str:
    return f"{character(character_id)}/credit:{house}"


def name_issuer(house: str) -> str:
    return f"house/credit:{house}"


def name_world(house: str) -> str:
    return f"world/credit:{house}"


def make_posting(source: str, target: str, amount: int) -> Posting | None:
    """Return the posting, or None if nothing moves."""
    return Posting(source, target, unit_of(source), amount) if amount > 0 else None
