"""How uneven dice are, computed in another way; and that only what a seat sees is counted."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations_with_replacement

import httpx
import pytest

from projections.documents.dice_faces import compute_chi_square, compute_upper_tail, compute_wilson_interval
from tests.api.page.sitting import at_the_page
from tests.api.table import Json, Player, Service, Table, rolled

FREEDOM = [1, 2, 3, 5, 7, 9, 11, 19, 99]


def regularised(a: float, x: float) -> float:
    """The upper incomplete gamma function over the gamma function: by series below a + 1, else by Lentz's fraction."""
    front = math.exp(-x + a * math.log(x) - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        for n in range(1, 10_000):
            term *= x / (a + n)
            total += term
        return 1 - front * total
    b = x + 1 - a
    c, d = 1e300, 1 / b
    h = d
    for n in range(1, 10_000):
        an = -n * (n - a)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        h *= d * c
    return front * h


@pytest.mark.parametrize("freedom", FREEDOM)
def test_the_tail_is_that_of_the_gamma_function(freedom: int) -> None:
    for x in (0.01, 0.5, 1.0, 3.3, 10.0, 42.0, 150.0):
        assert math.isclose(
            compute_upper_tail(x, freedom), regularised(freedom / 2, x / 2), rel_tol=1e-9, abs_tol=1e-12
        )
    assert compute_upper_tail(0.0, freedom) == 1.0


def test_it_is_near_what_counting_every_way_that_dice_can_fall_gives() -> None:
    """Of 24 three-sided dice: how often they are at least as uneven, counted."""
    dice, sides = 24, 3
    chances: dict[tuple[int, ...], Fraction] = {}
    for cut in combinations_with_replacement(range(dice + 1), sides - 1):
        counts = tuple(b - a for a, b in zip((0, *cut), (*cut, dice), strict=True))
        ways = math.factorial(dice)
        for one in counts:
            ways //= math.factorial(one)
        chances[counts] = Fraction(ways, sides**dice)
    assert sum(chances.values()) == 1
    for counts in ((8, 8, 8), (10, 8, 6), (12, 8, 4), (14, 6, 4)):
        odd = compute_chi_square(counts)
        exact = float(sum(chance for one, chance in chances.items() if compute_chi_square(one) >= odd - 1e-9))
        assert abs(compute_upper_tail(odd, sides - 1) - exact) < 0.06


@pytest.mark.slow
def test_dice_are_counted_by_who_rolled_them_and_told_from_fair_ones(table: Table) -> None:
    table.fighters(200)
    for face in [6] * 25 + [1, 2, 3, 6]:
        table.hit(face)
    (before,) = [one for one in table.gm.look("/dice/faces")["faces"] if one["source"] == "table"]
    assert before["dice"] == 29 and before["p"] is None and before["chi_square"] is None
    table.hit(5)
    for player in (table.gm, table.ben, table.dora):
        (one,) = [one for one in player.look("/dice/faces")["faces"] if one["source"] == "table"]
        assert (one["seat"], one["name"], one["sides"], one["dice"]) == (table.ben.id, "Ben", 6, 30)
        assert one["faces"] == [1, 1, 1, 0, 1, 26]
        assert one["chi_square"] == 106.0 and one["p"] == 0.0
    last = table.gm.look()["rulings"]
    table.gm.does(f"/rulings/{last}/overturn", {"reason": "No.", "settle": "flag"}, 200)
    assert next(one for one in table.gm.look("/dice/faces")["faces"] if one["source"] == "table")["dice"] == 30
    revised = {"reason": "It was a 5.", "code": "entry", "answers": [None, rolled(4)]}
    table.gm.does(f"/rulings/{last - 1}/revise", revised, 200)
    now = [one["faces"] for one in table.gm.look("/dice/faces")["faces"] if one["source"] == "table"]
    assert [sum(one) for one in zip(*now, strict=True)] == [1, 1, 1, 1, 1, 25], "what was typed wrong is no die"


# --- whose a die is ---


def main(*names: str) -> Json:
    return {"kind": "main", "traits": [{"name": n, "base": b} for n, b in zip(names, (10, 8, 8), strict=True)]}


@pytest.fixture
def reception(table: Table, service: Service) -> Table:
    """Ann runs it and enters everything; Ben plays Sarah (1), Cleo plays Steve (2). A scene and its first round."""
    opened = service.open(name="The reception", system="intensity").json()
    table.id, table.gm = opened["id"], Player(table, "s1", opened["seat"]["token"])
    table.ben, table.cleo = table.seat("Ben", "player"), table.seat("Cleo", "player")
    table.dora = table.seat("Dora", "observer")
    for player, name, sheet in (
        (table.ben, "Sarah", main("Smooth Talker", "Gladiator", "Loyal")),
        (table.cleo, "Steve", main("Stubborn", "Bad Temper", "Social Manipulator")),
    ):
        player.does("/characters", {"name": name, "seat": player.id, "sheet": sheet})
    table.gm.does("/sessions", {"title": "One"})
    table.gm.declare("open-scene", title="A reception", cast=["1", "2"])
    return table


def says(table: Table) -> None:
    table.gm.declare("open-round", participants=["1", "2"])
    table.gm.declare("declare", char="2", target="1", level="invested", trait="Social Manipulator")
    table.gm.declare("declare", char="1", target="2", level="calm", trait="Smooth Talker")


def faces_of(player: Player, **query: str) -> dict[tuple[str, str, int], list[int]]:
    found = player.look("/dice/faces", **query)["faces"]
    return {
        (one["name"], one["source"], one["sides"]): [f for f, n in enumerate(one["faces"], 1) for _ in range(n)]
        for one in found
    }


BOTH = [{"char": "2", "intensity": 8, "trait": 2}, {"char": "1", "intensity": 6, "trait": 3}]
TYPED = {("Ben", "declaration", 6): [6], ("Ben", "declaration", 10): [3], ("Cleo", "declaration", 8): [2, 8]}


def test_dice_that_the_game_master_types_with_a_declaration_are_the_players(reception: Table) -> None:
    says(reception)
    reception.gm.declare("roll", faces=BOTH)
    for player in (reception.gm, reception.ben, reception.dora):
        assert faces_of(player) == TYPED
    reception.gm.declare("attack", char="2")
    reception.gm.declare("defend", dice=[{"die": "trait", "face": 2}])
    assert faces_of(reception.dora)["Ben", "declaration", 10] == [2, 3], "whose defence it is, says the attack"


def test_dice_that_the_game_master_types_as_an_answer_are_the_players(reception: Table) -> None:
    says(reception)
    waiting = reception.gm.does("/rulings", {"declare": {"kind": "roll"}, "dice": "table"}, 202)["id"]
    for face, sides, status in ((3, 6, 202), (4, 10, 202), (1, 8, 202), (2, 8, 201)):
        answer = {"answer": rolled(face, sides=sides)}
        reception.gm.does(f"/waiting/{waiting}/answers", answer, status)
    found = faces_of(reception.dora)
    assert found == {("Ben", "table", 6): [3], ("Ben", "table", 10): [4], ("Cleo", "table", 8): [1, 2]}


def test_dice_that_the_ledger_rolls_for_a_player_at_the_game_masters_word_are_the_players(reception: Table) -> None:
    says(reception)
    reception.gm.declare("roll")
    found = faces_of(reception.dora)
    assert {(name, source, sides): len(dice) for (name, source, sides), dice in found.items()} == {
        ("Ben", "ledger", 6): 1,
        ("Ben", "ledger", 10): 1,
        ("Cleo", "ledger", 8): 2,
    }


def test_dice_stay_whose_they_were_when_the_character_changes_hands(reception: Table) -> None:
    says(reception)
    reception.gm.declare("roll", faces=BOTH)
    handed = reception.gm.does("/characters/1/hand-over", {"seat": reception.cleo.id})["number"]
    assert faces_of(reception.dora) == TYPED
    reception.gm.declare("attack", char="2")
    defence = reception.gm.declare("defend", dice=[{"die": "trait", "face": 9}])["number"]
    assert faces_of(reception.dora)["Cleo", "declaration", 10] == [9]
    reception.gm.does(f"/rulings/{handed}/overturn", {"reason": "No.", "settle": "flag"}, 200)
    reception.gm.does(f"/rulings/{defence}/dispute", {"reason": "A nine?"}, 200)
    assert faces_of(reception.dora)["Cleo", "declaration", 10] == [9], "she rolled it all the same"
    reception.gm.declare("resolve")
    reception.gm.declare("attack", char="1")
    reception.gm.does("/characters/1/hand-over", {"seat": reception.ben.id})
    reception.gm.declare("defend", dice=[{"die": "intensity", "face": 5}])
    assert faces_of(reception.dora)["Cleo", "declaration", 8] == [2, 5, 8]
    reception.gm.declare("resolve")


def test_dice_are_counted_by_session(reception: Table) -> None:
    says(reception)
    reception.gm.declare("roll", faces=BOTH)
    first = reception.gm.look("/rulings/3")["session"]
    reception.gm.does(f"/sessions/{first}/close")
    second = reception.gm.does("/sessions", {"title": "Two"})["session"]
    reception.gm.declare("attack", char="2")
    reception.gm.declare("defend", dice=[{"die": "trait", "face": 9}])
    assert faces_of(reception.dora, session=first) == TYPED
    assert faces_of(reception.dora, session=second) == {("Ben", "declaration", 10): [9]}
    assert faces_of(reception.dora, seat=reception.cleo.id) == {("Cleo", "declaration", 8): [2, 8]}
    told = reception.dora.look("/dice/faces")["sessions"]
    assert [(one["session"], one["name"], one["sides"], one["dice"]) for one in told] == [
        (first, "Ben", 6, 1),
        (first, "Ben", 10, 1),
        (first, "Cleo", 8, 2),
        (second, "Ben", 10, 1),
    ]
    wrong = reception.dora.get("/dice/faces", session="9000")
    assert wrong.status_code == 422 and "session" in wrong.text


def test_shares_come_with_their_interval_and_the_sample(reception: Table) -> None:
    says(reception)
    reception.gm.declare("roll", faces=BOTH)
    (cleo,) = reception.gm.look("/dice/faces", seat=reception.cleo.id)["faces"]
    assert (cleo["dice"], cleo["mean"], cleo["fair_mean"]) == (2, 5.0, 4.5)
    assert [one["share"] for one in cleo["shares"]] == [0, 0.5, 0, 0, 0, 0, 0, 0.5]
    assert cleo["shares"][1] == {"face": 2, "share": 0.5, "low": 0.0945, "high": 0.9055}
    assert cleo["shares"][0] == {"face": 1, "share": 0.0, "low": 0.0, "high": 0.6576}


@pytest.mark.parametrize(("count", "dice"), [(0, 1), (1, 1), (0, 10), (3, 10), (50, 100), (997, 1000)])
def test_the_interval_holds_the_shares_whose_sample_is_within_two_deviations(count: int, dice: int) -> None:
    """Wilson's interval solved the other way: at its ends the sample lies 1.96 standard deviations off."""
    for end in compute_wilson_interval(count, dice):
        if 0 < end < 1:
            deviation = math.sqrt(end * (1 - end) / dice)
            assert math.isclose(abs(count / dice - end) / deviation, 1.959964, rel_tol=1e-5)
    low, high = compute_wilson_interval(count, dice)
    assert 0 <= low <= count / dice <= high <= 1


def test_hidden_dice_are_counted_for_nobody_who_may_not_see_them(table: Table) -> None:
    """Of a ruling of which everything is hidden, the dice are, too."""
    table.fighters()
    table.ben.declare("sneak", char="1", dice=9)
    assert faces_of(table.gm)["Ben", "ledger", 6]
    assert faces_of(table.ben) == faces_of(table.gm)
    for player in (table.cleo, table.dora):
        assert player.look("/dice/faces")["faces"] == player.look("/dice/faces")["sessions"] == []


def test_a_hand_over_that_was_overturned_gives_later_dice_back(reception: Table) -> None:
    says(reception)
    handed = reception.gm.does("/characters/1/hand-over", {"seat": reception.cleo.id})["number"]
    reception.gm.does(f"/rulings/{handed}/overturn", {"reason": "No.", "settle": "flag"}, 200)
    reception.gm.declare("roll", faces=BOTH)
    assert faces_of(reception.dora) == TYPED
    reception.gm.does(f"/rulings/{handed}/reinstate", {"reason": "Yes."}, 200)
    reception.gm.declare("attack", char="2")
    reception.gm.declare("defend", dice=[{"die": "trait", "face": 9}])
    assert faces_of(reception.dora)["Cleo", "declaration", 10] == [9]


# --- where the ledger rolls all dice ---


def refuses(answer: httpx.Response) -> None:
    assert (answer.status_code, answer.json().get("code")) == (422, "typed-dice"), answer.text
    assert "You can't enter your own" in answer.json()["detail"]


def test_a_table_can_refuse_dice_that_are_typed_in(reception: Table) -> None:
    says(reception)
    waiting = reception.gm.does("/rulings", {"declare": {"kind": "roll"}, "dice": "table"}, 202)["id"]
    turned = {"dice": "ledger_only", "reason": "We play online."}
    assert reception.gm.does("/dials", turned)["status"] == "standing"
    roll = {"kind": "roll", "faces": BOTH}
    refuses(reception.gm.tries("roll", faces=BOTH))
    refuses(reception.gm.post("/rulings", {"declare": roll, "preview": True}))
    refuses(reception.gm.tries("roll", rolled(3), rolled(4, sides=10), participants=["1"]))
    refuses(reception.gm.post("/rulings", {"declare": {"kind": "roll", "participants": ["1"]}, "dice": "table"}))
    refuses(reception.gm.post(f"/waiting/{waiting}/answers", {"answer": rolled(3)}))
    schema = reception.gm.look(f"/waiting/{waiting}")["answer_schema"]
    assert schema["properties"]["cards"]["properties"]["cards"]["maxItems"] == 0, "only the ledger can"
    made = reception.gm.does(f"/waiting/{waiting}/answers", {"answer": {"cards": {"cards": []}}})
    assert {one["source"] for one in made["answers"] if not one["set_aside"]} == {"ledger"}
    correction = {"reason": "It was a six.", "code": "entry", "declare": roll}
    refuses(reception.gm.post(f"/rulings/{made['number']}/revise", correction))


def test_what_was_typed_before_stands_when_the_dial_is_turned(reception: Table) -> None:
    says(reception)
    made = reception.gm.declare("roll", faces=BOTH)["number"]
    sitter = at_the_page(reception.gm)
    assert "We roll our own dice" in sitter.page("/declare/attack")
    reception.gm.does("/dials", {"dice": "ledger_only", "reason": "We play online."})
    assert "We roll our own dice" not in sitter.page("/declare/attack")
    correction = {"reason": "A word.", "code": "entry", "patch": {}}
    assert reception.gm.does(f"/rulings/{made}/revise", correction, 200)["status"] == "revised"
    assert reception.gm.look("/audit")["healthy"]
