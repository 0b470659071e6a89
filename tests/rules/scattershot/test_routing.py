"""3.11: where an Experience Die lies once it was rolled: kinds, signs, opposition and dials."""

from __future__ import annotations

import pytest

from ledger.rules.scattershot.deedinputs import CloseDecision, ContributeDie, RollMib
from tests.rules.scattershot.game import Game

ANN, BOB = "1", "2"
DEXTERITY = {"advantage": "Dexterity"}
WHOLE = {"unopposed_dice": "whole-roll"}
TO_STOCK = {"self_against": "to-stock"}
STOCK = None  # the Gamemaster's, too: what reaches that purse goes to the stock


@pytest.mark.parametrize("handover", ["after-decision", "immediate"])
@pytest.mark.parametrize(
    ("kind", "by", "sign", "target", "opposed", "dials", "to"),
    [
        ("own", "ann", 1, "actor", True, {}, "bob/xd"),
        ("own", "ann", 1, "actor", False, {}, STOCK),
        ("own", "ann", -1, "actor", True, {}, "ann/xd"),
        ("own", "ann", -1, "actor", True, TO_STOCK, STOCK),
        ("own", "ann", -1, BOB, True, {}, "bob/xd"),
        ("own", "ann", -1, "actor", True, WHOLE, "ann/xd"),
        ("own", "bob", 1, BOB, True, {}, "ann/xd"),
        ("own", "bob", 1, "actor", True, {}, "bob/xd"),
        ("own", "bob", 1, "actor", True, TO_STOCK, STOCK),
        ("own", "cid", -1, "actor", False, {}, "ann/xd"),
        ("own", "cid", -1, "actor", False, WHOLE, STOCK),
        ("own", "gm", 1, "actor", True, {"gm_dice": "stock"}, "bob/xd"),
        ("own", "gm", -1, "actor", True, {"gm_dice": "stock"}, "ann/xd"),
        ("freebie", "ann", 1, "actor", True, {}, "bob/xd"),
        ("freebie", "ann", 1, "actor", False, {}, STOCK),
        ("freebie", "ann", 1, "actor", True, {"freebie_routing": "to-stock"}, STOCK),
        ("loaner", "ann", 1, "actor", True, {}, "bob/xd:saved:ann"),
        ("loaner", "ann", 1, "actor", False, {}, "gm/xd:saved:ann"),
        ("loaner", "ann", -1, "actor", True, {}, "gm/xd:saved:ann"),
        ("loaner", "cid", 1, BOB, True, {}, "ann/xd:saved:cid"),
        ("loaner", "gm", 1, "actor", True, {}, "bob/xd:saved:gm"),
    ],
)
def test_where_a_die_goes(kind, by, sign, target, opposed, dials, to, handover):
    game = Game(dice_handover=handover, **dials)
    if kind == "own" and by != "gm":
        game.dice(by, 1)
    id = game.decision(ANN, oppose={BOB: "agility"} if opposed else None)
    more = DEXTERITY if kind == "freebie" else {}
    game.does(ContributeDie(id, kind, 4, sign, target, **more), by=by)
    for side in ("actor", BOB) if opposed else ("actor",):
        game.does(RollMib(id, side, [5, 5]))
    game.does(CloseDecision(id))
    assert lying(game) == ({f"seat:{to}": 1} if to else {})
    assert {game.karmic(one) for one in ("ann", "bob", "cid", "gm") if one != by} == {0}
    assert game.karmic(by) == (-1 if kind == "loaner" else 0)


def lying(game: Game) -> dict[str, int]:
    """Dice anywhere but in the stock."""
    seats = ("gm", "ann", "bob", "cid")
    places = [f"seat:{one}/xd" for one in seats]
    places += [f"seat:{one}/xd:saved:{other}" for one in seats for other in seats]
    found = {place: game.balance(place) for place in (*places, f"scene:{game.scene_id}/xd")}
    return {place: n for place, n in found.items() if n}
