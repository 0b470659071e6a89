"""The accounts: advantage points, dice, active impacts and held fatal impacts; and the postings that move them."""

from __future__ import annotations

from ledger.rules.kernel.contract import Account, Posting
from ledger.rules.kernel.subjects import Subject, character

ACCOUNTS: tuple[Account, ...] = (
    Account(
        "character:<id>/ap:<against>",
        "ap",
        "Advantage points that a character holds against another.",
        title="Advantage points against <against>",
    ),
    Account("character:<id>/impact", "impact", "Active taxes, damages and wounds of a character.", title="Impacts"),
    Account(
        "scene:<id>/die:standing-<char>",
        "die",
        "A participant's standing dice, which can attack.",
        title="Standing dice of <char>",
    ),
    Account(
        "scene:<id>/die:defence-<char>",
        "die",
        "A participant's dice that were picked up to defend.",
        title="Defence dice of <char>",
    ),
    Account(
        "scene:<id>/fatal:<holder>",
        "fatal",
        "Fatal impacts that a character holds.",
        title="Fatal impacts held by <holder>",
    ),
)


def ap(holder: str, against: str) -> str:
    return f"{character(holder)}/ap:{against}"


def impacts(char: str) -> str:
    return f"{character(char)}/impact"


def standing(scene: Subject, char: str) -> str:
    return f"{scene}/die:standing-{char}"


def defence(scene: Subject, char: str) -> str:
    return f"{scene}/die:defence-{char}"


def fatals(scene: Subject, holder: str) -> str:
    return f"{scene}/fatal:{holder}"


def from_bank(account: str, unit: str, amount: int) -> Posting:
    return Posting(f"bank/{unit}", account, unit, amount)
