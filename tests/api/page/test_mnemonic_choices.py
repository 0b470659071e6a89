"""What the page asks of whom in Mnemonic: one check after the other, in one place, with what each choice rests on."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from ledger.rules import systems
from tests.api.page.blows import plain
from tests.api.page.campaigns import begun
from tests.api.page.sitting import Sitter, at_the_page
from tests.api.page.small_forms import labels, sends, tiles, turn, words
from tests.api.table import Service, Table

PRIMARY = {"kind": "primary", "name": ""}
DEFT = {"kind": "talent", "name": "Deft"}


@pytest.fixture
def table(service: Service) -> Table:
    return begun(service, "mnemonic")


def attempted(table: Table) -> tuple[Sitter, Sitter, Sitter]:
    """Andrea attempts something. Everybody at the page."""
    ann, ben, cleo = (at_the_page(player) for player in (table.gm, table.ben, table.cleo))
    assert sends(ben, "Attempt it", text="Hits the dragon").status_code == 303
    return ann, ben, cleo


def rate(table: Table, character: str, trait: str, rating: str, kind: str = "talent") -> None:
    table.gm.declare("rate-trait", character=character, trait=trait, trait_kind=kind, rating=rating)


def checked(table: Table, chances: str = "Fair", **more: Any) -> str:
    """Deft is rated Very, and Andrea has to make a check with it. Return its id."""
    rate(table, "1", "Deft", "Very")
    table.gm.declare("rule-check", character="1", traits=[DEFT, PRIMARY], chances=chances, **more)
    return str(table.gm.look("/state")["scenes"][0]["state"]["checks"][-1]["id"])


def chosen(sitter: Sitter) -> list[str]:
    """Return the labels of the tiles that are chosen before anybody taps."""
    return [unescape(label) for label in re.findall(r" checked><span>([^<]+)<", turn(sitter))]


def test_a_rating_is_asked_for_on_the_way_to_the_check(table: Table) -> None:
    ann, _, _ = attempted(table)
    asked = words(ann)
    assert "Andrea Kovac attempts this: “Hits the dragon”" in asked and "has only the Primary Role (+3) so far" in asked
    assert labels(ann)[0] == "Rate it" and labels(ann)[-1] == "It is impossible"
    assert sends(ann, "Rate it", "Very (+5)", text="Deft").status_code == 303
    assert (
        labels(ann)[0] == "Ask for the roll" and tiles(ann, "Ask for the roll")[0] == "Aptitude +8: Deft, Primary Role"
    )
    assert sends(ann, "Ask for the roll", "Fair (+3)").status_code == 303
    (check,) = table.gm.look("/state")["scenes"][0]["state"]["checks"]
    assert (check["aptitude"], check["chances"]["name"], check["action"]) == (8, "Fair", "5")


def test_a_button_says_that_the_roll_follows_at_once(table: Table) -> None:
    """Unless somebody holds automatic steps, or rolls real dice: then a player is asked."""
    table.gm.declare("set-dial", name="forced_steps", value="by_ledger", reason="As on the page.")
    rate(table, "1", "Deft", "Very")
    ann, _, _ = attempted(table)
    assert labels(ann)[0] == "Roll now"
    table.gm.declare("set-dial", name="dice", value="table", reason="Real dice.")
    assert labels(ann)[0] == "Ask for the roll"
    table.gm.declare("set-dial", name="dice", value="ledger", reason="As on the page.")
    assert sends(ann, "Roll now", "Fair (+3)").status_code == 303
    (check,) = table.gm.look("/state")["scenes"][0]["state"]["checks"]
    assert check["stage"] in ("resolved", "fluke")


def test_what_is_impossible_is_never_named_first(table: Table) -> None:
    ann, _, _ = attempted(table)
    assert "Your turn: rate a trait , say it succeeds without a roll or say it is impossible ." in words(ann)


def test_two_rated_traits_are_offered_as_the_aptitudes_they_make(table: Table) -> None:
    rate(table, "1", "Deft", "Very")
    rate(table, "1", "Deputy", "Fairly", "life")
    ann, _, _ = attempted(table)
    pairs = [label for label in tiles(ann, "Ask for the roll") if label.startswith("Aptitude")]
    assert pairs == [
        "Aptitude +9: Deft, Deputy",
        "Aptitude +8: Deft, Primary Role",
        "Aptitude +7: Deputy, Primary Role",
    ]


def test_of_several_pairs_of_traits_none_is_chosen_beforehand(table: Table) -> None:
    rate(table, "1", "Deft", "Very")
    ann, _, _ = attempted(table)
    assert "Aptitude +8: Deft, Primary Role" in chosen(ann), "there is no other"
    rate(table, "1", "Quick", "Fairly")
    assert not [label for label in chosen(ann) if label.startswith("Aptitude")]
    assert sends(ann, "Ask for the roll", "Fair (+3)").status_code == 400
    assert not table.gm.look("/state")["scenes"][0]["state"]["checks"]


def test_of_many_traits_two_are_chosen_one_by_one(table: Table) -> None:
    for name in ("Deft", "Tough", "Quick", "Sly"):
        rate(table, "1", name, "Very")
    rate(table, "1", "Deputy", "Fairly", "life")
    ann, _, _ = attempted(table)
    assert tiles(ann, "Ask for the roll")[:7] == [
        "Sly (+5)",
        "Quick (+5)",
        "Tough (+5)",
        "Deft (+5)",
        "Primary Role (+3)",
        "Deputy (+4)",
        "Terrible (−6)",
    ]
    assert sends(ann, "Ask for the roll", "Tough (+5)", "Deputy (+4)").status_code == 303


@pytest.mark.parametrize(
    ("button", "said"),
    [("It is impossible", "is impossible"), ("It succeeds without a roll", "succeeds without a roll")],
)
def test_what_needs_no_roll_says_whose_action_it_was(table: Table, button: str, said: str) -> None:
    ann, _, _ = attempted(table)
    assert sends(ann, button).status_code == 303
    assert table.gm.look("/rulings", limit=100)["rulings"][-1]["text"] == f"Andrea Kovac's action {said}."


def test_only_the_referee_is_asked_to_rule(table: Table) -> None:
    _, ben, cleo = attempted(table)
    assert not labels(ben) and labels(cleo) == ["Attempt it"]


def test_a_roll_is_one_button_beside_the_number_to_reach(table: Table) -> None:
    ben = at_the_page(table.ben)
    checked(table)
    asked = words(ben)
    assert "Aptitude +8 (Deft +5, Primary Role +3), Chances Fair (+3)." in asked
    assert "A roll of 11 or less succeeds." in asked and turn(ben).count('<i class="on">') == 11
    assert labels(ben) == ["Roll"] and not labels(at_the_page(table.cleo))[1:]
    assert sends(ben, "Roll").status_code == 303
    result = table.gm.look("/state")["scenes"][0]["state"]["checks"][-1]
    told = words(ben)
    assert "Aptitude +8 (Deft +5, Primary Role +3), Chances Fair (+3), roll " in told
    assert f"8 − {result['roll']} + 3 = {result['total']}".replace("-", "−") in told


def test_a_blow_can_hurt_others_and_a_failed_dodge_its_own(table: Table) -> None:
    ann = at_the_page(table.gm)
    table.gm.declare("enter-roll", check=checked(table), numbers=[2])
    assert "Andrea Kovac succeeded. Is anybody hurt? Nobody " in words(ann)
    assert re.findall(r'name="hurt"( open)?><summary>([^<]+)<', turn(ann)) == [
        ("", "Nobody"),
        (" open", "Charakodax is hurt"),
    ]
    assert sends(ann, "Rate Armoured", "Fairly (+4)").status_code == 303
    assert sends(ann, "At worst unconscious", "Poor (−2)").status_code == 303
    board = table.gm.look("/state")["scenes"][0]["state"]
    assert (board["injuries"][0]["victim"], board["injuries"][0]["worst"]) == ("2", "unconscious")
    cleo = at_the_page(table.cleo)
    assert "A failure leaves Charakodax unconscious." in words(cleo) and labels(cleo)[0] == "Roll"
    table.gm.declare("enter-roll", check=board["checks"][-1]["id"], numbers=[12])
    assert "Charakodax is Inactive (unconscious): recovery" in words(ann) and "hurt?" not in words(ann)
    table.gm.declare("enter-roll", check=checked(table, "Terrible"), numbers=[12])
    assert "Andrea Kovac failed. Did that cause an injury? No " in words(ann) and "Rate Tough" in labels(ann)


def test_somebody_who_is_down_recovers_to_a_level_by_its_name(table: Table) -> None:
    rate(table, "2", "Armoured", "Fairly")
    table.gm.declare("rule-injury", victim="2", cause="referee", worst="immobilized", chances="Bad", reason="A rock.")
    table.gm.declare("enter-roll", check=table.gm.look("/state")["scenes"][0]["state"]["checks"][0]["id"], numbers=[12])
    ann, cleo = at_the_page(table.gm), at_the_page(table.cleo)
    assert "Nothing physical while immobilized" in turn(cleo)
    assert sends(ann, "Recover", "Hurt (level 4)", text="A night's rest").status_code == 303
    assert table.gm.look("/characters/2")["state"]["status"]["name"] == "Hurt"
    assert re.findall(r'<input type="text" [^>]*value="([^"]+)"', turn(ann)) == ["a few moments"]


@pytest.mark.parametrize(
    ("method", "button"),
    [("one_dice", "Roll"), ("three_dice", "Roll three dice"), ("one_card", "Draw a card"), ("verbal", None)],
)
def test_every_way_to_roll_has_its_button(table: Table, method: str, button: str | None) -> None:
    checked(table, method=method)
    ben = at_the_page(table.ben)
    if button is None:
        assert not labels(ben) and "Enter your number …" in words(ben)
    else:
        assert labels(ben) == [button] and sends(ben, button).status_code == 303


def test_another_way_to_roll_has_a_button_of_its_own(table: Table) -> None:
    rate(table, "1", "Deft", "Very")
    ann, _, _ = attempted(table)
    assert "Three dice" in tiles(ann, "Ask for this roll") and "One dice" not in tiles(ann, "Ask for this roll")
    assert sends(ann, "Ask for this roll", "Three dice", "Fair (+3)").status_code == 303
    assert labels(at_the_page(table.ben)) == ["Roll three dice"]


def test_a_die_that_was_not_rolled_shows_no_number(table: Table) -> None:
    checked(table)
    (figure,) = re.findall(r'<svg class="d".*?>([^<]*)</text>', turn(at_the_page(table.ben)))
    assert figure == "?"


def test_the_referee_rules_on_a_fluke_where_it_fell(table: Table) -> None:
    table.gm.declare("set-dial", name="flukes.on", value=True, reason="We like surprises.")
    table.gm.declare("enter-roll", check=checked(table), numbers=[1, 1, 5])
    ann = at_the_page(table.gm)
    assert "rolled 1, 1, 5: " in words(ann) and labels(ann)[0] == "It counts"
    assert not labels(at_the_page(table.ben))[1:]
    assert sends(ann, "The fluke does not count", text="It is a whole house.").status_code == 303
    assert table.gm.look("/state")["scenes"][0]["state"]["checks"][-1]["stage"] == "resolved"


def test_a_rating_that_is_hidden_is_shown_to_the_referee_only(table: Table) -> None:
    table.gm.declare("set-dial", name="dramatic.source", value="important", reason="A heroic world.")
    table.gm.declare("rate-importance", character="2", rating="Extremely")
    rate(table, "2", "Armoured", "Fairly")
    table.gm.declare("enter-roll", check=checked(table), numbers=[2])
    ann, cleo = at_the_page(table.gm), at_the_page(table.cleo)
    assert sends(ann, "At worst unconscious", "Good (+5)").status_code == 303
    assert "Aptitude +10" in words(ann) and "Good (+5)" in words(ann)
    for player in (cleo, at_the_page(table.ben)):
        page = player.page("/")
        assert "+10" not in page and "Good" not in page and "Extremely" not in page and "Important" not in page
    assert "Charakodax resists an injury. A failure leaves Charakodax unconscious." in words(cleo)
    assert sends(cleo, "Roll").status_code == 303
    assert "Aptitude +10" not in cleo.page("/")


def test_a_sheet_shows_status_and_aptitudes(table: Table) -> None:
    rate(table, "1", "Deft", "Very")
    ben = at_the_page(table.ben)
    sheet = ben.page("/sheet/character/1")
    assert '<b class="number">+5</b>' in sheet and "Aptitude +8 with the Primary Role" in sheet
    assert sheet.count('<i class="on">') == 6 and "(Fires)" not in sheet
    assert f'<a class="value" href="{ben.at}/why/character/1/state/ratings/0/rating">Very</a>' in sheet
    assert "Rate a trait" not in sheet and "Rate a trait for Andrea Kovac" in at_the_page(table.gm).page("/")


def test_a_sheet_says_what_a_status_means(table: Table) -> None:
    """Rulings name a level by its word: nothing said what "Huge" was."""
    statement = systems()["mnemonic"].rules["mnemonic.status.names"].statement
    table.gm.declare("rate-trait", character="1", trait="Tough", trait_kind="talent", rating="Fairly")
    table.gm.declare("rule-injury", victim="1", cause="referee", worst="dead", chances="Even", reason="A fall.")
    check = table.gm.look("/state")["scenes"][0]["state"]["checks"][0]["id"]
    table.gm.declare("enter-roll", check=check, numbers=[4])
    sheet = plain(at_the_page(table.ben).page("/sheet/character/1"))
    assert f"What Hurt means Hurt is level 4 of 6, “Huge”. {statement}" in sheet


def test_a_sheet_names_the_talent_against_injuries_before_it_is_rated(table: Table) -> None:
    cleo = at_the_page(table.cleo)
    talent = "Armoured resists injuries. It has no rating yet."
    assert talent in cleo.page("/sheet/character/2").partition("<summary>All values")[0]
    rate(table, "2", "armoured", "Fairly")
    assert talent not in cleo.page("/sheet/character/2") and "resists injuries" in cleo.page("/sheet/character/2")


def test_a_form_without_one_of_its_parts_records_nothing(table: Table) -> None:
    ann, _, _ = attempted(table)
    before = table.gm.look("")["position"]
    assert sends(ann, "Rate it", text=" ").status_code == 422
    assert table.gm.look("")["position"] == before


def test_without_sheets_the_referee_assigns_an_aptitude_first(table: Table) -> None:
    table.gm.declare("set-dial", name="feather.mode", value="on", reason="No sheets.")
    ann, _, _ = attempted(table)
    assert "Assign an Aptitude; the check comes next." in words(ann)
    assert labels(ann) == ["It succeeds without a roll", "It is impossible"] and "Assign an Aptitude …" in turn(ann)


def test_of_two_actions_the_one_that_your_turn_begins_with_is_open(table: Table) -> None:
    """ "Your turn: ask for a check" led to Charakodax, and the form below was Andrea's."""
    rate(table, "2", "Deft", "Very")
    ann, _, cleo = attempted(table)
    assert sends(cleo, "Attempt it", text="Takes off").status_code == 303
    (path, kind), *_ = re.findall(r'<li class="mine">.*?href="([^"]+)">([^<]+)<', turn(ann), re.DOTALL)
    assert kind == "ask for a check" and "Charakodax must make a Success Check" in ann.get(unescape(path)).text
    (opened,) = re.findall(r'<div class="prompt"><p><b>([^<]+)<', turn(ann))
    assert opened == "Charakodax attempts this: “Takes off”" and "<summary><b>Andrea Kovac attempts" in turn(ann)


def test_of_several_actions_the_first_is_open_and_of_several_characters_one_is_chosen(table: Table) -> None:
    for each in ("Old Meg", "Boris"):
        table.gm.does("/characters", {"name": each, "seat": table.gm.id, "sheet": {"primary_role": "A person"}})
    table.gm.declare("close-scene", scene=table.gm.look("/state")["scenes"][0]["id"])
    table.gm.does(
        "/scenes", {"title": "A brawl", "cast": [each["id"] for each in table.gm.look("/state")["characters"]]}
    )
    ann, _, cleo = attempted(table)
    assert "Old Meg or Boris attempts something" in words(ann)
    assert sends(ann, "Attempt it", "Boris", text="Ducks").status_code == 303
    assert sends(cleo, "Attempt it", text="Takes off").status_code == 303
    asked = turn(ann)
    assert (
        asked.count("<summary><b>") == 2 and "<summary><b>Andrea" not in asked and "Old Meg attempts something" in asked
    )
