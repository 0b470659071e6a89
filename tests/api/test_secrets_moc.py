"""Moment of Clarity over HTTP: who tries, withdraws and counts learns no hidden roll and no hand."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ledger.rules.moc.words import DECK
from tests.api.page.sitting import at_the_page
from tests.api.table import Json, Player, Service, Table, rolled

HARRY, RISSH = "1", "2"


class Hangar(Table):
    """Ben plays Harry, Cleo Rissh, Dora watches; a session and a scene are open."""

    def __init__(self, service: Service, **dials: Any) -> None:
        self.service = service
        opened = service.open(system="moc", dials=dials)
        assert opened.status_code == 201, opened.text
        self.id = opened.json()["id"]
        self.gm = Player(self, "s1", opened.json()["seat"]["token"])
        self.ben, self.cleo = self.seat("Ben", "player"), self.seat("Cleo", "player")
        self.dora = self.seat("Dora", "observer")
        for player, name in ((self.ben, "Harry"), (self.cleo, "Rissh")):
            sheet = {"archetype": "hero", "characteristics": {"body": 3}}
            player.does("/characters", {"name": name, "seat": player.id, "sheet": sheet})
        self.gm.declare("open-session")
        self.gm.declare("open-scene", title="A hangar", cast=[HARRY, RISSH])

    def attack(self) -> str:
        made = self.ben.declare("declare-action", character=HARRY, roll_kind="to_hit")
        return str(made["facts"][0]["fact"]["action"])


def counted(table: Hangar, player: Player) -> Json:
    """What can be counted of a table: saves, rolls, versions."""
    card = player.get()
    return {
        "position": card.headers["Ledger-Position"],
        "rolls": player.look("/dice")["count"],
        "faces": player.look("/dice/faces"),
        "waiting": [(one["id"], one.get("version")) for one in player.look("/waiting")["waiting"]],
        "rulings": [(one["number"], one["version"]) for one in player.look("/rulings")["rulings"]],
        "scene": player.look(f"/scenes/{table.gm.look()['scenes'][0]['id']}")["version"],
    }


@pytest.mark.parametrize("dice", ["table", "ledger", "declared"])
def test_how_many_dice_a_hidden_roll_opened_cannot_be_counted(service: Service, dice: str) -> None:
    seen = []
    for faces in ([9, 1, 1], [10, 1, 1, 10, 10, 1], [10, 10, 10, 10, 10, 1, 1, 1]):
        table = Hangar(service)
        declare = {"kind": "roll-dice", "action": table.attack()}
        if dice == "table":
            waits = table.ben.does("/rulings", {"declare": declare, "dice": "table"}, 202)
            table.ben.does(f"/waiting/{waits['id']}/answers", {"answer": rolled(*faces, sides=10)})
        elif dice == "declared":
            table.gm.does("/rulings", {"declare": {**declare, "faces": faces[:3], "bonus": faces[3:]}})
            (own,) = table.ben.look("/dice/faces")["faces"]
            assert (own["name"], own["source"], own["dice"]) == ("Ben", "declaration", len(faces))
        else:
            table.ben.does("/rulings", {"declare": declare, "dice": "ledger"})
        seen.append([counted(table, player) for player in (table.cleo, table.dora)])
    assert seen[0] == seen[1] == seen[2]
    assert seen[0][0]["rolls"] == (dice == "ledger")
    assert seen[0][0]["faces"]["faces"] == []


# --- a table's own deck ---


def typed(table: Hangar, hand: list[str]) -> list[Json]:
    """Ben draws this hand; Cleo tries all 52 cards, one by one, in every way, and answers a draw that waits."""
    table.ben.declare("draw-hand", character=HARRY, drawn=hand, kept=hand)
    heard = []
    for card in DECK:
        one = table.cleo.tries("draw-hand", character=RISSH, drawn=[card], kept=[card])
        heard.append({"status": one.status_code, "code": one.json()["code"], "context": one.json()["context"]})
    waits = table.cleo.does("/rulings", {"declare": {"kind": "draw-hand", "character": RISSH}, "dice": "table"}, 202)
    for cards in (["1Z", "2C"], ["2C"], ["2C", "2C"]):
        answer = table.cleo.post(f"/waiting/{waits['id']}/answers", {"answer": {"cards": {"cards": cards}}})
        heard.append({"status": answer.status_code, "code": answer.json()["code"]})
    answer = table.cleo.post(f"/waiting/{waits['id']}/answers", {"answer": {"cards": {"cards": ["8C", "KS"]}}})
    heard.append({"status": answer.status_code, "facts": [one["fact"] for one in answer.json()["facts"]]})
    return [*heard, counted(table, table.cleo), counted(table, table.dora)]


def test_fifty_two_refusals_tell_no_hand(service: Service) -> None:
    tables = [Hangar(service), Hangar(service)]
    told = [typed(table, hand) for table, hand in zip(tables, (["8C", "KS"], ["2D", "3D"]), strict=True)]
    assert told[0] == told[1]
    assert {one["code"] for one in told[0][:52]} == {"wrong-draw-count"}
    for table, twice in zip(tables, (["8C", "KS"], []), strict=True):
        session = table.gm.look()["session"]
        number = table.gm.declare("close-session", session=session)["number"]
        for player in (table.ben, table.cleo, table.dora):
            facts = player.look(f"/rulings/{number}")["facts"]
            assert [one["fact"]["twice"] for one in facts if one["kind"] == "moc.deck-counted"] == [twice]


# --- tries on a hidden roll, and withdrawn ---


def claimed(service: Service, *faces: int) -> list[Any]:
    """Cleo claims a Success on Ben's attack and takes it back; then claims in earnest, and the game master agrees."""
    table = Hangar(service, arc_purse_enforced=False, helping=True)
    table.gm.declare("award-chip", character=RISSH, chips={"white": 1}, reason="brave", enlarge=True)
    attack = table.attack()
    table.ben.declare("roll-dice", action=attack, faces=faces[:3], bonus=faces[3:])
    heard: list[Any] = []
    for reason in ("only asking", None):
        made = table.cleo.post("/rulings", {"declare": {"kind": "claim-success", "action": attack, "character": RISSH}})
        heard.append((made.status_code, made.json()["question"]["purpose"], made.json()["id"]))
        path = f"/waiting/{made.json()['id']}"
        if reason is not None:
            table.cleo.does(f"{path}/withdraw", {"reason": reason}, 200)
        else:
            table.gm.does(f"{path}/answers", {"answer": {"choice": {"kind": "approve"}}})
    heard += [table.cleo.look("/accounts")["accounts"], counted(table, table.cleo), counted(table, table.dora)]
    table.ben.declare("resolve", action=attack)
    chips = [one["balance"] for one in table.cleo.look("/accounts")["accounts"] if "chip:white" in one["account"]]
    return [heard, chips]


def test_a_claim_taken_back_tells_nothing_and_one_not_needed_comes_back(service: Service) -> None:
    (needed, spent), (spare, kept), (opened, kept_too) = (
        claimed(service, *faces) for faces in ((1, 1, 1), (7, 8, 9), (10, 8, 9, 10, 10, 2))
    )
    assert needed == spare == opened
    assert (spent, kept, kept_too) == ([0], [1], [1])


# --- amending ---


@pytest.mark.parametrize(
    ("field", "value"), [("skills", {"Sewing": 4}), ("status", "down"), ("archetype", "enigma"), ("budget", 770077)]
)
def test_what_is_shown_to_all_is_not_amended_for_some(service: Service, field: str, value: Any) -> None:
    table = Hangar(service)
    told = {"subject": f"character:{HARRY}", "field": field, "value": value, "reason": "so it is"}
    for seen_by in (["gm"], ["gm", f"character:{HARRY}"], []):
        refused = table.gm.tries("amend", **told, seen_by=seen_by)
        assert (refused.status_code, refused.json()["code"]) == (422, "shown-to-others")
        assert refused.json()["context"] == {"field": field, "shown_to": "everybody"}
    made = table.gm.declare("amend", **told)
    assert table.dora.look(f"/rulings/{made['number']}")["facts"], "openly it can be"


#: A card by its name, and no two letters of a random salt.
CARD = re.compile(r"(?<![A-Za-z0-9+/])QD(?![A-Za-z0-9+/=])")


def test_what_is_hidden_is_amended_in_every_document(service: Service) -> None:
    """A hand, for its player: in no state, replay, history, what-if, timeline, derivation or export of anybody else."""
    table = Hangar(service)
    table.gm.declare("amend", subject=f"character:{HARRY}", field="seen_by", value=[f"character:{HARRY}"], reason="x")
    number = table.gm.declare(
        "amend", subject=f"character:{HARRY}", field="hand", value=["QD", "JH"], reason="he was dealt them"
    )["number"]
    assert table.ben.look(f"/characters/{HARRY}")["state"]["hand"] == ["QD", "JH"]
    session, scene = table.gm.look()["session"], table.gm.look()["scenes"][0]["id"]
    paths = [
        "",
        f"/characters/{HARRY}",
        f"/characters/{HARRY}?as=recorded",
        f"/characters/{HARRY}?at={number}",
        "/rulings",
        f"/rulings/{number}",
        f"/what-if?without={number}",
        "/what-if?without=1",
        f"/what-if?without={number - 1}",
        f"/sessions/{session}/replay",
        f"/sessions/{session}/replay?as=recorded",
        "/diff?from=1",
        f"/diff?at={number}",
        f"/scenes/{scene}",
        "/export",
        "/findings",
        "/accounts",
        f"/characters/{HARRY}/why/hand",
        f"/characters/{HARRY}/history",
        f"/characters/{HARRY}/timeline",
        "/timeline",
    ]
    seen = {path: table.ben.get(path).text for path in paths}
    assert sum(bool(CARD.search(text)) for text in seen.values()) > 6 and CARD.search(seen["/export"])
    for player in (table.cleo, table.dora):
        assert not [path for path in paths if CARD.search(player.get(path).text)]


# --- a draw that waits ---


def test_who_draws_is_shown_what_is_asked_and_how_cards_are_written(service: Service) -> None:
    """The form of cards, not which are left; to who draws alone. So a chip's cards can come from the table's deck."""
    table = Hangar(service, arc_purse_enforced=False)
    table.gm.declare("award-chip", character=RISSH, chips={"red": 1}, reason="brave", enlarge=True)
    for declare, count in (
        ({"kind": "draw-hand", "character": RISSH}, 2),
        ({"kind": "exchange-chip", "character": RISSH, "chip": "red"}, 3),
    ):
        waits = table.cleo.does("/rulings", {"declare": declare, "dice": "table"}, 202)
        asked = waits["question"]
        assert (asked["ask"], asked["count"], asked["who"]) == ("draw", count, f"character:{RISSH}")
        assert asked["asked"]["seat"] == table.cleo.id and "8C" in asked["form"] and "cards" not in asked
        (seen,) = table.cleo.look("/waiting")["waiting"]
        assert seen["question"] == asked
        for player in (table.gm, table.ben, table.dora):
            assert not any(one["question"] for one in player.look("/waiting")["waiting"])
        cards = ["8C", "KS", "2D"][:count]
        path = f"/waiting/{waits['id']}/answers"
        assert table.ben.post(path, {"answer": {"cards": {"cards": cards}}}).status_code == 403
        made = table.cleo.does(path, {"answer": {"cards": {"cards": cards}}})
        assert table.cleo.look(f"/characters/{RISSH}")["state"]["hand"][-count:] == cards
        told = table.dora.get(f"/rulings/{made['number']}").text
        assert not any(f'"{card}"' in told for card in cards)


def test_a_chips_cards_are_typed_with_the_declaration(service: Service) -> None:
    table = Hangar(service, arc_purse_enforced=False)
    table.gm.declare("award-chip", character=RISSH, chips={"white": 1}, reason="brave", enlarge=True)
    made = table.cleo.declare("exchange-chip", {"cards": {"cards": ["8C"]}}, character=RISSH, chip="white")
    assert table.cleo.look(f"/characters/{RISSH}")["state"]["hand"] == ["8C"]
    assert '"8C"' not in table.ben.get(f"/rulings/{made['number']}").text


def test_who_types_in_a_hand_is_not_told_which_cards_are_left(service: Service) -> None:
    """Whose answer it is sees what it was, and not the deck it was drawn from: all others' hands are missing there."""
    table = Hangar(service)
    table.ben.declare("draw-hand", character=HARRY, drawn=["8C", "KS"], kept=["8C", "KS"])
    made = table.cleo.declare("draw-hand", {"cards": {"cards": ["2D", "3H"]}}, character=RISSH)
    for told in (made, table.cleo.look(f"/rulings/{made['number']}")):
        (answer,) = told["answers"]
        assert answer["answer"]["cards"]["cards"] == ["2D", "3H"]
        assert answer["question"]["ask"] == "draw" and "cards" not in answer["question"]
    assert not set(re.findall(r'"(\w+)"', table.cleo.get("/export").text)) & (set(DECK) - {"2D", "3H"})


def test_once_the_ledger_deals_no_draw_waits_for_the_tables_cards(service: Service) -> None:
    """Nobody could type them in: neither where it is declared after that, nor where it waited before."""
    table = Hangar(service)
    draws: Json = {"declare": {"kind": "draw-hand", "character": RISSH}, "dice": "table"}
    waits = table.cleo.does("/rulings", draws, 202)
    table.ben.does("/rulings", {"declare": {"kind": "draw-hand", "character": HARRY}, "dice": "ledger"})
    table.gm.does("/rulings", {"declare": {"kind": "draw-villains", "size": 2}, "dice": "table"})
    made = table.cleo.does(f"/waiting/{waits['id']}/answers", {"answer": {"cards": {"cards": ["8C", "KS"]}}})
    assert [one["set_aside"] for one in made["answers"]] == [True], "what was dealt is shown as a hand"
    assert len(table.cleo.look(f"/characters/{RISSH}")["state"]["hand"]) == 2


# --- whom it waits for ---


def resists(service: Service, hand: tuple[str, ...]) -> tuple[Hangar, str]:
    """Harry hit Rissh; she resists and is asked for cards, of which she holds these."""
    table = Hangar(service)
    table.cleo.declare("draw-hand", character=RISSH, drawn=["8C", "KS"], kept=["8C", "KS"])
    for card in ("8C", "KS"):
        if card not in hand:
            table.cleo.declare("exchange-card", character=RISSH, card=card)
    hit = table.gm.declare("score-hit", attacker=HARRY, target=RISSH, net=1, damage=4, lethality=5, location="torso")[
        "facts"
    ][0]["fact"]["hit"]
    waits = table.gm.does("/rulings", {"declare": {"kind": "roll-damage", "hit": hit}, "dice": "ledger"})
    assert waits
    asked = {"kind": "resist-damage", "hit": hit, "ask_cards": True}
    waiting = str(table.gm.does("/rulings", {"declare": asked, "dice": "table"}, 202)["id"])
    table.gm.does(f"/waiting/{waiting}/answers", {"answer": rolled(2, 3, 4, sides=10)}, 202)
    return table, waiting


@pytest.mark.parametrize("hand", [("8C", "KS"), ("8C",), ()])
def test_who_is_asked_for_cards_is_no_secret_and_what_they_are_is(service: Service, hand: tuple[str, ...]) -> None:
    table, waiting = resists(service, hand)
    for player in (table.gm, table.ben, table.dora):
        one = player.look(f"/waiting/{waiting}")
        assert one["question"]["asked"]["name"] == "Cleo"
        assert one["answer_schema"] is None
        assert one["text"] != "Somebody declares a hidden action."
        assert not re.search("8C|KS", str(one))
    assert table.cleo.look(f"/waiting/{waiting}")["answer_schema"] is not None
    listed = [one["id"] for one in table.ben.look("/waiting")["waiting"]]
    assert listed == [waiting]
    page = at_the_page(table.gm).page("/")
    assert "Cleo has to answer: " in page and "If Cleo is away, you can give the seat to somebody else: " in page
    asked = at_the_page(table.cleo).page(f"/waiting/{waiting}")
    assert "Players without cards are asked, too" in asked
    assert ("The 8 of clubs" in asked) is ("8C" in hand) and "8C, " not in asked
    assert not hand or ("Die 3" in asked and "0 is the first" not in asked)
    legends = re.findall("<legend>(Element.*?)</legend>", asked)
    assert set(legends) <= {"Element of the dice", "Element of the card"}
    laid = table.cleo.does(f"/waiting/{waiting}/answers", {"answer": {"choice": {"kind": "lay", "cards": []}}})
    assert laid["number"]
