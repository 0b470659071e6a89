"""What the page asks of whom in Moment of Clarity: a skill first, and a blow step by step."""

from __future__ import annotations

import re
from html import unescape
from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.api.page.blows import plain
from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP, PHONE
from tests.api.page.sitting import Form, at_the_page, part
from tests.api.page.small_forms import labels, opens_folds, sends, tiles, turn, words
from tests.api.table import Json, Service, Table
from tests.levels import sampled

JUNO, ANSELM = "1", "2"  # Ben's, and Cleo's
SHOT = [8, 7, 9, 3, 2, 4]  # three successes


@pytest.fixture
def table(service: Service) -> Table:
    return begun(service, "moc")


def board(table: Table) -> Json:
    state: Json = table.gm.look("/state")["scenes"][-1]["state"]
    return state


def shoots(table: Table, faces: list[int] = SHOT) -> str:
    """Juno attacks, and the dice fall so. Return the action."""
    table.ben.declare("declare-action", character=JUNO, skill="Firearms", roll_kind="to_hit")
    action = str(board(table)["actions"][-1]["id"])
    table.ben.declare("roll-dice", action=action, faces=faces)
    return action


def test_a_skill_comes_first_and_untrained_ones_are_marked(table: Table) -> None:
    ben = at_the_page(table.ben)
    attacks = [f"Attack Anselm Quade with {weapon}: 6 dice" for weapon in ("Blast Pistol", "Blast Rifle")]
    assert labels(ben)[:5] == ["Pilot: 4 dice", "Running: 7 dice", *attacks, "Declare it"]
    assert "Cryptography: 1 die (untrained, target +2)" in tiles(ben, "Declare it")
    assert sends(ben, "Pilot: 4 dice").status_code == 303
    assert "against 7." in words(ben) and labels(ben)[0] == "Roll 4 dice"
    assert sends(ben, "Roll 4 dice").status_code == 303
    assert labels(ben)[0] == "See the result" and sends(ben, "See the result").status_code == 303
    assert board(table)["actions"][-1]["parts"][0]["outcome"] is not None


def test_a_long_button_of_a_prompt_fits_on_a_phone(table: Table, sits: Sits) -> None:
    ben = sits(table.ben.token)
    expect(ben.page.get_by_role("button", name="Attack Anselm Quade with Blast Rifle: 6 dice").first).to_be_visible()
    ben.fits()


def test_one_tap_rolls_where_steps_follow(table: Table) -> None:
    """Who wants to use something before the roll says so."""
    table.gm.declare("set-dial", name="forced_steps", value="by_ledger", reason="As on the page.")
    table.gm.declare("set-dial", name="turn_actions", value="table", reason="We count them ourselves.")
    ben = at_the_page(table.ben)
    assert sends(ben, "Pilot: 4 dice").status_code == 303
    assert labels(ben)[0] == "See the result" and board(table)["actions"][-1]["parts"][0]["fallen"] == 4
    assert sends(ben, "See the result").status_code == 303
    label = "Cryptography: 1 die (untrained, target +2)"
    assert sends(ben, "Roll it", label, "Difficult: 9").status_code == 303
    assert labels(ben)[0] == "See the result" and sends(ben, "See the result").status_code == 303
    assert sends(ben, "Declare it", label, "Difficult: 9").status_code == 303
    assert labels(ben)[0] == "Roll 1 die"


def test_an_untrained_try_has_the_dice_and_the_target_number_it_named(table: Table) -> None:
    ben = at_the_page(table.ben)
    label = "Cryptography: 1 die (untrained, target +2)"
    assert sends(ben, "Declare it", label, "Difficult: 9").status_code == 303
    assert "against 11, untrained." in words(ben) and labels(ben)[0] == "Roll 1 die"
    assert sends(ben, "Roll 1 die").status_code == 303
    assert board(table)["actions"][-1]["parts"][0]["fallen"] == 1


@pytest.mark.nightly
def test_every_skill_is_rolled_with_the_dice_it_named(table: Table) -> None:
    """Also the swift, who have two more for Running."""
    table.gm.declare("set-dial", name="turn_actions", value="table", reason="We count them ourselves.")
    ben = at_the_page(table.ben)
    for label in [tile for tile in tiles(ben, "Declare it") if re.search(r": \d+ di", tile)]:
        assert sends(ben, "Declare it", label, "Standard: 7").status_code == 303
        dice = re.findall(r": (\d+ d\w+)", label)[0]
        assert labels(ben)[0] == f"Roll {dice}" and sends(ben, f"Roll {dice}").status_code == 303
        assert board(table)["actions"][-1]["parts"][0]["fallen"] == int(dice.split()[0]), label
        assert sends(ben, "See the result").status_code == 303


def test_a_token_says_what_it_adds(table: Table) -> None:
    ben = at_the_page(table.ben)
    assert sends(ben, "Attack Anselm Quade with Blast Pistol: 6 dice").status_code == 303
    assert sends(ben, "1 Body token: Coordination, +3 dice").status_code == 303
    assert labels(ben)[0] == "Roll 9 dice" and sends(ben, "1 bead: +2 dice").status_code == 303
    assert sends(ben, "Roll 11 dice").status_code == 303
    assert board(table)["actions"][-1]["parts"][0]["fallen"] == 11


def test_the_tables_of_the_campaign_are_those_of_its_prompts(table: Table) -> None:
    rows: tuple[tuple[str, str, Json], ...] = (
        ("skills", "Running", {"element": "action", "primary": "mind", "others": ["R"], "difficulty": 0}),
        ("skills", "Sailing", {"element": "plot", "primary": "body", "others": ["C", "T"], "difficulty": 2}),
        ("weapons", "Harpoon", {"lethal": True, "damage": 4, "lethality": 5}),
        ("locations", "tail", {"low": 10, "high": 10, "severity": -2}),
    )
    for name, row, values in rows:
        table.gm.declare("set-table-row", table=name, row=row, values=values)
    ben, cleo = at_the_page(table.ben), at_the_page(table.cleo)
    assert "Running: 6 dice" in labels(ben), "with Mind, and two for the swift"
    assert sends(ben, "Declare it", "Sailing: 1 die (untrained, target +2)", "Standard: 7").status_code == 303
    assert labels(ben)[:2] == ["Roll 1 die", "1 Body token: Coordination, +3 dice"]
    assert "1 Body token: Toughness, +1 die" in labels(ben) and sends(ben, "Roll 1 die").status_code == 303
    assert sends(ben, "See the result").status_code == 303
    table.gm.declare("end-turn")
    shoots(table, [8, 7, 9, 8, 2, 4])
    assert sends(ben, "All 4 successes on Anselm Quade").status_code == 303
    assert sends(cleo, "Do not dodge").status_code == 303
    assert tiles(ben, "Blast Rifle") == ["Head", "Vitals", "Torso", "Arm", "Leg", "Tail"]
    assert sends(ben, "Harpoon").status_code == 303


def test_a_roll_without_a_skill_has_its_buttons(table: Table) -> None:
    table.ben.declare("declare-action", character=JUNO, primary="mind", text="Remembers the code.")
    assert labels(at_the_page(table.ben))[0] == "Roll 2 dice"


def test_who_defends_with_half_the_dice_is_told_so(table: Table) -> None:
    table.cleo.declare("declare-action", character=ANSELM, skill="Search")
    action = board(table)["actions"][-1]["id"]
    table.gm.declare("tell-consequence", action=action, text="Off balance.", half_defence=True)
    ben, cleo = at_the_page(table.ben), at_the_page(table.cleo)
    for button in ("Roll 5 dice", "See the result"):
        assert sends(cleo, button).status_code == 303
    shoots(table)
    assert sends(ben, "All 3 successes on Anselm Quade").status_code == 303
    assert labels(cleo)[0] == "Dodge: 1 die" and sends(cleo, "Dodge: 1 die").status_code == 303
    assert sends(cleo, "Roll 1 die").status_code == 303


def test_what_was_bought_for_resisting_is_counted(table: Table) -> None:
    points: Json = {"source": "bank/point", "target": f"character:{ANSELM}/point", "unit": "point"}
    table.gm.declare("adjust", **points, amount=1200, reason="A reward.")
    table.gm.declare("buy", character=ANSELM, purchase={"what": "dice", "name": "resisting", "level": 1})
    ben, cleo = at_the_page(table.ben), at_the_page(table.cleo)
    shoots(table)
    assert sends(ben, "All 3 successes on Anselm Quade").status_code == 303
    assert sends(cleo, "Do not dodge").status_code == 303
    for button in ("Blast Pistol", "Roll the hit location", "Roll 8 damage dice"):
        assert sends(ben, button).status_code == 303
    assert labels(cleo)[0] == "Resist with 3 dice" and sends(cleo, "Resist with 3 dice").status_code == 303


def test_initiative_and_the_end_of_a_turn_take_one_tap(table: Table) -> None:
    ann = at_the_page(table.gm)
    assert labels(ann)[0] == "Roll initiative" and sends(ann, "Roll initiative").status_code == 303
    assert sorted(id for group in board(table)["order"] for id in group) == [JUNO, ANSELM]
    assert "acts next" in plain(part(ann, "scene"))
    assert labels(ann)[0] == "End turn 1" and sends(ann, "End turn 1").status_code == 303


def test_a_blow_is_one_tap_a_step_and_everybody_has_only_their_own(table: Table) -> None:
    ben, cleo = at_the_page(table.ben), at_the_page(table.cleo)
    shoots(table)
    assert "Only you and the game master see the dice." in words(ben) and "Juno Castellan rolled" not in words(cleo)
    assert "Anselm Quade tries something" in words(cleo), "folded while somebody acts"
    assert sends(ben, "All 3 successes on Anselm Quade").status_code == 303
    assert not labels(ben) and labels(cleo)[:2] == ["Dodge: 2 dice", "Do not dodge"]
    assert sends(cleo, "Dodge: 2 dice").status_code == 303
    table.cleo.declare("roll-dice", action=board(table)["actions"][-1]["id"], faces=[8, 2])
    assert labels(cleo)[:2] == ["Cancel 1", "Cancel nothing"] and sends(cleo, "Cancel 1").status_code == 303
    assert "Juno Castellan hits Anselm Quade with 2 successes." in words(ben)
    assert sends(ben, "Blast Pistol").status_code == 303
    assert sends(ben, "Roll the hit location").status_code == 303
    (hit,) = board(table)["hits"]
    assert "cannot be resisted" in words(ben) and sends(ben, "Roll 7 damage dice").status_code == 303
    assert labels(cleo)[0] == "Resist with 2 dice" and board(table)["hits"][0]["stage"] == "rolled"
    assert labels(cleo)[1] == "With a Body token: +1 die" and turn(cleo).count("I roll my own dice") == 2
    table.cleo.declare("resist-damage", hit=hit["id"], faces=[8, 2])
    assert "in any order" in words(ben)
    assert labels(ben) == ["Show Juno Castellan’s attack"] and labels(cleo)[0] == "Show Anselm Quade’s dodge"
    assert sends(ben, "Show Juno Castellan’s attack").status_code == 303
    assert sends(cleo, "Show Anselm Quade’s dodge").status_code == 303
    assert "attacks with Firearms, with" not in words(cleo), "the attack is over"
    assert "What does Anselm Quade try?" in words(cleo) and "End turn 1" in labels(at_the_page(table.gm))


def test_who_does_not_dodge_is_hit_and_an_outstanding_attack_chooses_where(table: Table) -> None:
    ben, cleo = at_the_page(table.ben), at_the_page(table.cleo)
    shoots(table, [8, 7, 9, 8, 2, 4])
    assert sends(ben, "All 4 successes on Anselm Quade").status_code == 303
    assert sends(cleo, "Do not dodge").status_code == 303
    assert sends(ben, "Blast Rifle", "Vitals").status_code == 303
    assert board(table)["hits"][0]["location"] == "vitals"
    assert "in the vitals. Each die of 3 or more is a point of damage." in words(ben).replace(" .", ".")


def test_a_dodge_that_fails_says_so(table: Table) -> None:
    ben, cleo = at_the_page(table.ben), at_the_page(table.cleo)
    shoots(table)
    assert sends(ben, "All 3 successes on Anselm Quade").status_code == 303
    assert sends(cleo, "Dodge: 2 dice").status_code == 303
    table.cleo.declare("roll-dice", action=board(table)["actions"][-1]["id"], faces=[5, 2])
    assert labels(cleo)[0] == "The dodge fails: all 3 successes hit"
    assert "Shift failure" not in ben.page("/").partition("More actions")[0], "it is for seldom use"
    assert sends(cleo, "The dodge fails: all 3 successes hit").status_code == 303
    assert "Juno Castellan hits Anselm Quade with 3 successes." in words(ben)


@pytest.mark.parametrize(
    ("faces", "bonus", "said", "green"),
    [
        ([9, 3, 4, 2], [], "3 successes : the highest number is 9.", 1),
        ([8, 7, 7, 7], [], "3 successes : 7 three times counts as 9; 9 against 7 makes 3.", 3),
        ([8, 7, 6, 8], [], "3 successes : 8 twice counts as 9; 9 against 7 makes 3.", 2),
        ([9, 8, 8, 2], [], "3 successes : the highest number is 9.", 1),
        ([3, 3, 4, 2], [], "0 successes : 3 twice counts as 4.", 0),
        ([10, 3, 4, 2], [5], "4 dice + 1 bonus. 4 successes : the highest number is 10.", 1),
        ([6, 3, 4, 2], [], "0 successes : the highest number is 6.", 0),
    ],
)
def test_a_try_shows_its_successes_before_the_result(
    table: Table, faces: list[int], bonus: list[int], said: str, green: int
) -> None:
    ben = at_the_page(table.ben)
    assert sends(ben, "Pilot: 4 dice").status_code == 303
    table.ben.declare("roll-dice", action=board(table)["actions"][-1]["id"], faces=faces, bonus=bonus)
    shown = re.sub(r"<svg.*?</svg>", "", turn(ben), flags=re.DOTALL)
    assert said in plain(shown) and turn(ben).count('class="d counts"') == green


def test_an_attack_names_whom_it_is_against(table: Table) -> None:
    ben = at_the_page(table.ben)
    assert sends(ben, "Attack Anselm Quade with Blast Pistol: 6 dice").status_code == 303
    assert board(table)["actions"][-1]["defender"] == ANSELM
    assert "Juno Castellan attacks Anselm Quade with Firearms" in words(ben)
    assert table.gm.look("/rulings")["rulings"][-1]["text"].startswith("Juno Castellan attacks Anselm Quade with")


def test_with_several_opponents_the_page_asks_whom(table: Table) -> None:
    """And after the roll, the successes are first for the one who was named."""
    sheet = table.service.client.get("/systems/moc").json()["people"]["Ilse Varga"]
    ilse = table.gm.does("/characters", {"name": "Ilse Varga", "seat": table.gm.id, "sheet": sheet})["character"]
    table.gm.declare("close-scene", scene=table.gm.look("/state")["scenes"][-1]["id"])
    table.gm.does("/scenes", {"title": "The roof", "cast": [JUNO, ANSELM, ilse]})
    ben = at_the_page(table.ben)
    assert tiles(ben, "Attack with Blast Pistol: 6 dice") == ["Anselm Quade", "Ilse Varga"]
    assert sends(ben, "Attack with Blast Pistol: 6 dice").status_code == 400, "nobody is chosen"
    assert sends(ben, "Attack with Blast Pistol: 6 dice", "Ilse Varga").status_code == 303
    action = board(table)["actions"][-1]
    assert (action["defender"], action["weapon"]) == (ilse, "Blast Pistol")
    table.ben.declare("roll-dice", action=action["id"], faces=SHOT)
    successes = [label for label in labels(ben) if " on " in label]
    assert successes == ["All 3 successes on Ilse Varga", "All 3 successes on Anselm Quade"]
    assert "All 3 successes on Anselm Quade" in words(ben).partition("several targets")[2]


def test_a_miss_is_said_to_be_one(table: Table) -> None:
    ben = at_the_page(table.ben)
    shoots(table, [2, 3, 4, 5, 6, 3])
    assert labels(ben)[0] == "It misses: show the dice"
    assert sends(ben, "It misses: show the dice").status_code == 303
    assert not board(table)["hits"] and "hits" not in words(ben)


def test_everybody_is_asked_for_beads_at_once_with_what_leaving_does(table: Table) -> None:
    table.gm.declare("close-scene", scene=table.gm.look("/state")["scenes"][-1]["id"])
    table.gm.does("/rulings", {"declare": {"kind": "announce-scene"}, "answers": []}, 202)
    ben, cleo = at_the_page(table.ben), at_the_page(table.cleo)
    asked = plain(part(ben, "asked"))
    assert "Everybody is asked at the same time." in asked and "Juno Castellan’s 7 beads go to ♣ Action." in asked
    assert "The same happens if you do not answer before the scene begins." in asked
    for sitter, label in ((ben, "Leave all in Action"), (cleo, "Leave all in Storytelling")):
        html = next(each for each in re.findall(r"<form .*?</form>", sitter.page("/"), re.DOTALL) if label in each)
        form = Form(html, unescape(re.findall(r'action="([^"]+)"', html)[0]))
        (answer,) = re.findall(r'name="answer" value="([^"]+)"', html)
        assert sitter.send(form, {"answer": unescape(answer)}).status_code == 303
    assert table.gm.look("/characters/1")["state"]["pools"] == {"action": 10}


def test_a_hand_is_shown_as_cards_and_to_nobody_else(table: Table) -> None:
    table.ben.declare("draw-hand", character=JUNO)
    hand = table.ben.look("/characters/1")["state"]["hand"]
    own = part(at_the_page(table.ben), "own")
    assert len(hand) == 2 and own[own.index("Hand of cards") :].count("for beads …") == 2
    for player in (table.cleo, table.gm):
        page = unescape(at_the_page(player).page("/"))
        assert "The hand is hidden." in page and "Hand of cards" not in page


def test_a_sheet_names_purchases_and_prices_disadvantages_as_the_maker_does(table: Table) -> None:
    """Tomas Brandt owes the wrong people, for 3 points."""
    sheet = table.service.client.get("/systems/moc").json()["people"]["Tomas Brandt"]
    id = table.gm.does("/characters", {"name": "Tomas", "seat": table.ben.id, "sheet": sheet})["character"]
    ben = at_the_page(table.ben)
    made = plain(ben.page(f"/sheet/character/{id}")).partition("All values")[0]
    assert "Extra beads per scene 2, Extra beads per session 2." in made
    assert "Disadvantage: owes the wrong people, gives 3 points" in made
    cards = plain(ben.page("/start/characters"))
    assert "Extra beads per scene" in cards and "Extra bead scene" not in cards


def test_buying_shows_prices(table: Table) -> None:
    own = plain(part(at_the_page(table.ben), "own"))
    assert "Buy 2 points left" in own and "Firearms 4: 4" in own and "Body 4: 20" in own


@pytest.mark.parametrize(("size", "scheme"), sampled([(PHONE, "light"), (LAPTOP, "dark")], 1, salt="moc", several=True))
def test_sheet_prompt_and_board_fit_and_are_accessible(
    table: Table, sits: Sits, size: tuple[int, int], scheme: Literal["light", "dark"]
) -> None:
    shoots(table)
    device = sits(table.ben.token, size=size, scheme=scheme)
    opens_folds(device)
    device.accessible()
    device.fits()
    device.picture(f"moc-{scheme}")


def test_a_skill_is_tried_without_scripts(table: Table, sits: Sits) -> None:
    phone = sits(table.ben.token, script=False)
    for name in ("Running: 7 dice", "Roll 7 dice", "See the result"):
        with phone.page.expect_navigation():
            phone.page.get_by_role("button", name=name).click()
        phone.look("/")
    assert board(table)["actions"][-1]["stage"] == "closed"


def test_the_past_is_laid_out_and_nothing_is_declared_in_it(table: Table) -> None:
    shoots(table)
    last = table.gm.look("/rulings", limit=500)["rulings"][-1]["number"]
    page = at_the_page(table.gm).page(f"/back?at={last}").partition('id="then"')[2]
    assert 'class="board"' in page and 'class="skills"' in page and "<form" not in page
