"""What players of Moment of Clarity met on their phones: own dice, dodges, resisting, beads, people who left."""

from __future__ import annotations

import re
from html import unescape

import pytest

from tests.api.page.blows import plain
from tests.api.page.campaigns import begun
from tests.api.page.sitting import Form, at_the_page, part
from tests.api.page.small_forms import labels, sends, tiles, words
from tests.api.table import Json, Service, Table

JUNO, ANSELM = "1", "2"  # Ben's, and Cleo's
SHOT = [8, 7, 9, 3, 2, 4]  # three successes


@pytest.fixture
def table(service: Service) -> Table:
    """One tap rolls, and the steps that follow are the ledger's."""
    table = begun(service, "moc")
    table.gm.declare("set-dial", name="forced_steps", value="by_ledger", reason="As on the page.")
    table.gm.declare("set-dial", name="turn_actions", value="table", reason="We count them ourselves.")
    return table


def board(table: Table) -> Json:
    state: Json = table.gm.look("/state")["scenes"][-1]["state"]
    return state


def adds_ilse(table: Table) -> str:
    """A third person joins them, in a new scene. Return her id."""
    sheet = table.service.client.get("/systems/moc").json()["people"]["Ilse Varga"]
    ilse = table.gm.does("/characters", {"name": "Ilse Varga", "seat": table.gm.id, "sheet": sheet})["character"]
    table.gm.declare("close-scene", scene=table.gm.look("/state")["scenes"][-1]["id"])
    table.gm.does("/scenes", {"title": "The roof", "cast": [JUNO, ANSELM, ilse]})
    return str(ilse)


def test_own_dice_are_asked_for_where_the_form_asks_whom_to_attack(table: Table) -> None:
    adds_ilse(table)
    ben = at_the_page(table.ben)
    answer = sends(ben, "Attack with Blast Pistol: 6 dice", "Ilse Varga", own_dice=True)
    assert answer.status_code == 303 and not board(table)["actions"][-1]["parts"][0]["rolled"]
    (waiting,) = table.gm.look("/waiting")["waiting"]
    assert waiting["declared"]["kind"] == "roll-dice"


def test_own_dice_are_asked_for_where_the_form_asks_for_a_skill(table: Table) -> None:
    ben = at_the_page(table.ben)
    answer = sends(ben, "Roll it", "Search: 2 dice (untrained)", "Difficult: 9", own_dice=True)
    assert answer.status_code == 303 and not board(table)["actions"][-1]["parts"][0]["rolled"]
    assert [waiting["declared"]["kind"] for waiting in table.gm.look("/waiting")["waiting"]] == ["roll-dice"]


def shoots(table: Table, faces: list[int] = SHOT) -> str:
    """Juno attacks, and the dice fall so. Return the action."""
    table.ben.declare("declare-action", character=JUNO, skill="Firearms", roll_kind="to_hit", defender=ANSELM)
    action = str(board(table)["actions"][-1]["id"])
    table.ben.declare("roll-dice", action=action, faces=faces)
    return action


def wounds(table: Table) -> str:
    """Juno hits Anselm, and the damage is rolled. Return the hit."""
    table.gm.declare("score-hit", attacker=JUNO, target=ANSELM, weapon="Club", net=2, location="torso")
    hit = str(board(table)["hits"][-1]["id"])
    table.ben.declare("roll-damage", hit=hit, faces=[6, 6, 6], raise_faces=[1])
    return hit


@pytest.mark.parametrize("token", [None, "body"])
def test_nobody_is_offered_to_resist_while_the_dice_are_entered(table: Table, token: str | None) -> None:
    hit = wounds(table)
    ann, cleo = at_the_page(table.gm), at_the_page(table.cleo)
    assert "Resist with 2 dice" in labels(ann) and "Resist with 2 dice" in labels(cleo)
    resist = {"kind": "resist-damage", "hit": hit, "token": token}
    table.cleo.does("/rulings", {"declare": resist, "dice": "table"}, 202)
    for sitter in (ann, cleo):
        assert not [label for label in labels(sitter) if "Resist" in label or "Body token" in label]


def test_a_roll_that_waits_for_its_dice_is_not_another_seats_button(table: Table) -> None:
    table.ben.declare("declare-action", character=JUNO, skill="Pilot")
    ann = at_the_page(table.gm)
    assert "Roll 4 dice" in labels(ann)
    action = board(table)["actions"][-1]["id"]
    table.ben.does("/rulings", {"declare": {"kind": "roll-dice", "action": action}, "dice": "table"}, 202)
    assert "Roll 4 dice" not in labels(ann)


def test_no_main_button_cancels_successes_while_a_dodge_is_rolled(table: Table) -> None:
    """It would cancel none of them, and waive the dodge."""
    table.ben.declare("declare-successes", action=shoots(table), target=ANSELM, number=3)
    ann = at_the_page(table.gm)
    assert "Do not dodge" in labels(ann)
    dodge = {"kind": "declare-action", "character": ANSELM, "skill": "Dodge", "roll_kind": "dodge", "at_once": True}
    table.cleo.does("/rulings", {"declare": dodge, "dice": "table"})
    assert [waiting["declared"]["kind"] for waiting in table.gm.look("/waiting")["waiting"]] == ["roll-dice"]
    page = ann.page("/")
    assert "More actions" in page and "Cancel successes" not in page.partition("More actions")[0]


def plays(table: Table, use: str) -> None:
    action = board(table)["actions"][-1]["id"]
    table.ben.declare("play-beads", action=action, character=JUNO, use=use, element="action", number=1)


def test_a_bead_on_the_target_number_is_in_every_line(table: Table) -> None:
    ben = at_the_page(table.ben)
    table.ben.declare("declare-action", character=JUNO, skill="Pilot")
    plays(table, "reduce_difficulty")
    assert "against 6" in words(ben) and "against 7" not in words(ben)
    table.ben.declare("roll-dice", action=board(table)["actions"][-1]["id"], faces=[8, 3, 4, 2])
    assert "against 6" in words(ben) and "3 successes" in words(ben)
    assert "against 7" not in plain(part(ben, "scene"))


def test_beads_for_more_dice_and_successes_keep_the_count_of_successes(table: Table) -> None:
    ben = at_the_page(table.ben)
    table.ben.declare("declare-action", character=JUNO, skill="Pilot")
    plays(table, "add_dice")
    table.ben.declare("roll-dice", action=board(table)["actions"][-1]["id"], faces=[8, 3, 4, 2, 1, 6])
    assert "2 successes" in words(ben)
    plays(table, "add_successes")
    assert "3 successes" in words(ben) and "beads add 1" in words(ben)
    assert sends(ben, "See the result").status_code == 303
    assert table.gm.look("/rulings", order="desc", limit=1)["rulings"][0]["rolls"][0]["effect"] == "3 successes"


def test_an_attack_declares_what_beads_add(table: Table) -> None:
    ben = at_the_page(table.ben)
    table.ben.declare("declare-action", character=JUNO, skill="Firearms", roll_kind="to_hit", defender=ANSELM)
    plays(table, "reduce_difficulty")
    assert "Each die of 6 or more is a success." in words(ben)
    action = board(table)["actions"][-1]["id"]
    table.ben.declare("roll-dice", action=action, faces=[8, 6, 9, 3, 2, 4])
    assert labels(ben)[0] == "All 3 successes on Anselm Quade"
    plays(table, "add_successes")
    assert "1 of them from beads." in words(ben) and labels(ben)[0] == "All 4 successes on Anselm Quade"
    assert sends(ben, "All 4 successes on Anselm Quade").status_code == 303
    (claim,) = board(table)["actions"][-1]["parts"][0]["claims"]
    assert (claim["number"], claim["beads"]) == (4, 1)


def test_a_beads_marginal_success_is_said_to_be_exactly_that(table: Table) -> None:
    """By the rules nothing raises it, also dice that score more."""
    ben = at_the_page(table.ben)
    table.ben.declare("declare-action", character=JUNO, skill="Firearms", roll_kind="to_hit", defender=ANSELM)
    assert "1 bead: exactly a Marginal Success, whatever you roll" in labels(ben)
    assert sends(ben, "1 bead: exactly a Marginal Success, whatever you roll").status_code == 303
    assert "A bead makes it a Marginal Success, whatever the dice show." in words(ben)
    assert labels(ben)[0] == "All 2 successes on Anselm Quade"
    action = board(table)["actions"][-1]["id"]
    table.ben.declare("roll-dice", action=action, faces=[8, 7, 9, 9, 7, 4])
    assert labels(ben)[0] == "All 2 successes on Anselm Quade"
    assert sends(ben, "All 2 successes on Anselm Quade").status_code == 303


@pytest.mark.parametrize(
    ("faces", "asked", "buttons"),
    [
        ([10, 2], "Choose whether the 10 of 10 and 2 removes a point", ["Remove a point", "Roll another die"]),
        (
            [10, 10],
            "Choose which 10s of 10 and 10 remove a point",
            ["Remove 2 points", "Remove 1 point, roll 1 die", "Roll 2 dice"],
        ),
    ],
)
def test_a_ten_is_chosen_with_plain_buttons(table: Table, faces: list[int], asked: str, buttons: list[str]) -> None:
    hit = wounds(table)
    table.cleo.does("/rulings", {"declare": {"kind": "resist-damage", "hit": hit}, "dice": "table"}, 202)
    waiting = table.cleo.look("/waiting")["waiting"][0]["id"]
    table.cleo.does(f"/waiting/{waiting}/answers", {"answer": {"dice": {"sides": 10, "faces": faces}}}, 202)
    cleo = at_the_page(table.cleo)
    html = part(cleo, "asked").partition("Other ways to answer")[0]
    assert asked in plain(html) and re.findall(r'<button class="answer"[^>]*>([^<]+)<', html) == buttons
    raw_forms = re.findall(r"<form .*?</form>", cleo.page("/"), re.DOTALL)
    form = next(each for each in raw_forms if f">{buttons[0]}<" in each)
    (answer,) = re.findall(r'name="answer" value="([^"]+)"', form)
    sent = Form(form, unescape(re.findall(r'action="([^"]+)"', form)[0]))
    assert cleo.send(sent, {"answer": unescape(answer)}).status_code == 303
    assert board(table)["hits"][-1]["stage"] == "applied"


def test_nobody_waits_for_the_dodge_of_somebody_who_is_gone(table: Table) -> None:
    table.ben.declare("declare-successes", action=shoots(table), target=ANSELM, number=3)
    ben = at_the_page(table.ben)
    assert "Blast Pistol" not in labels(ben)
    table.gm.does("/rulings", {"declare": {"kind": "set-status", "character": ANSELM, "status": "dead"}})
    assert "Blast Pistol" in labels(ben)


def test_a_contest_is_begun_and_answered_with_any_skill(table: Table) -> None:
    """Also one that is no attack: both sides choose their skill."""
    ben, cleo = at_the_page(table.ben), at_the_page(table.cleo)
    (skill,) = [label for label in tiles(ben, "Roll it against somebody") if label.startswith("Pilot:")]
    assert sends(ben, "Roll it against somebody", skill, "Standard: 7", own_dice=True).status_code == 303
    waiting = table.ben.look("/waiting")["waiting"][0]["id"]
    faces = {"answer": {"dice": {"sides": 10, "faces": [8, 9, 2, 3]}}}
    table.ben.does(f"/waiting/{waiting}/answers", faces)
    assert sends(ben, "All 2 successes on Anselm Quade").status_code == 303
    assert "Dodge" not in " ".join(labels(cleo)) and labels(cleo)[:2] == ["Resist with it", "Do not resist"]
    (skill,) = [label for label in tiles(cleo, "Resist with it") if label.startswith("Stealth:")]
    assert sends(cleo, "Resist with it", skill, own_dice=True).status_code == 303
    waiting = table.cleo.look("/waiting")["waiting"][0]
    count = waiting["question"]["count"]
    faces = {"answer": {"dice": {"sides": 10, "faces": [8] + [2] * (count - 1)}}}
    table.cleo.does(f"/waiting/{waiting['id']}/answers", faces)
    assert labels(cleo)[:2] == ["Cancel 1", "Cancel nothing"]
    assert sends(cleo, "Cancel 1").status_code == 303
    (claim,) = board(table)["actions"][0]["parts"][0]["claims"]
    assert (claim["number"], claim["taken"]) == (2, 1)


def test_ending_a_scene_says_whose_beads_are_lost(table: Table) -> None:
    said = words(at_the_page(table.gm))
    lost = said.partition("Beads that are left are lost when the scene ends: ")[2].partition(".")[0]
    numbers = {id: sum(balances(table, id)) for id in (JUNO, ANSELM)}
    assert lost == f"Juno Castellan {numbers[JUNO]}, Anselm Quade {numbers[ANSELM]}"


def balances(table: Table, id: str) -> list[int]:
    """Return how many beads of each Element the character has."""
    own = next(each for each in table.gm.look("/state")["characters"] if each["id"] == id)["balances"]
    return [each["balance"] for each in own if each["account"].startswith(f"character:{id}/bead:")]
