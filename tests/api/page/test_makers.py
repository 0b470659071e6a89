"""Making a character step by step, as a browser without a script does it; and once in a browser, on a phone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from ledger.rules import systems
from tests.api.page.campaigns import begun
from tests.api.page.conftest import Sits
from tests.api.page.sitting import Form, Sitter, at_the_page
from tests.api.table import Player, Service, Table

BUTTON = re.compile(r"<button ([^>]*)>(.*?)</button>", re.DOTALL)
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
NEXT, END = "Next", "To the sheet"


@dataclass
class Maker:
    """Somebody at the maker. `page`: what is shown. `taps`: how many buttons were pressed; `refusals`: in vain."""

    sitter: Sitter
    page: str = ""
    taps: int = 0
    refusals: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.action = f"{self.sitter.at}/start/make"
        self.page = self.sitter.page("/start/make")

    def buttons(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Each button by what it is called, with its attributes."""
        for told, inside in BUTTON.findall(self.page):
            said = {name: unescape(value) for name, value in ATTRIBUTE.findall(told)}
            is_disabled = re.search(r'"\s+disabled|^disabled', told) or said.get("aria-disabled") == "true"
            said |= {"disabled": "yes"} if is_disabled else {}
            bold = re.search("<b>(.*?)</b>", inside, re.DOTALL)
            text = bold[1] if bold else re.sub("<[^>]+>", " ", inside)
            yield said.get("aria-label") or unescape(" ".join(text.split())), said

    def find(self, label: str) -> dict[str, str]:
        found = [said for called, said in self.buttons() if called == label and "hidden" not in said]
        assert found, (label, [called for called, _ in self.buttons()])
        return found[0]

    def press(self, label: str, **typed: str) -> httpx.Response:
        """Press a button, with what was typed before."""
        said = self.find(label)
        assert "disabled" not in said, (label, self.text())
        form = Form(self.page, self.action)
        assert form.there
        if said["name"] == "add":  # `new/name`: of the new item that this button adds
            typed = {name.replace("new/", f"new/{said['value']}/", 1): text for name, text in typed.items()}
        self.taps += 1
        answer = self.sitter.send(form, {**typed, said["name"]: said["value"]})
        if answer.status_code != 303:
            self.page = answer.text
            self.refusals += re.findall(r'<p class="problem"[^>]*>(.*?)</p>', self.page, re.DOTALL)
        return answer

    def text(self) -> str:
        """What is in sight: not the reasons that a tap shows."""
        page = re.sub('<span class="reason".*?</span>', "", self.page.partition('id="making"')[2])
        return unescape(re.sub(r"<[^>]+>|\s+", " ", page))

    def made(self) -> dict[str, Any]:
        made: dict[str, Any] = json.loads(Form(self.page, self.action).fields["made"][0])
        return made


#: By game: for each step, what is pressed; a pair of a button and what is typed before it.
PLANS: dict[str, list[list[str | tuple[str, dict[str, str]]]]] = {
    "intensity": [
        ["Minor", "Main"],
        [(NEXT, {"/traits/0/name": "Quick", "/traits/1/name": "Kind", "/traits/2/name": "Brave"})],
    ],
    "mnemonic": [
        [],
        [(NEXT, {"/primary_role": "Young Male Dragon"})],
        [(NEXT, {"/resist_talent": "Armoured"})],
    ],
    "mongrel": [
        ["Esseth"],
        [*["Beast: one more"] * 4, *["Man: one more"] * 2, "Beast"],
        ["Quadruped"],
        ["Female", "Young"],
        ["Size 6, Spirit 2", "Physique 3, Beauty 5", "Speed 6, Social 2"],
        ["Beauty: one less"],
        ["Rend", "Athletics"],
        ["Threaten", "Sense"],
        ["Animal Power", "Stalk"],
        ["Animal legs: one more", "Head: one more"],
        [("Add a Vow", {"new/object": "her sister", "new/about": "person"})],
    ],
    "scattershot": [
        ["Persona"],
        [*["Agility: one more"] * 3, "Strength: one less"],
        [
            ("Add a Skill", {"new/name": "Fencing", "new/difficulty": "intermediate"}),
            *["Fencing: Training: one more"] * 3,
            ("Add a Skill", {"new/name": "Climbing", "new/difficulty": "easy"}),
            "Remove Climbing",
        ],
        [],
        [("Add an element", {"new/": "hums when worried"})],
        [("Add an Advantage", {"new/name": "Famous Name", "new/scope": "at court"}), "Famous Name: Value: one more"],
        [("Add a Disadvantage", {"new/name": "Proud"})],
        [("Add a piece of protection", {"new/name": "doublet"})],
    ],
    "moc": [
        ["Hero"],
        [*["Body: one more"] * 2, "Mind: one more"],
        ["Speed: one more"],
        [*["Dodge: one more"] * 3, "First Aid: one more"],
        ["Add Swiftness"],
        [("Add a Disadvantage", {"new/name": "owes money"}), "owes money: Extra points: one more"],
    ],
}
#: What the sheet of the new character must have then.
SHEETS: dict[str, Callable[[dict[str, Any]], object]] = {
    "intensity": lambda state: [trait["name"] for trait in state["traits"]] == ["Quick", "Kind", "Brave"],
    "mnemonic": lambda state: (state["primary_role"], state["resist_talent"]) == ("Young Male Dragon", "Armoured"),
    "mongrel": lambda state: (state["attributes"]["beauty"], state["expertise"]["rend"]) == (4, 4),
    "scattershot": lambda state: (state["net"], state["ratings"]["strength"]) == (2 + 4 + 1 + 2, 9),
    "moc": lambda state: (state["ratings"]["body"], state["skills"]) == (3, {"Dodge": 3, "First Aid": 1}),
}


def empty(service: Service, system: str) -> Table:
    """A table that nobody has set up."""
    table = object.__new__(Table)
    table.service = service
    opened = service.open(system=system, name="Friday").json()
    table.id, table.gm = opened["id"], Player(table, "s1", opened["seat"]["token"])
    table.ben = table.seat("Ben", "player")
    return table


def walk(maker: Maker, name: str) -> None:
    """Take the steps of the game's plan, up to the end."""
    for number, step in enumerate(PLANS[name]):
        named = {"name": "Nora"} if number == 0 else {}
        before = maker.page
        for what in [*step, *([] if step and isinstance(step[-1], tuple) and step[-1][0] == NEXT else [NEXT])]:
            label, typed = what if isinstance(what, tuple) else (what, {})
            assert maker.press(label, **named, **typed).status_code == 200, (label, maker.text())
        assert maker.page != before


def test_every_game_has_a_plan_here() -> None:
    assert sorted(PLANS) == sorted(name for name, ruleset in systems().items() if ruleset.maker is not None)


@pytest.mark.parametrize("name", sorted(PLANS))
def test_a_game_master_makes_a_character_for_a_player(service: Service, name: str) -> None:
    table = empty(service, name)
    maker = Maker(at_the_page(table.gm))
    assert f'href="{maker.sitter.at}/start/make"' in maker.sitter.page("/start/characters")
    walk(maker, name)
    assert table.gm.look()["rulings"] == 0, "nothing is stored before the end"
    shown = re.findall(r"<article>(.*?)</article>", maker.page, re.DOTALL)[0]
    assert "Nora" in shown and " href=" not in shown, "there is nothing yet that a link could lead to"
    answer = maker.press("Add Nora")
    assert (answer.status_code, maker.refusals) == (303, [])
    assert table.gm.look()["rulings"] == 1
    (character,) = table.gm.look("/state")["characters"]
    assert (character["name"], character["seat"]) == ("Nora", table.ben.id), "who plays nobody yet"
    assert SHEETS[name](character["state"]), character["state"]
    sheet = maker.sitter.page("/sheet/character/1")
    for text in re.findall(r"<b>(\w[^<]+)</b>", shown):
        assert text in sheet, "the end showed the sheet of the table"


@pytest.mark.parametrize("name", sorted(PLANS))
def test_a_player_goes_on_with_whatever_is_chosen_for_them(service: Service, name: str) -> None:
    """And by the plainest way: nothing is typed but what nobody else can say."""
    table = empty(service, name)
    maker, taps = Maker(at_the_page(table.ben)), []
    while not any(label == "Play Nora" for label, _ in maker.buttons()):
        form = Form(maker.page, maker.action)
        typed = {path: f"Word {at}" for at, path in enumerate(form.fields) if path.startswith("/traits")}
        typed |= {"name": "Nora"} if "name" in form.fields else {}
        if "Choose for me" in [label for label, _ in maker.buttons()]:
            maker.press("Choose for me", **typed)
        maker.press(NEXT, **typed)
        taps.append(maker.taps)
    answer = maker.press("Play Nora")
    assert (answer.status_code, maker.refusals) == (303, [])
    (character,) = table.gm.look("/state")["characters"]
    assert (character["name"], character["seat"]) == ("Nora", table.ben.id)


def test_a_changed_step_leads_straight_back_to_the_finished_sheet(service: Service) -> None:
    """Unless the step lacks something: then it says what."""
    maker = Maker(at_the_page(empty(service, "mongrel").ben))
    assert END not in [label for label, _ in maker.buttons()], "nothing is finished yet"
    walk(maker, "mongrel")
    maker.press("House")
    maker.press("Nuin")
    assert maker.press(END, name=" ").status_code == 422 and "Still to choose: Name." in maker.text()
    maker.press(END, name="Nora")
    assert "Play Nora" in [label for label, _ in maker.buttons()] and "House Nuin" in maker.text()
    maker.press("Back")
    assert END not in [label for label, _ in maker.buttons()], "the last step's “Next” leads there"


# --- what is not possible ---------------------------------------------------------------------------------------------


def test_what_is_not_possible_says_why_and_is_not_done(service: Service) -> None:
    table = empty(service, "mongrel")
    maker = Maker(at_the_page(table.ben))
    maker.press("Nuin", name="Nora")
    maker.press(NEXT)
    maker.press("Man: one more")
    beast = maker.find("Beast")
    assert "disabled" not in beast, "with the points that are left"
    for _ in range(3):
        maker.press("Man: one more")
    beast = maker.find("Beast")
    assert "disabled" in beast and "The primary Identity must be the highest" in maker.text()
    before = maker.made()
    form = Form(maker.page, maker.action)
    answer = maker.sitter.send(form, {beast["name"]: beast["value"]})
    assert answer.status_code == 422 and "The primary Identity must be the highest" in answer.text
    maker.page = answer.text
    assert maker.made() == before


def test_no_reason_is_given_where_nothing_is_wrong(service: Service) -> None:
    """Neither once all points are used up, nor for bodies that the Identity does not have."""
    maker = Maker(at_the_page(empty(service, "mongrel").ben))
    maker.press("Nuin", name="Nora")
    maker.press(NEXT)
    for label in (*["Beast: one more"] * 3, *["Man: one more"] * 2, "Demon: one more", "Beast"):
        maker.press(label)
    assert "disabled" in maker.find("Demon: one more") and "<b>6 of 6</b> Identity points" in maker.page
    assert "must add up to 6" not in maker.text()
    maker.press(NEXT)
    assert "not possible" not in maker.text() and "Human" not in maker.text() and "Quadruped" in maker.text()
    while "Options of your Power" not in maker.text():
        maker.press("Choose for me" if "disabled" in maker.find(NEXT) else NEXT)
        assert "Lowering attributes" not in maker.text() or "not possible" not in maker.text()
    maker.press("Tail: one more")
    assert "disabled" in maker.find("Wings: one more") and "enough points" not in maker.text()


def test_somebody_s_own_character_is_a_persona_from_the_start(service: Service) -> None:
    table = empty(service, "scattershot")
    maker = Maker(at_the_page(table.ben))
    assert maker.find("Persona")["aria-pressed"] == "true"
    walk(maker, "scattershot")
    maker.press("Play Nora")
    assert table.gm.look("/state")["characters"][0]["state"]["kind"] == "persona"
    own = Maker(at_the_page(table.gm))
    assert own.find("Persona")["aria-pressed"] == "true", "nobody is left without a character"


def test_the_points_spent_are_told_apart_from_the_free_ones(service: Service) -> None:
    table = empty(service, "scattershot")
    maker = Maker(at_the_page(table.ben))
    walk(maker, "scattershot")
    free = "besides the 12 free ones: 2 in each Statistic"
    assert f"Development Points: 9 spent, {free}" in " ".join(maker.text().split())
    maker.press("Statistics")
    assert "9 Development Points spent, besides the 12 free ones: 2 in each Statistic." in " ".join(
        maker.text().split()
    )
    assert "A step down to 9 gives 1 back; that is the lowest" in maker.text()


def test_a_skill_shows_the_rating_that_is_bought(service: Service) -> None:
    table = empty(service, "scattershot")
    maker = Maker(at_the_page(table.ben))
    for _ in range(2):
        maker.press(NEXT, name="Nora")
    maker.press("Add a Skill", **{"new/name": "Fencing", "new/difficulty": "difficult"})
    assert "Difficult, Rating 10" in maker.text()
    maker.press("Fencing: Training: one more")
    maker.press("Fencing: Talent: one more")
    assert "Difficult, Rating 12" in maker.text()
    while not any(label == "Play Nora" for label, _ in maker.buttons()):
        maker.press(NEXT)
    maker.press("Play Nora")
    assert table.gm.look("/state")["characters"][0]["state"]["ratings"]["Fencing"] == 12


#: What is typed or chosen in the maker, and where; and what the sheet must show of it.
TYPED: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "mongrel": (
        {"demon": 0, "description": "Big as a wagon.", "unnatural": ["casts no shadow"]},
        ("Big as a wagon.", "casts no shadow", "Body: quadruped", "Beast 4 (primary)"),
    ),
    "scattershot": (
        {"description": "Owes money everywhere.", "elements": ["hums when worried"]},
        ("Owes money everywhere.", "hums when worried"),
    ),
}


@pytest.mark.parametrize("name", sorted(TYPED))
def test_the_sheet_shows_what_was_typed(service: Service, name: str) -> None:
    table = empty(service, name)
    maker = Maker(at_the_page(table.ben))
    walk(maker, name)
    typed, shown = TYPED[name]
    sheet = {at: value for at, value in {**maker.made()["sheet"], **typed}.items() if at != "lowered"}
    table.gm.does("/characters", {"name": "Nora", "seat": table.ben.id, "sheet": sheet})
    page = maker.sitter.page("/sheet/character/1").partition("<summary>All values</summary>")[0]
    text = " ".join(unescape(re.sub("<[^>]+>", " ", page)).split())
    assert "About Nora" in text
    for words in shown:
        assert words in text, words


def test_a_step_that_lacks_something_says_what(service: Service) -> None:
    table = empty(service, "mongrel")
    maker = Maker(at_the_page(table.ben))
    assert "disabled" in maker.find(NEXT) and "Still to choose: House." in maker.text()
    answer = maker.sitter.send(Form(maker.page, maker.action), {"go": "next"})
    assert answer.status_code == 422 and "Still to choose: Name, House." in unescape(answer.text)
    maker.press("Nuin")
    assert "disabled" not in maker.find(NEXT) and "Still to choose" not in maker.text()
    assert maker.press(NEXT).status_code == 422 and "Still to choose: Name." in maker.text()


def test_characteristics_say_what_they_are_for(service: Service) -> None:
    """Those that the rules print without a name stand apart."""
    maker = Maker(at_the_page(empty(service, "moc").ben))
    for label in ("Hero", NEXT, NEXT):
        maker.press(label, name="Nora")
    named, _, nameless = " ".join(maker.text().split()).partition("Characteristics without a name")
    assert "Presence under Body, Mind and Spirit; for Persuasion and Deception; the next for 6 points" in named
    assert "At (Body-Mind)" not in named
    assert "At (Body-Mind) under Body and Mind; no skill uses it; the next for 6 points" in nameless
    assert "print only short forms" in nameless


def test_a_new_item_needs_what_is_asked_for(service: Service) -> None:
    table = empty(service, "moc")
    maker = Maker(at_the_page(table.ben))
    maker.press("Hero", name="Nora")
    for _ in PLANS["moc"][:-1]:
        maker.press(NEXT)
    assert maker.press("Add a Disadvantage").status_code == 422 and "Still to choose: What it is." in maker.text()
    assert maker.press("Add a Disadvantage", **{"new/name": "owes money"}).status_code == 200
    made = maker.made()
    assert maker.press("Add a Disadvantage", **{"new/name": "owes money"}).status_code == 422
    assert "owes money is already on the list." in maker.text() and maker.made() == made


def test_what_is_typed_for_a_new_item_is_not_lost(service: Service) -> None:
    """Also by whoever forgets to add it: Next does, and says what it lacks."""
    maker = Maker(at_the_page(empty(service, "scattershot").ben))
    maker.press(NEXT, name="Nora")
    maker.press(NEXT)
    (name,) = (called for called in Form(maker.page, maker.action).fields if called.startswith("new/"))
    difficulty = name.replace("/name", "/difficulty")
    assert maker.press(NEXT, **{name: "Riding"}).status_code == 422
    assert "Still to choose: How hard it is to learn." in maker.text() and 'value="Riding"' in maker.page
    assert maker.press(NEXT, **{name: "Riding", difficulty: "easy"}).status_code == 200
    assert maker.made()["sheet"]["skills"] == [{"name": "Riding", "difficulty": "easy", "training": 1}]
    maker.press("Back")
    maker.press("Riding: Training: one more", **{name: "Swimming", difficulty: "easy"})
    assert 'value="Swimming"' in maker.page and len(maker.made()["sheet"]["skills"]) == 1
    assert maker.press("Add a Skill", **{"new/name": "Swimming", "new/difficulty": "easy"}).status_code == 200
    assert 'value="Swimming"' not in maker.page and len(maker.made()["sheet"]["skills"]) == 2


def test_going_back_keeps_what_still_fits(service: Service) -> None:
    table = empty(service, "mongrel")
    maker = Maker(at_the_page(table.ben))
    walk(maker, "mongrel")
    maker.press("Identity")
    for label in ("Beast: one less", "Beast: one less", "Beast: one less", "Demon: one more", "Man: one more"):
        maker.press(label)
    sheet = maker.made()["sheet"]
    assert (sheet["house"], sheet["plus_three"]) == ("esseth", ["rend", "athletics"])
    assert "plus_one" not in sheet, "the Power of another Identity was among them"
    assert "primary" not in sheet and "body" not in sheet and "power" not in sheet
    assert sheet["vows"] == [{"object": "her sister", "about": "person"}]


def test_the_end_is_sent_once(service: Service) -> None:
    table = empty(service, "intensity")
    maker = Maker(at_the_page(table.ben))
    walk(maker, "intensity")
    form, play = Form(maker.page, maker.action), maker.find("Play Nora")
    answers = [maker.sitter.send(form, {play["name"]: play["value"]}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert table.gm.look()["rulings"] == 1


def test_a_player_makes_nobody_for_others(service: Service) -> None:
    table = empty(service, "intensity")
    maker = Maker(at_the_page(table.ben))
    walk(maker, "intensity")
    assert maker.press("Play Nora", seat=table.gm.id).status_code == 303
    assert [each["seat"] for each in table.gm.look("/state")["characters"]] == [table.ben.id]


def test_a_game_master_can_choose_who_plays(service: Service) -> None:
    table = empty(service, "intensity")
    maker = Maker(at_the_page(table.gm))
    walk(maker, "intensity")
    assert maker.press("Add Nora", seat=table.gm.id).status_code == 303
    assert [each["seat"] for each in table.gm.look("/state")["characters"]] == [table.gm.id]


def test_who_has_to_agree_is_asked_once(service: Service) -> None:
    table = empty(service, "moc")
    maker = Maker(at_the_page(table.ben))
    walk(maker, "moc")
    assert "Before the character joins, a question must be answered" in maker.text()
    answer = maker.press("Play Nora")
    assert answer.status_code == 303 and "?waiting=" in answer.headers["location"]
    assert table.gm.look()["rulings"] == 0 and len(table.gm.look("/waiting")["waiting"]) == 1


def test_forms_that_are_not_ours_change_nothing(service: Service) -> None:
    table = empty(service, "intensity")
    maker = Maker(at_the_page(table.ben))
    form = Form(maker.page, maker.action)
    made = '{"name": "A", "sheet": {"kind": ["main"]}}'
    assert maker.sitter.send(form, {"made": made}).status_code == 403, "not as it was shown"
    assert maker.sitter.send(form, {"go": "next"}, origin="https://elsewhere.example").status_code == 403
    assert maker.sitter.send(form, {"press": '0 {"kind": ["main"]}'}).status_code == 422, "no button says that"
    odd = {"press": "99 {}", "go": "99", "at": "x", "add": "7", "new/x/name": "A", "/traits/0/name": "A"}
    for name, value in odd.items():
        assert maker.sitter.send(form, {name: value, "name": "Nora"}).status_code == 200
    long = {"name": "N" * 1000, "go": "next"}
    maker.page = maker.sitter.send(form, long).text
    assert maker.made()["name"] == "N" * 200
    assert table.gm.look()["rulings"] == 0


def test_observers_make_nobody(service: Service) -> None:
    table = empty(service, "intensity")
    sitter = at_the_page(table.seat("Eve", "observer"))
    assert sitter.get(f"{sitter.at}/start/make").status_code == 403


def test_a_game_without_steps_keeps_its_form(service: Service) -> None:
    sitter = at_the_page(begun(service, "toy").ben)
    assert sitter.get(f"{sitter.at}/start/make").status_code == 404
    assert f'href="{sitter.at}/declare/enrol"' in sitter.page("/start/characters")
    assert "step by step" not in sitter.page("/declare/enrol")


# --- in a browser -----------------------------------------------------------------------------------------------------


def test_a_newcomer_makes_a_character_on_a_phone(service: Service, sits: Sits) -> None:
    """Taps change the step in place, and queue; every step is accessible and fits; the keyboard does the same."""
    table = empty(service, "mongrel")
    ben = sits(table.ben.token)
    page = ben.look("/start/characters")
    ben.sends(page.get_by_role("link", name="Make a character"))
    page.get_by_label("Name of the character").fill("Nora")

    def goes_on() -> None:
        ben.accessible()
        ben.fits()
        before = page.locator("#step").inner_text()
        page.get_by_role("button", name="Next", exact=True).click()
        expect(page.locator("#step")).not_to_have_text(before)
        expect(page.locator("#step")).to_be_focused()

    page.get_by_role("button", name="Esseth").click()
    expect(page.get_by_role("button", name="Esseth")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_label("Name of the character")).to_have_value("Nora")
    goes_on()
    more = page.get_by_role("button", name="Beast: one more")
    more.focus()
    for _ in range(4):
        ben.press("Enter")
    expect(page.locator(".budget")).to_have_text("4 of 6 Identity points")
    expect(more).to_be_focused()
    page.get_by_role("button", name="Choose for me").click()
    expect(more).to_be_disabled()
    goes_on()
    for _ in range(2):
        if page.get_by_role("button", name="Choose for me").is_visible():
            page.get_by_role("button", name="Choose for me").click()
            expect(page.get_by_role("button", name="Next", exact=True)).to_be_enabled()
        goes_on()
    ben.picture("maker-attributes")
    while not page.get_by_role("button", name="Play Nora").is_visible():
        if page.get_by_role("button", name="Choose for me").is_visible():
            page.get_by_role("button", name="Choose for me").click()
            expect(page.get_by_role("button", name="Next", exact=True)).to_be_enabled()
        if page.locator("#step").inner_text() == "Vows":
            page.get_by_label("To whom, or to what").fill("his sister")
            page.get_by_label("Kind of Vow").select_option("person")
            page.get_by_role("button", name="Add a Vow").click()
            expect(page.get_by_role("button", name="Remove his sister")).to_be_visible()
        goes_on()
    ben.accessible()
    ben.fits()
    ben.picture("maker-end")
    ben.sends(page.get_by_role("button", name="Play Nora"))
    assert "Nora joins" in page.inner_text("main") and table.gm.look()["rulings"] == 1
