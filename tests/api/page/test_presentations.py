"""A game's own sheet and board: shown where it has them, in a sandbox, from what the seat is shown."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest
from jinja2 import FunctionLoader

from api.table import presentations, reading
from api.table.presentations import Presenter
from api.table.words import Words
from tests.api.page.campaigns import FACES, begun
from tests.api.page.conftest import Sits
from tests.api.page.sitting import Form, at_the_page, part
from tests.api.table import Player, Service, Table

WHO = {"id": "1", "name": "Mia"}


@pytest.fixture
def duel(service: Service) -> Table:
    table = begun(service, "intensity")
    table.gm.declare("open-round", participants=["1", "2"])
    return table


def test_a_trait_on_the_sheet_leads_to_its_declaration_with_only_the_rest_left_to_choose(duel: Table) -> None:
    ben = at_the_page(duel.ben)
    traits = [trait["name"] for trait in duel.gm.look("/characters/1")["state"]["traits"]]
    links = re.findall(r'<a href="([^"]+/declare/declare[^"]+)">([^<]+)</a>', part(ben, "own"))
    assert [name for _, name in links] == traits
    page = unescape(ben.get(links[1][0]).text)
    assert f'value=""{traits[1]}"" checked' in page and f'value=""{traits[0]}"" checked' not in page


def test_the_board_shows_the_dice_on_the_table_and_who_acts_next(duel: Table) -> None:
    for id, target in (("1", "2"), ("2", None)):
        trait = duel.gm.look(f"/characters/{id}")["state"]["traits"][0]["name"]
        duel.gm.declare("declare", char=id, target=target, level="calm", trait=trait, text="steps forward")
    duel.gm.declare("roll", faces=FACES)
    board = part(at_the_page(duel.cleo), "scene")
    (scene,) = duel.gm.look("/state")["scenes"]
    fallen = [str(die["face"]) for each in scene["state"]["round"]["participants"] for die in each["dice"].values()]
    assert re.findall(r">(\d+)</text>", board) == fallen
    first = next(entry["character"] for entry in duel.gm.look("/waiting")["awaited"])
    names = {each["id"]: each["name"] for each in duel.gm.look("/state")["characters"]}
    assert re.findall(r'class="next"><b>([^<]+)</b>', board) == [names[first]]


def test_only_players_have_a_pinned_sheet(duel: Table) -> None:
    assert 'for="open-sheet"' in part(at_the_page(duel.ben), "own")
    assert 'for="open-sheet"' not in part(at_the_page(duel.gm), "own")


def presented(monkeypatch: pytest.MonkeyPatch, template: str) -> Presenter:
    """A presenter of a game whose sheet is this template."""
    monkeypatch.setattr(presentations, "environment", presentations.environment.overlay(loader=None, cache_size=0))
    loader: Callable[[str], str | None] = {"other/sheet.html.jinja": template}.get
    presentations.environment.loader = FunctionLoader(loader)
    return Presenter("other", "/table/a/s1", {"scenes": []}, Words({}, {}), ())


def test_what_people_wrote_is_text_on_a_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = presented(monkeypatch, "<b>{{ who.name }}</b>").sheet({**WHO, "name": "<script>"})
    assert sheet == "<b>&lt;script&gt;</b>"


@pytest.mark.parametrize(
    "template",
    [
        "{{ who.missing }}",
        "{{ who.name.__class__.__mro__ }}",
        "{{ act.__globals__ }}",
        "{{ said.__self__.names }}",
        "{% set _ = who.update({'name': 'Eve'}) %}{{ who.name }}",
        "{{ 1 / 0 }}",
        "{% if %}",
    ],
)
def test_a_template_that_fails_or_reaches_out_shows_nothing(monkeypatch: pytest.MonkeyPatch, template: str) -> None:
    who = dict(WHO)
    assert presented(monkeypatch, template).sheet(who) is None
    assert who == WHO


@pytest.mark.parametrize("game", ["toy", "../intensity", "intensity/..", "", "nothing there"])
def test_a_game_without_a_presentation_has_none(game: str) -> None:
    presenter = Presenter(game, "/table/a/s1", {"scenes": []}, Words({}, {}), ())
    assert presenter.sheet(WHO) is None and presenter.strip(WHO) is None and presenter.board({"id": "1"}) is None


def rolled(duel: Table) -> tuple[str, Player, Player]:
    """Roll the dice, and return the character who acts first, its player and the other."""
    for id, target in (("1", "2"), ("2", "1")):
        trait = duel.gm.look(f"/characters/{id}")["state"]["traits"][0]["name"]
        duel.gm.declare("declare", char=id, target=target, level="calm", trait=trait, text="steps forward")
    duel.gm.declare("roll", faces=FACES)
    first = next(entry["character"] for entry in duel.gm.look("/waiting")["awaited"])
    return (first, duel.ben, duel.cleo) if first == "1" else (first, duel.cleo, duel.ben)


def buttons(html: str) -> list[str]:
    return [
        label
        for label in re.findall(r"<button[^>]*>([^<]+)</button>", html)
        if label not in ("I roll my own dice", "Enter")
    ]


def test_the_prompts_of_a_blow_show_the_numbers_they_rest_on(duel: Table) -> None:
    first, attacker, defender = rolled(duel)
    acting, idle = part(at_the_page(attacker), "turn"), part(at_the_page(defender), "turn")
    names = {each["id"]: each["name"] for each in duel.gm.look("/state")["characters"]}
    assert buttons(acting) == [f"Attack {names[{'1': '2', '2': '1'}[first]]}", "Pass"] and not buttons(idle)
    assert 'class="theirs"' in part(at_the_page(duel.gm), "turn") and 'class="theirs"' not in acting
    duel.gm.declare("attack", char=first, target={"1": "2", "2": "1"}[first])
    value = duel.gm.look("/state")["scenes"][0]["state"]["round"]["attack"]["attack_value"]
    asked = part(at_the_page(defender), "turn")
    assert f"with {value}." in asked and "Rolling both gives up" in asked
    duel.gm.declare("defend", dice=[])
    assert f"{value} against 0." in part(at_the_page(attacker), "turn")
    assert buttons(part(at_the_page(attacker), "turn")) == ["Resolve: the attack succeeds"]
    duel.gm.declare("resolve")
    allowed = duel.gm.look("/state")["scenes"][0]["state"]["round"]["attack"]["allowed"]
    page = part(at_the_page(attacker), "turn")
    assert buttons(page)[-1] == "No impact" and any(label.startswith("Tax ") for label in buttons(page))
    assert ("Advantage" in buttons(page)) is ("advantage" in allowed)


def test_the_last_ruling_stands_above_the_turn_whoever_made_it(duel: Table) -> None:
    first, _, defender = rolled(duel)
    duel.gm.declare("attack", char=first, target={"1": "2", "2": "1"}[first])
    last = duel.gm.look("/rulings", limit=500)["rulings"][-1]
    page = at_the_page(defender).page("/")
    card = page[page.index('<div id="last">') : page.index('<div id="until">')]
    assert last["text"] in unescape(card) and f"rulings/{last['number']}" in card


def test_a_defender_chooses_the_dice_with_one_tap(duel: Table) -> None:
    first, attacker, defender = rolled(duel)
    duel.gm.declare("attack", char=first, target={"1": "2", "2": "1"}[first])
    assert "Roll both" not in part(at_the_page(attacker), "turn")
    sitter = at_the_page(defender)
    board = part(sitter, "turn")
    labels = buttons(board)
    assert len(labels) == 4 and labels[2:] == ["Roll both", "Roll neither: defence 0"]
    (text,) = re.findall(r"<form(?:(?!<form).)*Roll both</button>.*?</form>", board, re.DOTALL)
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', text))
    declared = re.findall(r'name="declare" value="(.+?)">', text)[0]
    form = Form(text, re.findall(r'action="([^"]+)"', text)[0])
    answer = sitter.send(form, {**fields, "declare": declared})
    assert answer.status_code == 303
    made = duel.gm.look("/rulings", limit=500)["rulings"][-1]
    assert made["declared"]["kind"] == "defend" and len(made["rolls"][0]["dice"]) == 2


def test_a_defender_may_add_a_die_where_the_table_allows_it(duel: Table) -> None:
    first, _, defender = rolled(duel)
    duel.gm.declare("attack", char=first, target={"1": "2", "2": "1"}[first])
    duel.gm.declare("defend", dice=[{"die": "trait"}])
    assert not buttons(part(at_the_page(defender), "turn"))
    duel.gm.declare("set-dial", name="defence_second_pick", value="after_seeing", reason="We agreed on it.")
    (added,) = buttons(part(at_the_page(defender), "turn"))
    assert added.startswith("Also roll the D") and added.endswith("(intensity)")


def test_a_page_that_fails_is_a_page_with_a_way_back(duel: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Raw JSON it was, and nobody at a phone knew how to go on."""

    def fail(*_: object) -> None:
        raise RuntimeError("a secret of the game")

    ben = at_the_page(duel.ben)
    monkeypatch.setattr(reading, "may_decide", fail)
    answer = ben.client.get(f"{ben.at}/rulings/1")
    assert (answer.status_code, answer.headers["content-type"]) == (500, "text/html; charset=utf-8")
    assert "An internal error occurred" in answer.text and "secret" not in answer.text
    assert f'href="{ben.at}/"' in answer.text


@pytest.mark.nightly
def test_the_menu_stands_above_the_sheet_on_a_phone(duel: Table, sits: Sits) -> None:
    phone = sits(duel.ben.token)
    phone.look("/")
    phone.page.locator(".menu summary").click()
    phone.page.get_by_role("link", name="Rulebook").click(timeout=5000)
    phone.page.wait_for_url(re.compile("/guide"))
