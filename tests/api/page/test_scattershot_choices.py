"""What the prompts, questions and sheets of Scattershot say, and what their buttons do."""

from __future__ import annotations

import re

import pytest

from tests.api.page.blows import plain
from tests.api.page.sitting import at_the_page, part, press, pressed
from tests.api.page.thrusts import GORRIN, MIRABEL, starts_as_on_the_page
from tests.api.table import Json, Service, Table


@pytest.fixture
def table(service: Service) -> Table:
    return starts_as_on_the_page(service)


def buttons(html: str) -> list[str]:
    return re.findall(r'<button class="answer"[^>]*>([^<]+)</button>', html)


def resolution(table: Table) -> Json:
    (found,) = table.gm.look("/state")["scenes"][0]["state"]["resolutions"].values()
    return dict(found)


def strikes(table: Table, mirabel: tuple[int, int], gorrin: tuple[int, int]) -> str:
    """Mirabel Thorne attacks Old Gorrin, who defends. Their dice fall so. Return what is asked at last."""
    attack: Json = {
        "character": MIRABEL,
        "engages": [GORRIN],
        "rating": "Fencing",
        "nature": "attack",
        "text": "Attacks.",
    }
    table.ben.declare("declare-action", **attack)
    (id,) = table.gm.look("/state")["scenes"][0]["state"]["resolutions"]
    oppose = {"text": "Defends.", "rating": "Brawling"}
    answer = {"kind": "answer-engagement", "resolution": id, "character": GORRIN, "oppose": oppose}
    *_, roll = table.cleo.does("/rulings", {"declare": answer, "dice": "table"})["followed"]
    dice = {"dice": {"sides": 10, "faces": list(gorrin), "source": "table"}}
    rolled = table.cleo.does(f"/waiting/{roll['waiting']}/answers", {"answer": dice}, 201)
    if "followed" not in rolled:  # Ben chooses his own dice
        rolled = table.ben.declare("roll-mib", resolution=id, faces=list(mirabel))
    return str(rolled["followed"][-1]["waiting"])


def goes_on(table: Table, waiting: str) -> None:
    for player, status in ((table.ben, 202), (table.cleo, 201)):
        player.does(f"/waiting/{waiting}/answers", {"answer": {"choice": {"kind": "go-on"}}}, status)


def test_a_sheet_says_what_is_a_skill_and_what_a_statistic(table: Table) -> None:
    """Beside the buttons of one's own, and above the values of others."""
    own = part(at_the_page(table.ben), "own")
    assert own.count("I roll my own dice") == 1, "for all kinds at once"
    heads = re.findall(r'<b class="head">([^<]+)</b><button[^>]*>([^<]+)</button>', own)
    assert [head for head, _ in heads] == ["Skills", "Statistics"]
    assert dict(heads)["Statistics"].startswith("Strength ")
    others = plain(at_the_page(table.cleo).page(f"/sheet/character/{MIRABEL}")).partition("All values")[0]
    assert re.search(r"Skills .*Fencing .*Statistics .*Strength ", others)


def test_somebody_who_joins_is_not_met_with_a_table_of_numbers(table: Table) -> None:
    """ "Bare-handed damage for an RMIB of 0 and up: 0, 1, 2" was the first sentence about a character."""
    latest = plain(part(at_the_page(table.ben), "latest"))
    assert "Old Gorrin is ready to play" in latest
    assert "for an RMIB of" not in latest
    assert "Bare hands: damage 0, 1, 2" in plain(part(at_the_page(table.ben), "own"))


def test_everybody_else_of_the_scene_can_be_attacked_with_one_tap(table: Table) -> None:
    ben = at_the_page(table.ben)
    assert "Attack Old Gorrin with Fencing" in buttons(part(ben, "turn"))
    assert pressed(ben, "Attack Old Gorrin with Fencing") == 303
    found = resolution(table)
    assert (found["actor"], found["engaged"]) == (MIRABEL, {GORRIN: "asked"})
    assert found["sides"]["actor"]["rating"] == 14
    assert not buttons(part(ben, "turn")), "the others have to answer"


def test_who_is_engaged_opposes_with_the_best_rating_or_stays_passive(table: Table) -> None:
    pressed(at_the_page(table.ben), "Attack Old Gorrin with Fencing")
    cleo = at_the_page(table.cleo)
    assert buttons(part(cleo, "turn")) == [
        "Defend with Brawling (14)",
        "Defend with Agility (9)",
        "Stay passive",
        "Other options …",
    ]
    assert pressed(cleo, "Stay passive") == 303
    assert resolution(table)["engaged"] == {GORRIN: "passive"}
    assert resolution(table)["sides"]["actor"]["dice"]


def test_before_the_outcome_everybody_sees_what_was_rolled_and_by_how_much(table: Table) -> None:
    strikes(table, (4, 5), (9, 3))
    asked = part(at_the_page(table.cleo), "asked")
    assert buttons(asked)[0] == "Nothing more" and buttons(asked)[-1] == "Answer", "the form is still there, folded"
    said = plain(asked)
    assert "Mirabel Thorne: made by 5. 9 against 14" in said and "Old Gorrin: made by 2. 12 against 14" in said
    assert "Mirabel Thorne is ahead of Old Gorrin by 3." in said


def test_the_lead_over_somebody_who_missed_says_how_the_miss_counts(table: Table) -> None:
    """ "Made by 5" and "missed by 3" beside "ahead by 5" looked wrong."""
    strikes(table, (4, 5), (9, 8))
    said = plain(part(at_the_page(table.cleo), "asked"))
    assert "Old Gorrin: missed by 3." in said
    assert "Mirabel Thorne is ahead of Old Gorrin by 5. A miss counts as 0." in said


def test_a_game_master_can_answer_for_everybody_who_is_asked(table: Table) -> None:
    strikes(table, (4, 5), (9, 3))
    said = plain(part(at_the_page(table.gm), "turn"))
    assert "Ben and Cleo have to answer" in said and "You can answer for each of them." in said


def test_the_scene_shows_each_die_once(table: Table) -> None:
    strikes(table, (4, 5), (9, 3))
    board = part(at_the_page(table.gm), "scene")
    assert re.findall(r">(\d+)</text>", board) == ["4", "5", "9", "3"]


def test_damage_is_done_with_one_tap(table: Table) -> None:
    goes_on(table, strikes(table, (4, 5), (9, 3)))
    ben = at_the_page(table.ben)
    assert "Mirabel Thorne succeeds by 3." in plain(part(ben, "turn"))
    assert "With bare hands: 3, and protection stops 2." in plain(part(ben, "turn"))
    assert not buttons(part(at_the_page(table.cleo), "turn"))
    assert pressed(ben, "1 damage to Old Gorrin") == 303
    assert "13 of 14" in plain(part(ben, "people"))
    assert "Hit points 13" in plain(part(at_the_page(table.cleo), "own"))


def test_the_weapon_that_somebody_carries_comes_before_bare_hands(table: Table) -> None:
    """Mirabel Thorne fenced with her bare hands, unless she found the long form."""
    goes_on(table, strikes(table, (4, 5), (9, 3)))
    ben = at_the_page(table.ben)
    assert buttons(part(ben, "turn"))[:2] == [
        "3 damage to Old Gorrin with the short sword",
        "1 damage to Old Gorrin",
    ]
    assert "With the short sword: 5, and protection stops 2." in plain(part(ben, "turn"))
    assert "Short sword: damage " in plain(part(ben, "own"))
    assert pressed(ben, "3 damage to Old Gorrin with the short sword") == 303
    assert "11 of 14" in plain(part(ben, "people"))


def test_who_defends_better_can_hurt_the_attacker(table: Table) -> None:
    goes_on(table, strikes(table, (9, 8), (4, 5)))
    assert not buttons(part(at_the_page(table.ben), "turn"))
    cleo = at_the_page(table.cleo)
    (damage,) = [label for label in buttons(part(cleo, "turn")) if "damage" in label]
    assert damage.endswith("damage to Mirabel Thorne") and pressed(cleo, damage) == 303
    assert f"{11 - int(damage.split()[0])} of 11" in plain(part(cleo, "people"))


def test_a_telling_blow_asks_its_author_alone_for_consequences(table: Table) -> None:
    goes_on(table, strikes(table, (1, 1), (9, 8)))
    ben, cleo = at_the_page(table.ben), at_the_page(table.cleo)
    author = next(entry for entry in table.gm.look("/waiting")["awaited"] if entry["kind"] == "name-consequences")
    assert author["seat"]["name"] == "Cleo"
    assert "A Telling Blow for Old Gorrin." in plain(part(cleo, "turn"))
    assert "A Telling Blow" not in plain(part(ben, "turn"))
    assert pressed(cleo, "Only in the story") == 303
    last = table.gm.look("/rulings", limit=99)["rulings"][-1]["text"]
    assert last == "Lasting consequences: Cleo leaves what follows to the story."


def test_without_a_subject_no_weapon_is_offered(table: Table) -> None:
    assert pressed(at_the_page(table.ben), "Agility 13") == 303
    (waiting,) = table.gm.look("/waiting")["waiting"]
    goes_on(table, waiting["id"])
    assert "weapon" not in plain(part(at_the_page(table.ben), "turn"))


def test_an_experience_die_can_be_rolled_before_the_totals(table: Table) -> None:
    waiting = strikes(table, (4, 5), (9, 3))
    hold = {"choice": {"kind": "hold", "before": "totals"}}
    table.ben.does(f"/waiting/{waiting}/answers", {"answer": {"choice": {"kind": "go-on"}}}, 202)
    table.cleo.does(f"/waiting/{waiting}/answers", {"answer": hold}, 200)
    cleo = at_the_page(table.cleo)
    assert buttons(part(cleo, "turn")) == ["Borrow a die for Old Gorrin (you owe 1 back)", "Call out the totals"]
    assert "I roll my own dice" in part(cleo, "turn")
    assert pressed(cleo, "Borrow a die for Old Gorrin (you owe 1 back)") == 303
    assert resolution(table)["sides"][GORRIN]["mib"] > 2
    asked = part(cleo, "asked")
    assert plain(asked).count("Loaner") == 1 and "Nothing more" in buttons(asked), "everybody is asked again"


def test_who_wants_to_come_first_is_led_back_to_the_table(table: Table) -> None:
    strikes(table, (4, 5), (9, 3))
    cleo = at_the_page(table.cleo)
    answer = press(cleo, "Wait: I want to roll an Experience Die")
    assert answer.status_code == 303
    page = cleo.get(answer.headers["location"]).text
    (note,) = re.findall(r'<div id="until">(.*?)</div>', page, re.DOTALL)
    assert "Cleo wants to do something before the totals are called out." in plain(note)
    assert "Borrow a die for Old Gorrin (you owe 1 back)" in buttons(page), "this is what she can do now"
    latest = plain(part(at_the_page(table.ben), "latest"))
    assert "Cleo wants to do something before the totals are called out." in latest


def test_whoever_goes_on_reads_who_wants_something_first(table: Table) -> None:
    """The attacker went on to the outcome, and the wish of the defender was lost."""
    waiting = strikes(table, (4, 5), (9, 3))
    hold = {"choice": {"kind": "hold", "before": "outcome"}}
    table.ben.does(f"/waiting/{waiting}/answers", {"answer": {"choice": {"kind": "go-on"}}}, 202)
    table.cleo.does(f"/waiting/{waiting}/answers", {"answer": hold}, 201)
    for player in (table.ben, table.cleo, table.gm):
        said = plain(part(at_the_page(player), "turn"))
        assert "Cleo wants to take a Challenge or a Benefit first." in said


def test_a_game_master_reads_whose_result_it_is_before_choosing_for_them(table: Table) -> None:
    """It looked like her own question, and hers was below it."""
    goes_on(table, strikes(table, (4, 5), (9, 3)))
    turn = part(at_the_page(table.gm), "turn")
    (summary,) = re.findall(r'<details class="nested"><summary>(.*?)</summary>', turn)
    assert plain(summary) == "Mirabel Thorne succeeds by 3. Ben chooses the result."
    assert "1 damage to Old Gorrin" in buttons(turn.partition("</summary>")[2])
    assert "<summary><b>Mirabel Thorne" not in part(at_the_page(table.ben), "turn")


def test_consequences_that_are_asked_for_are_not_offered_a_second_time(table: Table) -> None:
    goes_on(table, strikes(table, (1, 1), (9, 8)))
    cleo = at_the_page(table.cleo)
    assert press(cleo, "Name lasting consequences …").status_code == 303
    assert "Only in the story" in buttons(part(cleo, "asked"))
    assert "A Telling Blow" not in part(cleo, "turn")


def test_the_board_says_who_is_out_of_the_fight(table: Table) -> None:
    goes_on(table, strikes(table, (4, 5), (9, 3)))
    (id,) = table.gm.look("/state")["scenes"][0]["state"]["resolutions"]
    cannon = {"result": "damage", "character": GORRIN, "weapon": 20}
    table.ben.declare("choose-results", resolution=id, side="actor", results=[cannon])
    for player in (table.ben, table.cleo, table.gm):
        assert "Old Gorrin is out of the fight." in plain(part(at_the_page(player), "scene"))


def test_the_board_lists_people_in_the_order_of_turns(table: Table) -> None:
    """The caller first, then to the right."""
    assert pressed(at_the_page(table.gm), "Begin Mechanical Play") == 303
    board = part(at_the_page(table.ben), "scene")
    assert re.findall(r"<li[^>]*><b>([^<]+)</b>", board) == ["Old Gorrin", "Mirabel Thorne"]


def test_own_dice_say_that_a_0_is_a_10(table: Table) -> None:
    table.gm.declare("set-dial", name="dice", value="table", reason="We brought our dice.")
    ben = at_the_page(table.ben)
    assert pressed(ben, "Climbing 12") == 303
    assert "A 0 on a die is a 10." in plain(part(ben, "asked"))


def test_in_mechanical_play_a_defence_says_what_it_costs(table: Table) -> None:
    assert pressed(at_the_page(table.gm), "Begin Mechanical Play") == 303
    cleo, ben = at_the_page(table.cleo), at_the_page(table.ben)
    assert not buttons(part(ben, "turn")), "it is another Player’s Turn"
    assert pressed(cleo, "Begin Old Gorrin’s Turn") == 303
    assert "Old Gorrin acts and has 2 Actions left." in plain(part(cleo, "turn"))
    assert buttons(part(cleo, "turn"))[:2] == ["Attack Mirabel Thorne with Brawling", "End the Turn"]
    assert pressed(cleo, "Attack Mirabel Thorne with Brawling") == 303
    said = plain(part(ben, "turn"))
    assert "Defending costs an Action of the next Turn; 0 of 2 are used." in said
    assert "Last-ditch dodge" in buttons(part(ben, "turn"))
    assert pressed(ben, "Defend with Fencing (14)") == 303
    fight = table.gm.look("/state")["scenes"][0]["state"]["fight"]
    assert fight["standing"][MIRABEL]["forfeited"] == 1
    assert "Old Gorrin acts" in plain(part(ben, "scene"))


def test_only_the_player_rolls_from_a_sheet(table: Table) -> None:
    own = buttons(part(at_the_page(table.ben), "own"))
    assert "Fencing 14" in own and "Agility 13" in own
    for other in (table.cleo, table.gm):
        assert "Fencing 14" not in buttons(at_the_page(other).page("/"))


def strikes_two(table: Table, mirabel: tuple[int, int], both: tuple[int, int]) -> str:
    """Mirabel Thorne attacks Old Gorrin and Captain Vosk, whose dice fall alike. Return what is asked at last."""
    sheet = table.service.client.get("/systems/scattershot").json()["people"]["Captain Vosk"]
    table.gm.does("/characters", {"name": "Captain Vosk", "seat": table.gm.id, "sheet": sheet})
    vosk = table.gm.look("/state")["characters"][-1]["id"]
    attack: Json = {"engages": [GORRIN, vosk], "rating": "Fencing", "nature": "attack", "text": "Sweeps."}
    table.ben.declare("declare-action", character=MIRABEL, **attack)
    (id,) = table.gm.look("/state")["scenes"][0]["state"]["resolutions"]
    for player, whose, rating in ((table.cleo, GORRIN, "Brawling"), (table.gm, vosk, "Sabre")):
        oppose = {"text": "Defends.", "rating": rating}
        answer = {"kind": "answer-engagement", "resolution": id, "character": whose, "oppose": oppose}
        player.does("/rulings", {"declare": answer, "dice": "table"})
    (roll,) = table.gm.look("/waiting")["waiting"]
    dice = {"dice": {"sides": 10, "faces": list(both), "source": "table"}}
    table.gm.does(f"/waiting/{roll['id']}/answers", {"answer": dice}, 201)
    gorrin = {"kind": "roll-mib", "resolution": id, "roll": GORRIN, "faces": list(both)}
    table.cleo.does("/rulings", {"declare": gorrin, "dice": "table"})
    rolled = table.ben.declare("roll-mib", resolution=id, faces=list(mirabel))
    return str(rolled["followed"][-1]["waiting"])


def test_against_several_each_result_is_chosen_before_the_end(table: Table) -> None:
    goes_on(table, strikes_two(table, (4, 5), (9, 3)))
    ben = at_the_page(table.ben)
    assert pressed(ben, "1 damage to Old Gorrin") == 303
    (damage,) = [label for label in buttons(part(ben, "turn")) if label.endswith("damage to Captain Vosk")]
    assert pressed(ben, damage) == 303 and pressed(ben, "Finish choosing results") == 303
    assert "No Action is open." in plain(part(ben, "scene"))


def test_against_several_an_own_die_needs_a_form_that_says_against_whom(table: Table) -> None:
    waiting = strikes_two(table, (4, 5), (9, 3))
    hold = {"choice": {"kind": "hold", "before": "totals"}}
    table.cleo.does(f"/waiting/{waiting}/answers", {"answer": {"choice": {"kind": "go-on"}}}, 202)
    table.ben.does(f"/waiting/{waiting}/answers", {"answer": hold}, 200)
    ben = at_the_page(table.ben)
    assert buttons(part(ben, "turn")) == ["Call out the totals"], "one tap would be refused"
    (form,) = re.findall(r'href="([^"]+)">Borrow a die for Mirabel Thorne [(]you owe 1 back[)] …<', part(ben, "turn"))
    assert "Captain Vosk" in ben.get(form).text


def test_of_two_telling_blows_the_second_is_still_asked_for_when_the_first_has_consequences(table: Table) -> None:
    goes_on(table, strikes_two(table, (1, 1), (10, 10)))
    cleo, ann = at_the_page(table.cleo), at_the_page(table.gm)
    assert "A Telling Blow for Old Gorrin." in plain(part(cleo, "turn"))
    assert pressed(cleo, "Only in the story") == 303
    assert "A Telling Blow for Captain Vosk." in plain(part(ann, "turn"))
    assert pressed(ann, "Only in the story") == 303
    assert all(juncture["named"] for juncture in resolution(table)["junctures"])
