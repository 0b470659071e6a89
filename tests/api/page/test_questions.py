"""A question shows what it rests on, and what each answer leads to; a tap answers it."""

from __future__ import annotations

import re
from html import unescape
from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.api.page.blows import attacks, hit, prompts
from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP
from tests.api.page.sitting import Form, Sitter, at_the_page, pressed
from tests.api.table import Json, Service, Table
from tests.api.test_asking_at_once import Night


@pytest.fixture
def attacked(service: Service) -> Table:
    return attacks(service)


def waits(table: Table, declared: Json, **more: object) -> str:
    return str(table.ben.does("/rulings", {"declare": declared, "answers": [], **more}, 202)["id"])


def taps(sitter: Sitter, waiting: str, path: str = "/", query: str = "") -> dict[str, Form]:
    """The buttons that answer at once, by their names."""
    found = {}
    for text in re.findall(r"<form [^>]*>.*?</form>", sitter.page(path), re.DOTALL):
        action = unescape(re.findall(r'action="([^"]+)"', text)[0])
        if action.endswith(f"/waiting/{waiting}/tap{query}"):
            (value, label) = re.findall(r'name="answer" value="([^"]+)">([^<]+)<', text)[0]
            found[unescape(label)] = Form(text, action)
            found[unescape(label)].fields["answer"] = [unescape(value)]
    return found


def asked(sitter: Sitter) -> str:
    page = sitter.page("/")
    part = page[page.index('<section id="asked"') : page.index('<section id="start"')]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", part.partition("Other ways to answer")[0])).split())


def test_a_bargain_says_what_follows_from_either_answer(attacked: Table) -> None:
    attack = hit(attacked)
    waiting = waits(attacked, {"kind": "negotiate", "attack": attack, "parties": ["1", "2"], "text": "Steve leaves."})
    cleo = at_the_page(attacked.cleo)
    text = asked(cleo)
    assert "Sarah attacks Steve : 9 against 2, a success with an impact rating of" in text
    assert "The attack ends with no impact." in text
    assert "Nothing in the bargain happens. Sarah still chooses an impact: tax, advantage" in text
    buttons = taps(cleo, waiting)
    assert list(buttons) == ["Agree", "Decline"]
    assert cleo.send(buttons["Decline"], {}).status_code == 303
    assert "Steve does not agree" in attacked.gm.look("/rulings", order="desc", limit=1)["rulings"][0]["text"]
    assert cleo.send(buttons["Agree"], {}).status_code != 303, "it was answered"


def test_a_healing_moment_shows_what_each_impact_costs_and_what_its_healing_leads_to(attacked: Table) -> None:
    hit(attacked)
    trait = attacked.gm.look("/characters/2")["state"]["traits"][0]
    attacked.gm.declare("choose-impact", impact="damage", trait=trait["name"])
    attacked.gm.declare("close-round")
    attacked.gm.declare("close-scene", scene=attacked.gm.look("/state")["scenes"][0]["id"])
    waiting = waits(attacked, {"kind": "healing-moment", "day": 1, "fiction": "A quiet night."})
    cleo = at_the_page(attacked.cleo)
    text = asked(cleo)
    assert f"{trait['name']} D8 now, D10 when unhurt" in text
    assert f"{trait['name']} goes from D8 back to D10." in text
    assert "Steve stays hurt, and nobody gains advantage points from it." in text
    buttons = taps(cleo, waiting)
    assert list(buttons) == [f"Heal the damage to {trait['name']}", "Heal nothing"]
    done = cleo.send(buttons[f"Heal the damage to {trait['name']}"], {})
    assert done.status_code == 303 and "ruling=" in done.headers["location"]
    assert attacked.gm.look("/characters/2")["state"]["traits"][0]["size"] == 10


def test_a_die_that_is_to_be_rolled_by_hand_is_shown_with_the_number_to_reach(attacked: Table) -> None:
    declared = {"kind": "defend", "dice": [{"die": "intensity"}]}
    attacked.cleo.does("/rulings", {"declare": declared, "answers": [], "dice": "table"}, 202)
    cleo = at_the_page(attacked.cleo)
    text = asked(cleo)
    assert "Steve rolls the intensity die in defence: a D12." in text
    assert "Sarah attacks with 9. A defence of 9 or more stops the attack." in text
    page = cleo.page("/")
    drawn = page[page.index('<section id="asked"') : page.index('<section id="start"')]
    assert re.findall(r'<svg class="d"[^>]*><path d="[^"]+"/><text [^>]*>(\d+)</text>', drawn) == ["12"]


def test_a_fatal_impact_that_others_answer_says_what_becomes_of_it(attacked: Table) -> None:
    hit(attacked)
    attacked.gm.declare("choose-impact", impact="fatal")
    (fatal,) = attacked.gm.look("/state")["scenes"][0]["state"]["fatals"]
    declared = {
        "kind": "use-fatal",
        "uses": [{"fatal": fatal["fatal"], "text": "Steve falls silent.", "use_as": "fate"}],
    }
    waiting = str(attacked.gm.does("/rulings", {"declare": declared, "answers": []}, 202)["id"])
    ben = at_the_page(attacked.ben)
    assert "The fatal impact is still held and can be used later." in asked(ben)
    buttons = taps(ben, waiting)
    assert ben.send(buttons["Agree"], {}).status_code == 303
    assert attacked.gm.look("/state")["scenes"][0]["state"]["fatals"] == []


@pytest.mark.parametrize("said", ["", "[]", "not JSON", '{"choice": {"kind": "nothing"}}'])
def test_an_answer_that_no_button_sent_saves_nothing(attacked: Table, said: str) -> None:
    attack = hit(attacked)
    waiting = waits(attacked, {"kind": "negotiate", "attack": attack, "parties": ["1", "2"], "text": "Steve leaves."})
    cleo, before = at_the_page(attacked.cleo), attacked.gm.look("")["position"]
    button = taps(cleo, waiting)["Agree"]
    assert cleo.send(button, {"answer": said}).status_code in (400, 422)
    assert at_the_page(attacked.ben).send(button, {}).status_code in (401, 403)
    assert attacked.gm.look("")["position"] == before


def test_who_is_not_asked_has_no_button(attacked: Table) -> None:
    attack = hit(attacked)
    waiting = waits(attacked, {"kind": "negotiate", "attack": attack, "parties": ["1", "2"], "text": "Steve leaves."})
    assert taps(at_the_page(attacked.ben), waiting) == {}
    assert "Agree" not in taps(at_the_page(attacked.gm), waiting), "only the player asked agrees"


def test_a_question_is_accessible_and_fits(attacked: Table, sits: Sits) -> None:
    attack = hit(attacked)
    waits(attacked, {"kind": "negotiate", "attack": attack, "parties": ["1", "2"], "text": "Steve leaves."})
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        cleo = sits(attacked.cleo.token, scheme=scheme)
        cleo.look("/")
        cleo.accessible()
        cleo.fits()
        cleo.picture(f"question-{scheme}")


def test_declaring_and_rolling_show_the_dice_that_are_rolled(service: Service) -> None:
    table = begun(service, "intensity")
    table.gm.declare("open-round", participants=["1", "2"])
    ben = at_the_page(table.ben)
    traits = table.gm.look("/characters/1")["state"]["traits"]
    assert "What does Sarah do?" in prompts(ben) and "Steve" not in prompts(ben)
    assert all(f"{trait['name']} (D{trait['size']}) …" in prompts(ben) for trait in traits)
    for id, target in (("1", "2"), ("2", None)):
        trait = table.gm.look(f"/characters/{id}")["state"]["traits"][0]["name"]
        table.gm.declare("declare", char=id, target=target, level="calm", trait=trait, text="steps forward")
    assert "Sarah rolls." in prompts(ben) and f"6 Calm 10 {traits[0]['name']} Roll" in prompts(ben)
    assert pressed(ben, "Roll") == 303
    assert prompts(ben) == "", "her dice are rolled, and Steve's are not Ben's"


def test_equal_dice_ask_who_goes_first_and_the_end_of_a_round_says_what_it_does(service: Service) -> None:
    table = begun(service, "intensity")
    table.gm.declare("open-round", participants=["1", "2"])
    for id, target in (("1", "2"), ("2", "1")):
        trait = table.gm.look(f"/characters/{id}")["state"]["traits"][0]["name"]
        table.gm.declare("declare", char=id, target=target, level="calm", trait=trait, text="steps forward")
    table.gm.declare("roll", faces=[{"char": id, "intensity": 3, "trait": 2} for id in ("1", "2")])
    gm = at_the_page(table.gm)
    assert "Sarah and Steve rolled the same. Who goes first? Sarah goes first Steve goes first" in prompts(gm)
    assert pressed(gm, "Steve goes first") == 303
    assert "Steve acts." in prompts(gm)
    for id in ("2", "1"):
        table.gm.declare("pass", char=id)
    assert "Everybody has acted. The dice leave the table, and a new round can begin." in prompts(gm)
    assert pressed(gm, "End the round") == 303
    assert table.gm.look("/state")["scenes"][0]["state"]["round"] is None


def test_advantage_points_are_offered_with_what_they_cost_and_the_numbers_now(attacked: Table) -> None:
    attacked.gm.declare("defend", dice=[{"die": "intensity", "face": 2}])
    ben = at_the_page(attacked.ben)
    assert "advantage points" not in prompts(ben).partition("spends advantage points.")[2]
    attacked.gm.declare("adjust", source="bank/ap", target="character:2/ap:1", unit="ap", amount=4, reason="To see it.")
    cleo = at_the_page(attacked.cleo)
    text = prompts(cleo)
    assert "Steve holds 4 advantage points against Sarah. 3 points add 4 to the defence value (now 2)." in text
    assert "Roll the 2 again I roll my own dice" in text and "I rolled these" not in text, "nothing is entered here"
    assert pressed(cleo, "Add 4 to the defence") == 303
    assert "Steve holds 1 advantage point against Sarah." in prompts(cleo) and "(now 6)" in prompts(cleo)
    assert pressed(cleo, "Roll the 2 again") == 303


def test_dice_that_somebody_rolled_are_typed_on_a_keypad_and_nothing_else_is_asked(attacked: Table, sits: Sits) -> None:
    cleo = sits(attacked.cleo.token)
    page = cleo.look("/")
    both = page.locator("#turn form", has=page.get_by_role("button", name="Roll both"))
    both.get_by_text("I rolled these").click()
    for face, sides, name in ((11, 12, "Intensity"), (7, 10, "Stubborn")):
        field = both.get_by_label(f"{name} (D{sides})")
        expect(field).to_have_attribute("inputmode", "numeric")
        assert (field.get_attribute("min"), field.get_attribute("max")) == ("1", str(sides))
        field.fill(str(face))
    cleo.accessible()
    cleo.fits()
    cleo.picture("typed")
    cleo.sends(both.get_by_role("button", name="Enter"))
    expect(page.locator("#just")).to_contain_text("11 on the D12 and 7 on the D10 in defence")
    made = attacked.gm.look("/rulings", order="desc", limit=1)["rulings"][0]
    assert [die["face"] for roll in made["rolls"] for die in roll["dice"]] == [11, 7]


def test_where_only_the_ledger_rolls_nobody_types(attacked: Table) -> None:
    assert "I rolled these" in at_the_page(attacked.cleo).page("/")
    attacked.gm.declare("set-dial", name="dice", value="ledger_only", reason="We trust it.")
    page = at_the_page(attacked.cleo).page("/")
    assert "Roll both" in page and "I rolled these" not in page


#: How far a part reaches below what covers the page: its own strip on a phone, or the end of the screen.
BELOW = """part => {
    const bars = [...document.querySelectorAll('#own .strip')].map(one => one.getBoundingClientRect().top);
    return part.getBoundingClientRect().bottom - Math.min(innerHeight, ...bars); }"""


@pytest.mark.nightly
def test_a_defence_and_the_first_impacts_are_in_sight_on_a_phone(attacked: Table, sits: Sits) -> None:
    page = sits(attacked.cleo.token).look("/")
    for label in ("Roll the D12 (intensity)", "Roll the D10 (Stubborn)", "Roll both", "Roll neither: defence 0"):
        assert page.get_by_role("button", name=label).evaluate(BELOW) <= 0, label
    hit(attacked)
    ben = sits(attacked.ben.token)
    page = ben.look("/")
    for label in ("Tax Social Manipulator", "Advantage", "Damage"):
        assert page.get_by_role("button", name=label, exact=True).evaluate(BELOW) <= 0, label
    ben.accessible()
    ben.fits()


@pytest.mark.nightly
def test_the_button_of_a_long_form_stays_in_sight_on_a_laptop(attacked: Table, sits: Sits) -> None:
    hit(attacked)
    attacked.ben.declare("choose-impact", impact="fatal")
    ben = sits(attacked.ben.token, LAPTOP)
    page = ben.look("/declare/use-fatal")
    page.locator("label.tile", has_text="Say what happens").first.click()
    assert page.locator("#send").evaluate(BELOW) <= 0
    ben.accessible()


def name_of(char: str, seat: str) -> str:
    """How an address names the question about the character's healing."""
    return f"?slot=heal%3A{char}&asked={seat}"


def test_several_who_are_asked_answer_when_they_can_and_may_think_again(service: Service) -> None:
    night = Night(service)
    waiting = night.begin_healing()
    eve, ann = at_the_page(night.eve), at_the_page(night.ann)
    assert "Your answer is needed What does Rick heal?" in asked(eve)
    assert "Ben, Cleo and Eve have to answer" in ann.page("/")
    assert eve.send(taps(eve, waiting, "/", name_of("3", night.eve.id))["Heal nothing"], {}).status_code == 303
    assert "Your answer is needed" not in eve.page("/")
    page = eve.page(f"/waiting/{waiting}")
    assert "Waiting for Ben and Cleo." in page and "Change your answer" in page
    again = f"/waiting/{waiting}{name_of('3', night.eve.id)}"
    assert f'href="{eve.at}{again}"' in unescape(page)
    buttons = taps(eve, waiting, again, name_of("3", night.eve.id))
    assert list(buttons) == ["Heal a wound", "Heal nothing"]
    assert eve.send(buttons["Heal a wound"], {}).status_code == 303
    closes = f"{ann.at}/waiting/{waiting}{name_of('2', night.cleo.id)}"
    assert "Steve" in ann.get(closes).text and ann.form(closes, closes).there
    for player, query in ((night.ben, name_of("1", night.ben.id)), (night.cleo, "")):  # she is the only one left
        sitter = at_the_page(player)
        assert sitter.send(taps(sitter, waiting, "/", query)["Heal nothing"], {}).status_code == 303
    ruling = night.gm.look("/rulings", order="desc", limit=1)["rulings"][0]
    healed = [fact["fact"]["char"] for fact in ruling["facts"] if fact["kind"] == "intensity.impact-healed"]
    assert healed == ["3"]
