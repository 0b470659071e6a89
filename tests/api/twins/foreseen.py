"""Secrets that would be told by what comes of a declaration: nobody makes it, and everybody looks beforehand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.api.table import Json, Table
from tests.api.twins.games import (
    HIDDEN_FROM_THE_GAME_MASTER,
    MNEMONIC,
    MOC,
    TOY,
    Secret,
    action,
    hangar,
    hidden_from_the_game_master,
    hidden_rating,
    where_all_decide,
)


def shown(secret: Secret, name: str, *foresees: Json, **more: Any) -> Secret:
    """What would be told is only looked at; all else is tried as in the other secret."""
    kinds = {one["kind"] for one in foresees}
    tries = tuple(one for one in secret.tries if one["kind"] not in kinds)
    return replace(secret, name=name, foresees=foresees, tries=tries, decides=(), told={}, **more)


def hidden_coins(table: Table, other: bool) -> None:
    """Two coins or nine that nobody but Ben knows of."""
    table.fighters()
    table.gm.declare("mint", to="1", coins=9 if other else 2, hidden=True)


def hidden_sneak(table: Table, other: bool) -> None:
    """How well Bruno hides: nobody has looked yet."""
    table.fighters()
    table.ben.declare("sneak", {"dice": {"sides": 6, "faces": [6, 6, 1] if other else [2]}}, char="1")


def open_check(table: Table, other: bool) -> None:
    """As `hidden_rating`, and Celia, Cleo's, is about to be hurt once more: her dice have not fallen."""
    hidden_rating(table, other)
    told: Json = {"victim": "2", "cause": "referee", "worst": "unconscious", "chances": "Even", "reason": "A stone."}
    table.gm.declare("rule-injury", **told)


def hidden_dice(table: Table, other: bool) -> None:
    """An attack that succeeds thrice, or not at all: that has not been declared yet."""
    hangar(table)
    attack = action(table, table.ben, "1", roll_kind="to_hit")
    table.ben.declare("roll-dice", action=attack, faces=[9, 8, 9, 9, 2] if other else [2, 2, 3, 2, 2])


def open_check_of_the_game_master(table: Table, other: bool) -> None:
    """As `hidden_from_the_game_master`, and Hunter, the game master's, is about to be hurt once more."""
    hidden_from_the_game_master(table, other)
    told: Json = {"victim": "4", "cause": "referee", "worst": "unconscious", "chances": "Even", "reason": "A stone."}
    table.ben.declare("rule-injury", **told)


GIVE: tuple[Json, ...] = tuple({"kind": "give", "char": "1", "to": "2", "coins": coins} for coins in range(1, 11))
LOOKS: tuple[Json, ...] = tuple({"kind": "look", "char": char, "at": "1"} for char in ("2", "1"))
FALLS: tuple[Json, ...] = tuple({"kind": "enter-roll", "check": "16-2", "numbers": [face]} for face in range(1, 13))
HURTS: tuple[Json, ...] = tuple({"kind": "enter-roll", "check": "17-2", "numbers": [face]} for face in range(1, 13))
#: What would open the rating, if a game master did it: everybody would see that.
OPENS: tuple[Json, ...] = (
    {"kind": "seat-referee", "seat": "s1"},
    {"kind": "set-dial", "name": "dramatic.seen_by_gm", "value": True, "reason": "?"},
    {"kind": "set-dial", "name": "dramatic.visible", "value": True, "reason": "?"},
    {"kind": "set-dial", "name": "dramatic.source", "value": "off", "reason": "?"},
    {"kind": "hand-over", "character": "2", "seat": "s1"},
    {"kind": "close-session", "session": "5"},
    *(
        {"kind": "amend", "subject": "character:4", "field": field, "value": value, "reason": "?"}
        for field, value in (
            ("importance", None),
            ("importance/rating", "Very"),
            ("importance/rating", 5),
            ("importance/seen_by", None),
            ("importances/0/rating", "Very"),
            ("importances/trees/0/rating", "Very"),
        )
    ),
)
SUCCEEDS: tuple[Json, ...] = (
    *({"kind": "declare-successes", "action": "11", "target": "2", "number": number} for number in (1, 2, 3)),
    {"kind": "resolve", "action": "11"},
)
FORESEEN = (
    shown(TOY[1], "whether somebody who hides is seen", *LOOKS, hide=hidden_sneak),
    where_all_decide(shown(TOY[0], "what somebody can give", *GIVE, hide=hidden_coins)),
    shown(MNEMONIC[0], "whether an injury is resisted", *FALLS, hide=open_check),
    shown(
        HIDDEN_FROM_THE_GAME_MASTER[0],
        "whether the game master resists an injury",
        *HURTS,
        *OPENS,
        hide=open_check_of_the_game_master,
    ),
    where_all_decide(shown(MOC[2], "whether an attack succeeds", *SUCCEEDS, hide=hidden_dice)),
)
