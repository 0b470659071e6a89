"""Everything countable, and what moves it: Action Points, Infernal Resolve, Beauty, House Credit, character points."""

from __future__ import annotations

from functools import lru_cache

from ledger.rules.kernel.contract import Account, Posting
from ledger.rules.kernel.purses import unit_of
from ledger.rules.kernel.subjects import character

ACCOUNTS: tuple[Account, ...] = (
    Account("character:<id>/ap", "ap", "Action Points a character has left.", title="Action Points"),
    Account("character:<id>/resolve", "resolve", "Infernal Resolve a character has left.", title="Infernal Resolve"),
    Account("character:<id>/beauty", "beauty", "Current Beauty: the lasting score less what is hurt for a time."),
    Account(
        "character:<id>/credit:<house>",
        "credit",
        "Credit with one House; each House is a currency of its own.",
        title="Credit with <house>",
    ),
    Account("character:<id>/cp", "cp", "Character points not yet spent.", title="Character points to spend"),
    Account("bank/ap", "ap", "Where Action Points come from and go to."),
    Account("bank/resolve:hell", "resolve", "Hell, which gives and takes Infernal Resolve."),
    Account("bank/beauty", "beauty", "Where Beauty comes from."),
    Account("bank/beauty:scars", "beauty", "Beauty lost for good."),
    Account("bank/beauty:bruises", "beauty", "Beauty lost for a time."),
    Account("bank/cp", "cp", "Where character points come from and go to."),
    Account("house/credit:<house>", "credit", "What a House has issued, and taken back."),
    Account("world/credit:<house>", "credit", "Credit of sellers nobody keeps a sheet of."),
)
AP = "bank/ap"
HELL = "bank/resolve:hell"
BEAUTY = "bank/beauty"
SCARS = "bank/beauty:scars"
BRUISES = "bank/beauty:bruises"
POINTS = "bank/cp"


@lru_cache(maxsize=10_000)
def ap(id: str) -> str:
    return f"{character(id)}/ap"


def resolve(id: str) -> str:
    return f"{character(id)}/resolve"


def beauty(id: str) -> str:
    return f"{character(id)}/beauty"


def cp(id: str) -> str:
    return f"{character(id)}/cp"


def credit(id: str, house: str) -> str:
    return f"{character(id)}/credit:{house}"


def issuer(house: str) -> str:
    return f"house/credit:{house}"


def world(house: str) -> str:
    return f"world/credit:{house}"


def move(source: str, target: str, amount: int) -> Posting | None:
    """None when nothing moves."""
    return Posting(source, target, unit_of(source), amount) if amount > 0 else None
