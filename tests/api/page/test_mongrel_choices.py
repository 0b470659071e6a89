"""What a sheet, a board, a prompt and a question of Mongrel say, and what their buttons do."""

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
from tests.api.page.sitting import Sitter, at_the_page, part, pressed
from tests.api.page.small_forms import opens_folds
from tests.api.table import Json, Player, Service, Table
from tests.levels import sampled

SENNA, TORREC = "1", "2"  # Ben's, and Cleo's
REND: Json = {"actor": TORREC, "target": SENNA, "expertise": "rend", "attribute": "physique"}


@pytest.fixture
def conflict(service: Service) -> Table:
    """Torrec is next."""
    table = begun(service, "mongrel")
    table.gm.declare("open-conflict", participants=[SENNA, TORREC])
    return table


def buttons(html: str) -> list[str]:
    return [label for label in re.findall(r"<button[^>]*>([^<]+)</button>", html) if label != "I roll my own dice"]


def attack(table: Table, *answers: Json, by: Player | None = None, **fields: object) -> Json:
    """Torrec attacks Senna Vail. What waits."""
    declared = {"kind": "attack", **REND, **fields}
    return (by or table.cleo).does("/rulings", {"declare": declared, "answers": list(answers)}, 202)


def meets(table: Table, waiting: Json, *faces: int, defends: bool = False, status: int = 202) -> None:
    """Senna Vail meets the attack, and Torrec's dice fall so. `status`: 201 if nothing else is asked."""
    answer = {"choice": {"kind": "defend" if defends else "stand"}}
    table.ben.does(f"/waiting/{waiting['id']}/answers", {"answer": answer}, 202)
    dice = {"dice": {"sides": 6, "faces": list(faces)}}
    table.cleo.does(f"/waiting/{waiting['id']}/answers", {"answer": dice}, status)


def thrown(table: Table, *faces: int, defends: bool = False, status: int = 202) -> Sitter:
    """The same, with dice of their own. After a hit, Ben is asked about Beauty."""
    declared = {"kind": "attack", **REND}
    waiting = table.cleo.does("/rulings", {"declare": declared, "answers": [], "dice": "table"}, 202)
    meets(table, waiting, *faces, defends=defends, status=status)
    return at_the_page(table.ben)


def test_one_line_describes_a_turn_and_the_prompt_has_its_three_actions(conflict: Table) -> None:
    cleo, ben = at_the_page(conflict.cleo), at_the_page(conflict.ben)
    turn = part(cleo, "turn")
    assert "Your turn: attack , act or pass (Torrec)." in plain(turn)
    front = re.sub(r'<details class="pick[^"]*">.*?</details>', "", turn, flags=re.DOTALL)
    assert buttons(front) == ["Attack Senna Vail with Rend", "Pass"] and "<summary>Act …</summary>" in turn
    assert buttons(part(ben, "turn")) == ["Move Senna Vail to the front"]


def test_everybody_reads_the_same_of_a_turn(conflict: Table) -> None:
    conflict.gm.declare("adjust", source="character:2/ap", target="bank/ap", unit="ap", amount=1, reason="A long run.")
    lines = {
        re.sub(r"Your turn|Waiting for Cleo|<.*?>", "", line).strip()
        for player in (conflict.gm, conflict.ben, conflict.cleo)
        for line in re.findall(r"(?:Your turn|Waiting for Cleo).*", part(at_the_page(player), "turn"))
    }
    assert {line.partition(".")[0] for line in lines} == {": attack, act, recover or pass (Torrec)"}
    assert "Your turn: attack, act, recover or pass" in plain(at_the_page(conflict.cleo).page("/yours"))


def test_an_attack_is_one_tap_and_so_is_its_answer(conflict: Table) -> None:
    cleo, ben = at_the_page(conflict.cleo), at_the_page(conflict.ben)
    assert pressed(cleo, "Attack Senna Vail with Rend") == 303
    question = plain(part(ben, "asked"))
    assert "Torrec attacks Senna Vail with Rend: 4 dice." in question
    assert "Action Points 4 → 3, and Torrec’s 6 → 5, or 4 if the attack misses." in question
    assert "Costs Senna Vail nothing. If the attack misses, it costs Torrec 1 Action Point." in question
    assert "Without a defence, every die counts, unless half or more show 6 (Torrec’s Physique)." in question
    assert "Against a defence, dice of 3 or more count (Senna Vail’s Physique)." in question
    assert "The Effect is 1 for each die that counts, plus 5 (Beast)." in question
    assert "A hit does damage. Senna Vail: damage 0, Size 3, Physique 3, Beauty 5." in question
    assert buttons(part(cleo, "turn")) == ["Take back"], "nobody attacks twice by a slip"
    for player in (conflict.gm, conflict.cleo):
        moves, _, _ = part(at_the_page(player), "moves").partition('<details class="group more-actions"')
        assert "/declare/" not in moves and "/tap/" not in moves, "only the answer is waited for"
    assert pressed(ben, "Do not defend") == 303


def test_who_cannot_defend_is_told_why_and_asked_nothing_else(conflict: Table) -> None:
    conflict.gm.declare("adjust", source="character:1/ap", target="bank/ap", unit="ap", amount=4, reason="A long run.")
    attack(conflict)
    question = part(at_the_page(conflict.ben), "asked")
    assert "Senna Vail cannot defend: no Action Points are left." in plain(question)
    assert "Does Senna Vail defend?" not in plain(question) and buttons(question)[0] == "Continue"
    assert "Senna Vail cannot defend" in part(at_the_page(conflict.cleo), "turn")


def test_a_question_about_words_speaks_of_no_attack(conflict: Table) -> None:
    attack(conflict, expertise="seduce", attribute="beauty")
    question = plain(part(at_the_page(conflict.ben), "asked"))
    assert "Torrec uses Seduce on Senna Vail : 1 die." in question and "attack" not in question
    assert "If Seduce fails, it costs Torrec 1 Action Point." in question


def test_what_goes_to_beauty_is_asked_with_the_dice_and_with_what_each_answer_leads_to(conflict: Table) -> None:
    ben = thrown(conflict, 3, 1, 4, 2, defends=True)
    question = part(ben, "asked")
    assert re.findall(r'<svg class="d ([a-z]+)".*?>(\d)</text>', question) == [
        ("counts", "3"),
        ("fails", "1"),
        ("counts", "4"),
        ("fails", "2"),
    ]
    words = plain(question)
    assert "How much of the damage (7) goes to Beauty?" in words and "Beauty 5." in words
    assert "0: all 7 count Damage 7: Senna Vail collapses." in words
    assert "2 to Beauty Damage 5, Physique 2, 1 Action Point lost; Beauty 5 → 3, 1 point lost for good." in words
    assert "4 to Beauty Damage 3" in words
    assert "Beauty 5 → 1, 1 point lost for good." in words
    assert pressed(ben, "4 to Beauty") == 303
    after = conflict.gm.look("/characters/1")["state"]
    assert (after["damage"], after["physique"], after["attributes"]["beauty"]) == (3, 3, 4)


@pytest.mark.parametrize(
    ("faces", "points", "said", "state"),
    [
        ((1, 1, 1, 1), 0, "Damage 9: Senna Vail collapses", {"damage": 9, "collapsed": True}),
        ((1, 1, 1, 1), 3, "Damage 6, Physique 2", {"damage": 6, "physique": 2}),
        ((1, 1, 1, 1), 5, "Damage 4, Physique 2", {"damage": 4, "physique": 2}),
    ],
)
def test_what_an_answer_is_said_to_lead_to_comes_true(
    conflict: Table, faces: tuple[int, ...], points: int, said: str, state: Json
) -> None:
    ben = thrown(conflict, *faces)
    label = f"{points} to Beauty" if points else f"0: all {state['damage']} count"
    assert f"{label} {said}" in plain(part(ben, "asked"))
    assert pressed(ben, label) == 303
    after = conflict.gm.look("/characters/1")["state"]
    assert {name: after[name] for name in state} == state


def test_why_explains_the_beauty_that_is_left(conflict: Table) -> None:
    ben = thrown(conflict, 1, 2, 3, 4)
    assert pressed(ben, "5 to Beauty") == 303
    (address,) = re.findall(
        r'<small>Beauty</small><a class="value" href="([^"]+)">0</a><small>of 4</small>', part(ben, "own")
    )
    why = plain(ben.get(address).text)
    assert "Beauty: 0" in why and "Senna Vail shunts 5 points of damage to Beauty." in why


def test_terminal_damage_says_what_staying_alive_costs_and_death_takes_a_form(conflict: Table) -> None:
    conflict.gm.declare("take-hit", character=SENNA, effect=30, shunt=0, hit_kind="physical", reason="A fall.")
    ben = at_the_page(conflict.ben)
    turn = part(ben, "turn")
    assert "Your turn: stay alive or die (Senna Vail)." in plain(turn)
    assert "Spending 1 of 5 Infernal Resolve keeps Senna Vail alive." in plain(turn)
    assert buttons(turn) == ["Spend 1 and get up", "Spend 1 and stay down"] and ">Let Senna Vail die …</a>" in turn
    (dies,) = re.findall(r'href="([^"]+)">Let Senna Vail die …', turn)
    assert re.search(r'name="/declare/spend" value="false"[^>]* checked', ben.get(unescape(dies)).text), "it is chosen"
    assert not buttons(part(at_the_page(conflict.cleo), "turn"))
    assert pressed(ben, "Spend 1 and get up") == 303
    assert not conflict.gm.look("/characters/1")["state"]["collapsed"]


def test_without_action_points_one_recovers_or_passes(conflict: Table) -> None:
    conflict.gm.declare("adjust", source="character:2/ap", target="bank/ap", unit="ap", amount=6, reason="A long run.")
    turn = part(at_the_page(conflict.cleo), "turn")
    assert "Torrec can only recover or pass." in plain(turn) and buttons(turn) == ["Recover", "Pass"]


def test_the_card_does_not_tell_each_time_who_is_present(conflict: Table) -> None:
    number = conflict.cleo.declare("pass", character=TORREC)["number"]
    cleo = at_the_page(conflict.cleo)
    assert "Torrec's turn is over." in plain(cleo.page(f"/?ruling={number}"))
    assert "counts as present" not in cleo.page(f"/?ruling={number}")
    assert "Torrec counts as present in session 1." in plain(cleo.page(f"/rulings/{number}"))


def test_the_sheet_has_expertise_as_buttons_the_best_first(service: Service) -> None:
    table = begun(service, "mongrel")
    own = part(at_the_page(table.ben), "own")
    names = re.findall(r'<li><(?:details class="pick"><summary>|a class="way"[^>]*>)<b>([^<]+)</b>', own)
    assert names[:5] == ["Chill", "Occult", "Resist", "Stalk", "Sense"], "of the same level, as they were picked"
    first = own[own.index("<b>Chill</b>") : own.index("</details>", own.index("<b>Chill</b>"))]
    assert "4 dice" in first and buttons(first)[:2] == ["Roll against Spirit 5", "Size 3"]
    assert "At or above Torrec’s attribute:" in first and "Roll against Spirit 2" in buttons(first)
    people = part(at_the_page(table.gm), "people")
    assert "<button" not in people, "a game master’s buttons are few"
    assert '<span class="way"><b>Chill</b>' in people and 'class="way" href' not in people, "it is Ben who rolls"


def test_the_prompt_offers_what_somebody_does_best(service: Service) -> None:
    """Pell knows more about information, which he did not pick, than about lying, which he did."""
    table = begun(service, "mongrel")
    pell = service.client.get("/systems/mongrel").json()["people"]["Pell Ferrow"]
    picks = {"plus_two": ["borg_power", "resist"], "plus_one": ["lie", "athletics"]}
    joined = table.gm.does("/characters", {"name": "Pell", "seat": table.ben.id, "sheet": {**pell, **picks}})
    table.gm.declare("close-scene", scene=table.gm.look("/state")["scenes"][0]["id"])
    table.gm.does("/scenes", {"title": "The docks", "cast": [joined["character"]]})
    turn = part(at_the_page(table.ben), "turn")
    assert re.findall(r"<summary>(\w+) <small>", turn) == ["Missile", "Repair", "Information"]


def test_a_conflict_which_is_rare_is_no_main_button(service: Service) -> None:
    table = begun(service, "mongrel")
    turn = part(at_the_page(table.gm), "turn")
    assert re.search(r'<span class="minor"><form [^>]*/tap/open-conflict"', turn)
    assert "No conflict is open." not in part(at_the_page(table.ben), "turn"), "Ben begins none"
    assert "from their sheets" not in turn, "the page asks them what they try"


def add_oriel(table: Table) -> str:
    """The game master adds an opponent to the open scene. Return its id."""
    oriel = table.service.client.get("/systems/mongrel").json()["people"]["Oriel"]
    joined = table.gm.does("/characters", {"name": "Oriel", "seat": table.gm.id, "sheet": oriel})
    return str(joined["character"])


def test_an_opponent_who_is_added_is_in_the_open_scene(service: Service) -> None:
    table = begun(service, "mongrel")
    oriel = add_oriel(table)
    gm, ben = at_the_page(table.gm), at_the_page(table.ben)
    assert "<span>Oriel</span>" in part(ben, "scene") and "Oriel Action Points" in plain(part(ben, "scene"))
    assert "At or above Oriel’s attribute:" in part(ben, "own"), "who can be rolled against"
    assert "What does Oriel try?" in plain(part(gm, "turn"))
    assert pressed(gm, "Begin a conflict with all 3") == 303
    conflict = table.gm.look("/state")["scenes"][0]["state"]["conflict"]
    assert oriel in conflict["participants"]


def test_an_opponent_can_join_the_open_conflict(conflict: Table) -> None:
    oriel = add_oriel(conflict)
    assert "joins the conflict" not in part(at_the_page(conflict.ben), "turn")
    assert pressed(at_the_page(conflict.gm), "Oriel joins the conflict") == 303
    state = conflict.gm.look("/state")["scenes"][0]["state"]
    assert state["conflict"]["queue"][-1] == oriel
    assert "Attack Oriel with Rend" in buttons(part(at_the_page(conflict.cleo), "turn"))


def test_who_joins_while_two_scenes_are_open_is_in_the_later_one(service: Service) -> None:
    table = begun(service, "mongrel")
    table.gm.does("/scenes", {"title": "The docks", "cast": []})
    add_oriel(table)
    earlier, later = part(at_the_page(table.gm), "scene").split("The docks")
    assert "<span>Oriel</span>" in later and "Oriel" not in earlier


def test_a_roll_names_its_expertise_with_a_capital(service: Service) -> None:
    table = begun(service, "mongrel")
    made = table.ben.declare("roll-task", actor=SENNA, side="own", attribute="spirit", expertise="know")
    ben = at_the_page(table.ben)
    assert "for Senna Vail (Know)." in plain(ben.page(f"/rulings/{made['number']}/dossier"))
    assert "Result: Know 1, Resist 3, Burn 1" in plain(ben.page("/rulings/1"))


def test_the_card_says_whether_dice_must_show_the_target_at_least_or_at_most(service: Service) -> None:
    table = begun(service, "mongrel")
    ben = at_the_page(table.ben)
    task: Json = {"actor": SENNA, "attribute": "spirit", "expertise": "know"}
    own = table.ben.declare("roll-task", **task, side="own")["number"]
    assert "<span>5 or less</span>" in ben.page(f"/?ruling={own}")
    against = table.ben.declare("roll-task", **task, side="target", target=TORREC)["number"]
    assert "<span>2 or more</span>" in ben.page(f"/?ruling={against}")


def test_the_card_of_an_overturned_roll_shows_no_result(service: Service) -> None:
    table = begun(service, "mongrel")
    made = table.ben.declare("roll-task", actor=SENNA, side="own", attribute="spirit", expertise="know")
    ben, path = at_the_page(table.ben), f"/?ruling={made['number']}"
    assert 'class="rolls"' in ben.page(path)
    table.gm.does(f"/rulings/{made['number']}/overturn", {"reason": "It never was."}, 200)
    page = ben.page(path)
    assert "This ruling was overturned." in page and 'class="rolls"' not in page


def test_where_nothing_is_asked_of_a_player_the_page_says_why(conflict: Table) -> None:
    ben = at_the_page(conflict.ben)
    own = plain(part(ben, "own"))
    assert "Senna Vail can roll these when it is their turn." in own and "Roll against" not in own
    assert "when it is their turn" not in part(at_the_page(conflict.cleo), "own")
    conflict.gm.declare("close-conflict")
    conflict.gm.declare("close-scene", scene=conflict.gm.look("/state")["scenes"][0]["id"])
    assert "No scene is open, so you don’t have to do anything now." in part(ben, "turn")
    assert "you don’t have to do anything" not in part(at_the_page(conflict.gm), "turn")
    conflict.gm.does("/scenes", {"title": "The docks", "cast": [TORREC]})
    assert "Senna Vail is not in this scene." in part(ben, "turn")


@pytest.mark.parametrize(
    ("effects", "sentence", "open_places"),
    [
        ([2], "Damage 2 of 9", "3 in the clear zone, 3 in the gray zone."),
        (
            [5],
            "With Physique 2, the next hit makes Senna Vail collapse, and at 8 damage or more it is terminal.",
            "0 in the clear zone, 2 in the gray zone, 2 terminal.",
        ),
        (
            [4, 1],
            "With Physique 1, the next hit is terminal.",
            "0 in the clear zone, 0 in the gray zone, 4 terminal.",
        ),
    ],
)
def test_a_wound_takes_no_place_from_the_damage_track(
    service: Service, effects: list[int], sentence: str, open_places: str
) -> None:
    table = begun(service, "mongrel")
    for effect in effects:
        table.gm.declare("take-hit", character=SENNA, effect=effect, shunt=0, hit_kind="physical", reason="A fall.")
    own = part(at_the_page(table.ben), "own")
    ((label, places),) = re.findall(r'aria-label="(\d+ damage\. [^"]+)">(.*?)</p>', own)
    assert places.count("<i ") == 9 and places.count(" on") == sum(effects)
    assert label.endswith(f"Open: {open_places}")
    assert f"Damage {sum(effects)} of 9" in plain(own) and sentence in plain(own)


def overturn(table: Table, number: int) -> None:
    """Later rulings stay as recorded."""
    table.gm.does(f"/rulings/{number}/overturn", {"reason": "It never was."}, 200)


def test_more_action_points_than_the_maximum_need_attention(conflict: Table) -> None:
    thrown(conflict, 1, 1, 1, 1, defends=True, status=201)
    missed = conflict.gm.look("/rulings", limit=500)["rulings"][-1]["number"]
    conflict.gm.declare("pass", character=SENNA)
    conflict.cleo.declare("recover", character=TORREC, minute=0)
    assert "more than the maximum" not in part(at_the_page(conflict.cleo), "own")
    overturn(conflict, missed)
    cleo = at_the_page(conflict.cleo)
    for section in (part(cleo, "own"), part(cleo, "scene")):
        assert "Torrec has 8 Action Points, more than the maximum of 6. Needs attention" in plain(section)
        assert f'<a href="{cleo.at}/findings">Needs attention</a>' in section


def test_a_terminal_stage_that_its_damage_does_not_explain_needs_attention(service: Service) -> None:
    table = begun(service, "mongrel")
    hit: Json = {"character": SENNA, "shunt": 0, "hit_kind": "physical", "reason": "A fall."}
    first = table.gm.declare("take-hit", effect=4, **hit)["number"]
    table.gm.declare("take-hit", effect=6, **hit)
    table.ben.declare("answer-terminal", character=SENNA, spend=True, recover=True)
    assert "Needs attention" not in part(at_the_page(table.ben), "own")
    overturn(table, first)
    own = plain(part(at_the_page(table.ben), "own"))
    assert "Senna Vail is in the terminal stage, with 6 damage of 9. Needs attention" in own


def test_the_sheet_says_what_a_vow_binds_to(service: Service) -> None:
    table = begun(service, "mongrel")
    assert "Vow to a goal: to learn what the Sfere keep from their own" in plain(part(at_the_page(table.ben), "own"))
    assert "Vow to a person: his sister, taken by the Druinar" in plain(part(at_the_page(table.cleo), "own"))


@pytest.mark.parametrize("fights", [False, True])
def test_every_roll_can_be_made_with_own_dice(service: Service, fights: bool) -> None:
    """The box beside other buttons counts only for those of its own form."""
    table = begun(service, "mongrel")
    if fights:
        table.gm.declare("open-conflict", participants=[SENNA, TORREC])
    page = at_the_page(table.cleo).page("/")
    forms = re.findall(r'<form [^>]*/tap/(?:act|attack|roll-task)".*?</form>', page, re.DOTALL)
    assert any("Roll against Spirit 5" in form for form in forms), "against somebody else"
    assert all('name="dice" value="table"' in form for form in forms)
    boxes = [form for form in forms if 'type="checkbox"' in form]
    assert boxes and all(form.index('type="checkbox"') < form.index("<button") for form in boxes)


def test_the_board_shows_who_is_next_and_what_everybody_has_left(conflict: Table) -> None:
    gm = at_the_page(conflict.gm)
    board = plain(part(gm, "scene"))
    assert "Torrec acts next" in board and "Damage 0" in board
    attack(conflict)
    assert "Torrec attacks Senna Vail with Rend: 4 dice." in plain(part(gm, "scene"))
    assert 'aria-label="Action Points: 6 of 6"' in part(gm, "scene")


@pytest.mark.parametrize(
    ("size", "scheme"), sampled([(PHONE, "light"), (LAPTOP, "dark")], 1, salt="mongrel", several=True)
)
def test_sheet_prompt_and_board_fit_and_are_accessible(
    conflict: Table, sits: Sits, size: tuple[int, int], scheme: Literal["light", "dark"]
) -> None:
    device = sits(conflict.cleo.token, size=size, scheme=scheme)
    opens_folds(device)
    device.accessible()
    device.fits()
    device.picture(f"mongrel-{scheme}")


def test_the_question_about_beauty_fits_a_phone_and_is_accessible(conflict: Table, sits: Sits) -> None:
    thrown(conflict, 1, 2, 3, 4)
    device = sits(conflict.ben.token)
    expect(device.page.locator("#asked svg.d")).to_have_count(4)
    device.accessible()
    device.fits()
    device.picture("mongrel-beauty")


def test_the_past_is_laid_out_and_nothing_is_declared_in_it(conflict: Table) -> None:
    last = conflict.gm.look("/rulings", limit=500)["rulings"][-1]["number"]
    page = at_the_page(conflict.gm).page(f"/back?at={last}").partition('id="then"')[2]
    assert 'class="board"' in page and 'class="skills"' in page and "<form" not in page
