"""Secrets that no moment of play shows, and another past would: what is hidden did nothing, or did it out of sight.

An injury that changed no Status; a card of which nobody knows from which draw it came; what was made of a referee's
rulings after that evening.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.api.table import Json, Player, Table, rolled
from tests.api.twins.games import (
    HERO,
    MNEMONIC_DIALS,
    MNEMONIC_TRIES,
    MOC_ANSWERS,
    MOC_DIALS,
    MOC_TRIES,
    Secret,
    hangar,
    injury,
    overturned,
    quarry,
)

# --- Mnemonic -----------------------------------------------------------------------------------------------------


def checked(ruled: Json) -> str:
    return str(next(one["fact"]["check"] for one in ruled["facts"] if one["kind"] == "mnemonic.check-ruled"))


def lesser_injury(table: Table, other: bool) -> None:
    """8, 9: Celia is Hurt; 10, 11: Scratched, or Fine, which changes nothing; then she rests."""
    quarry(table)
    table.gm.declare("rate-importance", character="2", rating="Very")
    injury(table, "2", "Fair", 9)
    injury(table, "2", "Even" if other else "Poor", 3)
    table.gm.declare("declare-recovery", character="2", level=5, reason="rest")
    table.cleo.declare("declare-action", character="2", text="gets up")


def lesser_injury_after_an_open_one(table: Table, other: bool) -> None:
    """9, 10: Celia is Hurt for all to see; 12, 13 as before; whether 14 is an improvement rests on it without 10."""
    quarry(table)
    table.gm.declare("rule-immunity", character="2", known_to="everybody", reason="a friend")
    table.gm.declare("rate-importance", character="2", rating="Very")
    injury(table, "2", "Fair", 9)
    table.gm.declare("rule-immunity", character="2", known_to="referee", reason="a foe")
    injury(table, "2", "Even" if other else "Poor", 3)
    table.gm.declare("declare-recovery", character="2", level=6, reason="rest")
    table.cleo.declare("declare-action", character="2", text="gets up")


def lesser_recovery(table: Table, other: bool) -> None:
    """12: from Reeling back to Hurt; 13, 14: a check counts to Reeling, or to Hurt, which changes nothing."""
    quarry(table)
    table.gm.declare("rate-importance", character="2", rating="Very")
    injury(table, "2", "Fair", 9)
    injury(table, "2", "Terrible", 2)
    table.gm.declare("declare-recovery", character="2", level=4, reason="rest")
    check = checked(table.gm.declare("rule-recovery-check", character="2", chances="Terrible" if other else "Bad"))
    table.cleo.declare("enter-roll", check=check, numbers=[2])
    table.cleo.declare("declare-action", character="2", text="gets up")


def refereed(table: Table) -> None:
    """7: Cleo is the referee, 8: rates Bruno, 9: rules an injury, 10: it is rolled; 11: the session is over."""
    quarry(table)
    table.gm.declare("seat-referee", seat=table.cleo.id)
    table.cleo.declare("rate-importance", character="1", rating="Very")
    injury(table, "1", "Fair", 3, table.cleo)
    table.gm.declare("close-session", session="5")


def revise(who: Player, number: int, **declare: str) -> None:
    who.does(f"/rulings/{number}/revise", {"reason": "misread", "code": "ruling", "declare": declare}, 200)


def chances_since(table: Table, other: bool) -> None:
    refereed(table)
    told = {"kind": "rule-injury", "victim": "1", "cause": "referee", "worst": "unconscious", "reason": "A stone."}
    revise(table.gm, 9, **told, chances="Good" if other else "Excellent")
    table.cleo.declare("declare-action", character="2", text="gets up")


def rating_since(table: Table, other: bool) -> None:
    refereed(table)
    revise(table.gm, 8, kind="rate-importance", character="1", rating="Extremely" if other else "Fairly")
    table.cleo.declare("declare-action", character="2", text="gets up")


# --- Moment of Clarity --------------------------------------------------------------------------------------------


def use(table: Table, card: str) -> None:
    declare = {"kind": "use-card", "character": "1", "card": card, "text": "An old friend."}
    waits = table.ben.does("/rulings", {"declare": declare}, 202)
    table.gm.does(f"/waiting/{waits['id']}/answers", {"answer": {"choice": {"kind": "approve"}}})


def drawn_for_a_chip(table: Table, other: bool) -> None:
    """4: a hand; 11: a card for a chip; 12: the eight of clubs is played, which was the one or the other."""
    hangar(table, ("3H", "KS") if other else ("8C", "KS"))
    cards = {"cards": {"cards": ["8C"] if other else ["3H"]}}
    declare = {"kind": "exchange-chip", "character": "1", "chip": "white"}
    table.ben.does("/rulings", {"declare": declare, "answers": [cards], "dice": "table"})
    use(table, "8C")
    table.cleo.declare("change-story", character="2", beads=1, text="The second man is near.")


def traded(table: Table, other: bool) -> None:
    """15, 16: Harry and Anna trade twice; 17: the king of spades is played, which he had all the time, or got back."""
    hangar(table)
    table.ben.does("/characters", {"name": "Anna", "seat": table.ben.id, "sheet": HERO})
    table.ben.declare("draw-hand", character="11", drawn=["2H", "3H"], kept=["2H", "3H"])
    table.ben.declare("propose-trait", character="1", name="Sleight of hand", effect="", cost=1, allows="card-trade")
    table.gm.declare("approve-trait", character="1", trait="13")
    for cards in (("KS", "2H"), ("2H", "KS")) if other else (("8C", "3H"), ("3H", "8C")):
        given: list[Json] = [{"choice": {"kind": "give", "card": card}} for card in cards]
        table.ben.declare("trade-cards", {"choice": {"kind": "agree"}}, *given, character="1", target="11")
    use(table, "KS")
    table.cleo.declare("change-story", character="2", beads=1, text="The second man is near.")


def villains_drawn_twice(table: Table, other: bool) -> None:
    """12, 13: two draws; 14: a card of the first, or of the second, is played."""
    hangar(table)
    table.gm.declare("enrol", name="Rocco", seat="s1", sheet={"archetype": "wildcard", "villain": True})
    for cards in (("2D", "9H"), ("3S", "JH")) if other else (("3S", "JH"), ("2D", "9H")):
        table.gm.declare("draw-villains", size=2, drawn=list(cards))
    table.gm.declare("use-card", character="11", card="3S", text="An old friend.")
    table.cleo.declare("change-story", character="2", beads=1, text="The second man is near.")


# ------------------------------------------------------------------------------------------------------------------


def mnemonic(name: str, hide: Callable[[Table, bool], None], *struck: int) -> Secret:
    return Secret(
        "mnemonic",
        name,
        hide,
        {"dramatic.source": "important"},
        MNEMONIC_TRIES,
        (rolled(3, sides=12),),
        MNEMONIC_DIALS,
        tuple(map(overturned, struck)),
        "gm",
    )


def moc(name: str, hide: Callable[[Table, bool], None], *struck: int, owner: str = "ben") -> Secret:
    return Secret(
        "moc",
        name,
        hide,
        {"power_level": "heroic"},
        MOC_TRIES,
        MOC_ANSWERS,
        (*MOC_DIALS, "nomination_quorum:1"),
        tuple(map(overturned, struck)),
        owner,
    )


INJURIES = (
    mnemonic("a lesser injury", lesser_injury),
    mnemonic("a lesser recovery", lesser_recovery),
    mnemonic("a lesser injury after an open one", lesser_injury_after_an_open_one),
)
#: The last rulings of each are struck by the game master before anybody looks.
PASTS = (
    *INJURIES,
    mnemonic("a lesser injury, struck before the greater", lesser_injury, 11, 9),
    mnemonic("a lesser recovery, struck before what made it less", lesser_recovery, 14, 12),
    mnemonic("Chances revised since she refereed", chances_since),
    mnemonic("a rating revised since she refereed", rating_since),
    moc("a card drawn for a chip", drawn_for_a_chip),
    moc("a card drawn for a chip that was struck", drawn_for_a_chip, 11),
    moc("a card not drawn for the chip that was struck", drawn_for_a_chip, 4),
    moc("a card that came back", traded),
    moc("a card that came back, when the trade is struck", traded, 16),
    moc("the villains' second draw", villains_drawn_twice, owner="gm"),
    moc("the villains' second draw, struck", villains_drawn_twice, 13, owner="gm"),
)
