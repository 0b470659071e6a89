"""What strangers stumbled on when they chose at Levels of Intensity: each choice says what it does, in plain words."""

from __future__ import annotations

import re
from html import unescape

import pytest
from playwright.sync_api import expect

from tests.api.page.blows import FACES, attacks, card, hit, plain, prompts
from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.sitting import Form, Sitter, at_the_page, pressed
from tests.api.table import Service, Table


@pytest.fixture
def attacked(service: Service) -> Table:
    return attacks(service)


def linked(sitter: Sitter, label: str) -> str:
    """Follow a link of a prompt, and return the page."""
    (href,) = re.findall(rf'href="([^"]+)">{re.escape(label)}<', sitter.page("/"))
    return sitter.get(unescape(href)).text


def test_a_fatal_impact_is_kept_with_one_tap(attacked: Table) -> None:
    hit(attacked)
    ben = at_the_page(attacked.ben)
    assert pressed(ben, "Fatal: keep it for later") == 303
    assert "Sarah gains a fatal impact on Steve." in card(ben)


def test_a_fatal_impact_is_used_now_in_a_form_that_says_what_each_way_does(attacked: Table) -> None:
    hit(attacked)
    page = linked(at_the_page(attacked.ben), "Fatal: use it now …")
    tiles = [unescape(text) for text in re.findall(r"<span>([^<]+)</span></label>", page)]
    assert "Keep it for later" in tiles
    assert "Use it now: say what happens to Steve, or choose a wound or an advantage point" in tiles
    assert "Use it now: tax a trait of Steve" in tiles and "Use it now: damage a trait of Steve" in tiles
    assert "Use it now: take Steve out of play for a time" in tiles
    assert not any("Stays in play, " in tile for tile in tiles) and "Default: fate" not in page
    assert re.search(r'name="/declare/at_once\?" value="1" checked', page), "the way that needs no more is chosen"
    assert "Damage." not in plain(page.partition("<form")[0]), "the impact is chosen already"


def test_a_tax_is_chosen_with_one_tap_on_its_trait(attacked: Table) -> None:
    hit(attacked)
    ben = at_the_page(attacked.ben)
    trait = attacked.gm.look("/characters/2")["state"]["traits"][1]
    assert f"Tax {trait['name']}" in prompts(ben) and "Tax …" not in prompts(ben)
    assert pressed(ben, f"Tax {trait['name']}") == 303
    assert attacked.gm.look("/characters/2")["state"]["traits"][1]["size"] < trait["size"]


def test_a_held_fatal_impact_says_how_it_can_be_used(attacked: Table) -> None:
    hit(attacked)
    attacked.ben.declare("choose-impact", impact="fatal")
    ben = at_the_page(attacked.ben)
    (href,) = {unescape(href) for href in re.findall(r'href="([^"]+/declare/use-fatal[^"]*)"', ben.page("/"))}
    page = ben.get(href).text
    tiles = [unescape(text) for text in re.findall(r"<span>([^<]+)</span></label>", page)]
    assert (
        "Say what happens to Steve, or choose a wound or an advantage point" in tiles
        and "Tax a trait of Steve" in tiles
    )
    assert '<p class="lead" id="lead">Sarah uses a fatal impact.</p>' in page, "nothing that is still open is told"
    titles = re.findall(r"<(?:label for|legend)[^>]*>([^<]+)<", page)
    assert "What happens to the victim" in titles and "In your own words" not in page and "Holder" not in titles
    form = ben.form(href, href.partition("?")[0])
    refused = ben.send(form, {"/declare/uses/0?": "0"})
    (field,) = re.findall(r"<textarea[^>]*/declare/uses/0\|0/text[^>]*>", refused.text)
    assert refused.status_code == 422 and 'aria-invalid="true"' in field
    assert "Describe what happens to the character." in refused.text.partition(field)[2].partition("</div>")[0]


def test_a_healing_moment_offers_what_can_heal_and_nothing_else(attacked: Table) -> None:
    hit(attacked)
    trait = attacked.gm.look("/characters/2")["state"]["traits"][0]["name"]
    attacked.gm.declare("choose-impact", impact="damage", trait=trait)
    attacked.gm.declare("close-round")
    attacked.gm.declare("close-scene", scene=attacked.gm.look("/state")["scenes"][0]["id"])
    gm = at_the_page(attacked.gm)
    (href,) = {unescape(href) for href in re.findall(r'href="([^"]+/declare/healing-moment[^"]*)"', gm.page("/"))}
    page = gm.get(href).text
    assert "Who asks for the healing moment" in page and "Others who were in conflict" in page
    heals = re.findall(r'type="checkbox"[^>]*><span>([^<]+)</span>', page)
    assert heals == ["Steve: nothing heals", f"Steve: the damage to {trait} heals"]
    (group,) = set(re.findall(r'type="checkbox"[^>]* data-group="([^"]+)"', page))
    assert page.count(f'data-group="{group}"') == 2, "both are Steve's: only one can be ticked"
    asks = page[page.index("Who asks for the healing moment") :].partition("</fieldset>")[0]
    assert re.findall(r"<span>([^<]+)</span>", asks)[0] == "You" and "Leave blank" not in asks


def test_who_is_out_of_play_is_so_in_words(attacked: Table) -> None:
    hit(attacked)
    attacked.gm.declare("choose-impact", impact="fatal", at_once={"text": "He runs.", "use_as": "fate", "out": "scene"})
    page = at_the_page(attacked.cleo).page("/")
    assert "Out of play until the scene ends" in page and "Out of play: scene" not in page


def test_of_two_ways_to_heal_one_can_be_ticked(attacked: Table, sits: Sits) -> None:
    """ "Steve: nothing heals" and "Steve: a wound heals" were ticked together."""
    hit(attacked)
    attacked.gm.declare("choose-impact", impact="wound")
    attacked.gm.declare("close-round")
    attacked.gm.declare("close-scene", scene=attacked.gm.look("/state")["scenes"][0]["id"])
    gm = sits(attacked.gm.token)
    page = gm.look("/declare/healing-moment")
    nothing, wound = (page.get_by_role("checkbox", name=f"Steve: {what} heals") for what in ("nothing", "a wound"))
    nothing.check()
    wound.check()
    expect(nothing).not_to_be_checked()
    expect(wound).to_be_checked()
    gm.picture("healing")


def test_between_rounds_a_game_master_opens_one_or_ends_the_scene(attacked: Table) -> None:
    hit(attacked)
    attacked.gm.declare("choose-impact", impact="fatal", at_once={"text": "He runs.", "use_as": "fate", "out": "scene"})
    attacked.gm.declare("close-round")
    gm = at_the_page(attacked.gm)
    assert "There is nobody to act against yet. Add an opponent End the scene …" in prompts(gm)
    assert "Open a round" not in prompts(gm)
    assert prompts(at_the_page(attacked.ben)) == ""


def test_between_rounds_a_held_fatal_impact_keeps_the_scene_open(attacked: Table) -> None:
    hit(attacked)
    attacked.gm.declare("choose-impact", impact="fatal")
    attacked.gm.declare("close-round")
    gm = at_the_page(attacked.gm)
    assert "The scene can end when Sarah has used or given up the fatal impacts. Open a round …" in prompts(gm)
    fatal = attacked.gm.look("/state")["scenes"][0]["state"]["fatals"][0]["fatal"]
    attacked.gm.declare("release-fatal", fatal=fatal, by="1")
    assert "No round is open." in prompts(gm) and "Open a round … End the scene …" in prompts(gm)


def test_who_is_attacked_does_not_act_next(attacked: Table) -> None:
    marks = r'<b>([^<]+)</b> <span class="mark">([^<]+)</span>'
    assert re.findall(marks, at_the_page(attacked.ben).page("/")) == [("Sarah", "attacks"), ("Steve", "is attacked")]
    attacked.gm.declare("defend", dice=[{"die": "intensity", "face": 9}])
    attacked.gm.declare("resolve")
    assert re.findall(marks, at_the_page(attacked.ben).page("/")) == []


def test_whom_somebody_acts_against_is_chosen_and_never_taken_for_granted(service: Service) -> None:
    table = begun(service, "intensity")
    table.gm.declare("open-round", participants=["1", "2"])
    ben = at_the_page(table.ben)
    (href,) = {unescape(href) for href in re.findall(r'href="([^"]+/declare/declare[^"]+trait=Quick)"', ben.page("/"))}
    form = ben.form(href, href.partition("?")[0])
    assert form.offered["/declare/target"] == ["null", '"2"'] and "/declare/target" not in form.fields
    assert "with Quick" in ben.get(href).text.partition("<form")[0], "the sentence says what is chosen already"
    said = {"/declare/level": '"calm"', "/declare/text": "Waits."}
    assert ben.send(form, said).status_code == 422, "neither a target nor only defending"
    assert ben.send(form, {**said, "/declare/target": "null"}).status_code == 303


def test_advantage_points_are_asked_for_where_somebody_has_some(attacked: Table) -> None:
    attacked.gm.declare("defend", dice=[{"die": "intensity", "face": 2}])
    ben = at_the_page(attacked.ben)
    assert "Sarah attacks Steve: 9 against 2." in prompts(ben) and "advantage points" not in prompts(ben)
    attacked.gm.declare("adjust", source="bank/ap", target="character:2/ap:1", unit="ap", amount=1, reason="To see it.")
    assert "Ask first whether anybody spends advantage points." in prompts(ben)


def test_a_defence_says_which_die_cannot_stop_the_attack(service: Service) -> None:
    table = begun(service, "intensity")
    table.gm.declare("open-round", participants=["1", "2"])
    for id, target, level in (("1", "2", "fanatical"), ("2", None, "calm")):
        trait = table.gm.look(f"/characters/{id}")["state"]["traits"][0]["name"]
        table.gm.declare("declare", char=id, target=target, level=level, trait=trait, text="steps forward")
    faces = [{"char": "1", "intensity": 9, "trait": 4}, {"char": "2", "intensity": 3, "trait": 2}]
    table.gm.declare("roll", faces=faces)
    table.gm.declare("attack", char="1", target="2")
    cleo = at_the_page(table.cleo)
    assert "The D6 cannot reach 9 without advantage points." in prompts(cleo)
    table.gm.declare("defend", dice=[{"die": "intensity", "face": 5}])
    defended = card(cleo)
    assert "Ann · How ruling" in defended and "5 Intensity Rolled at the table, entered by Ann." in defended
    assert "intensity, in defence" in plain(cleo.page("/"))
    table.gm.declare("resolve")
    assert "The attack succeeds 9 against 5" in card(cleo)
    assert "Sarah attacks Steve : Sarah succeeds, with an impact rating of" in plain(cleo.page("/"))


@pytest.mark.parametrize("picked", [["intensity"], ["intensity", "trait"]])
def test_a_second_attack_is_defended_with_the_same_buttons(service: Service, picked: list[str]) -> None:
    """Dice that were picked up earlier had only a form of five taps."""
    table = begun(service, "intensity")
    sheet = next(iter(service.client.get("/systems/intensity").json()["people"].values()))
    table.gm.does("/characters", {"name": "Rat", "seat": table.gm.id, "sheet": sheet})
    rat = table.gm.look("/state")["characters"][-1]["id"]
    table.gm.declare("open-round", participants=["1", "2", rat])
    for id, target in (("1", "2"), ("2", None), (rat, "2")):
        trait = table.gm.look(f"/characters/{id}")["state"]["traits"][0]["name"]
        table.gm.declare("declare", char=id, target=target, level="fanatical", trait=trait, text="steps forward")
    table.gm.declare("roll", faces=[*FACES, {"char": rat, "intensity": 8, "trait": 5}])
    table.gm.declare("attack", char="1", target="2")
    table.gm.declare("defend", dice=[{"die": die, "face": 10} for die in picked])
    table.gm.declare("resolve")
    table.gm.declare("attack", char=rat, target="2")
    cleo = at_the_page(table.cleo)
    said = prompts(cleo)
    assert "Rat attacks Steve with 8." in said and "Roll the D12 (intensity) again" in said
    assert f"Roll the D10 (Stubborn){' again' if 'trait' in picked else ''} " in said and "Roll both" in said
    assert "picked up earlier …" not in said
    assert pressed(cleo, "Roll both") == 303
    (roll,) = table.gm.look("/rulings", order="desc", limit=1)["rulings"][0]["rolls"]
    assert [die["sides"] for die in roll["dice"]] == [12, 10]


def test_dice_that_can_stop_the_attack_are_not_spoken_of(attacked: Table) -> None:
    assert "reach" not in prompts(at_the_page(attacked.cleo)), "a D12 and a D10 can reach 9"


def test_dice_that_somebody_rolled_are_entered_on_one_page(service: Service) -> None:
    table = begun(service, "intensity")
    table.gm.declare("open-round", participants=["1", "2"])
    for id, target in (("1", "2"), ("2", None)):
        trait = table.gm.look(f"/characters/{id}")["state"]["traits"][0]["name"]
        table.gm.declare("declare", char=id, target=target, level="fanatical", trait=trait, text="steps forward")
    ben = at_the_page(table.ben)
    (text,) = (form for form in re.findall(r"<form .*?</form>", ben.page("/"), re.DOTALL) if 'name="typed"' in form)
    form = Form(text, unescape(re.findall(r'action="([^"]+)"', text)[0]))
    answer = ben.send(form, {"face": ["12", "3"], "dice": "table"})
    assert "ruling=" in answer.headers["location"], "nothing else is asked"
    assert "Sarah rolls 12 on the D12 and 3 on the D10 of Smooth Talker." in card(ben)
    assert "Rolled at the table, entered by Ben." in card(ben)
    number = table.gm.look("/rulings", order="desc", limit=1)["rulings"][0]["number"]
    assert "Rolled at the table, entered by Ben." in at_the_page(table.cleo).page(f"/rulings/{number}")
    cleo = at_the_page(table.cleo)
    (text,) = (form for form in re.findall(r"<form .*?</form>", cleo.page("/"), re.DOTALL) if 'name="typed"' in form)
    form = Form(text, unescape(re.findall(r'action="([^"]+)"', text)[0]))
    assert cleo.send(form, {"face": ["99", "3"], "dice": "table"}).status_code == 422
    assert "/waiting/" in cleo.send(form, {"face": ["", ""], "dice": "table"}).headers["location"], "asked one by one"


def test_who_waits_for_a_player_is_not_sent_to_the_game_master(attacked: Table) -> None:
    """ "There is nothing you can do right now. Wait for the game master." under "Waiting for Cleo: resolve"."""
    attacked.gm.declare("defend", dice=[{"die": "intensity", "face": 9}])
    cleo = plain(at_the_page(attacked.cleo).page("/"))
    assert "Waiting for Ben" in cleo and "There is nothing you can do right now." in cleo
    assert "Wait for the game master." not in cleo


def test_rolling_nothing_says_what_it_leads_to(attacked: Table) -> None:
    """Steve's dice lay there with a 3 and a 2. "Roll neither" let them "stand", and his defence was 0."""
    cleo = at_the_page(attacked.cleo)
    assert "Only dice that Steve rolls now count." in prompts(cleo)
    assert pressed(cleo, "Roll neither: defence 0") == 303
    assert "The defender rolls no dice in defence." in card(cleo)


def test_everybody_in_the_scene_is_chosen_for_a_round(service: Service) -> None:
    """With three in the scene, nobody was chosen."""
    table = begun(service, "intensity")
    people = service.client.get("/systems/intensity").json()["people"]
    table.gm.does("/characters", {"name": "Louise", "seat": table.gm.id, "sheet": people["Louise"]})
    page = linked(at_the_page(table.gm), "Open a round …")
    chosen = re.findall(r'name="/declare/participants"[^>]* checked[^>]*><span>([^<]+)<', page)
    assert chosen == ["Sarah", "Steve", "Louise"]
    assert "A round begins with Sarah, Steve and Louise." in plain(page)
