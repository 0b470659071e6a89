"""Every value of every sheet of every game leads to why it is so, in sentences; without a browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest

from ledger.rules import systems
from tests.api.page.sitting import Sitter, at_the_page
from tests.api.table import Table
from tests.levels import sampled

ALL = pytest.mark.parametrize("name", sampled(sorted(systems()), 2, salt="why"))


def sheets(table: Table) -> list[str]:
    """Of the campaign, everybody who ever was in it and all its scenes."""
    campaign = table.gm.look()
    people = [one["id"] for one in table.gm.look("/characters")["characters"]]
    return ["campaign", *(f"character/{one}" for one in people), *(f"scene/{one['id']}" for one in campaign["scenes"])]


def values(sitter: Sitter, sheet: str) -> list[str]:
    page = sitter.page(f"/sheet/{sheet}")
    return [unescape(one) for one in re.findall(r'href="([^"]+/why/[^"]+)"', page)]


@ALL
def test_values_answer_why(campaign: Callable[[str], Table], name: str) -> None:
    """Of what stands beside each other in a record, or in records that are alike, the first and the last."""
    table = campaign(name)
    gm = at_the_page(table.gm)
    beside: dict[str, list[str]] = {}
    for sheet in sheets(table):
        for path in values(gm, sheet):
            beside.setdefault(re.sub("[0-9]+", "0", path.rpartition("/")[0]), []).append(path)
    for path in (path for some in beside.values() for path in {some[0], some[-1]}):
        answer = gm.get(path)
        assert answer.status_code == 200, (path, answer.text[-600:])
        heading, rest = re.split("</h1>", answer.text.partition("<h1>")[2])
        assert ": " in heading and re.search(r"<p[^>]*>[^<]*[a-z][^<]*[.!?]", rest), path


def shown(document: object) -> int:
    """How many values a document has: nothing, too, is one."""
    below = document.values() if isinstance(document, dict) else document if isinstance(document, list) else ()
    return sum(map(shown, below)) or 1


@ALL
def test_every_value_of_a_state_is_on_its_sheet(campaign: Callable[[str], Table], name: str) -> None:
    table = campaign(name)
    gm = at_the_page(table.gm)
    for sheet in sheets(table):
        kind, _, id = sheet.partition("/")
        document = table.gm.look(f"/{kind}s/{id}") if id else table.gm.look("/state")["campaign"]
        values_ = [one for one in values(gm, sheet) if "/state/" in one or "/balances/" in one]
        assert len(set(values_)) == sum(map(shown, document["state"].values())) + len(document["balances"]), sheet


@ALL
def test_no_label_on_the_first_view_or_a_sheet_is_an_id_or_a_word_of_the_machine(
    campaign: Callable[[str], Table], name: str
) -> None:
    """Of a value, of a list, of an account: words; where a person is meant, by name."""
    table = campaign(name)
    gm = at_the_page(table.gm)
    page = gm.page("/").partition('id="scene"')[2] + "".join(gm.page(f"/sheet/{sheet}") for sheet in sheets(table))
    labels = re.findall(r"<dt>([^<]*)</dt>", page) + re.findall(r"<label><span>([^<]*)</span>", page)
    assert labels
    ids = {one["id"] for one in table.gm.look("/characters")["characters"]}
    assert [one for one in labels if ids & set(one.split()[1:]) or re.search("[_:]|[a-z]-[a-z]", one)] == []


def test_the_words_of_a_game_are_those_on_its_sheets(campaign: Callable[[str], Table]) -> None:
    gm = at_the_page(campaign("intensity").gm)
    page = unescape(gm.page("/"))
    assert "Advantage points against Steve" in page and "Ap 3" not in page
    assert "Advantage points against Steve" in unescape(gm.page("/accounts"))


@ALL
def test_what_a_rule_was_held_against_names_people(campaign: Callable[[str], Table], name: str) -> None:
    """Where a game has no sentence of its own for a step: whoever is meant by name, everything by what it is called."""
    table = campaign(name)
    gm = at_the_page(table.gm)
    people = {one["id"]: one["name"] for one in table.gm.look("/characters")["characters"]}
    steps = table.service.client.get(f"/systems/{name}").json()["steps"]
    for ruling in table.gm.look("/rulings", limit=500)["rulings"]:
        bare = [one for one in ruling["because"] if one["text"] == one["statement"]]
        told = unescape(gm.page(f"/rulings/{ruling['number']}")).partition("<h2>How it was worked out</h2>")[2]
        for step in bare:
            for what, value in [*step["given"].items(), (step["rule"], step["out"])]:
                some = value if isinstance(value, list) else [value]
                meant = [one for one in some if isinstance(one, str) and one in people]
                if steps.get(what) == "character":
                    assert all(people[one] in told for one in meant), (ruling["number"], step)
        assert not re.search(r">[^<]*\b(Char|Tn|Defence4|Attack4|Step1) ", told), ruling["number"]


def test_who_recorded_a_change_stands_with_it_and_bars_are_explained(table: Table) -> None:
    """Not below what others said about it; and what the bars are is said where there are several."""
    table.fighters()
    number = table.hit(5)["number"]
    table.cleo.does(f"/rulings/{number}/dispute", {"reason": "It was a 4."}, 200)
    table.hit(3)
    page = at_the_page(table.gm).page("/why/character/2/state/harm")
    (disputed,) = [one for one in page.split('<p class="step">') if "Cleo disputes" in one]
    assert disputed.index("Recorded by ") < disputed.index("Rules used") < disputed.index("Cleo disputes")
    assert "The highlighted change set the current value." in page
    assert page.count('class="made"') == 1
    gm = at_the_page(table.gm)
    assert "The highlighted change" not in gm.page("/why/character/2/name")


def test_dice_are_told_with_who_entered_them(table: Table) -> None:
    table.fighters()
    number = table.hit(5)["number"]
    table.cleo.does(f"/rulings/{number}/dispute", {"reason": "It was a 4."}, 200)
    page = at_the_page(table.gm).page("/why/character/2/state/harm")
    said = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", page))
    for told in ("Harm: 5", f"Ruling {number}", "5 on a D6", "Rolled at the table, entered by Ben.", "It was a 4."):
        assert told in said or told in page, told
    assert "toy.hit" in page, "the rule behind it"
    table.gm.does(f"/rulings/{number}/overturn", {"reason": "It was."}, 200)
    said = at_the_page(table.gm).page("/why/character/2/state/harm")
    assert "Harm: 0" in said and "No longer counts." in said
    recorded = at_the_page(table.gm).page(f"/why/character/2/state/harm?at={number}&as=recorded")
    assert "Harm: 5" in recorded and "as known at the time" in recorded
    assert at_the_page(table.gm).get(f"/table/{table.id}/s1/why/character/2/state/nothing").status_code == 404


def test_a_long_chain_is_told_from_its_end(table: Table) -> None:
    table.fighters()
    for _ in range(22):
        table.gm.declare("mint", to="1", coins=1)
    gm = at_the_page(table.gm)
    page = gm.page("/why/character/1/balances/character:1/coin")
    assert page.count('class="step"') == 20 and "2 earlier changes" in re.sub(r"\s+", " ", page)
    assert gm.page("/why/character/1/balances/character:1/coin?more=true").count('class="step"') == 22
