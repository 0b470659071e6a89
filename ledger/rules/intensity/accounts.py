"""Everything countable, and what moves it: advantage points, dice, active impacts, held fatals."""

from __future__ import annotations

from ledger.rules.kernel.contract import Account, Posting
from ledger.rules.kernel.subjects import Subject, character

ACCOUNTS: tuple[Account, ...] = (
    Account(
        "character:<id>/ap:<against>",
        "ap",
        "Advantage points a character holds against another.",
        title="Advantage points against <against>",
    ),
    Account("character:<id>/impact", "impact", "Taxes, damages and wounds that weigh on a character.", title="Impacts"),
    Account(
        "scene:<id>/die:standing-<char>",
        "die",
        "A participant's dice on the table, good for offence.",
        title="Dice on the table of <char>",
    ),
    Account(
        "scene:<id>/die:defence-<char>",
        "die",
        "A participant's dice picked up to defend.",
        title="Dice of <char> picked up to defend",
    ),
    Account(
        "scene:<id>/fatal:<holder>",
        "fatal",
        "Fatal impacts a character achieved and has not used.",
        title="Fatals to use, of <holder>",
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
